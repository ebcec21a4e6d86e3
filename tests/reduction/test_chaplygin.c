/* SPDX-License-Identifier: BSD-3-Clause */
/* The midpoint RDLA of Chaplygin systems against DLA of the engine on the whole group, and reference states; then wrong
 * input. Its equations and forces: claims/cortes2001/chaplygin.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chaplygin_systems.h"
#include "matrix.h"
#include "reference.h"
#include "runs.h"

static lg_chaplygin *open_case(const chaplygin_case *t, const char *retraction, double h)
{
    lg_chaplygin *o = NULL;
    lg_status st = lg_chaplygin_create(&o, &t->S, t->shape, t->count, retraction, h);
    if (st == LG_OK) st = lg_chaplygin_start(o, 0, t->g0, t->v0);
    if (st != LG_OK) suite_fail("%s: %s", t->name, lg_chaplygin_message(o));
    return o;
}

static void steps(lg_chaplygin *o, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (lg_chaplygin_step(o) != LG_OK) suite_fail("step: %s", lg_chaplygin_message(o));
}

/* The whole velocity (v0, -A v0), from the rows alone. */
static void horizontal(const chaplygin_case *t, double *xi)
{
    double rows[SUITE_MATRIX], B[SUITE_MATRIX], rhs[SUITE_DIM] = {0}, y[SUITE_DIM], unused[SUITE_DIM];
    int n = t->S.group->dim, d = t->S.constraint_count, at = 0, fibre[SUITE_DIM];
    for (int i = 0; i < n; i++) {
        int taken = 0;
        for (int b = 0; b < t->count; b++) taken |= t->shape[b] == i;
        if (!taken) fibre[at++] = i;
    }
    system_rows(&t->S, 0, t->g0, rows, unused);
    for (int b = 0; b < t->count; b++) xi[t->shape[b]] = t->v0[b];
    for (int a = 0; a < d; a++) {
        for (int k = 0; k < d; k++) B[a * d + k] = rows[a * n + fibre[k]];
        for (int b = 0; b < t->count; b++) rhs[a] -= rows[a * n + t->shape[b]] * t->v0[b];
    }
    if (!mat_solve(y, B, rhs, d)) suite_fail("no connection");
    for (int a = 0; a < d; a++) xi[fibre[a]] = y[a];
}

/* Distance on the group, by the logarithm, so that angles may wrap. */
static double apart(const lg_group *G, const double *a, const double *b)
{
    double d = NAN;
    suite_ok("distance", lg_group_distance(G, &d, a, b));
    return d;
}

/* ---- theorem 5.5 ---- */

static const char *const retractions[] = {"exp", "cayley", "second-kind", "exp:order=2"};

/* The reduced step and its reconstruction are DLA of the engine. Round-off of a Newton step is a few eps, and 40 steps
 * of a system with exponents near 1 multiply it by at most e^{40 h} = e^4; with differences for the slopes another
 * 1e-12 a step. */
static void against_dla(const chaplygin_case *t, const char *retraction)
{
    double xi0[SUITE_DIM], p[SUITE_DIM], h = 0.1;
    const int n = t->S.group->dim, d = t->S.constraint_count;
    const double tolerance = t->S.callbacks.potential && !t->S.callbacks.potential_gradient ? 1e-10 : 1e-12;
    lg_chaplygin *o = open_case(t, retraction, h);
    suite_case("%s, %s", t->name, retraction);
    horizontal(t, xi0);
    lg_integrator *it = run_start_at(&t->S, "dla:midpoint", retraction, h, 0, t->g0, xi0);
    for (int k = 1; k <= 40; k++) {
        steps(o, 1);
        run_steps(it, 1);
        suite_ok("p+", lg_chaplygin_momentum_plus(o, p));
        suite_below("configuration", apart(t->S.group, lg_chaplygin_configuration(o), lg_integrator_configuration(it)),
                    tolerance);
        suite_near("p+", p, lg_integrator_momentum_plus(it), n, tolerance, 5);
        suite_near("step velocity", lg_chaplygin_step_velocity(o), lg_integrator_step_velocity(it), n, 10 * tolerance,
                   5);
        suite_near("multipliers", lg_chaplygin_multipliers(o), lg_integrator_multipliers(it), d, 20 * tolerance, 5);
        suite_near1("energy", lg_chaplygin_energy(o), lg_integrator_energy(it), 10 * tolerance, 10);
    }
    run_end(&it);
    lg_chaplygin_destroy(o);
}

