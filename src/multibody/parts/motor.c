/* SPDX-License-Identifier: BSD-3-Clause */
/* Motors on joints. */
#include "multibody/forces/force.h"
#include "multibody/parts/part.h"

static lg_status make_motor(lg_mechanism *m, int i)
{
    const lg_motor *from = MB_MOTOR_OF(m, i);
    int c;
    const lg_status st = mb_driven(m, "motor", from->name, from->joint, &c);
    if (st == LG_OK) mb_force_add(m, MB_LAW_drive, c, 0, 0)->control = i;
    return st;
}

static void describe_motor(lg_lines *l, const lg_mechanism *m, int i)
{
    lg_lines_text(l, "motor", MB_MOTOR_OF(m, i)->name);
}

static const lg_motor standard = {.size = sizeof standard};

const mb_part_kind mb_motor_part = {
    .noun = "motor",
    .size = LG_SIZED_AS(lg_motor, joint, "start from lg_motor_default()"),
    .standard = &standard,
    .strings = 2,
    .string = {offsetof(lg_motor, name), offsetof(lg_motor, joint)},
    .make = make_motor,
    .describe = describe_motor,
};
