/* SPDX-License-Identifier: BSD-3-Clause */
#include "integrators/engine/plan.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "base/width.h"
#include "groups/blocks.h"
#include "integrators/collocation/tableau.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/rule.h"
#include "integrators/factors/factor.h"
#include "mechanics/field.h"

int lg_plan_factor_count(const lg_group *G)
{
    int count = 0;
    if (G->kind != LG_KIND_PRODUCT) return 1;
    for (int i = 0; i < lg_group_factor_count(G); i++) count += lg_plan_factor_count(lg_group_factor(G, i));
    return count;
}

/* lg_factor_plan::turn and turns: the range of rotational components. */
static void plan_find_turns(lg_factor_plan *f)
{
    for (int i = 0; i < lg_group_block_count(f->group); i++) {
        const lg_group_block b = lg_group_block_at(f->group, i);
        const int begin = f->offset + b.algebra, end = begin + b.algebra_size;
        if (!lg_block_turns(b.kind)) continue;
        const int last = f->turns > 0 && f->turn + f->turns > end ? f->turn + f->turns : end;
        if (f->turns == 0 || begin < f->turn) f->turn = begin;
        f->turns = last - f->turn;
    }
}

/* Appends the factors of G, with the retraction that acts on each. */
static lg_factor_plan *plan_flatten(lg_factor_plan *f, const lg_group *G, const lg_retraction *r, int *at,
                                    int *element_offset)
{
    if (G->kind == LG_KIND_PRODUCT) {
        int split = r->kind == LG_RETRACTION_PRODUCT;
        for (int i = 0; i < lg_group_factor_count(G); i++)
            f = plan_flatten(f, lg_group_factor(G, i), split ? r->factors[i] : r, at, element_offset);
        return f;
    }
    if (r->kind == LG_RETRACTION_PRODUCT && r->count == 1) r = r->factors[0];
    *f = (lg_factor_plan){.group = G,
                          .retraction = r,
                          .offset = *at,
                          .element_offset = *element_offset,
                          .n = G->dim,
                          .element_size = G->element_size,
                          .diagonal = 1,
                          .table = lg_factor_choose(G, r)};
    plan_find_turns(f);
    *at += G->dim;
    *element_offset += G->element_size;
    return f + 1;
}

int lg_plan_factors(lg_factor_plan *factors, const lg_group *G, const lg_retraction *r)
{
    int at = 0, element_offset = 0;
    return (int)(plan_flatten(factors, G, r, &at, &element_offset) - factors);
}

/* An entry of the constant metric, 0 off the diagonal of a diagonal one. */
static double plan_entry(const lg_system *S, int i, int j)
{
    if (S->inertia) return S->inertia[i * S->group->dim + j];
    return i == j && S->inertia_diagonal ? S->inertia_diagonal[i] : 0;
}

/* Does the constant metric couple different factors? Then the whole group has one generic flow. */
static int plan_couples(const lg_plan *plan)
{
    for (int a = 0; a < plan->factor_count; a++)
        for (int b = 0; b < plan->factor_count; b++) {
            const lg_factor_plan *fa = &plan->factors[a], *fb = &plan->factors[b];
            for (int i = 0; a != b && i < fa->n; i++)
                for (int j = 0; j < fb->n; j++)
                    if (plan_entry(plan->S, fa->offset + i, fb->offset + j) != 0) return 1;
        }
    return 0;
}

/* Is the block of factor f diagonal? */
static int plan_is_diagonal(const lg_system *S, const lg_factor_plan *f)
{
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < f->n; j++)
            if (i != j && plan_entry(S, f->offset + i, f->offset + j) != 0) return 0;
    return 1;
}

/* Is the constant metric diagonal? */
static int plan_is_all_diagonal(const lg_system *S)
{
    const int n = S->group->dim;
    for (int i = 0; S->inertia && i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j && S->inertia[i * n + j] != 0) return 0;
    return S->inertia_diagonal != NULL || S->inertia != NULL;
}

