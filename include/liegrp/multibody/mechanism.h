/* SPDX-License-Identifier: BSD-3-Clause */
/** @file mechanism.h
 *  Mechanisms: bodies connected by joints, wheels that roll, springs and motors.
 *
 *  Describe bodies, joints, wheels, springs and motors by name, in any order, and compile. Compilation finds the graph,
 *  the order in which constraints are eliminated, and which rows are redundant. Then an lg_motion moves it
 *  (liegrp/multibody/motion.h). The configuration is (R^3 x SO(3))^N, a pose for each body, and constraints are exact:
 *  loops close, wheels do not slip, and energy keeps its balance to round-off at any step (docs/theory.md section 17).
 *
 *  Units are SI, angles radians. Quaternions are x, y, z, w. The world is the body with the name NULL. */
#ifndef LIEGRP_MULTIBODY_MECHANISM_H
#define LIEGRP_MULTIBODY_MECHANISM_H

#include <stddef.h>
#include <stdint.h>

#include "motor.h"

LG_BEGIN

/** A mechanism: opaque. It belongs to one thread at a time until it is compiled; afterwards it does not change and any
 *  number of motions may share it. */
typedef struct lg_mechanism lg_mechanism;

/** A rigid body. Start from lg_body_default(). */
typedef struct lg_body {
    size_t size;        /**< sizeof(lg_body), set by lg_body_default() */
    const char *name;   /**< must be unique */
    double mass;        /**< kg, positive */
    double inertia[6];  /**< xx, yy, zz, xy, xz, yz about the centre of mass in the body's axes, kg m^2; the matrix must
                         * be  positive definite. Products are entries of the matrix (xy = -sum m x y) */
    double centre[3];   /**< the centre of mass in the body's frame, m */
    double position[3]; /**< of the frame's origin at assembly, m */
    double attitude[4]; /**< of the frame at assembly: unit quaternion; default 0, 0, 0, 1 */
    double gravity;     /**< gravity acts on it so many times: 1, the default; 0 where something bears its weight */
} lg_body;

/** Kinds of joints with their freedoms. */
typedef enum lg_joint_kind {
    LG_JOINT_FIXED = 0,       /**< 0: none */
    LG_JOINT_REVOLUTE = 1,    /**< 1: angle about the axis */
    LG_JOINT_PRISMATIC = 2,   /**< 1: length along the axis */
    LG_JOINT_CYLINDRICAL = 3, /**< 2: length along the axis, angle about it */
    LG_JOINT_UNIVERSAL = 4,   /**< 2: angle about the axis, which is the parent's, then about the second, the child's */
    LG_JOINT_SPHERICAL = 5,   /**< 3: rotation vector */
    LG_JOINT_PLANAR = 6,      /**< 3: two lengths across the axis, angle about it */
    LG_JOINT_DISTANCE = 7,    /**< 5: the two points keep their distance. Not counted among joint positions */
    LG_JOINT_FREE = 8,        /**< 6: translation, rotation vector */
    LG_JOINT_COMPOSED = 9     /**< 1 to 6: the length or angle of each of its motions */
} lg_joint_kind;

/** A joint kind in lower case, such as "revolute"; NULL: `kind` is not an lg_joint_kind. */
LG_API const char *lg_joint_kind_name(lg_joint_kind kind);
/** The number of positions of a joint of this kind, as lg_joint_kind lists them; 0 of a composed joint, which has one
 *  for each of its motions; -1: `kind` is not an lg_joint_kind. */
LG_API int lg_joint_kind_positions(lg_joint_kind kind);
/** The unit of position i of a joint of this kind, "m" or "rad"; NULL: there is no position i. */
LG_API const char *lg_joint_kind_unit(lg_joint_kind kind, int i);

/** The greatest number of motions of a composed joint. */
#define LG_JOINT_MOTIONS 6

