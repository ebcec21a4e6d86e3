/* SPDX-License-Identifier: BSD-3-Clause */
/* Rolling bodies: the disk and the rattleback of [P4], on R^3 x SO(3). */
#include "cli/figures/figures.h"

/* R(q), row-major, and gamma = R^T e_3, its last row. */
static void attitude(const lg_integrator *it, double *R)
{
    if (lg_group_to_matrix(lg_so3(), R, lg_integrator_configuration(it) + 3) != LG_OK) R[0] = NAN;
}

/* Coordinate i of the disk's contact x + R rho, rho = -r (gamma_1, gamma_2, 0)/|.| with r = 1. */
static double contact(const lg_integrator *it, int i)
{
    double R[9];
    attitude(it, R);
    return lg_integrator_configuration(it)[i] - (R[3 * i] * R[6] + R[3 * i + 1] * R[7]) / hypot(R[6], R[7]);
}

static double contact_x(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return contact(it, 0);
}

static double contact_y(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return contact(it, 1);
}

/* The angle between the disk's plane and the vertical, and its rate. */
static double tilt(const claim_system *s, const lg_integrator *it)
{
    double R[9];
    (void)s;
    attitude(it, R);
    return atan2(R[8], hypot(R[6], R[7]));
}

static double tilt_rate(const claim_system *s, const lg_integrator *it)
{
    double R[9], xi[6];
    (void)s;
    attitude(it, R);
    if (lg_integrator_velocity(it, xi) != LG_OK) return NAN;
    return (R[6] * xi[4] - R[7] * xi[3]) / hypot(R[6], R[7]);
}

static void disk(sheet *sh, claim_report *r)
{
    const figure_run sem = {"sem", "exp", 0.005, 0, 2000, 4}, gni = {"gni", "exp", 0.01, LG_START_REACTION, 1000, 20};
    claim_system s;
    if (!claim_open(r, &s, "rolling-disk", NULL)) return;
    sheet_panel(sh, "path of the contact", "x [m]", "y [m]", SHEET_EQUAL);
    figure_trace(sh, r, &s, &sem, "sem, h = 0.005 s", STYLE_LINE, contact_x, contact_y);
    sheet_panel(sh, "reduced orbit", "theta, from the vertical to the disk [rad]", "dtheta/dt [rad/s]", 0);
    figure_trace(sh, r, &s, &sem, "sem, h = 0.005 s", STYLE_LINE, tilt, tilt_rate);
    figure_trace(sh, r, &s, &gni, "gni, h = 0.01 s, every 20th step", STYLE_MARKS, tilt, tilt_rate);
    sheet_caption(
        sh, "Falling disk of Bloch, Marsden and Zenkov, m = r = 1, thin and uniform, R_0 = R_x(1.3), Omega_0 = (0.2, "
            "0.5, 4), T = 10 s, exp. Two integrals that are linear in the velocities make the reduced motion "
            "periodic (period 1.0637 s): its orbit closes, while the contact point wanders.");
    claim_close(&s);
}

/* gamma . Omega, the spin about the vertical. */
static double spin(const claim_system *s, const lg_integrator *it)
{
    double R[9], xi[6];
    (void)s;
    attitude(it, R);
    if (lg_integrator_velocity(it, xi) != LG_OK) return NAN;
    return R[6] * xi[3] + R[7] * xi[4] + R[8] * xi[5];
}

static void rattleback(sheet *sh, claim_report *r)
{
    const figure_run sem = {"sem", "cayley", 0.001, 0, 20000, 20};
    const figure_run gni = {"gni", "cayley", 0.001, LG_START_REACTION, 20000, 20};
    const figure_run naive = {"gni", "cayley", 0.001, LG_START_LEGENDRE, 20000, 20};
    claim_system s;
    if (!claim_open(r, &s, "rattleback", NULL)) return;
    for (int turn = 0; turn < 2; turn++) {
        sheet_panel(sh, turn == 0 ? "started with spin -1" : "started with spin +1", "t [s]",
                    "spin about the vertical, gamma·Omega [rad/s]", 0);
        sheet_limits(sh, -1.6, 1.6);
        figure_trace(sh, r, &s, &sem, "sem", STYLE_LINE, figure_time, spin);
        figure_trace(sh, r, &s, &gni, "gni, reaction start", STYLE_DASHED, figure_time, spin);
        figure_trace(sh, r, &s, &naive, "gni, legendre start", STYLE_DASHED, figure_time, spin);
        for (int i = 0; i < s.n; i++) s.xi0[i] = -s.xi0[i];
    }
    sheet_caption(sh,
                  "Rattleback of Kane and Levinson, tilted by 0.5 degrees, Cayley, h = 0.001 s. Spun one way it "
                  "reverses at 1.93 s; spun the other way it does not within these 20 s. (Without losses both "
                  "reverse again, after 43 and 39 s.) The start legendre excites the parasitic mode of the GNI, which "
                  "causes a reversal that the true motion does not have.");
    claim_close(&s);
}

const figure figures_rolling[] = {
    {"004-disk", "path and periodic reduced orbit of the falling disk", "The falling disk", disk},
    {"004-rattleback", "spin of the rattleback in both directions", "The rattleback", rattleback},
    {0},
};
