/* SPDX-License-Identifier: BSD-3-Clause */
/* Controls that are polynomials inside a step. The unknowns are their values at the nodes of Gauss quadrature, so that
 * limits remain bounds of unknowns, and the effort of a step is sum_i b_i 1/2 u_i.R u_i, exact for such polynomials:
 * the matrix of all values of a step has the blocks b_i R. */
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
    if (degree && p->running_cost)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "lg_optimum_create: a running cost is a sum over nodes, of order 1, which controls of degree %d "
                       "do not improve; use effort and end_cost, or degree 0",
                       degree);
    lg_integrator_shape_controls(o->it, degree);
    o->degree = degree;
    o->controls = lg_integrator_control_numbers(o->it);
    return LG_OK;
}

void lg_nodes_spread_effort(lg_optimum *o)
{
    const int c = lg_nodes_count(o), all = o->controls;
    double weight[LG_CONTROL_NODES_MOST], *own = o->model.G;
    if (!o->degree) return;
    (void)(lg_control_nodes(o->degree, NULL, weight) == LG_OK);
    memcpy(own, o->effort, sz(c * c) * sizeof *own);
    memset(o->effort, 0, sz(all * all) * sizeof *o->effort);
    for (int k = 0; k <= o->degree; k++)
        for (int i = 0; i < c; i++)
            for (int j = 0; j < c; j++) o->effort[(k * c + i) * all + k * c + j] = weight[k] * own[i * c + j];
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