/** A hinge or a slide of a composed joint, at position 0. */
typedef struct lg_joint_motion {
    lg_joint_kind kind; /**< LG_JOINT_REVOLUTE or LG_JOINT_PRISMATIC */
    double axis[3];     /**< about or along which; any length */
    double point[3];    /**< on the axis of a hinge, m; a slide has none */
} lg_joint_motion;

/** A joint between a parent and a child. Start from lg_joint_default(). Its frame is given in space at assembly (point,
 *  axis), or on both bodies (on_bodies = 1). */
typedef struct lg_joint {
    size_t size;        /**< sizeof(lg_joint), set by lg_joint_default() */
    const char *name;   /**< must be unique */
    const char *parent; /**< NULL: the world */
    const char *child;  /**< NULL: the world */
    lg_joint_kind kind; /**< default revolute */
    int on_bodies;      /**< 0, the default: point, axis and second are those at assembly, in space; 1: the points and
                         *   frames on the bodies below count */
    int in_space;       /**< 1: rows of the position along the axes of space instead of the parent's. Both describe
                         *   the same joint; their motions differ by O(h^2). Not for joints that slide. Default 0 */
    double point[3];    /**< where the joint is at assembly, m */
    double axis[3];     /**< its axis at assembly; any length */
    double second[3];   /**< the second axis of a universal joint; elsewhere the direction from which angles are
                         *   measured. Its component along the axis is ignored. Default 0: chosen */
    double parent_point[3]; /**< in the parent's frame, m. The points of a distance joint always count */
    double parent_frame[9]; /**< columns are the joint's axes in the parent's frame, the axis third; a rotation */
    double child_point[3];  /**< the same in the child's frame */
    double child_frame[9];  /**< the same in the child's frame */
    double length;          /**< of a distance joint, m; 0: that at assembly */
    double stiffness;       /**< of a spring on each of the joint's lengths and angles, N/m or N m/rad. Not for joints
                             *   with a rotation vector. A position of several has numbers of its own by lg_coordinate */
    double rest;            /**< position at which that spring is slack */
    double damping;         /**< N m s/rad or N s/m; of a rotation vector it damps the angular velocity */
    double lower;           /**< least length and angle; default -INFINITY. Limits are watched, see
                             *   lg_motion_limit(), or held, see `stops` */
    double upper;           /**< greatest position; default INFINITY */
    double friction;        /**< most that dry friction pulls on each length and angle, N or N m: the pull is
                             *   -friction tanh(rate/friction_speed), in addition to damping. Default 0 */
    double friction_speed;  /**< rate that rounds it off, rad/s or m/s: at this rate friction is 76 % of its most, and
                             * a joint under a smaller load creeps, below this rate. 0, the default: dry friction, which
                             * holds still under any load below `friction` (contact.h) */
    double armature; /**< inertia I of a rotor that turns with the joint, kg m^2 or kg: its kinetic energy is I/2 times
                      *   the square of each of the joint's velocities, and it has neither weight nor momentum in
                      *   space. Not for fixed and distance joints. Default 0 */
    lg_joint_motion motion[LG_JOINT_MOTIONS]; /**< of a composed joint: hinges and slides in series from the parent to
                                               *   the child, with nothing between them that has a mass. Axes and
                                               *   points are those at assembly, in space; with on_bodies = 1 those in
                                               *   the joint's frame, where all positions are 0 and the frames on both
                                               *   bodies coincide */
    int64_t motions; /**< how many there are, 1 to LG_JOINT_MOTIONS; of other kinds 0, the default */
    int64_t stops;   /**< 1: lower and upper are stops, which hold each length and angle between them (contact.h). 0,
                      *   the default: they are watched */
    double stop_restitution; /**< e of impacts on a stop, 0 to 1; default 0 */
} lg_joint;

/** A name and numbers of one position of a joint, in addition to those of the joint. Start from
 * lg_coordinate_default(). Motors and gears may name it in place of the joint. */
