/* SPDX-License-Identifier: BSD-3-Clause */
/* The discrete Lagrange-d'Alembert equations (docs/theory.md sections 3 and 7),
 *   p^-_k = -D_1 L_d - f^-,   p^+_{k+1} = D_2 L_d + f^+,   L_d = h sum_i w_i L(g_i, xi),   g_i = g_0 exp(s_i log W),
 * f^-, f^+ the virtual work h sum_i w_i <f_i, dg_i> of variations of g_0 and g_1: by hand on R^n, and by differences of
 * L_d and of the points g_i on groups, with every rule, metrics J(g) and potentials. Then what fails. */
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/runs.h"

static const char *const retractions[] = {"exp", "cayley"};

static int load(const lg_call *c, const double *g, const double *xi, double *out)
{
    const double *u = c->control;
    out[0] = 0.3 * cos(2 * c->t) - 0.2 * xi[0] + 0.3 * xi[1] + u[0];
    out[1] = -0.1 * xi[1] - 0.3 * xi[0] + 0.2 * sin(g[0]);
    out[2] = 0.4 - 0.2 * xi[2] * xi[2] + u[1];
    return 0;
}

static const double u0[2] = {0.5, -0.3};

/* The rules: points and weights. */
typedef struct rule {
    const char *name;
    double s[2], w[2];
} rule;

static const rule rules[] = {{"trapezoidal", {0, 1}, {0.5, 0.5}}, {"midpoint", {0.5, 0}, {1, 0}},
                             {"alpha=0.3", {0.3, 0}, {1, 0}},     {"symmetric-alpha=0.2", {0.2, 0.8}, {0.5, 0.5}},
                             {"alpha=0", {0, 0}, {1, 0}},         {"alpha=1", {1, 0}, {1, 0}}};
enum { RULES = sizeof rules / sizeof rules[0] };

/* One step between known momenta: p^- leaves g0, p^+ arrives at g1. */
typedef struct link {
    double t0, h, g0[SUITE_ELEMENT], g1[SUITE_ELEMENT], xi[SUITE_DIM], p_minus[SUITE_DIM], p_plus[SUITE_DIM];
} link;

/* The step after three others. DLA: p^- = p^+ + h A^T lambda, multipliers of the node that was left. */
static void take_step(link *k, const test_system *t, const char *method, const char *retraction, double h)
{
    const lg_group *G = t->S.group;
    const size_t n = (size_t)lg_group_dim(G), element_size = (size_t)lg_group_element_size(G);
    double A[6 * SUITE_DIM], b[6];
    lg_integrator *it = run_start(t, method, retraction, h);
    if (t->S.callbacks.control_count > 0) suite_ok("set_control", lg_integrator_set_control(it, u0));
    run_steps(it, 3);
    k->t0 = lg_integrator_time(it), k->h = h;
    memcpy(k->g0, lg_integrator_configuration(it), element_size * sizeof(double));
    const int dla = strncmp(method, "dla", 3) == 0;
    memcpy(k->p_minus, dla ? lg_integrator_momentum_plus(it) : lg_integrator_momentum_minus(it), n * sizeof(double));
    run_steps(it, 1);
    memcpy(k->g1, lg_integrator_configuration(it), element_size * sizeof(double));
    memcpy(k->p_plus, lg_integrator_momentum_plus(it), n * sizeof(double));
    memcpy(k->xi, lg_integrator_step_velocity(it), n * sizeof(double));
    const int m = system_rows(&t->S, k->t0, k->g0, A, b), holonomic = t->S.callbacks.holonomic_count;
    for (int a = 0; dla && a < m; a++) {
        const double l =
            a < holonomic ? lg_integrator_holonomic_multipliers(it)[a] : lg_integrator_multipliers(it)[a - holonomic];
        for (size_t i = 0; i < n; i++) k->p_minus[i] += h * l * A[(size_t)a * n + i];
    }
    run_end(&it);
}

static const char *method_of(const char *family, const rule *r, char *name)
{
    strcpy(name, family);
    return strcat(strcat(name, ":"), r->name);
}

/* ---- by hand ---- */

