/* SPDX-License-Identifier: BSD-3-Clause */
/* Retractions and their trivialised tangents (docs/theory.md section 2): [P2], definition 9.1, lemmas 9.4 and 9.5. */
#include "claims/groups/groups.h"

#define PI 3.14159265358979323846

/* Random vectors --------------------------------------------------------------------------------------------------- */

/* Angles at which closed forms lose digits if written naively: near 0, at both sides of the seams between polynomial
 * and closed form (1, 2 and their neighbourhood), near a half turn, and beyond. */
static const double angles[] = {1e-12, 1e-8,  1e-6,  1e-4, 1e-3,      1e-2,      0.1,       0.5, 0.999,
                                1.001, 1.999, 2.001, 2.5,  PI - 1e-2, PI - 1e-4, PI - 1e-8, PI,  4};
enum { ANGLES = sizeof angles / sizeof angles[0] };

/* Largest |eigenvalue| of ad_xi (the angle of a rotation), and the largest real part. */
static double angle_of(const lg_group *G, const double *xi, double *real)
{
    double M[CLAIM_DIM * CLAIM_DIM], re[CLAIM_DIM], im[CLAIM_DIM], most = 0;
    const int n = lg_group_dim(G);
    *real = 0;
    if (lg_group_ad(G, M, xi) != LG_OK || !claim_eigenvalues(n, M, re, im)) return 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, hypot(re[i], im[i]));
        *real = fmax(*real, fabs(re[i]));
    }
    return most;
}

/* 1 for the coordinates of rotations and boosts; 0 for those in the kernel of the Killing form, translations, which
 * stay of order 1 when the angle is small: there the digits of the coefficients show. */
static void turning(const lg_group *G, int *turns)
{
    double ad[CLAIM_DIM][CLAIM_DIM * CLAIM_DIM], e[CLAIM_DIM];
    const int n = lg_group_dim(G);
    for (int i = 0; i < n; i++) {
        memset(e, 0, sizeof e);
        e[i] = 1;
        if (lg_group_ad(G, ad[i], e) != LG_OK) ad[i][0] = NAN;
    }
    for (int i = 0; i < n; i++) {
        turns[i] = 0;
        for (int j = 0; j < n; j++) {
            double killing = 0;
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++) killing += ad[i][k * n + l] * ad[j][l * n + k];
            if (fabs(killing) > 1e-12) turns[i] = 1;
        }
    }
}

/* xi with the given angle of tau(xi): half way round, Cayley's vector is infinitely long. Boosts grow exponentially,
 * and Cayley's map has a pole: real eigenvalues stay below 1. 0: there is no such vector. */
static int draw(const lg_group *G, const lg_retraction *tau, const int *turns, double angle, lg_rng *rng, double *xi)
{
    const int n = lg_group_dim(G), cayley = tau->kind == LG_RETRACTION_CAYLEY;
    const double most =
        G->kind == LG_KIND_QUADRATIC ? 3 : PI - 1e-6; /* a solve with a matrix of condition 1/(PI - angle) */
    const double want = !cayley ? angle : angle < most ? 2 * tan(angle / 2) : 0;
    if (want == 0) return 0;
    for (int tries = 0; tries < 50; tries++) {
        double length = 0, real, found, scale;
        for (int i = 0; i < n; i++) {
            xi[i] = lg_rng_normal(rng);
            if (turns[i]) length += xi[i] * xi[i];
        }
        found = angle_of(G, xi, &real);
        if (found == 0) return 1; /* abelian */
        if (found < 0.3 * sqrt(length)) continue;
        scale = fmin(want / found, real > 0 ? 1 / real : INFINITY);
        for (int i = 0; i < n; i++) xi[i] *= turns[i] ? scale : 1;
        return 1;
    }
    return 0;
}

/* Identities ------------------------------------------------------------------------------------------------------- */

