/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract of a constraint rule: how reactions enter a step, as verbs before, inside and after the free step
 * (free_step.h). A new rule is a file in rules/ and a line of FAMILIES in method.c; one with a wide form
 * is included in width.c and named in lanes.c, too. */
#ifndef LG_INTEGRATORS_RULE_H
#define LG_INTEGRATORS_RULE_H

#include "integrators/engine/node.h"

/* The momentum that a step departs from, which the other two of a node follow from. */
typedef enum lg_state {
    LG_STATE_P_TILDE, /* on the constraints */
    LG_STATE_P_MINUS, /* it has half the reaction of the step to come in it */
    LG_STATE_P_PLUS   /* its normal part does not matter to the next step */
} lg_state;

/* NULL hooks: nothing to do. Functions return 0, or nonzero with w->failure set. */
typedef struct lg_rule {
    const char *name;
    unsigned gives, needs; /* plan.h */
    unsigned wide;         /* which forms exist beyond width 1 (plan.h) */
    lg_state state;
    int restarts;                  /* p^- is made from p~ at every node, whatever the step before left */
    int accounts_work;             /* lg_node::work is known, where the free step accounts for it too */
    int snapshot_is_state;         /* snapshots hold the state's momentum only; else all three and what is reported */
    const char *why_not_symmetric; /* NULL: it is symmetric */

    /* The momentum that enters the free step. */
    const real *(*depart)(lg_workspace *w, double h, const lg_node *a);
    /* Implicit steps, at a trial: the multipliers, then trial's p^- and p^+; b->p_tilde, where it comes out too. */
    int (*multipliers)(lg_workspace *w, double h, const lg_node *a, lg_node *b);
    /* Instead of the free step: drift, kick, drift. */
    int (*middle_kick)(lg_workspace *w, double h, const lg_node *a, lg_node *b);
    /* b->p_plus is known: b->p_minus, b->p_tilde, b->lambda. */
    int (*arrive)(lg_workspace *w, double h, const lg_node *a, lg_node *b);
    /* A start from a velocity: b->p_tilde = J xi_0 is known; the rest of the state for the kind of start. */
    int (*begin)(lg_workspace *w, double h, lg_node *b, int start);
    /* A start from a momentum, which all three are: the rest of the state. */
    int (*begin_momentum)(lg_workspace *w, double h, lg_node *b);
    /* The step that arrived at b is accepted. */
    void (*keep)(lg_workspace *w, double h, const lg_node *b);
    /* Computes b->lambda on demand, if arrive() does not. */
    int (*recall)(lg_workspace *w, lg_node *b);
    /* The next step is `ratio` times the last one. */
    void (*rescale)(lg_workspace *w, double ratio, lg_node *b);
} lg_rule;

#endif
