/* SPDX-License-Identifier: BSD-3-Clause */
/* Longer runs of bodies against an independent implementation: rigid_suslov.json, rigid_sleigh.json (there SE(2) is
 * ordered omega, v1, v2), rigid_so3_rigid_body.json (free body and heavy top, no constraints), rigid_disk.json with all
 * three rows of the contact (C) and with the height eliminated from L_d (B), which is the step with z = f(R) as a
 * holonomic constraint. 1e-13 of the largest entry up to ten steps, 1e-12 up to a hundred. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/models.h"
#include "support/reference.h"
#include "support/runs.h"

enum { SLEIGH = 1, HEIGHT = 2 }; /* components of the file: omega first; without z */

typedef struct body_case {
    const char *file, *part; /* "": the whole file */
    const char *prefix;      /* of the names of its runs */
    const char *name;        /* of the system */
    const char *method;
    int shift, order; /* coordinates before the attitude; components */
} body_case;

/* (omega, v1, v2) of the file is our (v1, v2, omega); a momentum of B is that on T(R^2 x SO(3)), p_M + df p_z, where
 * phi = z - f has d phi = (e_3, -df). */
static int components(const body_case *b, const test_system *t, const double *g, const double *p, double *out)
{
    const int n = lg_group_dim(t->S.group);
    double A[18], right[3];
    memcpy(out, p, sizeof(double) * (size_t)n);
    if (b->order == SLEIGH) out[0] = p[2], out[1] = p[0], out[2] = p[1];
    if (b->order != HEIGHT) return n;
    system_rows(&t->S, 0, g, A, right); /* the first row is d phi */
    for (int i = 0; i < 3; i++) out[2 + i] = p[3 + i] - A[3 + i] * p[2];
    return 5;
}

static void near_momentum(const body_case *b, const test_system *t, const double *g, const double *p, const cJSON *node,
                          const char *key, double tolerance)
{
    double got[SUITE_DIM], want[SUITE_DIM], scale = 1;
    if (cJSON_GetObjectItemCaseSensitive(node, key) == NULL) return;
    const int n = components(b, t, g, p, got);
    ref_exactly(want, n, node, key);
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(want[i]));
    suite_near(key, got, want, n, tolerance, scale);
}

static void near_place(const body_case *b, const double *g, const cJSON *state, double tolerance)
{
    double want[9], R[9];
    if (b->order == SLEIGH) {
        ref_exactly(want, 3, state, "g"); /* theta, x, y */
        const double place[4] = {want[1], want[2], cos(want[0]), sin(want[0])};
        suite_near("g", g, place, 4, tolerance, fmax(1, hypot(want[1], want[2])));
        return;
    }
    const int positions = b->order == HEIGHT ? 2 : b->shift;
    if (positions > 0) ref_exactly(want, positions, state, "x");
    suite_near("x", g, want, positions, tolerance, 1);
    ref_exactly(want, 9, state, "R");
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g + b->shift));
    suite_near("R", R, want, 9, tolerance, 1);
}

static void check_state(const body_case *b, const test_system *t, const lg_integrator *it, const cJSON *state)
{
    const double *g = lg_integrator_configuration(it), *minus = lg_integrator_momentum_minus(it);
    const int free = cJSON_GetObjectItemCaseSensitive(state, "energy_p") != NULL;
    const int steps = ref_get(state, "k")->valueint;
    const double tolerance = steps <= 10 ? 1e-13 : steps <= 100 ? 1e-12 : 1e-10;
    const double H = ref_number(ref_get(state, free ? "energy_p" : "energy_tilde"));
    near_place(b, g, state, tolerance);
    near_momentum(b, t, g, minus, state, "p_minus", tolerance);
    near_momentum(b, t, g, lg_integrator_momentum(it), state, "p_tilde", tolerance);
    near_momentum(b, t, g, lg_integrator_step_velocity(it), state, "xi_last", (free ? 100 : 20) * tolerance);
    near_momentum(b, t, g, minus, state, "p", tolerance); /* without constraints p+ = p- */
    near_momentum(b, t, g, lg_integrator_momentum_plus(it), state, "p", tolerance);
    suite_near1("H", lg_integrator_energy(it), H, tolerance, fmax(1, fabs(H)));
}

