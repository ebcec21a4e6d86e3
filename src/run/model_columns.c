/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a row: names, the configuration as written (angles unwrapped), and the way back from what the user
 * gives by column name. */
#include <stdio.h>
#include <string.h>

#include "groups/columns.h"
#include "groups/member.h"
#include "run/model_private.h"

int lg_columns_of_factor(const lg_group *factor)
{
    const int count = LG_FIELD(lg_group, factor, column_count);
    return count > 0 ? count : factor->element_size;
}

int lg_columns_are_unwrapped(const lg_group *G)
{
    for (int i = 0; i < lg_group_factor_count(G); i++) {
        if (LG_FIELD(lg_group, lg_group_factor(G, i), to_columns) != NULL) return 1;
    }
    return 0;
}

int lg_columns_of_group(const lg_group *G)
{
    int columns = 0;
    for (int i = 0; i < lg_group_factor_count(G); i++) columns += lg_columns_of_factor(lg_group_factor(G, i));
    return columns;
}

/* Names ------------------------------------------------------------------------------------------------------- */

static int has_coordinates(const lg_group *factor)
{
    return LG_FIELD(lg_group, factor, coordinates) != 0;
}

/* Name of column i of a factor without suffix; `coordinate` counts coordinates over all factors. */
static void base_name(char *name, const lg_model *M, const lg_group *factor, int i, int coordinate)
{
    const char *const *given = M->definition->coordinate_names;
    void (*const own)(const lg_group *G, char *name, size_t room, int i) = LG_FIELD(lg_group, factor, column_name);
    if (has_coordinates(factor) && given != NULL) {
        snprintf(name, LG_COLUMN_NAME, "%.60s", given[coordinate]);
    } else if (has_coordinates(factor)) {
        snprintf(name, LG_COLUMN_NAME, "q_%d", coordinate + 1);
    } else if (own != NULL) {
        own(factor, name, LG_COLUMN_NAME, i);
    } else {
        snprintf(name, LG_COLUMN_NAME, "g_%d", i + 1);
    }
}

static int name_is_taken(const lg_model *M, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(M->names[i], name) == 0) return 1;
    }
    return 0;
}

/* Names of factor f from column `at` on with suffix number `suffix` (1: none); 0 if one of them is taken. */
static int name_factor(lg_model *M, const lg_group *factor, int at, int coordinate, int suffix)
{
    for (int i = 0; i < lg_columns_of_factor(factor); i++) {
        char *name = M->names[at + i];
        base_name(name, M, factor, i, coordinate + i);
        if (suffix > 1) {
            const size_t used = strlen(name);
            snprintf(name + used, LG_COLUMN_NAME - used, "_%d", suffix);
        }
        if (name_is_taken(M, at + i, name)) return 0;
    }
    return 1;
}

static int is_named_alike(const lg_group *a, const lg_group *b)
{
    return !has_coordinates(a) && LG_FIELD(lg_group, a, column_name) == LG_FIELD(lg_group, b, column_name);
}

/* 1 for the first factor with such names, 2 for the second, ...; coordinates have names of their own. */
static int occurrence(const lg_group *G, int f)
{
    int count = 1;
    if (has_coordinates(lg_group_factor(G, f))) return 1;
    for (int i = 0; i < f; i++) count += is_named_alike(lg_group_factor(G, i), lg_group_factor(G, f));
    return count;
}

static int name_numbered(lg_model *M, int at, const char *stem)
{
    for (int i = 0; i < M->n; i++) snprintf(M->names[at + i], LG_COLUMN_NAME, "%s_%d", stem, i + 1);
    return at + M->n;
}

void lg_model_name_columns(lg_model *M)
{
    static const char *const monitors[] = {"energy", "energy_post", "constraint", "normal"};
    int at = 0, coordinate = 0;
    snprintf(M->names[at++], LG_COLUMN_NAME, "step");
    snprintf(M->names[at++], LG_COLUMN_NAME, "t");
    for (int f = 0; f < lg_group_factor_count(M->group); f++) {
        const lg_group *factor = lg_group_factor(M->group, f);
        int suffix = occurrence(M->group, f);
        while (!name_factor(M, factor, at, coordinate, suffix) && suffix <= M->names_count) suffix++;
        at += lg_columns_of_factor(factor);
        if (has_coordinates(factor)) coordinate += factor->element_size;
    }
    M->angles = lg_columns_are_unwrapped(M->group);
    at = name_numbered(M, at, "xi");
    at = name_numbered(M, at, "p");
    for (int i = 0; i < 4; i++) snprintf(M->names[at++], LG_COLUMN_NAME, "%s", monitors[i]);
    for (int i = 0; i < M->definition->invariant_count; i++) {
        snprintf(M->names[at++], LG_COLUMN_NAME, "inv_%.70s", M->definition->invariants[i].name);
    }
}

/* The configuration as written --------------------------------------------------------------------------------- */

static void write_factor(const lg_group *factor, double *columns, const double *g, const double *previous)
{
    void (*const write)(const lg_group *G, double *columns, const double *g, const double *previous) =
        LG_FIELD(lg_group, factor, to_columns);
    if (write != NULL) {
        write(factor, columns, g, previous);
    } else {
        memcpy(columns, g, (size_t)factor->element_size * sizeof *g);
    }
}

void lg_model_columns(const lg_model *M, double *columns, const double *g, const double *previous)
{
    if (M == NULL || M->definition == NULL) return;
    for (int f = 0; f < lg_group_factor_count(M->group); f++) {
        const lg_group *factor = lg_group_factor(M->group, f);
        const int count = lg_columns_of_factor(factor);
        write_factor(factor, columns, g, previous);
        columns += count;
        g += factor->element_size;
        if (previous != NULL) previous += count;
    }
}

/* The way back -------------------------------------------------------------------------------------------------- */

lg_status lg_columns_read_factor(lg_error *e, const lg_group *factor, double *g, const double *given)
{
    lg_status (*const read)(const lg_group *G, double *g, const double *columns, lg_error *error) =
        LG_FIELD(lg_group, factor, from_columns);
    if (read != NULL) return read(factor, g, given, e);
    lg_columns_take(g, given, factor->element_size);
    return LG_OK;
}
