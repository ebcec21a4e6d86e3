/* SPDX-License-Identifier: BSD-3-Clause */
/* Options and checks that all commands share which make a run. */
#include <stdio.h>
#include <string.h>

#include "cli/lib/choice.h"
#include "cli/lib/file.h"
#include "cli/lib/forces.h"
#include "cli/lib/gnuplot.h"
#include "cli/run_job.h"

int run_job_begin(run_job *j, const cli_origin_kind *kind, int *argc, char ***argv)
{
    memset(j, 0, sizeof *j);
    j->command = kind->command;
    j->options = kind->options;
    j->o.motion = lg_motion_options_default();
    j->o.motion.method = "sem";
    j->o.run = lg_run_options_default();
    j->result = lg_run_result_default();
    const int status = cli_origin_begin(&j->origin, kind, argc, argv);
    return status == CLI_WELL ? cli_mechanism_options_begin(&j->mechanism, j->command, *argc) : status;
}

void run_job_end(run_job *j)
{
    cli_controls_free(&j->controls);
    cli_plot_end(j->plot);
    cli_run_view_free(&j->view);
    cli_events_free(&j->events);
    lg_monitor_destroy(j->monitor);
    cli_close_system(&j->S);
    cli_mechanism_options_end(&j->mechanism);
    cli_origin_free(&j->origin);
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

int run_job_number(const run_job *j, const char *name)
{
    for (int i = 0; j->options[i].name != NULL; i++)
        if (strcmp(j->options[i].name, name) == 0) return i;
    return CLI_BAD;
}

/* Stores the value where the option of this name has its place, and the word of CLI_WORD. */
static int put(run_job *j, int option, const char *name, const char *value)
{
    double time;
    const struct {
        const char *name;
        cli_target to;
    } all[] = {{"", {.text = &j->system}}, /* CLI_WORD */
               {"method", {.text = &j->method}},
               {"retraction", {.text = &j->retraction}},
               {"step", {.number = &j->o.motion.step, .nonzero = 1, .flag = &j->stepped}},
               {"steps", {.count = &j->o.run.steps, .text = &j->steps}},
               {"time", {.number = &time, .text = &j->time}},
               {"start", {.text = &j->start}},
               {"project", {.flag = &j->o.project}},
               {"every", {.count = &j->o.run.every, .low = 1}},
               {"output", {.text = &j->o.run.output}},
               {"format", {.text = &j->format}},
               {"plot", {.text = &j->plot_file}},
               {"plot-columns", {.text = &j->plot_columns}},
               {"view", {.text = &j->view.file}},
               {"compare", {.text = &j->view.compare}},
               {"monitor", {.flag = &j->watched}},
               {"monitor-every", {.count = &j->o.run.monitor_every, .low = 1, .flag = &j->watched}},
               {"probe", {.flag = &j->probed}},
               {"events", {.text = &j->events.file}},
               {"checkpoint", {.text = &j->keep.file}},
               {"resume", {.flag = &j->keep.resume}},
               {"no-provenance", {.flag = &j->anonymous}},
               {"quiet", {.flag = &j->quiet}}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(all[i].name, name) != 0) continue;
        cli_target targets[] = {all[i].to, {.option = CLI_END}};
        targets[0].option = option;
        return cli_put(j->command, j->options, targets, option, value);
    }
    return CLI_WELL;
}

