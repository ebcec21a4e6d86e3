/* SPDX-License-Identifier: BSD-3-Clause */
/* [P4]: the momentum equation, Noether, the almost-Poisson bracket. */
#include "claims/harness.h"

const claim claims_survey_momentum[] = {
    {0},
};
