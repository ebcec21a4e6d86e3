/* SPDX-License-Identifier: BSD-3-Clause */
/** @file system.h
 *  A mechanism as an lg_system: the same bodies, joints, wheels, springs and motors for every method of lg_integrator
 *  and for every function that takes a system. Cost grows with the third power of the number of bodies; it is for small
 *  mechanisms, for other methods, and for checking the sparse step. */
#ifndef LIEGRP_MULTIBODY_SYSTEM_H
#define LIEGRP_MULTIBODY_SYSTEM_H

#include "../mechanics/system.h"
#include "motion.h"

LG_BEGIN

/** *S = the mechanism as a system on (R^3 x SO(3))^N: for each body its centre of mass and quaternion, velocity in
 *  space and angular velocity in the body, so that the inertia is constant. The rows that the mechanism uses (redundant
 *  ones are left out) are holonomic constraints for joints, heights of wheels and gears, and velocity constraints with
 *  the ground's drift for rolling. Gravity and springs are the potential, dampers the force, motors its controls.
 *  Bodies that compilation shared out (more than eight joints and wheels) add their further shares after all others.
 *
 *  The system has the means of lg_callbacks. With "sem:cholesky", the retraction "cayley" it
 *  makes the steps of lg_motion, to round-off; for mechanisms with wheels that roll this takes
 *  lg_mechanism_keep_order() before they are compiled, without which the two differ by O(h^2). The order of the rows is
 *  that in which the mechanism eliminates them: joints, heights and gears, then rolling.
 *
 *  A configuration does not tell how often a joint has turned. Angles of springs on joints are those nearest to the
 *  spring's rest, and gears hold up to whole turns; lg_motion counts turns.
 *
 *  The system belongs to the mechanism. The first call makes it, so call once before threads share the mechanism.
 *  - LG_ERROR_ARGUMENT: the mechanism is not compiled, or it cannot move.
 *  - LG_ERROR_UNSUPPORTED: a gear between two angles has a ratio that is not a fraction with a denominator up to 64;
 *    the message names it; a joint is composed; or a control has an activation.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_system(lg_mechanism *m, const lg_system **S);

LG_END

#endif
