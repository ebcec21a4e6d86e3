/* SPDX-License-Identifier: BSD-3-Clause */
/* Controls of an integrator that are polynomials inside a step (collocation/controls.h). */
#include <math.h>

#include "base/dense.h"
#include "base/message.h"
#include "integrators/collocation/collocation.h"
#include "integrators/instances.h"
#include "integrators/integrator.h"

static lg_controls *control_nodes(const lg_integrator *it)
{
    lg_collocation *o = it->workspace->collocation;
    return o && o->controls.degree ? &o->controls : NULL;
}

int lg_integrator_degree(const lg_integrator *it)
{
    const lg_controls *o = control_nodes(it);
    return o ? o->degree : 0;
}

const double *lg_integrator_controls(const lg_integrator *it)
{
    const lg_controls *o = control_nodes(it);
    return o ? o->values : it->control;
}

int lg_integrator_control_numbers(const lg_integrator *it)
{
    return it->S.callbacks.control_count * (lg_integrator_degree(it) + 1);
}

void lg_integrator_shape_controls(lg_integrator *it, int degree)
{
    lg_collocation *o = it->workspace->collocation;
    if (o) lg_controls_shape(&o->controls, &o->tableau, degree);
}

void lg_integrator_put_controls(lg_integrator *it, const double *u)
{
    lg_controls *o = control_nodes(it);
    if (o)
        lg_controls_set(o, u);
    else
        for (int i = 0; i < it->S.callbacks.control_count; i++) it->control[i] = u[i];
}

void lg_integrator_reach_controls(lg_integrator *it, double share)
{
    lg_controls *o = control_nodes(it);
    if (o) lg_controls_reach(o, &it->workspace->collocation->tableau, share);
}

lg_status lg_integrator_check_degree(lg_integrator *it, int degree, const char *function)
{
    const int stages = it->plan.method.collocation_stages;
    if (degree < 0 || degree > LG_CONTROL_DEGREE_MOST)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT, "%s: degree %d; expected 0 to %d", function, degree,
                       LG_CONTROL_DEGREE_MOST);
    if (degree && !stages)
        return lg_fail(&it->error, LG_ERROR_UNSUPPORTED,
                       "%s: '%s' holds controls over a step, so that their degree must be 0; use gauss", function,
                       it->plan.method.name);
    if (degree && lg_instance_is_prescribed(it))
        return lg_fail(
            &it->error, LG_ERROR_UNSUPPORTED,
            "%s: constraints prescribe the velocity, and controls that they depend on are held over a step, so "
            "that their degree must be 0",
            function);
    if (degree && degree >= stages)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "%s: controls of degree %d need %d stages, but '%s' has %d; use gauss:stages=%d", function,
                       degree, degree + 1, it->plan.method.name, stages, degree + 1);
    if (degree && lg_integrator_tolerance(it) > 0)
        return lg_fail(&it->error, LG_ERROR_UNSUPPORTED,
                       "%s: with a tolerance controls are held over a row, so that their degree must be 0; choose the "
                       "step",
                       function);
    return LG_OK;
}

lg_status lg_integrator_set_control_nodes(lg_integrator *it, int degree, const double *u)
{
    if (!it || !it->made) return LG_ERROR_ARGUMENT;
    const int count = it->S.callbacks.control_count;
    lg_status st = lg_integrator_check_degree(it, degree, "lg_integrator_set_control_nodes");
    if (st != LG_OK) return st;
    if (!degree) return lg_integrator_set_control(it, u);
    if (!count || !u)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT, "lg_integrator_set_control_nodes: %s",
                       u ? "the system has no controls; set lg_callbacks::control_count" : "the controls are NULL");
    if (!lg_all_finite(u, count * (degree + 1)))
        return lg_fail(&it->error, LG_ERROR_NOT_FINITE, "lg_integrator_set_control_nodes: a control is not finite");
    if ((st = lg_integrator_enter(it, "lg_integrator_set_control_nodes")) != LG_OK) return st;
    lg_integrator_shape_controls(it, degree);
    lg_integrator_put_controls(it, u);
    return lg_integrator_leave(it, LG_OK);
}

lg_status lg_control_nodes(int degree, double *nodes, double *weights)
{
    lg_tableau T;
    if (degree < 0 || degree > LG_CONTROL_DEGREE_MOST) return LG_ERROR_ARGUMENT;
    lg_tableau_make(&T, degree + 1);
    for (int i = 0; nodes && i <= degree; i++) nodes[i] = T.c[i];
    for (int i = 0; weights && i <= degree; i++) weights[i] = T.b[i];
    return LG_OK;
}

lg_status lg_control_at(double *out, int degree, const double *u, int count, double x)
{
    lg_tableau T;
    double L[LG_CONTROL_NODES_MOST];
    if (degree < 0 || degree > LG_CONTROL_DEGREE_MOST || count < 1 || !out || !u || !(x >= 0 && x <= 1))
        return LG_ERROR_ARGUMENT;
    lg_tableau_make(&T, degree + 1);
    lg_controls_basis(&T, x, L);
    for (int j = 0; j < count; j++) {
        out[j] = 0;
        for (int i = 0; i <= degree; i++) out[j] += L[i] * u[i * count + j];
    }
    return LG_OK;
}
