/* SPDX-License-Identifier: BSD-3-Clause */
#include "roster.h"

#include <math.h>
#include <stddef.h>

/* ---- a user's group over a built-in one: `data` is the base ---- */

static const lg_group *base_of(const lg_group *G)
{
    return G->data;
}

static lg_status user_identity(const lg_group *G, double *g)
{
    return lg_group_identity(base_of(G), g);
}

static double user_residual(const lg_group *G, const double *g, void *work)
{
    (void)work;
    return lg_group_residual(base_of(G), g);
}

static lg_status user_random(const lg_group *G, double *g, lg_rng *rng, void *work)
{
    (void)work;
    return lg_group_random(base_of(G), g, rng);
}

#define UNARY(name, call)                                                                                              \
    static lg_status user_##name(const lg_group *G, double *out, const double *in, void *work)                         \
    {                                                                                                                  \
        (void)work;                                                                                                    \
        return call;                                                                                                   \
    }
#define BINARY(name, call)                                                                                             \
    static lg_status user_##name(const lg_group *G, double *out, const double *a, const double *b, void *work)         \
    {                                                                                                                  \
        (void)work;                                                                                                    \
        return call;                                                                                                   \
    }
BINARY(compose, lg_group_compose(base_of(G), out, a, b))
BINARY(coAd, lg_group_coAd_apply(base_of(G), out, a, b))
UNARY(inverse, lg_group_inverse(base_of(G), out, in))
UNARY(Ad, lg_group_Ad(base_of(G), out, in))
UNARY(ad, lg_group_ad(base_of(G), out, in))
UNARY(hat, lg_group_hat(base_of(G), out, in))
UNARY(vee, lg_group_vee(base_of(G), out, in))
UNARY(to_matrix, lg_group_to_matrix(base_of(G), out, in))
UNARY(from_matrix, lg_group_from_matrix(base_of(G), out, in))
UNARY(project, lg_group_project(base_of(G), out, in))
UNARY(exp, lg_group_exp(base_of(G), out, in))
UNARY(log, lg_group_log(base_of(G), out, in))
UNARY(dexp, lg_retraction_dtau(lg_retraction_exp(), base_of(G), out, in))
UNARY(dexp_inv, lg_retraction_dtau_inv(lg_retraction_exp(), base_of(G), out, in))
UNARY(cay, lg_retraction_tau(lg_retraction_cayley(), base_of(G), out, in))
UNARY(cay_inv, lg_retraction_tau_inv(lg_retraction_cayley(), base_of(G), out, in))
UNARY(dcay, lg_retraction_dtau(lg_retraction_cayley(), base_of(G), out, in))
UNARY(dcay_inv, lg_retraction_dtau_inv(lg_retraction_cayley(), base_of(G), out, in))

static const lg_group_maps user_exp_maps = {user_exp, user_log, user_dexp, user_dexp_inv, NULL, NULL};
static const lg_group_maps user_cay_maps = {user_cay, user_cay_inv, user_dcay, user_dcay_inv, NULL, NULL};

void roster_user_group(lg_group *U, const lg_group *base, int full)
{
    lg_group group = {.size = sizeof(lg_group),
                      .name = full ? "user's copy" : "user's bare copy",
                      .kind = LG_KIND_USER,
                      .dim = lg_group_dim(base),
                      .element_size = lg_group_element_size(base),
                      .data = base,
                      .identity = user_identity,
                      .compose = user_compose,
                      .inverse = user_inverse,
                      .Ad = user_Ad,
                      .ad = user_ad,
                      .exp = &user_exp_maps,
                      .cay = &user_cay_maps};
    if (full) {
        group.matrix_size = lg_group_matrix_size(base);
        group.coAd = user_coAd;
        group.hat = user_hat;
        group.vee = user_vee;
        group.to_matrix = user_to_matrix;
        group.from_matrix = user_from_matrix;
        group.residual = user_residual;
        group.project = user_project;
        group.random = user_random;
    }
    *U = group;
}

/* ---- a user's retraction: `context` is the base ---- */

static lg_status user_tau(const lg_retraction *r, const lg_group *G, double *g, const double *xi, void *work)
{
    (void)work;
    return lg_retraction_tau(r->context, G, g, xi);
}

static lg_status user_dtau_inv(const lg_retraction *r, const lg_group *G, double *M, const double *xi, void *work)
{
    (void)work;
    return lg_retraction_dtau_inv(r->context, G, M, xi);
}

void roster_user_retraction(lg_retraction *r, const lg_retraction *base)
{
    lg_retraction user = {.size = sizeof(lg_retraction),
                          .name = "user's",
                          .kind = LG_RETRACTION_USER,
                          .flags = base->flags,
                          .context = base,
                          .tau = user_tau,
                          .dtau_inv = user_dtau_inv};
    *r = user;
}

/* ---- the roster ---- */

/* A symmetric P of no special form, signature (3, 1), and one that is not symmetric. */
static const double general_P[16] = {2, 0.3, -0.1, 0.2, 0.3, 1.5, 0.4, 0, -0.1, 0.4, 1.2, 0.1, 0.2, 0, 0.1, -1};
static const double skewed_P[16] = {1, 0.5, 0, 0, -0.5, 1, 0, 0, 0, 0, 1, 0.5, 0, 0, -0.5, 1};

static const lg_group *checked(lg_group *G, lg_status status)
{
    if (status != LG_OK) suite_fail("a group of the roster cannot be made: %s", lg_status_name(status));
    return G;
}

