/* SPDX-License-Identifier: BSD-3-Clause */
/* SO(3) as unit quaternions (x, y, z, w): the public functions over the kernels of so3.h, and the descriptor.
 * References: docs/theory.md, section 2; S. Shepperd, J. Guidance Control 1 (1978), for the
 * quaternion of a matrix; N. Higham, SIAM J. Sci. Stat. Comput. 7 (1986), for Newton's iteration to the polar factor.
 */
#include <liegrp/groups/group.h>
#include <liegrp/groups/so3.h>

#include <math.h>
#include <string.h>

#include "groups/adapter.h"
#include "groups/blocks.h"
#include "groups/euler.h"
#include "groups/rotation.h"
#include "groups/so3.h"

#include <stdint.h>

/* ---- group ---- */

void lg_so3_identity(double q[static 4])
{
    q[0] = q[1] = q[2] = 0.0;
    q[3] = 1.0;
}

/* The product of so3_compose() in two pairs, (x, y) and (z, w), on two-wide registers: the same operations in the same
 * order, hence the same bits, signs of zeros included, in five sixths of the time. */
typedef double pair __attribute__((vector_size(16)));
typedef int64_t pair_bits __attribute__((vector_size(16)));
typedef double loose_pair __attribute__((vector_size(16), aligned(8), may_alias));

static inline pair pair_at(const double *p)
{
    return *(const loose_pair *)p;
}

static inline pair flip(pair a, pair_bits signs)
{
    return (pair)((pair_bits)a ^ signs);
}

void lg_so3_compose(double r[static 4], const double a[static 4], const double b[static 4])
{
    const pair aw = {a[3], a[3]}, bw = {b[3], b[3]}, bzx = {b[2], b[0]}, azx = {a[2], a[0]};
    const pair azx2 = {a[2], -a[0]}, byy = {b[1], b[1]}, bxz = {b[0], b[2]}, bwx = {b[3], b[0]};
    const pair_bits first = {INT64_MIN, 0}, second = {0, INT64_MIN};
    const pair cross = pair_at(a) * byy + flip(pair_at(a + 1) * bxz, first); /* x y' - y x', y y' + z z' */
    const pair xy = (aw * pair_at(b) + pair_at(a) * bw) + (pair_at(a + 1) * bzx - azx * pair_at(b + 1));
    const pair zw = (aw * pair_at(b + 2) + azx2 * bwx) + flip(cross, second);
    *(loose_pair *)r = xy;
    *(loose_pair *)(r + 2) = zw;
}

LG_DIRECT_WHOLE(lg_so3_inverse, so3_inverse, 4, 4)
LG_DIRECT_BINARY(lg_so3_act, so3_rotate, 4, 3, 3)
LG_DIRECT_BINARY(lg_so3_act_inverse, so3_unrotate, 4, 3, 3)
LG_DIRECT_DISTANCE(lg_so3_distance, so3, 3, 4)
LG_DIRECT_INTERPOLATE(lg_so3_interpolate, so3, 3, 4)

lg_status lg_so3_project(double r[static 4], const double q[static 4])
{
    return lg_unit(r, q, 4);
}

/* ---- conversions ---- */

LG_DIRECT_WHOLE(lg_so3_to_matrix, so3_to_matrix, 4, 9)

LG_DIRECT_INVERSE(lg_so3_from_matrix, so3_from_matrix, 4, 9)

void lg_so3_to_wxyz(double p[static 4], const double q[static 4])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    p[0] = w;
    p[1] = x;
    p[2] = y;
    p[3] = z;
}

lg_status lg_so3_from_wxyz(double q[static 4], const double p[static 4])
{
    const double t[4] = {p[1], p[2], p[3], p[0]};
    return lg_unit(q, t, 4);
}

lg_status lg_so3_from_axis_angle(double q[static 4], const double axis[static 3], double angle)
{
    double u[3], s, c;
    const lg_status st = lg_unit(u, axis, 3);
    if (st != LG_OK) return st;
    lane_sincos(0.5 * angle, &s, &c);
    for (int i = 0; i < 3; i++) q[i] = s * u[i];
    q[3] = c;
    return LG_OK;
}

