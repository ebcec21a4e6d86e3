/* SPDX-License-Identifier: BSD-3-Clause */
/* Rolling bodies of the catalog against Newton's and Euler's equations with the contact force, written here without
 * covectors or multipliers, against reference values, the test systems, and Routh's and Vierkandt's integrals. */
#include <math.h>
#include <string.h>

#include "catalog/systems.h"
#include "energy_systems.h"
#include "matrix.h"
#include "models.h"
#include "reference.h"

static const model_example examples[] = {
    {"rolling-disk", {{0}}, 0.005, -1, 0, 0},
    {"rolling-disk", {{"m", 1.7}, {"r", 0.6}, {"Id", 0.2}, {"Ia", 0.13}}, 0.005, -1, 0, 0},
    {"rolling-disk-exact", {{0}}, 0.005, -1, 0, 0},
    {"rolling-disk-exact", {{"g", 0}, {"Ia", 0.3}}, 0.005, -1, 0, 0},
    {"rattleback", {{0}}, 0.0005, -1, 0, 0},
    {"rattleback", {{"offset", 0.002}, {"I13", 3e-5}, {"I23", -2e-4}, {"b1", 0.15}}, 0.0005, -1, 0, 0},
    {"turntable", {{0}}, 0.05, 0, 0, 0},
    {"turntable", {{"I2", 1}, {"I3", 1}}, 0.05, 1, 0, 0},
    {"turntable", {{"I2", 1}, {"I3", 1}, {"Omega0", -0.7}, {"amplitude", 1.3}, {"rate", -2.5}}, 0.05, 1, 0, 0},
    {"turntable", {{"I2", 1}, {"I3", 1}, {"rate", 0}, {"r", 0.4}}, 0.05, 1, 0, 0},
    {"chaplygin-top", {{0}}, 0.01, -1, 0, 0},
    {"chaplygin-top", {{"chi1", 0.1}, {"chi2", -0.2}, {"chi3", 0.3}, {"I2", 0.5}, {"m", 1.4}}, 0.01, -1, 2, 0},
    {"chaplygin-top", {{"chi3", 0.4}, {"I3", 0.6}, {"r", 0.7}, {"m", 2}}, 0.01, -1, 0, 0},
    {"ball-on-inclined-turntable", {{0}}, 0.02, -1, 4, 0},
    {"ball-on-inclined-turntable", {{"friction", 0}, {"tilt", -0.02}}, 0.02, -1, 1, 0},
    {"ball-on-inclined-turntable", {{"tilt", 0}, {"bearing", 0}, {"friction", 1e-5}}, 0.02, -1, 3, 0},
    {"ball-on-inclined-turntable", {{"tilt", 0}, {"bearing", 0}, {"friction", 0}, {"It", 0.4}}, 0.02, -1, 0, 1},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

static void test_derivatives(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = model_open(&examples[k]);
        model_derivatives(M);
        lg_model_destroy(M);
    }
}

/* The truth's error is below 1e-10 here: halving its steps changes none of the figures. */
static void test_invariants(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k += suite_reduced() ? 3 : 1) {
        lg_model *M = model_open(&examples[k]);
        model_invariants(M, 300 * examples[k].h, 2700, 1e-8, examples[k].undefined);
        lg_model_destroy(M);
    }
}

static void test_methods(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = model_open(&examples[k]);
        model_methods(&examples[k], M, 400);
        lg_model_destroy(M);
    }
}

/* Position and velocity of the ball, nothing else. */
static void test_exact(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = model_open(&examples[k]);
        const int known = model_exact(&examples[k], M, 4, 2000, 1e-9);
        assert_int_equal(known, examples[k].exact == 1 ? 4 : 0);
        lg_model_destroy(M);
    }
}

/* ---- Newton and Euler ---- */

