/* SPDX-License-Identifier: BSD-3-Clause */
/** @file touching.h
 *  Mechanisms that touch the ground and each other, and what every step with contacts keeps. */
#ifndef TESTS_SUPPORT_TOUCHING_H
#define TESTS_SUPPORT_TOUCHING_H

#include <liegrp/multibody/contact.h>

#include "support/mechanisms.h"

/** An empty mechanism, and one with ground through the origin, "ground", which is turned about the y axis by `tilt`. */
lg_mechanism *touch_empty(void);
lg_mechanism *touch_ground(double friction, double restitution, double tilt);
/** A body turned about the y axis by `tilt`; inertia NULL: that of a solid ball of radius 0.1 m. */
void touch_body(lg_mechanism *m, const char *name, double mass, const double *inertia, const double *position,
                double tilt);
/** A surface about the origin of a body's frame; body NULL: the world. */
void touch_surface(lg_mechanism *m, const char *name, const char *body, lg_surface_kind kind, const double *half,
                   double friction, double restitution);
/** A body with such a surface of its name; its inertia is that of a solid box of these half sides. */
void touch_thing(lg_mechanism *m, const char *name, lg_surface_kind kind, const double *half, const double *position,
                 double tilt, double friction, double restitution);
/** The normal that turns z by an angle about y is the third axis of this quaternion. */
void touch_tilt(double *attitude, double tilt);

/** A trunk on four legs with three servos each, at the height at which it stands; the places of its feet (4 x 3); it
 *  starts with slightly bent knees. */
lg_mechanism *touch_quadruped(void);
void touch_feet(double *at, const lg_motion *mo);
void touch_stand(lg_motion *mo);
/** Boxes of 1 kg on each other, each on a plane that the one below carries, on the ground. A thruster pushes the foot
 *  of the first one. */
lg_mechanism *touch_stack(int count, double friction);

/** A motion of sem; the mechanism is compiled. */
lg_motion *touch_motion(lg_mechanism *m, double h);
/** One with options of contact. */
lg_motion *touch_motion_by(lg_mechanism *m, double h, lg_impact_law law, double capture);

/** An ellipsoid on the ground, which slips, then rolls, and the largest error of its state after 1 s: against an
 *  event-driven collocation of order 16. */
lg_mechanism *touch_ellipsoid(void);
void touch_ellipsoid_starts(lg_motion *mo);
double touch_ellipsoid_error(const lg_motion *mo);

/** What a run has seen. */
typedef struct touch_watch {
    double H0;      /**< at the beginning */
    double size;    /**< max(T + |V|) */
    double balance; /**< the largest |H - H_0 - account| */
    double rise;    /**< the largest rise of H less what drives it, in a step */
    double gap;     /**< the least gap */
    double cone;    /**< the largest |P_t| - mu P_n over mu P_n */
    int gains;      /**< 1: the law may gain energy */
} touch_watch;

touch_watch touch_begin(const lg_motion *mo);
/** Looks at a step that has been made: compares with what was driven before. */
void touch_look(touch_watch *w, const lg_motion *mo);
/** Steps, and fails where one does not keep the balance, the gaps, the cone and the second law. */
void touch_run(touch_watch *w, lg_motion *mo, int64_t steps);
/** H - H_0 as the account says. */
double touch_sum(const lg_account *a);
lg_account touch_account(const lg_motion *mo);
/** x, y, z of a body, and its velocity and angular velocity in space. */
void touch_at(const lg_motion *mo, int body, double *position, double *twist);
double touch_x(const lg_motion *mo, int body, int axis);
double touch_v(const lg_motion *mo, int body, int axis);

#endif
