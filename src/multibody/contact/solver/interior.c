/* SPDX-License-Identifier: BSD-3-Clause */
/* An interior point of the conditions of Howell et al., "Dojo: a differentiable physics engine" (2022),
 * arXiv:2203.00806: friction as maximum dissipation, smooth in all unknowns. v = (s, u_t) follows u = b + W P. With
 * kappa_i = kappa/d_i,
 *   (P_n - low) s = kappa_i,   R psi + P_t . u_t = kappa_i,   R u_t + psi P_t = 0,   R = mu P_n;
 * an interval [low, high] is a disc of constant radius about its middle. Linearised, with right hand sides e0, e1, e2,
 *   dP_n = (e0 - p ds)/s,   A dP_t = e2 - P_t e1/R - B du_t - a dP_n,   dpsi = (e1 - psi dR - P_t . du_t - u_t .
 * dP_t)/R, A = psi I - P_t u_t^T/R,   B = R I - P_t P_t^T/R,   a = mu (u_t - P_t psi/R). Predictor and corrector of
 * Mehrotra. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "multibody/contact/solver/work.h"

enum { MOST = 100 };

/* The numbers of one contact, or their changes. */
typedef struct part {
    int pair, disc, first; /* has a pair (p, s); a disc, which begins at this row */
    double p, s, R, t[2], u[2], psi;
} part;

static int is_interval(const mb_ncp_contact *c)
{
    return c->high < (double)INFINITY;
}

static double middle(const mb_ncp_contact *c)
{
    return (c->low + c->high) / 2;
}

static part kinds(const mb_ncp_contact *c)
{
    const int interval = is_interval(c);
    part a = {0};
    a.pair = !interval;
    a.disc = interval ? c->high > c->low : c->rows > 1 && c->friction > 0;
    a.first = interval ? 0 : 1;
    return a;
}

static part get_state(const mb_ncp_work *w, const mb_ncp *p, int i)
{
    const mb_ncp_contact *c = &p->contact[i];
    const double *P = w->interior.P + c->at, *v = w->interior.v + c->at;
    part a = kinds(c);
    a.p = P[0] - c->low, a.s = v[0], a.psi = w->interior.psi[i];
    a.R = a.pair ? c->friction * P[0] : (c->high - c->low) / 2;
    for (int k = 0; k < 2 && a.first + k < c->rows; k++) {
        a.t[k] = P[a.first + k] - (a.pair ? 0 : middle(c));
        a.u[k] = v[a.first + k];
    }
    return a;
}

