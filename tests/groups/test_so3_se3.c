/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of so3.h, se2.h and se3.h themselves: the same bits as through the descriptors, points, quaternions as
 * (w, x, y, z), axis and angle, noisy and improper matrices, rotations near pi. */
#include <math.h>
#include <string.h>

#include <liegrp/groups/se2.h>
#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#include "support/matrix.h"
#include "support/suite.h"

/* ---- the same through both doors ---- */

typedef void (*direct_unary)(double *out, const double *in);
typedef void (*direct_binary)(double *out, const double *a, const double *b);
typedef lg_status (*direct_checked)(double *out, const double *in);
typedef lg_status (*generic_unary)(const lg_group *G, double *out, const double *in);
typedef lg_status (*generic_binary)(const lg_group *G, double *out, const double *a, const double *b);

static lg_status dexp(const lg_group *G, double *M, const double *xi)
{
    return lg_retraction_dtau(lg_retraction_exp(), G, M, xi);
}
static lg_status dexp_inv(const lg_group *G, double *M, const double *xi)
{
    return lg_retraction_dtau_inv(lg_retraction_exp(), G, M, xi);
}
static lg_status dexp_inv_dual(const lg_group *G, double *out, const double *xi, const double *mu)
{
    return lg_retraction_dtau_inv_dual(lg_retraction_exp(), G, out, xi, mu);
}
static lg_status dexp_inv_dual_derivative(const lg_group *G, double *M, const double *xi, const double *mu)
{
    return lg_retraction_dtau_inv_dual_derivative(lg_retraction_exp(), G, M, xi, mu);
}
static lg_status cay(const lg_group *G, double *g, const double *xi)
{
    return lg_retraction_tau(lg_retraction_cayley(), G, g, xi);
}
static lg_status cay_inv(const lg_group *G, double *xi, const double *g)
{
    return lg_retraction_tau_inv(lg_retraction_cayley(), G, xi, g);
}
static lg_status dcay(const lg_group *G, double *M, const double *xi)
{
    return lg_retraction_dtau(lg_retraction_cayley(), G, M, xi);
}
static lg_status dcay_inv(const lg_group *G, double *M, const double *xi)
{
    return lg_retraction_dtau_inv(lg_retraction_cayley(), G, M, xi);
}
static lg_status dcay_inv_dual(const lg_group *G, double *out, const double *xi, const double *mu)
{
    return lg_retraction_dtau_inv_dual(lg_retraction_cayley(), G, out, xi, mu);
}
static lg_status dcay_inv_dual_derivative(const lg_group *G, double *M, const double *xi, const double *mu)
{
    return lg_retraction_dtau_inv_dual_derivative(lg_retraction_cayley(), G, M, xi, mu);
}

/* Sizes: 'e' element, 'n' algebra, 'N' matrix of the representation, 'q' square of the algebra. */
typedef struct door1 {
    const char *name;
    char out, in;
    generic_unary generic;
    direct_unary so3, se2, se3;
} door1;

typedef struct door1c {
    const char *name;
    char out, in;
    generic_unary generic;
    direct_checked so3, se2, se3;
} door1c;

typedef struct door2 {
    const char *name;
    char out, a, b;
    generic_binary generic;
    direct_binary so3, se2, se3;
} door2;

#define THREE(f) lg_so3_##f, lg_se2_##f, lg_se3_##f

