/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanics/standalone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "mechanics/gram.h"

lg_status lg_check_definite(const double *J, int n, const char *what, double *scratch, lg_error *e)
{
    int bad = -1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double a = J[i * n + j], b = J[j * n + i];
            if (!isfinite(a)) return lg_fail(e, LG_ERROR_NOT_FINITE, "%s: entry (%d,%d) is %g", what, i + 1, j + 1, a);
            if (fabs(a - b) > 1e-12 * (fabs(a) + fabs(b)))
                return lg_fail(e, LG_ERROR_SINGULAR,
                               "%s is not symmetric: entry (%d,%d) is %.17g, entry (%d,%d) is %.17g", what, i + 1,
                               j + 1, a, j + 1, i + 1, b);
        }
    memcpy(scratch, J, sz(n) * sz(n) * sizeof *J);
    if (lg_cholesky(scratch, n, &bad) != LG_OK)
        return lg_fail(e, LG_ERROR_SINGULAR, "%s is not positive definite: pivot %d fails (diagonal entry %.17g)", what,
                       bad + 1, bad >= 0 ? J[bad * n + bad] : NAN);
    const double share = lg_cholesky_share(scratch, J, n, &bad);
    if (share < LG_LEAST_SHARE)
        return lg_fail(
            e, LG_ERROR_SINGULAR,
            "%s is nearly singular: of entry (%d,%d), %.9g, only %.2g of it is left when the other velocities "
            "give way; at least %g is needed, or velocities lose more than %.0f digits",
            what, bad + 1, bad + 1, J[bad * n + bad], share, LG_LEAST_SHARE, -log10(LG_LEAST_SHARE));
    return LG_OK;
}

static void standalone_carve(lg_standalone *o, lg_arena *a)
{
    size_t n = (size_t)o->f.n, rows = (size_t)(o->f.holonomic + o->f.m);
    lg_field_carve(&o->f, a);
    o->f.work = lg_take(a, lg_field_work_bytes(&o->f));
    o->A = lg_take_doubles(a, rows * n);
    o->Y = lg_take_doubles(a, n);
    o->b = lg_take_doubles(a, rows);
    o->J = lg_take_doubles(a, n * n);
    o->Jinv = lg_take_doubles(a, n * n);
    o->AW = lg_take_doubles(a, rows * n);
    o->C = lg_take_doubles(a, rows * rows);
    o->extra = lg_take_doubles(a, 2 * n * n + n + (size_t)o->S.parameter_count);
    o->control = lg_take_doubles(a, (size_t)o->S.callbacks.control_count);
    o->f.control = o->control;
}

lg_status lg_standalone_open(lg_standalone *o, const lg_system *S, lg_error *e)
{
    lg_arena a = {NULL, 0};
    o->block = NULL;
    lg_status st = lg_system_validate(S, e);
    if (st == LG_OK) st = lg_system_take(&o->S, S, e);
    if (st != LG_OK) return st;
    lg_field_init(&o->f, &o->S, NULL);
    standalone_carve(o, &a);
    o->block = lg_reserve(a.used);
    if (!o->block) return lg_fail(e, LG_ERROR_MEMORY, "lg_system: out of memory");
    a = (lg_arena){o->block, 0};
    standalone_carve(o, &a);
    if (!o->S.parameter_values && o->S.parameter_count) {
        double *value = o->extra + 2 * o->f.n * o->f.n + o->f.n;
        for (int i = 0; i < o->S.parameter_count; i++) value[i] = o->S.parameters[i].value;
        o->S.parameter_values = value;
    }
    return LG_OK;
}

lg_status lg_standalone_failed(const lg_standalone *o, int code, lg_error *e)
{
    return lg_fail(e, LG_ERROR_CALLBACK, "callback %s returned %d", o->f.failed, code);
}

/* Jinv from the metric at g, or from the projectors' metric. */
lg_status lg_standalone_invert(lg_standalone *o, const double *J, const char *what, lg_error *e)
{
    int n = o->f.n;
    lg_status st = lg_check_definite(J, n, what, o->extra, e);
    if (st == LG_OK) st = lg_spd_inverse(o->Jinv, J, n, o->extra);
    return st == LG_OK || st == LG_ERROR_NOT_FINITE ? st : LG_ERROR_SINGULAR;
}

int lg_standalone_gram(lg_standalone *o)
{
    int n = o->f.n, rows = o->f.holonomic + o->f.m;
    gram_rows(o->AW, o->A, o->Jinv, 0, rows, n);
    return gram_factor(o->C, o->AW, o->A, rows, n);
}
