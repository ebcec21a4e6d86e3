/* SPDX-License-Identifier: BSD-3-Clause */
/* Output on a terminal: its width, and colours. To files and pipes the tool writes plain lines. */
#ifndef LIEGRP_CLI_TERMINAL_H
#define LIEGRP_CLI_TERMINAL_H

#include <stdio.h>

/* Columns of the terminal that f writes to; 0: it writes to no terminal, or nobody knows. */
int cli_width(FILE *f);

/* What a text is. */
typedef enum { CLI_PLAIN, CLI_TITLE, CLI_ERROR, CLI_WARNING } cli_ink;
/* The sequence that begins a text of this kind, CLI_PLAIN that which ends it; "" without colours. Colours are for
 * terminals, unless NO_COLOR is set; CLICOLOR_FORCE=1 asks for them anywhere. `liegrp --color WHEN` sets these. */
const char *cli_coloured(FILE *f, cli_ink ink);

/* The beginning of a message: `words` and a colon, in the colours of `ink`, and a blank. */
void cli_mark(FILE *f, cli_ink ink, const char *words);

/* Columns of the first `length` bytes of a text: of UTF-8, those that begin a character. */
int cli_columns(const char *text, size_t length);

/* Prints a text whose lines are at most `width` columns wide where words allow; lines after the first begin with
 * `indent` blanks, and the first is `at` columns wide already. Empty lines separate paragraphs. Words between
 * backquotes keep them. */
void cli_wrap(FILE *f, const char *text, int at, int indent, int width);

#endif
