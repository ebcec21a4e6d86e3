/* SPDX-License-Identifier: BSD-3-Clause */
/* The iteration: model, correction, search; when it ends, and what is said then. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "control/optimum.h"
#include "control/problem.h"

static const double NEAR = 1e-2;        /* share of a control's range, from its limit */
static const double IDLE = 1e-3;        /* share of other controls' terms; smaller ones may be rounding */
static const double LEAST_SHAKE = 1e-3; /* size of pseudo-random controls, in scales */
static const double LOOSE = 10;         /* mu falls when the error is below this times mu */

static const double SETTLED = 1e-6; /* violation of a motion that a stride begins with */

enum { MOST_SETTLING = 20 }; /* corrections towards it */
enum { MOST_WITHOUT = 30 };  /* corrections towards a motion without inequalities */

/* What the present point lacks. Relative numbers: conditions to scales, slopes to their terms, mu to the cost. */
typedef struct lg_errors {
    double defect, end, stationarity, complementarity;
    double centre; /* the largest |z gap - mu|, relative to the cost */
    double path;   /* the largest c - s of inequalities at nodes */
    int node, row; /* of the largest defect */
} lg_errors;

/* ---- errors ---- */

static void solve_visit_limit(const lg_optimum *o, double z, double gap, double *sum, double *off)
{
    if (!isfinite(gap)) return;
    *sum += z * gap;
    *off = lg_larger(*off, fabs(z * gap - o->mu));
}

static void solve_limits(const lg_optimum *o, lg_errors *e)
{
    double sum = 0, off = 0;
    for (int i = 0; o->limited && i < o->steps * o->controls; i++) {
        const int j = i % o->controls;
        solve_visit_limit(o, o->z_low[i], o->now.u[i] - o->low[j], &sum, &off);
        solve_visit_limit(o, o->z_high[i], o->high[j] - o->now.u[i], &sum, &off);
    }
    for (int i = 0; i < (o->steps + 1) * o->path.count; i++)
        solve_visit_limit(o, o->path.z[i], o->now.slack[i], &sum, &off);
    for (int i = 0; i < o->unknowns; i++) {
        solve_visit_limit(o, o->z_parameter[2 * i], o->now.parameter[i] - o->parameter_low[i], &sum, &off);
        solve_visit_limit(o, o->z_parameter[2 * i + 1], o->parameter_high[i] - o->now.parameter[i], &sum, &off);
    }
    if (o->timed) {
        solve_visit_limit(o, o->z_time[0], o->now.h - o->h_low, &sum, &off);
        solve_visit_limit(o, o->z_time[1], o->h_high - o->now.h, &sum, &off);
    }
    e->complementarity = sum / o->size, e->centre = off / o->size;
}

/* The gradient of cost and inequalities. */
static const double *solve_gradient(const lg_optimum *o)
{
    return o->path.count ? o->path.slope : o->gradient;
}

/* Slopes with respect to nodes: l' + A'y_{k+1} - y_k, relative to the largest term of all, by scales. */
static double solve_node_slopes(const lg_optimum *o)
{
    const int n2 = o->k, z = lg_optimum_z(o), w = lg_optimum_w(o);
    const double *G = solve_gradient(o);
    double worst = 0;
    for (int i = 0; i < n2; i++) {
        double most = 0, off = 0;
        for (int k = 1; k <= o->steps; k++) {
            const double *y = o->costate + k * n2, *A = o->model.stages[k < o->steps ? k : 0].A;
            double slope = G[k * w + i] - y[i];
            for (int r = 0; k < o->steps && r < n2; r++) slope += A[r * z + i] * y[n2 + r];
            for (int l = 0; k == o->steps && l < o->ends; l++) slope += o->model.C[l * z + i] * o->nu[l];
            off = lg_larger(off, fabs(slope));
            for (int r = 0; r < n2; r++) {
                const double term = lg_larger(fabs(y[r]), fabs(G[k * w + r]));
                most = lg_larger(most, term * o->scale[r] / o->scale[i]);
            }
        }
        if (most > 0) worst = lg_larger(worst, off / most);
    }
    return worst;
}

