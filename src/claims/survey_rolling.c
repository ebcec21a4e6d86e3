/* SPDX-License-Identifier: BSD-3-Clause */
/* [P4]: the falling disk, the rattleback, rigid bodies and tops. */
#include "claims/harness.h"

const claim claims_survey_rolling[] = {
    {0},
};
