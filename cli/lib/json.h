/* SPDX-License-Identifier: BSD-3-Clause */
/* Text and numbers as JSON. */
#ifndef LIEGRP_CLI_JSON_H
#define LIEGRP_CLI_JSON_H

#include <stdio.h>

/* The text in double quotes; null for NULL. */
void cli_json_string(FILE *to, const char *text);
/* With 17 digits; null for a number that is not finite. */
void cli_json_number(FILE *to, double value);

#endif
