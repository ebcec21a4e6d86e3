/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading an integrator's state. These functions change only the scratch `report`. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/collocation/collocation.h"
#include "integrators/integrator.h"

static int report_ready(const lg_integrator *it)
{
    return it && it->made && it->started;
}

/* May readers evaluate callbacks and use the scratch, or is a step using it? */
static int report_free(const lg_integrator *it)
{
    return report_ready(it) && !it->busy;
}

/* Marks the integrator busy, so that the callbacks that follow cannot call it; or ready again. */
static void report_set_busy(const lg_integrator *it, int busy)
{
    ((lg_integrator *)(uintptr_t)it)->busy = busy ? 1 : 0;
}

double lg_integrator_time(const lg_integrator *it)
{
    return report_ready(it) ? it->workspace->now->t : NAN;
}

int64_t lg_integrator_step_index(const lg_integrator *it)
{
    return report_ready(it) ? it->step : 0;
}

double lg_integrator_step_size(const lg_integrator *it)
{
    return it && it->made ? it->h : NAN;
}

const lg_group *lg_integrator_group(const lg_integrator *it)
{
    return it && it->made ? it->S.group : NULL;
}

const double *lg_integrator_configuration(const lg_integrator *it)
{
    return report_ready(it) ? it->workspace->now->g : NULL;
}

const double *lg_integrator_momentum_plus(const lg_integrator *it)
{
    return report_ready(it) ? it->workspace->now->p_plus : NULL;
}

const double *lg_integrator_momentum_minus(const lg_integrator *it)
{
    return report_ready(it) ? it->workspace->now->p_minus : NULL;
}

const double *lg_integrator_momentum(const lg_integrator *it)
{
    return report_ready(it) ? it->workspace->now->p_tilde : NULL;
}

const double *lg_integrator_step_velocity(const lg_integrator *it)
{
    return report_ready(it) ? it->workspace->now->xi : NULL;
}

/* The multipliers; some methods compute them only on demand. */
static const double *report_multipliers(const lg_integrator *it)
{
    const lg_rule *rule = it->plan.method.rule;
    lg_workspace *w = it->workspace;
    if (rule->recall && !it->busy) {
        report_set_busy(it, 1);
        (void)rule->recall(w, w->now);
        report_set_busy(it, 0);
    }
    return w->now->lambda;
}

const double *lg_integrator_multipliers(const lg_integrator *it)
{
    return report_ready(it) ? report_multipliers(it) + it->plan.holonomic : NULL;
}

const double *lg_integrator_holonomic_multipliers(const lg_integrator *it)
{
    return report_ready(it) ? report_multipliers(it) : NULL;
}

double lg_integrator_holonomic_residual(const lg_integrator *it)
{
    if (!report_free(it)) return NAN;
    const lg_node *b = it->workspace->now;
    double *phi = it->report + 2 * it->plan.n;
    lg_field field = it->field;
    report_set_busy(it, 1);
    const int code = it->plan.holonomic ? lg_field_holonomic(&field, b->t, b->g, phi) : 0;
    report_set_busy(it, 0);
    if (code) return NAN;
    return lg_norm_max(phi, it->plan.holonomic);
}

double lg_integrator_step_work(const lg_integrator *it)
{
    return report_ready(it) ? it->workspace->now->work : NAN;
}

/* The adaptive step size of an integrator with a tolerance, else NULL. */
static const lg_step_size *report_step_size(const lg_integrator *it)
{
    const lg_collocation *o = it && it->made ? it->workspace->collocation : NULL;
    return o && o->step_size.tolerance > 0 ? &o->step_size : NULL;
}

double lg_integrator_tolerance(const lg_integrator *it)
{
    const lg_step_size *p = report_step_size(it);
    return p ? p->tolerance : 0;
}

double lg_integrator_found_step(const lg_integrator *it)
{
    const lg_step_size *p = report_step_size(it);
    return p && p->taken != 0 ? p->taken : NAN;
}

double lg_integrator_step_error(const lg_integrator *it)
{
    const lg_step_size *p = report_step_size(it);
    return p && p->taken != 0 ? p->error : NAN;
}

int lg_integrator_iterations(const lg_integrator *it)
{
    return report_ready(it) ? (int)it->workspace->now->iterations : 0;
}

lg_status lg_integrator_velocity(const lg_integrator *it, double *xi)
{
    if (!report_ready(it) || !xi) return LG_ERROR_ARGUMENT;
    lg_raise(&it->plan, xi, it->workspace->now, it->workspace->now->p_tilde);
    return LG_OK;
}

/* 1/2 p.J^-1 p. */
static double report_kinetic(const lg_integrator *it, const double *p)
{
    double *v = it->report;
    lg_raise(&it->plan, v, it->workspace->now, p);
    return 0.5 * lg_dot(p, v, it->plan.n);
}

static double report_energy(const lg_integrator *it, const double *p)
{
    double V = 0;
    lg_field field = it->field;
    report_set_busy(it, 1);
    const int code = lg_field_potential(&field, it->workspace->now->t, it->workspace->now->g, &V);
    report_set_busy(it, 0);
    if (code) return NAN;
    return report_kinetic(it, p) + V;
}

/* Does the state have a separate p^-, with a normal part? */
static int report_has_normal_part(const lg_integrator *it)
{
    return (it->plan.method.rule->needs & LG_HAS_NORMAL_PART) != 0;
}

double lg_integrator_energy(const lg_integrator *it)
{
    return report_free(it) ? report_energy(it, it->workspace->now->p_tilde) : NAN;
}

double lg_integrator_energy_post(const lg_integrator *it)
{
    return report_free(it) && report_has_normal_part(it) ? report_energy(it, it->workspace->now->p_minus) : NAN;
}

double lg_integrator_constraint_residual(const lg_integrator *it)
{
    if (!report_free(it)) return NAN;
    const lg_node *b = it->workspace->now;
    double *v = it->report, most = 0;
    lg_raise(&it->plan, v, b, b->p_tilde);
    for (int a = 0; a < it->plan.m; a++) {
        double s;
        lg_row_residual(&s, &it->plan, b, a, v);
        if (!(fabs(s) <= most)) most = fabs(s);
    }
    return most;
}

double lg_integrator_normal_part(const lg_integrator *it)
{
    if (!report_free(it) || !report_has_normal_part(it)) return NAN;
    const lg_node *b = it->workspace->now;
    double *d = it->report + it->plan.n;
    for (int i = 0; i < it->plan.n; i++) d[i] = b->p_minus[i] - b->p_tilde[i];
    return sqrt(2 * report_kinetic(it, d));
}
