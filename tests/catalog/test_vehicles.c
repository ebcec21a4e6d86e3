/* SPDX-License-Identifier: BSD-3-Clause */
/* The vehicles of the catalog: mobile-arm, roller-racer, cart-trailer, two-wheeled-robot (more of it in test_robot.c).
 * Their fields against those of the test systems of the same physics, and for any parameters against kinetic energies
 * and slips that are computed here from the bodies' positions by differences; motions against the continuous equations
 * and against each other. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/reference.h"
#include "support/runs.h"
#include "support/vehicles.h"

/* ---- cases: a system, some of its parameters, what else is known of it ---- */

typedef struct example {
    const char *system;
    setting set[6];
    int kept; /* number of the momentum that is conserved, 0: none */
} example;

static const example examples[] = {
    {"mobile-arm", {{0}}, 0},
    {"mobile-arm", {{"b", -0.6}, {"l", 0.8}, {"ml", 1.7}, {"Il", 0.02}, {"k", -0.4}, {"kx", 0.5}}, 0},
    {"mobile-arm", {{"l", 0}, {"k", 0}, {"m", 3}}, 4},
    {"roller-racer", {{0}}, 0},
    {"roller-racer", {{"b", 0}, {"d", 1.1}, {"m", 0.4}, {"I", 1.2}, {"k", 0}}, 0},
    {"roller-racer", {{"d", -0.3}, {"l", -0.2}, {"Il", 0.4}, {"k", 2}}, 0},
    {"roller-racer", {{"d", 0}, {"k", 0.1}}, 0},
    {"cart-trailer", {{0}}, 0},
    {"cart-trailer", {{"a", -0.1}, {"b", -0.4}, {"d", -0.5}, {"at", 0.3}, {"k", -0.2}, {"kx", 1}}, 0},
    {"cart-trailer", {{"d", 0}, {"ky", 0}, {"mt", 2}, {"It", 0.05}}, 0},
    {"cart-trailer", {{"a", 0}, {"b", 0}, {"k", 0}, {"m", 3}}, 3},
    {"two-wheeled-robot", {{0}}, 0},
    {"two-wheeled-robot", {{"a", -0.1}, {"b", 0.3}, {"c", 0.1}, {"tau_left", -0.2}, {"Iw", 0.1}}, 0},
    {"two-wheeled-robot", {{"a", 0}, {"r", 0.2}, {"I", 2}}, 0},
};

enum { EXAMPLES = sizeof examples / sizeof examples[0] };

/* The model as a test system. */
static lg_model *open_example(const example *x, test_system *t)
{
    return open_vehicle(t, x->system, x->set, 6);
}

typedef void (*visitor)(const example *x, test_system *t);

static void over_examples(visitor visit)
{
    for (int k = 0; k < EXAMPLES; k++) {
        test_system t;
        suite_case("example %d, %s", k, examples[k].system);
        lg_model *M = open_example(&examples[k], &t);
        visit(&examples[k], &t);
        lg_model_destroy(M);
    }
}

static void random_near(const test_system *t, double *g, double *xi, lg_rng *rng)
{
    double step[SUITE_DIM];
    const int n = lg_group_dim(t->S.group);
    suite_normal(step, n, rng);
    suite_normal(xi, n, rng);
    suite_ok("exp", lg_group_exp(t->S.group, g, step));
    suite_ok("compose", lg_group_compose(t->S.group, g, t->g0, g));
}

/* ---- the test systems of the same physics ---- */

static const char *const twins[][2] = {{"mobile-arm", "arm"}, {"roller-racer", "racer"}, {"cart-trailer", "trailer"}};

static void same_field(const char *what, lg_field_fn a, lg_field_fn b, const lg_call *ca, const lg_call *cb,
                       const double *g, int count)
{
    double got[SUITE_MATRIX] = {0}, want[SUITE_MATRIX] = {0};
    if (b == NULL) return;
    assert_non_null(a);
    assert_int_equal(a(ca, g, got), 0);
    assert_int_equal(b(cb, g, want), 0);
    suite_near(what, got, want, count, 1e-14, 10);
}

