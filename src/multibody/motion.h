/* SPDX-License-Identifier: BSD-3-Clause */
/* The sparse engine: a motion of a mechanism (run/sparse.c makes it an lg_engine). */
#ifndef LG_MULTIBODY_MOTION_H
#define LG_MULTIBODY_MOTION_H

#include <liegrp/multibody/contact.h>

#include "base/motion_head.h"
#include "integrators/engine/plan.h"
#include "multibody/choice.h"
#include "multibody/adaptive.h"
#include "multibody/mechanism.h"
#include "multibody/step.h"

/* A frame moving in space: a body's centre of mass and axes, its velocity, its angular velocity in space. */
typedef struct mb_frame {
    double r[3], R[9], v[3], w[3];
} mb_frame;

static const mb_frame mb_world = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, {0, 0, 0}};

/* A state to come back to. */
typedef struct mb_saved {
    mb_pose *pose;
    mb_pair *p;
    double *q, *motor_work, *control, *act;
    double *reaction; /* of the sub-steps so far, as in mb_motion */
    double *impulse;  /* of contacts, as mb_contacts_save() leaves it (contact/landing.h) */
    double t, work;
} mb_saved;

typedef struct mb_islands mb_islands;
typedef struct mb_sparse mb_sparse;
struct mb_variation;
struct mb_sparse {
    lg_motion head;
    const lg_mechanism *mechanism;
    const lg_composition *composition;
    int collocation_stages; /* of gauss; 0: another method */
    mb_adaptive *adaptive;  /* of a tolerance; NULL: another method */
    mb_plan plan;           /* the mechanism's, but for the rows of mb_choice */
    mb_choice choice;
    double h, t0, t;
    int64_t count; /* steps since the start */
    int started, halvings;
    int stepped; /* 1: a step was made since the start */
    int changes; /* how often its parameters were set */
    mb_motion numbers;
    mb_motion finer;   /* repeats doubtful steps in quarters; only if the plan closes loops */
    mb_saved first;    /* the start, for mb_sparse_reset() */
    mb_saved saved[4]; /* before the step that is tried, before all its parts, before it is cut at an event, and before a
                        * part of it in which something lands */
    double *multiplier;
    double *normal, *normal_least, *normal_time; /* forces: in the last step, the least in a run and when */
    double whole;                                /* the step of which that is tried is a part */
    double lift_time;                            /* when one was negative first */
    char remark[320];                            /* what the projection at the start moved; "": nothing but rounding */
    double work, *motor_work;
    double step_work; /* of the last step, by the account */
    double scale;     /* of the energies' terms since the start */
    double pivot;     /* the smallest at the start */
    int unfit;        /* 1 + the body whose wrench from the caller's function is not finite */
    double jumped;    /* 1: a step was refused because its velocities jumped */
    mb_frame *frame;
    lg_wrench_fn wrench;
    void *context;
    lg_impact_fn impact; /* of the caller's, and room for what it is told; NULL: none */
    void *impact_context;
    lg_impact *impacts;
    double *poses, *twists, *wrenches;
    int positions, *position_of_joint, *position_of_body;
    char method[48];
    size_t bytes;                 /* of all its memory */
    char *renewed;                /* memory of its arrays, if they are not behind this struct */
    mb_islands *islands;          /* NULL: more than contacts couples its bodies (contact/islands.h) */
    mb_sparse *inside;            /* shows a state inside the last step; NULL: none was asked for yet */
    struct lg_dynamics *observer; /* of sensors (sensors.h); likewise */
};

/* The bodies of a motion at its present state; NULL: it is not a motion of a mechanism. */
#define mb_of(motion) ((motion) != NULL ? lg_motion_seen(motion)->bodies : NULL)

/* ---- what run/sparse.c makes an engine of; statuses and messages are those of the public functions ---- */

lg_status mb_sparse_create(mb_sparse **motion, const lg_mechanism *mechanism, const char *method, double h);
void mb_sparse_destroy(mb_sparse *mo);
/* It becomes a motion of another mechanism, with its method and step, not started and without any other setting.
 * LG_ERROR_MEMORY: out of memory; it is as it was. */