typedef struct lg_coordinate {
    size_t size;           /**< sizeof(lg_coordinate), set by lg_coordinate_default() */
    const char *name;      /**< must be unique, and no joint's */
    const char *joint;     /**< "hinge" of one position, or "hook.2" of several: a length or an angle */
    double stiffness;      /**< of a spring on it, N/m or N m/rad; default 0 */
    double rest;           /**< at which that spring is slack, m or rad; default 0 */
    double damping;        /**< N s/m or N m s/rad; default 0 */
    double friction;       /**< as lg_joint::friction; default 0 */
    double friction_speed; /**< as lg_joint::friction_speed; default 0 */
    double armature;       /**< inertia that turns with it, kg or kg m^2; default 0 */
    double lower;          /**< least value, watched by lg_motion_limit(); default -INFINITY */
    double upper;          /**< greatest value, watched; default INFINITY */
    int64_t stops;         /**< as lg_joint::stops; default 0 */
    double stop_restitution; /**< as lg_joint::stop_restitution; default 0 */
} lg_coordinate;

/** How a wheel touches the ground. */
typedef enum lg_wheel_kind {
    LG_WHEEL_DISK = 0, /**< a disk, or a torus with `tube` */
    LG_WHEEL_BALL = 1  /**< a ball */
} lg_wheel_kind;

/** A wheel kind, "disk" or "ball"; NULL: `kind` is not an lg_wheel_kind. */
LG_API const char *lg_wheel_kind_name(lg_wheel_kind kind);

/** The motions that the contact of a wheel prevents. */
typedef enum lg_contact {
    LG_CONTACT_ROLLS = 0, /**< stays on the ground and does not slip */
    LG_CONTACT_EDGE = 1, /**< stays on the ground and does not slip sideways: a knife edge, a skate. The row acts at the
                          *   disk's centre, whose velocity across the heading is that of the ground below it. While
                          *   the disk tips over, its lowest point moves sideways by radius times the rate, so give a
                          *   blade a small radius */
    LG_CONTACT_SLIDES = 2, /**< stays on the ground, without friction */
    LG_CONTACT_REAL = 4,   /**< lifts off and slips, with friction and restitution (contact.h) */
    LG_CONTACT_OMNI = 3    /**< stays on the ground on rollers around the rim of a disk, which turn freely: an omni or
                            *   mecanum wheel. The material point that touches does not slip along the axis of its
                            *   roller, see lg_wheel::roller_angle */
} lg_contact;

/** The name of a contact, "rolls", "edge", "slides", "omni" or "real"; NULL: `contact` is not an lg_contact. */
LG_API const char *lg_contact_name(lg_contact contact);

/** A wheel fixed to a body, on a plane. Start from lg_wheel_default(). */
typedef struct lg_wheel {
    size_t size;               /**< sizeof(lg_wheel), set by lg_wheel_default() */
    const char *name;          /**< must be unique */
    const char *body;          /**< the body that it is part of */
    lg_wheel_kind kind;        /**< default a disk */
    lg_contact contact;        /**< default rolls */
    double radius;             /**< m, positive */
    double tube;               /**< radius of the tube of a torus, m; default 0. A ball has none */
    double centre[3];          /**< in the body's frame, m */
    double axle[3];            /**< in the body's frame; default 0, 1, 0 */
    double ground_normal[3];   /**< of the plane, upwards; default 0, 0, 1 */
    double ground_point[3];    /**< a point of the plane */
    double ground_velocity[3]; /**< of the plane's material, m/s, along the plane: a belt */
    double ground_spin;        /**< about the normal through ground_point, rad/s: a turntable */
    double roller_angle;       /**< rad, -pi/2 to pi/2, of contact LG_CONTACT_OMNI alone: the angle from the heading,
                                *   axle x ground_normal, to the axis of the roller on the ground, counterclockwise seen
                                *   from above. Default 0, axes along the rim: an omni wheel, free sideways. pi/4 and
                                *   -pi/4: mecanum wheels. +-pi/2: axes along the axle, free along the heading. The
                                *   ground pushes the wheel along this axis, and up */
    double friction;           /**< Coulomb's mu of contact LG_CONTACT_REAL, not negative; default 0.5 */
    double restitution;        /**< e of its impacts, 0 to 1; default 0 */
    double friction_along;     /**< mu along the heading, axle x ground_normal, from 0 to `friction`, of a disk with
                                *   contact LG_CONTACT_REAL: a skate. Negative, the default: `friction` */
} lg_wheel;

