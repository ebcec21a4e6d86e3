/* SPDX-License-Identifier: BSD-3-Clause */
/* Motors on joints. */
#include "multibody/forces/force.h"
#include "multibody/parts/joint.h"
#include "multibody/parts/part.h"

static const mb_field fields[] = {
    {"ratio", "-", offsetof(lg_motor, ratio)},
    {"rotor_inertia", "kg m^2", offsetof(lg_motor, rotor_inertia)},
    {"position_gain", "N m/rad", offsetof(lg_motor, position_gain)},
    {"velocity_gain", "N m s/rad", offsetof(lg_motor, velocity_gain)},
    {"control_gain", "N m", offsetof(lg_motor, control_gain)},
    {"time_constant", "s", offsetof(lg_motor, time_constant)},
    {"damping_gain", "N m s/rad", offsetof(lg_motor, damping_gain)},
    {NULL, NULL, 0},
};

static mb_activation activation_of(const lg_motor *d)
{
    return (mb_activation){d->activation,
                           d->time_constant,
                           {d->control_lower, d->control_upper},
                           {d->activation_lower, d->activation_upper}};
}

/* A brake does not push: what is below 0 counts as 0. */
static mb_activation of_brake(const lg_motor *d, mb_activation a)
{
    if (!(d->damping_gain > 0)) return a;
    a.limit[0] = fmax(a.limit[0], 0), a.limit[1] = fmax(a.limit[1], 0);
    if (a.kind != LG_ACTIVATION_NONE) a.range[0] = fmax(a.range[0], 0), a.range[1] = fmax(a.range[1], 0);
    return a;
}

static lg_status check_brake(lg_mechanism *m, const lg_motor *d)
{
    if (!(d->damping_gain >= 0) || !isfinite(d->ratio * d->ratio * d->damping_gain))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "motor '%.60s': damping_gain is %g; it must be finite and not negative", d->name,
                       d->damping_gain);
    if (d->damping_gain > 0 && (d->position_gain > 0 || d->velocity_gain > 0 || d->control_gain != 0 ||
                                d->lower > -INFINITY || d->upper < INFINITY))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "motor '%.60s': a damping_gain excludes other gains and limits of the torque; take two motors, "
                       "or limits of the control",
                       d->name);
    return LG_OK;
}

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
    const double gains[2] = {own->position_gain, own->velocity_gain};
    for (int i = 0; i < 2; i++)
        if (!(gains[i] >= 0) || !isfinite(own->ratio * own->ratio * gains[i]))
            return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                           "motor '%.60s': %s_gain is %g; it must be finite and not negative", own->name,
                           i ? "velocity" : "position", gains[i]);
    if (!isfinite(own->ratio * own->control_gain) || (own->control_gain != 0 && gains[0] == 0 && gains[1] == 0))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "motor '%.60s': control_gain is %g; it must be finite, and 0 without a position_gain or "
                       "velocity_gain: a ratio makes a torque of u",
                       own->name, own->control_gain);
    const mb_activation a = activation_of(own);
    lg_status st = check_brake(m, own);
    if (st == LG_OK) st = mb_check_limits(m, "motor", own->name, own->lower, own->upper);
    return st == LG_OK ? mb_check_activation(m, "motor", own->name, &a) : st;
}

/* The control u of a torque, of a position and of a velocity: n u, n (g u - kp n q - kv n q'), n (g u - kv n q'). */
static void make_servo(lg_mechanism *m, mb_force *s, const lg_motor *from)
{
    const double n = from->ratio, kp = from->position_gain, kv = from->velocity_gain, g = from->control_gain;
    s->law = MB_LAW_servo;
    s->gain = n * (g != 0 ? g : kp > 0 ? kp : kv > 0 ? kv : 1);
    s->number[0] = n * n * kp, s->number[1] = n * n * kv;
    s->number[2] = n > 0 ? n * from->lower : n * from->upper;
    s->number[3] = n > 0 ? n * from->upper : n * from->lower;
    m->plan.servos += mb_is_servo(s);
}

