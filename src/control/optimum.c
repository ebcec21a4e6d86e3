/* SPDX-License-Identifier: BSD-3-Clause */
/* The optimum as an object: creation, memory, what can be read. */
#include "control/optimum.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "control/problem.h"
#include "multibody/course.h"
#include "retractions/retraction.h"

static void carve_point(lg_optimum *o, lg_arena *a, lg_iterate *x)
{
    const size_t nodes = sz(o->steps) + 1, N = sz(o->steps), n = sz(o->n);
    x->g = lg_take_doubles(a, nodes * sz(o->element)), x->p = lg_take_doubles(a, nodes * n);
    x->u = lg_take_doubles(a, N * sz(o->controls)), x->parameter = lg_take_doubles(a, sz(o->unknowns));
    if (o->course) x->frame = lg_take_doubles(a, nodes * mb_course_frame(o->course));
    x->defect = lg_take_doubles(a, N * sz(o->k)), x->end = lg_take_doubles(a, sz(o->ends));
    x->path = lg_take_doubles(a, nodes * sz(o->path.count)), x->slack = lg_take_doubles(a, nodes * sz(o->path.count));
}

/* Numbers of (z, u), or of what a cost is a function of: of a mechanism these may be more. */
static size_t optimum_wide(const lg_optimum *o)
{
    const int w = lg_optimum_w(o), s = 2 * o->n + o->controls;
    return sz(w > s ? w : s);
}

/* What a mechanism needs besides. */
static void optimum_carve_mechanism(lg_optimum *o, lg_arena *a)
{
    const size_t nodes = sz(o->steps) + 1, n = sz(o->n), s = 2 * n + sz(o->controls), k = sz(o->k);
    const size_t body = 2 * sz(o->course->at.n);
    o->positions = lg_take_doubles(a, nodes * n), o->velocities = lg_take_doubles(a, nodes * n);
    o->shown = lg_take_doubles(a, nodes * 2 * n);
    o->C = lg_take_doubles(a, 2 * n * k), o->reading = lg_take_doubles(a, 4 * n);
    o->turned = lg_take_doubles(a, s * s), o->value = lg_take_doubles(a, 4 * sz(lg_optimum_w(o)));
    o->after = lg_take_doubles(a, body), o->before = lg_take_doubles(a, body);
}

static void optimum_carve_scratch(lg_optimum *o, lg_arena *a)
{
    const size_t n = sz(o->n), e = sz(o->element), c = sz(o->controls), w = optimum_wide(o);
    const size_t rows = o->lin ? sz(lg_linearisation_rows(o->lin)) : sz(o->k);
    const size_t columns = o->lin ? sz(lg_linearisation_columns(o->lin)) : sz(o->k) + c + 1;
    o->jacobian = lg_take_doubles(a, rows * columns), o->raw = lg_take_doubles(a, columns + w);
    o->weights = lg_take_doubles(a, rows), o->J = lg_take_doubles(a, w * w + 2 * w), o->D = lg_take_doubles(a, n * n);
    o->column = lg_take_doubles(a, 5 * n + e), o->move_g = lg_take_doubles(a, e), o->move_w = lg_take_doubles(a, e);
    o->move_p = lg_take_doubles(a, n), o->displaced = lg_take_doubles(a, n + c);
    o->second = lg_take_doubles(a, o->lin ? w * w + 2 * n * n + 2 * n : 0);
    o->defect = lg_take_doubles(a, sz(o->steps) * sz(o->k)), o->end = lg_take_doubles(a, sz(o->ends));
    if (o->G) o->scratch = lg_take(a, lg_retraction_work_bytes(o->map, o->G) + o->G->work_bytes);
    const size_t nodes = sz(o->degree) + 1, s = 2 * n + c / nodes;
    o->cut = lg_take_doubles(a, o->degree ? nodes * nodes * nodes : 0);
    o->inside = lg_take_doubles(a, o->degree && o->running ? 2 * s * w + c : 0);
    if (o->course) optimum_carve_mechanism(o, a);
}