lg_status mb_sparse_renew(mb_sparse *mo, const lg_mechanism *mechanism);
lg_status mb_sparse_start(mb_sparse *mo, double t0, const double *positions, const double *velocities, int project);
lg_status mb_sparse_start_poses(mb_sparse *mo, double t0, const double *poses, const double *twists, int project);
/* From a configuration and a velocity of lg_mechanism_system(). */
lg_status mb_sparse_start_state(mb_sparse *mo, double t0, const double *g, const double *xi, int project);
/* It shows a state of that system, on the constraints or not; the next step would need a start. */
void mb_sparse_show(mb_sparse *mo, double t, const double *g, const double *p);
/* By its velocity. */
void mb_sparse_show_velocity(mb_sparse *mo, double t, const double *g, const double *xi);
/* The state at the fraction s of the last step. LG_ERROR_ARGUMENT: there is none. LG_ERROR_DOMAIN: a body turned by
 * pi. */
lg_status mb_sparse_interpolate(const mb_sparse *mo, double *t, double *g, double *xi, double s);
/* The last step is not known any more: the state came from somewhere else. */
static inline void mb_lose_step(mb_sparse *mo)
{
    mo->saved[0].t = NAN;
}
/* The present state becomes the one that mb_sparse_reset() goes back to. */
lg_status mb_sparse_remember(mb_sparse *mo);
lg_status mb_sparse_reset(mb_sparse *mo);
/* These, and the momentum; each may be NULL. */
lg_status mb_sparse_state(const mb_sparse *mo, double *g, double *xi, double *p);
lg_status mb_sparse_step(mb_sparse *mo, int64_t steps);
lg_status mb_sparse_continue(mb_sparse *mo, double *lost, const mb_sparse *from);
lg_status mb_sparse_set_wrench(mb_sparse *mo, lg_wrench_fn wrench, void *context);
lg_status mb_sparse_linearise(mb_sparse *mo, double *A, double *B, double *C, const double *spin, int steps,
                              const char *who);
/* Statuses and messages are those of the public functions lg_motion_... */
lg_status mb_sparse_linearise_along(mb_sparse *mo, double *A, double *B, double *h);
lg_status mb_sparse_linearise_parameters(mb_sparse *mo, double *P, double *D, const int *which, int count);
/* And, if v is not NULL, D of lg_motion_linearise_parameters() for its parameters. */
lg_status mb_sparse_basis(mb_sparse *mo, double *C, const struct mb_variation *v, double *D);
lg_status mb_sparse_set_control(mb_sparse *mo, const double *u);
lg_status mb_sparse_set_step(mb_sparse *mo, double h);
lg_status mb_sparse_set_halvings(mb_sparse *mo, int halvings);
lg_status mb_sparse_set_tolerance(mb_sparse *mo, double tolerance);
lg_status mb_sparse_set_solver(mb_sparse *mo, double tolerance);
double mb_sparse_tolerance(const mb_sparse *mo);
double mb_sparse_found_step(const mb_sparse *mo);
double mb_sparse_step_error(const mb_sparse *mo);
const char *mb_sparse_remark(const mb_sparse *mo);
double mb_sparse_time(const mb_sparse *mo);
double mb_sparse_energy(const mb_sparse *mo);
double mb_sparse_gap(const mb_sparse *mo);
double mb_sparse_slip(const mb_sparse *mo);
int mb_sparse_iterations(const mb_sparse *mo);

/* Adds `count` works from number `first` on, and their sum, to the totals. */
void mb_add_works(mb_sparse *mo, double sum, const double *work, int first, int count);
/* The account since the start, LG_WORKS numbers, and their sum. */
static inline const double *mb_account(const mb_sparse *mo)
{
    return &mo->motor_work[mb_kind_at(&mo->plan, 0)];
}

static inline double mb_account_sum(const mb_sparse *mo)
{
    double sum = 0;
    for (int i = 0; i < LG_WORKS; i++) sum += mb_account(mo)[i];
    return sum;
}

/* The present node. */
static inline const mb_node *mb_now(const mb_sparse *mo)
{
    return &mo->numbers.node[mo->numbers.now];
}

/* Is this a name of collocation? */
int mb_method_is_gauss(const char *method);

/* Sub-steps of a step. */
static inline int mb_stages(const mb_sparse *mo)
{
    return mo->composition != NULL ? mo->composition->stages : 1;
}

/* The length of sub-step `stage` of a step of h. */
double mb_stage_step(const mb_sparse *mo, double h, int stage);

/* 1: steps are found for a tolerance. */
static inline int mb_is_adaptive(const mb_sparse *mo)
{
    return mo->adaptive != NULL && mo->adaptive->step_size.tolerance > 0;
}

/* The last row was refused: it is too many of them away. */
static inline int mb_is_far(const mb_sparse *mo)
{
    return mb_is_adaptive(mo) && mo->adaptive->end == LG_SUBSTEP_TOO_MANY;
}

