/* SPDX-License-Identifier: BSD-3-Clause */
/** @file suite.h
 *  What every test uses: a seed, biased random inputs, comparisons with a scale, and a note of the case at hand that a
 *  failure prints with all inputs in %a. */
#ifndef TESTS_SUPPORT_SUITE_H
#define TESTS_SUPPORT_SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>

#include <cmocka.h>

#include <liegrp/liegrp.h>

enum {
    SUITE_DIM = 20,     /**< largest dimension of an algebra in the tests */
    SUITE_ELEMENT = 64, /**< most doubles in an element */
    SUITE_SIDE = 20,    /**< largest side of a matrix */
    SUITE_MATRIX = SUITE_SIDE * SUITE_SIDE
};

#define SUITE_EPS 2.220446049250313e-16
#define SUITE_PI  3.14159265358979323846

/** Reads LG_TEST_SEED (else a fixed number) and prints it; call it first in main(). */
void suite_begin(const char *name);
/** A generator that depends on the seed and on `stream`. */
lg_rng suite_rng(uint64_t stream);
/** 1 if LG_TEST_REDUCED asks for fewer samples (sanitizers). */
int suite_reduced(void);
/** n, or n/10 (at least 1) when reduced. */
int suite_count(int n);

/** Opens a case: forgets the inputs noted so far. */
void suite_case(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** Notes an input; a failure prints it in %a. */
void suite_input(const char *name, const double *x, int n);
/** Fails the test with this text, the case and its inputs. */
noreturn void suite_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Fails unless |got_i - want_i| <= tolerance * scale for all i; a NaN fails. */
void suite_near(const char *what, const double *got, const double *want, int n, double tolerance, double scale);
/** suite_near() for one number. */
void suite_near1(const char *what, double got, double want, double tolerance, double scale);
/** Fails unless value <= bound (a NaN fails). */
void suite_below(const char *what, double value, double bound);
/** Fails unless value > bound: for what must break. */
void suite_above(const char *what, double value, double bound);
/** Fails unless the bits are equal. */
void suite_same_bits(const char *what, const double *got, const double *want, int n);
/** Fails unless status is LG_OK. */
void suite_ok(const char *what, lg_status status);
/** Fails unless status is `want`. */
void suite_status(const char *what, lg_status status, lg_status want);
/** Fails unless `text` contains `part`. */
void suite_contains(const char *what, const char *text, const char *part);
/** Largest |a_i - b_i|; NaN if there is one. */
double suite_distance(const double *a, const double *b, int n);
/** 1 if there is a NaN among them. */
int suite_any_nan(const double *x, int n);

/** An angle from the list that has caught bugs elsewhere (0, tiny, both sides of every seam, near pi, 4) or uniform, in
 *  [0, limit]. */
double suite_angle(lg_rng *rng, double limit);
/** A random unit vector; now and then along an axis. */
void suite_direction(double *u, int n, lg_rng *rng);
/** A biased algebra vector of G: rotations by suite_angle() up to `limit`, translations over many scales. */
void suite_algebra(const lg_group *G, double *xi, lg_rng *rng, double limit);
/** A random element of G of moderate size: lg_group_random(), the identity, or exp of suite_algebra(). */
void suite_element(const lg_group *G, double *g, lg_rng *rng);
/** n standard normal numbers. */
void suite_normal(double *x, int n, lg_rng *rng);

#endif
