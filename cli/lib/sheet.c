/* SPDX-License-Identifier: BSD-3-Clause */
/* All points are in one array; series and panels store where theirs begin. */
#include "cli/lib/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/symbols.h"
#include "cli/lib/text.h"

typedef struct panel {
    char title[SHEET_TEXT], label[2][SHEET_TEXT]; /* of x and y */
    int flags, categories;
    int series, tics, marks;         /* its first ones */
    double low[2], high[2], band[2]; /* of x and y; NaN: chosen automatically */
} panel;

typedef struct series {
    char label[SHEET_TEXT];
    style_kind style;
    int look, panel;
    long first, count;
} series;

/* A tic or, with a number, a mark. */
typedef struct place {
    char label[SHEET_TEXT];
    double x, y;
} place;

typedef struct point {
    double x, y, z;
} point;

struct sheet {
    style_page page;
    int journal, overflow;
    panel *panels;
    series *all;
    place *tics, *marks;
    point *points;
    long panel_count, series_count, tic_count, mark_count, used;
    sheet_watcher see; /* NULL: none */
    void *context;
};

/* Collecting ------------------------------------------------------------------------------------------------------ */

sheet *sheet_begin(int journal)
{
    sheet *s = calloc(1, sizeof *s);
    if (s != NULL) s->journal = journal;
    return s;
}

void sheet_watch(sheet *s, sheet_watcher see, void *context)
{
    s->see = see, s->context = context;
}

void sheet_end(sheet *s)
{
    if (s == NULL) return;
    free(s->panels);
    free(s->all);
    free(s->tics);
    free(s->marks);
    free(s->points);
    free(s);
}

style_page *sheet_page(sheet *s)
{
    return &s->page;
}

/* Room for one more in the array that `array` points to, which doubles at powers of two. The new one is zero; NULL: out
 * of memory. */
static void *grow(sheet *s, void *array, long *count, size_t size)
{
    void *at;
    memcpy(&at, array, sizeof at);
    if (s->overflow) return NULL;
    if ((*count & (*count - 1)) == 0) {
        at = realloc(at, (size_t)(*count > 0 ? 2 * *count : 1) * size);
        if (at == NULL) {
            s->overflow = 1;
            return NULL;
        }
        memcpy(array, &at, sizeof at);
    }
    return memset((char *)at + (size_t)(*count)++ * size, 0, size);
}

static void copy(char to[SHEET_TEXT], const char *from)
{
    snprintf(to, SHEET_TEXT, "%s", from);
}

static panel *current(const sheet *s)
{
    return &s->panels[s->panel_count - 1];
}

void sheet_panel(sheet *s, const char *title, const char *x, const char *y, int flags)
{
    panel *p = grow(s, &s->panels, &s->panel_count, sizeof *p);
    if (p == NULL) return;
    copy(p->title, title);
    copy(p->label[0], x);
    copy(p->label[1], y);
    p->flags = flags;
    p->series = (int)s->series_count;
    p->tics = (int)s->tic_count;
    p->marks = (int)s->mark_count;
    p->low[0] = p->low[1] = p->high[0] = p->high[1] = p->band[0] = NAN;
}

void sheet_limits(sheet *s, char axis, double low, double high)
{
    if (s->overflow) return;
    current(s)->low[axis - 'x'] = low;
    current(s)->high[axis - 'x'] = high;
}

void sheet_band(sheet *s, double low, double high)
{
    if (s->overflow) return;
    current(s)->band[0] = low;
    current(s)->band[1] = high;
}

static void add_place(sheet *s, place **array, long *count, double x, double y, const char *label)
{
    place *at = grow(s, array, count, sizeof *at);
    if (at == NULL) return;
    copy(at->label, label);
    at->x = x;
    at->y = y;
}

void sheet_tic(sheet *s, double at, const char *label)
{
    add_place(s, &s->tics, &s->tic_count, at, 0, label != NULL ? label : "");
}

void sheet_category(sheet *s, const char *name)
{
    if (!s->overflow) sheet_tic(s, ++current(s)->categories, name);
}

void sheet_mark(sheet *s, double x, double y, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    add_place(s, &s->marks, &s->mark_count, x, y, text);
}

