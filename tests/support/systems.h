/* SPDX-License-Identifier: BSD-3-Clause */
/** @file systems.h
 *  The test systems of the reference, by name, each with its initial data. */
#ifndef TESTS_SUPPORT_SYSTEMS_H
#define TESTS_SUPPORT_SYSTEMS_H

#include "suite.h"

/** A system with its data. It may be copied: what its callbacks read lasts as long as the program. */
typedef struct test_system {
    const char *name;
    lg_system S;
    double g0[SUITE_ELEMENT];
    double xi0[SUITE_DIM]; /**< satisfies the constraints */
    double h;              /**< a good step */
} test_system;

/** A parameter and its value; a NULL name ends a list. */
typedef struct setting {
    const char *name;
    double value;
} setting;

enum { TEST_SYSTEMS = 13 };

/** The names, in the order of section 8. */
extern const char *const test_system_names[TEST_SYSTEMS];
/** Fills *t; an unknown name fails the test. */
void test_system_make(test_system *t, const char *name);
/** A system of the catalog or of the ledger's examples with `set`, which must last, and its default data; of its
 *  callbacks those that a system must have and their first derivatives, for one instance a call. */
void test_system_of_model(test_system *t, const char *system, const setting *set);
/** The group R^2 x SO(3), made once. */
const lg_group *test_system_plane_and_attitude(void);
/** Element of G at the matrices of a reference file (list of blocks: vectors for R^n, matrices else). */
struct cJSON;
void test_system_element(const lg_group *G, double *g, const struct cJSON *blocks);
/** Fails unless g is the element that the reference file holds, to tolerance times max(1, largest entry). */
void test_system_same_element(const char *what, const lg_group *G, const double *g, const struct cJSON *blocks,
                              double tolerance);

#endif
