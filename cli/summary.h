/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a run, for people. */
#ifndef LIEGRP_CLI_SUMMARY_H
#define LIEGRP_CLI_SUMMARY_H

#include <liegrp/liegrp.h>

/* Prints them to standard error, with a warning where the normal part signals the parasitic mode. `normal_most` is the
 * largest normal part of all rows. */
void cli_summary(const lg_model *M, const lg_run_options *o, const lg_run_result *f, double normal_most);

#endif
