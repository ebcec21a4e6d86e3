/* SPDX-License-Identifier: BSD-3-Clause */
/* A trajectory: its memory, and the run that fills it. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <liegrp/multibody/linearise.h>

#include "base/dense.h"
#include "integrators/instances.h"
#include "integrators/integrator.h"
#include "multibody/vary.h"
#include "run/engine.h"
#include "run/trajectory_private.h"

/* A trajectory belongs to an integrator, a motion, or both, and to parameters of the motion's mechanism. */
typedef struct trajectory_order {
    lg_integrator *it;
    lg_motion *mo;
    int steps;
    const int *which; /* `count` of them */
    int count;
} trajectory_order;

/* ---- memory ---- */

static void trajectory_measure(lg_trajectory *tr, const trajectory_order *of)
{
    lg_integrator *it = of->it;
    lg_motion *mo = of->mo;
    tr->it = it, tr->mo = mo, tr->steps = of->steps, tr->reached = -1, tr->parameters = of->count;
    if (it) {
        tr->n = it->plan.n, tr->element = it->plan.element_size, tr->k = 2 * tr->n;
        tr->degree = lg_integrator_degree(it);
        tr->controls = lg_integrator_control_numbers(it), tr->parameters = it->S.parameter_count;
        tr->before = lg_instance_feels_control(it) ? tr->controls : 0;
        tr->state_size = tr->element + tr->n;
    } else {
        tr->k = lg_motion_freedoms(mo, NULL);
        tr->controls = lg_model_control_count(mo->model);
        tr->state_size = 2 * lg_motion_position_count(mo);
    }
    tr->width = tr->k + tr->before + tr->controls + 1 + tr->parameters;
}

static void trajectory_carve(lg_trajectory *tr, lg_arena *a)
{
    const size_t k = sz(tr->k), c = sz(tr->controls), width = sz(tr->width), nodes = sz(tr->steps) + 1;
    const size_t columns = k + c + 1 + sz(tr->parameters), x = sz(tr->state_size);
    tr->t = lg_take_doubles(a, nodes), tr->x = lg_take_doubles(a, nodes * x);
    tr->M = lg_take_doubles(a, sz(tr->steps) * k * width);
    tr->pull = lg_take_doubles(a, width), tr->covector = lg_take_doubles(a, k);
    tr->inputs = lg_take_doubles(a, sz(lg_trajectory_inputs(tr)));
    tr->square = lg_take_doubles(a, k * k), tr->work = lg_take_doubles(a, LG_TRAJECTORY_WORK * k);
    if (tr->it) {
        tr->J = lg_take_doubles(a, (k + sz(tr->it->plan.m)) * columns);
        tr->jump = lg_take_doubles(a, tr->before ? sz(tr->n) * (columns + c) : 0);
    } else {
        tr->basis = lg_take_doubles(a, nodes * x * k);
        tr->offset = lg_take_doubles(a, nodes * x * sz(tr->parameters));
        tr->which = lg_take(a, sz(tr->parameters) * sizeof *tr->which);
        tr->P = lg_take_doubles(a, k * sz(tr->parameters));
        tr->A = lg_take_doubles(a, k * k), tr->B = lg_take_doubles(a, k * c), tr->h = lg_take_doubles(a, k);
    }
}

/* Would sizes overflow? */
static int trajectory_is_too_long(const lg_trajectory *tr)
{
    const double a_step =
        (double)tr->k * tr->width + (double)tr->state_size * (1 + tr->k + tr->parameters) + tr->controls + 2;
    return (double)tr->steps * a_step * sizeof(double) > 0.5 * (double)PTRDIFF_MAX ||
           (double)tr->k + (double)tr->steps * tr->controls + 1 + tr->parameters > 0.5 * (double)INT32_MAX;
}

/* A trajectory that could not be made: it only holds its message. */
static lg_status trajectory_fail_creation(lg_trajectory **tr, const lg_error *e)
{
    lg_trajectory *o = lg_reserve(sizeof *o);
    if (o) o->error = *e, o->reached = -1;
    *tr = o;
    return e->status;
}

