/* SPDX-License-Identifier: BSD-3-Clause */
/** @file user_systems.h
 *  Any test system again with a user-supplied discrete Lagrangian and discrete constraint: the trapezoidal
 *  ones, from the groups' public operations. */
#ifndef TESTS_SUPPORT_USER_SYSTEMS_H
#define TESTS_SUPPORT_USER_SYSTEMS_H

#include "energy_systems.h"

/** The context of `S`, so it must not move. */
typedef struct user_system {
    const lg_system *plain; /**< with a constant metric */
    const lg_retraction *r; /**< the velocity of a pair is tau^-1(g0^-1 g1)/h */
    lg_system S;            /**< plain, with discrete_slope_1, discrete_slope_2 and discrete_constraint */
} user_system;

/** Fills *u. `plain` must outlive it. */
void user_system_open(user_system *u, const lg_system *plain, const char *retraction);

#endif
