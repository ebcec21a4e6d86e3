/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems on which methods are known to drift (Modin, Verdier, Numer. Math. 145, 2020): the continuously variable
 * transmission, reversible and not, and the contact oscillator, with and without shifted momentum. Which quantity
 * drifts under which method: slopes per 10000 units of time, with their confidence. */
#include "claims/framework/variants.h"

enum { H, DRIVER, THIRD, QUANTITIES };
static const char *const quantity[QUANTITIES] = {"H", "the driver's energy", "the third integral"};

/* The methods of the tables, and data with the same index. */
static const char *const methods[] = {"sem", "nsv", "gni", "smv", "sml", "dla", "dla:trapezoidal", "sem:gonzalez"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* A run: largest deviations in its first and last quarter, trends. */
typedef struct record {
    double early[QUANTITIES], late[QUANTITIES], slope[QUANTITIES], half[QUANTITIES]; /* slopes per 10000 */
} record;

typedef void (*quantities_fn)(const lg_integrator *it, const void *context, double *x);

/* A run to time T with h = 0.1. 0: refused, or trouble. */
static int run(claim_report *r, const claim_system *s, const char *method, double T, quantities_fn value,
               const void *context, record *out)
{
    const int64_t steps = (int64_t)(T / 0.1 + 0.5);
    lg_integrator *it = claim_start(r, s, method, "exp", 0.1, LG_START_REACTION);
    lg_trend trend[QUANTITIES];
    double x[QUANTITIES] = {0};
    int ok = it != NULL;
    memset(out, 0, sizeof *out);
    for (int j = 0; j < QUANTITIES; j++) lg_trend_begin(&trend[j]);
    for (int64_t k = 0; ok && k <= steps; k++) {
        if (k > 0) ok = claim_steps(r, it, 1);
        value(it, context, x);
        for (int j = 0; ok && j < QUANTITIES; j++) {
            double *most = 4 * k < steps ? &out->early[j] : 4 * k >= 3 * steps ? &out->late[j] : NULL;
            lg_trend_add(&trend[j], lg_integrator_time(it), x[j]);
            if (most != NULL && !(fabs(x[j] - trend[j].first) <= *most)) *most = fabs(x[j] - trend[j].first);
        }
    }
    lg_integrator_destroy(it);
    for (int j = 0; j < QUANTITIES; j++) {
        out->slope[j] = 1e4 * lg_trend_slope(&trend[j], &out->half[j]);
        out->half[j] *= 1e4;
    }
    return ok;
}

/* A table's entries for a method: drifts per 10000 (0: none), the size of the deviation of H where it does not drift
 * (0: not given). */
typedef struct entry {
    double drift[QUANTITIES], size;
} entry;

/* A nonzero slope: sign, size and significance. `flat` bounds those that are not. */
static void judge(claim_report *r, const record *x, const entry *e, int count, double flat)
{
    for (int j = 0; j < count; j++) {
        const double want = e->drift[j], low = fmin(0.5 * want, 1.8 * want), high = fmax(0.5 * want, 1.8 * want);
        if (want == 0) {
            claim_below(r, fabs(x->slope[j]), flat, "no drift: a tenth of the least one of the table",
                        "|slope| of %s per 10000", quantity[j]);
        } else {
            claim_between(r, x->slope[j], low, high, "drifts as measured independently to t = 10000",
                          "slope of %s per 10000", quantity[j]);
            claim_above(r, fabs(x->slope[j]) / x->half[j], 2, "far outside the 95 % interval",
                        "slope of %s by the half width of its 95 %% interval", quantity[j]);
        }
    }
    if (e->size > 0)
        claim_between(r, x->late[H], 0.75 * e->size, 1.3 * e->size, "measured independently",
                      "largest |H - H_0| in the last quarter");
}

/* The transmission ------------------------------------------------------------------------------------------------ */

enum { NODES = 1024 };

/* With a quadratic V and a driver that turns with energy E, w = (x, y, u), u the speed along (1, -sin s)/sqrt(1 + sin^2
 * s), obeys dw/ds = B(s) w with a skew B of period 2 pi. The axis a of the rotation by one period, carried along by the
 * same equation, is periodic, and a(s).w is the third integral. */
typedef struct axis {
    double energy, skew;
    double a[NODES + 1][3], slope[NODES + 1][3]; /* at s = -pi + 2 pi i/NODES, and da/ds */
} axis;

static const double pi = 3.14159265358979323846;

static void unit(double s, double *e)
{
    const double size = sqrt(1 + sin(s) * sin(s));
    e[0] = 1 / size, e[1] = -sin(s) / size;
}

/* dw/ds of w = (x, y, u): x' = u e_1, y' = u e_2, u' = -(x e_1 + y e_2), s' = sqrt(2 (E - V)). */
static void field(const axis *k, double s, const double *w, double *out)
{
    const double rate = sqrt(2 * (k->energy - cos(s) - k->skew * sin(2 * s)));
    double e[2];
    unit(s, e);
    out[0] = w[2] * e[0] / rate, out[1] = w[2] * e[1] / rate;
    out[2] = -(w[0] * e[0] + w[1] * e[1]) / rate;
}

static void advance(const axis *k, double s, double h, double *w)
{
    double f[4][3], x[3];
    field(k, s, w, f[0]);
    for (int i = 0; i < 3; i++) x[i] = w[i] + h / 2 * f[0][i];
    field(k, s + h / 2, x, f[1]);
    for (int i = 0; i < 3; i++) x[i] = w[i] + h / 2 * f[1][i];
    field(k, s + h / 2, x, f[2]);
    for (int i = 0; i < 3; i++) x[i] = w[i] + h * f[2][i];
    field(k, s + h, x, f[3]);
    for (int i = 0; i < 3; i++) w[i] += h / 6 * (f[0][i] + 2 * f[1][i] + 2 * f[2][i] + f[3][i]);
}

/* By 1024 steps of order 4 a period, 1e-12. */
static void find_axis(axis *k, double energy, double skew)
{
    const double h = 2 * pi / NODES;
    double M[3][3], size;
    k->energy = energy, k->skew = skew;
    for (int j = 0; j < 3; j++) {
        double w[3] = {j == 0, j == 1, j == 2};
        for (int i = 0; i < NODES; i++) advance(k, -pi + i * h, h, w);
        for (int i = 0; i < 3; i++) M[i][j] = w[i];
    }
    k->a[0][0] = M[2][1] - M[1][2], k->a[0][1] = M[0][2] - M[2][0], k->a[0][2] = M[1][0] - M[0][1];
    size = sqrt(k->a[0][0] * k->a[0][0] + k->a[0][1] * k->a[0][1] + k->a[0][2] * k->a[0][2]);
    for (int i = 0; i < 3; i++) k->a[0][i] /= size;
    for (int i = 0; i <= NODES; i++) {
        field(k, -pi + i * h, k->a[i], k->slope[i]);
        if (i == NODES) break;
        memcpy(k->a[i + 1], k->a[i], sizeof k->a[i]);
        advance(k, -pi + i * h, h, k->a[i + 1]);
    }
}

/* a(s).w at a state, a by Hermite's cubics. */
static double third_integral(const axis *k, const double *q, const double *p)
{
    const double h = 2 * pi / NODES, at = (q[2] + pi) / h;
    const int i = at < 0 ? 0 : at >= NODES ? NODES - 1 : (int)at;
    const double z = at - i;
    const double c0 = (1 + 2 * z) * (1 - z) * (1 - z), c1 = z * z * (3 - 2 * z), d0 = z * (1 - z) * (1 - z),
                 d1 = z * z * (z - 1);
    double e[2], w[3], sum = 0;
    unit(q[2], e);
    w[0] = q[0], w[1] = q[1], w[2] = p[0] * e[0] + p[1] * e[1];
    for (int j = 0; j < 3; j++)
        sum += w[j] * (c0 * k->a[i][j] + c1 * k->a[i + 1][j] + h * (d0 * k->slope[i][j] + d1 * k->slope[i + 1][j]));
    return sum;
}

static void cvt_quantities(const lg_integrator *it, const void *context, double *x)
{
    const double *q = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    const axis *k = context;
    x[H] = lg_integrator_energy(it);
    x[DRIVER] = p[2] * p[2] / 2 + cos(q[2]) + k->skew * sin(2 * q[2]);
    x[THIRD] = third_integral(k, q, p);
}

/* sem: H and the driver's energy to the Gauss error, which drifts by itself if the problem is not reversible: with four
 * nodes 6e-10 per 10000, with eight none. */
static void cvt_exact(claim_report *r, const record *x, double T, double gauss)
{
    for (int j = 0; j < THIRD; j++) {
        claim_below(r, fmax(x->early[j], x->late[j]), 1e-12 * fmax(1, T / 1e4) + gauss * T / 1e4,
                    "round-off; four nodes: their Gauss error", "largest deviation of %s to t = %g", quantity[j], T);
        claim_below(r, fabs(x->slope[j]), fmax(1e4 / T, 1) * 1e-12 + gauss, "round-off; four nodes: their Gauss error",
                    "|slope| of %s per 10000", quantity[j]);
    }
}

/* Slopes per 10000, sizes of |H - H_0|. */
static const struct {
    const char *settings;
    double skew;
    int quantities; /* the third integral exists for quadratic V */
    entry of[METHODS];
} transmissions[] = {
    {"c2=0",
     0,
     3,
     {{{0}, 0}, {{0}, 0.008}, {{0}, 0.013}, {{0}, 0.008}, {{0}, 0.007}, {{0}, 0}, {{0}, 0.010}, {{0}, 0}}},
    {"c2=-0.1",
     -0.1,
     3,
     {{{0}, 0},
      {{0}, 0.009},
      {{0}, 0.013},
      {{-0.16, 0, -0.0105}, 0},
      {{0.48, 0, 0.024}, 0},
      {{0.48, 0, 0.023}, 0},
      {{0.18, 0, 0.0115}, 0},
      {{0, 0.25, 0.031}, 0}}},
    {"c2=0.1",
     0.1,
     3,
     {{{0}, 0},
      {{0}, 0.009},
      {{0}, 0.013},
      {{0.16, 0, 0.0105}, 0},
      {{-0.48, 0, -0.024}, 0},
      {{-0.48, 0, -0.023}, 0},
      {{-0.18, 0, -0.0115}, 0},
      {{0, -0.25, -0.031}, 0}}},
    {"c2=-0.1 quartic=1",
     -0.1,
     2,
     {{{0}, 0},
      {{-0.019, 0}, 0},
      {{-0.021, 0}, 0},
      {{-0.19, 0}, 0},
      {{0.49, 0}, 0},
      {{0.48, 0}, 0},
      {{0.17, 0}, 0},
      {{0, 0.35}, 0}}},
};

static void cvt_table(claim_report *r, int which, double T, double flat)
{
    const int quantities = transmissions[which].quantities;
    claim_system s;
    record x;
    axis k;
    find_axis(&k, 2.125, transmissions[which].skew);
    if (!claim_open(r, &s, "cvt", transmissions[which].settings)) return;
    for (int i = 0; i < METHODS; i++) {
        if (!run(r, &s, methods[i], T, cvt_quantities, &k, &x)) continue;
        judge(r, &x, &transmissions[which].of[i], quantities, flat);
        if (i == 0) cvt_exact(r, &x, T, 2e-9);
    }
    if (run(r, &s, "sem:gauss=8", T, cvt_quantities, &k, &x)) cvt_exact(r, &x, T, 0);
    if (run(r, &s, "gni-r", T, cvt_quantities, &k, &x))
        claim_control(r, x.late[H], 0.2, "drifts everywhere", "largest |H - H_0| in the last quarter");
    if (r->full && quantities == 3 && run(r, &s, "rk4", T, cvt_quantities, &k, &x))
        claim_control(r, x.late[H], 10, "blows up", "largest |H - H_0| in the last quarter");
    claim_close(&s);
}

/* Other drivers, other starts: sem keeps all three. */
static void cvt_others(claim_report *r, double T, double flat)
{
    static const struct {
        const char *settings;
        double skew;
    } others[] = {{"c2=0.05", 0.05}, {"c2=-0.17", -0.17}, {"c2=0.23", 0.23}};
    lg_rng rng = {51};
    for (int i = 0; i < 3; i++) {
        claim_system s, moved;
        record x;
        axis k;
        if (!claim_open(r, &s, "cvt", others[i].settings)) return;
        if (claim_move(r, &moved, &s, &rng, 0.1)) {
            const double at = moved.g0[2], v = moved.xi0[2];
            find_axis(&k, v * v / 2 + cos(at) + others[i].skew * sin(2 * at), others[i].skew);
            if (run(r, &moved, "sem:gauss=8", T, cvt_quantities, &k, &x)) {
                cvt_exact(r, &x, T, 0);
                claim_below(r, fabs(x.slope[THIRD]), flat, "no drift", "|slope| of the third integral per 10000");
            }
        }
        claim_close(&s);
    }
}

/* The quartic one to t = 1e5. */
static void cvt_long(claim_report *r)
{
    static const struct {
        const char *method;
        double low, high;
    } late[] = {{"sem", 0, 2e-8},    {"sem:gauss=8", 0, 1e-11}, {"nsv", 0.08, 0.35},
                {"gni", 0.08, 0.35}, {"smv", 0.15, 1},          {"dla:trapezoidal", 1, INFINITY}};
    claim_system s;
    record x;
    axis k;
    find_axis(&k, 2.125, -0.1);
    if (!claim_open(r, &s, "cvt", "c2=-0.1 quartic=1")) return;
    for (int i = 0; i < 6; i++)
        if (run(r, &s, late[i].method, 1e5, cvt_quantities, &k, &x))
            claim_between(r, x.late[H], late[i].low, late[i].high, "measured independently, as far as chaos allows",
                          "largest |H - H_0| in the last quarter of 1e5");
    claim_close(&s);
}

static void cvt(claim_report *r)
{
    const double T = r->full ? 10000 : 1000, flat = r->full ? 2e-5 : 5e-4;
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < 4; i++) cvt_table(r, i, T, flat);
    cvt_others(r, T, flat);
    if (r->full) cvt_long(r);
}