/** A spring and damper between two points. Start from lg_spring_default(). */
typedef struct lg_spring {
    size_t size;            /**< sizeof(lg_spring), set by lg_spring_default() */
    const char *name;       /**< must be unique */
    const char *parent;     /**< NULL: the world */
    const char *child;      /**< NULL: the world */
    double parent_point[3]; /**< in the parent's frame, m */
    double child_point[3];  /**< in the child's frame, m */
    double stiffness;       /**< N/m */
    double rest;            /**< length at which it is slack, m; negative: that at assembly */
    double damping;         /**< N s/m along the line */
} lg_spring;

/** A thruster or a propeller: a force and a torque along an axis of a body, which its control moves. Start from
 *  lg_thruster_default(). Controls of thrusters follow those of the motors, in the order of addition. */
typedef struct lg_thruster {
    size_t size;      /**< sizeof(lg_thruster), set by lg_thruster_default() */
    const char *name; /**< must be unique */
    const char *body; /**< that it pushes */
    double point[3];  /**< where, in the body's frame, m */
    double axis[3];   /**< along which, in the body's frame, of any length; default 0, 0, 1 */
    double force;     /**< N for a control of 1; default 1 */
    double torque;    /**< N m about the axis for a control of 1, such as the reaction of a propeller; default 0 */
    double lower;     /**< the control is held between `lower`, default -INFINITY, */
    double upper;     /**< and `upper`, default INFINITY */
    lg_activation activation; /**< how the control acts, as lg_motor::activation; default at once */
    double time_constant;     /**< T of LG_ACTIVATION_FILTER, s, positive */
    double activation_lower;  /**< least activation; default -INFINITY */
    double activation_upper;  /**< greatest activation; default INFINITY */
} lg_thruster;

/** The motion of a drive at time t. Of a joint's position: motion[3] = q, q', q''. Of a body: motion[19] = the pose of
 * its frame in space (origin, quaternion x, y, z, w of length 1), its twist (velocity of the origin, angular velocity,
 * in space), and the derivative of that twist. Steps take q'(t) and stages of gauss q''(t) as they are: wrong ones show
 * as an error of the energy's balance. A motion calls it at its start and at ends of steps, gauss at its stages too, in
 *  any order of times. Nonzero: the step fails with LG_ERROR_CALLBACK. */
typedef int (*lg_drive_fn)(double t, double *motion, void *context);

/** A motion that is given: a position of a joint, or the pose of a body, follows a function of time, or a table. Start
 *  from lg_drive_default(). lg_motion_drive() gives force and work. Only sem and gauss take drives. */
typedef struct lg_drive {
    size_t size;          /**< sizeof(lg_drive), set by lg_drive_default() */
    const char *name;     /**< must be unique */
    const char *joint;    /**< whose position moves as given: a length or an angle, named as that of a motor; or NULL */
    const char *body;     /**< whose frame moves as given, in space; or NULL */
    lg_drive_fn motion;   /**< the motion; NULL: the table counts */
    void *context;        /**< is passed on to it */
    int count;            /**< rows of the table, 2 or more: the cubic spline with two continuous derivatives through
                           *   them, whose first two pieces are one cubic, and so are the last two */
    const double *times;  /**< count times, increasing, s. A motion ends where the table does. Copied */
    const double *values; /**< q at each of them; of a body 7 numbers a row: origin, quaternion x, y, z, w of any
                           *   length, whose sign does not count. Copied */
} lg_drive;

