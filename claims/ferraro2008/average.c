/* SPDX-License-Identifier: BSD-3-Clause */
/* [P0]: the constraints that the GNI satisfies on average, with drift [P2]; and its form on groups with everything
 * left-invariant, written with public operations (docs/theory.md sections 1, 3 and 5). */
#include "claims/framework/random_systems.h"
#include "claims/ferraro2008/gni.h"

const char *const claim_gni_variants[CLAIM_GNI_VARIANTS] = {"gni",          "gni:euler-a",   "gni:euler-b",
                                                            "gni:midpoint", "gni:alpha=0.3", "gni:symmetric-alpha=0.2"};

int claim_gni_steps(const char *variant, int steps)
{
    const int one_sided = strstr(variant, "euler") != NULL || strstr(variant, ":alpha") != NULL;
    return one_sided && steps > 100 ? 100 : steps;
}

/* Constraints on average ------------------------------------------------------------------------------------------- */

/* Largest |A J^-1 p - b| over the rows, relative to |A| (|J^-1 p| + |J^-1 p^+|). NaN: no metric. */
static double residual(const claim_system *s, const lg_integrator *it, const double *p)
{
    double A[CLAIM_ROWS * CLAIM_DIM], b[CLAIM_ROWS], J[CLAIM_DIM * CLAIM_DIM], v[CLAIM_DIM], plus[CLAIM_DIM], most = 0;
    const double *g = lg_integrator_configuration(it);
    const int rows = claim_rows(s, lg_integrator_time(it), g, A, b);
    claim_metric(s, lg_integrator_time(it), g, J);
    if (!claim_solve(s->n, J, p, v) || !claim_solve(s->n, J, lg_integrator_momentum_plus(it), plus)) return (double)NAN;
    for (int a = 0; a < rows; a++) {
        double sum = -b[a], size = 0, length = 0;
        for (int i = 0; i < s->n; i++) {
            sum += A[a * s->n + i] * v[i];
            size = fmax(size, fabs(A[a * s->n + i]));
            length = fmax(length, fmax(fabs(v[i]), fabs(plus[i])));
        }
        most = fmax(most, fabs(sum) / (size * length));
    }
    return most;
}

/* The residuals of a run. */
typedef struct averages {
    double average; /* of (p^+ + p^-)/2 */
    double same;    /* |p~ - (p^+ + p^-)/2|, relative */
    double leaving; /* of p^-: a control */
    double drift;   /* of the average of p^+ and the p^- that -Pi gives: a control */
} averages;

/* At a node. 0 after claim_trouble(). */
static int look(claim_report *r, const claim_system *s, const lg_integrator *it, averages *x)
{
    double P[CLAIM_DIM * CLAIM_DIM], Q[CLAIM_DIM * CLAIM_DIM], Pi[CLAIM_DIM], mean[CLAIM_DIM], scale = 0;
    const double *plus = lg_integrator_momentum_plus(it), *minus = lg_integrator_momentum_minus(it);
    lg_error error;
    for (int i = 0; i < s->n; i++) {
        mean[i] = (plus[i] + minus[i]) / 2;
        scale = fmax(scale, fabs(plus[i]));
    }
    x->average = fmax(x->average, residual(s, it, mean));
    x->same = fmax(x->same, claim_gap(mean, lg_integrator_momentum(it), s->n) / scale);
    x->leaving = fmax(x->leaving, residual(s, it, minus));
    if (!(s->traits & CLAIM_DRIFT)) return 1;
    if (!claim_ok(r,
                  lg_system_projectors(s->S, P, Q, Pi, lg_integrator_time(it), lg_integrator_configuration(it), &error),
                  "projectors", error.message))
        return 0;
    for (int i = 0; i < s->n; i++) {
        mean[i] = plus[i];
        for (int j = 0; j < s->n; j++) mean[i] -= Q[i * s->n + j] * (plus[j] + Pi[j]);
    }
    x->drift = fmax(x->drift, residual(s, it, mean));
    return 1;
}

