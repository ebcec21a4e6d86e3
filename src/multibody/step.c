/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of a mechanism, as the verbs that it consists of, in the order in which they happen (docs/architecture.md; the
 * equations: docs/theory.md section 17). A are the rows at a node, G the holonomic ones at the averaged pose,
 * C = A J^-1 A^T = L L^T, D = G J^-1 G^T. Momenta are kept in space, where Ad* changes nothing.
 *
 * sem, from (r_0, q_0, p_0) on the constraints; the velocities xi = (v, w) and the multipliers l, mu are solved for:
 *   guess        xi, l, mu, extrapolated through the steps before                 history.c
 *   until the corrections are round-off, each sweep:
 *     arc          r_1 = r_0 + h v,  q_1 = q_0 cay(h w);  the averaged pose       here
 *     rows         A_1, phi_1, C_1 = L_1 L_1^T;  G and the factor of D            rows/, sparse.h
 *     wrenches     f of the caller at these poses                                 motion.c
 *     momenta      p^- = p_0 + (h/2) A_0^T L_0^-T l,  p^+ = p^- + h f - h G^T mu  corrections.c, forces/
 *     mu           G J^-1 (p^+ - p^-) = 0: the correction of mu                   corrections.c
 *     l            A_1 J^-1 p_1 = b_1: the correction of l                        corrections.c
 *     xi           xi = J^-1 (p^- + p^+)/2 + J^-1 G^T nu,  G xi = -phi_0/h        corrections.c
 *     accelerate   of stiff forces: Newton's and Anderson's corrections of xi     newton.c, mixing.c
 *     judge        how fast do the corrections shrink?                            convergence.c
 *   arrive       p_1 = p^+ + (h/2) A_1^T L_1^-T l                                 here
 *   work         of motors, drives, dampers, moving ground and caller's wrenches  here
 *   remember     xi, l, mu for the next guess                                     history.c
 * rattle replaces the sweeps and arrives itself (rattle.c). gauss has a walk of its own (collocation.c).
 * Around it, motion.c chooses independent rows (choice.c), checks the balance of energy and jumps of the velocities
 * (check.c, sound.c), and restores the state of a step that failed. */
#include "multibody/activation.h"
#include "multibody/collocation.h"
#include "multibody/contact/contact.h"
#include "multibody/convergence.h"
#include "multibody/corrections.h"
#include "multibody/limits.h"
#include "multibody/mixing.h"
#include "multibody/rattle.h"
#if LANES == 1
#include "multibody/newton.h"
#endif

#include <math.h>
#include <string.h>

enum {
    MB_STIFF = 64, /* steps that begin with Newton's correction after sweeps alone did not do */
    MB_SLOW = 3    /* sweeps in turn that hardly contract, after which they give up */
};

LG_ENGINE void mb_arc(mb_motion *m, const mb_node *n0, mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++) {
        const mb_pose *p0 = &n0->pose[b];
        mb_pose *p1 = &n1->pose[b], *pm = &m->mean_pose[b];
        const real *v = m->x.xi[b].v;
        const real x = 0.5 * h * v[3], y = 0.5 * h * v[4], z = 0.5 * h * v[5];
        const real s = 1.0 / root(1.0 + (x * x + y * y + z * z)), *q = p0->q;
        p1->q[0] = s * (q[0] + (q[3] * x + (q[1] * z - q[2] * y)));
        p1->q[1] = s * (q[1] + (q[3] * y + (q[2] * x - q[0] * z)));
        p1->q[2] = s * (q[2] + (q[3] * z + (q[0] * y - q[1] * x)));
        p1->q[3] = s * (q[3] - (q[0] * x + q[1] * y + q[2] * z));
        small_renormalise(4, p1->q);
        for (int k = 0; k < 3; k++) p1->r[k] = p0->r[k] + h * v[k], pm->r[k] = 0.5 * (p0->r[k] + p1->r[k]);
    }
    mb_turn_bodies(plan, n1);
    mb_coordinates(plan, n1, n0->q, 0, plan->driven);
    for (int b = 0; b < plan->bodies; b++) {
        mb_pose *pm = &m->mean_pose[b];
        for (int k = 0; k < 9; k++) pm->R[k] = 0.5 * (n0->pose[b].R[k] + n1->pose[b].R[k]);
        mb_mobility_of(&m->mean_mobility[b], pm->R, 1.0 / plan->mass[b], plan->inverse_inertia + 9 * b);
    }
}