int lg_plan_suits(const lg_plan *plan, const lg_system *S)
{
    const lg_plan other = {.S = S, .factors = plan->factors, .factor_count = plan->factor_count};
    if (plan->constant_metric != (S->callbacks.metric == NULL)) return 0;
    if (!plan->constant_metric) return 1;
    for (int k = 0; k < plan->factor_count; k++)
        if (plan_is_diagonal(S, &plan->factors[k]) != plan->factors[k].diagonal) return 0;
    return plan_is_all_diagonal(S) == plan->diagonal && plan_couples(&other) == (plan->flows != plan->factors);
}

int lg_plan_holds(const lg_plan *plan, const lg_system *S)
{
    const lg_plan other = {.S = S, .factors = plan->factors, .factor_count = plan->factor_count};
    if (!plan->constant_metric) return 1;
    for (int k = 0; k < plan->factor_count; k++)
        if (plan->factors[k].diagonal && !plan_is_diagonal(S, &plan->factors[k])) return 0;
    return (!plan->diagonal || plan_is_all_diagonal(S)) && (plan->flows != plan->factors || !plan_couples(&other));
}

static int plan_is_differenced(const lg_system *S)
{
    const lg_callbacks *c = &S->callbacks;
    return (c->potential && !c->potential_gradient) || (c->metric && !c->metric_gradient) ||
           (c->holonomic_count && !c->holonomic_differential);
}

static void plan_find_structure(lg_plan *plan, lg_factor_plan *factors)
{
    const lg_system *S = plan->S;
    plan->exact_tangent = 1;
    plan->factors = plan->flows = factors;
    plan->factor_count = lg_plan_factors(factors, S->group, plan->retraction);
    plan->flow_count = plan->factor_count;
    plan->diagonal = plan_is_all_diagonal(S);
    plan->projector_diagonal = plan->diagonal && !S->projector_metric;
    plan->differenced = plan_is_differenced(S);
    for (int k = 0; k < plan->factor_count; k++) {
        lg_factor_plan *f = &factors[k];
        f->diagonal = plan_is_diagonal(S, f);
        if (!f->group->abelian && !(f->retraction->flags & LG_RETRACTION_EXACT)) plan->exact_tangent = 0;
    }
    if (!plan->constant_metric || !plan_couples(plan)) return;
    lg_factor_plan *all = &factors[plan->factor_count];
    *all = (lg_factor_plan){.group = S->group, .retraction = plan->retraction, .n = plan->n};
    all->element_size = plan->element_size;
    all->table = lg_factor_choose(S->group, plan->retraction);
    plan->flows = all;
    plan->flow_count = 1;
}

static int plan_is_symmetric(const lg_method *M)
{
    double s = 0, r = 0;
    for (int i = 0; i < M->points; i++) s += M->point[i].weight * (M->point[i].s - 0.5);
    for (int i = 0; i < M->rows; i++) r += M->row[i].weight * (M->row[i].s - 0.5);
    return !M->rule->why_not_symmetric && !M->step->why_not_symmetric && fabs(s) < 1e-15 && fabs(r) < 1e-15;
}

/* Weights at the ends, if there are no inner points; points are the ends if they have no effect. */
static void plan_set_end_weights(lg_plan *plan)
{
    lg_method *M = &plan->method;
    int inside = 0, own = !(M->step->needs & LG_NEEDS_SLOPES); /* a user-supplied L_d has no points */
    for (int i = 0; i < M->points; i++) inside |= M->point[i].s > 0 && M->point[i].s < 1;
    if (inside && !plan->potential && !plan->force && plan->constant_metric) {
        M->point[0] = (lg_point){0, 0.5}, M->point[1] = (lg_point){1, 0.5};
        M->points = 2;
        inside = 0;
    }
    for (int i = 0; i < M->points; i++) {
        plan->w0 += M->point[i].weight * (1 - M->point[i].s);
        plan->w1 += M->point[i].weight * M->point[i].s;
        plan->geodesics |= own && M->point[i].s > 0 && M->point[i].s < 1;
    }
    for (int i = 0; i < M->rows && plan->nonholonomic; i++)
        plan->geodesics |= own && M->row[i].s > 0 && M->row[i].s < 1;
    plan->fused = (M->step->needs & LG_IS_DIRECT) != 0;
    if (!plan->fused)
        plan->fused = plan->constant_metric && !inside && !plan->force && !plan->holonomic &&
                      (!M->implicit || M->rule->middle_kick) && !((M->rule->needs | M->step->needs) & LG_NEEDS_SOLVER);
    if (M->step->needs & LG_NEEDS_GEODESICS) {
        const lg_callbacks *c = &plan->S->callbacks;
        plan->mean_rows = c->holonomic_mean != NULL, plan->mean_force = c->force_mean != NULL;
        plan->mean_gradient = c->potential_mean != NULL && !M->gonzalez;
        plan->geodesics =
            !M->gonzalez && ((plan->potential && !plan->mean_gradient) || (plan->force && !plan->mean_force) ||
                             (plan->holonomic && !plan->mean_rows) || !plan->constant_metric);
    }
    const int timed = plan->S->callbacks.time_dependent && (plan->potential || !plan->constant_metric);
    plan->accounts_work = M->rule->accounts_work && M->step->accounts_work && !M->gonzalez;
    plan->keeps_energy = plan->compensated && plan->accounts_work && !timed;
    const int pair =
        plan->nonholonomic > 0 && M->rule->needs & LG_HAS_NORMAL_PART ? 2 : 1; /* a normal part alternates */
    plan->stages = M->composition ? M->composition->stages * pair : 1;
}

