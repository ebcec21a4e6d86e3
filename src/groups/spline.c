/* SPDX-License-Identifier: BSD-3-Clause */
/* Cumulative cubic splines, g = g_0 exp(c_1 w_1) exp(c_2 w_2) exp(c_3 w_3). With f = exp(c w) each factor turns
 * velocity and acceleration of those before it into xi <- Ad_f^-1 xi + c' w,   a <- Ad_f^-1 a + c' [xi, w] + c'' w
 * (with the new xi). */
#include <liegrp/groups/spline.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "base/message.h"
#include "groups/product.h"

struct lg_spline {
    const lg_group *G;
    int pieces, hermite;
    double begin, step;        /* B-spline: piece i begins at begin + i step */
    double *times;             /* Hermite: its nodes */
    double *g;                 /* elements; piece i begins at number i */
    double *w;                 /* B-spline: number i leads from element i to i + 1; Hermite: three for each piece */
    double *f, *f_inv, *f_end; /* scratch: elements */
    double *v, *xi, *a;        /* vectors */
    double *M;                 /* a matrix */
    void *work;                /* of the group's operations */
};

static size_t spline_layout(lg_spline *s, char *base, int elements)
{
    const size_t n = sz(s->G->dim), e = sz(s->G->element_size), d = sizeof(double);
    lg_arena arena = {base, 0};
    lg_take(&arena, sizeof *s);
    s->times = lg_take(&arena, s->hermite ? sz(elements) * d : 0);
    s->g = lg_take(&arena, sz(elements) * e * d);
    s->w = lg_take(&arena, (s->hermite ? 3 : 1) * sz(elements) * n * d);
    s->f = lg_take(&arena, e * d);
    s->f_inv = lg_take(&arena, e * d);
    s->f_end = lg_take(&arena, e * d);
    s->v = lg_take(&arena, n * d);
    s->xi = lg_take(&arena, n * d);
    s->a = lg_take(&arena, n * d);
    s->M = lg_take(&arena, n * n * d);
    s->work = lg_take(&arena, s->G->work_bytes);
    return arena.used;
}

/* A spline with its arrays and its elements; the rest as in `like`. */
static lg_status spline_make(lg_spline **out, const lg_spline *like, const double *g, int count, lg_error *error)
{
    const lg_group *G = like->G;
    lg_spline sized = *like;
    if (!G->exp || !G->exp->tau || !G->exp->tau_inv)
        return lg_fail(error, LG_ERROR_UNSUPPORTED, "lg_spline: %s has no exponential or no logarithm",
                       lg_group_name(G));
    for (size_t i = 0; i < sz(count) * sz(G->element_size); i++)
        if (!isfinite(g[i]))
            return lg_fail(error, LG_ERROR_NOT_FINITE, "lg_spline: number %d of element %d is %g; it must be finite",
                           (int)(i % sz(G->element_size)), (int)(i / sz(G->element_size)), fabs(g[i]));
    char *block = lg_reserve(spline_layout(&sized, NULL, count));
    if (!block) return lg_fail(error, LG_ERROR_MEMORY, "lg_spline: no memory for %d elements", count);
    spline_layout(&sized, block, count);
    lg_spline *s = (lg_spline *)(void *)block;
    *s = sized;
    memcpy(s->g, g, sz(count) * sz(G->element_size) * sizeof *g);
    *out = s;
    return LG_OK;
}

/* w = log(f a^-1 b h), without f and h where they are NULL. */
static lg_status spline_between(lg_spline *s, double *w, const double *f, const double *a, const double *b,
                                const double *h)
{
    const lg_group *G = s->G;
    lg_status st = G->inverse(G, s->f_inv, a, s->work);
    if (st == LG_OK && f) st = G->compose(G, s->f_inv, f, s->f_inv, s->work);
    if (st == LG_OK) st = G->compose(G, s->f_inv, s->f_inv, b, s->work);
    if (st == LG_OK && h) st = G->compose(G, s->f_inv, s->f_inv, h, s->work);
    return st == LG_OK ? G->exp->tau_inv(G, w, s->f_inv, s->work) : st;
}

static lg_status spline_failed(lg_spline *s, lg_status st, int i, const char *what, lg_error *error)
{
    lg_fail(error, st,
            "lg_spline on %s: no logarithm between %s %d and %d (%s); put nodes in between, less than pi apart",
            lg_group_name(s->G), what, i, i + 1, lg_status_text(st));
    lg_spline_destroy(s);
    return st;
}

