/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of systems: names and definitions come from one list, LG_CATALOG_LIST. */
#include <liegrp/catalog/catalog.h>

#include <stdio.h>
#include <string.h>

#include "catalog/systems.h"
#include "run/model_private.h"

#define CATALOG_NAME(identifier, name)       name,
#define CATALOG_DEFINITION(identifier, name) &lg_catalog_##identifier,

static const char *const names[] = {LG_CATALOG_LIST(CATALOG_NAME) NULL};
static const lg_model_definition *const definitions[] = {LG_CATALOG_LIST(CATALOG_DEFINITION)};

const char *const *lg_catalog_names(void)
{
    return names;
}

const lg_model_definition *lg_catalog_definition(const char *name)
{
    for (int i = 0; name && names[i]; i++)
        if (strcmp(names[i], name) == 0) return definitions[i];
    return NULL;
}

/* "a, b, c", cut at `size`. */
static void join_names(char *out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; names[i] && used < size; i++) {
        const int n = snprintf(out + used, size - used, "%s%s", i ? ", " : "", names[i]);
        used += n > 0 ? (size_t)n : 0;
    }
}

lg_status lg_catalog_open(lg_model **M, const char *name)
{
    const lg_model_definition *definition = lg_catalog_definition(name);
    char all[LG_MESSAGE_SIZE];
    if (M == NULL) return LG_ERROR_ARGUMENT;
    if (definition) return lg_model_create(M, definition);
    join_names(all, sizeof all);
    return lg_model_failed(M, LG_ERROR_ARGUMENT, "lg_catalog_open: unknown system '%.60s'; there are %s",
                           name ? name : "(null)", all);
}
