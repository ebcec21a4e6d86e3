/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include <string.h>

int lg_text_character(const char *text, uint32_t *code)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *c = (const unsigned char *)text;
    const int more = c[0] < 0x80 ? 0 : (c[0] & 0xe0) == 0xc0 ? 1 : (c[0] & 0xf0) == 0xe0 ? 2 : 3;
    uint32_t value = more == 0 ? c[0] : c[0] & (0x3fU >> more);
    if (more == 3 && (c[0] & 0xf8) != 0xf0) return 0;
    for (int i = 1; i <= more; i++) {
        if ((c[i] & 0xc0) != 0x80) return 0;
        value = value << 6 | (c[i] & 0x3fU);
    }
    if (value < least[more] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return 0;
    if (code != NULL) *code = value;
    return 1 + more;
}

int lg_text_is_shown(uint32_t code)
{
    static const uint32_t hidden[][2] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
                                         {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                                         {0xfdd0, 0xfdef}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff}};
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (code >= hidden[i][0] && code <= hidden[i][1]) return 0;
    return (code & 0xfffe) != 0xfffe;
}

/* Writes one character, of at most that many bytes; returns its length in the text. */
static size_t show(char *to, size_t room, const char *text, size_t most)
{
    static const char names[] = "abtnvfr"; /* 7 to 13 */
    uint32_t code = (unsigned char)*text;
    const int bytes = lg_text_character(text, &code);
    to[0] = '\0';
    if (bytes > 0 && (size_t)bytes > most) return most;
    if (bytes > 0 && lg_text_is_shown(code))
        snprintf(to, room, "%.*s", bytes, text);
    else if (bytes > 0 && code >= 7 && code <= 13)
        snprintf(to, room, "\\%c", names[code - 7]);
    else
        snprintf(to, room,
                 bytes == 0 || code < 0x80 ? "\\x%02x"
                 : code > 0xffff           ? "\\U%08x"
                                           : "\\u%04x",
                 (unsigned)code);
    return bytes > 0 ? (size_t)bytes : 1;
}

int lg_text_shown(char *to, size_t room, const char *text, size_t most)
{
    size_t used = 0;
    if (room > 0) to[0] = '\0';
    for (size_t at = 0; at < most && text[at] != '\0';) {
        char one[16];
        at += show(one, sizeof one, text + at, most - at);
        const size_t length = strlen(one);
        if (used + length < room) memcpy(to + used, one, length + 1);
        if (used < room && used + length >= room) room = used; /* whole characters only */
        used += length;
    }
    return (int)used;
}

void lg_text_copy(char *to, size_t room, const char *text)
{
    while (*text != '\0') {
        const int bytes = lg_text_character(text, NULL);
        const size_t size = bytes > 0 ? (size_t)bytes : 1;
        if (size >= room) break;
        memcpy(to, text, size);
        to += size;
        text += size;
        room -= size;
    }
    *to = '\0';
}

int lg_text_csv(FILE *f, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) return fputs(text, f);
    fputc('"', f);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', f);
        fputc(*text, f);
    }
    return fputc('"', f) == EOF ? -1 : 0;
}

/* Writes one character as Python does; returns its length in the text. */
static int escape(char *to, size_t room, const char *text)
{
    uint32_t code = (unsigned char)*text;
    const int bytes = lg_text_character(text, &code);
    const char *form = code > 0xffff ? "\\U%08x" : code > 0xff ? "\\u%04x" : "\\x%02x";
    if (code >= 0x20 && code < 0x7f) form = code == '\'' || code == '\\' ? "\\%c" : "%c";
    snprintf(to, room, form, (unsigned)code);
    return bytes > 0 ? bytes : 1;
}

int lg_text_python(char *to, size_t room, const char *text)
{
    size_t used = (size_t)snprintf(to, room, "'"), at;
    while (*text != '\0') {
        char one[16];
        text += escape(one, sizeof one, text);
        at = used < room ? used : room;
        used += (size_t)snprintf(to + at, room - at, "%s", one);
    }
    at = used < room ? used : room;
    return (int)used + snprintf(to + at, room - at, "'");
}
