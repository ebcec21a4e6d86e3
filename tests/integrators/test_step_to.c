/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps and runs that end at a given time: exactly there, full steps afterwards, and what is refused. */
#include <math.h>
#include <string.h>

#include "support/runs.h"

static const char *const methods[] = {
    "sem", "gni", "nsv", "dla", "sem@suzuki4", "gni@yoshida4", "rk4", "gauss", "gauss:stages=4,rate"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static void same_number(const char *what, double got, double want)
{
    suite_same_bits(what, &got, &want, 1);
}

/* Time, configuration and momenta bit by bit. */
static void same(const char *what, const lg_integrator *a, const lg_integrator *b)
{
    const lg_group *G = lg_integrator_group(a);
    same_number(what, lg_integrator_time(a), lg_integrator_time(b));
    suite_same_bits(what, lg_integrator_configuration(a), lg_integrator_configuration(b), lg_group_element_size(G));
    suite_same_bits(what, lg_integrator_momentum(a), lg_integrator_momentum(b), lg_group_dim(G));
    suite_same_bits(what, lg_integrator_momentum_minus(a), lg_integrator_momentum_minus(b), lg_group_dim(G));
    assert_int_equal(lg_integrator_step_index(a), lg_integrator_step_index(b));
}

static void test_step_to(void **state)
{
    (void)state;
    test_system t;
    energy_system_make(&t, "vtop");
    for (int m = 0; m < METHODS; m++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double h = 0.1 * sign;
            suite_case("step to, %s, h = %g", methods[m], h);
            lg_integrator *a = run_start(&t, methods[m], "exp", h), *b = run_start(&t, methods[m], "exp", h);
            run_steps(a, 3);
            run_steps(b, 2);
            suite_ok("to the next node", lg_integrator_step_to(b, 3 * h));
            same("to the next node", b, a);
            const double wrong[] = {3 * h, 2.9 * h, 4.0001 * h, NAN, INFINITY};
            for (int k = 0; k < 5; k++) {
                suite_status("refused", lg_integrator_step_to(b, wrong[k]), LG_ERROR_ARGUMENT);
                suite_contains("message", lg_integrator_message(b), "not within the next step");
                same("refused", b, a);
            }
            const double T = 3 * h + h / 7;
            suite_ok("to a time", lg_integrator_step_to(b, T));
            same_number("t", lg_integrator_time(b), T);
            assert_int_equal(lg_integrator_step_index(b), 4);
            run_steps(b, 5);
            same_number("t", lg_integrator_time(b), T + 5 * h);
            run_end(&a);
            run_end(&b);
        }
}

typedef struct count {
    int64_t calls, last, stop;
} count;

static int counter(const lg_integrator *it, void *context)
{
    count *c = context;
    c->calls++;
    c->last = lg_integrator_step_index(it);
    return c->last == c->stop;
}

static void test_run_to_time(void **state)
{
    (void)state;
    test_system t;
    energy_system_make(&t, "sleigh");
    for (int sign = -1; sign <= 1; sign += 2) {
        const double h = 0.1 * sign, ends[] = {0.04 * h, h, 3.5 * h, 10 * h, 10 * h * (1 + 1e-13), 10.25 * h};
        const int64_t steps[] = {1, 1, 4, 10, 10, 11};
        for (int k = 0; k < 6; k++)
            for (int every = 1; every <= 2; every++) {
                lg_integrator *it = run_start(&t, every == 1 ? "sem" : "gauss", "exp", h);
                count c = {0, 0, -1};
                suite_case("run to %g with h = %g", ends[k], h);
                suite_ok("run", lg_integrator_run_to(it, ends[k], every, counter, &c));
                same_number("t", lg_integrator_time(it), ends[k]);
                assert_int_equal(lg_integrator_step_index(it), steps[k]);
                assert_int_equal(c.calls, steps[k] / every);
                suite_ok("no step", lg_integrator_run_to(it, ends[k], 1, counter, &c));
                assert_int_equal(lg_integrator_step_index(it), steps[k]);
                suite_status("back", lg_integrator_run_to(it, ends[k] - h, 1, NULL, NULL), LG_ERROR_ARGUMENT);
                suite_contains("message", lg_integrator_message(it), "ahead");
                suite_status("NaN", lg_integrator_run_to(it, NAN, 1, NULL, NULL), LG_ERROR_ARGUMENT);
                suite_status("every", lg_integrator_run_to(it, ends[k] + h, 0, NULL, NULL), LG_ERROR_ARGUMENT);
                run_end(&it);
            }
        for (int stop = 2; stop <= 4; stop++) {
            lg_integrator *it = run_start(&t, "sem", "exp", h);
            count c = {0, 0, stop};
            suite_case("stopped at step %d", stop);
            suite_status("run", lg_integrator_run_to(it, 3.5 * h, 1, counter, &c), LG_ERROR_INTERRUPTED);
            assert_int_equal(lg_integrator_step_index(it), stop);
            run_end(&it);
        }
    }
}

static void test_not_started(void **state)
{
    (void)state;
    test_system t;
    lg_integrator *it = NULL;
    energy_system_make(&t, "sleigh");
    suite_case("not started");
    suite_status("no integrator", lg_integrator_step_to(NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("no integrator", lg_integrator_run_to(NULL, 1, 1, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_ok("create", lg_integrator_create(&it, &t.S, "sem", "exp", 0.1));
    suite_status("not started", lg_integrator_step_to(it, 1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(it), "lg_integrator_step_to: not started");
    suite_status("not started", lg_integrator_run_to(it, 1, 1, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(it), "lg_integrator_run_to: not started");
    run_end(&it);
}

int main(void)
{
    suite_begin("steps to a time");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_to),
        cmocka_unit_test(test_run_to_time),
        cmocka_unit_test(test_not_started),
    };
    return cmocka_run_group_tests_name("steps to a time", tests, NULL, NULL);
}
