/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves of a benchmark in logarithmic panels under one legend. A curve looks the same in every panel; our own have
 * filled marks and solid lines, those of other software open marks and dashes. */
#include <string.h>

#include "cli/lib/bench_program.h"
#include "cli/lib/style.h"
#include "cli/lib/symbols.h"

enum { MOST = 64 };

/* The labels, each once. */
typedef struct legend {
    const char *label[MOST];
    int peer[MOST], count;
} legend;

static int find(const legend *l, const char *label)
{
    int i = 0;
    while (i < l->count && strcmp(l->label[i], label) != 0) i++;
    return i;
}

static legend collect(const bench_report *r)
{
    legend l = {.count = 0};
    for (int i = 0; i < bench_curve_count(r); i++) {
        const bench_curve_of c = bench_curve_at(r, i);
        if (c.count == 0 || l.count == MOST || find(&l, c.label) < l.count) continue;
        l.label[l.count] = c.label;
        l.peer[l.count++] = c.peer;
    }
    return l;
}

static style_page page_of(const bench_report *r, const legend *l)
{
    style_page page = {.panels = bench_panel_count(r), .shared = 1, .entries = l->count};
    page.across = page.panels <= 3 ? page.panels : page.panels == 4 ? 2 : page.panels <= 9 ? 3 : 4;
    for (int i = 0; i < l->count; i++)
        if (symbols_width(l->label[i]) > page.longest) page.longest = symbols_width(l->label[i]);
    return page;
}

void cli_bench_size(const bench_report *r, int *width, int *height)
{
    const legend l = collect(r);
    const style_page page = page_of(r, &l);
    style_size(&page, width, height);
}

static style_kind kind_of(const legend *l, int i)
{
    return l->peer[i] ? STYLE_LINE_POINTS : STYLE_FILLED;
}

/* Its number among its kind; other software begins where our own dashes end. */
static int look_of(const legend *l, int i)
{
    int k = 0, own = 0;
    for (int n = 0; n < l->count; n++) own += !l->peer[n];
    for (int n = 0; n < i; n++) k += l->peer[n] == l->peer[i];
    return l->peer[i] ? k + (own + STYLE_COLOURS - 1) / STYLE_COLOURS * STYLE_COLOURS : k;
}

static void write_panel(FILE *f, const bench_report *r, const legend *l, const style_page *page, int panel)
{
    const char *title, *x, *y;
    int written = 0;
    bench_panel_text(r, panel, &title, &x, &y);
    style_panel(f, page, panel, title);
    style_axis(f, 'x', x, NULL, 1);
    style_axis(f, 'y', y, NULL, 1);
    for (int i = 0; panel == 0 && i < l->count; i++)
        style_entry(f, page, panel, i, kind_of(l, i), look_of(l, i), l->label[i]);
    for (int i = 0; i < bench_curve_count(r); i++) {
        const bench_curve_of c = bench_curve_at(r, i);
        if (c.panel != panel || c.count == 0) continue;
        fprintf(f, "$c%d << end\n", i);
        for (long k = 0; k < c.count; k++) fprintf(f, "%.9g %.9g\n", c.points[2 * k], c.points[2 * k + 1]);
        fputs("end\n", f);
    }
    for (int i = 0; i < bench_curve_count(r); i++) {
        const bench_curve_of c = bench_curve_at(r, i);
        const int at = find(l, c.label);
        if (c.panel != panel || c.count == 0 || at == l->count) continue;
        fprintf(f, "%s $c%d ", written++ > 0 ? "," : "plot", i);
        style_curve(f, kind_of(l, at), look_of(l, at));
    }
    fputs(written > 0 ? "\n" : "plot [1:10] [1:10] NaN\n", f);
}

void cli_bench_script(FILE *f, const void *report)
{
    const bench_report *r = report;
    const legend l = collect(r);
    const style_page page = page_of(r, &l);
    style_begin(f, &page);
    for (int i = 0; i < page.panels; i++) write_panel(f, r, &l, &page, i);
    style_end(f);
}
