/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as a picture: error over step, logarithmic, a panel per quantity. Colours show the method, line styles
 * and the filling of marks the retraction. Curves that coincide in all panels are drawn once, with all their names. */
#include <math.h>
#include <string.h>

#include "cli/convergence.h"
#include "cli/lib/plot.h"
#include "cli/lib/style.h"
#include "cli/lib/symbols.h"

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

/* Curves that coincide -------------------------------------------------------------------------------------------- */

/* 1: the errors agree within 1 %, which no picture resolves, or are both rounding. */
static int same_errors(const lg_convergence *a, const lg_convergence *b)
{
    if (a->levels != b->levels || a->columns != b->columns) return 0;
    for (int k = 0; k < a->levels; k++) {
        for (int q = 0; q < a->columns; q++) {
            const double x = a->level[k].error[q], y = b->level[k].error[q], bound = 4 * a->level[k].floor[q];
            if (isfinite(x) != isfinite(y)) return 0;
            if (isfinite(x) && fabs(x - y) > 0.01 * fmax(x, y) && !(x < bound && y < bound)) return 0;
        }
    }
    return 1;
}

/* The first measurement whose curve lies where number i's does. */
static int drawn_as(const cli_comparison *all, int i)
{
    for (int k = 0; k < i; k++)
        if (!all->orders[k].refused && same_errors(&all->orders[k].c, &all->orders[i].c)) return k;
    return i;
}

static int is_drawn(const cli_comparison *all, int i)
{
    return !all->orders[i].refused && drawn_as(all, i) == i;
}

/* 1: the retraction makes no difference to measurement i's method. */
static int for_any(const cli_comparison *all, int i)
{
    const int first = i - i % all->retractions;
    for (int k = first; k < first + all->retractions; k++)
        if (all->orders[k].refused || drawn_as(all, k) != drawn_as(all, first)) return 0;
    return all->retractions > 1;
}

/* "gni, exp; nsv, exp": all measurements that are drawn as number i. */
static void name_curve(const cli_comparison *all, int i, char *name, size_t room)
{
    size_t used = 0;
    name[0] = '\0';
    for (int k = i; k < all->count && used < room; k++) {
        const int any = for_any(all, k);
        if (all->orders[k].refused || drawn_as(all, k) != i || (any && k % all->retractions > 0)) continue;
        used += (size_t)snprintf(name + used, room - used, "%s%s%s%s", used > 0 ? "; " : "", all->orders[k].method,
                                 any ? "" : ", ", any ? "" : all->orders[k].retraction);
    }
}

/* The page -------------------------------------------------------------------------------------------------------- */

enum { NAME = 256 };

static style_page page_of(const cli_comparison *all, char *title, size_t room)
{
    const int panels = lg_reference_column_count(all->R);
    style_page page = {.panels = panels, .shared = 1, .entries = 2, .longest = 19, .title = title};
    page.across = panels <= 3 ? panels : panels == 4 ? 2 : 3;
    for (int i = 0; i < all->count; i++) {
        char name[NAME];
        if (!is_drawn(all, i)) continue;
        name_curve(all, i, name, sizeof name);
        page.entries++;
        if (symbols_width(name) > page.longest) page.longest = symbols_width(name);
    }
    snprintf(title, room, "%s: errors at t = %.6g%s", lg_model_describe(all->M)->name, all->time,
             cli_plot_has_units(all->M) ? " s" : "");
    return page;
}

void cli_convergence_size(const cli_comparison *all, int *width, int *height)
{
    char title[NAME];
    const style_page page = page_of(all, title, sizeof title);
    style_size(&page, width, height);
}

/* The panels ------------------------------------------------------------------------------------------------------ */

static style_kind kind_of(const cli_comparison *all, int i)
{
    return i % all->retractions == 0 ? STYLE_FILLED : STYLE_LINE_POINTS;
}

static int look_of(const cli_comparison *all, int i)
{
    return i / all->retractions % STYLE_COLOURS + STYLE_COLOURS * (i % all->retractions);
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

static void write_legend(FILE *f, const cli_comparison *all, const style_page *page)
{
    int entry = 0;
    for (int i = 0; i < all->count; i++) {
        char name[NAME];
        if (!is_drawn(all, i)) continue;
        name_curve(all, i, name, sizeof name);
        style_entry(f, page, 0, entry++, kind_of(all, i), look_of(all, i), name);
    }
    style_entry(f, page, 0, entry++, STYLE_GUIDE, 0, "slopes 1, 2, 4");
    style_entry(f, page, 0, entry, STYLE_FLOOR, 0, "rounding, reference");
}

static void write_frame(FILE *f, const cli_comparison *all, const style_page *page, int q)
{
    const lg_convergence_column *c = lg_reference_column(all->R, q);
    char title[64];
    snprintf(title, sizeof title, c->kind == LG_VARIABLES_BOTH ? "%s" : "%s (%s)", c->name,
             cli_convergence_kind(c->kind));
    style_panel(f, page, q, title);
    style_axis(f, 'x', "h", cli_plot_has_units(all->M) ? "s" : "", 1);
    style_axis(f, 'y', "error", unit_of(all, q), 1);
    write_tics(f, all);
}

static void write_panel(FILE *f, const cli_comparison *all, const style_page *page, int q)
{
    static const int slopes[] = {1, 2, 4};
    const double coarse = fabs(all->step), fine = ldexp(coarse, 1 - all->levels);
    const range h = {fine / 1.4, coarse * 1.4}, found = find_range(all, q), y = {found.low / 3, found.high * 5};
    int floors = 0;
    write_frame(f, all, page, q);
    style_range(f, 'x', h.low, h.high);
    style_range(f, 'y', y.low, y.high);
    for (int i = 0; i < 3; i++) write_slope(f, slopes[i], h, y);
    if (q == 0) write_legend(f, all, page);
    fputs("plot ", f);
    for (int i = 0; i < all->count; i++) {
        if (all->orders[i].refused || floors++ > 0) continue;
        fprintf(f, "$m%d using 1:%d ", i, 2 + lg_reference_column_count(all->R) + q);
        style_curve(f, STYLE_FLOOR, 0);
        fputs(", ", f);
    }
    for (int i = 0; i < 3; i++) {
        fprintf(f, "%s%.6g * (x / %.6g)**%d ", i > 0 ? ", " : "", y.high, h.high, slopes[i]);
        style_curve(f, STYLE_GUIDE, 0);
    }
    for (int i = 0; i < all->count; i++) {
        if (!is_drawn(all, i)) continue;
        fprintf(f, ", $m%d using 1:%d ", i, 2 + q);
        style_curve(f, kind_of(all, i), look_of(all, i));
    }
    fputc('\n', f);
}

void cli_convergence_script(FILE *f, const void *comparison)
{
    const cli_comparison *all = comparison;
    char title[NAME];
    const style_page page = page_of(all, title, sizeof title);
    write_data(f, all);
    style_begin(f, &page);
    for (int q = 0; q < page.panels; q++) write_panel(f, all, &page, q);
    style_end(f);
}
