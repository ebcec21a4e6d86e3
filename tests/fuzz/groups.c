/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups and retractions from bytes: products of all groups, every operation on numbers sane and hostile. Where the
 * input is sane the output lies on the group; the library's own checks pass what the library makes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "fuzz.h"

enum { FACTORS = 4, MADE = 8, CHECKED = 10, OPERATIONS = 40 };

/* The objects that an input makes. */
typedef struct world {
    fuzz_bytes b;
    lg_group *made[MADE];
    int count;
    const lg_group *G;
    lg_retraction *product;
    const lg_retraction *r;
    int hostile; /* a quadratic group of any matrix is among them */
} world;

static const lg_group *keep(world *w, lg_group *G, lg_status status)
{
    fuzz_require((status == LG_OK) == (G != NULL), "a constructor's status and its object disagree", "groups");
    if (G != NULL) w->made[w->count++] = G;
    return G;
}

static const lg_group *quadratic(world *w)
{
    double P[9];
    lg_group *G = NULL;
    const int n = fuzz_between(&w->b, 1, 3);
    fuzz_numbers(&w->b, P, n * n, fuzz_byte(&w->b) & 1);
    w->hostile = 1;
    const lg_status status = lg_group_create_quadratic(&G, P, n);
    return keep(w, G, status);
}

static const lg_group *factor(world *w)
{
    lg_group *G = NULL;
    lg_status status;
    switch (fuzz_between(&w->b, 0, 11)) {
    case 0:
        return lg_rn(fuzz_between(&w->b, 1, 4));
    case 1:
        return lg_torus(fuzz_between(&w->b, 1, 3));
    case 2:
        return lg_so2();
    case 3:
        return lg_so3();
    case 4:
        return lg_se2();
    case 5:
        return lg_se3();
    case 6:
        return lg_se23();
    case 7:
        status = lg_group_create_so(&G, fuzz_between(&w->b, -1, 4));
        break;
    case 8:
        status = lg_group_create_so_pq(&G, fuzz_between(&w->b, -1, 2), fuzz_between(&w->b, -1, 2));
        break;
    case 9:
        status = lg_group_create_sp(&G, fuzz_between(&w->b, -1, 2));
        break;
    case 10:
        status = lg_group_create_rn(&G, fuzz_between(&w->b, -2, 40));
        break;
    default:
        return quadratic(w);
    }
    return keep(w, G, status);
}

static const lg_retraction *named(world *w)
{
    static const char *const names[] = {"exp", "cayley", "second-kind", "exp:order=0", "exp:order=3", "exp:order=20"};
    return lg_retraction_named(names[fuzz_between(&w->b, 0, 5)]);
}

static int build(world *w)
{
    const lg_group *factors[FACTORS];
    const lg_retraction *retractions[FACTORS];
    const int count = fuzz_between(&w->b, 1, FACTORS);
    for (int i = 0; i < count; i++) {
        factors[i] = i > 0 && fuzz_byte(&w->b) > 230 ? factors[i - 1] : factor(w);
        retractions[i] = named(w);
    }
    lg_group *G = NULL;
    w->G = count == 1 ? factors[0] : NULL;
    if (count > 1) {
        const lg_status status = lg_group_create_product(&G, factors, count);
        w->G = keep(w, G, status);
    }
    w->r = retractions[0];
    if (count > 1 && (fuzz_byte(&w->b) & 1)) {
        const lg_status status = lg_retraction_create_product(&w->product, retractions, count);
        fuzz_require(status == LG_OK, "a product of retractions", "groups");
        w->r = w->product;
    }
    return w->G != NULL;
}

/* Operands of an operation, each in a block of its own so that a number too far is seen. */
typedef struct operands {
    double *a, *b, *xi, *mu, *out, *matrix, *image;
    int n, e, m;
} operands;

static double *numbers(int count)
{
    double *x = calloc((size_t)count > 0 ? (size_t)count : 1, sizeof *x);
    if (x == NULL) abort();
    return x;
}

static void element(world *w, double *g, lg_rng *rng)
{
    const int kind = fuzz_byte(&w->b) % 4;
    if (kind < 2 && lg_group_random(w->G, g, rng) == LG_OK) return;
    fuzz_numbers(&w->b, g, lg_group_element_size(w->G), kind == 2);
    if (kind == 2) lg_status_ignore(lg_group_project(w->G, g, g));
}

static operands draw(world *w, lg_rng *rng)
{
    const int n = lg_group_dim(w->G), e = lg_group_element_size(w->G), m = lg_group_matrix_size(w->G);
    const operands o = {numbers(e),     numbers(e),     numbers(n), numbers(n), numbers(n > e ? n : e),
                        numbers(n * n), numbers(m * m), n,          e,          m};
    const int mild = fuzz_byte(&w->b) & 1;
    element(w, o.a, rng);
    element(w, o.b, rng);
    fuzz_numbers(&w->b, o.xi, n, mild);
    fuzz_numbers(&w->b, o.mu, n, mild);
    return o;
}

static void drop(const operands *o)
{
    free(o->a);
    free(o->b);
    free(o->xi);
    free(o->mu);
    free(o->out);
    free(o->matrix);
    free(o->image);
}

static double largest(const double *x, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) most = !(fabs(x[i]) <= most) && most == most ? fabs(x[i]) : most; /* NaN stays */
    return most;
}

/* On the group, to the accuracy that its numbers' size leaves. */
static void on_group(const world *w, lg_status status, const double *g, const operands *o, const char *name)
{
    if (status != LG_OK || w->hostile || !(largest(o->xi, o->n) <= 2)) return;
    const double size = 1 + largest(g, o->e);
    fuzz_require(lg_group_residual(w->G, g) <= 1e-9 * size * size, "not on the group", name);
}

