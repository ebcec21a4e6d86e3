/* SPDX-License-Identifier: BSD-3-Clause */
/** @file contact.h
 *  Contact: surfaces of bodies that touch and leave each other, with friction and impacts.
 *
 *  A motion of sem keeps for every contact, at every node, the gap >= 0 and |P_t| <= mu P_n, and the balance of energy
 *  with all that friction, landings and impacts take, to round-off (docs/contact.md). gauss has the order of its stages
 *  between events, for few contacts. Other methods refuse mechanisms with surfaces, stops or dry friction. */
#ifndef LIEGRP_MULTIBODY_CONTACT_H
#define LIEGRP_MULTIBODY_CONTACT_H

#include <stdint.h>

#include "motion.h"

LG_BEGIN

/** Two spheres, one on each body, that touch: the child's rolls or slides on the parent's, outside or inside. Start
 * from lg_sphere_contact_default(). Rolling has no row about the normal: spheres may spin on each other. The directions
 * of its two rows follow the contact smoothly but for one point, that of the parent's sphere opposite to the contact at
 *  assembly: near it steps become inexact, and fail at it. */
typedef struct lg_sphere_contact {
    size_t size;             /**< sizeof(lg_sphere_contact), set by lg_sphere_contact_default() */
    const char *name;        /**< must be unique */
    const char *parent;      /**< NULL: the world */
    const char *child;       /**< NULL: the world */
    lg_contact contact;      /**< default rolls; or slides */
    int inside;              /**< 1: the child's sphere is inside the parent's, a ball in a bowl. Default 0 */
    double parent_centre[3]; /**< of its sphere, in the parent's frame, m */
    double parent_radius;    /**< m; inside larger than the child's; 0: a point */
    double child_centre[3];  /**< of its sphere, in the child's frame, m */
    double child_radius;     /**< m; 0: a point */
} lg_sphere_contact;

/** See lg_body_init(). */
LG_API void lg_sphere_contact_init(lg_sphere_contact *sphere_contact, size_t size);
/** Spheres about the origins of two bodies' frames that roll on each other. */
static inline lg_sphere_contact lg_sphere_contact_default(const char *name, const char *parent, const char *child)
{
    lg_sphere_contact contact;
    lg_sphere_contact_init(&contact, sizeof contact);
    contact.name = name, contact.parent = parent, contact.child = child;
    return contact;
}

/** See lg_mechanism_add_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_sphere_contact(lg_mechanism *m, int *index,
                                                               const lg_sphere_contact *contact);
/** See lg_mechanism_body_count(). */
LG_API int lg_mechanism_sphere_contact_count(const lg_mechanism *m);
/** See lg_mechanism_body_name(). */
LG_API const char *lg_mechanism_sphere_contact_name(const lg_mechanism *m, int i);

/** The shape of a surface, in the frame of the surface. */
typedef enum lg_surface_kind {
    LG_SURFACE_POINT = 0,     /**< the frame's origin */
    LG_SURFACE_SPHERE = 1,    /**< about the origin; half[0]: radius */
    LG_SURFACE_CAPSULE = 2,   /**< about a segment of the third axis; half[0]: radius, half[1]: half the segment */
    LG_SURFACE_BOX = 3,       /**< half: half its sides */
    LG_SURFACE_CYLINDER = 4,  /**< about the third axis; half[0]: radius, half[1]: half its height */
    LG_SURFACE_DISK = 5,      /**< flat, across the third axis; half[0]: radius */
    LG_SURFACE_ELLIPSOID = 6, /**< half: half its axes */
    LG_SURFACE_TORUS = 7,     /**< about the third axis; half[0]: radius of its circle, half[1]: that of the tube */
    LG_SURFACE_HULL = 8,      /**< the convex hull of `points` */
    LG_SURFACE_PLANE = 9,     /**< all below the first two axes: a half-space whose normal is the third axis */
    LG_SURFACE_TRIANGLES =
        10,                 /**< terrain of the world, of `triangles` with the vertices `points`, and all behind it */
    LG_SURFACE_HEIGHTS = 11 /**< terrain of the world: `height` over a grid of the first two axes, and all below it;
                             *   half: half its sides */
} lg_surface_kind;

/** A surface kind, such as "sphere"; NULL: `kind` is not an lg_surface_kind. */
LG_API const char *lg_surface_kind_name(lg_surface_kind kind);

/** Which friction two surfaces of equal priority have. */
typedef enum lg_friction_rule {
    LG_FRICTION_SMALLER = 0, /**< the smaller of both */
    LG_FRICTION_GREATER = 1  /**< the greater of both, if this is the rule of both: that of MJCF */
} lg_friction_rule;

