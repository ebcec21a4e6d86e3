/* SPDX-License-Identifier: BSD-3-Clause */
/* Terrain: what slides and rolls over flat triangles does as on a plane; gaps against samples; random falls on rough
 * ground, of which LG_TEST_FALLS sets how many of each kind; what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "multibody/contact/shapes/terrain.h"
#include "support/touching.h"

enum { SIDE = 9, POINTS = 12 };

static double between(lg_rng *rng, double lo, double hi)
{
    return lo + (hi - lo) * lg_rng_uniform(rng);
}

/* Heights over 2 half x 2 half, or flat triangles of random sizes there; all sloped by `tilt` along x. */
static void add_ground(lg_mechanism *m, lg_surface_kind kind, int side, double half, double rough, double tilt,
                       lg_rng *rng)
{
    lg_surface s = lg_surface_default("terrain", NULL);
    double *x = calloc((size_t)(3 * side * side), sizeof *x), *z = calloc((size_t)(side * side), sizeof *z);
    int *corner = calloc((size_t)(6 * side * side), sizeof *corner);
    for (int r = 0; r < side; r++)
        for (int c = 0; c < side; c++) {
            const int i = r * side + c, inner = r > 0 && c > 0 && r < side - 1 && c < side - 1;
            const double cell = 2 * half / (side - 1), shift = inner && kind == LG_SURFACE_TRIANGLES ? 0.3 * cell : 0;
            x[3 * i] = -half + c * cell + shift * between(rng, -1, 1);
            x[3 * i + 1] = -half + r * cell + shift * between(rng, -1, 1);
            z[i] = x[3 * i + 2] = rough * between(rng, -1, 1) - tilt * x[3 * i];
        }
    for (int r = 0; r < side - 1; r++)
        for (int c = 0; c < side - 1; c++) {
            const int a = r * side + c, b = a + 1, d = a + side, e = d + 1, way = (r + c) % 2;
            const int own[6] = {a, b, way ? d : e, way ? b : a, e, d};
            memcpy(corner + 3 * s.triangles, own, sizeof own), s.triangles += 2;
        }
    s.kind = kind, s.friction = 1, s.restitution = 1;
    if (kind == LG_SURFACE_TRIANGLES)
        s.points = side * side, s.point = x, s.triangle = corner;
    else
        s.triangles = 0, s.rows = s.columns = side, s.height = z, s.half[0] = s.half[1] = half;
    mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
    free(x), free(z), free(corner);
}

/* ---- flat ---- */

#define UP 0.1 /* their radius */

static void start_flat(lg_motion *mo, double slope)
{
    const double c = cos(slope), s = sin(slope);
    const double pose[7] = {UP * s - 0.7 * c, 0.013, UP * c + 0.7 * s, 0, sin(slope / 2), 0, cos(slope / 2)};
    const double v[6] = {1.9 * c, 0.4, -1.9 * s};
    motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
}

/* A ball rolls, and a ball, a capsule, a box and a tetrahedron on a face slide, over triangles of one plane as over a
 * plane. */
static void flat(void **unused)
{
    static const lg_surface_kind kinds[] = {LG_SURFACE_SPHERE, LG_SURFACE_CAPSULE, LG_SURFACE_BOX, LG_SURFACE_HULL};
    static const double points[12] = {0.3, 0, -UP, -0.15, 0.26, -UP, -0.15, -0.26, -UP, 0, 0, 0.2};
    (void)unused;
    for (int i = 0; i < 16; i++) {
        const lg_surface_kind kind = kinds[i % 4];
        const lg_surface_kind ground = i / 4 % 2 ? LG_SURFACE_HEIGHTS : LG_SURFACE_TRIANGLES;
        const double slope = i < 8 ? 0 : 0.2;
        double end[2][7];
        suite_case("%s on flat %s, slope %g", lg_surface_kind_name(kind), lg_surface_kind_name(ground), slope);
        for (int k = 0; k < 2; k++) {
            lg_rng rng = suite_rng(77);
            lg_mechanism *m = k ? touch_empty() : touch_ground(1, 1, slope);
            lg_surface s = lg_surface_default("s", "b");
            if (k) add_ground(m, ground, 17, 2, 0, tan(slope), &rng);
            touch_body(m, "b", 1, NULL, (double[3]){0, 0, 0}, 0);
            s.kind = kind, s.half[0] = UP, s.half[1] = 0.2, s.friction = 0.3;
            if (kind == LG_SURFACE_BOX) s.half[2] = UP;
            if (kind == LG_SURFACE_HULL) s.points = 4, s.point = points;
            if (kind < LG_SURFACE_BOX) s.attitude[0] = s.attitude[3] = sqrt(0.5); /* it lies along y */
            mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
            lg_motion *mo = touch_motion(m, 0.01);
            start_flat(mo, slope);
            touch_watch w = touch_begin(mo);
            touch_run(&w, mo, 60);
            suite_ok("pose", lg_motion_body_pose(mo, end[k], 0));
            lg_motion_destroy(mo);
            lg_mechanism_destroy(m);
        }
        for (int k = 0; k < 7; k++) suite_near1("as on a plane", end[1][k], end[0][k], 1e-12, 1);
    }
}

