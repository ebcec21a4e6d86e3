/* SPDX-License-Identifier: BSD-3-Clause */
/* The systems that a group reduces: Q = M x G whose rows, drift and potential depend on M only. */
#ifndef CLAIMS_REDUCED_H
#define CLAIMS_REDUCED_H

#include "claims/framework/harness.h"

/* in_G[i] = 1: coordinate i belongs to G, the factors that are not abelian. Returns how many do. */
int reduced_split(const claim_system *s, int *in_G);
/* 1 if rows, drift and slopes of V do not change where the coordinates in_G move g, and V has no slope along them. The
 * caller checks the metric. */
int reduced_invariant(const claim_system *s, const int *in_G);
/* Systems with a metric that couples M and G, on R^2 x SO(3) and R^2 x SE(2), linear and affine; NULL at the end. */
const lg_model_definition *reduced_example(int i);

#endif
