/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences are central of order four: (8 (f(e) - f(-e)) - (f(2e) - f(-2e))) / (12 e). With e = 1e-3 the truncation
 * e^4 f^(5)/30 and the round-off eps f / e are both about 1e-13 of the field's scale. The hidden rate of a holonomic
 * constraint, a second derivative, has order six: from d phi the truncation e^6 f^(7)/140 is 7e-21 f^(7); from phi, at
 * e = 1e-2, e^6 f^(8)/560 is 2e-15 f^(8) and the round-off 6 eps f / e^2 is 1e-11 f. */
#include "mechanics/field.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/differences.h"
#include "retractions/retraction.h"

#define DIFFERENCE_STEP        1e-3
#define SECOND_DIFFERENCE_STEP 1e-2

void lg_field_init(lg_field *f, const lg_system *S, const lg_retraction *r)
{
    memset(f, 0, sizeof *f);
    f->S = S;
    f->r = r && lg_retraction_supports(r, S->group) ? r : lg_retraction_exp();
    f->n = S->group->dim;
    f->element_size = S->group->element_size;
    f->m = S->constraint_count;
    f->holonomic = S->callbacks.holonomic_count;
}

static int needs_differences(const lg_system *S)
{
    return (S->callbacks.potential && !S->callbacks.potential_gradient) ||
           (S->callbacks.metric && !S->callbacks.metric_gradient) || S->callbacks.metric || S->callbacks.covectors ||
           S->callbacks.drift || S->callbacks.holonomic_count || S->callbacks.potential_hessian;
}

void lg_field_carve(lg_field *f, lg_arena *a)
{
    size_t n = sz(f->n), element_size = sz(f->element_size), m = sz(f->m), holonomic = sz(f->holonomic);
    if (!needs_differences(f->S)) return;
    f->eta = lg_take_doubles(a, n);
    f->step = lg_take_doubles(a, element_size);
    f->moved = lg_take_doubles(a, element_size);
    f->rows = lg_take_doubles(a, m * n);
    f->drift = lg_take_doubles(a, n);
    f->metric = lg_take_doubles(a, f->S->callbacks.metric ? n * n : 0);
    f->phi = lg_take_doubles(a, holonomic);
    f->phi_rows = lg_take_doubles(a, holonomic * n);
}

size_t lg_field_work_bytes(const lg_field *f)
{
    size_t bytes = lg_retraction_work_bytes(f->r, f->S->group), group = f->S->group->work_bytes;
    return bytes > group ? bytes : group;
}

lg_call lg_field_call(const lg_field *f, const double *t)
{
    return lg_system_call(f->S, t, f->control);
}

static int failed(lg_field *f, const char *name, int code)
{
    if (code) f->failed = name;
    return code;
}

static const char displacement[] = "the retraction that displaces a configuration for differences";

int lg_field_move(lg_field *f, double *moved, const double *g, const double *eta)
{
    const lg_group *G = f->S->group;
    lg_status st = lg_retraction_tau_with(f->r, G, f->step, eta, f->work);
    if (st == LG_OK) st = G->compose(G, moved, g, f->step, f->work);
    return failed(f, displacement, (int)st);
}

int lg_field_rows(lg_field *f, double t, const double *g, double *A, double *Y)
{
    const lg_system *S = f->S;
    lg_call c = lg_field_call(f, &t);
    if (!f->m) return 0;
    memset(Y, 0, sz(f->n) * sizeof *Y);
    if (S->callbacks.covectors) {
        memset(A, 0, sz(f->m * f->n) * sizeof *A);
        return failed(f, "covectors", S->callbacks.covectors(&c, g, A, Y));
    }
    memcpy(A, S->covector_matrix, sz(f->m * f->n) * sizeof *A);
    return S->callbacks.drift ? failed(f, "drift", S->callbacks.drift(&c, g, Y)) : 0;
}

int lg_field_potential(lg_field *f, double t, const double *g, double *V)
{
    lg_call c = lg_field_call(f, &t);
    *V = 0;
    return f->S->callbacks.potential ? failed(f, "potential", f->S->callbacks.potential(&c, g, V)) : 0;
}

