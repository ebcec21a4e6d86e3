/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_system_check(): the user's derivatives against differences at random points. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/differences.h"
#include "base/message.h"
#include "mechanics/standalone.h"

typedef struct check {
    lg_standalone user, plain; /* the system, and the same without its derivatives */
    double tolerance, t;
    double *g, *xi;        /* the point */
    double *mine, *theirs; /* the values compared */
    const char *others;    /* what gives `mine` */
    lg_error *error;
} check;

/* Compares entry by entry, relative to the scale of the whole and to the error bound of the differences. `columns` > 1:
 * the message names entries (row, column). */
static lg_status compare(check *k, const char *name, const double *theirs, const double *mine, int count, int columns)
{
    const double scale = fmax(lg_norm_max(mine, count), lg_norm_max(theirs, count));
    const double error = fmax(k->plain.f.found.error, k->user.f.found.error);
    const double bound = fmax(k->tolerance * scale, 4 * error);
    char where[120];
    lg_print_values(where, sizeof where, k->g, k->user.f.element_size);
    for (int i = 0; i < count; i++) {
        char entry[40];
        if (columns > 1)
            snprintf(entry, sizeof entry, "(%d,%d)", i / columns + 1, i % columns + 1);
        else
            snprintf(entry, sizeof entry, "%d", i + 1);
        if (!isfinite(theirs[i]))
            return lg_fail(k->error, LG_ERROR_NOT_FINITE, "%s: entry %s is %g at g = (%s)", name, entry, theirs[i],
                           where);
        if (!(fabs(theirs[i] - mine[i]) <= bound))
            return lg_fail(k->error, LG_ERROR_ARGUMENT, "%s: entry %s is %.12g, %s %.12g, at g = (%s)", name, entry,
                           theirs[i], k->others, mine[i], where);
    }
    return LG_OK;
}

/* `code` is the return value of the user callback, or of the finite differences at that point. */
static lg_status compare_or_fail(check *k, const char *name, int code, int count, int columns)
{
    if (code) return lg_standalone_failed(k->user.f.failed ? &k->user : &k->plain, code, k->error);
    const lg_status st = compare(k, name, k->theirs, k->mine, count, columns);
    k->user.f.found = k->plain.f.found = (lg_inexact){0, 0, 0};
    return st;
}

/* Compares rows, then drift; `code` is the return value of the user callback, or of the differences. */
static lg_status compare_rows(check *k, const char *name, int code)
{
    const int n = k->user.f.n, nonholonomic = k->user.f.m * n;
    char part[60];
    if (code) return lg_standalone_failed(k->user.f.failed ? &k->user : &k->plain, code, k->error);
    snprintf(part, sizeof part, "%s (rows)", name);
    lg_status st = compare(k, part, k->theirs, k->mine, nonholonomic, n);
    snprintf(part, sizeof part, "%s (drift)", name);
    if (st == LG_OK) st = compare(k, part, k->theirs + nonholonomic, k->mine + nonholonomic, n, 1);
    k->user.f.found = k->plain.f.found = (lg_inexact){0, 0, 0};
    return st;
}

/* Compares at a fixed time, since the user's derivative of rows and drift is for fixed time. */
static lg_status check_covectors_derivative(check *k)
{
    const lg_system *S = &k->user.S;
    int n = k->user.f.n, nonholonomic = k->user.f.m * n, timed = S->callbacks.time_dependent;
    lg_call c = lg_field_call(&k->user.f, &k->t);
    memset(k->theirs, 0, (size_t)(nonholonomic + n) * sizeof *k->theirs);
    int code = S->callbacks.covectors_derivative(&c, k->g, k->xi, k->theirs, k->theirs + nonholonomic);
    if (code) return lg_fail(k->error, LG_ERROR_CALLBACK, "callback covectors_derivative returned %d", code);
    k->plain.S.callbacks.time_dependent = 0;
    k->user.f.found = (lg_inexact){0, 0, 0};
    code = lg_field_rows_rate(&k->plain.f, k->t, k->g, k->xi, k->mine, k->mine + nonholonomic);
    k->plain.S.callbacks.time_dependent = timed;
    return compare_rows(k, "covectors_derivative", code);
}

