/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ensemble_private.h
 *  Inside an ensemble.
 *
 *  An instance between runs is a *record* of numbers (parameters, controls, what a step continues from), the time at
 *  its start, its steps and its status. Every thread has a *worker*: a motion that instances take in turn, and room for
 *  as many as go at a time, their *lanes*. Parameters can change the structure of a system, a diagonal inertia become
 *  full, and with it the course of a step: instances of equal structure are a *class*, and every worker has a motion
 *  and lanes for each. An lg_ensemble_engine holds the differences between definitions and mechanisms; there are two,
 *  ensemble_dense.c and ensemble_sparse.c.
 *
 *  Threads take units of `span` consecutive instances in turn: no two touch the same unit. */
#ifndef LIEGRP_SRC_RUN_ENSEMBLE_PRIVATE_H
#define LIEGRP_SRC_RUN_ENSEMBLE_PRIVATE_H

#ifdef _OPENMP
#include <omp.h>
#endif

#include <liegrp/run/ensemble.h>

#include "run/engine.h"
#include "run/model_private.h"
#include "run/watch.h"

enum {
    LG_CLASSES = 64,   /* most structures that the parameters of one definition may make */
    LG_NO_CLASS = 255, /* of an instance that has no state */
    LG_WIDTH_MOST = 8, /* lanes */
    LG_THREADS_MOST = 4096,
    LG_SPAN_MOST = 16 /* lanes' worth of instances in a unit */
};

/* Why an instance was retired; a list a unit. */
typedef struct lg_reason {
    struct lg_reason *next;
    int64_t instance;
    char text[];
} lg_reason;

typedef struct lg_worker {
    lg_model *M; /* of a definition: takes what an instance is to begin with */
    int classes; /* those that it has motions for */
    lg_motion *motion[LG_CLASSES];
    void *wide[LG_CLASSES]; /* lanes of that engine; NULL: none, one by one */
} lg_worker;

struct lg_ensemble_engine;

struct lg_ensemble {
    int made; /* 0: only a message, from a creation that failed */
    int busy; /* 1: threads are at work: a caller is then one of their callbacks */
    lg_error error;
    const struct lg_ensemble_engine *engine;
    lg_model *model;                         /* a copy of the one that it was made from */
    lg_motion_options o;                     /* of its motions; the texts are the first motion's */
    double solver;                           /* sparse: when sweeps stop */
    const lg_contact_options *contact_given; /* while it is made */
    lg_contact_options contact;              /* sparse, with contacts: those of all instances */
    int project, width;
    int64_t count, units;
    int span, threads;
    lg_worker **workers;
#ifdef _OPENMP
    omp_lock_t lock; /* of the next two, while instances are set */
#endif
    int classes;
    double *class_parameters; /* of an instance of each class */
    lg_error model_error;     /* why the model that it was made from does not start; LG_OK: it does */
    size_t size;              /* numbers of a record */
    size_t control_at, nc;    /* where its controls are, and how many */
    double *record, *t0;      /* count x size, count */
    double *origin;           /* of a mechanism: the record of the start that the model says */
    int64_t *steps;
    unsigned char *status, *class_of;
    int64_t period;               /* in steps at which figures are taken; 0: never */
    lg_ensemble_figures *figures; /* count; NULL: figures are not taken */
    lg_reason **reasons;          /* a list a unit */
};

/* Instances side by side. A lane whose instance was retired holds a copy of a healthy one, which costs nothing but its
 * place, and is no longer looked at. */
typedef struct lg_ensemble_block {
    lg_ensemble *E;
    void *wide;
    lg_motion *motion;       /* takes a lane that is to be read or stepped alone */
    int live[LG_WIDTH_MOST]; /* 1: the lane stands for an instance */
    int64_t instance[LG_WIDTH_MOST];
    double t0[LG_WIDTH_MOST], step[LG_WIDTH_MOST]; /* of what the lane holds; whole numbers */
    int64_t due[LG_WIDTH_MOST];                    /* steps to the next look, counted from its last one */
    lg_ensemble_figures figures[LG_WIDTH_MOST];
} lg_ensemble_block;

/* The functions that move the instances of an ensemble. A step that lanes cannot make together changes nothing and
 * is made lane by lane in the motion: what fails, and what it says, exists once. */
