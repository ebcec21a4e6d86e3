/* SPDX-License-Identifier: BSD-3-Clause */
/* The axioms of a Lie group and of its algebra, over every group of the roster. Elements are compared by their
 * matrices. Tolerances are c*eps*scale: scale is the product of the Frobenius norms of the factors involved (which
 * bounds every partial sum), c the number of operations in a row of the product with room for two of them in
 * sequence. */
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/roster.h"

static const double TIGHT = 64 * SUITE_EPS;    /* one or two products of N <= 14 terms */
static const double SOLVED = 4096 * SUITE_EPS; /* through an exponential, a logarithm or a linear solve of LAPACK's */

typedef struct probe {
    const roster_group *r;
    const lg_group *G;
    int n, N;
    double a[SUITE_ELEMENT], b[SUITE_ELEMENT], c[SUITE_ELEMENT];
    double xi[SUITE_DIM], eta[SUITE_DIM], zeta[SUITE_DIM];
    double A[SUITE_MATRIX], B[SUITE_MATRIX], C[SUITE_MATRIX];
} probe;

static double size(const double *M, int N)
{
    double norm = mat_norm(M, N * N);
    return norm > 1 ? norm : 1;
}

static void draw(probe *p, lg_rng *rng)
{
    int e = lg_group_element_size(p->G);
    suite_case("group %s", p->r->label);
    suite_element(p->r->like, p->a, rng);
    suite_element(p->r->like, p->b, rng);
    suite_element(p->r->like, p->c, rng);
    suite_algebra(p->r->like, p->xi, rng, 4);
    suite_algebra(p->r->like, p->eta, rng, 4);
    suite_algebra(p->r->like, p->zeta, rng, 4);
    suite_input("a", p->a, e);
    suite_input("b", p->b, e);
    suite_input("c", p->c, e);
    suite_input("xi", p->xi, p->n);
    suite_input("eta", p->eta, p->n);
    suite_input("zeta", p->zeta, p->n);
    suite_ok("to_matrix", lg_group_to_matrix(p->r->like, p->A, p->a));
    suite_ok("to_matrix", lg_group_to_matrix(p->r->like, p->B, p->b));
    suite_ok("to_matrix", lg_group_to_matrix(p->r->like, p->C, p->c));
}

typedef void (*axiom)(probe *p, lg_rng *rng);

static void over_all_groups(axiom check, uint64_t stream, int samples)
{
    const roster_group *groups = roster_groups();
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        probe p = {.r = &groups[i], .G = groups[i].G};
        p.n = lg_group_dim(p.G);
        p.N = lg_group_matrix_size(p.r->like);
        lg_rng rng = suite_rng(stream + (uint64_t)i);
        for (int k = 0; k < suite_count(samples); k++) {
            draw(&p, &rng);
            check(&p, &rng);
        }
    }
}

/* Matrix of an element against a matrix. */
static void element_is(const char *what, const probe *p, const double *g, const double *want, double tolerance,
                       double scale)
{
    double M[SUITE_MATRIX];
    suite_ok("to_matrix", lg_group_to_matrix(p->r->like, M, g));
    suite_near(what, M, want, p->N * p->N, tolerance, scale);
}

static void associativity(probe *p, lg_rng *rng)
{
    (void)rng;
    double ab[SUITE_ELEMENT], bc[SUITE_ELEMENT], l[SUITE_ELEMENT], r[SUITE_ELEMENT], R[SUITE_MATRIX], W[SUITE_MATRIX];
    double scale = size(p->A, p->N) * size(p->B, p->N) * size(p->C, p->N);
    suite_ok("compose", lg_group_compose(p->G, ab, p->a, p->b));
    suite_ok("compose", lg_group_compose(p->G, bc, p->b, p->c));
    suite_ok("compose", lg_group_compose(p->G, l, ab, p->c));
    suite_ok("compose", lg_group_compose(p->G, r, p->a, bc));
    suite_ok("to_matrix", lg_group_to_matrix(p->r->like, R, r));
    element_is("(ab)c = a(bc)", p, l, R, TIGHT, scale);
    mat_mul(W, p->A, p->B, p->N, p->N, p->N);
    element_is("matrix of ab", p, ab, W, TIGHT, size(p->A, p->N) * size(p->B, p->N));
}

