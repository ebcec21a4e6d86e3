/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp figure: a figure of the literature or of this project, as data and as a picture. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/figures/figures.h"
#include "cli/lib/gnuplot.h"
#include "cli/lib/options.h"
#include "cli/lib/origin.h"
#include "cli/lib/print.h"
#include "cli/lib/progress.h"
#include "cli/lib/symbols.h"

enum { O_OUTPUT, O_CAPTION, O_WIDTH, O_FONT, O_NO_PROVENANCE, O_QUIET, O_COUNT };

static const cli_option options[] = {
    [O_OUTPUT] = {"output", "FILE",
                  "writes .png, .svg, .pdf (by gnuplot) or .csv (the data); repeatable; default NAME.png and "
                  "NAME.csv"},
    [O_CAPTION] = {"caption", NULL, "puts the caption into the picture, below the panels; it is printed in any case"},
    [O_WIDTH] =
        {"width", "MM",
         "makes pictures as wide as a column of a journal, with letters of 9 points and in PNG 300 pixels an inch; "
         "panels that have no room beside each other stand one below the other"},
    [O_FONT] = {"font", "POINTS", "sets the size of letters; lines and marks follow it"},
    [O_NO_PROVENANCE] = CLI_NO_PROVENANCE_OPTION,
    [O_QUIET] = {"quiet", NULL, "prints neither the caption (standard output) nor the names of the files"},
    [O_COUNT] = {NULL, NULL, NULL},
};

enum { FILES = 8 };

typedef struct job {
    const figure *chosen;
    const char *files[FILES];
    char picture[64], data[64]; /* the default names */
    int count, caption, quiet, anonymous;
    double width, font; /* mm, points; 0: not given */
    cli_words words;
} job;

static const cli_item exits[] = {
    {"0", "success"},
    {"2", "wrong use, or a file that cannot be written"},
    {"3", "the computation failed"},
    {NULL, NULL},
};

const cli_manual cli_figure_manual = {
    .command = "figure",
    .summary = "draws a figure of the literature or of this project, as data and as a picture",
    .usage = "liegrp figure NAME [OPTION...]",
    .text =
        "Draws a figure of the literature (000: Ferraro and others 2008, 001: Cortes and Martinez 2001, 002: Ferraro "
        "and others 2015, 003: Fedorov and Zenkov 2005, 004: Bloch and others 2005), or one of this project:",
    .shown = figure_item,
    .options = options,
    .exits = exits,
    .examples = "liegrp figure 000-5 --output sleigh.pdf",
    .words = figure_item,
};

/* The command line ------------------------------------------------------------------------------------------------ */

static int ends_in(const char *file, const char *end)
{
    const size_t length = strlen(file), tail = strlen(end);
    return length > tail && strcmp(file + length - tail, end) == 0;
}

static int choose(job *j, const char *name)
{
    enum { MOST = 64 };
    const char *names[MOST] = {NULL};
    if (j->chosen != NULL) return cli_wrong("figure", "unexpected argument '%s': one figure at a time", name);
    j->chosen = figure_find(name);
    if (j->chosen != NULL) return CLI_WELL;
    for (int i = 0; i < MOST - 1 && figure_at(i) != NULL; i++) names[i] = figure_at(i)->name;
    return cli_unknown("figure", "figure", name, names);
}

static int add_file(job *j, const char *file)
{
    if (!ends_in(file, ".csv") && !cli_plot_knows(file))
        return cli_wrong("figure", "--output %s: the name must end in .png, .svg, .pdf or .csv", file);
    if (j->count == FILES) return cli_wrong("figure", "at most %d files at a time", FILES);
    j->files[j->count++] = file;
    return CLI_WELL;
}

static int measure(double *value, const char *option, const char *unit, double least, double most, const char *text)
{
    if (cli_number(text, value) && *value >= least && *value <= most) return CLI_WELL;
    return cli_wrong("figure", "%s %s: expected a number from %g to %g (%s)", option, text, least, most, unit);
}

static int settle_files(const job *j)
{
    cli_named_file files[FILES];
    int status;
    for (int i = 0; i < j->count; i++) files[i] = (cli_named_file){"--output", j->files[i]};
    status = cli_files_differ("figure", files, j->count);
    for (int i = 0; status == CLI_WELL && i < j->count; i++) status = cli_file_possible("figure", j->files[i]);
    return status;
}

