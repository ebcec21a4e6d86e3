/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a problem: its numbers are checked before memory is taken. */
#ifndef LG_CONTROL_PROBLEM_H
#define LG_CONTROL_PROBLEM_H

#include "control/optimum.h"

/* *own = the problem in the library's size. */
lg_status lg_problem_take(lg_optimum_problem *own, const lg_optimum_problem *problem, lg_error *e);
/* Sizes of o, its integrator and its linearisation, which stay in o on failure too. */
lg_status lg_problem_open(lg_optimum *o, const lg_optimum_problem *problem, lg_error *e);
/* The numbers of o. */
lg_status lg_problem_fill(lg_optimum *o, const lg_optimum_problem *problem, lg_error *e);
/* mechanism.c: what these do for a mechanism. */
lg_status lg_steer_open(lg_optimum *o, const lg_optimum_problem *problem, lg_error *e);
/* The present start and target; NULL: as they are. */
lg_status lg_steer_fill_ends(lg_optimum *o, const double *start_q, const double *start_v, const double *target_q,
                             const double *target_v, lg_error *e);
/* mechanism_gait.c: which coordinates of the start are free; refuses a displacement that is no symmetry. */
lg_status lg_steer_begin(lg_optimum *o, const lg_optimum_problem *problem, lg_error *e);
lg_status lg_steer_check(lg_optimum *o, const double *D, lg_error *e);
/* Node 0 of x becomes the start where that is held. */
lg_status lg_steer_pin(lg_optimum *o, lg_iterate *x);
/* What holds of the limits of a control. */
lg_status lg_steer_limit(const lg_optimum *o, int control, double *low, double *high, lg_error *e);
/* The effort where none is given. */
void lg_steer_effort(lg_optimum *o);
lg_status lg_steer_guess(lg_optimum *o, const double *q, const double *v);
/* parameters.c: how many are free; which, and their bounds; their first values. */
lg_status lg_free_open(lg_optimum *o, const lg_optimum_problem *problem, lg_error *e);
lg_status lg_free_fill(lg_optimum *o, const lg_optimum_problem *problem, lg_error *e);
void lg_free_guess(lg_optimum *o);
/* problem.c */
lg_status lg_problem_check_vector(const char *name, const double *v, int count, lg_error *e);
/* x within limits, not too close to them. */
double lg_problem_inside(double x, double low, double high);
/* gait.c */
/* Sizes, and what can be said before there is memory. */
lg_status lg_gait_open(lg_optimum *o, const lg_optimum_problem *problem, lg_error *e);
/* Which coordinates of the start are free. */
lg_status lg_gait_begin(lg_optimum *o, const lg_optimum_problem *problem, lg_error *e);
/* Refuses a displacement that is no symmetry. */
lg_status lg_gait_check(lg_optimum *o, const double *D, lg_error *e);
/* The first node becomes the start where the start is not free. */
lg_status lg_gait_pin(lg_optimum *o);
/* solve.c */
void lg_optimum_measure(const lg_optimum *o, lg_optimum_figures *f);

#endif
