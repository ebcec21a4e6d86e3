/* SPDX-License-Identifier: BSD-3-Clause */
/* [P4]: the falling rolling disk's linear integrals and periodic orbits, and the rattleback's reversal. */
#include "claims/survey.h"

/* The disk ----------------------------------------------------------------------------------------------------------
 */

static const char *const disks[] = {"", "m=1.7 r=0.6 Id=0.2 Ia=0.13", "g=4 Ia=0.3"};
enum { DISKS = sizeof disks / sizeof disks[0] };
static const char *const formulations[] = {"rolling-disk", "rolling-disk-exact"};

static double parameter(const claim_system *s, const char *name)
{
    const lg_model_definition *d = lg_model_describe(s->M);
    for (int i = 0; i < d->parameter_count; i++)
        if (strcmp(d->parameters[i].name, name) == 0) return s->S->parameter_values[i];
    return NAN;
}

static double column(const claim_system *s, int i, const double *g, const double *p)
{
    const lg_call c = claim_call(s, 0);
    double value = NAN;
    return lg_model_describe(s->M)->invariants[i].value(&c, g, p, &value) == 0 ? value : NAN;
}

/* The reduced state: theta, the angle of disk and vertical, and Omega along xi = eta x zeta, eta = (gamma_1, gamma_2,
 * 0)/cos theta, zeta = e_3; theta' = -Omega_xi. */
typedef struct reduced {
    double theta, xi, eta, zeta;
} reduced;

/* gamma, the vertical in the body, of the last factor SO(3). */
static void vertical(const claim_system *s, const double *g, double *gamma)
{
    double R[9];
    if (lg_to_matrix(lg_so3(), R, g + s->size - 4) != LG_OK) R[6] = NAN;
    memcpy(gamma, R + 6, 3 * sizeof *gamma);
}

static reduced reduce(const claim_system *s, const double *g, const double *p)
{
    const double *Omega_p = p + s->n - 3, Id = parameter(s, "Id");
    double gamma[3], c;
    reduced q;
    vertical(s, g, gamma);
    c = hypot(gamma[0], gamma[1]);
    q.theta = atan2(gamma[2], c);
    q.eta = (gamma[0] * Omega_p[0] + gamma[1] * Omega_p[1]) / c / Id;
    q.xi = (gamma[1] * Omega_p[0] - gamma[0] * Omega_p[1]) / c / Id;
    q.zeta = Omega_p[2] / parameter(s, "Ia");
    return q;
}

static int disk_values(const claim_system *s, const double *g, const double *p, const void *context, double *out)
{
    const reduced q = reduce(s, g, p);
    (void)context;
    out[0] = q.theta, out[1] = q.eta, out[2] = q.zeta, out[3] = column(s, 0, g, p), out[4] = column(s, 1, g, p);
    return 0;
}

/* dOmega_eta/dtheta = tan theta Omega_eta - (Ia/Id) Omega_zeta, dOmega_zeta/dtheta = -m r^2/(Ia + m r^2) Omega_eta
 * along every motion: the linear equations behind the integrals; and these are constant. */
static void disk_equations(claim_report *r, const claim_system *s)
{
    const double Ia = parameter(s, "Ia"), mrr = parameter(s, "m") * parameter(s, "r") * parameter(s, "r");
    double linear = 0, constant = 0, angle = 0;
    lg_rng rng = {141};
    for (int i = 0; i < (r->full ? 100 : 5); i++) {
        double g[CLAIM_ELEMENT], xi[CLAIM_DIM], p[CLAIM_DIM], rate[5], scale;
        if (!survey_state(r, s, &rng, 0.2, g, xi) || !claim_momentum_of(r, s, 0, g, xi, p)) return;
        if (!survey_rate(r, s, g, xi, 5, disk_values, NULL, rate)) return;
        const reduced q = reduce(s, g, p);
        const double eta = (tan(q.theta) * q.eta - Ia / parameter(s, "Id") * q.zeta) * rate[0];
        scale = survey_pace(r, s, g, xi) * survey_norm(xi, s->n);
        angle = fmax(angle, fabs(rate[0] + q.xi) / scale);
        linear = fmax(linear, fabs(rate[1] - eta) / scale);
        linear = fmax(linear, fabs(rate[2] + mrr / (Ia + mrr) * q.eta * rate[0]) / scale);
        constant = fmax(constant, fmax(fabs(rate[3]), fabs(rate[4])) / scale);
    }
    claim_case(r, s->name, NULL, NULL);
    claim_below(r, fmax(angle, linear), 1e-11, "differences: rounding, 2e-16 over a step of 3e-4",
                "theta' = -Omega_xi and the linear equations in theta, relative to |Omega| and pace");
    claim_below(r, constant, 2e-11, "differences: rounding, 2e-16 over a step of 3e-4", "|dC1/dt|, |dC2/dt| likewise");
}

