/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside a motion that an integrator makes: for dense.c, and for ensembles, whose instances take one in turn. */
#ifndef LIEGRP_SRC_RUN_DENSE_H
#define LIEGRP_SRC_RUN_DENSE_H

#include "run/engine.h"
#include "run/model_private.h"

enum { LG_DENSE_NAME = 80 };

/* The part of a state that the integrator does not hold. */
typedef struct lg_dense_totals {
    int64_t parts; /* by how many the integrator's steps exceed the motion's */
    double work, step_work;
    double force_work; /* of `work`, that of forces */
} lg_dense_totals;

typedef struct lg_dense {
    lg_motion head;
    lg_model *M; /* its own */
    const lg_system *S;
    lg_integrator *it;
    lg_integrator *before, *whole; /* states to come back to: of an event's step, of one that is halved (or NULL) */
    lg_dense_totals now, kept, uncut;
    char method[LG_DENSE_NAME];
    lg_start start;
    int halvings;
    double *columns; /* configuration of the last step, from which angles are unwrapped */
    double *written; /* scratch of a row */
    double *given;   /* configuration columns and velocities of a start */
    double *g, *xi;
    double *first;  /* controls of the last start */
    unsigned moves; /* the integrator's when the motion saw it last */
} lg_dense;

/* Of a motion whose engine is dense. */
static inline lg_dense *lg_dense_of(lg_motion *mo)
{
    return (lg_dense *)(void *)mo;
}

static inline const lg_dense *lg_dense_seen(const lg_motion *mo)
{
    return (const lg_dense *)(const void *)mo;
}

/* dense.c: the state has changed, what a mechanism's bodies are read from follows it. */
void lg_dense_show(lg_dense *d);
/* Starts at d->g with d->xi and the controls that are set. */
lg_status lg_dense_begin(lg_dense *d, double t0, int project);
/* dense_parameters.c: it takes parameters that make a system of its structure; its state is undefined then. */
lg_status lg_dense_adopt(lg_dense *d, const double *param, lg_error *e);
/* As lg_engine::set_parameters. */
lg_status lg_dense_set_parameters(lg_motion *mo, const int *which, const double *values, int count);
/* dense_run.c: lg_motion::look, lg_engine::row and interpolate. */
void lg_dense_look(const lg_motion *mo);
lg_status lg_dense_row(const lg_motion *mo, double *row, const lg_observation *s);
lg_status lg_dense_interpolate(const lg_motion *mo, double *row, double s);

#endif
