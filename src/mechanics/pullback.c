/* SPDX-License-Identifier: BSD-3-Clause */
/* Pull-back along a chart: creation, and checks of the chart. */
#include "mechanics/pullback.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/decimal.h"
#include "base/differences.h"
#include "base/message.h"
#include "groups/blocks.h"
#include "mechanics/copy.h"
#include "mechanics/standalone.h"

/* ---- creation ---- */

static lg_pull_rule one(double alpha)
{
    return (lg_pull_rule){1, {alpha, 0}, {1, 0}};
}

static lg_pull_rule ends(double alpha)
{
    return (lg_pull_rule){2, {alpha, 1 - alpha}, {0.5, 0.5}};
}

/* The number A of "alpha=A", if `text` starts with `name` and 0 <= A <= 1 follows; else -1. */
static double number_after(const char *text, const char *name)
{
    const char *end;
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || text[length] == '\0') return -1;
    double a = lg_decimal_read(text + length, &end);
    return *end == '\0' && end > text + length && a >= 0 && a <= 1 ? a : -1;
}

static lg_status read_rule(lg_pullback *o, const char *rule, lg_error *e)
{
    double a = number_after(rule, "alpha="), b = number_after(rule, "symmetric-alpha=");
    if (strcmp(rule, "midpoint") == 0 || strcmp(rule, "midleft") == 0)
        o->action = o->constraint = one(0.5);
    else if (strcmp(rule, "trapezoidal") == 0)
        o->action = o->constraint = ends(0);
    else if (a >= 0)
        o->action = o->constraint = one(a);
    else if (b >= 0)
        o->action = o->constraint = ends(b);
    else if (strcmp(rule, "user") == 0)
        o->user = 1;
    else
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_pullback_create: unknown rule '%.60s'; expected midpoint, trapezoidal, midleft, alpha=A, "
                       "symmetric-alpha=A with A from 0 to 1, or user",
                       rule);
    if (strcmp(rule, "midleft") == 0) o->constraint = one(0);
    if (o->user && (!o->S.callbacks.discrete_slope_1 || (o->S.constraint_count && !o->S.callbacks.discrete_constraint)))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_pullback_create: rule 'user' needs the system's own discrete Lagrangian%s",
                       o->S.constraint_count ? " and discrete_constraint" : "");
    return LG_OK;
}

/* Does the scratch of the fields fit into a stack frame? */
static int fits(const lg_system *S)
{
    lg_pull k;
    lg_system own = *S;
    own.callbacks.holonomic_count = 0;
    lg_field_init(&k.f, &own, NULL);
    return lg_pull_bind(&k, NULL) <= sizeof k.block;
}

static lg_status pullback_check(const lg_system *S, int dimension, lg_field_fn chart, lg_field_fn jacobian, lg_error *e)
{
    lg_status st = lg_system_validate(S, e);
    if (st != LG_OK) return st;
    int s = S->group->dim;
    if (!lg_group_consists_of(S->group, LG_BLOCK_VECTOR, LG_BLOCK_VECTOR))
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_pullback_create: the system lives on %s; expected a vector space R^s",
                       S->group->name);
    if (s > LG_PULL_MOST || !fits(S))
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_pullback_create: R^%d; at most R^%d", s, (int)LG_PULL_MOST);
    if (!chart || !jacobian) return lg_fail(e, LG_ERROR_ARGUMENT, "lg_pullback_create: chart or jacobian is NULL");
    if (dimension <= S->constraint_count || dimension > s)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_pullback_create: dimension %d; expected %d to %d", dimension,
                       S->constraint_count + 1, s);
    return LG_OK;
}

/* Copies the system and its numbers into the object. */
static void copy_system(lg_pullback *o, lg_arena *a, const lg_system *S)
{
    lg_system own = lg_system_copy(a, S);
    own.callbacks.holonomic_count = 0;
    if (a->base) o->S = own, o->positions = S->callbacks.holonomic_count;
}

static lg_status pullback_create(lg_pullback **out, const lg_system *S, int dimension, lg_field_fn chart,
                                 lg_field_fn jacobian, const void *context, const char *rule, lg_error *e)
{
    lg_status st = pullback_check(S, dimension, chart, jacobian, e);
    if (st != LG_OK) return st;
    lg_arena a = {NULL, 0};
    size_t head = lg_round_up(sizeof **out);
    copy_system(NULL, &a, S);
    lg_pullback *o = lg_reserve(head + a.used);
    if (!o) return lg_fail(e, LG_ERROR_MEMORY, "lg_pullback_create: out of memory");
    a = (lg_arena){(char *)o + head, 0};
    copy_system(o, &a, S);
    o->made = 1, o->s = S->group->dim, o->r = dimension;
    o->chart = chart, o->jacobian = jacobian, o->context = context;
    st = read_rule(o, rule ? rule : "midpoint", e);
    if (st != LG_OK) {
        lg_release(o);
        return st;
    }
    lg_pull_make_system(o);
    *out = o;
    return LG_OK;
}

lg_status lg_pullback_create(lg_pullback **o, const lg_system *S, int dimension, const char *rule, lg_field_fn chart,
                             lg_field_fn jacobian, const void *context)
{
    lg_error e = {LG_OK, ""};
    lg_system own;
    if (!o) return LG_ERROR_ARGUMENT;
    *o = NULL;
    lg_status st = lg_system_take(&own, S, &e);
    if (st == LG_OK) st = pullback_create(o, &own, dimension, chart, jacobian, context, rule, &e);
    if (st == LG_OK || st == LG_ERROR_MEMORY) return st;
    *o = lg_reserve(sizeof **o); /* it only holds the message */
    if (*o) (*o)->error = e;
    return st;
}

