/* SPDX-License-Identifier: BSD-3-Clause */
/* scene.h: what a mechanism looks like, for its model too. */
#ifndef LG_MULTIBODY_SCENE_H
#define LG_MULTIBODY_SCENE_H

#include <liegrp/multibody/scene.h>

#include "multibody/mechanism.h"

/* Adds bodies and shapes of a compiled mechanism to an empty scene, which remembers what failed. */
void mb_fill_scene(const lg_mechanism *m, lg_scene *scene);
/* Poses of the bodies' frames from a configuration of lg_mechanism_system(). */
void mb_frames_of(const lg_mechanism *m, double *poses, const double *g);

#endif
