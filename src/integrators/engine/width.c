/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine at one width: compiled with -DLANES=1, 2, 4, 8 and the instructions of that width (src/meson.build). A
 * source that exists at every width is included here or in factors/list.c and nowhere else; its file-scope names begin
 * with its own name. */
#include "integrators/engine/width.h"

#include "integrators/factors/list.c"
#include "integrators/factors/rates.c"

#include "integrators/collocation/eliminate.c"
#include "integrators/collocation/fields.c"
#include "integrators/collocation/sweep.c"
#include "integrators/collocation/stages.c"
#include "integrators/engine/compensation.c"
#include "integrators/engine/inexact.c"
#include "integrators/engine/metric.c"
#include "integrators/engine/node.c"
#include "integrators/engine/solver.c"
#include "integrators/engine/spans.c"
#include "integrators/engine/step.c"
#include "integrators/engine/workspace.c"
#include "integrators/rules/frame.c"
#include "integrators/rules/reflection.c"
#include "integrators/rules/shared.c"
#include "integrators/rules/state.c"
#include "integrators/steps/energy_momentum.c"
#include "integrators/steps/variational.c"

#if LANES > 1
#include "integrators/collocation/instances.c"
#include "integrators/collocation/instances_step.c"
#include "integrators/engine/lanes.c"
#endif