/* The contact oscillator ------------------------------------------------------------------------------------------ */

/* The oscillator in canonical momenta p + alpha, alpha = grad S, S = cos z, by the trapezoidal rule:
 *   L_d = |q_1 - q_0|^2/(2h) - (h/2)(V_0 + V_1) - (alpha_0 + alpha_1).(q_1 - q_0)/2,
 * plus S_1 - S_0, which changes no trajectory and makes the momenta kinetic. `kappa` multiplies the remainder of alpha
 * under the rule: with 0 the shift is gone. */
typedef struct gauge {
    double kappa, eps;
} gauge;

static void potential_slope(double eps, const double *q, double *dV)
{
    dV[0] = q[0] + eps * q[0] * q[2] * q[2], dV[1] = q[1], dV[2] = q[2] + eps * q[0] * q[0] * q[2];
}

static int slope_1(const lg_call *c, double h, const double *a, const double *b, double *out)
{
    const gauge *k = c->context;
    const double gap = b[2] - a[2];
    potential_slope(k->eps, a, out);
    for (int i = 0; i < 3; i++) out[i] = -(b[i] - a[i]) / h - h / 2 * out[i];
    out[2] -= k->kappa * (-cos(a[2]) * gap / 2 + (sin(a[2]) + sin(b[2])) / 2 - sin(a[2]));
    return 0;
}

