/* SPDX-License-Identifier: BSD-3-Clause */
/* The action groupoid Q x G of a right action: (x, W) goes from x to x.W, (x, W)(x.W, V) = (x, WV), (x, W)^-1 =
 * (x.W, W^-1), sigma(x, eta) = (x, tau(eta)). [P2] 8.1; docs/theory.md, "Groupoids". */
#include "groupoids/groupoid.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/message.h"
#include "retractions/retraction.h"

typedef struct acting {
    const lg_group *G;
    const lg_retraction *chart;
    lg_action_fn action;
    const void *context;
} acting;

static const acting *acting_of(const lg_groupoid *gpd)
{
    return gpd->data;
}

static lg_status source(const lg_groupoid *gpd, double *x, const double *g, void *work)
{
    (void)work;
    memcpy(x, g, sz(gpd->base_size) * sizeof *x);
    return LG_OK;
}

static lg_status target(const lg_groupoid *gpd, double *x, const double *g, void *work)
{
    const acting *A = acting_of(gpd);
    static const double t = 0;
    const lg_call c = {.context = A->context, .lanes = 1, .times = &t};
    (void)work;
    return A->action(&c, g, g + gpd->base_size, x) == 0 ? LG_OK : LG_ERROR_CALLBACK;
}

static lg_status unit(const lg_groupoid *gpd, double *g, const double *x, void *work)
{
    const acting *A = acting_of(gpd);
    (void)work;
    memcpy(g, x, sz(gpd->base_size) * sizeof *g);
    return A->G->identity(A->G, g + gpd->base_size);
}

static lg_status action_inverse(const lg_groupoid *gpd, double *r, const double *g, void *work)
{
    const acting *A = acting_of(gpd);
    lg_status status = target(gpd, r, g, work);
    if (status != LG_OK) return status;
    return A->G->inverse(A->G, r + gpd->base_size, g + gpd->base_size, work);
}

static lg_status action_multiply(const lg_groupoid *gpd, double *r, const double *g, const double *h, void *work)
{
    const acting *A = acting_of(gpd);
    const int b = gpd->base_size;
    memcpy(r, g, sz(b) * sizeof *r);
    return A->G->compose(A->G, r + b, g + b, h + b, work);
}

static lg_status section(const lg_groupoid *gpd, double *g, const double *x, const double *eta, void *work)
{
    const acting *A = acting_of(gpd);
    memcpy(g, x, sz(gpd->base_size) * sizeof *g);
    return lg_retraction_tau_with(A->chart, A->G, g + gpd->base_size, eta, work);
}

lg_status lg_groupoid_create_action(lg_groupoid **gpd, const lg_group *G, const lg_retraction *chart, int base_size,
                                    lg_action_fn action, const void *context, lg_error *e)
{
    const acting A = {G, chart ? chart : lg_retraction_exp(), action, context};
    const char *caller = "lg_groupoid_create_action";
    lg_error_clear(e);
    if (!gpd) return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the pointer to the new groupoid is NULL", caller);
    *gpd = NULL;
    lg_status status = lg_groupoid_check_chart(caller, G, A.chart, e);
    if (status != LG_OK) return status;
    if (!action) return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the action is NULL", caller);
    if (base_size < 1)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: base_size is %d, expected at least 1; see lg_groupoid_create_group()",
                       caller, base_size);
    size_t letters = strlen(lg_group_name(G)) + 32;
    lg_groupoid *o = lg_groupoid_allocate(sizeof A, letters);
    if (!o) return lg_fail(e, LG_ERROR_MEMORY, "%s: out of memory", caller);
    *(acting *)lg_groupoid_data(o) = A;
    (void)snprintf(lg_groupoid_letters(o, sizeof A), letters, "action(%d, %s)", base_size, lg_group_name(G));
    o->kind = LG_GROUPOID_ACTION;
    o->dim = G->dim;
    o->base_size = base_size;
    o->element_size = base_size + G->element_size;
    o->work_bytes = lg_groupoid_group_bytes(G, A.chart);
    o->source = source, o->target = target, o->unit = unit;
    o->inverse = action_inverse, o->multiply = action_multiply, o->section = section;
    *gpd = o;
    return LG_OK;
}
