/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in the quotes of other languages. */
#include "cli/lib/text.h"

#include <stdlib.h>
#include <string.h>

const char *text_number(char text[TEXT_NUMBER], double value)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, TEXT_NUMBER, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return text;
}

/* The text between quotes, with quotes inside doubled. */
static void quoted(FILE *f, const char *text, char quote)
{
    fputc(quote, f);
    for (; *text != '\0'; text++) {
        if (*text == quote) fputc(quote, f);
        fputc(*text, f);
    }
    fputc(quote, f);
}

void text_gnuplot(FILE *f, const char *text)
{
    quoted(f, text, '\'');
}

void text_csv(FILE *f, const char *text)
{
    if (strpbrk(text, ",\"\n") != NULL) {
        quoted(f, text, '"');
    } else {
        fputs(text, f);
    }
}
