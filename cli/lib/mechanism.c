/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lib/mechanism_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 }; /* joints in a picture */

/* Describing ------------------------------------------------------------------------------------------------------ */

static int ends_in(const char *name, const char *end)
{
    const size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

static int is_mechanism_file(const char *name)
{
    return ends_in(name, ".urdf") || ends_in(name, ".xml") || ends_in(name, ".mjcf");
}

int cli_is_mechanism(const char *name)
{
    return lg_gallery_index(name) >= 0 || is_mechanism_file(name);
}

static int read_parameters(cli_mechanism *R)
{
    R->parameter_count = lg_mechanism_parameter_count(R->m);
    R->parameters = calloc((size_t)R->parameter_count + 1, sizeof *R->parameters);
    for (int i = 0; R->parameters != NULL && i < R->parameter_count; i++) {
        const int length = lg_mechanism_parameter_name(R->m, NULL, 0, i);
        R->parameters[i] = malloc((size_t)length + 1);
        if (R->parameters[i] == NULL) return 0;
        (void)lg_mechanism_parameter_name(R->m, R->parameters[i], (size_t)length + 1, i);
    }
    return R->parameters != NULL;
}

/* Contents of a picture ------------------------------------------------------------------------------------------- */

/* Appends to the text, after a separator; a name that the language of --plot-columns cannot express is left out. */
static void show(cli_mechanism *R, const char *separator, const char *x, const char *stem, const char *y)
{
    const size_t used = strlen(R->motion), length = strlen(x) + strlen(stem) + (y != NULL ? strlen(y) : 0);
    if (strpbrk(x, ",/:*?[") != NULL || (y != NULL && strpbrk(y, ",/:*?[") != NULL)) return;
    if (used + length + 4 > sizeof R->motion) return;
    snprintf(R->motion + used, sizeof R->motion - used, "%s%s%s%s%s", used > 0 ? separator : "", x, stem,
             y != NULL ? ":" : "", y != NULL ? y : "");
}

const char *cli_joint_unit(const lg_joint *j, int i)
{
    if (j->kind != LG_JOINT_COMPOSED) return lg_joint_kind_unit(j->kind, i);
    return i < j->motions ? lg_joint_kind_unit(j->motion[i].kind, 0) : NULL;
}

/* Is position i of a joint a length? */
static int slides(const lg_joint *j, int i)
{
    const char *unit = cli_joint_unit(j, i);
    return unit != NULL && strcmp(unit, "m") == 0;
}

/* The first column of positions, or of velocities. */
static int first_column(const lg_model *M, lg_column_kind kind)
{
    int i = 0;
    while (i < lg_model_column_count(M) && lg_model_column(M, i)->kind != kind) i++;
    return i;
}

/* Positions, or velocities, of the first joints. */
static void show_joints(cli_mechanism *R, const lg_motion *mo, int velocity)
{
    const int first = first_column(R->M, velocity ? LG_COLUMN_VELOCITY : LG_COLUMN_CONFIGURATION);
    int shown = 0;
    const char *separator = "/";
    for (int i = 0; i < lg_mechanism_joint_count(R->m) && shown < SHOWN; i++) {
        lg_joint j = lg_joint_default(NULL, LG_JOINT_FIXED, NULL, NULL);
        const int read = lg_mechanism_read_joint(R->m, &j, i) == LG_OK;
        int count = 0;
        const int at = first + lg_motion_joint_index(mo, &count, i);
        if (!read || lg_mechanism_joint_closes(R->m, i) || count < 1 || count > 3) continue;
        const char *x = lg_model_column(R->M, at)->name, *y = count > 1 ? lg_model_column(R->M, at + 1)->name : NULL;
        if (count > 1 && slides(&j, 0) && slides(&j, 1)) {
            if (!velocity) show(R, "/", x, "", y);
            continue;
        }
        show(R, separator, x, "", NULL);
        if (count > 1) show(R, ",", y, "", NULL);
        separator = ",";
        shown++;
    }
}

static void show_floats(cli_mechanism *R, const lg_motion *mo)
{
    int shown = 0;
    for (int b = 0; b < lg_mechanism_body_count(R->m) && shown < 2; b++) {
        const char *name = lg_mechanism_body_name(R->m, b);
        if (lg_motion_float_index(mo, b) < 0) continue;
        char y[160];
        snprintf(y, sizeof y, "%s_y", name);
        show(R, "/", name, "_x", y);
        show(R, "/", name, "_e3_x", NULL);
        show(R, ",", name, "_e3_y", NULL);
        show(R, ",", name, "_e3_z", NULL);
        shown++;
    }
}

enum { POSITIONS = 6 }; /* of a joint, at most */

/* The number among all positions, which tendons follow, of that which a motor drives; *length: 1: it is a length, as
 * the first term of a tendon is. */
static int place_of(const lg_mechanism *m, const char *driven, int *length)
{
    lg_joint j = lg_joint_default(NULL, LG_JOINT_REVOLUTE, NULL, NULL);
    lg_tendon t = lg_tendon_default(NULL);
    int i = 0;
    const int joint = lg_mechanism_joint_position(m, &i, driven);
    lg_status_ignore(lg_mechanism_read_joint(m, &j, joint));
    if (joint >= 0 && length != NULL) *length = slides(&j, i);
    if (joint >= 0) return POSITIONS * joint + i;
    for (i = 0; strcmp(lg_mechanism_tendon_name(m, i), driven) != 0;) i++;
    lg_status_ignore(lg_mechanism_read_tendon(m, &t, i));
    if (length != NULL) *length = 1;
    if (length != NULL && t.term->kind == LG_TENDON_JOINT) (void)place_of(m, t.term->name, length);
    return POSITIONS * lg_mechanism_joint_count(m) + i;
}

static int count_motors(cli_mechanism *R)
{
    const size_t tendons = (size_t)lg_mechanism_tendon_count(R->m);
    R->motors = calloc(POSITIONS * (size_t)lg_mechanism_joint_count(R->m) + tendons + 1, sizeof *R->motors);
    for (int i = 0; R->motors != NULL && i < lg_mechanism_motor_count(R->m); i++) {
        lg_motor motor = lg_motor_default(NULL, NULL);
        lg_status_ignore(lg_mechanism_read_motor(R->m, &motor, i));
        R->motors[place_of(R->m, motor.joint, NULL)]++;
    }
    return R->motors != NULL;
}

void cli_mechanism_list_options(lg_lines *l, const cli_system *S)
{
    const cli_mechanism_options *o = &S->R->o;
    lg_lines_number(l, "floating", o->floating);
    if (o->least_inertia > 0) lg_lines_number(l, "least-inertia", o->least_inertia);
    for (int k = 0; o->pulled && k < 3; k++) lg_lines_number(l, "gravity", o->gravity[k]);
    for (int i = 0; i < o->wheels; i++) lg_lines_text(l, "wheel", o->wheel[i]);
    for (int i = 0; i < o->motors; i++) lg_lines_text(l, "motor", o->motor[i]);
    for (int i = 0; i < o->motions; i++) lg_lines_text(l, "motion", o->motion[i]);
    for (int i = 0; i < o->ignored; i++) lg_lines_text(l, "ignore", o->ignore[i]);
    if (o->sensors) lg_lines_number(l, "sensors", 1);
    cli_contact_list(l, &o->contact);
    if (o->key != NULL) lg_lines_text(l, "key", o->key);
}

/* Opening --------------------------------------------------------------------------------------------------------- */

static int has_limits(const lg_mechanism *m)
{
    for (int i = 0; i < lg_mechanism_joint_count(m); i++) {
        lg_joint j = lg_joint_default(NULL, LG_JOINT_REVOLUTE, NULL, NULL);
        if (lg_mechanism_read_joint(m, &j, i) == LG_OK && !j.stops && (isfinite(j.lower) || isfinite(j.upper)))
            return 1;
    }
    for (int i = 0; i < lg_mechanism_coordinate_count(m); i++) {
        lg_coordinate c = lg_coordinate_default(NULL, NULL);
        if (lg_mechanism_read_coordinate(m, &c, i) == LG_OK && !c.stops && (isfinite(c.lower) || isfinite(c.upper)))
            return 1;
    }
    return 0;
}

static lg_status look(cli_mechanism *R, const char **message)
{
    lg_motion_options o = lg_motion_options_default();
    lg_motion *mo = NULL;
    o.step = 1e-3;
    const lg_status status = lg_motion_create(&mo, R->M, &o);
    *message = status != LG_OK ? "out of memory" : "";
    if (status == LG_OK) {
        R->limited = has_limits(R->m);
        show_floats(R, mo);
        show_joints(R, mo, 0);
        show_joints(R, mo, 1);
    }
    lg_motion_destroy(mo);
    return status;
}

static lg_status make(cli_mechanism *R, const char **message)
{
    lg_status status = cli_mechanism_describe(R);
    *message = R->message;
    if (status == LG_OK && !read_parameters(R)) return LG_ERROR_MEMORY;
    if (status == LG_OK) {
        status = lg_mechanism_compile(R->m);
        *message = cli_mechanism_reason(R->m, status);
    }
    if (status == LG_OK && !count_motors(R)) return LG_ERROR_MEMORY;
    if (status == LG_OK) status = lg_model_of_mechanism(&R->M, R->m, R->name);
    if (status == LG_OK) {
        const int count = lg_model_column_count(R->M);
        R->initial = malloc((size_t)count * sizeof *R->initial);
        if (R->initial == NULL) return LG_ERROR_MEMORY;
        for (int i = 0; i < count; i++) R->initial[i] = (double)NAN;
        status = look(R, message);
    }
    return status;
}

/* The start of this name becomes the initial values. */
static lg_status take_key(cli_mechanism *R, const char **message)
{
    enum { MOST = 64 };
    const char *names[MOST + 1];
    const int count = lg_mechanism_key_count(R->m), shown = count < MOST ? count : MOST;
    int i = 0, control = 0;
    while (i < count && strcmp(lg_mechanism_key_name(R->m, i), R->o.key) != 0) i++;
    for (int k = 0; k < shown; k++) names[k] = lg_mechanism_key_name(R->m, k);
    names[shown] = NULL;
    if (i == count) {
        R->told = count > 0 ? cli_unknown(R->command, "key", R->o.key, names) != CLI_WELL
                            : cli_wrong(R->command, "--key %s: %s has no keys", R->o.key, R->name) != CLI_WELL;
        return LG_ERROR_ARGUMENT;
    }
    const lg_status status = lg_model_key(R->M, R->initial, i);
    *message = lg_model_message(R->M);
    if (status != LG_OK) return status;
    R->given = 1, R->begins = R->initial[1], R->initial[1] = (double)NAN;
    R->control = calloc((size_t)lg_model_control_count(R->M) + 1, sizeof *R->control);
    if (R->control == NULL) return LG_ERROR_MEMORY;
    for (int k = 0; k < lg_model_column_count(R->M); k++) {
        if (lg_model_column(R->M, k)->kind != LG_COLUMN_CONTROL) continue;
        R->control[control++] = R->initial[k];
        R->initial[k] = (double)NAN;
    }
    return LG_OK;
}

int cli_open_mechanism(const char *command, const char *name, const cli_mechanism_options *o, cli_system *S)
{
    const char *message = "out of memory";
    S->kind = &cli_mechanism_kind;
    S->R = calloc(1, sizeof *S->R);
    if (S->R == NULL) return cli_wrong(command, "out of memory");
    S->R->name = name, S->R->command = command;
    S->R->o = *o;
    S->R->gallery = is_mechanism_file(name) ? -1 : lg_gallery_index(name);
    const char *of_file = o->floating                    ? "floating"
                          : o->wheels > 0                ? "wheel"
                          : o->least_inertia > 0         ? "least-inertia"
                          : o->ignored > 0 && !o->writes ? "ignore"
                          : o->packages > 0              ? "package"
                          : o->sensors                   ? "sensors"
                          : o->within != NULL            ? "within"
                          : o->contact.of_file           ? "contacts"
                                                         : NULL;
    if (S->R->gallery >= 0 && of_file != NULL)
        return cli_wrong(command, "--%s is for a mechanism from a file; %s belongs to the gallery", of_file, name);
    lg_status status = make(S->R, &message);
    if (status == LG_OK && o->key != NULL) status = take_key(S->R, &message);
    S->M = S->R->M;
    if (status == LG_OK) return CLI_WELL;
    if (S->R->told) return CLI_WRONG_USE;
    if (status == LG_ERROR_MEMORY) message = "out of memory";
    /* the message of a file begins with its name */
    if (strncmp(message, name, strlen(name)) == 0) return cli_wrong(command, "%s", message);
    return cli_wrong(command, "%s: %s", name, message);
}

double cli_begins(const cli_system *S)
{
    return S->R != NULL ? S->R->begins : 0;
}

const double *cli_first_controls(const cli_system *S)
{
    return S->R != NULL ? S->R->control : NULL;
}

int cli_mechanism_has_key(const cli_system *S)
{
    return S->R->o.key != NULL;
}

const char *cli_mechanism_file(const cli_mechanism *R, int i)
{
    return lg_mechanism_file_name(R->m, i);
}

void cli_mechanism_free(cli_mechanism *R)
{
    if (R == NULL) return;
    if (R->whole == NULL) {
        lg_model_destroy(R->M);
        lg_mechanism_destroy(R->m);
        for (int i = 0; R->parameters != NULL && i < R->parameter_count; i++) free(R->parameters[i]);
        free(R->parameters);
        free(R->motors);
        free(R->control);
    }
    free(R->changes);
    free(R->initial);
    free(R);
}

static void mechanism_destroy(cli_system *S)
{
    cli_mechanism_free(S->R);
    S->R = NULL, S->M = NULL;
}

cli_mechanism *cli_mechanism_copy(const cli_mechanism *R)
{
    const size_t columns = (size_t)lg_model_column_count(R->M);
    cli_mechanism *own = malloc(sizeof *own);
    if (own == NULL) return NULL;
    *own = *R;
    own->whole = R->whole != NULL ? R->whole : R;
    own->initial = malloc(columns * sizeof *own->initial);
    own->changes = calloc((size_t)R->change_count + 1, sizeof *own->changes);
    if (own->initial == NULL || own->changes == NULL) {
        cli_mechanism_free(own);
        return NULL;
    }
    memcpy(own->initial, R->initial, columns * sizeof *own->initial);
    for (int i = 0; i < R->change_count; i++) own->changes[i] = R->changes[i];
    return own;
}

cli_mechanism *cli_mechanism_again(const cli_mechanism *R)
{
    cli_mechanism *own = cli_mechanism_copy(R);
    for (int i = 0; own != NULL && i < lg_model_column_count(R->M); i++) own->initial[i] = (double)NAN;
    if (own != NULL) own->change_count = 0, own->given = 0;
    return own;
}

/* Reading --------------------------------------------------------------------------------------------------------- */

double cli_mechanism_given(const cli_mechanism *R, int column)
{
    return R->initial[column];
}

const lg_mechanism *cli_mechanism_of(const cli_system *S)
{
    return S->R->m;
}

const char *cli_mechanism_text(const cli_system *S)
{
    return lg_gallery_text(S->R->gallery);
}

const char *cli_mechanism_remark(const cli_system *S, int i)
{
    return lg_mechanism_remark(S->R->m, i);
}

static int mechanism_controls(const cli_system *S)
{
    return lg_mechanism_motor_count(S->R->m) + lg_mechanism_thruster_count(S->R->m);
}

/* A motor has two names, that of its joint and that of the motor; if two drive one joint, only the latter. */
static void mechanism_control(cli_column *c, const cli_system *S, int i)
{
    const lg_mechanism *m = S->R->m;
    lg_motor own = lg_motor_default(NULL, NULL);
    int length;
    if (i >= lg_mechanism_motor_count(m)) {
        const char *name = lg_mechanism_thruster_name(m, i - lg_mechanism_motor_count(m));
        snprintf(c->name, sizeof c->name, "%s", name), snprintf(c->also, sizeof c->also, "%s", name);
        snprintf(c->unit, sizeof c->unit, "-");
        snprintf(c->meaning, sizeof c->meaning, "control of thruster %s", name);
        return;
    }
    lg_status_ignore(lg_mechanism_read_motor(m, &own, i));
    const int place = place_of(m, own.joint, &length);
    snprintf(c->name, sizeof c->name, "%s", S->R->motors[place] == 1 ? own.joint : own.name);
    snprintf(c->also, sizeof c->also, "%s", own.name);
    const int integrates = own.activation == LG_ACTIVATION_INTEGRATOR;
    const int servo = own.control_gain != 0 || own.damping_gain > 0 || (integrates && !(own.position_gain > 0)) ? 3
                      : own.position_gain > 0 ? 1 + integrates
                      : own.velocity_gain > 0 ? 2
                                              : 0;
    static const char *const units[4][2] = {{"N m", "N"}, {"rad", "m"}, {"rad/s", "m/s"}, {"-", "-"}},
                             *const what[4][2] = {{"torque", "force"},
                                                  {"wanted position", "wanted position"},
                                                  {"wanted velocity", "wanted velocity"},
                                                  {"control", "control"}};
    snprintf(c->unit, sizeof c->unit, "%s", units[servo][length]);
    snprintf(c->meaning, sizeof c->meaning, "%s of motor %s", what[servo][length], own.name);
}

static int always(const cli_system *S)
{
    (void)S;
    return 1;
}

static const char *mechanism_plot(const cli_system *S)
{
    return lg_gallery_plot(S->R->gallery);
}

static const char *mechanism_motion(const cli_system *S)
{
    return S->R->motion[0] != '\0' ? S->R->motion : "energy_change";
}

static const char *mechanism_conserved(const cli_system *S)
{
    (void)S;
    return "energy_change,work/balance/gap,slip";
}

static int mechanism_constrained(const cli_system *S)
{
    return lg_mechanism_row_count(S->R->m) > 0;
}

static int mechanism_configures(const cli_system *S, const char *name)
{
    const int i = lg_model_column_find(S->R->M, name);
    return i >= 0 && lg_model_column(S->R->M, i)->kind == LG_COLUMN_CONFIGURATION;
}

int cli_mechanism_is_initial(const cli_system *S, int column)
{
    const lg_column *c = lg_model_column(S->R->M, column);
    return c != NULL &&
           (c->kind == LG_COLUMN_CONFIGURATION || c->kind == LG_COLUMN_VELOCITY || c->kind == LG_COLUMN_ACTIVATION);
}

static const char *mechanism_settable(const cli_system *S, int i, int initial)
{
    if (!initial) return i < S->R->parameter_count ? S->R->parameters[i] : NULL;
    return cli_mechanism_is_initial(S, FIRST + i) ? lg_model_column(S->R->M, FIRST + i)->name : NULL;
}

static const char *mechanism_parameter_unit(const cli_system *S, const char *name)
{
    return lg_mechanism_parameter_unit(S->R->m, lg_mechanism_parameter(S->R->m, name));
}

/* Setting --------------------------------------------------------------------------------------------------------- */

static const char *mechanism_message(const cli_system *S)
{
    return S->R->message;
}

static lg_status refuse(cli_mechanism *R, lg_status status, const char *message)
{
    snprintf(R->message, sizeof R->message, "%s", message);
    return status;
}

static lg_status set_parameter(cli_mechanism *R, const char *name, double value)
{
    int at = 0;
    if (lg_mechanism_parameter(R->m, name) < 0) {
        snprintf(R->message, sizeof R->message, "unknown parameter '%.60s' of %.60s, liegrp info lists them", name,
                 R->name);
        return LG_ERROR_ARGUMENT;
    }
    while (at < R->change_count && strcmp(R->changes[at].name, name) != 0) at++;
    if (at == R->change_count) {
        cli_change *more = realloc(R->changes, ((size_t)at + 1) * sizeof *more);
        if (more == NULL) return refuse(R, LG_ERROR_MEMORY, "out of memory");
        R->changes = more;
        R->change_count++;
        snprintf(more[at].name, sizeof more[at].name, "%s", name);
    }
    R->changes[at].value = value;
    return LG_OK;
}

static lg_status mechanism_set(const cli_system *S, const char *name, double value, int initial)
{
    cli_mechanism *R = S->R;
    const int i = lg_model_column_find(R->M, name);
    if (!initial) return set_parameter(R, name, value);
    if (!cli_mechanism_is_initial(S, i)) {
        snprintf(R->message, sizeof R->message, "unknown initial value '%.60s' of %.60s, liegrp info lists them", name,
                 R->name);
        return LG_ERROR_ARGUMENT;
    }
    R->initial[i] = value;
    R->given = 1;
    return LG_OK;
}

const cli_kind cli_mechanism_kind = {
    .noun = "mechanism",
    .controls = mechanism_controls,
    .control = mechanism_control,
    .units = always,
    .plot = mechanism_plot,
    .motion = mechanism_motion,
    .conserved = mechanism_conserved,
    .constrained = mechanism_constrained,
    .configures = mechanism_configures,
    .set = mechanism_set,
    .message = mechanism_message,
    .settable = mechanism_settable,
    .parameter_unit = mechanism_parameter_unit,
    .destroy = mechanism_destroy,
};
