/* SPDX-License-Identifier: BSD-3-Clause */
/* The separator is found by printing a number, since the standard library has no strtod() for a given locale. The
 * library never calls setlocale(), which would change the locale of the whole program. */
#include "base/decimal.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEPARATOR_ROOM = 16 };

/* The decimal separator of the current locale. */
static size_t decimal_separator(char *separator)
{
    char zero[SEPARATOR_ROOM] = "";
    const int length = snprintf(zero, sizeof zero, "%.1f", 0.0);
    if (length < 3 || length >= SEPARATOR_ROOM) {
        memcpy(separator, ".", 2);
        return 1;
    }
    const size_t count = (size_t)length - 2;
    memcpy(separator, zero + 1, count);
    separator[count] = '\0';
    return count;
}

double lg_decimal_read(const char *text, const char **end)
{
    char separator[SEPARATOR_ROOM], local[LG_DECIMAL_ROOM + SEPARATOR_ROOM], *stop;
    const size_t length = strspn(text, "0123456789.+-eE"), width = decimal_separator(separator);
    const char *point = memchr(text, '.', length);
    const size_t before = point ? (size_t)(point - text) : length;
    *end = text;
    if (length >= LG_DECIMAL_ROOM) return 0;
    memcpy(local, text, before);
    if (point) {
        memcpy(local + before, separator, width);
        memcpy(local + before + width, point + 1, length - before - 1);
    }
    local[point ? length + width - 1 : length] = '\0';
    const double value = strtod(local, &stop);
    size_t used = (size_t)(stop - local);
    if (point && used >= before + width) used -= width - 1;
    *end = text + used;
    return value;
}

char *lg_decimal_normalise(char *text, const char *end)
{
    char *to = text;
    for (const char *from = text; from < end; from++) {
        const int known = strchr("0123456789+-.eEinfa", *from) != NULL;
        if (known)
            *to++ = *from;
        else if (to == text || to[-1] != '.')
            *to++ = '.';
    }
    return to;
}

lg_decimal lg_decimal_enter(void)
{
    lg_decimal o = {NULL, NULL};
    const locale_t mine = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (mine == (locale_t)0) return o;
    o.mine = (void *)mine;
    o.before = (void *)uselocale(mine);
    return o;
}

void lg_decimal_leave(lg_decimal *o)
{
    if (!o->mine) return;
    (void)uselocale((locale_t)o->before);
    freelocale((locale_t)o->mine);
    o->mine = NULL;
}
