/* SPDX-License-Identifier: BSD-3-Clause */
/* A spherical pendulum as a mass in R^3 on the sphere |q| = 1: a holonomic constraint, a composition of order 4, and an
 * event, its lowest points. The multiplier is the tension of the rod over its length. */
#include <liegrp/liegrp.h>
#include <stdio.h>

#define GRAVITY 9.81

static int sphere(const lg_call *c, const double *q, double *phi)
{
    (void)c;
    *phi = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1) / 2;
    return 0;
}

static int normal(const lg_call *c, const double *q, double *dphi)
{
    (void)c;
    for (int i = 0; i < 3; i++) dphi[i] = q[i];
    return 0;
}

static int weight(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = GRAVITY * q[2];
    return 0;
}

static int weight_gradient(const lg_call *c, const double *q, double *dV)
{
    (void)c, (void)q;
    dV[2] = GRAVITY;
    return 0;
}

/* The height's rate, which goes up through 0 at the lowest points. */
static int climbs(const lg_call *c, const double *q, const double *v, double *f)
{
    (void)c, (void)q;
    *f = v[2];
    return 0;
}

int main(void)
{
    const double mass[3] = {1, 1, 1}, q0[3] = {0.8, 0, -0.6}, v0[3] = {0.3, 0.9, 0};
    lg_system S = lg_system_default(lg_rn(3));
    S.inertia_diagonal = mass;
    S.callbacks.potential = weight, S.callbacks.potential_gradient = weight_gradient;
    S.callbacks.holonomic_count = 1, S.callbacks.holonomic = sphere, S.callbacks.holonomic_differential = normal;
    lg_event lowest = lg_event_default(climbs, NULL);
    lowest.direction = LG_CROSSING_UP;
    lg_integrator *it = NULL;
    lg_status st = lg_integrator_create(&it, &S, "sem@suzuki4", "exp", 0.05);
    if (st == LG_OK)
        st = lg_integrator_start(it, 0, q0, v0, LG_START_REACTION, 1); /* projects v0 onto the tangent space */
    const double H = lg_integrator_energy(it);
    for (int found; st == LG_OK && lg_integrator_time(it) < 5;) {
        st = lg_integrator_step_to_event(it, &found, &lowest);
        if (st == LG_OK && found)
            printf("lowest at t = %.9f: z = %.9f, tension %.4f\n", lg_integrator_time(it),
                   lg_integrator_configuration(it)[2], -lg_integrator_holonomic_multipliers(it)[0]);
    }
    if (st != LG_OK) fprintf(stderr, "%s\n", lg_integrator_message(it));
    printf("H - H_0 = %.0e, |phi| = %.0e\n", lg_integrator_energy(it) - H, lg_integrator_holonomic_residual(it));
    lg_integrator_destroy(it);
    return st != LG_OK;
}
