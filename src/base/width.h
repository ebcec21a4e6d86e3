/* SPDX-License-Identifier: BSD-3-Clause */
/* Which vector widths this machine has. */
#ifndef LIEGRP_SRC_BASE_WIDTH_H
#define LIEGRP_SRC_BASE_WIDTH_H

/* The width to use where `asked` was asked for (0: the best, or what LIEGRP_WIDTH says as far as the machine goes); 0:
 * there is no such width here. */
int lg_width_choose(int asked);

#endif
