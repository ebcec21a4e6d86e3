/* SPDX-License-Identifier: BSD-3-Clause */
/* Events, the rules: nothing changes where nothing happens, which roots are found and how exactly, clocks, what the
 * event function sees, refusals, and failures that leave the state as it was. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "support/bench.h"
#include "support/runs.h"

static const char *const methods[] = {
    "sem", "gni", "nsv", "dla", "sem@suzuki4", "gni@yoshida4", "rk4", "gauss", "gauss:stages=4,rate", "variational"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* ---- everything that can be read ---- */

typedef struct snapshot {
    double g[SUITE_ELEMENT], p[4][SUITE_DIM], lambda[SUITE_DIM], scalars[8];
} snapshot;

static snapshot look(const lg_integrator *it, const lg_system *S)
{
    snapshot s;
    const size_t n = sizeof(double) * (size_t)lg_group_dim(S->group);
    memset(&s, 0, sizeof s);
    memcpy(s.g, lg_integrator_configuration(it), sizeof(double) * (size_t)lg_group_element_size(S->group));
    memcpy(s.p[0], lg_integrator_momentum_plus(it), n);
    memcpy(s.p[1], lg_integrator_momentum_minus(it), n);
    memcpy(s.p[2], lg_integrator_momentum(it), n);
    memcpy(s.p[3], lg_integrator_step_velocity(it), n);
    memcpy(s.lambda, lg_integrator_holonomic_multipliers(it),
           sizeof(double) * (size_t)(S->callbacks.holonomic_count + S->constraint_count));
    const double scalars[8] = {lg_integrator_time(it),
                               lg_integrator_energy(it),
                               lg_integrator_constraint_residual(it),
                               lg_integrator_holonomic_residual(it),
                               lg_integrator_step_size(it),
                               (double)lg_integrator_step_index(it),
                               lg_integrator_iterations(it),
                               isnan(lg_integrator_step_work(it)) ? 0 : lg_integrator_step_work(it)};
    memcpy(s.scalars, scalars, sizeof scalars);
    return s;
}

static void same(const char *what, const snapshot *a, const snapshot *b)
{
    suite_same_bits(what, a->g, b->g, SUITE_ELEMENT);
    suite_same_bits(what, a->p[0], b->p[0], 4 * SUITE_DIM);
    suite_same_bits(what, a->lambda, b->lambda, SUITE_DIM);
    suite_same_bits(what, a->scalars, b->scalars, 8);
}

/* ---- event functions of the time alone ---- */

enum { LINE, CUBE, NINTH, JUMP, INFINITE, WAVE };

typedef struct clock_event {
    int shape;
    double T, omega;
} clock_event;

static int clock_value(const lg_call *c, const double *g, const double *xi, double *f)
{
    const clock_event *e = c->context;
    const double d = c->t - e->T,
                 values[] = {d, d * d * d, pow(d, 9), d < 0 ? -1 : 2, d < 0 ? -INFINITY : INFINITY, sin(e->omega * d)};
    (void)g, (void)xi;
    *f = values[e->shape];
    return 0;
}

static lg_event event_of(const clock_event *e)
{
    return (lg_event){.size = sizeof(lg_event), .value = clock_value, .context = e};
}

static int step_to_event(lg_integrator *it, const lg_event *event)
{
    int found = 7;
    if (lg_integrator_step_to_event(it, &found, event) != LG_OK)
        suite_fail("step %lld: %s", (long long)lg_integrator_step_index(it), lg_integrator_message(it));
    return found;
}

static lg_integrator *start(const char *system, const char *method, double h)
{
    test_system t;
    energy_system_make(&t, system);
    return run_start(&t, method, "exp", h);
}

static void same_number(const char *what, double got, double want)
{
    suite_same_bits(what, &got, &want, 1);
}

/* ---- nothing happens: bit by bit lg_integrator_step() ---- */

