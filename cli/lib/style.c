/* SPDX-License-Identifier: BSD-3-Clause */
/* The place of every panel on the canvas follows from the page alone, so that it does not depend on the terminal's text
 * extents. From above: title of the page, shared legend, then for each row of panels titles, legends, frames, tics and
 * labels; the caption last. */
#include "cli/lib/style.h"

#include <math.h>
#include <string.h>

#include "cli/lib/symbols.h"
#include "cli/lib/text.h"

enum {
    FONT = 14,  /* also the width and height of marks and the steps of lines are chosen for it */
    LINE = 22,  /* of a legend or caption, and titles */
    LEFT = 100, /* from a cell's left end to its frame: tics and label */
    RIGHT = 22,
    BAR = 90,
    FOOT = 64, /* from a frame to its cell's lower end */
    AIR = 10,
    TEXT = 2500, /* bytes of a caption */
    SAMPLE = 36, /* of a curve in a legend */
    ROOM = 220,  /* of a frame that stands beside another one on a printed page */
    LEAST = 150  /* of a frame that stands alone */
};
#define LETTER (0.6 * FONT) /* the mean width of a character of the font */
#define POINTS (0.75 * FONT)

/* The page ------------------------------------------------------------------------------------------------------- */

static int frame_width(const style_page *p)
{
    return p->width > 0 ? p->width : 400;
}

static int frame_height(const style_page *p)
{
    return p->height > 0 ? p->height : 300;
}

static int across(const style_page *p)
{
    return p->across > 0 ? p->across : p->panels;
}

static int cell_width(const style_page *p)
{
    return LEFT + frame_width(p) + RIGHT + (p->bar ? BAR : 0);
}

/* A legend's entry: sample and label, and the space to the next. */
static int entry_width(const style_page *p)
{
    return SAMPLE + 26 + (int)(LETTER * p->longest);
}

static int page_width(const style_page *p)
{
    return across(p) * cell_width(p);
}

static int legend_width(const style_page *p)
{
    return p->shared ? page_width(p) - LEFT : frame_width(p) + RIGHT;
}

static int legend_rows(const style_page *p)
{
    const int fit = legend_width(p) / entry_width(p), columns = fit > 1 ? fit : 1;
    return (p->entries + columns - 1) / columns;
}

/* Room for a title, or the legend. */
static int title_room(const style_page *p)
{
    return p->plain ? 0 : LINE;
}

static int legend_room(const style_page *p)
{
    return p->entries > 0 ? legend_rows(p) * LINE + 4 : 0;
}

static int cell_head(const style_page *p)
{
    return AIR + title_room(p) + (p->shared ? 0 : legend_room(p));
}

static int cell_height(const style_page *p)
{
    const int names = p->tilted > 0 ? 2 * AIR + (int)(0.6 * LETTER * p->tilted) : 0; /* by 35 degrees */
    return cell_head(p) + frame_height(p) + (names > 0 ? names : FOOT);
}

static int page_head(const style_page *p)
{
    return (p->title != NULL ? LINE + AIR : 0) + (p->shared ? legend_room(p) + AIR : 0);
}

/* The end of a caption's line that begins at `text`. */
static const char *line_end(const char *text, int most)
{
    const char *end = text;
    int column = 0;
    for (const char *at = text; *at != '\0'; at++) {
        column += ((unsigned char)*at & 0xc0) != 0x80;
        if (at[1] == '\0') end = at + 1;
        if (*at == ' ' && at[1] != '=' && (at == text || at[-1] != '=')) end = at;
        if (column >= most && end > text) return end;
    }
    return end;
}

static int caption_width(const style_page *p)
{
    return (int)((page_width(p) - 2 * AIR) / (0.9 * LETTER));
}

static int caption_lines(const style_page *p)
{
    char text[TEXT];
    int lines = 0;
    symbols_of(text, sizeof text, p->caption != NULL ? p->caption : "");
    for (const char *at = text; *at != '\0'; lines++) {
        at = line_end(at, caption_width(p));
        while (*at == ' ') at++;
    }
    return lines;
}

void style_size(const style_page *p, int *width, int *height)
{
    const int rows = (p->panels + across(p) - 1) / across(p), lines = caption_lines(p);
    *width = page_width(p);
    *height = page_head(p) + rows * cell_height(p) + (lines > 0 ? lines * LINE + AIR : 0);
}