/* The largest residuals of the identities over random vectors of G, relative to their terms. */
typedef struct residuals {
    double inverse;   /* tau(xi) tau(-xi) = e */
    double round;     /* tau(tau^-1(g)) = g */
    int found;        /* number of inverses found, for a retraction that has them at some elements only */
    double tangent;   /* dtau dtau^-1 = 1 */
    double adjoint;   /* lemma 9.5: dtau_xi = Ad_tau(xi) dtau_-xi */
    int varied;       /* vectors that the next two were measured at */
    double variation; /* lemma 9.4 by differences: d/ds Ad_tau(xi + s eta) lam */
    double exact;     /* definition 9.1 by differences: d/ds tau(xi + s eta) tau(xi)^-1 */
    double dual;      /* (dtau^-1)^* and dtau^* are the transposed matrices, which are those that are applied */
    int bent;         /* vectors that the next one was measured at */
    double bend;      /* d/dxi (dtau^-1_xi)^* mu by differences */
} residuals;

static double largest(const double *a, int n)
{
    double most = 1;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

/* Central differences of order 8 at s = 0 of s -> Ad_tau(xi + s eta) lam and of s -> log(tau(xi + s eta) tau(xi)^-1):
 * with |eta| = 1 and no pole nearer than 1 they leave 600 step^8, and 4 2e-16/step of rounding. */
static int vary(const lg_retraction *tau, const lg_group *G, const double *xi, const double *eta, const double *lam,
                double *moved, double *turned)
{
    static const double step = 0.01, weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    const int n = lg_group_dim(G);
    double g[CLAIM_ELEMENT], back[CLAIM_ELEMENT], x[CLAIM_DIM], value[CLAIM_DIM];
    memset(moved, 0, (size_t)n * sizeof *moved);
    memset(turned, 0, (size_t)n * sizeof *turned);
    if (lg_retraction_tau(tau, G, back, xi) != LG_OK || lg_group_inverse(G, back, back) != LG_OK) return 0;
    for (int k = -4; k <= 4; k++) {
        const double w = k == 0 ? 0 : (k > 0 ? weight[k - 1] : -weight[-k - 1]) / step;
        for (int i = 0; i < n; i++) x[i] = xi[i] + k * step * eta[i];
        if (lg_retraction_tau(tau, G, g, x) != LG_OK || lg_group_Ad_apply(G, value, g, lam) != LG_OK) return 0;
        for (int i = 0; i < n; i++) moved[i] += w * value[i];
        if (lg_group_compose(G, g, g, back) != LG_OK || lg_group_log(G, value, g) != LG_OK) return 0;
        for (int i = 0; i < n; i++) turned[i] += w * value[i];
    }
    return 1;
}

/* Both tangents against dtau_xi eta = u; Ad_tau(xi) lam = w is lemma 9.4's. */
static int sample_differences(residuals *most, const lg_retraction *tau, const lg_group *G, const double *xi,
                              const double *eta, const double *lam)
{
    const int n = lg_group_dim(G);
    double g[CLAIM_ELEMENT], u[CLAIM_DIM], w[CLAIM_DIM], moved[CLAIM_DIM], turned[CLAIM_DIM];
    if (lg_retraction_tau(tau, G, g, xi) != LG_OK || lg_retraction_dtau_apply(tau, G, u, xi, eta) != LG_OK) return 0;
    if (!vary(tau, G, xi, eta, lam, moved, turned) || lg_group_Ad_apply(G, w, g, lam) != LG_OK) return 0;
    most->exact =
        fmax(most->exact, claim_gap(turned, u, n) / fmax(largest(u, n), largest(g, lg_group_element_size(G))));
    const double scale = largest(w, n) * largest(u, n);
    if (lg_group_ad_apply(G, w, u, w) != LG_OK) return 0; /* -[Ad_tau(xi) lam, u] = [u, Ad_tau(xi) lam] */
    most->variation = fmax(most->variation, claim_gap(moved, w, n) / scale);
    most->varied++;
    return 1;
}

/* tau(xi) tau(-xi) = e and tau(tau^-1(g)) = g. Second kind has no tau^-1 at its gimbal positions, matrices none at a
 * half turn; near that Cayley's vectors w are long, and v = r - w x r/2 on SE(3) is rounded at the size of w. */
static int sample_inverses(residuals *most, const lg_retraction *tau, const lg_group *G, const int *turns, double angle,
                           const double *xi)
{
    const int n = lg_group_dim(G), size = lg_group_element_size(G);
    int translations = 0;
    double g[CLAIM_ELEMENT], h[CLAIM_ELEMENT], e[CLAIM_ELEMENT], x[CLAIM_DIM];
    for (int i = 0; i < n; i++) x[i] = -xi[i];
    if (lg_retraction_tau(tau, G, g, xi) != LG_OK || lg_retraction_tau(tau, G, h, x) != LG_OK) return 0;
    double scale = largest(g, size) * largest(h, size);
    if (lg_group_identity(G, e) != LG_OK || lg_group_compose(G, h, g, h) != LG_OK) return 0;
    most->inverse = fmax(most->inverse, claim_distance(G, e, h) / scale);
    if (G->kind == LG_KIND_QUADRATIC && fabs(angle - PI) < 1e-3) return 1;
    if (!(tau->flags & LG_RETRACTION_SYMMETRIC)) { /* where there is a tau^-1 */
        if (lg_retraction_tau_inv(tau, G, x, g) != LG_OK) return 1;
        if (lg_retraction_tau(tau, G, h, x) != LG_OK) return 0;
        most->round = fmax(most->round, claim_distance(G, g, h) / (scale * largest(x, n)));
        most->found++;
        return 1;
    }
    if (lg_retraction_tau_inv(tau, G, x, g) != LG_OK || lg_retraction_tau(tau, G, h, x) != LG_OK) return 0;
    for (int i = 0; i < n; i++) translations |= !turns[i];
    if (translations) scale = fmax(scale, largest(x, n));
    most->round = fmax(most->round, claim_distance(G, g, h) / scale);
    return 1;
}

/* dtau dtau^-1 = 1 and lemma 9.5. */
static int sample_tangents(residuals *most, const lg_retraction *tau, const lg_group *G, const double *xi,
                           const double *eta)
{
    const int n = lg_group_dim(G);
    double g[CLAIM_ELEMENT], M[CLAIM_DIM * CLAIM_DIM], minus[CLAIM_DIM], u[CLAIM_DIM], v[CLAIM_DIM], w[CLAIM_DIM];
    for (int i = 0; i < n; i++) minus[i] = -xi[i];
    if (lg_retraction_dtau_apply(tau, G, u, xi, eta) != LG_OK ||
        lg_retraction_dtau_inv_apply(tau, G, v, xi, u) != LG_OK)
        return 0;
    if (lg_retraction_dtau_inv(tau, G, M, xi) != LG_OK) return 0;
    most->tangent = fmax(most->tangent, claim_gap(v, eta, n) / (largest(M, n * n) * largest(u, n)));
    if (lg_retraction_tau(tau, G, g, xi) != LG_OK || lg_group_Ad(G, M, g) != LG_OK) return 0;
    if (lg_retraction_dtau_apply(tau, G, v, minus, eta) != LG_OK || lg_group_Ad_apply(G, w, g, v) != LG_OK) return 0;
    most->adjoint = fmax(most->adjoint, claim_gap(w, u, n) / (largest(M, n * n) * largest(v, n)));
    return 1;
}

static double transposed_gap(const double *M, const double *v, const double *out, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += M[k * n + i] * v[k];
        most = fmax(most, fabs(sum - out[i]));
    }
    return most / largest(M, n * n) / largest(v, n);
}

