/* SPDX-License-Identifier: BSD-3-Clause */
/* Which vector widths this machine has. */
#ifndef LIEGRP_SRC_BASE_WIDTH_H
#define LIEGRP_SRC_BASE_WIDTH_H

/* Expands its arguments if the build has the width (option `widths`); widths 1 and 2 always exist. */
#ifdef LG_WIDTH_4
#define LG_IF_WIDTH_4(...) __VA_ARGS__
#else
#define LG_IF_WIDTH_4(...)
#endif
#ifdef LG_WIDTH_8
#define LG_IF_WIDTH_8(...) __VA_ARGS__
#else
#define LG_IF_WIDTH_8(...)
#endif

/* The width to use for the request `asked` (0: the best, or that of LIEGRP_WIDTH if the machine has it). Returns 0 if
 * the machine does not have the requested width. */
int lg_width_choose(int asked);

#endif
