/* SPDX-License-Identifier: BSD-3-Clause */
/* Retractions on every group: the identities R1-R3 of docs/theory.md section 2 and lemmas 9.4, 9.5 of 002, each where
 * a retraction's flags declare it, with controls that must break it. */
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/roster.h"

static const double TIGHT = 512 * SUITE_EPS;    /* a few products and one solve in up to 12 dimensions */
static const double SOLVED = 16384 * SUITE_EPS; /* through LAPACK's matrix functions, or generic Newton */

typedef struct probe {
    const roster_group *group;
    const lg_group *G;
    const lg_retraction *r;
    int n, N;
    double limit; /* largest rotation */
    double xi[SUITE_DIM], eta[SUITE_DIM], mu[SUITE_DIM];
} probe;

static double size(const double *M, int n)
{
    double norm = mat_norm(M, n * n);
    return norm > 1 ? norm : 1;
}

static int declares(const probe *p, unsigned flag)
{
    return (p->r->flags & flag) != 0;
}

static int is_second_kind(const lg_retraction *r)
{
    return r->kind == LG_RETRACTION_SECOND_KIND;
}

static void draw(probe *p, lg_rng *rng)
{
    suite_case("%s on %s", p->r->name, p->group->label);
    /* Angles of the second kind stay away from the gimbal position pi/2, where its tangent is singular. */
    suite_algebra(p->group->like, p->xi, rng, is_second_kind(p->r) ? 0.7 : p->limit);
    suite_algebra(p->group->like, p->eta, rng, 1);
    suite_normal(p->mu, p->n, rng);
    for (int i = 0; i < p->n; i++) { /* moderate translations: what follows is compared entry by entry */
        p->xi[i] = fmin(fmax(p->xi[i], -4), 4);
        p->eta[i] = fmin(fmax(p->eta[i], -1), 1);
    }
    suite_input("xi", p->xi, p->n);
    suite_input("eta", p->eta, p->n);
    suite_input("mu", p->mu, p->n);
}

typedef void (*property)(probe *p);

static void over_all(property check, uint64_t stream, int samples, double limit)
{
    const lg_retraction *const *retractions = roster_retractions();
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        for (int j = 0; j < ROSTER_RETRACTIONS; j++) {
            probe p = {.group = &roster_groups()[i], .r = retractions[j], .limit = limit};
            p.G = p.group->G;
            p.n = lg_group_dim(p.G);
            p.N = lg_group_matrix_size(p.group->like);
            suite_case("%s on %s", p.r->name, p.group->label);
            if (!lg_retraction_supports(p.r, p.G)) suite_fail("not supported");
            lg_rng rng = suite_rng(stream + (uint64_t)(i * ROSTER_RETRACTIONS + j));
            for (int k = 0; k < suite_count(samples); k++) {
                draw(&p, &rng);
                check(&p);
            }
        }
    }
}

static void matrix_at(const probe *p, double *M, const double *xi)
{
    double g[SUITE_ELEMENT];
    suite_ok("tau", lg_retraction_tau(p->r, p->G, g, xi));
    suite_ok("to_matrix", lg_group_to_matrix(p->group->like, M, g));
}

static void minus(double *out, const double *x, int n)
{
    for (int i = 0; i < n; i++) out[i] = -x[i];
}

static void origin(probe *p)
{
    double zero[SUITE_DIM] = {0}, M[SUITE_MATRIX], E[SUITE_MATRIX];
    matrix_at(p, M, zero);
    mat_identity(E, p->N);
    suite_near("tau(0) = e", M, E, p->N * p->N, 4 * SUITE_EPS, 1);
    mat_identity(E, p->n);
    suite_ok("dtau", lg_retraction_dtau(p->r, p->G, M, zero));
    suite_near("dtau_0 = 1", M, E, p->n * p->n, 4 * SUITE_EPS, 1);
    suite_ok("dtau_inv", lg_retraction_dtau_inv(p->r, p->G, M, zero));
    suite_near("dtau^-1_0 = 1", M, E, p->n * p->n, 4 * SUITE_EPS, 1);
}

