/* SPDX-License-Identifier: BSD-3-Clause */
/** @file groupoid.h
 *  A Lie groupoid as a constant descriptor, and the groupoids that discrete mechanics uses.
 *
 *  An element g goes from its source to its target, two points of the base Q; g h is defined where target(g) =
 *  source(h). Points and elements are plain `double` arrays. The fibre of the Lie algebroid at x, the tangents at the
 *  unit of x of the elements that leave x, has coordinates R^n: those of the section eta -> sigma(x, eta), which maps a
 *  neighbourhood of 0 onto the elements near that unit that leave x. By sigma everything is differentiated: along the
 *  left-invariant field of eta, g sigma(target(g), s eta), the source stands; along the right-invariant one,
 *  sigma(source(g), -s eta)^-1 g to first order, the target does. Momenta are covectors of a fibre.
 *
 *  Supplied are the pair groupoid M x M (ordinary configurations), a group over a point (Euler-Poincare), the Atiyah
 *  groupoid M x M x G of a trivial bundle (reduction by G), and the action groupoid of a right action of G (semidirect
 *  products: a top with its vertical). Outputs may alias inputs. docs/theory.md, "Groupoids". */
#ifndef LIEGRP_GROUPOIDS_GROUPOID_H
#define LIEGRP_GROUPOIDS_GROUPOID_H

#include "../mechanics/system.h"
#include "../retractions/retraction.h"

LG_BEGIN

typedef struct lg_groupoid lg_groupoid;

/** What a groupoid is. */
typedef enum lg_groupoid_kind {
    LG_GROUPOID_USER,   /**< somebody's own */
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

/** A Lie groupoid. Read it as you like; for one of your own start from zeros, set `size`, `name`, the three sizes and
 *  the operations marked *required*. An operation returns LG_ERROR_DOMAIN where it is not defined. */
struct lg_groupoid {
    size_t size;           /**< sizeof(lg_groupoid): the struct grows at its end */
    const char *name;      /**< "pair(R^3)" */
    lg_groupoid_kind kind; /**< LG_GROUPOID_USER for one of your own */
    int dim;               /**< n, dimension of the fibres of the algebroid */
    int base_size;         /**< doubles in a point of the base; 0: the base is one point */
    int element_size;      /**< doubles in an element */
    size_t work_bytes;     /**< scratch that the operations need */
    const void *data;      /**< the descriptor's own data */

    lg_groupoid_unary source;    /**< required: source(g) */
    lg_groupoid_unary target;    /**< required: target(g) */
    lg_groupoid_unary unit;      /**< required: the identity of the point x, an element */
    lg_groupoid_unary inverse;   /**< required: g^-1 */
    lg_groupoid_binary multiply; /**< required: g h; that target(g) = source(h) is the caller's care */
    lg_groupoid_binary section;  /**< required: sigma(x, eta); source x, sigma(x, 0) the unit, tangent to eta there */
    lg_groupoid_binary distance; /**< one number, how far the points x and y are apart; NULL: largest |x_i - y_i| */
};

/** 1 if the descriptor is complete; else 0, and *error (may be NULL) says what is missing. */
LG_API int lg_groupoid_complete(const lg_groupoid *gpd, lg_error *error);
/** Frees a groupoid made by a constructor; one of your own and NULL are left alone. */
LG_API void lg_groupoid_destroy(lg_groupoid *gpd);

/** x = source(g). LG_ERROR_ARGUMENT: a NULL, an incomplete descriptor (so for all that follow). */
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
/** How far target(g) and source(h) may be apart, relative to max(1, largest |x_i|), to be composed. */
#define LG_GROUPOID_MATCH 1e-9
/** r = g h. LG_ERROR_DOMAIN: target(g) is not source(h); *error (may be NULL) says by how much. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_compose(const lg_groupoid *gpd, double *r, const double *g, const double *h,
                                                   lg_error *error);

/* The constructors. Sections are made by the retraction `chart` (NULL: exp), which moves points of M as x tau(eta); for
 * Legendre transformations it matters only how far it reaches. Groups, chart and context must outlive the groupoid.
 * LG_ERROR_ARGUMENT: a NULL, an incomplete group; LG_ERROR_UNSUPPORTED: the chart does not work on the group;
 * LG_ERROR_MEMORY. *error may be NULL. */

/** *gpd = M x M over M: (x, y) goes from x to y, (x, y)(y, z) = (x, z). The fibre at x is the body velocities at x. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_create_pair(lg_groupoid **gpd, const lg_group *M, const lg_retraction *chart,
                                                       lg_error *error);
/** *gpd = G over one point; base_size is 0. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_create_group(lg_groupoid **gpd, const lg_group *G,
                                                        const lg_retraction *chart, lg_error *error);
/** *gpd = M x M x G over M: (x, y, W) goes from x to y, (x, y, W)(y, z, V) = (x, z, WV). Fibres: M's part, then G's. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_create_atiyah(lg_groupoid **gpd, const lg_group *M, const lg_group *G,
                                                         const lg_retraction *chart, lg_error *error);

/** y = x.W, a right action: (x.W).V = x.(WV), x.e = x. `y` is neither x nor W. c->context is the one
 *  given to lg_groupoid_create_action(); no time, no parameters. Nonzero: LG_ERROR_CALLBACK. */
typedef int (*lg_action_fn)(const lg_call *c, const double *x, const double *W, double *y);
/** *gpd = Q x G over Q, points of Q being base_size >= 1 doubles: (x, W) goes from x to x.W, (x, W)(x.W, V) = (x, WV).
 *  Fibres are the algebra of G. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_create_action(lg_groupoid **gpd, const lg_group *G,
                                                         const lg_retraction *chart, int base_size, lg_action_fn action,
                                                         const void *context, lg_error *error);

LG_END

#endif
