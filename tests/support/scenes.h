/* SPDX-License-Identifier: BSD-3-Clause */
/** @file scenes.h
 *  What every scene must keep along a motion, from the poses at three nodes. */
#ifndef TESTS_SUPPORT_SCENES_H
#define TESTS_SUPPORT_SCENES_H

#include <liegrp/scene/scene.h>

/** y = the point x of a body's frame (-1: space), in space. */
void scene_place(double *y, const double *poses, int64_t body, const double *x);
/** Poses are finite, and their quaternions have length 1 to 1e-9: an integrator keeps them to round-off. */
void scene_poses_well(const char *name, const lg_scene *scene, const double *poses);
/** Shapes that roll touch their planes to `height`. */
void scene_touches(const char *name, const lg_scene *scene, const double *poses, double height);
/** Adds to total[0] by how much shapes slip on their planes, and to total[1] the way that they go. Wheels (shade
 *  LG_SHADE_WHEEL) slip where the material point that touches has not the velocity of the plane's material; blades and
 *  wheels without an angle of their own (other shades) along y of a box or the axis of a cylinder alone. Differences
 * over two steps of length h see a slip of v (w h)^2/6 for a wheel with the speed v that turns at w, below 0.01 of the
 * way here, and 2 v if it turns the wrong way. Balls of other shades are left out. */
void scene_add_slip(double *total, const lg_scene *scene, const double *before, const double *now, const double *after);
/** Shapes of the name "hitch" are in pairs that coincide to 1e-9. Returns the number of pairs. */
int scene_is_connected(const char *name, const lg_scene *scene, const double *poses);

#endif