/* Slopes with respect to what is free of the start, relative to the largest of their terms. */
static double solve_start_slopes(const lg_optimum *o)
{
    const int n2 = o->k, z = lg_optimum_z(o), frees = o->model.size.frees;
    const double *y = o->costate + n2, *A = o->model.stages[0].A, *G = solve_gradient(o);
    double worst = 0, most = 0;
    for (int j = 0; j < frees; j++) {
        double slope = 0;
        for (int r = 0; r < n2; r++) {
            double terms[3] = {G[r], 0, 0};
            for (int i = 0; i < n2; i++) terms[1] += A[i * z + r] * y[i];
            for (int l = 0; o->closes && l < o->ends; l++) terms[2] += o->model.C0[l * n2 + r] * o->nu[l];
            slope += o->model.E[r * frees + j] * (terms[0] + terms[1] + terms[2]);
            most = lg_larger(most, o->scale[r] * lg_norm_max(terms, 3));
        }
        worst = lg_larger(worst, fabs(slope));
    }
    return most > 0 ? worst / most : 0;
}

/* The largest slope with respect to control j, and the largest of its terms, of cost and of what the control moves. */
static double solve_control_slope(const lg_optimum *o, int j, double *most)
{
    const int n2 = o->k, c = o->controls, z = lg_optimum_z(o), w = z + c;
    const double *G = solve_gradient(o);
    double off = 0;
    *most = 0;
    for (int k = 0; k < o->steps; k++) {
        const double *y = o->costate + (k + 1) * n2, cost = G[k * w + z + j];
        double moved = 0;
        for (int r = 0; r < n2; r++) moved += o->model.stages[k].B[r * c + j] * y[r];
        double slope = cost + moved;
        if (o->limited) slope += o->z_high[k * c + j] - o->z_low[k * c + j];
        *most = lg_larger(*most, fabs(cost) + fabs(moved)), off = lg_larger(off, fabs(slope));
    }
    return off;
}

/* Slopes with respect to controls and the step, relative to the largest of their terms; those of a control that does
 * next to nothing relative to a small share of the others'. */
static double solve_control_slopes(const lg_optimum *o)
{
    const int n2 = o->k, z = lg_optimum_z(o), w = lg_optimum_w(o);
    const double *G = solve_gradient(o), *scale = o->scale + n2;
    double worst = 0, all = 0, most, time = G[o->steps * w + n2], terms = fabs(time);
    for (int j = 0; j < o->controls; j++) {
        (void)solve_control_slope(o, j, &most);
        all = lg_larger(all, most * scale[j]);
    }
    for (int j = 0; j < o->controls; j++) {
        const double off = solve_control_slope(o, j, &most), least = IDLE * all / scale[j];
        if (lg_larger(most, least) > 0) worst = lg_larger(worst, off / lg_larger(most, least));
    }
    if (!o->timed) return worst;
    time += o->z_time[1] - o->z_time[0];
    for (int k = 0; k < o->steps; k++) {
        const double *y = o->costate + (k + 1) * n2, cost = G[k * w + n2];
        double moved = 0;
        for (int r = 0; r < n2; r++) moved += o->model.stages[k].A[r * z + n2] * y[r];
        time += cost + moved, terms += fabs(cost) + fabs(moved);
    }
    return terms > 0 ? lg_larger(worst, fabs(time) / terms) : worst;
}