static void mb_linearise(mb_motion *m, const mb_node *n0, mb_node *n1)
{
    const mb_plan *plan = m->plan;
    mb_node_gram(plan, n1);
    mb_rows_evaluate(plan, m->mean.row, m->y, m->y, m->mean_pose, n0, n1, plan->holonomic_blocks);
    mb_products(plan, m->mean, m->mean_mobility, plan->holonomic_blocks);
    mb_gram(plan, &plan->mean, m->mean_factor, m->mean);
    if (plan->holonomic_blocks == plan->blocks) { /* then both are alike */
        mb_factor_two(plan, &plan->mean, n1->factor, m->mean_factor);
    } else {
        mb_factor(plan, &plan->node, n1->factor);
        mb_factor(plan, &plan->mean, m->mean_factor);
    }
    mb_slopes(plan, m->slope, m->mean_pose, n0, n1);
}

/* How a step is solved. Methods beyond MB_SWEEPS exist at width 1 only: a wide step gives up. */
typedef enum mb_way {
    MB_SWEEPS,   /* plain sweeps, which give up if they hardly contract */
    MB_NEWTON,   /* sweeps with Newton's correction and Anderson's acceleration */
    MB_ANDERSON, /* sweeps with Anderson's acceleration alone */
    MB_WAYS
} mb_way;

/* The leaders at the end of the step, and how they move in it. 0: one is nowhere. */
static int mb_follow(mb_motion *m, const mb_node *n0, mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    if (mb_node_lead(plan, n1, m->t + h, -1, &m->stray)) return 0;
    for (int i = 1; i < plan->grounds; i++) {
        const int b = plan->bodies + i;
        const mb_pose *p0 = &n0->pose[b], *p1 = &n1->pose[b];
        mb_pose *pm = &m->mean_pose[b];
        const real *q0 = p0->q, *q1 = p1->q;
        real turn[3], across[3], *led = m->led[i].v;
        const real w = q0[3] * q1[3] + (q0[0] * q1[0] + (q0[1] * q1[1] + q0[2] * q1[2])); /* of q0^-1 q1 = cay(h w) */
        small_cross(across, q0, q1);
        for (int k = 0; k < 3; k++) {
            turn[k] = (2 / h) * ((q0[3] * q1[k] - q1[3] * q0[k]) - across[k]) / w;
            led[k] = (p1->r[k] - p0->r[k]) / h, pm->r[k] = 0.5 * (p0->r[k] + p1->r[k]);
        }
        for (int k = 0; k < 9; k++) pm->R[k] = 0.5 * (p0->R[k] + p1->R[k]);
        mb_turn(led + 3, pm->R, turn);
    }
    return 1;
}

/* The trial of xi: poses, rows with their factors, the caller's wrenches. Nonzero: the callback failed. */
static int mb_try(mb_motion *m, const mb_node *n0, mb_node *n1, double h)
{
    mb_arc(m, n0, n1, h);
    mb_linearise(m, n0, n1);
#if LANES == 1
    if (m->contacts != NULL) mb_contacts_place(m, n0, n1, h);
#endif
    return m->ask != NULL && (m->callback = m->ask(m, n0, n1, h)) != 0;
}

/* The corrections of a sweep; returns their size, *scale = |xi|^2. */
static real mb_correct(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, real *scale)
{
    mb_momenta(m, n0, n1, h);
    real size = mb_correct_mu(m, n0, n1, h);
    size = size + mb_correct_l(m, n0, n1, h);
#if LANES == 1
    if (m->contacts != NULL && m->contacts->paired) return size + mb_pairs_correct(m, n0, n1, h, scale);
#endif
    size = size + mb_correct_xi(m, n0, n1, h, scale);
#if LANES == 1
    if (m->contacts != NULL) size += mb_contacts_correct(m, n0, n1, h, size);
#endif
    return size;
}

/* The guess from which a step is solved, and what is known of the contraction. */
static void mb_begin(mb_motion *m, const mb_node *n0, double h, const mb_history *s, mb_convergence *convergence)
{
    const mask first = s->known < 1.0;
    mb_convergence_begin(convergence, sel(first, splat(0.1), s->theta));
    mb_guess(m, s);
    if (any(first)) mb_first_guess(m, n0, first);
#if LANES == 1
    if (m->contacts != NULL) mb_contacts_begin(m, n0, h);
#else
    (void)h;
#endif
}

