/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/sweep_plot.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/columns.h"
#include "cli/lib/gnuplot.h"
#include "cli/lib/options.h"

enum { MOST_POINTS = 1000000 };

/* Choosing -------------------------------------------------------------------------------------------------------- */

/* The swept ranges of more than one value become the axes. */
static int find_axes(sweep_plot *p)
{
    const cli_grid *grid = &p->s->grid;
    int swept = 0;
    for (int i = 0; i < grid->ranges; i++) {
        const cli_range *r = &grid->range[i];
        if (!r->swept) continue;
        if (r->from != r->to) {
            if (p->axes < 2) p->axis[p->axes] = swept;
            p->axes++;
        }
        swept++;
    }
    if (p->axes == 1 || p->axes == 2) return CLI_WELL;
    return cli_wrong("sweep", "--plot shows a curve over one range or a map over two, but %d are swept", p->axes);
}

/* Adds the columns after the swept values that match the pattern; 0: no column matches. */
static int add_columns(sweep_plot *p, const char *pattern)
{
    int found = 0;
    for (int i = p->s->at_status; i < p->s->columns; i++) {
        if (fnmatch(pattern, p->s->names[i], 0) != 0) continue;
        found = 1;
        if (p->panels < SWEEP_PANELS) p->column[p->panels++] = i;
    }
    return found;
}

static int choose(sweep_plot *p)
{
    const char *text = p->columns;
    const cli_system *S = &p->s->S;
    if (text == NULL) text = S->kind->constrained(S) ? "energy_drift,constraint_largest" : "energy_drift";
    for (;; text++) {
        const size_t length = strcspn(text, ",/");
        char name[192];
        snprintf(name, sizeof name, "%.*s", (int)(length < 180 ? length : 180), text);
        if (!add_columns(p, name)) {
            const char *const *names = (const char *const *)(p->s->names + p->s->at_status);
            const char *list[200];
            int count = 0;
            for (; count < p->s->columns - p->s->at_status && count < 199; count++) list[count] = names[count];
            list[count] = NULL;
            return cli_unknown("sweep", "column of --plot-columns", name, list);
        }
        text += length;
        if (*text == '\0') return CLI_WELL;
    }
}

int sweep_plot_begin(sweep_plot *p, const cli_sweep *s, int64_t count, int ranks)
{
    int status;
    if (p->columns != NULL && p->file == NULL) return cli_wrong("sweep", "--plot-columns needs --plot FILE");
    if (p->file == NULL) return CLI_WELL;
    if (ranks > 1) return cli_wrong("sweep", "--plot works in one process only; write the rows and plot them");
    p->s = s;
    status = cli_plot_check("sweep", p->file);
    if (status == CLI_WELL) status = find_axes(p);
    if (status == CLI_WELL) status = choose(p);
    if (status == CLI_WELL) status = cli_file_possible("sweep", p->file);
    if (status != CLI_WELL) return status;
    if (count > MOST_POINTS) {
        return cli_wrong("sweep", "--plot draws at most %d instances, these are %" PRId64, MOST_POINTS, count);
    }
    p->width = p->axes + p->panels;
    p->room = count;
    p->points = calloc((size_t)(count * p->width), sizeof *p->points);
    return p->points != NULL ? CLI_WELL : cli_wrong("sweep", "out of memory");
}

void sweep_plot_end(sweep_plot *p)
{
    free(p->points);
    p->points = NULL;
}

/* A failed instance leaves a gap. */
void sweep_plot_add(sweep_plot *p, const cli_batch *b)
{
    for (int64_t i = 0; i < b->count && p->used < p->room; i++) {
        const double *row = b->rows + (size_t)(i * b->each + b->filled[i] - 1) * (size_t)p->s->columns;
        double *at = p->points + p->used++ * p->width;
        double values[CLI_RANGES];
        cli_grid_point(&p->s->grid, cli_deal_point(&b->deal, i), values);
        for (int k = 0; k < p->axes; k++) *at++ = values[p->axis[k]];
        for (int k = 0; k < p->panels; k++) {
            const int failed = row[p->s->at_status] != 0 && p->column[k] != p->s->at_status;
            *at++ = failed ? (double)NAN : row[p->column[k]];
        }
    }
}

/* Names ----------------------------------------------------------------------------------------------------------- */

static const char *unit_of_range(const cli_sweep *s, const cli_range *r, cli_column *c)
{
    const int column = r->initial ? lg_model_column_find(s->S.M, r->name) : -1;
    if (r->turned != NULL) return "rad";
    if (column >= 0) {
        cli_column_of(c, &s->S, column);
        return c->unit;
    }
    if (r->control > 0) {
        cli_control_of(c, &s->S, r->control - 1);
        return c->unit;
    }
    return s->S.kind->parameter_unit(&s->S, r->name);
}

