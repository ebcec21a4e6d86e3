/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost of a step of `sem`, the default method, against one step of GSL's rk4 on the embedded equations with the
 * multipliers eliminated: the ball on a turntable with its formal and with its physical constraint (R^2 x SO(3)), where
 * the velocity of the centre is eliminated by hand too, and the falling disk (R^3 x SO(3), three rows, gravity), where
 * the multipliers come from their 3 x 3 system; for information also against the disk's nine equations reduced by hand
 * with all that is special to it. The same h = 0.01, in one run.
 *   sem is implicit, keeps constraints and energy to round-off; rk4 keeps neither. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "benchmarks/support.h"

#define H       0.01
#define STEPS   1000 /* in a round */
#define MASS    3.0
#define TABLE   0.2 /* angular velocity */
#define GRAVITY 9.81

static const double ball_J[5] = {MASS, MASS, 1, 1.1, 1.2}, disk_J[6] = {1, 1, 1, 0.25, 0.25, 0.5};

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "shared: %s: %s\n", what, why);
    exit(1);
}

static void cross(double *c, const double *a, const double *b)
{
    c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}

/* ---- systems ---- */

static int formal_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c;
    mu[0] = mu[6] = 1, mu[3] = -1, mu[7] = 1;
    Y[0] = -TABLE * g[1], Y[1] = TABLE * g[0];
    return 0;
}

static int physical_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    double R[9];
    (void)c;
    lg_so3_to_matrix(R, g + 2);
    mu[0] = mu[6] = 1;
    for (int i = 0; i < 3; i++) mu[2 + i] = -R[3 + i], mu[7 + i] = R[i];
    Y[0] = -TABLE * g[1], Y[1] = TABLE * g[0];
    return 0;
}

/* From the centre to the contact in body axes, radius 1. */
static void contact(double *rho, const double *gamma)
{
    const double s = 1 / sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1]);
    rho[0] = -s * gamma[0], rho[1] = -s * gamma[1], rho[2] = 0;
}

static int disk_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    double R[9], rho[3];
    (void)c, (void)Y;
    lg_so3_to_matrix(R, g + 3);
    contact(rho, R + 6);
    for (int a = 0; a < 3; a++) {
        mu[7 * a] = 1;
        cross(mu + 6 * a + 3, rho, R + 3 * a);
    }
    return 0;
}

static int disk_potential(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = GRAVITY * g[2];
    return 0;
}

static int disk_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c, (void)g;
    dV[2] = GRAVITY;
    return 0;
}

static lg_integrator *make(const lg_system *S, const char *method, const char *retraction, const double *g0,
                           const double *w0)
{
    double xi0[6] = {0};
    lg_integrator *it = NULL;
    memcpy(xi0 + lg_group_dim(S->group) - 3, w0, 3 * sizeof *w0);
    /* the rows are solved for the velocity of the centre */
    double mu[18] = {0}, Y[6] = {0};
    static const double t = 0;
    const lg_call call = {NULL, NULL, t, 1, NULL, &t};
    const int n = lg_group_dim(S->group);
    (void)S->callbacks.covectors(&call, g0, mu, Y);
    for (int a = 0; a < S->constraint_count; a++) {
        xi0[a] = Y[a];
        for (int i = n - 3; i < n; i++) xi0[a] -= mu[a * n + i] * xi0[i];
    }
    lg_status st = lg_integrator_create(&it, S, method, retraction, H);
    if (st == LG_OK) st = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1);
    if (st != LG_OK) fail(lg_group_name(S->group), lg_integrator_message(it));
    return it;
}

static const double ball_g0[6] = {1, 0.5, 0, 0, 0, 1}, ball_w0[3] = {0.4, 2, 0.7};
static const double disk_w0[3] = {0.2, 0.5, 4};

