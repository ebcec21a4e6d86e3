/* SPDX-License-Identifier: BSD-3-Clause */
/* The public motion: creation, start, steps. Reading joints and bodies is state.c, reactions are reactions.c. */
#include "multibody/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#define MB_BALANCE 1e-10 /* what a step may miss its balance by, relative to max(T + |V|) */

/* ---- creation ---- */

static int stages_of(const lg_motion *mo)
{
    return mo->composition != NULL ? mo->composition->stages : 1;
}

static double stage_step(const lg_motion *mo, double h, int stage)
{
    const lg_composition *c = mo->composition;
    if (c == NULL) return h;
    return h * c->c[stage < c->stages - stage ? stage : c->stages - 1 - stage];
}

static void motion_carve(lg_motion *mo, lg_arena *a)
{
    const mb_plan *plan = &mo->mechanism->plan;
    const size_t bodies = (size_t)plan->bodies + 1;
    mb_motion_carve(&mo->numbers, a, plan, stages_of(mo));
    for (int i = 0; i < 2; i++) {
        mb_saved *saved = &mo->saved[i];
        saved->pose = lg_take(a, bodies * sizeof *saved->pose);
        saved->p = lg_take(a, bodies * sizeof *saved->p);
        saved->q = lg_take_doubles(a, (size_t)plan->coordinates);
        saved->motor_work = lg_take_doubles(a, (size_t)plan->controls);
    }
    mo->multiplier = lg_take_doubles(a, (size_t)plan->rows + 1);
    mo->motor_work = lg_take_doubles(a, (size_t)plan->controls);
    mo->frame = lg_take(a, bodies * sizeof *mo->frame);
    mo->poses = lg_take_doubles(a, 7 * bodies);
    mo->twists = lg_take_doubles(a, 6 * bodies);
    mo->wrenches = lg_take_doubles(a, 6 * bodies);
    mo->position_of_joint = lg_take(a, ((size_t)mo->mechanism->part[MB_JOINTS].count + 1) * sizeof(int));
    mo->position_of_body = lg_take(a, bodies * sizeof(int));
}

static void number_positions(lg_motion *mo)
{
    const lg_mechanism *m = mo->mechanism;
    for (int j = 0; j < m->part[MB_JOINTS].count; j++) mo->position_of_joint[j] = -1;
    for (int b = 0; b < m->plan.bodies; b++) {
        const int j = m->link[b].joint;
        mo->position_of_body[b] = -1;
        if (j >= 0) mo->position_of_joint[j] = 0;
    }
    for (int j = 0; j < m->part[MB_JOINTS].count; j++) {
        if (mo->position_of_joint[j] < 0) continue;
        mo->position_of_joint[j] = mo->positions;
        mo->positions += mb_joint_positions(MB_JOINT_OF(m, j)->kind);
    }
    for (int b = 0; b < m->plan.bodies; b++) {
        if (m->link[b].joint >= 0) continue;
        mo->position_of_body[b] = mo->positions;
        mo->positions += 6;
    }
}

static lg_status parse(lg_motion *o, const lg_mechanism *m, const char *method, double h)
{
    lg_error *e = &o->error;
    if (m == NULL || !m->compiled)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_motion_create: the mechanism is not compiled; call lg_mechanism_compile()");
    if (!isfinite(h) || h == 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_motion_create: step h is %g; it must be finite and not 0", h);
    if (method == NULL) method = "sem";
    const char *at = strchr(method, '@');
    const size_t length = at != NULL ? (size_t)(at - method) : strlen(method);
    if (length != 3 || strncmp(method, "sem", 3) != 0)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_motion_create: there is no method '%.60s'; mechanisms have sem and its "
                       "compositions, such as sem@suzuki4",
                       method);
    if (at != NULL && (o->composition = lg_composition_named(at + 1, strlen(at + 1))) == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_motion_create: there is no composition '%.60s'; lg_composition_names() "
                       "lists them",
                       at + 1);
    return LG_OK;
}

lg_status lg_motion_create(lg_motion **motion, const lg_mechanism *mechanism, const char *method, double h)
{
    if (motion == NULL) return LG_ERROR_ARGUMENT;
    lg_motion probe = {.mechanism = mechanism, .h = h};
    lg_status st = parse(&probe, mechanism, method, h);
    lg_arena a = {NULL, 0};
    if (st == LG_OK) motion_carve(&probe, &a);
    const size_t head = (sizeof probe + LG_ALIGN - 1) / LG_ALIGN * LG_ALIGN;
    lg_align(&a);
    lg_motion *mo = aligned_alloc(LG_ALIGN, head + a.used);
    *motion = mo;
    if (mo == NULL) return LG_ERROR_MEMORY;
    memset(mo, 0, head + a.used);
    *mo = probe;
    if (st != LG_OK) return st;
    a = (lg_arena){(char *)mo + head, 0};
    motion_carve(mo, &a);
    number_positions(mo);
    return LG_OK;
}

