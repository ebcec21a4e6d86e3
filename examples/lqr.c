/* SPDX-License-Identifier: BSD-3-Clause */
/* A linear-quadratic regulator along a trajectory of a wheeled robot: two driven wheels on one axle that roll without
 * slipping, on SE(2) x T^2, with a motor torque at each wheel.
 *
 * The torques u_k of a slalom give a reference (g_k, p_k). Each of its steps is linearised,
 *   x_{k+1} = A_k x_k + B_k v_k,   x = (log(g_k^-1 g), p - p_k),   v = u - u_k,
 * and the Riccati recursion, from the last step back, gives gains K_k that minimise sum x.Qx + v.Rv. A robot that
 * starts in the wrong place with the same torques stays off the reference; with u = u_k - K_k x it returns. */
#include <liegrp/liegrp.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 5, X = 2 * N, U = 2, ELEMENT = 6, STEPS = 500 };

static const double h = 0.02, radius = 0.1, half_axle = 0.2, friction = 0.02;

/* The stored reference, and the gains. */
typedef struct node {
    double g[ELEMENT], p[N], u[U], A[X * X], B[X * U], K[U * X];
} node;

static node reference[STEPS + 1];

/* Torques and friction at the wheels. */
static int motors(const lg_call *c, const double *g, const double *xi, double *force)
{
    (void)g;
    for (int i = 0; i < U; i++) force[3 + i] = c->control[i] - friction * xi[3 + i];
    return 0;
}

static void torques(double t, double *u)
{
    u[0] = 0.25 - 0.12 * cos(1.5 * t);
    u[1] = 0.25 + 0.12 * cos(1.5 * t);
}

/* C = A B or, transposed, A^T B; C has `rows` rows. */
static void multiply(double *C, const double *A, int transposed, const double *B, int rows, int inner, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double s = 0;
            for (int k = 0; k < inner; k++) s += (transposed ? A[k * rows + i] : A[i * inner + k]) * B[k * columns + j];
            C[i * columns + j] = s;
        }
}

static int complain(const char *what)
{
    fprintf(stderr, "lqr: %s\n", what);
    return 1;
}

static void store(node *k, const lg_integrator *it)
{
    memcpy(k->g, lg_integrator_configuration(it), sizeof k->g);
    memcpy(k->p, lg_integrator_momentum(it), sizeof k->p);
}

/* The reference and its linearisation. */
static int linearise(lg_integrator *it)
{
    double J[(X + 3) * (X + U + 1)]; /* rows: eta, p, 3 multipliers; columns: eta, p, u, h */
    lg_linearisation *lin = NULL;
    lg_status st = lg_linearisation_create(&lin, it);
    store(&reference[0], it);
    for (int k = 0; st == LG_OK && k < STEPS; k++) {
        node *r = &reference[k];
        torques(lg_integrator_time(it) + h / 2, r->u);
        st = lg_integrator_set_control(it, r->u);
        if (st == LG_OK) st = lg_linearisation_step(lin, it);
        if (st == LG_OK) st = lg_linearisation_jacobian(lin, J);
        for (int i = 0; st == LG_OK && i < X; i++) {
            memcpy(r->A + i * X, J + i * (X + U + 1), X * sizeof *J);
            memcpy(r->B + i * U, J + i * (X + U + 1) + X, U * sizeof *J);
        }
        if (st == LG_OK) store(r + 1, it);
    }
    if (st != LG_OK) complain(lg_linearisation_message(lin));
    lg_linearisation_destroy(lin);
    return st != LG_OK;
}

/* K = (R + B^T P B)^-1 B^T P A,  P <- Q + A^T P (A - B K), from the end to the beginning. */
static void regulate(void)
{
    static const double Q[X] = {1, 1, 0.5, 0, 0, 0.01, 0.01, 0.01, 0.01, 0.01}, R[U] = {0.5, 0.5};
    double P[X * X] = {0}, PA[X * X], PB[X * U], M[U * U], BPA[U * X], BK[X * X], AP[X * X];
    for (int i = 0; i < X; i++) P[i * X + i] = 50 * Q[i];
    for (int k = STEPS - 1; k >= 0; k--) {
        node *r = &reference[k];
        multiply(PA, P, 0, r->A, X, X, X);
        multiply(PB, P, 0, r->B, X, X, U);
        multiply(M, r->B, 1, PB, U, X, U);
        multiply(BPA, r->B, 1, PA, U, X, X);
        for (int i = 0; i < U; i++) M[i * U + i] += R[i];
        const double det = M[0] * M[3] - M[1] * M[2];
        for (int j = 0; j < X; j++) {
            r->K[j] = (M[3] * BPA[j] - M[1] * BPA[X + j]) / det;
            r->K[X + j] = (M[0] * BPA[X + j] - M[2] * BPA[j]) / det;
        }
        multiply(BK, r->B, 0, r->K, X, U, X);
        for (int i = 0; i < X * X; i++) BK[i] = r->A[i] - BK[i];
        multiply(AP, PA, 1, BK, X, X, X); /* P is symmetric: A^T P = (P A)^T */
        for (int i = 0; i < X; i++)
            for (int j = 0; j < X; j++) P[i * X + j] = 0.5 * (AP[i * X + j] + AP[j * X + i]) + (i == j ? Q[i] : 0);
    }
}

