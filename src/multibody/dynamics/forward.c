/* SPDX-License-Identifier: BSD-3-Clause */
/* Forward dynamics: the accelerations of the bodies by the sparse factor of all rows, as motions have them, read back
 * as rates of the tree's velocities. */
#include <math.h>

#include "multibody/activation.h"
#include "multibody/dynamics/rows.h"
#include "multibody/rows/composed.h"

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

/* The composed joint of a body's link; NULL: it is of another kind, whose axes are orthonormal. */
static const mb_joint *chain_of(const lg_dynamics *d, int b)
{
    const int j = d->m->link[b].joint;
    return j >= 0 && d->m->joint[j].chain != NULL ? &d->m->joint[j] : NULL;
}

static mb_site chain_site(const lg_dynamics *d)
{
    const mb_motion *n = &d->mo->numbers;
    const mb_node *at = &n->node[0];
    return (mb_site){NULL, at->pose, at->pose, at->pose, at->q, at->q, n->twist};
}

/* f += forces along the motions of a composed joint. */
static void spread_chain(const lg_dynamics *d, mb_pair *f, const mb_joint *j, const double *tau)
{
    const mb_site at = chain_site(d);
    mb_pair row[2 * MB_CHAIN_MOST];
    mb_chain_slopes(j, row, &at);
    for (int i = 0; i < j->chain->count; i++)
        for (int k = 0; k < 6; k++) {
            f[j->a].v[k] += tau[i] * row[2 * i].v[k];
            f[j->b].v[k] += tau[i] * row[2 * i + 1].v[k];
        }
}

/* The rates of the velocities of a composed joint, from the accelerations of bodies. */
static void read_chain(const lg_dynamics *d, double *a, const mb_joint *j, const double *body)
{
    const mb_site at = chain_site(d);
    const int end[2] = {j->a, j->b};
    mb_pair row[2 * MB_CHAIN_MOST];
    double rate;
    mb_chain_slopes(j, row, &at);
    for (int i = 0; i < j->chain->count; i++) {
        mb_chain_moves(j, i, &at, j->a, j->b, &rate, &a[i]);
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < 6 && end[side] < d->m->plan.bodies; k++)
                a[i] += row[2 * i + side].v[k] * body[6 * end[side] + k];
    }
}

/* f += forces along the coordinates, on the bodies of each and against the parents. */
static void spread(const lg_dynamics *d, mb_pair *f, const double *tau)
{
    for (int b = 0; b < d->bodies; b++) {
        const mb_joint *chain = chain_of(d, b);
        if (chain != NULL) spread_chain(d, f, chain, tau + d->first[b]);
        for (int i = d->first[b]; chain == NULL && i < d->first[b] + d->count[b]; i++)
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
}

/* The rates of the velocities, from the accelerations of bodies. */
static void read_rates(const lg_dynamics *d, double *a, const double *body)
{
    static const double none[6] = {0};
    for (int b = 0; b < d->bodies; b++) {
        const int parent = d->m->link[b].parent;
        if (chain_of(d, b) != NULL) {
            read_chain(d, a + d->first[b], chain_of(d, b), body);
            continue;
        }
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

/* d->mo->wrenches <- the accelerations of all bodies under numbers.wrench. */
static void accelerate(lg_dynamics *d)
{
    mb_sparse *mo = d->mo;
    const mb_motion *n = &mo->numbers;
    for (int b = 0; b < mo->plan.bodies; b++) memcpy(mo->twists + 6 * b, n->twist[b].v, sizeof n->twist[b].v);
    mb_accelerate(mo, mo->wrenches, mo->twists, d->solution);
}

/* What is closed pushes as much as it must, which (q, v) does not tell. */
lg_status mb_dynamics_touches(lg_dynamics *d, const char *who)
{
    const char *name, *noun = mb_contact_noun(d->m, &name);
    return lg_fail(&d->error, LG_ERROR_UNSUPPORTED,
                   "%s: accelerations depend on contacts, as of %s '%.60s', which steps of sem find; describe the "
                   "mechanism without surfaces, stops and dry friction for those without them",
                   who, noun, name);
}

lg_status mb_observe(lg_dynamics *d, const mb_sparse *from)
{
    if (d->m->plan.contacts > 0) return mb_dynamics_touches(d, "a sensor");
    lg_status st = lg_dynamics_take(d, &from->head);
    if (st != LG_OK) return st;
    mb_dynamics_node(d);
    st = factor(d);
    if (st != LG_OK) return st;
    mb_sparse *mo = d->mo;
    mb_motion *n = &mo->numbers;
    mo->wrench = from->wrench, mo->context = from->context, mo->t = from->t;
    mb_copy_controls(mo, from);
    if (mo->plan.activations > 0) mb_inputs(&mo->plan, n->input, n->control, n->act, mo->t, 0);
    (void)mb_node_forces(&mo->plan, n->wrench, &n->node[0], n->twist, n->slope, n->input, NULL);
    for (int b = 0; b < mo->plan.bodies; b++) memcpy(mo->twists + 6 * b, n->twist[b].v, sizeof n->twist[b].v);
    const int code = mb_add_wrenches(mo, n->wrench, mo->twists);
    if (code != 0) return lg_fail(&d->error, LG_ERROR_CALLBACK, "a sensor: your wrench function returned %d", code);
    accelerate(d);
    return LG_OK;
}

void mb_observed_reaction(const lg_dynamics *d, double *wrench, const mb_block *k, int s)
{
    const mb_pair *row = d->mo->numbers.node[0].rows.row + k->part + s;
    for (int c = 0; c < 6; c++) wrench[c] = 0;
    for (int i = 0; i < k->rows; i++, row += k->sides)
        for (int c = 0; c < 6; c++) wrench[c] -= d->solution[k->at + i] * row->v[c];
}

lg_status lg_dynamics_acceleration(lg_dynamics *d, double *a, const double *u, const double *tau)
{
    static const char who[] = "lg_dynamics_acceleration";
    lg_status st = mb_dynamics_begin(d, a, who);
    if (st == LG_OK && d->m->plan.contacts > 0) st = mb_dynamics_touches(d, who);
    if (st == LG_OK) st = mb_dynamics_finite(d, u, d->m->plan.controls, "control", who);
    if (st == LG_OK) st = mb_dynamics_finite(d, tau, d->n, "force", who);
    if (st == LG_OK) st = mb_dynamics_closed(d, who);
    if (st == LG_OK) st = factor(d);
    if (st != LG_OK) return st;
    mb_sparse *mo = d->mo;
    mb_motion *n = &mo->numbers;
    const int controls = mo->plan.controls;
    for (int i = 0; i < controls; i++) n->control[i] = u != NULL ? u[i] : 0;
    mb_inputs_of_activations(&mo->plan, n->input, n->control);
    (void)mb_node_forces(&mo->plan, n->wrench, &n->node[0], n->twist, n->slope, n->input, NULL);
    if (tau != NULL) spread(d, n->wrench, tau);
    accelerate(d);
    read_rates(d, a, mo->wrenches);
    return LG_OK;
}
