/* SPDX-License-Identifier: BSD-3-Clause */
/* The truth at a time T: the model's exact solution where it holds, else a composition of high order whose steps are
 * halved until rounding is all that is left. */
#include "run/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/begin.h"
#include "run/engine.h"
#include "run/model_private.h"

/* What the reference may be computed with, best first; the first and the last number of steps as multiples of the
 * steps of the options. The compositions' sub-steps are a third of theirs and have order 8 or 6. */
static const struct {
    const char *name;
    int stages;
    double first;
    int64_t most;
} methods[] = {
    {"sem@kahan-li8", 17, 0.25, 64},
    {"sem:gauss=8@kahan-li6", 9, 0.5, 64},
    {"gni@kahan-li6", 9, 0.5, 64},
    {"rk4", 4, 4, 4096},
};

/* Steps that may be taken however few the options ask for. */
#define FEW_STEPS 8192
/* Differences relative to the scale: two results that agree so well are done, and from here on they may no longer
 * come nearer because of rounding. */
#define DONE   2e-14
#define NEARLY 1e-9
/* Rounding relative to the scale, of one stage of a method and of exact(). */
#define ROUNDING 1e-15
#define EXACT    1e-14

/* Everything while it is being made. */
typedef struct search {
    lg_reference *R;
    lg_model *M;
    const lg_motion_options *o;
    int64_t steps;
    int n, size;
    lg_end_state coarse, fine; /* results of a step and of its half */
    double *velocity;          /* n */
    double *metric;            /* n x n */
    double *controls;          /* zeros */
    double *element;           /* size */
} search;

/* Columns --------------------------------------------------------------------------------------------------------- */

static void name_factor(lg_reference *R, int f)
{
    const char *name = lg_group_factor(R->group, f)->name;
    int same = 1;
    for (int i = 0; i < f; i++) same += strcmp(lg_group_factor(R->group, i)->name, name) == 0;
    if (same > 1) {
        snprintf(R->column[f].name, sizeof R->column[f].name, "%.20s_%d", name, same);
    } else {
        snprintf(R->column[f].name, sizeof R->column[f].name, "%.31s", name);
    }
}

/* Positions and attitudes of bodies. */
static void name_body(lg_reference *R, int f, const lg_mechanism *m)
{
    const char *body = lg_mechanism_body_name(m, f / 2);
    if (body == NULL)
        name_factor(R, f); /* a part of a body that was divided */
    else
        snprintf(R->column[f].name, sizeof R->column[f].name, "%.20s %s", body, f % 2 == 0 ? "position" : "attitude");
}

static void name_columns(lg_reference *R, const lg_mechanism *m)
{
    static const char *const names[] = {"configuration", "momentum", "energy"};
    const int factors = lg_group_factor_count(R->group);
    int shapes = 0;
    for (int f = 0; f < factors && m == NULL; f++) shapes += lg_group_factor(R->group, f)->abelian != 0;
    const int mixed = shapes > 0 && shapes < factors;
    R->factors = factors > 1 && factors <= LG_CONVERGENCE_COLUMNS - 3 ? factors : 0;
    R->columns = R->factors + 3;
    for (int f = 0; f < R->factors; f++) {
        if (m == NULL)
            name_factor(R, f);
        else
            name_body(R, f, m);
        R->column[f].kind =
            mixed && lg_group_factor(R->group, f)->abelian ? LG_VARIABLES_REDUCED : LG_VARIABLES_RECONSTRUCTED;
    }
    for (int i = 0; i < 3; i++) snprintf(R->column[R->factors + i].name, sizeof R->column[0].name, "%s", names[i]);
    R->column[R->factors].kind = mixed ? LG_VARIABLES_BOTH : LG_VARIABLES_RECONSTRUCTED;
    R->column[R->factors + 1].kind = LG_VARIABLES_REDUCED;
    R->column[R->factors + 2].kind = LG_VARIABLES_BOTH;
}

