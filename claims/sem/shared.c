/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared multipliers: the benefit of orthonormal rows (nsv, sem), the loss with raw rows (smv). */
#include "claims/framework/variants.h"

static void lose(claim_report *r, const claim_system *s, const char *method, const char *retraction, double bound,
                 const char *why)
{
    claim_extremes x;
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (it == NULL) return;
    if (claim_watch(r, it, 500, &x)) claim_control(r, x.energy, bound, why, "largest |H - H_0|, relative, 500 steps");
    lg_integrator_destroy(it);
}

static void keep(claim_report *r, const claim_system *s, const char *method, const char *retraction)
{
    const int64_t steps = r->full ? 1000000 : 2000;
    claim_extremes x;
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (it == NULL) return;
    if (claim_watch(r, it, steps, &x)) {
        claim_below(r, x.energy, 3e-14 + 1e-16 * (double)steps, "round-off",
                    "largest |H(p~) - H_0|, relative, %lld steps", (long long)steps);
        claim_below(r, x.constraint, 1e-13, "round-off", "largest |A xi|");
    }
    lg_integrator_destroy(it);
}

/* Largest reaction |A^T lambda| over 20 steps, relative to the largest |p|: without a reaction the rows do not
 * matter. */
static double reaction(claim_report *r, const claim_system *s)
{
    lg_integrator *it = claim_start(r, s, "sem", "exp", s->h, LG_START_REACTION);
    double A[CLAIM_ROWS * CLAIM_DIM], most = 0, size = 0;
    for (int k = 0; it != NULL && k < 20 && claim_steps(r, it, 1); k++) {
        claim_rows(s, lg_integrator_time(it), lg_integrator_configuration(it), A, NULL);
        for (int i = 0; i < s->n; i++) {
            double sum = 0;
            for (int j = 0; j < s->m; j++) sum += lg_integrator_multipliers(it)[j] * A[j * s->n + i];
            most = fmax(most, fabs(sum));
            size = fmax(size, fabs(lg_integrator_momentum(it)[i]));
        }
    }
    lg_integrator_destroy(it);
    return most / size;
}

/* Theorem 1 for H(p~) --------------------------------------------------------------------------------------------- */

static void biinvariant_body(claim_report *r, const claim_system *s, void *context)
{
    lg_rng rng = {41};
    claim_system moved;
    const int pushed = claim_own_systems(r) && reaction(r, s) > 1e-9;
    (void)context;
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        keep(r, s, "nsv", claim_retraction(i));
        for (int k = 0; k < 2; k++)
            if (claim_move(r, &moved, s, &rng, 0.3)) keep(r, &moved, "nsv", claim_retraction(i));
        if (!pushed || (s->traits & CLAIM_CONSTANT_ROWS)) continue;
        lose(r, s, "smv", claim_retraction(i), 1e-9, "raw rows");
        lose(r, s, "gni", claim_retraction(i), 1e-9, "the gni keeps H(p^-) instead");
    }
}

static void energy_biinvariant(claim_report *r)
{
    static const char *const others[] = {"suslov", "chaplygin-sphere", "body-se3"};
    claim_each(r, CLAIM_BIINVARIANT | CLAIM_VELOCITY_ROWS, CLAIM_NOT_LEFT_INVARIANT, biinvariant_body, NULL);
    for (int k = 0; k < 3 && claim_own_systems(r); k++) {
        claim_system s;
        if (!claim_open(r, &s, others[k], k == 1 ? "Omega=0" : NULL)) return;
        for (int i = 0; claim_retraction(i) != NULL; i++)
            lose(r, &s, "nsv", claim_retraction(i), 1e-9, "the metric is not bi-invariant");
        claim_close(&s);
    }
}

/* Harmonic potentials: a modified energy --------------------------------------------------------------------------- */

