/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaps of boxes, hulls and blades over steep terrain, against triangles that are cut by the faces of the solid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "multibody/contact/shapes/terrain.h"
#include "support/suite.h"

/* No point of a solid is farther from the origin of its frame. */
#define REACH 0.35

static double between(lg_rng *rng, double lo, double hi)
{
    return lo + (hi - lo) * lg_rng_uniform(rng);
}

/* 1: the triangle goes through the solid, all of whose faces are `deep` further inside. */
static int goes_through(const mb_terrain *g, int t, const mb_polytope *s, const mb_placing *at, double deep)
{
    double ring[2][MB_CORNERS_MOST][3], n[3];
    int count = 3, now = 0;
    for (int c = 0; c < 3; c++) memcpy(ring[0][c], g->vertex[g->corner[t][c]], sizeof n);
    for (int f = 0; f < s->faces; f++, now = !now) {
        int kept = 0;
        mb_turn3(n, at->R, s->normal + 3 * f);
        const double height = s->height[f] - deep + mb_dot3(n, at->x);
        for (int i = 0; i < count; i++) {
            const double *a = ring[now][i], *b = ring[now][(i + 1) % count];
            const double of_a = mb_dot3(n, a) - height, of_b = mb_dot3(n, b) - height;
            if (of_a <= 0) memcpy(ring[!now][kept++], a, sizeof n);
            if ((of_a <= 0) == (of_b <= 0)) continue;
            for (int k = 0; k < 3; k++) ring[!now][kept][k] = a[k] + of_a / (of_a - of_b) * (b[k] - a[k]);
            kept++;
        }
        count = kept;
    }
    return count > 0;
}

/* 1: the solid overlaps the terrain: a triangle goes through it, or a corner is inside. */
static int overlaps(const mb_terrain *g, const mb_polytope *s, const mb_placing *at, double deep)
{
    double x[3], n[3];
    int any = 0;
    for (int i = 0; i < s->corners; i++) {
        mb_placed3(x, at, s->corner + 3 * i);
        any |= mb_terrain_point_apart(g, x, n) < -deep;
    }
    for (int t = 0; t < g->triangles; t++) any |= goes_through(g, t, s, at, deep);
    return any;
}

/* The least distance of a net of points on the solid's faces from the terrain. */
static double net_apart(const mb_terrain *g, const mb_polytope *s, const mb_placing *at)
{
    enum { NET = 8 };
    double least = INFINITY, x[3], n[3];
    for (int f = 0; f < s->faces; f++)
        for (int c = s->first[f] + 1; c + 1 < s->first[f + 1]; c++)
            for (int i = 0; i <= NET; i++)
                for (int j = 0; j <= NET - i; j++) {
                    const int *loop = s->loop;
                    for (int k = 0; k < 3; k++)
                        x[k] = (i * s->corner[3 * loop[s->first[f]] + k] + j * s->corner[3 * loop[c] + k] +
                                (NET - i - j) * s->corner[3 * loop[c + 1] + k]) /
                               NET;
                    mb_placed3(x, at, x);
                    least = fmin(least, mb_terrain_point_apart(g, x, n));
                }
    return least;
}

/* A box, a hull or a blade, turned at random. */
static mb_polytope *random_solid(int i, mb_placing *at, lg_rng *rng)
{
    double point[24], q[4];
    const char *why;
    const int points = i % 3 == 0 ? 4 : 8, blade = i % 2;
    for (int k = 0; k < 3 * points; k++) point[k] = between(rng, -0.2, 0.2) * (blade && k % 3 == 2 ? 0.05 : 1);
    *at = (mb_placing){{between(rng, -0.4, 0.4), between(rng, -0.3, 0.3), between(rng, 0, 0.4)}, {0}};
    suite_direction(q, 4, rng);
    lg_so3_to_matrix(at->R, q);
    return i % 3 == 2 ? mb_box((const double[]){0.1, 0.05, 0.2}) : mb_hull(point, points, &why);
}

static double gap_of(const mb_terrain *g, const mb_polytope *p, const mb_placing *at)
{
    const mb_shape solid = {.kind = LG_SURFACE_HULL, .reach = REACH, .solid = p};
    mb_apart to;
    mb_terrain_apart(g, &solid, at, &to);
    return to.gap;
}

/* The gap of a solid that comes down is 0 where it begins to overlap, and below it goes down by no more than ten times
 * the way.
 */
static void comes_down(const mb_terrain *g, const mb_polytope *p, mb_placing at)
{
    double hi = 1, lo = -0.5;
    for (int k = 0; k < 60; k++) {
        at.x[2] = 0.5 * (lo + hi);
        *(overlaps(g, p, &at, 0) ? &lo : &hi) = at.x[2];
    }
    at.x[2] = hi, suite_near1("there", gap_of(g, p, &at), 0, 1e-11, 1);
    at.x[2] = lo, suite_near1("there", gap_of(g, p, &at), 0, 1e-11, 1);
    for (double way = 1e-3; way > 1e-8; way *= 0.1) {
        at.x[2] = hi + way;
        suite_above("before", gap_of(g, p, &at), 0);
        suite_below("before", gap_of(g, p, &at), way * (1 + 1e-6));
        at.x[2] = hi - way;
        suite_below("after", gap_of(g, p, &at), 0);
        suite_above("after", gap_of(g, p, &at), -10 * way);
    }
}

/* Boxes, hulls and blades over steep ground: the gap is negative where they overlap and nowhere else, and the least
 * distance of samples above. */
static void gaps(void **unused)
{
    double height[49];
    const char *why;
    int below = 0, above = 0;
    lg_rng rng = suite_rng(5);
    (void)unused;
    for (int i = 0; i < 49; i++) height[i] = between(&rng, -0.2, 0.2);
    mb_terrain *g = mb_terrain_of_heights(height, 7, 7, (const double[]){0.9, 0.8}, &why);
    for (int i = 0; i < 1000; i++) {
        mb_placing at;
        mb_polytope *p = random_solid(i, &at, &rng);
        double gap = gap_of(g, p, &at);
        suite_case("solid %d", i);
        if (overlaps(g, p, &at, 1e-7)) {
            suite_below("overlap", gap, 0), below++;
        } else if (!overlaps(g, p, &at, 0)) {
            const double least = net_apart(g, p, &at);
            suite_above("apart", gap, 0), above++;
            if (gap > REACH) gap = fmin(gap, least); /* it is not nearer than its reach */
            suite_below("no farther than a sample", gap - least, 1e-15);
            if (least < REACH) suite_near1("least distance of its faces", gap, least, 0.03, 1);
        }
        comes_down(g, p, at);
        free(p);
    }
    suite_above("overlaps", below, 200), suite_above("gaps", above, 200);
    free(g);
}

int main(void)
{
    suite_begin("contact_solids");
    const struct CMUnitTest tests[] = {cmocka_unit_test(gaps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
