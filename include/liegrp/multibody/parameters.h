/* SPDX-License-Identifier: BSD-3-Clause */
/** @file parameters.h
 *  The numbers of a mechanism by name, to be read and, before it is compiled, changed; and its parts as they were
 *  described. */
#ifndef LIEGRP_MULTIBODY_PARAMETERS_H
#define LIEGRP_MULTIBODY_PARAMETERS_H

#include "contact.h"

LG_BEGIN

/** How many parameters there are, numbered from 0: gravity.x, gravity.y, gravity.z; of each body BODY.mass,
 *  BODY.inertia_xx, _yy, _zz, _xy, _xz, _yz, BODY.centre_x, _y, _z, BODY.position_x, _y, _z, BODY.gravity; of each
 * revolute or prismatic joint JOINT.stiffness, JOINT.rest, JOINT.damping, JOINT.friction, JOINT.friction_speed; of each
 * distance joint JOINT.length; of each wheel WHEEL.radius, WHEEL.tube, WHEEL.ground_velocity_x, _y, _z,
 * WHEEL.ground_spin; of each spring SPRING.stiffness, SPRING.rest, SPRING.damping; of each gear GEAR.ratio,
 * GEAR.offset; of each contact of spheres CONTACT.parent_radius, CONTACT.child_radius. They have the meaning of the
 * members of lg_body and so on. */
LG_API int lg_mechanism_parameter_count(const lg_mechanism *m);
/** The number of the parameter of this name, "crank.mass"; -1: there is no such parameter. Where parts of two kinds
 * have the same name, and a parameter of the same name, it belongs to the first in the order above; "wheel:left.radius"
 * names the kind as well, and is always understood. */
LG_API int lg_mechanism_parameter(const lg_mechanism *m, const char *name);
/** Writes the name of parameter i into `name` of `size` bytes, cut off where it is longer, and returns its length; -1:
 *  there is no such parameter. */
LG_API int lg_mechanism_parameter_name(const lg_mechanism *m, char *name, size_t size, int i);
/** The value of parameter i; NaN: there is no parameter i. */
LG_API double lg_mechanism_parameter_value(const lg_mechanism *m, int i);
/** The unit of parameter i; NULL: there is no parameter i. */
LG_API const char *lg_mechanism_parameter_unit(const lg_mechanism *m, int i);
/** Sets a parameter of a mechanism that is not compiled yet. Whether all values of a part are possible together is
 *  found when it is compiled.
 *  - LG_ERROR_ARGUMENT: m is NULL or compiled, there is no such parameter (the message names the nearest ones), or the
 *    value is not finite. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_set_parameter(lg_mechanism *m, const char *name, double value);

/** Reads part i as it was described, with what was set since. Its strings are the mechanism's own and live as long as
 *  it. Start from a description of lg_body_default() and so on, whose `size` counts. Errors of all these functions:
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, there is no part i, or the description's `size` is not set. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_body(const lg_mechanism *m, lg_body *body, int i);
/** See lg_mechanism_read_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_joint(const lg_mechanism *m, lg_joint *joint, int i);
/** See lg_mechanism_read_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_wheel(const lg_mechanism *m, lg_wheel *wheel, int i);
/** See lg_mechanism_read_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_spring(const lg_mechanism *m, lg_spring *spring, int i);
/** See lg_mechanism_read_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_motor(const lg_mechanism *m, lg_motor *motor, int i);
/** See lg_mechanism_read_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_coordinate(const lg_mechanism *m, lg_coordinate *coordinate, int i);
/** See lg_mechanism_read_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_thruster(const lg_mechanism *m, lg_thruster *thruster, int i);
/** See lg_mechanism_read_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_gear(const lg_mechanism *m, lg_gear *gear, int i);
/** See lg_mechanism_read_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_sphere_contact(const lg_mechanism *m, lg_sphere_contact *contact,
                                                                int i);
/** See lg_mechanism_read_body(). The table's pointers are the mechanism's own, too. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_drive(const lg_mechanism *m, lg_drive *drive, int i);
/** 1: joint i of a compiled mechanism closes a loop; 0: it belongs to the spanning tree, or there is no joint i. */
LG_API int lg_mechanism_joint_closes(const lg_mechanism *m, int i);

LG_END

#endif
