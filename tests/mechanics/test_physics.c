/* SPDX-License-Identifier: BSD-3-Clause */
/* Accelerations and multipliers against mechanics that was derived without them: pendulums and links by their angles,
 * a rigid body as a cloud of particles, rolling bodies by Newton and Euler, sleigh and ball by their closed equations.
 * What the user leaves out is made by differences: first ones are good to 1e-12, the second ones of position
 * constraints to 1e-11 of their terms, and a state's terms are below 100. */
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

/* out = a x b + what stands there. */
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

/* ---- two links: the metric J(q) of their angles against two particles on rods ---- */

static int rods(const lg_call *c, const double *q, double *phi)
{
    (void)c;
    phi[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
    phi[1] = ((q[2] - q[0]) * (q[2] - q[0]) + (q[3] - q[1]) * (q[3] - q[1]) - 1) / 2;
    return 0;
}

static int weights(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = gravity * (q[1] + q[3]);
    return 0;
}

/* Place, velocity and acceleration of the links' ends from the angle a of one link, added to those of its pivot. */
static void swing(double *x, const double *pivot_x, double a, double w, double w2)
{
    const double s = sin(a), c = cos(a);
    const double own[6] = {s, -c, c * w, s * w, c * w2 - s * w * w, s * w2 + c * w * w};
    for (int i = 0; i < 6; i++) x[i] = own[i] + (pivot_x != NULL ? pivot_x[i] : 0);
}

static void test_two_links(void **state)
{
    (void)state;
    static const double unit[4] = {1, 1, 1, 1};
    test_system t;
    bench b, links;
    lg_rng rng = suite_rng(43000);
    lg_system S = lg_system_default(lg_rn(4));
    S.inertia_diagonal = unit;
    S.callbacks.holonomic_count = 2;
    S.callbacks.holonomic = rods;
    S.callbacks.potential = weights;
    energy_system_make(&t, "twolink");
    bench_open(&b, &S, NULL);
    bench_open(&links, &t.S, NULL);
    for (int k = 0; k < 30; k++) {
        double q[2], v[2], a[2], one[6], two[6], got[4];
        suite_case("two links, state %d", k);
        suite_normal(q, 2, &rng);
        suite_normal(v, 2, &rng);
        bench_accelerate(&links, 0, q, v, a);
        swing(one, NULL, q[0], v[0], a[0]);
        swing(two, one, q[0] + q[1], v[0] + v[1], a[0] + a[1]);
        const double x[4] = {one[0], one[1], two[0], two[1]}, xd[4] = {one[2], one[3], two[2], two[3]};
        const double want[4] = {one[4], one[5], two[4], two[5]};
        bench_accelerate(&b, 0, x, xd, got);
        suite_near("particles' accelerations", got, want, 4, 1e-10, 1 + mat_norm(want, 4));
    }
    bench_close(&b), bench_close(&links);
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

/* ---- rolling bodies by Newton and Euler: I w' - rho x (rho x w') = Iw x w + rho x (rho' x w + w x (rho x w))
 * + g rho x gamma, m = 1, rho(gamma) from the centre of mass to the contact ---- */

typedef struct roller {
    const char *name;
    double I[9], semi[3], below;
    int shift; /* length of the vector part: 3, or 2 with the height eliminated */
} roller;

static void contact(const roller *k, const double *gamma, double *rho)
{
    double s = 0;
    for (int i = 0; i < 3; i++) s += k->semi[i] * gamma[i] * gamma[i];
    for (int i = 0; i < 3; i++) rho[i] = -k->semi[i] * gamma[i] / sqrt(s);
    rho[2] += k->below;
}

/* rho' along gamma' = gamma x w. */
static void contact_rate(const roller *k, const double *gamma, const double *w, double *rate)
{
    double turn[3], s2 = 0, slope = 0;
    cross(turn, gamma, w);
    for (int i = 0; i < 3; i++) {
        s2 += k->semi[i] * gamma[i] * gamma[i];
        slope += k->semi[i] * gamma[i] * turn[i];
    }
    for (int i = 0; i < 3; i++) rate[i] = k->semi[i] * (gamma[i] * slope / s2 - turn[i]) / sqrt(s2);
}

/* w' and the reaction N of the ground, both in the body's axes. */
static void newton_euler(const roller *k, const double *gamma, const double *w, double *wd, double *N)
{
    double rho[3], rate[3], v[3], a[3], Iw[3], torque[3], M[9];
    contact(k, gamma, rho);
    contact_rate(k, gamma, w, rate);
    cross(v, rho, w);
    cross(a, rate, w);
    add_cross(a, w, v);
    for (int i = 0; i < 3; i++) a[i] += gravity * gamma[i];
    mat_apply(Iw, k->I, w, 3, 3);
    cross(torque, Iw, w);
    add_cross(torque, rho, a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            M[3 * i + j] = k->I[3 * i + j] - rho[i] * rho[j] + (i == j ? mat_dot(rho, rho, 3) : 0);
    assert_true(mat_solve(wd, M, torque, 3));
    cross(N, rho, wd);
    for (int i = 0; i < 3; i++) N[i] += a[i];
}

static void test_rolling(void **state)
{
    (void)state;
#define PLATE {0.25, 0, 0, 0, 0.25, 0, 0, 0, 0.5}, {1, 1, 0}, 0
#define STONE {2e-4, -2e-5, 0, -2e-5, 1.6e-3, 0, 0, 0, 1.7e-3}, {0.04, 9e-4, 4e-4}, 0.01
    static const roller bodies[] = {
        {"disk", PLATE, 3}, {"diskH", PLATE, 3}, {"diskB", PLATE, 2}, {"rattleback-", STONE, 3}, {"rattle+", STONE, 3}};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        const roller *k = &bodies[i];
        test_system t;
        bench b;
        lg_rng rng = suite_rng(45000);
        energy_system_make(&t, k->name);
        bench_open(&b, &t.S, NULL);
        for (int s = 0; s < 30; s++) {
            double g[7] = {0.3, -0.2}, xi[6], R[9], rho[3], v[3], w[3], wd[3], N[3], force[3], got[6];
            suite_case("%s, state %d", k->name, s);
            suite_ok("random", lg_group_random(lg_so3(), g + k->shift, &rng));
            suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g + k->shift));
            if (fabs(R[8]) > 0.9) continue; /* the disk lies flat */
            suite_normal(w, 3, &rng);
            contact(k, R + 6, rho);
            cross(v, rho, w);
            mat_apply(xi, R, v, k->shift, 3);
            memcpy(xi + k->shift, w, sizeof w);
            newton_euler(k, R + 6, w, wd, N);
            bench_accelerate(&b, 0, g, xi, got);
            double scale = 1 + mat_norm(wd, 3) + mat_norm(w, 3) * mat_norm(w, 3);
            suite_near("w'", got + k->shift, wd, 3, 1e-9, scale);
            /* the holonomic constraint comes first, and is the vertical row */
            mat_apply(force, R, N, 3, 3);
            int first = t.S.callbacks.holonomic_count;
            suite_near("friction", b.a.lambda + first, force, 2, 1e-9, 20 + scale);
            if (k->shift == 3) suite_near1("weight", b.a.lambda[first ? 0 : 2], force[2], 1e-9, 20 + scale);
        }
        bench_close(&b);
    }
}

