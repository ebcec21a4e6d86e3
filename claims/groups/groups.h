/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups that claims about groups and retractions loop over. */
#ifndef CLAIMS_GROUPS_H
#define CLAIMS_GROUPS_H

#include "claims/framework/harness.h"

typedef struct claim_groups {
    const lg_group *group[20];
    lg_group *made[12];
    int count, owned;
} claim_groups;

/* Every kind of group, with every class of forms of quadratic groups; close it. */
void claim_groups_open(claim_report *r, claim_groups *all);
void claim_groups_close(claim_groups *all);

#endif