/* R^n, J constant: -D_1 L_d - f^- = J v + h sum w (1 - s)(dV - f), D_2 L_d + f^+ = J v - h sum w s (dV - f). */
static void by_hand(const test_system *t, const link *k, const rule *r)
{
    const int n = lg_group_dim(t->S.group);
    double v[SUITE_DIM], q[SUITE_DIM], minus[SUITE_DIM], plus[SUITE_DIM];
    lg_call c = system_call(&t->S, 0);
    c.control = u0;
    for (int i = 0; i < n; i++) v[i] = (k->g1[i] - k->g0[i]) / k->h;
    system_momentum(&t->S, 0, k->g0, v, minus);
    memcpy(plus, minus, sizeof plus);
    for (int j = 0; j < 2; j++) {
        double dV[SUITE_DIM] = {0}, f[SUITE_DIM] = {0};
        for (int i = 0; i < n; i++) q[i] = k->g0[i] + r->s[j] * (k->g1[i] - k->g0[i]);
        c.t = k->t0 + r->s[j] * k->h;
        if (t->S.callbacks.potential_gradient != NULL) t->S.callbacks.potential_gradient(&c, q, dV);
        load(&c, q, v, f);
        for (int i = 0; i < n; i++) {
            minus[i] += k->h * r->w[j] * (1 - r->s[j]) * (dV[i] - f[i]);
            plus[i] -= k->h * r->w[j] * r->s[j] * (dV[i] - f[i]);
        }
    }
    suite_near("-D_1 L_d - f^-", minus, k->p_minus, n, 1e-13, 2);
    suite_near("D_2 L_d + f^+", plus, k->p_plus, n, 1e-13, 2);
}

static void test_by_hand(void **state)
{
    (void)state;
    static const char *const names[] = {"particle", "particle_quad", "snakeboard", "robot"};
    static const char *const families[] = {"gni", "dla", "variational"};
    for (int i = 0; i < 4; i++)
        for (int f = 0; f < 3; f++)
            for (int j = 0; j < RULES; j++) {
                test_system t;
                char name[48];
                link k;
                energy_system_make(&t, names[i]);
                t.S.callbacks.force = load, t.S.callbacks.control_count = 2, t.S.callbacks.time_dependent = 1;
                if (f == 2)
                    t.S.constraint_count = 0, t.S.callbacks.covectors = NULL, t.S.callbacks.covectors_derivative = NULL;
                suite_case("%s, %s", t.name, method_of(families[f], &rules[j], name));
                take_step(&k, &t, name, "exp", 0.1);
                by_hand(&t, &k, &rules[j]);
            }
}

/* ---- by differences ---- */

/* The points of the pair (g0, g1), and L_d. */
static double action(const test_system *t, const link *k, const lg_retraction *R, const rule *r, const double *g0,
                     const double *g1, double points[2][SUITE_ELEMENT])
{
    const lg_group *G = t->S.group;
    const int n = lg_group_dim(G);
    double back[SUITE_ELEMENT], W[SUITE_ELEMENT], xi[SUITE_DIM], y[SUITE_DIM], p[SUITE_DIM], sum = 0;
    lg_call c = system_call(&t->S, 0);
    suite_ok("inverse", lg_group_inverse(G, back, g0));
    suite_ok("compose", lg_group_compose(G, W, back, g1));
    suite_ok("tau_inv", lg_retraction_tau_inv(R, G, xi, W));
    suite_ok("log", lg_group_log(G, y, W));
    for (int i = 0; i < n; i++) xi[i] /= k->h;
    for (int j = 0; j < 2; j++) {
        double sy[SUITE_DIM], U[SUITE_ELEMENT], V = 0;
        if (r->w[j] == 0) continue;
        for (int i = 0; i < n; i++) sy[i] = r->s[j] * y[i];
        suite_ok("exp", lg_group_exp(G, U, sy));
        suite_ok("compose", lg_group_compose(G, points[j], g0, U));
        c.t = k->t0 + r->s[j] * k->h;
        system_momentum(&t->S, c.t, points[j], xi, p);
        if (t->S.callbacks.potential != NULL) assert_int_equal(t->S.callbacks.potential(&c, points[j], &V), 0);
        sum += r->w[j] * (mat_dot(xi, p, n) / 2 - V);
    }
    return k->h * sum;
}

/* D L_d + virtual work along basis vector i of g0 (end 0) or g1 (end 1), by differences of order 6; f are the forces at
 * the points. */
