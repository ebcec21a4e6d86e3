/* SPDX-License-Identifier: BSD-3-Clause */
/* Inverts F^-L_d: A*_q <- source^-1(q). The unknown is eta in g = sigma(q, eta), which starts from the free motion h
 * J^-1 p^-; the Jacobian, -D_1 D_2 L_d, comes from rough differences at the start of each step, so that a step depends
 * on the state alone. Broyden's updates then improve it, and it is recomputed if corrections do not shrink. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "groupoids/gni.h"

#define HALVINGS 6
#define NOISE    1e-6 /* corrections below this part of eta are not tested */

/* Largest entry in units of the scales. */
static double measure(const lg_groupoid_gni *it, const double *v)
{
    double largest = 0;
    for (int i = 0; i < it->slopes.S.groupoid->dim; i++) {
        double part = fabs(v[i]) / it->slopes.scales[i];
        if (!(part <= largest)) largest = part;
        if (isnan(largest)) return largest;
    }
    return largest;
}

static lg_status element(lg_groupoid_gni *it)
{
    const lg_groupoid *gpd = it->slopes.S.groupoid;
    lg_status status = gpd->section(gpd, it->next.g, it->now.x, it->s.eta, it->slopes.work);
    return status == LG_OK ? LG_OK : lg_fail(&it->error, status, "the groupoid '%s' has no section there", gpd->name);
}

/* R = F^-L_d(sigma(q, eta)) - p^-. */
static lg_status solver_residual(lg_groupoid_gni *it, double *R, int rough)
{
    lg_status status = element(it);
    it->slopes.accuracy = 0;
    if (status == LG_OK)
        status = rough ? lg_legendre_rough_minus(&it->slopes, it->next.g, R)
                       : lg_legendre_slope(&it->slopes, LG_MINUS, it->next.g, R);
    for (int i = 0; i < it->slopes.S.groupoid->dim && status == LG_OK; i++) R[i] -= it->now.p_minus[i];
    return status;
}

/* H = (dR/d eta)^-1 by central differences. */
static lg_status jacobian(lg_groupoid_gni *it)
{
    const lg_gni_scratch *s = &it->s;
    const int n = it->slopes.S.groupoid->dim;
    for (int j = 0; j < n; j++) {
        const double keep = s->eta[j], e = LG_ROUGH_STEP * it->slopes.scales[j];
        s->eta[j] = keep + e;
        lg_status status = solver_residual(it, s->v, 1);
        s->eta[j] = keep - e;
        if (status == LG_OK) status = solver_residual(it, s->w, 1);
        s->eta[j] = keep;
        if (status != LG_OK) return status;
        for (int i = 0; i < n; i++) s->M[i * n + j] = (s->v[i] - s->w[i]) / (2 * e);
    }
    if (lg_lu_factor(s->M, s->pivots, n) != LG_OK)
        return lg_fail(&it->error, LG_ERROR_SINGULAR,
                       "the discrete Lagrangian is not regular: the Jacobian of F^-L_d is singular");
    lg_lu_inverse(s->H, s->M, s->pivots, n);
    return LG_OK;
}

/* Broyden's good update of H for a correction s that changed the residual by y. */
static void broyden(const lg_gni_scratch *w, const double *s, const double *y, int n)
{
    double *Hy = w->v, *sH = w->w;
    lg_matvec(Hy, w->H, y, n, n);
    double denominator = lg_dot(s, Hy, n);
    if (!(fabs(denominator) > 1e-3 * lg_dot(s, s, n))) return;
    lg_matvec_transposed(sH, w->H, s, n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) w->H[i * n + j] += (s[i] - Hy[i]) * sH[j] / denominator;
}

/* s = -H R, halved while that makes |H R| larger or leads out of L_d's domain (the natural monotonicity test; not in
 * the noise); eta += s; R <- the residual there, trial <- its change. */
static lg_status correct(lg_groupoid_gni *it)
{
    const lg_gni_scratch *s = &it->s;
    const int n = it->slopes.S.groupoid->dim;
    lg_status status = LG_OK;
    lg_matvec(s->s, s->H, s->R, n, n);
    memcpy(s->from, s->eta, sz(n) * sizeof(double));
    const double size = measure(it, s->s);
    for (int halvings = 0; halvings <= HALVINGS; halvings++) {
        for (int i = 0; i < n; i++) {
            s->s[i] *= halvings ? 0.5 : -1;
            s->eta[i] = s->from[i] + s->s[i];
        }
        status = solver_residual(it, s->trial, 0);
        if (status == LG_ERROR_NOT_FINITE || status == LG_ERROR_DOMAIN) continue;
        if (status != LG_OK || size <= NOISE * measure(it, s->eta)) break;
        lg_matvec(s->v, s->H, s->trial, n, n);
        if (measure(it, s->v) <= size) break;
    }
    for (int i = 0; i < n && status == LG_OK; i++) {
        const double now = s->trial[i];
        s->trial[i] -= s->R[i];
        s->R[i] = now;
    }
    return status;
}

static lg_status no_convergence(lg_groupoid_gni *it, double size, double scale)
{
    return lg_fail(
        &it->error, LG_ERROR_CONVERGENCE,
        "the next element was not found after %d corrections: the last one is %.1e, |eta| is %.1e, differences "
        "have an error of %.1e; take a smaller step, or give slopes",
        it->next.iterations, size, scale, it->slopes.accuracy);
}

/* Far out, a value that is not finite means that Newton's method diverges, not that a callback failed. */
static int ran_away(const lg_groupoid_gni *it, lg_status status)
{
    return (status == LG_ERROR_NOT_FINITE || status == LG_ERROR_DOMAIN) && !(measure(it, it->s.eta) < 1e8);
}

lg_status lg_gni_solve(lg_groupoid_gni *it)
{
    const lg_gni_scratch *s = &it->s;
    const int n = it->slopes.S.groupoid->dim;
    double last = INFINITY, size = 0, scale = 0;
    it->next.iterations = 0;
    lg_matvec(s->eta, it->now.Jinv, it->now.p_minus, n, n);
    for (int i = 0; i < n; i++) s->eta[i] *= it->h;
    const double length = measure(it, s->eta); /* L_d is not quadratic beyond its scale: the guess would be too long */
    for (int i = 0; i < n && length > 1; i++) s->eta[i] /= length;
    lg_status status = solver_residual(it, s->R, 0);
    if (status == LG_OK) status = jacobian(it);
    if (status != LG_OK) return status;
    while (it->next.iterations < it->iterations_max) {
        it->next.iterations++;
        status = correct(it);
        if (ran_away(it, status)) break;
        if (status != LG_OK) return status;
        size = measure(it, s->s), scale = measure(it, s->eta);
        const int small = size <= it->tolerance * fmax(scale, 1e-3), stalled = size >= 0.5 * last;
        if (size <= 4 * DBL_EPSILON * scale || (small && stalled)) return LG_OK;
        if (stalled) {
            if (!(size < 1e100)) break;
            status = jacobian(it);
            if (status != LG_OK) return status;
        } else if (!small) { /* an update from round-off would spoil H */
            broyden(s, s->s, s->trial, n);
        }
        last = size;
    }
    return no_convergence(it, size, scale);
}
