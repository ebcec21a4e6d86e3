/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a system (rows, drift, potential, metric and their derivatives) evaluated at a configuration, by
 * differences for missing derivatives. Needs a workspace, allocates nothing.
 *
 * Each function returns 0, or what a callback returned; `failed` then names the callback. */
#ifndef LG_MECHANICS_FIELD_H
#define LG_MECHANICS_FIELD_H

#include <liegrp/mechanics/system.h>
#include <liegrp/retractions/retraction.h>

#include "base/arena.h"

/* Added to lg_callbacks::lanes by the catalog: callbacks of a step understand numbers that carry derivatives, in
 * vectors of 2, 4, 8 (base/tangent.h). Then lg_call::lanes is -2, -4, -8, and numbers are such ones: lg_call::param,
 * control and times, the configuration, the velocity and the outputs. A callback answers LG_TANGENT_ANSWER, so that one
 * of somebody else's is not mistaken for one that knows them. Where the numbers have second derivatives, too,
 * lg_call::lanes is LG_CURVED_LANES times as much. */
enum { LG_LANES_TANGENTS = 1024, LG_TANGENT_ANSWER = 0x7461, LG_CURVED_LANES = 16 };

/* Error bounds of differences: the largest round-off, the sum of round-off and truncation, and the largest round-off
 * relative to the derivative's size. */
typedef struct lg_inexact {
    double noise, error, relative;
} lg_inexact;

typedef struct lg_field {
    const lg_system *S;
    const lg_retraction *r;            /* moves the configuration in differences; NULL: the group's exponential */
    const char *failed;                /* the callback that failed last */
    const double *control;             /* the controls' values, passed to every callback; zeros if not set */
    int n, element_size, m, holonomic; /* m velocity rows, number of holonomic constraints */
    double *eta, *step, *moved;        /* a direction, its image on the group, the displaced element */
    double *phi_rows;                  /* holonomic x n, for differences of holonomic constraints */
    double *differences, *values;      /* sums over stencils, and the values at a point */
    double *rates;                     /* of rows and drift, (m + 1) x n */
    lg_inexact found;                  /* of the last differences */
    double force_noise;                /* round-off of differenced forces since the last reader reset it to 0 */
    double row_noise;                  /* round-off of differenced d phi, relative to its size */
    int (*gradient)(void *context, double t, const double *g,
                    double *dV); /* if set: called for dV instead of the system's callback */
    void *gradient_context;
    void *work; /* scratch of group and retraction, lg_field_work_bytes(), supplied by the caller */
} lg_field;

/* The three callbacks in one, if the system has exactly these; else NULL. */
static inline lg_together_fn lg_callbacks_together(const lg_callbacks *c)
{
    const lg_together *o = c->together;
    return o && c->covectors && c->covectors_derivative && c->covectors == o->covectors &&
                   c->covectors_derivative == o->covectors_derivative && c->potential_gradient == o->potential_gradient
               ? o->value
               : NULL;
}
/* Sets everything but the pointers that lg_field_carve() sets and `control`. The owner points `control` to
 * lg_callbacks::control_count numbers, zeros if it has no values; NULL if the system has no controls. */
void lg_field_init(lg_field *f, const lg_system *S, const lg_retraction *r);
/* Carves the workspace, except `work`, from the arena. */
void lg_field_carve(lg_field *f, lg_arena *a);
/* lg_field_carve() in memory that is lent for one call. */
void lg_field_part(lg_field *f, lg_arena *a);
size_t lg_field_work_bytes(const lg_field *f);
/* The arguments of a callback at time *t, for one configuration. */
lg_call lg_field_call(const lg_field *f, const double *t);

