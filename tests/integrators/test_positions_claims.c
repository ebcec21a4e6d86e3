/* SPDX-License-Identifier: BSD-3-Clause */
/* What holonomic constraints under a discrete Lagrangian keep (docs/theory.md section 7): RATTLE is symplectic and
 * keeps the momenta of symmetries; on R^3 x SO(3) with z = f(R) it is the step on R^2 x SO(3) with z eliminated from
 * L_d, whose states are known (rigid_disk.json, {B}). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/runs.h"

static const char *const retractions[] = {"exp", "cayley"};

/* Without velocity rows: the disk slides, the trailer's wheels are castors. */
static void make_free(test_system *t, const char *name)
{
    energy_system_make(t, name);
    t->S.constraint_count = 0;
    t->S.callbacks.covectors = NULL, t->S.callbacks.covectors_derivative = NULL, t->S.covector_matrix = NULL;
}

/* ---- symplectic: <dp_1, g_2> - <dp_2, g_1> - <p, [g_1, g_2]> is the same after a step ---- */

typedef struct phase {
    double g[SUITE_ELEMENT], p[SUITE_DIM];
} phase;

typedef struct tangent {
    double g[SUITE_DIM], p[SUITE_DIM];
} tangent;

static void look(phase *s, const lg_integrator *it)
{
    const lg_group *G = lg_integrator_group(it);
    memcpy(s->g, lg_integrator_configuration(it), sizeof(double) * (size_t)lg_group_element_size(G));
    memcpy(s->p, lg_integrator_momentum(it), sizeof(double) * (size_t)lg_group_dim(G));
}

/* The states before and after three steps, from the initial data moved by e along (eta, v) and projected. */
static void moved(phase *before, phase *after, const test_system *t, lg_integrator *it, double e, const double *eta,
                  const double *v)
{
    const lg_group *G = t->S.group;
    const int n = lg_group_dim(G);
    double g[SUITE_ELEMENT], W[SUITE_ELEMENT], x[SUITE_DIM], xi[SUITE_DIM];
    for (int i = 0; i < n; i++) x[i] = e * eta[i], xi[i] = t->xi0[i] + e * v[i];
    suite_ok("exp", lg_group_exp(G, W, x));
    suite_ok("compose", lg_group_compose(G, g, t->g0, W));
    if (lg_integrator_start(it, 0.2, g, xi, LG_START_LEGENDRE, 1) != LG_OK)
        suite_fail("start: %s", lg_integrator_message(it));
    look(before, it);
    run_steps(it, 3);
    look(after, it);
}

static void add_difference(tangent *d, const lg_group *G, double weight, const phase *centre, const phase *s)
{
    double W[SUITE_ELEMENT], eta[SUITE_DIM];
    suite_ok("inverse", lg_group_inverse(G, W, centre->g));
    suite_ok("compose", lg_group_compose(G, W, W, s->g));
    suite_ok("log", lg_group_log(G, eta, W));
    for (int i = 0; i < lg_group_dim(G); i++) d->g[i] += weight * eta[i], d->p[i] += weight * s->p[i];
}

static double two_form(const lg_group *G, const double *p, const tangent *a, const tangent *b)
{
    double bracket[SUITE_DIM];
    const int n = lg_group_dim(G);
    suite_ok("ad", lg_group_ad_apply(G, bracket, a->g, b->g));
    return mat_dot(a->p, b->g, n) - mat_dot(b->p, a->g, n) - mat_dot(p, bracket, n);
}

/* The largest change over pairs of random directions, and the largest form. */
static double symplectic_defect(const test_system *t, const char *method, const char *retraction, double *size)
{
    enum { DIRECTIONS = 6 };
    static const double e = 2e-4, at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    const lg_group *G = t->S.group;
    lg_rng rng = suite_rng(72);
    tangent before[DIRECTIONS], after[DIRECTIONS];
    phase b0, a0, b, a;
    double eta[SUITE_DIM] = {0}, v[SUITE_DIM] = {0}, worst = 0;
    lg_integrator *it = NULL;
    if (lg_integrator_create(&it, &t->S, method, retraction, t->h) != LG_OK)
        suite_fail("%s", lg_integrator_message(it));
    moved(&b0, &a0, t, it, 0, eta, v);
    memset(before, 0, sizeof before), memset(after, 0, sizeof after);
    for (int j = 0; j < DIRECTIONS; j++) {
        suite_normal(eta, lg_group_dim(G), &rng), suite_normal(v, lg_group_dim(G), &rng);
        for (int s = 0; s < 4; s++) {
            moved(&b, &a, t, it, at[s] * e, eta, v);
            add_difference(&before[j], G, weight[s] / (12 * e), &b0, &b);
            add_difference(&after[j], G, weight[s] / (12 * e), &a0, &a);
        }
    }
    *size = 0;
    for (int j = 0; j < DIRECTIONS; j++)
        for (int k = 0; k < j; k++) {
            const double w = two_form(G, b0.p, &before[j], &before[k]);
            worst = fmax(worst, fabs(two_form(G, a0.p, &after[j], &after[k]) - w));
            *size = fmax(*size, fabs(w));
        }
    run_end(&it);
    return worst;
}

