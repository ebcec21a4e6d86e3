/* SPDX-License-Identifier: BSD-3-Clause */
/* Retractions and their trivialised tangents (groups.md R1-R3; 002, appendix). Paper [P2], lemmas 9.4 and 9.5. */
#include "claims/harness.h"

/* The groups of the ledger. */
typedef struct roster {
    const lg_group *group[12];
    lg_group *made[6];
    int count, owned;
} roster;

static void add(claim_report *r, roster *all, lg_status status, lg_group *G, const char *name)
{
    if (!claim_ok(r, status, name, NULL)) return;
    all->made[all->owned++] = G;
    all->group[all->count++] = G;
}

static void open_roster(claim_report *r, roster *all)
{
    static const lg_group *(*const plain[])(void) = {lg_so3, lg_se2, lg_se3};
    const lg_group *factors[3];
    lg_group *G = NULL;
    lg_status status;
    memset(all, 0, sizeof *all);
    all->group[all->count++] = lg_rn(3);
    all->group[all->count++] = lg_torus(2);
    for (int i = 0; i < 3; i++) all->group[all->count++] = plain[i]();
    factors[0] = lg_rn(2), factors[1] = lg_so3(), factors[2] = lg_se2();
    status = lg_group_product(&G, factors, 3);
    add(r, all, status, G, "product");
    status = lg_group_so(&G, 4);
    add(r, all, status, G, "SO(4)");
    status = lg_group_so_pq(&G, 2, 1);
    add(r, all, status, G, "SO(2,1)");
    status = lg_group_sp(&G, 1);
    add(r, all, status, G, "Sp(2)");
}

static void close_roster(roster *all)
{
    for (int i = all->owned - 1; i >= 0; i--) lg_group_destroy(all->made[i]);
}

/* The largest residuals of the identities over random vectors of G. */
typedef struct residuals {
    double inverse;   /* tau(xi) tau(-xi) = e, entries of the element */
    double tangent;   /* dtau dtau^-1 = 1, relative */
    double adjoint;   /* lemma 9.5: dtau_xi = Ad_tau(xi) dtau_-xi, relative */
    double variation; /* lemma 9.4 by differences: d/ds Ad_tau(xi + s eta) lam, relative */
    double exact;     /* dtau is the tangent of tau, by differences */
} residuals;

static double largest(const double *a, int n)
{
    double most = 1;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

/* out = (f(1) - f(-1)) ... central differences of order 4 of s -> Ad_tau(xi + s eta) lam. */
static int vary(const lg_retraction *tau, const lg_group *G, const double *xi, const double *eta, const double *lam,
                double *out)
{
    static const double step = 2e-3, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    static const int at[4] = {-2, -1, 1, 2};
    const int n = lg_dim(G);
    double g[CLAIM_ELEMENT], x[CLAIM_DIM], value[CLAIM_DIM];
    memset(out, 0, (size_t)n * sizeof *out);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n; i++) x[i] = xi[i] + at[k] * step * eta[i];
        if (lg_tau(tau, G, g, x) != LG_OK || lg_Ad_apply(G, value, g, lam) != LG_OK) return 0;
        for (int i = 0; i < n; i++) out[i] += weight[k] * value[i] / step;
    }
    return 1;
}