static void cross(double *out, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* A convex body: rho(gamma) from the centre of mass to the contact, by differences along gamma' where a rate is due. */
typedef struct shape {
    int kind; /* 0: disk, 1: ellipsoid, 2: ball */
    double m, g, I[9], size[3], centre[3];
} shape;

static void contact(const shape *s, const double *gamma, double *rho)
{
    double stretch = 0;
    for (int i = 0; i < 3; i++) stretch += s->size[i] * s->size[i] * gamma[i] * gamma[i];
    for (int i = 0; i < 3; i++) rho[i] = -s->size[i] * s->size[i] * gamma[i] / sqrt(stretch) - s->centre[i];
}

static void contact_rate(const shape *s, const double *gamma, const double *rate, double *out)
{
    const double e = 1e-3, weight[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    memset(out, 0, 3 * sizeof *out);
    for (int k = 1; k <= 3; k++) {
        double up[3], down[3];
        for (int i = 0; i < 3; i++) {
            up[i] = gamma[i] + k * e * rate[i];
            down[i] = gamma[i] - k * e * rate[i];
        }
        contact(s, up, up);
        contact(s, down, down);
        for (int i = 0; i < 3; i++) out[i] += weight[k - 1] * (up[i] - down[i]) / e;
    }
}

/* I w' - m rho x (rho x w') = I w x w + m rho x (rho' x w + w x (rho x w)) + m g rho x gamma. */
static void angular_acceleration(const shape *s, const double *gamma, const double *w, double *out)
{
    double rho[3], rate[3], drho[3], a[3], b[3], c[3], Iw[3], right[3], M[9];
    contact(s, gamma, rho);
    cross(rate, gamma, w);
    contact_rate(s, gamma, rate, drho);
    cross(a, drho, w);
    cross(b, rho, w);
    cross(c, w, b);
    for (int i = 0; i < 3; i++) a[i] = s->m * (a[i] + c[i] + s->g * gamma[i]);
    cross(b, rho, a);
    mat_apply(Iw, s->I, w, 3, 3);
    cross(c, Iw, w);
    for (int i = 0; i < 3; i++) right[i] = c[i] + b[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            M[3 * i + j] = s->I[3 * i + j] - s->m * (rho[i] * rho[j] - (i == j ? mat_dot(rho, rho, 3) : 0));
    assert_true(mat_solve(out, M, right, 3));
}

static double parameter(const lg_model *M, const char *name)
{
    double value = NAN;
    suite_ok(name, lg_model_get(M, &value, name));
    return value;
}

static shape shape_of(const lg_model *M)
{
    static const char *const semi[] = {"b1", "b2", "b3"}, *const chi[] = {"chi1", "chi2", "chi3"};
    static const char *const I[] = {"I1", "I2", "I3"};
    static const char *const full[] = {"I11", "I12", "I13", "I12", "I22", "I23", "I13", "I23", "I33"};
    const char *name = lg_model_describe(M)->name;
    shape s = {.m = parameter(M, "m"), .g = parameter(M, "g")};
    s.kind = strcmp(name, "rattleback") == 0 ? 1 : strcmp(name, "chaplygin-top") == 0 ? 2 : 0;
    if (s.kind == 1) s.centre[2] = parameter(M, "offset");
    for (int i = 0; i < 3; i++) {
        s.size[i] = s.kind == 1 ? parameter(M, semi[i]) : s.kind == 0 && i == 2 ? 0 : parameter(M, "r");
        if (s.kind == 2) s.centre[i] = parameter(M, chi[i]);
        s.I[4 * i] = s.kind == 2 ? parameter(M, I[i]) : s.kind == 0 ? parameter(M, i < 2 ? "Id" : "Ia") : 0;
    }
    for (int i = 0; i < 9 && s.kind == 1; i++) s.I[i] = parameter(M, full[i]);
    return s;
}

/* A random attitude and angular velocity, and the velocity of rolling: x' = R (rho x w). */
static void random_state(lg_model *M, const shape *s, double *g, double *xi, double *gamma, lg_rng *rng)
{
    const lg_system *S = model_system(M);
    const int n = lg_group_dim(S->group), shift = n - 3;
    double R[9], rho[3], v[3];
    model_start(M, g, xi);
    suite_ok("random", lg_group_random(lg_so3(), g + shift, rng));
    suite_ok("matrix", lg_group_to_matrix(lg_so3(), R, g + shift));
    memcpy(gamma, R + 6, 3 * sizeof *gamma);
    suite_normal(xi + shift, 3, rng);
    contact(s, gamma, rho);
    cross(v, rho, xi + shift);
    if (shift == 3) g[2] = -mat_dot(rho, gamma, 3);
    mat_apply(rho, R, v, 3, 3);
    memcpy(xi, rho, sizeof(double) * (size_t)shift);
}

static void test_newton_euler(void **state)
{
    lg_rng rng = suite_rng(5);
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        if (strstr(examples[k].system, "turntable")) continue;
        lg_model *M = model_open(&examples[k]);
        const shape s = shape_of(M);
        const lg_system *S = model_system(M);
        const int shift = lg_group_dim(S->group) - 3;
        for (int trial = 0; trial < 20; trial++) {
            double g[SUITE_ELEMENT], xi[SUITE_DIM], gamma[3], want[3], got[SUITE_DIM], A[6 * SUITE_DIM], b[6];
            random_state(M, &s, g, xi, gamma, &rng);
            if (s.kind == 0 && fabs(gamma[2]) > 0.95) continue;
            suite_input("g", g, lg_group_element_size(S->group));
            suite_input("xi", xi, shift + 3);
            const int m = system_rows(S, 0, g, A, b);
            for (int a = 0; a < m; a++)
                suite_below("the contact slips", fabs(mat_dot(A + a * (shift + 3), xi, shift + 3)), 1e-14);
            angular_acceleration(&s, gamma, xi + shift, want);
            system_acceleration(S, 0, g, xi, got, NULL);
            suite_near("angular acceleration", got + shift, want, 3, 1e-8, 1 + mat_norm(want, 3));
        }
        lg_model_destroy(M);
    }
}

/* The ball on the table: F + N = m v', I w' = -r e_3 x N + B, It alpha'' = T - (x N_y - y N_x), and the derivative of
 * v = r w x e_3 + alpha' e_3 x x. All in space. */
static void test_driven_table(void **state)
{
    const model_example x = {"ball-on-inclined-turntable", {{"friction", 0.03}, {"tilt", 0.4}}, 0.02, -1, 4, 0};
    lg_model *M = model_open(&x);
    const lg_system *S = model_system(M);
    const double m = parameter(M, "m"), r = parameter(M, "r"), I = parameter(M, "I"), It = parameter(M, "It");
    const double weight = m * parameter(M, "g") * sin(0.4), k = 0.03, drag = parameter(M, "bearing");
    lg_rng rng = suite_rng(6);
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        double g[7], xi[6], R[9], w[3], got[6], B[3], b[2], N[2];
        suite_ok("random", lg_group_random(S->group, g, &rng));
        suite_ok("matrix", lg_group_to_matrix(lg_so3(), R, g + 3));
        suite_normal(xi, 6, &rng);
        mat_apply(w, R, xi + 3, 3, 3);
        const double turn = xi[2], J[2] = {-g[1], g[0]};
        xi[0] = r * w[1] + turn * J[0];
        xi[1] = -r * w[0] + turn * J[1];
        for (int i = 0; i < 3; i++) B[i] = -k * (w[i] - (i == 2 ? turn : 0));
        const double T = -drag * turn - B[2], c = 1 / m + r * r / I;
        b[0] = weight / m + r / I * B[1] + T / It * J[0] - turn * xi[1];
        b[1] = -r / I * B[0] + T / It * J[1] + turn * xi[0];
        const double lever = (J[0] * b[0] + J[1] * b[1]) / (c * It + J[0] * J[0] + J[1] * J[1]);
        for (int i = 0; i < 2; i++) N[i] = (b[i] - J[i] * lever) / c;
        const double want[3] = {(N[0] - weight) / m, N[1] / m, (T - J[0] * N[0] - J[1] * N[1]) / It};
        system_acceleration(S, 0, g, xi, got, NULL);
        suite_near("acceleration", got, want, 3, 1e-9, 1 + mat_norm(want, 3));
    }
    lg_model_destroy(M);
}

static void test_drive(void **state)
{
    const model_example x = {"ball-on-inclined-turntable", {{0}}, 0.02, -1, 4, 0};
    lg_model *M = model_open(&x);
    const lg_system *S = model_system(M);
    const double torque = 0.7;
    double g[7], xi[6], idle[6] = {0}, driven[6] = {0};
    lg_call c = system_call(S, 0);
    (void)state;
    model_start(M, g, xi);
    assert_int_equal(S->callbacks.control_count, 1);
    assert_int_equal(S->callbacks.force(&c, g, xi, idle), 0);
    c.control = &torque;
    assert_int_equal(S->callbacks.force(&c, g, xi, driven), 0);
    idle[2] += torque;
    suite_near("force", driven, idle, 6, 4 * SUITE_EPS, 1);
    lg_model_destroy(M);
}

/* ---- the test systems, written a second time ---- */

static void test_same_as_test_systems(void **state)
{
    static const char *const pairs[][2] = {{"rolling-disk", "disk"},
                                           {"rolling-disk-exact", "diskH"},
                                           {"rattleback", "rattleback-"},
                                           {"turntable", "ballt"}};
    lg_rng rng = suite_rng(7);
    (void)state;
    for (int k = 0; k < 4; k++) {
        const model_example x = {.system = pairs[k][0]};
        lg_model *M = model_open(&x);
        const lg_system *S = model_system(M);
        const int n = lg_group_dim(S->group);
        double g[SUITE_ELEMENT], xi[SUITE_DIM];
        test_system t;
        memset(&t, 0, sizeof t);
        energy_system_make(&t, pairs[k][1]);
        model_start(M, g, xi);
        suite_near("g0", g, t.g0, lg_group_element_size(S->group), 4 * SUITE_EPS, 1);
        suite_near("xi0", xi, t.xi0, n, 8 * SUITE_EPS, 4);
        for (int trial = 0; trial < 20; trial++) {
            double step[SUITE_DIM], got[SUITE_DIM], want[SUITE_DIM], at[SUITE_ELEMENT], v[SUITE_DIM];
            suite_normal(step, n, &rng);
            for (int i = 0; i < n; i++) step[i] *= 0.3;
            suite_normal(v, n, &rng);
            suite_ok("exp", lg_group_exp(S->group, at, step));
            suite_ok("compose", lg_group_compose(S->group, at, g, at));
            const double time = lg_rng_uniform(&rng);
            system_project(&t.S, time, at, v);
            system_acceleration(S, time, at, v, got, NULL);
            system_acceleration(&t.S, time, at, v, want, NULL);
            suite_near("acceleration", got, want, n, 1e-9, 1 + mat_norm(want, n));
        }
        lg_model_destroy(M);
    }
}

/* ---- reference values ---- */

/* Positions, attitude, velocity and the linear integrals at t = 0.5, 1, 2, 5: the file's error is below 2e-14, that of
 * the integration here below 1e-10. */
static void check_disk(const char *system)
{
    const model_example x = {.system = system};
    lg_model *M = model_open(&x);
    const lg_system *S = model_system(M);
    const lg_call c = system_call(S, 0);
    cJSON *file = ref_load("rigid_disk.json");
    const cJSON *truth = ref_get(file, "truth"), *node;
    const cJSON *integrals = ref_get(ref_get(file, "linear_integrals"), "values");
    int k = 0;
    cJSON_ArrayForEach(node, truth)
    {
        const double t = ref_number(ref_get(node, "t"));
        double g[7], xi[6], p[6], R[9], want[9], C[2];
        model_start(M, g, xi);
        if (t > 0) system_truth(S, t, (int)(2000 * t), g, xi);
        suite_ok("matrix", lg_group_to_matrix(lg_so3(), R, g + 3));
        ref_exactly(want, 2, node, "xy");
        suite_near("xy", g, want, 2, 1e-9, 1);
        ref_exactly(want, 9, node, "R");
        suite_near("R", R, want, 9, 1e-9, 1);
        ref_exactly(want, 3, node, "Omega");
        suite_near("Omega", xi + 3, want, 3, 1e-9, 1);
        suite_near1("z", g[2], ref_number(ref_get(node, "z")), 1e-9, 1);
        system_momentum(S, t, g, xi, p);
        for (int i = 0; i < 2; i++) {
            const cJSON *values = cJSON_GetArrayItem(integrals, k);
            assert_int_equal(lg_model_describe(M)->invariants[i].value(&c, g, p, &C[i]), 0);
            suite_near1("C", C[i], ref_number(ref_get(values, i == 0 ? "C1" : "C2")), t > 0 ? 1e-9 : 2e-14, 1);
        }
        k++;
    }
    assert_int_equal(k, 5);
    cJSON_Delete(file);
    lg_model_destroy(M);
}

static void test_disk_reference(void **state)
{
    (void)state;
    check_disk("rolling-disk");
    check_disk("rolling-disk-exact");
}

/* The series against the equation that it solves, close to flat too; and where it gives up. */
static void test_legendre_near_flat(void **state)
{
    const lg_invariant *invariant = lg_catalog_disk_invariants;
    const double param[LG_DISK_PARAMETERS] = {1, 9.81, 1, 0.25, 0.5};
    const lg_call c = {.param = param, .lanes = 1};
    (void)state;
    for (double tilt = 0.1; tilt < 1.57; tilt += 0.2) {
        double g[7] = {0, 0, 0, sin((SUITE_PI / 2 - tilt) / 2), 0, 0, cos((SUITE_PI / 2 - tilt) / 2)}, C[2];
        const double p[6] = {0, 0, 0, 0, 0, 0.5}, s = sin(tilt);
        /* y = 1, w = 0: C1 = u2' (1 - s^2), C2 = -u1' (1 - s^2); ((1 - s^2) u')' = kappa u gives them by quadrature. */
        for (int i = 0; i < 2; i++) assert_int_equal(invariant[i].value(&c, g, p, &C[i]), 0);
        double u[4] = {1, 0, 0, 1}; /* u1, (1 - s^2) u1', u2, (1 - s^2) u2' */
        const int steps = 20000;
        for (int k = 0; k < steps; k++) {
            const double h = s / steps, at = k * h, kappa = 4.0 / 3;
            for (int i = 0; i < 4; i += 2) {
                const double middle = u[i] + h / 2 * u[i + 1] / (1 - at * at);
                u[i + 1] += h * kappa * middle;
                u[i] = middle + h / 2 * u[i + 1] / (1 - (at + h) * (at + h));
            }
        }
        suite_near1("C1", C[0], u[3], 1e-5, 1 + fabs(u[3]));
        suite_near1("C2", C[1], -u[1], 1e-5, 1 + fabs(u[1]));
    }
    const double flat[7] = {0, 0, 0, sin(5e-5), 0, 0, cos(5e-5)}, p[6] = {0, 0, 0, 0, 0, 0.5};
    double C = 0;
    assert_int_equal(invariant[0].value(&c, flat, p, &C), 0);
    assert_true(isnan(C));
}

/* Spin -1 reverses once in 20 s, at 1.93, spin +1 never; E - m g 0.01 of the start. */
static void test_rattleback(void **state)
{
    const model_example x = {.system = "rattleback"};
    lg_model *M = model_open(&x);
    const lg_model_definition *d = lg_model_describe(M);
    const lg_system *S = model_system(M);
    const lg_call c = system_call(S, 0);
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        lg_integrator *it = NULL;
        double g[7], xi[6], H, spin, before = sign, when = 0;
        int changes = 0;
        model_start(M, g, xi);
        for (int i = 0; i < 6; i++) xi[i] *= -sign;
        suite_ok("create", lg_integrator_create(&it, S, "sem", "exp", 1e-3));
        suite_ok("start", lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 0));
        assert_int_equal(lg_system_energy(S, &H, 0, g, lg_integrator_momentum(it), NULL), LG_OK);
        suite_near1("energy", H, 0.0998430965, 1e-10, 1);
        for (int k = 1; k <= 20000; k++) {
            suite_ok("step", lg_integrator_step(it));
            assert_int_equal(
                d->invariants[1].value(&c, lg_integrator_configuration(it), lg_integrator_momentum(it), &spin), 0);
            if (spin * before < 0 && changes++ == 0) when = k * 1e-3;
            before = spin;
        }
        assert_int_equal(changes, sign < 0 ? 1 : 0);
        if (sign < 0) suite_near1("time of the reversal", when, 1.929, 0.003, 1);
        if (sign < 0) suite_near1("spin at t = 20", spin, 1.2625, 3e-4, 1);
        lg_integrator_destroy(it);
    }
    lg_model_destroy(M);
}

