/* SPDX-License-Identifier: BSD-3-Clause */
/* Integrators of every method on every system of the catalog, clones, events, linearisations, diagnostics,
 * ensembles. */
#include <string.h>

#include "faults.h"
#include "models.h"
#include "support/energy_systems.h"
#include "support/user_systems.h"

static struct {
    lg_integrator *it, *copy;
    lg_linearisation *lin;
    lg_ensemble *E;
    lg_motion *mo;
} own;

static void close_all(void)
{
    lg_motion_destroy(own.mo);
    lg_ensemble_destroy(own.E);
    lg_linearisation_destroy(own.lin);
    lg_integrator_destroy(own.copy);
    lg_integrator_destroy(own.it);
    memset(&own, 0, sizeof own);
    fault_model_close();
}

static const char *const *methods(void)
{
    static const char *names[64];
    int n = 0;
    for (const char *const *m = lg_method_names(); *m != NULL; m++) names[n++] = *m;
    names[n++] = "sem@suzuki4", names[n++] = "gni@yoshida4", names[n++] = "gauss:stages=2,stage";
    names[n] = NULL;
    return names;
}

static const char *const *few_methods(void)
{
    static const char *const names[] = {"sem", "gni", "dla", "gni:midpoint", "gauss:stages=3", "rk4", NULL};
    return names;
}

static void read(fault_case *c, const lg_integrator *it)
{
    const lg_group *G = lg_integrator_group(it);
    fault_fold(c, lg_integrator_configuration(it), G->element_size);
    fault_fold(c, lg_integrator_momentum(it), G->dim);
    fault_fold(c, lg_integrator_momentum_minus(it), G->dim);
    fault_fold(c, &(double){lg_integrator_time(it)}, 1);
}

static lg_status make(fault_case *c)
{
    lg_integrator_destroy(own.it);
    own.it = NULL;
    lg_status st = lg_integrator_create(&own.it, fault_own.S, c->b, c->i % 2 ? "cayley" : "exp", 0.01);
    if (own.it != NULL) c->said = lg_integrator_message(own.it);
    return st;
}

static lg_status start(fault_case *c)
{
    lg_status st = lg_integrator_start(own.it, 0, fault_own.g, fault_own.xi, LG_START_REACTION, 1);
    c->said = lg_integrator_message(own.it);
    if (st == LG_OK) read(c, own.it);
    return st;
}

static lg_status steps_of(fault_case *c, lg_integrator *it, int64_t until)
{
    lg_status st = LG_OK;
    while (st == LG_OK && lg_integrator_step_index(it) < until) {
        fault_case before = {.digest = 0}, after = before;
        read(&before, it);
        st = lg_integrator_step(it);
        c->said = lg_integrator_message(it);
        if (st == LG_OK) continue;
        read(&after, it);
        if (after.digest != before.digest) suite_fail("a step that failed has moved the state");
    }
    if (st == LG_OK) read(c, it);
    return st;
}

static lg_status steps(fault_case *c)
{
    return steps_of(c, own.it, 3);
}

static lg_status clone(fault_case *c)
{
    lg_integrator_destroy(own.copy);
    own.copy = NULL;
    lg_status st = lg_integrator_clone(&own.copy, own.it);
    if (own.copy != NULL) c->said = lg_integrator_message(own.copy);
    return st;
}

static lg_status steps_of_clone(fault_case *c)
{
    return steps_of(c, own.copy, 5);
}

/* The clone takes the state of the one it came from, which has gone on. */
static lg_status load(fault_case *c)
{
    static double bytes[1 << 15];
    const size_t size = lg_integrator_saved_bytes(own.it);
    if (size > sizeof bytes) suite_fail("a checkpoint of %zu bytes", size);
    suite_ok("save", lg_integrator_save(own.it, bytes, size));
    lg_status st = lg_integrator_load(own.copy, bytes, size);
    c->said = lg_integrator_message(own.copy);
    if (st == LG_OK) read(c, own.copy);
    return st;
}

