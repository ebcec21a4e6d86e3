/* SPDX-License-Identifier: BSD-3-Clause */
/* SE(3) as (translation, unit quaternion): the public functions over the kernels of se3.h, and the descriptor.
 * References: docs/theory.md, section 2. */
#include <liegrp/groups/group.h>
#include <liegrp/groups/se3.h>

#include <math.h>
#include <string.h>
#include <liegrp/groups/so3.h>

#include "groups/adapter.h"
#include "groups/blocks.h"
#include "groups/euler.h"
#include "groups/nearest.h"
#include "groups/se3.h"

static void copy3(double *out, const double *in)
{
    for (int i = 0; i < 3; i++) out[i] = in[i];
}

/* g = (r, q) from a separately computed quaternion, so that g may be any of the inputs. */
static lg_status assemble(double *g, lg_status st, const double r[3], const double q[4])
{
    if (st != LG_OK) return st;
    copy3(g, r);
    for (int i = 0; i < 4; i++) g[3 + i] = q[i];
    return LG_OK;
}

/* ---- group ---- */

void lg_se3_identity(double g[static 7])
{
    for (int i = 0; i < 6; i++) g[i] = 0.0;
    g[6] = 1.0;
}

LG_DIRECT_BINARY(lg_se3_compose, se3_compose, 7, 7, 7)
LG_DIRECT_WHOLE(lg_se3_inverse, se3_inverse, 7, 7)
LG_DIRECT_BINARY(lg_se3_act, se3_act, 7, 3, 3)
LG_DIRECT_BINARY(lg_se3_act_inverse, se3_act_inverse, 7, 3, 3)
LG_DIRECT_DISTANCE(lg_se3_distance, se3, 6, 7)
LG_DIRECT_INTERPOLATE(lg_se3_interpolate, se3, 6, 7)

lg_status lg_se3_project(double r[static 7], const double g[static 7])
{
    const double t[3] = {g[0], g[1], g[2]};
    double q[4];
    const lg_status st = lg_unit(q, g + 3, 4);
    return assemble(r, st, t, q);
}

/* ---- conversions ---- */

void lg_se3_to_matrix(double T[static 16], const double g[static 7])
{
    se3_to_matrix(T, g);
}

LG_DIRECT_INVERSE(lg_se3_from_matrix, se3_from_matrix, 7, 16)

void lg_se3_to_wxyz(double r[static 3], double p[static 4], const double g[static 7])
{
    const double t[3] = {g[0], g[1], g[2]};
    lg_so3_to_wxyz(p, g + 3);
    copy3(r, t);
}

lg_status lg_se3_from_wxyz(double g[static 7], const double r[static 3], const double p[static 4])
{
    const double t[3] = {r[0], r[1], r[2]};
    double q[4];
    const lg_status st = lg_so3_from_wxyz(q, p);
    return assemble(g, st, t, q);
}

void lg_se3_to_rotation(double R[static 9], double r[static 3], const double g[static 7])
{
    const double t[3] = {g[0], g[1], g[2]};
    so3_to_matrix(R, g + 3);
    copy3(r, t);
}

lg_status lg_se3_from_rotation(double g[static 7], const double R[static 9], const double r[static 3])
{
    const double t[3] = {r[0], r[1], r[2]};
    double q[4];
    const lg_status st = lg_so3_from_matrix(q, R);
    return assemble(g, st, t, q);
}

/* ---- algebra ---- */

void lg_se3_hat(double X[static 16], const double xi[static 6])
{
    se3_hat(X, xi);
}

void lg_se3_vee(double xi[static 6], const double X[static 16])
{
    const double t[6] = {X[3], X[7], X[11], 0.5 * (X[9] - X[6]), 0.5 * (X[2] - X[8]), 0.5 * (X[4] - X[1])};
    for (int i = 0; i < 6; i++) xi[i] = t[i];
}

LG_DIRECT_WHOLE(lg_se3_Ad, se3_Ad, 7, 36)
LG_DIRECT_BINARY(lg_se3_coAd_apply, se3_coAd, 7, 6, 6)
LG_DIRECT_WHOLE(lg_se3_ad, se3_ad, 6, 36)

/* (m x w, m x v + n x w). */
void lg_se3_coad_apply(double out[static 6], const double xi[static 6], const double p[static 6])
{
    double a[3], b[3], c[3];
    so3_cross(a, p, xi + 3);
    so3_cross(b, p, xi);
    so3_cross(c, p + 3, xi + 3);
    copy3(out, a);
    for (int i = 0; i < 3; i++) out[3 + i] = b[i] + c[i];
}

/* ---- exponential ---- */

/* clang-format off */
LG_DIRECT_MAP(lg_se3_exp, se3_exp, se3_exp_beyond, 6, 7)
LG_DIRECT_INVERSE(lg_se3_log, se3_log, 6, 7)
LG_DIRECT_MAP(lg_se3_dexp, se3_dexp, se3_dexp_beyond, 6, 36)
LG_DIRECT_MAP(lg_se3_dexp_inv, se3_dexp_inv, se3_dexp_beyond, 6, 36)
LG_DIRECT_MAP_OF_TWO(lg_se3_dexp_inv_dual, se3_dexp_inv_dual, se3_dexp_beyond, 6, 6)
LG_DIRECT_MAP_OF_TWO(lg_se3_dexp_inv_dual_derivative, se3_dexp_inv_dual_derivative, se3_dexp_beyond, 6, 36)

/* ---- Cayley map ---- */

LG_DIRECT_WHOLE(lg_se3_cay, se3_cay, 6, 7)
LG_DIRECT_INVERSE(lg_se3_cay_inv, se3_cay_inv, 6, 7)
LG_DIRECT_WHOLE(lg_se3_dcay, se3_dcay, 6, 36)
LG_DIRECT_WHOLE(lg_se3_dcay_inv, se3_dcay_inv, 6, 36)
LG_DIRECT_BINARY(lg_se3_dcay_inv_dual, se3_dcay_inv_dual, 6, 6, 6)
LG_DIRECT_BINARY(lg_se3_dcay_inv_dual_derivative, se3_dcay_inv_dual_derivative, 6, 6, 36)
/* clang-format on */

/* ---- the descriptor ---- */

LG_ADAPT_GROUP(lg_se3, se3, 6, 7);

/* ---- coordinates of the second kind ---- */

static lg_status se3_second_kind_inv(const lg_group *G, double *xi, const double *g, void *work)
{
    (void)G, (void)work;
    memcpy(xi, g, 3 * sizeof(double));
    return euler_angles(xi + 3, g + 3);
}

static const lg_group_block se3_blocks[] = {
    {LG_BLOCK_POSITION, 0, 3, 0, 3, "x y z"},
    {LG_BLOCK_QUATERNION, 3, 4, 3, 3, "qx qy qz qw"},
};

static const lg_group SE3 = {
    LG_ADAPTED,
    .name = "SE(3)",
    .kind = LG_KIND_SE3,
    .dim = 6,
    .element_size = 7,
    .matrix_size = 4,
    .residual = lg_blocks_residual,
    .random = lg_blocks_random,
    .second_kind_inv = se3_second_kind_inv,
    .block_count = 2,
    .blocks = se3_blocks,
};

const lg_group *lg_se3(void)
{
    return &SE3;
}
