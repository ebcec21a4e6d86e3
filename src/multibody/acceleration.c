/* SPDX-License-Identifier: BSD-3-Clause */
/* The acceleration of a mechanism's state: J a = f - gyroscopic - A^T lambda, A a = -A' xi + drift'. */
#include <math.h>
#include <string.h>

#include "multibody/activation.h"
#include "multibody/linear.h"

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

int mb_add_wrenches(mb_sparse *c, mb_pair *f, const double *xi)
{
    const int bodies = c->mechanism->plan.bodies;
    const mb_node *n = &c->numbers.node[0];
    if (c->wrench == NULL) return 0;
    for (int b = 0; b < bodies; b++) {
        memcpy(c->poses + 7 * b, n->pose[b].r, sizeof n->pose[b].r);
        memcpy(c->poses + 7 * b + 3, n->pose[b].q, sizeof n->pose[b].q);
        memcpy(c->twists + 6 * b, xi + 6 * b, 6 * sizeof *c->twists);
    }
    memset(c->wrenches, 0, 6 * (size_t)bodies * sizeof *c->wrenches);
    const int code = c->wrench(c->t, c->poses, c->twists, c->wrenches, c->context);
    for (int b = 0; b < bodies && code == 0; b++)
        for (int k = 0; k < 6; k++) f[b].v[k] += c->wrenches[6 * b + k];
    return code;
}

/* f <- forces on the bodies at the copy's state, whose twists are L->from. */
static lg_status forces(mb_linear *L, mb_pair *f)
{
    mb_motion *c = &L->copy->numbers;
    mb_pair *twist = c->twist;
    memset(&twist[c->plan->bodies], 0, sizeof *twist);
    for (int b = 0; b < c->plan->bodies; b++) memcpy(twist[b].v, L->from + 6 * b, sizeof twist[b].v);
    if (c->plan->activations > 0) mb_inputs(c->plan, c->input, c->control, c->act, L->copy->t, 0);
    (void)mb_node_forces(c->plan, f, &c->node[0], twist, c->slope, c->input, NULL);
    const int code = mb_add_wrenches(L->copy, f, L->from);
    if (code == 0) return LG_OK;
    return lg_fail(&L->mo->head.error, LG_ERROR_CALLBACK, "%s: your wrench function returned %d", L->who, code);
}

void mb_accelerate(mb_sparse *c, double *a, const double *xi, double *x)
{
    const mb_plan *plan = &c->plan;
    const mb_node *n = &c->numbers.node[0];
    mb_pair *f = c->numbers.wrench;
    double *bend = x + plan->rows;
    for (int b = 0; b < plan->bodies; b++) {
        double gyro[3], t[3];
        small_cross(gyro, xi + 6 * b + 3, n->p[b].v + 3);
        for (int k = 0; k < 3; k++) t[k] = f[b].v[3 + k] - gyro[k];
        for (int k = 0; k < 3; k++) a[6 * b + k] = f[b].v[k] * n->mobility[b].inverse_mass;
        mb_mobile(a + 6 * b + 3, &n->mobility[b], t);
        memcpy(f[b].v, a + 6 * b, sizeof f[b].v);
    }
    mb_ground_twists(plan, f, n->given + plan->grounds);
    mb_pull(plan, n->rows.row, x, f, plan->blocks);
    mb_curvature(plan, bend, n, c->numbers.twist);
    for (int i = 0; i < plan->rows; i++) x[i] += bend[i];
    mb_forward(plan, &plan->node, n->factor, x);
    mb_backward(plan, &plan->node, n->factor, x);
    memset(f, 0, sz(mb_frames(plan)) * sizeof *f);
    mb_push(plan, n->rows.row, f, -1, x, plan->blocks);
    for (int b = 0; b < plan->bodies; b++) {
        double w[3];
        mb_mobile(w, &n->mobility[b], f[b].v + 3);
        for (int k = 0; k < 3; k++) a[6 * b + k] += f[b].v[k] * n->mobility[b].inverse_mass, a[6 * b + 3 + k] += w[k];
    }
}

lg_status mb_linear_accelerate(mb_linear *L)
{
    mb_sparse *c = L->copy;
    mb_linear_twists(L, L->to, &c->numbers.node[0]);
    memcpy(L->from, L->to, (size_t)L->n * sizeof *L->from);
    const lg_status st = forces(L, c->numbers.wrench);
    if (st == LG_OK) mb_accelerate(c, L->to + L->n, L->from, L->x);
    return st;
}
