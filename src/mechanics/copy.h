/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of a system that owns its numbers. */
#ifndef LIEGRP_SRC_MECHANICS_COPY_H
#define LIEGRP_SRC_MECHANICS_COPY_H

#include <liegrp/mechanics/system.h>

#include "base/arena.h"

/* The system S with copies of its arrays of numbers in the arena, and with the value of every parameter, the default
 * where S has none. Group, context and descriptions of parameters are shared. While the arena only measures its
 * size, the arrays of the result are NULL. */
lg_system lg_system_copy(lg_arena *a, const lg_system *S);

#endif
