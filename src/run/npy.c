/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's format 1.0: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "run/format.h"

/* ('NAME', '<f8'), of NumPy's dictionary. */
static int field(const lg_table *t, char *text, size_t room, int i)
{
    const int begun = snprintf(text, room, "%s(", i > 0 ? ", " : "");
    const size_t at = (size_t)begun < room ? (size_t)begun : room;
    const int named = begun + lg_text_python(text + at, room - at, t->names[i]);
    const size_t end = (size_t)named < room ? (size_t)named : room;
    return named + snprintf(text + end, room - end, ", '%s')", lg_table_is_integer(t, i) ? "<i8" : "<f8");
}

/* NumPy's dictionary, with room for any number of rows; returns its length, or what it would be. */
static size_t dictionary(const lg_table *t, char *text, size_t room)
{
    size_t used = 0;
    for (int i = -1; i <= t->columns; i++) {
        char *at = text + (used < room ? used : room);
        const size_t left = used < room ? room - used : 0;
        int wrote;
        if (i < 0) {
            wrote = snprintf(at, left, "{'descr': [");
        } else if (i < t->columns) {
            wrote = field(t, at, left, i);
        } else {
            wrote = snprintf(at, left, "], 'fortran_order': False, 'shape': (%" PRId64 ",), }", t->count);
        }
        if (wrote > 0) used += (size_t)wrote;
    }
    return used;
}

/* Bytes of the head: magic, version 1.0, length, dictionary, blanks up to a multiple of 64, newline. It leaves room for
 * the longest number of rows, so that it can be written again over itself. */
size_t lg_npy_head_size(const lg_table *t)
{
    const size_t spare = 20;
    char nothing;
    return (LG_NPY_FIXED + dictionary(t, &nothing, 0) + spare + 1 + 63) / 64 * 64;
}

int lg_npy_write_head(FILE *to, const lg_table *t)
{
    const size_t body = t->head - LG_NPY_FIXED;
    char nothing, *head;
    const size_t need = dictionary(t, &nothing, 0);
    int failed;
    head = malloc(t->head + 1);
    if (head == NULL) return -1;
    memcpy(head, "\x93NUMPY\x01\x00", 8);
    head[8] = (char)(body & 255);
    head[9] = (char)(body >> 8);
    dictionary(t, head + LG_NPY_FIXED, body + 1);
    memset(head + LG_NPY_FIXED + need, ' ', body - need);
    head[t->head - 1] = '\n';
    failed = fwrite(head, 1, t->head, to) != t->head;
    free(head);
    return failed ? -1 : 0;
}

char *lg_npy_row(char *to, const lg_table *t, const double *row)
{
    for (int i = 0; i < t->columns; i++) {
        const int64_t whole = lg_table_is_integer(t, i) ? (int64_t)row[i] : 0;
        uint64_t bits;
        memcpy(&bits, lg_table_is_integer(t, i) ? (const void *)&whole : (const void *)&row[i], sizeof bits);
        for (int k = 0; k < 8; k++) *to++ = (char)(unsigned char)(bits >> (8 * k)); /* little-endian everywhere */
    }
    return to;
}

const lg_format_facts lg_npy = {.name = "npy", .endings = {".npy"}, LG_NPY_MOST, LG_NPY_ROWS};
