/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp identify: the parameters and initial values with which a motion fits measurements. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/identify.h"
#include "cli/lib/choice.h"
#include "cli/lib/names.h"
#include "cli/lib/print.h"
#include "cli/lib/terminal.h"

enum {
    O_DATA,
    O_FREE,
    O_FREE_INIT,
    O_SIGMA,
    O_COLUMNS,
    O_STEP,
    O_PARAM,
    O_INIT,
    O_CONTROL,
    O_OUTPUT,
    O_METHOD,
    O_RETRACTION,
    O_ITERATIONS,
    O_PRECISION,
    O_FLOATING,
    O_WHEEL,
    O_LEAST_INERTIA,
    O_IGNORE,
    O_WITHIN,
    O_GRAVITY,
    O_QUIET,
    O_COUNT
};

static const cli_option options[] = {
    [O_DATA] = {"data", "FILE",
                "measurements: CSV whose first line names t and columns; an empty field is a missing one"},
    [O_FREE] = {"free", "NAME,...", "parameters that are looked for, or NAME=SCALE, a change that counts; repeatable"},
    [O_FREE_INIT] = {"free-init", "NAME,...", "initial values that are looked for, also; repeatable"},
    [O_SIGMA] = {"sigma", "S|COLUMN=S,...", "standard deviation of the measurements; of an attitude in rad"},
    [O_COLUMNS] = {"columns", "A,B,...", "columns of the data that are compared; default: positions and velocities"},
    [O_STEP] = {"step", "H", "step size, by default one that suits the system"},
    [O_PARAM] = {"param", "NAME=VALUE", "sets a parameter, or where an unknown one begins; repeatable"},
    [O_INIT] = {"init", "NAME=VALUE", "sets an initial value, or where an unknown one begins; repeatable"},
    [O_CONTROL] = {"control", "NAME=VALUE|FILE", "a control that is no column of the data; repeatable"},
    [O_OUTPUT] = {"output", "FILE", "writes the data as CSV, and beside each column that of the model"},
    [O_METHOD] = CLI_METHOD_OPTION,
    [O_RETRACTION] = CLI_RETRACTION_OPTION,
    [O_ITERATIONS] = {"iterations", "N", "gives up after so many, default 50"},
    [O_PRECISION] = {"precision", "X", "last correction, relative to the scales, from 1e-12 to 0.1, default 1e-8"},
    [O_FLOATING] = CLI_FLOATING_OPTION,
    [O_WHEEL] = CLI_WHEEL_OPTION,
    [O_LEAST_INERTIA] = CLI_LEAST_INERTIA_OPTION,
    [O_IGNORE] = CLI_IGNORE_OPTION,
    [O_WITHIN] = CLI_WITHIN_OPTION,
    [O_GRAVITY] = CLI_GRAVITY_OPTION,
    [O_QUIET] = {"quiet", NULL, "no warnings"},
    [O_COUNT] = {NULL, NULL, NULL},
};

static const int of_models[] = {-1};
static const int of_mechanisms[] = {O_FLOATING, O_WHEEL, O_LEAST_INERTIA, O_IGNORE, O_WITHIN, O_GRAVITY, -1};

/* It writes no rows that provenance could make again. */
static const int idle[] = {-1};
static const cli_origin_kind origin = {"identify", options, idle, -1, -1, -1, -1, -1, -1, -1};

static const cli_item exits[] = {{"0", "success"},
                                 {"1", "no minimum, or data that do not determine all unknowns"},
                                 {"2", "wrong use, or a file that cannot be written"},
                                 {"3", "the motion that is compared cannot be computed"},
                                 {NULL, NULL}};

const cli_manual cli_identify_manual = {
    .command = "identify",
    .summary = "finds parameters and initial values with which a motion fits measurements",
    .usage = "liegrp identify SYSTEM --data FILE --free NAME,... [OPTION...]",
    .text = "Compares columns of the data with those of the system's rows at the same times, and makes the sum of the "
            "squared differences, each relative to its standard deviation, as small as possible. The motion starts at "
            "the first time of the data. Columns that are controls are held from their time on.\n\n"
            "Values have their standard errors. Without --sigma the deviation is taken to be equal in all columns, and "
            "estimated. What the data do not determine is named.",
    .options = options,
    .notes =
        "Angles are compared modulo 2 pi, attitudes by the angle between them. Columns other than the state's, such "
        "as energies, are compared if --columns names them, at multiples of the step.\n\n"
        "Each unknown costs four runs an iteration.",
    .exits = exits,
    .examples = "liegrp identify robot.urdf --data measured.csv --free elbow.damping,hand.mass --free-init elbow_vel "
                "--sigma 0.001",
    .words = cli_any_system_at,
    .files = 1,
    .common = O_OUTPUT + 1,
};

/* The command line ----------------------------------------------------------------------------------------------------
 */

