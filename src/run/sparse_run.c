/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs ask of the sparse engine. For the accuracy of a run configurations are the poses of all bodies, and
 * velocities are compared in the kinetic norm. */
#include <math.h>
#include <stdlib.h>

#include <liegrp/groups/so3.h>
#include <liegrp/run/run.h>

#include "base/dense.h"
#include "groups/rotation.h"
#include "multibody/motion.h"
#include "run/engine.h"
#include "run/model_private.h"
#include "run/motion_columns.h"

/* Round-off of a few steps, relative to a turn of 1 rad and to the mechanism's size. */
#define ROUNDING 1e-13
#define SOLVED   1e-11 /* what impulses of contacts are solved to leaves in poses */

static int bodies_of(const mb_sparse *mo)
{
    return lg_mechanism_body_count(mo->mechanism);
}

/* Comparisons ----------------------------------------------------------------------------------------------------- */

/* |x|^2 of a body's twist x in space. */
static double square_of(const mb_sparse *mo, int body, const double *x)
{
    const lg_body *b = MB_BODY(mo->mechanism, body);
    const double *I = b->inertia;
    double pose[7], R[9], w[3] = {0, 0, 0};
    lg_status_ignore(lg_motion_body_pose(&mo->head, pose, body));
    lg_so3_to_matrix(R, pose + 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) w[i] += R[3 * k + i] * x[3 + k];
    return b->mass * lg_dot(x, x, 3) + I[0] * w[0] * w[0] + I[1] * w[1] * w[1] + I[2] * w[2] * w[2] +
           2 * (I[3] * w[0] * w[1] + I[4] * w[0] * w[2] + I[5] * w[1] * w[2]);
}

/* |velocity of a - that of b|, without what is round-off; b may be NULL. */
static double speed_of(const mb_sparse *a, const mb_sparse *b)
{
    const double jitter = ROUNDING * a->mechanism->plan.reach / a->h;
    double sum = 0, least = 0;
    for (int i = 0; i < bodies_of(a); i++) {
        double x[6], y[6] = {0, 0, 0, 0, 0, 0};
        lg_status_ignore(lg_motion_body_twist(&a->head, x, i));
        if (b != NULL) lg_status_ignore(lg_motion_body_twist(&b->head, y, i));
        for (int k = 0; k < 6; k++) x[k] -= y[k];
        sum += square_of(a, i, x);
        least += MB_BODY(a->mechanism, i)->mass * jitter * jitter;
    }
    return sum > least ? sqrt(sum) : 0;
}

/* The motion in a step from `before` to `it`: what has moved, or would have with the velocity at its end. */
static void add_motion(lg_resolution *r, const mb_sparse *it, const mb_sparse *before)
{
    const double h = fabs(it->h);
    lg_apart moved = {0, 0}, rate = {0, 0};
    double turn = 0;
    for (int b = 0; b < bodies_of(it); b++) {
        double a[7], c[7], x[6];
        lg_status_ignore(lg_motion_body_pose(&before->head, a, b));
        lg_status_ignore(lg_motion_body_pose(&it->head, c, b));
        lg_status_ignore(lg_motion_body_twist(&it->head, x, b));
        lg_apart_add(&moved, a, c);
        rate.position = hypot(rate.position, lg_length(x, 3));
        rate.rotation = hypot(rate.rotation, lg_length(x + 3, 3));
        turn = fmax(turn, lg_length(x + 3, 3));
    }
    const lg_apart in_step = {fmax(moved.rotation, h * rate.rotation), fmax(moved.position, h * rate.position)};
    lg_resolution_move(r, in_step, h * turn, speed_of(before, NULL));
    lg_resolution_move(r, in_step, h * turn, speed_of(it, NULL));
}

/* The difference of all poses, without what is round-off: of turns, and of positions in the mechanism's size and where
 * it is. */
static lg_apart poses_apart(const mb_sparse *it, const mb_sparse *other)
{
    lg_apart d = {0, 0};
    double scale = it->mechanism->plan.reach;
    for (int b = 0; b < bodies_of(it); b++) {
        double x[7], y[7];
        lg_status_ignore(lg_motion_body_pose(&it->head, x, b));
        lg_status_ignore(lg_motion_body_pose(&other->head, y, b));
        lg_apart_add(&d, x, y);
        scale = fmax(scale, lg_length(x, 3));
    }
    const double rounding = lg_motion_contact_count(&it->head) > 0 ? SOLVED : ROUNDING;
    if (d.rotation <= rounding) d.rotation = 0;
    if (d.position <= rounding * scale) d.position = 0;
    return d;
}