static lg_errors solve_errors(const lg_optimum *o)
{
    const int n2 = o->k;
    lg_errors e = {0};
    if (o->path.count) lg_path_slopes(o);
    e.path = lg_path_error(o);
    for (int i = 0; i < o->steps * n2; i++) {
        const double off = fabs(o->now.defect[i]) / o->scale[i % n2];
        if (off > e.defect) e.defect = off, e.node = i / n2 + 1, e.row = i % n2;
    }
    for (int i = 0; i < o->ends; i++) e.end = lg_larger(e.end, fabs(o->now.end[i]) / o->end_scale[i]);
    e.stationarity = lg_larger(lg_larger(solve_node_slopes(o), solve_start_slopes(o)), solve_control_slopes(o));
    e.stationarity = lg_larger(e.stationarity, lg_free_slopes(o));
    solve_limits(o, &e);
    return e;
}

static double solve_largest(const lg_errors *e)
{
    return lg_larger(lg_larger(lg_larger(e->defect, e->end), e->stationarity), e->path);
}

void lg_optimum_measure(const lg_optimum *o, lg_optimum_figures *f)
{
    const lg_errors e = solve_errors(o);
    *f = (lg_optimum_figures){.cost = o->now.cost, .time = o->now.h * o->steps, .iterations = o->iterations};
    f->defect = lg_norm_max(o->now.defect, o->steps * o->k), f->end = lg_norm_max(o->now.end, o->ends);
    f->stationarity = e.stationarity, f->complementarity = e.complementarity;
    f->end_count = f->end_rank = o->ends;
    for (int i = 0; i < o->ends; i++) f->end_rank -= o->model.dropped[i];
    f->solved = o->solved, f->penalty = o->model.penalty;
    f->path = lg_path_worst(o, &f->path_inequality, &f->path_node);
}

/* ---- the barrier ---- */

static void solve_begin_limit(const lg_optimum *o, double *z, double gap)
{
    *z = isfinite(gap) ? o->mu / gap : 0;
}

/* What the cost is about: of what is there now, or of controls at their limits and scales. */
static double solve_size(const lg_optimum *o)
{
    const int c = o->controls;
    double size = fabs(o->now.cost);
    for (int j = 0; j < c; j++) {
        const double u = o->scale[o->k + j];
        size = lg_larger(size, 0.5 * o->now.h * o->steps * o->effort[j * c + j] * u * u);
    }
    return size;
}

static void solve_begin_barrier(lg_optimum *o)
{
    const int count = o->steps * o->controls, paths = (o->steps + 1) * o->path.count;
    o->mu = 0;
    if (!o->limited && !o->timed && !paths && !o->unknowns) return;
    o->mu = 0.1 * o->size / (o->limited || paths ? (o->limited ? count : 0) + paths : 1);
    lg_path_center(o);
    for (int i = 0; o->limited && i < count; i++) {
        solve_begin_limit(o, &o->z_low[i], o->now.u[i] - o->low[i % o->controls]);
        solve_begin_limit(o, &o->z_high[i], o->high[i % o->controls] - o->now.u[i]);
    }
    for (int i = 0; i < o->unknowns; i++) {
        solve_begin_limit(o, &o->z_parameter[2 * i], o->now.parameter[i] - o->parameter_low[i]);
        solve_begin_limit(o, &o->z_parameter[2 * i + 1], o->parameter_high[i] - o->now.parameter[i]);
    }
    if (!o->timed) return;
    solve_begin_limit(o, &o->z_time[0], o->now.h - o->h_low);
    solve_begin_limit(o, &o->z_time[1], o->h_high - o->now.h);
}

/* Lowers mu as long as the present point solves the problem with this mu well enough. */
static void solve_lower_barrier(lg_optimum *o, double tolerance)
{
    const double paths = (o->steps + 1.0) * o->path.count + 2 * o->unknowns;
    const double count = (o->limited ? 2.0 * o->steps * o->controls + 2 : 2) + paths,
                 least = 0.1 * tolerance * o->size / count;
    for (;;) {
        const lg_errors e = solve_errors(o);
        const double share = o->mu * count / o->size; /* what the barrier may cost */
        if (o->mu <= least || lg_larger(solve_largest(&e), e.centre * count) > LOOSE * share) return;
        o->mu = lg_larger(least, fmin(o->mu / 5, o->size / count * share * sqrt(share)));
        lg_filter_begin(o);
    }
}

