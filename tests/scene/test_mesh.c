/* SPDX-License-Identifier: BSD-3-Clause */
/* Meshes: mass against closed forms and MuJoCo, convex hulls, faults, scales, coarser meshes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "support/meshes.h"

#include "mesh_mujoco.h"

static lg_error error;

static lg_mesh_mass weighed(const lg_mesh *m, lg_mesh_kind kind)
{
    lg_mesh_mass mass;
    const lg_status st = lg_mesh_weigh(&mass, m, kind, "it", &error);
    suite_ok(error.message, st);
    return mass;
}

static void not_weighed(const lg_mesh *m, lg_mesh_kind kind, const char *words)
{
    lg_mesh_mass mass;
    memset(&mass, 0x55, sizeof mass);
    const lg_mesh_mass before = mass;
    suite_status(words, lg_mesh_weigh(&mass, m, kind, "it", &error), LG_ERROR_DOMAIN);
    suite_contains("message", error.message, words);
    assert_memory_equal(&mass, &before, sizeof mass);
}

static lg_mesh_faults examined(const lg_mesh *m, char *text, size_t room)
{
    lg_mesh_faults f;
    suite_ok("examine", lg_mesh_examine(&f, m, &error));
    (void)lg_mesh_describe(text, room, &f);
    return f;
}

/* ---- mass ---- */

/* 1e-12 of the largest number, at the size of the shape; a turn and a shift lose what coordinates lose. */
static void closed_forms(void **unused)
{
    (void)unused;
    const struct {
        lg_mesh mesh;
        double volume, moment, area; /* moment per mass */
    } shapes[] = {
        {mesh_cube(), 1, 1.0 / 6, 6},
        {mesh_tetrahedron(), 8.0 / 3, 8.0 / 20, 8 * sqrt(3)},
        {mesh_octahedron(), 4.0 / 3, 2.0 / 10, 4 * sqrt(3)},
        {mesh_icosahedron(), 10 * (3 + sqrt(5)) / 3, 4 * (3 + sqrt(5)) / 20, 20 * sqrt(3)},
    };
    const double xi[3] = {0.3, -1.1, 0.7}, here[3] = {0, 0, 0}, there[3] = {3, -2, 5};
    double q[4], R[9];
    suite_ok("exp", lg_group_exp(lg_so3(), q, xi));
    lg_so3_to_matrix(R, q);
    for (int s = 0; s < 4; s++) {
        for (int at = 0; at < 2; at++) {
            lg_mesh m = mesh_moved(&shapes[s].mesh, at ? R : NULL, at ? there : here);
            for (int kind = LG_MESH_LEGACY; kind <= LG_MESH_CONVEX; kind++) {
                suite_case("shape %d, place %d, kind %d", s, at, kind);
                const lg_mesh_mass mass = weighed(&m, (lg_mesh_kind)kind);
                const double moment = shapes[s].moment * shapes[s].volume;
                const double I[9] = {moment, 0, 0, 0, moment, 0, 0, 0, moment};
                suite_near1("volume", mass.measure, shapes[s].volume, 1e-12, shapes[s].volume);
                suite_near("centre", mass.centre, at ? there : here, 3, 1e-14, at ? 5 : 1);
                suite_near("inertia", mass.inertia, I, 9, 1e-12, moment);
            }
            suite_near1("area", weighed(&m, LG_MESH_SHELL).measure, shapes[s].area, 1e-13, shapes[s].area);
            lg_mesh_free(&m);
        }
    }
    const lg_mesh_mass shell = weighed(&shapes[0].mesh, LG_MESH_SHELL); /* 5/18 of mass and edge squared */
    const double I[9] = {5.0 / 3, 0, 0, 0, 5.0 / 3, 0, 0, 0, 5.0 / 3};
    suite_near("shell", shell.inertia, I, 9, 1e-14, 1);
    for (int s = 0; s < 4; s++) {
        lg_mesh m = shapes[s].mesh;
        lg_mesh_free(&m);
    }
}

