/* SPDX-License-Identifier: BSD-3-Clause */
/* What shim.c and describe.c know of each other. */
#ifndef LIEGRP_WEB_INSIDE_H
#define LIEGRP_WEB_INSIDE_H

#include "cli/lib/system.h"
#include "web/playground/shim.h"

/* The tool's system inside it; NULL: it has not been opened. */
const cli_system *pg_inside(const pg_system *s);

#endif
