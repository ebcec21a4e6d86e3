/* SPDX-License-Identifier: BSD-3-Clause */
#include "failing.h"

enum { FACTORS = 8, CODE = 77 };

static lg_callbacks sound; /* those of the system that fails at present */

#define TRAPPED(name, arguments, passed)                                                                               \
    static int trapped_##name arguments                                                                                \
    {                                                                                                                  \
        return failing_met(#name) == LG_OK ? sound.name passed : CODE;                                                 \
    }
#define FIELD(name) TRAPPED(name, (const lg_call *c, const double *g, double *out), (c, g, out))
#define ALONG(name) TRAPPED(name, (const lg_call *c, const double *g, const double *xi, double *out), (c, g, xi, out))
#define ROWS(name)  TRAPPED(name, (const lg_call *c, const double *g, double *mu, double *Y), (c, g, mu, Y))
#define ROWS_ALONG(name)                                                                                               \
    TRAPPED(name, (const lg_call *c, const double *g, const double *eta, double *dmu, double *dY), (c, g, eta, dmu, dY))
#define MEAN(name)                                                                                                     \
    TRAPPED(name, (const lg_call *c, double h, const double *g0, const double *g1, double *out), (c, h, g0, g1, out))
FIELD(metric)
FIELD(potential)
FIELD(potential_gradient)
FIELD(drift)
FIELD(holonomic)
FIELD(holonomic_differential)
FIELD(holonomic_rate)
ALONG(metric_gradient)
ALONG(potential_hessian)
ALONG(force)
ALONG(holonomic_acceleration)
ROWS(covectors)
ROWS(covectors_rate)
ROWS_ALONG(covectors_derivative)
MEAN(holonomic_mean)
MEAN(potential_mean)
MEAN(force_mean)
MEAN(discrete_constraint)
MEAN(discrete_slope_1)
MEAN(discrete_slope_2)

void failing_callbacks(lg_system *S, const lg_system *base)
{
    *S = *base;
    sound = base->callbacks;
#define TRAP(name)                                                                                                     \
    if (S->callbacks.name) S->callbacks.name = trapped_##name
    TRAP(metric);
    TRAP(potential);
    TRAP(potential_gradient);
    TRAP(drift);
    TRAP(holonomic);
    TRAP(holonomic_differential);
    TRAP(holonomic_rate);
    TRAP(metric_gradient);
    TRAP(potential_hessian);
    TRAP(force);
    TRAP(holonomic_acceleration);
    TRAP(covectors);
    TRAP(covectors_rate);
    TRAP(covectors_derivative);
    TRAP(holonomic_mean);
    TRAP(potential_mean);
    TRAP(force_mean);
    TRAP(discrete_constraint);
    TRAP(discrete_slope_1);
    TRAP(discrete_slope_2);
#undef TRAP
}

const lg_group *failing_factors(const lg_group *base)
{
    static lg_group failing[FACTORS];
    static lg_group *product;
    const lg_group *factors[FACTORS];
    const int count = lg_group_factor_count(base);
    lg_group_destroy(product);
    product = NULL;
    if (count > FACTORS) suite_fail("%d factors in %s", count, base->name);
    for (int i = 0; i < count; i++) {
        failing_group(&failing[i], lg_group_factor(base, i));
        factors[i] = &failing[i];
    }
    if (base->kind != LG_KIND_PRODUCT) return factors[0];
    suite_ok("product", lg_group_create_product(&product, factors, count));
    return product;
}