/** Two positions of joints that move together (gear, mimic, cam): with q of the driver, q_joint = offset + ratio q +
 *  quadratic q^2 + cubic q^3 + quartic q^4. */
typedef struct lg_gear {
    size_t size;        /**< sizeof(lg_gear), set by lg_gear_default() */
    const char *name;   /**< must be unique */
    const char *joint;  /**< a length or an angle, named as that of a motor */
    const char *driver; /**< another one, of this joint or another; NULL with ratio 0: the joint is held at the offset */
    double ratio;       /**< default 1. A gear with a driver needs it or a higher power */
    double offset;      /**< default 0 */
    double quadratic;   /**< default 0 */
    double cubic;       /**< default 0 */
    double quartic;     /**< default 0 */
} lg_gear;

/** Initialise a description of `size` bytes; see lg_body_default() and its like. */
LG_API void lg_body_init(lg_body *body, size_t size);
/** See lg_body_init(). */
LG_API void lg_joint_init(lg_joint *joint, size_t size);
/** See lg_body_init(). */
LG_API void lg_wheel_init(lg_wheel *wheel, size_t size);
/** See lg_body_init(). */
LG_API void lg_spring_init(lg_spring *spring, size_t size);
/** See lg_body_init(). */
LG_API void lg_coordinate_init(lg_coordinate *coordinate, size_t size);
/** See lg_body_init(). */
LG_API void lg_thruster_init(lg_thruster *thruster, size_t size);
/** See lg_body_init(). */
LG_API void lg_gear_init(lg_gear *gear, size_t size);
/** See lg_body_init(). */
LG_API void lg_drive_init(lg_drive *drive, size_t size);

/** A body without mass yet, at the origin. */
static inline lg_body lg_body_default(const char *name)
{
    lg_body body;
    lg_body_init(&body, sizeof body);
    body.name = name;
    return body;
}
/** A joint at the origin about z. */
static inline lg_joint lg_joint_default(const char *name, lg_joint_kind kind, const char *parent, const char *child)
{
    lg_joint joint;
    lg_joint_init(&joint, sizeof joint);
    joint.name = name, joint.kind = kind, joint.parent = parent, joint.child = child;
    return joint;
}
/** A disk that rolls on the plane z = 0, its axle along y of the body. */
static inline lg_wheel lg_wheel_default(const char *name, const char *body)
{
    lg_wheel wheel;
    lg_wheel_init(&wheel, sizeof wheel);
    wheel.name = name, wheel.body = body;
    return wheel;
}
/** A spring between the origins of two bodies' frames, slack at assembly. */
static inline lg_spring lg_spring_default(const char *name, const char *parent, const char *child)
{
    lg_spring spring;
    lg_spring_init(&spring, sizeof spring);
    spring.name = name, spring.parent = parent, spring.child = child;
    return spring;
}
/** A coordinate without numbers yet. */
static inline lg_coordinate lg_coordinate_default(const char *name, const char *joint)
{
    lg_coordinate coordinate;
    lg_coordinate_init(&coordinate, sizeof coordinate);
    coordinate.name = name, coordinate.joint = joint;
    return coordinate;
}
/** A thruster along z at the origin of a body's frame. */
static inline lg_thruster lg_thruster_default(const char *name, const char *body)
{
    lg_thruster thruster;
    lg_thruster_init(&thruster, sizeof thruster);
    thruster.name = name, thruster.body = body;
    return thruster;
}
/** A gear of ratio 1 and offset 0. */
static inline lg_gear lg_gear_default(const char *name, const char *joint, const char *driver)
{
    lg_gear gear;
    lg_gear_init(&gear, sizeof gear);
    gear.name = name, gear.joint = joint, gear.driver = driver;
    return gear;
}