/** A surface of a body, or of the world, which others touch. Start from lg_surface_default(). Which kinds touch each
 *  other: docs/contact.md. Those of one body, of bodies with a joint between them that is not free, of one group, and
 *  without a common bit in contype and conaffinity do not touch; the world is a neighbour of what is fixed to it alone.
 *  Two surfaces have the smaller friction and the smaller restitution of both, if neither `priority`, `rule` nor an
 *  lg_surface_pair says otherwise. */
typedef struct lg_surface {
    size_t size;          /**< sizeof(lg_surface), set by lg_surface_default() */
    const char *name;     /**< must be unique */
    const char *body;     /**< whose it is; NULL: the world */
    lg_surface_kind kind; /**< default a sphere */
    int group;            /**< surfaces of one group, other than 0, do not touch each other. Default 0 */
    double half[3];       /**< sizes in m, see lg_surface_kind */
    double position[3];   /**< of the surface's frame, in the body's, m */
    double attitude[4];   /**< quaternion x, y, z, w of the surface's frame, of any length; default 0, 0, 0, 1 */
    double friction;      /**< Coulomb's mu, not negative; default 0.5 */
    double restitution;   /**< e of impacts, 0 to 1; default 0 */
    int points;           /**< of a hull, 1 to LG_SURFACE_POINTS; vertices of triangles, at most LG_TERRAIN_MOST */
    const double *point;  /**< three coordinates each, in the surface's frame, m. Copied */
    double viscous;       /**< c, s/m, not negative. Positive: the surface slides with the force -c N u instead of
                           *   Coulomb's, u being the velocity across the normal and N the normal force, and never
                           *   sticks; of two surfaces the greater c counts. Impacts have no friction then. Default 0 */
    int contype;     /**< bits: two surfaces touch only if contype of one and conaffinity of the other have a bit in
                      *   common. Default 1 */
    int conaffinity; /**< bits; default 1 */
    int priority;    /**< of two surfaces with different priorities the friction, restitution and viscous of the one
                      *   with the greater priority count. Default 0 */
    lg_friction_rule rule; /**< default the smaller */
    double friction_along; /**< of a blade on a plane: mu along the heading, from 0 to `friction`, which is that across,
                            *   and at most the friction of both surfaces. The heading is the third axis x the plane's
                            *   normal of capsules, cylinders, disks and tori, and the first axis of others as it lies
                            *   on the plane; if this axis is normal to the plane, mu along counts in all directions.
                            *   What slips takes the most power of all forces in the ellipse of both coefficients.
                            *   Negative, the default: `friction` */
    int triangles;         /**< of LG_SURFACE_TRIANGLES, at most LG_TERRAIN_MOST */
    int rows;              /**< of LG_SURFACE_HEIGHTS, along the second axis, from 2 */
    int columns;           /**< along the first axis, from 2; rows x columns is at most LG_TERRAIN_MOST */
    const int *triangle; /**< the numbers of three points each, counterclockwise as seen from outside. A side belongs to
                          *   one triangle, at a border, or to two. Copied */
    const double *height; /**< m, along the third axis: rows x columns, the first row at the least y, in a row from the
                           *   least x to the greatest. A cell is cut from its least x and y to its greatest. Copied */
} lg_surface;

/** The largest number of points of a hull. */
#define LG_SURFACE_POINTS 4096
/** The largest number of triangles, of vertices and of heights of a terrain. */
#define LG_TERRAIN_MOST 4000000

/** What two surfaces are to each other. Start from lg_surface_pair_default(). */
typedef struct lg_surface_pair {
    size_t size;        /**< sizeof(lg_surface_pair), set by lg_surface_pair_default() */
    const char *name;   /**< must be unique */
    const char *first;  /**< a surface */
    const char *second; /**< another one */
    int ignored;        /**< 1: they pass through each other. 0, the default: they touch, neighbours and groups too */
    double friction;    /**< mu; negative, the default: the smaller of both */
    double restitution; /**< e; negative, the default: the smaller of both */
    double viscous;     /**< lg_surface::viscous; negative, the default: the greater of both */
} lg_surface_pair;

/** See lg_body_init(). */
LG_API void lg_surface_init(lg_surface *surface, size_t size);
/** See lg_body_init(). */
LG_API void lg_surface_pair_init(lg_surface_pair *pair, size_t size);
/** A sphere without a radius yet, at the origin of a body's frame. */
static inline lg_surface lg_surface_default(const char *name, const char *body)
{
    lg_surface surface;
    lg_surface_init(&surface, sizeof surface);
    surface.name = name, surface.body = body;
    return surface;
}
/** A pair with the values of its surfaces. */
static inline lg_surface_pair lg_surface_pair_default(const char *name, const char *first, const char *second)
{
    lg_surface_pair pair;
    lg_surface_pair_init(&pair, sizeof pair);
    pair.name = name, pair.first = first, pair.second = second;
    return pair;
}

