/* SPDX-License-Identifier: BSD-3-Clause */
/** @file check.h
 *  Shared by lg_group_check() and lg_retraction_check(): operations with guards around their output, comparisons with a
 *  message, and differences. Every function returns LG_OK, or the result of the check after writing its message. */
#ifndef LIEGRP_SRC_RETRACTIONS_CHECK_H
#define LIEGRP_SRC_RETRACTIONS_CHECK_H

#include "retractions/retraction.h"

enum {
    LG_CHECK_ARRAYS = 6,  /**< lg_check::u */
    LG_CHECK_PRIVATE = 7, /**< lg_check::own */
    LG_CHECK_MATRICES = 3 /**< lg_check::M */
};

typedef struct lg_check {
    const lg_group *G;
    const lg_retraction *r; /**< NULL: the check is one of the group */
    lg_rng *rng;
    double tolerance;
    lg_error *error;
    char subject[160];             /**< "lg_group_check: H(3)" */
    int n, e, N;                   /**< dimension, numbers of an element, rows of its matrix */
    double *a, *b, *c;             /**< random elements */
    double *xi, *eta, *zeta;       /**< random vectors */
    double *short_xi;              /**< room for another */
    double length;                 /**< of xi where it matters, else 1: the scale of differences and comparisons */
    double *u[LG_CHECK_ARRAYS];    /**< room for a vector, an element, its matrix or its columns */
    double *own[LG_CHECK_PRIVATE]; /**< scratch of the functions below */
    double *M[LG_CHECK_MATRICES];  /**< room for n x n */
    unsigned char *work;           /**< lg_group::work_bytes bytes and a guard */
    void *block;
} lg_check;

/** Memory for a check of G, and of r unless it is NULL. `caller` begins the messages. lg_check_close() frees it in any
 *  case. */
lg_status lg_check_open(lg_check *k, const char *caller, const lg_group *G, const lg_retraction *r, lg_rng *rng,
                        double tolerance, lg_error *e);
void lg_check_close(lg_check *k);

/** Fails with "SUBJECT: ...". */
lg_status lg_check_fail(lg_check *k, lg_status status, const char *format, ...) LG_PRINTF(3, 4);

/** Called before and after an operation that must fill exactly `count` numbers; `status` is what it returned. */
void lg_check_guard(double *out, int count);
lg_status lg_check_watch(lg_check *k, const char *name, lg_status status, const double *out, int count);

/** Random a, b, c, xi, eta, zeta. */
lg_status lg_check_draw(lg_check *k);

/* ---- operations: each runs twice, the second time in place, and must fill exactly `count` numbers; the output may be
 * an input ---- */

lg_status lg_check_unary(lg_check *k, const char *name, lg_group_unary op, double *out, int count, const double *in,
                         int size);
lg_status lg_check_binary(lg_check *k, const char *name, lg_group_binary op, double *out, int count, const double *a,
                          int a_size, const double *b, int b_size);
lg_status lg_check_identity(lg_check *k, double *g);
lg_status lg_check_compose(lg_check *k, double *out, const double *a, const double *b);
lg_status lg_check_inverse(lg_check *k, double *out, const double *g);
/** M = Ad_g, M = ad_xi. */
lg_status lg_check_Ad(lg_check *k, double *M, const double *g);
lg_status lg_check_ad(lg_check *k, double *M, const double *xi);

/** The map of the algebra that a group has: exp, else Cayley, or NULL. */
const lg_group_maps *lg_check_map(const lg_check *k);
/** 1: lg_check_chart() works. */
int lg_check_has_chart(const lg_check *k);
/** x = coordinates of an element near e, x(tau(s eta)) = s eta + O(s^2): the group's log or cay^-1, its matrices, or
 *  tau^-1 of the retraction. */
lg_status lg_check_chart(lg_check *k, double *x, const double *g);

/* ---- comparisons: entry by entry, up to the tolerance times the scale of the whole, at least 1 ---- */

/** Compares `count` numbers; `left` and `right` are their names. `at` and `v` (may be NULL) are the element and the
 *  vector that the message shows. */
lg_status lg_check_numbers(lg_check *k, const char *identity, const char *left, const double *x, const char *right,
                           const double *y, int count, const double *at, const double *v);
/** Compares two elements, as numbers, as matrices or in the chart: a quaternion and its negative are equal. */
lg_status lg_check_elements(lg_check *k, const char *identity, const double *x, const double *y, const double *at,
                            const double *v);
/** 1: they are equal. */
int lg_check_equal(lg_check *k, const double *x, const double *y);

/* ---- differences ---- */

/** A curve of `count` numbers. */
typedef lg_status (*lg_check_curve)(lg_check *k, double s, double *out);
/** out = its derivative at s = 0. */
lg_status lg_check_slope(lg_check *k, lg_check_curve curve, double *out, int count);

/** lg_retraction_check() at the points of an open check. */
lg_status lg_check_retraction_here(lg_check *k);

#endif
