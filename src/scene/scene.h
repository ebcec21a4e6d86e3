/* SPDX-License-Identifier: BSD-3-Clause */
/** @file scene.h
 *  Inside a scene; for whoever makes one on behalf of somebody else. */
#ifndef LIEGRP_SRC_SCENE_SCENE_H
#define LIEGRP_SRC_SCENE_SCENE_H

#include <liegrp/scene/scene.h>

#include "base/json.h"
#include "base/message.h"

struct lg_scene {
    lg_error error; /* of the last call that failed */
    lg_error first; /* of the first one: whoever lets others add things sees here that something was lost, and why */
    int bodies, body_room, shapes, shape_room;
    char **body;     /* names, ours */
    lg_shape *shape; /* their names are ours */
    lg_json json;
};

/* inertia.c: dimensions and attitude of the box that has this mass and inertia (3 x 3, about its middle, in the frame
 * of the body). An edge that no box has is 0. */
void lg_shape_take_inertia(lg_shape *box, double mass, const double *inertia);

#endif
