/* SPDX-License-Identifier: BSD-3-Clause */
/** @file npz.h
 *  NumPy's archives: ZIP files whose members are arrays. */
#ifndef LIEGRP_SRC_RUN_NPZ_H
#define LIEGRP_SRC_RUN_NPZ_H

#include <stdio.h>

#include "base/message.h"

/** Writes an archive to a new file: rows.npy, which is all that `rows` has, and provenance.npy, an array without
 *  dimensions that holds the text (NULL: it is left out). 0, or -1 with errno. */
int lg_npz_pack(FILE *to, FILE *rows, const char *text);
/** The text of such an archive, to be freed. NULL: the reason stands in *e; LG_ERROR_ARGUMENT: it has none, or is
 *  damaged. */
char *lg_npz_text(FILE *from, const char *name, lg_error *e);

#endif
