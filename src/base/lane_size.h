/* SPDX-License-Identifier: BSD-3-Clause */
/* lane_size.h: which of several magnitudes is the largest. */
#ifndef LIEGRP_SRC_BASE_LANE_SIZE_H
#define LIEGRP_SRC_BASE_LANE_SIZE_H

#include "base/lane.h"

#if LANES == 8 && defined(__AVX512F__)
#include <immintrin.h>
#endif

/* Of magnitudes, the larger one; NaN if one is. As whole numbers they have the same order, with NaN at its end. */
KERNEL real larger_size(real a, real b)
{
#if LANES == 1 || defined(LG_TANGENT)
    return a != a || b <= a ? a : b;
#elif LANES == 8 && defined(__AVX512F__)
    return (real)_mm512_max_epi64((__m512i)a, (__m512i)b);
#else
    return sel((mask)b > (mask)a, b, a);
#endif
}

/* The largest magnitude of all lanes, without branches; NaN if one is. */
KERNEL double largest_size(real a)
{
#if LANES == 1
    return a;
#elif defined(LG_TANGENT)
    return a.v;
#else
    const lane_bits size = bits_of(a);
    union {
        int64_t i;
        double d;
    } most = {size[0]};
#if LANES == 8 && defined(__AVX512F__)
    most.i = _mm512_reduce_max_epi64((__m512i)a);
#else
    for (int l = 1; l < LANES; l++) most.i = size[l] > most.i ? size[l] : most.i;
#endif
    return most.d;
#endif
}

#endif
