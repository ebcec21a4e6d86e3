/* SPDX-License-Identifier: BSD-3-Clause */
/* SE(2) as (x, y, cos, sin): the public functions over the kernels of se2.h, and the descriptor.
 * References: docs/theory.md, section 2. */
#include <liegrp/groups/group.h>
#include <liegrp/groups/se2.h>

#include <math.h>

#include <liegrp/base/elementary.h>

#include "groups/adapter.h"
#include "groups/blocks.h"
#include "groups/nearest.h"
#include "groups/se2.h"

/* ---- group ---- */

void lg_se2_identity(double g[static 4])
{
    g[0] = g[1] = g[3] = 0.0;
    g[2] = 1.0;
}

LG_DIRECT_BINARY(lg_se2_compose, se2_compose, 4, 4, 4)
LG_DIRECT_WHOLE(lg_se2_inverse, se2_inverse, 4, 4)
LG_DIRECT_BINARY(lg_se2_act, se2_act, 4, 2, 2)
LG_DIRECT_BINARY(lg_se2_act_inverse, se2_act_inverse, 4, 2, 2)
LG_DIRECT_DISTANCE(lg_se2_distance, se2, 3, 4)
LG_DIRECT_INTERPOLATE(lg_se2_interpolate, se2, 3, 4)

lg_status lg_se2_project(double r[static 4], const double g[static 4])
{
    const double x = g[0], y = g[1];
    const lg_status st = lg_unit(r + 2, g + 2, 2);
    if (st != LG_OK) return st;
    r[0] = x;
    r[1] = y;
    return LG_OK;
}

/* ---- conversions ---- */

void lg_se2_to_matrix(double T[static 9], const double g[static 4])
{
    se2_to_matrix(T, g);
}

LG_DIRECT_INVERSE(lg_se2_from_matrix, se2_from_matrix, 4, 9)

void lg_se2_to_xytheta(double p[static 3], const double g[static 4])
{
    const double x = g[0], y = g[1], theta = lg_real_atan2(g[3], g[2]);
    p[0] = x;
    p[1] = y;
    p[2] = theta <= -LG_PI ? LG_PI : theta;
}

void lg_se2_from_xytheta(double g[static 4], const double p[static 3])
{
    double s, c;
    lane_sincos(p[2], &s, &c);
    g[0] = p[0];
    g[1] = p[1];
    g[2] = c;
    g[3] = s;
}

/* ---- algebra ---- */

void lg_se2_hat(double X[static 9], const double xi[static 3])
{
    se2_hat(X, xi);
}

void lg_se2_vee(double xi[static 3], const double X[static 9])
{
    const double a = X[2], b = X[5], w = 0.5 * (X[3] - X[1]);
    xi[0] = a;
    xi[1] = b;
    xi[2] = w;
}

LG_DIRECT_WHOLE(lg_se2_Ad, se2_Ad, 4, 9)
LG_DIRECT_BINARY(lg_se2_coAd_apply, se2_coAd, 4, 3, 3)
LG_DIRECT_WHOLE(lg_se2_ad, se2_ad, 3, 9)

/* (-w J2 m, v2 m1 - v1 m2). */
void lg_se2_coad_apply(double out[static 3], const double xi[static 3], const double p[static 3])
{
    const double a = xi[2] * p[1], b = -xi[2] * p[0], c = xi[1] * p[0] - xi[0] * p[1];
    out[0] = a;
    out[1] = b;
    out[2] = c;
}

/* ---- exponential ---- */

/* clang-format off */
LG_DIRECT_WHOLE(lg_se2_exp, se2_exp, 3, 4)
LG_DIRECT_INVERSE(lg_se2_log, se2_log, 3, 4)
LG_DIRECT_MAP(lg_se2_dexp, se2_dexp, se2_dexp_beyond, 3, 9)
LG_DIRECT_MAP(lg_se2_dexp_inv, se2_dexp_inv, se2_dexp_beyond, 3, 9)
LG_DIRECT_MAP_OF_TWO(lg_se2_dexp_inv_dual, se2_dexp_inv_dual, se2_dexp_beyond, 3, 3)
LG_DIRECT_MAP_OF_TWO(lg_se2_dexp_inv_dual_derivative, se2_dexp_inv_dual_derivative, se2_dexp_beyond, 3, 9)

/* ---- Cayley map ---- */

LG_DIRECT_WHOLE(lg_se2_cay, se2_cay, 3, 4)
LG_DIRECT_INVERSE(lg_se2_cay_inv, se2_cay_inv, 3, 4)
LG_DIRECT_WHOLE(lg_se2_dcay, se2_dcay, 3, 9)
LG_DIRECT_WHOLE(lg_se2_dcay_inv, se2_dcay_inv, 3, 9)
LG_DIRECT_BINARY(lg_se2_dcay_inv_dual, se2_dcay_inv_dual, 3, 3, 3)
LG_DIRECT_BINARY(lg_se2_dcay_inv_dual_derivative, se2_dcay_inv_dual_derivative, 3, 3, 9)
/* clang-format on */

/* ---- the descriptor ---- */

LG_ADAPT_GROUP(lg_se2, se2, 3, 4);

/* ---- coordinates of the second kind ---- */

static lg_status se2_second_kind_inv(const lg_group *G, double *xi, const double *g, void *work)
{
    (void)G, (void)work;
    xi[0] = g[0];
    xi[1] = g[1];
    xi[2] = lg_real_atan2(g[3], g[2]);
    return LG_OK;
}

static const lg_group_block se2_blocks[] = {
    {LG_BLOCK_POSITION, 0, 2, 0, 2, "x y"},
    {LG_BLOCK_PLANE_ROTATION, 2, 2, 2, 1, "theta"},
};

static const lg_group SE2 = {
    LG_ADAPTED,
    .name = "SE(2)",
    .kind = LG_KIND_SE2,
    .dim = 3,
    .element_size = 4,
    .matrix_size = 3,
    .residual = lg_blocks_residual,
    .random = lg_blocks_random,
    .second_kind_inv = se2_second_kind_inv,
    .block_count = 2,
    .blocks = se2_blocks,
};

const lg_group *lg_se2(void)
{
    return &SE2;
}
