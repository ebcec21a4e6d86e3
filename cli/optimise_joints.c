/* SPDX-License-Identifier: BSD-3-Clause */
/* The target of a mechanism: joint positions and velocities, in the order of lg_motion_positions(): those of the joints
 * of the tree, then place and rotation vector of each body that floats, whose attitude is a quaternion in columns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "cli/optimise.h"

enum { FIRST = 2, POSE = 7, TWIST = 6 }; /* the first column of positions; columns of a body; its positions */

/* How many positions are those of joints. */
static int joints_of(const optimise_job *j)
{
    const lg_mechanism *m = cli_mechanism_of(&j->run.S);
    int joints = j->n;
    for (int b = 0; b < lg_mechanism_body_count(m); b++)
        joints -= lg_motion_float_index(j->begins.mo, b) < 0 ? 0 : TWIST;
    return joints;
}

/* The column of a position; of a rotation vector that of the quaternion's first component. */
static int position_column(const optimise_job *j, int i)
{
    const int joints = joints_of(j), body = (i - joints) / TWIST, part = (i - joints) % TWIST;
    if (i < joints) return FIRST + i;
    return FIRST + joints + POSE * body + (part < 3 ? part : 3);
}

int optimise_joint_column(const optimise_job *j, int row)
{
    const int joints = joints_of(j), bodies = (j->n - joints) / TWIST;
    return row < j->n ? position_column(j, row) : FIRST + joints + POSE * bodies + row - j->n;
}

int optimise_joint_turns(const optimise_job *j, int row)
{
    return row < j->n && row >= joints_of(j) && (row - joints_of(j)) % TWIST >= 3;
}

static const char *name_of(const optimise_job *j, int column)
{
    return lg_model_column(j->run.S.M, column)->name;
}

/* The rotation vector of a quaternion that --to names, whose first column is `column`, becomes the target. */
static int read_attitude(optimise_job *j, int i, int column)
{
    double q[4], length = 0;
    int named = 0;
    for (int k = 0; k < 4; k++) named += j->named[column + k];
    if (named == 0) return CLI_WELL;
    if (named < 4)
        return cli_wrong(j->run.command,
                         "--to: %s ... %s are one condition; name all of them, or the attitude by words",
                         name_of(j, column), name_of(j, column + 3));
    for (int k = 0; k < 4; k++) q[k] = cli_given(&j->to, column + k), length = hypot(length, q[k]);
    if (!(fabs(length - 1) < 1e-3))
        return cli_wrong(j->run.command, "--to: the length of the quaternion %s ... is %.6g, expected 1",
                         name_of(j, column), length);
    for (int k = 0; k < 4; k++) q[k] /= length;
    if (lg_so3_log(j->target_g + i, q) != LG_OK)
        return cli_wrong(j->run.command, "--to: the attitude is half a turn, which has no rotation vector");
    for (int k = 0; k < 3; k++) j->row[i + k] = 1;
    return CLI_WELL;
}

int optimise_read_joints(optimise_job *j)
{
    const int joints = joints_of(j);
    memcpy(j->target_g, j->start_g, (size_t)j->n * sizeof *j->target_g);
    for (int i = 0; i < j->n; i++) {
        const int turns = i >= joints && (i - joints) % TWIST >= 3, column = position_column(j, i);
        if (turns && (i - joints) % TWIST == 3 && read_attitude(j, i, column) != CLI_WELL) return CLI_WRONG_USE;
        if (turns || !j->named[column]) continue;
        j->row[i] = 1;
        j->target_g[i] = cli_given(&j->to, column);
    }
    for (int i = 0; i < j->n; i++) {
        const int column = optimise_joint_column(j, j->n + i);
        j->row[j->n + i] = !j->moving || j->named[column];
        if (j->named[column]) j->target_p[i] = cli_given(&j->to, column);
    }
    return CLI_WELL;
}

void optimise_miss_joints(optimise_job *j, const lg_motion *mo)
{
    double *q = calloc(2 * (size_t)j->n, sizeof *q), *v = q + j->n;
    if (q != NULL && lg_motion_positions(mo, q, v) == LG_OK) {
        j->missed = j->speed = 0;
        for (int i = 0; i < j->n; i++) {
            if (j->row[i]) j->missed = fmax(j->missed, fabs(q[i] - j->target_g[i]));
            if (j->row[j->n + i]) j->speed = fmax(j->speed, fabs(v[i] - j->target_p[i]));
        }
    }
    free(q);
}
