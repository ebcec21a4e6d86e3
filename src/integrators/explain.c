/* SPDX-License-Identifier: BSD-3-Clause */
/* Failures in words: what, at which step, with the values, and what would be right. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "integrators/integrator.h"

/* "(1, 0.5, ...)", at most `count` numbers of v that fit. */
static void print_values(char *text, size_t size, const double *v, int count)
{
    size_t used = 0;
    for (int i = 0; i < count && used + 24 < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.9g", i ? ", " : "", v[i]);
    if (!used) snprintf(text, size, "-");
}

static lg_status not_finite(const lg_integrator *it, const char *where, lg_error *e)
{
    const lg_failure *f = &it->work->failure;
    const lg_node *b = it->work->next;
    char values[120];
    const char *what = f->what;
    const double *v = b->g;
    int count = it->plan.gn;
    for (int i = 0; i < it->plan.gn; i++)
        if (!isfinite(b->g[i])) goto found;
    if (it->plan.potential && it->plan.fused)
        for (int i = 0; i < it->plan.n; i++)
            if (!isfinite(b->dV[i])) {
                what = it->S.potential_gradient ? "potential_gradient" : "potential", v = b->dV, count = it->plan.n;
                goto found;
            }
    if (it->plan.m)
        for (int i = 0; i < it->plan.m * it->plan.n; i++)
            if (!isfinite(b->A[i])) {
                what = "covectors (rows)", v = b->A, count = it->plan.m * it->plan.n;
                goto found;
            }
    if (it->plan.drift)
        for (int i = 0; i < it->plan.n; i++)
            if (!isfinite(b->Y[i])) {
                what = it->S.drift ? "drift" : "covectors (drift)", v = b->Y, count = it->plan.n;
                goto found;
            }
found:
    print_values(values, sizeof values, v, count);
    return lg_fail(e, f->status, "%s: %s is not finite: %s; a callback returned NaN or h = %g is too large", where,
                   what, values, it->h);
}

lg_status lg_explain(lg_integrator *it, const char *function, lg_error *e)
{
    const lg_failure *f = &it->work->failure;
    char where[80], g[100];
    const char *what = f->what ? f->what : "a part of the step";
    snprintf(where, sizeof where, "%s: step %lld, t = %.9g", function, (long long)it->step + (it->started ? 1 : 0),
             it->work->next->t);
    print_values(g, sizeof g, it->work->next->g, it->plan.gn);
    switch (f->status) {
    case LG_ERROR_CALLBACK:
        return lg_fail(e, f->status, "%s: callback %s returned %d at g = (%s)", where, what, f->code, g);
    case LG_ERROR_CONVERGENCE:
        return lg_fail(
            e, f->status,
            "%s: Newton on %s did not converge after %d iterations, last correction %.3g; h = %g is too large", where,
            what, f->iterations, f->residual, it->h);
    case LG_ERROR_SINGULAR:
        if (f->code)
            return lg_fail(e, f->status, "%s: %s: row %d depends on the rows before it at g = (%s)", where, what,
                           f->code, g);
        return lg_fail(e, f->status, "%s: %s is singular or not positive definite at g = (%s)", where, what, g);
    case LG_ERROR_DOMAIN:
        return lg_fail(e, f->status, "%s: %s: the step leaves the retraction's domain; h = %g is too large", where,
                       what, it->h);
    case LG_ERROR_NOT_FINITE:
        return not_finite(it, where, e);
    default:
        return lg_fail(e, f->status, "%s: %s: %s", where, what, lg_status_text(f->status));
    }
}
