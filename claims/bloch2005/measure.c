/* SPDX-License-Identifier: BSD-3-Clause */
/* [P4] theorems 6 to 8: invariant measures of Euler-Poincare and Euler-Poincare-Suslov equations. Equations with
 * homogeneous quadratic right-hand sides have one if and only if their divergence vanishes; both the divergence and the
 * change of volumes by the discrete flow are measured. */
#include "claims/bloch2005/algebra.h"

enum { MOST = ALGEBRA_DIM };

/* Theorem 6 ------------------------------------------------------------------------------------------------------- */

/* div = C^b_ab Omega^a at random points, which vanishes for all Omega if and only if the algebra is unimodular. */
static void divergence_of(claim_report *r, const algebra *L, int samples)
{
    suslov S = {.L = L};
    double defect = 0, most = 0, traces = 0, p[MOST], omega[MOST];
    lg_rng rng = {71};
    for (int j = 0; j < L->n; j++) traces = fmax(traces, fabs(algebra_trace(L, j)));
    for (int i = 0; i < samples; i++) {
        double want = 0, got;
        random_inertia(&rng, L->n, S.J);
        random_momentum(&S, &rng, p, omega);
        for (int j = 0; j < L->n; j++) want += algebra_trace(L, j) * omega[j];
        got = suslov_divergence(&S, p);
        defect = fmax(defect, fabs(got - want));
        most = fmax(most, fabs(got));
    }
    claim_case(r, L->name, NULL, NULL);
    claim_below(r, defect, 1e-13, "differences of quadratics: round-off", "|div - C^b_ab Omega^a|, %d random J, p",
                samples);
    if (traces < 1e-14)
        claim_below(r, most, 1e-13, "round-off", "unimodular: |div|");
    else
        claim_control(r, most, 1e-2, "not unimodular", "|div|");
}

/* The variational step multiplies volumes in g* by det Ad_W, up to the sign of the reflection; the energy-momentum step
 * does not and is a control. */
static void volumes(claim_report *r, const free_system *f, const char *method, const char *retraction, int unimodular)
{
    const int control = strncmp(method, "sem", 3) == 0;
    const double sign = f->s.m % 2 == 0 ? 1 : -1;
    double most = 0, from_one = 0;
    lg_integrator *it = claim_start(r, &f->s, method, retraction, f->s.h, LG_START_REACTION);
    if (it == NULL) return;
    for (int k = 0; k < (r->full ? 20 : 3); k++) {
        double step, ad;
        if (!step_determinants(r, &f->s, it, &step, &ad)) most = NAN;
        if (isnan(most)) break;
        most = fmax(most, fabs(sign * step / ad - 1)), from_one = fmax(from_one, fabs(ad - 1));
    }
    lg_integrator_destroy(it);
    if (control)
        claim_control(r, most, 1e-8, "it conserves the energy, not volumes", "|det dp'/dp / det Ad_W - 1|");
    else
        claim_below(r, most, 3e-13, "derivative of a step and a determinant", "|det dp'/dp / %sdet Ad_W - 1|",
                    sign < 0 ? "-" : "");
    if (unimodular)
        claim_below(r, from_one, 2e-14, "round-off", "unimodular: |det Ad_W - 1|");
    else
        claim_control(r, from_one, 1e-3, "not unimodular", "|det Ad_W - 1|");
}

/* A group of the ledger, created if it is not static; freed by lg_group_destroy(*made). */
typedef struct listed {
    const lg_group *G;
    lg_group *made;
    int unimodular;
} listed;

static int group_at(claim_report *r, int i, listed *out)
{
    const lg_group *fixed[] = {lg_so3(),         lg_se2(),
                               lg_se3(),         lg_catalog_definition("affine-line")->group(),
                               &group_line_half, &group_line_minus};
    *out = (listed){.unimodular = i != 3 && i != 4};
    if (i < 6) {
        out->G = fixed[i];
        return 1;
    }
    if (!claim_ok(r, i == 6 ? lg_group_create_so(&out->made, 4) : lg_group_create_sp(&out->made, 1), "a group", NULL))
        return 0;
    out->G = out->made;
    return 1;
}
enum { GROUPS = 8 };

