/* SPDX-License-Identifier: BSD-3-Clause */
/* A report as text, in columns as wide as their contents, and as JSON. */
#include <math.h>
#include <string.h>

#include <liegrp/base/version.h>

#include "benchmarks/suite/report_private.h"

static const bench_table_of *table_at(const bench_report *r, long i)
{
    return (const bench_table_of *)r->tables.items + i;
}

static const bench_column_of *column_at(const bench_report *r, long i)
{
    return (const bench_column_of *)r->columns.items + i;
}

static long columns_of(const bench_report *r, long i)
{
    return (i + 1 < r->tables.count ? table_at(r, i + 1)->column : r->columns.count) - table_at(r, i)->column;
}

static long last_row(const bench_report *r, long i)
{
    return i + 1 < r->tables.count ? table_at(r, i + 1)->row : r->rows.count;
}

/* Cell `column` of a row; NULL: the row is shorter. */
static const bench_cell *cell_at(const bench_report *r, long row, long column)
{
    const long *first = r->rows.items, end = row + 1 < r->rows.count ? first[row + 1] : r->cells.count;
    return first[row] + column < end ? (const bench_cell *)r->cells.items + first[row] + column : NULL;
}

/* Text ------------------------------------------------------------------------------------------------------ */

enum { CELL = 128 };

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void print_number(char *out, const char *format, double value)
{
    snprintf(out, CELL, format, value);
}
#pragma GCC diagnostic pop

static void print_cell(char *out, const bench_column_of *column, const bench_cell *c)
{
    if (c == NULL || (c->kind != BENCH_CELL_TEXT && isnan(c->value))) {
        snprintf(out, CELL, "-");
    } else if (c->kind == BENCH_CELL_TEXT) {
        snprintf(out, CELL, "%s", c->text);
    } else {
        print_number(out, column->format, c->value);
    }
}

/* Text is aligned to the left, numbers to the right. */
static void put(FILE *f, const char *text, int width, int left, int first)
{
    fputs(first ? "" : "  ", f);
    fprintf(f, left ? "%-*s" : "%*s", width, text);
}

static void print_table(const bench_report *r, long i, FILE *f)
{
    enum { MOST = 32 };
    const bench_table_of *t = table_at(r, i);
    const long columns = columns_of(r, i) < MOST ? columns_of(r, i) : MOST, rows = last_row(r, i);
    int width[MOST], left[MOST] = {0};
    char text[CELL];
    for (long k = 0; k < columns; k++) {
        width[k] = (int)strlen(column_at(r, t->column + k)->name);
        for (long row = t->row; row < rows; row++) {
            const bench_cell *c = cell_at(r, row, k);
            print_cell(text, column_at(r, t->column + k), c);
            if ((int)strlen(text) > width[k]) width[k] = (int)strlen(text);
            left[k] |= c != NULL && c->kind == BENCH_CELL_TEXT;
        }
    }
    fprintf(f, "\n%s\n", t->title);
    for (long k = 0; k < columns; k++) put(f, column_at(r, t->column + k)->name, width[k], left[k], k == 0);
    for (long row = t->row; row < rows; row++) {
        fputc('\n', f);
        for (long k = 0; k < columns; k++) {
            print_cell(text, column_at(r, t->column + k), cell_at(r, row, k));
            put(f, text, k + 1 < columns || !left[k] ? width[k] : 0, left[k], k == 0);
        }
    }
    fputc('\n', f);
}

void bench_report_print(const bench_report *r, FILE *f)
{
    const bench_machine *m = &r->machine;
    fprintf(f, "%s: %s, %s%s%s; processor time, medians of %d rounds after %d of warm-up%s%s\n", r->name, m->processor,
            m->compiler, m->flags[0] != '\0' ? " " : "", m->flags, r->rounds, r->warm,
            r->pinned >= 0 ? ", on one processor" : "", r->quick ? "; --quick: the figures are not meaningful" : "");
    for (long i = 0; i < r->tables.count; i++) print_table(r, i, f);
    if (r->sentences.count > 0) fputc('\n', f);
    for (long i = 0; i < r->sentences.count; i++)
        fprintf(f, "%s\n", ((const bench_sentence *)r->sentences.items + i)->text);
}

/* Markdown --------------------------------------------------------------------------------------------------------- */

static void markdown_table(const bench_report *r, long i, FILE *f)
{
    const bench_table_of *t = table_at(r, i);
    const long columns = columns_of(r, i);
    char text[CELL];
    fprintf(f, "\n%s\n\n|", t->title);
    for (long k = 0; k < columns; k++) fprintf(f, " %s |", column_at(r, t->column + k)->name);
    fputs("\n|", f);
    for (long k = 0; k < columns; k++) fputs("---|", f);
    for (long row = t->row; row < last_row(r, i); row++) {
        fputs("\n|", f);
        for (long k = 0; k < columns; k++) {
            print_cell(text, column_at(r, t->column + k), cell_at(r, row, k));
            fprintf(f, " %s |", text);
        }
    }
    fputc('\n', f);
}

