/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting a motion: from joint positions or poses, with or without projection. */
#include "multibody/activation.h"
#include "multibody/contact/landing.h"
#include "multibody/contact/near.h"
#include "multibody/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "base/dense.h"

#include "groups/rotation.h"
#include "multibody/excess.h"
#include "multibody/parts/joint.h"
#include "multibody/rows/composed.h"
#include "multibody/work.h"

/* The positions of a composed joint from poses far from those at position 0, where Newton may lead elsewhere: from
 * starts a third of a turn apart, until one fits. */
static void find_positions(const mb_sparse *mo, const mb_joint *j)
{
    const mb_chain *chain = j->chain;
    const mb_node *n = &mo->numbers.node[0];
    const mb_pose *a = &n->pose[j->a], *b = &n->pose[j->b];
    double *q = n->q + chain->coordinate, best = mb_chain_open(j, q, a, b);
    int starts = 1;
    for (int i = 0; i < chain->count; i++) starts *= chain->motion[i].slides ? 1 : 3;
    for (int k = 1; k < starts && !(best < 1e-9); k++) {
        double near[MB_CHAIN_MOST], to[MB_CHAIN_MOST];
        for (int i = 0, left = k; i < chain->count; i++) {
            near[i] = chain->motion[i].slides ? 0 : (left % 3 == 2 ? -1 : left % 3) * (2 * LG_PI / 3);
            if (!chain->motion[i].slides) left /= 3;
        }
        mb_chain_solve(j, to, a, b, near);
        const double open = mb_chain_open(j, to, a, b);
        if (!(open < best)) continue;
        best = open;
        memcpy(q, to, (size_t)chain->count * sizeof *q);
    }
}

lg_status mb_load_frames(mb_sparse *mo, const double *positions)
{
    const lg_mechanism *m = mo->mechanism;
    mb_motion *n = &mo->numbers;
    for (int b = m->plan.bodies - m->plan.rotors; b < m->plan.bodies; b++) mo->frame[b] = mb_world;
    for (int b = 0; b < m->plan.bodies; b++) {
        const mb_frame *f = &mo->frame[b];
        memcpy(mo->poses + 7 * b, f->r, sizeof f->r);
        if (lg_so3_from_matrix(mo->poses + 7 * b + 3, f->R) != LG_OK || !lg_all_finite(f->r, 3))
            return lg_fail(&mo->head.error, LG_ERROR_NOT_FINITE,
                           "lg_motion_start: the pose of body '%.60s' is not finite", MB_BODY(m, b)->name);
    }
    n->now = 0;
    for (int i = 0; i < 2; i++) mb_node_load(&mo->plan, &n->node[i], mo->poses);
    mb_begin_near(&m->plan, n->node[0].q);
    for (int c = 0; positions != NULL && c < m->plan.coordinates; c++) {
        const int at = mo->position_of_joint[m->coordinate[c].joint];
        if (at >= 0) n->node[0].q[c] = positions[at + m->coordinate[c].position];
    }
    mb_node_place(&mo->plan, &n->node[0], n->node[0].q);
    for (int c = 0; c < m->plan.coordinates; c++) {
        const mb_joint *j = &m->joint[m->coordinate[c].joint];
        if (j->chain != NULL && j->chain->coordinate == c) find_positions(mo, j);
    }
    return LG_OK;
}

/* The twists of rotors from those of their joints' bodies. */
static void turn_rotors(mb_sparse *mo)
{
    const mb_plan *plan = &mo->plan;
    const mb_node *n = &mo->numbers.node[0];
    mo->frame[plan->bodies] = mb_world;
    for (int i = 0; i < plan->joints; i++) {
        const mb_joint *j = &plan->joint[i];
        const mb_block block = {.kind = MB_ROTOR, .source = i, .sides = 3, .body = {j->rotor, j->a, j->b}};
        mb_pair row[3 * MB_ROWS_MOST];
        double drift[MB_ROWS_MOST];
        if (j->rotor < 0) continue;
        mb_frame *f = &mo->frame[j->rotor];
        mb_rows_of(plan, &block, row, drift, n);
        for (int k = 0; k < j->rates; k++) {
            const int slot = mb_rotor_slot(&j->rate[k], k);
            double rate = 0;
            for (int s = 1; s < 3; s++) {
                const mb_frame *of = &mo->frame[block.body[s]];
                rate += mb_dot(row[3 * k + s].v, of->v) + mb_dot(row[3 * k + s].v + 3, of->w);
            }
            *(slot < 3 ? &f->v[slot] : &f->w[slot - 3]) = -rate / row[3 * k].v[slot];
        }
    }
}

