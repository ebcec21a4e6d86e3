/* SPDX-License-Identifier: BSD-3-Clause */
/* Creation and life of an integrator: names, arguments, clone, reset, observers, determinism. */
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/roster.h"
#include "support/systems.h"

/* Creates and destroys; checks status and a word of the message. */
static void refuse(const lg_system *S, const char *method, const char *retraction, double h, lg_status want,
                   const char *word)
{
    lg_integrator *it = NULL;
    lg_status status = lg_integrator_create(&it, S, method, retraction, h);
    if (status != want) {
        suite_fail("method \"%s\", retraction \"%s\", h %g: %s instead of %s: %s", method ? method : "NULL",
                   retraction ? retraction : "NULL", h, lg_status_name(status), lg_status_name(want),
                   lg_integrator_message(it));
    }
    suite_contains("message", lg_integrator_message(it), word);
    assert_non_null(it); /* it holds the message */
    if (status != LG_OK) assert_int_not_equal(lg_integrator_step(it), LG_OK);
    lg_integrator_destroy(it);
}

/* No methods: each is refused with its own name in the message. */
static const char *const wrong[] = {"",
                                    "GNI",
                                    "gni:",
                                    "gni:trapezoid",
                                    "gni:euler",
                                    "gni :midpoint",
                                    " gni",
                                    "gni ",
                                    "sem:",
                                    "sem:gauss=0",
                                    "sem:gauss=9",
                                    "sem:gauss=2.5",
                                    "sem:midpoint",
                                    "nsv:midpoint",
                                    "gni:midpoint,",
                                    "gni,midpoint",
                                    "variational:",
                                    "gni@yoshida",
                                    "gni@",
                                    "gni@yoshida4@yoshida4",
                                    "gni:alpha=1.5",
                                    "gni:alpha=-0.1",
                                    "gni:alpha=nan",
                                    "gni:alpha=",
                                    "gni:midleft",
                                    "dla:euler-a",
                                    "gni:trapezoidal:midpoint",
                                    "%s%s%n"};

static void test_names(void **state)
{
    (void)state;
    test_system t;
    test_system_make(&t, "suslov");
    suite_case("names");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        refuse(&t.S, wrong[i], "exp", 0.1, LG_ERROR_ARGUMENT, wrong[i]);
    refuse(&t.S, "rattle", "exp", 0.1, LG_ERROR_UNSUPPORTED, "velocity constraints");
    refuse(&t.S, "gni:euler-a@suzuki4", "exp", 0.1, LG_ERROR_UNSUPPORTED, "symmetric");
    refuse(&t.S, "sem", "second-kind", 0.1, LG_ERROR_UNSUPPORTED, "commutes");
    refuse(&t.S, "nsv@suzuki4", "second-kind", 0.1, LG_ERROR_UNSUPPORTED, "second-kind");
    lg_integrator *it = NULL;
    suite_ok("NULL means sem and exp", lg_integrator_create(&it, &t.S, NULL, NULL, 0.1));
    lg_integrator_destroy(it);
    refuse(&t.S, "gni", "Cayley", 0.1, LG_ERROR_ARGUMENT, "Cayley");
    refuse(&t.S, "gni", "exp:order=21", 0.1, LG_ERROR_ARGUMENT, "exp:order=21");
    refuse(&t.S, "gni", "exp", 0, LG_ERROR_ARGUMENT, "0");
    refuse(&t.S, "gni", "exp", NAN, LG_ERROR_ARGUMENT, "nan");
    refuse(&t.S, "gni", "exp", INFINITY, LG_ERROR_ARGUMENT, "inf");
    refuse(&t.S, "variational", "exp", 0.1, LG_ERROR_UNSUPPORTED, "constraints");
    refuse(&t.S, "gni:user", "exp", 0.1, LG_ERROR_UNSUPPORTED, "discrete_slope_1");
    refuse(NULL, "gni", "exp", 0.1, LG_ERROR_ARGUMENT, "NULL");
    int count = 0;
    for (const char *const *name = lg_method_names(); *name != NULL; name++, count++)
        assert_non_null(lg_method_summary(*name));
    assert_true(count >= 8);
    assert_null(lg_method_summary("no such method"));
    assert_null(lg_method_summary(NULL));
    char longer[2000];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    refuse(&t.S, longer, "exp", 0.1, LG_ERROR_ARGUMENT, "xxx");
    refuse(&t.S, "gni", longer, 0.1, LG_ERROR_ARGUMENT, "xxx");
}

