/* SPDX-License-Identifier: BSD-3-Clause */
/** @file motor.h
 *  Motors and servos of mechanisms, and the dynamics of what their controls set. */
#ifndef LIEGRP_MULTIBODY_MOTOR_H
#define LIEGRP_MULTIBODY_MOTOR_H

#include <stddef.h>

#include "../base/status.h"

LG_BEGIN

/** How a control u, which is held during a step, acts: at once, or through an activation a, a state of first order that
 *  begins at 0 (or, if its limits exclude 0, at the nearer limit) and is held between two limits. Steps have its closed
 *  form: sem its mean over a step, gauss its value at each stage. */
typedef enum lg_activation {
    LG_ACTIVATION_NONE = 0,      /**< at once: a = u */
    LG_ACTIVATION_FILTER = 1,    /**< T a' = u - a, with the time constant T */
    LG_ACTIVATION_INTEGRATOR = 2 /**< a' = u */
} lg_activation;

/** The name of an activation, "none", "filter" or "integrator"; NULL: `activation` is not an lg_activation. */
LG_API const char *lg_activation_name(lg_activation activation);

/** A motor on a length or an angle of a joint, which its control number i, in the order of addition, moves through a
 *  transmission: the motor turns n = ratio times as fast as the joint, whose position is q, and its torque or force
 *
 *    tau = u                         without gains,
 *    tau = g u - kp n q - kv n q'    with a position_gain kp > 0: g = kp makes the control u the wanted position,
 *    tau = g u - kv n q'             with a velocity_gain kv > 0 alone: g = kv makes it the wanted velocity,
 *
 *  held between lower and upper, acts on the joint as n tau. kp h^2 and kv h may be far beyond the inertia. With an
 *  activation, that takes the place of u in tau. */
typedef struct lg_motor {
    size_t size;       /**< sizeof(lg_motor), set by lg_motor_default() */
    const char *name;  /**< must be unique */
    const char *joint; /**< whose position it drives: "hinge", "hook.2" of several, an lg_coordinate, or an lg_tendon,
                        * without rotor. A held torque may act about an axis of the parent: "ball.3" of a vector */
    double ratio;      /**< n of the transmission, not 0; default 1 */
    double rotor_inertia; /**< I of the rotor about its axis, kg m^2: n^2 I adds to the joint's armature. Default 0 */
    double position_gain; /**< kp, N m/rad or N/m, not negative; default 0: the control is no position */
    double velocity_gain; /**< kv, N m s/rad or N s/m, not negative; default 0 */
    double lower;         /**< least torque or force of the motor; default -INFINITY */
    double upper;         /**< greatest torque or force of the motor; default INFINITY */
    double control_gain;  /**< g of a servo, N m or N for a control of 1; default 0: kp, or kv without kp */
    double control_lower; /**< the control is held between `control_lower`, default -INFINITY, */
    double control_upper; /**< and `control_upper`, default INFINITY */
    lg_activation activation; /**< how the control acts; default LG_ACTIVATION_NONE, at once */
    double time_constant;     /**< T of LG_ACTIVATION_FILTER, s, positive */
    double activation_lower;  /**< least activation; default -INFINITY */
    double activation_upper;  /**< greatest activation; default INFINITY */
    double damping_gain; /**< d of a brake, N m s/rad or N s/m for a control of 1: tau = -d u n q', where a negative u
                          *   counts as 0. Not with other gains or limits of tau. Default 0 */
} lg_motor;

/** Initialises a description of `size` bytes; see lg_motor_default(). */
LG_API void lg_motor_init(lg_motor *motor, size_t size);

/** A motor on a joint. */
static inline lg_motor lg_motor_default(const char *name, const char *joint)
{
    lg_motor motor;
    lg_motor_init(&motor, sizeof motor);
    motor.name = name, motor.joint = joint;
    return motor;
}

LG_END

#endif
