/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract of a free step: the flow with h, potential, forces and metric; velocity constraints enter only through
 * the momenta that a rule (rule.h) gives it. Two forms:
 *   advance    explicit, p^- known:  (g_0, p^-) -> (g_1 = g_0 tau(h xi), p^+), factor by factor;
 *   trial      implicit, xi tried:   g_1 and p^+ = T p^- + c as a function of p^-, which the rule finds;
 *   residual                         R(xi) = 0 if xi is consistent with p^- and p^+.
 * A new free step is a file in steps/ and a line of the list in method.c. */
#ifndef LG_INTEGRATORS_FREE_STEP_H
#define LG_INTEGRATORS_FREE_STEP_H

#include "integrators/engine/node.h"

/* The quantities at a trial velocity xi, for the free step, the rule and the solver. */
typedef struct lg_trial {
    const real *xi;         /* the trial */
    const real *departing;  /* the departing momentum of the rule, without multipliers */
    real *x;                /* h xi, n */
    real *W;                /* tau(x) = g_0^-1 g_1, an element */
    real *scale;            /* k, log W = k x factor by factor, where geodesics are needed */
    real *log_W;            /* n */
    real *impulse;          /* c: p^+ = T p^- + c, n */
    int transported;        /* T = Ad*_W; else T = 0 */
    real *p_minus, *p_plus; /* n */
    real *v_minus, *v_plus; /* the velocities that R compares: J_0^-1 p^-, J_1^-1 p^+; variational: J^-1 p^-, J^-1 D */
    real *half_change;      /* (v^+ - v^-)/2, for the forces of a metric J(g) */
    real *correction;       /* u = J_b G_b^T nu, by which holonomic constraints correct xi */
    real size;              /* the largest of the velocities in R */
    real force_work;        /* h <f, xi> */
} lg_trial;

/* The points at which a free step evaluates potentials and forces, for diagnostics. */
typedef enum lg_acts {
    LG_ACTS_UNKNOWN,   /* a user-supplied discrete Lagrangian; continuous equations */
    LG_ACTS_AT_POINTS, /* at the points of the method's discrete Lagrangian, lg_method::point */
    LG_ACTS_ALONG_ARC  /* at Gauss nodes of the geodesic arc, lg_method::nodes */
} lg_acts;

/* Functions return 0, or nonzero with w->failure set. */
typedef struct lg_free_step {
    const char *name;
    unsigned gives, needs; /* plan.h */
    unsigned wide;         /* the forms that exist beyond width 1 (plan.h) */
    lg_acts acts;
    int lagged;                    /* half_change and correction come from the trial before: unknowns besides xi */
    int accounts_work;             /* 1: lg_node::work is computed, if the rule does its part */
    const char *why_not_symmetric; /* NULL: the step is symmetric */
    int (*advance)(lg_workspace *w, duration h, const lg_node *a, const real *p_minus, lg_node *b);
    int (*trial)(lg_workspace *w, duration h, const lg_node *a, const real *xi, lg_node *b);
    int (*residual)(lg_workspace *w, duration h, const lg_node *a, const real *xi, lg_node *b, real *R);
} lg_free_step;

#endif
