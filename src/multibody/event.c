/* SPDX-License-Identifier: BSD-3-Clause */
/* Impacts: a motion continues with another set of constraints. */
#include "multibody/motion.h"

#include <math.h>
#include <string.h>

static lg_status check_bodies(mb_sparse *mo, const mb_sparse *from)
{
    const lg_mechanism *a = from->mechanism, *b = mo->mechanism;
    const int bodies = mb_seen(b, MB_BODIES), others = mb_seen(a, MB_BODIES);
    if (bodies != others)
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT,
                       "lg_motion_continue: %d bodies, the other mechanism has %d; they must be the same", bodies,
                       others);
    for (int i = 0; i < bodies; i++)
        if (strcmp(MB_BODY(a, i)->name, MB_BODY(b, i)->name) != 0 || MB_BODY(a, i)->mass != MB_BODY(b, i)->mass ||
            memcmp(MB_BODY(a, i)->inertia, MB_BODY(b, i)->inertia, sizeof MB_BODY(a, i)->inertia) != 0 ||
            memcmp(MB_BODY(a, i)->centre, MB_BODY(b, i)->centre, 3 * sizeof(double)) != 0)
            return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT,
                           "lg_motion_continue: body '%.60s' is '%.60s' in the other mechanism, or has another mass, "
                           "inertia or centre; bodies must be the same, in the same order",
                           MB_BODY(b, i)->name, MB_BODY(a, i)->name);
    return LG_OK;
}

/* The frames of the other motion, and its joint positions by name. */
static lg_status take_over(mb_sparse *mo, double *positions, const mb_sparse *from)
{
    const lg_mechanism *m = mo->mechanism;
    for (int b = 0; b < m->plan.bodies - m->plan.rotors; b++) mo->frame[b] = mb_frame_of(from, m->hub[b].host);
    for (int j = 0; j < mb_seen(m, MB_JOINTS); j++) {
        const int other = mb_find(from->mechanism, MB_JOINTS, MB_JOINT_OF(m, j)->name), at = mo->position_of_joint[j];
        if (at < 0 || other < 0 || MB_JOINT_OF(m, j)->kind != MB_JOINT_OF(from->mechanism, other)->kind) continue;
        const lg_status st = lg_motion_joint(&from->head, positions + at, NULL, other);
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

lg_status mb_sparse_continue(mb_sparse *mo, double *lost, const mb_sparse *from)
{
    lg_error_clear(&mo->head.error);
    if (from == NULL || from->numbers.plan == NULL || !from->started)
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "lg_motion_continue: the other motion is %s",
                       from == NULL ? "NULL" : "not started");
    lg_status st = check_bodies(mo, from);
    double *positions = mo->wrenches; /* at most 6 a body */
    memset(positions, 0, sz(mo->positions) * sizeof *positions);
    if (st == LG_OK) st = take_over(mo, positions, from);
    if (st == LG_OK) st = mb_start(mo, from->t, positions, 1);
    if (st != LG_OK) return st;
    double moved = 0;
    for (int b = 0; b < mb_seen(mo->mechanism, MB_BODIES); b++)
        for (int k = 0; k < 3; k++) moved = fmax(moved, fabs(mb_now(mo)->pose[b].r[k] - mb_now(from)->pose[b].r[k]));
    if (!(moved <= 1e-6 * mb_reach(mo->mechanism))) {
        mo->started = 0;
        return lg_fail(&mo->head.error, LG_ERROR_INCONSISTENT,
                       "lg_motion_continue: a body would have to move by %.3g m to satisfy the constraints; continue "
                       "where they are satisfied, at an event",
                       moved);
    }
    mo->work = from->work + (mb_sparse_energy(mo) - mb_sparse_energy(from));
    const double impact =
        mb_kinetic(&mo->mechanism->plan, mb_now(mo)) - mb_kinetic(&from->mechanism->plan, mb_now(from));
    double *account = &mo->motor_work[mb_kind_at(&mo->plan, 0)];
    memcpy(account, mb_account(from), LG_WORKS * sizeof *account);
    account[LG_WORK_IMPACT_NORMAL] += impact;
    account[LG_WORK_NODE] += (mb_sparse_energy(mo) - mb_sparse_energy(from)) - impact;
    for (int i = 0; i < mo->mechanism->plan.controls; i++) {
        const int motors = mo->mechanism->part[MB_MOTORS].count, thrusts = i >= motors;
        const char *name;
        (void)mb_control_noun(mo->mechanism, i, &name);
        const int other = mb_find(from->mechanism, thrusts ? MB_THRUSTERS : MB_MOTORS, name);
        const int at = other >= 0 ? other + (thrusts ? from->mechanism->part[MB_MOTORS].count : 0) : -1;
        mb_activation_take(mo, i, from, at);
        mo->motor_work[i] = at >= 0 ? from->motor_work[at] : 0;
    }
    for (int i = 0; i < mo->mechanism->plan.drives; i++) {
        const int other = mb_find(from->mechanism, MB_DRIVES, MB_DRIVE_OF(mo->mechanism, i)->name);
        mo->motor_work[mo->plan.controls + i] = other >= 0 ? from->motor_work[from->plan.controls + other] : 0;
    }
    if (lost != NULL) *lost = -impact;
    return LG_OK;
}
