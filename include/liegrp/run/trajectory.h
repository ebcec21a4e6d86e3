/* SPDX-License-Identifier: BSD-3-Clause */
/** @file trajectory.h
 *  A trajectory: N steps of an integrator or of a motion, stored with their derivatives. It gives gradients of any cost
 *  by one sweep backward, sensitivities of its nodes, and Floquet multipliers (docs/theory.md section 14).
 *
 *  Nodes are numbered 0, ..., N; step i leads from node i to node i + 1 with its own controls u_i, which are held in
 *  it. *Deviations* of a node are k numbers:
 *  - of an integrator, or of a motion that has one (lg_motion_integrator()): eta, the left-trivialised variation of the
 *    configuration, g exp(eta), then that of the momentum p which the method carries from step to step
 *  (linearisation.h); k = 2 n.
 *  - of a motion of a mechanism with the sparse step: y on the basis of the node (linearise.h); k =
 *    lg_motion_freedoms(). Joint positions and velocities change by C y, lg_trajectory_basis().
 *
 *  *Inputs*, in this order: the deviation of node 0 (k), the controls step by step (N times c), the length h of all
 *  steps (1), the parameters of the system (P; of a motion of a mechanism those that lg_trajectory_of_parameters() was
 *  given, the same in all steps). Varying h keeps the time
 *  and the p of node 0, the p^- too that lg_integrator_set_step() would change. With `gni` and velocity constraints the
 *  momentum jumps where controls change; that is part of the step that follows, so the momentum of a node is the one
 *  before that jump, and the controls that held before node 0 do not vary.
 *
 *  Each step's derivative is kept as a matrix, k (k + c + 1 + P) numbers (with jumps k c more), so that any number of
 *  gradients and sensitivities follows from one run, without further steps. */
#ifndef LIEGRP_RUN_TRAJECTORY_H
#define LIEGRP_RUN_TRAJECTORY_H

#include "motion.h"

LG_BEGIN

/** A trajectory: opaque. */
typedef struct lg_trajectory lg_trajectory;

/** Takes all memory for trajectories of `steps` steps of `it`, which must outlive it and need not be started. On
 *  failure *tr still holds the message: read it with lg_trajectory_message() and free it with lg_trajectory_destroy().
 *  - LG_ERROR_ARGUMENT: `it` is NULL, or its creation failed; or there are fewer steps than 1, or more than fit.
 *  - LG_ERROR_MEMORY: out of memory; *tr may be NULL. */
LG_API LG_MUST_CHECK lg_status lg_trajectory_create(lg_trajectory **tr, lg_integrator *it, int steps);
/** lg_trajectory_create() for a motion. Errors are those of that function. */
LG_API LG_MUST_CHECK lg_status lg_trajectory_of_motion(lg_trajectory **tr, lg_motion *mo, int steps);
/** lg_trajectory_of_motion() with derivatives with respect to `count` parameters of the mechanism of a motion with the
 *  sparse step, numbered as in multibody/parameters.h. They are those of lg_motion_linearise_parameters(), and this
 *  compiles the mechanisms next to the motion's; after lg_motion_set_parameters() the next run does so. Errors are those
 *  of lg_trajectory_of_motion(), and:
 *  - LG_ERROR_ARGUMENT: `which` is NULL, there is no such parameter, or one is named twice.
 *  - LG_ERROR_UNSUPPORTED: a parameter cannot vary, the mechanism has contacts or activations, or the motion has an
 *    integrator, whose trajectories have all parameters of its system. */
LG_API LG_MUST_CHECK lg_status lg_trajectory_of_parameters(lg_trajectory **tr, lg_motion *mo, int steps,
                                                           const int *which, int count);
/** Frees the object. NULL is allowed. */
LG_API void lg_trajectory_destroy(lg_trajectory *tr);
/** Memory of the object in bytes, everything included. */
LG_API size_t lg_trajectory_bytes(const lg_trajectory *tr);
/** The text of the last error. After a run that succeeded it names the parameters whose derivatives are not known (NaN)
 *  and says why; "" without such parameters. */
LG_API const char *lg_trajectory_message(const lg_trajectory *tr);

/** N, the steps it has memory for; 0 for NULL. */
LG_API int lg_trajectory_steps(const lg_trajectory *tr);
/** k, the numbers of a deviation; 0 for NULL. */
LG_API int lg_trajectory_deviations(const lg_trajectory *tr);
/** c, the controls of a step, of an integrator whose controls were polynomials at the trajectory's creation those at
 *  all nodes (lg_integrator_set_control_nodes()); 0 for NULL. */
LG_API int lg_trajectory_controls(const lg_trajectory *tr);
/** P, the parameters among the inputs; 0 for NULL. */
LG_API int lg_trajectory_parameters(const lg_trajectory *tr);
/** The number of inputs, k + N c + 1 + P; 0 for NULL. */
LG_API int lg_trajectory_inputs(const lg_trajectory *tr);
/** The numbers of a state: of an integrator those of g, then of p; of a mechanism with the sparse step joint positions,
 *  then velocities. 0 for NULL. */
LG_API int lg_trajectory_state_size(const lg_trajectory *tr);

