/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of failures: what failed, at which step, with the values, and advice. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "integrators/collocation/collocation.h"
#include "integrators/integrator.h"

/* The node of the failure: of the step, or of the start. */
static const lg_node *failure_node(const lg_integrator *it)
{
    return it->workspace->destination ? it->workspace->destination : it->workspace->next;
}

/* The fields of a node, in the order in which a NaN would spread. */
const char *lg_find_not_finite(const lg_integrator *it, const lg_node *b, const double **values, int *count)
{
    const lg_plan *P = &it->plan;
    const struct {
        const char *name;
        const double *values;
        int count;
    } field[] = {
        {"the configuration", b->g, P->element_size},
        {it->S.callbacks.potential_gradient ? "potential_gradient" : "potential", b->gradient,
         P->potential && (P->fused || P->method.gonzalez) ? P->n : 0},
        {P->holonomic ? "the rows (holonomic_differential, covectors)" : "covectors (rows)", b->rows, P->m * P->n},
        {it->S.callbacks.drift ? "drift" : "covectors (drift)", b->drift, P->drift ? P->n : 0},
    };
    for (size_t i = 0; i < sizeof field / sizeof field[0]; i++) {
        *values = field[i].values, *count = field[i].count;
        if (!lg_all_finite(*values, *count)) return field[i].name;
    }
    *values = b->g, *count = P->element_size;
    return NULL;
}

const char *lg_probe(lg_integrator *it, const lg_node *b, int *code)
{
    lg_field *f = &it->field;
    const lg_system *S = &it->S;
    double *v = it->report, V = 0;
    const int n = it->plan.n;
    *code = 0;
    if (!lg_all_finite(b->g, it->plan.element_size)) return NULL;
    if (S->callbacks.potential) {
        if ((*code = lg_field_potential(f, b->t, b->g, &V))) return NULL;
        if (!lg_all_finite(&V, 1)) return "potential";
        if ((*code = lg_field_gradient(f, b->t, b->g, v))) return NULL;
        if (!lg_all_finite(v, n)) return S->callbacks.potential_gradient ? "potential_gradient" : "potential";
    }
    if (S->callbacks.force && lg_all_finite(b->xi, n)) {
        if ((*code = lg_field_force(f, b->t, b->g, b->xi, v))) return NULL;
        if (!lg_all_finite(v, n)) return "force";
    }
    if (!S->callbacks.holonomic_count || (*code = lg_field_holonomic(f, b->t, b->g, v))) return NULL;
    return lg_all_finite(v, S->callbacks.holonomic_count) ? NULL : "holonomic";
}

static lg_status failure_not_finite(lg_integrator *it, const char *where, lg_error *e)
{
    const lg_failure *f = &it->workspace->failure;
    const double *v;
    int count;
    char values[120];
    const char *what = lg_find_not_finite(it, failure_node(it), &v, &count);
    int code;
    const char *callback = what ? NULL : lg_probe(it, failure_node(it), &code);
    if (callback) {
        lg_print_values(values, sizeof values, failure_node(it)->g, it->plan.element_size);
        return lg_fail(e, f->status, "%s: callback %s is not finite at g = (%s)", where, callback, values);
    }
    if (!what)
        return lg_fail(e, f->status,
                       "%s: %s %s not finite; a callback returned NaN or infinity, or h = %g is too large", where,
                       f->what, strstr(f->what, "equations") ? "are" : "is", it->h);
    if (v == failure_node(it)->g && !strstr(f->what, "equations")) what = f->what;
    lg_print_values(values, sizeof values, v, count);
    return lg_fail(e, f->status, "%s: %s is not finite: %s; a callback returned NaN or h = %g is too large", where,
                   what, values, it->h);
}

/* The step was solved, but violates what its method conserves. */
static lg_status failure_promise(const lg_integrator *it, const char *where, lg_error *e)
{
    const lg_failure *f = &it->workspace->failure;
    if (!strcmp(f->what, "the constraints"))
        return lg_fail(e, f->status,
                       "%s: the step does not keep the constraints: they are off by more than %.0e of their terms; "
                       "h = %g is too large, or rows are nearly dependent",
                       where, f->residual, it->h);
    return lg_fail(
        e, f->status,
        "%s: the step does not keep the energy: its change less the work is %.2g of its largest term; h = %g "
        "is too large, or potential_gradient or metric_gradient is no derivative (see lg_system_check())",
        where, f->residual, it->h);
}

