/* SPDX-License-Identifier: BSD-3-Clause */
/** @file part.h
 *  Private names of files that are not complete yet. */
#ifndef LIEGRP_SRC_BASE_PART_H
#define LIEGRP_SRC_BASE_PART_H

#include <errno.h>
#include <stdint.h>
#include <sys/stat.h>

/** Makes an empty file NAME.XXXXXXXXXX.part, with ten letters that nobody can foresee, that nobody else can have
 *  opened. The descriptor, for reading and writing, and *part = its name, to be freed; -1 with errno, *part is NULL. */
int lg_part_create(int folder, const char *name, mode_t mode, char **part);
/** A number of errno that lg_part_open() sets: what was written is not there any more as it was. */
#define LG_PART_CHANGED EBADMSG

/** What a writer has left, to go on from. */
typedef struct lg_part_left {
    const char *part; /**< its private name */
    int64_t head;     /**< bytes at its beginning that are written again at the end, and do not count in the sum */
    int64_t size;     /**< bytes that were written; what stands behind them is forgotten */
    uint64_t sum;     /**< of those behind the head, base/sum.h */
} lg_part_left;

/** Opens it at its end: a regular file of this user's, under one name, whose bytes have that sum. The descriptor; -1
 *  with errno, and the file is as it was. */
int lg_part_open(int folder, const lg_part_left *left);
/** *sum goes on over the bytes from one place of a file to another; -1 with errno. */
int lg_part_sum(uint64_t *sum, int fd, int64_t from, int64_t to);
/** Onto the disk, where the file system knows how; -1 with errno. */
int lg_part_save(int fd);

#endif