static const door1 plain[] = {
    {"inverse", 'e', 'e', lg_group_inverse, THREE(inverse)},
    {"to_matrix", 'N', 'e', lg_group_to_matrix, THREE(to_matrix)},
    {"hat", 'N', 'n', lg_group_hat, THREE(hat)},
    {"vee", 'n', 'N', lg_group_vee, THREE(vee)},
    {"Ad", 'q', 'e', lg_group_Ad, THREE(Ad)},
    {"ad", 'q', 'n', lg_group_ad, THREE(ad)},
    {"exp", 'e', 'n', lg_group_exp, THREE(exp)},
    {"dexp", 'q', 'n', dexp, THREE(dexp)},
    {"dexp_inv", 'q', 'n', dexp_inv, THREE(dexp_inv)},
    {"cay", 'e', 'n', cay, THREE(cay)},
    {"dcay", 'q', 'n', dcay, THREE(dcay)},
    {"dcay_inv", 'q', 'n', dcay_inv, THREE(dcay_inv)},
};
static const door1c checked[] = {
    {"project", 'e', 'e', lg_group_project, THREE(project)},
    {"from_matrix", 'e', 'N', lg_group_from_matrix, THREE(from_matrix)},
    {"log", 'n', 'e', lg_group_log, THREE(log)},
    {"cay_inv", 'n', 'e', cay_inv, THREE(cay_inv)},
};
static const door2 paired[] = {
    {"compose", 'e', 'e', 'e', lg_group_compose, THREE(compose)},
    {"coAd", 'n', 'e', 'n', lg_group_coAd_apply, THREE(coAd_apply)},
    {"coad", 'n', 'n', 'n', lg_group_coad_apply, THREE(coad_apply)},
    {"dexp_inv_dual", 'n', 'n', 'n', dexp_inv_dual, THREE(dexp_inv_dual)},
    {"dexp_inv_dual_derivative", 'q', 'n', 'n', dexp_inv_dual_derivative, THREE(dexp_inv_dual_derivative)},
    {"dcay_inv_dual", 'n', 'n', 'n', dcay_inv_dual, THREE(dcay_inv_dual)},
    {"dcay_inv_dual_derivative", 'q', 'n', 'n', dcay_inv_dual_derivative, THREE(dcay_inv_dual_derivative)},
};
enum {
    PLAIN = sizeof plain / sizeof plain[0],
    CHECKED = sizeof checked / sizeof checked[0],
    PAIRED = sizeof paired / sizeof paired[0]
};

static int entries(const lg_group *G, char what)
{
    int n = lg_group_dim(G), N = lg_group_matrix_size(G);
    return what == 'e' ? lg_group_element_size(G) : what == 'n' ? n : what == 'N' ? N * N : n * n;
}

static void draw(const lg_group *G, char what, double *x, lg_rng *rng)
{
    double xi[6], g[7];
    suite_algebra(G, xi, rng, 3);
    if (what == 'n') {
        memcpy(x, xi, sizeof(double) * (size_t)lg_group_dim(G));
        return;
    }
    suite_ok("exp", lg_group_exp(G, what == 'e' ? x : g, xi));
    if (what == 'N') suite_ok("to_matrix", lg_group_to_matrix(G, x, g));
}

static const lg_group *group(int i)
{
    return i == 0 ? lg_so3() : i == 1 ? lg_se2() : lg_se3();
}

static void test_same_bits(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(40000);
    double a[36], b[36], x[36], y[36];
    for (int k = 0; k < 3 * suite_count(300); k++) {
        const lg_group *G = group(k % 3);
        for (int i = 0; i < PLAIN; i++) {
            const door1 *d = &plain[i];
            suite_case("%s on %s", d->name, lg_group_name(G));
            draw(G, d->in, a, &rng);
            suite_input("in", a, entries(G, d->in));
            (k % 3 == 0 ? d->so3 : k % 3 == 1 ? d->se2 : d->se3)(x, a);
            suite_ok(d->name, d->generic(G, y, a));
            suite_same_bits("direct = through the descriptor", x, y, entries(G, d->out));
        }
        for (int i = 0; i < CHECKED; i++) {
            const door1c *d = &checked[i];
            suite_case("%s on %s", d->name, lg_group_name(G));
            draw(G, d->in, a, &rng);
            suite_input("in", a, entries(G, d->in));
            suite_ok(d->name, (k % 3 == 0 ? d->so3 : k % 3 == 1 ? d->se2 : d->se3)(x, a));
            suite_ok(d->name, d->generic(G, y, a));
            suite_same_bits("direct = through the descriptor", x, y, entries(G, d->out));
        }
        for (int i = 0; i < PAIRED; i++) {
            const door2 *d = &paired[i];
            suite_case("%s on %s", d->name, lg_group_name(G));
            draw(G, d->a, a, &rng);
            draw(G, d->b, b, &rng);
            suite_input("a", a, entries(G, d->a));
            suite_input("b", b, entries(G, d->b));
            (k % 3 == 0 ? d->so3 : k % 3 == 1 ? d->se2 : d->se3)(x, a, b);
            suite_ok(d->name, d->generic(G, y, a, b));
            double scale =
                (1 + mat_norm(a, entries(G, d->a))) * mat_norm(b, entries(G, d->b)) + mat_norm(y, entries(G, d->out));
            suite_near("direct = through the descriptor", x, y, entries(G, d->out), 8 * SUITE_EPS,
                       scale); /* coad: by the matrix there */
        }
    }
}

