/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves of a benchmark in logarithmic panels under one legend. A curve looks the same in every panel; our own have
 * filled marks and solid lines, those of other software open marks and dashes. */
#include <string.h>

#include "cli/lib/bench_program.h"
#include "cli/lib/gnuplot.h"
#include "cli/lib/options.h"

/* The first curve with points and the label of curve i. */
static int first_of(const bench_report *r, int i)
{
    const char *label = bench_curve_at(r, i).label;
    int first = 0;
    while (bench_curve_at(r, first).count == 0 || strcmp(bench_curve_at(r, first).label, label) != 0) first++;
    return first;
}

/* The number of curve i's label among its kind; other software begins where our own dashes end. */
static int look_of(const bench_report *r, int i)
{
    const int peer = bench_curve_at(r, i).peer, first = first_of(r, i);
    int k = 0, own = 0;
    for (int n = 0; n < bench_curve_count(r); n++) {
        const bench_curve_of c = bench_curve_at(r, n);
        if (c.count == 0 || first_of(r, n) != n) continue;
        own += !c.peer;
        k += n < first && c.peer == peer;
    }
    return peer ? k + (own + STYLE_COLOURS - 1) / STYLE_COLOURS * STYLE_COLOURS : k;
}

static void add_curve(sheet *s, const bench_report *r, int i)
{
    const bench_curve_of c = bench_curve_at(r, i);
    sheet_series(s, c.label, c.peer ? STYLE_LINE_POINTS : STYLE_FILLED, look_of(r, i));
    for (long k = 0; k < c.count; k++) sheet_point(s, c.points[2 * k], c.points[2 * k + 1]);
}

int cli_bench_draw(const bench_report *r, const char *file)
{
    sheet *s = sheet_begin(0);
    int status;
    if (s == NULL) return cli_wrong("bench", "out of memory");
    sheet_page(s)->shared = 1;
    if (bench_panel_count(r) > 9) sheet_page(s)->across = 4;
    for (int panel = 0; panel < bench_panel_count(r); panel++) {
        const char *title, *x, *y;
        bench_panel_text(r, panel, &title, &x, &y);
        sheet_panel(s, title, x, y, SHEET_LOG_X | SHEET_LOG_Y);
        for (int i = 0; i < bench_curve_count(r); i++)
            if (bench_curve_at(r, i).panel == panel && bench_curve_at(r, i).count > 0) add_curve(s, r, i);
    }
    status = cli_gnuplot("bench", file, s);
    sheet_end(s);
    return status;
}
