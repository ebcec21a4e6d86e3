/* SPDX-License-Identifier: BSD-3-Clause */
/* Constant inertia and rows for parameters nearby: lg_callbacks::arrays computes them, and the implicit copy takes them
 * before a residual is sampled. What cannot be computed makes derivatives with respect to that parameter unknown. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "integrators/engine/wide.h"
#include "integrators/linearisation/linearisation.h"

/* Arrays that lg_callbacks::arrays may compute. */
static int arrays_computable(const lg_system *S)
{
    return S->callbacks.metric == NULL || S->covector_matrix != NULL;
}

/* The list of constants (spans.c); how many arrays. */
static int arrays_list(const lg_workspace *w, int at, lg_span *s)
{
    return at ? lg_workspace_block(w, at - 1, s) : lg_workspace_constants(w, s);
}

int lg_arrays_constants(const lg_integrator *it)
{
    const lg_workspace *w = it->workspace;
    lg_span s[LG_SPANS];
    int all = 0;
    for (int at = 0; at <= it->plan.flow_count; at++)
        for (int k = 0, spans = arrays_list(w, at, s); k < spans; k++) all += s[k].count;
    return all;
}

void lg_arrays_carve(lg_arrays *o, lg_arena *a, const lg_integrator *copy)
{
    const lg_system *S = &copy->S;
    const size_t n = sz(S->group->dim), count = sz(S->parameter_count);
    o->unknown = lg_take(a, count * sizeof *o->unknown);
    o->make = count && arrays_computable(S) ? S->callbacks.arrays : NULL;
    if (!o->make) return;
    o->inertia = lg_take_doubles(a, n * n), o->rows = lg_take_doubles(a, sz(S->constraint_count) * n);
    o->values = lg_take_doubles(a, count), o->known = lg_take_doubles(a, count);
    o->constants = lg_arrays_constants(copy);
    o->slope = lg_take_doubles(a, count * sz(o->constants)), o->size = lg_take_doubles(a, sz(o->constants));
    if (a->base) lg_fill_nan(o->known, (int)count);
}

/* The arrays of S for parameter values `param`, into J and rows; nonzero: refused. */
static int arrays_make(const lg_system *S, const double *param, double *J, double *rows, char *why)
{
    const size_t n = sz(S->group->dim), m = sz(S->constraint_count);
    const double t = 0;
    const lg_call c = {.context = S->context, .param = param, .lanes = 1, .times = &t};
    memset(J, 0, n * n * sizeof *J);
    memset(rows, 0, m * n * sizeof *rows);
    why[0] = '\0';
    const int bad = S->callbacks.arrays(&c, J, S->covector_matrix ? rows : NULL, why);
    why[LG_MESSAGE_SIZE - 1] = '\0';
    return bad || !lg_all_finite(J, (int)(n * n)) || !lg_all_finite(rows, (int)(m * n));
}

static double arrays_entry(const lg_system *S, int i, int j)
{
    const int n = S->group->dim;
    if (S->inertia) return S->inertia[i * n + j];
    return i == j ? S->inertia_diagonal[i] : 0;
}

/* ---- the form of the inertia ---- */

/* J != 0 wherever `other` is. The smallest number stands for 0: it is there until a derivative begins. */
static int arrays_add_places(double *J, const double *other, int n)
{
    int added = 0;
    for (int i = 0; i < n * n; i++)
        if (J[i] == 0 && other[i] != 0) J[i] = DBL_TRUE_MIN, added = 1;
    return added;
}

static int arrays_collect(const lg_system *S, double *J, double *other, double *rows, double *param)
{
    char why[LG_MESSAGE_SIZE];
    int added = 0;
    for (int k = 0; k < S->parameter_count; k++) {
        const double value = param[k], e = value != 0 ? fabs(value) / 64 : 1.0 / 64;
        for (int side = -1; side <= 1; side += 2) {
            param[k] = value + side * e;
            if (arrays_make(S, param, other, rows, why) == 0) added |= arrays_add_places(J, other, S->group->dim);
        }
        param[k] = value;
    }
    return added;
}

lg_status lg_arrays_widen(lg_system *wide, double **memory, const lg_system *S)
{
    const int n = S->group->dim;
    const size_t square = sz(n) * sz(n), rows = sz(S->constraint_count) * sz(n), count = sz(S->parameter_count);
    *wide = *S, *memory = NULL;
    if (!count || !S->callbacks.arrays || S->callbacks.metric) return LG_OK;
    double *J = malloc((2 * square + rows + count) * sizeof *J);
    if (!J) return LG_ERROR_MEMORY;
    *memory = J;
    double *param = J + 2 * square + rows;
    memcpy(param, S->parameter_values, count * sizeof *param);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) J[i * n + j] = arrays_entry(S, i, j);
    if (arrays_collect(S, J, J + square, J + 2 * square, param)) wide->inertia = J, wide->inertia_diagonal = NULL;
    return LG_OK;
}

