/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine: what one step is made of, and how its parts meet.
 *
 *   state at g_k --depart--> p^-_k --inner step: g_{k+1} = g_k tau(h xi), p^+_{k+1}--> --arrive--> state at g_{k+1}
 *
 * A *plan* (plan.h) is the structure, found once when an integrator is made. A *work* holds the numbers, in `real`, and
 * is what the kernels see. A *rule* says how reactions enter (depart, connect, arrive); an *inner step* is a free flow
 * that knows h, in two forms. Closed: p^- is known; solve Legendre, advance. Open: everything that follows from a trial
 * xi, as p^+ = T p^- + c and a residual; the rule's multipliers are found by one small linear solve (connect), and the
 * one solver (solver.c) finds xi.
 *
 * Engine, rules and steps are written for any width (LANES) and compiled once for each (names.h); width 1 is the scalar
 * one. A wide step takes the ordinary course only (wide.h): any(mask) decides no more than whether to skip what no lane
 * needs, or to give up, and what is iterated leaves lanes alone that have converged. */
#ifndef LG_INTEGRATORS_ENGINE_H
#define LG_INTEGRATORS_ENGINE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/lane.h"
#include "integrators/engine/names.h"
#include "integrators/engine/plan.h"
#include "integrators/engine/span.h"
#include "integrators/factors/factor.h"
#include "mechanics/field.h"
#include "retractions/retraction.h"

/* What is known at a node, evaluated once. */
typedef struct lg_node {
    real t;
    real *g;                 /* configuration */
    real *J, *Jinv;          /* metric and inverse, diagonals where plan->diagonal; the work's where constant */
    real *A, *Y, *b;         /* rows [d phi; mu] (m x n), drift, right side [-phi_t; mu Y] of A xi = b */
    real *N, *NJ, *L, *beta; /* frame.c: N = L^-1 A, N J^-1, A J^-1 A^T = L L^T, L^-1 b */
    real *dV, V;             /* potential, where the inner step needs it at the ends */
    real *p_plus, *p_minus, *p_tilde; /* p^+, p^-, p~ */
    real *lambda;                     /* multipliers, of position constraints first */
    real *xi;                         /* velocity of the step that led here */
    real work;                        /* that its forces and moving constraints did */
    real iterations;
} lg_node;

/* Why a step failed: numbers only, the text is made by the caller (../failure_text.c). */
typedef struct lg_failure {
    lg_status status;
    const char *what; /* callback, factor or quantity concerned */
    int code;         /* a callback's return value, or the row concerned (from 1) */
    int iterations;
    double residual;
} lg_failure;

struct lg_block {
    lg_flow flow;
    const lg_factor_plan *factor; /* offsets, group, retraction */
    int offset, element_offset;   /* the offsets again, at hand */
    real *J, *Jinv;               /* n x n of this factor, or its diagonal */
};

enum { LG_HISTORY = 8, LG_GAUSS_MAX = 8 };

/* What callbacks are asked for at (t, g), the forces and the metric's gradient also at xi. */
typedef enum lg_callback_kind {
    LG_CALLBACK_POTENTIAL,
    LG_CALLBACK_GRADIENT,
    LG_CALLBACK_FORCE,
    LG_CALLBACK_METRIC,
    LG_CALLBACK_METRIC_GRADIENT,
    LG_CALLBACK_HOLONOMIC,
    LG_CALLBACK_HOLONOMIC_ROWS,
    LG_CALLBACK_HOLONOMIC_RATE
} lg_callback_kind;

/* What the solver remembers between steps of the same length. */
typedef struct lg_history {
    real h;     /* of the steps remembered; 0: none */
    real known; /* differences that are known */
    real order; /* of the extrapolation that did best */
    real *H;    /* inverse Jacobian, n x n */
    real *D;    /* backward differences of z = (xi, dv, u), LG_HISTORY x nz */
} lg_history;