/* Compares `together` with the three callbacks that it replaces. */
static lg_status check_together(check *k)
{
    static const char *const names[] = {"together (rows)", "together (drift)", "together (dmu)", "together (dY)",
                                        "together (dV)"};
    const lg_callbacks *S = &k->user.S.callbacks;
    const int n = k->user.f.n, rows = k->user.f.m * n, count[] = {rows, n, rows, n, n};
    const lg_call c = lg_field_call(&k->user.f, &k->t);
    double *mine[5], *theirs[5];
    for (int i = 0, at = 0; i < 5; at += count[i++]) mine[i] = k->mine + at, theirs[i] = k->theirs + at;
    memset(k->mine, 0, sz(2 * rows + 3 * n) * sizeof *k->mine);
    memset(k->theirs, 0, sz(2 * rows + 3 * n) * sizeof *k->theirs);
    int code = S->together->value(&c, k->g, k->xi, theirs[0], theirs[1], theirs[2], theirs[3], theirs[4]);
    if (code) return lg_fail(k->error, LG_ERROR_CALLBACK, "callback together returned %d", code);
    code = S->covectors(&c, k->g, mine[0], mine[1]);
    if (!code) code = S->covectors_derivative(&c, k->g, k->xi, mine[2], mine[3]);
    if (!code && S->potential_gradient) code = S->potential_gradient(&c, k->g, mine[4]);
    if (code) return lg_fail(k->error, LG_ERROR_CALLBACK, "a callback that together stands for returned %d", code);
    lg_status st = LG_OK;
    k->others = "the callback that it stands for gives";
    for (int i = 0; st == LG_OK && i < 5; i++)
        st = compare(k, names[i], theirs[i], mine[i], count[i], i % 2 == 0 && i < 4 ? n : 1);
    k->others = "differences give";
    return st;
}

static lg_status check_covectors_rate(check *k)
{
    lg_field *u = &k->user.f, *p = &k->plain.f;
    const int nonholonomic = u->m * u->n, timed = k->user.S.callbacks.time_dependent;
    k->plain.S.callbacks.time_dependent = 1;
    u->found = (lg_inexact){0, 0, 0};
    int code = lg_field_rows_partial(u, k->t, k->g, k->theirs, k->theirs + nonholonomic);
    if (!code) code = lg_field_rows_partial(p, k->t, k->g, k->mine, k->mine + nonholonomic);
    k->plain.S.callbacks.time_dependent = timed;
    return compare_rows(k, "covectors_rate", code);
}

static lg_status check_holonomic_rate(check *k)
{
    lg_field *u = &k->user.f, *p = &k->plain.f;
    const int timed = k->user.S.callbacks.time_dependent;
    k->plain.S.callbacks.time_dependent = 1;
    int code = lg_field_holonomic_rate(u, k->t, k->g, k->theirs);
    if (!code) code = lg_field_holonomic_rate(p, k->t, k->g, k->mine);
    k->plain.S.callbacks.time_dependent = timed;
    const lg_status st = compare_or_fail(k, "holonomic_rate", code, u->holonomic, 1);
    if (st != LG_OK || timed || lg_norm_max(k->theirs, u->holonomic) == 0) return st;
    return lg_fail(
        k->error, LG_ERROR_ARGUMENT,
        "holonomic_rate is not zero, but time_dependent is 0; a moving holonomic constraint needs time_dependent = 1");
}

/* The first derivatives have passed; their differences are more accurate than second differences of phi. */
static lg_status check_holonomic_acceleration(check *k)
{
    lg_field *u = &k->user.f;
    lg_field_along_fn theirs = k->user.S.callbacks.holonomic_acceleration;
    int code = lg_field_hidden_rate(u, k->t, k->g, k->xi, k->theirs);
    k->user.S.callbacks.holonomic_acceleration = NULL;
    if (!code) code = lg_field_hidden_rate(u, k->t, k->g, k->xi, k->mine);
    k->user.S.callbacks.holonomic_acceleration = theirs;
    return compare_or_fail(k, "holonomic_acceleration", code, u->holonomic, 1);
}

