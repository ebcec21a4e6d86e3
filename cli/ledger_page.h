/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger page of the manual: Markdown from the measurements. */
#ifndef LIEGRP_CLI_LEDGER_PAGE_H
#define LIEGRP_CLI_LEDGER_PAGE_H

#include "claims/framework/claims.h"

/* Prints it to standard output. */
void cli_ledger_page(const claim *const *chosen, const claim_report *reports, int count);

#endif
