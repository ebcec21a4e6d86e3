/* SPDX-License-Identifier: BSD-3-Clause */
/** @file failing.h
 *  Groups whose operations, and systems whose callbacks, fail at a chosen call. */
#ifndef TESTS_SUPPORT_FAILING_H
#define TESTS_SUPPORT_FAILING_H

#include "suite.h"

/** Fills U with a group of kind LG_KIND_USER that hands every operation to `base`, closed forms with their duals too;
 *  it lacks what `base` lacks. */
void failing_group(lg_group *U, const lg_group *base);
/** A group like `base` that fails; of a product each factor is one. It lives until the next call. */
const lg_group *failing_factors(const lg_group *base);
/** Fills S with `base` and callbacks that fail, counted together with the operations; one system at a time. */
void failing_callbacks(lg_system *S, const lg_system *base);
/** Counts calls of all failing groups from 0 on; call `at` (from 1 on; 0: none) returns `status`. */
void failing_at(int at, lg_status status);
/** All calls from that one on fail. */
void failing_from(int at, lg_status status);
/** Counts a call: LG_OK, or what it has to return. */
lg_status failing_met(const char *operation);
/** The calls since. */
int failing_calls(void);
/** The operation that failed, or NULL. */
const char *failing_operation(void);

/** Something made of operations of failing groups; writes `out`. */
typedef lg_status (*failing_call)(const void *context, double *out);
/** Lets each operation within the call fail in turn, with LG_ERROR_IO, which nothing else returns here. The call must
 * hand on the status and, when nothing fails any more, write the `count` numbers that it wrote before. `searches`: 1
 * for what takes a failure as a trial that went too far; it must fail when all that follow fail too. Returns the number
 * of operations. */
int failing_each(const char *what, failing_call call, const void *context, int count, int searches);

#endif