/** See lg_mechanism_add_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_surface(lg_mechanism *m, int *index, const lg_surface *surface);
/** See lg_mechanism_add_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_surface_pair(lg_mechanism *m, int *index, const lg_surface_pair *pair);
/** See lg_mechanism_read_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_surface(const lg_mechanism *m, lg_surface *surface, int i);
/** See lg_mechanism_read_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_surface_pair(const lg_mechanism *m, lg_surface_pair *pair, int i);
/** See lg_mechanism_body_count(). */
LG_API int lg_mechanism_surface_count(const lg_mechanism *m);
/** See lg_mechanism_body_count(). */
LG_API int lg_mechanism_surface_pair_count(const lg_mechanism *m);
/** See lg_mechanism_body_name(). */
LG_API const char *lg_mechanism_surface_name(const lg_mechanism *m, int i);
/** See lg_mechanism_body_name(). */
LG_API const char *lg_mechanism_surface_pair_name(const lg_mechanism *m, int i);

/** Why two surfaces do not touch, or where the values of their contacts come from. */
typedef enum lg_meeting_reason {
    LG_MEETING_ONE_BODY = 0,   /**< they do not touch: both are of one body, or of the world */
    LG_MEETING_IGNORED = 1,    /**< they do not touch: an lg_surface_pair ignores them */
    LG_MEETING_GROUP = 2,      /**< they do not touch: they are of one group */
    LG_MEETING_BITS = 3,       /**< they do not touch: contype and conaffinity have no bit in common */
    LG_MEETING_NEIGHBOURS = 4, /**< they do not touch: a joint connects their bodies */
    LG_MEETING_PAIR = 5,       /**< an lg_surface_pair has values of its own */
    LG_MEETING_PRIORITY = 6,   /**< those of the surface with the greater priority */
    LG_MEETING_SMALLER = 7,    /**< the smaller friction of both */
    LG_MEETING_GREATER = 8     /**< the greater friction of both */
} lg_meeting_reason;

/** What two surfaces are to each other. */
typedef struct lg_surface_meeting {
    int touch;                /**< 1: they have contacts; 0: they pass through each other */
    lg_meeting_reason reason; /**< why not, or the rule of the friction */
    double friction;          /**< mu of their contacts; 0 if they do not touch */
    double restitution;       /**< e, likewise */
    double viscous;           /**< c, s/m, likewise */
} lg_surface_meeting;

/** What surfaces number `first` and `second` of a compiled mechanism are to each other.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, the mechanism is not compiled, or there is no such surface. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_surface_meeting(const lg_mechanism *m, lg_surface_meeting *meeting,
                                                            int first, int second);
/** A reason in words, such as "the smaller friction of both"; NULL: `reason` is not an lg_meeting_reason. */
LG_API const char *lg_meeting_reason_text(lg_meeting_reason reason);

/** The law of impacts, in which all closed contacts take part. */
typedef enum lg_impact_law {
    LG_IMPACT_POISSON = 0,   /**< compression until nothing approaches, then an expansion whose normal impulses are at
                              *   least e times those: it never gains energy */
    LG_IMPACT_NEWTON = 1,    /**< the normal velocity after it is at least -e times that before: with friction it may
                              *   gain energy: lg_motion_impact_gain() */
    LG_IMPACT_SEQUENTIAL = 2 /**< one contact after the other, the fastest first, each by Poisson's law: Newton's
                              *   cradle */
} lg_impact_law;

/** A law, "poisson", "newton" or "sequential"; NULL: `law` is not an lg_impact_law. */
LG_API const char *lg_impact_law_name(lg_impact_law law);

/** How a motion deals with contacts. Start from lg_contact_options_default(). */
typedef struct lg_contact_options {
    size_t size;          /**< sizeof(lg_contact_options), set by lg_contact_options_default() */
    lg_impact_law law;    /**< default Poisson's */
    double capture_speed; /**< m/s, of stops also rad/s: what comes down slower lands without an impact, and stays.
                           *   A bouncing ball comes to rest there, with an error of m v^2/2 in its energy, which the
                           *   account shows. Positive; default 0.01 */
    int localise;         /**< 1, the default: an impact ends the step in which it happens, and another one begins.
                           *   0: whatever lands in a step loses its normal velocity; gauss refuses that */
    int64_t events;       /**< the most impacts in a step, after which landings are as with localise = 0; of gauss the
                           *   most events, with more of which a step fails. Default 50 */
    int64_t separate;     /**< 1: starts that overlap are moved apart as little as possible in the metric of the masses,
                           *   with project = 1; lg_motion_remark() says what it changed. 0, the default: they are
                           *   refused */
} lg_contact_options;

