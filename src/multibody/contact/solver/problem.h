/* SPDX-License-Identifier: BSD-3-Clause */
/* problem.h: the frictional complementarity problem of contacts, and the linear operator behind it.
 *
 *   u = b + W P,   one impulse P and one velocity u for each row; a contact i owns 1 to 3 successive rows (n, t1, t2).
 *
 *   first row:  low <= P_n <= high,  u_n >= 0 where P_n = low,  u_n <= 0 where P_n = high,  u_n = 0 between
 *   tangents:   |P_t| <= mu P_n;  u_t = 0, or |P_t| = mu P_n and P_t is opposite to u_t
 *
 * | row or rows                          | rows | friction | low   | high     |
 * |--------------------------------------|------|----------|-------|----------|
 * | contact with friction                | 3    | mu       | 0     | INFINITY |
 * | contact in a plane                   | 2    | mu       | 0     | INFINITY |
 * | contact without friction, stop       | 1    | 0        | 0     | INFINITY |
 * | expansion of an impact               | 1..3 | mu       | e P_c | INFINITY |
 * | dry friction F of a joint in a step h| 1    | 0        | -F h  | F h      |
 * | impulse that is given                | 1    | 0        | P     | P        |
 *
 * Expansion begins where compression ended: b is the velocity after P_c, and P the impulse of expansion alone.
 * Tangents demand low >= 0 and high = INFINITY. Different coefficients along t1 and t2: scale a tangent row by the
 * ratio.
 *
 * W = f G J^-1 Pi G^T: G are the rows of contacts, J the inertia, Pi eliminates the rows of joints, f is 1/2 in a step
 * and 1 at a node. W is symmetric and positive semidefinite, of any rank. Nothing but the operator sees W, so that one
 * solver serves a dense W (dense.h) and the graph of bodies (sparse.h). */
#ifndef LG_MULTIBODY_CONTACT_SOLVER_PROBLEM_H
#define LG_MULTIBODY_CONTACT_SOLVER_PROBLEM_H

#include <float.h>

/* Numbers of one contact in arrays that have a fixed place for it: blocks K and W_ii are 3 x 3, row-major; entries of
 * rows that a contact does not have are not read. */
enum { MB_NCP_BLOCK = 9 };

typedef struct mb_ncp_contact {
    int at;           /* its first row: the sum of the rows of the contacts before it */
    int rows;         /* 1 to 3 */
    double friction;  /* mu >= 0 */
    double low, high; /* low <= high: bounds of the first row's impulse */
} mb_ncp_contact;

/* The operator W of one problem, with the linear systems of all methods. A method linearises a contact as dP = k - K du
 * with its own block K, and du = W dP + r. */
typedef struct mb_ncp_kernel mb_ncp_kernel;
struct mb_ncp_kernel {
    /* u = W P, over all rows. */
    void (*apply)(mb_ncp_kernel *self, double *u, const double *P);
    /* Factors I + W K; K has MB_NCP_BLOCK numbers a contact. 0: singular or not finite. */
    int (*factor)(mb_ncp_kernel *self, const double *K);
    /* dP = k - K du, du = W dP + r, with the last factor and its K; r = NULL: 0. */
    void (*solve)(mb_ncp_kernel *self, double *dP, double *du, const double *k, const double *r);
    /* For Gauss-Seidel: velocities W P are kept for P; read at the rows of contact i; changed by dP at contact i.
     * NULL, all three: rows of joints couple the contacts, and changes are not local. */
    void (*begin)(mb_ncp_kernel *self, const double *P);
    void (*read)(mb_ncp_kernel *self, int i, double *u);
    void (*change)(mb_ncp_kernel *self, int i, const double *dP);
    const double
        *local; /* W_ii, MB_NCP_BLOCK numbers a contact; without Pi where that costs solves: then an upper bound */
};

typedef struct mb_ncp {
    int contacts, rows; /* rows: of all contacts */
    const mb_ncp_contact *contact;
    const double *b; /* free velocities of the rows: with P = 0 */
    mb_ncp_kernel *kernel;
    double speed; /* > 0: the scale of velocities to which tolerances are relative: largest |v| of the bodies + g h */
    double tolerance; /* sought: max(1e-12, round-off of the data b) */
    double floor;     /* accepted after the first stage; >= tolerance: round-off of b within a shorter substep, or what
                       * is wrong with b in a sweep */
    double still;     /* a solution whose dry friction has a larger residual is improved, if it can be; 0: it is not */
    double damping;   /* Newton's proximal term where the residual is the tolerance; 0: what it is elsewhere */
} mb_ncp;

/* The round-off of gaps / h relative to `speed`, of bodies whose coordinates are at most `extent`: no impulses can do
 * better. The tolerance takes the whole step h, the floor the present substep. */
static inline double mb_ncp_rounding(double extent, double h, double speed)
{
    return 4 * DBL_EPSILON * (extent + 0.1) / (h * speed);
}

#endif
