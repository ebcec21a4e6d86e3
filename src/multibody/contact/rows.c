/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaps and rows of contacts, on `real`: derivatives of steps evaluate those of points, balls, round shapes and
 * coordinates over numbers that carry them (derivative.c). */
#include "multibody/contact/contact.h"

#include <math.h>

/* ---- points ---- */

/* Normals of spheres have directions across them that follow smoothly but at one point, that opposite to `pole`. */
static void across_of(mb_meeting *k, double pole)
{
    const real size = root(small_dot(3, k->normal, k->normal)), *n = k->normal;
    for (int i = 0; i < 2; i++) {
        const real g = n[i] / (size + pole * n[2]);
        for (int c = 0; c < 3; c++) k->across[i][c] = (c == i ? 1 : 0) - g * ((c == 2 ? pole : 0) + n[c] / size);
    }
}

static void column(real *y, const real *R, const double *F, int i)
{
    mb_axis(y, R, F, i);
}

/* From the plane's point on a, or from a line, to the place on b. */
static void apart(real *d, const mb_contact *c, const mb_site *at, real *xa, real *xb)
{
    const mb_pose *a = &at->pose[c->body[0]], *b = &at->pose[c->body[1]];
    mb_turn_constant(xa, a->R, c->at[0]);
    mb_turn_constant(xb, b->R, c->at[1]);
    for (int k = 0; k < 3; k++) d[k] = (b->r[k] - a->r[k]) + (xb[k] - xa[k]);
    if (c->kind != MB_CONTACT_LINE) return;
    real e[3];
    column(e, a->R, c->frame[0], 2);
    const real along = small_dot(3, e, d);
    for (int k = 0; k < 3; k++) d[k] -= along * e[k], xa[k] += along * e[k];
}

/* ---- rows ---- */

/* Two coefficients: the first tangent is along the heading and shorter by their ratio, so that the impulses of both
 * rows are in a disc. Without a heading both are. */
static void head(mb_meeting *k, const mb_contact *c, const real *R)
{
    real axis[3], side[3], along[3];
    column(axis, R, c->frame[1], c->axle < 0 ? 0 : c->axle);
    small_cross(side, k->normal, axis);
    if (c->axle < 0)
        small_cross(along, side, k->normal);
    else
        for (int i = 0; i < 3; i++) along[i] = -side[i];
    small_cross(side, k->normal, along);
    const real size = root(small_dot(3, along, along)), across = root(small_dot(3, side, side));
    const mask none = size < 1e-6;
    for (int i = 0; i < 3; i++) {
        k->across[0][i] = c->along * (none ? k->across[0][i] : along[i] / size);
        k->across[1][i] = none ? c->along * k->across[1][i] : side[i] / across;
    }
}

/* Both tangents, where body b's material slides on a's. */
static void tangents(const mb_contact *c, mb_pair *row, mb_meeting *k, const mb_site *at)
{
    real none;
    if (c->along < 1) head(k, c, at->pose[c->body[1]].R);
    for (int i = 0; i < 2 && c->rows == 3; i++)
        mb_row_along(row + 2 + 2 * i, &none, k->across[i], k->xa, k->xb, k->xa, 1);
}

static void plane_axes(mb_meeting *k, const mb_contact *c, const mb_site *at)
{
    const real *R = at->pose[c->body[0]].R;
    column(k->normal, R, c->frame[0], 2);
    for (int i = 0; i < 2; i++) column(k->across[i], R, c->frame[0], i);
}

/* A point of b, or a sphere about it, on a plane of a. */
static void point_rows(mb_meeting *k, const mb_contact *c, mb_pair *row, const mb_site *at)
{
    real d[3], value;
    plane_axes(k, c, at);
    apart(d, c, at, k->xa, k->xb);
    mb_row_along(row, &value, k->normal, k->xa, k->xb, d, 0);
    for (int i = 0; i < 3; i++) {
        const real down = c->radius[1] * k->normal[i];
        k->xb[i] -= down, k->xa[i] += d[i] - down;
    }
    tangents(c, row, k, at);
}

/* D A^T n in the axes of a round shape, A = R F: the point Y = A D y/|y| has the greatest n.Y, which is s = |y|. */
static real support(real *y, const mb_contact *c, const real *R, const real *n)
{
    real axis[3];
    for (int i = 0; i < 3; i++) {
        column(axis, R, c->frame[1], i);
        y[i] = c->half[i] * small_dot(3, axis, n);
    }
    return root(small_dot(3, y, y));
}

/* Between two nodes h Y.(w x n) = s_0 - s_1 with Y = F D (y_0 + y_1)/(s_0 + s_1), and R^-T turns the torque in the body
 * into space, R being the mean of both rotations. */
