/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of a command, from which `--help`, the page of the manual and completion are made. */
#ifndef LIEGRP_CLI_MANUAL_H
#define LIEGRP_CLI_MANUAL_H

#include <stdio.h>

#include "cli/lib/options.h"

/* A name and its description. A list ends with a NULL name. */
typedef struct cli_item {
    const char *name, *text;
} cli_item;

/* Item i of a list; the item after the last has a NULL name. */
typedef cli_item (*cli_list_at)(int i);

/* Texts are paragraphs of any length, separated by an empty line; words to type are between `backquotes`. */
typedef struct cli_manual {
    const char *command;       /* "run"; "": the tool itself */
    const char *summary;       /* in a line */
    const char *usage;         /* "liegrp run SYSTEM [OPTION...]", a line each */
    const char *text;          /* description */
    cli_list_at shown;         /* a list below the text; NULL: none */
    const cli_option *options; /* `--help` is added to them */
    const char *notes;         /* after the options; NULL: none */
    const cli_item *exits;     /* exit statuses */
    const char *examples;      /* command lines, a line each */
    cli_list_at words;         /* the arguments without dashes that are allowed; NULL: none */
    int files;                 /* 1: or the name of a file */
    int many;                  /* 1: several of them */
    int common;                /* how many options, the first, -h shows; 0: all */
} cli_manual;

/* Names in a column behind `before`, and their texts, within `width`. */
void cli_write_items(FILE *to, cli_list_at list, const char *before, int width);
/* Prints it as the answer to --help; cli_print_help() returns the exit status. */
void cli_write_help(const cli_manual *m, FILE *to);
int cli_print_help(const cli_manual *m);
/* The answer to -h: the first paragraph and the common options. */
int cli_print_brief(const cli_manual *m);
/* Prints it as a page for man(1), in roff. The names of the other commands' pages, SEE ALSO, are `others`. */
void cli_print_page(const cli_manual *m, cli_list_at others);

#endif
