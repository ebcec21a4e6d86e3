/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the claims about the GNI. */
#ifndef CLAIMS_GNI_H
#define CLAIMS_GNI_H

#include "claims/framework/harness.h"

/* All variants that exist for every system. */
enum { CLAIM_GNI_VARIANTS = 6 };
extern const char *const claim_gni_variants[CLAIM_GNI_VARIANTS];
/* `steps`, but at most 100 for one-sided Lagrangians. These shift the normal part by (h/2) dV at every node, in
 * resonance with its root -1: it grows, and where V is steep runs of some hundred steps blow up. */
int claim_gni_steps(const char *variant, int steps);

#endif
