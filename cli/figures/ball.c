/* SPDX-License-Identifier: BSD-3-Clause */
/* The rolling ball: [P2] figures 1 to 3. */
#include "cli/figures/figures.h"

enum { LEVELS = 9 };

/* The quantities that are compared at the end of a run. */
typedef struct ending {
    double x[2], attitude[4], omega[3], energy;
} ending;

/* The velocity that is compared: that of the average p~ at the last node, the step velocity xi_N as the paper reports
 * it, or the mean of xi_N and the next step's velocity, whose energy the paper's figure 3 must show. */
typedef enum report { AVERAGE, STEP, MEAN } report;

static int run_to(claim_report *r, const claim_system *s, const char *method, const char *retraction, lg_start start,
                  double h, long steps, report what, ending *end)
{
    lg_integrator *it = claim_start(r, s, method, retraction, h, start);
    double xi[5] = {0}, p[5];
    int ok;
    if (it == NULL) return 0;
    ok = claim_steps(r, it, steps);
    if (what == MEAN) {
        memcpy(xi, lg_integrator_step_velocity(it), sizeof xi);
        ok = ok && claim_steps(r, it, 1);
        for (int i = 0; i < 5; i++) xi[i] = (xi[i] + lg_integrator_step_velocity(it)[i]) / 2;
    } else if (what == STEP) {
        memcpy(xi, lg_integrator_step_velocity(it), sizeof xi);
    } else {
        ok = ok && claim_ok(r, lg_integrator_velocity(it, xi), "lg_integrator_velocity", lg_integrator_message(it));
    }
    memcpy(end->x, lg_integrator_configuration(it), sizeof end->x);
    memcpy(end->attitude, lg_integrator_configuration(it) + 2, sizeof end->attitude);
    memcpy(end->omega, xi + 2, sizeof end->omega);
    end->energy = 0;
    ok = ok && claim_momentum_of(r, s, 0, lg_integrator_configuration(it), xi, p);
    for (int i = 0; ok && i < 5; i++) end->energy += p[i] * xi[i] / 2;
    lg_integrator_destroy(it);
    return ok;
}

typedef struct sweep {
    const char *label, *method;
    lg_start start;
    report what;
    style_kind style;
    double h[LEVELS], x[LEVELS], omega[LEVELS], energy[LEVELS];
    int count;
} sweep;

static void measure(claim_report *r, const claim_system *s, sweep *w, double T, long coarsest, int levels,
                    const ending *truth)
{
    for (int k = 0; k < levels; k++) {
        const long steps = coarsest << k;
        ending end;
        if (!run_to(r, s, w->method, "cayley", w->start, T / (double)steps, steps, w->what, &end)) return;
        w->h[w->count] = T / (double)steps;
        w->x[w->count] = hypot(end.x[0] - truth->x[0], end.x[1] - truth->x[1]);
        w->omega[w->count] = claim_gap(end.omega, truth->omega, 3);
        w->energy[w->count] = fabs(end.energy - truth->energy);
        w->count++;
    }
}

static void draw_series(sheet *sh, const sweep *w, const double *y)
{
    sheet_series(sh, w->label, w->style);
    for (int k = 0; k < w->count; k++)
        if (y[k] > 1e-13) sheet_point(sh, w->h[k], y[k]);
}

static void draw_sweeps(sheet *sh, sweep *w, int count, double from, double to)
{
    static const char *const titles[] = {"position (x, y)", "angular velocity", "energy"};
    static const char *const axes[] = {"error at the end [m]", "error at the end [rad/s]", "error at the end [J]"};
    for (int part = 0; part < 3; part++) {
        const double scale = part == 0 ? w[0].x[0] : part == 1 ? w[0].omega[0] : w[0].energy[0];
        sheet_panel(sh, titles[part], "h [s]", axes[part], SHEET_LOG_X | SHEET_LOG_Y);
        for (int i = 0; i < count; i++)
            if (w[i].what != MEAN || part == 2)
                draw_series(sh, &w[i], part == 0 ? w[i].x : part == 1 ? w[i].omega : w[i].energy);
        figure_power(sh, "slopes 1 and 2", from, to, 2 * scale / to, 1);
        figure_power(sh, "", from, to, 0.1 * scale / (to * to), 2);
    }
}

