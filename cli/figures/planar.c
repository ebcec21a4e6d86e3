/* SPDX-License-Identifier: BSD-3-Clause */
/* The planar examples: [P0] figures 2 and 5, [P1] figures 1 to 4. */
#include "cli/figures/figures.h"

/* Energy and constraint of the particle and the robot -------------------------------------------------------------- */

/* The largest residual of the continuous constraints; for DLA that of its discrete constraints, which takes its
 * place. */
static double residual(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return lg_integrator_constraint_residual(it);
}

/* The axes' labels of a system without units, and of one with them. */
typedef struct units {
    const char *time, *energy, *velocity;
} units;

static const units none = {"t [–]", "H [–]", "largest |A xi| [–]"}, si = {"t [s]", "H [J]", "largest |A xi| [m/s]"};

static void compare_energy(sheet *sh, claim_report *r, const claim_system *s, const units *u, double h, double T)
{
    const long steps = lround(T / h);
    const figure_run rk4 = {"rk4", "exp", h, 0, steps, 1}, dla = {"dla:midpoint", "exp", h, 0, steps, 1};
    const figure_run sem = {"sem", "exp", h, 0, steps, 1};
    sheet_panel(sh, "energy", u->time, u->energy, 0);
    figure_trace(sh, r, s, &dla, "dla:midpoint", STYLE_LINE, figure_time, figure_energy);
    figure_trace(sh, r, s, &rk4, "rk4, multipliers eliminated", STYLE_LINE, figure_time, figure_energy);
    figure_trace(sh, r, s, &sem, "sem", STYLE_LINE, figure_time, figure_energy);
}

static void compare_constraint(sheet *sh, claim_report *r, const claim_system *s, const units *u, double h, double T)
{
    const long steps = lround(T / h);
    const figure_run rk4 = {"rk4", "exp", h, 0, steps, 1}, dla = {"dla:midpoint", "exp", h, 0, steps, 1};
    const figure_run sem = {"sem", "exp", h, 0, steps, 1};
    sheet_panel(sh, "constraint", u->time, u->velocity, SHEET_LOG_Y);
    sheet_limits(sh, 1e-18, 1e-2);
    figure_trace(sh, r, s, &dla, "dla:midpoint", STYLE_DOTS, figure_time, residual);
    figure_trace(sh, r, s, &rk4, "rk4", STYLE_LINE, figure_time, residual);
    figure_trace(sh, r, s, &sem, "sem", STYLE_DOTS, figure_time, residual);
}

static void particle_energy(sheet *sh, claim_report *r)
{
    claim_system s;
    if (!claim_open(r, &s, "particle-quadratic", NULL)) return;
    compare_energy(sh, r, &s, &none, 0.2, 250);
    sheet_caption(sh,
                  "Particle with z' = y x' in the potential x^2 + y^2, H_0 = 2.5, h = 0.2, as in figure 1 of Cortés "
                  "and Martínez. The energy of DLA oscillates and returns; that of the Runge-Kutta method falls and "
                  "does not return; sem, the reference here, keeps it.");
    claim_close(&s);
}

static void particle_constraint(sheet *sh, claim_report *r)
{
    claim_system s;
    if (!claim_open(r, &s, "particle-quadratic", NULL)) return;
    compare_constraint(sh, r, &s, &none, 0.2, 250);
    sheet_caption(sh,
                  "The same runs: particle with z' = y x' in the potential x^2 + y^2, h = 0.2. The Runge-Kutta method "
                  "leaves the constraint by up to 6e-4; DLA (its projected momentum) and sem satisfy it to "
                  "round-off; residuals of exactly 0 are not drawn.");
    claim_close(&s);
}

static void robot_energy(sheet *sh, claim_report *r)
{
    claim_system s;
    if (!claim_open(r, &s, "mobile-robot", NULL)) return;
    compare_energy(sh, r, &s, &si, 0.2, 250);
    sheet_caption(sh,
                  "Mobile robot of fixed orientation in the potential 10 sin psi, h = 0.2 s, as in figure 3 of Cortés "
                  "and Martínez. The energy of DLA stays in a band; that of the Runge-Kutta method falls steadily.");
    claim_close(&s);
}

static void robot_constraint(sheet *sh, claim_report *r)
{
    claim_system s;
    if (!claim_open(r, &s, "mobile-robot", NULL)) return;
    compare_constraint(sh, r, &s, &si, 0.2, 250);
    sheet_caption(sh,
                  "The same runs: mobile robot of fixed orientation, h = 0.2 s. DLA and sem satisfy rolling without "
                  "slipping to round-off (residuals of exactly 0 are not drawn); the Runge-Kutta method does not.");
    claim_close(&s);
}

/* [P0] figure 2 --------------------------------------------------------------------------------------------------- */

