/* SPDX-License-Identifier: BSD-3-Clause */
/* The identification as an object: creation, memory, what can be read. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "run/identification_private.h"
#include "run/model_private.h"

static char *identification_text(lg_arena *a, const char *text)
{
    const size_t bytes = text ? strlen(text) + 1 : 0;
    char *copy = lg_take(a, bytes);
    if (copy && text) memcpy(copy, text, bytes);
    return text ? copy : NULL;
}

static void identification_carve(lg_identification *id, const lg_identification_problem *p, lg_arena *a)
{
    const size_t P = sz(id->P), C = sz(id->C), S = sz(id->S), M = sz(id->M);
    id->unknown = lg_take(a, P * sizeof *id->unknown), id->column = lg_take(a, C * sizeof *id->column);
    for (int j = 0; j < id->P; j++) {
        const char *name = identification_text(a, p->unknowns[j].name);
        if (id->unknown) id->unknown[j] = p->unknowns[j], id->unknown[j].name = name;
    }
    id->options.method = identification_text(a, id->options.method);
    id->options.retraction = identification_text(a, id->options.retraction);
    id->sigma = lg_take_doubles(a, C), id->times = lg_take_doubles(a, S), id->values = lg_take_doubles(a, M);
    id->x = lg_take_doubles(a, P), id->predicted = lg_take_doubles(a, M), id->r = lg_take_doubles(a, M);
    id->trial_x = lg_take_doubles(a, P), id->trial_predicted = lg_take_doubles(a, M);
    id->trial_r = lg_take_doubles(a, M);
    id->row = lg_take_doubles(a, sz(lg_model_column_count(p->model)));
    id->control_now = lg_take_doubles(a, sz(lg_model_control_count(p->model)));
    id->controls = lg_take_doubles(a, (size_t)p->control_steps * sz(lg_model_control_count(p->model)));
    id->J = lg_take_doubles(a, M * (P + 1)), id->length = lg_take_doubles(a, P);
    id->B = lg_take_doubles(a, P * P), id->V = lg_take_doubles(a, P * P), id->singular = lg_take_doubles(a, P);
    id->share = lg_take_doubles(a, P), id->step = lg_take_doubles(a, P);
    id->h = lg_take_doubles(a, P);
}

/* *id = the object with its memory and without a run. */
static lg_status identification_reserve(lg_identification **id, const lg_identification_problem *p, lg_error *e)
{
    lg_identification probe = {0};
    lg_arena a = {NULL, 0};
    probe.options = *p->options;
    probe.P = p->unknown_count, probe.C = p->column_count, probe.S = p->sample_count, probe.M = probe.C * probe.S;
    identification_carve(&probe, p, &a);
    const size_t head = lg_aligned(sizeof probe), bytes = head + a.used;
    lg_identification *made = lg_reserve(bytes);
    if (!made) return lg_fail(e, LG_ERROR_MEMORY, "lg_identification_create: out of memory (%zu bytes)", bytes);
    made->P = probe.P, made->C = probe.C, made->S = probe.S, made->M = probe.M;
    made->options = *p->options, made->t0 = p->t0;
    made->control = p->control, made->control_context = p->control_context, made->control_steps = p->control_steps;
    made->rank = -1, made->correction = NAN, made->estimates_sigma = p->sigma == NULL;
    a = (lg_arena){(char *)made + head, 0};
    identification_carve(made, p, &a);
    *id = made;
    const lg_status st = lg_model_copy(&made->model, p->model, e);
    if (st != LG_OK) lg_model_destroy(made->model), made->model = NULL;
    return st;
}

lg_status lg_identification_create(lg_identification **out, const lg_identification_problem *problem)
{
    lg_error e = {LG_OK, ""};
    lg_identification_problem own;
    lg_motion_options options;
    lg_identification *id = NULL;
    if (!out) return LG_ERROR_ARGUMENT;
    lg_status st = lg_identification_take(&own, &options, problem, &e);
    if (st == LG_OK) st = identification_reserve(&id, &own, &e);
    if (st == LG_OK && (st = lg_identification_fill(id, &own)) != LG_OK) e = id->error;
    if (st == LG_OK && (st = lg_identification_evaluate(id, id->x, id->predicted, id->r)) != LG_OK)
        (void)lg_fail(&e, st, "lg_identification_create: the run of the first guess: %s", id->error.message);
    if (st == LG_OK) {
        id->chi2 = lg_dot(id->r, id->r, id->M);
    } else {
        lg_identification_destroy(id);
        id = e.status == LG_ERROR_MEMORY ? NULL : lg_reserve(sizeof *id);
        if (id) id->error = e;
    }
    *out = id;
    return st;
}

void lg_identification_destroy(lg_identification *id)
{
    if (id) lg_model_destroy(id->model);
    lg_release(id);
}

const char *lg_identification_message(const lg_identification *id)
{
    return id ? id->error.message : LG_NO_OBJECT("identification");
}

/* ---- reading ---- */

lg_status lg_identification_read(const lg_identification *id, lg_identification_figures *f, size_t size)
{
    if (!id || !id->model || !f || !size) return LG_ERROR_ARGUMENT;
    const int freedom = id->measurements - (id->rank < 0 ? id->P : id->rank);
    const lg_identification_figures full = {.chi2 = id->chi2,
                                            .measurements = id->measurements,
                                            .rank = id->rank,
                                            .iterations = id->iterations,
                                            .solved = id->solved,
                                            .scatter = freedom > 0 ? sqrt(id->chi2 / freedom) : NAN,
                                            .correction = id->correction};
    memset(f, 0, size);
    memcpy(f, &full, size < sizeof full ? size : sizeof full);
    return LG_OK;
}

const double *lg_identification_values(const lg_identification *id)
{
    return id && id->model ? id->x : NULL;
}

const double *lg_identification_predicted(const lg_identification *id)
{
    return id && id->model ? id->predicted : NULL;
}

lg_status lg_identification_covariance(const lg_identification *id, double *covariance)
{
    lg_identification_figures f;
    if (!id || !covariance || id->rank < 0) return LG_ERROR_ARGUMENT;
    if (lg_identification_read(id, &f, sizeof f) != LG_OK) return LG_ERROR_ARGUMENT;
    const int P = id->P;
    const double variance = id->estimates_sigma ? f.scatter * f.scatter : 1;
    for (int i = 0; i < P; i++)
        for (int j = 0; j < P; j++) {
            double sum = 0;
            for (int k = 0; k < id->rank; k++)
                sum += variance * id->V[k * P + i] * id->V[k * P + j] / (id->singular[k] * id->singular[k]);
            for (int k = id->rank; k < P; k++) {
                const double both = id->V[k * P + i] * id->V[k * P + j];
                if (i == j && fabs(both) > 1e-12) sum = INFINITY;
                if (i != j && fabs(both) > 1e-12) sum = NAN;
            }
            covariance[i * P + j] = sum / (id->length[i] * id->length[j]);
        }
    return LG_OK;
}