void lg_reference_compare(const lg_reference *R, double *difference, const lg_end_state *a, const lg_end_state *b)
{
    const double *ga = a->g, *gb = b->g;
    double all = 0, momentum = 0;
    for (int f = 0; f < lg_group_factor_count(R->group); f++) {
        const lg_group *factor = lg_group_factor(R->group, f);
        double d = NAN;
        if (lg_group_distance(factor, &d, ga, gb) != LG_OK)
            d = NAN; /* a rotation by pi: no error that tells anything */
        if (f < R->factors) difference[f] = d;
        all = hypot(all, d);
        ga += factor->element_size;
        gb += factor->element_size;
    }
    for (int i = 0; i < R->group->dim; i++) momentum = hypot(momentum, a->p[i] - b->p[i]);
    difference[R->factors] = all;
    difference[R->factors + 1] = momentum;
    difference[R->factors + 2] = fabs(a->energy - b->energy);
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* The scales, from a state at T, its velocity and the largest momentum at the start. */
static void set_scales(lg_reference *R, const lg_end_state *s, const double *velocity, double momentum)
{
    const double *g = s->g;
    double kinetic = 0;
    lg_convergence_column *last = R->column + R->factors;
    for (int f = 0; f < R->factors; f++) {
        R->column[f].scale = fmax(1, largest(g, lg_group_factor(R->group, f)->element_size));
        g += lg_group_factor(R->group, f)->element_size;
    }
    for (int i = 0; i < R->group->dim; i++) kinetic += 0.5 * s->p[i] * velocity[i];
    last[0].scale = fmax(1, largest(s->g, R->group->element_size));
    last[1].scale = fmax(momentum, largest(s->p, R->group->dim));
    last[2].scale = fmax(fabs(s->energy), fabs(kinetic));
    for (int i = 0; i < R->columns; i++) R->column[i].scale = fmax(R->column[i].scale, 1e-300);
}

/* By a method ----------------------------------------------------------------------------------------------------- */

/* The options with this method, and the one retraction and start that all of them have. */
static lg_motion_options with_method(const search *s, const char *method)
{
    lg_motion_options o = *s->o;
    o.method = method, o.retraction = "exp", o.start = LG_START_REACTION;
    o.tolerance = 0;
    return o;
}

static lg_status run_once(search *s, lg_end_state *out, const char *method, int64_t steps, lg_error *e)
{
    const lg_motion_options o = with_method(s, method);
    const lg_run_course course = {&o, s->R->project};
    lg_motion *mo = NULL;
    lg_status status = lg_run_arrive(&mo, s->M, &course, s->R->time / (double)steps, 0, e);
    if (status == LG_OK) lg_status_ignore(lg_motion_state(mo, NULL, NULL, out->p));
    const double momentum = status == LG_OK ? largest(out->p, s->n) : 0;
    if (status == LG_OK && (status = lg_motion_step(mo, steps)) != LG_OK)
        (void)lg_fail(e, status, "%s", lg_motion_message(mo));
    if (status == LG_OK && lg_motion_state(mo, out->g, s->velocity, out->p) != LG_OK)
        status = lg_fail(e, LG_ERROR_NOT_FINITE, "velocity");
    if (status == LG_OK) {
        out->energy = lg_motion_energy(mo);
        set_scales(s->R, out, s->velocity, momentum);
    }
    lg_motion_destroy(mo);
    return status;
}

/* Largest difference relative to the scales; NaN if one is. */
static double judge(const lg_reference *R, const double *difference)
{
    double most = 0;
    for (int i = 0; i < R->columns; i++) {
        const double d = difference[i] / R->column[i].scale;
        if (isnan(d)) return NAN;
        most = fmax(most, d);
    }
    return most;
}

static void swap(lg_end_state *a, lg_end_state *b)
{
    const lg_end_state c = *a;
    *a = *b;
    *b = c;
}

/* Halves the steps of method k until its results agree. They end in s->coarse, with the estimates in the columns. */
static lg_status refine(search *s, int k, lg_error *e)
{
    lg_reference *R = s->R;
    const int64_t most = s->steps * methods[k].most > FEW_STEPS ? s->steps * methods[k].most : FEW_STEPS;
    double before = INFINITY;
    int known = 0; /* results that are to be compared */
    lg_status status = LG_ERROR_CONVERGENCE;
    for (int64_t N = (int64_t)ceil((double)s->steps * methods[k].first); N <= most; N *= 2) {
        double difference[LG_CONVERGENCE_COLUMNS], now;
        status = run_once(s, &s->fine, methods[k].name, N, e);
        if (status != LG_OK && !lg_run_is_numeric(status)) return status;
        if (status != LG_OK) continue;
        lg_reference_compare(R, difference, &s->fine, &s->coarse);
        swap(&s->fine, &s->coarse);
        if (known++ == 0) continue;
        now = judge(R, difference);
        for (int i = 0; i < R->columns; i++) {
            const double rounding = ROUNDING * sqrt((double)N * methods[k].stages) * R->column[i].scale;
            R->column[i].error = difference[i] + rounding;
        }
        R->step = R->time / (double)N;
        if (now <= DONE || (before <= NEARLY && !(now < before / 2))) break;
        before = now;
    }
    if (known >= 2) return LG_OK;
    if (status == LG_OK) return lg_fail(e, LG_ERROR_CONVERGENCE, "only one step size of the reference arrives");
    return status;
}

/* The state by the first method that arrives. */
static lg_status compute(search *s, lg_error *e)
{
    lg_status status = LG_ERROR_UNSUPPORTED;
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        status = refine(s, (int)k, e);
        if (status == LG_OK) s->R->method = methods[k].name;
        if (status != LG_ERROR_UNSUPPORTED && !lg_run_is_numeric(status)) break;
    }
    return status;
}

