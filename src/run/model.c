/* SPDX-License-Identifier: BSD-3-Clause */
/* A model: a definition, the present values of its parameters, what the user said about the initial data, and the
 * system that follows from them. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/parameters.h>

#include "groups/product.h"
#include "run/model_private.h"
#include "run/motion_columns.h"

/* Making and freeing -------------------------------------------------------------------------------------------- */

/* *M = an empty model, which can at least hold a message. */
static lg_status empty(lg_model **M)
{
    *M = calloc(1, sizeof **M);
    return *M != NULL ? LG_OK : LG_ERROR_MEMORY;
}

lg_status lg_model_failed(lg_model **M, lg_status status, const char *format, ...)
{
    char text[LG_MESSAGE_SIZE];
    va_list arguments;
    if (empty(M) != LG_OK) return LG_ERROR_MEMORY;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0) text[0] = '\0';
    va_end(arguments);
    return lg_fail(&(*M)->error, status, "%s", text);
}

/* Has every named quantity a name, and an invariant its callback? */
static lg_status check_names(lg_error *e, const lg_model_definition *d)
{
    for (int i = 0; i < d->parameter_count; i++) {
        if (d->parameters[i].name == NULL || d->parameters[i].name[0] == '\0')
            return lg_fail(e, LG_ERROR_ARGUMENT, "lg_model_create: parameter %d of %s has no name", i + 1, d->name);
    }
    for (int i = 0; i < d->invariant_count; i++) {
        const lg_invariant *invariant = &d->invariants[i];
        if (invariant->name == NULL || invariant->name[0] == '\0')
            return lg_fail(e, LG_ERROR_ARGUMENT, "lg_model_create: invariant %d of %s has no name", i + 1, d->name);
        if (invariant->value == NULL)
            return lg_fail(e, LG_ERROR_ARGUMENT, "lg_model_create: invariant %s of %s has no callback `value`",
                           invariant->name, d->name);
    }
    return LG_OK;
}

/* The user's definition in the library's size, if it is complete. */
static lg_status take_definition(lg_error *e, lg_model_definition *d, const lg_model_definition *given)
{
    static const lg_sized kind = LG_MODEL_DEFINITION_KIND;
    const char *what;
    if (given == NULL) return lg_fail(e, LG_ERROR_ARGUMENT, "lg_model_create: the definition is NULL");
    const lg_status status = lg_sized_take(&kind, d, given, e);
    if (status != LG_OK) return status;
    if (d->name == NULL || d->name[0] == '\0')
        what = "has no name";
    else if ((d->group == NULL) == (d->factors == NULL))
        what = "must have either a group or factors";
    else if (d->factors != NULL && d->factor_count < 1)
        what = "has factors, but not their number";
    else if (d->configure == NULL || d->initial == NULL)
        what = "lacks configure or initial";
    else if (d->parameter_count < 0 || (d->parameter_count > 0 && d->parameters == NULL))
        what = "lacks its parameters";
    else if (d->invariant_count < 0 || (d->invariant_count > 0 && d->invariants == NULL))
        what = "lacks its invariants";
    else if (d->constraint_count < 0 || d->callbacks.holonomic_count < 0 || d->callbacks.control_count < 0)
        what = "has a negative number of constraints, holonomic constraints or controls";
    else if (d->constraint_count > 0 && (d->callbacks.covectors == NULL) == !d->has_constant_rows)
        what = "must have either constant rows or a callback for them";
    else if (!(d->step >= 0 && d->step < INFINITY))
        what = "has a step that is not a finite number, 0 or more";
    else
        what = lg_model_counts(d);
    if (what == NULL) return check_names(e, d);
    return lg_fail(e, LG_ERROR_ARGUMENT, "lg_model_create: the definition of %s %s",
                   d->name != NULL && d->name[0] != '\0' ? d->name : "a model", what);
}

