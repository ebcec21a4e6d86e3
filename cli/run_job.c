/* SPDX-License-Identifier: BSD-3-Clause */
/* The course of a run: its progress, its checkpoints, its end. */
#include "cli/run_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/choice.h"
#include "cli/lib/gnuplot.h"
#include "cli/lib/print.h"
#include "cli/lib/progress.h"

/* Progress -------------------------------------------------------------------------------------------------------- */

/* Called about ten times a second: draws the bar after one second, and returns whether to stop. */
static int progress(int64_t step, int64_t steps, void *context)
{
    run_job *j = context;
    if (!j->quiet && step > 0) cli_bar(&j->bar, j->S.name, (double)step / (double)steps, cli_now() - j->began);
    return cli_caught() != 0;
}

static int row(const double *values, int columns, void *context)
{
    run_job *j = context;
    (void)columns;
    j->rows_seen = 1;
    if (j->normal >= 0 && values[j->normal] > j->most) j->most = values[j->normal];
    if (j->plot != NULL) cli_plot_row(j->plot, values);
    cli_run_view_row(&j->view, values);
    return 0;
}

/* Called when the run continues from a checkpoint. */
static int resumed(int64_t step, void *context)
{
    run_job *j = context;
    if (!j->quiet)
        fprintf(stderr, "liegrp %s: continues from step %" PRId64 " of %" PRId64 "\n", j->command, step,
                j->o.run.steps);
    return j->plot != NULL && !cli_plot_is_sound(j->plot);
}

/* Adds the part of the run's state that the library does not know. */
static void keep_checkpoints(run_job *j)
{
    cli_checkpoint *k = &j->keep;
    if (k->file == NULL) return;
    if (k->resume && !j->quiet && access(k->file, F_OK) != 0)
        cli_print(stderr, "liegrp %s: there is no checkpoint %s; the run begins at step 0\n", j->command, k->file);
    cli_checkpoint_label(k, &j->S, j->system, &j->controls, j->plot_columns);
    cli_checkpoint_keep(k, &j->rows_seen, sizeof j->rows_seen);
    cli_checkpoint_keep(k, &j->most, sizeof j->most);
    if (j->plot != NULL) {
        void *at[2];
        size_t bytes[2];
        cli_plot_collected(j->plot, at, bytes);
        for (int i = 0; i < 2; i++) cli_checkpoint_keep(k, at[i], bytes[i]);
    }
    if (j->S.R != NULL) cli_mechanism_keep(j->S.R, k);
    j->o.run.checkpoint = k->file;
    j->o.run.checkpoint_every = k->every;
    j->o.run.resume = k->resume;
    j->o.run.checkpoint_label = k->label;
    j->o.run.memory = k->memory;
    j->o.run.memory_count = k->count;
    j->o.run.resumed = resumed;
    j->o.run.resumed_context = j;
}

/* The provenance, before the first step. */
static int read_provenance(const char *text, void *context)
{
    run_job *j = context;
    cli_run_view_provenance(&j->view, text);
    return j->origin.json != NULL ? cli_origin_check(text, &j->origin) : 0;
}

/* Adds the provenance of the rows, and compares it with that of --from. */
static void tell_origin(run_job *j)
{
    lg_run_options *o = &j->o.run;
    o->provenance = j->anonymous ? -1 : 1;
    o->arguments = (const char *const *)j->origin.words;
    o->argument_count = j->origin.count;
    o->inputs = (const char *const *)j->origin.inputs;
    o->input_count = j->origin.input_count;
    if (j->origin.json != NULL || j->view.file != NULL) o->read_provenance = read_provenance;
    o->read_provenance_context = j;
}

/* The run --------------------------------------------------------------------------------------------------------- */

