/* SPDX-License-Identifier: BSD-3-Clause */
/* The vector widths of this machine, queried from the processor. */
#include "base/width.h"

#include <stdlib.h>

#include <liegrp/base/width.h>

int lg_width_supported(int width)
{
    if (width == 1 || width == 2) return 1;
    LG_IF_WIDTH_4(if (width == 4) return __builtin_cpu_supports("avx2") != 0;)
    LG_IF_WIDTH_8(if (width == 8) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");)
    return 0;
}

int lg_width_best(void)
{
#if defined(__wasm__) && !defined(__wasm_simd128__)
    return 1; /* compiled without vectors: pairs are slower there */
#else
    return lg_width_supported(8) ? 8 : lg_width_supported(4) ? 4 : 2;
#endif
}

int lg_width_choose(int asked)
{
    const char *text = asked == 0 ? getenv("LIEGRP_WIDTH") : NULL;
    int width = text != NULL ? atoi(text) : 0;
    if (asked != 0) return lg_width_supported(asked) ? asked : 0;
    if (width != 1 && width != 2 && width != 4 && width != 8) return lg_width_best();
    while (!lg_width_supported(width)) width /= 2;
    return width;
}