/* The equations are those that the library integrates. */
static int momentum(const claim_system *s, const double *g, const double *p, const void *context, double *out)
{
    (void)g, (void)context;
    memcpy(out, p, (size_t)s->n * sizeof *out);
    return 0;
}

static void equations_of(claim_report *r, const free_system *f)
{
    algebra L = {.n = f->s.n};
    suslov S = {.L = &L, .constrained = f->s.m};
    double e[MOST] = {0}, p[MOST], want[MOST], rate[MOST];
    for (int i = 0; i < L.n; i++) {
        e[i] = 1;
        if (!claim_ok(r, lg_group_ad(f->s.G, L.ad[i], e), "ad", NULL)) return;
        e[i] = 0;
    }
    memcpy(S.J, f->J, sizeof S.J), memcpy(S.a, f->a, sizeof S.a);
    for (int i = 0; i < L.n; i++) p[i] = survey_dot(f->J + i * L.n, f->s.xi0, L.n);
    if (!suslov_field(&S, p, want) || !survey_rate(r, &f->s, f->s.g0, f->s.xi0, L.n, momentum, NULL, rate)) return;
    claim_case(r, f->s.name, NULL, NULL);
    claim_below(r, claim_gap(rate, want, L.n) / survey_norm(p, L.n), 2e-11, "differences",
                "|p' - C^c_ab p_c Omega^a%s| / |p| of the motion", f->s.m > 0 ? " - lambda a" : "");
}

/* The affine line: the equilibrium (c, 0) has the eigenvalues 0, c/I1, and all motions tend to (-sqrt(2 E I1), 0). */
static void affine_line(claim_report *r, const char *settings)
{
    claim_system s;
    algebra L;
    suslov S = {.L = &L};
    const double *I;
    if (!claim_open(r, &s, "affine-line", settings)) return;
    I = s.S->parameter_values;
    memset(&L, 0, sizeof L);
    L.n = 2;
    for (int i = 0; i < 2; i++) {
        const double e[2] = {i == 0, i == 1};
        if (!claim_ok(r, lg_group_ad(s.G, L.ad[i], e), "ad", NULL)) return;
    }
    S.J[0] = I[0], S.J[3] = I[1];
    for (int k = -1; k <= 1; k += 2) {
        const double c = 0.7 * k, p[2] = {c, 0};
        double D[4], re[2], im[2];
        if (!suslov_slope(&S, p, D) || !claim_eigenvalues(2, D, re, im)) break;
        claim_case(r, s.name, NULL, NULL);
        claim_below(r, fabs(re[0] * re[1]) + fabs(re[0] + re[1] - c / I[0]), 1e-13, "round-off",
                    "eigenvalues 0, c/I1 at p = (%g, 0)", c);
    }
    for (int j = 0; claim_retraction(j) != NULL; j++) {
        lg_integrator *it = claim_start(r, &s, "sem", claim_retraction(j), s.h, LG_START_REACTION);
        const double E = (I[0] * s.xi0[0] * s.xi0[0] + I[1] * s.xi0[1] * s.xi0[1]) / 2, size = sqrt(2 * E * I[0]);
        if (it == NULL) continue;
        if (claim_steps(r, it, (int64_t)(60 * I[0] / size / s.h))) {
            const double *p = lg_integrator_momentum(it);
            claim_below(r, hypot(p[0] / size + 1, p[1] / size), 1e-13, "exp(-60 + 5) and round-off of the energy",
                        "distance from (-sqrt(2 E I1), 0) at t = %.0f", lg_integrator_time(it));
        }
        lg_integrator_destroy(it);
    }
    claim_close(&s);
}

static void euler_poincare(claim_report *r)
{
    static const char *const methods[] = {"gni", "variational:midpoint", "rattle", "dla", "sem"};
    static const char *const retractions[] = {"exp", "cayley", "second-kind"};
    algebras all;
    if (!claim_own_systems(r) || !algebra_collect(r, &all)) return;
    for (int i = 0; i < all.count; i++) divergence_of(r, &all.list[i], r->full ? 1000 : 20);
    for (int i = 0; i < GROUPS; i++) {
        listed group;
        free_system f;
        if (!group_at(r, i, &group)) continue;
        if (free_system_make(r, &f, group.G, 0, (uint64_t)(80 + i))) {
            equations_of(r, &f);
            for (int k = 0; k < 5; k++)
                for (int j = 0; j < 3; j++) volumes(r, &f, methods[k], retractions[j], group.unimodular);
        }
        lg_group_destroy(group.made);
    }
    affine_line(r, "");
    affine_line(r, "I1=0.3 I2=0.7");
    affine_line(r, "I1=2.2 I2=0.4");
}