static double variation(const test_system *t, const link *k, const lg_retraction *R, const rule *r, int end, int i,
                        double points[2][SUITE_ELEMENT], double f[2][SUITE_DIM])
{
    static const double weight[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60}, e = 2e-3;
    const lg_group *G = t->S.group;
    double total = 0;
    for (int m = -3; m <= 3; m++) {
        double eta[SUITE_DIM] = {0}, W[SUITE_ELEMENT], g[SUITE_ELEMENT], moved[2][SUITE_ELEMENT];
        if (m == 0) continue;
        eta[i] = m * e;
        suite_ok("exp", lg_group_exp(G, W, eta));
        suite_ok("compose", lg_group_compose(G, g, end ? k->g1 : k->g0, W));
        double L = action(t, k, R, r, end ? k->g0 : g, end ? g : k->g1, moved);
        for (int j = 0; j < 2; j++) {
            if (r->w[j] == 0) continue;
            suite_ok("inverse", lg_group_inverse(G, W, points[j]));
            suite_ok("compose", lg_group_compose(G, W, W, moved[j]));
            suite_ok("log", lg_group_log(G, eta, W));
            L += k->h * r->w[j] * mat_dot(f[j], eta, lg_group_dim(G));
        }
        total += weight[(m < 0 ? -m : m) - 1] / e * (m < 0 ? -L : L);
    }
    return total;
}

static void by_differences(const test_system *t, const link *k, const char *retraction, const rule *r)
{
    const lg_retraction *R = lg_retraction_named(retraction);
    const int n = lg_group_dim(t->S.group);
    double points[2][SUITE_ELEMENT], f[2][SUITE_DIM] = {{0}}, minus[SUITE_DIM], plus[SUITE_DIM];
    lg_call c = system_call(&t->S, 0);
    c.control = u0;
    action(t, k, R, r, k->g0, k->g1, points);
    for (int j = 0; j < 2; j++) {
        c.t = k->t0 + r->s[j] * k->h;
        if (t->S.callbacks.force != NULL && r->w[j] > 0)
            assert_int_equal(t->S.callbacks.force(&c, points[j], k->xi, f[j]), 0);
    }
    for (int i = 0; i < n; i++) {
        minus[i] = -variation(t, k, R, r, 0, i, points, f);
        plus[i] = variation(t, k, R, r, 1, i, points, f);
    }
    suite_near("-D_1 L_d - f^-", minus, k->p_minus, n, 2e-11, 1);
    suite_near("D_2 L_d + f^+", plus, k->p_plus, n, 2e-11, 1);
}

static void test_by_differences(void **state)
{
    (void)state;
    static const char *const names[] = {"sleighM", "twolink",   "sleigh_pot", "vtop",  "suslov", "arm",
                                        "racer",   "ball_phys", "diskB",      "blade", "trailer"};
    static const char *const families[] = {"gni", "dla", "variational"};
    for (int i = 0; i < 11; i++)
        for (int f = 0; f < 3; f++)
            for (int j = 0; j < 4 * RULES; j++) {
                test_system t;
                char name[48];
                link k;
                const rule *r = &rules[j / 4];
                energy_system_make(&t, names[i]);
                const int loaded = j / 2 % 2 && lg_group_dim(t.S.group) > 2;
                if (loaded)
                    t.S.callbacks.force = load, t.S.callbacks.control_count = 2, t.S.callbacks.time_dependent = 1;
                if (f == 0 && t.S.callbacks.holonomic_count > 0)
                    continue; /* p- is known up to the multipliers of phi only */
                if (f == 2) {
                    t.S.constraint_count = t.S.callbacks.holonomic_count = 0;
                    t.S.callbacks.covectors = NULL, t.S.callbacks.covectors_derivative = NULL,
                    t.S.covector_matrix = NULL;
                    t.S.callbacks.holonomic = NULL, t.S.callbacks.holonomic_differential = NULL;
                }
                suite_case("%s%s, %s, %s", t.name, loaded ? " with a force" : "", method_of(families[f], r, name),
                           retractions[j % 2]);
                take_step(&k, &t, name, retractions[j % 2], strcmp(t.name, "diskB") == 0 ? 0.01 : 0.05);
                by_differences(&t, &k, retractions[j % 2], r);
            }
}

/* ---- what fails ---- */