/* Label and range of an axis: half a cell, or a little air, beyond both ends. */
static void describe_axis(const sweep_plot *p, int axis, char label[SHEET_TEXT], double limits[2])
{
    int swept = 0;
    for (int i = 0; i < p->s->grid.ranges; i++) {
        const cli_range *r = &p->s->grid.range[i];
        char name[176];
        cli_column c;
        if (!r->swept || swept++ != p->axis[axis]) continue;
        snprintf(name, sizeof name, "%s%s", r->initial ? "initial " : "", r->name);
        (void)sheet_label(label, name, unit_of_range(p->s, r, &c), 0);
        const double air =
            (r->to - r->from) * (p->axes == 2 && !p->s->grid.random ? 0.5 / (double)(r->count - 1) : 0.03);
        limits[0] = fmin(r->from - air, r->to + air);
        limits[1] = fmax(r->from - air, r->to + air);
    }
}

/* Name and unit of a column, as on an axis. */
static const char *describe(const sweep_plot *p, int column, cli_column *c)
{
    const cli_sweep *s = p->s;
    const int of_run = column - s->at_row;
    if (of_run >= 0 && of_run < s->run_columns) {
        cli_column_of(c, &s->S, of_run);
        return c->unit;
    }
    snprintf(c->name, sizeof c->name, "%s", s->names[column]);
    if (strcmp(c->name, "energy_drift") == 0) {
        snprintf(c->name, sizeof c->name, "largest |H - H_0|");
        snprintf(c->unit, sizeof c->unit, "%s", cli_unit(&s->S, "J"));
        return c->unit;
    }
    if (strcmp(c->name, "constraint_largest") == 0) {
        snprintf(c->name, sizeof c->name, "largest residual of the constraints");
        return NULL;
    }
    return "-";
}

/* Drawing --------------------------------------------------------------------------------------------------------- */

typedef struct scale {
    int logarithmic; /* all values are positive and cover more than two powers of ten */
    int power;       /* power of ten in the unit */
} scale;

static scale scale_of(const sweep_plot *p, int panel)
{
    double low = INFINITY, most = 0;
    scale s = {0, 0};
    for (int64_t i = 0; i < p->used; i++) {
        const double value = p->points[i * p->width + p->axes + panel];
        if (!isfinite(value)) continue;
        low = fmin(low, value);
        most = fmax(most, fabs(value));
    }
    s.logarithmic = low > 0 && most > 100 * low;
    if (!s.logarithmic) s.power = sheet_power(most);
    return s;
}

/* A column over one axis as a curve, over two as a map; of random points, dots and colours. */
static void add_panel(const sweep_plot *p, sheet *s, int panel)
{
    const int map = p->axes == 2, random = p->s->grid.random != 0;
    const scale z = scale_of(p, panel);
    const double factor = pow(10, -z.power);
    char axis[2][SHEET_TEXT], value[SHEET_TEXT];
    double limits[2][2];
    cli_column c;
    const char *unit = describe(p, p->column[panel], &c);
    (void)sheet_label(value, c.name, unit, z.power);
    for (int i = 0; i < p->axes; i++) describe_axis(p, i, axis[i], limits[i]);
    sheet_panel(s, map ? value : c.name, axis[0], map ? axis[1] : value,
                !z.logarithmic ? 0
                : map          ? SHEET_LOG_Z
                               : SHEET_LOG_Y);
    for (int i = 0; i < p->axes; i++) sheet_limits(s, i == 0 ? 'x' : 'y', limits[i][0], limits[i][1]);
    sheet_series(s, "",
                 map      ? (random ? STYLE_CLOUD : STYLE_MAP)
                 : random ? STYLE_DOTS
                          : (p->used > 60 ? STYLE_LINE : STYLE_LINE_POINTS),
                 0);
    for (const double *at = p->points; at < p->points + p->used * p->width; at += p->width) {
        const double here = factor * at[p->axes + panel];
        sheet_value(s, at[0], map ? at[1] : here, here);
    }
}

int sweep_plot_draw(const sweep_plot *p)
{
    sheet *s = sheet_begin(0);
    int status;
    if (s == NULL) return cli_wrong("sweep", "out of memory");
    sheet_page(s)->bar = p->axes == 2;
    for (int i = 0; i < p->panels; i++) add_panel(p, s, i);
    status = cli_gnuplot("sweep", p->file, s);
    sheet_end(s);
    return status;
}