/* dV at g0 exp(eta). */
static int slope_at(const claim_system *s, const double *eta, double *dV)
{
    double g[CLAIM_ELEMENT];
    if (lg_group_exp(s->G, g, eta) != LG_OK || lg_group_compose(s->G, g, s->g0, g) != LG_OK) return 0;
    claim_gradient(s, 0, g, dV);
    return 1;
}

/* 1 if dV(a + b) - dV(a) - dV(b) + dV(0) = 0 for random a, b. */
static int harmonic(const claim_system *s)
{
    static const double none[CLAIM_DIM] = {0};
    lg_rng rng = {42};
    for (int k = 0; k < 5; k++) {
        double a[CLAIM_DIM], b[CLAIM_DIM], sum[CLAIM_DIM], f[4][CLAIM_DIM];
        for (int i = 0; i < s->n; i++) {
            a[i] = lg_rng_normal(&rng), b[i] = lg_rng_normal(&rng);
            sum[i] = a[i] + b[i];
        }
        if (!slope_at(s, a, f[0]) || !slope_at(s, b, f[1]) || !slope_at(s, sum, f[2]) || !slope_at(s, none, f[3]))
            return 0;
        for (int i = 0; i < s->n; i++)
            if (!(fabs(f[2][i] - f[0][i] - f[1][i] + f[3][i]) < 1e-9)) return 0;
    }
    return 1;
}

/* H - factor h^2 dV.J^-1 dV. */
static double modified(const claim_system *s, const lg_integrator *it, double factor)
{
    double J[CLAIM_DIM * CLAIM_DIM], dV[CLAIM_DIM], v[CLAIM_DIM], sum = 0;
    const double h = lg_integrator_step_size(it);
    claim_metric(s, 0, lg_integrator_configuration(it), J);
    claim_gradient(s, 0, lg_integrator_configuration(it), dV);
    if (!claim_solve(s->n, J, dV, v)) return NAN;
    for (int i = 0; i < s->n; i++) sum += dV[i] * v[i];
    return lg_integrator_energy(it) - factor * h * h * sum;
}

/* The largest change of it, relative to H. */
static double modified_change(claim_report *r, const claim_system *s, const char *method, double h, double factor)
{
    const int64_t steps = r->full ? 100000 : 1000;
    lg_integrator *it = claim_start(r, s, method, "exp", h, LG_START_REACTION);
    double first, scale, most = 0;
    if (it == NULL) return NAN;
    first = modified(s, it, factor), scale = fmax(fabs(lg_integrator_energy(it)), 1e-300);
    for (int64_t k = 0; k < steps && claim_steps(r, it, 1); k++)
        most = fmax(most, fabs(modified(s, it, factor) - first));
    lg_integrator_destroy(it);
    return most / scale;
}

static void modified_body(claim_report *r, const claim_system *s, void *context)
{
    const int is_harmonic = harmonic(s);
    const double steps = r->full ? 100000 : 1000;
    (void)context;
    if (!is_harmonic && (!claim_own_systems(r) || !(s->traits & CLAIM_VELOCITY_ROWS))) return;
    if (!is_harmonic) {
        claim_control(r, modified_change(r, s, "nsv", s->h, 0.125), 1e-9, "V is not harmonic",
                      "change of H - (h^2/8) dV.J^-1 dV, relative");
        return;
    }
    for (int k = 1; k <= 4; k *= 2)
        claim_below(r, modified_change(r, s, "nsv", k * s->h, 0.125), 3e-14 + 2e-17 * steps, "round-off",
                    "change of H - (h^2/8) dV.J^-1 dV, relative, h = %g", k * s->h);
    if (!claim_own_systems(r)) return;
    claim_control(r, modified_change(r, s, "nsv", s->h, 0), 1e-6, "H itself", "change of H, relative");
    claim_control(r, modified_change(r, s, "nsv", s->h, 0.25), 1e-6, "a wrong factor",
                  "change of H - (h^2/4) dV.J^-1 dV, relative");
    claim_control(r, modified_change(r, s, "smv", s->h, 0.125), 1e-6, "raw rows",
                  "change of H - (h^2/8) dV.J^-1 dV, relative");
}

