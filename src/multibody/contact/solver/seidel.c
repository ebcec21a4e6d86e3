/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonlinear Gauss-Seidel: each contact is solved exactly with the others held. One contact: with S = W_tt and g = b_t
 * + W_tn low where P_n = low, else with P_n eliminated by u_n = 0,
 *   (S + alpha I) P_t = -g,   |P_t| = R(P_t),   alpha >= 0,
 * S is positive semidefinite; |P_t| - R changes its sign between alpha = 0 (it sticks outside the disc) and alpha =
 * infinity, so a root always exists. u_t = -alpha P_t. */
#include <math.h>

#include "multibody/contact/solver/work.h"

typedef struct tangents {
    double S[3], g[2];    /* xx, xy, yy */
    double radius, dR[2]; /* R = radius + dR . P_t */
} tangents;

/* P_t at alpha = scale s/(1 - s); returns |P_t| - R. */
static double slip(const tangents *t, double s, double *P)
{
    P[0] = P[1] = 0;
    if (s < 1) {
        const double alpha = (t->S[0] + t->S[2]) * s / (1 - s);
        const double xx = t->S[0] + alpha, yy = t->S[2] + alpha, det = xx * yy - t->S[1] * t->S[1];
        P[0] = (t->S[1] * t->g[1] - yy * t->g[0]) / det;
        P[1] = (t->S[1] * t->g[0] - xx * t->g[1]) / det;
    }
    return sqrt(P[0] * P[0] + P[1] * P[1]) - (t->radius + t->dR[0] * P[0] + t->dR[1] * P[1]);
}

/* The root by regula falsi of Illinois. */
static void solve_tangents(const tangents *t, double *P)
{
    double low = 1e-12, high = 1;
    if (slip(t, 0, P) <= 0) return; /* sticks */
    double at_low = slip(t, low, P);
    if (!(at_low > 0)) return; /* S is singular, and sticks but for its rounding */
    double at_high = slip(t, high, P);
    for (int i = 0; i < 60 && high - low > 1e-15; i++) {
        const double middle = (at_low * high - at_high * low) / (at_low - at_high), value = slip(t, middle, P);
        if (value > 0) {
            low = middle, at_low = value, at_high /= 2;
        } else {
            high = middle, at_high = value, at_low /= 2;
        }
        if (value == 0) return;
    }
}

/* P of one contact whose velocities are b where P = 0. */
static void one_contact(double *P, const mb_ncp_contact *c, const double *W, const double *b)
{
    P[0] = mb_ncp_clamp(c, W[0] > 0 ? -b[0] / W[0] : P[0]);
    if (c->rows == 1) return;
    const double other = c->rows > 2 ? W[8] : W[4]; /* of a tangent that is not there */
    tangents t = {{W[4], W[5], other}, {b[1] + W[3] * c->low, b[2] + W[6] * c->low}, c->friction * c->low, {0, 0}};
    if (c->rows < 3) t.S[1] = 0;
    P[0] = c->low, P[1] = P[2] = 0;
    if (t.radius > 0) solve_tangents(&t, P + 1);
    if (!(W[0] > 0) || b[0] + W[0] * P[0] + W[1] * P[1] + (c->rows > 2 ? W[2] * P[2] : 0) >= 0) return;
    const double x = W[3], y = c->rows > 2 ? W[6] : 0;
    t.S[0] -= x * x / W[0], t.S[1] -= x * y / W[0], t.S[2] -= y * y / W[0];
    if (c->rows < 3) t.S[2] = W[4];
    t.g[0] = b[1] - x * b[0] / W[0], t.g[1] = b[2] - y * b[0] / W[0];
    t.radius = -c->friction * b[0] / W[0];
    t.dR[0] = -c->friction * x / W[0], t.dR[1] = -c->friction * y / W[0];
    P[1] = P[2] = 0;
    if (c->friction > 0) solve_tangents(&t, P + 1);
    P[0] = mb_ncp_clamp(c, -(b[0] + x * P[1] + y * P[2]) / W[0]);
}

/* One contact of a sweep; returns its change in units of velocity. */
static double relax(mb_ncp_work *w, const mb_ncp *p, int i)
{
    const mb_ncp_contact *c = &p->contact[i];
    const double *W = p->kernel->local + MB_NCP_BLOCK * i;
    double old[3], new[3], u[3] = {0, 0, 0}, change[3], most = 0;
    mb_ncp_get(old, c, w->x.P);
    mb_ncp_get(new, c, w->x.P);
    p->kernel->read(p->kernel, i, u);
    for (int a = 0; a < c->rows; a++) {
        u[a] += p->b[c->at + a];
        for (int k = 0; k < c->rows; k++) u[a] -= W[3 * a + k] * old[k];
    }
    one_contact(new, c, W, u);
    for (int a = 0; a < 3; a++) {
        if (!isfinite(new[a])) new[a] = old[a];
        change[a] = new[a] - old[a];
        most = fmax(most, fabs(change[a]));
    }
    p->kernel->change(p->kernel, i, change);
    mb_ncp_put(w->x.P, c, new);
    return most * w->d[i];
}

int mb_ncp_seidel(mb_ncp_work *w, const mb_ncp *p, int sweeps)
{
    if (p->kernel->begin == NULL) return 0;
    p->kernel->begin(p->kernel, w->x.P);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        double most = 0;
        for (int i = 0; i < p->contacts; i++) most = fmax(most, relax(w, p, sweep % 2 == 0 ? i : p->contacts - 1 - i));
        w->sweeps++;
        if (most <= 0.1 * p->tolerance * p->speed) break;
    }
    mb_ncp_evaluate(w, p, &w->x);
    return 1;
}