/* Theorem 7 ------------------------------------------------------------------------------------------------------- */

/* t_j = K C^k_ij (J^-1 a)^i a_k + C^k_jk, K = 1/<a, J^-1 a>: the condition (15) is t = mu a. */
static int condition(const suslov *S, double *t)
{
    const int n = S->L->n;
    double w[MOST], K;
    if (!claim_solve(n, S->J, S->a, w)) return 0;
    K = 1 / survey_dot(S->a, w, n);
    for (int j = 0; j < n; j++) {
        t[j] = algebra_trace(S->L, j);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) t[j] += K * S->L->ad[i][k * n + j] * w[i] * S->a[k];
    }
    return 1;
}

/* |div - <t, Omega>| on <a, Omega> = 0 over `samples` points, and the largest |div|. */
static int divergences(const suslov *S, lg_rng *rng, int samples, double *defect, double *most)
{
    double t[MOST], p[MOST], omega[MOST];
    if (!condition(S, t)) return 0;
    for (int i = 0; i < samples; i++) {
        double got;
        random_momentum(S, rng, p, omega);
        got = suslov_divergence(S, p);
        *defect = fmax(*defect, fabs(got - survey_dot(t, omega, S->L->n)));
        *most = fmax(*most, fabs(got));
    }
    return 1;
}

static void condition_of(claim_report *r, const algebra *L, int samples)
{
    suslov S = {.L = L, .constrained = 1};
    double defect = 0, most = 0;
    lg_rng rng = {91};
    for (int i = 0; i < samples; i++) {
        random_inertia(&rng, L->n, S.J);
        random_vector(&rng, L->n, S.a);
        if (!divergences(&S, &rng, 5, &defect, &most)) defect = NAN;
    }
    claim_case(r, L->name, NULL, NULL);
    claim_below(r, defect, 2e-13, "differences of quadratics: round-off",
                "|div - (K C^k_ij I^ig a_g a_k + C^k_jk) Omega^j|, %d random J, a", samples);
    if (L->n > 2) /* else only a line is left, on which energy conservation prevents any motion */
        claim_control(r, most, 1e-2, "t is not a multiple of a", "|div| on <a, Omega> = 0");
}

/* Cases with t = mu a: div vanishes on the constraint. */
static void preserving(claim_report *r, const suslov *S, const char *what)
{
    double defect = 0, most = 0;
    lg_rng rng = {92};
    if (!divergences(S, &rng, 50, &defect, &most)) most = NAN;
    claim_case(r, S->L->name, NULL, NULL);
    claim_below(r, most, 2e-13, "differences of quadratics: round-off", "|div|, %s", what);
}

/* A random J that has a random a for an eigenvector: the coupling of a to the rest is removed. */
static void inertia_with_eigenvector(lg_rng *rng, suslov *S)
{
    const int n = S->L->n;
    double u[MOST], w[MOST], along, size;
    random_inertia(rng, n, S->J);
    random_vector(rng, n, S->a);
    size = survey_norm(S->a, n);
    for (int i = 0; i < n; i++) u[i] = S->a[i] / size;
    for (int i = 0; i < n; i++) w[i] = survey_dot(S->J + i * n, u, n);
    along = survey_dot(u, w, n) + 1 + lg_rng_uniform(rng);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) S->J[i * n + j] += along * u[i] * u[j] - u[i] * w[j] - w[i] * u[j];
}

/* An eigenvector of J (theorem 8); on SO(4) also a and J^-1 a that only commute; the whole line of a non-unimodular
 * group constrained away, where mu = tr A. */
