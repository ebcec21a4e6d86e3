/* SPDX-License-Identifier: BSD-3-Clause */
/* Attitudes that options such as --init give by words instead of quaternions. */
#ifndef LIEGRP_CLI_ATTITUDE_H
#define LIEGRP_CLI_ATTITUDE_H

#include "cli/lib/system.h"

enum { CLI_ATTITUDES = 8, CLI_SUFFIX = 16, CLI_PREFIX = 64 };

/* Prefix and suffix of the columns of an attitude: PREFIXqxSUFFIX, ..., such as "frame_qx" or "qx_2". */
typedef struct cli_place {
    char prefix[CLI_PREFIX], suffix[CLI_SUFFIX];
} cli_place;

/* One attitude: the columns qx, qy, qz, qw in this place. */
typedef struct cli_attitude {
    cli_place place;
    const char *word; /* the source: "axis", "euler", "rotation", "quaternion"; NULL: nothing yet */
    int has_angle;    /* of the axis */
    double axis[3], angle;
    double q[4]; /* of euler and rotation */
} cli_attitude;

/* All attitudes of a command line; starts from zeros. */
typedef struct cli_attitudes {
    const char *option; /* that gives them; NULL: "init" */
    int count;
    cli_attitude of[CLI_ATTITUDES];
} cli_attitudes;

/* 1: NAME is axis, angle, euler or rotation in the place of a quaternion of this model; a column of that name takes
 * precedence. 2: NAME is a column of the quaternion, which is recorded so that nothing is given twice, but set like
 * other columns. */
int cli_attitude_is(const cli_system *S, const char *text);
/* Reads it. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_attitude_read(cli_attitudes *a, const char *command, const char *text);
/* Notes that the angle of an axis comes from elsewhere (a range). NULL after a message. */
const cli_attitude *cli_attitude_turned(cli_attitudes *a, const char *command, const char *name);
/* Sets them in the model, without a message and without checking that they are complete. */
lg_status cli_attitudes_give(const cli_attitudes *a, const cli_system *S);
/* Sets the attitudes in the model. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_attitudes_set(const cli_attitudes *a, const char *command, const cli_system *S);
/* Sets one attitude in the model, turned about its axis by this angle. */
lg_status cli_attitude_turn(const cli_attitude *a, double angle, const cli_system *S);

#endif
