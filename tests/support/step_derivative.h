/* SPDX-License-Identifier: BSD-3-Clause */
/** @file step_derivative.h
 *  The derivative of a step against extrapolated differences of the step itself. */
#ifndef TESTS_SUPPORT_STEP_DERIVATIVE_H
#define TESTS_SUPPORT_STEP_DERIVATIVE_H

#include <liegrp/integrators/linearisation.h>

#include "suite.h"

/** Room for any of the tests. */
enum {
    STEP_DERIVATIVE_PARAMETERS = 16,
    STEP_DERIVATIVE_ROWS = 3 * SUITE_DIM,
    STEP_DERIVATIVE_COLUMNS = 2 * SUITE_DIM + STEP_DERIVATIVE_PARAMETERS
};

/** The derivative of the next step of `it`, and its products from both sides. `sharp`: what the step does bends on
 *  short lengths (bench_sharp()). Returns how many parameters' derivatives are not known (NaN); the message
 *  must name them. */
int step_derivative_check(lg_integrator *it, int sharp);
/** step_derivative_check() with this tolerance instead of 1e-8. */
int step_derivative_check_to(lg_integrator *it, int sharp, double tolerance);

#endif
