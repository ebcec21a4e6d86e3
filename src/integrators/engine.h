/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine: what one step is made of, and how its parts meet.
 *
 *   state at g_k --depart--> p^-_k --inner step: g_{k+1} = g_k tau(h xi), p^+_{k+1}--> --arrive--> state at g_{k+1}
 *
 * A *plan* (plan.h) is the structure, found once when an integrator is made. A *work* holds the numbers, in `real`, and
 * is what the kernels see. A *rule* says how reactions enter (depart, arrive); an *inner step* is a free flow that
 * knows h, in two forms: closed (p^- is known: solve Legendre, advance) and open (the residual at a given xi, which is
 * what a rule whose multiplier couples all factors solves, and what the closed form solves where no factor-wise flow
 * exists). This folder's kernels are compiled once per instruction set at its native width (LANES); width 1 is the
 * scalar one. */
#ifndef LG_INTEGRATORS_ENGINE_H
#define LG_INTEGRATORS_ENGINE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/lane.h"
#include "integrators/plan.h"
#include "mechanics/field.h"
#include "retractions/retraction.h"

/* What is known at a node, evaluated once. */
typedef struct lg_node {
    double t;
    real *g;            /* configuration */
    real *A, *Y;        /* rows and drift */
    real *dV;           /* potential's differential; unused where the inner step does not need it */
    real *pp, *pm, *pt; /* p^+, p^-, p~ */
    real *lambda;       /* multipliers */
    real *xi;           /* velocity of the step that led here */
    int iterations;
} lg_node;

/* Why a step failed: numbers only, the text is made by the caller (message.c of this folder). */
typedef struct lg_failure {
    lg_status status;
    const char *what; /* callback, factor or quantity concerned */
    int code;         /* a callback's return value, or the row concerned (from 1) */
    int iterations;
    double residual;
} lg_failure;

typedef struct lg_work lg_work;

/* One factor's fused flow: p^- (its potential part already taken off) to xi, g_1 and the transported Ad*_W p^-. */
typedef struct lg_block lg_block;
typedef int (*lg_flow)(lg_work *w, const lg_block *b, double h, const real *pm, real *xi, const real *g0, real *g1,
                       real *pp);

struct lg_block {
    lg_flow flow;
    const lg_factor_plan *factor; /* offsets, group, retraction */
    int at, gat;                  /* the offsets again, at hand */
    real *J, *Jinv;               /* n x n of this factor, or its diagonal */
};

struct lg_work {
    const lg_plan *plan;
    lg_field *field;
    lg_block *blocks;
    lg_node node[2], *now, *next;
    real *J, *Jinv;     /* whole metric and its inverse, n x n; constant unless the system has a metric callback */
    real *AW, *C, *rhs; /* A J'^-1, the L D L^T factors of A J'^-1 A^T (gram.h), m numbers */
    real *KJ;           /* constant rows: K = C^-1 A J'^-1 stands in AW, and KJ = K J */
    real *Pinv;         /* J'^-1 of the projectors; the same as Jinv unless it is its own */
    double *inverse;    /* inverse Jacobian of the dense solver, where it is used */
    real *kick;         /* p^- less its potential part */
    double *dense;      /* scratch of generic flows, the dense solver (generic.c, solver.c) and starts (start.c) */
    void *scratch;      /* of group and retraction */
    double tolerance;
    int iterations_max;
    lg_failure failure;
};

/* How reactions enter. */
typedef struct lg_rule {
    const char *name;
    unsigned gives, needs;                                             /* capabilities, see plan.h */
    const real *(*depart)(lg_work *w, double h, const lg_node *a);     /* the momentum that enters the inner step */
    int (*arrive)(lg_work *w, double h, const lg_node *a, lg_node *b); /* b->pp known: b->pm, b->pt, b->lambda */
} lg_rule;

/* The free flow. Both forms return 0, or nonzero with w->failure set. */
typedef struct lg_inner {
    const char *name;
    unsigned gives, needs;
    int (*closed)(lg_work *w, double h, const lg_node *a, const real *pm, lg_node *b);
    int (*open)(lg_work *w, double h, const lg_node *a, const real *pm, const real *xi, lg_node *b, real *residual);
} lg_inner;

extern const lg_rule lg_rule_none, lg_rule_reflection;
extern const lg_inner lg_inner_variational, lg_inner_user;

/* The engine of one width, what integrator.c calls. */
size_t lg_work_bytes(const lg_plan *plan, lg_field *field);
lg_work *lg_work_bind(void *memory, const lg_plan *plan, lg_field *field);
/* Constant metric, its inverse, constant rows into the work. 0, or nonzero with w->failure set. */
int lg_work_load(lg_work *w);
/* At node b, whose g and t are set: rows, drift and metric; the potential's gradient; both. */
int lg_work_evaluate_rows(lg_work *w, lg_node *b);
int lg_work_evaluate_gradient(lg_work *w, lg_node *b);
int lg_work_evaluate(lg_work *w, lg_node *b);
/* One step from w->now to w->next, then they change places; on failure nothing changes but w->failure. */
int lg_work_step(lg_work *w, double h, double t1);
/* reflection.c: p^-, p~, lambda at node b from p^+. */
int lg_reflect(lg_work *w, double h, lg_node *b);

/* flow.c: the fused flow of a factor, by factor x retraction x shape of the inertia. */
lg_flow lg_flow_choose(const lg_factor_plan *f);
/* generic.c: the flow of any group and retraction through their descriptors; solver.c: the dense solver. */
int lg_flow_generic(lg_work *w, const lg_block *b, double h, const real *pm, real *xi, const real *g0, real *g1,
                    real *pp);
int lg_solve_open(lg_work *w, double h, const lg_node *a, const real *pm, lg_node *b);
size_t lg_dense_bytes(const lg_plan *plan); /* what lg_work::dense takes */
size_t lg_start_bytes(const lg_plan *plan); /* the same for start.c, which runs when no step does */

static inline int lg_work_fail(lg_work *w, lg_status status, const char *what, int code, int iterations,
                               double residual)
{
    w->failure = (lg_failure){status, what, code, iterations, residual};
    return 1;
}

static inline int lg_work_fail_status(lg_work *w, lg_status status, const char *what)
{
    return lg_work_fail(w, status, what, 0, 0, 0);
}

/* The callback that w->field says failed returned `code`. */
static inline int lg_work_fail_callback(lg_work *w, int code)
{
    return lg_work_fail(w, LG_ERROR_CALLBACK, w->field->failed, code, 0, 0);
}

#endif