/* --param, --init and --control are read in a second pass, when the model exists. */
int run_job_option(run_job *j, int option, const char *value)
{
    const char *command = j->command, *name = option >= 0 ? j->options[option].name : "";
    const int status = put(j, option, name, value);
    if (status != CLI_WELL) return status;
    if (strcmp(name, "method") == 0) j->o.motion.method = value;
    if (strcmp(name, "retraction") == 0) j->o.motion.retraction = value;
    if (strcmp(name, "tolerance") == 0) return cli_read_tolerance(command, value, &j->o.motion.tolerance);
    if (strcmp(name, "start") == 0) return cli_read_start(command, value, &j->o.motion.start);
    if (strcmp(name, "format") == 0) return cli_check_format(command, value);
    if (strcmp(name, "halvings") == 0) return cli_read_halvings(command, value, &j->o.motion.halvings);
    if (strcmp(name, "checkpoint-every") == 0) return cli_checkpoint_every(&j->keep, command, value);
    if (strcmp(name, "allow") == 0) /* with --from, cli_origin_begin() has taken it out */
        return cli_wrong(command, "--allow %s belongs to --from FILE, which is not given", value);
    if (strcmp(name, "no-accuracy") == 0 || strcmp(name, "quiet") == 0) j->o.run.accuracy = 0; /* not to be printed */
    return option >= 0 ? cli_mechanism_option(&j->mechanism, command, &j->options[option], value) : CLI_WELL;
}

int run_job_values(run_job *j, int argc, char **argv, const cli_system *S)
{
    return cli_set_values(j->command, j->options, run_job_number(j, "param"), run_job_number(j, "init"), argc, argv, S);
}

/* Checks ----------------------------------------------------------------------------------------------------------- */

int run_job_open(run_job *j, int argc, char **argv, const int *of_models, const int *of_mechanisms)
{
    const char *command = j->command;
    if (j->system == NULL) return cli_wrong(command, "no system is given; see liegrp list systems");
    int status = cli_open_system(command, j->system, &j->mechanism, &j->S);
    if (status == CLI_WELL)
        status = cli_refuse_options(command, j->options, argc, argv, &j->S, of_models, of_mechanisms);
    if (status == CLI_WELL)
        status = cli_add_forces(command, j->options, run_job_number(j, "force"), argc, argv, &j->S);
    if (status == CLI_WELL) status = cli_check_retraction(command, cli_retraction(&j->o.motion));
    if (status == CLI_WELL) status = cli_check_use(command, j->o.motion.method, j->start, j->retraction, j->quiet);
    if (status == CLI_WELL) status = cli_plot_check(command, j->plot_file);
    if (status != CLI_WELL) return status;
    if (j->plot_columns != NULL && j->plot_file == NULL) return cli_wrong(command, "--plot-columns needs --plot FILE");
    return j->plot_file != NULL ? cli_plot_choose(&j->choice, command, &j->S, j->plot_columns) : CLI_WELL;
}

int run_job_files(run_job *j, int argc, char **argv, cli_named_file own)
{
    const char *command = j->command;
    int status = cli_run_view_settle(j, argc, argv);
    if (status == CLI_WELL) status = cli_origin_record(&j->origin, argc, argv, &j->S, j->system, j->o.run.output);
    if (status != CLI_WELL) return status;
    const cli_named_file files[] = {{"the system", cli_system_file(j->system)},
                                    {"--output", j->o.run.output},
                                    {"--plot", j->plot_file},
                                    {"--view", j->view.file},
                                    {"--checkpoint", j->keep.file},
                                    {"--events", j->events.file},
                                    {"the rows' provenance", j->anonymous ? NULL : j->origin.beside},
                                    own};
    status = cli_checkpoint_settle(&j->keep, command, j->o.run.output);
    if (status == CLI_WELL) status = cli_files_differ(command, files, sizeof files / sizeof files[0]);
    if (status == CLI_WELL && j->plot_file != NULL) status = cli_file_possible(command, j->plot_file);
    if (status == CLI_WELL && j->view.file != NULL) status = cli_file_possible(command, j->view.file);
    if (status == CLI_WELL && j->events.file != NULL && j->keep.file != NULL)
        status =
            cli_wrong(command, "--events has the impacts since the start, which a checkpoint does not hold; drop one");
    if (status == CLI_WELL && j->events.file != NULL) status = cli_file_possible(command, j->events.file);
    if (status == CLI_WELL && own.file != NULL) status = cli_file_possible(command, own.file);
    if (status != CLI_WELL) return status;
    return cli_settle_output(command, j->format, &j->o.run.output, &j->o.run.stream, &j->o.run.format);
}
