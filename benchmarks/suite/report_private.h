/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of a report: filled by report.c, printed by report_print.c. */
#ifndef BENCH_REPORT_PRIVATE_H
#define BENCH_REPORT_PRIVATE_H

#include "benchmarks/suite/report.h"

/* An array that grows. */
typedef struct bench_list {
    void *items;
    long count, room;
} bench_list;

typedef struct bench_table_of {
    char name[BENCH_NAME], title[160];
    long column, row; /* its first row; its last is before the next table's first */
} bench_table_of;

typedef struct bench_column_of {
    char name[BENCH_NAME], format[16];
} bench_column_of;

enum { BENCH_CELL_TEXT, BENCH_CELL_NUMBER, BENCH_CELL_TIMING };

typedef struct bench_cell {
    int kind;
    char text[BENCH_NAME];
    double value, first, third;
} bench_cell;

typedef struct bench_sentence {
    char name[BENCH_NAME]; /* "": not a figure */
    double value;
    char text[400];
} bench_sentence;

typedef struct bench_version {
    char what[40], version[40];
} bench_version;

typedef struct bench_panel_of {
    char title[BENCH_NAME], x[BENCH_NAME], y[BENCH_NAME];
} bench_panel_of;

typedef struct bench_curve_private {
    char label[BENCH_NAME];
    int panel, peer;
    long first, count;
} bench_curve_private;

struct bench_report {
    char name[BENCH_NAME], failure[400];
    int quick, incomplete, rounds, warm, pinned;
    bench_machine machine;
    bench_list tables, columns, rows, cells, sentences, versions, panels, curves, points;
};

#endif
