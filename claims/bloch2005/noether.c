/* SPDX-License-Identifier: BSD-3-Clause */
/* [P4] corollary 4: momenta of symmetries whose generators lie in the constraint distribution are conserved. A
 * numerical test finds which of a system's invariants (columns inv_...) are such momenta. */
#include "claims/bloch2005/survey.h"

static double column_at(const claim_system *s, const lg_invariant *inv, const double *g, const double *p)
{
    const lg_call c = claim_call(s, (double[]){0});
    double value = NAN;
    return inv->value(&c, g, p, &value) == 0 ? value : NAN;
}

static int column_value(const claim_system *s, const double *g, const double *p, const void *context, double *out)
{
    out[0] = column_at(s, context, g, p);
    return isnan(out[0]);
}

/* The covector's dual zeta with F = <p, zeta(g)>; 0: F is not linear in p at g. */
static int generator_of(const claim_system *s, const lg_invariant *inv, const double *g, lg_rng *rng, double *zeta)
{
    double p[CLAIM_DIM] = {0}, zero, size;
    zero = column_at(s, inv, g, p);
    for (int i = 0; i < s->n; i++) {
        p[i] = 1;
        zeta[i] = column_at(s, inv, g, p);
        p[i] = 0;
    }
    for (int i = 0; i < s->n; i++) p[i] = lg_rng_normal(rng);
    size = survey_norm(p, s->n) * survey_norm(zeta, s->n);
    return zero == 0 && fabs(column_at(s, inv, g, p) - survey_dot(p, zeta, s->n)) < 1e-12 * size;
}

/* The system without its constraints. */
static claim_system unconstrained(const claim_system *s, lg_system *S)
{
    claim_system free = *s;
    *S = *s->S;
    S->constraint_count = S->callbacks.holonomic_count = 0;
    S->covector_matrix = NULL, S->callbacks.covectors = NULL, S->callbacks.drift = NULL,
    S->callbacks.covectors_derivative = NULL, S->callbacks.covectors_rate = NULL;
    S->projector_metric = NULL;
    S->callbacks.holonomic = S->callbacks.holonomic_differential = S->callbacks.holonomic_rate = NULL;
    S->callbacks.holonomic_acceleration = NULL;
    S->callbacks.discrete_constraint = NULL, S->callbacks.discrete_slope_1 = S->callbacks.discrete_slope_2 = NULL;
    free.S = S;
    free.m = 0;
    return free;
}

/* The properties of a column. */
typedef struct kind {
    int momentum;   /* <p, zeta(g)>, constant without the constraints: L has the symmetry zeta */
    int horizontal; /* zeta satisfies the (linear part of the) constraints */
    int left;       /* zeta generates left translations: Ad_g zeta is constant */
    double rate;    /* largest |dF/dt| of the constrained motion over |p| |zeta| */
} kind;

static int look_at(claim_report *r, const claim_system *s, const lg_invariant *inv, kind *k)
{
    lg_system S;
    const claim_system free = unconstrained(s, &S);
    double g[CLAIM_ELEMENT], xi[CLAIM_DIM], p[CLAIM_DIM], zeta[CLAIM_DIM], spatial[2][CLAIM_DIM], rate;
    double A[CLAIM_ROWS * CLAIM_DIM];
    lg_rng rng = {31};
    *k = (kind){.horizontal = 1, .left = 1};
    for (int i = 0; i < 3; i++) {
        const int before = r->count;
        double size;
        if (!survey_state(r, s, &rng, 0.2, g, xi) || !claim_momentum_of(r, s, 0, g, xi, p)) return 0;
        if (!generator_of(s, inv, g, &rng, zeta)) return 1;
        size = survey_norm(zeta, s->n) * survey_norm(p, s->n) * survey_pace(r, s, g, xi);
        if (!survey_rate(r, s, g, xi, 1, column_value, inv, &rate)) return 0;
        k->rate = fmax(k->rate, fabs(rate) / size);
        if (lg_group_Ad_apply(s->G, spatial[i > 0], g, zeta) != LG_OK) return 0;
        if (claim_gap(spatial[0], spatial[i > 0], s->n) > 1e-10) k->left = 0;
        for (int a = claim_rows(s, 0, g, A, NULL) - 1; a >= 0; a--)
            if (!(fabs(survey_dot(A + a * s->n, zeta, s->n)) < 1e-11 * survey_norm(zeta, s->n))) k->horizontal = 0;
        for (int j = 0; j < s->n; j++) xi[j] = lg_rng_normal(&rng);
        if (!survey_rate(r, &free, g, xi, 1, column_value, inv, &rate)) {
            r->count = before; /* there is no motion without the constraints, hence no symmetry of it */
            return 1;
        }
        if (!(fabs(rate) < 1e-8 * size)) return 1;
    }
    k->momentum = 1;
    return 1;
}

/* Largest change of a column F = <p, zeta(g)> over *steps steps, relative to |p| |zeta|; NAN after claim_trouble(). It
 * ends early and reduces *steps if |zeta| grows without bound and F loses its digits (on the affine line, as a tends to
 * 0). */
static double column_change(claim_report *r, const claim_system *s, const lg_invariant *inv, lg_integrator *it,
                            int64_t *steps)
{
    const double first = column_at(s, inv, lg_integrator_configuration(it), lg_integrator_momentum(it));
    double most = 0, zeta[CLAIM_DIM], size = 0, start = 0;
    lg_rng rng = {32};
    for (int64_t k = 0; k <= *steps; k++) {
        double change;
        if (!generator_of(s, inv, lg_integrator_configuration(it), &rng, zeta)) return NAN;
        size = fmax(size, survey_norm(lg_integrator_momentum(it), s->n) * survey_norm(zeta, s->n));
        if (k == 0) start = size;
        change = fabs(column_at(s, inv, lg_integrator_configuration(it), lg_integrator_momentum(it)) - first) / size;
        if (!(change <= most)) most = change; /* a NaN stays */
        if (size > 1e6 * start || k == *steps) {
            *steps = k;
            break;
        }
        if (!claim_steps(r, it, 1)) return NAN;
    }
    return most;
}

