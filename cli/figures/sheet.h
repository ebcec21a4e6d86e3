/* SPDX-License-Identifier: BSD-3-Clause */
/* A figure as data: panels of series of points, with titles, axes, units, legend and a caption. It can be written as
 * CSV and as a gnuplot script. sheet_complete() reports at the end if memory ran out. */
#ifndef LIEGRP_CLI_FIGURES_SHEET_H
#define LIEGRP_CLI_FIGURES_SHEET_H

#include <stdio.h>

#include "cli/lib/style.h"

typedef struct sheet sheet;

/* Options of a panel. */
enum {
    SHEET_LOG_X = 1,
    SHEET_LOG_Y = 2,
    SHEET_EQUAL = 4 /* equal scales on both axes */
};

sheet *sheet_begin(const char *title);
void sheet_end(sheet *s);
/* Panels are placed side by side; labels carry their units: "t [s]". */
void sheet_panel(sheet *s, const char *title, const char *x, const char *y, int flags);
/* A name for x = 1, 2, 3 ... of the current panel instead of numbers. */
void sheet_category(sheet *s, const char *name);
/* The limits of y in the current panel; without them they are chosen automatically. */
void sheet_limits(sheet *s, double low, double high);
/* A series of the current panel; "" keeps it out of the legend. */
void sheet_series(sheet *s, const char *label, style_kind style);
/* A point of the current series; values that are not finite, or not positive on a logarithmic axis, are left out. */
void sheet_point(sheet *s, double x, double y);
/* Describes the figure, with system, method and h. */
void sheet_caption(sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The caption stands below the panels; without this call it is not in the picture. */
void sheet_show_caption(sheet *s);

/* 0: memory ran out, or a series has no points. */
int sheet_complete(const sheet *s);
/* panel,series,x,y: one line per point. */
void sheet_write_csv(const sheet *s, FILE *f);
/* The script that follows the terminal and output settings. */
void sheet_write_script(const sheet *s, FILE *f);
/* The picture's size in pixels. */
void sheet_size(const sheet *s, int *width, int *height);
/* The caption as one text, with symbols in UTF-8. */
const char *sheet_caption_text(const sheet *s);

#endif
