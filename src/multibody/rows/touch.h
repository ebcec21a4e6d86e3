/* SPDX-License-Identifier: BSD-3-Clause */
/* touch.h: two spheres touch, +-(d.d - l^2)/(2 l) = 0, d between their centres: l is the sum of the radii, or their
 * difference where one is inside the other. The sign makes the force that presses them together positive. */
#ifndef LG_MULTIBODY_TOUCH_H
#define LG_MULTIBODY_TOUCH_H

#include "multibody/rows/distance.h"

typedef struct mb_spheres {
    mb_joint line; /* between the centres; the third axis of frame_a is along it at assembly */
    double ra, rb; /* from the centres to the point of contact, along d from a and against it from b */
} mb_spheres;

KERNEL const mb_spheres *mb_spheres_of(const mb_plan *plan, const mb_block *k)
{
    return &((const mb_spheres *)plan->made[MB_SPHERE_CONTACTS])[k->source];
}

static inline double mb_spheres_sign(const mb_spheres *s)
{
    return s->rb < 0 ? -1 : 1;
}

KERNEL void mb_touch_rows(const mb_plan *plan, const mb_block *k, mb_pair *row, real *phi, const mb_site *at)
{
    const mb_spheres *s = mb_spheres_of(plan, k);
    const mb_pose *a = &at->pose[at->body[0]], *b = &at->pose[at->body[1]];
    real xa[3], xb[3], d[3];
    mb_distance(&s->line, a->r, a->R, b->r, b->R, xa, xb, d);
    mb_distance_row(&s->line, row, phi, xa, xb, d);
    *phi = mb_spheres_sign(s) * *phi;
    for (int i = 0; i < 12; i++) row[i / 6].v[i % 6] = mb_spheres_sign(s) * row[i / 6].v[i % 6];
}

KERNEL void mb_touch_bend(const mb_plan *plan, const mb_block *k, real *bend, const mb_site *at)
{
    const mb_spheres *s = mb_spheres_of(plan, k);
    const mb_ends e = mb_ends_of(at, at->body[0], at->body[1]);
    mb_moving d;
    mb_moving_distance(&d, &s->line, &e);
    *bend = mb_spheres_sign(s) * mb_distance_bend(&s->line, &d);
}

#endif
