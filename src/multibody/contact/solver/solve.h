/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.h: the solver of the frictional complementarity problem of problem.h.
 *
 *   mb_ncp_work w = {0};
 *   lg_arena a = {NULL, 0};
 *   mb_ncp_work_take(&w, &a, most);                       sizes
 *   a.base = lg_reserve(a.used), a.used = 0;
 *   mb_ncp_work_take(&w, &a, most);                       divides
 *   mb_ncp_dense_take(), mb_ncp_dense_set()               the operator likewise
 *   mb_ncp_solve(&w, &problem, P, MB_NCP_QUICK, &report)  allocates nothing
 *
 * The stages, each from the best point before it, each followed by Newton: Newton alone; Gauss-Seidel; ADMM with
 * Anderson's acceleration; an interior point; Newton at length from other points. Which stage ended the call depends on
 * the problem and P alone: a call keeps no memory of the calls before it.
 *
 * What is not promised. With friction a solution need not exist: bodies wedged between others, cycles of contacts with
 * a large mu. Such a call goes through all stages, some hundred factors, and is refused; a shorter step has another b,
 * and mostly a solution. Where more than one exists, P decides which one is found. Impulses of redundant contacts are
 * not unique; u is, and so is the work. Below slips of about the tolerance friction has any direction in its cone. */
#ifndef LG_MULTIBODY_CONTACT_SOLVER_SOLVE_H
#define LG_MULTIBODY_CONTACT_SOLVER_SOLVE_H

#include "multibody/contact/solver/work.h"

typedef enum mb_ncp_outcome {
    MB_NCP_SOLVED, /* residual <= tolerance, or <= floor after Newton alone */
    MB_NCP_FLOOR,  /* residual <= 30 floor: all stages end there; the round-off of the data admits no less */
    MB_NCP_REFUSED /* P is unchanged; halve the step, or try with MB_NCP_WHOLE */
} mb_ncp_outcome;

/* What ended the call. */
typedef enum mb_ncp_stage {
    MB_NCP_ENTRY, /* P was a solution, and is unchanged */
    MB_NCP_NEWTON,
    MB_NCP_SEIDEL,
    MB_NCP_ADMM,
    MB_NCP_INTERIOR,
    MB_NCP_STARTS, /* long runs of Newton from other points */
    MB_NCP_LAST,   /* restarts of the interior point; homotopy in mu */
    MB_NCP_STAGES
} mb_ncp_stage;

typedef enum mb_ncp_effort {
    MB_NCP_QUICK, /* all stages but the last: a step that can be halved */
    MB_NCP_WHOLE  /* the last one too: the first step of a motion, the smallest substep */
} mb_ncp_effort;

typedef struct mb_ncp_report {
    mb_ncp_outcome outcome;
    mb_ncp_stage stage;
    double residual; /* of the natural map, relative to the speed: of the P that is returned; refused: the best seen */
    int factorisations; /* of I + W K */
    int evaluations;    /* of u = b + W P */
    int sweeps;         /* of Gauss-Seidel */
} mb_ncp_report;

/* Solves a problem. P, in: where to start, best the impulses of the last call at the same contacts, or 0; out: impulses
 * that satisfy intervals and cones exactly, unless the call is refused or P was a solution already. A problem with NaN
 * is refused at once, one without a solution after a bounded number of iterations. */
mb_ncp_outcome mb_ncp_solve(mb_ncp_work *w, const mb_ncp *p, double *P, mb_ncp_effort effort, mb_ncp_report *report);

#endif
