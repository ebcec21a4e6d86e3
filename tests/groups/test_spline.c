/* SPDX-License-Identifier: BSD-3-Clause */
/* Cubic splines: velocity and acceleration against differences, C^2 and C^1 at the seams, the ordinary cubic splines on
 * R^n, left invariance, ends and refusals. */
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/roster.h"
#include "support/suite.h"

enum { COUNT = 7 };

typedef struct course {
    const lg_group *G;
    double g[COUNT * SUITE_ELEMENT], xi[COUNT * SUITE_DIM], times[COUNT];
} course;

/* Elements half a turn of the mind apart, velocities of the size of 1. */
static void draw(course *c, const lg_group *G, lg_rng *rng)
{
    const int n = lg_group_dim(G), e = lg_group_element_size(G);
    double step[SUITE_DIM], f[SUITE_ELEMENT];
    c->G = G;
    suite_ok("identity", lg_group_identity(G, c->g));
    for (int k = 0; k < COUNT; k++) {
        for (int i = 0; i < n; i++) {
            step[i] = 0.25 * lg_rng_normal(rng);
            c->xi[k * n + i] = 0.3 * lg_rng_normal(rng);
        }
        c->times[k] = k == 0 ? -1 : c->times[k - 1] + 0.5 + lg_rng_uniform(rng);
        suite_ok("exp", lg_group_exp(G, f, step));
        if (k > 0) suite_ok("compose", lg_group_compose(G, c->g + k * e, c->g + (k - 1) * e, f));
    }
}

static lg_spline *make(const course *c, int hermite)
{
    lg_spline *s = NULL;
    lg_error error;
    const lg_status st = hermite ? lg_spline_create_hermite(&s, c->G, c->times, c->g, c->xi, COUNT, &error)
                                 : lg_spline_create_bspline(&s, c->G, c->g, COUNT, -1, 0.7, &error);
    if (st != LG_OK) suite_fail("%s", error.message);
    return s;
}

/* g at time t and the velocity and acceleration from differences of the curve alone. */
static void by_differences(lg_spline *s, const lg_group *G, double t, double *xi, double *a)
{
    const double d = 1e-5;
    double g[2][SUITE_ELEMENT], v[2][SUITE_DIM];
    const int n = lg_group_dim(G);
    for (int k = 0; k < 2; k++) suite_ok("evaluate", lg_spline_evaluate(s, g[k], v[k], NULL, t + (k ? -d : d)));
    suite_ok("minus", lg_group_right_minus(G, xi, g[0], g[1]));
    for (int i = 0; i < n; i++) {
        xi[i] /= 2 * d;
        a[i] = (v[0][i] - v[1][i]) / (2 * d);
    }
}

static void test_derivatives(void **state)
{
    const roster_group *list = roster_groups();
    (void)state;
    for (int k = 0; k < 2 * ROSTER_GROUPS; k++) {
        const lg_group *G = list[k / 2].G;
        const int n = lg_group_dim(G);
        lg_rng rng = suite_rng(96000 + (uint64_t)k);
        course c;
        double g[SUITE_ELEMENT], xi[SUITE_DIM], a[SUITE_DIM], want[SUITE_DIM], wanted[SUITE_DIM];
        if (!G->exp || !G->exp->tau_inv) continue;
        draw(&c, G, &rng);
        lg_spline *s = make(&c, k % 2);
        for (int j = 1; j < 12; j++) {
            const double t = lg_spline_begin(s) + (lg_spline_end(s) - lg_spline_begin(s)) * (j + 0.013) / 12.1;
            suite_case("%s of %s, t = %g", k % 2 ? "Hermite" : "B-spline", list[k / 2].label, t);
            suite_ok("evaluate", lg_spline_evaluate(s, g, xi, a, t));
            by_differences(s, G, t, want, wanted);
            suite_near("velocity", xi, want, n, 1e-7, 1 + mat_norm(want, n));
            suite_near("acceleration", a, wanted, n, 1e-7, 1 + mat_norm(wanted, n));
            suite_ok("alone", lg_spline_evaluate(s, NULL, NULL, a, t));
        }
        lg_spline_destroy(s);
    }
}

