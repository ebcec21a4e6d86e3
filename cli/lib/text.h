/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in the quotes of other languages. */
#ifndef LIEGRP_CLI_TEXT_H
#define LIEGRP_CLI_TEXT_H

#include <stdio.h>

enum { TEXT_NUMBER = 32 };
/* The number with the fewest digits, 15 to 17, that restore it exactly. Returns `text`. */
const char *text_number(char text[TEXT_NUMBER], double value);
/* Between gnuplot's single quotes, where no character has a meaning; characters that cannot be shown become blanks, and
 * bytes that are not UTF-8 question marks. */
void text_gnuplot(FILE *f, const char *text);
/* As a CSV field: in double quotes if it contains a comma, a quote or a line's end. */
void text_csv(FILE *f, const char *text);
/* As one word of a shell's. */
void text_shell(FILE *f, const char *text);

#endif
