/* SPDX-License-Identifier: BSD-3-Clause */
/* All points are in one array; series and panels store where theirs begin. */
#include "cli/figures/sheet.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/text.h"

enum { PANELS = 4, SERIES = 40, CATEGORIES = 16, LABEL = 96, CAPTION = 700, LINE = 118 };

typedef struct panel {
    char title[LABEL], x[LABEL], y[LABEL];
    char category[CATEGORIES][40];
    int flags, categories, first; /* its first series */
    double low, high;             /* of y; NaN: chosen automatically */
} panel;

typedef struct series {
    char label[LABEL];
    sheet_style style;
    long first, count;
} series;

struct sheet {
    char title[LABEL], caption[CAPTION];
    panel panels[PANELS];
    series all[SERIES];
    int panel_count, series_count, overflow;
    double *points; /* x, y, x, y ... */
    long used, room;
};

/* Collecting ------------------------------------------------------------------------------------------------------ */

static void copy(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from);
}

sheet *sheet_begin(const char *title)
{
    sheet *s = calloc(1, sizeof *s);
    if (s != NULL) copy(s->title, sizeof s->title, title);
    return s;
}

void sheet_end(sheet *s)
{
    if (s == NULL) return;
    free(s->points);
    free(s);
}

void sheet_panel(sheet *s, const char *title, const char *x, const char *y, int flags)
{
    panel *p;
    if (s->panel_count == PANELS) {
        s->overflow = 1;
        return;
    }
    p = &s->panels[s->panel_count++];
    copy(p->title, sizeof p->title, title);
    copy(p->x, sizeof p->x, x);
    copy(p->y, sizeof p->y, y);
    p->flags = flags;
    p->first = s->series_count;
    p->low = p->high = NAN;
}

void sheet_category(sheet *s, const char *name)
{
    panel *p = &s->panels[s->panel_count - 1];
    if (p->categories == CATEGORIES) {
        s->overflow = 1;
        return;
    }
    copy(p->category[p->categories], sizeof p->category[0], name);
    p->categories++;
}

void sheet_limits(sheet *s, double low, double high)
{
    s->panels[s->panel_count - 1].low = low;
    s->panels[s->panel_count - 1].high = high;
}

void sheet_series(sheet *s, const char *label, sheet_style style)
{
    series *q;
    if (s->series_count == SERIES) {
        s->overflow = 1;
        return;
    }
    q = &s->all[s->series_count++];
    copy(q->label, sizeof q->label, label);
    q->style = style;
    q->first = s->used;
}

void sheet_point(sheet *s, double x, double y)
{
    const int flags = s->panels[s->panel_count - 1].flags;
    if (!isfinite(x) || !isfinite(y)) return;
    if (((flags & SHEET_LOG_X) && x <= 0) || ((flags & SHEET_LOG_Y) && y <= 0)) return;
    if (s->used == s->room) {
        const long room = s->room > 0 ? 2 * s->room : 4096;
        double *points = realloc(s->points, (size_t)(2 * room) * sizeof *points);
        if (points == NULL) {
            s->overflow = 1;
            return;
        }
        s->points = points;
        s->room = room;
    }
    s->points[2 * s->used] = x;
    s->points[2 * s->used + 1] = y;
    s->used++;
    s->all[s->series_count - 1].count++;
}

void sheet_caption(sheet *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(s->caption, sizeof s->caption, format, arguments) >= (int)sizeof s->caption) s->overflow = 1;
    va_end(arguments);
}

int sheet_complete(const sheet *s)
{
    for (int i = 0; i < s->series_count; i++)
        if (s->all[i].count == 0) return 0;
    return !s->overflow && s->series_count > 0;
}

const char *sheet_caption_text(const sheet *s)
{
    return s->caption;
}

/* Series i's panel. */
static int panel_of(const sheet *s, int i)
{
    int at = 0;
    while (at + 1 < s->panel_count && s->panels[at + 1].first <= i) at++;
    return at;
}

void sheet_write_csv(const sheet *s, FILE *f)
{
    fputs("panel,series,x,y\n", f);
    for (int i = 0; i < s->series_count; i++) {
        const series *q = &s->all[i];
        for (long k = q->first; k < q->first + q->count; k++) {
            text_csv(f, s->panels[panel_of(s, i)].title);
            fputc(',', f);
            text_csv(f, q->label);
            fprintf(f, ",%.17g,%.17g\n", s->points[2 * k], s->points[2 * k + 1]);
        }
    }
}

/* The script ------------------------------------------------------------------------------------------------------ */

