/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as a picture: error over step, logarithmic, a panel per quantity and one for the legend. Colours and
 * point shapes show the method, line styles and the filling of points the retraction, so the picture is readable
 * without colours. */
#include <math.h>
#include <string.h>

#include "cli/convergence.h"
#include "cli/lib/plot.h"
#include "cli/lib/text.h"

enum { PANEL_WIDTH = 420, PANEL_HEIGHT = 380, TITLE_HEIGHT = 40 };

static void layout(const cli_comparison *all, int *rows, int *across)
{
    const int panels = lg_reference_column_count(all->R) + 1;
    *rows = panels <= 3 ? 1 : panels <= 8 ? 2 : 3;
    *across = (panels + *rows - 1) / *rows;
}

void cli_convergence_size(const cli_comparison *all, int *width, int *height)
{
    int rows, across;
    layout(all, &rows, &across);
    *width = across * PANEL_WIDTH;
    *height = rows * PANEL_HEIGHT + TITLE_HEIGHT;
}

/* Data ------------------------------------------------------------------------------------------------------------ */

static void write_number(FILE *f, double x)
{
    if (isfinite(x) && x > 0) {
        fprintf(f, " %.17g", x);
    } else {
        fputs(" NaN", f); /* 0 has no logarithm */
    }
}

/* A data block per measurement, $m0, $m1, ...: |h|, errors, floors. */
static void write_data(FILE *f, const cli_comparison *all)
{
    for (int i = 0; i < all->count; i++) {
        const lg_convergence *c = &all->orders[i].c;
        if (all->orders[i].refused) continue;
        fprintf(f, "$m%d << end\n", i);
        for (int k = 0; k < c->levels; k++) {
            fprintf(f, "%.17g", fabs(c->level[k].step));
            for (int q = 0; q < c->columns; q++) write_number(f, c->level[k].error[q]);
            for (int q = 0; q < c->columns; q++) write_number(f, c->level[k].floor[q]);
            fputc('\n', f);
        }
        fputs("end\n", f);
    }
}

typedef struct range {
    double low, high;
} range;

/* The range of the errors that are not 0; its upper end is at least the floor where all errors are rounding. */
static range find_range(const cli_comparison *all, int q)
{
    range r = {INFINITY, 0};
    for (int i = 0; i < all->count; i++) {
        const lg_convergence *c = &all->orders[i].c;
        for (int k = 0; !all->orders[i].refused && k < c->levels; k++) {
            const double error = c->level[k].error[q];
            r.high = fmax(r.high, c->level[k].floor[q]);
            if (!(error > 0)) continue;
            r.low = fmin(r.low, error);
            r.high = fmax(r.high, error);
        }
    }
    if (!(r.low < r.high)) r.low = r.high / 100;
    return r;
}

/* The panels ------------------------------------------------------------------------------------------------------ */

static void write_style(FILE *f, const cli_comparison *all, int i)
{
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#a0529d",
                                          "#8c6d00", "#000000", "#56b4e9", "#b22222"};
    static const int filled[] = {7, 5, 9, 11, 13, 15}, open[] = {6, 4, 8, 10, 12, 14};
    const int method = i / all->retractions, retraction = i % all->retractions, hollow = retraction % 2;
    const double size = (hollow ? 1.3 : 1) * (1.4 - 0.2 * (method < 4 ? method : 4)); /* later curves are smaller */
    fprintf(f, "with linespoints lw 1.6 lc rgb '%s' pt %d dt %d ps %g ", colours[method % 8],
            hollow ? open[method % 6] : filled[method % 6], 1 + retraction, size);
}

static const char *unit_of(const cli_comparison *all, int q)
{
    const lg_convergence_column *c = lg_reference_column(all->R, q);
    if (!cli_plot_has_units(all->M)) return "";
    if (strcmp(c->name, "energy") == 0) return "J";
    if (strncmp(c->name, "SO(3)", 5) == 0 || strncmp(c->name, "T^", 2) == 0) return "rad";
    return "SI units";
}

/* The label of the line of slope p from the upper right corner, where it leaves the panel. */
static void write_slope(FILE *f, int p, range h, range y)
{
    const double most = log(y.high / y.low) / p, here = fmin(log(h.high / h.low), most);
    fprintf(f, "set label '%d' at %.6g,%.6g offset character 0.4,0.6 tc rgb '#606060' front\n", p,
            h.high * exp(-0.96 * here), y.high * exp(-0.96 * here * p));
}