/* The group: the static one, or the product of the factors. */
static lg_status make_group(lg_model *M, const lg_model_definition *d)
{
    lg_status status = LG_OK;
    const lg_group **factors;
    if (d->group != NULL) {
        M->group = d->group();
        return lg_group_validate(M->group, d->name, &M->error);
    }
    factors = calloc((size_t)d->factor_count, sizeof *factors);
    if (factors == NULL) return LG_ERROR_MEMORY;
    for (int i = 0; status == LG_OK && i < d->factor_count; i++) {
        char factor[120];
        snprintf(factor, sizeof factor, "%.90s: factor %d", d->name, i + 1);
        factors[i] = d->factors[i]();
        status = lg_group_validate(factors[i], factor, &M->error);
    }
    if (status == LG_OK) {
        status = lg_group_create_product(&M->product, factors, d->factor_count);
        if (status == LG_ERROR_ARGUMENT)
            (void)lg_fail(&M->error, status, "%s: the product of its factors is too large", d->name);
    }
    free(factors);
    M->group = M->product;
    return status;
}

/* One block for all names: the pointers, then a fixed room each. */
static lg_status make_names(lg_model *M, const lg_model_definition *d)
{
    char *text;
    M->columns = lg_group_columns(M->group);
    M->names_count = LG_ROW_CONFIGURATION + M->columns + 2 * M->n + 4 + d->invariant_count;
    M->names = calloc((size_t)M->names_count, sizeof *M->names + LG_COLUMN_NAME);
    if (M->names == NULL) return LG_ERROR_MEMORY;
    text = (char *)(M->names + M->names_count);
    for (int i = 0; i < M->names_count; i++) M->names[i] = text + (size_t)i * LG_COLUMN_NAME;
    lg_model_name_columns(M);
    M->column = M->own_column = calloc((size_t)M->names_count, sizeof *M->own_column);
    M->texts = calloc((size_t)M->names_count, LG_COLUMN_MEANING);
    if (M->column == NULL || M->texts == NULL) return LG_ERROR_MEMORY;
    lg_model_describe_columns(M);
    return LG_OK;
}

/* One block for all numbers. */
static lg_status make_numbers(lg_model *M, const lg_model_definition *d)
{
    const size_t n = (size_t)M->n, np = (size_t)d->parameter_count, nc = (size_t)M->columns;
    const size_t ng = (size_t)M->group->element_size, rows = (size_t)d->constraint_count * n;
    double *at = calloc(np + (nc + n) + ng + n + n * n + n + rows, sizeof *at);
    if (at == NULL) return LG_ERROR_MEMORY;
    M->param = at, at += np;
    M->initial = at, at += nc + n;
    M->element = at, at += ng;
    M->velocity = at, at += n;
    M->inertia = at, at += n * n;
    M->diagonal = at, at += n;
    M->rows = at;
    for (size_t i = 0; i < np; i++) M->param[i] = d->parameters[i].value;
    for (size_t i = 0; i < nc + n; i++) M->initial[i] = NAN;
    return LG_OK;
}

lg_status lg_model_create(lg_model **M, const lg_model_definition *given)
{
    lg_status status;
    if (M == NULL) return LG_ERROR_ARGUMENT;
    if (empty(M) != LG_OK) return LG_ERROR_MEMORY;
    status = take_definition(&(*M)->error, &(*M)->own, given);
    if (status != LG_OK) return status;
    const lg_model_definition *definition = (*M)->definition = &(*M)->own;
    status = make_group(*M, definition);
    if (status == LG_OK) (*M)->n = lg_group_dim((*M)->group);
    if (status == LG_OK) status = make_names(*M, definition);
    if (status == LG_OK) status = make_numbers(*M, definition);
    if (status == LG_ERROR_MEMORY) (void)lg_fail(&(*M)->error, status, "%s: out of memory", definition->name);
    if (status != LG_OK) (*M)->definition = NULL;
    return status;
}

