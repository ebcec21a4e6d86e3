/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of mechanisms with few words, and starts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
