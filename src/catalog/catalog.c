/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of systems; names and definitions come from LG_CATALOG_LIST. */
#include <liegrp/catalog/catalog.h>

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

/* The name that has the longest common beginning with `name`. */
static const char *nearest(const char *name)
{
    size_t most = 0;
    const char *best = names[0];
    for (int i = 0; names[i]; i++) {
        size_t k = 0;
        while (name[k] && name[k] == names[i][k]) k++;
        if (k > most) most = k, best = names[i];
    }
    return best;
}

lg_status lg_catalog_create(lg_model **M, const char *name)
{
    const lg_model_definition *definition = lg_catalog_definition(name);
    if (M == NULL) return LG_ERROR_ARGUMENT;
    if (definition) return lg_model_create(M, definition);
    return lg_model_failed(M, LG_ERROR_ARGUMENT,
                           "lg_catalog_create: unknown system '%.60s'; lg_catalog_names() lists all %d, '%s' "
                           "among them",
                           name ? name : "(null)", (int)(sizeof names / sizeof names[0]) - 1,
                           nearest(name ? name : ""));
}
