/* SPDX-License-Identifier: BSD-3-Clause */
/* What a definition says of its columns goes first; the rest follows from the group. */
#include "cli/lib/columns.h"

#include <stdio.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "run/model_private.h"

enum { FIRST = 2 }; /* of the configuration, after step and t */

/* What the system says ------------------------------------------------------------------------------------------- */

int cli_has_units(const lg_model *M)
{
    const lg_model_definition *d = lg_model_describe(M);
    for (int i = 0; i < d->parameter_count; i++) {
        if (d->parameters[i].unit != NULL && d->parameters[i].unit[0] != '\0') return 1;
    }
    return 0;
}

static const char *unit_if(const lg_model *M, const char *unit)
{
    return cli_has_units(M) ? unit : "-";
}

static const lg_column_text *find_text(const lg_model *M, const char *name)
{
    const lg_column_text *text = lg_model_describe(M)->callbacks.columns;
    while (text != NULL && text->name != NULL && strcmp(text->name, name) != 0) text++;
    return text != NULL && text->name != NULL ? text : NULL;
}

static void set_unit(cli_column *c, const char *unit)
{
    snprintf(c->unit, sizeof c->unit, "%s", unit[0] != '\0' ? unit : "-");
}

static void set(cli_column *c, const char *unit, const char *meaning)
{
    set_unit(c, unit);
    snprintf(c->meaning, sizeof c->meaning, "%s", meaning);
}

/* Blocks ---------------------------------------------------------------------------------------------------------- */

lg_group_block cli_block(const lg_model *M, int b, int *column)
{
    *column = FIRST;
    for (int i = 0; i < b; i++) {
        const lg_group_block before = lg_group_block_at(M->group, i);
        *column += lg_block_columns(&before);
    }
    return lg_group_block_at(M->group, b);
}

/* Block and place in it of column `at` of the configuration, or (`velocity`) of component `at` of a velocity. */
static lg_group_block place(const lg_model *M, int at, int velocity, int *inside, int *column)
{
    for (int b = 0;; b++) {
        const lg_group_block block = cli_block(M, b, column);
        *inside = at - (velocity ? block.algebra : *column - FIRST);
        if (*inside >= 0 && *inside < (velocity ? block.algebra_size : lg_block_columns(&block))) return block;
    }
}

/* Configuration, velocity, momentum ------------------------------------------------------------------------------- */

static void describe_column(cli_column *c, const lg_model *M, int i);

static const char *const ordinal[] = {"first", "second", "third", "last"};

static void describe_configuration(cli_column *c, const lg_model *M, const lg_group_block *block, int i)
{
    char meaning[120];
    switch (block->kind) {
    case LG_BLOCK_ANGLES:
        set(c, "rad", "angle, unwrapped");
        return;
    case LG_BLOCK_PLANE_ROTATION:
        set(c, "rad", "angle of rotation, unwrapped");
        return;
    case LG_BLOCK_QUATERNION:
        snprintf(meaning, sizeof meaning, "attitude: %s component of the unit quaternion (x, y, z, w)", ordinal[i]);
        set(c, "-", meaning);
        return;
    case LG_BLOCK_POSITION:
    case LG_BLOCK_VELOCITY:
        snprintf(meaning, sizeof meaning, "%s of the body, %s coordinate in space",
                 block->kind == LG_BLOCK_POSITION ? "position" : "velocity", ordinal[i]);
        set(c, unit_if(M, block->kind == LG_BLOCK_POSITION ? "m" : "m/s"), meaning);
        return;
    default:
        snprintf(meaning, sizeof meaning, block->kind == LG_BLOCK_VECTOR ? "coordinate" : "entry %d of the element",
                 i + 1);
        set(c, "-", meaning);
        if (cli_has_units(M)) c->unit[0] = '\0';
    }
}

