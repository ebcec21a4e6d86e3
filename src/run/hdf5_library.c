/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/hdf5_library.h"

#ifdef LG_HDF5_SONAME

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    size_t at; /* in lg_hdf5_library */
} symbols[] = {
#define SYMBOL(name) {"H5" #name, offsetof(lg_hdf5_library, name)},
    LG_HDF5_SYMBOLS(SYMBOL)};

static const char *find(lg_hdf5_library *h5)
{
    void *library = dlopen(LG_HDF5_SONAME, RTLD_LAZY | RTLD_LOCAL);
    for (size_t i = 0; library != NULL && i < sizeof symbols / sizeof symbols[0]; i++) {
        void *const symbol = dlsym(library, symbols[i].name);
        if (symbol == NULL) return dlerror(); /* LCOV_EXCL_BR_LINE: of the same name, and without one of them */
        memcpy((char *)h5 + symbols[i].at, &symbol, sizeof symbol);
    }
    return library == NULL ? dlerror() : NULL;
}

#else /* linked */

static const char *find(lg_hdf5_library *h5)
{
#define SYMBOL(name) &H5##name,
    *h5 = (lg_hdf5_library){LG_HDF5_SYMBOLS(SYMBOL)};
    return NULL;
}

#endif

lg_status lg_hdf5_load(lg_hdf5_library *h5, lg_error *e)
{
    const char *const missing = find(h5);
    unsigned major = 0, minor = 0, release = 0;
    if (missing != NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "hdf5 files need the HDF5 library, which does not load (%.160s): install it, or take npz or npy",
                       missing);
    /* LCOV_EXCL_BR_START: a library that does not work at all */
    if (h5->open() < 0 || h5->get_libversion(&major, &minor, &release) < 0 || major != H5_VERS_MAJOR ||
        minor != H5_VERS_MINOR)
        return lg_fail(e, LG_ERROR_ARGUMENT, "hdf5 files: HDF5 %u.%u is installed, and liegrp was built with %d.%d",
                       major, minor, H5_VERS_MAJOR, H5_VERS_MINOR);
    /* LCOV_EXCL_BR_STOP */
    return LG_OK;
}