/* ---- what is not known ---- */

/* The parameter that is input x; -1 for other inputs. */
static int arrays_parameter(const lg_linearisation *lin, int input)
{
    const int first = 2 * lin->implicit_copy->plan.n + lin->controls + 1;
    return input >= first ? input - first : -1;
}

int lg_arrays_unknown(const lg_linearisation *lin, int input)
{
    const int k = arrays_parameter(lin, input);
    return k >= 0 && lin->arrays.unknown[k];
}

static void arrays_lose(lg_linearisation *lin, const char *why)
{
    lg_arrays *o = &lin->arrays;
    for (int i = 0; i < lin->implicit_copy->S.parameter_count; i++) o->unknown[i] = 1;
    snprintf(o->why, sizeof o->why, "%s", why);
}

/* Are the arrays of S what is made of its parameters? Users add in another order. */
static int arrays_agree(lg_arrays *o, const lg_system *S)
{
    const double close = 1e-10;
    const int n = S->group->dim, count = S->constraint_count * n;
    char why[LG_MESSAGE_SIZE];
    if (arrays_make(S, S->parameter_values, o->inertia, o->rows, why)) return 0;
    const double size = lg_norm_max(o->inertia, n * n), length = lg_norm_max(o->rows, count);
    for (int i = 0; S->callbacks.metric == NULL && i < n; i++)
        for (int j = 0; j < n; j++)
            if (!(fabs(o->inertia[i * n + j] - arrays_entry(S, i, j)) <= close * size)) return 0;
    for (int i = 0; S->covector_matrix && i < count; i++)
        if (!(fabs(o->rows[i] - S->covector_matrix[i]) <= close * length)) return 0;
    return 1;
}

int lg_arrays_begin(lg_linearisation *lin, const lg_integrator *it)
{
    lg_arrays *o = &lin->arrays;
    lg_error e = {LG_OK, ""};
    const lg_system *S = o->base = &it->S;
    const int count = S->parameter_count;
    o->why[0] = '\0';
    for (int k = 0; k < count; k++) o->unknown[k] = 0;
    if (count && S->projector_metric)
        arrays_lose(lin, "the system has a projector_metric, and nothing says how it depends on them");
    else if (count && arrays_computable(S) && !o->make)
        arrays_lose(lin, "the system has arrays (inertia, rows), and nothing says how they depend on them; set "
                         "lg_callbacks::arrays");
    else if (o->make && !arrays_agree(o, S))
        arrays_lose(lin, "the arrays of the system (inertia, rows) are not what lg_callbacks::arrays gives for its "
                         "parameters; pass those");
    if (lg_integrator_adopt(lin->implicit_copy, S, &e) != LG_OK) return 1;
    if (o->make) memcpy(o->values, S->parameter_values, sz(count) * sizeof *o->values);
    return 0;
}

void lg_arrays_end(lg_linearisation *lin)
{
    const lg_arrays *o = &lin->arrays;
    const lg_system *S = &lin->implicit_copy->S;
    char names[LG_MESSAGE_SIZE] = "";
    int listed = 0;
    for (int k = 0; k < S->parameter_count; k++) {
        const size_t used = strlen(names), room = 120 - used;
        if (!o->unknown[k] || used > 100) continue;
        if (S->parameters)
            snprintf(names + used, room, "%s'%.40s'", listed ? ", " : "", S->parameters[k].name);
        else
            snprintf(names + used, room, "%s%d", listed ? ", " : "", k + 1);
        listed = 1;
    }
    if (!listed) return;
    (void)lg_fail(&lin->error, LG_OK,
                  "lg_linearisation_compute: the derivatives with respect to parameters (%s) are not known (NaN): %s",
                  names, o->why);
}

/* ---- samples ---- */

static int arrays_refuse(lg_linearisation *lin)
{
    lg_arrays *o = &lin->arrays;
    o->refused = 1;
    lg_fill_nan(o->values, lin->implicit_copy->S.parameter_count); /* nothing is known of what the copy has */
    return lg_workspace_fail_status(lin->implicit_copy->workspace, LG_ERROR_CALLBACK, "arrays");
}

