/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows are thinned as they arrive. */
#include "cli/lib/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "cli/lib/columns.h"
#include "cli/lib/gnuplot.h"
#include "cli/lib/options.h"
#include "cli/lib/print.h"

enum { MOST_POINTS = 5000, LABEL = SHEET_TEXT };

/* Progress. */
typedef struct plot_progress {
    double work, lost;  /* sum of the work, and its round-off */
    int64_t worked;     /* 1: something did work */
    int64_t seen, used; /* rows, and points of these */
    int64_t waits;      /* 1: the last row is stored after the points */
} plot_progress;

struct cli_plot {
    plot_choice c;
    const cli_system *S;
    int width;       /* numbers per point: t, then the sources */
    int work_column; /* of a row; -1: none, cli_plot_state() sums it up */
    double *first;   /* the first row */
    int columns;     /* of a row */
    int64_t stride;
    plot_progress now;
    int64_t room; /* numbers at `points`, those of the first row too */
    double *points;
};

/* Collecting ------------------------------------------------------------------------------------------------------ */

cli_plot *cli_plot_begin(const plot_choice *choice, const cli_system *S, int64_t rows)
{
    cli_plot *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->c = *choice;
    p->S = S;
    p->columns = lg_model_column_count(S->M);
    p->width = 1 + choice->sources;
    p->work_column = lg_model_column_find(S->M, "work");
    p->stride = (rows + MOST_POINTS - 1) / MOST_POINTS;
    if (p->stride < 1) p->stride = 1;
    p->stride += p->stride % 2 == 0; /* odd, so that oscillations from step to step show */
    p->room = (rows / p->stride + 3) * p->width + p->columns;
    p->points = calloc((size_t)p->room, sizeof *p->points);
    if (p->points == NULL) {
        free(p);
        return NULL;
    }
    p->first = p->points + (rows / p->stride + 3) * p->width;
    return p;
}

void cli_plot_end(cli_plot *p)
{
    if (p == NULL) return;
    free(p->points);
    free(p);
}

int cli_plot_sums_work(const cli_plot *p)
{
    return p->work_column < 0 && cli_plot_needs_work(&p->c);
}

/* Compensated, so that a million steps do not show as a drift. */
int cli_plot_state(const lg_motion *mo, void *context)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    cli_plot *p = context;
    const double work = lg_integrator_step_index(it) > 0 ? lg_integrator_step_work(it) : 0;
    const double y = work - p->now.lost, sum = p->now.work + y;
    p->now.lost = isfinite(sum) ? (sum - p->now.work) - y : 0;
    p->now.work = sum;
    p->now.worked |= work != 0;
    return 0;
}

/* Component of the axis of a body with the quaternion q. */
static double axis_of(const double *q, int axis, int component)
{
    double e[3] = {0, 0, 0}, turned[3];
    e[axis] = 1;
    lg_so3_act(turned, q, e);
    return turned[component];
}

static double value_of(const cli_plot *p, const plot_source *s, const double *row)
{
    switch (s->kind) {
    case PLOT_CHANGE:
        return row[s->column] - p->first[s->column];
    case PLOT_AXIS:
        return axis_of(row + s->column, s->axis, s->component);
    case PLOT_WORK:
        return p->now.work;
    case PLOT_BALANCE:
        return row[s->column] - p->first[s->column] - p->now.work;
    case PLOT_COLUMN:
    default:
        return row[s->column];
    }
}

/* A point is kept if it is due; other points are kept until the next one arrives, so that the last is always there. */
void cli_plot_row(cli_plot *p, const double *row)
{
    double *at = p->points + p->now.used * p->width;
    if (p->now.seen == 0) memcpy(p->first, row, (size_t)p->columns * sizeof *row);
    p->now.waits = 1;
    if (p->work_column >= 0) {
        p->now.work = row[p->work_column];
        p->now.worked |= p->now.work != 0;
    }
    *at++ = row[1];
    for (int i = 0; i < p->c.sources; i++) *at++ = value_of(p, &p->c.source[i], row);
    if (p->now.seen++ % p->stride == 0) {
        p->now.used++;
        p->now.waits = 0;
    }
}

void cli_plot_collected(cli_plot *p, void *at[2], size_t bytes[2])
{
    at[0] = &p->now, bytes[0] = sizeof p->now;
    at[1] = p->points, bytes[1] = (size_t)p->room * sizeof *p->points;
}

int cli_plot_is_sound(const cli_plot *p)
{
    const plot_progress *n = &p->now;
    return n->used >= 0 && (n->used + 1) * p->width + p->columns <= p->room && n->seen >= n->used &&
           (n->waits == 0 || n->waits == 1);
}

/* What there is to show -------------------------------------------------------------------------------------------- */

