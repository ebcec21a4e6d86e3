/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ensemble_private.h
 *  Inside an ensemble.
 *
 *  An instance between runs is a row of a few arrays: parameters, controls, snapshot (integrators/engine/wide.h), time
 *  at its start, steps, status. Every thread has a *worker* that steps instances: a model that takes the parameters of
 *  the instance at hand and gives its system, a *representative* (the integrator that instances take in turn,
 *  integrators/instances.h) and a wide workspace for as many as go at a time. Parameters can change the structure of a
 *  system, a diagonal inertia become full, and with it the course of a step: instances of equal structure are a
 * *class*, and every worker has a representative and a wide workspace for each.
 *
 *  Threads take units of `span` consecutive instances in turn: no two touch the same unit. */
#ifndef LIEGRP_SRC_RUN_ENSEMBLE_PRIVATE_H
#define LIEGRP_SRC_RUN_ENSEMBLE_PRIVATE_H

#ifdef _OPENMP
#include <omp.h>
#endif

#include <liegrp/run/ensemble.h>

#include "integrators/instances.h"
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
    lg_model *M;
    int classes; /* those that it has representatives for */
    lg_integrator *representative[LG_CLASSES];
    lg_wide *wide[LG_CLASSES]; /* NULL: none, one by one */
    double *g0, *xi0;          /* initial data, one block */
} lg_worker;

struct lg_ensemble {
    int made; /* 0: only a message, from a creation that failed */
    int busy; /* 1: threads are at work: a caller is then one of their callbacks */
    lg_error error;
    const lg_model *origin;       /* the first worker's model */
    double *parameters, *initial; /* of the model that it was made from; initial: what the user set of it, as there */
    char *method, *retraction;
    double h, tolerance;
    lg_start start;
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
    size_t np, nc, snapshot_size;
    double *param, *control, *snapshot, *t0; /* count x np, count x nc, count x snapshot_size, count */
    int64_t *steps;
    unsigned char *status, *class_of;
    int64_t period;               /* in steps at which figures are taken; 0: never */
    lg_ensemble_figures *figures; /* count; NULL: there is none */
    lg_reason **reasons;          /* a list a unit */
};

/* ---- ensemble_worker.c ---- */
/* The ensemble's next worker, with representatives of all classes. LG_ERROR_MEMORY, or why it has no representative, in
 * *e. */
lg_status lg_worker_create(lg_worker **worker, lg_ensemble *E, const lg_model_definition *d, lg_error *e);
void lg_worker_destroy(lg_worker *worker);
size_t lg_worker_bytes(const lg_worker *worker);
/* Representatives of classes that other workers have found. */
lg_status lg_worker_catch_up(lg_worker *worker, const lg_ensemble *E, lg_error *e);
/* The model as it was when the ensemble was made. */
void lg_worker_reset(lg_worker *worker, const lg_ensemble *E);
/* The worker's model becomes instance i, at the beginning; on failure i is retired with *e. With g0 (and t0, xi0)
 * instead of the model's initial data where that is not NULL; else the controls are zeros. */
lg_status lg_worker_place(lg_worker *worker, lg_ensemble *E, int64_t i, double t0, const double *g0, const double *xi0,
                          lg_error *e);
/* The representative that holds instance i, or NULL with the reason in *e. */
lg_integrator *lg_worker_load(lg_worker *worker, const lg_ensemble *E, int64_t i, lg_error *e);
/* What is in the representative is instance i. */
void lg_worker_store(const lg_integrator *representative, lg_ensemble *E, int64_t i);

/* ---- ensemble.c ---- */
static inline double *lg_ensemble_snapshot(const lg_ensemble *E, int64_t i)
{
    return E->snapshot + (size_t)i * E->snapshot_size;
}
static inline double *lg_ensemble_control(const lg_ensemble *E, int64_t i)
{
    return E->control + (size_t)i * E->nc;
}
/* Instance i is retired with a status and its text (NULL: none is kept); or taken back into the ensemble with LG_OK. */
void lg_ensemble_mark(lg_ensemble *E, int64_t i, lg_status status, const char *text);
/* task() for every unit, in any order, by all threads. */
typedef void (*lg_unit_task)(lg_ensemble *E, lg_worker *worker, int64_t first, int64_t last, void *context);
void lg_ensemble_each(lg_ensemble *E, lg_unit_task task, void *context);
/* LG_OK if the ensemble was made and is not busy. */
lg_status lg_ensemble_ready(lg_ensemble *E);

#endif
