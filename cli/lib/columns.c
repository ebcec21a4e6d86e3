/* SPDX-License-Identifier: BSD-3-Clause */
/* Models as systems of the command line. */
#include "cli/lib/columns.h"
#include "cli/lib/forces.h"

#include <stdio.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "run/model_private.h"

enum { FIRST = 2 }; /* of the configuration, after step and t */

int cli_has_units(const lg_model *M)
{
    const lg_model_definition *d = lg_model_describe(M);
    for (int i = 0; d != NULL && i < d->parameter_count; i++) {
        if (d->parameters[i].unit != NULL && d->parameters[i].unit[0] != '\0') return 1;
    }
    return d == NULL;
}

lg_group_block cli_block(const lg_model *M, int b, int *column)
{
    *column = FIRST;
    for (int i = 0; i < b; i++) {
        const lg_group_block before = lg_group_block_at(M->group, i);
        *column += lg_block_columns(&before);
    }
    return lg_group_block_at(M->group, b);
}

static void describe_control(cli_column *c, const lg_model *M, int i)
{
    const lg_column_text *text = lg_model_describe(M)->callbacks.controls;
    snprintf(c->name, sizeof c->name, "u_%d", i + 1);
    snprintf(c->unit, sizeof c->unit, "%s", cli_has_units(M) ? "" : "-");
    snprintf(c->meaning, sizeof c->meaning, "control");
    if (text == NULL) return;
    if (text[i].name != NULL) snprintf(c->name, sizeof c->name, "%s", text[i].name);
    if (text[i].unit != NULL) snprintf(c->unit, sizeof c->unit, "%s", text[i].unit[0] != '\0' ? text[i].unit : "-");
    if (text[i].meaning != NULL) snprintf(c->meaning, sizeof c->meaning, "%s", text[i].meaning);
}

/* A model as a system ---------------------------------------------------------------------------------------------- */

static int model_controls(const cli_system *S)
{
    return lg_model_describe(S->M)->callbacks.control_count;
}

static void model_control(cli_column *c, const cli_system *S, int i)
{
    describe_control(c, S->M, i);
}

static int model_units(const cli_system *S)
{
    return cli_has_units(S->M);
}

static const char *model_plot(const cli_system *S)
{
    return lg_model_describe(S->M)->callbacks.plot;
}

static const char *by_group(const cli_system *S)
{
    (void)S;
    return NULL;
}

static int model_constrained(const cli_system *S)
{
    const lg_model_definition *d = lg_model_describe(S->M);
    return d->constraint_count + d->callbacks.holonomic_count > 0;
}

static int model_configures(const cli_system *S, const char *name)
{
    const int i = lg_model_column_find(S->M, name);
    return i >= 0 && lg_model_column(S->M, i)->kind == LG_COLUMN_CONFIGURATION;
}

static lg_status model_set(const cli_system *S, const char *name, double value, int initial)
{
    return initial ? lg_model_set_initial(S->M, name, value) : lg_model_set(S->M, name, value);
}

static const char *model_message(const cli_system *S)
{
    return lg_model_message(S->M);
}

static const char *model_settable(const cli_system *S, int i, int initial)
{
    const lg_model_definition *d = lg_model_describe(S->M);
    if (!initial) return i < d->parameter_count ? d->parameters[i].name : NULL;
    const lg_column *c = lg_model_column(S->M, FIRST + i);
    return c != NULL && (c->kind == LG_COLUMN_CONFIGURATION || c->kind == LG_COLUMN_VELOCITY) ? c->name : NULL;
}

static const char *model_parameter_unit(const cli_system *S, const char *name)
{
    const lg_model_definition *d = lg_model_describe(S->M);
    for (int i = 0; i < d->parameter_count; i++) {
        if (strcmp(d->parameters[i].name, name) == 0) return d->parameters[i].unit != NULL ? d->parameters[i].unit : "";
    }
    return NULL;
}

static void model_destroy(cli_system *S)
{
    lg_model_destroy(S->M);
    cli_forces_free(S->forces);
    S->M = NULL, S->forces = NULL;
}

const cli_kind cli_model_kind = {
    .noun = "system",
    .controls = model_controls,
    .control = model_control,
    .units = model_units,
    .plot = model_plot,
    .motion = by_group,
    .conserved = by_group,
    .constrained = model_constrained,
    .configures = model_configures,
    .set = model_set,
    .message = model_message,
    .settable = model_settable,
    .parameter_unit = model_parameter_unit,
    .destroy = model_destroy,
};
