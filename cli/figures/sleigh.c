/* SPDX-License-Identifier: BSD-3-Clause */
/* The Chaplygin sleigh: [P3] figures 2 and 3, [P4] figure 4, and the parasitic mode of the GNI. */
#include "cli/figures/figures.h"

/* The nonholonomic momentum ([P3] (9)) of the planar sleigh: about the contact, along the blade. */
static double turning(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return lg_integrator_momentum_plus(it)[2];
}

static double running(const claim_system *s, const lg_integrator *it)
{
    const double *p = lg_integrator_momentum_plus(it), theta = lg_integrator_configuration(it)[2];
    (void)s;
    return p[0] * cos(theta) + p[1] * sin(theta);
}

/* [P3] figure 2: the discrete momentum map from points on ellipses. h = 1 is no restriction: the map depends on h p. */
static void momentum_map(sheet *sh, claim_report *r)
{
    claim_system s;
    if (!claim_open(r, &s, "chaplygin-sleigh-planar", "m=1 I=1 a=0.2")) return;
    sheet_panel(sh, "momentum plane", "p_1, about the contact [kg m^2/s]", "p_2, along the blade [kg m/s]",
                SHEET_EQUAL);
    for (int ring = 1; ring <= 3; ring++) {
        for (int side = -1; side <= 1; side += 2) {
            const figure_run dla = {"dla:midpoint", "exp", 1, 0, 480 / ring, 1};
            const double c = 0.1 * ring;
            memset(s.g0, 0, sizeof s.g0);
            s.xi0[0] = -0.98 * c;
            s.xi0[1] = 0;
            s.xi0[2] = side * sqrt((1 - 0.98 * 0.98) / 1.04) * c;
            figure_trace(sh, r, &s, &dla, ring == 1 && side < 0 ? "dla:midpoint" : "", STYLE_DOTS, turning, running);
        }
    }
    for (int ring = 1; ring <= 3; ring++) {
        sheet_series(sh, ring == 1 ? "continuous flow: level curves of H" : "", STYLE_GUIDE);
        for (int k = 0; k <= 180; k++)
            sheet_point(sh, 0.1 * ring * sqrt(1.04) * cos(k * FIGURE_PI / 90), 0.1 * ring * sin(k * FIGURE_PI / 90));
    }
    sheet_caption(
        sh, "Discrete momentum dynamics of the Chaplygin sleigh near the origin (dla:midpoint, m = J = 1, a = 0.2, "
            "h = 1 s), as in figure 2 of Fedorov and Zenkov. Both branches lead from the unstable straight runs "
            "(p_2 < 0) to the stable ones (p_2 > 0), close to the ellipses of the continuous flow.");
    claim_close(&s);
}

static void path(sheet *sh, claim_report *r)
{
    static const double velocity[3] = {-0.95, 0, 0.3};
    const figure_run dots = {"dla:midpoint", "exp", 0.5, 0, 50, 1}, back = {"dla:midpoint", "exp", -0.5, 0, 14, 1};
    const figure_run truth = {"sem@kahan-li8", "exp", 0.1, 0, 250, 1},
                     before = {"sem@kahan-li8", "exp", -0.1, 0, 70, 1};
    claim_system s;
    if (!claim_open(r, &s, "chaplygin-sleigh-planar", "m=1 I=1 a=0.2")) return;
    memset(s.g0, 0, sizeof s.g0);
    memcpy(s.xi0, velocity, sizeof velocity);
    sheet_panel(sh, "path of the contact", "x [m]", "y [m]", SHEET_EQUAL);
    figure_trace(sh, r, &s, &truth, "continuous motion, sem@kahan-li8", STYLE_LINE, figure_x, figure_y);
    figure_trace(sh, r, &s, &before, "", STYLE_LINE, figure_x, figure_y);
    figure_trace(sh, r, &s, &dots, "dla:midpoint", STYLE_DOTS, figure_x, figure_y);
    figure_trace(sh, r, &s, &back, "", STYLE_DOTS, figure_x, figure_y);
    sheet_caption(
        sh, "Contact point of the Chaplygin sleigh (m = J = 1, a = 0.2) from (0, 0, 0) with velocity (-0.95, 0, "
            "0.3), forward and backward: dla:midpoint with h = 0.5 s and the continuous motion, as in figure 3 of "
            "Fedorov and Zenkov. Both have the cusp and the same straight runs at the ends.");
    claim_close(&s);
}

/* [P4] figure 4 --------------------------------------------------------------------------------------------------- */

static double body_turning(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return lg_integrator_momentum(it)[2];
}

static double body_running(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return lg_integrator_momentum(it)[0];
}

