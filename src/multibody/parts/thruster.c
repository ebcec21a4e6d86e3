/* SPDX-License-Identifier: BSD-3-Clause */
/* Thrusters on bodies. */
#include "groups/rotation.h"
#include "multibody/parts/part.h"

static const mb_field fields[] = {
    {"point_x", "m", offsetof(lg_thruster, point[0])},
    {"point_y", "m", offsetof(lg_thruster, point[1])},
    {"point_z", "m", offsetof(lg_thruster, point[2])},
    {"force", "N", offsetof(lg_thruster, force)},
    {"torque", "N m", offsetof(lg_thruster, torque)},
    {"time_constant", "s", offsetof(lg_thruster, time_constant)},
    {NULL, NULL, 0},
};

/* Limits of a control that acts at once are those of what it does. */
static mb_activation activation_of(const lg_thruster *t)
{
    return (mb_activation){
        t->activation, t->time_constant, {t->lower, t->upper}, {t->activation_lower, t->activation_upper}};
}

static lg_status check_thruster(lg_mechanism *m, void *part)
{
    const lg_thruster *own = part;
    if (!lg_all_finite(own->point, 3) || !lg_all_finite(own->axis, 3) || !isfinite(own->force + own->torque))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "thruster '%.60s': a value is not finite", own->name);
    if (!(lg_length(own->axis, 3) > 0))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "thruster '%.60s': the axis is zero", own->name);
    const mb_activation a = activation_of(own);
    return mb_check_activation(m, "thruster", own->name, &a);
}

static lg_status make_thruster(lg_mechanism *m, int i)
{
    const lg_thruster *from = MB_THRUSTER_OF(m, i);
    const int b = mb_find(m, MB_BODIES, from->body);
    mb_thruster *t = (mb_thruster *)m->made[MB_THRUSTERS] + i;
    if (b < 0) return mb_unknown(m, "thruster", from->name, "body", from->body);
    const mb_placed at = mb_placed_of(m, b);
    double x[3];
    mb_anchor(x, &at, from->point);
    const double *e = from->axis, length = lg_length(e, 3);
    *t = (mb_thruster){.body = b, .control = m->part[MB_MOTORS].count + i, .limit = {from->lower, from->upper}};
    mb_activation a = activation_of(from);
    double *at_once = a.kind == LG_ACTIVATION_NONE ? a.limit : t->limit; /* those of the other count */
    at_once[0] = -INFINITY, at_once[1] = INFINITY;
    (void)mb_activation_add(m, t->control, &a);
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        t->wrench[k] = from->force * e[k] / length;
        t->wrench[3 + k] = (from->torque * e[k] + from->force * (x[p] * e[q] - x[q] * e[p])) / length;
    }
    return LG_OK;
}

static void describe_thruster(lg_lines *l, const lg_mechanism *m, int i)
{
    const mb_thruster *t = (const mb_thruster *)m->made[MB_THRUSTERS] + i;
    lg_lines_text(l, "thruster", MB_THRUSTER_OF(m, i)->name);
    lg_lines_number(l, "body", t->body);
    lg_lines_numbers(l, "wrench", t->wrench, 6);
    if (t->limit[0] > -INFINITY || t->limit[1] < INFINITY) lg_lines_numbers(l, "limits", t->limit, 2);
    mb_activation_describe(l, &m->activation[t->control]);
}

static lg_status check_thruster_of_system(lg_mechanism *m, int i)
{
    const mb_thruster *t = (const mb_thruster *)m->made[MB_THRUSTERS] + i;
    return mb_activation_of_system(m, "thruster", MB_THRUSTER_OF(m, i)->name, t->control);
}

static const lg_thruster standard = {.size = sizeof standard,
                                     .axis = {0, 0, 1},
                                     .force = 1,
                                     .lower = -INFINITY,
                                     .upper = INFINITY,
                                     .activation_lower = -INFINITY,
                                     .activation_upper = INFINITY};

const mb_part_kind mb_thruster_part = {
    .noun = "thruster",
    .size = LG_SIZED_AS(lg_thruster, body, "start from lg_thruster_default()"),
    .standard = &standard,
    .strings = 2,
    .string = {offsetof(lg_thruster, name), offsetof(lg_thruster, body)},
    .fields = fields,
    .check = check_thruster,
    .numbers = sizeof(mb_thruster),
    .make = make_thruster,
    .check_system = check_thruster_of_system,
    .describe = describe_thruster,
};
