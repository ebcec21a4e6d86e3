/* SPDX-License-Identifier: BSD-3-Clause */
/* DLA in the plane (docs/theory.md section 7) against the independent implementation: states and multipliers of
 * planar_*.json, the discrete sleigh's momentum map [P3], the discrete constraint, reversibility, the discrete momentum
 * equation, dependence on the frame, the energies of the papers' figures. On groups: test_dla_groups.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/runs.h"

/* ---- states ---- */

/* The library's names of the reference's discretisations. */
static const struct {
    const char *key, *method;
} discretisations[] = {{"dla_mid", "dla:midpoint"},           {"dla_mid", "dla"},
                       {"dla_mid", "dla:alpha=0.5"},          {"dla_mid", "dla:symmetric-alpha=0.5"},
                       {"dla_sym0", "dla:trapezoidal"},       {"dla_sym0", "dla:symmetric-alpha=0"},
                       {"dla_sym0", "dla:symmetric-alpha=1"}, {"dla_a0", "dla:alpha=0"},
                       {"dla_midleft", "dla:midleft"}};

enum { DISCRETISATIONS = sizeof discretisations / sizeof discretisations[0] };

static const struct {
    const char *file, *name;
    int potential;
} planar[] = {{"planar_particle_free.json", "particle_quad", 0},
              {"planar_particle_quad.json", "particle_quad", 1},
              {"planar_snakeboard.json", "snakeboard", 0},
              {"planar_sleigh.json", "sleighM", 0}};

enum { PLANAR = sizeof planar / sizeof planar[0] };

/* The system with the file's initial data. */
static void planar_make(test_system *t, int i, const cJSON *root)
{
    energy_system_make(t, planar[i].name);
    if (!planar[i].potential) t->S.potential = NULL, t->S.potential_gradient = NULL;
    const int n = lg_dim(t->S.group);
    ref_exactly(t->g0, n, root, "q0");
    ref_exactly(t->xi0, n, root, "v0");
    t->h = ref_number(ref_get(root, "h"));
}

static void near_vector(const char *what, const double *got, const cJSON *node, const char *key, int n,
                        double tolerance)
{
    double want[SUITE_DIM], scale = 1;
    ref_exactly(want, n, node, key);
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(want[i]));
    suite_near(what, got, want, n, tolerance, scale);
}

/* H(q, p) with the metric at q, by the test's own arithmetic. */
static double energy_of(const test_system *t, double time, const double *q, const double *p)
{
    const int n = lg_dim(t->S.group);
    double J[SUITE_MATRIX], v[SUITE_DIM], V = 0;
    const lg_call c = system_call(&t->S, time);
    system_metric(&t->S, time, q, J);
    assert_true(mat_solve(v, J, p, n));
    if (t->S.potential != NULL) assert_int_equal(t->S.potential(&c, q, &V), 0);
    return mat_dot(v, p, n) / 2 + V;
}

/* q_k, p+_k = D_2 L_d(q_{k-1}, q_k) and, one step later, the multiplier at q_k, an impulse of the opposite sign. */
static void states(const test_system *t, const cJSON *run, const char *method)
{
    const int n = lg_dim(t->S.group);
    const cJSON *state;
    char label[80];
    lg_integrator *it = run_start(t, method, "exp", t->h);
    cJSON_ArrayForEach(state, ref_get(run, "states"))
    {
        const int k = atoi(state->string);
        const double tolerance = 1e-14 * (10 + k);
        snprintf(label, sizeof label, "%s, %s, step %d", t->name, method, k);
        suite_case("%s", label);
        run_steps(it, k - lg_step_index(it));
        near_vector("q", lg_configuration(it), state, "q", n, tolerance);
        near_vector("p+", lg_momentum_plus(it), state, "p_plus", n, tolerance);
        suite_near1("H(p+)", energy_of(t, lg_time(it), lg_configuration(it), lg_momentum_plus(it)),
                    ref_number(ref_get(state, "H_plus")), tolerance, 14);
        lg_integrator *next = NULL;
        double impulse[2];
        suite_ok("clone", lg_integrator_clone(&next, it));
        run_steps(next, 1);
        for (int a = 0; a < t->S.constraints; a++) impulse[a] = -t->h * lg_multipliers(next)[a];
        near_vector("impulse", impulse, state, "lam", t->S.constraints, tolerance);
        run_end(&next);
    }
    run_end(&it);
}

