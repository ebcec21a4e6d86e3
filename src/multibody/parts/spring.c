/* SPDX-License-Identifier: BSD-3-Clause */
/* Springs and dampers between two points. */
#include "multibody/forces/force.h"
#include "multibody/parts/part.h"
#include "multibody/scene.h"

static const mb_field fields[] = {
    {"stiffness", "N/m", offsetof(lg_spring, stiffness)},
    {"rest", "m", offsetof(lg_spring, rest)},
    {"damping", "N s/m", offsetof(lg_spring, damping)},
    {NULL, NULL, 0},
};

static lg_status check_spring(lg_mechanism *m, void *part)
{
    const lg_spring *own = part;
    if (!lg_all_finite(own->parent_point, 3) || !lg_all_finite(own->child_point, 3) || !(own->stiffness >= 0) ||
        !(own->damping >= 0) || !isfinite(own->stiffness + own->damping + own->rest))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "spring '%.60s': stiffness %g and damping %g must not be negative, and all values finite",
                       own->name, own->stiffness, own->damping);
    return LG_OK;
}

static lg_status make_spring(lg_mechanism *m, int i)
{
    const lg_spring *from = MB_SPRING_OF(m, i);
    mb_force *s = mb_force_add(m, MB_LAW_drive, -1, from->stiffness, from->damping);
    const lg_status st = mb_both_bodies(m, "spring", from->name, from->parent, from->child, &s->a, &s->b);
    if (st != LG_OK) return st;
    const mb_placed a = mb_placed_of(m, s->a), b = mb_placed_of(m, s->b);
    mb_anchor(s->point_a, &a, from->parent_point);
    mb_anchor(s->point_b, &b, from->child_point);
    s->rest = from->rest >= 0 ? from->rest : mb_apart_at_assembly(&a, s->point_a, &b, s->point_b);
    return LG_OK;
}

static void show_spring(const mb_maker *k, int i)
{
    const mb_force *s = &k->m->plan.line[i];
    const int a = mb_look_host(k, s->a), b = mb_look_host(k, s->b);
    mb_look_arm(k, a, s->point_a);
    mb_look_arm(k, b, s->point_b);
    mb_look_rod(k, MB_SPRING_OF(k->m, i)->name, a, b, s->point_a, s->point_b, LG_SHADE_MARK);
}

static const lg_spring standard = {.size = sizeof standard, .rest = -1};

const mb_part_kind mb_spring_part = {
    .noun = "spring",
    .size = LG_SIZED_AS(lg_spring, rest, "start from lg_spring_default()"),
    .standard = &standard,
    .strings = 3,
    .string = {offsetof(lg_spring, name), offsetof(lg_spring, parent), offsetof(lg_spring, child)},
    .fields = fields,
    .check = check_spring,
    .make = make_spring,
    .show = show_spring,
};
