/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of all kinds, retractions, their checks and operations, batches, splines. */
#include <string.h>

#include "faults.h"
#include "support/batched.h"

enum { ELEMENT = 40 * 40, DIM = 800, BATCH = 3 };

static struct {
    lg_group *G, *part; /* what G may be made of */
    lg_retraction *r;
    lg_spline *s;
    lg_error error;
} own;

static double g[BATCH][ELEMENT], h[BATCH][ELEMENT], xi[BATCH][DIM], out[1 << 21];

static void close_all(void)
{
    lg_spline_destroy(own.s);
    lg_retraction_destroy(own.r);
    lg_group_destroy(own.G);
    lg_group_destroy(own.part);
    own.s = NULL, own.r = NULL, own.G = own.part = NULL;
}

/* Kinds ----------------------------------------------------------------------------------------------------------- */

static const char *const *kinds(void)
{
    static const char *const names[] = {
        "R^40", "T^40", "product", "product of products", "SO(4)", "SO(2,2)", "Sp(4)", "quadratic", "R^400", NULL};
    return names;
}

static lg_status product_of_products(lg_group **G)
{
    const lg_group *inner[] = {lg_rn(2), lg_so3()};
    lg_group_destroy(own.part);
    own.part = NULL;
    lg_status st = lg_group_create_product(&own.part, inner, 2);
    const lg_group *outer[] = {own.part, lg_se2(), lg_torus(2)};
    return st == LG_OK ? lg_group_create_product(G, outer, 3) : st;
}

static lg_status make_kind(fault_case *c)
{
    static const double P[16] = {2, 0.3, 0, 0, 0.3, 1, 0.2, 0, 0, 0.2, -1, 0, 0, 0, 0.1, 3};
    const lg_group *factors[] = {lg_rn(2), lg_so3(), lg_torus(1), lg_se3()};
    lg_status (*const create[])(lg_group **, int) = {lg_group_create_rn, lg_group_create_torus};
    lg_status st;
    switch (c->i) {
    case 0:
    case 1:
        st = create[c->i](&own.G, 40);
        break;
    case 2:
        st = lg_group_create_product(&own.G, factors, 4);
        break;
    case 3:
        st = product_of_products(&own.G);
        break;
    case 4:
        st = lg_group_create_so(&own.G, 4);
        break;
    case 5:
        st = lg_group_create_so_pq(&own.G, 2, 2);
        break;
    case 6:
        st = lg_group_create_sp(&own.G, 2);
        break;
    case 7:
        st = lg_group_create_quadratic(&own.G, P, 4);
        break;
    default:
        st = lg_group_create_rn(&own.G, 400);
    }
    if (st != LG_OK && own.G != NULL) suite_fail("a group that failed");
    return st;
}

static lg_status make_product_of_retractions(fault_case *c)
{
    const lg_retraction *parts[] = {lg_retraction_exp(), lg_retraction_cayley(), lg_retraction_exp(),
                                    lg_retraction_cayley()};
    const int count = lg_group_factor_count(own.G) == 4 ? 4 : 1;
    (void)c;
    lg_status st = lg_retraction_create_product(&own.r, parts, count);
    if (st != LG_OK && own.r != NULL) suite_fail("a retraction that failed");
    return st;
}

/* Elements near the identity, so that everything is defined. */
static lg_status draw(fault_case *c)
{
    lg_rng rng = suite_rng(5);
    lg_status st = LG_OK;
    for (int i = 0; i < BATCH && st == LG_OK; i++) {
        suite_normal(xi[i], own.G->dim, &rng);
        for (int k = 0; k < own.G->dim; k++) xi[i][k] *= 0.1;
        st = lg_group_exp(own.G, h[i], xi[i]);
        for (int k = 0; k < own.G->dim; k++) xi[i][k] *= -0.7;
        if (st == LG_OK) st = lg_group_exp(own.G, g[i], xi[i]);
    }
    fault_fold(c, g[0], own.G->element_size);
    return st;
}

static lg_status operate(fault_case *c)
{
    const lg_group *G = own.G;
    const int n = G->dim, size = G->element_size;
    lg_status st = lg_group_compose(G, out, g[0], h[0]);
    fault_fold(c, out, size);
    if (st == LG_OK) st = lg_group_interpolate(G, out, g[0], h[0], 0.3);
    fault_fold(c, out, size);
    if (st == LG_OK) st = lg_group_distance(G, out, g[0], h[0]);
    fault_fold(c, out, 1);
    if (st == LG_OK) st = lg_group_project(G, out, g[0]);
    fault_fold(c, out, size);
    if (st == LG_OK) st = lg_group_between(G, out, g[0], h[0]);
    fault_fold(c, out, size);
    if (st == LG_OK) st = lg_group_right_minus(G, out, g[0], h[0]);
    fault_fold(c, out, n);
    if (st == LG_OK) st = lg_group_right_jacobian(G, out, xi[0]);
    fault_fold(c, out, n * n);
    if (st == LG_OK) st = lg_group_left_minus_jacobian(G, out, out + n * n, g[0], h[0]);
    fault_fold(c, out, 2 * n * n);
    return st;
}

