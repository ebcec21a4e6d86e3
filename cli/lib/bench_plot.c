/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves of a benchmark in logarithmic panels, and a panel for the legend. A curve looks the same in every panel; our
 * own have filled points and solid lines, those of other software hollow points and dashes. */
#include <math.h>
#include <string.h>

#include "cli/lib/bench_program.h"
#include "cli/lib/text.h"

enum { WIDTH = 520, HEIGHT = 430, MOST = 64 };

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

static void layout(const bench_report *r, int *rows, int *across)
{
    const int panels = bench_panel_count(r) + 1;
    *across = panels <= 3 ? panels : panels <= 10 ? (panels + 1) / 2 : 6;
    *rows = (panels + *across - 1) / *across;
}

void cli_bench_size(const bench_report *r, int *width, int *height)
{
    int rows, across;
    layout(r, &rows, &across);
    *width = across * WIDTH;
    *height = rows * HEIGHT;
}

static void write_style(FILE *f, const legend *l, int i)
{
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#a0529d", "#8c6d00",
                                          "#000000", "#56b4e9", "#b22222", "#808080"};
    static const int filled[] = {7, 5, 9, 11, 13, 15}, hollow[] = {6, 4, 8, 10, 12, 14};
    int k = 0; /* its number among its kind */
    for (int n = 0; n < i; n++) k += l->peer[n] == l->peer[i];
    fprintf(f, "with linespoints lw %s lc rgb '%s' pt %d dt %d ps 0.9 ", l->peer[i] ? "1.4" : "1.6", colours[k % 9],
            l->peer[i] ? hollow[k % 6] : filled[k % 6], l->peer[i] ? 2 : 1);
}

static void write_text(FILE *f, const char *what, const char *text)
{
    fprintf(f, "set %s ", what);
    text_gnuplot(f, text);
    fputc('\n', f);
}

static void write_panel(FILE *f, const bench_report *r, const legend *l, int panel)
{
    const char *title, *x, *y;
    int written = 0;
    bench_panel_text(r, panel, &title, &x, &y);
    write_text(f, "title", title);
    write_text(f, "xlabel", x);
    write_text(f, "ylabel", y);
    for (int i = 0; i < bench_curve_count(r); i++) {
        const bench_curve_of c = bench_curve_at(r, i);
        if (c.panel != panel || c.count == 0) continue;
        fprintf(f, "$c%d << end\n", i);
        for (long k = 0; k < c.count; k++) fprintf(f, "%.9g %.9g\n", c.points[2 * k], c.points[2 * k + 1]);
        fputs("end\n", f);
    }
    for (int i = 0; i < bench_curve_count(r); i++) {
        const bench_curve_of c = bench_curve_at(r, i);
        if (c.panel != panel || c.count == 0) continue;
        fprintf(f, "%s $c%d ", written++ > 0 ? "," : "plot", i);
        write_style(f, l, find(l, c.label));
        fputs("notitle", f);
    }
    fputs(written > 0 ? "\n" : "plot [1:10] [1:10] NaN notitle\n", f);
}

void cli_bench_script(FILE *f, const void *report)
{
    const bench_report *r = report;
    const legend l = collect(r);
    int rows, across;
    layout(r, &rows, &across);
    fprintf(f, "set multiplot layout %d,%d\nset logscale xy\nset grid lt 1 lc rgb '#e4e4e4'\nset tics nomirror\n", rows,
            across);
    fputs("set format '%.0e'\nset xtics rotate by -35\nunset key\n", f);
    for (int i = 0; i < bench_panel_count(r); i++) write_panel(f, r, &l, i);
    fputs("unset logscale\nunset title\nunset xlabel\nunset ylabel\nunset tics\nunset border\nunset grid\n"
          "set xrange [0:1]\nset yrange [0:1]\nset key at graph 0.5,1 center top vertical Left reverse samplen 3 "
          "maxrows 17\nplot ",
          f);
    for (int i = 0; i < l.count; i++) {
        fputs(i > 0 ? ", NaN " : "NaN ", f);
        write_style(f, &l, i);
        fputs("title ", f);
        text_gnuplot(f, l.label[i]);
    }
    fputs("\nunset multiplot\n", f);
}
