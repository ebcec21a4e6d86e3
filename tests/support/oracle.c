/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle.h"

#include <math.h>
#include <string.h>

#define ORACLE_APART 5e-3 /* of the differences, in seconds */

static const double weights[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};

void oracle_product(double *C, const double *A, const double *B)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) C[3 * i + k] = A[3 * i] * B[k] + A[3 * i + 1] * B[3 + k] + A[3 * i + 2] * B[6 + k];
}

void oracle_turn(double *y, const double *M, const double *x)
{
    for (int i = 0; i < 3; i++) y[i] = M[3 * i] * x[0] + M[3 * i + 1] * x[1] + M[3 * i + 2] * x[2];
}

void oracle_back(double *y, const double *M, const double *x)
{
    for (int i = 0; i < 3; i++) y[i] = M[i] * x[0] + M[3 + i] * x[1] + M[6 + i] * x[2];
}

void oracle_rotation(double *R, int axis, double angle)
{
    const int i = (axis + 1) % 3, k = (axis + 2) % 3;
    for (int n = 0; n < 9; n++) R[n] = n % 4 == 0;
    R[4 * i] = R[4 * k] = cos(angle);
    R[3 * k + i] = sin(angle), R[3 * i + k] = -sin(angle);
}

/* ---- differences ---- */

/* Velocities of all bodies, linear in space and angular in the body, where q moves at `rate`. */
static void velocities(const oracle *o, const double *q, const double *rate, double (*nu)[6])
{
    oracle_pose at[ORACLE_BODIES], ends[2][ORACLE_BODIES];
    double turn[ORACLE_BODIES][9], x[ORACLE_Q];
    memset(turn, 0, sizeof turn), memset(nu, 0, (size_t)o->bodies * sizeof *nu);
    o->poses(o->context, q, at);
    for (int n = 0; n < 4; n++) {
        for (int end = 0; end < 2; end++) {
            for (int i = 0; i < o->coordinates; i++) x[i] = q[i] + (end ? -1 : 1) * (n + 1) * ORACLE_APART * rate[i];
            o->poses(o->context, x, ends[end]);
        }
        for (int b = 0; b < o->bodies; b++) {
            for (int k = 0; k < 3; k++) nu[b][k] += weights[n] / ORACLE_APART * (ends[0][b].r[k] - ends[1][b].r[k]);
            for (int k = 0; k < 9; k++) turn[b][k] += weights[n] / ORACLE_APART * (ends[0][b].R[k] - ends[1][b].R[k]);
        }
    }
    for (int b = 0; b < o->bodies; b++) {
        double hat[9] = {0}; /* R^T R' */
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                for (int j = 0; j < 3; j++) hat[3 * i + k] += at[b].R[3 * j + i] * turn[b][3 * j + k];
        nu[b][3] = 0.5 * (hat[7] - hat[5]), nu[b][4] = 0.5 * (hat[2] - hat[6]), nu[b][5] = 0.5 * (hat[3] - hat[1]);
    }
}

static void rates(const oracle *o, const double *q, const double *u, double *rate)
{
    if (o->rates == NULL)
        memcpy(rate, u, (size_t)o->coordinates * sizeof *rate);
    else
        o->rates(o->context, q, u, rate);
}

/* d/dt of the velocities with constant u. */
static void bias(const oracle *o, const double *q, const double *u, double (*a)[6])
{
    double rate[ORACLE_Q], there[ORACLE_Q], x[ORACLE_Q], nu[ORACLE_BODIES][6];
    memset(a, 0, (size_t)o->bodies * sizeof *a);
    rates(o, q, u, rate);
    for (int n = 0; n < 8; n++) {
        const int k = n / 2 + 1;
        const double s = (n % 2 ? -k : k) * ORACLE_APART, w = (n % 2 ? -1 : 1) * weights[k - 1] / ORACLE_APART;
        for (int i = 0; i < o->coordinates; i++) x[i] = q[i] + s * rate[i];
        rates(o, x, u, there);
        velocities(o, x, there, nu);
        for (int b = 0; b < o->bodies; b++)
            for (int j = 0; j < 6; j++) a[b][j] += w * nu[b][j];
    }
}

void oracle_stretch(const oracle *o, const double *q, const double *rate, double *change)
{
    double x[ORACLE_Q], ends[2][ORACLE_LENGTHS];
    memset(change, 0, (size_t)o->lengths * sizeof *change);
    for (int n = 0; n < 4 && o->lengths > 0; n++) {
        for (int end = 0; end < 2; end++) {
            for (int i = 0; i < o->coordinates; i++) x[i] = q[i] + (end ? -1 : 1) * (n + 1) * ORACLE_APART * rate[i];
            o->measure(o->context, x, ends[end]);
        }
        for (int i = 0; i < o->lengths; i++) change[i] += weights[n] / ORACLE_APART * (ends[0][i] - ends[1][i]);
    }
}

