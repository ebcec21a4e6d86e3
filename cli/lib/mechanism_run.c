/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms of the command line that move. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/checkpoint.h"
#include "cli/lib/choice.h"
#include "cli/lib/controls.h"
#include "cli/lib/mechanism_private.h"

static lg_status compile(cli_instance *i, const cli_mechanism *R, const char **message)
{
    i->used = R->m;
    i->columns = R->columns;
    if (R->change_count == 0) return LG_OK;
    lg_status status = cli_mechanism_describe(R, &i->m, i->message);
    *message = i->message;
    if (status != LG_OK) return status;
    for (int k = 0; status == LG_OK && k < R->change_count; k++)
        status = lg_mechanism_set_parameter(i->m, R->changes[k].name, R->changes[k].value);
    if (status == LG_OK) status = lg_mechanism_compile(i->m);
    *message = cli_mechanism_reason(i->m, status);
    i->used = i->m;
    i->columns = NULL;
    return status == LG_OK ? lg_motion_columns_create(&i->columns, i->m) : status;
}

/* They stand in a row before the figures. */
static lg_status read_controls(cli_instance *i, const char **message)
{
    const int count = lg_motion_columns_count(i->columns), motors = lg_mechanism_motor_count(i->used);
    i->controls = calloc((size_t)count, sizeof *i->controls);
    *message = "out of memory";
    if (i->controls == NULL) return LG_ERROR_MEMORY;
    const lg_status status = lg_motion_columns_row(i->columns, i->controls, i->mo);
    memmove(i->controls, i->controls + count - FIGURES - motors, (size_t)motors * sizeof *i->controls);
    *message = "";
    return status;
}

lg_status cli_instance_make(cli_instance *i, const cli_system *S, const char *method, double step, int project,
                            const char **message)
{
    const cli_mechanism *R = S->R;
    memset(i, 0, sizeof *i);
    *message = "out of memory";
    lg_status status = compile(i, R, message);
    if (status != LG_OK) return status;
    status = lg_motion_create(&i->mo, i->used, method, step);
    if (status == LG_OK) status = lg_motion_set_halvings(i->mo, R->o.halvings);
    if (status == LG_OK)
        status = R->gallery >= 0 ? lg_gallery_start(i->mo, R->gallery) : lg_motion_start(i->mo, 0, NULL, NULL, 1);
    if (status == LG_OK && R->given) status = lg_motion_columns_start(i->columns, i->mo, R->initial, project);
    if (i->mo != NULL) *message = lg_motion_message(i->mo);
    return status == LG_OK ? read_controls(i, message) : status;
}

void cli_instance_free(cli_instance *i)
{
    lg_motion_destroy(i->mo);
    free(i->controls);
    if (i->m != NULL) {
        lg_motion_columns_destroy(i->columns);
        lg_mechanism_destroy(i->m);
    }
    memset(i, 0, sizeof *i);
}

/* Joints beyond their limits. */
static int watch_limits(const lg_motion *mo, void *context)
{
    cli_mechanism *R = context;
    int joint = -1;
    const double limit = lg_motion_limit(mo, &joint);
    if (limit < 0 && isnan(R->limit_time)) R->limit_time = lg_motion_time(mo);
    if (!(limit < R->limit)) return 0;
    R->limit = limit;
    R->limit_joint = joint;
    return 0;
}

void cli_mechanism_keep(cli_mechanism *R, cli_checkpoint *k)
{
    cli_checkpoint_keep(k, &R->limit, sizeof R->limit);
    cli_checkpoint_keep(k, &R->limit_time, sizeof R->limit_time);
    cli_checkpoint_keep(k, &R->limit_joint, sizeof R->limit_joint);
}

/* "2.31 N on left (t = 0.34)" of some wheels, and how many are not determined. */
static void tell_wheels(cli_mechanism *R, const lg_mechanism *m, const lg_motion *mo)
{
    enum { SHOWN = 4 };
    char text[240] = "";
    int shown = 0, unknown = 0;
    size_t at = 0;
    for (int i = 0; i < lg_mechanism_wheel_count(m); i++) {
        double force, time;
        if (lg_motion_least_normal(mo, &force, &time, i) != LG_OK) continue;
        unknown += isnan(force);
        if (isnan(force) || ++shown > SHOWN || at >= sizeof text) continue;
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%.3g N on %.24s (t = %.4g)", shown > 1 ? ", " : "",
                               force, lg_mechanism_wheel_name(m, i), time);
    }
    if (shown > 0)
        snprintf(R->warning[R->warnings++], sizeof R->warning[0], "wheels: least normal force %s%s", text,
                 shown > SHOWN ? " and more" : "");
    if (unknown > 0)
        snprintf(R->warning[R->warnings++], sizeof R->warning[0],
                 "wheels: the normal force%s of %d %s not determined, since rigid bodies share a load in many ways",
                 unknown == 1 ? "" : "s", unknown, unknown == 1 ? "is" : "are");
}

/* Wheels that their ground presses, and those that it pulls. */
static void warn_of_wheels(cli_mechanism *R, const lg_mechanism *m, const lg_motion *mo, const lg_run_result *f)
{
    if (mo == NULL || f->steps == 0) return;
    tell_wheels(R, m, mo);
    for (int i = 0, shown = 0; isfinite(f->lift_time) && i < lg_mechanism_wheel_count(m) && shown < 3; i++) {
        double force, time;
        if (lg_motion_least_normal(mo, &force, &time, i) != LG_OK || !(force < 0)) continue;
        shown++;
        snprintf(
            R->warning[R->warnings++], sizeof R->warning[0],
            "warning: the ground pulls on wheel %.60s with up to %.3g N (t = %.4g); the first pull is at t = %.4g. "
            "Real wheels lift there; the later motion is that of wheels that cannot",
            lg_mechanism_wheel_name(m, i), -force, time, f->lift_time);
    }
}

