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

static const listed methods[] = {
    {{"gni", R, V, LG_TRAPEZOIDAL, 0},
     "geometric nonholonomic integrator with the trapezoidal discrete Lagrangian (nonholonomic RATTLE), order 2"},
    {{"gni:trapezoidal", R, V, LG_TRAPEZOIDAL, 0}, "the same as gni"},
    {{"gni:euler-a", R, V, LG_EULER_A, 0}, "GNI with the Lagrangian at the left end, order 1"},
    {{"gni:euler-b", R, V, LG_EULER_B, 0}, "GNI with the Lagrangian at the right end, order 1"},
    {{"gni:midpoint", R, V, LG_MIDPOINT, 0}, "GNI with the Lagrangian at the geodesic midpoint, order 2"},
    {{"gni:user", R, U, LG_OWN, 0},
     "GNI with the system's own discrete Lagrangian (discrete_slope_1, discrete_slope_2)"},
    {{"variational", N, V, LG_TRAPEZOIDAL, 0},
     "variational integrator with the trapezoidal discrete Lagrangian, no constraints, order 2"},
    {{"variational:trapezoidal", N, V, LG_TRAPEZOIDAL, 0}, "the same as variational"},
    {{"variational:euler-a", N, V, LG_EULER_A, 0}, "symplectic Euler, potential at the left end, order 1"},
    {{"variational:euler-b", N, V, LG_EULER_B, 0}, "symplectic Euler, potential at the right end, order 1"},
    {{"variational:midpoint", N, V, LG_MIDPOINT, 0}, "variational integrator at the geodesic midpoint, order 2"},
    {{"variational:user", N, U, LG_OWN, 0}, "variational integrator of the system's own discrete Lagrangian"},
};

#define METHOD_COUNT (sizeof methods / sizeof methods[0])

static const char *const names[METHOD_COUNT + 1] = {"gni",
                                                    "gni:trapezoidal",
                                                    "gni:euler-a",
                                                    "gni:euler-b",
                                                    "gni:midpoint",
                                                    "gni:user",
                                                    "variational",
                                                    "variational:trapezoidal",
                                                    "variational:euler-a",
                                                    "variational:euler-b",
                                                    "variational:midpoint",
                                                    "variational:user",
                                                    NULL};

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
