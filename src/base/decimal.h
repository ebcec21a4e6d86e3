/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in text, whatever locale the program around the library has set. */
#ifndef LG_BASE_DECIMAL_H
#define LG_BASE_DECIMAL_H

/* strtod() for a decimal number with a point, as in the C locale, of less than LG_DECIMAL_ROOM characters; neither
 * white space nor hexadecimals, names or a decimal comma are numbers. *end is where the number ends, `text` where there
 * is none. */
enum { LG_DECIMAL_ROOM = 64 };
double lg_decimal_read(const char *text, const char **end);
/* Makes of a number that was printed in any locale, from `text` to `end`, what the C locale prints; returns its end. */
char *lg_decimal_normalise(char *text, const char *end);

/* Numbers as the C locale prints them, in this thread until lg_decimal_leave(). */
typedef struct lg_decimal {
    void *mine, *before;
} lg_decimal;
lg_decimal lg_decimal_enter(void);
void lg_decimal_leave(lg_decimal *o);

#endif
