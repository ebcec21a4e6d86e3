/* SPDX-License-Identifier: BSD-3-Clause */
/* The tools of the claims: measurements, systems to loop over, integrators that report failures. */
#ifndef CLAIMS_HARNESS_H
#define CLAIMS_HARNESS_H

#include <math.h>
#include <string.h>

#include "claims/framework/claims.h"

enum {
    CLAIM_DIM = 20,     /* largest dimension of an algebra in the ledger */
    CLAIM_ELEMENT = 40, /* most doubles in an element */
    CLAIM_ROWS = 8      /* largest number of constraint rows */
};

/* Measurements ---------------------------------------------------------------------------------------------------- */

/* The case that the next measurements belong to; NULL and "" leave a field empty. */
void claim_case(claim_report *r, const char *system, const char *method, const char *retraction);
/* value <= bound; `why` (a literal) says where the bound comes from, then what was measured, as printf() does. A NaN
 * fails, here and below. */
void claim_below(claim_report *r, double value, double bound, const char *why, const char *what, ...)
    __attribute__((format(printf, 5, 6)));
/* value >= bound: a negative claim: an effect that must occur, but for a user's system, which may not show it. */
void claim_above(claim_report *r, double value, double bound, const char *why, const char *what, ...)
    __attribute__((format(printf, 5, 6)));
/* low <= value <= high. */
void claim_between(claim_report *r, double value, double low, double high, const char *why, const char *what, ...)
    __attribute__((format(printf, 6, 7)));
/* An observed order in low ... high. A user's system may be smoother than the theorem needs, or its steps not small
 * yet: what exceeds the range, or has no error above round-off (NaN), is skipped, and three tenths may lack. A whole
 * order lost is still seen. */
void claim_order_between(claim_report *r, double order, double low, double high, const char *why, const char *what, ...)
    __attribute__((format(printf, 6, 7)));
/* A control: value >= bound, where the claim would need it below. */
void claim_control(claim_report *r, double value, double bound, const char *why, const char *what, ...)
    __attribute__((format(printf, 5, 6)));
/* In place of a measurement for which there is nothing above round-off: the number of measurements does not depend on
 * the rounding of a machine. It is no part of the verdict. */
void claim_skip(claim_report *r, const char *what);
/* An operation failed that should have worked: a failed measurement, with the reason. */
void claim_trouble(claim_report *r, const char *what, ...) __attribute__((format(printf, 2, 3)));
/* 1 if status is LG_OK; else claim_trouble() with `what` and the message, and 0. */
int claim_ok(claim_report *r, lg_status status, const char *what, const char *message);

/* Systems --------------------------------------------------------------------------------------------------------- */

/* The traits of a system, determined numerically, so that a new system is classified automatically. */
enum {
    CLAIM_VELOCITY_ROWS = 1,                             /* velocity constraints */
    CLAIM_POSITION_ROWS = 2,                             /* holonomic constraints */
    CLAIM_POTENTIAL = 4,                                 /* V */
    CLAIM_FORCE = 8,                                     /* f, at zero controls as well */
    CLAIM_DRIFT = 16,                                    /* Y != 0: affine constraints */
    CLAIM_TIME = 32,                                     /* the system depends on time */
    CLAIM_METRIC = 64,                                   /* J(g) */
    CLAIM_CONSTANT_ROWS = 128,                           /* rows that do not depend on g, or none */
    CLAIM_BIINVARIANT = 256,                             /* constant J with ad*_xi J xi = 0 for all xi */
    CLAIM_ABELIAN = 512,                                 /* the group is abelian */
    CLAIM_CONTROLS = 1024,                               /* the force takes controls */
    CLAIM_WORK = CLAIM_FORCE | CLAIM_DRIFT | CLAIM_TIME, /* the energy may change (test with `any`) */
    /* The traits that pk = (P-Q)* Ad*_W pk-1 excludes. */
    CLAIM_NOT_LEFT_INVARIANT =
        CLAIM_POSITION_ROWS | CLAIM_POTENTIAL | CLAIM_FORCE | CLAIM_DRIFT | CLAIM_TIME | CLAIM_METRIC
};

/* A system that is ready to integrate. */
typedef struct claim_system {
    const char *name; /* the name in reports: "cvt c2=-0.1" */
    lg_model *M;
    const lg_system *S;
    const lg_group *G;
    unsigned traits;
    double h;       /* a good step */
    int n, m, size; /* dimension, rows (holonomic + velocity constraints), doubles in an element */
    double g0[CLAIM_ELEMENT], xi0[CLAIM_DIM]; /* consistent initial data */
    char label[96];
} claim_system;

/* Opens a system of the catalog, or of claims/framework/examples.h, with "NAME=VALUE ..." (NULL or "": the defaults). 0
 * after claim_trouble(). Close it. */
int claim_open(claim_report *r, claim_system *s, const char *name, const char *settings);
/* claim_open() of a definition. */
int claim_open_definition(claim_report *r, claim_system *s, const lg_model_definition *d, const char *settings);
void claim_close(claim_system *s);
/* Puts s->g0 and s->xi0 on the constraints, by an integrator that is started with projection. 0 after claim_trouble().
 */
int claim_settle(claim_report *r, claim_system *s);
/* Prepares a user's system for the claims: finds a motion, a step that resolves it, and r->slack, the ratio of its
 * round-off to that of the ledger's systems. 0 after claim_trouble(). */
int claim_prepare_own(claim_report *r, claim_system *s);
/* Calls body() for every system of the ledger (the catalog, variants of it, the examples; or the user's one) that has
 * all traits `with` and none of `without`. */
