/* SPDX-License-Identifier: BSD-3-Clause */
/* The alternating direction method of multipliers with De Saxce's term mu |u_t| inside, and Anderson's acceleration of
 * type II. With weights r_i = rho d_i of the contacts, z is -(u + mu |u_t| n):
 *   x = argmin: dP = k - K du with K = 1/r, k = y - (z + b + mu |z_t| n)/r;   y+ = Pr(x + z/r);   z+ = z + r (x - y+)
 * Acceleration acts on the state (y sqrt(d), z/(rho sqrt(d))), in which x + z/r is a sum. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "multibody/contact/solver/work.h"

enum { MOST = 250, ADAPT = 15 };

typedef struct residuals {
    double primal, dual; /* in units of velocity */
} residuals;

static void begin(mb_ncp_work *w, const mb_ncp *p, double rho)
{
    for (int i = 0; i < p->contacts; i++) {
        const mb_ncp_contact *c = &p->contact[i];
        const double root = sqrt(w->d[i]);
        double P[3], u[3];
        mb_ncp_get(P, c, w->x.P), mb_ncp_get(u, c, w->x.u);
        if (c->rows > 1) u[0] += c->friction * sqrt(u[1] * u[1] + u[2] * u[2]);
        for (int k = 0; k < 3; k++) P[k] *= root, u[k] /= -rho * root;
        mb_ncp_put(w->admm.state, c, P);
        mb_ncp_put(w->admm.state + p->rows, c, u);
    }
}

static int factor(mb_ncp_work *w, const mb_ncp *p, double rho)
{
    memset(w->K, 0, MB_NCP_BLOCK * sz(p->contacts) * sizeof *w->K);
    for (int i = 0; i < p->contacts; i++)
        for (int k = 0; k < 3; k++) w->K[MB_NCP_BLOCK * i + 4 * k] = 1 / (rho * w->d[i]);
    return mb_ncp_factor(w, p);
}

/* image <- what the iteration makes of the state. */
static residuals iterate(mb_ncp_work *w, const mb_ncp *p, double rho)
{
    const double *y = w->admm.state, *z = w->admm.state + p->rows;
    for (int i = 0; i < p->contacts; i++) {
        const mb_ncp_contact *c = &p->contact[i];
        const double root = sqrt(w->d[i]);
        double a[3], m[3], k[3];
        mb_ncp_get(a, c, y), mb_ncp_get(m, c, z), mb_ncp_get(k, c, p->b);
        if (c->rows > 1) k[0] += c->friction * rho * root * sqrt(m[1] * m[1] + m[2] * m[2]);
        for (int j = 0; j < 3; j++) k[j] = (a[j] - m[j]) / root - k[j] / (rho * w->d[i]);
        mb_ncp_put(w->k, c, k);
    }
    p->kernel->solve(p->kernel, w->admm.x, w->du, w->k, NULL);
    residuals r = {0, 0};
    for (int i = 0; i < p->contacts; i++) {
        const mb_ncp_contact *c = &p->contact[i];
        const double root = sqrt(w->d[i]);
        double x[3], a[3], m[3], next[3];
        mb_ncp_get(x, c, w->admm.x), mb_ncp_get(a, c, y), mb_ncp_get(m, c, z);
        for (int k = 0; k < 3; k++) next[k] = x[k] + m[k] / root;
        mb_ncp_project(next, c);
        for (int k = 0; k < c->rows; k++) {
            r.primal = fmax(r.primal, w->d[i] * fabs(x[k] - next[k]));
            r.dual = fmax(r.dual, rho * root * fabs(root * next[k] - a[k]));
            m[k] += root * (x[k] - next[k]), next[k] *= root;
        }
        mb_ncp_put(w->admm.image, c, next);
        mb_ncp_put(w->admm.image + p->rows, c, m);
    }
    return r;
}

