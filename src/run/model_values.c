/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters and initial data of a model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/parameters.h>

#include "multibody/mechanism.h"
#include "run/model_private.h"
#include "run/motion_columns.h"

/* Parameters ---------------------------------------------------------------------------------------------------- */

static int find_parameter(const lg_model_definition *d, const char *name)
{
    for (int i = 0; name != NULL && i < d->parameter_count; i++) {
        if (strcmp(d->parameters[i].name, name) == 0) return i;
    }
    return -1;
}

/* Appends ", word" to a list in text. */
static void append(char *text, size_t room, const char *word)
{
    const size_t used = strlen(text);
    if (used < room) snprintf(text + used, room - used, "%s%s", used > 0 ? ", " : "", word);
}

static lg_status unknown_parameter(lg_error *e, const lg_model_definition *d, const char *name)
{
    char list[LG_MESSAGE_SIZE] = "";
    for (int i = 0; i < d->parameter_count; i++) append(list, sizeof list, d->parameters[i].name);
    return lg_fail(e, LG_ERROR_ARGUMENT, "unknown parameter '%.60s' of %s; it has %s", name != NULL ? name : "(NULL)",
                   d->name, d->parameter_count > 0 ? list : "none");
}

static int in_range(const lg_parameter *p, double value)
{
    return p->open ? value > p->low && value < p->high : value >= p->low && value <= p->high;
}

/* "> 0", ">= 0", "< 1", "in [0, 1]": what p allows. */
static void describe_range(const lg_parameter *p, char *text, size_t room)
{
    const char *equal = p->open ? "" : "=";
    if (isfinite(p->low) && isfinite(p->high)) {
        snprintf(text, room, "in %c%g, %g%c", p->open ? '(' : '[', p->low, p->high, p->open ? ')' : ']');
    } else if (isfinite(p->low)) {
        snprintf(text, room, ">%s %g", equal, p->low);
    } else if (isfinite(p->high)) {
        snprintf(text, room, "<%s %g", equal, p->high);
    } else {
        snprintf(text, room, "finite");
    }
}