double lg_plan_stage(const lg_plan *plan, int i)
{
    const lg_composition *c = plan->method.composition;
    if (!c) return 1;
    int pair = plan->stages / c->stages, k = i / pair, mirror = c->stages - 1 - k;
    return c->c[k < mirror ? k : mirror] / pair;
}

/* ---- what does not fit ---- */

static lg_status plan_check_constraints(const lg_plan *plan, lg_error *e)
{
    const lg_system *S = plan->S;
    const lg_method *M = &plan->method;
    unsigned both = M->rule->gives & M->step->gives;
    if (S->constraint_count && !(M->rule->gives & LG_CAN_CONSTRAIN))
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "method '%s' takes no velocity constraints but the system has %d; use sem "
                       "or gni",
                       M->name, S->constraint_count);
    int shared = (M->rule->needs & LG_NEEDS_FRAME) != 0;
    if (S->callbacks.holonomic_count && (!(both & LG_CAN_POSITION) || (shared && !(M->step->gives & LG_CAN_PROJECT))))
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "method '%s' takes no holonomic constraints but the system has %d; use sem, gni, dla or rattle",
                       M->name, S->callbacks.holonomic_count);
    if (S->callbacks.holonomic_count && S->projector_metric)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "a projector_metric of its own does not go with holonomic constraints; leave it NULL");
    if (S->projector_metric && !(M->rule->needs & LG_HAS_NORMAL_PART))
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "method '%s' knows no projector_metric; use gni or leave it NULL",
                       M->name);
    if ((M->rule->needs & LG_IS_DISCRETE) && (M->step->needs & LG_NEEDS_SLOPES) && S->constraint_count &&
        !S->callbacks.discrete_constraint)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "method '%s' needs the system's own discrete constraint; set discrete_constraint", M->name);
    return LG_OK;
}

static lg_status plan_check_step(const lg_plan *plan, lg_error *e)
{
    const lg_system *S = plan->S;
    const lg_method *M = &plan->method;
    unsigned needs = M->step->needs | M->rule->needs;
    if ((needs & LG_NEEDS_SLOPES) && !S->callbacks.discrete_slope_1)
        return lg_fail(
            e, LG_ERROR_UNSUPPORTED,
            "method '%s' needs the system's own discrete Lagrangian; set discrete_slope_1 and discrete_slope_2",
            M->name);
    if ((needs & LG_REFUSES_FORCE) && S->callbacks.force)
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "method '%s' takes no force; use sem, gni or dla", M->name);
    if (M->form == LG_FORM_RATE && S->callbacks.metric)
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "method '%s': the rate form needs a constant metric; use gauss:stage",
                       M->name);
    if (((needs & LG_NEEDS_CONSTANT_METRIC) || M->gonzalez) && S->callbacks.metric)
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "method '%s' needs a constant metric; use sem or gni", M->name);
    if (M->gonzalez && (S->callbacks.holonomic_count || S->callbacks.force))
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "method '%s' takes neither holonomic constraints nor forces; use sem",
                       M->name);
    if (!lg_retraction_supports(plan->retraction, S->group))
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "retraction '%s' does not work on %s", plan->retraction->name,
                       S->group->name);
    return LG_OK;
}

