/* SPDX-License-Identifier: BSD-3-Clause */
#include "benchmarks/problems.h"

#include <math.h>
#include <string.h>

static inline void cross(double *c, const double *a, const double *b)
{
    c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* y = M x. */
static inline void times(double *y, const double *M, const double *x)
{
    for (int i = 0; i < 3; i++) y[i] = dot(M + 3 * i, x);
}

/* For a quaternion that need not be exactly a unit quaternion. */
static inline void rotation(double *R, const double *q)
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    R[0] = 1 - 2 * (y * y + z * z), R[1] = 2 * (x * y - w * z), R[2] = 2 * (x * z + w * y);
    R[3] = 2 * (x * y + w * z), R[4] = 1 - 2 * (x * x + z * z), R[5] = 2 * (y * z - w * x);
    R[6] = 2 * (x * z - w * y), R[7] = 2 * (y * z + w * x), R[8] = 1 - 2 * (x * x + y * y);
}

/* Its last row. */
static inline void vertical(double *gamma, const double *q)
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    gamma[0] = 2 * (x * z - w * y), gamma[1] = 2 * (y * z + w * x), gamma[2] = 1 - 2 * (x * x + y * y);
}

/* x = M^-1 b, 3 x 3 symmetric. */
static inline void solve3(double *x, const double *M, const double *b)
{
    double c[9];
    cross(c, M + 3, M + 6), cross(c + 3, M + 6, M), cross(c + 6, M, M + 3);
    const double r = 1 / dot(M, c);
    for (int i = 0; i < 3; i++) x[i] = r * (c[i] * b[0] + c[3 + i] * b[1] + c[6 + i] * b[2]);
}

/* J w x w for diagonal J. */
static inline void gyroscopic(double *t, const double *J, const double *w)
{
    t[0] = (J[1] - J[2]) * w[1] * w[2], t[1] = (J[2] - J[0]) * w[2] * w[0], t[2] = (J[0] - J[1]) * w[0] * w[1];
}

/* xi.J xi/2 of a body: mass, v, principal moments, w. */
static inline double kinetic(double m, const double *v, const double *J, const double *w)
{
    return (m * dot(v, v) + J[0] * w[0] * w[0] + J[1] * w[1] * w[1] + J[2] * w[2] * w[2]) / 2;
}

/* Chaplygin's sphere: m, r, Omega, I1, I2, I3; y = (x, y, q, v, w). v' = lambda/m, I w' = I w x w + r (lambda_2 n_1 -
 * lambda_1 n_2), and v_1' = r n_2.w' - Omega v_2, v_2' = -r n_1.w' + Omega v_1 with n_i the rows of R. ------------- */

enum { SPHERE_M, SPHERE_R, SPHERE_OMEGA, SPHERE_I };

static void sphere(const problem_data *d, const double *y, double *dy)
{
    const double m = d->param[SPHERE_M], r = d->param[SPHERE_R], Omega = d->param[SPHERE_OMEGA], r2 = r * r;
    const double *J = d->param + SPHERE_I, *v = y + 6, *w = y + 8;
    double R[9], t[3], a[3], n1[3], n2[3];
    rotation(R, y + 2);
    gyroscopic(t, J, w);
    for (int i = 0; i < 3; i++) a[i] = t[i] / J[i], n1[i] = R[i] / J[i], n2[i] = R[3 + i] / J[i];
    const double A = 1 / m + r2 * dot(R + 3, n2), B = -r2 * dot(R + 3, n1), C = 1 / m + r2 * dot(R, n1);
    const double f = r * dot(R + 3, a) - Omega * v[1], g = -r * dot(R, a) + Omega * v[0], det = 1 / (A * C - B * B);
    const double l1 = det * (C * f - B * g), l2 = det * (A * g - B * f);
    dy[0] = v[0], dy[1] = v[1];
    problem_turn(dy + 2, y + 2, w);
    dy[6] = l1 / m, dy[7] = l2 / m;
    for (int i = 0; i < 3; i++) dy[8 + i] = a[i] + r * (l2 * n1[i] - l1 * n2[i]);
}

/* The table must be at rest: the projection has no drift. */
static void sphere_rows(const problem_data *d, const double *y, double *A)
{
    const double r = d->param[SPHERE_R];
    double R[9];
    rotation(R, y + 2);
    A[0] = A[6] = 1, A[1] = A[5] = 0;
    for (int i = 0; i < 3; i++) A[2 + i] = -r * R[3 + i], A[7 + i] = r * R[i];
}

