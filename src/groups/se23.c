/* SPDX-License-Identifier: BSD-3-Clause */
/* SE_2(3) as (position, velocity, unit quaternion): the public functions over the kernels of se23.h, and the
 * descriptor. References: docs/theory.md, section 2. */
#include <liegrp/groups/group.h>
#include <liegrp/groups/se23.h>

#include <math.h>
#include <string.h>
#include <liegrp/groups/so3.h>

#include "groups/adapter.h"
#include "groups/blocks.h"
#include "groups/euler.h"
#include "groups/nearest.h"
#include "groups/se23.h"

/* ---- group ---- */

void lg_se23_identity(double g[static 10])
{
    for (int i = 0; i < 9; i++) g[i] = 0.0;
    g[9] = 1.0;
}

LG_DIRECT_BINARY(lg_se23_compose, se23_compose, 10, 10, 10)
LG_DIRECT_WHOLE(lg_se23_inverse, se23_inverse, 10, 10)

void lg_se23_act(double y[static 3], const double g[static 10], const double p[static 3])
{
    double t[3];
    so3_rotate(t, g + 6, p);
    const double r[3] = {g[0] + t[0], g[1] + t[1], g[2] + t[2]};
    memcpy(y, r, sizeof r);
}

void lg_se23_act_inverse(double y[static 3], const double g[static 10], const double p[static 3])
{
    const double d[3] = {p[0] - g[0], p[1] - g[1], p[2] - g[2]};
    double t[3];
    so3_unrotate(t, g + 6, d);
    memcpy(y, t, sizeof t);
}

LG_DIRECT_DISTANCE(lg_se23_distance, se23, 9, 10)
LG_DIRECT_INTERPOLATE(lg_se23_interpolate, se23, 9, 10)

lg_status lg_se23_project(double r[static 10], const double g[static 10])
{
    double t[10];
    memcpy(t, g, sizeof t);
    const lg_status st = lg_unit(t + 6, g + 6, 4);
    if (st == LG_OK) memcpy(r, t, sizeof t);
    return st;
}

/* ---- conversions ---- */

void lg_se23_to_matrix(double T[static 25], const double g[static 10])
{
    se23_to_matrix(T, g);
}

LG_DIRECT_INVERSE(lg_se23_from_matrix, se23_from_matrix, 10, 25)

/* ---- algebra ---- */

void lg_se23_hat(double X[static 25], const double xi[static 9])
{
    se23_hat(X, xi);
}

void lg_se23_vee(double xi[static 9], const double X[static 25])
{
    const double t[9] = {
        X[4], X[9], X[14], X[3], X[8], X[13], 0.5 * (X[11] - X[7]), 0.5 * (X[2] - X[10]), 0.5 * (X[5] - X[1])};
    memcpy(xi, t, sizeof t);
}

LG_DIRECT_WHOLE(lg_se23_Ad, se23_Ad, 10, 81)
LG_DIRECT_BINARY(lg_se23_coAd_apply, se23_coAd, 10, 9, 9)
LG_DIRECT_WHOLE(lg_se23_ad, se23_ad, 9, 81)

/* (k x w, m x w, k x a + m x b + n x w). */
void lg_se23_coad_apply(double out[static 9], const double xi[static 9], const double p[static 9])
{
    double t[9], b[3], c[3];
    so3_cross(t, p, xi + 6);
    so3_cross(t + 3, p + 3, xi + 6);
    so3_cross(t + 6, p, xi);
    so3_cross(b, p + 3, xi + 3);
    so3_cross(c, p + 6, xi + 6);
    for (int i = 0; i < 3; i++) t[6 + i] = (t[6 + i] + b[i]) + c[i];
    memcpy(out, t, sizeof t);
}

/* ---- exponential ---- */

/* clang-format off */
LG_DIRECT_MAP(lg_se23_exp, se23_exp, se23_exp_beyond, 9, 10)
LG_DIRECT_INVERSE(lg_se23_log, se23_log, 9, 10)
LG_DIRECT_MAP(lg_se23_dexp, se23_dexp, se23_dexp_beyond, 9, 81)
LG_DIRECT_MAP(lg_se23_dexp_inv, se23_dexp_inv, se23_dexp_beyond, 9, 81)
LG_DIRECT_MAP_OF_TWO(lg_se23_dexp_inv_dual, se23_dexp_inv_dual, se23_dexp_beyond, 9, 9)
LG_DIRECT_MAP_OF_TWO(lg_se23_dexp_inv_dual_derivative, se23_dexp_inv_dual_derivative, se23_dexp_beyond, 9, 81)

/* ---- Cayley map ---- */

LG_DIRECT_WHOLE(lg_se23_cay, se23_cay, 9, 10)
LG_DIRECT_INVERSE(lg_se23_cay_inv, se23_cay_inv, 9, 10)
LG_DIRECT_WHOLE(lg_se23_dcay, se23_dcay, 9, 81)
LG_DIRECT_WHOLE(lg_se23_dcay_inv, se23_dcay_inv, 9, 81)
LG_DIRECT_BINARY(lg_se23_dcay_inv_dual, se23_dcay_inv_dual, 9, 9, 9)
LG_DIRECT_BINARY(lg_se23_dcay_inv_dual_derivative, se23_dcay_inv_dual_derivative, 9, 9, 81)
/* clang-format on */

/* ---- the descriptor ---- */

LG_ADAPT_GROUP(lg_se23, se23, 9, 10);

/* ---- coordinates of the second kind ---- */

static lg_status se23_second_kind_inv(const lg_group *G, double *xi, const double *g, void *work)
{
    (void)G, (void)work;
    memmove(xi, g, 6 * sizeof(double));
    return euler_angles(xi + 6, g + 6);
}

static const lg_group_block se23_blocks[] = {
    {LG_BLOCK_POSITION, 0, 3, 0, 3, "x y z"},
    {LG_BLOCK_VELOCITY, 3, 3, 3, 3, "vx vy vz"},
    {LG_BLOCK_QUATERNION, 6, 4, 6, 3, "qx qy qz qw"},
};

static const lg_group SE23 = {
    LG_ADAPTED,
    .name = "SE_2(3)",
    .kind = LG_KIND_SE23,
    .dim = 9,
    .element_size = 10,
    .matrix_size = 5,
    .residual = lg_blocks_residual,
    .random = lg_blocks_random,
    .second_kind_inv = se23_second_kind_inv,
    .block_count = 3,
    .blocks = se23_blocks,
};

const lg_group *lg_se23(void)
{
    return &SE23;
}
