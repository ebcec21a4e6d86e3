/* SPDX-License-Identifier: BSD-3-Clause */
/** @file retraction.h
 *  Retractions tau: algebra -> group and their trivialised tangents, on any group.
 *
 *  Tangents are **right-trivialised** as in [P2] of docs/theory.md: D tau(xi).eta = (dtau_xi eta) tau(xi). For the
 *  exponential this is the left Jacobian of robotics. Duals are plain transposes. On a product a retraction acts
 *  factor by factor. xi, eta and mu have lg_group_dim() = n numbers. Outputs may alias inputs. NaN in gives NaN out.
 *  Finite vectors in give finite numbers out, or LG_ERROR_DOMAIN and NaN: an angle beyond 2^20 rad, numbers beyond
 *  1e100, or a result that overflows (docs/groups.md, large numbers). */
#ifndef LIEGRP_RETRACTIONS_RETRACTION_H
#define LIEGRP_RETRACTIONS_RETRACTION_H

#include "../groups/group.h"

LG_BEGIN

typedef struct lg_retraction lg_retraction;

/** An operation of a retraction with one input. `work` holds the number of bytes that lg_retraction::work_bytes
 *  returned. */
typedef lg_status (*lg_retraction_unary)(const lg_retraction *r, const lg_group *G, double *out, const double *in,
                                         void *work);
/** An operation of a retraction with two inputs. */
typedef lg_status (*lg_retraction_binary)(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                          const double *v, void *work);

/** Kinds of retractions, from which an integrator finds structure once. */
typedef enum lg_retraction_kind {
    LG_RETRACTION_USER,        /**< a retraction of your own */
    LG_RETRACTION_EXP,         /**< the exponential */
    LG_RETRACTION_CAYLEY,      /**< the Cayley map */
    LG_RETRACTION_SECOND_KIND, /**< canonical coordinates of the second kind */
    LG_RETRACTION_SERIES,      /**< the exponential with truncated tangents */
    LG_RETRACTION_PRODUCT      /**< one retraction per factor */
} lg_retraction_kind;

/** Flag: tau(xi) tau(-xi) = e. Lemma 9.5 of [P2] in docs/theory.md and the symmetry of a method require it. */
#define LG_RETRACTION_SYMMETRIC 1u
/** Flag: dtau_inv is the exact tangent of tau; that of a truncated series is not. */
#define LG_RETRACTION_EXACT 2u
/** Flag: tau(xi) commutes with xi, Ad_tau(xi) xi = xi. The energy-momentum step requires it. */
#define LG_RETRACTION_COMMUTING 4u

/** A retraction. For one of your own start from zeros and set `size`, `name`, `flags`, `tau` and `dtau_inv`. Operations
 *  that are NULL are derived from these two: the inverse by Newton's method, dtau by a linear solve, derivatives by
 *  differences. An optional operation that returns LG_ERROR_UNSUPPORTED counts as NULL. lg_retraction_check() compares
 *  all of them. */
struct lg_retraction {
    size_t size;                         /**< sizeof(lg_retraction): the struct grows at its end */
    const char *name;                    /**< such as "exp" */
    lg_retraction_kind kind;             /**< LG_RETRACTION_USER for a retraction of your own */
    unsigned flags;                      /**< LG_RETRACTION_SYMMETRIC, _EXACT, _COMMUTING */
    const void *context;                 /**< yours to use */
    int order;                           /**< number of terms, for LG_RETRACTION_SERIES */
    int count;                           /**< number of factors, for LG_RETRACTION_PRODUCT */
    const lg_retraction *const *factors; /**< the factors' retractions, for LG_RETRACTION_PRODUCT */
    size_t (*work_bytes)(const lg_retraction *r, const lg_group *G); /**< scratch of the operations in bytes; NULL:
                                                                      *   none */
    lg_retraction_unary tau;                                         /**< required: g = tau(xi) */
    lg_retraction_unary tau_inv;                                     /**< xi = tau^-1(g) */
    lg_retraction_unary dtau;                                        /**< n x n matrix of dtau_xi */
    lg_retraction_unary dtau_inv;                                    /**< required: n x n matrix of dtau^-1_xi */
    lg_retraction_binary dtau_inv_dual;                              /**< (dtau^-1_xi)^* mu = (dtau^-1_xi)^T mu */
    lg_retraction_binary dtau_inv_dual_derivative;                   /**< n x n matrix of d/dxi [(dtau^-1_xi)^* mu] */
    int (*supports)(const lg_retraction *r, const lg_group *G);      /**< returns 0 if it does not work on G; NULL:
                                                                      *   works on every group */
};

