/* SPDX-License-Identifier: BSD-3-Clause */
/** @file scene.h
 *  The look of a mechanism. */
#ifndef LIEGRP_MULTIBODY_SCENE_H
#define LIEGRP_MULTIBODY_SCENE_H

#include "../scene/scene.h"
#include "mechanism.h"

LG_BEGIN

/** Gives a body, or space, a shape of your own. A body with such shapes loses those that lg_mechanism_scene() would
 *  find for it; its joints, springs and wheels are shown all the same. Bodies are numbered as lg_mechanism_add_body()
 *  counts, and must have been added before. Shapes may also be added after compilation, before threads share the
 *  mechanism. *index (may be NULL) is the shape's number among them, and in the scene.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or lg_scene_add() refuses the shape; the message is the scene's.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_add_shape(lg_mechanism *m, int *index, const lg_shape *shape);

/** *scene = the look of the mechanism; free it with lg_scene_destroy(). Its bodies are those of the mechanism.
 *  First come the shapes that were added. A body without any is the box with its mass and inertia, and rods from there
 *  to its joints; one whose centre of mass is that of a wheel or of a sphere
 *  in contact is shown as that wheel or sphere. Wheels are cylinders of length 0,
 *  tori and spheres that roll on their planes (lg_shape::rolls_on), axes of joints cylinders, ball joints spheres, and
 *  springs and distances rods between bodies.
 *  - LG_ERROR_ARGUMENT: `scene` is NULL, or the mechanism is not compiled; *scene is NULL.
 *  - LG_ERROR_MEMORY: out of memory; *scene is NULL. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_scene(const lg_mechanism *m, lg_scene **scene);

LG_END

#endif