static void portrait(sheet *sh, claim_report *r)
{
    const figure_run sem = {"sem", "exp", 0.1, 0, 1200, 1};
    claim_system s;
    if (!claim_open(r, &s, "chaplygin-sleigh", "m=1 I=1 a=0.2")) return;
    sheet_panel(sh, "momentum plane", "p_1 [kg m^2/s]", "p_2 [kg m/s]", SHEET_EQUAL);
    for (int ring = 1; ring <= 4; ring++) {
        for (int side = -1; side <= 1; side += 2) {
            const double c = 0.5 * ring;
            s.xi0[0] = -0.999 * c;
            s.xi0[1] = 0;
            s.xi0[2] = side * sqrt((1 - 0.999 * 0.999) / 1.04) * c;
            figure_trace(sh, r, &s, &sem, ring == 1 && side < 0 ? "sem" : "", STYLE_LINE, body_turning, body_running);
        }
    }
    sheet_series(sh, "unstable straight runs", STYLE_POINTS);
    for (int ring = 1; ring <= 4; ring++) sheet_point(sh, 0, -0.5 * ring);
    sheet_series(sh, "stable straight runs", STYLE_POINTS);
    for (int ring = 1; ring <= 4; ring++) sheet_point(sh, 0, 0.5 * ring);
    sheet_caption(
        sh, "Chaplygin sleigh, m = I = 1, a = 0.2: phase portrait as in figure 4 of Bloch, Marsden and Zenkov, by "
            "sem with exp, h = 0.1 s, T = 120 s. Every orbit is half an ellipse p_1^2/(I + m a^2) + p_2^2/m = 2 E from "
            "the negative to the positive p_2-axis, which attracts all motions.");
    claim_close(&s);
}

/* The parasitic mode ---------------------------------------------------------------------------------------------- */

static double normal(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return lg_integrator_normal_part(it);
}

static double speed(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return lg_integrator_momentum(it)[0];
}

static void parasitic(sheet *sh, claim_report *r)
{
    static const double steps[3] = {0.1, 0.05, 0.025};
    const double rate = 0.2 * sqrt(1.4) / 1.04; /* m a u / (I + m a^2) at the end, u = sqrt(2 H) */
    const figure_run gni = {"gni", "exp", 0.1, LG_START_REACTION, 1500, 1}, sem = {"sem", "exp", 0.1, 0, 1500, 1},
                     reference = {"sem@kahan-li8", "exp", 0.1, 0, 1500, 1};
    claim_system s;
    char label[40];
    if (!claim_open(r, &s, "chaplygin-sleigh", "m=1 I=1 a=0.2")) return;
    sheet_panel(sh, "normal part of p^-", "t [s]", "|p^- - p~| [√J]", SHEET_LOG_Y);
    for (int i = 0; i < 3; i++) {
        const figure_run run = {"gni", "exp", steps[i], LG_START_REACTION, lround(100 / steps[i]), 2L << i};
        snprintf(label, sizeof label, "gni, h = %g s", steps[i]);
        figure_trace(sh, r, &s, &run, label, STYLE_LINE, figure_time, normal);
    }
    sheet_series(sh, "predicted rate", STYLE_GUIDE);
    sheet_point(sh, 15, 2e-5);
    sheet_point(sh, 55, 2e-5 * exp(40 * rate));
    sheet_panel(sh, "momentum along the blade", "t [s]", "p_2 [kg m/s]", 0);
    figure_trace(sh, r, &s, &sem, "sem, h = 0.1 s", STYLE_LINE, figure_time, speed);
    figure_trace(sh, r, &s, &reference, "reference, sem@kahan-li8", STYLE_DASHED, figure_time, speed);
    figure_trace(sh, r, &s, &gni, "gni, h = 0.1 s", STYLE_LINE, figure_time, speed);
    sheet_caption(
        sh, "Chaplygin sleigh, m = I = 1, a = 0.2, u_0 = -0.6, omega_0 = 1, exp. A step of the GNI keeps the volume of "
            "T*Q; where the true flow contracts, the part of p^- normal to the constraint grows at the rate of "
            "contraction, m a u/(I + m a^2) (a), and finally reverses the motion (b). The step of sem has no "
            "such mode: its curve lies on that of the reference, of order 8.");
    claim_close(&s);
}

const figure figures_sleigh[] = {
    {"003-2", "momentum dynamics of the discrete Chaplygin sleigh", "Discrete Chaplygin sleigh: momenta", momentum_map},
    {"003-3", "path of the discrete and the continuous Chaplygin sleigh", "Discrete Chaplygin sleigh: path", path},
    {"004-4", "phase portrait of the Chaplygin sleigh", "Chaplygin sleigh: phase portrait", portrait},
    {"parasitic-growth", "the parasitic mode of the GNI on the sleigh, its predicted rate, and its effect",
     "The parasitic mode of the GNI", parasitic},
    {0},
};
