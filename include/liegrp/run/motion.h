/* SPDX-License-Identifier: BSD-3-Clause */
/** @file motion.h
 *  One trajectory of a model by a method: create, start, step, read.
 *
 *  A motion of a definition steps an lg_integrator (lg_motion_integrator()). A motion of a mechanism takes the sparse
 *  step of mechanisms with the methods `sem`, `rattle`, their compositions and `gauss[:stages=S]`, and an lg_integrator
 *  of lg_mechanism_system() with any other method; its columns are those of the mechanism in both cases.
 *  multibody/motion.h reads joints, wheels and bodies of motions of mechanisms.
 *
 *  All memory is taken at creation; a step does not allocate, lock or print, and one that fails leaves the state
 *  unchanged. A motion belongs to one thread at a time. The model must outlive it. */
#ifndef LIEGRP_RUN_MOTION_H
#define LIEGRP_RUN_MOTION_H

#include <stdint.h>

#include "../integrators/event.h"
#include "model.h"

LG_BEGIN

/** A motion: opaque. */
typedef struct lg_motion lg_motion;

/** How a motion steps; start from lg_motion_options_default(). */
typedef struct lg_motion_options {
    size_t size;                         /**< sizeof(lg_motion_options), set by lg_motion_options_default() */
    const char *method;                  /**< NULL, the default: "sem". See lg_integrator_create() for definitions */
    const char *retraction;              /**< NULL, the default: "exp" */
    double step;                         /**< h; negative: back in time; 0, the default: lg_model_default_step() */
    double tolerance;                    /**< 0, the default: steps of h. Else lg_motion_set_tolerance() */
    lg_start start;                      /**< how the GNI starts; default LG_START_REACTION */
    int64_t halvings;                    /**< lg_motion_set_halvings(); default 0 */
    const lg_retraction *own_retraction; /**< a retraction of your own, or a product with one for each factor, instead
                                          * of a name; it must outlive the motion. NULL, the default: by name */
} lg_motion_options;

/** Initialises options of `size` bytes; see lg_motion_options_default(). */
LG_API void lg_motion_options_init(lg_motion_options *options, size_t size);
/** The default options. */
static inline lg_motion_options lg_motion_options_default(void)
{
    lg_motion_options options;
    lg_motion_options_init(&options, sizeof options);
    return options;
}

/** Creates a motion of the model as it is now; options NULL: the default. Parameters that the model gets later do not
 *  change it. On failure *motion still holds the message: read it with lg_motion_message() and free it with
 *  lg_motion_destroy(). Errors are those of lg_model_system() and lg_integrator_create(), and:
 *  - LG_ERROR_ARGUMENT: the model is NULL or its creation failed; the method is unknown; the step is not finite;
 *    options without their size.
 *  - LG_ERROR_UNSUPPORTED: method, retraction, start and model do not fit together: the sparse step of mechanisms has
 *    one start and no retraction, rattle takes neither rolling wheels nor dampers.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_motion_create(lg_motion **motion, lg_model *M, const lg_motion_options *options);
/** Copies the motion. The copy continues independently from the present state, to the bit.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_motion_clone(lg_motion **copy, const lg_motion *mo);
/** Frees it. NULL is allowed. */
LG_API void lg_motion_destroy(lg_motion *mo);
/** Message of the last failed call; "" if no call has failed. Never NULL. */
LG_API const char *lg_motion_message(const lg_motion *mo);
/** The model that it is a motion of. If parameters of a mechanism were set, it is a model with the parameters of the
 *  motion, owned by the model that lg_motion_create() was given; after lg_motion_set_parameters() by the motion. */
LG_API const lg_model *lg_motion_model(const lg_motion *mo);
/** The method's name, "sem". */
LG_API const char *lg_motion_method(const lg_motion *mo);
/** The integrator that makes its steps: p^+, p^-, multipliers, derivatives of a step. It belongs to the motion;
 *  stepping or starting it moves the motion. lg_motion_work() is 0 after a start there, and NaN after a step there
 *  until the next start. NULL: the motion takes the sparse step of mechanisms. */
LG_API lg_integrator *lg_motion_integrator(const lg_motion *mo);

