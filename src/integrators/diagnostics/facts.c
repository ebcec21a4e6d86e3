/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts of an integrator's system and method. */
#include <math.h>
#include <string.h>

#include "integrators/diagnostics/diagnostics.h"
#include "integrators/integrator.h"

const lg_system *lg_integrator_system(const lg_integrator *it)
{
    return it != NULL && it->made ? &it->S : NULL;
}

lg_call lg_integrator_call(const lg_integrator *it, const double *t)
{
    return lg_system_call(&it->S, t, it->control);
}

int lg_integrator_has_normal_part(const lg_integrator *it)
{
    return (it->plan.method.rule->needs & LG_HAS_NORMAL_PART) && it->plan.nonholonomic > 0;
}

int lg_integrator_has_parasitic_mode(const lg_integrator *it)
{
    return lg_integrator_has_normal_part(it) && it->plan.stages == 1;
}

const char *lg_integrator_iterations_name(const lg_integrator *it)
{
    const lg_method *method = &it->plan.method;
    if (method->collocation_stages) return "sweeps";
    if (method->step->needs & LG_IS_DIRECT) return NULL;
    return it->plan.fused && method->rule->middle_kick == NULL ? "Newton iterations" : "residual evaluations";
}

/* The sum of weight (s - 1/2): 0 for points that lie symmetrically. */
static double facts_moment(const lg_point *point, int count)
{
    double moment = 0;
    for (int i = 0; i < count; i++) moment += point[i].weight * (point[i].s - 0.5);
    return moment;
}

int lg_integrator_order(const lg_integrator *it)
{
    const lg_method *method = &it->plan.method;
    if (method->composition != NULL) return method->composition->order;
    if (method->collocation_stages) return 2 * method->collocation_stages;
    if (method->step->needs & LG_IS_DIRECT) return 4;
    return fabs(facts_moment(method->point, method->points)) > 1e-9 ||
                   fabs(facts_moment(method->row, method->rows)) > 1e-9
               ? 1
               : 2;
}

lg_integrator_kind lg_integrator_kind_of(const lg_integrator *it)
{
    const lg_plan *P = &it->plan;
    lg_integrator_kind kind = {P->S->group, P->retraction, "", P->m, P->holonomic};
    _Static_assert(sizeof kind.method == sizeof P->method.name, "a method's name fits");
    memcpy(kind.method, P->method.name, sizeof kind.method);
    return kind;
}

int lg_integrator_is_of_kind(const lg_integrator *it, const lg_integrator_kind *kind)
{
    const lg_plan *P;
    if (it == NULL || !it->made || !it->started) return 0;
    P = &it->plan;
    return P->retraction == kind->retraction && P->S->group == kind->group && P->m == kind->rows &&
           P->holonomic == kind->holonomic_count && strcmp(P->method.name, kind->method) == 0;
}
