/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.h: servos in a step with Newton's correction. The force Q of a servo is an unknown of its own, since y = u -
 * k q - c q' of a trial may be millions of times what the motion takes; the correction solves Q = y with it. Limits, Q
 * = clamp(y), have kinks at which Newton's correction would turn back and forth: a step is solved with servos that are
 * decided, free (Q = y) or at a limit (Q is that limit, whatever y). The solution decides anew: a free servo with y
 * beyond a limit comes to it, one at a limit with y inside becomes free, until none changes. At first all that change
 * do so at once; later only the last of them, which comes to an end (K. G. Murty, Opsearch 11, 1974). */
#ifndef LG_MULTIBODY_LIMITS_H
#define LG_MULTIBODY_LIMITS_H

#include "multibody/step.h"

enum { MB_ROUNDS = 40 };

/* Decides from y at the guess, whose poses are those of n1. bold: 1: a servo is free as well if it is likely that the
 * mobility of its bodies brings y between the limits. */
void mb_limits_begin(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, int bold);
/* Decides from a solution, in round 0, 1, ...; 1: nothing changed. */
int mb_limits_settle(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, int round);

#endif