static int slope_2(const lg_call *c, double h, const double *a, const double *b, double *out)
{
    const gauge *k = c->context;
    const double gap = b[2] - a[2];
    potential_slope(k->eps, b, out);
    for (int i = 0; i < 3; i++) out[i] = (b[i] - a[i]) / h - h / 2 * out[i];
    out[2] -= k->kappa * (-cos(b[2]) * gap / 2 - (sin(a[2]) + sin(b[2])) / 2 + sin(b[2]));
    return 0;
}

static int mean_row(const lg_call *c, double h, const double *a, const double *b, double *out)
{
    (void)c;
    out[0] = ((b[0] - a[0]) + (a[1] + b[1]) / 2 * (b[2] - a[2])) / h;
    return 0;
}

static void contact_quantities(const lg_integrator *it, const void *context, double *x)
{
    const double *q = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    (void)context;
    x[H] = lg_integrator_energy(it);
    x[DRIVER] = (p[1] * p[1] + q[1] * q[1]) / 2;
}

static void contact_table(claim_report *r, const claim_system *s, int coupled, double T, double flat)
{
    static const entry none = {{0}, 0};
    static const double sizes[METHODS] = {0, 0.004, 0.008, 0.003, 0.007, 0, 0.005, 0}; /* eps = 0.3, from rest */
    record x;
    for (int i = 0; i < METHODS; i++) {
        entry e = none;
        e.size = coupled ? sizes[i] : 0;
        if (!run(r, s, methods[i], T, contact_quantities, NULL, &x)) continue;
        judge(r, &x, &e, 2, flat);
        if (i > 0) continue;
        for (int j = 0; j < 2; j++)
            claim_below(r, fmax(x.early[j], x.late[j]), 1e-12 * fmax(1, T / 1e4), "round-off, V has degree 4",
                        "largest deviation of %s to t = %g", quantity[j], T);
    }
    if (run(r, s, "gni-r", T, contact_quantities, NULL, &x))
        claim_control(r, x.late[H], 0.1, "drifts everywhere", "largest |H - H_0| in the last quarter");
    if (r->full && T <= 1e4 && run(r, s, "rk4", T, contact_quantities, NULL, &x))
        claim_control(r, x.late[H], 0.01, "not of this kind", "largest |H - H_0| in the last quarter");
}