void lg_model_destroy(lg_model *M)
{
    if (M == NULL) return;
    for (lg_model *with = M->with, *before; with != NULL; with = before) before = with->before, lg_model_destroy(with);
    lg_group_destroy(M->product);
    lg_scene_destroy(M->scene);
    lg_model_destroy(M->dense);
    if (M->mechanism != NULL) {
        lg_motion_columns_destroy(M->bodies);
        free(M->initial);
        free(M->name);
        lg_mechanism_destroy(M->described);
        lg_mechanism_destroy(M->owned);
    } else {
        free(M->names);
        free(M->own_column);
        free(M->texts);
        free(M->param);
    }
    free(M);
}

lg_status lg_model_copy(lg_model **copy, const lg_model *M, lg_error *e)
{
    const int initial = M->mechanism != NULL ? M->names_count : M->columns + M->n;
    const lg_status status = M->described != NULL   ? lg_model_compile(copy, M, e)
                             : M->mechanism != NULL ? lg_model_of_mechanism(copy, M->mechanism, M->name)
                                                    : lg_model_create(copy, &M->own);
    if (status != LG_OK && M->described != NULL) return status;
    if (status != LG_OK)
        return lg_fail(e, status, "%s", *copy != NULL ? lg_model_message(*copy) : lg_status_text(status));
    if (M->param != NULL) memcpy((*copy)->param, M->param, (size_t)M->definition->parameter_count * sizeof *M->param);
    memcpy((*copy)->initial, M->initial, (size_t)initial * sizeof *M->initial);
    return LG_OK;
}

/* Both are copies of what the user gave, byte by byte. */
int lg_model_same(const lg_model *a, const lg_model *b)
{
    return a->definition != NULL && b->definition != NULL && memcmp(&a->own, &b->own, sizeof a->own) == 0;
}

size_t lg_model_bytes(const lg_model *M)
{
    const size_t n = (size_t)M->n, m = (size_t)M->definition->constraint_count,
                 np = (size_t)M->definition->parameter_count;
    const size_t numbers = np + (size_t)M->columns + (size_t)M->group->element_size + 3 * n + n * n + m * n;
    return sizeof *M + (size_t)M->names_count * (sizeof *M->names + LG_COLUMN_NAME) + numbers * sizeof(double);
}

const char *lg_model_message(const lg_model *M)
{
    return M != NULL ? M->error.message : LG_NO_OBJECT("model");
}

const lg_model_definition *lg_model_describe(const lg_model *M)
{
    return M != NULL ? M->definition : NULL;
}

const char *lg_model_name(const lg_model *M)
{
    return !lg_model_is_made(M) ? "" : M->mechanism != NULL ? M->name : M->definition->name;
}

const lg_mechanism *lg_model_mechanism(const lg_model *M)
{
    return M != NULL ? M->mechanism : NULL;
}

int lg_model_control_count(const lg_model *M)
{
    if (!lg_model_is_made(M)) return 0;
    return M->mechanism != NULL ? M->mechanism->plan.controls : M->definition->callbacks.control_count;
}

/* The step of the mechanism's file, or one that suits most mechanisms. */
static double mechanism_step(const lg_mechanism *m)
{
    if (m->gallery > 0) return lg_gallery_step(m->gallery - 1);
    return m->file_step > 0 ? m->file_step : 0.005;
}

double lg_model_default_step(const lg_model *M)
{
    if (!lg_model_is_made(M)) return (double)NAN;
    if (M->mechanism != NULL) return mechanism_step(M->mechanism);
    return M->definition->step > 0 ? M->definition->step : 0.01;
}

lg_status lg_model_begin(lg_model *M)
{
    if (M == NULL) return LG_ERROR_ARGUMENT;
    if (!lg_model_is_made(M)) return M->error.status != LG_OK ? M->error.status : LG_ERROR_ARGUMENT;
    lg_error_clear(&M->error);
    return LG_OK;
}

lg_status lg_model_key(lg_model *M, double *row, int key)
{
    const lg_status status = lg_model_begin(M);
    if (status != LG_OK || row == NULL) return status != LG_OK ? status : LG_ERROR_ARGUMENT;
    if (M->mechanism != NULL) return lg_motion_columns_key(M->bodies, row, key, &M->error);
    return lg_fail(&M->error, LG_ERROR_ARGUMENT, "%s: only a mechanism of a file has keys", lg_model_name(M));
}

