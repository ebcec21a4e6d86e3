/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems on R^s with one holonomic constraint: "plane", "circle", "sphere". */
#ifndef CLAIMS_LEVEL_SETS_H
#define CLAIMS_LEVEL_SETS_H

#include <liegrp/liegrp.h>

/* The i-th; NULL at the end. */
const lg_model_definition *claim_level_set(int i);

#endif
