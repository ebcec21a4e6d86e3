/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as a picture: error over step, logarithmic, a panel per quantity. Colours show the method, line styles
 * and the filling of marks the retraction. Curves that coincide in all panels are drawn once, with all their names. */
#include <math.h>
#include <string.h>

#include "cli/convergence.h"
#include "cli/lib/gnuplot.h"
#include "cli/lib/options.h"
#include "groups/blocks.h"
#include "run/reference.h"

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

/* The first measurement with the curve of measurement i. */
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

/* The panels ------------------------------------------------------------------------------------------------------ */

static const char *unit_of(const cli_comparison *all, int q)
{
    const lg_convergence_column *c = lg_reference_column(all->R, q);
    if (!all->S->kind->units(all->S)) return "-";
    if (strcmp(c->name, "energy") == 0) return "J";
    if (q < lg_reference_column_count(all->R) - 3) { /* a factor */
        const lg_block_kind kind = lg_group_block_at(lg_group_factor(all->R->group, q), 0).kind;
        if (lg_block_turns(kind) && kind != LG_BLOCK_MATRIX) return "rad";
    }
    return "SI units";
}

/* The line of slope p from the upper right corner, and its number where it leaves the panel. */
static void add_slope(sheet *s, int p, range h, range y)
{
    const double most = log(y.high / y.low) / p, here = fmin(log(h.high / h.low), most);
    sheet_mark(s, h.high * exp(-0.96 * here), y.high * exp(-0.96 * here * p), p);
    sheet_series(s, p == 1 ? "slopes 1, 2, 4" : "", STYLE_GUIDE, 0);
    sheet_point(s, h.low, y.high * pow(h.low / h.high, p));
    sheet_point(s, h.high, y.high);
}

/* The step sizes as tics, as many as fit. */
static void add_tics(sheet *s, const cli_comparison *all)
{
    const int most = ldexp(fabs(all->step), 1 - all->levels) < 0.001 ? 3 : 5, every = (all->levels + most - 1) / most;
    for (int k = 0; k < all->levels; k++) {
        char text[32];
        snprintf(text, sizeof text, "%.3g", ldexp(fabs(all->step), -k));
        sheet_tic(s, ldexp(fabs(all->step), -k), k % every == 0 ? text : NULL);
    }
}

static void add_errors(sheet *s, const lg_convergence *c, int q, int floors)
{
    for (int k = 0; k < c->levels; k++)
        sheet_point(s, fabs(c->level[k].step), floors ? c->level[k].floor[q] : c->level[k].error[q]);
}

static void add_curves(sheet *s, const cli_comparison *all, int q, range h, range y)
{
    int floors = 0;
    for (int i = 0; i < all->count; i++) {
        char name[SHEET_TEXT];
        if (!is_drawn(all, i)) continue;
        name_curve(all, i, name, sizeof name);
        sheet_series(s, name, i % all->retractions == 0 ? STYLE_FILLED : STYLE_LINE_POINTS,
                     i / all->retractions % STYLE_COLOURS + STYLE_COLOURS * (i % all->retractions));
        add_errors(s, &all->orders[i].c, q, 0);
    }
    for (int p = 1; p <= 4; p *= 2) add_slope(s, p, h, y);
    for (int i = 0; i < all->count; i++) {
        if (all->orders[i].refused || floors++ > 0) continue;
        sheet_series(s, "rounding, reference", STYLE_FLOOR, 0);
        add_errors(s, &all->orders[i].c, q, 1);
    }
}

static void add_panel(sheet *s, const cli_comparison *all, int q)
{
    const lg_convergence_column *c = lg_reference_column(all->R, q);
    const double coarse = fabs(all->step), fine = ldexp(coarse, 1 - all->levels);
    const range h = {fine / 1.4, coarse * 1.4}, found = find_range(all, q), y = {found.low / 3, found.high * 5};
    char title[64], label[2][SHEET_TEXT];
    snprintf(title, sizeof title, c->kind == LG_VARIABLES_BOTH ? "%s" : "%s (%s)", c->name,
             cli_convergence_kind(c->kind));
    sheet_panel(s, title, sheet_label(label[0], "h", all->S->kind->units(all->S) ? "s" : "-", 0),
                sheet_label(label[1], "error", unit_of(all, q), 0), SHEET_LOG_X | SHEET_LOG_Y);
    sheet_limits(s, 'x', h.low, h.high);
    sheet_limits(s, 'y', y.low, y.high);
    add_tics(s, all);
    add_curves(s, all, q, h, y);
}

int cli_convergence_draw(const cli_comparison *all, const char *file)
{
    sheet *s = sheet_begin(0);
    char title[SHEET_TEXT];
    int status;
    if (s == NULL) return cli_wrong("convergence", "out of memory");
    snprintf(title, sizeof title, "%s: errors at t = %.6g%s", all->S->name, all->time,
             all->S->kind->units(all->S) ? " s" : "");
    sheet_page(s)->title = title;
    sheet_page(s)->shared = 1;
    for (int q = 0; q < lg_reference_column_count(all->R); q++) add_panel(s, all, q);
    status = cli_gnuplot("convergence", file, s);
    sheet_end(s);
    return status;
}
