/* SPDX-License-Identifier: BSD-3-Clause */
/* What a mechanism is before it is compiled: the gallery's or a file's, with what options add; it goes out again. */
#include "cli/lib/mechanism_private.h"
#include "cli/lib/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

const char *cli_mechanism_reason(const lg_mechanism *m, lg_status status)
{
    const char *text = m != NULL ? lg_mechanism_message(m) : "";
    return text[0] != '\0' ? text : lg_status_text(status);
}

static lg_status refuse_wheel(char *message, size_t room, const char *text)
{
    snprintf(message, room, "--wheel must be LINK=RADIUS or LINK=RADIUS,AXIS with AXIS x, y or z, got '%.80s'", text);
    return LG_ERROR_ARGUMENT;
}

/* "LINK=RADIUS,AXIS": a disk that rolls on z = 0, about the origin of the link's frame. The axis is one of that frame.
 */
static lg_status add_wheel(lg_mechanism *m, const char *text, char *message, size_t room)
{
    const char *equal = strrchr(text, '='), *comma = equal != NULL ? strchr(equal, ',') : NULL;
    const size_t length = equal != NULL ? (size_t)(equal - text) : 0;
    const int axis = comma != NULL ? comma[1] - 'x' : 1;
    char link[128], number[64], name[160];
    double radius, pose[7], local[3] = {0, 0, 0};
    int body = -1;
    lg_wheel w = lg_wheel_default(NULL, NULL);
    if (length == 0 || length >= sizeof link || axis < 0 || axis > 2 || (comma != NULL && comma[2] != '\0'))
        return refuse_wheel(message, room, text);
    snprintf(link, sizeof link, "%.*s", (int)length, text);
    snprintf(number, sizeof number, "%.*s", (int)strcspn(equal + 1, ","), equal + 1);
    if (!cli_number(number, &radius)) return refuse_wheel(message, room, text);
    lg_status status = lg_mechanism_link(m, &body, pose, link);
    if (status != LG_OK || body < 0) {
        snprintf(message, room, "--wheel %.80s: %s '%.60s'", text,
                 status != LG_OK ? "there is no link" : "the world has no wheels, it holds the link", link);
        return LG_ERROR_ARGUMENT;
    }
    snprintf(name, sizeof name, "%s wheel", link);
    local[axis] = 1;
    w.name = name;
    w.body = lg_mechanism_body_name(m, body);
    w.radius = radius;
    memcpy(w.centre, pose, sizeof w.centre);
    lg_so3_act(w.axle, pose + 3, local);
    status = lg_mechanism_add_wheel(m, NULL, &w);
    if (status != LG_OK) snprintf(message, room, "--wheel %.80s: %s", text, lg_mechanism_message(m));
    return status;
}

/* 1: a motor drives this position of a joint. */
static int is_driven(const lg_mechanism *m, const char *joint)
{
    lg_motor motor = lg_motor_default(NULL, NULL);
    for (int i = 0; i < lg_mechanism_motor_count(m); i++)
        if (lg_mechanism_read_motor(m, &motor, i) == LG_OK && strcmp(motor.joint, joint) == 0) return 1;
    return 0;
}

/* "JOINT" or "JOINT=MOST": a motor that has the joint's name. */
static lg_status add_motor(cli_mechanism *R, const char *text)
{
    const char *equal = strrchr(text, '=');
    char joint[160];
    double most = (double)INFINITY;
    snprintf(joint, sizeof joint, "%.*s", (int)(equal != NULL && equal - text < 159 ? equal - text : 159), text);
    const char *wrong = equal != NULL && (!cli_number(equal + 1, &most) || !(most > 0))
                            ? "needs a positive torque or force"
                        : lg_mechanism_joint_position(R->m, NULL, joint) < 0 ? "names no joint"
                        : is_driven(R->m, joint)                             ? "names a joint that has a motor"
                                                                             : NULL;
    if (wrong != NULL) {
        snprintf(R->message, sizeof R->message, "--motor %.160s %s; liegrp info lists joints and motors", text, wrong);
        return LG_ERROR_ARGUMENT;
    }
    lg_motor motor = lg_motor_default(joint, joint);
    motor.lower = -most, motor.upper = most;
    const lg_status status = lg_mechanism_add_motor(R->m, NULL, &motor);
    if (status != LG_OK) snprintf(R->message, sizeof R->message, "--motor: %s", lg_mechanism_message(R->m));
    return status;
}

