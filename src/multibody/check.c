/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a step is one. Sweeps that converge solve the equations of the step, but these have solutions that are no
 * motion where the rows lose rank: beyond a singular configuration, on another branch. Each step checks its balance of
 * energy, the rows that were left out, and that velocities do not jump. */
#include <math.h>
#include <string.h>

#include "multibody/contact/landing.h"
#include "multibody/excess.h"
#include "multibody/motion.h"
#include "multibody/parts/joint.h"

#define MB_SLENDER 0.3  /* near a singular configuration: a row has less than this of its own */
#define MB_SAME    0.2  /* what velocities of a step and its quarters may differ by, of themselves */
#define MB_LOCKED  0.1  /* near a singular position of a composed joint */
#define MB_SURE    0.05 /* the same where they jump */
#define MB_LED     0.3  /* a leader's velocity jumps: it changes by that of itself */

/* ---- pivots ---- */

double mb_smallest_pivot(const mb_sparse *mo, const mb_node *n)
{
    const mb_plan *plan = &mo->plan;
    return mb_pivot_of(mb_slender(plan, &plan->node, n->factor, n->rows));
}

/* ---- steps that fail ---- */

/* 1: the averaged pose of the step that was tried says nothing: sweeps ran away, or it turns a body by an angle of more
 * than 1 rad, which makes half the sum of its poses singular by itself: the sum of its squares is 2 + cos(angle). */
static int astray(const mb_motion *n)
{
    for (int b = 0; b < n->plan->bodies; b++)
        if (small_dot(9, n->mean_pose[b].R, n->mean_pose[b].R) < 2.5) return 1;
    return n->lost;
}

/* A step of collocation that would do where one of h does not; 0: none was found. */
static double shorter(mb_sparse *mo, double h)
{
    mb_motion *n = &mo->numbers;
    const int sweeps = (int)n->sweeps;
    double part = 0;
    for (int k = 1; k <= 12 && part == 0; k++) {
        mb_collocation_forget(n->collocation);
        if (mb_step(n, ldexp(h, -k), 0)) continue;
        n->now ^= 1;
        part = ldexp(h, -k);
    }
    n->sweeps = sweeps;
    return part;
}

/* A row of output that was not reached: it is too far away for its tolerance, or lg_pause stopped the step. */
static lg_status no_row(mb_sparse *mo, double h)
{
    char far[256];
    if (mb_is_stopped(mo))
        return lg_fail(&mo->head.error, LG_ERROR_INTERRUPTED, "lg_motion_step: t = %.10g: stopped on the way", mo->t);
    lg_step_size_print_far(&mo->adaptive->step_size, h, far, sizeof far);
    return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE, "lg_motion_step: t = %.10g: %s", mo->t, far);
}

/* Of collocation. */
static lg_status no_fixed_point(mb_sparse *mo, double h)
{
    const mb_collocation *o = mo->numbers.collocation;
    if (mb_is_adaptive(mo))
        return lg_fail(
            &mo->head.error, LG_ERROR_CONVERGENCE,
            "lg_motion_step: t = %.10g: no step is short enough for a tolerance of %g: the stages still move "
            "by %.2g; take steps of a given length, without a tolerance",
            mo->t, mo->adaptive->step_size.tolerance, o->defect);
    if (o->events != NULL)
        return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                       "lg_motion_step: t = %.10g: the stages of a part of h = %g with contacts do not converge (they "
                       "still change by %.2g after %d sweeps), or miss the balance of energy by %.2g of itself; take a "
                       "smaller step, or sem",
                       mo->t, h, o->defect, (int)mo->numbers.sweeps, o->miss);
    const double defect = o->defect, miss = o->miss, part = shorter(mo, h);
    if (part != 0 && miss > MB_RESOLVED)
        return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                       "lg_motion_step: t = %.10g: a step of h = %g does not resolve the motion: energy misses its "
                       "balance by %.2g of itself; h = %g would do here, or allow halvings of a step",
                       mo->t, h, miss, part);
    if (part == 0)
        return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                       "lg_motion_step: t = %.10g: the stages of a step of h = %g do not converge (they still change "
                       "by %.2g after %d sweeps), nor do those of much shorter steps",
                       mo->t, h, defect, (int)mo->numbers.sweeps);
    return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                   "lg_motion_step: t = %.10g: the stages of a step of h = %g do not converge (they still change by "
                   "%.2g after %d sweeps), or it does not resolve the motion; h = %g would do here, or "
                   "allow halvings of a step",
                   mo->t, h, defect, (int)mo->numbers.sweeps, part);
}