/* Largest changes of C1, C2, in the first half and in all, and of the momenta of phi and psi, which are no integrals.
 */
typedef struct changes {
    double half, C, phi, psi;
} changes;

static int disk_changes(claim_report *r, const claim_system *s, const char *method, const char *retraction, int start,
                        double h, double T, changes *x)
{
    const double Id = parameter(s, "Id"), Ia = parameter(s, "Ia");
    const double mrr = parameter(s, "m") * parameter(s, "r") * parameter(s, "r");
    const int64_t steps = (int64_t)(T / h + 0.5);
    lg_integrator *it = claim_start(r, s, method, retraction, h, start);
    double first[4] = {0};
    int ok = it != NULL;
    *x = (changes){0};
    for (int64_t k = 0; ok && k <= steps; k++) {
        const double *g = lg_configuration(it), *p = lg_momentum(it);
        const reduced q = reduce(s, g, p);
        const double psi = (Ia + mrr) * q.zeta, phi = Id * q.eta * cos(q.theta) + psi * sin(q.theta);
        const double now[4] = {column(s, 0, g, p), column(s, 1, g, p), phi, psi};
        if (k == 0) memcpy(first, now, sizeof first);
        const double C = fmax(fabs(now[0] - first[0]), fabs(now[1] - first[1]));
        if (!(C <= x->C)) x->C = C;
        if (2 * k <= steps) x->half = x->C;
        x->phi = fmax(x->phi, fabs(phi - first[2]));
        x->psi = fmax(x->psi, fabs(psi - first[3]));
        if (k < steps) ok = claim_steps(r, it, 1);
    }
    lg_integrator_destroy(it);
    return ok;
}

/* Bounded with order 2: a quarter for half the step, no larger in the second half. */
static void disk_method(claim_report *r, const claim_system *s, const char *method, const char *retraction)
{
    const double T = r->full ? 1000 : 10;
    changes x, y;
    if (!disk_changes(r, s, method, retraction, LG_START_REACTION, 0.01, T, &x)) return;
    if (!disk_changes(r, s, method, retraction, LG_START_REACTION, 0.005, T, &y)) return;
    claim_between(r, x.C / y.C, 3.8, 4.2, "O(h^2)", "change of C1, C2 until t = %g: h = 0.01 over h = 0.005; %.3e", T,
                  x.C);
    claim_below(r, x.C / x.half, 1.1, "bounded: no larger in the second half",
                "change until t = %g over t = %g, h = 0.01", T, T / 2);
    claim_control(r, fmin(x.phi, x.psi), 0.05, "cyclic coordinates whose momenta are not conserved",
                  "change of the momenta of phi and psi");
}

/* Figures of the default data: the integrals, and what methods make of them. */
static void disk_figures(claim_report *r, const claim_system *s, int exact)
{
    static const double C[2] = {4.28423793668958, -1.78717785561877}, figure[2] = {1.24e-4, 6.18e-5};
    changes x;
    lg_integrator *it = claim_start(r, s, "sem@kahan-li8", "exp", 0.01, LG_START_REACTION);
    double worst = 0;
    if (it == NULL) return;
    for (int k = 0; k <= 500; k++) {
        for (int i = 0; i < 2; i++)
            worst = fmax(worst, fabs(column(s, i, lg_configuration(it), lg_momentum(it)) - C[i]));
        if (k < 500 && !claim_steps(r, it, 1)) break;
    }
    claim_below(r, worst, 2e-12, "order 8, h = 0.01, and round-off", "C1, C2 until t = 5 against their values");
    lg_integrator_destroy(it);
    if (disk_changes(r, s, "gni", "cayley", LG_START_REACTION, 0.01, 10, &x))
        claim_between(r, x.C, 0.98 * figure[exact], 1.02 * figure[exact],
                      "the figure, measured independently to three digits", "change of C1, C2 until t = 10, h = 0.01");
    if (!exact && disk_changes(r, s, "gni", "cayley", LG_START_LEGENDRE, 0.01, 10, &x))
        claim_control(r, x.C, 5e-3, "a start that excites the parasitic mode",
                      "change of C1, C2 until t = 10, h = 0.01");
}