lg_status lg_spline_create_bspline(lg_spline **out, const lg_group *G, const double *control, int count, double t0,
                                   double h, lg_error *error)
{
    lg_spline *s = NULL;
    lg_error_clear(error);
    if (!out || !lg_group_complete(G) || !control)
        return lg_fail(error, LG_ERROR_ARGUMENT, "lg_spline_create_bspline: an argument is NULL");
    *out = NULL;
    if (count < 4)
        return lg_fail(error, LG_ERROR_ARGUMENT, "lg_spline_create_bspline: %d control elements; a cubic needs 4",
                       count);
    if (!isfinite(t0) || !(h > 0) || !isfinite(t0 + (count - 3) * h))
        return lg_fail(error, LG_ERROR_ARGUMENT,
                       "lg_spline_create_bspline: t0 = %g, h = %g; t0 must be finite and h positive", t0, h);
    const lg_spline like = {.G = G, .pieces = count - 3, .begin = t0, .step = h};
    lg_status st = spline_make(&s, &like, control, count, error);
    if (st != LG_OK) return st;
    const size_t e = sz(G->element_size);
    for (int i = 0; i + 1 < count; i++) {
        st = spline_between(s, s->w + sz(i) * sz(G->dim), NULL, s->g + sz(i) * e, s->g + sz(i + 1) * e, NULL);
        if (st != LG_OK) return spline_failed(s, st, i, "control elements", error);
    }
    *out = s;
    return LG_OK;
}

/* The three vectors of piece i from the velocities at its ends. */
static lg_status hermite_piece(lg_spline *s, int i, const double *xi)
{
    const lg_group *G = s->G;
    const size_t n = sz(G->dim), e = sz(G->element_size);
    const double third = (s->times[i + 1] - s->times[i]) / 3;
    double *w = s->w + 3 * sz(i) * n;
    lg_status st = LG_OK;
    for (int end = 0; end < 2 && st == LG_OK; end++) {
        double *own = w + (end ? 2 * n : 0);
        for (size_t k = 0; k < n; k++) {
            own[k] = third * xi[sz(i + end) * n + k];
            s->v[k] = -own[k];
        }
        st = G->exp->tau(G, end ? s->f_end : s->f, s->v, s->work);
    }
    return st == LG_OK ? spline_between(s, w + n, s->f, s->g + sz(i) * e, s->g + sz(i + 1) * e, s->f_end) : st;
}

lg_status lg_spline_create_hermite(lg_spline **out, const lg_group *G, const double *times, const double *g,
                                   const double *xi, int count, lg_error *error)
{
    lg_spline *s = NULL;
    lg_error_clear(error);
    if (!out || !lg_group_complete(G) || !times || !g || !xi)
        return lg_fail(error, LG_ERROR_ARGUMENT, "lg_spline_create_hermite: an argument is NULL");
    *out = NULL;
    if (count < 2)
        return lg_fail(error, LG_ERROR_ARGUMENT, "lg_spline_create_hermite: %d elements; a curve needs 2", count);
    for (int i = 0; i < count; i++)
        if (!isfinite(times[i]) || (i > 0 && !(times[i] > times[i - 1])))
            return lg_fail(error, LG_ERROR_ARGUMENT,
                           "lg_spline_create_hermite: times[%d] = %g after %g; times must be finite and increase", i,
                           times[i], i > 0 ? times[i - 1] : -INFINITY);
    const lg_spline like = {.G = G, .pieces = count - 1, .hermite = 1, .begin = times[0]};
    lg_status st = spline_make(&s, &like, g, count, error);
    if (st != LG_OK) return st;
    memcpy(s->times, times, sz(count) * sizeof *times);
    for (size_t k = 0; k < sz(count) * sz(G->dim); k++)
        if (!isfinite(xi[k])) {
            lg_spline_destroy(s);
            return lg_fail(error, LG_ERROR_NOT_FINITE, "lg_spline_create_hermite: velocity %d is not finite",
                           (int)(k / sz(G->dim)));
        }
    for (int i = 0; i < s->pieces; i++) {
        st = hermite_piece(s, i, xi);
        if (st != LG_OK) return spline_failed(s, st, i, "elements", error);
    }
    *out = s;
    return LG_OK;
}