static void optimum_carve(lg_optimum *o, lg_arena *a)
{
    const size_t N = sz(o->steps), n = sz(o->n), e = sz(o->element), c = sz(o->controls), w = optimum_wide(o);
    o->effort = lg_take_doubles(a, c * c), o->low = lg_take_doubles(a, c), o->high = lg_take_doubles(a, c);
    o->start_g = lg_take_doubles(a, e), o->start_p = lg_take_doubles(a, n);
    o->target_g = lg_take_doubles(a, e), o->target_p = lg_take_doubles(a, n);
    o->row = lg_take(a, 2 * n * sizeof *o->row), o->free = lg_take(a, 2 * n * sizeof *o->free);
    o->implied = lg_take(a, sz(o->ends) * sizeof *o->implied), o->order = lg_take(a, 2 * n * sizeof *o->order);
    o->goal = lg_take_doubles(a, 4 * e);
    o->unknown = lg_take(a, sz(o->unknowns) * sizeof *o->unknown);
    o->parameter_low = lg_take_doubles(a, sz(o->unknowns)), o->parameter_high = lg_take_doubles(a, sz(o->unknowns));
    o->parameter_scale = lg_take_doubles(a, sz(o->unknowns)), o->parameter_first = lg_take_doubles(a, sz(o->unknowns));
    o->z_parameter = lg_take_doubles(a, 2 * sz(o->unknowns));
    carve_point(o, a, &o->now), carve_point(o, a, &o->trial);
    o->costate = lg_take_doubles(a, (N + 1) * sz(o->k)), o->nu = lg_take_doubles(a, sz(o->ends));
    o->z_low = lg_take_doubles(a, N * c), o->z_high = lg_take_doubles(a, N * c);
    o->scale = lg_take_doubles(a, sz(o->k) + c), o->end_scale = lg_take_doubles(a, sz(o->ends));
    o->hessian = lg_take_doubles(a, (N + 1) * w * w), o->curvature = lg_take_doubles(a, (N + 1) * w * w);
    o->gradient = lg_take_doubles(a, (N + 1) * w);
    optimum_carve_scratch(o, a);
    lg_path_carve(o, a);
    lg_riccati_carve(&o->model, a,
                     (lg_riccati_size){o->steps, o->k, o->timed + o->unknowns, o->controls, o->frees, o->ends});
}

/* An optimum that could not be made: it only holds its message. */
static lg_status optimum_fail_creation(lg_optimum **out, const lg_error *e)
{
    lg_optimum *o = e->status == LG_ERROR_MEMORY ? NULL : lg_reserve(sizeof *o);
    if (o) o->error = *e;
    *out = o;
    return e->status;
}

/* Do all arrays fit into an address space, with indices that are an int? */
static int optimum_fits(const lg_optimum *o)
{
    const double w = lg_optimum_w(o), N = o->steps + 1.0,
                 e = o->element + (o->course ? (double)mb_course_frame(o->course) : 0);
    return N * 3 * w * w < INT32_MAX / 2 && N * e < INT32_MAX / 2 && N * (w * (w + o->k)) < INT32_MAX / 2 &&
           N * w * o->path.count < INT32_MAX / 2;
}

static lg_status optimum_build(lg_optimum **out, lg_optimum *probe, const lg_optimum_problem *problem, lg_error *e)
{
    if (!optimum_fits(probe))
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: %d steps of %d coordinates are too many", probe->steps,
                       lg_optimum_w(probe));
    lg_arena a = {NULL, 0};
    optimum_carve(probe, &a);
    const size_t head = lg_aligned(sizeof **out), bytes = head + lg_aligned(a.used);
    lg_optimum *o = lg_reserve(bytes);
    if (!o) return lg_fail(e, LG_ERROR_MEMORY, "lg_optimum_create: out of memory (%zu bytes)", bytes);
    *o = *probe;
    a = (lg_arena){(char *)o + head, 0};
    optimum_carve(o, &a);
    o->bytes = bytes;
    lg_status st = lg_problem_fill(o, problem, e);
    if (st == LG_OK) {
        o->made = 1;
        st = lg_optimum_guess(o, NULL, NULL, NULL, 0);
        if (st != LG_OK) *e = o->error;
    }
    if (st == LG_OK)
        *out = o;
    else
        lg_release(o);
    return st;
}

