/* SPDX-License-Identifier: BSD-3-Clause */
/* The structure of a system under a method, found once when an integrator is made; no numbers that a parameter could
 * change. */
#ifndef LG_INTEGRATORS_PLAN_H
#define LG_INTEGRATORS_PLAN_H

#include <liegrp/integrators/integrator.h>

struct lg_rule;
struct lg_inner;

/* Capabilities of parts; every refusal comes from comparing them in lg_plan_make(). */
enum {
    LG_CAN_CONSTRAIN = 1u,  /* rule: takes rows */
    LG_NEEDS_SLOPES = 2u,   /* inner: the system's own discrete Lagrangian */
    LG_GIVES_SYMMETRIC = 4u /* symmetric step with a symmetric retraction */
};

typedef enum lg_weights { LG_TRAPEZOIDAL, LG_EULER_A, LG_EULER_B, LG_MIDPOINT, LG_OWN } lg_weights;

typedef struct lg_method {
    const char *name;
    const struct lg_rule *rule;
    const struct lg_inner *inner;
    lg_weights weights;
} lg_method;

/* A factor of the flattened product. */
typedef struct lg_factor_plan {
    const lg_group *group;
    const lg_retraction *retraction;
    int at, gat; /* where its algebra and its element begin */
    int n, gn;
    int diagonal; /* its inertia is diagonal */
    int generic;  /* takes the generic flow */
} lg_factor_plan;

typedef struct lg_plan {
    const lg_system *S; /* the integrator's own copy */
    const lg_retraction *retraction;
    const lg_method *method;
    int n, gn, m;
    int factor_count;
    lg_factor_plan *factors;
    int diagonal; /* the whole metric is diagonal */
    int projector_diagonal;
    int constant_metric, constant_rows, drift, potential;
    int fused;         /* inner step factor by factor; else the dense solver on the open form */
    double w0, w1, wm; /* weights of L at g_0, g_1 and the midpoint */
} lg_plan;

/* Factors of a group, products opened up. */
int lg_plan_factor_count(const lg_group *G);
/* Fills *plan; `factors` has room for lg_plan_factor_count(). The message names what does not fit. */
lg_status lg_plan_make(lg_plan *plan, lg_factor_plan *factors, const lg_system *S, const lg_method *method,
                       const lg_retraction *retraction, lg_error *e);

/* method.c */
lg_status lg_method_find(const lg_method **method, const char *name, lg_error *e);

#endif
