/* SPDX-License-Identifier: BSD-3-Clause */
/* An engine: what a motion asks of that which moves. There are two: dense.c, an integrator of a system, and sparse.c,
 * the step of mechanisms. */
#ifndef LIEGRP_SRC_RUN_ENGINE_H
#define LIEGRP_SRC_RUN_ENGINE_H

#include <liegrp/run/motion.h>

#include "base/account.h"
#include "base/checkpoint.h"
#include "base/motion_head.h"
#include "integrators/collocation/step_size.h"
#include "integrators/diagnostics/diagnostics.h"
#include "run/provenance.h"
#include "run/watch.h"

struct mb_sparse;
struct lg_run_result;

/* Functions for runs and their accuracy. */
typedef struct lg_run_engine {
    const char *(*iterations_name)(const lg_motion *mo); /* lg_run_result::iterations */
    int (*order)(const lg_motion *mo);
    void (*set_pause)(lg_motion *mo, lg_pause pause);
    /* A run watches the state: its first one, or one after a step; and at its end what only this engine knows. */
    void (*watch)(lg_motion *mo, int first);
    void (*conclude)(const lg_motion *mo, struct lg_run_result *result);
    void (*origin)(lg_provenance *p, const lg_motion *mo); /* what it is a motion of, from where and how */

    /* For the accuracy of a run: configurations, `size` numbers, and how far they and velocities are apart. */
    size_t (*size)(const lg_motion *mo);
    void (*configuration)(double *g, const lg_motion *mo);
    lg_apart (*apart)(const lg_motion *mo, const double *a, const double *b);
    double (*velocities)(const lg_motion *a, const lg_motion *b, double *speed); /* |of a - of b|, and |of a| */
    double (*repeat)(lg_resolution *r, const lg_motion *mo, lg_motion *before);  /* as lg_resolution_add() */
    void (*tighten)(lg_motion *mo); /* its tolerance becomes a thousand times smaller */
} lg_run_engine;

typedef struct lg_engine {
    /* A motion of the same model, method and settings with step h, not started. On failure *copy may hold the message.
     */
    lg_status (*like)(lg_motion **copy, const lg_motion *mo, double h);
    void (*destroy)(lg_motion *mo);
    /* It takes the state of another motion like it; to the bit if both have the same step. */
    lg_status (*follow)(lg_motion *mo, const lg_motion *other);
    /* Statuses and messages of the public functions. */
    lg_status (*start)(lg_motion *mo, double t0, const double *row, int project);
    lg_status (*start_state)(lg_motion *mo, double t0, const double *g, const double *xi, int project);
    lg_status (*adopt)(lg_motion *mo); /* of a mechanism: it starts where its bodies have been started */
    lg_status (*reset)(lg_motion *mo);
    lg_status (*set_control)(lg_motion *mo, const double *u);
    lg_status (*set_control_nodes)(lg_motion *mo, int degree, const double *u); /* degree > 0 */
    lg_status (*set_step)(lg_motion *mo, double h);                             /* finite, not 0 */
    /* `count` parameters that exist, each once, finite. On failure the motion is as it was. */
    lg_status (*set_parameters)(lg_motion *mo, const int *which, const double *values, int count);
    double (*parameter)(const lg_motion *mo, int i); /* that exists */
    lg_status (*set_halvings)(lg_motion *mo, int halvings);
    lg_status (*set_tolerance)(lg_motion *mo, double tolerance);
    lg_status (*set_solver)(lg_motion *mo, double tolerance);
    lg_status (*step)(lg_motion *mo, int64_t steps);

    /* Parts of a step, for events: the state is kept and taken back, or advances by `part` of a step, halved if need
     * be; settle() counts it as a step, after which, where `part` < 1, time counts from here. */
    void (*keep)(lg_motion *mo);
    void (*back)(lg_motion *mo);
    lg_status (*advance)(lg_motion *mo, double part);
    void (*settle)(lg_motion *mo, int whole);

    void (*describe)(lg_lines *l, const void *mo); /* for checkpoints, as lg_kept */
    void (*list)(lg_tape *t, void *mo);

    int (*control_degree)(const lg_motion *mo); /* of controls inside a step; 0: they are held */
    int (*started)(const lg_motion *mo);
    /* `s` is what observation() says, NULL: it was not called. */
    lg_status (*row)(const lg_motion *mo, double *row, const lg_observation *s);
    /* As lg_motion_interpolate(), into a row of NaN. LG_ERROR_ARGUMENT: there is no last step. */
    lg_status (*interpolate)(const lg_motion *mo, double *row, double s);
    lg_status (*state)(const lg_motion *mo, double *g, double *xi, double *p);
    lg_status (*poses)(const lg_motion *mo, double *poses);
    double (*time)(const lg_motion *mo);
    int64_t (*step_index)(const lg_motion *mo);
    double (*step_size)(const lg_motion *mo);
    double (*energy)(const lg_motion *mo);
    double (*gap)(const lg_motion *mo);
    double (*slip)(const lg_motion *mo);
    double (*work)(const lg_motion *mo);
    double (*step_work)(const lg_motion *mo);              /* of the last step */
    void (*account)(const lg_motion *mo, double *account); /* LG_WORKS numbers, each positive where it adds to H */
    int (*iterations)(const lg_motion *mo);
    int (*halvings)(const lg_motion *mo);
    double (*tolerance)(const lg_motion *mo);
    double (*found_step)(const lg_motion *mo);
    double (*step_error)(const lg_motion *mo);
    const char *(*method)(const lg_motion *mo);
    lg_observation (*observation)(const lg_motion *mo); /* energy and residuals of the present state */
    const double *(*control)(const lg_motion *mo);      /* that are held; lg_model_control_count() numbers */

    const lg_run_engine *run;
} lg_engine;

extern const lg_run_engine lg_run_engine_dense, lg_run_engine_sparse;

/* motion.c: *o = the caller's options (NULL: the default) in the library's size, for a motion of M. LG_ERROR_ARGUMENT:
 * they or the model make no sense. */
lg_status lg_motion_options_take(lg_motion_options *o, const lg_model *M, const lg_motion_options *given, lg_error *e);
/* dense.c and sparse.c: as lg_motion_create(), of options in the library's size. */
lg_status lg_dense_create(lg_motion **motion, lg_model *M, const lg_motion_options *o);
lg_status lg_sparse_create(lg_motion **motion, const lg_model *M, const lg_motion_options *o);
/* sparse.c: starts the bodies of the model's mechanism as lg_motion_start() says. */
lg_status lg_model_start_bodies(const lg_model *M, struct mb_sparse *mo, double t0, const double *row, int project);
/* 1: mechanisms take the sparse step with this method. */
int lg_method_is_sparse(const char *method);

/* motion.c: LG_OK: it has a state; else the message says that `function` needs one. */
lg_status lg_motion_ready(lg_motion *mo, const char *function);

#endif
