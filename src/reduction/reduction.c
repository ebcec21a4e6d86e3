/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction: the connection, the reduced Lagrangian, the forces. docs/theory.md, section on reduction. */
#include "reduction/chaplygin.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "retractions/retraction.h"

lg_status lg_chaplygin_fail_at(lg_chaplygin *o, lg_status st, const char *what, const double *g)
{
    char where[80], values[100];
    snprintf(where, sizeof where, "%s: step %lld", o->function, (long long)o->step + (o->started ? 1 : 0));
    lg_print_values(values, sizeof values, g, o->gn);
    if (st == LG_ERROR_DOMAIN)
        return lg_fail(&o->error, st, "%s: %s: the step leaves the retraction's domain; h = %g is too large", where,
                       what, o->h);
    return lg_fail(&o->error, st, "%s: %s at g = (%s)", where, what, values);
}

lg_status lg_chaplygin_callback_failed(lg_chaplygin *o, int code, const double *g)
{
    char what[120];
    snprintf(what, sizeof what, "callback %s returned %d", o->field.failed, code);
    return lg_chaplygin_fail_at(o, LG_ERROR_CALLBACK, what, g);
}

lg_status lg_chaplygin_move(lg_chaplygin *o, double *out, const double *g, const double *x)
{
    const lg_group *G = o->S.group;
    lg_status st = lg_retraction_tau_with(o->r, G, o->W, x, o->work);
    if (st == LG_OK) st = G->compose(G, out, g, o->W, o->work);
    return st == LG_OK ? st : lg_chaplygin_fail_at(o, st, G->name, g);
}

/* c->LU = factored block B of the rows, c->At = rows C^T before the division by B. */
static void split_rows(const lg_chaplygin *o, const double *rows, double *B, double *Ct)
{
    for (int a = 0; a < o->d; a++) {
        for (int b = 0; B && b < o->d; b++) B[a * o->d + b] = rows[a * o->n + o->fibre[b]];
        for (int b = 0; b < o->s; b++) Ct[b * o->d + a] = rows[a * o->n + o->shape[b]];
    }
}

/* Is B singular up to round-off? Its pivots against its size. */
static int is_singular(const double *LU, double size, int d)
{
    for (int i = 0; i < d; i++)
        if (fabs(LU[i * d + i]) <= 8 * d * DBL_EPSILON * size) return 1;
    return 0;
}

lg_status lg_connection_at(lg_chaplygin *o, lg_connection *c, double t, const double *g)
{
    int code = lg_field_rows(&o->field, t, g, o->rows, o->drift);
    if (code) return lg_chaplygin_callback_failed(o, code, g);
    if (lg_norm_max(o->drift, o->n) != 0)
        return lg_chaplygin_fail_at(o, LG_ERROR_UNSUPPORTED, "covectors (drift): a Chaplygin system has none", g);
    if (!lg_all_finite(o->rows, o->d * o->n))
        return lg_chaplygin_fail_at(o, LG_ERROR_NOT_FINITE, "covectors (rows) are not finite", g);
    split_rows(o, o->rows, c->LU, c->At);
    double size = lg_norm_max(c->LU, o->d * o->d);
    if (lg_lu_factor(c->LU, c->pivots, o->d) != LG_OK || is_singular(c->LU, size, o->d))
        return lg_chaplygin_fail_at(o, LG_ERROR_SINGULAR,
                                    "the rows do not determine the group's velocity: no connection", g);
    lg_lu_solve_rows(c->LU, c->pivots, o->d, c->At, o->s);
    return LG_OK;
}

/* d(B^-1 C) = B^-1 (dC - dB A). */
lg_status lg_connection_rate(lg_chaplygin *o, const lg_connection *c, double t, const double *g, const double *eta)
{
    int n = o->n, d = o->d, code = lg_field_rows_rate(&o->field, t, g, eta, o->rows_rate, o->drift_rate);
    if (code) return lg_chaplygin_callback_failed(o, code, g);
    split_rows(o, o->rows_rate, NULL, o->rate);
    for (int b = 0; b < o->s; b++)
        for (int a = 0; a < d; a++)
            for (int k = 0; k < d; k++) o->rate[b * d + a] -= o->rows_rate[a * n + o->fibre[k]] * c->At[b * d + k];
    lg_lu_solve_rows(c->LU, c->pivots, d, o->rate, o->s);
    return LG_OK;
}

