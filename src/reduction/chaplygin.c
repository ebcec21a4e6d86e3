/* SPDX-License-Identifier: BSD-3-Clause */
/* A Chaplygin object: creation. The reduced system is reduction.c, the step step.c. */
#include "reduction/chaplygin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "groups/blocks.h"
#include "mechanics/copy.h"
#include "mechanics/standalone.h"
#include "retractions/retraction.h"

/* ---- creation ---- */

static void carve_connection(const lg_chaplygin *o, lg_connection *c, lg_arena *a)
{
    c->At = lg_take_doubles(a, sz(o->s * o->d));
    c->LU = lg_take_doubles(a, sz(o->d * o->d));
    c->pivots = lg_take(a, sz(o->d) * sizeof *c->pivots);
}

/* All arrays of a Chaplygin object, in one place; `o` is a local variable while the size is computed. */
static void chaplygin_carve(lg_chaplygin *o, lg_arena *a, const lg_system *S)
{
    size_t n = sz(o->n), gn = sz(o->gn), s = sz(o->s), d = sz(o->d);
    int **list[] = {&o->shape, &o->fibre, &o->place};
    double **vector[] = {&o->segment.xi, &o->segment.p, &o->segment.slope, &o->segment.minus, &o->segment.plus,
                         &o->x,          &o->eta,       &o->vector,        &o->drift,         &o->drift_rate,
                         &o->xi};
    double **shaped[] = {&o->P, &o->v, &o->next, &o->R, &o->trial, &o->delta};
    double **element[] = {&o->segment.g1, &o->g, &o->base, &o->point, &o->W};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) *list[i] = lg_take(a, n * sizeof **list[i]);
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) *vector[i] = lg_take_doubles(a, n);
    for (size_t i = 0; i < sizeof shaped / sizeof shaped[0]; i++) *shaped[i] = lg_take_doubles(a, s);
    for (size_t i = 0; i < sizeof element / sizeof element[0]; i++) *element[i] = lg_take_doubles(a, gn);
    o->arrived = lg_take_doubles(a, d);
    o->lambda = lg_take_doubles(a, d);
    o->J = lg_take_doubles(a, n * n);
    o->Js = lg_take_doubles(a, s * s);
    o->Jacobian = lg_take_doubles(a, s * s);
    o->rate = lg_take_doubles(a, s * d);
    o->rows = lg_take_doubles(a, d * n);
    o->rows_rate = lg_take_doubles(a, d * n);
    o->pivots = lg_take(a, s * sizeof *o->pivots);
    carve_connection(o, &o->segment.first, a);
    carve_connection(o, &o->segment.middle, a);
    carve_connection(o, &o->segment.last, a);
    const lg_system own = lg_system_copy(a, S);
    if (a->base) o->S = own;
    lg_field_carve(&o->field, a);
    o->work = lg_take(a, lg_field_work_bytes(&o->field));
    o->field.work = o->work;
}

/* The factor of G that contains direction i, with its retraction; *place is the position of direction i of a factor R^n
 * or T^n in an element. */
static const lg_group *factor_of(const lg_group *G, const lg_retraction **r, int i, int *place)
{
    if (G->kind != LG_KIND_PRODUCT) {
        *place += i;
        return G;
    }
    for (int k = 0; k < lg_group_factor_count(G); k++) {
        const lg_group *F = lg_group_factor(G, k);
        if (i < F->dim) {
            if ((*r)->kind == LG_RETRACTION_PRODUCT) *r = (*r)->factors[k];
            return factor_of(F, r, i, place);
        }
        i -= F->dim;
        *place += F->element_size;
    }
    return NULL;
}

static lg_status check_system(const lg_system *S, int count, lg_error *e)
{
    int d = S->group->dim - count;
    if (count < 1 || d < 1 || S->constraint_count != d)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_chaplygin_create: %d shape directions and %d rows on a group of dimension %d; a connection "
                       "needs at least one shape direction and one row for each of the others",
                       count, S->constraint_count, S->group->dim);
    if (S->callbacks.holonomic_count || S->callbacks.force || S->callbacks.drift || S->callbacks.time_dependent)
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_chaplygin_create: %s; a Chaplygin system has none",
                       S->callbacks.holonomic_count ? "holonomic constraints"
                       : S->callbacks.force         ? "a force"
                       : S->callbacks.drift         ? "a drift"
                                                    : "time dependence");
    return LG_OK;
}

static lg_status check_retraction(const lg_retraction *r, const lg_group *G, lg_error *e)
{
    const char *name = r && r->name ? r->name : "of your own";
    const lg_status status = lg_retraction_validate(r, "lg_chaplygin_create", e);
    if (status != LG_OK) return status;
    if (!lg_retraction_supports(r, G))
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_chaplygin_create: retraction %s does not work on %s", name,
                       G->name);
    if (!(r->flags & (LG_RETRACTION_EXACT | LG_RETRACTION_SYMMETRIC)))
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "lg_chaplygin_create: retraction %s has neither an exact tangent nor tau(xi) tau(-xi) = e, so "
                       "there is no D_2 L_d",
                       name);
    return LG_OK;
}

