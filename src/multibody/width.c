/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of mechanisms at one width, as integrators/engine/width.c is the engine's. */
#include "integrators/engine/width.h"

#include "multibody/convergence.c"
#include "multibody/corrections.c"
#include "multibody/equations.c"
#include "multibody/forces/forces.c"
#include "multibody/history.c"
#include "multibody/node.c"
#include "multibody/numbers.c"
#include "multibody/project.c"
#include "multibody/rattle.c"
#include "multibody/reactions.c"
#include "multibody/sound.c"
#include "multibody/stages.c"
#include "multibody/step.c"

#if LANES > 1
#include "multibody/lanes.c"
#endif