void lg_chaplygin_horizontal(const lg_chaplygin *o, double *xi, const lg_connection *c, const double *v)
{
    for (int b = 0; b < o->s; b++) xi[o->shape[b]] = v[b];
    for (int a = 0; a < o->d; a++) {
        double sum = 0;
        for (int b = 0; b < o->s; b++) sum += c->At[b * o->d + a] * v[b];
        xi[o->fibre[a]] = -sum;
    }
}

/* <p, A e_b> for a covector on the whole group; -A e_b is the part of the lifted shape direction e_b in the group. */
static double lowered(const lg_chaplygin *o, const double *p, const double *At, int b)
{
    double sum = 0;
    for (int a = 0; a < o->d; a++) sum += p[o->fibre[a]] * At[b * o->d + a];
    return sum;
}

/* J* = [1, -A^T] J [1; -A], column by column: J on the lift of e_b, lowered. */
lg_status lg_chaplygin_reduced_metric(lg_chaplygin *o, const lg_connection *c, double t, const double *g)
{
    int code = lg_field_metric(&o->field, t, g, o->J);
    if (code) return lg_chaplygin_callback_failed(o, code, g);
    for (int b = 0; b < o->s; b++) {
        for (int k = 0; k < o->s; k++) o->vector[k] = k == b;
        lg_chaplygin_horizontal(o, o->eta, c, o->vector);
        lg_matvec(o->x, o->J, o->eta, o->n, o->n);
        for (int k = 0; k < o->s; k++) o->Js[k * o->s + b] = o->x[o->shape[k]] - lowered(o, o->x, c->At, k);
    }
    return lg_all_finite(o->Js, o->s * o->s) ? LG_OK
                                             : lg_chaplygin_fail_at(o, LG_ERROR_NOT_FINITE, "metric is not finite", g);
}

/* p, and the slope of L in the configuration, dT - dV, at `g` with velocity segment.xi. */
static lg_status momentum_and_slope(lg_chaplygin *o, double t, const double *g)
{
    lg_segment *L = &o->segment;
    int n = o->n, code = lg_field_metric(&o->field, t, g, o->J);
    if (!code) code = lg_field_metric_gradient(&o->field, t, g, L->xi, L->slope);
    if (!code) code = lg_field_gradient(&o->field, t, g, o->vector);
    if (code) return lg_chaplygin_callback_failed(o, code, g);
    for (int i = 0; i < n; i++) L->slope[i] -= o->vector[i];
    lg_matvec(L->p, o->J, L->xi, n, n);
    if (lg_all_finite(L->p, n) && lg_all_finite(L->slope, n)) return LG_OK;
    return lg_chaplygin_fail_at(o, LG_ERROR_NOT_FINITE, "metric or potential gradient is not finite", g);
}

lg_status lg_segment_leave(lg_chaplygin *o, double t, const double *g0, const double *v)
{
    lg_segment *L = &o->segment;
    memset(o->x, 0, sz(o->n) * sizeof *o->x);
    for (int b = 0; b < o->s; b++) o->x[o->shape[b]] = 0.5 * o->h * v[b];
    lg_status st = lg_chaplygin_move(o, o->point, g0, o->x);
    if (st == LG_OK) st = lg_connection_at(o, &L->middle, t + 0.5 * o->h, o->point);
    if (st != LG_OK) return st;
    lg_chaplygin_horizontal(o, L->xi, &L->middle, v);
    st = momentum_and_slope(o, t + 0.5 * o->h, o->point);
    if (st != LG_OK) return st;
    for (int i = 0; i < o->n; i++) o->x[i] = o->h * L->xi[i];
    st = lg_retraction_dtau_inv_dual_with(o->r, o->S.group, L->minus, o->x, L->p, o->work);
    return st == LG_OK ? st : lg_chaplygin_fail_at(o, st, o->S.group->name, g0);
}

