/* SPDX-License-Identifier: BSD-3-Clause */
/** @file version.h
 *  The library's version. Programs keep working with a newer library as long as its soname, libliegrp.so.1, stays the
 *  same: structs with a `size` grow only at their end (docs/conventions.md, binary compatibility). */
#ifndef LIEGRP_BASE_VERSION_H
#define LIEGRP_BASE_VERSION_H

#include "export.h"

LG_BEGIN

#define LG_VERSION_MAJOR 1 /**< changes when an interface is removed or changed */
#define LG_VERSION_MINOR 0 /**< changes when something is added */
#define LG_VERSION_PATCH 0 /**< changes when something is corrected */

/** The version of the library that runs, such as `"1.0.0"`. */
LG_API const char *lg_version(void);

LG_END

#endif
