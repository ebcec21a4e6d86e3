/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ensemble_private.h
 *  Inside an ensemble.
 *
 *  An instance between runs is a row of a few arrays: parameters, controls, snapshot (integrators/engine/wide.h), time
 * at its start, steps, status. A thread steps instances at its *desk*: a model that takes the parameters of the
 * instance at hand and gives its system, a *scalar* (an integrator that instances take in turn) and a wide work for as
 * many as go at a time. Parameters can change the structure of a system, a diagonal inertia become full, and with it
 * the course of a step: instances of equal structure are a *class*, and every desk has a scalar and a wide work for
 * each.
 *
 *  Units of `span` consecutive instances are what threads take in turn: nothing of a unit is touched by two. */
#ifndef LIEGRP_SRC_RUN_ENSEMBLE_PRIVATE_H
#define LIEGRP_SRC_RUN_ENSEMBLE_PRIVATE_H

#ifdef _OPENMP
#include <omp.h>
#endif

#include <liegrp/run/ensemble.h>

#include "integrators/engine/wide.h"
#include "run/model_private.h"

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

typedef struct lg_desk {
    lg_model *M;
    int classes; /* those it has seats for */
    lg_integrator *scalar[LG_CLASSES];
    lg_wide *wide[LG_CLASSES]; /* NULL: none, one by one */
    double *g0, *xi0;          /* behind the desk */
} lg_desk;

struct lg_ensemble {
    int made; /* 0: only a message, from a creation that failed */
    int busy; /* 1: threads are at work: whoever calls now is called by them */
    lg_error error;
    const lg_model *origin;       /* desk 0's model */
    double *parameters, *initial; /* of the model that it was made from; initial: what the user set of it, as there */
    char *method, *retraction;
    double h;
    lg_start start;
    int project, width;
    int64_t count, units;
    int span, threads;
    lg_desk **desk;
#ifdef _OPENMP
    omp_lock_t lock; /* of the next two, while instances are set */
#endif
    int classes;
    double *class_parameters; /* of an instance of each class */
    lg_error model_error;     /* why the model that it was made from does not start; LG_OK: it does */
    size_t np, nc, image_size;
    double *param, *control, *snapshot, *t0; /* count x np, count x nc, count x image_size, count */
    int64_t *steps;
    unsigned char *status, *class_of;
    int64_t period;               /* of the monitor; 0: there is none */
    lg_ensemble_monitor *monitor; /* count; NULL: there is none */
    lg_reason **reasons;          /* a list a unit */
};

/* ---- ensemble_desk.c ---- */
/* The ensemble's next desk, with seats for all classes. LG_ERROR_MEMORY, or why there is no scalar, in *e. */
lg_status lg_desk_open(lg_desk **desk, lg_ensemble *E, const lg_model_definition *d, lg_error *e);
void lg_desk_close(lg_desk *desk);
size_t lg_desk_bytes(const lg_desk *desk);
/* Seats for classes that other desks have found. */
lg_status lg_desk_catch_up(lg_desk *desk, const lg_ensemble *E, lg_error *e);
/* The model as it was when the ensemble was made. */
void lg_desk_reset(lg_desk *desk, const lg_ensemble *E);
/* The desk's model becomes instance i, at the beginning; on failure i is retired with *e. With g0 (and t0, xi0) instead
 * of the model's initial data where that is not NULL; else the controls are zeros. */
lg_status lg_desk_place(lg_desk *desk, lg_ensemble *E, int64_t i, double t0, const double *g0, const double *xi0,
                        lg_error *e);
/* The scalar that instance i sits in, or NULL with the reason in *e. */
lg_integrator *lg_desk_load(lg_desk *desk, const lg_ensemble *E, int64_t i, lg_error *e);
/* What is in the scalar is instance i. */
void lg_desk_store(const lg_integrator *scalar, lg_ensemble *E, int64_t i);

/* ---- ensemble.c ---- */
static inline double *lg_ensemble_image(const lg_ensemble *E, int64_t i)
{
    return E->snapshot + (size_t)i * E->image_size;
}
static inline double *lg_ensemble_control(const lg_ensemble *E, int64_t i)
{
    return E->control + (size_t)i * E->nc;
}
/* Instance i is retired with a status and its text (NULL: none is kept); or taken back into the ensemble with LG_OK. */
void lg_ensemble_mark(lg_ensemble *E, int64_t i, lg_status status, const char *text);
/* What the monitor sees: the first values, and those that follow. */
void lg_monitor_begin(lg_ensemble_monitor *m, double energy, double constraint);
void lg_monitor_add(lg_ensemble_monitor *m, double energy, double constraint);
/* task() for every unit, in any order, by all threads. */
typedef void (*lg_unit_task)(lg_ensemble *E, lg_desk *desk, int64_t first, int64_t last, void *context);
void lg_ensemble_each(lg_ensemble *E, lg_unit_task task, void *context);
/* LG_OK if the ensemble was made and is not busy. */
lg_status lg_ensemble_ready(lg_ensemble *E);

#endif