#if LANES == 1

enum { MB_TURNS_MOST = 30 };

/* The corrections of a sweep where bodies turn fast or forces are stiff: mu and l are corrected in turn until they fit
 * the poses, since l turns p- and p+ differently; Newton's matrix is factored anew if `factor` is 1. */
static double mb_correct_stiff(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, double *scale,
                               const mb_convergence *convergence, int newton, int factor)
{
    mb_momenta(m, n0, n1, h);
    double size = mb_correct_mu(m, n0, n1, h);
    size = size + mb_correct_l(m, n0, n1, h);
    double last = INFINITY, next = size;
    for (int i = 0; i < MB_TURNS_MOST && convergence->theta > 0.05 && next > 1e-3 * size && next < 0.8 * last; i++) {
        last = next;
        next = mb_correct_mu(m, n0, n1, h);
        next = next + mb_correct_l(m, n0, n1, h);
    }
    memcpy(m->mixing.before, m->x.xi, (size_t)m->plan->bodies * sizeof *m->mixing.before);
    double change = mb_correct_xi(m, n0, n1, h, scale);
    if (newton) {
        if (factor) mb_newton_factor(m, n0, n1, h);
        change = mb_newton_correct(m, n0, n1, h);
    }
    if (m->contacts != NULL) change += mb_contacts_correct(m, n0, n1, h, size + change);
    return size + change;
}

/* Sweeps with these corrections, and with Anderson's acceleration. 1: they converged. */
static int mb_sweep_stiff(mb_motion *m, const mb_node *n0, mb_node *n1, double h, mb_convergence *convergence,
                          mb_way way)
{
    const double jitter = mb_jitter(m->plan, h);
    int mixes = 0;
    mb_mixing_begin(m);
    for (int sweep = 1; sweep <= MB_SWEEPS_MOST; sweep++) {
        double scale;
        if (mb_try(m, n0, n1, h)) return 0;
        const int factor = sweep == 1 || convergence->theta > 0.1;
        const double size = mb_correct_stiff(m, n0, n1, h, &scale, convergence, way == MB_NEWTON, factor);
        if (sweep > 2) convergence->floor = fmax(convergence->floor, mb_newton_floor(m, n0, n1, h));
        const double e = sqrt(size / (scale + m->scale + 1e-300)); /* the forces of servos are known after a sweep */
        mb_judge(convergence, m->decided && sweep < 3 ? fmin(e, 1) : e, sqrt(size) / jitter, sweep, mixes ? 0.3 : 1e-3);
        m->sweeps++;
        if (convergence->done < 0) return 0;
        if (convergence->done > 0) return mb_stands(m, n0, n1, h, convergence->done == 2);
        mixes |= sweep > 2 && convergence->theta > 0.3 && !m->decided;
        mb_mixing_sweep(m, mixes);
    }
    return 0;
}

/* As MB_NEWTON with servos, whose forces are unknowns: decides which are at a limit. */
static int mb_sweep_limited(mb_motion *m, const mb_node *n0, mb_node *n1, double h, const mb_history *s,
                            mb_convergence *convergence)
{
    for (int bold = 1; bold >= 0 && m->callback == 0; bold--) {
        mb_begin(m, n0, h, s, convergence);
        mb_arc(m, n0, n1, h);
        mb_limits_begin(m, n0, n1, h, bold);
        int round = 0;
        for (; round < MB_ROUNDS && mb_sweep_stiff(m, n0, n1, h, convergence, MB_NEWTON); round++) {
            if (mb_limits_settle(m, n0, n1, h, round)) return 1;
            mb_convergence_begin(convergence, 0.1);
        }
        if (round < MB_ROUNDS) m->undecided = 0;
    }
    m->decided = 0;
    return 0;
}

#endif

