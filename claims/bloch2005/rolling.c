/* SPDX-License-Identifier: BSD-3-Clause */
/* [P4]: the falling rolling disk's linear integrals and periodic orbits, and the rattleback's reversal. */
#include <stdlib.h>

#include "claims/bloch2005/survey.h"

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
    const lg_call c = claim_call(s, (double[]){0});
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
    if (lg_group_to_matrix(lg_so3(), R, g + s->size - 4) != LG_OK) R[6] = NAN;
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
    for (int i = 0; i < (r->full ? 20 : 5); i++) {
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
    claim_below(r, fmax(angle, linear), 2e-11, "differences: rounding, 2e-16 over a step of 3e-4",
                "theta' = -Omega_xi and the linear equations in theta, relative to |Omega| and pace");
    claim_below(r, constant, 2e-11, "differences: rounding, 2e-16 over a step of 3e-4", "|dC1/dt|, |dC2/dt|, relative");
}

/* Largest changes of C1, C2, in the first half and overall, and of the momenta of phi and psi, which are not
 * integrals. */
typedef struct changes {
    double half, C, phi, psi;
} changes;

static int disk_changes(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                        lg_start start, double h, double T, changes *x)
{
    const double Id = parameter(s, "Id"), Ia = parameter(s, "Ia");
    const double mrr = parameter(s, "m") * parameter(s, "r") * parameter(s, "r");
    const int64_t steps = (int64_t)(T / h + 0.5);
    lg_integrator *it = claim_start(r, s, method, retraction, h, start);
    double first[4] = {0};
    int ok = it != NULL;
    *x = (changes){0};
    for (int64_t k = 0; ok && k <= steps; k++) {
        const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
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
    const double T = r->full ? 1000 : 5;
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

/* Figures for the default data: the integrals, and their changes by methods. */
static void disk_figures(claim_report *r, const claim_system *s, int exact)
{
    static const double C[2] = {4.28423793668958, -1.78717785561877}, figure[2] = {1.24e-4, 6.18e-5};
    changes x;
    lg_integrator *it = claim_start(r, s, "sem@kahan-li8", "exp", 0.01, LG_START_REACTION);
    double worst = 0;
    if (it == NULL) return;
    for (int k = 0; k <= 500; k++) {
        for (int i = 0; i < 2; i++)
            worst = fmax(worst, fabs(column(s, i, lg_integrator_configuration(it), lg_integrator_momentum(it)) - C[i]));
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

/* gamma_1 Omega_2 - gamma_2 Omega_1: theta' cos theta for the disk; for the rattleback a quantity that changes its
 * sign. */
static int turning(const lg_call *c, const double *g, const double *xi, double *f)
{
    const claim_system *s = c->context;
    const double *Omega = xi + s->n - 3;
    double gamma[3];
    vertical(s, g, gamma);
    *f = gamma[0] * Omega[1] - gamma[1] * Omega[0];
    return isnan(*f);
}

/* Steps to the next event with that direction; 0 after claim_trouble(). */
static int next_turn(claim_report *r, const claim_system *s, lg_integrator *it, lg_crossing direction)
{
    const lg_event event = {
        .size = sizeof(lg_event), .value = turning, .context = s, .direction = direction, .tolerance = 1e-15};
    for (int k = 0; k < 10000; k++) {
        int found;
        if (!claim_ok(r, lg_integrator_step_to_event(it, &found, &event), "lg_integrator_step_to_event",
                      lg_integrator_message(it)))
            return 0;
        if (found) return 1;
    }
    claim_trouble(r, "theta' has no root in 10000 steps");
    return 0;
}

/* The reduced state (gamma and Omega; the disk's up to its own turning) at a turn, five numbers over their size. */
static void at_turn(const claim_system *s, const lg_integrator *it, int disk, double *out)
{
    const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    double xi[CLAIM_DIM];
    if (disk) {
        const reduced q = reduce(s, g, p);
        const double size = fabs(q.eta) + fabs(q.zeta);
        out[0] = q.theta, out[1] = q.eta / size, out[2] = q.zeta / size, out[3] = out[4] = out[5] = 0;
        return;
    }
    vertical(s, g, out);
    if (lg_integrator_velocity(it, xi) != LG_OK) xi[3] = NAN;
    memcpy(out + 3, xi + s->n - 3, 3 * sizeof *out);
}

typedef struct orbit {
    double returns, period, least, largest; /* largest change of the state after a period; theta at the turns */
} orbit;

static int follow(claim_report *r, const claim_system *s, const char *method, double h, int periods, int disk, orbit *o)
{
    lg_integrator *it = claim_start(r, s, method, "exp", h, LG_START_REACTION);
    double first[6], now[6], began = 0;
    int ok = it != NULL && next_turn(r, s, it, LG_CROSSING_UP);
    *o = (orbit){0};
    if (ok) at_turn(s, it, disk, first), began = lg_integrator_time(it), o->least = first[0];
    for (int k = 1; ok && k <= periods; k++) {
        ok = next_turn(r, s, it, LG_CROSSING_DOWN);
        if (ok) at_turn(s, it, disk, now), o->largest = now[0];
        ok = ok && next_turn(r, s, it, LG_CROSSING_UP);
        if (!ok) break;
        at_turn(s, it, disk, now);
        o->returns = fmax(o->returns, claim_gap(now, first, 6));
        o->period = (lg_integrator_time(it) - began) / k;
    }
    lg_integrator_destroy(it);
    return ok;
}

/* Other angular velocities, made consistent. */
static int perturb(claim_report *r, claim_system *s, lg_rng *rng)
{
    lg_integrator *it = NULL;
    lg_status status = lg_integrator_create(&it, s->S, "sem", "exp", s->h);
    int ok;
    for (int i = s->n - 3; i < s->n; i++) s->xi0[i] += 0.25 * lg_rng_normal(rng);
    if (status == LG_OK) status = lg_integrator_start(it, 0, s->g0, s->xi0, LG_START_REACTION, 1);
    ok = claim_ok(r, status, "a start", lg_integrator_message(it)) &&
         claim_ok(r, lg_integrator_velocity(it, s->xi0), "start", lg_integrator_message(it));
    lg_integrator_destroy(it);
    return ok;
}

/* The true orbit closes; those of second order nearly, with a period that is off by O(h^2). */
static void disk_orbit(claim_report *r, const claim_system *s, int known)
{
    static const char *const methods[] = {"sem", "nsv"};
    orbit truth, coarse, fine;
    const int periods = r->full ? 100 : 3, few = r->full ? 10 : 5; /* each event interrupts the step */
    if (!follow(r, s, "sem@kahan-li8", 0.01, periods, 1, &truth)) return;
    claim_below(r, truth.returns, 7e-13 * periods, "order 8, h = 0.01, and round-off, a period",
                "return of (theta, Omega), theta %.4f .. %.4f, period %.6f", truth.least, truth.largest, truth.period);
    if (known) {
        claim_below(r, fabs(truth.period - 1.06365418497475), 2e-12, "known to 1e-14", "|period - 1.06365418497475|");
        claim_below(r, fmax(fabs(truth.least - 0.26640), fabs(truth.largest - 0.54989)), 1e-5, "known to 5 digits",
                    "theta between 0.26640 and 0.54989");
    }
    for (int m = 0; m < 2; m++) {
        if (!follow(r, s, methods[m], 0.01, few, 1, &coarse)) return;
        if (!follow(r, s, methods[m], 0.005, few, 1, &fine)) return;
        claim_below(r, coarse.returns, 3e-4, "h^2 = 1e-4", "return of (theta, Omega), h = 0.01");
        claim_between(r, (coarse.period - truth.period) / (fine.period - truth.period), 3.7, 4.3, "order 2",
                      "error of the period, h = 0.01 over h = 0.005; %.2e", coarse.period - truth.period);
    }
}

static void disk_periodic(claim_report *r)
{
    claim_system s;
    orbit o;
    if (!claim_own_systems(r)) return;
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < DISKS; i++) {
            lg_rng rng = {(uint64_t)(150 + i)};
            if (!claim_open(r, &s, formulations[f], disks[i])) continue;
            for (int k = 0; k < (r->full ? 10 : 2); k++)
                if (k == 0 || perturb(r, &s, &rng)) disk_orbit(r, &s, i == 0 && k == 0);
            claim_close(&s);
        }
    if (!claim_open(r, &s, "rattleback", NULL)) return;
    if (follow(r, &s, "sem@kahan-li8", r->full ? 0.001 : 0.002, 3, 0, &o))
        claim_control(r, o.returns, 1e-3, "not a body of revolution", "return of (gamma, Omega)");
    claim_close(&s);
}

/* The rattleback ----------------------------------------------------------------------------------------------------
 */

/* The figures of a run from spin -1 (or +1, with all velocities reversed). */
typedef struct reversal {
    int crossings;                /* changes of the sign of the vertical spin */
    double at, last, least, most; /* time of the first, of the last; extremes of spin times its sign at the start */
    double energy, gap;           /* largest |H - H_0|, |height of the lowest point| */
} reversal;

static int spin(claim_report *r, const claim_system *s, const char *method, const char *retraction, double h, double T,
                lg_start start, reversal *x)
{
    lg_integrator *it = claim_start(r, s, method, retraction, h, start);
    const int64_t steps = (int64_t)(T / h + 0.5);
    double before = 0, first = 0, H0;
    int ok = it != NULL;
    *x = (reversal){.at = NAN, .last = NAN, .least = INFINITY, .most = -INFINITY};
    if (!ok) return 0;
    H0 = lg_integrator_energy(it);
    for (int64_t k = 0; ok && k <= steps; k++) {
        const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum(it), now = column(s, 1, g, p);
        if (k == 0) first = before = now;
        if (now * before < 0) {
            x->last = lg_integrator_time(it) - h * now / (now - before);
            if (x->crossings++ == 0) x->at = x->last;
        }
        before = now;
        x->least = fmin(x->least, now / first), x->most = fmax(x->most, now / first);
        x->energy = fmax(x->energy, fabs(lg_integrator_energy(it) - H0));
        x->gap = fmax(x->gap, fabs(column(s, 0, g, p)));
        if (k < steps) ok = claim_steps(r, it, 1);
    }
    lg_integrator_destroy(it);
    return ok;
}

/* Within T s spin -1 changes its sign once, at `at`, and reaches +1.389; spin +1 does not change it. */
static void reversal_method(claim_report *r, const claim_system *s, int sign, double at, const char *method,
                            const char *retraction, double T)
{
    static const double scale = 1.743e-3; /* energy above that of rest */
    const double h = r->full ? 0.0002 : 0.001, hh = h * h / 1e-6;
    const int sem = strcmp(method, "sem") == 0;
    reversal x;
    if (!spin(r, s, method, retraction, h, T, LG_START_REACTION, &x)) return;
    claim_below(r, abs(x.crossings - (sign < 0 ? 1 : 0)), 0, sign < 0 ? "one reversal" : "no reversal",
                "spin %+d: wrong changes of sign, t to %g, h = %g", sign, T, h);
    if (sign < 0) {
        claim_below(r, fabs(x.at - at), 5e-3 * hh, "O(h^2), rocking at 107 rad/s: (107 h)^2 / 2",
                    "time of the reversal, against %.5f", at);
        claim_between(r, -x.least, 1.38, 1.40, "1.389, the true motion", "largest spin after the reversal");
    } else {
        claim_between(r, x.most, 1.38, 1.40, "1.389, the true motion", "largest spin");
        claim_above(r, x.least, 0.999, "1, the true motion", "least spin");
    }
    claim_below(r, x.energy / scale, sem ? 3e-10 : 2e-2 * hh,
                sem ? "energy exact: round-off and solver" : "O(h^2), rocking at 107 rad/s: 2 (107 h)^2",
                "largest |H - H_0| over the energy above rest");
    claim_below(r, x.gap, 3e-6 * hh, "O(h^2) of the height 0.01", "largest gap to the plane");
}

/* The start p^-_0 = J xi_0: the parasitic mode causes a spurious reversal. */
static void spurious(claim_report *r, const claim_system *s, int sign, const char *retraction)
{
    reversal x;
    if (spin(r, s, "gni", retraction, 0.001, 20, LG_START_LEGENDRE, &x))
        claim_control(r, abs(x.crossings - (sign < 0 ? 1 : 0)), 1, "start LEGENDRE excites the parasitic mode",
                      "spin %+d: spurious reversals, t to 20", sign);
}

/* Spectrum of a step at the steady spin `n`: real[] and imaginary parts nearest to wanted[]. */
static int spectrum(claim_report *r, claim_system *s, double n, const double *wanted, double *real, double *imaginary)
{
    static const double h = 1e-4;
    double M[4 * 36], re[12], im[12];
    lg_integrator *it;
    int ok;
    memset(s->g0, 0, sizeof s->g0), memset(s->xi0, 0, sizeof s->xi0);
    s->g0[2] = parameter(s, "b3") + parameter(s, "offset"), s->g0[6] = 1, s->xi0[5] = n;
    it = claim_start(r, s, "sem@suzuki4", "exp", h, LG_START_REACTION);
    ok = it != NULL && claim_step_matrix(r, s, it, M);
    lg_integrator_destroy(it);
    for (int i = 0; ok && i < 12; i += 6) /* x and y of space, seen from the body, which has turned by n h */
        for (int j = 0; j < 12; j++) {
            const double x = M[i * 12 + j], y = M[(i + 1) * 12 + j];
            M[i * 12 + j] = cos(n * h) * x + sin(n * h) * y;
            M[(i + 1) * 12 + j] = cos(n * h) * y - sin(n * h) * x;
        }
    ok = ok && claim_eigenvalues(12, M, re, im);
    for (int k = 0; ok && k < 2; k++) {
        imaginary[k] = INFINITY;
        for (int i = 0; i < 12; i++) {
            const double angle = atan2(im[i], re[i]) / h;
            if (fabs(angle - wanted[k]) >= fabs(imaginary[k] - wanted[k])) continue;
            imaginary[k] = angle, real[k] = log(hypot(re[i], im[i])) / h;
        }
    }
    return ok;
}

/* The other direction is unstable too, ten times more weakly: there are no losses, so spin +1 reverses in the end, in a
 * wobble that changes the sign three times, and spin -1 a second time. Newton's and Euler's equations, integrated apart
 * from this library in 64 bits of mantissa with steps of 4e-5: -1 at 1.92946 and 43.31181, +1 at 39.42918, 39.44231 and
 * 39.49088. */
static void second_reversal(claim_report *r, const claim_system *s, int sign)
{
    static const char *const methods[] = {"sem", "rk4"};
    const double at = sign < 0 ? 43.31 : 39.43;
    reversal x;
    for (int i = 0; i < (r->full ? 2 : 1); i++) { /* that of rk4, below, sees more */
        if (!spin(r, s, methods[i], "exp", 0.001, 50, LG_START_REACTION, &x)) continue;
        claim_between(r, sign < 0 ? x.last : x.at, at - 0.08, at + 0.08, "Newton's and Euler's equations, and O(h^2)",
                      "spin %+d: time of the late reversal", sign);
    }
    if (!spin(r, s, "rk4", "exp", 0.0005, 50, LG_START_REACTION, &x)) return;
    claim_between(r, x.crossings, sign < 0 ? 2 : 3, sign < 0 ? 2 : 3, "Newton's and Euler's equations",
                  "spin %+d: changes of sign within 50 s", sign);
    claim_below(r, fmax(fabs(x.at - (sign < 0 ? 1.92946 : 39.42918)), fabs(x.last - (sign < 0 ? 43.31181 : 39.49088))),
                1e-4, "equations of motion, and O(h^4)", "spin %+d: times of the first and the last", sign);
}

/* Re -0.42598, 0.04234 at n = 1, odd in n: both directions are unstable, one weakly. Whether the paper's stable
 * direction is asymptotically stable depends on the body. */
static void spectra(claim_report *r, claim_system *s)
{
    static const double im[2] = {107.2959365639, 33.8415415930}, re[2] = {-0.4259762119, 0.0423419890};
    for (int n = -1; n <= 1; n += 2) {
        double real[2], imaginary[2];
        if (!spectrum(r, s, n, im, real, imaginary)) return;
        for (int k = 0; k < 2; k++)
            claim_below(r, hypot(real[k] - n * re[k], imaginary[k] - im[k]), 1e-8,
                        "order 4, h = 1e-4, against Newton's and Euler's equations linearised",
                        "steady spin %+d: eigenvalue %.6f + %.5f i", n, real[k], imaginary[k]);
    }
}

static void rattleback(claim_report *r)
{
    static const char *const methods[] = {"gni", "sem", "nsv", "dla"};
    claim_system s;
    reversal truth;
    if (!claim_own_systems(r) || !claim_open(r, &s, "rattleback", NULL)) return;
    if (spin(r, &s, "sem@kahan-li8", "exp", 0.002, 3, LG_START_REACTION, &truth)) {
        claim_between(r, truth.at, 1.925, 1.935, "1.93, known to three digits", "time of the reversal");
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int j = 0; claim_retraction(j) != NULL; j++) {
                for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
                    reversal_method(r, &s, sign, truth.at, methods[m], claim_retraction(j), r->full || j == 0 ? 20 : 8);
                spurious(r, &s, sign, claim_retraction(j));
            }
            second_reversal(r, &s, sign);
            for (int i = 0; i < s.n; i++) s.xi0[i] = -s.xi0[i];
        }
    }
    spectra(r, &s);
    claim_close(&s);
}

const claim claims_survey_rolling[] = {
    {"disk-integrals",
     "The falling rolling disk has two integrals linear in velocities, along fields eta_1(theta), eta_2(theta), "
     "although the momenta of phi and psi themselves are not conserved; discrete motion conserves the two up to a "
     "bounded O(h^2).",
     "[P4] section The falling rolling disk", 0.6, disk_integrals},
    {"disk-periodic",
     "Up to Euclidean motions of the plane and its own turning, every motion of the rolling disk is periodic; discrete "
     "orbits return nearly, with a period that is off by O(h^2).",
     "[P4] footnote 1", 0.6, disk_periodic},
    {"rattleback-reversal",
     "The rattleback with spin -1 reverses at t = 1.93, with spin +1 not within 20 s; since there are no losses and "
     "both directions are unstable, one weakly, spin -1 reverses again at t = 43.31, and spin +1 reverses after all, "
     "in a wobble: its sign changes at 39.429, 39.442 and 39.491. Its energy stays within "
     "O(h^2). A start of the GNI that excites its parasitic mode causes earlier, spurious reversals.",
     "[P4] section The rattleback; this library, docs/theory.md section 5", 0.7, rattleback},
    {0},
};