/* The matrices of dtau and dtau^-1 against what is applied and against the duals. */
static int sample_duals(residuals *most, const lg_retraction *tau, const lg_group *G, const double *xi,
                        const double *mu)
{
    const int n = lg_group_dim(G);
    double M[CLAIM_DIM * CLAIM_DIM], T[CLAIM_DIM * CLAIM_DIM], out[CLAIM_DIM];
    if (lg_retraction_dtau(tau, G, M, xi) != LG_OK || lg_retraction_dtau_dual(tau, G, out, xi, mu) != LG_OK) return 0;
    most->dual = fmax(most->dual, transposed_gap(M, mu, out, n));
    for (int i = 0; i < n * n; i++) T[i] = M[i % n * n + i / n];
    if (lg_retraction_dtau_apply(tau, G, out, xi, mu) != LG_OK) return 0;
    most->dual = fmax(most->dual, transposed_gap(T, mu, out, n));
    if (lg_retraction_dtau_inv(tau, G, M, xi) != LG_OK || lg_retraction_dtau_inv_dual(tau, G, out, xi, mu) != LG_OK)
        return 0;
    most->dual = fmax(most->dual, transposed_gap(M, mu, out, n));
    for (int i = 0; i < n * n; i++) T[i] = M[i % n * n + i / n];
    if (lg_retraction_dtau_inv_apply(tau, G, out, xi, mu) != LG_OK) return 0;
    most->dual = fmax(most->dual, transposed_gap(T, mu, out, n));
    return 1;
}

