/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems beyond the catalog that theorems need: without any symmetry, affine, on SE(3), chaotic, with work, moving. */
#ifndef CLAIMS_EXAMPLES_H
#define CLAIMS_EXAMPLES_H

#include <liegrp/run/model.h>

/* By name, and by number; may be NULL. */
const lg_model_definition *claim_example(const char *name);
const lg_model_definition *claim_example_at(int i);

/* The systems of claims/framework/examples_work.c. */
extern const lg_model_definition claim_example_driven_sleigh, claim_example_steered_blade, claim_example_damped_top,
    claim_example_moving_pivot, claim_example_bead;

#endif