/* ---- messages ---- */

/* The first end condition that does not hold, and that nothing moves in the model; -1: none. */
static int solve_blocked(const lg_optimum *o)
{
    for (int i = 0; i < o->ends; i++) {
        double left = o->model.e[i];
        const int z = lg_optimum_z(o);
        left += lg_dot(o->model.C + i * z, o->model.stages[o->steps].x, o->k);
        if (o->closes) left += lg_dot(o->model.C0 + i * o->k, o->model.stages[0].x, o->k);
        if (o->model.dropped[i] && fabs(left) > 1e-6) return i;
    }
    return -1;
}

/* Is a control near its limit? The barrier then keeps it from moving what it could. */
static int solve_is_held(const lg_optimum *o)
{
    for (int i = 0; o->limited && i < o->steps * o->controls; i++) {
        const double low = o->low[i % o->controls], high = o->high[i % o->controls], u = o->now.u[i];
        const double near = NEAR * (isfinite(high - low) ? high - low : lg_larger(1, fabs(u)));
        if (u - low < near || high - u < near) return 1;
    }
    return 0;
}

/* The inequality at a node that is violated most. 1: there is one that matters. */
static int solve_say_path(lg_optimum *o)
{
    char name[160];
    int i, node;
    const double by = lg_path_worst(o, &i, &node);
    if (!(by > 1e-6 * (o->path.count ? o->path.scale[i] : 1))) return 0;
    lg_path_name(o, i, name, sizeof name);
    (void)lg_fail(&o->error, LG_ERROR_CONVERGENCE,
                  "lg_optimum_solve: no motion satisfies all inequalities near here: %s stays violated by %g at node "
                  "%d; allow more time or larger controls, or give another guess",
                  name, by, node);
    return 1;
}

/* Makes a motion that satisfies all but the inequalities at nodes, if there is one near here. */
static void solve_without_paths(lg_optimum *o)
{
    const int count = o->path.count;
    lg_status st = LG_OK;
    o->path.count = 0;
    st = lg_point_evaluate(o, &o->now);
    for (int i = 0; st == LG_OK && i < MOST_WITHOUT && o->now.violation > 1e-9; i++) {
        st = lg_optimum_linearise(o);
        if (st == LG_OK && lg_search_restore(o)) break;
    }
    o->path.count = count;
    lg_status_ignore(lg_point_evaluate(o, &o->now));
}

/* Why trials of the last search have no value or no model, without the function's name. */
static const char *solve_obstacle(const lg_optimum *o)
{
    static const char who[] = "lg_optimum_solve: ";
    const char *text = o->obstacle.message;
    return strncmp(text, who, sizeof who - 1) == 0 ? text + sizeof who - 1 : text;
}

/* The violation cannot be reduced: why? */
static lg_status solve_say_infeasible(lg_optimum *o)
{
    char name[96];
    if (o->obstacle.status != LG_OK)
        return lg_fail(
            &o->error, LG_ERROR_CONVERGENCE,
            "lg_optimum_solve: every correction, however short, leads to steps that cannot be solved: %.330s; "
            "take more steps, or give another guess",
            solve_obstacle(o));
    if (o->path.count) solve_without_paths(o);
    const lg_errors e = solve_errors(o);
    const int i = solve_blocked(o);
    if (solve_say_path(o)) return LG_ERROR_CONVERGENCE;
    if (i >= 0 && !solve_is_held(o) && fabs(o->now.end[i]) > 1e-6 * o->end_scale[i]) {
        o->moves->name(o, o->row[i], 1, name, sizeof name);
        return lg_fail(&o->error, LG_ERROR_CONVERGENCE,
                       "lg_optimum_solve: end condition %s cannot be reached: it is off by %g, and no control moves "
                       "it here; give a guess whose controls do, or leave it free",
                       name, o->now.end[i]);
    }
    o->moves->name(o, e.row, 0, name, sizeof name);
    return lg_fail(&o->error, LG_ERROR_CONVERGENCE,
                   "lg_optimum_solve: no motion satisfies all conditions near here: the largest defect is %g at node "
                   "%d, coordinate %s, and the end is off by %g; allow more time or larger controls, or give another "
                   "guess",
                   e.defect * o->scale[e.row], e.node, name, e.end);
}

