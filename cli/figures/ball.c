/* SPDX-License-Identifier: BSD-3-Clause */
/* The rolling ball: [P2] figures 1 to 3, and the demonstration. */
#include "cli/figures/figures.h"

enum { LEVELS = 9, PARTS = 3 };

/* The quantities that are compared at the end of a run. */
typedef struct ending {
    double x[2], attitude[4], omega[3], energy;
} ending;

/* The velocity that is compared: that of the average p~ at the last node, the step velocity xi_N as the paper reports
 * it, or the mean of xi_N and the next step's velocity, whose energy the paper's figure 3 must show. */
typedef enum report { AVERAGE, STEP, MEAN } report;

typedef struct way {
    const char *label, *method, *retraction;
    lg_start start;
    report what;
} way;

static const way as_reported = {"gni, xi_k, paper's start", "gni", "cayley", LG_START_PAPER, STEP},
                 averaged = {"gni, p~, reaction start", "gni", "cayley", LG_START_REACTION, AVERAGE};

typedef struct sweep {
    way way;
    double h[LEVELS], error[PARTS][LEVELS]; /* of position, angular velocity, energy */
    int count;
} sweep;

static int end_at(claim_report *r, const claim_system *s, double t, const double *g, const double *xi, ending *end)
{
    double p[CLAIM_DIM];
    memcpy(end->x, g, sizeof end->x);
    memcpy(end->attitude, g + 2, sizeof end->attitude);
    memcpy(end->omega, xi + 2, sizeof end->omega);
    end->energy = 0;
    if (!claim_momentum_of(r, s, t, g, xi, p)) return 0;
    for (int i = 0; i < 5; i++) end->energy += p[i] * xi[i] / 2;
    return 1;
}

static int run_to(claim_report *r, const claim_system *s, const way *w, double h, long steps, ending *end)
{
    lg_integrator *it = claim_start(r, s, w->method, w->retraction, h, w->start);
    double xi[5] = {0};
    int ok;
    if (it == NULL) return 0;
    ok = claim_steps(r, it, steps);
    if (w->what != AVERAGE)
        memcpy(xi, lg_integrator_step_velocity(it), sizeof xi);
    else
        ok = ok && claim_ok(r, lg_integrator_velocity(it, xi), "lg_integrator_velocity", lg_integrator_message(it));
    if (w->what == MEAN) {
        ok = ok && claim_steps(r, it, 1);
        for (int i = 0; i < 5; i++) xi[i] = (xi[i] + lg_integrator_step_velocity(it)[i]) / 2;
    }
    ok = ok && end_at(r, s, 0, lg_integrator_configuration(it), xi, end);
    lg_integrator_destroy(it);
    return ok;
}

/* The state at t in closed form, but for the attitude. */
static int closed_form(claim_report *r, const claim_system *s, double t, ending *end)
{
    double g[CLAIM_ELEMENT] = {0}, xi[5];
    const lg_call c = {.param = s->S->parameter_values, .t = t, .lanes = 1};
    return lg_model_describe(s->M)->exact(&c, s->g0, s->xi0, g, xi) == 0 && end_at(r, s, t, g, xi, end);
}

static int measure(claim_report *r, const claim_system *s, sweep *w, double T, long coarsest, int levels,
                   const ending *truth)
{
    for (int k = 0; k < levels; k++) {
        const long steps = coarsest << k;
        ending end;
        if (!run_to(r, s, &w->way, T / (double)steps, steps, &end)) return 0;
        w->h[k] = T / (double)steps;
        w->error[0][k] = hypot(end.x[0] - truth->x[0], end.x[1] - truth->x[1]);
        w->error[1][k] = claim_gap(end.omega, truth->omega, 3);
        w->error[2][k] = fabs(end.energy - truth->energy);
        w->count++;
    }
    return 1;
}

static void draw_series(sheet *sh, const sweep *w, const char *label, const double *error)
{
    sheet_series(sh, label, STYLE_LINE_POINTS, SHEET_BY_LABEL);
    for (int k = 0; k < w->count; k++)
        if (error[k] > 1e-13) sheet_point(sh, w->h[k], error[k]);
}

