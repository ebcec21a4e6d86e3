/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the programs of this folder: structs that end where the memory ends, so that a read or write beyond one
 * stops the program, and user-supplied descriptors in such memory. */
#ifndef LIEGRP_TESTS_ABI_PARTS_H
#define LIEGRP_TESTS_ABI_PARTS_H

#define _DEFAULT_SOURCE

#include <liegrp/liegrp.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Memory ----------------------------------------------------------------------------------------------------------- */

/* `size` bytes before a page without access, filled with 0xa5. Never freed. */
static inline void *at_the_edge(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
    char *block = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED || mprotect(block + room, page, PROT_NONE) != 0) exit(99);
    memset(block, 0xa5, room);
    return block + room - size;
}

#define NEW(type) ((type *)at_the_edge(sizeof(type)))

/* The message is only there after the call. */
#define MUST(call, what, message)                                                                                      \
    do {                                                                                                               \
        const lg_status status_ = (call);                                                                              \
        if (status_ != LG_OK) printf("%s: %s: %s\n", what, lg_status_name(status_), message), exit(1);                 \
    } while (0)

/* A group and a retraction of one's own: the plane ---------------------------------------------------------------- */

static inline lg_status zero(const lg_group *G, double *g)
{
    (void)G;
    g[0] = g[1] = 0;
    return LG_OK;
}

static inline lg_status sum(const lg_group *G, double *out, const double *a, const double *b, void *work)
{
    (void)G, (void)work;
    for (int i = 0; i < 2; i++) out[i] = a[i] + b[i];
    return LG_OK;
}

static inline lg_status negative(const lg_group *G, double *out, const double *in, void *work)
{
    (void)G, (void)work;
    for (int i = 0; i < 2; i++) out[i] = -in[i];
    return LG_OK;
}

static inline lg_status same(const lg_group *G, double *out, const double *in, void *work)
{
    (void)G, (void)work;
    memmove(out, in, 2 * sizeof *out);
    return LG_OK;
}

static inline lg_status unit(const lg_group *G, double *M, const double *in, void *work)
{
    (void)G, (void)in, (void)work;
    M[0] = M[3] = 1, M[1] = M[2] = 0;
    return LG_OK;
}

static inline lg_status none(const lg_group *G, double *M, const double *in, void *work)
{
    (void)G, (void)in, (void)work;
    memset(M, 0, 4 * sizeof *M);
    return LG_OK;
}

static inline const lg_group *plane(void)
{
    static const lg_group_maps maps = {same, same, unit, unit, NULL, NULL};
    lg_group *G = NEW(lg_group);
    memset(G, 0, sizeof *G);
    G->size = sizeof *G, G->name = "plane", G->dim = G->element_size = 2, G->abelian = 1;
    G->identity = zero, G->compose = sum, G->inverse = negative, G->Ad = unit, G->ad = none, G->exp = &maps;
    return G;
}

static inline lg_status step_tau(const lg_retraction *r, const lg_group *G, double *g, const double *xi, void *work)
{
    (void)r, (void)work;
    return lg_group_exp(G, g, xi);
}

static inline lg_status step_dtau_inv(const lg_retraction *r, const lg_group *G, double *M, const double *xi,
                                      void *work)
{
    (void)r;
    return unit(G, M, xi, work);
}

static inline const lg_retraction *straight(void)
{
    lg_retraction *r = NEW(lg_retraction);
    memset(r, 0, sizeof *r);
    r->size = sizeof *r, r->name = "straight", r->tau = step_tau, r->dtau_inv = step_dtau_inv;
    r->flags = LG_RETRACTION_SYMMETRIC | LG_RETRACTION_EXACT | LG_RETRACTION_COMMUTING;
    return r;
}

/* A groupoid of one's own, and a system on it --------------------------------------------------------------------- */

static inline lg_status source(const lg_groupoid *gpd, double *x, const double *g, void *work)
{
    (void)gpd, (void)work;
    x[0] = g[0];
    return LG_OK;
}

static inline lg_status target(const lg_groupoid *gpd, double *x, const double *g, void *work)
{
    (void)gpd, (void)work;
    x[0] = g[1];
    return LG_OK;
}

static inline lg_status still(const lg_groupoid *gpd, double *g, const double *x, void *work)
{
    (void)gpd, (void)work;
    g[0] = g[1] = x[0];
    return LG_OK;
}

static inline lg_status reverse(const lg_groupoid *gpd, double *r, const double *g, void *work)
{
    (void)gpd, (void)work;
    r[0] = g[1], r[1] = g[0];
    return LG_OK;
}

static inline lg_status through(const lg_groupoid *gpd, double *r, const double *g, const double *h, void *work)
{
    (void)gpd, (void)work;
    r[0] = g[0], r[1] = h[1];
    return LG_OK;
}

static inline lg_status section(const lg_groupoid *gpd, double *g, const double *x, const double *eta, void *work)
{
    (void)gpd, (void)work;
    g[0] = x[0], g[1] = x[0] + eta[0];
    return LG_OK;
}

static inline int lagrangian(const lg_call *c, double h, const double *g, double *L)
{
    const double v = (g[1] - g[0]) / h, x = (g[0] + g[1]) / 2;
    (void)c;
    *L = h * (v * v / 2 - x * x / 2);
    return 0;
}

static inline lg_groupoid *pairs(void)
{
    lg_groupoid *gpd = NEW(lg_groupoid);
    memset(gpd, 0, sizeof *gpd);
    gpd->size = sizeof *gpd, gpd->name = "pairs", gpd->dim = gpd->base_size = 1, gpd->element_size = 2;
    gpd->source = source, gpd->target = target, gpd->unit = still;
    gpd->inverse = reverse, gpd->multiply = through, gpd->section = section;
    return gpd;
}

static inline lg_groupoid_system *oscillator(const lg_groupoid *gpd)
{
    static const double one = 1;
    lg_groupoid_system *S = NEW(lg_groupoid_system);
    lg_groupoid_system_init(S, sizeof *S, gpd);
    S->lagrangian = lagrangian, S->inertia_diagonal = &one;
    return S;
}

#endif