/* ---- points ---- */

static void test_points(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(41000);
    const double quarter[4] = {0, 0, 0.70710678118654752, 0.70710678118654752}, ex[3] = {1, 0, 0}, ey[3] = {0, 1, 0};
    double y[3], back[3], M[16], h[4], w[4];
    suite_case("a quarter turn about z");
    lg_so3_act(y, quarter, ex);
    suite_near("takes x to y", y, ey, 3, 4 * SUITE_EPS, 1);
    for (int k = 0; k < suite_count(2000); k++) {
        double q[4], g[7], p[4] = {0, 0, 0, 1};
        draw(lg_so3(), 'e', q, &rng);
        draw(lg_se3(), 'e', g, &rng);
        suite_normal(p, 3, &rng);
        suite_case("points");
        suite_input("q", q, 4);
        suite_input("g", g, 7);
        suite_input("p", p, 3);
        lg_so3_to_matrix(M, q);
        mat_apply(w, M, p, 3, 3);
        lg_so3_act(y, q, p);
        suite_near("R p", y, w, 3, 8 * SUITE_EPS, mat_norm(p, 3));
        lg_so3_act_inverse(back, q, y);
        suite_near("R^T R p", back, p, 3, 16 * SUITE_EPS, mat_norm(p, 3));
        memcpy(back, p, sizeof back);
        lg_so3_act(back, q, back);
        suite_same_bits("in place", back, y, 3);
        lg_se3_to_matrix(M, g);
        mat_apply(h, M, p, 4, 4);
        double scale = mat_norm(p, 3) + mat_norm(g, 3);
        lg_se3_act(y, g, p);
        suite_near("R p + r", y, h, 3, 8 * SUITE_EPS, scale);
        lg_se3_act_inverse(back, g, y);
        suite_near("there and back", back, p, 3, 16 * SUITE_EPS, scale);
        memcpy(back, p, sizeof back);
        lg_se3_act(back, g, back);
        suite_same_bits("in place", back, y, 3);
        double e[4];
        draw(lg_se2(), 'e', e, &rng);
        lg_se2_act(y, e, p);
        suite_near1("x", y[0], e[2] * p[0] - e[3] * p[1] + e[0], 8 * SUITE_EPS, mat_norm(p, 2) + mat_norm(e, 2));
        suite_near1("y", y[1], e[3] * p[0] + e[2] * p[1] + e[1], 8 * SUITE_EPS, mat_norm(p, 2) + mat_norm(e, 2));
        lg_se2_act_inverse(back, e, y);
        suite_near("there and back", back, p, 2, 16 * SUITE_EPS, mat_norm(p, 2) + mat_norm(e, 2));
    }
}

/* ---- conversions ---- */

static void same_rotation(const char *what, const double *a, const double *b, double tolerance)
{
    double minus[4] = {-b[0], -b[1], -b[2], -b[3]};
    suite_near(what, a, suite_distance(a, b, 4) <= suite_distance(a, minus, 4) ? b : minus, 4, tolerance, 1);
}

