/* SPDX-License-Identifier: BSD-3-Clause */
/* Controls that are polynomials inside a step. The unknowns are their values at the nodes of Gauss quadrature, so that
 * limits remain bounds of unknowns, and the effort of a step is sum_i b_i 1/2 u_i.R u_i, exact for such polynomials:
 * the matrix of all values of a step has the blocks b_i R. A running cost l is h sum_i b_i l(t_i, x_i, u_i) with the
 * state x_i at node i: a step from x_k up to there, under that part of the polynomial, is of the method's order, too.
 */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "control/optimum.h"
#include "integrators/collocation/controls.h"

lg_status lg_nodes_open(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    const int degree = p->degree < 0 || p->degree > LG_CONTROL_DEGREE_MOST ? -1 : (int)p->degree;
    if (degree < 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: degree %lld; expected 0 to %d", (long long)p->degree,
                       LG_CONTROL_DEGREE_MOST);
    const lg_status st = lg_integrator_check_degree(o->it, degree, "lg_optimum_create");
    if (st != LG_OK) return lg_fail(e, st, "%.300s", lg_integrator_message(o->it));
    lg_integrator_shape_controls(o->it, degree);
    o->degree = degree;
    o->controls = lg_integrator_control_numbers(o->it);
    return LG_OK;
}

/* ---- the running cost ---- */

static void nodes_begin(lg_optimum *o)
{
    lg_tableau T;
    const int nodes = o->degree + 1;
    lg_tableau_make(&T, nodes);
    for (int i = 0; i < nodes; i++) {
        o->node_at[i] = T.c[i], o->node_weight[i] = T.b[i];
        for (int m = 0; m < nodes; m++) lg_controls_basis(&T, T.c[i] * T.c[m], o->cut + (i * nodes + m) * nodes);
    }
}

/* Row r of d(x_i, u_i)/d(z, u), from the derivative of the step up to node i. */
static void nodes_row(const lg_optimum *o, int i, int r, double *row)
{
    const int n2 = o->k, c = lg_nodes_count(o), nodes = o->degree + 1, z = lg_optimum_z(o);
    const double *J = o->jacobian + r * lg_linearisation_columns(o->lin), *T = o->cut + i * nodes * nodes;
    memset(row, 0, sz(lg_optimum_w(o)) * sizeof *row);
    if (r >= n2) {
        row[z + i * c + r - n2] = 1;
        return;
    }
    memcpy(row, J, sz(n2) * sizeof *row);
    if (o->timed) row[n2] = o->node_at[i] * J[n2 + o->controls];
    for (int m = 0; m < nodes; m++)
        for (int q = 0; q < nodes; q++)
            for (int j = 0; j < c; j++) row[z + q * c + j] += J[n2 + m * c + j] * T[m * nodes + q];
}

/* The integrator makes the step up to node i of step k; `differentiate` 1: with its derivatives. */
static lg_status nodes_reach(lg_optimum *o, const lg_iterate *x, int k, int i, int differentiate)
{
    const int c = lg_nodes_count(o), nodes = o->degree + 1, w = lg_optimum_w(o);
    const double *u = x->u + k * o->controls, *T = o->cut + i * nodes * nodes;
    double *rows = o->inside, *v = rows + 2 * (o->k + c) * w;
    memset(v, 0, sz(o->controls) * sizeof *v);
    for (int m = 0; m < nodes; m++)
        for (int q = 0; q < nodes; q++)
            for (int j = 0; j < c; j++) v[m * c + j] += T[m * nodes + q] * u[q * c + j];
    lg_status st =
        lg_integrator_place(o->it, o->node_at[i] * x->h, k * x->h, x->g + k * o->element, x->p + k * o->n, v);
    if (st == LG_OK) st = differentiate ? lg_linearisation_step(o->lin, o->it) : lg_integrator_step(o->it);
    if (st != LG_OK)
        return lg_fail(&o->error, st, "step from node %d to a running cost: %.240s", k,
                       differentiate ? lg_linearisation_message(o->lin) : lg_integrator_message(o->it));
    if (!differentiate) return LG_OK;
    (void)(lg_linearisation_jacobian(o->lin, o->jacobian) == LG_OK);
    for (int r = 0; r < o->k + c; r++) nodes_row(o, i, r, rows + r * w);
    return LG_OK;
}

