/* SPDX-License-Identifier: BSD-3-Clause */
/** @file adapter.h
 *  A function of fixed extents, such as lg_so3_exp(q, w), as an operation of a descriptor. One line per function, which
 * contains its full name. */
#ifndef LIEGRP_SRC_GROUPS_ADAPTER_H
#define LIEGRP_SRC_GROUPS_ADAPTER_H

#include <math.h>
#include <stdio.h>

#include <liegrp/groups/group.h>

/** The result of a map outside the range of its argument: NaN. */
static inline lg_status lg_beyond(double *out, int count)
{
    for (int i = 0; i < count; i++) out[i] = NAN;
    return LG_ERROR_DOMAIN;
}

/* clang-format off */
/** Direct functions of a group's maps, such as lg_so3_dexp(), over their kernels. `ins` numbers go in, `outs` come out,
 *  NaN outside the range of the map. */
#define LG_DIRECT_MAP(name, kernel, beyond, ins, outs)                                                                 \
    void name(double out[static outs], const double xi[static ins])                                                    \
    {                                                                                                                  \
        const int far = beyond(xi);                                                                                    \
        kernel(out, xi);                                                                                               \
        if (far) lg_status_ignore(lg_beyond(out, outs));                                                               \
    }
/** LG_DIRECT_MAP with a covector mu. */
#define LG_DIRECT_MAP_OF_TWO(name, kernel, beyond, ins, outs)                                                          \
    void name(double out[static outs], const double xi[static ins], const double mu[static ins])                       \
    {                                                                                                                  \
        const int far = beyond(xi);                                                                                    \
        kernel(out, xi, mu);                                                                                           \
        if (far) lg_status_ignore(lg_beyond(out, outs));                                                               \
    }
/** Functions that have a value everywhere. */
#define LG_DIRECT_WHOLE(name, kernel, ins, outs)                                                                       \
    void name(double out[static outs], const double xi[static ins])                                                    \
    {                                                                                                                  \
        kernel(out, xi);                                                                                               \
    }
/** A function of two arguments of `first` and `second` numbers. */
#define LG_DIRECT_BINARY(name, kernel, first, second, outs)                                                            \
    void name(double out[static outs], const double a[static first], const double b[static second])                    \
    {                                                                                                                  \
        kernel(out, a, b);                                                                                             \
    }
/** |log(a^-1 b)| in a group of dimension n, with e numbers in an element. */
#define LG_DIRECT_DISTANCE(name, kernels, n, e)                                                                        \
    double name(const double a[static e], const double b[static e])                                                    \
    {                                                                                                                  \
        double d[e], xi[n];                                                                                            \
        kernels##_inverse(d, a);                                                                                       \
        kernels##_compose(d, d, b);                                                                                    \
        return kernels##_log(xi, d) ? (double)NAN : lg_length(xi, n);                                                  \
    }