/* The open form's numbers at a trial xi. */
typedef struct lg_implicit {
    const real *xi;             /* the trial */
    real *x, *y, *W, *k;        /* h xi, log W, tau(h xi), log W = k x factor by factor */
    real *c, *D;                /* p^+ = T p^- + c; D = -D_1 L_d (variational) */
    int transported;            /* T = Ad*_W, else 0 */
    real *p_minus, *p_plus;     /* the trial's momenta */
    real *Jm;                   /* inverse of the mean metric, variational with J(g) */
    real *R, *S, *trial, *step; /* the solver's residuals and its step S; a multiple of y (variational.c); n */
    real *H, *Hy, *sH;          /* the trial's inverse Jacobian */
    real *NT;                   /* k x n rows, transported */
    real *O, *Y, *M, *z, *z1;   /* m x m twice, k x k, k and m for the multipliers */
    const real *given;          /* the momentum that departs */
    real *U, *points, *G;       /* exp(c_i y), g_0 exp(c_i y), covectors there */
    real *mid;                  /* an element */
    real *f, *f1;               /* covectors */
    real *dv, *u;               /* (v^+ - v^-)/2 and J Gb^T nu of the evaluation before */
    real *Gb, *G1, *Kh, *phi;   /* position constraints: body and transported means, K, phi(g_1) */
    real *rows;                 /* velocity rows at a point */
    real *GJ0, *GJ1;            /* Gb J_0^-1, Gb J_1^-1 */
    real *zn;                   /* the new z, nz */
    real *held;                 /* dv and u of lanes that are solved, beyond width 1 */
    real fxi;                   /* h <f, xi> */
    real size;                  /* of the velocities that the residual is made of */
} lg_implicit;

struct lg_workspace {
    const lg_plan *plan;
    lg_field *field;
    lg_block *blocks;
    const lg_factor **arcs; /* the tables of the factors */
    lg_node *now, *next, *spare, *middle; /* spare: with more than one sub-step; middle: inside.c */
    real *stage, *C2;                     /* m x n, m x m, inside.c */
    real *J, *Jinv;                       /* constant metric and its inverse, n x n or diagonal */
    real *A, *N, *NJ, *L;                 /* constant rows and frame */
    real *rows, *projector;               /* the system's constant velocity rows and projector metric, as given */
    real *AW, *C, *rhs;                   /* A J'^-1, the L D L^T factors of A J'^-1 A^T (gram.h), m numbers */
    real *hidden;                         /* multipliers of the hidden rows; m numbers */
    real *KJ;                             /* constant rows: K = C^-1 A J'^-1 stands in AW, and KJ = K J */
    real *Pinv;                           /* J'^-1 of the projectors, NULL unless it is its own */
    real *kick;                           /* p^- less its potential part */
    lg_implicit *implicit;                /* NULL where every step is closed */
    lg_history *history;                  /* one a sub-step */
    lg_history *undo;                     /* the same before the step, beyond width 1 with several sub-steps */
    struct lg_lanes *lanes;               /* how callbacks see them, beyond width 1 */
    int slot;                             /* the one in use */
    int loading;                          /* constant rows are being loaded */
    double *dense;                        /* scratch of generic flows, of starts and of continuous multipliers */
    void *scratch;                        /* of group and retraction */
    double tolerance;                     /* of Newton in closed forms */
    int iterations_max;
    double implicit_tolerance;
    int evaluations_max, evaluations; /* of the residual: cap, and of this step */
    const lg_node *destination;       /* the node that the step is on its way to */
    real length;                      /* of the step from next to now; 0: next is no node of the trajectory */
    real newton;                      /* iterations of the step's flows so far, beyond width 1 */
    lg_failure failure;
};

