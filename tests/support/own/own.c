/* SPDX-License-Identifier: BSD-3-Clause */
/* The system that LG_OWN_SYSTEM names. */
#include "own.h"

#include <stdlib.h>
#include <string.h>

LG_API const lg_model_definition *liegrp_system(void);

const lg_model_definition *liegrp_system(void)
{
    const lg_model_definition *const *const lists[] = {own_flat, own_plane, own_space, own_wrong};
    const char *name = getenv("LG_OWN_SYSTEM");
    for (size_t i = 0; name != NULL && i < sizeof lists / sizeof lists[0]; i++)
        for (const lg_model_definition *const *d = lists[i]; *d != NULL; d++)
            if (strcmp((*d)->name, name) == 0) return *d;
    return NULL;
}
