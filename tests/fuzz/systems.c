/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems from bytes: sizes and counts that are wrong, callbacks that fail or give wrong numbers at some call, and the
 * verbs of an integrator in any order. A step that fails leaves the state's bits, a copy continues with the same bits,
 * and every failure has a message. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "fuzz.h"

enum { VERBS = 24, CALLS = 6000, FEW_CALLS = 800, N_MOST = 6, E_MOST = 8, ROWS_MOST = 5, CONTROLS_MOST = 2 };

/* The error in the callback number `at`. */
typedef enum wrong { NOTHING, FAILS, GIVES_NAN, GIVES_INFINITY, GIVES_HUGE, GIVES_GARBAGE } wrong;

/* The context of all callbacks. */
typedef struct world {
    fuzz_bytes b;
    int n, element;
    int calls, most, at,
        lasts; /* calls so far; after so many all fail; the first that goes wrong, and how many do; at < 0: none */
    wrong how;
    int counting; /* 0: nothing goes wrong */
    double scale[8], rows[ROWS_MOST * N_MOST], inertia[N_MOST * N_MOST], values[4];
    lg_parameter parameters[4];
    lg_system S;
    lg_integrator *it;
} world;

/* ---- callbacks ---- */

/* Counts a call and spoils its numbers. Nonzero: it fails. */
static int spoil(const lg_call *c, double *out, int count)
{
    world *w = (world *)c->context;
    const int call = w->calls++;
    if (call > w->most) return 77; /* an input takes no longer than this */
    if (!w->counting || w->at < 0 || call < w->at || call >= w->at + w->lasts) return 0;
    static const double numbers[] = {0, 0, NAN, INFINITY, 1e200};
    if (w->how == FAILS) return 5;
    for (int i = 0; i < count && w->how != NOTHING; i++)
        out[i] = w->how == GIVES_GARBAGE ? 1e3 * sin(call * 12.9898 + i * 78.233) : numbers[w->how];
    return 0;
}

static int potential(const lg_call *c, const double *g, double *V)
{
    const world *w = c->context;
    *V = 0;
    for (int i = 0; i < w->element; i++) *V += w->scale[i] * g[i] + 0.1 * g[i] * g[i];
    return spoil(c, V, 1);
}

static int force(const lg_call *c, const double *g, const double *xi, double *out)
{
    const world *w = c->context;
    for (int i = 0; i < w->n; i++) out[i] = -0.1 * xi[i] + 0.01 * w->scale[i] * g[i];
    if (w->S.callbacks.control_count > 0) out[0] += c->control[0];
    return spoil(c, out, w->n);
}

static int metric(const lg_call *c, const double *g, double *J)
{
    const world *w = c->context;
    for (int i = 0; i < w->n; i++) J[i * w->n + i] = 1 + 0.1 * (i + 1) + 0.2 * sin(g[i]);
    return spoil(c, J, w->n * w->n);
}

static int covectors(const lg_call *c, const double *g, double *mu, double *Y)
{
    const world *w = c->context;
    const int m = w->S.constraint_count;
    for (int r = 0; r < m; r++) {
        mu[r * w->n + r] = 1;
        mu[r * w->n + w->n - 1] = 0.5 * g[0] + w->scale[r];
        Y[r] = 0.1 * w->scale[r];
    }
    return spoil(c, mu, m * w->n);
}

static int drift(const lg_call *c, const double *g, double *Y)
{
    const world *w = c->context;
    for (int i = 0; i < w->n; i++) Y[i] = 0.1 * w->scale[i] * cos(g[0] + c->t);
    return spoil(c, Y, w->n);
}

/* Of the first numbers of an element: distances that are kept. */
static int holonomic(const lg_call *c, const double *g, double *phi)
{
    const world *w = c->context;
    for (int r = 0; r < w->S.callbacks.holonomic_count; r++)
        phi[r] = g[r] * g[r] + g[w->element - 1] * g[w->element - 1] - 1;
    return spoil(c, phi, w->S.callbacks.holonomic_count);
}

