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

#endif
