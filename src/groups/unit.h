/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of length 1, as a kernel. */
#ifndef LIEGRP_SRC_GROUPS_UNIT_H
#define LIEGRP_SRC_GROUPS_UNIT_H

#include <float.h>

#include "base/lane.h"

/* out = v/|v| as lg_unit() has it; the lanes where v = 0. */
KERNEL mask lane_unit(real *out, const real *v, int n)
{
    real n2 = splat(0.0), top = splat(0.0), by = splat(1.0);
    for (int i = 0; i < n; i++) {
        n2 = n2 + v[i] * v[i];
        top = greater(top, magnitude(v[i]));
    }
    const mask none = both(top <= 0.0, n2 == n2), lost = either(n2 != n2, top > DBL_MAX);
    const mask plain = either(both(n2 > 1e-250, n2 < 1e250), either(none, lost));
    if (any(other(plain))) {
        real sum = splat(0.0);
        by = sel(plain, by, top);
        for (int i = 0; i < n; i++) sum = sum + (v[i] / by) * (v[i] / by);
        n2 = sel(plain, n2, sum);
    }
    const real length = root(sel(none, splat(1.0), n2));
    for (int i = 0; i < n; i++) out[i] = sel(lost, splat((double)NAN), v[i] / by / length);
    return none;
}

#endif
