/* SPDX-License-Identifier: BSD-3-Clause */
/* The midpoint RDLA: start, step, reading the state. State (r_k, P_k) on T*M with the reconstructed element; the
 * arriving momentum in the group's directions is kept only for p^+ and the multipliers. */
#include "reduction/chaplygin.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"

/* ---- start ---- */

/* p = J xi and V at g, for the comparison below. */
static lg_status sample(lg_chaplygin *o, double t, const double *g, double *p, double *V)
{
    int code = lg_field_metric(&o->field, t, g, o->J);
    if (!code) code = lg_field_potential(&o->field, t, g, V);
    if (code) return lg_chaplygin_callback_failed(o, code, g);
    lg_matvec(p, o->J, o->segment.xi, o->n, o->n);
    return LG_OK;
}

/* Largest difference of two vectors relative to their size. */
static double step_difference(const double *a, const double *b, int count)
{
    double most = 0, size = fmax(1, fmax(lg_norm_max(a, count), lg_norm_max(b, count)));
    for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most / size;
}

/* Are metric, potential and connection invariant under G? Tested at two points off g0, for one velocity. */
static lg_status check_invariance(lg_chaplygin *o, double t, const double *g0)
{
    lg_segment *L = &o->segment;
    double V[2], tolerance = 1e-9;
    for (int b = 0; b < o->s; b++) o->next[b] = cos(1 + b);
    lg_chaplygin_horizontal(o, L->xi, &L->first, o->next);
    lg_status st = sample(o, t, g0, L->p, &V[0]);
    for (int sign = -1; st == LG_OK && sign <= 1; sign += 2) {
        const char *what = NULL;
        memset(o->x, 0, sz(o->n) * sizeof *o->x);
        for (int a = 0; a < o->d; a++) o->x[o->fibre[a]] = sign * (0.4 + 0.2 * a);
        st = lg_chaplygin_move(o, o->point, g0, o->x);
        if (st == LG_OK) st = lg_connection_at(o, &L->middle, t, o->point);
        if (st == LG_OK) st = sample(o, t, o->point, L->plus, &V[1]);
        if (st != LG_OK) return st;
        if (step_difference(L->first.At, L->middle.At, o->s * o->d) > tolerance) what = "the connection";
        if (step_difference(L->p, L->plus, o->n) > tolerance) what = "the metric";
        if (step_difference(V, V + 1, 1) > tolerance) what = "the potential";
        if (what)
            return lg_fail(&o->error, LG_ERROR_ARGUMENT,
                           "lg_chaplygin_start: %s changes along the structure group: this is not a Chaplygin system",
                           what);
    }
    return st;
}

static lg_status check_start(lg_chaplygin *o, const double *g0, const double *v0)
{
    const lg_group *G = o->S.group;
    if (!g0 || !v0) return lg_fail(&o->error, LG_ERROR_ARGUMENT, "lg_chaplygin_start: g0 or v0 is NULL");
    if (!lg_all_finite(g0, o->gn) || !lg_all_finite(v0, o->s))
        return lg_fail(&o->error, LG_ERROR_NOT_FINITE, "lg_chaplygin_start: g0 or v0 is not finite");
    double off = G->residual ? G->residual(G, g0, o->work) : 0;
    if (!(off <= 1e-6))
        return lg_fail(&o->error, LG_ERROR_ARGUMENT, "lg_chaplygin_start: g0 is %.3g off the group %s", off, G->name);
    return LG_OK;
}

/* P_0 = J* v_0, M^+_0 = the group's part of J xi_0. */
static lg_status first_momentum(lg_chaplygin *o, double t, const double *g0, const double *v0)
{
    lg_segment *L = &o->segment;
    lg_status st = lg_chaplygin_reduced_metric(o, &L->first, t, g0);
    if (st != LG_OK) return st;
    lg_matvec(o->R, o->Js, v0, o->s, o->s);
    if (lg_cholesky(o->Js, o->s, NULL) != LG_OK)
        return lg_chaplygin_fail_at(o, LG_ERROR_SINGULAR, "the reduced metric is not positive definite", g0);
    lg_chaplygin_horizontal(o, L->xi, &L->first, v0);
    lg_matvec(L->p, o->J, L->xi, o->n, o->n);
    return LG_OK;
}

static lg_status start(lg_chaplygin *o, double t0, const double *g0, const double *v0)
{
    const lg_group *G = o->S.group;
    o->function = "lg_chaplygin_start";
    lg_status st = check_start(o, g0, v0);
    if (st != LG_OK) return st;
    memcpy(o->base, g0, sz(o->gn) * sizeof *o->base);
    if (G->project) st = G->project(G, o->base, g0, o->work);
    if (st != LG_OK) return lg_chaplygin_fail_at(o, st, G->name, g0);
    st = lg_connection_at(o, &o->segment.first, t0, o->base);
    if (st == LG_OK) st = check_invariance(o, t0, o->base);
    if (st == LG_OK) st = first_momentum(o, t0, o->base, v0);
    if (st != LG_OK) return st;
    o->t0 = t0, o->step = 0, o->started = 1, o->iterations = 0;
    memcpy(o->g, o->base, sz(o->gn) * sizeof *o->g);
    memcpy(o->P, o->R, sz(o->s) * sizeof *o->P);
    memcpy(o->v, v0, sz(o->s) * sizeof *o->v);
    memset(o->xi, 0, sz(o->n) * sizeof *o->xi);
    memset(o->lambda, 0, sz(o->d) * sizeof *o->lambda);
    for (int a = 0; a < o->d; a++) o->arrived[a] = o->segment.p[o->fibre[a]];
    lg_error_clear(&o->error);
    return LG_OK;
}