/* The state at t in closed form, but for the attitude. */
static int closed_form(claim_report *r, const claim_system *s, double t, ending *end)
{
    claim_state state;
    double xi[5];
    const lg_call c = {.param = s->S->parameter_values, .t = t, .lanes = 1};
    if (lg_model_describe(s->M)->exact(&c, s->g0, s->xi0, state.g, xi) != 0 ||
        !claim_momentum_of(r, s, 0, state.g, xi, state.p))
        return 0;
    memcpy(end->x, state.g, sizeof end->x);
    memcpy(end->omega, xi + 2, sizeof end->omega);
    end->energy = 0;
    for (int i = 0; i < 5; i++) end->energy += state.p[i] * xi[i] / 2;
    return 1;
}

static void homogeneous_errors(sheet *sh, claim_report *r)
{
    sweep w[3] = {
        {.label = "gni, xi_k, paper's start",
         .method = "gni",
         .start = LG_START_PAPER,
         .what = STEP,
         .style = STYLE_LINE_POINTS},
        {.label = "gni, p~, reaction start", .method = "gni", .start = LG_START_REACTION, .style = STYLE_LINE_POINTS},
        {.label = "sem", .method = "sem", .style = STYLE_LINE_POINTS},
    };
    claim_system s;
    ending truth;
    if (!claim_open(r, &s, "rolling-ball", NULL)) return;
    if (closed_form(r, &s, 10, &truth)) {
        for (int i = 0; i < 3; i++) measure(r, &s, &w[i], 10, 50, LEVELS, &truth);
        draw_sweeps(sh, w, 3, w[0].h[LEVELS - 1], w[0].h[0]);
    }
    sheet_caption(sh,
                  "Homogeneous ball on a rotating table, I = 2/3, m = r = Omega = 1, from (1, 1) with velocity (1, 1), "
                  "omega = (0, 2, 0), T = 10 s, Cayley: errors against the closed form, after figure 1 of Ferraro, "
                  "Jiménez and Martín de Diego. The velocity xi_k of a step belongs to its middle: as the velocity at "
                  "the node it is of order 1; the average momentum is of order 2. The paper's second method, its "
                  "reference [29], is not drawn.");
    claim_close(&s);
}

static void orbit_panel(sheet *sh, claim_report *r, const claim_system *s)
{
    const figure_run gni = {"gni", "cayley", 0.1, LG_START_REACTION, 10000, 1};
    sheet_panel(sh, "point of contact", "x [m]", "y [m]", SHEET_EQUAL);
    figure_trace(sh, r, s, &gni, "gni, 10000 steps", STYLE_DOTS, figure_x, figure_y);
    sheet_series(sh, "exact circle", STYLE_DASHED);
    for (int k = 0; k <= 360; k++) {
        const double radius = sqrt(12.5), angle = k * FIGURE_PI / 180;
        sheet_point(sh, -1.5 + radius * cos(angle), 3.5 + radius * sin(angle));
    }
    sheet_series(sh, "centre of the table", STYLE_POINTS);
    sheet_point(sh, 0, 0);
}

static void orbit(sheet *sh, claim_report *r)
{
    claim_system s;
    if (!claim_open(r, &s, "rolling-ball", NULL)) return;
    orbit_panel(sh, r, &s);
    sheet_caption(sh,
                  "Homogeneous ball on a rotating table, I = 2/3, m = r = Omega = 1, GNI with Cayley, h = 0.1 s, 10000 "
                  "steps, as in figure 2 of Ferraro, Jiménez and Martín de Diego: a closed circle about (-1.5, 3.5) "
                  "of radius 3.5355 that neither grows nor shrinks.");
    claim_close(&s);
}