static void test_states(void **state)
{
    (void)state;
    int count = 0;
    for (int i = 0; i < PLANAR; i++) {
        cJSON *root = ref_load(planar[i].file);
        test_system t;
        planar_make(&t, i, root);
        for (int k = 0; k < DISCRETISATIONS; k++) {
            const cJSON *run = cJSON_GetObjectItemCaseSensitive(ref_get(root, "methods"), discretisations[k].key);
            if (run == NULL) continue;
            states(&t, run, discretisations[k].method);
            count++;
        }
        cJSON_Delete(root);
    }
    assert_int_equal(count, 4 * 8 + 2);
}

/* ---- the discrete constraint, and back again ---- */

/* Largest |omega_d(q_k, q_{k+1})| of the last step from q0, in units of A v: the mean of A(q) v over the points. */
static double discrete_constraint(const test_system *t, const lg_integrator *it, const double *q0, const double *points,
                                  int count)
{
    const int n = lg_dim(t->S.group);
    double A[6 * SUITE_DIM], b[6], sum[6] = {0}, v[SUITE_DIM], q[SUITE_DIM], worst = 0;
    for (int i = 0; i < n; i++) v[i] = (lg_configuration(it)[i] - q0[i]) / lg_step_size(it);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < n; i++) q[i] = q0[i] + points[k] * (lg_configuration(it)[i] - q0[i]);
        const int m = system_rows(&t->S, 0, q, A, b);
        for (int a = 0; a < m; a++) sum[a] += mat_dot(A + a * n, v, n) / count;
    }
    for (int a = 0; a < t->S.constraints; a++) worst = fmax(worst, fabs(sum[a]));
    return worst;
}

static void test_discrete_constraint(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        double points[2];
        int count;
    } list[] = {{"dla:midpoint", {0.5}, 1},
                {"dla:trapezoidal", {0, 1}, 2},
                {"dla:alpha=0.3", {0.3}, 1},
                {"dla:midleft", {0}, 1},
                {"dla:symmetric-alpha=0.2", {0.2, 0.8}, 2}};
    static const char *const names[] = {"particle_quad", "snakeboard", "robot", "sleighM", "cvt_non", "chaotic"};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 5; k++) {
            test_system t;
            double q0[SUITE_DIM], largest = 1;
            energy_system_make(&t, names[i]);
            lg_integrator *it = run_start(&t, list[k].method, "exp", 0.1);
            for (int step = 1; step <= suite_count(1000); step++) {
                suite_case("%s, %s, step %d", t.name, list[k].method, step);
                memcpy(q0, lg_configuration(it), sizeof(double) * (size_t)lg_dim(t.S.group));
                run_steps(it, 1);
                for (int j = 0; j < lg_dim(t.S.group); j++) largest = fmax(largest, fabs(q0[j]));
                /* q is rounded, and the difference of two is divided by h */
                suite_below("omega_d", discrete_constraint(&t, it, q0, list[k].points, list[k].count), 1e-14 * largest);
            }
            run_end(&it);
        }
}

static void test_reversible(void **state)
{
    (void)state;
    static const char *const names[] = {"particle_quad", "snakeboard", "robot", "sleighM", "cvt_non"};
    static const char *const methods[] = {"dla:midpoint", "dla:trapezoidal", "dla:symmetric-alpha=0.2"};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++) {
            test_system t;
            energy_system_make(&t, names[i]);
            suite_case("100 steps and back: %s, %s", t.name, methods[k]);
            suite_below("distance from the start", run_there_and_back(&t, methods[k], "exp", 0.1, 100), 1e-12);
        }
    test_system t;
    energy_system_make(&t, "sleighM");
    suite_case("100 steps and back: sleighM, dla:midleft");
    suite_above("distance from the start", run_there_and_back(&t, "dla:midleft", "exp", 0.1, 100), 1e-3);
}

