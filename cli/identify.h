/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp identify: the problem that its options and the table of data describe, and what was found. */
#ifndef LIEGRP_CLI_IDENTIFY_H
#define LIEGRP_CLI_IDENTIFY_H

#include <liegrp/run/identification.h>

#include "cli/run_job.h"

typedef struct identify_job {
    run_job run;
    const char *data_file, *columns, *sigma, *output;
    double precision;
    int64_t iterations;
    cli_table data;
    /* the problem; arrays that are owned */
    int P, C;
    lg_unknown *unknown;
    char **name;         /* names of the unknowns */
    const char **column; /* measured columns, of the model */
    int *from;           /* the column of the data that each is */
    double *deviation, *values, *guess;
    char *unused; /* names of columns that are not used; "": none */
    cli_instance model;
    lg_identification *id;
} identify_job;

/* Functions return CLI_WELL, or the exit status after a message. */

/* ---- identify_data.c ---- */

/* --data: measured columns, and columns of controls. */
int identify_read_data(identify_job *j);
/* --sigma. */
int identify_read_sigma(identify_job *j);
/* --free and --free-init. */
int identify_read_unknowns(identify_job *j, int argc, char **argv);

/* ---- identify_print.c ---- */

/* The values with their errors, and how well they fit. */
void identify_print(const identify_job *j);
/* --output: the data, and what the model has in their place. */
int identify_write(const identify_job *j);

#endif
