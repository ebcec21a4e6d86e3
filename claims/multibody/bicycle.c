/* SPDX-License-Identifier: BSD-3-Clause */
/* The Whipple bicycle of Meijaard, Papadopoulos, Ruina, Schwab 2007, and a robot that a regulator balances. */
#include "claims/multibody/motions.h"

#define SOURCE "J. P. Meijaard et al. 2007, table 2"

enum { MOST = 2 * CLAIM_DIM };

/* Eigenvalues of lean and steer: real parts and imaginary parts. */
static const struct {
    double speed, re[4], im[4];
} table[] = {
    {0, {-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393}, {0}},
    {1,
     {-7.11008014637442, -3.13423125066578, 3.5269617099007, 3.5269617099007},
     {0, 0, 0.8077402751993, -0.8077402751993}},
    {2,
     {-8.67387984831735, -3.07158645641514, 2.68234517512745, 2.68234517512745},
     {0, 0, 1.68066296590675, -1.68066296590675}},
    {3,
     {-10.3510146724592, -2.63366137253667, 1.70675605663975, 1.70675605663975},
     {0, 0, 2.31582447384325, -2.31582447384325}},
    {4,
     {-12.15861426576447, -1.42944427361326, 0.41325331521125, 0.41325331521125},
     {0, 0, 3.07910818603206, -3.07910818603206}},
    {5,
     {-14.07838969279822, -0.32286642900409, -0.77534188219585, -0.77534188219585},
     {0, 0, 4.46486771378823, -4.46486771378823}},
    {10,
     {-24.62459635017404, 0.16105338653172, -3.72016840437287, -3.72016840437287},
     {0, 0, 10.90681139476287, -10.90681139476287}},
};
enum { SPEEDS = sizeof table / sizeof table[0] };

/* The largest distance of the table's eigenvalues from the nearest of n. */
static double distance(int row, const double *re, const double *im, int n)
{
    double worst = 0;
    for (int i = 0; i < 4; i++) {
        double best = INFINITY;
        for (int k = 0; k < n; k++) best = fmin(best, hypot(re[k] - table[row].re[i], im[k] - table[row].im[i]));
        worst = fmax(worst, best);
    }
    return worst;
}

/* The bicycle upright at a speed. */
static int ride(claim_report *r, claim_motion *x, double speed, double h)
{
    double poses[4 * 7], twists[4 * 6] = {0};
    static const double radius[4] = {0, 0.3, 0, 0.35};
    if (!claim_motion_open(r, x, "bicycle", "sem", h) ||
        !claim_ok(r, lg_motion_start_joints(x->mo, 0, NULL, NULL, 1), "start", lg_motion_message(x->mo)))
        return 0;
    for (int b = 0; b < 4; b++) {
        if (!claim_ok(r, lg_motion_body_pose(x->mo, poses + 7 * b, b), "pose", "")) return 0;
        twists[6 * b] = speed, twists[6 * b + 4] = radius[b] > 0 ? speed / radius[b] : 0;
    }
    return claim_ok(r, lg_motion_start_poses(x->mo, 0, poses, twists, 1), "start", lg_motion_message(x->mo));
}

/* Eigenvalues of the equations, or log(s)/h of those of a step. */
static int eigenvalues(claim_report *r, claim_motion *x, int step, double *re, double *im)
{
    double A[MOST * MOST];
    const int n = lg_motion_freedoms(x->mo, NULL);
    if (n > MOST) return 0;
    const lg_status st =
        step ? lg_motion_linearise_step(x->mo, A, NULL, NULL, NULL) : lg_motion_linearise(x->mo, A, NULL, NULL, NULL);
    if (!claim_ok(r, st, "linearise", lg_motion_message(x->mo)) || !claim_eigenvalues(n, A, re, im)) return 0;
    for (int i = 0; step && i < n; i++) {
        const double size = hypot(re[i], im[i]), turn = atan2(im[i], re[i]);
        re[i] = log(size) / x->h, im[i] = turn / x->h;
    }
    return n;
}

static void bicycle(claim_report *r)
{
    double re[MOST], im[MOST];
    for (int i = 0; claim_own_systems(r) && i < SPEEDS; i++) {
        claim_motion x;
        double errors[3];
        const int upright = ride(r, &x, table[i].speed, 0.01), n = upright ? eigenvalues(r, &x, 0, re, im) : 0;
        if (n > 0) {
            claim_below(r, distance(i, re, im, n), 1e-9, "differences of order eight; the goal is 1e-8",
                        "largest distance from table 2 at %.3g m/s", table[i].speed);
            claim_control(r, distance((i + 1) % SPEEDS, re, im, n), 0.1, "the next speed's",
                          "largest distance from another row of the table");
        }
        claim_motion_close(&x);
        int ok = n > 0;
        for (int level = 0; ok && level < 3; level++) {
            const double h = 0.01 / (1 << level);
            const int k = ride(r, &x, table[i].speed, h) ? eigenvalues(r, &x, 1, re, im) : 0;
            errors[level] = distance(i, re, im, k);
            ok = k > 0;
            claim_motion_close(&x);
        }
        if (ok)
            claim_between(r, claim_slope(errors, 3, 1e-9), 1.9, 2.15, "the step's order",
                          "order of the eigenvalues of a step at %.3g m/s, h = 0.01, 0.005, 0.0025", table[i].speed);
    }
}

