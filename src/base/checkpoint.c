/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORDER UINT64_C(0x0102030405060708)

/* Lines ----------------------------------------------------------------------------------------------------------- */

static void put(lg_lines *l, char c)
{
    if (l->at != NULL) l->at[l->used] = c;
    l->used++;
}

/* Names come from users: a newline in one must not end the line. */
static void put_text(lg_lines *l, const char *text)
{
    for (; *text != '\0'; text++) put(l, *text == '\n' ? ' ' : *text);
}

void lg_lines_text(lg_lines *l, const char *name, const char *value)
{
    put_text(l, name), put(l, ' '), put_text(l, value), put(l, '\n');
}

void lg_lines_number(lg_lines *l, const char *name, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    lg_lines_text(l, name, text);
}

void lg_lines_sum(lg_lines *l, const char *name, uint64_t sum)
{
    char text[40];
    snprintf(text, sizeof text, "%016" PRIx64, sum);
    lg_lines_text(l, name, text);
}

void lg_lines_numbers(lg_lines *l, const char *name, const double *value, size_t count)
{
    if (value != NULL && count > 0) lg_lines_sum(l, name, lg_sum(LG_SUM, value, count * sizeof *value));
}

static void put_head(lg_lines *l, const lg_kept *kept, const void *object)
{
    char text[64];
    snprintf(text, sizeof text, "liegrp %s checkpoint", kept->kind);
    lg_lines_text(l, text, "1");
    kept->describe(l, object);
    put(l, '\n');
}

/* Writing --------------------------------------------------------------------------------------------------------- */

/* The functions that list an object's numbers take a writable object; when writing a checkpoint they only read it. */
static void *unlocked(const void *object)
{
    return (void *)(uintptr_t)object;
}

static size_t count_numbers(const lg_kept *kept, const void *object)
{
    lg_tape t = {NULL, 0, 0, NULL};
    kept->list(&t, unlocked(object));
    return t.used;
}

size_t lg_checkpoint_bytes(const lg_kept *kept, const void *object)
{
    lg_lines l = {NULL, 0};
    put_head(&l, kept, object);
    return l.used + 3 * sizeof(uint64_t) + count_numbers(kept, object);
}

void lg_checkpoint_write(const lg_kept *kept, const void *object, void *bytes)
{
    unsigned char *begin = bytes;
    lg_lines l = {bytes, 0};
    uint64_t order = ORDER, count = count_numbers(kept, object), sum;
    put_head(&l, kept, object);
    lg_tape t = {begin + l.used, 0, 0, NULL};
    lg_tape_bytes(&t, &order, sizeof order);
    lg_tape_bytes(&t, &count, sizeof count);
    kept->list(&t, unlocked(object));
    sum = lg_sum(LG_SUM, begin, (size_t)(t.at - begin));
    lg_tape_bytes(&t, &sum, sizeof sum);
}

/* Reading --------------------------------------------------------------------------------------------------------- */

/* The parts of a checkpoint. */
typedef struct parts {
    const char *head;
    size_t head_size; /* with the empty line */
    unsigned char *numbers;
    uint64_t count;
} parts;

static uint64_t number_at(const unsigned char *at)
{
    uint64_t x;
    memcpy(&x, at, sizeof x);
    return x;
}

/* The length of the line at `from`, without its end. */
static size_t line_length(const char *head, size_t size, size_t from)
{
    const char *end = memchr(head + from, '\n', size - from);
    return end != NULL ? (size_t)(end - head) - from : size - from;
}

/* The size of the lines up to the first empty one; 0 if no line is empty. */
static size_t head_size(const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        const size_t length = line_length(bytes, size, at);
        if (length == 0) return at + 1;
        at += length + 1;
    }
    return 0;
}

