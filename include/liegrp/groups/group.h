/* SPDX-License-Identifier: BSD-3-Clause */
/** @file group.h
 *  A Lie group as a constant descriptor, and the operations on any group.
 *
 *  Elements are plain `double` arrays of lg_group_element_size() numbers, algebra vectors and covectors arrays of
 *  lg_group_dim() = n numbers. Matrices are row-major. Ad*_g is the transpose of Ad_g: <Ad*_g p, eta> = <p, Ad_g eta>.
 *  Outputs may alias inputs everywhere. NaN in gives NaN out. exp, its tangents and those of Cayley return
 *  LG_ERROR_DOMAIN, and NaN, for an angle beyond 2^20 rad (exp of SO(2), SE(2) and T^n takes any) and for numbers
 *  beyond 1e100 (docs/groups.md, large numbers). Built-in descriptors are static and need not be freed. Constructors
 *  make products and quadratic groups; free them with lg_group_destroy().
 *
 *  A group of your own is an `lg_group` filled by hand: start from zeros and set `size`, `name`, `dim`, `element_size`
 *  and the operations marked *required*. Generic code replaces the others. lg_group_check() tells whether it is one. */
#ifndef LIEGRP_GROUPS_GROUP_H
#define LIEGRP_GROUPS_GROUP_H

#include <stddef.h>

#include "../base/export.h"
#include "../base/random.h"
#include "../base/status.h"

LG_BEGIN

typedef struct lg_group lg_group;

/** Kinds of groups, from which an integrator finds structure once, when it is created. */
typedef enum lg_group_kind {
    LG_KIND_USER,      /**< a group of your own */
    LG_KIND_RN,        /**< R^n */
    LG_KIND_TORUS,     /**< T^n, angles in (-pi, pi] */
    LG_KIND_SO3,       /**< unit quaternions x, y, z, w */
    LG_KIND_SE2,       /**< x, y, cos, sin */
    LG_KIND_SE3,       /**< translation, unit quaternion */
    LG_KIND_QUADRATIC, /**< matrices with Y^T P Y = P */
    LG_KIND_PRODUCT,   /**< a direct product */
    LG_KIND_SO2,       /**< cos, sin */
    LG_KIND_SE23       /**< position, velocity, unit quaternion */
} lg_group_kind;

/** An operation with one input; `work` holds lg_group::work_bytes bytes (NULL when that is 0). */
typedef lg_status (*lg_group_unary)(const lg_group *G, double *out, const double *in, void *work);
/** An operation with two inputs. */
typedef lg_status (*lg_group_binary)(const lg_group *G, double *out, const double *a, const double *b, void *work);

/** Draws a random element with the generator. */
typedef lg_status (*lg_group_random_fn)(const lg_group *G, double *g, lg_rng *rng, void *work);

/** The closed forms of one retraction tau on one group. Tangents are right-trivialised: D tau(xi).eta = (dtau_xi eta)
 *  tau(xi). */
typedef struct lg_group_maps {
    lg_group_unary tau;                       /**< g = tau(xi) */
    lg_group_unary tau_inv;                   /**< xi = tau^-1(g); LG_ERROR_DOMAIN if g has no logarithm */
    lg_group_unary dtau;                      /**< matrix of dtau_xi */
    lg_group_unary dtau_inv;                  /**< matrix of dtau^-1_xi */
    lg_group_binary dtau_inv_dual;            /**< (dtau^-1_xi)^* mu; inputs xi, mu; may be NULL */
    lg_group_binary dtau_inv_dual_derivative; /**< matrix of d/dxi [(dtau^-1_xi)^* mu]; inputs xi, mu; may be NULL */
} lg_group_maps;