static void preserving_cases(claim_report *r, const algebras *all)
{
    for (int i = 0; i < all->count; i++) {
        const algebra *L = &all->list[i];
        suslov S = {.L = L, .constrained = 1};
        lg_rng rng = {93};
        if (strcmp(L->name, "SO(3)") == 0 || strcmp(L->name, "SO(4)") == 0) {
            for (int k = 0; k < L->n; k++) {
                inertia_with_eigenvector(&rng, &S);
                preserving(r, &S, "a an eigenvector of J");
            }
        }
        memset(S.J, 0, sizeof S.J), memset(S.a, 0, sizeof S.a);
        for (int k = 0; k < L->n; k++) S.J[k * L->n + k] = 1 + lg_rng_uniform(&rng);
        if (strcmp(L->name, "SO(4)") == 0) { /* e_1 and e_6, the planes (0, 1) and (2, 3), commute */
            S.a[0] = 1, S.a[5] = 2;
            preserving(r, &S, "a not an eigenvector, but [J^-1 a, a] = 0");
        }
        if (strncmp(L->name, "R x R^2", 7) == 0) {
            random_inertia(&rng, L->n, S.J);
            S.a[0] = 1;
            preserving(r, &S, "not unimodular, but t = tr A a");
        }
    }
}

/* The momentum flow at an equilibrium of Suslov's body: eigenvalues mu, 0, 0 (the last two in a Jordan block, so
 * through the characteristic polynomial), mu = -K <Omega, J^-1 a x a>. */
static void equilibrium(claim_report *r, const suslov *S, const char *what, double known)
{
    const double *a = S->a;
    double Ja[3], omega[3], w[3], cross[3], p[3], D[9], at[3], size = 0, minors = 0;
    for (int i = 0; i < 3; i++) Ja[i] = survey_dot(S->J + 3 * i, a, 3);
    if (!claim_solve(3, S->J, a, w)) return;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        omega[i] = a[j] * Ja[k] - a[k] * Ja[j];
        cross[i] = w[j] * a[k] - w[k] * a[j];
    }
    for (int i = 0; i < 3; i++) size += omega[i] * survey_dot(S->J + 3 * i, omega, 3);
    for (int i = 0; i < 3; i++) omega[i] *= sqrt(2 * 1.2135 / size); /* the energy of the defaults */
    for (int i = 0; i < 3; i++) p[i] = survey_dot(S->J + 3 * i, omega, 3);
    if (!suslov_field(S, p, at) || !suslov_slope(S, p, D)) return;
    const double mu = -survey_dot(omega, cross, 3) / survey_dot(a, w, 3);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) minors += D[4 * i] * D[4 * j] - D[3 * i + j] * D[3 * j + i];
    claim_case(r, what, NULL, NULL);
    claim_below(r, survey_norm(at, 3), 1e-13, "round-off", "|p'| at Omega along a x J a");
    claim_below(r, fabs(D[0] + D[4] + D[8] - mu), 1e-13, "round-off", "|trace - mu|, mu = %.10f", mu);
    claim_below(r, fabs(minors) + fabs(claim_determinant(3, D)), 1e-13, "round-off", "the other eigenvalues are 0");
    if (known > 0)
        claim_below(r, fabs(fabs(mu) - known), 1e-10, "given to 1e-10", "||mu| - %.10f|", known);
    else
        claim_control(r, fabs(mu), 1e-3, "a is not an eigenvector", "|mu|");
}

/* At the attracting equilibrium of random bodies: the determinant of a step in the plane of p that the constraint
 * allows, against exp(mu h), for h, h/2, h/4. The GNI's p^- leaves that plane and preserves volumes. */
static double plane_determinant(claim_report *r, const free_system *f, const char *method, const char *retraction,
                                double h)
{
    double M[36], w[3], u[2][3], image[2][3], size;
    lg_integrator *it = claim_start(r, &f->s, method, retraction, h, LG_START_REACTION);
    const int ok = it != NULL && claim_step_matrix(r, &f->s, it, M) && claim_solve(3, f->J, f->a, w);
    lg_integrator_destroy(it);
    if (!ok) return NAN;
    size = survey_norm(w, 3); /* u: an orthonormal basis of <p, w> = 0 */
    for (int i = 0; i < 3; i++) w[i] /= size, u[0][i] = (i == 0) - w[0] * w[i];
    size = survey_norm(u[0], 3);
    for (int i = 0; i < 3; i++) u[0][i] /= size;
    for (int i = 0; i < 3; i++) u[1][i] = w[(i + 1) % 3] * u[0][(i + 2) % 3] - w[(i + 2) % 3] * u[0][(i + 1) % 3];
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) image[k][i] = survey_dot(M + (3 + i) * 6 + 3, u[k], 3);
    return survey_dot(u[0], image[0], 3) * survey_dot(u[1], image[1], 3) -
           survey_dot(u[0], image[1], 3) * survey_dot(u[1], image[0], 3);
}

