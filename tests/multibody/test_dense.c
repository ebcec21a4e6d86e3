/* SPDX-License-Identifier: BSD-3-Clause */
/* The gallery, and random mechanisms, by the dense methods: the derivatives of their systems; `sem:cholesky`
 * makes the steps of the sparse motion; every method keeps what it promises, or refuses with a message; both
 * linearisations agree. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define lapack_complex_double double _Complex
#include <lapacke.h>

#include <liegrp/integrators/linearisation.h>
#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/linearise.h>

#include "support/matrix.h"
#include "support/mechanism_systems.h"
#include "support/random_mechanisms.h"

static int rolls(const lg_mechanism *m)
{
    const lg_system *S;
    mechanism_well(lg_mechanism_system((lg_mechanism *)(uintptr_t)m, &S), m);
    return S->constraint_count > 0;
}

/* ---- systems ---- */

static void derivatives(void **unused)
{
    (void)unused;
    for (int i = 0; i < gallery_without_contacts(); i++) {
        suite_case("%s", lg_gallery_name(i));
        lg_mechanism *m = gallery_mechanism(i, 0);
        lg_motion *mo = gallery_motion(m, i, "sem", lg_gallery_step(i));
        lg_rng rng = {3};
        mechanism_derivatives(m, mo, 2, &rng);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* ---- equal steps ---- */

/* Cholesky's factor of rows in the order of elimination is the sparse one; rows of wheels come after all others, and
 * there the order must be kept. */
static void both_steps(void **unused)
{
    (void)unused;
    for (int i = 0; i < gallery_without_contacts(); i++)
        for (int kept = 0; kept < 2; kept++) {
            lg_mechanism *m = gallery_mechanism(i, kept);
            const int bodies = lg_mechanism_body_count(m), large = bodies > 10;
            const double h = large ? 0.001 : lg_gallery_step(i);
            suite_case("%s%s", lg_gallery_name(i), kept ? ", order kept" : "");
            if ((kept || !rolls(m)) && !(large && !kept)) {
                lg_motion *mo = gallery_motion(m, i, "sem", h);
                mechanism_both_steps(m, mo, h, large ? 2 : 10, 1e-12);
                lg_motion_destroy(mo);
            }
            lg_mechanism_destroy(m);
        }
}

/* A body with ten pendulums, which compilation shares out. */
static void shares(void **unused)
{
    static const double y_axis[3] = {0, 1, 0};
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    lg_rng rng = {5};
    double v[11];
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "beam", 0, 0, 0);
    mechanism_add_joint(m, "hinge", LG_JOINT_REVOLUTE, NULL, "beam", (const double[3]){0, 0, 0.5}, y_axis);
    for (int i = 0; i < 10; i++) {
        const char name[2] = {(char)('a' + i), 0};
        const double x = 0.1 * (i - 4.5);
        mechanism_add_body(m, name, x, 0, -0.5);
        mechanism_add_joint(m, name, LG_JOINT_REVOLUTE, "beam", name, (const double[3]){x, 0, 0}, y_axis);
        v[i] = 0.1 * i;
    }
    v[10] = 0.3;
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, "sem", 0.002), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    assert_true(system_of(m)->group->element_size > 7 * lg_mechanism_body_count(m));
    mechanism_derivatives(m, mo, 1, &rng);
    mechanism_both_steps(m, mo, 0.002, 2, 1e-12);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* 1: both made ten steps, and they are the same. */
static int random_steps(const random_mechanism *r, lg_rng *rng)
{
    const double h = 0.002 * sqrt(r->size);
    const lg_system *S;
    lg_motion *mo;
    lg_integrator *it;
    double v[6 * RANDOM_BODIES], g[7 * MECHANISM_MOST], p[6 * MECHANISM_MOST], g1[7 * MECHANISM_MOST];
    if (r->family == RANDOM_WHEELS) mechanism_well(lg_mechanism_keep_order(r->m), r->m);
    if (lg_mechanism_compile(r->m) != LG_OK || lg_mechanism_system(r->m, &S) != LG_OK) return 0;
    suite_normal(v, 6 * RANDOM_BODIES, rng);
    for (int i = 0; i < 6 * RANDOM_BODIES; i++) v[i] /= sqrt(r->size);
    motion_well(motion_create(&mo, r->m, "sem", h), mo);
    int well = lg_motion_start_joints(mo, 0, NULL, v, 1) == LG_OK;
    if (well) {
        suite_ok("state", lg_motion_state(mo, g, NULL, p));
        integrator_well(lg_integrator_create(&it, S, "sem:cholesky", "cayley", h), it);
        well = lg_integrator_start_momentum(it, 0, g, p) == LG_OK;
        for (int i = 0; i < 10 && well; i++) well = lg_motion_step(mo, 1) == LG_OK && lg_integrator_step(it) == LG_OK;
        if (well) {
            suite_ok("state", lg_motion_state(mo, g, NULL, p));
            memcpy(g1, lg_integrator_configuration(it), (size_t)(7 * r->bodies) * sizeof *g1);
            for (int b = 0; b < 7 * r->bodies; b++)
                if (b % 7 < 3) g[b] /= r->size, g1[b] /= r->size;
            suite_near("configuration", g1, g, 7 * r->bodies, 1e-12, 1 + mat_norm(g, 7 * r->bodies));
            suite_near1("energy", lg_integrator_energy(it), lg_motion_energy(mo), 1e-11,
                        random_mechanism_scale(r, mo) + fabs(lg_motion_energy(mo)));
        }
        lg_integrator_destroy(it);
    }
    lg_motion_destroy(mo);
    return well;
}

static void random_mechanisms(void **unused)
{
    int same = 0;
    const int drawn = suite_count(80);
    (void)unused;
    for (int i = 0; i < drawn; i++) {
        lg_rng rng = suite_rng(3000 + (uint64_t)i);
        random_mechanism r;
        suite_case("mechanism %d of family %d", i, i % RANDOM_NEARLY);
        random_mechanism_draw(&r, (random_family)(i % RANDOM_NEARLY), 2 + i % 4, 1, &rng);
        same += random_steps(&r, &rng);
        lg_mechanism_destroy(r.m);
    }
    suite_above("share that moves by both", same, 0.5 * drawn);
}

/* ---- linearised ---- */

enum { STATE = 12 * 5, NUMBERS = 48 };

/* The derivative of the dense step: the state's block, and the columns of controls. */
static void dense_derivative(double *M, double *b, lg_mechanism *m, const lg_motion *mo, double h)
{
    static double J[(STATE + 40) * (STATE + 4)];
    const int n = 12 * lg_mechanism_body_count(m), controls = system_of(m)->callbacks.control_count;
    lg_integrator *it = dense_of(m, mo, "sem:cholesky", h);
    lg_linearisation *lin;
    suite_ok("create", lg_linearisation_create(&lin, it));
    const int columns = lg_linearisation_columns(lin);
    assert_true(lg_linearisation_rows(lin) <= STATE + 40 && columns <= STATE + 4);
    if (lg_linearisation_compute(lin, it) != LG_OK) suite_fail("%s", lg_linearisation_message(lin));
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    for (int i = 0; i < n; i++) {
        memcpy(M + i * n, J + i * columns, (size_t)n * sizeof *M);
        for (int c = 0; c < controls; c++) b[c * n + i] = J[i * columns + n + c];
    }
    lg_linearisation_destroy(lin);
    lg_integrator_destroy(it);
}

/* q, q' of all joints at a deviation s z from a state, z = (eta, p) in the axes of bodies. */
static void deviate(double *q, lg_mechanism *m, lg_motion *scratch, const double *g0, const double *p0, const double *z,
                    double s)
{
    const lg_group *G = system_of(m)->group;
    const int n = 6 * lg_mechanism_body_count(m), count = lg_motion_position_count(scratch);
    double g[7 * MECHANISM_MOST], e[7 * MECHANISM_MOST], p[6 * MECHANISM_MOST], eta[6 * MECHANISM_MOST];
    for (int i = 0; i < n; i++) eta[i] = s * z[i], p[i] = p0[i] + s * z[n + i];
    suite_ok("exp", lg_group_exp(G, e, eta));
    suite_ok("compose", lg_group_compose(G, g, g0, e));
    motion_well(motion_start_momentum(scratch, m, 0, g, p, 1), scratch);
    motion_well(lg_motion_positions(scratch, q, q + count), scratch);
}

/* The robot at rest: what a control does to its joints after one to four steps, C A^j B of both steps. */
static void responses(void **unused)
{
    static double M[STATE * STATE], A[NUMBERS * NUMBERS], C[2 * NUMBERS * NUMBERS];
    const double h = 0.01, s = 1e-4;
    (void)unused;
    lg_mechanism *m = gallery_mechanism(lg_gallery_index("balancing-robot"), 1);
    lg_motion *mo, *scratch;
    double b[4 * STATE], B[NUMBERS * 4], z[2][STATE], y[2][NUMBERS], g[7 * MECHANISM_MOST], p[6 * MECHANISM_MOST];
    double q[2][12 * MECHANISM_MOST], by_dense[12 * MECHANISM_MOST], by_sparse[12 * MECHANISM_MOST];
    motion_well(motion_create(&mo, m, "sem", h), mo);
    motion_well(motion_create(&scratch, m, "sem", h), scratch);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    const int n = 12 * lg_mechanism_body_count(m), motors = lg_mechanism_motor_count(m);
    const int k = lg_motion_freedoms(mo, NULL), count = 2 * lg_motion_position_count(mo);
    assert_true(n <= STATE && k <= NUMBERS && count <= 2 * NUMBERS && motors <= 4);
    suite_ok("state", lg_motion_state(mo, g, NULL, p));
    dense_derivative(M, b, m, mo, h);
    motion_well(lg_motion_linearise_step(mo, A, B, C, NULL), mo);
    memcpy(z[0], b, (size_t)n * sizeof *b);
    for (int j = 0; j < k; j++) y[0][j] = B[j * motors];
    for (int step = 0; step < 4; step++) {
        suite_case("%d steps", step + 1);
        deviate(q[0], m, scratch, g, p, z[step % 2], -s), deviate(q[1], m, scratch, g, p, z[step % 2], s);
        mat_apply(by_sparse, C, y[step % 2], count, k);
        for (int j = 0; j < count; j++) by_dense[j] = (q[1][j] - q[0][j]) / (2 * s);
        suite_above("response", mat_norm(by_sparse, count), 1e-4);
        suite_near("response", by_dense, by_sparse, count, 1e-8, 1 + mat_norm(by_sparse, count));
        mat_apply(z[(step + 1) % 2], M, z[step % 2], n, n);
        mat_apply(y[(step + 1) % 2], A, y[step % 2], k, k);
    }
    lg_motion_destroy(scratch);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* M <- S M S^-1: attitudes from the axes of bodies into those of space; g after and before. */
static void to_space(double *M, const double *after, const double *before, int bodies)
{
    const int n = 6 * bodies;
    for (int block = 0; block < 2 * bodies; block++)
        for (int other = 0; other < 2 * n; other++) {
            const int at = block % bodies * 6 + block / bodies * n + 3;
            double R[9], x[3], y[3];
            lg_so3_to_matrix(R, before + 7 * (block % bodies) + 3);
            for (int k = 0; k < 3; k++) x[k] = M[other * 2 * n + at + k];
            mat_apply(y, R, x, 3, 3);
            for (int k = 0; k < 3; k++) M[other * 2 * n + at + k] = y[k];
        }
    for (int block = 0; block < 2 * bodies; block++)
        for (int other = 0; other < 2 * n; other++) {
            const int at = block % bodies * 6 + block / bodies * n + 3;
            double R[9], x[3], y[3];
            lg_so3_to_matrix(R, after + 7 * (block % bodies) + 3);
            for (int k = 0; k < 3; k++) x[k] = M[(at + k) * 2 * n + other];
            mat_apply(y, R, x, 3, 3);
            for (int k = 0; k < 3; k++) M[(at + k) * 2 * n + other] = y[k];
        }
}

static void eigenvalues(double complex *e, double *A, int n)
{
    double re[STATE], im[STATE];
    assert_int_equal(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, A, n, re, im, NULL, n, NULL, n), 0);
    for (int i = 0; i < n; i++) e[i] = re[i] + I * im[i];
}

/* Straight, as assembled. */
static lg_motion *ride(const lg_mechanism *m, double speed, double h)
{
    static const double radius[4] = {0, 0.3, 0, 0.35};
    double poses[7 * 4], twists[6 * 4] = {0};
    lg_motion *mo;
    motion_well(motion_create(&mo, m, "sem", h), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    for (int b = 0; b < 4; b++) {
        motion_well(lg_motion_body_pose(mo, poses + 7 * b, b), mo);
        twists[6 * b] = speed;
        if (radius[b] > 0) twists[6 * b + 4] = speed / radius[b];
    }
    motion_well(lg_motion_start_poses(mo, 0, poses, twists, 1), mo);
    return mo;
}

/* The bicycle as it rides: every eigenvalue of the sparse step is one of the dense step. */
static void riding(void **unused)
{
    static double M[STATE * STATE], A[NUMBERS * NUMBERS];
    double complex dense[STATE], sparse[NUMBERS];
    double g0[7 * MECHANISM_MOST], g1[7 * MECHANISM_MOST];
    (void)unused;
    lg_mechanism *m = gallery_mechanism(lg_gallery_index("bicycle"), 1);
    lg_motion *mo = ride(m, 4.6, 0.01);
    const int bodies = lg_mechanism_body_count(m), k = lg_motion_freedoms(mo, NULL);
    int compared = 0;
    assert_true(k <= NUMBERS && 12 * bodies <= STATE);
    dense_derivative(M, NULL, m, mo, 0.01);
    motion_well(lg_motion_linearise_step(mo, A, NULL, NULL, NULL), mo);
    suite_ok("state", lg_motion_state(mo, g0, NULL, NULL));
    motion_well(lg_motion_step(mo, 1), mo);
    suite_ok("state", lg_motion_state(mo, g1, NULL, NULL));
    to_space(M, g1, g0, bodies);
    eigenvalues(dense, M, 12 * bodies), eigenvalues(sparse, A, k);
    for (int j = 0; j < k; j++) {
        double off = INFINITY;
        for (int l = 0; l < 12 * bodies; l++) off = fmin(off, cabs(sparse[j] - dense[l]));
        suite_case("eigenvalue %g %+g i", creal(sparse[j]), cimag(sparse[j]));
        const int simple = cabs(sparse[j] - 1) > 1e-3;
        suite_below("distance", off, simple ? 1e-9 : 1e-4), compared += simple;
    }
    suite_above("simple ones", compared, 3);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives),       cmocka_unit_test(both_steps), cmocka_unit_test(shares),
        cmocka_unit_test(random_mechanisms), cmocka_unit_test(responses),  cmocka_unit_test(riding),
    };
    suite_begin("multibody/dense");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
