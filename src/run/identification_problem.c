/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a problem of identification. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/dense.h"
#include "base/sized.h"
#include "run/engine.h"
#include "run/identification_private.h"
#include "run/model_private.h"

enum { MOST_UNKNOWNS = 200 };
static const double DIFFERENCE = 1e-3; /* the first step of differences, of a scale */
static const double OFF_UNIT = 1e-2;   /* a measured quaternion may be as far from length 1 */
static const char *const WHO = "lg_identification_create";

static const lg_sized problem_size =
    LG_SIZED_AS(lg_identification_problem, control_steps, "start from lg_identification_problem_default()");

void lg_identification_problem_init(lg_identification_problem *problem, size_t size, const lg_model *model)
{
    const lg_identification_problem own = {.model = model};
    lg_sized_give(&problem_size, problem, size, &own);
}

/* ---- checks ---- */

static lg_status identification_check_counts(const lg_identification_problem *p, lg_error *e)
{
    if (p->unknown_count < 1 || p->unknown_count > MOST_UNKNOWNS || !p->unknowns)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: %d unknowns; expected 1 to %d, with their names", WHO,
                       p->unknown_count, MOST_UNKNOWNS);
    if (p->column_count < 1 || !p->columns)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: %d columns; expected at least one, with its name", WHO,
                       p->column_count);
    if (p->sample_count < 1 || !p->times || !p->values)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: %d samples; expected at least one, with its time and values", WHO,
                       p->sample_count);
    if ((double)p->sample_count * p->column_count * (p->unknown_count + 1.0) > INT32_MAX / 2)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: %d samples of %d columns with %d unknowns are too many", WHO,
                       p->sample_count, p->column_count, p->unknown_count);
    if (!isfinite(p->t0)) return lg_fail(e, LG_ERROR_ARGUMENT, "%s: t0 is not finite", WHO);
    const double needed = (p->times[p->sample_count - 1] - p->t0) / p->options->step - LG_AT_A_NODE;
    if (p->controls && p->control)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: controls are given as numbers and by a function; leave one out", WHO);
    if (p->controls && (p->control_steps < 1 || (double)p->control_steps < needed || p->control_steps > INT32_MAX / 2))
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: controls of %lld steps; the last sample needs %.0f", WHO,
                       (long long)p->control_steps, ceil(needed));
    if ((p->controls || p->control) && lg_model_control_count(p->model) == 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: there are controls, but %s has none", WHO, lg_model_name(p->model));
    return LG_OK;
}

static lg_status identification_check_numbers(const lg_identification_problem *p, lg_error *e)
{
    for (int s = 0; s < p->sample_count; s++) {
        const double after = s > 0 ? p->times[s - 1] : p->t0;
        if (!isfinite(p->times[s]) || p->times[s] < after)
            return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the time of sample %d is %g; expected a time from %g on", WHO, s,
                           p->times[s], after);
    }
    for (int i = 0; p->sigma && i < p->column_count; i++)
        if (!(p->sigma[i] > 0) || !isfinite(p->sigma[i]))
            return lg_fail(e, LG_ERROR_ARGUMENT, "%s: sigma of column %d is %g; expected a positive number", WHO, i,
                           p->sigma[i]);
    for (int k = 0; k < p->sample_count * p->column_count; k++)
        if (isinf(p->values[k]))
            return lg_fail(e, LG_ERROR_ARGUMENT, "%s: column %d of sample %d is infinite; NaN is a missing value", WHO,
                           k % p->column_count, k / p->column_count);
    return LG_OK;
}

static lg_status identification_check_unknowns(const lg_identification_problem *p, lg_error *e)
{
    for (int j = 0; j < p->unknown_count; j++) {
        const lg_unknown *u = &p->unknowns[j];
        if (!u->name) return lg_fail(e, LG_ERROR_ARGUMENT, "%s: unknown %d has no name", WHO, j);
        if (u->initial != 0 && u->initial != 1)
            return lg_fail(e, LG_ERROR_ARGUMENT, "%s: initial of '%s' is %d; expected 0 or 1", WHO, u->name,
                           u->initial);
        if (!(u->scale >= 0) || !isfinite(u->scale))
            return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the scale of '%s' is %g; expected a positive number, or 0", WHO,
                           u->name, u->scale);
        for (int k = 0; k < j; k++)
            if (p->unknowns[k].initial == u->initial && strcmp(p->unknowns[k].name, u->name) == 0)
                return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the unknown '%s' is there twice", WHO, u->name);
    }
    return LG_OK;
}

