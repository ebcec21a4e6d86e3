/* SPDX-License-Identifier: BSD-3-Clause */
/* Second derivatives of a step, contracted with weights: against second differences of order eight of steps along
 * random directions; their symmetry along two directions in turn; those of the engine against differences of gradients,
 * and their bits at every width; what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/catalog/catalog.h>
#include <liegrp/liegrp.h>

#include "integrators/linearisation/linearisation.h"
#include "support/suite.h"

enum { SIZE = 32, POINTS = 4, DIRECTIONS = 6 };

static lg_rng rng;
static const double second[POINTS + 1] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

typedef struct step {
    const lg_system *S;
    lg_integrator *it;
    int n, e, controls, columns, rows;
    double g[SIZE], p[SIZE], u[SIZE], h, g1[SIZE], weights[SIZE];
} step;

static void begin(step *s, lg_model **M, const char *system, const char *method)
{
    double g0[SIZE], xi0[SIZE];
    suite_ok("model", lg_catalog_create(M, system));
    suite_ok("system", lg_model_system(*M, &s->S));
    suite_ok("initial", lg_model_initial(*M, g0, xi0, NULL));
    s->h = lg_model_default_step(*M);
    suite_ok("create", lg_integrator_create(&s->it, s->S, method, "exp", s->h));
    suite_ok("start", lg_integrator_start(s->it, 0, g0, xi0, LG_START_REACTION, 1));
    s->n = lg_group_dim(s->S->group), s->e = lg_group_element_size(s->S->group);
    s->controls = s->S->callbacks.control_count;
    for (int i = 0; i < s->controls; i++) s->u[i] = 0.3 - 0.2 * i;
    if (s->controls > 0) suite_ok("control", lg_integrator_set_control(s->it, s->u));
    suite_ok("run", lg_integrator_run(s->it, 3, 1, NULL, NULL));
    memcpy(s->g, lg_integrator_configuration(s->it), (size_t)s->e * sizeof *s->g);
    memcpy(s->p, lg_integrator_carried(s->it), (size_t)s->n * sizeof *s->p);
}

/* The weighted outputs of the step from the state displaced by x = (eta, p, u, h), in the chart about g1. */
static double value(step *s, const double *x)
{
    double g[SIZE], p[SIZE], u[SIZE], r[SIZE], sum = 0;
    suite_ok("displace", lg_group_right_plus(s->S->group, g, s->g, x));
    for (int i = 0; i < s->n; i++) p[i] = s->p[i] + x[s->n + i];
    for (int i = 0; i < s->controls; i++) u[i] = s->u[i] + x[2 * s->n + i];
    suite_ok(lg_integrator_message(s->it), lg_integrator_place(s->it, s->h + x[2 * s->n + s->controls], 0, g, p, u));
    suite_ok(lg_integrator_message(s->it), lg_integrator_step(s->it));
    suite_ok("difference", lg_group_right_minus(s->S->group, r, lg_integrator_configuration(s->it), s->g1));
    for (int i = 0; i < s->n; i++) sum += s->weights[i] * r[i] + s->weights[s->n + i] * lg_integrator_carried(s->it)[i];
    return sum;
}

/* A direction; momenta differ as those of allowed velocities do. */
static void direction(step *s, double *v)
{
    double xi[SIZE], p[2][SIZE];
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < s->n; i++) xi[i] = (2 * lg_rng_uniform(&rng) - 1);
        suite_ok("start", lg_integrator_start(s->it, 0, s->g, xi, LG_START_LEGENDRE, 1));
        memcpy(p[side], lg_integrator_momentum(s->it), (size_t)s->n * sizeof(double));
    }
    for (int i = 0; i < s->n; i++) v[i] = (2 * lg_rng_uniform(&rng) - 1), v[s->n + i] = 0.5 * (p[0][i] - p[1][i]);
    for (int i = 0; i < s->controls; i++) v[2 * s->n + i] = (2 * lg_rng_uniform(&rng) - 1);
    v[2 * s->n + s->controls] = 0.3 * s->h * (2 * lg_rng_uniform(&rng) - 1);
}

static void check(const char *system, const char *method, double within)
{
    static double H[SIZE * SIZE], part[SIZE * SIZE];
    static step s;
    lg_model *M;
    lg_linearisation *lin;
    double x[SIZE] = {0}, v[SIZE] = {0}, off = 0, size = 0, turned = 0;
    suite_case("%s, %s", system, method);
    rng = suite_rng(7);
    memset(&s, 0, sizeof s);
    begin(&s, &M, system, method);
    suite_ok("create", lg_linearisation_create(&lin, s.it));
    s.columns = lg_linearisation_columns(lin), s.rows = lg_linearisation_rows(lin);
    assert_true(s.columns <= SIZE && s.rows <= SIZE);
    for (int i = 0; i < 2 * s.n; i++) s.weights[i] = (2 * lg_rng_uniform(&rng) - 1);
    suite_ok("place", lg_integrator_place(s.it, s.h, 0, s.g, s.p, s.u));
    suite_ok(lg_linearisation_message(lin), lg_linearisation_curvature(lin, H, s.it, s.weights, s.columns));
    suite_below("symmetric before it is made so", lg_linearisation_error(lin), 1e-8);
    suite_ok("a part", lg_linearisation_curvature(lin, part, s.it, s.weights, s.n));
    for (int i = 0; i < s.n; i++) suite_same_bits("the first inputs", part + i * s.n, H + i * s.columns, s.n);
    for (int i = 0; i < s.columns; i++)
        for (int j = 0; j < i; j++) turned = fmax(turned, fabs(H[i * s.columns + j] - H[j * s.columns + i]));
    if (turned > 0) suite_fail("H is not symmetric");
    suite_ok("step", lg_integrator_step(s.it));
    memcpy(s.g1, lg_integrator_configuration(s.it), (size_t)s.e * sizeof *s.g1);
    for (int d = 0; d < DIRECTIONS; d++) {
        double sum = 0, want = 0;
        const double e = 1.0 / 24;
        direction(&s, v);
        for (int k = -POINTS; k <= POINTS; k++) {
            for (int i = 0; i < s.columns; i++) x[i] = k * e * v[i];
            sum += second[k < 0 ? -k : k] * value(&s, x) / (e * e);
        }
        for (int i = 0; i < 2 * s.n + s.controls + 1; i++)
            for (int j = 0; j < 2 * s.n + s.controls + 1; j++) want += v[i] * H[i * s.columns + j] * v[j];
        off = fmax(off, fabs(sum - want)), size = fmax(size, fabs(want));
    }
    suite_below("second differences", off / size, within);
    lg_linearisation_destroy(lin);
    lg_integrator_destroy(s.it);
    lg_model_destroy(M);
}