/** See lg_body_init(). */
LG_API void lg_contact_options_init(lg_contact_options *options, size_t size);
/** Poisson's law with the defaults of lg_contact_options. */
static inline lg_contact_options lg_contact_options_default(void)
{
    lg_contact_options options;
    lg_contact_options_init(&options, sizeof options);
    return options;
}

/** Sets them for the steps to come. Copied.
 *  - LG_ERROR_ARGUMENT: it is no motion of a mechanism by sem or gauss, or a value is impossible; the message says
 *    which. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_contact(lg_motion *mo, const lg_contact_options *options);

/** The state of a contact. */
typedef enum lg_contact_mode {
    LG_CONTACT_OPEN = 0,   /**< nothing touches */
    LG_CONTACT_STICKS = 1, /**< it touches and does not slip */
    LG_CONTACT_SLIPS = 2   /**< it touches and slips */
} lg_contact_mode;

/** A contact at the end of the last step. */
typedef struct lg_contact_state {
    lg_contact_mode mode; /**< what it does */
    int surface[2];       /**< the surfaces; -1 of stops, dry friction and wheels */
    int joint;            /**< of a stop or dry friction; -1 of others */
    int wheel;            /**< of a wheel with contact LG_CONTACT_REAL on its ground; -1 of others */
    double gap;           /**< m, of stops also rad. A face that is tilted by less than 1 degree stands on points of its
                           *   rim: INFINITY for the rim then, and for these points else. INFINITY for a contact that
                           *   waits for a feature of two surfaces */
    double normal[3];     /**< from the first surface to the second, in space */
    double point[3];      /**< where, in space */
    double force[3];      /**< on the second surface, in space: the mean over the step, N. Of a joint: force[0] is the
                           *   force or torque along its coordinate */
    double slip[3];       /**< velocity of the second surface's material along the first, in space, m/s */
} lg_contact_state;

/** The number of contacts that may close: of a surface and a plane one for each corner, end or rim, of two other
 * surfaces one where they are nearest and up to eight for their features, each stop and each dry friction, in a fixed
 * order; 0: it is no motion of a mechanism with contacts. Of more than 1000 pairs of surfaces that are no planes, only
 * those are in the list, at its end and in the order of their surfaces, that were near each other at the beginning of
 * the last step: the number changes from step to step. */
LG_API int lg_motion_contact_count(const lg_motion *mo);
/** Contact number i.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, there is no contact i, or the motion is not started. */
LG_API LG_MUST_CHECK lg_status lg_motion_contact(const lg_motion *mo, lg_contact_state *state, int i);
/** Impacts since the start; -1: it is no motion of a mechanism. */
LG_API int64_t lg_motion_impacts(const lg_motion *mo);
/** The energy in J that impacts have added since the start, not less what others took: 0 with LG_IMPACT_POISSON and
 *  LG_IMPACT_SEQUENTIAL; LG_IMPACT_NEWTON may add some where there is friction. The account contains it, in
 *  lg_account::impact_normal and lg_account::impact_friction. NaN: it is no motion of a mechanism. */
LG_API double lg_motion_impact_gain(const lg_motion *mo);

/** What an impact did at one of the contacts that took part in it. */
typedef struct lg_impact {
    int contact;       /**< its number, see lg_motion_contact() */
    int joint;         /**< of a stop; -1 of others */
    int surface[2];    /**< the surfaces; -1 of others */
    int wheel;         /**< of a wheel on its ground; -1 of others */
    double approach;   /**< the speed at which they came together, m/s, of stops also rad/s; negative: they parted */
    double impulse[3]; /**< on the second surface, in space, N s. Of a stop: impulse[0] along its coordinate, on it */
    double loss;       /**< energy that it took, J. One of several may be negative, their sum is not (but for Newton's
                        *   law) */
} lg_impact;

/** Called inside a step after each impact, at time t, with the `count` contacts that took part. Steps that are taken
 *  back, because they fail or an event is sought in them, have called it, and call it again when they are repeated. A
 *  nonzero return aborts the step and is reported. */
typedef int (*lg_impact_fn)(double t, const lg_impact *impacts, int count, void *context);

/** Sets the function that impacts call; NULL: none. Copies and ensembles of the motion do not call it.
 *  - LG_ERROR_ARGUMENT: it is no motion of a mechanism with contacts. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_impact(lg_motion *mo, lg_impact_fn impact, void *context);

LG_END

#endif
