/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanics/field.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "mechanics/difference.h"
#include "retractions/retraction.h"

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

/* Are the rates of rows and drift known without differences? */
static int knows_rates(const lg_callbacks *c)
{
    return c->covectors_derivative && (c->covectors_rate || !c->time_dependent);
}

/* The number of rates of rows and drift that depend on the configuration or the time. */
static int varying_rows(const lg_field *f)
{
    const lg_callbacks *c = &f->S->callbacks;
    return c->covectors || c->drift ? (f->m + 1) * f->n : 0;
}

/* The number of rates of rows and drift that are computed by differences. */
static int differenced_rows(const lg_field *f)
{
    return knows_rates(&f->S->callbacks) ? 0 : varying_rows(f);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The scratch of the largest difference below. */
static size_t differences_size(const lg_field *f)
{
    const lg_callbacks *c = &f->S->callbacks;
    const int vector = c->metric || c->potential_hessian ? f->n : 1, rows = differenced_rows(f);
    const int functions = f->holonomic && !c->holonomic_differential ? f->holonomic : 1;
    const size_t rates = lg_difference_size(rows > vector ? rows : vector, 1);
    return larger(larger(rates, lg_difference_size(f->holonomic, 1)), lg_difference_size(functions, f->n));
}

/* The scratch of the largest sample below. */
static size_t sample_size(const lg_field *f)
{
    const size_t n = sz(f->n), metric = f->S->callbacks.metric ? n * n + 1 : 1;
    return larger(larger(metric, n), larger(sz(differenced_rows(f)), sz(f->holonomic)));
}

static inline void field_carve(lg_field *f, lg_arena *a, double *(*take)(lg_arena *, size_t))
{
    const size_t n = sz(f->n), element_size = sz(f->element_size);
    if (!needs_differences(f->S)) return;
    f->eta = take(a, n);
    f->step = take(a, element_size);
    f->moved = take(a, element_size);
    f->phi_rows = take(a, f->S->callbacks.holonomic_differential ? sz(f->holonomic) * n : 0);
    f->rates = take(a, sz(varying_rows(f)));
    f->values = take(a, sample_size(f));
    f->differences = take(a, differences_size(f));
}

void lg_field_carve(lg_field *f, lg_arena *a)
{
    field_carve(f, a, lg_take_doubles);
}

void lg_field_part(lg_field *f, lg_arena *a)
{
    field_carve(f, a, lg_part_doubles);
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

int lg_field_failed_to_move(lg_field *f, lg_status st)
{
    return failed(f, "the retraction that displaces a configuration for differences", (int)st);
}

int lg_field_move(lg_field *f, double *moved, const double *g, const double *eta)
{
    const lg_group *G = f->S->group;
    lg_status st = lg_retraction_tau_with(f->r, G, f->step, eta, f->work);
    if (st == LG_OK) st = G->compose(G, moved, g, f->step, f->work);
    return lg_field_failed_to_move(f, st);
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
    if (S->covector_matrix)
        memcpy(A, S->covector_matrix, sz(f->m * f->n) * sizeof *A);
    else /* instances side by side have their own; of constants only the derivative is asked for */
        memset(A, 0, sz(f->m * f->n) * sizeof *A);
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

static int sample_potential(lg_field *f, const lg_difference *d, double t, double *V)
{
    (void)d;
    return lg_field_potential(f, t, f->moved, V);
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
    const lg_difference d = {.sample = sample_potential, .t = t, .g = g, .count = 1, .axes = 1};
    const int code = lg_difference_all(f, &d, dV);
    f->force_noise = fmax(f->force_noise, f->found.noise);
    return code;
}

static int sample_gradient(lg_field *f, const lg_difference *d, double t, double *dV)
{
    lg_call c = lg_field_call(f, &t);
    (void)d;
    memset(dV, 0, sz(f->n) * sizeof *dV);
    return failed(f, "potential_gradient", f->S->callbacks.potential_gradient(&c, f->moved, dV));
}

int lg_field_gradient_rate(lg_field *f, double t, const double *g, const double *eta, double *rate)
{
    const lg_difference d = {.sample = sample_gradient, .t = t, .g = g, .eta = eta, .count = f->n, .sized = 1};
    return lg_difference_all(f, &d, rate);
}

static double quadratic_form(const double *J, const double *xi, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) s += xi[i] * J[i * n + j] * xi[j];
    return s;
}

/* The sample of T, with the metric in scratch behind it. */
static int sample_kinetic_energy(lg_field *f, const lg_difference *d, double t, double *T)
{
    const int code = lg_field_metric(f, t, f->moved, T + 1);
    *T = 0.5 * quadratic_form(T + 1, d->xi, f->n);
    return code;
}

int lg_field_metric_gradient(lg_field *f, double t, const double *g, const double *xi, double *dT)
{
    const lg_system *S = f->S;
    lg_call c = lg_field_call(f, &t);
    memset(dT, 0, sz(f->n) * sizeof *dT);
    if (!S->callbacks.metric) return 0;
    if (S->callbacks.metric_gradient) return failed(f, "metric_gradient", S->callbacks.metric_gradient(&c, g, xi, dT));
    const lg_difference d = {
        .sample = sample_kinetic_energy, .t = t, .g = g, .xi = xi, .count = 1, .axes = 1, .sized = 1};
    const int code = lg_difference_all(f, &d, dT);
    f->force_noise = fmax(f->force_noise, f->found.noise);
    return code;
}

static int sample_metric(lg_field *f, const lg_difference *d, double t, double *J)
{
    (void)d;
    return lg_field_metric(f, t, f->moved, J);
}

int lg_field_metric_rate(lg_field *f, double t, const double *g, const double *xi, double *dJxi)
{
    const lg_difference d = {.sample = sample_metric,
                             .t = t,
                             .g = g,
                             .eta = xi,
                             .factors = xi,
                             .count = f->n,
                             .timed = f->S->callbacks.time_dependent,
                             .sized = 1};
    memset(dJxi, 0, sz(f->n) * sizeof *dJxi);
    return f->S->callbacks.metric ? lg_difference_all(f, &d, dJxi) : 0;
}

/* The sample of rows, then drift. */
static int sample_rows(lg_field *f, const lg_difference *d, double t, double *rows)
{
    (void)d;
    return lg_field_rows(f, t, f->moved, rows, rows + f->m * f->n);
}

/* Sets the rates to 0; returns 0 if rows and drift are constant. */
static int clear_rates(const lg_field *f, double *dA, double *dY)
{
    memset(dA, 0, sz(f->m * f->n) * sizeof *dA);
    memset(dY, 0, sz(f->n) * sizeof *dY);
    return f->S->callbacks.covectors || f->S->callbacks.drift;
}

/* Rates along eta, if that is not NULL, and along time, if `timed`. */
static int difference_rows(lg_field *f, double t, const double *g, const double *eta, int timed, double *dA, double *dY)
{
    const size_t rows = sz(f->m * f->n), n = sz(f->n);
    const lg_difference d = {
        .sample = sample_rows, .t = t, .g = g, .eta = eta, .count = (f->m + 1) * f->n, .timed = timed, .sized = 1};
    const int code = lg_difference_all(f, &d, f->rates);
    memcpy(dA, f->rates, rows * sizeof *dA);
    memcpy(dY, f->rates + rows, n * sizeof *dY);
    return code;
}

int lg_field_rows_partial(lg_field *f, double t, const double *g, double *dA, double *dY)
{
    const lg_callbacks *S = &f->S->callbacks;
    lg_call c = lg_field_call(f, &t);
    if (!clear_rates(f, dA, dY)) return 0;
    if (S->covectors_rate) return failed(f, "covectors_rate", S->covectors_rate(&c, g, dA, dY));
    return S->time_dependent ? difference_rows(f, t, g, NULL, 1, dA, dY) : 0;
}

/* Uses both derivatives if they are known, else differences along the motion. */
int lg_field_rows_rate(lg_field *f, double t, const double *g, const double *eta, double *dA, double *dY)
{
    const lg_callbacks *S = &f->S->callbacks;
    const int rows = f->m * f->n;
    lg_call c = lg_field_call(f, &t);
    if (!clear_rates(f, dA, dY)) return 0;
    if (!knows_rates(S)) return difference_rows(f, t, g, eta, S->time_dependent, dA, dY);
    int code = failed(f, "covectors_derivative", S->covectors_derivative(&c, g, eta, dA, dY));
    if (code || !S->time_dependent) return code;
    code = lg_field_rows_partial(f, t, g, f->rates, f->rates + rows);
    for (int i = 0; i < rows; i++) dA[i] += f->rates[i];
    for (int i = 0; i < f->n; i++) dY[i] += f->rates[rows + i];
    return code;
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

static int sample_holonomic(lg_field *f, const lg_difference *d, double t, double *phi)
{
    (void)d;
    return lg_field_holonomic(f, t, f->moved, phi);
}

int lg_field_holonomic_rows(lg_field *f, double t, const double *g, double *rows)
{
    const lg_system *S = f->S;
    lg_call c = lg_field_call(f, &t);
    if (!f->holonomic) return 0;
    memset(rows, 0, sz(f->holonomic * f->n) * sizeof *rows);
    if (S->callbacks.holonomic_differential)
        return failed(f, "holonomic_differential", S->callbacks.holonomic_differential(&c, g, rows));
    const lg_difference d = {.sample = sample_holonomic, .t = t, .g = g, .count = f->holonomic, .axes = 1};
    const int code = lg_difference_all(f, &d, rows);
    f->row_noise = fmax(f->row_noise, f->found.relative);
    return code;
}

int lg_field_holonomic_rate(lg_field *f, double t, const double *g, double *rate)
{
    const lg_system *S = f->S;
    lg_call c = lg_field_call(f, &t);
    if (!f->holonomic) return 0;
    memset(rate, 0, sz(f->holonomic) * sizeof *rate);
    if (S->callbacks.holonomic_rate) return failed(f, "holonomic_rate", S->callbacks.holonomic_rate(&c, g, rate));
    if (!S->callbacks.time_dependent) return 0;
    const lg_difference d = {.sample = sample_holonomic, .t = t, .g = g, .count = f->holonomic, .timed = 1};
    return lg_difference_all(f, &d, rate);
}

/* The sample d phi.xi + phi_t. */
static int sample_hidden(lg_field *f, const lg_difference *d, double t, double *s)
{
    int code = lg_field_holonomic_rows(f, t, f->moved, f->phi_rows);
    if (!code) code = lg_field_holonomic_rate(f, t, f->moved, s);
    for (int a = 0; !code && a < f->holonomic; a++)
        for (int i = 0; i < f->n; i++) s[a] += f->phi_rows[a * f->n + i] * d->xi[i];
    return code;
}

/* Without a callback: from d phi if that and phi_t are known, else from phi alone; differences of differences would be
 * too inexact. */
int lg_field_hidden_rate(lg_field *f, double t, const double *g, const double *xi, double *rate)
{
    const lg_system *S = f->S;
    const int timed = S->callbacks.time_dependent;
    const int alone = !S->callbacks.holonomic_differential || (timed && !S->callbacks.holonomic_rate);
    const lg_difference d = {.sample = alone ? sample_holonomic : sample_hidden,
                             .t = t,
                             .g = g,
                             .eta = xi,
                             .xi = xi,
                             .count = f->holonomic,
                             .order = alone ? LG_SECOND_6 : LG_FIRST_6,
                             .timed = timed};
    if (!f->holonomic) return 0;
    memset(rate, 0, sz(f->holonomic) * sizeof *rate);
    if (S->callbacks.holonomic_acceleration) {
        lg_call c = lg_field_call(f, &t);
        return failed(f, "holonomic_acceleration", S->callbacks.holonomic_acceleration(&c, g, xi, rate));
    }
    return lg_difference_all(f, &d, rate);
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
