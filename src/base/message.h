/* SPDX-License-Identifier: BSD-3-Clause */
/** @file message.h
 *  Writing the message of a failure. */
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
 *  `return lg_fail(e, st, "...", x);`. A message that is too long is cut; lg_text_shown() replaces characters
 *  that cannot be shown. */
lg_status lg_fail(lg_error *e, lg_status status, const char *format, ...) LG_PRINTF(3, 4);

/** Fails with the system's message for `number` (errno) and a file's name: LG_ERROR_IO, or LG_ERROR_MEMORY. */
lg_status lg_fail_system(lg_error *e, const char *name, int number);

/** Writes as many of the `count` numbers as fit, "0.1, -2, 3"; "-" for none. NaNs are printed without sign, since their
 * sign depends on the compiler. */
void lg_print_values(char *text, size_t size, const double *v, int count);

/** The message of an object that is NULL. */
#define LG_NO_OBJECT(what) "there is no " what ": NULL was passed, or memory for it ran out when it was created"

/** Sets *e (may be NULL) to success. */
void lg_error_clear(lg_error *e);

#endif