static void test_refusals(void **state)
{
    (void)state;
    model_refused("rolling-disk", "Id", 0, "'Id'");
    model_refused("rolling-disk", "m", -1, "'m'");
    model_refused("rolling-disk", "g", -9.81, "'g'");
    model_refused("rolling-disk-exact", "r", 0, "'r'");
    model_refused("rattleback", "offset", 0.02, "outside the body");
    model_refused("rattleback", "I12", 6e-4, "not positive definite");
    model_refused("rattleback", "b2", 0, "'b2'");
    model_refused("turntable", "I2", -1, "'I2'");
    model_refused("turntable", "rate", INFINITY, "'rate'");
    model_refused("chaplygin-top", "chi1", 1, "outside the ball");
    model_refused("chaplygin-top", "r", 0.1, "outside the ball");
    model_refused("ball-on-inclined-turntable", "tilt", 1.6, "'tilt'");
    model_refused("ball-on-inclined-turntable", "friction", -1e-3, "'friction'");
    model_refused("ball-on-inclined-turntable", "It", 0, "'It'");
}

/* A disk that lies flat has no contact point: rows and heights say so instead of dividing by zero. */
static void test_flat_disk(void **state)
{
    const model_example x = {.system = "rolling-disk-exact"};
    lg_model *M = model_open(&x);
    const lg_system *S = model_system(M);
    const double g[7] = {0, 0, 0, 0, 0, 0, 1};
    double out[12] = {0}, Y[6] = {0};
    lg_call c = system_call(S, 0);
    (void)state;
    assert_int_not_equal(S->callbacks.covectors(&c, g, out, Y), 0);
    assert_int_not_equal(S->callbacks.holonomic(&c, g, out), 0);
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),    cmocka_unit_test(test_newton_euler),
        cmocka_unit_test(test_driven_table),   cmocka_unit_test(test_drive),
        cmocka_unit_test(test_invariants),     cmocka_unit_test(test_exact),
        cmocka_unit_test(test_methods),        cmocka_unit_test(test_same_as_test_systems),
        cmocka_unit_test(test_disk_reference), cmocka_unit_test(test_legendre_near_flat),
        cmocka_unit_test(test_rattleback),     cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_flat_disk),
    };
    suite_begin("catalog: rolling");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
