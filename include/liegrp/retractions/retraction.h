/* SPDX-License-Identifier: BSD-3-Clause */
/** @file retraction.h
 *  Retractions tau: algebra -> group and their trivialised tangents, on any group.
 *
 *  Tangents are **right-trivialised** as in the papers: D tau(xi).eta = (dtau_xi eta) tau(xi); for the exponential that
 *  is what robotics calls the left Jacobian. Duals are plain transposes. On a product a retraction acts factor by
 *  factor. Outputs may alias inputs. A NaN that goes in comes out. */
#ifndef LIEGRP_RETRACTIONS_RETRACTION_H
#define LIEGRP_RETRACTIONS_RETRACTION_H

#include "../groups/group.h"

LG_BEGIN

typedef struct lg_retraction lg_retraction;

/** An operation of a retraction with one input; `work` holds what lg_retraction::work_bytes asked for. */
typedef lg_status (*lg_retraction_unary)(const lg_retraction *r, const lg_group *G, double *out, const double *in,
                                         void *work);
/** An operation of a retraction with two inputs. */
typedef lg_status (*lg_retraction_binary)(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                          const double *v, void *work);

/** What a retraction is, so that structure can be found once. */
typedef enum lg_retraction_kind {
    LG_RETRACTION_USER,        /**< somebody's own */
    LG_RETRACTION_EXP,         /**< the exponential */
    LG_RETRACTION_CAYLEY,      /**< the Cayley map */
    LG_RETRACTION_SECOND_KIND, /**< canonical coordinates of the second kind */
    LG_RETRACTION_SERIES,      /**< the exponential with truncated tangents */
    LG_RETRACTION_PRODUCT      /**< one retraction a factor */
} lg_retraction_kind;

/** tau(xi) tau(-xi) = e (lemma 9.5 of [P2] in docs/theory.md needs it, and so does the symmetry of a method). */
#define LG_RETRACTION_SYMMETRIC 1u
/** dtau_inv is the exact tangent of tau (a truncated series is not). */
#define LG_RETRACTION_EXACT 2u
/** tau(xi) commutes with xi, Ad_tau(xi) xi = xi: what the energy-momentum step rests on. */
#define LG_RETRACTION_COMMUTING 4u

/** A retraction. For one of your own start from zeros, set `size`, `name`, `flags`, `tau` and `dtau_inv`; what is NULL
 *  is made from these two: the inverse by Newton's method, dtau by a linear solve, derivatives by differences. An
 * optional operation that returns LG_ERROR_UNSUPPORTED counts as NULL. */
struct lg_retraction {
    size_t size;                         /**< sizeof(lg_retraction): the struct grows at its end */
    const char *name;                    /**< "exp" */
    lg_retraction_kind kind;             /**< LG_RETRACTION_USER for one of your own */
    unsigned flags;                      /**< LG_RETRACTION_SYMMETRIC, _EXACT, _COMMUTING */
    const void *context;                 /**< yours */
    int order;                           /**< terms kept, for LG_RETRACTION_SERIES */
    int count;                           /**< factors, for LG_RETRACTION_PRODUCT */
    const lg_retraction *const *factors; /**< the factors' retractions, for LG_RETRACTION_PRODUCT */
    size_t (*work_bytes)(const lg_retraction *r, const lg_group *G); /**< scratch of the operations; NULL: none */
    lg_retraction_unary tau;                                         /**< required: g = tau(xi) */
    lg_retraction_unary tau_inv;                                     /**< xi = tau^-1(g) */
    lg_retraction_unary dtau;                                        /**< n x n matrix of dtau_xi */
    lg_retraction_unary dtau_inv;                                    /**< required: n x n matrix of dtau^-1_xi */
    lg_retraction_binary dtau_inv_dual;                              /**< (dtau^-1_xi)^* mu = (dtau^-1_xi)^T mu */
    lg_retraction_binary dtau_inv_dual_derivative;                   /**< n x n matrix of d/dxi [(dtau^-1_xi)^* mu] */
    int (*supports)(const lg_retraction *r, const lg_group *G);      /**< 0: not on this group; NULL: on every group */
};