/* A metric that bends, beside the rod: J = diag(1 + 0.3 x^2, 1.3, 1.6 + 0.2 sin y). */
static int bent_metric(const lg_call *c, const double *q, double *J)
{
    (void)c;
    J[0] = 1 + 0.3 * q[0] * q[0];
    J[4] = 1.3;
    J[8] = 1.6 + 0.2 * sin(q[1]);
    return 0;
}

static int bent_slope(const lg_call *c, const double *q, const double *v, double *out)
{
    (void)c;
    out[0] = 0.3 * q[0] * v[0] * v[0];
    out[1] = 0.1 * cos(q[1]) * v[2] * v[2];
    return 0;
}

static void test_symplectic(void **state)
{
    (void)state;
    static const char *const names[] = {"sphp", "dsp", "movpend", "diskH", "trailer", "bent"};
    static const char *const methods[] = {
        "rattle",       "variational:midpoint", "variational:symmetric-alpha=0.2", "variational:euler-a",
        "dla:midpoint", "rattle@suzuki4"};
    for (int i = 0; i < 6; i++)
        for (int r = 0; r < 2; r++) {
            test_system t;
            double size;
            make_free(&t, i == 5 ? "sphp" : names[i]);
            if (i == 5)
                t.S.inertia_diagonal = NULL, t.S.callbacks.metric = bent_metric,
                t.S.callbacks.metric_gradient = bent_slope;
            for (int k = 0; k < 6; k++) {
                suite_case("two-form of %s, %s, %s", names[i], methods[k], retractions[r]);
                const double defect = symplectic_defect(&t, methods[k], retractions[r], &size);
                suite_below("change", defect, 1e-8 * size);
                suite_above("size", size, 0.1);
            }
            suite_case("two-form of %s, sem, %s", names[i], retractions[r]); /* it keeps the energy instead */
            if (i < 2 || i == 5) suite_above("change", symplectic_defect(&t, "sem", retractions[r], &size), 1e-5);
        }
}

/* ---- momenta ---- */

/* Angular momentum about the vertical of masses in space; for the disk the horizontal momentum, what is left of the
 * angular momentum about the vertical in space, and the spin about its axis. */
static int momenta(const test_system *t, const lg_integrator *it, double *out)
{
    const double *q = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    double R[9];
    if (t->S.group->kind == LG_KIND_RN) {
        out[0] = 0;
        for (int i = 0; i < lg_group_dim(t->S.group); i += 3) out[0] += q[i] * p[i + 1] - q[i + 1] * p[i];
        return 1;
    }
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, q + 3));
    out[0] = p[0], out[1] = p[1];
    out[2] = q[0] * p[1] - q[1] * p[0] + mat_dot(R + 6, p + 3, 3);
    out[3] = p[5];
    return 4;
}

static void test_momenta(void **state)
{
    (void)state;
    static const char *const names[] = {"sphs", "dsp", "diskH"};
    static const char *const methods[] = {"rattle", "variational:midpoint", "gni", "gni-r", "dla", "dla:trapezoidal"};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 12; k++) {
            test_system t;
            double before[4], now[4], worst = 0;
            make_free(&t, names[i]);
            suite_case("momenta of %s, %s, %s", t.name, methods[k / 2], retractions[k % 2]);
            lg_integrator *it = run_start(&t, methods[k / 2], retractions[k % 2], t.h);
            const int count = momenta(&t, it, before);
            for (int step = 0; step < suite_count(3000); step++) {
                run_steps(it, 1);
                momenta(&t, it, now);
                worst = fmax(worst, suite_distance(now, before, count));
            }
            suite_below("change", worst, 1e-11); /* what the solver leaves, 3000 times */
            run_end(&it);
        }
}