static const char *sparse_iterations_name(const lg_motion *mo)
{
    (void)mo;
    return "sweeps";
}

static int sparse_order(const lg_motion *mo)
{
    if (mo->bodies->collocation_stages > 0) return 2 * mo->bodies->collocation_stages;
    return mo->bodies->composition != NULL ? mo->bodies->composition->order : 2;
}

static void sparse_set_pause(lg_motion *mo, lg_pause pause)
{
    mb_set_pause(mo->bodies, pause);
}

static void sparse_watch(lg_motion *mo, int first)
{
    if (first)
        mb_forget_normals(mo->bodies);
    else
        mb_watch_normals(mo->bodies);
}

static void sparse_conclude(const lg_motion *mo, lg_run_result *result)
{
    double force, time;
    result->lift_time = mo->bodies->lift_time;
    for (int i = 0; lg_motion_wheel_normal(mo, &force, &time, i) == LG_OK; i++)
        if (force < result->wheel_force || (result->wheel < 0 && !isnan(force)))
            result->wheel = i, result->wheel_force = force, result->wheel_force_time = time;
}

/* All numbers of its parts, and the state that it starts from. */
static void sparse_origin(lg_provenance *p, const lg_motion *motion)
{
    const mb_sparse *mo = motion->bodies;
    const lg_motion_columns *c = motion->model->bodies;
    double *row = malloc((size_t)lg_motion_columns_count(c) * sizeof *row);
    lg_json_open(&p->json, "parameters", '{');
    mb_list_parameters(mo->mechanism, &p->json);
    lg_json_close(&p->json, '}');
    lg_json_open(&p->json, "initial", '{');
    if (row == NULL || lg_motion_row(motion, row) != LG_OK)
        p->json.failed = 1;
    else
        for (int i = 0; i < lg_motion_columns_count(c); i++)
            if (lg_motion_columns_is_initial(c, i) || lg_model_column(motion->model, i)->kind == LG_COLUMN_CONTROL)
                lg_json_number(&p->json, lg_motion_columns_names(c)[i], row[i]);
    lg_json_close(&p->json, '}');
    free(row);
    lg_provenance_text(p, "method", lg_motion_method(motion));
    lg_json_number(&p->json, "from", mo->t);
    lg_json_whole(&p->json, "halvings", mo->halvings);
    lg_json_text(&p->json, "wrenches", mo->wrench != NULL ? "given" : "none");
}

static size_t sparse_size(const lg_motion *mo)
{
    return 7 * (size_t)bodies_of(mo->bodies);
}

static void sparse_configuration(double *g, const lg_motion *mo)
{
    mb_sparse_poses(mo->bodies, g);
}

static lg_apart sparse_apart(const lg_motion *mo, const double *a, const double *b)
{
    lg_apart d = {0, 0};
    for (int i = 0; i < bodies_of(mo->bodies); i++) lg_apart_add(&d, a + 7 * i, b + 7 * i);
    return d;
}

static double sparse_velocities(const lg_motion *a, const lg_motion *b, double *speed)
{
    *speed = speed_of(a->bodies, NULL);
    return speed_of(a->bodies, b->bodies);
}

static double sparse_repeat(lg_resolution *r, const lg_motion *of, lg_motion *from)
{
    const mb_sparse *it = of->bodies;
    mb_sparse *before = from->bodies;
    const int parts = lg_resolution_parts(r);
    add_motion(r, it, before);
    r->samples++;
    before->h = it->h / parts;
    const lg_status st = mb_sparse_step(before, parts);
    before->h = it->h;
    if (st != LG_OK) {
        r->failed++;
        return INFINITY;
    }
    return lg_resolution_differ(r, poses_apart(it, before), speed_of(it, before));
}

/* As far as numbers go: below what may be asked for, round-off is all that is left. */
static void sparse_tighten(lg_motion *mo)
{
    mb_adaptive_set(mo->bodies->adaptive, fmax(1e-3 * mb_sparse_tolerance(mo->bodies), 1e-16));
}

const lg_run_engine lg_run_engine_sparse = {
    .iterations_name = sparse_iterations_name,
    .order = sparse_order,
    .set_pause = sparse_set_pause,
    .watch = sparse_watch,
    .conclude = sparse_conclude,
    .origin = sparse_origin,
    .size = sparse_size,
    .configuration = sparse_configuration,
    .apart = sparse_apart,
    .velocities = sparse_velocities,
    .repeat = sparse_repeat,
    .tighten = sparse_tighten,
};
