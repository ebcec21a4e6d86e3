/* SPDX-License-Identifier: BSD-3-Clause */
/** @file field.h
 *  Height fields in files: MuJoCo's own binary format, and grey images in PNG. */
#ifndef LIEGRP_SRC_SCENE_FIELD_FIELD_H
#define LIEGRP_SRC_SCENE_FIELD_FIELD_H

#include <stddef.h>

#include "base/message.h"

/** The largest file that is read. */
#define LG_FIELD_BYTES ((size_t)64 << 20)

/** Heights that the object owns; {0} is an empty field. */
typedef struct lg_field {
    int rows, columns; /**< at least 1 */
    int bits;          /**< of each number of an image, 8 or 16; 0: no image */
    double *height;    /**< row by row from the least y up, as the file has them, without a scale */
} lg_field;

/** How a file is written. */
typedef enum lg_field_format {
    LG_FIELD_BY_NAME, /**< .png in upper or lower case is an image, and any other name MuJoCo's format */
    LG_FIELD_MUJOCO,  /**< numbers of rows and columns, 4 bytes each, then the heights as floats, from the least y up */
    LG_FIELD_PNG      /**< grey, of 8 or 16 bits, not interlaced; its first row is that of the greatest y */
} lg_field_format;

/** Reads a regular file of at most LG_FIELD_BYTES and at most `most` heights. On failure *f is empty. LG_ERROR_IO: the
 *  system's reason, not a regular file, or too large; LG_ERROR_UNSUPPORTED: another kind of image, or the library was
 *  built without zlib; LG_ERROR_ARGUMENT: the contents, with the byte; LG_ERROR_MEMORY. */
lg_status lg_field_read(lg_field *f, const char *path, lg_field_format format, int most, lg_error *e);
/** lg_field_read() of the bytes of a file; messages begin with the last part of `name`, whose ending counts for
 *  LG_FIELD_BY_NAME. */
lg_status lg_field_parse(lg_field *f, const void *bytes, size_t size, const char *name, lg_field_format format,
                         int most, lg_error *e);
/** Frees the heights and makes the field empty. */
void lg_field_free(lg_field *f);

/** A file that is read; the parts of field.c and png.c. */
typedef struct field_source {
    const unsigned char *bytes;
    size_t size;
    const char *name;
    int most;
    lg_error *error;
} field_source;

/** Fails with the byte at which the contents are wrong. */
lg_status field_refuse(const field_source *s, lg_status status, size_t at, const char *format, ...) LG_PRINTF(4, 5);
/** Gives f room for these rows and columns; refuses none, and more heights than there may be. */
lg_status field_take(lg_field *f, const field_source *s, size_t at, size_t rows, size_t columns);
/** An image, after its signature has been seen or not. */
lg_status field_read_png(lg_field *f, const field_source *s);

#endif
