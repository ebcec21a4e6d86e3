/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of all figures: [P0] 2 and 5, [P1] 1 to 4, [P2] 1 to 3, [P3] 2 and 3, [P4], and of this project. */
#include "cli/figures/figures.h"

/* Drawings -------------------------------------------------------------------------------------------------------- */

/* [P0] figure 5: |g - true g| in R^3 at every step; the true motion comes from a composition of order 8. */
static void draw_errors(sheet *sh, claim_report *r, claim_system *s)
{
    static const char *const methods[] = {"gni:midpoint", "dla:midpoint", "dla:midleft"};
    for (int i = 0; i < 3; i++) {
        lg_integrator *it = claim_start(r, s, methods[i], "exp", 0.1, LG_START_REACTION);
        lg_integrator *truth = claim_start(r, s, "sem@kahan-li8", "exp", 0.1, LG_START_REACTION);
        sheet_series(sh, methods[i], STYLE_LINE, SHEET_BY_LABEL);
        for (long k = 1; it != NULL && truth != NULL && k <= 100; k++) {
            const double *g, *exact;
            if (!claim_steps(r, it, 1) || !claim_steps(r, truth, 1)) break;
            g = lg_integrator_configuration(it), exact = lg_integrator_configuration(truth);
            sheet_point(sh, lg_integrator_time(it),
                        hypot(hypot(g[0] - exact[0], g[1] - exact[1]), remainder(g[2] - exact[2], 2 * FIGURE_PI)));
        }
        lg_integrator_destroy(it);
        lg_integrator_destroy(truth);
    }
}

/* Motions of the sleigh with m = I = 1, a = 0.2 from both sides of the straight runs of `rings` speeds, the multiples
 * of `speed`; `straight` are the straight runs that they begin with. Slower motions are longer, except with `shorter`.
 */
static void draw_rings(sheet *sh, claim_report *r, claim_system *s, const figure_series *series, int rings,
                       double speed, double straight, int shorter)
{
    for (int ring = 1; ring <= rings; ring++) {
        for (int side = -1; side <= 1; side += 2) {
            const double c = speed * ring;
            figure_series one = *series;
            s->xi0[0] = -straight * c;
            s->xi0[1] = 0;
            s->xi0[2] = side * sqrt((1 - straight * straight) / 1.04) * c;
            if (shorter) one.steps /= ring;
            if (ring > 1 || side > 0) one.label = "";
            figure_trace(sh, r, s, &one);
        }
    }
}

/* [P3] figure 2: h = 1 is no restriction: the map depends on h p. */
static void draw_momentum_map(sheet *sh, claim_report *r, claim_system *s)
{
    static const figure_series dla = {"dla:midpoint", STYLE_DOTS,     "dla:midpoint",   "exp", 1, 480, 1,
                                      FIGURE_TURNING, FIGURE_RUNNING, LG_START_REACTION};
    draw_rings(sh, r, s, &dla, 3, 0.1, 0.98, 1);
    for (int ring = 1; ring <= 3; ring++) {
        sheet_series(sh, ring == 1 ? "continuous flow: level curves of H" : "", STYLE_GUIDE, SHEET_BY_LABEL);
        figure_ellipse(sh, 0, 0, 0.1 * ring * sqrt(1.04), 0.1 * ring, 180);
    }
}

/* [P4] figure 4. */
static void draw_portrait(sheet *sh, claim_report *r, claim_system *s)
{
    static const figure_series sem = {
        "sem", STYLE_LINE, "sem", "exp", 0.1, 1200, 1, FIGURE_BODY_TURNING, FIGURE_BODY_RUNNING, LG_START_REACTION};
    draw_rings(sh, r, s, &sem, 4, 0.5, 0.999, 0);
    for (int side = -1; side <= 1; side += 2) {
        sheet_series(sh, side < 0 ? "unstable straight runs" : "stable straight runs", STYLE_POINTS, SHEET_BY_LABEL);
        for (int ring = 1; ring <= 4; ring++) sheet_point(sh, 0, 0.5 * side * ring);
    }
}

/* The parasitic mode grows at m a u/(I + m a^2), with u = sqrt(2 H) at the end. */
static void draw_rate(sheet *sh, claim_report *r, claim_system *s)
{
    (void)r, (void)s;
    sheet_series(sh, "predicted rate", STYLE_GUIDE, SHEET_BY_LABEL);
    sheet_point(sh, 15, 2e-5);
    sheet_point(sh, 55, 2e-5 * exp(40 * (0.2 * sqrt(1.4) / 1.04)));
}