/* The derivative of the dual by central differences of order 8, away from poles of dtau^-1. */
static int sample_bend(residuals *most, const lg_retraction *tau, const lg_group *G, const double *xi, const double *mu)
{
    static const double step = 0.005, weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    const int n = lg_group_dim(G);
    double D[CLAIM_DIM * CLAIM_DIM], M[CLAIM_DIM * CLAIM_DIM], x[CLAIM_DIM], out[CLAIM_DIM], sum[CLAIM_DIM];
    if (lg_retraction_dtau_inv(tau, G, M, xi) != LG_OK) return 0;
    if (largest(M, n * n) > 2) return 1; /* the pole is about 1/|dtau^-1| away */
    if (lg_retraction_dtau_inv_dual_derivative(tau, G, D, xi, mu) != LG_OK) return 0;
    memcpy(x, xi, (size_t)n * sizeof *x);
    for (int j = 0; j < n; j++) {
        memset(sum, 0, sizeof sum);
        for (int k = -4; k <= 4; k++) {
            if (k == 0) continue;
            x[j] = xi[j] + k * step;
            if (lg_retraction_dtau_inv_dual(tau, G, out, x, mu) != LG_OK) return 0;
            for (int i = 0; i < n; i++) sum[i] += (k > 0 ? weight[k - 1] : -weight[-k - 1]) / step * out[i];
        }
        x[j] = xi[j];
        for (int i = 0; i < n; i++)
            most->bend = fmax(most->bend, fabs(D[i * n + j] - sum[i]) / largest(mu, n) / largest(M, n * n));
    }
    most->bent++;
    return 1;
}

/* `count` vectors of every angle. */
static int sample_all(residuals *most, const lg_retraction *tau, const lg_group *G, int count)
{
    int turns[CLAIM_DIM];
    lg_rng rng = {11};
    turning(G, turns);
    for (int k = 0; k < count * ANGLES; k++) {
        const int n = lg_group_dim(G);
        const double angle = angles[k % ANGLES];
        double xi[CLAIM_DIM], eta[CLAIM_DIM], lam[CLAIM_DIM], length = 0;
        if (!draw(G, tau, turns, angle, &rng, xi)) continue;
        for (int i = 0; i < n; i++) {
            eta[i] = lg_rng_normal(&rng);
            lam[i] = lg_rng_normal(&rng);
            length += eta[i] * eta[i];
        }
        for (int i = 0; i < n; i++) eta[i] /= sqrt(length);
        if (!sample_inverses(most, tau, G, turns, angle, xi) || !sample_tangents(most, tau, G, xi, eta)) return 0;
        if (!sample_duals(most, tau, G, xi, lam)) return 0;
        if (k / ANGLES % 4 == 0 && largest(xi, n) < (G->kind == LG_KIND_QUADRATIC ? 1.5 : 3))
            if (!sample_differences(most, tau, G, xi, eta, lam) || !sample_bend(most, tau, G, xi, lam)) return 0;
    }
    return 1;
}

/* The claim ------------------------------------------------------------------------------------------------------- */

static const char off_symmetry[] = "a retraction that is not symmetric";
static const char off_tangent[] = "a series truncated at ad^2 is not the tangent";
static const char by_differences[] = "differences of order 8 with step 0.01: 600 step^8 and 1e-15/step";

