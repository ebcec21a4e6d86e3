/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp sweep: many instances of a system over a grid of parameters and initial values, or random ones. */
#include "cli/sweep_job.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "cli/commands.h"
#include "cli/lib/choice.h"
#include "cli/lib/file.h"
#include "cli/lib/names.h"
#include "cli/lib/progress.h"
#include "cli/lib/system.h"

enum {
    O_PARAM,
    O_INIT,
    O_RANDOM,
    O_SEED,
    O_FIRST,
    O_INSTANCES,
    O_METHOD,
    O_RETRACTION,
    O_STEP,
    O_TOLERANCE,
    O_STEPS,
    O_TIME,
    O_CONTROL,
    O_START,
    O_PROJECT,
    O_EVERY,
    O_WATCH,
    O_OUTPUT,
    O_FORMAT,
    O_PLOT,
    O_PLOT_COLUMNS,
    O_THREADS,
    O_WIDTH,
    O_FLOATING,
    O_WHEEL,
    O_GRAVITY,
    O_HALVINGS,
    O_CHECKPOINT,
    O_CHECKPOINT_EVERY,
    O_RESUME,
    O_NO_ACCURACY,
    O_FROM,
    O_ALLOW,
    O_NO_PROVENANCE,
    O_QUIET,
    O_COUNT
};

static const cli_option options[] = {
    [O_PARAM] = {"param", "NAME=FROM:TO:COUNT", "range of a parameter, or NAME=VALUE; repeatable"},
    [O_INIT] = {"init", "NAME=FROM:TO:COUNT", "the same for an initial value, by its column"},
    [O_RANDOM] = {"random", "N", "N random instances instead of the grid; ranges are FROM:TO"},
    [O_SEED] = {"seed", "S", "seed of the random instances, default 1"},
    [O_FIRST] = {"first", "I", "a part of the sweep: instances from number I on; a CSV then has no header"},
    [O_INSTANCES] = {"count", "N", "at most N instances"},
    [O_METHOD] = {"method", "SPEC", "default sem; see liegrp list methods and list compositions"},
    [O_RETRACTION] = {"retraction", "NAME", "default exp; see liegrp list retractions"},
    [O_STEP] = {"step", "H", "step size, by default one that suits the system; a negative one goes back in time"},
    [O_TOLERANCE] = CLI_TOLERANCE_OPTION,
    [O_STEPS] = {"steps", "N", "number of steps, default 1000"},
    [O_TIME] = {"time", "T", "instead of --steps: the time to reach, a multiple of the step"},
    [O_CONTROL] = {"control", "NAME=FROM:TO:COUNT", "the same for a constant control, or NAME=VALUE; repeatable"},
    [O_START] = {"start", "NAME", "start of gni, rattle, variational: reaction (default), legendre or paper"},
    [O_PROJECT] = {"project", NULL, "projects the initial data onto the constraints"},
    [O_EVERY] = {"every", "K", "writes a row every K steps; default: one row per instance, at the end"},
    [O_WATCH] = {"watch", "K", "evaluates energy and constraints every K steps, default 1"},
    [O_OUTPUT] = {"output", "FILE|-", "writes the rows; - is standard output"},
    [O_FORMAT] = CLI_FORMAT_OPTION,
    [O_PLOT] = {"plot", "FILE", "draws the ends as a curve over one range or a map over two: .png, .svg, .pdf"},
    [O_PLOT_COLUMNS] = {"plot-columns", "A,B,...", "columns to show, or patterns; default energy_drift and residual"},
    [O_THREADS] = {"threads", "N", "number of threads; default: one per processor, shared by the ranks of a machine"},
    [O_WIDTH] = {"width", "W",
                 "instances that a processor steps at a time: 1, 2, 4, 8; default: the machine's largest"},
    [O_FLOATING] = {"floating", NULL, "of a mechanism's file: its root is not fixed to the world"},
    [O_WHEEL] = {"wheel", "LINK=RADIUS[,AXIS]", "of a mechanism's file: a wheel, its axle along x, y (default) or z"},
    [O_GRAVITY] = {"gravity", "X,Y,Z", "of a mechanism: the acceleration of gravity, m/s^2"},
    [O_HALVINGS] = CLI_HALVINGS_OPTION,
    [O_CHECKPOINT] = CLI_CHECKPOINT_OPTION,
    [O_CHECKPOINT_EVERY] = CLI_CHECKPOINT_EVERY_OPTION,
    [O_RESUME] = CLI_RESUME_OPTION,
    [O_NO_ACCURACY] = {"no-accuracy", NULL, "does not ask whether the step resolves the motion"},
    [O_FROM] = CLI_FROM_OPTION,
    [O_ALLOW] = CLI_ALLOW_OPTION,
    [O_NO_PROVENANCE] = CLI_NO_PROVENANCE_OPTION,
    [O_QUIET] = {"quiet", NULL, "no summary, no progress bar, no warnings"},
    [O_COUNT] = {NULL, NULL, NULL},
};

