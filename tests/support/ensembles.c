/* SPDX-License-Identifier: BSD-3-Clause */
#include "ensembles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- instances ---- */

/* Sets a parameter where a system comes out, else leaves it. */
static void try_value(lg_model *M, const char *name, double value)
{
    const lg_system *S;
    double before;
    suite_ok("parameter", lg_model_get(M, &before, name));
    if (lg_model_set(M, name, value) == LG_OK && lg_model_system(M, &S) == LG_OK) return;
    suite_ok("parameter", lg_model_set(M, name, before));
}

static double around(lg_rng *rng, double size)
{
    return size * (2 * lg_rng_uniform(rng) - 1);
}

static lg_status vary(int64_t i, lg_model *M, int mixed)
{
    const lg_model_definition *d = lg_model_describe(M);
    lg_rng rng = suite_rng(977 + (uint64_t)i);
    double g[SUITE_ELEMENT], xi[SUITE_DIM], value;
    const lg_system *S = NULL;
    for (int k = 0; k < d->parameter_count; k++) {
        const char *name = d->parameters[k].name;
        suite_ok("parameter", lg_model_get(M, &value, name));
        const int product = !strcmp(name, "I12") || !strcmp(name, "I13") || !strcmp(name, "I23");
        if (mixed && product)
            try_value(M, name, i % 3 ? 0 : around(&rng, 0.1));
        else if (strcmp(name, "kind") != 0)
            try_value(M, name, value * (1 + around(&rng, 0.02)));
    }
    lg_status status = lg_model_system(M, &S);
    if (status == LG_OK) status = lg_model_initial(M, g, xi, NULL);
    for (int k = 0; status == LG_OK && k < lg_group_dim(S->group); k++) {
        char name[16];
        snprintf(name, sizeof name, "xi_%d", k + 1);
        status = lg_model_set_initial(M, name, xi[k] + around(&rng, 0.05));
    }
    return status;
}

lg_status ensemble_vary(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)mo, (void)context;
    return vary(i, M, 0);
}

lg_status ensemble_mix(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)mo, (void)context;
    return vary(i, M, 1);
}

/* ---- what can be read, as one number ---- */

/* FNV-1a over the bits; all NaNs are one. */
static void fold(uint64_t *hash, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        uint64_t bits = 0;
        const double v = isnan(x[i]) ? (double)NAN : x[i];
        memcpy(&bits, &v, sizeof bits);
        if (isnan(v)) bits = 1;
        for (int k = 0; k < 8; k++) *hash = (*hash ^ ((bits >> (8 * k)) & 255)) * UINT64_C(1099511628211);
    }
}

static void fold_state(uint64_t *hash, const lg_integrator *it, int m, int holonomic)
{
    const lg_group *G = lg_integrator_group(it);
    const int n = lg_group_dim(G);
    double xi[SUITE_DIM];
    lg_status_ignore(lg_integrator_velocity(it, xi));
    const double rest[] = {
        lg_integrator_time(it),        (double)lg_integrator_step_index(it),  lg_integrator_energy(it),
        lg_integrator_energy_post(it), lg_integrator_constraint_residual(it), lg_integrator_normal_part(it),
        lg_integrator_step_work(it),   (double)lg_integrator_iterations(it),  lg_integrator_holonomic_residual(it)};
    fold(hash, rest, (int)(sizeof rest / sizeof rest[0]));
    fold(hash, lg_integrator_configuration(it), lg_group_element_size(G));
    fold(hash, xi, n);
    fold(hash, lg_integrator_momentum(it), n);
    fold(hash, lg_integrator_momentum_plus(it), n);
    fold(hash, lg_integrator_momentum_minus(it), n);
    fold(hash, lg_integrator_step_velocity(it), n);
    fold(hash, lg_integrator_multipliers(it), m);
    fold(hash, lg_integrator_holonomic_multipliers(it), holonomic);
}

