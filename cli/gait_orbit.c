/* SPDX-License-Identifier: BSD-3-Clause */
/* The orbit that was found: where a run of it starts and ends, and how deviations from it grow. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/run/trajectory.h>

#include "cli/lib/print.h"
#include "cli/lib/terminal.h"
#include "cli/optimise.h"
#include "run/model_private.h"

/* A multiplier of modulus 1 to this: of a displacement or of a conserved quantity. Those of pairs are the roots of
 * their rounding. */
static const double NEUTRAL = 1e-3;
/* A multiplier of this modulus is 0: of a direction off velocity constraints. */
static const double NOTHING = 1e-9;

/* The start -------------------------------------------------------------------------------------------------------- */

/* The first node becomes the initial values of the run. */
static lg_status set_start(optimise_job *j)
{
    const cli_system *S = &j->run.S;
    lg_motion *mo = j->begins.mo;
    const double *g = lg_optimum_configurations(j->o), *p = lg_optimum_momenta(j->o);
    lg_integrator *it = S->R != NULL ? NULL : lg_motion_integrator(mo);
    lg_status status = it != NULL ? lg_integrator_start_momentum(it, cli_begins(S), g, p)
                                  : lg_motion_start_joints(mo, cli_begins(S), g, p, 0);
    if (status == LG_OK) status = lg_motion_row(mo, j->start);
    for (int i = 0; status == LG_OK && i < lg_model_column_count(S->M); i++) {
        const lg_column *c = lg_model_column(S->M, i);
        if (c->kind != LG_COLUMN_CONFIGURATION && c->kind != LG_COLUMN_VELOCITY) continue;
        if (S->R != NULL && !S->kind->configures(S, c->name) && c->kind == LG_COLUMN_CONFIGURATION) continue;
        status = S->kind->set(S, c->name, j->start[i], 1);
    }
    return status;
}

/* The multipliers of a period from this start; a build without LAPACK has none. */
static lg_status measure(optimise_job *j, lg_motion *mo)
{
    lg_trajectory *tr;
    lg_status status = lg_trajectory_of_motion(&tr, mo, lg_optimum_steps(j->o));
    if (status == LG_OK) status = lg_trajectory_run(tr, lg_optimum_controls(j->o));
    if (status == LG_OK) {
        j->multipliers = lg_trajectory_deviations(tr);
        j->re = calloc(2 * (size_t)j->multipliers, sizeof *j->re);
        j->im = j->re + j->multipliers;
        status = j->re != NULL ? lg_trajectory_multipliers(tr, j->re, j->im) : LG_ERROR_MEMORY;
    }
    lg_trajectory_destroy(tr);
    return status;
}

int gait_begin(optimise_job *j)
{
    cli_instance again = {0};
    const char *message;
    if (set_start(j) != LG_OK)
        return cli_wrong(j->run.command, "the start of the gait: %s", j->run.S.kind->message(&j->run.S));
    const lg_status status = cli_instance_make(&again, &j->run.S, &j->run.o.motion, j->run.o.project, &message);
    if (status == LG_OK) j->unmeasured = measure(j, again.mo) != LG_OK;
    cli_instance_free(&again);
    return status == LG_OK ? CLI_WELL : cli_wrong(j->run.command, "the start of the gait: %s", message);
}

/* The end ---------------------------------------------------------------------------------------------------------- */

/* The largest component of the logarithm of where a system's configuration is from where its periods lead. */
static double off_system(const optimise_job *j, const double *g)
{
    const lg_group *G = j->run.S.M->group;
    double *at = calloc((size_t)(2 * j->e + j->n), sizeof *at), *step = at + j->e, *log = step + j->e, most = 0;
    const double *first = lg_optimum_configurations(j->o),
                 *last = first + (size_t)lg_optimum_steps(j->o) * (size_t)j->e;
    lg_status status = at != NULL ? lg_group_inverse(G, step, first) : LG_ERROR_MEMORY;
    if (status == LG_OK) status = lg_group_compose(G, step, last, step); /* of a period */
    if (status == LG_OK) memcpy(at, first, (size_t)j->e * sizeof *at);
    for (int64_t k = 0; status == LG_OK && k < j->periods; k++) status = lg_group_compose(G, at, step, at);
    if (status == LG_OK) status = lg_group_inverse(G, at, at);
    if (status == LG_OK) status = lg_group_compose(G, at, at, g);
    if (status == LG_OK) status = lg_group_log(G, log, at);
    for (int i = 0; status == LG_OK && i < j->n; i++) most = fmax(most, fabs(log[i]));
    free(at);
    return status == LG_OK ? most : (double)NAN;
}

