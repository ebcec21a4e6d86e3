/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in the quotes of other languages. */
#include "cli/lib/text.h"

#include <ctype.h>
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

/* The bytes of the character at `text` in UTF-8; 0: there is none. */
static int character(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    const int more = c[0] < 0x80 ? 0 : c[0] >= 0xc2 && c[0] < 0xe0 ? 1 : (c[0] & 0xf0) == 0xe0 ? 2 : 3;
    if (more == 3 && (c[0] < 0xf0 || c[0] > 0xf4)) return 0;
    for (int i = 1; i <= more; i++) {
        if ((c[i] & 0xc0) != 0x80) return 0;
    }
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f)) return 0; /* overlong; half of a pair */
    if ((c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f)) return 0; /* overlong; beyond Unicode */
    return 1 + more;
}

/* A line's end would end the command, whatever the quotes; other control characters and what is no UTF-8 would make a
 * picture that nobody can read. */
void text_gnuplot(FILE *f, const char *text)
{
    fputc('\'', f);
    while (*text != '\0') {
        const int bytes = character(text);
        if (bytes == 0 || (bytes == 1 && iscntrl((unsigned char)*text))) {
            fputc(bytes == 0 ? '?' : ' ', f);
        } else {
            if (*text == '\'') fputc('\'', f);
            fwrite(text, 1, (size_t)bytes, f);
        }
        text += bytes > 0 ? bytes : 1;
    }
    fputc('\'', f);
}

void text_csv(FILE *f, const char *text)
{
    if (strpbrk(text, ",\"\r\n") != NULL) {
        quoted(f, text, '"');
    } else {
        fputs(text, f);
    }
}
