/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/tape.h"

#include <string.h>

void lg_tape_bytes(lg_tape *t, void *x, size_t size)
{
    if (size == 0) return;
    if (t->at != NULL) {
        if (t->reads)
            memcpy(x, t->at, size);
        else
            memcpy(t->at, x, size);
        t->at += size;
    }
    t->used += size;
}

void lg_tape_doubles(lg_tape *t, double *x, size_t count)
{
    lg_tape_bytes(t, x, count * sizeof *x);
}

void lg_tape_double(lg_tape *t, double *x)
{
    lg_tape_bytes(t, x, sizeof *x);
}

void lg_tape_long(lg_tape *t, int64_t *x, int64_t low, int64_t high, const char *wrong)
{
    int64_t value = *x;
    lg_tape_bytes(t, &value, sizeof value);
    if (!t->reads) return;
    if (value >= low && value <= high)
        *x = value;
    else if (t->wrong == NULL)
        t->wrong = wrong;
}

void lg_tape_int(lg_tape *t, int *x, int low, int high, const char *wrong)
{
    int64_t value = *x;
    lg_tape_long(t, &value, low, high, wrong);
    *x = (int)value;
}