/* A (m x n) and Y (n) at g, from any mixture of constants and callbacks. */
int lg_field_rows(lg_field *f, double t, const double *g, double *A, double *Y);
/* dA, dY = d/ds at s = 0 of A, Y at (t + s, g exp(s eta)). */
int lg_field_rows_rate(lg_field *f, double t, const double *g, const double *eta, double *dA, double *dY);
/* Partial derivatives of A and Y with respect to t; zeros if nothing depends on time. */
int lg_field_rows_partial(lg_field *f, double t, const double *g, double *dA, double *dY);
/* V(g); 0 without potential. */
int lg_field_potential(lg_field *f, double t, const double *g, double *V);
/* dV(g); zeros without potential. */
int lg_field_gradient(lg_field *f, double t, const double *g, double *dV);
/* d/ds at s = 0 of dV(g exp(s eta)), by differences of the gradient callback. */
int lg_field_gradient_rate(lg_field *f, double t, const double *g, const double *eta, double *rate);
/* J(g), n x n, constant or not. */
int lg_field_metric(lg_field *f, double t, const double *g, double *J);
/* dT(g, xi): left differential of 1/2 xi.J(g) xi at fixed xi; zeros for a constant metric. */
int lg_field_metric_gradient(lg_field *f, double t, const double *g, const double *xi, double *dT);
/* d/ds at s = 0 of J at (t + s, g exp(s xi)), times xi. */
int lg_field_metric_rate(lg_field *f, double t, const double *g, const double *xi, double *dJxi);
/* f(t, g, xi, u); zeros without force. */
int lg_field_force(lg_field *f, double t, const double *g, const double *xi, double *force);
/* phi(t, g), holonomic numbers. */
int lg_field_holonomic(lg_field *f, double t, const double *g, double *phi);
/* d phi, holonomic x n. */
int lg_field_holonomic_rows(lg_field *f, double t, const double *g, double *rows);
/* The partial derivative of phi with respect to t, holonomic numbers. */
int lg_field_holonomic_rate(lg_field *f, double t, const double *g, double *rate);
/* d^2/ds^2 at s = 0 of phi(t + s, g exp(s xi)), holonomic numbers: the rate of d phi.xi + phi_t along the motion at
 * fixed xi.
 */
int lg_field_hidden_rate(lg_field *f, double t, const double *g, const double *xi, double *rate);
/* All rows A = [d phi; mu] ((holonomic + m) x n), the drift Y (n), and b = [-phi_t; mu Y] (holonomic + m): the motion
 * has A xi = b.
 */
int lg_field_all_rows(lg_field *f, double t, const double *g, double *A, double *Y, double *b);
/* "holonomic constraint" or "constraint" for row *row (from 1) of all rows; *row becomes its number among its kind. */
const char *lg_field_row_kind(const lg_field *f, int *row);
/* moved = g exp(eta), or with the retraction f->r; nonzero: failed. */
int lg_field_move(lg_field *f, double *moved, const double *g, const double *eta);
/* Records that name as the one that failed; returns the status. */
int lg_field_failed_to_move(lg_field *f, lg_status st);

/* ---- acceleration.c: the continuous equations, all rows A = [d phi; mu] ((holonomic + m) x n) at once ----
 *   J xi' = ad*_xi J xi + dT - J' xi - dV + f + A^T lambda,   d/dt (A xi) = d/dt b,   b = [-phi_t; mu Y]
 * J' is the rate of the metric along the motion. */

typedef struct lg_acceleration {
    double *M, *Jinv;        /* n x n: scratch, and the inverse of the metric */
    double *A, *AW, *C;      /* (holonomic + m) x n, (holonomic + m)^2 */
    double *force, *t1, *t2; /* n; t2 is the caller's xidot until that is written */
    double *lambda;          /* holonomic + m: the multipliers of the last call, holonomic constraints first */
    int bad;                 /* LG_ERROR_SINGULAR: the row (from 1) that depends on those before it; 0: J */
    int inverted;            /* Jinv holds the inverse of a constant metric */
} lg_acceleration;

/* Carves the workspace. A constant metric is inverted at the first call after this one. */
void lg_acceleration_carve(lg_acceleration *o, const lg_field *f, lg_arena *a);
/* xidot (n) and o->lambda at (t, g, xi); xidot must not alias xi, and is undefined after a failure. xi may violate the
 * constraints. LG_ERROR_CALLBACK (*code = what it returned), LG_ERROR_SINGULAR (see `bad`), LG_ERROR_NOT_FINITE,
 * or the status of the group's ad. */
lg_status lg_field_acceleration(lg_field *f, lg_acceleration *o, double t, const double *g, const double *xi,
                                double *xidot, int *code);

#endif
