/* SPDX-License-Identifier: BSD-3-Clause */
/** @file format.h
 *  Formats of rows: one file each (csv.c, npy.c, npz.c, hdf5.c), which ends in its lg_format_facts, and one table of
 *  them, LG_FORMATS. */
#ifndef LIEGRP_SRC_RUN_FORMAT_H
#define LIEGRP_SRC_RUN_FORMAT_H

#include <stdint.h>
#include <stdio.h>

#include <liegrp/run/run.h>

#include "base/message.h"
#include "run/provenance.h"

/** The contents of a file of rows. */
typedef struct lg_table {
    char *const *names;
    const char *integers; /**< column i holds whole numbers where this is not 0; NULL: the first one, the step */
    int columns;
    FILE *rows;                      /**< the rows, behind a head of so many bytes */
    size_t head;                     /**< of a NumPy array; 0: text */
    int64_t count;                   /**< rows; each of a NumPy array is `columns` numbers of 8 bytes, little-endian */
    const lg_provenance *provenance; /**< NULL: none */
    const char *text;                /**< all of it, once the rows are complete */
    const char *ended;               /**< how the run ended, after `done` steps */
    int64_t done;
} lg_table;

/** The most that a number of a row takes as text, with the separator that follows. */
enum { LG_WRITER_ROOM = 32 };

/** A format. Functions that return int return 0, or -1 with errno. */
typedef struct lg_format_facts {
    const char *name;       /**< "npz" */
    const char *endings[3]; /**< of files: ".npz", in any case; NULL ends them */
    const char *missing;    /**< why this build cannot write it; NULL: it can */
    int is_text;            /**< 1: the rows are written as they come; 0: behind a NumPy array's head, which changes */
    size_t head_most;       /**< bytes that the names may take there, and who says so: "numpy.load() reads at most" */
    const char *head_why;
    int (*write_head)(FILE *to, const lg_table *t);               /**< of t->count rows */
    char *(*row)(char *to, const lg_table *t, const double *row); /**< at most LG_WRITER_ROOM bytes a column; its end */
    lg_status (*possible)(const lg_table *t, lg_error *e); /**< LG_ERROR_ARGUMENT: too many columns; NULL: always */
    int (*pack)(FILE *to, const lg_table *t); /**< makes the file of the complete rows; NULL: they are the file */
    const char *magic;                        /**< how a file begins that holds its provenance; NULL: none does */
    char *(*text)(FILE *from, const char *path, lg_error *e); /**< the provenance in such a file, to be freed; NULL: the
                                                               *   reason is in *e */
} lg_format_facts;

/** The table of formats. */
#define LG_FORMATS(X)                                                                                                  \
    X(LG_FORMAT_CSV, lg_csv)                                                                                           \
    X(LG_FORMAT_NPY, lg_npy)                                                                                           \
    X(LG_FORMAT_NPZ, lg_npz)                                                                                           \
    X(LG_FORMAT_HDF5, lg_hdf5)

#define LG_FORMAT_DECLARE(format, facts) extern const lg_format_facts facts;
LG_FORMATS(LG_FORMAT_DECLARE)
#undef LG_FORMAT_DECLARE

/** The facts of lg_format `i`; NULL: there is no such format. */
const lg_format_facts *lg_format_at(int i);
/** LG_ERROR_ARGUMENT: there is no such format, or the library was built without it. */
lg_status lg_format_check(lg_format format, lg_error *e);

static inline int lg_table_is_integer(const lg_table *t, int column)
{
    return t->integers != NULL ? t->integers[column] : column == 0;
}

/* NumPy's array with named fields, in which NPZ and HDF5 keep their rows until they are complete. */
enum { LG_NPY_FIXED = 10 }; /* bytes of its head before the names */
size_t lg_npy_head_size(const lg_table *t);
int lg_npy_write_head(FILE *to, const lg_table *t);
char *lg_npy_row(char *to, const lg_table *t, const double *row);
#define LG_NPY_ROWS .write_head = lg_npy_write_head, .row = lg_npy_row
#define LG_NPY_MOST .head_most = 10000, .head_why = "numpy.load() reads at most"

#endif