/* By how much everything is larger than at the usual font. */
static double scale_of(const style_page *p)
{
    return p->font > 0 ? p->font / POINTS : 1;
}

double style_fit(style_page *p)
{
    const double to_mm = scale_of(p) * 25.4 / 96, width = p->print / to_mm, margins = cell_width(p) - frame_width(p);
    const double shape = (double)frame_height(p) / frame_width(p);
    int n = across(p);
    while (n > 1 && width / n - margins < ROOM) n--;
    const double frame = width / n - margins;
    if (!(frame >= LEAST)) return ceil((LEAST + margins) * to_mm);
    p->height = (int)(fmax(shape, fmin(0.75, frame_height(p) / frame)) * frame);
    p->across = n, p->width = (int)frame;
    return 0;
}

void style_terminal(FILE *f, const char *file, const style_page *p)
{
    const char *end = file + strlen(file) - 4;
    const double k = scale_of(p), dots = p->print > 0 || p->font > 0 ? k * 300 / 96 : 1.5;
    const int svg = strcmp(end, ".svg") == 0; /* its units are others */
    int width, height;
    style_size(p, &width, &height);
    fprintf(f, "mark = %g\npixel = %g\n", svg ? 0.6 * k : 1, svg ? k : 0.75);
    if (svg) {
        fprintf(f, "set terminal svg size %g,%g enhanced font 'sans-serif,%g' linewidth %g background 'white'\n",
                width * k, height * k, FONT * k, k);
    } else if (strcmp(end, ".pdf") == 0) {
        fprintf(f,
                "if (strstrt(GPVAL_TERMINALS, ' pdfcairo ') > 0) {\n"
                "  set terminal pdfcairo size %.4fin,%.4fin enhanced font 'Sans,%g' fontscale %g linewidth %g "
                "pointscale %g dashlength 1.5\n"
                "} else {\n  set terminal pdf size %.4fin,%.4fin enhanced\n}\n",
                width * k / 96, height * k / 96, POINTS, 0.75 * k, 1.5 * k, 0.75 * k, width * k / 96, height * k / 96);
    } else {
        fprintf(f,
                "if (strstrt(GPVAL_TERMINALS, ' pngcairo ') > 0) {\n"
                "  set terminal pngcairo size %d,%d enhanced font 'Sans,%g' fontscale %g linewidth %g pointscale "
                "%g dashlength 1.5\n} else {\n  set terminal png size %d,%d enhanced\n}\n",
                (int)(width * dots), (int)(height * dots), POINTS, dots, dots, dots, width, height);
    }
}

/* Text ------------------------------------------------------------------------------------------------------------ */

static int is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

/* The bytes of the index or power at `at` that has no characters of its own: _y or _w after a single letter, ^(1/2);
 * 0: none, '_' and '^' are to be printed. */
static size_t script_length(const char *text, const char *at)
{
    size_t length = 0;
    if (*at == '^' && at[1] == '(') {
        const char *end = strchr(at, ')');
        return end != NULL ? (size_t)(end - at) - 2 : 0;
    }
    if (*at != '_' || at == text || !is_word(at[-1]) || (at > text + 1 && (at[-1] & 0x80) == 0 && is_word(at[-2])))
        return 0;
    while (is_word(at[1 + length])) length++;
    return at[1 + length] == '_' || (at > text + 1 && at[-2] == '_') ? 0 : length;
}

void style_text(FILE *f, const char *text)
{
    char symbols[TEXT], safe[4 * sizeof symbols];
    size_t used = 0;
    symbols_of(symbols, sizeof symbols, text);
    for (const char *c = symbols; *c != '\0'; c++) {
        const size_t length = *c == '_' || *c == '^' ? script_length(symbols, c) : 0;
        if (length > 0) {
            used += (size_t)snprintf(safe + used, sizeof safe - used, "%c{%.*s}", *c, (int)length, c + 1 + (*c == '^'));
            c += length + 2 * (size_t)(*c == '^');
            continue;
        }
        if (strchr("\\_^{}@&~", *c) != NULL) safe[used++] = '\\';
        safe[used++] = *c;
    }
    safe[used] = '\0';
    text_gnuplot(f, safe);
}