static void compare_twins(const test_system *a, const test_system *b)
{
    const int n = lg_group_dim(a->S.group);
    const lg_call ca = system_call(&a->S, 0), cb = system_call(&b->S, 0);
    lg_rng rng = suite_rng(1);
    suite_near("g0", a->g0, b->g0, lg_group_element_size(a->S.group), 1e-15, 1);
    suite_near("xi0", a->xi0, b->xi0, n, 1e-14, 1); /* two ways to project */
    for (int k = 0; k < 20; k++) {
        double g[SUITE_ELEMENT], xi[SUITE_DIM], J[2][SUITE_MATRIX], A[2][SUITE_MATRIX], rates[2][SUITE_DIM], V[2];
        double slope[2][SUITE_DIM] = {{0}};
        random_near(a, g, xi, &rng);
        system_metric(&a->S, 0, g, J[0]);
        system_metric(&b->S, 0, g, J[1]);
        suite_near("J", J[0], J[1], n * n, 1e-14, 1);
        assert_int_equal(system_rows(&a->S, 0, g, A[0], rates[0]), system_rows(&b->S, 0, g, A[1], rates[1]));
        suite_near("rows", A[0], A[1], (a->S.constraint_count + a->S.callbacks.holonomic_count) * n, 1e-14, 1);
        same_field("phi", a->S.callbacks.holonomic, b->S.callbacks.holonomic, &ca, &cb, g,
                   a->S.callbacks.holonomic_count);
        same_field("dV", a->S.callbacks.potential_gradient, b->S.callbacks.potential_gradient, &ca, &cb, g, n);
        assert_int_equal(a->S.callbacks.potential(&ca, g, &V[0]) + b->S.callbacks.potential(&cb, g, &V[1]), 0);
        suite_near1("V", V[0], V[1], 1e-14, 10);
        if (b->S.callbacks.metric_gradient == NULL) continue;
        assert_int_equal(a->S.callbacks.metric_gradient(&ca, g, xi, slope[0]) +
                             b->S.callbacks.metric_gradient(&cb, g, xi, slope[1]),
                         0);
        suite_near("dT", slope[0], slope[1], n, 1e-14, 10);
    }
}

static void test_twins(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        test_system a, b;
        suite_case("%s", twins[k][0]);
        lg_model *M = open_vehicle(&a, twins[k][0], NULL, 0);
        energy_system_make(&b, twins[k][1]);
        compare_twins(&a, &b);
        lg_model_destroy(M);
    }
}

/* States of another implementation, 60 digits: mobile-arm after 1, 2 and 10 steps of `sem` with the Cayley map. */
static void test_reference_states(void **state)
{
    (void)state;
    cJSON *root = ref_load("energy_momentum_states.json");
    const cJSON *item = ref_get(ref_get(root, "systems"), "arm_cay");
    test_system t;
    int count = 0;
    lg_model *M = open_example(&examples[0], &t);
    lg_integrator *it = run_start(&t, "sem", "cayley", ref_number(ref_get(item, "h")));
    for (const cJSON *x = ref_get(item, "states")->child; x != NULL; x = x->next, count++) {
        double p[4];
        run_steps(it, (int)ref_number(ref_get(x, "k")) - lg_integrator_step_index(it));
        suite_case("mobile-arm after %d steps", (int)lg_integrator_step_index(it));
        test_system_same_element("g", t.S.group, lg_integrator_configuration(it), ref_get(x, "g"), 1e-13);
        ref_exactly(p, 4, x, "p");
        suite_near("p", lg_integrator_momentum(it), p, 4, 1e-13, 1);
    }
    assert_int_equal(count, 4);
    run_end(&it);
    lg_model_destroy(M);
    cJSON_Delete(root);
}

/* ---- the fields for any parameters: bodies and points ---- */

/* Where a body is: its centre of mass and its attitude, and the axle across which it does not slip. */
typedef struct body {
    double mass, moment, x, y, angle, axle_x, axle_y, wheel[2]; /* angles of the robot's wheels */
} body;