static void measure(claim_report *r, const lg_group *G, const lg_retraction *tau, int count)
{
    const unsigned flags = tau->flags;
    const double bound = G->kind == LG_KIND_QUADRATIC ? 2e-14 : 5e-15; /* matrices of boosts have entries up to e */
    residuals most = {0};
    if (!lg_retraction_supports(tau, G)) return;
    claim_case(r, lg_group_name(G), NULL, tau->name);
    if (!sample_all(&most, tau, G, count) || most.varied == 0 || most.bent == 0) {
        claim_trouble(r, "an operation failed, or no vector was drawn");
        return;
    }
    claim_below(r, most.dual, bound, "round-off", "(dtau^-1)^*, dtau^* as matrices and applied agree");
    claim_below(r, most.bend, 1e-11, "differences of order 8 with step 0.005, the library's of order 4",
                "d/dxi (dtau^-1_xi)^* mu");
    if (flags & LG_RETRACTION_SYMMETRIC) {
        claim_below(r, most.inverse, bound, "round-off", "tau(xi) tau(-xi) = e");
        claim_below(r, most.round, bound, "round-off", "tau(tau^-1(g)) = g");
    } else {
        claim_below(r, most.round, bound, "round-off", "tau(tau^-1(g)) = g");
        claim_above(r, most.found, count, "everywhere except at gimbal positions and far away",
                    "inverses that were found");
    }
    if (!(flags & LG_RETRACTION_SYMMETRIC) && !G->abelian) {
        claim_control(r, most.inverse, 1e-2, off_symmetry, "tau(xi) tau(-xi) = e");
    }
    if ((flags & LG_RETRACTION_SYMMETRIC) && (flags & LG_RETRACTION_EXACT))
        claim_below(r, most.adjoint, bound, "round-off", "lemma 9.5: dtau_xi = Ad_tau(xi) dtau_-xi");
    else if (!G->abelian)
        claim_control(r, most.adjoint, 1e-2, "needs symmetry and the exact tangent", "lemma 9.5");
    if (flags & LG_RETRACTION_EXACT) {
        claim_below(r, most.tangent, bound, "round-off", "dtau dtau^-1 = 1");
        claim_below(r, most.variation, 2e-12, by_differences, "lemma 9.4: d Ad_tau(xi) = -[Ad_tau(xi), dtau_xi]");
        claim_below(r, most.exact, 2e-12, by_differences, "definition 9.1: d tau(xi) = dtau_xi tau(xi)");
    } else if (!G->abelian) {
        claim_control(r, most.tangent, 1e-3, off_tangent, "dtau dtau^-1 = 1");
        claim_control(r, most.variation, 1e-2, off_tangent, "lemma 9.4");
        claim_control(r, most.exact, 1e-2, off_tangent, "definition 9.1");
    }
}

/* A retraction per factor, in a product. */
static void measure_product(claim_report *r, int count)
{
    const lg_group *const factors[] = {lg_so3(), lg_se2(), lg_so3()};
    const lg_retraction *const maps[] = {lg_retraction_cayley(), lg_retraction_exp(), lg_retraction_cayley()};
    lg_retraction *tau = NULL;
    lg_group *G = NULL;
    lg_status status = lg_group_create_product(&G, factors, 3);
    if (status == LG_OK) status = lg_retraction_create_product(&tau, maps, 3);
    if (claim_ok(r, status, "product", NULL)) measure(r, G, tau, count);
    lg_retraction_destroy(tau);
    lg_group_destroy(G);
}

/* A user's retraction with only tau and dtau^-1; the rest is generic code. */
static void measure_own(claim_report *r, const lg_group *G, int count)
{
    lg_retraction own = *lg_retraction_exp();
    own.name = "own", own.kind = LG_RETRACTION_USER;
    own.tau_inv = NULL, own.dtau = NULL, own.dtau_inv_dual = NULL, own.dtau_inv_dual_derivative = NULL;
    measure(r, G, &own, count);
}