/** The meaning of the numbers in a block. */
typedef enum lg_block_kind {
    LG_BLOCK_NUMBERS,        /**< any other numbers */
    LG_BLOCK_VECTOR,         /**< coordinates of a vector space; g exp(xi) adds xi to them */
    LG_BLOCK_ANGLES,         /**< angles in (-pi, pi]; g exp(xi) adds xi to them, modulo 2 pi */
    LG_BLOCK_POSITION,       /**< position of a body, m; xi: velocity along the axes of the body */
    LG_BLOCK_VELOCITY,       /**< velocity of a body, m/s; xi: acceleration along the axes of the body */
    LG_BLOCK_PLANE_ROTATION, /**< cos and sin of an angle; xi: its rate */
    LG_BLOCK_QUATERNION,     /**< unit quaternion x, y, z, w; xi: angular velocity about the axes of the body */
    LG_BLOCK_MATRIX          /**< entries of a square matrix, row by row; xi: its coordinates in the algebra */
} lg_block_kind;

/** A block: numbers of an element that belong together, and the components of the algebra that change them. Columns of
 *  a row are the numbers of an element, except that angles and plane rotations are written as angles on the branch
 *  nearest to the row before. */
typedef struct lg_group_block {
    lg_block_kind kind; /**< what its numbers are */
    int element;        /**< its first number in an element */
    int element_size;   /**< how many; 0: the rest of the element */
    int algebra;        /**< its first component in the algebra */
    int algebra_size;   /**< how many; 0: the rest of the algebra */
    const char *names;  /**< names of its columns, separated by a space. NULL: vectors and angles are coordinates, named
                             q_1, q_2, ... through the whole group or by lg_model_definition::coordinate_names; a matrix
                             has Y_1_1, Y_1_2, ...; others have g_1, g_2, ... */
} lg_group_block;

/** A Lie group. Read the fields as you like; fill them only for a group of your own. */
struct lg_group {
    size_t size;        /**< sizeof(lg_group): the struct grows at its end */
    const char *name;   /**< such as "SO(3)" */
    lg_group_kind kind; /**< LG_KIND_USER for a group of your own */
    int dim;            /**< dimension n of the algebra */
    int element_size;   /**< doubles in an element */
    int matrix_size;    /**< N of the N x N matrix representation; 0: none */
    int abelian;        /**< 1: Ad is the identity */
    size_t work_bytes;  /**< scratch in bytes that the operations below need */
    const void *data;   /**< the descriptor's own data */

    lg_status (*identity)(const lg_group *G, double *g); /**< required */
    lg_group_binary compose;                             /**< required: ab */
    lg_group_unary inverse;                              /**< required */
    lg_group_unary Ad;                                   /**< required: n x n matrix of Ad_g */
    lg_group_unary ad;                                   /**< required: n x n matrix of ad_xi */
    lg_group_binary coAd;                                /**< Ad*_g p; inputs g, p; NULL: computed from the matrix */
    lg_group_unary hat;                                  /**< N x N matrix of an algebra vector */
    lg_group_unary vee;         /**< algebra vector of an N x N matrix (its projection onto the algebra) */
    lg_group_unary to_matrix;   /**< N x N matrix of an element */
    lg_group_unary from_matrix; /**< element nearest to an N x N matrix; LG_ERROR_DOMAIN if no element is nearest */
    double (*residual)(const lg_group *G, const double *g, void *work); /**< distance of g from the group; 0: on it */
    lg_group_unary project;                                             /**< element of the group nearest to g */
    const lg_group_maps *exp;                                           /**< exponential; NULL: none */
    const lg_group_maps *cay;                                           /**< Cayley; NULL: none */
    lg_group_random_fn random;                                          /**< a random element */

    /** Coordinates of the second kind, left to right: xi with g = exp(xi_1 e_1) ... exp(xi_n e_n). NULL: the logarithm
     *  on an abelian group, Newton's method otherwise. */
    lg_group_unary second_kind_inv;
    /** Frees the descriptor, for lg_group_destroy(). NULL: nothing to free. */
    void (*destroy)(lg_group *G);
    int block_count; /**< number of blocks */
    /** The blocks of an element, in its order, without gaps; names of columns, unwrapped angles, pictures, and measures
     *  of rotations and positions follow from them. NULL: one block LG_BLOCK_NUMBERS. */
    const lg_group_block *blocks;
};