/* Options of models alone, and of mechanisms alone. */
static const int of_models[] = {O_RETRACTION, O_START, O_WATCH, O_WIDTH, -1};
static const int of_mechanisms[] = {O_FLOATING, O_WHEEL, O_GRAVITY, O_HALVINGS, -1};

/* Options that do not change the rows. */
static const int idle[] = {
    O_OUTPUT,      O_FORMAT, O_PLOT,  O_PLOT_COLUMNS,  O_THREADS, O_WIDTH, O_CHECKPOINT, O_CHECKPOINT_EVERY, O_RESUME,
    O_NO_ACCURACY, O_FROM,   O_ALLOW, O_NO_PROVENANCE, O_QUIET,   -1};
static const cli_origin_kind origin = {"sweep", options, idle, O_FROM, O_ALLOW, O_OUTPUT, O_FORMAT, O_PLOT, -1, -1};

/* The command line ------------------------------------------------------------------------------------------------ */

static const cli_item exits[] = {
    {"0", "success, even if some instances failed"},
    {"2", "wrong use, or a file that cannot be written"},
    {"3", "all instances failed"},
    {"130", "stopped by Ctrl-C, complete instances are kept"},
    {NULL, NULL},
};

const cli_manual cli_sweep_manual = {
    .command = "sweep",
    .summary = "runs many instances over ranges of parameters and initial values",
    .usage = "liegrp sweep SYSTEM --param NAME=FROM:TO:COUNT [OPTION...]\nliegrp sweep --from FILE --output FILE",
    .text = "Simulates a system or a mechanism at every point of the grid that the ranges span; the last range runs "
            "fastest. Several instances run at a time, on all processors. Every instance has a row with its values, "
            "its status (0: success) and its final state. An instance that fails has a row too and changes nothing in "
            "the others. If liegrp was built with MPI, `mpirun -n N liegrp sweep ...` shares the points among N "
            "processes and writes the same file.",
    .options = options,
    .notes = "The summary goes to standard error.",
    .exits = exits,
    .examples = "liegrp sweep rolling-ball --param Omega=0:2:201 --param I1=0.5:1:11 --time 100 --output ball.csv",
    .words = cli_any_system_at,
    .files = 1,
};

static int bad_number(const char *option, const char *text, const char *right)
{
    return cli_wrong("sweep", "--%s must be %s, got '%s'", option, right, text);
}

/* Option values that are counts, with their bounds. */
static int set_count(sweep_job *j, int option, const char *value)
{
    static const struct {
        int option;
        int64_t low, high;
        const char *right;
    } bounds[] = {{O_RANDOM, 1, INT64_C(1000000000000000), "a whole number from 1 to 1e15"},
                  {O_SEED, 0, INT64_C(1000000000000000), "a whole number from 0 to 1e15"},
                  {O_FIRST, 0, INT64_C(1000000000000000), "a whole number from 0 to 1e15"},
                  {O_INSTANCES, 1, INT64_C(1000000000000000), "a whole number from 1 to 1e15"},
                  {O_STEPS, 0, INT64_C(1000000000000000), "a whole number from 0 to 1e15"},
                  {O_EVERY, 1, INT64_C(1000000000000000), "a whole number from 1 to 1e15"},
                  {O_WATCH, 1, INT64_C(1000000000000000), "a whole number from 1 to 1e15"},
                  {O_THREADS, 1, 4096, "a whole number from 1 to 4096"},
                  {O_WIDTH, 1, 8, "1, 2, 4 or 8"}};
    int64_t number;
    int k = 0;
    while (bounds[k].option != option) k++;
    if (!cli_count(value, &number) || number < bounds[k].low || number > bounds[k].high) {
        return bad_number(options[option].name, value, bounds[k].right);
    }
    if (option == O_RANDOM) j->s.grid.random = number;
    if (option == O_SEED) j->s.grid.seed = (uint64_t)number, j->seed = value;
    if (option == O_FIRST) j->first = number;
    if (option == O_INSTANCES) j->count = number;
    if (option == O_STEPS) j->s.steps = number, j->steps = value;
    if (option == O_EVERY) j->s.every = number;
    if (option == O_WATCH) j->s.e.monitor = number;
    if (option == O_THREADS) j->s.e.threads = (int)number;
    if (option == O_WIDTH) j->s.e.width = (int)number;
    return CLI_WELL;
}

