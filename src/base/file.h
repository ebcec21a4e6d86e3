/* SPDX-License-Identifier: BSD-3-Clause */
/** @file file.h
 *  The one way in which the library and the command line write files.
 *
 *  A file is written under a name of its own beside the target, NAME.XXXXXXXXXX.part, and gets its name when it is
 *  complete and on the disk, so the target is either what it was before or complete. From the opening on a lock keeps
 *  other writers of the same target away. An existing file keeps its permissions. A target that is a symbolic link is
 *  written through: what the link names is replaced, the link stays. What is no regular file (a device, a pipe) and
 *  descriptors of this process (/dev/stdout, /dev/fd/N) are written directly. */
#ifndef LIEGRP_SRC_BASE_FILE_H
#define LIEGRP_SRC_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <liegrp/base/status.h>

#include "base/part.h"

typedef struct lg_file lg_file;

/** Opens a target. On failure *file is NULL, nothing is left, and the message stands in *error. LG_ERROR_IO: the
 *  system's reason, or another run is at this file; LG_ERROR_MEMORY. */
lg_status lg_file_open(lg_file **file, const char *path, lg_error *error);
/** Where to write. */
FILE *lg_file_stream(const lg_file *file);
/** 1: written directly, no place can be written twice. */
int lg_file_is_device(const lg_file *file);
/** Ends and frees it; NULL is left alone. keep = 1: the file gets its name; 0, or an error of the system: the target
 *  stays as it was. LG_ERROR_IO. */
lg_status lg_file_close(lg_file *file, int keep, lg_error *error);

/** The private name, beside the target; NULL: it is written directly. */
const char *lg_file_part(const lg_file *file);
/** Everything so far onto the disk. LG_ERROR_IO. */
lg_status lg_file_save(const lg_file *file, lg_error *error);
/** lg_file_save(), then frees the file: what was written stays under its private name, for lg_file_reopen().
 * LG_ERROR_IO. */
lg_status lg_file_leave(lg_file *file, lg_error *error);
/** Opens a target once more whose writer left it or was killed: what stands under its private name, and on from there.
 *  Errors as lg_file_open(), and LG_ERROR_IO where that is not there any more or was changed; it stays as it is. */
lg_status lg_file_reopen(lg_file **file, const char *path, const lg_part_left *left, lg_error *error);

/** From here on the stream is a new, empty one, and the file is made of what was written before, which the old stream
 * has. Only of what is no device. LG_ERROR_IO, LG_ERROR_MEMORY; then all is as it was. */
lg_status lg_file_remake(lg_file *file, lg_error *error);
/** Takes that back. */
void lg_file_unmake(lg_file *file);

/** A regular file has a text beside it, its name and a suffix, that belongs to its contents (base/companion.h). One
 *  that is there begins with `mark`; something else is left alone. LG_ERROR_IO: something else is there, and a text is
 *  `needed`. */
lg_status lg_file_companion(lg_file *file, const char *suffix, const char *mark, int needed, lg_error *error);
/** What it will be, valid until the file is closed; NULL, the default: no text, and an old one is removed. */
void lg_file_companion_text(lg_file *file, const char *text, size_t size);

/** What any file has at most that is read as a whole and has no smaller bound of its own. */
#define LG_FILE_MOST ((uint64_t)1 << 30)

/** Opens a regular file of at most `most` bytes to read it, and never waits: a pipe, a device, a socket or a folder is
 *  refused. Who reads bounds what it takes as well: a file can grow, and those of /proc have no size. *stream is to be
 *  closed by fclose(); NULL after an error. LG_ERROR_IO: the system's reason, it is no regular file, or it is larger.
 */
lg_status lg_file_open_to_read(FILE **stream, const char *path, uint64_t most, lg_error *error);
/** *bytes = the whole of a regular file of at most `most` bytes, to be freed; NULL and LG_OK: there is none.
 *  LG_ERROR_IO: as lg_file_open_to_read(); LG_ERROR_MEMORY. */
lg_status lg_file_read(const char *path, uint64_t most, void **bytes, size_t *size, lg_error *error);

/** Could it be opened now? Changes nothing, and does not touch what is no regular file. Errors as lg_file_open(). */
lg_status lg_file_try(const char *path, lg_error *error);
/** 1: written directly, so nothing has to be removed when that fails; opening a pipe waits for who reads it. */
int lg_file_names_device(const char *path);
/** 1: both names lead to the same file, whether it exists or not. Character devices, such as /dev/null, are nobody's
 *  file. */
int lg_file_same(const char *a, const char *b);

#endif
