/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations on arrays by number, for loops over all of them, and those on one element. Of the public library only.
 */
#ifndef LG_TESTS_SUPPORT_BATCHED_H
#define LG_TESTS_SUPPORT_BATCHED_H

#include <liegrp/liegrp.h>

enum { BATCHED_OPERATIONS = 41, BATCHED_FIRST = 8 /* those in tests/data/bits.txt */ };

typedef struct batched_arrays {
    double *out;
    const double *xi, *p, *g, *h; /* algebra vectors, momenta, elements, elements */
} batched_arrays;

/* One of them is set. */
typedef struct batched_many {
    lg_status (*group_1)(const lg_group *, const lg_batch *, double *, const double *);
    lg_status (*group_2)(const lg_group *, const lg_batch *, double *, const double *, const double *);
    lg_status (*retraction_1)(const lg_retraction *, const lg_group *, const lg_batch *, double *, const double *);
    lg_status (*retraction_2)(const lg_retraction *, const lg_group *, const lg_batch *, double *, const double *,
                              const double *);
} batched_many;

typedef struct batched_single {
    lg_status (*group_1)(const lg_group *, double *, const double *);
    lg_status (*group_2)(const lg_group *, double *, const double *, const double *);
    lg_status (*group_pair)(const lg_group *, double *, double *, const double *, const double *);
    lg_status (*retraction_1)(const lg_retraction *, const lg_group *, double *, const double *);
    lg_status (*retraction_2)(const lg_retraction *, const lg_group *, double *, const double *, const double *);
} batched_single;

typedef struct batched_row {
    const char *name;
    char out; /* v: a vector, e: an element, M: n x n, P: two of these, R: the matrix of an element, 1: a number */
    char first, second; /* x: xi, p, g, h of batched_arrays; -: none */
    batched_many many;
    batched_single single;
} batched_row;

/* clang-format off */
static const batched_row batched[BATCHED_OPERATIONS] = {
    {"tau", 'e', 'x', '-', {.retraction_1 = lg_batch_tau}, {.retraction_1 = lg_retraction_tau}},
    {"tau_inv", 'v', 'g', '-', {.retraction_1 = lg_batch_tau_inv}, {.retraction_1 = lg_retraction_tau_inv}},
    {"dtau", 'M', 'x', '-', {.retraction_1 = lg_batch_dtau}, {.retraction_1 = lg_retraction_dtau}},
    {"dtau_inv", 'M', 'x', '-', {.retraction_1 = lg_batch_dtau_inv}, {.retraction_1 = lg_retraction_dtau_inv}},
    {"compose", 'e', 'g', 'h', {.group_2 = lg_batch_compose}, {.group_2 = lg_group_compose}},
    {"inverse", 'e', 'g', '-', {.group_1 = lg_batch_inverse}, {.group_1 = lg_group_inverse}},
    {"Ad", 'M', 'g', '-', {.group_1 = lg_batch_Ad}, {.group_1 = lg_group_Ad}},
    {"coAd_apply", 'v', 'g', 'p', {.group_2 = lg_batch_coAd_apply}, {.group_2 = lg_group_coAd_apply}},
    {"Ad_apply", 'v', 'g', 'p', {.group_2 = lg_batch_Ad_apply}, {.group_2 = lg_group_Ad_apply}},
    {"ad", 'M', 'x', '-', {.group_1 = lg_batch_ad}, {.group_1 = lg_group_ad}},
    {"ad_apply", 'v', 'x', 'p', {.group_2 = lg_batch_ad_apply}, {.group_2 = lg_group_ad_apply}},
    {"coad_apply", 'v', 'x', 'p', {.group_2 = lg_batch_coad_apply}, {.group_2 = lg_group_coad_apply}},
    {"dtau_apply", 'v', 'x', 'p', {.retraction_2 = lg_batch_dtau_apply}, {.retraction_2 = lg_retraction_dtau_apply}},
    {"dtau_inv_apply", 'v', 'x', 'p', {.retraction_2 = lg_batch_dtau_inv_apply}, {.retraction_2 = lg_retraction_dtau_inv_apply}},
    {"dtau_dual", 'v', 'x', 'p', {.retraction_2 = lg_batch_dtau_dual}, {.retraction_2 = lg_retraction_dtau_dual}},
    {"dtau_inv_dual", 'v', 'x', 'p', {.retraction_2 = lg_batch_dtau_inv_dual}, {.retraction_2 = lg_retraction_dtau_inv_dual}},
    {"coAd", 'M', 'g', '-', {.group_1 = lg_batch_coAd}, {.group_1 = lg_group_coAd}},
    {"coad", 'M', 'x', '-', {.group_1 = lg_batch_coad}, {.group_1 = lg_group_coad}},
    {"project", 'e', 'g', '-', {.group_1 = lg_batch_project}, {.group_1 = lg_group_project}},
    {"to_matrix", 'R', 'g', '-', {.group_1 = lg_batch_to_matrix}, {.group_1 = lg_group_to_matrix}},
    {"hat", 'R', 'x', '-', {.group_1 = lg_batch_hat}, {.group_1 = lg_group_hat}},
    {"between", 'e', 'g', 'h', {.group_2 = lg_batch_between}, {.group_2 = lg_group_between}},
    {"right_plus", 'e', 'g', 'x', {.group_2 = lg_batch_right_plus}, {.group_2 = lg_group_right_plus}},
    {"left_plus", 'e', 'g', 'x', {.group_2 = lg_batch_left_plus}, {.group_2 = lg_group_left_plus}},
    {"right_minus", 'v', 'g', 'h', {.group_2 = lg_batch_right_minus}, {.group_2 = lg_group_right_minus}},
    {"left_minus", 'v', 'g', 'h', {.group_2 = lg_batch_left_minus}, {.group_2 = lg_group_left_minus}},
    {"distance", '1', 'g', 'h', {.group_2 = lg_batch_distance}, {.group_2 = lg_group_distance}},
    {"left_jacobian", 'M', 'x', '-', {.group_1 = lg_batch_left_jacobian}, {.group_1 = lg_group_left_jacobian}},
    {"left_jacobian_inv", 'M', 'x', '-', {.group_1 = lg_batch_left_jacobian_inv}, {.group_1 = lg_group_left_jacobian_inv}},
    {"right_jacobian", 'M', 'x', '-', {.group_1 = lg_batch_right_jacobian}, {.group_1 = lg_group_right_jacobian}},
    {"right_jacobian_inv", 'M', 'x', '-', {.group_1 = lg_batch_right_jacobian_inv}, {.group_1 = lg_group_right_jacobian_inv}},
    {"inverse_right_jacobian", 'M', 'g', '-', {.group_1 = lg_batch_inverse_right_jacobian}, {.group_1 = lg_group_inverse_right_jacobian}},
    {"inverse_left_jacobian", 'M', 'g', '-', {.group_1 = lg_batch_inverse_left_jacobian}, {.group_1 = lg_group_inverse_left_jacobian}},
    {"compose_right_jacobian", 'P', 'g', 'h', {.group_2 = lg_batch_compose_right_jacobian}, {.group_pair = lg_group_compose_right_jacobian}},
    {"compose_left_jacobian", 'P', 'g', 'h', {.group_2 = lg_batch_compose_left_jacobian}, {.group_pair = lg_group_compose_left_jacobian}},
    {"between_right_jacobian", 'P', 'g', 'h', {.group_2 = lg_batch_between_right_jacobian}, {.group_pair = lg_group_between_right_jacobian}},
    {"between_left_jacobian", 'P', 'g', 'h', {.group_2 = lg_batch_between_left_jacobian}, {.group_pair = lg_group_between_left_jacobian}},
    {"right_plus_jacobian", 'P', 'g', 'x', {.group_2 = lg_batch_right_plus_jacobian}, {.group_pair = lg_group_right_plus_jacobian}},
    {"left_plus_jacobian", 'P', 'g', 'x', {.group_2 = lg_batch_left_plus_jacobian}, {.group_pair = lg_group_left_plus_jacobian}},
    {"right_minus_jacobian", 'P', 'g', 'h', {.group_2 = lg_batch_right_minus_jacobian}, {.group_pair = lg_group_right_minus_jacobian}},
    {"left_minus_jacobian", 'P', 'g', 'h', {.group_2 = lg_batch_left_minus_jacobian}, {.group_pair = lg_group_left_minus_jacobian}},
};
/* clang-format on */

