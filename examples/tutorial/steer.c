/* SPDX-License-Identifier: BSD-3-Clause */
/* The cart parks: it stops a metre to its left, and heads as before. */
#include <liegrp/liegrp.h>
#include <math.h>
#include <stdio.h>

enum { STEPS = 20 };
static const double limit[2] = {1, 0.6}, minus[2] = {-1, -0.6};

/* A thrust along the cart and a torque: the controls, as a covector. */
static int motors(const lg_call *c, const double *g, const double *xi,
                  double *f)
{
    (void)g, (void)xi;
    f[0] = c->control[0];
    f[2] = c->control[1];
    return 0; /* f[1] is zero on entry */
}

/* The controls that are held in each step. */
static lg_status park(lg_optimum **o, const lg_system *S)
{
    const double there[4] = {0, 1, 1, 0}, rest[3] = {0};
    lg_optimum_problem p = lg_optimum_problem_default(S);
    p.steps = STEPS, p.time = 4;
    p.target_g = there, p.target_p = rest;
    p.control_low = minus, p.control_high = limit;
    lg_status st = lg_optimum_create(o, &p);
    if (st == LG_OK) st = lg_optimum_solve(*o, 100, 1e-10);
    return st;
}

/* The motion with these controls. */
static lg_status drive(lg_integrator *it, const double *u)
{
    const double *g = lg_integrator_configuration(it);
    double most[2] = {0, 0};
    lg_status st = LG_OK;
    for (int k = 0; k < STEPS && st == LG_OK; k++) {
        for (int i = 0; i < 2; i++) most[i] = fmax(most[i], fabs(u[2 * k + i]));
        st = lg_integrator_set_control(it, u + 2 * k);
        if (st == LG_OK) st = lg_integrator_step(it);
        g = lg_integrator_configuration(it);
    }
    printf("thrust up to %.3f, torque up to %.3f\n", most[0], most[1]);
    printf("it parks to 1e-9 m: %s\n",
           hypot(g[0], g[1] - 1) < 1e-9 ? "yes" : "no");
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
    lg_optimum *o = NULL;
    lg_optimum_figures f;
    lg_status st = park(&o, &S);
    if (st == LG_OK) st = lg_optimum_read(o, &f, sizeof f);
    if (st == LG_OK) printf("effort %.6f\n", f.cost);
    if (st != LG_OK) fprintf(stderr, "%s\n", lg_optimum_message(o));
    lg_integrator *it = NULL;
    if (st == LG_OK) {
        st = lg_integrator_create(&it, &S, "sem", "exp", 4.0 / STEPS);
        if (st == LG_OK)
            st = lg_integrator_start(it, 0, g0, rest, LG_START_REACTION, 0);
        if (st == LG_OK) st = drive(it, lg_optimum_controls(o));
        if (st != LG_OK) fprintf(stderr, "%s\n", lg_integrator_message(it));
    }
    lg_integrator_destroy(it);
    lg_optimum_destroy(o);
    return st != LG_OK;
}
