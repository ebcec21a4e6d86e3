/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/text.h"

static void add(lg_json *j, const char *text, size_t size)
{
    if (j->failed) return;
    if (j->used + size + 1 > j->room) {
        const size_t room = 2 * j->room + size + 256;
        char *more = realloc(j->text, room);
        j->failed = more == NULL;
        if (j->failed) return;
        j->text = more;
        j->room = room;
    }
    memcpy(j->text + j->used, text, size);
    j->used += size;
    j->text[j->used] = '\0';
}

static void word(lg_json *j, const char *text)
{
    add(j, text, strlen(text));
}

static void quote(lg_json *j, const char *text)
{
    word(j, "\"");
    while (*text != '\0') {
        uint32_t code = (unsigned char)*text;
        const int bytes = lg_text_character(text, &code);
        char one[16];
        if (bytes > 0 && code > 0xffff && !lg_text_is_shown(code))
            snprintf(one, sizeof one, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (code >> 10)),
                     (unsigned)(0xdc00 + (code & 0x3ff)));
        else if (bytes == 0 || !lg_text_is_shown(code))
            snprintf(one, sizeof one, "\\u%04x", (unsigned)code);
        else
            snprintf(one, sizeof one, "%s%.*s", code == '"' || code == '\\' ? "\\" : "", bytes, text);
        word(j, one);
        text += bytes > 0 ? bytes : 1;
    }
    word(j, "\"");
}

/* Writes the separator and the name in front of a value. */
static void begin(lg_json *j, const char *name)
{
    if (j->begun) word(j, j->depth == 1 ? "," : ", ");
    if (j->depth == 1) word(j, "\n  ");
    j->begun = 1;
    if (name == NULL) return;
    quote(j, name);
    word(j, ": ");
}

void lg_json_open(lg_json *j, const char *name, char bracket)
{
    begin(j, name);
    add(j, &bracket, 1);
    j->depth++;
    j->begun = 0;
}

void lg_json_close(lg_json *j, char bracket)
{
    if (--j->depth == 0) word(j, "\n");
    add(j, &bracket, 1);
    if (j->depth == 0) word(j, "\n");
    j->begun = 1;
}

void lg_json_text(lg_json *j, const char *name, const char *value)
{
    begin(j, name);
    if (value != NULL)
        quote(j, value);
    else
        word(j, "null");
}

/* Independent of the locale. */
static void number(lg_json *j, double value)
{
    char text[64];
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    if (isfinite(value))
        add(j, text, (size_t)(lg_decimal_normalise(text, text + length) - text));
    else
        word(j, "null");
}

void lg_json_number(lg_json *j, const char *name, double value)
{
    begin(j, name);
    number(j, value);
}

void lg_json_whole(lg_json *j, const char *name, int64_t value)
{
    char text[32];
    begin(j, name);
    snprintf(text, sizeof text, "%" PRId64, value);
    word(j, text);
}

void lg_json_numbers(lg_json *j, const char *name, const double *values, int64_t count)
{
    lg_json_open(j, name, '[');
    for (int64_t i = 0; i < count; i++) lg_json_number(j, NULL, values[i]);
    lg_json_close(j, ']');
}

void lg_json_raw(lg_json *j, const char *name, const char *json)
{
    begin(j, name);
    word(j, json);
}

void lg_json_free(lg_json *j)
{
    free(j->text);
    *j = (lg_json){0};
}
