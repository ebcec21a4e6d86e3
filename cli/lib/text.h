/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in the quotes of other languages. */
#ifndef LIEGRP_CLI_TEXT_H
#define LIEGRP_CLI_TEXT_H

#include <stdio.h>

/* Between gnuplot's single quotes. */
void text_gnuplot(FILE *f, const char *text);
/* As a CSV field: in double quotes if it contains a comma or a quote. */
void text_csv(FILE *f, const char *text);

#endif
