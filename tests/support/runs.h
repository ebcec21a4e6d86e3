/* SPDX-License-Identifier: BSD-3-Clause */
/** @file runs.h
 *  Trajectories in tests: start or fail, step or fail, and what several tests measure along the way. */
#ifndef TESTS_SUPPORT_RUNS_H
#define TESTS_SUPPORT_RUNS_H

#include "energy_systems.h"

/** The method's integrator, started from the system's initial data with step h; a failure fails the test. */
lg_integrator *run_start(const test_system *t, const char *method, const char *retraction, double h);
/** A run from any state of any system; g0 and xi0 are taken as they are. */
lg_integrator *run_start_at(const lg_system *S, const char *method, const char *retraction, double h, double t0,
                            const double *g0, const double *xi0);
void run_steps(lg_integrator *it, int64_t steps);
/** Frees and makes *it NULL. */
void run_end(lg_integrator **it);

/** The extremes of a run. */
typedef struct run_extremes {
    double energy;     /**< largest |H - H_0| */
    double last;       /**< the same over the last quarter */
    double balance;    /**< largest |H - H_0 - sum of the works| */
    double rise;       /**< largest H_{k+1} - H_k */
    double constraint; /**< largest lg_integrator_constraint_residual() */
    double position;   /**< largest lg_integrator_holonomic_residual() */
    double size;       /**< largest entry of a momentum, at least 1 */
} run_extremes;

/** `steps` steps and their extremes. The work is summed only if `work` is 1. */
run_extremes run_watch(lg_integrator *it, int64_t steps, int work);

/** How far 2 x `steps` steps, there and back, end from the start, in matrix entries of g and in p; relative to the
 *  largest entry that occurs. */
double run_there_and_back(const test_system *t, const char *method, const char *retraction, double h, int steps);

/** g (as a matrix) and p at the end of a run. */
typedef struct run_state {
    double M[SUITE_MATRIX], p[SUITE_DIM];
} run_state;

void run_read(run_state *out, const lg_integrator *it);
/** The largest difference of two states: matrix entries and momenta together. */
double run_difference(const lg_group *G, const run_state *a, const run_state *b);
/** State after time T in `count` steps. */
void run_to(run_state *out, const test_system *t, const char *method, const char *retraction, double T, int count);
/** A run by the continuous equations with `steps` steps of order 4. */
void run_truth(run_state *out, const test_system *t, double T, int steps);

/** Observed orders of g and p (p~), least squares over the step sizes T/counts[i], and the errors of the finest. */
typedef struct run_orders {
    double g, p, error_g, error_p;
    int used_g, used_p; /**< how many step sizes had an error above the floor */
} run_orders;

/** Errors below `floor` are round-off and not used. */
run_orders run_measure(const test_system *t, const run_state *truth, const char *method, const char *retraction,
                       double T, const int *counts, int n, double floor);

/** Fails unless an order that three or more errors tell is within `slack` of `want`; fewer: round-off. */
void run_near_order(const char *what, double order, int used, double want, double slack);

/** The largest errors of the multipliers (holonomic ones first) after `counts[i]` + `more` steps of T/counts[i],
 * against those of the continuous equations at T; their largest size, at least 1, is returned. */
double run_multipliers(double error[2], const test_system *t, const char *method, double T, const int counts[2],
                       int more);

#endif
