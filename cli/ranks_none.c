/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces ranks_load.c where there is no MPI. */
#include "cli/ranks.h"

const cli_messages *cli_mpi(const char **why)
{
    *why = "this liegrp was built without MPI";
    return NULL;
}