static lg_integrator *make_ball(const lg_group *G, int physical, const char *method, const char *retraction)
{
    lg_system S = lg_system_default(G);
    S.inertia_diagonal = ball_J;
    S.constraint_count = 2;
    S.callbacks.covectors = physical ? physical_rows : formal_rows;
    return make(&S, method, retraction, ball_g0, ball_w0);
}

static void disk_start(double *g0)
{
    const double q[4] = {sin(0.65), 0, 0, cos(0.65)};
    double R[9], rho[3];
    memcpy(g0 + 3, q, sizeof q);
    lg_so3_to_matrix(R, q);
    contact(rho, R + 6);
    g0[0] = g0[1] = 0;
    g0[2] = -(rho[0] * R[6] + rho[1] * R[7]);
}

static lg_integrator *make_disk(const lg_group *G, const char *method, const char *retraction)
{
    double g0[7];
    lg_system S = lg_system_default(G);
    S.inertia_diagonal = disk_J;
    S.constraint_count = 3;
    S.callbacks.covectors = disk_rows;
    S.callbacks.potential = disk_potential;
    S.callbacks.potential_gradient = disk_gradient;
    disk_start(g0);
    return make(&S, method, retraction, g0, disk_w0);
}

static long evaluations;

static double run_library(void *context, long count)
{
    lg_integrator *it = context;
    if (lg_integrator_reset(it) != LG_OK) fail("reset", lg_integrator_message(it));
    evaluations = 0;
    for (long i = 0; i < count; i++) {
        if (lg_integrator_step(it) != LG_OK) fail("run", lg_integrator_message(it));
        evaluations += lg_integrator_iterations(it);
    }
    return lg_integrator_configuration(it)[0];
}

/* ---- GSL's rk4 ---- */

typedef struct rk4 {
    gsl_odeiv2_step *step;
    gsl_odeiv2_system system;
    double y0[13], y[13]; /* x, y, quaternion, w; or x, y, z, quaternion and their velocities */
} rk4;

static void turn(double *dq, const double *q, const double *w)
{
    dq[0] = 0.5 * (q[3] * w[0] + q[1] * w[2] - q[2] * w[1]);
    dq[1] = 0.5 * (q[3] * w[1] + q[2] * w[0] - q[0] * w[2]);
    dq[2] = 0.5 * (q[3] * w[2] + q[0] * w[1] - q[1] * w[0]);
    dq[3] = -0.5 * (q[0] * w[0] + q[1] * w[1] + q[2] * w[2]);
}

/* x = M^-1 b, 3 x 3 symmetric. */
static void solve3(double *x, const double *M, const double *b)
{
    double c[9];
    cross(c, M + 3, M + 6), cross(c + 3, M + 6, M), cross(c + 6, M, M + 3);
    const double r = 1 / (M[0] * c[0] + M[1] * c[1] + M[2] * c[2]);
    for (int i = 0; i < 3; i++) x[i] = r * (c[i] * b[0] + c[3 + i] * b[1] + c[6 + i] * b[2]);
}

static int formal_equations(double t, const double *y, double *dy, void *context)
{
    const double *w = y + 6, *J = ball_J + 2;
    (void)t, (void)context;
    dy[0] = w[1] - TABLE * y[1];
    dy[1] = -w[0] + TABLE * y[0];
    turn(dy + 2, y + 2, w);
    dy[6] = ((J[1] - J[2]) * w[1] * w[2] + MASS * TABLE * dy[0]) / (J[0] + MASS);
    dy[7] = ((J[2] - J[0]) * w[2] * w[0] + MASS * TABLE * dy[1]) / (J[1] + MASS);
    dy[8] = (J[0] - J[1]) * w[0] * w[1] / J[2];
    return GSL_SUCCESS;
}

