/* SPDX-License-Identifier: BSD-3-Clause */
/* sensors.h: functions of the state that a file names, as columns of rows. */
#ifndef LG_MULTIBODY_SENSORS_H
#define LG_MULTIBODY_SENSORS_H

#include <liegrp/multibody/motion.h>

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
    MB_JOINT_POSITION,
    MB_JOINT_VELOCITY,
    MB_SENSOR_KINDS
} mb_sensor_kind;

/* What a kind is called in MJCF, how many numbers it has, their units and meaning. */
typedef struct mb_sensor_facts {
    const char *name;
    int size;
    const char *unit, *meaning; /* NULL unit: that of the joint */
} mb_sensor_facts;
extern const mb_sensor_facts mb_sensors[MB_SENSOR_KINDS];

typedef struct mb_sensor {
    char *name;
    mb_sensor_kind kind;
    int body;            /* -1: the world */
    double pose[7];      /* of the frame, in that of the body */
    int joint, position; /* of the mechanism */
    double cutoff;       /* the largest magnitude; 0: none */
} mb_sensor;

/* The numbers at the present state, as many as the kind has. */
void mb_sensor_read(const mb_sensor *s, const lg_motion *mo, double *out);

#endif
