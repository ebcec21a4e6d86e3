/* SPDX-License-Identifier: BSD-3-Clause */
/** @file groupoid.h
 *  A Lie groupoid as a constant descriptor, and the groupoids that discrete mechanics uses.
 *
 *  An element g goes from its source to its target, two points of the base Q; g h is defined if target(g) = source(h).
 *  Points and elements are plain `double` arrays. The fibre of the Lie algebroid at x consists of the tangents, at the
 *  unit of x, of the elements that leave x. Its coordinates R^n are those of the section eta -> sigma(x, eta), which
 *  maps a neighbourhood of 0 onto the elements near that unit that leave x. All derivatives use sigma. The
 *  left-invariant field of eta, g sigma(target(g), s eta), keeps the source fixed. The right-invariant field, to first
 *  order sigma(source(g), -s eta)^-1 g, keeps the target fixed. Momenta are covectors of a fibre.
 *
 *  Available are the pair groupoid M x M (ordinary configurations), a group over a point (Euler-Poincare), the Atiyah
 *  groupoid M x M x G of a trivial bundle (reduction by G), and the action groupoid of a right action of G (semidirect
 *  products: a top with its vertical). Outputs may alias inputs. See docs/theory.md, "Groupoids". */
#ifndef LIEGRP_GROUPOIDS_GROUPOID_H
#define LIEGRP_GROUPOIDS_GROUPOID_H

#include "../mechanics/system.h"
#include "../retractions/retraction.h"

LG_BEGIN

typedef struct lg_groupoid lg_groupoid;

/** Kinds of groupoids. */
typedef enum lg_groupoid_kind {
    LG_GROUPOID_USER,   /**< a groupoid of your own */
    LG_GROUPOID_PAIR,   /**< M x M */
    LG_GROUPOID_GROUP,  /**< a group over a point */
    LG_GROUPOID_ATIYAH, /**< M x M x G */
    LG_GROUPOID_ACTION  /**< Q x G with a right action of G on Q */
} lg_groupoid_kind;

/** An operation with one input; `work` holds lg_groupoid::work_bytes bytes. Outputs never alias inputs here. */
typedef lg_status (*lg_groupoid_unary)(const lg_groupoid *gpd, double *out, const double *in, void *work);
/** An operation with two inputs. */
typedef lg_status (*lg_groupoid_binary)(const lg_groupoid *gpd, double *out, const double *a, const double *b,
                                        void *work);

/** A Lie groupoid. Read the fields as you like. For one of your own start from zeros and set `size`, `name`, the three
 *  sizes and the operations marked *required*. An operation returns LG_ERROR_DOMAIN where it is not defined. */
struct lg_groupoid {
    size_t size;           /**< sizeof(lg_groupoid): the struct grows at its end */
    const char *name;      /**< such as "pair(R^3)" */
    lg_groupoid_kind kind; /**< LG_GROUPOID_USER for a groupoid of your own */
    int dim;               /**< n, dimension of the fibres of the algebroid */
    int base_size;         /**< doubles in a point of the base; 0: the base is one point */
    int element_size;      /**< doubles in an element */
    size_t work_bytes;     /**< scratch in bytes that the operations need */
    const void *data;      /**< the descriptor's own data */

    lg_groupoid_unary source;    /**< required: source(g) */
    lg_groupoid_unary target;    /**< required: target(g) */
    lg_groupoid_unary unit;      /**< required: the identity of the point x, an element */
    lg_groupoid_unary inverse;   /**< required: g^-1 */
    lg_groupoid_binary multiply; /**< required: g h; the caller ensures target(g) = source(h) */
    lg_groupoid_binary section;  /**< required: sigma(x, eta), with source x and tangent to eta at the unit sigma(x,
                                  *   0) */
    lg_groupoid_binary distance; /**< distance of the points x and y, one number; NULL: largest |x_i - y_i| */
};

