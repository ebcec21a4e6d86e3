/* SPDX-License-Identifier: BSD-3-Clause */
/* Grey images of 8 or 16 bits as height fields: PNG, third edition, sections 5 (chunks), 9 (filters) and 11. A chunk is
 * its length, four letters, its data, and the CRC of letters and data. */
#include "scene/field/field.h"

#ifdef LG_WITHOUT_ZLIB

lg_status field_read_png(lg_field *f, const field_source *s)
{
    (void)f;
    return lg_fail(s->error, LG_ERROR_UNSUPPORTED,
                   "%.100s: PNG is compressed by zlib, and liegrp was built without it: install it (Debian: "
                   "zlib1g-dev), configure with -Dzlib=enabled; or convert the image to MuJoCo's own format",
                   s->name);
}

#else

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SIGNATURE = 8, AROUND = 12, IHDR = 13, GREY = 0 }; /* AROUND: bytes of a chunk without its data */

static const char *const convert = "convert it, for example with 'convert FILE -colorspace Gray -alpha off -depth 8 "
                                   "-interlace none FILE.png'";

typedef struct chunk {
    size_t at; /* of the data */
    uint32_t size;
    const char *name;
} chunk;

static uint32_t number_at(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* The next chunk; of the first one c is {0}. */
static lg_status next_chunk(chunk *c, const field_source *s)
{
    const size_t at = c->name != NULL ? c->at + c->size + 4 : SIGNATURE;
    if (s->size - at < AROUND)
        return field_refuse(s, LG_ERROR_ARGUMENT, s->size, "the file ends before the chunk IEND; it is cut off");
    *c = (chunk){at + 8, number_at(s->bytes + at), (const char *)s->bytes + at + 4};
    if (c->size > s->size - at - AROUND)
        return field_refuse(s, LG_ERROR_ARGUMENT, at, "a chunk of %lu bytes, and the file has %zu more; it is cut off",
                            (unsigned long)c->size, s->size - at - AROUND);
    if (crc32(0, s->bytes + at + 4, c->size + 4) != number_at(s->bytes + c->at + c->size))
        return field_refuse(s, LG_ERROR_ARGUMENT, at, "the check sum of a chunk is wrong; the file is damaged");
    return LG_OK;
}

static int is_chunk(const chunk *c, const char *name)
{
    return memcmp(c->name, name, 4) == 0;
}

/* Size and kind of the image, and room for its heights. */
static lg_status read_header(lg_field *f, const field_source *s, chunk *c)
{
    const lg_status st = next_chunk(c, s);
    if (st != LG_OK) return st;
    if (!is_chunk(c, "IHDR") || c->size != IHDR)
        return field_refuse(s, LG_ERROR_ARGUMENT, SIGNATURE, "the first chunk is no IHDR of %d bytes", IHDR);
    const unsigned char *b = s->bytes + c->at;
    if (b[10] != 0 || b[11] != 0)
        return field_refuse(s, LG_ERROR_ARGUMENT, c->at + 10, "compression %d, filter %d; PNG has 0 and 0", b[10],
                            b[11]);
    if (b[9] != GREY || (b[8] != 8 && b[8] != 16) || b[12] != 0)
        return field_refuse(s, LG_ERROR_UNSUPPORTED, c->at + 8,
                            "an image of %d bits and colour type %d, %s; heights are grey (0) of 8 or 16 bits, not "
                            "interlaced: %s",
                            b[8], b[9], b[12] != 0 ? "interlaced" : "not interlaced", convert);
    f->bits = b[8];
    return field_take(f, s, c->at, number_at(b + 4), number_at(b));
}

/* Joins the data of all IDAT. */
static lg_status join(unsigned char *packed, size_t *size, const field_source *s, chunk *c)
{
    *size = 0;
    for (;;) {
        const lg_status st = next_chunk(c, s);
        if (st != LG_OK) return st;
        if (is_chunk(c, "IEND")) return LG_OK;
        if (is_chunk(c, "IDAT"))
            memcpy(packed + *size, s->bytes + c->at, c->size), *size += c->size;
        else if (c->name[0] < 'a')
            return field_refuse(s, LG_ERROR_ARGUMENT, c->at - 4, "an unknown chunk that must be read; %s", convert);
    }
}

/* Paeth's predictor: of left, above and left above the one nearest to left + above - left above. */
static int paeth(int a, int b, int c)
{
    const int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* Undoes the filter of a row, whose first byte names it. */
static void unfilter(unsigned char *row, const unsigned char *above, size_t bytes, size_t step)
{
    const int filter = row[0];
    for (size_t i = 1; i <= bytes; i++) {
        const int a = i > step ? row[i - step] : 0, b = above != NULL ? above[i] : 0;
        const int c = above != NULL && i > step ? above[i - step] : 0;
        const int guess = filter == 1   ? a
                          : filter == 2 ? b
                          : filter == 3 ? (a + b) / 2
                          : filter == 4 ? paeth(a, b, c)
                                        : 0;
        row[i] = (unsigned char)(row[i] + guess);
    }
}

static lg_status unpack(lg_field *f, const field_source *s, unsigned char *raw, size_t size)
{
    const size_t step = (size_t)f->bits / 8, columns = (size_t)f->columns, rows = (size_t)f->rows;
    const size_t length = 1 + columns * step;
    if (size != rows * length)
        return field_refuse(s, LG_ERROR_ARGUMENT, SIGNATURE, "its data end after %zu of %zu bytes", size,
                            rows * length);
    for (size_t r = 0; r < rows; r++) {
        unsigned char *row = raw + r * length;
        if (row[0] > 4)
            return field_refuse(s, LG_ERROR_ARGUMENT, SIGNATURE, "row %zu has filter %d; PNG has 0 to 4", r, row[0]);
        unfilter(row, r > 0 ? row - length : NULL, length - 1, step);
        double *to = f->height + (rows - 1 - r) * columns;
        for (size_t i = 0; i < columns; i++) to[i] = step == 1 ? row[1 + i] : row[1 + 2 * i] * 256 + row[2 + 2 * i];
    }
    return LG_OK;
}

/* *size: the room in raw, then the bytes in it. */
static lg_status inflate_all(unsigned char *raw, size_t *size, const unsigned char *packed, size_t packed_size,
                             const field_source *s)
{
    uLongf unpacked = (uLongf)*size;
    const int end = uncompress(raw, &unpacked, packed, (uLong)packed_size);
    *size = unpacked;
    if (end == Z_OK) return LG_OK;
    if (end == Z_MEM_ERROR) return lg_fail(s->error, LG_ERROR_MEMORY, "%.100s: out of memory", s->name);
    return field_refuse(s, LG_ERROR_ARGUMENT, SIGNATURE, "its compressed data are %s",
                        end == Z_BUF_ERROR ? "cut off, or more than its size" : "damaged");
}

lg_status field_read_png(lg_field *f, const field_source *s)
{
    chunk c = {0};
    if (s->size < SIGNATURE || memcmp(s->bytes, "\x89PNG\r\n\x1a\n", SIGNATURE) != 0)
        return field_refuse(s, LG_ERROR_ARGUMENT, 0, "it does not begin as a PNG file does");
    lg_status st = read_header(f, s, &c);
    if (st != LG_OK) return st;
    size_t packed_size, size = (size_t)f->rows * (1 + (size_t)f->columns * (size_t)f->bits / 8);
    unsigned char *packed = malloc(s->size), *raw = malloc(size);
    if (packed == NULL || raw == NULL) st = lg_fail(s->error, LG_ERROR_MEMORY, "%.100s: out of memory", s->name);
    if (st == LG_OK) st = join(packed, &packed_size, s, &c);
    if (st == LG_OK) st = inflate_all(raw, &size, packed, packed_size, s);
    if (st == LG_OK) st = unpack(f, s, raw, size);
    free(packed), free(raw);
    return st;
}

#endif
