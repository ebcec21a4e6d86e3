/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of steps of Gauss collocation: against differences of the step for every number of stages, form and
 * group; against closed forms of linear systems; that the flow carries its own velocity and keeps the symplectic form,
 * to round-off; the user's second derivatives; rows of found steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/integrator.h"
#include "support/bench.h"
#include "support/roster.h"
#include "support/runs.h"
#include "support/steered.h"
#include "support/step_derivative.h"

enum { ROWS = STEP_DERIVATIVE_ROWS, COLUMNS = STEP_DERIVATIVE_COLUMNS };

static const int all_stages[] = {1, 2, 3, 4, 5, 6, 7, 8, 16};
enum { COUNTS = sizeof all_stages / sizeof all_stages[0] };

static void linearise(lg_linearisation *lin, const lg_integrator *it, double *J)
{
    if (lg_linearisation_compute(lin, it) != LG_OK) suite_fail("%s", lg_linearisation_message(lin));
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
}

/* ---- against differences ---- */

static void check(const lg_system *S, const double *g, const double *xi, const char *method, const char *retraction,
                  double h, int sharp)
{
    lg_integrator *it = NULL;
    if (lg_integrator_create(&it, S, method, retraction, h) == LG_OK) {
        if (lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 1) != LG_OK)
            suite_fail("%s", lg_integrator_message(it));
        run_steps(it, 2);
        step_derivative_check(it, sharp);
    }
    lg_integrator_destroy(it);
}

/* All numbers of stages, one after another over the systems, in both forms. */
static void test_stages(void **state)
{
    (void)state;
    static const char *const forms[] = {"stage", "rate"};
    test_system t;
    for (int i = 0; bench_system(&t, i); i += suite_reduced() ? 4 : 1)
        for (int k = 0; k < 3; k++) {
            char method[48];
            const int s = all_stages[(i + 4 * k) % COUNTS];
            for (int form = 0; form < 2; form++) {
                snprintf(method, sizeof method, "gauss:stages=%d,%s", s, forms[form]);
                suite_case("%s, %s", t.name, method);
                check(&t.S, t.g0, t.xi0, method, k & 1 ? "cayley" : "exp", t.h, bench_sharp(&t));
            }
        }
}

static int bowl(const lg_call *c, const double *g, double *V)
{
    const lg_group *G = c->context;
    *V = 0;
    for (int i = 0; i < G->element_size; i++) *V += 0.3 * cos(g[i] + i); /* of period 2 pi in angles */
    return 0;
}

static int drag(const lg_call *c, const double *g, const double *xi, double *f)
{
    const lg_group *G = c->context;
    (void)g;
    for (int i = 0; i < G->dim; i++) f[i] = 0.2 * cos(c->t) - 0.1 * xi[i] * (1 + xi[i] * xi[i]);
    return 0;
}

/* All groups, user-supplied ones among them, with a potential, a row where there is room for one, and every other one
 * with a force. The potential is a function of all numbers of an element: it is curved off the group, too. Large groups
 * have few stages: their differences take long. */
static void test_groups(void **state)
{
    (void)state;
    for (int which = 0; which < ROSTER_GROUPS; which += suite_reduced() ? 3 : 1) {
        const roster_group *r = &roster_groups()[which];
        const int n = r->G->dim, s = all_stages[which % (n < 9 ? COUNTS : 3)];
        double J[SUITE_DIM], row[SUITE_DIM], g[SUITE_ELEMENT], xi[SUITE_DIM];
        lg_rng rng = suite_rng((uint64_t)which);
        lg_system S = lg_system_default(r->G);
        char method[32];
        for (int i = 0; i < n; i++) J[i] = 1 + 0.3 * i, row[i] = cos(i + 1);
        suite_ok("element", lg_group_random(r->like, g, &rng));
        suite_normal(xi, n, &rng);
        for (int i = 0; i < n; i++) xi[i] *= 0.4;
        S.inertia_diagonal = J, S.constraint_count = n > 1, S.covector_matrix = n > 1 ? row : NULL;
        S.context = (void *)(uintptr_t)r->G, S.callbacks.potential = bowl;
        if (which & 1) S.callbacks.force = drag, S.callbacks.time_dependent = 1;
        snprintf(method, sizeof method, "gauss:stages=%d", s);
        suite_case("%s, %s, driven %d", r->label, method, which & 1);
        check(&S, g, xi, method, "exp", 0.05, 0);
    }
}

