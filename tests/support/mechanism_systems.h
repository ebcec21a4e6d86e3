/* SPDX-License-Identifier: BSD-3-Clause */
/** @file mechanism_systems.h
 *  Mechanisms as systems in tests: the dense engine compared with the sparse step. */
#ifndef TESTS_SUPPORT_MECHANISM_SYSTEMS_H
#define TESTS_SUPPORT_MECHANISM_SYSTEMS_H

#include <liegrp/integrators/integrator.h>
#include <liegrp/multibody/system.h>

#include "support/mechanisms.h"

enum { MECHANISM_MOST = 24 /**< bodies */ };

/** Mechanism i of the gallery, compiled; kept = 1: its order is kept. */
lg_mechanism *gallery_mechanism(int i, int kept);
/** Its motion with its step, from its own state but with controls 0.02, 0.04, ... */
lg_motion *gallery_motion(const lg_mechanism *m, int i, const char *method, double h);
/** The controls. */
extern const double gallery_controls[MECHANISM_MOST];
const lg_system *system_of(lg_mechanism *m);
/** Starts a motion of m at a configuration with momenta p of bodies. Statuses of lg_motion_start_state(). */
lg_status motion_start_momentum(lg_motion *mo, lg_mechanism *m, double t0, const double *g, const double *p,
                                int project);
/** Fails the test unless `st` is LG_OK, with the integrator's message. */
void integrator_well(lg_status st, const lg_integrator *it);
/** The integrator of a mechanism's system with Cayley, from the state of a motion. */
lg_integrator *dense_of(lg_mechanism *m, const lg_motion *mo, const char *method, double h);
/** Configurations and momenta of both. */
void mechanism_compare(const lg_motion *mo, const lg_integrator *it, int bodies, double tolerance);
/** `steps` steps of the motion and of `sem:cholesky`, whose balance of energy holds; then compares. */
void mechanism_both_steps(lg_mechanism *m, lg_motion *mo, double h, int steps, double tolerance);
/** The system is valid, and its derivatives at the motion's state, and around it, are those of differences. */
void mechanism_derivatives(lg_mechanism *m, const lg_motion *mo, int points, lg_rng *rng);
/** From the assembled poses with velocities v and controls u (NULL: none), over 0.4 s, sem with steps h and h/2
 *  converges to gauss with order 2, gauss with 2 h and h agrees to `tolerance`, and the balance of energy holds. */
void mechanism_sem_order(const lg_mechanism *m, const double *v, const double *u, double h, double tolerance);
/** A motion from the assembled poses with random velocities. */
lg_motion *motion_started(const lg_mechanism *m, const char *method, double h, lg_rng *rng);

#endif
