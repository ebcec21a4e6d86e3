/* SPDX-License-Identifier: BSD-3-Clause */
/* course.h: steps of collocation that are found for a tolerance (docs/theory.md section 18). The motion's own steps are
 * then rows; beside it a carrier goes steps along the same trajectory as long as the tolerance allows
 * (integrators/collocation/length.h). A row that falls inside one of these is a shorter step from where it began. */
#ifndef LG_MULTIBODY_COURSE_H
#define LG_MULTIBODY_COURSE_H

#include "integrators/collocation/length.h"
#include "multibody/choice.h"

/* What is added up along a course. */
typedef struct mb_ledger {
    double t, work, *motor_work;
} mb_ledger;

typedef struct mb_course {
    lg_pace pace;
    lg_pause pause;        /* who may stop it */
    lg_pace_end end;       /* of the last row: why there was none */
    mb_choice *choice;     /* of the rows that are kept */
    mb_motion numbers;     /* node[now] is where the carrier is, the other where its last step began */
    mb_node probe;         /* of a measurement */
    double *whole;         /* likewise: the state after the whole step, */
    double *around;        /* and the rates of that step */
    mb_ledger now, before; /* at those nodes */
    double momentum[2];    /* the largest momentum and spin so far */
} mb_course;

/* With memory for the motion's stages; NULL while the arena is measured. */
mb_course *mb_course_carve(lg_arena *a, const mb_plan *plan, int s);
/* Steps for that tolerance; 0: none. */
void mb_course_set(mb_course *c, double tolerance);
/* The trajectory is another one from here on. */
static inline void mb_course_forget(mb_course *c)
{
    c->pace = (lg_pace){.tolerance = c->pace.tolerance};
}
/* The row at t1 from m->node[m->now], which is h away at `from`: what is done on the way is put into m, as by
 * mb_step(). 0; or 1 and m stays where it was: c->end may say why. */
int mb_course_step(mb_course *c, mb_motion *m, const mb_ledger *from, double h, double t1);

#endif
