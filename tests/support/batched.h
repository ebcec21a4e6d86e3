/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations on arrays by number, for loops over all of them. Of the public library only. */
#ifndef LG_TESTS_SUPPORT_BATCHED_H
#define LG_TESTS_SUPPORT_BATCHED_H

#include <liegrp/liegrp.h>

enum { BATCHED_OPERATIONS = 12, BATCHED_FIRST = 8 /* those in tests/data/bits.txt */ };

typedef struct batched_arrays {
    double *out;
    const double *xi, *p, *g, *h; /* algebra vectors, momenta, elements, elements */
} batched_arrays;

static inline lg_status batched_operation(int op, const lg_retraction *r, const lg_group *G, const lg_batch *b,
                                          const batched_arrays *a)
{
    switch (op) {
    case 0:
        return lg_batch_tau(r, G, b, a->out, a->xi);
    case 1:
        return lg_batch_tau_inv(r, G, b, a->out, a->g);
    case 2:
        return lg_batch_dtau(r, G, b, a->out, a->xi);
    case 3:
        return lg_batch_dtau_inv(r, G, b, a->out, a->xi);
    case 4:
        return lg_batch_compose(G, b, a->out, a->g, a->h);
    case 5:
        return lg_batch_inverse(G, b, a->out, a->g);
    case 6:
        return lg_batch_Ad(G, b, a->out, a->g);
    case 7:
        return lg_batch_coAd_apply(G, b, a->out, a->g, a->p);
    case 8:
        return lg_batch_Ad_apply(G, b, a->out, a->g, a->p);
    case 9:
        return lg_batch_ad(G, b, a->out, a->xi);
    case 10:
        return lg_batch_ad_apply(G, b, a->out, a->xi, a->p);
    default:
        return lg_batch_coad_apply(G, b, a->out, a->xi, a->p);
    }
}

#endif
