/* SPDX-License-Identifier: BSD-3-Clause */
/* An arm with seven axes from a URDF under torque control: each joint follows a sine by a spring and damper on its
 * motor. arm robots/arm.urdf */
#include <math.h>
#include <stdio.h>

#include <liegrp/liegrp.h>

enum { AXES = 7 };

static int failed(lg_status st, const char *message)
{
    if (st == LG_OK) return 0;
    fprintf(stderr, "%s: %s\n", lg_status_name(st), message);
    return 1;
}

/* Reads and compiles the arm; lists the elements of the file that are not read. */
static int arm_read(lg_mechanism **m, const char *path)
{
    lg_status st = lg_mechanism_read(m, path, NULL);
    for (int i = 0; i < lg_mechanism_remark_count(*m); i++) printf("%s\n", lg_mechanism_remark(*m, i));
    if (st == LG_OK) st = lg_mechanism_compile(*m);
    return failed(st, lg_mechanism_message(*m));
}

/* Torques that draw the joints to amplitude sin(t); *error is the largest distance from it. */
static lg_status follow(lg_motion *mo, double *error)
{
    static const double stiffness[AXES] = {150, 1500, 80, 800, 30, 150, 3};
    static const double damping[AXES] = {10, 120, 6, 50, 2, 6, 0.2};
    const double t = lg_motion_time(mo);
    double q[AXES], v[AXES], u[AXES];
    const lg_status st = lg_motion_positions(mo, q, v);
    for (int i = 0; i < AXES; i++) {
        const double amplitude = i % 2 ? 0.6 : -0.4, behind = amplitude * sin(t) - q[i];
        u[i] = stiffness[i] * behind + damping[i] * (amplitude * cos(t) - v[i]);
        if (t > 1) *error = fmax(*error, fabs(behind));
    }
    return st == LG_OK ? lg_motion_set_control(mo, u) : st;
}

int main(int argc, char **argv)
{
    lg_mechanism *m = NULL;
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    lg_motion_options how = lg_motion_options_default();
    double error = 0, nearest = INFINITY, tool[7], at[3];
    int body;
    if (argc < 2) return failed(LG_ERROR_ARGUMENT, "name the file: arm robots/arm.urdf");
    int bad = arm_read(&m, argv[1]);
    lg_status st = bad ? LG_ERROR_ARGUMENT : lg_model_of_mechanism(&M, m, "arm");
    how.method = "sem", how.step = 0.002;
    if (st == LG_OK) st = lg_motion_create(&mo, M, &how);
    if (st == LG_OK) st = lg_motion_start(mo, 0, NULL, 1);
    const double start = lg_motion_energy(mo);
    for (int i = 0; i < 2500 && st == LG_OK; i++) {
        st = follow(mo, &error);
        if (st == LG_OK) st = lg_motion_step(mo, 1);
        nearest = fmin(nearest, lg_motion_limit(mo, NULL));
    }
    if (!bad && !failed(st, lg_motion_message(mo)) && lg_mechanism_link(m, &body, tool, "tool0") == LG_OK) {
        st = lg_motion_point(mo, at, NULL, body, tool); /* tool0 has no mass: it is a place on link7 */
        const double balance = fabs(lg_motion_energy(mo) - start - lg_motion_work(mo));
        printf(
            "after 5 s tool0 is at %.6f %.6f %.6f m; the joints were within %.3f rad of their course, and %.2f rad from "
            "their limits\n",
            at[0], at[1], at[2], error, nearest);
        printf("energy - energy at the start - work: %.1e J\n", balance);
        bad = st != LG_OK || !(balance < 1e-10 && error < 0.1 && nearest > 0);
    } else {
        bad = 1;
    }
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
    return bad;
}