static void sphere_energies(const problem_data *d, const double *y, double *T, double *V)
{
    const double v[3] = {y[6], y[7], 0};
    *T = kinetic(d->param[SPHERE_M], v, d->param + SPHERE_I, y + 8), *V = 0;
}

/* The falling disk: m, g, r, Id, Ia; y = (x, y, z, q, v, w). With rho from the centre of mass to the contact and R_k
 * the rows of R: v_k = R_k.(rho x w), rows (e_k; rho x R_k), and A M^-1 A^T lambda = -A' xi - A M^-1 forces.
 * ------------- */

enum { DISK_M, DISK_G, DISK_R, DISK_ID, DISK_IA };

typedef struct disk_frame {
    double R[9], rho[3], drho[3], B[9];
} disk_frame;

static inline void disk_contact(disk_frame *f, const problem_data *d, const double *q)
{
    rotation(f->R, q);
    const double *gamma = f->R + 6, s = d->param[DISK_R] / sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1]);
    f->rho[0] = -s * gamma[0], f->rho[1] = -s * gamma[1], f->rho[2] = 0;
    for (int k = 0; k < 3; k++) cross(f->B + 3 * k, f->rho, f->R + 3 * k);
}

static inline void disk_rate(disk_frame *f, const problem_data *d, const double *w)
{
    const double *gamma = f->R + 6, r = d->param[DISK_R];
    const double s = r / sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1]);
    double dgamma[3];
    cross(dgamma, gamma, w);
    const double along = (f->rho[0] * dgamma[0] + f->rho[1] * dgamma[1]) / (r * r);
    f->drho[0] = -s * (dgamma[0] - f->rho[0] * along), f->drho[1] = -s * (dgamma[1] - f->rho[1] * along);
    f->drho[2] = 0;
}

static void disk(const problem_data *d, const double *y, double *dy)
{
    const double m = d->param[DISK_M], weight = m * d->param[DISK_G];
    const double J[3] = {d->param[DISK_ID], d->param[DISK_ID], d->param[DISK_IA]}, *v = y + 7, *w = y + 10;
    double t[3], a[3], b[3], c[3], C[9], right[3], l[3], D[9];
    disk_frame f;
    disk_contact(&f, d, y + 3);
    disk_rate(&f, d, w);
    gyroscopic(t, J, w);
    for (int i = 0; i < 3; i++) a[i] = t[i] / J[i];
    for (int k = 0; k < 3; k++) {
        const double *B = f.B + 3 * k, *e = f.R + 3 * k;
        double rate[3], turned[3];
        cross(rate, f.drho, e), cross(turned, e, w), cross(b, f.rho, turned);
        for (int i = 0; i < 3; i++) c[i] = rate[i] + b[i], D[3 * k + i] = B[i] / J[i];
        right[k] = (k == 2 ? weight / m : 0) - dot(c, w) - dot(B, a);
    }
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) C[3 * k + j] = (k == j) / m + dot(f.B + 3 * k, D + 3 * j);
    solve3(l, C, right);
    for (int i = 0; i < 3; i++) {
        dy[i] = v[i];
        dy[7 + i] = (l[i] - (i == 2 ? weight : 0)) / m;
        dy[10 + i] = a[i] + l[0] * D[i] + l[1] * D[3 + i] + l[2] * D[6 + i];
    }
    problem_turn(dy + 3, y + 3, w);
}

static void disk_rows(const problem_data *d, const double *y, double *A)
{
    disk_frame f;
    disk_contact(&f, d, y + 3);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) A[6 * k + i] = i == k, A[6 * k + 3 + i] = f.B[3 * k + i];
}

static void disk_energies(const problem_data *d, const double *y, double *T, double *V)
{
    const double m = d->param[DISK_M], J[3] = {d->param[DISK_ID], d->param[DISK_ID], d->param[DISK_IA]};
    *T = kinetic(m, y + 7, J, y + 10), *V = m * d->param[DISK_G] * y[2];
}

/* The particle with z' = y x' and V = x^2 + y^2. ------------------------------------------------------------------- */

static void particle(const problem_data *d, const double *y, double *dy)
{
    const double l = (y[3] * y[4] - 2 * y[0] * y[1]) / (1 + y[1] * y[1]);
    (void)d;
    dy[0] = y[3], dy[1] = y[4], dy[2] = y[5];
    dy[3] = -2 * y[0] - l * y[1];
    dy[4] = -2 * y[1];
    dy[5] = l;
}