/* Errors of the GNI at t = 10, and its orbit: the demonstration. */
static void errors_and_orbit(sheet *sh, claim_report *r)
{
    static const char *const labels[] = {"position", "angular velocity", "energy", "attitude, exp", "attitude, cayley"};
    enum { STEPS = 6 };
    double error[5][STEPS] = {{0}};
    ending truth, fine, end[2];
    claim_system s;
    if (!claim_open(r, &s, "rolling-ball", NULL)) return;
    if (!closed_form(r, &s, 10, &truth) ||
        !run_to(r, &s, "gni", "exp", LG_START_REACTION, 0.2 / 2048, 50 << 11, AVERAGE, &fine))
        return;
    for (int k = 0; k < STEPS; k++) {
        for (int i = 0; i < 2; i++) {
            if (!run_to(r, &s, "gni", i == 0 ? "exp" : "cayley", LG_START_REACTION, ldexp(0.2, -k), 50 << k, AVERAGE,
                        &end[i]) ||
                lg_group_distance(lg_so3(), &error[3 + i][k], end[i].attitude, fine.attitude) != LG_OK)
                return;
        }
        error[0][k] = hypot(end[1].x[0] - truth.x[0], end[1].x[1] - truth.x[1]);
        error[1][k] = claim_gap(end[1].omega, truth.omega, 3);
        error[2][k] = fabs(end[1].energy - truth.energy);
    }
    sheet_panel(sh, "errors at t = 10 s", "h [s]", "error [m, rad/s, J, rad]", SHEET_LOG_X | SHEET_LOG_Y);
    for (int i = 0; i < 5; i++) {
        sheet_series(sh, labels[i], STYLE_LINE_POINTS);
        for (int k = 0; k < STEPS; k++) sheet_point(sh, ldexp(0.2, -k), error[i][k]);
    }
    figure_power(sh, "slope 2", ldexp(0.2, 1 - STEPS), 0.2, 0.1, 2);
    orbit_panel(sh, r, &s);
    sheet_caption(sh,
                  "Homogeneous ball on a rotating table, I = 2/3, m = r = Omega = 1, from (1, 1) with velocity (1, 1), "
                  "omega = (0, 2, 0), GNI. (a) Errors against the closed form, of the attitude against exp with "
                  "h = 1e-4 s; all are of order 2, and only the attitude depends on the retraction. (b) 10000 steps of "
                  "0.1 s with Cayley stay on the circle.");
    claim_close(&s);
}

static void inhomogeneous_errors(sheet *sh, claim_report *r)
{
    sweep w[3] = {
        {.label = "gni, xi_k, paper's start",
         .method = "gni",
         .start = LG_START_PAPER,
         .what = STEP,
         .style = STYLE_LINE_POINTS},
        {.label = "gni, p~, reaction start", .method = "gni", .start = LG_START_REACTION, .style = STYLE_LINE_POINTS},
        {.label = "gni, (xi_k + xi_{k+1})/2, paper's start",
         .method = "gni",
         .start = LG_START_PAPER,
         .what = MEAN,
         .style = STYLE_LINE_POINTS},
    };
    static const double g0[6] = {1, 0, 0, 0, 0, 1}, xi0[5] = {0, 0.4, -0.2, 0, 0.4};
    claim_system s;
    ending truth;
    if (!claim_open(r, &s, "rolling-ball", "m=3 r=1 Omega=0.2 I1=1 I2=1.1 I3=1.2")) return;
    memcpy(s.g0, g0, sizeof g0);
    memcpy(s.xi0, xi0, sizeof xi0);
    if (run_to(r, &s, "sem@kahan-li8", "cayley", LG_START_REACTION, 0.05, 300, AVERAGE, &truth)) {
        for (int i = 0; i < 3; i++) measure(r, &s, &w[i], 15, 100, LEVELS, &truth);
        draw_sweeps(sh, w, 3, w[0].h[LEVELS - 1], w[0].h[0]);
    }
    sheet_caption(sh,
                  "Inhomogeneous ball with the constraint of the paper, I = (1, 1.1, 1.2), m = 3, r = 1, Omega = 0.2, "
                  "from (1, 0) with omega = (-0.2, 0, 0.4), T = 15 s, Cayley, after figure 3 of Ferraro, Jiménez and "
                  "Martín de Diego; errors against sem@kahan-li8. Position and velocity as the paper reports them are "
                  "of order 1, and so is the energy of xi_k; the energy of the mean of two steps falls like h^2, as in "
                  "the paper, until its term of order 1 changes sign near h = 5e-4 s. The average momentum with the "
                  "reaction start is of order 2 throughout.");
    claim_close(&s);
}

const figure figures_ball[] = {
    {"002-1", "errors against h for the homogeneous rolling ball", "Homogeneous rolling ball: errors",
     homogeneous_errors},
    {"002-2", "orbit of the homogeneous rolling ball over 10000 steps", "Homogeneous rolling ball: 10000 steps", orbit},
    {"002-3", "errors against h for the inhomogeneous rolling ball", "Inhomogeneous rolling ball: errors",
     inhomogeneous_errors},
    {"rolling-ball", "errors and orbit of the GNI on the rolling ball: the demonstration",
     "The GNI on the rolling ball", errors_and_orbit},
    {0},
};