static void test_quaternion_orders(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(42000);
    for (int k = 0; k < suite_count(500); k++) {
        double q[4], p[4], back[4], g[7], r[3], h[7], R[9];
        draw(lg_so3(), 'e', q, &rng);
        draw(lg_se3(), 'e', g, &rng);
        suite_case("w, x, y, z");
        suite_input("q", q, 4);
        lg_so3_to_wxyz(p, q);
        const double want[4] = {q[3], q[0], q[1], q[2]};
        suite_same_bits("order", p, want, 4);
        for (int i = 0; i < 4; i++) p[i] *= 3;
        suite_ok("from_wxyz", lg_so3_from_wxyz(back, p));
        suite_near("normalised", back, q, 4, 4 * SUITE_EPS, 1);
        lg_se3_to_wxyz(r, p, g);
        suite_ok("from_wxyz", lg_se3_from_wxyz(h, r, p));
        suite_near("SE(3)", h, g, 7, 4 * SUITE_EPS, 1 + mat_norm(g, 3));
        lg_se3_to_rotation(R, r, g);
        suite_ok("from_rotation", lg_se3_from_rotation(h, R, r));
        suite_same_bits("translation", h, g, 3);
        same_rotation("rotation", h + 3, g + 3, 8 * SUITE_EPS);
    }
    const double zero[4] = {0, 0, 0, 0}, r[3] = {1, 2, 3}, nan4[4] = {1, NAN, 0, 0};
    double q[7];
    suite_case("no quaternion");
    suite_status("from_wxyz", lg_so3_from_wxyz(q, zero), LG_ERROR_DOMAIN);
    suite_status("from_wxyz", lg_se3_from_wxyz(q, r, zero), LG_ERROR_DOMAIN);
    suite_status("project", lg_so3_project(q, zero), LG_ERROR_DOMAIN);
    suite_status("log", lg_so3_log(q, zero), LG_ERROR_DOMAIN);
    suite_ok("NaN", lg_so3_from_wxyz(q, nan4));
    assert_true(suite_any_nan(q, 4));
    const double tiny[4] = {0, 3e-200, 0, 4e-200}, huge[4] = {0, 3e200, 0, 4e200}, want[4] = {0.6, 0, 0.8, 0};
    suite_ok("tiny", lg_so3_from_wxyz(q, tiny));
    suite_near("tiny", q, want, 4, 4 * SUITE_EPS, 1);
    suite_ok("huge", lg_so3_from_wxyz(q, huge));
    suite_near("huge", q, want, 4, 4 * SUITE_EPS, 1);
}

static void test_axis_angle(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(43000);
    for (int k = 0; k < suite_count(2000); k++) {
        double axis[3], scaled[3], q[4], e[4], w[3], back[3], angle = suite_angle(&rng, SUITE_PI), got;
        suite_direction(axis, 3, &rng);
        double factor = pow(10, 4 * lg_rng_uniform(&rng) - 2);
        for (int i = 0; i < 3; i++) scaled[i] = factor * axis[i], w[i] = angle * axis[i];
        suite_case("axis and angle");
        suite_input("axis", scaled, 3);
        suite_input("angle", &angle, 1);
        suite_ok("from", lg_so3_from_axis_angle(q, scaled, angle));
        lg_so3_exp(e, w);
        suite_near("exp(angle axis)", q, e, 4, 4 * SUITE_EPS, 1);
        suite_ok("to", lg_so3_to_axis_angle(back, &got, q));
        suite_near1("angle", got, angle, 4 * SUITE_EPS, fmax(angle, 1e-300));
        if (angle > 0) suite_near("axis", back, axis, 3, 8 * SUITE_EPS, 1);
        suite_ok("many turns", lg_so3_from_axis_angle(e, axis, angle + 20 * SUITE_PI));
        same_rotation("20 pi more", e, q, 64 * SUITE_EPS);
    }
    const double zero[3] = {0, 0, 0}, one[4] = {0, 0, 0, 1}, ex[3] = {1, 0, 0}, none[4] = {0, 0, 0, 0};
    double q[4], axis[3], angle;
    suite_case("no axis");
    suite_status("from", lg_so3_from_axis_angle(q, zero, 1), LG_ERROR_DOMAIN);
    suite_ok("to", lg_so3_to_axis_angle(axis, &angle, one));
    suite_near1("angle", angle, 0, 0, 1);
    suite_near("axis", axis, ex, 3, 0, 1);
    suite_status("to", lg_so3_to_axis_angle(axis, &angle, none), LG_ERROR_DOMAIN);
}