static int set_text(sweep_job *j, int option, const char *value)
{
    double number;
    switch (option) {
    case CLI_WORD:
        if (j->system != NULL) return cli_wrong("sweep", "unexpected argument '%s': one system at a time", value);
        j->system = value;
        break;
    case O_METHOD:
        j->s.e.method = j->method = value;
        break;
    case O_RETRACTION:
        j->s.e.retraction = j->retraction = value;
        break;
    case O_CHECKPOINT:
        j->keep.o.file = value;
        break;
    case O_CHECKPOINT_EVERY:
        return cli_checkpoint_every(&j->keep.o, "sweep", value);
    case O_OUTPUT:
        j->output = value;
        break;
    case O_PLOT:
        j->plot.file = value;
        break;
    case O_PLOT_COLUMNS:
        j->plot.columns = value;
        break;
    case O_WHEEL:
        j->mechanism.wheel[j->mechanism.wheels++] = value;
        break;
    case O_GRAVITY:
        return cli_mechanism_options_gravity(&j->mechanism, "sweep", value);
    case O_HALVINGS:
        return cli_mechanism_options_halvings(&j->mechanism, "sweep", value);
    case O_START:
        j->start = value;
        return cli_read_start("sweep", value, &j->s.e.start);
    case O_FORMAT:
        j->format = value;
        return cli_check_format("sweep", value);
    case O_STEP:
        if (!cli_number(value, &j->s.e.step) || j->s.e.step == 0)
            return bad_number("step", value, "a finite number, not 0");
        j->stepped = 1;
        break;
    case O_TOLERANCE:
        return cli_read_tolerance("sweep", value, &j->s.e.tolerance);
    case O_TIME:
        if (!cli_number(value, &number)) return bad_number("time", value, "a finite number");
        j->time = value;
        break;
    default:
        break;
    }
    return CLI_WELL;
}

static int read_option(sweep_job *j, int option, const char *value)
{
    switch (option) {
    case O_PARAM: /* read in a second pass, when the model exists */
    case O_INIT:
    case O_CONTROL:
        return sweep_checkpoint_say(&j->keep, value);
    case O_RESUME:
        j->keep.o.resume = 1;
        return CLI_WELL;
    case O_PROJECT:
        j->s.e.project = 1;
        return CLI_WELL;
    case O_FLOATING:
        j->mechanism.floating = 1;
        return CLI_WELL;
    case O_NO_PROVENANCE:
        j->anonymous = 1;
        return CLI_WELL;
    case O_ALLOW: /* beside --from it has been read before */
        return cli_wrong("sweep", "--allow %s belongs to --from FILE, which is not given", value);
    case O_NO_ACCURACY:
        j->s.blind = 1;
        return CLI_WELL;
    case O_QUIET:
        j->quiet = j->s.blind = 1;
        return CLI_WELL;
    case O_RANDOM:
    case O_SEED:
    case O_FIRST:
    case O_INSTANCES:
    case O_STEPS:
    case O_EVERY:
    case O_WATCH:
    case O_THREADS:
    case O_WIDTH:
        return set_count(j, option, value);
    default:
        return set_text(j, option, value);
    }
}

/* The requested part of the sweep. */
static int settle_part(sweep_job *j)
{
    const int64_t all = j->s.grid.count;
    if (j->first >= all)
        return cli_wrong("sweep", "--first %" PRId64 ": the sweep has %" PRId64 " instance%s, numbered from 0",
                         j->first, all, all == 1 ? "" : "s");
    if (j->count == 0 || j->count > all - j->first) j->count = all - j->first;
    return CLI_WELL;
}

static int check_files(const sweep_job *j)
{
    const cli_named_file files[] = {{"the system", cli_system_file(j->system)},
                                    {"--output", j->output},
                                    {"--plot", j->plot.file},
                                    {"--checkpoint", j->keep.o.file},
                                    {"the rows' provenance", j->anonymous ? NULL : j->origin.beside}};
    const int status = cli_checkpoint_settle(&j->keep.o, "sweep", j->output);
    return status == CLI_WELL ? cli_files_differ("sweep", files, 5) : status;
}

