/* SPDX-License-Identifier: BSD-3-Clause */
/* corrections.h: the momenta of a sweep, and the corrections of mu, l and xi that close its rows (the equations: head
 * of step.c). Poses, rows and factors are those of the trial xi; the functions return |correction|^2 in the metric. */
#ifndef LG_MULTIBODY_CORRECTIONS_H
#define LG_MULTIBODY_CORRECTIONS_H

#include "multibody/step.h"

/* f += s A^T L^-T l at node n. */
LG_ENGINE void mb_kick(mb_motion *m, const mb_node *n, mb_pair *f, double s, const real *l);
/* p- and p+ from l, mu and the forces. */
LG_ENGINE void mb_momenta(mb_motion *m, const mb_node *n0, const mb_node *n1, double h);
/* G J^-1 (p+ - p-) = 0 corrects mu and p+. */
LG_ENGINE real mb_correct_mu(mb_motion *m, const mb_node *n0, const mb_node *n1, double h);
/* A1 J^-1 p1 = b1 corrects l, p- and p+. */
LG_ENGINE real mb_correct_l(mb_motion *m, const mb_node *n0, const mb_node *n1, double h);
/* xi = J^-1 (p- + p+)/2 + J^-1 G^T nu with G xi = -phi(g0)/h; *scale = |xi|^2. */
LG_ENGINE real mb_correct_xi(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, real *scale);
/* 1: lanes whose sweeps stagnated at round-off satisfy the rows of velocity. The correction by which this is measured
 * is applied to these lanes only. */
LG_ENGINE int mb_stands(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, mask still);

#endif
