/* SPDX-License-Identifier: BSD-3-Clause */
#include <liegrp/mechanics/system.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "base/sized.h"
#include "groups/product.h"
#include "mechanics/standalone.h"
#include "mechanics/gram.h"

static const lg_sized kind = LG_SIZED_AS(lg_system, parameter_values, "start from lg_system_default()");

void lg_system_init(lg_system *S, size_t size, const lg_group *G)
{
    lg_system own;
    memset(&own, 0, sizeof own);
    own.group = G;
    lg_sized_give(&kind, S, size, &own);
}

lg_status lg_system_take(lg_system *own, const lg_system *S, lg_error *e)
{
    memset(own, 0, sizeof *own);
    if (!S) return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system_validate: the system is NULL");
    return lg_sized_take(&kind, own, S, e);
}

/* Indices of matrices are ints. */
static lg_status check_size(const lg_group *G, lg_error *e)
{
    if (G->dim > LG_DIM_MOST)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system: a group of dimension %d; expected at most %d", G->dim,
                       LG_DIM_MOST);
    if (G->element_size > LG_ELEMENT_MOST)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system: elements of %d numbers; expected at most %d", G->element_size,
                       LG_ELEMENT_MOST);
    return LG_OK;
}

/* `lanes` is LG_LANES_ONE, LG_LANES_EQUAL_TIME or LG_LANES_OWN_TIMES; LG_LANES_DERIVATIVES may join the last two. */
static lg_status check_lanes(const lg_system *S, lg_error *e)
{
    const int lanes = S->callbacks.lanes, step = lanes & ~(LG_LANES_DERIVATIVES | LG_LANES_TANGENTS);
    if (step == LG_LANES_EQUAL_TIME || step == LG_LANES_OWN_TIMES || lanes == LG_LANES_ONE) return LG_OK;
    if (lanes == LG_LANES_DERIVATIVES)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: lanes is LG_LANES_DERIVATIVES alone; add it to LG_LANES_EQUAL_TIME or "
                       "LG_LANES_OWN_TIMES, which say that the callbacks of a step understand lanes");
    return lg_fail(e, LG_ERROR_ARGUMENT,
                   "lg_system: lanes is %d; expected LG_LANES_ONE, LG_LANES_EQUAL_TIME or LG_LANES_OWN_TIMES, and "
                   "LG_LANES_DERIVATIVES added to one of the last two; it is not a number of lanes",
                   lanes);
}

static lg_status check_fields(const lg_system *S, lg_error *e)
{
    int metrics = (S->inertia_diagonal != NULL) + (S->inertia != NULL) + (S->callbacks.metric != NULL);
    if (metrics != 1)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: %d metrics given; set exactly one of inertia_diagonal, inertia, metric", metrics);
    if (S->callbacks.metric_gradient && !S->callbacks.metric)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system: metric_gradient without metric");
    if (S->callbacks.potential_gradient && !S->callbacks.potential)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: potential_gradient without potential; the energy would be unknown");
    if (S->callbacks.potential_hessian && !S->callbacks.potential_gradient)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: potential_hessian without potential_gradient, whose derivative it is; set both");
    if (S->callbacks.force_derivative && !S->callbacks.force)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: force_derivative without force, whose derivative it is; set both");
    if (S->callbacks.covectors_rate && !S->callbacks.covectors && !S->callbacks.drift)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: covectors_rate without covectors or drift; constant rows have no rate");
    if (S->callbacks.control_count < 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system: %d controls; expected 0 or more", S->callbacks.control_count);
    const int prescribed = S->constraint_count == S->group->dim && (S->callbacks.covectors || S->callbacks.drift);
    if (S->callbacks.control_count && !S->callbacks.force && !prescribed)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: %d controls without force; set force, or let the drift of %d constraints, which "
                       "prescribes the velocity, depend on them",
                       S->callbacks.control_count, S->group->dim);
    if (!S->callbacks.discrete_slope_1 != !S->callbacks.discrete_slope_2)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: a discrete Lagrangian of your own needs both discrete_slope_1 and discrete_slope_2");
    if (S->parameter_count < 0 || (S->parameter_count && !S->parameters && !S->parameter_values))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: parameter_count is %d but there are neither parameters nor parameter_values",
                       S->parameter_count);
    return LG_OK;
}

static lg_status check_velocity_rows(const lg_system *S, lg_error *e)
{
    int n = S->group->dim;
    if (S->constraint_count < 0 || S->constraint_count > n)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system: %d constraints on a group of dimension %d; expected 0 to %d",
                       S->constraint_count, n, n);
    if (S->constraint_count && !S->callbacks.covectors == !S->covector_matrix)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: %d constraints need either covector_matrix or covectors, not %s",
                       S->constraint_count, S->callbacks.covectors ? "both" : "neither");
    if (!S->constraint_count && (S->callbacks.covectors || S->covector_matrix || S->callbacks.drift))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: covectors are given but constraints is 0; set the number of rows");
    if (S->callbacks.drift && S->callbacks.covectors)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system: both drift and covectors; covectors already return Y");
    if (S->callbacks.discrete_constraint && !S->constraint_count)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: discrete_constraint is given but constraints is 0; it has one number a row");
    return LG_OK;
}

