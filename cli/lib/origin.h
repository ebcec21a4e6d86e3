/* SPDX-License-Identifier: BSD-3-Clause */
/* Where rows come from: the words of the command line that make them go into their provenance, and --from makes them
 * again. */
#ifndef LIEGRP_CLI_ORIGIN_H
#define LIEGRP_CLI_ORIGIN_H

#include <stddef.h>

#include "cli/lib/options.h"
#include "run/provenance.h"

/* Their texts for --help, the same in all commands. */
#define CLI_FROM_OPTION                                                                                                \
    {                                                                                                                  \
        "from", "FILE", "instead of a SYSTEM and its options: makes the rows of FILE again, to the same bytes"         \
    }
#define CLI_ALLOW_OPTION                                                                                               \
    {                                                                                                                  \
        "allow", "FILE", "of --from: this file, which the rows were made with, may be read, or run; repeatable"        \
    }
#define CLI_NO_PROVENANCE_OPTION                                                                                       \
    {                                                                                                                  \
        "no-provenance", NULL, "does not keep the provenance of the rows, in --output or its sidecar"                  \
    }

/* What a command says of its options: those that do not change its rows, which may stand beside --from, and those whose
 * values may be files; numbers in its table, -1 at the end. */
typedef struct cli_origin_kind {
    const char *command;
    const cli_option *options;
    const int *idle;
    int from, allow, output, format, plot, view, control; /* -1: it has no such option */
} cli_origin_kind;

typedef struct cli_origin {
    const cli_origin_kind *kind;
    char *text;           /* the provenance that --from found; NULL: it was not given */
    const char *file;     /* where */
    void *json;           /* of it (cJSON) */
    int argc;             /* the command line, with the words that were found in it */
    char **argv;          /* NULL: as it was given */
    char **words;         /* that make the rows; the last is NULL */
    int count;            /* of these */
    const char **allowed; /* values of --allow */
    int allowed_count;
    char **inputs;      /* files that are read; the last is NULL */
    int input_count;    /* of these */
    char *beside;       /* the file of the provenance that stands beside the rows; NULL: none */
    char message[1024]; /* why the rows of --from cannot be made */
} cli_origin;

/* Takes --from, where it is given, out of a command line, and puts in what its file says. CLI_WELL, or CLI_WRONG_USE
 * after a message; free it in either case. */
int cli_origin_begin(cli_origin *o, const cli_origin_kind *kind, int *argc, char ***argv);
/* Keeps the words of the command line that make the rows, and the files among them. Likewise. */
int cli_origin_record(cli_origin *o, int argc, char **argv, const char *system_file, const char *output);
/* lg_provenance_reader with a cli_origin: refuses what differs from the provenance of --from, with a message. */
int cli_origin_check(const char *text, void *context);
void cli_origin_free(cli_origin *o);

/* ---- origin_read.c ---- */

/* The provenance of a file: of a NPZ or HDF5, beside another one, or the text itself; to be freed. NULL: the reason has
 * been printed. */
char *cli_origin_read(const char *command, const char *file);
/* The text beside a file, to be freed: its name, after all links, and ".json". NULL: out of memory, or no such place.
 */
char *cli_origin_beside(const char *file);

/* ---- origin_trust.c ---- */

/* Of the line that --from made, whose words from number `first` on are the provenance's: do they only make rows, does
 * the command line allow every file that is read, and are these the files of then? Nothing of them is opened before.
 * CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_origin_trust(cli_origin *o, int first);

/* ---- origin_json.c ---- */

/* What the text says, as cJSON; NULL: the reason has been printed. */
void *cli_origin_parse(const char *command, const char *file, const char *text);
void cli_origin_forget(void *json);
/* The first reason why this program cannot make the same rows again, in `why`; 0: none is known. */
int cli_origin_differs(const void *json, const char *command, const char *file, char *why, size_t room);
/* The name of input number i; NULL: there are not so many. */
const char *cli_origin_input(const void *json, int i);
/* As cli_origin_differs(), of the inputs, which are read. */
int cli_origin_inputs_differ(const void *json, const char *file, char *why, size_t room);
/* The words that make the rows, to be freed with each of them; NULL: the reason stands in `why`. */
char **cli_origin_words(const void *json, const char *file, int *count, char *why, size_t room);
/* The format of the rows: "csv", ...; NULL: none. */
const char *cli_origin_format(const void *json);
/* 1: the words stand in it; 0: it was made by another program. */
int cli_origin_has_words(const void *json);
/* Where the text differs from this run's; 0: nowhere. */
int cli_origin_compare(const void *json, const char *file, const char *text, char *why, size_t room);

#endif