/* ---- momenta ([P1] theorem 5.3, [P0] theorem 2) ---- */

/* A section q -> zeta(q) of the algebra of translations and rotations of the plane (zeta = (a, b, w)), with generators
 * in the distribution: of the particle (1, y) by translations along x and z; of the snakeboard; of the blade, along it
 * and about it. */
static void section(const char *name, int which, const double *q, double *zeta)
{
    if (strcmp(name, "particle_quad") == 0) {
        zeta[0] = 1, zeta[1] = q[1], zeta[2] = 0;
        return;
    }
    if (strcmp(name, "snakeboard") == 0) {
        zeta[2] = -sin(q[4]);
        zeta[0] = cos(q[2]) * cos(q[4]) + zeta[2] * q[1];
        zeta[1] = sin(q[2]) * cos(q[4]) - zeta[2] * q[0];
        return;
    }
    zeta[0] = which ? q[1] : cos(q[2]);
    zeta[1] = which ? -q[0] : sin(q[2]);
    zeta[2] = which ? 1 : 0;
}

static double pairing(const char *name, const double *p, const double *zeta, const double *q)
{
    if (strcmp(name, "particle_quad") == 0) return p[0] * zeta[0] + p[2] * zeta[1];
    return p[0] * (zeta[0] - zeta[2] * q[1]) + p[1] * (zeta[1] + zeta[2] * q[0]) + p[2] * zeta[2];
}

/* J_{k+1} - J_k = <p+_{k+1}, (zeta_{k+1} - zeta_k)_Q> with J_k = <p+_k, (zeta_k)_Q>. */
static void momentum_equation(const char *name, int which, const char *method)
{
    test_system t;
    double before[3], zeta[3], change[3], moved = 0;
    energy_system_make(&t, name);
    t.S.potential = NULL, t.S.potential_gradient = NULL;
    suite_case("momentum equation of %s (%d), %s", name, which, method);
    lg_integrator *it = run_start(&t, method, "exp", 0.1);
    section(name, which, lg_configuration(it), before);
    double J = pairing(name, lg_momentum_plus(it), before, lg_configuration(it));
    for (int i = 0; i < 500; i++) {
        run_steps(it, 1);
        const double *q = lg_configuration(it), *p = lg_momentum_plus(it);
        section(name, which, q, zeta);
        for (int j = 0; j < 3; j++) change[j] = zeta[j] - before[j];
        const double next = pairing(name, p, zeta, q);
        suite_near1("J_(k+1) - J_k", next - J, pairing(name, p, change, q), 1e-12, 10);
        moved = fmax(moved, fabs(next - J));
        memcpy(before, zeta, sizeof zeta);
        J = next;
    }
    suite_above("change of J", moved, 1e-3);
    run_end(&it);
}

static void test_momentum(void **state)
{
    (void)state;
    static const char *const methods[] = {"dla:midpoint", "dla:trapezoidal", "dla:alpha=0", "dla:midleft"};
    static const struct {
        const char *name;
        int first, count; /* cyclic coordinates along the constraints: their momenta are constant */
    } cyclic[] = {{"particle_quad", 1, 1}, {"snakeboard", 3, 2}, {"robot", 2, 1}};
    for (int k = 0; k < 4; k++) {
        momentum_equation("particle_quad", 0, methods[k]);
        momentum_equation("snakeboard", 0, methods[k]);
        momentum_equation("sleighM", 0, methods[k]);
        momentum_equation("sleighM", 1, methods[k]);
        for (int i = 0; i < 3; i++) {
            test_system t;
            double before[2];
            energy_system_make(&t, cyclic[i].name);
            if (i == 0) t.S.potential = NULL, t.S.potential_gradient = NULL;
            lg_integrator *it = run_start(&t, methods[k], "exp", 0.1);
            memcpy(before, lg_momentum(it) + cyclic[i].first, sizeof before);
            run_steps(it, 1000);
            suite_case("cyclic coordinates of %s, %s", t.name, methods[k]);
            suite_near("p~", lg_momentum(it) + cyclic[i].first, before, cyclic[i].count, 1e-13, 1);
            run_end(&it);
        }
    }
}