int lg_field_metric(lg_field *f, double t, const double *g, double *J)
{
    const lg_system *S = f->S;
    lg_call c = lg_field_call(f, &t);
    size_t n = sz(f->n);
    memset(J, 0, n * n * sizeof *J);
    if (S->callbacks.metric) return failed(f, "metric", S->callbacks.metric(&c, g, J));
    if (S->inertia)
        memcpy(J, S->inertia, n * n * sizeof *J);
    else
        for (size_t i = 0; i < n; i++) J[i * n + i] = S->inertia_diagonal[i];
    return 0;
}

/* The weights of the stencil at -2, -1, 1, 2. */
static const double offset[4] = {LG_CENTRAL_4_OFFSETS};
static const double weight[4] = {LG_CENTRAL_4_WEIGHTS};

/* f->moved = g exp(s eta), using f->eta for s eta. */
static int displace(lg_field *f, const double *g, const double *eta, double s)
{
    for (int i = 0; i < f->n; i++) f->eta[i] = s * eta[i];
    return lg_field_move(f, f->moved, g, f->eta);
}

static int displace_along(lg_field *f, const double *g, int i, double s)
{
    memset(f->eta, 0, sz(f->n) * sizeof *f->eta);
    f->eta[i] = s;
    return lg_field_move(f, f->moved, g, f->eta);
}

int lg_field_gradient(lg_field *f, double t, const double *g, double *dV)
{
    const lg_system *S = f->S;
    lg_call c = lg_field_call(f, &t);
    memset(dV, 0, sz(f->n) * sizeof *dV);
    if (!S->callbacks.potential) return 0;
    if (f->gradient) return f->gradient(f->gradient_context, t, g, dV);
    if (S->callbacks.potential_gradient)
        return failed(f, "potential_gradient", S->callbacks.potential_gradient(&c, g, dV));
    for (int i = 0; i < f->n; i++) {
        for (int k = 0; k < 4; k++) {
            double V;
            int code = displace_along(f, g, i, offset[k] * DIFFERENCE_STEP);
            if (!code) code = lg_field_potential(f, t, f->moved, &V);
            if (code) return code;
            dV[i] += weight[k] * V / DIFFERENCE_STEP;
        }
    }
    return 0;
}

int lg_field_gradient_rate(lg_field *f, double t, const double *g, const double *eta, double *rate)
{
    const lg_system *S = f->S;
    lg_call c = lg_field_call(f, &t);
    int n = f->n;
    double e = DIFFERENCE_STEP / fmax(1, lg_norm_max(eta, n)), *dV = f->drift;
    memset(rate, 0, sz(n) * sizeof *rate);
    for (int k = 0; k < 4; k++) {
        int code = displace(f, g, eta, offset[k] * e);
        if (code) return code;
        memset(dV, 0, sz(n) * sizeof *dV);
        if ((code = S->callbacks.potential_gradient(&c, f->moved, dV))) return failed(f, "potential_gradient", code);
        for (int i = 0; i < n; i++) rate[i] += weight[k] / e * dV[i];
    }
    return 0;
}

static double quadratic_form(const double *J, const double *xi, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) s += xi[i] * J[i * n + j] * xi[j];
    return s;
}

int lg_field_metric_gradient(lg_field *f, double t, const double *g, const double *xi, double *dT)
{
    const lg_system *S = f->S;
    lg_call c = lg_field_call(f, &t);
    memset(dT, 0, sz(f->n) * sizeof *dT);
    if (!S->callbacks.metric) return 0;
    if (S->callbacks.metric_gradient) return failed(f, "metric_gradient", S->callbacks.metric_gradient(&c, g, xi, dT));
    for (int i = 0; i < f->n; i++) {
        for (int k = 0; k < 4; k++) {
            int code = displace_along(f, g, i, offset[k] * DIFFERENCE_STEP);
            if (!code) code = lg_field_metric(f, t, f->moved, f->metric);
            if (code) return code;
            dT[i] += weight[k] * 0.5 * quadratic_form(f->metric, xi, f->n) / DIFFERENCE_STEP;
        }
    }
    return 0;
}

/* The stencil's step in time along a velocity: displacements stay near `step` however fast the motion is, and t + e is
 * a double, since at large t the rounding of t + e, divided by e, would dominate all other errors. */
static double time_step(const lg_field *f, double step, double t, const double *xi)
{
    double big = 1;
    for (int i = 0; xi && i < f->n; i++) big = fmax(big, fabs(xi[i]));
    double e = step / big, rounded = (t + e) - t;
    return f->S->callbacks.time_dependent && rounded > 0 ? rounded : e;
}

