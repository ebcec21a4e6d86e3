/* SPDX-License-Identifier: BSD-3-Clause */
/** @file hdf5.h
 *  Rows as a table in an HDF5 file. */
#ifndef LIEGRP_SRC_RUN_HDF5_H
#define LIEGRP_SRC_RUN_HDF5_H

#include <stdio.h>

#include "base/message.h"
#include "run/provenance.h"

/** What stands in such a file. */
typedef struct lg_hdf5_table {
    FILE *rows;    /**< NumPy's array, */
    size_t head;   /**< whose rows begin here, */
    int64_t count; /**< so many of them; each is the columns' numbers of 8 bytes, little-endian */
    char *const *names;
    const char *integers; /**< as lg_writer_open() has them */
    int columns;
    const lg_provenance *provenance; /**< NULL: no attributes */
    const char *text;                /**< all of it */
    const char *ended;
    int64_t done;
} lg_hdf5_table;

/** Could such a table be written? LG_ERROR_ARGUMENT: it has too many columns. */
lg_status lg_hdf5_try(const lg_hdf5_table *t, lg_error *e);
/** Writes the new file that is open under this descriptor: the dataset `rows`, compressed, and the root's attributes.
 *  0, or -1 with errno. */
int lg_hdf5_pack(int to, const lg_hdf5_table *t);
/** The text of such a file, to be freed. NULL: the reason stands in *e. */
char *lg_hdf5_text(const char *path, lg_error *e);

#endif