/* A particle with a full mass matrix in a skew harmonic potential with a linear part. */
static int skew_configure(const lg_call *c, double *J, double *rows, char *why)
{
    static const double mass[9] = {2, 0.3, -0.2, 0.3, 1.5, 0.4, -0.2, 0.4, 1};
    (void)c, (void)rows, (void)why;
    memcpy(J, mass, sizeof mass);
    return 0;
}

static int skew_gradient(const lg_call *c, const double *q, double *dV)
{
    static const double K[9] = {1.2, 0.4, 0.1, 0.4, 2, -0.5, 0.1, -0.5, 1.4};
    (void)c;
    for (int i = 0; i < 3; i++)
        dV[i] = (i == 2 ? 0.7 : 0) + K[3 * i] * q[0] + K[3 * i + 1] * q[1] + K[3 * i + 2] * q[2];
    return 0;
}

static int skew_potential(const lg_call *c, const double *q, double *V)
{
    double dV[3];
    (void)skew_gradient(c, q, dV);
    *V = (q[0] * dV[0] + q[1] * dV[1] + q[2] * dV[2] + 0.7 * q[2]) / 2;
    return 0;
}

static int skew_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = -q[1], mu[1] = 0.4 * q[0] * q[2], mu[2] = 1;
    return 0;
}

static int skew_initial(const lg_call *c, double *q, double *v)
{
    (void)c;
    q[0] = 0.6, q[1] = -0.8, q[2] = 0.5;
    v[0] = 0.9, v[1] = 0.4, v[2] = 0.2;
    return 0;
}

static const lg_group *space(void)
{
    return lg_rn(3);
}

static const lg_model_definition skew = {
    .size = sizeof(lg_model_definition),
    .name = "skew-oscillator",
    .group = space,
    .constraint_count = 1,
    .configure = skew_configure,
    .initial = skew_initial,
    .step = 0.1,
    .callbacks = {.potential = skew_potential, .potential_gradient = skew_gradient, .covectors = skew_rows},
};

/* Axisymmetric moments and a linear V: dV.J^-1 dV is constant and the free step keeps H: so does nsv. */
static void disk(claim_report *r)
{
    claim_system s;
    if (!claim_open(r, &s, "rolling-disk", NULL)) return;
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        keep(r, &s, "nsv", claim_retraction(i));
        lose(r, &s, "smv", claim_retraction(i), 1e-7, "raw rows");
        lose(r, &s, "gni", claim_retraction(i), 1e-7, "H(p~) of the gni");
    }
    claim_close(&s);
}

static void modified_energy(claim_report *r)
{
    static const char *const settings[] = {"eps=0", "eps=0 shift=1"};
    claim_system s;
    claim_each(r, CLAIM_ABELIAN | CLAIM_POTENTIAL, CLAIM_WORK | CLAIM_POSITION_ROWS | CLAIM_METRIC, modified_body,
               NULL);
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < 2; i++) {
        if (!claim_open(r, &s, "contact-oscillator", settings[i])) return;
        modified_body(r, &s, NULL);
        claim_close(&s);
    }
    if (!claim_open_definition(r, &s, &skew, NULL)) return;
    modified_body(r, &s, NULL);
    claim_close(&s);
    disk(r);
}

/* Frames ---------------------------------------------------------------------------------------------------------- */

/* The mean of rows at both ends, as dla:trapezoidal takes it, depends on the frame too: on abelian groups, where A xi
 * is not by itself the same at both. */