/* lg_pause stopped the way to it; the state is as it was, and the next call continues from there. */
static inline int mb_is_stopped(const mb_sparse *mo)
{
    return mb_is_adaptive(mo) && mo->adaptive->end == LG_SUBSTEP_STOPPED;
}

static inline void mb_set_pause(mb_sparse *mo, lg_pause pause)
{
    if (mo->adaptive != NULL) mo->adaptive->pause = pause;
}

/* Forgets the steps before, from which the next would be guessed. */
static inline void mb_forget(mb_sparse *mo)
{
    for (int i = 0; i < mb_stages(mo); i++) mo->numbers.history[i].known = mo->numbers.history[i].stiff = 0;
    if (mo->numbers.collocation != NULL)
        mb_collocation_forget(mo->numbers.collocation), mb_adaptive_forget(mo->adaptive);
}

/* scene.c: poses of all bodies, LG_POSE_SIZE numbers each. */
void mb_sparse_poses(const mb_sparse *mo, double *poses);

/* check.c: why a leader is nowhere; who asks is named in the message. */
lg_status mb_explain_stray(mb_sparse *mo, const mb_stray *why, const char *who);
/* check.c: the smallest pivot of the factor at a node, relative to its row's length in the metric. */
double mb_smallest_pivot(const mb_sparse *mo, const mb_node *n);
/* Why a step of h did not succeed. */
lg_status mb_explain(mb_sparse *mo, double h);
/* Whether the step of h that was made is one. */
lg_status mb_check_step(mb_sparse *mo, double h);

/* A step of any length, halved if need be. On failure the state is as it was. */
lg_status mb_advance(mb_sparse *mo, double h);
/* A part of a step, with other rows if need be. On failure the state is as it was. */
lg_status mb_advance_part(mb_sparse *mo, double h);
void mb_save(const mb_sparse *mo, mb_saved *to);
void mb_saved_carve(mb_saved *saved, lg_arena *a, const mb_plan *plan);
void mb_restore(mb_sparse *mo, const mb_saved *from);
/* start.c: the rows that were kept at assembly, or others where these depend on each other. */
void mb_choose_rows(mb_sparse *mo);
/* start.c: starts from the frames; angles are on the branches of the positions. */
lg_status mb_start(mb_sparse *mo, double t0, const double *positions, int project);

/* acceleration.c: accelerations a of all bodies (6 each), which move with xi, under the forces numbers.wrench. The
 * node's rows are factored, numbers.twist is xi with the world's; x: two numbers a row. */
void mb_accelerate(mb_sparse *c, double *a, const double *xi, double *x);
/* activation.c: control i of a motion has the activation of control `other` of another one, -1: none, at the present
 * time. */
void mb_activation_take(mb_sparse *mo, int i, const mb_sparse *from, int other);
/* Its activations become those at time t of a step that began with a state. */
void mb_show_activations(mb_sparse *mo, double t, const mb_saved *from);
/* All controls and activations of a motion of the mechanism. */
void mb_copy_controls(mb_sparse *mo, const mb_sparse *from);
/* The activation of a control at the present time; an error names who asks. */
lg_status mb_set_activation(mb_sparse *mo, int control, double activation, const char *who);
/* acceleration.c: f += the wrenches of the caller's function at node 0, whose bodies move with xi; what it returned. */
int mb_add_wrenches(mb_sparse *c, mb_pair *f, const double *xi);
/* reading.c: takes the normal forces of the last step into account, or forgets those of a run. */
void mb_watch_normals(mb_sparse *mo);
void mb_forget_normals(mb_sparse *mo);
/* The force of part i of this kind, and its least normal force, as the public functions of wheels read them. */
lg_status mb_read_force(const lg_motion *motion, double *force, int part, int i);
lg_status mb_read_normal(const lg_motion *motion, double *force, double *time, int part, int i);

/* reading.c: the largest |phi| or |A xi - drift| over all rows, those left out too, and whose it is. */
double mb_residual(const mb_sparse *mo, int velocities, const mb_block **where);

/* start.c: the poses of mo->frame become those of the node, angles on the branches of the positions; then the twists.
 */
lg_status mb_load_frames(mb_sparse *mo, const double *positions);
void mb_load_twists(mb_sparse *mo);
/* state.c: the frame of a body at the present node; frames of all bodies from joint positions and velocities, either
 * NULL for zeros. */
mb_frame mb_frame_of(const mb_sparse *mo, int b);
void mb_frames_from_positions(const mb_sparse *mo, mb_frame *frame, const double *positions, const double *velocities);

#endif
