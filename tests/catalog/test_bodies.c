/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems of the catalog against mechanics written here without covectors or multipliers: rolling bodies and tops by
 * Newton's and Euler's equations, a ball on a driven table, the affine line; special positions. */
#include <math.h>
#include <string.h>

#include "catalog/examples.h"
#include "catalog/systems.h"
#include "support/energy_systems.h"
#include "support/matrix.h"
#include "support/motions.h"

/* ---- Newton and Euler ---- */

static void cross(double *out, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Is example k one of these systems? */
static int is_one_of(const char *const *names, int k)
{
    while (*names != NULL && strcmp(*names, examples[k].system) != 0) names++;
    return *names != NULL;
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

static shape shape_of(const lg_model *M)
{
    static const char *const semi[] = {"b1", "b2", "b3"}, *const chi[] = {"chi1", "chi2", "chi3"};
    static const char *const I[] = {"I1", "I2", "I3"};
    static const char *const full[] = {"I11", "I12", "I13", "I12", "I22", "I23", "I13", "I23", "I33"};
    const char *name = lg_model_describe(M)->name;
    shape s = {.m = model_parameter(M, "m"), .g = model_parameter(M, "g")};
    s.kind = strcmp(name, "rattleback") == 0 ? 1 : strcmp(name, "chaplygin-top") == 0 ? 2 : 0;
    if (s.kind == 1) s.centre[2] = model_parameter(M, "offset");
    for (int i = 0; i < 3; i++) {
        s.size[i] = s.kind == 1 ? model_parameter(M, semi[i]) : s.kind == 0 && i == 2 ? 0 : model_parameter(M, "r");
        if (s.kind == 2) s.centre[i] = model_parameter(M, chi[i]);
        s.I[4 * i] = s.kind == 2 ? model_parameter(M, I[i]) : s.kind == 0 ? model_parameter(M, i < 2 ? "Id" : "Ia") : 0;
    }
    for (int i = 0; i < 9 && s.kind == 1; i++) s.I[i] = model_parameter(M, full[i]);
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
    static const char *const convex[] = {"rolling-disk", "rolling-disk-exact", "rattleback", "chaplygin-top", NULL};
    for (int k = 0; k < EXAMPLES; k++) {
        if (!is_one_of(convex, k)) continue;
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
    const double m = model_parameter(M, "m"), r = model_parameter(M, "r"), I = model_parameter(M, "I"),
                 It = model_parameter(M, "It");
    const double weight = m * model_parameter(M, "g") * sin(0.4), k = 0.03, drag = model_parameter(M, "bearing");
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

/* ---- tops ---- */

/* I w' = I w x w - torque x gamma + lambda gamma, <gamma, w> = 0 where `held`; then <gamma, w'> = 0, too, as gamma' =
 * gamma x w is orthogonal to w. */
static void euler(double *out, const double *I, const double *torque, const double *gamma, const double *w, int held)
{
    double Iw[3], a[3], b[3], up[3];
    mat_apply(Iw, I, w, 3, 3);
    cross(a, Iw, w);
    cross(b, torque, gamma);
    for (int i = 0; i < 3; i++) a[i] -= b[i];
    assert_true(mat_solve(out, I, a, 3));
    assert_true(mat_solve(up, I, gamma, 3));
    const double lambda = held ? -mat_dot(gamma, out, 3) / mat_dot(gamma, up, 3) : 0;
    for (int i = 0; i < 3; i++) out[i] += lambda * up[i];
}

static void test_euler(void **state)
{
    static const char *const chi[] = {"chi1", "chi2", "chi3"}, *const I[] = {"I1", "I2", "I3"};
    static const char *const full[] = {"I11", "I12", "I13", "I12", "I22", "I23", "I13", "I23", "I33"};
    lg_rng rng = suite_rng(8);
    (void)state;
    static const char *const tops[] = {"heavy-top", "veselova-top", NULL};
    for (int k = 0; k < EXAMPLES; k++) {
        if (!is_one_of(tops, k)) continue;
        lg_model *M = model_open(&examples[k]);
        const lg_system *S = model_system(M);
        const int held = S->constraint_count;
        const double weight = held ? 1 : model_parameter(M, "m") * model_parameter(M, "g");
        double J[9] = {0}, torque[3];
        for (int i = 0; i < 3; i++) torque[i] = weight * model_parameter(M, chi[i]);
        for (int i = 0; i < 3 && !held; i++) J[4 * i] = model_parameter(M, I[i]);
        for (int i = 0; i < 9 && held; i++) J[i] = model_parameter(M, full[i]);
        for (int trial = 0; trial < 20; trial++) {
            double g[4], R[9], w[3], want[3], got[3], V;
            const lg_call c = system_call(S, 0);
            suite_ok("random", lg_group_random(lg_so3(), g, &rng));
            suite_ok("matrix", lg_group_to_matrix(lg_so3(), R, g));
            suite_normal(w, 3, &rng);
            const double s = mat_dot(R + 6, w, 3);
            for (int i = 0; i < 3 && held; i++) w[i] -= s * R[6 + i];
            euler(want, J, torque, R + 6, w, held);
            system_acceleration(S, 0, g, w, got, NULL);
            suite_near("acceleration", got, want, 3, 1e-9, 1 + mat_norm(want, 3));
            assert_int_equal(S->callbacks.potential(&c, g, &V), 0);
            suite_near1("potential", V, mat_dot(torque, R + 6, 3), 8 * SUITE_EPS, 1 + mat_norm(torque, 3));
        }
        lg_model_destroy(M);
    }
}

/* ---- the affine line ---- */

/* The ends of the affine group, whose axioms and retractions are checked with those of all groups. */
static void test_affine_ends(void **state)
{
    const lg_group *G = lg_catalog_definition("affine-line")->group();
    double g[2];
    (void)state;
    assert_int_equal(G->kind, LG_KIND_USER);
    suite_status("no Cayley map", lg_retraction_tau(lg_retraction_cayley(), G, g, (const double[2]){2, 1}),
                 LG_ERROR_DOMAIN);
    suite_status("no logarithm", lg_retraction_tau_inv(lg_retraction_exp(), G, g, (const double[2]){-1, 1}),
                 LG_ERROR_DOMAIN);
    assert_false(lg_group_is_valid(G, (const double[2]){0, 1}, 1e-12));
    assert_true(lg_group_is_valid(G, (const double[2]){1e-300, 1}, 0));
}

/* p_1' = -p_2^2/I2, p_2' = p_1 p_2/I1, the half ellipse I2 a^2 + I1 (b - c)^2 = const, and p -> (-sqrt(2 E I1), 0). */
static void test_affine_line(void **state)
{
    const model_example x = {"affine-line", {{"I1", 0.3}, {"I2", 0.7}}, 0.02, 1, 0, 0};
    lg_model *M = model_open(&x);
    const lg_system *S = model_system(M);
    const lg_model_definition *d = lg_model_describe(M);
    double g0[2], xi0[2], g[2], xi[2], rate[2], mirror[2];
    (void)state;
    model_start(M, g0, xi0);
    const double p0[2] = {0.3 * xi0[0], 0.7 * xi0[1]}, E = p0[0] * p0[0] / 0.6 + p0[1] * p0[1] / 1.4;
    suite_near("p0", p0, (const double[2]){0.5, 0.8}, 2, 4 * SUITE_EPS, 1);
    system_acceleration(S, 0, g0, xi0, rate, NULL);
    suite_near1("p_1'", 0.3 * rate[0], -p0[1] * p0[1] / 0.7, 1e-14, 1);
    suite_near1("p_2'", 0.7 * rate[1], p0[0] * p0[1] / 0.3, 1e-14, 1);
    const double centre = g0[1] + p0[0] * g0[0] / p0[1];
    const double size = 0.3 * g0[0] * g0[0] / 0.7 * 0.7 / 0.3 * 2 * E * 0.7 / (p0[1] * p0[1]);
    for (double t = -30; t <= 30; t += 1.5) {
        assert_int_equal(d->exact(&(lg_call){.param = S->parameter_values, .t = t, .lanes = 1}, g0, xi0, g, xi), 0);
        suite_near1("energy", 0.15 * xi[0] * xi[0] + 0.35 * xi[1] * xi[1], E, 1e-14, 1);
        suite_near1("ellipse", g[0] * g[0] + 0.7 / 0.3 * (g[1] - centre) * (g[1] - centre), size, 1e-13, size);
    }
    suite_near("the end", xi, (const double[2]){-sqrt(2 * E / 0.3), 0}, 2, 1e-12, 1);
    const double down[2] = {xi0[0], -xi0[1]}; /* the mirror image b -> -b */
    assert_int_equal(d->exact(&(lg_call){.param = S->parameter_values, .t = 1, .lanes = 1}, g0, down, rate, mirror), 0);
    assert_int_equal(d->exact(&(lg_call){.param = S->parameter_values, .t = 1, .lanes = 1}, g0, xi0, g, xi), 0);
    suite_near("mirror", (const double[4]){rate[0], -rate[1], mirror[0], -mirror[1]},
               (const double[4]){g[0], g[1], xi[0], xi[1]}, 4, 1e-14, 2);
    const double straight[2] = {-1.3, 0};
    assert_int_equal(d->exact(&(lg_call){.param = S->parameter_values, .t = 2, .lanes = 1}, g0, straight, g, xi), 0);
    suite_near("straight", g, (const double[2]){exp(-2.6), 0}, 2, 1e-15, 1);
    suite_near("straight", xi, straight, 2, 0, 1);
    lg_model_destroy(M);
}

/* ---- special positions ---- */

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

/* A disk that lies flat has no contact point: rows and heights report an error instead of dividing by zero. */
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

/* The axles along the board, where the wheels' own conditions are dependent: the rows here are not. */
static void test_axles_along_the_board(void **state)
{
    static const char *const names[] = {"snakeboard", "snakeboard-planar"};
    static const char *const methods[] = {"sem", "gni", "dla", "nsv"};
    (void)state;
    for (int k = 0; k < 8; k++) {
        const model_example x = {.system = names[k % 2]};
        lg_model *M = model_open(&x);
        model_run o = model_run_default();
        lg_run_result r = lg_run_result_default();
        suite_ok("set", lg_model_set_initial(M, "phi", SUITE_PI / 2));
        o.motion.method = methods[k / 2];
        o.project = 1;
        if (model_run_whole(M, &r, &o) != LG_OK) suite_fail("%s: %s", o.motion.method, r.message);
        suite_below("energy", (r.energy_high - r.energy_low) / r.energy_high, 1e-3);
        suite_below("constraint", r.constraint, 1e-14);
        lg_model_destroy(M);
    }
}

/* Rods of another length than that of the parameters are said, and moved onto them on request. */
static void test_wrong_lengths(void **state)
{
    const model_example x = {.system = "double-spherical-pendulum"};
    model_run o = model_run_default();
    lg_run_result r = lg_run_result_default();
    (void)state;
    lg_model *M = model_open(&x);
    suite_ok("set", lg_model_set_initial(M, "z1", -0.7));
    suite_status("run", model_run_whole(M, &r, &o), LG_ERROR_INCONSISTENT);
    suite_contains("message", r.message, "phi");
    o.project = 1;
    suite_ok("projected", model_run_whole(M, &r, &o));
    suite_below("phi", r.holonomic, 1e-14);
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newton_euler),
        cmocka_unit_test(test_driven_table),
        cmocka_unit_test(test_drive),
        cmocka_unit_test(test_euler),
        cmocka_unit_test(test_affine_ends),
        cmocka_unit_test(test_affine_line),
        cmocka_unit_test(test_legendre_near_flat),
        cmocka_unit_test(test_flat_disk),
        cmocka_unit_test(test_axles_along_the_board),
        cmocka_unit_test(test_wrong_lengths),
    };
    suite_begin("catalog: bodies");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