static void frame_body(claim_report *r, const claim_system *s, void *context)
{
    static const char *const methods[] = {"sem", "nsv", "sem:gonzalez", "sml", "gni", "dla", "smv", "dla:trapezoidal"};
    enum { METHODS = sizeof methods / sizeof methods[0], SMV = 6, MEAN = 7 };
    const int pushed = reaction(r, s) > 1e-9;
    claim_variant a = {.mixed = 1};
    claim_system mixed;
    claim_state one, other;
    (void)context;
    claim_vary(&mixed, &a, s);
    for (int i = 0; claim_retraction(i) != NULL; i++)
        for (int k = 0; k < METHODS; k++) {
            double gap;
            if (k >= SMV &&
                (!pushed || (k == MEAN && (s->traits & (CLAIM_CONSTANT_ROWS | CLAIM_ABELIAN)) != CLAIM_ABELIAN)))
                continue;
            if (!claim_state_after(r, s, methods[k], claim_retraction(i), s->h, 20, &one)) continue;
            if (!claim_state_after(r, &mixed, methods[k], claim_retraction(i), s->h, 20, &other)) continue;
            gap = claim_state_gap(s, &one, &other);
            if (k < SMV)
                claim_below(r, gap, 3e-13, "round-off", "distance from the run with rows B(t, g) A, 20 steps");
            else if (k == SMV)
                claim_above(r, gap, 1e-9, "raw rows: O(h^2)", "distance from the run with rows B(t, g) A, 20 steps");
            else
                claim_control(r, gap, 1e-9, "rows averaged", "distance from the run with rows B(t, g) A, 20 steps");
        }
}

static void frame_dependent(claim_report *r)
{
    claim_each(r, CLAIM_VELOCITY_ROWS, CLAIM_POSITION_ROWS, frame_body, NULL);
}

/* Drift ----------------------------------------------------------------------------------------------------------- */

/* l.C l with C = A J^-1 A^T at (t, g). */
static double square(const claim_system *s, double t, const double *g, const double *l)
{
    double A[CLAIM_ROWS * CLAIM_DIM], J[CLAIM_DIM * CLAIM_DIM], p[CLAIM_DIM], v[CLAIM_DIM], sum = 0;
    const int m = claim_rows(s, t, g, A, NULL);
    claim_metric(s, t, g, J);
    for (int i = 0; i < s->n; i++) {
        p[i] = 0;
        for (int k = 0; k < m; k++) p[i] += l[k] * A[k * s->n + i];
    }
    if (!claim_solve(s->n, J, p, v)) return NAN;
    for (int i = 0; i < s->n; i++) sum += p[i] * v[i];
    return sum;
}

/* 1 if C is not the same everywhere near g0. */
static int gram_varies(const claim_system *s)
{
    double l[CLAIM_ROWS], xi[CLAIM_DIM], g[CLAIM_ELEMENT];
    lg_rng rng = {43};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < s->m; i++) l[i] = lg_rng_normal(&rng);
        for (int i = 0; i < s->n; i++) xi[i] = 0.3 * lg_rng_normal(&rng);
        if (lg_group_exp(s->G, g, xi) != LG_OK || lg_group_compose(s->G, g, s->g0, g) != LG_OK) return 0;
        if (fabs(square(s, 0, g, l) - square(s, 0, s->g0, l)) > 1e-6 * square(s, 0, g, l)) return 1;
    }
    return 0;
}

/* The change of H by the free step that `it` has just made, from (t0, H0): its p^+ and where it came from, by the
 * variational step backwards. */
static double free_change(claim_report *r, const claim_system *s, lg_integrator *back, const lg_integrator *it)
{
    double H[2] = {NAN, NAN};
    const double t = lg_integrator_time(it), t0 = t - lg_integrator_step_size(it);
    lg_status status =
        lg_integrator_start_momentum(back, t, lg_integrator_configuration(it), lg_integrator_momentum_plus(it));
    if (status == LG_OK)
        status =
            lg_system_energy(s->S, &H[1], t, lg_integrator_configuration(it), lg_integrator_momentum_plus(it), NULL);
    if (status == LG_OK) status = lg_integrator_step(back);
    if (status == LG_OK)
        status =
            lg_system_energy(s->S, &H[0], t0, lg_integrator_configuration(back), lg_integrator_momentum(back), NULL);
    return claim_ok(r, status, "the free step", lg_integrator_message(back)) ? H[1] - H[0] : NAN;
}