/* Where the failed or interrupted run stopped, and which rows were kept. */
static void print_kept(const run_job *j)
{
    const int64_t last = j->result.steps - j->result.steps % j->o.run.every;
    cli_print(stderr, "liegrp %s: %s%" PRId64 " of %" PRId64 " steps were done, to t = %.10g", j->command,
              j->result.interrupted ? "interrupted: " : "", j->result.steps, j->o.run.steps, j->result.time);
    if (j->result.interrupted && j->keep.file != NULL)
        fprintf(stderr, "; the same command with --resume continues");
    else if (j->o.run.output != NULL)
        cli_print(stderr, "; %s holds the rows up to step %" PRId64, j->o.run.output, last);
    fputc('\n', stderr);
}

/* A failure before step 0 is a failure of the data. */
static int exit_status(lg_status status, int rows_seen)
{
    if (status == LG_OK) return CLI_WELL;
    return rows_seen && cli_is_numeric(status) ? CLI_NUMERICS : CLI_WRONG_USE;
}

static int draw(run_job *j)
{
    char title[256];
    const int maps = j->S.R == NULL || j->o.motion.retraction != NULL; /* the step of mechanisms has none */
    snprintf(title, sizeof title, "%s: method %s%s%s, h = %.6g, %" PRId64 " steps", j->S.name, j->o.motion.method,
             maps ? ", retraction " : "", maps ? cli_retraction(&j->o.motion) : "", j->o.motion.step, j->result.steps);
    return cli_plot_draw(j->plot, j->plot_file, title);
}

int run_job_run(run_job *j)
{
    lg_status status;
    int result;
    if (j->plot_file != NULL) {
        j->plot = cli_plot_begin(&j->choice, &j->S, j->o.run.steps / j->o.run.every + 1);
        if (j->plot == NULL) return cli_wrong(j->command, "out of memory");
        if (cli_plot_sums_work(j->plot)) j->o.run.observe = cli_plot_state, j->o.run.observe_context = j->plot;
    }
    j->o.now = &j->view.now;
    j->o.run.progress = progress;
    j->o.run.row = row;
    j->o.run.progress_context = j->o.run.row_context = j;
    if (j->watched) j->o.run.monitor = &j->monitor;
    if (j->probed) {
        j->o.probe = cli_probe;
        j->o.probe_context = &j->probes;
    }
    j->account = lg_account_default();
    j->o.account = &j->account;
    if (cli_controls_given(&j->controls)) {
        j->o.run.control = cli_controls_hold;
        j->o.run.control_context = &j->controls;
    }
    if (j->events.file != NULL) j->o.events = &j->events;
    j->began = cli_now();
    j->normal = lg_model_column_find(j->S.M, "normal");
    keep_checkpoints(j);
    tell_origin(j);
    result = cli_run_view_begin(j);
    if (result != CLI_WELL) return result;
    cli_catch_signals();
    status = cli_run_system(&j->S, &j->result, &j->o);
    cli_erase_bar(j->bar);
    result = exit_status(status, j->rows_seen);
    if (status == LG_ERROR_INTERRUPTED && j->origin.message[0] != '\0')
        (void)cli_wrong(j->command, "%s", j->origin.message);
    else if (status != LG_OK)
        cli_print_failure(j->command, j->o.motion.method, status, j->result.message);
    if (status != LG_ERROR_IO && (result == CLI_NUMERICS || j->result.interrupted)) print_kept(j);
    if (status == LG_OK || result == CLI_NUMERICS) {
        if (!j->quiet) cli_summary(&j->S, &j->o.motion, &j->result, &j->account, j->most);
        if (j->monitor != NULL) cli_summary_monitor(j->monitor);
        if (j->probed) cli_summary_probes(&j->probes);
        if (j->plot != NULL && j->rows_seen) {
            const int drawn = draw(j);
            if (result == CLI_WELL) result = drawn;
        }
        if (j->rows_seen) {
            const int shown = cli_run_view_end(j, status);
            if (result == CLI_WELL) result = shown;
        }
    }
    if (j->rows_seen) {
        const int told = cli_events_write(&j->events, j->result.time);
        if (result == CLI_WELL) result = told;
    }
    return j->result.interrupted && cli_caught() != 0 ? 128 + cli_caught() : result;
}
