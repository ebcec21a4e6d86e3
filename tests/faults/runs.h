/* SPDX-License-Identifier: BSD-3-Clause */
/** @file runs.h
 *  A file with known contents, which a run replaces or leaves as it is. */
#ifndef TESTS_FAULTS_RUNS_H
#define TESTS_FAULTS_RUNS_H

#include "faults.h"

/** Its name; begin: it has its old contents again. */
const char *fault_file(void);
void fault_file_begin(void);
/** Fails the test unless it is new, or as it was if `status` says so, and folds the contents in. Of a run whose
 * callback fails on the way the rows before are kept. */
void fault_file_end(fault_case *c, lg_status status);
void fault_file_close(void);

#endif
