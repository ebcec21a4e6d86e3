/* SPDX-License-Identifier: BSD-3-Clause */
/* Height fields: files by format, and MuJoCo's own binary format. */
#include "scene/field/field.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"

enum { SHOWN = 100, HEADER = 8 }; /* so much of the end of a name is in messages; bytes of MuJoCo's two numbers */

lg_status field_refuse(const field_source *s, lg_status status, size_t at, const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return lg_fail(s->error, status, "%.100s: byte %zu: %s", s->name, at, text);
}

lg_status field_take(lg_field *f, const field_source *s, size_t at, size_t rows, size_t columns)
{
    if (rows < 1 || columns < 1 || rows > (size_t)s->most || columns > (size_t)s->most ||
        rows * columns > (size_t)s->most)
        return field_refuse(s, LG_ERROR_ARGUMENT, at,
                            "%zu rows and %zu columns; 1 of each or more, and at most %d "
                            "heights, are read",
                            rows, columns, s->most);
    f->rows = (int)rows, f->columns = (int)columns;
    f->height = malloc(rows * columns * sizeof *f->height);
    return f->height != NULL ? LG_OK : lg_fail(s->error, LG_ERROR_MEMORY, "%.100s: out of memory", s->name);
}

/* In the order of x86. */
static uint32_t count_at(const unsigned char *b)
{
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static lg_status read_mujoco(lg_field *f, const field_source *s)
{
    if (s->size < HEADER)
        return field_refuse(s, LG_ERROR_ARGUMENT, s->size,
                            "the file ends; a height field of MuJoCo begins with the numbers of rows and columns, %d "
                            "bytes",
                            HEADER);
    const uint32_t rows = count_at(s->bytes), columns = count_at(s->bytes + 4);
    if (rows > INT32_MAX || columns > INT32_MAX)
        return field_refuse(s, LG_ERROR_ARGUMENT, rows > INT32_MAX ? 0 : 4,
                            "the count %ld is negative; is it a height field of MuJoCo?",
                            (long)(int32_t)(rows > INT32_MAX ? rows : columns));
    const lg_status st = field_take(f, s, 0, rows, columns);
    if (st != LG_OK) return st;
    const size_t count = (size_t)rows * columns;
    if (s->size != HEADER + 4 * count)
        return field_refuse(s, LG_ERROR_ARGUMENT, 0,
                            "%lu rows and %lu columns take %zu bytes, and the file has %zu; it is cut off, or no "
                            "height field of MuJoCo",
                            (unsigned long)rows, (unsigned long)columns, HEADER + 4 * count, s->size);
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = count_at(s->bytes + HEADER + 4 * i);
        float height;
        memcpy(&height, &bits, sizeof height);
        if (!isfinite(height))
            return field_refuse(s, LG_ERROR_ARGUMENT, HEADER + 4 * i,
                                "the height in row %zu, column %zu is %s; it must be finite", i / columns, i % columns,
                                isnan(height) ? "not a number" : "infinite");
        f->height[i] = (double)height;
    }
    return LG_OK;
}

static int is_image(const char *name, lg_field_format format)
{
    const char *dot = strrchr(name, '.');
    return format == LG_FIELD_PNG || (format == LG_FIELD_BY_NAME && dot != NULL && strcasecmp(dot, ".png") == 0);
}

lg_status lg_field_parse(lg_field *f, const void *bytes, size_t size, const char *name, lg_field_format format,
                         int most, lg_error *e)
{
    const size_t length = strlen(name);
    const field_source s = {bytes, size, length > SHOWN ? name + length - SHOWN : name, most, e};
    *f = (lg_field){0};
    lg_error_clear(e);
    const lg_status st = is_image(name, format) ? field_read_png(f, &s) : read_mujoco(f, &s);
    if (st != LG_OK) lg_field_free(f);
    return st;
}

lg_status lg_field_read(lg_field *f, const char *path, lg_field_format format, int most, lg_error *e)
{
    void *bytes = NULL;
    size_t size = 0;
    *f = (lg_field){0};
    lg_error_clear(e);
    lg_status st = lg_file_read(path, LG_FIELD_BYTES, &bytes, &size, e);
    if (st != LG_OK) return st;
    if (bytes == NULL) return lg_fail_system(e, path, ENOENT);
    st = lg_field_parse(f, bytes, size, path, format, most, e);
    free(bytes);
    return st;
}

void lg_field_free(lg_field *f)
{
    free(f->height);
    *f = (lg_field){0};
}