static int crossing(const lg_call *c, const double *g, const double *xi, double *f)
{
    *f = g[0] - 0.25 + 0.1 * xi[0];
    return spoil(c, f, 1);
}

/* ---- a system ---- */

static const lg_group *group(world *w)
{
    static const lg_group *const none = NULL;
    switch (fuzz_between(&w->b, 0, 7)) {
    case 0:
        return lg_rn(3);
    case 1:
        return lg_so3();
    case 2:
        return lg_se2();
    case 3:
        return lg_se3();
    case 4:
        return lg_rn(1);
    case 5:
        return lg_torus(2);
    case 6:
        return lg_so2();
    default:
        return fuzz_byte(&w->b) > 240 ? none : lg_rn(2);
    }
}

/* Mostly from 0 to `most`; sometimes a count that must be refused. */
static int count_of(world *w, int most)
{
    static const int wrong_counts[] = {-1, INT_MIN, INT_MAX, 1 << 24};
    const int kind = fuzz_byte(&w->b);
    return kind >= 250 ? wrong_counts[kind & 3] : kind % (most + 1);
}

static void give_callbacks(world *w)
{
    lg_callbacks *f = &w->S.callbacks;
    const int which = fuzz_byte(&w->b), more = fuzz_byte(&w->b);
    if (which & 1) f->potential = potential;
    if (which & 2) f->force = force;
    if (which & 4) f->metric = metric;
    if (which & 8) f->covectors = covectors;
    if (which & 16) f->drift = drift;
    if (which & 32) f->holonomic = holonomic;
    f->time_dependent = which >> 6 & 1;
    f->control_count = more & 1 ? fuzz_between(&w->b, -1, CONTROLS_MOST) : 0;
    f->holonomic_count = more & 2 ? fuzz_between(&w->b, -1, w->n > 1 ? 2 : 1) : which >> 5 & 1;
    f->lanes = more & 4 ? fuzz_between(&w->b, -1, 8) : LG_LANES_ONE;
}

static void give_numbers(world *w)
{
    const int which = fuzz_byte(&w->b), mild = fuzz_byte(&w->b) < 200;
    fuzz_numbers(&w->b, w->scale, 8, mild);
    for (int i = 0; i < w->n; i++) w->inertia[i * (which & 1 ? w->n + 1 : 1)] = 1 + 0.25 * i;
    if (which & 2) fuzz_numbers(&w->b, w->inertia, w->n * w->n, mild);
    for (int r = 0; r < ROWS_MOST; r++) w->rows[r * w->n % (ROWS_MOST * N_MOST - N_MOST) + r % w->n] = 1;
    if (which & 4) fuzz_numbers(&w->b, w->rows, ROWS_MOST * N_MOST, mild);
    if ((which & 1) && !(which & 64)) w->S.inertia = w->inertia;
    if (!(which & 1) && !(which & 64)) w->S.inertia_diagonal = w->inertia;
    if (which & 8) w->S.covector_matrix = w->rows;
    if (which & 16) w->S.projector_metric = w->inertia;
    if (which & 32) w->S.parameter_values = w->values;
}

