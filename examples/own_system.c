/* SPDX-License-Identifier: BSD-3-Clause */
/* A system of your own with a callback: an inhomogeneous ball rolling on a rotating table, on R^2 x SO(3). */
#include <liegrp/liegrp.h>

#include <stdio.h>
#include <string.h>

typedef struct table {
    double r, Omega;
} table;

/* Rolling without slipping, mu (xi - Y) = 0: x' - r <n_2, omega> = -Omega y, y' + r <n_1, omega> = Omega x, where the
 * n_i are the rows of the attitude R and omega is the angular velocity in the body. */
static int rolling(const lg_call *c, const double *g, double *mu, double *Y)
{
    const table *b = c->context;
    double R[9];
    lg_so3_to_matrix(R, g + 2); /* g = (x, y, quaternion) */
    const double row[2][5] = {{1, 0, -b->r * R[3], -b->r * R[4], -b->r * R[5]},
                              {0, 1, b->r * R[0], b->r * R[1], b->r * R[2]}};
    memcpy(mu, row, sizeof row);
    Y[0] = -b->Omega * g[1]; /* the rest is zero on entry */
    Y[1] = b->Omega * g[0];
    return 0; /* nonzero aborts the step and is returned to the caller */
}

int main(void)
{
    const table b = {1.0, 0.2};
    const lg_group *factors[] = {lg_rn(2), lg_so3()};
    const double inertia[] = {3, 3, 1, 1.1, 1.2}; /* m, m, I1, I2, I3 */
    const double g0[] = {1, 0, 0, 0, 0, 1}, xi0[] = {0, 0, -0.2, 0.5, 0.4};
    lg_group *G = NULL;
    lg_integrator *it = NULL;
    lg_status status = lg_group_create_product(&G, factors, 2);
    if (status != LG_OK) {
        fprintf(stderr, "%s\n", lg_status_text(status));
        return 1;
    }
    lg_system S = lg_system_default(G);
    S.inertia_diagonal = inertia;
    S.constraint_count = 2;
    S.callbacks.covectors = rolling;
    S.context = &b;
    status = lg_integrator_create(&it, &S, "gni", "cayley", 0.01);
    /* the projection onto the constraints sets x' and y' */
    if (status == LG_OK) status = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1);
    while (status == LG_OK && lg_integrator_step_index(it) < 1000) status = lg_integrator_step(it);
    if (status != LG_OK)
        fprintf(stderr, "%s\n",
                lg_integrator_message(it)); /* what is wrong, where, with which values, and what would be right */
    else
        printf("t = %g: x = %.15g, y = %.15g, H = %.15g, |mu (xi - Y)| = %.1e\n", lg_integrator_time(it),
               lg_integrator_configuration(it)[0], lg_integrator_configuration(it)[1], lg_integrator_energy(it),
               lg_integrator_constraint_residual(it));
    lg_integrator_destroy(it);
    lg_group_destroy(G);
    return status != LG_OK;
}