static void test_without_events(void **state)
{
    (void)state;
    test_system t;
    int runs = 0;
    for (int i = 0; bench_system(&t, i); i++)
        for (int m = 0; m < METHODS; m++)
            for (int k = 0; k < 2; k++) { /* no root; a root in the other direction */
                const clock_event e = {.shape = LINE, .T = k == 0 ? -1 : 7.3 * t.h};
                lg_event event = event_of(&e);
                lg_integrator *a = NULL, *b = NULL;
                event.direction = k == 0 ? LG_CROSSING_BOTH : LG_CROSSING_DOWN;
                suite_case("%s, %s, no event %d", t.name, methods[m], k);
                if (lg_integrator_create(&a, &t.S, methods[m], "exp", t.h) == LG_OK) {
                    suite_ok("start", lg_integrator_start(a, 0, t.g0, t.xi0, LG_START_REACTION, 0));
                    b = run_start(&t, methods[m], "exp", t.h);
                }
                for (int j = 0; b != NULL && j < 12; j++, runs++) {
                    run_steps(a, 1);
                    assert_int_equal(step_to_event(b, &event), 0);
                    const snapshot x = look(a, &t.S), y = look(b, &t.S);
                    same("step_to_event", &y, &x);
                }
                run_end(&a);
                run_end(&b);
            }
    assert_true(runs > 2000);
}

/* ---- which roots, and how exactly ---- */

/* The event at s steps beyond the third node, at most `tolerance` steps late and never early. */
static void near_root(const char *method, double h, int shape, double s, double tolerance)
{
    lg_integrator *it = start("particle", method, h);
    run_steps(it, 3);
    const double sign = h > 0 ? 1 : -1, t3 = lg_integrator_time(it);
    const clock_event e = {.shape = shape, .T = t3 + s * h};
    lg_event event = event_of(&e);
    event.tolerance = tolerance;
    suite_case("%s, h = %g, shape %d, root at %g of the step, tolerance %g", method, h, shape, s, tolerance);
    const int found = step_to_event(it, &event);
    assert_int_equal(found, (int)sign);
    const double late = sign * (lg_integrator_time(it) - e.T), least = tolerance > 0 ? tolerance : 1e-12;
    suite_above("late by", late, -1e-300);
    suite_below("late by", late, least * fabs(h) + 2 * DBL_EPSILON * fabs(e.T));
    assert_int_equal(lg_integrator_step_index(it), 4);
    const double t4 = lg_integrator_time(it), grid = 4 * h;
    const int64_t from = t4 == grid ? 0 : 4;
    for (int j = 1; j <= 3; j++) { /* not found again; full steps from here */
        assert_int_equal(step_to_event(it, &event), 0);
        same_number("t", lg_integrator_time(it), from == 0 ? (4 + j) * h : t4 + j * h);
    }
    assert_int_equal(lg_integrator_step_index(it), 7);
    run_end(&it);
}

static void test_exactness(void **state)
{
    (void)state;
    static const char *const list[] = {"sem", "gni", "dla", "rk4", "gni@yoshida4", "gauss"};
    static const double at[] = {1e-14, 1e-9, 1e-6, 0.001, 0.1, 0.37, 0.5, 0.9, 0.999, 1 - 1e-9, 1 - 1e-13};
    static const double tolerances[] = {0, 1e-15, 1e-6, 0.1};
    for (int m = 0; m < 6; m++)
        for (int shape = LINE; shape <= INFINITE; shape++)
            for (int k = 0; k < 11; k++)
                for (int j = 0; j < (m == 0 ? 4 : 1); j++) {
                    near_root(list[m], 0.1, shape, at[k], tolerances[j]);
                    near_root(list[m], -0.1, shape, at[k], tolerances[j]);
                }
}

