/* SPDX-License-Identifier: BSD-3-Clause */
/* The consistency of a group's operations with each other and with the matrices of its elements. */
#include "claims/groups/groups.h"

enum { MOST = 12, FULL = MOST * MOST }; /* matrices up to MOST x MOST */

/* The identities, each with its largest observed residual, relative to its terms. */
enum { COMPOSE, INVERSE, BRACKET, ADJOINT, DUAL, HAT, EXP, CAYLEY, LOG, BETWEEN, MATRIX, NEAREST, PROJECT, ON, COUNT };

static const char *const identity[COUNT] = {
    [COMPOSE] = "matrix of a b = product of the matrices, of e = 1",
    [INVERSE] = "a^-1 a = e",
    [BRACKET] = "hat(ad_xi eta) = [hat(xi), hat(eta)]",
    [ADJOINT] = "hat(Ad_a eta) = a hat(eta) a^-1",
    [DUAL] = "Ad*, ad* and their matrices are the transposes",
    [HAT] = "vee(hat(xi)) = xi, X - hat(vee(X)) is normal to the algebra",
    [EXP] = "matrix of exp(xi) = the series of hat(xi)",
    [CAYLEY] = "(1 - hat(xi)/2) cay(xi) = 1 + hat(xi)/2",
    [LOG] = "log(exp(xi)) = xi, distance(a, a exp(xi)) = |xi|",
    [BETWEEN] = "interpolate(a, a exp(xi), s) = a exp(s xi)",
    [MATRIX] = "from_matrix(to_matrix(a)) = a",
    [NEAREST] = "from_matrix(X) is nearest to X",
    [PROJECT] = "project(a, scaled off the group) = a",
    [ON] = "residual of an element",
};

typedef struct tally {
    const lg_group *G;
    int n, size, N;
    double most[COUNT], swapped, off; /* the controls: a b for b a, the residual of something off the group */
    double far;                       /* how far a projection goes from 1e-3 off */
} tally;

static void note(double *most, double value)
{
    if (!(value <= *most)) *most = value; /* a NaN stays */
}

/* Small matrices --------------------------------------------------------------------------------------------------- */

static double size_of(const double *a, int n)
{
    double most = 1;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

static void product(double *out, const double *a, const double *b, int N)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) sum += a[i * N + k] * b[k * N + j];
            out[i * N + j] = sum;
        }
}

static void unit(double *M, int N)
{
    for (int i = 0; i < N * N; i++) M[i] = i % (N + 1) == 0;
}

/* By its series for X/2^s with |X|/2^s < 1/2, 24 terms leave 1e-31, and s squarings. */
static void exponential(double *out, const double *X, int N)
{
    double A[FULL], power[FULL], next[FULL];
    int squarings = 0;
    double scale = 1;
    while (N * size_of(X, N * N) * scale > 0.5) scale /= 2, squarings++;
    for (int i = 0; i < N * N; i++) A[i] = scale * X[i];
    unit(out, N), unit(power, N);
    for (int k = 1; k <= 24; k++) {
        product(next, power, A, N);
        for (int i = 0; i < N * N; i++) power[i] = next[i] / k, out[i] += power[i];
    }
    for (int k = 0; k < squarings; k++) {
        product(next, out, out, N);
        memcpy(out, next, (size_t)(N * N) * sizeof *out);
    }
}

/* Does A B = C D hold, relative to the sizes? */
static double equation(const double *A, const double *B, const double *C, const double *D, int N)
{
    double left[FULL] = {0}, right[FULL] = {0};
    const int NN = N * N;
    product(left, A, B, N);
    product(right, C, D, N);
    return claim_gap(left, right, NN) / fmax(size_of(A, NN) * size_of(B, NN), size_of(C, NN) * size_of(D, NN));
}

