/* SPDX-License-Identifier: BSD-3-Clause */
/* The user's second derivative of the potential in residuals that are differenced: near each point g_i at which dV is
 * asked, dV(g) = dV(g_i) + D dV(g_i) eta, g = g_i exp(eta), whose first derivative is exact. */
#include <string.h>

#include "integrators/linearisation/linearisation.h"
#include "retractions/retraction.h"

/* Gradients that a residual evaluates at most: 8 Gauss nodes and both ends, or the stages of collocation. */
enum { MOST = LG_STAGES_MOST };
_Static_assert(LG_STAGES_MOST >= LG_QUADRATURE_MOST + 2, "all of them");

void lg_expansions_carve(lg_expansions *o, lg_arena *a, const lg_system *S, const lg_plan *P)
{
    size_t n = sz(P->n), element_size = sz(P->element_size);
    /* the accelerations of baselines are evaluated off the group, where there is no eta; of collocation see slopes.c */
    const int direct = (P->method.step->needs & LG_IS_DIRECT) && !P->method.collocation_stages;
    o->capacity = S->callbacks.potential_hessian && !direct ? MOST : 0;
    if (!o->capacity) return;
    o->inverse = lg_take_doubles(a, MOST * element_size);
    o->dV = lg_take_doubles(a, MOST * n);
    o->H = lg_take_doubles(a, MOST * n * n);
    o->relative = lg_take_doubles(a, element_size);
    o->eta = lg_take_doubles(a, n);
}

static int expansion_evaluate(lg_linearisation *lin, double t, const double *g, double *dV)
{
    const lg_system *S = &lin->implicit_copy->S;
    const lg_call c = lg_field_call(&lin->implicit_copy->field, &t);
    memset(dV, 0, sz(lin->implicit_copy->plan.n) * sizeof *dV);
    lin->implicit_copy->field.failed = "potential_gradient";
    return S->callbacks.potential_gradient(&c, g, dV);
}

/* dV at g, which is known, and its derivatives along the basis become expansion number i. */
static int expansion_record(lg_linearisation *lin, int i, double t, const double *g, const double *dV)
{
    lg_expansions *o = &lin->expansions;
    const lg_system *S = &lin->implicit_copy->S;
    const int n = lin->implicit_copy->plan.n;
    const lg_call c = lg_field_call(&lin->implicit_copy->field, &t);
    if (i >= o->capacity) return 0;
    memcpy(o->dV + i * n, dV, sz(n) * sizeof *dV);
    int code =
        (int)S->group->inverse(S->group, o->inverse + i * lin->implicit_copy->plan.element_size, g, lin->scratch);
    lin->implicit_copy->field.failed = "potential_hessian";
    memset(o->H + i * n * n, 0, sz(n * n) * sizeof *o->H);
    for (int j = 0; !code && j < n; j++) {
        memset(o->eta, 0, sz(n) * sizeof *o->eta);
        o->eta[j] = 1;
        code = S->callbacks.potential_hessian(&c, g, o->eta, o->H + (i * n + j) * n);
    }
    o->count = i + 1;
    return code;
}

/* Expansion number i at g. */
static lg_status expansion_expand(lg_linearisation *lin, int i, const double *g, double *dV)
{
    lg_expansions *o = &lin->expansions;
    const lg_group *G = lin->implicit_copy->S.group;
    const int n = lin->implicit_copy->plan.n, element_size = lin->implicit_copy->plan.element_size;
    lg_status st = G->compose(G, o->relative, o->inverse + i * element_size, g, lin->scratch);
    if (st == LG_OK) st = lg_retraction_tau_inv_with(lin->near, G, o->eta, o->relative, lin->scratch);
    if (st != LG_OK) return st;
    memcpy(dV, o->dV + i * n, sz(n) * sizeof *dV);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) dV[k] += o->H[(i * n + j) * n + k] * o->eta[j];
    return LG_OK;
}

/* The gradient callback that the field calls instead of the system's. */
static int expansion_gradient(void *context, double t, const double *g, double *dV)
{
    lg_linearisation *lin = context;
    lg_expansions *o = &lin->expansions;
    const int i = o->next++;
    if (o->recording || i >= o->count) {
        int code = expansion_evaluate(lin, t, g, dV);
        return code || !o->recording ? code : expansion_record(lin, i, t, g, dV);
    }
    lin->implicit_copy->field.failed = "the coordinates near a point of the step";
    return (int)expansion_expand(lin, i, g, dV);
}

void lg_expansions_record(lg_linearisation *lin)
{
    lin->expansions.count = 0;
    lg_expansions_use(lin, 1);
    lin->expansions.recording = 1;
}

void lg_expansions_use(lg_linearisation *lin, int on)
{
    lin->expansions.recording = 0;
    lin->implicit_copy->field.gradient = on && lin->expansions.capacity ? expansion_gradient : NULL;
    lin->implicit_copy->field.gradient_context = lin;
}
