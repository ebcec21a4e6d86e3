/* SPDX-License-Identifier: BSD-3-Clause */
/** @file version.h
 *  The library's version. */
#ifndef LIEGRP_BASE_VERSION_H
#define LIEGRP_BASE_VERSION_H

#include "export.h"

LG_BEGIN

#define LG_VERSION_MAJOR 0 /**< changes when the ABI breaks */
#define LG_VERSION_MINOR 1 /**< changes when something is added */
#define LG_VERSION_PATCH 0 /**< changes when something is mended */

/** The version of the library that runs, `"0.1.0"`. */
LG_API const char *lg_version(void);

LG_END

#endif
