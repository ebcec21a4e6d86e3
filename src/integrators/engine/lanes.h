/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the widths: what code of no width (wide.c) may know of a wide work, and the table by which it is reached. */
#ifndef LG_INTEGRATORS_LANES_H
#define LG_INTEGRATORS_LANES_H

#include "base/arena.h"
#include "integrators/engine/plan.h"
#include "integrators/engine/span.h"
#include "mechanics/field.h"

/* How callbacks are asked that see one lane at a time. */
typedef struct lg_lanes {
    lg_system *single;              /* the system as they see it */
    double *param;                  /* parameter values, lane after lane */
    double *wide_param;             /* the same as callbacks see them that understand lanes: [i * width + l] */
    double *control, *wide_control; /* of the controls' values the same; NULL: there are none */
    double *g, *xi, *out, *drift;   /* of one lane */
    double *matrix, *inverse;       /* n x n, for metrics J(g) */
} lg_lanes;

/* Settings of the solvers, as in lg_workspace. */
typedef struct lg_wide_settings {
    double tolerance, implicit_tolerance;
    int iterations_max, evaluations_max;
} lg_wide_settings;

enum { LG_WIDE_RULES = 3, LG_WIDE_INNERS = 2 };

typedef struct lg_wide_table {
    /* The plan gets rule and inner step of this width, by their numbers in wide.c. */
    void (*adapt)(lg_plan *plan, int rule, int inner);
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
} lg_wide_table;

extern const lg_wide_table lg_wide_table_x2, lg_wide_table_x4, lg_wide_table_x8;

#endif