/** Starts at time t0 from a row, lg_model_column_count() numbers, of which configuration, or positions, and velocities
 *  count. NaN: what lg_model_set_initial() has set, or the model's default; `row` NULL: all of it. Of a quaternion that
 *  is given in part the rest is scaled to length 1. With project = 1 everything is projected onto the constraints. With
 *  0 a configuration that is given, by the row or by lg_model_set_initial(), must satisfy them, and so must a velocity;
 *  a velocity that is not given is projected. A call that fails leaves the motion without a state. Errors are those of
 *  lg_model_initial(), lg_integrator_start() and lg_motion_start_joints(). */
LG_API LG_MUST_CHECK lg_status lg_motion_start(lg_motion *mo, double t0, const double *row, int project);
/** Starts a mechanism from named start `key` of its file (lg_mechanism_key_name()), at its time, with its controls.
 * What the file does not give is as lg_motion_start() has it, velocities and controls are 0. project: as there. Errors
 * are those of lg_model_key() and lg_motion_start(). */
LG_API LG_MUST_CHECK lg_status lg_motion_start_key(lg_motion *mo, int key, int project);
/** Starts at (t0, g) with velocity xi: element and algebra vector of the model's group, of a mechanism those of
 *  lg_mechanism_system(). Errors are those of lg_integrator_start(), or of lg_motion_start_poses(). */
LG_API LG_MUST_CHECK lg_status lg_motion_start_state(lg_motion *mo, double t0, const double *g, const double *xi,
                                                     int project);
/** Returns to the state of the last start, with the controls of then.
 *  - LG_ERROR_ARGUMENT: the motion was never started. */
LG_API LG_MUST_CHECK lg_status lg_motion_reset(lg_motion *mo);

/** Sets the controls, constant until they are set again; zero at first. Torque or force of each motor of a
 *  mechanism, the wanted position or velocity of a servo.
 *  - LG_ERROR_ARGUMENT: u is NULL, or the model has no controls.
 *  - LG_ERROR_NOT_FINITE: a control is not finite.
 *  - LG_ERROR_CALLBACK: a callback failed. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_control(lg_motion *mo, const double *u);
/** Sets controls that are polynomials of this degree inside each step of `gauss`, as lg_integrator_set_control_nodes()
 *  does, from now on and until lg_motion_set_control(): (degree + 1) x lg_model_control_count() numbers, the values at
 *  the nodes of lg_control_nodes(), node after node. A new start needs controls that are held.
 *  - LG_ERROR_ARGUMENT: degree is not within 0 and 7, or `gauss` has fewer than degree + 1 stages; u is NULL, or the
 *    model has no controls.
 *  - LG_ERROR_UNSUPPORTED: degree > 0 with another method than `gauss`, with a tolerance or halvings, or of a
 *  mechanism.
 *  - LG_ERROR_NOT_FINITE: a control is not finite. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_control_nodes(lg_motion *mo, int degree, const double *u);
/** The controls that hold now, lg_model_control_count() numbers, of polynomials those at the end of a step; NULL: the
 *  model has none, or the motion was not made. */
