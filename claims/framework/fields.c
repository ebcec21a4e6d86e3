/* SPDX-License-Identifier: BSD-3-Clause */
/* A system's fields for the ledger: by the system's callbacks, else by the ledger's own differences. */
#include "claims/framework/harness.h"

#define STEP 1e-3 /* of the central differences of order 6: truncation (1e-3)^6/140, rounding 2e-16/1e-3 */

/* Derivative of `count` numbers along e_i at g: the formula with f(+-e), f(+-2e), f(+-3e). `value` returns nonzero on
 * failure. */
typedef int (*point_fn)(const claim_system *s, double t, const double *g, double *out);

static int along(const claim_system *s, double t, const double *g, int i, int count, point_fn value, double *out)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    double xi[CLAIM_DIM] = {0}, moved[CLAIM_ELEMENT], plus[CLAIM_ROWS] = {0}, minus[CLAIM_ROWS] = {0};
    for (int k = 0; k < count; k++) out[k] = 0;
    for (int j = 1; j <= 3; j++) {
        xi[i] = j * STEP;
        if (lg_group_exp(s->G, moved, xi) != LG_OK || lg_group_compose(s->G, moved, g, moved) != LG_OK) return 1;
        if (value(s, t, moved, plus) != 0) return 1;
        xi[i] = -j * STEP;
        if (lg_group_exp(s->G, moved, xi) != LG_OK || lg_group_compose(s->G, moved, g, moved) != LG_OK) return 1;
        if (value(s, t, moved, minus) != 0) return 1;
        for (int k = 0; k < count; k++) out[k] += weight[j - 1] * (plus[k] - minus[k]) / STEP;
    }
    return 0;
}

static int position_at(const claim_system *s, double t, const double *g, double *out)
{
    const lg_call c = claim_call(s, (double[]){t});
    return s->S->callbacks.holonomic(&c, g, out);
}

static int potential_at(const claim_system *s, double t, const double *g, double *out)
{
    const lg_call c = claim_call(s, (double[]){t});
    return s->S->callbacks.potential(&c, g, out);
}

/* d phi (positions x n) and -phi_t. */
static void position_rows(const claim_system *s, double t, const double *g, double *A, double *b)
{
    const lg_call c = claim_call(s, (double[]){t});
    const int count = s->S->callbacks.holonomic_count;
    double later[CLAIM_ROWS] = {0}, earlier[CLAIM_ROWS] = {0};
    if (s->S->callbacks.holonomic_differential != NULL) {
        (void)s->S->callbacks.holonomic_differential(&c, g, A);
    } else {
        double column[CLAIM_ROWS];
        for (int i = 0; i < s->n; i++) {
            if (along(s, t, g, i, count, position_at, column) != 0) column[0] = NAN;
            for (int k = 0; k < count; k++) A[k * s->n + i] = column[k];
        }
    }
    if (!s->S->callbacks.time_dependent) return;
    if (s->S->callbacks.holonomic_rate != NULL) {
        (void)s->S->callbacks.holonomic_rate(&c, g, b);
        for (int k = 0; k < count; k++) b[k] = -b[k];
        return;
    }
    (void)position_at(s, t + STEP * 1e-2, g, later);
    (void)position_at(s, t - STEP * 1e-2, g, earlier);
    for (int k = 0; k < count; k++) b[k] = -(later[k] - earlier[k]) / (2e-2 * STEP);
}

int claim_rows(const claim_system *s, double t, const double *g, double *A, double *b)
{
    const lg_system *S = s->S;
    const lg_call c = claim_call(s, (double[]){t});
    double rows[CLAIM_ROWS * CLAIM_DIM] = {0}, right[CLAIM_ROWS] = {0}, Y[CLAIM_DIM] = {0};
    double *mu = rows + S->callbacks.holonomic_count * s->n;
    if (S->callbacks.holonomic_count > 0) position_rows(s, t, g, rows, right);
    if (S->constraint_count > 0 && S->callbacks.covectors != NULL) {
        if (S->callbacks.covectors(&c, g, mu, Y) != 0) mu[0] = NAN;
    } else if (S->constraint_count > 0) {
        memcpy(mu, S->covector_matrix, (size_t)(S->constraint_count * s->n) * sizeof *mu);
        if (S->callbacks.drift != NULL && S->callbacks.drift(&c, g, Y) != 0) Y[0] = NAN;
    }
    for (int k = 0; k < S->constraint_count; k++)
        for (int i = 0; i < s->n; i++) right[S->callbacks.holonomic_count + k] += mu[k * s->n + i] * Y[i];
    if (A != NULL) memcpy(A, rows, (size_t)(s->m * s->n) * sizeof *A);
    if (b != NULL) memcpy(b, right, (size_t)s->m * sizeof *b);
    return s->m;
}

void claim_metric(const claim_system *s, double t, const double *g, double *J)
{
    const lg_call c = claim_call(s, (double[]){t});
    const int n = s->n;
    memset(J, 0, (size_t)(n * n) * sizeof *J);
    if (s->S->callbacks.metric != NULL) {
        if (s->S->callbacks.metric(&c, g, J) != 0) J[0] = NAN;
    } else if (s->S->inertia != NULL) {
        memcpy(J, s->S->inertia, (size_t)(n * n) * sizeof *J);
    } else {
        for (int i = 0; i < n; i++) J[i * n + i] = s->S->inertia_diagonal[i];
    }
}

void claim_gradient(const claim_system *s, double t, const double *g, double *dV)
{
    const lg_call c = claim_call(s, (double[]){t});
    memset(dV, 0, (size_t)s->n * sizeof *dV);
    if (s->S->callbacks.potential_gradient != NULL) {
        if (s->S->callbacks.potential_gradient(&c, g, dV) != 0) dV[0] = NAN;
    } else if (s->S->callbacks.potential != NULL) {
        for (int i = 0; i < s->n; i++)
            if (along(s, t, g, i, 1, potential_at, &dV[i]) != 0) dV[i] = NAN;
    }
}

int claim_momentum_of(claim_report *r, const claim_system *s, double t, const double *g, const double *xi, double *p)
{
    double J[CLAIM_DIM * CLAIM_DIM];
    claim_metric(s, t, g, J);
    for (int i = 0; i < s->n; i++) {
        p[i] = 0;
        for (int j = 0; j < s->n; j++) p[i] += J[i * s->n + j] * xi[j];
        if (isnan(p[i])) {
            claim_trouble(r, "the metric of %s has no value", s->name);
            return 0;
        }
    }
    return 1;
}
