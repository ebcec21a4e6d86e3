/* SPDX-License-Identifier: BSD-3-Clause */
/* STAND-IN until the branch `wide` brings the real one: whole nodes as images, no wide form. */
#include <string.h>

#include "base/message.h"
#include "integrators/engine/wide.h"

int lg_integrator_fits(const lg_integrator *it, const lg_system *S)
{
    lg_factor_plan factors[64];
    lg_plan plan;
    lg_error e;
    if (S->group != it->S.group || lg_plan_factor_count(S->group) > 60) return 0;
    if (lg_plan_make(&plan, factors, S, &it->plan.method, it->plan.retraction, &e) != LG_OK) return 0;
    if (plan.flow_count != it->plan.flow_count || plan.diagonal != it->plan.diagonal) return 0;
    for (int k = 0; k < plan.factor_count; k++)
        if (plan.factors[k].diagonal != it->plan.factors[k].diagonal) return 0;
    return 1;
}

lg_status lg_integrator_adopt(lg_integrator *it, const lg_system *S, lg_error *e)
{
    const size_t n = sz(it->plan.n);
    if (S->covector_matrix)
        memcpy((void *)(uintptr_t)it->S.covector_matrix, S->covector_matrix, sz(it->plan.mn) * n * 8);
    if (S->parameter_count)
        memcpy((void *)(uintptr_t)it->S.parameter_values, S->parameter_values, sz(S->parameter_count) * 8);
    it->S.inertia = S->inertia, it->S.inertia_diagonal = S->inertia_diagonal;
    if (lg_work_load(it->work)) return lg_explain(it, "lg_integrator_adopt", e);
    if (it->plan.constant_metric) {
        it->S.inertia = it->plan.diagonal ? NULL : it->work->J;
        it->S.inertia_diagonal = it->plan.diagonal ? it->work->J : NULL;
    }
    return LG_OK;
}

static size_t memory_size(const lg_plan *P)
{
    return P->fused ? 0 : sz(P->stages) * (3 + sz(P->n * P->n) + LG_MEMORY * sz(lg_open_size(P)));
}

size_t lg_image_size(const lg_plan *P)
{
    return sz(P->gn) + 4 * sz(P->n) + sz(P->m) + 2 + memory_size(P);
}

#define PUT(v, k) memcpy(at, v, sz(k) * 8), at += (k)
#define GET(v, k) memcpy(v, at, sz(k) * 8), at += (k)

void lg_image_save(const lg_work *w, double *at)
{
    const lg_plan *P = w->plan;
    const lg_node *b = w->now;
    PUT(b->g, P->gn), PUT(b->pp, P->n), PUT(b->pm, P->n), PUT(b->pt, P->n), PUT(b->xi, P->n);
    PUT(b->lambda, P->m);
    *at++ = b->work, *at++ = b->iterations;
    for (int i = 0; w->memory && i < P->stages; i++) {
        const lg_memory *m = &w->memory[i];
        *at++ = m->h, *at++ = m->known, *at++ = m->order;
        PUT(m->H, P->n * P->n), PUT(m->D, LG_MEMORY * lg_open_size(P));
    }
}

int lg_image_load(lg_work *w, double t, const double *at)
{
    const lg_plan *P = w->plan;
    lg_node *b = w->now;
    w->length = 0, w->target = b;
    b->t = t;
    GET(b->g, P->gn), GET(b->pp, P->n), GET(b->pm, P->n), GET(b->pt, P->n), GET(b->xi, P->n);
    GET(b->lambda, P->m);
    b->work = *at++, b->iterations = (int)*at++;
    for (int i = 0; w->memory && i < P->stages; i++) {
        lg_memory *m = &w->memory[i];
        m->h = *at++, m->known = (int)*at++, m->order = (int)*at++;
        GET(m->H, P->n * P->n), GET(m->D, LG_MEMORY * lg_open_size(P));
    }
    return lg_work_evaluate(w, b);
}

int lg_wide_has_form(const lg_integrator *it)
{
    (void)it;
    return 0;
}
lg_status lg_wide_create(lg_wide **W, const lg_integrator *it, int width)
{
    (void)it, (void)width;
    *W = NULL;
    return LG_ERROR_UNSUPPORTED;
}
void lg_wide_destroy(lg_wide *W)
{
    (void)W;
}
size_t lg_wide_bytes(const lg_wide *W)
{
    (void)W;
    return 0;
}
void lg_wide_put(lg_wide *W, int lane, const lg_integrator *seat)
{
    (void)W, (void)lane, (void)seat;
}
void lg_wide_get(const lg_wide *W, int lane, lg_integrator *seat)
{
    (void)W, (void)lane, (void)seat;
}
void lg_wide_copy(lg_wide *W, int to, int from)
{
    (void)W, (void)to, (void)from;
}
void lg_wide_save(const lg_wide *W, int lane, double *image)
{
    (void)W, (void)lane, (void)image;
}
int lg_wide_step(lg_wide *W, double h, const double *t1)
{
    (void)W, (void)h, (void)t1;
    return 0;
}
