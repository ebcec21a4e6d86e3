/* SPDX-License-Identifier: BSD-3-Clause */
/** @file catalog.h
 *  The systems of the literature, by name. */
#ifndef LIEGRP_CATALOG_CATALOG_H
#define LIEGRP_CATALOG_CATALOG_H

#include "../run/model.h"

LG_BEGIN

/** *M = the system of that name with its default data. On failure *M still holds the message and must be destroyed.
 *  - LG_ERROR_ARGUMENT: no such system (the message lists all). */
LG_API LG_MUST_CHECK lg_status lg_catalog_create(lg_model **M, const char *name);
/** The names of the systems, terminated by NULL. */
LG_API const char *const *lg_catalog_names(void);
/** The definition of a system; NULL if no system has that name. */
LG_API const lg_model_definition *lg_catalog_definition(const char *name);

LG_END

#endif
