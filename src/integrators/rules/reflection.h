/* SPDX-License-Identifier: BSD-3-Clause */
/* The reflection of the GNI, and the projection onto hidden constraints, for those who use them outside a step. */
#ifndef LG_INTEGRATORS_REFLECTION_H
#define LG_INTEGRATORS_REFLECTION_H

#include "integrators/engine/node.h"

typedef struct lg_reflection_scratch {
    real *raised; /* A J'^-1, m x n; J' is the projectors' metric */
    real *gram;   /* the L D L^T factors of C = A J'^-1 A^T (mechanics/gram.h), m x m */
    real *u;      /* C^-1 A J'^-1 (p - Pi), m */
    real *kept;   /* multipliers kept while others are worked out, m */
    real *rest;   /* of compensated steps: what u cannot hold, m */
} lg_reflection_scratch;

/* p^-, p~ and lambda at node b from p^+: p_minus = p_plus - 2 A^T u. */
LG_ENGINE int lg_reflect(lg_workspace *w, duration h, lg_node *b);
/* Constant rows: what is the same in every reflection. */
#if LANES == 1
int lg_reflect_constant(lg_workspace *w, const real *J);
#endif
/* p^- = p~ + s mu^T lambda, velocity rows only. */
LG_ENGINE void lg_kick_rows(const lg_plan *P, lg_node *b, double s);
/* p <- p - d phi^T sigma with d phi J^-1 p = -phi_t; lambda += scale * sigma. */
LG_ENGINE int lg_project_hidden(lg_workspace *w, lg_node *b, real *p, duration scale);

#endif