LG_API const double *lg_motion_control(const lg_motion *mo);
/** Sets the length h of the steps that follow; negative: back in time. Time continues from the present state, which
 *  stays (lg_integrator_set_step()); steps of a motion of a mechanism are counted from there. lg_motion_reset() keeps
 *  h. With a tolerance it is the interval of states.
 *  - LG_ERROR_ARGUMENT: h is 0 or not finite, or negative for a mechanism with contacts. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_step(lg_motion *mo, double h);
/** Sets `count` parameters to these values: of a mechanism by the numbers of multibody/parameters.h, of a definition by
 *  their places in lg_model_definition::parameters. Parameters of the model stay as they are. A motion that has been
 *  started starts again, at the present time and with the controls of now, from the present configuration and velocity,
 *  of a mechanism joint positions and velocities, projected onto the constraints; lg_motion_reset() comes back to this
 *  state, steps and work count from it. Settings, wrench and impact functions stay. Pointers to its model and
 *  mechanism, such as lg_motion_model() gave, are invalid afterwards. The call allocates, compiles a mechanism, and
 *  takes the time of about a hundred steps. A call that fails leaves the motion as it was.
 *  - LG_ERROR_ARGUMENT: no such parameter, or one is named twice; a pointer is NULL, or count < 1; or the values are
 *    impossible, such as a mass of 0: the message says what would be right.
 *  - LG_ERROR_NOT_FINITE: a value is not finite.
 *  - LG_ERROR_UNSUPPORTED: a mechanism with a dense method; or the system has another structure with these parameters,
 *    so that only lg_motion_create() makes a motion of it.
 *  - LG_ERROR_MEMORY: out of memory.
 *  - others: those of lg_model_system() and of a start. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_parameters(lg_motion *mo, const int *which, const double *values,
                                                        int count);
/** The value of parameter i in the motion; NaN: there is no parameter i. */
LG_API double lg_motion_parameter(const lg_motion *mo, int i);
/** A step that fails is tried again as 2, 4, ... 2^halvings steps. 0: it is not.
 *  - LG_ERROR_ARGUMENT: not from 0 to 30. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_halvings(lg_motion *mo, int halvings);
/** Lets the library find the steps of the method `gauss`, so that one of them is wrong by at most a hundredth of
 *  `tolerance`: of a definition in the measure of lg_integrator_set_tolerance(); of a mechanism positions relative to
 *  its size, quaternions to 1, momenta and spins to the largest so far, or to what forces and joints give bodies in a
 *  step. A motion that does not amplify errors is then about as wrong as the tolerance after a hundred steps. The step
 *  of the options becomes the interval of states: lg_motion_step() advances by that interval, with one step for several
 *  states or several for one. Energy and constraints are exact for any tolerance. At most a million steps are made for
 *  one state: lg_motion_step() returns LG_ERROR_CONVERGENCE where it would take more, and its message gives an h
 *  for which it does not. 0: back to steps of the given length.
 *  - LG_ERROR_UNSUPPORTED: another method, which has steps of the given length only.
 *  - LG_ERROR_ARGUMENT: neither 0 nor from 1e-14, what round-off lets a step keep, to 0.1. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_tolerance(lg_motion *mo, double tolerance);
/** Sets when the solver stops: of an integrator the relative residual (lg_integrator_set_solver()), of the sweeps of a
 *  mechanism's `gauss` their change times its contraction, relative, from 1e-16, the default, to 1e-3. Trajectories of
 *  1e-6 do with 1e-8 and half the sweeps. lg_motion_set_tolerance() sets its own.
 *  - LG_ERROR_UNSUPPORTED: a mechanism's sem or rattle, whose sweeps end at round-off.
 *  - LG_ERROR_ARGUMENT: the value is impossible. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_solver(lg_motion *mo, double tolerance);

/** Makes `steps` steps. Errors leave the state after the last step that succeeded; they are those of
 *  lg_integrator_step(), and:
 *  - LG_ERROR_CONVERGENCE: no solution was found: the step is too large for the motion.
 *  - LG_ERROR_SINGULAR: the mechanism comes to a singular configuration, or passed one: the step's own balance of
 *    energy is violated, a row that was left out as redundant opens, or velocities jump to where those of quarters
 *    of the step do not.
 *  - LG_ERROR_CALLBACK: a callback, or your wrench function, failed.
 *  - LG_ERROR_NOT_FINITE: one of them gave a number that is not finite.
 *  - LG_ERROR_ARGUMENT: the motion has not been started, or `steps` is negative. */
LG_API LG_MUST_CHECK lg_status lg_motion_step(lg_motion *mo, int64_t steps);
/** Makes full steps while they fit, then one that ends at t exactly; no step if the time is already t. Later steps have
 *  the full h, counted from t. Errors are those of lg_motion_step(), and:
 *  - LG_ERROR_ARGUMENT: t is not ahead. */
LG_API LG_MUST_CHECK lg_status lg_motion_run_to(lg_motion *mo, double t);

/** Makes one step, or the part of it up to the event: it is made again with other lengths, so that constraints and the
 *  balance of energy hold at the event as at any node. *found = 1: f rises there, -1: it falls, 0: no event in the
 *  whole step. The state is just beyond the root, later by at most the tolerance, or 1e-6 of a step after the state
 *  before; time counts from there. A zero of f at the state before the step is not an event. Errors are those of
 *  lg_motion_step(), and:
 *  - LG_ERROR_ARGUMENT: `found`, the event or its function is NULL, or its direction or tolerance is impossible.
 *  - LG_ERROR_CALLBACK: the function failed.
 *  - LG_ERROR_NOT_FINITE: f is NaN. */