/* Starts again with a p^-_0 with a larger normal part than the motion needs, so that averaging matters even where the
 * free motion satisfies the constraints. */
static int push(claim_report *r, const claim_system *s, lg_integrator *it)
{
    double p[CLAIM_DIM], scale = 0;
    lg_rng rng = {29};
    for (int i = 0; i < s->n; i++) scale = fmax(scale, fabs(lg_integrator_momentum(it)[i]));
    for (int i = 0; i < s->n; i++) p[i] = lg_integrator_momentum_minus(it)[i] + 0.02 * scale * lg_rng_normal(&rng);
    return claim_ok(r, lg_integrator_start_momentum(it, 0, lg_integrator_configuration(it), p), "start",
                    lg_integrator_message(it));
}

static void keeps_constraints(claim_report *r, const claim_system *s, void *context)
{
    for (int k = 0; k < 2 * CLAIM_GNI_VARIANTS && claim_retraction(k % 2) != NULL; k++) {
        const int steps = claim_gni_steps(claim_gni_variants[k / 2], *(const int *)context);
        averages x = {0};
        lg_integrator *it = claim_start_projected(r, s, claim_gni_variants[k / 2], claim_retraction(k % 2), s->h);
        int ok = it != NULL && push(r, s, it);
        for (int i = 0; ok && i < steps; i++) ok = claim_steps(r, it, 1) && look(r, s, it, &x);
        lg_integrator_destroy(it);
        if (!ok) continue;
        claim_below(r, x.average, 1e-14, "round-off: 10 x what is measured, 1e-15",
                    "|A (J^-1 p~ - Y)|/|A||xi|, %d steps", steps);
        claim_below(r, x.same, 1e-14, "round-off: 8 x what is measured, 1.2e-15", "|p~ - (p^+ + p^-)/2|/|p|");
        if (k == 0) claim_control(r, x.leaving, 1e-3, "p^- has a normal part", "the same of p^-");
        if (k == 0 && (s->traits & CLAIM_DRIFT))
            claim_control(r, x.drift, 1e-3, "Pi with the wrong sign", "the same with -Pi for Pi");
    }
}

static void constraint_average(claim_report *r)
{
    int steps = r->full ? 1000 : 300;
    claim_each(r, CLAIM_VELOCITY_ROWS, 0, keeps_constraints, &steps);
    for (int i = 0; claim_own_systems(r) && i < RANDOM_GROUPS; i++) {
        random_system d;
        int few = 100; /* boosts of SO(2,1) grow */
        if (claim_random_system(r, &d, i, RANDOM_LEFT | RANDOM_RIGHT, 1 + (i > 0), 0, 300 + (uint64_t)i))
            keeps_constraints(r, &d.s, i < RANDOM_GROUPS - 1 ? &steps : &few);
        claim_random_system_free(&d);
    }
}

/* The left-invariant form ------------------------------------------------------------------------------------------ */

/* The data of p_k = (P - Q)* Ad*_W p_{k-1} besides W: rows and J at g_0, which are the same everywhere. */
typedef struct form {
    double A[CLAIM_ROWS * CLAIM_DIM], J[CLAIM_DIM * CLAIM_DIM], C[CLAIM_ROWS * CLAIM_ROWS];
    double B[CLAIM_ROWS * CLAIM_DIM]; /* A J^-1 */
} form;

/* 0: singular. */
static int make_form(const claim_system *s, form *f)
{
    const int n = s->n, m = claim_rows(s, 0, s->g0, f->A, NULL);
    claim_metric(s, 0, s->g0, f->J);
    for (int a = 0; a < m; a++)
        if (!claim_solve(n, f->J, f->A + a * n, f->B + a * n)) return 0;
    for (int a = 0; a < m; a++) {
        for (int b = 0; b < m; b++) {
            f->C[a * m + b] = 0;
            for (int i = 0; i < n; i++) f->C[a * m + b] += f->A[a * n + i] * f->B[b * n + i];
        }
    }
    return 1;
}