static int read_option(identify_job *j, int option, const char *value)
{
    const cli_target targets[] = {{O_DATA, .text = &j->data_file},
                                  {O_SIGMA, .text = &j->sigma},
                                  {O_COLUMNS, .text = &j->columns},
                                  {O_OUTPUT, .text = &j->output},
                                  {O_ITERATIONS, .count = &j->iterations, .low = 1, .high = 1000000},
                                  {O_PRECISION, .number = &j->precision},
                                  {.option = CLI_END}};
    int status = cli_put("identify", options, targets, option, value);
    if (status == CLI_WELL && option == O_PRECISION && !(j->precision >= 1e-12 && j->precision <= 0.1))
        status = cli_wrong("identify", "--precision must be from 1e-12 to 0.1, got '%s'", value);
    return status == CLI_WELL && option != O_OUTPUT ? run_job_option(&j->run, option, value) : status;
}

/* Checks that involve several options, and the system. */
static int settle(identify_job *j, int argc, char **argv)
{
    run_job *run = &j->run;
    int status = run_job_open(run, argc, argv, of_models, of_mechanisms);
    if (status == CLI_WELL) status = run_job_values(run, argc, argv, &run->S);
    if (status == CLI_WELL && run->stepped && !(run->o.motion.step > 0))
        status = cli_wrong("identify", "--step must be positive, got %g", run->o.motion.step);
    if (status == CLI_WELL)
        status = cli_controls_read(&run->controls, "identify", options, O_CONTROL, argc, argv, &run->S, 1);
    if (status == CLI_WELL) status = identify_read_data(j);
    if (status == CLI_WELL) status = identify_read_sigma(j);
    if (status == CLI_WELL) status = identify_read_unknowns(j, argc, argv);
    const cli_named_file files[] = {
        {"the system", cli_system_file(run->system)}, {"--data", j->data_file}, {"--output", j->output}};
    if (status == CLI_WELL) status = cli_files_differ("identify", files, sizeof files / sizeof files[0]);
    return status == CLI_WELL && j->output != NULL ? cli_file_possible("identify", j->output) : status;
}

/* The problem --------------------------------------------------------------------------------------------------------
 */

static int complain(int status, const char *message)
{
    cli_mark(stderr, CLI_ERROR, "liegrp identify");
    cli_print(stderr, "%s\n", cli_behind_function(message));
    return status;
}

static int create(identify_job *j)
{
    const char *message = "";
    lg_model *M = NULL;
    if (cli_instance_model(&j->model, &j->run.S, &M, &message) != LG_OK) return complain(CLI_WRONG_USE, message);
    if (j->run.o.motion.step == 0) j->run.o.motion.step = lg_model_default_step(M);
    lg_identification_problem p = lg_identification_problem_default(M);
    p.options = &j->run.o.motion, p.t0 = j->data.times[0];
    p.unknown_count = j->P, p.unknowns = j->unknown;
    p.column_count = j->C, p.columns = j->column, p.sigma = j->deviation;
    p.sample_count = (int)j->data.count, p.times = j->data.times, p.values = j->values;
    if (cli_controls_given(&j->run.controls)) p.control = cli_controls_hold, p.control_context = &j->run.controls;
    const lg_status status = lg_identification_create(&j->id, &p);
    if (status == LG_OK) return CLI_WELL;
    return complain(status == LG_ERROR_ARGUMENT ? CLI_WRONG_USE : CLI_NUMERICS, lg_identification_message(j->id));
}

static int make(identify_job *j)
{
    int status = create(j);
    if (status != CLI_WELL) return status;
    j->guess = malloc((size_t)j->P * sizeof *j->guess);
    if (j->guess == NULL) return cli_wrong("identify", "out of memory");
    memcpy(j->guess, lg_identification_values(j->id), (size_t)j->P * sizeof *j->guess);
    const lg_status found = lg_identification_solve(j->id, (int)j->iterations, j->precision);
    identify_print(j);
    if (found != LG_OK) {
        const int weak = found == LG_ERROR_SINGULAR || found == LG_ERROR_CONVERGENCE;
        status = complain(weak ? CLI_FAILED : CLI_NUMERICS, lg_identification_message(j->id));
    }
    const int written = identify_write(j);
    return written != CLI_WELL ? written : status;
}

static void end(identify_job *j)
{
    lg_identification_destroy(j->id);
    for (int k = 0; k < j->P; k++) free(j->name[k]);
    free(j->unknown), free(j->name), free(j->column), free(j->from);
    free(j->deviation), free(j->values), free(j->guess), free(j->unused);
    free(j->data.times), free(j->data.values), free(j->data.header);
    cli_instance_free(&j->model);
    run_job_end(&j->run);
}

int cli_identify(int argc, char **argv)
{
    identify_job j;
    memset(&j, 0, sizeof j);
    int status = run_job_begin(&j.run, &origin, &argc, &argv);
    cli_parser p = cli_begin("identify", options, argc, argv);
    j.iterations = 50, j.precision = 1e-8;
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_HELP) {
            end(&j);
            return cli_print_help(&cli_identify_manual);
        }
        status = found == CLI_BAD ? CLI_WRONG_USE : read_option(&j, found, p.value);
    }
    if (status == CLI_WELL) status = settle(&j, argc, argv);
    if (status == CLI_WELL) status = make(&j);
    end(&j);
    return cli_flush("identify", status);
}
