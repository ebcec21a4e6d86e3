/* SPDX-License-Identifier: BSD-3-Clause */
/* Models as systems of the command line; the group of their configuration. */
#ifndef LIEGRP_CLI_COLUMNS_H
#define LIEGRP_CLI_COLUMNS_H

#include "cli/lib/system.h"

/* 1 if the catalog gives this system units; positions are then in m, energies in J. */
int cli_has_units(const lg_model *M);
/* Block b of the model's group, and its first column of a row. */
lg_group_block cli_block(const lg_model *M, int b, int *column);

#endif