/* A composed joint whose motions come to depend on each other; -1: there is none. */
static int is_locked(const mb_sparse *mo, double *pivot)
{
    const mb_motion *n = &mo->numbers;
    double own[2] = {1, 1};
    int joint[2] = {-1, -1};
    for (int i = 0; i < (astray(n) ? 1 : 2); i++)
        joint[i] = mb_locked_joint(&own[i], mo->mechanism, n->node[n->now ^ i].q);
    const int nearer = own[1] < own[0];
    *pivot = own[nearer];
    return *pivot < MB_LOCKED ? joint[nearer] : -1;
}

lg_status mb_explain_stray(mb_sparse *mo, const mb_stray *why, const char *who)
{
    const lg_drive *d = MB_DRIVE_OF(mo->mechanism, why->drive);
    lg_error *e = &mo->head.error;
    if (why->kind == MB_STRAY_CODE)
        return lg_fail(e, LG_ERROR_CALLBACK, "%s: t = %.10g: the function of drive '%.60s' returned %d", who, why->t,
                       d->name, why->code);
    if (why->kind == MB_STRAY_FINITE)
        return lg_fail(e, LG_ERROR_NOT_FINITE,
                       "%s: t = %.10g: the function of drive '%.60s' gives %s; all of them must be finite%s", who,
                       why->t, d->name, d->joint != NULL ? "q, q' and q\"" : "a pose, a twist and its derivative",
                       d->joint != NULL ? "" : ", and the quaternion of length 1");
    return lg_fail(e, LG_ERROR_DOMAIN,
                   "%s: t = %.10g: the table of drive '%.60s', which moves '%.60s', is from t = %.10g to %.10g; give "
                   "it rows for the whole run",
                   who, why->t, d->name, d->joint != NULL ? d->joint : d->body, d->times[0], d->times[d->count - 1]);
}

lg_status mb_explain(mb_sparse *mo, double h)
{
    mb_motion *n = &mo->numbers;
    const mb_plan *plan = n->plan;
    const double t = mo->t;
    if (mo->unfit > 0)
        return lg_fail(&mo->head.error, LG_ERROR_NOT_FINITE,
                       "lg_motion_step: t = %.10g: your wrench function gives body '%.60s' a number that is not finite",
                       t, MB_BODY(mo->mechanism, mo->unfit - 1)->name);
    if (n->callback != 0)
        return lg_fail(&mo->head.error, LG_ERROR_CALLBACK,
                       "lg_motion_step: t = %.10g: your wrench function returned %d", t, n->callback);
    if (n->stray.kind != MB_STRAY_NONE) return mb_explain_stray(mo, &n->stray, "lg_motion_step");
    if (mb_is_far(mo) || mb_is_stopped(mo)) return no_row(mo, h);
    double locked;
    const int joint = is_locked(mo, &locked);
    if (joint >= 0)
        return lg_fail(&mo->head.error, LG_ERROR_SINGULAR,
                       "lg_motion_step: t = %.10g: joint '%.60s' comes to a singular position, in which its motions "
                       "depend on each other, such as gimbals in line: one of them is independent by %.2g; take a "
                       "smaller step, or allow halvings of a step",
                       t, MB_JOINT_OF(mo->mechanism, joint)->name, locked);
    const double mean = astray(n) ? 0 : mb_slender(plan, &plan->mean, n->mean_factor, n->mean);
    double pivot = mb_smallest_pivot(mo, &n->node[n->now]);
    if (mean > 0) pivot = fmin(pivot, 1 / sqrt(mean));
    if (plan->closes && (pivot < 1e-6 || pivot < 0.3 * mo->pivot))
        return lg_fail(&mo->head.error, LG_ERROR_SINGULAR,
                       "lg_motion_step: t = %.10g: the mechanism comes to a singular configuration, such as flat or "
                       "stretched: a row is independent of the others by %.2g of its length, at the start by %.2g; no "
                       "step leads on from it",
                       t, pivot, mo->pivot);
    if (n->collocation != NULL) return no_fixed_point(mo, h);
    if (n->contacts != NULL && n->contacts->refused) return mb_contacts_explain(mo, h);
    if (n->undecided > 0)
        return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                       "lg_motion_step: t = %.10g: no solution with h = %g: motor '%.60s' comes to a limit and off it "
                       "again; take a smaller step, or allow halvings of a step",
                       t, h, MB_MOTOR_OF(mo->mechanism, n->undecided - 1)->name);
    return lg_fail(&mo->head.error, LG_ERROR_CONVERGENCE,
                   "lg_motion_step: t = %.10g: no solution with h = %g after %d sweeps; take a smaller step, or "
                   "allow halvings of a step",
                   t, h, (int)n->sweeps);
}