/* p -> (P - Q)* p = p - 2 A^T C^-1 A J^-1 p. */
static int reflect(const claim_system *s, const form *f, double *p)
{
    double u[CLAIM_ROWS];
    for (int a = 0; a < s->m; a++) {
        u[a] = 0;
        for (int i = 0; i < s->n; i++) u[a] += f->B[a * s->n + i] * p[i];
    }
    if (s->m > 0 && !claim_solve(s->m, f->C, u, u)) return 0;
    for (int a = 0; a < s->m; a++)
        for (int i = 0; i < s->n; i++) p[i] -= 2 * u[a] * f->A[a * s->n + i];
    return 1;
}

/* Ad*_g p as the transpose of the matrix of Ad_g; the steps have formulas of their own. */
static int coadjoint(const claim_system *s, const double *g, const double *p, double *out)
{
    double M[CLAIM_DIM * CLAIM_DIM];
    if (lg_group_Ad(s->G, M, g) != LG_OK) return 0;
    for (int i = 0; i < s->n; i++) {
        out[i] = 0;
        for (int j = 0; j < s->n; j++) out[i] += M[j * s->n + i] * p[j];
    }
    return 1;
}

/* The largest residuals of a run, relative to |p|. */
typedef struct forms {
    double general;  /* p^-_k against (P - Q)* Ad*_W p^-_{k-1} */
    double wrong;    /* with Ad*_{W^-1}: a control */
    double legendre; /* p^- against (dtau^-1_{h xi})^* J xi */
    double left;     /* with the left-trivialised dtau^-1_{-h xi}: a control */
    double advance;  /* g_{k+1} against g_k tau(h xi), relative to its entries */
} forms;

/* The Legendre transform of the step that was made from p: J xi in `p`, then both trivialisations. 0: it failed. */
static int form_legendre(const claim_system *s, const form *f, const lg_retraction *tau, const lg_integrator *it,
                         const double *minus, double scale, forms *x)
{
    double p[CLAIM_DIM], q[CLAIM_DIM], v[CLAIM_DIM];
    for (int i = 0; i < s->n; i++) {
        v[i] = lg_integrator_step_size(it) * lg_integrator_step_velocity(it)[i];
        p[i] = 0;
        for (int j = 0; j < s->n; j++) p[i] += f->J[i * s->n + j] * lg_integrator_step_velocity(it)[j];
    }
    if (lg_retraction_dtau_inv_dual(tau, s->G, q, v, p) != LG_OK) return 0;
    x->legendre = fmax(x->legendre, claim_gap(q, minus, s->n) / scale);
    for (int i = 0; i < s->n; i++) v[i] = -v[i];
    if (lg_retraction_dtau_inv_dual(tau, s->G, q, v, p) != LG_OK) return 0;
    x->left = fmax(x->left, claim_gap(q, minus, s->n) / scale);
    return 1;
}

/* One step, measured. 0: an operation failed. */
static int form_step(claim_report *r, const claim_system *s, const form *f, const lg_retraction *tau, lg_integrator *it,
                     forms *x)
{
    const int n = s->n;
    double W[CLAIM_ELEMENT], V[CLAIM_ELEMENT], g[CLAIM_ELEMENT], before[CLAIM_DIM], p[CLAIM_DIM], q[CLAIM_DIM];
    double scale = 0, size = 0;
    memcpy(before, lg_integrator_momentum_minus(it), (size_t)n * sizeof *before);
    memcpy(g, lg_integrator_configuration(it), (size_t)s->size * sizeof *g);
    if (!claim_steps(r, it, 1)) return 0;
    for (int i = 0; i < n; i++) {
        q[i] = lg_integrator_step_size(it) * lg_integrator_step_velocity(it)[i];
        scale = fmax(scale, fabs(before[i]));
    }
    if (lg_retraction_tau(tau, s->G, W, q) != LG_OK || lg_group_inverse(s->G, V, W) != LG_OK) return 0;
    if (!coadjoint(s, W, before, p) || !coadjoint(s, V, before, q)) return 0;
    if (!reflect(s, f, p) || !reflect(s, f, q)) return 0;
    x->general = fmax(x->general, claim_gap(p, lg_integrator_momentum_minus(it), n) / scale);
    x->wrong = fmax(x->wrong, claim_gap(q, lg_integrator_momentum_minus(it), n) / scale);
    if (lg_group_compose(s->G, g, g, W) != LG_OK) return 0;
    for (int i = 0; i < s->size; i++) size = fmax(size, fabs(g[i]));
    if (s->G->kind == LG_KIND_QUADRATIC) size *= size; /* put back on the group, which is quadratic in g */
    x->advance = fmax(x->advance, claim_gap(g, lg_integrator_configuration(it), s->size) / size);
    return form_legendre(s, f, tau, it, before, scale, x);
}

