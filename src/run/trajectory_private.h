/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside a trajectory. A step is z_{i+1} = M_i (z_i, u_{i-1}, u_i, h, parameters); u_{i-1} only where the momentum
 * jumps with the controls. */
#ifndef LIEGRP_SRC_RUN_TRAJECTORY_H
#define LIEGRP_SRC_RUN_TRAJECTORY_H

#include <liegrp/run/trajectory.h>

#include <liegrp/integrators/linearisation.h>

#include "base/arena.h"
#include "base/message.h"

struct lg_trajectory {
    lg_error error;
    int made; /* 0: only a message, from a creation that failed */
    size_t bytes;
    lg_integrator *it;              /* that makes the steps; NULL: the sparse step of a mechanism */
    lg_motion *mo;                  /* NULL: an integrator without a motion */
    lg_linearisation *lin;          /* of `it` */
    struct mb_variation *variation; /* of a mechanism's parameters; NULL: none are wanted */
    int *which;                     /* their numbers */
    int steps;                      /* N */
    int k, controls, parameters;
    int degree;        /* of controls inside a step; `controls` are then those at all nodes */
    int before;        /* controls of the step before that a step depends on: `controls`, or 0 */
    int width;         /* of M_i: k + before + controls + 1 + parameters */
    int state_size;    /* of x */
    int element, n;    /* of `it` */
    int reached;       /* the last node; -1: no run */
    double *t, *x;     /* of the nodes */
    double *M;         /* of the steps, k x width each */
    double *basis;     /* of the nodes, state_size x k each; of a mechanism alone */
    double *offset;    /* of the nodes, state_size x parameters each; of a mechanism alone */
    double *P;         /* scratch: of lg_motion_linearise_parameters() */
    double *J, *jump;  /* scratch: lg_linearisation_jacobian(), lg_linearisation_control() */
    double *A, *B, *h; /* scratch: lg_motion_linearise_along() */
    double *pull;      /* scratch, width: M_i^T times a covector */
    double *covector;  /* scratch, k */
    double *inputs;    /* scratch, one number for each input */
    double *square;    /* scratch, k x k */
    double *work;      /* scratch of dgeev(), LG_TRAJECTORY_WORK k */
};

enum { LG_TRAJECTORY_WORK = 4 };

static inline const double *lg_trajectory_step(const lg_trajectory *tr, int step)
{
    return tr->M + sz(step) * sz(tr->k) * sz(tr->width);
}

/* 1 if the last run reached that node. */
static inline int lg_trajectory_has(const lg_trajectory *tr, int node)
{
    return tr && tr->made && node >= 0 && node <= tr->reached;
}

#endif
