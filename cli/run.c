/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp run: a trajectory of a system into a file, a plot, a summary. */
#include "cli/commands.h"
#include "cli/lib/choice.h"
#include "cli/lib/names.h"
#include "cli/lib/options.h"
#include "cli/run_job.h"

enum {
    O_METHOD,
    O_RETRACTION,
    O_STEP,
    O_TOLERANCE,
    O_STEPS,
    O_TIME,
    O_PARAM,
    O_INIT,
    O_CONTROL,
    O_START,
    O_PROJECT,
    O_EVERY,
    O_OUTPUT,
    O_FORMAT,
    O_PLOT,
    O_PLOT_COLUMNS,
    O_VIEW,
    O_COMPARE,
    O_MONITOR,
    O_MONITOR_EVERY,
    O_PROBE,
    O_FLOATING,
    O_WHEEL,
    O_MOTOR,
    O_LEAST_INERTIA,
    O_IGNORE,
    O_KEY,
    O_WITHIN,
    O_PACKAGE,
    O_SENSORS,
    O_MOTION,
    O_GRAVITY,
    O_CONTACTS,
    O_GROUND,
    O_IMPACT,
    O_CAPTURE,
    O_NO_LOCALISE,
    O_SEPARATE,
    O_EVENTS,
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
    [O_METHOD] = CLI_METHOD_OPTION,
    [O_RETRACTION] = CLI_RETRACTION_OPTION,
    [O_STEP] = {"step", "H", "step size, by default one that suits the system; a negative one goes back in time"},
    [O_TOLERANCE] = CLI_TOLERANCE_OPTION,
    [O_STEPS] = {"steps", "N", "number of steps, default 1000"},
    [O_TIME] = {"time", "T", "instead of --steps: the time to reach, a multiple of the step"},
    [O_PARAM] = CLI_PARAM_OPTION,
    [O_INIT] = {"init", "NAME=VALUE", "sets an initial value by its column, or an attitude (below); repeatable"},
    [O_CONTROL] = {"control", "NAME=VALUE|FILE", "a constant, or a CSV of times and values; repeatable"},
    [O_START] = {"start", "NAME", "start of gni, rattle, variational: reaction (default), legendre or paper"},
    [O_PROJECT] = {"project", NULL, "projects the initial data onto the constraints"},
    [O_EVERY] = CLI_EVERY_OPTION,
    [O_OUTPUT] = {"output", "FILE|-", "writes the rows; - is standard output"},
    [O_FORMAT] = CLI_FORMAT_OPTION,
    [O_PLOT] = CLI_PLOT_OPTION,
    [O_PLOT_COLUMNS] = {"plot-columns", "A,B/X:Y/...",
                        "columns of the panels: A and B against t, then Y against X; default: suits the system"},
    [O_VIEW] = {"view", "FILE", "writes a page, .html, that shows the motion in a browser"},
    [O_COMPARE] = {"compare", "SPEC,...", "with --view: repeats the run with these methods and shows them too"},
    [O_MONITOR] = {"monitor", NULL, "monitors energy, invariants, residuals, growth; adds them to the summary"},
    [O_MONITOR_EVERY] = {"monitor-every", "K",
                         "monitors every K-th state only; the default depends on the number of steps"},
    [O_PROBE] = {"probe", NULL, "measures reversibility, determinant and parasitic growth rate at the end"},
    [O_FLOATING] = CLI_FLOATING_OPTION,
    [O_WHEEL] = CLI_WHEEL_OPTION,
    [O_MOTOR] = CLI_MOTOR_OPTION,
    [O_LEAST_INERTIA] = CLI_LEAST_INERTIA_OPTION,
    [O_IGNORE] = CLI_IGNORE_OPTION,
    [O_KEY] = CLI_KEY_OPTION,
    [O_WITHIN] = CLI_WITHIN_OPTION,
    [O_PACKAGE] = CLI_PACKAGE_OPTION,
    [O_SENSORS] = CLI_SENSORS_OPTION,
    [O_MOTION] = CLI_MOTION_OPTION,
    [O_GRAVITY] = CLI_GRAVITY_OPTION,
    [O_CONTACTS] = CLI_CONTACTS_OPTION,
    [O_GROUND] = CLI_GROUND_OPTION,
    [O_IMPACT] = CLI_IMPACT_OPTION,
    [O_CAPTURE] = CLI_CAPTURE_OPTION,
    [O_NO_LOCALISE] = CLI_NO_LOCALISE_OPTION,
    [O_SEPARATE] = CLI_SEPARATE_OPTION,
    [O_EVENTS] = {"events", "FILE", "for a mechanism: writes its impacts as CSV: time, surfaces, impulse, loss"},
    [O_HALVINGS] = CLI_HALVINGS_OPTION,
    [O_CHECKPOINT] = CLI_CHECKPOINT_OPTION,
    [O_CHECKPOINT_EVERY] = CLI_CHECKPOINT_EVERY_OPTION,
    [O_RESUME] = CLI_RESUME_OPTION,
    [O_NO_ACCURACY] = CLI_NO_ACCURACY_OPTION,
    [O_FROM] = CLI_FROM_OPTION,
    [O_ALLOW] = CLI_ALLOW_OPTION,
    [O_NO_PROVENANCE] = CLI_NO_PROVENANCE_OPTION,
    [O_QUIET] = {"quiet", NULL, "no summary, no progress bar, no warnings"},
    [O_COUNT] = {NULL, NULL, NULL},
};