void lg_spline_destroy(lg_spline *s)
{
    lg_release(s);
}

/* ---- times ---- */

static double spline_seam(const lg_spline *s, int i)
{
    return s->hermite ? s->times[i] : s->begin + i * s->step;
}

double lg_spline_begin(const lg_spline *s)
{
    return s ? s->begin : (double)NAN;
}

double lg_spline_end(const lg_spline *s)
{
    return s ? spline_seam(s, s->pieces) : (double)NAN;
}

/* The last piece that begins at t or before. */
static int spline_piece(const lg_spline *s, double t)
{
    int low = 0, high = s->pieces;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (t >= spline_seam(s, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- the curve ---- */

/* c_j and its derivatives by u. */
static void spline_weights(int hermite, double u, double c[3], double c1[3], double c2[3])
{
    const double v = 1 - u;
    if (hermite) {
        c[0] = u * (3 - u * (3 - u));
        c[1] = u * u * (3 - 2 * u);
        c[2] = u * u * u;
        c1[0] = 3 * v * v;
        c1[1] = 6 * u * v;
        c1[2] = 3 * u * u;
        c2[0] = -6 * v;
        c2[1] = 6 - 12 * u;
        c2[2] = 6 * u;
        return;
    }
    c[0] = (5 + u * (3 - u * (3 - u))) / 6;
    c[1] = (1 + u * (3 + u * (3 - 2 * u))) / 6;
    c[2] = u * u * u / 6;
    c1[0] = v * v / 2;
    c1[1] = 0.5 + u * v;
    c1[2] = u * u / 2;
    c2[0] = -v;
    c2[1] = 1 - 2 * u;
    c2[2] = u;
}

/* One factor exp(c w); g may be NULL. c1 and c2 are derivatives by time. */
static lg_status spline_factor(lg_spline *s, double *g, const double *w, double c, double c1, double c2)
{
    const lg_group *G = s->G;
    const int n = G->dim;
    for (int i = 0; i < n; i++) s->v[i] = c * w[i];
    lg_status st = G->exp->tau(G, s->f, s->v, s->work);
    if (st == LG_OK && g) st = G->compose(G, g, g, s->f, s->work);
    if (st == LG_OK) st = G->inverse(G, s->f_inv, s->f, s->work);
    if (st == LG_OK) st = G->Ad(G, s->M, s->f_inv, s->work);
    if (st != LG_OK) return st;
    lg_matvec(s->v, s->M, s->xi, n, n);
    for (int i = 0; i < n; i++) s->xi[i] = s->v[i] + c1 * w[i];
    lg_matvec(s->v, s->M, s->a, n, n);
    for (int i = 0; i < n; i++) s->a[i] = s->v[i] + c2 * w[i];
    st = G->ad(G, s->M, s->xi, s->work);
    if (st != LG_OK) return st;
    lg_matvec(s->v, s->M, w, n, n);
    for (int i = 0; i < n; i++) s->a[i] += c1 * s->v[i];
    return LG_OK;
}

lg_status lg_spline_evaluate(lg_spline *s, double *g, double *xi, double *acceleration, double t)
{
    double c[3], c1[3], c2[3];
    if (!s) return LG_ERROR_ARGUMENT;
    if (!(t >= s->begin && t <= lg_spline_end(s))) return LG_ERROR_DOMAIN;
    const size_t n = sz(s->G->dim), e = sz(s->G->element_size);
    const int i = spline_piece(s, t);
    const double h = s->hermite ? s->times[i + 1] - s->times[i] : s->step;
    const double *w = s->w + sz(i) * n * (s->hermite ? 3 : 1);
    lg_status st = LG_OK;
    spline_weights(s->hermite, fmin((t - spline_seam(s, i)) / h, 1), c, c1, c2);
    if (g) memcpy(g, s->g + sz(i) * e, e * sizeof *g);
    memset(s->xi, 0, n * sizeof *s->xi);
    memset(s->a, 0, n * sizeof *s->a);
    for (int j = 0; j < 3 && st == LG_OK; j++)
        st = spline_factor(s, g, w + sz(j) * n, c[j], c1[j] / h, c2[j] / (h * h));
    if (st != LG_OK) return st;
    if (xi) memcpy(xi, s->xi, n * sizeof *xi);
    if (acceleration) memcpy(acceleration, s->a, n * sizeof *acceleration);
    return LG_OK;
}
