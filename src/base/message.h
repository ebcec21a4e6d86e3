/* SPDX-License-Identifier: BSD-3-Clause */
/** @file message.h
 *  How a failure gets its message. */
#ifndef LIEGRP_SRC_BASE_MESSAGE_H
#define LIEGRP_SRC_BASE_MESSAGE_H

#include <stddef.h>

#include <liegrp/base/status.h>

#if defined(__GNUC__)
#define LG_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define LG_PRINTF(at, first)
#endif

/** Writes the status and the message into *e (e may be NULL) and returns the status, as in
 *  `return lg_fail(e, st, "...", x);`. A message that is too long is cut. */
lg_status lg_fail(lg_error *e, lg_status status, const char *format, ...) LG_PRINTF(3, 4);

/** Writes as many of the `count` numbers as fit, "0.1, -2, 3"; "-" for none. NaNs have no sign: which one an operation
 *  gives them is up to the compiler. */
void lg_print_values(char *text, size_t size, const double *v, int count);

/** Makes *e (may be NULL) say that all is well. */
void lg_error_clear(lg_error *e);

#endif
