/* SPDX-License-Identifier: BSD-3-Clause */
/* Retractions by name. */
#include <stddef.h>
#include <string.h>

#include "retractions/retraction.h"

static const char *const NAMES[] = {"exp", "cayley", "second-kind", "exp:order=4", NULL};

const char *const *lg_retraction_names(void)
{
    return NAMES;
}

const lg_retraction *lg_retraction_named(const char *name)
{
    const lg_retraction *const plain[] = {lg_retraction_exp(), lg_retraction_cayley(), lg_retraction_second_kind()};
    if (!name) return NULL;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(name, plain[i]->name) == 0) return plain[i];
    for (int order = 0; order <= LG_SERIES_MAX; order++)
        if (strcmp(name, lg_retraction_series(order)->name) == 0) return lg_retraction_series(order);
    return NULL;
}