void lg_motion_destroy(lg_motion *mo)
{
    free(mo);
}

const char *lg_motion_message(const lg_motion *mo)
{
    return mo != NULL ? mo->error.message : "lg_motion_message: the motion is NULL";
}

/* ---- start ---- */

static void forget(lg_motion *mo)
{
    for (int i = 0; i < stages_of(mo); i++) mo->numbers.history[i].known = 0;
}

/* The frames' poses and twists as the state; angles on the branches of `near`. */
static lg_status load(lg_motion *mo, const double *positions)
{
    const lg_mechanism *m = mo->mechanism;
    mb_motion *n = &mo->numbers;
    for (int b = 0; b < m->plan.bodies; b++) {
        const mb_frame *f = &mo->frame[b];
        memcpy(mo->poses + 7 * b, f->r, sizeof f->r);
        if (lg_so3_from_matrix(mo->poses + 7 * b + 3, f->R) != LG_OK)
            return lg_fail(&mo->error, LG_ERROR_NOT_FINITE, "lg_motion_start: the pose of body '%.60s' is not finite",
                           MB_BODY(m, b)->name);
    }
    n->now = 0;
    for (int i = 0; i < 2; i++) mb_node_load(&m->plan, &n->node[i], mo->poses);
    memcpy(n->mean_pose[m->plan.bodies].R, n->node[0].pose[m->plan.bodies].R, sizeof n->mean_pose->R);
    for (int c = 0; c < m->plan.coordinates; c++) {
        const int j = m->coordinate[c].joint, at = mo->position_of_joint[j];
        const int kind = MB_JOINT_OF(m, j)->kind;
        const int angle = kind == LG_JOINT_CYLINDRICAL ? 1 : kind == LG_JOINT_PLANAR ? 2 : 0;
        n->node[0].q[c] = positions != NULL && at >= 0 ? positions[at + angle] : 0;
    }
    mb_node_place(&m->plan, &n->node[0], n->node[0].q);
    return LG_OK;
}

