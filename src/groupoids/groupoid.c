/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations on any groupoid: argument checks and scratch. Axioms: [P2] definition 8.1. */
#include "groupoids/groupoid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/message.h"
#include "groups/product.h"
#include "retractions/retraction.h"

/* ---- descriptors ---- */

static const lg_sized kind = LG_SIZED_AS(lg_groupoid, section, "set .size = sizeof(lg_groupoid)");

static const char *name_of(const lg_groupoid *gpd)
{
    return gpd->name ? gpd->name : "?";
}

int lg_groupoid_complete(const lg_groupoid *gpd, lg_error *e)
{
    const char *missing = NULL;
    if (!gpd) {
        (void)lg_fail(e, LG_ERROR_ARGUMENT, "lg_groupoid: the groupoid is NULL");
        return 0;
    }
    const char *name = name_of(gpd);
    if (lg_sized_check(&kind, gpd->size, name, e) != LG_OK) return 0;
    if (gpd->dim < 1 || gpd->base_size < 0 || gpd->element_size < 1 || gpd->dim > LG_DIM_MOST ||
        gpd->base_size > LG_ELEMENT_MOST || gpd->element_size > LG_ELEMENT_MOST) {
        (void)lg_fail(e, LG_ERROR_ARGUMENT,
                      "lg_groupoid '%s': dim %d, base_size %d, element_size %d; expected at least 1, 0, 1, and at most "
                      "%d, %d, %d",
                      name, gpd->dim, gpd->base_size, gpd->element_size, LG_DIM_MOST, LG_ELEMENT_MOST, LG_ELEMENT_MOST);
        return 0;
    }
    if (!gpd->section) missing = "section";
    if (!gpd->multiply) missing = "multiply";
    if (!gpd->inverse) missing = "inverse";
    if (!gpd->unit) missing = "unit";
    if (!gpd->target) missing = "target";
    if (!gpd->source) missing = "source";
    if (missing) (void)lg_fail(e, LG_ERROR_ARGUMENT, "lg_groupoid '%s': the operation '%s' is NULL", name, missing);
    return !missing;
}

#define HEAD lg_round_up(sizeof(lg_groupoid))

lg_groupoid *lg_groupoid_allocate(size_t data_bytes, size_t letters)
{
    lg_groupoid *gpd = calloc(1, HEAD + lg_round_up(data_bytes) + letters + 1);
    if (!gpd) return NULL;
    gpd->size = sizeof *gpd;
    gpd->data = lg_groupoid_data(gpd);
    gpd->name = lg_groupoid_letters(gpd, data_bytes);
    return gpd;
}

void *lg_groupoid_data(lg_groupoid *gpd)
{
    return (char *)gpd + HEAD;
}

char *lg_groupoid_letters(lg_groupoid *gpd, size_t data_bytes)
{
    return (char *)gpd + HEAD + lg_round_up(data_bytes);
}

void lg_groupoid_destroy(lg_groupoid *gpd)
{
    if (gpd && gpd->kind != LG_GROUPOID_USER) free(gpd);
}

lg_status lg_groupoid_check_chart(const char *caller, const lg_group *G, const lg_retraction *chart, lg_error *e)
{
    const lg_status status = lg_group_validate(G, caller, e);
    if (status != LG_OK) return status;
    if (!lg_retraction_supports(chart, G))
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "%s: the chart '%s' does not work on the group '%s'", caller,
                       chart->name ? chart->name : "?", lg_group_name(G));
    return LG_OK;
}

size_t lg_groupoid_group_bytes(const lg_group *G, const lg_retraction *chart)
{
    size_t chart_bytes = lg_retraction_work_bytes(chart, G);
    return chart_bytes > G->work_bytes ? chart_bytes : G->work_bytes;
}

/* ---- operations: results are computed in scratch, so outputs may alias inputs ---- */

#define STACK_BYTES 4096

typedef struct scratch {
    _Alignas(16) unsigned char stack[STACK_BYTES];
    void *heap;
    double *out, *x, *y; /* an element or a point; two points */
    void *work;
} scratch;

static void groupoid_carve(scratch *s, const lg_groupoid *gpd, lg_arena *a)
{
    size_t b = sz(gpd->base_size), e = sz(gpd->element_size);
    s->out = lg_part_doubles(a, b > e ? b : e);
    s->x = lg_part_doubles(a, b);
    s->y = lg_part_doubles(a, b);
    s->work = lg_part(a, gpd->work_bytes);
}

static lg_status open_scratch(scratch *s, const lg_groupoid *gpd)
{
    lg_arena a = {NULL, 0};
    groupoid_carve(s, gpd, &a);
    s->heap = a.used > STACK_BYTES ? malloc(a.used) : NULL;
    if (a.used > STACK_BYTES && !s->heap) return LG_ERROR_MEMORY;
    a.base = s->heap ? s->heap : (char *)s->stack;
    a.used = 0;
    groupoid_carve(s, gpd, &a);
    return LG_OK;
}