/* Text at a place in pixels from the upper left corner, smaller if it would be longer than the room. */
static void write_label(FILE *f, const style_page *p, int x, int y, const char *text, double size, int room)
{
    const double length = LETTER / FONT * symbols_width(text);
    int width, height;
    style_size(p, &width, &height);
    fputs("set label ", f);
    style_text(f, text);
    fprintf(f, " at screen %.5f, screen %.5f left font sprintf(',%%g', %g*pixel)\n", (double)x / width,
            1 - (double)y / height, fmin(size, room / length));
}

static void write_caption(FILE *f, const style_page *p)
{
    char text[TEXT], line[512];
    int width, height, y;
    style_size(p, &width, &height);
    y = height - caption_lines(p) * LINE - AIR + LINE / 2;
    symbols_of(text, sizeof text, p->caption != NULL ? p->caption : "");
    for (const char *at = text; *at != '\0'; y += LINE) {
        const char *end = line_end(at, caption_width(p));
        snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
        write_label(f, p, AIR, y, line, FONT, page_width(p) - 2 * AIR);
        while (*end == ' ') end++;
        at = end;
    }
}

/* Panels ---------------------------------------------------------------------------------------------------------- */

void style_begin(FILE *f, const style_page *p)
{
    fputs("set encoding utf8\nset minussign\nset multiplot\n"
          "set grid lt 1 lw 0.5 lc rgb '#dcdcdc'\nset border 31 lw 1 lc rgb '#303030'\nset tics in scale 0.6,0.3\n"
          "unset key\n",
          f);
    if (p->title != NULL) write_label(f, p, AIR, AIR + LINE / 2, p->title, 16, page_width(p) - 2 * AIR);
    write_caption(f, p);
}

void style_panel(FILE *f, const style_page *p, int at, const char *title)
{
    const int left = at % across(p) * cell_width(p) + LEFT;
    const int head = page_head(p) + at / across(p) * cell_height(p), top = head + cell_head(p);
    char text[256];
    int width, height;
    style_size(p, &width, &height);
    if (at > 0) fputs("unset label\n", f); /* the page's, which appear once */
    fprintf(f, "set lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin at screen %.5f\n",
            (double)left / width, (double)(left + frame_width(p)) / width, 1 - (double)top / height);
    fprintf(f, "set bmargin at screen %.5f\n", 1 - (double)(top + frame_height(p)) / height);
    fputs("unset logscale\nset autoscale\nset offsets 0, 0, 0, 0\nset xtics norotate autofreq\n"
          "set ytics autofreq\nset mxtics default\nset format '%g'\nunset object\nunset arrow\n",
          f);
    if (!p->plain) {
        if (p->panels > 1) {
            snprintf(text, sizeof text, "(%c) %s", 'a' + at % 26, title);
        } else {
            snprintf(text, sizeof text, "%s", title);
        }
        write_label(f, p, left, head + AIR + LINE / 2 - 2, text, FONT, cell_width(p) - LEFT - AIR);
    }
}

void style_end(FILE *f)
{
    fputs("unset multiplot\n", f);
}

/* Axes ------------------------------------------------------------------------------------------------------------ */

void style_axis(FILE *f, char axis, const char *label, int logarithmic)
{
    fprintf(f, "set %clabel ", axis);
    style_text(f, label);
    fprintf(f, "\n%s logscale %c\n", logarithmic ? "set" : "unset", axis);
    fprintf(f, logarithmic ? "set format %c '10^{%%L}'\n" : "set format %c '%%g'\n", axis);
}

void style_range(FILE *f, char axis, double low, double high)
{
    fprintf(f, "set %crange [%.17g:%.17g]\n", axis, low, high);
}

void style_equal(const style_page *p, double *low, double *high)
{
    const double shape = (double)frame_width(p) / frame_height(p);
    const double half = 0.53 * fmax(high[1] - low[1], (high[0] - low[0]) / shape);
    for (int i = 0; i < 2; i++) {
        const double middle = (low[i] + high[i]) / 2, reach = fmax(i == 0 ? shape * half : half, 1e-6);
        low[i] = middle - reach;
        high[i] = middle + reach;
    }
}

void style_palette(FILE *f, int logarithmic)
{
    fputs("set palette defined (0 '#00224e', 1 '#2a3f6d', 2 '#575d6d', 3 '#7d7c78', 4 '#a59c74', 5 '#d2c060', "
          "6 '#fee838')\nset cblabel ''\n",
          f);
    if (logarithmic) fputs("set logscale cb\nset format cb '10^{%L}'\n", f);
}

