/* SPDX-License-Identifier: BSD-3-Clause */
/* scene.h: what a mechanism looks like, for its model too. */
#ifndef LG_MULTIBODY_SCENE_H
#define LG_MULTIBODY_SCENE_H

#include <liegrp/multibody/scene.h>

#include "multibody/mechanism.h"

/* Poses of the bodies' frames from a configuration of lg_mechanism_system(). */
void mb_frames_of(const lg_mechanism *m, double *poses, const double *g);

/* A scene in the making. */
typedef struct mb_maker {
    const lg_mechanism *m;
    lg_scene *scene;
    double *size; /* of each body that was described: the way from its centre of mass to the farthest joint, or the
                   * diagonal of its box */
    int *shown;   /* how each of them is seen: */
    int *first;   /* the joints at body b are at[first[b]] ... at[first[b + 1] - 1], in their order */
    int *at;
} mb_maker;

/* As the box of its mass and inertia, by shapes that were given, by that of another part, or as a link, bars from joint
 * to joint. */
enum { MB_SHOWN_BOX = 0, MB_SHOWN_OWN, MB_SHOWN_PART, MB_SHOWN_LINK };

/* The body that was described, of which body b of the plan may be a share; -1: the world. */
int mb_look_host(const mb_maker *k, int b);
/* x = a point from the centre of mass of a body, in its frame. */
void mb_look_from_centre(const mb_maker *k, double *x, int body, const double *anchor);
void mb_look_add(const mb_maker *k, const lg_shape *shape);
/* Marks body b of the plan as shown by a round shape if that is about its centre of mass. */
void mb_look_mark(const mb_maker *k, int b, const double *centre, double radius);
/* The attitude whose z is along the unit vector d. */
void mb_look_along(double *q, const double *d);
/* The size of the smaller one of two bodies, one of which may be the world. */
double mb_look_size(const mb_maker *k, int a, int b);
/* A rod from the centre of mass of a body to an anchor. */
void mb_look_arm(const mb_maker *k, int body, const double *anchor);
/* A rod between points of two bodies. */
void mb_look_rod(const mb_maker *k, const char *name, int a, int b, const double *from, const double *to, int shade);
/* parts/body.c: finds the joints at each body, the sizes and the links. */
void mb_look_bodies(const mb_maker *k);

#endif
