/* SPDX-License-Identifier: BSD-3-Clause */
/* Accelerations and multipliers against mechanics that was derived without them: a pendulum on a moving pivot by its
 * angles, a rigid body as a cloud of particles. Differences replace the derivatives that a user leaves out: first ones
 * are good to 1e-12, the second ones of position constraints to 1e-11 of their terms, and a state's terms below 100.
 * Rolling bodies, tops, sleighs and links: tests/catalog/test_bodies.c and the claim catalog-consistent. */
#include <math.h>
#include <string.h>

#include "support/bench.h"
#include "support/energy_systems.h"
#include "support/matrix.h"

static const double gravity = 9.81;

static void cross(double *out, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* out += a x b. */
static void add_cross(double *out, const double *a, const double *b)
{
    double c[3];
    cross(c, a, b);
    for (int i = 0; i < 3; i++) out[i] += c[i];
}

/* ---- a pendulum in a vertical plane, length 1.3, mass 0.7, whose pivot moves ---- */

static const double rod = 1.3, bob = 0.7;

/* The pivot and its first and second derivative. */
static void pivot(double t, double *p, double *v, double *a)
{
    p[0] = 0.3 * sin(2 * t), p[1] = 0.2 * cos(t);
    v[0] = 0.6 * cos(2 * t), v[1] = -0.2 * sin(t);
    a[0] = -1.2 * sin(2 * t), a[1] = -0.2 * cos(t);
}

static int bob_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = bob * gravity * q[1];
    return 0;
}

static int bob_phi(const lg_call *c, const double *q, double *phi)
{
    double p[2], v[2], a[2];
    pivot(c->t, p, v, a);
    *phi = ((q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]) - rod * rod) / 2;
    return 0;
}

static int bob_dphi(const lg_call *c, const double *q, double *out)
{
    double p[2], v[2], a[2];
    pivot(c->t, p, v, a);
    out[0] = q[0] - p[0], out[1] = q[1] - p[1];
    return 0;
}

static int bob_rate(const lg_call *c, const double *q, double *out)
{
    double p[2], v[2], a[2];
    pivot(c->t, p, v, a);
    out[0] = -(q[0] - p[0]) * v[0] - (q[1] - p[1]) * v[1];
    return 0;
}

/* Also at t = 1e6, where a difference in time whose step is no double would be off by 1e-6; 2t is exact. */
static void test_moving_pivot(void **state)
{
    (void)state;
    static const double J[2] = {0.7, 0.7}, times[3] = {0.4, 17, 1e6 + 0.3};
    lg_system S = lg_system_default(lg_rn(2));
    S.inertia_diagonal = J;
    S.callbacks.potential = bob_V;
    S.callbacks.holonomic_count = 1;
    S.callbacks.holonomic = bob_phi;
    S.callbacks.time_dependent = 1;
    for (int given = 0; given < 4; given++) {
        bench b;
        S.callbacks.holonomic_differential = given & 1 ? bob_dphi : NULL;
        S.callbacks.holonomic_rate = given & 2 ? bob_rate : NULL;
        bench_open(&b, &S, NULL);
        for (int k = 0; k < 30; k++) {
            const double t = times[k % 3], th = 0.7 * k, w = 2 * sin(k);
            const double s = sin(th), c = cos(th);
            double p[2], v[2], a[2], got[2];
            suite_case("pendulum, derivatives given %d, state %d", given, k);
            pivot(t, p, v, a);
            const double th2 = -((gravity + a[1]) * s + a[0] * c) / rod;
            const double q[2] = {p[0] + rod * s, p[1] - rod * c}, qd[2] = {v[0] + rod * c * w, v[1] + rod * s * w};
            const double want[2] = {a[0] + rod * (c * th2 - s * w * w), a[1] + rod * (s * th2 + c * w * w)};
            const double pull = bob * (want[0] * s - (want[1] + gravity) * c) / rod;
            bench_accelerate(&b, t, q, qd, got);
            suite_near("q''", got, want, 2, given == 3 ? 1e-11 : 1e-10, 20);
            suite_near1("tension", b.a.lambda[0], pull, given == 3 ? 1e-11 : 1e-10, 20);
        }
        bench_close(&b);
    }
}

/* ---- a rigid body on SE(3) against its particles in R^12: weights, springs, drag, a driven force; then with a blade
 * that forbids the first particle to move along the normal of the first three ---- */

static const double masses[4] = {0.7, 1.1, 0.5, 1.6};
static const double points[4][3] = {{0.3, -0.2, 0.5}, {-0.6, 0.4, 0.1}, {0.2, 0.9, -0.4}, {0.8, 0.1, 0.3}};

static double particle_V(int i, const double *x)
{
    return masses[i] * gravity * x[2] + 0.8 * cos(x[0] + 0.5 * x[1] * (i + 1)) + 0.2 * x[1] * x[1] * x[2];
}

static void particle_force(int i, double t, const double *v, double *F)
{
    for (int k = 0; k < 3; k++) F[k] = -0.3 * (i + 1) * v[k];
    F[i % 3] += sin(t + i);
}

static int cloud_V(const lg_call *c, const double *x, double *V)
{
    (void)c;
    for (int i = 0; i < 4; i++) *V += particle_V(i, x + 3 * i);
    return 0;
}

static int cloud_force(const lg_call *c, const double *x, const double *v, double *F)
{
    (void)x;
    for (int i = 0; i < 4; i++) particle_force(i, c->t, v + 3 * i, F + 3 * i);
    return 0;
}