/* The system ---------------------------------------------------------------------------------------------------- */

/* The constant inertia: a diagonal one is handed on as such. */
static void set_inertia(lg_model *M, lg_system *S)
{
    const int n = M->n;
    int off = 0;
    for (int i = 0; i < n; i++) {
        M->diagonal[i] = M->inertia[i * n + i];
        for (int j = 0; j < n; j++) off += i != j && M->inertia[i * n + j] != 0;
    }
    if (off == 0) {
        S->inertia_diagonal = M->diagonal;
    } else {
        S->inertia = M->inertia;
    }
}

static lg_status model_configure(lg_model *M)
{
    const lg_model_definition *d = M->definition;
    const size_t n = (size_t)M->n;
    char why[LG_MESSAGE_SIZE] = "";
    const double t = 0;
    const lg_call c = {.context = d->callbacks.model_context, .param = M->param, .lanes = 1, .times = &t};
    memset(M->inertia, 0, n * n * sizeof *M->inertia);
    memset(M->rows, 0, (size_t)d->constraint_count * n * sizeof *M->rows);
    if (d->configure(&c, M->inertia, d->has_constant_rows ? M->rows : NULL, why) == 0) return LG_OK;
    why[sizeof why - 1] = '\0';
    return lg_fail(&M->error, LG_ERROR_ARGUMENT, "%s: %.250s", d->name,
                   why[0] != '\0' ? why : "these parameters are refused");
}

static void set_system(lg_model *M, lg_system *S)
{
    const lg_model_definition *d = M->definition;
    *S = lg_system_default(M->group);
    S->callbacks = d->callbacks;
    S->callbacks.arrays = d->configure;
    S->context = d->callbacks.model_context;
    if (S->callbacks.metric == NULL) set_inertia(M, S);
    S->constraint_count = d->constraint_count;
    if (d->constraint_count > 0 && d->has_constant_rows) S->covector_matrix = M->rows;
    S->parameter_count = d->parameter_count;
    S->parameters = d->parameters;
    S->parameter_values = M->param;
}

lg_status lg_model_assemble(lg_model *M)
{
    const lg_status status = model_configure(M);
    if (status == LG_OK) set_system(M, &M->system);
    return status;
}

lg_status lg_model_system(lg_model *M, const lg_system **S)
{
    lg_error error = {LG_OK, ""};
    lg_status status = lg_model_begin(M);
    if (status != LG_OK || S == NULL) return status != LG_OK ? status : LG_ERROR_ARGUMENT;
    if (M->mechanism != NULL) {
        const lg_model *dense;
        lg_model *now;
        status = lg_model_now(&now, M);
        if (status == LG_OK && (status = lg_model_dense(now, &dense)) != LG_OK && now != M) M->error = now->error;
        return status == LG_OK ? lg_model_system(now->dense, S) : status;
    }
    if (!M->ready) {
        status = lg_model_assemble(M);
        if (status != LG_OK) return status;
        status = lg_system_validate(&M->system, &error);
        if (status != LG_OK) return lg_fail(&M->error, status, "%s: %.280s", M->definition->name, error.message);
        M->ready = 1;
    }
    *S = &M->system;
    return LG_OK;
}

/* Columns ------------------------------------------------------------------------------------------------------- */

int lg_model_column_count(const lg_model *M)
{
    return lg_model_is_made(M) ? M->names_count : 0;
}

const lg_column *lg_model_column(const lg_model *M, int i)
{
    return i >= 0 && i < lg_model_column_count(M) ? &M->column[i] : NULL;
}

int lg_model_column_find(const lg_model *M, const char *name)
{
    if (!lg_model_is_made(M) || name == NULL) return -1;
    if (M->mechanism != NULL) return lg_motion_columns_find(M->bodies, name);
    for (int i = 0; i < M->names_count; i++)
        if (strcmp(M->names[i], name) == 0) return i;
    return -1;
}