static void inverse_and_identity(probe *p, lg_rng *rng)
{
    (void)rng;
    double e[SUITE_ELEMENT], i[SUITE_ELEMENT], r[SUITE_ELEMENT], E[SUITE_MATRIX], I[SUITE_MATRIX];
    mat_identity(E, p->N);
    suite_ok("identity", lg_group_identity(p->G, e));
    element_is("identity", p, e, E, 0, 1);
    suite_ok("inverse", lg_group_inverse(p->G, i, p->a));
    suite_ok("to_matrix", lg_group_to_matrix(p->r->like, I, i));
    double scale = size(p->A, p->N) * size(I, p->N);
    suite_ok("compose", lg_group_compose(p->G, r, p->a, i));
    element_is("a a^-1 = e", p, r, E, SOLVED, scale);
    suite_ok("compose", lg_group_compose(p->G, r, i, p->a));
    element_is("a^-1 a = e", p, r, E, SOLVED, scale);
    suite_ok("compose", lg_group_compose(p->G, r, p->a, e));
    element_is("a e = a", p, r, p->A, TIGHT, size(p->A, p->N));
    suite_ok("compose", lg_group_compose(p->G, r, e, p->a));
    element_is("e a = a", p, r, p->A, TIGHT, size(p->A, p->N));
}

static void Ad_homomorphism(probe *p, lg_rng *rng)
{
    (void)rng;
    int n = p->n;
    double ab[SUITE_ELEMENT], Aa[SUITE_MATRIX], Ab[SUITE_MATRIX], Aab[SUITE_MATRIX], want[SUITE_MATRIX], v[SUITE_DIM],
        w[SUITE_DIM];
    suite_ok("compose", lg_group_compose(p->G, ab, p->a, p->b));
    suite_ok("Ad", lg_group_Ad(p->G, Aa, p->a));
    suite_ok("Ad", lg_group_Ad(p->G, Ab, p->b));
    suite_ok("Ad", lg_group_Ad(p->G, Aab, ab));
    mat_mul(want, Aa, Ab, n, n, n);
    double frame =
        size(p->A, p->N) * size(p->B, p->N); /* Ad_g eta = g eta g^-1: two products more than Ad itself shows */
    suite_near("Ad_ab = Ad_a Ad_b", Aab, want, n * n, SOLVED, size(Aa, n) * size(Ab, n) * frame);
    suite_ok("Ad_apply", lg_group_Ad_apply(p->G, v, p->a, p->xi));
    mat_apply(w, Aa, p->xi, n, n);
    suite_near("Ad_apply", v, w, n, SOLVED, size(Aa, n) * fmax(mat_norm(p->xi, n), 1e-300));
}

static void Ad_of_exp(probe *p, lg_rng *rng)
{
    (void)rng;
    int n = p->n;
    double g[SUITE_ELEMENT], Ad[SUITE_MATRIX], ad[SUITE_MATRIX], want[SUITE_MATRIX];
    suite_ok("exp", lg_group_exp(p->G, g, p->xi));
    suite_ok("Ad", lg_group_Ad(p->G, Ad, g));
    suite_ok("ad", lg_group_ad(p->G, ad, p->xi));
    mat_exp(want, ad, n);
    suite_near("Ad_exp(xi) = e^ad_xi", Ad, want, n * n, SOLVED, size(want, n) * size(ad, n));
}

static void bracket(probe *p, lg_rng *rng)
{
    (void)rng;
    int n = p->n;
    double xy[SUITE_DIM], yx[SUITE_DIM], sum[SUITE_DIM], t[SUITE_DIM], u[SUITE_DIM], M[SUITE_MATRIX],
        zero[SUITE_DIM] = {0};
    double x = mat_norm(p->xi, n), y = mat_norm(p->eta, n), z = mat_norm(p->zeta, n);
    suite_ok("ad", lg_group_ad_apply(p->G, xy, p->xi, p->eta));
    suite_ok("ad", lg_group_ad_apply(p->G, yx, p->eta, p->xi));
    for (int i = 0; i < n; i++) sum[i] = xy[i] + yx[i];
    suite_near("[xi, eta] = -[eta, xi]", sum, zero, n, TIGHT, x * y);
    suite_ok("ad", lg_group_ad(p->G, M, p->xi));
    mat_apply(t, M, p->eta, n, n);
    suite_near("ad as a matrix", xy, t, n, TIGHT, 2 * x * y);
    suite_ok("ad", lg_group_ad_apply(p->G, sum, xy, p->zeta)); /* [[xi, eta], zeta] + cyclic = 0 */
    suite_ok("ad", lg_group_ad_apply(p->G, t, p->eta, p->zeta));
    suite_ok("ad", lg_group_ad_apply(p->G, u, t, p->xi));
    for (int i = 0; i < n; i++) sum[i] += u[i];
    suite_ok("ad", lg_group_ad_apply(p->G, t, p->zeta, p->xi));
    suite_ok("ad", lg_group_ad_apply(p->G, u, t, p->eta));
    for (int i = 0; i < n; i++) sum[i] += u[i];
    suite_near("Jacobi", sum, zero, n, TIGHT, 8 * x * y * z);
}