/* The table of a motion becomes a drive of a joint's position or a body, which has its name. */
static lg_status add_motion(cli_mechanism *R, const char *text)
{
    const char *equal = strchr(text, '=');
    char name[160];
    const char *wrong = equal == NULL || equal == text || equal[1] == '\0' ? "must be NAME=FILE" : NULL;
    snprintf(name, sizeof name, "%.*s", (int)(equal != NULL && equal - text < 159 ? equal - text : 159), text);
    const int joint = lg_mechanism_joint_position(R->m, NULL, name), body = lg_mechanism_body(R->m, name);
    if (wrong == NULL && joint < 0 && body < 0) wrong = "names neither a joint nor a body";
    if (wrong != NULL) {
        snprintf(R->message, sizeof R->message, "--motion %s, got '%.160s'", wrong, text);
        return LG_ERROR_ARGUMENT;
    }
    cli_table table = {.columns = joint >= 0 ? 1 : 7};
    lg_drive d = lg_drive_default(name, joint >= 0 ? name : NULL);
    R->told = cli_table_read(&table, R->command, "motion", equal + 1) != CLI_WELL;
    d.body = joint >= 0 ? NULL : name;
    d.count = table.count < INT32_MAX ? (int)table.count : INT32_MAX, d.times = table.times, d.values = table.values;
    const lg_status status = R->told ? LG_ERROR_ARGUMENT : lg_mechanism_add_drive(R->m, NULL, &d);
    if (!R->told && status != LG_OK)
        snprintf(R->message, sizeof R->message, "--motion: %s", lg_mechanism_message(R->m));
    free(table.times), free(table.values);
    return status;
}

lg_status cli_mechanism_describe(cli_mechanism *R)
{
    lg_mechanism_file o = lg_mechanism_file_default();
    lg_status status;
    if (R->o.floating) o.root = LG_ROOT_FLOATING;
    o.least_inertia = R->o.least_inertia;
    o.ignore = R->o.ignore, o.packages = R->o.package;
    o.sensors = R->o.sensors, o.within = R->o.within, o.contacts = R->o.contact.of_file;
    status = R->gallery >= 0 ? lg_gallery_describe(&R->m, R->gallery) : lg_mechanism_read(&R->m, R->name, &o);
    if (status == LG_OK && R->o.pulled) status = lg_mechanism_set_gravity(R->m, R->o.gravity);
    if (status == LG_OK) status = cli_contact_ground(R->m, &R->o.contact);
    if (status != LG_OK) snprintf(R->message, sizeof R->message, "%s", cli_mechanism_reason(R->m, status));
    for (int i = 0; status == LG_OK && i < R->o.wheels; i++)
        status = add_wheel(R->m, R->o.wheel[i], R->message, sizeof R->message);
    for (int i = 0; status == LG_OK && i < R->o.motors; i++) status = add_motor(R, R->o.motor[i]);
    for (int i = 0; status == LG_OK && i < R->o.motions; i++) status = add_motion(R, R->o.motion[i]);
    return status;
}

int cli_mechanism_write(const char *command, const cli_system *S, const char *file)
{
    cli_mechanism *R = S->R;
    if (R->gallery < 0 && lg_file_same(R->name, file))
        return cli_wrong(command, "--write %s would replace the mechanism's own file; give another name", file);
    const lg_status status = lg_mechanism_write(R->m, file, R->o.ignore);
    return status == LG_OK ? CLI_WELL : cli_wrong(command, "%s: %s", R->name, cli_mechanism_reason(R->m, status));
}
