/* SPDX-License-Identifier: BSD-3-Clause */
/* The acceleration of a mechanism's state: J a = f - gyroscopic - A^T lambda, A a = -A' xi + drift'. */
#include <math.h>
#include <string.h>

#include "base/differences.h"
#include "multibody/linear.h"

static const double weight[] = {LG_CENTRAL_8};
enum { WEIGHTS = sizeof weight / sizeof weight[0] };

#define ARC 0.05 /* how far rows are differenced along the motion: radians, and parts of the reach */

double mb_linear_size(const mb_linear *L, const double *v)
{
    const double reach = mb_reach(L->mo->mechanism);
    double most = 0;
    for (int i = 0; i < L->n; i++) most = fmax(most, fabs(v[i]) / (i % 6 < 3 ? reach : 1));
    return most;
}

void mb_linear_twists(const mb_linear *L, double *xi, const mb_node *n)
{
    for (int b = 0; 6 * b < L->n; b++) {
        for (int k = 0; k < 3; k++) xi[6 * b + k] = n->p[b].v[k] * n->mobility[b].inverse_mass;
        mb_mobile(xi + 6 * b + 3, &n->mobility[b], n->p[b].v + 3);
    }
}

/* f += the wrenches of the caller's. */
static lg_status add_wrenches(mb_linear *L, mb_pair *f)
{
    lg_motion *c = L->copy;
    const int bodies = c->mechanism->plan.bodies;
    const mb_node *n = &c->numbers.node[0];
    if (c->wrench == NULL) return LG_OK;
    for (int b = 0; b < bodies; b++) {
        memcpy(c->poses + 7 * b, n->pose[b].r, sizeof n->pose[b].r);
        memcpy(c->poses + 7 * b + 3, n->pose[b].q, sizeof n->pose[b].q);
        memcpy(c->twists + 6 * b, L->from + 6 * b, 6 * sizeof *c->twists);
    }
    memset(c->wrenches, 0, 6 * (size_t)bodies * sizeof *c->wrenches);
    const int code = c->wrench(c->t, c->poses, c->twists, c->wrenches, c->context);
    if (code != 0)
        return lg_fail(&L->mo->error, LG_ERROR_CALLBACK, "%s: your wrench function returned %d", L->who, code);
    for (int b = 0; b < bodies; b++)
        for (int k = 0; k < 6; k++) f[b].v[k] += c->wrenches[6 * b + k];
    return LG_OK;
}

/* f <- forces on the bodies at the copy's state. */
static lg_status forces(mb_linear *L, mb_pair *f)
{
    lg_motion *c = L->copy;
    const mb_plan *plan = &c->mechanism->plan;
    const mb_node *n = &c->numbers.node[0];
    const double *xi = L->from;
    mb_pair *twist = c->numbers.twist;
    memset(f, 0, ((size_t)plan->bodies + 1) * sizeof *f);
    memset(&twist[plan->bodies], 0, sizeof *twist);
    for (int b = 0; b < plan->bodies; b++) {
        memcpy(twist[b].v, xi + 6 * b, sizeof twist[b].v);
        for (int k = 0; k < 3; k++) f[b].v[k] = plan->mass[b] * plan->gravity[k];
    }
    mb_slopes(plan, c->numbers.slope, n->pose, n->pose, n->pose);
    for (int i = 0; i < plan->drives; i++) {
        const mb_drive *d = &plan->drive[i];
        const mb_joint *j = &plan->joint[plan->coordinate[d->coordinate].joint];
        const mb_pair *row = &c->numbers.slope[2 * d->coordinate];
        const double rate = small_dot(6, row[0].v, twist[j->a].v) + small_dot(6, row[1].v, twist[j->b].v);
        double Q = -d->stiffness * (n->q[d->coordinate] - d->rest) - d->damping * rate;
        if (d->control >= 0) Q += c->numbers.control[d->control];
        for (int k = 0; k < 6; k++) f[j->a].v[k] += Q * row[0].v[k], f[j->b].v[k] += Q * row[1].v[k];
    }
    for (int i = 0; i < plan->springs; i++) {
        const mb_spring *s = &plan->spring[i];
        double xa[3], xb[3], d[3], va[3], vb[3], t[3];
        const double l = mb_spring_length(s, n->pose, xa, xb, d);
        small_cross(va, twist[s->a].v + 3, xa), small_cross(vb, twist[s->b].v + 3, xb);
        for (int k = 0; k < 3; k++) vb[k] += twist[s->b].v[k] - twist[s->a].v[k] - va[k];
        const double bottom = l > 0 ? l : 1; /* as in a step */
        const double tension = (s->stiffness * (l - s->rest) + s->damping * mb_dot(vb, d) / bottom) / bottom;
        for (int k = 0; k < 3; k++) d[k] *= tension, f[s->a].v[k] += d[k], f[s->b].v[k] -= d[k];
        small_cross(t, xa, d);
        for (int k = 0; k < 3; k++) f[s->a].v[3 + k] += t[k];
        small_cross(t, xb, d);
        for (int k = 0; k < 3; k++) f[s->b].v[3 + k] -= t[k];
    }
    return add_wrenches(L, f);
}