/* Options of models alone, and of mechanisms alone. */
static const int of_models[] = {-1};
static const int of_mechanisms[] = {O_FLOATING, O_WHEEL,   O_MOTOR,   O_LEAST_INERTIA, O_IGNORE,   O_KEY,
                                    O_WITHIN,   O_PACKAGE, O_SENSORS, O_MOTION,        O_GRAVITY,  O_CONTACTS,
                                    O_GROUND,   O_IMPACT,  O_CAPTURE, O_NO_LOCALISE,   O_SEPARATE, O_EVENTS,
                                    -1};

/* Options that do not change the rows. */
static const int idle[] = {
    O_OUTPUT,  O_FORMAT,      O_PLOT,          O_PLOT_COLUMNS, O_VIEW,          O_EVENTS,
    O_COMPARE, O_MONITOR,     O_MONITOR_EVERY, O_PROBE,        O_CHECKPOINT,    O_CHECKPOINT_EVERY,
    O_RESUME,  O_NO_ACCURACY, O_FROM,          O_ALLOW,        O_NO_PROVENANCE, O_QUIET,
    -1};
static const cli_origin_kind origin = {"run",    options,  idle,   O_FROM, O_ALLOW,
                                       O_OUTPUT, O_FORMAT, O_PLOT, O_VIEW, O_CONTROL};

/* The command line ------------------------------------------------------------------------------------------------ */

static const cli_item exits[] = {{"0", "success"},
                                 {"2", "wrong use, or a file that cannot be written"},
                                 {"3", "the computation failed, the rows so far are kept"},
                                 {"130", "stopped by Ctrl-C, the rows so far are kept"},
                                 {NULL, NULL}};

const cli_manual cli_run_manual = {
    .command = "run",
    .summary = "computes a trajectory of a system, or a motion of a mechanism",
    .usage = "liegrp run SYSTEM [OPTION...]\nliegrp run --from FILE --output FILE",
    .text = "Simulates a system or a mechanism. `liegrp list systems` and `liegrp list mechanisms` list them, `liegrp "
            "info SYSTEM` prints parameters and columns.\n\n"
            "A SYSTEM that contains '/' or ends in .so is a file with a system of your own, such as ./my-system.so. "
            "One that ends in .urdf, .xml or .mjcf is a file with a mechanism.\n\n"
            "SPEC is NAME[:OPTION,...][@COMPOSITION], for example sem, sem:gauss=6, gni:midpoint, sem@suzuki4.",
    .options = options,
    .notes =
        "An attitude (columns qx, qy, qz, qw) may be given as `--init axis=X,Y,Z --init angle=A`, `--init "
        "euler=zyx:A,B,C` (about the turned axes, one after the other) or `--init rotation=X,Y,Z` (axis times "
        "angle), in rad or as 30deg. The second attitude has the suffix _2, as in axis_2. If only some components of a "
        "quaternion are given, the others are scaled so that its length is 1.\n\n"
        "Each line of a --control FILE has a time and a value, T,U; a header is allowed. A value holds until the next "
        "time; before the first time it is 0.\n\n"
        "A mechanism's parameters are PART.FIELD, its initial values JOINT, JOINT_vel and BODY_x ... BODY_wz, its "
        "controls the joints that have motors. sem, rattle, their compositions and gauss[:stages=S] take the sparse "
        "step of mechanisms, other methods the dense step of systems. The columns are the same.\n\n"
        "The summary goes to standard error.",
    .exits = exits,
    .examples = "liegrp run rolling-ball --param Omega=0.9 --step 0.1 --time 100 --output ball.csv --plot ball.svg",
    .words = cli_any_system_at,
    .files = 1,
    .common = O_COMPARE + 1,
};

/* Checks that involve several options. */
static int settle(run_job *j, int argc, char **argv)
{
    const cli_named_file none = {NULL, NULL};
    int status = CLI_WELL;
    if (j->quiet && (j->watched || j->probed)) {
        return cli_wrong("run", "--%s prints to the summary, which --quiet leaves out; drop one of them",
                         j->watched ? "monitor" : "probe");
    }
    if (j->o.motion.tolerance != 0) status = cli_settle_tolerance("run", j->method, &j->o.motion.method);
    if (status == CLI_WELL) status = run_job_open(j, argc, argv, of_models, of_mechanisms);
    if (status != CLI_WELL) return status;
    if (!j->stepped) j->o.motion.step = lg_model_default_step(j->S.M);
    status = cli_settle_time("run", j->time, j->steps, j->o.motion.step, cli_begins(&j->S), j->quiet, &j->o.run.steps);
    if (status == CLI_WELL) status = run_job_files(j, argc, argv, none);
    if (status == CLI_WELL) status = run_job_values(j, argc, argv, &j->S);
    return status == CLI_WELL ? cli_controls_read(&j->controls, "run", options, O_CONTROL, argc, argv, &j->S, 1)
                              : status;
}

int cli_run(int argc, char **argv)
{
    run_job j;
    int status = run_job_begin(&j, &origin, &argc, &argv);
    cli_parser p = cli_begin("run", options, argc, argv);
    for (int found; status == CLI_WELL && (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_HELP) {
            run_job_end(&j);
            return cli_print_help(&cli_run_manual);
        }
        status = found == CLI_BAD ? CLI_WRONG_USE : run_job_option(&j, found, p.value);
    }
    if (status == CLI_WELL) status = settle(&j, argc, argv);
    if (status == CLI_WELL) status = run_job_run(&j);
    run_job_end(&j);
    return cli_flush("run", status);
}