/* Spheres approach 4 pi/3 and 8 pi/15 with the square of the width. */
static void spheres(void **unused)
{
    (void)unused;
    double before = 0;
    for (int n = 20; n <= 160; n *= 2) {
        lg_mesh m = mesh_sphere(n);
        char text[300];
        examined(&m, text, sizeof text);
        assert_string_equal(text, "");
        const lg_mesh_mass mass = weighed(&m, LG_MESH_EXACT), hull = weighed(&m, LG_MESH_CONVEX);
        suite_near1("hull", hull.measure, mass.measure, 1e-12, 4);
        suite_near("inertia of the hull", hull.inertia, mass.inertia, 9, 1e-12, 1);
        const double off = 4 * SUITE_PI / 3 - mass.measure;
        suite_near1("moment", mass.inertia[0], 8 * SUITE_PI / 15, 12.0 / (n * n), 1);
        if (before > 0) suite_near1("order", before / off, 4, 0.05, 1);
        before = off;
        lg_mesh_free(&m);
    }
}

/* A box from a cube by scales; a mirror keeps the volume positive. */
static void scales(void **unused)
{
    (void)unused;
    static const double scale[][3] = {{2, 3, 0.5},   {-2, 3, 0.5},        {-2, -3, -0.5},
                                      {2, -3, -0.5}, {1e-3, 1e-3, -1e-3}, {1e20, 1e-20, 1}};
    for (int i = 0; i < 6; i++) {
        const double *s = scale[i], r[3] = {1, 0.5, -0.25};
        lg_mesh cube = mesh_cube(), m = mesh_moved(&cube, NULL, r);
        suite_ok("scale", lg_mesh_scale(&m, s, "it", &error));
        const lg_mesh_mass mass = weighed(&m, i == 5 ? LG_MESH_SHELL : LG_MESH_EXACT);
        const double V = fabs(s[0] * s[1] * s[2]);
        const double a = s[0] * s[0], b = s[1] * s[1], c = s[2] * s[2];
        const double I[9] = {V * (b + c) / 12, 0, 0, 0, V * (c + a) / 12, 0, 0, 0, V * (a + b) / 12};
        assert_int_equal(m.mirrored, s[0] * s[1] * s[2] < 0);
        if (i < 5) suite_near1("volume", mass.measure, V, 1e-14, V);
        if (i < 5) suite_near("inertia", mass.inertia, I, 9, 1e-14, V * (a + b + c));
        lg_mesh_free(&cube), lg_mesh_free(&m);
    }
    static const double wrong[][3] = {{0, 1, 1}, {1, (double)NAN, 1}, {1, 1, -(double)INFINITY}, {1e51, 1, 1}};
    static const char *const words[] = {"scale 1 is 0;", "scale 2 is nan;", "scale 3 is -inf;", "scale 1 is 1e+51;"};
    for (int i = 0; i < 4; i++) {
        lg_mesh cube = mesh_cube(), same = mesh_cube();
        suite_status(words[i], lg_mesh_scale(&cube, wrong[i], "it", &error), LG_ERROR_ARGUMENT);
        suite_contains("message", error.message, words[i]);
        suite_same_bits("unchanged", cube.vertex, same.vertex, 24);
        lg_mesh_free(&cube), lg_mesh_free(&same);
    }
}

/* MuJoCo keeps numbers as floats, and finds axes to 1e-7. */
static void compare(const lg_mesh *m, lg_mesh_kind kind, const double *v, double tolerance)
{
    const lg_mesh_mass mass = weighed(m, kind);
    const double *I = mass.inertia, moments[6] = {I[0], I[4], I[8], I[1], I[2], I[5]};
    suite_near1("mass", mass.measure, v[0], tolerance, v[0]);
    suite_near("centre", mass.centre, v + 1, 3, tolerance, 1);
    suite_near("inertia", moments, v + 4, 6, fmax(tolerance, 1e-7), fmax(v[4], fmax(v[5], v[6])));
}

