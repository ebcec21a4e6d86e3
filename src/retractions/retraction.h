/* SPDX-License-Identifier: BSD-3-Clause */
/** @file retraction.h
 *  Retractions with a workspace of the caller, and functions that the files of this folder share.
 *
 *  Two layers. A *factor* is one retraction on one group that is not a product: factor.c calls its operations and
 *  replaces missing ones. retraction.c splits retraction and group into factors and puts the pieces together.
 *  An optional operation that returns LG_ERROR_UNSUPPORTED counts as missing: generic code takes over. So exp and
 *  Cayley offer all operations and call the closed forms that the group has. */
#ifndef LIEGRP_SRC_RETRACTIONS_RETRACTION_H
#define LIEGRP_SRC_RETRACTIONS_RETRACTION_H

#include <liegrp/retractions/retraction.h>

#include "base/sized.h"

/** LG_OK, or an error that says what a user-supplied retraction lacks for use with any group. */
lg_status lg_retraction_validate(const lg_retraction *r, const char *caller, lg_error *e);

/** Bytes of workspace for any of the functions below, generic code included; a multiple of 16. */
size_t lg_retraction_work_bytes(const lg_retraction *r, const lg_group *G);

/* The public functions with a workspace of lg_retraction_work_bytes(), aligned to 16. Nothing is checked: the caller
 * made sure that lg_retraction_supports(r, G). Outputs may alias inputs. Nothing is allocated. */

lg_status lg_retraction_tau_with(const lg_retraction *r, const lg_group *G, double *g, const double *xi, void *work);
lg_status lg_retraction_tau_inv_with(const lg_retraction *r, const lg_group *G, double *xi, const double *g,
                                     void *work);
lg_status lg_retraction_dtau_with(const lg_retraction *r, const lg_group *G, double *M, const double *xi, void *work);
lg_status lg_retraction_dtau_inv_with(const lg_retraction *r, const lg_group *G, double *M, const double *xi,
                                      void *work);
lg_status lg_retraction_dtau_inv_apply_with(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                            const double *eta, void *work);
lg_status lg_retraction_dtau_dual_with(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                       const double *mu, void *work);
lg_status lg_retraction_dtau_inv_dual_with(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                           const double *mu, void *work);
lg_status lg_retraction_dtau_inv_dual_derivative_with(const lg_retraction *r, const lg_group *G, double *M,
                                                      const double *xi, const double *mu, void *work);

/* ---- factor.c: one retraction on a group that is not a product. Inputs and outputs do not overlap here. ---- */

/** An operation on a factor; `b` is ignored if it has one input. `work` has lg_retraction_factor_work_bytes().
 */
typedef lg_status (*lg_retraction_factor_operation)(const lg_retraction *r, const lg_group *G, double *out,
                                                    const double *a, const double *b, void *work);

size_t lg_retraction_factor_work_bytes(const lg_retraction *r, const lg_group *G);
lg_status lg_retraction_factor_tau(const lg_retraction *r, const lg_group *G, double *g, const double *xi,
                                   const double *unused, void *work);
lg_status lg_retraction_factor_tau_inv(const lg_retraction *r, const lg_group *G, double *xi, const double *g,
                                       const double *unused, void *work);
lg_status lg_retraction_factor_dtau(const lg_retraction *r, const lg_group *G, double *M, const double *xi,
                                    const double *unused, void *work);
lg_status lg_retraction_factor_dtau_inv(const lg_retraction *r, const lg_group *G, double *M, const double *xi,
                                        const double *unused, void *work);
lg_status lg_retraction_factor_dtau_apply(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                          const double *eta, void *work);
lg_status lg_retraction_factor_dtau_inv_apply(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                              const double *eta, void *work);
lg_status lg_retraction_factor_dtau_dual(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                         const double *mu, void *work);
lg_status lg_retraction_factor_dtau_inv_dual(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                             const double *mu, void *work);
lg_status lg_retraction_factor_dtau_inv_dual_derivative(const lg_retraction *r, const lg_group *G, double *M,
                                                        const double *xi, const double *mu, void *work);

/* ---- shared by the descriptors ---- */

/** The closed form, if the group has it. */
static inline lg_status lg_closed_unary(lg_group_unary form, const lg_group *G, double *out, const double *in,
                                        void *work)
{
    return form ? form(G, out, in, work) : LG_ERROR_UNSUPPORTED;
}

static inline lg_status lg_closed_binary(lg_group_binary form, const lg_group *G, double *out, const double *a,
                                         const double *b, void *work)
{
    return form ? form(G, out, a, b, work) : LG_ERROR_UNSUPPORTED;
}

/* clang-format off */
/** An operation of a descriptor that is a closed form of the group, such as G->exp->tau. */
#define LG_CLOSED_UNARY(name, form)                                                                                    \
    static lg_status name(const lg_retraction *r, const lg_group *G, double *out, const double *in, void *work)        \
    {                                                                                                                  \
        (void)r;                                                                                                       \
        return lg_closed_unary(form, G, out, in, work);                                                                \
    }
#define LG_CLOSED_BINARY(name, form)                                                                                   \
    static lg_status name(const lg_retraction *r, const lg_group *G, double *out, const double *xi, const double *mu,  \
                          void *work)                                                                                  \
    {                                                                                                                  \
        (void)r;                                                                                                       \
        return lg_closed_binary(form, G, out, xi, mu, work);                                                           \
    }
/* clang-format on */

/** Highest order of lg_retraction_series(). */
#define LG_SERIES_MAX 20

#endif
