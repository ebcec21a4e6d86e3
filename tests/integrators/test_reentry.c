/* SPDX-License-Identifier: BSD-3-Clause */
/* A callback that calls its own integrator gets an error with a message, and the call in progress is not affected. */
#include <math.h>
#include <string.h>

#include "suite.h"

/* The arguments of the callback; `in` is its depth. */
typedef struct caller {
    lg_integrator *it;
    lg_linearisation *lin;
    int what, calls, in;
    lg_status got;
    char message[LG_MESSAGE_SIZE];
} caller;

enum {
    STEP,
    RUN,
    RUN_TO,
    STEP_TO,
    EVENT,
    START,
    MOMENTUM,
    RESET,
    CLONE,
    NEWTON,
    SOLVER,
    CONTROL,
    COMPUTE,
    READ,
    DESTROY,
    CALLS
};

static int crossing(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)c, (void)xi;
    *f = g[0];
    return 0;
}

static lg_status call_by_name(caller *k)
{
    const double g[4] = {0, 0, 0, 1}, v[3] = {1, 2, 3};
    double t = 0, u = 1;
    int found;
    lg_event event = lg_event_default(crossing, NULL);
    lg_integrator *copy = NULL;
    lg_status st = LG_ERROR_ARGUMENT;
    switch (k->what) {
    case STEP:
        return lg_integrator_step(k->it);
    case RUN:
        return lg_integrator_run(k->it, 3, 1, NULL, NULL);
    case RUN_TO:
        return lg_integrator_run_to(k->it, lg_integrator_time(k->it) + 1, 1, NULL, NULL);
    case STEP_TO:
        return lg_integrator_step_to(k->it, lg_integrator_time(k->it) + 0.005);
    case EVENT:
        return lg_integrator_step_to_event(k->it, &found, &event);
    case START:
        return lg_integrator_start(k->it, 0, g, v, LG_START_REACTION, 0);
    case MOMENTUM:
        return lg_integrator_start_momentum(k->it, 0, g, v);
    case RESET:
        return lg_integrator_reset(k->it);
    case CLONE:
        st = lg_integrator_clone(&copy, k->it);
        lg_integrator_destroy(copy);
        return st;
    case NEWTON:
        return lg_integrator_set_newton(k->it, 1e-3, 2);
    case SOLVER:
        return lg_integrator_set_solver(k->it, 1e-3, 2);
    case CONTROL:
        return lg_integrator_set_control(k->it, &u);
    case COMPUTE:
        return lg_linearisation_compute(k->lin, k->it);
    case READ:
        return isnan(lg_integrator_energy(k->it)) && lg_integrator_interpolate(k->it, &t, NULL, NULL, 0.5) != LG_OK
                   ? LG_ERROR_ARGUMENT
                   : LG_OK;
    case DESTROY:
        lg_integrator_destroy(k->it);
        return LG_ERROR_ARGUMENT;
    default:
        return LG_OK;
    }
}

static int slope(const lg_call *c, const double *g, double *out)
{
    caller *k = *(caller *const *)c->context;
    (void)g;
    out[0] = out[1] = out[2] = 0;
    k->calls++;
    if (k->what == CALLS || k->in || k->calls != 2) return 0;
    k->in = 1;
    k->got = call_by_name(k);
    strcpy(k->message, lg_integrator_message(k->it));
    k->in = 0;
    return 0;
}

static int potential(const lg_call *c, const double *g, double *V)
{
    (void)c;
    (void)g;
    *V = 0.1;
    return 0;
}

static int push(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)g, (void)xi;
    out[0] = c->control[0];
    return 0;
}

static void walk(caller *k, const char *method, double *state)
{
    static const double J[3] = {1, 2, 3}, row[3] = {0, 0.5, 1}, g0[4] = {0, 0, 0, 1}, v0[3] = {1, 2, -1};
    caller *self = k;
    const int what = k->what;
    lg_system S = lg_system_default(lg_so3());
    S.context = &self;
    S.inertia_diagonal = J, S.covector_matrix = row, S.constraint_count = 1;
    S.callbacks.potential = potential, S.callbacks.potential_gradient = slope;
    S.callbacks.force = push, S.callbacks.control_count = 1;
    k->what = CALLS;
    suite_ok("create", lg_integrator_create(&k->it, &S, method, NULL, 0.01));
    suite_ok("start", lg_integrator_start(k->it, 0, g0, v0, LG_START_REACTION, 0));
    suite_ok("linearisation", lg_linearisation_create(&k->lin, k->it));
    suite_ok("a step", lg_integrator_step(k->it));
    k->what = what, k->calls = 0;
    suite_ok("the step", lg_integrator_step(k->it));
    k->what = CALLS;
    suite_ok("another", lg_integrator_step(k->it));
    memcpy(state, lg_integrator_configuration(k->it), 4 * sizeof *state);
    memcpy(state + 4, lg_integrator_momentum_minus(k->it), 3 * sizeof *state);
    state[7] = lg_integrator_time(k->it);
    lg_linearisation_destroy(k->lin);
    lg_integrator_destroy(k->it);
}

static void test_calls(void **state)
{
    static const char *const methods[] = {"sem", "gni", "dla", "sem@suzuki4"};
    (void)state;
    for (int m = 0; m < 4; m++) {
        double want[8], got[8];
        caller k = {.what = CALLS};
        walk(&k, methods[m], want);
        for (int what = 0; what < CALLS; what++) {
            suite_case("%s, call %d", methods[m], what);
            k = (caller){.what = what};
            walk(&k, methods[m], got);
            suite_status("refused", k.got, LG_ERROR_ARGUMENT);
            suite_same_bits("the state", got, want, 8);
            if (what < CLONE) suite_contains("message", k.message, "callback");
        }
    }
}

/* An energy read in a callback of the energy's own. */
static int energetic(const lg_call *c, const double *g, double *V)
{
    caller *k = *(caller *const *)c->context;
    (void)g;
    *V = 1;
    if (k->it && k->what == READ) *V = isnan(lg_integrator_energy(k->it)) ? 2 : 3;
    return 0;
}

static void test_reading(void **state)
{
    static const double J[3] = {1, 2, 3}, g0[4] = {0, 0, 0, 1}, v0[3] = {0, 0, 0};
    caller k = {.what = CALLS}, *self = &k;
    lg_system S = lg_system_default(lg_so3());
    (void)state;
    S.context = &self, S.inertia_diagonal = J, S.callbacks.potential = energetic;
    suite_ok("create", lg_integrator_create(&k.it, &S, "sem", NULL, 0.01));
    suite_ok("start", lg_integrator_start(k.it, 0, g0, v0, LG_START_REACTION, 0));
    k.what = READ;
    suite_near1("H", lg_integrator_energy(k.it), 2, 1e-14, 1);
    k.what = CALLS;
    suite_near1("H", lg_integrator_energy(k.it), 1, 1e-14, 1);
    lg_integrator_destroy(k.it);
}

int main(void)
{
    suite_begin("reentry");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls), cmocka_unit_test(test_reading)};
    return cmocka_run_group_tests_name("reentry", tests, NULL, NULL);
}
