/* SPDX-License-Identifier: BSD-3-Clause */
/* Other integrators, on the same systems. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <liegrp/liegrp.h>

/* A motion to be computed: y = (g, xi), the configuration as the library stores it and the body velocity; the equations
 * have no multipliers. */
typedef struct bench_problem {
    const char *system; /* of the catalog */
    const double *param;
    int element, dim; /* numbers of g, of xi */
    const double *y0;
} bench_problem;

/* Receives every state that the peer reaches. */
typedef void (*bench_watch)(void *context, double t, const double *y);

typedef struct bench_peer {
    const char *name; /* "GSL rk8pd" */
    const char *version;
    /* Creates a peer that integrates the problem to a relative and absolute tolerance; NULL: it has no equations for
     * this system, or memory ran out. */
    void *(*open)(const bench_problem *p, double tolerance);
    /* From the start to T; y gets the end. `watch` may be NULL. Nonzero: it failed. */
    int (*run)(void *opened, double T, double *y, bench_watch watch, void *context);
    /* Evaluations of the right-hand side in the last run. */
    long (*evaluations)(const void *opened);
    void (*close)(void *opened);
} bench_peer;

/* A fixed step on the rolling ball of bench_steps(), y = (x, y, quaternion, omega). */
typedef struct bench_step_peer {
    const char *name, *version;
    void *(*open)(const double *y0, double h);
    /* `count` steps from the start; the end in y. Nonzero: it failed. */
    int (*run)(void *opened, long count, double *y);
    void (*close)(void *opened);
} bench_step_peer;

/* A mechanism of bench_mechanisms(): links of 1 kg with inertia 0.01, 0.03, 0.03, gravity 9.81 along -z. In a chain
 * they are 0.5 m long in a horizontal row along x, the first on a pivot at the origin; axes of revolute joints are y
 * and z in turn. The loop is a four-bar of three links with axes y: crank (0, 0, 0) to (0, 0, 0.5), coupler to (0.9, 0,
 * 0.8), rocker to (0.9, 0, 0), where its axle is fixed in space; the crank starts with `speed` rad/s. */
typedef struct bench_mechanism {
    const char *name;
    int links, spherical, loop;
    double h, speed;
} bench_mechanism;

/* A fixed step of a mechanism. */
typedef struct bench_mechanism_peer {
    const char *name, *version;
    void *(*open)(const bench_mechanism *m);
    void (*reset)(void *opened);           /* to the start */
    int (*step)(void *opened, long count); /* nonzero: it failed */
    double (*energy)(void *opened);
    double (*gap)(void *opened);              /* of the loop's last joint, m; 0: there is no loop */
    void (*centres)(void *opened, double *x); /* of mass of all links, 3 numbers each */
    void (*close)(void *opened);
} bench_mechanism_peer;

/* What a controller asks of a revolute chain: n = links numbers a vector, M row-major. */
typedef struct bench_dynamics_peer {
    const char *name, *version;
    void *(*open)(const bench_mechanism *m);
    void (*inverse)(void *opened, double *tau, const double *q, const double *v, const double *a);
    void (*mass_matrix)(void *opened, double *M, const double *q);
    void (*close)(void *opened);
} bench_dynamics_peer;

#endif