lg_status lg_optimum_create(lg_optimum **out, const lg_optimum_problem *problem)
{
    lg_error e = {LG_OK, ""};
    lg_optimum probe = {0};
    lg_optimum_problem own;
    if (!out) return LG_ERROR_ARGUMENT;
    *out = NULL;
    lg_status st = lg_problem_take(&own, problem, &e);
    if (st == LG_OK) st = lg_problem_open(&probe, &own, &e);
    if (st == LG_OK) st = optimum_build(out, &probe, &own, &e);
    if (st == LG_OK) return LG_OK;
    lg_linearisation_destroy(probe.lin);
    lg_integrator_destroy(probe.it);
    mb_course_destroy(probe.course);
    return optimum_fail_creation(out, &e);
}

lg_status lg_optimum_enter(lg_optimum *o, const char *function)
{
    if (o->busy)
        return lg_fail(&o->error, LG_ERROR_ARGUMENT, "%s: called by a callback of this optimum, which is at work",
                       function);
    o->busy = 1;
    return LG_OK;
}

void lg_optimum_destroy(lg_optimum *o)
{
    if (!o) return;
    if (o->busy) return; /* called by a callback */
    lg_linearisation_destroy(o->lin);
    lg_integrator_destroy(o->it);
    mb_course_destroy(o->course);
    lg_release(o);
}

size_t lg_optimum_bytes(const lg_optimum *o)
{
    if (!o || !o->made) return 0;
    return o->bytes +
           (o->course ? mb_course_bytes(o->course) : lg_integrator_bytes(o->it) + lg_linearisation_bytes(o->lin));
}

const char *lg_optimum_message(const lg_optimum *o)
{
    return o ? o->error.message : LG_NO_OBJECT("optimum");
}

void lg_optimum_watch(lg_optimum *o, lg_optimum_watch_fn watch, void *context)
{
    if (!o || o->busy) return;
    o->watch = watch, o->watch_context = context;
}

/* ---- reading ---- */

lg_status lg_optimum_read(const lg_optimum *o, lg_optimum_figures *f, size_t size)
{
    lg_optimum_figures full;
    if (!o || !o->made || !f || !size) return LG_ERROR_ARGUMENT;
    lg_optimum_measure(o, &full);
    memset(f, 0, size);
    memcpy(f, &full, size < sizeof full ? size : sizeof full);
    return LG_OK;
}

int lg_optimum_steps(const lg_optimum *o)
{
    return o ? o->steps : 0;
}

const double *lg_optimum_configurations(const lg_optimum *o)
{
    return o && o->made ? (o->course ? o->positions : o->now.g) : NULL;
}

const double *lg_optimum_momenta(const lg_optimum *o)
{
    return o && o->made ? (o->course ? o->velocities : o->now.p) : NULL;
}

const double *lg_optimum_controls(const lg_optimum *o)
{
    return o && o->made ? o->now.u : NULL;
}

const double *lg_optimum_costates(const lg_optimum *o)
{
    return o && o->made ? (o->course ? o->shown : o->costate) : NULL;
}

int lg_optimum_parameter_count(const lg_optimum *o)
{
    return o && o->made && o->it ? o->it->S.parameter_count : 0;
}

const double *lg_optimum_parameters(const lg_optimum *o)
{
    return lg_optimum_parameter_count(o) ? o->it->S.parameter_values : NULL;
}

int lg_optimum_path_count(const lg_optimum *o)
{
    return o && o->made ? o->path.count : 0;
}

const double *lg_optimum_path(const lg_optimum *o)
{
    return o && o->made && o->path.count ? o->now.path : NULL;
}

const double *lg_optimum_path_multipliers(const lg_optimum *o)
{
    return o && o->made && o->path.count ? o->path.z : NULL;
}

lg_status lg_optimum_gains(const lg_optimum *o, double *K)
{
    if (!o || !o->made || !K || !o->solved) return LG_ERROR_ARGUMENT;
    if (o->course) return lg_steer_gains(o, K);
    const int n2 = o->k, z = lg_optimum_z(o);
    for (int i = 0; i < o->steps * o->controls; i++)
        memcpy(K + i * n2, o->model.stages[i / o->controls].K + i % o->controls * z, sz(n2) * sizeof *K);
    return LG_OK;
}