/* plus = Ad*_W minus, which is D_2 L_d for every exact tangent; a truncated one has another, symmetric form. */
static lg_status transport(lg_chaplygin *o)
{
    const lg_group *G = o->S.group;
    lg_segment *L = &o->segment;
    if (!(o->r->flags & LG_RETRACTION_EXACT)) {
        for (int i = 0; i < o->n; i++) o->x[i] = -o->h * L->xi[i];
        return lg_retraction_dtau_inv_dual_with(o->r, G, L->plus, o->x, L->p, o->work);
    }
    lg_status st = G->Ad(G, o->J, o->W, o->work);
    if (st == LG_OK) lg_matvec_transposed(L->plus, o->J, L->minus, o->n, o->n);
    return st;
}

lg_status lg_segment_arrive(lg_chaplygin *o, double t, const double *g0)
{
    const lg_group *G = o->S.group;
    lg_segment *L = &o->segment;
    for (int i = 0; i < o->n; i++) o->x[i] = o->h * L->xi[i];
    lg_status st = lg_chaplygin_move(o, L->g1, g0, o->x); /* leaves W = tau(h xi) */
    if (st != LG_OK) return st;
    st = transport(o);
    if (st == LG_OK && G->project) st = G->project(G, L->g1, L->g1, o->work);
    if (st != LG_OK) return lg_chaplygin_fail_at(o, st, G->name, g0);
    return lg_connection_at(o, &L->last, t + o->h, L->g1);
}

/* -D_1 L*_d + F^-. The terms with the derivative of the connection cancel between the two, so a step does not need it:
 * D_1 L_d lowered at its own end remains. */
void lg_segment_minus(const lg_chaplygin *o, double *P)
{
    const lg_segment *L = &o->segment;
    for (int b = 0; b < o->s; b++) {
        int i = o->shape[b];
        P[b] = L->p[i] - 0.5 * o->h * L->slope[i] - lowered(o, L->minus, L->first.At, b);
    }
}

void lg_segment_plus(const lg_chaplygin *o, double *P)
{
    const lg_segment *L = &o->segment;
    for (int b = 0; b < o->s; b++) {
        int i = o->shape[b];
        P[b] = L->p[i] + 0.5 * o->h * L->slope[i] - lowered(o, L->plus, L->last.At, b);
    }
}

/* ---- reading the reduced system ---- */

/* o->base = the element with shape r over the identity; `given`: no argument is NULL. */
static lg_status enter(lg_chaplygin *o, const char *function, const double *r, int given)
{
    if (!o || !o->made || o->busy) return LG_ERROR_ARGUMENT;
    o->function = function;
    if (!r || !given) return lg_fail(&o->error, LG_ERROR_ARGUMENT, "%s: an argument is NULL", function);
    lg_status st = o->S.group->identity(o->S.group, o->base);
    for (int b = 0; b < o->s; b++) o->base[o->place[b]] = r[b];
    return st;
}

/* enter(), which also sets segment.middle to the connection there. */
static lg_status look(lg_chaplygin *o, const char *function, const double *r, int given)
{
    lg_status st = enter(o, function, r, given);
    return st == LG_OK ? lg_connection_at(o, &o->segment.middle, o->t0, o->base) : st;
}

lg_status lg_chaplygin_connection(lg_chaplygin *o, double *A, const double *r)
{
    lg_status st = look(o, "lg_chaplygin_connection", r, A != NULL);
    for (int a = 0; st == LG_OK && a < o->d; a++)
        for (int b = 0; b < o->s; b++) A[a * o->s + b] = o->segment.middle.At[b * o->d + a];
    return st;
}

lg_status lg_chaplygin_metric(lg_chaplygin *o, double *J, const double *r)
{
    lg_status st = look(o, "lg_chaplygin_metric", r, J != NULL);
    if (st == LG_OK) st = lg_chaplygin_reduced_metric(o, &o->segment.middle, o->t0, o->base);
    if (st == LG_OK) memcpy(J, o->Js, sz(o->s * o->s) * sizeof *J);
    return st;
}

lg_status lg_chaplygin_lagrangian(lg_chaplygin *o, double *L, const double *r, const double *v)
{
    double V = 0;
    lg_status st = look(o, "lg_chaplygin_lagrangian", r, v && L);
    if (st == LG_OK) st = lg_chaplygin_reduced_metric(o, &o->segment.middle, o->t0, o->base);
    if (st != LG_OK) return st;
    int code = lg_field_potential(&o->field, o->t0, o->base, &V);
    if (code) return lg_chaplygin_callback_failed(o, code, o->base);
    lg_matvec(o->R, o->Js, v, o->s, o->s);
    *L = 0.5 * lg_dot(v, o->R, o->s) - V;
    return LG_OK;
}