/* ---- a homogeneous ball on a table that turns with Omega(t): x'' (1 + m r^2/I) = (Omega e_z x x)' ---- */

static void test_table(void **state)
{
    (void)state;
    static const double J[5] = {3, 3, 1.1, 1.1, 1.1};
    test_system t;
    bench b;
    lg_rng rng = suite_rng(46000);
    energy_system_make(&t, "ballt");
    t.S.inertia_diagonal = J;
    bench_open(&b, &t.S, NULL);
    for (int k = 0; k < 30; k++) {
        double g[6], xi[5], got[5], time = 3 * lg_rng_uniform(&rng);
        const double Omega = 0.2 + 0.1 * sin(time), rate = 0.1 * cos(time), share = 1 / (1 + 3 / 1.1);
        suite_case("ball on a table, state %d", k);
        suite_ok("random", lg_group_random(t.S.group, g, &rng));
        suite_normal(xi, 5, &rng);
        system_project(&t.S, time, g, xi);
        bench_accelerate(&b, time, g, xi, got);
        const double want[2] = {-share * (Omega * xi[1] + rate * g[1]), share * (Omega * xi[0] + rate * g[0])};
        suite_near("x''", got, want, 2, 1e-11, 1 + mat_norm(xi, 5) * mat_norm(xi, 5));
    }
    bench_close(&b);
}

/* ---- Chaplygin's sleigh, m = 1, a = 0.2, J = 1.04: u' = a w^2, w' = -(a/J) u w, reaction a w' + u w; on SE(2), and in
 * the coordinates (x, y, theta) with the metric M(theta) and the row the other way round ---- */

static void test_sleigh(void **state)
{
    (void)state;
    test_system t, plane;
    bench b, p;
    lg_rng rng = suite_rng(47000);
    test_system_make(&t, "sleigh");
    energy_system_make(&plane, "sleighM");
    plane.S = bench_stripped(&plane.S);
    bench_open(&b, &t.S, NULL);
    bench_open(&p, &plane.S, NULL);
    for (int k = 0; k < 30; k++) {
        double z[3], got[3];
        suite_case("sleigh, state %d", k);
        suite_normal(z, 3, &rng);
        const double u = z[0], w = z[1], th = z[2], s = sin(th), c = cos(th);
        const double ud = 0.2 * w * w, wd = -0.2 / 1.04 * u * w, push = 0.2 * wd + u * w;
        const double g[4] = {0.3, 0.7, c, s}, xi[3] = {u, 0, w}, want[3] = {ud, 0, wd};
        bench_accelerate(&b, 0, g, xi, got);
        suite_near("on SE(2)", got, want, 3, 64 * SUITE_EPS, 1 + u * u + w * w);
        suite_near1("its reaction", b.a.lambda[0], push, 64 * SUITE_EPS, 1 + u * u + w * w);
        const double q[3] = {0.3, 0.7, th}, qd[3] = {u * c, u * s, w},
                     qdd[3] = {ud * c - u * s * w, ud * s + u * c * w, wd};
        bench_accelerate(&p, 0, q, qd, got);
        suite_near("in the plane", got, qdd, 3, 1e-11, 1 + u * u + w * w);
        suite_near1("its reaction", p.a.lambda[0], -push, 1e-11, 1 + u * u + w * w);
    }
    bench_close(&b), bench_close(&p);
}

int main(void)
{
    suite_begin("accelerations and mechanics");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moving_pivot), cmocka_unit_test(test_two_links), cmocka_unit_test(test_cloud),
        cmocka_unit_test(test_rolling),      cmocka_unit_test(test_table),     cmocka_unit_test(test_sleigh),
    };
    return cmocka_run_group_tests_name("accelerations and mechanics", tests, NULL, NULL);
}
