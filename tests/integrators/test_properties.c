/* SPDX-License-Identifier: BSD-3-Clause */
/* Conservation laws and exact identities of the GNI (docs/theory.md sections 3 and 5), each with a control that must
 * fail. */
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/roster.h"
#include "support/systems.h"

static const char *const retractions[] = {"cayley", "exp"};

static lg_integrator *begin(const lg_system *S, const char *method, const char *retraction, double h, const double *g0,
                            const double *xi0, lg_start start)
{
    lg_integrator *it = NULL;
    if (lg_integrator_create(&it, S, method, retraction, h) != LG_OK)
        suite_fail("create: %s", lg_integrator_message(it));
    if (lg_integrator_start(it, 0, g0, xi0, start, 0) != LG_OK) suite_fail("start: %s", lg_integrator_message(it));
    return it;
}

static void steps(lg_integrator *it, int count)
{
    lg_status status = lg_integrator_run(it, count, 1, NULL, NULL);
    if (status != LG_OK) suite_fail("run: %s", lg_integrator_message(it));
}

/* Largest relative deviation of an energy from its first value. */
static double drift(lg_integrator *it, double (*energy)(const lg_integrator *), int count)
{
    double first = energy(it), worst = 0;
    for (int k = 0; k < count; k++) {
        if (lg_integrator_step(it) != LG_OK) suite_fail("step: %s", lg_integrator_message(it));
        double d = fabs(energy(it) / first - 1);
        if (!(d <= worst)) worst = d;
        if (isnan(d)) return d;
    }
    return worst;
}

static const double not_invariant[3] = {1, 1.4, 0.7};

/* T1, theorem 1 of 000: H(p-) is constant for a bi-invariant metric, whatever the distribution. 2.7e-13 (Cayley) and
 * 3.5e-13 (exp) were measured over 1e6 steps. Control: a metric that is not bi-invariant, 6e-5 in 2000 steps. */
static void test_theorem_1(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        test_system t;
        test_system_make(&t, "so3_bi");
        suite_case("theorem 1, %s", retractions[k]);
        lg_integrator *it = begin(&t.S, "gni", retractions[k], 0.1, t.g0, t.xi0, LG_START_REACTION);
        suite_below("drift of H(p-) over 1e5 steps", drift(it, lg_integrator_energy_post, suite_count(100000)), 5e-12);
        suite_below("constraint of p~", lg_integrator_constraint_residual(it), 1e-13);
        lg_integrator_destroy(it);
        t.S.inertia_diagonal = not_invariant;
        it = begin(&t.S, "gni", retractions[k], 0.1, t.g0, t.xi0, LG_START_REACTION);
        suite_above("control: another metric", drift(it, lg_integrator_energy_post, 2000), 1e-6);
        lg_integrator_destroy(it);
    }
}

/* T2, 4.4 of 000: for a right-invariant distribution H(p~) is constant too; control: so3_bi, whose distribution is not.
 */
static void test_average_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        test_system t;
        test_system_make(&t, "so3_right");
        suite_case("4.4, %s", retractions[k]);
        lg_integrator *it = begin(&t.S, "gni", retractions[k], 0.1, t.g0, t.xi0, LG_START_REACTION);
        suite_below("drift of H(p~) over 1e5 steps", drift(it, lg_integrator_energy, suite_count(100000)), 5e-12);
        lg_integrator_destroy(it);
        test_system_make(&t, "so3_bi");
        it = begin(&t.S, "gni", retractions[k], 0.1, t.g0, t.xi0, LG_START_REACTION);
        suite_above("control: a general distribution", drift(it, lg_integrator_energy, 2000), 1e-3);
        lg_integrator_destroy(it);
    }
}

