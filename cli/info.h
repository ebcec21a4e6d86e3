/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp info: the parts for models and mechanisms. */
#ifndef LIEGRP_CLI_INFO_H
#define LIEGRP_CLI_INFO_H

#include "cli/lib/system.h"

/* Of a mechanism, as text or as JSON. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_info_mechanism(const cli_system *S, int json);

/* Controls, and columns with unit and meaning, as text. */
void cli_info_controls(const cli_system *S);
void cli_info_columns(const cli_system *S);
/* `,`, a new line, and a key. */
void cli_info_json_key(const char *key);
/* columns, column_texts, control_texts. */
void cli_info_json_columns(const cli_system *S);

/* `, "key": value` in JSON. */
void cli_info_member(const char *key, const char *text);
void cli_info_number(const char *key, double value);
/* info_motors.c: the motors and thrusters of a mechanism as text, and members of one in JSON, its name first. */
void cli_info_motors(const lg_mechanism *m);
void cli_info_thrusters(const lg_mechanism *m);
void cli_info_json_motor(const lg_mechanism *m, int i);
void cli_info_json_thruster(const lg_mechanism *m, int i);
/* info_contacts.c: surfaces, pairs, stops and dry friction of a mechanism; in JSON, all but its name of surface or pair
 * i, the list of surfaces that touch, and that of stops and dry friction. */
void cli_info_contacts(const lg_mechanism *m);
void cli_info_json_surface(const lg_mechanism *m, int i);
void cli_info_json_surface_pair(const lg_mechanism *m, int i);
void cli_info_json_meetings(const lg_mechanism *m);
void cli_info_json_held(const lg_mechanism *m);

#endif
