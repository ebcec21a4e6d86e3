/* SPDX-License-Identifier: BSD-3-Clause */
/* Energy of methods on many problems; error against cost of retractions. */
#include <time.h>

#include "cli/figures/figures.h"

/* Survival -------------------------------------------------------------------------------------------------------- */

/* A problem and the length of its run. */
typedef struct problem {
    const char *label, *system, *settings;
    double h, T;
} problem;

static const problem problems[] = {
    {"particle", "particle", "", 0.1, 2000},          {"particle, V", "particle-quadratic", "", 0.2, 4000},
    {"snakeboard", "snakeboard", "", 0.1, 2000},      {"robot", "mobile-robot", "", 0.1, 2000},
    {"sleigh", "chaplygin-sleigh", "", 0.1, 2000},    {"Suslov", "suslov", "", 0.1, 2000},
    {"Veselova top", "veselova-top", "", 0.1, 1000},  {"disk", "rolling-disk", "", 0.01, 50},
    {"rattleback", "rattleback", "", 0.001, 20},      {"CVT", "cvt", "c2=-0.1", 0.1, 2000},
    {"contact", "contact-oscillator", "", 0.1, 2000}, {"chaotic", "chaotic-oscillator", "", 0.1, 1000},
};
enum { PROBLEMS = sizeof problems / sizeof problems[0] };

#define FAILED 100.0
/* Largest |H - H_0| over the last quarter, relative to max(|H_0|, T_0); FAILED for a run that fails. */
static double deviation(claim_report *r, const problem *q, const char *method)
{
    claim_system s;
    double worst = 0, scale, p[CLAIM_DIM];
    lg_integrator *it;
    const long steps = lround(q->T / q->h);
    if (!claim_open(r, &s, q->system, q->settings)) return NAN;
    it = claim_start(r, &s, method, "cayley", q->h, LG_START_REACTION);
    if (it == NULL || !claim_momentum_of(r, &s, 0, s.g0, s.xi0, p)) {
        lg_integrator_destroy(it);
        claim_close(&s);
        return NAN;
    }
    scale = 0;
    for (int i = 0; i < s.n; i++) scale += p[i] * s.xi0[i] / 2;
    const double H0 = lg_integrator_energy(it);
    scale = fmax(scale, fabs(H0));
    for (long k = 1; k <= steps && worst < FAILED; k++) {
        if (lg_integrator_step(it) != LG_OK || isnan(lg_integrator_energy(it))) worst = FAILED;
        if (k > 3 * steps / 4) worst = fmax(worst, fabs(lg_integrator_energy(it) - H0) / scale);
    }
    lg_integrator_destroy(it);
    claim_close(&s);
    return fmin(fmax(worst, 1e-16), FAILED);
}

void figure_survival(sheet *sh, claim_report *r, claim_system *none)
{
    static const char *const methods[] = {"sem", "nsv", "smv", "gni", "gni-r", "dla:midpoint", "rk4"};
    (void)none;
    sheet_panel(sh, "energy error in the last quarter of the run", "", "largest |H - H_0|/max(|H_0|, T_0) [–]",
                SHEET_LOG_Y);
    for (int i = 0; i < PROBLEMS; i++) sheet_category(sh, problems[i].label);
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        sheet_series(sh, methods[m], STYLE_POINTS, SHEET_BY_LABEL);
        for (int i = 0; i < PROBLEMS; i++)
            sheet_point(sh, i + 1 + 0.09 * ((double)m - 3), deviation(r, &problems[i], methods[m]));
    }
}

/* Error against cost ---------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t = {0, 0}; /* which does not change without a clock */
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of processor time for one run of `steps` steps, the least of several runs. */
static double seconds_of(claim_report *r, lg_integrator *it, long steps)
{
    double least = INFINITY;
    for (int k = 0; k < 5; k++) {
        double began;
        if (!claim_ok(r, lg_integrator_reset(it), "lg_integrator_reset", lg_integrator_message(it))) return NAN;
        began = now();
        if (!claim_steps(r, it, steps)) return NAN;
        least = fmin(least, now() - began);
    }
    return least;
}

static void cost_panel(sheet *sh, claim_report *r, const char *system, const char *title, const char *y, double T,
                       long coarsest)
{
    static const char *const retractions[] = {"exp", "cayley", "second-kind", "exp:order=2", "exp:order=4"};
    claim_system s;
    claim_state truth, end;
    if (!claim_open(r, &s, system, NULL)) return;
    if (!claim_truth(r, &s, T, (int)(8 * coarsest), &truth, NULL)) return;
    sheet_panel(sh, title, "processor time [s]", y, SHEET_LOG_X | SHEET_LOG_Y);
    for (size_t i = 0; i < sizeof retractions / sizeof retractions[0]; i++) {
        sheet_series(sh, retractions[i], STYLE_LINE_POINTS, SHEET_BY_LABEL);
        for (int k = 0; k < 7; k++) {
            const long steps = coarsest << k;
            lg_integrator *it = claim_start(r, &s, "gni", retractions[i], T / (double)steps, LG_START_REACTION);
            double seconds;
            if (it == NULL) break;
            seconds = seconds_of(r, it, steps);
            claim_read(it, &end);
            sheet_point(sh, seconds, fmax(claim_distance(s.G, truth.g, end.g), claim_gap(truth.p, end.p, s.n)));
            lg_integrator_destroy(it);
        }
    }
    claim_close(&s);
}

void figure_retractions(sheet *sh, claim_report *r, claim_system *none)
{
    (void)none;
    cost_panel(sh, r, "heavy-top", "heavy top, SO(3), T = 1 s", "error at T [SI units]", 1, 50);
    cost_panel(sh, r, "rolling-disk", "falling disk, R^3 × SO(3), T = 1 s", "error at T [SI units]", 1, 50);
    cost_panel(sh, r, "body-se3", "constrained body, SE(3), T = 5", "error at T [–]", 5, 25);
}
