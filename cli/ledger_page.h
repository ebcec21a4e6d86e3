/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of the manual on the ledger: Markdown from what was measured. */
#ifndef LIEGRP_CLI_LEDGER_PAGE_H
#define LIEGRP_CLI_LEDGER_PAGE_H

#include "claims/framework/claims.h"

/* Prints it to standard output. */
void cli_ledger_page(const claim *const *chosen, const claim_report *reports, int count);

#endif
