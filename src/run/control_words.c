/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/control_words.h"

#include <stdio.h>

#include "multibody/parts/joint.h"

/* What a control of a motor sets along a position of this kind: a set-point of a servo, or its rate if it is
 * integrated; a number of the motor's own; else its torque or force. */
static void set_meaning(lg_control_words *w, const lg_motor *d, const mb_position *along)
{
    const int slides = along->kind == MB_SLIDES, servo = d->position_gain > 0 || d->velocity_gain > 0;
    const int integrates = d->activation == LG_ACTIVATION_INTEGRATOR;
    w->suffix = servo || integrates ? "set" : "tau";
    if (d->damping_gain > 0)
        w->suffix = "brake", w->unit = "-", w->what = "control";
    else if (d->control_gain != 0 || (integrates && !(d->position_gain > 0)))
        w->unit = "-", w->what = "control";
    else if (d->position_gain > 0 && !integrates)
        w->unit = along->unit, w->what = "wanted position";
    else if (servo)
        w->unit = along->rate, w->what = "wanted velocity";
    else
        w->unit = slides ? "N" : "N m", w->what = slides ? "force" : "torque";
}

lg_control_words lg_control_words_of(const lg_mechanism *m, int control)
{
    static const mb_position line = {MB_SLIDES, 0, "m", "m/s", ""};
    lg_control_words w = {.unit = "-"};
    int joint, i;
    w.noun = mb_control_noun(m, control, &w.of);
    if (control >= m->part[MB_MOTORS].count) {
        w.stem = w.of, w.suffix = "thrust", w.what = "control";
        return w;
    }
    const lg_motor *d = MB_MOTOR_OF(m, control);
    const int tendon = mb_find(m, MB_TENDONS, d->joint);
    const lg_tendon_term *first = tendon >= 0 ? MB_TENDON_OF(m, tendon)->term : NULL;
    const mb_position *along = first == NULL                    ? mb_position_named(m, &joint, &i, d->joint)
                               : first->kind == LG_TENDON_JOINT ? mb_position_named(m, &joint, &i, first->name)
                                                                : &line;
    const int named = tendon >= 0 || mb_find(m, MB_COORDINATES, d->joint) >= 0;
    w.stem = named ? d->joint : MB_JOINT_OF(m, joint)->name;
    set_meaning(&w, d, along);
    if (!named && mb_position_count(MB_JOINT_OF(m, joint)) > 1) (void)snprintf(w.part, sizeof w.part, "_%d", i + 1);
    return w;
}
