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
#include "cli/lib/style.h"

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

/* Adds the columns behind the swept values that match; 0: there is none. */
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
    if (!cli_plot_knows(p->file)) {
        return cli_wrong("sweep", "--plot %s: the name must end in .png, .svg or .pdf", p->file);
    }
    p->s = s;
    status = find_axes(p);
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

/* NULL for a unit that is not known; "" for a pure number. */
static const char *plain(const char *unit)
{
    if (unit[0] == '\0' || strcmp(unit, "rows") == 0) return NULL;
    return strcmp(unit, "-") == 0 ? "" : unit;
}

static const char *unit_of_range(const cli_sweep *s, const cli_range *r, cli_column *c)
{
    const int column = r->initial ? cli_column_find(&s->S, r->name) : -1;
    if (r->turned != NULL) return "rad";
    if (column >= 0) {
        cli_column_of(c, &s->S, column);
        return plain(c->unit);
    }
    if (r->control > 0) {
        cli_control_of(c, &s->S, r->control - 1);
        return plain(c->unit);
    }
    return s->S.kind->parameter_unit(&s->S, r->name);
}

/* Label and range of an axis: half a cell, or a little air, beyond both ends. */
static void write_axis(const sweep_plot *p, FILE *f, int axis)
{
    int swept = 0;
    for (int i = 0; i < p->s->grid.ranges; i++) {
        const cli_range *r = &p->s->grid.range[i];
        char name[176];
        cli_column c;
        double air;
        if (!r->swept || swept++ != p->axis[axis]) continue;
        snprintf(name, sizeof name, "%s%s", r->initial ? "initial " : "", r->name);
        style_axis(f, axis == 0 ? 'x' : 'y', name, unit_of_range(p->s, r, &c), 0);
        air = (r->to - r->from) * (p->axes == 2 && !p->s->grid.random ? 0.5 / (double)(r->count - 1) : 0.03);
        style_range(f, axis == 0 ? 'x' : 'y', fmin(r->from - air, r->to + air), fmax(r->from - air, r->to + air));
    }
}

/* Name and unit of a column, as on an axis. */
static const char *describe(const sweep_plot *p, int column, cli_column *c)
{
    const cli_sweep *s = p->s;
    const int of_run = column - s->at_row;
    if (of_run >= 0 && of_run < s->run_columns) {
        cli_column_of(c, &s->S, of_run);
        return plain(c->unit);
    }
    snprintf(c->name, sizeof c->name, "%s", s->names[column]);
    if (strcmp(c->name, "energy_drift") == 0) {
        snprintf(c->name, sizeof c->name, "largest |H - H_0|");
        snprintf(c->unit, sizeof c->unit, "%s", cli_unit(&s->S, "J"));
        return plain(c->unit);
    }
    if (strcmp(c->name, "constraint_largest") == 0) {
        snprintf(c->name, sizeof c->name, "largest residual of the constraints");
        return NULL;
    }
    return "";
}

/* Drawing --------------------------------------------------------------------------------------------------------- */

typedef struct scale {
    int logarithmic; /* all values are positive and cover more than two powers of ten */
    int power;       /* of ten, that goes into the unit */
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
    if (!s.logarithmic && most > 0 && !(most >= 1e-2 && most < 1e4)) s.power = (int)floor(log10(most));
    return s;
}

static void write_data(const sweep_plot *p, FILE *f)
{
    fputs("$run << end\n", f);
    for (int64_t k = 0; k < p->used; k++) {
        for (int i = 0; i < p->width; i++) fprintf(f, i > 0 ? " %.17g" : "%.17g", p->points[k * p->width + i]);
        fputc('\n', f);
    }
    fputs("end\n", f);
}

/* The name of column `column` with its unit, as the title of a map. */
static void title_of(char *text, size_t room, const char *name, const char *unit)
{
    if (unit == NULL) {
        snprintf(text, room, "%s", name);
    } else {
        snprintf(text, room, "%s [%s]", name, unit[0] != '\0' ? unit : "–");
    }
}

static const char *scaled_unit(char *text, size_t room, const char *unit, int power)
{
    if (power == 0) return unit;
    snprintf(text, room, "1e%d%s%s", power, unit != NULL && unit[0] != '\0' ? " " : "", unit != NULL ? unit : "");
    return text;
}

/* A map; of random points, colours. */
static void write_map(const sweep_plot *p, FILE *f, int panel, scale s)
{
    write_axis(p, f, 1);
    style_palette(f, "", NULL);
    if (s.logarithmic) fputs("set logscale cb\nset format cb '10^{%L}'\n", f);
    fprintf(f, "plot $run using 1:2:($%d*1e%d) with %s\n", 3 + panel, -s.power,
            p->s->grid.random ? "points pt 7 ps 0.6 palette" : "image pixels");
}

static void write_curve(const sweep_plot *p, FILE *f, int panel, scale s, const char *name, const char *unit)
{
    const style_kind kind = p->s->grid.random ? STYLE_DOTS : p->used > 60 ? STYLE_LINE : STYLE_LINE_POINTS;
    style_axis(f, 'y', name, unit, s.logarithmic);
    fputs("set autoscale y\nset offsets 0, 0, graph 0.05, graph 0.05\n", f);
    fprintf(f, "plot $run using 1:($%d*1e%d) ", 2 + panel, -s.power);
    style_curve(f, kind, 0);
    fputc('\n', f);
}

static void write_panel(const sweep_plot *p, FILE *f, const style_page *page, int panel)
{
    cli_column c;
    char text[80], title[256];
    const scale s = scale_of(p, panel);
    const char *unit = scaled_unit(text, sizeof text, describe(p, p->column[panel], &c), s.power);
    title_of(title, sizeof title, c.name, p->axes == 2 ? unit : NULL);
    style_panel(f, page, panel, title);
    write_axis(p, f, 0);
    if (p->axes == 2) {
        write_map(p, f, panel, s);
    } else {
        write_curve(p, f, panel, s, c.name, unit);
    }
}

static style_page page_of(const sweep_plot *p)
{
    const int across = p->panels <= 3 ? p->panels : p->panels == 4 ? 2 : 3;
    const style_page page = {.panels = p->panels, .across = across, .bar = p->axes == 2};
    return page;
}

static void write_script(FILE *f, const void *context)
{
    const sweep_plot *p = context;
    const style_page page = page_of(p);
    write_data(p, f);
    style_begin(f, &page);
    for (int i = 0; i < p->panels; i++) write_panel(p, f, &page, i);
    style_end(f);
}

int sweep_plot_draw(const sweep_plot *p)
{
    cli_picture picture = {"sweep", p->file, 0, 0, write_script, p};
    const style_page page = page_of(p);
    style_size(&page, &picture.width, &picture.height);
    return cli_gnuplot(&picture);
}
