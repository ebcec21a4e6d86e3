/* SPDX-License-Identifier: BSD-3-Clause */
/* The least squares of an identification: derivatives by differences of runs, and corrections after Levenberg and
 * Marquardt (More, The Levenberg-Marquardt algorithm, 1978) in the singular vectors of the scaled derivative. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/lane.h"
#include "run/identification_private.h"
#include "run/model_private.h"

/* Differences of order 4: what is measured changes by CHANGE of its size, or at least by something between. */
static const double CHANGE = 5e-3, LEAST_CHANGE = 1e-4, MOST_CHANGE = 2e-2;
static const double LONGEST = 1e-2;      /* the step of a difference, of the scale */
static const double UNDETERMINED = 1e-7; /* of the largest singular value; differences are not better */
enum { TRIALS = 30, SWEEPS = 60, AGAIN = 6 };

/* ---- derivatives ---- */

static lg_status identification_neighbour(lg_identification *id, double *r, int j, double by)
{
    memcpy(id->trial_x, id->x, sz(id->P) * sizeof *id->x);
    id->trial_x[j] += by;
    const lg_status st = lg_identification_evaluate(id, id->trial_x, id->trial_predicted, r);
    if (st == LG_OK) return LG_OK;
    char why[LG_MESSAGE_SIZE];
    lg_text_copy(why, sizeof why, id->error.message);
    return lg_fail(&id->error, st, "lg_identification_solve: with %s = %.9g: %s", id->unknown[j].name, id->trial_x[j],
                   why);
}

/* The change of the residual at place k, of an angle also on both sides of pi. */
static double identification_change(const lg_identification *id, const double *up, const double *down, int k)
{
    const int i = k % id->C;
    const double change = up[k] - down[k], sigma = id->sigma[i];
    return id->column[i].kind == LG_MEASURED_ANGLE ? remainder(change * sigma, 2 * LG_PI) / sigma : change;
}

/* The step for which changes have a good size, from those of the present one. */
static double identification_adapt(const lg_identification *id, int j, const double *up, const double *down)
{
    const double h = id->h[j], longest = LONGEST * id->unknown[j].scale;
    double change = 0;
    for (int k = 0; k < id->M; k++)
        change = lg_larger(change, fabs(identification_change(id, up, down, k)) * id->sigma[k % id->C] /
                                       id->column[k % id->C].size);
    if (change > MOST_CHANGE) return h * CHANGE / change;
    if (change < LEAST_CHANGE && h < longest) return change > 0 ? fmin(longest, h * CHANGE / change) : longest;
    return h;
}

/* Column j of J: (8 [r(h) - r(-h)] - [r(2h) - r(-2h)]) / 12 h. */
static lg_status identification_differentiate(lg_identification *id, int j)
{
    static const double weight[] = {8, -1};
    double *column = id->J + sz(j) * sz(id->M), *up = id->J + sz(id->P) * sz(id->M), *down = id->trial_r;
    memset(column, 0, sz(id->M) * sizeof *column);
    for (int m = 1, again = 0; m <= 2; m++) {
        lg_status st = identification_neighbour(id, up, j, m * id->h[j]);
        if (st == LG_OK) st = identification_neighbour(id, down, j, -m * id->h[j]);
        if (st != LG_OK) return st;
        const double h = m == 1 && again < AGAIN ? identification_adapt(id, j, up, down) : id->h[j];
        if (h != id->h[j]) {
            id->h[j] = h, m = 0, again++;
            continue;
        }
        for (int k = 0; k < id->M; k++) column[k] += weight[m - 1] * identification_change(id, up, down, k) / (12 * h);
    }
    return LG_OK;
}

/* ---- factorisations ---- */

/* Householder's reflections, column by column: J becomes R, and the last column Q^T r. */
static void identification_reduce(lg_identification *id)
{
    const int M = id->M, P = id->P;
    for (int j = 0; j < P; j++) {
        double *v = id->J + sz(j) * sz(M), top = 0;
        const double norm = sqrt(lg_dot(v + j, v + j, M - j));
        if (norm == 0) continue;
        const double alpha = v[j] > 0 ? -norm : norm;
        top = v[j] - alpha;
        const double square = norm * (norm + fabs(v[j])); /* half of |v|^2 */
        v[j] = top;
        for (int k = j + 1; k <= P; k++) {
            double *w = id->J + sz(k) * sz(M);
            const double factor = lg_dot(v + j, w + j, M - j) / square;
            for (int i = j; i < M; i++) w[i] -= factor * v[i];
        }
        v[j] = alpha;
        for (int i = j + 1; i < M; i++) v[i] = 0;
    }
}