/* t + s, if the system depends on time. */
static double later(const lg_field *f, double t, double s)
{
    return f->S->callbacks.time_dependent ? t + s : t;
}

int lg_field_metric_rate(lg_field *f, double t, const double *g, const double *xi, double *dJxi)
{
    int n = f->n;
    double e = time_step(f, DIFFERENCE_STEP, t, xi);
    memset(dJxi, 0, sz(n) * sizeof *dJxi);
    if (!f->S->callbacks.metric) return 0;
    for (int k = 0; k < 4; k++) {
        int code = displace(f, g, xi, offset[k] * e);
        if (!code) code = lg_field_metric(f, later(f, t, offset[k] * e), f->moved, f->metric);
        if (code) return code;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) dJxi[i] += weight[k] / e * f->metric[i * n + j] * xi[j];
    }
    return 0;
}

int lg_field_rows_rate(lg_field *f, double t, const double *g, const double *eta, double *dA, double *dY)
{
    const lg_system *S = f->S;
    size_t nonholonomic = sz(f->m * f->n), n = sz(f->n);
    double e = time_step(f, DIFFERENCE_STEP, t, eta);
    memset(dA, 0, nonholonomic * sizeof *dA);
    memset(dY, 0, n * sizeof *dY);
    if (!S->callbacks.covectors && !S->callbacks.drift) return 0;
    if (S->callbacks.covectors_derivative && !S->callbacks.time_dependent) {
        lg_call c = lg_field_call(f, &t);
        return failed(f, "covectors_derivative", S->callbacks.covectors_derivative(&c, g, eta, dA, dY));
    }
    for (int k = 0; k < 4; k++) {
        int code = displace(f, g, eta, offset[k] * e);
        if (!code) code = lg_field_rows(f, later(f, t, offset[k] * e), f->moved, f->rows, f->drift);
        if (code) return code;
        for (size_t i = 0; i < nonholonomic; i++) dA[i] += weight[k] / e * f->rows[i];
        for (size_t i = 0; i < n; i++) dY[i] += weight[k] / e * f->drift[i];
    }
    return 0;
}

int lg_field_force(lg_field *f, double t, const double *g, const double *xi, double *force)
{
    lg_call c = lg_field_call(f, &t);
    memset(force, 0, sz(f->n) * sizeof *force);
    return f->S->callbacks.force ? failed(f, "force", f->S->callbacks.force(&c, g, xi, force)) : 0;
}

/* ---- holonomic constraints ---- */

int lg_field_holonomic(lg_field *f, double t, const double *g, double *phi)
{
    lg_call c = lg_field_call(f, &t);
    if (!f->holonomic) return 0;
    memset(phi, 0, sz(f->holonomic) * sizeof *phi);
    return failed(f, "holonomic", f->S->callbacks.holonomic(&c, g, phi));
}

int lg_field_holonomic_rows(lg_field *f, double t, const double *g, double *rows)
{
    const lg_system *S = f->S;
    lg_call c = lg_field_call(f, &t);
    int n = f->n;
    if (!f->holonomic) return 0;
    memset(rows, 0, sz(f->holonomic * n) * sizeof *rows);
    if (S->callbacks.holonomic_differential)
        return failed(f, "holonomic_differential", S->callbacks.holonomic_differential(&c, g, rows));
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++) {
            int code = displace_along(f, g, i, offset[k] * DIFFERENCE_STEP);
            if (!code) code = lg_field_holonomic(f, t, f->moved, f->phi);
            if (code) return code;
            for (int a = 0; a < f->holonomic; a++) rows[a * n + i] += weight[k] * f->phi[a] / DIFFERENCE_STEP;
        }
    }
    return 0;
}

int lg_field_holonomic_rate(lg_field *f, double t, const double *g, double *rate)
{
    const lg_system *S = f->S;
    lg_call c = lg_field_call(f, &t);
    if (!f->holonomic) return 0;
    memset(rate, 0, sz(f->holonomic) * sizeof *rate);
    if (S->callbacks.holonomic_rate) return failed(f, "holonomic_rate", S->callbacks.holonomic_rate(&c, g, rate));
    if (!S->callbacks.time_dependent) return 0;
    double e = time_step(f, DIFFERENCE_STEP, t, NULL);
    for (int k = 0; k < 4; k++) {
        int code = lg_field_holonomic(f, t + offset[k] * e, g, f->phi);
        if (code) return code;
        for (int a = 0; a < f->holonomic; a++) rate[a] += weight[k] * f->phi[a] / e;
    }
    return 0;
}