void lg_pullback_destroy(lg_pullback *o)
{
    lg_release(o);
}

const char *lg_pullback_message(const lg_pullback *o)
{
    return o ? o->error.message : LG_NO_OBJECT("pullback");
}

/* Prepares a frame for a call from outside, with the values of the parameters. */
static lg_call standing(const lg_pullback *o)
{
    return (lg_call){.context = o, .param = o->S.parameter_values, .lanes = 1};
}

lg_status lg_pullback_point(const lg_pullback *o, double *v, const double *q)
{
    lg_pull k;
    if (!o || !o->made || !v || !q) return LG_ERROR_ARGUMENT;
    lg_call c = standing(o);
    return lg_pull_open(&k, &c) || lg_pull_chart(&k, q, v) ? LG_ERROR_CALLBACK : LG_OK;
}

lg_status lg_pullback_velocity(const lg_pullback *o, double *w, const double *q, const double *u)
{
    lg_pull k;
    if (!o || !o->made || !w || !q || !u) return LG_ERROR_ARGUMENT;
    lg_call c = standing(o);
    if (lg_pull_look(&k, &c, q)) return LG_ERROR_CALLBACK;
    lg_matvec(w, k.DJ, u, o->s, o->r);
    return LG_OK;
}

/* k->M = DJ at q by central differences of order four (see difference.c). */
static int jacobian_by_differences(lg_pull *k, const double *q)
{
    static const double offset[4] = {LG_CENTRAL_4_OFFSETS}, weight[4] = {LG_CENTRAL_4_WEIGHTS};
    const double e = 0x1p-10; /* q + e is rounded least */
    int s = k->o->s, r = k->o->r;
    memset(k->M, 0, sz(s * r) * sizeof *k->M);
    memcpy(k->other, q, sz(r) * sizeof *q);
    for (int j = 0; j < r; j++) {
        for (int i = 0; i < 4; i++) {
            k->other[j] = q[j] + offset[i] * e;
            int code = lg_pull_chart(k, k->other, k->vector);
            if (code) return code;
            for (int l = 0; l < s; l++) k->M[l * r + j] += weight[i] / e * k->vector[l];
        }
        k->other[j] = q[j];
    }
    return 0;
}

static lg_status check_jacobian(lg_pullback *o, const lg_pull *k, const char *where)
{
    int s = o->s, r = o->r;
    const double noise = 0x1p14 * DBL_EPSILON * lg_norm_max(k->point, s); /* 16 times the round-off of differences */
    double size = fmax(1, lg_norm_max(k->DJ, s * r)), gram[LG_PULL_MOST * LG_PULL_MOST] = {0};
    for (int i = 0; i < s * r; i++)
        if (!(fabs(k->DJ[i] - k->M[i]) <= 1e-6 * size + noise))
            return lg_fail(&o->error, LG_ERROR_ARGUMENT,
                           "lg_pullback_check: jacobian: entry (%d,%d) is %.12g, differences give %.12g, at q = (%s)",
                           i / r + 1, i % r + 1, k->DJ[i], k->M[i], where);
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++)
            for (int l = 0; l < s; l++) gram[i * r + j] += k->DJ[l * r + i] * k->DJ[l * r + j];
    if (lg_cholesky(gram, r, NULL) != LG_OK)
        return lg_fail(&o->error, LG_ERROR_SINGULAR,
                       "lg_pullback_check: jacobian: dependent columns at q = (%s): not a chart there", where);
    return LG_OK;
}

lg_status lg_pullback_check(lg_pullback *o, const double *q)
{
    lg_pull k;
    char where[100];
    double phi[LG_PULL_MOST] = {0};
    if (!o || !o->made) return LG_ERROR_ARGUMENT;
    if (!q) return lg_fail(&o->error, LG_ERROR_ARGUMENT, "lg_pullback_check: q is NULL");
    lg_call c = standing(o), own = c;
    lg_print_values(where, sizeof where, q, o->r);
    own.context = o->S.context;
    int code = lg_pull_look(&k, &c, q);
    if (!code) code = jacobian_by_differences(&k, q);
    if (!code && o->positions) code = o->S.callbacks.holonomic(&own, k.point, phi);
    if (code) return lg_fail(&o->error, LG_ERROR_CALLBACK, "lg_pullback_check: a callback returned %d", code);
    if (!lg_all_finite(k.point, o->s) || !lg_all_finite(k.DJ, o->s * o->r) || !lg_all_finite(phi, o->positions))
        return lg_fail(&o->error, LG_ERROR_NOT_FINITE, "lg_pullback_check: not finite at q = (%s)", where);
    lg_status st = check_jacobian(o, &k, where);
    double size = fmax(1, lg_norm_max(k.point, o->s));
    for (int a = 0; st == LG_OK && a < o->positions; a++)
        if (fabs(phi[a]) > 1e-9 * size * size)
            st = lg_fail(&o->error, LG_ERROR_INCONSISTENT,
                         "lg_pullback_check: holonomic constraint %d is %.3g at q = (%s): the chart leaves phi = 0",
                         a + 1, phi[a], where);
    if (st == LG_OK) lg_error_clear(&o->error);
    return st;
}

const lg_system *lg_pullback_system(const lg_pullback *o)
{
    return o && o->made ? &o->pulled : NULL;
}
