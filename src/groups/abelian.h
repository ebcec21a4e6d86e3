/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by R^n and T^n. */
#ifndef LIEGRP_SRC_GROUPS_ABELIAN_H
#define LIEGRP_SRC_GROUPS_ABELIAN_H

#include <liegrp/groups/group.h>

#define LG_ABELIAN_TABLE 32 /* static descriptors up to this n */

lg_status lg_abelian_identity(const lg_group *G, double *g);
/* out = in. */
lg_status lg_abelian_copy(const lg_group *G, double *out, const double *in, void *work);
/* M = 1: Ad, dtau, dtau^-1. */
lg_status lg_abelian_unit(const lg_group *G, double *M, const double *in, void *work);
/* M = 0: ad. */
lg_status lg_abelian_zero(const lg_group *G, double *M, const double *in, void *work);
/* out = b: Ad* and the duals. */
lg_status lg_abelian_second(const lg_group *G, double *out, const double *a, const double *b, void *work);
/* M = 0 from two inputs: the derivative of the dual. */
lg_status lg_abelian_zero2(const lg_group *G, double *M, const double *a, const double *b, void *work);
/* *G = a copy of `model` for n, with the name letter^n; freed by one free(). */
lg_status lg_abelian_create(lg_group **G, const lg_group *model, char letter, int n, int matrix_size);

#endif
