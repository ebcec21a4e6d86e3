/* SPDX-License-Identifier: BSD-3-Clause */
/* SO(2) as unit complex numbers: its functions give the bits of the rotational part of SE(2) and of its descriptor;
 * the energy of a step is that of T^1; its column is the unwrapped angle. */
#include <math.h>
#include <string.h>

#include <liegrp/groups/se2.h>
#include <liegrp/groups/so2.h>
#include <liegrp/integrators/integrator.h>
#include <liegrp/integrators/event.h>
#include <liegrp/run/model.h>

#include "support/suite.h"

static void test_se2(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(4200);
    for (int k = 0; k < suite_count(2000); k++) {
        double xi[3] = {0}, g[4] = {0}, x[3], y[4], z[4], other[4];
        xi[2] = suite_angle(&rng, 20) * (k % 2 ? -1 : 1);
        suite_input("w", xi + 2, 1);
        lg_se2_exp(g, xi);
        lg_so2_exp(y, xi + 2);
        suite_same_bits("exp", y, g + 2, 2);
        suite_ok("log", lg_se2_log(x, g));
        suite_ok("log", lg_so2_log(z, y));
        suite_same_bits("log", z, x + 2, 1);
        lg_se2_cay(other, xi);
        lg_so2_cay(z, xi + 2);
        suite_same_bits("cay", z, other + 2, 2);
        const lg_status half_turn = lg_se2_cay_inv(x, g);
        suite_status("cay_inv", lg_so2_cay_inv(z, y), half_turn);
        if (half_turn == LG_OK) suite_same_bits("cay_inv", z, x + 2, 1);
        lg_se2_compose(other, other, g);
        lg_so2_cay(z, xi + 2);
        lg_so2_compose(z, z, y);
        suite_same_bits("compose", z, other + 2, 2);
        lg_se2_inverse(other, g);
        lg_so2_inverse(z, y);
        suite_same_bits("inverse", z, other + 2, 2);
        const double there[2] = {0.3, -0.7};
        lg_se2_act(other, g, there);
        lg_so2_act(z, y, there);
        suite_near("act", z, other, 2, 2 * SUITE_EPS, 1);
        lg_so2_act_inverse(z, y, z);
        suite_near("there and back", z, there, 2, 16 * SUITE_EPS, 1);
        suite_near1("angle", remainder(lg_so2_to_angle(y) - xi[2], 2 * acos(-1.0)), 0, 8 * SUITE_EPS, 1 + fabs(xi[2]));
    }
}

typedef lg_status (*generic_unary)(const lg_group *G, double *out, const double *in);
typedef void (*direct_unary)(double *out, const double *in);

static lg_status dcay(const lg_group *G, double *out, const double *xi)
{
    return lg_retraction_dtau(lg_retraction_cayley(), G, out, xi);
}
static lg_status dcay_inv(const lg_group *G, double *out, const double *xi)
{
    return lg_retraction_dtau_inv(lg_retraction_cayley(), G, out, xi);
}

static void test_descriptor(void **state)
{
    static const struct {
        const char *name;
        generic_unary generic;
        direct_unary direct;
        int in, out;
    } pairs[] = {{"inverse", lg_group_inverse, lg_so2_inverse, 2, 2},
                 {"to_matrix", lg_group_to_matrix, lg_so2_to_matrix, 2, 4},
                 {"hat", lg_group_hat, lg_so2_hat, 1, 4},
                 {"Ad", lg_group_Ad, lg_so2_Ad, 2, 1},
                 {"ad", lg_group_ad, lg_so2_ad, 1, 1},
                 {"exp", lg_group_exp, lg_so2_exp, 1, 2},
                 {"dcay", dcay, lg_so2_dcay, 1, 1},
                 {"dcay_inv", dcay_inv, lg_so2_dcay_inv, 1, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        for (int k = -8; k <= 8; k++) {
            const double xi[1] = {0.4 * k};
            double in[2] = {xi[0]}, direct[4], generic[4];
            suite_case("%s at %g", pairs[i].name, xi[0]);
            if (pairs[i].in == 2) lg_so2_exp(in, xi);
            pairs[i].direct(direct, in);
            suite_ok(pairs[i].name, pairs[i].generic(lg_so2(), generic, in));
            suite_same_bits("direct = through the descriptor", direct, generic, pairs[i].out);
        }
    }
    double g[2] = {3, 4}, R[4] = {0.1, -1, 1, 0.1};
    suite_ok("project", lg_so2_project(g, g));
    suite_near1("cos", g[0], 0.6, 2 * SUITE_EPS, 1);
    suite_ok("from_matrix", lg_so2_from_matrix(g, R));
    R[1] = 1;
    suite_status("an improper matrix", lg_so2_from_matrix(g, R), LG_ERROR_DOMAIN);
    g[0] = g[1] = 0;
    suite_status("nothing", lg_so2_project(g, g), LG_ERROR_DOMAIN);
}

/* ---- columns ---- */

static const lg_group *(*const factors[])(void) = {lg_so2, lg_se2, lg_so2};

static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 5; i++) J[6 * i] = 1;
    return 0;
}

