/* SPDX-License-Identifier: BSD-3-Clause */
/** @file random.h
 *  Reproducible random numbers (splitmix64). The caller owns the state, so there is no hidden global. */
#ifndef LIEGRP_BASE_RANDOM_H
#define LIEGRP_BASE_RANDOM_H

#include <stdint.h>

#include "export.h"

LG_BEGIN

/** State of a generator; any value is a good seed. */
typedef struct lg_rng {
    uint64_t state; /**< any number is a seed */
} lg_rng;

/** Uniform in [0, 1). */
LG_API double lg_rng_uniform(lg_rng *rng);

/** Standard normal (Box-Muller). */
LG_API double lg_rng_normal(lg_rng *rng);

LG_END

#endif