/* The fewest significant digits, 15 to 17, that give the number back. */
static int digits_of(double value)
{
    char text[40];
    int digits = 15;
    for (; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return digits;
}

/* The mechanism is compiled with it when it is needed, since only all parameters together need be possible. */
static lg_status set_of_mechanism(lg_model *M, const char *parameter, double value)
{
    lg_status status = M->described == NULL ? mb_describe_again(&M->described, M->mechanism) : LG_OK;
    if (status != LG_OK) {
        lg_mechanism_destroy(M->described);
        M->described = NULL;
        return lg_fail(&M->error, status, "%s: out of memory", M->name);
    }
    M->ready = 0;
    status = lg_mechanism_set_parameter(M->described, parameter, value);
    if (status == LG_OK) return LG_OK;
    return lg_fail(&M->error, status, "%s: %s", M->name,
                   parameter != NULL ? lg_mechanism_message(M->described) : "the name of a parameter is NULL");
}

lg_status lg_model_set(lg_model *M, const char *parameter, double value)
{
    const lg_status status = lg_model_begin(M);
    const lg_parameter *p;
    char range[80], unit[48] = "";
    int i;
    if (status != LG_OK) return status;
    if (M->mechanism != NULL) return set_of_mechanism(M, parameter, value);
    i = find_parameter(M->definition, parameter);
    if (i < 0) return unknown_parameter(&M->error, M->definition, parameter);
    p = &M->definition->parameters[i];
    if (!isfinite(value)) {
        snprintf(range, sizeof range, "finite");
    } else if (!in_range(p, value)) {
        describe_range(p, range, sizeof range);
    } else {
        M->param[i] = value;
        M->ready = 0;
        lg_scene_destroy(M->scene);
        M->scene = NULL;
        return LG_OK;
    }
    if (p->unit != NULL && p->unit[0] != '\0') snprintf(unit, sizeof unit, " (%s)", p->unit);
    return lg_fail(&M->error, LG_ERROR_ARGUMENT, "parameter '%s' of %s must be %s%s, got %.*g", p->name,
                   M->definition->name, range, unit, digits_of(value), value);
}

lg_status lg_model_get(const lg_model *M, double *value, const char *parameter)
{
    if (!lg_model_is_made(M) || value == NULL) return LG_ERROR_ARGUMENT;
    const lg_mechanism *m = M->described != NULL ? M->described : M->mechanism;
    const int i = m != NULL ? lg_mechanism_parameter(m, parameter) : find_parameter(M->definition, parameter);
    if (i < 0) return LG_ERROR_ARGUMENT;
    *value = m != NULL ? lg_mechanism_parameter_value(m, i) : M->param[i];
    return LG_OK;
}

/* Initial data -------------------------------------------------------------------------------------------------- */

/* Where in M->initial a column is; -1: no such column, or none that a start has. */
static int find_initial(const lg_model *M, const char *column)
{
    const int i = lg_model_column_find(M, column);
    const int counts = i >= 0 && (M->column[i].kind == LG_COLUMN_CONFIGURATION ||
                                  M->column[i].kind == LG_COLUMN_VELOCITY || M->column[i].kind == LG_COLUMN_ACTIVATION);
    return !counts ? -1 : M->mechanism != NULL ? i : i - LG_ROW_CONFIGURATION;
}

static lg_status unknown_initial(lg_model *M, const char *column)
{
    char list[LG_MESSAGE_SIZE] = "", last[32];
    if (M->mechanism != NULL)
        return lg_fail(
            &M->error, LG_ERROR_ARGUMENT,
            "unknown initial value '%.60s' of %s; it has the columns of positions, velocities and activations",
            column != NULL ? column : "(NULL)", M->name);
    for (int k = 0; k < M->columns; k++) append(list, sizeof list, M->names[LG_ROW_CONFIGURATION + k]);
    snprintf(last, sizeof last, "xi_1 ... xi_%d", M->n);
    append(list, sizeof list, last);
    return lg_fail(&M->error, LG_ERROR_ARGUMENT, "unknown initial value '%.60s' of %s; it has %s",
                   column != NULL ? column : "(NULL)", M->definition->name, list);
}

lg_status lg_model_set_initial(lg_model *M, const char *column, double value)
{
    const lg_status status = lg_model_begin(M);
    int i;
    if (status != LG_OK) return status;
    i = find_initial(M, column);
    if (i < 0) return unknown_initial(M, column);
    if (!isfinite(value)) {
        return lg_fail(&M->error, LG_ERROR_ARGUMENT, "initial value '%s' of %s must be finite, got %g", column,
                       lg_model_name(M), value);
    }
    M->initial[i] = value;
    if (M->mechanism != NULL && M->ready) M->with->initial[i] = value;
    return LG_OK;
}

lg_status lg_model_initial_from(const lg_model *M, const double *given, double *g0, double *xi0, int *said, lg_error *e)
{
    const double t = 0;
    const lg_call c = {.lanes = 1, .times = &t, .param = M->param, .context = M->definition->callbacks.model_context};
    memset(g0, 0, (size_t)M->group->element_size * sizeof *g0);
    memset(xi0, 0, (size_t)M->n * sizeof *xi0);
    const int code = M->definition->initial(&c, g0, xi0);
    if (code != 0)
        return lg_fail(e, LG_ERROR_CALLBACK, "%s: the initial data's callback returned %d", M->definition->name, code);
    lg_error error = {LG_OK, ""};
    const lg_status status = lg_columns_read(M->group, g0, given, &error);
    if (status != LG_OK) return lg_fail(e, status, "%s: %.280s", M->definition->name, error.message);
    given += M->columns;
    *said = 0;
    for (int i = 0; i < M->n; i++) {
        if (isnan(given[i])) continue;
        xi0[i] = given[i];
        *said = 1;
    }
    return LG_OK;
}

lg_status lg_model_initial(lg_model *M, double *g0, double *xi0, int *velocity_given)
{
    int said = 0;
    lg_status status = lg_model_begin(M);
    if (status == LG_OK && M->mechanism != NULL)
        return lg_fail(&M->error, LG_ERROR_UNSUPPORTED,
                       "lg_model_initial: %s is the model of a mechanism; start a motion and read its state", M->name);
    if (status == LG_OK) status = lg_model_initial_from(M, M->initial, M->element, M->velocity, &said, &M->error);
    if (status != LG_OK) return status;
    if (g0 != NULL) memcpy(g0, M->element, (size_t)M->group->element_size * sizeof *g0);
    if (xi0 != NULL) memcpy(xi0, M->velocity, (size_t)M->n * sizeof *xi0);
    if (velocity_given != NULL) *velocity_given = said;
    return LG_OK;
}