static void particle_rows(const problem_data *d, const double *y, double *A)
{
    (void)d;
    A[0] = -y[1], A[1] = 0, A[2] = 1;
}

static void particle_energies(const problem_data *d, const double *y, double *T, double *V)
{
    (void)d;
    *T = dot(y + 3, y + 3) / 2, *V = y[0] * y[0] + y[1] * y[1];
}

/* Veselova's top: I11, I12, I13, I22, I23, I33, chi; y = (q, w). I w' = I w x w + gamma x chi + lambda gamma,
 * gamma.w' = 0. -----------------------------------------------------------------------------------------------------
 */

enum { VESELOVA_CHI = 6 };

static void veselova_prepare(problem_data *d)
{
    const double *p = d->param, J[9] = {p[0], p[1], p[2], p[1], p[3], p[4], p[2], p[4], p[5]};
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        solve3(d->inverse + 3 * k, J, e);
    }
}

static void veselova(const problem_data *d, const double *y, double *dy)
{
    const double *p = d->param, *w = y + 4;
    const double M[3] = {p[0] * w[0] + p[1] * w[1] + p[2] * w[2], p[1] * w[0] + p[3] * w[1] + p[4] * w[2],
                         p[2] * w[0] + p[4] * w[1] + p[5] * w[2]};
    double gamma[3], t[3], f[3], a[3], b[3];
    vertical(gamma, y);
    cross(t, M, w), cross(f, gamma, p + VESELOVA_CHI);
    for (int i = 0; i < 3; i++) t[i] += f[i];
    times(a, d->inverse, t), times(b, d->inverse, gamma);
    const double l = -dot(gamma, a) / dot(gamma, b);
    problem_turn(dy, y, w);
    for (int i = 0; i < 3; i++) dy[4 + i] = a[i] + l * b[i];
}

static void veselova_rows(const problem_data *d, const double *y, double *A)
{
    (void)d;
    vertical(A, y);
}

static void veselova_energies(const problem_data *d, const double *y, double *T, double *V)
{
    const double *p = d->param, *w = y + 4;
    double gamma[3];
    vertical(gamma, y);
    *T = (p[0] * w[0] * w[0] + p[3] * w[1] * w[1] + p[5] * w[2] * w[2]) / 2 + p[1] * w[0] * w[1] + p[2] * w[0] * w[2] +
         p[4] * w[1] * w[2];
    *V = dot(gamma, p + VESELOVA_CHI);
}

/* The heavy top: m, g, I1, I2, I3, chi; y = (q, w). ---------------------------------------------------------------- */

enum { TOP_I = 2, TOP_CHI = 5 };

static void top(const problem_data *d, const double *y, double *dy)
{
    const double *p = d->param, *J = p + TOP_I, *w = y + 4, weight = p[0] * p[1];
    double gamma[3], t[3], f[3];
    vertical(gamma, y);
    gyroscopic(t, J, w), cross(f, gamma, p + TOP_CHI);
    problem_turn(dy, y, w);
    for (int i = 0; i < 3; i++) dy[4 + i] = (t[i] + weight * f[i]) / J[i];
}

static void top_energies(const problem_data *d, const double *y, double *T, double *V)
{
    static const double still[3] = {0, 0, 0};
    const double *p = d->param;
    double gamma[3];
    vertical(gamma, y);
    *T = kinetic(0, still, p + TOP_I, y + 4), *V = p[0] * p[1] * dot(gamma, p + TOP_CHI);
}

/* The transmission with its default parameters: V = (x^2 + y^2)/2 + cos s, sin s x' + y' = 0. ---------------------- */

static void transmission(const problem_data *d, const double *y, double *dy)
{
    const double s = sin(y[2]), l = (y[0] * s + y[1] - cos(y[2]) * y[5] * y[3]) / (1 + s * s);
    (void)d;
    dy[0] = y[3], dy[1] = y[4], dy[2] = y[5];
    dy[3] = -y[0] + l * s;
    dy[4] = -y[1] + l;
    dy[5] = s;
}

static void transmission_rows(const problem_data *d, const double *y, double *A)
{
    (void)d;
    A[0] = sin(y[2]), A[1] = 1, A[2] = 0;
}