static lg_status solve_say_slow(lg_optimum *o, const lg_errors *e, int iterations, double tolerance)
{
    if (e->path > tolerance && solve_say_path(o)) return LG_ERROR_CONVERGENCE;
    if (o->obstacle.status != LG_OK)
        return lg_fail(
            &o->error, LG_ERROR_CONVERGENCE,
            "lg_optimum_solve: no optimum after %d iterations; longer corrections lead to steps that cannot be "
            "solved: %.330s; take more steps, allow more iterations, or give another guess",
            iterations, solve_obstacle(o));
    return lg_fail(
        &o->error, LG_ERROR_CONVERGENCE,
        "lg_optimum_solve: no optimum after %d iterations: errors are %.2g of the steps, %.2g of the end, "
        "%.2g of the slopes and %.2g of the limits, expected below %g; allow more iterations, or give another "
        "guess",
        iterations, e->defect, e->end, e->stationarity, e->complementarity, tolerance);
}

/* ---- the iteration ---- */

static lg_status solve_begin(lg_optimum *o)
{
    o->iterations = 0, o->solved = 0;
    lg_error_clear(&o->error);
    lg_path_forget(o);
    lg_status st = lg_point_evaluate(o, &o->now);
    if (st == LG_OK) st = lg_optimum_linearise(o);
    if (st != LG_OK) return st;
    const int known = o->measured;
    if ((st = lg_optimum_rescale(o)) != LG_OK) return st;
    o->measured = 1;
    if ((st = lg_path_begin(o)) != LG_OK) return st;
    if ((st = lg_point_evaluate(o, &o->now)) != LG_OK) return st; /* with these scales */
    o->size = solve_size(o);
    o->settling = lg_optimum_strides(o) && !known ? MOST_SETTLING + 1 : 0;
    o->brake = o->settling ? 1 : 0;
    if (!known) memset(o->costate, 0, sz((o->steps + 1) * o->k) * sizeof *o->costate);
    if (!known) memset(o->nu, 0, sz(o->ends) * sizeof *o->nu);
    solve_begin_barrier(o);
    lg_filter_begin(o);
    return lg_optimum_linearise(o);
}

/* trial <- the motion from the first node with pseudo-random controls of this size, in scales, about those of now. */
static lg_status solve_shake_by(lg_optimum *o, double size)
{
    const int c = o->controls;
    lg_rng rng = {1};
    const lg_iterate *x = &o->now;
    lg_iterate *to = &o->trial;
    lg_status st = LG_OK;
    memcpy(to->g, x->g, sz(o->element) * sizeof *to->g), memcpy(to->p, x->p, sz(o->n) * sizeof *to->p);
    memcpy(to->parameter, x->parameter, sz(o->unknowns) * sizeof *to->parameter), to->h = x->h;
    for (int i = 0; i < o->steps * c; i++) {
        const int j = i % c;
        const double by = size * o->scale[o->k + j] * lg_rng_normal(&rng),
                     room = fmin(x->u[i] - o->low[j], o->high[j] - x->u[i]);
        to->u[i] = x->u[i] + fmax(-0.5 * room, fmin(by, 0.5 * room));
    }
    for (int k = 0; st == LG_OK && k < o->steps; k++) st = o->moves->follow(o, to, k);
    return st;
}

/* Nodes and controls become a motion with pseudo-random controls, in which they move what they did not at the guess.
 * Smaller controls replace those whose steps cannot be solved. */