static part get_change(const mb_ncp_work *w, const mb_ncp *p, int i)
{
    const mb_ncp_contact *c = &p->contact[i];
    const double *P = w->interior.dP + c->at, *v = w->interior.dv + c->at;
    part a = kinds(c);
    a.p = P[0], a.s = v[0], a.psi = w->interior.dpsi[i], a.R = a.pair ? c->friction * P[0] : 0;
    for (int k = 0; k < 2 && a.first + k < c->rows; k++) a.t[k] = P[a.first + k], a.u[k] = v[a.first + k];
    return a;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

/* x <- A^-1 x. */
static void divide(const part *a, double *x)
{
    const double xx = a->psi - a->t[0] * a->u[0] / a->R, xy = -a->t[0] * a->u[1] / a->R;
    const double yx = -a->t[1] * a->u[0] / a->R, yy = a->psi - a->t[1] * a->u[1] / a->R;
    const double det = xx * yy - xy * yx, y = (xx * x[1] - yx * x[0]) / det;
    x[0] = (yy * x[0] - xy * x[1]) / det, x[1] = y;
}

/* a of the formulas. */
static void lean(double *x, const part *a, double mu)
{
    for (int k = 0; k < 2; k++) x[k] = mu * (a->u[k] - a->t[k] * a->psi / a->R);
}

/* ---- the linear system ---- */

static void set_blocks(mb_ncp_work *w, const mb_ncp *p)
{
    memset(w->K, 0, MB_NCP_BLOCK * sz(p->contacts) * sizeof *w->K);
    for (int i = 0; i < p->contacts; i++) {
        const part a = get_state(w, p, i);
        double *K = w->K + MB_NCP_BLOCK * i;
        if (a.pair) K[0] = a.p / a.s;
        for (int b = 0; b < 2 && a.disc; b++) { /* column b of A^-1 B */
            double x[2] = {-a.t[0] * a.t[b] / a.R, -a.t[1] * a.t[b] / a.R};
            x[b] += a.R;
            divide(&a, x);
            for (int k = 0; k < 2 && a.first + k < 3 && a.first + b < 3; k++) K[3 * (a.first + k) + a.first + b] = x[k];
        }
        if (a.disc && a.pair) {
            double x[2];
            lean(x, &a, p->contact[i].friction);
            divide(&a, x);
            K[3] = -x[0] * K[0], K[6] = -x[1] * K[0];
        }
    }
}

/* Right hand sides for this kappa; `corrected`: less the second order of the changes. */
static void set_targets(mb_ncp_work *w, const mb_ncp *p, double kappa, int corrected)
{
    for (int i = 0; i < p->contacts; i++) {
        const part a = get_state(w, p, i), c = get_change(w, p, i);
        double *e = w->interior.gap + 2 * i, *e2 = w->interior.e + 3 * i;
        e[0] = kappa / w->d[i] - a.p * a.s - corrected * c.p * c.s;
        e[1] = kappa / w->d[i] - a.R * a.psi - dot(a.t, a.u) - corrected * (c.R * c.psi + dot(c.t, c.u));
        for (int k = 0; k < 2; k++)
            e2[k] = -a.R * a.u[k] - a.psi * a.t[k] - corrected * (c.R * c.u[k] + c.psi * c.t[k]);
    }
}

/* The change of all unknowns. */
static void solve(mb_ncp_work *w, const mb_ncp *p)
{
    for (int i = 0; i < p->contacts; i++) {
        const mb_ncp_contact *c = &p->contact[i];
        const part a = get_state(w, p, i);
        const double *e = w->interior.gap + 2 * i, *e2 = w->interior.e + 3 * i;
        double k[4] = {0, 0, 0, 0}, x[2] = {0, 0};
        for (int r = 0; r < c->rows; r++)
            k[r] = (r == 0 ? c->low : 0) - w->interior.P[c->at + r]; /* rows that are given */
        if (a.pair) k[0] = e[0] / a.s;
        if (a.disc && a.pair) lean(x, &a, c->friction);
        for (int r = 0; r < 2; r++) x[r] = e2[r] - a.t[r] * e[1] / a.R - x[r] * k[0];
        if (a.disc) {
            divide(&a, x);
            k[a.first] = x[0], k[a.first + 1] = x[1];
        }
        mb_ncp_put(w->k, c, k);
    }
    p->kernel->solve(p->kernel, w->interior.dP, w->interior.dv, w->k, w->r);
    for (int i = 0; i < p->contacts; i++) {
        const part a = get_state(w, p, i), c = get_change(w, p, i);
        const double e = w->interior.gap[2 * i + 1] - a.psi * c.R - dot(a.t, c.u) - dot(a.u, c.t);
        w->interior.dpsi[i] = a.disc ? e / a.R : 0;
    }
}

/* ---- steps ---- */

/* The least s > 0 at which |t + s dt| = R + s dR. */
static double to_mantle(double R, double dR, const double *t, const double *dt)
{
    const double a = dot(dt, dt) - dR * dR, b = dot(t, dt) - R * dR, c = dot(t, t) - R * R; /* c < 0 */
    const double under = b * b - a * c;
    if (under < 0) return (double)INFINITY;
    const double q = b >= 0 ? -(b + sqrt(under)) : -b + sqrt(under);
    const double s = b >= 0 ? c / q : q / a;
    return s > 0 ? s : (double)INFINITY;
}

static double longest(const mb_ncp_work *w, const mb_ncp *p)
{
    double most = (double)INFINITY;
    for (int i = 0; i < p->contacts; i++) {
        const part a = get_state(w, p, i), c = get_change(w, p, i);
        if (a.pair && c.p < 0) most = fmin(most, -a.p / c.p);
        if (a.pair && c.s < 0) most = fmin(most, -a.s / c.s);
        if (!a.disc) continue;
        most = fmin(most, to_mantle(a.R, c.R, a.t, c.t));
        most = fmin(most, to_mantle(a.psi, c.psi, a.u, c.u));
    }
    return most;
}

/* The mean of the products after a step of this length, in units of velocity squared. */
static double mean(const mb_ncp_work *w, const mb_ncp *p, double step)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < p->contacts; i++) {
        const part a = get_state(w, p, i), c = get_change(w, p, i);
        if (a.pair) sum += w->d[i] * (a.p + step * c.p) * (a.s + step * c.s), count++;
        if (!a.disc) continue;
        double product = (a.R + step * c.R) * (a.psi + step * c.psi);
        for (int k = 0; k < 2; k++) product += (a.t[k] + step * c.t[k]) * (a.u[k] + step * c.u[k]);
        sum += w->d[i] * product, count++;
    }
    return count > 0 ? sum / count : 0;
}