static lg_status check_shape(const lg_system *S, const lg_retraction *r, const int *shape, int count, lg_error *e)
{
    for (int b = 0; b < count; b++) {
        int place = 0;
        const lg_retraction *own = r;
        if (shape[b] < 0 || shape[b] >= S->group->dim)
            return lg_fail(e, LG_ERROR_ARGUMENT, "lg_chaplygin_create: shape[%d] is %d; expected 0 to %d", b, shape[b],
                           S->group->dim - 1);
        for (int k = 0; k < b; k++)
            if (shape[k] == shape[b])
                return lg_fail(e, LG_ERROR_ARGUMENT, "lg_chaplygin_create: shape[%d] and shape[%d] are both %d", k, b,
                               shape[b]);
        const lg_group *F = factor_of(S->group, &own, shape[b], &place);
        if (!lg_group_consists_of(F, LG_BLOCK_VECTOR, LG_BLOCK_ANGLES))
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "lg_chaplygin_create: shape[%d] = %d lies in the factor %s; shape space is R^n or T^n", b,
                           shape[b], F->name);
        if (own->kind == LG_RETRACTION_USER)
            return lg_fail(e, LG_ERROR_UNSUPPORTED,
                           "lg_chaplygin_create: a retraction of your own on the shape direction %d", shape[b]);
    }
    return LG_OK;
}

/* Sorts the directions into those of M and those of G. */
static void sort_directions(lg_chaplygin *o, const int *shape)
{
    int at = 0;
    for (int b = 0; b < o->s; b++) {
        const lg_retraction *own = o->r;
        o->shape[b] = shape[b];
        (void)factor_of(o->S.group, &own, shape[b], &o->place[b]);
    }
    for (int i = 0; i < o->n; i++) {
        int taken = 0;
        for (int b = 0; b < o->s; b++) taken |= shape[b] == i;
        if (!taken) o->fibre[at++] = i;
    }
}

static lg_status chaplygin_build(lg_chaplygin **out, const lg_system *S, const int *shape, int count,
                                 const lg_retraction *r, double h, lg_error *e)
{
    lg_chaplygin probe;
    memset(&probe, 0, sizeof probe);
    probe.n = S->group->dim, probe.gn = S->group->element_size, probe.s = count, probe.d = probe.n - count;
    lg_field_init(&probe.field, S, r);
    lg_arena a = {NULL, 0};
    chaplygin_carve(&probe, &a, S);
    size_t head = lg_round_up(sizeof probe), bytes = head + a.used;
    lg_chaplygin *o = lg_reserve(bytes);
    if (!o) return lg_fail(e, LG_ERROR_MEMORY, "lg_chaplygin_create: out of memory (%zu bytes)", bytes);
    *o = probe;
    o->made = 1, o->bytes = bytes, o->r = r, o->h = h;
    o->tolerance = 1e-8, o->iterations_max = 50;
    o->S = *S;
    lg_field_init(&o->field, &o->S, r);
    a = (lg_arena){(char *)o + head, 0};
    chaplygin_carve(o, &a, S);
    sort_directions(o, shape);
    *out = o;
    return LG_OK;
}

static lg_status chaplygin_create(lg_chaplygin **o, const lg_system *given, const int *shape, int count,
                                  const lg_retraction *r, double h, lg_error *e)
{
    lg_system own;
    lg_status st = lg_system_take(&own, given, e);
    const lg_system *S = &own;
    if (st == LG_OK) st = lg_system_validate(S, e);
    if (st == LG_OK) st = check_system(S, count, e);
    if (st == LG_OK) st = check_retraction(r, S->group, e);
    if (st == LG_OK && !shape) st = lg_fail(e, LG_ERROR_ARGUMENT, "lg_chaplygin_create: shape is NULL");
    if (st == LG_OK) st = check_shape(S, r, shape, count, e);
    if (st != LG_OK) return st;
    if (!isfinite(h) || h == 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_chaplygin_create: step h is %g; it must be finite and not 0", h);
    return chaplygin_build(o, S, shape, count, r, h, e);
}

/* An object whose creation failed; it only holds the message. */
static lg_status chaplygin_fail_creation(lg_chaplygin **o, const lg_error *e)
{
    *o = e->status == LG_ERROR_MEMORY ? NULL : lg_reserve(sizeof **o);
    if (*o) (*o)->error = *e;
    return e->status;
}

lg_status lg_chaplygin_create_with(lg_chaplygin **o, const lg_system *S, const int *shape, int count,
                                   const lg_retraction *r, double h)
{
    lg_error e = {LG_OK, ""};
    if (!o) return LG_ERROR_ARGUMENT;
    *o = NULL;
    return chaplygin_create(o, S, shape, count, r, h, &e) == LG_OK ? LG_OK : chaplygin_fail_creation(o, &e);
}

lg_status lg_chaplygin_create(lg_chaplygin **o, const lg_system *S, const int *shape, int count, const char *retraction,
                              double h)
{
    lg_error e = {LG_OK, ""};
    const lg_retraction *r = retraction ? lg_retraction_named(retraction) : lg_retraction_exp();
    if (r || !o) return lg_chaplygin_create_with(o, S, shape, count, r, h);
    lg_fail(&e, LG_ERROR_ARGUMENT,
            "unknown retraction '%.60s'; expected exp, cayley, second-kind or exp:order=N with N from 0 to 20",
            retraction);
    return chaplygin_fail_creation(o, &e);
}

void lg_chaplygin_destroy(lg_chaplygin *o)
{
    if (o && o->busy) return; /* called by a callback of its own */
    lg_release(o);
}

size_t lg_chaplygin_bytes(const lg_chaplygin *o)
{
    return o ? o->bytes : 0;
}

const char *lg_chaplygin_message(const lg_chaplygin *o)
{
    return o ? o->error.message : LG_NO_OBJECT("reduction");
}

lg_status lg_chaplygin_set_newton(lg_chaplygin *o, double tolerance, int iterations)
{
    if (!o || !o->made) return LG_ERROR_ARGUMENT;
    if (!(tolerance > 0) || !isfinite(tolerance) || iterations < 1)
        return lg_fail(&o->error, LG_ERROR_ARGUMENT,
                       "lg_chaplygin_set_newton: tolerance %g and %d iterations; both must be positive", tolerance,
                       iterations);
    o->tolerance = tolerance;
    o->iterations_max = iterations;
    return LG_OK;
}
