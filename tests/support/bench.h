/* SPDX-License-Identifier: BSD-3-Clause */
/** @file bench.h
 *  A system's fields and accelerations with a workspace of their own. */
#ifndef TESTS_SUPPORT_BENCH_H
#define TESTS_SUPPORT_BENCH_H

#include "mechanics/standalone.h"
#include "systems.h"

/** Do not copy it: the field points into it. */
typedef struct bench {
    lg_standalone alone;
    lg_acceleration a;
    void *block;
} bench;

/** `r` moves the configuration in differences; NULL: the exponential. */
void bench_open(bench *b, const lg_system *S, const lg_retraction *r);
void bench_close(bench *b);
/** xi' at (t, g, xi), multipliers in b->a.lambda; fails the test if the library does. */
void bench_accelerate(bench *b, double t, const double *g, const double *xi, double *xidot);
/** A system of equal physics with all derivatives by differences. */
lg_system bench_stripped(const lg_system *S);
/** 1 for the rattlebacks, which are hard on differences: the stone's height varies over a tenth of a radian,
 *  so e^4 f^(5)/30 is 100 times that of others, and inertias of 2e-4 next to 1 multiply its effect by 5e3. */
int bench_sharp(const test_system *t);
/** The i-th system of all: those of test_system_make(), then those of energy_system_make(); 0 beyond the last. */
int bench_system(test_system *t, int i);

#endif