static void load_twists(lg_motion *mo)
{
    const lg_mechanism *m = mo->mechanism;
    mb_node *n = &mo->numbers.node[0];
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

static double largest(const double *x, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

/* Newton onto phi = 0 with the rows that are kept. */
static lg_status close_joints(lg_motion *mo)
{
    const mb_plan *plan = &mo->mechanism->plan;
    mb_node *n = &mo->numbers.node[0];
    const double reach = mb_reach(mo->mechanism);
    double last = INFINITY;
    for (int round = 0; round < 60; round++) {
        mb_node_rows(plan, n, 0);
        const double phi = largest(n->phi, plan->holonomic_rows);
        if (phi <= 1e-16 * reach || (phi < 1e-12 * reach && phi >= 0.5 * last)) return LG_OK;
        if (!(phi < 1e6 * reach)) break;
        last = phi;
        mb_close(plan, n, mo->multiplier, mo->numbers.wrench);
        mb_node_place(plan, n, n->q);
    }
    return lg_fail(
        &mo->error, LG_ERROR_CONVERGENCE,
        "lg_motion_start: these poses cannot be moved onto the constraints (a gap of %.3g is left); start nearer "
        "to a configuration that closes the loops",
        last);
}

static lg_status check_start(lg_motion *mo)
{
    const double gap = lg_motion_gap(mo), slip = lg_motion_slip(mo), reach = mb_reach(mo->mechanism);
    double speed = 0;
    const mb_node *n = mb_now(mo);
    for (int b = 0; b < mo->mechanism->plan.bodies; b++)
        for (int k = 0; k < 3; k++) speed = fmax(speed, fabs(n->p[b].v[k]) * n->mobility[b].inverse_mass);
    if (!(gap <= 1e-9 * reach))
        return lg_fail(&mo->error, LG_ERROR_INCONSISTENT,
                       "lg_motion_start: the configuration violates the constraints by %.3g; start with project = 1",
                       gap);
    if (!(slip <= 1e-9 * fmax(1, speed)))
        return lg_fail(&mo->error, LG_ERROR_INCONSISTENT,
                       "lg_motion_start: the velocity violates the constraints by %.3g; start with project = 1", slip);
    return LG_OK;
}

static void start_scale(lg_motion *mo)
{
    const mb_plan *plan = &mo->mechanism->plan;
    const double g = sqrt(plan->gravity[0] * plan->gravity[0] + plan->gravity[1] * plan->gravity[1] +
                          plan->gravity[2] * plan->gravity[2]);
    real size;
    (void)mb_energy(plan, mb_now(mo), &size);
    mo->scale = size;
    for (int b = 0; b < plan->bodies; b++) mo->scale += plan->mass[b] * g * mb_reach(mo->mechanism);
}

static lg_status start(lg_motion *mo, double t0, const double *positions, int project)
{
    const mb_plan *plan = &mo->mechanism->plan;
    mb_node *n = &mo->numbers.node[0];
    mo->started = 0;
    if (!isfinite(t0)) return lg_fail(&mo->error, LG_ERROR_NOT_FINITE, "lg_motion_start: t0 is not finite");
    lg_status st = load(mo, positions);
    if (st == LG_OK && project) st = close_joints(mo);
    if (st != LG_OK) return st;
    mb_node_rows(plan, n, 0);
    if (!isfinite(largest(n->factor, plan->node.numbers)))
        return lg_fail(
            &mo->error, LG_ERROR_SINGULAR,
            "lg_motion_start: the configuration is singular: rows that were independent at assembly depend on "
            "each other");
    load_twists(mo);
    if (project) mb_settle(plan, n, mo->multiplier, mo->numbers.twist);
    mo->started = 1, mo->count = 0, mo->stepped = 0, mo->t0 = mo->t = t0, mo->work = 0;
    memset(mo->motor_work, 0, (size_t)plan->controls * sizeof *mo->motor_work);
    forget(mo);
    start_scale(mo);
    st = project ? LG_OK : check_start(mo);
    mo->started = st == LG_OK;
    return st;
}

static int all_finite(const double *x, int count)
{
    for (int i = 0; x != NULL && i < count; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

/* The frames of the assembled mechanism, with twists. */
static lg_status start_assembled(lg_motion *mo, double t0, const double *velocities)
{
    const lg_mechanism *m = mo->mechanism;
    for (int b = 0; b < m->plan.bodies; b++) {
        mb_frame *f = &mo->frame[b];
        memset(f, 0, sizeof *f);
        memcpy(f->r, m->pose + 7 * b, sizeof f->r);
        lg_so3_to_matrix(f->R, m->pose + 7 * b + 3);
    }
    lg_status st = start(mo, t0, NULL, 1);
    if (st != LG_OK || velocities == NULL) return st;
    double *q = mo->twists; /* room for 6 a body */
    st = lg_motion_positions(mo, q, NULL);
    if (st != LG_OK) return st;
    mb_frames_from_positions(mo, mo->frame, q, velocities);
    return LG_OK;
}

lg_status lg_motion_start(lg_motion *mo, double t0, const double *positions, const double *velocities, int project)
{
    if (mo == NULL || mo->numbers.plan == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&mo->error);
    if (!all_finite(positions, mo->positions) || !all_finite(velocities, mo->positions))
        return lg_fail(&mo->error, LG_ERROR_NOT_FINITE, "lg_motion_start: a position or velocity is not finite");
    if (positions != NULL) {
        mb_frames_from_positions(mo, mo->frame, positions, velocities);
        return start(mo, t0, positions, project);
    }
    const lg_status st = start_assembled(mo, t0, velocities);
    if (st != LG_OK || velocities == NULL) return st;
    load_twists(mo);
    if (project) mb_settle(&mo->mechanism->plan, &mo->numbers.node[0], mo->multiplier, mo->numbers.twist);
    start_scale(mo);
    const lg_status checked = project ? LG_OK : check_start(mo);
    mo->started = checked == LG_OK;
    return checked;
}

lg_status lg_motion_start_poses(lg_motion *mo, double t0, const double *poses, const double *twists, int project)
{
    if (mo == NULL || mo->numbers.plan == NULL) return LG_ERROR_ARGUMENT;
    const lg_mechanism *m = mo->mechanism;
    lg_error_clear(&mo->error);
    if (poses == NULL) return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_start_poses: the poses are NULL");
    if (!all_finite(poses, 7 * m->plan.bodies) || !all_finite(twists, 6 * m->plan.bodies))
        return lg_fail(&mo->error, LG_ERROR_NOT_FINITE, "lg_motion_start_poses: a pose or twist is not finite");
    for (int b = 0; b < m->plan.bodies; b++) {
        mb_frame *f = &mo->frame[b];
        double q[4], x[3];
        if (lg_so3_project(q, poses + 7 * b + 3) != LG_OK)
            return lg_fail(&mo->error, LG_ERROR_ARGUMENT,
                           "lg_motion_start_poses: the quaternion of body '%.60s' is zero", MB_BODY(m, b)->name);
        lg_so3_to_matrix(f->R, q);
        mb_turn(x, f->R, MB_BODY(m, b)->centre);
        for (int k = 0; k < 3; k++) {
            f->r[k] = poses[7 * b + k] + x[k];
            f->v[k] = twists != NULL ? twists[6 * b + k] : 0;
            f->w[k] = twists != NULL ? twists[6 * b + 3 + k] : 0;
        }
    }
    return start(mo, t0, NULL, project);
}

/* ---- controls and wrenches ---- */

lg_status lg_motion_set_control(lg_motion *mo, const double *u)
{
    if (mo == NULL || mo->numbers.plan == NULL || u == NULL) return LG_ERROR_ARGUMENT;
    const int count = mo->mechanism->plan.controls;
    for (int i = 0; i < count; i++)
        if (!isfinite(u[i]))
            return lg_fail(&mo->error, LG_ERROR_NOT_FINITE, "lg_motion_set_control: motor '%.60s' gets %g",
                           lg_mechanism_motor_name(mo->mechanism, i), u[i]);
    memcpy(mo->numbers.control, u, (size_t)count * sizeof *u);
    return LG_OK;
}

/* The motion that owns these numbers: they are its member. */
static lg_motion *owner_of(mb_motion *n)
{
    return (lg_motion *)(void *)((char *)n - offsetof(lg_motion, numbers));
}

/* Asks the caller's function at the middle of the step. */
static int ask(mb_motion *n, const mb_node *n0, const mb_node *n1, double h)
{
    lg_motion *mo = owner_of(n);
    const int bodies = n->plan->bodies;
    for (int b = 0; b < bodies; b++) {
        double *pose = mo->poses + 7 * b, *twist = mo->twists + 6 * b, w[3], length = 0;
        for (int k = 0; k < 3; k++) pose[k] = n->mean_pose[b].r[k], twist[k] = n->x.xi[b].v[k];
        for (int k = 0; k < 4; k++) {
            pose[3 + k] = n0->pose[b].q[k] + n1->pose[b].q[k];
            length += pose[3 + k] * pose[3 + k];
        }
        for (int k = 0; k < 4; k++) pose[3 + k] /= sqrt(length);
        mb_turn(w, n0->pose[b].R, n->x.xi[b].v + 3);
        memcpy(twist + 3, w, sizeof w);
    }
    memset(mo->wrenches, 0, 6 * (size_t)bodies * sizeof *mo->wrenches);
    const int code = mo->wrench(mo->t + 0.5 * h, mo->poses, mo->twists, mo->wrenches, mo->context);
    for (int b = 0; b < bodies; b++) memcpy(n->force[b].v, mo->wrenches + 6 * b, sizeof n->force[b].v);
    return code;
}

lg_status lg_motion_set_wrench(lg_motion *mo, lg_wrench_fn wrench, void *context)
{
    if (mo == NULL || mo->numbers.plan == NULL) return LG_ERROR_ARGUMENT;
    mo->wrench = wrench, mo->context = context;
    mo->numbers.ask = wrench != NULL ? ask : NULL;
    memset(mo->numbers.force, 0, (size_t)mo->mechanism->plan.bodies * sizeof *mo->numbers.force);
    return LG_OK;
}

lg_status lg_motion_set_halvings(lg_motion *mo, int halvings)
{
    if (mo == NULL || mo->numbers.plan == NULL) return LG_ERROR_ARGUMENT;
    if (halvings < 0 || halvings > 30)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_set_halvings: %d; it must be from 0 to 30", halvings);
    mo->halvings = halvings;
    return LG_OK;
}

/* ---- steps ---- */

static void save(const lg_motion *mo, mb_saved *to)
{
    const mb_plan *plan = &mo->mechanism->plan;
    const mb_node *n = mb_now(mo);
    memcpy(to->pose, n->pose, (size_t)plan->bodies * sizeof *n->pose);
    memcpy(to->p, n->p, (size_t)plan->bodies * sizeof *n->p);
    memcpy(to->q, n->q, (size_t)plan->coordinates * sizeof *n->q);
    memcpy(to->motor_work, mo->motor_work, (size_t)plan->controls * sizeof *mo->motor_work);
    to->t = mo->t, to->work = mo->work;
}

static void restore(lg_motion *mo, const mb_saved *from)
{
    const mb_plan *plan = &mo->mechanism->plan;
    mb_node *n = &mo->numbers.node[mo->numbers.now];
    memcpy(n->pose, from->pose, (size_t)plan->bodies * sizeof *n->pose);
    memcpy(n->p, from->p, (size_t)plan->bodies * sizeof *n->p);
    memcpy(mo->motor_work, from->motor_work, (size_t)plan->controls * sizeof *mo->motor_work);
    mo->t = from->t, mo->work = from->work;
    mb_node_place(plan, n, from->q);
    mb_node_rows(plan, n, 0);
    forget(mo);
}

/* The smallest pivot of the factor relative to its row's length, at a node. */
static double smallest_pivot(lg_motion *mo, const mb_node *n)
{
    const mb_plan *plan = &mo->mechanism->plan;
    double least = INFINITY;
    for (int k = 0; k < plan->node.count; k++) {
        const mb_block *e = &plan->block[plan->node.block[k]];
        for (int i = 0; i < e->rows; i++) {
            double length = 0;
            for (int s = 0; s < e->sides; s++) {
                const int p = e->part + i * e->sides + s;
                length += e->body[s] < plan->bodies ? small_dot(6, n->rows.row[p].v, n->rows.product[p].v) : 0;
            }
            const double pivot = 1 / (n->factor[plan->node.diagonal[k] + i * e->rows + i] * sqrt(length));
            if (!(pivot >= least)) least = isnan(pivot) ? 0 : pivot;
        }
    }
    return least;
}

/* Why a step did not succeed. */
static lg_status explain(lg_motion *mo, double h)
{
    mb_motion *n = &mo->numbers;
    const double t = mo->t;
    if (n->callback != 0)
        return lg_fail(&mo->error, LG_ERROR_CALLBACK, "lg_motion_step: t = %.10g: your wrench function returned %d", t,
                       n->callback);
    const double pivot = fmin(smallest_pivot(mo, &n->node[n->now]), smallest_pivot(mo, &n->node[n->now ^ 1]));
    if (pivot < 1e-6)
        return lg_fail(
            &mo->error, LG_ERROR_SINGULAR,
            "lg_motion_step: t = %.10g: the mechanism is near a singular configuration: a row is independent "
            "of the others by %.2g of its length only",
            t, pivot);
    return lg_fail(&mo->error, LG_ERROR_CONVERGENCE,
                   "lg_motion_step: t = %.10g: no solution with h = %g after %d sweeps; take a smaller step, or "
                   "lg_motion_set_halvings()",
                   t, h, n->sweeps);
}

/* The step's balance of energy; it shows a step that jumped over a singular configuration. */
static lg_status check_balance(lg_motion *mo, const mb_node *n0, const mb_node *n1)
{
    const mb_plan *plan = &mo->mechanism->plan;
    real size0, size1;
    const double H0 = mb_energy(plan, n0, &size0), H1 = mb_energy(plan, n1, &size1);
    mo->scale = fmax(mo->scale, size1);
    const double off = fabs((H1 - H0) - mo->numbers.work), bound = MB_BALANCE * (mo->scale + fabs(mo->numbers.work));
    if (off <= bound) return LG_OK;
    return lg_fail(
        &mo->error, LG_ERROR_SINGULAR,
        "lg_motion_step: t = %.10g: the step misses its balance of energy by %.3g J of %.3g; the mechanism has "
        "passed a singular configuration, or the step is too large",
        mo->t, off, mo->scale);
}

/* A step of h with all its sub-steps; the state is what it was if it fails. */
static lg_status advance(lg_motion *mo, double h)
{
    mb_motion *n = &mo->numbers;
    lg_status st = LG_OK;
    save(mo, &mo->saved[0]);
    for (int s = 0; s < stages_of(mo) && st == LG_OK; s++) {
        const double part = stage_step(mo, h, s);
        n->callback = 0;
        st = mb_step(n, part, s) ? explain(mo, part) : check_balance(mo, &n->node[n->now ^ 1], &n->node[n->now]);
        mo->work += n->work;
        for (int u = 0; u < n->plan->controls; u++) mo->motor_work[u] += n->motor_work[u];
        mo->t += part;
    }
    if (st != LG_OK) restore(mo, &mo->saved[0]);
    return st;
}

/* As advance(), or as 2, 4, ... 2^depth steps that make up h; only the caller can restore what came before them. */
static lg_status advance_halving(lg_motion *mo, double h, int depth)
{
    const lg_status st = advance(mo, h);
    if (st == LG_OK || depth == 0 || st == LG_ERROR_CALLBACK) return st;
    lg_status half = LG_OK;
    for (int i = 0; i < 2 && half == LG_OK; i++) half = advance_halving(mo, 0.5 * h, depth - 1);
    forget(mo);
    return half;
}

lg_status lg_motion_step(lg_motion *mo, int64_t steps)
{
    if (mo == NULL || mo->numbers.plan == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&mo->error);
    if (!mo->started)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT,
                       "lg_motion_step: the motion is not started; call lg_motion_start()");
    for (int64_t i = 0; i < steps; i++) {
        mo->t = mo->t0 + (double)mo->count * mo->h;
        if (mo->halvings > 0) save(mo, &mo->saved[1]);
        const lg_status st = advance_halving(mo, mo->h, mo->halvings);
        if (st != LG_OK && mo->halvings > 0) restore(mo, &mo->saved[1]);
        if (st != LG_OK) return st;
        mo->count++;
        mo->stepped = 1;
        mo->t = mo->t0 + (double)mo->count * mo->h;
    }
    return LG_OK;
}

/* ---- figures ---- */

double lg_motion_time(const lg_motion *mo)
{
    return mo != NULL && mo->started ? mo->t : NAN;
}

double lg_motion_energy(const lg_motion *mo)
{
    real size;
    return mo != NULL && mo->started ? mb_energy(&mo->mechanism->plan, mb_now(mo), &size) : NAN;
}

double lg_motion_work(const lg_motion *mo)
{
    return mo != NULL && mo->started ? mo->work : NAN;
}

double lg_motion_motor_work(const lg_motion *mo, int motor)
{
    return mo != NULL && mo->started && motor >= 0 && motor < mo->mechanism->plan.controls ? mo->motor_work[motor]
                                                                                           : NAN;
}

int lg_motion_iterations(const lg_motion *mo)
{
    return mo != NULL ? mo->numbers.sweeps : 0;
}

int lg_motion_position_count(const lg_motion *mo)
{
    return mo != NULL ? mo->positions : 0;
}

int lg_motion_joint_index(const lg_motion *mo, int *count, int joint)
{
    if (mo == NULL || mo->numbers.plan == NULL || joint < 0 || joint >= mo->mechanism->part[MB_JOINTS].count) return -1;
    if (count != NULL) *count = mb_joint_positions(MB_JOINT_OF(mo->mechanism, joint)->kind);
    return mo->position_of_joint[joint];
}

int lg_motion_float_index(const lg_motion *mo, int body)
{
    if (mo == NULL || mo->numbers.plan == NULL || body < 0 || body >= mo->mechanism->plan.bodies) return -1;
    return mo->position_of_body[body];
}

/* The largest |phi| or |A xi - drift| over all rows, those left out too. */
static double residual(const lg_motion *mo, int velocities)
{
    const lg_mechanism *m = mo->mechanism;
    const mb_node *n = mb_now(mo);
    double worst = 0;
    for (int e = 0; e < m->all_count; e++) {
        const mb_block *k = &m->all[e];
        const int rolls = k->kind == MB_ROLL || k->kind == MB_SKATE;
        mb_pair row[MB_SIDES_MOST * MB_ROWS_MOST];
        double value[MB_ROWS_MOST];
        mb_rows_of(&m->plan, k, row, value, n);
        for (int i = 0; i < k->rows; i++) {
            double v = velocities ? (rolls ? -value[i] : 0) : (rolls ? 0 : value[i]);
            for (int s = 0; velocities && s < k->sides; s++) {
                const int b = k->body[s];
                double w[3];
                if (b == m->plan.bodies) continue;
                mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
                v += n->mobility[b].inverse_mass * mb_dot(row[i * k->sides + s].v, n->p[b].v) +
                     mb_dot(row[i * k->sides + s].v + 3, w);
            }
            if (!(fabs(v) <= worst)) worst = fabs(v);
        }
    }
    return worst;
}

double lg_motion_gap(const lg_motion *mo)
{
    return mo != NULL && mo->started ? residual(mo, 0) : NAN;
}

double lg_motion_slip(const lg_motion *mo)
{
    return mo != NULL && mo->started ? residual(mo, 1) : NAN;
}
