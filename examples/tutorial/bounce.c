/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball is thrown at the ground, bounces, and rolls. */
#include <liegrp/liegrp.h>
#include <math.h>
#include <stdio.h>

static int tell(double t, const lg_impact *impacts, int count, void *context)
{
    (void)context;
    for (int i = 0; i < count; i++)
        printf("%.4f s: comes at %.4f m/s, loses %.4f J\n", t,
               impacts[i].approach, impacts[i].loss);
    return 0;
}

static lg_status describe(lg_mechanism *m)
{
    lg_body ball = lg_body_default("ball");
    lg_surface skin = lg_surface_default("skin", "ball"),
               ground = lg_surface_default("ground", NULL);
    ball.mass = 1;
    for (int i = 0; i < 3; i++) ball.inertia[i] = 0.4 * 0.1 * 0.1;
    ball.position[2] = 1.1;
    skin.kind = LG_SURFACE_SPHERE, skin.half[0] = 0.1; /* its radius */
    skin.friction = 0.3, skin.restitution = 0.6;
    ground.kind = LG_SURFACE_PLANE; /* z = 0, the normal upwards */
    ground.friction = 1, ground.restitution = 1;
    lg_status status = lg_mechanism_add_body(m, NULL, &ball);
    if (status == LG_OK) status = lg_mechanism_add_surface(m, NULL, &skin);
    if (status == LG_OK) status = lg_mechanism_add_surface(m, NULL, &ground);
    return status == LG_OK ? lg_mechanism_compile(m) : status;
}

static lg_status simulate(lg_motion *mo)
{
    const double pose[7] = {0, 0, 1.1, 0, 0, 0, 1},
                 twist[6] = {2, 0, 0, 0, 0, 0};
    lg_contact_options o = lg_contact_options_default();
    double H = 0, now[7], v[6];
    o.capture_speed = 0.1;
    lg_status status = lg_motion_set_contact(mo, &o);
    if (status == LG_OK) status = lg_motion_set_impact(mo, tell, NULL);
    if (status == LG_OK) status = lg_motion_start_poses(mo, 0, pose, twist, 0);
    H = lg_motion_energy(mo);
    if (status == LG_OK) status = lg_motion_step(mo, 400);
    if (status == LG_OK) status = lg_motion_body_pose(mo, now, 0);
    if (status == LG_OK) status = lg_motion_body_twist(mo, v, 0);
    if (status != LG_OK) return status;
    printf("it rolls: height %.6f m, %.6f m/s forwards, slip below 1e-12: %s\n",
           now[2], v[0], fabs(v[0] - 0.1 * v[4]) < 1e-12 ? "yes" : "no");
    printf("%d impacts and friction took %.4f J; balance below 1e-12: %s\n",
           (int)lg_motion_impacts(mo), -lg_motion_work(mo),
           fabs(lg_motion_energy(mo) - H - lg_motion_work(mo)) < 1e-12 ? "yes"
                                                                       : "no");
    return status;
}

int main(void)
{
    lg_mechanism *m = NULL;
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    lg_motion_options o = lg_motion_options_default();
    o.step = 0.01;
    lg_status status = lg_mechanism_create(&m);
    if (status == LG_OK) status = describe(m);
    if (status != LG_OK) fprintf(stderr, "%s\n", lg_mechanism_message(m));
    if (status == LG_OK) status = lg_model_of_mechanism(&M, m, "bounce");
    if (status == LG_OK) status = lg_motion_create(&mo, M, &o);
    if (status == LG_OK) status = simulate(mo);
    if (status != LG_OK && mo != NULL)
        fprintf(stderr, "%s\n", lg_motion_message(mo));
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
    return status != LG_OK;
}
