/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of mechanisms with few words, and starts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/scene.h>

#include "multibody/gallery/gallery.h"
#include "multibody/motion.h"

void mb_build_body(mb_builder *g, const char *name, double mass, double xx, double yy, double zz,
                   const double *position)
{
    lg_body b = lg_body_default(name);
    b.mass = mass;
    b.inertia[0] = xx, b.inertia[1] = yy, b.inertia[2] = zz;
    memcpy(b.position, position, sizeof b.position);
    if (g->status == LG_OK) g->status = lg_mechanism_add_body(g->m, NULL, &b);
}

void mb_build_rod(mb_builder *g, const char *name, double mass, const double *from, const double *to)
{
    lg_body b = lg_body_default(name);
    double d[3], length = 0;
    for (int k = 0; k < 3; k++) {
        b.position[k] = 0.5 * (from[k] + to[k]);
        d[k] = to[k] - from[k];
        length += d[k] * d[k];
    }
    const double along = mass * length / 12;
    length = sqrt(length);
    for (int k = 0; k < 3; k++) d[k] /= length;
    b.mass = mass;
    /* along (1 - d d^T), and a tenth of it about the rod itself */
    for (int k = 0; k < 3; k++) b.inertia[k] = along * (1 - 0.9 * d[k] * d[k]);
    b.inertia[3] = -0.9 * along * d[0] * d[1];
    b.inertia[4] = -0.9 * along * d[0] * d[2];
    b.inertia[5] = -0.9 * along * d[1] * d[2];
    if (g->status == LG_OK) g->status = lg_mechanism_add_body(g->m, NULL, &b);
}

void mb_build_damped(mb_builder *g, const char *name, const char *parent, const char *child, const double *point,
                     const double *axis, double damping)
{
    lg_joint j = lg_joint_default(name, LG_JOINT_REVOLUTE, parent, child);
    memcpy(j.point, point, sizeof j.point), memcpy(j.axis, axis, sizeof j.axis);
    j.damping = damping;
    if (g->status == LG_OK) g->status = lg_mechanism_add_joint(g->m, NULL, &j);
}

void mb_build_hinge(mb_builder *g, const char *name, const char *parent, const char *child, const double *point,
                    const double *axis)
{
    mb_build_damped(g, name, parent, child, point, axis, 0);
}

void mb_build_wheel(mb_builder *g, const char *name, const char *body, double radius, lg_contact contact)
{
    lg_wheel w = lg_wheel_default(name, body);
    w.radius = radius, w.contact = contact;
    if (g->status == LG_OK) g->status = lg_mechanism_add_wheel(g->m, NULL, &w);
}

void mb_build_motor(mb_builder *g, const char *name, const char *joint)
{
    const lg_motor motor = lg_motor_default(name, joint);
    if (g->status == LG_OK) g->status = lg_mechanism_add_motor(g->m, NULL, &motor);
}

void mb_build_bar(mb_builder *g, const char *name, int body, double radius, int shade, const double *from,
                  const double *to)
{
    lg_shape rod = lg_shape_default(name, LG_SHAPE_ROD, body);
    rod.dimensions[0] = radius, rod.shade = shade;
    memcpy(rod.position, from, sizeof rod.position), memcpy(rod.end, to, sizeof rod.end);
    if (g->status == LG_OK) g->status = lg_mechanism_add_shape(g->m, NULL, &rod);
}

void mb_build_bars(mb_builder *g, int body, double radius, int shade, const double (*place)[3], int count)
{
    static const double world[3] = {0, 0, 0};
    if (g->status != LG_OK) return;
    const double *origin = body >= 0 ? MB_BODY(g->m, body)->position : world;
    const char *name = body >= 0 ? MB_BODY(g->m, body)->name : "base";
    for (int i = 0; i + 1 < count; i++) {
        double end[2][3];
        for (int k = 0; k < 6; k++) end[k / 3][k % 3] = place[i + k / 3][k % 3] - origin[k % 3];
        mb_build_bar(g, name, body, radius, shade, end[0], end[1]);
    }
}

void mb_build_tip(mb_builder *g, int body, double radius, const double *place)
{
    lg_shape tip = lg_shape_default("tip", LG_SHAPE_SPHERE, body);
    if (g->status != LG_OK) return;
    for (int k = 0; k < 3; k++) tip.position[k] = place[k] - MB_BODY(g->m, body)->position[k];
    tip.dimensions[0] = radius, tip.shade = LG_SHADE_MARK, tip.trail = 1;
    g->status = lg_mechanism_add_shape(g->m, NULL, &tip);
}

lg_status mb_start_at_rest(mb_sparse *mo)
{
    return mb_sparse_start(mo, 0, NULL, NULL, 1);
}

lg_status mb_start_with(mb_sparse *mo, const mb_rate *rates, int count)
{
    double *v = calloc((size_t)lg_motion_position_count(&mo->head) + 1, sizeof *v);
    if (v == NULL) return LG_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        const int at = lg_motion_joint_index(&mo->head, NULL, lg_mechanism_joint(mo->mechanism, rates[i].joint));
        if (at >= 0) v[at] = rates[i].rate;
    }
    const lg_status st = mb_sparse_start(mo, 0, NULL, v, 1);
    free(v);
    return st;
}

lg_status mb_start_driven(mb_sparse *mo, const char *joint, double rate)
{
    const int count = lg_motion_position_count(&mo->head), j = lg_mechanism_joint(mo->mechanism, joint);
    double *v = calloc((size_t)count + 1, sizeof *v), got;
    if (v == NULL) return LG_ERROR_MEMORY;
    for (int i = 0; i < count; i++) v[i] = 1;
    lg_status st = mb_sparse_start(mo, 0, NULL, v, 1);
    if (st == LG_OK) st = lg_motion_joint(&mo->head, NULL, &got, j);
    if (st == LG_OK) st = lg_motion_positions(&mo->head, NULL, v);
    for (int i = 0; st == LG_OK && i < count; i++) v[i] *= rate / got;
    if (st == LG_OK) st = mb_sparse_start(mo, 0, NULL, v, 1);
    free(v);
    return st;
}