int lg_arrays_follow(lg_linearisation *lin)
{
    lg_arrays *o = &lin->arrays;
    lg_integrator *copy = lin->implicit_copy;
    const size_t bytes = sz(copy->S.parameter_count) * sizeof *lin->seen;
    lg_error e = {LG_OK, ""};
    char why[LG_MESSAGE_SIZE];
    if (!o->make || !memcmp(o->values, lin->seen, bytes)) return 0;
    lg_system S = *o->base;
    S.parameter_values = lin->seen;
    if (memcmp(o->base->parameter_values, lin->seen, bytes)) {
        if (arrays_make(&S, lin->seen, o->inertia, o->rows, why)) {
            snprintf(o->why, sizeof o->why, "lg_callbacks::arrays refuses a value nearby%s%.150s", why[0] ? ": " : "",
                     why);
            return arrays_refuse(lin);
        }
        if (!S.callbacks.metric) S.inertia = o->inertia, S.inertia_diagonal = NULL;
        if (S.covector_matrix) S.covector_matrix = o->rows;
    }
    if (!lg_plan_holds(&copy->plan, &S) || lg_integrator_adopt(copy, &S, &e) != LG_OK) {
        snprintf(o->why, sizeof o->why, "the arrays for a value nearby are %s",
                 e.status != LG_OK ? "singular" : "of another form");
        return arrays_refuse(lin);
    }
    memcpy(o->values, lin->seen, bytes);
    return 0;
}

int lg_differentiate_input(lg_linearisation *lin, const lg_differenced *f, int column, double scale, int input)
{
    lg_arrays *o = &lin->arrays;
    const int k = arrays_parameter(lin, input);
    o->refused = 0;
    if (!lg_arrays_unknown(lin, input) && lg_differentiate(lin, f, column, scale) == 0) return 0;
    if (k < 0) return 1;
    if (!o->unknown[k] && !o->refused) {
        lg_error e = {LG_OK, ""};
        (void)lg_explain(lin->implicit_copy, "a value nearby", &e);
        snprintf(o->why, sizeof o->why, "%s", e.message);
    }
    o->unknown[k] = 1;
    memset(lin->best, 0, sz(f->end[f->groups - 1]) * sizeof *lin->best);
    return 0;
}

/* ---- the derivatives of constants ---- */

static void arrays_gather(const lg_linearisation *lin, double *to)
{
    const lg_workspace *w = lin->implicit_copy->workspace;
    lg_span s[LG_SPANS];
    for (int at = 0; at <= w->plan->flow_count; at++)
        for (int k = 0, spans = arrays_list(w, at, s); k < spans; to += s[k++].count)
            memcpy(to, s[k].at, sz(s[k].count) * sizeof *to);
}

/* Sizes of the constants at hand, each the largest number of its array. */
static void arrays_measure(lg_linearisation *lin)
{
    const lg_workspace *w = lin->implicit_copy->workspace;
    lg_span s[LG_SPANS];
    double *size = lin->arrays.size;
    for (int at = 0; at <= w->plan->flow_count; at++)
        for (int k = 0, spans = arrays_list(w, at, s); k < spans; k++) {
            const double most = lg_norm_max(s[k].at, s[k].count);
            for (int i = 0; i < s[k].count; i++) *size++ = most > 0 ? most : 1;
        }
}

/* Constants in units of their size, with parameter `column` displaced by e. */
static int arrays_sample(lg_linearisation *lin, int column, double e, double *f)
{
    const lg_arrays *o = &lin->arrays;
    memcpy(lin->seen, lin->parameters, sz(lin->implicit_copy->S.parameter_count) * sizeof *lin->seen);
    if (column >= 0) lin->seen[column] += e;
    if (lg_arrays_follow(lin)) return 1;
    arrays_gather(lin, f);
    for (int i = 0; i < o->constants; i++) f[i] /= o->size[i];
    return 0;
}

int lg_arrays_differentiate(lg_linearisation *lin)
{
    lg_arrays *o = &lin->arrays;
    const int count = lin->implicit_copy->S.parameter_count, first = lin->nx - count;
    const lg_differenced f = {arrays_sample, 1, {o->constants}, {1}};
    int unknown = 0;
    if (!o->make) return 0;
    if (memcmp(o->known, lin->parameters, sz(count) * sizeof *o->known)) {
        const double before = lin->inexact;
        lin->inexact = 0;
        arrays_measure(lin);
        for (int k = 0; k < count; k++) {
            const double value = lin->parameters[k];
            if (lg_differentiate_input(lin, &f, k, value != 0 ? fabs(value) : 1, first + k)) return 1;
            for (int i = 0; i < o->constants; i++) o->slope[k * o->constants + i] = lin->best[i] * o->size[i];
            unknown |= o->unknown[k];
        }
        memcpy(o->known, lin->parameters, sz(count) * sizeof *o->known);
        if (unknown) lg_fill_nan(o->known, count);
        o->inexact = lin->inexact, lin->inexact = before;
    }
    lin->inexact = fmax(lin->inexact, o->inexact);
    return arrays_sample(lin, -1, 0, lin->plus);
}
