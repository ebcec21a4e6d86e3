/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads the module that uses MPI. The tool is not linked to it: MPI's libraries take longer to start than most runs. */
#include "cli/ranks.h"

#include <dlfcn.h>

const cli_messages *cli_mpi(const char **why)
{
    /* The program's run path names its folder. RTLD_GLOBAL: MPI loads components that use its symbols. */
    void *module = dlopen("liegrp-mpi.so", RTLD_NOW | RTLD_GLOBAL);
    const cli_messages *messages = module != NULL ? dlsym(module, "cli_mpi_messages") : NULL;
    if (messages == NULL) *why = dlerror();
    return messages;
}
