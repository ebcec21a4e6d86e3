/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_system_check(): the user's derivatives against differences at random points. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "mechanics/alone.h"
#include "mechanics/gram.h"

typedef struct check {
    lg_alone user, plain; /* the system, and the same without its derivatives */
    double tolerance;
    double *g, *xi;        /* the point */
    double *mine, *theirs; /* n, or m n + n */
    lg_error *error;
} check;

/* Entry by entry against the scale of the whole. `columns` > 1: entries are (row, column). */
static lg_status compare(check *k, const char *name, const double *theirs, const double *mine, int count, int columns)
{
    double scale = fmax(1, fmax(lg_norm_max(mine, count), lg_norm_max(theirs, count)));
    char where[120];
    lg_print_values(where, sizeof where, k->g, k->user.f.gn);
    for (int i = 0; i < count; i++) {
        char entry[40];
        if (columns > 1)
            snprintf(entry, sizeof entry, "(%d,%d)", i / columns + 1, i % columns + 1);
        else
            snprintf(entry, sizeof entry, "%d", i + 1);
        if (!isfinite(theirs[i]))
            return lg_fail(k->error, LG_ERROR_NOT_FINITE, "%s: entry %s is %g at g = (%s)", name, entry, theirs[i],
                           where);
        if (fabs(theirs[i] - mine[i]) > k->tolerance * scale)
            return lg_fail(k->error, LG_ERROR_ARGUMENT, "%s: entry %s is %.12g, differences give %.12g, at g = (%s)",
                           name, entry, theirs[i], mine[i], where);
    }
    return LG_OK;
}

static lg_status check_derivatives(check *k)
{
    lg_field *u = &k->user.f, *p = &k->plain.f;
    const lg_system *S = &k->user.S;
    int n = u->n, m = u->m, code = 0;
    lg_status st = LG_OK;
    if (S->potential_gradient) {
        code = lg_field_gradient(u, 0, k->g, k->theirs);
        if (!code) code = lg_field_gradient(p, 0, k->g, k->mine);
        if (code) return lg_alone_failed(u->failed ? &k->user : &k->plain, code, k->error);
        st = compare(k, "potential_gradient", k->theirs, k->mine, n, 1);
    }
    if (st == LG_OK && S->metric_gradient) {
        code = lg_field_metric_gradient(u, 0, k->g, k->xi, k->theirs);
        if (!code) code = lg_field_metric_gradient(p, 0, k->g, k->xi, k->mine);
        if (code) return lg_alone_failed(u->failed ? &k->user : &k->plain, code, k->error);
        st = compare(k, "metric_gradient", k->theirs, k->mine, n, 1);
    }
    if (st == LG_OK && m && S->covectors_derivative) {
        lg_call c = {S->context, S->parameter_values, 0, 1};
        memset(k->theirs, 0, (size_t)(m * n + n) * sizeof *k->theirs);
        code = S->covectors_derivative(&c, k->g, k->xi, k->theirs, k->theirs + m * n);
        if (code) return lg_fail(k->error, LG_ERROR_CALLBACK, "callback covectors_derivative returned %d", code);
        code = lg_field_rows_rate(p, 0, k->g, k->xi, k->mine, k->mine + m * n);
        if (code) return lg_alone_failed(&k->plain, code, k->error);
        st = compare(k, "covectors_derivative (rows)", k->theirs, k->mine, m * n, n);
        if (st == LG_OK) st = compare(k, "covectors_derivative (drift)", k->theirs + m * n, k->mine + m * n, n, 1);
    }
    return st;
}

/* Finite, definite and of full rank here? */
static lg_status check_shape(check *k)
{
    lg_alone *o = &k->user;
    int n = o->f.n, m = o->f.m, code;
    char where[120];
    double V;
    lg_print_values(where, sizeof where, k->g, k->user.f.gn);
    if ((code = lg_field_metric(&o->f, 0, k->g, o->J)) || (code = lg_field_rows(&o->f, 0, k->g, o->A, o->Y)) ||
        (code = lg_field_potential(&o->f, 0, k->g, &V)))
        return lg_alone_failed(o, code, k->error);
    if (!isfinite(V)) return lg_fail(k->error, LG_ERROR_NOT_FINITE, "potential: %g at g = (%s)", V, where);
    lg_status st = lg_alone_invert(o, o->J, "metric", k->error);
    if (st != LG_OK || !m) return st;
    if (!lg_all_finite(o->A, m * n) || !lg_all_finite(o->Y, n))
        return lg_fail(k->error, LG_ERROR_NOT_FINITE, "covectors or drift are not finite at g = (%s)", where);
    gram_rows(o->AW, o->A, o->Jinv, 0, m, n);
    int bad = gram_factor(o->C, o->AW, o->A, m, n);
    return bad ? lg_fail(k->error, LG_ERROR_SINGULAR, "covectors: row %d depends on the rows before it at g = (%s)",
                         bad, where)
               : LG_OK;
}

/* A random point: near g0, or anywhere. */
static lg_status choose(check *k, const double *g0, lg_rng *rng)
{
    const lg_group *G = k->user.S.group;
    int n = k->user.f.n;
    for (int i = 0; i < n; i++) k->xi[i] = lg_random_normal(rng);
    if (!g0) return lg_random(G, k->g, rng);
    for (int i = 0; i < n; i++) k->mine[i] = 0.3 * lg_random_normal(rng);
    lg_status st = lg_exp(G, k->g, k->mine);
    return st == LG_OK ? lg_compose(G, k->g, g0, k->g) : st;
}

static lg_status open_both(check *k, const lg_system *S)
{
    lg_system plain;
    k->user.block = k->plain.block = NULL;
    lg_status st = lg_alone_open(&k->user, S, k->error);
    if (st != LG_OK) return st;
    plain = *S;
    plain.potential_gradient = NULL, plain.metric_gradient = NULL, plain.covectors_derivative = NULL;
    return lg_alone_open(&k->plain, &plain, k->error);
}

lg_status lg_system_check(const lg_system *S, const double *g0, int points, double tolerance, lg_rng *rng, lg_error *e)
{
    check k = {.tolerance = tolerance > 0 ? tolerance : 1e-6, .error = e};
    if (points < 1 || !rng)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system_check: %d points, expected at least 1, and a generator",
                       points);
    lg_status st = open_both(&k, S);
    if (st == LG_OK) {
        size_t n = (size_t)k.user.f.n, m = (size_t)k.user.f.m, gn = (size_t)k.user.f.gn;
        k.g = malloc((gn + n + 2 * (m * n + n)) * sizeof(double));
        if (!k.g)
            st = lg_fail(e, LG_ERROR_MEMORY, "lg_system_check: out of memory");
        else
            k.xi = k.g + gn, k.mine = k.xi + n, k.theirs = k.mine + m * n + n;
    }
    for (int i = 0; st == LG_OK && i < points; i++) {
        st = choose(&k, g0, rng);
        if (st != LG_OK) lg_fail(e, st, "lg_system_check: no random element of %s", S->group->name);
        if (st == LG_OK) st = check_shape(&k);
        if (st == LG_OK) st = check_derivatives(&k);
    }
    free(k.g);
    free(k.user.block);
    free(k.plain.block);
    return st;
}