/* Widens a range to the finite values of number i of all points. */
static void extend(const cli_plot *p, int i, double *low, double *high)
{
    for (int64_t k = 0; k < p->now.used; k++) {
        const double value = p->points[k * p->width + i];
        if (!isfinite(value)) continue;
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

/* A small margin on both sides; never an empty range. */
static void pad(double *low, double *high, double least)
{
    double air;
    if (!(*low <= *high)) *low = *high = 0;
    air = fmax(0.05 * (*high - *low), fmax(least, 1e-12 * fmax(fabs(*low), fabs(*high))));
    *low -= air;
    *high += air;
}

/* 1: there are values after the start, where the work of all methods is 0. */
static int has_values(const cli_plot *p, int source)
{
    int64_t finite = 0;
    for (int64_t k = p->now.used > 1; k < p->now.used; k++)
        finite += isfinite(p->points[k * p->width + 1 + source]) != 0;
    return finite > 0;
}

/* 1: the curve is drawn. If nothing does work, work and balance show no more than the energy. */
static int shows(const cli_plot *p, const plot_curve *curve)
{
    const plot_source *y = &p->c.source[curve->y];
    if (!p->c.chosen && !p->now.worked && (y->kind == PLOT_WORK || y->kind == PLOT_BALANCE)) return 0;
    if (has_values(p, curve->y) && (curve->x < 0 || has_values(p, curve->x))) return 1;
    if (p->c.chosen) cli_print(stderr, "liegrp run: '%s' has no finite values in this run\n", y->name);
    return 0;
}

/* Removes curves without values, and then panels without curves. */
static void drop(cli_plot *p)
{
    plot_choice *c = &p->c;
    int curves = 0, panels = 0;
    for (int i = 0; i < c->panels; i++) {
        plot_panel panel = c->panel[i];
        const int first = curves;
        for (int k = 0; k < panel.count; k++) {
            const plot_curve curve = c->curve[panel.first + k];
            if (shows(p, &curve)) c->curve[curves++] = curve;
        }
        panel.first = first;
        panel.count = curves - first;
        if (panel.count > 0) c->panel[panels++] = panel;
    }
    c->curves = curves;
    c->panels = panels;
}

/* Words ----------------------------------------------------------------------------------------------------------- */

/* The name of a curve in a legend or on an axis. */
static void label_of(char *text, size_t room, const plot_source *s)
{
    const char *name = strncmp(s->name, "inv_", 4) == 0 ? s->name + 4 : s->name;
    const int change = s->kind == PLOT_CHANGE;
    const int length = (int)(strlen(name) - (change ? strlen("_change") : 0));
    if (strcmp(s->name, "energy_change") == 0) {
        snprintf(text, room, "H - H_0");
    } else if (strcmp(s->name, "energy_post_change") == 0) {
        snprintf(text, room, "change of H(p^-)");
    } else if (s->kind == PLOT_BALANCE) {
        snprintf(text, room, "H - H_0 - work");
    } else {
        snprintf(text, room, change ? "change of %.*s" : "%.*s", length, name);
    }
}

static void curve_label(char *text, size_t room, const plot_choice *c, const plot_curve *curve)
{
    char x[PLOT_NAME + 16] = "", y[PLOT_NAME + 16];
    label_of(y, sizeof y, &c->source[curve->y]);
    if (curve->x >= 0) label_of(x, sizeof x, &c->source[curve->x]);
    snprintf(text, room, "%s%s%s", x, curve->x >= 0 ? ", " : "", y);
}

/* The kind of all curves of a panel; -1: they differ. */
static int common_kind(const plot_choice *c, const plot_panel *panel)
{
    const plot_kind kind = c->source[c->curve[panel->first].y].kind;
    for (int i = 1; i < panel->count; i++) {
        if (c->source[c->curve[panel->first + i].y].kind != kind) return -1;
    }
    return (int)kind;
}

static int is_about(const plot_choice *c, const plot_panel *panel, const char *beginning)
{
    for (int i = 0; i < panel->count; i++) {
        const char *name = c->source[c->curve[panel->first + i].y].name;
        if (strncmp(name, beginning, strlen(beginning)) != 0 && strcmp(name, "work") != 0) return 0;
    }
    return 1;
}

static int is_residual(const plot_choice *c, const plot_panel *panel)
{
    for (int i = 0; i < panel->count; i++) {
        const char *name = c->source[c->curve[panel->first + i].y].name;
        if (strcmp(name, "constraint") != 0 && strcmp(name, "gap") != 0 && strcmp(name, "slip") != 0) return 0;
    }
    return 1;
}

/* Title of a panel, and the label of its y-axis if there are several curves. */
static void name_panel(char *title, char *axis, size_t room, const plot_choice *c, const plot_panel *panel)
{
    const plot_source *s = &c->source[c->curve[panel->first].y];
    const int kind = common_kind(c, panel);
    snprintf(axis, room, "value");
    curve_label(title, room, c, &c->curve[panel->first]);
    for (int i = 1; i < panel->count && strlen(title) < 30; i++) {
        char more[LABEL];
        curve_label(more, sizeof more, c, &c->curve[panel->first + i]);
        snprintf(title + strlen(title), room - strlen(title), ", %.40s", more);
    }
    if (panel->planes) {
        snprintf(title, room, "path");
    } else if (is_about(c, panel, "energy")) {
        snprintf(title, room, "energy");
        snprintf(axis, room, "energy");
    } else if (kind == PLOT_AXIS) {
        snprintf(title, room, "axis e_%d of the body in space", s->axis + 1);
        snprintf(axis, room, "components");
    } else if (is_residual(c, panel)) {
        snprintf(title, room, "residual of the constraints");
        snprintf(axis, room, "largest residual");
    } else if (kind == PLOT_BALANCE) {
        snprintf(title, room, "energy balance");
    } else if (kind == PLOT_CHANGE || (kind < 0 && s->kind == PLOT_BALANCE)) {
        snprintf(title, room, s->kind == PLOT_BALANCE ? "balance and invariants" : "invariants");
        if (!is_about(c, panel, "inv_") && s->kind != PLOT_BALANCE) snprintf(title, room, "changes");
        snprintf(axis, room, "since the start");
    } else if (panel->count > 1 && strlen(title) < 30) {
        snprintf(axis, room, "%s", title);
    }
}

/* Rounding -------------------------------------------------------------------------------------------------------- */

/* What rounding makes of numbers near 1 in a run, as on a page of a run (web/plot.js). */
#define NOISE 1e-13

/* The largest magnitude of a column, or of the work, as far as curves have it. */
static double magnitude(const cli_plot *p, int column)
{
    double most = column >= 0 ? fabs(p->first[column]) : 0;
    for (int i = 0; i < p->c.sources; i++) {
        const plot_source *s = &p->c.source[i];
        const int is_work = s->kind == PLOT_WORK, of_column = s->kind == PLOT_CHANGE || s->kind == PLOT_COLUMN;
        if (!is_work && !(of_column && s->column == column)) continue;
        double low = INFINITY, high = -INFINITY;
        extend(p, 1 + i, &low, &high);
        const double from = s->kind == PLOT_CHANGE ? p->first[column] : 0;
        if (low <= high) most = fmax(most, fmax(fabs(from + low), fabs(from + high)));
    }
    return most;
}

/* The height below which curves of a panel show rounding; 0: they are neither residuals nor changes. */
static double noise_of(const cli_plot *p, const plot_panel *panel)
{
    double most = 0;
    if (panel->planes) return 0;
    if (is_residual(&p->c, panel)) return NOISE;
    for (int i = 0; i < panel->count; i++) {
        const plot_source *s = &p->c.source[p->c.curve[panel->first + i].y];
        if (s->kind != PLOT_CHANGE && s->kind != PLOT_BALANCE && s->kind != PLOT_WORK) return 0;
        most = fmax(most, magnitude(p, s->kind == PLOT_WORK ? -1 : s->column));
    }
    return NOISE * most;
}

/* Rounding does not fill the height of a panel: residuals have logarithmic axes of at least 13 decades above it. */
static void settle_height(double noise, int residual, double *low, double *high)
{
    const double middle = 0.5 * (*low + *high);
    if (residual) {
        *low = 1e-5 * noise, *high = fmax(3 * *high, 1e13 * noise);
    } else if (*high - *low < 10 * noise) {
        *low = middle - 5 * noise, *high = middle + 5 * noise;
    }
}

/* The sheet ------------------------------------------------------------------------------------------------------- */

/* Ranges of both axes over all curves of the panel. */
static void find_ranges(const cli_plot *p, const plot_panel *panel, double low[2], double high[2])
{
    const int residual = is_residual(&p->c, panel), planes = panel->planes;
    const plot_curve *first = &p->c.curve[panel->first];
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -INFINITY;
    for (int i = 0; i < panel->count; i++) {
        extend(p, planes ? 1 + first[i].x : 0, &low[0], &high[0]);
        extend(p, 1 + first[i].y, &low[1], &high[1]);
    }
    if (planes && strcmp(p->c.source[first->x].unit, p->c.source[first->y].unit) == 0) {
        sheet_equal(low, high);
    } else {
        pad(&low[0], &high[0], planes ? 1e-6 : 1e-9);
        pad(&low[1], &high[1], residual || p->c.source[first->y].kind != PLOT_COLUMN ? 1e-17 : 1e-9);
    }
    settle_height(noise_of(p, panel), residual, &low[1], &high[1]);
}

/* The axes of plane curves: "x, x_2". */
static void name_plane(char x[LABEL], char y[LABEL], const plot_choice *c, const plot_panel *panel)
{
    x[0] = y[0] = '\0';
    for (int i = 0; i < panel->count; i++) {
        const plot_curve *curve = &c->curve[panel->first + i];
        char name[2][PLOT_NAME + 16];
        label_of(name[0], sizeof name[0], &c->source[curve->x]);
        label_of(name[1], sizeof name[1], &c->source[curve->y]);
        if (strlen(x) + strlen(y) > 40) return;
        snprintf(x + strlen(x), LABEL - strlen(x), "%s%s", i > 0 ? ", " : "", name[0]);
        snprintf(y + strlen(y), LABEL - strlen(y), "%s%s", i > 0 ? ", " : "", name[1]);
    }
}

/* Curve i of the panel; of a plane curve its start too. Work is drawn over the energy, which it equals as far as a
 * method keeps the balance. */
static void add_curve(const cli_plot *p, sheet *s, const plot_panel *panel, int i, const double scale[2])
{
    const plot_curve *curve = &p->c.curve[panel->first + i];
    const int x = panel->planes ? 1 + curve->x : 0, y = 1 + curve->y, alone = panel->count == 1;
    const int residual = is_residual(&p->c, panel);
    style_page *page = sheet_page(s);
    char label[LABEL] = "";
    if (!alone) curve_label(label, sizeof label, &p->c, curve);
    if ((int)strlen(label) > page->longest) page->longest = (int)strlen(label);
    sheet_series(s, label, p->c.source[curve->y].kind == PLOT_WORK ? STYLE_DASHED : STYLE_LINE, i);
    for (const double *at = p->points; at < p->points + p->now.used * p->width; at += p->width)
        sheet_point(s, scale[0] * at[x], scale[1] * (residual ? fabs(at[y]) : at[y]));
    if (!panel->planes) return;
    sheet_series(s, alone ? "start" : "", STYLE_POINTS, alone ? 1 : i);
    sheet_point(s, scale[0] * p->points[x], scale[1] * p->points[y]);
}

static void add_panel(const cli_plot *p, sheet *s, const plot_panel *panel)
{
    const plot_source *source = p->c.source, *y = &source[p->c.curve[panel->first].y];
    const char *time = p->S->kind->units(p->S) ? "s" : "-";
    const char *unit[2] = {panel->planes ? source[p->c.curve[panel->first].x].unit : time, y->unit};
    char title[LABEL], name[2][LABEL] = {"t"}, text[2][SHEET_TEXT];
    const int residual = is_residual(&p->c, panel);
    const double noise = noise_of(p, panel);
    double low[2], high[2], scale[2];
    name_panel(title, name[1], sizeof title, &p->c, panel);
    if (panel->planes) name_plane(name[0], name[1], &p->c, panel);
    if (panel->count == 1) label_of(name[1], LABEL, y);
    find_ranges(p, panel, low, high);
    for (int i = 0; i < 2; i++) {
        const int power = i == 1 && residual ? 0 : sheet_power(fmax(fabs(low[i]), fabs(high[i])));
        scale[i] = pow(10, -power);
        const int of_rows = i == 1 && residual && strcmp(unit[i], "rows") == 0;
        (void)sheet_label(text[i], name[i], of_rows ? "units of rows" : unit[i], power);
    }
    sheet_panel(s, title, text[0], text[1], residual ? SHEET_LOG_Y : 0);
    for (int i = 0; i < 2; i++) sheet_limits(s, i == 0 ? 'x' : 'y', scale[i] * low[i], scale[i] * high[i]);
    if (noise > 0 && (residual || 2 * noise > 0.05 * (high[1] - low[1])))
        sheet_band(s, residual ? low[1] : -scale[1] * noise, scale[1] * noise);
    for (int i = 0; i < panel->count; i++) add_curve(p, s, panel, i, scale);
}

int cli_plot_draw(cli_plot *p, const char *file, const char *title)
{
    int status;
    p->now.used += p->now.waits;
    p->now.waits = 0;
    drop(p);
    if (p->c.panels == 0) return cli_wrong("run", "--plot %s: nothing to show", file);
    sheet *s = sheet_begin(0);
    if (s == NULL) return cli_wrong("run", "out of memory");
    sheet_page(s)->title = title;
    for (int i = 0; i < p->c.panels; i++) add_panel(p, s, &p->c.panel[i]);
    status = cli_gnuplot("run", file, s);
    sheet_end(s);
    return status;
}