static lg_status of_group(const world *w, const operands *o, int operation)
{
    const lg_group *G = w->G;
    double d;
    switch (operation) {
    case 0:
        return lg_group_Ad(G, o->matrix, o->a);
    case 1:
        return lg_group_Ad_apply(G, o->xi, o->a, o->xi);
    case 2:
        return lg_group_coAd(G, o->matrix, o->a);
    case 3:
        return lg_group_coAd_apply(G, o->mu, o->a, o->mu);
    case 4:
        return lg_group_ad(G, o->matrix, o->xi);
    case 5:
        return lg_group_ad_apply(G, o->out, o->xi, o->mu);
    case 6:
        return lg_group_coad(G, o->matrix, o->xi);
    case 7:
        return lg_group_coad_apply(G, o->mu, o->xi, o->mu);
    case 8:
        return lg_group_hat(G, o->image, o->xi);
    case 9:
        return lg_group_vee(G, o->xi, o->image);
    case 10:
        return lg_group_to_matrix(G, o->image, o->a);
    case 11:
        return lg_group_from_matrix(G, o->b, o->image);
    case 12:
        return lg_group_project(G, o->out, o->a);
    case 13:
        return lg_group_distance(G, &d, o->a, o->b);
    case 14:
        return lg_group_interpolate(G, o->out, o->a, o->b, o->xi[0]);
    case 15:
        return lg_group_log(G, o->xi, o->a);
    case 16:
        return lg_group_between(G, o->out, o->a, o->b);
    case 17:
        return lg_group_right_minus(G, o->xi, o->a, o->b);
    case 18:
        return lg_group_left_minus(G, o->xi, o->a, o->b);
    case 19:
        return lg_group_right_jacobian(G, o->matrix, o->xi);
    case 20:
        return lg_group_left_jacobian_inv(G, o->matrix, o->xi);
    case 21:
        return lg_group_left_minus_jacobian(G, o->matrix, NULL, o->a, o->b);
    case 22:
        return lg_group_right_minus_jacobian(G, NULL, o->matrix, o->a, o->b);
    case 23:
        return lg_group_right_plus(G, o->out, o->a, o->xi);
    default:
        return lg_group_left_plus_jacobian(G, o->matrix, NULL, o->a, o->xi);
    }
}

static lg_status of_retraction(const world *w, const operands *o, int operation)
{
    const lg_group *G = w->G;
    switch (operation) {
    case 0:
        return lg_retraction_tau_inv(w->r, G, o->xi, o->a);
    case 1:
        return lg_retraction_dtau(w->r, G, o->matrix, o->xi);
    case 2:
        return lg_retraction_dtau_inv(w->r, G, o->matrix, o->xi);
    case 3:
        return lg_retraction_dtau_apply(w->r, G, o->out, o->xi, o->mu);
    case 4:
        return lg_retraction_dtau_inv_apply(w->r, G, o->mu, o->xi, o->mu);
    case 5:
        return lg_retraction_dtau_dual(w->r, G, o->out, o->xi, o->mu);
    case 6:
        return lg_retraction_dtau_inv_dual(w->r, G, o->mu, o->xi, o->mu);
    default:
        return lg_retraction_dtau_inv_dual_derivative(w->r, G, o->matrix, o->xi, o->mu);
    }
}

static void operate(world *w, lg_rng *rng)
{
    operands o = draw(w, rng);
    for (int i = 0; i < OPERATIONS && fuzz_more(&w->b); i++) {
        const int operation = fuzz_between(&w->b, 0, 36);
        lg_status status;
        if (operation < 25) {
            status = of_group(w, &o, operation);
        } else if (operation < 33) {
            status = of_retraction(w, &o, operation - 25);
        } else if (operation == 33) {
            status = lg_group_exp(w->G, o.out, o.xi);
            on_group(w, status, o.out, &o, "exp");
        } else if (operation == 34) {
            status = lg_retraction_tau(w->r, w->G, o.out, o.xi);
            on_group(w, status, o.out, &o, "tau");
        } else if (operation == 35) {
            status = lg_group_compose(w->G, o.a, o.a, o.b);
        } else {
            status = lg_group_inverse(w->G, o.a, o.a);
        }
        fuzz_require((int)status >= 0 && status < LG_STATUS_COUNT, "this is no status", "groups");
    }
    drop(&o);
}

/* The library's checks of what the library makes. */
static void check(const world *w, lg_rng *rng)
{
    lg_error error = {LG_OK, ""};
    if (lg_group_dim(w->G) > CHECKED) return;
    lg_status status = lg_group_check(w->G, rng, 1, 0, &error);
    fuzz_require_message(status, error.message, "lg_group_check");
    fuzz_require(status == LG_OK || w->hostile, "the group's check fails", error.message);
    error.message[0] = '\0';
    status = lg_retraction_check(w->r, w->G, rng, 1, 0, &error);
    fuzz_require_message(status, error.message, "lg_retraction_check");
    fuzz_require(status == LG_OK || status == LG_ERROR_UNSUPPORTED || w->hostile, "the retraction's check fails",
                 error.message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    world w = {.b = {data, size, 0}};
    lg_rng rng = {(uint64_t)fuzz_byte(&w.b)};
    const int checked = fuzz_byte(&w.b) % 8 == 1 && fuzz_thorough(data, size);
    if (build(&w)) {
        if (checked) check(&w, &rng);
        operate(&w, &rng);
    }
    lg_retraction_destroy(w.product);
    while (w.count > 0) lg_group_destroy(w.made[--w.count]);
    return 0;
}