/* After a sweep with corrections of this size: 1: all lanes converged, -1: one does not converge, 0: continue. */
static int mb_judge_lanes(mb_motion *m, mb_convergence *convergence, double h, real size, real scale, int sweep)
{
    const real e = root(size / (scale + m->scale + 1e-300)), moved = root(size) / mb_jitter(m->plan, h);
    int going = 0;
    for (int l = 0; l < LANES; l++) {
        if (convergence[l].done) continue;
        mb_judge(&convergence[l], lane_of(e, l), lane_of(moved, l), sweep, 1e-3);
        as_doubles(&m->sweeps)[l] += 1;
        if (convergence[l].done < 0 || convergence[l].slow >= MB_SLOW) return -1;
        going |= !convergence[l].done;
    }
    return !going;
}

/* Sweeps until the corrections are round-off. 1: all lanes converged. */
static int mb_sweep(mb_motion *m, const mb_node *n0, mb_node *n1, double h, mb_convergence *convergence)
{
    for (int sweep = 1; sweep <= MB_SWEEPS_MOST; sweep++) {
        real scale;
        if (LANES > 1) mb_hold(m, mb_done(convergence, 0));
        if (mb_try(m, n0, n1, h)) return 0;
        const real size = mb_correct(m, n0, n1, h, &scale);
        const int verdict = mb_judge_lanes(m, convergence, h, size, scale, sweep);
        if (verdict < 0) return 0;
        if (verdict > 0) return mb_stands(m, n0, n1, h, mb_done(convergence, 2));
    }
    return 0;
}

/* Solves for xi, l, mu in the way that worked last time, otherwise in the next one. 1: all lanes converged. */
static int mb_solve(mb_motion *m, const mb_node *n0, mb_node *n1, double h, mb_history *s, mb_convergence *convergence)
{
#if LANES == 1
    for (int i = 0; i < MB_WAYS; i++) {
        const mb_way way = s->stiff > 0 ? (mb_way)((i + MB_NEWTON) % MB_WAYS) : (mb_way)i;
        mb_begin(m, n0, h, s, convergence);
        if (way == MB_SWEEPS && m->contacts != NULL && mb_pairs_begin(m, n0, h)) {
            if (mb_sweep(m, n0, n1, h, convergence) && mb_pairs_hold(m, n0, n1, h)) return 1;
            if (m->callback != 0) break;
            mb_begin(m, n0, h, s, convergence);
        }
        if (way == MB_SWEEPS                          ? mb_sweep(m, n0, n1, h, convergence)
            : way == MB_NEWTON && m->plan->servos > 0 ? mb_sweep_limited(m, n0, n1, h, s, convergence)
                                                      : mb_sweep_stiff(m, n0, n1, h, convergence, way)) {
            s->stiff = way != MB_NEWTON ? 0 : s->stiff > 0 ? s->stiff - 1 : MB_STIFF;
            return 1;
        }
        if (m->callback != 0) break;
        m->lost = convergence->lost;
    }
    return 0;
#else
    if (any(s->stiff > 0.0)) return 0;
    mb_begin(m, n0, h, s, convergence);
    return mb_sweep(m, n0, n1, h, convergence);
#endif
}

/* The work of moving ground: (h/2) l.(L0^-1 b0 + L1^-1 b1) with the drifts b. */
static real mb_ground_work(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    real work = splat(0);
    for (int end = 0; end < 2; end++) {
        const mb_node *n = end ? n1 : n0;
        for (int i = 0; i < plan->rows; i++) m->y[i] = i < plan->holonomic_rows ? splat(0) : n->drift[i];
        mb_forward(plan, &plan->node, n->factor, m->y);
        for (int i = 0; i < plan->rows; i++) work = work + m->x.l[i] * m->y[i];
    }
    return 0.5 * h * work;
}

/* The works of drives: h times the force on what follows, (1/2)(L0^-T l + L1^-T l) of both nodes - mu of the average,
 * times the velocity with which the leader goes ahead there. */
static void mb_drives_work(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    real *works = m->motor_work + plan->controls;
    for (int i = 0; i < plan->drives; i++) works[i] = splat(0);
    for (int at = 0; at < 3; at++) {
        const mb_node *n = at ? n1 : n0;
        const mb_pair *row = at == 2 ? m->mean.row : n->rows.row, *moves = at == 2 ? m->led : n->given;
        for (int i = 0; i < (at == 2 ? plan->holonomic_rows : plan->rows); i++)
            m->y[i] = at == 2 ? -m->x.mu[i] : 0.5 * m->x.l[i];
        if (at < 2) mb_backward(plan, &plan->node, n->factor, m->y);
        for (int e = 0; e < plan->holonomic_blocks; e++) {
            const mb_block *k = &plan->block[e];
            if (k->kind == MB_DRIVE)
                works[k->source] = works[k->source] + h * mb_drive_power(plan, k, row, m->y, moves);
        }
    }
    for (int i = 0; i < plan->drives; i++) mb_did(m, LG_WORK_DRIVES, works[i]);
}

