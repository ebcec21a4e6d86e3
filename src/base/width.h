/* SPDX-License-Identifier: BSD-3-Clause */
/* Which vector widths this machine has. */
#ifndef LIEGRP_SRC_BASE_WIDTH_H
#define LIEGRP_SRC_BASE_WIDTH_H

/* The width to use for the request `asked` (0: the best, or that of LIEGRP_WIDTH if the machine has it). Returns 0 if
 * the machine does not have the requested width. */
int lg_width_choose(int asked);

#endif
