/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine is written for any width (LANES, base/lane.h) and compiled once for each, as one translation unit
 * (width.c). Beyond width 1 all of it is static, and the table at the end of lanes.c is the one symbol of the object.
 * At width 1 its functions have external linkage: the rest of the library calls them by name. */
#ifndef LG_INTEGRATORS_WIDTH_H
#define LG_INTEGRATORS_WIDTH_H

#include "base/lane.h"

#if LANES == 1

#define LG_ENGINE           /* what exists at every width */
#define LG_WIDTH_1(hook)    hook
#define LG_AT_WIDTH_1(call) call

#else

#define LG_ENGINE           static __attribute__((unused))
#define LG_WIDTH_1(hook)    NULL /* a hook that a wide step never calls */
#define LG_AT_WIDTH_1(call) 1    /* a call that a wide step gives up instead of */

#endif

/* What exists at width 1 and in numbers that carry derivatives: hooks and calls as above. */
#if LANES == 1 || defined(LG_TANGENT)
#define LG_IS_SMOOTH         1
#define LG_SMOOTH_HOOK(hook) hook
#define LG_SMOOTH_CALL(call) call
#else
#define LG_IS_SMOOTH         0
#define LG_SMOOTH_HOOK(hook) NULL
#define LG_SMOOTH_CALL(call) 1
#endif

#endif
