/* SPDX-License-Identifier: BSD-3-Clause */
/** @file scene.h
 *  The inside of a scene, for code that creates scenes for callbacks to fill. */
#ifndef LIEGRP_SRC_SCENE_SCENE_H
#define LIEGRP_SRC_SCENE_SCENE_H

#include <liegrp/scene/scene.h>

#include "base/json.h"
#include "base/message.h"

struct lg_scene {
    lg_error error; /* of the last failed call */
    lg_error first; /* of the first failed call: shows the owner that a callback failed to add something, and why */
    int bodies, body_room, shapes, shape_room;
    char **body;     /* copies of their names */
    int *parent;     /* of each body: another one, -1: space; NULL: unknown */
    lg_shape *shape; /* with copies of their names */
    lg_json json;
};

/* inertia.c: dimensions and attitude of the box that has this mass and inertia (3 x 3, about its middle, in the frame
 * of the body). An edge that no box has is 0. */
void lg_shape_take_inertia(lg_shape *box, double mass, const double *inertia);

#endif