static lg_status check_position_derivatives(check *k)
{
    lg_field *u = &k->user.f, *p = &k->plain.f;
    const lg_callbacks *S = &k->user.S.callbacks;
    lg_status st = LG_OK;
    if (S->holonomic_differential) {
        int code = lg_field_holonomic_rows(u, k->t, k->g, k->theirs);
        if (!code) code = lg_field_holonomic_rows(p, k->t, k->g, k->mine);
        st = compare_or_fail(k, "holonomic_differential", code, u->holonomic * u->n, u->n);
    }
    if (st == LG_OK && S->holonomic_rate) st = check_holonomic_rate(k);
    if (st == LG_OK && S->holonomic_acceleration) st = check_holonomic_acceleration(k);
    return st;
}

static lg_status check_hessian(check *k)
{
    lg_field *u = &k->user.f;
    const lg_system *S = &k->user.S;
    lg_call c = lg_field_call(u, &k->t);
    memset(k->theirs, 0, (size_t)u->n * sizeof *k->theirs);
    int code = S->callbacks.potential_hessian(&c, k->g, k->xi, k->theirs);
    if (code) return lg_fail(k->error, LG_ERROR_CALLBACK, "callback potential_hessian returned %d", code);
    code = lg_field_gradient_rate(u, k->t, k->g, k->xi, k->mine);
    return compare_or_fail(k, "potential_hessian", code, u->n, 1);
}

/* The force at the point moved by s along x: eta, then changes of the velocity and of controls. */
static int moved_force(check *k, const double *x, double s, double *g, double *out)
{
    lg_field *u = &k->user.f;
    const lg_system *S = &k->user.S;
    const int n = u->n;
    double *eta = out + n, *xi = eta + n, *control = xi + n;
    lg_call c = lg_field_call(u, &k->t);
    for (int i = 0; i < n; i++) eta[i] = s * x[i], xi[i] = k->xi[i] + s * x[n + i];
    for (int i = 0; i < S->callbacks.control_count; i++) control[i] = c.control[i] + s * x[2 * n + i];
    c.control = control;
    memset(out, 0, (size_t)n * sizeof *out);
    lg_status st = lg_group_exp(S->group, g, eta);
    if (st == LG_OK) st = lg_group_compose(S->group, g, k->g, g);
    return st == LG_OK ? S->callbacks.force(&c, g, xi, out) : 1;
}

/* Along a direction in which all inputs change. */
static lg_status check_force_derivative(check *k)
{
    static const double weight[] = {LG_CENTRAL_8};
    enum { WEIGHTS = sizeof weight / sizeof weight[0] };
    lg_field *u = &k->user.f;
    const lg_system *S = &k->user.S;
    const int n = u->n, inputs = 2 * n + S->callbacks.control_count, element = u->element_size;
    const double e = 0x1p-7;
    const lg_call c = lg_field_call(u, &k->t);
    double *x = calloc((size_t)(inputs + element + 2 * inputs), sizeof *x), *g = x + inputs, *out = g + element;
    if (x == NULL) return lg_fail(k->error, LG_ERROR_MEMORY, "lg_system_check: out of memory");
    for (int i = 0; i < inputs; i++) x[i] = cos(1 + 2.0 * i);
    memset(k->theirs, 0, (size_t)n * sizeof *k->theirs), memset(k->mine, 0, (size_t)n * sizeof *k->mine);
    int code = S->callbacks.force_derivative(&c, k->g, k->xi, x, x + n, x + 2 * n, k->theirs);
    lg_status st = code ? lg_fail(k->error, LG_ERROR_CALLBACK, "callback force_derivative returned %d", code) : LG_OK;
    for (int j = -WEIGHTS; j <= WEIGHTS && st == LG_OK; j++) {
        const double w = j == 0 ? 0 : (j > 0 ? weight[j - 1] : -weight[-j - 1]) / e;
        if ((code = moved_force(k, x, j * e, g, out)))
            st = lg_fail(k->error, LG_ERROR_CALLBACK, "callback force returned %d", code);
        for (int i = 0; i < n; i++) k->mine[i] += w * out[i];
    }
    free(x);
    return st == LG_OK ? compare_or_fail(k, "force_derivative", 0, n, 1) : st;
}

