/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies. */
#include "groups/rotation.h"
#include "multibody/parts/part.h"
#include "multibody/scene.h"
#include "scene/scene.h"

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
    {"gravity", "-", offsetof(lg_body, gravity)},
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
    if (m->reading) return LG_OK; /* the reader remarks on it */
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
        !lg_all_finite(own->attitude, 4) || !isfinite(own->gravity))
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
    m->weight[i] = mb_is_rotor(&m->plan, i) ? 0 : m->mass[i] * b->gravity;
    m->plan.whole_mass += mb_is_rotor(&m->plan, i) ? 0 : b->mass;
    memcpy(m->inertia + 9 * i, I, sizeof I);
    memcpy(m->inverse_inertia + 9 * i, inverse, sizeof inverse);
    memcpy(m->pose + 7 * i, p.r, sizeof p.r);
    memcpy(m->pose + 7 * i + 3, b->attitude, sizeof b->attitude);
    return LG_OK;
}

/* ---- looks ---- */

/* Sorts the joints by the bodies that they join. */
static void find_joints(const mb_maker *k)
{
    const int bodies = mb_seen(k->m, MB_BODIES), joints = mb_seen(k->m, MB_JOINTS);
    for (int pass = 0; pass < 2; pass++) { /* counts, then places; first[b + 1] is where the next joint of b goes */
        for (int b = 0, sum = 0; pass == 1 && b < bodies; b++) {
            const int count = k->first[b + 1];
            k->first[b + 1] = sum, sum += count;
        }
        for (int i = 0; i < joints; i++) {
            const int end[2] = {mb_look_host(k, k->m->joint[i].a), mb_look_host(k, k->m->joint[i].b)};
            for (int s = 0; s < (end[0] == end[1] ? 1 : 2); s++) {
                if (end[s] < 0) continue;
                if (pass == 1) k->at[k->first[end[s] + 1]] = i;
                k->first[end[s] + 1]++;
            }
        }
    }
}

/* The end of joint i on a body, from its centre of mass; NULL: it has none there, where a bar could end. */
static const double *anchor_on(const mb_maker *k, int i, int body)
{
    const mb_joint *j = &k->m->joint[i];
    const int a = mb_look_host(k, j->a), b = mb_look_host(k, j->b), other = a == body ? b : a;
    if (j->translational < 2) return NULL;
    if ((a != body && b != body) || (other >= 0 && k->shown[other] == MB_SHOWN_PART)) return NULL;
    return a == body ? j->anchor_a : j->anchor_b;
}

static double distance(const double *x, const double *y)
{
    const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    return lg_length(d, 3);
}

/* Neighbours differ. */
static int shade_of(int body)
{
    return body % 2 == 0 ? LG_SHADE_BODY : LG_SHADE_SECOND;
}

/* Is this the inertia of a rod that ends at x, from its centre: m |x|^2/3 across, little along it? */
static int is_rod(const lg_body *b, const double *x)
{
    const double r = lg_length(x, 3), full = b->mass * r * r / 3;
    double I[9], Ix[3];
    if (!(r > 0)) return 0;
    mb_inertia_matrix(I, b->inertia);
    lg_matvec(Ix, I, x, 3, 3);
    const double along = lg_dot(x, Ix, 3) / (r * r), across = (I[0] + I[4] + I[8] - along) / 2;
    return along < 0.2 * across && across > 0.5 * full && across < 2 * full;
}

/* A bar of a link between two points of a body, from its centre of mass. */
static void add_bar(const mb_maker *k, int body, const double *from, const double *to)
{
    lg_shape rod = lg_shape_default(MB_BODY(k->m, body)->name, LG_SHAPE_ROD, body);
    if (!(distance(from, to) > 1e-3 * k->size[body])) return;
    mb_look_from_centre(k, rod.position, body, from);
    mb_look_from_centre(k, rod.end, body, to);
    rod.dimensions[0] = 0.07 * k->size[body], rod.shade = shade_of(body);
    mb_look_add(k, &rod);
}

/* The bars of a link: from each joint to the next one, round if there are more than two; a rod on one
 * joint, whose tip leaves a trail. */
