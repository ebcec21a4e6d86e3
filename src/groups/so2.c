/* SPDX-License-Identifier: BSD-3-Clause */
/* SO(2) as (cos, sin): the public functions over the kernels of so2.h, and the descriptor. */
#include <liegrp/groups/group.h>
#include <liegrp/groups/so2.h>

#include <math.h>

#include <liegrp/base/elementary.h>

#include "groups/adapter.h"
#include "groups/blocks.h"
#include "groups/nearest.h"
#include "groups/so2.h"

/* ---- group ---- */

void lg_so2_identity(double g[static 2])
{
    g[0] = 1.0;
    g[1] = 0.0;
}

LG_DIRECT_BINARY(lg_so2_compose, so2_compose, 2, 2, 2)
LG_DIRECT_WHOLE(lg_so2_inverse, so2_inverse, 2, 2)
LG_DIRECT_BINARY(lg_so2_act, so2_compose, 2, 2, 2)

void lg_so2_act_inverse(double y[static 2], const double g[static 2], const double p[static 2])
{
    const double back[2] = {g[0], -g[1]};
    so2_compose(y, back, p);
}

double lg_so2_distance(const double a[static 2], const double b[static 2])
{
    double d[2], xi[1];
    so2_inverse(d, a);
    so2_compose(d, d, b);
    return so2_log(xi, d) ? (double)NAN : fabs(xi[0]);
}

LG_DIRECT_INTERPOLATE(lg_so2_interpolate, so2, 1, 2)

lg_status lg_so2_project(double r[static 2], const double g[static 2])
{
    return lg_unit(r, g, 2);
}

/* ---- conversions ---- */

void lg_so2_to_matrix(double R[static 4], const double g[static 2])
{
    so2_to_matrix(R, g);
}

LG_DIRECT_INVERSE(lg_so2_from_matrix, so2_from_matrix, 2, 4)

double lg_so2_to_angle(const double g[static 2])
{
    const double angle = lg_real_atan2(g[1], g[0]);
    return angle <= -LG_PI ? LG_PI : angle;
}

void lg_so2_from_angle(double g[static 2], double angle)
{
    lane_sincos(angle, &g[1], &g[0]);
}

/* ---- algebra ---- */

void lg_so2_hat(double X[static 4], const double xi[static 1])
{
    so2_hat(X, xi);
}

void lg_so2_vee(double xi[static 1], const double X[static 4])
{
    xi[0] = 0.5 * (X[2] - X[1]);
}

LG_DIRECT_WHOLE(lg_so2_Ad, so2_Ad, 2, 1)
LG_DIRECT_BINARY(lg_so2_coAd_apply, so2_coAd, 2, 1, 1)

void lg_so2_ad(double M[static 1], const double xi[static 1])
{
    so2_ad(M, xi);
}

void lg_so2_coad_apply(double out[static 1], const double xi[static 1], const double p[static 1])
{
    out[0] = so2_unless_nan(so2_unless_nan(0.0, xi[0]), p[0]);
}

/* ---- exponential ---- */

/* clang-format off */
LG_DIRECT_WHOLE(lg_so2_exp, so2_exp, 1, 2)
LG_DIRECT_INVERSE(lg_so2_log, so2_log, 1, 2)
LG_DIRECT_WHOLE(lg_so2_dexp, so2_dexp, 1, 1)
LG_DIRECT_WHOLE(lg_so2_dexp_inv, so2_dexp_inv, 1, 1)
/* clang-format on */

void lg_so2_dexp_inv_dual(double out[static 1], const double xi[static 1], const double mu[static 1])
{
    so2_dexp_inv_dual(out, xi, mu);
}

void lg_so2_dexp_inv_dual_derivative(double M[static 1], const double xi[static 1], const double mu[static 1])
{
    M[0] = so2_unless_nan(so2_unless_nan(0.0, xi[0]), mu[0]);
}

/* clang-format off */
/* ---- Cayley map ---- */

LG_DIRECT_WHOLE(lg_so2_cay, so2_cay, 1, 2)
LG_DIRECT_INVERSE(lg_so2_cay_inv, so2_cay_inv, 1, 2)
LG_DIRECT_WHOLE(lg_so2_dcay, so2_dcay, 1, 1)
LG_DIRECT_WHOLE(lg_so2_dcay_inv, so2_dcay_inv, 1, 1)
LG_DIRECT_BINARY(lg_so2_dcay_inv_dual, so2_dcay_inv_dual, 1, 1, 1)
LG_DIRECT_BINARY(lg_so2_dcay_inv_dual_derivative, so2_dcay_inv_dual_derivative, 1, 1, 1)
/* clang-format on */

/* ---- the descriptor ---- */

LG_ADAPT_GROUP(lg_so2, so2, 1, 2);

static const lg_group_block so2_blocks[] = {{.kind = LG_BLOCK_PLANE_ROTATION, .names = "angle"}};

static const lg_group SO2 = {
    LG_ADAPTED,
    .name = "SO(2)",
    .kind = LG_KIND_SO2,
    .dim = 1,
    .element_size = 2,
    .matrix_size = 2,
    .abelian = 1,
    .residual = lg_blocks_residual,
    .random = lg_blocks_random,
    .block_count = 1,
    .blocks = so2_blocks,
};

const lg_group *lg_so2(void)
{
    return &SO2;
}