/* ---- the discrete Chaplygin sleigh ([P3]) ---- */

typedef struct sleigh {
    double m, J, a;
} sleigh;

static int sleigh_metric(const lg_call *c, const double *q, double *M)
{
    const sleigh *k = c->context;
    M[0] = M[4] = k->m;
    M[2] = M[6] = -k->m * k->a * sin(q[2]);
    M[5] = M[7] = k->m * k->a * cos(q[2]);
    M[8] = k->J + k->m * k->a * k->a;
    return 0;
}

static int sleigh_slope(const lg_call *c, const double *q, const double *v, double *out)
{
    const sleigh *k = c->context;
    out[2] = -k->m * k->a * v[2] * (v[0] * cos(q[2]) + v[1] * sin(q[2]));
    return 0;
}

static int sleigh_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[0] = sin(q[2]);
    mu[1] = -cos(q[2]);
    return 0;
}

static const double sleigh_h = 0.1;

/* dla:midpoint with [P3]'s momenta (p1, p2) = h (p_theta, p along the blade); they leave h out of L_d. */
static lg_integrator *sleigh_start(const sleigh *k, double p1, double p2)
{
    lg_system S = lg_system_default(lg_rn(3));
    const double q0[3] = {0}, p[3] = {p2 / sleigh_h, 0, p1 / sleigh_h};
    lg_integrator *it = NULL;
    S.context = k;
    S.metric = sleigh_metric;
    S.metric_gradient = sleigh_slope;
    S.constraints = 1;
    S.covectors = sleigh_rows;
    if (lg_integrator_create(&it, &S, "dla:midpoint", NULL, sleigh_h) != LG_OK) suite_fail("%s", lg_message(it));
    if (lg_integrator_start_momentum(it, 0, q0, p) != LG_OK) suite_fail("%s", lg_message(it));
    return it;
}

static void sleigh_read(const lg_integrator *it, double *out)
{
    const double *p = lg_momentum_plus(it), theta = lg_configuration(it)[2];
    out[0] = sleigh_h * p[2];
    out[1] = sleigh_h * (p[0] * cos(theta) + p[1] * sin(theta));
}

/* D of (p1, p2) -> (p1', p2'), 2 x 2, by differences of order 4; straight motion is as good a point as any. */
static void sleigh_derivative(const sleigh *k, const double *p, double *D)
{
    static const double e = 1e-3, at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    memset(D, 0, 4 * sizeof *D);
    for (int j = 0; j < 2; j++)
        for (int s = 0; s < 4; s++) {
            double out[2];
            lg_integrator *it = sleigh_start(k, p[0] + (j == 0 ? at[s] * e : 0), p[1] + (j == 1 ? at[s] * e : 0));
            run_steps(it, 1);
            sleigh_read(it, out);
            run_end(&it);
            for (int i = 0; i < 2; i++) D[2 * i + j] += weight[s] * out[i] / (12 * e);
        }
}