/** The exponential, on every group that has one. */
LG_API const lg_retraction *lg_retraction_exp(void);
/** The Cayley map: tau(xi) = (1 - xi/2)^-1 (1 + xi/2) in the matrix representation. */
LG_API const lg_retraction *lg_retraction_cayley(void);
/** Canonical coordinates of the second kind, left to right: tau(xi) = exp(xi_1 e_1) ... exp(xi_n e_n). Not symmetric.
 */
LG_API const lg_retraction *lg_retraction_second_kind(void);
/** The exponential whose tangents are truncated: dtau^-1 = sum_{k<=order} B_k/k! ad^k, dtau = sum_{k<=order}
 * ad^k/(k+1)!. 0 <= order <= 20, else NULL. */
LG_API const lg_retraction *lg_retraction_series(int order);
/** By name: "exp", "cayley", "second-kind", "exp:order=N". NULL: no such name. */
LG_API const lg_retraction *lg_retraction_named(const char *name);
/** The names of the built-in retractions, terminated by NULL ("exp:order=N" stands with N = 4). */
LG_API const char *const *lg_retraction_names(void);
/** One retraction a factor; `factors` must have as many as the product group has. LG_ERROR_ARGUMENT: NULL, count < 1.
 */
LG_API LG_MUST_CHECK lg_status lg_retraction_create_product(lg_retraction **r, const lg_retraction *const *factors,
                                                            int count);
/** Frees a product made by lg_retraction_create_product(); NULL and built-in ones are left alone. */
LG_API void lg_retraction_destroy(lg_retraction *r);
/** 1 if r works on G, else 0 (wrong number of factors, a group without Cayley map, ...). */
LG_API int lg_retraction_supports(const lg_retraction *r, const lg_group *G);

/** g = tau(xi). LG_ERROR_UNSUPPORTED: r does not work on G (so for all that follow). */
LG_API LG_MUST_CHECK lg_status lg_retraction_tau(const lg_retraction *r, const lg_group *G, double *g,
                                                 const double *xi);
/** xi = tau^-1(g). LG_ERROR_DOMAIN: g is outside tau's range (Cayley: a rotation by pi). LG_ERROR_CONVERGENCE: where
 * there is no closed form (second kind on quadratic groups, a retraction of your own) Newton's method did not find it.
 */
LG_API LG_MUST_CHECK lg_status lg_retraction_tau_inv(const lg_retraction *r, const lg_group *G, double *xi,
                                                     const double *g);
/** M = matrix of dtau_xi, n x n. LG_ERROR_SINGULAR: no tangent there (second kind at a gimbal position). */
LG_API LG_MUST_CHECK lg_status lg_retraction_dtau(const lg_retraction *r, const lg_group *G, double *M,
                                                  const double *xi);
/** M = matrix of dtau^-1_xi, n x n. */
LG_API LG_MUST_CHECK lg_status lg_retraction_dtau_inv(const lg_retraction *r, const lg_group *G, double *M,
                                                      const double *xi);
/** out = dtau_xi eta. */
LG_API LG_MUST_CHECK lg_status lg_retraction_dtau_apply(const lg_retraction *r, const lg_group *G, double *out,
                                                        const double *xi, const double *eta);
/** out = dtau^-1_xi eta. */
LG_API LG_MUST_CHECK lg_status lg_retraction_dtau_inv_apply(const lg_retraction *r, const lg_group *G, double *out,
                                                            const double *xi, const double *eta);
/** out = (dtau_xi)^* mu. */
LG_API LG_MUST_CHECK lg_status lg_retraction_dtau_dual(const lg_retraction *r, const lg_group *G, double *out,
                                                       const double *xi, const double *mu);
/** out = (dtau^-1_xi)^* mu. */
LG_API LG_MUST_CHECK lg_status lg_retraction_dtau_inv_dual(const lg_retraction *r, const lg_group *G, double *out,
                                                           const double *xi, const double *mu);
/** M = matrix of eta -> d/ds [(dtau^-1_{xi + s eta})^* mu] at s = 0, n x n: what Newton's method for the Legendre
 *  transform needs. Exact for exp and Cayley on the built-in groups, by central differences where none is supplied. */
LG_API LG_MUST_CHECK lg_status lg_retraction_dtau_inv_dual_derivative(const lg_retraction *r, const lg_group *G,
                                                                      double *M, const double *xi, const double *mu);

LG_END

#endif
