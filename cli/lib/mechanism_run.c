/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions of systems of the command line, and remarks on those of mechanisms. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/checkpoint.h"
#include "cli/lib/choice.h"
#include "cli/lib/controls.h"
#include "cli/lib/mechanism_private.h"

lg_status cli_instance_compile(cli_instance *i, const cli_system *S, const char **message)
{
    const cli_mechanism *R = S->R;
    memset(i, 0, sizeof *i);
    if (R == NULL || R->change_count == 0) return LG_OK;
    lg_status status = lg_model_of_mechanism(&i->M, R->m, R->name);
    for (int k = 0; status == LG_OK && k < R->change_count; k++)
        status = lg_model_set(i->M, R->changes[k].name, R->changes[k].value);
    *message = i->M != NULL ? lg_model_message(i->M) : "out of memory";
    return status;
}

lg_status cli_instance_model(cli_instance *i, const cli_system *S, lg_model **M, const char **message)
{
    lg_status status = cli_instance_compile(i, S, message);
    *M = i->M != NULL ? i->M : S->M;
    for (int k = 0; S->R != NULL && status == LG_OK && k < lg_model_column_count(*M); k++)
        if (!isnan(S->R->initial[k])) status = lg_model_set_initial(*M, lg_model_column(*M, k)->name, S->R->initial[k]);
    return status;
}

lg_status cli_instance_start(lg_motion *mo, const cli_system *S, int project)
{
    return lg_motion_start(mo, cli_begins(S), S->R != NULL ? S->R->initial : NULL, project);
}

lg_status cli_instance_make(cli_instance *i, const cli_system *S, const lg_motion_options *o, int project,
                            const char **message)
{
    *message = "out of memory";
    lg_status status = cli_instance_compile(i, S, message);
    if (status != LG_OK) return status;
    status = lg_motion_create(&i->mo, i->M != NULL ? i->M : S->M, o);
    if (status == LG_OK && S->R != NULL && S->R->o.contact.given)
        status = lg_motion_set_contact(i->mo, &S->R->o.contact.motion);
    if (status == LG_OK) status = cli_instance_start(i->mo, S, project);
    if (i->mo != NULL) *message = lg_motion_message(i->mo);
    return status;
}

void cli_instance_free(cli_instance *i)
{
    lg_motion_destroy(i->mo);
    lg_model_destroy(i->M);
    memset(i, 0, sizeof *i);
}

/* 1: the limits leave this room to q. */
static int has_room(double q, double lower, double upper, double room)
{
    return fmin(q - lower, upper - q) == room;
}

/* The position of a joint that has this room to its limits. */
static int limited_position(const lg_mechanism *m, const lg_motion *mo, int joint, double room)
{
    double q[6] = {0, 0, 0, 0, 0, 0};
    lg_joint j = lg_joint_default(NULL, LG_JOINT_REVOLUTE, NULL, NULL);
    if (lg_mechanism_read_joint(m, &j, joint) != LG_OK || lg_motion_joint(mo, q, NULL, joint) != LG_OK) return 0;
    for (int i = 0; i < 6 && cli_joint_unit(&j, i) != NULL; i++)
        if (has_room(q[i], j.lower, j.upper, room)) return i;
    for (int k = 0; k < lg_mechanism_coordinate_count(m); k++) {
        lg_coordinate c = lg_coordinate_default(NULL, NULL);
        int i = 0;
        if (lg_mechanism_read_coordinate(m, &c, k) == LG_OK && lg_mechanism_joint_position(m, &i, c.name) == joint &&
            has_room(q[i], c.lower, c.upper, room))
            return i;
    }
    return 0;
}

#define STOPPED 1e-12

/* Joints beyond their limits. */
static int watch_limits(const lg_motion *mo, void *context)
{
    cli_mechanism *R = context;
    int joint = -1;
    const double limit = lg_motion_limit(mo, &joint);
    if (limit > -STOPPED) return 0; /* a stop is exact to rounding */
    if (limit < 0 && isnan(R->limit_time)) R->limit_time = lg_motion_time(mo);
    if (!(limit < R->limit)) return 0;
    R->limit = limit;
    R->limit_joint = joint + lg_mechanism_joint_count(R->m) * limited_position(R->m, mo, joint, limit);
    return 0;
}

