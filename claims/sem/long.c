/* SPDX-License-Identifier: BSD-3-Clause */
/* Long runs of sem on the problems on which nonholonomic integrators fail, and the methods that fail on them. */
#include "claims/sem/arcs.h"

/* H is rounded in every step, and so is the work, if there is any. */
static double rounding(const claim_system *s, int64_t steps)
{
    return claim_rounding(6e-15, s->traits & CLAIM_WORK ? 2 : 1, steps);
}

/* The larger of |H| and the kinetic energy, which indicates how large V can be. */
static double energy_scale(const lg_integrator *it)
{
    double xi[CLAIM_DIM], kinetic = 0;
    if (lg_integrator_velocity(it, xi) != LG_OK) return NAN;
    for (int i = 0; i < lg_group_dim(lg_integrator_group(it)); i++)
        kinetic += 0.5 * xi[i] * lg_integrator_momentum(it)[i];
    return fmax(kinetic, fabs(lg_integrator_energy(it)));
}

/* All systems ----------------------------------------------------------------------------------------------------- */

/* 1 while the motion is resolved and bounded: rows with entries like 1e5 are useless in double precision. */
static int at_home(const claim_system *s, const lg_integrator *it, double H0)
{
    if (!claim_resolved(s, it) || fabs(lg_integrator_energy(it)) > 1e3 * (1 + fabs(H0))) return 0;
    for (int i = 0; i < s->size; i++)
        if (!(fabs(lg_integrator_configuration(it)[i]) < 1e3)) return 0;
    return 1;
}

/* H - H_0 - work stays round-off with eight nodes: no drift, no growth. */
static void steady(claim_report *r, const claim_system *s, void *context)
{
    const int64_t steps = r->full ? 1000000 : 1000;
    lg_integrator *it = claim_start(r, s, "sem:gauss=8", "exp", s->h, LG_START_REACTION);
    double H0, work = 0, worst = 0, scale, slope, half;
    int64_t done = 0;
    lg_trend trend;
    (void)context;
    if (it == NULL) return;
    H0 = lg_integrator_energy(it), scale = energy_scale(it);
    lg_trend_begin(&trend);
    for (; done < steps && (done == 0 || at_home(s, it, H0)) && claim_steps(r, it, 1); done++) {
        const double H = lg_integrator_energy(it);
        work += lg_integrator_step_work(it);
        lg_trend_add(&trend, lg_integrator_time(it), H - work);
        scale = fmax(scale, fmax(energy_scale(it), fabs(work)));
        worst = claim_worse(worst, fabs(H - H0 - work));
    }
    slope = lg_trend_slope(&trend, &half);
    claim_below(r, worst / scale, rounding(s, done), "round-off: a walk of 6e-15, one rounding a step, two with work",
                "largest |H - H_0 - work|/H, %d steps; slope %.1e +- %.1e", (int)done, slope, half);
    lg_integrator_destroy(it);
}

/* Drivers without a reaction force
 * ------------------------------------------------------------------------------------ */

/* Largest changes of the first invariant and of H in the first and in the last quarter of a run. */
typedef struct quarters {
    double invariant[2], energy[2];
    double slope, half; /* of H */
    double scale;       /* largest |H|, kinetic energy */
} quarters;

static int watch_quarters(claim_report *r, const claim_system *s, const char *method, int64_t steps, quarters *x)
{
    const lg_invariant *invariant = lg_model_describe(s->M)->invariants;
    lg_integrator *it = claim_start(r, s, method, "exp", s->h, LG_START_REACTION);
    double first = 0, H0 = 0, value = 0;
    int ok = it != NULL;
    lg_trend trend;
    memset(x, 0, sizeof *x);
    lg_trend_begin(&trend);
    for (int64_t k = 0; ok && k <= steps; k++) {
        const lg_call c = claim_call(s, (double[]){lg_integrator_time(it)});
        const int last = 4 * k > 3 * steps;
        if (invariant->value(&c, lg_integrator_configuration(it), lg_integrator_momentum(it), &value) != 0) value = NAN;
        if (k == 0) first = value, H0 = lg_integrator_energy(it);
        lg_trend_add(&trend, lg_integrator_time(it), lg_integrator_energy(it));
        x->scale = fmax(x->scale, energy_scale(it));
        if (last || 4 * k < steps) {
            x->invariant[last] = claim_worse(x->invariant[last], fabs(value - first));
            x->energy[last] = claim_worse(x->energy[last], fabs(lg_integrator_energy(it) - H0));
        }
        if (k < steps) ok = claim_steps(r, it, 1);
    }
    x->slope = lg_trend_slope(&trend, &x->half);
    lg_integrator_destroy(it);
    return ok;
}

