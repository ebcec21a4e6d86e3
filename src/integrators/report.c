/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading an integrator's state. Nothing here changes it but the scratch `report`. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/integrator.h"

static int ready(const lg_integrator *it)
{
    return it && it->made && it->started;
}

double lg_time(const lg_integrator *it)
{
    return ready(it) ? it->work->now->t : NAN;
}

int64_t lg_step_index(const lg_integrator *it)
{
    return ready(it) ? it->step : 0;
}

double lg_step_size(const lg_integrator *it)
{
    return it && it->made ? it->h : NAN;
}

const lg_group *lg_integrator_group(const lg_integrator *it)
{
    return it && it->made ? it->S.group : NULL;
}

const double *lg_configuration(const lg_integrator *it)
{
    return ready(it) ? it->work->now->g : NULL;
}

const double *lg_momentum_plus(const lg_integrator *it)
{
    return ready(it) ? it->work->now->pp : NULL;
}

const double *lg_momentum_minus(const lg_integrator *it)
{
    return ready(it) ? it->work->now->pm : NULL;
}

const double *lg_momentum(const lg_integrator *it)
{
    return ready(it) ? it->work->now->pt : NULL;
}

const double *lg_step_velocity(const lg_integrator *it)
{
    return ready(it) ? it->work->now->xi : NULL;
}

const double *lg_multipliers(const lg_integrator *it)
{
    return ready(it) ? it->work->now->lambda : NULL;
}

int lg_newton_iterations(const lg_integrator *it)
{
    return ready(it) ? it->work->now->iterations : 0;
}

/* v = J(g_k)^-1 p at the present node. */
static int raise(const lg_integrator *it, const double *p, double *v)
{
    const lg_work *w = it->work;
    int n = it->plan.n;
    double *J = it->report + 2 * n, *inverse = J + n * n, *scratch = inverse + n * n;
    lg_field field = it->field;
    if (it->plan.diagonal) {
        for (int i = 0; i < n; i++) v[i] = w->Jinv[i] * p[i];
        return 0;
    }
    if (it->plan.constant_metric) return lg_matvec(v, w->Jinv, p, n, n), 0;
    if (lg_field_metric(&field, w->now->t, w->now->g, J)) return 1;
    if (lg_spd_inverse(inverse, J, n, scratch) != LG_OK) return 1;
    lg_matvec(v, inverse, p, n, n);
    return 0;
}

lg_status lg_velocity(const lg_integrator *it, double *xi)
{
    if (!ready(it) || !xi) return LG_ERROR_ARGUMENT;
    double *v = it->report;
    if (raise(it, it->work->now->pt, v)) return LG_ERROR_CALLBACK;
    memcpy(xi, v, (size_t)it->plan.n * sizeof *xi);
    return LG_OK;
}

/* 1/2 p.J^-1 p, NaN if a callback fails. */
static double kinetic(const lg_integrator *it, const double *p)
{
    double *v = it->report;
    return raise(it, p, v) ? NAN : 0.5 * lg_dot(p, v, it->plan.n);
}

static double energy(const lg_integrator *it, const double *p)
{
    double V = 0;
    lg_field field = it->field;
    if (lg_field_potential(&field, it->work->now->t, it->work->now->g, &V)) return NAN;
    return kinetic(it, p) + V;
}

double lg_energy(const lg_integrator *it)
{
    return ready(it) ? energy(it, it->work->now->pt) : NAN;
}

double lg_energy_post(const lg_integrator *it)
{
    return ready(it) ? energy(it, it->work->now->pm) : NAN;
}

double lg_constraint_residual(const lg_integrator *it)
{
    if (!ready(it)) return NAN;
    const lg_node *b = it->work->now;
    int n = it->plan.n;
    double *v = it->report, most = 0;
    if (it->plan.m && raise(it, b->pt, v)) return NAN;
    for (int a = 0; a < it->plan.m; a++) {
        double s = 0;
        for (int i = 0; i < n; i++) s += b->A[a * n + i] * (v[i] - (it->plan.drift ? b->Y[i] : 0));
        if (!(fabs(s) <= most)) most = fabs(s);
    }
    return most;
}

double lg_normal_part(const lg_integrator *it)
{
    if (!ready(it)) return NAN;
    const lg_node *b = it->work->now;
    double *d = it->report + it->plan.n;
    for (int i = 0; i < it->plan.n; i++) d[i] = b->pm[i] - b->pt[i];
    return sqrt(2 * kinetic(it, d));
}
