/* SPDX-License-Identifier: BSD-3-Clause */
/* F^+L_d(g).eta = d/ds L_d(g sigma(target(g), s eta)) and F^-L_d(g).eta = -d/ds L_d(sigma(source(g), s eta)^-1 g), [P2]
 * (47): nothing but L_d and the operations of the groupoid.
 *
 * The derivatives are central differences D(delta), an even series in delta, extrapolated to 0 (Romberg's tableau,
 * delta halved from row to row). L_d is analytic over lengths of its scale, so a displacement of half a scale loses
 * nothing: with the fifth row the remainder is the product of the five delta^2, 1e-9, times a tenth power of the
 * inverse radius of convergence (about pi for rotations), and round-off is only divided by delta = 1/32. The entry with
 * the smallest difference to its neighbours is taken, and that difference plus round-off is the estimated error. */
#include "groupoids/legendre.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "base/sized.h"

#define FIRST   0.5 /* displacement of the first row, in units of the scales */
#define ROWS    10
#define SHRINKS 20 /* halvings while L_d is not defined at the first displacement */

/* ---- the system ---- */

static const lg_sized kind =
    LG_SIZED_AS(lg_groupoid_system, covector_matrix, "start from lg_groupoid_system_default()");

void lg_groupoid_system_init(lg_groupoid_system *S, size_t size, const lg_groupoid *gpd)
{
    lg_groupoid_system own;
    memset(&own, 0, sizeof own);
    own.groupoid = gpd;
    lg_sized_give(&kind, S, size, &own);
}

static lg_status check_parts(const lg_groupoid_system *S, lg_error *e)
{
    int metrics = (S->inertia_diagonal != NULL) + (S->inertia != NULL) + (S->metric != NULL), n = S->groupoid->dim;
    if (metrics != 1)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_groupoid_system: %d metrics given; set exactly one of inertia_diagonal, inertia, metric",
                       metrics);
    if (S->constraint_count < 0 || S->constraint_count >= n)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_groupoid_system: %d constraints on fibres of dimension %d; expected 0 to %d",
                       S->constraint_count, n, n - 1);
    if (S->constraint_count && !S->covectors == !S->covector_matrix)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_groupoid_system: %d constraints need either covector_matrix or covectors, not %s",
                       S->constraint_count, S->covectors ? "both" : "neither");
    if (!S->constraint_count && (S->covectors || S->covector_matrix))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_groupoid_system: covectors are given but constraints is 0; set the number of rows");
    return LG_OK;
}

