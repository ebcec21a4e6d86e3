/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences are central of order four: (8 (f(e) - f(-e)) - (f(2e) - f(-2e))) / (12 e). With e = 1e-3 the truncation
 * e^4 f^(5)/30 and the round-off eps f / e are both about 1e-13 of the field's scale. */
#include "mechanics/field.h"

#include <math.h>
#include <string.h>

#include "retractions/retraction.h"

#define DIFFERENCE_STEP 1e-3

void lg_field_init(lg_field *f, const lg_system *S, const lg_retraction *r)
{
    memset(f, 0, sizeof *f);
    f->S = S;
    f->r = r && lg_retraction_supports(r, S->group) ? r : lg_retraction_exp();
    f->n = S->group->dim;
    f->gn = S->group->element_size;
    f->m = S->constraints;
}

static int needs_differences(const lg_system *S)
{
    return (S->potential && !S->potential_gradient) || (S->metric && !S->metric_gradient) || S->metric ||
           S->covectors || S->drift;
}

void lg_field_carve(lg_field *f, lg_arena *a)
{
    size_t n = sz(f->n), gn = sz(f->gn), m = sz(f->m);
    if (!needs_differences(f->S)) return;
    f->eta = lg_take_doubles(a, n);
    f->step = lg_take_doubles(a, gn);
    f->moved = lg_take_doubles(a, gn);
    f->rows = lg_take_doubles(a, m * n);
    f->drift = lg_take_doubles(a, n);
    f->metric = lg_take_doubles(a, f->S->metric ? n * n : 0);
}

size_t lg_field_work_bytes(const lg_field *f)
{
    size_t bytes = lg_retraction_work_bytes(f->r, f->S->group), group = f->S->group->work_bytes;
    return bytes > group ? bytes : group;
}

static lg_call call_at(const lg_field *f, double t)
{
    lg_call c = {f->S->context, f->S->parameter_values, t, 1};
    return c;
}

static int failed(lg_field *f, const char *name, int code)
{
    if (code) f->failed = name;
    return code;
}

int lg_field_move(lg_field *f, double *moved, const double *g, const double *eta)
{
    const lg_group *G = f->S->group;
    lg_status st = lg_retraction_tau_with(f->r, G, f->step, eta, f->work);
    if (st == LG_OK) st = G->compose(G, moved, g, f->step, f->work);
    return failed(f, "the retraction that displaces a configuration for differences", (int)st);
}

int lg_field_rows(lg_field *f, double t, const double *g, double *A, double *Y)
{
    const lg_system *S = f->S;
    lg_call c = call_at(f, t);
    if (!f->m) return 0;
    memset(Y, 0, sz(f->n) * sizeof *Y);
    if (S->covectors) {
        memset(A, 0, sz(f->m * f->n) * sizeof *A);
        return failed(f, "covectors", S->covectors(&c, g, A, Y));
    }
    memcpy(A, S->covector_matrix, sz(f->m * f->n) * sizeof *A);
    return S->drift ? failed(f, "drift", S->drift(&c, g, Y)) : 0;
}

int lg_field_potential(lg_field *f, double t, const double *g, double *V)
{
    lg_call c = call_at(f, t);
    *V = 0;
    return f->S->potential ? failed(f, "potential", f->S->potential(&c, g, V)) : 0;
}

int lg_field_metric(lg_field *f, double t, const double *g, double *J)
{
    const lg_system *S = f->S;
    lg_call c = call_at(f, t);
    size_t n = sz(f->n);
    memset(J, 0, n * n * sizeof *J);
    if (S->metric) return failed(f, "metric", S->metric(&c, g, J));
    if (S->inertia)
        memcpy(J, S->inertia, n * n * sizeof *J);
    else
        for (size_t i = 0; i < n; i++) J[i * n + i] = S->inertia_diagonal[i];
    return 0;
}

/* The weights of the stencil at -2, -1, 1, 2. */
static const double offset[4] = {-2, -1, 1, 2};
static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

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
    lg_call c = call_at(f, t);
    memset(dV, 0, sz(f->n) * sizeof *dV);
    if (!S->potential) return 0;
    if (S->potential_gradient) return failed(f, "potential_gradient", S->potential_gradient(&c, g, dV));
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
    lg_call c = call_at(f, t);
    memset(dT, 0, sz(f->n) * sizeof *dT);
    if (!S->metric) return 0;
    if (S->metric_gradient) return failed(f, "metric_gradient", S->metric_gradient(&c, g, xi, dT));
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

/* The stencil's step in time along a velocity: displacements stay near DIFFERENCE_STEP however fast the motion is. */
static double time_step(const lg_field *f, const double *xi)
{
    double big = 1;
    for (int i = 0; i < f->n; i++) big = fmax(big, fabs(xi[i]));
    return DIFFERENCE_STEP / big;
}

int lg_field_metric_rate(lg_field *f, double t, const double *g, const double *xi, double *dJxi)
{
    int n = f->n;
    double e = time_step(f, xi);
    memset(dJxi, 0, sz(n) * sizeof *dJxi);
    if (!f->S->metric) return 0;
    for (int k = 0; k < 4; k++) {
        int code = displace(f, g, xi, offset[k] * e);
        if (!code) code = lg_field_metric(f, t + offset[k] * e, f->moved, f->metric);
        if (code) return code;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) dJxi[i] += weight[k] / e * f->metric[i * n + j] * xi[j];
    }
    return 0;
}

int lg_field_rows_rate(lg_field *f, double t, const double *g, const double *eta, double *dA, double *dY)
{
    const lg_system *S = f->S;
    size_t mn = sz(f->m * f->n), n = sz(f->n);
    double e = time_step(f, eta);
    memset(dA, 0, mn * sizeof *dA);
    memset(dY, 0, n * sizeof *dY);
    if (!S->covectors && !S->drift) return 0;
    if (S->covectors_derivative && !S->time_dependent) {
        lg_call c = call_at(f, t);
        return failed(f, "covectors_derivative", S->covectors_derivative(&c, g, eta, dA, dY));
    }
    for (int k = 0; k < 4; k++) {
        int code = displace(f, g, eta, offset[k] * e);
        if (!code) code = lg_field_rows(f, t + offset[k] * e, f->moved, f->rows, f->drift);
        if (code) return code;
        for (size_t i = 0; i < mn; i++) dA[i] += weight[k] / e * f->rows[i];
        for (size_t i = 0; i < n; i++) dY[i] += weight[k] / e * f->drift[i];
    }
    return 0;
}
