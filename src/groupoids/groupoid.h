/* SPDX-License-Identifier: BSD-3-Clause */
/* What the constructors of groupoids share. */
#ifndef LG_GROUPOIDS_GROUPOID_H
#define LG_GROUPOIDS_GROUPOID_H

#include <liegrp/groupoids/groupoid.h>

/* Is G a complete group on which the chart works? Else the status, and a message that begins with `caller`. */
lg_status lg_groupoid_check_chart(const char *caller, const lg_group *G, const lg_retraction *chart, lg_error *error);

/* Bytes for any operation of G or of the chart on it. */
size_t lg_groupoid_group_bytes(const lg_group *G, const lg_retraction *chart);

/* A descriptor with its data and its name in one zeroed block, freed by one free(); NULL: out of memory. */
lg_groupoid *lg_groupoid_allocate(size_t data_bytes, size_t letters);
/* Its data and its name, both still to be filled. */
void *lg_groupoid_data(lg_groupoid *gpd);
char *lg_groupoid_letters(lg_groupoid *gpd, size_t data_bytes);

#endif
