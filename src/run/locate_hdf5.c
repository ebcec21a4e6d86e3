/* SPDX-License-Identifier: BSD-3-Clause */
/* Run when the project is configured: prints the name of the HDF5 library with which this program was linked. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    Dl_info found;
    void *const opens = dlsym(RTLD_NEXT, "H5open");
    if (H5open() < 0 || opens == NULL || dladdr(opens, &found) == 0) return 1;
    const char *const last = strrchr(found.dli_fname, '/');
    puts(last != NULL ? last + 1 : found.dli_fname);
    return 0;
}