static void transmission_energies(const problem_data *d, const double *y, double *T, double *V)
{
    (void)d;
    *T = dot(y + 3, y + 3) / 2, *V = (y[0] * y[0] + y[1] * y[1]) / 2 + cos(y[2]);
}

/* Suslov's problem: I11, I12, I13, I22, I23, I33, a; y = (q, w). J w' = J w x w + lambda a with a.w' = 0, that is, w' =
 * P (J w x w) with the constant P = J^-1 - J^-1 a (J^-1 a)^T / (a.J^-1 a). ----------------------------------------- */

enum { SUSLOV_A = 6 };

static void suslov_momentum(const double *p, const double *w, double *M)
{
    M[0] = p[0] * w[0] + p[1] * w[1] + p[2] * w[2];
    M[1] = p[1] * w[0] + p[3] * w[1] + p[4] * w[2];
    M[2] = p[2] * w[0] + p[4] * w[1] + p[5] * w[2];
}

static void suslov_prepare(problem_data *d)
{
    const double *p = d->param, J[9] = {p[0], p[1], p[2], p[1], p[3], p[4], p[2], p[4], p[5]};
    double b[3];
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        solve3(d->inverse + 3 * k, J, e);
    }
    times(b, d->inverse, p + SUSLOV_A);
    const double s = 1 / dot(p + SUSLOV_A, b);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) d->inverse[3 * i + k] -= s * b[i] * b[k];
}

static void suslov(const problem_data *d, const double *y, double *dy)
{
    const double *w = y + 4;
    double M[3], t[3];
    suslov_momentum(d->param, w, M);
    cross(t, M, w);
    problem_turn(dy, y, w);
    times(dy + 4, d->inverse, t);
}

static void suslov_rows(const problem_data *d, const double *y, double *A)
{
    (void)y;
    memcpy(A, d->param + SUSLOV_A, 3 * sizeof *A);
}

static void suslov_energies(const problem_data *d, const double *y, double *T, double *V)
{
    double M[3];
    suslov_momentum(d->param, y + 4, M);
    *T = dot(M, y + 4) / 2, *V = 0;
}

/* The car with an arm: m, I, b, ml, Il, l, k, kx; y = (x, y, cos, sin, alpha, v1, v2, w, alpha'). J depends on alpha;
 * the row v2 = 0 takes its equation with it, the others are p' = ad*_xi p + dT - dV. ------------------------------- */

enum { ARM_M, ARM_I, ARM_B, ARM_ML, ARM_IL, ARM_L, ARM_K, ARM_KX };

typedef struct arm_inertia {
    double whole, s, c;     /* m + ml; ml l sin alpha, ml l cos alpha */
    double car, both, link; /* of (w, w), (w, alpha'), (alpha', alpha') */
} arm_inertia;

static inline void arm_turn(arm_inertia *J, const double *p, double alpha)
{
    const double b = p[ARM_B], l = p[ARM_L], ml = p[ARM_ML];
    J->whole = p[ARM_M] + ml, J->s = ml * l * sin(alpha), J->c = ml * l * cos(alpha);
    J->link = p[ARM_IL] + ml * l * l, J->both = J->link + b * J->c;
    J->car = p[ARM_I] + J->link + ml * b * b + 2 * b * J->c;
}

static void arm(const problem_data *d, const double *y, double *dy)
{
    const double *p = d->param, b = p[ARM_B], v = y[5], w = y[7], u = y[8];
    arm_inertia J;
    arm_turn(&J, p, y[4]);
    const double across = (p[ARM_ML] * b + J.c) * w + J.c * u, slide = J.c * v;
    const double M[9] = {J.whole, -J.s, -J.s, -J.s, J.car, J.both, -J.s, J.both, J.link};
    const double f[3] = {w * across - p[ARM_KX] * y[0] * y[2] + J.c * u * (w + u),
                         -v * across + slide * u + b * J.s * u * (2 * w + u),
                         -slide * w - b * J.s * w * w - p[ARM_K] * sin(y[4])};
    double a[3];
    solve3(a, M, f);
    dy[0] = y[2] * v - y[3] * y[6], dy[1] = y[3] * v + y[2] * y[6];
    dy[2] = -y[3] * w, dy[3] = y[2] * w, dy[4] = u;
    dy[5] = a[0], dy[6] = 0, dy[7] = a[1], dy[8] = a[2];
}

static void arm_rows(const problem_data *d, const double *y, double *A)
{
    (void)d, (void)y;
    A[0] = A[2] = A[3] = 0, A[1] = 1;
}

