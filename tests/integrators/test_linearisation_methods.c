/* SPDX-License-Identifier: BSD-3-Clause */
/* Tangents of implicit variational steps (gni, dla, rattle, variational), of baselines and of `gauss` with callbacks of
 * users: that there are any; against differences of the step; by what these methods keep; against the tangents of the
 * same callbacks as kernels. */
#include <math.h>
#include <string.h>

#include <liegrp/catalog/catalog.h>
#include <liegrp/run/model.h>

#include "integrators/integrator.h"
#include "mechanics/field.h"
#include "support/runs.h"
#include "support/step_derivative.h"

enum { ROWS = STEP_DERIVATIVE_ROWS, COLUMNS = STEP_DERIVATIVE_COLUMNS };

static const char *const retractions[] = {"exp", "cayley"};

/* A tolerance; of builds without tangents, which difference the residual, another one. */
static double within(double tolerance)
{
#ifdef LG_TANGENTS
    return tolerance;
#else
    return fmax(tolerance, 1e-8);
#endif
}

/* A system of the catalog with its own step; `user`: its callbacks are not known as kernels. */
static lg_model *open_model(test_system *t, const char *name, int user)
{
    lg_model *M = NULL;
    const lg_system *S = NULL;
    suite_ok("model", lg_catalog_create(&M, name));
    suite_ok("system", lg_model_system(M, &S));
    memset(t, 0, sizeof *t);
    t->name = name, t->S = *S, t->h = lg_model_default_step(M);
    if (user) t->S.callbacks.lanes &= ~LG_LANES_TANGENTS;
    suite_ok("initial", lg_model_initial(M, t->g0, t->xi0, NULL));
    return M;
}

/* After three steps; NULL: refused. */
static lg_integrator *begin(const test_system *t, const char *method, const char *retraction)
{
    lg_integrator *it = NULL;
    suite_case("%s, %s, %s", t->name, method, retraction);
    if (lg_integrator_create(&it, &t->S, method, retraction, t->h) != LG_OK) {
        lg_integrator_destroy(it);
        return NULL;
    }
    suite_ok("start", lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_REACTION, 0));
    run_steps(it, 3);
    return it;
}

static lg_linearisation *make(const lg_integrator *it)
{
    lg_linearisation *lin = NULL;
    suite_ok("create", lg_linearisation_create(&lin, it));
#ifdef LG_TANGENTS
    assert_int_equal(lg_linearisation_kind(lin), LG_DERIVATIVES_TANGENTS);
#endif
    return lin;
}

/* ---- against differences of the step ---- */

static void check_steps(const char *const *names, const char *const *methods, int user, double tolerance)
{
    test_system t;
    for (const char *const *name = names; *name; name++) {
        lg_model *M = open_model(&t, *name, user);
        for (const char *const *method = methods; *method; method++)
            for (int r = 0; r < 2; r++) {
                lg_integrator *it = begin(&t, *method, retractions[r]);
                if (!it) continue;
                lg_linearisation_destroy(make(it));
                step_derivative_check_to(it, 0, within(tolerance));
                lg_integrator_destroy(it);
            }
        lg_model_destroy(M);
    }
}

static void test_steps(void **state)
{
    (void)state;
    static const char *const names[] = {"heavy-top", "snakeboard", "two-wheeled-robot", "rolling-ball", NULL};
    static const char *const methods[] = {"gni:midpoint",    "gni:alpha=0.3",        "dla",   "dla:trapezoidal",
                                          "rattle:midpoint", "variational:midpoint", "rkmk4", NULL};
    check_steps(names, methods, 0, 1e-12);
}

/* With forces, J(g), positions. */
static void test_implicit(void **state)
{
    (void)state;
    static const char *const names[] = {"chaplygin-top", "double-spherical-pendulum", NULL};
    static const char *const methods[] = {"gni", "dla", "rattle", NULL};
    check_steps(names, methods, 0, 1e-11);
}

static void test_callbacks(void **state)
{
    (void)state;
    static const char *const names[] = {"heavy-top", "snakeboard", "two-wheeled-robot", NULL};
    static const char *const methods[] = {"gauss", "gauss:stages=3", "rkmk4", NULL};
    check_steps(names, methods, 1, 1e-11);
}

