/* SPDX-License-Identifier: BSD-3-Clause */
/* splitmix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014). */
#include <math.h>

#include <liegrp/base/elementary.h>
#include <liegrp/base/random.h>

static uint64_t next(lg_rng *rng)
{
    uint64_t z = (rng->state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

double lg_rng_uniform(lg_rng *rng)
{
    return (double)(next(rng) >> 11) * 0x1p-53;
}

/* Box-Muller, the cosine half only, so that the state stays one word. 1 - u lies in (0, 1]. */
double lg_rng_normal(lg_rng *rng)
{
    const double two_pi = 6.28318530717958647692;
    const double radius = sqrt(-2.0 * lg_real_log(1.0 - lg_rng_uniform(rng)));
    return radius * lg_real_cos(two_pi * lg_rng_uniform(rng));
}