static double angle_of(const double *g)
{
    return atan2(g[3], g[2]);
}

/* A body whose centre of mass stands at distance `offset` from (x, y) along its axis. */
static body body_at(double mass, double moment, double x, double y, double angle, double offset)
{
    return (body){mass, moment, x + offset * cos(angle), y + offset * sin(angle), angle, x, y, {0, 0}};
}

static int bodies_of(const test_system *t, const double *g, body *bodies)
{
    const lg_system *S = &t->S;
    const double theta = angle_of(g), m = vehicle_parameter(S, "m"), I = vehicle_parameter(S, "I");
    if (strcmp(t->name, "cart-trailer") == 0) {
        bodies[0] = body_at(m, I, g[0], g[1], theta, vehicle_parameter(S, "a"));
        bodies[1] = body_at(vehicle_parameter(S, "mt"), vehicle_parameter(S, "It"), g[4], g[5], angle_of(g + 4),
                            vehicle_parameter(S, "at"));
        return 2;
    }
    if (strcmp(t->name, "two-wheeled-robot") == 0) {
        bodies[0] = body_at(m, I, g[0], g[1], theta, vehicle_parameter(S, "a"));
        for (int i = 0; i < 2; i++) bodies[0].wheel[i] = g[4 + i];
        return 1;
    }
    const double b = vehicle_parameter(S, "b"), at = theta + g[4], x = g[0] + b * cos(theta), y = g[1] + b * sin(theta);
    bodies[0] = body_at(m, I, g[0], g[1], theta, 0);
    bodies[1] = body_at(vehicle_parameter(S, "ml"), vehicle_parameter(S, "Il"), x, y, at, vehicle_parameter(S, "l"));
    if (strcmp(t->name, "roller-racer") == 0) {
        bodies[1].axle_x = x + vehicle_parameter(S, "d") * cos(at);
        bodies[1].axle_y = y + vehicle_parameter(S, "d") * sin(at);
    }
    return 2;
}

/* The turn from a to b, |turn| < pi. */
static double turn(double a, double b)
{
    return remainder(b - a, 2 * SUITE_PI);
}

/* The velocities of the bodies along xi, by differences of order 4 in a step of 1e-3. */
static int body_rates(const test_system *t, const double *g, const double *xi, body *rate)
{
    static const double weight[2] = {2.0 / 3, -1.0 / 12}, h = 1e-3;
    const int n = lg_group_dim(t->S.group);
    int count = 0;
    memset(rate, 0, 2 * sizeof *rate);
    for (int k = 1; k <= 2; k++) {
        double step[SUITE_DIM], at[2][SUITE_ELEMENT];
        body b[2][2];
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < n; i++) step[i] = (side == 0 ? -k : k) * h * xi[i];
            suite_ok("exp", lg_group_exp(t->S.group, at[side], step));
            suite_ok("compose", lg_group_compose(t->S.group, at[side], g, at[side]));
            count = bodies_of(t, at[side], b[side]);
        }
        const double w = weight[k - 1] / h;
        for (int i = 0; i < count; i++) {
            rate[i].x += w * (b[1][i].x - b[0][i].x);
            rate[i].y += w * (b[1][i].y - b[0][i].y);
            rate[i].axle_x += w * (b[1][i].axle_x - b[0][i].axle_x);
            rate[i].axle_y += w * (b[1][i].axle_y - b[0][i].axle_y);
            rate[i].angle += w * turn(b[0][i].angle, b[1][i].angle);
            for (int j = 0; j < 2; j++) rate[i].wheel[j] += w * turn(b[0][i].wheel[j], b[1][i].wheel[j]);
        }
    }
    return count;
}

