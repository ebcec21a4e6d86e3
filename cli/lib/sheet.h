/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture as data: panels with axes, and series of points in them. It is written as CSV or drawn by gnuplot
 * (gnuplot.h) in the style of style.h. Texts have ASCII names of symbols (symbols.h). sheet_complete() reports at the
 * end if memory ran out. */
#ifndef LIEGRP_CLI_SHEET_H
#define LIEGRP_CLI_SHEET_H

#include <stdio.h>

#include "cli/lib/style.h"

typedef struct sheet sheet;

enum { SHEET_TEXT = 256 /* bytes of a label */ };

/* Options of a panel. */
enum {
    SHEET_LOG_X = 1,
    SHEET_LOG_Y = 2,
    SHEET_LOG_Z = 4,
    SHEET_EQUAL = 8 /* equal scales on both axes; only of a journal's figures, else sheet_equal() and sheet_limits() */
};

/* journal = 1: a figure as in a journal: a panel alone has no title but its own size, one legend serves all panels if
 * one of them has all labels, limits that are not set have a margin, and points that cannot be drawn are left out.
 * journal = 0: such points leave gaps in the lines, and gnuplot chooses limits that are not set. NULL: out of memory.
 */
sheet *sheet_begin(int journal);
/* From here on every series that begins is reported, with its label: computing one may take seconds. */
typedef void (*sheet_watcher)(void *context, const char *label);
void sheet_watch(sheet *s, sheet_watcher see, void *context);
void sheet_end(sheet *s);
/* Title, caption, legends and sizes, to be set before it is drawn; the sheet counts panels and labels itself. */
style_page *sheet_page(sheet *s);
/* The next panel; the labels of its axes contain their units: "t [s]". */
void sheet_panel(sheet *s, const char *title, const char *x, const char *y, int flags);
/* The limits of the current panel's axis 'x' or 'y'. */
void sheet_limits(sheet *s, char axis, double low, double high);
/* The values of the current panel that are rounding, as a grey band. */
void sheet_band(sheet *s, double low, double high);
/* A tic of the current panel's axis x, instead of those that gnuplot chooses; NULL: a small one without a label. */
void sheet_tic(sheet *s, double at, const char *label);
/* A tilted name for x = 1, 2, 3 ... of the current panel instead of numbers. */
void sheet_category(sheet *s, const char *name);
/* A grey number at a point of the current panel. */
void sheet_mark(sheet *s, double x, double y, int number);
/* The next series of the current panel; "" keeps it out of the legend. `look` as style_curve() has it; SHEET_BY_LABEL:
 * series with one label look alike, and one without a label as the series before it. Guides and floors are below the
 * others. */
enum { SHEET_BY_LABEL = -1 };
void sheet_series(sheet *s, const char *label, style_kind style, int look);
/* A point of the current series; of a map or a cloud with the value that the colour shows. */
void sheet_point(sheet *s, double x, double y);
void sheet_value(sheet *s, double x, double y, double z);

/* 0: memory ran out, or a series of a journal's figure has no points. */
int sheet_complete(const sheet *s);
/* panel,series,x,y: one line per point; the sheet comes as a context (cli_file_write_table()). */
void sheet_write_csv(FILE *f, const void *sheet);
/* The script that follows the terminal and output settings. */
void sheet_write_script(const sheet *s, FILE *f);
/* The page as it is drawn. */
style_page sheet_layout(const sheet *s);
/* 0, or the least width in mm of a page that is to be printed and is too narrow (style_page). */
double sheet_least_width(const sheet *s);

/* "NAME [UNIT]" for an axis whose values are multiplied by 10^-power; "-" is a pure number, "", "rows" and NULL are
 * units that are not known. Returns `text`. */
const char *sheet_label(char text[SHEET_TEXT], const char *name, const char *unit, int power);
/* The power of ten that goes into the unit of an axis, so that its numbers are short; `most` is the largest value. */
int sheet_power(double most);
/* Widens ranges of x and y to equal scales in a frame of the usual size. */
void sheet_equal(double low[2], double high[2]);

#endif
