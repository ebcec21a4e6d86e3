/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a sweep, as text. */
#include "cli/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cli/lib/choice.h"
#include "cli/lib/print.h"
#include "cli/lib/terminal.h"

/* "instance 17 (param_Omega = 3)" */
static void print_point(const cli_sweep_end *j, int64_t i)
{
    double values[CLI_RANGES];
    cli_grid_point(&j->sweep->grid, i, values);
    fprintf(stderr, "instance %" PRId64 " (", i);
    for (int k = 0, v = 0; k < j->sweep->grid.ranges; k++) {
        const cli_range *r = &j->sweep->grid.range[k];
        if (!r->swept) continue;
        cli_print(stderr, "%s%s = %.10g", v > 0 ? ", " : "", r->name, values[v]);
        v++;
    }
    fputc(')', stderr);
}

static void print_failures(const cli_sweep_end *j)
{
    const cli_tally *t = j->tally;
    const int all = t->failed == t->instances;
    cli_mark(stderr, all ? CLI_ERROR : CLI_WARNING, all ? "error" : "warning");
    cli_print(stderr, "%" PRId64 " of %" PRId64 " instance%s failed\n", t->failed, t->instances,
              t->instances == 1 ? "" : "s");
    for (int s = LG_OK + 1; s < LG_STATUS_COUNT; s++) {
        if (t->by_status[s] == 0) continue;
        cli_print(stderr, "  %" PRId64 " with status %d, %s\n", t->by_status[s], s, lg_status_text((lg_status)s));
    }
    for (int k = 0; k < t->described; k++) {
        fputs("  ", stderr);
        print_point(j, t->failure[k].instance);
        fputs(": ", stderr);
        cli_print_message(t->failure[k].status, t->failure[k].message);
        fputc('\n', stderr);
    }
    if (t->failed > t->described) fprintf(stderr, "  and %" PRId64 " more\n", t->failed - t->described);
}

static void print_figure(const cli_sweep_end *j, const char *what, double value, int64_t at)
{
    if (value < 0) return;
    cli_print(stderr, "%s = %.3g, at ", what, value);
    print_point(j, at);
    fputc('\n', stderr);
}

static void print_resolution(const cli_sweep_end *j)
{
    const cli_tally *t = j->tally;
    if (t->unresolved == 0) return;
    cli_mark(stderr, CLI_WARNING, "warning");
    cli_print(stderr, "the step does not resolve the motion of %" PRId64 " of %" PRId64 " instances%s; worst ",
              t->unresolved, t->examined, t->examined < t->instances ? " that were examined" : "");
    print_point(j, t->unresolved_at);
    if (isfinite(t->worst))
        fprintf(stderr, ": smaller steps differ by %.2g %% of the motion in a step\n", 100 * t->worst);
    else
        fputs(": smaller steps fail\n", stderr);
}

/* "SYSTEM, METHOD, h = H: N instances of M steps in S s, NS ns per step and instance"; states where steps are found. */
static void print_steps(const cli_sweep_end *j)
{
    const cli_tally *t = j->tally;
    const cli_system *S = &j->sweep->S;
    const lg_ensemble_options *e = &j->sweep->e;
    const char *what = e->tolerance != 0 ? "state" : "step";
    cli_print(stderr, "%s, %s, %s%s", S->name, e->method, S->R == NULL ? e->retraction : "", S->R == NULL ? ", " : "");
    if (e->tolerance != 0)
        fprintf(stderr, "tolerance %g", e->tolerance);
    else
        fprintf(stderr, "h = %.10g", e->step);
    cli_print(stderr, ": %" PRId64 " instance%s of %" PRId64 " %ss", t->instances, t->instances == 1 ? "" : "s",
              j->sweep->steps, what);
    if (e->tolerance != 0) fprintf(stderr, " every %.10g", e->step);
    fprintf(stderr, " in %.3g s", j->seconds);
    if (t->steps > 0) cli_print(stderr, ", %.3g ns per %s and instance", 1e9 * j->seconds / (double)t->steps, what);
}

void cli_sweep_summary(const cli_sweep_end *j)
{
    const cli_tally *t = j->tally;
    const cli_system *S = &j->sweep->S;
    print_steps(j);
    fputs(" (", stderr);
    if (j->ranks > 1) fprintf(stderr, "%d ranks, ", j->ranks);
    cli_print(stderr, "%d thread%s", j->threads, j->threads == 1 ? "" : "s");
    if (j->width > 0) fprintf(stderr, ", width %d", j->width);
    fputs(")\n", stderr);
    print_figure(j, "energy: largest |H - H_0|", t->drift, t->drift_at);
    if (S->kind->constrained(S)) print_figure(j, "constraints: largest residual", t->constraint, t->constraint_at);
    print_figure(j, "warning: impacts added energy, poisson adds none: most in J", t->gain, t->gain_at);
    print_resolution(j);
    if (t->failed > 0) print_failures(j);
}
