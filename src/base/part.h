/* SPDX-License-Identifier: BSD-3-Clause */
/** @file part.h
 *  Private names of files that are not complete yet. */
#ifndef LIEGRP_SRC_BASE_PART_H
#define LIEGRP_SRC_BASE_PART_H

#include <errno.h>
#include <stdint.h>
#include <sys/stat.h>

/** Makes an empty file NAME.XXXXXXXXXX.part, with ten random letters, and opens it exclusively for reading and writing.
 *  Returns the descriptor, and *part = its name, to be freed; on failure -1 with errno, and *part is NULL. */
int lg_part_create(int folder, const char *name, mode_t mode, char **part);
/** errno of lg_part_open() if the bytes of the part have changed. */
#define LG_PART_CHANGED EBADMSG

/** An unfinished file that another writer can continue. */
typedef struct lg_part_left {
    const char *part; /**< its private name */
    int64_t head;     /**< bytes at its beginning that are rewritten at the end; they are not part of the sum */
    int64_t size;     /**< bytes that were written; bytes after these are cut off */
    uint64_t sum;     /**< of the bytes after the head, base/sum.h */
} lg_part_left;

/** Opens an unfinished file at its end, if it is a regular file of this user, without other hard links, with that sum.
 *  Returns the descriptor, or -1 with errno; then the file is unchanged. */
int lg_part_open(int folder, const lg_part_left *left);
/** Continues *sum over bytes `from` to `to` of a file; -1 with errno. */
int lg_part_sum(uint64_t *sum, int fd, int64_t from, int64_t to);
/** Writes the file to the disk, if the file system can do that; -1 with errno. */
int lg_part_save(int fd);

#endif
