/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of a system that are unknowns of the whole problem: border variables of the model behind the step. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <liegrp/base/elementary.h>

#include "base/dense.h"
#include "base/message.h"
#include "control/problem.h"

lg_status lg_free_open(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    const int count = p->system ? p->system->parameter_count : 0;
    if (!p->parameter_free && (p->parameter_low || p->parameter_high))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_optimum_create: there are bounds of parameters, but none is free; set parameter_free");
    if (p->parameter_free && p->mechanism)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "lg_optimum_create: parameters of mechanisms cannot be free; parameter_free must be NULL");
    for (int i = 0; p->parameter_free && i < count; i++) o->unknowns += p->parameter_free[i] != 0;
    if (p->parameter_free && !o->unknowns)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: none of %d parameters is free in parameter_free",
                       count);
    return LG_OK;
}

/* The integrator's own values, which steps read. */
static double *free_values(const lg_optimum *o)
{
    return (double *)(uintptr_t)o->it->S.parameter_values;
}

void lg_free_load(lg_optimum *o, const lg_iterate *x)
{
    for (int i = 0; i < o->unknowns; i++) free_values(o)[o->unknown[i]] = x->parameter[i];
}

void lg_free_displace(lg_optimum *o, int i, double by)
{
    free_values(o)[o->unknown[i]] += by;
}

/* Constant inertia and rows for the present values; nonzero: refused. */
static int free_arrays(const lg_optimum *o, double *J, double *rows)
{
    const lg_system *S = &o->it->S;
    const size_t n = sz(o->n), m = sz(S->constraint_count);
    const double t = 0;
    char why[LG_MESSAGE_SIZE] = "";
    const lg_call c = {.context = S->context, .param = S->parameter_values, .lanes = 1, .times = &t};
    memset(J, 0, n * n * sizeof *J), memset(rows, 0, m * n * sizeof *rows);
    return S->callbacks.arrays(&c, J, S->covector_matrix ? rows : NULL, why);
}

/* An integrator takes constant arrays when it is created: a free parameter must not be in them. */
static lg_status free_check_arrays(lg_optimum *o, int i, lg_error *e)
{
    const lg_system *S = &o->it->S;
    const int n = o->n, all = n * n + S->constraint_count * n;
    double *before = o->J, *after = o->J + 2 * n * n;
    if (!S->callbacks.arrays) return LG_OK;
    const double value = o->now.parameter[i], by = 1e-3 * (value != 0 ? value : 1);
    int bad = free_arrays(o, before, before + n * n);
    lg_free_displace(o, i, by);
    bad |= free_arrays(o, after, after + n * n);
    lg_free_load(o, &o->now);
    if (!bad && memcmp(before, after, sz(all) * sizeof *before) == 0) return LG_OK;
    return lg_fail(
        e, LG_ERROR_UNSUPPORTED,
        "lg_optimum_create: parameter %d%s%.60s is in constant arrays of the system, its inertia or rows, so "
        "it cannot be free; give the system a metric or covectors as callbacks",
        o->unknown[i] + 1, S->parameters ? ", " : "", S->parameters ? S->parameters[o->unknown[i]].name : "");
}

lg_status lg_free_fill(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    int k = 0;
    for (int i = 0; o->unknowns && i < p->system->parameter_count; i++) {
        if (!p->parameter_free[i]) continue;
        const double low = p->parameter_low ? p->parameter_low[i] : -INFINITY, value = free_values(o)[i];
        const double high = p->parameter_high ? p->parameter_high[i] : INFINITY;
        if (!(low < high))
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "lg_optimum_create: bounds %g and %g of parameter %d; the first must be below the second",
                           low, high, i + 1);
        o->unknown[k] = i, o->parameter_low[k] = low, o->parameter_high[k] = high;
        o->parameter_scale[k] = value != 0 ? fabs(value) : 1;
        o->now.parameter[k] = o->parameter_first[k] = value;
        k++;
    }
    for (int i = 0; i < o->unknowns; i++) {
        const lg_status st = free_check_arrays(o, i, e);
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

void lg_free_guess(lg_optimum *o)
{
    for (int i = 0; i < o->unknowns; i++)
        o->now.parameter[i] = lg_problem_inside(o->parameter_first[i], o->parameter_low[i], o->parameter_high[i]);
    lg_free_load(o, &o->now);
}

double lg_free_change(const lg_optimum *o, int i)
{
    return o->model.border[o->model.size.frees + o->timed + i];
}

double lg_free_barrier(const lg_optimum *o, const lg_iterate *x)
{
    double sum = 0;
    for (int i = 0; i < o->unknowns; i++) {
        const double below = x->parameter[i] - o->parameter_low[i], above = o->parameter_high[i] - x->parameter[i];
        if (isfinite(below)) sum += lg_real_log(below);
        if (isfinite(above)) sum += lg_real_log(above);
    }
    return sum;
}

double lg_free_slopes(const lg_optimum *o)
{
    const int n2 = o->k, z = lg_optimum_z(o);
    double worst = 0;
    for (int i = 0; i < o->unknowns; i++) {
        const int column = n2 + o->timed + i;
        double slope = o->z_parameter[2 * i + 1] - o->z_parameter[2 * i], terms = 0;
        for (int k = 0; k < o->steps; k++) {
            double moved = 0;
            for (int r = 0; r < n2; r++) moved += o->model.stages[k].A[r * z + column] * o->costate[(k + 1) * n2 + r];
            slope += moved, terms += fabs(moved);
        }
        if (terms > 0) worst = lg_larger(worst, fabs(slope) / terms);
    }
    return worst;
}