/* Collocation whose stages do not converge, with a step for which they do. */
static lg_status failure_stages(const lg_integrator *it, const char *where, lg_error *e)
{
    const lg_failure *f = &it->workspace->failure;
    const double advice = it->workspace->advice;
    char better[64] = "", far[256];
    if (f->code == LG_FAILED_FAR) {
        lg_step_size_print_far(&it->workspace->collocation->step_size, it->h, far, sizeof far);
        return lg_fail(e, f->status, "%s: %s", where, far);
    }
    if (it->workspace->collocation->step_size.tolerance > 0)
        return lg_fail(e, f->status,
                       "%s: no step is short enough for the tolerance %g: the motion changes faster than numbers can "
                       "tell, or a callback is not smooth there",
                       where, it->workspace->collocation->step_size.tolerance);
    if (advice != 0) snprintf(better, sizeof better, "; a step of %.4g does", advice);
    if (isnan(f->residual))
        return lg_fail(e, LG_ERROR_NOT_FINITE,
                       "%s: the stages are not finite; a callback returned NaN or infinity, or h = %g is too large%s",
                       where, it->h, better);
    return lg_fail(e, f->status,
                   "%s: the stages do not converge with h = %g: after %d sweeps they still change by %.3g of their "
                   "size%s",
                   where, it->h, f->iterations, f->residual, better);
}

lg_status lg_explain(lg_integrator *it, const char *function, lg_error *e)
{
    const lg_failure *f = &it->workspace->failure;
    char where[80], g[100];
    const char *what = f->what ? f->what : "a part of the step";
    snprintf(where, sizeof where, "%s: step %lld, t = %.9g", function, (long long)it->step + (it->started ? 1 : 0),
             failure_node(it)->t);
    lg_print_values(g, sizeof g, failure_node(it)->g, it->plan.element_size);
    switch (f->status) {
    case LG_ERROR_CALLBACK:
        return lg_fail(e, f->status, "%s: callback %s returned %d at or on the way to g = (%s)", where, what, f->code,
                       g);
    case LG_ERROR_CONVERGENCE:
        if (f->code == LG_FAILED_DIFFERENCES)
            return lg_fail(
                e, f->status,
                "%s: there is no %s, and differences are off by %.2g at g = (%s), which spoils the step; give "
                "that callback, or move the origin or the potential's zero nearer",
                where, what, f->residual, g);
        if (f->code == LG_FAILED_PROMISE) return failure_promise(it, where, e);
        if (it->workspace->collocation) return failure_stages(it, where, e);
        if (it->workspace->implicit)
            return lg_fail(e, f->status,
                           "%s: %s was not solved by %d residual evaluations, last residual %.3g; h = %g is too large",
                           where, what, f->iterations, f->residual, it->h);
        return lg_fail(
            e, f->status,
            "%s: Newton on %s did not converge after %d iterations, last correction %.3g; h = %g is too large", where,
            what, f->iterations, f->residual, it->h);
    case LG_ERROR_SINGULAR:
        if (f->code)
            return lg_fail(e, f->status, "%s: %s: row %d depends on the rows before it at g = (%s)", where, what,
                           f->code, g);
        return lg_fail(e, f->status, "%s: %s is singular, nearly so, or not positive definite at g = (%s), h = %g",
                       where, what, g, it->h);
    case LG_ERROR_DOMAIN:
        if (f->residual > 0)
            return lg_fail(e, f->status,
                           "%s: a %s by %.3g rad in one step; beyond 2^20 rad an angle has too few digits left, so "
                           "h = %g is too large",
                           where, what, f->residual, it->h);
        return lg_fail(e, f->status, "%s: %s: the step leaves the retraction's domain; h = %g is too large", where,
                       what, it->h);
    case LG_ERROR_NOT_FINITE:
        return failure_not_finite(it, where, e);
    default:
        return lg_fail(e, f->status, "%s: %s: %s", where, what, lg_status_text(f->status));
    }
}
