/* SPDX-License-Identifier: BSD-3-Clause */
/* The problems reduced by hand, each in its own way: velocities that the constraints determine are not
 * unknowns, and the remaining equations have no multipliers. */
#include <math.h>
#include <string.h>

#include "benchmarks/problems.h"

static inline double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The rows of the rotation of a quaternion. */
static inline void rows_of(double *R, const double *q)
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    R[0] = 1 - 2 * (y * y + z * z), R[1] = 2 * (x * y - w * z), R[2] = 2 * (x * z + w * y);
    R[3] = 2 * (x * y + w * z), R[4] = 1 - 2 * (x * x + z * z), R[5] = 2 * (y * z - w * x);
    R[6] = 2 * (x * z - w * y), R[7] = 2 * (y * z + w * x), R[8] = 1 - 2 * (x * x + y * y);
}

/* Chaplygin's sphere on a table at rest, y = (x, y, q, w): (I + m r^2 (1 - gamma gamma^T)) w' = I w x w, inverted by
 * Sherman and Morrison's formula. ---------------------------------------------------------------------------------- */

static inline void sphere_roll(double r, const double *R, const double *w, double *v)
{
    v[0] = r * dot(R + 3, w), v[1] = -r * dot(R, w);
}

static void sphere(const problem_data *d, const double *y, double *dy)
{
    const double m = d->param[0], r = d->param[1], *J = d->param + 3, *w = y + 6, k = m * r * r;
    double R[9], t[3], u[3];
    rows_of(R, y + 2);
    const double *gamma = R + 6;
    sphere_roll(r, R, w, dy);
    problem_turn(dy + 2, y + 2, w);
    t[0] = (J[1] - J[2]) * w[1] * w[2], t[1] = (J[2] - J[0]) * w[2] * w[0], t[2] = (J[0] - J[1]) * w[0] * w[1];
    for (int i = 0; i < 3; i++) u[i] = gamma[i] / (J[i] + k), t[i] /= J[i] + k;
    const double s = k * dot(gamma, t) / (1 - k * dot(gamma, u));
    for (int i = 0; i < 3; i++) dy[6 + i] = t[i] + s * u[i];
}

static void sphere_expand(const problem_data *d, const double *y, double *full)
{
    double R[9];
    rows_of(R, y + 2);
    memcpy(full, y, 6 * sizeof *full);
    sphere_roll(d->param[1], R, y + 6, full + 6);
    memcpy(full + 8, y + 6, 3 * sizeof *full);
}

/* The disk, y = (x, y, q, w): (I + m (r^2 - rho rho^T)) w' = I w x w + m rho x (rho' x w + w x (rho x w) + g gamma).
 * rho has no third component, which leaves a 2 x 2 system of determinant Id (Id + m r^2). -------------------------- */

static inline void disk_roll(double r, const double *R, const double *w, double *rho, double *u)
{
    const double s = r / sqrt(R[6] * R[6] + R[7] * R[7]);
    rho[0] = -s * R[6], rho[1] = -s * R[7];
    u[0] = rho[1] * w[2], u[1] = -rho[0] * w[2], u[2] = rho[0] * w[1] - rho[1] * w[0]; /* rho x w */
}

static void disk(const problem_data *d, const double *y, double *dy)
{
    const double m = d->param[0], g = d->param[1], r = d->param[2], Id = d->param[3], Ia = d->param[4], *w = y + 6;
    double R[9], rho[2], u[3], a[3];
    rows_of(R, y + 2);
    disk_roll(r, R, w, rho, u);
    const double *gamma = R + 6, s = -(rho[0] * gamma[0] + rho[1] * gamma[1]) / r; /* |(gamma_1, gamma_2)| */
    const double c0 = gamma[1] * w[2] - gamma[2] * w[1], c1 = gamma[2] * w[0] - gamma[0] * w[2]; /* gamma' */
    const double along = (rho[0] * c0 + rho[1] * c1) / (r * r);
    const double d0 = -r / s * (c0 - rho[0] * along), d1 = -r / s * (c1 - rho[1] * along); /* rho' */
    dy[0] = dot(R, u), dy[1] = dot(R + 3, u);
    problem_turn(dy + 2, y + 2, w);
    a[0] = d1 * w[2] + w[1] * u[2] - w[2] * u[1] + g * gamma[0];
    a[1] = -d0 * w[2] + w[2] * u[0] - w[0] * u[2] + g * gamma[1];
    a[2] = d0 * w[1] - d1 * w[0] + w[0] * u[1] - w[1] * u[0] + g * gamma[2];
    const double b0 = (Id - Ia) * w[1] * w[2] + m * rho[1] * a[2], b1 = (Ia - Id) * w[2] * w[0] - m * rho[0] * a[2];
    const double det = 1 / (Id * (Id + m * r * r));
    dy[6] = det * ((Id + m * rho[0] * rho[0]) * b0 + m * rho[0] * rho[1] * b1);
    dy[7] = det * (m * rho[0] * rho[1] * b0 + (Id + m * rho[1] * rho[1]) * b1);
    dy[8] = m * (rho[0] * a[1] - rho[1] * a[0]) / (Ia + m * r * r);
}

