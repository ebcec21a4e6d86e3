/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a step failed: numbers only. ../failure_text.c makes the message on request. */
#ifndef LG_INTEGRATORS_FAILURE_H
#define LG_INTEGRATORS_FAILURE_H

#include <liegrp/base/status.h>

/* Failures other than convergence: differences that replace a callback are too rough; a solved step does not keep what
 * its method promises; too many steps under a tolerance. */
enum { LG_FAILED_DIFFERENCES = 1, LG_FAILED_PROMISE = 2, LG_FAILED_FAR = 3 };

typedef struct lg_failure {
    lg_status status;
    const char *what; /* the callback, factor or quantity that failed */
    int code;         /* a callback's return value, the row concerned (from 1), or one of LG_FAILED_... */
    int iterations;
    double residual;
} lg_failure;

#endif