/* The places of the panels on the canvas, as fractions of it. */
enum { HEIGHT = 700 };
static const double bottom = 0.26, right = 0.98;

static int square(const sheet *s)
{
    return s->panel_count == 1 && (s->panels[0].flags & SHEET_EQUAL) != 0;
}

void sheet_size(const sheet *s, int *width, int *height)
{
    *width = square(s) ? 800 : s->panel_count == 1 ? 1000 : s->panel_count == 2 ? 1300 : 1600;
    *height = square(s) ? 1000 : HEIGHT;
}

static double top_of(const sheet *s)
{
    return square(s) ? 0.86 : 0.78;
}

static double left_of(const sheet *s)
{
    return square(s) ? 0.12 : s->panel_count == 1 ? 0.10 : 0.075;
}

static double spacing_of(const sheet *s)
{
    return s->panel_count == 2 ? 0.10 : 0.075;
}

/* Width over height of a panel. */
static double aspect_of(const sheet *s)
{
    int width, height;
    sheet_size(s, &width, &height);
    return (right - left_of(s) - (s->panel_count - 1) * spacing_of(s)) / s->panel_count * width /
           ((top_of(s) - bottom) * height);
}

/* Ranges that show the panel's points with equal scales on both axes. */
static void write_equal(const sheet *s, FILE *f, int first, int last)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, half;
    const double aspect = aspect_of(s);
    for (long k = s->all[first].first; k < s->all[last - 1].first + s->all[last - 1].count; k++) {
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], s->points[2 * k + i]);
            high[i] = fmax(high[i], s->points[2 * k + i]);
        }
    }
    half = 0.53 * fmax(high[1] - low[1], (high[0] - low[0]) / aspect);
    fprintf(f, "set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n", (low[0] + high[0]) / 2 - aspect * half,
            (low[0] + high[0]) / 2 + aspect * half, (low[1] + high[1]) / 2 - half, (low[1] + high[1]) / 2 + half);
}

/* The caption in lines of at most LINE characters, between double quotes. */
static void write_caption(const sheet *s, FILE *f)
{
    int column = 0, width, height, most;
    sheet_size(s, &width, &height);
    most = LINE * width / 1000;
    fputc('"', f);
    for (const char *word = s->caption; *word != '\0';) {
        const int length = (int)strcspn(word, " ");
        if (column > 0 && column + 1 + length > most) {
            fputs("\\n", f);
            column = 0;
        }
        if (column > 0) fputc(' ', f);
        for (int i = 0; i < length; i++) {
            if (word[i] == '"' || word[i] == '\\') fputc('\\', f);
            if (word[i] == '~' || word[i] == '@') fputs("\\\\", f);
            fputc(word[i], f);
        }
        column += length + 1;
        word += length;
        while (*word == ' ') word++;
    }
    fputc('"', f);
}

/* Colours that colour-blind readers can distinguish (Okabe and Ito), dark enough for print. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#000000", "#b8860b", "#56b4e9", "#7f3fbf"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

static void write_style(FILE *f, sheet_style style, int colour)
{
    const char *c = colours[colour < 0 ? 0 : colour % COLOURS];
    const int mark = 5 + (colour < 0 ? 0 : colour % 8);
    switch (style) {
    case SHEET_LINE:
        fprintf(f, "with lines lw 2 lc rgb '%s'", c);
        break;
    case SHEET_DASHED:
        fprintf(f, "with lines lw 2 dt 2 lc rgb '%s'", c);
        break;
    case SHEET_GUIDE:
        fputs("with lines lw 1.5 dt 3 lc rgb '#707070'", f);
        break;
    case SHEET_POINTS:
        fprintf(f, "with points pt %d ps 1.4 lc rgb '%s'", mark, c);
        break;
    case SHEET_DOTS:
        fprintf(f, "with points pt 7 ps 0.45 lc rgb '%s'", c);
        break;
    case SHEET_LINE_POINTS:
        fprintf(f, "with linespoints lw 2 pt %d ps 1.1 lc rgb '%s'", mark, c);
        break;
    }
}

/* Text between single quotes; '~' and '@' are escaped, since they have a meaning for gnuplot. */
static void write_text(FILE *f, const char *text)
{
    char safe[2 * LABEL];
    size_t used = 0;
    for (; *text != '\0' && used + 2 < sizeof safe; text++) {
        if (*text == '~' || *text == '@') safe[used++] = '\\';
        safe[used++] = *text;
    }
    safe[used] = '\0';
    text_gnuplot(f, safe);
}

