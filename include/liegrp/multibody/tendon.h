/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tendon.h
 *  Tendons of mechanisms: lengths that are sums of joint positions and of distances between points. */
#ifndef LIEGRP_MULTIBODY_TENDON_H
#define LIEGRP_MULTIBODY_TENDON_H

#include <stdint.h>

#include "mechanism.h"

LG_BEGIN

/** What a term of a tendon is. */
typedef enum lg_tendon_kind {
    LG_TENDON_JOINT = 0, /**< a position of a joint, times a coefficient */
    LG_TENDON_POINT = 1, /**< a point of a body: the distance from the point before it in its branch */
    LG_TENDON_PULLEY = 2 /**< here the branch of points ends; the distances behind it are divided by its divisor */
} lg_tendon_kind;

/** The largest number of terms of a tendon. */
#define LG_TENDON_TERMS 256

/** A term of a tendon's length. */
typedef struct lg_tendon_term {
    lg_tendon_kind kind; /**< what it is */
    const char *name; /**< LG_TENDON_JOINT: a length or an angle, named as that of a motor; LG_TENDON_POINT: the body,
                       *   NULL: the world; LG_TENDON_PULLEY: without meaning */
    double number;    /**< LG_TENDON_JOINT: the coefficient; LG_TENDON_PULLEY: the divisor, positive, which counts up to
                       *   the next pulley; LG_TENDON_POINT: without meaning */
    double point[3];  /**< LG_TENDON_POINT: in the body's frame, m */
} lg_tendon_term;

/** A tendon: a length L that is a sum of positions of joints and of distances between points of bodies,
 *
 *    L = sum_i c_i q_i + sum_k |x_k+1 - x_k|/d_k,
 *
 *  with a spring that is slack from rest_lower to rest_upper, and a damper: its potential is k/2 (L - rest_upper)^2
 *  above, k/2 (rest_lower - L)^2 below, and -c L' acts along the length. Motors may name it in place of a joint. It
 *  does not wrap around anything, and it pushes as well as it pulls. Start from lg_tendon_default(). */
typedef struct lg_tendon {
    size_t size;                /**< sizeof(lg_tendon), set by lg_tendon_default() */
    const char *name;           /**< must be unique, and no joint's or coordinate's */
    int terms;                  /**< 1 to LG_TENDON_TERMS */
    const lg_tendon_term *term; /**< the terms, in the order of the tendon. Copied */
    double stiffness;           /**< k, N/m or N m/rad; default 0 */
    double damping;             /**< c, N s/m or N m s/rad; default 0 */
    double rest_lower;          /**< least length at which the spring is slack, m or rad */
    double rest_upper;          /**< greatest one. Both INFINITY, the default: the length at assembly */
    int64_t held;  /**< 1: the length is held, by an exact row; the tendon joins at most 4 bodies, the world
                    *   among them. 0, the default: it is not */
    double change; /**< it is held at that of the poses described plus this, m or rad; default 0 */
} lg_tendon;

/** See lg_body_init(). */
LG_API void lg_tendon_init(lg_tendon *tendon, size_t size);
/** A tendon without spring and damper; its terms have to be set. */
static inline lg_tendon lg_tendon_default(const char *name)
{
    lg_tendon tendon;
    lg_tendon_init(&tendon, sizeof tendon);
    tendon.name = name;
    return tendon;
}

/** See lg_mechanism_add_body(). */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_tendon(lg_mechanism *m, int *index, const lg_tendon *tendon);
/** See lg_mechanism_read_body(). The terms are the mechanism's own, too. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_read_tendon(const lg_mechanism *m, lg_tendon *tendon, int i);
/** See lg_mechanism_body_count(). */
LG_API int lg_mechanism_tendon_count(const lg_mechanism *m);
/** See lg_mechanism_body_name(). */
LG_API const char *lg_mechanism_tendon_name(const lg_mechanism *m, int i);

LG_END

#endif