/* The table ------------------------------------------------------------------------------------------------------- */

#define HEAD(which, what, above)                    .name = which, .summary = what, .title = above
#define PANEL(above, across, up, how)               .title = above, .x = across, .y = up, .flags = how
#define SLEIGH_PLANAR                               .system = "chaplygin-sleigh-planar", .settings = "m=1 I=1 a=0.2"
#define PARTICLE(method, y)                         method, STYLE_LINE, method, "exp", 0.2, 100, 1, FIGURE_TIME, y, 0
#define PATH(label, style, method, h, steps, every) label, style, method, "exp", h, steps, every, FIGURE_X, FIGURE_Y, 0
#define NORMAL(label, h, steps, every)                                                                                 \
    label, STYLE_LINE, "gni", "exp", h, steps, every, FIGURE_TIME, FIGURE_NORMAL, LG_START_REACTION
#define SPEED(label, style, method)                                                                                    \
    label, style, method, "exp", 0.1, 1500, 1, FIGURE_TIME, FIGURE_BODY_RUNNING, LG_START_REACTION
#define SPIN(label, style, start)                                                                                      \
    label, style, style == STYLE_LINE ? "sem" : "gni", "cayley", 0.001, 20000, 20, FIGURE_TIME, FIGURE_SPIN, start
#define SPINS                                                                                                          \
    .x = "t [s]", .y = "spin about the vertical, gamma·Omega [rad/s]", .low = -1.6, .high = 1.6,                       \
    .series = {{SPIN("sem", STYLE_LINE, 0)},                                                                           \
               {SPIN("gni, reaction start", STYLE_DASHED, LG_START_REACTION)},                                         \
               {SPIN("gni, legendre start", STYLE_DASHED, LG_START_LEGENDRE)}}
/* Energy and constraint of DLA and a Runge-Kutta method against sem, h = 0.2, T = 250. */
#define COMPARED(label, style, method, y) label, style, method, "exp", 0.2, 1250, 1, FIGURE_TIME, y, 0
#define ENERGIES                                                                                                       \
    .series = {{COMPARED("dla:midpoint", STYLE_LINE, "dla:midpoint", FIGURE_ENERGY)},                                  \
               {COMPARED("rk4, multipliers eliminated", STYLE_LINE, "rk4", FIGURE_ENERGY)},                            \
               {COMPARED("sem", STYLE_LINE, "sem", FIGURE_ENERGY)}}
#define RESIDUALS                                                                                                      \
    .low = 1e-18, .high = 1e-2,                                                                                        \
    .series = {{COMPARED("dla:midpoint", STYLE_DOTS, "dla:midpoint", FIGURE_RESIDUAL)},                                \
               {COMPARED("rk4", STYLE_LINE, "rk4", FIGURE_RESIDUAL)},                                                  \
               {COMPARED("sem", STYLE_DOTS, "sem", FIGURE_RESIDUAL)}}

