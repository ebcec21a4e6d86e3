/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of positions: of coordinates of the tree, and of joints that close loops, where a position is a function of
 * the coordinates. */
#include <math.h>

#include "multibody/dynamics/rows.h"
#include "multibody/parts/joint.h"
#include "multibody/rows/coordinate.h"

int mb_dynamics_limits_most(const lg_dynamics *d)
{
    int most = 0;
    for (int j = 0; j < mb_seen(d->m, MB_JOINTS); j++)
        if (d->mo->position_of_joint[j] < 0) most += mb_position_count(MB_JOINT_OF(d->m, j));
    return most;
}

/* Narrows the limits of position i of joint j. */
static void narrow(lg_dynamics *d, int j, int i, double lower, double upper)
{
    const int at = d->mo->position_of_joint[j];
    const mb_position *p = mb_position_of(MB_JOINT_OF(d->m, j), i);
    if (at >= 0) {
        d->lower[at + i] = fmax(d->lower[at + i], lower), d->upper[at + i] = fmin(d->upper[at + i], upper);
        return;
    }
    if (!(lower > -INFINITY || upper < INFINITY)) return;
    int k = 0;
    while (k < d->limits && !(d->limit[k].of.joint == j && d->limit[k].of.position == i)) k++;
    mb_loop_limit *l = &d->limit[k];
    if (k == d->limits) {
        d->limits++;
        const int axis = d->m->joint[j].chain != NULL ? i : p->axis;
        *l = (mb_loop_limit){{j, i, p->kind == MB_SLIDES, axis, 0}, -INFINITY, INFINITY};
    }
    l->lower = fmax(l->lower, lower), l->upper = fmin(l->upper, upper);
}

/* A position may have limits of its joint and of coordinates. */
void mb_dynamics_take_limits(lg_dynamics *d)
{
    const lg_mechanism *m = d->m;
    for (int i = 0; i < d->n; i++) d->lower[i] = -INFINITY, d->upper[i] = INFINITY;
    for (int j = 0; j < mb_seen(m, MB_JOINTS); j++)
        for (int i = 0; i < mb_position_count(MB_JOINT_OF(m, j)); i++)
            narrow(d, j, i, MB_JOINT_OF(m, j)->lower, MB_JOINT_OF(m, j)->upper);
    for (int k = 0; k < m->part[MB_COORDINATES].count; k++) {
        const lg_coordinate *of = MB_COORDINATE_OF(m, k);
        int i;
        const int j = lg_mechanism_joint_position(m, &i, of->name);
        narrow(d, j, i, of->lower, of->upper);
    }
}

/* The coordinates of a composed joint, near those that it had. */
static double *chain_coordinates(const lg_dynamics *d, const mb_joint *j)
{
    mb_node *n = &d->mo->numbers.node[0];
    const int first = j->chain->coordinate;
    mb_coordinates(&d->m->plan, n, n->q, first, first + j->chain->count);
    return n->q;
}

double mb_loop_limit_value(const lg_dynamics *d, int i)
{
    const mb_loop_limit *l = &d->limit[i];
    const mb_joint *j = &d->m->joint[l->of.joint];
    if (j->chain != NULL) return chain_coordinates(d, j)[j->chain->coordinate + l->of.axis];
    const mb_pose *pose = d->mo->numbers.node[0].pose, *a = &pose[j->a], *b = &pose[j->b];
    const double near = isfinite(l->lower + l->upper) ? 0.5 * (l->lower + l->upper) : fmax(l->lower, fmin(l->upper, 0));
    return mb_coordinate_value(j, &l->of, a->r, a->R, b->r, b->R, near);
}

void mb_loop_limit_row(lg_dynamics *d, double *to, int i)
{
    const mb_coordinate *o = &d->limit[i].of;
    const mb_joint *j = &d->m->joint[o->joint];
    const mb_pose *pose = d->mo->numbers.node[0].pose, *a = &pose[j->a], *b = &pose[j->b];
    mb_pair row[2];
    if (j->chain != NULL) {
        const double *q = chain_coordinates(d, j);
        const mb_site at = {.pose = pose, .p0 = pose, .p1 = pose, .q = q, .q0 = q};
        mb_chain_row(j, row, &at, j->a, j->b, o->axis);
    } else if (o->slides)
        mb_length_row(j, o->axis, row, a->r, a->R, b->r, b->R);
    else
        mb_angle_row(j, o->axis, row, a->R, b->R, a->R, b->R, a->R, b->R);
    mb_dynamics_gather_row(d, to, row, (const int[2]){j->a, j->b}, 2);
}