static void noether_method(claim_report *r, const claim_system *s, const lg_invariant *inv, const char *method,
                           const char *fails)
{
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        lg_integrator *it = claim_start(r, s, method, claim_retraction(i), s->h, LG_START_REACTION);
        int64_t steps = r->full ? 30000 : 300;
        double change;
        if (it == NULL) continue;
        change = column_change(r, s, inv, it, &steps);
        lg_integrator_destroy(it);
        if (fails != NULL)
            claim_control(r, change, 1e-8, fails, "change of %s / |p|", inv->name);
        else
            claim_below(r, change, 1e-14 * (double)steps, "the solver's tolerance, 1e-14 a step",
                        "change of %s / |p|, %ld steps", inv->name, (long)steps);
    }
}

/* The energy-momentum step keeps the momenta of left translations, and every such momentum where p is transported by
 * itself; sem:momentum also keeps those of rotations of R^n under holonomic constraints with a constant metric. */
static int keeps(const claim_system *s, const kind *k, const char *method)
{
    if (strncmp(method, "sem", 3) != 0 || k->left) return 1;
    if (s->traits & CLAIM_BIINVARIANT && !(s->traits & (CLAIM_POTENTIAL | CLAIM_POSITION_ROWS))) return 1;
    return strcmp(method, "sem:momentum") == 0 && s->traits & CLAIM_POSITION_ROWS && !(s->traits & CLAIM_METRIC);
}

static void noether_system(claim_report *r, const claim_system *s, void *context)
{
    static const char *const methods[] = {"gni",    "gni:midpoint", "gni:euler-a",     "gni-r",       "gni@kahan-li6",
                                          "rattle", "dla",          "dla:trapezoidal", "nsv",         "smv",
                                          "sml",    "sem",          "sem@suzuki4",     "sem:momentum"};
    const lg_model_definition *d = lg_model_describe(s->M);
    int *found = context;
    for (int i = 0; i < d->invariant_count; i++) {
        kind k;
        if (!look_at(r, s, &d->invariants[i], &k) || !k.momentum || !k.horizontal) continue;
        (*found)++;
        claim_case(r, s->name, NULL, NULL);
        claim_below(r, k.rate, 5e-12, "differences: rounding, 2e-16 over a step of 3e-4",
                    "|d/dt %s| / |p| of the true motion", d->invariants[i].name);
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
            if (keeps(s, &k, methods[m])) noether_method(r, s, &d->invariants[i], methods[m], NULL);
    }
}

/* Controls -------------------------------------------------------------------------------------------------------- */

static int first_momentum(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c, (void)g;
    *out = p[0];
    return 0;
}

/* Opens, measures the column of that name (NULL: p_1) under the method, closes. */
static void control(claim_report *r, const char *system, const char *settings, const char *column, const char *method,
                    const char *why)
{
    static const lg_invariant p1 = {"p_1", "momentum along x", first_momentum};
    const lg_invariant *inv = &p1;
    claim_system s;
    if (!claim_open(r, &s, system, settings)) return;
    for (int i = 0; column != NULL && i < lg_model_describe(s.M)->invariant_count; i++)
        if (strcmp(lg_model_describe(s.M)->invariants[i].name, column) == 0)
            inv = &lg_model_describe(s.M)->invariants[i];
    noether_method(r, &s, inv, method, why);
    claim_close(&s);
}

static void noether(claim_report *r)
{
    static const char *const more[][2] = {{"veselova-top", "chi1=0 chi2=0 chi3=0"},
                                          {"heavy-top", "I2=1 chi1=0 chi2=0"},
                                          {"heavy-top", "I1=1.5 chi1=0 chi2=0"},
                                          {"two-link-arm", "g=0"}};
    int found = 0;
    claim_each(r, 0, CLAIM_FORCE | CLAIM_TIME, noether_system, &found);
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < 4; i++) {
        claim_system s;
        if (!claim_open(r, &s, more[i][0], more[i][1])) continue;
        noether_system(r, &s, &found);
        claim_close(&s);
    }
    claim_case(r, NULL, NULL, NULL);
    claim_above(r, found, 32, "their known number: a column with a mistake would not count",
                "columns that are such momenta");
    control(r, "particle", "", NULL, "sem", "x is a symmetry, but not horizontal");
    control(r, "particle", "", NULL, "gni", "x is a symmetry, but not horizontal");
    control(r, "veselova-top", "", NULL, "sem", "no symmetry");
    control(r, "rigid-body", "", "spatial_momentum_1", "rkmk4", "rkmk4 does not conserve momenta");
    control(r, "double-spherical-pendulum", "", "vertical_momentum", "sem",
            "under holonomic constraints sem loses rotations of R^n");
    control(r, "mobile-robot", "", "p_theta", "sem:gonzalez", "its energy correction changes all momenta");
    control(r, "heavy-top", "I2=1 chi1=0 chi2=0", "axial_momentum", "sem", "a right symmetry: sem keeps left ones");
}

const claim claims_survey_noether[] = {
    {"noether",
     "The momentum of a symmetry whose generator satisfies the constraints is conserved: by the true motion, and by "
     "every method whose inner step keeps it (the energy-momentum step: those of left translations). Columns inv_... "
     "are recognised as such momenta numerically.",
     "[P4] corollary 4, equation (7)", 0.4, noether},
    {0},
};