typedef struct trap {
    const test_system *t;
    int calls, failing, nan; /* the call that fails; < 0: none */
} trap;

static int trapped(const lg_call *c, const double *g, const double *xi, double *out)
{
    static const double idle[2] = {0};
    trap *k = *(trap *const *)c->context;
    lg_call d = *c;
    d.control = idle;
    const int hit = k->failing >= 0 && k->calls++ == k->failing;
    load(&d, g, xi, out);
    if (hit && k->nan) out[1] = NAN;
    return hit && !k->nan ? 11 : 0;
}

static const char *const all[] = {"sem", "nsv",  "smv", "gni", "gni:midpoint", "gni-r", "dla", "dla:trapezoidal",
                                  "rk4", "rkmk4"};

/* Any call of the force may fail or return NaN: it is reported, the state stays, and the next step succeeds. A NaN that
 * the step does not use may pass. */
static void failing(const char *method, int nan)
{
    test_system t;
    trap o = {&t, 0, -1, nan}, *self = &o;
    run_state before, after, clean;
    int failures = 0;
    energy_system_make(&t, "suslov"); /* its rows are constant: no callback but the force needs the context */
    t.S.context = &self;
    t.S.callbacks.force = trapped;
    run_to(&clean, &t, method, "exp", 0.3, 3);
    lg_integrator *it = run_start(&t, method, "exp", 0.1);
    for (int call = 0;; call++) {
        suite_ok("reset", lg_integrator_reset(it));
        run_steps(it, 2);
        run_read(&before, it);
        o.calls = 0, o.failing = call;
        const lg_status st = lg_integrator_step(it);
        const int calls = o.calls;
        o.failing = -1;
        suite_case("call %d of the force %s, %s", call, nan ? "is NaN" : "fails", method);
        if (st != LG_OK) {
            suite_status("step", st, nan ? LG_ERROR_NOT_FINITE : LG_ERROR_CALLBACK);
            if (!nan) suite_contains("message", lg_integrator_message(it), "force returned 11");
            run_read(&after, it);
            suite_below("state moved", run_difference(t.S.group, &before, &after), 0);
            assert_int_equal(lg_integrator_step_index(it), 2);
            run_steps(it, 1);
            failures++;
        }
        run_read(&after, it);
        suite_below("difference from a run without", run_difference(t.S.group, &after, &clean), 1e-12);
        if (calls <= call) break;
        if (st == LG_OK && !nan) suite_fail("the failure was not noticed");
    }
    suite_above("failures", failures, 1);
    run_end(&it);
}

static void test_failing(void **state)
{
    (void)state;
    for (int k = 0; k < 10; k++) {
        failing(all[k], 0);
        failing(all[k], 1);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const none[] = {"sml", "sem:gonzalez", "sml@suzuki4"};
    test_system t;
    energy_system_make(&t, "sleigh_pot");
    t.S.callbacks.force = load, t.S.callbacks.control_count = 2;
    for (int k = 0; k < 3; k++) {
        lg_integrator *it = NULL;
        suite_case("a force, %s", none[k]);
        suite_status("create", lg_integrator_create(&it, &t.S, none[k], "exp", 0.1), LG_ERROR_UNSUPPORTED);
        suite_contains("message", lg_integrator_message(it), "force");
        suite_contains("message", lg_integrator_message(it), "sem");
        run_end(&it);
    }
}

/* Only `sem` knows the work of a step. */
static void test_work(void **state)
{
    (void)state;
    test_system t;
    energy_system_make(&t, "suslov");
    t.S.callbacks.force = load, t.S.callbacks.control_count = 2;
    for (int k = 0; k < 10; k++) {
        suite_case("work, %s", all[k]);
        lg_integrator *it = run_start(&t, all[k], "exp", 0.1);
        const double H = lg_integrator_energy(it);
        run_steps(it, 1);
        if (k > 0)
            assert_true(isnan(lg_integrator_step_work(it)));
        else
            suite_near1("work", lg_integrator_step_work(it), lg_integrator_energy(it) - H, 1e-14, 1);
        run_end(&it);
    }
}

int main(void)
{
    suite_begin("discrete equations with forces");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_by_differences), cmocka_unit_test(test_failing),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_work),
    };
    return cmocka_run_group_tests_name("forces_discrete", tests, NULL, NULL);
}
