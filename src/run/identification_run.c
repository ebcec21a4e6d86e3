/* SPDX-License-Identifier: BSD-3-Clause */
/* The run of some values of the unknowns, and how far it is from the measurements. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/lane.h"
#include "run/identification_private.h"
#include "run/model_private.h"

/* *mo = a motion at the start, with these values of the unknowns. */
static lg_status identification_begin(lg_identification *id, lg_model **M, lg_motion **mo, const double *x)
{
    lg_status st = lg_model_copy(M, id->model, &id->error);
    for (int j = 0; j < id->P && st == LG_OK; j++) {
        const lg_unknown *u = &id->unknown[j];
        st = u->initial ? lg_model_set_initial(*M, u->name, x[j]) : lg_model_set(*M, u->name, x[j]);
        if (st != LG_OK) (void)lg_fail(&id->error, st, "%s", lg_model_message(*M));
    }
    if (st != LG_OK) return st;
    st = lg_motion_create(mo, *M, &id->options);
    if (st == LG_OK) st = lg_motion_start(*mo, id->t0, NULL, 1);
    return st == LG_OK ? LG_OK : lg_fail(&id->error, st, "%s", lg_motion_message(*mo));
}

static lg_status identification_step(lg_identification *id, lg_motion *mo)
{
    const int count = lg_model_control_count(id->model);
    lg_status st = LG_OK;
    if (id->control) {
        memcpy(id->control_now, lg_motion_control(mo), sz(count) * sizeof *id->control_now);
        if (id->control(mo, id->control_now, id->control_context) != 0)
            return lg_fail(&id->error, LG_ERROR_CALLBACK, "the controller refused at t = %g", lg_motion_time(mo));
        st = lg_motion_set_control(mo, id->control_now);
    } else if (id->made < id->control_steps) {
        st = lg_motion_set_control(mo, id->controls + id->made * count);
    }
    id->made++;
    if (st == LG_OK) st = lg_motion_step(mo, 1);
    return st == LG_OK ? LG_OK : lg_fail(&id->error, st, "t = %g: %s", lg_motion_time(mo), lg_motion_message(mo));
}

/* id->row = the motion at time t, which is not before the last step. */
static lg_status identification_reach(lg_identification *id, lg_motion *mo, double *before, double t)
{
    const double near = LG_AT_A_NODE * lg_motion_step_size(mo);
    lg_status st = LG_OK;
    while (lg_motion_time(mo) < t - near && st == LG_OK) {
        *before = lg_motion_time(mo);
        st = identification_step(id, mo);
    }
    if (st != LG_OK) return st;
    const double now = lg_motion_time(mo);
    st = now - t <= near ? lg_motion_row(mo, id->row)
                         : lg_motion_interpolate(mo, id->row, fmax(0, (t - *before) / (now - *before)));
    if (st != LG_OK) return lg_fail(&id->error, st, "t = %g: %s", t, lg_motion_message(mo));
    if (fabs(id->row[1] - t) > 2 * near)
        return lg_fail(
            &id->error, LG_ERROR_UNSUPPORTED,
            "the sample at t = %g lies within a step that was halved; measure at nodes, multiples of the step %g", t,
            id->options.step);
    return LG_OK;
}

/* The columns at sample s; what is measured there must be known. */
static lg_status identification_take_row(lg_identification *id, double *predicted, int s)
{
    for (int i = 0; i < id->C; i++) {
        const double value = id->row[id->column[i].at];
        if (!isfinite(value) && !isnan(id->values[s * id->C + i]))
            return lg_fail(&id->error, LG_ERROR_NOT_FINITE,
                           "column '%s' is not known at t = %g; measure it at nodes, multiples of the step %g",
                           lg_model_column(id->model, id->column[i].at)->name, id->times[s], id->options.step);
        predicted[s * id->C + i] = value;
    }
    return LG_OK;
}

/* r = log(measured^-1 model) / sigma of unit quaternions x, y, z, w; places 0, 1, 2 of the attitude's columns. */
static void identification_compare_attitude(const lg_identification *id, const lg_measured_column *c, double *r,
                                            const double *predicted, const double *measured)
{
    double a[4], b[4];
    for (int k = 0; k < 4; k++) a[k] = measured[c->part[k]], b[k] = predicted[c->part[k]];
    double v[3], w = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        v[k] = a[3] * b[k] - b[3] * a[k] - (a[l] * b[m] - a[m] * b[l]);
    }
    const double s = sqrt(lg_dot(v, v, 3)), angle = 2 * atan2(s, fabs(w));
    const double factor = (s > 0 ? angle / s : 2) * (w < 0 ? -1 : 1);
    for (int k = 0; k < 3; k++) r[c->part[k]] = factor * v[k] / id->sigma[c->part[0]];
}

static void identification_compare(const lg_identification *id, double *r, const double *predicted,
                                   const double *measured)
{
    for (int i = 0; i < id->C; i++) r[i] = 0;
    for (int i = 0; i < id->C; i++) {
        const lg_measured_column *c = &id->column[i];
        if (isnan(measured[i]) || c->kind == LG_MEASURED_PART) continue;
        const double off = predicted[i] - measured[i];
        if (c->kind == LG_MEASURED_ATTITUDE)
            identification_compare_attitude(id, c, r, predicted, measured);
        else
            r[i] = (c->kind == LG_MEASURED_ANGLE ? remainder(off, 2 * LG_PI) : off) / id->sigma[i];
    }
}

lg_status lg_identification_evaluate(lg_identification *id, const double *x, double *predicted, double *r)
{
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    double before = id->t0;
    id->made = 0;
    lg_status st = identification_begin(id, &M, &mo, x);
    for (int s = 0; s < id->S && st == LG_OK; s++) {
        st = identification_reach(id, mo, &before, id->times[s]);
        if (st == LG_OK) st = identification_take_row(id, predicted, s);
        if (st == LG_OK) identification_compare(id, r + s * id->C, predicted + s * id->C, id->values + s * id->C);
    }
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    return st;
}