static void add_bars(const mb_maker *k, int body)
{
    const double *first = NULL, *last = NULL;
    int bars = 0;
    for (int n = k->first[body]; n < k->first[body + 1]; n++) {
        const double *x = anchor_on(k, k->at[n], body);
        if (x == NULL || (last != NULL && !(distance(x, last) > 1e-3 * k->size[body]))) continue;
        if (last != NULL) add_bar(k, body, last, x), bars++;
        if (first == NULL) first = x;
        last = x;
    }
    if (bars == 0 && first != NULL) {
        const double end[3] = {-first[0], -first[1], -first[2]};
        lg_shape tip = lg_shape_default("tip", LG_SHAPE_SPHERE, body);
        add_bar(k, body, first, end);
        mb_look_from_centre(k, tip.position, body, end);
        tip.dimensions[0] = 0.1 * k->size[body], tip.shade = LG_SHADE_MARK, tip.trail = 1;
        mb_look_add(k, &tip);
    } else if (bars > 1) {
        add_bar(k, body, last, first);
    }
}

static void find_sizes(const mb_maker *k)
{
    for (int b = 0; b < mb_seen(k->m, MB_BODIES); b++) {
        const double *I = MB_BODY(k->m, b)->inertia;
        k->size[b] = sqrt(6 * (I[0] + I[1] + I[2]) / MB_BODY(k->m, b)->mass);
    }
    for (int i = 0; i < mb_seen(k->m, MB_JOINTS); i++) {
        const mb_joint *j = &k->m->joint[i];
        const int a = mb_look_host(k, j->a), b = mb_look_host(k, j->b);
        if (a >= 0) k->size[a] = fmax(k->size[a], lg_length(j->anchor_a, 3));
        if (b >= 0) k->size[b] = fmax(k->size[b], lg_length(j->anchor_b, 3));
    }
}

/* Bodies with two joints apart, or one joint at the end of a rod, are links. Their size follows from joints alone. */
static void find_links(const mb_maker *k)
{
    for (int b = 0; b < mb_seen(k->m, MB_BODIES); b++) {
        const double *first = NULL;
        double reach = 0, apart = 0;
        for (int n = k->first[b]; n < k->first[b + 1]; n++) {
            const double *x = anchor_on(k, k->at[n], b);
            if (x == NULL) continue;
            if (first == NULL) first = x;
            reach = fmax(reach, lg_length(x, 3)), apart = fmax(apart, distance(x, first));
        }
        if (k->shown[b] != MB_SHOWN_BOX || first == NULL) continue;
        if (!(apart > 0.1 * reach) && !is_rod(MB_BODY(k->m, b), first)) continue;
        k->shown[b] = MB_SHOWN_LINK, k->size[b] = reach;
    }
}

void mb_look_bodies(const mb_maker *k)
{
    find_joints(k);
    find_sizes(k);
    find_links(k);
}

/* The box of mass and inertia. A needle or a plate keeps some thickness. */
static void add_box(const mb_maker *k, int body)
{
    const lg_body *b = MB_BODY(k->m, body);
    double I[9];
    lg_shape box = lg_shape_default(b->name, LG_SHAPE_BOX, body);
    mb_inertia_matrix(I, b->inertia);
    lg_shape_take_inertia(&box, b->mass, I);
    for (int i = 0; i < 3; i++) box.dimensions[i] = fmax(0.02 * k->size[body], box.dimensions[i]);
    memcpy(box.position, b->centre, sizeof box.position);
    box.shade = shade_of(body);
    mb_look_add(k, &box);
}

static void show_body(const mb_maker *k, int i)
{
    if (k->shown[i] == MB_SHOWN_BOX) add_box(k, i);
    if (k->shown[i] == MB_SHOWN_LINK) add_bars(k, i);
}

static const lg_body standard = {.size = sizeof standard, .attitude = {0, 0, 0, 1}, .gravity = 1};

const mb_part_kind mb_body_part = {
    .noun = "body",
    .size = LG_SIZED_AS(lg_body, position, "start from lg_body_default()"),
    .standard = &standard,
    .strings = 1,
    .string = {offsetof(lg_body, name)},
    .fields = fields,
    .check = check_body,
    .make = make_body,
    .show = show_body,
};