/** Makes N steps from the present state of the integrator or motion, with derivatives, and moves it to node N.
 *  controls: N x c; NULL: those that are set stay. Controls of the last step stay set. A run replaces the one before;
 *  begin again from the same start by lg_integrator_reset(), lg_motion_reset() or another start. The time is that of N
 *  calls of lg_linearisation_step(), or of lg_motion_linearise_along() and lg_motion_step(). Of an integrator nothing
 *  is allocated.
 *
 *  If a step fails the message says at which node; the integrator or motion is there, and nodes up to it, with the
 *  sensitivities of these, stay readable (lg_trajectory_reached()). Errors are those of lg_linearisation_step(),
 *  lg_linearisation_control(), lg_integrator_set_control(), or of lg_motion_linearise_along(), lg_motion_basis(),
 *  lg_motion_step(), and:
 *  - LG_ERROR_ARGUMENT: there are controls and the system has none; the integrator or motion is not started.
 *  - LG_ERROR_NOT_FINITE: a control is not finite. */
LG_API LG_MUST_CHECK lg_status lg_trajectory_run(lg_trajectory *tr, const double *controls);
/** The last node that the last run reached: N after one that succeeded; -1 before the first one. */
LG_API int lg_trajectory_reached(const lg_trajectory *tr);

/** Time and state of a node; each may be NULL. x has lg_trajectory_state_size() numbers.
 *  - LG_ERROR_ARGUMENT: the last run did not reach that node. */
LG_API LG_MUST_CHECK lg_status lg_trajectory_state(const lg_trajectory *tr, double *t, double *x, int node);
/** What deviations of a node mean in joint positions, then velocities: C of lg_motion_basis(), state_size x k.
 *  - LG_ERROR_ARGUMENT: the last run did not reach that node, or C is NULL.
 *  - LG_ERROR_UNSUPPORTED: it is not a motion of a mechanism with the sparse step; deviations are then eta and that of
 *    p. */
LG_API LG_MUST_CHECK lg_status lg_trajectory_basis(const lg_trajectory *tr, double *C, int node);

/** D of lg_motion_linearise_parameters() at a node, state_size x P: if deviations of the node are y and parameters
 *  change by p', joint positions, then velocities, change by C y + D p'. It is 0 but for parameters that move joints,
 *  wheels or centres of mass. A start at given joint positions has then the deviation y of C y = -D p'.
 *  - LG_ERROR_ARGUMENT: the last run did not reach that node, or D is NULL.
 *  - LG_ERROR_UNSUPPORTED: the trajectory is not one of lg_trajectory_of_parameters(). */
LG_API LG_MUST_CHECK lg_status lg_trajectory_offset(const lg_trajectory *tr, double *D, int node);

/** The forward sensitivity of all nodes along one direction: nodes = their deviations, (N + 1) x k, for the inputs
 *  `in`. A derivative that is not known (NaN) counts only where `in` is not 0 there. Nodes that were not reached are
 *  NaN.
 *  - LG_ERROR_ARGUMENT: there was no run, or a pointer is NULL. */
LG_API LG_MUST_CHECK lg_status lg_trajectory_apply(const lg_trajectory *tr, double *nodes, const double *in);
/** The gradient of a cost that depends on the nodes and on the controls, by one sweep backward. `nodes`: the derivative
 *  of the cost with respect to the deviation of each node, (N + 1) x k; of an integrator covectors in body axes. Of a
 *  mechanism C^T times the derivative with respect to joint positions and velocities. `controls`: its direct derivative
 *  with respect to the controls, N x c; NULL: 0. gradient: one number for each input; NaN for parameters whose
 *  derivatives are not known. It must not overlap the others.
 *  - LG_ERROR_ARGUMENT: there was no run, the last one failed, or a pointer is NULL. */
LG_API LG_MUST_CHECK lg_status lg_trajectory_gradient(const lg_trajectory *tr, double *gradient, const double *nodes,
                                                      const double *controls);
/** S = the derivative of the deviation of a node with respect to all inputs, k x inputs, row-major. That of a
 *  covariance P of the inputs is S P S^T. Later controls have columns of zeros.
 *  - LG_ERROR_ARGUMENT: the last run did not reach that node, or S is NULL. */
LG_API LG_MUST_CHECK lg_status lg_trajectory_sensitivity(const lg_trajectory *tr, double *S, int node);
/** M = the derivative of the deviation of node N with respect to that of node 0, k x k, row-major. It is the monodromy
 *  matrix if node N is node 0, or node 0 moved by a symmetry. eta is in body axes and does not see that the whole
 *  configuration is displaced, so of a gait, a *relative* periodic orbit of a system that is invariant on the left, M
 *  is the relative monodromy matrix without further change.
 *  - LG_ERROR_ARGUMENT: there was no run, the last one failed, or M is NULL. */
LG_API LG_MUST_CHECK lg_status lg_trajectory_monodromy(const lg_trajectory *tr, double *M);
/** The eigenvalues of lg_trajectory_monodromy(), the Floquet multipliers of a periodic orbit, k each, the largest
 *  first: real parts in re, imaginary parts in im. Along the orbit one is 1, and with each conserved quantity another.
 *  A mechanism's basis must be the same at both ends, as it is where states are equal or displaced by a translation.
 *  Errors are those of that
 *  function, and:
 *  - LG_ERROR_NOT_FINITE: M is not finite.
 *  - LG_ERROR_CONVERGENCE: LAPACK finds no eigenvalues.
 *  - LG_ERROR_UNSUPPORTED: the library was built without LAPACK. */
LG_API LG_MUST_CHECK lg_status lg_trajectory_multipliers(const lg_trajectory *tr, double *re, double *im);

LG_END

#endif
