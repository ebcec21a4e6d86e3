/* SPDX-License-Identifier: BSD-3-Clause */
/* Every system of the catalog with operations of its group, or callbacks, that fail at a chosen call: the function that
 * was called reports the failure, leaves the state as it was, and later steps have the same bits as without it. */
#include <math.h>
#include <string.h>

#include "support/combinations.h"
#include "support/failing.h"

static const char *const methods[] = {"sem",
                                      "gni",
                                      "nsv",
                                      "gauss",
                                      "dla",
                                      "rattle",
                                      "smv",
                                      "sml",
                                      "rkmk4",
                                      "variational",
                                      "gni-r",
                                      "sem:gonzalez",
                                      "rk4",
                                      "gauss:stages=2",
                                      "sem:gauss=2",
                                      "gni:midpoint",
                                      "dla:trapezoidal",
                                      "sem@suzuki4"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* The functions to call; each returns a status, or a number that is NaN after a failure. */
static lg_status ask_step(lg_integrator *it)
{
    return lg_integrator_step(it);
}

/* Behind the step of a copy, on which a node and a point between two lie. */
static lg_status ask_interpolation(lg_integrator *it)
{
    static const double places[] = {0, 0.5, 1};
    lg_integrator *copy = NULL;
    double t, g[SUITE_ELEMENT], xi[SUITE_DIM];
    lg_status status = lg_integrator_clone(&copy, it);
    if (status == LG_OK) status = lg_integrator_step(copy);
    for (int i = 0; i < 3 && status == LG_OK; i++) status = lg_integrator_interpolate(copy, &t, g, xi, places[i]);
    if (status == LG_OK) status = lg_integrator_interpolate(copy, NULL, NULL, xi, 0.25);
    if (status == LG_OK) status = lg_integrator_interpolate(copy, NULL, g, NULL, 0.25);
    lg_integrator_destroy(copy);
    return status;
}

static lg_status ask_part_of_a_step(lg_integrator *it)
{
    lg_integrator *copy = NULL;
    lg_status status = lg_integrator_clone(&copy, it);
    if (status == LG_OK)
        status = lg_integrator_step_to(copy, lg_integrator_time(it) + 0.3 * lg_integrator_step_size(it));
    lg_integrator_destroy(copy);
    return status;
}

static lg_status ask_resolution(lg_integrator *it)
{
    lg_resolution r = lg_resolution_default();
    return lg_diagnostics_resolution(it, &r, 1);
}

static double answer; /* of the last question that has one */

/* Of all entries of the Jacobian. */
static double sum_of(const lg_linearisation *lin)
{
    double in[SUITE_DIM * 8], out[SUITE_DIM * 8], sum = 0;
    const int rows = lg_linearisation_rows(lin), columns = lg_linearisation_columns(lin);
    assert_true(rows <= SUITE_DIM * 8 && columns <= SUITE_DIM * 8);
    for (int i = 0; i < columns; i++) in[i] = 1;
    suite_ok("apply", lg_linearisation_apply(lin, out, in));
    for (int i = 0; i < rows; i++) sum += out[i];
    return sum;
}

static lg_status ask_linearisation(lg_integrator *it)
{
    lg_linearisation *lin = NULL;
    lg_status status = lg_linearisation_create(&lin, it);
    if (status == LG_OK) {
        status = lg_linearisation_compute(lin, it);
        const int says = lg_linearisation_message(lin)[0] != '\0';
        if (status != LG_OK) assert_true(says);
        if (status == LG_OK && says) status = LG_ERROR_CALLBACK; /* NaN for a parameter, and the reason */
        if (status == LG_OK) answer = sum_of(lin);
    }
    lg_linearisation_destroy(lin);
    return status;
}

static lg_status ask_reversibility(lg_integrator *it)
{
    double defect;
    return lg_diagnostics_reversibility(it, &defect, 1);
}

static lg_status ask_determinant(lg_integrator *it)
{
    return lg_diagnostics_determinant(it, &answer);
}

static lg_status ask_growth(lg_integrator *it)
{
    int count;
    return lg_diagnostics_parasitic_growth(it, &answer, &count);
}

static lg_status ask_clone(lg_integrator *it)
{
    lg_integrator *copy = NULL;
    const lg_status status = lg_integrator_clone(&copy, it);
    lg_integrator_destroy(copy);
    return status;
}

static lg_status ask_energy(lg_integrator *it)
{
    return isnan(lg_integrator_energy(it)) ? LG_ERROR_CALLBACK : LG_OK;
}

static const struct {
    const char *name;
    lg_status (*ask)(lg_integrator *it);
    int optional; /* a method may not have it */
    int spare;    /* it works without a logarithm */
    double within; /* of its answer, relative: what fails may be a derivative with respect to a parameter, or a finer
                    * difference than one that is known; -1: it has none */
} questions[] = {{"step", ask_step, 0, 0, -1},
                 {"interpolation", ask_interpolation, 1, 0, -1},
                 {"linearisation", ask_linearisation, 1, 0, 1e-4},
                 {"reversibility", ask_reversibility, 0, 1, -1},
                 {"determinant", ask_determinant, 1, 0, 1e-4},
                 {"growth", ask_growth, 1, 0, 1e-4},
                 {"part of a step", ask_part_of_a_step, 1, 0, -1},
                 {"resolution", ask_resolution, 1, 1, -1},
                 {"clone", ask_clone, 0, 0, -1},
                 {"energy", ask_energy, 0, 0, -1}};
enum { QUESTIONS = sizeof questions / sizeof questions[0], PLACES = 8 };

/* The state as numbers. */
typedef struct numbers {
    double g[SUITE_ELEMENT], p[SUITE_DIM], q[SUITE_DIM], t;
} numbers;

static numbers look(const lg_integrator *it)
{
    const lg_group *G = lg_integrator_group(it);
    numbers s;
    memset(&s, 0, sizeof s);
    memcpy(s.g, lg_integrator_configuration(it), sizeof(double) * (size_t)lg_group_element_size(G));
    memcpy(s.p, lg_integrator_momentum(it), sizeof(double) * (size_t)lg_group_dim(G));
    memcpy(s.q, lg_integrator_momentum_minus(it), sizeof(double) * (size_t)lg_group_dim(G));
    s.t = lg_integrator_time(it);
    return s;
}

static void same(const numbers *a, const numbers *b)
{
    suite_same_bits("g", a->g, b->g, SUITE_ELEMENT);
    suite_same_bits("p", a->p, b->p, SUITE_DIM);
    suite_same_bits("p-", a->q, b->q, SUITE_DIM);
    suite_same_bits("t", &a->t, &b->t, 1);
}

/* Fails from call k on: an error is reported, and the state is as before. Steps start a copy, so `it` does not move. */
static void fail_at(const lg_integrator *it, int q, int k)
{
    const double right = answer;
    lg_integrator *copy;
    failing_at(0, LG_OK);
    suite_ok("clone", lg_integrator_clone(&copy, it));
    const numbers before = look(copy);
    failing_from(k, LG_ERROR_IO);
    const lg_status status = questions[q].ask(copy);
    if (status == LG_OK && questions[q].within >= 0)
        suite_near1(questions[q].name, answer, right, questions[q].within, 1 + fabs(right));
    else if (status == LG_OK && !questions[q].spare)
        suite_fail("%s: call %d, %s, failed, and nothing is said", questions[q].name, k, failing_operation());
    answer = right;
    failing_at(0, LG_OK);
    const numbers after = look(copy);
    same(&before, &after);
    if (q == 0) {
        if (lg_integrator_message(copy)[0] == '\0') suite_fail("no message");
        suite_ok("step", lg_integrator_step(copy));
    }
    lg_integrator_destroy(copy);
}

/* The calls of one question, some of which fail. */
static void ask_all(const lg_integrator *it)
{
    for (int q = 0; q < QUESTIONS; q++) {
        lg_integrator *copy;
        failing_at(0, LG_OK);
        suite_ok("clone", lg_integrator_clone(&copy, it));
        failing_at(0, LG_OK);
        const lg_status status = questions[q].ask(copy);
        const int calls = failing_calls();
        lg_integrator_destroy(copy);
        if (status != LG_OK && questions[q].optional) continue;
        suite_ok(questions[q].name, status);
        for (int k = 1; k <= calls; k += 1 + (k > 2) * calls / PLACES) fail_at(it, q, k);
    }
}

static void over_calls(const combination *c, const lg_system *S, const char *what, const char *method, const char *map)
{
    lg_integrator *it = NULL;
    suite_case("%s, %s, %s, %s", c->name, method, map, what);
    failing_at(0, LG_OK);
    if (lg_integrator_create(&it, S, method, map, c->h) == LG_OK) {
        failing_at(0, LG_OK);
        if (lg_integrator_start(it, 0, c->g0, c->xi0, LG_START_REACTION, 1) == LG_OK) {
            const int calls = failing_calls();
            for (int k = 1; k <= calls; k += 1 + (k > 2) * calls / PLACES) {
                failing_from(k, LG_ERROR_IO);
                const lg_status status = lg_integrator_start(it, 0, c->g0, c->xi0, LG_START_REACTION, 1);
                if (status == LG_OK)
                    suite_fail("start: call %d of %d, %s, failed, and nothing is said", k, calls, failing_operation());
                if (lg_integrator_message(it)[0] == '\0') suite_fail("no message");
            }
            failing_at(0, LG_OK);
            suite_ok("start", lg_integrator_start(it, 0, c->g0, c->xi0, LG_START_REACTION, 1));
            suite_ok("step", lg_integrator_step(it));
            ask_all(it);
        }
    }
    lg_integrator_destroy(it);
}

enum { EACH = 4 }; /* methods of a system; the next one begins where it stops */

static void test_groups(void **state)
{
    (void)state;
    combination c;
    for (int i = 0, m = 0; combination_open(&c, i); i++, m += EACH) {
        lg_system S = *c.S;
        S.group = failing_factors(c.S->group);
        S.callbacks.holonomic_mean = S.callbacks.potential_mean = S.callbacks.force_mean = NULL;
        for (int k = 0; k < EACH; k++)
            over_calls(&c, &S, "failing operations", methods[(m + k) % METHODS], i % 3 ? "exp" : "cayley");
        lg_model_destroy(c.M);
    }
}

static void test_callbacks(void **state)
{
    (void)state;
    combination c;
    for (int i = 0, m = 0; combination_open(&c, i); i++, m += EACH + 1) {
        lg_system S;
        failing_callbacks(&S, c.S);
        for (int k = 0; k < EACH; k++)
            over_calls(&c, &S, "failing callbacks", methods[(m + k) % METHODS], i % 3 ? "exp" : "cayley");
        lg_model_destroy(c.M);
    }
}

int main(void)
{
    suite_begin("integrators of what fails");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups), cmocka_unit_test(test_callbacks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