/* |p~ - p^+ - (h/2) A^T lambda| at the node just reached, relative to p~. */
static double kick_gap(const claim_system *s, const lg_integrator *it)
{
    double A[CLAIM_ROWS * CLAIM_DIM], most = 0, size = 0;
    const int m = claim_rows(s, lg_integrator_time(it), lg_integrator_configuration(it), A, NULL);
    for (int i = 0; i < s->n; i++) {
        double kick = lg_integrator_momentum(it)[i] - lg_integrator_momentum_plus(it)[i];
        for (int k = 0; k < m; k++)
            kick -= lg_integrator_step_size(it) / 2 * lg_integrator_multipliers(it)[k] * A[k * s->n + i];
        most = fmax(most, fabs(kick));
        size = fmax(size, fabs(lg_integrator_momentum(it)[i]));
    }
    return most / size;
}

/* H(p~_(k+1)) - H(p~_k) is the change by the free step, plus (h^2/8)(l.C_k l - l.C_(k+1) l) with raw rows. */
static void transfer(claim_report *r, const claim_system *s, const char *method, const char *retraction)
{
    const int raw = strcmp(method, "smv") == 0;
    const int control = raw && claim_own_systems(r) && gram_varies(s) && reaction(r, s) > 1e-9;
    double g[CLAIM_ELEMENT], error = 0, without = 0, wrong = 0, size = 0, kick = 0;
    claim_variant a = {.freed = 1};
    claim_system free;
    lg_integrator *it, *back = NULL;
    lg_status status;
    int ok;
    claim_vary(&free, &a, s);
    status = lg_integrator_create(&back, free.S, "variational", retraction, -s->h);
    it = status == LG_OK ? claim_start(r, s, method, retraction, s->h, LG_START_REACTION) : NULL;
    ok = it != NULL;
    for (int k = 0; ok && k < 100; k++) {
        const double H = lg_integrator_energy(it), t = lg_integrator_time(it), h = s->h;
        double change, gained = 0;
        memcpy(g, lg_integrator_configuration(it), (size_t)s->size * sizeof *g);
        ok = claim_steps(r, it, 1);
        if (!ok) break;
        if (raw) {
            const double *l = lg_integrator_multipliers(it);
            gained = h * h / 8 *
                     (square(s, t, g, l) - square(s, lg_integrator_time(it), lg_integrator_configuration(it), l));
        }
        size = fmax(size, fabs(lg_integrator_energy(it)));
        kick = fmax(kick, kick_gap(s, it));
        change = lg_integrator_energy(it) - H - free_change(r, s, back, it);
        error = fmax(error, fabs(change - gained));
        without = fmax(without, fabs(change)), wrong = fmax(wrong, fabs(change - 2 * gained));
        ok = !isnan(change);
    }
    lg_integrator_destroy(back);
    lg_integrator_destroy(it);
    if (!ok) return;
    claim_below(r, error / size, 2e-14, "round-off of H", "|change of H - that of the free step%s|, relative",
                raw ? " - (h^2/8) (l.C_0 l - l.C_1 l)" : "");
    claim_below(r, kick, 3e-15, "round-off", "|p~ - p^+ - (h/2) A^T lambda|, relative");
    if (!control) return;
    claim_control(r, fmin(without, wrong) / size, 1e-11, "(h^2/8) replaced by 0 or by h^2/4",
                  "|change of H - that of the free step - ...|, relative");
}

static void transfer_body(claim_report *r, const claim_system *s, void *context)
{
    (void)context;
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        transfer(r, s, "smv", claim_retraction(i));
        transfer(r, s, "nsv", claim_retraction(i));
    }
}