void mb_load_twists(mb_sparse *mo)
{
    const lg_mechanism *m = mo->mechanism;
    mb_node *n = &mo->numbers.node[0];
    if (m->rotors > 0) turn_rotors(mo);
    for (int b = 0; b < m->plan.bodies; b++) {
        const mb_frame *f = &mo->frame[b];
        double w[3], p[3];
        mb_back(w, n->pose[b].R, f->w);
        for (int k = 0; k < 3; k++) {
            const double *I = m->inertia + 9 * b + 3 * k;
            p[k] = I[0] * w[0] + I[1] * w[1] + I[2] * w[2];
            n->p[b].v[k] = m->mass[b] * f->v[k];
        }
        mb_turn(n->p[b].v + 3, n->pose[b].R, p);
    }
}

/* NULL stands for numbers that are finite. */
static int given_finite(const double *x, int count)
{
    return x == NULL || lg_all_finite(x, count);
}

static lg_status not_closed(mb_sparse *mo, const mb_block *k, double open, const char *what)
{
    const lg_mechanism *m = mo->mechanism;
    const char *name, *noun = mb_block_noun(m, k, &name);
    return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                   "lg_motion_start: these poses cannot be moved onto the constraints: %s '%.60s' %s by %.3g (lengths "
                   "relative to %.3g m); start nearer to a configuration that closes the loops",
                   noun, name, what, open, m->plan.reach);
}

/* Newton onto phi = 0 with the rows that are kept; the others must hold by themselves. */
static lg_status close_joints(mb_sparse *mo)
{
    const lg_mechanism *m = mo->mechanism;
    const mb_plan *plan = &mo->plan;
    mb_node *n = &mo->numbers.node[0];
    double last = INFINITY, open = 0;
    int worst = 0, closed = 0;
    for (int round = 0; !closed && round < 60; round++) {
        mb_node_rows(plan, n, 0);
        open = mb_kept_open(m, plan, n, &worst);
        closed = open <= 1e-16 || (open < 1e-12 && open >= 0.5 * last);
        if (closed || !(open < 1e6)) break;
        last = open;
        mb_close(plan, n, mo->multiplier, mo->numbers.wrench);
        mb_node_place(plan, n, n->q);
    }
    if (!closed) return not_closed(mo, &plan->block[worst], open, "stays open");
    const mb_block *where = mo->plan.excess;
    open = mb_excess_open(&mo->plan, n, &where);
    if (!(open <= MB_EXCESS_OPEN)) return not_closed(mo, where, open, "was redundant at assembly and stays open");
    const int over = mb_turned_over(m, n->pose);
    if (over < 0) return LG_OK;
    return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                   "lg_motion_start: joint '%.60s' closes the wrong way round from these poses: its axes on parent and "
                   "child point against each other; start nearer to a configuration that closes the joints",
                   MB_JOINT_OF(m, over)->name);
}

static int is_finite(const mb_sparse *mo)
{
    real size;
    return isfinite(mb_energy(&mo->plan, mb_now(mo), &size));
}

static lg_status too_large(mb_sparse *mo)
{
    return lg_fail(&mo->head.error, LG_ERROR_NOT_FINITE,
                   "lg_motion_start: the energy is not finite; positions or velocities are too large");
}