static const figure figures[] = {
    {HEAD("000-2", "energy of GNI and DLA on the free particle", "GNI and DLA: energy of the nonholonomic particle"),
     .caption = "Free particle with z' = y x', start (0, -5, 0), velocity (1, 1, -5), H_0 = 13.5, h = 0.2, after "
                "figure 2 of Ferraro, Iglesias and Martín de Diego. (a) The energy of a step is H(p^-) for the GNI and "
                "constant to round-off (theorem 1: the metric is bi-invariant); that of DLA has a hump where y passes "
                "0, at t = 5. (b) Neither method conserves the energy of the momentum that satisfies the constraint, "
                "p~ or P^* p^+.",
     .system = "particle",
     .panels = {{PANEL("energy of a step", "t [–]", "|q_{k+1} - q_k|^2/(2 h^2) - H_0 [–]", 0),
                 .series = {{PARTICLE("dla:midpoint", FIGURE_STEP_CHANGE)},
                            {PARTICLE("gni:midpoint", FIGURE_STEP_CHANGE)}}},
                {PANEL("energy of the momentum in the constraints", "t [–]", "H - H_0 [–]", 0),
                 .series = {{PARTICLE("dla:midpoint", FIGURE_CHANGE)}, {PARTICLE("gni:midpoint", FIGURE_CHANGE)}}}}},
    {HEAD("000-5", "errors of GNI and DLA on the Chaplygin sleigh, and its heart-shaped loop",
          "Chaplygin sleigh: errors of GNI and DLA"),
     .caption = "Chaplygin sleigh in coordinates, m = J = 1, a = 0.2, h = 0.1 s, from (0, 0, 0) with velocity "
                "(-2.4, 0, 0.576), after figure 5 of Ferraro, Iglesias and Martín de Diego, whose methods start "
                "from two exact points. The reference is of order 8. (a) GNI and DLA with the constraint at the "
                "midpoint have similar errors; the errors of DLA with the constraint at the left end are one to two "
                "orders of magnitude larger. (b) Every third point of the GNI is shown.",
     SLEIGH_PLANAR, .velocity = {-2.4, 0, 0.576},
     .panels = {{PANEL("error", "t [s]", "error of (x, y, theta) [m, rad]", SHEET_LOG_Y), .draw = draw_errors},
                {PANEL("path of the contact", "x [m]", "y [m]", SHEET_EQUAL),
                 .series = {{PATH("reference, sem@kahan-li8", STYLE_LINE, "sem@kahan-li8", 0.1, 150, 1)},
                            {PATH("gni:midpoint", STYLE_MARKS, "gni:midpoint", 0.1, 150, 3)}}}}},
    {HEAD("001-1", "energy of DLA and Runge-Kutta on the particle in a quadratic potential",
          "Particle in a quadratic potential: energy"),
     .caption = "Particle with z' = y x' in the potential x^2 + y^2, H_0 = 2.5, h = 0.2, as in figure 1 of Cortés "
                "and Martínez. The energy of DLA oscillates and returns; that of the Runge-Kutta method falls and "
                "does not return; sem, the reference here, keeps it.",
     .system = "particle-quadratic", .panels = {{PANEL("energy", "t [–]", "H [–]", 0), ENERGIES}}},
    {HEAD("001-2", "constraint of DLA and Runge-Kutta on the same", "Particle in a quadratic potential: constraint"),
     .caption = "These runs: particle with z' = y x' in the potential x^2 + y^2, h = 0.2. The Runge-Kutta method "
                "leaves the constraint by up to 6e-4; DLA (its projected momentum) and sem satisfy it to "
                "round-off; residuals of exactly 0 are not drawn.",
     .system = "particle-quadratic",
     .panels = {{PANEL("constraint", "t [–]", "largest |A xi| [–]", SHEET_LOG_Y), RESIDUALS}}},
    {HEAD("001-3", "energy of DLA and Runge-Kutta on the mobile robot", "Mobile robot: energy"),
     .caption = "Mobile robot of fixed orientation in the potential 10 sin psi, h = 0.2 s, as in figure 3 of Cortés "
                "and Martínez. The energy of DLA stays in a band; that of the Runge-Kutta method falls steadily.",
     .system = "mobile-robot", .panels = {{PANEL("energy", "t [s]", "H [J]", 0), ENERGIES}}},
    {HEAD("001-4", "constraints of DLA and Runge-Kutta on the same", "Mobile robot: constraints"),
     .caption = "These runs: mobile robot of fixed orientation, h = 0.2 s. DLA and sem satisfy rolling without "
                "slipping to round-off (residuals of exactly 0 are not drawn); the Runge-Kutta method does not.",
     .system = "mobile-robot",
     .panels = {{PANEL("constraint", "t [s]", "largest |A xi| [m/s]", SHEET_LOG_Y), RESIDUALS}}},
    {HEAD("002-1", "errors against h for the homogeneous rolling ball", "Homogeneous rolling ball: errors"),
     .caption = "Homogeneous ball on a rotating table, I = 2/3, m = r = Omega = 1, from (1, 1) with velocity (1, 1), "
                "omega = (0, 2, 0), T = 10 s, Cayley: errors against the closed form, after figure 1 of Ferraro, "
                "Jiménez and Martín de Diego. The velocity xi_k of a step belongs to its middle: as the velocity at "
                "the node it is of order 1; the average momentum is of order 2. The paper's second method, its "
                "reference [29], is not drawn.",
     .system = "rolling-ball", .draw = figure_homogeneous},
    {HEAD("002-2", "orbit of the homogeneous rolling ball over 10000 steps", "Homogeneous rolling ball: 10000 steps"),
     .caption = "Homogeneous ball on a rotating table, I = 2/3, m = r = Omega = 1, GNI with Cayley, h = 0.1 s, 10000 "
                "steps, as in figure 2 of Ferraro, Jiménez and Martín de Diego: a closed circle about (-1.5, 3.5) "
                "of radius 3.5355 that neither grows nor shrinks.",
     .system = "rolling-ball", .draw = figure_orbit},
    {HEAD("002-3", "errors against h for the inhomogeneous rolling ball", "Inhomogeneous rolling ball: errors"),
     .caption = "Inhomogeneous ball with the constraint of the paper, I = (1, 1.1, 1.2), m = 3, r = 1, Omega = 0.2, "
                "from (1, 0) with omega = (-0.2, 0, 0.4), T = 15 s, Cayley, after figure 3 of Ferraro, Jiménez and "
                "Martín de Diego; errors against sem@kahan-li8. Position and velocity as the paper reports them are "
                "of order 1, and so is the energy of xi_k; the energy of the mean of two steps falls like h^2, as in "
                "the paper, until its term of order 1 changes sign near h = 5e-4 s. The average momentum with the "
                "reaction start is of order 2 throughout.",
     .system = "rolling-ball", .settings = "m=3 r=1 Omega=0.2 I1=1 I2=1.1 I3=1.2", .velocity = {0, 0.4, -0.2, 0, 0.4},
     .draw = figure_inhomogeneous},
    {HEAD("rolling-ball", "errors and orbit of the GNI on the rolling ball: the demonstration",
          "The GNI on the rolling ball"),
     .caption = "Homogeneous ball on a rotating table, I = 2/3, m = r = Omega = 1, from (1, 1) with velocity (1, 1), "
                "omega = (0, 2, 0), GNI. (a) Errors against the closed form, of the attitude against exp with "
                "h = 1e-4 s; all are of order 2, and only the attitude depends on the retraction. (b) 10000 steps of "
                "0.1 s with Cayley stay on the circle.",
     .system = "rolling-ball", .draw = figure_ball},
    {HEAD("003-2", "momentum dynamics of the discrete Chaplygin sleigh", "Discrete Chaplygin sleigh: momenta"),
     .caption = "Discrete momentum dynamics of the Chaplygin sleigh near the origin (dla:midpoint, m = J = 1, a = 0.2, "
                "h = 1 s), as in figure 2 of Fedorov and Zenkov. Both branches lead from the unstable straight runs "
                "(p_2 < 0) to the stable ones (p_2 > 0), close to the ellipses of the continuous flow.",
     SLEIGH_PLANAR,
     .panels = {{PANEL("momentum plane", "p_1, about the contact [kg m^2/s]", "p_2, along the blade [kg m/s]",
                       SHEET_EQUAL),
                 .draw = draw_momentum_map}}},
    {HEAD("003-3", "path of the discrete and the continuous Chaplygin sleigh", "Discrete Chaplygin sleigh: path"),
     .caption = "Contact point of the Chaplygin sleigh (m = J = 1, a = 0.2) from (0, 0, 0) with velocity (-0.95, 0, "
                "0.3), forward and backward: dla:midpoint with h = 0.5 s and the continuous motion, as in figure 3 of "
                "Fedorov and Zenkov. Both have the cusp and the same straight runs at the ends.",
     SLEIGH_PLANAR, .velocity = {-0.95, 0, 0.3},
     .panels = {{PANEL("path of the contact", "x [m]", "y [m]", SHEET_EQUAL),
                 .series = {{PATH("continuous motion, sem@kahan-li8", STYLE_LINE, "sem@kahan-li8", 0.1, 250, 1)},
                            {PATH("", STYLE_LINE, "sem@kahan-li8", -0.1, 70, 1)},
                            {PATH("dla:midpoint", STYLE_DOTS, "dla:midpoint", 0.5, 50, 1)},
                            {PATH("", STYLE_DOTS, "dla:midpoint", -0.5, 14, 1)}}}}},
    {HEAD("004-4", "phase portrait of the Chaplygin sleigh", "Chaplygin sleigh: phase portrait"),
     .caption = "Chaplygin sleigh, m = I = 1, a = 0.2: phase portrait as in figure 4 of Bloch, Marsden and Zenkov, by "
                "sem with exp, h = 0.1 s, T = 120 s. Every orbit is half an ellipse p_1^2/(I + m a^2) + p_2^2/m = 2 E "
                "from the negative to the positive p_2-axis, which attracts all motions.",
     .system = "chaplygin-sleigh", .settings = "m=1 I=1 a=0.2",
     .panels = {{PANEL("momentum plane", "p_1 [kg m^2/s]", "p_2 [kg m/s]", SHEET_EQUAL), .draw = draw_portrait}}},
    {HEAD("parasitic-growth", "the parasitic mode of the GNI on the sleigh, its predicted rate, and its effect",
          "The parasitic mode of the GNI"),
     .caption =
         "Chaplygin sleigh, m = I = 1, a = 0.2, u_0 = -0.6, omega_0 = 1, exp. A step of the GNI keeps the volume "
         "of T*Q; where the true flow contracts, the part of p^- normal to the constraint grows at the rate of "
         "contraction, m a u/(I + m a^2) (a), and finally reverses the motion (b). The step of sem has no "
         "such mode: its curve lies on that of the reference, of order 8.",
     .system = "chaplygin-sleigh", .settings = "m=1 I=1 a=0.2",
     .panels = {{PANEL("normal part of p^-", "t [s]", "|p^- - p~| [√J]", SHEET_LOG_Y),
                 .series = {{NORMAL("gni, h = 0.1 s", 0.1, 1000, 2)},
                            {NORMAL("gni, h = 0.05 s", 0.05, 2000, 4)},
                            {NORMAL("gni, h = 0.025 s", 0.025, 4000, 8)}},
                 .draw = draw_rate},
                {PANEL("momentum along the blade", "t [s]", "p_2 [kg m/s]", 0),
                 .series = {{SPEED("sem, h = 0.1 s", STYLE_LINE, "sem")},
                            {SPEED("reference, sem@kahan-li8", STYLE_DASHED, "sem@kahan-li8")},
                            {SPEED("gni, h = 0.1 s", STYLE_LINE, "gni")}}}}},
    {HEAD("004-disk", "path and periodic reduced orbit of the falling disk", "The falling disk"),
     .caption = "Falling disk of Bloch, Marsden and Zenkov, m = r = 1, thin and uniform, R_0 = R_x(1.3), Omega_0 = "
                "(0.2, 0.5, 4), T = 10 s, exp. Two integrals that are linear in the velocities make the reduced motion "
                "periodic (period 1.0637 s): its orbit closes, while the contact point wanders.",
     .system = "rolling-disk",
     .panels = {{PANEL("path of the contact", "x [m]", "y [m]", SHEET_EQUAL),
                 .series = {{"sem, h = 0.005 s", STYLE_LINE, "sem", "exp", 0.005, 2000, 4, FIGURE_CONTACT_X,
                             FIGURE_CONTACT_Y, 0}}},
                {PANEL("reduced orbit", "theta, from the vertical to the disk [rad]", "dtheta/dt [rad/s]", 0),
                 .series = {{"sem, h = 0.005 s", STYLE_LINE, "sem", "exp", 0.005, 2000, 4, FIGURE_TILT,
                             FIGURE_TILT_RATE, 0},
                            {"gni, h = 0.01 s, every 20th step", STYLE_MARKS, "gni", "exp", 0.01, 1000, 20, FIGURE_TILT,
                             FIGURE_TILT_RATE, 0}}}}},
    {HEAD("004-rattleback", "spin of the rattleback in both directions", "The rattleback"),
     .caption = "Rattleback of Kane and Levinson, tilted by 0.5 degrees, Cayley, h = 0.001 s. Spun one way it "
                "reverses at 1.93 s; spun the other way it does not within these 20 s. (Without losses both "
                "reverse again, after 43 and 39 s.) The start legendre excites the parasitic mode of the GNI, which "
                "causes a reversal that the true motion does not have.",
     .system = "rattleback",
     .panels = {{.title = "started with spin -1", SPINS}, {.title = "started with spin +1", .backward = 1, SPINS}}},
    {HEAD("survival", "which method keeps the energy on which problem", "Which method survives where"),
     .caption =
         "Twelve problems, seven methods, Cayley, 5e3 to 2e4 steps of h = 0.1 (particle with V 0.2, disk 0.01, "
         "rattleback 0.001): largest relative energy error in the last quarter. At 1 a run has lost its "
         "energy, at 100 it has failed. Only sem stays at round-off or the quadrature's error everywhere; GNI loses the energy of "
         "the contracting problems (sleigh, Suslov), smv and DLA drift on the non-reversible CVT.",
     .draw = figure_survival},
    {HEAD("retractions", "error against cost of exp, Cayley, second kind and truncated series",
          "Retractions: error against cost"),
     .caption = "Error of configuration and momentum at T against processor time of the GNI (without constraints: its "
                "variational step) for five retractions, steps halved from left to right. exp has the smallest error "
                "of a step, Cayley the lowest cost; the truncated series have the errors of exp but no closed forms, "
                "and cost several times more; coordinates of the second kind are not symmetric, so of order 1.",
     .draw = figure_retractions},
};

const figure *figure_at(int i)
{
    return i >= 0 && (size_t)i < sizeof figures / sizeof figures[0] ? &figures[i] : NULL;
}
