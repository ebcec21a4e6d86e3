/* SPDX-License-Identifier: BSD-3-Clause */
/* The solution of the problem, seen iteration by iteration, and its controls in the run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/choice.h"
#include "cli/lib/print.h"
#include "cli/lib/progress.h"
#include "cli/lib/text.h"
#include "cli/optimise.h"

/* The problem ------------------------------------------------------------------------------------------------------ */

static lg_status create(optimise_job *j)
{
    const lg_motion_options *motion = &j->run.o.motion;
    const lg_system *system = NULL;
    lg_status status = j->run.S.R != NULL ? LG_OK : lg_model_system(j->run.S.M, &system);
    if (status != LG_OK) return status;
    lg_optimum_problem p = lg_optimum_problem_default(system);
    p.mechanism = lg_model_mechanism(lg_motion_model(j->begins.mo));
    p.method = motion->method, p.retraction = motion->retraction;
    p.steps = (int)j->run.o.run.steps, p.degree = j->degree;
    p.time = j->time, p.time_low = j->time_low, p.time_high = j->time_high, p.time_weight = j->weight;
    p.effort = j->effort, p.control_low = j->low, p.control_high = j->high;
    p.start_g = j->start_g, p.start_p = j->start_p;
    p.target_g = j->target_g, p.target_p = j->closes ? NULL : j->target_p, p.target_rows = j->row;
    p.closes = j->closes, p.start_free = j->start_free;
    p.state_low = j->state_low, p.state_high = j->state_high;
    if (j->freed > 0)
        p.parameter_free = j->parameter_free, p.parameter_low = j->parameter_low, p.parameter_high = j->parameter_high;
    p.clearances = j->avoid, p.clearance_count = j->avoided;
    return lg_optimum_create(&j->o, &p);
}

/* All nodes at the start. */
static lg_status guess_rest(optimise_job *j)
{
    const size_t nodes = (size_t)lg_optimum_steps(j->o) + 1, e = (size_t)j->e, n = (size_t)j->n;
    double *g = calloc(nodes * (e + n), sizeof *g), *p = g + nodes * e;
    if (g == NULL) return LG_ERROR_MEMORY;
    for (size_t k = 0; k < nodes; k++) {
        memcpy(g + k * e, j->start_g, e * sizeof *g);
        memcpy(p + k * n, j->start_p, n * sizeof *p);
    }
    const lg_status status = lg_optimum_guess(j->o, g, p, NULL, 0);
    free(g);
    return status;
}

static lg_status guess(optimise_job *j)
{
    if (j->closes) return gait_guess(j);
    return j->guess != NULL && strcmp(j->guess, "rest") == 0 ? guess_rest(j) : LG_OK; /* a line is there */
}

/* Iterations ------------------------------------------------------------------------------------------------------- */

/* A line of progress, and a point for the page. */
static int watch(const lg_optimum *o, void *context)
{
    optimise_job *j = context;
    lg_optimum_figures f;
    char line[160];
    if (lg_optimum_read(o, &f, sizeof f) != LG_OK) return 0;
    if (j->points == j->room) {
        const int room = j->room == 0 ? 32 : 2 * j->room;
        optimise_point *more = realloc(j->point, (size_t)room * sizeof *more);
        if (more == NULL) return 1;
        j->point = more, j->room = room;
    }
    j->point[j->points++] = (optimise_point){f.cost, f.defect, f.end};
    snprintf(line, sizeof line, "%.40s: iteration %d, cost %.6g, defect %.1e, end %.1e", j->run.S.name, f.iterations,
             f.cost, f.defect, f.end);
    if (!j->run.quiet) cli_tick(&j->drawn, line, cli_now() - j->began);
    return cli_caught() != 0;
}

/* lg_controller: the polynomials of the step that begins here. */
static int steer(const lg_motion *mo, double *u, void *context)
{
    const optimise_job *j = context;
    const size_t numbers = (size_t)(j->c * ((int)j->degree + 1));
    const int64_t k = lg_motion_step_index(mo), last = lg_optimum_steps(j->o) - 1;
    memcpy(u, lg_optimum_controls(j->o) + (size_t)(k < last ? k : last) * numbers, numbers * sizeof *u);
    return 0;
}

