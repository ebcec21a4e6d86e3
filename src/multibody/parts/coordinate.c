/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates: names and numbers of positions of joints. */
#include "multibody/forces/force.h"
#include "multibody/parts/part.h"

static const mb_field fields[] = {
    {"stiffness", "N/m, N m/rad", offsetof(lg_coordinate, stiffness)},
    {"rest", "m, rad", offsetof(lg_coordinate, rest)},
    {"damping", "N s/m, N m s/rad", offsetof(lg_coordinate, damping)},
    {"friction", "N, N m", offsetof(lg_coordinate, friction)},
    {"friction_speed", "m/s, rad/s", offsetof(lg_coordinate, friction_speed)},
    {"armature", "kg, kg m^2", offsetof(lg_coordinate, armature)},
    {NULL, NULL, 0},
};

static lg_status check_coordinate(lg_mechanism *m, void *part)
{
    const lg_coordinate *own = part;
    const double values[] = {own->stiffness, own->damping, own->friction, own->friction_speed, own->armature};
    for (int i = 0; i < 5; i++)
        if (!(values[i] >= 0) || !isfinite(values[i] + own->rest))
            return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                           "coordinate '%.60s': stiffness %g, damping %g, friction %g, friction_speed %g and armature "
                           "%g must not be negative, and all values finite",
                           own->name, values[0], values[1], values[2], values[3], values[4]);
    const lg_status st =
        mb_check_stops(m, "coordinate", own->name, own->stops, own->stop_restitution, own->lower, own->upper);
    return st == LG_OK ? mb_check_limits(m, "coordinate", own->name, own->lower, own->upper) : st;
}

static lg_status make_coordinate(lg_mechanism *m, int i)
{
    const lg_coordinate *from = MB_COORDINATE_OF(m, i);
    int c;
    if (mb_find(m, MB_JOINTS, from->name) >= 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "coordinate '%.60s': a joint has this name, so that motors and gears could not tell them apart",
                       from->name);
    if (from->joint != NULL && mb_find(m, MB_COORDINATES, from->joint) >= 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "coordinate '%.60s': '%.60s' is a coordinate; name a joint",
                       from->name, from->joint);
    const lg_status st = mb_driven(m, "coordinate", from->name, from->joint, &c);
    if (st != LG_OK) return st;
    const mb_passive p = {from->stiffness,
                          from->rest,
                          from->damping,
                          from->friction,
                          from->friction_speed,
                          from->stops ? from->lower : -INFINITY,
                          from->stops ? from->upper : INFINITY,
                          from->stop_restitution};
    return mb_passive_add(m, c, &p);
}

static const lg_coordinate standard = {.size = sizeof standard, .lower = -INFINITY, .upper = INFINITY};

const mb_part_kind mb_coordinate_part = {
    .noun = "coordinate",
    .size = LG_SIZED_AS(lg_coordinate, joint, "start from lg_coordinate_default()"),
    .standard = &standard,
    .strings = 2,
    .string = {offsetof(lg_coordinate, name), offsetof(lg_coordinate, joint)},
    .fields = fields,
    .check = check_coordinate,
    .make = make_coordinate,
};
