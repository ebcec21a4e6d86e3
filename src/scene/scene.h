/* SPDX-License-Identifier: BSD-3-Clause */
/** @file scene.h
 *  Inside a scene; for whoever makes one on behalf of somebody else. */
#ifndef LIEGRP_SRC_SCENE_SCENE_H
#define LIEGRP_SRC_SCENE_SCENE_H

#include <liegrp/scene/scene.h>

#include "base/json.h"
#include "base/message.h"

struct lg_scene {
    lg_error error; /* of the last call that failed: whoever lets others add things sees here that something was lost */
    int bodies, body_room, shapes, shape_room;
    char **body;     /* names, ours */
    lg_shape *shape; /* their names are ours */
    lg_json json;
};

#endif
