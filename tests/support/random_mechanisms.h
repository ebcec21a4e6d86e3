/* SPDX-License-Identifier: BSD-3-Clause */
/** @file random_mechanisms.h
 *  Mechanisms drawn at random: trees and loops of every kind of joint, wheels, springs, motors and gears, over six
 *  decades of masses and sizes, with redundant and nearly redundant joints. All of them close as they are drawn. */
#ifndef TESTS_SUPPORT_RANDOM_MECHANISMS_H
#define TESTS_SUPPORT_RANDOM_MECHANISMS_H

#include "support/mechanisms.h"

enum { RANDOM_BODIES = 32 };

/** The content of a random mechanism. */
typedef enum random_family {
    RANDOM_TREE,   /**< every kind of joint */
    RANDOM_LOOPS,  /**< a tree and joints that close loops in space */
    RANDOM_PLANAR, /**< revolute joints with parallel axes: three rows of each loop are redundant */
    RANDOM_WHEELS, /**< a tree on wheels of every kind */
    RANDOM_COPIES, /**< loops, and joints that repeat others exactly */
    RANDOM_NEARLY, /**< loops, and joints that repeat others up to 1e-4 ... 1e-12 */
    RANDOM_FAMILIES
} random_family;

typedef struct random_mechanism {
    lg_mechanism *m; /**< not compiled */
    random_family family;
    int bodies, joints;
    double size, mass, gravity;
    double masses[RANDOM_BODIES], inertia[RANDOM_BODIES][3];
    const char *geared; /**< the last joint that a gear may drive; NULL: none */
    char name[RANDOM_BODIES][16], joint[4 * RANDOM_BODIES][16];
} random_mechanism;

/** Draws one; `size_decades` is how many decades sizes and masses spread over each side of 1. */
void random_mechanism_draw(random_mechanism *r, random_family family, int bodies, double decades, lg_rng *rng);
/** T + |m g r| summed over bodies: the scale of the energies. */
double random_mechanism_scale(const random_mechanism *r, const lg_motion *mo);

#endif