/* How reactions enter. NULL hooks: nothing to do. */
typedef struct lg_rule {
    const char *name;
    unsigned gives, needs;                                              /* capabilities, see plan.h */
    const real *(*depart)(lg_workspace *w, double h, const lg_node *a); /* the momentum that enters the inner step */
    /* Open form: multipliers, then w->implicit.p_minus, w->implicit.p_plus (and b->p_tilde, b->lambda if they come out
     * on the way). */
    int (*multipliers)(lg_workspace *w, double h, const lg_node *a, lg_node *b);
    int (*middle_kick)(lg_workspace *w, double h, const lg_node *a,
                       lg_node *b); /* instead of the inner step (inside.c) */
    int (*arrive)(lg_workspace *w, double h, const lg_node *a,
                  lg_node *b); /* b->p_plus known: b->p_minus, b->p_tilde, b->lambda */
    int (*begin)(lg_workspace *w, double h, lg_node *b,
                 int start);                                    /* b->p_tilde = J xi_0 known: the rest of the state */
    void (*rescale)(lg_workspace *w, double ratio, lg_node *b); /* the next step is `ratio` times the last one */
} lg_rule;

/* The free flow. Functions return 0, or nonzero with w->failure set. */
typedef struct lg_inner {
    const char *name;
    unsigned gives, needs;
    int (*explicit)(lg_workspace *w, double h, const lg_node *a, const real *p_minus, lg_node *b);
    /* From xi: b->g, w->implicit's c, D, transported and what else target needs. */
    int (*implicit)(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b);
    /* R = xi - what p^-, p^+ say that xi is. */
    int (*residual)(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b, real *R);
} lg_inner;

extern const lg_rule lg_rule_none, lg_rule_reflection, lg_rule_shared;
extern const lg_inner lg_inner_variational, lg_inner_energy_momentum;
#if LANES == 1
extern const lg_rule lg_rule_restart, lg_rule_discrete, lg_rule_inside, lg_rule_direct;
extern const lg_inner lg_inner_user, lg_inner_rk4, lg_inner_rkmk4;
#endif

/* ---- work.c: memory and constants ---- */
size_t lg_workspace_bytes(const lg_plan *plan, lg_field *field);
lg_workspace *lg_workspace_bind(void *memory, const lg_plan *plan, lg_field *field);
/* Constant metric, its inverse, constant rows into the work. 0, or nonzero with w->failure set. */
int lg_workspace_load(lg_workspace *w);
/* The arrays that differ between instances, in the same order at every width: what never changes, of the whole and of a
 * block; a node (0: now, 1: next), what the solver remembers of a sub-step. Each returns how many; there are at most
 * LG_SPANS. */
int lg_workspace_constants(const lg_workspace *w, lg_span *s);
int lg_workspace_block(const lg_workspace *w, int block, lg_span *s);
int lg_workspace_node(const lg_workspace *w, int which, lg_span *s);
int lg_workspace_history(const lg_workspace *w, int stage, lg_span *s);
/* Of node now, what the step to come begins with: the snapshot (wide.h) without the memory. */
int lg_workspace_state(const lg_workspace *w, lg_span *s);
/* How many numbers lg_workspace_state() and lg_workspace_history() have, the latter for a sub-step of a solved step. */
size_t lg_state_size(const lg_plan *plan);
size_t lg_history_size(const lg_plan *plan);
/* Forgets what the solver remembers. */
void lg_workspace_forget(lg_workspace *w);

/* ---- engine.c ---- */
/* At node b, whose g and t are set: rows, drift and metric; the potential at the ends; all that a step needs. */
int lg_workspace_evaluate_rows(lg_workspace *w, lg_node *b);
int lg_workspace_evaluate_gradient(lg_workspace *w, lg_node *b);
int lg_workspace_evaluate(lg_workspace *w, lg_node *b);
/* *s = A_a (v - Y) of a velocity row, A_a v + phi_t of a hidden one. */
void lg_row_residual(real *s, const lg_plan *P, const lg_node *b, int a, const real *v);
/* One step from w->now to w->next, lane l to time t1[l], then they change places. On failure nothing changes but
 * w->failure, and what the solver remembers where a step has several sub-steps; beyond width 1 not even that. */