static void mujoco(void **unused)
{
    (void)unused;
    double x[36];
    for (int i = 0; i < 36; i++) x[i] = eighths[i] / 8.0;
    for (size_t i = 0; i < sizeof of_mujoco / sizeof *of_mujoco; i++) {
        lg_mesh m = mesh_of(x, 12, irregular, 20 - of_mujoco[i].holes);
        suite_case("row %d", (int)i);
        suite_ok("scale", lg_mesh_scale(&m, of_mujoco[i].scale, "it", &error));
        compare(&m, of_mujoco[i].kind, of_mujoco[i].value, 1e-12);
        lg_mesh_free(&m);
    }
    for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++) {
        const char *text = objects[of_files[i].file];
        lg_mesh m;
        suite_case("file %d", (int)i);
        suite_ok("read", lg_mesh_parse(&m, text, strlen(text), "it", LG_MESH_OBJ, &error));
        assert_int_equal(m.triangles, 12 * (1 + of_files[i].file));
        m.triangles = m.first; /* MuJoCo takes the faces of the first object alone */
        compare(&m, of_files[i].kind, of_files[i].value, 1e-6);
        lg_mesh_free(&m);
    }
}

/* Vertices alone stand for their hull. */
static void points_alone(void **unused)
{
    (void)unused;
    lg_mesh cube = mesh_cube(), m = mesh_of(cube.vertex, 8, NULL, 0);
    char text[300];
    for (int kind = LG_MESH_LEGACY; kind <= LG_MESH_CONVEX; kind++)
        suite_near1("volume", weighed(&m, (lg_mesh_kind)kind).measure, 1, 1e-15, 1);
    suite_near1("area", weighed(&m, LG_MESH_SHELL).measure, 6, 1e-15, 6);
    const lg_mesh_faults f = examined(&m, text, sizeof text);
    assert_string_equal(text, "it has no triangles, so its convex hull stands for it");
    assert_false(lg_mesh_is_closed(&f));
    m.collapsed = 1; /* a file with faces */
    examined(&m, text, sizeof text);
    assert_string_equal(text, "1 triangles have no area");
    not_weighed(&m, LG_MESH_LEGACY, "the area of its surface is 0");
    suite_near1("volume", weighed(&m, LG_MESH_CONVEX).measure, 1, 1e-15, 1);
    lg_mesh_free(&cube), lg_mesh_free(&m);
}

/* ---- faults ---- */

static void turn_over(lg_mesh *m, int from, int to)
{
    for (int t = from; t < to; t++) {
        const int second = m->triangle[3 * t + 1];
        m->triangle[3 * t + 1] = m->triangle[3 * t + 2];
        m->triangle[3 * t + 2] = second;
    }
}

