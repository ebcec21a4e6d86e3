/* SPDX-License-Identifier: BSD-3-Clause */
/* DLA in the plane (docs/theory.md section 7): states and multipliers of planar_*.json, the discrete constraint,
 * reversibility, the discrete momentum equation. Groups: test_dla_groups.c; what the papers
 * say of DLA: claims/cortes2001 and claims/fedorov2005. */
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
    if (!planar[i].potential) t->S.callbacks.potential = NULL, t->S.callbacks.potential_gradient = NULL;
    const int n = lg_group_dim(t->S.group);
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

/* H(t, q, p). */
static double energy_of(const test_system *t, double time, const double *q, const double *p)
{
    double H = NAN;
    suite_ok("energy", lg_system_energy(&t->S, &H, time, q, p, NULL));
    return H;
}

/* q_k, p+_k = D_2 L_d(q_{k-1}, q_k) and, one step later, the multiplier at q_k, an impulse of the opposite sign. */
static void states(const test_system *t, const cJSON *run, const char *method)
{
    const int n = lg_group_dim(t->S.group);
    const cJSON *state;
    char label[80];
    lg_integrator *it = run_start(t, method, "exp", t->h);
    cJSON_ArrayForEach(state, ref_get(run, "states"))
    {
        const int k = atoi(state->string);
        const double tolerance = 1e-14 * (10 + k);
        snprintf(label, sizeof label, "%s, %s, step %d", t->name, method, k);
        suite_case("%s", label);
        run_steps(it, k - lg_integrator_step_index(it));
        near_vector("q", lg_integrator_configuration(it), state, "q", n, tolerance);
        near_vector("p+", lg_integrator_momentum_plus(it), state, "p_plus", n, tolerance);
        suite_near1(
            "H(p+)",
            energy_of(t, lg_integrator_time(it), lg_integrator_configuration(it), lg_integrator_momentum_plus(it)),
            ref_number(ref_get(state, "H_plus")), tolerance, 14);
        lg_integrator *next = NULL;
        double impulse[2];
        suite_ok("clone", lg_integrator_clone(&next, it));
        run_steps(next, 1);
        for (int a = 0; a < t->S.constraint_count; a++) impulse[a] = -t->h * lg_integrator_multipliers(next)[a];
        near_vector("impulse", impulse, state, "lam", t->S.constraint_count, tolerance);
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
    const int n = lg_group_dim(t->S.group);
    double A[6 * SUITE_DIM], b[6], sum[6] = {0}, v[SUITE_DIM], q[SUITE_DIM], worst = 0;
    for (int i = 0; i < n; i++) v[i] = (lg_integrator_configuration(it)[i] - q0[i]) / lg_integrator_step_size(it);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < n; i++) q[i] = q0[i] + points[k] * (lg_integrator_configuration(it)[i] - q0[i]);
        const int m = system_rows(&t->S, 0, q, A, b);
        for (int a = 0; a < m; a++) sum[a] += mat_dot(A + a * n, v, n) / count;
    }
    for (int a = 0; a < t->S.constraint_count; a++) worst = fmax(worst, fabs(sum[a]));
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
                memcpy(q0, lg_integrator_configuration(it), sizeof(double) * (size_t)lg_group_dim(t.S.group));
                run_steps(it, 1);
                for (int j = 0; j < lg_group_dim(t.S.group); j++)
                    largest = fmax(largest, fmax(fabs(q0[j]), fabs(lg_integrator_step_velocity(it)[j])));
                /* the solver's 1e-14 of the velocities, and what the rounding of q leaves of a quotient by h */
                suite_below("omega_d", discrete_constraint(&t, it, q0, list[k].points, list[k].count), 4e-14 * largest);
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
    t.S.callbacks.potential = NULL, t.S.callbacks.potential_gradient = NULL;
    suite_case("momentum equation of %s (%d), %s", name, which, method);
    lg_integrator *it = run_start(&t, method, "exp", 0.1);
    section(name, which, lg_integrator_configuration(it), before);
    double J = pairing(name, lg_integrator_momentum_plus(it), before, lg_integrator_configuration(it));
    for (int i = 0; i < 500; i++) {
        run_steps(it, 1);
        const double *q = lg_integrator_configuration(it), *p = lg_integrator_momentum_plus(it);
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
            if (i == 0) t.S.callbacks.potential = NULL, t.S.callbacks.potential_gradient = NULL;
            lg_integrator *it = run_start(&t, methods[k], "exp", 0.1);
            memcpy(before, lg_integrator_momentum(it) + cyclic[i].first, sizeof before);
            run_steps(it, 1000);
            suite_case("cyclic coordinates of %s, %s", t.name, methods[k]);
            suite_near("p~", lg_integrator_momentum(it) + cyclic[i].first, before, cyclic[i].count, 1e-13, 1);
            run_end(&it);
        }
    }
}

int main(void)
{
    suite_begin("DLA in the plane");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_discrete_constraint),
        cmocka_unit_test(test_reversible),
        cmocka_unit_test(test_momentum),
    };
    return cmocka_run_group_tests_name("dla", tests, NULL, NULL);
}
