/* SPDX-License-Identifier: BSD-3-Clause */
/* Units and meanings of a definition's columns: what it says of them goes first, the rest follows from its group. */
#include <stdio.h>
#include <string.h>

#include "run/model_private.h"

static const char *const ordinal[] = {"first", "second", "third", "last"};

int lg_model_has_units(const lg_model *M)
{
    const lg_model_definition *d = M->definition;
    for (int i = 0; d != NULL && i < d->parameter_count; i++) {
        if (d->parameters[i].unit != NULL && d->parameters[i].unit[0] != '\0') return 1;
    }
    return d == NULL; /* a mechanism has */
}

lg_group_block lg_model_block(const lg_model *M, int b, int *column)
{
    *column = LG_ROW_CONFIGURATION;
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
        const lg_group_block block = lg_model_block(M, b, column);
        *inside = at - (velocity ? block.algebra : *column - LG_ROW_CONFIGURATION);
        if (*inside >= 0 && *inside < (velocity ? block.algebra_size : lg_block_columns(&block))) return block;
    }
}

/* Unit and meaning of a column; `text` has LG_COLUMN_MEANING bytes for a meaning that is made. */
typedef struct said {
    const char *unit, *meaning;
    char *text;
} said;

static said describe_configuration(int units, char *text, const lg_group_block *block, int i)
{
    switch (block->kind) {
    case LG_BLOCK_ANGLES:
        return (said){"rad", "angle, unwrapped", text};
    case LG_BLOCK_PLANE_ROTATION:
        return (said){"rad", "angle of rotation, unwrapped", text};
    case LG_BLOCK_QUATERNION:
        snprintf(text, LG_COLUMN_MEANING, "attitude: %s component of the unit quaternion (x, y, z, w)", ordinal[i]);
        return (said){"-", text, text};
    case LG_BLOCK_POSITION:
    case LG_BLOCK_VELOCITY:
        snprintf(text, LG_COLUMN_MEANING, "%s of the body, %s coordinate in space",
                 block->kind == LG_BLOCK_POSITION ? "position" : "velocity", ordinal[i]);
        return (said){!units ? "-" : block->kind == LG_BLOCK_POSITION ? "m" : "m/s", text, text};
    case LG_BLOCK_VECTOR:
        return (said){units ? "" : "-", "coordinate", text};
    default:
        snprintf(text, LG_COLUMN_MEANING, "entry %d of the element", i + 1);
        return (said){units ? "" : "-", text, text};
    }
}

/* The unit of a velocity or a momentum from that of the coordinate. */
static const char *unit_of_rate(int units, const char *unit, int momentum)
{
    if (!units) return "-";
    if (strcmp(unit, "m") == 0) return momentum ? "kg m/s" : "m/s";
    if (strcmp(unit, "m/s") == 0) return momentum ? "kg m" : "m/s^2";
    if (strcmp(unit, "rad") == 0) return momentum ? "kg m^2/s" : "rad/s";
    if (strcmp(unit, "-") == 0) return momentum ? "J s" : "1/s";
    return "";
}

/* Component i of a velocity or momentum of the block, whose first column is `columns`. */
static said describe_rate(int units, char *text, const lg_group_block *block, int i, const lg_column *columns,
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
        snprintf(text, LG_COLUMN_MEANING, momentum ? "momentum of %.80s" : "rate of change of %.80s", columns[i].name);
        return (said){unit_of_rate(units, columns[i].unit, momentum), text, text};
    }
    if (rates[block->kind].unit != NULL) {
        const size_t used = (size_t)snprintf(text, LG_COLUMN_MEANING, "%s", rates[block->kind].text[momentum]);
        snprintf(text + used, LG_COLUMN_MEANING - used, rates[block->kind].where, ordinal[i]);
        return (said){unit_of_rate(units, rates[block->kind].unit, momentum), text, text};
    }
    snprintf(text, LG_COLUMN_MEANING, "%s, component %d in the algebra", momentum ? "momentum" : "velocity", i + 1);
    return (said){units ? "" : "-", text, text};
}

static said describe_figure(int units, char *text, const char *name)
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
    size_t i = 0;
    while (strcmp(figures[i].name, name) != 0) i++;
    return (said){units ? figures[i].unit : "-", figures[i].meaning, text};
}

static said describe(const lg_model *M, int units, char *text, int i)
{
    const int at = i - LG_ROW_CONFIGURATION, invariants = M->names_count - M->definition->invariant_count;
    const int rate = at - M->columns; /* number among velocities and momenta */
    int inside = 0, column = 0;
    if (at >= 0 && rate < 0) {
        const lg_group_block block = place(M, at, 0, &inside, &column);
        return describe_configuration(units, text, &block, inside);
    }
    if (rate >= 0 && rate < 2 * M->n) {
        const lg_group_block block = place(M, rate % M->n, 1, &inside, &column);
        return describe_rate(units, text, &block, inside, M->own_column + column, rate >= M->n);
    }
    if (i < invariants) return describe_figure(units, text, M->names[i]);
    const char *meaning = M->definition->invariants[i - invariants].meaning;
    return (said){units ? "" : "-", meaning != NULL ? meaning : "invariant", text};
}

/* What column i holds. */
static lg_column_kind kind_of(const lg_model *M, int i)
{
    const int ends[] = {LG_ROW_CONFIGURATION, M->columns, M->n, M->n, 4};
    static const lg_column_kind kinds[] = {LG_COLUMN_FIGURE, LG_COLUMN_CONFIGURATION, LG_COLUMN_VELOCITY,
                                           LG_COLUMN_MOMENTUM, LG_COLUMN_FIGURE};
    for (int k = 0; k < 5; i -= ends[k], k++)
        if (i < ends[k]) return kinds[k];
    return LG_COLUMN_INVARIANT;
}

void lg_model_describe_columns(lg_model *M)
{
    const int units = lg_model_has_units(M);
    for (int i = 0; i < M->names_count; i++) {
        const lg_column_text *own = M->definition->callbacks.columns;
        said s = describe(M, units, M->texts + (size_t)i * LG_COLUMN_MEANING, i);
        while (own != NULL && own->name != NULL && strcmp(own->name, M->names[i]) != 0) own++;
        if (own != NULL && own->name != NULL) {
            if (own->unit != NULL) s.unit = own->unit[0] != '\0' ? own->unit : "-";
            if (own->meaning != NULL) s.meaning = own->meaning;
        }
        M->own_column[i] = (lg_column){M->names[i], s.unit, s.meaning, kind_of(M, i)};
    }
}