static lg_status check_derivatives(check *k)
{
    lg_field *u = &k->user.f, *p = &k->plain.f;
    const lg_system *S = &k->user.S;
    int n = u->n, code = 0;
    lg_status st = LG_OK;
    if (S->callbacks.potential_gradient) {
        code = lg_field_gradient(u, k->t, k->g, k->theirs);
        if (!code) code = lg_field_gradient(p, k->t, k->g, k->mine);
        st = compare_or_fail(k, "potential_gradient", code, n, 1);
    }
    if (st == LG_OK && S->callbacks.potential_hessian) st = check_hessian(k);
    if (st == LG_OK && S->callbacks.force_derivative) st = check_force_derivative(k);
    if (st == LG_OK && S->callbacks.metric_gradient) {
        code = lg_field_metric_gradient(u, k->t, k->g, k->xi, k->theirs);
        if (!code) code = lg_field_metric_gradient(p, k->t, k->g, k->xi, k->mine);
        st = compare_or_fail(k, "metric_gradient", code, n, 1);
    }
    if (st == LG_OK && u->m && S->callbacks.covectors_derivative) st = check_covectors_derivative(k);
    if (st == LG_OK && u->m && S->callbacks.covectors_rate) st = check_covectors_rate(k);
    if (st == LG_OK && lg_callbacks_together(&S->callbacks)) st = check_together(k);
    if (st == LG_OK && u->holonomic) st = check_position_derivatives(k);
    return st;
}

/* Are all rows finite and of full rank here? */
static lg_status check_rows(check *k, const char *where)
{
    lg_standalone *o = &k->user;
    int n = o->f.n, m = o->f.m, holonomic = o->f.holonomic, code;
    if ((code = lg_field_all_rows(&o->f, k->t, k->g, o->A, o->Y, o->b))) return lg_standalone_failed(o, code, k->error);
    if (!lg_all_finite(o->A, holonomic * n) || !lg_all_finite(o->b, holonomic))
        return lg_fail(k->error, LG_ERROR_NOT_FINITE,
                       "holonomic constraints: the differential or the rate is not finite at g = (%s)", where);
    if (!lg_all_finite(o->A + holonomic * n, m * n) || !lg_all_finite(o->Y, n))
        return lg_fail(k->error, LG_ERROR_NOT_FINITE, "covectors or drift are not finite at g = (%s)", where);
    int bad = lg_standalone_gram(o);
    if (!bad) return LG_OK;
    if (bad <= holonomic)
        return lg_fail(k->error, LG_ERROR_SINGULAR, "holonomic constraint %d depends on those before it at g = (%s)",
                       bad, where);
    return lg_fail(k->error, LG_ERROR_SINGULAR, "covectors: row %d depends on the %srows before it at g = (%s)",
                   bad - holonomic, holonomic ? "holonomic constraints and " : "", where);
}

/* Are all fields finite, the metric definite and the rows of full rank here? */
static lg_status check_shape(check *k)
{
    lg_standalone *o = &k->user;
    int n = o->f.n, code;
    char where[120];
    double V;
    lg_print_values(where, sizeof where, k->g, o->f.element_size);
    if ((code = lg_field_metric(&o->f, k->t, k->g, o->J)) || (code = lg_field_potential(&o->f, k->t, k->g, &V)) ||
        (code = lg_field_force(&o->f, k->t, k->g, k->xi, k->theirs)))
        return lg_standalone_failed(o, code, k->error);
    if (!isfinite(V)) return lg_fail(k->error, LG_ERROR_NOT_FINITE, "potential: %g at g = (%s)", V, where);
    for (int i = 0; i < n; i++)
        if (!isfinite(k->theirs[i]))
            return lg_fail(k->error, LG_ERROR_NOT_FINITE, "force: entry %d is %g at g = (%s)", i + 1, k->theirs[i],
                           where);
    lg_status st = lg_standalone_invert(o, o->J, "metric", k->error);
    return st == LG_OK && o->f.holonomic + o->f.m ? check_rows(k, where) : st;
}

/* phi, rows, drift and V at time t, one after the other, into v. */
static int values_at(check *k, double t, double *v)
{
    lg_field *f = &k->user.f;
    const int n = f->n;
    int code = lg_field_potential(f, t, k->g, v);
    if (!code && f->holonomic) code = lg_field_holonomic(f, t, k->g, v + 1);
    if (code) return code;
    return f->m ? lg_field_rows(f, t, k->g, v + 1 + f->holonomic, v + 1 + f->holonomic + f->m * n) : 0;
}