/* ---- gaps ---- */

/* The distance of p from the triangles, by a net of points on each. */
static double sampled(const mb_terrain *g, const double *p)
{
    enum { NET = 60 };
    double least = INFINITY;
    for (int t = 0; t < g->triangles; t++)
        for (int i = 0; i <= NET; i++)
            for (int j = 0; j <= NET - i; j++) {
                double square = 0;
                for (int k = 0; k < 3; k++) {
                    const double x = (i * g->vertex[g->corner[t][0]][k] + j * g->vertex[g->corner[t][1]][k] +
                                      (NET - i - j) * g->vertex[g->corner[t][2]][k]) /
                                     NET;
                    square += (p[k] - x) * (p[k] - x);
                }
                least = fmin(least, square);
            }
    return sqrt(least);
}

/* Points above and below rough ground, and capsules over it: the gap is the least distance of samples, but for their
 * net; below it is negative. */
static void gaps(void **unused)
{
    double height[25], n[3];
    const char *why;
    lg_rng rng = suite_rng(4);
    (void)unused;
    for (int i = 0; i < 25; i++) height[i] = between(&rng, -0.2, 0.2);
    mb_terrain *g = mb_terrain_of_heights(height, 5, 5, (const double[]){0.9, 0.8}, &why);
    for (int i = 0; i < 200; i++) {
        const double p[3] = {between(&rng, -0.4, 0.4), between(&rng, -0.3, 0.3), between(&rng, -0.3, 0.6)};
        const double gap = mb_terrain_point_apart(g, p, n), above = sampled(g, p);
        suite_case("point %d: %a %a %a", i, p[0], p[1], p[2]);
        suite_near1("distance", fabs(gap), above, 0.02, 1);
        suite_below("no farther than a sample", fabs(gap) - above, 1e-15);
        if (p[2] > 0.2) suite_above("above", gap, 0);
        if (p[2] < -0.2) suite_below("below", gap, 0);
        suite_near1("unit normal", n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-14, 1);
        double q[3];
        for (int k = 0; k < 3; k++) q[k] = p[k] + 1e-6 * n[k];
        if (fabs(gap) > 1e-3) suite_near1("along the normal", mb_terrain_point_apart(g, q, n), gap + 1e-6, 1e-11, 1);
    }
    for (int i = 0; i < 200; i++) {
        const mb_shape bar = {.kind = LG_SURFACE_CAPSULE, .half = {0.02, 0.3}, .radius = 0.02, .reach = 0.32};
        mb_placing at = {{between(&rng, -0.2, 0.2), between(&rng, -0.2, 0.2), between(&rng, 0.1, 0.6)}, {0}};
        double q[4], least = INFINITY;
        mb_apart to;
        suite_direction(q, 4, &rng);
        lg_so3_to_matrix(at.R, q);
        mb_terrain_apart(g, &bar, &at, &to);
        for (int k = 0; k <= 400; k++) {
            double p[3], e = 0.3 * (k / 200.0 - 1);
            for (int x = 0; x < 3; x++) p[x] = at.x[x] + e * at.R[3 * x + 2];
            least = fmin(least, mb_terrain_point_apart(g, p, n));
        }
        suite_case("capsule %d", i);
        if (least > 0 && least < bar.reach) suite_near1("least distance of its axis", to.gap, least, 1e-3, 1);
        if (least > 0 && least < bar.reach) suite_below("no farther than a sample", to.gap - least, 1e-15);
        if (least > 0) suite_above("apart", to.gap, 0);
        if (least < 0) suite_below("overlap", to.gap, 0.2 * least);
    }
    free(g);
}

