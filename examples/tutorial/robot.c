/* SPDX-License-Identifier: BSD-3-Clause */
/* The cart with two motors and a controller that drives to a point. */
#include <liegrp/liegrp.h>
#include <math.h>
#include <stdio.h>

/* A thrust along the cart and a torque: the controls, as a covector. */
static int motors(const lg_call *c, const double *g, const double *xi,
                  double *f)
{
    (void)g, (void)xi;
    f[0] = c->control[0];
    f[2] = c->control[1];
    return 0; /* f[1] is zero on entry */
}

/* Drives towards (3, 2). */
static void steer(double *u, const double *g, const double *xi)
{
    const double x = 3 - g[0], y = 2 - g[1];
    const double ahead = g[2] * x + g[3] * y, aside = -g[3] * x + g[2] * y;
    u[0] = 0.8 * tanh(ahead) - 1.0 * xi[0];
    u[1] = 1.5 * atan2(aside, fabs(ahead)) - 1.0 * xi[2];
}

static lg_status drive(lg_integrator *it)
{
    const double *g = lg_integrator_configuration(it);
    double u[2], xi[3], work = 0, H0 = lg_integrator_energy(it);
    lg_status st = LG_OK;
    while (st == LG_OK && hypot(g[0] - 3, g[1] - 2) > 0.1) {
        st = lg_integrator_velocity(it, xi);
        steer(u, g, xi);
        if (st == LG_OK) st = lg_integrator_set_control(it, u);
        if (st == LG_OK) st = lg_integrator_step(it);
        g = lg_integrator_configuration(it);
        work += lg_integrator_step_work(it);
    }
    printf("t = %.2f: at (%.4f, %.4f), work of the motors %.6f J\n",
           lg_integrator_time(it), g[0], g[1], work);
    printf("energy - work below 1e-14 J: %s\n",
           fabs(lg_integrator_energy(it) - H0 - work) < 1e-14 ? "yes" : "no");
    return st;
}

int main(void)
{
    const double m = 1, I = 0.3, a = 0.2;
    const double inertia[9] = {m, 0, 0, 0, m, m * a, 0, m * a, I + m * a * a};
    const double wheels[3] = {0, 1, 0}, g0[4] = {0, 0, 1, 0}, rest[3] = {0};
    lg_system S = lg_system_default(lg_se2());
    S.inertia = inertia;
    S.constraint_count = 1;
    S.covector_matrix = wheels;
    S.callbacks.control_count = 2;
    S.callbacks.force = motors;
    lg_integrator *it = NULL;
    lg_status st = lg_integrator_create(&it, &S, "sem", "exp", 0.02);
    if (st == LG_OK)
        st = lg_integrator_start(it, 0, g0, rest, LG_START_REACTION, 0);
    if (st == LG_OK) st = drive(it);
    if (st != LG_OK) fprintf(stderr, "%s\n", lg_integrator_message(it));
    lg_integrator_destroy(it);
    return st != LG_OK;
}
