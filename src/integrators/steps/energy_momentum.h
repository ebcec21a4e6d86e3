/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy-momentum step: its scratch, and the work of its time-dependent parts. */
#ifndef LG_INTEGRATORS_ENERGY_MOMENTUM_H
#define LG_INTEGRATORS_ENERGY_MOMENTUM_H

#include "integrators/engine/node.h"

enum { LG_QUADRATURE_MOST = 8 };

typedef struct lg_arc_scratch {
    real *U;           /* exp(c_i y), y = log W: an element a Gauss node */
    real *points;      /* g_0 U_i */
    real *covectors;   /* dV - dT(., v) + dT(., dv) there, n a node */
    real *covector;    /* one of these, or a force, n */
    real *transported; /* Ad*_R of one of these, n */
    real *velocity;    /* v = xi - u, n */
    real *mean;        /* a covector between the nodes, n */
    real *gradients;   /* dV at both ends, at the time of the middle, for Gonzalez' form, 2 n */
} lg_arc_scratch;

/* *work += the work of time-dependent potentials and moving holonomic constraints in the last solved step. */
LG_ENGINE int lg_energy_momentum_rates(lg_workspace *w, duration h, const lg_node *a, const real *mu, real *work);

#endif
