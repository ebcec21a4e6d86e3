/* SPDX-License-Identifier: BSD-3-Clause */
/* Controls that are polynomials inside a step of collocation. Of degree d they are given by their values at the nodes
 * c_i of Gauss quadrature with d + 1 points, u(t + x h) = sum_i L_i(x) u_i, and the stages take what they are there.
 * With the weights b_i of that quadrature L_i(x) = b_i sum_k (2 k + 1) P_k(2 c_i - 1) P_k(2 x - 1). */
#ifndef LG_INTEGRATORS_CONTROLS_H
#define LG_INTEGRATORS_CONTROLS_H

#include "base/arena.h"
#include "integrators/collocation/tableau.h"

enum { LG_CONTROL_DEGREE_MOST = 7 };
#define LG_CONTROL_NODES_MOST (LG_CONTROL_DEGREE_MOST + 1)

typedef struct lg_controls {
    int degree;       /* 0: held, and nothing below counts but `count` and `end` */
    int count;        /* number of controls */
    int stage_count;  /* number of stages */
    lg_tableau nodes; /* of degree + 1 points */
    double *values;   /* at the nodes, node after node */
    double *stages;   /* at the stages, stage after stage */
    double *end;      /* at the end of the step: the integrator's controls */
    double to_stages[LG_STAGES_MOST * LG_CONTROL_NODES_MOST]; /* stages = this (stage_count x (degree + 1)) values */
    double to_end[LG_CONTROL_NODES_MOST];
} lg_controls;

void lg_controls_carve(lg_controls *o, lg_arena *a, int count, int stages);
/* Sets the degree; T are the stages. Values become 0 unless the degree is what it was. */
void lg_controls_shape(lg_controls *o, const lg_tableau *T, int degree);
/* Sets the values at the nodes, and those that follow. */
void lg_controls_set(lg_controls *o, const double *values);
/* Stages and end become those of a step that is `share` as long; 1: those of the whole step. */
void lg_controls_reach(lg_controls *o, const lg_tableau *T, double share);
/* L_i(x), i = 0 ... degree. */
void lg_controls_basis(const lg_tableau *nodes, double x, double *L);

#endif
