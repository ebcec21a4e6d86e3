/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks of the catalog's systems. None of these functions returns a status: what a scene is refused it remembers, and
 * lg_model_scene() reports it. A shape of the shade LG_SHADE_WHEEL that rolls on a plane does not slip on it: tests
 * hold the systems to that. */
#ifndef LG_CATALOG_LOOK_H
#define LG_CATALOG_LOOK_H

#include <liegrp/scene/scene.h>

/* Adds a body; its number. */
int lg_look_body(lg_scene *scene, const char *name);
/* Adds a shape; its number. */
int lg_look_add(lg_scene *scene, const lg_shape *shape);

/* A shape of a body at (x, y, z); the fields that it needs are filled by the caller. */
lg_shape lg_look_at(const char *name, int kind, int shade, int body, double x, double y, double z);
/* Turns it so that its z is along the vector d, which need not have length 1; 0: not at all. */
void lg_look_along(lg_shape *shape, double x, double y, double z);

/* The plane z = 0 of a body (-1: space), a square with this edge, 0: without end; its number. */
int lg_look_ground(lg_scene *scene, const char *name, int body, double edge);
/* A sphere. */
void lg_look_ball(lg_scene *scene, const char *name, int shade, int body, const double *at, double radius);
/* A rod between two points of a body. */
void lg_look_rod(lg_scene *scene, const char *name, int shade, int body, const double *from, const double *to,
                 double radius);
/* The box with this mass and these principal moments, at a point of a body; edges that no box has are 0. */
void lg_look_inertia(lg_scene *scene, const char *name, int body, const double *at, double mass, const double *moments);

/* The pose at (x, y, z), unturned. */
void lg_look_place(double *pose, double x, double y, double z);
/* Turns a pose about the axis of its own frame, 0, 1 or 2, by an angle; or by an angle with this cosine and sine. */
void lg_look_turn(double *pose, int axis, double angle);
void lg_look_turn_by(double *pose, int axis, double cosine, double sine);
/* pose = that of a frame at (x, y, z) of another pose, turned like it. */
void lg_look_carry(double *pose, const double *base, double x, double y, double z);

/* Balls on the table of parameters m, r, ...: body 0 the table, which turns, body 1 the ball with its principal axes.
 */
int lg_look_ball_on_table(lg_scene *scene, double radius);
/* Their poses: the table has turned by this angle, the ball's centre is at (x, y) and its attitude is q. */
void lg_look_ball_poses(double *poses, double angle, double radius, const double *g, const double *q);

#endif