static inline size_t batched_size(char out, const lg_group *G)
{
    const size_t n = (size_t)lg_group_dim(G), m = (size_t)lg_group_matrix_size(G);
    return out == 'v'   ? n
           : out == 'e' ? (size_t)lg_group_element_size(G)
           : out == 'R' ? m * m
           : out == '1' ? 1
           : out == 'M' ? n * n
                        : 2 * n * n;
}

static inline const double *batched_input(char which, const batched_arrays *a)
{
    return which == 'x' ? a->xi : which == 'p' ? a->p : which == 'g' ? a->g : which == 'h' ? a->h : NULL;
}

static inline lg_status batched_operation(int op, const lg_retraction *r, const lg_group *G, const lg_batch *b,
                                          const batched_arrays *arrays)
{
    const batched_row *row = &batched[op];
    const batched_many *f = &row->many;
    const double *x = batched_input(row->first, arrays), *y = batched_input(row->second, arrays);
    if (f->group_1 != NULL) return f->group_1(G, b, arrays->out, x);
    if (f->group_2 != NULL) return f->group_2(G, b, arrays->out, x, y);
    if (f->retraction_1 != NULL) return f->retraction_1(r, G, b, arrays->out, x);
    return f->retraction_2(r, G, b, arrays->out, x, y);
}

static inline lg_status batched_one(int op, const lg_retraction *r, const lg_group *G, double *out, const double *x,
                                    const double *y)
{
    const batched_single *f = &batched[op].single;
    if (f->group_1 != NULL) return f->group_1(G, out, x);
    if (f->group_2 != NULL) return f->group_2(G, out, x, y);
    if (f->group_pair != NULL) return f->group_pair(G, out, out + batched_size('M', G), x, y);
    if (f->retraction_1 != NULL) return f->retraction_1(r, G, out, x);
    return f->retraction_2(r, G, out, x, y);
}

#endif
