/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of a benchmark: tables, sentences, named figures and curves. A benchmark fills a report, which can be
 * printed as text and as JSON. bench_report_complete() tells whether memory ran out. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "benchmarks/suite/measure.h"

enum { BENCH_NAME = 96 };

typedef struct bench_report bench_report;

/* NULL: out of memory. */
bench_report *bench_report_begin(const char *benchmark, int quick);
void bench_report_end(bench_report *r);
/* 0: something is missing because memory ran out. */
int bench_report_complete(const bench_report *r);
/* How it was measured. */
void bench_report_protocol(bench_report *r, int rounds, int warm, int pinned);
/* Another piece of software and its version. */
void bench_report_version(bench_report *r, const char *what, const char *version);

/* A table: its columns, then row by row its cells. `format` is the number's format in the text, such as "%.2f". */
void bench_table(bench_report *r, const char *name, const char *title);
void bench_column(bench_report *r, const char *name, const char *format);
void bench_row(bench_report *r);
void bench_text(bench_report *r, const char *text);
void bench_number(bench_report *r, double value);        /* NaN: an empty cell */
void bench_timing(bench_report *r, const bench_case *c); /* median and quartiles; NULL: an empty cell */

/* Appends all tables of another report. */
void bench_report_append(bench_report *r, const bench_report *other);

/* A figure of the summary; `format` is a sentence that contains it. */
void bench_figure(bench_report *r, const char *name, double value, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A sentence of the summary. */
void bench_say(bench_report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The reason of a failure; the benchmark has failed. */
void bench_fail(bench_report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The sentence of bench_fail(), "" if there was no failure. */
const char *bench_failure(const bench_report *r);

/* Curves, y over x, both logarithmic: a panel, its curves, their points. `peer`: drawn apart. */
void bench_panel(bench_report *r, const char *title, const char *x, const char *y);
void bench_curve(bench_report *r, const char *label, int peer);
void bench_point(bench_report *r, double x, double y); /* points without a logarithm are left out */

typedef struct bench_curve_of {
    int panel, peer;
    const char *label;
    const double *points; /* x, y, x, y ... */
    long count;
} bench_curve_of;

int bench_panel_count(const bench_report *r);
void bench_panel_text(const bench_report *r, int i, const char **title, const char **x, const char **y);
int bench_curve_count(const bench_report *r);
bench_curve_of bench_curve_at(const bench_report *r, int i);

void bench_report_print(const bench_report *r, FILE *f);
void bench_report_markdown(const bench_report *r, FILE *f);
void bench_report_json(const bench_report *r, FILE *f);

#endif