/* By the exact solution ------------------------------------------------------------------------------------------- */

/* p = J(g) xi. */
static int reference_multiply(search *s, const lg_system *S, const lg_end_state *x)
{
    const lg_call call = lg_system_call(S, &s->R->time, s->controls);
    const double *J = S->inertia;
    if (S->callbacks.metric != NULL) {
        if (S->callbacks.metric(&call, x->g, s->metric) != 0) return 1;
        J = s->metric;
    }
    for (int i = 0; i < s->n; i++) {
        if (J == NULL) {
            x->p[i] = S->inertia_diagonal[i] * s->velocity[i];
            continue;
        }
        x->p[i] = 0;
        for (int j = 0; j < s->n; j++) x->p[i] += J[i * s->n + j] * s->velocity[j];
    }
    return 0;
}

/* The initial data that the model gives, or those on the constraints if they differ by more than rounding: closed forms
 * may want a component to be exactly 0. */
static lg_status settle_initial(search *s, double *g0, double *xi0, lg_error *e)
{
    const lg_motion_options o = with_method(s, "rk4");
    const lg_run_course course = {&o, s->R->project};
    lg_motion *mo = NULL;
    lg_status status = lg_run_arrive(&mo, s->M, &course, o.step, 0, e);
    if (status == LG_OK) status = lg_model_initial(s->M, g0, xi0, NULL);
    if (status == LG_OK) status = lg_motion_state(mo, s->coarse.g, s->velocity, NULL);
    if (status == LG_OK) {
        const double *g = s->coarse.g;
        double off = 0;
        for (int i = 0; i < s->size; i++) off = fmax(off, fabs(g[i] - g0[i]) / (1 + fabs(g[i])));
        for (int i = 0; i < s->n; i++) off = fmax(off, fabs(s->velocity[i] - xi0[i]) / (1 + fabs(xi0[i])));
        if (off > EXACT) {
            memcpy(g0, g, (size_t)s->size * sizeof *g0);
            memcpy(xi0, s->velocity, (size_t)s->n * sizeof *xi0);
        }
    }
    lg_motion_destroy(mo);
    return status;
}

