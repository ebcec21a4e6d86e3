/* SPDX-License-Identifier: BSD-3-Clause */
/** @file oracle.h
 *  Motions of mechanisms in minimal coordinates, from their kinematics alone: an oracle that shares no formula with
 *  the library. Kane's equations, sum_b nu_bi.(M_b nu_b' + gyro) = Q_i, with every derivative a difference of order
 *  eight, and Runge-Kutta's classical method. */
#ifndef TESTS_SUPPORT_ORACLE_H
#define TESTS_SUPPORT_ORACLE_H

enum { ORACLE_BODIES = 4, ORACLE_Q = 16, ORACLE_LENGTHS = 6 };

/** A body: centre of mass and matrix of its axes (row-major). */
typedef struct oracle_pose {
    double r[3], R[9];
} oracle_pose;

typedef struct oracle {
    int bodies, coordinates, speeds; /**< coordinates q, speeds u with q' = rates(q, u), affine in u */
    double mass[ORACLE_BODIES];
    double inertia[ORACLE_BODIES][9]; /**< about the centre of mass in the body's axes */
    double gravity[3];
    const void *context;
    void (*poses)(const void *context, const double *q, oracle_pose *pose);
    void (*rates)(const void *context, const double *q, const double *u, double *rate); /**< NULL: q' = u */
    /** Angles and lengths x that forces act along, -stiffness (x - rest) - damping x' + effort. */
    int lengths;
    void (*measure)(const void *context, const double *q, double *x);
    double stiffness[ORACLE_LENGTHS], rest[ORACLE_LENGTHS], damping[ORACLE_LENGTHS], effort[ORACLE_LENGTHS];
    double friction[ORACLE_LENGTHS]; /**< less friction tanh(x'/0.3) */
} oracle;

/** Moves q and u for a time, in steps of about h. */
void oracle_run(const oracle *o, double *q, double *u, double time, double h);
/** Poses, and twists: velocity of the centre of mass and angular velocity, both in space. */
void oracle_state(const oracle *o, const double *q, const double *u, oracle_pose *pose, double (*twist)[6]);

/** How fast the lengths change where q moves at `rate`. */
void oracle_stretch(const oracle *o, const double *q, const double *rate, double *change);

/** C = A B of 3 x 3 matrices; C is neither. */
void oracle_product(double *C, const double *A, const double *B);
/** y = M x, or M^T x. */
void oracle_turn(double *y, const double *M, const double *x);
void oracle_back(double *y, const double *M, const double *x);
/** The rotation by an angle about axis 0, 1 or 2. */
void oracle_rotation(double *R, int axis, double angle);

#endif
