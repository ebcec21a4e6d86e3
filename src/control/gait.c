/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions that close, and starts that are free: which displacements are symmetries, which coordinates of the start are
 * free, and its tangents. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "control/optimum.h"
#include "control/problem.h"

static const double SYMMETRIC = 1e-7;    /* difference of displaced motions, relative to what moves */
static const double TANGENT_STEP = 1e-3; /* of the differences that give tangents, in scales */
static const double INDEPENDENT = 1e-6;  /* length that is left of a tangent without the others, in scales */
static const int TRIAL_STEPS = 3;        /* in which motions are compared */

/* ---- symmetries ---- */

/* One step of the motion in node `which` of the trial. */
static lg_status gait_advance(lg_optimum *o, int which, double t)
{
    lg_iterate *x = &o->trial;
    double *g = x->g + which * o->element, *p = x->p + which * o->n;
    lg_status st = lg_integrator_place(o->it, o->time / o->steps, t, g, p, x->u);
    if (st == LG_OK) st = lg_integrator_step(o->it);
    if (st != LG_OK) return st;
    memcpy(g, lg_integrator_configuration(o->it), sz(o->element) * sizeof *g);
    memcpy(p, lg_integrator_carried(o->it), sz(o->n) * sizeof *p);
    return LG_OK;
}

/* The largest difference relative to the largest of `moved`; 0 where nothing moves. */
static double gait_relative(const double *difference, const double *moved, int n)
{
    const double most = lg_norm_max(moved, n);
    return most > 0 ? lg_norm_max(difference, n) / most : 0;
}

/* Two motions from rest near the start, with controls of this size: one starts at g, the other at D g and `later`.
 * *off = how far the second one is from the displaced first one, relative to what they moved. */
static lg_status gait_compare(lg_optimum *o, const double *D, double later, double size, double *off)
{
    const int n = o->n, e = o->element;
    const double h = o->time / o->steps;
    lg_rng rng = {1};
    lg_iterate *x = &o->trial;
    double *goal = o->goal, *first = o->goal + e;
    for (int i = 0; i < n; i++) o->displaced[i] = size * lg_rng_normal(&rng);
    lg_status st = lg_optimum_displace(o, first, o->start_g, o->displaced);
    memcpy(x->g, first, sz(e) * sizeof *first), memset(x->p, 0, 2 * sz(n) * sizeof *x->p);
    if (st == LG_OK) st = o->G->compose(o->G, x->g + e, D, x->g, o->scratch);
    for (int k = 0; st == LG_OK && k < TRIAL_STEPS; k++) {
        for (int j = 0; j < o->controls; j++)
            x->u[j] = lg_problem_inside(size * lg_rng_normal(&rng), o->low[j], o->high[j]);
        st = gait_advance(o, 0, k * h);
        if (st == LG_OK) st = gait_advance(o, 1, k * h + later);
    }
    if (st == LG_OK) st = lg_optimum_difference(o, o->column, first, x->g);
    if (st == LG_OK) st = o->G->compose(o->G, goal, D, x->g, o->scratch);
    if (st == LG_OK) st = lg_optimum_difference(o, o->displaced, goal, x->g + e);
    if (st != LG_OK) return st;
    *off = gait_relative(o->displaced, o->column, n);
    for (int i = 0; i < n; i++) o->displaced[i] = x->p[n + i] - x->p[i];
    *off = lg_larger(*off, gait_relative(o->displaced, x->p, n));
    return LG_OK;
}

/* *commutes = 1 if steps commute with g -> D g and t -> t + later. Sizes fall until steps can be made. */
static lg_status gait_commutes(lg_optimum *o, const double *D, double later, int *commutes, lg_error *e)
{
    lg_status st = LG_OK;
    for (double size = 0.3; size > 1e-4; size *= 0.1) {
        double off;
        st = gait_compare(o, D, later, size, &off);
        *commutes = st == LG_OK && off <= SYMMETRIC;
        if (st == LG_OK) return LG_OK;
    }
    return lg_fail(e, st, "lg_optimum: no step can be made near the start and the displaced start: %.240s",
                   lg_integrator_message(o->it));
}

