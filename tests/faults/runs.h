/* SPDX-License-Identifier: BSD-3-Clause */
/** @file runs.h
 *  A file with known contents, which a run replaces or leaves as it is. */
#ifndef TESTS_FAULTS_RUNS_H
#define TESTS_FAULTS_RUNS_H

#include "faults.h"

/** Its name; begin: it has its old contents again. */
const char *fault_file(void);
void fault_file_begin(void);
/** Fails the test unless the file is new, or the old one if `status` is an error; then folds its contents in. A run
 * whose callback fails keeps the rows before the failure. */
void fault_file_end(fault_case *c, lg_status status);
void fault_file_close(void);

#endif