/* A box on the ridge of a roof, which is all but along its lower face: two edges of this cross the ridge, and the lower
 * one tells the gap, however little it is lower. */
static void ridge(void **unused)
{
    static const double vertex[18] = {-1, 0, 0, 1, 0, 0, -1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1},
                        half[3] = {0.1, 0.2, 0.1};
    static const int triangle[12] = {0, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4};
    const char *why;
    int where;
    (void)unused;
    mb_terrain *g = mb_terrain_make(vertex, 6, triangle, 4, &why, &where);
    mb_polytope *solid = mb_box(half);
    const mb_shape box = {.kind = LG_SURFACE_BOX, .half = {0.1, 0.2, 0.1}, .solid = solid, .reach = sqrt(0.06)};
    for (int i = -20; i <= 20; i++) {
        const double tilt = 1e-10 * i;
        const double q[4] = {0, sin(tilt / 2), 0, cos(tilt / 2)};
        mb_placing at = {{0.03, 0.01, 0.1}, {0}};
        mb_apart to;
        suite_case("tilted by %g", tilt);
        lg_so3_to_matrix(at.R, q);
        mb_terrain_apart(g, &box, &at, &to);
        suite_near1("gap", to.gap, -0.1 * fabs(tilt), 1e-15, 1);
    }
    free(solid), free(g);
}

/* ---- falls ---- */

/* A random fall, or from `start`, a pose and a twist, of its body on its ground. */
static int64_t fall(lg_surface_kind ground, lg_surface_kind kind, int i, const double *start)
{
    lg_rng rng = suite_rng(1000 * (uint64_t)(16 * (int)ground + (int)kind) + (uint64_t)i);
    const double mu = i % 3 == 0 ? 0 : between(&rng, 0, 1), e = i % 4 < 2 ? between(&rng, 0, 0.8) : 0;
    const double h = 0.01 / (1 << i % 3), rough = i % 2 ? 0.03 : 0.15;
    double pose[7] = {0, 0, 0.6}, v[6], inertia[3];
    lg_mechanism *m = touch_empty();
    suite_case("%s on %s, fall %d: mu = %g, e = %g, h = %g, heights %g", lg_surface_kind_name(kind),
               lg_surface_kind_name(ground), i, mu, e, h, rough);
    const int wide = kind == LG_SURFACE_BOX || kind == LG_SURFACE_HULL; /* these slide off, and below its border */
    add_ground(m, ground, wide ? 13 : SIDE, wide ? 1.2 : 0.8, rough, 0, &rng);
    for (int k = 0; k < 3; k++) inertia[k] = 0.015 * between(&rng, 0.8, 1.2);
    touch_body(m, "b", 1, inertia, (double[3]){0, 0, 0.6}, 0);
    lg_surface skin = lg_surface_default("s", "b");
    double point[3 * POINTS];
    skin.kind = kind, skin.friction = mu, skin.restitution = e;
    skin.half[0] = between(&rng, 0.05, 0.25), skin.half[1] = between(&rng, 0.05, 0.25), skin.half[2] = 0.1;
    if (kind == LG_SURFACE_HULL) {
        skin.points = 4 + (int)(8.99 * lg_rng_uniform(&rng)), skin.point = point;
        for (int k = 0; k < 3 * skin.points; k++) point[k] = between(&rng, -0.2, 0.2);
    }
    mechanism_well(lg_mechanism_add_surface(m, NULL, &skin), m);
    lg_motion *mo = touch_motion(m, h);
    suite_direction(pose + 3, 4, &rng);
    for (int k = 0; k < 6; k++) v[k] = k < 3 ? between(&rng, -0.7, 0.7) : between(&rng, -5, 5);
    if (start != NULL) memcpy(pose, start, sizeof pose), memcpy(v, start + 7, sizeof v);
    motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
    touch_watch w = touch_begin(mo);
    touch_run(&w, mo, (int64_t)((start != NULL ? 0.1 : 0.9) / h));
    const int64_t impacts = lg_motion_impacts(mo);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
    return impacts;
}