/* p~ satisfies the constraints to round-off at every node (O5): all systems, all Lagrangians. */
static void test_constraint_of_the_average(void **state)
{
    (void)state;
    static const char *const methods[] = {"gni:trapezoidal", "gni:euler-a", "gni:euler-b", "gni:midpoint"};
    for (int i = 0; i < TEST_SYSTEMS * 4 * 2; i++) {
        test_system t;
        test_system_make(&t, test_system_names[i / 8]);
        suite_case("%s, %s, %s", t.name, methods[i / 2 % 4], retractions[i % 2]);
        lg_integrator *it = begin(&t.S, methods[i / 2 % 4], retractions[i % 2], 0.05, t.g0, t.xi0, LG_START_REACTION);
        for (int k = 0; k < 100; k++) {
            steps(it, 1);
            suite_below("|A(J^-1 p~ - Y)|", lg_integrator_constraint_residual(it), 2e-14);
            double p[SUITE_DIM];
            for (int j = 0; j < lg_group_dim(t.S.group); j++)
                p[j] = 0.5 * (lg_integrator_momentum_plus(it)[j] + lg_integrator_momentum_minus(it)[j]);
            suite_near("p~ = (p+ + p-)/2", lg_integrator_momentum(it), p, lg_group_dim(t.S.group), 1e-14,
                       1 + mat_norm(p, lg_group_dim(t.S.group)));
        }
        lg_integrator_destroy(it);
    }
}

/* C2: p_k = (P - Q)* Ad*_W p_{k-1} for constant J and rows and V = 0; with Ad_{W^-1} it fails. */
static void test_left_invariant_form(void **state)
{
    (void)state;
    static const char *const names[] = {"suslov", "sleigh", "se3"};
    for (int i = 0; i < 6; i++) {
        test_system t;
        test_system_make(&t, names[i / 2]);
        const lg_group *G = t.S.group;
        int n = lg_group_dim(G), e = lg_group_element_size(G);
        double P[36], Q[36], worst = 0;
        suite_case("left-invariant form of %s, %s", t.name, retractions[i % 2]);
        suite_ok("projectors", lg_system_projectors(&t.S, P, Q, NULL, 0, t.g0, NULL));
        lg_integrator *it = begin(&t.S, "gni", retractions[i % 2], 0.1, t.g0, t.xi0, LG_START_REACTION);
        for (int k = 0; k < 50; k++) {
            double g[7], p[6], inv[7], W[7], Winv[7], moved[6], want[6], wrong[6], D[36];
            memcpy(g, lg_integrator_configuration(it), sizeof(double) * (size_t)e);
            memcpy(p, lg_integrator_momentum_minus(it), sizeof(double) * (size_t)n);
            steps(it, 1);
            suite_ok("inverse", lg_group_inverse(G, inv, g));
            suite_ok("compose", lg_group_compose(G, W, inv, lg_integrator_configuration(it)));
            for (int j = 0; j < n * n; j++) D[j] = P[j] - Q[j];
            suite_ok("coAd", lg_group_coAd_apply(G, moved, W, p));
            suite_near("p+ = Ad*_W p-", lg_integrator_momentum_plus(it), moved, n, 1e-14, 1 + mat_norm(p, n));
            mat_apply(want, D, moved, n, n);
            suite_near("p- = (P - Q)* Ad*_W p-", lg_integrator_momentum_minus(it), want, n, 1e-14, 1 + mat_norm(p, n));
            suite_ok("inverse", lg_group_inverse(G, Winv, W));
            suite_ok("coAd", lg_group_coAd_apply(G, moved, Winv, p));
            mat_apply(wrong, D, moved, n, n);
            worst = fmax(worst, suite_distance(wrong, lg_integrator_momentum_minus(it), n));
        }
        suite_above("control: Ad_{W^-1}", worst, 1e-3);
        lg_integrator_destroy(it);
    }
}

/* T5: (g, p-) -> N steps -> p- := -p+ -> N steps returns (g_0, -p-_0). Linear constraints only: a drift is reversed by
 * Y -> -Y. */
