/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows are thinned as they arrive and given to gnuplot inside its script. */
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
#include "cli/lib/style.h"

enum { MOST_POINTS = 5000, LABEL = 256 };

/* How far it has come. */
typedef struct plot_progress {
    double work, lost;  /* sum of the work, and what the sum has rounded off */
    int64_t worked;     /* 1: something did work */
    int64_t seen, used; /* rows, and points of these */
    int64_t waits;      /* 1: behind the points stands the last row that arrived */
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
    const char *title;
    style_page page;
};

/* Collecting ------------------------------------------------------------------------------------------------------ */

cli_plot *cli_plot_begin(const plot_choice *choice, const cli_system *S, int64_t rows)
{
    cli_plot *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->c = *choice;
    p->S = S;
    p->columns = S->kind->columns(S);
    p->width = 1 + choice->sources;
    p->work_column = cli_column_find(S, "work");
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

/* Compensated, so that a million steps do not show as a drift. */
int cli_plot_state(const lg_integrator *it, void *context)
{
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

/* A point is kept if it is due, otherwise until the next one arrives, so the last one is always there. */
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

typedef struct range {
    double low, high;
} range;

/* Finite range of number i of all points. */
static range find_range(const cli_plot *p, int i)
{
    range r = {INFINITY, -INFINITY};
    for (int64_t k = 0; k < p->now.used; k++) {
        const double value = p->points[k * p->width + i];
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

/* More than the start, where the work of all methods is 0. */
static int has_values(const cli_plot *p, int source)
{
    int64_t finite = 0;
    for (int64_t k = p->now.used > 1; k < p->now.used; k++)
        finite += isfinite(p->points[k * p->width + 1 + source]) != 0;
    return finite > 0;
}

/* 1: the curve is worth its place. Where nothing does work, work and balance say no more than the energy. */
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

/* Title of a panel, and what stands on its y-axis if there are several curves. */
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

/* The script ------------------------------------------------------------------------------------------------------ */

/* "-" is a pure number, "" a unit that nobody has told; values are multiplied by 10^-power. Returns what
 * style_axis() takes. */
static const char *unit_of(char *text, size_t room, const char *unit, int power)
{
    const char *name = strcmp(unit, "-") == 0 || strcmp(unit, "rows") == 0 ? "" : unit;
    if (power == 0) return unit[0] == '\0' || strcmp(unit, "rows") == 0 ? NULL : name;
    snprintf(text, room, "1e%d%s%s", power, name[0] != '\0' ? " " : "", name);
    return text;
}

/* The power of ten that goes into the unit of an axis, so that its numbers are short: 0 where they are. */
static int power_of(range r)
{
    const double most = fmax(fabs(r.low), fabs(r.high));
    if (!(most > 0) || (most >= 1e-2 && most < 1e4)) return 0;
    return (int)floor(log10(most));
}

int cli_plot_has_units(const lg_model *M)
{
    return cli_has_units(M);
}

static void write_data(const cli_plot *p, FILE *f)
{
    fputs("$run << end\n", f);
    for (int64_t k = 0; k < p->now.used; k++) {
        for (int i = 0; i < p->width; i++) fprintf(f, i > 0 ? " %.17g" : "%.17g", p->points[k * p->width + i]);
        fputc('\n', f);
    }
    fputs("end\n", f);
}

/* Work is drawn over the energy, which it equals as far as a method keeps the balance. */
static style_kind kind_of(const plot_choice *c, const plot_curve *curve)
{
    return c->source[curve->y].kind == PLOT_WORK ? STYLE_DASHED : STYLE_LINE;
}

static void write_entries(const cli_plot *p, FILE *f, int at)
{
    const plot_panel *panel = &p->c.panel[at];
    if (panel->planes && panel->count == 1) style_entry(f, &p->page, at, 0, STYLE_POINTS, 1, "start");
    for (int i = 0; panel->count > 1 && i < panel->count; i++) {
        char label[LABEL];
        curve_label(label, sizeof label, &p->c, &p->c.curve[panel->first + i]);
        style_entry(f, &p->page, at, i, kind_of(&p->c, &p->c.curve[panel->first + i]), i, label);
    }
}

/* Ranges of both axes over all curves of the panel: x, then y. */
static void find_ranges(const cli_plot *p, const plot_panel *panel, range r[2])
{
    const int residual = is_residual(&p->c, panel);
    range x = {INFINITY, -INFINITY}, y = x;
    const plot_curve *first = &p->c.curve[panel->first];
    const int planes = panel->planes;
    for (int i = 0; i < panel->count; i++) {
        const plot_curve *curve = first + i;
        x = join(x, find_range(p, planes ? 1 + curve->x : 0));
        y = join(y, find_range(p, 1 + curve->y));
    }
    if (residual) y.low = 0;
    if (planes && strcmp(p->c.source[first->x].unit, p->c.source[first->y].unit) == 0) {
        double low[2] = {x.low, y.low}, high[2] = {x.high, y.high};
        style_equal(&p->page, low, high);
        x.low = low[0], x.high = high[0], y.low = low[1], y.high = high[1];
    } else {
        x = pad(x, planes ? 1e-6 : 1e-9);
        y = pad(y, residual || p->c.source[first->y].kind != PLOT_COLUMN ? 1e-17 : 1e-9);
    }
    if (residual) y.low = 0;
    r[0] = x;
    r[1] = y;
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

/* Labels and ranges; returns the power of ten of each axis. */
static void write_axes(const cli_plot *p, FILE *f, const plot_panel *panel, const char *several, int power[2])
{
    const plot_curve *first = &p->c.curve[panel->first];
    const plot_source *y = &p->c.source[first->y];
    const char *second = p->S->kind->units(p->S) ? "s" : "-";
    const char *unit[2] = {panel->planes ? p->c.source[first->x].unit : second, y->unit};
    char name[2][LABEL] = {"t"}, text[80];
    range r[2];
    find_ranges(p, panel, r);
    snprintf(name[1], LABEL, "%s", several);
    if (panel->planes) name_plane(name[0], name[1], &p->c, panel);
    if (panel->count == 1) label_of(name[1], LABEL, y);
    for (int i = 0; i < 2; i++) {
        const double scale = pow(10, -(power[i] = power_of(r[i])));
        style_axis(f, i == 0 ? 'x' : 'y', name[i], unit_of(text, sizeof text, unit[i], power[i]), 0);
        style_range(f, i == 0 ? 'x' : 'y', scale * r[i].low, scale * r[i].high);
    }
}

static void write_panel(const cli_plot *p, FILE *f, int at)
{
    const plot_choice *c = &p->c;
    const plot_panel *panel = &c->panel[at];
    char title[LABEL], axis[LABEL], points[80];
    int power[2];
    name_panel(title, axis, sizeof title, c, panel);
    style_panel(f, &p->page, at, title);
    write_axes(p, f, panel, axis, power);
    write_entries(p, f, at);
    fputs("plot ", f);
    for (int i = 0; i < panel->count; i++) {
        const plot_curve *curve = &c->curve[panel->first + i];
        snprintf(points, sizeof points, "using ($%d*1e%d):($%d*1e%d) ", panel->planes ? 2 + curve->x : 1, -power[0],
                 2 + curve->y, -power[1]);
        fprintf(f, "%s$run %s", i > 0 ? ", " : "", points);
        style_curve(f, kind_of(c, curve), i);
        if (!panel->planes) continue;
        fprintf(f, ", $run every ::0::0 %s", points);
        style_curve(f, STYLE_POINTS, panel->count == 1 ? 1 : i);
    }
    fputc('\n', f);
}

static void write_script(FILE *f, const void *context)
{
    const cli_plot *p = context;
    write_data(p, f);
    style_begin(f, &p->page);
    for (int i = 0; i < p->c.panels; i++) write_panel(p, f, i);
    style_end(f);
}

/* The page: as many columns as make it about as wide as a screen, and legends for the longest labels. */
static void lay_out(cli_plot *p)
{
    const int panels = p->c.panels;
    p->page.panels = panels;
    p->page.across = panels <= 3 ? panels : panels == 4 ? 2 : 3;
    p->page.title = p->title;
    for (int i = 0; i < panels; i++) {
        const plot_panel *panel = &p->c.panel[i];
        const int entries = panel->count > 1 ? panel->count : panel->planes;
        if (entries > p->page.entries) p->page.entries = entries;
        if (entries == 1 && p->page.longest < 5) p->page.longest = 5;
        for (int k = 0; entries > 1 && k < panel->count; k++) {
            char label[LABEL];
            curve_label(label, sizeof label, &p->c, &p->c.curve[panel->first + k]);
            if ((int)strlen(label) > p->page.longest) p->page.longest = (int)strlen(label);
        }
    }
}

int cli_plot_draw(cli_plot *p, const char *file, const char *title)
{
    cli_picture picture = {"run", file, 0, 0, write_script, p};
    p->title = title;
    p->now.used += p->now.waits;
    p->now.waits = 0;
    drop(p);
    if (p->c.panels == 0) return cli_wrong("run", "--plot %s: nothing to show", file);
    lay_out(p);
    style_size(&p->page, &picture.width, &picture.height);
    return cli_gnuplot(&picture);
}