/** Dimension n of the algebra. */
LG_API int lg_group_dim(const lg_group *G);
/** Doubles in an element. */
LG_API int lg_group_element_size(const lg_group *G);
/** N of the N x N matrix representation. */
LG_API int lg_group_matrix_size(const lg_group *G);
/** The group's name, such as "R^2 x SO(3)". */
LG_API const char *lg_group_name(const lg_group *G);
/** Number of blocks of an element; of a product those of all factors. 0 for NULL. */
LG_API int lg_group_block_count(const lg_group *G);
/** Block i, with its sizes; all zero if there is no block i. */
LG_API lg_group_block lg_group_block_at(const lg_group *G, int i);
/** Frees a group made by a constructor. Static descriptors and NULL are ignored. */
LG_API void lg_group_destroy(lg_group *G);

/** g = e. */
LG_API LG_MUST_CHECK lg_status lg_group_identity(const lg_group *G, double *g);
/** r = a b. */
LG_API LG_MUST_CHECK lg_status lg_group_compose(const lg_group *G, double *r, const double *a, const double *b);
/** r = a^-1. */
LG_API LG_MUST_CHECK lg_status lg_group_inverse(const lg_group *G, double *r, const double *a);
/** M = matrix of Ad_g, n x n. */
LG_API LG_MUST_CHECK lg_status lg_group_Ad(const lg_group *G, double *M, const double *g);
/** out = Ad_g eta. */
LG_API LG_MUST_CHECK lg_status lg_group_Ad_apply(const lg_group *G, double *out, const double *g, const double *eta);
/** M = matrix of Ad*_g = (Ad_g)^T, n x n. */
LG_API LG_MUST_CHECK lg_status lg_group_coAd(const lg_group *G, double *M, const double *g);
/** out = Ad*_g p = (Ad_g)^T p. */
LG_API LG_MUST_CHECK lg_status lg_group_coAd_apply(const lg_group *G, double *out, const double *g, const double *p);
/** M = matrix of ad_xi, n x n. */
LG_API LG_MUST_CHECK lg_status lg_group_ad(const lg_group *G, double *M, const double *xi);
/** out = ad_xi eta = [xi, eta]. */
LG_API LG_MUST_CHECK lg_status lg_group_ad_apply(const lg_group *G, double *out, const double *xi, const double *eta);
/** M = matrix of ad*_xi = (ad_xi)^T, n x n. */
LG_API LG_MUST_CHECK lg_status lg_group_coad(const lg_group *G, double *M, const double *xi);
/** out = ad*_xi p = (ad_xi)^T p. */
LG_API LG_MUST_CHECK lg_status lg_group_coad_apply(const lg_group *G, double *out, const double *xi, const double *p);
/** X = hat(xi), N x N.
 *  - LG_ERROR_UNSUPPORTED: the group has no matrix representation. */
LG_API LG_MUST_CHECK lg_status lg_group_hat(const lg_group *G, double *X, const double *xi);
/** xi = vee(X), the coordinates of the projection of X onto the algebra. */
LG_API LG_MUST_CHECK lg_status lg_group_vee(const lg_group *G, double *xi, const double *X);
/** R = matrix of g, N x N; a product is block diagonal. */
LG_API LG_MUST_CHECK lg_status lg_group_to_matrix(const lg_group *G, double *R, const double *g);
/** g = the element nearest to the N x N matrix R.
 *  - LG_ERROR_DOMAIN: no element is near (R is improper or singular). */