static void warn(cli_mechanism *R)
{
    const int all = lg_mechanism_remark_count(R->m);
    const char *last = all > 0 ? lg_mechanism_remark(R->m, all - 1) : "";
    const int moved = strncmp(last, "assembly ", 9) == 0, remarks = all - moved;
    lg_joint j = lg_joint_default(NULL, LG_JOINT_REVOLUTE, NULL, NULL);
    if (R->limit < 0 && lg_mechanism_read_joint(R->m, &j, R->limit_joint) == LG_OK)
        snprintf(
            R->warning[R->warnings++], sizeof R->warning[0],
            "warning: joint %.80s passed its limit by %.3g %s; the first limit was passed at t = %.4g (limits are watched, "
            "not enforced)",
            j.name, -R->limit, j.kind == LG_JOINT_PRISMATIC ? "m" : "rad", R->limit_time);
    if (moved) snprintf(R->warning[R->warnings++], sizeof R->warning[0], "%s", last);
    if (remarks > 0)
        snprintf(R->warning[R->warnings++], sizeof R->warning[0],
                 "file: %d kind%s of things in it %s not read; liegrp info lists %s", remarks, remarks == 1 ? "" : "s",
                 remarks == 1 ? "was" : "were", remarks == 1 ? "it" : "them");
}

const char *cli_mechanism_warning(const cli_system *S, int i)
{
    return i < S->R->warnings ? S->R->warning[i] : NULL;
}

int cli_method_is_dense(const char *method)
{
    const size_t length = strcspn(method, ":@");
    char family[64];
    snprintf(family, sizeof family, "%.*s", (int)(length < 60 ? length : 60), method);
    if (lg_method_summary(family) == NULL) return 0;
    if (strcmp(family, "gauss") == 0) return method[length] == ':' && strncmp(method + length, ":stages=", 8) != 0;
    return method[length] == ':' || (strcmp(family, "sem") != 0 && strcmp(family, "rattle") != 0);
}

int cli_mechanism_as_model(cli_instance *i, cli_system *model, const char *command, const cli_system *S, double step,
                           int project)
{
    const char *message;
    lg_status status = cli_instance_make(i, S, NULL, step, project, &message);
    *model = (cli_system){&cli_model_kind, S->name, NULL, NULL};
    if (status == LG_OK) {
        status = lg_mechanism_model(&model->M, i->m != NULL ? i->m : S->R->m, i->mo, S->name, fabs(step));
        message = model->M != NULL ? lg_model_message(model->M) : "out of memory";
    }
    if (status == LG_OK) return CLI_WELL;
    cli_print_failure(command, "sem", status, message);
    return CLI_WRONG_USE;
}

lg_status cli_mechanism_run(const cli_system *S, lg_run_result *result, const lg_run_options *o)
{
    lg_motion_run_options own = lg_motion_run_options_default();
    const char *message;
    cli_instance i;
    lg_status status = cli_instance_make(&i, S, o->method, o->step, o->project, &message);
    own.steps = o->steps;
    own.every = o->every;
    own.output = o->output;
    own.stream = o->stream;
    own.format = o->format;
    own.progress = o->progress;
    own.progress_context = o->progress_context;
    own.row = o->row;
    own.row_context = o->row_context;
    own.control = o->control != NULL ? cli_controls_hold_motors : NULL;
    own.control_context = o->control_context;
    own.accuracy = o->accuracy;
    own.checkpoint = o->checkpoint;
    own.checkpoint_every = o->checkpoint_every;
    own.resume = o->resume;
    own.checkpoint_label = o->checkpoint_label;
    own.memory = o->memory;
    own.memory_count = o->memory_count;
    own.resumed = o->resumed;
    own.resumed_context = o->resumed_context;
    own.provenance = o->provenance;
    own.system = S->name;
    own.arguments = o->arguments;
    own.argument_count = o->argument_count;
    own.inputs = o->inputs;
    own.input_count = o->input_count;
    own.read_provenance = o->read_provenance;
    own.read_provenance_context = o->read_provenance_context;
    own.observe = S->R->limited ? watch_limits : NULL;
    own.observe_context = S->R;
    S->R->limit = (double)INFINITY;
    S->R->limit_time = (double)NAN;
    S->R->warnings = 0;
    if (status == LG_OK && o->tolerance != 0) {
        status = lg_motion_set_tolerance(i.mo, o->tolerance);
        message = lg_motion_message(i.mo);
    }
    if (status == LG_OK)
        status = lg_motion_run(i.mo, result, &own);
    else
        snprintf(result->message, sizeof result->message, "%s", message);
    if (i.mo != NULL && S->R->given && lg_motion_remark(i.mo) != NULL)
        snprintf(S->R->warning[S->R->warnings++], sizeof S->R->warning[0], "start: %s", lg_motion_remark(i.mo));
    warn_of_wheels(S->R, i.used, i.mo, result);
    cli_instance_free(&i);
    warn(S->R);
    return status;
}
