/* SPDX-License-Identifier: BSD-3-Clause */
/** @file laned.h
 *  Any test system once more, with callbacks that understand lanes, or that fail from some time on in some instances.
 */
#ifndef TESTS_SUPPORT_LANED_H
#define TESTS_SUPPORT_LANED_H

#include "suite.h"

enum { LANED_PARAMETERS = 24, LANED_INSTANCES = 8 };

typedef enum laned_fate { LANED_WELL, LANED_FAILS, LANED_SPOILS } laned_fate;

/** The context of the system made, so it must not move. */
typedef struct laned {
    lg_system base;
    double values[LANED_PARAMETERS];
    lg_parameter parameters[LANED_PARAMETERS];
    laned_fate fate[LANED_INSTANCES]; /**< of instance i, whose last parameter is about 1 + i/100: */
    double from[LANED_INSTANCES];     /**< from this time on callbacks return 55, or NaN */
    long together, single;            /**< calls with several lanes, and with one */
    int lanes;                        /**< what the system says of them */
} laned;

/** The system, which has one parameter more than `base`; `lanes`: what it says of them, not
 *  LG_LANES_OWN_TIMES. */
lg_system laned_make(laned *o, const lg_system *base, int lanes);

#endif
