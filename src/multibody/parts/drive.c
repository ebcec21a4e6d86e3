/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives: motions that are given, of a coordinate or of a body. */
#include <stdlib.h>

#include <liegrp/groups/so3.h>

#include "base/arena.h"
#include "base/cubic.h"
#include "base/small.h"
#include "groups/rotation.h"
#include "multibody/lead.h"
#include "multibody/parts/joint.h"
#include "multibody/parts/part.h"

static const mb_field fields[] = {{NULL, NULL, 0}};

static int columns_of(const lg_drive *d)
{
    return d->body != NULL ? 7 : 1;
}

static lg_status check_table(lg_mechanism *m, const lg_drive *own)
{
    const int columns = columns_of(own);
    lg_error *e = &m->error;
    if (own->count < 2 || own->count > 100000000 || own->times == NULL || own->values == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "drive '%.60s': give a function, or a table of at least 2 times with values", own->name);
    for (int i = 0; i < own->count; i++) {
        const double *row = own->values + (size_t)columns * (size_t)i;
        if (!isfinite(own->times[i]) || !lg_all_finite(row, columns))
            return lg_fail(e, LG_ERROR_NOT_FINITE, "drive '%.60s': row %d of the table has a number that is not finite",
                           own->name, i + 1);
        if (i > 0 && !(own->times[i] > own->times[i - 1]))
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "drive '%.60s': times of the table must increase, and row %d has %.10g after %.10g",
                           own->name, i + 1, own->times[i], own->times[i - 1]);
        if (columns == 7 && !(lg_length(row + 3, 4) > 0))
            return lg_fail(e, LG_ERROR_ARGUMENT, "drive '%.60s': row %d of the table has the quaternion 0", own->name,
                           i + 1);
    }
    return LG_OK;
}

static lg_status check_drive(lg_mechanism *m, void *part)
{
    const lg_drive *own = part;
    if ((own->joint != NULL) == (own->body != NULL))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "drive '%.60s': name either a joint or a body that it moves",
                       own->name);
    if (own->motion == NULL) return check_table(m, own);
    if (own->count == 0 && own->times == NULL && own->values == NULL) return LG_OK;
    return lg_fail(&m->error, LG_ERROR_ARGUMENT, "drive '%.60s' has a function and a table; give one of them",
                   own->name);
}

/* Rows of quaternions of length 1, each on the side of the one before. */
static void align(double *values, int count)
{
    for (int i = 0; i < count; i++) {
        double *q = values + 7 * i + 3;
        lg_status_ignore(lg_so3_project(q, q)); /* it is not 0 */
        for (int k = 0; i > 0 && small_dot(4, q, q - 7) < 0 && k < 4; k++) q[k] = -q[k];
    }
}

/* The table becomes the mechanism's, and its second derivatives follow the values. 0: out of memory. */
static int own_table(void *part)
{
    lg_drive *d = part;
    if (d->motion != NULL) return 1;
    const size_t count = sz(d->count), numbers = count * sz(columns_of(d));
    double *times = malloc(count * sizeof *times), *values = malloc(2 * numbers * sizeof *values);
    int well = times != NULL && values != NULL;
    if (well) {
        memcpy(times, d->times, count * sizeof *times), memcpy(values, d->values, numbers * sizeof *values);
        if (d->body != NULL) align(values, d->count);
        well = lg_cubic_make(values + numbers, times, values, d->count, columns_of(d));
    }
    if (!well) {
        free(times), free(values);
        return 0;
    }
    d->times = times, d->values = values;
    return 1;
}

static void disown_table(void *part)
{
    const lg_drive *d = part;
    if (d->motion == NULL) free((void *)(uintptr_t)d->times), free((void *)(uintptr_t)d->values);
}

static lg_status make_drive(lg_mechanism *m, int i)
{
    const lg_drive *from = MB_DRIVE_OF(m, i);
    mb_follower *d = (mb_follower *)m->made[MB_DRIVES] + i;
    *d = (mb_follower){.coordinate = -1, .leader = m->plan.bodies + 1 + i, .motion = from};
    if (from->motion == NULL) d->second = from->values + sz(from->count) * sz(columns_of(from));
    if (from->joint != NULL) {
        const lg_status st = mb_driven(m, "drive", from->name, from->joint, &d->coordinate);
        for (int k = 0; st == LG_OK && k < i; k++)
            if (m->plan.drive[k].coordinate == d->coordinate)
                return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                               "drive '%.60s': drive '%.60s' moves '%.60s' already; leave one out", from->name,
                               MB_DRIVE_OF(m, k)->name, from->joint);
        return st;
    }
    const int b = mb_find(m, MB_BODIES, from->body);
    if (b < 0) return mb_unknown(m, "drive", from->name, "body", from->body);
    const mb_joint_kind *fixed = &mb_joint_kinds[LG_JOINT_FIXED];
    mb_joint *j = &d->weld;
    *j = (mb_joint){.a = b,
                    .b = d->leader,
                    .translational = 3,
                    .axis = {0, 1, 2},
                    .rotational = 3,
                    .in_space = 1,
                    .frame_a = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                    .frame_b = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                    .rotor = -1};
    memcpy(j->pair, fixed->rows.pair, sizeof j->pair);
    for (int k = 0; k < 3; k++) j->anchor_a[k] = -MB_BODY(m, b)->centre[k];
    return LG_OK;
}

static int drive_blocks(const lg_mechanism *m, int i, int velocities, mb_block *block)
{
    const mb_follower *d = &m->plan.drive[i];
    if (velocities) return 0;
    *block = (mb_block){.kind = MB_DRIVE, .source = i, .sides = 2, .rows = 6, .lengths = 3};
    block->body[0] = d->weld.a, block->body[1] = d->leader;
    if (d->coordinate < 0) return 1;
    const mb_coordinate *o = &m->coordinate[d->coordinate];
    block->sides = 3, block->rows = 1, block->lengths = o->slides;
    block->body[0] = m->joint[o->joint].a, block->body[1] = m->joint[o->joint].b, block->body[2] = d->leader;
    return 1;
}

static lg_status check_drive_of_system(lg_mechanism *m, int i)
{
    return lg_fail(&m->error, LG_ERROR_UNSUPPORTED,
                   "lg_mechanism_system: drive '%.60s' depends on time, as no constraint of a system does; use the "
                   "sparse step",
                   MB_DRIVE_OF(m, i)->name);
}

static void describe_drive(lg_lines *l, const lg_mechanism *m, int i)
{
    const lg_drive *d = MB_DRIVE_OF(m, i);
    lg_lines_text(l, "drive", d->name);
    lg_lines_text(l, d->joint != NULL ? "joint" : "body", d->joint != NULL ? d->joint : d->body);
    if (d->motion != NULL) return;
    lg_lines_numbers(l, "times", d->times, sz(d->count));
    lg_lines_numbers(l, "values", d->values, sz(d->count) * sz(columns_of(d)));
}

static const lg_drive standard = {.size = sizeof standard};

const mb_part_kind mb_drive_part = {
    .noun = "drive",
    .size = LG_SIZED_AS(lg_drive, joint, "start from lg_drive_default()"),
    .standard = &standard,
    .strings = 3,
    .string = {offsetof(lg_drive, name), offsetof(lg_drive, joint), offsetof(lg_drive, body)},
    .fields = fields,
    .check = check_drive,
    .own = own_table,
    .disown = disown_table,
    .numbers = sizeof(mb_follower),
    .make = make_drive,
    .blocks = drive_blocks,
    .check_system = check_drive_of_system,
    .describe = describe_drive,
};
