/* SPDX-License-Identifier: BSD-3-Clause */
/* The scratch of the generic flow and of the dense solver, carved from lg_workspace::dense, and what both share. */
#ifndef LG_INTEGRATORS_SCRATCH_H
#define LG_INTEGRATORS_SCRATCH_H

#include "integrators/engine/workspace.h"

/* Matrices first: lg_workspace_load() and the metric's inverse use the first two where no generic code runs. */
typedef struct lg_dense {
    real *M, *D, *J;                        /* n x n */
    real *x, *v, *f, *trial, *delta, *half; /* n; the last three and U only where steps are implicit */
    real *W, *U;                            /* elements */
    int *pivots;
} lg_dense;

#if LG_IS_SMOOTH
LG_ENGINE lg_dense lg_dense_of(const lg_workspace *w);
#endif

#endif