static void contraction(claim_report *r, uint64_t seed)
{
    static const char *const methods[] = {"sem", "nsv", "smv", "sml"}; /* their states are in the plane */
    static const char *const retractions[] = {"exp", "cayley"};
    free_system f;
    double Ja[3], w[3], cross[3], *omega = f.s.xi0, error[3];
    if (!free_system_make(r, &f, lg_so3(), 1, seed) || !claim_solve(3, f.J, f.a, w)) return;
    for (int i = 0; i < 3; i++) Ja[i] = survey_dot(f.J + 3 * i, f.a, 3);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        omega[i] = f.a[j] * Ja[k] - f.a[k] * Ja[j], cross[i] = w[j] * f.a[k] - w[k] * f.a[j];
    }
    const double size = survey_norm(omega, 3);
    for (int i = 0; i < 3; i++) omega[i] /= size;
    const double mu = -survey_dot(omega, cross, 3) / survey_dot(f.a, w, 3);
    claim_case(r, "SO(3)", NULL, NULL);
    claim_control(r, fabs(exp(0.05 * mu) - 1), 1e-3, "a step that preserves areas", "|1 - exp(mu h)|, mu = %.4f", mu);
    for (int m = 0; m < 4; m++)
        for (int j = 0; j < 2; j++) {
            for (int i = 0; i < 3; i++) {
                const double h = 0.2 / (1 << i);
                error[i] = fabs(plane_determinant(r, &f, methods[m], retractions[j], h) - exp(mu * h));
            }
            claim_above(r, claim_slope(error, 3, 1e-12), 2.7, "order 2: local errors of order 3 and more",
                        "order of det - exp(mu h) in the plane of the constraint, mu = %.4f, %.1e at h = 0.05", mu,
                        error[2]);
        }
}

static void suslov_measure(claim_report *r)
{
    algebras all;
    suslov S = {.constrained = 1, .J = {1, .1, .2, .1, 1.5, -.3, .2, -.3, 2}, .a = {0, 0, 1}};
    lg_rng rng = {94};
    if (!claim_own_systems(r) || !algebra_collect(r, &all)) return;
    for (int i = 0; i < all.count; i++) condition_of(r, &all.list[i], r->full ? 1000 : 20);
    preserving_cases(r, &all);
    S.L = &all.list[0];
    equilibrium(r, &S, "suslov", 0.4208294524);
    for (int i = 0; i < (r->full ? 100 : 4); i++) {
        random_inertia(&rng, 3, S.J), random_vector(&rng, 3, S.a);
        equilibrium(r, &S, "suslov, random", 0);
    }
    for (int i = 0; i < GROUPS; i++) {
        static const char *const retractions[] = {"exp", "cayley"};
        listed group;
        free_system f;
        if (!group_at(r, i, &group)) continue;
        if (free_system_make(r, &f, group.G, 1, (uint64_t)(110 + i))) {
            equations_of(r, &f);
            for (int j = 0; j < 2; j++) volumes(r, &f, "gni", retractions[j], group.unimodular);
        }
        lg_group_destroy(group.made);
    }
    for (int i = 0; i < (r->full ? 50 : 3); i++) contraction(r, (uint64_t)(120 + i));
}

const claim claims_survey_measure[] = {
    {"suslov-measure",
     "Euler-Poincare-Suslov equations preserve a measure if and only if K C^k_ij I^ig a_g a_k + C^k_jk = mu a_j; on "
     "SO(3) if and only if a is an eigenvector of the inertia, else equilibria have the eigenvalues mu, 0, 0. The GNI "
     "preserves volumes in g* for every a, up to det Ad_W.",
     "[P4] theorems 7, 8, equations (15), (18)", 0.05, suslov_measure},
    {"euler-poincare-measure",
     "Euler-Poincare equations preserve a measure if and only if the group is unimodular: their divergence is "
     "C^b_ab Omega^a, and a variational step multiplies volumes in g* by det Ad_W.",
     "[P4] theorem 6, equation (12)", 0.15, euler_poincare},
    {0},
};