/* The shift put into L_d: by the trapezoidal rule the gni, whose constraint acts on the momenta, blows up; DLA, whose
 * constraint acts on positions, does not; and without that remainder nothing changes. */
static void canonical(claim_report *r, claim_system *s, double eps, double T)
{
    const gauge shifted = {1, eps}, gone = {0, eps};
    lg_system S = *s->S;
    claim_system own = *s;
    claim_state one, other;
    record x;
    own.S = &S;
    S.callbacks.discrete_slope_1 = slope_1, S.callbacks.discrete_slope_2 = slope_2,
    S.callbacks.discrete_constraint = mean_row;
    S.context = &gone;
    if (claim_state_after(r, s, "gni", "exp", 0.1, 200, &one) &&
        claim_state_after(r, &own, "gni:user", "exp", 0.1, 200, &other))
        claim_below(r, claim_state_gap(s, &one, &other), 1e-12, "round-off, 200 steps",
                    "distance from gni with S_1 - S_0 in L_d");
    S.context = &shifted;
    if (run(r, &own, "gni:user", T, contact_quantities, NULL, &x))
        claim_above(r, x.late[H], r->full ? 5 : 0.03, "0.14, then 13 to t = 10000 measured independently",
                    "largest |H - H_0| in the last quarter, canonical trapezoidal rule");
    if (run(r, &own, "dla:user", T, contact_quantities, NULL, &x))
        claim_below(r, fmax(x.early[H], x.late[H]), 0.01, "0.005, then 0.004 to t = 10000 measured independently",
                    "largest |H - H_0|, canonical trapezoidal rule");
}