static lg_status solve_shake(lg_optimum *o)
{
    lg_status st = solve_shake_by(o, 0.5);
    o->shaken = 1;
    for (double size = 0.25; st != LG_OK && size > LEAST_SHAKE; size *= 0.5) st = solve_shake_by(o, size);
    if (st != LG_OK) return st;
    lg_optimum_exchange(o);
    memset(o->costate, 0, sz((o->steps + 1) * o->k) * sizeof *o->costate);
    memset(o->nu, 0, sz(o->ends) * sizeof *o->nu);
    lg_path_forget(o);
    st = lg_point_evaluate(o, &o->now);
    if (st == LG_OK) st = lg_path_begin(o);
    if (st == LG_OK) st = lg_point_evaluate(o, &o->now);
    if (st != LG_OK) return st;
    o->size = solve_size(o);
    solve_begin_barrier(o);
    lg_filter_begin(o);
    return lg_optimum_linearise(o);
}

/* Restores until the filter takes the point. */
static lg_status solve_restore(lg_optimum *o, int iterations)
{
    const double before = o->now.violation;
    while (o->iterations < iterations) {
        if (lg_search_restore(o)) return solve_say_infeasible(o);
        o->iterations++;
        if (o->now.violation <= 0.5 * before) break;
    }
    lg_filter_begin(o);
    return LG_OK;
}

/* With the end weighed, for gains. */
static void solve_finish(lg_optimum *o)
{
    o->brake = 0;
    lg_optimum_curve(o);
    (void)lg_optimum_correct(o);
    o->solved = 1;
    lg_error_clear(&o->error);
}

/* One correction towards a motion near the guess of a stride. From nodes that are none the cost would lead to rest,
 * near which no motion is displaced. 1: it was made; 0: the stride has settled, or cannot. */
static int solve_settle(lg_optimum *o)
{
    if (o->settling > 1 && o->now.violation > SETTLED && !lg_search_restore(o)) {
        o->settling--, o->iterations++;
        return 1;
    }
    o->settling = 0, o->size = solve_size(o);
    solve_begin_barrier(o);
    lg_filter_begin(o);
    return 0;
}

static lg_status solve_go(lg_optimum *o, int iterations, double tolerance)
{
    lg_status st = solve_begin(o);
    while (st == LG_OK) {
        const lg_errors e = solve_errors(o);
        if (o->watch && o->watch(o, o->watch_context))
            return lg_fail(&o->error, LG_ERROR_INTERRUPTED, "lg_optimum_solve: ended by the function that watches it");
        if (solve_largest(&e) <= tolerance && e.complementarity <= tolerance) {
            solve_finish(o);
            return LG_OK;
        }
        if (o->iterations >= iterations) return solve_say_slow(o, &e, iterations, tolerance);
        if (o->settling && solve_settle(o)) continue;
        solve_lower_barrier(o, tolerance);
        lg_optimum_curve(o);
        if (lg_optimum_correct(o))
            return lg_fail(&o->error, LG_ERROR_CONVERGENCE,
                           "lg_optimum_solve: the problem has no minimum near here: the cost is not convex in some "
                           "direction that conditions leave free");
        o->iterations++;
        if (!o->shaken && solve_blocked(o) >= 0)
            st = solve_shake(o);
        else if (lg_search(o))
            st = solve_restore(o, iterations);
    }
    return st;
}

lg_status lg_optimum_solve(lg_optimum *o, int iterations, double tolerance)
{
    if (!o || !o->made) return LG_ERROR_ARGUMENT;
    if (iterations < 0 || !(tolerance >= 1e-14 && tolerance <= 0.1))
        return lg_fail(&o->error, LG_ERROR_ARGUMENT,
                       "lg_optimum_solve: %d iterations, tolerance %g; expected 0 or more, and 1e-14 to 0.1",
                       iterations, tolerance);
    lg_status st = lg_optimum_enter(o, "lg_optimum_solve");
    if (st != LG_OK) return st;
    st = solve_go(o, iterations, tolerance);
    lg_free_load(o, &o->now);
    if (o->course) lg_steer_show(o);
    o->busy = 0;
    return st;
}