/* f->moved = g exp(s xi) up to s^3. A retraction that is not symmetric deviates from the curve at s^2 already, but
 * tau(s xi/2) tau(-s xi/2)^-1 is odd in s like exp, for every tau. */
static int displace_straight(lg_field *f, const double *g, const double *xi, double s)
{
    const lg_group *G = f->S->group;
    if (f->r->flags & LG_RETRACTION_SYMMETRIC) return displace(f, g, xi, s);
    int code = displace(f, g, xi, 0.5 * s);
    if (code) return code;
    for (int i = 0; i < f->n; i++) f->eta[i] = -f->eta[i];
    lg_status st = lg_retraction_tau_with(f->r, G, f->step, f->eta, f->work);
    if (st == LG_OK) st = G->inverse(G, f->step, f->step, f->work);
    if (st == LG_OK) st = G->compose(G, f->moved, f->moved, f->step, f->work);
    return failed(f, displacement, (int)st);
}

/* From phi alone. */
static int second_differences(lg_field *f, double t, const double *g, const double *xi, double *rate)
{
    static const double share[4] = {-490.0 / 180, 270.0 / 180, -27.0 / 180, 2.0 / 180};
    double e = time_step(f, SECOND_DIFFERENCE_STEP, t, xi);
    for (int k = -3; k <= 3; k++) {
        int code = displace_straight(f, g, xi, k * e);
        if (!code) code = lg_field_holonomic(f, later(f, t, k * e), f->moved, f->phi);
        if (code) return code;
        for (int a = 0; a < f->holonomic; a++) rate[a] += share[k < 0 ? -k : k] * f->phi[a] / (e * e);
    }
    return 0;
}

int lg_field_hidden_rate(lg_field *f, double t, const double *g, const double *xi, double *rate)
{
    const lg_system *S = f->S;
    int n = f->n;
    if (!f->holonomic) return 0;
    memset(rate, 0, sz(f->holonomic) * sizeof *rate);
    if (!S->callbacks.holonomic_differential || (S->callbacks.time_dependent && !S->callbacks.holonomic_rate))
        return second_differences(f, t, g, xi, rate);
    static const double share[4] = {0, LG_CENTRAL_6};
    double e = time_step(f, DIFFERENCE_STEP, t, xi);
    for (int k = -3; k <= 3; k++) {
        double at = later(f, t, k * e), scale = k < 0 ? -share[-k] / e : share[k] / e;
        if (k == 0) continue;
        int code = displace(f, g, xi, k * e);
        if (!code) code = lg_field_holonomic_rows(f, at, f->moved, f->phi_rows);
        if (!code) code = lg_field_holonomic_rate(f, at, f->moved, f->phi);
        if (code) return code;
        for (int a = 0; a < f->holonomic; a++) {
            double s = f->phi[a];
            for (int i = 0; i < n; i++) s += f->phi_rows[a * n + i] * xi[i];
            rate[a] += scale * s;
        }
    }
    return 0;
}

int lg_field_all_rows(lg_field *f, double t, const double *g, double *A, double *Y, double *b)
{
    int n = f->n, holonomic = f->holonomic;
    memset(Y, 0, sz(n) * sizeof *Y);
    int code = lg_field_holonomic_rows(f, t, g, A);
    if (!code) code = lg_field_holonomic_rate(f, t, g, b);
    if (!code) code = lg_field_rows(f, t, g, A + holonomic * n, Y);
    if (code) return code;
    for (int a = 0; a < holonomic; a++) b[a] = -b[a];
    for (int a = holonomic; a < holonomic + f->m; a++) {
        b[a] = 0;
        for (int i = 0; i < n; i++) b[a] += A[a * n + i] * Y[i];
    }
    return 0;
}

const char *lg_field_row_kind(const lg_field *f, int *row)
{
    if (*row <= f->holonomic) return "holonomic constraint";
    *row -= f->holonomic;
    return "constraint";
}