/* It rides at 4.6 m/s, where it is stable: a push dies out, energy goes into speed. */
static void stable_ride(claim_report *r)
{
    claim_motion x;
    claim_deviations d;
    double pose[7], twist[6];
    if (!claim_own_systems(r)) return;
    if (claim_motion_open(r, &x, "bicycle", "sem", 0) && claim_motion_watch(r, &x, 1000, 1, &d) &&
        claim_ok(r, lg_motion_body_pose(x.mo, pose, 0), "pose", "") &&
        claim_ok(r, lg_motion_body_twist(x.mo, twist, 0), "twist", "")) {
        claim_below(r, d.energy / d.scale, 1e-13, "round-off", "largest |H - H_0|/H_0, 10 s");
        claim_below(r, d.slip, 1e-12, "round-off", "largest slip in m/s, 10 s");
        lg_status st = lg_motion_positions(x.mo, NULL, NULL);
        double z[3];
        lg_so3_act(z, pose + 3, (const double[3]){0, 1, 0});
        claim_below(r, fabs(asin(z[2])), 2e-3, "the weave decays with 0.2 to 0.4 1/s", "lean after 10 s, rad");
        claim_above(r, hypot(twist[0], twist[1]), 4.6, "what the lean had becomes speed", "speed after 10 s, m/s");
        (void)st;
    }
    claim_motion_close(&x);
}

/* ---- the balancing robot ---- */

enum { S = 6, U = 2 };

/* P <- Q + A^T P (A - B K) until it stays, K = (R + B^T P B)^-1 B^T P A, with Q = 1 and R = 0.1. */
static int riccati(double A[S][S], double B[S][U], double K[U][S])
{
    double P[S][S] = {{0}}, PA[S][S], PB[S][U], change = 1;
    for (int i = 0; i < S; i++) P[i][i] = 1;
    for (int round = 0; round < 20000 && change > 1e-10; round++) {
        double G[U * U], F[U][S];
        for (int i = 0; i < S; i++) {
            for (int j = 0; j < S; j++) {
                PA[i][j] = 0;
                for (int k = 0; k < S; k++) PA[i][j] += P[i][k] * A[k][j];
            }
            for (int j = 0; j < U; j++) {
                PB[i][j] = 0;
                for (int k = 0; k < S; k++) PB[i][j] += P[i][k] * B[k][j];
            }
        }
        for (int i = 0; i < U; i++) {
            for (int j = 0; j < U; j++) {
                G[U * i + j] = i == j ? 0.1 : 0;
                for (int k = 0; k < S; k++) G[U * i + j] += B[k][i] * PB[k][j];
            }
            for (int j = 0; j < S; j++) {
                F[i][j] = 0;
                for (int k = 0; k < S; k++) F[i][j] += B[k][i] * PA[k][j];
            }
        }
        for (int j = 0; j < S; j++) {
            double b[U] = {F[0][j], F[1][j]}, k[U];
            if (!claim_solve(U, G, b, k)) return 0;
            K[0][j] = k[0], K[1][j] = k[1];
        }
        change = 0;
        for (int i = 0; i < S; i++)
            for (int j = 0; j < S; j++) {
                double p = i == j ? 1 : 0;
                for (int k = 0; k < S; k++) p += A[k][i] * PA[k][j];
                for (int u = 0; u < U; u++) p -= F[u][i] * K[u][j];
                change = fmax(change, fabs(p - P[i][j]) / (1 + fabs(p)));
                P[i][j] = p;
            }
        for (int i = 0; i < S; i++)
            for (int j = 0; j < i; j++) P[i][j] = P[j][i] = 0.5 * (P[i][j] + P[j][i]);
    }
    return change <= 1e-10;
}

/* Forward, pitch and yaw of the robot, then their rates: rows of joint positions and velocities. */
static void chosen(const lg_motion *mo, int *rows)
{
    static const int of[3] = {0, 4, 5};
    const int body = lg_motion_float_index(mo, 0), count = lg_motion_position_count(mo);
    for (int i = 0; i < 3; i++) rows[i] = body + of[i], rows[3 + i] = count + body + of[i];
}