/* ---- closed forms ---- */

/* x'' = u - k x - c x' with the control u and the parameter k; the force stands for c, and the energy is not kept. */
static const double friction = 0.3;

static int spring(const lg_call *c, const double *g, double *V)
{
    *V = 0.5 * c->param[0] * g[0] * g[0];
    return 0;
}

static int spring_force(const lg_call *c, const double *g, double *dV)
{
    dV[0] = c->param[0] * g[0];
    return 0;
}

static int motor(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g;
    f[0] = c->control[0] - friction * xi[0];
    return 0;
}

static void times(double *C, const double *A, const double *B)
{
    for (int i = 0; i < 4; i++) C[i] = A[i & 2] * B[i & 1] + A[(i & 2) + 1] * B[2 + (i & 1)];
}

static void inverse_times(double *X, const double *D, const double *N)
{
    const double det = D[0] * D[3] - D[1] * D[2], inverse[4] = {D[3] / det, -D[1] / det, -D[2] / det, D[0] / det};
    times(X, inverse, N);
}

/* A mass of 1, whatever the parameter. */
static int unit_mass(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = 1;
    return 0;
}

/* The step of s stages is x_1 = D^-1 N x_0, Pade's quotient for exp(h A); of one stage also
 * D dx_1 = dh A x_m + h dA x_m + h du, x_m = (x_0 + x_1)/2, D = 1 - h A/2. */
static void test_closed_forms(void **state)
{
    (void)state;
    static const double pade[4][4] = {{0}, {1, 0.5}, {1, 0.5, 1.0 / 12}, {1, 0.5, 0.1, 1.0 / 120}};
    const double one[1] = {1}, u[1] = {0.4}, k[1] = {2.5}, h = 0.3, x[2] = {0.7, -0.2};
    const double A[4] = {0, 1, -k[0], -friction};
    lg_system S = lg_system_default(lg_rn(1));
    S.inertia_diagonal = one, S.parameter_count = 1, S.parameter_values = k;
    S.callbacks.potential = spring, S.callbacks.potential_gradient = spring_force, S.callbacks.force = motor;
    S.callbacks.control_count = 1, S.callbacks.arrays = unit_mass;
    for (int s = 1; s <= 3; s++) {
        double J[10], N[4] = {0}, D[4] = {0}, power[4] = {1, 0, 0, 1}, want[4], next[4];
        char method[32];
        lg_linearisation *lin = NULL;
        snprintf(method, sizeof method, "gauss:stages=%d", s);
        suite_case("%s", method);
        lg_integrator *it = run_start_at(&S, method, "exp", h, 0, x, x + 1);
        suite_ok("control", lg_integrator_set_control(it, u));
        suite_ok("create", lg_linearisation_create(&lin, it));
        linearise(lin, it, J);
        for (int j = 0; j <= s; j++) {
            for (int i = 0; i < 4; i++) N[i] += pade[s][j] * power[i], D[i] += (j & 1 ? -1 : 1) * pade[s][j] * power[i];
            times(next, power, A);
            for (int i = 0; i < 4; i++) power[i] = h * next[i];
        }
        inverse_times(want, D, N);
        const double got[4] = {J[0], J[1], J[5], J[6]};
        suite_near("state", got, want, 4, 1e-14, 1);
        suite_ok("step", lg_integrator_step(it));
        const double xm = 0.5 * (x[0] + lg_integrator_configuration(it)[0]);
        const double pm = 0.5 * (x[1] + lg_integrator_momentum(it)[0]);
        const double right[4] = {0, pm, h, u[0] - k[0] * xm - friction * pm}, of_k[4] = {0, 0, -h * xm, 0};
        for (int column = 2; s == 1 && column < 5; column++) { /* u, h, k */
            const double side[4] = {column == 3 ? right[1] : 0, 0,
                                    column == 2   ? right[2]
                                    : column == 3 ? right[3]
                                                  : of_k[2],
                                    0};
            inverse_times(next, D, side);
            suite_near1("x", J[column], next[0], 1e-14, 1), suite_near1("p", J[5 + column], next[2], 1e-14, 1);
        }
        lg_linearisation_destroy(lin);
        run_end(&it);
    }
}