/* ---- equations ---- */

/* The wrench on a body less what its acceleration at constant u asks for. */
static void balance(const oracle *o, int b, const double *nu, const double *a, double *f)
{
    double spin[3], turn[3];
    oracle_turn(spin, o->inertia[b], nu + 3);
    oracle_turn(turn, o->inertia[b], a + 3);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        f[k] = o->mass[b] * (o->gravity[k] - a[k]);
        f[3 + k] = -turn[k] - (nu[3 + i] * spin[j] - nu[3 + j] * spin[i]);
    }
}

static void solve(double *A, double *x, int n)
{
    for (int k = 0; k < n; k++) /* the matrix is positive definite */
        for (int i = k + 1; i < n; i++) {
            const double s = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= s * A[k * n + j];
            x[i] -= s * x[k];
        }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) x[k] -= A[k * n + j] * x[j];
        x[k] /= A[k * n + k];
    }
}

/* u' at q, u. */
static void accelerate(const oracle *o, const double *q, const double *u, double *du)
{
    const int n = o->speeds;
    double along[ORACLE_Q][ORACLE_BODIES][6], change[ORACLE_Q][ORACLE_LENGTHS], A[ORACLE_Q * ORACLE_Q], unit[ORACLE_Q];
    double rest[ORACLE_Q], rate[ORACLE_Q], nu[ORACLE_BODIES][6], a[ORACLE_BODIES][6], x[ORACLE_LENGTHS];
    double speed[ORACLE_LENGTHS];
    memset(unit, 0, sizeof unit);
    rates(o, q, unit, rest);
    for (int i = 0; i < n; i++) {
        unit[i] = 1;
        rates(o, q, unit, rate);
        unit[i] = 0;
        for (int k = 0; k < o->coordinates; k++) rate[k] -= rest[k];
        velocities(o, q, rate, along[i]);
        oracle_stretch(o, q, rate, change[i]);
    }
    rates(o, q, u, rate);
    velocities(o, q, rate, nu);
    bias(o, q, u, a);
    oracle_stretch(o, q, rate, speed);
    if (o->lengths > 0) o->measure(o->context, q, x);
    memset(A, 0, sizeof A), memset(du, 0, (size_t)n * sizeof *du);
    for (int i = 0; i < n; i++) {
        for (int s = 0; s < o->lengths; s++)
            du[i] += change[i][s] * (o->effort[s] - o->stiffness[s] * (x[s] - o->rest[s]) - o->damping[s] * speed[s] -
                                     o->friction[s] * tanh(speed[s] / 0.3));
        for (int b = 0; b < o->bodies; b++) {
            double f[6], turn[3];
            balance(o, b, nu[b], a[b], f);
            oracle_turn(turn, o->inertia[b], along[i][b] + 3);
            for (int k = 0; k < 6; k++) du[i] += along[i][b][k] * f[k];
            for (int j = 0; j < n; j++)
                for (int k = 0; k < 3; k++)
                    A[i * n + j] += o->mass[b] * along[i][b][k] * along[j][b][k] + turn[k] * along[j][b][3 + k];
        }
    }
    solve(A, du, n);
}

static void derivative(const oracle *o, const double *y, double *dy)
{
    rates(o, y, y + o->coordinates, dy);
    accelerate(o, y, y + o->coordinates, dy + o->coordinates);
}

void oracle_run(const oracle *o, double *q, double *u, double time, double h)
{
    const int n = o->coordinates, m = n + o->speeds, steps = (int)ceil(time / h - 1e-9);
    double y[2 * ORACLE_Q], k[4][2 * ORACLE_Q], z[2 * ORACLE_Q];
    static const double part[4] = {0, 0.5, 0.5, 1};
    memcpy(y, q, (size_t)n * sizeof *q), memcpy(y + n, u, (size_t)o->speeds * sizeof *u);
    h = time / steps;
    for (int s = 0; s < steps; s++) {
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < m; i++) z[i] = y[i] + (stage > 0 ? part[stage] * h * k[stage - 1][i] : 0);
            derivative(o, z, k[stage]);
        }
        for (int i = 0; i < m; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    memcpy(q, y, (size_t)n * sizeof *q), memcpy(u, y + n, (size_t)o->speeds * sizeof *u);
}

void oracle_state(const oracle *o, const double *q, const double *u, oracle_pose *pose, double (*twist)[6])
{
    double rate[ORACLE_Q], nu[ORACLE_BODIES][6];
    rates(o, q, u, rate);
    velocities(o, q, rate, nu);
    o->poses(o->context, q, pose);
    for (int b = 0; b < o->bodies; b++) {
        memcpy(twist[b], nu[b], 3 * sizeof *nu[b]);
        oracle_turn(twist[b] + 3, pose[b].R, nu[b] + 3);
    }
}
