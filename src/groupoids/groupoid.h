/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the constructors of groupoids. */
#ifndef LG_GROUPOIDS_GROUPOID_H
#define LG_GROUPOIDS_GROUPOID_H

#include <liegrp/groupoids/groupoid.h>

/* Checks that G is a complete group on which the chart works. The message of an error begins with `caller`. */
lg_status lg_groupoid_check_chart(const char *caller, const lg_group *G, const lg_retraction *chart, lg_error *error);

/* Bytes of scratch for any operation of G or of the chart on it. */
size_t lg_groupoid_group_bytes(const lg_group *G, const lg_retraction *chart);

/* A descriptor with its data and its name in one zeroed block, freed by one free(); NULL: out of memory. */
lg_groupoid *lg_groupoid_allocate(size_t data_bytes, size_t letters);
/* Its data and its name, to be filled by the caller. */
void *lg_groupoid_data(lg_groupoid *gpd);
char *lg_groupoid_letters(lg_groupoid *gpd, size_t data_bytes);

#endif
