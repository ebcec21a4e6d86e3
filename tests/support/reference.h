/* SPDX-License-Identifier: BSD-3-Clause */
/** @file reference.h
 *  Reference values in JSON. A file holds its numbers as strings of 20-25 digits (or hexadecimal doubles), so that
 *  strtod() rounds them once; plain numbers are taken as they are. What cannot be found fails the test. */
#ifndef TESTS_SUPPORT_REFERENCE_H
#define TESTS_SUPPORT_REFERENCE_H

#include <cJSON.h>

/** The file of that name in LG_TEST_DATA; free it with cJSON_Delete(). */
cJSON *ref_load(const char *name);
/** A reference in LG_SHARED_DATA, the values that the benchmarks use too. */
cJSON *ref_load_shared(const char *name);

/** The member of that name (the key is not a path); fails the test if it does not exist. */
const cJSON *ref_get(const cJSON *node, const char *key);

/** A number, stored as a string or as a number. */
double ref_number(const cJSON *node);

/** Flattens nested lists into `out` and returns how many numbers there were; fails the test beyond `capacity`. */
int ref_numbers(double *out, int capacity, const cJSON *node);

/** ref_numbers() of the member `key`, which must hold exactly n numbers. */
void ref_exactly(double *out, int n, const cJSON *node, const char *key);

/** The member `key` of n numbers, to tolerance times max(1, largest entry). */
void ref_near(const char *what, const double *got, const cJSON *node, const char *key, int n, double tolerance);

#endif
