/* SPDX-License-Identifier: BSD-3-Clause */
/** @file export.h
 *  Macros that every public header uses: visibility, C++ linkage, array extents. */
#ifndef LIEGRP_BASE_EXPORT_H
#define LIEGRP_BASE_EXPORT_H

/** Marks what the shared library exports. */
#if defined(__GNUC__)
#define LG_API __attribute__((visibility("default")))
/** A result that must not be dropped. Every function that can fail carries this mark. */
#define LG_MUST_CHECK __attribute__((warn_unused_result))
#else
#define LG_API
#define LG_MUST_CHECK
#endif

/** Minimal extent of an array: `double q[LG_LEN(4)]` is `double q[static 4]` in C and `double q[4]` in C++. */
#ifdef __cplusplus
#define LG_LEN(n) n
#define LG_BEGIN  extern "C" {
#define LG_END    }
#else
#define LG_LEN(n) static n
/** Opens the C linkage of a header in C++. */
#define LG_BEGIN
/** Closes it. */
#define LG_END
#endif

#endif
