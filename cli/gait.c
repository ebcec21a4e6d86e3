/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp gait: the motion that closes, up to a displacement, at the least cost, and runs of it. */
#include <math.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/lib/choice.h"
#include "cli/lib/forces.h"
#include "cli/lib/names.h"
#include "cli/optimise.h"

enum {
    O_MOVES,
    O_PERIOD,
    O_STEPS,
    O_SWING,
    O_REST,
    O_PERIODS,
    O_LIMIT,
    O_EFFORT,
    O_FREE_PERIOD,
    O_TIME_WEIGHT,
    O_PARAM,
    O_INIT,
    O_OUTPUT,
    O_CONTROLS,
    O_PLOT,
    O_PLOT_COLUMNS,
    O_VIEW,
    O_ITERATIONS,
    O_PRECISION,
    O_METHOD,
    O_RETRACTION,
    O_PROJECT,
    O_EVERY,
    O_FORMAT,
    O_FLOATING,
    O_WHEEL,
    O_MOTOR,
    O_FORCE,
    O_LEAST_INERTIA,
    O_IGNORE,
    O_KEY,
    O_WITHIN,
    O_PACKAGE,
    O_SENSORS,
    O_GRAVITY,
    O_NO_ACCURACY,
    O_FROM,
    O_ALLOW,
    O_NO_PROVENANCE,
    O_QUIET,
    O_COUNT
};

static const cli_option options[] = {
    [O_MOVES] = {"moves", "NAME=VALUE,...", "what a period adds to positions; `free` for any; repeatable"},
    [O_PERIOD] = {"period", "T", "how long a period takes; with --free-period where the iteration begins"},
    [O_STEPS] = {"steps", "N", "number of steps of a period, during which controls are constant; default 40"},
    [O_SWING] = {"swing", "NAME=AMPLITUDE[:PHASE],...", "the iteration begins with sines of positions; repeatable"},
    [O_REST] = {"rest", NULL, "a period starts and ends at rest, in the shape that --init says"},
    [O_PERIODS] = {"periods", "K", "runs so many periods, default 1"},
    [O_LIMIT] = OPTIMISE_LIMIT_OPTION,
    [O_EFFORT] = OPTIMISE_EFFORT_OPTION,
    [O_FREE_PERIOD] = {"free-period", "LOW:HIGH", "the optimum chooses the period, between these"},
    [O_TIME_WEIGHT] = {"time-weight", "W", "cost of a unit of a free period, default 0"},
    [O_PARAM] = CLI_PARAM_OPTION,
    [O_INIT] = {"init", "NAME=VALUE", "where a period starts, and its phase; velocities are a first guess; repeatable"},
    [O_OUTPUT] = OPTIMISE_OUTPUT_OPTION,
    [O_CONTROLS] = {"controls", "FILE", "writes the controls of a period as CSV: time, and a column for each"},
    [O_PLOT] = CLI_PLOT_OPTION,
    [O_PLOT_COLUMNS] = OPTIMISE_PLOT_COLUMNS_OPTION,
    [O_VIEW] = OPTIMISE_VIEW_OPTION,
    [O_ITERATIONS] = OPTIMISE_ITERATIONS_OPTION,
    [O_PRECISION] = OPTIMISE_PRECISION_OPTION,
    [O_METHOD] = CLI_METHOD_OPTION,
    [O_RETRACTION] = CLI_RETRACTION_OPTION,
    [O_PROJECT] = {"project", NULL, "projects the start onto the constraints"},
    [O_EVERY] = CLI_EVERY_OPTION,
    [O_FORMAT] = CLI_FORMAT_OPTION,
    [O_FLOATING] = CLI_FLOATING_OPTION,
    [O_WHEEL] = CLI_WHEEL_OPTION,
    [O_MOTOR] = CLI_MOTOR_OPTION,
    [O_FORCE] = CLI_FORCE_OPTION,
    [O_LEAST_INERTIA] = CLI_LEAST_INERTIA_OPTION,
    [O_IGNORE] = CLI_IGNORE_OPTION,
    [O_KEY] = CLI_KEY_OPTION,
    [O_WITHIN] = CLI_WITHIN_OPTION,
    [O_PACKAGE] = CLI_PACKAGE_OPTION,
    [O_SENSORS] = CLI_SENSORS_OPTION,
    [O_GRAVITY] = CLI_GRAVITY_OPTION,
    [O_NO_ACCURACY] = CLI_NO_ACCURACY_OPTION,
    [O_FROM] = CLI_FROM_OPTION,
    [O_ALLOW] = CLI_ALLOW_OPTION,
    [O_NO_PROVENANCE] = CLI_NO_PROVENANCE_OPTION,
    [O_QUIET] = OPTIMISE_QUIET_OPTION,
    [O_COUNT] = {NULL, NULL, NULL},
};

