/* SPDX-License-Identifier: BSD-3-Clause */
/* sem with metrics J(g), position constraints, forces and time. */
#include "claims/harness.h"

const claim claims_sem_general[] = {
    {0},
};