LG_API LG_MUST_CHECK lg_status lg_motion_step_to_event(lg_motion *mo, int *found, const lg_motion_event *event);

/** The size of a checkpoint of the present state, in bytes; 0: there is no motion, or it is not started. */
LG_API size_t lg_motion_saved_bytes(const lg_motion *mo);
/** Writes a checkpoint of the present state: lg_motion_saved_bytes() bytes, opaque, with a sum. A motion that reads
 *  them continues to the bit as if it had made all steps itself.
 *  - LG_ERROR_ARGUMENT: not started, `bytes` is NULL, or `size` is not lg_motion_saved_bytes().
 *  - LG_ERROR_UNSUPPORTED: controls are polynomials (lg_motion_set_control_nodes()). */
LG_API LG_MUST_CHECK lg_status lg_motion_save(const lg_motion *mo, void *bytes, size_t size);
/** Takes the state of a checkpoint, by a motion of the same model, method and step, whose wrench function is set; it
 *  need not be started. On failure the motion stays what it was, and lg_motion_message() says what is wrong or what
 *  differs.
 *  - LG_ERROR_ARGUMENT: the bytes are no checkpoint, damaged, or of another method, step or model.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_motion_load(lg_motion *mo, const void *bytes, size_t size);

/** The row of the present state: lg_model_column_count() numbers, named by lg_model_column().
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or the motion is not started. */
LG_API LG_MUST_CHECK lg_status lg_motion_row(const lg_motion *mo, double *row);
/** row = the state at the fraction s of the last step, from 0, where it began, to 1, the present state: the step's
 *  number, time, configuration or positions, velocities and controls, lg_model_column_count() numbers. All other
 *  columns are NaN. If the step was halved, s is a fraction of its last part. Angles are next to the present ones.
 *  - A motion of a definition, or of a mechanism with a dense method: as lg_integrator_interpolate(), with an error of
 *    O(h^2); with `gauss` a state of the method.
 *  - The sparse step of mechanisms: centres of mass r(t) and attitudes q(t) = q_0 exp(y(t)), where r and y are the
 *    cubic polynomials with the poses and velocities of both ends. The interpolation adds an error of O(h^4) to poses
 *    and of O(h^3) to velocities; joints are open by as much.
 *
 *  For all other quantities start a second motion there: lg_motion_start(other, row[1], row, 1). The first call may
 *  allocate.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, the motion is not started, s is not in [0, 1], or there is no last step:
 *    before the first one since the start and after one that failed; for the sparse step also in a clone and after
 *    lg_motion_load(), whose bytes do not hold it.
 *  - LG_ERROR_DOMAIN: a body turns by pi in the step.
 *  - LG_ERROR_MEMORY: out of memory.
 *  - others: those of lg_integrator_interpolate(). */
LG_API LG_MUST_CHECK lg_status lg_motion_interpolate(const lg_motion *mo, double *row, double s);
/** The present configuration, velocity and momentum p~ (docs/conventions.md), of a mechanism those of
 *  lg_mechanism_system(); each may be NULL.
 *  - LG_ERROR_ARGUMENT: the motion is not started. */
LG_API LG_MUST_CHECK lg_status lg_motion_state(const lg_motion *mo, double *g, double *xi, double *p);
/** poses = where the bodies of lg_model_scene() are now, LG_POSE_SIZE numbers a body.
 *  - LG_ERROR_ARGUMENT: the motion has not been started, or `poses` is NULL.
 *  - others: those of lg_model_poses(). */
LG_API LG_MUST_CHECK lg_status lg_motion_poses(const lg_motion *mo, double *poses);
/** Time, t0 + k h. */
LG_API double lg_motion_time(const lg_motion *mo);
/** k, the number of steps since the start, or since an event. */
LG_API int64_t lg_motion_step_index(const lg_motion *mo);
/** The step h. */
LG_API double lg_motion_step_size(const lg_motion *mo);
/** H = T + V at p~, in joules. */
LG_API double lg_motion_energy(const lg_motion *mo);
/** The work since the start of everything that H does not contain: motors, drives, dampers, forces, drift, moving
 *  ground, your wrenches, a potential that depends on time. NaN where the method does not know it
 *  (lg_integrator_step_work()). */