static void test_equals_dla(void **state)
{
    (void)state;
    for (int i = 0; i < CHAPLYGIN_CASES; i++)
        for (int k = 0; k < 3; k++) {
            chaplygin_case t;
            chaplygin_make(&t, chaplygin_names[i]);
            against_dla(&t, retractions[k]);
        }
}

/* ---- reference states ---- */

/* The reference's lambda is the impulse at q_k, -h times the force, known here after the step that leaves q_k. */
static void against_reference(const char *file, const char *name)
{
    chaplygin_case t;
    double q0[3], v0[3], want[3], p[3], impulse;
    cJSON *root = ref_load(file);
    const cJSON *node;
    chaplygin_make(&t, name);
    ref_exactly(q0, 3, root, "q0");
    ref_exactly(v0, 3, root, "v0");
    memcpy(t.g0, q0, sizeof q0);
    memcpy(t.v0, v0, sizeof t.v0 / 2);
    lg_chaplygin *o = open_case(&t, "exp", ref_number(ref_get(root, "h")));
    cJSON_ArrayForEach(node, ref_get(ref_get(ref_get(root, "methods"), "dla_mid"), "states"))
    {
        int k = atoi(node->string);
        double tolerance = 1e-14 * (10 + k), scale; /* round-off a step, and growth linear in k */
        suite_case("%s, step %d", name, k);
        steps(o, k - lg_chaplygin_step_index(o));
        ref_exactly(want, 3, node, "q");
        scale = fmax(1, mat_norm(want, 3));
        suite_near("q", lg_chaplygin_configuration(o), want, 3, tolerance, scale);
        ref_exactly(want, 3, node, "p_plus");
        suite_ok("p+", lg_chaplygin_momentum_plus(o, p));
        suite_near("p+", p, want, 3, tolerance, scale);
        if (!cJSON_GetObjectItem(node, "lam")) continue;
        ref_exactly(want, 1, node, "lam");
        steps(o, 1);
        impulse = -lg_chaplygin_multipliers(o)[0] * 0.1;
        suite_near1("lambda", impulse, want[0], tolerance, scale);
    }
    lg_chaplygin_destroy(o);
    cJSON_Delete(root);
}

static void test_reference(void **state)
{
    (void)state;
    against_reference("planar_particle_quad.json", "particle");
    against_reference("planar_particle_free.json", "free");
}

/* ---- wrong input ---- */

static void refused(const char *what, const lg_system *S, const int *shape, int count, const char *retraction, double h,
                    lg_status want, const char *part)
{
    lg_chaplygin *o = NULL;
    double x[4] = {0};
    suite_case("%s", what);
    suite_status("create", lg_chaplygin_create(&o, S, shape, count, retraction, h), want);
    suite_contains("message", lg_chaplygin_message(o), part);
    suite_status("start", lg_chaplygin_start(o, 0, x, x), LG_ERROR_ARGUMENT);
    suite_status("step", lg_chaplygin_step(o), LG_ERROR_ARGUMENT);
    if (!isnan(lg_chaplygin_energy(o)) || lg_chaplygin_configuration(o)) suite_fail("something to read");
    lg_chaplygin_destroy(o);
}

static int nothing(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)c, (void)g, (void)xi, (void)f;
    return 0;
}

