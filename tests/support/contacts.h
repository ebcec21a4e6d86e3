/* SPDX-License-Identifier: BSD-3-Clause */
/** @file contacts.h
 *  Bodies that touch, as frictional complementarity problems with a dense W, and in time: geometry stands still, and
 *  velocities and gaps go on. */
#ifndef TESTS_SUPPORT_CONTACTS_H
#define TESTS_SUPPORT_CONTACTS_H

#include <liegrp/base/random.h>

#include "multibody/contact/solver/dense.h"
#include "multibody/contact/solver/solve.h"
#include "multibody/contact/solver/sparse.h"

enum { CONTACTS_BODIES = 64, CONTACTS_MOST = 256, CONTACTS_JOINTS = 80, CONTACTS_WORLD = CONTACTS_BODIES };

typedef struct contacts_scene {
    int bodies, contacts, joints, rows;
    double h;
    mb_ncp_body body[CONTACTS_BODIES];
    double inverse[CONTACTS_BODIES][9]; /* of the inertia: set by contacts_problem() */
    double position[CONTACTS_BODIES][3], velocity[CONTACTS_BODIES][6], wrench[CONTACTS_BODIES][6];
    mb_ncp_rows touch[CONTACTS_MOST], joint[CONTACTS_JOINTS];
    double touch_part[CONTACTS_MOST][36], joint_part[CONTACTS_JOINTS][72];
    mb_ncp_contact contact[CONTACTS_MOST];
    double gap[CONTACTS_MOST];
    /* Set by contacts_problem(). */
    mb_ncp_system system;
    double *W, b[3 * CONTACTS_MOST], P[3 * CONTACTS_MOST], R[3 * CONTACTS_MOST], speed, extent;
} contacts_scene;

/** A scene without bodies, steps of h; for contacts_free(). Exits if memory runs out. */
contacts_scene *contacts_new(double h);
void contacts_free(contacts_scene *s);

/** A body with its weight: half edges of a box. Returns its number. */
int contacts_box(contacts_scene *s, double mass, const double *half, const double *position);
/** b touches a (CONTACTS_WORLD: the ground) at a point with normal n from a to b. */
int contacts_touch(contacts_scene *s, int a, int b, const double *point, const double *normal, double gap, double mu);
/** Four corners of a box of half edges on the ground or on another body, below it. */
void contacts_corners(contacts_scene *s, int a, int b, const double *half, double mu);
/** A ball joint, and with an axis a hinge. */
void contacts_joint(contacts_scene *s, int a, int b, const double *point, const double *axis);
/** A row on the relative angular velocity about an axis, with bounds of its impulse: dry friction or a stop. */
int contacts_angle(contacts_scene *s, int a, int b, const double *axis, double low, double high, double gap);

/** The problem of a step (f = 1/2, unknown P), or of the node after it (f = 1, no gaps and no wrenches, unknown R = P +
 * Q with the scene's P); W and b are the scene's. */
mb_ncp contacts_problem(contacts_scene *s, double factor);
/** Velocities after the impulses of the last problem; gaps after a step. */
void contacts_advance(contacts_scene *s, const double *P);

/** The largest violation of the conditions, relative to the speed, found without the natural map: penetration,
 *  complementarity, friction's direction; *cone: beyond the cone or interval, relative to mu P_n. */
double contacts_violation(const contacts_scene *s, const mb_ncp *p, const double *P, double *cone);

/** A solver with memory of its own, for both operators. */
typedef struct contacts_solver {
    mb_ncp_work work;
    mb_ncp_dense dense;
    mb_ncp_sparse sparse;
    void *block;
} contacts_solver;

void contacts_solver_make(contacts_solver *s);
void contacts_solver_free(contacts_solver *s);
/** Gives a problem of a scene its operator. */
void contacts_use(contacts_solver *s, const contacts_scene *scene, mb_ncp *p, int sparse);

/* Families; random ones by seed. */
typedef enum contacts_family {
    CONTACTS_STACK_REST,
    CONTACTS_STACK_48,
    CONTACTS_STACK_50,
    CONTACTS_STACK_52,
    CONTACTS_STACK_55,
    CONTACTS_STACK_58,
    CONTACTS_STACK_HEAVY, /* the topmost has a thousand times the mass */
    CONTACTS_CHAIN_5,     /* ten links on the ground, ball joints; h = .005 */
    CONTACTS_CHAIN_25,
    CONTACTS_CHAIN_1,
    CONTACTS_BOXES,     /* one box with random velocity, mu 0 to 1 */
    CONTACTS_BALLS,     /* 20 balls in a heap */
    CONTACTS_PYRAMID,   /* 15 boxes in 5 rows; the outermost of the lowest row are pulled apart */
    CONTACTS_TANGLE,    /* two chains, one half on the other: cycles of joints and contacts */
    CONTACTS_DRY,       /* arms with hinges that stick, with stops, on the ground */
    CONTACTS_DUPLICATE, /* every contact two or three times */
    CONTACTS_FAMILIES
} contacts_family;

const char *contacts_family_name(contacts_family family);
contacts_scene *contacts_make(contacts_family family, uint64_t seed);
/** Random graphs of up to 19 bodies with four contacts a pair, masses 1 : 1000, mu .2 to 2. */
contacts_scene *contacts_synthetic(uint64_t seed);

#endif
