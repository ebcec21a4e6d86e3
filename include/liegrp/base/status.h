/* SPDX-License-Identifier: BSD-3-Clause */
/** @file status.h
 *  What a function that can fail returns. The library never prints, exits or aborts: it returns one of these statuses,
 *  and the object concerned keeps a message with the place, the values and what would be right
 *  (lg_integrator_message()). */
#ifndef LIEGRP_BASE_STATUS_H
#define LIEGRP_BASE_STATUS_H

#include "export.h"

LG_BEGIN

/** The statuses with their texts. This one list makes the enum and lg_status_text(). */
#define LG_STATUS_LIST(X)                                                                                              \
    X(LG_OK, "no error")                                                                                               \
    X(LG_ERROR_ARGUMENT, "an argument is missing or out of its range")                                                 \
    X(LG_ERROR_DOMAIN, "the input lies outside the function's domain (improper matrix, rotation by pi, ...)")          \
    X(LG_ERROR_SINGULAR, "a matrix is singular: dependent constraints, or an inertia that is not positive")            \
    X(LG_ERROR_CONVERGENCE, "an iteration did not converge")                                                           \
    X(LG_ERROR_NOT_FINITE, "a value is not finite")                                                                    \
    X(LG_ERROR_CALLBACK, "a user callback returned an error")                                                          \
    X(LG_ERROR_INCONSISTENT, "the initial data violate the constraints")                                               \
    X(LG_ERROR_UNSUPPORTED, "the combination is not supported")                                                        \
    X(LG_ERROR_MEMORY, "out of memory")                                                                                \
    X(LG_ERROR_IO, "a file could not be read or written")                                                              \
    X(LG_ERROR_INTERRUPTED, "the observer asked to stop")

/** The outcome of a call. */
typedef enum lg_status {
#define LG_STATUS_ENUM(name, text) name,
    LG_STATUS_LIST(LG_STATUS_ENUM)
#undef LG_STATUS_ENUM
        LG_STATUS_COUNT /**< number of statuses */
} lg_status;

/** One sentence on a status. Never NULL, even if the value is not a status. */
LG_API const char *lg_status_text(lg_status status);

/** The name of a status as it is written in code, `LG_ERROR_DOMAIN`. Never NULL. */
LG_API const char *lg_status_name(lg_status status);

/** Drops a status on purpose. Functions that return one are marked LG_MUST_CHECK: compilers warn where it is not looked
 *  at, and GCC even where it is cast to void. */
static inline void lg_status_ignore(lg_status status)
{
    (void)status;
}

/** Size of a message in bytes, terminator included. */
#define LG_MESSAGE_SIZE 320

/** A status with a message, for calls that create no object that could hold it. */
typedef struct lg_error {
    lg_status status;              /**< what happened */
    char message[LG_MESSAGE_SIZE]; /**< function, place, values, and what would be right; "" after success */
} lg_error;

LG_END

#endif
