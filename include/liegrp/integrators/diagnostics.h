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
 *  - LG_ERROR_UNSUPPORTED: controls are polynomials (lg_integrator_set_control_nodes()).
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

/** How well a step resolves the motion: the largest differences between steps and smaller ones from the same states
 *  (two half steps, at some of the states 16 parts), relative to the largest motion in a step; start from
 *  lg_resolution_default(). Rotations are in radians: those of SO(2),
 *  SO(3), SE(2), SE(3) and the angles of T^n. Positions are the coordinates of R^n, the translations of SE(2) and
 *  SE(3), and the numbers of an element of any other group. Velocities are in the kinetic norm, |v|^2 = v . J v. */
typedef struct lg_resolution {
    size_t size;             /**< sizeof(lg_resolution), set by lg_resolution_default() */
    int64_t samples;         /**< steps that were repeated */
    int64_t failed;          /**< of these: the smaller steps failed */
    double rotation;         /**< largest difference of rotations */
    double position;         /**< largest difference of positions */
    double velocity;         /**< largest difference of velocities */
    double rotation_in_step; /**< largest rotation in a step, or |h omega| at its end */
    double position_in_step; /**< the same of positions */
    double speed;            /**< largest velocity */
    double turn;             /**< largest |h omega| of one factor's rotation, radians */
} lg_resolution;

/** Initialises a resolution of `size` bytes; see lg_resolution_default(). */
LG_API void lg_resolution_init(lg_resolution *r, size_t size);
/** A resolution without samples. */
static inline lg_resolution lg_resolution_default(void)
{
    lg_resolution r;
    lg_resolution_init(&r, sizeof r);
    return r;
}

/** Makes `steps` steps from the present state, repeats each in smaller ones from the same state, and adds what it sees
 *  to *r, which may hold samples of the same trajectory already. Controls stay as they are. Smaller steps that fail are
 *  counted in lg_resolution::failed. Errors are those of lg_integrator_step(), for the full steps, and:
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, `it` is not started, the size of *r is wrong, or steps < 1.
 *  - LG_ERROR_UNSUPPORTED: controls are polynomials (lg_integrator_set_control_nodes()).
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_diagnostics_resolution(const lg_integrator *it, lg_resolution *r, int64_t steps);

/** The largest of the three differences relative to the largest motion in a step, for velocities to the largest
 *  velocity: an estimate of the part of the motion in a step that the step gets wrong. 0 without samples, INFINITY if
 *  smaller steps failed, NaN for NULL or a wrong size. */
LG_API double lg_resolution_worst(const lg_resolution *r);
/** 1: the step resolves the motion, lg_resolution_worst() <= 0.03, or 0.002 where lg_resolution::turn > 1; else 0. */
LG_API int lg_resolution_suffices(const lg_resolution *r);

LG_END

#endif