static void arm_energies(const problem_data *d, const double *y, double *T, double *V)
{
    const double *p = d->param, v = y[5], a = y[6], w = y[7], u = y[8];
    arm_inertia J;
    arm_turn(&J, p, y[4]);
    *T = (J.whole * (v * v + a * a) + J.car * w * w + J.link * u * u) / 2 + J.both * w * u - J.s * v * (w + u) +
         a * ((p[ARM_ML] * p[ARM_B] + J.c) * w + J.c * u);
    *V = p[ARM_K] * (1 - cos(y[4])) + p[ARM_KX] * y[0] * y[0] / 2;
}

/* ------------------------------------------------------------------------------------------------------------------ */

const problem problem_list[] = {
    {"chaplygin-sphere", 2, 4, 6, 11, 2, NULL, sphere, sphere_rows, sphere_energies},
    {"rolling-disk", 3, 4, 7, 13, 3, NULL, disk, disk_rows, disk_energies},
    {"particle-quadratic", 0, 0, 3, 6, 1, NULL, particle, particle_rows, particle_energies},
    {"veselova-top", 0, 4, 4, 7, 1, veselova_prepare, veselova, veselova_rows, veselova_energies},
    {"heavy-top", 0, 4, 4, 7, 0, NULL, top, NULL, top_energies},
    {"cvt", 0, 0, 3, 6, 1, NULL, transmission, transmission_rows, transmission_energies},
    {"suslov", 0, 4, 4, 7, 1, suslov_prepare, suslov, suslov_rows, suslov_energies},
    {"mobile-arm", 2, 2, 5, 9, 1, NULL, arm, arm_rows, arm_energies},
};

const int problem_count = sizeof problem_list / sizeof problem_list[0];

/* xi -= A^T (A A^T)^-1 A xi, by Gram-Schmidt on the rows; the error of xi is projected in the same way. */
static void project_velocity(const problem *p, const problem_data *d, double *y, double *error)
{
    const int n = p->size - p->velocity;
    double A[PROBLEM_ROWS * PROBLEM_STATE], *xi = y + p->velocity, *e = error != NULL ? error + p->velocity : NULL;
    p->constraints(d, y, A);
    for (int a = 0; a < p->rows; a++) {
        double *row = A + a * n, norm = 0, along = 0, wrong = 0;
        for (int b = 0; b < a; b++) {
            double s = 0;
            for (int i = 0; i < n; i++) s += row[i] * A[b * n + i];
            for (int i = 0; i < n; i++) row[i] -= s * A[b * n + i];
        }
        for (int i = 0; i < n; i++) norm += row[i] * row[i];
        norm = 1 / sqrt(norm);
        for (int i = 0; i < n; i++) row[i] *= norm;
        for (int i = 0; i < n; i++) along += row[i] * xi[i];
        for (int i = 0; i < n; i++) xi[i] -= along * row[i];
        for (int i = 0; e != NULL && i < n; i++) wrong += row[i] * e[i];
        for (int i = 0; e != NULL && i < n; i++) e[i] -= wrong * row[i];
    }
}

/* Scales the unit numbers to length 1; their error loses its part along them. */
static void project_unit(const problem *p, double *y, double *error)
{
    double *q = y + p->unit, *e = error != NULL ? error + p->unit : NULL, norm = 0, wrong = 0;
    for (int i = 0; i < p->units; i++) norm += q[i] * q[i];
    const double s = 1 / sqrt(norm);
    for (int i = 0; i < p->units; i++) q[i] *= s;
    for (int i = 0; e != NULL && i < p->units; i++) wrong += q[i] * e[i];
    for (int i = 0; e != NULL && i < p->units; i++) e[i] -= wrong * q[i];
}

void problem_project(const problem *p, const problem_data *d, double *y, double *error)
{
    if (p->units > 0) project_unit(p, y, error);
    if (p->rows > 0) project_velocity(p, d, y, error);
}

double problem_energy(const problem *p, const problem_data *d, const double *y)
{
    double T, V;
    if (p->energies == NULL) return (double)NAN;
    p->energies(d, y, &T, &V);
    return T + V;
}

void problem_project_energy(const problem *p, const problem_data *d, double *y, double H)
{
    double T, V;
    p->energies(d, y, &T, &V);
    const double s = H > V && T > 0 ? sqrt((H - V) / T) : 1;
    for (int i = p->velocity; i < p->size; i++) y[i] *= s;
}