/* Kernels and the same callbacks differenced, without the columns of parameters. */
static void test_kernels(void **state)
{
    (void)state;
    static const char *const names[] = {"heavy-top", "snakeboard", "two-wheeled-robot", "rattleback", NULL};
    static const char *const methods[] = {"gauss", "rk4", "gni:midpoint", "dla", "sem", NULL};
    static double J[2][ROWS * COLUMNS];
    for (const char *const *name = names; *name; name++)
        for (const char *const *method = methods; *method; method++) {
            int rows = 0, columns = 0;
            double error = 0, size = 1;
            for (int user = 0; user < 2; user++) {
                test_system t;
                lg_model *M = open_model(&t, *name, user);
                lg_integrator *it = begin(&t, *method, "exp");
                assert_non_null(it);
                lg_linearisation *lin = make(it);
                suite_ok("compute", lg_linearisation_compute(lin, it));
                suite_ok("jacobian", lg_linearisation_jacobian(lin, J[user]));
                rows = lg_linearisation_rows(lin), columns = 2 * it->plan.n + 1;
                if (user) error = lg_linearisation_error(lin);
                for (int i = 0; i < rows; i++)
                    for (int j = 0; j < columns; j++)
                        J[user][i * columns + j] = J[user][i * lg_linearisation_columns(lin) + j];
                lg_linearisation_destroy(lin), lg_integrator_destroy(it);
                lg_model_destroy(M);
            }
            for (int i = 0; i < rows * columns; i++) size = fmax(size, fabs(J[0][i]));
            suite_below("error", error, within(1e-11));
            suite_near("J", J[1], J[0], rows * columns, within(1e-10), size);
        }
}

/* ---- identities ---- */

/* Omega((eta, mu), (zeta, nu)) = <mu, zeta> - <nu, eta> - <p, [eta, zeta]>, as in test_linearisation.c. */
static double form(const lg_group *G, const double *p, const double *a, const double *b)
{
    const int n = lg_group_dim(G);
    double bracket[SUITE_DIM], s = 0;
    suite_ok("ad", lg_group_ad_apply(G, bracket, a, b));
    for (int i = 0; i < n; i++) s += a[n + i] * b[i] - b[n + i] * a[i] - p[i] * bracket[i];
    return s;
}

/* Two variations that a step leaves, (eta, p) each: of states on the constraints. */
static void step_with(lg_linearisation *lin, lg_integrator *it, double (*v)[COLUMNS])
{
    double out[ROWS];
    suite_ok("step", lg_linearisation_step(lin, it));
    for (int k = 0; k < 2; k++) {
        suite_ok("apply", lg_linearisation_apply(lin, out, v[k]));
        memset(v[k], 0, sizeof v[k]);
        memcpy(v[k], out, 2 * (size_t)it->plan.n * sizeof out[0]);
    }
}

/* Variational steps keep the form, with positions among variations that keep to them. */
static void check_form(const test_system *t, const char *method, double tolerance)
{
    lg_integrator *it = begin(t, method, "exp");
    double v[2][COLUMNS] = {{0}};
    lg_rng rng = suite_rng(5);
    assert_non_null(it);
    lg_linearisation *lin = make(it);
    const lg_group *G = lg_integrator_group(it);
    for (int k = 0; k < 2; k++) suite_normal(v[k], 2 * it->plan.n, &rng);
    step_with(lin, it, v);
    const double before = form(G, lg_integrator_momentum_minus(it), v[0], v[1]);
    double size = fmax(1, fabs(before));
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2 * it->plan.n; i++) size = fmax(size, fabs(v[k][i]));
    step_with(lin, it, v);
    suite_near1("Omega", form(G, lg_integrator_momentum_minus(it), v[0], v[1]), before, within(tolerance), size * size);
    lg_linearisation_destroy(lin);
    run_end(&it);
}

static void test_form(void **state)
{
    (void)state;
    static const char *const methods[] = {"variational:midpoint", "variational:alpha=0.3",
                                          "variational:symmetric-alpha=0.25", "rattle:midpoint"};
    test_system t;
    lg_model *M = open_model(&t, "heavy-top", 0);
    for (int k = 0; k < 4; k++) check_form(&t, methods[k], 1e-13);
    lg_model_destroy(M);
    M = open_model(&t, "double-spherical-pendulum", 0);
    for (int k = 0; k < 2; k++) check_form(&t, k ? "rattle:midpoint" : "rattle", 1e-12);
    lg_model_destroy(M);
}

/* d of the heavy top's momentum about the vertical, R p . e_3, along (eta, p): R (p' + eta x p). */
static void vertical(const lg_integrator *it, double *d)
{
    double R[9], e[3];
    const double *p = lg_integrator_momentum(it);
    lg_so3_to_matrix(R, lg_integrator_configuration(it));
    for (int i = 0; i < 3; i++) d[3 + i] = e[i] = R[6 + i];
    for (int i = 0; i < 3; i++) { /* e . (eta x p) = eta . (p x e) */
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        d[i] = p[j] * e[k] - p[k] * e[j];
    }
}