/* The work of the step, by kinds. */
static void mb_work(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    m->work = splat(0);
    memset(&m->motor_work[mb_kind_at(plan, LG_WORK_MOTORS)], 0, LG_WORKS * sizeof *m->motor_work);
    if (plan->holonomic_rows < plan->rows) mb_did(m, LG_WORK_GROUND, mb_ground_work(m, n0, n1, h));
    mb_forces_work(m, n0, n1, h, 0);
    if (plan->drives > 0) mb_drives_work(m, n0, n1, h);
    for (int b = 0; m->ask != NULL && b < plan->bodies; b++) {
        real w[3];
        mb_turn(w, n0->pose[b].R, m->x.xi[b].v + 3);
        mb_did(m, LG_WORK_WRENCH, h * (mb_dot(m->force[b].v, m->x.xi[b].v) + mb_dot(m->force[b].v + 3, w)));
    }
#if LANES == 1
    if (m->contacts != NULL) mb_contacts_account(m);
#endif
}

/* p1 = p+ + (h/2) A1^T L1^-T l. */
static void mb_arrive(mb_motion *m, mb_node *n1, double h)
{
    const int bodies = m->plan->bodies;
    mb_ground_twists(m->plan, m->plus, NULL);
    memcpy(m->wrench, m->plus, sz(mb_frames(m->plan)) * sizeof *m->wrench);
    mb_kick(m, n1, m->wrench, 0.5 * h, m->x.l);
    memcpy(n1->p, m->wrench, (size_t)bodies * sizeof *n1->p);
}

static int mb_solve_rattle(mb_motion *m, const mb_node *n0, mb_node *n1, double h, mb_history *s,
                           mb_convergence *convergence)
{
    mb_begin(m, n0, h, s, convergence);
    return mb_rattle(m, n0, n1, h, convergence);
}

#if LANES == 1

/* The convergence of the stages shows whether a motion is resolved: jumps of the velocities are not measured. */
static int mb_step_collocation(mb_motion *m, const mb_node *n0, mb_node *n1, double h)
{
    const mb_guide guide = mb_collocation_memory(m->collocation);
    if (!mb_collocate(m, n0, n1, h, &guide)) return 1;
    mb_collocation_keep(m->collocation, h);
    m->velocity_jump = m->abrupt = 0;
    m->now ^= 1;
    return 0;
}

#endif

LG_ENGINE int mb_step(mb_motion *m, double h, int stage)
{
    const mb_plan *plan = m->plan;
    const mb_node *n0 = &m->node[m->now];
    mb_node *n1 = &m->node[m->now ^ 1];
    mb_history *s = &m->history[stage];
    mb_convergence convergence[LANES];
    m->stray.kind = MB_STRAY_NONE;
    m->sweeps = splat(0), m->lost = m->decided = m->undecided = 0;
#if LANES == 1
    if (m->collocation != NULL) return mb_step_collocation(m, n0, n1, h);
    if (plan->activations > 0) mb_inputs(plan, m->input, m->control, m->act, m->t, h);
#endif
    if (!mb_follow(m, n0, n1, h)) return 1;
    if (!(m->rattle ? mb_solve_rattle : mb_solve)(m, n0, n1, h, s, convergence)) return 1;
    if (!m->rattle) mb_arrive(m, n1, h);
#if LANES == 1
    if (m->contacts != NULL && mb_contacts_arrive(m, n0, n1, h)) return 1;
#endif
    mb_coordinates(plan, n1, n0->q, plan->driven, plan->coordinates);
    mb_work(m, n0, n1, h);
    m->extrapolated = s->known;
    m->velocity_jump = plan->closes ? mb_velocity_jump(m, s, n0, h) : splat(0);
    m->abrupt = plan->closes ? mb_abruptness(m, s, n0, n1, h) : splat(0);
    mb_remember(m, s);
    for (int l = 0; l < LANES; l++) as_doubles(&s->theta)[l] = convergence[l].theta;
    m->now ^= 1;
    return 0;
}