static void duals(probe *p, lg_rng *rng)
{
    (void)rng;
    int n = p->n;
    double M[SUITE_MATRIX], T[SUITE_MATRIX], D[SUITE_MATRIX], v[SUITE_DIM], w[SUITE_DIM];
    suite_ok("Ad", lg_group_Ad(p->G, M, p->a));
    suite_ok("coAd", lg_group_coAd(p->G, D, p->a));
    mat_transpose(T, M, n);
    suite_near("Ad*_g = (Ad_g)^T", D, T, n * n, SOLVED, size(M, n));
    suite_ok("coAd_apply", lg_group_coAd_apply(p->G, v, p->a, p->eta));
    mat_apply(w, T, p->eta, n, n);
    suite_near("Ad*_g p", v, w, n, SOLVED, size(M, n) * mat_norm(p->eta, n));
    suite_ok("ad", lg_group_ad(p->G, M, p->xi));
    suite_ok("coad", lg_group_coad(p->G, D, p->xi));
    mat_transpose(T, M, n);
    suite_near("ad*_xi = (ad_xi)^T", D, T, n * n, 0, 1);
    suite_ok("coad_apply", lg_group_coad_apply(p->G, v, p->xi, p->eta));
    mat_apply(w, T, p->eta, n, n);
    suite_near("ad*_xi p", v, w, n, TIGHT, 2 * mat_norm(M, n * n) * mat_norm(p->eta, n));
}

static void hats(probe *p, lg_rng *rng)
{
    (void)rng;
    int n = p->n, N = p->N;
    double X[SUITE_MATRIX], Y[SUITE_MATRIX], XY[SUITE_MATRIX], YX[SUITE_MATRIX], Z[SUITE_MATRIX], back[SUITE_DIM],
        z[SUITE_DIM];
    if (p->G->to_matrix == NULL && p->G != p->r->like) {
        suite_status("hat without a representation", lg_group_hat(p->G, X, p->xi), LG_ERROR_UNSUPPORTED);
        suite_status("vee without a representation", lg_group_vee(p->G, back, p->A), LG_ERROR_UNSUPPORTED);
        return;
    }
    suite_ok("hat", lg_group_hat(p->G, X, p->xi));
    suite_ok("hat", lg_group_hat(p->G, Y, p->eta));
    suite_ok("vee", lg_group_vee(p->G, back, X));
    suite_near("vee hat = 1", back, p->xi, n, TIGHT, mat_norm(p->xi, n));
    mat_mul(XY, X, Y, N, N, N);
    mat_mul(YX, Y, X, N, N, N);
    for (int i = 0; i < N * N; i++) XY[i] -= YX[i];
    suite_ok("ad", lg_group_ad_apply(p->G, z, p->xi, p->eta));
    suite_ok("hat", lg_group_hat(p->G, Z, z));
    double scale = mat_norm(X, N * N) * mat_norm(Y, N * N);
    suite_near("hat[xi, eta] = [hat xi, hat eta]", Z, XY, N * N, TIGHT, scale);
    suite_ok("Ad", lg_group_Ad_apply(p->G, z, p->a, p->xi)); /* hat(Ad_a xi) a = a hat(xi) */
    suite_ok("hat", lg_group_hat(p->G, Z, z));
    mat_mul(XY, p->A, X, N, N, N);
    mat_mul(YX, Z, p->A, N, N, N);
    suite_near("hat(Ad_a xi) a = a hat(xi)", YX, XY, N * N, SOLVED,
               pow(size(p->A, N), 3) * fmax(mat_norm(X, N * N), mat_norm(Z, N * N)));
}

static void matrices(probe *p, lg_rng *rng)
{
    (void)rng;
    double M[SUITE_MATRIX], g[SUITE_ELEMENT];
    int N = p->N;
    if (lg_group_to_matrix(p->G, M, p->a) == LG_ERROR_UNSUPPORTED && p->G->to_matrix == NULL) return;
    suite_near("to_matrix", M, p->A, N * N, 0, 1);
    suite_ok("from_matrix", lg_group_from_matrix(p->G, g, M));
    element_is("from_matrix(to_matrix(a)) = a", p, g, p->A, SOLVED, pow(size(p->A, N), 2));
    suite_below("residual of from_matrix", lg_group_residual(p->G, g), SOLVED * pow(size(p->A, N), 2));
}