/** a exp(s log(a^-1 b)). */
#define LG_DIRECT_INTERPOLATE(name, kernels, n, e)                                                                     \
    lg_status name(double r[static e], const double a[static e], const double b[static e], double s)                   \
    {                                                                                                                  \
        double d[e], xi[n];                                                                                            \
        kernels##_inverse(d, a);                                                                                       \
        kernels##_compose(d, d, b);                                                                                    \
        if (kernels##_log(xi, d)) return LG_ERROR_DOMAIN;                                                              \
        for (int i = 0; i < n; i++) xi[i] *= s;                                                                        \
        if (kernels##_exp_beyond(xi)) return LG_ERROR_DOMAIN;                                                          \
        kernels##_exp(d, xi);                                                                                          \
        kernels##_compose(r, a, d);                                                                                    \
        return LG_OK;                                                                                                  \
    }
/** A partial map, such as log(): n numbers from e. Outside its range xi is unchanged. */
#define LG_DIRECT_INVERSE(name, kernel, n, e)                                                                          \
    lg_status name(double xi[static n], const double g[static e])                                                      \
    {                                                                                                                  \
        double t[n];                                                                                                   \
        if (kernel(t, g)) return LG_ERROR_DOMAIN;                                                                      \
        for (int i = 0; i < n; i++) xi[i] = t[i];                                                                      \
        return LG_OK;                                                                                                  \
    }
/* clang-format on */

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

/** A map of the algebra. If group_`kind`_beyond() is 1, all `outs` numbers are NaN, as in a batch. */
#define LG_ADAPT_MAP(name, f, beyond, outs)                                                                            \
    static lg_status name(const lg_group *G, double *out, const double *in, void *work)                                \
    {                                                                                                                  \
        const int far = beyond(in);                                                                                    \
        (void)G;                                                                                                       \
        (void)work;                                                                                                    \
        f(out, in);                                                                                                    \
        return far ? lg_beyond(out, outs) : LG_OK;                                                                     \
    }

/** LG_ADAPT_MAP with a covector. */
#define LG_ADAPT_MAP_OF_TWO(name, f, beyond, outs)                                                                     \
    static lg_status name(const lg_group *G, double *out, const double *a, const double *b, void *work)                \
    {                                                                                                                  \
        const int far = beyond(a);                                                                                     \
        (void)G;                                                                                                       \
        (void)work;                                                                                                    \
        f(out, a, b);                                                                                                  \
        return far ? lg_beyond(out, outs) : LG_OK;                                                                     \
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
/** Sets the members of a descriptor from the direct functions of a group (group_exp(), group_compose(), ...): its
 *  operations, under their names in lg_group, and EXP and CAY. `kernels` is the prefix of the kernels, n the dimension,
 *  e the size of an element. Write a semicolon after it. */
#define LG_ADAPT_GROUP(group, kernels, n, e)                                                                           \
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
    LG_ADAPT_MAP(exp_tau, group##_exp, kernels##_exp_beyond, e)                                                        \
    LG_ADAPT_UNARY_STATUS(exp_tau_inv, group##_log)                                                                    \
    LG_ADAPT_MAP(exp_dtau, group##_dexp, kernels##_dexp_beyond, n *n)                                                  \
    LG_ADAPT_MAP(exp_dtau_inv, group##_dexp_inv, kernels##_dexp_beyond, n *n)                                          \
    LG_ADAPT_MAP_OF_TWO(exp_dtau_inv_dual, group##_dexp_inv_dual, kernels##_dexp_beyond, n)                            \
    LG_ADAPT_MAP_OF_TWO(exp_dtau_inv_dual_derivative, group##_dexp_inv_dual_derivative, kernels##_dexp_beyond, n *n)   \
    LG_ADAPT_MAP(cay_tau, group##_cay, kernels##_cay_beyond, e)                                                        \
    LG_ADAPT_UNARY_STATUS(cay_tau_inv, group##_cay_inv)                                                                \
    LG_ADAPT_MAP(cay_dtau, group##_dcay, kernels##_cay_beyond, n *n)                                                   \
    LG_ADAPT_MAP(cay_dtau_inv, group##_dcay_inv, kernels##_cay_beyond, n *n)                                           \
    LG_ADAPT_MAP_OF_TWO(cay_dtau_inv_dual, group##_dcay_inv_dual, kernels##_cay_beyond, n)                             \
    LG_ADAPT_MAP_OF_TWO(cay_dtau_inv_dual_derivative, group##_dcay_inv_dual_derivative, kernels##_cay_beyond, n *n)    \
    static const lg_group_maps EXP = {exp_tau, exp_tau_inv, exp_dtau, exp_dtau_inv, exp_dtau_inv_dual,                 \
                                      exp_dtau_inv_dual_derivative};                                                   \
    static const lg_group_maps CAY = {cay_tau, cay_tau_inv, cay_dtau, cay_dtau_inv, cay_dtau_inv_dual,                 \
                                      cay_dtau_inv_dual_derivative}
/** These operations in a descriptor. */
#define LG_ADAPTED                                                                                                     \
    .size = sizeof(lg_group), .identity = identity, .compose = compose, .inverse = inverse, .Ad = Ad, .ad = ad,        \
    .coAd = coAd, .hat = hat, .vee = vee, .to_matrix = to_matrix, .from_matrix = from_matrix, .project = project,      \
    .exp = &EXP, .cay = &CAY
/* clang-format on */

#endif