static void falls(void **unused)
{
    static const lg_surface_kind kinds[] = {LG_SURFACE_POINT, LG_SURFACE_SPHERE, LG_SURFACE_CAPSULE, LG_SURFACE_BOX,
                                            LG_SURFACE_HULL};
    const char *given = getenv("LG_TEST_FALLS");
    const int count = given != NULL ? atoi(given) : suite_count(10);
    (void)unused;
    for (int g = 0; g < 2; g++)
        for (int k = 0; k < 5; k++) {
            const int some = kinds[k] > LG_SURFACE_CAPSULE && given == NULL ? (count + 2) / 3 : count;
            int64_t impacts = 0;
            for (int i = 0; i < some; i++)
                impacts += fall(g ? LG_SURFACE_HEIGHTS : LG_SURFACE_TRIANGLES, kinds[k], i, NULL);
            suite_above("impacts", (double)impacts, 0.5 * some);
        }
}

/* An edge of a box slides over a vertex. There are three contacts, which contradict each other by rounding, and their
 * friction leaves the velocity open. */
static void over_a_vertex(void **unused)
{
    static const double start[13] = {
        -0.050428751259883643, 0.34020078271293519,  0.14432386202209241, -0.16800251543837524, -0.90202415125633262,
        0.16356205995885942,   -0.36245694626905112, 0.20505348341852656, 0.39223176813102528,  -0.10193925946748149,
        -0.548606927394932,    -0.50437575964713133, -0.6544342290164924};
    (void)unused;
    (void)fall(LG_SURFACE_TRIANGLES, LG_SURFACE_BOX, 56, start);
}