static void disk_expand(const problem_data *d, const double *y, double *full)
{
    double R[9], rho[2], u[3];
    rows_of(R, y + 2);
    disk_roll(d->param[2], R, y + 6, rho, u);
    full[0] = y[0], full[1] = y[1], full[2] = -(rho[0] * R[6] + rho[1] * R[7]);
    memcpy(full + 3, y + 2, 4 * sizeof *full);
    for (int i = 0; i < 3; i++) full[7 + i] = dot(R + 3 * i, u);
    memcpy(full + 10, y + 6, 3 * sizeof *full);
}

/* The particle, y = (x, y, z, x', y') with z' = y x'. -------------------------------------------------------------- */

static void particle(const problem_data *d, const double *y, double *dy)
{
    const double l = (y[3] * y[4] - 2 * y[0] * y[1]) / (1 + y[1] * y[1]);
    (void)d;
    dy[0] = y[3], dy[1] = y[4], dy[2] = y[1] * y[3];
    dy[3] = -2 * y[0] - l * y[1], dy[4] = -2 * y[1];
}

static void particle_expand(const problem_data *d, const double *y, double *full)
{
    (void)d;
    memcpy(full, y, 5 * sizeof *full);
    full[5] = y[1] * y[3];
}

/* The transmission, y = (x, y, s, x', s') with y' = -sin s x'. ------------------------------------------------------
 */

static void transmission(const problem_data *d, const double *y, double *dy)
{
    const double s = sin(y[2]), l = (y[0] * s + y[1] - cos(y[2]) * y[4] * y[3]) / (1 + s * s);
    (void)d;
    dy[0] = y[3], dy[1] = -s * y[3], dy[2] = y[4];
    dy[3] = -y[0] + l * s, dy[4] = s;
}

static void transmission_expand(const problem_data *d, const double *y, double *full)
{
    (void)d;
    memcpy(full, y, 4 * sizeof *full);
    full[4] = -sin(y[2]) * y[3], full[5] = y[4];
}

/* Suslov's problem with a = e_3, y = (q, w_1, w_2): I2 w' = (b.w) (-w_2, w_1) with the upper block I2 of the inertia
 * and b = (I13, I23).
 * -------------------------------------------------------------------------------------------------- */

static void suslov_prepare(problem_data *d)
{
    const double *p = d->param, det = p[0] * p[3] - p[1] * p[1];
    d->inverse[0] = p[3] / det, d->inverse[1] = -p[1] / det, d->inverse[2] = p[0] / det;
}

static void suslov(const problem_data *d, const double *y, double *dy)
{
    const double *w = y + 4, *P = d->inverse, s = d->param[2] * w[0] + d->param[4] * w[1];
    dy[0] = 0.5 * (y[3] * w[0] - y[2] * w[1]), dy[1] = 0.5 * (y[3] * w[1] + y[2] * w[0]);
    dy[2] = 0.5 * (y[0] * w[1] - y[1] * w[0]), dy[3] = -0.5 * (y[0] * w[0] + y[1] * w[1]);
    dy[4] = s * (P[1] * w[0] - P[0] * w[1]), dy[5] = s * (P[2] * w[0] - P[1] * w[1]);
}

static void suslov_expand(const problem_data *d, const double *y, double *full)
{
    (void)d;
    memcpy(full, y, 6 * sizeof *full);
    full[6] = 0;
}

/* ------------------------------------------------------------------------------------------------------------------ */

#define REDUCED(name, unit, units, velocity, size, prepare, equations)                                                 \
    name,                                                                                                              \
    {                                                                                                                  \
        name ", reduced", unit, units, velocity, size, 0, prepare, equations, NULL, NULL                               \
    }

static const problem_reduction reductions[] = {
    {REDUCED("chaplygin-sphere", 2, 4, 6, 9, NULL, sphere), {0, 1, 2, 3, 4, 5, 8, 9, 10}, sphere_expand},
    {REDUCED("rolling-disk", 2, 4, 6, 9, NULL, disk), {0, 1, 3, 4, 5, 6, 10, 11, 12}, disk_expand},
    {REDUCED("particle-quadratic", 0, 0, 3, 5, NULL, particle), {0, 1, 2, 3, 4}, particle_expand},
    {REDUCED("cvt", 0, 0, 3, 5, NULL, transmission), {0, 1, 2, 3, 5}, transmission_expand},
    {REDUCED("suslov", 0, 4, 4, 6, suslov_prepare, suslov), {0, 1, 2, 3, 4, 5}, suslov_expand},
};
enum { REDUCTIONS = sizeof reductions / sizeof reductions[0] };

const problem_reduction *problem_reduced(const char *system)
{
    for (int i = 0; i < REDUCTIONS; i++)
        if (strcmp(reductions[i].system, system) == 0) return &reductions[i];
    return NULL;
}

const problem *problem_find(const char *system)
{
    for (int i = 0; i < problem_count; i++)
        if (strcmp(problem_list[i].system, system) == 0) return &problem_list[i];
    for (int i = 0; i < REDUCTIONS; i++)
        if (strcmp(reductions[i].reduced.system, system) == 0) return &reductions[i].reduced;
    return NULL;
}