static void test_refusals(void **state)
{
    (void)state;
    chaplygin_case t, knot;
    static const int twice[2] = {1, 1}, outside[2] = {0, 3}, one[1] = {0}, turning[2] = {0, 2};
    chaplygin_make(&t, "particle");
    chaplygin_make(&knot, "knot");
    refused("shape NULL", &t.S, NULL, 2, "exp", 0.1, LG_ERROR_ARGUMENT, "shape is NULL");
    refused("a direction twice", &t.S, twice, 2, "exp", 0.1, LG_ERROR_ARGUMENT, "both 1");
    refused("a direction outside", &t.S, outside, 2, "exp", 0.1, LG_ERROR_ARGUMENT, "expected 0 to 2");
    refused("too few rows", &t.S, one, 1, "exp", 0.1, LG_ERROR_ARGUMENT, "1 shape directions and 1 rows");
    refused("no shape", &t.S, one, 0, "exp", 0.1, LG_ERROR_ARGUMENT, "0 shape directions");
    refused("shape on SO(3)", &knot.S, turning, 2, "exp", 0.1, LG_ERROR_ARGUMENT, "SO(3)");
    refused("h = 0", &t.S, t.shape, 2, "exp", 0, LG_ERROR_ARGUMENT, "step h is 0");
    refused("h NaN", &t.S, t.shape, 2, "exp", NAN, LG_ERROR_ARGUMENT, "step h is");
    refused("retraction", &t.S, t.shape, 2, "euler", 0.1, LG_ERROR_ARGUMENT, "unknown retraction 'euler'");
    refused("no system", NULL, t.shape, 2, "exp", 0.1, LG_ERROR_ARGUMENT, "NULL");
    t.S.callbacks.force = nothing;
    refused("a force", &t.S, t.shape, 2, "exp", 0.1, LG_ERROR_UNSUPPORTED, "a force");
    t.S.callbacks.force = NULL, t.S.callbacks.time_dependent = 1;
    refused("time", &t.S, t.shape, 2, "exp", 0.1, LG_ERROR_UNSUPPORTED, "time dependence");
    suite_status("NULL", lg_chaplygin_create(NULL, &t.S, t.shape, 2, "exp", 0.1), LG_ERROR_ARGUMENT);
    suite_contains("NULL", lg_chaplygin_message(NULL), "memory");
    lg_chaplygin_destroy(NULL);
}

/* One callback of the particle goes wrong on request. */
typedef struct fault {
    long calls, at; /* fails at call `at` */
    int code;       /* returned, or 0 for a NaN */
    int drifts;     /* there is a drift */
    int lifts;      /* V (1), the rows (2) or the metric (3) depend on z */
} fault;

static int faulty_V(const lg_call *c, const double *g, double *V)
{
    const fault *f = c->context;
    *V = g[0] * g[0] + g[1] * g[1] + (f->lifts == 1 ? 0.1 * g[2] : 0);
    return 0;
}

static int faulty_dV(const lg_call *c, const double *g, double *dV)
{
    fault *f = (fault *)c->context; /* the test's own, not constant */
    dV[0] = 2 * g[0], dV[1] = 2 * g[1];
    if (f->calls++ != f->at) return 0;
    if (!f->code) dV[0] = NAN;
    return f->code;
}

static int faulty_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const fault *f = c->context;
    mu[0] = -g[1], mu[2] = fabs(g[0]) > 1e3 ? 0 : 1;
    if (f->drifts) Y[0] = 0.3;
    if (f->lifts == 2) mu[1] = 0.1 * g[2];
    return 0;
}

static int faulty_metric(const lg_call *c, const double *g, double *J)
{
    const fault *f = c->context;
    mat_identity(J, 3);
    if (f->lifts == 3) J[4] += 0.1 * g[2] * g[2];
    return 0;
}