/** The exponential map, on every group that has one. */
LG_API const lg_retraction *lg_retraction_exp(void);
/** The Cayley map: tau(xi) = (1 - xi/2)^-1 (1 + xi/2) in the matrix representation. */
LG_API const lg_retraction *lg_retraction_cayley(void);
/** Canonical coordinates of the second kind, left to right: tau(xi) = exp(xi_1 e_1) ... exp(xi_n e_n). Not
 *  symmetric. */
LG_API const lg_retraction *lg_retraction_second_kind(void);
/** The exponential with truncated tangents: dtau^-1 = sum_{k<=order} B_k/k! ad^k, dtau = sum_{k<=order} ad^k/(k+1)!.
 *  NULL unless 0 <= order <= 20. */
LG_API const lg_retraction *lg_retraction_series(int order);
/** The retraction of a name: "exp", "cayley", "second-kind", "exp:order=N". NULL for an unknown name. */
LG_API const lg_retraction *lg_retraction_named(const char *name);
/** The names of the built-in retractions, terminated by NULL ("exp:order=N" is listed with N = 4). */
LG_API const char *const *lg_retraction_names(void);
/** *r = one retraction per factor; `factors` must have as many entries as the product group has factors.
 *  - LG_ERROR_ARGUMENT: a NULL, or count < 1. */
LG_API LG_MUST_CHECK lg_status lg_retraction_create_product(lg_retraction **r, const lg_retraction *const *factors,
                                                            int count);
/** Frees a product made by lg_retraction_create_product(). NULL and built-in retractions are ignored. */
LG_API void lg_retraction_destroy(lg_retraction *r);
/** 1 if r works on G, else 0 (wrong number of factors, a group without Cayley map, ...). */
LG_API int lg_retraction_supports(const lg_retraction *r, const lg_group *G);

/** Checks a retraction, yours or the library's, on G at `points` random vectors: tau(0) = e and dtau^-1_0 = 1, tau^-1
 *  against tau, the symmetry and the commuting that its flags declare, dtau and dtau^-1 against differences of tau
 *  (with LG_RETRACTION_EXACT), the dual against the matrix, its derivative against differences; the same for short
 *  vectors (lengths 0.1 to 1e-6, and 0) and long ones (up to 2.5, to 1e-3), where closed forms branch. Run it once for
 *  a new retraction, after lg_group_check() of the group.
 *  - LG_ERROR_ARGUMENT: an identity fails by more than `tolerance` times its scale (<= 0: 1e-6), or the retraction is
 *    incomplete; the message has the identity, both values and the place.
 *  - LG_ERROR_NOT_FINITE: an operation leaves a number out, or it is not finite.
 *  - LG_ERROR_UNSUPPORTED: r does not work on G, or G has no random elements.
 *  - LG_ERROR_MEMORY: out of memory.
 *  - other errors: an operation returned them. */
LG_API LG_MUST_CHECK lg_status lg_retraction_check(const lg_retraction *r, const lg_group *G, lg_rng *rng, int points,
                                                   double tolerance, lg_error *error);

/** g = tau(xi). This and all functions below return LG_ERROR_UNSUPPORTED if r does not work on G. */
LG_API LG_MUST_CHECK lg_status lg_retraction_tau(const lg_retraction *r, const lg_group *G, double *g,
                                                 const double *xi);
/** xi = tau^-1(g).
 *  - LG_ERROR_DOMAIN: g is outside tau's range (Cayley: a rotation by pi).
 *  - LG_ERROR_CONVERGENCE: there is no closed form (second kind on quadratic groups, a retraction of your own), and
 *    Newton's method did not find xi. */
LG_API LG_MUST_CHECK lg_status lg_retraction_tau_inv(const lg_retraction *r, const lg_group *G, double *xi,
                                                     const double *g);
/** M = matrix of dtau_xi, n x n.
 *  - LG_ERROR_SINGULAR: there is no tangent (second kind at a gimbal position). */
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
/** M = matrix of eta -> d/ds [(dtau^-1_{xi + s eta})^* mu] at s = 0, n x n. Newton's method for the Legendre transform
 *  needs it. It is exact for exp and Cayley on the built-in groups, and by central differences if none is supplied. */
LG_API LG_MUST_CHECK lg_status lg_retraction_dtau_inv_dual_derivative(const lg_retraction *r, const lg_group *G,
                                                                      double *M, const double *xi, const double *mu);

LG_END

#endif