/* A held torque is all that acts on a component of a rotation vector: joint j has it; -1: it is none. */
static int plain_on_vector(const lg_mechanism *m, const lg_motor *d, int *axis)
{
    int j, i;
    const mb_position *p = mb_position_named(m, &j, &i, d->joint);
    if (p == NULL || p->kind != MB_VECTOR) return -1;
    *axis = p->axis;
    return d->position_gain > 0 || d->velocity_gain > 0 || d->damping_gain > 0 || d->lower > -INFINITY ||
                   d->upper < INFINITY || d->control_lower > -INFINITY || d->control_upper < INFINITY ||
                   d->rotor_inertia > 0
               ? -1
               : j;
}

static lg_status make_motor(lg_mechanism *m, int i)
{
    const lg_motor *from = MB_MOTOR_OF(m, i);
    const mb_activation a = of_brake(from, activation_of(from));
    int c = -1, axis;
    const int ball = plain_on_vector(m, from, &axis), tendon = mb_find(m, MB_TENDONS, from->joint);
    const int varies = mb_activation_add(m, i, &a);
    if (ball >= 0) {
        mb_ball *s = mb_ball_add(m, ball);
        s->axis = axis, s->control = i, s->gain = from->ratio;
        return LG_OK;
    }
    if (tendon >= 0 && from->rotor_inertia > 0)
        return lg_fail(&m->error, LG_ERROR_UNSUPPORTED,
                       "motor '%.60s' pulls on a tendon, which no rotor turns with; give its joints the armature",
                       from->name);
    const lg_status st = tendon >= 0 ? LG_OK : mb_driven(m, "motor", from->name, from->joint, &c);
    if (st != LG_OK) return st;
    mb_force *s = mb_force_add(m, MB_LAW_drive, c, 0, 0);
    s->tendon = tendon >= 0 ? &m->plan.tendon[tendon] : NULL;
    s->control = i, s->gain = from->ratio, s->varies = varies;
    if (from->damping_gain > 0) s->law = MB_LAW_brake, s->gain = from->ratio * from->ratio * from->damping_gain;
    if (from->position_gain > 0 || from->velocity_gain > 0 || from->lower > -INFINITY || from->upper < INFINITY)
        make_servo(m, s, from);
    return LG_OK;
}

static void describe_motor(lg_lines *l, const lg_mechanism *m, int i)
{
    const lg_motor *d = MB_MOTOR_OF(m, i);
    lg_lines_text(l, "motor", d->name);
    lg_lines_number(l, d->name, d->ratio);
    if (d->damping_gain > 0) lg_lines_number(l, "damping gain", d->damping_gain);
    if (d->control_gain != 0) lg_lines_number(l, "control gain", d->control_gain);
    if (d->control_lower > -INFINITY) lg_lines_number(l, "control lower", d->control_lower);
    if (d->control_upper < INFINITY) lg_lines_number(l, "control upper", d->control_upper);
    mb_activation_describe(l, &m->activation[i]);
}

static lg_status check_motor_of_system(lg_mechanism *m, int i)
{
    return mb_activation_of_system(m, "motor", MB_MOTOR_OF(m, i)->name, i);
}

static const lg_motor standard = {.size = sizeof standard,
                                  .ratio = 1,
                                  .lower = -INFINITY,
                                  .upper = INFINITY,
                                  .control_lower = -INFINITY,
                                  .control_upper = INFINITY,
                                  .activation_lower = -INFINITY,
                                  .activation_upper = INFINITY};

const mb_part_kind mb_motor_part = {
    .noun = "motor",
    .size = LG_SIZED_AS(lg_motor, joint, "start from lg_motor_default()"),
    .standard = &standard,
    .strings = 2,
    .string = {offsetof(lg_motor, name), offsetof(lg_motor, joint)},
    .fields = fields,
    .check = check_motor,
    .make = make_motor,
    .check_system = check_motor_of_system,
    .describe = describe_motor,
};