/* From both kinds of initial data: S0 (`legendre`) or S1 (`reaction`), and the file's momentum. */
static void follow(const body_case *b, const test_system *t, const cJSON *run, const char *key, int by_momentum)
{
    const cJSON *state;
    const int reaction = key[strlen(key) - 1] == '1', n = lg_group_dim(t->S.group);
    double p[SUITE_DIM] = {0}, x[SUITE_DIM];
    lg_integrator *it = run_start(t, b->method, strstr(key, "cay") ? "cayley" : "exp", ref_number(ref_get(run, "h")));
    suite_case("%s %s, %s", b->name, key, b->method);
    suite_ok("start", lg_integrator_start(it, 0, t->g0, t->xi0, reaction ? LG_START_REACTION : LG_START_LEGENDRE, 0));
    near_momentum(b, t, t->g0, lg_integrator_momentum_minus(it), run, "p_minus_0", 1e-14);
    if (by_momentum) {
        ref_exactly(x, b->order == HEIGHT ? 5 : n, run, "p_minus_0");
        for (int i = 0; i < n; i++) /* B: up to a multiple of d phi */
            p[i] = b->order == SLEIGH ? x[(i + 1) % 3] : b->order == 0 ? x[i] : i < 2 ? x[i] : i > 2 ? x[i - 1] : 0;
        suite_ok("start", lg_integrator_start_momentum(it, 0, t->g0, p));
    }
    cJSON_ArrayForEach(state, ref_get(run, "states"))
    {
        const int steps = ref_get(state, "k")->valueint;
        suite_case("%s %s, %s, step %d", b->name, key, b->method, steps);
        run_steps(it, steps - lg_integrator_step_index(it));
        check_state(b, t, it, state);
    }
    run_end(&it);
}

static void test_constrained(void **state)
{
    (void)state;
    static const body_case list[] = {{"rigid_suslov.json", "", "", "suslov", "gni", 0, 0},
                                     {"rigid_sleigh.json", "chaplygin_sleigh", "", "sleigh", "gni", 0, SLEIGH},
                                     {"rigid_disk.json", "", "C_", "disk", "gni", 3, 0},
                                     {"rigid_disk.json", "", "B_", "diskH", "gni", 3, HEIGHT}};
    static const char *const runs[] = {"cay_S0", "cay_S1", "exp_S0", "exp_S1"};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        cJSON *root = ref_load(list[i].file);
        const cJSON *part = list[i].part[0] ? ref_get(root, list[i].part) : root;
        test_system t;
        energy_system_make(&t, list[i].name);
        for (int k = 0; k < 8; k++) {
            char key[16];
            snprintf(key, sizeof key, "%s%s", list[i].prefix, runs[k / 2]);
            follow(&list[i], &t, ref_get(ref_get(part, "discrete"), key), key, k % 2);
        }
        cJSON_Delete(root);
    }
}

static void test_unconstrained(void **state)
{
    (void)state;
    static const char *const methods[] = {"variational", "gni", "variational:midpoint", "variational:trapezoidal"};
    cJSON *root = ref_load("rigid_so3_rigid_body.json");
    test_system t;
    lg_model *M = model_with(&t, "heavy-top", NULL);
    for (int k = 0; k < 16; k++) {
        const int heavy = k % 2;
        const body_case b = {"", "", "", heavy ? "heavy_top" : "free_rigid_body", methods[k / 4], 0, 0};
        const cJSON *part = ref_get(root, b.name);
        test_system body = t;
        if (heavy && k / 4 == 2) continue; /* the file has the trapezoidal rule */
        if (!heavy)
            body.S.callbacks.potential = NULL, body.S.callbacks.potential_gradient = NULL,
            body.S.callbacks.potential_hessian = NULL;
        ref_exactly(body.xi0, 3, part, "Omega0");
        const char *key = k / 2 % 2 ? "exp" : "cay";
        follow(&b, &body, ref_get(ref_get(part, "discrete"), key), key, 0);
    }
    lg_model_destroy(M);
    cJSON_Delete(root);
}

int main(void)
{
    suite_begin("longer runs against the reference");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_constrained), cmocka_unit_test(test_unconstrained)};
    return cmocka_run_group_tests_name("rigid", tests, NULL, NULL);
}
