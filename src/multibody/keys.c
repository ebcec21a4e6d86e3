/* SPDX-License-Identifier: BSD-3-Clause */
/* Named starts of a file, in the coordinates of the mechanism. */
#include "multibody/keys.h"

#include <string.h>

#include <liegrp/groups/so3.h>
#include <liegrp/multibody/file.h>

#include "groups/rotation.h"

int lg_mechanism_key_count(const lg_mechanism *m)
{
    return m != NULL && m->keys != NULL ? m->keys->count : 0;
}

const char *lg_mechanism_key_name(const lg_mechanism *m, int i)
{
    return i >= 0 && i < lg_mechanism_key_count(m) ? mb_in_keys(m->keys, m->keys->key[i].name) : NULL;
}

/* Rotation vector and angular velocity in the parent's axes, from the quaternion w, x, y, z (NULL: not given, it is
 * turn[4]) and that in the child's. 0: the quaternion is 0. */
static int write_rotation(double *turn, const double *wxyz, const double *w, double *q, double *v)
{
    if (wxyz != NULL) {
        const double given[4] = {wxyz[1], wxyz[2], wxyz[3], wxyz[0]};
        if (lg_unit(turn, given, 4) != LG_OK || lg_so3_log(q, turn) != LG_OK) return 0;
    }
    if (w != NULL) lg_so3_act(v, turn, w);
    return 1;
}

static int write_joint(const mb_keyed *j, const double *from, const double *rate, double *q, double *v)
{
    const int before = j->kind == LG_JOINT_FREE ? 3 : j->kind == LG_JOINT_SPHERICAL ? 0 : 1;
    double turn[4];
    memcpy(turn, j->attitude, sizeof turn);
    for (int k = 0; from != NULL && k < before; k++) q[j->position + k] = from[k];
    for (int k = 0; rate != NULL && k < before; k++) v[j->position + k] = rate[k];
    return before == 1 || write_rotation(turn, from != NULL ? from + before : NULL, rate != NULL ? rate + before : NULL,
                                         q + before, v + before);
}

int mb_key_write(const mb_keys *k, int i, double *q, double *v, double *u, double *act, const int *first)
{
    const mb_key *key = &k->key[i];
    const mb_keyed *j = mb_in_keys(k, k->keyed);
    const int *control = mb_in_keys(k, k->control);
    const double *at = mb_in_keys(k, key->number);
    const double *from = key->positions > 0 ? at : NULL, *rate = key->velocities > 0 ? at + key->positions : NULL;
    for (int n = 0; n < k->joints; n++, j++) {
        const int to = j->joint >= 0 ? first[j->joint] : -1;
        if (to >= 0 && !write_joint(j, from, rate, q + to, v + to)) return 0;
        if (from != NULL) from += mb_keyed_count(j, 0);
        if (rate != NULL) rate += mb_keyed_count(j, 1);
    }
    for (int n = 0; n < k->controls && key->controls > 0; n++)
        if (control[n] >= 0) u[control[n]] = at[key->positions + key->velocities + n];
    for (int n = 0; n < key->activations; n++)
        act[control[k->controls + n]] = at[key->positions + key->velocities + key->controls + n];
    return 1;
}
