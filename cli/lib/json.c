/* SPDX-License-Identifier: BSD-3-Clause */
/* Text and numbers as JSON. */
#include "cli/lib/json.h"

#include <math.h>
#include <stdint.h>

#include "base/text.h"

void cli_json_string(FILE *to, const char *text)
{
    if (text == NULL) {
        fputs("null", to);
        return;
    }
    putc('"', to);
    while (*text != '\0') {
        uint32_t code = (unsigned char)*text;
        const int bytes = lg_text_character(text, &code);
        if (code == '"' || code == '\\')
            fprintf(to, "\\%c", (int)code);
        else if (bytes > 0 && lg_text_is_shown(code))
            fwrite(text, 1, (size_t)bytes, to);
        else if (code > 0xffff)
            fprintf(to, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (code >> 10)), (unsigned)(0xdc00 + (code & 0x3ff)));
        else
            fprintf(to, "\\u%04x", (unsigned)code);
        text += bytes > 0 ? bytes : 1;
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