void sheet_series(sheet *s, const char *label, style_kind style, int look)
{
    series *q = grow(s, &s->all, &s->series_count, sizeof *q);
    if (s->see != NULL) s->see(s->context, label);
    if (q == NULL) return;
    copy(q->label, label);
    q->style = style;
    q->look = look;
    q->panel = (int)s->panel_count - 1;
    q->first = s->used;
}

void sheet_value(sheet *s, double x, double y, double z)
{
    const int flags = s->overflow ? 0 : current(s)->flags;
    const int drawn =
        isfinite(x) && isfinite(y) && !((flags & SHEET_LOG_X) && x <= 0) && !((flags & SHEET_LOG_Y) && y <= 0);
    point *at = drawn || !s->journal ? grow(s, &s->points, &s->used, sizeof *at) : NULL;
    if (at == NULL) return;
    *at = (point){x, drawn ? y : (double)NAN, z};
    s->all[s->series_count - 1].count++;
}

void sheet_point(sheet *s, double x, double y)
{
    sheet_value(s, x, y, 0);
}

int sheet_complete(const sheet *s)
{
    for (long i = 0; s->journal && i < s->series_count; i++)
        if (s->all[i].count == 0) return 0;
    return !s->overflow && s->panel_count > 0;
}

void sheet_write_csv(FILE *f, const void *context)
{
    const sheet *s = context;
    fputs("panel,series,x,y\n", f);
    for (long i = 0; i < s->series_count; i++) {
        const series *q = &s->all[i];
        for (const point *p = s->points + q->first; p < s->points + q->first + q->count; p++) {
            text_csv(f, s->panels[q->panel].title);
            fputc(',', f);
            text_csv(f, q->label);
            fprintf(f, ",%.17g,%.17g\n", p->x, p->y);
        }
    }
}

/* Words ----------------------------------------------------------------------------------------------------------- */

const char *sheet_label(char text[SHEET_TEXT], const char *name, const char *unit, int power)
{
    const int known = unit != NULL && unit[0] != '\0' && strcmp(unit, "rows") != 0;
    const char *of = known && strcmp(unit, "-") != 0 ? unit : "";
    char scale[16] = "";
    if (power != 0) snprintf(scale, sizeof scale, "1e%d%s", power, of[0] != '\0' ? " " : "");
    if (!known && power == 0)
        snprintf(text, SHEET_TEXT, "%s", name);
    else
        snprintf(text, SHEET_TEXT, "%s [%s%s]", name, scale, of[0] == '\0' && power == 0 ? "–" : of);
    return text;
}

int sheet_power(double most)
{
    return !(most > 0) || (most >= 1e-2 && most < 1e4) ? 0 : (int)floor(log10(most));
}

void sheet_equal(double low[2], double high[2])
{
    const style_page usual = {0};
    style_equal(&usual, low, high);
}

/* The page -------------------------------------------------------------------------------------------------------- */

static int last_of(const sheet *s, int at)
{
    return at + 1 < s->panel_count ? s->panels[at + 1].series : (int)s->series_count;
}

/* The first series of panels from `at` to `to` with this label; -1: none. */
static int find(const sheet *s, int at, int to, const char *label)
{
    for (int i = s->panels[at].series; i < last_of(s, to); i++)
        if (strcmp(s->all[i].label, label) == 0) return i;
    return -1;
}

/* The looks of series i: the number of its label among the labels of all panels; without one, as the series before. */
static int look_of(const sheet *s, int i)
{
    int looks = 0;
    if (s->all[i].look != SHEET_BY_LABEL) return s->all[i].look;
    while (i > 0 && s->all[i].label[0] == '\0') i--;
    i = find(s, 0, (int)s->panel_count - 1, s->all[i].label);
    for (int k = 0; k < i; k++)
        looks += s->all[k].style != STYLE_GUIDE && s->all[k].label[0] != '\0' &&
                 find(s, 0, (int)s->panel_count - 1, s->all[k].label) == k;
    return looks;
}

/* The panel that has every label; -1: none has. */
static int panel_of_all(const sheet *s)
{
    for (int at = 0; at < s->panel_count; at++) {
        int missing = 0;
        for (int i = 0; i < s->series_count; i++)
            missing += s->all[i].label[0] != '\0' && find(s, at, at, s->all[i].label) < 0;
        if (missing == 0) return at;
    }
    return -1;
}

