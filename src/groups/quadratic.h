/* SPDX-License-Identifier: BSD-3-Clause */
/** @file quadratic.h
 *  Quadratic groups {Y : Y^T P Y = P}: the data of lg_group, and functions that the files quadratic*.c share.
 *
 *  The adjoint of a matrix is M* = P^-1 M^T P: Y* = Y^-1 on the group, x* = -x on the algebra. A basis element B_k is
 *  a list of its nonzero entries; bases are orthogonal in the Frobenius product, so vee(M)_k = <B_k, M> / |B_k|^2. */
#ifndef LIEGRP_SRC_GROUPS_QUADRATIC_H
#define LIEGRP_SRC_GROUPS_QUADRATIC_H

#include <liegrp/groups/group.h>

/** The kind of the form P. */
typedef enum lg_quadratic_form {
    LG_FORM_ORTHOGONAL, /**< P = c 1: the group is O(n) or SO(n) */
    LG_FORM_DEFINITE,   /**< P or -P = K K^T: conjugate to O(n) by Q = K^T Y K^-T */
    LG_FORM_GENERAL     /**< neither */
} lg_quadratic_form;

/** A nonzero entry of a basis element. */
typedef struct lg_quadratic_entry {
    int row, column;
    double value;
} lg_quadratic_entry;

/** The data of a quadratic group. Everything lies in the one block that the lg_group begins. */
typedef struct lg_quadratic {
    int n;                           /**< matrices are n x n */
    int dim;                         /**< of the algebra */
    int proper;                      /**< 1: det Y = 1 is required */
    lg_quadratic_form form;          /**< the kind of the form P */
    const double *P;                 /**< n x n */
    const double *P_inverse;         /**< n x n */
    const int *image;                /**< P = sum_i sign[i] e_i e_image[i]^T, or NULL if P is not of this shape */
    const double *sign;              /**< see image */
    const int *first;                /**< entries first[k] .. first[k+1]-1 belong to B_k; dim + 1 of them */
    const lg_quadratic_entry *entry; /**< all entries */
    const double *weight;            /**< 1 / |B_k|^2 */
    const double *root;              /**< K, lower triangular (form DEFINITE), else NULL */
    const double *root_inverse;      /**< K^-1, or NULL */
    const double *correction;        /**< pseudo-inverse of x -> x^T P + P x, n^2 x n^2; NULL if P^T = +-P */
} lg_quadratic;

/** The data of G. */
static inline const lg_quadratic *lg_quadratic_of(const lg_group *G)
{
    return (const lg_quadratic *)G->data;
}

/** X = sum_k xi_k B_k. */
void lg_quadratic_hat(const lg_quadratic *q, double *X, const double *xi);
/** xi = coordinates of the projection of X. */
void lg_quadratic_vee(const lg_quadratic *q, double *xi, const double *X);
/** out = P^-1 M^T P; scratch n^2; out is not M. */
void lg_quadratic_adjoint(const lg_quadratic *q, double *out, const double *M, double *scratch);
/** Matrix of ad_xi for X = hat(xi); scratch n^2. */
void lg_quadratic_ad(const lg_quadratic *q, double *out, const double *X, double *scratch);
/** Matrix of eta -> vee(L hat(eta) R); scratch n^2. */
void lg_quadratic_sandwich(const lg_quadratic *q, double *out, const double *L, const double *R, double *scratch);
/** p <- p o (eta -> vee(L hat(eta) R)), in place: the dual of the above; work 2 n^2. */
void lg_quadratic_sandwich_dual(const lg_quadratic *q, double *p, const double *L, const double *R, double *work);
/** M = the matrix with <M, X> = <p, vee X>: M = sum_k p_k B_k / |B_k|^2. */
void lg_quadratic_covector(const lg_quadratic *q, double *M, const double *p);
/** out[l][k] = c <V B_k^T - B_k^T U, B_l>, dim x dim; scratch n^2. */
void lg_quadratic_bracket_dual(const lg_quadratic *q, double *out, double c, const double *V, const double *U,
                               double *scratch);
/** Replaces Y by the nearest element of the group; work 3 n^2 + n. LG_ERROR_DOMAIN: none was found. */
/* F = Y^T P Y - P; scratch n^2. */
void lg_quadratic_defect(const lg_quadratic *q, double *F, const double *Y, double *scratch);
lg_status lg_quadratic_project(const lg_quadratic *q, double *Y, double *work);

/** Doubles of scratch that suffice for every operation of the group. */
size_t lg_quadratic_work(int n, int dim);
/** Fills the operations. */
void lg_quadratic_bind(lg_group *G);

/** Closed forms of the retractions. */
extern const lg_group_maps lg_quadratic_exp;
extern const lg_group_maps lg_quadratic_cay;

#endif