/* ---- steps that succeed ---- */

/* Of steps with contacts, whose sweeps may stand still before they have converged. */
#define MB_SHARPER 2e-3

static lg_status check_balance(mb_sparse *mo)
{
    double most;
    const double off = mb_imbalance(&mo->numbers, &mo->scale, &most);
    const mb_contacts *c = mo->numbers.contacts;
    if (c != NULL && c->effort == MB_NCP_QUICK) most *= MB_SHARPER; /* a part that misses it is halved */
    if (off <= most) return LG_OK;
    return lg_fail(
        &mo->head.error, LG_ERROR_SINGULAR,
        "lg_motion_step: t = %.10g: the step misses its balance of energy by %.3g J of %.3g; the mechanism has "
        "passed a singular configuration, or the step is too large",
        mo->t, off, mo->scale);
}

/* Rows that are left out because they depended on others must hold still. */
static lg_status check_excess(mb_sparse *mo)
{
    const lg_mechanism *m = mo->mechanism;
    const mb_node *n1 = mb_now(mo);
    const mb_block *where = mo->plan.excess;
    if (mo->plan.excess_count == 0) return LG_OK;
    double off = mb_excess_open(&mo->plan, n1, &where);
    const int opens = !(off <= MB_EXCESS_OPEN);
    if (!opens) off = mb_excess_slip(&mo->plan, n1, mb_excess_least(mo->h), &where);
    if (!opens && off <= MB_EXCESS_SLIP) return LG_OK;
    const char *name, *noun = mb_block_noun(m, where, &name);
    return lg_fail(&mo->head.error, LG_ERROR_SINGULAR,
                   "lg_motion_step: t = %.10g: %s '%.60s' was redundant and is not any more: it %s by %.2g; "
                   "the mechanism has passed a singular configuration",
                   mo->t, noun, name, opens ? "opens" : "slips", off);
}

static int is_slender(const mb_sparse *mo)
{
    const mb_node *n = mo->numbers.node;
    return mb_smallest_pivot(mo, &n[0]) < MB_SLENDER || mb_smallest_pivot(mo, &n[1]) < MB_SLENDER;
}