/* Entry `number` of the legend of panel `at`, or of the shared legend: its series; -1: no such entry. A shared legend
 * begins with the labels of the panel that has all. */
static int entry_of(const sheet *s, const style_page *page, int at, int number)
{
    const int all = page->shared ? panel_of_all(s) : at;
    const int from = all >= 0 ? all : 0, to = all >= 0 ? all : (int)s->panel_count - 1;
    for (int i = s->panels[from].series; i < last_of(s, to); i++)
        if (s->all[i].label[0] != '\0' && find(s, from, to, s->all[i].label) == i && number-- == 0) return i;
    return -1;
}

/* Sizes as in the figures of a journal: a single panel is larger, and its caption names the only curve. */
static void lay_out(const sheet *s, style_page *page)
{
    const panel *p = &s->panels[0];
    const int alone = s->panel_count == 1;
    page->plain = alone;
    page->shared = !alone && panel_of_all(s) >= 0;
    if (alone) page->width = (p->flags & SHEET_EQUAL) ? 460 : p->categories > 0 ? 820 : 560;
    if (p->flags & SHEET_EQUAL) page->height = alone ? 460 : 400;
    for (int i = 0; i < p->categories; i++)
        if (symbols_width(s->tics[i].label) > page->tilted) page->tilted = symbols_width(s->tics[i].label);
}

static style_page page_of(const sheet *s)
{
    style_page page = s->page;
    page.panels = (int)s->panel_count;
    if (s->journal) lay_out(s, &page);
    if (!s->journal && page.across == 0) page.across = page.panels <= 3 ? page.panels : page.panels == 4 ? 2 : 3;
    for (int at = 0; at < page.panels; at++) {
        int entries = 0;
        for (int i; (i = entry_of(s, &page, at, entries)) >= 0; entries++)
            if (symbols_width(s->all[i].label) > page.longest) page.longest = symbols_width(s->all[i].label);
        if (entries > page.entries) page.entries = entries;
    }
    if (page.entries == 1 && page.plain) page.entries = 0;
    return page;
}

double sheet_least_width(const sheet *s)
{
    style_page page = page_of(s);
    return page.print > 0 ? style_fit(&page) : 0;
}

style_page sheet_layout(const sheet *s)
{
    style_page page = page_of(s);
    if (page.print > 0) (void)style_fit(&page);
    return page;
}

/* The script ------------------------------------------------------------------------------------------------------ */

static int has_colours(const series *q)
{
    return q->style == STYLE_MAP || q->style == STYLE_CLOUD;
}

static void write_data(const sheet *s, FILE *f)
{
    for (int i = 0; i < s->series_count; i++) {
        const series *q = &s->all[i];
        fprintf(f, "$s%d << end\n", i);
        for (const point *p = s->points + q->first; p < s->points + q->first + q->count; p++)
            fprintf(f, has_colours(q) ? "%.17g %.17g %.17g\n" : "%.17g %.17g\n", p->x, p->y, p->z);
        fputs("end\n", f);
    }
}

static void find_range(const sheet *s, int at, double *low, double *high)
{
    const series *from = &s->all[s->panels[at].series], *to = &s->all[last_of(s, at) - 1];
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -INFINITY;
    for (const point *p = s->points + from->first; p < s->points + to->first + to->count; p++) {
        low[0] = fmin(low[0], p->x);
        low[1] = fmin(low[1], p->y);
        high[0] = fmax(high[0], p->x);
        high[1] = fmax(high[1], p->y);
    }
}