/* f = 0 at the end of a step is an event of that step, which is lg_integrator_step(); f = 0 at its start is not. */
static void test_roots_at_nodes(void **state)
{
    (void)state;
    test_system t;
    energy_system_make(&t, "particle");
    for (int m = 0; m < METHODS - 1; m++) {
        suite_case("root at a node, %s", methods[m]);
        lg_integrator *a = start("particle", methods[m], 0.1), *b = start("particle", methods[m], 0.1);
        run_steps(a, 5);
        const clock_event e = {.shape = LINE, .T = lg_integrator_time(a)};
        const lg_event event = event_of(&e);
        for (int k = 1; k <= 8; k++) assert_int_equal(step_to_event(b, &event), k == 5);
        run_steps(a, 3);
        const snapshot x = look(a, &t.S), y = look(b, &t.S);
        same("after a root at a node", &y, &x);
        run_end(&a);
        run_end(&b);
    }
}

static void test_several_roots(void **state)
{
    (void)state;
    lg_integrator *it = start("particle", "sem", 0.1);
    suite_case("several roots in a step");
    for (int roots = 2; roots <= 7; roots++) {
        /* sin(omega (t - T)) from a quarter before T on: roots at T + j pi/omega, j = 0, ..., roots - 1 */
        const double half = 0.1 / (roots - 0.5), omega = SUITE_PI / half, now = lg_integrator_time(it);
        const clock_event e = {.shape = WAVE, .T = now + half / 4, .omega = omega};
        const lg_event event = event_of(&e);
        const int found = step_to_event(it, &event);
        assert_int_equal(found, roots % 2);
        if (found != 0) {
            const double j = (lg_integrator_time(it) - e.T) / half;
            suite_near1("a root", j, 2 * nearbyint(j / 2), 1e-10, 1); /* one of those that rise */
        } else {
            suite_near1("the full step", lg_integrator_time(it), now + 0.1, 1e-15, 1);
        }
    }
    run_end(&it);
}

static void test_directions(void **state)
{
    (void)state;
    static const lg_crossing directions[] = {LG_CROSSING_DOWN, LG_CROSSING_BOTH, LG_CROSSING_UP};
    const double period = 0.7;
    for (int k = 0; k < 3; k++) {
        lg_integrator *it = start("particle", "gni", 0.1);
        const clock_event e = {.shape = WAVE, .T = 0.02, .omega = 2 * SUITE_PI / period};
        lg_event event = event_of(&e);
        double want = directions[k] == LG_CROSSING_DOWN ? e.T + period / 2 : e.T;
        int last = -1, events = 0;
        event.direction = directions[k];
        suite_case("direction %d", (int)directions[k]);
        while (lg_integrator_time(it) < 5) {
            const int found = step_to_event(it, &event);
            if (found == 0) continue;
            events++;
            suite_near1("time", lg_integrator_time(it), want, 1e-12, 1);
            want += directions[k] == LG_CROSSING_BOTH ? period / 2 : period;
            assert_int_equal(found, directions[k] == LG_CROSSING_BOTH ? -last : (int)directions[k]);
            last = found;
        }
        assert_in_range(events, directions[k] == LG_CROSSING_BOTH ? 14 : 7, directions[k] == LG_CROSSING_BOTH ? 15 : 8);
        run_end(&it);
    }
}

/* ---- clocks ---- */

static void test_after_events(void **state)
{
    (void)state;
    test_system t;
    energy_system_make(&t, "sleigh");
    for (int m = 0; m < METHODS - 1; m++) {
        suite_case("reset and clone after an event, %s", methods[m]);
        lg_integrator *it = run_start(&t, methods[m], "exp", 0.1), *copy = NULL;
        const clock_event e = {.shape = LINE, .T = 0.5234};
        const lg_event event = event_of(&e);
        snapshot first[12], second, cloned;
        for (int round = 0; round < 2; round++) {
            for (int k = 0; k < 12; k++) {
                assert_int_equal(step_to_event(it, &event), k == 5);
                second = look(it, &t.S);
                if (round == 1) same("after a reset", &second, &first[k]);
                first[k] = second;
            }
            suite_ok("reset", lg_integrator_reset(it));
            same_number("t", lg_integrator_time(it), 0);
        }
        for (int k = 0; k < 8; k++) (void)step_to_event(it, &event);
        suite_ok("clone", lg_integrator_clone(&copy, it));
        for (int k = 0; k < 4; k++) {
            run_steps(copy, 1);
            cloned = look(copy, &t.S);
            same("the copy", &cloned, &first[8 + k]);
        }
        run_end(&it);
        run_end(&copy);
    }
}