LG_API LG_MUST_CHECK lg_status lg_group_from_matrix(const lg_group *G, double *g, const double *R);
/** Distance of g from the group in its embedding: 0 on it, NaN for NaN. */
LG_API double lg_group_residual(const lg_group *G, const double *g);
/** 1 if lg_group_residual() <= tolerance, else 0 (NaN: 0). */
LG_API int lg_group_is_valid(const lg_group *G, const double *g, double tolerance);
/** out = the element of the group nearest to g.
 *  - LG_ERROR_DOMAIN: g is too far from the group (such as a zero quaternion). */
LG_API LG_MUST_CHECK lg_status lg_group_project(const lg_group *G, double *out, const double *g);
/** d = |log(a^-1 b)|, Euclidean norm in the coordinates of the algebra. */
LG_API LG_MUST_CHECK lg_status lg_group_distance(const lg_group *G, double *d, const double *a, const double *b);
/** g = a random element: uniform (Haar) where the group is compact, normal coordinates elsewhere. */
LG_API LG_MUST_CHECK lg_status lg_group_random(const lg_group *G, double *g, lg_rng *rng);
/** r = a exp(s log(a^-1 b)): the geodesic from a (s = 0) to b (s = 1). */
LG_API LG_MUST_CHECK lg_status lg_group_interpolate(const lg_group *G, double *r, const double *a, const double *b,
                                                    double s);
/** r = the mean of `count` elements, one after the other in `elements`: sum_i w_i log(r^-1 g_i) = 0, the exponential
 *  barycentre (Pennec and Arsigny 2012), which does not depend on a metric or on a side: means of a g_i b and of g_i^-1
 *  are a r b and r^-1. On compact groups it is the Riemannian centre of mass. Weights, NULL: equal ones, are not
 *  negative and need not add up to 1. Elements should be within a quarter turn of r; r may be one of them.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, `count` is below 1, or a weight is negative or not finite, or all are 0.
 *  - LG_ERROR_DOMAIN: an element is so far from the others that it has no logarithm.
 *  - LG_ERROR_CONVERGENCE: the elements are spread too wide to have one mean.
 *  - LG_ERROR_NOT_FINITE: a number is not finite.
 *  - LG_ERROR_UNSUPPORTED: a group of your own without exp or log.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_group_mean(const lg_group *G, double *r, const double *elements,
                                             const double *weights, int count);
/** g = exp(xi). */
LG_API LG_MUST_CHECK lg_status lg_group_exp(const lg_group *G, double *g, const double *xi);
/** xi = log(g), the principal logarithm.
 *  - LG_ERROR_DOMAIN: g has none. */
LG_API LG_MUST_CHECK lg_status lg_group_log(const lg_group *G, double *xi, const double *g);

/** Checks a group, yours or the library's, at `points` random elements: associativity, identity and inverse; Ad against
 *  differences of g exp(s eta) g^-1, ad against differences of Ad, Jacobi's identity, coAd against Ad; exp as
 *  one-parameter subgroups, and exp and cay as lg_retraction_check() does; hat, vee and the matrices; residual,
 *  project, random, second_kind_inv; blocks; the flag `abelian`; and of each operation that it fills its output, works
 *  in place and keeps to its scratch. Of a product, first each factor. It takes milliseconds: run it once for a new
 *  group; `liegrp info --check` does. A group that has neither exp nor cay is checked for what does not need them.
 *  - LG_ERROR_ARGUMENT: an identity fails by more than `tolerance` times its scale (<= 0: 1e-6), or the group is
 *    incomplete; the message has the identity, both values and the place.
 *  - LG_ERROR_NOT_FINITE: an operation leaves a number out, or it is not finite.
 *  - LG_ERROR_UNSUPPORTED: there are no random elements: it has none of random, exp and cay.
 *  - LG_ERROR_MEMORY: out of memory.
 *  - other errors: an operation returned them. */
LG_API LG_MUST_CHECK lg_status lg_group_check(const lg_group *G, lg_rng *rng, int points, double tolerance,
                                              lg_error *error);

