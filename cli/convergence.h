/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured orders of methods and retractions on a system, and the forms in which they are shown. */
#ifndef LIEGRP_CLI_CONVERGENCE_H
#define LIEGRP_CLI_CONVERGENCE_H

#include <stdio.h>

#include "cli/lib/system.h"

/* One method with one retraction. */
typedef struct cli_order {
    const char *method, *retraction;
    int refused; /* 1: they do not fit the system, c.message gives the reason */
    lg_convergence c;
} cli_order;

/* All combinations, against one reference. */
typedef struct cli_comparison {
    const cli_system *S;
    const lg_reference *R;
    double time, step; /* T and the coarsest step */
    int levels, methods, retractions, count;
    cli_order *orders; /* `count` = methods * retractions, grouped by method */
} cli_comparison;

/* As text. */
void cli_convergence_table(FILE *f, const cli_comparison *all);
void cli_convergence_json(FILE *f, const cli_comparison *all);
/* One line per error; the comparison comes as a context (cli_file_write_table()). */
void cli_convergence_csv(FILE *f, const void *comparison);
/* Draws it. 0, or the exit status after a message. */
int cli_convergence_draw(const cli_comparison *all, const char *file);
/* "reduced", "reconstructed", "both". */
const char *cli_convergence_kind(lg_variables kind);

#endif
