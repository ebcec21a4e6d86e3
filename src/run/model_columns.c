/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a row. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "run/model_private.h"

enum { NAME_KEPT = 61 }; /* bytes of a given name, with its end: they leave room for a suffix */

/* Names ------------------------------------------------------------------------------------------------------- */

/* The block of column i of the configuration, which becomes the place in it; `coordinate` counts coordinates before. */
static lg_group_block block_of(const lg_group *G, int *i, int *coordinate)
{
    lg_group_block b = lg_group_block_at(G, 0);
    *coordinate = 0;
    for (int k = 1; *i >= lg_block_columns(&b) && k < lg_group_block_count(G); k++) {
        if (lg_block_has_coordinates(&b)) *coordinate += b.element_size;
        *i -= lg_block_columns(&b);
        b = lg_group_block_at(G, k);
    }
    return b;
}

/* Name of column i of the configuration without suffix. A name that is absent or empty counts as not given. */
static void base_name(char *name, const lg_model *M, int i)
{
    const char *const *given = M->definition->coordinate_names;
    int coordinate;
    const lg_group_block b = block_of(M->group, &i, &coordinate);
    lg_block_column_name(&b, name, NAME_KEPT, i);
    if (!lg_block_has_coordinates(&b)) return;
    coordinate += i;
    if (given != NULL && given[coordinate] != NULL) lg_text_copy(name, NAME_KEPT, given[coordinate]);
    if (name[0] == '\0') snprintf(name, LG_COLUMN_NAME, "q_%d", coordinate + 1);
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

/* Names of a factor's `count` columns from column `at` on with this suffix (1: none); 0 if one of them is taken. */
static int name_factor(lg_model *M, int at, int count, int suffix)
{
    int well = 1;
    for (int i = 0; i < count; i++) M->names[at + i][0] = '\0';
    for (int i = 0; well && i < count; i++) {
        base_name(M->names[at + i], M, at + i - LG_ROW_CONFIGURATION);
        add_suffix(M->names[at + i], suffix);
        well = !is_taken(M, at + i);
    }
    return well;
}

/* The factor's names with one suffix for all, as far as they differ among themselves. */
static void name_alike(lg_model *M, int at, int count, int suffix)
{
    for (int tries = 0; tries <= M->names_count; tries++) {
        if (name_factor(M, at, count, suffix + tries)) return;
    }
    for (int i = 0; i < count; i++) M->names[at + i][0] = '\0';
    for (int i = 0; i < count; i++) {
        base_name(M->names[at + i], M, at + i - LG_ROW_CONFIGURATION);
        make_unique(M, at + i);
    }
}

/* 1 for the first factor whose columns begin with such a name, 2 for the second; 1 for coordinates. */
static int occurrence(const lg_group *G, int f)
{
    char name[NAME_KEPT], other[NAME_KEPT];
    lg_group_block b = lg_group_block_at(lg_group_factor(G, f), 0);
    int count = 1;
    lg_block_column_name(&b, name, sizeof name, 0);
    for (int i = 0; i < f && name[0] != '\0'; i++) {
        b = lg_group_block_at(lg_group_factor(G, i), 0);
        lg_block_column_name(&b, other, sizeof other, 0);
        count += strcmp(name, other) == 0;
    }
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
    int at = LG_ROW_CONFIGURATION + M->columns;
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
        const int count = lg_group_columns(lg_group_factor(M->group, f));
        name_alike(M, at, count, occurrence(M->group, f));
        at += count;
    }
    M->angles = lg_columns_are_unwrapped(M->group);
}

/* The configuration as written --------------------------------------------------------------------------------- */

void lg_model_write(const lg_model *M, double *columns, const double *g, const double *previous)
{
    if (M != NULL && M->definition != NULL) lg_columns_write(M->group, columns, g, previous);
}
