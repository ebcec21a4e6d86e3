/* SPDX-License-Identifier: BSD-3-Clause */
#include "integrators/plan.h"

#include <math.h>

#include "base/message.h"
#include "integrators/engine.h"

int lg_plan_factor_count(const lg_group *G)
{
    int count = 0;
    if (G->kind != LG_KIND_PRODUCT) return 1;
    for (int i = 0; i < lg_factor_count(G); i++) count += lg_plan_factor_count(lg_factor(G, i));
    return count;
}

/* Appends the factors of G, with the retraction that acts on each. */
static void flatten(lg_plan *plan, const lg_group *G, const lg_retraction *r, int *at, int *gat)
{
    if (G->kind == LG_KIND_PRODUCT) {
        int split = r->kind == LG_RETRACTION_PRODUCT;
        for (int i = 0; i < lg_factor_count(G); i++) flatten(plan, lg_factor(G, i), split ? r->factors[i] : r, at, gat);
        return;
    }
    if (r->kind == LG_RETRACTION_PRODUCT && r->count == 1) r = r->factors[0];
    lg_factor_plan *f = &plan->factors[plan->factor_count++];
    *f = (lg_factor_plan){G, r, *at, *gat, G->dim, G->element_size, 1, 0};
    *at += G->dim;
    *gat += G->element_size;
}

/* The entry of the constant metric, 0 where it is diagonal. */
static double entry(const lg_system *S, int i, int j)
{
    if (S->inertia) return S->inertia[i * S->group->dim + j];
    return i == j && S->inertia_diagonal ? S->inertia_diagonal[i] : 0;
}

/* Does the constant metric couple different factors? Then the whole group is one generic factor. */
static int couples(const lg_plan *plan)
{
    for (int a = 0; a < plan->factor_count; a++)
        for (int b = 0; b < plan->factor_count; b++) {
            const lg_factor_plan *fa = &plan->factors[a], *fb = &plan->factors[b];
            for (int i = 0; a != b && i < fa->n; i++)
                for (int j = 0; j < fb->n; j++)
                    if (entry(plan->S, fa->at + i, fb->at + j) != 0) return 1;
        }
    return 0;
}

static int has_fused_flow(const lg_factor_plan *f)
{
    switch (f->group->kind) {
    case LG_KIND_RN:
    case LG_KIND_TORUS:
        return f->retraction->kind != LG_RETRACTION_USER;
    case LG_KIND_SO3:
    case LG_KIND_SE2:
    case LG_KIND_SE3:
        return f->retraction->kind == LG_RETRACTION_EXP || f->retraction->kind == LG_RETRACTION_CAYLEY;
    case LG_KIND_USER:
    case LG_KIND_QUADRATIC:
    case LG_KIND_PRODUCT:
        return 0;
    }
    return 0;
}

static void find_structure(lg_plan *plan)
{
    const lg_system *S = plan->S;
    int at = 0, gat = 0;
    plan->factor_count = 0;
    flatten(plan, S->group, plan->retraction, &at, &gat);
    plan->diagonal = S->inertia_diagonal != NULL || (S->inertia != NULL);
    for (int i = 0; S->inertia && i < plan->n; i++)
        for (int j = 0; j < plan->n; j++)
            if (i != j && S->inertia[i * plan->n + j] != 0) plan->diagonal = 0;
    plan->projector_diagonal = plan->diagonal && !S->projector_metric;
    if (plan->constant_metric && couples(plan)) {
        plan->factors[0] = (lg_factor_plan){S->group, plan->retraction, 0, 0, plan->n, plan->gn, 0, 1};
        plan->factor_count = 1;
    }
    for (int k = 0; k < plan->factor_count; k++) {
        lg_factor_plan *f = &plan->factors[k];
        for (int i = 0; i < f->n; i++)
            for (int j = 0; j < f->n; j++)
                if (i != j && entry(S, f->at + i, f->at + j) != 0) f->diagonal = 0;
        if (!has_fused_flow(f)) f->generic = 1;
    }
}

static void weigh(lg_plan *plan)
{
    switch (plan->method->weights) {
    case LG_TRAPEZOIDAL:
        plan->w0 = plan->w1 = 0.5;
        break;
    case LG_EULER_A:
        plan->w0 = 1;
        break;
    case LG_EULER_B:
        plan->w1 = 1;
        break;
    case LG_MIDPOINT:
        plan->wm = 1;
        break;
    case LG_OWN:
        break;
    }
    if (plan->wm > 0 && !plan->potential && plan->constant_metric) { /* the midpoint does not matter then */
        plan->w0 = plan->w1 = 0.5;
        plan->wm = 0;
    }
}

static lg_status check_fit(const lg_plan *plan, lg_error *e)
{
    const lg_system *S = plan->S;
    const lg_method *M = plan->method;
    if (S->constraints && !(M->rule->gives & LG_CAN_CONSTRAIN))
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "method '%s' takes no constraints but the system has %d; use gni",
                       M->name, S->constraints);
    if ((M->inner->needs & LG_NEEDS_SLOPES) && !S->discrete_slope_1)
        return lg_fail(
            e, LG_ERROR_UNSUPPORTED,
            "method '%s' needs the system's own discrete Lagrangian; set discrete_slope_1 and discrete_slope_2",
            M->name);
    if (!lg_retraction_supports(plan->retraction, S->group))
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "retraction '%s' does not work on %s", plan->retraction->name,
                       S->group->name);
    if (plan->wm > 0 && (!S->group->exp || !S->group->exp->tau || !S->group->exp->tau_inv))
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "method '%s' needs the geodesic midpoint but %s has no exponential and logarithm", M->name,
                       S->group->name);
    return LG_OK;
}

lg_status lg_plan_make(lg_plan *plan, lg_factor_plan *factors, const lg_system *S, const lg_method *method,
                       const lg_retraction *retraction, lg_error *e)
{
    *plan = (lg_plan){.S = S, .retraction = retraction, .method = method, .factors = factors};
    plan->n = S->group->dim;
    plan->gn = S->group->element_size;
    plan->m = S->constraints;
    plan->constant_metric = S->metric == NULL;
    plan->constant_rows = S->covectors == NULL;
    plan->drift = S->covectors != NULL || S->drift != NULL;
    plan->potential = S->potential != NULL;
    weigh(plan);
    lg_status st = check_fit(plan, e);
    if (st != LG_OK) return st;
    find_structure(plan);
    plan->fused = plan->constant_metric && plan->wm == 0 && method->weights != LG_OWN;
    return LG_OK;
}