/* ---- the method ---- */

static double begin(mb_ncp_work *w, const mb_ncp *p, double scale)
{
    double size = 1e-3 * p->speed;
    for (int i = 0; i < p->rows; i++) size = fmax(size, fabs(p->b[i]));
    size *= scale;
    memset(w->interior.P, 0, sz(p->rows) * sizeof *w->interior.P);
    memset(w->interior.v, 0, sz(p->rows) * sizeof *w->interior.v);
    memset(w->interior.dP, 0, sz(p->rows) * sizeof *w->interior.dP);
    memset(w->interior.dv, 0, sz(p->rows) * sizeof *w->interior.dv);
    for (int i = 0; i < p->contacts; i++) {
        const mb_ncp_contact *c = &p->contact[i];
        w->interior.P[c->at] = is_interval(c) ? middle(c) : c->low + size / w->d[i];
        w->interior.v[c->at] = is_interval(c) ? 0 : size;
        w->interior.psi[i] = kinds(c).disc ? size : 0;
        w->interior.dpsi[i] = 0;
    }
    return size;
}

static void advance(mb_ncp_work *w, const mb_ncp *p, double step)
{
    for (int i = 0; i < p->rows; i++) {
        w->interior.P[i] += step * w->interior.dP[i];
        w->interior.v[i] += step * w->interior.dv[i];
    }
    for (int i = 0; i < p->contacts; i++) w->interior.psi[i] += step * w->interior.dpsi[i];
}

void mb_ncp_interior(mb_ncp_work *w, const mb_ncp *p, double scale, double target)
{
    const double size = begin(w, p, scale);
    for (int i = 0; i < MOST; i++) {
        mb_ncp_move(w, p, &w->x, w->interior.P);
        if (w->x.residual <= target || !isfinite(w->x.residual)) return;
        for (int k = 0; k < p->rows; k++) w->r[k] = w->x.u[k] - w->interior.v[k];
        const double kappa = mean(w, p, 0);
        set_blocks(w, p);
        if (!mb_ncp_factor(w, p)) return;
        set_targets(w, p, 0, 0);
        solve(w, p);
        const double affine = fmin(1, longest(w, p)), ratio = mean(w, p, affine) / kappa;
        double sigma = fmin(1, fmax(1e-6, ratio * ratio * ratio));
        if (affine < 0.1) sigma = fmax(sigma, 0.5);
        set_targets(w, p, sigma * kappa, 1);
        solve(w, p);
        const double tau = fmin(0.999, fmax(0.95, 1 - kappa / (size * size)));
        double step = fmin(1, tau * longest(w, p));
        if (step < 0.1) { /* near the boundary: only towards the centre */
            memset(w->r, 0, sz(p->rows) * sizeof *w->r);
            set_targets(w, p, kappa, 0);
            solve(w, p);
            step = fmin(1, tau * longest(w, p));
        }
        if (!(step > 1e-10)) return;
        advance(w, p, step);
    }
}
