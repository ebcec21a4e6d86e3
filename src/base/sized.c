/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sized.h"

#include <string.h>

lg_status lg_sized_check(const lg_sized *kind, size_t size, const char *name, lg_error *e)
{
    const char *quote = name != NULL ? "'" : "", *space = name != NULL ? " " : "";
    if (lg_sized_fits(kind, size)) return LG_OK;
    if (name == NULL) name = "";
    if (size > kind->size)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "%s%s%s%.60s%s: its size is %zu, larger than the %zu of this library: it was compiled against a "
                       "newer header; update the library",
                       kind->name, space, quote, name, quote, size, kind->size);
    return lg_fail(e, LG_ERROR_ARGUMENT, "%s%s%s%.60s%s: its size is %zu, expected %zu to %zu; %s", kind->name, space,
                   quote, name, quote, size, kind->least, kind->size, kind->advice);
}

lg_status lg_sized_take(const lg_sized *kind, void *own, const void *given, lg_error *e)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    const lg_status status = lg_sized_check(kind, size, NULL, e);
    if (status != LG_OK) return status;
    memcpy(own, given, size);
    memcpy(own, &kind->size, sizeof size);
    return LG_OK;
}

void lg_sized_give(const lg_sized *kind, void *given, size_t size, const void *own)
{
    const size_t known = size < kind->size ? size : kind->size;
    memcpy(given, own, known);
    memset((char *)given + known, 0, size - known);
    if (size >= sizeof size) memcpy(given, &size, sizeof size);
}