/* Time begins and ends with the data, at 0 if they begin a little later; other axes have a margin. */
static void choose_ranges(const sheet *s, const style_page *page, int at, double *low, double *high)
{
    const panel *p = &s->panels[at];
    find_range(s, at, low, high);
    if (p->flags & SHEET_EQUAL) {
        style_equal(page, low, high);
    } else {
        const double air = fmax(0.05 * (high[1] - low[1]), 1e-12 * fmax(fabs(low[1]), fabs(high[1])));
        const double side = strncmp(p->label[0], "t ", 2) == 0 ? 0 : 0.05 * (high[0] - low[0]);
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
}

static void write_ranges(const sheet *s, FILE *f, const style_page *page, int at)
{
    const panel *p = &s->panels[at];
    double low[2] = {NAN, NAN}, high[2];
    if (s->journal) choose_ranges(s, page, at, low, high);
    for (int i = 0; i < 2; i++) {
        const int set = !isnan(p->low[i]);
        if (set || s->journal) style_range(f, i == 0 ? 'x' : 'y', set ? p->low[i] : low[i], set ? p->high[i] : high[i]);
    }
    if (!s->journal && isnan(p->low[1]) && !isnan(p->low[0])) fputs("set offsets 0, 0, graph 0.05, graph 0.05\n", f);
}

static void write_tics(const sheet *s, FILE *f, int at)
{
    const panel *p = &s->panels[at];
    const int last = at + 1 < s->panel_count ? p[1].tics : (int)s->tic_count;
    if (p->tics == last) return;
    fputs(p->categories > 0 ? "set xtics rotate by -35 (" : "set xtics (", f);
    for (int i = p->tics; i < last; i++) {
        fputs(i > p->tics ? ", " : "", f);
        if (s->tics[i].label[0] != '\0') style_text(f, s->tics[i].label);
        fprintf(f, " %.10g%s", s->tics[i].x, s->tics[i].label[0] != '\0' ? "" : " 1");
    }
    fputs(")\n", f);
}

static void write_marks(const sheet *s, FILE *f, int at)
{
    const int last = at + 1 < s->panel_count ? s->panels[at + 1].marks : (int)s->mark_count;
    for (int i = s->panels[at].marks; i < last; i++)
        fprintf(f, "set label '%s' at %.6g,%.6g offset character 0.4,0.6 tc rgb '#606060' front\n", s->marks[i].label,
                s->marks[i].x, s->marks[i].y);
}

static void write_band(FILE *f, const panel *p)
{
    if (isnan(p->band[0])) return;
    fprintf(f,
            "set object rectangle from graph 0, first %.10g to graph 1, first %.10g fc rgb '#ebebeb' fillstyle solid "
            "noborder behind\n"
            "set label 'rounding' at graph 0.02, first %.10g offset 0,-0.7 tc rgb '#8a8a8a' front\n",
            p->band[0], p->band[1], p->band[1]);
}

static void write_legend(const sheet *s, FILE *f, const style_page *page, int at)
{
    for (int entry = 0, i; page->entries > 0 && (i = entry_of(s, page, at, entry)) >= 0; entry++)
        style_entry(f, page, at, entry, s->all[i].style, look_of(s, i), s->all[i].label);
}

/* Floors are drawn below guides, and guides below all else. */
static int layer_of(const series *q)
{
    return q->style == STYLE_FLOOR ? 0 : q->style == STYLE_GUIDE ? 1 : 2;
}

/* Draws the series of a layer of the panel. Returns the number of curves so far. */
static int write_curves(const sheet *s, FILE *f, int at, int layer, int curves)
{
    for (int i = s->panels[at].series; i < last_of(s, at); i++) {
        const series *q = &s->all[i];
        if (layer_of(q) != layer || q->count == 0) continue;
        fprintf(f, "%s$s%d using %s ", curves++ > 0 ? ", " : "plot ", i, has_colours(q) ? "1:2:3" : "1:2");
        style_curve(f, q->style, look_of(s, i));
        fputs("notitle", f);
    }
    return curves;
}

static void write_panel(const sheet *s, FILE *f, const style_page *page, int at)
{
    const panel *p = &s->panels[at];
    int curves = 0;
    style_panel(f, page, at, p->title);
    style_axis(f, 'x', p->label[0], p->flags & SHEET_LOG_X);
    style_axis(f, 'y', p->label[1], p->flags & SHEET_LOG_Y);
    if (page->bar) style_palette(f, p->flags & SHEET_LOG_Z);
    write_ranges(s, f, page, at);
    write_tics(s, f, at);
    write_marks(s, f, at);
    write_band(f, p);
    if (!page->shared || at == 0) write_legend(s, f, page, at);
    for (int layer = 0; layer < 3; layer++) curves = write_curves(s, f, at, layer, curves);
    if (curves == 0) fputs("plot [1:10] [1:10] NaN", f);
    fputc('\n', f);
}

void sheet_write_script(const sheet *s, FILE *f)
{
    const style_page page = sheet_layout(s);
    write_data(s, f);
    style_begin(f, &page);
    for (int i = 0; i < s->panel_count; i++) write_panel(s, f, &page, i);
    style_end(f);
}