/* Just before a seam and at it: position and velocity, with B-splines the acceleration too. */
static void test_seams(void **state)
{
    const lg_group *const groups[] = {lg_so2(), lg_so3(), lg_se2(), lg_se3(), lg_se23(), lg_rn(2), lg_torus(2)};
    (void)state;
    for (int k = 0; k < 14; k++) {
        const lg_group *G = groups[k / 2];
        const int n = lg_group_dim(G), hermite = k % 2;
        lg_rng rng = suite_rng(97000 + (uint64_t)k);
        course c;
        double g[2][SUITE_ELEMENT], xi[2][SUITE_DIM], a[2][SUITE_DIM], off[SUITE_DIM], jump = 0;
        draw(&c, G, &rng);
        lg_spline *s = make(&c, hermite);
        for (int i = 1; i < (hermite ? COUNT - 1 : COUNT - 3); i++) {
            const double t = hermite ? c.times[i] : -1 + i * 0.7;
            suite_case("%s of %s, seam %d", hermite ? "Hermite" : "B-spline", G->name, i);
            suite_ok("before", lg_spline_evaluate(s, g[0], xi[0], a[0], nextafter(t, -10)));
            suite_ok("at", lg_spline_evaluate(s, g[1], xi[1], a[1], t));
            suite_ok("minus", lg_group_right_minus(G, off, g[0], g[1]));
            suite_below("position", mat_norm(off, n), 2e-14);
            suite_near("velocity", xi[0], xi[1], n, 2e-14, 1);
            if (hermite) suite_near("velocity given", xi[1], c.xi + i * n, n, 2e-14, 1);
            if (!hermite) suite_near("acceleration", a[0], a[1], n, 5e-14, 1);
            jump = fmax(jump, suite_distance(a[0], a[1], n));
        }
        if (hermite) suite_above("a Hermite spline is not C^2", jump, 1e-3);
        lg_spline_destroy(s);
    }
}

/* Hermite: nodes and velocities at both ends; on R^n the polynomials of the textbook. */
static void test_textbook(void **state)
{
    const double times[2] = {2, 2.5}, g[4] = {1, -2, 4, 0.5}, xi[4] = {0.5, 1, -2, 3},
                 control[8] = {1, 0, 2, 5, -3, 1, 0, 4};
    lg_spline *s = NULL;
    double q[2], v[2], a[2];
    (void)state;
    suite_case("Hermite on R^2");
    suite_ok("create", lg_spline_create_hermite(&s, lg_rn(2), times, g, xi, 2, NULL));
    for (int k = 0; k <= 8; k++) {
        const double u = k / 8.0, h = 0.5,
                     H[4] = {(1 + 2 * u) * (1 - u) * (1 - u), u * (1 - u) * (1 - u), u * u * (3 - 2 * u),
                             u * u * (u - 1)};
        suite_ok("evaluate", lg_spline_evaluate(s, q, v, a, 2 + u * h));
        for (int i = 0; i < 2; i++)
            suite_near1("q", q[i], H[0] * g[i] + h * H[1] * xi[i] + H[2] * g[2 + i] + h * H[3] * xi[2 + i], 2e-15, 8);
    }
    suite_near("end", q, g + 2, 2, 2e-15, 4);
    suite_near("velocity at the end", v, xi + 2, 2, 4e-15, 4);
    lg_spline_destroy(s);
    suite_case("B-spline on R^2");
    suite_ok("create", lg_spline_create_bspline(&s, lg_rn(2), control, 4, 0, 2, NULL));
    for (int k = 0; k <= 8; k++) {
        const double u = k / 8.0, w = 1 - u,
                     B[4] = {w * w * w / 6, (4 - 6 * u * u + 3 * u * u * u) / 6,
                             (1 + 3 * u + 3 * u * u - 3 * u * u * u) / 6, u * u * u / 6};
        suite_ok("evaluate", lg_spline_evaluate(s, q, v, a, 2 * u));
        for (int i = 0; i < 2; i++) {
            suite_near1("q", q[i],
                        B[0] * control[i] + B[1] * control[2 + i] + B[2] * control[4 + i] + B[3] * control[6 + i],
                        2e-15, 8);
            suite_near1("a", a[i],
                        (w * (control[i] - 2 * control[2 + i] + control[4 + i]) +
                         u * (control[2 + i] - 2 * control[4 + i] + control[6 + i])) /
                            4,
                        2e-15, 16);
        }
    }
    lg_spline_destroy(s);
}