/* (I + m (1 - gamma gamma^T)) w' = I w x w + m Omega R^T x'. */
static int physical_equations(double t, const double *y, double *dy, void *context)
{
    const double *w = y + 6, *J = ball_J + 2;
    double R[9], M[9], b[3];
    (void)t, (void)context;
    lg_so3_to_matrix(R, y + 2);
    dy[0] = (R[3] * w[0] + R[4] * w[1] + R[5] * w[2]) - TABLE * y[1];
    dy[1] = -(R[0] * w[0] + R[1] * w[1] + R[2] * w[2]) + TABLE * y[0];
    turn(dy + 2, y + 2, w);
    b[0] = (J[1] - J[2]) * w[1] * w[2], b[1] = (J[2] - J[0]) * w[2] * w[0], b[2] = (J[0] - J[1]) * w[0] * w[1];
    for (int i = 0; i < 3; i++) {
        b[i] += MASS * TABLE * (R[i] * dy[0] + R[3 + i] * dy[1]);
        for (int j = 0; j < 3; j++) M[3 * i + j] = (i == j) * (J[i] + MASS) - MASS * R[6 + i] * R[6 + j];
    }
    solve3(dy + 6, M, b);
    return GSL_SUCCESS;
}

/* I w' - rho x (rho x w') = I w x w + rho x (rho' x w + w x (rho x w)) + g rho x gamma, m = r = 1. */
static int disk_equations(double t, const double *y, double *dy, void *context)
{
    const double *w = y + 6, *J = disk_J + 3;
    double R[9], rho[3], dgamma[3], drho[3] = {0}, v[3], a[3], c[3], d[3], b[3], M[9];
    (void)t, (void)context;
    lg_so3_to_matrix(R, y + 2);
    const double *gamma = R + 6, s = 1 / sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1]);
    contact(rho, gamma);
    cross(dgamma, gamma, w);
    const double along = rho[0] * dgamma[0] + rho[1] * dgamma[1];
    for (int i = 0; i < 2; i++) drho[i] = -s * (dgamma[i] - rho[i] * along);
    cross(v, rho, w);
    for (int i = 0; i < 2; i++) dy[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
    turn(dy + 2, y + 2, w);
    cross(a, drho, w), cross(c, w, v);
    for (int i = 0; i < 3; i++) a[i] += c[i] + GRAVITY * gamma[i];
    cross(d, rho, a);
    b[0] = (J[1] - J[2]) * w[1] * w[2], b[1] = (J[2] - J[0]) * w[2] * w[0], b[2] = (J[0] - J[1]) * w[0] * w[1];
    for (int i = 0; i < 3; i++) {
        b[i] += d[i];
        for (int j = 0; j < 3; j++) M[3 * i + j] = (i == j) * (J[i] + 1) - rho[i] * rho[j]; /* |rho| = 1 */
    }
    solve3(dy + 6, M, b);
    return GSL_SUCCESS;
}

/* y = (x, q, x', w): A M^-1 A^T lambda = -A' xi - A M^-1 (forces), rows (e_a; rho x R^T e_a), m = r = 1. */
static int disk_multipliers(double t, const double *y, double *dy, void *context)
{
    const double *v = y + 7, *w = y + 10, *J = disk_J + 3;
    double R[9], rho[3], drho[3] = {0}, dgamma[3], B[9], C[9], r[3], l[3], a[3], b[3], c[3];
    (void)t, (void)context;
    lg_so3_to_matrix(R, y + 3);
    const double *gamma = R + 6, s = 1 / sqrt(gamma[0] * gamma[0] + gamma[1] * gamma[1]);
    contact(rho, gamma);
    cross(dgamma, gamma, w);
    const double along = rho[0] * dgamma[0] + rho[1] * dgamma[1];
    for (int i = 0; i < 2; i++) drho[i] = -s * (dgamma[i] - rho[i] * along);
    const double torque[3] = {(J[1] - J[2]) * w[1] * w[2], (J[2] - J[0]) * w[2] * w[0], (J[0] - J[1]) * w[0] * w[1]};
    for (int k = 0; k < 3; k++) {
        const double *e = R + 3 * k;
        cross(B + 3 * k, rho, e);
        cross(a, drho, e), cross(c, e, w), cross(b, rho, c);
        r[k] = k == 2 ? GRAVITY : 0;
        for (int i = 0; i < 3; i++) r[k] -= (a[i] + b[i]) * w[i] + B[3 * k + i] * torque[i] / J[i];
    }
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) {
            C[3 * k + j] = k == j;
            for (int i = 0; i < 3; i++) C[3 * k + j] += B[3 * k + i] * B[3 * j + i] / J[i];
        }
    solve3(l, C, r);
    for (int i = 0; i < 3; i++) {
        dy[i] = v[i];
        dy[7 + i] = l[i] - (i == 2 ? GRAVITY : 0);
        dy[10 + i] = (torque[i] + l[0] * B[i] + l[1] * B[3 + i] + l[2] * B[6 + i]) / J[i];
    }
    turn(dy + 3, y + 3, w);
    return GSL_SUCCESS;
}

