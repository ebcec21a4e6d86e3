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
    int *shown;   /* how each of them is seen */
    int *first;   /* the joints at body b are at[first[b]] ... at[first[b + 1] - 1], in their order */
    int *at;
} mb_maker;

/* The body that was described, of which body b of the plan may be a share; -1: the world. */
int mb_look_host(const mb_maker *k, int b);
/* x = a point from the centre of mass of a body, in its frame. */
void mb_look_from_centre(const mb_maker *k, double *x, int body, const double *anchor);
void mb_look_add(const mb_maker *k, const lg_shape *shape);

#endif