/* Checks that involve several options. */
static int settle(sweep_job *j, int argc, char **argv)
{
    cli_sweep *s = &j->s;
    const lg_system *S = NULL;
    int status = CLI_WELL;
    if (j->system == NULL) return cli_wrong("sweep", "no system is given; see liegrp list systems");
    if (j->seed != NULL && s->grid.random == 0) return cli_wrong("sweep", "--seed needs --random N");
    if (s->e.tolerance != 0) {
        s->blind = 1; /* no step is given that could fail to resolve the motion */
        status = cli_settle_tolerance("sweep", j->method, &s->e.method);
    }
    if (status == CLI_WELL) status = cli_open_system("sweep", j->system, &j->mechanism, &s->S);
    if (status == CLI_WELL) status = cli_refuse_options("sweep", options, argc, argv, &s->S, of_models, of_mechanisms);
    if (status == CLI_WELL && s->S.M != NULL && lg_model_system(s->S.M, &S) != LG_OK) {
        return cli_wrong("sweep", "%s", lg_model_message(s->S.M));
    }
    s->group = S != NULL ? S->group : NULL;
    if (status == CLI_WELL) status = cli_check_retraction("sweep", s->e.retraction);
    if (status == CLI_WELL) status = cli_check_use("sweep", s->e.method, j->start, j->retraction, j->quiet);
    if (status == CLI_WELL && !j->stepped) s->e.step = s->S.kind->step(&s->S);
    if (status == CLI_WELL) status = cli_settle_time("sweep", j->time, j->steps, s->e.step, j->quiet, &s->steps);
    if (status == CLI_WELL)
        status = cli_grid_read(&s->grid, "sweep", options, O_PARAM, O_INIT, O_CONTROL, argc, argv, &s->S);
    if (status == CLI_WELL) status = cli_controls_read(&s->controls, "sweep", options, O_CONTROL, argc, argv, &s->S, 0);
    if (status == CLI_WELL) status = settle_part(j);
    if (status == CLI_WELL) status = cli_origin_record(&j->origin, argc, argv, cli_system_file(j->system), j->output);
    if (status == CLI_WELL && j->ranks.rank == 0) status = check_files(j);
    if (status == CLI_WELL) status = cli_settle_output("sweep", j->format, &j->output, &j->stream, &j->kind);
    if (status != CLI_WELL) return status;
    if (cli_sweep_columns(s)) return cli_wrong("sweep", "out of memory");
    if (sweep_plot_begin(&j->plot, s, j->count, j->ranks.ranks) != CLI_WELL) return CLI_WRONG_USE;
    if (cli_sweep_each(s) > (INT64_C(1) << 28) / s->columns) {
        return cli_wrong("sweep",
                         "--every %" PRId64 " makes %" PRId64 " rows per instance, more than fit into memory until "
                         "the instance is complete; take a larger --every, or liegrp run",
                         s->every, cli_sweep_each(s) - 1);
    }
    return CLI_WELL;
}

static int read_options(sweep_job *j, int argc, char **argv, int *helped)
{
    cli_parser p = cli_begin("sweep", options, argc, argv);
    int status = CLI_WELL;
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;) {
        *helped = found == CLI_HELP;
        if (*helped) return cli_print_help(&cli_sweep_manual);
        status = found == CLI_BAD ? CLI_WRONG_USE : read_option(j, found, p.value);
    }
    return status;
}

int cli_sweep_command(int argc, char **argv)
{
    sweep_job j;
    int status, helped = 0;
    memset(&j, 0, sizeof j);
    j.s.e = lg_ensemble_options_default();
    j.s.e.step = 0.01;
    j.s.steps = 1000;
    j.s.e.monitor = 1;
    j.s.grid.seed = 1;
    status = cli_ranks_begin(&j.ranks, "sweep", argc, argv);
    if (status == CLI_WELL) {
        status = cli_origin_begin(&j.origin, &origin, &argc, &argv);
        if (status == CLI_WELL) status = cli_mechanism_options_begin(&j.mechanism, "sweep", argc);
        if (status == CLI_WELL) status = read_options(&j, argc, argv, &helped);
        if (status == CLI_WELL && !helped) status = settle(&j, argc, argv);
        status = cli_ranks_agree(&j.ranks, status);
    }
    if (status == CLI_WELL && !helped) status = sweep_run(&j);
    sweep_plot_end(&j.plot);
    cli_sweep_free(&j.s);
    cli_mechanism_options_end(&j.mechanism);
    cli_origin_free(&j.origin);
    lg_provenance_free(&j.provenance);
    status = cli_flush("sweep", status);
    cli_ranks_end(&j.ranks);
    return status;
}