/* One random vector. 0: the library failed. */
static int sample(residuals *most, const lg_retraction *tau, const lg_group *G, lg_rng *rng, double size)
{
    const int n = lg_dim(G), entries = lg_element_size(G);
    double xi[CLAIM_DIM], minus[CLAIM_DIM], eta[CLAIM_DIM], lam[CLAIM_DIM], u[CLAIM_DIM], v[CLAIM_DIM], w[CLAIM_DIM];
    double g[CLAIM_ELEMENT], back[CLAIM_ELEMENT], e[CLAIM_ELEMENT];
    for (int i = 0; i < n; i++) {
        xi[i] = size * lg_random_normal(rng);
        minus[i] = -xi[i];
        eta[i] = lg_random_normal(rng);
        lam[i] = lg_random_normal(rng);
    }
    if (lg_tau(tau, G, g, xi) != LG_OK || lg_tau(tau, G, back, minus) != LG_OK) return 0;
    if (lg_compose(G, back, g, back) != LG_OK || lg_identity(G, e) != LG_OK) return 0;
    most->inverse = fmax(most->inverse, claim_gap(back, e, entries) / largest(g, entries));
    if (lg_dtau_apply(tau, G, u, xi, eta) != LG_OK || lg_dtau_inv_apply(tau, G, v, xi, u) != LG_OK) return 0;
    most->tangent = fmax(most->tangent, claim_gap(v, eta, n) / fmax(largest(u, n), largest(eta, n)));
    if (lg_dtau_apply(tau, G, v, minus, eta) != LG_OK || lg_Ad_apply(G, w, g, v) != LG_OK) return 0;
    most->adjoint = fmax(most->adjoint, claim_gap(w, u, n) / fmax(largest(u, n), largest(w, n)));
    /* Lemma 9.4: d/ds Ad_tau(xi + s eta) lam = -[Ad_tau(xi) lam, dtau_xi eta]. */
    if (!vary(tau, G, xi, eta, lam, v) || lg_Ad_apply(G, w, g, lam) != LG_OK) return 0;
    if (lg_ad_apply(G, w, u, w) != LG_OK) return 0;
    most->variation = fmax(most->variation, claim_gap(v, w, n) / fmax(largest(v, n), largest(w, n)));
    return 1;
}

static void measure(claim_report *r, const lg_group *G, const char *name, int samples)
{
    const lg_retraction *tau = lg_retraction_named(name);
    residuals most = {0};
    lg_rng rng = {11};
    if (!lg_retraction_supports(tau, G)) return;
    claim_case(r, lg_group_name(G), NULL, name);
    for (int k = 0; k < samples; k++) {
        if (!sample(&most, tau, G, &rng, k % 2 == 0 ? 0.5 : 0.05)) {
            claim_trouble(r, "an operation failed");
            return;
        }
    }
    if (tau->flags & LG_RETRACTION_SYMMETRIC) {
        claim_below(r, most.inverse, 2e-14, "round-off, groups.md R3", "tau(xi) tau(-xi) = e");
        claim_below(r, most.adjoint, 1e-13, "round-off, groups.md R2", "lemma 9.5: dtau_xi = Ad_tau(xi) dtau_-xi");
    } else if (!G->abelian) {
        claim_control(r, most.inverse, 1e-3, "not symmetric", "tau(xi) tau(-xi) = e, of %s", name);
    }
    claim_below(r, most.tangent, tau->flags & LG_RETRACTION_EXACT ? 2e-13 : 1, "round-off, groups.md R1",
                "dtau dtau^-1 = 1");
    if (tau->flags & LG_RETRACTION_EXACT) {
        claim_below(r, most.variation, 1e-8, "differences of order 4, step 2e-3", "lemma 9.4");
    } else if (!G->abelian) {
        claim_control(r, most.variation, 1e-7, "a truncated tangent is not the tangent", "lemma 9.4, of %s", name);
    }
}

static void identities(claim_report *r)
{
    static const char *const names[] = {"exp", "cayley", "second-kind", "exp:order=2"};
    roster all;
    if (!claim_own_systems(r)) return;
    open_roster(r, &all);
    for (int i = 0; i < all.count; i++)
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            measure(r, all.group[i], names[k], r->full ? 20000 : 1000);
    close_roster(&all);
}

const claim claims_retractions[] = {
    {"retraction-identities",
     "tau(xi) tau(-xi) = e, dtau_xi dtau^-1_xi = 1, and lemmas 9.4 and 9.5 hold on every group for every retraction "
     "that declares them; coordinates of the second kind break the first, a truncated series the tangent.",
     "[P2] appendix, lemmas 9.4, 9.5", 0.5, identities},
    {0},
};
