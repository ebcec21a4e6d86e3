/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract of a factor's operations: what a step needs of one group with one retraction. */
#ifndef LG_INTEGRATORS_FACTOR_H
#define LG_INTEGRATORS_FACTOR_H

#include "integrators/engine/node.h"

struct lg_gauss;
typedef struct lg_block lg_block;

/* One factor's fused flow: p^- (its potential part already taken off) to xi, g_1 and the transported Ad*_W p^-. */
typedef int (*lg_flow)(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                       real *g1, real *p_plus);

struct lg_block {
    lg_flow flow;
    const lg_factor_plan *factor; /* offsets, group, retraction */
    int offset, element_offset;   /* the offsets again, at hand */
    real *J, *Jinv;               /* n x n of this factor, or its diagonal */
};

/* What the implicit form needs of one factor (arc.c). Nonzero: w->failure is set. */
typedef struct lg_arc {
    /* W = tau(x), g_1 = g_0 W; *k with log W = k x, where geodesics are needed. */
    int (*advance)(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1, real *k);
    /* U_i = exp(c_i y) and g_0 U_i for `count` points; U and g are `stride` apart. */
    int (*points)(lg_workspace *w, const lg_factor_plan *f, const struct lg_gauss *c, int count, const real *y,
                  const real *g0, real *U, real *g, int stride);
    /* out = Ad*_W p. */
    int (*transport)(lg_workspace *w, const lg_factor_plan *f, const real *W, const real *p, real *out);
    /* out = (dtau^-1_x)^* p. */
    int (*dual)(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *p, real *out);
} lg_arc;

/* flow.c: the fused flow of a factor, by factor x retraction x shape of the inertia. */
LG_ENGINE lg_flow lg_flow_choose(const lg_factor_plan *f);
/* arc.c */
LG_ENGINE const lg_arc *lg_arc_choose(const lg_factor_plan *f);
LG_ENGINE int lg_arc_is_exponential(const lg_factor_plan *f); /* is tau the exponential? */
LG_ENGINE int lg_arc_is_geodesic(const lg_factor_plan *f);    /* is log tau(x) parallel to x, in closed form? */
LG_ENGINE int lg_transport_all(lg_workspace *w, const real *W, const real *p, real *out);
#if LANES == 1
/* generic.c: the flow of any group and retraction through their descriptors. */
extern const lg_arc lg_arc_generic;
int lg_flow_generic(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                    real *g1, real *p_plus);
#endif

#endif