/* The unit of a velocity or a momentum from that of the coordinate. */
static const char *unit_of_rate(const lg_model *M, const char *unit, int momentum)
{
    if (!cli_has_units(M)) return "-";
    if (strcmp(unit, "m") == 0) return momentum ? "kg m/s" : "m/s";
    if (strcmp(unit, "m/s") == 0) return momentum ? "kg m" : "m/s^2";
    if (strcmp(unit, "rad") == 0) return momentum ? "kg m^2/s" : "rad/s";
    if (strcmp(unit, "-") == 0) return momentum ? "J s" : "1/s";
    return "";
}

/* Component i of a velocity or momentum of the block, whose columns begin at `column`. */
static void describe_rate(cli_column *c, const lg_model *M, const lg_group_block *block, int i, int column,
                          int momentum)
{
    static const struct {
        const char *unit, *text[2], *where; /* unit of the coordinate; velocity, momentum */
    } rates[] = {
        [LG_BLOCK_POSITION] = {"m", {"velocity", "momentum"}, " along the %s axis of the body"},
        [LG_BLOCK_VELOCITY] = {"m/s", {"acceleration", "momentum of the velocity"}, " along the %s axis of the body"},
        [LG_BLOCK_PLANE_ROTATION] = {"rad", {"angular velocity", "angular momentum"}, ""},
        [LG_BLOCK_QUATERNION] = {"rad", {"angular velocity", "angular momentum"}, " about the %s axis of the body"},
        [LG_BLOCK_MATRIX] = {NULL, {NULL, NULL}, NULL},
    };
    if (block->kind == LG_BLOCK_VECTOR || block->kind == LG_BLOCK_ANGLES) {
        cli_column q;
        describe_column(&q, M, column + i);
        snprintf(c->meaning, sizeof c->meaning, momentum ? "momentum of %.80s" : "rate of change of %.80s", q.name);
        snprintf(c->unit, sizeof c->unit, "%s", unit_of_rate(M, q.unit, momentum));
    } else if (rates[block->kind].unit != NULL) {
        const size_t used = (size_t)snprintf(c->meaning, sizeof c->meaning, "%s", rates[block->kind].text[momentum]);
        snprintf(c->meaning + used, sizeof c->meaning - used, rates[block->kind].where, ordinal[i]);
        snprintf(c->unit, sizeof c->unit, "%s", unit_of_rate(M, rates[block->kind].unit, momentum));
    } else {
        snprintf(c->meaning, sizeof c->meaning, "%s, component %d in the algebra", momentum ? "momentum" : "velocity",
                 i + 1);
        snprintf(c->unit, sizeof c->unit, "%s", cli_has_units(M) ? "" : "-");
    }
}

/* The other columns ----------------------------------------------------------------------------------------------- */

/* 1 if it is one of them. */
static int describe_figure(cli_column *c, const lg_model *M)
{
    static const struct {
        const char *name, *unit, *meaning;
    } figures[] = {
        {"step", "-", "number of the step"},
        {"t", "s", "time"},
        {"energy", "J", "energy H at the momentum p~ of the node, which satisfies the constraints"},
        {"energy_post", "J", "H at the momentum p^- that leaves the node; nan but for gni and its relatives"},
        {"constraint", "rows", "residual of the constraints, largest |A (xi - Y)|, in the units of the rows"},
        {"normal", "J^(1/2)", "normal part |p^- - p~| in the metric J^-1; nan but for gni and its relatives"},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (strcmp(figures[i].name, c->name) != 0) continue;
        set(c, unit_if(M, figures[i].unit), figures[i].meaning);
        return 1;
    }
    return 0;
}

static void describe_invariant(cli_column *c, const lg_model *M, int i)
{
    const lg_model_definition *d = lg_model_describe(M);
    const char *meaning = d->invariants[i].meaning;
    set(c, "-", meaning != NULL ? meaning : "invariant");
    if (cli_has_units(M)) c->unit[0] = '\0';
}

