/* SPDX-License-Identifier: BSD-3-Clause */
/* derivative.h: the derivative of a step of a mechanism by numbers that carry derivatives (base/tangent.h).
 *
 * The step has been made: its velocities and multipliers solve it. The sweep that they are the fixed point of is
 * repeated with these values, and numbers with derivatives, until the derivatives are its fixed point, too. A direction
 * that has converged is held, so that its bits depend neither on its neighbours nor on how many there are. */
#ifndef LG_MULTIBODY_DERIVATIVE_H
#define LG_MULTIBODY_DERIVATIVE_H

#include <stddef.h>

#include "multibody/contact/held.h"
#include "multibody/spans.h"

/* Deviations are 12 numbers a body: displacements and rotations of all bodies, then changes of
 * their velocities and angular velocities, in space. */
typedef struct mb_derivative_task {
    const mb_span *span; /* the numbers of the motion after the step (mb_spans()) */
    int spans;
    double t, h;         /* the step begins at t and is h long */
    const double *z;     /* deviations of the state before, `columns` of them one after the other */
    int columns;         /* then the controls */
    const mb_held *held; /* contacts that are held, `contacts` of them */
    int contacts;
    double *to; /* output: deviations of the state after, columns + controls of them */
} mb_derivative_task;

typedef struct mb_derivative_table {
    size_t (*bytes)(const mb_plan *plan);
    /* In zeroed memory aligned to LG_ALIGN. 0; 1: the sweeps do not contract, or a number is not finite; 2: impulses
     * of contacts that depend on each other are not unique. */
    int (*step)(void *memory, const mb_plan *plan, const mb_derivative_task *task);
} mb_derivative_table;

extern const mb_derivative_table mb_derivative_2, mb_derivative_4, mb_derivative_8;

#endif