/* The step sizes as tics, as many as there is room for. */
static void write_tics(FILE *f, const cli_comparison *all)
{
    const int most = ldexp(fabs(all->step), 1 - all->levels) < 0.001 ? 3 : 5, every = (all->levels + most - 1) / most;
    fputs("set xtics (", f);
    for (int k = 0; k < all->levels; k++) {
        const double h = ldexp(fabs(all->step), -k);
        fputs(k > 0 ? ", " : "", f);
        if (k % every == 0) {
            fprintf(f, "'%.3g' %.10g", h, h);
        } else {
            fprintf(f, "%.10g 1", h);
        }
    }
    fputs(")\n", f);
}

static void write_panel(FILE *f, const cli_comparison *all, int q)
{
    static const int slopes[] = {1, 2, 4};
    const lg_convergence_column *c = lg_reference_column(all->R, q);
    const double coarse = fabs(all->step), fine = ldexp(coarse, 1 - all->levels);
    const range h = {fine / 1.4, coarse * 1.4}, found = find_range(all, q), y = {found.low / 3, found.high * 5};
    char title[64];
    snprintf(title, sizeof title, c->kind == LG_VARIABLES_BOTH ? "%s" : "%s (%s)", c->name,
             cli_convergence_kind(c->kind));
    fputs("set title ", f);
    text_gnuplot(f, title);
    fputc('\n', f);
    cli_plot_label(f, "x", "step h", cli_plot_has_units(all->M) ? "s" : "");
    cli_plot_label(f, "y", "error", unit_of(all, q));
    fprintf(f, "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\nunset label\n", h.low, h.high, y.low, y.high);
    for (int i = 0; i < 3; i++) write_slope(f, slopes[i], h, y);
    fputs("plot ", f);
    for (int i = 0; i < 3; i++) {
        fprintf(f, "%.6g * (x / %.6g)**%d with lines lw 1 dt 3 lc rgb '#808080' notitle, ", y.high, h.high, slopes[i]);
    }
    for (int i = 0, floors = 0; i < all->count; i++) {
        if (all->orders[i].refused) continue;
        if (floors++ == 0) {
            fprintf(f, "$m%d using 1:%d with lines lw 3 lc rgb '#d0d0d0' notitle", i,
                    2 + lg_reference_column_count(all->R) + q);
        }
        fprintf(f, ", $m%d using 1:%d ", i, 2 + q);
        write_style(f, all, i);
        fputs("notitle", f);
    }
    fputc('\n', f);
}

/* The last panel: only the legend. */
static void write_legend(FILE *f, const cli_comparison *all)
{
    fputs("unset logscale\nunset title\nunset xlabel\nunset ylabel\nunset label\nunset tics\nunset border\nunset grid\n"
          "set xrange [0:1]\nset yrange [0:1]\nset key at graph 0.5,0.95 center top vertical Left reverse samplen 4 "
          "maxrows 16\nplot ",
          f);
    for (int i = 0; i < all->count; i++) {
        char name[128];
        if (all->orders[i].refused) continue;
        snprintf(name, sizeof name, "%s, %s", all->orders[i].method, all->orders[i].retraction);
        fputs("NaN ", f);
        write_style(f, all, i);
        fputs("title ", f);
        text_gnuplot(f, name);
        fputs(", ", f);
    }
    fputs("NaN with lines lw 1 dt 3 lc rgb '#808080' title 'slopes 1, 2, 4', NaN with lines lw 3 lc rgb '#d0d0d0' "
          "title 'rounding, reference'\n",
          f);
}

void cli_convergence_script(FILE *f, const void *comparison)
{
    const cli_comparison *all = comparison;
    char title[256];
    int rows, across;
    layout(all, &rows, &across);
    snprintf(title, sizeof title, "%s: errors at t = %.6g%s", lg_model_describe(all->M)->name, all->time,
             cli_plot_has_units(all->M) ? " s" : "");
    write_data(f, all);
    fprintf(f, "set multiplot layout %d,%d title ", rows, across);
    text_gnuplot(f, title);
    fputs("\nset logscale xy\nset grid lt 1 lc rgb '#e4e4e4'\nset tics nomirror\nset format y '%.0e'\nunset key\n", f);
    write_tics(f, all);
    for (int q = 0; q < lg_reference_column_count(all->R); q++) write_panel(f, all, q);
    write_legend(f, all);
    fputs("unset multiplot\n", f);
}
