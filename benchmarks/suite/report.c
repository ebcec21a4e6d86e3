/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything is in arrays that grow; a failed growth marks the report as incomplete and drops the new item. */
#include "benchmarks/suite/report_private.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* One more item of `size` bytes, zeroed; NULL: out of memory. */
static void *grow(bench_report *r, bench_list *list, size_t size)
{
    if (list->count == list->room) {
        const long room = list->room > 0 ? 2 * list->room : 16;
        void *items = realloc(list->items, (size_t)room * size);
        if (items == NULL) {
            r->incomplete = 1;
            return NULL;
        }
        list->items = items;
        list->room = room;
    }
    void *item = (char *)list->items + (size_t)list->count++ * size;
    memset(item, 0, size);
    return item;
}

static void copy(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from);
}

bench_report *bench_report_begin(const char *benchmark, int quick)
{
    bench_report *r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    copy(r->name, sizeof r->name, benchmark);
    r->quick = quick;
    r->pinned = -1;
    bench_look(&r->machine);
    return r;
}

void bench_report_end(bench_report *r)
{
    if (r == NULL) return;
    free(r->tables.items), free(r->columns.items), free(r->rows.items), free(r->cells.items);
    free(r->sentences.items), free(r->versions.items), free(r->panels.items), free(r->curves.items);
    free(r->points.items);
    free(r);
}

int bench_report_complete(const bench_report *r)
{
    return !r->incomplete;
}

void bench_report_protocol(bench_report *r, int rounds, int warm, int pinned)
{
    r->rounds = rounds;
    r->warm = warm;
    r->pinned = pinned;
}

void bench_report_version(bench_report *r, const char *what, const char *version)
{
    bench_version *v = grow(r, &r->versions, sizeof *v);
    if (v == NULL) return;
    copy(v->what, sizeof v->what, what);
    copy(v->version, sizeof v->version, version);
}

/* Tables ---------------------------------------------------------------------------------------------------------- */

void bench_table(bench_report *r, const char *name, const char *title)
{
    bench_table_of *t = grow(r, &r->tables, sizeof *t);
    if (t == NULL) return;
    copy(t->name, sizeof t->name, name);
    copy(t->title, sizeof t->title, title);
    t->column = r->columns.count;
    t->row = r->rows.count;
}

void bench_column(bench_report *r, const char *name, const char *format)
{
    bench_column_of *c = grow(r, &r->columns, sizeof *c);
    if (c == NULL) return;
    copy(c->name, sizeof c->name, name);
    copy(c->format, sizeof c->format, format);
}

void bench_row(bench_report *r)
{
    long *first = grow(r, &r->rows, sizeof *first);
    if (first != NULL) *first = r->cells.count;
}

void bench_text(bench_report *r, const char *text)
{
    bench_cell *c = grow(r, &r->cells, sizeof *c);
    if (c == NULL) return;
    c->kind = BENCH_CELL_TEXT;
    copy(c->text, sizeof c->text, text);
}

void bench_number(bench_report *r, double value)
{
    bench_cell *c = grow(r, &r->cells, sizeof *c);
    if (c == NULL) return;
    c->kind = BENCH_CELL_NUMBER;
    c->value = value;
}

void bench_timing(bench_report *r, const bench_case *timed)
{
    bench_cell *c = grow(r, &r->cells, sizeof *c);
    if (c == NULL) return;
    c->kind = timed != NULL ? BENCH_CELL_TIMING : BENCH_CELL_NUMBER;
    c->value = timed != NULL ? timed->median : (double)NAN;
    c->first = timed != NULL ? timed->first : (double)NAN;
    c->third = timed != NULL ? timed->third : (double)NAN;
}

void bench_report_append(bench_report *r, const bench_report *other)
{
    const long column = r->columns.count, row = r->rows.count, cell = r->cells.count;
    for (long i = 0; i < other->tables.count; i++) {
        bench_table_of *t = grow(r, &r->tables, sizeof *t);
        if (t == NULL) return;
        *t = ((const bench_table_of *)other->tables.items)[i];
        t->column += column, t->row += row;
    }
    for (long i = 0; i < other->columns.count; i++) {
        bench_column_of *c = grow(r, &r->columns, sizeof *c);
        if (c != NULL) *c = ((const bench_column_of *)other->columns.items)[i];
    }
    for (long i = 0; i < other->rows.count; i++) {
        long *first = grow(r, &r->rows, sizeof *first);
        if (first != NULL) *first = ((const long *)other->rows.items)[i] + cell;
    }
    for (long i = 0; i < other->cells.count; i++) {
        bench_cell *c = grow(r, &r->cells, sizeof *c);
        if (c != NULL) *c = ((const bench_cell *)other->cells.items)[i];
    }
    r->incomplete |= other->incomplete;
}

/* Summary --------------------------------------------------------------------------------------------------------- */

static bench_sentence *say(bench_report *r, const char *format, va_list arguments)
{
    bench_sentence *s = grow(r, &r->sentences, sizeof *s);
    if (s != NULL) (void)vsnprintf(s->text, sizeof s->text, format, arguments);
    return s;
}

void bench_figure(bench_report *r, const char *name, double value, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bench_sentence *s = say(r, format, arguments);
    va_end(arguments);
    if (s == NULL) return;
    copy(s->name, sizeof s->name, name);
    s->value = value;
}

void bench_say(bench_report *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)say(r, format, arguments);
    va_end(arguments);
}

void bench_fail(bench_report *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (r->failure[0] == '\0') (void)vsnprintf(r->failure, sizeof r->failure, format, arguments);
    va_end(arguments);
}

const char *bench_failure(const bench_report *r)
{
    return r->failure;
}

/* Curves ---------------------------------------------------------------------------------------------------------- */

void bench_panel(bench_report *r, const char *title, const char *x, const char *y)
{
    bench_panel_of *p = grow(r, &r->panels, sizeof *p);
    if (p == NULL) return;
    copy(p->title, sizeof p->title, title);
    copy(p->x, sizeof p->x, x);
    copy(p->y, sizeof p->y, y);
}

void bench_curve(bench_report *r, const char *label, int peer)
{
    bench_curve_private *c = grow(r, &r->curves, sizeof *c);
    if (c == NULL) return;
    copy(c->label, sizeof c->label, label);
    c->peer = peer;
    c->panel = (int)r->panels.count - 1;
    c->first = r->points.count;
}

void bench_point(bench_report *r, double x, double y)
{
    if (!(x > 0) || !(y > 0) || !isfinite(x) || !isfinite(y)) return;
    double *point = grow(r, &r->points, 2 * sizeof *point);
    if (point == NULL) return;
    point[0] = x, point[1] = y;
    ((bench_curve_private *)r->curves.items)[r->curves.count - 1].count++;
}

int bench_panel_count(const bench_report *r)
{
    return (int)r->panels.count;
}

void bench_panel_text(const bench_report *r, int i, const char **title, const char **x, const char **y)
{
    const bench_panel_of *p = (const bench_panel_of *)r->panels.items + i;
    *title = p->title, *x = p->x, *y = p->y;
}

int bench_curve_count(const bench_report *r)
{
    return (int)r->curves.count;
}

bench_curve_of bench_curve_at(const bench_report *r, int i)
{
    const bench_curve_private *c = (const bench_curve_private *)r->curves.items + i;
    const double *points = r->points.items;
    const bench_curve_of out = {c->panel, c->peer, c->label, c->count > 0 ? points + 2 * c->first : NULL, c->count};
    return out;
}