/* ---- to round-off ---- */

static double largest(const double *x, int count)
{
    double most = 1;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* J_h, the derivative of the state with respect to h at the end of a step, is J times that at its beginning: on the
 * constraints, for every system that is autonomous. Multipliers that are inexact because a callback has no derivative
 * are skipped. */
static void test_flow(void **state)
{
    (void)state;
    test_system t;
    int count = 0;
    for (int i = 0; bench_system(&t, i); i += suite_reduced() ? 4 : 1) {
        static double J[ROWS * COLUMNS];
        lg_integrator *it = NULL;
        lg_linearisation *lin = NULL;
        suite_case("%s", t.name);
        if (t.S.callbacks.time_dependent || lg_integrator_create(&it, &t.S, "gauss:stages=16", "exp", t.h) != LG_OK) {
            lg_integrator_destroy(it);
            continue;
        }
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 1));
        suite_ok("create", lg_linearisation_create(&lin, it));
        const int n = it->plan.n, width = lg_linearisation_columns(lin), h = 2 * n + t.S.callbacks.control_count;
        double v[COLUMNS] = {0}, y[ROWS], want[2 * SUITE_DIM];
        for (int k = 0; k < 4; k++) {
            suite_ok("linearised step", lg_linearisation_step(lin, it));
            suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
            for (int r = 0; r < 2 * n; r++) want[r] = J[r * width + h];
            if (k > 0) {
                suite_ok("apply", lg_linearisation_apply(lin, y, v));
                const double size = largest(v, 2 * n);
                suite_near("velocity", y, want, n, bench_sharp(&t) ? 1e-9 : 1e-12, size);
                suite_near("force", y + n, want + n, n, bench_sharp(&t) ? 1e-9 : 1e-11, size);
            }
            memcpy(v, want, sizeof(double) * (size_t)(2 * n));
        }
        lg_linearisation_destroy(lin);
        run_end(&it);
        count++;
    }
    if (!suite_reduced()) suite_above("systems", count, 45);
}

/* Omega((eta, mu), (zeta, nu)) = <mu, zeta> - <nu, eta> - <p, [eta, zeta]>, as in test_linearisation.c. */
static double form(const lg_group *G, const double *p, const double *a, const double *b)
{
    const int n = lg_group_dim(G);
    double bracket[SUITE_DIM], s = 0;
    suite_ok("ad", lg_group_ad_apply(G, bracket, a, b));
    for (int i = 0; i < n; i++) s += a[n + i] * b[i] - b[n + i] * a[i] - p[i] * bracket[i];
    return s;
}

