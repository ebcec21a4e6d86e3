/* SPDX-License-Identifier: BSD-3-Clause */
/* A heavy top: a body that turns about a fixed point, and its weight. */
#include <liegrp/liegrp.h>
#include <math.h>
#include <stdio.h>

static const double weight = 9.81, length = 0.5; /* m g, and where m is */

/* V = m g z: the centre of mass is at (0, 0, length) in the body. */
static int height(const lg_call *c, const double *q, double *V)
{
    (void)c;
    double R[9];
    lg_so3_to_matrix(R, q);
    *V = weight * length * R[8];
    return 0;
}

/* dV = m g (r x vertical), the vertical as the body sees it. */
static int height_gradient(const lg_call *c, const double *q, double *dV)
{
    (void)c;
    double R[9];
    lg_so3_to_matrix(R, q);
    dV[0] = -weight * length * R[7];
    dV[1] = weight * length * R[6];
    return 0; /* dV[2] is zero on entry */
}

/* A wrong sign is found by comparing the gradient with differences. */
static lg_status check(const lg_system *S)
{
    lg_rng rng = {1};
    lg_error error = {0};
    lg_status st = lg_system_check(S, &rng, NULL, 5, 0, &error);
    if (st != LG_OK) fprintf(stderr, "%s\n", error.message);
    return st;
}

int main(void)
{
    const double inertia[3] = {1, 1, 0.5};
    const double g0[4] = {sin(0.2), 0, 0, cos(0.2)}; /* 0.4 rad about x */
    const double xi0[3] = {0, 0, 20};
    lg_system S = lg_system_default(lg_so3());
    S.inertia_diagonal = inertia;
    S.callbacks.potential = height;
    S.callbacks.potential_gradient = height_gradient;
    if (check(&S) != LG_OK) return 1;
    lg_integrator *it = NULL;
    lg_status st = lg_integrator_create(&it, &S, "sem", "exp", 0.01);
    if (st == LG_OK)
        st = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0);
    double low = 1, high = -1, R[9];
    for (int k = 0; k < 600 && st == LG_OK; k++) {
        st = lg_integrator_step(it);
        lg_so3_to_matrix(R, lg_integrator_configuration(it));
        low = fmin(low, R[8]), high = fmax(high, R[8]);
    }
    if (st == LG_OK)
        printf("H = %.9f, the axis leans by %.4f to %.4f rad\n",
               lg_integrator_energy(it), acos(high), acos(low));
    else
        fprintf(stderr, "%s\n", lg_integrator_message(it));
    lg_integrator_destroy(it);
    return st != LG_OK;
}