static int initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c, (void)xi0;
    g0[0] = g0[4] = g0[6] = 1;
    return 0;
}

static void test_columns(void **state)
{
    static const lg_model_definition definition = {.size = sizeof(lg_model_definition),
                                                   .name = "circles",
                                                   .factor_count = 3,
                                                   .factors = factors,
                                                   .configure = configure,
                                                   .initial = initial};
    static const char *const names[] = {"angle", "x", "y", "theta", "angle_2"};
    lg_model *M = NULL;
    double g[8], columns[5];
    (void)state;
    suite_ok("model", lg_model_create(&M, &definition));
    assert_int_equal(lg_model_column_find(M, "angle"), 2);
    for (int i = 0; i < 5; i++) assert_string_equal(lg_model_column(M, 2 + i)->name, names[i]);
    assert_string_equal(lg_model_column(M, 7)->name, "xi_1");
    suite_ok("set", lg_model_set_initial(M, "angle_2", 3));
    suite_ok("initial", lg_model_initial(M, g, NULL, NULL));
    suite_near1("cos", g[6], cos(3), SUITE_EPS, 1);
    suite_near1("sin", g[7], sin(3), SUITE_EPS, 1);
    lg_model_write(M, columns, g, NULL);
    suite_near1("angle", columns[4], 3, SUITE_EPS, 3);
    lg_so2_from_angle(g + 6, 3.2);
    lg_model_write(M, columns, g, columns);
    suite_near1("the angle continues", columns[4], 3.2, 2 * SUITE_EPS, 4);
    lg_model_destroy(M);
}

/* ---- a pendulum, as on T^1 ---- */

static int potential(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = -g[0];
    return 0;
}

static int slope(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[0] = g[1];
    return 0;
}

static int angle_potential(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = -cos(g[0]);
    return 0;
}

static int angle_slope(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[0] = sin(g[0]);
    return 0;
}

static void test_pendulum(void **state)
{
    static const double J[1] = {1.3}, xi0[1] = {2.1}, angle[1] = {0.4};
    static const char *const methods[] = {"variational", "sem", "dla", "sem@suzuki4", "rk4", "rkmk4"};
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        lg_system circle = lg_system_default(lg_so2()), line = lg_system_default(lg_torus(1));
        lg_integrator *a = NULL, *b = NULL;
        double g0[2], between[2], there[1], want;
        circle.inertia = line.inertia = J;
        circle.callbacks.potential = potential, circle.callbacks.potential_gradient = slope;
        line.callbacks.potential = angle_potential, line.callbacks.potential_gradient = angle_slope;
        suite_case("a pendulum, %s", methods[m]);
        lg_so2_from_angle(g0, angle[0]);
        suite_ok("circle", lg_integrator_create(&a, &circle, methods[m], "exp", 0.05));
        suite_ok("line", lg_integrator_create(&b, &line, methods[m], "exp", 0.05));
        suite_ok("start", lg_integrator_start(a, 0, g0, xi0, LG_START_REACTION, 0));
        suite_ok("start", lg_integrator_start(b, 0, angle, xi0, LG_START_REACTION, 0));
        for (int k = 0; k < 100; k++) {
            suite_ok("step", lg_integrator_step(a));
            suite_ok("step", lg_integrator_step(b));
        }
        want = lg_integrator_configuration(b)[0];
        const double off = strcmp(methods[m], "rk4") == 0 ? 1e-5 : 1e-12; /* RK4 leaves the circle */
        suite_near1("angle", remainder(lg_so2_to_angle(lg_integrator_configuration(a)) - want, 2 * acos(-1.0)), 0, off,
                    1);
        suite_near1("momentum", lg_integrator_momentum(a)[0], lg_integrator_momentum(b)[0], off, 1);
        suite_ok("interpolate", lg_integrator_interpolate(a, NULL, between, NULL, 0.3));
        suite_ok("interpolate", lg_integrator_interpolate(b, NULL, there, NULL, 0.3));
        suite_near1("between", remainder(lg_so2_to_angle(between) - there[0], 2 * acos(-1.0)), 0, off, 1);
        lg_integrator_destroy(a);
        lg_integrator_destroy(b);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_se2),
        cmocka_unit_test(test_descriptor),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_pendulum),
    };
    return cmocka_run_group_tests_name("so2", tests, NULL, NULL);
}