LG_API double lg_motion_work(const lg_motion *mo);
/** What changed H since the start, by kinds, in joules; start from lg_account_default().
 *
 *      H - H_0 = motors + drives + servos + dampers + ground + wrench
 *                - friction - landing - impact_normal - impact_friction - node
 *
 *  The first six are positive where H gains, the last five where it loses. Their sum is lg_motion_work() but for
 *  round-off, and H_0 the energy after the start: the projection of a start is in no term. Kinds that the motion does
 *  not have are 0. */
typedef struct lg_account {
    size_t size;            /**< sizeof(lg_account), set by lg_account_default() */
    double motors;          /**< forces and torques of motors without gains, limited ones too, and thrusters */
    double drives;          /**< the sum of the drives' work, lg_motion_drive() */
    double servos;          /**< motors with a position or velocity gain; their springs have no potential */
    double dampers;         /**< dampers of joints, springs and tendons: negative */
    double ground;          /**< the ground that moves below wheels. Of a dense method: drift, moving constraints and a
                             *   potential that depends on time */
    double wrench;          /**< the wrench function. Of a dense method: all forces of the system, those of a
                             *   mechanism's motors, servos and dampers included */
    double friction;        /**< what dry friction of joints takes */
    double landing;         /**< reserved for contacts: what landings slower than an impact take; 0 */
    double impact_normal;   /**< what impacts take along joints and normals: of lg_motion_continue() the kinetic energy,
                             *   less the next number and what the ground does */
    double impact_friction; /**< what impacts take where wheels and skates begin to roll */
    double node;            /**< what projections take: of lg_motion_continue() the potential energy, where its
                             *   projection of the poses, or other springs, change it */
} lg_account;
/** Initialises an account of `size` bytes; see lg_account_default(). */
LG_API void lg_account_init(lg_account *account, size_t size);
/** An account of zeros. */
static inline lg_account lg_account_default(void)
{
    lg_account account;
    lg_account_init(&account, sizeof account);
    return account;
}
/** *account = that of the motion. What holds of H - H_0 less its sum:
 *  - `sem` and its compositions: round-off in every step.
 *  - `gauss`: the quadrature of order 2S of what does work, and nothing more; 0 where nothing does work.
 *  - `rattle`: the change of H itself, which is bounded but not 0.
 *  - a dense method: NaN where lg_motion_work() is.
 *
 *  Errors:
 *  - LG_ERROR_ARGUMENT: not started, `account` is NULL, or its size is not set. */
LG_API LG_MUST_CHECK lg_status lg_motion_account(const lg_motion *mo, lg_account *account);
/** The largest |phi|: how far joints, wheels, gears and holonomic constraints are open, redundant rows included. */
LG_API double lg_motion_gap(const lg_motion *mo);
/** The largest |A (xi - Y)| over all rows, redundant ones included. */
LG_API double lg_motion_slip(const lg_motion *mo);
/** Sweeps, Newton iterations or residual evaluations of the last step. */
LG_API int lg_motion_iterations(const lg_motion *mo);
/** The tolerance, 0 without. */
LG_API double lg_motion_tolerance(const lg_motion *mo);
/** The length of the last step that was found for it; NaN before the first one and without a tolerance. */
LG_API double lg_motion_found_step(const lg_motion *mo);
/** The error that is estimated for that step, in the measure of lg_motion_set_tolerance(); NaN before the
 *  first step and without a tolerance. */
LG_API double lg_motion_step_error(const lg_motion *mo);
/** A sentence on what the projection at the last start changed by more than rounding: "projection moved body 'cart'
 *  by 4.9 m" or "projection changed the velocity of body 'rod' by 2 m/s"; NULL: nothing by more than 1e-4 of the
 *  mechanism's size, of its velocities, or 1e-4 rad, or the model is one of a definition. */
LG_API const char *lg_motion_remark(const lg_motion *mo);

LG_END

#endif