lg_status lg_identification_take(lg_identification_problem *own, lg_motion_options *options,
                                 const lg_identification_problem *problem, lg_error *e)
{
    lg_identification_problem_init(own, sizeof *own, NULL);
    if (!problem) return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the problem is missing", WHO);
    lg_status st = lg_sized_take(&problem_size, own, problem, e);
    if (st == LG_OK) st = lg_motion_options_take(options, own->model, own->options, e);
    if (st != LG_OK) return st;
    own->options = options;
    if (!own->controls) own->control_steps = 0;
    if (!(options->step > 0))
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the step is %g; expected a positive one", WHO, options->step);
    st = identification_check_counts(own, e);
    if (st == LG_OK) st = identification_check_numbers(own, e);
    return st == LG_OK ? identification_check_unknowns(own, e) : st;
}

/* ---- columns ---- */

static int identification_column(const lg_identification_problem *p, const char *name)
{
    for (int i = 0; i < p->column_count; i++)
        if (p->columns[i] && strcmp(p->columns[i], name) == 0) return i;
    return -1;
}

/* Where "qx", "qy", "qz" or "qw" is a word of the name; NULL: nowhere. */
static const char *identification_quaternion(const char *name)
{
    for (const char *at = strchr(name, 'q'); at; at = strchr(at + 1, 'q'))
        if ((at == name || at[-1] == '_') && at[1] && strchr("xyzw", at[1]) && (at[2] == '\0' || at[2] == '_'))
            return at;
    return NULL;
}

/* The column whose name differs from this one in the letter at `at` alone, which is `letter`; -1: it is missing. */
static int identification_part(const lg_identification_problem *p, const char *name, const char *at, char letter)
{
    const size_t before = (size_t)(at - name);
    for (int i = 0; i < p->column_count; i++) {
        const char *other = p->columns[i];
        if (other && strncmp(other, name, before) == 0 && other[before] == letter &&
            strcmp(other + before + 1, at + 1) == 0)
            return i;
    }
    return -1;
}

/* Column i as a part of an attitude, of which all four must be there. */
static lg_status identification_take_attitude(lg_identification *id, const lg_identification_problem *p, int i,
                                              const char *at)
{
    lg_measured_column *c = &id->column[i];
    c->kind = at[1] == 'x' ? LG_MEASURED_ATTITUDE : LG_MEASURED_PART;
    for (int k = 0; k < 4; k++) {
        c->part[k] = identification_part(p, p->columns[i], at + 1, "xyzw"[k]);
        if (c->part[k] < 0)
            return lg_fail(&id->error, LG_ERROR_ARGUMENT, "%s: '%s' is a part of an attitude; '%.*s%c%s' is missing",
                           WHO, p->columns[i], (int)(at + 1 - p->columns[i]), p->columns[i], "xyzw"[k], at + 2);
    }
    if (id->sigma[c->part[0]] != id->sigma[i]) /* both are copies */
        return lg_fail(&id->error, LG_ERROR_ARGUMENT, "%s: sigma of '%s' is %g; expected that of '%s', %g", WHO,
                       p->columns[i], id->sigma[i], p->columns[c->part[0]], id->sigma[c->part[0]]);
    return LG_OK;
}

static lg_status identification_take_column(lg_identification *id, const lg_identification_problem *p, int i)
{
    const char *name = p->columns[i];
    if (!name) return lg_fail(&id->error, LG_ERROR_ARGUMENT, "%s: column %d has no name", WHO, i);
    const int at = lg_model_column_find(id->model, name);
    const lg_column *column = lg_model_column(id->model, at);
    if (!column)
        return lg_fail(&id->error, LG_ERROR_ARGUMENT, "%s: %s has no column '%.60s'", WHO, lg_model_name(id->model),
                       name);
    if (identification_column(p, name) != i)
        return lg_fail(&id->error, LG_ERROR_ARGUMENT, "%s: the column '%s' is there twice", WHO, name);
    const int placed = column->kind == LG_COLUMN_CONFIGURATION;
    id->column[i].at = at;
    id->column[i].kind =
        placed && column->unit && strcmp(column->unit, "rad") == 0 ? LG_MEASURED_ANGLE : LG_MEASURED_NUMBER;
    const char *quaternion = placed ? identification_quaternion(name) : NULL;
    return quaternion ? identification_take_attitude(id, p, i, quaternion) : LG_OK;
}