/* Is the system invariant under displacements of the start in this direction of its axes? */
static lg_status gait_invariant(lg_optimum *o, int direction, int *invariant, lg_error *e)
{
    double *D = o->goal + 2 * o->element, *back = o->goal + 3 * o->element;
    memset(o->displaced, 0, sz(o->n) * sizeof *o->displaced), o->displaced[direction] = 0.3;
    lg_status st = lg_optimum_displace(o, D, o->start_g, o->displaced);
    if (st == LG_OK) st = o->G->inverse(o->G, back, o->start_g, o->scratch);
    if (st == LG_OK) st = o->G->compose(o->G, D, D, back, o->scratch);
    if (st != LG_OK) return lg_fail(e, st, "lg_optimum: the start cannot be displaced in direction %d", direction + 1);
    return gait_commutes(o, D, 0, invariant, e);
}

lg_status lg_gait_check(lg_optimum *o, const double *D, lg_error *e)
{
    const int timed = o->it->S.callbacks.time_dependent;
    double *own = o->goal + 2 * o->element;
    int commutes;
    memcpy(own, D, sz(o->element) * sizeof *own);
    if (o->G->project && o->G->project(o->G, own, D, o->scratch) != LG_OK) memcpy(own, D, sz(o->element) * sizeof *own);
    const lg_status st = gait_commutes(o, own, timed ? o->time : 0, &commutes, e);
    if (st != LG_OK || commutes) return st;
    return lg_fail(e, LG_ERROR_ARGUMENT,
                   "lg_optimum: target_g, the displacement of a motion that closes, is no symmetry of the system%s: "
                   "motions from a start and from the displaced start differ; displace poses and angles that nothing "
                   "depends on, and let shapes close",
                   timed ? " in this time" : "");
}

/* ---- what is free ---- */

lg_status lg_gait_begin(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    const int n = o->n;
    int phase = o->it->S.callbacks.time_dependent; /* 1: the phase is known */
    lg_status st = LG_OK;
    for (int i = 0; p->start_free && i < 2 * n; i++) o->free[i] = p->start_free[i] != 0;
    if (!o->closes) return LG_OK;
    if ((st = lg_gait_check(o, o->target_g, e)) != LG_OK) return st;
    for (int i = 0; i < n; i++) {
        int invariant;
        if ((st = gait_invariant(o, i, &invariant, e)) != LG_OK) return st;
        if (p->target_rows && !p->target_rows[i] && !invariant)
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "lg_optimum_create: end condition %d must hold: the motion closes, and the system is not "
                           "invariant under displacements in this direction",
                           i + 1);
        if (o->free[i] && invariant && !p->running_cost && !p->end_cost)
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "lg_optimum_create: start_free %d must be 0: the system is invariant under displacements "
                           "in this direction, so nothing determines it",
                           i + 1);
        if (p->start_free || invariant) continue;
        o->free[i] = phase, phase = 1;
    }
    for (int i = 0; !p->start_free && i < n; i++) o->free[n + i] = 1;
    return LG_OK;
}

lg_status lg_gait_open(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    const int n = o->n;
    o->closes = p->closes != 0;
    if (p->closes != 0 && p->closes != 1)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: closes is %d; expected 0 or 1", p->closes);
    for (int i = 0; p->start_free && i < 2 * n; i++) o->frees += p->start_free[i] != 0;
    if (!o->closes) return LG_OK;
    if (!p->start_free) o->frees = 2 * n;
    if (p->target_p)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_optimum_create: a motion that closes ends with the momentum of its start; set target_p to "
                       "NULL");
    for (int i = n; p->target_rows && i < 2 * n; i++)
        if (!p->target_rows[i])
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "lg_optimum_create: end condition %d must hold: all momenta of a motion that closes do",
                           i + 1);
    return LG_OK;
}

lg_status lg_gait_pin(lg_optimum *o)
{
    const int n = o->n;
    lg_iterate *x = &o->now;
    if (!o->frees) {
        memcpy(x->g, o->start_g, sz(o->element) * sizeof *x->g), memcpy(x->p, o->start_p, sz(n) * sizeof *x->p);
        return LG_OK;
    }
    lg_status st = lg_optimum_difference(o, o->displaced, o->start_g, x->g);
    for (int i = 0; i < n; i++) {
        if (!o->free[i]) o->displaced[i] = 0;
        if (!o->free[n + i]) x->p[i] = o->start_p[i];
    }
    if (st == LG_OK) st = lg_optimum_displace(o, x->g, o->start_g, o->displaced);
    if (st == LG_OK) return LG_OK;
    return lg_fail(&o->error, st, "lg_optimum_guess: the first configuration is too far from the start");
}

