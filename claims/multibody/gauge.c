/* SPDX-License-Identifier: BSD-3-Clause */
/* The effect of the gauge of the multipliers on the energy: the step with K_j = A_j^T L_j^-T compared with that of raw
 * rows, K_j = A_j^T, on three masses that rods of 1 m hold in a chain; both written out here. */
#include "claims/multibody/motions.h"

enum { MASSES = 3, N = 3 * MASSES, UNKNOWNS = N + 3 * MASSES };

static const double mass[MASSES] = {1, 0.4, 2}, pull = 9.81;

/* The rods' lengths squared less 1, halved, and their rows at x. */
static void rods(const double *x, double *phi, double A[MASSES][N])
{
    memset(A, 0, sizeof(double) * MASSES * N);
    for (int i = 0; i < MASSES; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const double d = x[3 * i + k] - (i > 0 ? x[3 * i - 3 + k] : 0);
            square += d * d;
            A[i][3 * i + k] = d;
            if (i > 0) A[i][3 * i - 3 + k] = -d;
        }
        phi[i] = 0.5 * (square - 1);
    }
}

/* f += s A^T y; the gauge: y = L^-T l with L L^T = A J^-1 A^T, or y = l. */
static void kick(double *f, double s, double A[MASSES][N], const double *l, int gauge)
{
    double y[MASSES], L[MASSES][MASSES] = {{0}};
    memcpy(y, l, sizeof y);
    for (int i = 0; gauge && i < MASSES; i++)
        for (int j = 0; j <= i; j++) {
            double c = 0;
            for (int k = 0; k < N; k++) c += A[i][k] * A[j][k] / mass[k / 3];
            for (int k = 0; k < j; k++) c -= L[i][k] * L[j][k];
            L[i][j] = i == j ? sqrt(c) : c / L[j][j];
        }
    for (int i = MASSES - 1; gauge && i >= 0; i--) {
        for (int j = i + 1; j < MASSES; j++) y[i] -= L[j][i] * y[j];
        y[i] /= L[i][i];
    }
    for (int i = 0; i < MASSES; i++)
        for (int k = 0; k < N; k++) f[k] += s * A[i][k] * y[i];
}

/* The step's equations in z = (xi, l, mu, nu); x1 and p1 come with them. */
static void equations(const double *z, const double *x0, const double *p0, double h, int gauge, double *F, double *x1,
                      double *p1)
{
    const double *xi = z, *l = z + N, *mu = l + MASSES, *nu = mu + MASSES;
    double A0[MASSES][N], A1[MASSES][N], G[MASSES][N], phi0[MASSES], phi1[MASSES], none[MASSES], mean[N];
    double minus[N], plus[N];
    for (int k = 0; k < N; k++) x1[k] = x0[k] + h * xi[k], mean[k] = 0.5 * (x0[k] + x1[k]);
    rods(x0, phi0, A0), rods(x1, phi1, A1), rods(mean, none, G);
    memcpy(minus, p0, sizeof minus);
    kick(minus, 0.5 * h, A0, l, gauge);
    memcpy(plus, minus, sizeof plus);
    for (int i = 0; i < MASSES; i++) plus[3 * i + 2] -= h * mass[i] * pull;
    kick(plus, -h, G, mu, 0);
    memcpy(p1, plus, sizeof plus);
    kick(p1, 0.5 * h, A1, l, gauge);
    for (int k = 0; k < N; k++) {
        F[k] = xi[k] - 0.5 * (minus[k] + plus[k]) / mass[k / 3];
        for (int i = 0; i < MASSES; i++) F[k] -= G[i][k] * nu[i] / mass[k / 3];
    }
    for (int i = 0; i < MASSES; i++) {
        double *f = F + N + 3 * i;
        f[0] = phi0[i] / h, f[1] = f[2] = 0;
        for (int k = 0; k < N; k++) {
            f[0] += G[i][k] * xi[k];
            f[1] += A1[i][k] * p1[k] / mass[k / 3];
            f[2] += G[i][k] * (plus[k] - minus[k]) / mass[k / 3];
        }
    }
}

/* A step by Newton's method with differences. 0: it does not converge. */
static int advance(double *z, double *x, double *p, double h, int gauge)
{
    double F[UNKNOWNS], J[UNKNOWNS * UNKNOWNS], d[UNKNOWNS], x1[N], p1[N];
    for (int round = 0; round < 30; round++) {
        double size = 0;
        equations(z, x, p, h, gauge, F, x1, p1);
        for (int i = 0; i < UNKNOWNS; i++) size = fmax(size, fabs(F[i]));
        if (size < 1e-14 || (round > 20 && size < 1e-12)) {
            memcpy(x, x1, sizeof x1), memcpy(p, p1, sizeof p1);
            return 1;
        }
        for (int j = 0; j < UNKNOWNS; j++) {
            const double keep = z[j];
            z[j] = keep + 1e-6;
            equations(z, x, p, h, gauge, d, x1, p1);
            z[j] = keep;
            for (int i = 0; i < UNKNOWNS; i++) J[i * UNKNOWNS + j] = (d[i] - F[i]) / 1e-6;
        }
        if (!claim_solve(UNKNOWNS, J, F, d)) return 0;
        for (int i = 0; i < UNKNOWNS; i++) z[i] -= d[i];
    }
    return 0;
}

/* The largest change of the energy and the largest length of a rod less 1, over `steps`; NaN: no solution. */
static double run(int gauge, int steps, double *gap)
{
    double x[N] = {1, 0, 0, 2, 0, 0, 2, 1, 0}, p[N] = {0}, z[UNKNOWNS] = {0}, H0 = 0, worst = 0;
    double A[MASSES][N], phi[MASSES];
    p[1] = 0.3, p[4] = 0.24, p[7] = 1.2; /* about the vertical, with rates 0.3 */
    p[6] = -0.6;
    *gap = 0;
    for (int i = 0; i <= steps; i++) {
        double H = 0;
        if (i > 0 && !advance(z, x, p, 0.01, gauge)) return NAN;
        for (int k = 0; k < N; k++) H += 0.5 * p[k] * p[k] / mass[k / 3];
        for (int b = 0; b < MASSES; b++) H += mass[b] * pull * x[3 * b + 2];
        if (i == 0) H0 = H;
        worst = fmax(worst, fabs(H - H0));
        rods(x, phi, A);
        for (int b = 0; b < MASSES; b++) *gap = fmax(*gap, fabs(phi[b]));
    }
    return worst;
}

static void gauge(claim_report *r)
{
    double gap;
    if (!claim_own_systems(r)) return;
    claim_case(r, "three masses in a chain", "sem", NULL);
    claim_below(r, run(1, 100, &gap), 1e-11, "round-off of about 50 J", "largest |H - H_0| in J, 100 steps of 0.01");
    claim_below(r, gap, 1e-12, "round-off", "largest gap of the rods in m");
    claim_control(r, run(0, 100, &gap), 1e-5, "raw rows: O(h^2)", "the same with raw rows, no gauge");
    claim_below(r, gap, 1e-12, "round-off: rows close the joints, gauge or not",
                "largest gap of the rods with raw rows");
}

const claim claims_multibody_gauge[] = {
    {"multibody-gauge",
     "The multipliers' gauge by the Cholesky factor of A J^-1 A^T is what keeps the energy: with raw rows the same step "
     "loses it.",
     CLAIM_MULTIBODY, 0.1, gauge},
    {0},
};
