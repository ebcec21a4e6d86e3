/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups/abelian.h"
#include "groups/member.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lg_status lg_abelian_identity(const lg_group *G, double *g)
{
    memset(g, 0, (size_t)G->dim * sizeof *g);
    return LG_OK;
}

lg_status lg_abelian_copy(const lg_group *G, double *out, const double *in, void *work)
{
    (void)work;
    memmove(out, in, (size_t)G->dim * sizeof *out);
    return LG_OK;
}

/* M = d on the diagonal; a NaN in the input spreads over the matrix. */
static void scalar(double *M, const double *in, int n, double d)
{
    double taint = 0;
    for (int i = 0; i < n; i++)
        if (isnan(in[i])) taint = in[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) M[(size_t)i * (size_t)n + (size_t)j] = (i == j ? d : 0) + taint;
}

lg_status lg_abelian_unit(const lg_group *G, double *M, const double *in, void *work)
{
    (void)work;
    scalar(M, in, G->dim, 1);
    return LG_OK;
}

lg_status lg_abelian_zero(const lg_group *G, double *M, const double *in, void *work)
{
    (void)work;
    scalar(M, in, G->dim, 0);
    return LG_OK;
}

lg_status lg_abelian_second(const lg_group *G, double *out, const double *a, const double *b, void *work)
{
    (void)a, (void)work;
    memmove(out, b, (size_t)G->dim * sizeof *out);
    return LG_OK;
}

lg_status lg_abelian_zero2(const lg_group *G, double *M, const double *a, const double *b, void *work)
{
    (void)b;
    return lg_abelian_zero(G, M, a, work);
}

lg_status lg_abelian_create(lg_group **G, const lg_group *model, char letter, int n, int matrix_size)
{
    enum { NAME = 16 };
    if (!G) return LG_ERROR_ARGUMENT;
    *G = NULL;
    if (n < 1 || n > INT_MAX / 2 - 1) return LG_ERROR_ARGUMENT; /* 2 n and n + 1 are sizes of matrices */
    lg_group *g = malloc(sizeof *g + NAME);
    if (!g) return LG_ERROR_MEMORY;
    char *name = (char *)(g + 1);
    snprintf(name, NAME, "%c^%d", letter, n);
    *g = *model;
    g->name = name;
    g->dim = g->element_size = n;
    g->matrix_size = matrix_size;
    g->work_bytes = (size_t)n * sizeof(double);
    g->destroy = lg_group_free;
    *G = g;
    return LG_OK;
}