/* What the rows must vanish on: slips across the axles; for the robot those of the two contacts along it, too. */
static int slips(const test_system *t, const body *b, const body *rate, int count, double *slip)
{
    int m = 0;
    const int rows = strcmp(t->name, "mobile-arm") == 0 ? 1 : count;
    for (int i = 0; i < rows; i++) slip[m++] = cos(b[i].angle) * rate[i].axle_y - sin(b[i].angle) * rate[i].axle_x;
    for (int i = 0; i < 2 && strcmp(t->name, "two-wheeled-robot") == 0; i++) {
        const double side = (i == 0 ? 1 : -1) * vehicle_parameter(&t->S, "b"); /* the left wheel is where y > 0 */
        const double c = cos(b[0].angle), s = sin(b[0].angle);
        const double x = rate[0].axle_x - side * c * rate[0].angle, y = rate[0].axle_y - side * s * rate[0].angle;
        slip[m++] = c * x + s * y - vehicle_parameter(&t->S, "r") * rate[0].wheel[i];
    }
    return m;
}

static void check_bodies(const example *x, test_system *t)
{
    const lg_system *S = &t->S;
    const int n = lg_group_dim(S->group), wheels = strcmp(t->name, "two-wheeled-robot") == 0;
    lg_rng rng = suite_rng(2);
    (void)x;
    for (int k = 0; k < 20; k++) {
        double g[SUITE_ELEMENT], xi[SUITE_DIM], p[SUITE_DIM], A[SUITE_MATRIX], b[SUITE_DIM], slip[4], T = 0, got = 0;
        body at[2], rate[2];
        random_near(t, g, xi, &rng);
        bodies_of(t, g, at);
        const int count = body_rates(t, g, xi, rate);
        for (int i = 0; i < count; i++)
            T += at[i].mass * (rate[i].x * rate[i].x + rate[i].y * rate[i].y) / 2 +
                 at[i].moment * rate[i].angle * rate[i].angle / 2;
        for (int i = 0; i < 2 && wheels; i++) T += vehicle_parameter(S, "Iw") * rate[0].wheel[i] * rate[0].wheel[i] / 2;
        system_momentum(S, 0, g, xi, p);
        for (int i = 0; i < n; i++) got += p[i] * xi[i] / 2;
        suite_near1("kinetic energy", got, T, 1e-9, fmax(1, T));
        system_rows(S, 0, g, A, b);
        assert_int_equal(slips(t, at, rate, count, slip), S->constraint_count);
        for (int i = 0; i < S->constraint_count; i++) {
            double row = 0;
            for (int j = 0; j < n; j++) row += A[(S->callbacks.holonomic_count + i) * n + j] * xi[j];
            suite_near1("slip", row, slip[i], 1e-9, 10);
        }
    }
}

static void test_bodies(void **state)
{
    (void)state;
    over_examples(check_bodies);
}

static void check_derivatives(const example *x, test_system *t)
{
    lg_error error;
    lg_rng rng = suite_rng(3);
    (void)x;
    if (lg_system_check(&t->S, &rng, t->g0, 20, 1e-8, &error) != LG_OK) suite_fail("%s", error.message);
}

static void test_derivatives(void **state)
{
    (void)state;
    over_examples(check_derivatives);
}

/* The default data close the hitch and satisfy the rows for any parameters, before lg_run() projects. */
static void check_start(const example *x, test_system *t)
{
    const int n = lg_group_dim(t->S.group);
    const lg_call c = system_call(&t->S, 0);
    double A[SUITE_MATRIX], b[SUITE_DIM], phi[2] = {0, 0};
    (void)x;
    assert_true(lg_group_is_valid(t->S.group, t->g0, 1e-15));
    const int m = system_rows(&t->S, 0, t->g0, A, b);
    for (int i = 0; i < m; i++) {
        double residual = -b[i];
        for (int j = 0; j < n; j++) residual += A[i * n + j] * t->xi0[j];
        suite_below("rows", fabs(residual), 1e-14);
    }
    if (t->S.callbacks.holonomic_count > 0) assert_int_equal(t->S.callbacks.holonomic(&c, t->g0, phi), 0);
    suite_below("hitch", fmax(fabs(phi[0]), fabs(phi[1])), 1e-15);
}

static void test_starts(void **state)
{
    (void)state;
    over_examples(check_start);
}

