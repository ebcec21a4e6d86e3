/* SPDX-License-Identifier: BSD-3-Clause */
/* Height fields in files: the first byte chooses the format. */
#include <math.h>

#include "fuzz.h"
#include "scene/field/field.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 100000 };
    lg_field f;
    lg_error e;
    if (size < 1) return 0;
    const lg_field_format format = data[0] % 2 ? LG_FIELD_PNG : LG_FIELD_MUJOCO;
    const lg_status st = lg_field_parse(&f, data + 1, size - 1, "it", format, MOST, &e);
    fuzz_require_message(st, e.message, "lg_field_parse");
    fuzz_require(st == LG_OK || f.height == NULL, "heights after a failure", "");
    if (st == LG_OK) fuzz_require(f.rows > 0 && f.columns > 0 && f.rows <= MOST / f.columns, "wrong counts", "");
    for (int i = 0; i < f.rows * f.columns; i++) fuzz_require(isfinite(f.height[i]), "a height is not finite", "");
    lg_field_free(&f);
    return 0;
}