static void round_rows(mb_meeting *k, const mb_contact *c, mb_pair *row, const mb_site *at)
{
    const int b = c->body[1];
    const real *R = at->pose[b].R;
    real y0[3], y1[3], Y[3], d[3], arm[3], lever[3], back[3], cofactor[3];
    plane_axes(k, c, at);
    apart(d, c, at, k->xa, k->xb);
    const real s = support(y0, c, at->p0[b].R, k->normal) + support(y1, c, at->p1[b].R, k->normal);
    for (int i = 0; i < 3; i++) Y[i] = splat(0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3 && s > 0; j++) Y[i] += c->frame[1][3 * i + j] * c->half[j] * (y0[j] + y1[j]) / s;
    for (int i = 0; i < 3; i++) arm[i] = c->at[1][i] - Y[i];
    mb_turn(lever, R, arm);
    mb_back(back, R, k->normal), mb_turn(back, R, back);
    small_cross(cofactor, R + 3, R + 6);
    const real det = small_dot(3, R, cofactor);
    small_cross(row[1].v + 3, lever, back);
    for (int i = 0; i < 3; i++) {
        row[1].v[i] = k->normal[i], row[1].v[3 + i] /= det, row[0].v[i] = -k->normal[i];
        k->xb[i] = lever[i] - c->radius[1] * k->normal[i], k->xa[i] += d[i] - small_dot(3, R + 3 * i, Y);
        k->xa[i] -= c->radius[1] * k->normal[i];
    }
    small_cross(row[0].v + 3, k->normal, k->xa);
    tangents(c, row, k, at);
}

/* n = (D_0 + D_1)/(|D_0| + |D_1|) is no unit vector. */
static void sphere_rows(mb_meeting *k, const mb_contact *c, mb_pair *row, const mb_site *at)
{
    const mb_site first = {.pose = at->p0}, last = {.pose = at->p1};
    real d0[3], d1[3], value, xa[3], xb[3];
    apart(d0, c, &first, k->xa, k->xb), apart(d1, c, &last, k->xa, k->xb);
    const real s = root(small_dot(3, d0, d0)) + root(small_dot(3, d1, d1));
    for (int i = 0; i < 3; i++) k->normal[i] = (d0[i] + d1[i]) / s;
    across_of(k, d0[2] < 0 ? -1 : 1);
    apart(d1, c, at, xa, xb);
    mb_row_along(row, &value, k->normal, xa, xb, d1, 1);
    for (int i = 0; i < 3; i++)
        k->xa[i] = xa[i] + c->radius[0] * k->normal[i], k->xb[i] = xb[i] - c->radius[1] * k->normal[i];
    tangents(c, row, k, at);
}

static void rows_of(const mb_plan *plan, const mb_contact *c, mb_meeting *k, mb_pair *row, const mb_site *at)
{
    switch (c->kind) {
    case MB_CONTACT_STOP:
    case MB_CONTACT_DRY:
        mb_coordinate_row(plan, c->source, row, at, c->body[0], c->body[1]);
        for (int i = 0; i < 12; i++) row[i / 6].v[i % 6] *= c->side;
        break;
    case MB_CONTACT_POINT:
        point_rows(k, c, row, at);
        break;
    case MB_CONTACT_ROUND:
        round_rows(k, c, row, at);
        break;
    case MB_CONTACT_SPHERES:
    case MB_CONTACT_LINE:
        sphere_rows(k, c, row, at);
        break;
    default:
#if LANES == 1
        mb_shapes_rows(c, k, row, at);
        across_of(k, k->normal[2] < 0 ? -1 : 1);
        tangents(c, row, k, at);
#endif
        break;
    }
}

LG_ENGINE void mb_contact_rows(const mb_plan *plan, const mb_contact *c, mb_pair *row, const mb_site *at)
{
    mb_meeting k;
    rows_of(plan, c, &k, row, at);
}

#if LANES == 1

void mb_contact_where(const mb_contact *c, const mb_node *n, double *point, double *normal)
{
    const mb_site at = {NULL, n->pose, n->pose, n->pose, NULL, NULL, NULL};
    mb_pair row[MB_CONTACT_PARTS];
    mb_meeting k;
    rows_of(NULL, c, &k, row, &at);
    for (int i = 0; i < 3; i++) point[i] = n->pose[c->body[1]].r[i] + k.xb[i], normal[i] = k.normal[i];
}

#endif

/* ---- gaps ---- */

LG_ENGINE real mb_contact_gap(const mb_plan *plan, const mb_contact *c, const mb_node *n)
{
    const mb_site at = {.pose = n->pose};
    real d[3], xa[3], xb[3], y[3];
    mb_meeting k;
    (void)plan;
    if (c->kind == MB_CONTACT_STOP) return c->side * (n->q[c->source] - c->limit);
    if (c->kind == MB_CONTACT_DRY) return splat(0);
#if LANES == 1
    if (c->kind >= MB_CONTACT_RIM) return mb_shapes_gap(c, n->pose);
#endif
    apart(d, c, &at, xa, xb);
    if (c->kind == MB_CONTACT_SPHERES || c->kind == MB_CONTACT_LINE)
        return root(small_dot(3, d, d)) - (c->radius[0] + c->radius[1]);
    plane_axes(&k, c, &at);
    const real height = small_dot(3, k.normal, d) - c->radius[1];
    return c->kind == MB_CONTACT_POINT ? height : height - support(y, c, n->pose[c->body[1]].R, k.normal);
}

#if LANES == 1

/* A face lies flat on a plane below this tilt, in rad. */
#define MB_FLAT 1e-10

int mb_contact_rests(const mb_contact *c, const mb_node *n)
{
    double axis[3], normal[3], x[3];
    if (c->face == 0) return 0;
    column(normal, n->pose[c->body[0]].R, c->frame[0], 2);
    column(axis, n->pose[c->body[1]].R, c->frame[1], 2);
    small_cross(x, axis, normal);
    return (small_dot(3, x, x) < MB_FLAT * MB_FLAT) == (c->face > 0);
}

#endif
