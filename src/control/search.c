/* SPDX-License-Identifier: BSD-3-Clause */
/* The length of a correction: limits are not crossed, and a filter accepts a point that costs less or lacks less than
 * the points before (A. Waechter, L. T. Biegler, Math. Program. 106, 2006). */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "control/optimum.h"

static const double MARGIN = 1e-5;    /* of the violation, that a point must gain in one of the two numbers */
static const double DESCENT = 1e-4;   /* of the slope, that a cost must fall where conditions hold */
static const double SHORTEST = 1e-8;  /* correction that is tried */
static const double SAFEGUARD = 1e10; /* bounds z gap/mu on both sides */

/* ---- limits ---- */

/* The largest share of a step `by` that leaves (1 - near) of `gap`; sign 1: a lower limit. */
static double limit_share(double length, double gap, double by, double sign, double near)
{
    return -sign * by * length > near * gap ? near * gap / (-sign * by) : length;
}

static double search_near(const lg_optimum *o)
{
    return lg_larger(0.995, 1 - o->mu / (o->size > 0 ? o->size : 1));
}

static double search_longest(const lg_optimum *o)
{
    const int c = o->controls;
    const double near = search_near(o);
    double length = 1;
    for (int i = 0; o->limited && i < o->steps * c; i++) {
        const double u = o->now.u[i], by = o->model.stages[i / c].u[i % c];
        length = limit_share(length, u - o->low[i % c], by, 1, near);
        length = limit_share(length, o->high[i % c] - u, by, -1, near);
    }
    for (int i = 0; i < (o->steps + 1) * o->path.count; i++)
        length = limit_share(length, o->now.slack[i], o->path.by[i], 1, near);
    for (int i = 0; i < o->unknowns; i++) {
        const double value = o->now.parameter[i], by = lg_free_change(o, i);
        length = limit_share(length, value - o->parameter_low[i], by, 1, near);
        length = limit_share(length, o->parameter_high[i] - value, by, -1, near);
    }
    if (!o->timed) return length;
    length = limit_share(length, o->now.h - o->h_low, lg_optimum_time_change(o), 1, near);
    return limit_share(length, o->h_high - o->now.h, lg_optimum_time_change(o), -1, near);
}

/* Newton's correction of the multiplier z of a limit. */
static double limit_change(const lg_optimum *o, double gap, double z, double by, double sign)
{
    return isfinite(gap) ? o->mu / gap - z - sign * z * by / gap : 0;
}

typedef double limit_visit(lg_optimum *o, double *z, double gap, double by, double sign, double length);

/* The share of the full correction that keeps z positive. */
static double limit_visit_share(lg_optimum *o, double *z, double gap, double by, double sign, double length)
{
    const double change = limit_change(o, gap, *z, by, sign);
    return limit_share(length, *z, change, 1, search_near(o));
}

static double limit_visit_move(lg_optimum *o, double *z, double gap, double by, double sign, double length)
{
    *z += length * limit_change(o, gap, *z, by, sign);
    return length;
}

/* Visits every limit at the present point, with the full correction of its variable. */
static double search_visit(lg_optimum *o, limit_visit *visit, double length)
{
    const int c = o->controls;
    for (int i = 0; o->limited && i < o->steps * c; i++) {
        const double u = o->now.u[i], by = o->model.stages[i / c].u[i % c];
        length = visit(o, &o->z_low[i], u - o->low[i % c], by, 1, length);
        length = visit(o, &o->z_high[i], o->high[i % c] - u, by, -1, length);
    }
    for (int i = 0; i < o->unknowns; i++) {
        const double value = o->now.parameter[i], by = lg_free_change(o, i);
        length = visit(o, &o->z_parameter[2 * i], value - o->parameter_low[i], by, 1, length);
        length = visit(o, &o->z_parameter[2 * i + 1], o->parameter_high[i] - value, by, -1, length);
    }
    if (!o->timed) return length;
    length = visit(o, &o->z_time[0], o->now.h - o->h_low, lg_optimum_time_change(o), 1, length);
    return visit(o, &o->z_time[1], o->h_high - o->now.h, lg_optimum_time_change(o), -1, length);
}

static void limit_guard(const lg_optimum *o, double *z, double gap)
{
    if (!isfinite(gap)) return;
    *z = fmin(fmax(*z, o->mu / (SAFEGUARD * gap)), SAFEGUARD * o->mu / gap);
}

/* ---- filter ---- */

