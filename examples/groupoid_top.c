/* SPDX-License-Identifier: BSD-3-Clause */
/* A heavy top with Veselova's constraint, no angular velocity about the vertical, reduced by its symmetry. All it needs
 * is one function: a discrete Lagrangian L_d(gamma, W) on the action groupoid S^2 x SO(3), where gamma is the vertical
 * seen from the body and W the rotation of one step. */
#include <liegrp/liegrp.h>

#include <math.h>
#include <stdio.h>

static const double inertia[3] = {1, 1.4, 2}, chi[3] = {0.1, 0.2, -0.7}; /* V = chi.gamma */

/* The vertical after the body has turned by W: gamma.W = W^T gamma. */
static int turn(const lg_call *c, const double *gamma, const double *W, double *out)
{
    (void)c;
    lg_so3_act_inverse(out, W, gamma);
    return 0;
}

static double potential(const double *gamma)
{
    return chi[0] * gamma[0] + chi[1] * gamma[1] + chi[2] * gamma[2];
}

/* L_d = h (omega.I omega/2 - (V(gamma) + V(W^T gamma))/2), omega = cay^-1(W)/h; k = (gamma, quaternion of W). */
static int lagrangian(const lg_call *c, double h, const double *k, double *L)
{
    double w[3], next[3];
    (void)c;
    if (lg_so3_cay_inv(w, k + 3) != LG_OK) {
        *L = NAN; /* not defined for a rotation by pi */
        return 0;
    }
    lg_so3_act_inverse(next, k + 3, k);
    *L = -h * (potential(k) + potential(next)) / 2;
    for (int i = 0; i < 3; i++) *L += inertia[i] * w[i] * w[i] / (2 * h);
    return 0;
}

/* gamma.omega = 0. */
static int veselova(const lg_call *c, const double *gamma, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    for (int i = 0; i < 3; i++) mu[i] = gamma[i];
    return 0;
}

int main(void)
{
    const double gamma[3] = {0.6, 0, 0.8}, p[3] = {0.8, -0.7, -1.2}; /* omega = I^-1 p is normal to gamma */
    lg_groupoid *top = NULL;
    lg_groupoid_gni *it = NULL;
    lg_error error;
    if (lg_groupoid_create_action(&top, lg_so3(), NULL, 3, turn, NULL, &error) != LG_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    lg_groupoid_system S = lg_groupoid_system_default(top);
    S.lagrangian = lagrangian, S.inertia_diagonal = inertia, S.constraint_count = 1, S.covectors = veselova;
    lg_status status = lg_groupoid_gni_create(&it, &S, 0.05);
    if (status == LG_OK) status = lg_groupoid_gni_start(it, 0, gamma, p);
    while (status == LG_OK && lg_groupoid_gni_time(it) < 10) status = lg_groupoid_gni_step(it);
    if (status != LG_OK) {
        fprintf(stderr, "%s\n", lg_groupoid_gni_message(it));
    } else {
        const double *x = lg_groupoid_gni_base(it), *q = lg_groupoid_gni_momentum(it);
        double H = potential(x);
        for (int i = 0; i < 3; i++) H += q[i] * q[i] / (2 * inertia[i]);
        printf("vertical (%.6f, %.6f, %.6f), H = %.6f, gamma.omega = %.0e, differences to %.0e\n", x[0], x[1], x[2], H,
               lg_groupoid_gni_constraint_residual(it), lg_groupoid_gni_slope_error(it));
    }
    lg_groupoid_gni_destroy(it);
    lg_groupoid_destroy(top);
    return status != LG_OK;
}
