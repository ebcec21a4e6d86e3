/* SPDX-License-Identifier: BSD-3-Clause */
/* account.h: the kinds of work by which H changes, in the order of lg_account's numbers. Inside the library each is
 * positive where it adds to H; lg_account shows those from LG_WORK_FRICTION on as losses. */
#ifndef LIEGRP_SRC_BASE_ACCOUNT_H
#define LIEGRP_SRC_BASE_ACCOUNT_H

typedef enum lg_work {
    LG_WORK_MOTORS,
    LG_WORK_DRIVES,
    LG_WORK_SERVOS,
    LG_WORK_DAMPERS,
    LG_WORK_GROUND,
    LG_WORK_WRENCH,
    LG_WORK_FRICTION,
    LG_WORK_LANDING,
    LG_WORK_IMPACT_NORMAL,
    LG_WORK_IMPACT_FRICTION,
    LG_WORK_NODE,
    LG_WORKS
} lg_work;

#endif