/* A system that declares no dependence on time must give the same values at two times. */
static lg_status check_time(check *k)
{
    const lg_field *f = &k->user.f;
    const int count = 1 + f->holonomic + (f->m ? f->m * f->n + f->n : 0);
    const char *what;
    if (k->user.S.callbacks.time_dependent) return LG_OK;
    int code = values_at(k, 0, k->mine);
    if (!code) code = values_at(k, 0.8125, k->theirs);
    if (code) return lg_standalone_failed(&k->user, code, k->error);
    for (int i = 0; i < count; i++) {
        if (k->mine[i] == k->theirs[i] || !isfinite(k->mine[i])) continue;
        what = i == 0                          ? "potential"
               : i <= f->holonomic             ? "holonomic"
               : k->user.S.callbacks.covectors ? "covectors"
                                               : "drift";
        return lg_fail(k->error, LG_ERROR_ARGUMENT,
                       "%s depends on the time (%.12g at t = 0, %.12g at t = 0.8125) but time_dependent is 0; set it",
                       what, k->mine[i], k->theirs[i]);
    }
    return LG_OK;
}

/* A random point, near g0 or anywhere. */
static lg_status choose(check *k, const double *g0, lg_rng *rng)
{
    const lg_group *G = k->user.S.group;
    int n = k->user.f.n;
    k->t = k->user.S.callbacks.time_dependent ? lg_rng_uniform(rng) : 0;
    for (int i = 0; i < n; i++) k->xi[i] = lg_rng_normal(rng);
    if (!g0) return lg_group_random(G, k->g, rng);
    for (int i = 0; i < n; i++) k->mine[i] = 0.3 * lg_rng_normal(rng);
    lg_status st = lg_group_exp(G, k->g, k->mine);
    return st == LG_OK ? lg_group_compose(G, k->g, g0, k->g) : st;
}

static lg_status open_both(check *k, const lg_system *S)
{
    lg_system plain;
    k->user.block = k->plain.block = NULL;
    lg_status st = lg_standalone_open(&k->user, S, k->error);
    if (st != LG_OK) return st;
    plain = k->user.S;
    plain.callbacks.potential_hessian = NULL, plain.callbacks.potential_gradient = NULL,
    plain.callbacks.metric_gradient = NULL, plain.callbacks.covectors_derivative = NULL;
    plain.callbacks.covectors_rate = NULL, plain.callbacks.holonomic_acceleration = NULL;
    plain.callbacks.holonomic_differential = NULL, plain.callbacks.holonomic_rate = NULL;
    return lg_standalone_open(&k->plain, &plain, k->error);
}

lg_status lg_system_check(const lg_system *S, lg_rng *rng, const double *g0, int points, double tolerance, lg_error *e)
{
    check k = {.tolerance = tolerance > 0 ? tolerance : 1e-6, .others = "differences give", .error = e};
    if (points < 1 || !rng)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system_check: %d points, expected at least 1, and a generator",
                       points);
    lg_status st = open_both(&k, S);
    if (st == LG_OK) {
        size_t n = (size_t)k.user.f.n, element_size = (size_t)k.user.f.element_size,
               values = (size_t)(k.user.f.holonomic + 2 * k.user.f.m + 3) * n + 1;
        k.g = malloc((element_size + n + 2 * values) * sizeof(double));
        if (!k.g)
            st = lg_fail(e, LG_ERROR_MEMORY, "lg_system_check: out of memory");
        else
            k.xi = k.g + element_size, k.mine = k.xi + n, k.theirs = k.mine + values;
    }
    for (int i = 0; st == LG_OK && i < points; i++) {
        st = choose(&k, g0, rng);
        if (st != LG_OK) lg_fail(e, st, "lg_system_check: no random element of %s", k.user.S.group->name);
        if (st == LG_OK) st = check_shape(&k);
        if (st == LG_OK) st = check_time(&k);
        if (st == LG_OK && k.user.S.callbacks.lanes) st = lg_check_lanes(&k.user, k.t, k.g, k.xi, e);
        if (st == LG_OK) st = check_derivatives(&k);
        if (st == LG_OK) st = lg_check_means(&k.user, k.t, k.g, k.xi, k.tolerance, e);
    }
    free(k.g);
    lg_release(k.user.block);
    lg_release(k.plain.block);
    return st;
}
