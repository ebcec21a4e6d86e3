/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of a pull-back, and the scratch of one call. Callbacks keep the scratch on the stack, so that the
 * pulled-back system stays constant. */
#ifndef LG_MECHANICS_PULLBACK_H
#define LG_MECHANICS_PULLBACK_H

#include <liegrp/mechanics/pullback.h>

#include "mechanics/field.h"

enum { LG_PULL_MOST = LG_PULLBACK_MAX, LG_PULL_BLOCK = 12 * LG_PULL_MOST * LG_PULL_MOST + 16 * LG_PULL_MOST };

/* A rule: h sum_i weight_i f((1 - alpha_i) v_0 + alpha_i v_1, v). */
typedef struct lg_pull_rule {
    int count;
    double alpha[2], weight[2];
} lg_pull_rule;

struct lg_pullback {
    int made; /* 0: only a message, after a failed creation */
    int s, r;
    lg_system S, pulled; /* a copy; the pulled-back system, whose context is this object */
    lg_field_fn chart, jacobian;
    const void *context;
    int positions; /* number of holonomic constraints of the given system; S has none */
    int user;      /* 1: S has its own discrete Lagrangian and constraint */
    lg_pull_rule action, constraint;
    lg_error error;
};

/* The fields on V for one call, with scratch. */
typedef struct lg_pull {
    const lg_pullback *o;
    lg_call call; /* the arguments of the chart's callbacks */
    lg_system S;
    lg_field f;
    double point[LG_PULL_MOST], vector[LG_PULL_MOST], other[LG_PULL_MOST], DJ[LG_PULL_MOST * LG_PULL_MOST],
        M[LG_PULL_MOST * LG_PULL_MOST], T[LG_PULL_MOST * LG_PULL_MOST];
    double inertia[LG_PULL_MOST * LG_PULL_MOST],
        rows[LG_PULL_MOST * LG_PULL_MOST]; /* for parameters other than those of S */
    _Alignas(16) double block[LG_PULL_BLOCK];
} lg_pull;

/* ---- pullback_fields.c ---- */

/* Sets up the fields' scratch at `memory` (NULL: only computes the size); returns the bytes used. */
size_t lg_pull_bind(lg_pull *k, char *memory);
/* A call of the pulled-back system, c->context = the pull-back. Nonzero: no arrays for the call's parameters. */
int lg_pull_open(lg_pull *k, const lg_call *c);
/* v = J(q); k->DJ = DJ(q); both, into k->point and k->DJ, after lg_pull_open(). They return the codes of the
 * callbacks. */
int lg_pull_chart(lg_pull *k, const double *q, double *v);
int lg_pull_jacobian(lg_pull *k, const double *q);
int lg_pull_look(lg_pull *k, const lg_call *c, const double *q);
/* Builds o->pulled from the other members. */
void lg_pull_make_system(lg_pullback *o);

#endif