/* Rotates columns a and b of length P by the angle that makes those of B orthogonal; 1: they were. */
static int identification_rotate(double *B, double *V, int P, int a, int b)
{
    double *x = B + a * P, *y = B + b * P;
    const double xx = lg_dot(x, x, P), yy = lg_dot(y, y, P), xy = lg_dot(x, y, P);
    if (fabs(xy) <= 1e-15 * sqrt(xx * yy)) return 1;
    const double zeta = (yy - xx) / (2 * xy);
    const double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    const double c = 1 / sqrt(1 + t * t), s = c * t;
    for (int k = 0; k < P; k++) {
        const double u = x[k], v = V[a * P + k];
        x[k] = c * u - s * y[k], y[k] = s * u + c * y[k];
        V[a * P + k] = c * v - s * V[b * P + k], V[b * P + k] = s * v + c * V[b * P + k];
    }
    return 0;
}

static void identification_swap(double *a, double *b, int n)
{
    for (int k = 0; k < n; k++) {
        const double kept = a[k];
        a[k] = b[k], b[k] = kept;
    }
}

/* R with columns of length 1 = U singular V^T, the largest singular value first (one-sided Jacobi). */
static void identification_decompose(lg_identification *id)
{
    const int M = id->M, P = id->P;
    lg_set_identity(id->V, P);
    for (int j = 0; j < P; j++) {
        const double *R = id->J + sz(j) * sz(M), length = sqrt(lg_dot(R, R, P));
        id->length[j] = length > 0 ? length : 1;
        for (int i = 0; i < P; i++) id->B[j * P + i] = R[i] / id->length[j];
    }
    for (int sweep = 0, still = 0; sweep < SWEEPS && !still; sweep++) {
        still = 1;
        for (int a = 0; a < P; a++)
            for (int b = a + 1; b < P; b++) still &= identification_rotate(id->B, id->V, P, a, b);
    }
    for (int j = 0; j < P; j++) id->singular[j] = sqrt(lg_dot(id->B + j * P, id->B + j * P, P));
    for (int a = 0; a < P; a++)
        for (int b = a + 1; b < P; b++)
            if (id->singular[b] > id->singular[a]) {
                identification_swap(&id->singular[a], &id->singular[b], 1);
                identification_swap(id->B + a * P, id->B + b * P, P);
                identification_swap(id->V + a * P, id->V + b * P, P);
            }
    id->rank = 0;
    const double *q = id->J + sz(P) * sz(M);
    for (int j = 0; j < P && id->singular[j] > UNDETERMINED * id->singular[0]; j++, id->rank++)
        id->share[j] = lg_dot(id->B + j * P, q, P) / id->singular[j];
}

static lg_status identification_linearise(lg_identification *id)
{
    for (int j = 0; j < id->P; j++) {
        const lg_status st = identification_differentiate(id, j);
        if (st != LG_OK) return st;
    }
    memcpy(id->J + sz(id->P) * sz(id->M), id->r, sz(id->M) * sizeof *id->r);
    identification_reduce(id);
    identification_decompose(id);
    return LG_OK;
}

/* ---- corrections ---- */

/* step = the damped correction; its largest entry relative to its scale. *gain = what chi^2 loses with it if r is
 * linear. */
static double identification_correct(lg_identification *id, double damping, double *gain)
{
    const int P = id->P;
    double most = 0;
    memset(id->step, 0, sz(P) * sizeof *id->step);
    *gain = 0;
    for (int k = 0; k < id->rank; k++) {
        const double s = id->singular[k], y = -id->share[k] * s / (s * s + damping);
        *gain -= 2 * s * id->share[k] * y + s * s * y * y;
        for (int j = 0; j < P; j++) id->step[j] += id->V[k * P + j] * y / id->length[j];
    }
    for (int j = 0; j < P; j++) most = lg_larger(most, fabs(id->step[j]) / id->unknown[j].scale);
    return most;
}

/* Tries x + step; chi^2 there, or INFINITY where no run is possible. */
static double identification_try(lg_identification *id)
{
    for (int j = 0; j < id->P; j++) id->trial_x[j] = id->x[j] + id->step[j];
    const lg_status st = lg_identification_evaluate(id, id->trial_x, id->trial_predicted, id->trial_r);
    const double chi2 = st == LG_OK ? lg_dot(id->trial_r, id->trial_r, id->M) : INFINITY;
    return isfinite(chi2) ? chi2 : INFINITY;
}