static lg_status check_positions(const lg_system *S, lg_error *e)
{
    int n = S->group->dim;
    if (S->callbacks.holonomic_count < 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system: %d holonomic constraints; expected 0 or more",
                       S->callbacks.holonomic_count);
    const char *derivative = S->callbacks.holonomic_differential   ? "holonomic_differential"
                             : S->callbacks.holonomic_rate         ? "holonomic_rate"
                             : S->callbacks.holonomic_acceleration ? "holonomic_acceleration"
                                                                   : NULL;
    if (!S->callbacks.holonomic && derivative)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: %s without holonomic; the constraint could not be kept, set holonomic", derivative);
    if (S->callbacks.holonomic_count && !S->callbacks.holonomic)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system: %d holonomic constraints but holonomic is NULL",
                       S->callbacks.holonomic_count);
    if (!S->callbacks.holonomic_count && S->callbacks.holonomic)
        return lg_fail(
            e, LG_ERROR_ARGUMENT,
            "lg_system: holonomic is given but holonomic_count is 0; set the number of holonomic constraints");
    if (S->callbacks.holonomic_count > n - S->constraint_count)
        return lg_fail(
            e, LG_ERROR_ARGUMENT,
            "lg_system: %d holonomic constraints and %d constraints on a group of dimension %d; together at most %d",
            S->callbacks.holonomic_count, S->constraint_count, n, n);
    return LG_OK;
}

/* Is G a product of abelian groups and SO(3)? */
static int has_means(const lg_group *G)
{
    const int turns = lg_group_block_count(G) == 1 && lg_group_block_at(G, 0).kind == LG_BLOCK_QUATERNION;
    int well = G->abelian || turns || G->kind == LG_KIND_PRODUCT;
    for (int i = 0; G->kind == LG_KIND_PRODUCT && i < lg_group_factor_count(G); i++)
        well = well && has_means(lg_group_factor(G, i));
    return well;
}

static lg_status check_means(const lg_system *S, lg_error *e)
{
    const lg_callbacks *c = &S->callbacks;
    const char *name = c->holonomic_mean ? "holonomic_mean" : c->potential_mean ? "potential_mean" : "force_mean";
    if (!c->holonomic_mean && !c->potential_mean && !c->force_mean) return LG_OK;
    if (c->holonomic_mean && !c->holonomic)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system: holonomic_mean without holonomic, whose mean it is; set both");
    if (c->potential_mean && !c->potential)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system: potential_mean without potential, whose mean it is; set both");
    if (c->force_mean && !c->force)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_system: force_mean without force, whose mean it is; set both");
    if (c->time_dependent || c->holonomic_rate)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: %s with %s; what changes in time has no such mean, leave it NULL", name,
                       c->time_dependent ? "time_dependent" : "holonomic_rate");
    if (!has_means(S->group))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_system: %s on %s; it needs a product of abelian groups and SO(3), leave it NULL", name,
                       S->group->name);
    return LG_OK;
}

static lg_status check_constants(const lg_system *S, double *scratch, lg_error *e)
{
    int n = S->group->dim, m = S->constraint_count;
    lg_status st = LG_OK;
    for (int i = 0; S->inertia_diagonal && i < n; i++) {
        double d = S->inertia_diagonal[i];
        if (!isfinite(d)) return lg_fail(e, LG_ERROR_NOT_FINITE, "inertia_diagonal: entry %d is %g", i + 1, d);
        if (d <= 0)
            return lg_fail(e, LG_ERROR_SINGULAR, "inertia_diagonal: entry %d is %.17g; it must be positive", i + 1, d);
    }
    if (S->inertia) st = lg_check_definite(S->inertia, n, "inertia", scratch, e);
    if (st == LG_OK && S->projector_metric)
        st = lg_check_definite(S->projector_metric, n, "projector_metric", scratch, e);
    if (st != LG_OK || !S->covector_matrix) return st;
    double *one = scratch, *AW = one + n * n, *C = AW + m * n;
    if (!lg_all_finite(S->covector_matrix, m * n))
        return lg_fail(e, LG_ERROR_NOT_FINITE, "covector_matrix holds a value that is not finite");
    memset(one, 0, (size_t)n * (size_t)n * sizeof *one);
    for (int i = 0; i < n; i++) one[i * n + i] = 1;
    gram_rows(AW, S->covector_matrix, one, 0, m, n);
    int bad = gram_factor(C, AW, S->covector_matrix, m, n);
    if (bad) return lg_fail(e, LG_ERROR_SINGULAR, "covector_matrix: row %d depends on the rows before it", bad);
    return LG_OK;
}

lg_status lg_system_validate(const lg_system *given, lg_error *e)
{
    lg_system own;
    const lg_system *S = &own;
    if (e) memset(e, 0, sizeof *e);
    lg_status st = lg_system_take(&own, given, e);
    if (st == LG_OK) st = lg_group_validate(S->group, "lg_system", e);
    if (st == LG_OK) st = check_size(S->group, e);
    if (st == LG_OK) st = check_lanes(S, e);
    if (st == LG_OK) st = check_fields(S, e);
    if (st == LG_OK) st = check_velocity_rows(S, e);
    if (st == LG_OK) st = check_positions(S, e);
    if (st == LG_OK) st = check_means(S, e);
    if (st != LG_OK) return st;
    size_t n = (size_t)S->group->dim, m = (size_t)S->constraint_count;
    double *scratch = malloc((n * n + m * n + m * m + 1) * sizeof *scratch);
    if (!scratch) return lg_fail(e, LG_ERROR_MEMORY, "lg_system_validate: out of memory");
    st = check_constants(S, scratch, e);
    free(scratch);
    return st;
}