/* Conservation of energy needs <Ad*_W p - p, xi> = 0, that is Ad_W xi = xi. */
static lg_status plan_check_commuting(const lg_plan *plan, lg_error *e)
{
    for (int k = 0; (plan->method.step->needs & LG_NEEDS_GEODESICS) && k < plan->factor_count; k++) {
        const lg_factor_plan *f = &plan->factors[k];
        if (!f->group->abelian && !(f->retraction->flags & LG_RETRACTION_COMMUTING))
            return lg_fail(e, LG_ERROR_UNSUPPORTED,
                           "method '%s' needs a retraction whose tau(x) commutes with x; '%s' on %s does not; use exp "
                           "or cayley",
                           plan->method.name, f->retraction->name, f->group->name);
    }
    return LG_OK;
}

static lg_status plan_check_geodesics(const lg_plan *plan, lg_error *e)
{
    const lg_group *G = plan->S->group;
    const lg_method *M = &plan->method;
    if (!plan->geodesics) return LG_OK;
    if (!G->exp || !G->exp->tau || !G->exp->tau_inv)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "method '%s' needs points along geodesics but %s has no exponential and logarithm", M->name,
                       G->name);
    for (int k = 0; (M->step->needs & LG_NEEDS_GEODESICS) && k < plan->factor_count; k++)
        if (!(plan->factors[k].table->facts & LG_FACTOR_GEODESIC))
            return lg_fail(e, LG_ERROR_UNSUPPORTED,
                           "method '%s' with a potential, a metric, forces or positions that depend on %s needs log "
                           "tau(x) parallel to x, which '%s' does not give there; use exp",
                           M->name, plan->factors[k].group->name, plan->factors[k].retraction->name);
    return LG_OK;
}

/* The reason why a method is not symmetric, or NULL. */
static const char *plan_why_not_symmetric(const lg_method *M)
{
    if (M->step->why_not_symmetric) return M->step->why_not_symmetric;
    if (M->rule->why_not_symmetric) return M->rule->why_not_symmetric;
    return "its points lie more to one end of the step";
}

static lg_status plan_check_composition(const lg_plan *plan, lg_error *e)
{
    const lg_method *M = &plan->method;
    if (!M->composition) return LG_OK;
    if (!plan->symmetric)
        return lg_fail(
            e, LG_ERROR_UNSUPPORTED,
            "'@%s' composes symmetric methods and '%.*s' is not one: %s; use sem, nsv, sml, rattle, or gni, dla, "
            "variational with symmetric points",
            M->composition->name, (int)strcspn(M->name, "@"), M->name, plan_why_not_symmetric(M));
    for (int k = 0; k < plan->factor_count; k++) {
        const lg_factor_plan *f = &plan->factors[k];
        if (!f->group->abelian && !(f->retraction->flags & LG_RETRACTION_SYMMETRIC))
            return lg_fail(e, LG_ERROR_UNSUPPORTED,
                           "'@%s' composes symmetric methods; with the retraction '%s' '%.*s' is not one, since "
                           "tau(x) tau(-x) is not the identity; use exp or cayley",
                           M->composition->name, f->retraction->name, (int)strcspn(M->name, "@"), M->name);
    }
    return LG_OK;
}

/* Does the step compute increments of the state? Explicit and energy-momentum steps do. */
static lg_status plan_check_compensated(const lg_plan *plan, lg_error *e)
{
    const lg_method *M = &plan->method;
    if (!plan->compensated) return LG_OK;
    if (!plan->fused && M->step->acts != LG_ACTS_ALONG_ARC)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "method '%s': a step that is solved as a whole (inner points, forces, metrics J(g), holonomic "
                       "constraints) has no compensated form; use sem:compensated or drop compensated",
                       M->name);
    if (plan->holonomic)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "method '%s': positions that are projected onto holonomic constraints have no compensated form; "
                       "drop compensated",
                       M->name);
    for (int k = 0; k < plan->factor_count; k++)
        if (!plan->factors[k].table->increments)
            return lg_fail(e, LG_ERROR_UNSUPPORTED,
                           "method '%s': '%s' on %s has no compensated form; use exp or cayley on products of R^n, "
                           "T^n, SO(2), SO(3), SE(2), SE(3)",
                           M->name, plan->factors[k].retraction->name, plan->factors[k].group->name);
    return LG_OK;
}