static void test_incomplete_systems(void **state)
{
    (void)state;
    test_system t;
    static const double indefinite[9] = {1, 2, 0, 2, 1, 0, 0, 0, 1}, dependent[6] = {1, 0, 2, 2, 0, 4};
    test_system_make(&t, "suslov");
    suite_case("incomplete systems");
    lg_system S = t.S;
    S.inertia = NULL;
    refuse(&S, "gni", "exp", 0.1, LG_ERROR_ARGUMENT, "inertia");
    S = t.S;
    S.inertia = indefinite;
    refuse(&S, "gni", "exp", 0.1, LG_ERROR_SINGULAR, "pivot 2");
    S = t.S;
    S.constraint_count = 2;
    S.covector_matrix = dependent;
    refuse(&S, "gni", "exp", 0.1, LG_ERROR_SINGULAR, "row 2");
    S = t.S;
    S.group = NULL;
    refuse(&S, "gni", "exp", 0.1, LG_ERROR_ARGUMENT, "group");
    lg_retraction lame = {.size = sizeof lame, .name = "lame"};
    lg_integrator *it = NULL;
    suite_status("retraction without tau", lg_integrator_create_with(&it, &t.S, "gni", &lame, 0.1), LG_ERROR_ARGUMENT);
    lg_integrator_destroy(it);
    suite_status("no retraction", lg_integrator_create_with(&it, &t.S, "gni", NULL, 0.1), LG_ERROR_ARGUMENT);
    lg_integrator_destroy(it);
    suite_status("create into NULL", lg_integrator_create(NULL, &t.S, "gni", "exp", 0.1), LG_ERROR_ARGUMENT);
    const lg_retraction *parts[3] = {lg_retraction_exp(), lg_retraction_exp(), lg_retraction_exp()};
    lg_retraction *three = NULL;
    suite_ok("product", lg_retraction_create_product(&three, parts, 3));
    suite_status("three retractions on one factor", lg_integrator_create_with(&it, &t.S, "gni", three, 0.1),
                 LG_ERROR_UNSUPPORTED);
    lg_integrator_destroy(it);
    lg_retraction_destroy(three);
}