/* B_k/k! from the zeta function: -2 (-1)^(k/2) zeta(k)/(2 pi)^k for even k > 0. */
static double bernoulli(int k)
{
    double zeta = 0;
    if (k < 2) return k == 0 ? 1 : -0.5;
    if (k % 2 == 1) return 0;
    if (k == 2) return 1.0 / 12;
    if (k == 4) return -1.0 / 720;
    for (int j = 2000; j > 0; j--) zeta += pow(j, -k);
    return (k % 4 == 2 ? 2 : -2) * zeta / pow(2 * PI, k);
}

/* dexp cut off at ad^order: its own coefficients, by powers of the matrix of ad. */
static void measure_series(claim_report *r, const lg_group *G, int order)
{
    const lg_retraction *tau = lg_retraction_series(order);
    const int n = lg_group_dim(G);
    double A[CLAIM_DIM * CLAIM_DIM], D[CLAIM_DIM * CLAIM_DIM], M[CLAIM_DIM * CLAIM_DIM], xi[CLAIM_DIM], most = 0;
    double power[CLAIM_DIM], next[CLAIM_DIM], eta[CLAIM_DIM], inverse[CLAIM_DIM], plain[CLAIM_DIM], scale = 1;
    lg_rng rng = {31};
    for (int i = 0; i < n; i++) xi[i] = lg_rng_normal(&rng), power[i] = eta[i] = lg_rng_normal(&rng);
    if (lg_group_ad(G, A, xi) != LG_OK || lg_retraction_dtau(tau, G, D, xi) != LG_OK ||
        lg_retraction_dtau_inv(tau, G, M, xi) != LG_OK)
        return;
    memset(inverse, 0, sizeof inverse), memset(plain, 0, sizeof plain);
    for (int k = 0; k <= order; k++) {
        for (int i = 0; i < n; i++) inverse[i] += bernoulli(k) * power[i], plain[i] += power[i] / tgamma(k + 2);
        for (int i = 0; i < n; i++) {
            next[i] = 0;
            for (int j = 0; j < n; j++) next[i] += A[i * n + j] * power[j];
        }
        memcpy(power, next, sizeof power);
        scale = fmax(scale, largest(power, n) * fabs(bernoulli(k % 2 == 0 ? k : k + 1)));
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) plain[i] -= D[i * n + j] * eta[j], inverse[i] -= M[i * n + j] * eta[j];
    for (int i = 0; i < n; i++) most = fmax(most, fmax(fabs(plain[i]), fabs(inverse[i])));
    claim_case(r, lg_group_name(G), NULL, tau->name);
    claim_below(r, most / scale, 2e-14, "round-off", "dexp and its inverse are the series up to ad^order");
}

static void identities(claim_report *r)
{
    claim_groups all;
    if (!claim_own_systems(r)) return;
    claim_groups_open(r, &all);
    for (int i = 0; i < all.count; i++) {
        const lg_group *G = all.group[i];
        const int count = r->full ? 2000 : lg_group_dim(G) > 6 ? 4 : 20;
        for (const char *const *name = lg_retraction_names(); *name != NULL; name++)
            if (strncmp(*name, "exp:", 4) != 0) measure(r, G, lg_retraction_named(*name), count);
        measure(r, G, lg_retraction_series(2), count);
        for (int order = 5; order <= 20 && !G->abelian; order += 15) measure_series(r, G, order);
    }
    measure_product(r, 20);
    measure_own(r, lg_so3(), 20);
    measure_own(r, lg_se3(), 20);
    claim_groups_close(&all);
}

const claim claims_retractions[] = {
    {"retraction-identities",
     "tau(xi) tau(-xi) = e, dtau_xi dtau^-1_xi = 1, lemmas 9.4 and 9.5 hold on every group for every retraction that "
     "declares them, with angles from 1e-12 to beyond a half turn; coordinates of the second kind break the first, a "
     "truncated series the tangent. Duals are transposes, and the derivative of the dual is that of its values.",
     "[P2] appendix, definition 9.1, lemmas 9.4, 9.5", 0.3, identities},
    {0},
};