static void faults(void **unused)
{
    (void)unused;
    char text[400];
    lg_mesh m = mesh_cube();
    lg_mesh_faults f = examined(&m, text, sizeof text);
    assert_string_equal(text, "");
    assert_true(lg_mesh_is_closed(&f));
    suite_near1("volume", f.volume, 1, 1e-15, 1);
    suite_near1("area", f.area, 6, 1e-15, 6);
    m.triangles = 10; /* a face is missing */
    f = examined(&m, text, sizeof text);
    assert_string_equal(text, "its surface has holes: 4 edges belong to one triangle only");
    assert_false(lg_mesh_is_closed(&f));
    m.triangles = 12;
    turn_over(&m, 0, 1);
    f = examined(&m, text, sizeof text);
    assert_string_equal(text, "at 3 edges its triangles face opposite sides");
    assert_false(lg_mesh_is_closed(&f));
    turn_over(&m, 1, 12);
    f = examined(&m, text, sizeof text);
    assert_string_equal(text, "its triangles face inwards: its volume is -1");
    assert_true(lg_mesh_is_closed(&f));
    not_weighed(&m, LG_MESH_EXACT,
                "its volume is -1: the triangles face inwards; turn them over, or take the volume of");
    for (int kind = LG_MESH_LEGACY; kind <= LG_MESH_SHELL; kind++) {
        if (kind != LG_MESH_EXACT)
            suite_near1("size", weighed(&m, (lg_mesh_kind)kind).measure, kind == LG_MESH_SHELL ? 6 : 1, 1e-15, 6);
    }
    const double millimetres[3] = {230, 120, -80};
    suite_ok("scale", lg_mesh_scale(&m, millimetres, "it", &error)); /* mirrored, and still facing inwards */
    m.collapsed = 2, m.overlapping = 3;
    f = examined(&m, text, sizeof text);
    assert_string_equal(
        text, "its triangles face inwards: its volume is -2.208e+06; 2 triangles have no area; 3 faces could not "
              "be cut into triangles without overlap; its scale mirrors it; it is 230 long; if its "
              "unit is the millimetre, scale it by 0.001");
    assert_int_equal(lg_mesh_describe(NULL, 0, &f), strlen(text));
    assert_int_equal(lg_mesh_describe(text, 20, &f), 223);
    assert_string_equal(text, "its triangles face ");
    lg_mesh_free(&m);
}

