/* SPDX-License-Identifier: BSD-3-Clause */
/* [P4]: the Chaplygin sleigh, Suslov, and measures of Euler-Poincare equations. */
#include "claims/harness.h"

const claim claims_survey_stability[] = {
    {0},
};
