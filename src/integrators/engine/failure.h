/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a step failed: numbers only. The text is made where a person reads it (../failure_text.c). */
#ifndef LG_INTEGRATORS_FAILURE_H
#define LG_INTEGRATORS_FAILURE_H

#include <liegrp/base/status.h>

/* Nothing failed to converge, but differences that stand in for the callback are too rough; or a step was solved and
 * does not keep what its method promises; or it takes too many steps of a tolerance. */
enum { LG_FAILED_DIFFERENCES = 1, LG_FAILED_PROMISE = 2, LG_FAILED_FAR = 3 };

typedef struct lg_failure {
    lg_status status;
    const char *what; /* callback, factor or quantity concerned */
    int code;         /* a callback's return value, the row concerned (from 1), or one of LG_FAILED_... */
    int iterations;
    double residual;
} lg_failure;

#endif
