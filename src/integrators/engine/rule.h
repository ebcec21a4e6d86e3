/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract of a constraint rule: how reactions enter a step, as verbs before, inside and after the free step
 * (free_step.h). A new rule is a file in rules/ and a line of FAMILIES in method.c; one with a wide form
 * is included in width.c and named in lanes.c, too. */
#ifndef LG_INTEGRATORS_RULE_H
#define LG_INTEGRATORS_RULE_H

#include "integrators/engine/node.h"

/* The momentum that determines the state; the other two of a node follow from it. */
typedef enum lg_state {
    LG_STATE_P_TILDE, /* on the constraints */
    LG_STATE_P_MINUS, /* contains half the reaction of the next step */
    LG_STATE_P_PLUS   /* the next step does not depend on its normal part */
} lg_state;

/* Hooks may be NULL. Functions return 0, or nonzero with w->failure set. */
typedef struct lg_rule {
    const char *name;
    unsigned gives, needs; /* plan.h */
    unsigned wide;         /* the forms that exist beyond width 1 (plan.h) */
    lg_state state;
    int restarts;                  /* 1: p^- is computed from p~ at every node */
    int accounts_work;             /* 1: lg_node::work is computed, if the free step does its part */
    int snapshot_is_state;         /* 1: snapshots hold one momentum; 0: all three, and reported numbers */
    const char *why_not_symmetric; /* NULL: the rule is symmetric */

    /* The momentum that enters the free step. */
    const real *(*depart)(lg_workspace *w, duration h, const lg_node *a);
    /* Implicit steps, at a trial: the multipliers, then the trial's p^- and p^+; b->p_tilde if it is a by-product. */
    int (*multipliers)(lg_workspace *w, duration h, const lg_node *a, lg_node *b);
    /* Replaces the free step: drift, kick, drift. */
    int (*middle_kick)(lg_workspace *w, duration h, const lg_node *a, lg_node *b);
    /* b->p_plus is set: computes b->p_minus, b->p_tilde, b->lambda. */
    int (*arrive)(lg_workspace *w, duration h, const lg_node *a, lg_node *b);
    /* A start from a velocity: b->p_tilde = J xi_0 is set; computes the rest of the state for the kind of start. */
    int (*begin)(lg_workspace *w, duration h, lg_node *b, int start);
    /* A start from a momentum: all three are equal to it; computes the rest of the state. */
    int (*begin_momentum)(lg_workspace *w, duration h, lg_node *b);
    /* Called when the step to b is accepted. */
    void (*keep)(lg_workspace *w, duration h, const lg_node *b);
    /* Computes b->lambda on demand, if arrive() does not. */
    int (*recall)(lg_workspace *w, lg_node *b);
    /* Called when the next step is `ratio` times as long as the last one. */
    void (*rescale)(lg_workspace *w, double ratio, lg_node *b);
} lg_rule;

#endif