enum { ENSEMBLE_MONITOR = 3 }; /* every so many steps */

/* ---- alone ---- */

typedef struct alone {
    lg_model *M;
    lg_integrator *it;
    lg_status status;
    uint64_t hash; /* of all that was observed */
    int64_t calls;
    lg_ensemble_figures seen;
    double t, g[SUITE_ELEMENT], p[SUITE_DIM], after_g[SUITE_ELEMENT], after_p[SUITE_DIM];
} alone;

struct ensemble_truth {
    int m, holonomic, n, element_size;
    alone instance[]; /* plan->count */
};

/* One by one, with the figures that a monitor sees. */
static lg_status step_alone(alone *a, const ensemble_truth *truth, int64_t steps, int64_t every)
{
    for (int64_t k = 1; k <= steps; k++) {
        const lg_status status = lg_integrator_step(a->it);
        if (status != LG_OK) return status;
        if (lg_integrator_step_index(a->it) % ENSEMBLE_MONITOR == 0) {
            a->seen.energy_low = fmin(a->seen.energy_low, lg_integrator_energy(a->it));
            a->seen.energy_high = fmax(a->seen.energy_high, lg_integrator_energy(a->it));
            a->seen.constraint = fmax(a->seen.constraint, lg_integrator_constraint_residual(a->it));
        }
        if (k % every != 0) continue;
        fold_state(&a->hash, a->it, truth->m, truth->holonomic);
        a->calls++;
    }
    return LG_OK;
}

static void read_state(const ensemble_truth *truth, const lg_integrator *it, double *g, double *p)
{
    memcpy(g, lg_integrator_configuration(it), (size_t)truth->element_size * sizeof *g);
    memcpy(p, lg_integrator_momentum(it), (size_t)truth->n * sizeof *p);
}

static lg_status run_alone(const ensemble_case *x, const ensemble_plan *plan, ensemble_truth *truth, int64_t i)
{
    alone *a = &truth->instance[i];
    const lg_system *S = NULL;
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    const double h = x->definition->step != 0 ? x->definition->step : 0.01;
    if (lg_model_create(&a->M, x->definition) != LG_OK) suite_fail("%s", lg_model_message(a->M));
    if (x->vary(i, a->M, NULL, NULL) != LG_OK) suite_fail("%s", lg_model_message(a->M));
    suite_ok("system", lg_model_system(a->M, &S));
    suite_ok("initial", lg_model_initial(a->M, g, xi, NULL));
    a->status = lg_integrator_create(&a->it, S, x->method, x->retraction, h);
    if (a->status == LG_ERROR_UNSUPPORTED) return a->status;
    if (a->status != LG_OK) suite_fail("%s", lg_integrator_message(a->it));
    suite_ok("tolerance", x->tolerance != 0 ? lg_integrator_set_tolerance(a->it, x->tolerance) : LG_OK);
    truth->m = S->constraint_count, truth->holonomic = S->callbacks.holonomic_count;
    truth->n = lg_group_dim(S->group), truth->element_size = lg_group_element_size(S->group);
    a->status = lg_integrator_start(a->it, 0, g, xi, LG_START_REACTION, 1);
    if (a->status != LG_OK) suite_fail("%s", lg_integrator_message(a->it));
    a->seen.energy_first = a->seen.energy_low = a->seen.energy_high = lg_integrator_energy(a->it);
    a->seen.constraint = lg_integrator_constraint_residual(a->it);
    for (int k = 0; a->status == LG_OK && k < 2; k++) a->status = step_alone(a, truth, plan->steps[k], plan->every[k]);
    a->t = lg_integrator_time(a->it);
    read_state(truth, a->it, a->g, a->p);
    if (a->status == LG_OK && lg_integrator_run(a->it, plan->after, 1, NULL, NULL) != LG_OK)
        suite_fail("%s, %s: %s", x->definition->name, x->method, lg_integrator_message(a->it));
    read_state(truth, a->it, a->after_g, a->after_p);
    return LG_OK;
}

