/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_system_check(): the system's means between two configurations, compared with its values at both, and with the
 * fields if the two coincide. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "mechanics/standalone.h"
#include "retractions/retraction.h"

typedef struct means {
    const lg_standalone *o;
    lg_field *f;
    double t, tolerance;
    const double *g0;                 /* the point, and g1 = g0 tau(x) for a displacement x */
    double *g1, *x, *W, *out, *other; /* an element, n, an element, values of a mean and what they should be */
    double *V0, *V1;                  /* values at both configurations */
    void *work;
    lg_error *e;
} means;

static int values(const means *k, lg_mean_fn fn, const char *name, double h, const double *g0, const double *g1,
                  double *out, int count)
{
    const lg_call c = lg_field_call(k->f, &k->t);
    memset(out, 0, (size_t)count * sizeof *out);
    k->f->failed = name;
    return fn(&c, h, g0, g1, out);
}

/* k->g1 = k->g0 tau(s x). */
static lg_status displace(const means *k, const double *x, double s)
{
    const lg_group *G = k->f->S->group;
    for (int i = 0; i < k->f->n; i++) k->x[i] = s * x[i];
    lg_status st = lg_retraction_tau_with(lg_retraction_cayley(), G, k->W, k->x, k->work);
    return st == LG_OK ? G->compose(G, k->g1, k->g0, k->W, k->work) : st;
}

static lg_status same(const means *k, const char *name, const char *what, int count, double tolerance)
{
    const double scale = fmax(1, fmax(lg_norm_max(k->out, count), lg_norm_max(k->other, count)));
    char where[120];
    lg_print_values(where, sizeof where, k->g0, k->f->element_size);
    for (int i = 0; i < count; i++) {
        if (!isfinite(k->out[i]))
            return lg_fail(k->e, LG_ERROR_NOT_FINITE, "%s: entry %d is %g at g = (%s)", name, i + 1, k->out[i], where);
        if (fabs(k->out[i] - k->other[i]) > tolerance * scale)
            return lg_fail(k->e, LG_ERROR_ARGUMENT, "%s: entry %d is %.12g, %s %.12g, at g = (%s)", name, i + 1,
                           k->out[i], what, k->other[i], where);
    }
    return LG_OK;
}

/* Checks that `rows` rows times the displacement are the change of the value, symmetry, and the differential at g0. */
static lg_status check_exact(const means *k, lg_mean_fn fn, const char *name, int rows,
                             int (*value)(lg_field *, double, const double *, double *),
                             int (*differential)(lg_field *, double, const double *, double *))
{
    const int n = k->f->n, count = rows * n;
    int code = value(k->f, k->t, k->g0, k->V0);
    if (!code) code = value(k->f, k->t, k->g1, k->V1);
    if (!code) code = values(k, fn, name, 1, k->g0, k->g1, k->out, count);
    if (!code) code = values(k, fn, name, -1, k->g1, k->g0, k->other, count);
    if (code) return lg_standalone_failed(k->o, code, k->e);
    lg_status st = same(k, name, "with both configurations exchanged", count, k->tolerance);
    for (int r = 0; r < rows && st == LG_OK; r++) {
        double change = 0, scale = 1 + fabs(k->V0[r]) + fabs(k->V1[r]);
        for (int i = 0; i < n; i++) change += k->out[r * n + i] * k->x[i], scale += fabs(k->out[r * n + i] * k->x[i]);
        if (fabs(change - (k->V1[r] - k->V0[r])) > k->tolerance * scale)
            st = lg_fail(k->e, LG_ERROR_ARGUMENT,
                         "%s: row %d times the displacement is %.12g, but the value changes by %.12g", name, r + 1,
                         change, k->V1[r] - k->V0[r]);
    }
    if (st != LG_OK) return st;
    code = values(k, fn, name, 1, k->g0, k->g0, k->out, count);
    if (!code) code = differential(k->f, k->t, k->g0, k->other);
    return code ? lg_standalone_failed(k->o, code, k->e)
                : same(k, name, "the differential is", count, fmax(k->tolerance, 1e-9));
}

/* Checks that the mean force of a short step is that at its ends, and that it is symmetric. */
static lg_status check_force(const means *k, const double *xi)
{
    const double h = 1e-5;
    const int n = k->f->n;
    const lg_mean_fn fn = k->f->S->callbacks.force_mean;
    const lg_status st = displace(k, xi, h);
    if (st != LG_OK) return lg_fail(k->e, st, "lg_system_check: force_mean: no configuration near g0");
    int code = values(k, fn, "force_mean", h, k->g0, k->g1, k->out, n);
    if (!code) code = lg_field_force(k->f, k->t, k->g0, xi, k->other);
    if (!code) code = lg_field_force(k->f, k->t, k->g1, xi, k->V0);
    if (code) return lg_standalone_failed(k->o, code, k->e);
    for (int i = 0; i < n; i++) k->other[i] = 0.5 * (k->other[i] + k->V0[i]);
    return same(k, "force_mean", "the force is", n, fmax(k->tolerance, 1e-6));
}

static lg_status check_all(const means *k, const double *xi)
{
    const lg_callbacks *c = &k->f->S->callbacks;
    lg_status st = displace(k, xi, 0.3);
    if (st != LG_OK) return lg_fail(k->e, st, "lg_system_check: no configuration near g0");
    if (c->holonomic_mean)
        st = check_exact(k, c->holonomic_mean, "holonomic_mean", c->holonomic_count, lg_field_holonomic,
                         lg_field_holonomic_rows);
    if (st == LG_OK && c->potential_mean)
        st = check_exact(k, c->potential_mean, "potential_mean", 1, lg_field_potential, lg_field_gradient);
    return st == LG_OK && c->force_mean ? check_force(k, xi) : st;
}

lg_status lg_check_means(lg_standalone *o, double t, const double *g, const double *xi, double tolerance, lg_error *e)
{
    const lg_field *f = &o->f;
    const lg_group *G = o->S.group;
    const lg_callbacks *c = &o->S.callbacks;
    if (!c->holonomic_mean && !c->potential_mean && !c->force_mean) return LG_OK;
    if (!lg_retraction_supports(lg_retraction_cayley(), G)) return LG_OK;
    const size_t n = (size_t)f->n, element = (size_t)f->element_size, rows = (size_t)f->holonomic + 1;
    const size_t cayley = lg_retraction_work_bytes(lg_retraction_cayley(), G), own = lg_field_work_bytes(f);
    const size_t work = cayley > own ? cayley : own;
    double *room = malloc((2 * element + 2 * n + 2 * rows * n + 2 * rows) * sizeof *room + work);
    if (!room) return lg_fail(e, LG_ERROR_MEMORY, "lg_system_check: out of memory");
    means k = {.o = o, .f = &o->f, .t = t, .tolerance = tolerance, .g0 = g, .e = e};
    k.g1 = room, k.W = k.g1 + element, k.x = k.W + element, k.out = k.x + n, k.other = k.out + rows * n;
    k.V1 = k.other + rows * n, k.V0 = k.V1 + rows, k.work = k.V0 + rows + n;
    const lg_status st = check_all(&k, xi);
    free(room);
    return st;
}