int lg_workspace_step(lg_workspace *w, double h, const double *t1);
/* Takes the last step back. */
void lg_workspace_back(lg_workspace *w);
/* v = J(g)^-1 p at a node; p = J(g) v. */
void lg_raise(const lg_plan *P, real *v, const lg_node *b, const real *p);
void lg_lower(const lg_plan *P, real *p, const lg_node *b, const real *v);

/* variational.c: b->g and what of the arc is needed at a trial xi; R of discrete Lagrangians. */
int lg_variational_advance(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b);
int lg_variational_target(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b, real *R);
/* points.c: v = (mean J)^-1 p; g = g_0 exp(s log W), the nodes themselves at s = 0 and 1. */
void lg_raise_mean(const lg_workspace *w, real *v, const lg_node *a, const real *p);
int lg_point_on_arc(lg_workspace *w, double s, const lg_node *a, const lg_node *b, real *g);
/* The inverse of the mean metric into w->implicit and v = that metric times xi; adds to the shares S_0 and S_1; y = log
 * W; D and c of v for a truncated series. */
int lg_mean_metric(lg_workspace *w, double h, const lg_node *a, const lg_node *b, const real *xi, real *v);
int lg_point_shares(lg_workspace *w, double h, const lg_node *a, const lg_node *b, const real *xi, real *S0, real *S1);
int lg_arc_logarithm(lg_workspace *w);
int lg_truncated_duals(lg_workspace *w, const real *v);

/* rule.c: hooks of rules whose state is p~ */
const real *lg_depart_state(lg_workspace *w, double h, const lg_node *a);
int lg_arrive_state(lg_workspace *w, double h, const lg_node *a, lg_node *b);
int lg_begin_state(lg_workspace *w, double h, lg_node *b, int start);

/* reflection.c: p^-, p~, lambda at node b from p^+. */
int lg_reflect(lg_workspace *w, double h, lg_node *b);
/* p^- = p~ + s mu^T lambda, velocity rows only. */
void lg_kick_rows(const lg_plan *P, lg_node *b, double s);
/* start.c: the reflection's state from p~ and the kind of start. */
int lg_begin_reflection(lg_workspace *w, double h, lg_node *b, int start);
/* p <- p - d phi^T sigma with d phi J^-1 p = -phi_t; lambda += scale * sigma. */
int lg_project_hidden(lg_workspace *w, lg_node *b, real *p, double scale);

/* factors/generic.c */
size_t lg_dense_bytes(const lg_plan *plan); /* what lg_workspace::dense takes */
/* start.c: the same for starts; the multipliers of the continuous equations,
 * lambda at b with velocity xi, into b->lambda. */
size_t lg_start_bytes(const lg_plan *plan, const lg_field *field);
size_t lg_direct_bytes(const lg_field *field); /* accelerations.c: the same for baselines */
int lg_continuous_multipliers(lg_workspace *w, lg_node *b, const real *xi, real *rate);
/* solver.c */
int lg_solve_implicit(lg_workspace *w, double h, const lg_node *a, const real *p_minus, lg_node *b);
/* Into the memory: the step to b, accepted. */
void lg_history_push(lg_workspace *w, double h, const lg_node *b);
/* A step of several sub-steps has failed after `count` of them were remembered: back to what was known before, or, at
 * width 1, nothing is. */
void lg_history_undo(lg_workspace *w, int count);
/* The same memory in another work of the same plan. */
void lg_history_copy(lg_workspace *to, const lg_workspace *from);
/* One evaluation at xi: inner, rule, R. */
int lg_implicit_residual(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b, real *R);
int lg_implicit_size(const lg_plan *plan); /* nz */
/* z = (xi, dv, u), as far as they exist, from xi and the work; and back. */
void lg_implicit_gather(const lg_workspace *w, const real *xi, real *z);
void lg_implicit_scatter(lg_workspace *w, const real *z, real *xi);
/* frame.c: N, N J^-1, L, beta at node b, whose rows and metric are known. */
int lg_frame(lg_workspace *w, lg_node *b);
/* O = the orthogonal polar factor of the m x m matrix B, which is destroyed; Y is scratch. 0, or 1: B is singular. */
int lg_polar(real *O, real *B, real *Y, int m);
/* z <- M^-1 z without pivoting, M is destroyed. */
void lg_eliminate(real *M, real *z, int m);
/* discrete.c: multipliers of discrete and of position constraints, p^- = p + h B^T z; where there are none p^- = p. */
int lg_multipliers_discrete(lg_workspace *w, double h, const lg_node *a, lg_node *b);
/* energy_momentum.c: what time-dependent potentials and moving position constraints did in the step just solved. */
int lg_energy_momentum_rates(lg_workspace *w, double h, const lg_node *a, const real *mu, real *work);

