/* SPDX-License-Identifier: BSD-3-Clause */
/** @file part.h
 *  Private names of files that are not complete yet. */
#ifndef LIEGRP_SRC_BASE_PART_H
#define LIEGRP_SRC_BASE_PART_H

#include <sys/stat.h>

/** Makes an empty file NAME.XXXXXXXXXX.part, with ten letters that nobody can foresee, that nobody else can have
 *  opened. The descriptor, for reading and writing, and *part = its name, to be freed; -1 with errno, *part is NULL. */
int lg_part_create(int folder, const char *name, mode_t mode, char **part);
/** Onto the disk, where the file system knows how; -1 with errno. */
int lg_part_save(int fd);

#endif