/* Neighbours of the motion's mechanism, as it is now. */
static lg_status trajectory_vary(lg_trajectory *tr, const int *which, lg_error *e)
{
    mb_variation *v;
    const lg_status st = mb_vary_create(&v, tr->mo->bodies, which, tr->parameters, "lg_trajectory_of_parameters");
    if (st != LG_OK) return lg_fail(e, st, "%s", lg_motion_message(tr->mo));
    mb_vary_destroy(tr->variation);
    tr->variation = v;
    return LG_OK;
}

/* The object gets what it owns outside of its block. */
static lg_status trajectory_equip(lg_trajectory *o, const trajectory_order *of, lg_error *e)
{
    o->made = 1;
    if (of->count > 0) {
        const lg_status st = trajectory_vary(o, of->which, e);
        if (st == LG_OK) memcpy(o->which, of->which, sz(of->count) * sizeof *of->which);
        return st;
    }
    const lg_status st = of->it ? lg_linearisation_create(&o->lin, of->it) : LG_OK;
    o->bytes += lg_linearisation_bytes(o->lin);
    return st == LG_OK ? st : lg_fail(e, st, "lg_trajectory_create: %s", lg_linearisation_message(o->lin));
}

static lg_status trajectory_make(lg_trajectory **tr, const trajectory_order *of, lg_error *e)
{
    lg_trajectory probe = {0};
    lg_arena a = {NULL, 0};
    const int steps = of->steps;
    if (steps < 1)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_trajectory_create: %d steps; there must be at least one", steps);
    trajectory_measure(&probe, of);
    if (trajectory_is_too_long(&probe))
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_trajectory_create: %d steps do not fit into memory", steps);
    trajectory_carve(&probe, &a);
    const size_t head = lg_aligned(sizeof probe);
    lg_trajectory *o = lg_reserve(head + a.used);
    if (!o) return lg_fail(e, LG_ERROR_MEMORY, "lg_trajectory_create: out of memory for %d steps", steps);
    trajectory_measure(o, of);
    a = (lg_arena){(char *)o + head, 0};
    trajectory_carve(o, &a);
    o->bytes = head + a.used;
    const lg_status st = trajectory_equip(o, of, e);
    if (st == LG_OK)
        *tr = o;
    else
        lg_trajectory_destroy(o);
    return st;
}

lg_status lg_trajectory_create(lg_trajectory **tr, lg_integrator *it, int steps)
{
    lg_error e = {LG_OK, ""};
    if (!tr) return LG_ERROR_ARGUMENT;
    *tr = NULL;
    if (!it || !it->made)
        (void)lg_fail(&e, LG_ERROR_ARGUMENT, "lg_trajectory_create: there is no integrator");
    else
        (void)trajectory_make(tr, &(trajectory_order){.it = it, .steps = steps}, &e);
    return e.status == LG_OK ? LG_OK : trajectory_fail_creation(tr, &e);
}

static lg_status trajectory_of(lg_trajectory **tr, trajectory_order of, const char *who)
{
    lg_error e = {LG_OK, ""};
    if (!tr) return LG_ERROR_ARGUMENT;
    *tr = NULL;
    if (!of.mo || !of.mo->engine)
        (void)lg_fail(&e, LG_ERROR_ARGUMENT, "%s: there is no motion", who);
    else if (of.count > 0 && lg_motion_integrator(of.mo))
        (void)lg_fail(&e, LG_ERROR_UNSUPPORTED,
                      "%s: the motion has an integrator; lg_trajectory_of_motion() has all parameters of its system",
                      who);
    else
        of.it = lg_motion_integrator(of.mo), (void)trajectory_make(tr, &of, &e);
    return e.status == LG_OK ? LG_OK : trajectory_fail_creation(tr, &e);
}

lg_status lg_trajectory_of_motion(lg_trajectory **tr, lg_motion *mo, int steps)
{
    return trajectory_of(tr, (trajectory_order){.mo = mo, .steps = steps}, "lg_trajectory_of_motion");
}

