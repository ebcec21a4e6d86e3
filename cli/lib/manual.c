/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "cli/lib/terminal.h"

enum { WIDTH = 100, OPTION = 26 }; /* columns: of lines, and of an option with its value */
static const char HELP_TEXT[] = "prints this text"; /* of the option that every command has */

/* --help ---------------------------------------------------------------------------------------------------------- */

/* Columns of a line: those of a narrow terminal. */
static int width_of(FILE *to)
{
    const int width = cli_width(to);
    return width >= 40 && width < WIDTH ? width : WIDTH;
}

static void print_wrapped(FILE *to, const char *text)
{
    cli_wrap(to, text, 0, 0, width_of(to));
}

void cli_write_items(FILE *to, cli_list_at list, const char *before, int width)
{
    int longest = 0;
    for (int i = 0; list(i).name != NULL; i++) {
        const int length = (int)strlen(list(i).name);
        if (length > longest) longest = length;
    }
    const int indent = (int)strlen(before) + longest + 2;
    for (int i = 0; list(i).name != NULL; i++) {
        const cli_item item = list(i);
        fprintf(to, "%s%s%-*s", before, cli_coloured(to, CLI_TITLE), longest, item.name);
        fprintf(to, "%s  ", cli_coloured(to, CLI_PLAIN));
        cli_wrap(to, item.text, indent, indent, width);
    }
}

static void print_option(FILE *to, const cli_option *o)
{
    char left[64];
    const char *blank = o->value != NULL ? " " : "", *value = o->value != NULL ? o->value : "";
    const int length = snprintf(left, sizeof left, "--%s%s%s", o->name, blank, value);
    fprintf(to, "  %s%-*s%s  ", cli_coloured(to, CLI_TITLE), OPTION, left, cli_coloured(to, CLI_PLAIN));
    cli_wrap(to, o->help, (length > OPTION ? length : OPTION) + 4, OPTION + 4, width_of(to));
}

/* The first `most` options, 0: all. */
static void print_options(FILE *to, const cli_option *options, int most)
{
    const cli_option help = {"help", NULL, HELP_TEXT};
    for (const cli_option *o = options; o->name != NULL && (most == 0 || o < options + most); o++) print_option(to, o);
    if (most == 0) print_option(to, &help);
}

static void print_exits(FILE *to, const cli_item *exits)
{
    char text[1024] = "Exit status:";
    for (const cli_item *e = exits; e->name != NULL; e++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %s %s%s", e->name, e->text, e[1].name != NULL ? ";" : ".");
    }
    print_wrapped(to, text);
}

/* Command lines, indented if there are several. */
static void print_lines(FILE *to, const char *one, const char *several, const char *lines)
{
    const int many = strchr(lines, '\n') != NULL;
    fprintf(to, "%s%s", cli_coloured(to, CLI_TITLE), many ? several : one);
    fprintf(to, "%s%s", cli_coloured(to, CLI_PLAIN), many ? "\n" : " ");
    for (; *lines != '\0'; lines += *lines == '\n') {
        const int length = (int)strcspn(lines, "\n");
        fprintf(to, "%s%.*s\n", many ? "  " : "", length, lines);
        lines += length;
    }
}

void cli_write_help(const cli_manual *m, FILE *to)
{
    print_lines(to, "usage:", "usage:", m->usage);
    fputc('\n', to);
    print_wrapped(to, m->text);
    fputc('\n', to);
    if (m->shown != NULL) {
        cli_write_items(to, m->shown, "  ", width_of(to));
        fputc('\n', to);
    }
    print_options(to, m->options, 0);
    fputc('\n', to);
    if (m->notes != NULL) {
        print_wrapped(to, m->notes);
        fputc('\n', to);
    }
    print_exits(to, m->exits);
    fputc('\n', to);
    print_lines(to, "Example:", "Examples:", m->examples);
}

int cli_print_brief(const cli_manual *m)
{
    const char *end = strstr(m->text, "\n\n");
    char first[512];
    if (m->common == 0) return cli_print_help(m);
    snprintf(first, sizeof first, "%.*s", end != NULL ? (int)(end - m->text) : 500, m->text);
    print_lines(stdout, "usage:", "usage:", m->usage);
    putchar('\n');
    print_wrapped(stdout, first);
    putchar('\n');
    print_options(stdout, m->options, m->common);
    printf("\n`liegrp %s --help` has all options.\n", m->command);
    return cli_flush(m->command, CLI_WELL);
}

int cli_print_help(const cli_manual *m)
{
    cli_write_help(m, stdout);
    return cli_flush(m->command[0] != '\0' ? m->command : "help", CLI_WELL);
}

