/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact: scenes of equal bodies on a ground, and engines that step them. */
#ifndef BENCHMARKS_PEERS_CONTACT_H
#define BENCHMARKS_PEERS_CONTACT_H

#include "benchmarks/suite/bench.h"

enum { CONTACT_BODIES = 50 };

typedef enum contact_shape { CONTACT_BALL, CONTACT_BOX, CONTACT_CAPSULE } contact_shape;

typedef struct contact_scene {
    char name[48];
    contact_shape shape;
    double size[3]; /* radius; half sides; or radius and half the segment, which lies along z. m */
    double mass, inertia[3];
    double friction, restitution, gravity[3];
    int ground;  /* 1: all above z = 0 */
    int joints;  /* 1: spherical joints between the ends of neighbours, which do not touch each other */
    int stack;   /* 1: a body touches only the next ones */
    double push; /* N along x on the first body, 0.1 m below its centre */
    double h, seconds;
    int bodies;
    double pose[CONTACT_BODIES][7], velocity[CONTACT_BODIES][3];
} contact_scene;

/* Quaternion x, y, z, w; velocities of the centre and angular ones, in space. */
typedef struct contact_state {
    double x[3], q[4], v[3], w[3];
} contact_state;

typedef struct contact_peer {
    const char *name, *version;
    const char *const *settings;                        /* the first are the defaults; NULL at the end */
    void *(*open)(const contact_scene *s, int setting); /* NULL: it cannot */
    int (*step)(void *opened);                          /* by s->h, with one step or several; nonzero: it failed */
    void (*read)(void *opened, contact_state *state, int body);
    void (*energy)(const void *opened, double *H, double *account); /* NULL: H follows from the states, no account */
    void (*close)(void *opened);
} contact_peer;

extern const contact_peer contact_liegrp;
#ifdef WITH_MUJOCO
extern const contact_peer contact_mujoco;
#endif
#ifdef WITH_ODE
extern const contact_peer contact_ode_step, contact_ode_quick;
#endif
#ifdef WITH_BULLET
extern const contact_peer contact_bullet;
#endif

/* What a scene is judged by. */
enum { CONTACT_FIGURES = 5 };

/* The path of one engine with one setting. */
typedef struct contact_run {
    int failed, steps;
    double balance;             /* largest |H - H_0 - account|; NaN: none */
    double start, energy, rise; /* H of the first and the last node; the most that a step adds */
    double gap;                 /* least of all nodes: negative, penetration */
    double joints;              /* the largest opening */
    double us;                  /* a step of h, the least of all rounds */
    double (*first)[3];         /* centre of the first body at every node */
    contact_state end[CONTACT_BODIES];
} contact_run;

/* A family of scenes with the same columns; the settings of a peer are compared by the magnitude of figure 0. */
typedef struct contact_family {
    const char *name, *title;
    const char *column[CONTACT_FIGURES + 1];
    int ours; /* the settings of the library to be shown, as bits */
    int scenes;
    void (*make)(contact_scene *s, int i);
    void (*figures)(double *figure, const contact_scene *s, const contact_run *r);
} contact_family;

extern const contact_family contact_families[];
extern const int contact_family_count;

/* bench_peers contact */
void bench_contact(bench_report *r, const bench_settings *s);

#endif