static void symmetric(probe *p) /* R3 */
{
    if (!declares(p, LG_RETRACTION_SYMMETRIC)) return;
    double back[SUITE_DIM], A[SUITE_MATRIX], B[SUITE_MATRIX], P[SUITE_MATRIX], E[SUITE_MATRIX];
    minus(back, p->xi, p->n);
    matrix_at(p, A, p->xi);
    matrix_at(p, B, back);
    mat_mul(P, A, B, p->N, p->N, p->N);
    mat_identity(E, p->N);
    suite_near("tau(xi) tau(-xi) = e", P, E, p->N * p->N, TIGHT, size(A, p->N) * size(B, p->N));
}

static void commuting(probe *p)
{
    if (!declares(p, LG_RETRACTION_COMMUTING)) return;
    double g[SUITE_ELEMENT], moved[SUITE_DIM];
    suite_ok("tau", lg_retraction_tau(p->r, p->G, g, p->xi));
    suite_ok("Ad", lg_group_Ad_apply(p->G, moved, g, p->xi));
    double Ad[SUITE_MATRIX], scale = 0;
    suite_ok("Ad", lg_group_Ad(p->G, Ad, g));
    for (int i = 0; i < p->n; i++) scale = fmax(scale, fabs(p->xi[i]));
    suite_near("Ad_tau(xi) xi = xi", moved, p->xi, p->n, TIGHT, size(Ad, p->n) * scale);
}

static void inverse_tangents(probe *p)
{
    if (!declares(p, LG_RETRACTION_EXACT)) return;
    int n = p->n;
    double D[SUITE_MATRIX], I[SUITE_MATRIX], P[SUITE_MATRIX], E[SUITE_MATRIX];
    suite_ok("dtau", lg_retraction_dtau(p->r, p->G, D, p->xi));
    suite_ok("dtau_inv", lg_retraction_dtau_inv(p->r, p->G, I, p->xi));
    mat_mul(P, D, I, n, n, n);
    mat_identity(E, n);
    suite_near("dtau dtau^-1 = 1", P, E, n * n, TIGHT, size(D, n) * size(I, n));
}

static void lemma_9_5(probe *p)
{
    if (!declares(p, LG_RETRACTION_SYMMETRIC) || !declares(p, LG_RETRACTION_EXACT)) return;
    int n = p->n;
    double back[SUITE_DIM], g[SUITE_ELEMENT], Ad[SUITE_MATRIX], D[SUITE_MATRIX], Dm[SUITE_MATRIX], W[SUITE_MATRIX];
    minus(back, p->xi, n);
    suite_ok("tau", lg_retraction_tau(p->r, p->G, g, p->xi));
    suite_ok("Ad", lg_group_Ad(p->G, Ad, g));
    suite_ok("dtau", lg_retraction_dtau(p->r, p->G, D, p->xi));
    suite_ok("dtau", lg_retraction_dtau(p->r, p->G, Dm, back));
    mat_mul(W, Ad, Dm, n, n, n);
    suite_near("dtau_xi = Ad_tau(xi) dtau_-xi", D, W, n * n, TIGHT, size(Ad, n) * size(Dm, n));
    suite_ok("tau", lg_retraction_tau(p->r, p->G, g, back));
    suite_ok("Ad", lg_group_Ad(p->G, Ad, g));
    suite_ok("dtau_inv", lg_retraction_dtau_inv(p->r, p->G, D, p->xi));
    suite_ok("dtau_inv", lg_retraction_dtau_inv(p->r, p->G, Dm, back));
    mat_mul(W, Dm, Ad, n, n, n);
    suite_near("dtau^-1_xi = dtau^-1_-xi Ad_tau(-xi)", D, W, n * n, TIGHT, size(Ad, n) * size(Dm, n));
}

