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
    O_LEAST_INERTIA,
    O_IGNORE,
    O_KEY,
    O_WITHIN,
    O_SENSORS,
    O_MOTION,
    O_GRAVITY,
    O_CONTACTS,
    O_GROUND,
    O_IMPACT,
    O_CAPTURE,
    O_NO_LOCALISE,
    O_SEPARATE,
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
    [O_INIT] = {"init", "NAME=FROM:TO:COUNT", "range of an initial value, by its column, or NAME=VALUE; repeatable"},
    [O_RANDOM] = {"random", "N", "N random instances instead of the grid; ranges are FROM:TO"},
    [O_SEED] = {"seed", "S", "seed of the random instances, default 1"},
    [O_FIRST] = {"first", "I", "a part of the sweep: instances from number I on; a CSV then has no header"},
    [O_INSTANCES] = {"count", "N", "at most N instances"},
    [O_METHOD] = CLI_METHOD_OPTION,
    [O_RETRACTION] = CLI_RETRACTION_OPTION,
    [O_STEP] = {"step", "H", "step size, by default one that suits the system; a negative one goes back in time"},
    [O_TOLERANCE] = CLI_TOLERANCE_OPTION,
    [O_STEPS] = {"steps", "N", "number of steps, default 1000"},
    [O_TIME] = {"time", "T", "instead of --steps: the time to reach, a multiple of the step"},
    [O_CONTROL] = {"control", "NAME=FROM:TO:COUNT", "range of a constant control, or NAME=VALUE; repeatable"},
    [O_START] = {"start", "NAME", "start of gni, rattle, variational: reaction (default), legendre or paper"},
    [O_PROJECT] = {"project", NULL, "projects the initial data onto the constraints"},
    [O_EVERY] = {"every", "K", "writes a row every K steps; default: one row per instance, at the end"},
    [O_WATCH] = {"watch", "K", "evaluates energy and constraints every K steps, default 1"},
    [O_OUTPUT] = {"output", "FILE|-", "writes the rows; - is standard output"},
    [O_FORMAT] = CLI_FORMAT_OPTION,
    [O_PLOT] = {"plot", "FILE", "draws the final states as a curve over one range or a map over two: .png, .svg, .pdf"},
    [O_PLOT_COLUMNS] = {"plot-columns", "A,B,...", "columns to show, or patterns; default energy_drift and residual"},
    [O_THREADS] = {"threads", "N", "number of threads; default: one per processor, shared by the ranks of a machine"},
    [O_WIDTH] = {"width", "W",
                 "instances that a processor steps at a time: 1, 2, 4, 8; default: the machine's largest"},
    [O_FLOATING] = CLI_FLOATING_OPTION,
    [O_WHEEL] = CLI_WHEEL_OPTION,
    [O_LEAST_INERTIA] = CLI_LEAST_INERTIA_OPTION,
    [O_IGNORE] = CLI_IGNORE_OPTION,
    [O_KEY] = CLI_KEY_OPTION,
    [O_WITHIN] = CLI_WITHIN_OPTION,
    [O_SENSORS] = CLI_SENSORS_OPTION,
    [O_MOTION] = CLI_MOTION_OPTION,
    [O_GRAVITY] = CLI_GRAVITY_OPTION,
    [O_CONTACTS] = CLI_CONTACTS_OPTION,
    [O_GROUND] = CLI_GROUND_OPTION,
    [O_IMPACT] = CLI_IMPACT_OPTION,
    [O_CAPTURE] = CLI_CAPTURE_OPTION,
    [O_NO_LOCALISE] = CLI_NO_LOCALISE_OPTION,
    [O_SEPARATE] = CLI_SEPARATE_OPTION,
    [O_HALVINGS] = CLI_HALVINGS_OPTION,
    [O_CHECKPOINT] = CLI_CHECKPOINT_OPTION,
    [O_CHECKPOINT_EVERY] = CLI_CHECKPOINT_EVERY_OPTION,
    [O_RESUME] = CLI_RESUME_OPTION,
    [O_NO_ACCURACY] = {"no-accuracy", NULL, "does not check whether the step resolves the motion"},
    [O_FROM] = CLI_FROM_OPTION,
    [O_ALLOW] = CLI_ALLOW_OPTION,
    [O_NO_PROVENANCE] = CLI_NO_PROVENANCE_OPTION,
    [O_QUIET] = {"quiet", NULL, "no summary, no progress bar, no warnings"},
    [O_COUNT] = {NULL, NULL, NULL},
};