/* Three sweeps over the step from T/coarsest on: a panel for each error. */
static void draw_sweeps(sheet *sh, claim_report *r, const claim_system *s, sweep w[3], double T, long coarsest,
                        const ending *truth)
{
    static const char *const titles[] = {"position (x, y)", "angular velocity", "energy"};
    static const char *const axes[] = {"error at the end [m]", "error at the end [rad/s]", "error at the end [J]"};
    for (int i = 0; i < 3; i++) (void)measure(r, s, &w[i], T, coarsest, LEVELS, truth);
    for (int part = 0; part < PARTS; part++) {
        const double scale = w[0].error[part][0], from = w[0].h[LEVELS - 1], to = w[0].h[0];
        sheet_panel(sh, titles[part], "h [s]", axes[part], SHEET_LOG_X | SHEET_LOG_Y);
        for (int i = 0; i < 3; i++)
            if (w[i].way.what != MEAN || part == 2) draw_series(sh, &w[i], w[i].way.label, w[i].error[part]);
        figure_power(sh, "slopes 1 and 2", from, to, 2 * scale / to, 1);
        figure_power(sh, "", from, to, 0.1 * scale / (to * to), 2);
    }
}

void figure_homogeneous(sheet *sh, claim_report *r, claim_system *s)
{
    static const way sem = {"sem", "sem", "cayley", LG_START_REACTION, AVERAGE};
    sweep w[3] = {{.way = as_reported}, {.way = averaged}, {.way = sem}};
    ending truth;
    if (closed_form(r, s, 10, &truth)) draw_sweeps(sh, r, s, w, 10, 50, &truth);
}

void figure_inhomogeneous(sheet *sh, claim_report *r, claim_system *s)
{
    static const way reference = {"", "sem@kahan-li8", "cayley", LG_START_REACTION, AVERAGE};
    static const way mean = {"gni, (xi_k + xi_{k+1})/2, paper's start", "gni", "cayley", LG_START_PAPER, MEAN};
    sweep w[3] = {{.way = as_reported}, {.way = averaged}, {.way = mean}};
    static const double g0[6] = {1, 0, 0, 0, 0, 1};
    ending truth;
    memcpy(s->g0, g0, sizeof g0);
    if (run_to(r, s, &reference, 0.05, 300, &truth)) draw_sweeps(sh, r, s, w, 15, 100, &truth);
}

void figure_orbit(sheet *sh, claim_report *r, claim_system *s)
{
    static const figure_series gni = {"gni, 10000 steps", STYLE_DOTS,       "gni", "cayley", 0.1, 10000, 1, FIGURE_X,
                                      FIGURE_Y,           LG_START_REACTION};
    sheet_panel(sh, "point of contact", "x [m]", "y [m]", SHEET_EQUAL);
    figure_trace(sh, r, s, &gni);
    sheet_series(sh, "exact circle", STYLE_DASHED, SHEET_BY_LABEL);
    figure_ellipse(sh, -1.5, 3.5, sqrt(12.5), sqrt(12.5), 360);
    sheet_series(sh, "centre of the table", STYLE_POINTS, SHEET_BY_LABEL);
    sheet_point(sh, 0, 0);
}

/* The demonstration: the orbit, after errors of the GNI at t = 10, of the attitude against a fine run with exp. */
void figure_ball(sheet *sh, claim_report *r, claim_system *s)
{
    enum { STEPS = 6 };
    static const way ways[2] = {{"attitude, exp", "gni", "exp", LG_START_REACTION, AVERAGE},
                                {"attitude, cayley", "gni", "cayley", LG_START_REACTION, AVERAGE}};
    sweep w = {.way = ways[1]};
    static const char *const labels[PARTS] = {"position", "angular velocity", "energy"};
    ending truth, fine, end;
    sheet_panel(sh, "errors at t = 10 s", "h [s]", "error [m, rad/s, J, rad]", SHEET_LOG_X | SHEET_LOG_Y);
    if (!closed_form(r, s, 10, &truth) || !run_to(r, s, &ways[0], 0.2 / 2048, 50 << 11, &fine)) return;
    if (!measure(r, s, &w, 10, 50, STEPS, &truth)) return;
    for (int i = 0; i < PARTS; i++) draw_series(sh, &w, labels[i], w.error[i]);
    for (int i = 0; i < 2; i++) {
        sheet_series(sh, ways[i].label, STYLE_LINE_POINTS, SHEET_BY_LABEL);
        for (int k = 0; k < STEPS; k++) {
            double error;
            if (!run_to(r, s, &ways[i], ldexp(0.2, -k), 50 << k, &end) ||
                lg_group_distance(lg_so3(), &error, end.attitude, fine.attitude) != LG_OK)
                return;
            sheet_point(sh, ldexp(0.2, -k), error);
        }
    }
    figure_power(sh, "slope 2", ldexp(0.2, 1 - STEPS), 0.2, 0.1, 2);
    figure_orbit(sh, r, s);
}
