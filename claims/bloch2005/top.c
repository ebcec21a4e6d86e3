/* SPDX-License-Identifier: BSD-3-Clause */
/* [P4] equation (12) and its first example, the rigid body, with and without weight: the momenta that discrete motion
 * conserves to round-off, and the energy that it conserves approximately. */
#include "claims/bloch2005/algebra.h"

/* Momentum in space: Ad*_(g^-1) p. */
static int spatial(const claim_system *s, const double *g, const double *p, double *out)
{
    double inverse[CLAIM_ELEMENT];
    return lg_group_inverse(s->G, inverse, g) != LG_OK || lg_group_coAd_apply(s->G, out, inverse, p) != LG_OK;
}

/* The wrong coefficient: Ad*_g p. */
static int misplaced(const claim_system *s, const double *g, const double *p, double *out)
{
    return lg_group_coAd_apply(s->G, out, g, p) != LG_OK;
}

typedef int (*space_fn)(const claim_system *s, const double *g, const double *p, double *out);

/* Largest change of the components along `steps` steps over |p| and the norm of Ad_g^-1 (which scales their rounding).
 */
static double momentum_change(claim_report *r, const claim_system *s, lg_integrator *it, int64_t steps, space_fn value)
{
    double first[CLAIM_DIM], now[CLAIM_DIM], Ad[CLAIM_DIM * CLAIM_DIM], inverse[CLAIM_ELEMENT], most = 0, scale = 0;
    if (value(s, lg_integrator_configuration(it), lg_integrator_momentum_minus(it), first)) return NAN;
    for (int64_t k = 0; k < steps; k++) {
        const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum_minus(it);
        if (lg_group_inverse(s->G, inverse, g) != LG_OK || lg_group_Ad(s->G, Ad, inverse) != LG_OK) return NAN;
        scale = fmax(scale, survey_norm(Ad, s->n * s->n) * survey_norm(p, s->n));
        if (!claim_steps(r, it, 1)) return NAN;
        if (value(s, lg_integrator_configuration(it), lg_integrator_momentum_minus(it), now)) return NAN;
        most = fmax(most, claim_gap(now, first, s->n) / scale);
    }
    return most;
}

/* Variational methods and those that transport momenta. */
static const char *const methods[] = {"gni",          "gni:midpoint", "gni:euler-a",   "gni-r",      "rattle",
                                      "dla",          "nsv",          "smv",           "sml",        "sem",
                                      "sem:gonzalez", "variational",  "gni@kahan-li6", "sem@suzuki4"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static void momentum_method(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                            space_fn value, const char *fails)
{
    const int64_t steps = r->full && fails == NULL ? 30000 : 200;
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    double change;
    if (it == NULL) return;
    change = momentum_change(r, s, it, steps, value);
    lg_integrator_destroy(it);
    if (fails != NULL)
        claim_control(r, change, 1e-11, fails, "change of the momentum in space / |p|");
    else
        claim_below(r, change, r->full ? 2e-11 : 1e-13, "round-off, a few 1e-17 a step",
                    "change of Ad*_(g^-1) p / |p|, %ld steps", (long)steps);
}

static void momentum_system(claim_report *r, const claim_system *s, void *context)
{
    static const char *const retractions[] = {"exp", "cayley", "second-kind"};
    (void)context;
    for (int m = 0; m < METHODS; m++)
        for (int i = 0; i < 3; i++) momentum_method(r, s, methods[m], retractions[i], spatial, NULL);
    momentum_method(r, s, "gni", "exp", misplaced, "Ad*_g in place of Ad*_(g^-1)");
    momentum_method(r, s, "gni", "exp:order=2", spatial, "a truncated tangent");
    momentum_method(r, s, "rkmk4", "exp", spatial, "rkmk4 does not conserve momenta");
}

/* Energy ---------------------------------------------------------------------------------------------------------- */

/* Largest |H - H_0| until T with step h. NAN: refused, or claim_trouble(). */
static double energy_band(claim_report *r, const claim_system *s, const char *method, const char *retraction, double T,
                          double h)
{
    claim_extremes x;
    lg_integrator *it = claim_start(r, s, method, retraction, h, LG_START_REACTION);
    int ok;
    if (it == NULL) return NAN;
    ok = claim_watch(r, it, (int64_t)(T / h + 0.5), &x);
    lg_integrator_destroy(it);
    return ok ? x.energy * x.scale : NAN;
}

/* Bounded, with order 2; `figure` (0: none) is an independently measured value for h. */
static void energy_order(claim_report *r, const claim_system *s, const char *method, const char *retraction, double T,
                         double h, double figure)
{
    const double coarse = energy_band(r, s, method, retraction, T, h);
    double fine;
    if (isnan(coarse)) return;
    fine = energy_band(r, s, method, retraction, T, h / 2);
    claim_between(r, coarse / fine, 3.8, 4.2, "a modified energy is conserved: O(h^2)",
                  "max |H - H_0|, t to %g: h = %g over h/2; %.3e", T, h, coarse);
    if (figure > 0)
        claim_between(r, coarse, 0.98 * figure, 1.02 * figure, "the figure, measured independently to three digits",
                      "max |H - H_0|, t to %g, h = %g", T, h);
}

static void rigid_body(claim_report *r, const char *settings, const double *figures)
{
    static const char *const variational[] = {"gni", "dla", "nsv"};
    claim_system s;
    const double T = r->full ? 2000 : 200;
    if (!claim_open(r, &s, "rigid-body", settings)) return;
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        double band;
        for (int m = 0; m < 3; m++)
            energy_order(r, &s, variational[m], claim_retraction(i), T, 0.1, figures != NULL ? figures[i] : 0);
        band = energy_band(r, &s, "sem", claim_retraction(i), T, 0.1);
        claim_below(r, band, r->full ? 1e-12 : 1e-13, "round-off", "max |H - H_0|, t to %g, h = 0.1", T);
    }
    claim_close(&s);
}