static lg_status check_start(mb_sparse *mo)
{
    if (!is_finite(mo)) return too_large(mo);
    const lg_mechanism *m = mo->mechanism;
    const mb_node *n = mb_now(mo);
    const mb_block *slips = m->all;
    const double slip = mb_residual(mo, 1, &slips);
    const mb_block *where = mo->plan.excess;
    double speed = 0;
    int worst = 0;
    for (int b = 0; b < m->plan.bodies; b++)
        for (int k = 0; k < 3; k++) speed = fmax(speed, fabs(n->p[b].v[k]) * n->mobility[b].inverse_mass);
    const double kept = mb_kept_open(m, &mo->plan, n, &worst), excess = mb_excess_open(&mo->plan, n, &where);
    if (!(kept <= 1e-9) || !(excess <= 1e-9)) {
        const char *name, *noun = mb_block_noun(m, !(kept <= 1e-9) ? &mo->plan.block[worst] : where, &name);
        return lg_fail(&mo->head.error, LG_ERROR_INCONSISTENT,
                       "lg_motion_start: %s '%.60s' is open by %.3g (lengths relative to %.3g m); start with project = "
                       "1, or from poses that satisfy it",
                       noun, name, !(kept <= 1e-9) ? kept : excess, m->plan.reach);
    }
    const int over = mb_turned_over(m, n->pose);
    if (over >= 0)
        return lg_fail(
            &mo->head.error, LG_ERROR_INCONSISTENT,
            "lg_motion_start: joint '%.60s' is closed the wrong way round: its axes on parent and child point "
            "against each other",
            MB_JOINT_OF(m, over)->name);
    if (!(slip <= 1e-9 * fmax(1, speed))) {
        const char *name, *noun = mb_block_noun(m, slips, &name);
        return lg_fail(&mo->head.error, LG_ERROR_INCONSISTENT,
                       "lg_motion_start: the velocity violates %s '%.60s' by %.3g; start with project = 1", noun, name,
                       slip);
    }
    return LG_OK;
}

/* Checks velocities after their projection; they may be infinite, or fail rows that were redundant at assembly. */
static lg_status check_velocities(mb_sparse *mo)
{
    const lg_mechanism *m = mo->mechanism;
    const mb_block *where = mo->plan.excess;
    if (!is_finite(mo)) return too_large(mo);
    const double slip =
        mo->plan.excess_count > 0 ? mb_excess_slip(&mo->plan, mb_now(mo), mb_excess_least(mo->h), &where) : 0;
    if (slip <= MB_EXCESS_SLIP) return LG_OK;
    const char *name, *noun = mb_block_noun(m, where, &name);
    return lg_fail(
        &mo->head.error, LG_ERROR_SINGULAR,
        "lg_motion_start: %s '%.60s' was redundant at assembly and is not in this configuration: it slips by "
        "%.2g",
        noun, name, slip);
}

/* The change of the loaded poses by the projection. */
static void note_poses(mb_sparse *mo)
{
    static const char head[] = "projection ";
    const size_t begin = sizeof head - 1;
    mb_moved most;
    mb_moved_most(&most, mo->mechanism, mo->poses, mb_now(mo)->pose);
    if (mb_print_moved(mo->remark + begin, sizeof mo->remark - begin, mo->mechanism, &most) > 0)
        memcpy(mo->remark, head, begin);
    else
        mo->remark[0] = '\0';
}

/* The change of the frames' velocities by the projection. */
static void note_velocities(mb_sparse *mo)
{
    const lg_mechanism *m = mo->mechanism;
    const mb_node *n = mb_now(mo);
    double most[2] = {0, 0}, speed[2] = {0, 0};
    int body[2] = {0, 0};
    for (int b = 0; b < mb_seen(m, MB_BODIES); b++) {
        const mb_frame *f = &mo->frame[b];
        double v[6], given[6];
        memcpy(given, f->v, sizeof f->v), memcpy(given + 3, f->w, sizeof f->w);
        for (int k = 0; k < 3; k++) v[k] = n->p[b].v[k] * n->mobility[b].inverse_mass;
        mb_mobile(v + 3, &n->mobility[b], n->p[b].v + 3);
        for (int i = 0; i < 2; i++) {
            double off[3];
            for (int k = 0; k < 3; k++) off[k] = v[3 * i + k] - given[3 * i + k];
            if (lg_length(off, 3) > most[i]) most[i] = lg_length(off, 3), body[i] = b;
            speed[i] = fmax(speed[i], fmax(lg_length(v + 3 * i, 3), lg_length(given + 3 * i, 3)));
        }
    }
    speed[0] = fmax(speed[0], speed[1] * mo->plan.reach), speed[1] = speed[0] / mo->plan.reach;
    for (int i = 0; i < 2; i++) {
        const size_t at = strlen(mo->remark);
        if (!(most[i] > MB_NOTICED * speed[i])) continue;
        (void)snprintf(mo->remark + at, sizeof mo->remark - at, "%schanged the %s of body '%.60s' by %.3g %s",
                       at > 0 ? " and " : "projection ", i ? "angular velocity" : "velocity", MB_BODY(m, body[i])->name,
                       most[i], i ? "rad/s" : "m/s");
    }
}

