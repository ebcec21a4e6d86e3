/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a run, as text. */
#ifndef LIEGRP_CLI_SUMMARY_H
#define LIEGRP_CLI_SUMMARY_H

#include "cli/lib/mechanism.h"

/* Prints them to standard error, with warnings where the step does not resolve the motion and where the normal part
 * signals the parasitic mode. The account is that of the motion at its end; `normal_most` is the largest normal part of
 * all rows. */
void cli_summary(const cli_system *S, const lg_motion_options *o, const lg_run_result *f, const lg_account *account,
                 double normal_most);
/* The figures of --monitor. */
void cli_summary_monitor(const lg_monitor *m);

enum { CLI_PROBE_STEPS = 100 };

/* Results of --probe at the end of a run; a figure is undefined if its status is not LG_OK. */
typedef struct cli_probes {
    lg_status reversibility_status, determinant_status, growth_status;
    double reversibility, determinant, growth;
    int multipliers; /* parasitic ones */
} cli_probes;

/* An lg_observer with cli_probes as context. */
int cli_probe(const lg_motion *mo, void *context);
void cli_summary_probes(const cli_probes *q);

#endif
