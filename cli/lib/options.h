/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by all subcommands: options, numbers, messages about wrong use. */
#ifndef LIEGRP_CLI_OPTIONS_H
#define LIEGRP_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

/* Exit statuses. */
enum { CLI_WELL = 0, CLI_FAILED = 1, CLI_WRONG_USE = 2, CLI_NUMERICS = 3 };

/* An option `--name` or, if `value` is not NULL, `--name VALUE` or `--name=VALUE`. A value "[a|b]" may be missing: the
 * next argument is the value only if it is one of these words. A table ends with a NULL name. */
typedef struct cli_option {
    const char *name;
    const char *value; /* the placeholder of the value in the help */
    const char *help;
} cli_option;

/* An iterator over the arguments of a subcommand. */
typedef struct cli_parser {
    const char *command; /* "run" */
    const cli_option *options;
    int argc;
    char **argv;
    int at;            /* the next argument */
    int words_only;    /* after `--` */
    const char *value; /* the value of the option found (NULL: it is missing), or the word found */
} cli_parser;

/* Results of cli_next() that are not options. */
enum { CLI_END = -1, CLI_WORD = -2, CLI_HELP = -3, CLI_BAD = -4 };

cli_parser cli_begin(const char *command, const cli_option *options, int argc, char **argv);
/* Index of the next option, or one of the above. CLI_BAD: the message has been printed. */
int cli_next(cli_parser *p);
/* 1: the argument behind the option is its value. */
int cli_takes(const cli_option *o, const char *word);

/* Destinations of the value of an option; NULL: none. A table ends with the option CLI_END. */
typedef struct cli_target {
    int option;
    const char **text; /* the value as given */
    int *flag;         /* 1 */
    int64_t *count;    /* a whole number from low to high; 0, 0: from 0 to 1e15 */
    double *number;    /* a finite number */
    int64_t low, high;
    int nonzero; /* 1: the number is not 0 */
} cli_target;

/* Stores the value, or for CLI_WORD the word, where the table says; options that are not in the table are ignored.
 * CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_put(const char *command, const cli_option *options, const cli_target *targets, int option, const char *value);

/* Prints "liegrp COMMAND: message" and where to find help to standard error; returns CLI_WRONG_USE. */
int cli_wrong(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* cli_wrong() for a name that is not in the list (which ends with NULL); suggests the nearest name. */
int cli_unknown(const char *command, const char *what, const char *word, const char *const *names);
/* The names with commas between them, of a long list the three nearest to the word. Returns how many names a long list
 * has, 0: it is short. */
int cli_nearest(char *list, size_t room, const char *word, const char *const *names);
/* The name in the list that is at most two edits away from the word; NULL: no name is. */
const char *cli_suggestion(const char *word, const char *const *names);

/* The whole text as a finite number; 0: it is not one. */
int cli_number(const char *text, double *value);
/* A number, or an angle in degrees such as 30deg, which becomes one in radians; *degrees is 1 then, else 0. */
int cli_angle(const char *text, double *value, int *degrees);
/* The whole text as an integer in [0, 1e15], "1e6" included; 0: it is not one. */
int cli_count(const char *text, int64_t *value);
/* "X,Y,Z", three finite numbers; 0: it is not. */
int cli_three(const char *text, double *values);
/* NAME=VALUE; 0: it does not have that form. The name is truncated to `room`. */
int cli_assignment(const char *text, char *name, unsigned long room, double *value, int *degrees);

/* Flushes standard output; 2 with a message if that fails, else `status`. */
int cli_flush(const char *command, int status);

#endif