ensemble_truth *ensemble_alone(const ensemble_case *x, const ensemble_plan *plan)
{
    ensemble_truth *truth = calloc(1, sizeof *truth + (size_t)plan->count * sizeof(alone));
    assert_non_null(truth);
    suite_case("%s, %s, %s, alone", x->definition->name, x->method, x->retraction);
    for (int64_t i = 0; i < plan->count; i++)
        if (run_alone(x, plan, truth, i) != LG_OK) {
            ensemble_forget(truth, plan);
            return NULL;
        }
    return truth;
}

void ensemble_forget(ensemble_truth *truth, const ensemble_plan *plan)
{
    for (int64_t i = 0; i < plan->count; i++) {
        lg_integrator_destroy(truth->instance[i].it);
        lg_model_destroy(truth->instance[i].M);
    }
    free(truth);
}

/* ---- together ---- */

typedef struct seen {
    uint64_t hash;
    int64_t calls;
} seen;

static int watch(int64_t i, const lg_motion *mo, void *context)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    const ensemble_truth *truth = ((void **)context)[0];
    seen *s = (seen *)((void **)context)[1] + i;
    fold_state(&s->hash, it, truth->m, truth->holonomic);
    s->calls++;
    return 0;
}

static int visit(int64_t i, const lg_motion *mo, void *context)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    const ensemble_truth *truth = ((void **)context)[0];
    const alone *a = &truth->instance[i];
    int *calls = ((void **)context)[1];
    calls[i] += lg_integrator_time(it) == a->t &&
                !memcmp(lg_integrator_configuration(it), a->g, (size_t)truth->element_size * sizeof(double)) &&
                !memcmp(lg_integrator_momentum(it), a->p, (size_t)truth->n * sizeof(double));
    return 1; /* is ignored */
}

/* Instance i of the ensemble, which has run, is a. */
static void compare(const lg_ensemble *E, int64_t i, const ensemble_truth *truth, const ensemble_plan *plan)
{
    const alone *a = &truth->instance[i];
    double t, g[SUITE_ELEMENT], p[SUITE_DIM];
    lg_ensemble_figures m;
    lg_motion *motion = NULL;
    lg_integrator *copy;
    suite_status("status", lg_ensemble_status(E, i), a->status);
    suite_ok("state", lg_ensemble_state(E, &t, g, p, i));
    suite_same_bits("t", &t, &a->t, 1);
    suite_same_bits("g", g, a->g, truth->element_size);
    suite_same_bits("p", p, a->p, truth->n);
    suite_ok("monitor", lg_ensemble_read(E, &m, i));
    suite_same_bits("figures of the monitor", &m.energy_first, &a->seen.energy_first, 4);
    if (a->status != LG_OK) return;
    suite_ok("motion", lg_ensemble_motion(&motion, E, i));
    copy = lg_motion_integrator(motion);
    suite_same_bits("the copy's g", lg_integrator_configuration(copy), a->g, truth->element_size);
    for (int again = 0; again < 2; again++) {
        if (lg_integrator_run(copy, plan->after, 1, NULL, NULL) != LG_OK) suite_fail("%s", lg_integrator_message(copy));
        if (again && (lg_integrator_iterations(copy) != 0 || lg_integrator_tolerance(copy) > 0))
            break; /* what the solver remembered, and the step that was found, are forgotten by the reset */
        suite_same_bits("g later", lg_integrator_configuration(copy), a->after_g, truth->element_size);
        suite_same_bits("p later", lg_integrator_momentum(copy), a->after_p, truth->n);
        suite_ok("reset", lg_integrator_reset(copy));
        suite_same_bits("the reset copy's g", lg_integrator_configuration(copy), a->g, truth->element_size);
        suite_same_bits("the reset copy's t", &t, &a->t, 1);
    }
    lg_motion_destroy(motion);
}

