/* SPDX-License-Identifier: BSD-3-Clause */
/** @file width.h
 *  Vector widths: how many instances or elements are processed at a time. Results do not depend on the width, to the
 *  last bit. The environment variable LIEGRP_WIDTH (1, 2, 4, 8) chooses one where a program leaves it open. If the
 *  machine lacks that width, the next smaller one is used; other values are ignored. */
#ifndef LIEGRP_BASE_WIDTH_H
#define LIEGRP_BASE_WIDTH_H

#include "export.h"

LG_BEGIN

/** The largest width that this machine has: 8 with AVX-512, 4 with AVX2, 2 on other x86 and ARM processors and on
 *  WebAssembly; 1 on WebAssembly that is compiled without vectors. */
LG_API int lg_width_best(void);
/** 1 if this machine has that width (1, 2, 4, 8), else 0. */
LG_API int lg_width_supported(int width);

LG_END

#endif