static void test_reversibility(void **state)
{
    (void)state;
    for (int i = 0; i < TEST_SYSTEMS * 2; i++) {
        test_system t;
        test_system_make(&t, test_system_names[i / 2]);
        if (strstr(t.name, "affine") != NULL || strstr(t.name, "ball") != NULL) continue;
        const lg_group *G = t.S.group;
        int n = lg_group_dim(G);
        double p0[SUITE_DIM], back[SUITE_DIM], g[SUITE_ELEMENT], M[SUITE_MATRIX], M0[SUITE_MATRIX];
        suite_case("reversibility of %s, %s", t.name, retractions[i % 2]);
        lg_integrator *it = begin(&t.S, "gni", retractions[i % 2], 0.05, t.g0, t.xi0, LG_START_REACTION);
        memcpy(p0, lg_integrator_momentum_minus(it), sizeof(double) * (size_t)n);
        steps(it, 100);
        for (int j = 0; j < n; j++) back[j] = -lg_integrator_momentum_plus(it)[j];
        memcpy(g, lg_integrator_configuration(it), sizeof(double) * (size_t)lg_group_element_size(G));
        suite_ok("start", lg_integrator_start_momentum(it, 0, g, back));
        steps(it, 100);
        for (int j = 0; j < n; j++) back[j] = -lg_integrator_momentum_plus(it)[j];
        suite_near("p", back, p0, n, 1e-12, 1 + mat_norm(p0, n));
        suite_ok("to_matrix", lg_group_to_matrix(G, M, lg_integrator_configuration(it)));
        suite_ok("to_matrix", lg_group_to_matrix(G, M0, t.g0));
        suite_near("g", M, M0, lg_group_matrix_size(G) * lg_group_matrix_size(G), 1e-12, 4);
        lg_integrator_destroy(it);
    }
}

/* Negative h is the inverse of the other Lagrangian's flow; without constraints a symmetric method undoes itself. */
static void test_negative_step(void **state)
{
    (void)state;
    static const char *const there[] = {"variational:trapezoidal", "variational:midpoint", "variational:euler-a",
                                        "variational:euler-b"};
    static const char *const back[] = {"variational:trapezoidal", "variational:midpoint", "variational:euler-b",
                                       "variational:euler-a"};
    for (int i = 0; i < 8; i++) {
        test_system t;
        double p_minus[3], M[9], M0[9];
        test_system_make(&t, "veselova_top");
        t.S.constraint_count = 0;
        t.S.callbacks.covectors = NULL;
        t.S.callbacks.covectors_derivative = NULL;
        suite_case("%s and back by %s, %s", there[i / 2], back[i / 2], retractions[i % 2]);
        lg_integrator *it = begin(&t.S, there[i / 2], retractions[i % 2], 0.1, t.g0, t.xi0, LG_START_LEGENDRE);
        memcpy(p_minus, lg_integrator_momentum_minus(it), sizeof p_minus);
        steps(it, 20);
        lg_integrator *home = NULL;
        suite_ok("create", lg_integrator_create(&home, &t.S, back[i / 2], retractions[i % 2], -0.1));
        suite_ok("start", lg_integrator_start_momentum(home, 2, lg_integrator_configuration(it),
                                                       lg_integrator_momentum_minus(it)));
        steps(home, 20);
        suite_near1("t", lg_integrator_time(home), 0, 1e-15, 4);
        suite_near("p", lg_integrator_momentum_minus(home), p_minus, 3, 1e-12, 1);
        suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), M, lg_integrator_configuration(home)));
        suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), M0, t.g0));
        suite_near("g", M, M0, 9, 1e-12, 1);
        lg_integrator_destroy(it);
        lg_integrator_destroy(home);
    }
}

