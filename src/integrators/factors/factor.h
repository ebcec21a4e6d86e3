/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine's view of a factor: one table for each group and the retractions that it serves. Each file of this
 * folder ends in the tables of one group; list.c lists the groups, and lg_plan_make() chooses once. A group without
 * such tables takes the generic ones (generic.c), which call the descriptors of group and retraction.
 *
 * All functions are static and compiled once a width (engine/width.c), except those of generic.c, which exist at width
 * 1. A new group is a file that list.c includes. */
#ifndef LG_INTEGRATORS_FACTORS_FACTOR_H
#define LG_INTEGRATORS_FACTORS_FACTOR_H

#include "base/lane.h"
#include "integrators/engine/node.h"
#include "integrators/engine/plan.h"

struct lg_quadrature_node;
typedef struct lg_block lg_block;

/* Properties of tau and of the group. */
enum {
    LG_FACTOR_EXPONENTIAL = 1u, /* tau is the exponential, which a truncated series uses as tau, too */
    LG_FACTOR_GEODESIC = 2u,    /* log tau(x) = k x, k in closed form */
    LG_FACTOR_FUSED = 4u,       /* has a fused flow, at every width */
    LG_FACTOR_WIDE = 8u,        /* advance, points, transport, dual exist at every width */
    LG_FACTOR_ANGLES = 16u,     /* the numbers of an element are angles in (-pi, pi] */
    LG_FACTOR_TURNS = 32u       /* exp has period 2 pi in every coordinate of the algebra, and Ad is the identity */
};

/* A fused flow: from p^-, without its potential part, to xi, g_1 and the transported Ad*_W p^-,
 *   solve (dtau^-1_{h xi})^* J xi = p,   g_1 = g_0 tau(h xi),   p' = Ad*_{tau(h xi)} p   (docs/theory.md section 3).
 * Returns the iterations, or -1 with w->failure set. */
typedef int (*lg_flow)(lg_workspace *w, const lg_block *b, duration h, const real *p_minus, real *xi, const real *g0,
                       real *g1, real *p_plus);

/* A factor of an explicit step, or all of them if the inertia couples them. */
struct lg_block {
    lg_flow flow;
    const lg_factor_plan *factor; /* offsets, group, retraction */
    int offset, element_offset;   /* copies of the offsets */
    real *J, *Jinv;               /* n x n of this factor, or its diagonal */
};

/* Functions that return nonzero have set w->failure. */
typedef struct lg_factor {
    unsigned retractions; /* the ones it serves: LG_SERVES(EXP) | ...; the last table of a group serves all */
    unsigned facts;       /* LG_FACTOR_... */
    lg_flow flow[2];      /* [1]: for a diagonal inertia */
    /* W = tau(x), g_1 = g_0 W; *k with log W = k x, where tau is geodesic. */
    int (*advance)(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1, real *k);
    /* U_i = exp(c_i y) and g_0 U_i for `count` points; U and g are `stride` apart. */
    int (*points)(lg_workspace *w, const lg_factor_plan *f, const struct lg_quadrature_node *c, int count,
                  const real *y, const real *g0, real *U, real *g, int stride);
    /* out = Ad*_W p. */
    int (*transport)(lg_workspace *w, const lg_factor_plan *f, const real *W, const real *p, real *out);
    /* out = (dtau^-1_x)^* p. */
    int (*dual)(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *p, real *out);
    /* out = d/ds g exp(s xi) at s = 0, in the numbers of an element; W and `work` are scratch: an element, the group's.
     * NULL: differences are used. */
    lg_status (*rate)(const lg_factor_plan *f, real *out, const real *g, const real *xi, real *W, void *work);
    /* out = ad*_xi p, at the widths of `rate`; out must not alias. NULL: the group's descriptor is used, or 0. */
    void (*coad)(real *out, const real *xi, const real *p);
    /* Removes the round-off of many small changes from an element. NULL: the group's descriptor is used. */
    void (*settle)(const lg_factor_plan *f, real *g);
    /* dg = (g + rest) W - (g + rest) and dp = Ad*_W p - p, to relative round-off; W and g are elements up to round-off,
     * which dg corrects. NULL: the factor has no compensated form (engine/compensation.h). */
    void (*increments)(const lg_factor_plan *f, const real *W, const real *g, const real *rest, const real *p, real *dg,
                       real *dp);
} lg_factor;

/* The members of a table whose file uses these names. */
#define LG_FACTOR_RATES(group) .rate = group##_rate, .coad = group##_coad, .settle = group##_settle

#define LG_SERVES(retraction) (1u << LG_RETRACTION_##retraction)
#define LG_SERVES_ALL         (~0u)
#define LG_SERVES_OURS        (~LG_SERVES(USER))

/* The table of a factor, at this width. */
LG_ENGINE const lg_factor *lg_factor_choose(const lg_group *G, const lg_retraction *r);
/* out = Ad*_W p, factor by factor. */
LG_ENGINE int lg_transport_all(lg_workspace *w, const real *W, const real *p, real *out);

/* rates.c: dg = g xi^ in the numbers of an element; dp = ad*_xi p, for a group that is not abelian. Beyond width 1 only
 * if the table has them. 0, or nonzero with w->failure set. */
LG_ENGINE int lg_factor_rate(lg_workspace *w, const lg_factor_plan *f, const real *g, const real *xi, real *dg);
LG_ENGINE int lg_factor_turn(lg_workspace *w, const lg_factor_plan *f, const real *xi, const real *p, real *dp);

/* generic.c: for tables of groups with retractions without special code. */
#if LANES == 1
int lg_generic_flow(lg_workspace *w, const lg_block *b, duration h, const real *p_minus, real *xi, const real *g0,
                    real *g1, real *p_plus);
int lg_generic_advance(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,
                       real *k);
int lg_generic_points(lg_workspace *w, const lg_factor_plan *f, const struct lg_quadrature_node *c, int count,
                      const real *y, const real *g0, real *U, real *g, int stride);
int lg_generic_transport(lg_workspace *w, const lg_factor_plan *f, const real *W, const real *p, real *out);
int lg_generic_dual(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *p, real *out);
#endif

/* clang-format off */
#define LG_GENERIC_FLOW .flow = {LG_WIDTH_1(lg_generic_flow), LG_WIDTH_1(lg_generic_flow)}
#define LG_GENERIC_ARC                                                                                                 \
    .advance = LG_WIDTH_1(lg_generic_advance), .points = LG_WIDTH_1(lg_generic_points),                                \
    .transport = LG_WIDTH_1(lg_generic_transport), .dual = LG_WIDTH_1(lg_generic_dual)
/* clang-format on */

#endif