static lg_status close_scratch(scratch *s, lg_status status, double *out, int count)
{
    if (status == LG_OK && count > 0) memcpy(out, s->out, sz(count) * sizeof *out);
    free(s->heap);
    return status;
}

static lg_status run_unary(const lg_groupoid *gpd, lg_groupoid_unary op, double *out, int count, const double *in)
{
    scratch s;
    lg_status status = open_scratch(&s, gpd);
    if (status != LG_OK) return status;
    return close_scratch(&s, op(gpd, s.out, in, s.work), out, count);
}

lg_status lg_groupoid_source(const lg_groupoid *gpd, double *x, const double *g)
{
    if (!lg_groupoid_complete(gpd, NULL) || !x || !g) return LG_ERROR_ARGUMENT;
    return run_unary(gpd, gpd->source, x, gpd->base_size, g);
}

lg_status lg_groupoid_target(const lg_groupoid *gpd, double *x, const double *g)
{
    if (!lg_groupoid_complete(gpd, NULL) || !x || !g) return LG_ERROR_ARGUMENT;
    return run_unary(gpd, gpd->target, x, gpd->base_size, g);
}

lg_status lg_groupoid_unit(const lg_groupoid *gpd, double *g, const double *x)
{
    if (!lg_groupoid_complete(gpd, NULL) || !g || !x) return LG_ERROR_ARGUMENT;
    return run_unary(gpd, gpd->unit, g, gpd->element_size, x);
}

lg_status lg_groupoid_inverse(const lg_groupoid *gpd, double *r, const double *g)
{
    if (!lg_groupoid_complete(gpd, NULL) || !r || !g) return LG_ERROR_ARGUMENT;
    return run_unary(gpd, gpd->inverse, r, gpd->element_size, g);
}

lg_status lg_groupoid_section(const lg_groupoid *gpd, double *g, const double *x, const double *eta)
{
    scratch s;
    if (!lg_groupoid_complete(gpd, NULL) || !g || !x || !eta) return LG_ERROR_ARGUMENT;
    lg_status status = open_scratch(&s, gpd);
    if (status != LG_OK) return status;
    return close_scratch(&s, gpd->section(gpd, s.out, x, eta, s.work), g, gpd->element_size);
}

/* The distance of the points x and y; infinite if the groupoid cannot compute it, as for rotations by pi. */
static double gap_between(const lg_groupoid *gpd, const double *x, const double *y, void *work)
{
    double gap = 0;
    const lg_groupoid_binary distance = LG_FIELD(lg_groupoid, gpd, distance);
    if (distance) return distance(gpd, &gap, x, y, work) == LG_OK ? gap : INFINITY;
    for (int i = 0; i < gpd->base_size; i++) {
        if (!(fabs(x[i] - y[i]) <= gap)) gap = fabs(x[i] - y[i]);
        if (isnan(gap)) return gap;
    }
    return gap;
}

/* LG_OK if target(g) = source(h). */
static lg_status match(const lg_groupoid *gpd, const scratch *s, const double *g, const double *h, lg_error *e)
{
    lg_status status = gpd->target(gpd, s->x, g, s->work);
    if (status == LG_OK) status = gpd->source(gpd, s->y, h, s->work);
    if (status != LG_OK)
        return lg_fail(e, status, "lg_groupoid_compose: '%s' has no target or no source there", name_of(gpd));
    double gap = gap_between(gpd, s->x, s->y, s->work), size = 1;
    for (int i = 0; i < gpd->base_size; i++) size = fmax(size, fabs(s->x[i]));
    if (gap <= LG_GROUPOID_MATCH * size) return LG_OK;
    return lg_fail(e, LG_ERROR_DOMAIN,
                   "lg_groupoid_compose: in '%s' the target of the first element and the source of the second are %.3g "
                   "apart; they must be the same point to %.0e",
                   name_of(gpd), gap, LG_GROUPOID_MATCH * size);
}

lg_status lg_groupoid_compose(const lg_groupoid *gpd, double *r, const double *g, const double *h, lg_error *e)
{
    scratch s;
    lg_error_clear(e);
    if (!lg_groupoid_complete(gpd, e)) return LG_ERROR_ARGUMENT;
    if (!r || !g || !h) return lg_fail(e, LG_ERROR_ARGUMENT, "lg_groupoid_compose: an element is NULL");
    if (open_scratch(&s, gpd) != LG_OK) return lg_fail(e, LG_ERROR_MEMORY, "lg_groupoid_compose: out of memory");
    lg_status status = match(gpd, &s, g, h, e);
    if (status == LG_OK) {
        status = gpd->multiply(gpd, s.out, g, h, s.work);
        if (status != LG_OK) (void)lg_fail(e, status, "lg_groupoid_compose: '%s' has no product there", name_of(gpd));
    }
    return close_scratch(&s, status, r, gpd->element_size);
}
