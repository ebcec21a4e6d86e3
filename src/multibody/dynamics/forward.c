/* SPDX-License-Identifier: BSD-3-Clause */
/* Forward dynamics: the accelerations of the bodies by the sparse factor of all rows, as motions have them, read back
 * as rates of the tree's velocities. */
#include <math.h>

#include "multibody/dynamics/rows.h"

/* The rows that are kept here, with their factor. */
static lg_status factor(lg_dynamics *d)
{
    mb_sparse *mo = d->mo;
    mb_choose_rows(mo);
    mb_node_rows(&mo->plan, &mo->numbers.node[0], 0);
    mb_choice_look(&mo->choice, &mo->numbers);
    const double pivot = mb_smallest_pivot(mo, &mo->numbers.node[0]);
    if (pivot > 1e-7) return LG_OK;
    return lg_fail(&d->error, LG_ERROR_SINGULAR,
                   "lg_dynamics_acceleration: the configuration is singular, such as flat or stretched: a row that was "
                   "independent of the others at assembly is so by %.2g of its length only",
                   pivot);
}

/* f += forces along the coordinates, on the bodies of each and against the parents. Axes of one link are orthonormal.
 */
static void spread(const lg_dynamics *d, mb_pair *f, const double *tau)
{
    for (int b = 0; b < d->bodies; b++)
        for (int i = d->first[b]; i < d->first[b] + d->count[b]; i++)
            for (int side = 0; side < 2; side++) {
                const int body = side ? d->m->link[b].parent : b;
                const mb_screw *s = &d->screw[i];
                const double *r = d->mo->frame[body].r, Q = side ? -tau[i] : tau[i];
                double x[3], t[3];
                for (int k = 0; k < 3; k++) x[k] = s->point[k] - r[k];
                small_cross(t, x, s->axis);
                for (int k = 0; k < 3; k++) {
                    if (!s->turns) f[body].v[k] += Q * s->axis[k];
                    f[body].v[3 + k] += Q * (s->turns ? s->axis[k] : t[k]);
                }
            }
}

/* The rates of the velocities, from the accelerations of bodies. */
static void read_rates(const lg_dynamics *d, double *a, const double *body)
{
    static const double none[6] = {0};
    for (int b = 0; b < d->bodies; b++) {
        const int parent = d->m->link[b].parent;
        const double *from = parent < d->bodies ? body + 6 * parent : none, *bend = d->bend[b].v;
        const double *r = d->mo->frame[b].r, *origin = d->mo->frame[parent].r;
        double x[3], move[3], turn[3], t[3];
        for (int k = 0; k < 3; k++) x[k] = r[k] - origin[k];
        small_cross(t, from + 3, x);
        for (int k = 0; k < 3; k++) {
            move[k] = body[6 * b + k] - from[k] - t[k] - bend[k];
            turn[k] = body[6 * b + 3 + k] - from[3 + k] - bend[3 + k];
        }
        for (int i = d->first[b]; i < d->first[b] + d->count[b]; i++) {
            const mb_screw *s = &d->screw[i];
            for (int k = 0; k < 3; k++) x[k] = s->point[k] - r[k];
            small_cross(t, turn, x);
            a[i] = 0;
            for (int k = 0; k < 3; k++) a[i] += s->axis[k] * (s->turns ? turn[k] : move[k] + t[k]);
        }
    }
}

lg_status lg_dynamics_acceleration(lg_dynamics *d, double *a, const double *u, const double *tau)
{
    static const char who[] = "lg_dynamics_acceleration";
    lg_status st = mb_dynamics_begin(d, a, who);
    if (st == LG_OK) st = mb_dynamics_finite(d, u, d->m->plan.controls, "control", who);
    if (st == LG_OK) st = mb_dynamics_finite(d, tau, d->n, "force", who);
    if (st == LG_OK) st = mb_dynamics_closed(d, who);
    if (st == LG_OK) st = factor(d);
    if (st != LG_OK) return st;
    mb_sparse *mo = d->mo;
    mb_motion *n = &mo->numbers;
    const int controls = mo->plan.controls;
    for (int i = 0; i < controls; i++) n->control[i] = u != NULL ? u[i] : 0;
    (void)mb_node_forces(&mo->plan, n->wrench, &n->node[0], n->twist, n->slope, n->control, NULL);
    if (tau != NULL) spread(d, n->wrench, tau);
    for (int b = 0; b < mo->plan.bodies; b++) memcpy(mo->twists + 6 * b, n->twist[b].v, sizeof n->twist[b].v);
    mb_accelerate(mo, mo->wrenches, mo->twists, d->solution);
    read_rates(d, a, mo->wrenches);
    return LG_OK;
}
