/* SPDX-License-Identifier: BSD-3-Clause */
/* The baselines as methods: the state is (g, J xi), and the constraints are not enforced. */
#include "integrators/steps/baselines.h"

#include <string.h>

#include "base/dense.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/rule.h"
#include "integrators/rules/state.h"

typedef lg_status (*accelerations_method)(lg_field *f, lg_baseline *o, double t, double h, const double *g0,
                                          const double *xi0, double *g1, double *xi1, int *code);

static lg_baseline accelerations_carve(lg_arena *a, const lg_field *f)
{
    lg_baseline o;
    lg_baseline_carve(&o, f, a);
    return o;
}

size_t lg_accelerations_bytes(const lg_field *f)
{
    lg_arena a = {NULL, 0};
    (void)accelerations_carve(&a, f);
    return a.used;
}

/* Fails with the stage at b, for the message. */
static int accelerations_fail(lg_workspace *w, const lg_baseline *o, lg_node *b, lg_status st, int code)
{
    const lg_plan *P = w->plan;
    const int row = o->acceleration.bad;
    memcpy(b->g, o->g, sz(P->element_size) * sizeof *b->g);
    memcpy(b->xi, o->xi, sz(P->n) * sizeof *b->xi);
    if (st == LG_ERROR_CALLBACK) return lg_workspace_fail_callback(w, code);
    if (st == LG_ERROR_SINGULAR && row > P->holonomic)
        return lg_workspace_fail(w, st, "covectors at a stage of the step", row - P->holonomic, 0, 0);
    if (st == LG_ERROR_SINGULAR && row)
        return lg_workspace_fail(w, st, "holonomic_differential at a stage of the step", row, 0, 0);
    return lg_workspace_fail_status(w, st, "the continuous equations");
}

static int accelerations_step(lg_workspace *w, double h, const lg_node *a, const real *p0, lg_node *b,
                              accelerations_method method)
{
    const lg_plan *P = w->plan;
    lg_arena arena = {(char *)w->dense, 0};
    lg_baseline o = accelerations_carve(&arena, w->field);
    o.factors = P->factors, o.factor_count = P->factor_count;
    real *v0 = w->vector, *v1 = b->xi;
    int code = 0;
    lg_raise(P, v0, a, p0);
    lg_status st = method(w->field, &o, a->t, h, a->g, v0, b->g, v1, &code);
    b->iterations = 1;
    if (st != LG_OK) return accelerations_fail(w, &o, b, st, code);
    if (lg_node_evaluate_rows(w, b)) return 1;
    lg_lower(P, b->p_plus, b, v1);
    for (int i = 0; i < P->n; i++) b->xi[i] = 0.5 * (v0[i] + v1[i]);
    return 0;
}

static int accelerations_rk4(lg_workspace *w, double h, const lg_node *a, const real *p_minus, lg_node *b)
{
    return accelerations_step(w, h, a, p_minus, b, lg_rk4_step);
}

static int accelerations_rkmk4(lg_workspace *w, double h, const lg_node *a, const real *p_minus, lg_node *b)
{
    return accelerations_step(w, h, a, p_minus, b, lg_rkmk4_step);
}

static int accelerations_arrive(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    (void)lg_arrive_state(w, h, a, b);
    lg_raise(w->plan, w->vector, b, b->p_tilde);
    return lg_continuous_multipliers(w, b, w->vector, NULL);
}

const lg_rule lg_rule_accelerations = {.name = "accelerations",
                                       .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION,
                                       .wide = LG_WIDE_TANGENT,
                                       .state = LG_STATE_P_TILDE,
                                       .depart = lg_depart_state,
                                       .multipliers = lg_multipliers_discrete,
                                       .arrive = accelerations_arrive,
                                       .begin = lg_begin_state};

#define ACCELERATIONS_STEP(method, leaves)                                                                             \
    {                                                                                                                  \
        .name = #method, .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION, .needs = LG_IS_DIRECT | (leaves),                \
        .wide = LG_WIDE_TANGENT, .why_not_symmetric = "a Runge-Kutta method has another one for adjoint",              \
        .advance = accelerations_##method                                                                              \
    }
const lg_free_step lg_free_step_rk4 = ACCELERATIONS_STEP(rk4, LG_LEAVES_GROUP);
const lg_free_step lg_free_step_rkmk4 = ACCELERATIONS_STEP(rkmk4, 0);