static inline int lg_workspace_fail(lg_workspace *w, lg_status status, const char *what, int code, int iterations,
                                    double residual)
{
    w->failure = (lg_failure){status, what, code, iterations, residual};
    return 1;
}

static inline int lg_workspace_fail_status(lg_workspace *w, lg_status status, const char *what)
{
    return lg_workspace_fail(w, status, what, 0, 0, 0);
}

/* Row `bad` (from 1, position constraints first) depends on those before it. */
static inline int lg_workspace_fail_row(lg_workspace *w, int bad)
{
    const int holonomic = w->plan->holonomic;
    return lg_workspace_fail(w, LG_ERROR_SINGULAR, bad <= holonomic ? "holonomic_differential" : "covectors",
                             bad <= holonomic ? bad : bad - holonomic, 0, 0);
}

/* The callback that w->field says failed returned `code`. */
static inline int lg_workspace_fail_callback(lg_workspace *w, int code)
{
    return lg_workspace_fail(w, LG_ERROR_CALLBACK, w->field->failed, code, 0, 0);
}

static inline int lg_field_evaluate(lg_field *f, lg_callback_kind q, double t, const double *g, const double *xi,
                                    double *out)
{
    switch (q) {
    case LG_CALLBACK_POTENTIAL:
        return lg_field_potential(f, t, g, out);
    case LG_CALLBACK_GRADIENT:
        return lg_field_gradient(f, t, g, out);
    case LG_CALLBACK_FORCE:
        return lg_field_force(f, t, g, xi, out);
    case LG_CALLBACK_METRIC:
        return lg_field_metric(f, t, g, out);
    case LG_CALLBACK_METRIC_GRADIENT:
        return lg_field_metric_gradient(f, t, g, xi, out);
    case LG_CALLBACK_HOLONOMIC:
        return lg_field_holonomic(f, t, g, out);
    case LG_CALLBACK_HOLONOMIC_ROWS:
        return lg_field_holonomic_rows(f, t, g, out);
    case LG_CALLBACK_HOLONOMIC_RATE:
        return lg_field_holonomic_rate(f, t, g, out);
    }
    return 0;
}

/* The answer in every lane, `count` numbers. 0, or nonzero with w->failure set. */
#if LANES == 1
static inline int lg_evaluate(lg_workspace *w, lg_callback_kind q, const real *t, const real *g, const real *xi,
                              real *out, int count)
{
    const int code = lg_field_evaluate(w->field, q, *t, g, xi, out);
    (void)count;
    return code ? lg_workspace_fail_callback(w, code) : 0;
}
#else
int lg_evaluate(lg_workspace *w, lg_callback_kind q, const real *t, const real *g, const real *xi, real *out,
                int count);
/* lanes.c: do callbacks see one lane at a time? Rows and drift then. */
int lg_lane_by_lane(const lg_workspace *w, const real *t);
int lg_evaluate_rows(lg_workspace *w, lg_node *b, real *A);
struct lg_lanes *lg_lanes_carve(lg_arena *a, const lg_plan *plan);
#endif
/* Jinv = J^-1 in every lane, n x n, by w->dense. 0, or nonzero with w->failure set. */
int lg_invert_metric(lg_workspace *w, real *Jinv, const real *J);

#endif
