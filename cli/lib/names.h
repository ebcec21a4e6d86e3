/* SPDX-License-Identifier: BSD-3-Clause */
/* The names that options and arguments take, each with a line of explanation, one by one (cli_list_at). */
#ifndef LIEGRP_CLI_NAMES_H
#define LIEGRP_CLI_NAMES_H

#include "cli/lib/manual.h"

cli_item cli_group_at(int i);
cli_item cli_retraction_at(int i);
cli_item cli_method_at(int i);
cli_item cli_composition_at(int i); /* its name without the @ */
cli_item cli_system_at(int i);
cli_item cli_mechanism_at(int i);
/* Systems, then mechanisms. */
cli_item cli_any_system_at(int i);
cli_item cli_start_at(int i);
/* Options of methods whose number is the user's: the text before it. */
cli_item cli_method_number_at(int i);

/* How many items a list has. */
int cli_item_count(cli_list_at list);

#endif
