/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of a system that owns its numbers. */
#include "mechanics/copy.h"

#include <string.h>

static const double *copy_numbers(lg_arena *a, const double *from, size_t count)
{
    double *to = from ? lg_take_doubles(a, count) : NULL;
    if (to) memcpy(to, from, count * sizeof *to);
    return to;
}

lg_system lg_system_copy(lg_arena *a, const lg_system *S)
{
    const size_t n = sz(S->group->dim), m = sz(S->constraint_count), count = sz(S->parameter_count);
    lg_system own = *S;
    own.inertia = copy_numbers(a, S->inertia, n * n);
    own.inertia_diagonal = copy_numbers(a, S->inertia_diagonal, n);
    own.covector_matrix = copy_numbers(a, S->covector_matrix, m * n);
    own.projector_metric = copy_numbers(a, S->projector_metric, n * n);
    double *value = count ? lg_take_doubles(a, count) : NULL;
    for (size_t i = 0; value && i < count; i++)
        value[i] = S->parameter_values ? S->parameter_values[i] : S->parameters[i].value;
    own.parameter_values = value;
    return own;
}