static void steps(void **unused)
{
    (void)unused;
    check("rigid-body", "sem", 2e-10), check("rigid-body", "gni", 2e-10), check("rigid-body", "gauss", 2e-10);
    check("heavy-top", "sem", 2e-10), check("heavy-top", "variational", 2e-10), check("suslov", "sem", 2e-10);
    check("chaplygin-sleigh", "sem", 2e-10), check("two-wheeled-robot", "sem", 2e-10);
    check("heavy-top", "rkmk4", 2e-10);
}

#ifdef LG_TANGENTS
/* The engine's second derivatives, and differences of gradients in their place, with respect to state, controls, h. */
static void compare(const char *system, const char *method, double within)
{
    static const char *const widths[] = {"2", "4", "8"};
    static double H[4][SIZE * SIZE];
    static step s;
    lg_model *M;
    double off = 0, size = 0;
    suite_case("%s, %s", system, method);
    memset(&s, 0, sizeof s);
    begin(&s, &M, system, method);
    const int count = 2 * s.n + s.controls + 1;
    for (int i = 0; i < 2 * s.n; i++) s.weights[i] = cos(1.3 * i + 0.4);
    for (int w = 0; w < 4; w++) {
        lg_linearisation *lin;
        if (w < 3) setenv("LIEGRP_WIDTH", widths[w], 1);
        suite_ok("create", lg_linearisation_create(&lin, s.it));
        assert_int_equal(lg_curved_inputs(lin, count), count);
        if (w == 3) lin->exact.curved = NULL;
        suite_ok(lg_linearisation_message(lin), lg_linearisation_curvature(lin, H[w], s.it, s.weights, count));
        if (w < 3) suite_same_bits("width", H[w], H[0], count * count);
        lg_linearisation_destroy(lin);
        unsetenv("LIEGRP_WIDTH");
    }
    for (int i = 0; i < count * count; i++) off = fmax(off, fabs(H[0][i] - H[3][i])), size = fmax(size, fabs(H[0][i]));
    suite_below("differences of gradients", off / size, within);
    lg_integrator_destroy(s.it);
    lg_model_destroy(M);
}

static void curved(void **unused)
{
    (void)unused;
    compare("rigid-body", "sem", 1e-11), compare("chaplygin-sleigh", "sem", 1e-11), compare("suslov", "sem", 1e-11);
    compare("rolling-ball", "sem", 1e-11), compare("heavy-top", "sem", 3e-11), compare("snakeboard", "sem", 1e-11);
    compare("two-wheeled-robot", "sem", 1e-11), compare("chaplygin-top", "sem", 1e-11);
    compare("suslov", "sem@suzuki4", 1e-11), compare("rolling-ball", "sem@yoshida4", 1e-10);
}
#endif

static void refusals(void **unused)
{
    (void)unused;
    static step s;
    double H[SIZE * SIZE], weights[SIZE] = {0};
    lg_model *M;
    lg_linearisation *lin;
    begin(&s, &M, "rigid-body", "gauss");
    suite_ok("create", lg_linearisation_create(&lin, s.it));
    suite_status("no matrix", lg_linearisation_curvature(lin, NULL, s.it, weights, 6), LG_ERROR_ARGUMENT);
    suite_status("no weights", lg_linearisation_curvature(lin, H, s.it, NULL, 6), LG_ERROR_ARGUMENT);
    weights[0] = (double)NAN;
    suite_status("NaN", lg_linearisation_curvature(lin, H, s.it, weights, 6), LG_ERROR_NOT_FINITE);
    weights[0] = 1;
    suite_status("no integrator", lg_linearisation_curvature(lin, H, NULL, weights, 6), LG_ERROR_ARGUMENT);
    suite_status("nothing", lg_linearisation_curvature(NULL, H, s.it, weights, 6), LG_ERROR_ARGUMENT);
    suite_status("too many", lg_linearisation_curvature(lin, H, s.it, weights, 99), LG_ERROR_ARGUMENT);
    suite_ok("tolerance", lg_integrator_set_tolerance(s.it, 1e-8));
    suite_status("no inputs", lg_linearisation_curvature(lin, H, s.it, weights, 0), LG_ERROR_ARGUMENT);
    suite_status("tolerance", lg_linearisation_curvature(lin, H, s.it, weights, 6), LG_ERROR_UNSUPPORTED);
    lg_linearisation_destroy(lin);
    lg_integrator_destroy(s.it);
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps),
#ifdef LG_TANGENTS
        cmocka_unit_test(curved),
#endif
        cmocka_unit_test(refusals),
    };
    suite_begin("integrators/linearisation_curvature");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