static void rigid_body_momentum(claim_report *r)
{
    static const double figures[] = {1.23e-4, 3.66e-4};
    claim_each(r, 0, CLAIM_NOT_LEFT_INVARIANT | CLAIM_VELOCITY_ROWS, momentum_system, NULL);
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < 4; i++) {
        lg_group *made = NULL;
        free_system f;
        if (i == 3 && !claim_ok(r, lg_group_create_so(&made, 4), "SO(4)", NULL)) continue;
        if (free_system_make(r, &f,
                             i == 0   ? lg_se2()
                             : i == 1 ? lg_se3()
                             : i == 2 ? &group_line_minus
                                      : made,
                             0, (uint64_t)(130 + i)))
            momentum_system(r, &f.s, NULL);
        lg_group_destroy(made);
    }
    rigid_body(r, "", figures);
    rigid_body(r, "I1=0.6 I2=1 I3=1.3", NULL);
}

/* The heavy top --------------------------------------------------------------------------------------------------- */

/* The column of that name. */
static double column(const claim_system *s, const char *name, const double *g, const double *p)
{
    const lg_model_definition *d = lg_model_describe(s->M);
    const lg_call c = claim_call(s, (double[]){0});
    double value = NAN;
    for (int i = 0; i < d->invariant_count; i++)
        if (strcmp(d->invariants[i].name, name) == 0 && d->invariants[i].value(&c, g, p, &value) != 0) value = NAN;
    return value;
}

/* Change of <gamma, p^-> or, with `axial`, of p_3. */
static void top_method(claim_report *r, const claim_system *s, const char *method, const char *retraction, int axial,
                       const char *fails)
{
    const int64_t steps = r->full && fails == NULL ? 30000 : 500;
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    double first = 0, most = 0, size = 1;
    if (it == NULL) return;
    for (int64_t k = 0; k <= steps; k++) {
        const double *p = lg_integrator_momentum_minus(it);
        const double now = axial ? p[2] : column(s, "spatial_momentum_3", lg_integrator_configuration(it), p);
        if (k == 0) first = now, size = survey_norm(p, 3);
        if (!(fabs(now - first) / size <= most)) most = fabs(now - first) / size;
        if (k < steps && !claim_steps(r, it, 1)) most = NAN;
        if (isnan(most)) break;
    }
    lg_integrator_destroy(it);
    if (fails != NULL)
        claim_control(r, most, 1e-8, fails, "change of %s / |p|", axial ? "p_3" : "<gamma, p^->");
    else
        claim_below(r, most, r->full ? 1e-11 : 1e-13, "round-off, a few 1e-17 a step", "change of %s / |p|, %ld steps",
                    axial ? "p_3" : "<gamma, p^->", (long)steps);
}

static void top(claim_report *r, const char *settings, int lagrange, const double *figures)
{
    claim_system s;
    if (!claim_open(r, &s, "heavy-top", settings)) return;
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        for (int m = 0; m < METHODS; m++) {
            const int em = strncmp(methods[m], "sem", 3) == 0;
            if (strcmp(methods[m], "sem:gonzalez") == 0) continue;
            top_method(r, &s, methods[m], claim_retraction(i), 0, NULL);
            if (lagrange && !em) top_method(r, &s, methods[m], claim_retraction(i), 1, NULL);
        }
        if (!lagrange) top_method(r, &s, "gni", claim_retraction(i), 1, "not Lagrange's top");
        energy_order(r, &s, "gni", claim_retraction(i), r->full ? 200 : 20, 0.01, figures != NULL ? figures[i] : 0);
    }
    top_method(r, &s, "sem:gonzalez", "exp", 0, "its energy correction changes all momenta");
    claim_close(&s);
}

static void heavy_top(claim_report *r)
{
    static const double figures[] = {1.45e-5, 1.05e-4};
    claim_system s;
    if (!claim_own_systems(r)) return;
    top(r, "", 0, figures);
    top(r, "I2=1 chi1=0 chi2=0", 1, NULL);
    top(r, "I1=1.5 chi1=0 chi2=0 chi3=-0.4", 1, NULL);
    top(r, "I2=1 I3=0.5 chi3=0", 0, NULL);
    if (!claim_open(r, &s, "heavy-top", "I2=1 chi1=0 chi2=0")) return;
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        top_method(r, &s, "sem", claim_retraction(i), 1, "a right symmetry: sem keeps left ones");
        claim_below(r, energy_band(r, &s, "sem", claim_retraction(i), 20, 0.01), 3e-12, "round-off of H = 30",
                    "max |H - H_0|, t to 20, h = 0.01");
    }
    claim_close(&s);
}

const claim claims_survey_top[] = {
    {"rigid-body-momentum",
     "The momentum in space, Ad*_(g^-1) p, of a left-invariant system without constraints is conserved to round-off by "
     "every structured method and symmetric or other exact retraction; variational methods conserve the energy up to "
     "O(h^2).",
     "[P4] equation (12); this library, docs/theory.md section 3", 1.1, rigid_body_momentum},
    {"heavy-top",
     "For the heavy top <gamma, p> is conserved to round-off, for Lagrange's top also p_3 under variational methods, "
     "and the energy up to a bounded O(h^2).",
     "[P4] equation (12) with a potential; this library, docs/theory.md section 3", 0.1, heavy_top},
    {0},
};