static void rk4_init_disk(rk4 *o, const lg_integrator *it)
{
    o->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk4, 13);
    if (!o->step) fail("rk4", "out of memory");
    o->system = (gsl_odeiv2_system){disk_multipliers, NULL, 13, NULL};
    memcpy(o->y0, lg_integrator_configuration(it), 7 * sizeof(double));
    if (lg_integrator_velocity(it, o->y0 + 7) != LG_OK) fail("rk4", "no velocity");
}

static void rk4_init(rk4 *o, int (*equations)(double, const double *, double *, void *), const double *place,
                     const double *q, const double *w)
{
    o->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk4, 9);
    if (!o->step) fail("rk4", "out of memory");
    o->system = (gsl_odeiv2_system){equations, NULL, 9, NULL};
    memcpy(o->y0, place, 2 * sizeof(double));
    memcpy(o->y0 + 2, q, 4 * sizeof(double));
    memcpy(o->y0 + 6, w, 3 * sizeof(double));
}

static double run_rk4(void *context, long count)
{
    rk4 *o = context;
    double error[13];
    memcpy(o->y, o->y0, sizeof o->y);
    for (long n = 0; n < count; n++)
        if (gsl_odeiv2_step_apply(o->step, (double)n * H, H, o->y, error, NULL, NULL, &o->system) != GSL_SUCCESS)
            fail("rk4", "step failed");
    return o->y[0];
}

/* ---- report ---- */

enum {
    FORMAL,
    FORMAL_CAYLEY,
    FORMAL_RK4,
    PHYSICAL,
    PHYSICAL_CAYLEY,
    PHYSICAL_RK4,
    DISK,
    DISK_CAYLEY,
    DISK_RK4,
    REDUCED,
    CASES
};

static const bench_case *peer_of(const bench_case *c, int k)
{
    return &c[k == REDUCED ? DISK_RK4 : k / 3 * 3 + 2];
}

/* Nonzero: library and peer disagree by more than the order of the step allows. */
static int check(const bench_case *c, const bench_case *peer, long steps)
{
    lg_integrator *it = c->context;
    rk4 *o = peer->context;
    run_library(it, steps);
    run_rk4(o, steps);
    const double *g = lg_integrator_configuration(it);
    const double d = fmax(fabs(g[0] - o->y[0]), fabs(g[1] - o->y[1]));
    if (d < 1e-3) return 0;
    fprintf(stderr, "shared: %s and %s differ by %.1e\n", c->name, peer->name, d);
    return 1;
}

