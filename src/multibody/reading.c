/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of a motion. The force of a joint or a wheel is what its rows did in the last step (reactions.c). */
#include <math.h>
#include <string.h>

#include "multibody/motion.h"
#include "multibody/parts/joint.h"
#include "multibody/parts/part.h"
#include "multibody/sound.h"

static int belongs(const mb_block *k, int part, int source)
{
    return k->source == source && mb_facts_of(k)->part == part;
}

/* Those of the last step: one that had a single sub-step is added where it is asked for. */
static const double *reactions(mb_sparse *mo)
{
    mb_motion *n = &mo->numbers;
    if (n->summed == 0) mb_reactions_add(n, 1), mb_reactions_end(n), n->summed = 1;
    return n->reaction;
}

/* The mean wrench of a part's blocks in the last step (reactions.h). */
static void reaction(mb_sparse *mo, mb_pair *f, int part, int source)
{
    const mb_plan *plan = mo->numbers.plan;
    const double *mean = reactions(mo);
    memset(f, 0, sizeof *f);
    for (int e = 0; e < plan->blocks; e++)
        for (int k = 0; k < 6 && belongs(&plan->block[e], part, source); k++)
            f->v[k] += mean[MB_REACTION * plan->block[e].number + k];
}

/* Normal forces of the last step: the multipliers of their rows. NaN where parts share a load that the motion does
 * not determine. */
static void read_normals(mb_sparse *mo)
{
    const mb_plan *plan = mo->numbers.plan;
    const lg_mechanism *m = mo->mechanism;
    const double *mean = reactions(mo);
    for (int i = 0; i < mb_normals_before(m, MB_KINDS); i++) mo->normal[i] = m->shares_load[i] ? NAN : 0;
    for (int e = 0; e < plan->holonomic_blocks; e++) {
        const mb_block *k = &plan->block[e];
        const mb_row_facts *facts = mb_facts_of(k);
        if (facts->normal)
            mo->normal[mb_normals_before(m, facts->part) + k->source] +=
                mean[MB_REACTION * k->number + MB_REACTION - 1];
    }
}

/* Beside what weight and speed make wheels press with, rounding is no pull. */
static double smallest_pull(const mb_sparse *mo)
{
    const mb_plan *plan = &mo->plan;
    const double speed = mb_fastest(plan, mb_now(mo)), g = sqrt(mb_dot(plan->gravity, plan->gravity));
    return 1e-9 * plan->whole_mass * (g + speed * speed / plan->reach);
}

void mb_watch_normals(mb_sparse *mo)
{
    const int normals = mb_normals_before(mo->mechanism, MB_KINDS);
    if (normals == 0 || !mo->stepped) return;
    read_normals(mo);
    for (int i = 0; i < normals; i++) {
        if (mo->normal[i] >= mo->normal_least[i] || isnan(mo->normal[i])) continue;
        mo->normal_least[i] = mo->normal[i], mo->normal_time[i] = mo->t;
        if (isnan(mo->lift_time) && mo->normal[i] < 0 && mo->normal[i] < -smallest_pull(mo)) mo->lift_time = mo->t;
    }
}

void mb_forget_normals(mb_sparse *mo)
{
    mo->lift_time = NAN;
    for (int i = 0; i < mb_normals_before(mo->mechanism, MB_KINDS); i++) mo->normal_least[i] = mo->normal_time[i] = NAN;
}

lg_status mb_read_normal(const lg_motion *motion, double *force, double *time, int part, int i)
{
    const mb_sparse *mo = mb_of(motion);
    if (mo == NULL || mo->numbers.plan == NULL || i < 0 || i >= mo->mechanism->part[part].count)
        return LG_ERROR_ARGUMENT;
    i += mb_normals_before(mo->mechanism, part);
    if (force != NULL) *force = mo->normal_least[i];
    if (time != NULL) *time = mo->normal_time[i];
    return LG_OK;
}

lg_status lg_motion_joint_wrench(const lg_motion *motion, double *wrench, int joint)
{
    mb_sparse *mo = mb_of(motion);
    if (mo != NULL && motion->engine == &lg_engine_dense) return LG_ERROR_UNSUPPORTED;
    if (mo == NULL || wrench == NULL || !mo->started || !mo->stepped) return LG_ERROR_ARGUMENT;
    if (joint < 0 || joint >= mb_seen(mo->mechanism, MB_JOINTS)) return LG_ERROR_ARGUMENT;
    mb_pair f;
    reaction(mo, &f, MB_JOINTS, joint);
    memcpy(wrench, f.v, sizeof f.v);
    return LG_OK;
}

lg_status mb_read_force(const lg_motion *motion, double *force, int part, int i)
{
    mb_sparse *mo = mb_of(motion);
    if (mo != NULL && motion->engine == &lg_engine_dense) return LG_ERROR_UNSUPPORTED;
    if (mo == NULL || force == NULL || !mo->started || !mo->stepped) return LG_ERROR_ARGUMENT;
    if (i < 0 || i >= mo->mechanism->part[part].count) return LG_ERROR_ARGUMENT;
    mb_pair f;
    reaction(mo, &f, part, i);
    memcpy(force, f.v, 3 * sizeof *force);
    return LG_OK;
}

