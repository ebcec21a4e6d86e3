/* SPDX-License-Identifier: BSD-3-Clause */
/* The two halves of the claim along-a-run: claims/consistency/along_run.c, claims/consistency/along_run_figures.c. */
#ifndef CLAIMS_ALONG_RUN_H
#define CLAIMS_ALONG_RUN_H

#include "claims/framework/harness.h"

/* The methods, one per system in turn. */
const char *claim_run_method(int i);
/* Figures and rows of lg_run() and monitors against those of the steps, for one system; *truncated receives the
 * residual that a truncated tangent leaves in the momentum equation. */
void claim_run_figures(claim_report *r, const claim_system *s, int index, double *truncated);
/* Observed orders of sem. */
void claim_run_orders(claim_report *r, const claim_system *s);
/* Slopes of series that are known. */
void claim_run_trends(claim_report *r);

#endif