/* f(xi + s eta) for s = -2d, -d, d, 2d combined to the derivative at 0, error of order d^4. */
typedef void (*field)(const probe *p, double *out, const double *xi);

static void derivative(const probe *p, double *out, field f, int count, double d)
{
    static const double weight[4] = {1, -8, 8, -1}, place[4] = {-2, -1, 1, 2};
    double x[SUITE_DIM], value[SUITE_MATRIX];
    for (int i = 0; i < count; i++) out[i] = 0;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < p->n; i++) x[i] = p->xi[i] + place[k] * d * p->eta[i];
        f(p, value, x);
        for (int i = 0; i < count; i++) out[i] += weight[k] * value[i] / (12 * d);
    }
}

/* Differences with d = 2e-3: truncation d^4/30 f^(5) ~ 5e-13 times what the translations bring, rounding eps/d = 1e-13.
 */
static const double STEP = 2e-3, DIFFERENCE = 2e-9;

static void tangent_of_tau(probe *p) /* R1: D tau(xi).eta = (dtau_xi eta) tau(xi) */
{
    if (!declares(p, LG_RETRACTION_EXACT)) return;
    int N = p->N;
    double T[SUITE_MATRIX], M[SUITE_MATRIX], W[SUITE_MATRIX], X[SUITE_MATRIX], v[SUITE_DIM];
    derivative(p, T, matrix_at, N * N, STEP);
    suite_ok("dtau_apply", lg_retraction_dtau_apply(p->r, p->G, v, p->xi, p->eta));
    suite_ok("hat", lg_group_hat(p->group->like, X, v));
    matrix_at(p, M, p->xi);
    mat_mul(W, X, M, N, N, N);
    suite_near("D tau(xi).eta = (dtau_xi eta) tau(xi)", T, W, N * N, DIFFERENCE,
               size(M, N) * fmax(1, mat_norm(v, p->n)));
}

static void Ad_mu(const probe *p, double *out, const double *xi)
{
    double g[SUITE_ELEMENT];
    suite_ok("tau", lg_retraction_tau(p->r, p->G, g, xi));
    suite_ok("Ad_apply", lg_group_Ad_apply(p->G, out, g, p->mu));
}

static void lemma_9_4(probe *p) /* D(Ad_tau(xi) lambda).eta = -[Ad_tau(xi) lambda, dtau_xi eta], lambda = mu here */
{
    if (!declares(p, LG_RETRACTION_EXACT)) return;
    double T[SUITE_DIM], W[SUITE_DIM], a[SUITE_DIM], v[SUITE_DIM];
    derivative(p, T, Ad_mu, p->n, STEP);
    Ad_mu(p, a, p->xi);
    suite_ok("dtau_apply", lg_retraction_dtau_apply(p->r, p->G, v, p->xi, p->eta));
    suite_ok("ad_apply", lg_group_ad_apply(p->G, W, v, a));
    suite_near("lemma 9.4", T, W, p->n, DIFFERENCE, fmax(1, mat_norm(a, p->n)) * fmax(1, mat_norm(v, p->n)));
}

static void dual(const probe *p, double *out, const double *xi)
{
    suite_ok("dtau_inv_dual", lg_retraction_dtau_inv_dual(p->r, p->G, out, xi, p->mu));
}

static void derivative_of_dual(probe *p)
{
    int n = p->n;
    double T[SUITE_DIM], M[SUITE_MATRIX], W[SUITE_DIM];
    derivative(p, T, dual, n, STEP);
    suite_ok("derivative", lg_retraction_dtau_inv_dual_derivative(p->r, p->G, M, p->xi, p->mu));
    mat_apply(W, M, p->eta, n, n);
    double tolerance =
        p->r->kind == LG_RETRACTION_USER || is_second_kind(p->r) ? 1e-6 : 1e-8; /* differences of their own */
    suite_near("d/dxi (dtau^-1_xi)* mu", T, W, n, tolerance, size(M, n) * fmax(1, mat_norm(p->mu, n)));
}

