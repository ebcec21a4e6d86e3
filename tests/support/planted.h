/* SPDX-License-Identifier: BSD-3-Clause */
/** @file planted.h
 *  Errors planted in the operations of groups and retractions, one at a time. */
#ifndef TESTS_SUPPORT_PLANTED_H
#define TESTS_SUPPORT_PLANTED_H

#include "suite.h"

enum { POINTS = 3 }; /* of each check */

/** The kinds of errors. */
typedef enum kind { TENTH_OF_A_PERCENT, SIGN, ZERO, TRANSPOSED, LEFT_OUT, TOO_MANY, IN_PLACE, OTHER_SIDE, KINDS } kind;

/** The operations that have them. */
typedef enum member {
    IDENTITY,
    COMPOSE,
    INVERSE,
    AD,
    SMALL_AD,
    COAD,
    HAT,
    VEE,
    TO_MATRIX,
    FROM_MATRIX,
    PROJECT,
    SECOND_KIND,
    TAU,
    TAU_INV,
    DTAU,
    DTAU_INV,
    DUAL,
    DERIVATIVE,
    CAY_TAU,
    CAY_TAU_INV,
    CAY_DTAU,
    CAY_DTAU_INV,
    CAY_DUAL,
    CAY_DERIVATIVE,
    MEMBERS
} member;

extern const char *const kind_names[KINDS], *const member_names[MEMBERS];

/** The error that is planted; `changed` is 1 if it changed a number. */
typedef struct planted {
    const lg_group *base;
    int member; /**< -1: nothing */
    kind kind;
    int changed;
} planted;
extern planted plant;
/** Of those that changed something: how many, and how many a check let pass. */
extern int found, missed;

/* Numbers of an algebra vector, of an element, and of their matrices. */
#define N  G->dim
#define E  G->element_size
#define NN N *N
#define MM G->matrix_size * G->matrix_size

/** *x = value. */
void change(double *x, double value);
/** Spoils `count` numbers, `rows` the rows of a square matrix, else 0. `in` is NULL where nothing can alias. */
void spoil(member m, double *out, int count, int rows, const double *copy, const double *in);
/** The mirror image of an argument in x: of an element its inverse, of a vector or a matrix the negative. */
const double *mirror(const lg_group *G, int m, double *x, const double *in);
/** 1: the operation is to be taken at the mirror image. */
int mirrored(int m);
/** 1: the error has no effect, since -q is the rotation q. */
int harmless(const lg_group *base, int m);
/** Reports an error that a check let pass. */
void miss(const lg_group *base, int m, int j, const char *message);
/** Fails unless `got` is `want`. */
void expect(const char *what, lg_status got, lg_status want, const lg_error *e);

#endif