static int passing(const lg_call *call, const double *g, const double *xi, double *f)
{
    (void)g, (void)xi;
    if (fault_callback()) return FAULT_CODE;
    *f = call->t - 0.0421;
    return 0;
}

static lg_status event(fault_case *c)
{
    const lg_event e = lg_event_default(passing, NULL);
    int found = 0;
    lg_status st = LG_OK;
    while (st == LG_OK && !found && lg_integrator_time(own.it) < 0.1)
        st = lg_integrator_step_to_event(own.it, &found, &e);
    c->said = lg_integrator_message(own.it);
    if (st != LG_OK) return st;
    if (!found) suite_fail("no event");
    read(c, own.it);
    return st;
}

/* Objects made from an integrator --------------------------------------------------------------------------------- */

static lg_status linearisation(fault_case *c)
{
    lg_linearisation_destroy(own.lin);
    own.lin = NULL;
    lg_status st = lg_linearisation_create(&own.lin, own.it);
    if (own.lin != NULL) c->said = lg_linearisation_message(own.lin);
    return st;
}

static lg_status linearise(fault_case *c)
{
    static double J[60 * 60];
    lg_status st = lg_linearisation_step(own.lin, own.it);
    c->said = lg_linearisation_message(own.lin);
    if (st == LG_OK) st = lg_linearisation_jacobian(own.lin, J);
    if (st != LG_OK) return st;
    fault_fold(c, J, lg_linearisation_rows(own.lin) * lg_linearisation_columns(own.lin));
    read(c, own.it);
    return st;
}

static lg_status diagnostics(fault_case *c)
{
    double x[3] = {0};
    int count = 0;
    lg_resolution r = lg_resolution_default();
    lg_status st = lg_diagnostics_reversibility(own.it, x, 2);
    if (st == LG_OK) st = lg_diagnostics_determinant(own.it, x + 1);
    if (st == LG_OK || st == LG_ERROR_UNSUPPORTED) st = lg_diagnostics_parasitic_growth(own.it, x + 2, &count);
    if (st == LG_OK || st == LG_ERROR_UNSUPPORTED) st = lg_diagnostics_resolution(own.it, &r, 2);
    if (st != LG_OK) return st;
    fault_fold(c, x, 3), fault_fold(c, &r.rotation, 3);
    return st;
}

/* A system with a discrete Lagrangian of its own ------------------------------------------------------------------- */

static struct {
    test_system t;
    user_system u;
    lg_system S;
} discrete;

static const char *const *user_methods(void)
{
    static const char *const names[] = {"dla:user", "gni:user", NULL};
    return names;
}

static lg_status make_user(fault_case *c)
{
    test_system_make(&discrete.t, "reduced_mixed");
    user_system_open(&discrete.u, &discrete.t.S, "exp");
    discrete.S = discrete.u.S;
    fault_trap(&discrete.S.callbacks, &discrete.u.S.callbacks);
    fault_own.S = &discrete.S;
    memcpy(fault_own.g, discrete.t.g0, sizeof fault_own.g);
    memcpy(fault_own.xi, discrete.t.xi0, sizeof fault_own.xi);
    return make(c);
}

/* Ensembles ------------------------------------------------------------------------------------------------------- */

static const char *const *ensemble_methods(void)
{
    static const char *const names[] = {"sem", "gni", "dla", "gni:midpoint", "gauss:stages=3", "rk4", "gauss tolerance",
                                        NULL};
    return names;
}

static lg_status ensemble(fault_case *c)
{
    const int found = strstr(c->b, "tolerance") != NULL;
    lg_ensemble_options o = lg_ensemble_options_default();
    o.method = found ? "gauss" : c->b, o.tolerance = found ? 1e-8 : 0;
    o.threads = 1, o.width = lg_width_supported(4) ? 4 : 2, o.monitor = 1;
    lg_ensemble_destroy(own.E);
    own.E = NULL;
    lg_status st = lg_ensemble_create(&own.E, fault_own.M, 9, &o);
    if (own.E != NULL) c->said = lg_ensemble_message(own.E);
    return st;
}

