/* SPDX-License-Identifier: BSD-3-Clause */
/* A robot on two driven wheels and a caster: described by bodies, joints, wheels and motors, compiled, driven along a
 * curve. Wheels do not slip, and the energy gains exactly the motors' work, both to round-off. */
#include <liegrp/liegrp.h>

#include <stdio.h>

/* The library says what it does not like. */
static int refused(lg_status status, const char *message)
{
    if (status != LG_OK) fprintf(stderr, "robot: %s\n", message);
    return status != LG_OK;
}

static lg_body body(const char *name, double mass, double inertia, double x, double y, double z)
{
    lg_body b = lg_body_default(name);
    b.mass = mass;
    for (int k = 0; k < 3; k++) b.inertia[k] = inertia * (1 + 0.1 * k);
    b.position[0] = x, b.position[1] = y, b.position[2] = z;
    return b;
}

/* A revolute joint through a point of space at assembly; `axis` is 1 for y, 2 for z. */
static lg_joint hinge(const char *name, const char *parent, const char *child, int axis, double x, double y, double z)
{
    lg_joint j = lg_joint_default(name, LG_JOINT_REVOLUTE, parent, child);
    j.point[0] = x, j.point[1] = y, j.point[2] = z;
    for (int k = 0; k < 3; k++) j.axis[k] = k == axis;
    return j;
}

static int build(lg_mechanism *m)
{
    const lg_body bodies[] = {body("chassis", 5, 0.1, 0.1, 0, 0.15), body("left", 0.5, 0.002, 0, 0.2, 0.1),
                              body("right", 0.5, 0.002, 0, -0.2, 0.1), body("fork", 0.2, 0.001, 0.38, 0, 0.1),
                              body("caster", 0.2, 0.0005, 0.36, 0, 0.05)};
    const lg_joint joints[] = {
        hinge("left axle", "chassis", "left", 1, 0, 0.2, 0.1), hinge("right axle", "chassis", "right", 1, 0, -0.2, 0.1),
        hinge("swivel", "chassis", "fork", 2, 0.4, 0, 0.1), hinge("caster axle", "fork", "caster", 1, 0.36, 0, 0.05)};
    const char *rolling[] = {"left", "right", "caster"};
    const double radius[] = {0.1, 0.1, 0.05};
    lg_status status = LG_OK;
    for (int i = 0; i < 5 && status == LG_OK; i++) status = lg_mechanism_add_body(m, NULL, &bodies[i]);
    for (int i = 0; i < 4 && status == LG_OK; i++) status = lg_mechanism_add_joint(m, NULL, &joints[i]);
    for (int i = 0; i < 3 && status == LG_OK; i++) {
        lg_wheel w = lg_wheel_default(rolling[i], rolling[i]);
        w.radius = radius[i];
        status = lg_mechanism_add_wheel(m, NULL, &w);
    }
    for (int i = 0; i < 2 && status == LG_OK; i++) {
        const lg_motor motor = lg_motor_default(rolling[i], joints[i].name);
        status = lg_mechanism_add_motor(m, NULL, &motor);
    }
    if (status == LG_OK) status = lg_mechanism_compile(m);
    return refused(status, lg_mechanism_message(m));
}

/* Two seconds with more torque on the left wheel, two with as much on both. */
static lg_status drive(lg_motion *mo)
{
    const double turning[2] = {0.12, 0.08}, straight[2] = {0.05, 0.05};
    double pose[7];
    lg_status status = LG_OK;
    for (int i = 0; i < 8 && status == LG_OK; i++) {
        status = lg_motion_set_control(mo, i < 4 ? turning : straight);
        if (status == LG_OK) status = lg_motion_step(mo, 50);
        if (status == LG_OK) status = lg_motion_body_pose(mo, pose, 0);
        if (status == LG_OK)
            printf("t = %.1f: chassis at (%7.4f, %7.4f), motors %.4f J\n", lg_motion_time(mo), pose[0], pose[1],
                   lg_motion_work(mo));
    }
    return status;
}

int main(void)
{
    lg_mechanism *m = NULL;
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    lg_motion_options how = lg_motion_options_default();
    double start, force[3];
    if (lg_mechanism_create(&m) != LG_OK || build(m)) return 1;
    printf("%d degrees of freedom; %d rows; %s\n", lg_mechanism_freedoms(m), lg_mechanism_row_count(m),
           lg_mechanism_redundant(m, 0));
    how.method = "sem", how.step = 0.01;
    lg_status status = lg_model_of_mechanism(&M, m, "robot");
    if (status == LG_OK) status = lg_motion_create(&mo, M, &how);
    if (status == LG_OK) status = lg_motion_start(mo, 0, NULL, 1); /* as assembled, at rest */
    start = lg_motion_energy(mo);
    if (status == LG_OK) status = drive(mo);
    if (status == LG_OK) status = lg_motion_wheel_force(mo, force, 2);
    if (refused(status, lg_motion_message(mo))) return 1;
    printf("balance of energy %.0e J, slip %.0e m/s, the caster carries %.2f N\n",
           lg_motion_energy(mo) - start - lg_motion_work(mo), lg_motion_slip(mo), force[2]);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
    return 0;
}
