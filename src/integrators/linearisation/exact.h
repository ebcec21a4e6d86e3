/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a stage by numbers that carry derivatives (engine/tangent.h), without differences of the step.
 * Callbacks are differentiated one by one: by the system's own derivatives, else by differences of their values. */
#ifndef LG_INTEGRATORS_EXACT_H
#define LG_INTEGRATORS_EXACT_H

#include "integrators/engine/tangent.h"
#include "integrators/engine/wide.h"

/* A callback's derivatives where they were asked for. */
typedef struct lg_exact_answer {
    int kind;
    double t, *g, *xi; /* xi: zeros where it takes no velocity */
    double *value, *slope, *left;
    _Bool *acts;
} lg_exact_answer;

typedef struct lg_exact {
    int width; /* of lg_wide_place(); 0: there is no such form, and the residual of the step is differenced */
    lg_wide *tangent;
    lg_wide *curved; /* with second derivatives; NULL: there is no such form */
    lg_tangent_task task;
    double *g1, *p1; /* the state after the stage */
    int kind, count; /* the callback that is differentiated, and where: */
    double t;
    const double *g, *xi;
    double *left;             /* lg_tangent_task::left of the last chart */
    double *place, *velocity; /* displaced: an element, n */
    double *direction;        /* of a force: changes of the configuration, the velocity and the controls */
    double *rows;             /* of holonomic constraints; zeros but for one number, n */
    int failed;               /* 1: in a callback; the copy's failure says which */
    lg_exact_answer *answers; /* the last ones of this stage: passes and sweeps ask again */
    int room, known, next;    /* how many there may be and are, and which is replaced next */
} lg_exact;

#endif