/* The energy of a step's velocity; for the GNI here it is that of p^-. */
static double change(const claim_system *s, const lg_integrator *it)
{
    const double *v = lg_integrator_step_velocity(it);
    (void)s;
    return lg_integrator_step_index(it) == 0 ? NAN : (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 - 13.5;
}

static double change_average(const claim_system *s, const lg_integrator *it)
{
    (void)s;
    return lg_integrator_energy(it) - 13.5;
}

static void gni_against_dla(sheet *sh, claim_report *r)
{
    const figure_run gni = {"gni:midpoint", "exp", 0.2, LG_START_REACTION, 100, 1};
    const figure_run dla = {"dla:midpoint", "exp", 0.2, 0, 100, 1};
    claim_system s;
    if (!claim_open(r, &s, "particle", NULL)) return;
    sheet_panel(sh, "energy of a step", "t [–]", "|q_{k+1} - q_k|^2/(2 h^2) - H_0 [–]", 0);
    figure_trace(sh, r, &s, &dla, "dla:midpoint", STYLE_LINE, figure_time, change);
    figure_trace(sh, r, &s, &gni, "gni:midpoint", STYLE_LINE, figure_time, change);
    sheet_panel(sh, "energy of the momentum in the constraints", "t [–]", "H - H_0 [–]", 0);
    figure_trace(sh, r, &s, &dla, "dla:midpoint", STYLE_LINE, figure_time, change_average);
    figure_trace(sh, r, &s, &gni, "gni:midpoint", STYLE_LINE, figure_time, change_average);
    sheet_caption(
        sh, "Free particle with z' = y x', start (0, -5, 0), velocity (1, 1, -5), H_0 = 13.5, h = 0.2, after figure 2 "
            "of Ferraro, Iglesias and Martín de Diego. (a) The energy of a step is H(p^-) for the GNI and constant to "
            "round-off (theorem 1: the metric is bi-invariant); that of DLA has a hump where y passes 0, at t = 5. "
            "(b) Neither method conserves the energy of the momentum that satisfies the constraint, p~ or P^* p^+.");
    claim_close(&s);
}

/* [P0] figure 5 --------------------------------------------------------------------------------------------------- */

/* |g - true g| in R^3 at every step; the true motion comes from a composition of order 8. */
static void error_trace(sheet *sh, claim_report *r, const claim_system *s, const char *method, double h, long steps,
                        style_kind style)
{
    lg_integrator *it = claim_start(r, s, method, "exp", h, LG_START_REACTION);
    lg_integrator *truth = claim_start(r, s, "sem@kahan-li8", "exp", h, LG_START_REACTION);
    sheet_series(sh, method, style);
    for (long k = 1; it != NULL && truth != NULL && k <= steps; k++) {
        const double *g, *exact;
        if (!claim_steps(r, it, 1) || !claim_steps(r, truth, 1)) break;
        g = lg_integrator_configuration(it), exact = lg_integrator_configuration(truth);
        sheet_point(sh, lg_integrator_time(it),
                    hypot(hypot(g[0] - exact[0], g[1] - exact[1]), remainder(g[2] - exact[2], 2 * FIGURE_PI)));
    }
    lg_integrator_destroy(it);
    lg_integrator_destroy(truth);
}

static void sleigh_error(sheet *sh, claim_report *r)
{
    static const double velocity[3] = {-2.4, 0, 0.576};
    const figure_run path = {"sem@kahan-li8", "exp", 0.1, 0, 150, 1}, gni = {"gni:midpoint", "exp", 0.1, 0, 150, 3};
    claim_system s;
    if (!claim_open(r, &s, "chaplygin-sleigh-planar", "m=1 I=1 a=0.2")) return;
    memset(s.g0, 0, sizeof s.g0);
    memcpy(s.xi0, velocity, sizeof velocity);
    sheet_panel(sh, "error", "t [s]", "error of (x, y, theta) [m, rad]", SHEET_LOG_Y);
    error_trace(sh, r, &s, "gni:midpoint", 0.1, 100, STYLE_LINE);
    error_trace(sh, r, &s, "dla:midpoint", 0.1, 100, STYLE_LINE);
    error_trace(sh, r, &s, "dla:midleft", 0.1, 100, STYLE_LINE);
    sheet_panel(sh, "path of the contact", "x [m]", "y [m]", SHEET_EQUAL);
    figure_trace(sh, r, &s, &path, "reference, sem@kahan-li8", STYLE_LINE, figure_x, figure_y);
    figure_trace(sh, r, &s, &gni, "gni:midpoint", STYLE_MARKS, figure_x, figure_y);
    sheet_caption(
        sh,
        "Chaplygin sleigh in coordinates, m = J = 1, a = 0.2, h = 0.1 s, from (0, 0, 0) with velocity "
        "(-2.4, 0, 0.576), after figure 5 of Ferraro, Iglesias and Martín de Diego, whose methods start "
        "from two exact points. The reference is of order 8. (a) GNI and DLA with the constraint at the midpoint have "
        "similar errors; the errors of DLA with the constraint at the left end are one to two orders of magnitude "
        "larger. (b) Every third point of the GNI is shown.");
    claim_close(&s);
}

const figure figures_planar[] = {
    {"000-2", "energy of GNI and DLA on the free particle", "GNI and DLA: energy of the nonholonomic particle",
     gni_against_dla},
    {"000-5", "errors of GNI and DLA on the Chaplygin sleigh, and its heart-shaped loop",
     "Chaplygin sleigh: errors of GNI and DLA", sleigh_error},
    {"001-1", "energy of DLA and Runge-Kutta on the particle in a quadratic potential",
     "Particle in a quadratic potential: energy", particle_energy},
    {"001-2", "constraint of DLA and Runge-Kutta on the same", "Particle in a quadratic potential: constraint",
     particle_constraint},
    {"001-3", "energy of DLA and Runge-Kutta on the mobile robot", "Mobile robot: energy", robot_energy},
    {"001-4", "constraints of DLA and Runge-Kutta on the same", "Mobile robot: constraints", robot_constraint},
    {0},
};