static int cloud_distances(const lg_call *c, const double *x, double *phi)
{
    (void)c;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            double s = 0, r = 0;
            for (int k = 0; k < 3; k++) {
                s += (x[3 * i + k] - x[3 * j + k]) * (x[3 * i + k] - x[3 * j + k]);
                r += (points[i][k] - points[j][k]) * (points[i][k] - points[j][k]);
            }
            *phi++ = (s - r) / 2;
        }
    return 0;
}

/* The normal of the triangle 0, 1, 2. */
static void normal(double *d, const double *x)
{
    double a[3], b[3];
    for (int k = 0; k < 3; k++) a[k] = x[3 + k] - x[k], b[k] = x[6 + k] - x[k];
    cross(d, a, b);
}

static int cloud_blade(const lg_call *c, const double *x, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    normal(mu, x);
    return 0;
}

static void place(double *x, double *R, const double *g, int i)
{
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g + 3));
    mat_apply(x, R, points[i], 3, 3);
    for (int k = 0; k < 3; k++) x[k] += g[k];
}

static int body_V(const lg_call *c, const double *g, double *V)
{
    double x[3], R[9];
    (void)c;
    for (int i = 0; i < 4; i++) {
        place(x, R, g, i);
        *V += particle_V(i, x);
    }
    return 0;
}

/* u = v + w x r, the velocity of particle i in the body's axes. */
static void body_velocity(double *u, const double *xi, int i)
{
    memcpy(u, xi, 3 * sizeof *u);
    add_cross(u, xi + 3, points[i]);
}

static int body_force(const lg_call *c, const double *g, const double *xi, double *out)
{
    for (int i = 0; i < 4; i++) {
        double x[3], R[9], Rt[9], u[3], v[3], F[3], f[3];
        place(x, R, g, i);
        mat_transpose(Rt, R, 3);
        body_velocity(u, xi, i);
        mat_apply(v, R, u, 3, 3);
        particle_force(i, c->t, v, F);
        mat_apply(f, Rt, F, 3, 3);
        for (int k = 0; k < 3; k++) out[k] += f[k];
        add_cross(out + 3, points[i], f);
    }
    return 0;
}

/* sum of m B^T B with u = B xi. */
static void body_inertia(double *J)
{
    memset(J, 0, 36 * sizeof *J);
    for (int i = 0; i < 4; i++) {
        double B[18];
        for (int j = 0; j < 6; j++) {
            double e[6] = {0}, u[3];
            e[j] = 1;
            body_velocity(u, e, i);
            for (int k = 0; k < 3; k++) B[6 * k + j] = u[k];
        }
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 6; a++)
                for (int b = 0; b < 6; b++) J[6 * a + b] += masses[i] * B[6 * k + a] * B[6 * k + b];
    }
}

/* Places, velocities and accelerations of all particles from the body's. */
static void particles(double *x, double *v, double *a, const double *g, const double *xi, const double *xidot)
{
    for (int i = 0; i < 4; i++) {
        double R[9], u[3], ud[3];
        place(x + 3 * i, R, g, i);
        body_velocity(u, xi, i);
        body_velocity(ud, xidot, i);
        add_cross(ud, xi + 3, u);
        mat_apply(v + 3 * i, R, u, 3, 3);
        mat_apply(a + 3 * i, R, ud, 3, 3);
    }
}

static void test_cloud(void **state)
{
    (void)state;
    double J[36], masses_3[12], row[6] = {0};
    lg_rng rng = suite_rng(44000);
    lg_system cloud = lg_system_default(lg_rn(12)), body = lg_system_default(lg_se3());
    body_inertia(J);
    for (int i = 0; i < 12; i++) masses_3[i] = masses[i / 3];
    cloud.inertia_diagonal = masses_3;
    cloud.callbacks.potential = cloud_V;
    cloud.callbacks.force = cloud_force;
    cloud.callbacks.holonomic_count = 6;
    cloud.callbacks.holonomic = cloud_distances;
    cloud.callbacks.covectors = NULL;
    body.inertia = J;
    body.callbacks.potential = body_V;
    body.callbacks.force = body_force;
    cloud.callbacks.time_dependent = body.callbacks.time_dependent = 1;
    normal(row, &points[0][0]);
    cross(row + 3, points[0], row);
    for (int blade = 0; blade < 2; blade++) {
        bench c, b;
        cloud.constraint_count = body.constraint_count = blade;
        cloud.callbacks.covectors = blade ? cloud_blade : NULL;
        body.covector_matrix = blade ? row : NULL;
        bench_open(&c, &cloud, NULL);
        bench_open(&b, &body, NULL);
        for (int k = 0; k < 30; k++) {
            double g[7], xi[6], xidot[6], x[12], v[12], want[12], got[12], t = k;
            suite_case("rigid body and its particles, blade %d, state %d", blade, k);
            suite_ok("random", lg_group_random(lg_se3(), g, &rng));
            suite_normal(xi, 6, &rng);
            if (blade) system_project(&body, t, g, xi);
            bench_accelerate(&b, t, g, xi, xidot);
            particles(x, v, want, g, xi, xidot);
            bench_accelerate(&c, t, x, v, got);
            double scale = 1 + mat_norm(want, 12) + mat_norm(v, 12) * mat_norm(v, 12);
            suite_near("particles' accelerations", got, want, 12, 1e-9, scale);
            if (blade) suite_near1("the blade's multiplier", c.a.lambda[6], b.a.lambda[0], 1e-8, scale);
        }
        bench_close(&c), bench_close(&b);
    }
}

int main(void)
{
    suite_begin("accelerations and mechanics");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moving_pivot),
        cmocka_unit_test(test_cloud),

    };
    return cmocka_run_group_tests_name("accelerations and mechanics", tests, NULL, NULL);
}
