/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts of a view: curves in addition to its rows, such as controls with their limits. */
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "run/view_private.h"

lg_status lg_view_chart(lg_view *v, int *chart, const char *title, const char *meaning, const char *abscissa,
                        int logarithmic)
{
    if (v == NULL || chart == NULL || title == NULL || meaning == NULL || abscissa == NULL) return lg_view_null(v);
    lg_view_figure *more = realloc(v->figures, ((size_t)v->figure_count + 1) * sizeof *more);
    if (more == NULL) return lg_view_no_memory(v);
    v->figures = more;
    lg_view_figure *f = &more[v->figure_count++]; /* freed with the others, however far it comes */
    *f = (lg_view_figure){.logarithmic = logarithmic != 0};
    lg_status status = lg_view_keep(v, &f->title, title);
    if (status == LG_OK) status = lg_view_keep(v, &f->meaning, meaning);
    if (status == LG_OK) status = lg_view_keep(v, &f->abscissa, abscissa);
    if (status == LG_OK)
        *chart = v->figure_count - 1;
    else
        v->figure_count--, free(f->title), free(f->meaning), free(f->abscissa);
    return status;
}

lg_status lg_view_curve(lg_view *v, int chart, const char *label, int colour, int dash, const double *x,
                        const double *y, int64_t count)
{
    if (v == NULL || label == NULL || x == NULL || y == NULL) return lg_view_null(v);
    if (chart < 0 || chart >= v->figure_count)
        return lg_fail(&v->error, LG_ERROR_ARGUMENT, "there is no chart %d: the view has %d", chart, v->figure_count);
    if (count < 1 || count > 1000000 || colour < 0 || dash < 0)
        return lg_fail(&v->error, LG_ERROR_ARGUMENT,
                       "a curve of %lld points, colour %d, dash %d; expected 1 to 1e6, and 0 or more", (long long)count,
                       colour, dash);
    lg_view_figure *f = &v->figures[chart];
    lg_view_line *more = realloc(f->lines, ((size_t)f->count + 1) * sizeof *more);
    if (more == NULL) return lg_view_no_memory(v);
    f->lines = more;
    lg_view_line line = {.colour = colour, .dash = dash, .count = count};
    line.x = malloc(2 * (size_t)count * sizeof *line.x);
    if (line.x == NULL) return lg_view_no_memory(v);
    line.y = line.x + count;
    memcpy(line.x, x, (size_t)count * sizeof *x), memcpy(line.y, y, (size_t)count * sizeof *y);
    const lg_status status = lg_view_keep(v, &line.label, label);
    if (status == LG_OK)
        more[f->count++] = line;
    else
        free(line.x);
    return status;
}

void lg_view_charts_free(lg_view *v)
{
    for (int i = 0; i < v->figure_count; i++) {
        lg_view_figure *f = &v->figures[i];
        for (int k = 0; k < f->count; k++) free(f->lines[k].label), free(f->lines[k].x);
        free(f->title), free(f->meaning), free(f->abscissa), free(f->lines);
    }
    free(v->figures);
}

int64_t lg_view_charts_longest(const lg_view *v)
{
    int64_t most = 0;
    for (int i = 0; i < v->figure_count; i++)
        for (int k = 0; k < v->figures[i].count; k++)
            if (v->figures[i].lines[k].count > most) most = v->figures[i].lines[k].count;
    return most;
}

static void write_numbers(lg_json *j, const char *name, const double *values, int64_t count, char *scratch)
{
    lg_base64 c = {.at = scratch};
    for (int64_t i = 0; i < count; i++) lg_base64_double(&c, values[i]);
    lg_base64_finish(&c);
    lg_json_text(j, name, scratch);
}

static void write_figure(lg_json *j, const lg_view_figure *f, char *scratch)
{
    lg_json_open(j, NULL, '{');
    lg_json_text(j, "title", f->title);
    lg_json_text(j, "meaning", f->meaning);
    lg_json_text(j, "abscissa", f->abscissa);
    lg_json_whole(j, "logarithmic", f->logarithmic);
    lg_json_open(j, "curves", '[');
    for (int i = 0; i < f->count; i++) {
        const lg_view_line *line = &f->lines[i];
        lg_json_open(j, NULL, '{');
        lg_json_text(j, "label", line->label);
        lg_json_whole(j, "colour", line->colour);
        lg_json_whole(j, "dash", line->dash);
        write_numbers(j, "x", line->x, line->count, scratch);
        write_numbers(j, "y", line->y, line->count, scratch);
        lg_json_close(j, '}');
    }
    lg_json_close(j, ']');
    lg_json_close(j, '}');
}

void lg_view_charts_write(lg_json *j, const lg_view *v, char *scratch)
{
    if (v->figure_count == 0) return;
    lg_json_open(j, "charts", '[');
    for (int i = 0; i < v->figure_count; i++) write_figure(j, &v->figures[i], scratch);
    lg_json_close(j, ']');
}
