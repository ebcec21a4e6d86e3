/* SPDX-License-Identifier: BSD-3-Clause */
/** @file view.h
 *  A page that shows motions: rows in, one HTML file out that opens in any browser, without a network.
 *
 *  A view has tracks, each the rows of one run as they are written. From the configuration in a row it finds where the
 *  bodies are. Of long runs it keeps every 2nd, 4th, 8th ... row and the last one, at most 5000 a track, fewer
 *  where rows have many columns. The page is made of a text that the caller gives, which holds everything but the data:
 *  `web/` in the source tree, `liegrp run --view` and the Python package have one. */
#ifndef LIEGRP_RUN_VIEW_H
#define LIEGRP_RUN_VIEW_H

#include "run.h"

LG_BEGIN

/** A view: opaque. */
typedef struct lg_view lg_view;

/** The place of the data in the text of a page, which contains this mark once. */
#define LG_VIEW_MARK "@LIEGRP_VIEW_DATA@"

/** An empty view. `title` is the page's, `summary` (may be NULL) a line below it; both are copied.
 *  - LG_ERROR_ARGUMENT: `view` or `title` is NULL.
 *  - LG_ERROR_MEMORY: out of memory; *view is NULL. */
LG_API LG_MUST_CHECK lg_status lg_view_create(lg_view **view, const char *title, const char *summary);
/** Frees it. NULL is allowed. */
LG_API void lg_view_destroy(lg_view *v);
/** Message of the last failed call; "" if no call has failed. */
LG_API const char *lg_view_message(const lg_view *v);

/** Adds a track with rows of motions of this model, as it is now: lg_model_column_count() numbers each. The model must
 *  outlive the view and keep its parameters until the last row. `label` (copied) tells tracks apart, such as the
 *  method. *track is its number, the first is 0.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL.
 *  - LG_ERROR_MEMORY: out of memory.
 *  - others: those of lg_model_scene(). */
LG_API LG_MUST_CHECK lg_status lg_view_add(lg_view *v, int *track, lg_model *M, const char *label);
/** Says of column i of a track another unit and meaning than the model does; both are copied.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or there is no such track or column.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_view_column(lg_view *v, int track, int i, const char *unit, const char *meaning);
/** The next row of a track; it is copied.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, there is no such track, or the row holds no configuration.
 *  - LG_ERROR_MEMORY: out of memory.
 *  - others: those of lg_model_poses(), and of lg_motion_start(). */
LG_API LG_MUST_CHECK lg_status lg_view_row(lg_view *v, int track, const double *row);
/** Shows with the last row the contacts of the motion that it is of: point, force and friction cone of each that is
 *  closed or nearly so, at most 256. A motion without contacts changes nothing.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, there is no such track, or the motion is not at the time of its last row.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_view_contacts(lg_view *v, int track, const lg_motion *mo);
/** Shows with the last row what else is known of the motion that it is of: its contacts as lg_view_contacts(), of each
 *  body the velocity, the momentum and the angular momentum about its centre of mass, and the force that each joint
 *  exerted on its child during the last step (lg_motion_joint_wrench()). Of a model that is no mechanism's, velocities
 *  are those of the bodies' origins, to 9 digits, and momenta, about the origin, those of the one body that moves with
 *  the configuration, where p~ says what they are. What is not known is not shown.
 *  - LG_ERROR_ARGUMENT, LG_ERROR_MEMORY: as of lg_view_contacts(). */
LG_API LG_MUST_CHECK lg_status lg_view_motion(lg_view *v, int track, const lg_motion *mo);
/** Says what has to be known of a track, such as why it ends early; copied.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or there is no such track.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_view_note(lg_view *v, int track, const char *note);
/** Says where the rows come from, shown under "About this page": the command that makes it, and the provenance
 *  (lg_run_options::read_provenance). Both may be NULL, and are copied.
 *  - LG_ERROR_ARGUMENT: `v` is NULL.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_view_origin(lg_view *v, const char *command, const char *provenance);

/** Adds a chart before the plots of columns, for numbers that are in no row, such as controls with their limits or the
 *  iterations of a solver; texts are copied. `abscissa` "t": the time of the rows, which the page marks there;
 * otherwise what the curves are over. `logarithmic` 1: absolute values on a logarithmic scale. *chart is its number.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_view_chart(lg_view *v, int *chart, const char *title, const char *meaning,
                                             const char *abscissa, int logarithmic);
/** Adds a curve of `count` points (x, y) to a chart, from 1 to a million; they are copied. A value that is not finite
 *  makes a gap. Curves with equal `colour`, a number from 0, look alike but for `dash`: 0 is solid.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, there is no such chart, or a number is out of its range.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_view_curve(lg_view *v, int chart, const char *label, int colour, int dash,
                                             const double *x, const double *y, int64_t count);

/** How many rows of a track the page will have; 0 if there is no such track. */
LG_API int64_t lg_view_row_count(const lg_view *v, int track);
/** The data of the page as JSON, which `web/README.md` describes; they contain no '<'. The text is the view's and
 *  lives until the next call.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_view_json(lg_view *v, const char **text);
/** Writes the page: `page` with the data in place of LG_VIEW_MARK. It appears complete or not at all, as
 *  lg_run_options::output.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or `page` does not hold the mark once.
 *  - LG_ERROR_IO: the file could not be written.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_view_write(lg_view *v, const char *path, const char *page);

LG_END

#endif