/* ---- step ---- */

/* R = P^-(v) - P_k: zero is equation (32) of [P1]. */
static lg_status step_residual(lg_chaplygin *o, double t, const double *v, double *R)
{
    lg_status st = lg_segment_leave(o, t, o->g, v);
    if (st != LG_OK) return st;
    lg_segment_minus(o, R);
    for (int b = 0; b < o->s; b++) R[b] -= o->P[b];
    return LG_OK;
}

/* o->Jacobian = dR/dv at o->next by central differences: good to 1e-10, so that a Newton correction of relative size d
 * leaves 1e-10 d + O(d^2). */
static lg_status jacobian(lg_chaplygin *o, double t)
{
    int s = o->s;
    double e = 1e-5 * fmax(1, lg_norm_max(o->next, s));
    for (int j = 0; j < s; j++) {
        double keep = o->next[j];
        o->next[j] = keep + e;
        lg_status st = step_residual(o, t, o->next, o->trial);
        for (int i = 0; i < s; i++) o->Jacobian[i * s + j] = o->trial[i];
        o->next[j] = keep - e;
        if (st == LG_OK) st = step_residual(o, t, o->next, o->trial);
        for (int i = 0; i < s; i++) o->Jacobian[i * s + j] = (o->Jacobian[i * s + j] - o->trial[i]) / (2 * e);
        o->next[j] = keep;
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

static lg_status diverged(lg_chaplygin *o, int iterations, double size)
{
    return lg_fail(&o->error, LG_ERROR_CONVERGENCE,
                   "lg_chaplygin_step: step %lld: Newton did not converge after %d iterations, last correction %.3g; h "
                   "= %g is too large",
                   (long long)o->step + 1, iterations, size, o->h);
}

/* The shape velocity of the step in o->next, with its segment. Stops when the next correction would be round-off, or
 * when corrections at round-off no longer shrink (a state near rest has no scale of its own). */
static lg_status solve(lg_chaplygin *o, double t)
{
    int s = o->s;
    double last = INFINITY, rest = lg_norm_max(o->v, s);
    memcpy(o->next, o->v, sz(s) * sizeof *o->next);
    for (int k = 1; k <= o->iterations_max; k++) {
        lg_status st = jacobian(o, t);
        if (st == LG_OK) st = step_residual(o, t, o->next, o->R);
        if (st != LG_OK) return st;
        memcpy(o->delta, o->R, sz(s) * sizeof *o->delta);
        if (lg_lu_factor(o->Jacobian, o->pivots, s) != LG_OK)
            return k > 1 ? diverged(o, k, last)
                         : lg_chaplygin_fail_at(o, LG_ERROR_SINGULAR, "the Jacobian of the step is singular", o->g);
        lg_lu_solve(o->Jacobian, o->pivots, s, o->delta);
        for (int b = 0; b < s; b++) o->next[b] -= o->delta[b];
        double size = lg_norm_max(o->delta, s), scale = fmax(rest, lg_norm_max(o->next, s));
        o->iterations = k;
        if (size <= o->tolerance * scale || (size <= 1e-11 * fmax(1, scale) && size >= 0.5 * last))
            return step_residual(o, t, o->next, o->R);
        if (!(size < 1e100)) return diverged(o, k, size);
        last = size;
    }
    return diverged(o, o->iterations_max, last);
}

/* lambda at the initial node of the step: B^T lambda = (M^- - M^+)/h. */
static void react(lg_chaplygin *o)
{
    const lg_segment *L = &o->segment;
    for (int a = 0; a < o->d; a++) o->lambda[a] = (L->minus[o->fibre[a]] - o->arrived[a]) / o->h;
    lg_lu_solve_transposed(L->first.LU, L->first.pivots, o->d, o->lambda);
}

static lg_status step(lg_chaplygin *o)
{
    if (!o->started)
        return lg_fail(&o->error, LG_ERROR_ARGUMENT, "lg_chaplygin_step: not started; call lg_chaplygin_start() first");
    double t = lg_chaplygin_time(o);
    o->function = "lg_chaplygin_step";
    lg_status st = lg_connection_at(o, &o->segment.first, t, o->g);
    if (st == LG_OK) st = solve(o, t);
    if (st == LG_OK) st = lg_segment_arrive(o, t, o->g);
    if (st != LG_OK) return st;
    if (!lg_all_finite(o->segment.g1, o->gn) || !lg_all_finite(o->segment.plus, o->n))
        return lg_chaplygin_fail_at(o, LG_ERROR_NOT_FINITE, "the new state is not finite; h is too large", o->g);
    react(o);
    lg_segment_plus(o, o->P);
    for (int a = 0; a < o->d; a++) o->arrived[a] = o->segment.plus[o->fibre[a]];
    memcpy(o->g, o->segment.g1, sz(o->gn) * sizeof *o->g);
    memcpy(o->xi, o->segment.xi, sz(o->n) * sizeof *o->xi);
    memcpy(o->v, o->next, sz(o->s) * sizeof *o->v);
    o->step++;
    if (o->error.status != LG_OK) lg_error_clear(&o->error);
    return LG_OK;
}

/* Locks the object; its callbacks must not call it. */
static lg_status enter(lg_chaplygin *o, const char *function)
{
    if (!o || !o->made) return LG_ERROR_ARGUMENT;
    if (o->busy)
        return lg_fail(&o->error, LG_ERROR_ARGUMENT, "%s: called by a callback of this reduction, which is at work",
                       function);
    o->busy = 1;
    return LG_OK;
}

lg_status lg_chaplygin_start(lg_chaplygin *o, double t0, const double *g0, const double *v0)
{
    lg_status st = enter(o, "lg_chaplygin_start");
    if (st != LG_OK) return st;
    st = start(o, t0, g0, v0);
    o->busy = 0;
    return st;
}

lg_status lg_chaplygin_step(lg_chaplygin *o)
{
    lg_status st = enter(o, "lg_chaplygin_step");
    if (st != LG_OK) return st;
    st = step(o);
    o->busy = 0;
    return st;
}

/* ---- reading ---- */

static int is_ready(const lg_chaplygin *o)
{
    return o && o->started;
}

double lg_chaplygin_time(const lg_chaplygin *o)
{
    return is_ready(o) ? o->t0 + (double)o->step * o->h : NAN;
}

int64_t lg_chaplygin_step_index(const lg_chaplygin *o)
{
    return is_ready(o) ? o->step : 0;
}

int lg_chaplygin_iterations(const lg_chaplygin *o)
{
    return is_ready(o) ? o->iterations : 0;
}

const double *lg_chaplygin_configuration(const lg_chaplygin *o)
{
    return is_ready(o) ? o->g : NULL;
}

const double *lg_chaplygin_momentum(const lg_chaplygin *o)
{
    return is_ready(o) ? o->P : NULL;
}

const double *lg_chaplygin_step_velocity(const lg_chaplygin *o)
{
    return is_ready(o) ? o->xi : NULL;
}

const double *lg_chaplygin_multipliers(const lg_chaplygin *o)
{
    return is_ready(o) ? o->lambda : NULL;
}

void lg_chaplygin_shape(const lg_chaplygin *o, double *r)
{
    for (int b = 0; is_ready(o) && r && b < o->s; b++) r[b] = o->g[o->place[b]];
}

/* Computes the connection at the node into segment.first. */
static lg_status at_node(lg_chaplygin *o, const char *function, const double *out)
{
    if (!o || !o->made || o->busy) return LG_ERROR_ARGUMENT;
    o->function = function;
    if (!o->started || !out)
        return lg_fail(&o->error, LG_ERROR_ARGUMENT, "%s: %s", function,
                       out ? "not started; call lg_chaplygin_start() first" : "the output is NULL");
    return lg_connection_at(o, &o->segment.first, lg_chaplygin_time(o), o->g);
}

lg_status lg_chaplygin_momentum_plus(lg_chaplygin *o, double *p)
{
    lg_status st = at_node(o, "lg_chaplygin_momentum_plus", p);
    if (st != LG_OK) return st;
    for (int a = 0; a < o->d; a++) p[o->fibre[a]] = o->arrived[a];
    for (int b = 0; b < o->s; b++) p[o->shape[b]] = o->P[b] + lg_dot(o->arrived, o->segment.first.At + b * o->d, o->d);
    return LG_OK;
}

lg_status lg_chaplygin_velocity(lg_chaplygin *o, double *v)
{
    lg_status st = at_node(o, "lg_chaplygin_velocity", v);
    if (st == LG_OK) st = lg_chaplygin_reduced_metric(o, &o->segment.first, lg_chaplygin_time(o), o->g);
    if (st != LG_OK) return st;
    if (lg_cholesky(o->Js, o->s, NULL) != LG_OK)
        return lg_chaplygin_fail_at(o, LG_ERROR_SINGULAR, "the reduced metric is not positive definite", o->g);
    memcpy(v, o->P, sz(o->s) * sizeof *v);
    lg_cholesky_solve(o->Js, o->s, v);
    return LG_OK;
}

double lg_chaplygin_energy(lg_chaplygin *o)
{
    double V = 0;
    if (!is_ready(o) || lg_chaplygin_velocity(o, o->R) != LG_OK) return NAN;
    int code = lg_field_potential(&o->field, lg_chaplygin_time(o), o->g, &V);
    return code ? NAN : 0.5 * lg_dot(o->P, o->R, o->s) + V;
}
