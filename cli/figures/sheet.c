/* SPDX-License-Identifier: BSD-3-Clause */
/* All points are in one array; series and panels store where theirs begin. */
#include "cli/figures/sheet.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/symbols.h"
#include "cli/lib/text.h"

enum { PANELS = 4, SERIES = 40, CATEGORIES = 16, LABEL = 96, CAPTION = 900 };

typedef struct panel {
    char title[LABEL], x[LABEL], y[LABEL];
    char category[CATEGORIES][40];
    int flags, categories, first; /* its first series */
    double low, high;             /* of y; NaN: chosen automatically */
} panel;

typedef struct series {
    char label[LABEL];
    style_kind style;
    long first, count;
} series;

struct sheet {
    char title[LABEL], caption[CAPTION], shown[LABEL + 2 * CAPTION];
    panel panels[PANELS];
    series all[SERIES];
    int panel_count, series_count, overflow, with_caption;
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
    if (s->panel_count == PANELS) { /* LCOV_EXCL_BR_LINE: no figure of ours has so many */
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
    if (p->categories == CATEGORIES) { /* LCOV_EXCL_BR_LINE: no figure of ours has so many */
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

void sheet_series(sheet *s, const char *label, style_kind style)
{
    series *q;
    if (s->series_count == SERIES) { /* LCOV_EXCL_BR_LINE: no figure of ours has so many */
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
    char text[LABEL + CAPTION + 2];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(s->caption, sizeof s->caption, format, arguments) >= (int)sizeof s->caption) s->overflow = 1;
    va_end(arguments);
    snprintf(text, sizeof text, "%s. %s", s->title, s->caption);
    symbols_of(s->shown, sizeof s->shown, text);
}

void sheet_show_caption(sheet *s)
{
    s->with_caption = 1;
}

int sheet_complete(const sheet *s)
{
    for (int i = 0; i < s->series_count; i++)
        if (s->all[i].count == 0) return 0;
    return !s->overflow && s->series_count > 0;
}

const char *sheet_caption_text(const sheet *s)
{
    return s->shown;
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

/* The looks of series i: the number of its label among the labels of all panels; without one, as the series before. */
static int look_of(const sheet *s, int i)
{
    int looks = 0;
    while (i > 0 && s->all[i].label[0] == '\0') i--;
    for (int k = 0; k <= i; k++) {
        int first = 0;
        if (s->all[k].style == STYLE_GUIDE || s->all[k].label[0] == '\0') continue;
        while (strcmp(s->all[first].label, s->all[k].label) != 0) first++;
        if (first == k) looks++;
        if (k == i && first < k) return look_of(s, first);
    }
    return looks > 0 ? looks - 1 : 0;
}

static int last_of(const sheet *s, int at)
{
    return at + 1 < s->panel_count ? s->panels[at + 1].first : s->series_count;
}

static int entries_of(const sheet *s, int at)
{
    int entries = 0;
    for (int i = s->panels[at].first; i < last_of(s, at); i++) entries += s->all[i].label[0] != '\0';
    return entries;
}

/* The panel that has every label; -1: none has. */
static int panel_of_all(const sheet *s)
{
    for (int at = 0; at < s->panel_count; at++) {
        int missing = 0;
        for (int i = 0; i < s->series_count; i++) {
            int k = s->panels[at].first;
            while (k < last_of(s, at) && strcmp(s->all[k].label, s->all[i].label) != 0) k++;
            missing += k == last_of(s, at) && s->all[i].label[0] != '\0';
        }
        if (missing == 0) return at;
    }
    return -1;
}

static style_page page_of(const sheet *s)
{
    const panel *p = &s->panels[0];
    style_page page = {.panels = s->panel_count, .plain = s->panel_count == 1};
    page.shared = s->panel_count > 1 && panel_of_all(s) >= 0;
    if (s->panel_count == 1) page.width = (p->flags & SHEET_EQUAL) ? 460 : p->categories > 0 ? 820 : 560;
    if (p->flags & SHEET_EQUAL) page.height = s->panel_count == 1 ? 460 : 400;
    for (int k = 0; k < s->panel_count; k++)
        if (entries_of(s, k) > page.entries) page.entries = entries_of(s, k);
    for (int i = 0; i < s->series_count; i++)
        if (symbols_width(s->all[i].label) > page.longest) page.longest = symbols_width(s->all[i].label);
    if (page.entries == 1 && s->panel_count == 1) page.entries = 0; /* the caption says what it is */
    for (int i = 0; i < p->categories; i++)
        if (symbols_width(p->category[i]) > page.tilted) page.tilted = symbols_width(p->category[i]);
    if (s->with_caption) page.caption = s->shown;
    return page;
}

void sheet_size(const sheet *s, int *width, int *height)
{
    const style_page page = page_of(s);
    style_size(&page, width, height);
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

static void find_range(const sheet *s, int at, double *low, double *high)
{
    const series *from = &s->all[s->panels[at].first], *to = &s->all[last_of(s, at) - 1];
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -INFINITY;
    for (long k = from->first; k < to->first + to->count; k++) {
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], s->points[2 * k + i]);
            high[i] = fmax(high[i], s->points[2 * k + i]);
        }
    }
}

/* Time begins and ends with the data, at 0 if they begin a little later; other axes have a margin. */
static void write_ranges(const sheet *s, FILE *f, const style_page *page, int at)
{
    const panel *p = &s->panels[at];
    double low[2], high[2];
    find_range(s, at, low, high);
    if (p->flags & SHEET_EQUAL) {
        style_equal(page, low, high);
    } else {
        const double air = fmax(0.05 * (high[1] - low[1]), 1e-12 * fmax(fabs(low[1]), fabs(high[1])));
        const double side = strncmp(p->x, "t ", 2) == 0 ? 0 : 0.05 * (high[0] - low[0]);
        if (low[0] > 0 && low[0] < 0.03 * high[0] && !(p->flags & SHEET_LOG_X)) low[0] = 0;
        low[0] = p->flags & SHEET_LOG_X ? low[0] / 1.5 : low[0] - side;
        high[0] = p->flags & SHEET_LOG_X ? high[0] * 1.5 : high[0] + side;
        low[1] = p->flags & SHEET_LOG_Y ? low[1] / 3 : low[1] - air;
        high[1] = p->flags & SHEET_LOG_Y ? high[1] * 3 : high[1] + air;
    }
    if (p->categories > 0) {
        low[0] = 0.5;
        high[0] = p->categories + 0.5;
    }
    style_range(f, 'x', low[0], high[0]);
    style_range(f, 'y', isnan(p->low) ? low[1] : p->low, isnan(p->low) ? high[1] : p->high);
}

static void write_categories(FILE *f, const panel *p)
{
    fputs("set xtics rotate by -35 (", f);
    for (int i = 0; i < p->categories; i++) {
        fputs(i > 0 ? ", " : "", f);
        style_text(f, p->category[i]);
        fprintf(f, " %d", i + 1);
    }
    fputs(")\n", f);
}

static void write_legend(const sheet *s, FILE *f, const style_page *page, int at)
{
    int entry = 0;
    for (int i = s->panels[at].first; i < last_of(s, at) && page->entries > 0; i++) {
        if (s->all[i].label[0] == '\0') continue;
        style_entry(f, page, at, entry++, s->all[i].style, look_of(s, i), s->all[i].label);
    }
}

static void write_panel(const sheet *s, FILE *f, const style_page *page, int at)
{
    const panel *p = &s->panels[at];
    style_panel(f, page, at, p->title);
    style_axis(f, 'x', p->x, NULL, p->flags & SHEET_LOG_X);
    style_axis(f, 'y', p->y, NULL, p->flags & SHEET_LOG_Y);
    write_ranges(s, f, page, at);
    if (p->categories > 0) write_categories(f, p);
    if (!page->shared || at == panel_of_all(s)) write_legend(s, f, page, at);
    fputs("plot ", f);
    for (int i = p->first; i < last_of(s, at); i++) {
        fprintf(f, "%s$s%d using 1:2 ", i > p->first ? ", " : "", i);
        style_curve(f, s->all[i].style, look_of(s, i));
        fputs("notitle", f);
    }
    fputc('\n', f);
}

void sheet_write_script(const sheet *s, FILE *f)
{
    const style_page page = page_of(s);
    write_data(s, f);
    style_begin(f, &page);
    for (int i = 0; i < s->panel_count; i++) write_panel(s, f, &page, i);
    style_end(f);
}
