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

/* clang-format off */
/** What the descriptor of a group with direct functions (group_exp(), group_compose(), ...) takes from them: its
 *  operations under their names in lg_group, and EXP and CAY. Ends without its semicolon. */
#define LG_ADAPT_GROUP(group)                                                                                          \
    LG_ADAPT_IDENTITY(identity, group##_identity)                                                                      \
    LG_ADAPT_BINARY(compose, group##_compose)                                                                          \
    LG_ADAPT_UNARY(inverse, group##_inverse)                                                                           \
    LG_ADAPT_UNARY(Ad, group##_Ad)                                                                                     \
    LG_ADAPT_UNARY(ad, group##_ad)                                                                                     \
    LG_ADAPT_BINARY(coAd, group##_coAd_apply)                                                                          \
    LG_ADAPT_UNARY(hat, group##_hat)                                                                                   \
    LG_ADAPT_UNARY(vee, group##_vee)                                                                                   \
    LG_ADAPT_UNARY(to_matrix, group##_to_matrix)                                                                       \
    LG_ADAPT_UNARY_STATUS(from_matrix, group##_from_matrix)                                                            \
    LG_ADAPT_UNARY_STATUS(project, group##_project)                                                                    \
    LG_ADAPT_UNARY(exp_tau, group##_exp)                                                                               \
    LG_ADAPT_UNARY_STATUS(exp_tau_inv, group##_log)                                                                    \
    LG_ADAPT_UNARY(exp_dtau, group##_dexp)                                                                             \
    LG_ADAPT_UNARY(exp_dtau_inv, group##_dexp_inv)                                                                     \
    LG_ADAPT_BINARY(exp_dtau_inv_dual, group##_dexp_inv_dual)                                                          \
    LG_ADAPT_BINARY(exp_dtau_inv_dual_derivative, group##_dexp_inv_dual_derivative)                                    \
    LG_ADAPT_UNARY(cay_tau, group##_cay)                                                                               \
    LG_ADAPT_UNARY_STATUS(cay_tau_inv, group##_cay_inv)                                                                \
    LG_ADAPT_UNARY(cay_dtau, group##_dcay)                                                                             \
    LG_ADAPT_UNARY(cay_dtau_inv, group##_dcay_inv)                                                                     \
    LG_ADAPT_BINARY(cay_dtau_inv_dual, group##_dcay_inv_dual)                                                          \
    LG_ADAPT_BINARY(cay_dtau_inv_dual_derivative, group##_dcay_inv_dual_derivative)                                    \
    static const lg_group_maps EXP = {exp_tau, exp_tau_inv, exp_dtau, exp_dtau_inv, exp_dtau_inv_dual,                 \
                                      exp_dtau_inv_dual_derivative};                                                   \
    static const lg_group_maps CAY = {cay_tau, cay_tau_inv, cay_dtau, cay_dtau_inv, cay_dtau_inv_dual,                 \
                                      cay_dtau_inv_dual_derivative}
/* clang-format on */

#endif