static void test_starts_refused(void **state)
{
    (void)state;
    chaplygin_case t;
    lg_chaplygin *o = NULL;
    fault f = {.at = -1};
    double v[2] = {1, 0}, far[3] = {1e4, 0, 0}, off[6] = {0, 0, 0, 0, 0, 1.1};
    chaplygin_make(&t, "particle");
    t.S.context = &f, t.S.callbacks.potential = faulty_V, t.S.callbacks.potential_gradient = faulty_dV,
    t.S.callbacks.covectors = faulty_rows;
    t.S.inertia_diagonal = NULL, t.S.callbacks.metric = faulty_metric;
    suite_case("starts");
    suite_ok("create", lg_chaplygin_create(&o, &t.S, t.shape, 2, NULL, 0.1));
    suite_status("not started", lg_chaplygin_step(o), LG_ERROR_ARGUMENT);
    suite_contains("not started", lg_chaplygin_message(o), "lg_chaplygin_start()");
    suite_status("NULL", lg_chaplygin_start(o, 0, NULL, v), LG_ERROR_ARGUMENT);
    v[1] = NAN;
    suite_status("NaN", lg_chaplygin_start(o, 0, t.g0, v), LG_ERROR_NOT_FINITE);
    v[1] = 0;
    suite_status("no connection", lg_chaplygin_start(o, 0, far, v), LG_ERROR_SINGULAR);
    suite_contains("no connection", lg_chaplygin_message(o), "no connection");
    static const char *const what[3] = {"the potential changes along", "the connection changes along",
                                        "the metric changes along"};
    for (f.lifts = 1; f.lifts <= 3; f.lifts++) {
        suite_status("depends on z", lg_chaplygin_start(o, 0, t.g0, v), LG_ERROR_ARGUMENT);
        suite_contains("depends on z", lg_chaplygin_message(o), what[f.lifts - 1]);
    }
    f.lifts = 0, f.drifts = 1;
    suite_status("drift", lg_chaplygin_start(o, 0, t.g0, v), LG_ERROR_UNSUPPORTED);
    f.drifts = 0;
    suite_ok("start", lg_chaplygin_start(o, 0, t.g0, v));
    suite_contains("message", lg_chaplygin_message(o), "");
    suite_status("tolerance", lg_chaplygin_set_newton(o, 0, 5), LG_ERROR_ARGUMENT);
    suite_status("iterations", lg_chaplygin_set_newton(o, 1e-8, 0), LG_ERROR_ARGUMENT);
    suite_ok("settings", lg_chaplygin_set_newton(o, 1e-12, 1));
    suite_status("one iteration", lg_chaplygin_step(o), LG_ERROR_CONVERGENCE);
    suite_contains("one iteration", lg_chaplygin_message(o), "did not converge after 1");
    lg_chaplygin_destroy(o);
    chaplygin_make(&t, "knot");
    suite_ok("create", lg_chaplygin_create(&o, &t.S, t.shape, 2, "exp", 0.1));
    suite_status("off SO(3)", lg_chaplygin_start(o, 0, off, v), LG_ERROR_ARGUMENT);
    suite_contains("off SO(3)", lg_chaplygin_message(o), "off the group");
    lg_chaplygin_destroy(o);
}

/* A callback fails at each of its calls in a step: the state keeps every bit, and the run continues as without the
 * failure. */
static void test_failed_step_leaves_the_state(void **state)
{
    (void)state;
    for (int code = 0; code <= 7; code += 7) {
        chaplygin_case t;
        lg_chaplygin *o = NULL, *calm = NULL;
        fault f = {.at = -1}, none = {.at = -1};
        double g[3], P[2], p[3], again[3];
        chaplygin_make(&t, "particle");
        t.S.callbacks.potential = faulty_V, t.S.callbacks.potential_gradient = faulty_dV,
        t.S.callbacks.covectors = faulty_rows, t.S.context = &none;
        calm = open_case(&t, "exp", 0.1);
        t.S.context = &f;
        o = open_case(&t, "exp", 0.1);
        steps(o, 3);
        steps(calm, 3);
        memcpy(g, lg_chaplygin_configuration(o), sizeof g);
        memcpy(P, lg_chaplygin_momentum(o), sizeof P);
        suite_ok("p+", lg_chaplygin_momentum_plus(o, p));
        long failures = 0;
        for (long at = 0;; at++, failures++) {
            suite_case("code %d, call %ld", code, at);
            f.calls = 0, f.at = at, f.code = code;
            lg_status st = lg_chaplygin_step(o);
            if (st == LG_OK) break;
            suite_status("step", st, code ? LG_ERROR_CALLBACK : LG_ERROR_NOT_FINITE);
            suite_contains("message", lg_chaplygin_message(o), code ? "potential_gradient returned 7" : "not finite");
            suite_same_bits("g", lg_chaplygin_configuration(o), g, 3);
            suite_same_bits("P", lg_chaplygin_momentum(o), P, 2);
            suite_ok("p+", lg_chaplygin_momentum_plus(o, again));
            suite_same_bits("p+", again, p, 3);
            if (lg_chaplygin_step_index(o) != 3) suite_fail("a failed step was counted");
        }
        suite_above("failures", (double)failures, 4);
        steps(calm, 1);
        suite_same_bits("next g", lg_chaplygin_configuration(o), lg_chaplygin_configuration(calm), 3);
        lg_chaplygin_destroy(o);
        lg_chaplygin_destroy(calm);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(test_reference),

        cmocka_unit_test(test_refusals), cmocka_unit_test(test_starts_refused),
        cmocka_unit_test(test_failed_step_leaves_the_state), cmocka_unit_test(test_equals_dla)};
    suite_begin("Chaplygin systems");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
