/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric compositions of a symmetric step of order 2 (docs/theory.md section 9), as tables: half of the palindrome,
 * middle last. */
#include <string.h>

#include "integrators/engine/plan.h"

/* H. Yoshida, Construction of higher order symplectic integrators, Phys. Lett. A 150 (1990),
 * doi:10.1016/0375-9601(90)90092-3: 1/(2 - 2^(1/3)). */
static const double yoshida4[] = {1.351207191959657634047688, -1.702414383919315268095376};

/* M. Suzuki, Fractal decomposition of exponential operators, Phys. Lett. A 146 (1990),
 * doi:10.1016/0375-9601(90)90962-N: 1/(4 - 4^(1/3)). */
static const double suzuki4[] = {0.4144907717943757371423541, 0.4144907717943757371423541,
                                 -0.6579630871775029485694163};

/* W. Kahan, R.-C. Li, Composition constants for raising the orders of unconventional schemes for ordinary differential
 * equations, Math. Comp. 66 (1997), doi:10.1090/S0025-5718-97-00873-9, s9odr6a. */
static const double kahan_li6[] = {0.39216144400731413928, 0.3325991367893594386, -0.70624617255763935981,
                                   0.08221359629355080023, 0.7985439909348299634};

/* Kahan and Li (1997), s17odr8a. */
static const double kahan_li8[] = {
    0.13020248308889008087881763, 0.56116298177510838456196441,  -0.38947496264484728640807860,
    0.15884190655515560089621075, -0.39590389413323757733623154, 0.18453964097831570709183254,
    0.25837438768632204729397911, 0.29501172360931029887096624,  -0.60550853383003451169892108};

/* Name, order, stages, coefficients, summary: the compositions, once. */
#define COMPOSITIONS(X)                                                                                                \
    X("yoshida4", 4, 3, yoshida4, "order 4 in 3 sub-steps, over a symmetric method of order 2")                        \
    X("suzuki4", 4, 5, suzuki4, "order 4 in 5 sub-steps, with much smaller errors")                                    \
    X("kahan-li6", 6, 9, kahan_li6, "order 6 in 9 sub-steps")                                                          \
    X("kahan-li8", 8, 17, kahan_li8, "order 8 in 17 sub-steps")

#define AS_TABLE(name, order, stages, c, summary)   {name, order, stages, c},
#define AS_NAME(name, order, stages, c, summary)    name,
#define AS_SUMMARY(name, order, stages, c, summary) summary,

static const lg_composition compositions[] = {COMPOSITIONS(AS_TABLE)};
static const char *const names[] = {COMPOSITIONS(AS_NAME) NULL};
static const char *const summaries[] = {COMPOSITIONS(AS_SUMMARY)};

const lg_composition *lg_composition_named(const char *name, size_t length)
{
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == length && !memcmp(name, names[i], length)) return &compositions[i];
    return NULL;
}

const char *const *lg_composition_names(void)
{
    return names;
}

const char *lg_composition_summary(const char *name)
{
    for (int i = 0; name && names[i]; i++)
        if (!strcmp(name, names[i])) return summaries[i];
    return NULL;
}
