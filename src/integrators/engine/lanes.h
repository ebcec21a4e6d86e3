/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the widths: the part of a wide workspace that code without a width (wide.c) may use, and the table of
 * functions for each width. */
#ifndef LG_INTEGRATORS_LANES_H
#define LG_INTEGRATORS_LANES_H

#include "base/arena.h"
#include "base/lane.h"
#include "integrators/engine/plan.h"
#include "integrators/engine/span.h"
#include "mechanics/field.h"

struct lg_rule;
struct lg_free_step;
struct lg_factor;
struct lg_failure;
struct lg_stage_task;
struct lg_tangent_task;
typedef struct lg_wide lg_wide;

/* The arguments of callbacks that see one lane at a time. */
typedef struct lg_lanes {
    lg_system *single;              /* their view of the system */
    double *param;                  /* parameter values, lane after lane */
    double *wide_param;             /* parameter values for callbacks that understand lanes: [i * width + l] */
    double *control, *wide_control; /* values of the controls in both orders, or NULL */
    double *g, *xi, *out, *drift;   /* of one lane */
    double *end;                    /* its configuration at the other end of the step */
    double *matrix, *inverse;       /* n x n, for metrics J(g) */
    struct lg_tangent_task *task;   /* tangents: the stage that is differentiated */
    real *rows;                     /* tangents: velocity rows and drift as they come from a callback */
} lg_lanes;

/* Settings of the solvers, as in lg_workspace. */
typedef struct lg_wide_settings {
    double tolerance, implicit_tolerance;
    int iterations_max, evaluations_max;
} lg_wide_settings;

/* The functions for one width. */
typedef struct lg_engine_table {
    int lanes;                          /* numbers in a `real` */
    const struct lg_rule *const *rules; /* rules and free steps with a form at this width, closed by NULL */
    const struct lg_free_step *const *free_steps;
    const struct lg_factor *(*factor)(const lg_group *G, const lg_retraction *r);
    size_t (*bytes)(const lg_plan *plan, lg_field *field);
    void *(*bind)(void *memory, const lg_plan *plan, lg_field *field, const lg_wide_settings *settings,
                  lg_lanes **lanes);
    int (*constants)(const void *w, lg_span *s);
    int (*block)(const void *w, int block, lg_span *s);
    int (*node)(const void *w, int which, lg_span *s);
    int (*state)(const void *w, lg_span *s);
    int (*history)(const void *w, int stage, lg_span *s);
    int (*step)(void *w, double h, const double *t1);
    int (*figures)(void *w, double *energy, double *residual);
    int (*collocate)(void *w, struct lg_stage_task *task, struct lg_failure *failure);
    int (*fields)(void *w, struct lg_stage_task *task, struct lg_failure *failure);
    int (*eliminate)(double *A, int n, int stride);
    int (*stage)(void *w, struct lg_tangent_task *task, struct lg_failure *failure); /* tangents alone */
} lg_engine_table;

extern const lg_engine_table lg_engine_table_2, lg_engine_table_4, lg_engine_table_8;
/* tangent.c: numbers with derivatives, in vectors of 2, 4, 8. */
extern const lg_engine_table lg_tangent_table_2, lg_tangent_table_4, lg_tangent_table_8;
/* That unit with second derivatives. */
extern const lg_engine_table lg_curved_table_2, lg_curved_table_4, lg_curved_table_8;

#if LANES > 1
/* `count` numbers of lane l. */
KERNEL void lanes_get(double *to, const real *from, int count, int l)
{
    for (int i = 0; i < count; i++) to[i] = ((const double *)from)[i * LANES + l];
}

KERNEL void lanes_put(real *to, const double *from, int count, int l)
{
    double *at = as_doubles(to);
    for (int i = 0; i < count; i++) at[i * LANES + l] = from[i];
}

#ifndef LG_TANGENT
/* One number of every lane, `stride` apart. Assembled in a register: a vector that was stored lane by lane could be
 * loaded only after all of these stores. */
KERNEL real lanes_gather(const double *from, int stride)
{
#if LANES == 2
    return (real){from[0], from[stride]};
#elif LANES == 4
    return (real){from[0], from[stride], from[2 * stride], from[3 * stride]};
#else
    return (real){from[0],          from[stride],     from[2 * stride], from[3 * stride],
                  from[4 * stride], from[5 * stride], from[6 * stride], from[7 * stride]};
#endif
}
#endif
#endif

#endif
