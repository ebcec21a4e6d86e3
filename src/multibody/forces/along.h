/* SPDX-License-Identifier: BSD-3-Clause */
/* along.h: lengths q along which forces act: coordinates of joints, lines between points of two bodies, and tendons,
 * which are sums of these (tendon.h). */
#ifndef LG_MULTIBODY_FORCES_ALONG_H
#define LG_MULTIBODY_FORCES_ALONG_H

#include "multibody/forces/force.h"
#include "multibody/rows/line.h"
#include "multibody/step.h"

/* |d| at these poses. */
KERNEL real mb_line(mb_action *x, const mb_force *s, const mb_pose *pose)
{
    return mb_line_at(x->xa, x->xb, x->d, s, &pose[s->a], &pose[s->b]);
}

#include "multibody/forces/tendon.h"

/* A row that slopes hold, of a coordinate or a tendon: the number of its parts, the first of them, and their bodies. */
static inline int mb_force_sides(const mb_force *s)
{
    return s->tendon != NULL ? s->tendon->bodies : 2;
}
static inline int mb_force_slope(const mb_force *s)
{
    return s->tendon != NULL ? s->tendon->row : 2 * s->coordinate;
}
static inline int mb_force_body(const mb_force *s, int side)
{
    return s->tendon != NULL ? s->tendon->body[side] : side ? s->b : s->a;
}

/* The length at a node. */
KERNEL real mb_length_of(mb_action *x, const mb_force *s, const mb_node *n)
{
    if (s->coordinate >= 0) return n->q[s->coordinate];
    return s->tendon != NULL ? mb_tendon_length(s->tendon, n) : mb_line(x, s, n->pose);
}

/* Between two nodes, with their averaged pose; at rest at one of them: n0 = n1, its pose, h = 1. */
KERNEL void mb_action_of(mb_action *x, const mb_force *s, const mb_node *n0, const mb_node *n1, const mb_pose *mean,
                         double h, const real *control)
{
    const int line = s->coordinate < 0 && s->tendon == NULL;
    x->q0 = mb_length_of(x, s, n0);
    x->q1 = n1 == n0 ? x->q0 : mb_length_of(x, s, n1);
    if (line && mean != n1->pose) (void)mb_line(x, s, mean);
    for (int k = 0; !line && k < 3; k++) x->xa[k] = x->xb[k] = x->d[k] = splat(0);
    const real l = 0.5 * (x->q0 + x->q1);
    x->over = sel(l > 0.0, l, splat(1)); /* without a length it has no direction, and d is 0 */
    x->rate = (x->q1 - x->q0) / h;
    x->u = s->control >= 0 && control != NULL ? s->gain * control[s->control] : splat(0);
}

/* The force of a step of m. */
KERNEL void mb_action_step(mb_action *x, const mb_motion *m, const mb_force *s, const mb_node *n0, const mb_node *n1,
                           const mb_pose *mean, double h)
{
    mb_action_of(x, s, n0, n1, mean, h, m->input);
    mb_force_law(x, s);
    if (LANES == 1 && m->decided && s->law == MB_LAW_servo)
        mb_servo_at(x, s, (mb_limit)m->limit[s->control], m->servo[s->control]);
}

/* The rate of a coordinate: its row times the twists. */
KERNEL real mb_rate_along(const mb_plan *plan, const mb_pair *slope, const mb_pair *twist, int c)
{
    const mb_joint *j = &plan->joint[plan->coordinate[c].joint];
    return mb_dot6(slope[2 * c].v, twist[j->a].v) + mb_dot6(slope[2 * c + 1].v, twist[j->b].v);
}

/* The rate at a node whose bodies move with these twists. slope: rows of coordinates, two parts for each. */
KERNEL real mb_action_rate(const mb_action *x, const mb_plan *plan, const mb_force *s, const mb_pair *twist,
                           const mb_pair *slope)
{
    real va[3], vb[3];
    if (s->coordinate >= 0) return mb_rate_along(plan, slope, twist, s->coordinate);
    if (s->tendon != NULL) return mb_tendon_rate(s->tendon, slope, twist);
    small_cross(va, twist[s->a].v + 3, x->xa), small_cross(vb, twist[s->b].v + 3, x->xb);
    for (int k = 0; k < 3; k++) vb[k] = vb[k] + ((twist[s->b].v[k] - twist[s->a].v[k]) - va[k]);
    return mb_dot(vb, x->d) / x->over;
}

/* f += Q times the row of the length. */
KERNEL void mb_action_push(const mb_action *x, mb_pair *f, const mb_force *s, const mb_pair *slope)
{
    real *a = f[s->a].v, *b = f[s->b].v, d[3], ta[3], tb[3];
    const real Q = x->mean + x->drag;
    if (s->tendon != NULL) {
        mb_tendon_push(s->tendon, f, Q, slope);
        return;
    }
    if (s->coordinate >= 0) {
        const mb_pair *row = slope + 2 * s->coordinate;
        for (int k = 0; k < 6; k++) a[k] = a[k] + Q * row[0].v[k], b[k] = b[k] + Q * row[1].v[k];
        return;
    }
    for (int k = 0; k < 3; k++) d[k] = x->d[k] * (-Q / x->over);
    small_cross(ta, x->xa, d), small_cross(tb, x->xb, d);
    for (int k = 0; k < 3; k++) {
        a[k] = a[k] + d[k], b[k] = b[k] - d[k];
        a[3 + k] = a[3 + k] + ta[k], b[3 + k] = b[3 + k] - tb[k];
    }
}

#endif