/* Options of models alone, and of mechanisms alone. */
static const int of_models[] = {O_FORCE, -1};
static const int of_mechanisms[] = {O_FLOATING, O_WHEEL,   O_MOTOR,   O_LEAST_INERTIA, O_IGNORE, O_KEY,
                                    O_WITHIN,   O_PACKAGE, O_SENSORS, O_GRAVITY,       -1};

/* Options that do not change the rows. */
static const int idle[] = {O_OUTPUT,      O_FORMAT, O_CONTROLS, O_PLOT,          O_PLOT_COLUMNS, O_VIEW,
                           O_NO_ACCURACY, O_FROM,   O_ALLOW,    O_NO_PROVENANCE, O_QUIET,        -1};
static const cli_origin_kind origin = {"gait", options, idle, O_FROM, O_ALLOW, O_OUTPUT, O_FORMAT, O_PLOT, O_VIEW, -1};

static const cli_item exits[] = {{"0", "success"},
                                 {"1", "no gait was found"},
                                 {"2", "wrong use, or a file that cannot be written"},
                                 {"3", "the run with the controls failed, the rows so far are kept"},
                                 {"130", "stopped by Ctrl-C"},
                                 {NULL, NULL}};

const cli_manual cli_gait_manual = {
    .command = "gait",
    .summary = "finds the gait of least cost: a motion that ends as it starts, but displaced",
    .usage = "liegrp gait SYSTEM --moves NAME=VALUE,... --period T [OPTION...]\n"
             "liegrp gait --from FILE --output FILE",
    .text = "Finds controls, constant during each step, and a start, with which a period of the motion ends in its own "
            "start, displaced as --moves says, at the least cost: half the integral of the sum of WEIGHT u^2 plus W "
            "times the period. Shape and velocities come back; of the start its place and its phase are given, the "
            "rest is found. The gait is then run: output, pictures and pages are those of `liegrp run`.\n\n"
            "--moves takes names of positions, which `liegrp info SYSTEM` lists. Those that it does not name come "
            "back. Only such can be displaced on which nothing depends, as the place of a robot on a plane.",
    .options = options,
    .notes = "The summary goes to standard error: cost, iterations, what a period moves, controls that are at their "
             "limits, how well the run closes, and the stability of the gait under its controls: its Floquet "
             "multipliers, the factors by which deviations grow in a period. Displacements have the multiplier 1.\n\n"
             "A system that coasts without friction needs no controls; with --rest it starts and ends at rest. "
             "A system of the catalog without controls gets them by --force, a mechanism by --motor.\n\n"
             "The optimum is a local one; another --swing may lead to another.",
    .exits = exits,
    .examples = "liegrp gait snakeboard --force rotor=xi_4-xi_3 --force axles=xi_5 --moves x=1 --period 5 --rest "
                "--init phi=0 --init theta=0 --view board.html",
    .words = cli_any_system_at,
    .files = 1,
    .common = O_VIEW + 1,
};

/* The command line ------------------------------------------------------------------------------------------------- */