/* How far quarters of the step of h that was made end from it; infinite if there is no such step. */
static double apart_from_quarters(mb_sparse *mo, double h)
{
    const mb_motion *n = &mo->numbers;
    mb_motion *f = &mo->finer;
    const mb_plan *plan = n->plan;
    const mb_node *n0 = &n->node[n->now ^ 1];
    const size_t bodies = sz(plan->bodies), frames = sz(mb_frames(plan));
    for (int i = 0; i < 2; i++) memcpy(f->node[i].pose, n0->pose, frames * sizeof *n0->pose);
    memcpy(&f->mean_pose[bodies], &n->mean_pose[bodies], sizeof *f->mean_pose);
    memcpy(f->node[0].given, n0->given, 2 * sz(plan->grounds) * sizeof *n0->given);
    mb_node *from = &f->node[f->now = 0];
    memcpy(from->p, n0->p, bodies * sizeof *n0->p);
    memcpy(f->force, n->force, bodies * sizeof *n->force);
    memcpy(f->control, n->control, (size_t)plan->controls * sizeof *n->control);
    memcpy(f->act, n->act, sz(mb_activation_numbers(plan)) * sizeof *n->act);
    f->rattle = n->rattle, f->span = 0, f->history[0].known = 0;
    memcpy(from->q, n0->q, sz(plan->coordinates) * sizeof *from->q);
    mb_turn_bodies(plan, from);
    mb_node_rows(plan, from, 0);
    for (int i = 0; i < 4; i++) {
        f->t = mo->t + 0.25 * i * h;
        if (mb_step(f, 0.25 * h, 0)) return INFINITY;
    }
    return mb_velocities_apart(plan, &f->node[f->now], &n->node[n->now]);
}

/* Does a leader's velocity jump in the step? */
static int leader_jumps(const mb_motion *n)
{
    const mb_plan *plan = n->plan;
    for (int i = 0; i < plan->drives; i++) {
        const real *before = n->node[n->now ^ 1].given[1 + i].v, *after = n->node[n->now].given[1 + i].v;
        double jump[2] = {0}, fastest[2] = {0};
        for (int k = 0; k < 6; k++) {
            jump[k / 3] = fmax(jump[k / 3], fabs(after[k] - before[k]));
            fastest[k / 3] = fmax(fastest[k / 3], fmax(fabs(before[k]), fabs(after[k])));
        }
        if (jump[0] > MB_LED * fastest[0] || jump[1] > MB_LED * fastest[1]) return 1;
    }
    return 0;
}

/* Where branches of the configurations cross, the equations of a step from one have solutions on another. These show by
 * velocities that jump: motions that are resolved do not surprise the extrapolation. Those of light bodies hardly count
 * there; steps in which they change much near a singular configuration have to end where shorter ones do. Where a
 * leader's velocity jumps, the others follow, and the steps before say nothing about the next. */
static lg_status check_velocities(mb_sparse *mo, double h)
{
    const mb_motion *n = &mo->numbers;
    if (!n->plan->closes || n->contacts != NULL) return LG_OK; /* contacts make velocities jump */
    if ((!(n->velocity_jump <= mb_jump_most(n, mo->jumped)) || n->abrupt > 1) && leader_jumps(n)) {
        mb_forget(mo);
        return LG_OK;
    }
    if (!(n->velocity_jump <= mb_jump_most(n, mo->jumped))) {
        if (apart_from_quarters(mo, h) <= MB_SURE) return LG_OK;
        mo->jumped = 1;
        return lg_fail(
            &mo->head.error, LG_ERROR_SINGULAR,
            "lg_motion_step: t = %.10g: velocities jump by %.2g of themselves in one step: the mechanism passes a "
            "singular configuration, such as flat or stretched, from which more than one motion continues, or the "
            "step is too large; take a smaller step, or allow halvings of a step",
            mo->t, n->velocity_jump);
    }
    if (n->abrupt <= 1 || !is_slender(mo)) return LG_OK;
    const double off = apart_from_quarters(mo, h);
    if (off <= MB_SAME) return LG_OK;
    return lg_fail(
        &mo->head.error, LG_ERROR_SINGULAR,
        "lg_motion_step: t = %.10g: near a singular configuration, such as flat or stretched, from which "
        "more than one motion continues, velocities at the end of the step and of its quarters differ by %.2g of "
        "themselves; take a smaller step, or allow halvings of a step",
        mo->t, off);
}

lg_status mb_check_step(mb_sparse *mo, double h)
{
    lg_status st = check_balance(mo);
    if (st == LG_OK) st = check_excess(mo);
    return st == LG_OK ? check_velocities(mo, h) : st;
}