static void exponential(probe *p, lg_rng *rng)
{
    int n = p->n, N = p->N;
    double g[SUITE_ELEMENT], X[SUITE_MATRIX], E[SUITE_MATRIX], back[SUITE_DIM], small[SUITE_DIM];
    suite_ok("exp", lg_group_exp(p->G, g, p->xi));
    suite_ok("hat", lg_group_hat(p->r->like, X, p->xi));
    mat_exp(E, X, N);
    element_is("exp(xi) = e^hat(xi)", p, g, E, SOLVED, size(E, N) * size(X, N));
    suite_algebra(p->r->like, small, rng, 3.0); /* inside the principal branch */
    suite_input("small", small, n);
    suite_ok("exp", lg_group_exp(p->G, g, small));
    suite_ok("log", lg_group_log(p->G, back, g));
    suite_ok("to_matrix", lg_group_to_matrix(p->r->like, E, g));
    double scale =
        fmax(1, mat_norm(small, n)) * pow(size(E, N), 2); /* near 3 rad the logarithm is conditioned like 1/(pi - 3) */
    suite_near("log exp xi = xi", back, small, n, 4 * SOLVED, scale);
    suite_ok("exp", lg_group_exp(p->G, g, back));
    element_is("exp log g = g", p, g, E, 4 * SOLVED, scale);
}

static void distance_and_geodesic(probe *p, lg_rng *rng)
{
    double b[SUITE_ELEMENT], g[SUITE_ELEMENT], small[SUITE_DIM], B[SUITE_MATRIX], d = -1, e = -1;
    suite_algebra(p->r->like, small, rng, 2.5);
    suite_input("small", small, p->n);
    suite_ok("exp", lg_group_exp(p->G, g, small));
    suite_ok("compose", lg_group_compose(p->G, b, p->a, g));
    suite_ok("to_matrix", lg_group_to_matrix(p->r->like, B, b));
    double norm = mat_norm(small, p->n), frame = pow(size(p->A, p->N), 2) * pow(size(B, p->N), 2);
    suite_ok("distance", lg_group_distance(p->G, &d, p->a, b));
    suite_near1("d(a, a exp xi) = |xi|", d, norm, SOLVED, fmax(1, norm) * frame);
    suite_ok("distance", lg_group_distance(p->G, &e, b, p->a));
    suite_near1("d(a, b) = d(b, a)", e, d, SOLVED, fmax(1, norm) * frame);
    suite_ok("distance", lg_group_distance(p->G, &e, p->a, p->a));
    suite_near1("d(a, a) = 0", e, 0, SOLVED, frame);
    suite_ok("interpolate", lg_group_interpolate(p->G, g, p->a, b, 0));
    element_is("geodesic at 0", p, g, p->A, SOLVED, frame);
    suite_ok("interpolate", lg_group_interpolate(p->G, g, p->a, b, 1));
    element_is("geodesic at 1", p, g, B, SOLVED, frame * fmax(1, norm));
    suite_ok("interpolate", lg_group_interpolate(p->G, g, p->a, b, 0.25));
    suite_ok("distance", lg_group_distance(p->G, &d, p->a, g));
    suite_near1("geodesic at 1/4", d, norm / 4, SOLVED, fmax(1, norm) * frame * size(B, p->N));
}

/* The groups whose elements can be off the group at all. */
static int has_a_surface(const lg_group *G)
{
    switch (G->kind) {
    case LG_KIND_RN:
    case LG_KIND_TORUS:
        return 0;
    case LG_KIND_PRODUCT:
        for (int i = 0; i < lg_group_factor_count(G); i++) {
            if (!has_a_surface(lg_group_factor(G, i))) return 0;
        }
        return 1;
    default:
        return 1;
    }
}