void lg_filter_begin(lg_optimum *o)
{
    o->filter.count = 0;
    o->filter.most = 1e4 * lg_larger(1, o->now.violation);
}

static int filter_accepts(const lg_filter *f, double violation, double cost)
{
    if (!(violation <= f->most)) return 0;
    for (int i = 0; i < f->count; i++)
        if (violation > (1 - MARGIN) * f->violation[i] && cost > f->cost[i] - MARGIN * f->violation[i]) return 0;
    return 1;
}

/* Adds a pair; those that it dominates, or the oldest one, make room. */
static void filter_add(lg_filter *f, double violation, double cost)
{
    int kept = 0;
    for (int i = 0; i < f->count; i++)
        if (f->violation[i] < violation || f->cost[i] < cost)
            f->violation[kept] = f->violation[i], f->cost[kept++] = f->cost[i];
    if (kept == LG_FILTER_SIZE) {
        kept--;
        memmove(f->violation, f->violation + 1, sz(kept) * sizeof *f->violation);
        memmove(f->cost, f->cost + 1, sz(kept) * sizeof *f->cost);
    }
    f->violation[kept] = violation, f->cost[kept] = cost;
    f->count = kept + 1;
}

/* ---- search ---- */

/* The derivative of cost and barrier along the correction. */
static double search_slope(const lg_optimum *o)
{
    const int c = o->controls, n2 = o->k;
    double slope = 0;
    for (int k = 0; k <= o->steps; k++) {
        const lg_riccati_stage *t = &o->model.stages[k];
        slope += lg_dot(t->q, t->x, n2);
        if (o->timed) slope += t->q[n2] * lg_optimum_time_change(o);
        for (int i = 0; i < o->unknowns; i++) slope += t->q[n2 + o->timed + i] * lg_free_change(o, i);
        if (k < o->steps) slope += lg_dot(t->r, t->u, c);
    }
    return slope + lg_path_slope(o);
}

/* Is the trial, of this length, good enough? *add = 1: the present point must be kept in the filter. */
static int search_judge(const lg_optimum *o, double length, double slope, int *add)
{
    const double violation = o->now.violation, before = o->now.cost + lg_point_barrier(o, &o->now);
    const double after = o->trial.cost + lg_point_barrier(o, &o->trial), rounding = 1e-13 * (fabs(before) + o->size);
    *add = 1;
    if (!isfinite(after) || !filter_accepts(&o->filter, o->trial.violation, after - rounding)) return 0;
    const double reduced = -length * slope;
    if (reduced > 0 && reduced > violation * o->size && o->trial.violation <= lg_larger(1e-4, violation)) {
        *add = 0;
        return after <= before - DESCENT * reduced + rounding;
    }
    return o->trial.violation <= (1 - MARGIN) * violation + 1e-13 || after <= before - MARGIN * violation + rounding;
}

/* Trials of one search that fail because of their steps. */
enum { MOST_UNSOLVED = 12 };

/* Remembers why a trial has no value or no model. */
static void search_note(lg_optimum *o, lg_status st)
{
    o->obstacle = o->error, o->obstacle.status = st;
}

/* Linearises at the trial, which `now` does not become yet. 0; or 1: its steps have no derivatives, and the model holds
 * no more than its solution. */
static int search_linearise(lg_optimum *o)
{
    lg_optimum_exchange(o);
    const lg_status st = lg_optimum_linearise(o);
    lg_optimum_exchange(o);
    if (st != LG_OK) search_note(o, st);
    return st != LG_OK;
}

/* Moves to the trial, and multipliers by `length` of their correction. */
static void search_accept(lg_optimum *o, double length)
{
    const int n2 = o->k;
    const int paths = (o->steps + 1) * o->path.count;
    double share = search_visit(o, limit_visit_share, 1);
    for (int i = 0; i < paths; i++) share = limit_share(share, o->path.z[i], o->path.change[i], 1, search_near(o));
    for (int i = 0; i < paths; i++) o->path.z[i] += share * o->path.change[i];
    search_visit(o, limit_visit_move, share);
    for (int k = 0; k <= o->steps; k++)
        for (int i = 0; i < n2; i++) {
            double *y = &o->costate[k * n2 + i];
            *y += length * (o->model.stages[k].costate[i] - *y);
        }
    for (int i = 0; i < o->ends; i++) o->nu[i] += length * (o->model.nu[i] - o->nu[i]);
    lg_optimum_exchange(o);
    o->moves->carry(o, &o->trial);
    for (int i = 0; o->limited && i < o->steps * o->controls; i++) {
        limit_guard(o, &o->z_low[i], o->now.u[i] - o->low[i % o->controls]);
        limit_guard(o, &o->z_high[i], o->high[i % o->controls] - o->now.u[i]);
    }
    for (int i = 0; i < paths; i++) limit_guard(o, &o->path.z[i], o->now.slack[i]);
    for (int i = 0; i < o->unknowns; i++) {
        limit_guard(o, &o->z_parameter[2 * i], o->now.parameter[i] - o->parameter_low[i]);
        limit_guard(o, &o->z_parameter[2 * i + 1], o->parameter_high[i] - o->now.parameter[i]);
    }
    if (!o->timed) return;
    limit_guard(o, &o->z_time[0], o->now.h - o->h_low);
    limit_guard(o, &o->z_time[1], o->h_high - o->now.h);
}