static int read_option(optimise_job *j, int option, const char *value)
{
    double period;
    const cli_target targets[] = {{O_PERIOD, .number = &period, .text = &j->run.time},
                                  {O_STEPS, .count = &j->run.o.run.steps, .low = 1, .high = 1000000},
                                  {O_PERIODS, .count = &j->periods, .low = 1, .high = 1000},
                                  {O_REST, .flag = &j->rests},
                                  {O_FREE_PERIOD, .text = &j->free_time},
                                  {O_TIME_WEIGHT, .number = &j->weight, .flag = &j->weighed},
                                  {O_CONTROLS, .text = &j->controls_file},
                                  {O_ITERATIONS, .count = &j->iterations, .low = 1, .high = 1000000},
                                  {O_PRECISION, .number = &j->precision},
                                  {.option = CLI_END}};
    const int status = cli_put("gait", options, targets, option, value);
    if (status == CLI_WELL && option == O_PRECISION && !(j->precision >= 1e-14 && j->precision <= 0.1))
        return cli_wrong("gait", "--precision must be from 1e-14 to 0.1, got '%s'", value);
    return status == CLI_WELL && option != O_STEPS ? run_job_option(&j->run, option, value) : status;
}

/* Checks that involve several options, and the system. */
static int settle(optimise_job *j, int argc, char **argv)
{
    run_job *run = &j->run;
    int status = run_job_open(run, argc, argv, of_models, of_mechanisms);
    if (status != CLI_WELL) return status;
    j->c = run->S.kind->controls(&run->S);
    if (j->c == 0)
        return cli_wrong("gait", "%s has no %s", run->S.name,
                         run->S.R != NULL ? "motors that could move it; add them by --motor JOINT"
                                          : "controls that could move it; add them by --force NAME=VELOCITY");
    if (run->S.R == NULL) run->o.motion.start = LG_START_LEGENDRE; /* with the momentum that the gait begins with */
    status = run_job_values(run, argc, argv, &run->S);
    if (status == CLI_WELL) status = cli_open_again("gait", &run->S, run->system, &j->to);
    if (status == CLI_WELL) status = cli_set_values("gait", options, O_PARAM, O_INIT, argc, argv, &j->to);
    if (status == CLI_WELL) status = gait_read_target(j, argc, argv);
    if (status == CLI_WELL) status = optimise_read_controls(j, argc, argv);
    const cli_named_file own = {"--controls", j->controls_file};
    return status == CLI_WELL ? run_job_files(run, argc, argv, own) : status;
}

static int make(optimise_job *j)
{
    int status = optimise_solve(j);
    if (status == CLI_WELL) status = gait_begin(j);
    if (status == CLI_WELL) status = optimise_write_controls(j);
    if (status != CLI_WELL) return status;
    if (!j->run.quiet) optimise_print(j), gait_print(j);
    j->run.view.add = optimise_add_charts, j->run.view.add_context = j;
    j->run.o.ended = gait_miss, j->run.o.ended_context = j;
    status = run_job_run(&j->run);
    if (status == CLI_WELL && !j->run.quiet) gait_print_end(j);
    return status;
}

int cli_gait(int argc, char **argv)
{
    optimise_job j;
    memset(&j, 0, sizeof j);
    int status = run_job_begin(&j.run, &origin, &argc, &argv);
    cli_parser p = cli_begin("gait", options, argc, argv);
    j.run.o.run.steps = 40, j.iterations = 200, j.precision = 1e-9, j.periods = 1, j.closes = 1;
    j.missed = (double)NAN;
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_HELP) {
            optimise_end(&j);
            return cli_print_help(&cli_gait_manual);
        }
        status = found == CLI_BAD ? CLI_WRONG_USE : read_option(&j, found, p.value);
    }
    if (status == CLI_WELL) status = settle(&j, argc, argv);
    if (status == CLI_WELL) status = make(&j);
    optimise_end(&j);
    return cli_flush("gait", status);
}