/* The size of the values of a column, to which changes are compared. */
static double identification_size(const lg_identification *id, int i)
{
    double size = 0;
    if (id->column[i].kind != LG_MEASURED_NUMBER) return 1;
    for (int s = 0; s < id->S; s++) size = lg_larger(size, fabs(id->values[s * id->C + i]));
    return size > 0 ? size : 1;
}

/* Scales the quaternions to length 1, drops those with a part that is missing, and counts measurements. */
static lg_status identification_take_values(lg_identification *id)
{
    for (int s = 0; s < id->S; s++) {
        double *v = id->values + s * id->C;
        for (int i = 0; i < id->C; i++) {
            const lg_measured_column *c = &id->column[i];
            double norm = 0;
            if (c->kind == LG_MEASURED_ATTITUDE) {
                for (int k = 0; k < 4; k++) norm += v[c->part[k]] * v[c->part[k]];
                norm = sqrt(norm);
                if (fabs(norm - 1) > OFF_UNIT)
                    return lg_fail(&id->error, LG_ERROR_ARGUMENT,
                                   "%s: the attitude of column %d in sample %d has length %g; expected 1", WHO, i, s,
                                   norm);
                for (int k = 0; k < 4; k++) v[c->part[k]] /= norm;
            }
            if (c->kind != LG_MEASURED_PART && !isnan(c->kind == LG_MEASURED_ATTITUDE ? norm : v[i]))
                id->measurements += c->kind == LG_MEASURED_ATTITUDE ? 3 : 1;
        }
    }
    if (id->measurements < id->P)
        return lg_fail(&id->error, LG_ERROR_ARGUMENT, "%s: %d measurements for %d unknowns; expected at least as many",
                       WHO, id->measurements, id->P);
    return LG_OK;
}

/* ---- the first guess ---- */

/* x[j] = what the model has of an initial value: that of a motion at the start. */
static lg_status identification_guess(lg_identification *id)
{
    lg_motion *mo = NULL;
    lg_status st = lg_motion_create(&mo, id->model, &id->options);
    if (st == LG_OK) st = lg_motion_start(mo, id->t0, NULL, 1);
    if (st == LG_OK) st = lg_motion_row(mo, id->row);
    if (st != LG_OK) (void)lg_fail(&id->error, st, "%s: the start: %s", WHO, lg_motion_message(mo));
    for (int j = 0; j < id->P && st == LG_OK; j++) {
        lg_unknown *u = &id->unknown[j];
        const int at = lg_model_column_find(id->model, u->name);
        if (!u->initial)
            st = lg_model_get(id->model, &id->x[j], u->name);
        else
            id->x[j] = at >= 0 ? id->row[at] : 0;
        if (st == LG_OK) /* for its message */
            st = u->initial ? lg_model_set_initial(id->model, u->name, id->x[j]) : LG_OK;
        else
            st = lg_model_set(id->model, u->name, 0);
        if (st != LG_OK) (void)lg_fail(&id->error, st, "%s: %s", WHO, lg_model_message(id->model));
        if (u->scale == 0) u->scale = id->x[j] != 0 ? fabs(id->x[j]) : 1;
        id->h[j] = DIFFERENCE * u->scale;
    }
    lg_motion_destroy(mo);
    return st;
}

lg_status lg_identification_fill(lg_identification *id, const lg_identification_problem *p)
{
    lg_status st = LG_OK;
    memcpy(id->times, p->times, sz(id->S) * sizeof *id->times);
    memcpy(id->values, p->values, sz(id->M) * sizeof *id->values);
    if (p->controls)
        memcpy(id->controls, p->controls,
               (size_t)p->control_steps * sz(lg_model_control_count(id->model)) * sizeof *id->controls);
    for (int i = 0; i < id->C; i++) id->sigma[i] = p->sigma ? p->sigma[i] : 1;
    for (int i = 0; i < id->C && st == LG_OK; i++) st = identification_take_column(id, p, i);
    if (st == LG_OK) st = identification_take_values(id);
    for (int i = 0; i < id->C; i++) id->column[i].size = identification_size(id, i);
    return st == LG_OK ? identification_guess(id) : st;
}
