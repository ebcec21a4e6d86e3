/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism of the command line from inside. */
#ifndef LIEGRP_CLI_MECHANISM_PRIVATE_H
#define LIEGRP_CLI_MECHANISM_PRIVATE_H

#include "cli/lib/mechanism.h"

/* The first column of positions; letters of a picture's description; remarks on a run: on its start, five on each kind
 * of part that presses, on what was ignored, and on limits, assembly and file. */
enum { FIRST = 2, TEXT = 1024, REMARKS = 40 };

/* A parameter that was set. */
typedef struct cli_change {
    char name[256];
    double value;
} cli_change;

struct cli_mechanism {
    const cli_mechanism *whole; /* of a copy: the system whose mechanism it uses; NULL: it has its own */
    const char *name;
    const char *command;
    int told;    /* 1: a message was printed */
    int gallery; /* its number there; -1: it comes from a file */
    cli_mechanism_options o;
    lg_mechanism *m; /* compiled */
    lg_model *M;     /* of that */
    char **parameters;
    int parameter_count;
    int *motors; /* positions of joints: how many motors drive them */
    cli_change *changes;
    int change_count;
    double *initial;   /* a row; NaN: as it is by default */
    int given;         /* 1: something in it is given */
    double begins;     /* t0 */
    double *control;   /* of the key; NULL: all 0 */
    int limited;       /* 1: there are joints with limits */
    double limit;      /* the least distance from a limit in the last run; negative: beyond it */
    int limit_joint;   /* of this joint, plus the number of joints times its position */
    double limit_time; /* when a limit was passed first; NaN: none was */
    char warning[REMARKS][320];
    int warnings;
    char motion[TEXT], message[LG_MESSAGE_SIZE];
};

/* ---- mechanism_describe.c ---- */

/* R->m before it is compiled; R->message has the reason of a failure, unless it was printed (R->told). */
lg_status cli_mechanism_describe(cli_mechanism *R);
/* Why a call failed; never NULL. */
const char *cli_mechanism_reason(const lg_mechanism *m, lg_status status);

/* ---- mechanism.c ---- */

/* The unit of position i of a joint; NULL: it has no such position. */
const char *cli_joint_unit(const lg_joint *j, int i);

#endif