/* man(1) ---------------------------------------------------------------------------------------------------------- */

/* A character that stands for itself. */
static void put_plain(char c)
{
    if (c == '-')
        fputs("\\-", stdout); /* or a hyphen, which cannot be copied as an option */
    else if (c == '\\')
        fputs("\\e", stdout);
    else if (c == '\'')
        fputs("\\(aq", stdout);
    else if (c == '^')
        fputs("\\(ha", stdout);
    else if (c == '~')
        fputs("\\(ti", stdout);
    else
        putchar(c);
}

/* A text at the beginning of a line, `code` in bold; paragraphs are separated. */
static void put_text(const char *text)
{
    int code = 0;
    if (*text == '.') fputs("\\&", stdout);
    for (; *text != '\0'; text++) {
        if (*text == '`') {
            fputs(code ? "\\fR" : "\\fB", stdout);
            code = !code;
        } else if (strncmp(text, "\n\n", 2) == 0) {
            fputs("\n.PP\n", stdout);
            text++;
        } else {
            put_plain(*text);
        }
    }
    putchar('\n');
}

/* Words to type are bold, placeholders, which are capitals, are italic; a line may break after a bar. */
static void put_usage(const char *text, size_t length)
{
    char font = 'R';
    for (size_t i = 0; i < length; i++) {
        const int c = (unsigned char)text[i];
        const char next = isupper(c) ? 'I' : islower(c) || isdigit(c) || c == '-' || c == '_' ? 'B' : 'R';
        if (next != font) printf("\\f%c", next);
        font = next;
        put_plain(text[i]);
        if (c == '|') fputs("\\:", stdout);
    }
    if (font != 'R') fputs("\\fR", stdout);
}

static void put_item(const char *name, const char *text)
{
    printf(".TP\n\\fB");
    for (; *name != '\0'; name++) put_plain(*name);
    puts("\\fR");
    put_text(text);
}

static void put_options(const cli_option *options)
{
    puts(".SH OPTIONS");
    for (const cli_option *o = options; o->name != NULL; o++) {
        printf(".TP\n\\fB\\-\\-");
        for (const char *c = o->name; *c != '\0'; c++) put_plain(*c);
        fputs("\\fR", stdout);
        if (o->value != NULL) {
            putchar(' ');
            put_usage(o->value, strlen(o->value));
        }
        putchar('\n');
        put_text(o->help);
    }
    put_item("--help", HELP_TEXT);
}

static void put_examples(const char *lines)
{
    puts(".SH EXAMPLES\n.EX");
    for (; *lines != '\0'; lines++) put_plain(*lines);
    puts("\n.EE");
}

/* The name of a command's page. */
static void put_page(const char *command)
{
    fputs("liegrp", stdout);
    if (command[0] != '\0') printf("\\-%s", command);
}

static void put_synopsis(const char *usage)
{
    puts(".SH SYNOPSIS\n.na");
    for (; *usage != '\0'; usage += *usage == '\n') {
        const size_t length = strcspn(usage, "\n");
        put_usage(usage, length);
        usage += length;
        if (*usage != '\0') puts("\n.br");
    }
    puts("\n.ad");
}

static void put_see_also(const cli_manual *m, cli_list_at others)
{
    puts(".SH SEE ALSO");
    if (m->command[0] != '\0') puts(".BR liegrp (1),");
    for (int i = 0, first = 1; others(i).name != NULL; i++) {
        if (strcmp(others(i).name, m->command) == 0) continue;
        if (!first) puts(" (1),");
        first = 0;
        fputs(".BR ", stdout);
        put_page(others(i).name);
    }
    puts(" (1)");
}

void cli_print_page(const cli_manual *m, cli_list_at others)
{
    fputs(".TH liegrp", stdout);
    if (m->command[0] != '\0') printf("\\-%s", m->command);
    printf(" 1 \"\" \"liegrp %s\" \"User Commands\"\n.SH NAME\n", lg_version());
    put_page(m->command);
    fputs(" \\- ", stdout);
    put_text(m->summary);
    put_synopsis(m->usage);
    puts(".SH DESCRIPTION");
    put_text(m->text);
    for (int i = 0; m->shown != NULL && m->shown(i).name != NULL; i++) put_item(m->shown(i).name, m->shown(i).text);
    put_options(m->options);
    if (m->notes != NULL) {
        puts(".SH NOTES");
        put_text(m->notes);
    }
    puts(".SH EXIT STATUS");
    for (const cli_item *e = m->exits; e->name != NULL; e++) put_item(e->name, e->text);
    put_examples(m->examples);
    put_see_also(m, others);
}
