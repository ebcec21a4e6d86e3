/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks formats up in their table. */
#include "run/format.h"

#include <string.h>
#include <strings.h>

#define ENTRY(format, facts) [format] = &(facts),
static const lg_format_facts *const formats[] = {LG_FORMATS(ENTRY)};

const lg_format_facts *lg_format_at(int i)
{
    return i >= 0 && (size_t)i < sizeof formats / sizeof formats[0] ? formats[i] : NULL;
}

lg_status lg_format_check(lg_format format, lg_error *e)
{
    const lg_format_facts *f = lg_format_at((int)format);
    if (f == NULL) return lg_fail(e, LG_ERROR_ARGUMENT, "unknown format %d", (int)format);
    return f->missing == NULL ? LG_OK : lg_fail(e, LG_ERROR_ARGUMENT, "%s", f->missing);
}

int lg_format_of_file(const char *file)
{
    const char *end = file != NULL ? strrchr(file, '.') : NULL;
    if (end == NULL || end == file) return -1;
    for (int i = 0; lg_format_at(i) != NULL; i++)
        for (const char *const *ending = formats[i]->endings; *ending != NULL; ending++)
            if (strcasecmp(end, *ending) == 0) return i;
    return -1;
}