/* Makes the system valid, so that it is not refused; its functions may still fail. */
static void mend(world *w)
{
    lg_system *S = &w->S;
    lg_callbacks *f = &S->callbacks;
    f->holonomic_count = f->holonomic != NULL && w->n > 1 ? 1 : 0;
    if (f->holonomic_count == 0) f->holonomic = NULL;
    const int most = w->n - 1 - f->holonomic_count;
    S->constraint_count = S->constraint_count < 0 || S->constraint_count > most ? most : S->constraint_count;
    if (S->constraint_count == 0) f->covectors = NULL, S->covector_matrix = NULL;
    if (f->covectors != NULL) S->covector_matrix = NULL;
    if (S->constraint_count > 0 && f->covectors == NULL) S->covector_matrix = w->rows;
    if (S->covector_matrix == NULL) f->drift = NULL;
    S->inertia = S->projector_metric = NULL;
    S->inertia_diagonal = f->metric == NULL ? w->inertia : NULL;
    for (int i = 0; i < w->n; i++) w->inertia[i] = 1 + fabs(w->inertia[i]);
    if (!(lg_system_validate(S, NULL) == LG_OK)) {
        memset(w->rows, 0, sizeof w->rows);
        for (int r = 0; r < S->constraint_count; r++) w->rows[r * w->n + r] = 1, w->rows[r * w->n + w->n - 1] = 0.5;
        for (int i = 0; i < w->n; i++) w->inertia[i] = 1 + 0.5 * i;
    }
    f->lanes = LG_LANES_ONE;
    f->control_count = f->control_count < 0 ? 1 : f->control_count;
    S->parameter_count = 0, S->size = sizeof *S;
}

static void describe(world *w)
{
    const int sane = fuzz_byte(&w->b) < 216;
    const lg_group *G = group(w);
    static const size_t sizes[] = {0, 1, 8, sizeof(lg_system) - 8, sizeof(lg_system) + 8, SIZE_MAX};
    w->n = G != NULL ? lg_group_dim(G) : 1;
    w->element = G != NULL ? lg_group_element_size(G) : 1;
    w->S = lg_system_default(G);
    w->S.context = w;
    give_callbacks(w);
    w->S.constraint_count = count_of(w, w->n - 1);
    give_numbers(w);
    if (fuzz_byte(&w->b) > 240) w->S.parameter_count = fuzz_between(&w->b, -1, 4);
    for (int i = 0; i < 4; i++) w->parameters[i] = (lg_parameter){"a", "", "a number", fuzz_mild(&w->b), -2, 2, 0};
    if (fuzz_byte(&w->b) & 1) w->S.parameters = w->parameters;
    const int size = fuzz_byte(&w->b);
    if (size > 240) w->S.size = sizes[size % 6];
    if (sane && G != NULL) mend(w);
    w->at = fuzz_between(&w->b, -1, 200) * (1 + fuzz_between(&w->b, 0, 3));
    w->lasts = 1 + (fuzz_byte(&w->b) & 1 ? CALLS : 0);
    w->how = (wrong)fuzz_between(&w->b, NOTHING, GIVES_GARBAGE);
    w->counting = 1;
}

/* ---- the state, and what must hold of it ---- */

/* All that a state is; NaN that is not read in between keeps its bits. */
typedef struct state {
    double t, g[E_MOST], plus[N_MOST], minus[N_MOST], p[N_MOST];
    int64_t k;
} state;

static void copy(double *to, const double *from, int count)
{
    if (from != NULL) memcpy(to, from, (size_t)count * sizeof *to);
}

static state state_of(const world *w, const lg_integrator *it)
{
    state s;
    memset(&s, 0, sizeof s);
    s.t = lg_integrator_time(it);
    s.k = lg_integrator_step_index(it);
    copy(s.g, lg_integrator_configuration(it), w->element);
    copy(s.plus, lg_integrator_momentum_plus(it), w->n);
    copy(s.minus, lg_integrator_momentum_minus(it), w->n);
    copy(s.p, lg_integrator_momentum(it), w->n);
    return s;
}

static void expect(const world *w, lg_status status, const char *call)
{
    fuzz_require_message(status, lg_integrator_message(w->it), call);
}