void cli_mechanism_keep(cli_mechanism *R, cli_checkpoint *k)
{
    cli_checkpoint_keep(k, &R->limit, sizeof R->limit);
    cli_checkpoint_keep(k, &R->limit_time, sizeof R->limit_time);
    cli_checkpoint_keep(k, &R->limit_joint, sizeof R->limit_joint);
}

/* Adds a remark on the run. */
__attribute__((format(printf, 2, 3))) static void say(cli_mechanism *R, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (R->warnings < REMARKS) (void)vsnprintf(R->warning[R->warnings++], sizeof R->warning[0], format, values);
    va_end(values);
}

/* Parts that can press but not pull. */
typedef struct pressed {
    const char *noun, *before, *after, *lift; /* the plural; "BEFORE name AFTER with up to ..."; what real ones do */
    int (*count)(const lg_mechanism *m);
    const char *(*name)(const lg_mechanism *m, int i);
    lg_status (*least)(const lg_motion *mo, double *force, double *time, int i);
} pressed;

static const pressed kinds[] = {
    {"wheels", "the ground pulls on wheel ", "", "lift", lg_mechanism_wheel_count, lg_mechanism_wheel_name,
     lg_motion_wheel_normal},
    {"spheres", "the spheres of ", " pull each other", "part", lg_mechanism_sphere_contact_count,
     lg_mechanism_sphere_contact_name, lg_motion_sphere_contact_normal},
};

/* "2.31 N on left (t = 0.34)" of some of them, and how many are not determined. */
static void tell_forces(cli_mechanism *R, const lg_mechanism *m, const lg_motion *mo, const pressed *kind)
{
    enum { SHOWN = 4 };
    char text[240] = "";
    int shown = 0, unknown = 0;
    size_t at = 0;
    for (int i = 0; i < kind->count(m); i++) {
        double force, time;
        if (kind->least(mo, &force, &time, i) != LG_OK) continue;
        unknown += isnan(force);
        if (isnan(force) || ++shown > SHOWN || at >= sizeof text) continue;
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%.3g N on %.24s (t = %.4g)", shown > 1 ? ", " : "",
                               force, kind->name(m, i), time);
    }
    if (shown > 0) say(R, "%s: least normal force %s%s", kind->noun, text, shown > SHOWN ? " and more" : "");
    if (unknown > 0)
        say(R, "%s: the normal force%s of %d %s not determined, since rigid bodies share a load in many ways",
            kind->noun, unknown == 1 ? "" : "s", unknown, unknown == 1 ? "is" : "are");
}

/* Reports the normal forces of wheels and spheres, and warns of those that would have to pull. */
static void warn_of_pulls(cli_mechanism *R, const lg_mechanism *m, const lg_motion *mo, const lg_run_result *f)
{
    for (size_t k = 0; mo != NULL && f->steps > 0 && k < sizeof kinds / sizeof kinds[0]; k++) {
        const pressed *kind = &kinds[k];
        tell_forces(R, m, mo, kind);
        for (int i = 0, shown = 0; isfinite(f->lift_time) && i < kind->count(m) && shown < 3; i++) {
            double force, time;
            if (kind->least(mo, &force, &time, i) != LG_OK || !(force < 0)) continue;
            shown++;
            say(R,
                "warning: %s%.60s%s with up to %.3g N (t = %.4g); the first pull is at t = %.4g. Real %s %s there; the "
                "later motion is that of %s that cannot",
                kind->before, kind->name(m, i), kind->after, -force, time, f->lift_time, kind->noun, kind->lift,
                kind->noun);
        }
    }
}

/* Bodies of a file whose inertia is not the file's, and what the caller ignores; returns how many of its remarks these
 * are. */
static int say_changes(cli_mechanism *R, int remarks)
{
    static const char *const marks[] = {"least inertia", "lacks inertia", "ignored, as you ask", "nothing is ignored",
                                        "no sensor is a column"};
    enum { SHOWN = 3, MARKS = 5 };
    int said[MARKS] = {0};
    for (int i = 0; i < remarks; i++) {
        const char *text = lg_mechanism_remark(R->m, i);
        int kind = 0;
        while (kind < MARKS && strstr(text, marks[kind]) == NULL) kind++;
        if (kind < MARKS && said[kind]++ < SHOWN) say(R, "%s", text);
    }
    const int inertias = said[0] + said[1],
              shown = (said[0] < SHOWN ? said[0] : SHOWN) + (said[1] < SHOWN ? said[1] : SHOWN);
    if (inertias > shown) say(R, "and %d more bodies get an inertia; liegrp info lists them", inertias - shown);
    if (said[2] > SHOWN) say(R, "and %d more are ignored, as you ask; liegrp info lists them", said[2] - SHOWN);
    return inertias + said[2] + said[3] + said[4];
}