/* x = (log(g_k^-1 g), p - p_k). */
static lg_status deviation(double *x, const lg_integrator *it, const node *r)
{
    const lg_group *G = lg_integrator_group(it);
    double d[ELEMENT];
    lg_status st = lg_group_inverse(G, d, r->g);
    if (st == LG_OK) st = lg_group_compose(G, d, d, lg_integrator_configuration(it));
    if (st == LG_OK) st = lg_group_log(G, x, d);
    for (int i = 0; i < N; i++) x[N + i] = lg_integrator_momentum(it)[i] - r->p[i];
    return st;
}

/* Follows the reference, with or without the gains; distance[k] = distance of the robot from the reference. */
static int follow(lg_integrator *it, int closed, double *distance)
{
    double x[X] = {0}, u[U];
    lg_status st = LG_OK;
    for (int k = 0; st == LG_OK && k <= STEPS; k++) {
        const node *r = &reference[k];
        st = deviation(x, it, r);
        distance[k] = hypot(x[0], x[1]);
        if (k == STEPS) break;
        multiply(u, r->K, 0, x, U, X, 1);
        for (int i = 0; i < U; i++) u[i] = r->u[i] - (closed ? u[i] : 0);
        if (st == LG_OK) st = lg_integrator_set_control(it, u);
        if (st == LG_OK) st = lg_integrator_step(it);
    }
    return st == LG_OK ? 0 : complain(lg_integrator_message(it));
}

int main(void)
{
    const double m = 5, I = 0.2, ahead = 0.05, wheel = 0.01; /* the centre of mass lies ahead of the axle */
    const double inertia[N][N] = {
        {m}, {0, m, m * ahead}, {0, m * ahead, I + m * ahead * ahead}, {0, 0, 0, wheel}, {0, 0, 0, 0, wheel}};
    const double rows[3][N] = {{0, 1}, {1, 0, -half_axle, -radius}, {1, 0, half_axle, 0, -radius}};
    const double g0[ELEMENT] = {0, 0, 1, 0, 0, 0}, rest[N] = {0};
    const double wrong[ELEMENT] = {-0.3, 0.4, cos(0.5), sin(0.5), 0, 0}; /* 0.5 m and half a radian off */
    static double open[STEPS + 1], closed[STEPS + 1];
    const lg_group *factors[] = {lg_se2(), lg_torus(2)};
    lg_group *G = NULL;
    lg_integrator *it = NULL;
    if (lg_group_create_product(&G, factors, 2) != LG_OK) return complain("the group cannot be created");
    lg_system S = lg_system_default(G);
    S.inertia = inertia[0], S.constraint_count = 3, S.covector_matrix = rows[0], S.callbacks.force = motors,
    S.callbacks.control_count = U;
    int failed = lg_integrator_create(&it, &S, "sem", "exp", h) != LG_OK ||
                 lg_integrator_start(it, 0, g0, rest, LG_START_REACTION, 0) != LG_OK;
    if (failed) complain(lg_integrator_message(it));
    if (!failed) failed = linearise(it);
    if (!failed) regulate();
    for (int run = 0; !failed && run < 2; run++) {
        failed = lg_integrator_start(it, 0, wrong, rest, LG_START_REACTION, 0) != LG_OK;
        if (!failed) failed = follow(it, run, run ? closed : open);
    }
    if (!failed) printf("   t   off by, without feedback   with feedback\n");
    for (int k = 0; !failed && k <= STEPS; k += 50) printf("%5.1f %14.4f %21.4f\n", k * h, open[k], closed[k]);
    if (!failed && !(closed[STEPS] < 0.01 * closed[0]))
        failed = complain("the regulator did not return to the reference");
    lg_integrator_destroy(it);
    lg_group_destroy(G);
    return failed;
}