void ensemble_compare(const ensemble_case *x, const ensemble_plan *plan, ensemble_truth *truth, int width, int threads)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E = NULL;
    lg_model *M = NULL;
    seen *s = calloc((size_t)plan->count, sizeof *s);
    int *visits = calloc((size_t)plan->count, sizeof *visits);
    void *context[] = {truth, s}, *visiting[] = {truth, visits};
    assert_true(s != NULL && visits != NULL);
    if (lg_model_create(&M, x->definition) != LG_OK) suite_fail("%s", lg_model_message(M));
    o.method = x->method, o.retraction = x->retraction, o.project = 1, o.width = width, o.threads = threads;
    o.monitor = ENSEMBLE_MONITOR, o.tolerance = x->tolerance;
    if (lg_ensemble_create(&E, M, plan->count, &o) != LG_OK) suite_fail("%s", lg_ensemble_message(E));
    assert_true(lg_ensemble_width(E) == 1 || lg_ensemble_width(E) == width);
    assert_in_range(lg_ensemble_threads(E), 1, threads);
    suite_ok("set", lg_ensemble_set_all(E, x->vary, NULL));
    for (int k = 0; k < 2; k++) suite_ok("run", lg_ensemble_run(E, plan->steps[k], plan->every[k], watch, context));
    suite_ok("visit", lg_ensemble_visit(E, visit, visiting));
    for (int64_t i = 0; i < plan->count; i++) {
        compare(E, i, truth, plan);
        assert_int_equal(s[i].calls, truth->instance[i].calls);
        assert_int_equal(visits[i], 1);
        if (s[i].hash != truth->instance[i].hash) suite_fail("instance %d is observed differently", (int)i);
    }
    lg_ensemble_destroy(E);
    lg_model_destroy(M);
    free(s);
    free(visits);
}

/* ---- the frail ball ---- */

enum { KIND = 6, WHEN };

/* What ails lane l, and in it its numbers; nonzero: the code that fails it. */
static int spoil(const lg_call *c, int l, double *Y)
{
    const int lanes = c->lanes;
    if (c->t <= c->param[WHEN * lanes + l]) return 0;
    switch ((int)c->param[KIND * lanes + l]) {
    case 1:
        return 7;
    case 2:
        Y[l] = (double)NAN;
        break;
    case 3:
        Y[lanes + l] = (double)INFINITY;
        break;
    case 4:
        Y[l] *= 1e9, Y[lanes + l] *= -1e9;
        break;
    default:
        break;
    }
    return 0;
}

static _Atomic long calls[9]; /* by lanes */

long ensemble_frail_calls(int lanes)
{
    return calls[lanes];
}

static int frail_drift(const lg_call *c, const double *g, double *Y)
{
    int code = lg_catalog_definition("rolling-ball")->callbacks.drift(c, g, Y);
    if (c->lanes < 9) calls[c->lanes]++;
    for (int l = 0; code == 0 && l < c->lanes; l++) code = spoil(c, l, Y);
    return code;
}

lg_model_definition ensemble_frail_ball(int lanes)
{
    static const lg_parameter own[2] = {{"kind", "", "how it fails", 0, 0, FRAIL_KINDS, 0},
                                        {"when", "s", "and when", 0, 0, INFINITY, 0}};
    static lg_parameter parameters[WHEN + 1];
    lg_model_definition d = *lg_catalog_definition("rolling-ball");
    assert_int_equal(d.parameter_count, KIND);
    memcpy(parameters, d.parameters, KIND * sizeof *parameters);
    memcpy(parameters + KIND, own, sizeof own);
    d.parameters = parameters;
    d.parameter_count = WHEN + 1;
    d.callbacks.drift = frail_drift;
    d.callbacks.time_dependent = 1;
    d.callbacks.lanes = lanes;
    return d;
}
