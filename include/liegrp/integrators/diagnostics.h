/* SPDX-License-Identifier: BSD-3-Clause */
/** @file diagnostics.h
 *  Properties of a step at the present state, measured on demand. These functions allocate. They leave the integrator's
 *  state unchanged. On failure the figure is NaN.
 *
 *  Momenta: p^+ arrives at a node, p^- leaves it, p~ is the momentum at the node that satisfies the constraints
 *  (docs/conventions.md). */
#ifndef LIEGRP_INTEGRATORS_DIAGNOSTICS_H
#define LIEGRP_INTEGRATORS_DIAGNOSTICS_H

#include "integrator.h"

LG_BEGIN

/** Measures how far the method is from being reversible: makes `steps` steps from the present state, then as many of
 *  -h, which for a reversible method lead back. *defect is the larger of two distances from the first state: that of
 *  configurations, relative to the larger of the element's largest number and the distance travelled, and that of
 *  momenta (metric J^-1), relative to the largest |p~| on the way. For symmetric methods with symmetric retractions it
 *  is round-off (times the number of steps and the problem's own sensitivity); for `gni-r`, one-sided rules and
 *  baselines it goes to 0 with h.
 *
 *  The way back begins from the momentum that arrived, p^+, if the method carries another (gni, rattle, variational,
 *  dla), and from p~ otherwise. In the first case p^+ of the way back is compared with p^-, or with p~ for dla.
 *  Controls stay as they are. Errors are those of lg_integrator_step(), and:
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, `it` is not started, or steps < 1.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_diagnostics_reversibility(const lg_integrator *it, double *defect, int64_t steps);

/** The determinant of the next step's derivative on (eta, p), left-trivialised, by lg_linearisation_compute(). Without
 *  forces it is 1 or -1 (by the parity of the number of velocity constraints) for `gni` with any metric and potential,
 *  and for `variational`. It is 0, up to round-off, if all steps end on constraints, such as holonomic constraints, or
 *  velocity constraints under shared multipliers: such a step is not surjective. Errors are those of
 *  lg_linearisation_compute(), and:
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or `it` is not started.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_diagnostics_determinant(const lg_integrator *it, double *determinant);

/** The growth rate of the parasitic mode of the GNI at the present state: log|lambda| / |h| of the largest multiplier
 *  lambda of the next step's derivative on (eta, p) with a negative real part. *count (may be NULL) is the number of
 *  such multipliers. Each velocity constraint gives one, near -1. If the motion itself turns by more than a right angle
 *  in a step, its multipliers are among them. *rate is NaN and *count 0 without such multipliers, for all methods but
 *  the GNI (others have no normal part), and for compositions, in which every sub-step is made twice. Errors are those
 *  of lg_diagnostics_determinant(), and:
 *  - LG_ERROR_CONVERGENCE: the eigenvalues were not found.
 *  - LG_ERROR_UNSUPPORTED: the library was built without LAPACK. */
LG_API LG_MUST_CHECK lg_status lg_diagnostics_parasitic_growth(const lg_integrator *it, double *rate, int *count);

LG_END

#endif