/* From a g_i the curve is a g(t); from exp(i w) the B-spline is the steady screw. */
static void test_invariance(void **state)
{
    const lg_group *const groups[] = {lg_so3(), lg_se2(), lg_se3(), lg_se23()};
    (void)state;
    for (int k = 0; k < 8; k++) {
        const lg_group *G = groups[k / 2];
        const int n = lg_group_dim(G), e = lg_group_element_size(G);
        lg_rng rng = suite_rng(98000 + (uint64_t)k);
        course c, moved;
        double a[SUITE_ELEMENT], g[2][SUITE_ELEMENT], xi[2][SUITE_DIM], off[SUITE_DIM], w[SUITE_DIM];
        draw(&c, G, &rng);
        moved = c;
        suite_ok("random", lg_group_random(G, a, &rng));
        for (int i = 0; i < COUNT; i++) suite_ok("compose", lg_group_compose(G, moved.g + i * e, a, c.g + i * e));
        lg_spline *s = make(&c, k % 2), *m = make(&moved, k % 2);
        suite_case("%s moved", G->name);
        suite_ok("evaluate", lg_spline_evaluate(s, g[0], xi[0], NULL, 0.3));
        suite_ok("evaluate", lg_spline_evaluate(m, g[1], xi[1], NULL, 0.3));
        suite_ok("compose", lg_group_compose(G, g[0], a, g[0]));
        suite_ok("minus", lg_group_right_minus(G, off, g[0], g[1]));
        suite_below("moved", mat_norm(off, n), 4e-14);
        suite_near("velocity", xi[0], xi[1], n, 4e-14, 1);
        lg_spline_destroy(s);
        lg_spline_destroy(m);
        for (int i = 0; i < n; i++) w[i] = 0.2 * lg_rng_normal(&rng);
        for (int j = 0; j < COUNT; j++) {
            for (int i = 0; i < n; i++) off[i] = j * w[i];
            suite_ok("exp", lg_group_exp(G, c.g + j * e, off));
        }
        s = make(&c, 0);
        suite_ok("evaluate", lg_spline_evaluate(s, g[0], xi[0], xi[1], -1 + 0.7 * 1.25));
        suite_ok("log", lg_group_log(G, off, g[0]));
        for (int i = 0; i < n; i++) {
            suite_near1("steady position", off[i], 2.25 * w[i], 2e-14, 1);
            suite_near1("steady velocity", xi[0][i], w[i] / 0.7, 2e-14, 1);
            suite_near1("no acceleration", xi[1][i], 0, 4e-14, 1);
        }
        lg_spline_destroy(s);
    }
}

static void test_refused(void **state)
{
    double q[16] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, xi[12] = {0}, t[4] = {0, 1, 1, 2}, g[4];
    lg_spline *s = NULL;
    lg_error e;
    lg_group bare = *lg_so3();
    (void)state;
    suite_case("refused");
    bare.kind = LG_KIND_USER;
    bare.exp = NULL;
    suite_status("3", lg_spline_create_bspline(&s, lg_so3(), q, 3, 0, 1, &e), LG_ERROR_ARGUMENT);
    suite_contains("3", e.message, "3 control elements; a cubic needs 4");
    suite_status("h", lg_spline_create_bspline(&s, lg_so3(), q, 4, 0, 0, &e), LG_ERROR_ARGUMENT);
    suite_status("h", lg_spline_create_bspline(&s, lg_so3(), q, 4, 0, NAN, &e), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_spline_create_bspline(&s, lg_so3(), NULL, 4, 0, 1, &e), LG_ERROR_ARGUMENT);
    suite_status("no exp", lg_spline_create_bspline(&s, &bare, q, 4, 0, 1, &e), LG_ERROR_UNSUPPORTED);
    suite_status("times", lg_spline_create_hermite(&s, lg_so3(), t, q, xi, 4, &e), LG_ERROR_ARGUMENT);
    suite_contains("times", e.message, "times[2] = 1 after 1");
    t[2] = 1.5;
    xi[4] = INFINITY;
    suite_status("xi", lg_spline_create_hermite(&s, lg_so3(), t, q, xi, 4, &e), LG_ERROR_NOT_FINITE);
    suite_contains("xi", e.message, "velocity 1");
    q[5] = NAN;
    suite_status("q", lg_spline_create_bspline(&s, lg_so3(), q, 4, 0, 1, &e), LG_ERROR_NOT_FINITE);
    suite_contains("q", e.message, "element 1");
    q[5] = q[7] = 0;
    suite_status("zero", lg_spline_create_bspline(&s, lg_so3(), q, 4, 0, 1, &e), LG_ERROR_DOMAIN);
    suite_contains("zero", e.message, "control elements 0 and 1");
    assert_null(s);
    q[7] = 1;
    suite_ok("good", lg_spline_create_bspline(&s, lg_so3(), q, 4, 0, 1, &e));
    suite_status("before", lg_spline_evaluate(s, g, NULL, NULL, -1e-9), LG_ERROR_DOMAIN);
    suite_status("after", lg_spline_evaluate(s, g, NULL, NULL, 1.001), LG_ERROR_DOMAIN);
    suite_status("NaN", lg_spline_evaluate(s, g, NULL, NULL, NAN), LG_ERROR_DOMAIN);
    suite_status("NULL", lg_spline_evaluate(NULL, g, NULL, NULL, 0), LG_ERROR_ARGUMENT);
    suite_ok("end", lg_spline_evaluate(s, g, NULL, NULL, lg_spline_end(s)));
    lg_spline_destroy(s);
    lg_spline_destroy(NULL);
}

int main(void)
{
    suite_begin("spline");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_seams),   cmocka_unit_test(test_textbook),
        cmocka_unit_test(test_invariance),  cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("spline", tests, NULL, NULL);
}
