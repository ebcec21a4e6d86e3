/* SPDX-License-Identifier: BSD-3-Clause */
/* The structure of a system under a method, found once when an integrator is made; it does not depend on parameter
 * values. */
#ifndef LG_INTEGRATORS_PLAN_H
#define LG_INTEGRATORS_PLAN_H

#include <liegrp/integrators/integrator.h>

struct lg_rule;
struct lg_free_step;
struct lg_factor;

/* Capabilities and needs of parts; lg_plan_make() compares them, and all refusals come from there. */
enum {
    LG_CAN_CONSTRAIN = 1u, /* rule: takes velocity rows */
    LG_CAN_POSITION = 2u,  /* rule, step: takes holonomic constraints */
    LG_NEEDS_SLOPES = 8u,  /* step: the system's own discrete Lagrangian */
    LG_NEEDS_CONSTANT_METRIC = 16u,
    LG_NEEDS_GEODESICS = 32u,  /* step: potentials, forces, ... need log tau(x) parallel to x */
    LG_NEEDS_FRAME = 64u,      /* rule: orthonormal rows at the nodes (frame.c) */
    LG_NEEDS_SOLVER = 128u,    /* rule: multipliers couple all factors; step: no explicit form */
    LG_IS_DISCRETE = 256u,     /* rule: a discrete constraint omega_d(g_0, g_1) = 0 */
    LG_HAS_NORMAL_PART = 512u, /* rule: p^- has a normal part, which alternates and is monitored */
    LG_REFUSES_FORCE = 1024u,  /* no forces */
    LG_NEEDS_MIDDLE = 2048u,   /* rule: a node in the middle */
    LG_CAN_PROJECT = 8192u,    /* step: holonomic constraints in addition to shared multipliers */
    LG_IS_DIRECT = 4096u,      /* step: no implicit form; any metric, forces and positions directly */
    LG_NEEDS_SIDES = 16384u,   /* rule: b of A xi = b at the nodes */
    LG_LEAVES_GROUP = 32768u   /* step: its stages are off the group where elements have more numbers than dimensions */
};

/* The forms of a rule or a free step that exist beyond width 1. */
enum {
    LG_WIDE_EXPLICIT = 1u,
    LG_WIDE_IMPLICIT = 2u,
    LG_WIDE_COLLOCATION = 8u,
    LG_WIDE_POTENTIAL_ONLY = 4u, /* implicit with a constant metric and a potential at the ends only */
    LG_WIDE_TANGENT = 16u        /* tangents alone: every step of the method that is not explicit */
};

/* A quadrature node of L_d or omega_d: the point g_0 exp(s log W), s in [0, 1], and its weight. */
typedef struct lg_point {
    double s, weight;
} lg_point;

typedef struct lg_composition {
    const char *name;
    int order, stages; /* stages is odd: the coefficients are c[0], ..., c[(stages - 1)/2], ..., c[0] */
    const double *c;
} lg_composition;

/* How collocation finds the multipliers of its stages: from A xi = b, or from its rate. */
enum { LG_FORM_CHOSEN, LG_FORM_STAGE, LG_FORM_RATE };

/* The meaning of NAME[:OPTION,...][@COMPOSITION]. */
typedef struct lg_method {
    char name[48];
    const struct lg_rule *rule;
    const struct lg_free_step *step;
    lg_point point[2], row[2]; /* of L_d and of omega_d */
    int points, rows;
    int nodes;                         /* quadrature nodes of the energy-momentum step */
    int gonzalez;                      /* 1: the variant with a discrete gradient */
    int rotational;                    /* 1: keeps rotational momentum with holonomic constraints, alpha = 1 */
    int raw;                           /* 1: the user's rows instead of orthonormal ones */
    int cholesky;                      /* 1: orthonormal rows by Cholesky's factor, not aligned */
    int collocation_stages;            /* stages of Gauss collocation; 0: another method */
    int form;                          /* of the stages: LG_FORM_... */
    int compensated;                   /* 1: the state has twice the digits (compensation.h) */
    int implicit;                      /* 1: the implicit form even if there is an explicit one; for linearisations */
    const lg_composition *composition; /* NULL: none */
} lg_method;

