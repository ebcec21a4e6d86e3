/* SPDX-License-Identifier: BSD-3-Clause */
/* A robot from a file holds a pose, says what a motion takes, and follows a
 * path. */
#include <liegrp/liegrp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 7, STEPS = 1000 };

typedef struct robot {
    lg_mechanism *m;
    lg_model *M;
    lg_motion *mo;
    lg_dynamics *ask;
    int tool;
} robot;

static lg_status create(robot *r)
{
    lg_motion_options how = lg_motion_options_default();
    how.step = 1e-3;
    lg_status st = lg_mechanism_read(&r->m, "examples/robots/arm.urdf", NULL);
    if (st == LG_OK) st = lg_mechanism_compile(r->m);
    if (st == LG_OK) st = lg_dynamics_create(&r->ask, r->m);
    if (st == LG_OK) st = lg_model_of_mechanism(&r->M, r->m, "arm");
    if (st == LG_OK) st = lg_motion_create(&r->mo, r->M, &how);
    r->tool = lg_mechanism_body(r->m, "link7");
    return st;
}

/* The torques with which the arm at q with velocities v accelerates by a. */
static lg_status torques(robot *r, double *u, const double *q, const double *v,
                         const double *a)
{
    lg_status st = lg_dynamics_set(r->ask, q, v);
    return st == LG_OK ? lg_dynamics_motors(r->ask, u, a, 0) : st;
}

static const double rest[N];
static const double pose[N] = {0.2, 0.7, -0.3, 0.9, 0.4, -0.6, 0.1};

/* The torques that hold a pose, and those that move from it with axis2
 * at 1 rad/s^2. */
static lg_status hold(robot *r)
{
    const double forth[N] = {0, 1};
    double u[N], start[N], q[N], moved = 0;
    lg_status st = torques(r, u, pose, rest, rest);
    if (st == LG_OK) st = torques(r, start, pose, rest, forth);
    if (st == LG_OK)
        printf("axis2: %.3f N m hold the pose, %.3f N m move it\n", u[1],
               start[1]);
    if (st == LG_OK) st = lg_motion_start_joints(r->mo, 0, pose, NULL, 0);
    if (st == LG_OK) st = lg_motion_set_control(r->mo, u);
    if (st == LG_OK) st = lg_motion_step(r->mo, 1000);
    if (st == LG_OK) st = lg_motion_positions(r->mo, q, NULL);
    for (int k = 0; k < N && st == LG_OK; k++)
        moved = fmax(moved, fabs(q[k] - pose[k]));
    if (st == LG_OK)
        printf("held for a second to 1e-6 rad: %s\n",
               moved < 1e-6 ? "yes" : "no");
    return st;
}

/* Where the joints have to be for a tool that is 0.2 m further along y. */
static lg_status reach(robot *r, double *goal, double *there)
{
    double off[2];
    lg_status st = lg_dynamics_set(r->ask, pose, NULL);
    if (st == LG_OK) st = lg_dynamics_frame(r->ask, there, NULL, r->tool, NULL);
    there[1] += 0.2;
    if (st == LG_OK)
        st = lg_dynamics_reach(r->ask, off, &r->tool, there, NULL, NULL, 1);
    if (st == LG_OK) st = lg_dynamics_state(r->ask, goal, NULL);
    if (st == LG_OK)
        printf("the tool reaches the place: %s\n",
               fmax(off[0], off[1]) < 1e-9 ? "yes" : "no");
    return st;
}

/* A step of the way there, from rest to rest: what it takes, and a
 * correction of what is missed. */
static lg_status follow(robot *r, const double *goal, double s)
{
    double q[N], v[N], a[N], u[N];
    lg_status st = lg_motion_positions(r->mo, q, v);
    for (int k = 0; k < N && st == LG_OK; k++) {
        const double way = goal[k] - pose[k], t = 1 - s;
        const double x = pose[k] + way * s * s * s * (10 - 15 * s + 6 * s * s);
        const double dx = way * 30 * s * s * t * t;
        a[k] = way * 60 * s * t * (t - s) + 40 * (dx - v[k]) + 400 * (x - q[k]);
    }
    if (st == LG_OK) st = torques(r, u, q, v, a);
    if (st == LG_OK) st = lg_motion_set_control(r->mo, u);
    return st == LG_OK ? lg_motion_step(r->mo, 1) : st;
}

int main(void)
{
    robot r = {0};
    double goal[N], there[7], at[7];
    lg_status st = create(&r);
    if (st == LG_OK) st = hold(&r);
    if (st == LG_OK) st = reach(&r, goal, there);
    if (st == LG_OK) st = lg_motion_start_joints(r.mo, 0, pose, NULL, 0);
    for (int i = 0; i < STEPS && st == LG_OK; i++)
        st = follow(&r, goal, (i + 0.5) / STEPS);
    if (st == LG_OK) st = lg_motion_body_pose(r.mo, at, r.tool);
    if (st == LG_OK)
        printf("the tool arrives to a millimetre: %s\n",
               hypot(hypot(at[0] - there[0], at[1] - there[1]),
                     at[2] - there[2]) < 1e-3
                   ? "yes"
                   : "no");
    if (st != LG_OK)
        fprintf(stderr, "%s %s %s\n", lg_mechanism_message(r.m),
                lg_dynamics_message(r.ask), lg_motion_message(r.mo));
    lg_motion_destroy(r.mo), lg_model_destroy(r.M);
    lg_dynamics_destroy(r.ask), lg_mechanism_destroy(r.m);
    return st != LG_OK;
}