/* Adds node i's part with cost l, whose derivatives are G and H, by the rows of nodes_reach(). */
static void nodes_add(const lg_optimum *o, double h, int i, double l, const double *G, const double *H,
                      double *gradient, double *hessian)
{
    const int n2 = o->k, s = n2 + lg_nodes_count(o), w = lg_optimum_w(o);
    const double *rows = o->inside, weight = o->node_weight[i];
    double *turned = o->inside + s * w;
    memset(turned, 0, sz(s * w) * sizeof *turned);
    for (int r = 0; r < s; r++)
        for (int q = 0; q < s; q++)
            for (int j = 0; j < w && H[r * s + q] != 0; j++) turned[r * w + j] += H[r * s + q] * rows[q * w + j];
    for (int j = 0; j < w; j++) {
        double slope = 0;
        for (int r = 0; r < s; r++) slope += rows[r * w + j] * G[r];
        gradient[j] += h * weight * slope;
        if (o->timed) hessian[j * w + n2] += weight * slope, hessian[n2 * w + j] += weight * slope;
        for (int m = 0; m < w; m++)
            for (int r = 0; r < s; r++) hessian[j * w + m] += h * weight * rows[r * w + j] * turned[r * w + m];
    }
    if (o->timed) gradient[n2] += weight * l;
}

lg_status lg_nodes_cost(lg_optimum *o, const lg_iterate *x, int k, double *value, double *gradient, double *hessian)
{
    double *G = gradient ? o->raw : NULL, *H = gradient ? o->J : NULL;
    for (int i = 0; i <= o->degree; i++) {
        double l;
        lg_status st = nodes_reach(o, x, k, i, gradient != NULL);
        if (st != LG_OK) return st;
        const lg_cost_call call = {o->context,
                                   (k + o->node_at[i]) * x->h,
                                   k,
                                   o->steps,
                                   lg_integrator_configuration(o->it),
                                   lg_integrator_carried(o->it),
                                   x->u + k * o->controls + i * lg_nodes_count(o)};
        if ((st = lg_point_own_cost(o, "lg_optimum_solve", &call, &l, G, H)) != LG_OK) return st;
        *value += o->node_weight[i] * l;
        if (gradient) nodes_add(o, x->h, i, l, G, H, gradient, hessian);
    }
    return LG_OK;
}

/* ---- effort and controls ---- */

void lg_nodes_spread_effort(lg_optimum *o)
{
    const int c = lg_nodes_count(o), all = o->controls;
    double *own = o->model.G;
    if (!o->degree) return;
    nodes_begin(o);
    memcpy(own, o->effort, sz(c * c) * sizeof *own);
    memset(o->effort, 0, sz(all * all) * sizeof *o->effort);
    for (int k = 0; k <= o->degree; k++)
        for (int i = 0; i < c; i++)
            for (int j = 0; j < c; j++) o->effort[(k * c + i) * all + k * c + j] = o->node_weight[k] * own[i * c + j];
}

int lg_optimum_degree(const lg_optimum *o)
{
    return o ? o->degree : 0;
}

lg_status lg_optimum_control_at(const lg_optimum *o, double t, double *u)
{
    if (!o || !o->made || !u || !(t >= 0 && t <= o->now.h * o->steps)) return LG_ERROR_ARGUMENT;
    const double at = t / o->now.h;
    const int k = at < o->steps ? (int)at : o->steps - 1;
    return lg_control_at(u, o->degree, o->now.u + k * o->controls, lg_nodes_count(o), fmin(at - k, 1));
}