static void write_data(const sheet *s, FILE *f)
{
    for (int i = 0; i < s->series_count; i++) {
        const series *q = &s->all[i];
        fprintf(f, "$s%d << end\n", i);
        for (long k = q->first; k < q->first + q->count; k++)
            fprintf(f, "%.10g %.10g\n", s->points[2 * k], s->points[2 * k + 1]);
        fputs("end\n", f);
    }
}

static void write_axis(FILE *f, char axis, const char *label, int logarithmic)
{
    fprintf(f, "set %clabel ", axis);
    write_text(f, label);
    fprintf(f, "\n%s logscale %c\n", logarithmic ? "set" : "unset", axis);
    fprintf(f, logarithmic ? "set format %c '10^{%%L}'\n" : "set format %c '%%g'\n", axis);
}

/* The legend is above the panel, with as many rows as it needs, and the title above the legend. */
static void write_legend(const sheet *s, FILE *f, const panel *p, int last)
{
    int names = 0, rows;
    size_t longest = 1;
    for (int i = p->first; i < last; i++) {
        names += s->all[i].label[0] != '\0';
        if (strlen(s->all[i].label) > longest) longest = strlen(s->all[i].label);
    }
    rows = (names + 3) / 4;
    while (rows < names &&
           (names + rows - 1) / rows * (int)(longest + 7) > (s->panel_count == 1 ? 100 : 170 / s->panel_count))
        rows++;
    fprintf(f, "set key at graph 0.5, graph 1.045 center bottom vertical maxrows %d\nset title offset 0,%g ", rows,
            0.3 + 1.15 * rows);
    write_text(f, p->title);
    fputc('\n', f);
}

static void write_ranges(const sheet *s, FILE *f, const panel *p, int last)
{
    fputs("set autoscale xy\nset offsets 0, 0, graph 0.05, graph 0.05\nset autoscale xfix\n", f);
    if (p->flags & SHEET_LOG_X) fputs("set autoscale x\n", f);
    if (p->flags & SHEET_LOG_Y) fputs("set offsets 0, 0, 0, 0\n", f);
    if (p->flags & SHEET_EQUAL) {
        fputs("set offsets 0, 0, 0, 0\n", f);
        write_equal(s, f, p->first, last);
    }
    if (!isnan(p->low)) fprintf(f, "set offsets 0, 0, 0, 0\nset yrange [%.10g:%.10g]\n", p->low, p->high);
    if (p->categories == 0) {
        fputs("set xtics norotate autofreq\n", f);
        return;
    }
    fprintf(f, "set xrange [0.5:%d.5]\nset xtics rotate by -35 (", p->categories);
    for (int i = 0; i < p->categories; i++) {
        fputs(i > 0 ? ", " : "", f);
        write_text(f, p->category[i]);
        fprintf(f, " %d", i + 1);
    }
    fputs(")\n", f);
}

static void write_panel(const sheet *s, FILE *f, int at)
{
    const panel *p = &s->panels[at];
    const int last = at + 1 < s->panel_count ? s->panels[at + 1].first : s->series_count;
    int colour = -1;
    write_legend(s, f, p, last);
    write_axis(f, 'x', p->x, p->flags & SHEET_LOG_X);
    write_axis(f, 'y', p->y, p->flags & SHEET_LOG_Y);
    write_ranges(s, f, p, last);
    fputs("plot ", f);
    for (int i = p->first; i < last; i++) {
        const series *q = &s->all[i];
        fprintf(f, "%s$s%d using 1:2 ", i > p->first ? ", " : "", i);
        if (q->style != SHEET_GUIDE && q->label[0] != '\0')
            colour++; /* without a name: a continuation of the series before */
        write_style(f, q->style, colour);
        fputs(q->label[0] != '\0' ? " title " : " notitle", f);
        if (q->label[0] != '\0') write_text(f, q->label);
    }
    fputs("\nunset label\n", f);
}

void sheet_write_script(const sheet *s, FILE *f)
{
    write_data(s, f);
    fprintf(f, "set multiplot layout 1,%d margins screen %g, screen %g, screen %g, screen %g spacing screen %g title ",
            s->panel_count, left_of(s), right, bottom, top_of(s), spacing_of(s));
    write_text(f, s->title);
    fputs(" font ',16'\nset grid lt 1 lw 0.5 lc rgb '#d0d0d0'\nset tics nomirror\nset border 3\n"
          "set key Left reverse samplen 2.2 spacing 1.1\nset label ",
          f);
    write_caption(s, f);
    fputs(" at screen 0.02, screen 0.13 left font ',12'\n", f);
    for (int i = 0; i < s->panel_count; i++) write_panel(s, f, i);
    fputs("unset multiplot\n", f);
}
