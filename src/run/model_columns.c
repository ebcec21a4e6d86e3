/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a row: names, the configuration as written (angles unwrapped), and the way back from what the user
 * gives by column name. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "groups/columns.h"
#include "groups/member.h"
#include "run/model_private.h"

enum { NAME_KEPT = 61 }; /* bytes of a given name, with its end: they leave room for a suffix */

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

/* Name of column i of a factor without suffix; `coordinate` counts coordinates over all factors. A name that is absent
 * or empty counts as not given. */
static void base_name(char *name, const lg_model *M, const lg_group *factor, int i, int coordinate)
{
    const char *const *given = M->definition->coordinate_names;
    void (*const own)(const lg_group *G, char *name, size_t room, int i) = LG_FIELD(lg_group, factor, column_name);
    name[0] = '\0';
    if (has_coordinates(factor) && given != NULL && given[coordinate] != NULL) {
        lg_text_copy(name, NAME_KEPT, given[coordinate]);
    } else if (!has_coordinates(factor) && own != NULL) {
        own(factor, name, NAME_KEPT, i);
        name[NAME_KEPT - 1] = '\0';
    }
    if (name[0] == '\0' && has_coordinates(factor)) snprintf(name, LG_COLUMN_NAME, "q_%d", coordinate + 1);
    if (name[0] == '\0') snprintf(name, LG_COLUMN_NAME, "g_%d", i + 1);
}

static void add_suffix(char *name, int suffix)
{
    const size_t used = strlen(name);
    if (suffix > 1) snprintf(name + used, LG_COLUMN_NAME - used, "_%d", suffix);
}

/* Does another column have this one's name? Those without a name yet have none. */
static int is_taken(const lg_model *M, int column)
{
    for (int i = 0; i < M->names_count; i++) {
        if (i != column && strcmp(M->names[i], M->names[column]) == 0) return 1;
    }
    return 0;
}

/* A name of its own for a column that has one already: the first of NAME, NAME_2, NAME_3 ... */
static void make_unique(const lg_model *M, int column)
{
    char *name = M->names[column];
    const size_t used = strlen(name);
    for (int suffix = 2; is_taken(M, column) && suffix <= M->names_count + 1; suffix++) {
        name[used] = '\0';
        add_suffix(name, suffix);
    }
}

/* Names of factor f from column `at` on with suffix number `suffix` (1: none); 0 if one of them is taken. */
static int name_factor(lg_model *M, const lg_group *factor, int at, int coordinate, int suffix)
{
    int well = 1;
    for (int i = 0; i < lg_columns_of_factor(factor); i++) M->names[at + i][0] = '\0';
    for (int i = 0; well && i < lg_columns_of_factor(factor); i++) {
        base_name(M->names[at + i], M, factor, i, coordinate + i);
        add_suffix(M->names[at + i], suffix);
        well = !is_taken(M, at + i);
    }
    return well;
}

/* The factor's names with one suffix for all, as far as they differ among themselves. */
static void name_alike(lg_model *M, const lg_group *factor, int at, int coordinate, int suffix)
{
    for (int tries = 0; tries <= M->names_count; tries++) {
        if (name_factor(M, factor, at, coordinate, suffix + tries)) return;
    }
    for (int i = 0; i < lg_columns_of_factor(factor); i++) M->names[at + i][0] = '\0';
    for (int i = 0; i < lg_columns_of_factor(factor); i++) {
        base_name(M->names[at + i], M, factor, i, coordinate + i);
        make_unique(M, at + i);
    }
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

/* The names that are the same for all systems come first, so that a user's cannot take them. */
void lg_model_name_columns(lg_model *M)
{
    static const char *const monitors[] = {"energy", "energy_post", "constraint", "normal"};
    int at = LG_ROW_CONFIGURATION + M->columns, coordinate = 0;
    snprintf(M->names[0], LG_COLUMN_NAME, "step");
    snprintf(M->names[1], LG_COLUMN_NAME, "t");
    at = name_numbered(M, at, "xi");
    at = name_numbered(M, at, "p");
    for (int i = 0; i < 4; i++) snprintf(M->names[at++], LG_COLUMN_NAME, "%s", monitors[i]);
    for (int i = 0; i < M->definition->invariant_count; i++, at++) {
        snprintf(M->names[at], LG_COLUMN_NAME, "inv_");
        lg_text_copy(M->names[at] + 4, NAME_KEPT + 10, M->definition->invariants[i].name);
        make_unique(M, at);
    }
    at = LG_ROW_CONFIGURATION;
    for (int f = 0; f < lg_group_factor_count(M->group); f++) {
        const lg_group *factor = lg_group_factor(M->group, f);
        name_alike(M, factor, at, coordinate, occurrence(M->group, f));
        at += lg_columns_of_factor(factor);
        if (has_coordinates(factor)) coordinate += factor->element_size;
    }
    M->angles = lg_columns_are_unwrapped(M->group);
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
