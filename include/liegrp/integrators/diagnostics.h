/* SPDX-License-Identifier: BSD-3-Clause */
/** @file diagnostics.h
 *  Properties of a step at the present state, measured on demand. They allocate; they leave the integrator's state as
 *  it is. On failure the figure is NaN. */
#ifndef LIEGRP_INTEGRATORS_DIAGNOSTICS_H
#define LIEGRP_INTEGRATORS_DIAGNOSTICS_H

#include "integrator.h"

LG_BEGIN

/** How far the method is from being reversible: `steps` steps from the present state, then as many of -h from where
 *  they led, which for a reversible method is the way back. *defect is the larger of the distance of configurations,
 *  relative to the larger of the element's largest number and the way that was gone, and of that of momenta (metric
 *  J^-1), relative to the largest |p~| on the way. Round-off (times the number of steps and the problem's own
 * sensitivity) for symmetric methods with symmetric retractions; for `gni-r`, one-sided rules and baselines it goes to
 * 0 with h. The way back begins from the momentum that arrived, p^+, where the method carries on another (gni, rattle,
 * variational, dla; what is compared at the end is likewise p^+ of the way back to p^-, p~ for dla), and from p~
 * elsewhere. Controls stay as they are. LG_ERROR_ARGUMENT: a pointer is NULL, `it` is not started, steps < 1;
 * LG_ERROR_MEMORY; and all of lg_integrator_step(). */
LG_API LG_MUST_CHECK lg_status lg_diagnostics_reversibility(const lg_integrator *it, double *defect, int64_t steps);

/** The determinant of the next step's derivative on (eta, p), left-trivialised, by lg_linearisation_compute(): 1 or -1
 * (by the parity of the number of velocity rows) for `gni` with any metric and potential and for `variational`, without
 * forces. It is 0, up to round-off, where all steps end on constraints, such as holonomic constraints, or velocity rows
 * under shared multipliers: such a step is no map onto. LG_ERROR_ARGUMENT: a pointer is NULL, `it` is not started;
 * LG_ERROR_MEMORY; and all of lg_linearisation_compute(). */
LG_API LG_MUST_CHECK lg_status lg_diagnostics_determinant(const lg_integrator *it, double *determinant);

/** The growth rate of the parasitic mode of the GNI at the present state: log|lambda| / |h| of the largest multiplier
 *  lambda of the next step's derivative on (eta, p) with a negative real part; *count (may be NULL) is how many of
 *  those there are. Velocity rows give one each, near -1; where the motion itself turns by more than a right angle in
 *  a step, its multipliers are among them. *rate is NaN and *count 0 without such multipliers, for all methods but the
 *  GNI (others have no normal part), and for compositions, in which every sub-step is made twice.
 *  Statuses as lg_diagnostics_determinant(), LG_ERROR_CONVERGENCE: the eigenvalues were not found;
 * LG_ERROR_UNSUPPORTED: the library was built without LAPACK. */
LG_API LG_MUST_CHECK lg_status lg_diagnostics_parasitic_growth(const lg_integrator *it, double *rate, int *count);

LG_END

#endif