static double inner(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Identities ------------------------------------------------------------------------------------------------------- */

static void draw(double *v, int n, double longest, lg_rng *rng)
{
    double length;
    for (int i = 0; i < n; i++) v[i] = lg_rng_normal(rng);
    length = sqrt(inner(v, v, n));
    for (int i = 0; length > longest && i < n; i++) v[i] *= longest / length;
}

/* Compositions and inverses. */
static int group_laws(tally *t, const double *a, const double *b)
{
    const int N = t->N;
    double A[FULL], B[FULL], C[FULL], one[FULL], c[CLAIM_ELEMENT];
    unit(one, N);
    if (lg_group_to_matrix(t->G, A, a) != LG_OK || lg_group_to_matrix(t->G, B, b) != LG_OK) return 0;
    if (lg_group_compose(t->G, c, a, b) != LG_OK || lg_group_to_matrix(t->G, C, c) != LG_OK) return 0;
    note(&t->most[COMPOSE], equation(A, B, C, one, N));
    t->swapped = fmax(t->swapped, equation(B, A, C, one, N));
    if (lg_group_inverse(t->G, c, a) != LG_OK || lg_group_to_matrix(t->G, C, c) != LG_OK) return 0;
    note(&t->most[INVERSE], equation(C, A, one, one, N));
    if (lg_group_identity(t->G, c) != LG_OK || lg_group_to_matrix(t->G, C, c) != LG_OK) return 0;
    note(&t->most[COMPOSE], claim_gap(C, one, N * N));
    note(&t->most[ON], lg_group_residual(t->G, a) / (size_of(A, N * N) * size_of(A, N * N)));
    if (lg_group_from_matrix(t->G, c, A) != LG_OK || lg_group_to_matrix(t->G, C, c) != LG_OK) return 0;
    note(&t->most[MATRIX], claim_gap(A, C, N * N) / (size_of(A, N * N) * size_of(A, N * N)));
    return 1;
}

/* Ad and ad by matrices. */
static int adjoints(tally *t, const double *a, const double *xi, const double *eta)
{
    const int N = t->N;
    double A[FULL], X[FULL], Y[FULL], Z[FULL], left[FULL], right[FULL], out[CLAIM_DIM];
    if (lg_group_to_matrix(t->G, A, a) != LG_OK || lg_group_hat(t->G, X, xi) != LG_OK ||
        lg_group_hat(t->G, Y, eta) != LG_OK)
        return 0;
    if (lg_group_Ad_apply(t->G, out, a, eta) != LG_OK || lg_group_hat(t->G, Z, out) != LG_OK) return 0;
    note(&t->most[ADJOINT], equation(A, Y, Z, A, N));
    if (lg_group_ad_apply(t->G, out, xi, eta) != LG_OK || lg_group_hat(t->G, Z, out) != LG_OK) return 0;
    product(left, X, Y, N);
    product(right, Y, X, N);
    for (int i = 0; i < N * N; i++) left[i] -= right[i];
    note(&t->most[BRACKET], claim_gap(left, Z, N * N) / (size_of(X, N * N) * size_of(Y, N * N)));
    return 1;
}

/* <op*(p), eta> = <p, op(eta)> of an operation and its dual, applied and as matrices. */
typedef lg_status (*matrix_of)(const lg_group *G, double *M, const double *at);
typedef lg_status (*applied)(const lg_group *G, double *out, const double *at, const double *v);

static int dual(tally *t, const double *at, matrix_of plain, applied apply, matrix_of turned, applied dual_apply,
                const double *p, const double *eta)
{
    const int n = t->n;
    double M[CLAIM_DIM * CLAIM_DIM], D[CLAIM_DIM * CLAIM_DIM], u[CLAIM_DIM], v[CLAIM_DIM], scale;
    if (plain(t->G, M, at) != LG_OK || turned(t->G, D, at) != LG_OK) return 0;
    if (apply(t->G, u, at, eta) != LG_OK || dual_apply(t->G, v, at, p) != LG_OK) return 0;
    scale = size_of(M, n * n) * size_of(p, n) * size_of(eta, n) * n;
    for (int i = 0; i < n; i++) {
        note(&t->most[DUAL], fabs(u[i] - inner(M + i * n, eta, n)) / scale);
        note(&t->most[DUAL], fabs(v[i] - inner(D + i * n, p, n)) / scale);
        for (int j = 0; j < n; j++) note(&t->most[DUAL], fabs(M[i * n + j] - D[j * n + i]) / scale);
    }
    note(&t->most[DUAL], fabs(inner(p, u, n) - inner(v, eta, n)) / scale);
    return 1;
}

static int hats(tally *t, const double *xi, lg_rng *rng)
{
    const int N = t->N;
    double X[FULL], Z[FULL], e[CLAIM_DIM], back[CLAIM_DIM];
    if (lg_group_hat(t->G, Z, xi) != LG_OK || lg_group_vee(t->G, back, Z) != LG_OK) return 0;
    note(&t->most[HAT], claim_gap(back, xi, t->n) / size_of(xi, t->n));
    for (int i = 0; i < N * N; i++) X[i] = lg_rng_normal(rng);
    if (lg_group_vee(t->G, back, X) != LG_OK || lg_group_hat(t->G, Z, back) != LG_OK) return 0;
    for (int i = 0; i < N * N; i++) X[i] -= Z[i];
    for (int k = 0; k < t->n; k++) {
        for (int i = 0; i < t->n; i++) e[i] = i == k;
        if (lg_group_hat(t->G, Z, e) != LG_OK) return 0;
        note(&t->most[HAT], fabs(inner(X, Z, N * N)) / size_of(X, N * N) / N);
    }
    return 1;
}

/* Is G of that kind, or one of its factors? */
static int has(const lg_group *G, lg_group_kind kind)
{
    for (int i = 0; lg_group_factor_count(G) > 1 && i < lg_group_factor_count(G); i++)
        if (has(lg_group_factor(G, i), kind)) return 1;
    return G->kind == kind;
}

static int has_torus(const lg_group *G)
{
    return has(G, LG_KIND_TORUS);
}

/* exp and Cayley by matrices; on a torus, where every retraction is exp, Cayley's map is not that of its matrices. */
static int maps(tally *t, const double *xi, const double *little)
{
    const int N = t->N;
    double X[FULL], E[FULL], M[FULL], minus[FULL], one[FULL], g[CLAIM_ELEMENT];
    if (lg_group_hat(t->G, X, xi) != LG_OK || lg_group_exp(t->G, g, xi) != LG_OK ||
        lg_group_to_matrix(t->G, M, g) != LG_OK)
        return 0;
    note(&t->most[ON], lg_group_residual(t->G, g) / (size_of(M, N * N) * size_of(M, N * N)));
    exponential(E, X, N);
    note(&t->most[EXP], claim_gap(E, M, N * N) / size_of(E, N * N));
    if (has_torus(t->G)) return 1;
    if (lg_group_hat(t->G, X, little) != LG_OK || lg_retraction_tau(lg_retraction_cayley(), t->G, g, little) != LG_OK)
        return 0;
    if (lg_group_to_matrix(t->G, M, g) != LG_OK) return 0;
    unit(one, N), unit(minus, N), unit(E, N);
    for (int i = 0; i < N * N; i++) minus[i] -= X[i] / 2, E[i] += X[i] / 2;
    note(&t->most[CAYLEY], equation(minus, M, E, one, N));
    return 1;
}

static int geodesics(tally *t, const double *a, const double *little, double s)
{
    double g[CLAIM_ELEMENT], b[CLAIM_ELEMENT], c[CLAIM_ELEMENT], x[CLAIM_DIM], A[FULL], B[FULL], d;
    const int NN = t->N * t->N;
    if (lg_group_exp(t->G, g, little) != LG_OK || lg_group_log(t->G, x, g) != LG_OK) return 0;
    note(&t->most[LOG], claim_gap(x, little, t->n));
    if (lg_group_compose(t->G, b, a, g) != LG_OK || lg_group_distance(t->G, &d, a, b) != LG_OK) return 0;
    if (lg_group_to_matrix(t->G, A, a) != LG_OK) return 0;
    note(&t->most[LOG], fabs(d - sqrt(inner(little, little, t->n))) / (size_of(A, NN) * size_of(A, NN)));
    if (lg_group_interpolate(t->G, c, a, b, s) != LG_OK) return 0;
    for (int i = 0; i < t->n; i++) x[i] = s * little[i];
    if (lg_group_exp(t->G, g, x) != LG_OK || lg_group_compose(t->G, b, a, g) != LG_OK) return 0;
    if (lg_group_to_matrix(t->G, A, b) != LG_OK || lg_group_to_matrix(t->G, B, c) != LG_OK) return 0;
    note(&t->most[BETWEEN], claim_gap(A, B, NN) / (size_of(A, NN) * size_of(A, NN)));
    return 1;
}

/* g, off the group by a factor that its projection takes off again: (1 + d) Y is a root of the normal equations of
 * every quadratic group, as a multiple of the identity is normal to all of its algebra. */
static void scale_off(const lg_group *G, double *g, double factor)
{
    const int from = G->kind == LG_KIND_SE2 ? 2 : G->kind == LG_KIND_SE3 ? 3 : 0;
    for (int i = 0; G->kind == LG_KIND_PRODUCT && i < lg_group_factor_count(G); i++) {
        scale_off(lg_group_factor(G, i), g, factor);
        g += lg_group_element_size(lg_group_factor(G, i));
    }
    if (G->kind == LG_KIND_RN || G->kind == LG_KIND_USER || G->kind == LG_KIND_PRODUCT) return;
    for (int i = from; i < lg_group_element_size(G); i++)
        g[i] = G->kind == LG_KIND_TORUS ? g[i] + 8 * atan(1.0) : factor * g[i];
}

static int projections(tally *t, const double *a, lg_rng *rng)
{
    const int N = t->N, NN = N * N;
    double A[FULL], X[FULL], Z[FULL], Y[FULL], g[CLAIM_ELEMENT], e[CLAIM_DIM];
    memcpy(g, a, (size_t)t->size * sizeof *g);
    scale_off(t->G, g, 1.01);
    note(&t->off, lg_group_residual(t->G, g));
    if (lg_group_project(t->G, g, g) != LG_OK || lg_group_to_matrix(t->G, Y, g) != LG_OK) return 0;
    if (lg_group_to_matrix(t->G, A, a) != LG_OK) return 0;
    note(&t->most[PROJECT], claim_gap(A, Y, NN) / (size_of(A, NN) * size_of(A, NN)));
    for (int i = 0; i < t->size; i++) g[i] = a[i] + (t->G->kind == LG_KIND_QUADRATIC ? 1e-3 * lg_rng_normal(rng) : 0);
    if (lg_group_project(t->G, g, g) != LG_OK || lg_group_to_matrix(t->G, Y, g) != LG_OK) return 0;
    note(&t->most[ON], lg_group_residual(t->G, g) / (size_of(A, NN) * size_of(A, NN)));
    note(&t->far, claim_gap(A, Y, NN) / (size_of(A, NN) * size_of(A, NN)));
    if (t->G->kind == LG_KIND_QUADRATIC && strncmp(lg_group_name(t->G), "SO(4)", 5) != 0) return 1; /* another norm */
    for (int i = 0; i < NN; i++) X[i] = A[i] + 0.02 * lg_rng_normal(rng);
    if (lg_group_from_matrix(t->G, g, X) != LG_OK || lg_group_to_matrix(t->G, Y, g) != LG_OK) return 0;
    for (int i = 0; i < NN; i++) X[i] -= Y[i];
    for (int k = 0; k < t->n; k++) {
        for (int i = 0; i < t->n; i++) e[i] = i == k;
        if (lg_group_hat(t->G, Z, e) != LG_OK) return 0;
        product(A, Y, Z, N);
        note(&t->most[NEAREST], fabs(inner(X, A, NN)) / size_of(Y, NN));
    }
    return 1;
}

static int sample(tally *t, lg_rng *rng)
{
    const double longest = has(t->G, LG_KIND_QUADRATIC) || has(t->G, LG_KIND_USER) ? 1.2 : 2.5; /* Cayley's domain */
    double a[CLAIM_ELEMENT], b[CLAIM_ELEMENT], xi[CLAIM_DIM], eta[CLAIM_DIM], little[CLAIM_DIM], p[CLAIM_DIM];
    if (lg_group_random(t->G, a, rng) != LG_OK || lg_group_random(t->G, b, rng) != LG_OK) return 0;
    draw(xi, t->n, 4, rng), draw(eta, t->n, 4, rng), draw(p, t->n, 4, rng), draw(little, t->n, longest, rng);
    for (int i = 0; has_torus(t->G) && i < t->n; i++) xi[i] *= 3; /* more than a turn */
    return group_laws(t, a, b) && adjoints(t, a, xi, eta) &&
           dual(t, a, lg_group_Ad, lg_group_Ad_apply, lg_group_coAd, lg_group_coAd_apply, p, eta) &&
           dual(t, xi, lg_group_ad, lg_group_ad_apply, lg_group_coad, lg_group_coad_apply, p, eta) &&
           hats(t, xi, rng) && maps(t, xi, little) && geodesics(t, a, little, lg_rng_uniform(rng)) &&
           projections(t, a, rng);
}

/* The functions named after a group --------------------------------------------------------------------------- */

/* Those that the descriptor does not hold, against those that it does. */
static double so3_by_name(lg_rng *rng)
{
    static const double up[3] = {0, 0, 1};
    double a[4], b[4], c[4], d[4], x[3], y[3], z[3], w[3], R[9], axis[3], angle, most = 0, distance;
    draw(x, 3, 3, rng), draw(w, 3, 3, rng);
    if (lg_group_random(lg_so3(), a, rng) != LG_OK) return NAN;
    lg_so3_exp(c, w), lg_so3_compose(b, a, c), lg_so3_to_matrix(R, a);
    lg_so3_act(y, a, x);
    for (int i = 0; i < 3; i++) note(&most, fabs(y[i] - inner(R + 3 * i, x, 3)));
    lg_so3_act_inverse(z, a, y);
    note(&most, claim_gap(z, x, 3));
    lg_so3_coad_apply(y, w, x);
    if (lg_group_coad_apply(lg_so3(), z, w, x) != LG_OK) return NAN;
    note(&most, claim_gap(z, y, 3));
    if (lg_group_distance(lg_so3(), &distance, a, b) != LG_OK) return NAN;
    note(&most, fabs(distance - lg_so3_distance(a, b)));
    if (lg_so3_interpolate(c, a, b, 0.3) != LG_OK || lg_group_interpolate(lg_so3(), d, a, b, 0.3) != LG_OK) return NAN;
    note(&most, claim_gap(c, d, 4));
    lg_so3_to_wxyz(c, a);
    note(&most, fabs(c[0] - a[3]) + fabs(c[1] - a[0]) + fabs(c[3] - a[2]));
    if (lg_so3_from_wxyz(d, c) != LG_OK) return NAN;
    note(&most, claim_gap(a, d, 4));
    lg_so3_exp(c, w);
    angle = sqrt(inner(w, w, 3));
    if (lg_so3_from_axis_angle(d, w, angle) != LG_OK) return NAN;
    note(&most, claim_gap(c, d, 4));
    if (lg_so3_to_axis_angle(axis, &angle, c) != LG_OK) return NAN;
    for (int i = 0; i < 3; i++) note(&most, fabs(angle * axis[i] - w[i]));
    lg_so3_act_inverse(z, a, up);
    note(&most, claim_gap(z, R + 6, 3));
    return most;
}

static double se2_by_name(lg_rng *rng)
{
    double a[4], b[4], c[4], d[4], x[3], y[3], z[3], w[3], T[9], most = 0, distance;
    draw(x, 3, 3, rng), draw(w, 3, 3, rng);
    if (lg_group_random(lg_se2(), a, rng) != LG_OK) return NAN;
    lg_se2_exp(c, w), lg_se2_compose(b, a, c), lg_se2_to_matrix(T, a);
    lg_se2_act(y, a, x);
    for (int i = 0; i < 2; i++) note(&most, fabs(y[i] - inner(T + 3 * i, x, 2) - T[3 * i + 2]));
    lg_se2_act_inverse(z, a, y);
    note(&most, claim_gap(z, x, 2));
    lg_se2_coad_apply(y, w, x);
    if (lg_group_coad_apply(lg_se2(), z, w, x) != LG_OK) return NAN;
    note(&most, claim_gap(z, y, 3));
    if (lg_group_distance(lg_se2(), &distance, a, b) != LG_OK) return NAN;
    note(&most, fabs(distance - lg_se2_distance(a, b)));
    if (lg_se2_interpolate(c, a, b, 0.3) != LG_OK || lg_group_interpolate(lg_se2(), d, a, b, 0.3) != LG_OK) return NAN;
    note(&most, claim_gap(c, d, 4));
    lg_se2_to_xytheta(y, a), lg_se2_from_xytheta(c, y);
    note(&most, claim_gap(a, c, 4));
    note(&most, fabs(cos(y[2]) - T[0]) + fabs(sin(y[2]) - T[3]));
    return most;
}

static double se3_by_name(lg_rng *rng)
{
    double a[7], b[7], c[7], d[7], x[6], y[6], z[6], w[6], T[16], R[9], most = 0, distance;
    draw(x, 6, 3, rng), draw(w, 6, 3, rng);
    if (lg_group_random(lg_se3(), a, rng) != LG_OK) return NAN;
    lg_se3_exp(c, w), lg_se3_compose(b, a, c), lg_se3_to_matrix(T, a);
    lg_se3_act(y, a, x);
    for (int i = 0; i < 3; i++) note(&most, fabs(y[i] - inner(T + 4 * i, x, 3) - T[4 * i + 3]));
    lg_se3_act_inverse(z, a, y);
    note(&most, claim_gap(z, x, 3));
    lg_se3_coad_apply(y, w, x);
    if (lg_group_coad_apply(lg_se3(), z, w, x) != LG_OK) return NAN;
    note(&most, claim_gap(z, y, 6));
    if (lg_group_distance(lg_se3(), &distance, a, b) != LG_OK) return NAN;
    note(&most, fabs(distance - lg_se3_distance(a, b)));
    if (lg_se3_interpolate(c, a, b, 0.3) != LG_OK || lg_group_interpolate(lg_se3(), d, a, b, 0.3) != LG_OK) return NAN;
    note(&most, claim_gap(c, d, 7));
    lg_se3_to_rotation(R, y, a);
    for (int i = 0; i < 9; i++) note(&most, fabs(R[i] - T[4 * (i / 3) + i % 3]));
    if (lg_se3_from_rotation(d, R, y) != LG_OK) return NAN;
    note(&most, claim_distance(lg_se3(), a, d));
    lg_se3_to_wxyz(y, z, a);
    note(&most, fabs(z[0] - a[6]) + fabs(z[2] - a[4]) + claim_gap(y, a, 3));
    if (lg_se3_from_wxyz(d, y, z) != LG_OK) return NAN;
    note(&most, claim_gap(a, d, 7));
    return most;
}

static void by_name(claim_report *r, const lg_group *G, double (*residual)(lg_rng *))
{
    lg_rng rng = {17};
    double most = 0;
    for (int k = 0; k < 50; k++) note(&most, residual(&rng));
    claim_case(r, lg_group_name(G), NULL, NULL);
    claim_below(r, most, 1e-14, "round-off, at turns up to 3", "functions named after the group = the generic ones");
}

/* Half a turn about the last axis: Cayley's map does not reach it, log does. */
static void half_turn(claim_report *r, const lg_group *G)
{
    const int n = lg_group_dim(G);
    double xi[6] = {0}, g[7], x[6];
    xi[n - 1] = 4 * atan(1.0);
    claim_case(r, lg_group_name(G), NULL, NULL);
    if (!claim_ok(r, lg_group_exp(G, g, xi), "exp", NULL) ||
        !claim_ok(r, lg_group_log(G, x, g), "log of a half turn", NULL))
        return;
    claim_below(r, fabs(fabs(x[n - 1]) - xi[n - 1]), 1e-15, "round-off", "log of a half turn");
    claim_below(r, lg_retraction_tau_inv(lg_retraction_cayley(), G, x, g) != LG_ERROR_DOMAIN, 0, "a pole",
                "cay^-1 of a half turn");
}

/* Random elements -------------------------------------------------------------------------------------------------- */

/* Haar measure: entries of a rotation of R^n have the mean 0 and the mean square 1/n. */
static void uniform(claim_report *r, const lg_group *G, int n, int count)
{
    double mean[FULL] = {0}, square[FULL] = {0}, M[FULL], g[CLAIM_ELEMENT], first = 0, second = 0;
    const int NN = lg_group_matrix_size(G) * lg_group_matrix_size(G);
    lg_rng rng = {23};
    claim_case(r, lg_group_name(G), NULL, NULL);
    for (int k = 0; k < count; k++) {
        if (lg_group_random(G, g, &rng) != LG_OK || lg_group_to_matrix(G, M, g) != LG_OK) {
            claim_trouble(r, "no random element");
            return;
        }
        for (int i = 0; i < NN; i++) mean[i] += M[i] / count, square[i] += M[i] * M[i] / count;
    }
    for (int i = 0; i < NN; i++) {
        const int rotation = i / lg_group_matrix_size(G) / n == i % lg_group_matrix_size(G) / n;
        note(&first, fabs(mean[i]));
        if (rotation) note(&second, fabs(square[i] - 1.0 / n));
    }
    claim_below(r, first, 5 / sqrt(n * (double)count), "five standard deviations", "random elements: mean of an entry");
    claim_below(r, second, 5 / sqrt(n * (double)count), "five standard deviations",
                "random elements: mean square less 1/n");
}

/* The claim -------------------------------------------------------------------------------------------------------- */

static void measure(claim_report *r, const lg_group *G, int count)
{
    tally t = {.G = G, .n = lg_group_dim(G), .size = lg_group_element_size(G), .N = lg_group_matrix_size(G)};
    const int flat = G->kind == LG_KIND_RN || G->kind == LG_KIND_USER;
    lg_rng rng = {5};
    claim_case(r, lg_group_name(G), NULL, NULL);
    for (int k = 0; k < count; k++) {
        if (sample(&t, &rng)) continue;
        claim_trouble(r, "an operation failed");
        return;
    }
    for (int i = 0; i < COUNT; i++) {
        /* entries of boosts go up to e^4, angles of a torus to 12 */
        const double bound = G->kind == LG_KIND_QUADRATIC || has_torus(G) ? 6e-14 : 2e-14;
        claim_below(r, t.most[i], bound, "round-off", "%s", identity[i]);
    }
    claim_below(r, t.far, 0.02, "1e-3 noise in 16 numbers, forms of condition 5", "projection from a distance of 1e-3");
    if (!G->abelian) claim_control(r, t.swapped, 1e-2, "the group is not abelian", "matrix of a b = that of b times a");
    if (!flat) claim_control(r, t.off, 1e-3, "off the group by a factor 1.01", "residual");
}

static void operations(claim_report *r)
{
    claim_groups all;
    if (!claim_own_systems(r)) return;
    claim_groups_open(r, &all);
    for (int i = 0; i < all.count; i++) measure(r, all.group[i], r->full ? 2000 : 50);
    for (int i = 0; i < all.count; i++)
        if (strncmp(lg_group_name(all.group[i]), "SO(4)", 5) == 0) uniform(r, all.group[i], 4, 3000);
    uniform(r, lg_so3(), 3, 3000);
    uniform(r, lg_torus(2), 2, 3000);
    half_turn(r, lg_so3());
    half_turn(r, lg_se2());
    half_turn(r, lg_se3());
    by_name(r, lg_so3(), so3_by_name);
    by_name(r, lg_se2(), se2_by_name);
    by_name(r, lg_se3(), se3_by_name);
    claim_groups_close(&all);
}

const claim claims_group_operations[] = {
    {"group-operations",
     "On every group composition, inverse, Ad, ad, exp and Cayley's map are those of its matrices, Ad* and ad* are "
     "transposes, log and geodesics invert exp, projections and conversions return to the element, and random "
     "elements of compact groups are uniform.",
     "this library, docs/theory.md sections 1 and 2", 0.3, operations},
    {0},
};
