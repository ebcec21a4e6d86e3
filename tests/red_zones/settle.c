/* SPDX-License-Identifier: BSD-3-Clause */
/* mb_settle() at one width beyond 1, with a red zone behind every array of the node: compiled once for each. */
#include "integrators/engine/width.h"

#include "multibody/node.c"
#include "multibody/numbers.c"
#include "multibody/project.c"

#include "red_zones.h"

static void take_all(lg_arena *a, mb_node *n, mb_pair **twist, real **x, const mb_plan *plan)
{
    mb_node_carve(n, a, plan);
    *twist = MB_TAKE(a, mb_pair, plan->bodies + 1);
    *x = MB_TAKE(a, real, plan->rows);
}

#if LANES == 2
void red_zones_settle_2(const mb_plan *plan, double *p, const double *poses)
#elif LANES == 4
void red_zones_settle_4(const mb_plan *plan, double *p, const double *poses)
#else
void red_zones_settle_8(const mb_plan *plan, double *p, const double *poses)
#endif
{
    lg_arena a = {NULL, 0};
    mb_node n;
    mb_pair *twist;
    real *x;
    take_all(&a, &n, &twist, &x, plan);
    char *block = (char *)lg_reserve(a.used);
    if (block == NULL) return;
    a = (lg_arena){block, 0};
    take_all(&a, &n, &twist, &x, plan);
    for (int b = 0; b < plan->bodies; b++) {
        mb_pose_load(&n.pose[b], poses + 7 * b);
        for (int k = 0; k < 6; k++) n.p[b].v[k] = splat(p[6 * b + k]);
    }
    mb_world_load(&n.pose[plan->bodies]);
    mb_node_place(plan, &n, n.q);
    mb_node_rows(plan, &n, 0);
    mb_settle(plan, &n, x, twist);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) p[6 * b + k] = lane_of(n.p[b].v[k], LANES - 1);
    lg_release(block);
}