static lg_status vary(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    const lg_parameter *p = lg_model_describe(M)->parameters;
    (void)mo, (void)context;
    if (lg_model_describe(M)->parameter_count == 0 || p->value == 0) return LG_OK;
    const lg_status st = lg_model_set(M, p->name, p->value * (1 + 1e-3 * (double)i));
    return st == LG_ERROR_MEMORY ? st : LG_OK;
}

static lg_status ensemble_set(fault_case *c)
{
    lg_status st = lg_ensemble_set_all(own.E, vary, NULL);
    c->said = lg_ensemble_message(own.E);
    for (int64_t i = 0; i < 9 && st == LG_OK; i++) { /* which retires what it cannot set */
        st = lg_ensemble_status(own.E, i);
        c->said = lg_ensemble_reason(own.E, i);
    }
    return st;
}

static lg_status ensemble_run(fault_case *c)
{
    double g[SUITE_ELEMENT], p[SUITE_DIM];
    lg_status st = lg_ensemble_run(own.E, 3, 1, NULL, NULL);
    c->said = lg_ensemble_message(own.E);
    for (int64_t i = 0; i < 9 && st == LG_OK; i++) {
        st = lg_ensemble_state(own.E, NULL, g, p, i);
        fault_fold(c, g, fault_own.S->group->element_size), fault_fold(c, p, fault_own.S->group->dim);
        fault_fold_text(c, lg_ensemble_reason(own.E, i));
    }
    return st;
}

static lg_status ensemble_motion(fault_case *c)
{
    lg_motion_destroy(own.mo);
    own.mo = NULL;
    lg_status st = lg_ensemble_motion(&own.mo, own.E, 5);
    if (st == LG_OK) read(c, lg_motion_integrator(own.mo));
    return st;
}

#define GUESS                                                                                                             \
    "a step that failed in several sub-steps, or in sweeps, forgets what the steps before had guessed, so that the next " \
    "solution differs by the solver's tolerance"
const fault_row fault_integrators[] = {
    {.name = "integrator",
     .first = fault_catalog,
     .second = methods,
     .stride = 5,
     .verbs = {MODEL, make, start, steps, clone, steps_of_clone},
     .close = close_all,
     .other_bits = GUESS},
    {.name = "checkpoint",
     .first = fault_catalog,
     .second = methods,
     .stride = 5,
     .verbs = {MODEL, make, start, clone, steps, load, steps_of_clone},
     .close = close_all,
     .elsewhere = "a callback that fails refuses the checkpoint: tests/integrators/test_checkpoints.c"},
    {.name = "event",
     .first = fault_catalog,
     .second = few_methods,
     .stride = 5,
     .verbs = {MODEL, make, start, event},
     .close = close_all,
     .other_bits = GUESS},
    {.name = "integrator of user's L_d",
     .second = user_methods,
     .stride = 1,
     .verbs = {make_user, start, steps, clone, event},
     .close = close_all,
     .other_bits = GUESS},
    {.name = "linearisation",
     .first = fault_catalog,
     .second = few_methods,
     .stride = 5,
     .verbs = {MODEL, make, start, linearisation, linearise},
     .close = close_all,
     .elsewhere = "where a callback fails near the state, the difference is made smaller: "
                  "tests/integrators/test_linearisation_contracts.c"},
    {.name = "diagnostics",
     .first = fault_catalog,
     .second = few_methods,
     .stride = 5,
     .verbs = {MODEL, make, start, diagnostics},
     .close = close_all,
     .elsewhere = "they count what fails: tests/integrators/test_diagnostics.c"},
    {.name = "ensemble",
     .first = fault_catalog,
     .second = ensemble_methods,
     .stride = 5,
     .verbs = {MODEL, ensemble, ensemble_set, ensemble_run, ensemble_motion},
     .close = close_all,
     .elsewhere = "an instance whose callback fails is retired: tests/run/test_ensemble_failures.c"},
    {.name = NULL},
};