/* A triangle on a line, a sheet with two sides, a strip without area, and two cubes with a common edge. */
static void odd_surfaces(void **unused)
{
    (void)unused;
    static const double sheet[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, line[9] = {0, 0, 0, 1, 1, 1, 3, 3, 3};
    static const int sides[12] = {0, 1, 2, 0, 2, 3, 0, 2, 1, 0, 3, 2}, one[3] = {0, 1, 2};
    char text[400];
    lg_mesh m = mesh_of(sheet, 4, sides, 4);
    examined(&m, text, sizeof text);
    assert_string_equal(text, "it encloses no volume");
    not_weighed(&m, LG_MESH_EXACT, "it encloses no volume (0, with an area of 2); take the mass of its surface");
    not_weighed(&m, LG_MESH_LEGACY, "encloses no volume");
    not_weighed(&m, LG_MESH_CONVEX, "its 4 vertices lie in a plane");
    suite_near1("area", weighed(&m, LG_MESH_SHELL).measure, 2, 1e-15, 1);
    lg_mesh_free(&m);
    m = mesh_of(line, 3, one, 1);
    examined(&m, text, sizeof text);
    assert_string_equal(text, "its surface has holes: 3 edges belong to one triangle only; 1 triangles have no area");
    not_weighed(&m, LG_MESH_SHELL, "the area of its surface is 0");
    not_weighed(&m, LG_MESH_CONVEX, "its 3 vertices lie in a plane");
    lg_mesh_free(&m);
    lg_mesh cube = mesh_cube();
    double x[42];
    int triangles[72];
    memcpy(x, cube.vertex, 24 * sizeof *x), memcpy(triangles, cube.triangle, 36 * sizeof *triangles);
    int place[8], next = 8;
    for (int i = 0; i < 8; i++) { /* the edge 6 to 7 becomes 0 to 1 of the other */
        place[i] = i < 2 ? 6 + i : next++;
        for (int k = 0; k < 3; k++) x[3 * place[i] + k] = cube.vertex[3 * i + k] + (k > 0);
    }
    for (int i = 0; i < 36; i++) triangles[36 + i] = place[cube.triangle[i]];
    m = mesh_of(x, 14, triangles, 24);
    const lg_mesh_faults f = examined(&m, text, sizeof text);
    assert_string_equal(text, "");
    assert_int_equal(f.shared_edges, 1);
    suite_near1("volume", weighed(&m, LG_MESH_EXACT).measure, 2, 1e-15, 2);
    lg_mesh_free(&m), lg_mesh_free(&cube);
}

/* A surface with large holes can have an inertia that no body has. */
static void impossible(void **unused)
{
    (void)unused;
    lg_rng rng = suite_rng(3);
    int refusals = 0;
    for (int i = 0; i < suite_count(2000); i++) {
        double x[36];
        int triangles[24];
        lg_mesh_mass mass;
        suite_normal(x, 36, &rng);
        for (int k = 0; k < 24; k++) triangles[k] = (int)(lg_rng_uniform(&rng) * 4) + 4 * (k % 3);
        lg_mesh m = mesh_of(x, 12, triangles, 8);
        if (lg_mesh_weigh(&mass, &m, LG_MESH_EXACT, "it", &error) == LG_OK) {
            const double *I = mass.inertia, half = (I[0] + I[4] + I[8]) / 2;
            for (int k = 0; k < 200; k++) { /* int (n x)^2 is not negative */
                double n[3], moment = half;
                suite_direction(n, 3, &rng);
                for (int j = 0; j < 9; j++) moment -= n[j / 3] * I[j] * n[j % 3];
                suite_above("moment", moment, -1e-6 * half);
            }
        } else {
            refusals += strstr(error.message, "no body has the inertia") != NULL;
        }
        lg_mesh_free(&m);
    }
    assert_true(refusals > 0);
}

/* ---- hulls ---- */

enum { LATTICE = 1 }; /* of tenths: three points nearly on a line can be a facet */

/* Closed, and no point above a facet by more than rounding. */
static void check_hull(const double *x, int n, int kind)
{
    lg_mesh hull, m = mesh_of(x, n, NULL, 0);
    char text[300];
    suite_ok("hull", lg_mesh_hull(&hull, &m, "it", &error));
    const lg_mesh_faults f = examined(&hull, text, sizeof text);
    assert_true(lg_mesh_is_closed(&f) && f.shared_edges == 0 && f.volume > 0);
    assert_int_equal(hull.triangles, 2 * hull.vertices - 4);
    for (int t = 0; t < hull.triangles; t++) {
        const double *a = hull.vertex + 3 * hull.triangle[3 * t], *b = hull.vertex + 3 * hull.triangle[3 * t + 1],
                     *c = hull.vertex + 3 * hull.triangle[3 * t + 2];
        double normal[3], length = 0;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            normal[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
            length += normal[i] * normal[i];
        }
        if (kind != LATTICE) assert_true(length > 0);
        for (int p = 0; p < n; p++) {
            double above = 0, size = 0;
            for (int i = 0; i < 3; i++) {
                above += normal[i] * (x[3 * p + i] - a[i]);
                size += fabs(normal[i]) * (fabs(x[3 * p + i]) + fabs(a[i]));
            }
            suite_below("above", above, 1e-13 * (size + 1));
        }
    }
    lg_mesh_free(&hull), lg_mesh_free(&m);
}

/* Random points; points of a lattice, many in a plane and on a line; points of a cone, of a turned cube's faces, of a
 * sphere, and points that differ in their last digits. */
static void hulls(void **unused)
{
    (void)unused;
    enum { MOST = 200 };
    lg_rng rng = suite_rng(8);
    for (int i = 0; i < suite_count(300); i++) {
        double x[3 * MOST];
        const int kind = i % 6, n = 8 + (int)(lg_rng_uniform(&rng) * (MOST - 8));
        suite_normal(x, 3 * n, &rng);
        for (int p = 0; p < n; p++) {
            double *v = x + 3 * p;
            const double u = lg_rng_uniform(&rng), length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            for (int k = 0; k < 3; k++) {
                if (kind == LATTICE) v[k] = 0.1 * round(2 * v[k]);
                if (kind == 3) v[k] = k == p % 3 ? (p & 4 ? 0.3 : -0.3) : 0.6 * lg_rng_uniform(&rng) - 0.3;
                if (kind == 4) v[k] /= length;
                if (kind == 5) v[k] = 1 + round(2 * v[k]) * SUITE_EPS;
            }
            if (kind == 2) v[0] = u * cos(p), v[1] = u * sin(p), v[2] = p == 0 ? 1 : 0;
            if (kind == 3) v[1] += 0.7 * v[0], v[2] -= 0.1 * v[1];
        }
        suite_case("kind %d, %d points, case %d", kind, n, i);
        check_hull(x, n, kind);
    }
}

static void flat_hulls(void **unused)
{
    (void)unused;
    lg_rng rng = suite_rng(9);
    for (int i = 0; i < suite_count(100); i++) {
        double x[90];
        lg_mesh hull, m;
        for (int p = 0; p < 30; p++) {
            x[3 * p] = floor(100 * lg_rng_uniform(&rng)), x[3 * p + 1] = floor(100 * lg_rng_uniform(&rng));
            x[3 * p + 2] = (i % 3) * x[3 * p] - 2 * x[3 * p + 1] + 7;
            if (i % 4 == 0) x[3 * p + 1] = x[3 * p + 2] = 3 * x[3 * p];
            if (i % 8 == 0) x[3 * p] = x[3 * p + 1] = x[3 * p + 2] = 4;
        }
        m = mesh_of(x, 30, NULL, 0);
        suite_status("flat", lg_mesh_hull(&hull, &m, "it", &error), LG_ERROR_DOMAIN);
        suite_contains("message", error.message, "lie in a plane, so their convex hull has no volume");
        assert_null(hull.vertex);
        lg_mesh_free(&m);
    }
}

/* ---- coarser meshes ---- */

/* Corners exist, few triangles are left, and no vertex is farther from the new ones than what is said. */
static double coarsened(const lg_mesh *m, int most)
{
    lg_mesh to;
    double moved;
    suite_case("at most %d triangles", most);
    suite_ok("coarsen", lg_mesh_coarsen(&to, &moved, m, most, &error));
    assert_in_range(to.triangles, most / 4, most);
    for (int i = 0; i < 3 * to.triangles; i++) assert_in_range(to.triangle[i], 0, to.vertices - 1);
    for (int v = 0; v < m->vertices; v += 97) {
        double nearest = INFINITY;
        for (int w = 0; w < to.vertices; w++)
            nearest = fmin(nearest, suite_distance(m->vertex + 3 * v, to.vertex + 3 * w, 3));
        suite_below("to the nearest", nearest, moved);
    }
    lg_mesh_free(&to);
    return moved;
}

static void coarser(void **unused)
{
    (void)unused;
    lg_mesh m = mesh_sphere(100), to;
    lg_rng rng = suite_rng(11);
    double x[9000], moved, before = 2;
    int triangles[3000];
    static const int most[] = {128, 500, 2000, 10000, 39600};
    for (int i = 0; i < 5; i++) {
        moved = coarsened(&m, most[i]);
        suite_below("moved", moved, before);
        suite_below("moved", moved, 6 / sqrt(most[i]));
        before = moved;
    }
    suite_below("a copy", moved, 0);
    suite_status("too few", lg_mesh_coarsen(&to, &moved, &m, 127, &error), LG_ERROR_ARGUMENT);
    suite_contains("message", error.message, "the bound must be at least 128");
    lg_mesh_free(&m);
    suite_normal(x, 9000, &rng); /* triangles that coincide when corners are few */
    for (int i = 0; i < 3000; i++) triangles[i] = i;
    m = mesh_of(x, 3000, triangles, 1000);
    suite_above("moved", coarsened(&m, 128), 0.1);
    lg_mesh_free(&m);
}

int main(void)
{
    suite_begin("scene/mesh");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms), cmocka_unit_test(spheres),      cmocka_unit_test(scales),
        cmocka_unit_test(mujoco),       cmocka_unit_test(points_alone), cmocka_unit_test(faults),
        cmocka_unit_test(odd_surfaces), cmocka_unit_test(impossible),   cmocka_unit_test(hulls),
        cmocka_unit_test(flat_hulls),   cmocka_unit_test(coarser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