/* A step of any kind; one that fails changes nothing. */
static void advance(world *w, int verb)
{
    const state before = state_of(w, w->it);
    const double h = lg_integrator_step_size(w->it);
    lg_event event = lg_event_default(crossing, w);
    int found = 0;
    lg_status status;
    if (verb == 0) {
        status = lg_integrator_step(w->it);
    } else if (verb == 1) {
        event.tolerance = fuzz_byte(&w->b) > 200 ? fuzz_number(&w->b) : 0;
        event.direction = (lg_crossing)fuzz_between(&w->b, -2, 2);
        status = lg_integrator_step_to_event(w->it, &found, &event);
    } else {
        status = lg_integrator_step_to(w->it, before.t + h * (fuzz_byte(&w->b) > 200 ? fuzz_number(&w->b) : 0.375));
    }
    expect(w, status, "a step");
    if (status == LG_OK) return;
    const state after = state_of(w, w->it);
    fuzz_require_same(&before, &after, sizeof before, "a step that failed has changed the state");
}

/* A copy continues as its original does; meanwhile the callbacks work. */
static void copied(world *w)
{
    lg_integrator *other = NULL;
    /* the node may hold wrong numbers, or a difference that did without the call that failed */
    const int went_wrong = w->at >= 0 && w->calls > w->at && w->how != NOTHING;
    if (w->calls > w->most / 2 || went_wrong) return;
    w->counting = 0;
    lg_status status = lg_integrator_clone(&other, w->it);
    fuzz_require_message(status, lg_integrator_message(other), "clone");
    for (int i = 0; i < 2 && status == LG_OK && w->calls < w->most / 2; i++) {
        const lg_status mine = lg_integrator_step(w->it);
        const state a = state_of(w, w->it);
        status = lg_integrator_step(other);
        const state b = state_of(w, other);
        if (w->calls > w->most) break;
        fuzz_require(mine == status, "a copy steps otherwise", lg_integrator_message(w->it));
        fuzz_require_same(&a, &b, sizeof a, "a copy continues with other bits");
    }
    w->counting = 1;
    lg_integrator_destroy(other);
}

static void linearise(world *w)
{
    lg_linearisation *lin = NULL;
    const state before = state_of(w, w->it);
    lg_status status = lg_linearisation_create(&lin, w->it);
    fuzz_require_message(status, lg_linearisation_message(lin), "lg_linearisation_create");
    const int made = status == LG_OK;
    if (made) status = lg_linearisation_compute(lin, w->it);
    fuzz_require_message(status, lg_linearisation_message(lin), "lg_linearisation_compute");
    const state after = state_of(w, w->it);
    fuzz_require_same(&before, &after, sizeof before, "a linearisation has changed the state");
    const int room = lg_linearisation_rows(lin) * lg_linearisation_columns(lin);
    double *J = malloc((size_t)(room > 0 ? room : 1) * sizeof *J);
    fuzz_require((lg_linearisation_jacobian(lin, J) == LG_OK) == (made && status == LG_OK), "the Jacobian", "is there");
    free(J);
    lg_linearisation_destroy(lin);
}

static void report(const world *w)
{
    const lg_integrator *it = w->it;
    double xi[N_MOST], g[E_MOST], t, figure;
    lg_resolution r = lg_resolution_default();
    lg_status_ignore(lg_integrator_velocity(it, xi));
    lg_status_ignore(lg_integrator_interpolate(it, &t, g, xi, 0.3));
    (void)lg_integrator_energy(it), (void)lg_integrator_energy_post(it), (void)lg_integrator_step_work(it);
    (void)lg_integrator_constraint_residual(it), (void)lg_integrator_holonomic_residual(it);
    (void)lg_integrator_normal_part(it), (void)lg_integrator_iterations(it), (void)lg_integrator_bytes(it);
    (void)lg_integrator_found_step(it), (void)lg_integrator_step_error(it);
    lg_status_ignore(lg_diagnostics_reversibility(it, &figure, 2));
    lg_status_ignore(lg_diagnostics_resolution(it, &r, 1));
    lg_status_ignore(lg_diagnostics_determinant(it, &figure));
}

/* ---- verbs ---- */