/* The rotation nearest to R is its polar factor Q: Q^T R is symmetric (and positive). */
static void test_noisy_matrices(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(44000);
    for (int k = 0; k < suite_count(3000); k++) {
        double q[4], exact[4], R[9], Q[9], QT[9], S[9], noise = pow(10, -16 + 15 * lg_rng_uniform(&rng));
        draw(lg_so3(), 'e', exact, &rng);
        lg_so3_to_matrix(R, exact);
        for (int i = 0; i < 9; i++) R[i] += noise * lg_rng_normal(&rng);
        suite_case("noise %g", noise);
        suite_input("R", R, 9);
        suite_ok("from_matrix", lg_so3_from_matrix(q, R));
        suite_near1("|q|", mat_norm(q, 4), 1, 4 * SUITE_EPS, 1);
        assert_true(q[3] >= 0);
        lg_so3_to_matrix(Q, q);
        mat_transpose(QT, Q, 3);
        mat_mul(S, QT, R, 3, 3, 3);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < i; j++) suite_near1("Q^T R is symmetric", S[i * 3 + j], S[j * 3 + i], 2e-15, 1);
        }
        same_rotation("close to what it was", q, exact, 8 * noise + 4 * SUITE_EPS);
        double T[16] = {0}, g[7];
        for (int i = 0; i < 9; i++) T[i / 3 * 4 + i % 3] = R[i];
        T[3] = 1, T[7] = -2, T[11] = 3, T[15] = 1;
        suite_ok("from_matrix", lg_se3_from_matrix(g, T));
        suite_same_bits("SE(3) takes the same rotation", g + 3, q, 4);
    }
}

static void test_improper_matrices(void **state)
{
    (void)state;
    static const double bad[][9] = {{-1, 0, 0, 0, -1, 0, 0, 0, -1}, {1, 0, 0, 0, 1, 0, 0, 0, -1},
                                    {0, 1, 0, 1, 0, 0, 0, 0, 1},    {0, 0, 0, 0, 0, 0, 0, 0, 0},
                                    {1, 0, 0, 0, 1, 0, 0, 0, 0},    {4, 0, 0, 0, 4, 0, 0, 0, 4},
                                    {1, 2, 3, 4, 5, 6, 7, 8, 9},    {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3}};
    double q[7], T[16] = {0}, plane[9] = {0.6, 0.8, 1, 0.8, -0.6, 2, 0, 0, 1};
    const double nan9[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        suite_case("improper matrix %d", (int)k);
        suite_input("R", bad[k], 9);
        suite_status("SO(3)", lg_so3_from_matrix(q, bad[k]), LG_ERROR_DOMAIN);
        for (int i = 0; i < 9; i++) T[i / 3 * 4 + i % 3] = bad[k][i];
        T[15] = 1;
        suite_status("SE(3)", lg_se3_from_matrix(q, T), LG_ERROR_DOMAIN);
        suite_status("SO(3) through the descriptor", lg_group_from_matrix(lg_so3(), q, bad[k]), LG_ERROR_DOMAIN);
    }
    suite_case("improper motions");
    suite_status("a reflection of the plane", lg_se2_from_matrix(q, plane), LG_ERROR_DOMAIN);
    memset(T, 0, sizeof T);
    T[0] = T[5] = T[10] = 1;
    T[15] = -1;
    suite_status("last row", lg_se3_from_matrix(q, T), LG_ERROR_DOMAIN);
    suite_ok("NaN", lg_so3_from_matrix(q, nan9));
    assert_true(suite_any_nan(q, 4));
}

