/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of error against cost: every method at every step, every peer at every tolerance. */
#ifndef BENCH_METHODS_H
#define BENCH_METHODS_H

#include "benchmarks/suite/bench.h"
#include "benchmarks/suite/motion.h"

/* A method with a retraction and a step, or a peer with a tolerance. */
typedef struct bench_trial {
    const char *name, *retraction; /* retraction "": a peer */
    const bench_peer *peer;        /* NULL: ours */
    double setting;                /* step or tolerance */
    const bench_motion *motion;
    lg_integrator *it;
    void *opened;
    long steps;                       /* ours: to T; peers: the steps they took */
    double error, energy, constraint; /* at the end; the largest on the way */
    bench_case timed;
} bench_trial;

enum { BENCH_TRIALS = 384 };

typedef struct bench_trials {
    bench_trial *trial;
    int count;
} bench_trials;

/* How many there are of each ladder. */
typedef struct bench_ladders {
    int levels, tolerances; /* steps h, h/2, ...; tolerances 1e-3, 1e-4, ... */
    double seconds;         /* a longer run ends its ladder */
    double peer_seconds;    /* a peer's */
} bench_ladders;

/* A method of the library; its retraction is found by name. */
typedef struct bench_way {
    const char *method, *retraction;
    const char *name; /* NULL: the method's */
    double tolerance; /* of lg_integrator_set_solver(); 0: the default */
} bench_way;

/* Adds a ladder of steps that ends where the method fails or reaches the accuracy of the reference. It begins with
 * `coarsest` times the motion's own step. Returns NULL, or the reason why there is no ladder. */
const char *bench_try_method(bench_trials *all, bench_motion *m, bench_way way, double coarsest,
                             const bench_ladders *l);
/* Tolerances 1e-3, 1e-4, ... but none above `loosest` (0: all). */
void bench_try_peer(bench_trials *all, bench_motion *m, const bench_peer *peer, double loosest, const bench_ladders *l);
void bench_time_trials(bench_report *r, bench_trials *all);
void bench_drop_trials(bench_trials *all);

/* The quantity of a target. */
enum { BENCH_OF_ERROR, BENCH_OF_INVARIANTS }; /* the end; the energy and the constraints on the way */

double bench_trial_value(const bench_trial *t, int what);
/* Milliseconds in which a method or peer reaches the target, by power laws between the points of its ladder; NaN:
 * never. */
double bench_cost(const bench_trials *all, const char *name, const char *retraction, int what, double target);
/* The value that it reaches in the given milliseconds, by power laws between the points; NaN: never. */
double bench_reached(const bench_trials *all, const char *name, const char *retraction, int what, double cost);
/* The largest step (or tolerance) of its ladder with an error of at most `error` at T; 0: none. */
double bench_coarsest(const bench_trials *all, const char *name, const char *retraction, double error);
/* Is trial i the first of its ladder? */
int bench_is_first(const bench_trials *all, int i);

#endif
