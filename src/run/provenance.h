/* SPDX-License-Identifier: BSD-3-Clause */
/** @file provenance.h
 *  Where rows come from: a JSON object that says everything on which they depend. The same run has the same text, so it
 *  holds no date, and nothing of where the rows go. docs/command-line.md lists its members. */
#ifndef LIEGRP_SRC_RUN_PROVENANCE_H
#define LIEGRP_SRC_RUN_PROVENANCE_H

#include <liegrp/run/run.h>

#include "base/json.h"
#include "base/message.h"

/** Every text begins with this. */
#define LG_PROVENANCE_MARK "{\n  \"liegrp provenance\": 1,"
/** Its name beside a file that has no place for it is the file's with this. */
#define LG_PROVENANCE_SUFFIX ".json"
/** Bytes that such a text has at most where it is read. */
enum { LG_PROVENANCE_MOST = 1 << 26 };

/** What files with attributes have as attributes of their own. */
typedef struct lg_fact {
    const char *name;
    const char *text; /**< NULL: a number */
    double number;
    int whole; /**< 1: a whole one */
} lg_fact;
enum { LG_FACTS = 16 };

typedef struct lg_provenance {
    lg_json json; /**< without its end */
    lg_fact fact[LG_FACTS];
    int facts;
} lg_provenance;

/** What the caller says of itself. */
typedef struct lg_provenance_caller {
    const char *const *arguments; /**< its command line */
    int64_t argument_count;
    const char *const *inputs; /**< files that it has read */
    int64_t input_count;
} lg_provenance_caller;

/** Begins it with the library; `run` says what is run: "model", "motion", "sweep". Texts of facts are not copied. */
void lg_provenance_begin(lg_provenance *p, const char *run);
void lg_provenance_text(lg_provenance *p, const char *name, const char *text);
void lg_provenance_number(lg_provenance *p, const char *name, double number);
void lg_provenance_whole_number(lg_provenance *p, const char *name, int64_t number);
/** "reaction", ...: the member `start`. */
void lg_provenance_start(lg_provenance *p, lg_start start);
/** Adds a table's format, and the caller. Errors as of lg_provenance_rows(). */
lg_status lg_provenance_table(lg_provenance *p, lg_format format, const lg_provenance_caller *caller, lg_error *e);
/** Adds the rows' columns and format, and the caller. LG_ERROR_IO: a file of the caller's cannot be read;
 *  LG_ERROR_MEMORY. */
lg_status lg_provenance_rows(lg_provenance *p, char *const *names, int columns, lg_format format,
                             const lg_provenance_caller *caller, lg_error *e);
/** The whole text, to be freed; `ended` (NULL: nobody knows yet) says how the run ended after `done` steps (of a sweep:
 *  instances). NULL: out of memory. */
char *lg_provenance_whole(const lg_provenance *p, const char *ended, int64_t done);
void lg_provenance_free(lg_provenance *p);

#endif