void bench_report_markdown(const bench_report *r, FILE *f)
{
    const bench_machine *m = &r->machine;
    fprintf(f, "%s, %s %s, %d lanes\n", m->processor, m->compiler, m->flags, m->width);
    for (long i = 0; i < r->tables.count; i++) markdown_table(r, i, f);
    fputc('\n', f);
    for (long i = 0; i < r->sentences.count; i++)
        fprintf(f, "- %s\n", ((const bench_sentence *)r->sentences.items + i)->text);
}

/* JSON ------------------------------------------------------------------------------------------------------------ */

static void json_string(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s != '\0'; s++) {
        if (*s == '"' || *s == '\\') fputc('\\', f);
        if ((unsigned char)*s >= ' ') fputc(*s, f);
    }
    fputc('"', f);
}

static void json_number(FILE *f, double value)
{
    if (isfinite(value)) {
        fprintf(f, "%.6g", value);
    } else {
        fputs("null", f);
    }
}

static void json_cell(FILE *f, const bench_cell *c)
{
    if (c->kind == BENCH_CELL_TEXT) {
        json_string(f, c->text);
    } else if (c->kind == BENCH_CELL_NUMBER) {
        json_number(f, c->value);
    } else {
        fputs("{\"median\": ", f), json_number(f, c->value);
        fputs(", \"first_quartile\": ", f), json_number(f, c->first);
        fputs(", \"third_quartile\": ", f), json_number(f, c->third);
        fputc('}', f);
    }
}

static void json_table(const bench_report *r, long i, FILE *f)
{
    const bench_table_of *t = table_at(r, i);
    fputs("  {\"name\": ", f), json_string(f, t->name);
    fputs(", \"title\": ", f), json_string(f, t->title);
    fputs(", \"rows\": [", f);
    for (long row = t->row; row < last_row(r, i); row++) {
        fprintf(f, "%s\n   {", row > t->row ? "," : "");
        for (long k = 0; k < columns_of(r, i) && cell_at(r, row, k) != NULL; k++) {
            fputs(k > 0 ? ", " : "", f);
            json_string(f, column_at(r, t->column + k)->name);
            fputs(": ", f);
            json_cell(f, cell_at(r, row, k));
        }
        fputc('}', f);
    }
    fputs("]}", f);
}

static void json_machine(const bench_report *r, FILE *f)
{
    const bench_machine *m = &r->machine;
    fputs("{\"benchmark\": ", f), json_string(f, r->name);
    fputs(",\n \"machine\": {\"processor\": ", f), json_string(f, m->processor);
    fputs(", \"system\": ", f), json_string(f, m->system);
    fprintf(f, ", \"processors\": %d, \"width\": %d, \"compiler\": ", m->processors, m->width);
    json_string(f, m->compiler);
    fputs(", \"flags\": ", f), json_string(f, m->flags);
    fputs("},\n \"versions\": {\"liegrp\": ", f), json_string(f, lg_version());
    for (long i = 0; i < r->versions.count; i++) {
        const bench_version *v = (const bench_version *)r->versions.items + i;
        fputs(", ", f), json_string(f, v->what);
        fputs(": ", f), json_string(f, v->version);
    }
    fprintf(f,
            "},\n \"protocol\": {\"clock\": \"processor time of the thread\", \"rounds\": %d, \"warm_up\": %d, "
            "\"pinned\": %s, \"quick\": %s},\n",
            r->rounds, r->warm, r->pinned >= 0 ? "true" : "false", r->quick ? "true" : "false");
}

void bench_report_json(const bench_report *r, FILE *f)
{
    int written = 0;
    json_machine(r, f);
    fputs(" \"tables\": [\n", f);
    for (long i = 0; i < r->tables.count; i++) {
        fputs(i > 0 ? ",\n" : "", f);
        json_table(r, i, f);
    }
    fputs("],\n \"figures\": {", f);
    for (long i = 0; i < r->sentences.count; i++) {
        const bench_sentence *s = (const bench_sentence *)r->sentences.items + i;
        if (s->name[0] == '\0') continue;
        fputs(written++ > 0 ? ", " : "", f);
        json_string(f, s->name);
        fputs(": ", f), json_number(f, s->value);
    }
    fputs("},\n \"summary\": [", f);
    for (long i = 0; i < r->sentences.count; i++) {
        fputs(i > 0 ? ",\n  " : "\n  ", f);
        json_string(f, ((const bench_sentence *)r->sentences.items + i)->text);
    }
    fputs("]}\n", f);
}