/* ---- collocation ---- */

/* The rate form is faster (docs/performance.md) if the rows are constant, or if callbacks see all lanes and there are
 * at most two rows or lg_together; with callbacks that see one lane, only for one row with lg_together.
 */
static int plan_prefers_rates(const lg_plan *plan)
{
    const lg_callbacks *c = &plan->S->callbacks;
    const int lanes = (c->lanes & LG_LANES_DERIVATIVES) && (!c->time_dependent || (c->lanes & LG_LANES_OWN_TIMES));
    const int known = c->covectors_derivative && (!c->time_dependent || c->covectors_rate);
    if (plan->method.form != LG_FORM_CHOSEN) return plan->method.form == LG_FORM_RATE;
    if (!plan->constant_metric || plan->holonomic) return 0;
    const int together = lg_callbacks_together(c) && !c->time_dependent;
    return !plan->drift || (known && lanes && (plan->m <= 2 || together)) || (together && plan->m == 1);
}

static int plan_factors_have_rates(const lg_plan *plan)
{
    for (int k = 0; k < plan->factor_count; k++) {
        const lg_factor_plan *f = &plan->factors[k];
        if (!f->table->rate || (!f->table->coad && !f->group->abelian)) return 0;
    }
    return 1;
}

int lg_plan_expands_stages(const lg_plan *plan)
{
    int flat = plan->method.implicit && plan->S->callbacks.potential_hessian;
    for (int k = 0; k < plan->factor_count; k++) flat &= plan->factors[k].element_size == plan->factors[k].n;
    return flat;
}

/* Puts as many stages into a vector as there are, or as the machine and the factors allow. */
static void plan_arrange_stages(lg_plan *plan)
{
    const int alone = !plan_factors_have_rates(plan) || lg_plan_expands_stages(plan);
    const int most = alone ? 1 : lg_width_choose(0), count = plan->method.collocation_stages;
    plan->stage_width = count ? lg_tableau_width(count, most) : 0;
    plan->rate_form = count && plan_prefers_rates(plan);
}

lg_status lg_plan_make(lg_plan *plan, lg_factor_plan *factors, const lg_system *S, const lg_method *method,
                       const lg_retraction *retraction, lg_error *e)
{
    *plan = (lg_plan){.S = S, .retraction = retraction, .method = *method};
    plan->n = S->group->dim;
    plan->element_size = S->group->element_size;
    plan->holonomic = S->callbacks.holonomic_count, plan->nonholonomic = S->constraint_count;
    plan->m = plan->holonomic + plan->nonholonomic;
    plan->constant_metric = S->callbacks.metric == NULL;
    plan->constant_rows = S->callbacks.covectors == NULL && !plan->holonomic;
    plan->drift = plan->nonholonomic && (S->callbacks.covectors != NULL || S->callbacks.drift != NULL);
    plan->affine = plan->drift || (plan->holonomic && (S->callbacks.holonomic_rate || S->callbacks.time_dependent));
    plan->sides = plan->affine &&
                  (plan->holonomic || (method->rule->needs & (LG_NEEDS_FRAME | LG_NEEDS_MIDDLE | LG_NEEDS_SIDES)));
    plan->potential = S->callbacks.potential != NULL;
    plan->force = S->callbacks.force != NULL;
    plan->symmetric = plan_is_symmetric(method);
    plan->compensated = method->compensated && !method->implicit;
    plan_set_end_weights(plan);
    lg_status st = plan_check_constraints(plan, e);
    if (st == LG_OK) st = plan_check_step(plan, e);
    if (st != LG_OK) return st;
    plan_find_structure(plan, factors);
    plan_arrange_stages(plan);
    st = plan_check_commuting(plan, e);
    if (st == LG_OK) st = plan_check_geodesics(plan, e);
    if (st == LG_OK) st = plan_check_compensated(plan, e);
    return st == LG_OK ? plan_check_composition(plan, e) : st;
}