/* sem keeps the energies of driver and driven; with four nodes their Gauss error drifts where the driver is not
 * reversible, with eight nothing does. */
static void drivers(claim_report *r)
{
    static const struct {
        const char *system, *settings;
        double gauss; /* Gauss error of four nodes, per unit of time */
    } list[] = {{"cvt", "c2=-0.1", 1e-13},     {"cvt", "c2=-0.1 quartic=1", 1e-13},  {"cvt", "", 0},
                {"contact-oscillator", "", 0}, {"contact-oscillator", "shift=1", 0}, {"mobile-robot", "", 0},
                {"particle-quadratic", "", 0}};
    const int64_t steps = r->full ? 1000000 : 5000;
    claim_system s;
    quarters x;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        if (!claim_open(r, &s, list[i].system, list[i].settings)) continue;
        const double T = (double)steps * s.h, rest = rounding(&s, steps);
        if (watch_quarters(r, &s, "sem", steps, &x)) {
            const double bound = x.scale * rest + list[i].gauss * T;
            claim_below(r, fmax(x.energy[0], x.energy[1]), bound, "round-off; cvt: Gauss error, 6e-14 t measured",
                        "largest |H - H_0| to t = %g; slope %.1e +- %.1e", T, x.slope, x.half);
            claim_below(r, fmax(x.invariant[0], x.invariant[1]), bound, "round-off; cvt: Gauss error, 6e-14 t measured",
                        "largest change of the driver's integral to t = %g", T);
        }
        if (watch_quarters(r, &s, "sem:gauss=8", steps, &x))
            claim_below(r, fmax(x.invariant[1], x.energy[1]), x.scale * rest, "round-off",
                        "largest change of H and the driver's integral to t = %g", T);
        claim_close(&s);
    }
}

/* The transmission that is not reversible, T = 2000 (1e4): the energy of smv, sml and dla drifts, that of nsv once V is
 * quartic; Gonzalez' discrete gradient keeps H and lets the driver drift. */
static void drifters(claim_report *r)
{
    static const char *const methods[] = {"smv", "sml", "dla", "sem:gonzalez"};
    const int64_t steps = r->full ? 100000 : 20000;
    claim_system s;
    quarters x;
    if (!claim_open(r, &s, "cvt", "c2=-0.1")) return;
    for (int k = 0; k < 4; k++) {
        if (!watch_quarters(r, &s, methods[k], steps, &x)) continue;
        if (k < 3)
            claim_control(r, x.energy[1], 1.7 * x.energy[0], "1.7 times the first quarter's: it drifts",
                          "largest |H - H_0| in the last quarter; slope %.1e +- %.1e", x.slope, x.half);
        else
            claim_control(r, x.invariant[1], 2 * x.invariant[0], "twice the first quarter's: it drifts",
                          "largest change of the driver's energy in the last quarter");
    }
    claim_close(&s);
}

/* Attracting motions ---------------------------------------------------------------------------------------------- */

/* Largest difference of the velocity from the exact one in the second half of a run to T, sampled every 5 units of
 * time, since a motion that goes astray may be back at the end. NaN: refused or trouble. */
static double end_error(claim_report *r, const claim_system *s, const char *method, const char *retraction, double T)
{
    lg_integrator *it = claim_start(r, s, method, retraction, 0.1, LG_START_REACTION);
    double xi[CLAIM_DIM], g[CLAIM_ELEMENT], truth[CLAIM_DIM], error = 0;
    int ok = it != NULL && claim_steps(r, it, llround(T / 0.2));
    while (ok && lg_integrator_step_index(it) < llround(T / 0.1)) {
        ok = claim_steps(r, it, 50) && claim_ok(r, lg_integrator_velocity(it, xi), "velocity", NULL);
        if (ok && lg_model_describe(s->M)->exact(
                      &(lg_call){.param = s->S->parameter_values, .t = lg_integrator_time(it), .lanes = 1}, s->g0,
                      s->xi0, g, truth) != 0) {
            claim_trouble(r, "%s: no exact solution", s->name);
            ok = 0;
        }
        if (ok) error = claim_worse(error, claim_gap(xi, truth, s->n));
    }
    lg_integrator_destroy(it);
    return ok ? error : NAN;
}