/* x <- A' xi - drift' at the copy's state: the derivative of A xi - drift while poses move with xi, which is kept. */
static void add_curvature(mb_linear *L, double *x)
{
    lg_motion *c = L->copy;
    const mb_plan *plan = &c->mechanism->plan;
    const mb_node *n = &c->numbers.node[0];
    mb_node *m = &c->numbers.node[1];
    const double rate = mb_linear_size(L, L->from), s = ARC / fmax(rate, 1e-3);
    mb_pair *twist = c->numbers.twist;
    double *y = L->x + plan->rows;
    for (int k = -WEIGHTS; k <= WEIGHTS; k++) {
        if (k == 0) continue;
        for (int b = 0; b < plan->bodies; b++) {
            double turn[3];
            m->pose[b] = n->pose[b];
            for (int i = 0; i < 3; i++) m->pose[b].r[i] += k * s * twist[b].v[i], turn[i] = k * s * twist[b].v[3 + i];
            mb_turn_pose(&m->pose[b], turn);
        }
        mb_node_place(plan, m, n->q);
        mb_rows_evaluate(plan, m->rows.row, m->phi, m->drift, m->pose, m->pose, m->pose, m->q, plan->blocks);
        mb_pull(plan, m->rows.row, y, twist, plan->blocks);
        for (int i = plan->holonomic_rows; i < plan->rows; i++) y[i] -= m->drift[i];
        const double w = (k > 0 ? weight[k - 1] : -weight[-k - 1]) / s;
        for (int i = 0; i < plan->rows; i++) x[i] += w * y[i];
    }
}

lg_status mb_linear_accelerate(mb_linear *L)
{
    lg_motion *c = L->copy;
    const mb_plan *plan = &c->mechanism->plan;
    const mb_node *n = &c->numbers.node[0];
    mb_pair *f = c->numbers.wrench, *twist = c->numbers.twist;
    double *a = L->to + L->n;
    mb_linear_twists(L, L->to, n);
    memcpy(L->from, L->to, (size_t)L->n * sizeof *L->from);
    const lg_status st = forces(L, f);
    if (st != LG_OK) return st;
    for (int b = 0; b < plan->bodies; b++) {
        double gyro[3], t[3];
        small_cross(gyro, L->from + 6 * b + 3, n->p[b].v + 3);
        for (int k = 0; k < 3; k++) t[k] = f[b].v[3 + k] - gyro[k];
        for (int k = 0; k < 3; k++) a[6 * b + k] = f[b].v[k] * n->mobility[b].inverse_mass;
        mb_mobile(a + 6 * b + 3, &n->mobility[b], t);
        memcpy(f[b].v, a + 6 * b, sizeof f[b].v);
    }
    memset(&f[plan->bodies], 0, sizeof *f);
    mb_pull(plan, n->rows.row, L->x, f, plan->blocks);
    for (int b = 0; b < plan->bodies; b++) memcpy(twist[b].v, L->from + 6 * b, sizeof twist[b].v);
    add_curvature(L, L->x);
    mb_forward(plan, &plan->node, n->factor, L->x);
    mb_backward(plan, &plan->node, n->factor, L->x);
    memset(f, 0, ((size_t)plan->bodies + 1) * sizeof *f);
    mb_push(plan, n->rows.row, f, -1, L->x, plan->blocks);
    for (int b = 0; b < plan->bodies; b++) {
        double w[3];
        mb_mobile(w, &n->mobility[b], f[b].v + 3);
        for (int k = 0; k < 3; k++) a[6 * b + k] += f[b].v[k] * n->mobility[b].inverse_mass, a[6 * b + 3 + k] += w[k];
    }
    return LG_OK;
}
