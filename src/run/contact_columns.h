/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a mechanism's contacts, with at most LG_CONTACTS_SHOWN of them, and of its impacts. */
#ifndef LIEGRP_SRC_RUN_CONTACT_COLUMNS_H
#define LIEGRP_SRC_RUN_CONTACT_COLUMNS_H

#include "multibody/motion.h"

/* Contacts in one row; of more there are no columns. */
enum { LG_CONTACTS_SHOWN = 8 };

/* Columns of a compiled mechanism, and what they are: name (to be freed; NULL: out of memory), unit, meaning. */
int lg_contact_column_count(const lg_mechanism *m);
char *lg_contact_column(const lg_mechanism *m, const char **unit, const char **meaning, int i);
/* Writes them; returns where they end. */
double *lg_contact_row(double *at, const mb_sparse *mo);

#endif