lg_status lg_gait_goal(lg_optimum *o, const lg_iterate *x)
{
    if (o->closes) return o->G->compose(o->G, o->goal, o->target_g, x->g, o->scratch);
    memcpy(o->goal, o->target_g, sz(o->element) * sizeof *o->goal);
    return LG_OK;
}

/* ---- tangents ---- */

/* What the start moves by along free coordinate i, in scales: on constraints its momentum follows. */
static lg_status gait_tangent(lg_optimum *o, int i, double *column)
{
    static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
    const int n = o->n;
    const lg_iterate *x = &o->now;
    memset(column, 0, 2 * sz(n) * sizeof *column), column[i] = 1;
    if (!o->constrained) return LG_OK;
    memset(column + n, 0, sz(n) * sizeof *column);
    for (int s = 0; s < 4; s++) {
        memset(o->displaced, 0, sz(n) * sizeof *o->displaced), memcpy(o->move_p, x->p, sz(n) * sizeof *x->p);
        *(i < n ? o->displaced + i : o->move_p + i - n) += at[s] * TANGENT_STEP * o->scale[i];
        lg_status st = lg_optimum_displace(o, o->move_g, x->g, o->displaced);
        if (st == LG_OK) st = lg_integrator_place(o->it, x->h, 0, o->move_g, o->move_p, x->u);
        if (st != LG_OK) return lg_fail(&o->error, st, "node 0 displaced: %s", lg_integrator_message(o->it));
        for (int j = 0; j < n; j++)
            column[n + j] += weight[s] / TANGENT_STEP * lg_integrator_carried(o->it)[j] / o->scale[n + j];
    }
    return LG_OK;
}

int lg_gait_orthonormalise(double *rows, int *order, int count, int n, double least)
{
    for (int r = 0; r < count; r++) order[r] = r;
    for (int r = 0; r < count; r++) {
        int longest = r;
        for (int s = r + 1; s < count; s++)
            if (lg_dot(rows + s * n, rows + s * n, n) > lg_dot(rows + longest * n, rows + longest * n, n)) longest = s;
        double *row = rows + r * n, *other = rows + longest * n;
        const double length = sqrt(lg_dot(other, other, n));
        const int moved = order[r];
        if (length < least) return r;
        order[r] = order[longest], order[longest] = moved;
        for (int j = 0; j < n; j++) {
            const double entry = other[j] / length;
            other[j] = row[j], row[j] = entry;
        }
        for (int s = r + 1; s < count; s++) {
            const double along = lg_dot(rows + s * n, row, n);
            for (int j = 0; j < n; j++) rows[s * n + j] -= along * row[j];
        }
    }
    return count;
}

lg_status lg_gait_tangents(lg_optimum *o)
{
    const int n2 = 2 * o->n;
    double *rows = o->J;
    int count = 0;
    for (int i = 0; i < n2; i++) {
        if (!o->free[i]) continue;
        const lg_status st = gait_tangent(o, i, rows + count * n2);
        if (st != LG_OK) return st;
        count++;
    }
    const int rank = lg_gait_orthonormalise(rows, o->order, count, n2, INDEPENDENT);
    o->model.size.frees = rank;
    for (int r = 0; r < n2; r++)
        for (int j = 0; j < rank; j++) o->model.E[r * rank + j] = o->scale[r] * rows[j * n2 + r];
    return LG_OK;
}

lg_status lg_gait_rows(lg_optimum *o)
{
    const int n = o->n, z = lg_optimum_z(o);
    double *rows = o->J, *column = o->column;
    for (int i = 0; i < n; i++) {
        const lg_status st = gait_tangent(o, n + i, column);
        if (st != LG_OK) return st;
        for (int j = 0; j < n; j++) rows[j * n + i] = column[n + j];
    }
    const int rank = lg_gait_orthonormalise(rows, o->order, n, n, INDEPENDENT);
    memset(o->implied, 0, sz(o->ends) * sizeof *o->implied);
    for (int r = rank; r < n; r++)
        for (int i = 0; i < o->ends; i++) o->implied[i] |= o->row[i] == n + o->order[r];
    for (int i = 0; i < o->ends; i++) {
        if (!o->implied[i]) continue;
        memset(o->model.C + i * z, 0, sz(z) * sizeof *o->model.C);
        memset(o->model.C0 + i * 2 * n, 0, 2 * sz(n) * sizeof *o->model.C0);
        o->model.e[i] = 0;
    }
    return LG_OK;
}