/* ---- failures ---- */

static lg_field_fn patient_gradient;
static int patience;

/* A potential that fails when its patience is at an end. */
static int impatient(const lg_call *c, const double *g, double *out)
{
    if (patience == 0) return 7;
    patience--;
    return patient_gradient(c, g, out);
}

enum { RETURNS_5, SAYS_NAN };

/* A parabola through 0 at T, until its patience is at an end. */
typedef struct moody {
    double T;
    int how, *patience;
} moody;

static int moody_value(const lg_call *c, const double *g, const double *xi, double *f)
{
    const moody *e = c->context;
    (void)g, (void)xi;
    *f = (c->t - e->T) * (1 + 5 * (c->t - e->T));
    if ((*e->patience)-- > 0) return 0;
    *f = NAN;
    return e->how == RETURNS_5 ? 5 : 0;
}

/* Whatever call fails of the system's or of f, the state is that before, bit by bit, and the event is found afterwards.
 * `what`: 0 the gradient fails, 1 f fails, 2 f is NaN. */
static void failing(const char *method, int what)
{
    static const lg_status statuses[] = {LG_ERROR_CALLBACK, LG_ERROR_CALLBACK, LG_ERROR_NOT_FINITE};
    static const char *const texts[] = {"potential_gradient returned 7", "event function returned 5",
                                        "event function is NaN"};
    test_system t;
    energy_system_make(&t, "vtop");
    patient_gradient = t.S.callbacks.potential_gradient;
    t.S.callbacks.potential_gradient = impatient;
    patience = 1000000;
    int mood = 1000000, failures = 0, found;
    const moody e = {.T = 0.3 + 0.037, .how = what == 2 ? SAYS_NAN : RETURNS_5, .patience = &mood};
    const lg_event event = {.size = sizeof(lg_event), .value = moody_value, .context = &e};
    lg_integrator *clean = run_start(&t, method, "exp", 0.1), *it = run_start(&t, method, "exp", 0.1);
    run_steps(clean, 3);
    run_steps(it, 3);
    assert_int_equal(step_to_event(clean, &event), 1);
    const snapshot before = look(it, &t.S);
    for (int calls = 0;; calls++, failures++) {
        *(what == 0 ? &patience : &mood) = calls;
        found = 7;
        lg_status status = lg_integrator_step_to_event(it, &found, &event);
        if (status == LG_OK) break;
        suite_case("%s: failure %d at call %d of a step with an event", method, what, calls + 1);
        suite_status("step", status, statuses[what]);
        suite_contains("message", lg_integrator_message(it), texts[what]);
        suite_contains("message", lg_integrator_message(it), "lg_integrator_step_to_event: step ");
        assert_int_equal(found, 0);
        const snapshot after = look(it, &t.S);
        same("the state", &after, &before);
    }
    assert_int_equal(found, 1);
    assert_true(failures >= 6);
    suite_case("%s after %d failures", method, failures);
    run_state a, b;
    run_read(&a, it);
    run_read(&b, clean);
    suite_below("difference from a run without failures", run_difference(t.S.group, &a, &b), 1e-13);
    suite_near1("t", lg_integrator_time(it), lg_integrator_time(clean), 1e-12, 1);
    run_end(&it);
    run_end(&clean);
}

static void test_failing(void **state)
{
    (void)state;
    static const char *const list[] = {"sem",         "gni",          "gni:midpoint", "dla",
                                       "sem@suzuki4", "gni@yoshida4", "rk4",          "gauss"};
    for (int m = 0; m < 8; m++)
        for (int what = 0; what < 3; what++) failing(list[m], what);
}

/* ---- what the event function sees ---- */

static const double seen_context = 1;

