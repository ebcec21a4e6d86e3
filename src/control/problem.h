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
/* solve.c */
void lg_optimum_measure(const lg_optimum *o, lg_optimum_figures *f);

#endif
