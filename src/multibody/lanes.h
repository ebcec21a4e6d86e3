/* SPDX-License-Identifier: BSD-3-Clause */
/* lanes.h: motions side by side. A wide motion makes the ordinary course of a step only. If a lane does not converge or
 * fails a check, all lanes are as they were, and the step is made one by one in a scalar motion: what fails, and
 * what it says, exists once. */
#ifndef LG_MULTIBODY_LANES_H
#define LG_MULTIBODY_LANES_H

#include <stddef.h>

#include "multibody/spans.h"

enum { MB_STAGES_MOST = 32, MB_SPANS_MOST = 52 + 18 * MB_STAGES_MOST };

typedef struct mb_wide mb_wide;

/* What exists beyond width 1 at each of them. */
typedef struct mb_lanes_table {
    size_t (*bytes)(const mb_plan *plan, int stages);
    /* In zeroed memory aligned to LG_ALIGN; `part` are the lengths of the sub-steps of a step of h, which the caller
     * keeps; rattle as in mb_motion. */
    mb_wide *(*make)(void *memory, const mb_plan *plan, int stages, const double *part, double h, int rattle);
    /* All numbers of a motion: first the `*state` spans from which a step continues bit for bit once mb_place is
     * called, then the rest. Returns the number of spans. */
    int (*spans)(mb_wide *w, mb_span *span, int *state);
    /* Evaluates what the states determine. */
    void (*place)(mb_wide *w);
    /* One step. 0; or 1 and all lanes are as they were. */
    int (*step)(mb_wide *w);
} mb_lanes_table;

extern const mb_lanes_table mb_lanes_2, mb_lanes_4, mb_lanes_8;

#endif