static void disk_integrals(claim_report *r)
{
    static const char *const methods[] = {"gni", "sem", "nsv", "smv", "sml", "dla"};
    claim_system s;
    if (!claim_own_systems(r)) return;
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < DISKS; i++) {
            if (!claim_open(r, &s, formulations[f], disks[i])) continue;
            disk_equations(r, &s);
            if (i == 0) disk_figures(r, &s, f);
            for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
                for (int j = 0; claim_retraction(j) != NULL; j++) disk_method(r, &s, methods[m], claim_retraction(j));
            claim_close(&s);
        }
}

/* Periodic orbits ---------------------------------------------------------------------------------------------------
 */

/* Omega_xi and, for the rattleback, gamma_1: zero twice a period of what they measure. */
static int turning(const lg_call *c, const double *g, const double *xi, double *f)
{
    const claim_system *s = c->context;
    const double *Omega = xi + s->n - 3;
    double gamma[3];
    vertical(s, g, gamma);
    *f = gamma[1] * Omega[0] - gamma[0] * Omega[1];
    return isnan(*f);
}

/* Goes to the next event at which theta is least; 0 after claim_trouble() or `most` steps. */
static int next_turn(claim_report *r, const claim_system *s, lg_integrator *it, int most)
{
    const lg_event event = {.value = turning, .context = s, .direction = LG_CROSSING_DOWN, .tolerance = 1e-15};
    for (int k = 0; k < most; k++) {
        int found;
        if (!claim_ok(r, lg_step_to_event(it, &found, &event), "lg_step_to_event", lg_message(it))) return 0;
        if (found) return 1;
    }
    claim_trouble(r, "theta' has no root in %d steps", most);
    return 0;
}

/* The return of the reduced state after `periods` periods, relative to |Omega|; *period is the mean. */
static double returns(claim_report *r, const claim_system *s, const char *method, const char *retraction, double h,
                      int periods, double *period, double *least)
{
    lg_integrator *it = claim_start(r, s, method, retraction, h, LG_START_REACTION);
    double most = NAN, began;
    reduced first;
    if (it != NULL && next_turn(r, s, it, 100000)) {
        first = reduce(s, lg_configuration(it), lg_momentum(it));
        began = lg_time(it);
        *least = first.theta;
        most = 0;
        for (int k = 0; k < periods; k++) {
            if (!next_turn(r, s, it, 100000)) most = NAN;
            if (isnan(most)) break;
            const reduced q = reduce(s, lg_configuration(it), lg_momentum(it));
            const double size = fabs(first.eta) + fabs(first.zeta);
            most = fmax(most, fabs(q.theta - first.theta));
            most = fmax(most, (fabs(q.eta - first.eta) + fabs(q.zeta - first.zeta)) / size);
            *period = (lg_time(it) - began) / (k + 1);
        }
    }
    lg_integrator_destroy(it);
    return most;
}

static void disk_periodic(claim_report *r)
{
    claim_system s;
    double period, least;
    if (!claim_own_systems(r)) return;
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < DISKS; i++) {
            lg_rng rng = {(uint64_t)(150 + i)};
            if (!claim_open(r, &s, formulations[f], disks[i])) continue;
            for (int k = 0; k < 4; k++) {
                double most;
                if (k > 0 && !survey_state(r, &s, &rng, 0.2, s.g0, s.xi0)) continue;
                most = returns(r, &s, "sem@kahan-li8", "exp", 0.01, 3, &period, &least);
                claim_below(r, most, 1, "x", "return, period %.14g least %.7g", period, least);
                most = returns(r, &s, "sem", "exp", 0.01, 30, &period, &least);
                claim_below(r, most, 1, "x", "return, period %.14g least %.7g", period, least);
                most = returns(r, &s, "gni", "exp", 0.01, 30, &period, &least);
                claim_below(r, most, 1, "x", "return, period %.14g least %.7g", period, least);
            }
            claim_close(&s);
        }
}

const claim claims_survey_rolling[] = {
    {"disk-integrals",
     "The falling rolling disk has two integrals linear in velocities, along fields eta_1(theta), eta_2(theta), "
     "although "
     "the momenta of phi and psi themselves are not conserved; discrete motion keeps the two up to a bounded O(h^2).",
     "[P4] section The falling rolling disk", 2, disk_integrals},
    {"disk-periodic", "x", "[P4] footnote 1", 2, disk_periodic},
    {0},
};
