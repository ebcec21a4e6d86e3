/* SPDX-License-Identifier: BSD-3-Clause */
/* The arc of a step of sem, and the fields that the step evaluates on it (docs/theory.md section 6): the quadratures of
 * its theorems, repeated independently. Constant or variable metrics, no holonomic constraints. */
#ifndef CLAIMS_ARCS_H
#define CLAIMS_ARCS_H

#include "claims/framework/harness.h"

/* One step from (t, g) to g exp(y), y = k h xi factor by factor. */
typedef struct claim_arc {
    const claim_system *s;
    double t, h;
    double g[CLAIM_ELEMENT], y[CLAIM_DIM], k[CLAIM_DIM];
    double leaving[CLAIM_DIM], arriving[CLAIM_DIM]; /* v^- = J_0^-1 p^-, v^+ = J_1^-1 p^+ */
    double p_minus[CLAIM_DIM], p_plus[CLAIM_DIM];
} claim_arc;

/* One step of `it`, and its arc. 0 after claim_trouble(). */
int claim_arc_step(claim_report *r, const claim_system *s, lg_integrator *it, claim_arc *a);
/* The point of the arc at c in [0, 1]: g exp(c y). 0: the group's operations failed. */
int claim_arc_point(const claim_arc *a, double c, double *out);
/* Derivative at s = 0 of U(g_c exp(s eta)), U = V - v^-.J v^+/2, at time t + c h: the slope that the step integrates.
 */
double claim_arc_slope(const claim_arc *a, double c, const double *eta);
/* U at the arc's end less U at its beginning, less the quadrature of its slope with `nodes` (1 to 4) Gauss nodes. */
double claim_arc_defect(const claim_arc *a, int nodes);
/* 1 while no factor that is not abelian turns by more than 1 in the last step: longer steps do not resolve the motion
 * (rolling rows turn with the body), and beyond some length sem refuses them. */
int claim_resolved(const claim_system *s, const lg_integrator *it);
/* The rounding error of a conserved quantity after `steps` steps, relative to its scale: a random walk of `walk` per
 * step, and at worst `roundings` roundings (2^-52) per step, all of the same sign. */
double claim_rounding(double walk, double roundings, int64_t steps);
/* The larger one; a NaN stays. */
double claim_worse(double a, double b);
/* 1 if retraction i of claim_retraction() differs from those before it on the system's group. */
int claim_differs(const claim_system *s, int retraction);
/* Gauss node i of `nodes` on [0, 1], and its weight. */
double claim_gauss(int nodes, int i, double *weight);

#endif
