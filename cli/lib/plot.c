/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows are thinned as they arrive and given to gnuplot inside its script, a temporary file. */
#include "cli/lib/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "cli/lib/gnuplot.h"
#include "cli/lib/options.h"
#include "cli/lib/text.h"

enum { MOST_POINTS = 5000, MOST_CURVES = 8 };

struct cli_plot {
    lg_model *M;
    int plane;               /* 1: curve 1 against curve 0, with equal scales; 0: all against t */
    int curves;              /* configuration columns shown */
    int column[MOST_CURVES]; /* their columns in a row */
    int energy;              /* the column of H(p~); H(p^-) is the next */
    int width;               /* numbers per point: t, curves, H(p~), H(p^-) */
    int64_t stride, seen, used;
    double *points;
    double *last; /* the last row that arrived */
    const char *title;
};

/* Collecting ------------------------------------------------------------------------------------------------------ */

static int find_column(const lg_model *M, const char *name)
{
    for (int i = 0; i < lg_run_column_count(M); i++) {
        if (strcmp(lg_run_column(M, i), name) == 0) return i;
    }
    return -1;
}

/* The plane of x and y if they exist; else that of the first two coordinates of R^n; else everything against t. */
static void choose_curves(cli_plot *p)
{
    const lg_system *S = NULL;
    const lg_group *first;
    const int x = find_column(p->M, "x"), y = find_column(p->M, "y");
    p->curves = 2;
    p->plane = 1;
    p->column[0] = x;
    p->column[1] = y;
    if (x >= 0 && y >= 0) return;
    first = lg_model_system(p->M, &S) == LG_OK ? lg_group_factor(S->group, 0) : NULL;
    p->plane = first != NULL && first->kind == LG_KIND_RN && first->dim >= 2;
    if (!p->plane) p->curves = lg_model_column_count(p->M) < MOST_CURVES ? lg_model_column_count(p->M) : MOST_CURVES;
    for (int i = 0; i < p->curves; i++) p->column[i] = 2 + i;
}

cli_plot *cli_plot_begin(lg_model *M, int64_t rows)
{
    cli_plot *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->M = M;
    choose_curves(p);
    p->energy = find_column(M, "energy");
    p->width = p->curves + 3;
    p->stride = (rows + MOST_POINTS - 1) / MOST_POINTS;
    if (p->stride < 1) p->stride = 1;
    p->stride += p->stride % 2 == 0; /* odd, so that oscillations from step to step show */
    p->points = calloc((size_t)((rows / p->stride + 3) * p->width), sizeof *p->points);
    if (p->points == NULL) {
        free(p);
        return NULL;
    }
    return p;
}

void cli_plot_end(cli_plot *p)
{
    if (p == NULL) return;
    free(p->points);
    free(p);
}

/* A point is kept if it is due, otherwise until the next one arrives, so the last one is always there. */
void cli_plot_row(cli_plot *p, const double *row)
{
    double *at = p->points + p->used * p->width;
    p->last = at;
    *at++ = row[1];
    for (int i = 0; i < p->curves; i++) *at++ = row[p->column[i]];
    *at++ = row[p->energy];
    *at++ = row[p->energy + 1];
    if (p->seen++ % p->stride == 0) {
        p->used++;
        p->last = NULL;
    }
}

/* The script ------------------------------------------------------------------------------------------------------ */

typedef struct range {
    double low, high;
} range;

/* Finite range of number i of all points, minus `base`. */
static range find_range(const cli_plot *p, int i, double base)
{
    range r = {INFINITY, -INFINITY};
    for (int64_t k = 0; k < p->used; k++) {
        const double value = p->points[k * p->width + i] - base;
        if (!isfinite(value)) continue;
        r.low = fmin(r.low, value);
        r.high = fmax(r.high, value);
    }
    return r;
}

static range join(range a, range b)
{
    const range r = {fmin(a.low, b.low), fmax(a.high, b.high)};
    return r;
}

/* A small margin on both sides; never an empty range. */
static range pad(range r, double least)
{
    double air;
    if (!(r.low <= r.high)) r.low = r.high = 0;
    air = fmax(0.05 * (r.high - r.low), fmax(least, 1e-12 * fmax(fabs(r.low), fabs(r.high))));
    r.low -= air;
    r.high += air;
    return r;
}

static void set_range(FILE *f, const char *axis, range r)
{
    fprintf(f, "set %srange [%.17g:%.17g]\n", axis, r.low, r.high);
}

void cli_plot_label(FILE *f, const char *axis, const char *name, const char *unit)
{
    char text[128];
    snprintf(text, sizeof text, unit[0] != '\0' ? "%s [%s]" : "%s", name, unit);
    fprintf(f, "set %slabel ", axis);
    text_gnuplot(f, text);
    fputc('\n', f);
}