/* ---- motions ---- */

/* `sem` against the continuous equations: order 2, and close. */
static void check_orders(const example *x, test_system *t)
{
    static const int counts[4] = {40, 80, 160, 320};
    run_state truth;
    (void)x;
    run_truth(&truth, t, 1, 1000);
    for (int k = 0; k < 2; k++) {
        const run_orders o = run_measure(t, &truth, "sem", k == 0 ? "exp" : "cayley", 1, counts, 4, 1e-11);
        if (o.used_g > 2 && !(o.g > 1.9 && o.g < 2.1)) suite_fail("order of g %g", o.g);
        if (o.used_p > 2 && !(o.p > 1.9 && o.p < 2.1)) suite_fail("order of p %g", o.p);
        suite_below("error of g", o.error_g, 1e-3);
        suite_below("error of p", o.error_p, 1e-3);
    }
}

static void test_orders(void **state)
{
    (void)state;
    over_examples(check_orders);
}

/* The energy, or its balance, the rows, the hitch, and the momentum that is conserved. */
static void check_sem(const example *x, test_system *t)
{
    for (int k = 0; k < 2; k++) {
        lg_integrator *it = run_start(t, "sem", k == 0 ? "exp" : "cayley", t->h);
        const double first = x->kept > 0 ? lg_integrator_momentum(it)[x->kept - 1] : 0;
        const run_extremes w = run_watch(it, suite_count(2000), 1);
        suite_below("balance", w.balance, 1e-11);
        if (t->S.callbacks.force == NULL) suite_below("energy", w.energy, 1e-11);
        suite_below("rows", w.constraint, 1e-13 * w.size);
        if (t->S.callbacks.holonomic_count > 0) suite_below("hitch", w.position, 1e-13 * w.size);
        if (x->kept > 0) {
            const double kept = t->S.callbacks.holonomic_count > 0 ? 5e-3 : 1e-11; /* on SE(2) only up to the order */
            suite_near1("momentum", lg_integrator_momentum(it)[x->kept - 1], first, kept, 1);
        }
        run_end(&it);
    }
}

static void test_sem(void **state)
{
    (void)state;
    over_examples(check_sem);
}

/* What is claimed as conserved is so along the true motion; the momentum of an example without such a claim is not. */
static void check_momentum(const example *x, test_system *t)
{
    const int i = x->kept > 0 ? x->kept - 1 : lg_group_dim(t->S.group) == 6 ? 2 : 3;
    double g[SUITE_ELEMENT], xi[SUITE_DIM], p0[SUITE_DIM], p[SUITE_DIM];
    memcpy(g, t->g0, sizeof g);
    memcpy(xi, t->xi0, sizeof xi);
    system_momentum(&t->S, 0, g, xi, p0);
    system_truth(&t->S, 2, 1000, g, xi);
    system_momentum(&t->S, 0, g, xi, p);
    if (x->kept > 0)
        suite_near1("momentum", p[i], p0[i], 1e-10, 1);
    else
        suite_above("change of the momentum", fabs(p[i] - p0[i]), 1e-4);
}

static void test_momenta(void **state)
{
    (void)state;
    over_examples(check_momentum);
}

/* The roller racer is the cart with a trailer whose hitch is in front of the cart and whose drawbar points back:
 * b -> -b, d -> -d, at = l - d, a = 0, no springs. Two groups, two sets of rows, one motion. */