static void start_scale(mb_sparse *mo)
{
    const mb_plan *plan = &mo->plan;
    const double g = sqrt(plan->gravity[0] * plan->gravity[0] + plan->gravity[1] * plan->gravity[1] +
                          plan->gravity[2] * plan->gravity[2]);
    real size;
    (void)mb_energy(plan, mb_now(mo), &size);
    const double jitter = 1e-10 * plan->reach / mo->h; /* at rest there is rounding alone */
    mo->scale = size + plan->whole_mass * (jitter * jitter);
    for (int b = 0; b < plan->bodies; b++) mo->scale += plan->weight[b] * g * plan->reach;
}

void mb_choose_rows(mb_sparse *mo)
{
    mb_choice_reset(&mo->choice);
    if (mo->plan.whole == NULL) return;
    mb_node_rows(&mo->plan, &mo->numbers.node[0], 0);
    mb_choice_start(&mo->choice, &mo->numbers);
}

/* Where motions of a composed joint depend on each other, its rates are not determined. */
static lg_status check_locks(mb_sparse *mo)
{
    double pivot;
    const int locked = mb_locked_joint(&pivot, mo->mechanism, mb_now(mo)->q);
    if (locked < 0 || pivot > 1e-6) return LG_OK;
    return lg_fail(&mo->head.error, LG_ERROR_SINGULAR,
                   "lg_motion_start: joint '%.60s' is singular at these positions: its motions depend on each other, "
                   "such as gimbals in line; start elsewhere",
                   MB_JOINT_OF(mo->mechanism, locked)->name);
}

/* Angles that are driven have the turn of their drive: poses tell them up to whole turns. */
static void turn_driven(const mb_plan *plan, mb_node *n)
{
    for (int i = 0; i < plan->drives; i++) {
        const int c = plan->drive[i].coordinate;
        if (c < 0 || plan->coordinate[c].slides) continue;
        const real apart = n->pose[plan->bodies + 1 + i].r[0] - n->q[c];
        n->q[c] += 2 * LG_PI * mb_nearest_whole(apart / (2 * LG_PI));
    }
}

/* What is near as the start is, and features, unless the start failed already. */
static lg_status meet_contacts(mb_sparse *mo, lg_status st)
{
    if (mo->numbers.contacts == NULL || st != LG_OK) return st;
    const lg_status near = mb_near_begin(mo, mb_now(mo), mo->h, 0);
    if (near == LG_OK) mb_contacts_meet(mo->numbers.contacts, mb_now(mo));
    return near;
}

