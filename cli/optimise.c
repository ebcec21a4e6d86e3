/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp optimise: the controls that bring a system to a target, and the run with them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/lib/choice.h"
#include "cli/lib/forces.h"
#include "cli/lib/names.h"
#include "cli/optimise.h"

enum {
    O_TO,
    O_TIME,
    O_STEPS,
    O_DEGREE,
    O_LIMIT,
    O_EFFORT,
    O_FREE_TIME,
    O_TIME_WEIGHT,
    O_MOVING,
    O_BOUND,
    O_AVOID,
    O_FREE,
    O_PARAM,
    O_INIT,
    O_OUTPUT,
    O_CONTROLS,
    O_PLOT,
    O_PLOT_COLUMNS,
    O_VIEW,
    O_GUESS,
    O_ITERATIONS,
    O_PRECISION,
    O_METHOD,
    O_RETRACTION,
    O_PROJECT,
    O_COMPARE,
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
    [O_TO] = {"to", "NAME=VALUE,...", "where the motion ends: initial values by name, or an attitude; repeatable"},
    [O_TIME] = {"time", "T", "how long it takes; with --free-time where the iteration begins"},
    [O_STEPS] = {"steps", "N", "number of steps, during which controls are constant; default 40"},
    [O_DEGREE] = {"degree", "D", "controls are polynomials of degree D, 0 to 7, inside steps of gauss; default 0"},
    [O_LIMIT] = OPTIMISE_LIMIT_OPTION,
    [O_EFFORT] = OPTIMISE_EFFORT_OPTION,
    [O_FREE_TIME] = {"free-time", "LOW:HIGH", "the optimum chooses the time, between these"},
    [O_TIME_WEIGHT] = {"time-weight", "W", "cost of a unit of a free time, default 0"},
    [O_MOVING] = {"moving", NULL, "leaves the velocities at the end free; without it they are 0, or as --to says"},
    [O_BOUND] = {"bound", "NAME=LOW:HIGH,...", "keeps a position or a velocity within LOW and HIGH; repeatable"},
    [O_AVOID] = {"avoid", "BODY=X,Y,Z,R,...", "keeps a body's origin, or point PX,PY,PZ, out of a ball; repeatable"},
    [O_FREE] = {"free", "NAME[=LOW:HIGH]", "the optimum chooses a parameter, within bounds; repeatable"},
    [O_PARAM] = CLI_PARAM_OPTION,
    [O_INIT] = {"init", "NAME=VALUE", "sets an initial value, as in liegrp run; repeatable"},
    [O_OUTPUT] = OPTIMISE_OUTPUT_OPTION,
    [O_CONTROLS] = {"controls", "FILE", "writes the controls as CSV: time, of a step or node, and a column for each"},
    [O_PLOT] = CLI_PLOT_OPTION,
    [O_PLOT_COLUMNS] = OPTIMISE_PLOT_COLUMNS_OPTION,
    [O_VIEW] = OPTIMISE_VIEW_OPTION,
    [O_GUESS] = {"guess", "line|rest", "where the iteration begins: a line to the target, or the start; default line, then rest"},
    [O_ITERATIONS] = OPTIMISE_ITERATIONS_OPTION,
    [O_PRECISION] = OPTIMISE_PRECISION_OPTION,
    [O_METHOD] = CLI_METHOD_OPTION,
    [O_RETRACTION] = CLI_RETRACTION_OPTION,
    [O_PROJECT] = {"project", NULL, "projects start and target onto the constraints"},
    [O_COMPARE] = {"compare", "SPEC,...", "with --view: repeats the run with these methods and shows them too"},
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
static const int of_models[] = {O_FORCE, O_FREE, -1};
static const int of_mechanisms[] = {O_AVOID, O_FLOATING, O_WHEEL,   O_MOTOR,   O_LEAST_INERTIA, O_IGNORE,
                                    O_KEY,   O_WITHIN,   O_PACKAGE, O_SENSORS, O_GRAVITY,       -1};

/* Options that do not change the rows. */
static const int idle[] = {O_OUTPUT,      O_FORMAT, O_CONTROLS, O_PLOT,          O_PLOT_COLUMNS, O_VIEW, O_COMPARE,
                           O_NO_ACCURACY, O_FROM,   O_ALLOW,    O_NO_PROVENANCE, O_QUIET,        -1};
static const cli_origin_kind origin = {"optimise", options,  idle,   O_FROM, O_ALLOW,
                                       O_OUTPUT,   O_FORMAT, O_PLOT, O_VIEW, -1};

static const cli_item exits[] = {{"0", "success"},
                                 {"1", "no optimum was found"},
                                 {"2", "wrong use, or a file that cannot be written"},
                                 {"3", "the run with the controls failed, the rows so far are kept"},
                                 {"130", "stopped by Ctrl-C"},
                                 {NULL, NULL}};

const cli_manual cli_optimise_manual = {
    .command = "optimise",
    .summary = "finds the controls that bring a system to a target at the least cost, and runs it with them",
    .usage = "liegrp optimise SYSTEM --to NAME=VALUE,... --time T [OPTION...]\n"
             "liegrp optimise --from FILE --output FILE",
    .text =
        "Finds controls, constant during each step, that bring the system from its start to the target at the least "
        "cost, half the integral of the sum of WEIGHT u^2 plus W times the time. The equations are the steps of the "
        "method, so what the method keeps exactly holds in the optimum. The system is then run with these controls: "
        "output, pictures and pages are those of `liegrp run`.\n\n"
        "--to takes the names of initial values, which `liegrp info SYSTEM` lists. Positions that it does not name "
        "are free. Velocities that it does not name end at 0, with --moving they are free.\n\n"
        "With --degree D and --method gauss controls are polynomials inside each step, not constant: the cost converges "
        "with order 2 (D + 1) instead of 2. Limits then hold at D + 1 points of each step, the accuracy of the run is "
        "not measured, and --controls writes the values at these points. Mechanisms hold their controls.",
    .options = options,
    .notes =
        "An angle ends at most half a turn from the start. The components of an attitude, or of a position of a "
        "body that turns, are one condition: name all of them. An attitude may be given by words, as in `--to "
        "axis=0,0,1,angle=90deg`.\n\n"
        "WEIGHT is 1, and for a motor with a limit of its own 1/limit^2, where --effort says nothing else.\n\n"
        "--bound and --avoid hold at the nodes, where steps meet; start and target must satisfy them. "
        "-inf and inf are no bounds. `--avoid hand=0.5,0,1,0.2,0,0,0.1` keeps the point (0, 0, 0.1) of the body "
        "`hand`, in its frame, out of the ball of radius 0.2 about (0.5, 0, 1).\n\n"
        "A parameter that is --free is one that forces or rows read; a constant inertia must not depend on it. The "
        "iteration begins at its value, of --param or the default.\n\n"
        "The optimum is a local one; with `--guess rest` the iteration may find another. The summary goes to "
        "standard error: cost, iterations, how well steps and end hold, controls that are at their limits, and by "
        "how much the run misses the target.",
    .exits = exits,
    .examples =
        "liegrp optimise two-wheeled-robot --to x=1,y=1,theta=0 --time 4 --limit u_1=2,u_2=2 --view parking.html",
    .words = cli_any_system_at,
    .files = 1,
    .common = O_VIEW + 1,
};

/* The command line ------------------------------------------------------------------------------------------------- */

static int read_option(optimise_job *j, int option, const char *value)
{
    static const char *const guesses[] = {"line", "rest", NULL};
    const cli_target targets[] = {{O_STEPS, .count = &j->run.o.run.steps, .low = 1, .high = 1000000},
                                  {O_DEGREE, .count = &j->degree, .low = 0, .high = 7},
                                  {O_FREE_TIME, .text = &j->free_time},
                                  {O_TIME_WEIGHT, .number = &j->weight, .flag = &j->weighed},
                                  {O_MOVING, .flag = &j->moving},
                                  {O_CONTROLS, .text = &j->controls_file},
                                  {O_GUESS, .text = &j->guess},
                                  {O_ITERATIONS, .count = &j->iterations, .low = 1, .high = 1000000},
                                  {O_PRECISION, .number = &j->precision},
                                  {.option = CLI_END}};
    int status = cli_put("optimise", options, targets, option, value);
    if (status == CLI_WELL && option == O_PRECISION && !(j->precision >= 1e-14 && j->precision <= 0.1))
        status = cli_wrong("optimise", "--precision must be from 1e-14 to 0.1, got '%s'", value);
    if (status == CLI_WELL && option == O_GUESS && strcmp(value, "line") != 0 && strcmp(value, "rest") != 0)
        status = cli_unknown("optimise", "guess", value, guesses);
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
        return cli_wrong("optimise", "%s has no %s", run->S.name,
                         run->S.R != NULL ? "motors that could steer it; add them by --motor JOINT"
                                          : "controls, as two-wheeled-robot has; add them by --force NAME=VELOCITY");
    if (run->S.R == NULL) run->o.motion.start = LG_START_LEGENDRE; /* with the momentum that the optimum begins with */
    status = cli_open_again("optimise", &run->S, run->system, &j->to);
    if (status == CLI_WELL) status = cli_add_forces("optimise", options, O_FORCE, argc, argv, &j->to);
    if (status == CLI_WELL) status = cli_set_values("optimise", options, O_PARAM, CLI_BAD, argc, argv, &j->to);
    if (status == CLI_WELL) status = run_job_values(run, argc, argv, &run->S);
    if (status == CLI_WELL) status = optimise_read_target(j, argc, argv);
    if (status == CLI_WELL) status = optimise_read_controls(j, argc, argv);
    if (status == CLI_WELL) status = optimise_read_path(j, argc, argv);
    if (status == CLI_WELL) status = optimise_read_free(j, argc, argv);
    const cli_named_file own = {"--controls", j->controls_file};
    return status == CLI_WELL ? run_job_files(run, argc, argv, own) : status;
}

static int make(optimise_job *j)
{
    int status = optimise_solve(j);
    if (status == CLI_WELL) status = optimise_write_controls(j);
    if (status == CLI_WELL && !j->run.quiet) optimise_print(j);
    if (status == CLI_WELL) status = optimise_set_free(j);
    if (status != CLI_WELL) return status;
    const lg_status shown = optimise_show_balls(j);
    if (shown != LG_OK) return cli_wrong(j->run.command, "%s", lg_model_message(j->run.S.M));
    if (j->degree > 0) j->run.o.run.accuracy = 0;
    j->run.view.add = optimise_add_charts, j->run.view.add_context = j;
    j->run.o.ended = optimise_miss, j->run.o.ended_context = j;
    status = run_job_run(&j->run);
    if (status == CLI_WELL && !j->run.quiet) optimise_print_end(j);
    return status;
}

void optimise_end(optimise_job *j)
{
    for (int i = 0; i < j->words; i++) free(j->word[i]);
    free(j->word), free(j->named);
    free(j->effort), free(j->low), free(j->high);
    free(j->start_g), free(j->row), free(j->point), free(j->start_free), free(j->by), free(j->re);
    free(j->state_low), free(j->avoid), free(j->parameter_free), free(j->parameter_low);
    lg_optimum_destroy(j->o);
    cli_instance_free(&j->begins);
    cli_close_system(&j->to);
    run_job_end(&j->run);
}

int cli_optimise(int argc, char **argv)
{
    optimise_job j;
    memset(&j, 0, sizeof j);
    int status = run_job_begin(&j.run, &origin, &argc, &argv);
    cli_parser p = cli_begin("optimise", options, argc, argv);
    j.run.o.run.steps = 40, j.iterations = 200, j.precision = 1e-9, j.periods = 1;
    j.missed = (double)NAN;
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_HELP) {
            optimise_end(&j);
            return cli_print_help(&cli_optimise_manual);
        }
        status = found == CLI_BAD ? CLI_WRONG_USE : read_option(&j, found, p.value);
    }
    if (status == CLI_WELL) status = settle(&j, argc, argv);
    if (status == CLI_WELL) status = make(&j);
    optimise_end(&j);
    return cli_flush("optimise", status);
}
