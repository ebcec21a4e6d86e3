/* SPDX-License-Identifier: BSD-3-Clause */
/** @file gallery.h
 *  A gallery of mechanisms: ready to move, each with a state to start from; examples of how mechanisms are described
 *  (src/multibody/gallery/), and benchmarks with published values. Those from "bouncing-ball" on touch: only sem moves
 *  them, see lg_mechanism_add_surface(). */
#ifndef LIEGRP_MULTIBODY_GALLERY_H
#define LIEGRP_MULTIBODY_GALLERY_H

#include "motion.h"

LG_BEGIN

/** Mechanisms in the gallery; they are numbered from 0. */
LG_API int lg_gallery_count(void);
/** The number of the mechanism of this name, such as "bicycle"; -1: the gallery has no such mechanism. */
LG_API int lg_gallery_index(const char *name);
/** The name of mechanism i; NULL: there is no mechanism i. */
LG_API const char *lg_gallery_name(int i);
/** A description of mechanism i, one or two sentences; NULL: there is no mechanism i. */
LG_API const char *lg_gallery_text(int i);
/** A step size that suits mechanism i, s; NaN: there is no mechanism i. */
LG_API double lg_gallery_step(int i);
/** The columns that a picture of mechanism i shows, in the language of liegrp run --plot-columns
 * (docs/command-line.md); NULL: the default columns of mechanisms suit it, or there is no mechanism i. */
LG_API const char *lg_gallery_plot(int i);
/** Creates mechanism i and describes it, so that parameters can be set before lg_mechanism_compile(). Errors as
 *  lg_gallery_create(). */
LG_API LG_MUST_CHECK lg_status lg_gallery_describe(lg_mechanism **m, int i);
/** Creates and compiles mechanism i. Destroy it with lg_mechanism_destroy(), after a failure too, when *m holds the
 *  message or is NULL.
 *  - LG_ERROR_ARGUMENT: there is no mechanism i, or m is NULL.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_gallery_create(lg_mechanism **m, int i);
/** Starts a motion of mechanism i at t = 0 from its own state, and sets its controls.
 *  - LG_ERROR_ARGUMENT: there is no mechanism i, or the motion is of a mechanism with other parts.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_gallery_start(lg_motion *mo, int i);

LG_END

#endif
