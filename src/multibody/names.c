/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of parts by name; of rows and freedoms. */
#include <string.h>

#include "multibody/parts/joint.h"

const char *mb_control_noun(const lg_mechanism *m, int i, const char **name)
{
    const int motors = m->part[MB_MOTORS].count;
    *name = i < motors ? MB_MOTOR_OF(m, i)->name : MB_THRUSTER_OF(m, i - motors)->name;
    return i < motors ? "motor" : "thruster";
}

int lg_mechanism_body(const lg_mechanism *m, const char *name)
{
    return m != NULL ? mb_find(m, MB_BODIES, name) : -1;
}

int lg_mechanism_joint(const lg_mechanism *m, const char *name)
{
    return m != NULL ? mb_find(m, MB_JOINTS, name) : -1;
}

/* As lg_mechanism_joint_position(), of names that are no coordinates. */
static int position_of(const lg_mechanism *m, int *position, const char *name)
{
    const char *dot = name != NULL ? strrchr(name, '.') : NULL;
    int j = mb_find(m, MB_JOINTS, name);
    *position = -1;
    if (j >= 0) {
        *position = mb_position_count(MB_JOINT_OF(m, j)) == 1 ? 0 : -1;
    } else if (dot != NULL && dot[1] >= '1' && dot[1] <= '9' && dot[2] == '\0') {
        j = mb_find_within(m, MB_JOINTS, name, (size_t)(dot - name));
        *position = dot[1] - '1';
    }
    return j;
}

int lg_mechanism_joint_position(const lg_mechanism *m, int *position, const char *name)
{
    int i = -1, j = m != NULL ? position_of(m, &i, name) : -1;
    const int own = j < 0 && m != NULL ? mb_find(m, MB_COORDINATES, name) : -1;
    if (own >= 0) j = position_of(m, &i, MB_COORDINATE_OF(m, own)->joint);
    if (position != NULL) *position = i;
    return j;
}

const mb_position *mb_position_named(const lg_mechanism *m, int *j, int *i, const char *name)
{
    *j = lg_mechanism_joint_position(m, i, name);
    const lg_joint *of = *j >= 0 ? MB_JOINT_OF(m, *j) : NULL;
    return of != NULL && *i >= 0 && *i < mb_position_count(of) ? mb_position_of(of, *i) : NULL;
}

int lg_mechanism_row_count(const lg_mechanism *m)
{
    return m != NULL ? m->all_rows - m->plan.rotor_rows - MB_SHARE_ROWS * m->hidden : 0;
}

int lg_mechanism_rank(const lg_mechanism *m)
{
    return m != NULL ? m->plan.rows - m->plan.rotor_rows - MB_SHARE_ROWS * m->hidden : 0;
}

int lg_mechanism_freedoms(const lg_mechanism *m)
{
    return m != NULL ? mb_freedoms(&m->plan) : 0;
}

const char *lg_mechanism_redundant(const lg_mechanism *m, int i)
{
    return m != NULL && i >= 0 && i < m->plan.excess_count ? m->redundant[i] : NULL;
}
