/* SPDX-License-Identifier: BSD-3-Clause */
/** @file reaching.h
 *  Mechanisms with motors, and their problems of optimal control. */
#ifndef TESTS_SUPPORT_REACHING_H
#define TESTS_SUPPORT_REACHING_H

#include <math.h>

#include <liegrp/liegrp.h>
#include <liegrp/multibody/gallery.h>

#include "support/mechanisms.h"
#include "support/optima.h"

/* ---- mechanisms ---- */

/* A mass of 2 kg on a rail along x, with a motor. */
static inline lg_mechanism *slide(void)
{
    lg_mechanism *m = NULL;
    lg_body body = lg_body_default("cart");
    lg_joint joint = lg_joint_default("rail", LG_JOINT_PRISMATIC, NULL, "cart");
    const lg_motor motor = lg_motor_default("push", "rail");
    assert_int_equal(lg_mechanism_create(&m), LG_OK);
    body.mass = 2, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    joint.axis[0] = 1, joint.axis[1] = joint.axis[2] = 0;
    mechanism_well(lg_mechanism_add_body(m, NULL, &body), m);
    mechanism_well(lg_mechanism_add_joint(m, NULL, &joint), m);
    mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Two links that hang, each with a motor whose torque is held within `limit`. */
static inline lg_mechanism *arm(double limit)
{
    static const char *const link[2] = {"upper", "lower"}, *const name[2] = {"shoulder", "elbow"};
    const double gravity[3] = {0, 0, -9.81}, axis[3] = {0, 1, 0};
    lg_mechanism *m = NULL;
    assert_int_equal(lg_mechanism_create(&m), LG_OK);
    mechanism_well(lg_mechanism_set_gravity(m, gravity), m);
    for (int i = 0; i < 2; i++) {
        lg_body body = lg_body_default(link[i]);
        lg_motor motor = lg_motor_default(i ? "bend" : "lift", name[i]);
        const double point[3] = {0, 0, -0.5 * i};
        body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.02, body.position[2] = -0.25 - 0.5 * i;
        motor.lower = -limit, motor.upper = limit;
        mechanism_well(lg_mechanism_add_body(m, NULL, &body), m);
        mechanism_add_joint(m, name[i], LG_JOINT_REVOLUTE, i ? link[0] : NULL, link[i], point, axis);
        mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static inline lg_optimum_problem problem_of(const lg_mechanism *m, int steps, double time, const double *target)
{
    lg_optimum_problem p = lg_optimum_problem_default(NULL);
    p.mechanism = m, p.steps = steps, p.time = time, p.target_g = target, p.target_p = zero;
    return p;
}

/* A mechanism of the gallery, with one more motor (NULL: none). */
static inline lg_mechanism *exhibit(const char *name, const char *joint)
{
    lg_mechanism *m = NULL;
    const lg_motor motor = lg_motor_default("drive", joint);
    mechanism_well(lg_gallery_describe(&m, lg_gallery_index(name)), m);
    if (joint) mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Positions as assembled, of n. */
static inline int assembled(const lg_mechanism *m, double *q)
{
    lg_motion *mo = NULL;
    motion_well(motion_create(&mo, m, "sem", 0.1), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    motion_well(lg_motion_positions(mo, q, NULL), mo);
    const int n = lg_motion_position_count(mo);
    lg_motion_destroy(mo);
    return n;
}

#endif