/* Sleigh and Suslov's body end in a steady motion, with all their energy. */
static void ends(claim_report *r)
{
    static const struct {
        const char *system, *settings;
    } list[] = {{"chaplygin-sleigh", ""}, {"chaplygin-sleigh", "a=0.5 I=0.6"}, {"chaplygin-sleigh", "a=-0.3"},
                {"suslov", ""},           {"suslov", "I13=-0.3 I33=1.4"},      {"suslov", "I12=0 I23=0.5"}};
    const double T = r->full ? 10000 : 200;
    const char *tau;
    claim_system s;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        if (!claim_open(r, &s, list[i].system, list[i].settings)) continue;
        for (int k = 0; k < s.n; k++)
            if (fabs(s.xi0[k]) < 1e-15) s.xi0[k] = 0; /* the closed forms need constraints without round-off */
        for (int k = 0; (tau = claim_retraction(k)) != NULL; k++)
            claim_below(r, end_error(r, &s, "sem", tau, T), 2e-12,
                        "1e-2 (O(h^2) theory) of exp(-24), the transient at 105",
                        "largest |xi - exact| from t = %g to %g", T / 2, T);
        claim_control(r, end_error(r, &s, "gni", "exp", 200), 1e-2, "the parasitic mode reverses the motion",
                      "largest |xi - exact| from t = 100 to 200");
        claim_close(&s);
    }
    if (!claim_open(r, &s, "suslov", NULL)) return;
    for (int k = 0; k < s.n; k++)
        if (fabs(s.xi0[k]) < 1e-15) s.xi0[k] = 0;
    claim_control(r, end_error(r, &s, "nsv", "cayley", 200), 1e-3, "the energy of nsv grows",
                  "largest |xi - exact| from t = 100 to 200");
    claim_close(&s);
}

/* The rattleback -------------------------------------------------------------------------------------------------- */

/* When the spin about the vertical changes its sign: how often in 20 s, at first, and the spin at the end. */
typedef struct reversal {
    int crossings;
    double first, end;
} reversal;

static int spin(claim_report *r, const claim_system *s, const char *method, double h, reversal *x)
{
    const lg_model_definition *d = lg_model_describe(s->M);
    lg_integrator *it = claim_start(r, s, method, "cayley", h, LG_START_REACTION);
    double before = 0, now = 0;
    int which = 0, ok = it != NULL;
    memset(x, 0, sizeof *x);
    while (which < d->invariant_count && strcmp(d->invariants[which].name, "vertical_spin") != 0) which++;
    if (which == d->invariant_count) ok = 0;
    for (int64_t k = 0, steps = llround(20 / fabs(h)); ok && k <= steps; k++) {
        const lg_call c = claim_call(s, (double[]){lg_integrator_time(it)});
        ok = d->invariants[which].value(&c, lg_integrator_configuration(it), lg_integrator_momentum(it), &now) == 0;
        if (k > 0 && (before < 0) != (now < 0) && x->crossings++ == 0)
            x->first = fabs(lg_integrator_time(it) - h * now / (now - before));
        before = now;
        if (k < steps) ok = ok && claim_steps(r, it, 1);
    }
    x->end = now;
    lg_integrator_destroy(it);
    return ok;
}

static void rattlebacks(claim_report *r)
{
    const double h = r->full ? 1e-3 : 2e-3;
    claim_system s;
    reversal x;
    if (!claim_open(r, &s, "rattleback", NULL)) return;
    if (spin(r, &s, "sem", h, &x)) {
        claim_between(r, x.crossings, 1, 1, "the true motion reverses once", "reversals of the spin in 20 s");
        claim_between(r, x.first, 1.92, 1.935, "true value 1.93, O(h^2) theory", "time of the reversal");
        claim_between(r, x.end, 1.2615, 1.2635, "true value 1.2625, O(h^2) theory", "spin at 20 s");
    }
    if (spin(r, &s, "sem", -h, &x))
        claim_between(r, x.crossings, 0, 0, "the opposite spin does not reverse", "reversals of the spin in -20 s");
    if (spin(r, &s, "smv", 1e-3, &x))
        claim_control(r, x.crossings, 2, "raw rows graze", "reversals of the spin in 20 s");
    claim_close(&s);
}

static void long_run(claim_report *r)
{
    claim_each(r, 0, 0, steady, NULL);
    if (!claim_own_systems(r)) return;
    drivers(r);
    drifters(r);
    ends(r);
    rattlebacks(r);
}

const claim claims_sem_long[] = {
    {"sem-long-run",
     "On the problems that break nonholonomic integrators (sleigh, Suslov, rattleback, transmissions that are not "
     "reversible, contact oscillators, tops, balls and disks) sem neither drifts nor reverses spuriously: energies, "
     "those of drivers too, stay within round-off and Gauss error. gni, smv, sml, dla and Gonzalez' form each fail on "
     "some.",
     "this library, docs/theory.md section 6", 0.6, long_run},
    {0},
};