typedef void (*claim_body)(claim_report *r, const claim_system *s, void *context);
void claim_each(claim_report *r, unsigned with, unsigned without, claim_body body, void *context);
/* 1 if the loops of this report are over the ledger's own systems: only then are claims about one named system checked;
 * with a user's system they measure nothing. */
int claim_own_systems(const claim_report *r);
/* J(g) xi at time t. 0 after claim_trouble(). */
int claim_momentum_of(claim_report *r, const claim_system *s, double t, const double *g, const double *xi, double *p);
/* Rows A (m x n), positions first, and right-hand side b (m) of A xi = b at (t, g); either may be NULL. The
 * differential of positions by the system's own callback or central differences. Returns the number of rows. */
int claim_rows(const claim_system *s, double t, const double *g, double *A, double *b);
/* J(t, g), n x n. */
void claim_metric(const claim_system *s, double t, const double *g, double *J);
/* dV(t, g), by the system's callback or central differences; zeros without a potential. */
void claim_gradient(const claim_system *s, double t, const double *g, double *dV);
/* The call that the system's callbacks receive at time t. */
lg_call claim_call(const claim_system *s, const double *t);

/* Integrators ----------------------------------------------------------------------------------------------------- */

/* "exp", "cayley", NULL: for (int i = 0; claim_retraction(i) != NULL; i++). */
const char *claim_retraction(int i);
/* An integrator at the system's initial data, and claim_case() for it; NULL if the library refuses the combination with
 * a reason, or after claim_trouble(). Destroy it. */
lg_integrator *claim_start(claim_report *r, const claim_system *s, const char *method, const char *retraction, double h,
                           lg_start start);
/* 1 if `status` says that the library refuses the combination; a failed measurement if the theory of the method gives
 * no reason for it (claims/framework/refusals.c), unless the system is a user's. */
int claim_refused(claim_report *r, const claim_system *s, const char *method, const char *retraction, lg_status status,
                  const char *message);
/* claim_start() with LG_START_REACTION and initial data that are projected onto the constraints. */
lg_integrator *claim_start_projected(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                                     double h);
/* 1 if all steps succeeded, else claim_trouble() and 0. */
int claim_steps(claim_report *r, lg_integrator *it, int64_t steps);

/* Extremes over all states, the first one included; a NaN stays. */
typedef struct claim_extremes {
    double scale;          /* max(|H_0|, kinetic energy at the start), or 1: what deviations of H are relative to */
    double energy;         /* largest |H(p~) - H_0| / scale */
    double post;           /* largest |H(p^-) - H(p^-)_0| / scale, NaN but for the GNI */
    double balance;        /* largest |H - H_0 - work| / scale, NaN but for sem */
    double constraint;     /* largest constraint residual */
    double holonomic;      /* largest residual of position constraints; 0 without them */
    double normal;         /* largest normal part */
    lg_monitor_quantity H; /* H(p~) itself: its range and its slope */
} claim_extremes;
/* `steps` steps, observed at each. 0 after claim_trouble(). */
int claim_watch(claim_report *r, lg_integrator *it, int64_t steps, claim_extremes *x);

/* Errors and orders ----------------------------------------------------------------------------------------------- */

/* A state: element, momentum p~, energy. */
typedef struct claim_state {
    double g[CLAIM_ELEMENT], p[CLAIM_DIM], energy;
} claim_state;
void claim_read(const lg_integrator *it, claim_state *state);
/* |log(a^-1 b)| where there is a logarithm, else the largest difference of entries. */
double claim_distance(const lg_group *G, const double *a, const double *b);
/* Largest |a_i - b_i|. */
double claim_gap(const double *a, const double *b, int n);
/* The true state at time T: exact() where there is one, else sem@kahan-li8 (sem@kahan-li6 ... where that is refused)
 * with steps `T / count`; *error (may be NULL) estimates its error from half the steps. 0 after claim_trouble(). */
int claim_truth(claim_report *r, const claim_system *s, double T, int count, claim_state *truth, double *error);
/* Errors at T with `count`, 2 count, 4 count ... steps and the orders: slopes of least squares over those that lie
 * above `floor` (NaN if fewer than two do). */
typedef struct claim_order {
    double g, p, energy;                   /* observed orders */
    double error_g, error_p, error_energy; /* at the finest */
} claim_order;
/* 0: refused combination or trouble. */
int claim_measure_order(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                        lg_start start, double T, int count, int levels, const claim_state *truth, double floor,
                        claim_order *out);
/* Slope of log2(error) over levels, level k having step h/2^k: -(order) turned positive. */
double claim_slope(const double *errors, int levels, double floor);

/* Small linear algebra -------------------------------------------------------------------------------------------- */

/* Eigenvalues of an n x n row-major matrix (left as it is); 0: LAPACK failed. n <= 2 CLAIM_DIM. */
int claim_eigenvalues(int n, const double *A, double *re, double *im);
/* Determinant of an n x n row-major matrix. n <= 2 CLAIM_DIM. */
double claim_determinant(int n, const double *A);
/* Solves A x = b for an n x n row-major matrix; 0: singular. x may be b. n <= 2 CLAIM_DIM. */
int claim_solve(int n, const double *A, const double *b, double *x);
/* The derivative of the step that `it` would make: 2n x 2n matrix on (eta, p). 0 after claim_trouble(). */
int claim_step_matrix(claim_report *r, const claim_system *s, const lg_integrator *it, double *M);

#endif
