/* SPDX-License-Identifier: BSD-3-Clause */
/** @file writer.h
 *  Rows of numbers into a file or a stream: CSV, a NumPy array with named fields, or a container (NPZ, HDF5) of such an
 *  array and its provenance.
 *
 *  Files appear whole at the end (base/file.h); what is no regular file is written directly. The rows of a container
 *  are written as a NumPy array, and packed when they are complete. */
#ifndef LIEGRP_SRC_RUN_WRITER_H
#define LIEGRP_SRC_RUN_WRITER_H

#include <stdio.h>

#include <stddef.h>
#include <stdint.h>

#include <liegrp/run/run.h>

#include "run/format.h"

typedef struct lg_writer lg_writer;

/** The rows to be written, and the file. All of it must outlive the writer. */
typedef struct lg_writer_options {
    const char *path; /**< a file; not read where there is a stream */
    FILE *stream;     /**< not closed at the end; NULL: none */
    lg_format format;
    char *const *names;   /**< NULL: a CSV without a head */
    const char *integers; /**< column i holds whole numbers where this is not 0; NULL: the first one, the step */
    int columns;
    const lg_provenance *provenance; /**< NULL: none, also where a file of the same name had one */
    int beside;                      /**< 1: CSV and NPY have it beside them, FILE.json */
} lg_writer_options;

/** Opens it, and writes the head. LG_ERROR_ARGUMENT: an unknown format, or too many columns for it; LG_ERROR_IO,
 *  LG_ERROR_MEMORY. On failure *w is NULL, nothing is left, and *error has the message. */
lg_status lg_writer_open(lg_writer **w, const lg_writer_options *options, lg_error *error);
/** One row. LG_ERROR_IO. */
lg_status lg_writer_row(lg_writer *w, const double *row, lg_error *error);
/** Rows that were formatted elsewhere, in pieces that may end anywhere. LG_ERROR_IO. */
lg_status lg_writer_bytes(lg_writer *w, const char *bytes, size_t size, lg_error *error);
/** How far a regular file has come. */
typedef struct lg_writer_place {
    char part[256]; /**< its private name */
    int64_t size;   /**< bytes */
    int64_t rows;   /**< of these, rows */
    uint64_t sum;   /**< of these, behind a head that is written again at the end */
} lg_writer_place;

/** Everything so far onto the disk, and how far that is. Only of regular files. LG_ERROR_IO. */
lg_status lg_writer_mark(lg_writer *w, lg_writer_place *place, lg_error *error);
/** Ends it without giving the file its name: lg_writer_resume() continues it. LG_ERROR_IO. */
lg_status lg_writer_leave(lg_writer *w, lg_error *error);
/** As lg_writer_open(), of a file that was left there, or whose writer was killed. LG_ERROR_IO also where it is not
 *  there any more, or has other bytes than it had; it stays as it is. */
lg_status lg_writer_resume(lg_writer **w, const lg_writer_options *options, const lg_writer_place *from,
                           lg_error *error);
/** The end of the provenance: how the run ended, "complete", "interrupted" or "failed", after so many steps.
 *  The text is not copied. */
void lg_writer_conclude(lg_writer *w, const char *ended, int64_t done);
/** Packs the rows of a container: all that can fail for lack of room, so that the rows can still be left after it.
 *  LG_ERROR_IO, LG_ERROR_MEMORY. lg_writer_close() does it otherwise. */
lg_status lg_writer_complete(lg_writer *w, lg_error *error);
/** Ends and frees it; NULL is left alone. keep = 1: the file gets its name; 0, or an error of the system: it is
 *  removed. LG_ERROR_IO. */
lg_status lg_writer_close(lg_writer *w, int keep, lg_error *error);

#endif