static void sleigh_orbit(const cJSON *orbit)
{
    const sleigh k = {ref_number(ref_get(orbit, "m")), ref_number(ref_get(orbit, "J")),
                      ref_number(ref_get(orbit, "a"))};
    double p[2], want[2], D[4];
    const cJSON *state;
    ref_exactly(p, 2, orbit, "p0");
    lg_integrator *it = sleigh_start(&k, p[0], p[1]);
    cJSON_ArrayForEach(state, ref_get(orbit, "orbit"))
    {
        const int step = ref_get(state, "k")->valueint;
        run_steps(it, step - lg_step_index(it));
        suite_case("sleigh m = %g, J = %g, a = %g, step %d", k.m, k.J, k.a, step);
        sleigh_read(it, p);
        ref_exactly(want, 2, state, "p");
        suite_near("(p1, p2)", p, want, 2, 1e-13, 1);
        sleigh_derivative(&k, p, D);
        suite_near1("det", D[0] * D[3] - D[1] * D[2], ref_number(ref_get(state, "det")), 1e-9, 1);
        lg_integrator *next = NULL;
        suite_ok("clone", lg_integrator_clone(&next, it));
        run_steps(next, 1);
        suite_near1("dtheta", lg_configuration(next)[2] - lg_configuration(it)[2], ref_number(ref_get(state, "dtheta")),
                    1e-13, 1);
        run_end(&next);
    }
    run_end(&it);
}

/* Theorem 6: straight motion (0, p2) has the multiplier (2K - a p2)/(2K + a p2), K = J + m a^2. */
static void test_sleigh_map(void **state)
{
    (void)state;
    cJSON *root = ref_load("planar_sleigh_map.json");
    static const sleigh k = {1, 1, 0.2};
    const cJSON *item;
    int count = 0;
    cJSON_ArrayForEach(item, ref_get(root, "orbits"))
    {
        sleigh_orbit(item);
        count++;
    }
    assert_int_equal(count, 4);
    cJSON_ArrayForEach(item, ref_get(root, "eigenvalues_m1_J1_a02"))
    {
        const double p[2] = {0, ref_number(ref_get(item, "p2"))};
        const double want = ref_number(ref_get(item, "lambda1"));
        double D[4];
        suite_case("straight sleigh, p2 = %g", p[1]);
        sleigh_derivative(&k, p, D);
        suite_near1("the formula", (2 * 1.04 - 0.2 * p[1]) / (2 * 1.04 + 0.2 * p[1]), want, 1e-14, 1);
        suite_near1("eigenvalue", D[0], want, 1e-9, 1);
        suite_near1("the other one", D[3], 1, 1e-9, 1);
        suite_near1("triangular", D[2] * D[1], 0, 1e-9, 1);
    }
    cJSON_Delete(root);
}

/* ---- frames ---- */

/* The snakeboard's wheels instead of the rows of full rank: cos(phi) mu_1 + mu_2 and cos(phi) mu_1 - mu_2. */
static const test_system *board;

static int wheel_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    double rows[10] = {0};
    const int code = board->S.covectors(c, q, rows, Y);
    for (int i = 0; i < 5; i++) {
        mu[i] = cos(q[4]) * rows[i] + rows[5 + i];
        mu[5 + i] = cos(q[4]) * rows[i] - rows[5 + i];
    }
    return code;
}

static void test_frames(void **state)
{
    (void)state;
    static const char *const methods[] = {"dla:midpoint", "dla:trapezoidal"};
    test_system t, wheels;
    run_state a, b;
    energy_system_make(&t, "snakeboard");
    board = &t;
    wheels = t;
    wheels.S.covectors = wheel_rows;
    wheels.S.covectors_derivative = NULL;
    for (int k = 0; k < 2; k++) {
        suite_case("snakeboard by its wheels, %s, 20 steps", methods[k]);
        run_to(&a, &t, methods[k], "exp", 2, 20);
        run_to(&b, &wheels, methods[k], "exp", 2, 20);
        const double difference = run_difference(t.S.group, &a, &b);
        if (k == 0)
            suite_below("difference", difference, 1e-13);
        else
            suite_near1("difference", suite_distance(a.M, b.M, SUITE_MATRIX), 6.6e-4, 1, 0.5e-4);
    }
}

/* ---- energies of the papers' figures ---- */

typedef struct band {
    double low, high;           /* of H(p~) */
    double plus_low, plus_high; /* of H(p+) */
    double drift;               /* H(p~) at the end */
    double residual;            /* largest |A v|, for rk4 */
} band;

