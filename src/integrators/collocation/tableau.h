/* SPDX-License-Identifier: BSD-3-Clause */
/* The coefficients of Gauss collocation on [0, 1] with s stages (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical
 * Integration, II.1.3; docs/theory.md section 18): correctly rounded except for a last digit, equal on all machines.
 */
#ifndef LG_INTEGRATORS_TABLEAU_H
#define LG_INTEGRATORS_TABLEAU_H

enum { LG_STAGES_MOST = 16 };
/* Loops over this many stages are unrolled. */
enum { LG_STAGES_USUAL = 8 };

/* Two numbers in a vector. */
typedef double lg_two __attribute__((vector_size(16)));

typedef struct lg_tableau {
    int s;
    double c[LG_STAGES_MOST], b[LG_STAGES_MOST];      /* nodes in rising order, weights */
    double a[LG_STAGES_MOST * LG_STAGES_MOST];        /* a_ij = int_0^{c_i} l_j, s x s */
    double inverse[LG_STAGES_MOST * LG_STAGES_MOST];  /* a^-1 */
    double legendre[LG_STAGES_MOST * LG_STAGES_MOST]; /* P_k(2 c_j - 1), k x j */
    double last[LG_STAGES_MOST];                      /* b_j P_{s-1}(2 c_j - 1) */
} lg_tableau;

void lg_tableau_make(lg_tableau *o, int s);
/* E (s x s): the polynomial through values at the nodes, evaluated at x = at + span c_i: sum_j E_ij f_j. */
void lg_tableau_extend(const lg_tableau *o, double at, double span, double *E);

/* The size of the last Legendre coefficient, over 2 s - 1, of the polynomial with these values at the nodes; 0 if it is
 * round-off of the values. `f` holds `count` polynomials one after another: returns the largest. */
double lg_tableau_last(const lg_tableau *o, const double *f, int count);

/* The number of stages that share a vector of at most `most` numbers. */
static inline int lg_tableau_width(int s, int most)
{
    int width = 1;
    while (width < most && width < s) width *= 2;
    return width;
}

/* The matrix E that continues the rates of one step to the next, kept while `at` and `span` do not change. */
typedef struct lg_extension {
    double E[LG_STAGES_MOST * LG_STAGES_MOST];
    double at, span; /* where the next step begins in the first, and its length, in units of the first; 0: not set */
} lg_extension;

/* Can a step of length `length` (0: no step) predict one of length h that begins at `at` of it? If so, *x is prepared
 * for it. */
int lg_tableau_leads(const lg_tableau *o, lg_extension *x, double at, double h, double length);

#endif
