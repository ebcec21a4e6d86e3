/* SPDX-License-Identifier: BSD-3-Clause */
/** @file accounts.h
 *  The account of a motion in tests. */
#ifndef TESTS_SUPPORT_ACCOUNTS_H
#define TESTS_SUPPORT_ACCOUNTS_H

#include <string.h>

#include "support/motions.h"
#include "support/suite.h"

/** Its numbers, of which those from LOSSES on are losses. */
enum { KINDS = 11, LOSSES = 6 };

static inline lg_account account_of(const lg_motion *mo)
{
    lg_account a = lg_account_default();
    suite_ok("account", lg_motion_account(mo, &a));
    return a;
}

/** In the order of the struct. */
static inline void account_numbers(double *x, const lg_motion *mo)
{
    const lg_account a = account_of(mo);
    const double all[KINDS] = {a.motors,   a.drives,  a.servos,        a.dampers,         a.ground, a.wrench,
                               a.friction, a.landing, a.impact_normal, a.impact_friction, a.node};
    memcpy(x, all, sizeof all);
}

/** By how much they say that H has changed. */
static inline double account_sum(const lg_motion *mo)
{
    double x[KINDS], all = 0;
    account_numbers(x, mo);
    for (int k = 0; k < KINDS; k++) all += k < LOSSES ? x[k] : -x[k];
    return all;
}

#endif