int cli_plot_has_units(const lg_model *M)
{
    const lg_model_definition *d = lg_model_describe(M);
    for (int i = 0; i < d->parameter_count; i++) {
        if (d->parameters[i].unit != NULL && d->parameters[i].unit[0] != '\0') return 1;
    }
    return 0;
}

static void write_data(const cli_plot *p, FILE *f)
{
    const int H = p->width - 2;
    fputs("$run << end\n", f);
    for (int64_t k = 0; k < p->used; k++) {
        const double *point = p->points + k * p->width;
        for (int i = 0; i < p->width; i++)
            fprintf(f, i > 0 ? " %.17g" : "%.17g", point[i] - (i >= H ? p->points[i] : 0));
        fputc('\n', f);
    }
    fputs("end\n", f);
}

static void write_plane(const cli_plot *p, FILE *f, const char *unit)
{
    range x = find_range(p, 1, 0), y = find_range(p, 2, 0);
    const double half = fmax(x.high - x.low, y.high - y.low) / 2;
    if (isfinite(half)) { /* equal scales on both axes, whatever the shape of the orbit */
        x.low = (x.low + x.high) / 2 - half, x.high = x.low + 2 * half;
        y.low = (y.low + y.high) / 2 - half, y.high = y.low + 2 * half;
    }
    set_range(f, "x", pad(x, 1e-6));
    set_range(f, "y", pad(y, 1e-6));
    cli_plot_label(f, "x", lg_run_column(p->M, p->column[0]), unit);
    cli_plot_label(f, "y", lg_run_column(p->M, p->column[1]), unit);
    fputs("set size ratio 1\n"
          "plot $run using 2:3 with lines lw 1.5 lc rgb '#1f5fa8' title 'orbit', "
          "$run every ::0::0 using 2:3 with points pt 7 ps 1.2 lc rgb '#c03a2b' title 'start'\n"
          "set size noratio\n",
          f);
}

static void write_curves(const cli_plot *p, FILE *f, const char *second)
{
    range all = {INFINITY, -INFINITY};
    for (int i = 0; i < p->curves; i++) all = join(all, find_range(p, 1 + i, 0));
    set_range(f, "x", pad(find_range(p, 0, 0), 1e-9));
    set_range(f, "y", pad(all, 1e-6));
    cli_plot_label(f, "x", "t", second);
    cli_plot_label(f, "y", "configuration", "");
    fputs("plot ", f);
    for (int i = 0; i < p->curves; i++) {
        fprintf(f, "%s$run using 1:%d with lines lw 1.5 title ", i > 0 ? ", " : "", 2 + i);
        text_gnuplot(f, lg_run_column(p->M, p->column[i]));
    }
    fputc('\n', f);
}

static void write_energy(const cli_plot *p, FILE *f, const char *second, const char *joule)
{
    const int H = p->width - 2;
    const range tilde = find_range(p, H, p->points[H]), post = find_range(p, H + 1, p->points[H + 1]);
    const range both = join(tilde, post);
    set_range(f, "x", pad(find_range(p, 0, 0), 1e-9));
    set_range(f, "y", pad(both, 1e-17));
    cli_plot_label(f, "x", "t", second);
    cli_plot_label(f, "y", "energy change H - H_0", joule);
    fputs("set format y '%.1e'\nplot ", f);
    if (post.low <= post.high) { /* the GNI; other methods have one momentum at a node and write nan here */
        fprintf(f,
                "$run using 1:%d with lines lw 1 lc rgb '#e08a1e' title 'H(p^-), momentum that leaves', "
                "$run using 1:%d with lines lw 1.5 lc rgb '#1f5fa8' title 'H(p~), average momentum'\n",
                H + 2, H + 1);
    } else {
        fprintf(f, "$run using 1:%d with lines lw 1.5 lc rgb '#1f5fa8' title 'H'\n", H + 1);
    }
}

static void write_script(FILE *f, const void *context)
{
    const cli_plot *p = context;
    const int units = cli_plot_has_units(p->M);
    write_data(p, f);
    fputs("set multiplot layout 1,2 title ", f);
    text_gnuplot(f, p->title);
    fputs("\nset grid lt 1 lc rgb '#c0c0c0'\nset key outside top center horizontal Left reverse\nset tics nomirror\n",
          f);
    if (p->plane) {
        write_plane(p, f, units ? "m" : "");
    } else {
        write_curves(p, f, units ? "s" : "");
    }
    write_energy(p, f, units ? "s" : "", units ? "J" : "");
    fputs("unset multiplot\n", f);
}

int cli_plot_draw(cli_plot *p, const char *file, const char *title)
{
    const cli_picture picture = {"run", file, 1200, 540, write_script, p};
    p->title = title;
    if (p->last != NULL) p->used++;
    p->last = NULL;
    return cli_gnuplot(&picture);
}