lg_status mb_start(mb_sparse *mo, double t0, const double *positions, int project)
{
    const mb_plan *plan = &mo->plan;
    mb_node *n = &mo->numbers.node[0];
    mo->started = 0;
    if (!isfinite(t0)) return lg_fail(&mo->head.error, LG_ERROR_NOT_FINITE, "lg_motion_start: t0 is not finite");
    lg_status st = mb_load_frames(mo, positions);
    mb_stray why;
    if (st == LG_OK && mb_node_lead(plan, n, t0, -1, &why)) st = mb_explain_stray(mo, &why, "lg_motion_start");
    if (st == LG_OK) turn_driven(plan, n);
    if (st == LG_OK) st = check_locks(mo);
    if (st == LG_OK) mb_choose_rows(mo);
    mo->remark[0] = '\0';
    if (st == LG_OK && project) st = close_joints(mo);
    if (st != LG_OK) return st;
    if (project) note_poses(mo);
    mb_node_rows(plan, n, 0);
    mb_choice_look(&mo->choice, &mo->numbers);
    const double pivot = mo->pivot = mb_smallest_pivot(mo, n);
    if (!(pivot > 1e-7))
        return lg_fail(&mo->head.error, LG_ERROR_SINGULAR,
                       "lg_motion_start: the configuration is singular, such as flat or stretched: a row that was "
                       "independent of the others at assembly is so by %.2g of its length only",
                       pivot);
    mb_load_twists(mo);
    if (project) mb_settle(plan, n, mo->multiplier, mo->numbers.twist), note_velocities(mo);
    mo->started = 1, mo->count = 0, mo->stepped = 0, mo->jumped = 0, mo->t0 = mo->t = t0, mo->work = 0;
    memset(mo->motor_work, 0, (size_t)plan->works * sizeof *mo->motor_work);
    mb_activations_begin(plan, mo->numbers.act, t0);
    mb_forget(mo);
    start_scale(mo);
    st = project ? check_velocities(mo) : check_start(mo);
    if (mo->numbers.contacts != NULL) mb_contacts_forget(mo->numbers.contacts);
    st = meet_contacts(mo, st);
    mo->started = st == LG_OK;
    return st;
}

static void load_assembled(mb_sparse *mo)
{
    const lg_mechanism *m = mo->mechanism;
    for (int b = 0; b < m->plan.bodies; b++) {
        mb_frame *f = &mo->frame[b];
        memset(f, 0, sizeof *f);
        memcpy(f->r, m->pose + 7 * b, sizeof f->r);
        lg_so3_to_matrix(f->R, m->pose + 7 * b + 3);
    }
}

/* The frames of the assembled mechanism, with twists. */
static lg_status start_assembled(mb_sparse *mo, double t0, const double *velocities)
{
    load_assembled(mo);
    lg_status st = mb_start(mo, t0, NULL, 1);
    if (st != LG_OK || velocities == NULL) return st;
    double *q = mo->twists; /* room for 6 a body */
    st = lg_motion_positions(&mo->head, q, NULL);
    if (st != LG_OK) return st;
    mb_frames_from_positions(mo, mo->frame, q, velocities);
    return LG_OK;
}

const char *mb_sparse_remark(const mb_sparse *mo)
{
    return mo != NULL && mo->started && mo->remark[0] != '\0' ? mo->remark : NULL;
}

/* Position or velocity of a drive's joint or body: *x, which is `at_rest` or as given, becomes that of the drive;
 * refused is another one. */
static lg_status take_given(mb_sparse *mo, const lg_drive *d, double *x, double at_rest, double wanted, double t0,
                            int velocity)
{
    const double slack = 1e-9 * fmax(1, fabs(wanted)), given = *x;
    *x = wanted;
    if (fabs(given - at_rest) <= slack || fabs(given - wanted) <= slack) return LG_OK;
    return lg_fail(&mo->head.error, LG_ERROR_INCONSISTENT,
                   "lg_motion_start: %s '%.60s' is to start %s %.10g, and drive '%.60s' has it %s %.10g at t = %.10g; "
                   "leave it to the drive, or give another motion",
                   d->joint != NULL ? "joint" : "body", d->joint != NULL ? d->joint : d->body,
                   velocity ? "with the velocity" : "at", given, d->name, velocity ? "moving with" : "at", wanted, t0);
}

/* The positions q and velocities v of drive i that the tree has; `assembled` are those of the assembled mechanism. */
static lg_status start_drive(mb_sparse *mo, double t0, int i, const double *assembled, double *q, double *v)
{
    const mb_plan *plan = &mo->plan;
    const mb_follower *d = &plan->drive[i];
    const mb_coordinate *o = d->coordinate >= 0 ? &plan->coordinate[d->coordinate] : NULL;
    const int first = o != NULL ? mo->position_of_joint[o->joint] : mo->position_of_body[d->weld.a];
    const int at = first + (o != NULL ? o->position : 0), count = o != NULL ? 1 : 6;
    double x[6];
    mb_led led;
    mb_stray why;
    lg_status st = LG_OK;
    if (mb_lead(plan, i, t0, &led, &why)) return mb_explain_stray(mo, &why, "lg_motion_start");
    if (first < 0) return LG_OK; /* projected */
    memcpy(x, led.pose, 3 * sizeof *x);
    lg_status_ignore(lg_so3_log(x + 3, led.pose + 3));
    for (int k = 0; st == LG_OK && k < count; k++) {
        st = take_given(mo, d->motion, &q[at + k], assembled[at + k], x[k], t0, 0);
        if (st == LG_OK) st = take_given(mo, d->motion, &v[at + k], 0, led.twist[k], t0, 1);
    }
    return st;
}

