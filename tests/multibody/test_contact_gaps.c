/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaps of all pairs of shapes against the bounds that support functions give: F(n) = n.(x_b - x_a) - s_a(n) - s_b(-n)
 * is no more than the gap for any normal n, and the gap at its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/contact/shapes/shape.h"
#include "support/suite.h"

enum { KINDS = LG_SURFACE_PLANE, DIRECTIONS = 300, POINTS = 12 };

typedef struct placed {
    mb_shape shape;
    mb_placing at;
} placed;

static double between(lg_rng *rng, double lo, double hi)
{
    return lo + (hi - lo) * lg_rng_uniform(rng);
}

static void turn_at_random(double *R, lg_rng *rng)
{
    double q[4];
    suite_direction(q, 4, rng);
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double of[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, of, sizeof of);
}

static placed thing(lg_surface_kind kind, lg_rng *rng)
{
    placed p = {.shape = {.kind = kind, .reach = 0.5}};
    const char *why;
    double point[3 * POINTS], *half = p.shape.half;
    for (int k = 0; k < 3; k++) half[k] = between(rng, 0.05, 0.25);
    turn_at_random(p.at.R, rng);
    if (kind == LG_SURFACE_SPHERE || kind == LG_SURFACE_CAPSULE) p.shape.radius = half[0];
    if (kind == LG_SURFACE_BOX) p.shape.solid = mb_box(half);
    if (kind == LG_SURFACE_HULL) {
        const int count = 4 + (int)(8.99 * lg_rng_uniform(rng));
        for (int i = 0; i < 3 * count; i++) point[i] = between(rng, -0.2, 0.2);
        p.shape.solid = mb_hull(point, count, &why);
    }
    return p;
}

/* The support function, about the origin of space. */
static double support(const placed *p, const double *n)
{
    const double *h = p->shape.half, far = mb_dot3(n, p->at.x) + p->shape.radius;
    double u[3], most = -INFINITY;
    mb_back3(u, p->at.R, n);
    switch (p->shape.kind) {
    case LG_SURFACE_CAPSULE:
        return far + h[1] * fabs(u[2]);
    case LG_SURFACE_CYLINDER:
        return far + h[0] * hypot(u[0], u[1]) + h[1] * fabs(u[2]);
    case LG_SURFACE_ELLIPSOID:
        return far + sqrt(pow(h[0] * u[0], 2) + pow(h[1] * u[1], 2) + pow(h[2] * u[2], 2));
    case LG_SURFACE_BOX:
        return far + h[0] * fabs(u[0]) + h[1] * fabs(u[1]) + h[2] * fabs(u[2]);
    case LG_SURFACE_HULL:
        for (int i = 0; i < p->shape.solid->corners; i++) most = fmax(most, mb_dot3(u, p->shape.solid->corner + 3 * i));
        return far + most;
    default:
        return far;
    }
}

static double bound(const placed *a, const placed *b, const double *n)
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    return -support(a, n) - support(b, back);
}

/* The greatest bound that a search at random finds. */
static double greatest(const placed *a, const placed *b, const double *own, lg_rng *rng)
{
    double best[3] = {own[0], own[1], own[2]}, most = -INFINITY, n[3], at[3];
    for (int i = 0; i < DIRECTIONS; i++) {
        suite_direction(n, 3, rng);
        const double F = bound(a, b, n);
        if (F > most) most = F, memcpy(best, n, sizeof n);
    }
    for (double step = 0.2; step > 1e-8;) {
        int higher = 0;
        for (int i = 0; i < 16; i++) {
            suite_normal(at, 3, rng);
            for (int k = 0; k < 3; k++) n[k] = best[k] + step * at[k];
            const double size = sqrt(mb_dot3(n, n));
            for (int k = 0; k < 3; k++) n[k] /= size;
            const double F = bound(a, b, n);
            if (F > most) most = F, memcpy(best, n, sizeof n), higher = 1;
        }
        if (!higher) step *= 0.5;
    }
    return most;
}