static void test_before_the_start(void **state)
{
    (void)state;
    test_system t;
    lg_integrator *it = NULL;
    test_system_make(&t, "suslov");
    suite_case("before the start");
    suite_ok("create", lg_integrator_create(&it, &t.S, "gni", "exp", 0.1));
    assert_string_equal(lg_integrator_message(it), "");
    suite_status("step", lg_integrator_step(it), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(it), "start");
    suite_status("run", lg_integrator_run(it, 1, 1, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("reset", lg_integrator_reset(it), LG_ERROR_ARGUMENT);
    suite_near1("h", lg_integrator_step_size(it), 0.1, 0, 1);
    assert_ptr_equal(lg_integrator_group(it), lg_so3());
    lg_integrator_destroy(it);
    suite_status("step of NULL", lg_integrator_step(NULL), LG_ERROR_ARGUMENT);
    suite_status("reset of NULL", lg_integrator_reset(NULL), LG_ERROR_ARGUMENT);
    suite_status("start of NULL", lg_integrator_start(NULL, 0, t.g0, t.xi0, LG_START_REACTION, 0), LG_ERROR_ARGUMENT);
    suite_status("start of NULL", lg_integrator_start_momentum(NULL, 0, t.g0, t.xi0), LG_ERROR_ARGUMENT);
    suite_status("run of NULL", lg_integrator_run(NULL, 1, 1, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("clone of NULL", lg_integrator_clone(&it, NULL), LG_ERROR_ARGUMENT);
    lg_integrator_destroy(it);
    assert_non_null(lg_integrator_message(NULL));
    lg_integrator_destroy(NULL);
}

/* Reading an integrator that is NULL, was refused or has not started gives NaN, 0 or NULL, as the header says; changing
 * it is refused. */
static void nothing_there(lg_integrator *it, int made)
{
    const double *const arrays[] = {lg_integrator_configuration(it),        lg_integrator_momentum_plus(it),
                                    lg_integrator_momentum_minus(it),       lg_integrator_momentum(it),
                                    lg_integrator_step_velocity(it),        lg_integrator_multipliers(it),
                                    lg_integrator_holonomic_multipliers(it)};
    const double values[] = {
        lg_integrator_time(it),        lg_integrator_holonomic_residual(it), lg_integrator_step_work(it),
        lg_integrator_energy(it),      lg_integrator_energy_post(it),        lg_integrator_constraint_residual(it),
        lg_integrator_normal_part(it), lg_integrator_found_step(it),         lg_integrator_step_error(it)};
    double a[SUITE_ELEMENT], b[SUITE_ELEMENT], t = 0;
    int count;
    lg_resolution r = lg_resolution_default();
    lg_linearisation *lin = NULL;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) assert_null(arrays[i]);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) assert_true(isnan(values[i]));
    assert_int_equal(lg_integrator_step_index(it), 0);
    assert_int_equal(lg_integrator_iterations(it), 0);
    suite_near1("tolerance", lg_integrator_tolerance(it), 0, 0, 1);
    if (!made) assert_true(isnan(lg_integrator_step_size(it)) && lg_integrator_group(it) == NULL);
    suite_status("velocity", lg_integrator_velocity(it, a), LG_ERROR_ARGUMENT);
    suite_status("interpolate", lg_integrator_interpolate(it, &t, a, b, 0.5), LG_ERROR_ARGUMENT);
    suite_status("step to", lg_integrator_step_to(it, 1), LG_ERROR_ARGUMENT);
    suite_status("run to", lg_integrator_run_to(it, 1, 1, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("reversibility", lg_diagnostics_reversibility(it, a, 1), LG_ERROR_ARGUMENT);
    suite_status("determinant", lg_diagnostics_determinant(it, a), LG_ERROR_ARGUMENT);
    suite_status("growth", lg_diagnostics_parasitic_growth(it, a, &count), LG_ERROR_ARGUMENT);
    suite_status("resolution", lg_diagnostics_resolution(it, &r, 1), LG_ERROR_ARGUMENT);
    suite_status("reset", lg_integrator_reset(it), LG_ERROR_ARGUMENT);
    if (made) return;
    suite_status("newton", lg_integrator_set_newton(it, 1e-9, 5), LG_ERROR_ARGUMENT);
    suite_status("solver", lg_integrator_set_solver(it, 1e-9, 5), LG_ERROR_ARGUMENT);
    suite_status("tolerance", lg_integrator_set_tolerance(it, 1e-9), LG_ERROR_ARGUMENT);
    suite_status("control", lg_integrator_set_control(it, a), LG_ERROR_ARGUMENT);
    suite_status("linearisation", lg_linearisation_create(&lin, it), LG_ERROR_ARGUMENT);
    assert_non_null(lg_linearisation_message(lin));
    suite_status("derivative", lg_linearisation_compute(lin, it), LG_ERROR_ARGUMENT);
    suite_status("derivative", lg_linearisation_jacobian(lin, a), LG_ERROR_ARGUMENT);
    lg_linearisation_destroy(lin);
}

static void test_nothing_there(void **state)
{
    (void)state;
    test_system t;
    lg_integrator *it = NULL;
    test_system_make(&t, "suslov");
    suite_case("no integrator");
    nothing_there(NULL, 0);
    suite_case("a refused integrator");
    suite_status("create", lg_integrator_create(&it, &t.S, "nonsense", "exp", 0.1), LG_ERROR_ARGUMENT);
    nothing_there(it, 0);
    suite_status("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0), LG_ERROR_ARGUMENT);
    suite_status("start", lg_integrator_start_momentum(it, 0, t.g0, t.xi0), LG_ERROR_ARGUMENT);
    lg_integrator_destroy(it);
    suite_case("an integrator before its start");
    suite_ok("create", lg_integrator_create(&it, &t.S, "gauss", "exp", 0.1));
    nothing_there(it, 1);
    lg_integrator_destroy(it);
    suite_case("names");
    assert_null(lg_method_summary("nonsense"));
    assert_null(lg_composition_summary("nonsense"));
    assert_null(lg_composition_summary(NULL));
    for (const char *const *name = lg_composition_names(); *name != NULL; name++)
        assert_non_null(lg_composition_summary(*name));
}

/* What solvers and tolerances are not. */
static void test_wrong_settings(void **state)
{
    (void)state;
    test_system t;
    lg_integrator *gauss = NULL, *sem = NULL;
    test_system_make(&t, "suslov");
    suite_case("wrong settings");
    suite_ok("create", lg_integrator_create(&gauss, &t.S, "gauss", "exp", 0.1));
    suite_ok("create", lg_integrator_create(&sem, &t.S, "sem", "exp", 0.1));
    const double bad[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        suite_status("newton", lg_integrator_set_newton(sem, bad[i], 5), LG_ERROR_ARGUMENT);
        suite_status("solver", lg_integrator_set_solver(sem, bad[i], 5), LG_ERROR_ARGUMENT);
        if (bad[i] == 0) continue; /* fixed steps */
        suite_status("tolerance", lg_integrator_set_tolerance(gauss, bad[i]), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_integrator_message(gauss), "tolerance");
    }
    suite_status("newton", lg_integrator_set_newton(sem, 1e-9, 0), LG_ERROR_ARGUMENT);
    suite_status("solver", lg_integrator_set_solver(sem, 1e-9, 0), LG_ERROR_ARGUMENT);
    suite_status("tolerance of sem", lg_integrator_set_tolerance(sem, 1e-9), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_integrator_message(sem), "gauss");
    suite_ok("tolerance", lg_integrator_set_tolerance(gauss, 1e-9));
    suite_near1("tolerance", lg_integrator_tolerance(gauss), 1e-9, 0, 1);
    suite_ok("start", lg_integrator_start(gauss, 0, t.g0, t.xi0, LG_START_REACTION, 0));
    assert_true(isnan(lg_integrator_found_step(gauss)) && isnan(lg_integrator_step_error(gauss)));
    suite_status("no place", lg_integrator_velocity(gauss, NULL), LG_ERROR_ARGUMENT);
    suite_status("rows", lg_integrator_run_to(gauss, 1, 0, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("nowhere", lg_integrator_run_to(gauss, NAN, 1, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("too many steps", lg_integrator_run_to(gauss, 1e300, 1, NULL, NULL), LG_ERROR_ARGUMENT);
    lg_integrator_destroy(gauss);
    lg_integrator_destroy(sem);
    static const char *const specs[] = {"sem:gauss=0", "sem:gauss=x", "sem:gauss=",     "sem:gonzalez,gauss=2",
                                        "sem:nothing", "gni:alpha=",  "gauss:stages=0", "gauss:stages=3,nothing"};
    char endless[600];
    memset(endless, 'x', sizeof endless);
    memcpy(endless, "sem:", 4);
    endless[sizeof endless - 1] = '\0';
    for (size_t i = 0; i <= sizeof specs / sizeof specs[0]; i++) {
        lg_integrator *it = NULL;
        const char *spec = i < sizeof specs / sizeof specs[0] ? specs[i] : endless;
        suite_case("method '%.40s'", spec);
        if (lg_integrator_create(&it, &t.S, spec, "exp", 0.1) == LG_OK) suite_fail("it is taken");
        suite_contains("message", lg_integrator_message(it), "method");
        lg_integrator_destroy(it);
    }
}

static void same_state(const char *what, const lg_integrator *a, const lg_integrator *b)
{
    const lg_group *G = lg_integrator_group(a);
    int n = lg_group_dim(G);
    double va[SUITE_DIM], vb[SUITE_DIM], ea[4], eb[4];
    suite_same_bits(what, lg_integrator_configuration(a), lg_integrator_configuration(b), lg_group_element_size(G));
    suite_same_bits(what, lg_integrator_momentum_plus(a), lg_integrator_momentum_plus(b), n);
    suite_same_bits(what, lg_integrator_momentum_minus(a), lg_integrator_momentum_minus(b), n);
    suite_same_bits(what, lg_integrator_momentum(a), lg_integrator_momentum(b), n);
    suite_same_bits(what, lg_integrator_step_velocity(a), lg_integrator_step_velocity(b), n);
    suite_ok("velocity", lg_integrator_velocity(a, va));
    suite_ok("velocity", lg_integrator_velocity(b, vb));
    suite_same_bits(what, va, vb, n);
    ea[0] = lg_integrator_time(a), ea[1] = lg_integrator_energy(a), ea[2] = lg_integrator_energy_post(a),
    ea[3] = lg_integrator_normal_part(a);
    eb[0] = lg_integrator_time(b), eb[1] = lg_integrator_energy(b), eb[2] = lg_integrator_energy_post(b),
    eb[3] = lg_integrator_normal_part(b);
    suite_same_bits(what, ea, eb, 4);
    assert_int_equal(lg_integrator_step_index(a), lg_integrator_step_index(b));
}

/* A clone goes the same way bit for bit, and its own; reset comes back to the start; two integrators made alike agree.
 */
static void test_clone_and_reset(void **state)
{
    (void)state;
    static const char *const methods[] = {"gni", "gni:midpoint", "gni:euler-a", "gni:euler-b"};
    for (int i = 0; i < TEST_SYSTEMS * 4; i++) {
        test_system t;
        lg_integrator *a = NULL, *b = NULL, *c = NULL;
        test_system_make(&t, test_system_names[i / 4]);
        suite_case("clone and reset of %s, %s", t.name, methods[i % 4]);
        suite_ok("create", lg_integrator_create(&a, &t.S, methods[i % 4], "exp", 0.05));
        suite_ok("create", lg_integrator_create(&b, &t.S, methods[i % 4], "exp", 0.05));
        suite_ok("start", lg_integrator_start(a, 0.5, t.g0, t.xi0, LG_START_REACTION, 0));
        suite_ok("start", lg_integrator_start(b, 0.5, t.g0, t.xi0, LG_START_REACTION, 0));
        suite_ok("run", lg_integrator_run(a, 10, 1, NULL, NULL));
        suite_ok("clone", lg_integrator_clone(&c, a));
        same_state("clone", c, a);
        suite_ok("run", lg_integrator_run(a, 10, 1, NULL, NULL));
        suite_ok("run", lg_integrator_run(c, 10, 1, NULL, NULL));
        same_state("clone after ten steps", c, a);
        suite_ok("run", lg_integrator_run(b, 20, 1, NULL, NULL));
        same_state("implicit_copy after twenty steps", b, a);
        suite_ok("reset", lg_integrator_reset(a));
        suite_ok("reset", lg_integrator_reset(c));
        same_state("reset of a clone", c, a);
        suite_ok("start", lg_integrator_start(b, 0.5, t.g0, t.xi0, LG_START_REACTION, 0));
        same_state("reset is the start", a, b);
        lg_integrator_destroy(b);
        suite_ok("run", lg_integrator_run(a, 20, 1, NULL, NULL));
        suite_ok("run", lg_integrator_run(c, 20, 1, NULL, NULL));
        same_state("after reset", c, a);
        lg_integrator_destroy(a);
        suite_ok("the clone outlives the original", lg_integrator_step(c));
        lg_integrator_destroy(c);
    }
}

/* The arrays of numbers are copied at creation: what the user does with them afterwards does not matter. */
static void test_numbers_are_copied(void **state)
{
    (void)state;
    double J[9], row[3] = {0, 0, 1};
    test_system t;
    lg_integrator *a = NULL, *b = NULL;
    test_system_make(&t, "suslov");
    suite_case("numbers are copied");
    memcpy(J, t.S.inertia, sizeof J);
    suite_ok("create", lg_integrator_create(&a, &t.S, "gni", "exp", 0.05));
    lg_system S = t.S;
    S.inertia = J;
    S.covector_matrix = row;
    suite_ok("create", lg_integrator_create(&b, &S, "gni", "exp", 0.05));
    memset(J, 0, sizeof J);
    memset(row, 0, sizeof row);
    memset(&S, 0, sizeof S);
    suite_ok("start", lg_integrator_start(a, 0, t.g0, t.xi0, LG_START_REACTION, 0));
    suite_ok("start", lg_integrator_start(b, 0, t.g0, t.xi0, LG_START_REACTION, 0));
    suite_ok("run", lg_integrator_run(a, 10, 1, NULL, NULL));
    suite_ok("run", lg_integrator_run(b, 10, 1, NULL, NULL));
    same_state("copied numbers", a, b);
    lg_integrator_destroy(a);
    lg_integrator_destroy(b);
}

typedef struct watch {
    int calls;
    int64_t stop_at, last;
} watch;

static int observe(const lg_integrator *it, void *context)
{
    watch *w = context;
    w->calls++;
    w->last = lg_integrator_step_index(it);
    return w->last == w->stop_at;
}

static void test_observer(void **state)
{
    (void)state;
    test_system t;
    lg_integrator *it = NULL;
    watch w = {0, -1, -1};
    test_system_make(&t, "ball_hom");
    suite_case("observer");
    suite_ok("create", lg_integrator_create(&it, &t.S, "gni", "exp", 0.05));
    suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
    suite_ok("run", lg_integrator_run(it, 100, 7, observe, &w));
    assert_int_equal(w.calls, 14);
    assert_int_equal(w.last, 98);
    assert_int_equal(lg_integrator_step_index(it), 100);
    w = (watch){0, 105, -1};
    suite_status("run", lg_integrator_run(it, 100, 1, observe, &w), LG_ERROR_INTERRUPTED);
    assert_int_equal(lg_integrator_step_index(it), 105);
    suite_ok("no steps", lg_integrator_run(it, 0, 1, observe, &w));
    suite_status("negative count", lg_integrator_run(it, -1, 1, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("every 0", lg_integrator_run(it, 1, 0, observe, &w), LG_ERROR_ARGUMENT);
    suite_near1("t = t0 + k h", lg_integrator_time(it), 105 * 0.05, 0, 1);
    lg_integrator_destroy(it);
}

/* Every method x retraction x system of the lists runs: by loops, so that a new one cannot be forgotten. */
static void test_everything_runs(void **state)
{
    (void)state;
    static const char *const extra[] = {"exp:order=2", "exp:order=8"};
    for (int i = 0; i < TEST_SYSTEMS; i++) {
        for (const char *const *method = lg_method_names(); *method != NULL; method++) {
            if (strstr(*method, "user") != NULL || strstr(*method, "variational") != NULL ||
                strcmp(*method, "rattle") == 0)
                continue;
            const char *const *names = lg_retraction_names();
            for (int k = 0; k < 6; k++) {
                const char *retraction = k < 4 ? names[k] : extra[k - 4];
                int why_not_symmetric = strcmp(retraction, "second-kind") == 0,
                    baseline = strncmp(*method, "rk", 2) == 0;
                test_system t;
                lg_integrator *it = NULL;
                test_system_make(&t, test_system_names[i]);
                suite_case("%s, %s, %s", t.name, *method, retraction);
                lg_status made = lg_integrator_create(&it, &t.S, *method, retraction, 0.02);
                if (made == LG_ERROR_UNSUPPORTED && strncmp(*method, "sem", 3) == 0 && why_not_symmetric &&
                    strcmp(lg_group_name(t.S.group), "R^3") != 0) {
                    lg_integrator_destroy(it); /* tau(x) does not commute with x */
                    continue;
                }
                suite_ok("create", made);
                if (lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0) != LG_OK)
                    suite_fail("start: %s", lg_integrator_message(it));
                double H = lg_integrator_energy(it);
                if (lg_integrator_run(it, 20, 1, NULL, NULL) != LG_OK) suite_fail("run: %s", lg_integrator_message(it));
                suite_below("constraint", lg_integrator_constraint_residual(it), baseline ? 1e-4 : 2e-14);
                int first = strstr(*method, "euler") != NULL || strcmp(*method, "dla:midleft") == 0;
                double slack = first || why_not_symmetric || strcmp(retraction, "exp:order=2") == 0 ? 0.05 : 0.01;
                if (t.S.callbacks.drift == NULL && strstr(t.name, "affine") == NULL &&
                    strcmp(t.name, "ball_phys") != 0) {
                    suite_near1("H(p~)", lg_integrator_energy(it), H, slack, fmax(1, fabs(H)));
                }
                suite_near1("still on the group", lg_group_residual(t.S.group, lg_integrator_configuration(it)), 0,
                            baseline ? 1e-5 : 1e-13, 1);
                lg_integrator_destroy(it);
            }
        }
    }
}

int main(void)
{
    suite_begin("contracts of integrators");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_incomplete_systems),
        cmocka_unit_test(test_before_the_start),
        cmocka_unit_test(test_nothing_there),
        cmocka_unit_test(test_wrong_settings),
        cmocka_unit_test(test_clone_and_reset),
        cmocka_unit_test(test_numbers_are_copied),
        cmocka_unit_test(test_observer),
        cmocka_unit_test(test_everything_runs),
    };
    return cmocka_run_group_tests_name("contracts", tests, NULL, NULL);
}
