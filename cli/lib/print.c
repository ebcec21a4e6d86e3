/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/print.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* A conversion: its flags and numbers, '*' replaced. */
typedef struct conversion {
    char flags[8];
    int width, precision; /* -1: none */
    char length[4];
    char letter;
} conversion;

/* A number at *at, or the next argument for '*'. */
static int take_number(const char **at, va_list *arguments)
{
    char *end;
    if (**at == '*') {
        ++*at;
        return va_arg(*arguments, int);
    }
    const long number = strtol(*at, &end, 10);
    *at = end;
    return (int)number;
}

static void take(char *to, size_t room, const char **at, const char *among)
{
    const size_t length = strspn(*at, among);
    snprintf(to, room, "%.*s", (int)length, *at);
    *at += length;
}

/* Parses the conversion after the '%' at `at`; returns its end. */
static const char *parse(conversion *c, const char *at, va_list *arguments)
{
    c->width = c->precision = -1;
    take(c->flags, sizeof c->flags, &at, "-+ #0");
    if (*at == '*' || (*at >= '1' && *at <= '9')) c->width = take_number(&at, arguments);
    if (*at == '.') {
        at++;
        c->precision = take_number(&at, arguments);
    }
    take(c->length, sizeof c->length, &at, "hlzjt");
    c->letter = *at;
    return at + 1;
}

/* One call makes one write, also on a stream without a buffer, unless it is long. */
typedef struct printer {
    FILE *f;
    size_t used;
    char text[1024];
} printer;

static void flush(printer *p)
{
    fwrite(p->text, 1, p->used, p->f);
    p->used = 0;
}

static void put(printer *p, const char *text, size_t size)
{
    if (p->used + size > sizeof p->text) flush(p);
    if (size > sizeof p->text) {
        fwrite(text, 1, size, p->f);
        return;
    }
    memcpy(p->text + p->used, text, size);
    p->used += size;
}

static void put_blanks(printer *p, int count)
{
    for (int i = 0; i < count; i++) put(p, " ", 1);
}

static void put_text(printer *p, const conversion *c, const char *text)
{
    size_t most = c->precision >= 0 ? (size_t)c->precision : SIZE_MAX;
    const int blanks = c->width - lg_text_shown(NULL, 0, text, most), left = strchr(c->flags, '-') != NULL;
    if (!left) put_blanks(p, blanks);
    while (most > 0 && *text != '\0') {
        char one[16];
        const int bytes = lg_text_character(text, NULL);
        const size_t size = bytes > 0 ? (size_t)bytes : 1, length = (size_t)lg_text_shown(one, sizeof one, text, size);
        if (size > most) break;
        put(p, one, length);
        text += size;
        most -= size;
    }
    if (left) put_blanks(p, blanks);
}

static int format_whole(char *to, size_t room, const char *form, const conversion *c, va_list *arguments)
{
    if (strcmp(c->length, "ll") == 0) return snprintf(to, room, form, va_arg(*arguments, long long));
    if (c->length[0] == 'l') return snprintf(to, room, form, va_arg(*arguments, long));
    if (c->length[0] == 'z') return snprintf(to, room, form, va_arg(*arguments, size_t));
    if (c->length[0] == 'j') return snprintf(to, room, form, va_arg(*arguments, intmax_t));
    return snprintf(to, room, form, va_arg(*arguments, int));
}

static void put_number(printer *p, const conversion *c, va_list *arguments)
{
    char form[64], width[16] = "", precision[16] = "", text[512];
    if (c->width >= 0) snprintf(width, sizeof width, "%d", c->width);
    if (c->precision >= 0) snprintf(precision, sizeof precision, ".%d", c->precision);
    snprintf(form, sizeof form, "%%%s%s%s%s%c", c->flags, width, precision, c->length, c->letter);
    const int length = strchr("feg", c->letter) != NULL ? snprintf(text, sizeof text, form, va_arg(*arguments, double))
                                                        : format_whole(text, sizeof text, form, c, arguments);
    if (length > 0) put(p, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void cli_vprint(FILE *f, const char *format, va_list arguments)
{
    printer p = {.f = f, .used = 0};
    va_list at;
    va_copy(at, arguments);
    while (*format != '\0') {
        const size_t plain = strcspn(format, "%");
        char letter[2] = "";
        conversion c;
        put(&p, format, plain);
        format += plain;
        if (*format == '\0') break;
        format = parse(&c, format + 1, &at);
        if (c.letter == '%')
            put(&p, "%", 1);
        else if (c.letter == 's')
            put_text(&p, &c, va_arg(at, const char *));
        else if (c.letter == 'c' && (letter[0] = (char)va_arg(at, int)) != '\0')
            put_text(&p, &c, letter);
        else if (c.letter != 'c')
            put_number(&p, &c, &at);
    }
    flush(&p);
    va_end(at);
}

void cli_print(FILE *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cli_vprint(f, format, arguments);
    va_end(arguments);
}

const char *cli_behind_function(const char *message)
{
    const char *colon = strncmp(message, "lg_", 3) == 0 ? strstr(message, ": ") : NULL;
    return colon != NULL && strcspn(message, " ") > (size_t)(colon - message) ? colon + 2 : message;
}
