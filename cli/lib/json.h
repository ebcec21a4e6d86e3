/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts and numbers as JSON. */
#ifndef LIEGRP_CLI_JSON_H
#define LIEGRP_CLI_JSON_H

#include <stdio.h>

/* The text in quotes; null for NULL. */
void cli_json_string(FILE *to, const char *text);
/* With 17 digits; null for what is not finite. */
void cli_json_number(FILE *to, double value);

#endif
