/* SPDX-License-Identifier: BSD-3-Clause */
/* The one style of all pictures: the page and its panels, frames, legends, axes, and the looks of curves. Lengths are
 * in pixels of 1/96 inch, in every format. A script is
 *
 *   style_begin(f, &page);
 *   style_panel(f, &page, 0, "title");
 *   style_axis(f, 'x', "t", "s", 0);  style_axis(f, 'y', "H - H_0", "J", 0);
 *   style_entry(f, &page, 0, 0, STYLE_LINE, 0, "sem");                (the legend, with the entries' numbers)
 *   fputs("plot $run using 1:2 ", f);  style_curve(f, STYLE_LINE, 0);  (the curves, with commas between them)
 *   style_end(f);
 */
#ifndef LIEGRP_CLI_STYLE_H
#define LIEGRP_CLI_STYLE_H

#include <stdio.h>

/* Curves k and k + STYLE_COLOURS have one colour and differ in dashes and marks. */
enum { STYLE_COLOURS = 11 };

/* How a curve is drawn. Its number k selects colour, dashes and mark: no two of 0 ... 54 look alike. Later curves are
 * thinner and later marks smaller (those of a colour's second curve larger), so that curves that coincide all show. */
typedef enum style_kind {
    STYLE_LINE,        /* a line */
    STYLE_DASHED,      /* a line of dashes */
    STYLE_GUIDE,       /* a thin grey line of dots: slopes, predictions, known values */
    STYLE_FLOOR,       /* a broad light line: what bounds the others */
    STYLE_POINTS,      /* marks */
    STYLE_DOTS,        /* small dots */
    STYLE_MARKS,       /* open marks */
    STYLE_LINE_POINTS, /* a line through open marks */
    STYLE_FILLED       /* a line through filled marks */
} style_kind;

/* A page: panels in rows, each with a title and a legend above its frame, or one legend above all. */
typedef struct style_page {
    int panels, across;   /* how many, and how many side by side */
    int width, height;    /* of a frame; 0: 400 by 300 */
    const char *title;    /* above everything; NULL: none, as in a journal, where the caption has it */
    const char *caption;  /* below everything; NULL: none */
    int plain;            /* 1: the panels have no titles; one panel alone never has a letter */
    int shared;           /* 1: one legend above all panels */
    int entries, longest; /* the most entries of a legend, and the longest label (symbols_width) */
    int tilted;           /* the longest of the tilted names below an axis (symbols_width); 0: numbers */
    int bar;              /* 1: room for a colour bar at the right of each frame */
} style_page;

/* The size of the picture. */
void style_size(const style_page *p, int *width, int *height);
/* `set terminal ...` for a file that ends in .png, .svg or .pdf. */
void style_terminal(FILE *f, const char *file, int width, int height);
void style_begin(FILE *f, const style_page *p);
/* The frame, title and legend of panel `at`; resets axes, ranges, tics and labels. */
void style_panel(FILE *f, const style_page *p, int at, const char *title);
void style_end(FILE *f);

/* The label "NAME [UNIT]" of axis 'x' or 'y', "NAME [-]" for the unit "", NAME alone for NULL (names below the axis, or
 * a unit in the name); linear or logarithmic. */
void style_axis(FILE *f, char axis, const char *name, const char *unit, int logarithmic);
void style_range(FILE *f, char axis, double low, double high);
/* Widens the ranges low[0] ... high[0] of x and low[1] ... high[1] of y to equal scales in the page's frames. */
void style_equal(const style_page *p, double *low, double *high);
/* Colours for maps (cividis: even, readable for all) and the label of the bar. */
void style_palette(FILE *f, const char *name, const char *unit);

/* "with ..." for curve k. */
void style_curve(FILE *f, style_kind kind, int k);
/* Entry i of the legend of panel `at`, before its plot; of a shared legend: before the plot of any one panel. */
void style_entry(FILE *f, const style_page *p, int at, int i, style_kind kind, int k, const char *label);
/* Text in quotes, with symbols for names (symbols.h) and nothing that gnuplot interprets. */
void style_text(FILE *f, const char *text);

#endif