static void test_symplectic(void **state)
{
    (void)state;
    static const char *const systems[] = {"top", "twolink", "arm_free", "se3_free"};
    for (int s = 0; s < 4; s++) {
        test_system t;
        double J[ROWS * COLUMNS], a[2 * SUITE_DIM], b[2 * SUITE_DIM], Ja[ROWS], Jb[ROWS], in[COLUMNS] = {0};
        double p[SUITE_DIM];
        lg_linearisation *lin = NULL;
        lg_rng rng = suite_rng(3);
        if (s < 3)
            energy_system_make(&t, systems[s]);
        else
            steered_make(&t, STEERED_FREE);
        suite_case("%s", systems[s]);
        lg_integrator *it = run_start(&t, "gauss:stages=16", "exp", t.h);
        const size_t bytes = sizeof(double) * (size_t)(2 * it->plan.n);
        memcpy(p, lg_integrator_momentum(it), bytes / 2);
        suite_ok("create", lg_linearisation_create(&lin, it));
        suite_ok("linearised step", lg_linearisation_step(lin, it));
        suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
        suite_normal(a, 2 * it->plan.n, &rng), suite_normal(b, 2 * it->plan.n, &rng);
        memcpy(in, a, bytes);
        suite_ok("apply", lg_linearisation_apply(lin, Ja, in));
        memcpy(in, b, bytes);
        suite_ok("apply", lg_linearisation_apply(lin, Jb, in));
        const double before = form(t.S.group, p, a, b), after = form(t.S.group, lg_integrator_momentum(it), Ja, Jb);
        suite_near1("Omega", after, before, 2e-12, fmax(1, fabs(before)));
        lg_linearisation_destroy(lin);
        run_end(&it);
    }
}

/* Bits are equal at every width that the machine has, with callbacks in lanes and one by one. */
static void test_widths(void **state)
{
    (void)state;
    static const char *const systems[] = {"disk", "diskB", "arm", "top", "se3_pot"};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < COUNTS; k += 3) {
            static double J[4][ROWS * COLUMNS];
            test_system t;
            char method[32];
            int numbers = 0;
            energy_system_make(&t, systems[i]);
            snprintf(method, sizeof method, "gauss:stages=%d", all_stages[COUNTS - 1 - k]);
            suite_case("%s, %s", systems[i], method);
            for (int width = 0; width < 4; width++) {
                static const char *const widths[] = {"1", "2", "4", "8"};
                lg_linearisation *lin = NULL;
                setenv("LIEGRP_WIDTH", widths[width], 1);
                lg_integrator *it = run_start(&t, method, "exp", t.h);
                suite_ok("create", lg_linearisation_create(&lin, it));
                linearise(lin, it, J[width]);
                numbers = lg_linearisation_rows(lin) * lg_linearisation_columns(lin);
                lg_linearisation_destroy(lin);
                run_end(&it);
            }
            unsetenv("LIEGRP_WIDTH");
            for (int width = 1; width < 4; width++) suite_same_bits("J", J[width], J[0], numbers);
        }
}

/* ---- second derivatives ---- */

/* V = (1 - cos(x/a)) a^2, far below what differences of the configuration resolve; of one stage at x_m
 * (1, -h/2; h V''/2, 1) dx_1 = (1, h/2; -h V''/2, 1) dx_0. A force of 0 leaves the energy alone. */
static const double ripple = 1e-5;

static int ripple_potential(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = ripple * ripple * (1 - cos(g[0] / ripple));
    return 0;
}

static int ripple_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[0] = ripple * sin(g[0] / ripple);
    return 0;
}

static int ripple_hessian(const lg_call *c, const double *g, const double *eta, double *out)
{
    (void)c;
    out[0] = cos(g[0] / ripple) * eta[0];
    return 0;
}

static int no_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)c, (void)g, (void)xi;
    f[0] = 0;
    return 0;
}

static void test_second_derivatives(void **state)
{
    (void)state;
    const double one[1] = {1}, h = 0.5, x = 0.3, p = 0.7;
    lg_system S = lg_system_default(lg_rn(1));
    S.inertia_diagonal = one, S.callbacks.potential = ripple_potential;
    S.callbacks.potential_gradient = ripple_gradient, S.callbacks.force = no_force;
    for (int given = 1; given >= 0; given--) {
        double J[6], want[4];
        lg_linearisation *lin = NULL;
        suite_case("ripple %s second derivative", given ? "with" : "without");
        S.callbacks.potential_hessian = given ? ripple_hessian : NULL;
        lg_integrator *it = run_start_at(&S, "gauss:stages=1", "exp", h, 0, &x, &p);
        suite_ok("create", lg_linearisation_create(&lin, it));
        suite_ok("linearised step", lg_linearisation_step(lin, it));
        suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
        const double bend = 0.5 * h * cos(0.5 * (x + lg_integrator_configuration(it)[0]) / ripple);
        const double D[4] = {1, -0.5 * h, bend, 1}, N[4] = {1, 0.5 * h, -bend, 1}, got[4] = {J[0], J[1], J[3], J[4]};
        inverse_times(want, D, N);
        if (given)
            suite_near("J", got, want, 4, 1e-10, 1); /* x/a is rounded: eps 3e4, and what the sweeps left over a */
        else
            suite_above("distance", suite_distance(got, want, 4), 1e-6);
        lg_linearisation_destroy(lin);
        run_end(&it);
    }
}

