/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/text.h"

/* Names in messages come from users, and messages end up on terminals and in logs: control characters are escaped. */
static void show(char message[LG_MESSAGE_SIZE])
{
    char raw[LG_MESSAGE_SIZE];
    memcpy(raw, message, sizeof raw);
    (void)lg_text_shown(message, LG_MESSAGE_SIZE, raw, SIZE_MAX);
}

lg_status lg_fail(lg_error *e, lg_status status, const char *format, ...)
{
    if (e != NULL) {
        va_list arguments;
        lg_decimal numbers = lg_decimal_enter();
        e->status = status;
        va_start(arguments, format);
        if (vsnprintf(e->message, sizeof e->message, format, arguments) < 0) e->message[0] = '\0';
        va_end(arguments);
        lg_decimal_leave(&numbers);
        show(e->message);
    }
    return status;
}

lg_status lg_fail_system(lg_error *e, const char *name, int number)
{
    char text[128];
    if (number == ENOMEM) return lg_fail(e, LG_ERROR_MEMORY, "out of memory");
    if (strerror_r(number, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", number);
    return lg_fail(e, LG_ERROR_IO, "%.160s: %s", name, text);
}

void lg_error_clear(lg_error *e)
{
    if (e == NULL) return;
    e->status = LG_OK;
    e->message[0] = '\0';
}

void lg_print_values(char *text, size_t size, const double *v, int count)
{
    size_t used = 0;
    lg_decimal numbers = lg_decimal_enter();
    for (int i = 0; i < count && used + 24 < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.9g", i ? ", " : "", isnan(v[i]) ? (double)NAN : v[i]);
    lg_decimal_leave(&numbers);
    if (!used) snprintf(text, size, "-");
}
