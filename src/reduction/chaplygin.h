/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of a Chaplygin object. One block: the struct, then the arrays that carve() in chaplygin.c takes. The
 * connection is kept transposed: row b is A e_b, an element of the structure group's algebra. */
#ifndef LG_INTEGRATORS_CHAPLYGIN_H
#define LG_INTEGRATORS_CHAPLYGIN_H

#include <liegrp/reduction/chaplygin.h>

#include "base/arena.h"
#include "mechanics/field.h"

/* The connection at one configuration, with the factored block B of the rows [C, B] that acts on the group. */
typedef struct lg_connection {
    double *At; /* s x d: rows of A^T = (B^-1 C)^T */
    double *LU; /* d x d */
    int *pivots;
} lg_connection;

/* A step's quantities for one shape velocity. Vectors of n in the order of the system's group. */
typedef struct lg_segment {
    lg_connection first, middle, last; /* at g_k, at (r_m, g_k), at g_{k+1} */
    double *xi;                        /* n: (v, -A(r_m) v) */
    double *p;                         /* n: J(r_m) xi */
    double *slope;                     /* n: left slope of L at the middle; only its shape part is used */
    double *minus, *plus;              /* n: (dtau^-1_{h xi})^* p, and that transported to the other end */
    double *g1;                        /* the element at the other end */
} lg_segment;

struct lg_chaplygin {
    int made;          /* 0: only a message, after a failed creation */
    int started, busy; /* busy 1: a function is running; callers are then its callbacks */
    size_t bytes;
    double h, t0, tolerance;
    int64_t step;
    int iterations, iterations_max;
    lg_system S; /* a copy */
    lg_field field;
    const lg_retraction *r;
    int n, gn, s, d;
    int *shape, *fibre, *place;                    /* directions of M, of G; the place of r in an element */
    double *g, *P, *arrived, *xi, *lambda;         /* the state: g_k, P_k, M^+_k, the last step's velocity, lambda */
    lg_segment segment;                            /* of the current step */
    double *v;                                     /* s: the last shape velocity, Newton's first guess */
    double *next, *R, *trial, *delta, *Jacobian;   /* of Newton's iteration: s; the Jacobian s x s */
    double *Js;                                    /* s x s */
    double *J;                                     /* n x n */
    double *rows, *drift, *rows_rate, *drift_rate; /* d x n, n */
    double *rate;                                  /* s x d: a derivative of the connection, transposed */
    double *x, *eta, *vector;                      /* n */
    double *base, *point, *W;                      /* elements: given, the middle, tau of a displacement */
    int *pivots;
    void *work;
    const char *function; /* the current public function, for messages */
    lg_error error;
};

/* ---- reduction.c. A function that fails sets the message and returns its status. ---- */

/* out = g tau(x). */
lg_status lg_chaplygin_move(lg_chaplygin *o, double *out, const double *g, const double *x);
/* The connection at g. */
lg_status lg_connection_at(lg_chaplygin *o, lg_connection *c, double t, const double *g);
/* o->rate = d/ds of A^T along the shape velocity `eta` (n numbers) at g, where c is the connection. */
lg_status lg_connection_rate(lg_chaplygin *o, const lg_connection *c, double t, const double *g, const double *eta);
/* xi = (v, -A v). */
void lg_chaplygin_horizontal(const lg_chaplygin *o, double *xi, const lg_connection *c, const double *v);
/* o->Js = J* at g from the connection there. */
lg_status lg_chaplygin_reduced_metric(lg_chaplygin *o, const lg_connection *c, double t, const double *g);
/* Computes a segment from g0 with shape velocity v, except for its far end; segment.first must be the one at g0. */
lg_status lg_segment_leave(lg_chaplygin *o, double t, const double *g0, const double *v);
/* Computes the far end of the segment. */
lg_status lg_segment_arrive(lg_chaplygin *o, double t, const double *g0);
/* P^- = -D_1 L*_d + F^- of the segment. */
void lg_segment_minus(const lg_chaplygin *o, double *P);
/* P^+ = D_2 L*_d - F^+. */
void lg_segment_plus(const lg_chaplygin *o, double *P);

/* Sets the message: `what`, the step, the element g. Returns st. */
lg_status lg_chaplygin_fail_at(lg_chaplygin *o, lg_status st, const char *what, const double *g);
/* lg_chaplygin_fail_at() for the callback that failed last, with its return value. */
lg_status lg_chaplygin_callback_failed(lg_chaplygin *o, int code, const double *g);

#endif