/* Without constraints and potential the spatial momentum Ad*_{g^-1} p- is constant to round-off, on every group. */
static void test_spatial_momentum(void **state)
{
    (void)state;
    for (int i = 0; i < ROSTER_GROUPS * 2; i++) {
        const roster_group *r = &roster_groups()[i / 2];
        int n = lg_group_dim(r->G);
        double J[SUITE_MATRIX], g0[SUITE_ELEMENT], xi[SUITE_DIM], inv[SUITE_ELEMENT], first[SUITE_DIM], now[SUITE_DIM];
        lg_rng rng = suite_rng(20000 + (uint64_t)i);
        for (int j = 0; j < n * n; j++) J[j] = j % (n + 1) == 0 ? 1 + 0.1 * (j % 7) : 0.04 * cos(j / n + j % n);
        lg_system S = lg_system_default(r->G);
        S.inertia = J;
        suite_ok("identity", lg_group_identity(r->G, g0));
        suite_normal(xi, n, &rng);
        for (int j = 0; j < n; j++) xi[j] *= 0.5;
        suite_case("spatial momentum on %s, %s", r->label, retractions[i % 2]);
        suite_input("xi", xi, n);
        lg_integrator *it = begin(&S, "variational", retractions[i % 2], 0.05, g0, xi, LG_START_LEGENDRE);
        memcpy(first, lg_integrator_momentum_minus(it), sizeof(double) * (size_t)n);
        for (int k = 0; k < 50; k++) {
            steps(it, 1);
            double M[SUITE_MATRIX], growth;
            suite_ok("inverse", lg_group_inverse(r->G, inv, lg_integrator_configuration(it)));
            suite_ok("coAd", lg_group_coAd(r->G, M, inv));
            growth = mat_norm(M, n * n);
            suite_ok("coAd", lg_group_coAd_apply(r->G, now, inv, lg_integrator_momentum_minus(it)));
            suite_near("Ad*_{g^-1} p", now, first, n, 2e-13,
                       growth * (1 + mat_norm(lg_integrator_momentum_minus(it), n)));
        }
        lg_integrator_destroy(it);
    }
}

/* T7: the contact angular momentum of the physical ball, K = R w + r (-p_y, p_x, 0), exactly conserved for any Omega.
 */
static void test_contact_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        test_system t;
        double first[3] = {0};
        test_system_make(&t, "ball_phys");
        suite_case("contact momentum, %s", retractions[k]);
        lg_integrator *it = begin(&t.S, "gni", retractions[k], 0.1, t.g0, t.xi0, LG_START_REACTION);
        for (int step = 0; step <= 400; step++) {
            const double *p = lg_integrator_momentum(it);
            double R[9], now[3];
            suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, lg_integrator_configuration(it) + 2));
            mat_apply(now, R, p + 2, 3, 3);
            now[0] -= p[1];
            now[1] += p[0];
            if (step == 0) memcpy(first, now, sizeof now);
            suite_near("K", now, first, 3, 2e-13, 1);
            steps(it, 1);
        }
        lg_integrator_destroy(it);
    }
}

/* Section 7: the homogeneous ball obeys u_{k+1} - u_{k-1} = 2 i h kappa u_k, kappa = 2/5, whatever the retraction. */
static void test_rolling_ball_recursion(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        test_system t;
        double x[64][2];
        test_system_make(&t, "ball_hom");
        suite_case("recursion of the rolling ball, %s", retractions[k]);
        lg_integrator *it = begin(&t.S, "gni", retractions[k], 0.1, t.g0, t.xi0, LG_START_REACTION);
        for (int i = 0; i < 64; i++, steps(it, 1)) memcpy(x[i], lg_integrator_configuration(it), sizeof x[i]);
        for (int i = 1; i + 2 < 64; i++) {
            double u0[2], u1[2], u2[2];
            for (int j = 0; j < 2; j++) {
                u0[j] = (x[i][j] - x[i - 1][j]) / 0.1;
                u1[j] = (x[i + 1][j] - x[i][j]) / 0.1;
                u2[j] = (x[i + 2][j] - x[i + 1][j]) / 0.1;
            }
            suite_near1("x", u2[0] - u0[0], -2 * 0.1 * 0.4 * u1[1], 1e-12, 1);
            suite_near1("y", u2[1] - u0[1], 2 * 0.1 * 0.4 * u1[0], 1e-12, 1);
        }
        lg_integrator_destroy(it);
    }
}

int main(void)
{
    suite_begin("properties of the integrators");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_theorem_1),
        cmocka_unit_test(test_average_momentum),
        cmocka_unit_test(test_constraint_of_the_average),
        cmocka_unit_test(test_left_invariant_form),
        cmocka_unit_test(test_reversibility),
        cmocka_unit_test(test_negative_step),
        cmocka_unit_test(test_spatial_momentum),
        cmocka_unit_test(test_contact_momentum),
        cmocka_unit_test(test_rolling_ball_recursion),
    };
    return cmocka_run_group_tests_name("properties", tests, NULL, NULL);
}
