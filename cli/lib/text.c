/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in the quotes of other languages. */
#include "cli/lib/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const char *text_number(char text[TEXT_NUMBER], double value)
{
    char number[TEXT_NUMBER];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value);
        if (strtod(number, NULL) == value) break;
    }
    return memcpy(text, number, sizeof number);
}

/* A line's end would end the command, even inside quotes; characters that cannot be shown and bytes that are not UTF-8
 * would spoil the picture. */
void text_gnuplot(FILE *f, const char *text)
{
    fputc('\'', f);
    while (*text != '\0') {
        uint32_t code = 0;
        const int bytes = lg_text_character(text, &code);
        if (bytes == 0 || !lg_text_is_shown(code)) {
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
    (void)lg_text_csv(f, text);
}

void text_shell(FILE *f, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    if (*text != '\0' && text[strspn(text, plain)] == '\0') {
        fputs(text, f);
        return;
    }
    fputc('\'', f);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\''", f);
        else
            fputc(*text, f);
    }
    fputc('\'', f);
}
