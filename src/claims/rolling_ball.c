/* SPDX-License-Identifier: BSD-3-Clause */
/* [P2] section 7.4: the rolling ball, its figures, and the Chaplygin sphere. */
#include "claims/harness.h"

const claim claims_rolling_ball[] = {
    {0},
};