/** R^n, 1 <= n <= 32, static; NULL for other n (use lg_group_create_rn()). */
LG_API const lg_group *lg_rn(int n);
/** T^n, 1 <= n <= 32, static; NULL for other n (use lg_group_create_torus()). */
LG_API const lg_group *lg_torus(int n);
/** SO(2) as (cos, sin), algebra (angle). */
LG_API const lg_group *lg_so2(void);
/** SO(3) as unit quaternions (x, y, z, w), Hamilton convention. */
LG_API const lg_group *lg_so3(void);
/** SE(2) as (x, y, cos, sin), algebra (v1, v2, theta). */
LG_API const lg_group *lg_se2(void);
/** SE(3) as (translation, quaternion), algebra (v, omega). */
LG_API const lg_group *lg_se3(void);
/** SE_2(3) as (position, velocity, quaternion), algebra (a, b, omega). */
LG_API const lg_group *lg_se23(void);

/** *G = R^n for any n >= 1. Systems take up to 10000 dimensions.
 *  - LG_ERROR_ARGUMENT: n < 1, or n > 2^30 - 2.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_group_create_rn(lg_group **G, int n);
/** *G = T^n for any n >= 1. Systems take up to 10000 dimensions.
 *  - LG_ERROR_ARGUMENT: n < 1, or n > 2^30 - 2.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_group_create_torus(lg_group **G, int n);
/** *G = factors[0] x ... x factors[count-1]. The factors must outlive G. A factor may occur twice.
 *  - LG_ERROR_ARGUMENT: a factor is NULL or lacks a required operation, count < 1, or a sum of sizes is no int. */
LG_API LG_MUST_CHECK lg_status lg_group_create_product(lg_group **G, const lg_group *const *factors, int count);
/** Number of factors: 1 for a group that is not a product. */
LG_API int lg_group_factor_count(const lg_group *G);
/** Factor i, or NULL. A group that is not a product is its own factor 0. */
LG_API const lg_group *lg_group_factor(const lg_group *G, int i);

/** *G = SO(n), n >= 2: matrices with Y^T Y = 1 and det 1. The basis of the algebra is e_i e_j^T - e_j e_i^T for (i,j) =
 *  (1,0),(2,0),(2,1),...
 *  - LG_ERROR_ARGUMENT: n < 2.
 *  - LG_ERROR_UNSUPPORTED: n > 256 (the matrix of Ad would have 1e9 entries), or the library was built without
 *    LAPACK. */
LG_API LG_MUST_CHECK lg_status lg_group_create_so(lg_group **G, int n);
/** *G = SO(p,q): P = diag(1 x p, -1 x q), basis e_i e_j^T - (P_ii/P_jj) e_j e_i^T in the same order.
 *  - LG_ERROR_ARGUMENT: p < 0, q < 0 or p+q < 2.
 *  - LG_ERROR_UNSUPPORTED: the same causes as for lg_group_create_so(). */
LG_API LG_MUST_CHECK lg_status lg_group_create_so_pq(lg_group **G, int p, int q);
/** *G = Sp(2n): P = [[0,1],[-1,0]]. The algebra is x = [[A,B],[C,-A^T]], its basis A row by row, then B and C (upper
 *  triangles row by row).
 *  - LG_ERROR_ARGUMENT: n < 1.
 *  - LG_ERROR_UNSUPPORTED: the same causes as for lg_group_create_so(). */
LG_API LG_MUST_CHECK lg_status lg_group_create_sp(lg_group **G, int n);
/** *G = {Y : Y^T P Y = P} for any invertible n x n P. The basis of the algebra {x : x^T P + P x = 0} is orthonormal
 *  (Frobenius).
 *  - LG_ERROR_ARGUMENT: n < 2, or a NULL; a number of P is not finite, or so large that 2 P is not.
 *  - LG_ERROR_SINGULAR: P is singular.
 *  - LG_ERROR_UNSUPPORTED: n > 64, or the library was built without LAPACK. */
LG_API LG_MUST_CHECK lg_status lg_group_create_quadratic(lg_group **G, const double *P, int n);

LG_END

#endif