static int prepare(job *j, int argc, char **argv)
{
    cli_parser p = cli_begin("figure", options, argc, argv);
    int status = CLI_WELL;
    j->words = (cli_words){argc, argv, NULL, 0};
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_HELP) return CLI_HELP;
        if (found == CLI_BAD) return CLI_WRONG_USE;
        if (found == CLI_WORD) status = choose(j, p.value);
        if (found == O_OUTPUT) status = add_file(j, p.value);
        if (found == O_CAPTION) j->caption = 1;
        if (found == O_WIDTH) status = measure(&j->width, "--width", "mm", 20, 1000, p.value);
        if (found == O_FONT) status = measure(&j->font, "--font", "points", 3, 60, p.value);
        if (found == O_NO_PROVENANCE) j->anonymous = 1;
        if (found == O_QUIET) j->quiet = 1;
    }
    if (status != CLI_WELL) return status;
    if (j->chosen == NULL) return cli_wrong("figure", "no figure is given; see liegrp list figures");
    if (j->count > 0) return settle_files(j);
    snprintf(j->picture, sizeof j->picture, "%s.png", j->chosen->name);
    snprintf(j->data, sizeof j->data, "%s.csv", j->chosen->name);
    status = add_file(j, j->picture);
    if (status == CLI_WELL) status = add_file(j, j->data);
    return status == CLI_WELL ? settle_files(j) : status;
}

/* Files ----------------------------------------------------------------------------------------------------------- */

static int write_file(const job *j, const sheet *s, const char *file)
{
    if (ends_in(file, ".csv"))
        return cli_file_write_table("figure", file, j->anonymous ? NULL : &j->words, sheet_write_csv, s);
    return cli_gnuplot("figure", file, s);
}

/* Reports an error in the computation of the figure. */
static int complain(const claim_report *r)
{
    for (int i = 0; i < r->count; i++) {
        if (r->measures[i].trouble[0] == '\0') continue;
        cli_print(stderr, "liegrp figure: %s: %s\n", r->measures[i].system, r->measures[i].trouble);
        return CLI_NUMERICS;
    }
    fprintf(stderr, "liegrp figure: out of memory\n");
    return CLI_WRONG_USE;
}

static int settle_page(const job *j, sheet *s)
{
    style_page *page = sheet_page(s);
    page->print = j->width, page->font = j->font > 0 || j->width <= 0 ? j->font : 9;
    const double least = sheet_least_width(s);
    if (least <= 0) return CLI_WELL;
    return cli_wrong("figure",
                     "--width %g: too narrow for %s with letters of %g points; take at least %g mm, or a smaller "
                     "--font",
                     j->width, j->chosen->name, page->font, least);
}

/* What is computed, on a terminal after a second. */
typedef struct progress {
    const char *name;
    double began;
    int drawn;
} progress;

static void show_series(void *context, const char *label)
{
    progress *p = context;
    char text[80];
    snprintf(text, sizeof text, "%s: %s", p->name, label[0] != '\0' ? label : "...");
    cli_tick(&p->drawn, text, cli_now() - p->began);
}

static int draw(const job *j)
{
    claim_report r = {0};
    char caption[1200], shown[2 * sizeof caption];
    progress p = {j->chosen->name, cli_now(), 0};
    sheet *s = figure_draw(j->chosen, &r, j->quiet ? NULL : show_series, &p);
    int status = CLI_WELL;
    cli_erase_bar(p.drawn);
    if (s == NULL) return cli_wrong("figure", "out of memory");
    snprintf(caption, sizeof caption, "%s. %s", j->chosen->title, j->chosen->caption);
    symbols_of(shown, sizeof shown, caption);
    if (j->caption) sheet_page(s)->caption = shown;
    status = settle_page(j, s);
    if (status == CLI_WELL && (r.count > 0 || !sheet_complete(s))) status = complain(&r);
    for (int i = 0; status == CLI_WELL && i < j->count; i++) status = write_file(j, s, j->files[i]);
    if (status == CLI_WELL && !j->quiet) {
        puts(shown);
        for (int i = 0; i < j->count; i++) cli_print(stderr, "%s%s", i > 0 ? ", " : "written: ", j->files[i]);
        fputc('\n', stderr);
    }
    claim_report_free(&r);
    sheet_end(s);
    return cli_flush("figure", status);
}

int cli_figure(int argc, char **argv)
{
    job j = {0};
    const int status = prepare(&j, argc, argv);
    if (status == CLI_HELP) return cli_print_help(&cli_figure_manual);
    return status == CLI_WELL ? draw(&j) : status;
}
