/* SPDX-License-Identifier: BSD-3-Clause */
/* What the columns of a run and the controls of a system are: name, unit, meaning. */
#ifndef LIEGRP_CLI_COLUMNS_H
#define LIEGRP_CLI_COLUMNS_H

#include <liegrp/run/model.h>

/* A column or a control, for people. */
typedef struct cli_column {
    char name[80];
    char unit[40]; /* "-": a pure number; "": the system does not say */
    char meaning[320];
} cli_column;

/* Column i of a run. */
void cli_column_of(cli_column *c, const lg_model *M, int i);
/* Control i. */
void cli_control_of(cli_column *c, const lg_model *M, int i);
/* The number of a column of a run; -1: there is none of that name. */
int cli_column_find(const lg_model *M, const char *name);
/* 1 if the catalog gives this system units; positions are then in m, energies in J. */
int cli_has_units(const lg_model *M);
/* "J", or "-" if the system has no units. */
const char *cli_unit(const lg_model *M, const char *unit);
/* Factor f of the model's group and its first column of a row; NULL: there are no more. */
const lg_group *cli_factor(const lg_model *M, int f, int *column);

#endif
