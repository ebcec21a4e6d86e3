/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces ranks_mpi.c where there is no MPI. */
#include "cli/ranks.h"

const cli_messages *cli_mpi(void)
{
    return NULL;
}