static band energies(const test_system *t, const char *method, double h, double T)
{
    band b = {INFINITY, -INFINITY, INFINITY, -INFINITY, 0, 0};
    lg_integrator *it = run_start(t, method, "exp", h);
    for (int k = 0; k < (int)lround(T / h); k++) {
        run_steps(it, 1);
        const double H = lg_energy(it), plus = energy_of(t, 0, lg_configuration(it), lg_momentum_plus(it));
        b.low = fmin(b.low, H), b.high = fmax(b.high, H);
        b.plus_low = fmin(b.plus_low, plus), b.plus_high = fmax(b.plus_high, plus);
        b.drift = H;
        b.residual = fmax(b.residual, lg_constraint_residual(it));
    }
    run_end(&it);
    return b;
}

/* [P1] figures 1 to 4, h = 0.2, t <= 250: DLA oscillates in a band, Runge and Kutta's method drifts out of it. */
static void test_bands(void **state)
{
    (void)state;
    test_system t;
    energy_system_make(&t, "particle_quad");
    suite_case("particle in a bowl, h = 0.2");
    band b = energies(&t, "dla:midpoint", 0.2, 250);
    suite_near1("least H(p+)", b.plus_low, 2.490, 1, 5e-4);
    suite_near1("largest H(p+)", b.plus_high, 2.520, 1, 5e-4);
    suite_below("A v~", b.residual, 1e-14);
    b = energies(&t, "rk4", 0.2, 250);
    suite_near1("H of rk4", b.low, 2.4843, 1, 5e-4);
    suite_near1("A v of rk4", b.residual, 6.1e-4, 1, 5e-6);
    energy_system_make(&t, "robot");
    suite_case("robot, h = 0.2");
    b = energies(&t, "dla:midpoint", 0.2, 250);
    suite_near1("least H(p~)", b.low, -2.130, 1, 5e-4);
    suite_near1("largest H(p~)", b.high, -2.111, 1, 5e-4);
    suite_below("A v~", b.residual, 1e-14);
    b = energies(&t, "rk4", 0.2, 250);
    suite_near1("H of rk4", b.low, -2.2085, 1, 1e-4);
    suite_near1("A v of rk4", b.residual, 3.8e-5, 1, 1e-6);
}

/* [P0] figure 2, h = 0.2: H(p+) of DLA rises by 4.7e-3 of itself where the free particle passes y = 0 and comes back.
 */
static void test_hump(void **state)
{
    (void)state;
    static const double q0[3] = {0, -5, 0}, v0[3] = {1, 1, -5};
    test_system t;
    double first = 0, top = 0, at = 0, H = 0;
    energy_system_make(&t, "particle_quad");
    t.S.potential = NULL, t.S.potential_gradient = NULL;
    memcpy(t.g0, q0, sizeof q0);
    memcpy(t.xi0, v0, sizeof v0);
    suite_case("free particle, h = 0.2");
    lg_integrator *it = run_start(&t, "dla:midpoint", "exp", 0.2);
    for (int k = 0; k < 50; k++) {
        run_steps(it, 1);
        const double *p = lg_momentum_plus(it);
        H = mat_dot(p, p, 3) / 2;
        if (k == 0) first = H;
        if (H > top) top = H, at = lg_configuration(it)[1];
    }
    suite_near1("hump", (top - first) / 13.5, 4.7e-3, 1, 0.5e-4);
    suite_near1("where", at, 0, 1, 0.2);
    suite_near1("H(p+) at y = 5", H, first, 1e-13, 13.5);
    run_end(&it);
}

int main(void)
{
    suite_begin("DLA in the plane");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),     cmocka_unit_test(test_discrete_constraint),
        cmocka_unit_test(test_reversible), cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_sleigh_map), cmocka_unit_test(test_frames),
        cmocka_unit_test(test_bands),      cmocka_unit_test(test_hump),
    };
    return cmocka_run_group_tests_name("dla", tests, NULL, NULL);
}