static lg_status retract(fault_case *c)
{
    const lg_group *G = own.G;
    const lg_retraction *const some[] = {lg_retraction_exp(), lg_retraction_cayley(), lg_retraction_second_kind(),
                                         own.r};
    lg_status st = LG_OK;
    for (int k = 0; k < 4 && st == LG_OK; k++) {
        const lg_retraction *r = some[k];
        if (!lg_retraction_supports(r, G)) continue;
        st = lg_retraction_tau(r, G, out, xi[0]);
        fault_fold(c, out, G->element_size);
        if (st == LG_OK) st = lg_retraction_dtau(r, G, out, xi[0]);
        fault_fold(c, out, G->dim);
        if (st == LG_OK) st = lg_retraction_dtau_inv_dual(r, G, out, xi[0], xi[1]);
        fault_fold(c, out, G->dim);
        if (st == LG_OK) st = lg_retraction_dtau_inv_dual_derivative(r, G, out, xi[0], xi[1]);
        fault_fold(c, out, G->dim);
    }
    return st;
}

static lg_status batch(fault_case *c)
{
    static double a[BATCH * ELEMENT], b[BATCH * ELEMENT], x[BATCH * DIM], p[BATCH * DIM];
    const size_t n = (size_t)own.G->dim, size = (size_t)own.G->element_size;
    const lg_batch many = lg_batch_default(BATCH);
    lg_status st = LG_OK;
    for (size_t i = 0; i < BATCH; i++) {
        memcpy(a + i * size, g[i], size * sizeof *a), memcpy(b + i * size, h[i], size * sizeof *b);
        memcpy(x + i * n, xi[i], n * sizeof *x), memcpy(p + i * n, xi[BATCH - 1 - i], n * sizeof *p);
    }
    for (int op = 0; op < BATCHED_OPERATIONS && st == LG_OK; op++) {
        st = batched_operation(op, lg_retraction_exp(), own.G, &many, &(batched_arrays){out, x, p, a, b});
        fault_fold(c, out, (int)n);
    }
    return st;
}

/* Of larger groups the matrices go through OpenBLAS, whose kernels for small matrices take memory and do not look
 * whether they got it. */
static lg_status check_group(fault_case *c)
{
    lg_rng rng = suite_rng(6);
    own.error.message[0] = '\0';
    c->said = own.error.message;
    return own.G->dim > 20 ? LG_OK : lg_group_check(own.G, &rng, 1, 0, &own.error);
}

static lg_status check_retraction(fault_case *c)
{
    lg_rng rng = suite_rng(7);
    own.error.message[0] = '\0';
    c->said = own.error.message;
    return own.G->dim > 20 ? LG_OK : lg_retraction_check(lg_retraction_exp(), own.G, &rng, 1, 0, &own.error);
}

/* Splines --------------------------------------------------------------------------------------------------------- */

static lg_status make_spline(fault_case *c)
{
    static const double times[BATCH] = {0, 1, 3};
    static double control[(BATCH + 1) * ELEMENT];
    const size_t size = (size_t)own.G->element_size, n = (size_t)own.G->dim;
    own.error.message[0] = '\0';
    c->said = own.error.message;
    for (size_t i = 0; i < BATCH; i++) memcpy(control + i * size, g[i], size * sizeof *g[i]);
    if (c->j == 0) {
        memcpy(control + BATCH * size, h[0], size * sizeof *h[0]);
        return lg_spline_create_bspline(&own.s, own.G, control, BATCH + 1, 0, 0.1, &own.error);
    }
    for (size_t i = 0; i < BATCH; i++) memcpy(out + i * n, xi[i], n * sizeof *out);
    return lg_spline_create_hermite(&own.s, own.G, times, control, out, BATCH, &own.error);
}

static lg_status evaluate_spline(fault_case *c)
{
    lg_status st = lg_spline_evaluate(own.s, out, out + ELEMENT, out + ELEMENT + DIM, 0.05);
    fault_fold(c, out, own.G->element_size);
    fault_fold(c, out + ELEMENT, own.G->dim);
    return st;
}

static const char *const *splines(void)
{
    static const char *const names[] = {"B-spline", "Hermite", NULL};
    return names;
}

const fault_row fault_groups[] = {
    {.name = "group",
     .first = kinds,
     .stride = 1,
     .verbs = {make_kind, make_product_of_retractions, draw, operate, retract, batch},
     .close = close_all},
    {.name = "checks of group, retraction",
     .first = kinds,
     .stride = 1,
     .verbs = {make_kind, check_group, check_retraction},
     .close = close_all},
    {.name = "spline",
     .first = kinds,
     .second = splines,
     .stride = 1,
     .verbs = {make_kind, draw, make_spline, evaluate_spline},
     .close = close_all},
    {.name = NULL},
};