static void round_trip(probe *p)
{
    double g[SUITE_ELEMENT], back[SUITE_DIM], D[SUITE_MATRIX];
    suite_ok("tau", lg_retraction_tau(p->r, p->G, g, p->xi));
    suite_ok("tau_inv", lg_retraction_tau_inv(p->r, p->G, back, g));
    suite_ok("dtau_inv", lg_retraction_dtau_inv(p->r, p->G, D, p->xi));
    double A[SUITE_MATRIX];
    matrix_at(p, A, p->xi);
    suite_near("tau^-1(tau(xi)) = xi", back, p->xi, p->n, SOLVED,
               size(D, p->n) * pow(size(A, p->N), 2) * fmax(1, mat_norm(p->xi, p->n)));
}

static void duals_and_matrices(probe *p)
{
    int n = p->n;
    double D[SUITE_MATRIX], T[SUITE_MATRIX], v[SUITE_DIM], w[SUITE_DIM];
    double m = fmax(1, mat_norm(p->mu, n));
    suite_ok("dtau", lg_retraction_dtau(p->r, p->G, D, p->xi));
    suite_ok("apply", lg_retraction_dtau_apply(p->r, p->G, v, p->xi, p->mu));
    mat_apply(w, D, p->mu, n, n);
    suite_near("dtau eta", v, w, n, TIGHT, size(D, n) * m);
    mat_transpose(T, D, n);
    suite_ok("dual", lg_retraction_dtau_dual(p->r, p->G, v, p->xi, p->mu));
    mat_apply(w, T, p->mu, n, n);
    suite_near("(dtau)* mu = (dtau)^T mu", v, w, n, TIGHT, size(D, n) * m);
    suite_ok("dtau_inv", lg_retraction_dtau_inv(p->r, p->G, D, p->xi));
    suite_ok("apply", lg_retraction_dtau_inv_apply(p->r, p->G, v, p->xi, p->mu));
    mat_apply(w, D, p->mu, n, n);
    suite_near("dtau^-1 eta", v, w, n, TIGHT, size(D, n) * m);
    mat_transpose(T, D, n);
    suite_ok("dual", lg_retraction_dtau_inv_dual(p->r, p->G, v, p->xi, p->mu));
    mat_apply(w, T, p->mu, n, n);
    suite_near("(dtau^-1)* mu = (dtau^-1)^T mu", v, w, n, TIGHT, size(D, n) * m);
}

#define PROPERTY(check, stream, samples, limit)                                                                        \
    static void test_##check(void **state)                                                                             \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        over_all(check, stream, samples, limit);                                                                       \
    }
PROPERTY(origin, 3000, 1, 1)
PROPERTY(symmetric, 4000, 30, 4)
PROPERTY(commuting, 4500, 30, 4)
PROPERTY(inverse_tangents, 5000, 30, 4)
PROPERTY(lemma_9_5, 6000, 30, 4)
PROPERTY(tangent_of_tau, 7000, 20, 3)
PROPERTY(lemma_9_4, 8000, 20, 3)
PROPERTY(derivative_of_dual, 9000, 20, 3)
PROPERTY(round_trip, 10000, 20, 2)
PROPERTY(duals_and_matrices, 11000, 20, 3)

/* What must fail: the second kind is not symmetric, a truncated series is not the tangent, and its two truncations are
 * not inverse to one another. With 20 terms both hold to the truncation |xi/2pi|^20. */