/* It stays, and so does its derivative: d_1 J = d_0. */
static void test_momentum(void **state)
{
    (void)state;
    static const char *const methods[] = {"variational:midpoint", "dla", "gni:alpha=0.3", "rattle:midpoint"};
    test_system t;
    lg_model *M = open_model(&t, "heavy-top", 0);
    for (int k = 0; k < 4; k++) {
        double J[ROWS * COLUMNS], before[6], after[6];
        lg_integrator *it = begin(&t, methods[k], k & 1 ? "exp" : "cayley");
        assert_non_null(it);
        lg_linearisation *lin = make(it);
        vertical(it, before);
        suite_ok("step", lg_linearisation_step(lin, it));
        suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
        vertical(it, after);
        for (int c = 0; c < 6; c++) {
            double sum = 0;
            for (int r = 0; r < 6; r++) sum += after[r] * J[r * lg_linearisation_columns(lin) + c];
            suite_near1("momentum", sum, before[c], within(1e-13), 1);
        }
        lg_linearisation_destroy(lin);
        run_end(&it);
    }
    lg_model_destroy(M);
}

/* gauss keeps H, with differenced callbacks too: dH_1 J = dH_0. */
static void test_energy(void **state)
{
    (void)state;
    test_system t;
    lg_model *M = open_model(&t, "heavy-top", 1);
    double J[ROWS * COLUMNS], dH[2][6];
    lg_integrator *it = begin(&t, "gauss", "exp");
    assert_non_null(it);
    lg_linearisation *lin = make(it);
    for (int k = 0; k < 2; k++) {
        const lg_node *b = it->workspace->now;
        suite_ok("dV", (lg_status)lg_field_gradient(&it->field, b->t, b->g, dH[k]));
        lg_raise(&it->plan, dH[k] + 3, b, b->p_tilde);
        if (!k) suite_ok("step", lg_linearisation_step(lin, it));
    }
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    for (int c = 0; c < 6; c++) {
        double sum = 0;
        for (int r = 0; r < 6; r++) sum += dH[1][r] * J[r * lg_linearisation_columns(lin) + c];
        suite_near1("dH J", sum, dH[0][c], within(1e-11), 1);
    }
    lg_linearisation_destroy(lin);
    run_end(&it);
    lg_model_destroy(M);
}

/* x'' = -k x - c x': a step of order four is the polynomial of degree four of h A. */
static int spring(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = 1.25 * g[0] * g[0];
    return 0;
}

static int spring_slope(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[0] = 2.5 * g[0];
    return 0;
}

static int friction(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)c, (void)g;
    f[0] = -0.3 * xi[0];
    return 0;
}

static void test_polynomial(void **state)
{
    (void)state;
    static const char *const methods[] = {"rk4", "rkmk4"};
    const double one[1] = {1}, x[2] = {0.7, -0.2}, h = 0.3, A[4] = {0, 1, -2.5, -0.3};
    double want[4] = {1, 0, 0, 1}, rate[4] = {0}, power[4] = {1, 0, 0, 1}; /* of h: A (1 + h A + ... + (h A)^3/6) */
    lg_system S = lg_system_default(lg_rn(1));
    S.inertia_diagonal = one, S.callbacks.potential = spring, S.callbacks.potential_gradient = spring_slope;
    S.callbacks.force = friction;
    for (int k = 1; k <= 4; k++) {
        const double a = power[0], b = power[1], c = power[2], d = power[3];
        const double next[4] = {a * A[0] + b * A[2], a * A[1] + b * A[3], c * A[0] + d * A[2], c * A[1] + d * A[3]};
        for (int i = 0; i < 4; i++) rate[i] += next[i], power[i] = next[i] * h / k, want[i] += power[i];
    }
    for (int k = 0; k < 2; k++) {
        double J[6];
        suite_case("%s", methods[k]);
        lg_integrator *it = run_start_at(&S, methods[k], "exp", h, 0, x, x + 1);
        lg_linearisation *lin = make(it);
        suite_ok("compute", lg_linearisation_compute(lin, it));
        suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
        const double got[4] = {J[0], J[1], J[3], J[4]};
        suite_near("state", got, want, 4, within(1e-14), 1);
        for (int i = 0; i < 2; i++)
            suite_near1("h", J[3 * i + 2], rate[2 * i] * x[0] + rate[2 * i + 1] * x[1], within(1e-14), 1);
        lg_linearisation_destroy(lin);
        run_end(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps),     cmocka_unit_test(test_implicit),
                                       cmocka_unit_test(test_callbacks), cmocka_unit_test(test_kernels),
                                       cmocka_unit_test(test_form),      cmocka_unit_test(test_momentum),
                                       cmocka_unit_test(test_energy),    cmocka_unit_test(test_polynomial)};
    suite_begin("linearisation_methods");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