static void has_form(claim_report *r, const claim_system *s, void *context)
{
    const int steps = *(const int *)context;
    form f;
    if (!make_form(s, &f)) {
        claim_trouble(r, "rows of %s are dependent", s->name);
        return;
    }
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        const lg_retraction *tau = lg_retraction_named(claim_retraction(i));
        lg_integrator *it = claim_start_projected(r, s, "gni", claim_retraction(i), s->h);
        forms x = {0};
        int ok = it != NULL;
        for (int k = 0; ok && k < steps; k++) ok = form_step(r, s, &f, tau, it, &x);
        if (it != NULL && !ok) claim_trouble(r, "an operation failed");
        lg_integrator_destroy(it);
        if (!ok) continue;
        claim_below(r, x.general, 1e-14, "round-off of a step", "|p_k - (P - Q)* Ad*_W p_{k-1}|/|p|, %d steps", steps);
        claim_below(r, x.legendre, 1e-14, "round-off of a step", "|p - (dtau^-1_{h xi})* J xi|/|p|");
        claim_below(r, x.advance, 1e-14, "round-off of a step", "|g_k - g_{k-1} tau(h xi)|/|g|");
        if (s->traits & CLAIM_ABELIAN) continue;
        claim_control(r, x.wrong, 1e-3, "4e-2 to 1e-1 on the papers' systems", "the same with Ad_{W^-1}");
        claim_control(r, x.left, 1e-3, "O(h): the other trivialisation", "the same with dtau^-1_{-h xi}");
    }
}

static void left_invariant(claim_report *r)
{
    int steps = r->full ? 20000 : 300;
    claim_each(r, CLAIM_CONSTANT_ROWS, CLAIM_NOT_LEFT_INVARIANT, has_form, &steps);
    for (int i = 0; claim_own_systems(r) && i < 2 * RANDOM_GROUPS; i++) {
        random_system d;
        int few = 30; /* boosts of SO(2,1) grow until they leave the domain of tau */
        if (claim_random_system(r, &d, i / 2, RANDOM_LEFT, 1 + i % 2, 0, 400 + (uint64_t)i))
            has_form(r, &d.s, i / 2 < RANDOM_GROUPS - 1 ? &steps : &few);
        claim_random_system_free(&d);
    }
}

const claim claims_gni_average[] = {
    {"gni-constraint-average",
     "The average momentum p~ = (p^+ + p^-)/2 of the GNI satisfies the linear and affine constraints to round-off at "
     "every node, for every system and every variant; p^- does not, nor does p~ if the drift has the wrong sign.",
     "[P0] equation (5); affine: [P2] (38), with the sign of (38b) corrected", 0.5, constraint_average},
    {"gni-left-invariant",
     "With everything left-invariant the GNI is p_k = (P - Q)* Ad*_W p_{k-1}, p = (dtau^-1_{h xi})* J xi, W = tau(h "
     "xi) on every group; with Ad_{W^-1} or the other trivialisation it is not.",
     "[P0] 4.2", 0.3, left_invariant},
    {0},
};