/** A drive of a joint's position, "hinge" or "hook.2"; of a body: joint = NULL, and set lg_drive::body. */
static inline lg_drive lg_drive_default(const char *name, const char *joint)
{
    lg_drive drive;
    lg_drive_init(&drive, sizeof drive);
    drive.name = name, drive.joint = joint;
    return drive;
}

/** An empty mechanism with gravity (0, 0, -9.81).
 *  - LG_ERROR_ARGUMENT: `mechanism` is NULL.
 *  - LG_ERROR_MEMORY: out of memory; *mechanism is NULL. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_create(lg_mechanism **mechanism);
/** Frees it. NULL is allowed. Motions of it must be gone. */
LG_API void lg_mechanism_destroy(lg_mechanism *m);
/** The message of the last call that failed; "" if every call succeeded. Never NULL. */
LG_API const char *lg_mechanism_message(const lg_mechanism *m);

/** Adds a part. Strings are copied. Names of other parts are looked up when the mechanism is compiled. *index (may be
 *  NULL) is its number, counted separately for bodies, joints and so on. A call that fails only sets the message.
 * Errors of all of them:
 *  - LG_ERROR_ARGUMENT: the mechanism is compiled already, a name is missing or taken, or a value is impossible; the
 *    message says which and what would be right.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_body(lg_mechanism *m, int *index, const lg_body *body);
/** See lg_mechanism_add_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_joint(lg_mechanism *m, int *index, const lg_joint *joint);
/** See lg_mechanism_add_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_wheel(lg_mechanism *m, int *index, const lg_wheel *wheel);
/** See lg_mechanism_add_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_spring(lg_mechanism *m, int *index, const lg_spring *spring);
/** See lg_mechanism_add_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_motor(lg_mechanism *m, int *index, const lg_motor *motor);
/** See lg_mechanism_add_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_coordinate(lg_mechanism *m, int *index,
                                                           const lg_coordinate *coordinate);
/** See lg_mechanism_add_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_thruster(lg_mechanism *m, int *index, const lg_thruster *thruster);
/** See lg_mechanism_add_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_gear(lg_mechanism *m, int *index, const lg_gear *gear);
/** See lg_mechanism_add_body(). Its table is copied; the context stays the caller's. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_drive(lg_mechanism *m, int *index, const lg_drive *drive);
/** Sets the acceleration of gravity, m/s^2. Errors as lg_mechanism_add_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_set_gravity(lg_mechanism *m, const double *gravity);
/** Eliminates constraints in the order in which their parts were added instead of one with little fill. The order
 *  decides the gauge of the multipliers, and with it the motion at O(h^2). A body with more than eight joints and
 *  wheels then stays in one piece, whose cost grows with the square of their number. Errors as lg_mechanism_add_body().
 */
LG_API LG_MUST_CHECK lg_status lg_mechanism_keep_order(lg_mechanism *m);