/* ---- rows of found steps ---- */

/* J of a row, against the product of shorter steps of 32nd order. */
static void test_tolerance(void **state)
{
    (void)state;
    enum { SHORT = 10 };
    test_system t;
    for (int i = 0; i < 6; i++) {
        static const char *const names[] = {"top", "particle_quad", "disk", "arm_free"};
        static double J[ROWS * COLUMNS], K[ROWS * COLUMNS], P[ROWS * COLUMNS], Q[ROWS * COLUMNS];
        lg_linearisation *lin = NULL, *fine = NULL;
        if (i < 4)
            energy_system_make(&t, names[i]);
        else
            steered_make(&t, i == 4 ? STEERED_CAR : STEERED_FREE);
        suite_case("%s", i < 4 ? names[i] : i == 4 ? "car" : "free");
        const double h = SHORT * t.h;
        lg_integrator *it = run_start(&t, "gauss", "exp", h),
                      *other = run_start(&t, "gauss:stages=16", "exp", h / SHORT);
        suite_ok("tolerance", lg_integrator_set_tolerance(it, 1e-10));
        suite_ok("create", lg_linearisation_create(&lin, it)),
            suite_ok("create", lg_linearisation_create(&fine, other));
        const int n = it->plan.n, width = lg_linearisation_columns(lin), of_h = 2 * n + t.S.callbacks.control_count;
        for (int row = 0; row < 2; row++) { /* the first one finds the step */
            linearise(lin, it, J);
            memset(P, 0, sizeof P);
            for (int r = 0; r < 2 * n; r++) P[r * width + r] = 1;
            for (int k = 0; k < SHORT; k++) {
                suite_ok("linearised step", lg_linearisation_step(fine, other));
                suite_ok("jacobian", lg_linearisation_jacobian(fine, K));
                for (int r = 0; r < 2 * n; r++)
                    for (int c = 0; c < width; c++) {
                        Q[r * width + c] = c < 2 * n || c == of_h ? 0 : K[r * width + c];
                        for (int j = 0; j < 2 * n && c != of_h; j++)
                            Q[r * width + c] += K[r * width + j] * P[j * width + c];
                        if (c == of_h)
                            Q[r * width + c] = K[r * width + c]; /* the end moves with h, independently of the state */
                    }
                memcpy(P, Q, sizeof P);
            }
            for (int c = 0; c < width; c++)
                for (int r = 0; r < 2 * n; r++) {
                    double size = 1;
                    for (int j = 0; j < 2 * n; j++) size = fmax(size, fabs(P[j * width + c]));
                    if (it->plan.m && c < 2 * n) continue; /* off the constraints steps are no flow */
                    if (isnan(J[r * width + c]) && isnan(P[r * width + c])) continue; /* a parameter of the inertia */
                    suite_near1("entry", J[r * width + c], P[r * width + c], 1e-8, size);
                }
            suite_ok("step", lg_integrator_step(it));
        }
        lg_linearisation_destroy(lin), lg_linearisation_destroy(fine);
        run_end(&it), run_end(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stages),
                                       cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_closed_forms),
                                       cmocka_unit_test(test_flow),
                                       cmocka_unit_test(test_symplectic),
                                       cmocka_unit_test(test_widths),
                                       cmocka_unit_test(test_second_derivatives),
                                       cmocka_unit_test(test_tolerance)};
    suite_begin("linearisation of gauss");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