/* Options of models alone, and of mechanisms alone. */
static const int of_models[] = {O_RETRACTION, O_START, -1};
static const int of_mechanisms[] = {O_FLOATING, O_WHEEL,       O_LEAST_INERTIA, O_IGNORE,   O_KEY,    O_WITHIN,
                                    O_SENSORS,  O_MOTION,      O_GRAVITY,       O_CONTACTS, O_GROUND, O_IMPACT,
                                    O_CAPTURE,  O_NO_LOCALISE, O_SEPARATE,      -1};

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
    .text = "Simulates a system or a mechanism at every point of the grid that the ranges span; the last range varies "
            "fastest. Several instances run at a time, on all processors. Every instance has a row with its values, "
            "its status (0: success) and its final state. An instance that fails has a row too and does not affect "
            "the others. If liegrp was built with MPI, `mpirun -n N liegrp sweep ...` shares the points among N "
            "processes and writes the same file.",
    .options = options,
    .common = O_PLOT + 1,
    .notes = "The summary goes to standard error.",
    .exits = exits,
    .examples = "liegrp sweep rolling-ball --param Omega=0:2:201 --param I1=0.5:1:11 --time 100 --output ball.csv",
    .words = cli_any_system_at,
    .files = 1,
};

/* --param, --init and --control are read in a second pass, when the model exists. */
static int read_option(sweep_job *j, int option, const char *value)
{
    double time;
    int64_t seed = 0, threads = 0, width = 0;
    const cli_target targets[] = {{CLI_WORD, .text = &j->system},
                                  {O_RANDOM, .count = &j->s.grid.random, .low = 1},
                                  {O_SEED, .count = &seed, .text = &j->seed},
                                  {O_FIRST, .count = &j->first},
                                  {O_INSTANCES, .count = &j->count, .low = 1},
                                  {O_METHOD, .text = &j->method},
                                  {O_RETRACTION, .text = &j->retraction},
                                  {O_STEP, .number = &j->s.e.step, .nonzero = 1, .flag = &j->stepped},
                                  {O_STEPS, .count = &j->s.steps, .text = &j->steps},
                                  {O_TIME, .number = &time, .text = &j->time},
                                  {O_START, .text = &j->start},
                                  {O_PROJECT, .flag = &j->s.e.project},
                                  {O_EVERY, .count = &j->s.every, .low = 1},
                                  {O_WATCH, .count = &j->s.e.monitor, .low = 1},
                                  {O_OUTPUT, .text = &j->output},
                                  {O_FORMAT, .text = &j->format},
                                  {O_PLOT, .text = &j->plot.file},
                                  {O_PLOT_COLUMNS, .text = &j->plot.columns},
                                  {O_THREADS, .count = &threads, .low = 1, .high = 4096},
                                  {O_CHECKPOINT, .text = &j->keep.o.file},
                                  {O_RESUME, .flag = &j->keep.o.resume},
                                  {O_NO_ACCURACY, .flag = &j->s.blind},
                                  {O_NO_PROVENANCE, .flag = &j->anonymous},
                                  {O_QUIET, .flag = &j->quiet},
                                  {.option = CLI_END}};
    const int status = cli_put("sweep", options, targets, option, value);
    if (status != CLI_WELL) return status;
    if (option == O_PARAM || option == O_INIT || option == O_CONTROL) return sweep_checkpoint_say(&j->keep, value);
    if (option == O_SEED) j->s.grid.seed = (uint64_t)seed;
    if (option == O_METHOD) j->s.e.method = value;
    if (option == O_RETRACTION) j->s.e.retraction = value;
    if (option == O_TOLERANCE) return cli_read_tolerance("sweep", value, &j->s.e.tolerance);
    if (option == O_START) return cli_read_start("sweep", value, &j->s.e.start);
    if (option == O_FORMAT) return cli_check_format("sweep", value);
    if (option == O_THREADS) j->s.e.threads = (int)threads;
    if (option == O_WIDTH && (!cli_count(value, &width) || width < 1 || width > 8))
        return cli_wrong("sweep", "--width must be 1, 2, 4 or 8, got '%s'", value);
    if (option == O_WIDTH) j->s.e.width = (int)width;
    if (option == O_HALVINGS) return cli_read_halvings("sweep", value, &j->s.e.halvings);
    if (option == O_CHECKPOINT_EVERY) return cli_checkpoint_every(&j->keep.o, "sweep", value);
    if (option == O_ALLOW) /* with --from, cli_origin_begin() has taken it out */
        return cli_wrong("sweep", "--allow %s belongs to --from FILE, which is not given", value);
    if (option == O_QUIET) j->s.blind = 1;
    return option >= 0 ? cli_mechanism_option(&j->mechanism, "sweep", &options[option], value) : CLI_WELL;
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

/* Which points go together. */
static int settle_ensemble(cli_sweep *s)
{
    const lg_motion_options o = cli_sweep_motion(s);
    lg_motion *mo = NULL;
    int vary = 0;
    if (s->S.R == NULL) return CLI_WELL;
    for (int k = 0; k < s->grid.ranges; k++)
        vary |= s->grid.range[k].swept && !s->grid.range[k].initial && s->grid.range[k].control == 0;
    lg_status_ignore(lg_motion_create(&mo, s->S.M, &o)); /* failures are reported when the points are made */
    s->apart = vary || lg_motion_integrator(mo) != NULL;
    lg_motion_destroy(mo);
    if (!s->apart || s->e.width == 0) return CLI_WELL;
    return cli_wrong("sweep", "--width: points of a mechanism are stepped one by one %s; leave it out",
                     vary ? "where its parameters vary" : "with other methods than sem, rattle and gauss");
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
    if (status == CLI_WELL && s->S.R == NULL && lg_model_system(s->S.M, &S) != LG_OK) {
        return cli_wrong("sweep", "%s", lg_model_message(s->S.M));
    }
    s->group = S != NULL ? S->group : NULL;
    if (j->mechanism.contact.given) s->e.contact = &j->mechanism.contact.motion;
    if (status == CLI_WELL) status = cli_check_retraction("sweep", s->e.retraction);
    if (status == CLI_WELL) status = cli_check_use("sweep", s->e.method, j->start, j->retraction, j->quiet);
    if (status == CLI_WELL && !j->stepped) s->e.step = lg_model_default_step(s->S.M);
    if (status == CLI_WELL)
        status = cli_settle_time("sweep", j->time, j->steps, s->e.step, cli_begins(&s->S), j->quiet, &s->steps);
    if (status == CLI_WELL)
        status = cli_grid_read(&s->grid, "sweep", options, O_PARAM, O_INIT, O_CONTROL, argc, argv, &s->S);
    if (status == CLI_WELL) status = cli_controls_read(&s->controls, "sweep", options, O_CONTROL, argc, argv, &s->S, 0);
    if (status == CLI_WELL) status = settle_ensemble(s);
    if (status == CLI_WELL) status = settle_part(j);
    if (status == CLI_WELL) status = cli_origin_record(&j->origin, argc, argv, &s->S, j->system, j->output);
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
    j.s.e.method = "sem", j.s.e.retraction = "exp";
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
