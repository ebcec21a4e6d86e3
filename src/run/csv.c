/* SPDX-License-Identifier: BSD-3-Clause */
/* Comma-separated values: a line of names, then a line per row. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/text.h"
#include "run/format.h"

static int write_head(FILE *to, const lg_table *t)
{
    if (t->names == NULL) return 0;
    for (int i = 0; i < t->columns; i++) {
        if (i > 0) fputc(',', to);
        if (lg_text_csv(to, t->names[i]) < 0) return -1;
    }
    return fputc('\n', to) == EOF ? -1 : 0;
}

/* %.17g whatever the locale's decimal point; NaN without sign. */
static char *put_number(char *to, double value)
{
    if (value == 0 && !signbit(value)) {
        *to = '0';
        return to + 1;
    }
    if (isnan(value)) return (char *)memcpy(to, "nan", 3) + 3;
    return lg_decimal_normalise(to, to + snprintf(to, LG_WRITER_ROOM, "%.17g", value));
}

static char *put_row(char *to, const lg_table *t, const double *row)
{
    for (int i = 0; i < t->columns; i++) {
        if (i > 0) *to++ = ',';
        if (lg_table_is_integer(t, i))
            to += snprintf(to, LG_WRITER_ROOM, "%" PRId64, (int64_t)row[i]);
        else
            to = put_number(to, row[i]);
    }
    *to++ = '\n';
    return to;
}

const lg_format_facts lg_csv = {
    .name = "csv", .endings = {".csv"}, .is_text = 1, .write_head = write_head, .row = put_row};
