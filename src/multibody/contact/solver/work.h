/* SPDX-License-Identifier: BSD-3-Clause */
/* work.h: what the methods share: memory, points, the best point seen. One method is one function here; solve.c joins
 * them. Each moves a point x of the work; all points that are evaluated compete for `best`. */
#ifndef LG_MULTIBODY_CONTACT_SOLVER_WORK_H
#define LG_MULTIBODY_CONTACT_SOLVER_WORK_H

#include "base/arena.h"
#include "multibody/contact/solver/natural_map.h"

enum { MB_NCP_MEMORY = 8 }; /* Anderson's */

/* Impulses with what was found there. */
typedef struct mb_ncp_point {
    double *P, *u, *F;
    double residual, norm; /* max |F| / speed; |F|, Euclidean */
} mb_ncp_point;

typedef struct mb_ncp_work {
    int contacts; /* most of them in a problem */
    double *d;
    double *K, *k, *r; /* a linearisation */
    double *held;      /* K of Newton's last factor */
    double *dP, *du;
    mb_ncp_point x, trial, start;
    double *best;
    double best_residual;
    mb_ncp_contact *contact; /* with other coefficients of friction, for homotopy */
    struct {
        double *state, *image, *last_state, *last_image; /* (y, z), scaled; what the iteration makes of it */
        double *dF[MB_NCP_MEMORY], *dG[MB_NCP_MEMORY];   /* differences of residuals, of images */
        double *x;
    } admm;
    struct {
        double *P, *v, *psi;    /* v = (s, u_t) */
        double *dP, *dv, *dpsi; /* the affine step, then the whole one */
        double *gap, *e;        /* right hand sides of the complementarity conditions */
    } interior;
    int factorisations, evaluations, sweeps;
} mb_ncp_work;

/* Divides an arena for problems of at most this many contacts; over an empty arena it sizes. */
void mb_ncp_work_take(mb_ncp_work *w, lg_arena *a, int contacts);

/* Evaluates a point: u, F and its norms; remembers the best P. */
void mb_ncp_evaluate(mb_ncp_work *w, const mb_ncp *p, mb_ncp_point *x);
/* x <- P, evaluated. */
void mb_ncp_move(mb_ncp_work *w, const mb_ncp *p, mb_ncp_point *x, const double *P);
/* Factors I + W K with K of the work, and counts. */
int mb_ncp_factor(mb_ncp_work *w, const mb_ncp *p);

/* Semi-smooth Newton with a proximal term delta from w->x, until best_residual <= tolerance or `most` factors: a factor
 * serves while it contracts. */
void mb_ncp_newton(mb_ncp_work *w, const mb_ncp *p, int most, double delta);
/* Sweeps of nonlinear Gauss-Seidel over the contacts from w->x, forwards and backwards in turn. 0: the operator has
 * none. */
int mb_ncp_seidel(mb_ncp_work *w, const mb_ncp *p, int sweeps);
/* ADMM with Anderson's acceleration from w->x; now and then Newton with this proximal term is tried from there. */
void mb_ncp_admm(mb_ncp_work *w, const mb_ncp *p, double proximal);
/* The interior point, cold, until the residual of w->x is at most `target`; `scale` multiplies the start. */
void mb_ncp_interior(mb_ncp_work *w, const mb_ncp *p, double scale, double target);

#endif
