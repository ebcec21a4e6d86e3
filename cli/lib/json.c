/* SPDX-License-Identifier: BSD-3-Clause */
/* Text and numbers as JSON. */
#include "cli/lib/json.h"

#include <math.h>

void cli_json_string(FILE *to, const char *text)
{
    if (text == NULL) {
        fputs("null", to);
        return;
    }
    putc('"', to);
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            fprintf(to, "\\%c", c);
        } else if (c < 0x20) {
            fprintf(to, "\\u%04x", c);
        } else {
            putc(c, to);
        }
    }
    putc('"', to);
}

void cli_json_number(FILE *to, double value)
{
    if (isfinite(value)) {
        fprintf(to, "%.17g", value);
    } else {
        fputs("null", to); /* no bound, or not defined */
    }
}
