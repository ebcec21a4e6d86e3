/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of formats. */
#include "run/format.h"

#include <string.h>
#include <strings.h>

static const lg_format_facts *const formats[] = {
    [LG_FORMAT_CSV] = &lg_csv,
    [LG_FORMAT_NPY] = &lg_npy,
    [LG_FORMAT_NPZ] = &lg_npz,
    [LG_FORMAT_HDF5] = &lg_hdf5,
};

const lg_format_facts *lg_format_at(int i)
{
    return i >= 0 && (size_t)i < sizeof formats / sizeof formats[0] ? formats[i] : NULL;
}

lg_status lg_format_check(lg_format format, lg_error *e)
{
    const lg_format_facts *f = lg_format_at((int)format);
    if (f == NULL) return lg_fail(e, LG_ERROR_ARGUMENT, "unknown format %d", (int)format);
    return f->missing == NULL ? LG_OK : lg_fail(e, LG_ERROR_ARGUMENT, "%s", f->missing);
}

int lg_format_of_file(const char *file)
{
    const char *end = file != NULL ? strrchr(file, '.') : NULL;
    if (end == NULL || end == file) return -1;
    for (int i = 0; lg_format_at(i) != NULL; i++)
        for (const char *const *ending = formats[i]->endings; *ending != NULL; ending++)
            if (strcasecmp(end, *ending) == 0) return i;
    return -1;
}