/* Apart, all but touching, or overlapping by a little; now and then with equal attitudes. */
static void one(lg_surface_kind ka, lg_surface_kind kb, int i)
{
    lg_rng rng = suite_rng(100000 * (uint64_t)(KINDS * (int)ka + (int)kb) + (uint64_t)i);
    placed a = thing(ka, &rng), b = thing(kb, &rng);
    const double want = i % 3 == 0   ? between(&rng, 0, 0.1)
                        : i % 3 == 1 ? between(&rng, -1e-9, 1e-9)
                                     : between(&rng, -0.01, 0);
    double way[3];
    mb_touch t;
    suite_case("%s and %s, %d: about %g apart", lg_surface_kind_name(ka), lg_surface_kind_name(kb), i, want);
    suite_direction(way, 3, &rng);
    for (int k = 0; k < 3; k++) a.at.x[k] = between(&rng, -0.1, 0.1), b.at.x[k] = a.at.x[k] + way[k];
    if (i % 4 == 1) memcpy(b.at.R, a.at.R, sizeof a.at.R);
    for (int turn = 0; turn < 3; turn++) {
        mb_shapes_touch(&a.shape, &a.at, &b.shape, &b.at, &t);
        for (int k = 0; k < 3 && turn < 2; k++) b.at.x[k] -= (t.gap - want) * t.normal[k];
    }
    suite_near1("the normal's length", mb_dot3(t.normal, t.normal), 1, 1e-14, 1);
    /* Corners and edges without a radius have the direction of a difference, which is rounded, as their normal. */
    const int sharp = t.gap > 0 && a.shape.radius + b.shape.radius == 0;
    suite_near1("the bound at its normal", bound(&a, &b, t.normal), t.gap, 1e-14 + (sharp ? 1e-16 / t.gap : 0), 1);
    suite_below("another bound", greatest(&a, &b, t.normal, &rng) - t.gap, 1e-9); /* rounding of near corners */
    for (int k = 0; k < 3; k++)
        suite_near1("points", (b.at.x[k] + t.on[1][k]) - (a.at.x[k] + t.on[0][k]), t.gap * t.normal[k], 1e-14, 1);
    free((void *)(uintptr_t)a.shape.solid), free((void *)(uintptr_t)b.shape.solid);
}

static void pairs(void **unused)
{
    (void)unused;
    const int count = suite_count(200);
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++) {
            if (!mb_shapes_can_touch((lg_surface_kind)a, (lg_surface_kind)b)) continue;
            if (a == LG_SURFACE_DISK || a == LG_SURFACE_TORUS || b == LG_SURFACE_DISK || b == LG_SURFACE_TORUS)
                continue;
            for (int i = 0; i < count; i++) one((lg_surface_kind)a, (lg_surface_kind)b, i);
        }
}

/* ---- hulls ---- */

static void refuse_hull(const double *point, int count, const char *words)
{
    const char *why = NULL;
    suite_case("%s", words);
    const mb_polytope *p = mb_hull(point, count, &why);
    if (p != NULL) suite_fail("it has a hull of %d corners", p->corners);
    suite_contains("why", why, words);
}

static void hulls(void **unused)
{
    enum { MANY = 4096 };
    lg_rng rng = suite_rng(5);
    double point[3 * MANY] = {0};
    const char *why;
    (void)unused;
    for (int i = 0; i < 3 * MANY; i++) point[i] = i % 3 == 2 ? 0.5 : between(&rng, -1, 1);
    refuse_hull(point, 3, "is flat"), refuse_hull(point, 1, "is flat"), refuse_hull(point, MANY, "is flat");
    for (int i = 0; i < MANY; i++) suite_direction(point + 3 * i, 3, &rng);
    refuse_hull(point, MANY, "has more than 128 corners: take fewer points");
    for (int i = 0; i < MANY; i++) /* corners of a cube, again and again, and points within */
        for (int k = 0; k < 3; k++) point[3 * i + k] = i < 400 ? (i >> k & 1 ? 1 : -1) : between(&rng, -1, 1);
    mb_polytope *cube = mb_hull(point, MANY, &why);
    if (cube == NULL) suite_fail("a cube %s", why);
    if (cube->corners != 8 || cube->faces != 6 || cube->edges != 12)
        suite_fail("it has %d corners, %d faces, %d edges", cube->corners, cube->faces, cube->edges);
    free(cube);
    for (int i = 0; i < 200; i++) { /* Euler's polyhedra; no point is outside */
        const int count = 4 + (int)(40 * lg_rng_uniform(&rng));
        for (int k = 0; k < 3 * count; k++) point[k] = between(&rng, -1, 1);
        mb_polytope *p = mb_hull(point, count, &why);
        if (p == NULL) suite_fail("%d points: %s", count, why);
        if (p->corners - p->edges + p->faces != 2) suite_fail("it is not closed");
        for (int f = 0; f < p->faces; f++)
            for (int q = 0; q < count; q++)
                suite_below("outside", mb_dot3(p->normal + 3 * f, point + 3 * q) - p->height[f], 1e-9);
        free(p);
    }
}

int main(void)
{
    suite_begin("contact_gaps");
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs), cmocka_unit_test(hulls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
