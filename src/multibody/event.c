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

/* The part of an impact that rows of velocities, which hold wheels and skates, have in the account: with the impulse -x
 * of a row, the velocity u along it before and the drift b, which is that after it, -x (u + b)/2 is what it does. Of
 * that the moving ground does -x b. */
static void add_sideways(mb_sparse *mo, double *account)
{
    mb_motion *m = &mo->numbers;
    const mb_plan *plan = &mo->plan;
    mb_node *n = &m->node[m->now];
    double *u = m->y, *x = m->kick[0];
    memcpy(m->plus, n->p, sz(plan->bodies) * sizeof *n->p);
    mb_load_twists(mo);
    mb_ground_twists(plan, m->twist, n->given);
    for (int b = 0; b < plan->bodies; b++) {
        for (int k = 0; k < 3; k++) m->twist[b].v[k] = n->p[b].v[k] * n->mobility[b].inverse_mass;
        mb_mobile(m->twist[b].v + 3, &n->mobility[b], n->p[b].v + 3);
    }
    mb_pull(plan, n->rows.row, u, m->twist, plan->blocks);
    for (int i = 0; i < plan->rows; i++) x[i] = u[i] - (i < plan->holonomic_rows ? 0 : n->drift[i]);
    mb_forward(plan, &plan->node, n->factor, x);
    mb_backward(plan, &plan->node, n->factor, x);
    for (int i = plan->holonomic_rows; i < plan->rows; i++) {
        account[LG_WORK_GROUND] -= x[i] * n->drift[i];
        account[LG_WORK_IMPACT_FRICTION] -= 0.5 * x[i] * (u[i] - n->drift[i]);
    }
    memcpy(n->p, m->plus, sz(plan->bodies) * sizeof *n->p);
}

/* The account goes on from that of `from`; the impact has changed the kinetic energy by so much. */
static void continue_account(mb_sparse *mo, const mb_sparse *from, double impact)
{
    double *account = &mo->motor_work[mb_kind_at(&mo->plan, 0)], sideways[LG_WORKS] = {0};
    memcpy(account, mb_account(from), LG_WORKS * sizeof *account);
    add_sideways(mo, sideways);
    for (int k = 0; k < LG_WORKS; k++) account[k] += sideways[k];
    account[LG_WORK_IMPACT_NORMAL] += impact - sideways[LG_WORK_GROUND] - sideways[LG_WORK_IMPACT_FRICTION];
    account[LG_WORK_NODE] += (mb_sparse_energy(mo) - mb_sparse_energy(from)) - impact;
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
    continue_account(mo, from, impact);
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