static void validity(probe *p, lg_rng *rng)
{
    int e = lg_group_element_size(p->G), N = p->N;
    double g[SUITE_ELEMENT], h[SUITE_ELEMENT], P[SUITE_MATRIX];
    double scale = pow(size(p->A, N), 2);
    if (p->G->residual == NULL && p->G != p->r->like) return; /* a user's group without it */
    suite_below("residual of a", lg_group_residual(p->G, p->a), SOLVED * scale);
    assert_int_equal(lg_group_is_valid(p->G, p->a, SOLVED * scale), 1);
    suite_ok("project", lg_group_project(p->G, g, p->a));
    element_is("project(a) = a", p, g, p->A, SOLVED, scale);
    for (int i = 0; i < e; i++) h[i] = p->a[i] * (1 + 1e-5) + 1e-6 * lg_rng_normal(rng);
    suite_input("perturbed", h, e);
    if (has_a_surface(p->G) && e > p->n) assert_int_equal(lg_group_is_valid(p->G, h, 1e-9), 0);
    suite_ok("project", lg_group_project(p->G, g, h));
    suite_below("residual of a projection", lg_group_residual(p->G, g), 16 * SOLVED * scale);
    suite_ok("to_matrix", lg_group_to_matrix(p->r->like, P, g));
    suite_near("project moves no more than it must", P, p->A, N * N, 1e-3, scale);
}

static void random_element(probe *p, lg_rng *rng)
{
    double g[SUITE_ELEMENT], M[SUITE_MATRIX], first[SUITE_ELEMENT];
    if (p->G->random == NULL && p->G != p->r->like) return;
    lg_rng copy = *rng;
    suite_ok("random", lg_group_random(p->G, g, rng));
    suite_input("random", g, lg_group_element_size(p->G));
    suite_ok("to_matrix", lg_group_to_matrix(p->r->like, M, g));
    suite_below("residual of a random element", lg_group_residual(p->G, g), SOLVED * pow(size(M, p->N), 2));
    suite_ok("random", lg_group_random(p->G, first, &copy));
    suite_same_bits("random elements are reproducible", first, g, lg_group_element_size(p->G));
}

#define AXIOM(check, stream, samples)                                                                                  \
    static void test_##check(void **state)                                                                             \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        over_all_groups(check, stream, samples);                                                                       \
    }
AXIOM(associativity, 100, 200)
AXIOM(inverse_and_identity, 200, 200)
AXIOM(Ad_homomorphism, 300, 200)
AXIOM(Ad_of_exp, 400, 100)
AXIOM(bracket, 500, 200)
AXIOM(duals, 600, 200)
AXIOM(hats, 700, 200)
AXIOM(matrices, 800, 200)
AXIOM(exponential, 900, 100)
AXIOM(distance_and_geodesic, 1000, 100)
AXIOM(validity, 1100, 100)
AXIOM(random_element, 1200, 100)

/* T^n keeps its angles in (-pi, pi], whatever goes in. */
static void test_torus_wraps(void **state)
{
    (void)state;
    const lg_group *T = lg_torus(1);
    static const double inputs[] = {SUITE_PI, -SUITE_PI, 3.5,          -3.5,          7, 100,
                                    -100,     1e6,       3 * SUITE_PI, -3 * SUITE_PI, 0, -1e-300};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        double g, r, back;
        suite_case("T^1");
        suite_input("x", &inputs[i], 1);
        suite_ok("exp", lg_group_exp(T, &g, &inputs[i]));
        assert_true(g > -SUITE_PI && g <= SUITE_PI);
        suite_near1("sin", sin(g), sin(inputs[i]), 4e-16, fmax(1, fabs(inputs[i])));
        suite_near1("cos", cos(g), cos(inputs[i]), 4e-16, fmax(1, fabs(inputs[i])));
        suite_ok("compose", lg_group_compose(T, &r, &g, &g));
        assert_true(r > -SUITE_PI && r <= SUITE_PI);
        suite_ok("inverse", lg_group_inverse(T, &r, &g));
        assert_true(r > -SUITE_PI && r <= SUITE_PI);
        suite_ok("log", lg_group_log(T, &back, &g));
        assert_true(back > -SUITE_PI && back <= SUITE_PI);
        suite_ok("project", lg_group_project(T, &r, &inputs[i]));
        assert_true(r > -SUITE_PI && r <= SUITE_PI);
    }
}

int main(void)
{
    suite_begin("groups");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_associativity),
        cmocka_unit_test(test_inverse_and_identity),
        cmocka_unit_test(test_Ad_homomorphism),
        cmocka_unit_test(test_Ad_of_exp),
        cmocka_unit_test(test_bracket),
        cmocka_unit_test(test_duals),
        cmocka_unit_test(test_hats),
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_exponential),
        cmocka_unit_test(test_distance_and_geodesic),
        cmocka_unit_test(test_validity),
        cmocka_unit_test(test_random_element),
        cmocka_unit_test(test_torus_wraps),
    };
    return cmocka_run_group_tests_name("groups", tests, NULL, NULL);
}
