/* SPDX-License-Identifier: BSD-3-Clause */
/* Sensors and sites of a file. */
#include "multibody/sensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>
#include <liegrp/multibody/file.h>

const mb_sensor_facts mb_sensors[MB_SENSOR_KINDS] = {
    [MB_FRAME_POSITION] = {"framepos", 3, "m", "position, in space, of sensor"},
    [MB_FRAME_ATTITUDE] = {"framequat", 4, "-", "attitude: component of the unit quaternion (x, y, z, w), of sensor"},
    [MB_FRAME_X] = {"framexaxis", 3, "-", "first axis, in space, of sensor"},
    [MB_FRAME_Y] = {"frameyaxis", 3, "-", "second axis, in space, of sensor"},
    [MB_FRAME_Z] = {"framezaxis", 3, "-", "third axis, in space, of sensor"},
    [MB_FRAME_VELOCITY] = {"framelinvel", 3, "m/s", "velocity, in space, of sensor"},
    [MB_FRAME_SPIN] = {"frameangvel", 3, "rad/s", "angular velocity, in space, of sensor"},
    [MB_VELOCIMETER] = {"velocimeter", 3, "m/s", "velocity, in its own axes, of sensor"},
    [MB_GYRO] = {"gyro", 3, "rad/s", "angular velocity, in its own axes, of sensor"},
    [MB_JOINT_POSITION] = {"jointpos", 1, NULL, "position of sensor"},
    [MB_JOINT_VELOCITY] = {"jointvel", 1, NULL, "velocity of sensor"},
};

/* Pose of the frame, velocity of its origin and angular velocity, in space. */
static void read_frame(const mb_sensor *s, const lg_motion *mo, double *pose, double *velocity, double *spin)
{
    double body[7] = {0, 0, 0, 0, 0, 0, 1}, twist[6] = {0, 0, 0, 0, 0, 0};
    memset(velocity, 0, 3 * sizeof *velocity);
    if (s->body >= 0) {
        lg_status_ignore(lg_motion_body_pose(mo, body, s->body));
        lg_status_ignore(lg_motion_body_twist(mo, twist, s->body));
        lg_status_ignore(lg_motion_point(mo, NULL, velocity, s->body, s->pose));
    }
    lg_se3_compose(pose, body, s->pose);
    memcpy(spin, twist + 3, 3 * sizeof *spin);
}

static void read_joint(const mb_sensor *s, const lg_motion *mo, double *out)
{
    double q[MB_POSITIONS_MOST], v[MB_POSITIONS_MOST];
    *out = NAN;
    if (lg_motion_joint(mo, q, v, s->joint) != LG_OK) return;
    *out = s->kind == MB_JOINT_POSITION ? q[s->position] : v[s->position];
}

void mb_sensor_read(const mb_sensor *s, const lg_motion *mo, double *out)
{
    double pose[7], velocity[3], spin[3], back[4], axis[3] = {0, 0, 0};
    if (s->kind == MB_JOINT_POSITION || s->kind == MB_JOINT_VELOCITY) {
        read_joint(s, mo, out);
    } else {
        read_frame(s, mo, pose, velocity, spin);
        const double *q = pose + 3;
        lg_so3_inverse(back, q);
        if (s->kind == MB_FRAME_POSITION) memcpy(out, pose, 3 * sizeof *out);
        if (s->kind == MB_FRAME_ATTITUDE) memcpy(out, q, 4 * sizeof *out);
        if (s->kind == MB_FRAME_VELOCITY) memcpy(out, velocity, sizeof velocity);
        if (s->kind == MB_FRAME_SPIN) memcpy(out, spin, sizeof spin);
        if (s->kind == MB_VELOCIMETER) lg_so3_act(out, back, velocity);
        if (s->kind == MB_GYRO) lg_so3_act(out, back, spin);
        if (s->kind >= MB_FRAME_X && s->kind <= MB_FRAME_Z) {
            axis[s->kind - MB_FRAME_X] = 1;
            lg_so3_act(out, q, axis);
        }
    }
    const int unit = s->kind >= MB_FRAME_ATTITUDE && s->kind <= MB_FRAME_Z;
    for (int k = 0; k < mb_sensors[s->kind].size && s->cutoff > 0 && !unit; k++)
        out[k] = fmax(-s->cutoff, fmin(s->cutoff, out[k]));
}

/* ---- sites ---- */

int lg_mechanism_site_count(const lg_mechanism *m)
{
    return m != NULL ? m->sites : 0;
}

const char *lg_mechanism_site_name(const lg_mechanism *m, int i)
{
    return i >= 0 && i < lg_mechanism_site_count(m) ? m->site[i].name : NULL;
}

/* Sites are sorted by name. */
static int is_before(const void *name, const void *site)
{
    return strcmp(name, ((const mb_merged *)site)->name);
}

lg_status lg_mechanism_site(const lg_mechanism *m, int *body, double *pose, const char *name)
{
    if (m == NULL || body == NULL || name == NULL || m->sites == 0) return LG_ERROR_ARGUMENT;
    const mb_merged *found = bsearch(name, m->site, (size_t)m->sites, sizeof *found, is_before);
    if (found == NULL) return LG_ERROR_ARGUMENT;
    *body = found->body;
    if (pose != NULL) memcpy(pose, found->pose, sizeof found->pose);
    return LG_OK;
}