lg_status lg_so3_to_axis_angle(double axis[static 3], double *angle, const double q[static 4])
{
    double w[3], u[3] = {1, 0, 0};
    if (so3_log(w, q)) return LG_ERROR_DOMAIN;
    const double t = lg_length(w, 3);
    if (!(t <= 0.0) && lg_unit(u, w, 3) != LG_OK) return LG_ERROR_DOMAIN;
    for (int i = 0; i < 3; i++) axis[i] = u[i];
    *angle = t;
    return LG_OK;
}

/* ---- algebra ---- */

LG_DIRECT_WHOLE(lg_so3_hat, so3_hat, 3, 9)

void lg_so3_vee(double w[static 3], const double W[static 9])
{
    const double x = 0.5 * (W[7] - W[5]), y = 0.5 * (W[2] - W[6]), z = 0.5 * (W[3] - W[1]);
    w[0] = x;
    w[1] = y;
    w[2] = z;
}

LG_DIRECT_WHOLE(lg_so3_Ad, so3_to_matrix, 4, 9)
LG_DIRECT_BINARY(lg_so3_coAd_apply, so3_unrotate, 4, 3, 3)
LG_DIRECT_WHOLE(lg_so3_ad, so3_hat, 3, 9)

void lg_so3_coad_apply(double out[static 3], const double w[static 3], const double p[static 3])
{
    so3_cross(out, p, w);
}

/* ---- exponential ---- */

/* clang-format off */
LG_DIRECT_MAP(lg_so3_exp, so3_exp, so3_exp_beyond, 3, 4)
LG_DIRECT_INVERSE(lg_so3_log, so3_log, 3, 4)
LG_DIRECT_MAP(lg_so3_dexp, so3_dexp, so3_dexp_beyond, 3, 9)
LG_DIRECT_MAP(lg_so3_dexp_inv, so3_dexp_inv, so3_dexp_beyond, 3, 9)
LG_DIRECT_MAP_OF_TWO(lg_so3_dexp_inv_dual, so3_dexp_inv_dual, so3_dexp_beyond, 3, 3)
LG_DIRECT_MAP_OF_TWO(lg_so3_dexp_inv_dual_derivative, so3_dexp_inv_dual_derivative, so3_dexp_beyond, 3, 9)

/* ---- Cayley map ---- */

LG_DIRECT_WHOLE(lg_so3_cay, so3_cay, 3, 4)
LG_DIRECT_INVERSE(lg_so3_cay_inv, so3_cay_inv, 3, 4)
LG_DIRECT_WHOLE(lg_so3_dcay, so3_dcay, 3, 9)
LG_DIRECT_WHOLE(lg_so3_dcay_inv, so3_dcay_inv, 3, 9)
LG_DIRECT_BINARY(lg_so3_dcay_inv_dual, so3_dcay_inv_dual, 3, 3, 3)
LG_DIRECT_BINARY(lg_so3_dcay_inv_dual_derivative, so3_dcay_inv_dual_derivative, 3, 3, 9)
/* clang-format on */

/* ---- the descriptor ---- */

LG_ADAPT_GROUP(lg_so3, so3, 3, 4);

/* ---- coordinates of the second kind ---- */

static lg_status so3_second_kind_inv(const lg_group *G, double *xi, const double *g, void *work)
{
    (void)G, (void)work;
    return euler_angles(xi, g);
}

static const lg_group_block so3_blocks[] = {{.kind = LG_BLOCK_QUATERNION, .names = "qx qy qz qw"}};

static const lg_group SO3 = {
    LG_ADAPTED,
    .name = "SO(3)",
    .kind = LG_KIND_SO3,
    .dim = 3,
    .element_size = 4,
    .matrix_size = 3,
    .residual = lg_blocks_residual,
    .random = lg_blocks_random,
    .second_kind_inv = so3_second_kind_inv,
    .block_count = 1,
    .blocks = so3_blocks,
};

const lg_group *lg_so3(void)
{
    return &SO3;
}
