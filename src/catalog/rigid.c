/* SPDX-License-Identifier: BSD-3-Clause */
/* What the systems with a rigid body in the field of gravity share: gamma, the vertical in the body; an inertia from
 * its six entries; a convex body that rolls on a plane without slipping. */
#include "catalog/systems.h"

#include <stdio.h>
#include <string.h>

#include <liegrp/groups/so3.h>

void lg_catalog_vertical(double *gamma, const double *q)
{
    static const double up[3] = {0, 0, 1};
    lg_so3_act_inverse(gamma, q, up);
}

double lg_catalog_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

int lg_catalog_inertia(double *J, char *why, const double *entry, int stride)
{
    static const int place[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const double minor = entry[0] * entry[3] - entry[1] * entry[1];
    const double det = entry[5] * minor - entry[0] * entry[4] * entry[4] - entry[3] * entry[2] * entry[2] +
                       2 * entry[1] * entry[2] * entry[4];
    if (!(entry[0] > 0) || !(minor > 0) || !(det > 0)) {
        (void)snprintf(
            why, LG_MESSAGE_SIZE,
            "the inertia is not positive definite: I11 = %g, I11 I22 - I12^2 = %g, determinant = %g must be positive",
            entry[0], minor, det);
        return 1;
    }
    for (int i = 0; i < 9; i++) J[i / 3 * stride + i % 3] = entry[place[i]];
    return 0;
}

/* A body whose centre of mass has the height f(gamma) touches the plane at rho = -grad f from the centre of mass, and
 * x' = R (rho x omega): row a is (e_a; rho x r_a), r_a the rows of R. Row 3 is the differential of z - f. */
void lg_catalog_rolling_rows(double *mu, const double *q, const lg_surface *s, int rows, int shift)
{
    double R[9];
    lg_so3_to_matrix(R, q);
    for (int a = 0; a < rows; a++) {
        double *row = mu + a * (shift + 3);
        row[a] = 1;
        lg_catalog_cross(row + shift, R + 3 * a, s->slope);
    }
}

/* d r_a = r_a x eta, d grad f = H (gamma x eta). */
void lg_catalog_rolling_rows_along(double *dmu, const double *q, const double *eta, const lg_surface *s, int rows,
                                   int shift)
{
    double R[9], turn[3], bend[3];
    lg_so3_to_matrix(R, q);
    lg_catalog_cross(turn, R + 6, eta);
    for (int i = 0; i < 3; i++) bend[i] = lg_catalog_dot(s->hessian + 3 * i, turn);
    for (int a = 0; a < rows; a++) {
        double one[3], two[3];
        lg_catalog_cross(one, R + 3 * a, eta);
        lg_catalog_cross(one, one, s->slope);
        lg_catalog_cross(two, R + 3 * a, bend);
        for (int i = 0; i < 3; i++) dmu[a * (shift + 3) + shift + i] = one[i] + two[i];
    }
}

void lg_catalog_rolling_velocity(double *v, const double *q, const double *omega, const lg_surface *s)
{
    lg_catalog_cross(v, omega, s->slope);
    lg_so3_act(v, q, v);
}

/* On R^3 x SO(3) with the mass and gravity as the parameters 0 and 1. */
int lg_catalog_weight(const lg_call *c, const double *g, double *V)
{
    *V = c->param[LG_ROLLING_M] * c->param[LG_ROLLING_G] * g[2];
    return 0;
}

int lg_catalog_weight_gradient(const lg_call *c, const double *g, double *out)
{
    (void)g;
    out[2] = c->param[LG_ROLLING_M] * c->param[LG_ROLLING_G];
    return 0;
}

int lg_catalog_no_hessian(const lg_call *c, const double *g, const double *eta, double *out)
{
    (void)c, (void)g, (void)eta, (void)out; /* zero on entry */
    return 0;
}

/* f = r |gamma| + <chi, gamma>: on vectors across gamma its second derivative is r times the identity. */
void lg_catalog_ball_surface(lg_surface *s, double r, const double *chi, const double *q)
{
    double gamma[3];
    lg_catalog_vertical(gamma, q);
    s->height = r;
    for (int i = 0; i < 9; i++) s->hessian[i] = i % 4 == 0 ? r : 0;
    for (int i = 0; i < 3; i++) {
        const double offset = chi != NULL ? chi[i] : 0;
        s->height += offset * gamma[i];
        s->slope[i] = r * gamma[i] + offset;
    }
}

double lg_catalog_contact_momentum(const double *q, const double *p, const double *p_omega, double r, int i)
{
    const double lever[3] = {-p[1], p[0], 0};
    double L[3];
    lg_so3_act(L, q, p_omega);
    return L[i] + r * lever[i];
}