static void test_controls(void **state)
{
    (void)state;
    const lg_group *G = lg_so3();
    const double xi[3] = {0.7, -0.5, 0.6}, back[3] = {-0.7, 0.5, -0.6};
    double a[4], b[4], e[4], one[4] = {0, 0, 0, 1}, D[9], I[9], P[9], W[9], Ad[9], E[9];
    suite_case("controls on SO(3)");
    suite_ok("tau", lg_retraction_tau(lg_retraction_second_kind(), G, a, xi));
    suite_ok("tau", lg_retraction_tau(lg_retraction_second_kind(), G, b, back));
    suite_ok("compose", lg_group_compose(G, e, a, b));
    suite_above("second kind: tau(xi) tau(-xi)", suite_distance(e, one, 4), 1e-2);
    assert_false(lg_retraction_second_kind()->flags & LG_RETRACTION_SYMMETRIC);
    assert_false(lg_retraction_second_kind()->flags & LG_RETRACTION_COMMUTING);
    static const double lowest[] = {1e-4, 1e-7, -1}, highest[] = {1, 1, 1e-12};
    static const int order[] = {2, 6, 20};
    mat_identity(E, 3);
    for (int k = 0; k < 3; k++) {
        const lg_retraction *r = lg_retraction_series(order[k]);
        suite_case("series of order %d", order[k]);
        suite_ok("dtau", lg_retraction_dtau(r, G, D, xi));
        suite_ok("dtau_inv", lg_retraction_dtau_inv(r, G, I, xi));
        mat_mul(P, D, I, 3, 3, 3);
        double d = suite_distance(P, E, 9);
        suite_above("dtau dtau^-1 - 1", d, lowest[k]);
        suite_below("dtau dtau^-1 - 1", d, highest[k]);
        suite_ok("tau", lg_retraction_tau(r, G, a, back));
        suite_ok("Ad", lg_group_Ad(G, Ad, a));
        suite_ok("dtau_inv", lg_retraction_dtau_inv(r, G, D, back));
        mat_mul(W, D, Ad, 3, 3, 3);
        d = suite_distance(W, I, 9);
        suite_above("lemma 9.5", d, lowest[k]);
        suite_below("lemma 9.5", d, highest[k]);
        if (order[k] < 20) assert_false(r->flags & LG_RETRACTION_EXACT);
    }
}

/* The truncated tangents term by term: sum B_k/k! ad^k and sum ad^k/(k+1)!. */
static void test_series_terms(void **state)
{
    (void)state;
    static const double bernoulli[] = {1, -0.5, 1.0 / 12, 0, -1.0 / 720, 0, 1.0 / 30240};
    const double xi[6] = {0.4, -0.8, 0.3, 0.7, -0.5, 0.6};
    double ad[36], power[36], next[36], D[36] = {0}, I[36] = {0}, got[36], factorial = 1;
    suite_ok("ad", lg_group_ad(lg_se3(), ad, xi));
    mat_identity(power, 6);
    for (int order = 0; order <= 6; order++) {
        factorial *= order + 1;
        for (int i = 0; i < 36; i++) {
            D[i] += power[i] / factorial;
            I[i] += bernoulli[order] * power[i];
        }
        suite_case("series of order %d on SE(3)", order);
        suite_ok("dtau", lg_retraction_dtau(lg_retraction_series(order), lg_se3(), got, xi));
        suite_near("sum ad^k/(k+1)!", got, D, 36, 1e-14, 1);
        suite_ok("dtau_inv", lg_retraction_dtau_inv(lg_retraction_series(order), lg_se3(), got, xi));
        suite_near("sum B_k/k! ad^k", got, I, 36, 1e-14, 1);
        mat_mul(next, power, ad, 6, 6, 6);
        memcpy(power, next, sizeof power);
    }
}

int main(void)
{
    suite_begin("retractions");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_origin),     cmocka_unit_test(test_symmetric),
        cmocka_unit_test(test_commuting),  cmocka_unit_test(test_inverse_tangents),
        cmocka_unit_test(test_lemma_9_5),  cmocka_unit_test(test_tangent_of_tau),
        cmocka_unit_test(test_lemma_9_4),  cmocka_unit_test(test_derivative_of_dual),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_duals_and_matrices),
        cmocka_unit_test(test_controls),   cmocka_unit_test(test_series_terms),
    };
    return cmocka_run_group_tests_name("retractions", tests, NULL, NULL);
}
