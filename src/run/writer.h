/* SPDX-License-Identifier: BSD-3-Clause */
/** @file writer.h
 *  Rows of numbers into a file or a stream, as CSV or as a NumPy array with named fields.
 *
 *  Files appear whole at the end (base/file.h); what is no regular file is written directly. */
#ifndef LIEGRP_SRC_RUN_WRITER_H
#define LIEGRP_SRC_RUN_WRITER_H

#include <stdio.h>

#include <stddef.h>
#include <stdint.h>

#include <liegrp/run/run.h>

typedef struct lg_writer lg_writer;

/** Opens `path`, or takes `stream` (a FILE *, not closed at the end) if that is not NULL, and writes the head. Column i
 *  holds whole numbers where integers[i] is not 0; NULL: the first one, the step. A CSV without names has no head. What
 *  is handed over must outlive the writer. LG_ERROR_IO, LG_ERROR_MEMORY. On failure *w is NULL, nothing is left, and
 *  the message stands in *error. */
lg_status lg_writer_open(lg_writer **w, const char *path, FILE *stream, lg_format format, char *const *names,
                         const char *integers, int columns, lg_error *error);
/** One row. LG_ERROR_IO. */
lg_status lg_writer_row(lg_writer *w, const double *row, lg_error *error);
/** The most that a number of a row takes as text, with what stands behind it. */
enum { LG_WRITER_ROOM = 32 };
/** One row as a writer of this format and these columns writes it, in `text` of LG_WRITER_ROOM bytes a column; how many
 *  they are. */
size_t lg_writer_format(char *text, lg_format format, const char *integers, int columns, const double *row);
/** Rows that were formatted elsewhere, in pieces that may end anywhere. LG_ERROR_IO. */
lg_status lg_writer_bytes(lg_writer *w, const char *bytes, size_t size, lg_error *error);
/** How far a regular file has come. */
typedef struct lg_writer_place {
    char part[256]; /**< its private name */
    int64_t size;   /**< bytes */
    int64_t rows;   /**< of these, rows */
} lg_writer_place;

/** Everything so far onto the disk, and how far that is. Only of regular files. LG_ERROR_IO. */
lg_status lg_writer_mark(lg_writer *w, lg_writer_place *place, lg_error *error);
/** Ends it without giving the file its name: lg_writer_resume() goes on. LG_ERROR_IO. */
lg_status lg_writer_leave(lg_writer *w, lg_error *error);
/** As lg_writer_open(), of a file that was left there, or whose writer was killed. */
lg_status lg_writer_resume(lg_writer **w, const char *path, const lg_writer_place *from, lg_format format,
                           char *const *names, const char *integers, int columns, lg_error *error);
/** Ends and frees it; NULL is left alone. keep = 1: the file gets its name; 0, or an error of the system: it is
 *  removed. LG_ERROR_IO. */
lg_status lg_writer_close(lg_writer *w, int keep, lg_error *error);

#endif