/* Matrices of rotations by exactly pi and close to it, about axes that take each of Shepperd's branches. */
static void test_half_turns(void **state)
{
    (void)state;
    static const double axes[][3] = {{1, 0, 0},      {0, 1, 0},      {0, 0, 1},        {0.6, 0.8, 0},
                                     {0, 0.6, -0.8}, {-0.8, 0, 0.6}, {0.36, 0.48, 0.8}};
    for (size_t k = 0; k < sizeof axes / sizeof axes[0]; k++) {
        for (int power = 0; power <= 16; power++) {
            double angle = power == 16 ? SUITE_PI : SUITE_PI - pow(10, -power - 1), q[4], p[4], R[9], w[3], want[3];
            suite_case("axis %d, pi - 1e-%d", (int)k, power + 1);
            for (int i = 0; i < 3; i++) want[i] = angle * axes[k][i];
            lg_so3_exp(q, want);
            suite_ok("log", lg_so3_log(w, q));
            suite_near("log exp w = w", w, want, 3, 2e-15, 1);
            lg_so3_to_matrix(R, q);
            suite_ok("from_matrix", lg_so3_from_matrix(p, R));
            same_rotation("through the matrix", p, q, 4 * SUITE_EPS);
            suite_near1("distance", lg_so3_distance(p, q), 0, 2e-15, 1);
        }
    }
}

/* Distances and geodesics: q and -q are the same rotation, and the way between two is the short one. */
static void test_geodesics(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(45000);
    for (int k = 0; k < suite_count(500); k++) {
        double a[4], b[4], minus[4], r[4], s[4], w[3], d;
        draw(lg_so3(), 'e', a, &rng);
        draw(lg_so3(), 'e', b, &rng);
        for (int i = 0; i < 4; i++) minus[i] = -b[i];
        suite_case("geodesics");
        suite_input("a", a, 4);
        suite_input("b", b, 4);
        d = lg_so3_distance(a, b);
        assert_true(d >= 0 && d <= SUITE_PI + 4 * SUITE_EPS);
        suite_near1("d(a, -b)", lg_so3_distance(a, minus), d, 4 * SUITE_EPS, SUITE_PI);
        if (d > SUITE_PI - 1e-6) continue;
        suite_ok("interpolate", lg_so3_interpolate(r, a, b, 0.3));
        suite_ok("interpolate", lg_so3_interpolate(s, a, minus, 0.3));
        same_rotation("the short way", r, s, 1e-9);
        suite_near1("d(a, r)", lg_so3_distance(a, r), 0.3 * d, 1e-14, 1);
        lg_so3_inverse(s, a);
        lg_so3_compose(s, s, minus);
        suite_ok("log", lg_so3_log(w, s));
        suite_near1("|log(a^-1 b)|", mat_norm(w, 3), d, 8 * SUITE_EPS, SUITE_PI);
    }
    double nothing[4] = {0, 0, 0, 0}, one[4] = {0, 0, 0, 1};
    assert_true(isnan(lg_so3_distance(nothing, one)));
}

static void test_plane(void **state)
{
    (void)state;
    static const double angles[] = {0, 1e-300, -1, 1, SUITE_PI, -SUITE_PI + 1e-15, 3, 7, -100, 1e5};
    for (size_t k = 0; k < sizeof angles / sizeof angles[0]; k++) {
        const double p[3] = {1.5, -2.5, angles[k]};
        double g[4], back[3];
        suite_case("x, y, theta");
        suite_input("p", p, 3);
        lg_se2_from_xytheta(g, p);
        const double want[4] = {1.5, -2.5, cos(angles[k]), sin(angles[k])};
        suite_near("element", g, want, 4, 2 * SUITE_EPS, 3);
        lg_se2_to_xytheta(back, g);
        assert_true(back[2] > -SUITE_PI && back[2] <= SUITE_PI);
        suite_near1("theta modulo 2 pi", remainder(back[2] - angles[k], 2 * SUITE_PI), 0, 4 * SUITE_EPS,
                    fmax(1, fabs(angles[k])));
    }
}

int main(void)
{
    suite_begin("so3, se2, se3");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_quaternion_orders),
        cmocka_unit_test(test_axis_angle),
        cmocka_unit_test(test_noisy_matrices),
        cmocka_unit_test(test_improper_matrices),
        cmocka_unit_test(test_half_turns),
        cmocka_unit_test(test_geodesics),
        cmocka_unit_test(test_plane),
    };
    return cmocka_run_group_tests_name("so3, se2, se3", tests, NULL, NULL);
}