/* out_b = p.(D_b A) v for every shape direction at g, where c is the connection. */
static lg_status turning(lg_chaplygin *o, double *out, const lg_connection *c, const double *g, const double *v)
{
    for (int b = 0; b < o->s; b++) {
        memset(o->eta, 0, sz(o->n) * sizeof *o->eta);
        o->eta[o->shape[b]] = 1;
        lg_status st = lg_connection_rate(o, c, o->t0, g, o->eta);
        if (st != LG_OK) return st;
        out[b] = 0;
        for (int k = 0; k < o->s; k++) out[b] += v[k] * lowered(o, o->segment.p, o->rate, k);
    }
    return LG_OK;
}

/* F_b = p.((D_v A) e_b - (D_b A) v + [xi, A e_b]). */
lg_status lg_chaplygin_force(lg_chaplygin *o, double *F, const double *r, const double *v)
{
    lg_status st = look(o, "lg_chaplygin_force", r, v && F);
    if (st != LG_OK) return st;
    const lg_group *G = o->S.group;
    lg_segment *L = &o->segment;
    lg_chaplygin_horizontal(o, L->xi, &L->middle, v);
    st = momentum_and_slope(o, o->t0, o->base);
    if (st == LG_OK) st = turning(o, o->R, &L->middle, o->base, v);
    if (st != LG_OK) return st;
    memset(o->eta, 0, sz(o->n) * sizeof *o->eta);
    for (int b = 0; b < o->s; b++) o->eta[o->shape[b]] = v[b];
    st = lg_connection_rate(o, &L->middle, o->t0, o->base, o->eta);
    if (st != LG_OK) return st;
    st = G->ad(G, o->J, L->xi, o->work); /* M is abelian: only G's part of xi counts */
    if (st != LG_OK) return lg_chaplygin_fail_at(o, st, G->name, o->base);
    lg_matvec_transposed(o->x, o->J, L->p, o->n, o->n); /* <ad*_xi p, eta> = <p, [xi, eta]> */
    for (int b = 0; b < o->s; b++) F[b] = lowered(o, L->p, o->rate, b) - o->R[b] + lowered(o, o->x, L->middle.At, b);
    return LG_OK;
}

/* The parts of P^+ = P^-: with a = p.(A e_b), b = p.(D_b A) v at the middle and L_v, L_r the slopes of L,
 *   D_2 L*_d =   L_v - a + (h/2)(L_r - b),    F^+ = <M^+, A(r_1) e_b> - a - (h/2) b,
 *   D_1 L*_d = -(L_v - a) + (h/2)(L_r - b),   F^- = a - <M^-, A(r_0) e_b> - (h/2) b. */
lg_status lg_chaplygin_slopes(lg_chaplygin *o, double *D1, double *D2, double *F_minus, double *F_plus, const double *r,
                              const double *v)
{
    lg_status st = enter(o, "lg_chaplygin_slopes", r, v && D1 && D2 && F_minus && F_plus);
    if (st != LG_OK) return st;
    lg_segment *L = &o->segment;
    st = lg_connection_at(o, &L->first, o->t0, o->base);
    if (st == LG_OK) st = lg_segment_leave(o, o->t0, o->base, v);
    if (st == LG_OK) st = lg_segment_arrive(o, o->t0, o->base);
    if (st == LG_OK) st = turning(o, o->R, &L->middle, o->point, v);
    for (int b = 0; st == LG_OK && b < o->s; b++) {
        double a = lowered(o, L->p, L->middle.At, b), turn = 0.5 * o->h * o->R[b];
        double slope = 0.5 * o->h * L->slope[o->shape[b]] - turn, momentum = L->p[o->shape[b]] - a;
        D1[b] = slope - momentum;
        D2[b] = slope + momentum;
        F_minus[b] = a - lowered(o, L->minus, L->first.At, b) - turn;
        F_plus[b] = lowered(o, L->plus, L->last.At, b) - a - turn;
    }
    return st;
}
