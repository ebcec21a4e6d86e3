/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods by name: NAME[:OPTION], each a constraint rule x an inner step. */
#include <string.h>

#include "base/message.h"
#include "integrators/engine.h"

typedef struct listed {
    lg_method method;
    const char *summary;
} listed;

#define V (&lg_inner_variational)
#define U (&lg_inner_user)
#define R (&lg_rule_reflection)
#define N (&lg_rule_none)

/* The methods, once: name, rule, inner step, weights, summary. */
#define METHODS(X)                                                                                                     \
    X("gni", R, V, LG_TRAPEZOIDAL,                                                                                     \
      "geometric nonholonomic integrator with the trapezoidal discrete Lagrangian (nonholonomic RATTLE), order 2")     \
    X("gni:trapezoidal", R, V, LG_TRAPEZOIDAL, "the same as gni")                                                      \
    X("gni:euler-a", R, V, LG_EULER_A, "GNI with the Lagrangian at the left end, order 1")                             \
    X("gni:euler-b", R, V, LG_EULER_B, "GNI with the Lagrangian at the right end, order 1")                            \
    X("gni:midpoint", R, V, LG_MIDPOINT, "GNI with the Lagrangian at the geodesic midpoint, order 2")                  \
    X("gni:user", R, U, LG_OWN, "GNI with the system's own discrete Lagrangian (discrete_slope_1, discrete_slope_2)")  \
    X("variational", N, V, LG_TRAPEZOIDAL,                                                                             \
      "variational integrator with the trapezoidal discrete Lagrangian, no constraints, order 2")                      \
    X("variational:trapezoidal", N, V, LG_TRAPEZOIDAL, "the same as variational")                                      \
    X("variational:euler-a", N, V, LG_EULER_A, "symplectic Euler, potential at the left end, order 1")                 \
    X("variational:euler-b", N, V, LG_EULER_B, "symplectic Euler, potential at the right end, order 1")                \
    X("variational:midpoint", N, V, LG_MIDPOINT, "variational integrator at the geodesic midpoint, order 2")           \
    X("variational:user", N, U, LG_OWN, "variational integrator of the system's own discrete Lagrangian")

#define AS_METHOD(name, rule, inner, weights, summary) {{name, rule, inner, weights}, summary},
#define AS_NAME(name, rule, inner, weights, summary)   name,

static const listed methods[] = {METHODS(AS_METHOD)};
static const char *const names[] = {METHODS(AS_NAME) NULL};

#define METHOD_COUNT (sizeof methods / sizeof methods[0])

const char *const *lg_method_names(void)
{
    return names;
}

const char *lg_method_summary(const char *name)
{
    for (size_t i = 0; name && i < METHOD_COUNT; i++)
        if (!strcmp(name, methods[i].method.name)) return methods[i].summary;
    return NULL;
}

lg_status lg_method_find(const lg_method **method, const char *name, lg_error *e)
{
    for (size_t i = 0; name && i < METHOD_COUNT; i++)
        if (!strcmp(name, methods[i].method.name)) {
            *method = &methods[i].method;
            return LG_OK;
        }
    return lg_fail(e, LG_ERROR_ARGUMENT,
                   "unknown method '%.60s'; expected gni or variational, alone or with :trapezoidal, :euler-a, "
                   ":euler-b, :midpoint or :user",
                   name ? name : "(null)");
}
