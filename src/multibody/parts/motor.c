/* SPDX-License-Identifier: BSD-3-Clause */
/* Motors on joints. */
#include "multibody/forces/force.h"
#include "multibody/parts/part.h"

static const mb_field fields[] = {
    {"ratio", "-", offsetof(lg_motor, ratio)},
    {"rotor_inertia", "kg m^2", offsetof(lg_motor, rotor_inertia)},
    {NULL, NULL, 0},
};

static lg_status check_motor(lg_mechanism *m, void *part)
{
    const lg_motor *own = part;
    if (!isfinite(own->ratio) || own->ratio == 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "motor '%.60s': ratio is %g; it must be finite and not 0",
                       own->name, own->ratio);
    if (!(own->rotor_inertia >= 0) || !isfinite(own->ratio * own->ratio * own->rotor_inertia))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "motor '%.60s': rotor_inertia is %g; it must be finite and not negative", own->name,
                       own->rotor_inertia);
    return LG_OK;
}

static lg_status make_motor(lg_mechanism *m, int i)
{
    const lg_motor *from = MB_MOTOR_OF(m, i);
    int c;
    const lg_status st = mb_driven(m, "motor", from->name, from->joint, &c);
    if (st != LG_OK) return st;
    mb_force *s = mb_force_add(m, MB_LAW_drive, c, 0, 0);
    s->control = i, s->gain = from->ratio;
    return LG_OK;
}

static void describe_motor(lg_lines *l, const lg_mechanism *m, int i)
{
    lg_lines_text(l, "motor", MB_MOTOR_OF(m, i)->name);
    lg_lines_number(l, MB_MOTOR_OF(m, i)->name, MB_MOTOR_OF(m, i)->ratio);
}

static const lg_motor standard = {.size = sizeof standard, .ratio = 1};

const mb_part_kind mb_motor_part = {
    .noun = "motor",
    .size = LG_SIZED_AS(lg_motor, joint, "start from lg_motor_default()"),
    .standard = &standard,
    .strings = 2,
    .string = {offsetof(lg_motor, name), offsetof(lg_motor, joint)},
    .fields = fields,
    .check = check_motor,
    .make = make_motor,
    .describe = describe_motor,
};
