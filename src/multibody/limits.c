/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/limits.h"

#include <math.h>

#include "multibody/forces/along.h"

enum { TOGETHER = 6 }; /* rounds in which all servos change that have to */

static void set(mb_motion *m, const mb_force *s, mb_limit to)
{
    m->limit[s->control] = (char)to;
    if (to != MB_LIMIT_NONE) m->servo[s->control] = s->number[to == MB_LIMIT_LOWER ? 2 : 3];
}

/* y of a servo; *size: the numbers that it consists of. */
static double wanted(const mb_motion *m, const mb_force *s, const mb_node *n0, const mb_node *n1, double h,
                     double *size)
{
    mb_action x = {.wanted = 0};
    mb_action_of(&x, s, n0, n1, n1->pose, h, m->input);
    mb_force_law(&x, s);
    *size = fabs(x.u) + (s->number[0] + 2 / fabs(h) * s->number[1]) * fmax(fabs(x.q0), fabs(x.q1));
    return x.wanted;
}

/* By how much y falls for each unit of Q, if the bodies were free. */
static double response(const mb_motion *m, const mb_force *s, const mb_node *n0, double h)
{
    double mobile = 0;
    for (int side = 0; side < mb_force_sides(s); side++) {
        mb_pair p;
        const mb_pair *row = &m->slope[mb_force_slope(s) + side];
        mb_part_product(&p, row, &n0->mobility[mb_force_body(s, side)]);
        mobile += mb_dot6(p.v, row->v);
    }
    return fmax(0, (0.25 * h * h * s->number[0] + 0.5 * h * s->number[1]) * mobile);
}

void mb_limits_begin(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, int bold)
{
    const mb_plan *plan = m->plan;
    mb_slopes(plan, m->slope, m->mean_pose, n0, n1);
    m->decided = 1;
    for (const mb_force *s = plan->force; s < plan->force + plan->forces; s++) {
        double size;
        if (s->control < 0) continue;
        m->limit[s->control] = MB_LIMIT_LAW;
        if (!mb_is_servo(s)) continue;
        m->servo[s->control] = fmin(fmax(0, s->number[2]), s->number[3]);
        const double y = wanted(m, s, n0, n1, h, &size) / (bold ? 1 + response(m, s, n0, h) : 1);
        set(m, s, y < s->number[2] ? MB_LIMIT_LOWER : y > s->number[3] ? MB_LIMIT_UPPER : MB_LIMIT_NONE);
    }
}

/* The limit, or none, that a servo with y comes to; `slack`: the rounding of y. */
static mb_limit next_limit(const mb_force *s, mb_limit now, double y, double slack)
{
    const double lower = s->number[2], upper = s->number[3];
    if (now == MB_LIMIT_NONE)
        return y < lower - slack ? MB_LIMIT_LOWER : y > upper + slack ? MB_LIMIT_UPPER : MB_LIMIT_NONE;
    const int stays = now == MB_LIMIT_LOWER ? y < lower + slack : y > upper - slack;
    return stays ? now : MB_LIMIT_NONE;
}

int mb_limits_settle(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, int round)
{
    const mb_plan *plan = m->plan;
    int settled = 1;
    for (const mb_force *s = plan->force + plan->forces - 1; s >= plan->force; s--) {
        double size;
        if (!mb_is_servo(s)) continue;
        const double y = wanted(m, s, n0, n1, h, &size);
        const mb_limit now = (mb_limit)m->limit[s->control], next = next_limit(s, now, y, 1e-13 * size);
        if (next == now) continue;
        set(m, s, next), m->undecided = 1 + s->control;
        settled = 0;
        if (round >= TOGETHER) break;
    }
    if (settled) m->undecided = 0;
    return settled;
}