/* gamma makes |f - dF gamma| least, f = image - state. 0: the differences depend on each other. */
static int combine(const mb_ncp_work *w, int count, int n, double *gamma)
{
    double A[MB_NCP_MEMORY * MB_NCP_MEMORY], trace = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        const double *a = w->admm.dF[i];
        for (int k = 0; k <= i; k++) A[i * count + k] = A[k * count + i] = lg_dot(a, w->admm.dF[k], n);
        gamma[i] = lg_dot(a, w->admm.image, n) - lg_dot(a, w->admm.state, n);
        trace += A[i * count + i];
    }
    for (int i = 0; i < count; i++) A[i * count + i] += 1e-12 * trace;
    if (lg_cholesky(A, count, NULL) != LG_OK) return 0;
    lg_cholesky_solve(A, count, gamma);
    for (int i = 0; i < count; i++) sum += fabs(gamma[i]);
    return sum <= 1e4;
}

static double distance(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* state <- the combination of the last images; *count: differences remembered. */
static void accelerate(mb_ncp_work *w, int n, int *count, double *last_size)
{
    double gamma[MB_NCP_MEMORY], *state = w->admm.state, *image = w->admm.image;
    const double size = distance(image, state, n);
    if (size > 2 * *last_size) *count = 0;
    if (*count > 0) {
        const int slot = (*count - 1) % MB_NCP_MEMORY;
        for (int i = 0; i < n; i++) {
            w->admm.dG[slot][i] = image[i] - w->admm.last_image[i];
            w->admm.dF[slot][i] = w->admm.dG[slot][i] - (state[i] - w->admm.last_state[i]);
        }
    }
    const int held = *count < MB_NCP_MEMORY ? *count : MB_NCP_MEMORY;
    const int mixes = held > 0 && combine(w, held, n, gamma);
    memcpy(w->admm.last_state, state, sz(n) * sizeof *state);
    memcpy(w->admm.last_image, image, sz(n) * sizeof *image);
    memcpy(state, image, sz(n) * sizeof *state);
    for (int k = 0; mixes && k < held; k++)
        for (int i = 0; i < n; i++) state[i] -= gamma[k] * w->admm.dG[k][i];
    *count += 1, *last_size = size;
}

/* Newton from the impulses y of the image. */
static void polish(mb_ncp_work *w, const mb_ncp *p, double proximal)
{
    for (int i = 0; i < p->contacts; i++) {
        double y[3];
        mb_ncp_get(y, &p->contact[i], w->admm.image);
        for (int k = 0; k < 3; k++) y[k] /= sqrt(w->d[i]);
        mb_ncp_put(w->x.P, &p->contact[i], y);
    }
    mb_ncp_evaluate(w, p, &w->x);
    mb_ncp_newton(w, p, 7, proximal);
}

void mb_ncp_admm(mb_ncp_work *w, const mb_ncp *p, double proximal)
{
    const double small = p->tolerance * p->speed;
    double rho = 0.05, last_size = (double)INFINITY;
    int count = 0;
    begin(w, p, rho);
    if (!factor(w, p, rho)) return;
    for (int i = 1; i <= MOST; i++) {
        const residuals r = iterate(w, p, rho);
        const int ends = r.primal <= small && r.dual <= small;
        const int tries = ends || i == 25 || i == 50 || i == 100 || i == 200 || i == MOST;
        if (tries) polish(w, p, proximal);
        if (w->best_residual <= p->tolerance || ends || isnan(r.primal + r.dual)) return;
        double scale = 1;
        if (i % ADAPT == 0) scale = r.primal > 8 * r.dual ? 2.5 : r.dual > 8 * r.primal ? 0.4 : 1;
        if (scale != 1) {
            memcpy(w->admm.state, w->admm.image, 2 * sz(p->rows) * sizeof *w->admm.state);
            for (int k = p->rows; k < 2 * p->rows; k++) w->admm.state[k] /= scale;
            rho *= scale, count = 0, last_size = (double)INFINITY;
        } else {
            accelerate(w, 2 * p->rows, &count, &last_size);
        }
        if ((scale != 1 || tries) && !factor(w, p, rho)) return; /* Newton used the operator's factor */
    }
}
