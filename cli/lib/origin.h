/* SPDX-License-Identifier: BSD-3-Clause */
/* Where rows come from: the words of the command line that make them go into their provenance, and --from makes them
 * again. */
#ifndef LIEGRP_CLI_ORIGIN_H
#define LIEGRP_CLI_ORIGIN_H

#include <stddef.h>

#include "cli/lib/options.h"
#include "cli/lib/system.h"
#include "run/provenance.h"

/* Their texts for --help, the same in all commands. */
#define CLI_FROM_OPTION                                                                                                \
    {                                                                                                                  \
        "from", "FILE", "instead of a SYSTEM and its options: computes the rows of FILE again, byte for byte"          \
    }
#define CLI_ALLOW_OPTION                                                                                               \
    {                                                                                                                  \
        "allow", "FILE", "with --from: this input of the recorded run may be read, or run as code; repeatable"         \
    }
#define CLI_NO_PROVENANCE_OPTION                                                                                       \
    {                                                                                                                  \
        "no-provenance", NULL, "stores no provenance of the rows, neither in --output nor in its sidecar"              \
    }

/* Kinds of options of a command: those that do not change its rows, which are allowed with --from, and those whose
 * values may be files. Options are numbers in the command's table; the list `idle` ends with -1. */
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
    char **argv;          /* NULL: unchanged */
    char **words;         /* that make the rows; the last is NULL */
    int count;            /* of these */
    const char **allowed; /* values of --allow */
    int allowed_count;
    char **inputs;      /* files that are read; the last is NULL */
    int input_count;    /* of these */
    char *beside;       /* name of the sidecar file with the provenance; NULL: none */
    char message[1024]; /* why the rows of --from cannot be made */
} cli_origin;

/* Replaces --from FILE, if it is given, with the words that the provenance of FILE records. CLI_WELL, or CLI_WRONG_USE
 * after a message; free it in either case. */
int cli_origin_begin(cli_origin *o, const cli_origin_kind *kind, int *argc, char ***argv);
/* Keeps the words of the command line that make the rows of the system of this name, and the files that are read.
 * CLI_WELL, or CLI_WRONG_USE. */
int cli_origin_record(cli_origin *o, int argc, char **argv, const cli_system *S, const char *name, const char *output);
/* lg_provenance_reader with a cli_origin: refuses a provenance that differs from that of --from, with a message. */
int cli_origin_check(const char *text, void *context);
void cli_origin_free(cli_origin *o);

/* ---- origin_read.c ---- */

/* The provenance of a file, to be freed: inside an NPZ or HDF5 file, in the sidecar of another one, or the file itself.
 * NULL: the reason has been printed. */
char *cli_origin_read(const char *command, const char *file);
/* Name of a file's sidecar, to be freed: its name, after all links, and ".json". NULL: out of memory, or no such place.
 */
char *cli_origin_beside(const char *file);

/* ---- origin_trust.c ---- */

/* Checks the line that --from made, whose words from number `first` on come from the provenance: they only make rows,
 * the command line allows every file that is read, and the files have not changed. No file is opened before that.
 * CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_origin_trust(cli_origin *o, int first);

/* ---- origin_json.c ---- */

/* Parses the text as cJSON; NULL: the reason has been printed. */
void *cli_origin_parse(const char *command, const char *file, const char *text);
void cli_origin_forget(void *json);
/* The first reason why this program cannot compute equal rows, in `why`; 0: no reason is known. */
int cli_origin_differs(const void *json, const char *command, const char *file, char *why, size_t room);
/* The FILE of --control NAME=FILE or --motion NAME=FILE; NULL: a number, or another option. */
const char *cli_origin_table(const cli_origin *o, int option, const char *value);
/* The name of input i; NULL: no more. */
const char *cli_origin_input(const void *json, int i);
/* As cli_origin_differs(), of the inputs, which are read. */
int cli_origin_inputs_differ(const void *json, const char *file, char *why, size_t room);
/* The words that make the rows, to be freed with each of them; NULL: the reason is in `why`. */
char **cli_origin_words(const void *json, const char *file, int *count, char *why, size_t room);
/* The format of the rows: "csv", ...; NULL: none. */
const char *cli_origin_format(const void *json);
/* 1: it records the words; 0: it was made by another program. */
int cli_origin_has_words(const void *json);
/* Where the text differs from this run's; 0: nowhere. */
int cli_origin_compare(const void *json, const char *file, const char *text, char *why, size_t room);

#endif
