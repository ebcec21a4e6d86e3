/* SPDX-License-Identifier: BSD-3-Clause */
/* One retraction per factor. The dispatch in retraction.c splits a product; the operations here are for direct calls of
 * the descriptor. */
#include "retractions/retraction.h"

#include <stdlib.h>
#include <string.h>

/* The descriptor, followed by its factors and its name in one block. */
typedef struct product {
    lg_retraction base;
    const lg_retraction *factors[];
} product;

static const lg_retraction PRODUCT = {
    .size = sizeof(lg_retraction),
    .kind = LG_RETRACTION_PRODUCT,
    .flags = LG_RETRACTION_SYMMETRIC | LG_RETRACTION_EXACT | LG_RETRACTION_COMMUTING,
    .work_bytes = lg_retraction_work_bytes,
    .tau = lg_retraction_tau_with,
    .tau_inv = lg_retraction_tau_inv_with,
    .dtau = lg_retraction_dtau_with,
    .dtau_inv = lg_retraction_dtau_inv_with,
    .dtau_inv_dual = lg_retraction_dtau_inv_dual_with,
    .dtau_inv_dual_derivative = lg_retraction_dtau_inv_dual_derivative_with,
    .supports = lg_retraction_supports,
};

static const char SEPARATOR[] = " x ";

static size_t name_bytes(const lg_retraction *const *factors, int count)
{
    size_t bytes = 1;
    for (int i = 0; i < count; i++) bytes += strlen(factors[i]->name ? factors[i]->name : "?") + strlen(SEPARATOR);
    return bytes;
}

/* Writes "exp x cayley"; the text has enough room. */
static void write_name(char *name, const lg_retraction *const *factors, int count)
{
    for (int i = 0; i < count; i++) {
        const char *factor = factors[i]->name ? factors[i]->name : "?";
        const size_t separator = i > 0 ? strlen(SEPARATOR) : 0, length = strlen(factor);
        memcpy(name, SEPARATOR, separator);
        memcpy(name + separator, factor, length);
        name += separator + length;
    }
    *name = '\0';
}

lg_status lg_retraction_create_product(lg_retraction **r, const lg_retraction *const *factors, int count)
{
    if (!r) return LG_ERROR_ARGUMENT;
    *r = NULL;
    if (!factors || count < 1) return LG_ERROR_ARGUMENT;
    for (int i = 0; i < count; i++)
        if (!factors[i] || !factors[i]->tau || !factors[i]->dtau_inv) return LG_ERROR_ARGUMENT;

    const size_t pointers = (size_t)count * sizeof *factors;
    product *p = calloc(1, sizeof *p + pointers + name_bytes(factors, count));
    if (!p) return LG_ERROR_MEMORY;
    char *name = (char *)p + sizeof *p + pointers;
    write_name(name, factors, count);
    memcpy(p->factors, factors, pointers);
    p->base = PRODUCT;
    p->base.name = name;
    p->base.context = p; /* marks a product that is ours to free */
    p->base.count = count;
    p->base.factors = p->factors;
    for (int i = 0; i < count; i++) p->base.flags &= factors[i]->flags;
    *r = &p->base;
    return LG_OK;
}

void lg_retraction_destroy(lg_retraction *r)
{
    if (r && r->kind == LG_RETRACTION_PRODUCT && r->context == r) free(r);
}