lg_status lg_trajectory_of_parameters(lg_trajectory **tr, lg_motion *mo, int steps, const int *which, int count)
{
    static const char who[] = "lg_trajectory_of_parameters";
    lg_error e = {LG_OK, ""};
    if (!tr) return LG_ERROR_ARGUMENT;
    *tr = NULL;
    if (count > 0) return trajectory_of(tr, (trajectory_order){NULL, mo, steps, which, count}, who);
    (void)lg_fail(&e, LG_ERROR_ARGUMENT, "%s: no parameter is named", who);
    return trajectory_fail_creation(tr, &e);
}

void lg_trajectory_destroy(lg_trajectory *tr)
{
    if (tr) lg_linearisation_destroy(tr->lin), mb_vary_destroy(tr->variation);
    lg_release(tr);
}

/* ---- a step of an integrator ---- */

/* M <- the derivative of the step behind the jump of p^-: J with its columns of p replaced by those of what p^- is
 * then. Controls of before act through the jump alone. */
static void trajectory_join(const lg_trajectory *tr, double *M)
{
    const int n = tr->n, k = tr->k, c = tr->controls, columns = k + c + 1 + tr->parameters, wide = columns + c;
    for (int r = 0; r < k; r++, M += tr->width) {
        const double *J = tr->J + r * columns;
        if (!tr->before) {
            memcpy(M, J, sz(columns) * sizeof *M);
            continue;
        }
        for (int j = 0; j < wide; j++) {
            const int momentum = j >= n && j < k, old = j >= k && j < k + c, later = j >= columns;
            double s = 0;
            for (int i = 0; i < n; i++) s += J[n + i] * tr->jump[i * wide + j];
            if (later)
                M[k + c + j - columns] = s + J[k + j - columns];
            else
                M[j < k + c ? j : j + c] = s + (momentum || old ? 0 : J[j]);
        }
    }
}

static lg_status trajectory_say(lg_trajectory *tr, lg_status st, int node, const char *message)
{
    if (st == LG_OK) return LG_OK;
    return lg_fail(&tr->error, st, "lg_trajectory_run: the step from node %d of %d: %s", node, tr->steps, message);
}

static lg_status trajectory_control(lg_trajectory *tr, int i, const double *u)
{
    if (tr->before) {
        const lg_status st = lg_linearisation_control(tr->lin, tr->jump, tr->it, u ? u : tr->it->control);
        if (st != LG_OK) return trajectory_say(tr, st, i, lg_linearisation_message(tr->lin));
    }
    if (!u) return LG_OK;
    if (tr->mo)
        return trajectory_say(tr, lg_motion_set_control_nodes(tr->mo, tr->degree, u), i, lg_motion_message(tr->mo));
    return trajectory_say(tr, lg_integrator_set_control_nodes(tr->it, tr->degree, u), i, lg_integrator_message(tr->it));
}

/* The derivative of the next step, and the step. */
static lg_status trajectory_advance(lg_trajectory *tr, int i, double *M)
{
    lg_status st = tr->mo ? lg_linearisation_compute(tr->lin, tr->it) : lg_linearisation_step(tr->lin, tr->it);
    if (st != LG_OK) return trajectory_say(tr, st, i, lg_linearisation_message(tr->lin));
    lg_status_ignore(lg_linearisation_jacobian(tr->lin, tr->J));
    trajectory_join(tr, M);
    if (tr->error.message[0] == '\0' && lg_linearisation_message(tr->lin)[0] != '\0')
        (void)lg_fail(&tr->error, LG_OK, "%s", lg_linearisation_message(tr->lin));
    return tr->mo ? trajectory_say(tr, lg_motion_step(tr->mo, 1), i, lg_motion_message(tr->mo)) : LG_OK;
}

/* ---- a step of a mechanism ---- */