static void contact(claim_report *r)
{
    static const struct {
        const char *settings;
        double eps;
    } oscillators[] = {{"eps=0.3", 0.3}, {"eps=0.3 shift=1", 0.3}, {"eps=0", 0}, {"eps=0 shift=1", 0}};
    const double T = r->full ? 10000 : 2000, flat = r->full ? 2e-5 : 2e-4;
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < 4; i++) {
        claim_system s;
        if (!claim_open(r, &s, "contact-oscillator", oscillators[i].settings)) return;
        contact_table(r, &s, i == 0, T, flat);
        canonical(r, &s, oscillators[i].eps, T);
        if (r->full && i == 0) contact_table(r, &s, 1, 1e5, flat);
        claim_close(&s);
    }
}

const claim claims_benchmarks[] = {
    {"cvt-nonreversible",
     "On the transmission with a driver that is not reversible H drifts under smv, sml and dla, the driver's energy "
     "under sem:gonzalez, and H under nsv and gni where V is quartic; with c2 > 0 all drift in the opposite direction. "
     "sem conserves H, the driver's energy and the third integral.",
     "K. Modin, O. Verdier, Numer. Math. 145 (2020), problem; this library, docs/theory.md section 6", 1.2, cvt},
    {"contact-shift",
     "On the contact oscillator only gni-r and Runge-Kutta drift, with or without shifted momenta, since momenta here "
     "are kinetic; the gni on the trapezoidal rule for canonical momenta blows up.",
     "K. Modin, O. Verdier, Numer. Math. 145 (2020), problem; this library, docs/theory.md section 6", 0.8, contact},
    {0},
};
