/* SPDX-License-Identifier: BSD-3-Clause */
/* sensors.h: functions of the state that a file names, as columns of rows. */
#ifndef LG_MULTIBODY_SENSORS_H
#define LG_MULTIBODY_SENSORS_H

#include <string.h>

#include <liegrp/multibody/dynamics.h>

#include "multibody/mechanism.h"

typedef enum mb_sensor_kind {
    MB_FRAME_POSITION,
    MB_FRAME_ATTITUDE,
    MB_FRAME_X,
    MB_FRAME_Y,
    MB_FRAME_Z,
    MB_FRAME_VELOCITY,
    MB_FRAME_SPIN,
    MB_VELOCIMETER,
    MB_GYRO,
    MB_MAGNETOMETER,
    MB_BALL_ATTITUDE,
    MB_BALL_SPIN,
    MB_FRAME_ACCELERATION, /* from here to MB_SENSOR_TORQUE with the accelerations at the state */
    MB_FRAME_TWISTING,
    MB_ACCELEROMETER,
    MB_SENSOR_FORCE,
    MB_SENSOR_TORQUE,
    MB_JOINT_POSITION,
    MB_JOINT_VELOCITY,
    MB_JOINT_BEYOND,
    MB_JOINT_PASSING,
    MB_JOINT_EFFORT, /* from here to MB_TENDON_RATE with the forces at the state */
    MB_ACTUATOR_LENGTH,
    MB_ACTUATOR_RATE,
    MB_ACTUATOR_EFFORT,
    MB_TENDON_EFFORT,
    MB_TENDON_LENGTH,
    MB_TENDON_RATE,
    MB_SUBTREE_CENTRE,
    MB_SUBTREE_VELOCITY,
    MB_SUBTREE_SPIN,
    MB_POTENTIAL,
    MB_KINETIC,
    MB_CLOCK,
    MB_SENSOR_KINDS
} mb_sensor_kind;

/* What a kind is called in MJCF, how many numbers it has, their units and meaning. */
typedef struct mb_sensor_facts {
    const char *name;
    int size;
    const char *unit, *meaning; /* NULL unit: the sensor's own */
} mb_sensor_facts;
extern const mb_sensor_facts mb_sensors[MB_SENSOR_KINDS];

/* Mass, centre and inertia about it, in the frame of a body. */
typedef struct mb_sensor_mass {
    double mass, centre[3], inertia[6];
} mb_sensor_mass;

/* The links of a subtree that are one body, or a part of it. */
typedef struct mb_sensor_part {
    int body;                /* -1: the world */
    int pulled;              /* 1: points of tendons on the body are on these links */
    int torn;                /* 1: a part */
    mb_sensor_mass own;      /* of a part */
    mb_sensor_mass body_had; /* as the file has the body: where that is changed, no part of it is known */
} mb_sensor_part;

/* The numbers of a body. */
static inline mb_sensor_mass mb_sensor_mass_of(const lg_mechanism *m, int body)
{
    const lg_body *b = MB_BODY(m, body);
    mb_sensor_mass to = {.mass = b->mass};
    memcpy(to.centre, b->centre, sizeof to.centre), memcpy(to.inertia, b->inertia, sizeof to.inertia);
    return to;
}

typedef struct mb_sensor {
    char *name;
    mb_sensor_kind kind;
    const char *unit;    /* NULL: that of the kind */
    int body;            /* -1: the world */
    double pose[7];      /* of the frame, in that of the body */
    int relative, from;  /* 1: seen from a frame of this body */
    double from_pose[7]; /* that frame */
    int joint, position; /* of the mechanism */
    int control;         /* of an actuator; -1: none */
    int tendon;          /* -1: none */
    int coordinate;      /* that is this position; -1: none */
    double gain;         /* a motor's ratio over the gear of its actuator; the force of a thruster's control of 1 */
    double field[3];     /* magnetic, in space */
    double cutoff;       /* the largest magnitude; 0: none */
    int loops_from;      /* joints from this one on close loops: they are no part of the file's tree */
    int parts;           /* of its subtree */
    mb_sensor_part *part;
} mb_sensor;

/* The numbers at the present state, as many as the kind has. d: mb_observe() saw this state; NULL: they are NaN if they
 * need it. */
void mb_sensor_read(const mb_sensor *s, const lg_motion *mo, lg_dynamics *d, double *out);
/* 1: it needs the forces or accelerations at the state. */
int mb_sensor_observes(const mb_sensor *s);
/* What sees the forces and accelerations of this state; *observer stays NULL if no sensor needs it, or the state is
 * singular. */
struct mb_sparse;
lg_status mb_sensors_observe(lg_dynamics **observer, const struct mb_sparse *mo);

#endif
