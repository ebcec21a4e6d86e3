/* SPDX-License-Identifier: BSD-3-Clause */
/* The Atiyah groupoid M x M x G of the trivial bundle M x G, (x, y, W)(y, z, V) = (x, z, WV), and its special cases
 * with one factor missing: the pair groupoid M x M, and the group G over a point. Sections: sigma(x, (v, w)) = (x, x
 * tau(v), tau(w)). [P2] 8.1; theory of the examples: docs/theory.md, "Groupoids". */
#include "groupoids/groupoid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "base/message.h"
#include "retractions/retraction.h"

typedef struct bundle {
    const lg_group *M, *G; /* one may be NULL */
    const lg_retraction *chart;
    int b; /* doubles in a point of M; W follows two points */
} bundle;

static const bundle *bundle_of(const lg_groupoid *gpd)
{
    return gpd->data;
}

static void copy(double *to, const double *from, int count)
{
    if (count > 0) memcpy(to, from, sz(count) * sizeof *to);
}

static lg_status source(const lg_groupoid *gpd, double *x, const double *g, void *work)
{
    (void)work;
    copy(x, g, gpd->base_size);
    return LG_OK;
}

static lg_status target(const lg_groupoid *gpd, double *x, const double *g, void *work)
{
    (void)work;
    copy(x, g + gpd->base_size, gpd->base_size);
    return LG_OK;
}

static lg_status unit(const lg_groupoid *gpd, double *g, const double *x, void *work)
{
    const bundle *B = bundle_of(gpd);
    (void)work;
    copy(g, x, B->b);
    copy(g + B->b, x, B->b);
    return B->G ? B->G->identity(B->G, g + 2 * B->b) : LG_OK;
}

static lg_status atiyah_inverse(const lg_groupoid *gpd, double *r, const double *g, void *work)
{
    const bundle *B = bundle_of(gpd);
    copy(r, g + B->b, B->b);
    copy(r + B->b, g, B->b);
    return B->G ? B->G->inverse(B->G, r + 2 * B->b, g + 2 * B->b, work) : LG_OK;
}

static lg_status atiyah_multiply(const lg_groupoid *gpd, double *r, const double *g, const double *h, void *work)
{
    const bundle *B = bundle_of(gpd);
    copy(r, g, B->b);
    copy(r + B->b, h + B->b, B->b);
    return B->G ? B->G->compose(B->G, r + 2 * B->b, g + 2 * B->b, h + 2 * B->b, work) : LG_OK;
}

/* The place of y in the element serves as scratch for tau(v). */
static lg_status section(const lg_groupoid *gpd, double *g, const double *x, const double *eta, void *work)
{
    const bundle *B = bundle_of(gpd);
    lg_status status = LG_OK;
    copy(g, x, B->b);
    if (B->M) status = lg_retraction_tau_with(B->chart, B->M, g + B->b, eta, work);
    if (B->M && status == LG_OK) status = B->M->compose(B->M, g + B->b, x, g + B->b, work);
    if (B->G && status == LG_OK)
        status = lg_retraction_tau_with(B->chart, B->G, g + 2 * B->b, eta + lg_group_dim(B->M), work);
    return status;
}

/* |log(x^-1 y)|; the two quaternions of a rotation count as the same point. Scratch: a point, a vector. */
static lg_status distance(const lg_groupoid *gpd, double *d, const double *x, const double *y, void *work)
{
    const lg_group *M = bundle_of(gpd)->M;
    lg_arena a = {work, 0};
    double *z = lg_part_doubles(&a, sz(M->element_size)), *v = lg_part_doubles(&a, sz(M->dim));
    void *inner = lg_part(&a, 0);
    lg_status status = M->inverse(M, z, x, inner);
    if (status == LG_OK) status = M->compose(M, z, z, y, inner);
    if (status == LG_OK) status = M->exp->tau_inv(M, v, z, inner);
    if (status == LG_OK) *d = lg_norm_max(v, M->dim);
    return status;
}

/* The larger scratch of the two groups, after that of distance(). */
static size_t work_bytes(const bundle *B)
{
    lg_arena a = {NULL, 0};
    size_t most = B->G ? lg_groupoid_group_bytes(B->G, B->chart) : 0;
    if (B->M) {
        size_t bytes = lg_groupoid_group_bytes(B->M, B->chart);
        (void)lg_part_doubles(&a, sz(B->M->element_size));
        (void)lg_part_doubles(&a, sz(B->M->dim));
        most = bytes > most ? bytes : most;
    }
    return a.used + lg_round_up(most);
}

static lg_status atiyah_create(lg_groupoid **gpd, lg_groupoid_kind kind, const char *caller, const lg_group *M,
                               const lg_group *G, const lg_retraction *chart, lg_error *e)
{
    const bundle B = {M, G, chart ? chart : lg_retraction_exp(), M ? M->element_size : 0};
    const char *m = lg_group_name(M), *g = lg_group_name(G);
    lg_error_clear(e);
    if (!gpd) return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the pointer to the new groupoid is NULL", caller);
    *gpd = NULL;
    lg_status status = LG_OK;
    if (kind != LG_GROUPOID_GROUP) status = lg_groupoid_check_chart(caller, M, B.chart, e);
    if (kind != LG_GROUPOID_PAIR && status == LG_OK) status = lg_groupoid_check_chart(caller, G, B.chart, e);
    if (status != LG_OK) return status;
    size_t letters = strlen(m) + strlen(g) + 16;
    lg_groupoid *o = lg_groupoid_allocate(sizeof B, letters);
    if (!o) return lg_fail(e, LG_ERROR_MEMORY, "%s: out of memory", caller);
    *(bundle *)lg_groupoid_data(o) = B;
    (void)snprintf(lg_groupoid_letters(o, sizeof B), letters,
                   M && G ? "atiyah(%s, %s)"
                   : M    ? "pair(%s)"
                          : "group(%s)",
                   M ? m : g, g);
    o->kind = kind;
    o->dim = lg_group_dim(M) + lg_group_dim(G);
    o->base_size = B.b;
    o->element_size = 2 * B.b + lg_group_element_size(G);
    o->work_bytes = work_bytes(&B);
    o->source = source, o->target = target, o->unit = unit;
    o->inverse = atiyah_inverse, o->multiply = atiyah_multiply, o->section = section;
    if (M && M->exp && M->exp->tau_inv) o->distance = distance;
    *gpd = o;
    return LG_OK;
}

lg_status lg_groupoid_create_pair(lg_groupoid **gpd, const lg_group *M, const lg_retraction *chart, lg_error *e)
{
    return atiyah_create(gpd, LG_GROUPOID_PAIR, "lg_groupoid_create_pair", M, NULL, chart, e);
}

lg_status lg_groupoid_create_group(lg_groupoid **gpd, const lg_group *G, const lg_retraction *chart, lg_error *e)
{
    return atiyah_create(gpd, LG_GROUPOID_GROUP, "lg_groupoid_create_group", NULL, G, chart, e);
}

lg_status lg_groupoid_create_atiyah(lg_groupoid **gpd, const lg_group *M, const lg_group *G, const lg_retraction *chart,
                                    lg_error *e)
{
    return atiyah_create(gpd, LG_GROUPOID_ATIYAH, "lg_groupoid_create_atiyah", M, G, chart, e);
}
