/* SPDX-License-Identifier: BSD-3-Clause */
/* Semi-smooth Newton on the natural map. The proximal term delta, centred at the present impulses, makes the systems of
 * redundant contacts regular; u is evaluated anew after each step, so delta costs speed and no accuracy. */
#include <math.h>
#include <string.h>

#include "multibody/contact/solver/work.h"

enum { LAST = 4, HALVINGS = 8 };

/* Tangents that slip at radius R, z_t = |z_t| t: with al = R/|z_t|, e = 1/(1 - al + delta), T = I - t t^T,
 *   dP_t = -(t t^T + e T) F_t/d + dR t - (al e/d) T du_t,   dR = mu (dP_n - du_n/d) where P_n > low. */
static void slip(double *K, double *k, double d, double delta, const double *z, double radius, const double *F)
{
    const double most = sqrt(z[0] * z[0] + z[1] * z[1]), al = radius / most, e = 1 / (1 - al + delta);
    const double t[2] = {z[0] / most, z[1] / most}, along = t[0] * F[1] + t[1] * F[2];
    for (int a = 0; a < 2; a++) {
        k[1 + a] = -(t[a] * along + e * (F[1 + a] - t[a] * along)) / d;
        for (int b = 0; b < 2; b++) K[3 * (1 + a) + 1 + b] = al * e / d * ((a == b) - t[a] * t[b]);
    }
}

static void linearise(double *K, double *k, const mb_ncp_contact *c, double d, double delta, const double *P,
                      const double *u, const double *F)
{
    const double q = 1 / (delta * d), normal = P[0] - u[0] / d, clamped = mb_ncp_clamp(c, normal);
    const double radius = c->friction * clamped, z[2] = {P[1] - u[1] / d, P[2] - u[2] / d};
    const double most = sqrt(z[0] * z[0] + z[1] * z[1]);
    const int held = normal > c->low && normal < c->high;
    memset(K, 0, MB_NCP_BLOCK * sizeof *K);
    k[0] = held ? -u[0] * q : clamped - P[0];
    K[0] = held ? q : 0;
    if (radius <= 0) {
        k[1] = -P[1], k[2] = -P[2];
    } else if (most <= radius) {
        k[1] = -u[1] * q, k[2] = -u[2] * q;
        K[4] = K[8] = q;
    } else {
        slip(K, k, d, delta, z, radius, F);
        for (int a = 1; held && a < 3; a++) {
            const double slope = c->friction * z[a - 1] / most;
            k[a] -= slope * u[0] * q;
            K[3 * a] = slope * (q + 1 / d);
        }
    }
}

static void linearise_all(mb_ncp_work *w, const mb_ncp *p, double delta)
{
    for (int i = 0; i < p->contacts; i++) {
        const mb_ncp_contact *c = &p->contact[i];
        double P[3], u[3], F[3], k[3];
        mb_ncp_get(P, c, w->x.P), mb_ncp_get(u, c, w->x.u), mb_ncp_get(F, c, w->x.F);
        linearise(w->K + MB_NCP_BLOCK * i, k, c, w->d[i], delta, P, u, F);
        mb_ncp_put(w->k, c, k);
    }
}

static void swap(mb_ncp_point *a, mb_ncp_point *b)
{
    const mb_ncp_point keep = *a;
    *a = *b, *b = keep;
}

/* The step dP, halved until the norm falls below the largest of the last ones; the best of the steps if none does. */
static int search(mb_ncp_work *w, const mb_ncp *p, double bound)
{
    double step = 1, least = (double)INFINITY, best = 0;
    for (int i = 0; i <= HALVINGS; i++) {
        const double s = i < HALVINGS ? step : best;
        if (s == 0) return 0;
        for (int k = 0; k < p->rows; k++) w->trial.P[k] = w->x.P[k] + s * w->dP[k];
        mb_ncp_evaluate(w, p, &w->trial);
        if (w->trial.norm <= (1 - 1e-3 * s) * bound) break;
        if (w->trial.norm < least) least = w->trial.norm, best = s;
        step /= 2;
    }
    swap(&w->x, &w->trial);
    return 1;
}

/* Whether all blocks are near those of the last factor: then its solutions still contract. */
static int near_held(const mb_ncp_work *w, const mb_ncp *p)
{
    for (int i = 0; i < p->contacts; i++) {
        const double *K = w->K + MB_NCP_BLOCK * i, *held = w->held + MB_NCP_BLOCK * i;
        double most = 0, change = 0;
        for (int k = 0; k < MB_NCP_BLOCK; k++) {
            most = fmax(most, fabs(held[k]));
            change = fmax(change, fabs(K[k] - held[k]));
        }
        if (!(change <= 0.1 * most)) return 0;
    }
    return 1;
}

void mb_ncp_newton(mb_ncp_work *w, const mb_ncp *p, int most, double delta)
{
    double last[LAST] = {0};
    int factors = 0, held = 0;
    for (int i = 0; factors < most && i < 4 * most && !(w->x.residual <= p->tolerance); i++) {
        const double before = w->x.norm;
        last[i % LAST] = before;
        double bound = 0;
        for (int k = 0; k < LAST; k++) bound = fmax(bound, last[k]);
        linearise_all(w, p, fmax(delta, p->damping * sqrt(p->tolerance / w->x.residual)));
        const int again = held && near_held(w, p);
        if (!again) {
            if (!mb_ncp_factor(w, p)) return;
            memcpy(w->held, w->K, MB_NCP_BLOCK * sz(p->contacts) * sizeof *w->K);
            factors++;
        }
        p->kernel->solve(p->kernel, w->dP, w->du, w->k, NULL);
        const int moved = search(w, p, bound);
        if (!moved && !again) return;
        held = moved && (!again || w->x.norm <= 0.3 * before);
    }
}