/* Solves the model again with what the trial of this length lacks, and tries that. */
static int search_correct(lg_optimum *o, double length, double slope, int *add)
{
    const int n2 = o->k;
    for (int k = 0; k < o->steps; k++)
        for (int i = 0; i < n2; i++) {
            double *d = &o->model.stages[k].d[i];
            o->defect[k * n2 + i] = *d;
            *d = length * *d + o->trial.defect[k * n2 + i];
        }
    for (int i = 0; i < o->ends; i++) {
        o->end[i] = o->model.e[i];
        if (!o->implied[i]) o->model.e[i] = length * o->end[i] + o->trial.end[i] / o->end_scale[i];
    }
    lg_path_correct(o, length);
    int good = !lg_optimum_solve_model(o);
    const double longest = good ? search_longest(o) : 0;
    good = good && lg_point_move(o, longest) == LG_OK && search_judge(o, length, slope, add);
    for (int k = 0; k < o->steps; k++) memcpy(o->model.stages[k].d, o->defect + k * n2, sz(n2) * sizeof *o->defect);
    for (int i = 0; i < o->ends; i++) o->model.e[i] = o->end[i];
    lg_path_restore(o);
    if (good) return 1;
    (void)lg_optimum_solve_model(o); /* the correction that it was */
    return 0;
}

int lg_search(lg_optimum *o)
{
    const double slope = search_slope(o), longest = search_longest(o);
    int unsolved = 0, stale = 0;
    lg_error_clear(&o->obstacle);
    for (double length = longest; length > SHORTEST * longest && unsolved < MOST_UNSOLVED; length *= 0.5) {
        int add = 1;
        const lg_status st = lg_point_move(o, length);
        if (st != LG_OK) search_note(o, st), unsolved++;
        int good = st == LG_OK && search_judge(o, length, slope, &add);
        if (!good && st == LG_OK && length == longest && o->trial.violation >= o->now.violation)
            good = search_correct(o, length, slope, &add);
        if (!good) continue;
        if (search_linearise(o)) {
            stale = 1, unsolved++;
            continue;
        }
        if (add) filter_add(&o->filter, o->now.violation, o->now.cost + lg_point_barrier(o, &o->now));
        search_accept(o, length);
        if (lg_optimum_strides(o) && length < 0.2 * longest) lg_optimum_brake(o, 10);
        if (lg_optimum_strides(o) && length > 0.6 * longest) lg_optimum_brake(o, 0.1);
        return 0;
    }
    if (stale) lg_status_ignore(lg_optimum_linearise(o));
    return 1;
}

int lg_search_restore(lg_optimum *o)
{
    lg_optimum_assemble_shortest(o);
    lg_error_clear(&o->obstacle);
    if (lg_optimum_solve_model(o)) return 1;
    const double longest = search_longest(o);
    int unsolved = 0, stale = 0;
    for (double length = longest; length > SHORTEST && unsolved < MOST_UNSOLVED; length *= 0.5) {
        const lg_status st = lg_point_move(o, length);
        lg_error_clear(&o->obstacle);
        if (st != LG_OK) search_note(o, st), unsolved++;
        if (st != LG_OK || !(o->trial.violation <= (1 - 1e-3 * length) * o->now.violation)) continue;
        if (search_linearise(o)) {
            stale = 1, unsolved++;
            continue;
        }
        lg_optimum_exchange(o);
        memset(o->costate, 0, sz((o->steps + 1) * o->k) * sizeof *o->costate);
        memset(o->nu, 0, sz(o->ends) * sizeof *o->nu);
        lg_path_center(o);
        return 0;
    }
    if (stale) lg_status_ignore(lg_optimum_linearise(o));
    return 1;
}
