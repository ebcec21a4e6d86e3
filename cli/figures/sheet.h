/* SPDX-License-Identifier: BSD-3-Clause */
/* A figure as data: panels of series of points, with titles, axes, units, legend and a caption. It knows how to write
 * itself as CSV and as a script for gnuplot. Memory that runs out is told once, at the end: sheet_status(). */
#ifndef LIEGRP_CLI_FIGURES_SHEET_H
#define LIEGRP_CLI_FIGURES_SHEET_H

#include <stdio.h>

typedef struct sheet sheet;

/* How a series is drawn. */
typedef enum sheet_style {
    SHEET_LINE,       /* a line */
    SHEET_DASHED,     /* a dashed line */
    SHEET_GUIDE,      /* a thin grey dashed line: slopes, predictions, what is known */
    SHEET_POINTS,     /* points */
    SHEET_DOTS,       /* small points */
    SHEET_LINE_POINTS /* a line through points */
} sheet_style;

/* Of a panel. */
enum {
    SHEET_LOG_X = 1,
    SHEET_LOG_Y = 2,
    SHEET_EQUAL = 4 /* one scale on both axes */
};

sheet *sheet_begin(const char *title);
void sheet_end(sheet *s);
/* Panels stand side by side; labels carry their units: "t [s]". */
void sheet_panel(sheet *s, const char *title, const char *x, const char *y, int flags);
/* A name for x = 1, 2, 3 ... of the present panel instead of numbers. */
void sheet_category(sheet *s, const char *name);
/* The limits of the present panel's y; else they are chosen. */
void sheet_limits(sheet *s, double low, double high);
/* A series of the present panel; "" keeps it out of the legend. */
void sheet_series(sheet *s, const char *label, sheet_style style);
/* A point of the present series; what is not finite, or not positive on a logarithmic axis, is left out. */
void sheet_point(sheet *s, double x, double y);
/* What is to be seen, with system, method and h. */
void sheet_caption(sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* 0: memory ran out, or there is a series without a point. */
int sheet_complete(const sheet *s);
/* panel,series,x,y: one line a point. */
void sheet_write_csv(const sheet *s, FILE *f);
/* What follows gnuplot's terminal and output. */
void sheet_write_script(const sheet *s, FILE *f);
/* The picture's size in pixels. */
void sheet_size(const sheet *s, int *width, int *height);
/* The caption as one text. */
const char *sheet_caption_text(const sheet *s);

#endif
