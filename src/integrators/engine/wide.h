/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of instances, and their snapshots: what ensembles (src/run) are built from.
 *
 * Instances of one *structure* (group, callbacks, method, retraction: one plan) differ in numbers: the system's
 * (parameters, inertia, constant rows, the projectors' metric) and the state's. One integrator of the structure serves
 * as a scalar that they use in turn: lg_integrator_adopt() gives it an instance's numbers, lg_snapshot_load() its
 * state. A *snapshot* is the least from which a step continues bit for bit.
 *
 * A *wide workspace* steps `width` (2, 4, 8) instances at once, by the same source as width 1, and gives the same
 * bits. Its step is optimistic: it takes only the ordinary course of a step. If anything else happens in a lane (a
 * callback fails, no convergence in the ordinary number of iterations, an approximate Jacobian must be rebuilt,
 * dependent rows, a number that is not finite), it returns nonzero and changes nothing; then the scalar does the step
 * lane by lane, so that failures, their texts and rare paths exist once, at width 1:
 *
 *     if (lg_wide_step(W, h, t1))
 *         for each lane l {
 *             lg_wide_get(W, l, scalar);
 *             if (lg_step(scalar->workspace, h, t1 + l))
 *                 the instance is retired, with the text of lg_explain(); lg_wide_copy(W, l, a healthy lane)
 *             else
 *                 lg_wide_put(W, l, scalar);
 *         }
 *
 * An idle lane holds a copy of a healthy one. Nothing here allocates except lg_wide_create(); a wide workspace or a
 * scalar is used by one thread at a time. */
#ifndef LG_INTEGRATORS_WIDE_H
#define LG_INTEGRATORS_WIDE_H

#include "integrators/engine/lanes.h"
#include "integrators/integrator.h"

struct lg_stage_task;
struct lg_tangent_task;

/* ---- the scalar: an integrator that instances use in turn ---- */

/* 1 if S is another instance of the integrator's structure: the same group, context, callbacks and counts, and numbers
 * that give the same plan (an inertia that is diagonal, or couples the same factors, if the integrator's does). */
int lg_integrator_fits(const lg_integrator *it, const lg_system *S);
/* Copies the numbers of S, which must fit, into the integrator: inertia, constant rows, projector metric, parameter
 * values. Its state is then undefined until lg_snapshot_load() or a start. On failure (LG_ERROR_SINGULAR, text in *e)
 * the numbers are undefined, too. Numbers that it already has cost only a comparison. */
lg_status lg_integrator_adopt(lg_integrator *it, const lg_system *S, lg_error *e);

/* ---- snapshots (snapshot.c) ---- */

/* Doubles in a snapshot. Explicit steps: g, p^+, p^-, p~, at most twice the size of (g, p). Implicit steps: g, p~ and
 * the solver's history, and, if all fits into eight times the size of (g, p), also the reported numbers: velocity,
 * multipliers, work and evaluations of the last step. Implicit steps of DLA and of other rules whose state is more than
 * p~: all of this. */
size_t lg_snapshot_size(const lg_plan *plan);
/* Saves the state of w, without the time. */
void lg_snapshot_save(const lg_workspace *w, double *snapshot);
/* Puts w into the state of the snapshot at time t and evaluates what depends on (t, g). Reports of the last step become
 * NaN, and 0 iterations, unless the snapshot has them. 0, or nonzero with w->failure set. */
int lg_snapshot_load(lg_workspace *w, double t, const double *snapshot);

/* ---- blocks (wide.c) ---- */

/* 1 if the structure has a wide form; other instances are stepped one by one. Every factor must be R^n, T^n,
 * SO(3), SE(2) or SE(3), and the method one of
 *   gni, variational, with points at the ends, explicit steps (constant metric, no forces, no positions), exp or
 * Cayley; sem with all its options (potentials, metrics J(g), positions, forces, time), but at most three rows where
 * these or the metric depend on g; nsv, smv with a constant metric, without forces, exp or Cayley, and as many rows
 * (smv: any number); composed or not;
 *   gauss with a fixed step (no tolerance). No wide form: dla, sml, gni-r, rattle, baselines, midpoints,
 * user-supplied discrete Lagrangians, generic flows (second kind, truncated series in explicit steps, an inertia
 * that couples factors there), user-supplied groups and quadratic ones. */
int lg_wide_has_form(const lg_integrator *it);
/* *W = room for `width` (2, 4, 8, one that the machine has) instances of the integrator's structure. If the
 * integrator is started, every lane holds its instance. `it` is only read; the group, context and callbacks of its
 * system must stay. LG_ERROR_UNSUPPORTED: no wide form, or no such width; LG_ERROR_MEMORY. *W is NULL then. */
lg_status lg_wide_create(lg_wide **W, const lg_integrator *it, int width);
/* lg_wide_create() inside another block, which is aligned to LG_ALIGN; its numbers are not set yet. */
size_t lg_wide_place_bytes(const lg_plan *plan, int width);
lg_wide *lg_wide_place(void *memory, const lg_plan *plan, const lg_wide_settings *settings, int width);
/* Frees a wide workspace (may be NULL) of lg_wide_create(). */
void lg_wide_destroy(lg_wide *W);
int lg_wide_width(const lg_wide *W);
/* Its size in bytes. */
size_t lg_wide_bytes(const lg_wide *W);

/* Copies the scalar's instance into lane `lane`: numbers and state. The solvers keep the settings of the integrator
 * that was passed to lg_wide_create().
 */
void lg_wide_put(lg_wide *W, int lane, const lg_integrator *scalar);
/* Copies lane `lane` into the scalar: everything that can be read of an integrator, and every later step, is as if it
 * had made the lane's steps alone; except for the scalar's step index, t0, base time and the state of
 * lg_integrator_reset(), which the caller sets. */
void lg_wide_get(const lg_wide *W, int lane, lg_integrator *scalar);
/* Copies lane `from` to lane `to`. */
void lg_wide_copy(lg_wide *W, int to, int from);
/* The lane's state as a snapshot, without a scalar. */
void lg_wide_save(const lg_wide *W, int lane, double *snapshot);

/* lg_integrator_energy() and lg_integrator_constraint_residual() of every lane, without a scalar. Nonzero: a callback
 * failed in one of them. */
int lg_wide_figures(lg_wide *W, double *energy, double *residual);

/* One step of length h of every lane, lane l to time t1[l]. 0; or 1: something was out of the ordinary, and every lane
 * is as it was. */
int lg_wide_step(lg_wide *W, double h, const double *t1);

/* ---- derivatives (tangent.h) ---- */

/* The `width` with which lg_wide_place() gives a workspace of numbers that carry derivatives along directions, all
 * lanes but the last, which has the values. 0: this build or the structure of the integrator has no such form. It needs
 * a fixed step that is not compensated, and neither differences of callbacks nor the system's means; and a wide form,
 * or rule and free step with LG_WIDE_TANGENT. */
int lg_tangent_width(const lg_integrator *it);
/* Its counterpart with second derivatives, for energy-momentum steps of systems whose callbacks, if a step calls any,
 * understand them, with a retraction that is symmetric and so agrees with exp to second order. The lane with the values
 * is the last one. */
int lg_curved_width(const lg_integrator *it);
/* Copies the scalar's constants into the lane, and those of its blocks, but no state. */
void lg_wide_set_numbers(lg_wide *W, int lane, const lg_workspace *scalar);
/* 0; or 1 with *failure set. */
int lg_wide_stage(lg_wide *W, struct lg_tangent_task *task, lg_failure *failure);

/* ---- stages of one step in the lanes (../collocation) ---- */

/* Parameters and controls, and the constants, in every lane. */
void lg_wide_set_values(lg_wide *W, const double *parameters, const double *control);
void lg_wide_set_constants(lg_wide *W, const lg_workspace *scalar);
/* lg_stages_solve(), lg_stages_fields(). 0; or 1 with *failure set. */
int lg_wide_collocate(lg_wide *W, struct lg_stage_task *task, lg_failure *failure);
int lg_wide_fields(lg_wide *W, struct lg_stage_task *task, lg_failure *failure);
/* lg_stages_eliminate(). */
int lg_wide_eliminate(const lg_wide *W, double *A, int n, int stride);

#endif