static void start(world *w)
{
    double g[E_MOST], xi[N_MOST];
    const int kind = fuzz_byte(&w->b), mild = kind < 200;
    fuzz_numbers(&w->b, g, w->element, mild);
    fuzz_numbers(&w->b, xi, w->n, mild);
    if (w->S.group != NULL && mild) lg_status_ignore(lg_group_project(w->S.group, g, g));
    if (kind & 32)
        expect(w, lg_integrator_start_momentum(w->it, fuzz_mild(&w->b), g, xi), "start_momentum");
    else
        expect(w, lg_integrator_start(w->it, fuzz_mild(&w->b), g, xi, (lg_start)(kind & 3), (kind >> 2 & 3) != 0),
               "start");
}

static void set(world *w)
{
    double u[CONTROLS_MOST];
    fuzz_numbers(&w->b, u, CONTROLS_MOST, fuzz_byte(&w->b) < 200);
    switch (fuzz_between(&w->b, 0, 4)) {
    case 0:
        expect(w, lg_integrator_set_control(w->it, u), "set_control");
        break;
    case 1:
        expect(w, lg_integrator_set_newton(w->it, u[0], (int)fuzz_between(&w->b, -1, 20)), "set_newton");
        break;
    case 2:
        expect(w, lg_integrator_set_solver(w->it, u[0], (int)fuzz_between(&w->b, -1, 60)), "set_solver");
        break;
    case 3:
        expect(w, lg_integrator_set_tolerance(w->it, u[0]), "set_tolerance");
        break;
    default:
        expect(w, lg_integrator_set_tolerance(w->it, fuzz_byte(&w->b) & 1 ? 1e-6 : 0), "set_tolerance");
        break;
    }
}

static void go(world *w)
{
    for (int i = 0; i < VERBS && fuzz_more(&w->b) && w->calls <= w->most; i++) {
        const int verb = fuzz_between(&w->b, 0, 11);
        if (verb < 3) advance(w, verb);
        if (verb == 3) copied(w);
        if (verb == 4) linearise(w);
        if (verb == 5) report(w);
        if (verb == 6) start(w);
        if (verb == 7) set(w);
        if (verb == 8) expect(w, lg_integrator_reset(w->it), "reset");
        if (verb > 8) advance(w, 0);
    }
}

static const char *retraction(world *w)
{
    static const char *const names[] = {NULL, "exp", "cayley", "second-kind", "exp:order=3"};
    return names[fuzz_between(&w->b, 0, 4)];
}

/* A method of the list, or one with other options. */
static const char *method(world *w)
{
    static const char *const others[] = {
        "gauss:stages=1", "gauss:stages=2", "gauss:stages=3,rate", "gauss:stages=16", "sem:gauss=8",
        "sem@yoshida4",   "gni@suzuki4",    "nsv@kahan-li6",       "dla:alpha=0.3",   "gni:symmetric-alpha=0.2"};
    const char *const *names = lg_method_names();
    int count = 0;
    const int which = fuzz_byte(&w->b);
    while (names[count] != NULL) count++;
    if (which >= 200) return others[which % 10];
    return names[which % count];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    world w;
    lg_error error = {LG_OK, ""};
    memset(&w, 0, sizeof w);
    w.b = (fuzz_bytes){data, size, 0};
    w.most = fuzz_thorough(data, size) ? CALLS : FEW_CALLS;
    describe(&w);
    fuzz_require_message(lg_system_validate(&w.S, &error), error.message, "lg_system_validate");
    const char *name = method(&w), *tau = retraction(&w);
    const double h = fuzz_byte(&w.b) > 230 ? fuzz_number(&w.b) : 0.01 * (1 + fuzz_byte(&w.b));
    const lg_status status = lg_integrator_create(&w.it, &w.S, name, tau, h);
    expect(&w, status, "create");
    if (status == LG_OK) {
        start(&w);
        go(&w);
    }
    lg_integrator_destroy(w.it);
    return 0;
}