/* The exact state into `x`, NaN where it is not known; *solved = 0: nothing is. A failure that says nothing of the
 * solution is none of its gaps. */
static lg_status solve(search *s, lg_end_state *x, int *solved, lg_error *e)
{
    const lg_model_definition *d = lg_model_describe(s->M);
    const lg_system *S = NULL;
    double *xi0 = s->metric; /* before it is needed */
    *solved = 0;
    if (d == NULL || d->exact == NULL || lg_model_system(s->M, &S) != LG_OK) return LG_OK;
    const lg_status begun = settle_initial(s, s->element, xi0, e);
    if (begun == LG_ERROR_MEMORY || begun == LG_ERROR_CALLBACK) return begun;
    if (begun != LG_OK) return LG_OK;
    const lg_call c = lg_system_call(S, &s->R->time, NULL);
    if (d->exact(&c, s->element, xi0, x->g, s->velocity) != 0) return LG_OK;
    *solved = 1;
    if (reference_multiply(s, S, x) != 0) {
        for (int i = 0; i < s->n; i++) x->p[i] = NAN;
    }
    const lg_status known = lg_system_energy(S, &x->energy, s->R->time, x->g, x->p, e);
    if (known != LG_OK) x->energy = NAN;
    return known == LG_ERROR_MEMORY ? known : LG_OK;
}

static int all_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i])) return 0;
    }
    return 1;
}

/* Takes the known parts of the exact state over into the reference's. */
static void take(search *s, const lg_end_state *exact, int *known)
{
    lg_reference *R = s->R;
    int at = 0, whole = 1;
    for (int f = 0; f < lg_group_factor_count(R->group); f++) {
        const int size = lg_group_factor(R->group, f)->element_size;
        const int finite = all_finite(exact->g + at, size);
        if (finite) memcpy(R->state.g + at, exact->g + at, (size_t)size * sizeof *exact->g);
        if (f < R->factors) known[f] = finite;
        whole &= finite;
        at += size;
    }
    known[R->factors] = whole;
    known[R->factors + 1] = all_finite(exact->p, s->n);
    known[R->factors + 2] = isfinite(exact->energy);
    if (known[R->factors + 1]) memcpy(R->state.p, exact->p, (size_t)s->n * sizeof *exact->p);
    if (known[R->factors + 2]) R->state.energy = exact->energy;
}

/* Both together --------------------------------------------------------------------------------------------------- */

static lg_status find(search *s, lg_end_state *exact, lg_error *e)
{
    lg_reference *R = s->R;
    int known[LG_CONVERGENCE_COLUMNS] = {0}, complete = 1;
    int solved;
    lg_status status = solve(s, exact, &solved, e);
    if (status != LG_OK) return status;
    if (solved) take(s, exact, known);
    for (int i = 0; i < R->columns; i++) complete &= known[i];
    if (complete) {
        set_scales(R, &R->state, s->velocity, 0);
    } else {
        status = compute(s, e);
        if (status != LG_OK) return status;
        memcpy(R->state.g, s->coarse.g, (size_t)s->size * sizeof *R->state.g);
        memcpy(R->state.p, s->coarse.p, (size_t)s->n * sizeof *R->state.p);
        R->state.energy = s->coarse.energy;
        if (solved) take(s, exact, known);
    }
    for (int i = 0; i < R->columns; i++) {
        R->column[i].exact = known[i];
        if (known[i]) R->column[i].error = EXACT * R->column[i].scale;
    }
    return LG_OK;
}

/* The next `count` numbers of a block. */
static double *reference_carve(double **at, size_t count)
{
    double *here = *at;
    *at += count;
    return here;
}