/* The slope of H over `steps` steps of 0.1, relative and per 1000, and the half width of its 95 % interval. */
static double trend_of(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                       int64_t steps, double *half)
{
    lg_integrator *it = claim_start(r, s, method, retraction, 0.1, LG_START_REACTION);
    claim_extremes x;
    double slope = NAN;
    *half = NAN;
    if (it == NULL) return NAN;
    if (claim_watch(r, it, steps, &x)) slope = x.H.slope * 1000 / x.scale, *half = x.H.half * 1000 / x.scale;
    lg_integrator_destroy(it);
    return slope;
}

/* Suslov's problem is not reversible and contracts: without exact energy smv and nsv, which agree if rows are constant,
 * leave the true motion. */
static void suslov_drift(claim_report *r)
{
    claim_system s;
    if (!claim_open(r, &s, "suslov", NULL)) return;
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        static const char *const methods[] = {"smv", "nsv"};
        double half, slope;
        for (int k = 0; k < 2; k++) {
            slope = trend_of(r, &s, methods[k], claim_retraction(i), 10000, &half);
            claim_above(r, slope - half, 0.03, "+14 % (cayley) by t = 1000 measured independently",
                        "least slope of H with 95 %% confidence, of H per 1000");
        }
        slope = trend_of(r, &s, "sem", claim_retraction(i), 10000, &half);
        claim_below(r, fabs(slope), 3e-14, "round-off", "|slope| of H, of H per 1000");
    }
    claim_close(&s);
}

/* The transmission that is not reversible: -5.5 % by t = 10000 with raw rows, nothing with orthonormal ones. */
static void cvt_drift(claim_report *r)
{
    const int64_t steps = r->full ? 100000 : 10000;
    claim_system s;
    double half, slope;
    if (!claim_open(r, &s, "cvt", "c2=-0.1")) return;
    slope = trend_of(r, &s, "smv", "exp", steps, &half);
    claim_between(r, slope, -8e-3, -4e-3, "-5.5 % by t = 10000 measured independently", "slope of H, of H per 1000");
    claim_below(r, half, 1e-3, "a fifth of the slope", "half width of its 95 %% interval");
    slope = trend_of(r, &s, "nsv", "exp", steps, &half);
    claim_below(r, fabs(slope), 5e-5, "1e-5 is the interval's half width", "|slope| of H, of H per 1000");
    slope = trend_of(r, &s, "sem", "exp", steps, &half);
    claim_below(r, fabs(slope), 3e-10, "Gauss error, 4 nodes", "|slope| of H, of H per 1000");
    claim_close(&s);
}

static void drift(claim_report *r)
{
    claim_each(r, CLAIM_VELOCITY_ROWS, CLAIM_DRIFT | CLAIM_POSITION_ROWS | CLAIM_FORCE | CLAIM_TIME, transfer_body,
               NULL);
    if (!claim_own_systems(r)) return;
    suslov_drift(r);
    cvt_drift(r);
}

const claim claims_shared[] = {
    {"nsv-energy-biinvariant",
     "For a bi-invariant metric and V = 0, with any distribution, nsv conserves H(p~) itself, where the gni conserves "
     "H(p^-); raw rows do not.",
     "[P0] theorem 1; this library, docs/theory.md section 6", 0.1, energy_biinvariant},
    {"nsv-modified-energy",
     "On R^n with a harmonic potential nsv keeps H - (h^2/8) dV.J^-1 dV exactly, for every step and distribution; with "
     "axisymmetric moments and a linear V it keeps H.",
     "this library, docs/theory.md section 6", 0.2, modified_energy},
    {"smv-frame-dependent",
     "The motion of smv depends on the rows that span the constraints, A or B(t, g) A; that of sem, nsv, sml, gni and "
     "dla depends on the distribution only.",
     "this library, docs/theory.md section 6", 0.2, frame_dependent},
    {"smv-drift",
     "A shared multiplier on orthonormal rows does no net work: the change of H is that of the free step. On raw rows "
     "it does (h^2/8) (l.C_0 l - l.C_1 l), which makes the energy of smv drift on problems that are not reversible.",
     "this library, docs/theory.md section 6", 0.3, drift},
    {0},
};
