/* SPDX-License-Identifier: BSD-3-Clause */
/* The one place that knows which group has which tables. */
#include "integrators/engine/workspace.h"

typedef struct list_entry {
    lg_group_kind kind;
    const lg_factor *tables;
} list_entry;

/* clang-format off */
static const list_entry list_entries[] = {
    {LG_KIND_RN, lg_factor_rn},
    {LG_KIND_TORUS, lg_factor_torus},
    {LG_KIND_SO2, lg_factor_so2},
    {LG_KIND_SO3, lg_factor_so3},
    {LG_KIND_SE2, lg_factor_se2},
    {LG_KIND_SE3, lg_factor_se3},
    {LG_KIND_SE23, lg_factor_se23},
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