/* Joints and bodies with drives start where these are, and as fast. */
static lg_status start_driven(mb_sparse *mo, double t0, const double *positions, const double *velocities, int project)
{
    double *assembled = mo->twists, *q = mo->wrenches, *v = mo->numbers.x.xi->v; /* room for 6 a body */
    load_assembled(mo);
    lg_status st = mb_load_frames(mo, NULL);
    mo->started = 1;
    if (st == LG_OK) st = lg_motion_positions(&mo->head, assembled, NULL);
    mo->started = 0;
    for (int i = 0; i < mo->positions; i++) {
        q[i] = positions != NULL ? positions[i] : assembled[i];
        v[i] = velocities != NULL ? velocities[i] : 0;
    }
    for (int i = 0; st == LG_OK && i < mo->plan.drives; i++) st = start_drive(mo, t0, i, assembled, q, v);
    if (st != LG_OK) return st;
    mb_frames_from_positions(mo, mo->frame, q, v);
    return mb_start(mo, t0, q, project || positions == NULL);
}

lg_status mb_sparse_start(mb_sparse *mo, double t0, const double *positions, const double *velocities, int project)
{
    if (mo == NULL || mo->numbers.plan == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&mo->head.error);
    if (!given_finite(positions, mo->positions) || !given_finite(velocities, mo->positions))
        return lg_fail(&mo->head.error, LG_ERROR_NOT_FINITE, "lg_motion_start: a position or velocity is not finite");
    if (mo->plan.drives > 0) return start_driven(mo, t0, positions, velocities, project);
    if (positions != NULL) {
        mb_frames_from_positions(mo, mo->frame, positions, velocities);
        return mb_start(mo, t0, positions, project);
    }
    const lg_status st = start_assembled(mo, t0, velocities);
    if (st != LG_OK || velocities == NULL) return st;
    mb_load_twists(mo);
    if (project) mb_settle(&mo->plan, &mo->numbers.node[0], mo->multiplier, mo->numbers.twist), note_velocities(mo);
    start_scale(mo);
    const lg_status checked = meet_contacts(mo, project ? check_velocities(mo) : check_start(mo));
    mo->started = checked == LG_OK;
    return checked;
}

lg_status mb_sparse_start_poses(mb_sparse *mo, double t0, const double *poses, const double *twists, int project)
{
    const lg_mechanism *m = mo->mechanism;
    lg_error_clear(&mo->head.error);
    if (poses == NULL) return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "lg_motion_start_poses: the poses are NULL");
    const int seen = mb_seen(m, MB_BODIES);
    if (!given_finite(poses, 7 * seen) || !given_finite(twists, 6 * seen))
        return lg_fail(&mo->head.error, LG_ERROR_NOT_FINITE, "lg_motion_start_poses: a pose or twist is not finite");
    for (int b = 0; b < m->plan.bodies - m->plan.rotors; b++) {
        const int i = m->hub[b].host;
        mb_frame *f = &mo->frame[b];
        double q[4], x[3];
        if (lg_so3_project(q, poses + 7 * i + 3) != LG_OK)
            return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT,
                           "lg_motion_start_poses: the quaternion of body '%.60s' is zero", MB_BODY(m, b)->name);
        lg_so3_to_matrix(f->R, q);
        mb_turn(x, f->R, MB_BODY(m, b)->centre);
        for (int k = 0; k < 3; k++) {
            f->r[k] = poses[7 * i + k] + x[k];
            f->v[k] = twists != NULL ? twists[6 * i + k] : 0;
            f->w[k] = twists != NULL ? twists[6 * i + 3 + k] : 0;
        }
    }
    return mb_start(mo, t0, NULL, project);
}