static void describe(cli_column *c, const lg_model *M, int i)
{
    const int columns = lg_model_column_count(M), count = lg_run_column_count(M);
    const int invariants = count - lg_model_describe(M)->invariant_count;
    const int n = (invariants - 4 - FIRST - columns) / 2;
    const int rate = i - FIRST - columns; /* number among velocities and momenta */
    lg_group_block block;
    int inside = 0, column = 0;
    set(c, "-", "");
    if (i >= FIRST && rate < 0) {
        block = place(M, i - FIRST, 0, &inside, &column);
        describe_configuration(c, M, &block, inside);
    } else if (i >= FIRST && rate < 2 * n) {
        block = place(M, rate % n, 1, &inside, &column);
        describe_rate(c, M, &block, inside, column, rate >= n);
    } else if (i >= invariants) {
        describe_invariant(c, M, i - invariants);
    } else {
        (void)describe_figure(c, M);
    }
}

static void say(cli_column *c, const lg_column_text *text)
{
    if (text->unit != NULL) set_unit(c, text->unit);
    if (text->meaning != NULL) snprintf(c->meaning, sizeof c->meaning, "%s", text->meaning);
}

static void describe_column(cli_column *c, const lg_model *M, int i)
{
    const lg_column_text *text;
    snprintf(c->name, sizeof c->name, "%s", lg_run_column(M, i));
    describe(c, M, i);
    text = find_text(M, c->name);
    if (text != NULL) say(c, text);
}

static void describe_control(cli_column *c, const lg_model *M, int i)
{
    const lg_column_text *text = lg_model_describe(M)->callbacks.controls;
    snprintf(c->name, sizeof c->name, "u_%d", i + 1);
    set(c, "-", "control");
    if (cli_has_units(M)) c->unit[0] = '\0';
    if (text == NULL) return;
    if (text[i].name != NULL) snprintf(c->name, sizeof c->name, "%s", text[i].name);
    say(c, &text[i]);
}

/* A model as a system ---------------------------------------------------------------------------------------------- */

static int model_columns(const cli_system *S)
{
    return lg_run_column_count(S->M);
}

static const char *model_column(const cli_system *S, int i)
{
    return lg_run_column(S->M, i);
}

static void model_describe(cli_column *c, const cli_system *S, int i)
{
    describe_column(c, S->M, i);
}

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
    for (int i = 0; i < lg_model_column_count(S->M); i++) {
        if (strcmp(lg_model_column(S->M, i), name) == 0) return 1;
    }
    return 0;
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
    const int columns = lg_model_column_count(S->M);
    const char *name;
    if (!initial) return i < d->parameter_count ? d->parameters[i].name : NULL;
    if (i < columns) return lg_model_column(S->M, i);
    name = lg_run_column(S->M, FIRST + i);
    return name != NULL && strncmp(name, "xi_", 3) == 0 ? name : NULL;
}

static const char *model_parameter_unit(const cli_system *S, const char *name)
{
    const lg_model_definition *d = lg_model_describe(S->M);
    for (int i = 0; i < d->parameter_count; i++) {
        if (strcmp(d->parameters[i].name, name) == 0) return d->parameters[i].unit != NULL ? d->parameters[i].unit : "";
    }
    return NULL;
}

static double model_step(const cli_system *S)
{
    return lg_model_default_step(S->M);
}

static lg_status model_run(const cli_system *S, lg_run_result *result, const lg_run_options *o)
{
    return lg_run(S->M, result, o);
}

static const char *model_remark(const cli_system *S, int i)
{
    (void)S;
    (void)i;
    return NULL;
}

static void model_destroy(cli_system *S)
{
    lg_model_destroy(S->M);
    S->M = NULL;
}

const cli_kind cli_model_kind = {
    .noun = "system",
    .columns = model_columns,
    .column = model_column,
    .describe = model_describe,
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
    .step = model_step,
    .run = model_run,
    .remark = model_remark,
    .destroy = model_destroy,
};
