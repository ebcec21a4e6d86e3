/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of tables for each group: R^n, T^n, quadratic groups and LG_GROUPS(). */
#include "groups/list.h"
#include "integrators/engine/workspace.h"

#include "integrators/factors/generic.c"
#include "integrators/factors/rn.c"
#include "integrators/factors/se2.c"
#include "integrators/factors/se23.c"
#include "integrators/factors/se3.c"
#include "integrators/factors/so2.c"
#include "integrators/factors/so3.c"
#include "integrators/factors/torus.c"

typedef struct list_entry {
    lg_group_kind kind;
    const lg_factor *tables;
} list_entry;

/* clang-format off */
#define LIST_ENTRY(group, name, n, e, m, turn) {LG_KIND_##group, lg_factor_##name},

static const list_entry list_entries[] = {
    {LG_KIND_RN, lg_factor_rn},
    {LG_KIND_TORUS, lg_factor_torus},
    LG_GROUPS(LIST_ENTRY)
    {LG_KIND_QUADRATIC, lg_factor_quadratic},
    {LG_KIND_PRODUCT, lg_factor_generic}, /* where the inertia couples factors */
    {LG_KIND_USER, lg_factor_generic},    /* the last entry also serves every other group */
};
/* clang-format on */

const lg_factor *lg_factor_choose(const lg_group *G, const lg_retraction *r)
{
    const list_entry *e = list_entries, *last = e + sizeof list_entries / sizeof *e - 1;
    while (e < last && e->kind != G->kind) e++;
    const lg_factor *f = e->tables;
    while (!(f->retractions & 1u << r->kind)) f++;
    return f;
}

int lg_transport_all(lg_workspace *w, const real *W, const real *p, real *out)
{
    const lg_plan *P = w->plan;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (f->group->abelian) { /* Ad* is the identity */
            for (int i = f->offset; i < f->offset + f->n; i++) out[i] = p[i];
            continue;
        }
        if (f->table->transport(w, f, W + f->element_offset, p + f->offset, out + f->offset)) return 1;
    }
    return 0;
}