lg_status lg_motion_drive(const lg_motion *motion, double *force, double *work, int drive)
{
    mb_sparse *mo = mb_of(motion);
    if (mo == NULL || !mo->started || drive < 0 || drive >= mo->plan.drives) return LG_ERROR_ARGUMENT;
    if (force != NULL && !mo->stepped) return LG_ERROR_ARGUMENT;
    const mb_follower *d = &mo->plan.drive[drive];
    mb_pair f;
    if (work != NULL) *work = mo->motor_work[mo->plan.controls + drive];
    if (force == NULL) return LG_OK;
    reaction(mo, &f, MB_DRIVES, drive); /* on the leader, whose place is the frame's origin */
    for (int k = 0; k < (d->coordinate >= 0 ? 1 : 6); k++) force[k] = -f.v[k];
    return LG_OK;
}

double mb_sparse_time(const mb_sparse *mo)
{
    return mo != NULL && mo->started ? mo->t : NAN;
}

double mb_sparse_energy(const mb_sparse *mo)
{
    real size;
    return mo != NULL && mo->started ? mb_energy(&mo->mechanism->plan, mb_now(mo), &size) : NAN;
}

double lg_motion_motor_work(const lg_motion *motion, int motor)
{
    const mb_sparse *mo = mb_of(motion);
    const int known = mo != NULL && mo->started && motion->engine != &lg_engine_dense;
    return known && motor >= 0 && motor < mo->mechanism->plan.controls ? mo->motor_work[motor] : NAN;
}

int mb_sparse_iterations(const mb_sparse *mo)
{
    return mo != NULL ? (int)mo->numbers.sweeps : 0;
}

int lg_motion_position_count(const lg_motion *motion)
{
    const mb_sparse *mo = mb_of(motion);
    return mo != NULL ? mo->positions : 0;
}

int lg_motion_joint_index(const lg_motion *motion, int *count, int joint)
{
    const mb_sparse *mo = mb_of(motion);
    if (mo == NULL || mo->numbers.plan == NULL || joint < 0 || joint >= mb_seen(mo->mechanism, MB_JOINTS)) return -1;
    if (count != NULL) *count = mb_position_count(MB_JOINT_OF(mo->mechanism, joint));
    return mo->position_of_joint[joint];
}

int lg_motion_float_index(const lg_motion *motion, int body)
{
    const mb_sparse *mo = mb_of(motion);
    if (mo == NULL || mo->numbers.plan == NULL || body < 0 || body >= mb_seen(mo->mechanism, MB_BODIES)) return -1;
    return mo->position_of_body[body];
}

/* The least room that positions first to last - 1 of joint j leave to limits, and the joint that has it. */
static void least_room(double *least, int *which, const mb_sparse *mo, int j, int first, int last, double lower,
                       double upper)
{
    double q[6];
    if (!(lower > -INFINITY || upper < INFINITY) || lg_motion_joint(&mo->head, q, NULL, j) != LG_OK) return;
    for (int i = first; i < last; i++) {
        const double room = fmin(q[i] - lower, upper - q[i]);
        if (room < *least) *least = room, *which = j;
    }
}

double lg_motion_limit(const lg_motion *motion, int *joint)
{
    const mb_sparse *mo = mb_of(motion);
    const int started = mo != NULL && mo->started;
    double least = INFINITY;
    int which = -1, i;
    for (int j = 0; started && j < mb_seen(mo->mechanism, MB_JOINTS); j++) {
        const lg_joint *d = MB_JOINT_OF(mo->mechanism, j);
        least_room(&least, &which, mo, j, 0, mb_position_count(d), d->lower, d->upper);
    }
    for (int k = 0; started && k < mo->mechanism->part[MB_COORDINATES].count; k++) {
        const lg_coordinate *d = MB_COORDINATE_OF(mo->mechanism, k);
        const int j = lg_mechanism_joint_position(mo->mechanism, &i, d->name);
        least_room(&least, &which, mo, j, i, i + 1, d->lower, d->upper);
    }
    if (joint != NULL) *joint = which;
    return started ? least : NAN;
}

double mb_residual(const mb_sparse *mo, int velocities, const mb_block **where)
{
    const lg_mechanism *m = mo->mechanism;
    const mb_node *n = mb_now(mo);
    double worst = 0;
    for (int e = 0; e < m->all_count; e++) {
        const mb_block *k = &m->all[e];
        const int rolls = mb_facts_of(k)->velocity;
        mb_pair row[MB_SIDES_MOST * MB_ROWS_MOST];
        double value[MB_ROWS_MOST];
        mb_rows_of(&m->plan, k, row, value, n);
        for (int i = 0; i < k->rows; i++) {
            double v = velocities ? (rolls ? -value[i] : 0) : (rolls ? 0 : value[i]);
            for (int s = 0; velocities && s < k->sides; s++) {
                const int b = k->body[s];
                double w[3];
                if (b >= m->plan.bodies) {
                    v += mb_dot6(row[i * k->sides + s].v, n->given[b - m->plan.bodies].v);
                    continue;
                }
                mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
                v += n->mobility[b].inverse_mass * mb_dot(row[i * k->sides + s].v, n->p[b].v) +
                     mb_dot(row[i * k->sides + s].v + 3, w);
            }
            if (fabs(v) <= worst || isnan(worst)) continue;
            worst = fabs(v);
            if (where != NULL) *where = k;
        }
    }
    return worst;
}

double mb_sparse_gap(const mb_sparse *mo)
{
    return mo != NULL && mo->started ? mb_residual(mo, 0, NULL) : NAN;
}

double mb_sparse_slip(const mb_sparse *mo)
{
    return mo != NULL && mo->started ? mb_residual(mo, 1, NULL) : NAN;
}
