/* SPDX-License-Identifier: BSD-3-Clause */
/* What shim.c and describe.c know of each other. */
#ifndef LIEGRP_WEB_INSIDE_H
#define LIEGRP_WEB_INSIDE_H

#include "cli/lib/system.h"
#include "web/playground/shim.h"

/* The system of the tool that it is; NULL: there is none. */
const cli_system *pg_inside(const pg_system *s);

#endif