static lg_status trajectory_advance_mechanism(lg_trajectory *tr, int i, double *M)
{
    const int k = tr->k, c = tr->controls;
    const mb_along to = {tr->A, c ? tr->B : NULL, tr->h, tr->variation, tr->P, NULL};
    lg_status st = mb_sparse_along(tr->mo->bodies, &to, "lg_motion_linearise_along");
    for (int r = 0; st == LG_OK && r < k; r++, M += tr->width) {
        memcpy(M, tr->A + r * k, sz(k) * sizeof *M);
        memcpy(M + k, tr->B + r * c, sz(c) * sizeof *M);
        M[k + c] = tr->h[r];
        memcpy(M + k + c + 1, tr->P + r * tr->parameters, sz(tr->parameters) * sizeof *M);
    }
    if (st == LG_OK) st = lg_motion_step(tr->mo, 1);
    return trajectory_say(tr, st, i, lg_motion_message(tr->mo));
}

/* ---- a run ---- */

/* The present state becomes node i. */
static lg_status trajectory_store(lg_trajectory *tr, int i)
{
    double *x = tr->x + sz(i) * sz(tr->state_size);
    if (tr->it) {
        const lg_node *now = tr->it->workspace->now;
        tr->t[i] = now->t;
        memcpy(x, now->g, sz(tr->element) * sizeof *x);
        memcpy(x + tr->element, tr->it->plan.method.rule->depart(tr->it->workspace, tr->it->h, now),
               sz(tr->n) * sizeof *x);
    } else {
        tr->t[i] = lg_motion_time(tr->mo);
        lg_status st = lg_motion_positions(tr->mo, x, x + tr->state_size / 2);
        double *C = tr->basis + sz(i) * sz(tr->state_size) * sz(tr->k);
        double *D = tr->offset + sz(i) * sz(tr->state_size) * sz(tr->parameters);
        if (st == LG_OK) st = mb_sparse_basis(tr->mo->bodies, C, tr->variation, D);
        if (st != LG_OK)
            return lg_fail(&tr->error, st, "lg_trajectory_run: at node %d: %s", i, lg_motion_message(tr->mo));
    }
    tr->reached = i;
    return LG_OK;
}

static lg_status trajectory_begin(lg_trajectory *tr, const double *controls)
{
    tr->reached = -1;
    lg_error_clear(&tr->error);
    if (controls && !tr->controls)
        return lg_fail(&tr->error, LG_ERROR_ARGUMENT, "lg_trajectory_run: the system has no controls; pass NULL");
    if (tr->it ? !tr->it->started : !tr->mo->engine->started(tr->mo))
        return lg_fail(&tr->error, LG_ERROR_ARGUMENT, "lg_trajectory_run: the %s is not started",
                       tr->mo ? "motion" : "integrator");
    if (tr->variation && !mb_vary_fits(tr->variation, tr->mo->bodies)) {
        const lg_status st = trajectory_vary(tr, tr->which, &tr->error);
        if (st != LG_OK) return st;
    }
    return trajectory_store(tr, 0);
}

lg_status lg_trajectory_run(lg_trajectory *tr, const double *controls)
{
    if (!tr) return LG_ERROR_ARGUMENT;
    if (!tr->made) return tr->error.status == LG_OK ? LG_ERROR_ARGUMENT : tr->error.status;
    lg_status st = trajectory_begin(tr, controls);
    for (int i = 0; i < tr->steps && st == LG_OK; i++) {
        const double *u = controls ? controls + sz(i) * sz(tr->controls) : NULL;
        double *M = tr->M + sz(i) * sz(tr->k) * sz(tr->width);
        if (tr->it) {
            st = trajectory_control(tr, i, u);
            if (st == LG_OK) st = trajectory_advance(tr, i, M);
        } else {
            if (u) st = trajectory_say(tr, lg_motion_set_control(tr->mo, u), i, lg_motion_message(tr->mo));
            if (st == LG_OK) st = trajectory_advance_mechanism(tr, i, M);
        }
        if (st == LG_OK) st = trajectory_store(tr, i + 1);
    }
    return st;
}