/* A fast ball does not pass through, however long its step is. */
static void fast(void **unused)
{
    (void)unused;
    for (int localise = 0; localise < 2; localise++) {
        lg_rng rng = suite_rng(3);
        lg_mechanism *m = touch_empty();
        lg_contact_options o = lg_contact_options_default();
        const double pose[7] = {0.03, 0.02, 1, 0, 0, 0, 1}, v[6] = {0.1, 0, -60};
        suite_case("localise %d", localise);
        add_ground(m, LG_SURFACE_HEIGHTS, SIDE, 0.8, 0.03, 0, &rng);
        touch_body(m, "b", 1, NULL, (double[3]){0, 0, 1}, 0);
        touch_surface(m, "s", "b", LG_SURFACE_SPHERE, (double[3]){0.02, 0, 0}, 0.5, 0);
        lg_motion *mo = touch_motion(m, 0.02);
        o.localise = localise;
        suite_ok("options", lg_motion_set_contact(mo, &o));
        motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
        touch_watch w = touch_begin(mo);
        touch_run(&w, mo, 5);
        suite_above("height", touch_x(mo, 0, 2), -0.05);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* A box falls on a million triangles. */
static void many(void **unused)
{
    const double pose[7] = {0.03, 0.02, 0.35, 0.1, 0.2, 0.3, 0.9}, half[3] = {0.1, 0.07, 0.2};
    lg_rng rng = suite_rng(3);
    lg_mechanism *m = touch_empty();
    (void)unused;
    add_ground(m, LG_SURFACE_HEIGHTS, 709, 20, 0.02, 0, &rng);
    touch_body(m, "b", 1, NULL, (double[3]){0, 0, 0.35}, 0);
    touch_surface(m, "s", "b", LG_SURFACE_BOX, half, 0.5, 0);
    lg_motion *mo = touch_motion(m, 0.01);
    motion_well(lg_motion_start_poses(mo, 0, pose, NULL, 0), mo);
    touch_watch w = touch_begin(mo);
    touch_run(&w, mo, 30);
    suite_above("impacts", (double)lg_motion_impacts(mo), 0);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* ---- refusals ---- */

static void refuse(const lg_surface *s, lg_status status, const char *words)
{
    lg_mechanism *m = touch_empty();
    touch_body(m, "b", 1, NULL, (double[3]){0, 0, 1}, 0);
    touch_surface(m, "skin", "b", LG_SURFACE_SPHERE, (double[3]){0.1, 0, 0}, 0.5, 0);
    suite_case("%s", words);
    lg_status st = lg_mechanism_add_surface(m, NULL, s);
    if (st == LG_OK) st = lg_mechanism_compile(m);
    suite_status(lg_mechanism_message(m), st, status);
    suite_contains("message", lg_mechanism_message(m), "surface 'bad'");
    suite_contains("message", lg_mechanism_message(m), words);
    lg_mechanism_destroy(m);
}

static void refusals(void **unused)
{
    static const double x[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0, 1}, hole[4] = {0, 1, NAN, 0},
                        gone[9] = {0, 0, 0, 1, 0, INFINITY, 1, 1, 0};
    static const int well[6] = {0, 1, 2, 0, 2, 3}, far[3] = {0, 1, 5}, thin[3] = {0, 1, 1},
                     turned[6] = {0, 1, 2, 0, 3, 2}, three[9] = {0, 1, 2, 1, 0, 4, 1, 0, 3};
    (void)unused;
#define REFUSE(status, words, ...)                                                                                     \
    do {                                                                                                               \
        lg_surface s = lg_surface_default("bad", NULL);                                                                \
        s.kind = LG_SURFACE_TRIANGLES, s.points = 5, s.point = x, s.triangles = 2, s.triangle = well;                  \
        __VA_ARGS__;                                                                                                   \
        refuse(&s, status, words);                                                                                     \
    } while (0)
#define HEIGHTS                                                                                                        \
    s.kind = LG_SURFACE_HEIGHTS, s.points = s.triangles = 0, s.rows = s.columns = 2, s.half[0] = s.half[1] = 1,        \
    s.height = x
    REFUSE(LG_ERROR_UNSUPPORTED, "terrain does not move, and cannot be of body 'b'", s.body = "b");
    REFUSE(LG_ERROR_ARGUMENT, "triangles have 2 points", s.points = 2);
    REFUSE(LG_ERROR_ARGUMENT, "triangles have 0 points", s.point = NULL);
    REFUSE(LG_ERROR_ARGUMENT, "a point is not finite", s.points = 3, s.point = gone, s.triangles = 1);
    REFUSE(LG_ERROR_ARGUMENT, "it has 0 triangles", s.triangle = NULL);
    REFUSE(LG_ERROR_ARGUMENT, "it has 4000001 triangles", s.triangles = LG_TERRAIN_MOST + 1);
    REFUSE(LG_ERROR_ARGUMENT, "triangle 0 names point 5; there are 5", s.triangles = 1, s.triangle = far);
    REFUSE(LG_ERROR_ARGUMENT, "triangle 0 has no area", s.triangles = 1, s.triangle = thin);
    REFUSE(LG_ERROR_ARGUMENT, "has the other winding than its neighbour", s.triangle = turned);
    REFUSE(LG_ERROR_ARGUMENT, "has a side that three triangles share", s.triangles = 3, s.triangle = three);
    REFUSE(LG_ERROR_ARGUMENT, "terrain has no heading", s.friction_along = 0.1);
    REFUSE(LG_ERROR_ARGUMENT, "heights of 1 rows and 2 columns", HEIGHTS, s.rows = 1);
    REFUSE(LG_ERROR_ARGUMENT, "heights of 2 rows and 4000000 columns", HEIGHTS, s.columns = 4000000);
    REFUSE(LG_ERROR_ARGUMENT, "the height in row 1, column 0 is nan", HEIGHTS, s.height = hole);
    REFUSE(LG_ERROR_ARGUMENT, "half[1] is 0; of kind heights it must be positive", HEIGHTS, s.half[1] = 0);
    REFUSE(LG_ERROR_ARGUMENT, "it has no triangles; only kind triangles has", HEIGHTS, s.triangles = 1);
    REFUSE(LG_ERROR_ARGUMENT, "it has no rows and columns; only kind heights has", s.rows = 2);
}

/* Cylinders and others do not touch terrain, and a start below it is refused. */
static void meetings(void **unused)
{
    static const lg_surface_kind kinds[] = {LG_SURFACE_CYLINDER, LG_SURFACE_DISK, LG_SURFACE_ELLIPSOID,
                                            LG_SURFACE_TORUS};
    const double half[3] = {0.1, 0.05, 0.1}, below[7] = {0, 0, 0.05, 0, 0, 0, 1};
    (void)unused;
    for (int k = 0; k < 5; k++) {
        lg_rng rng = suite_rng(3);
        lg_mechanism *m = touch_empty();
        add_ground(m, LG_SURFACE_HEIGHTS, SIDE, 0.8, 0, 0, &rng);
        touch_body(m, "b", 1, NULL, (double[3]){0, 0, 1}, 0);
        touch_surface(m, "s", "b", k < 4 ? kinds[k] : LG_SURFACE_SPHERE, half, 0.5, 0);
        suite_case("%s", lg_surface_kind_name(k < 4 ? kinds[k] : LG_SURFACE_SPHERE));
        if (k < 4) {
            suite_status("compile", lg_mechanism_compile(m), LG_ERROR_UNSUPPORTED);
            suite_contains("message", lg_mechanism_message(m),
                           "terrain touches points, spheres, capsules, boxes and hulls alone");
        } else {
            lg_motion *mo = touch_motion(m, 0.01);
            suite_status("start", lg_motion_start_poses(mo, 0, below, NULL, 0), LG_ERROR_INCONSISTENT);
            lg_motion_destroy(mo);
        }
        lg_mechanism_destroy(m);
    }
}

/* A step fails, and leaves its state, if a body below a border, where nothing is, would go through it from there. */
static void border(void **unused)
{
    const double pose[7] = {0.85, 0.01, -0.3, 0, 0, 0, 1}, v[6] = {-1, 0, 0}, half[3] = {0.02, 0.02, 0.02};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        lg_rng rng = suite_rng(3);
        lg_mechanism *m = touch_empty();
        double now[7];
        lg_status st = LG_OK;
        suite_case("%s", k ? "box" : "sphere");
        add_ground(m, LG_SURFACE_TRIANGLES, SIDE, 0.8, 0, 0, &rng);
        touch_body(m, "b", 1, NULL, (double[3]){0.85, 0, -0.3}, 0);
        touch_surface(m, "s", "b", k ? LG_SURFACE_BOX : LG_SURFACE_SPHERE, half, 0.5, 0);
        lg_motion *mo = touch_motion(m, 0.01);
        motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
        for (int i = 0; i < 20 && st == LG_OK; i++) st = lg_motion_step(mo, 1);
        suite_status("step", st, LG_ERROR_CONVERGENCE);
        suite_contains("message", lg_motion_message(mo), "surfaces 'terrain' and 's' overlap by 0.");
        suite_ok("pose", lg_motion_body_pose(mo, now, 0));
        suite_above("it is beyond the border", now[0], 0.78);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* A hole in a terrain is a border: a ball falls through the hole, and rests next to it. */
static void hole(void **unused)
{
    static const double x[24] = {-1,   -1,   0, 1,   -1,   0, 1,   1,   0, -1,   1,   0,
                                 -0.3, -0.3, 0, 0.3, -0.3, 0, 0.3, 0.3, 0, -0.3, 0.3, 0};
    static const int triangle[24] = {0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const double pose[7] = {k ? 0.6 : 0.01, 0, 0.2, 0, 0, 0, 1};
        lg_mechanism *m = touch_empty();
        lg_surface s = lg_surface_default("terrain", NULL);
        s.kind = LG_SURFACE_TRIANGLES, s.points = 8, s.point = x, s.triangles = 8, s.triangle = triangle;
        suite_case("%s", k ? "beside" : "through");
        mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
        touch_body(m, "b", 1, NULL, (double[3]){0, 0, 0.2}, 0);
        touch_surface(m, "s", "b", LG_SURFACE_SPHERE, (double[3]){0.1, 0, 0}, 0.5, 0);
        lg_motion *mo = touch_motion(m, 0.01);
        motion_well(lg_motion_start_poses(mo, 0, pose, NULL, 0), mo);
        touch_watch w = touch_begin(mo);
        touch_run(&w, mo, 50);
        suite_near1("height", touch_x(mo, 0, 2), k ? 0.1 : 0.2 - 0.5 * 9.81 * 0.25, 1e-12, 1);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

int main(void)
{
    suite_begin("contact_terrain");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat),          cmocka_unit_test(gaps),   cmocka_unit_test(ridge), cmocka_unit_test(falls),
        cmocka_unit_test(over_a_vertex), cmocka_unit_test(fast),   cmocka_unit_test(many),  cmocka_unit_test(refusals),
        cmocka_unit_test(meetings),      cmocka_unit_test(border), cmocka_unit_test(hole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
