/* SPDX-License-Identifier: BSD-3-Clause */
/** @file adapter.h
 *  A function of fixed extents, such as lg_so3_exp(q, w), as an operation of a descriptor. One line per function, which
 * contains its full name. */
#ifndef LIEGRP_SRC_GROUPS_ADAPTER_H
#define LIEGRP_SRC_GROUPS_ADAPTER_H

#include <liegrp/groups/group.h>

#define LG_ADAPT_IDENTITY(name, f)                                                                                     \
    static lg_status name(const lg_group *G, double *out)                                                              \
    {                                                                                                                  \
        (void)G;                                                                                                       \
        f(out);                                                                                                        \
        return LG_OK;                                                                                                  \
    }

/** f returns nothing. */
#define LG_ADAPT_UNARY(name, f)                                                                                        \
    static lg_status name(const lg_group *G, double *out, const double *in, void *work)                                \
    {                                                                                                                  \
        (void)G;                                                                                                       \
        (void)work;                                                                                                    \
        f(out, in);                                                                                                    \
        return LG_OK;                                                                                                  \
    }

/** f returns a status. */
#define LG_ADAPT_UNARY_STATUS(name, f)                                                                                 \
    static lg_status name(const lg_group *G, double *out, const double *in, void *work)                                \
    {                                                                                                                  \
        (void)G;                                                                                                       \
        (void)work;                                                                                                    \
        return f(out, in);                                                                                             \
    }

/** f returns nothing. */
#define LG_ADAPT_BINARY(name, f)                                                                                       \
    static lg_status name(const lg_group *G, double *out, const double *a, const double *b, void *work)                \
    {                                                                                                                  \
        (void)G;                                                                                                       \
        (void)work;                                                                                                    \
        f(out, a, b);                                                                                                  \
        return LG_OK;                                                                                                  \
    }

#endif
