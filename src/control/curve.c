/* SPDX-License-Identifier: BSD-3-Clause */
/* Second derivatives of a step between nodes, lambda.log(x_{k+1}^-1 step(x_k, u, h)), from those of the step itself:
 * with y = log(g_1^-1 g), g_1 the configuration behind it, and r = log(x_{k+1}^-1 g_1), log(exp r exp y) has the
 * gradient Jr^-1(r) and the second derivative Q(r), which is 0 where the defect r is:
 *
 *     H = second derivative of the step weighted by (Jr^-T(r) lambda, lambda_p) + y_x^T Q y_x.
 *
 * Where velocity constraints have constant rows the momentum of a node is projected by a constant matrix first. */
#include <string.h>

#include "base/dense.h"
#include "control/optimum.h"
#include "integrators/linearisation/linearisation.h"
#include "retractions/retraction.h"

/* The step of the differences that give Q. */
static const double LOGARITHM_STEP = 2e-4;

/* Inputs of a step: (eta, p), controls, h where it is free. */
static int curve_inputs(const lg_optimum *o)
{
    return 2 * o->n + o->controls + o->timed;
}

int lg_curve_has(const lg_optimum *o)
{
    const lg_plan *P = &o->it->plan;
    const int turns = o->curved || P->holonomic || P->S->callbacks.drift; /* the projection varies */
    return !o->unknowns && !(o->constrained && turns) && lg_curved_inputs(o->lin, curve_inputs(o)) == curve_inputs(o);
}

/* S += y_x^T Q y_x. */
static lg_status curve_logarithm(lg_optimum *o, double *S, const double *r, const double *lambda)
{
    const int n = o->n, count = curve_inputs(o), columns = lg_linearisation_columns(o->lin);
    double *Q = o->second + count * count, *D = Q + n * n, *moved = D + n * n, *row = moved + n;
    lg_status st = LG_OK;
    for (int j = 0; st == LG_OK && j < n; j++) {
        memset(row, 0, sz(n) * sizeof *row);
        for (int side = -1; st == LG_OK && side <= 1; side += 2) {
            for (int i = 0; i < n; i++) moved[i] = -r[i] - side * LOGARITHM_STEP * o->D[i * n + j];
            st = lg_retraction_dtau_inv_with(o->map, o->G, D, moved, o->scratch);
            lg_matvec_transposed(moved, D, lambda, n, n);
            for (int i = 0; i < n; i++) row[i] += side * moved[i] / (2 * LOGARITHM_STEP);
        }
        memcpy(Q + j * n, row, sz(n) * sizeof *row);
    }
    (void)(lg_linearisation_jacobian(o->lin, o->jacobian) == LG_OK);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double q = 0.5 * (Q[i * n + j] + Q[j * n + i]);
            for (int a = 0; q != 0 && a < count; a++)
                for (int b = 0; b < count; b++)
                    S[a * count + b] += q * o->jacobian[i * columns + a] * o->jacobian[j * columns + b];
        }
    return st;
}

/* The projection of the momentum at node k, which is linear: column j of Pi, n x n. */
static lg_status curve_projection(lg_optimum *o, double *Pi, int k)
{
    const int n = o->n;
    const lg_iterate *x = &o->now;
    for (int j = 0; j < n; j++) {
        memcpy(o->move_p, x->p + k * n, sz(n) * sizeof *o->move_p);
        o->move_p[j] += o->scale[n + j];
        const lg_status st =
            lg_integrator_place(o->it, x->h, k * x->h, x->g + k * o->element, o->move_p, x->u + k * o->controls);
        if (st != LG_OK) return st;
        for (int i = 0; i < n; i++)
            Pi[i * n + j] = (lg_integrator_carried(o->it)[i] - x->p[k * n + i]) / o->scale[n + j];
    }
    return LG_OK;
}

/* S <- Pi^T S Pi in the momenta. */
static lg_status curve_project(lg_optimum *o, double *S, int k)
{
    const int n = o->n, count = curve_inputs(o);
    double *Pi = o->second + count * count, *row = Pi + 2 * n * n;
    const lg_status st = curve_projection(o, Pi, k);
    for (int side = 0; st == LG_OK && side < 2; side++)
        for (int a = 0; a < count; a++) {
            const int first = side ? n * count + a : a * count + n, stride = side ? count : 1;
            for (int j = 0; j < n; j++) {
                row[j] = 0;
                for (int i = 0; i < n; i++) row[j] += S[first + i * stride] * Pi[i * n + j];
            }
            for (int j = 0; j < n; j++) S[first + j * stride] = row[j];
        }
    return st;
}

/* The coordinate of a node, or the control, that is input a. */
static int curve_place(const lg_optimum *o, int a)
{
    const int n2 = 2 * o->n, c = o->controls;
    return a < n2 ? a : a < n2 + c ? lg_optimum_z(o) + a - n2 : n2;
}

lg_status lg_curve_stage(lg_optimum *o, int k, double *H)
{
    const int n = o->n, count = curve_inputs(o), w = lg_optimum_w(o);
    const lg_iterate *x = &o->now;
    const double *r = x->defect + k * 2 * n, *lambda = o->costate + (k + 1) * 2 * n;
    double *S = o->second;
    lg_free_load(o, x);
    for (int i = 0; i < n; i++) o->displaced[i] = -r[i];
    lg_status st = lg_retraction_dtau_inv_with(o->map, o->G, o->D, o->displaced, o->scratch);
    if (st == LG_OK)
        st = lg_integrator_place(o->it, x->h, k * x->h, x->g + k * o->element, x->p + k * n, x->u + k * o->controls);
    if (st != LG_OK) return st;
    memset(o->weights, 0, sz(lg_linearisation_rows(o->lin)) * sizeof *o->weights);
    lg_matvec_transposed(o->weights, o->D, lambda, n, n);
    memcpy(o->weights + n, lambda + n, sz(n) * sizeof *lambda);
    st = lg_linearisation_curvature(o->lin, S, o->it, o->weights, count);
    if (st == LG_OK) st = curve_logarithm(o, S, r, lambda);
    if (st == LG_OK && o->constrained) st = curve_project(o, S, k);
    for (int a = 0; st == LG_OK && a < count; a++)
        for (int b = 0; b < count; b++) H[curve_place(o, a) * w + curve_place(o, b)] = S[a * count + b];
    return st;
}