typedef struct lg_ensemble_engine {
    /* Workers: the next class's motion and lanes, of worker->M or of the ensemble's model; and away with the last. */
    lg_status (*add)(lg_worker *worker, lg_ensemble *E, lg_error *e);
    void (*remove)(lg_worker *worker);
    size_t (*bytes)(const lg_worker *worker, const lg_ensemble *E); /* of all of them */
    /* A record: its size, where its controls are, and the motion as one. */
    size_t (*size)(const lg_motion *mo, size_t *control_at);
    void (*pack)(const lg_motion *mo, double *record);
    lg_status (*unpack)(lg_motion *mo, const double *record, double t0, int64_t steps, lg_error *e);
    void (*clock)(const lg_motion *mo, double *t0, int64_t *steps);
    /* Of a definition: *which = the class that is to take instance i, whose motion then has the numbers of worker->M.
     */
    lg_status (*classify)(lg_worker *worker, lg_ensemble *E, int64_t i, int *which, lg_error *e);
    void (*give_control)(lg_motion *mo, const double *u); /* for the start that follows */
    int (*feels_control)(const lg_motion *mo);            /* does its state change with them? NULL: none does */
    lg_status (*fits)(const lg_ensemble *E, const lg_motion *mo, const char *function, lg_error *e);
    void (*restore)(const lg_ensemble *E, lg_motion *mo); /* of a mechanism: settings that a setter may have changed */
    void (*remember)(lg_motion *mo);                      /* lg_motion_reset() comes back to here */
    int (*step)(lg_motion *mo, lg_error *e);              /* 1: it failed, and the state is as it was */
    /* Lanes, as engine/wide.h says. */
    lg_status (*load)(lg_ensemble_block *b, int l, int64_t i, lg_error *e);
    void (*place)(lg_ensemble_block *b);            /* all are loaded; NULL: nothing follows from them */
    void (*get)(const lg_ensemble_block *b, int l); /* into the motion */
    void (*put)(const lg_ensemble_block *b, int l);
    void (*copy)(const lg_ensemble_block *b, int to, int from);
    void (*save)(const lg_ensemble_block *b, int l, double *record);
    int (*step_lanes)(lg_ensemble_block *b);
    /* 1, or NULL: they are to be read one by one. */
    int (*figures)(const lg_ensemble_block *b, double *energy, double *constraint);
} lg_ensemble_engine;

extern const lg_ensemble_engine lg_ensemble_dense, lg_ensemble_sparse;

/* ---- ensemble_worker.c ---- */
/* The ensemble's next worker, with motions of all classes. On failure the text is in *e. */
lg_status lg_worker_create(lg_worker **worker, lg_ensemble *E, lg_error *e);
void lg_worker_destroy(lg_worker *worker, const lg_ensemble *E);
/* Motions of classes that other workers have found. */
lg_status lg_worker_catch_up(lg_worker *worker, lg_ensemble *E, lg_error *e);
/* worker->M as the model was when the ensemble was made. */
void lg_worker_reset(lg_worker *worker, const lg_ensemble *E);

/* How an instance starts: from g and xi, or from a row (NULL: what the model says). */
typedef struct lg_beginning {
    double t0;
    const double *row, *g, *xi;
    int project;
} lg_beginning;

/* Instance i starts, with worker->M's parameters and its controls; on failure it is retired with *e. */
lg_status lg_worker_place(lg_worker *worker, lg_ensemble *E, int64_t i, const lg_beginning *begin, lg_error *e);
/* Instance i, of this class, is where the motion is. */
void lg_worker_begin(lg_ensemble *E, int64_t i, int which, const lg_motion *mo);
/* The motion that holds instance i, or NULL with the reason in *e. */
lg_motion *lg_worker_load(lg_worker *worker, const lg_ensemble *E, int64_t i, lg_error *e);
/* The state of the motion becomes that of instance i. */
void lg_worker_store(lg_ensemble *E, int64_t i, const lg_motion *mo);

/* ---- ensemble.c ---- */
static inline double *lg_ensemble_record(const lg_ensemble *E, int64_t i)
{
    return E->record + (size_t)i * E->size;
}
static inline double *lg_ensemble_control(const lg_ensemble *E, int64_t i)
{
    return lg_ensemble_record(E, i) + E->control_at;
}
/* What lg_ensemble_figures::constraint is of. */
static inline double lg_ensemble_residual(const lg_motion *mo)
{
    const double slip = mo->engine->slip(mo);
    return mo->bodies != NULL ? lg_watch_larger(slip, mo->engine->gap(mo)) : slip;
}
/* Instance i is retired with a status and its text (NULL: none is kept); or taken back into the ensemble with LG_OK. */
void lg_ensemble_mark(lg_ensemble *E, int64_t i, lg_status status, const char *text);
/* task() for every unit, in any order, by all threads. */
typedef void (*lg_unit_task)(lg_ensemble *E, lg_worker *worker, int64_t first, int64_t last, void *context);
void lg_ensemble_each(lg_ensemble *E, lg_unit_task task, void *context);
/* LG_OK if the ensemble was made and is not busy. */
lg_status lg_ensemble_ready(lg_ensemble *E);

#endif
