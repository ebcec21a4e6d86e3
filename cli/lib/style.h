/* SPDX-License-Identifier: BSD-3-Clause */
/* The one style of all pictures: the page and its panels, frames, legends, axes, and the looks of curves, as commands
 * of gnuplot. Pictures are made of sheets (sheet.h), which call all of this. Lengths are in pixels of 1/96 inch, in
 * every format. */
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
    STYLE_FLOOR,       /* a broad light line: a bound */
    STYLE_POINTS,      /* marks */
    STYLE_DOTS,        /* small dots */
    STYLE_MARKS,       /* open marks */
    STYLE_LINE_POINTS, /* a line through open marks */
    STYLE_FILLED,      /* a line through filled marks */
    STYLE_MAP,         /* cells of a map, coloured by a third value */
    STYLE_CLOUD        /* points coloured by a third value */
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
    double font, print;   /* of a page to be printed: points of its letters, and its width in mm; 0: 10.5 points, and as
                           * wide as its frames make it. PNG then has 300 pixels an inch instead of 144 */
} style_page;

/* The size of the picture. */
void style_size(const style_page *p, int *width, int *height);
/* The frames of a page to be printed that fill its width: as many side by side as have room, of the usual shape. 0, or
 * the least width in mm that has room for one. */
double style_fit(style_page *p);
/* `set terminal ...` for a file that ends in .png, .svg or .pdf. */
void style_terminal(FILE *f, const char *file, const style_page *p);
void style_begin(FILE *f, const style_page *p);
/* The frame, title and legend of panel `at`; resets axes, ranges, tics and labels. */
void style_panel(FILE *f, const style_page *p, int at, const char *title);
void style_end(FILE *f);

/* The label of axis 'x' or 'y'; linear or logarithmic. */
void style_axis(FILE *f, char axis, const char *label, int logarithmic);
void style_range(FILE *f, char axis, double low, double high);
/* Widens the ranges low[0] ... high[0] of x and low[1] ... high[1] of y to equal scales in the page's frames. */
void style_equal(const style_page *p, double *low, double *high);
/* Colours for maps (cividis: even, readable for all). */
void style_palette(FILE *f, int logarithmic);

/* "with ..." for curve k. */
void style_curve(FILE *f, style_kind kind, int k);
/* Entry i of the legend of panel `at`, before its plot; of a shared legend: before the plot of any one panel. */
void style_entry(FILE *f, const style_page *p, int at, int i, style_kind kind, int k, const char *label);
/* Text in quotes, with symbols for names (symbols.h) and nothing that gnuplot interprets. */
void style_text(FILE *f, const char *text);

#endif