lg_status lg_legendre_take(lg_groupoid_system *S, const lg_groupoid_system *given, double h, lg_error *e)
{
    memset(S, 0, sizeof *S);
    if (!given) return lg_fail(e, LG_ERROR_ARGUMENT, "lg_groupoid_system: the system is NULL");
    const lg_status status = lg_sized_take(&kind, S, given, e);
    if (status != LG_OK) return status;
    if (!lg_groupoid_complete(S->groupoid, e)) return LG_ERROR_ARGUMENT;
    if (!S->lagrangian && !(S->slope_minus && S->slope_plus))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_groupoid_system: lagrangian is NULL; only slope_minus and slope_plus together replace it");
    for (int i = 0; S->scales && i < S->groupoid->dim; i++)
        if (!(S->scales[i] > 0 && isfinite(S->scales[i])))
            return lg_fail(e, LG_ERROR_ARGUMENT, "lg_groupoid_system: scales: entry %d is %g; it must be positive",
                           i + 1, S->scales[i]);
    if (!isfinite(h) || h == 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_groupoid_system: step %g; it must be finite and not 0", h);
    return check_parts(S, e);
}

/* ---- differences ---- */

void lg_legendre_carve(lg_legendre *o, lg_arena *a)
{
    const lg_groupoid *gpd = o->S.groupoid;
    o->scales = lg_take_doubles(a, sz(gpd->dim));
    o->x = lg_take_doubles(a, sz(gpd->base_size));
    o->eta = lg_take_doubles(a, sz(gpd->dim));
    o->near = lg_take_doubles(a, sz(gpd->element_size));
    o->moved = lg_take_doubles(a, sz(gpd->element_size));
    o->work = lg_take(a, gpd->work_bytes);
    for (int i = 0; o->scales && i < gpd->dim; i++) o->scales[i] = o->S.scales ? o->S.scales[i] : 1.0;
}

lg_call lg_legendre_call(const lg_legendre *o, double t)
{
    lg_call c;
    memset(&c, 0, sizeof c);
    c.context = o->S.context;
    c.t = t;
    c.lanes = 1;
    return c;
}

/* *L = L_d at g displaced by eta on one side; o->x is that end of g. NaN where the groupoid or L_d is not defined. */
static lg_status value(lg_legendre *o, lg_side side, const double *g, double *L)
{
    const lg_groupoid *gpd = o->S.groupoid;
    lg_status status = gpd->section(gpd, o->near, o->x, o->eta, o->work);
    const double *left = g, *right = o->near;
    double *product = o->moved;
    if (side == LG_MINUS && status == LG_OK) {
        status = gpd->inverse(gpd, o->moved, o->near, o->work);
        left = o->moved, right = g, product = o->near;
    }
    if (status == LG_OK) status = gpd->multiply(gpd, product, left, right, o->work);
    *L = NAN;
    if (status == LG_ERROR_DOMAIN) return LG_OK;
    if (status != LG_OK) return lg_fail(o->error, status, "the groupoid '%s' failed near an element", gpd->name);
    const lg_call c = lg_legendre_call(o, o->t);
    int code = o->S.lagrangian(&c, o->h, product, L);
    if (code) return lg_fail(o->error, LG_ERROR_CALLBACK, "callback lagrangian returned %d", code);
    return LG_OK;
}

/* *D = (L(delta) - L(-delta))/(2 delta) along coordinate i, with the sign of the side, and its round-off. */
static lg_status central(lg_legendre *o, lg_side side, const double *g, int i, double delta, double *D, double *noise)
{
    double there = 0, back = 0;
    o->eta[i] = delta;
    lg_status status = value(o, side, g, &there);
    o->eta[i] = -delta;
    if (status == LG_OK) status = value(o, side, g, &back);
    o->eta[i] = 0;
    *D = (side == LG_PLUS ? there - back : back - there) / (2 * delta);
    *noise = DBL_EPSILON * fmax(fabs(there), fabs(back)) / delta;
    return status;
}

/* The tableau. Halves the first displacement while L_d is not defined there; *slope is NaN if that does not help. */
static lg_status extrapolate(lg_legendre *o, lg_side side, const double *g, int i, double *slope, double *error)
{
    double row[ROWS], delta = FIRST * o->scales[i], noise = 0, D = NAN;
    lg_status status = central(o, side, g, i, delta, &D, &noise);
    for (int k = 0; status == LG_OK && !isfinite(D) && k < SHRINKS; k++)
        status = central(o, side, g, i, delta /= 2, &D, &noise);
    row[0] = D;
    *slope = NAN;
    *error = INFINITY;
    for (int k = 1; status == LG_OK && isfinite(D) && k<ROWS && * error> 2 * noise; k++) {
        double factor = 1, above = row[0]; /* the entry above the extrapolated one */
        status = central(o, side, g, i, delta /= 2, &D, &noise);
        row[0] = D;
        for (int m = 1; m <= k; m++) {
            const double keep = m < k ? row[m] : 0;
            factor *= 4;
            row[m] = row[m - 1] + (row[m - 1] - above) / (factor - 1);
            const double apart = fmax(fabs(row[m] - above), fabs(row[m] - row[m - 1]));
            if (apart + noise < *error) *slope = row[m], *error = apart + noise;
            above = keep;
        }
    }
    return status;
}

static lg_status differences(lg_legendre *o, lg_side side, const double *g, double *out, int rough)
{
    const lg_groupoid *gpd = o->S.groupoid;
    lg_status status = side == LG_PLUS ? gpd->target(gpd, o->x, g, o->work) : gpd->source(gpd, o->x, g, o->work);
    if (status != LG_OK) return lg_fail(o->error, status, "the groupoid '%s' has no end of an element", gpd->name);
    memset(o->eta, 0, sz(gpd->dim) * sizeof *o->eta);
    for (int i = 0; i < gpd->dim; i++) {
        double error = 0, noise;
        if (rough) {
            status = central(o, side, g, i, LG_ROUGH_STEP * o->scales[i], &out[i], &noise);
        } else {
            status = extrapolate(o, side, g, i, &out[i], &error);
        }
        if (status != LG_OK) return status;
        o->accuracy = fmax(o->accuracy, error);
    }
    return LG_OK;
}

static lg_status slope(lg_legendre *o, lg_side side, const double *g, double *out, int rough)
{
    const int n = o->S.groupoid->dim;
    const lg_groupoid_slope_fn given = side == LG_PLUS ? o->S.slope_plus : o->S.slope_minus;
    const char *name = side == LG_PLUS ? "slope_plus" : "slope_minus";
    if (given) {
        const lg_call c = lg_legendre_call(o, o->t);
        int code = given(&c, o->h, g, out);
        if (code) return lg_fail(o->error, LG_ERROR_CALLBACK, "callback %s returned %d", name, code);
    } else {
        lg_status status = differences(o, side, g, out, rough);
        if (status != LG_OK) return status;
    }
    for (int i = 0; i < n; i++)
        if (!isfinite(out[i]))
            return lg_fail(o->error, LG_ERROR_NOT_FINITE, "%s%s: entry %d is %g", given ? "callback " : "",
                           given ? name : "differences of the lagrangian", i + 1, out[i]);
    return LG_OK;
}

lg_status lg_legendre_slope(lg_legendre *o, lg_side side, const double *g, double *out)
{
    return slope(o, side, g, out, 0);
}

lg_status lg_legendre_rough_minus(lg_legendre *o, const double *g, double *out)
{
    return slope(o, LG_MINUS, g, out, 1);
}

lg_status lg_groupoid_legendre(const lg_groupoid_system *S, double *minus, double *plus, double *accuracy, double t,
                               double h, const double *g, lg_error *e)
{
    lg_arena a = {NULL, 0};
    lg_error_clear(e);
    lg_legendre o = {.h = h, .t = t, .error = e};
    lg_status status = lg_legendre_take(&o.S, S, h, e);
    if (status != LG_OK) return status;
    if (!g) return lg_fail(e, LG_ERROR_ARGUMENT, "lg_groupoid_legendre: the element is NULL");
    lg_legendre_carve(&o, &a);
    void *block = lg_reserve(a.used);
    if (!block) return lg_fail(e, LG_ERROR_MEMORY, "lg_groupoid_legendre: out of memory");
    a.base = block;
    a.used = 0;
    lg_legendre_carve(&o, &a);
    if (minus) status = lg_legendre_slope(&o, LG_MINUS, g, minus);
    if (plus && status == LG_OK) status = lg_legendre_slope(&o, LG_PLUS, g, plus);
    if (accuracy && status == LG_OK) *accuracy = o.accuracy;
    lg_release(block);
    return status;
}