/* Curves ---------------------------------------------------------------------------------------------------------- */

/* Colours that colour-blind readers can distinguish (Okabe and Ito without the pale yellow; four others). */
static const char *const colours[STYLE_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#000000", "#cc79a7", "#56b4e9",
                                                   "#b87800", "#882255", "#8a8a8a", "#332288", "#808000"};
enum { COLOURS = STYLE_COLOURS, MARKS = 7 };

static int has_line(style_kind kind)
{
    return kind < STYLE_POINTS || kind == STYLE_LINE_POINTS || kind == STYLE_FILLED;
}

static int has_mark(style_kind kind)
{
    return kind >= STYLE_POINTS;
}

static void write_line(FILE *f, style_kind kind, int k)
{
    const int turn = k / COLOURS % 5; /* how often the colours were used */
    const double width = fmax(2 - 0.2 * (k % COLOURS), 1.2);
    if (kind == STYLE_GUIDE) {
        fputs("lw 1.4 dt (4,4) lc rgb '#606060' ", f);
    } else if (kind == STYLE_FLOOR) {
        fputs("lw 4 dt 1 lc rgb '#d8d8d8' ", f);
    } else if (kind == STYLE_DASHED) {
        fprintf(f, "lw %g dt (%d,3%s) lc rgb '%s' ", fmax(width, 1.6), 6 + 3 * (k % 3), turn > 0 ? ",2,3" : "",
                colours[k % COLOURS]);
    } else {
        fprintf(f, "lw %g dt %d lc rgb '%s' ", width, 1 + turn, colours[k % COLOURS]);
    }
}

static void write_mark(FILE *f, style_kind kind, int k)
{
    static const int open[] = {6, 4, 8, 12, 10, 14, 2}, filled[] = {7, 5, 9, 13, 11, 15, 3};
    const int turn = k / COLOURS, form = (k + turn) % MARKS;
    const double size = kind == STYLE_POINTS ? 1.1
                        : kind == STYLE_DOTS ? 0.4
                                             : fmax(1.5 - 0.12 * (k % COLOURS), 0.9) * (turn > 0 ? 1.5 : 1);
    const int is_open = kind == STYLE_LINE_POINTS || kind == STYLE_MARKS;
    fprintf(f, "pt %d ps %g*mark ", kind == STYLE_DOTS ? 7 : is_open ? open[form] : filled[form], size);
}

void style_curve(FILE *f, style_kind kind, int k)
{
    if (kind == STYLE_MAP || kind == STYLE_CLOUD) {
        fputs(kind == STYLE_MAP ? "with image pixels " : "with points pt 7 ps 0.6 palette ", f);
        return;
    }
    fprintf(f, "with %s ", !has_mark(kind) ? "lines" : has_line(kind) ? "linespoints" : "points");
    if (has_line(kind)) write_line(f, kind, k);
    if (has_mark(kind)) write_mark(f, kind, k);
    if (!has_line(kind)) fprintf(f, "lw 1.5 lc rgb '%s' ", colours[k % COLOURS]);
}

void style_entry(FILE *f, const style_page *p, int at, int i, style_kind kind, int k, const char *label)
{
    const int rows = legend_rows(p), row = at / across(p), column = at % across(p);
    const int left = (p->shared ? 0 : column * cell_width(p)) + LEFT + i / rows * entry_width(p);
    const int top = p->shared ? (p->title != NULL ? AIR + LINE : 0) + AIR
                              : page_head(p) + row * cell_height(p) + AIR + title_room(p);
    const int y = top + i % rows * LINE + LINE / 2;
    int width, height;
    style_size(p, &width, &height);
    if (has_line(kind)) {
        fprintf(f, "set arrow from screen %.5f, screen %.5f to screen %.5f, screen %.5f nohead ", (double)left / width,
                1 - (double)y / height, (double)(left + SAMPLE) / width, 1 - (double)y / height);
        write_line(f, kind, k);
        fputc('\n', f);
    }
    if (has_mark(kind)) {
        fprintf(f, "set label '' at screen %.5f, screen %.5f point ", (left + 0.5 * SAMPLE) / width,
                1 - (double)y / height);
        write_mark(f, kind, k);
        fprintf(f, "lw 1.5 lc rgb '%s'\n", colours[k % COLOURS]);
    }
    write_label(f, p, left + SAMPLE + 8, y, label, FONT, legend_width(p) - SAMPLE - 8);
}
