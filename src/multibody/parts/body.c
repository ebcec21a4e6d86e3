/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies. */
#include "groups/rotation.h"
#include "multibody/parts/part.h"

static const mb_field fields[] = {
    {"mass", "kg", offsetof(lg_body, mass)},
    {"inertia_xx", "kg m^2", offsetof(lg_body, inertia[0])},
    {"inertia_yy", "kg m^2", offsetof(lg_body, inertia[1])},
    {"inertia_zz", "kg m^2", offsetof(lg_body, inertia[2])},
    {"inertia_xy", "kg m^2", offsetof(lg_body, inertia[3])},
    {"inertia_xz", "kg m^2", offsetof(lg_body, inertia[4])},
    {"inertia_yz", "kg m^2", offsetof(lg_body, inertia[5])},
    {"centre_x", "m", offsetof(lg_body, centre[0])},
    {"centre_y", "m", offsetof(lg_body, centre[1])},
    {"centre_z", "m", offsetof(lg_body, centre[2])},
    {"position_x", "m", offsetof(lg_body, position[0])},
    {"position_y", "m", offsetof(lg_body, position[1])},
    {"position_z", "m", offsetof(lg_body, position[2])},
    {NULL, NULL, 0},
};

/* The leading minors of the inertia, and the triangle inequality up to rounding: no rigid body violates it. */
static lg_status check_inertia(lg_mechanism *m, const lg_body *b)
{
    const double *I = b->inertia, xx = I[0], yy = I[1], zz = I[2], xy = I[3], xz = I[4], yz = I[5];
    const double second = xx * yy - xy * xy;
    const double third = zz * second - xx * yz * yz - yy * xz * xz + 2 * xy * xz * yz;
    if (!(xx > 0 && second > 0 && third > 0))
        return lg_fail(
            &m->error, LG_ERROR_ARGUMENT,
            "body '%.60s': inertia (xx, yy, zz, xy, xz, yz) = (%g, %g, %g, %g, %g, %g) is not positive definite",
            b->name, xx, yy, zz, xy, xz, yz);
    const double slack = 1e-9 * (xx + yy + zz);
    if (xx + yy < zz - slack || yy + zz < xx - slack || zz + xx < yy - slack)
        return lg_fail(
            &m->error, LG_ERROR_ARGUMENT,
            "body '%.60s': no distribution of mass has the inertia (xx, yy, zz) = (%g, %g, %g): each must be at "
            "most the sum of the other two",
            b->name, xx, yy, zz);
    return LG_OK;
}

static lg_status check_body(lg_mechanism *m, void *part)
{
    lg_body *own = part;
    if (!(own->mass > 0) || !isfinite(own->mass))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "body '%.60s': mass is %g kg; it must be positive and finite",
                       own->name, own->mass);
    if (!lg_all_finite(own->inertia, 6) || !lg_all_finite(own->centre, 3) || !lg_all_finite(own->position, 3) ||
        !lg_all_finite(own->attitude, 4))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "body '%.60s': a value is not finite", own->name);
    const lg_status st = check_inertia(m, own);
    if (st != LG_OK) return st;
    const double norm = lg_length(own->attitude, 4);
    if (fabs(norm - 1) > 1e-6)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "body '%.60s': attitude has length %g; it must be a unit quaternion", own->name, norm);
    for (int i = 0; i < 4; i++) own->attitude[i] /= norm;
    return LG_OK;
}

static lg_status make_body(lg_mechanism *m, int i)
{
    const lg_body *b = MB_BODY(m, i);
    const int shares = m->hub[m->hub[i].host].shares;
    double I[9];
    mb_inertia_matrix(I, b->inertia);
    for (int k = 0; k < 9; k++) I[k] /= shares;
    const double C[6] = {I[4] * I[8] - I[5] * I[5], I[2] * I[5] - I[1] * I[8], I[1] * I[5] - I[2] * I[4],
                         I[0] * I[8] - I[2] * I[2], I[1] * I[2] - I[0] * I[5], I[0] * I[4] - I[1] * I[1]};
    const double det = I[0] * C[0] + I[1] * C[1] + I[2] * C[2];
    const double inverse[9] = {C[0] / det, C[1] / det, C[2] / det, C[1] / det, C[3] / det,
                               C[4] / det, C[2] / det, C[4] / det, C[5] / det};
    const mb_placed p = mb_placed_of(m, i);
    m->mass[i] = b->mass / shares;
    m->plan.whole_mass += b->mass;
    memcpy(m->inertia + 9 * i, I, sizeof I);
    memcpy(m->inverse_inertia + 9 * i, inverse, sizeof inverse);
    memcpy(m->pose + 7 * i, p.r, sizeof p.r);
    memcpy(m->pose + 7 * i + 3, b->attitude, sizeof b->attitude);
    return LG_OK;
}

static const lg_body standard = {.size = sizeof standard, .attitude = {0, 0, 0, 1}};

const mb_part_kind mb_body_part = {
    .noun = "body",
    .size = LG_SIZED_AS(lg_body, position, "start from lg_body_default()"),
    .standard = &standard,
    .strings = 1,
    .string = {offsetof(lg_body, name)},
    .fields = fields,
    .check = check_body,
    .make = make_body,
};