/* The distance to g_1 + xi_0 = parameter + control + context. */
static int seeing(const lg_call *c, const double *g, const double *xi, double *f)
{
    const double *own = c->context;
    assert_int_equal(c->lanes, 1);
    *f = g[1] + xi[0] - c->param[1] - c->control[0] - *own;
    return 0;
}

static int no_force(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)c, (void)g, (void)xi, (void)out;
    return 0;
}

static void test_seen(void **state)
{
    (void)state;
    static const double J[2] = {1, 1}, g0[2] = {0, 0}, xi0[2] = {0.5, 2}, u = 0.25, values[2] = {9, 0.125};
    static const lg_parameter parameters[2] = {{"a", "", "", 9, 0, 10, 0}, {"b", "", "", 0, 0, 1, 0}};
    lg_system S = lg_system_default(lg_rn(2));
    S.inertia_diagonal = J, S.callbacks.force = no_force, S.callbacks.control_count = 1;
    S.parameters = parameters, S.parameter_count = 2, S.parameter_values = values;
    for (int m = 0; m < 4; m++) {
        const char *const list[] = {"sem", "variational", "rk4", "gauss"};
        const lg_event event = {.size = sizeof(lg_event), .value = seeing, .context = &seen_context};
        lg_integrator *it = run_start_at(&S, list[m], "exp", 0.1, 0, g0, xi0);
        suite_case("what the event function sees, %s", list[m]);
        suite_ok("control", lg_integrator_set_control(it, &u));
        int found = 0;
        while (found == 0 && lg_integrator_step_index(it) < 10) found = step_to_event(it, &event);
        suite_near1("t", lg_integrator_time(it), (0.125 + 0.25 + 1 - 0.5) / 2, 1e-12, 1); /* free motion */
        run_end(&it);
    }
}

static void test_refused(void **state)
{
    (void)state;
    lg_integrator *it = NULL;
    test_system t;
    energy_system_make(&t, "vtop");
    int found = 7;
    const clock_event e = {.shape = LINE, .T = 0.01};
    lg_event event = event_of(&e), none = {.size = sizeof(lg_event)};
    suite_case("refused");
    suite_status("no integrator", lg_integrator_step_to_event(NULL, &found, &event), LG_ERROR_ARGUMENT);
    suite_ok("create", lg_integrator_create(&it, &t.S, "sem", "exp", 0.1));
    suite_status("not started", lg_integrator_step_to_event(it, &found, &event), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(it), "lg_integrator_step_to_event: not started");
    suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
    const snapshot before = look(it, &t.S);
    suite_status("no found", lg_integrator_step_to_event(it, NULL, &event), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(it), "found is NULL");
    suite_status("no event", lg_integrator_step_to_event(it, &found, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(it), "the event is NULL");
    suite_status("no function", lg_integrator_step_to_event(it, &found, &none), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(it), "lg_event::value is NULL");
    static const double tolerances[] = {-1e-12, 1e-16, 0.2, NAN, INFINITY};
    for (int k = 0; k < 5; k++) {
        event.tolerance = tolerances[k];
        suite_status("tolerance", lg_integrator_step_to_event(it, &found, &event), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_integrator_message(it), "tolerance");
    }
    event = event_of(&e);
    event.direction = (lg_crossing)2;
    suite_status("direction", lg_integrator_step_to_event(it, &found, &event), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(it), "direction 2");
    assert_int_equal(found, 0);
    const snapshot after = look(it, &t.S);
    same("refused", &after, &before);
    event.direction = LG_CROSSING_BOTH;
    assert_int_equal(step_to_event(it, &event), 1);
    assert_string_equal(lg_integrator_message(it), "");
    run_end(&it);
}

int main(void)
{
    suite_begin("event rules");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_events), cmocka_unit_test(test_exactness),  cmocka_unit_test(test_roots_at_nodes),
        cmocka_unit_test(test_several_roots),  cmocka_unit_test(test_directions), cmocka_unit_test(test_after_events),
        cmocka_unit_test(test_seen),           cmocka_unit_test(test_failing),    cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("event rules", tests, NULL, NULL);
}
