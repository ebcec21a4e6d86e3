/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of times and values from text files, of controls and of motions. */
#ifndef LIEGRP_CLI_TABLE_H
#define LIEGRP_CLI_TABLE_H

#include <stdint.h>

/* Rows of a time and of `columns` values. Start from zeros and the number of columns, or from zeros and `named`; free
 * times, values and header. */
typedef struct cli_table {
    int columns;
    int named;    /* 1: the first line must name the time, t, and the columns; times may be equal, and an empty field or
                   * nan is a missing value, NaN */
    char *header; /* that line */
    int time_at;  /* where in a line the time is */
    int64_t count, room;
    double *times, *values;
} cli_table;

/* One more row. 0: out of memory. */
int cli_table_add(cli_table *c, double time, const double *values);
/* The rows T,U or T,Q or T,X,Y,Z,QX,QY,QZ,QW of a text file, with increasing times, for --OPTION. The first line is a
 * header if none of its fields begins like a number; all others are read or refused. Also of a pipe that this process
 * was given. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_table_read(cli_table *c, const char *command, const char *option, const char *name);

#endif