static lg_status make(lg_reference *R, lg_model *M, const lg_motion_options *o, int64_t steps, lg_error *e)
{
    const lg_group *G = R->group;
    const size_t n = (size_t)G->dim, size = (size_t)G->element_size;
    search s = {.R = R, .M = M, .o = o, .steps = steps, .n = G->dim, .size = G->element_size};
    lg_end_state exact = {NULL, NULL, NAN};
    lg_end_state *const scratch[] = {&exact, &s.coarse, &s.fine};
    const lg_system *S = NULL;
    lg_status status = lg_model_system(M, &S);
    double *block, *at;
    if (status != LG_OK) return lg_fail(e, status, "%s", lg_model_message(M));
    if (G->exp == NULL || G->exp->tau_inv == NULL) {
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "errors are measured with the logarithm, which %s has not", G->name);
    }
    R->state.g = calloc(size + n, sizeof *R->state.g);
    block = at = calloc(4 * (size + n) + n * n + (size_t)S->callbacks.control_count, sizeof *block);
    if (R->state.g == NULL || block == NULL) {
        free(block);
        return lg_fail(e, LG_ERROR_MEMORY, "out of memory");
    }
    R->state.p = R->state.g + size;
    for (int i = 0; i < 3; i++) {
        scratch[i]->g = reference_carve(&at, size);
        scratch[i]->p = reference_carve(&at, n);
    }
    s.element = reference_carve(&at, size);
    s.velocity = reference_carve(&at, n);
    s.metric = reference_carve(&at, n * n);
    s.controls = reference_carve(&at, (size_t)S->callbacks.control_count);
    status = find(&s, &exact, e);
    free(block);
    return status;
}

lg_status lg_reference_options(lg_motion_options *own, const lg_model *M, const lg_motion_options *given, int64_t steps,
                               lg_error *e)
{
    const lg_status status = lg_motion_options_take(own, M, given, e);
    if (status != LG_OK) return status;
    return steps >= 1 ? LG_OK
                      : lg_fail(e, LG_ERROR_ARGUMENT, "orders need at least 1 step, got %lld", (long long)steps);
}

lg_status lg_reference_group(const lg_group **group, lg_model *M, lg_error *e)
{
    const lg_system *S = NULL;
    const lg_status status = lg_model_system(M, &S);
    *group = status == LG_OK ? S->group : NULL;
    return status == LG_OK ? LG_OK : lg_fail(e, status, "%s", lg_model_message(M));
}

lg_status lg_reference_create(lg_reference **R, lg_model *M, const lg_motion_options *given, int64_t steps, int project)
{
    lg_reference *r;
    lg_motion_options o;
    if (R == NULL) return LG_ERROR_ARGUMENT;
    *R = r = calloc(1, sizeof *r);
    if (r == NULL) return LG_ERROR_MEMORY;
    r->step = NAN;
    r->project = project;
    lg_status status = lg_reference_options(&o, M, given, steps, &r->error);
    if (status == LG_OK) status = lg_reference_group(&r->group, M, &r->error);
    if (status != LG_OK) return status;
    r->time = o.step * (double)steps;
    name_columns(r, M->mechanism);
    status = make(r, M, &o, steps, &r->error);
    if (status == LG_OK) lg_error_clear(&r->error);
    return status;
}

void lg_reference_destroy(lg_reference *R)
{
    if (R == NULL) return;
    free(R->state.g);
    free(R);
}

const char *lg_reference_message(const lg_reference *R)
{
    return R != NULL ? R->error.message : LG_NO_OBJECT("reference");
}

const char *lg_reference_method(const lg_reference *R)
{
    return R != NULL ? R->method : NULL;
}

double lg_reference_step(const lg_reference *R)
{
    return R != NULL ? R->step : NAN;
}

int lg_reference_column_count(const lg_reference *R)
{
    return R != NULL ? R->columns : 0;
}

const lg_convergence_column *lg_reference_column(const lg_reference *R, int i)
{
    return i >= 0 && i < lg_reference_column_count(R) ? &R->column[i] : NULL;
}