/* Bounded energy error over a long run, a quarter of it for half the step. */
static void test_energy(void **state)
{
    (void)state;
    static const char *const names[] = {"sphp", "dsp"};
    for (int i = 0; i < 2; i++) {
        test_system t;
        run_extremes w[2];
        energy_system_make(&t, names[i]);
        suite_case("energy of %s, rattle", names[i]);
        for (int k = 0; k < 2; k++) {
            lg_integrator *it = run_start(&t, "rattle", "exp", k == 0 ? 0.1 : 0.05);
            w[k] = run_watch(it, 5000 << k, 0);
            run_end(&it);
        }
        suite_near1("ratio", w[0].energy / w[1].energy, 4, 0.3, 1);
        suite_near1("last quarter", w[0].last, w[0].energy, 0.3, w[0].energy);
    }
}

/* ---- the disk with its height eliminated ---- */

static const char *const runs[] = {"cay_S0", "cay_S1", "exp_S0", "exp_S1"};

/* Momenta of {B} are those on T(R^2 x SO(3)): p_M(B) = p_M + c p_z where c = df, and phi = z - f has d phi = (e_3, -c).
 */
static void disk_momentum(const test_system *t, const double *g, const double *p, double *out)
{
    double A[18], b[3];
    system_rows(&t->S, 0, g, A, b); /* the first row is d phi */
    out[0] = p[0], out[1] = p[1];
    for (int i = 0; i < 3; i++) out[2 + i] = p[3 + i] - A[3 + i] * p[2];
}

static void near_vector(const char *what, const double *got, const double *want, int n, double tolerance)
{
    double scale = 1;
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(want[i]));
    suite_near(what, got, want, n, tolerance, scale);
}

static void check_disk(const test_system *t, const lg_integrator *it, const cJSON *state, double tolerance)
{
    double want[9], R[9], p[5];
    const double *g = lg_integrator_configuration(it);
    ref_exactly(want, 2, state, "x");
    near_vector("x", g, want, 2, tolerance);
    ref_exactly(want, 9, state, "R");
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g + 3));
    near_vector("R", R, want, 9, tolerance);
    ref_exactly(want, 5, state, "p_minus");
    disk_momentum(t, g, lg_integrator_momentum_minus(it), p);
    near_vector("p-", p, want, 5, tolerance);
    ref_exactly(want, 5, state, "p_tilde");
    disk_momentum(t, g, lg_integrator_momentum(it), p);
    near_vector("p~", p, want, 5, tolerance);
    suite_near1("H(p~)", lg_integrator_energy(it), ref_number(ref_get(state, "energy_tilde")), tolerance, 22);
}

static void test_disk(void **state)
{
    (void)state;
    cJSON *root = ref_load("rigid_disk.json");
    test_system t;
    energy_system_make(&t, "diskH");
    for (int k = 0; k < 4; k++)
        for (int by_momentum = 0; by_momentum < 2; by_momentum++) {
            char key[16];
            double p_minus[5], p[6], got[5];
            const cJSON *item;
            snprintf(key, sizeof key, "B_%s", runs[k]);
            const cJSON *run = ref_get(ref_get(root, "discrete"), key);
            ref_exactly(p_minus, 5, run, "p_minus_0");
            suite_case("disk %s", key);
            lg_integrator *it = run_start(&t, "gni", k < 2 ? "cayley" : "exp", ref_number(ref_get(run, "h")));
            const double whole[6] = {p_minus[0], p_minus[1], 0,
                                     p_minus[2], p_minus[3], p_minus[4]}; /* up to a multiple of d phi */
            memcpy(p, whole, sizeof p);
            lg_status st =
                by_momentum ? lg_integrator_start_momentum(it, 0, t.g0, p)
                            : lg_integrator_start(it, 0, t.g0, t.xi0, k % 2 ? LG_START_REACTION : LG_START_LEGENDRE, 0);
            suite_ok("start", st);
            disk_momentum(&t, t.g0, lg_integrator_momentum_minus(it), got);
            near_vector("p-_0", got, p_minus, 5, 1e-14);
            cJSON_ArrayForEach(item, ref_get(run, "states"))
            {
                const int steps = ref_get(item, "k")->valueint;
                suite_case("disk %s, step %d", key, steps);
                run_steps(it, steps - lg_integrator_step_index(it));
                check_disk(&t, it, item, 1e-14 * (10 + steps));
            }
            assert_int_equal(lg_integrator_step_index(it), 50);
            run_end(&it);
        }
    cJSON_Delete(root);
}

int main(void)
{
    suite_begin("claims on holonomic constraints");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symplectic),
        cmocka_unit_test(test_momenta),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_disk),
    };
    return cmocka_run_group_tests_name("positions_claims", tests, NULL, NULL);
}
