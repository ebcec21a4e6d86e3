/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as text, independent of the program's locale. */
#ifndef LG_BASE_DECIMAL_H
#define LG_BASE_DECIMAL_H

/* strtod() in the C locale, for a decimal number with a point and fewer than LG_DECIMAL_ROOM characters; white space,
 * hexadecimals, names and decimal commas are rejected. *end is the first character after the number, or `text` if there
 * is no number. */
enum { LG_DECIMAL_ROOM = 64 };
double lg_decimal_read(const char *text, const char **end);
/* Rewrites a number that was printed in any locale, from `text` to `end`, for the C locale; returns its new end. */
char *lg_decimal_normalise(char *text, const char *end);

/* Numbers as the C locale prints them, in this thread until lg_decimal_leave(). */
typedef struct lg_decimal {
    void *mine, *before;
} lg_decimal;
lg_decimal lg_decimal_enter(void);
void lg_decimal_leave(lg_decimal *o);

#endif
