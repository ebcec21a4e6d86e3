/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of the ledger. */
#ifndef CLAIMS_LEDGER_H
#define CLAIMS_LEDGER_H

#include "claims/claims.h"

extern const claim claims_retractions[];

#define CLAIM_LISTS claims_retractions

#endif