static double off_joints(const optimise_job *j, const double *q)
{
    const double *first = lg_optimum_configurations(j->o),
                 *last = first + (size_t)lg_optimum_steps(j->o) * (size_t)j->n;
    double most = 0;
    for (int i = 0; i < j->n; i++) most = fmax(most, fabs(q[i] - first[i] - (double)j->periods * (last[i] - first[i])));
    return most;
}

/* What a period moves: columns that --moves names, and others that moved by themselves. */
static void print_moves(const optimise_job *j, const lg_motion *mo)
{
    const int columns = lg_model_column_count(j->run.S.M);
    double *row = calloc((size_t)columns, sizeof *row);
    int said = 0;
    for (int i = 0; row != NULL && lg_motion_row(mo, row) == LG_OK && i < columns; i++) {
        const lg_column *c = lg_model_column(j->run.S.M, i);
        const double by = (row[i] - j->start[i]) / (double)j->periods;
        if (c->kind != LG_COLUMN_CONFIGURATION || !(j->named[i] || fabs(by) > 1e-6)) continue;
        cli_print(stderr, "%s %s by %.6g", said++ ? "," : "a period moves", c->name, by);
    }
    if (said) fputc('\n', stderr);
    free(row);
}

void gait_miss(const lg_motion *mo, void *context)
{
    optimise_job *j = context;
    const int joints = j->run.S.R != NULL;
    double *g = calloc((size_t)(j->e + 2 * j->n), sizeof *g), *p = g + j->e;
    if (g != NULL && (joints ? lg_motion_positions(mo, g, p) : lg_motion_state(mo, g, NULL, p)) == LG_OK) {
        const double *first = lg_optimum_momenta(j->o);
        if (!j->run.quiet) print_moves(j, mo);
        j->missed = joints ? off_joints(j, g) : off_system(j, g), j->speed = 0;
        for (int i = 0; i < j->n; i++) j->speed = fmax(j->speed, fabs(p[i] - first[i]));
    }
    free(g);
}

/* Words ------------------------------------------------------------------------------------------------------------ */

static void print_stability(const optimise_job *j)
{
    double most = 0, at = 0;
    int neutral = 0;
    for (int i = 0; i < j->multipliers; i++) {
        const double modulus = hypot(j->re[i], j->im[i]);
        if (fabs(modulus - 1) < NEUTRAL)
            neutral++;
        else if (modulus > most)
            most = modulus, at = j->im[i];
    }
    cli_print(stderr, "stability: %d of %d multipliers are 1 in modulus", neutral, j->multipliers);
    if (most < NOTHING)
        fputs(", the others are 0\n", stderr);
    else
        cli_print(stderr, ", the largest of the others is %.6g%s: %s\n", most, at != 0 ? " (a complex pair)" : "",
                  most > 1 ? "unstable, a deviation grows by that in a period"
                           : "deviations shrink by that in a period");
}

void gait_print(const optimise_job *j)
{
    if (j->unmeasured)
        fputs("stability: not known, the library was built without LAPACK\n", stderr);
    else
        print_stability(j);
}

void gait_print_end(const optimise_job *j)
{
    static const double CLOSE = 1e-6;
    if (isnan(j->missed)) return;
    cli_print(stderr, "closed: after %lld period%s to %.2g, momenta to %.2g\n", (long long)j->periods,
              j->periods == 1 ? "" : "s", j->missed, j->speed);
    if (j->missed <= CLOSE && j->speed <= CLOSE) return;
    cli_mark(stderr, CLI_WARNING, "warning");
    fputs("the run with these controls leaves the gait: it is unstable, and amplifies rounding; --precision 1e-12 or "
          "fewer --periods may help\n",
          stderr);
}