/** Returns 1 if the descriptor is complete. Otherwise returns 0, and *error (may be NULL) says what is missing. */
LG_API int lg_groupoid_complete(const lg_groupoid *gpd, lg_error *error);
/** Frees a groupoid made by a constructor. Groupoids of your own and NULL are ignored. */
LG_API void lg_groupoid_destroy(lg_groupoid *gpd);

/** x = source(g). This and all functions below fail with
 *  - LG_ERROR_ARGUMENT: a NULL, or an incomplete descriptor. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_source(const lg_groupoid *gpd, double *x, const double *g);
/** x = target(g). */
LG_API LG_MUST_CHECK lg_status lg_groupoid_target(const lg_groupoid *gpd, double *x, const double *g);
/** g = the identity of the point x. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_unit(const lg_groupoid *gpd, double *g, const double *x);
/** r = g^-1. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_inverse(const lg_groupoid *gpd, double *r, const double *g);
/** g = sigma(x, eta), an element that leaves x. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_section(const lg_groupoid *gpd, double *g, const double *x,
                                                   const double *eta);
/** Largest distance of target(g) and source(h), relative to max(1, largest |x_i|), at which g h is composed. */
#define LG_GROUPOID_MATCH 1e-9
/** r = g h. *error (may be NULL) has a message.
 *  - LG_ERROR_DOMAIN: target(g) is not source(h); the message says by how much. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_compose(const lg_groupoid *gpd, double *r, const double *g, const double *h,
                                                   lg_error *error);

/** *gpd = M x M over M: (x, y) goes from x to y, (x, y)(y, z) = (x, z). The fibre at x consists of the body velocities
 *  at x.
 *
 *  All constructors make sections from the retraction `chart` (NULL: exp), which moves points of M as x tau(eta). For
 *  Legendre transformations only its range matters. Groups, chart and context must outlive the groupoid. `error` may be
 *  NULL. They fail with
 *  - LG_ERROR_ARGUMENT: a NULL, or an incomplete group.
 *  - LG_ERROR_UNSUPPORTED: the chart does not work on the group.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_create_pair(lg_groupoid **gpd, const lg_group *M, const lg_retraction *chart,
                                                       lg_error *error);
/** *gpd = G over one point; base_size is 0. Arguments and errors are those of lg_groupoid_create_pair(). */
LG_API LG_MUST_CHECK lg_status lg_groupoid_create_group(lg_groupoid **gpd, const lg_group *G,
                                                        const lg_retraction *chart, lg_error *error);
/** *gpd = M x M x G over M: (x, y, W) goes from x to y, (x, y, W)(y, z, V) = (x, z, WV). Fibres: M's part, then G's.
 *  Arguments and errors are those of lg_groupoid_create_pair(). */
LG_API LG_MUST_CHECK lg_status lg_groupoid_create_atiyah(lg_groupoid **gpd, const lg_group *M, const lg_group *G,
                                                         const lg_retraction *chart, lg_error *error);

/** y = x.W, a right action: (x.W).V = x.(WV), x.e = x. `y` does not alias x or W. c->context is the one passed to
 *  lg_groupoid_create_action(); there is no time and there are no parameters. A nonzero return becomes
 *  LG_ERROR_CALLBACK. */
typedef int (*lg_action_fn)(const lg_call *c, const double *x, const double *W, double *y);
/** *gpd = Q x G over Q, where points of Q are base_size >= 1 doubles: (x, W) goes from x to x.W, (x, W)(x.W, V) = (x,
 *  WV). Fibres are the algebra of G. Other arguments and errors are those of lg_groupoid_create_pair(). */
LG_API LG_MUST_CHECK lg_status lg_groupoid_create_action(lg_groupoid **gpd, const lg_group *G,
                                                         const lg_retraction *chart, int base_size, lg_action_fn action,
                                                         const void *context, lg_error *error);

LG_END

#endif
