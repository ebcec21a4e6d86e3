/* SPDX-License-Identifier: BSD-3-Clause */
/* A retraction of your own on SO(3), given only by tau and the inverse of its right-trivialised tangent: modified
 * Rodrigues parameters, tau(xi) = cay(xi/2)^2, compared with the built-in ones on a free rigid body. */
#include <liegrp/liegrp.h>

#include <math.h>
#include <stdio.h>

/* sigma = xi/4, quaternion (2 sigma, 1 - |sigma|^2) / (1 + |sigma|^2). */
static lg_status tau(const lg_retraction *r, const lg_group *G, double *q, const double *xi, void *work)
{
    const double s[3] = {xi[0] / 4, xi[1] / 4, xi[2] / 4}, s2 = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    (void)r, (void)G, (void)work;
    for (int i = 0; i < 3; i++) q[i] = 2 * s[i] / (1 + s2);
    q[3] = (1 - s2) / (1 + s2);
    return LG_OK;
}

/* dtau^-1_xi = (1 - |xi|^2/16) - hat(xi)/2 + xi xi^T/8. */
static lg_status dtau_inv(const lg_retraction *r, const lg_group *G, double *M, const double *xi, void *work)
{
    const double x = xi[0], y = xi[1], z = xi[2], d = 1 - (x * x + y * y + z * z) / 16;
    const double v[9] = {d + x * x / 8,     z / 2 + x * y / 8, -y / 2 + x * z / 8, -z / 2 + x * y / 8, d + y * y / 8,
                         x / 2 + y * z / 8, y / 2 + x * z / 8, -x / 2 + y * z / 8, d + z * z / 8};
    (void)r, (void)G, (void)work;
    for (int i = 0; i < 9; i++) M[i] = v[i];
    return LG_OK;
}

static int only_so3(const lg_retraction *r, const lg_group *G)
{
    (void)r;
    return G->kind == LG_KIND_SO3;
}

/* Largest relative error of the energy over 2000 steps of 0.1. */
static int try_it(const lg_system *body, const lg_retraction *r)
{
    const double g0[4] = {0, 0, 0, 1}, xi0[3] = {0.4, 1, -0.3};
    lg_integrator *it = NULL;
    double worst = 0;
    lg_status status = lg_integrator_create_with(&it, body, "variational", r, 0.1);
    if (status == LG_OK) status = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0);
    const double H0 = status == LG_OK ? lg_integrator_energy(it) : 1;
    while (status == LG_OK && lg_integrator_step_index(it) < 2000) {
        status = lg_integrator_step(it);
        if (status == LG_OK) worst = fmax(worst, fabs(lg_integrator_energy(it) / H0 - 1));
    }
    if (status == LG_OK)
        printf("%-12s energy within %.2e\n", r->name, worst);
    else
        fprintf(stderr, "%s: %s\n", r->name, lg_integrator_message(it));
    lg_integrator_destroy(it);
    return status != LG_OK;
}

int main(void)
{
    const double inertia[3] = {1, 1.5, 2.2};
    const lg_retraction rodrigues = {.size = sizeof rodrigues,
                                     .name = "rodrigues",
                                     .flags = LG_RETRACTION_SYMMETRIC | LG_RETRACTION_EXACT,
                                     .tau = tau,
                                     .dtau_inv = dtau_inv,
                                     .supports = only_so3};
    lg_system body = lg_system_default(lg_so3());
    body.inertia_diagonal = inertia;
    return try_it(&body, &rodrigues) || try_it(&body, lg_retraction_exp()) || try_it(&body, lg_retraction_cayley());
}
