/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.h: which of the rows that depend on each other a motion keeps. Compilation chooses for the assembled pose. As
 * bodies turn, rows that were kept may come to depend on each other although the rank stays: two balls of one body
 * have the same row of rolling along the line between their contacts, and this line turns. Then others are kept.
 *
 * A redundant row is r = sum_i c_i K_i of the kept ones. In place of K_i it multiplies the volume of the kept rows by
 * |c_i| |r| / |K_i|, lengths being those in the kinetic metric. Exchanges that enlarge it by half are made until no
 * exchange does. Where the rank drops, the volume falls for every choice. */
#ifndef LG_MULTIBODY_CHOICE_H
#define LG_MULTIBODY_CHOICE_H

#include "multibody/collocation.h"
#include "multibody/step.h"

typedef struct mb_choice {
    mb_plan *plan;        /* the motion's own */
    const mb_plan *base;  /* as compiled */
    mb_motion *moving[2]; /* those whose nodes have rows of the plan */
    double *pivot;        /* the motion's */
    int stages;           /* of moving[0] */
    int fixed;            /* 1: nothing is chosen again */
    char *kept;           /* rows of base->whole: 1: the plan keeps it */
    char *compiled;       /* those that the compiled plan keeps */
    /* memory of a plan that is not as compiled, and scratch */
    mb_block *block, *excess;
    mb_symbolic node, mean;
    mb_saddle saddle;
    int *index;     /* of vertices: bodies, then blocks */
    int *place;     /* of positions */
    mb_pair *twist; /* of bodies and the world */
    double *x;      /* rows */
    double *sum;    /* rows */
    double *length; /* rows */
} mb_choice;

/* Memory for it; nothing if no row is redundant. */
void mb_choice_carve(mb_choice *c, lg_arena *a, const mb_plan *plan);
/* The plan becomes as compiled. */
void mb_choice_reset(mb_choice *c);
/* The plan becomes what the numbers of moving[0] say, which may come from outside. 0: they are no choice, and the plan
 * is as compiled. */
int mb_choice_follow(mb_choice *c);
/* Chooses again if a pivot has fallen at the present node of m, whose rows are known. */
void mb_choice_look(mb_choice *c, mb_motion *m);
/* Chooses again where a step from there has failed. 0: no other choice is better. */
int mb_choice_again(mb_choice *c, mb_motion *m);
/* Where a motion starts the rows as compiled may depend on each other entirely: replaces those. */
void mb_choice_start(mb_choice *c, mb_motion *m);

#endif
