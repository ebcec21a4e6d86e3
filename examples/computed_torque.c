/* SPDX-License-Identifier: BSD-3-Clause */
/* Computed torque: the tool of a seven-axis arm goes from pose to pose along a smooth path.
 *
 * Inverse kinematics finds joint positions for the poses; between them the path is q_d(t). The controls are those that
 * the mechanism needs to accelerate by
 *
 *   a = a_d + kd (v_d - v) + kp (q_d - q),
 *
 * so that errors obey e'' + kd e' + kp e = 0, whatever the arm does. Controls are held during a step of 1 ms; a is that
 * of its middle, where the state is predicted from the last a. */
#include <liegrp/liegrp.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 7, POSES = 3, STEPS = 1000 }; /* a second for each move */

static const double h = 1e-3, kp = 2500, kd = 100;

typedef struct robot {
    lg_mechanism *m;
    lg_model *M;
    lg_motion *mo;
    lg_dynamics *d;
    int tool; /* a body */
} robot;

static int create(robot *r)
{
    lg_motion_options how = lg_motion_options_default();
    how.step = h;
    if (lg_gallery_create(&r->m, lg_gallery_index("arm")) != LG_OK) return 1;
    if (lg_model_of_mechanism(&r->M, r->m, "arm") != LG_OK || lg_motion_create(&r->mo, r->M, &how) != LG_OK) return 1;
    r->tool = lg_mechanism_body_count(r->m) - 1;
    return lg_dynamics_create(&r->d, r->m) != LG_OK;
}

static void destroy(robot *r)
{
    lg_dynamics_destroy(r->d);
    lg_motion_destroy(r->mo);
    lg_model_destroy(r->M);
    lg_mechanism_destroy(r->m);
}

/* Joint positions that bring the tool to places around the first one, with its attitude. */
static lg_status plan(robot *r, double q[POSES + 1][N])
{
    static const double move[POSES + 1][3] = {{0, 0, 0}, {-0.1, 0.2, 0.1}, {-0.2, 0, -0.1}, {0, 0, 0}};
    const double bent[N] = {0.2, 0.7, -0.3, 0.9, 0.4, -0.6, 0.1};
    double first[7], pose[7];
    lg_status status = lg_dynamics_set(r->d, bent, NULL);
    if (status == LG_OK) status = lg_dynamics_frame(r->d, first, NULL, r->tool, NULL);
    for (int i = 0; i <= POSES && status == LG_OK; i++) {
        memcpy(pose, first, sizeof pose);
        for (int k = 0; k < 3; k++) pose[k] += move[i][k];
        status = lg_dynamics_reach(r->d, NULL, &r->tool, pose, NULL, NULL, 1);
        if (status == LG_OK) status = lg_dynamics_state(r->d, q[i], NULL);
    }
    return status;
}

/* The path and its derivatives at time t: from rest to rest, with continuous accelerations. */
static void path(double *q, double *v, double *a, double q0[POSES + 1][N], double t)
{
    int i = (int)t;
    if (i >= POSES) i = POSES - 1;
    const double s = t - i, x = s * s * s * (10 + s * (6 * s - 15)), dx = 30 * s * s * (1 - s) * (1 - s),
                 ddx = 60 * s * (1 - s) * (1 - 2 * s);
    for (int k = 0; k < N; k++) {
        const double by = q0[i + 1][k] - q0[i][k];
        q[k] = q0[i][k] + by * x, v[k] = by * dx, a[k] = by * ddx;
    }
}

/* The controls of a step that begins at the motion's state. a: of the last step, then of this. */
static lg_status control(robot *r, double q0[POSES + 1][N], double *a)
{
    double q[N], v[N], qd[N], vd[N], ad[N], u[N];
    lg_status status = lg_motion_positions(r->mo, q, v);
    path(qd, vd, ad, q0, lg_motion_time(r->mo) + h / 2);
    for (int k = 0; k < N; k++) {
        q[k] += h / 2 * (v[k] + h / 4 * a[k]), v[k] += h / 2 * a[k];
        a[k] = ad[k] + kd * (vd[k] - v[k]) + kp * (qd[k] - q[k]);
    }
    if (status == LG_OK) status = lg_dynamics_set(r->d, q, v);
    if (status == LG_OK) status = lg_dynamics_motors(r->d, u, a, 0);
    if (status == LG_OK) status = lg_motion_set_control(r->mo, u);
    return status;
}

/* How far the tool is from its path. */
static lg_status distance(robot *r, double q0[POSES + 1][N], double *off)
{
    double q[N], v[N], a[N], wanted[7], pose[7];
    path(q, v, a, q0, lg_motion_time(r->mo));
    lg_status status = lg_dynamics_set(r->d, q, v);
    if (status == LG_OK) status = lg_dynamics_frame(r->d, wanted, NULL, r->tool, NULL);
    if (status == LG_OK) status = lg_motion_body_pose(r->mo, pose, r->tool);
    *off = status == LG_OK ? hypot(hypot(pose[0] - wanted[0], pose[1] - wanted[1]), pose[2] - wanted[2]) : NAN;
    return status;
}

int main(void)
{
    robot r = {NULL, NULL, NULL, NULL, 0};
    double q0[POSES + 1][N], a[N] = {0}, off, most = 0;
    lg_status status = create(&r) ? LG_ERROR_ARGUMENT : plan(&r, q0);
    if (status == LG_OK) status = lg_motion_start_joints(r.mo, 0, q0[0], NULL, 1);
    for (int i = 0; i < POSES * STEPS && status == LG_OK; i++) {
        status = control(&r, q0, a);
        if (status == LG_OK) status = lg_motion_step(r.mo, 1);
        if (status == LG_OK) status = distance(&r, q0, &off);
        if (status == LG_OK && off > most) most = off;
        if (status == LG_OK && (i + 1) % STEPS == 0)
            printf("pose %d: off by %.1e m now, by %.1e m at most so far\n", (i + 1) / STEPS, off, most);
    }
    if (status != LG_OK) fprintf(stderr, "computed_torque: %s %s\n", lg_dynamics_message(r.d), lg_motion_message(r.mo));
    destroy(&r);
    return status != LG_OK || !(most < 1e-6);
}