/* The controls of step k hold from t_k on, or are given at nodes in it; in each period of a gait. */
static int hold(optimise_job *j)
{
    const int steps = lg_optimum_steps(j->o), nodes = (int)j->degree + 1;
    const double *u = lg_optimum_controls(j->o), h = j->f.time / steps;
    double node[8] = {0};
    cli_controls *held = &j->run.controls;
    held->count = j->c;
    held->of = calloc((size_t)j->c, sizeof *held->of);
    if (held->of == NULL) return cli_wrong(j->run.command, "out of memory");
    if (j->degree > 0) {
        lg_status_ignore(lg_control_nodes((int)j->degree, node, NULL));
        j->run.o.run.control = steer, j->run.o.run.control_context = j;
        j->run.o.run.control_degree = j->degree;
    }
    for (int i = 0; i < j->c; i++) {
        held->of[i].given = j->degree == 0, held->of[i].table.columns = 1;
        for (int64_t k = 0; k < nodes * steps * j->periods; k++) {
            const double t = cli_begins(&j->run.S) + ((double)(k / nodes) + node[k % nodes]) * h;
            if (!cli_table_add(&held->of[i].table, t, &u[k % (nodes * steps) * j->c + i]))
                return cli_wrong(j->run.command, "out of memory");
        }
    }
    j->run.o.motion.step = h, j->run.o.run.steps = steps * j->periods;
    return CLI_WELL;
}

static lg_status iterate(optimise_job *j)
{
    const lg_status status = lg_optimum_solve(j->o, (int)j->iterations, j->precision);
    cli_erase_bar(j->drawn);
    lg_status_ignore(lg_optimum_read(j->o, &j->f, sizeof j->f));
    return status;
}

/* Without --guess: from the start, if the line led to nothing. What is said of a failure is what was said of the line.
 */
static lg_status iterate_again(optimise_job *j)
{
    char message[LG_MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s", lg_optimum_message(j->o));
    j->points = 0, j->again = 1;
    lg_status status = guess_rest(j);
    if (status == LG_OK) status = iterate(j);
    if (status != LG_OK && cli_caught() == 0) optimise_print_failure(j, status, message);
    return status;
}

int optimise_solve(optimise_job *j)
{
    lg_status status = create(j);
    if (status == LG_OK) status = guess(j);
    if (status != LG_OK) {
        optimise_print_failure(j, status, lg_optimum_message(j->o));
        return CLI_WRONG_USE;
    }
    cli_catch_signals();
    j->began = cli_now();
    lg_optimum_watch(j->o, watch, j);
    status = iterate(j);
    if (status == LG_ERROR_CONVERGENCE && j->guess == NULL && !j->closes && cli_caught() == 0)
        status = iterate_again(j);
    else if (status != LG_OK && cli_caught() == 0)
        optimise_print_failure(j, status, lg_optimum_message(j->o));
    if (status == LG_OK) return hold(j);
    if (cli_caught() == 0) return CLI_FAILED;
    cli_print(stderr, "liegrp %s: interrupted after %d iterations\n", j->run.command, j->f.iterations);
    return 128 + cli_caught();
}

/* --controls ------------------------------------------------------------------------------------------------------- */

static void write_controls(FILE *f, const void *context)
{
    const optimise_job *j = context;
    const double *u = lg_optimum_controls(j->o);
    const int rows = lg_optimum_steps(j->o) * ((int)j->degree + 1);
    char number[TEXT_NUMBER];
    fputc('t', f);
    for (int i = 0; i < j->c; i++) {
        cli_column c;
        cli_control_of(&c, &j->run.S, i);
        fputc(',', f);
        text_csv(f, c.name);
    }
    for (int k = 0; k < rows; k++) {
        fprintf(f, "\n%s", text_number(number, j->run.controls.of[0].table.times[k]));
        for (int i = 0; i < j->c; i++) fprintf(f, ",%s", text_number(number, u[k * j->c + i]));
    }
    fputc('\n', f);
}

int optimise_write_controls(const optimise_job *j)
{
    return j->controls_file != NULL ? cli_file_write(j->run.command, j->controls_file, write_controls, j) : CLI_WELL;
}