static void identification_accept(lg_identification *id, double chi2)
{
    memcpy(id->x, id->trial_x, sz(id->P) * sizeof *id->x);
    memcpy(id->predicted, id->trial_predicted, sz(id->M) * sizeof *id->predicted);
    memcpy(id->r, id->trial_r, sz(id->M) * sizeof *id->r);
    id->chi2 = chi2;
}

/* An iteration; *done = 1: its whole correction is below the tolerance. */
static lg_status identification_iterate(lg_identification *id, double *damping, double tolerance, int *done)
{
    double gain;
    lg_status st = identification_linearise(id);
    if (st != LG_OK) return st;
    id->correction = identification_correct(id, 0, &gain);
    if (id->correction <= tolerance) {
        const double chi2 = identification_try(id);
        if (chi2 <= id->chi2) identification_accept(id, chi2);
        *done = 1;
        return LG_OK;
    }
    for (int trial = 0; trial < TRIALS; trial++) {
        (void)identification_correct(id, *damping, &gain);
        const double chi2 = identification_try(id), share = (id->chi2 - chi2) / gain;
        if (share > 1e-4) {
            *damping = share > 0.75 ? *damping * 0.1 : share < 0.25 ? *damping * 4 : *damping;
            if (*damping < 1e-12) *damping = 0;
            identification_accept(id, chi2);
            return LG_OK;
        }
        *damping = *damping > 0 ? *damping * 8 : 1e-6;
    }
    char why[LG_MESSAGE_SIZE];
    lg_text_copy(why, sizeof why, id->error.message);
    return lg_fail(
        &id->error, LG_ERROR_CONVERGENCE,
        "lg_identification_solve: no correction makes chi^2 = %.6g smaller; the best one is %.1e of the scales%s%s",
        id->chi2, id->correction, why[0] ? "; last run: " : "", why);
}

/* Names the combination of the unknowns that the data determine least. */
static lg_status identification_name(lg_identification *id)
{
    const int P = id->P;
    const double *v = id->V + (P - 1) * P;
    char names[LG_MESSAGE_SIZE / 4] = "", numbers[LG_MESSAGE_SIZE / 4] = "";
    double most = 0;
    for (int j = 0; j < P; j++) most = fabs(v[j] / id->length[j]) > fabs(most) ? v[j] / id->length[j] : most;
    for (int j = 0, named = 0; j < P; j++) {
        const double part = v[j] / id->length[j] / most;
        const size_t a = strlen(names), b = strlen(numbers);
        if (fabs(part) < 1e-4) continue;
        if (named >= 8 || a + 48 > sizeof names) break;
        snprintf(names + a, sizeof names - a, "%s%.40s", named ? ", " : "", id->unknown[j].name);
        snprintf(numbers + b, sizeof numbers - b, "%s%.4g", named ? ", " : "", part);
        named++;
    }
    return lg_fail(&id->error, LG_ERROR_SINGULAR,
                   "lg_identification_solve: the data determine %d of %d combinations: they stay the same when (%s) "
                   "change along (%s); fix one of these, or measure more",
                   id->rank, P, names, numbers);
}

lg_status lg_identification_solve(lg_identification *id, int iterations, double tolerance)
{
    double damping = 1e-3;
    int done = 0;
    if (!id || !id->model) return LG_ERROR_ARGUMENT;
    lg_error_clear(&id->error);
    if (iterations < 1)
        return lg_fail(&id->error, LG_ERROR_ARGUMENT, "lg_identification_solve: %d iterations; expected at least 1",
                       iterations);
    if (!(tolerance >= 1e-12 && tolerance <= 0.1))
        return lg_fail(&id->error, LG_ERROR_ARGUMENT,
                       "lg_identification_solve: tolerance %g; expected one within 1e-12 and 0.1", tolerance);
    id->solved = 0;
    for (id->iterations = 0; id->iterations < iterations && !done; id->iterations++) {
        const lg_status st = identification_iterate(id, &damping, tolerance, &done);
        if (st != LG_OK) return st;
    }
    if (!done)
        return lg_fail(
            &id->error, LG_ERROR_CONVERGENCE,
            "lg_identification_solve: no minimum after %d iterations; chi^2 = %.6g, the last correction was %.1e "
            "of the scales, more than %g",
            iterations, id->chi2, id->correction, tolerance);
    if (id->rank < id->P) return identification_name(id);
    lg_error_clear(&id->error);
    id->solved = 1;
    return LG_OK;
}
