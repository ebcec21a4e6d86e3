/* SPDX-License-Identifier: BSD-3-Clause */
/** @file file.h
 *  The library and the command line write all their files through these functions.
 *
 *  A file is written under a private name next to the target, NAME.XXXXXXXXXX.part, and renamed when it is complete and
 *  on the disk, so the target is either unchanged or complete. While it is open, a lock keeps other writers of the same
 *  target away. A replaced file keeps its permissions. If the target is a symbolic link, the file it points to is
 *  replaced and the link stays. Devices, pipes and descriptors of this process (/dev/stdout, /dev/fd/N) are written
 *  directly. */
#ifndef LIEGRP_SRC_BASE_FILE_H
#define LIEGRP_SRC_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <liegrp/base/status.h>

#include "base/part.h"

typedef struct lg_file lg_file;

/** Opens a target. On failure *file is NULL, no file is left behind, and *error has the message. LG_ERROR_IO: the
 *  system's reason, or another run is writing this file; LG_ERROR_MEMORY. */
lg_status lg_file_open(lg_file **file, const char *path, lg_error *error);
/** Where to write. */
FILE *lg_file_stream(const lg_file *file);
/** 1: written directly, so bytes cannot be rewritten. */
int lg_file_is_device(const lg_file *file);
/** Closes and frees the file (may be NULL). keep = 1: the file gets its name; 0, or after a system error: the target
 *  stays as it was. LG_ERROR_IO. */
lg_status lg_file_close(lg_file *file, int keep, lg_error *error);

/** The private name, next to the target; NULL if the target is written directly. */
const char *lg_file_part(const lg_file *file);
/** Writes everything so far to the disk. LG_ERROR_IO. */
lg_status lg_file_save(const lg_file *file, lg_error *error);
/** lg_file_save(), then frees the file: what was written stays under its private name, for lg_file_reopen().
 * LG_ERROR_IO. */
lg_status lg_file_leave(lg_file *file, lg_error *error);
/** Opens a target again whose writer left it or was killed, and continues its unfinished part. Errors as
 *  lg_file_open(), and LG_ERROR_IO if the part is missing or has changed; it is then left alone. */
lg_status lg_file_reopen(lg_file **file, const char *path, const lg_part_left *left, lg_error *error);

/** Replaces the stream by a new, empty one; the old stream has what was written before, to rewrite the file from. Not
 * for devices. LG_ERROR_IO, LG_ERROR_MEMORY; on failure nothing changes. */
lg_status lg_file_remake(lg_file *file, lg_error *error);
/** Undoes lg_file_remake(). */
void lg_file_unmake(lg_file *file);

/** Gives a regular file a text file next to it, with its name and a suffix, that describes its contents
 *  (base/companion.h). An existing one must begin with `mark`; other files are left alone. LG_ERROR_IO: such a file has
 *  that name although a text is `needed`. */
lg_status lg_file_companion(lg_file *file, const char *suffix, const char *mark, int needed, lg_error *error);
/** The text, valid until the file is closed; NULL, the default: no text, and an old one is removed. */
void lg_file_companion_text(lg_file *file, const char *text, size_t size);

/** The largest file that is read as a whole, unless a smaller bound is given. */
#define LG_FILE_MOST ((uint64_t)1 << 30)

/** Opens a regular file of at most `most` bytes to read it, and never waits: pipes, devices, sockets and folders are
 *  refused. The caller must bound what it reads as well: a file can grow, and files in /proc have size 0. Close *stream
 *  by fclose(); NULL after an error. LG_ERROR_IO: the system's reason, not a regular file, or too large.
 */
lg_status lg_file_open_to_read(FILE **stream, const char *path, uint64_t most, lg_error *error);
/** *bytes = the whole of a regular file of at most `most` bytes, to be freed; NULL and LG_OK: the file does not exist.
 *  LG_ERROR_IO: as lg_file_open_to_read(); LG_ERROR_MEMORY. */
lg_status lg_file_read(const char *path, uint64_t most, void **bytes, size_t *size, lg_error *error);

/** Checks whether the file can be opened now. Changes nothing, and opens no devices. Errors as lg_file_open(). */
lg_status lg_file_try(const char *path, lg_error *error);
/** 1: written directly, so nothing has to be removed after a failure; opening a pipe waits for its reader. */
int lg_file_names_device(const char *path);
/** 1: both names lead to the same file, whether it exists or not. Character devices, such as /dev/null, never count as
 *  the same file. */
int lg_file_same(const char *a, const char *b);

#endif