/* The step on the chosen states: with s = M y, A_s = M A M^+ and B_s = M B. */
static int reduced(claim_report *r, claim_motion *x, double As[S][S], double Bs[S][U])
{
    enum { ROOM = MOST * MOST };
    static const int room = ROOM;
    double A[ROOM], B[MOST * U], C[ROOM], G[S * S], MA[S];
    const int k = lg_motion_freedoms(x->mo, NULL), count = lg_motion_position_count(x->mo);
    int rows[S];
    chosen(x->mo, rows);
    if (k > MOST || 2 * count * k > room) return 0;
    if (!claim_ok(r, lg_motion_linearise_step(x->mo, A, B, C, NULL), "linearise", lg_motion_message(x->mo))) return 0;
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) {
            G[S * i + j] = 0; /* M M^T */
            for (int l = 0; l < k; l++) G[S * i + j] += C[rows[i] * k + l] * C[rows[j] * k + l];
        }
    for (int i = 0; i < S; i++) {
        double v[S] = {0}; /* row i of M A M^T */
        for (int l = 0; l < k; l++) {
            double a = 0;
            for (int n = 0; n < k; n++) a += C[rows[i] * k + n] * A[n * k + l];
            for (int j = 0; j < S; j++) v[j] += a * C[rows[j] * k + l];
        }
        if (!claim_solve(S, G, v, MA)) return 0;
        memcpy(As[i], MA, sizeof MA);
        for (int u = 0; u < U; u++) {
            Bs[i][u] = 0;
            for (int n = 0; n < k; n++) Bs[i][u] += C[rows[i] * k + n] * B[n * U + u];
        }
    }
    return 1;
}

/* Runs with u = -gain K s from a tilt and a turn; returns the largest state at the end. */
static double regulate(claim_report *r, claim_motion *x, double K[U][S], double gain, int steps)
{
    double q[40] = {0}, s[S], u[U], worst = NAN;
    int rows[S];
    const int count = lg_motion_position_count(x->mo), body = lg_motion_float_index(x->mo, 0);
    chosen(x->mo, rows);
    lg_status st = lg_motion_start_joints(x->mo, 0, NULL, NULL, 1);
    if (st == LG_OK) st = lg_motion_positions(x->mo, q, q + count);
    const double x0 = q[body];
    q[body + 4] = 0.15, q[count + body + 5] = 0.3, q[count + body + 4] = 0.1; /* about the axle's height */
    q[body] += 0.35 * sin(0.15), q[body + 2] += 0.35 * (cos(0.15) - 1);
    if (st == LG_OK) st = lg_motion_start_joints(x->mo, 0, q, q + count, 1);
    for (int i = 0; st == LG_OK && i <= steps; i++) {
        st = lg_motion_positions(x->mo, q, q + count);
        worst = 0;
        for (int j = 0; j < S; j++) {
            s[j] = q[rows[j]] - (j == 0 ? x0 : 0);
            if (!(fabs(s[j]) <= worst)) worst = fabs(s[j]);
        }
        for (int k = 0; k < U; k++) {
            u[k] = 0;
            for (int j = 0; j < S; j++) u[k] -= gain * K[k][j] * s[j];
        }
        if (worst > 1.2) break; /* it has fallen */
        if (st == LG_OK) st = lg_motion_set_control(x->mo, u);
        if (st == LG_OK && i < steps) st = lg_motion_step(x->mo, 1);
    }
    if (!claim_ok(r, st, "step", lg_motion_message(x->mo))) return NAN;
    return worst;
}

static void balancing(claim_report *r)
{
    claim_motion x;
    double A[S][S], B[S][U], K[U][S];
    if (!claim_own_systems(r)) return;
    if (claim_motion_open(r, &x, "balancing-robot", "sem", 0) && reduced(r, &x, A, B)) {
        double re[S], im[S], closed[S * S], most = 0;
        if (!riccati(A, B, K)) {
            claim_trouble(r, "Riccati's equation has no solution");
        } else {
            for (int i = 0; i < S; i++)
                for (int j = 0; j < S; j++) closed[S * i + j] = A[i][j] - B[i][0] * K[0][j] - B[i][1] * K[1][j];
            if (claim_eigenvalues(S, closed, re, im))
                for (int i = 0; i < S; i++) most = fmax(most, hypot(re[i], im[i]));
            claim_between(r, most, 0.5, 0.9999, "asymptotically stable", "largest |eigenvalue| of the regulated step");
            if (claim_eigenvalues(S, &A[0][0], re, im))
                for (int i = 0; i < S; i++) most = fmax(most, hypot(re[i], im[i]));
            claim_control(r, most, 1.001, "upright it falls", "largest |eigenvalue| of the step alone");
            claim_below(r, regulate(r, &x, K, 1, 4000), 1e-6, "20 s are many times the slowest decay",
                        "largest of position, pitch, yaw and rates after 20 s under LQR");
            claim_below(r, fabs(lg_motion_slip(x.mo)), 1e-12, "round-off", "slip of the wheels");
            claim_control(r, regulate(r, &x, K, 0, 4000), 1, "without control it falls", "the same with u = 0");
        }
    }
    claim_motion_close(&x);
}

const claim claims_multibody_bicycle[] = {
    {"multibody-bicycle",
     "The linearised equations of the Whipple bicycle, four bodies and two wheels, have the published eigenvalues at "
     "seven speeds; those of the step's derivative converge to them with order 2.",
     SOURCE, 0.3, bicycle},
    {"multibody-ride", "At 4.6 m/s the bicycle rides without a rider's help: a push dies out and energy stays.", SOURCE,
     0.1, stable_ride},
    {"multibody-lqr", "A regulator designed on the derivative of the step balances a robot on two wheels.",
     CLAIM_MULTIBODY, 0.5, balancing},
    {0},
};
