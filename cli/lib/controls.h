/* SPDX-License-Identifier: BSD-3-Clause */
/* The controls of a run from the command line: constants, or tables of times and values. */
#ifndef LIEGRP_CLI_CONTROLS_H
#define LIEGRP_CLI_CONTROLS_H

#include "cli/lib/system.h"
#include "cli/lib/table.h"

/* A control as a function of time: each value holds from its time on until the next; before the first one it is 0. */
typedef struct cli_control {
    int given;
    cli_table table;
} cli_control;

typedef struct cli_controls {
    int count;
    cli_control *of;
} cli_controls;

/* The number of the control that has this name or other name, or -1. */
int cli_control_find(const cli_system *S, const char *name);
/* The message for that; CLI_WRONG_USE. */
int cli_unknown_control(const char *command, const cli_system *S, const char *name);
/* Reads all options number `control` of a command line, NAME=VALUE or NAME=FILE. CLI_WELL, or CLI_WRONG_USE after a
 * message; free the controls in either case. With `files` 0 only constants are
 * allowed, and ranges are left to cli_grid_read(). Those that are not given are the first ones of the system. */
int cli_controls_read(cli_controls *c, const char *command, const cli_option *options, int control, int argc,
                      char **argv, const cli_system *S, int files);
void cli_controls_free(cli_controls *c);
/* 1 if one of them is given. */
int cli_controls_given(const cli_controls *c);
/* The controls u of the step from t of length h; those that are not given stay as they are. */
void cli_controls_at(const cli_controls *c, double *u, double t, double h);
/* lg_controller with cli_controls as context. */
int cli_controls_hold(const lg_motion *mo, double *u, void *context);

#endif
