/* SPDX-License-Identifier: BSD-3-Clause */
/* Ad*_g p = (Ad_g)^T p for every group: by its coAd if it has one, else through the matrix of Ad. */
#ifndef LIEGRP_SRC_GROUPS_COADJOINT_H
#define LIEGRP_SRC_GROUPS_COADJOINT_H

#include <liegrp/groups/group.h>

#include "base/dense.h"

/* out = Ad*_g p. M holds n x n numbers where the group has no coAd; `out` is not p. */
static inline lg_status lg_coadjoint(const lg_group *G, double *out, const double *g, const double *p, double *M,
                                     void *work)
{
    if (G->coAd) return G->coAd(G, out, g, p, work);
    lg_status status = G->Ad(G, M, g, work);
    if (status == LG_OK) lg_matvec_transposed(out, M, p, G->dim, G->dim);
    return status;
}

#endif
