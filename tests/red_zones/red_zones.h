/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_RED_ZONES_H
#define TESTS_RED_ZONES_H

struct mb_plan;

/** Momenta of the bodies (6 each, as mb_node::p) projected onto the rows at these poses, by a node of 2, 4 or 8 lanes.
 */
void red_zones_settle_2(const struct mb_plan *plan, double *p, const double *poses);
void red_zones_settle_4(const struct mb_plan *plan, double *p, const double *poses);
void red_zones_settle_8(const struct mb_plan *plan, double *p, const double *poses);

#endif
