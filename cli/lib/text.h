/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in the quotes of others. */
#ifndef LIEGRP_CLI_TEXT_H
#define LIEGRP_CLI_TEXT_H

#include <stdio.h>

/* Between gnuplot's single quotes. */
void text_gnuplot(FILE *f, const char *text);
/* As a field of CSV: in double quotes where a comma or a quote asks for them. */
void text_csv(FILE *f, const char *text);

#endif