static lg_status take_apart(parts *p, const lg_kept *kept, const void *bytes, size_t size, lg_error *e)
{
    static const char begin[] = "liegrp ";
    unsigned char *all = (unsigned char *)unlocked(bytes);
    const size_t tail = 3 * sizeof(uint64_t);
    uint64_t sum = 0;
    p->head = bytes;
    p->head_size = bytes != NULL ? head_size(bytes, size) : 0;
    if (p->head_size == 0 || size < sizeof begin || memcmp(bytes, begin, sizeof begin - 1) != 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the bytes are no checkpoint of liegrp", kept->function);
    p->numbers = all + p->head_size + 2 * sizeof(uint64_t);
    if (size - p->head_size >= tail) {
        if (number_at(all + p->head_size) != ORDER)
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "%s: the checkpoint is damaged, or of a machine with another order of bytes",
                           kept->function);
        p->count = number_at(all + p->head_size + sizeof(uint64_t));
        sum = lg_sum(LG_SUM, bytes, size - sizeof sum);
    }
    if (size - p->head_size < tail || p->count != size - p->head_size - tail ||
        sum != number_at(all + size - sizeof sum))
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the checkpoint is damaged: %s", kept->function,
                       size - p->head_size < tail || p->count > size - p->head_size - tail ? "its end is missing"
                                                                                           : "its sum is wrong");
    return LG_OK;
}

/* Fails with the first line in which the checkpoint and the object differ. */
static lg_status compare(const parts *p, const lg_kept *kept, const char *own, size_t size, lg_error *e)
{
    size_t at = 0, here = 0;
    while (at < p->head_size && here < size) {
        const size_t there_length = line_length(p->head, p->head_size, at), length = line_length(own, size, here);
        const int same = there_length == length && memcmp(p->head + at, own + here, length) == 0;
        if (!same && (there_length == 0 || length == 0))
            return lg_fail(e, LG_ERROR_ARGUMENT, "%s: %s has '%.*s' and the other has not", kept->function,
                           length == 0 ? "the checkpoint" : "what reads the checkpoint",
                           (int)(length == 0 ? there_length : length), length == 0 ? p->head + at : own + here);
        if (!same)
            return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the checkpoint has '%.*s', and what reads it '%.*s'",
                           kept->function, (int)(there_length < 400 ? there_length : 400), p->head + at,
                           (int)(length < 400 ? length : 400), own + here);
        at += there_length + 1, here += length + 1;
    }
    return LG_OK;
}

/* Copies the numbers into the object; if one of them is invalid, restores the previous ones. */
static lg_status take_numbers(const parts *p, const lg_kept *kept, void *object, unsigned char *before, lg_error *e)
{
    lg_tape t = {before, 0, 0, NULL};
    kept->list(&t, object);
    t = (lg_tape){p->numbers, 0, 1, NULL};
    kept->list(&t, object);
    if (t.wrong == NULL) return LG_OK;
    (void)lg_fail(e, LG_ERROR_ARGUMENT, "%s: the checkpoint does not fit: %s", kept->function, t.wrong);
    t = (lg_tape){before, 0, 1, NULL};
    kept->list(&t, object);
    return LG_ERROR_ARGUMENT;
}

lg_status lg_checkpoint_read(const lg_kept *kept, void *object, const void *bytes, size_t size, lg_error *e)
{
    parts p = {NULL, 0, NULL, 0};
    lg_lines l = {NULL, 0};
    const size_t count = count_numbers(kept, object);
    lg_status status = take_apart(&p, kept, bytes, size, e);
    if (status != LG_OK) return status;
    put_head(&l, kept, object);
    char *own = malloc(l.used + count);
    if (own == NULL) return lg_fail(e, LG_ERROR_MEMORY, "%s: out of memory", kept->function);
    const size_t head = l.used;
    l = (lg_lines){own, 0};
    put_head(&l, kept, object);
    status = compare(&p, kept, own, head, e);
    if (status == LG_OK && p.count != count)
        status = lg_fail(e, LG_ERROR_ARGUMENT, "%s: the checkpoint has %" PRIu64 " bytes of numbers, expected %zu",
                         kept->function, p.count, count);
    if (status == LG_OK) status = take_numbers(&p, kept, object, (unsigned char *)own + head, e);
    free(own);
    return status;
}