/** Finds names, graph, order and rank, and closes the joints: bodies move from their poses at assembly to the nearest
 *  ones that satisfy all constraints. A step's cost is linear in the number of bodies where each has few joints; those
 *  of one body with c of them are coupled, which costs c^3 (a sweep: 0.5 ms for a hub of 50 spherical joints, 40 ms for
 *  one of 200).
 *  - LG_ERROR_ARGUMENT: a name is not known, a part connects a body with itself, nothing is left to move, wheels with
 *    dependent rows are on grounds whose motions contradict each other, or a drive gives a motion that others
 * determine.
 *  - LG_ERROR_CONVERGENCE: the poses at assembly are too far from any that close the joints; the message names the
 *    joint that is farthest open.
 *  - LG_ERROR_SINGULAR: the mechanism is assembled in a singular configuration (rows depend on others here, but not
 *    nearby), motions of a composed joint depend on each other where its positions are 0, or a row is nearly dependent
 * on others: its relative residual is below 1e-7.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_compile(lg_mechanism *m);

/** The number of bodies, joints, wheels and so on. */
LG_API int lg_mechanism_body_count(const lg_mechanism *m);
/** See lg_mechanism_body_count(). */
LG_API int lg_mechanism_joint_count(const lg_mechanism *m);
/** See lg_mechanism_body_count(). */
LG_API int lg_mechanism_wheel_count(const lg_mechanism *m);
/** See lg_mechanism_body_count(). */
LG_API int lg_mechanism_spring_count(const lg_mechanism *m);
/** See lg_mechanism_body_count(). */
LG_API int lg_mechanism_motor_count(const lg_mechanism *m);
/** See lg_mechanism_body_count(). */
LG_API int lg_mechanism_gear_count(const lg_mechanism *m);
/** See lg_mechanism_body_count(). */
LG_API int lg_mechanism_coordinate_count(const lg_mechanism *m);
/** See lg_mechanism_body_count(). */
LG_API int lg_mechanism_thruster_count(const lg_mechanism *m);
/** See lg_mechanism_body_count(). */
LG_API int lg_mechanism_drive_count(const lg_mechanism *m);
/** The name of body i; NULL: there is no body i. */
LG_API const char *lg_mechanism_body_name(const lg_mechanism *m, int i);
/** See lg_mechanism_body_name(). */
LG_API const char *lg_mechanism_joint_name(const lg_mechanism *m, int i);
/** See lg_mechanism_body_name(). */
LG_API const char *lg_mechanism_wheel_name(const lg_mechanism *m, int i);
/** See lg_mechanism_body_name(). */
LG_API const char *lg_mechanism_spring_name(const lg_mechanism *m, int i);
/** See lg_mechanism_body_name(). */
LG_API const char *lg_mechanism_motor_name(const lg_mechanism *m, int i);
/** See lg_mechanism_body_name(). */
LG_API const char *lg_mechanism_gear_name(const lg_mechanism *m, int i);
/** See lg_mechanism_body_name(). */
LG_API const char *lg_mechanism_coordinate_name(const lg_mechanism *m, int i);
/** See lg_mechanism_body_name(). */
LG_API const char *lg_mechanism_thruster_name(const lg_mechanism *m, int i);
/** See lg_mechanism_body_name(). */
LG_API const char *lg_mechanism_drive_name(const lg_mechanism *m, int i);
/** The number of the body of this name; -1: no body has it. */
LG_API int lg_mechanism_body(const lg_mechanism *m, const char *name);
/** The number of the joint of this name; -1: no joint has it. */
LG_API int lg_mechanism_joint(const lg_mechanism *m, const char *name);

/** The joint that "hinge", of one position, or "hook.2", the second position of several, names: its number, or -1:
 * no joint has it. *position (may be NULL) is the position's number, from 0; -1: the joint has not one position, and
 * the name does not say which. Motors and gears name positions in this way. */
LG_API int lg_mechanism_joint_position(const lg_mechanism *m, int *position, const char *name);

/** Rows of joints, wheels and gears: all that there are, of a compiled mechanism. */
LG_API int lg_mechanism_row_count(const lg_mechanism *m);
/** Their rank: the rows that are used. The others depend on them and are satisfied with them. */
LG_API int lg_mechanism_rank(const lg_mechanism *m);
/** Freedoms of velocity: 6 a body less the rank. */
LG_API int lg_mechanism_freedoms(const lg_mechanism *m);
/** A sentence on the i-th joint, wheel or gear with redundant rows: "joint 'knee': rows 2 and 4 depend on those of
 *  'hip' and 'ankle'"; NULL beyond the last. A wheel's rows are its height (1) and rolling along (2) and across (3). */
LG_API const char *lg_mechanism_redundant(const lg_mechanism *m, int i);

LG_END

#endif
