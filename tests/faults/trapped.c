/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks that fail when fault_callback() tells them to, and otherwise call what they stand for. */
#include "faults.h"

static lg_callbacks inner;
static int (*inner_initial)(const lg_call *c, double *g0, double *xi0);

#define FIELD(name)                                                                                                    \
    static int trapped_##name(const lg_call *c, const double *g, double *out)                                          \
    {                                                                                                                  \
        return fault_callback() ? FAULT_CODE : inner.name(c, g, out);                                                  \
    }
#define ALONG(name)                                                                                                    \
    static int trapped_##name(const lg_call *c, const double *g, const double *a, double *out)                         \
    {                                                                                                                  \
        return fault_callback() ? FAULT_CODE : inner.name(c, g, a, out);                                               \
    }
#define PAIR(name)                                                                                                     \
    static int trapped_##name(const lg_call *c, double h, const double *g0, const double *g1, double *out)             \
    {                                                                                                                  \
        return fault_callback() ? FAULT_CODE : inner.name(c, h, g0, g1, out);                                          \
    }
#define ROWS(name)                                                                                                     \
    static int trapped_##name(const lg_call *c, const double *g, double *mu, double *Y)                                \
    {                                                                                                                  \
        return fault_callback() ? FAULT_CODE : inner.name(c, g, mu, Y);                                                \
    }
/* Every callback of lg_callbacks. */
#define ALL(FIELD, ALONG, PAIR, ROWS)                                                                                  \
    FIELD(metric)                                                                                                      \
    FIELD(poses)                                                                                                       \
    ALONG(metric_gradient)                                                                                             \
    FIELD(potential)                                                                                                   \
    FIELD(potential_gradient)                                                                                          \
    ALONG(potential_hessian)                                                                                           \
    ALONG(force)                                                                                                       \
    ROWS(covectors)                                                                                                    \
    FIELD(drift)                                                                                                       \
    FIELD(holonomic)                                                                                                   \
    FIELD(holonomic_differential)                                                                                      \
    FIELD(holonomic_rate)                                                                                              \
    PAIR(discrete_constraint)                                                                                          \
    PAIR(discrete_slope_1)                                                                                             \
    PAIR(discrete_slope_2)                                                                                             \
    PAIR(holonomic_mean)                                                                                               \
    PAIR(potential_mean)                                                                                               \
    PAIR(force_mean)                                                                                                   \
    ROWS(covectors_rate)                                                                                               \
    ALONG(holonomic_acceleration)

ALL(FIELD, ALONG, PAIR, ROWS)

static int trapped_covectors_derivative(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    return fault_callback() ? FAULT_CODE : inner.covectors_derivative(c, g, eta, dmu, dY);
}

static int trapped_force_derivative(const lg_call *c, const double *g, const double *xi, const double *eta,
                                    const double *dxi, const double *du, double *out)
{
    return fault_callback() ? FAULT_CODE : inner.force_derivative(c, g, xi, eta, dxi, du, out);
}

static int trapped_look(const lg_call *c, lg_scene *scene)
{
    return fault_callback() ? FAULT_CODE : inner.look(c, scene);
}

static int trapped_initial(const lg_call *c, double *g0, double *xi0)
{
    return fault_callback() ? FAULT_CODE : inner_initial(c, g0, xi0);
}

void fault_trap(lg_callbacks *to, const lg_callbacks *from)
{
    inner = *to = *from;
#define TRAP(name)                                                                                                     \
    if (inner.name) to->name = trapped_##name;
    ALL(TRAP, TRAP, TRAP, TRAP)
    TRAP(covectors_derivative)
    TRAP(force_derivative)
    TRAP(look)
}

void fault_trap_model(lg_model_definition *to, const lg_model_definition *from)
{
    *to = *from;
    fault_trap(&to->callbacks, &from->callbacks);
    inner_initial = from->initial;
    if (inner_initial) to->initial = trapped_initial;
}