static const lg_group *product(const lg_group *a, const lg_group *b, const lg_group *c)
{
    const lg_group *factors[3] = {a, b, c};
    lg_group *G = NULL;
    lg_status status = lg_group_create_product(&G, factors, c != NULL ? 3 : 2);
    return checked(G, status);
}

#define MADE(call) (status = (call), checked(made, status))

static void fill(roster_group *list)
{
    static lg_group user_so3, bare_so3, user_mixed;
    int n = 0;
    lg_group *made = NULL;
    lg_status status = LG_OK;
#define ADD(group, name) (list[n].G = list[n].like = (group), list[n].label = (name), n++)
    ADD(lg_rn(1), "R^1");
    ADD(lg_rn(3), "R^3");
    ADD(lg_rn(12), "R^12");
    ADD(lg_torus(1), "T^1");
    ADD(lg_torus(3), "T^3");
    ADD(lg_so3(), "SO(3)");
    ADD(lg_se2(), "SE(2)");
    ADD(lg_se3(), "SE(3)");
    ADD(MADE(lg_group_create_so(&made, 2)), "SO(2)");
    ADD(MADE(lg_group_create_so(&made, 3)), "SO(3) as a quadratic group");
    ADD(MADE(lg_group_create_so(&made, 4)), "SO(4)");
    const lg_group *so4 = made;
    ADD(MADE(lg_group_create_so(&made, 5)), "SO(5)");
    ADD(MADE(lg_group_create_so_pq(&made, 2, 1)), "SO(2,1)");
    const lg_group *so21 = made;
    ADD(MADE(lg_group_create_so_pq(&made, 1, 3)), "SO(1,3)");
    ADD(MADE(lg_group_create_sp(&made, 1)), "Sp(2)");
    ADD(MADE(lg_group_create_sp(&made, 2)), "Sp(4)");
    ADD(MADE(lg_group_create_quadratic(&made, general_P, 4)), "general P");
    ADD(MADE(lg_group_create_quadratic(&made, skewed_P, 4)), "P that is not symmetric");
    ADD(MADE(lg_group_create_rn(&made, 5)), "R^5 from the heap");
    ADD(MADE(lg_group_create_torus(&made, 2)), "T^2 from the heap");
    ADD(product(lg_rn(2), lg_so3(), NULL), "R^2 x SO(3)");
    const lg_group *mixed = list[n - 1].G;
    ADD(product(lg_so3(), lg_so3(), lg_se2()), "SO(3) x SO(3) x SE(2)");
    ADD(product(lg_se3(), lg_torus(2), lg_se2()), "SE(3) x T^2 x SE(2)");
    ADD(product(mixed, product(so4, lg_torus(1), NULL), NULL), "(R^2 x SO(3)) x (SO(4) x T^1)");
    ADD(product(lg_so3(), so21, NULL), "SO(3) x SO(2,1)");
    roster_user_group(&user_so3, lg_so3(), 1);
    ADD(&user_so3, "user's SO(3)");
    roster_user_group(&bare_so3, lg_so3(), 0);
    ADD(&bare_so3, "user's SO(3), required operations only");
    list[n - 1].like = lg_so3();
    roster_user_group(&user_mixed, mixed, 1);
    ADD(&user_mixed, "user's R^2 x SO(3)");
    ADD(product(lg_rn(2), &user_so3, NULL), "R^2 x user's SO(3)");
    ADD(lg_so2(), "SO(2) as complex numbers");
    ADD(product(lg_so2(), lg_se2(), lg_so2()), "SO(2) x SE(2) x SO(2)");
    ADD(lg_se23(), "SE_2(3)");
#undef ADD
    if (n != ROSTER_GROUPS) suite_fail("the roster holds %d groups, not ROSTER_GROUPS", n);
}

const roster_group *roster_groups(void)
{
    static roster_group list[ROSTER_GROUPS];
    if (list[0].G == NULL) fill(list);
    return list;
}

const lg_retraction *const *roster_retractions(void)
{
    static const lg_retraction *list[ROSTER_RETRACTIONS];
    static lg_retraction user_exp_like, user_cay_like;
    if (list[0] == NULL) {
        roster_user_retraction(&user_exp_like, lg_retraction_exp());
        roster_user_retraction(&user_cay_like, lg_retraction_cayley());
        const lg_retraction *all[ROSTER_RETRACTIONS] = {
            lg_retraction_exp(),     lg_retraction_cayley(),  lg_retraction_second_kind(),
            lg_retraction_series(2), lg_retraction_series(6), lg_retraction_series(20),
            &user_exp_like,          &user_cay_like};
        for (int i = 0; i < ROSTER_RETRACTIONS; i++) list[i] = all[i];
    }
    return list;
}

int roster_no_abelian_factor(const lg_group *G)
{
    if (G->kind != LG_KIND_PRODUCT) {
        double xi[SUITE_DIM], M[SUITE_DIM * SUITE_DIM],
            largest = 0; /* decided by ad itself: flags are not trusted here */
        lg_rng rng = {7};
        for (int k = 0; k < lg_group_dim(G); k++) {
            suite_normal(xi, lg_group_dim(G), &rng);
            suite_ok("ad", lg_group_ad(G, M, xi));
            double worst = 0;
            for (int i = 0; i < lg_group_dim(G) * lg_group_dim(G); i++) worst = fmax(worst, fabs(M[i]));
            largest = fmax(largest, worst);
        }
        return largest > 0.1 && !(G->kind == LG_KIND_USER && G->data != lg_so3());
    }
    for (int i = 0; i < lg_group_factor_count(G); i++) {
        if (!roster_no_abelian_factor(lg_group_factor(G, i))) return 0;
    }
    return 1;
}