static void warn(cli_mechanism *R)
{
    const int all = lg_mechanism_remark_count(R->m);
    const char *last = all > 0 ? lg_mechanism_remark(R->m, all - 1) : "";
    const int moved = strncmp(last, "assembly ", 9) == 0, remarks = all - moved;
    lg_joint j = lg_joint_default(NULL, LG_JOINT_REVOLUTE, NULL, NULL);
    const int joints = lg_mechanism_joint_count(R->m);
    if (R->limit < 0 && lg_mechanism_read_joint(R->m, &j, R->limit_joint % joints) == LG_OK) {
        const char *unit = cli_joint_unit(&j, R->limit_joint / joints);
        say(R,
            "warning: joint %.80s passed its limit by %.3g %s; the first limit was passed at t = %.4g (limits are "
            "watched, not enforced)",
            j.name, -R->limit, unit, R->limit_time);
    }
    if (moved) say(R, "%s", last);
    const int further = remarks - say_changes(R, remarks);
    if (further > 0)
        say(R, "file: %d remark%s, such as on elements that are not read; liegrp info lists %s", further,
            further == 1 ? "" : "s", further == 1 ? "it" : "them");
}

const char *cli_run_remark(const cli_system *S, int i)
{
    return S->R != NULL && i < S->R->warnings ? S->R->warning[i] : NULL;
}

/* Collects the remarks on the run of a mechanism. */
static void conclude(cli_mechanism *R, const lg_motion *mo, const lg_run_result *result)
{
    if (mo != NULL && R->given && lg_motion_remark(mo) != NULL) say(R, "start: %s", lg_motion_remark(mo));
    if (mo != NULL && R->warnings < REMARKS) {
        cli_contact_tell(R->warning[R->warnings], sizeof R->warning[0], mo, &R->o.contact);
        R->warnings += R->warning[R->warnings][0] != '\0';
    }
    if (lg_mechanism_surface_count(R->m) > 0 && cli_contact_touches(R->m) && mo != NULL &&
        lg_motion_contact_count(mo) == 0)
        say(R,
            "warning: no two surfaces can touch: they are of one body, of one group, of bodies that a joint connects, "
            "or ignored");
    if (R->o.contact.grounded && !cli_contact_touches(R->m))
        say(R, "warning: nothing touches the ground: only surfaces do, and no body has one (liegrp info lists them)");
    warn_of_pulls(R, mo != NULL ? lg_model_mechanism(lg_motion_model(mo)) : NULL, mo, result);
    warn(R);
}

lg_status cli_run_system(const cli_system *S, lg_run_result *result, const cli_run_options *o)
{
    cli_mechanism *R = S->R;
    lg_run_options own = o->run;
    const char *message;
    cli_instance i;
    lg_status status = cli_instance_make(&i, S, &o->motion, o->project, &message);
    own.system = S->name;
    if (R != NULL) {
        R->limit = (double)INFINITY;
        R->limit_time = (double)NAN;
        R->warnings = 0;
        if (R->limited) own.observe = watch_limits, own.observe_context = R;
    }
    if (status == LG_OK && o->probe != NULL && lg_motion_integrator(i.mo) == NULL) {
        status = LG_ERROR_UNSUPPORTED;
        message = "--probe is not available for the step of mechanisms; choose a method such as sem:gauss=1";
    }
    if (status == LG_OK && o->events != NULL && R != NULL) {
        o->events->m = lg_model_mechanism(lg_motion_model(i.mo));
        status = lg_motion_set_impact(i.mo, cli_events_take, o->events);
        message = lg_motion_message(i.mo);
    }
    if (o->now != NULL) *o->now = i.mo;
    if (status == LG_OK)
        status = lg_run(i.mo, result, &own);
    else
        snprintf(result->message, sizeof result->message, "%s", message);
    if (i.mo != NULL && o->ended != NULL) o->ended(i.mo, o->ended_context);
    if (o->account != NULL) lg_status_ignore(lg_motion_account(i.mo, o->account));
    if (i.mo != NULL && o->probe != NULL && lg_motion_integrator(i.mo) != NULL) (void)o->probe(i.mo, o->probe_context);
    if (R != NULL) conclude(R, i.mo, result);
    cli_instance_free(&i);
    return status;
}