/* A factor of the flattened product. */
typedef struct lg_factor_plan {
    const lg_group *group;
    const lg_retraction *retraction;
    int offset, element_offset; /* the beginnings of its algebra and its element */
    int n, element_size;
    int diagonal;                  /* 1: its inertia is diagonal */
    int turn, turns;               /* the first rotational component of the algebra, and their number */
    const struct lg_factor *table; /* its operations (factors/factor.h) */
} lg_factor_plan;

typedef struct lg_plan {
    const lg_system *S; /* the integrator's own copy */
    const lg_retraction *retraction;
    lg_method method;
    int n, element_size;
    int m, holonomic, nonholonomic; /* numbers of rows: m = holonomic + nonholonomic */
    int factor_count, flow_count;
    const lg_factor_plan *factors, *flows; /* flows: the factors, or a single one if the inertia couples them */
    int diagonal;                          /* 1: the whole metric is diagonal */
    int projector_diagonal;
    int constant_metric, constant_rows, drift, potential, force;
    _Bool affine;                               /* the rows have a right side: A xi = b, b not 0 */
    _Bool sides;                                /* b is evaluated at nodes: lg_node::right_side */
    _Bool exact_tangent;                        /* the retraction has one on every factor that is not abelian */
    _Bool fused;                                /* explicit, factor by factor; else implicit, by the solver */
    _Bool geodesics;                            /* the implicit form needs points along the arc */
    _Bool mean_rows, mean_gradient, mean_force; /* the system's means replace integrals along the arc */
    _Bool symmetric;                            /* so is the method, with a symmetric retraction */
    _Bool accounts_work;                        /* lg_node::work is known */
    _Bool compensated;                          /* nodes carry the rounding errors of the state */
    _Bool keeps_energy;                         /* compensated steps undo the effect of round-off on H */
    _Bool differenced;                          /* steps use differences for some derivative */
    _Bool rate_form;                            /* of collocation, see LG_FORM_RATE */
    int stages;                                 /* sub-steps of a step */
    int stage_width;                            /* number of its stages in a vector; 0: another method */
    int instances;                              /* collocation too has instances, not stages, in its lanes */
    double w0, w1;                              /* weights of L at g_0, g_1 if it has no inner points */
} lg_plan;

/* The number of factors of a group, counting those of products. */
int lg_plan_factor_count(const lg_group *G);
/* Fills `factors`, which has room for them, and returns how many there are. */
int lg_plan_factors(lg_factor_plan *factors, const lg_group *G, const lg_retraction *r);
/* Fills *plan; `factors` has room for lg_plan_factor_count() + 1. The message names the parts that do not fit. */
lg_status lg_plan_make(lg_plan *plan, lg_factor_plan *factors, const lg_system *S, const lg_method *method,
                       const lg_retraction *retraction, lg_error *e);
/* Would S, which has the callbacks and counts of the plan's system, have the same plan? */
int lg_plan_suits(const lg_plan *plan, const lg_system *S);
/* Does the plan have a place for every entry of the constant inertia of S, which has the callbacks and counts of its
 * system?
 */
int lg_plan_holds(const lg_plan *plan, const lg_system *S);
/* Do linearisations of collocation have the potential's second derivatives for its stages? Stages are off the group if
 * its elements have more numbers than its dimension, and there these derivatives do not exist. With them callbacks see
 * one stage at a time.
 */
int lg_plan_expands_stages(const lg_plan *plan);
/* Sub-step i of a step in units of its length. */
double lg_plan_stage(const lg_plan *plan, int i);

/* method.c */
lg_status lg_method_parse(lg_method *method, const char *spec, lg_error *e);
/* composition.c: the composition of that name (`length` characters), or NULL. */
const lg_composition *lg_composition_named(const char *name, size_t length);

#endif
