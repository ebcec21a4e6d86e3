/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries of an integrator beyond its public interface, for monitors of a run: facts of its system and method, and the
 * residual of the momentum equation (docs/theory.md sections 3, 6 and 7). None of them changes its state. */
#ifndef LG_INTEGRATORS_DIAGNOSTICS_DIAGNOSTICS_H
#define LG_INTEGRATORS_DIAGNOSTICS_DIAGNOSTICS_H

#include <liegrp/integrators/diagnostics.h>
#include <liegrp/integrators/integrator.h>
#include <liegrp/retractions/retraction.h>

#include "base/arena.h"

/* ---- facts.c ---- */

/* The integrator's copy of its system, or NULL before it is made. */
const lg_system *lg_integrator_system(const lg_integrator *it);
/* The arguments of the system's callbacks at *t: its context, its parameters and the controls that are held. */
lg_call lg_integrator_call(const lg_integrator *it, const double *t);
/* 1 if the state is p^-, with a normal part due to velocity rows: the GNI. */
int lg_integrator_has_normal_part(const lg_integrator *it);
/* 1 if lg_diagnostics_parasitic_growth() can find something: a reflection of velocity rows, once a step. */
int lg_integrator_has_parasitic_mode(const lg_integrator *it);
/* The name of what lg_integrator_iterations() counts, see lg_run_result::iterations; NULL: nothing is solved. */
const char *lg_integrator_iterations_name(const lg_integrator *it);

/* The order of the method; 2 for user-supplied slopes. */
int lg_integrator_order(const lg_integrator *it);

/* The properties by which monitors compare integrators. */
typedef struct lg_integrator_kind {
    const lg_group *group;
    const lg_retraction *retraction;
    char method[48];
    int rows, holonomic_count;
} lg_integrator_kind;

lg_integrator_kind lg_integrator_kind_of(const lg_integrator *it);
/* 1 if `it` has started and has these properties. */
int lg_integrator_is_of_kind(const lg_integrator *it, const lg_integrator_kind *kind);

/* ---- momentum_equation.c ---- */

/* The momentum equation of the last step, evaluated from its two ends, independently of the solver. */
typedef struct lg_momentum_equation lg_momentum_equation;

/* The equation of `it`, in the memory of the arena; NULL while the arena measures the size. */
lg_momentum_equation *lg_momentum_equation_take(lg_arena *a, const lg_integrator *it);
/* The relative residual; NaN if this step has no such equation. */
double lg_momentum_equation_residual(lg_momentum_equation *e, const lg_integrator *it);

/* ---- resolution.c ---- */

/* The distance of two configurations: see lg_resolution. */
typedef struct lg_apart {
    double rotation, position;
} lg_apart;

/* Adds the distance of two poses, each a position and a unit quaternion. */
void lg_apart_add(lg_apart *d, const double *a, const double *b);
lg_apart lg_configurations_apart(const lg_group *G, const double *a, const double *b);
/* |xi_a - xi_b| in the kinetic norm, not relative; *speed (may be NULL) = |xi_a|. */
double lg_velocities_apart(const lg_integrator *a, const lg_integrator *b, double *speed);
/* `it` has made one step from the state of `before`, which repeats it as two half steps: the differences are added to
 * *r. Controls of the step are already set. Returns how much of the motion in a step differs in this one. */
double lg_resolution_add(lg_resolution *r, const lg_integrator *it, lg_integrator *before);
/* The parts of that: in how many smaller steps the next sample is to be repeated; the motion in a step, the largest
 * turn of a body in it, and a velocity; what the smaller steps differ by, of which the part of the motion is returned.
 */
int lg_resolution_parts(const lg_resolution *r);
void lg_resolution_move(lg_resolution *r, lg_apart in_step, double turn, double speed);
double lg_resolution_differ(lg_resolution *r, lg_apart d, double velocity);

#endif