static void check_racer_as_trailer(const setting *s)
{
    const setting free_racer[6] = {{"k", 0}, s[0], s[1], s[2], s[3], s[4]};
    test_system a, b;
    lg_model *M = open_vehicle(&a, "roller-racer", free_racer, 6);
    const double bb = vehicle_parameter(&a.S, "b"), d = vehicle_parameter(&a.S, "d");
    const setting as_trailer[] = {{"m", vehicle_parameter(&a.S, "m")},
                                  {"I", vehicle_parameter(&a.S, "I")},
                                  {"mt", vehicle_parameter(&a.S, "ml")},
                                  {"It", vehicle_parameter(&a.S, "Il")},
                                  {"at", vehicle_parameter(&a.S, "l") - d},
                                  {"a", 0},
                                  {"b", -bb},
                                  {"d", -d},
                                  {"k", 0},
                                  {"kx", 0},
                                  {"ky", 0}};
    lg_model *N = open_vehicle(&b, "cart-trailer", as_trailer, 11);
    const double alpha = a.g0[4], w = a.xi0[2] + a.xi0[3], v1 = a.xi0[0], v2 = bb * a.xi0[2];
    const double g0[8] = {0, 0, 1, 0, bb + d * cos(alpha), d * sin(alpha), cos(alpha), sin(alpha)};
    const double xi0[6] = {v1, 0, a.xi0[2], cos(alpha) * v1 + sin(alpha) * v2, 0, w}; /* the hitch's along the link */
    memcpy(b.g0, g0, sizeof g0);
    memcpy(b.xi0, xi0, sizeof xi0);
    system_truth(&a.S, 2, 2000, a.g0, a.xi0);
    system_truth(&b.S, 2, 2000, b.g0, b.xi0);
    suite_near("the car", b.g0, a.g0, 4, 1e-9, 1);
    suite_near("its velocity", b.xi0, a.xi0, 3, 1e-9, 1);
    suite_near1("alpha", remainder(angle_of(b.g0 + 4) - angle_of(b.g0) - a.g0[4], 2 * SUITE_PI), 0, 1e-9, 1);
    lg_model_destroy(M);
    lg_model_destroy(N);
}

static void test_racer_as_trailer(void **state)
{
    static const setting sets[][5] = {{{0}}, {{"b", 0.9}, {"d", 0.2}, {"l", 0.6}, {"m", 2}, {"Il", 0.7}}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        suite_case("roller racer as cart with trailer, %d", k);
        check_racer_as_trailer(sets[k]);
    }
}

/* ---- refusals ---- */

static void expect_refusal(const char *system, const setting *set, int count, const char *word)
{
    const lg_system *S = NULL;
    lg_model *M = NULL;
    lg_status status = lg_catalog_create(&M, system);
    for (int i = 0; i < count && status == LG_OK; i++) status = lg_model_set(M, set[i].name, set[i].value);
    if (status == LG_OK) status = lg_model_system(M, &S);
    suite_status(system, status, LG_ERROR_ARGUMENT);
    suite_contains(system, lg_model_message(M), word);
    lg_model_destroy(M);
}

static void test_refusals(void **state)
{
    static const setting flat[2] = {{"b", 0}, {"d", 0}}, friction = {"c", -1}, nan = {"b", NAN},
                         infinite = {"d", INFINITY};
    static const char *const systems[] = {"mobile-arm", "roller-racer", "cart-trailer", "two-wheeled-robot"};
    static const char *const positive[][6] = {
        {"m", "I", "ml", "Il"}, {"m", "I", "ml", "Il"}, {"m", "I", "mt", "It"}, {"m", "I", "b", "r", "Iw"}};
    (void)state;
    suite_case("refusals");
    for (int k = 0; k < 4; k++)
        for (int i = 0; positive[k][i] != NULL; i++) {
            const setting zero = {positive[k][i], 0}, negative = {positive[k][i], -1};
            expect_refusal(systems[k], &zero, 1, "must be > 0");
            expect_refusal(systems[k], &negative, 1, positive[k][i]);
        }
    expect_refusal("roller-racer", flat, 2, "one of b, d must differ from 0");
    expect_refusal("cart-trailer", flat, 2, "one of b, d must differ from 0");
    expect_refusal("two-wheeled-robot", &friction, 1, "must be >= 0");
    expect_refusal("mobile-arm", &nan, 1, "finite");
    expect_refusal("roller-racer", &infinite, 1, "finite");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_reference_states),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_sem),
        cmocka_unit_test(test_momenta),
        cmocka_unit_test(test_racer_as_trailer),
        cmocka_unit_test(test_refusals),
    };
    suite_begin("catalog vehicles");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
