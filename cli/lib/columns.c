/* SPDX-License-Identifier: BSD-3-Clause */
/* What a definition says of its columns goes first; the rest follows from the group. */
#include "cli/lib/columns.h"

#include <stdio.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "base/sized.h"

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

const char *cli_unit(const lg_model *M, const char *unit)
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

int cli_column_find(const lg_model *M, const char *name)
{
    for (int i = 0; i < lg_run_column_count(M); i++) {
        if (strcmp(lg_run_column(M, i), name) == 0) return i;
    }
    return -1;
}

/* Factors --------------------------------------------------------------------------------------------------------- */

static int columns_of(const lg_group *factor)
{
    const int count = LG_FIELD(lg_group, factor, column_count);
    return count > 0 ? count : factor->element_size;
}

const lg_group *cli_factor(const lg_model *M, int f, int *column)
{
    const lg_model_definition *d = lg_model_describe(M);
    const int groups = d->group != NULL ? 1 : d->factor_count;
    *column = FIRST;
    for (int i = 0; i < groups; i++) {
        const lg_group *G = d->group != NULL ? d->group() : d->factors[i]();
        for (int k = 0; k < lg_group_factor_count(G); k++) {
            const lg_group *factor = lg_group_factor(G, k);
            if (f-- == 0) return factor;
            *column += columns_of(factor);
        }
    }
    return NULL;
}

/* Factor and place in it of column `at` of the configuration, or (`velocity`) of component `at` of a velocity. */
static const lg_group *place(const lg_model *M, int at, int velocity, int *inside, int *column)
{
    const lg_group *factor;
    for (int f = 0; (factor = cli_factor(M, f, column)) != NULL; f++) {
        const int size = velocity ? factor->dim : columns_of(factor);
        *inside = at;
        if (at < size) return factor;
        at -= size;
    }
    return NULL;
}

/* Configuration, velocity, momentum ------------------------------------------------------------------------------- */

static const char *const ordinal[] = {"first", "second", "third"};

static int is_coordinates(const lg_group *factor)
{
    return factor->kind == LG_KIND_RN || factor->kind == LG_KIND_TORUS;
}

static void describe_configuration(cli_column *c, const lg_model *M, const lg_group *factor, int i)
{
    char meaning[120];
    const int turn = factor->kind == LG_KIND_SO2 || (factor->kind == LG_KIND_SE2 && i == 2);
    const int first = factor->kind == LG_KIND_SE3 ? 3 : 0;
    if (factor->kind == LG_KIND_TORUS || turn) {
        snprintf(meaning, sizeof meaning, "%s, unwrapped", turn ? "angle of rotation" : "angle");
        set(c, "rad", meaning);
    } else if (factor->kind == LG_KIND_SO3 || (factor->kind == LG_KIND_SE3 && i >= 3)) {
        snprintf(meaning, sizeof meaning, "attitude: %s component of the unit quaternion (x, y, z, w)",
                 i - first < 3 ? ordinal[i - first] : "last");
        set(c, "-", meaning);
    } else if (factor->kind == LG_KIND_SE2 || factor->kind == LG_KIND_SE3) {
        snprintf(meaning, sizeof meaning, "position of the body, %s coordinate in space", ordinal[i]);
        set(c, cli_unit(M, "m"), meaning);
    } else {
        snprintf(meaning, sizeof meaning, is_coordinates(factor) ? "coordinate" : "entry %d of the element", i + 1);
        set(c, "-", meaning);
        if (cli_has_units(M)) c->unit[0] = '\0';
    }
}

/* The unit of a velocity or a momentum from that of the coordinate. */
static const char *unit_of_rate(const lg_model *M, const char *unit, int momentum)
{
    if (!cli_has_units(M)) return "-";
    if (strcmp(unit, "m") == 0) return momentum ? "kg m/s" : "m/s";
    if (strcmp(unit, "rad") == 0) return momentum ? "kg m^2/s" : "rad/s";
    if (strcmp(unit, "-") == 0) return momentum ? "J s" : "1/s";
    return "";
}

/* Component i of a velocity or momentum of the factor, whose columns begin at `column`. */
static void describe_rate(cli_column *c, const lg_model *M, const lg_group *factor, int i, int column, int momentum)
{
    static const char *const kinds[2][2] = {{"velocity", "angular velocity"}, {"momentum", "angular momentum"}};
    const int plane = factor->kind == LG_KIND_SE2, space = factor->kind == LG_KIND_SE3;
    const int round = factor->kind == LG_KIND_SO3 || (space && i >= 3);
    if (is_coordinates(factor)) {
        cli_column q;
        cli_column_of(&q, M, column + i);
        snprintf(c->meaning, sizeof c->meaning, momentum ? "momentum of %.80s" : "rate of change of %.80s", q.name);
        snprintf(c->unit, sizeof c->unit, "%s", unit_of_rate(M, q.unit, momentum));
    } else if (plane || space || round) {
        const int about = round || (plane && i == 2);
        snprintf(c->meaning, sizeof c->meaning, plane && about ? "%s" : "%s %s the %s axis of the body",
                 kinds[momentum][about], about ? "about" : "along", ordinal[round && space ? i - 3 : i]);
        snprintf(c->unit, sizeof c->unit, "%s", unit_of_rate(M, about ? "rad" : "m", momentum));
    } else if (factor->kind == LG_KIND_SO2) {
        set(c, unit_of_rate(M, "rad", momentum), kinds[momentum][1]);
    } else {
        snprintf(c->meaning, sizeof c->meaning, "%s, component %d in the algebra", kinds[momentum][0], i + 1);
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
        set(c, cli_unit(M, figures[i].unit), figures[i].meaning);
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
    const lg_group *factor = NULL;
    int inside = 0, column = 0;
    set(c, "-", "");
    if (i >= FIRST && rate < 0) {
        factor = place(M, i - FIRST, 0, &inside, &column);
        if (factor != NULL) describe_configuration(c, M, factor, inside);
    } else if (i >= FIRST && rate < 2 * n) {
        factor = place(M, rate % n, 1, &inside, &column);
        if (factor != NULL) describe_rate(c, M, factor, inside, column, rate >= n);
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

void cli_column_of(cli_column *c, const lg_model *M, int i)
{
    const lg_column_text *text;
    snprintf(c->name, sizeof c->name, "%s", lg_run_column(M, i));
    describe(c, M, i);
    text = find_text(M, c->name);
    if (text != NULL) say(c, text);
}

void cli_control_of(cli_column *c, const lg_model *M, int i)
{
    const lg_column_text *text = lg_model_describe(M)->callbacks.controls;
    snprintf(c->name, sizeof c->name, "u_%d", i + 1);
    set(c, "-", "control");
    if (cli_has_units(M)) c->unit[0] = '\0';
    if (text == NULL) return;
    if (text[i].name != NULL) snprintf(c->name, sizeof c->name, "%s", text[i].name);
    say(c, &text[i]);
}
