/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of claims, in the order of the ledger: every file contributes a list that ends with a NULL id; and
 * the number of measurements that each makes. */
#include <string.h>

#include "claims/framework/ledger.h"

static const struct {
    const char *id;
    int count;
} counts[] = {
#include "claims/framework/counts.h"
};

static const struct {
    const char *room;
    const claim *claims;
} lists[] = {CLAIM_FILES(CLAIM_LIST)};

/* Claim i and the list that holds it; NULL after the last claim. */
static const claim *find_at(int i, size_t *list)
{
    for (*list = 0; i >= 0 && *list < sizeof lists / sizeof lists[0]; (*list)++)
        for (const claim *c = lists[*list].claims; c->id != NULL; c++)
            if (i-- == 0) return c;
    return NULL;
}

const claim *claim_at_index(int i)
{
    size_t list;
    return find_at(i, &list);
}

const char *claim_room(int i)
{
    size_t list;
    return find_at(i, &list) != NULL ? lists[list].room : NULL;
}

int claim_count(void)
{
    int count = 0;
    for (size_t list = 0; list < sizeof lists / sizeof lists[0]; list++)
        for (const claim *c = lists[list].claims; c->id != NULL; c++) count++;
    return count;
}

const claim *claim_find(const char *id)
{
    for (size_t list = 0; list < sizeof lists / sizeof lists[0]; list++)
        for (const claim *c = lists[list].claims; c->id != NULL; c++)
            if (strcmp(c->id, id) == 0) return c;
    return NULL;
}

int claim_expected(const char *id)
{
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (strcmp(counts[i].id, id) == 0) return counts[i].count;
    return 0;
}