static void print_case(bench_options *o, const bench_case *c, const bench_case *peer)
{
    static const char *const names[] = {"to_rk4", "evaluations", "bytes"};
    const int ours = c->run == run_library;
    double values[3] = {bench_ratio(c, peer), NAN, NAN};
    if (ours) {
        run_library(c->context, c->count);
        values[1] = (double)evaluations / (double)c->count;
        values[2] = (double)lg_integrator_bytes(c->context);
    }
    if (o->json) {
        bench_json_case(o, c, names, values, 3);
        return;
    }
    printf("%-44s %8.1f [%6.1f .. %6.1f] %7.2f", c->name, c->median, c->low, c->high, values[0]);
    if (ours) printf(" %6.2f %6.0f", values[1], values[2]);
    printf("\n");
}

static lg_group *product(const lg_group *a, const lg_group *b)
{
    const lg_group *const factors[2] = {a, b};
    lg_group *G = NULL;
    if (lg_group_create_product(&G, factors, 2) != LG_OK) fail("product", "cannot be made");
    return G;
}

int main(int argc, char **argv)
{
    bench_options o = bench_parse(argc, argv, "shared: nanoseconds per step of sem against GSL's rk4");
    const long steps = o.quick ? 100 : STEPS;
    lg_group *plane = product(lg_rn(2), lg_so3()), *space = product(lg_rn(3), lg_so3());
    double g0[7];
    rk4 r[4];
    disk_start(g0);
    rk4_init(&r[0], formal_equations, ball_g0, ball_g0 + 2, ball_w0);
    rk4_init(&r[1], physical_equations, ball_g0, ball_g0 + 2, ball_w0);
    rk4_init(&r[3], disk_equations, g0, g0 + 3, disk_w0);
    bench_case c[CASES] = {
        [FORMAL] = {.name = "ball, formal rows, sem, exp", .context = make_ball(plane, 0, "sem", "exp")},
        [FORMAL_CAYLEY] = {.name = "ball, formal rows, sem, cayley", .context = make_ball(plane, 0, "sem", "cayley")},
        [FORMAL_RK4] = {.name = "ball, formal rows, GSL rk4", .run = run_rk4, .context = &r[0]},
        [PHYSICAL] = {.name = "ball, physical rows, sem, exp", .context = make_ball(plane, 1, "sem", "exp")},
        [PHYSICAL_CAYLEY] = {.name = "ball, physical rows, sem, cayley",
                             .context = make_ball(plane, 1, "sem", "cayley")},
        [PHYSICAL_RK4] = {.name = "ball, physical rows, GSL rk4", .run = run_rk4, .context = &r[1]},
        [DISK] = {.name = "disk, 3 rows and gravity, sem, exp", .context = make_disk(space, "sem", "exp")},
        [DISK_CAYLEY] = {.name = "disk, 3 rows and gravity, sem, cayley", .context = make_disk(space, "sem", "cayley")},
        [DISK_RK4] = {.name = "disk, GSL rk4, multipliers", .run = run_rk4, .context = &r[2]},
        [REDUCED] = {.name = "disk, GSL rk4, reduced by hand", .run = run_rk4, .context = &r[3]},
    };
    int bad = 0;
    rk4_init_disk(&r[2], c[DISK].context);
    for (int k = 0; k < CASES; k++) {
        if (!c[k].run) c[k].run = run_library;
        c[k].count = steps;
    }
    for (int k = 0; k < CASES; k++)
        if (c[k].run == run_library) bad |= check(&c[k], peer_of(c, k), 100);
    bad |= check(&c[DISK], &c[REDUCED], 100);
    bench_open(&o, "shared");
    bench_measure(c, CASES, &o);
    if (!o.json) printf("%-44s %8s %19s %7s %6s %6s\n", "", "ns/step", "", "to rk4", "evals", "bytes");
    for (int k = 0; k < CASES; k++) print_case(&o, &c[k], peer_of(c, k));
    bench_close(&o);
    for (int k = 0; k < CASES; k++)
        if (c[k].run == run_library) lg_integrator_destroy(c[k].context);
    for (int k = 0; k < 4; k++) gsl_odeiv2_step_free(r[k].step);
    lg_group_destroy(plane), lg_group_destroy(space);
    return bad;
}
