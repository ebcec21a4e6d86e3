/* SPDX-License-Identifier: BSD-3-Clause */
/* [P2] section 7.4: the rolling ball in closed form and the figures. For I1 = I2 = I3 = I, with z = x + i y and kappa =
 * Omega I/(I + m r^2): z'' = i kappa z', and the GNI's steps u_k = (z_{k+1} - z_k)/h obey u_{k+1} - u_{k-1} = 2 i h
 * kappa u_k with every retraction, since Ad*_tau(h xi) J xi = J xi. */
#include "claims/ferraro2015/balls.h"
#include "claims/ferraro2015/paper_nodes.h"

static double complex place(const lg_integrator *it)
{
    return lg_integrator_configuration(it)[0] + I * lg_integrator_configuration(it)[1];
}

static double complex step_velocity(const lg_integrator *it)
{
    return lg_integrator_step_velocity(it)[0] + I * lg_integrator_step_velocity(it)[1];
}

/* rolling-ball-exact ----------------------------------------------------------------------------------------------- */

/* The closed form of the motion against compositions of order 8, and against the catalog's. */
static void motion(claim_report *r, const ball *b)
{
    int (*exact)(const lg_call *, const double *, const double *, double *, double *) =
        lg_model_describe(b->s.M)->exact;
    const double T = 10;
    const lg_call c = claim_call(&b->s, &T);
    double complex z, v;
    double w[3], xi[CLAIM_DIM], g[CLAIM_ELEMENT], w1[3], J[CLAIM_DIM * CLAIM_DIM];
    claim_state truth;
    claim_case(r, b->s.name, NULL, NULL);
    ball_closed_form(b, T, &z, &v, w);
    if (exact(&c, b->s.g0, b->s.xi0, g, xi) != 0) claim_trouble(r, "no exact solution");
    claim_below(r, paper_larger(cabs(g[0] + I * g[1] - z), cabs(xi[0] + I * xi[1] - v)), 5e-14, "round-off",
                "closed form - exact() at t = 10");
    if (!claim_truth(r, &b->s, T, 400, &truth, NULL)) return;
    claim_metric(&b->s, 0, truth.g, J);
    if (!claim_solve(5, J, truth.p, xi)) return;
    ball_seen(b, truth.g, xi + 2, w1);
    claim_below(r, paper_larger(cabs(truth.g[0] + I * truth.g[1] - z), claim_gap(w, w1, 3)), 5e-12,
                "order 8, steps of 0.025, round-off of 7000", "closed form - sem@kahan-li8 at t = 10");
}

/* Largest deviation of the method from u_k = a rho^k + b sigma^k, rho = exp(i asin(h kappa)), sigma = -1/rho, a and b
 * from the first two steps. */
static double discrete(claim_report *r, const ball *b, const char *method, const char *tau, lg_start start, double h,
                       int steps)
{
    const double theta = asin(h * b->kappa);
    const double complex rho = cexp(I * theta), sigma = -1 / rho;
    const double size = fmax(cabs(b->z0), cabs(b->v0 / b->kappa)); /* of the orbit */
    double complex u[2], a = 0, c = 0;
    double most = 0;
    lg_integrator *it = claim_start(r, &b->s, method, tau, h, start);
    for (int k = 0; it != NULL && k < steps && claim_steps(r, it, 1); k++) {
        const double complex power = cexp(I * (k * theta)), other = (k % 2 == 0 ? 1.0 : -1.0) / power;
        double complex z;
        if (k < 2) u[k] = step_velocity(it);
        if (k == 1) a = (u[1] - sigma * u[0]) / (rho - sigma), c = u[0] - a;
        if (k > 1) most = paper_larger(most, cabs(step_velocity(it) - a * power - c * other) / cabs(b->v0));
        z = b->z0 + h * (a * (rho * power - 1) / (rho - 1) + c * (sigma * other - 1) / (sigma - 1));
        if (k > 1) most = paper_larger(most, cabs(place(it) - z) / size);
    }
    if (it == NULL || lg_integrator_step_index(it) < steps) most = NAN;
    lg_integrator_destroy(it);
    return most;
}

/* log(|u_N|/|u_M|)/(N - M): the growth a step. */
static double growth(claim_report *r, const ball *b, const char *tau, double h)
{
    enum { N = 9 };
    double size[2] = {NAN, NAN};
    lg_integrator *it = claim_start(r, &b->s, "gni", tau, h, LG_START_REACTION);
    for (int k = 0; it != NULL && k < 2 && claim_steps(r, it, N); k++) size[k] = cabs(step_velocity(it));
    lg_integrator_destroy(it);
    return log(size[1] / size[0]) / N;
}

static const lg_start starts[] = {LG_START_REACTION, LG_START_LEGENDRE, LG_START_PAPER};
static const char *const start_names[] = {"reaction", "legendre", "paper"};

static void exact_ball(claim_report *r, const ball *b)
{
    const double edge = 1 / fabs(b->kappa);
    motion(r, b);
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        const char *tau = claim_retraction(i);
        for (int j = 0; j < 3; j++)
            claim_below(r, discrete(r, b, "gni", tau, starts[j], 0.1, 10000), 3e-12, "round-off of 10000 steps",
                        "u_k - a rho^k - b (-1/rho)^k, start %s", start_names[j]);
        claim_below(r, discrete(r, b, "gni", tau, LG_START_REACTION, 0.97 * edge, 1000), 1e-11,
                    "round-off of 1000 steps", "u_k - a rho^k - b (-1/rho)^k, h |kappa| = 0.97: bounded");
        claim_between(r, growth(r, b, tau, 1.1 * edge), 0.99 * acosh(1.1), 1.01 * acosh(1.1),
                      "unstable: |rho| = h |kappa| + sqrt(h^2 kappa^2 - 1)", "growth a step, h |kappa| = 1.1");
    }
}

/* With unequal moments there is no such recursion. */
static void no_closed_form(claim_report *r)
{
    ball b;
    if (!ball_open(r, &b, "rolling-ball", "I2=0.7 I3=0.8", NULL)) return;
    claim_control(r, discrete(r, &b, "gni", "cayley", LG_START_REACTION, 0.1, 1000), 1e-9, "not homogeneous",
                  "u_k - a rho^k - b (-1/rho)^k");
    claim_close(&b.s);
}

static void rolling_ball_exact(claim_report *r)
{
    lg_rng rng = {51};
    if (!claim_own_systems(r)) return;
    for (int k = 0; k < (r->full ? 40 : 5); k++) {
        ball b;
        if (!ball_homogeneous(r, &b, k, &rng)) continue;
        exact_ball(r, &b);
        if (k == 0)
            claim_control(r, discrete(r, &b, "sem", "exp", LG_START_REACTION, 0.1, 1000), 1e-9,
                          "another method's steps", "u_k - a rho^k - b (-1/rho)^k of sem");
        claim_close(&b.s);
    }
    no_closed_form(r);
}

/* Orders, figures 1 and 3 ------------------------------------------------------------------------------------------ */

/* The reference of the runs at T: x, y, the velocity, the energy, and omega half a step later (NaN: not known). */
typedef struct target {
    double complex z;
    double xi[CLAIM_DIM], energy, later[3];
} target;

enum { POSITION, VELOCITY, ENERGY, STEP, STEP_LATER, STEP_ENERGY, MEAN_ENERGY, COLUMNS, LEVELS = 8 };

static const char *const column_names[COLUMNS] = {"position",
                                                  "J^-1 p~",
                                                  "H(p~)",
                                                  "xi_N against omega(T)",
                                                  "xi_N against omega(T + h/2)",
                                                  "E(xi_N)",
                                                  "E((xi_{N-1} + xi_N)/2)"};

static double kinetic(const ball *b, const double *xi)
{
    double sum = b->m * (xi[0] * xi[0] + xi[1] * xi[1]);
    for (int i = 0; i < 3; i++) sum += b->inertia[i] * xi[2 + i] * xi[2 + i];
    return sum / 2;
}

static void closed_target(const ball *b, double T, double h, target *x)
{
    double complex v, z;
    ball_closed_form(b, T + h / 2, &z, &v, x->later);
    ball_closed_form(b, T, &x->z, &v, x->xi + 2);
    x->xi[0] = creal(v), x->xi[1] = cimag(v);
    x->energy = kinetic(b, x->xi);
}

/* Errors at T of a run; the ball's constraints concern omega itself (rolling-ball). */
static int errors(claim_report *r, const ball *b, const char *tau, lg_start start, double T, int steps, const target *x,
                  double *e)
{
    lg_integrator *it = claim_start(r, &b->s, "gni", tau, T / steps, start);
    double xi[CLAIM_DIM], mean[CLAIM_DIM];
    int ok = it != NULL && claim_steps(r, it, steps) && lg_integrator_velocity(it, xi) == LG_OK;
    if (ok) {
        e[POSITION] = cabs(place(it) - x->z);
        e[VELOCITY] = claim_gap(xi, x->xi, 5);
        e[ENERGY] = fabs(lg_integrator_energy(it) - x->energy);
        memcpy(mean, lg_integrator_step_velocity(it), 5 * sizeof *mean);
        ok = claim_steps(r, it, 1);
    }
    if (ok) {
        memcpy(xi, lg_integrator_step_velocity(it), 5 * sizeof *xi);
        for (int i = 0; i < 5; i++) mean[i] = (mean[i] + xi[i]) / 2;
        e[STEP] = claim_gap(xi + 2, x->xi + 2, 3);
        e[STEP_LATER] = claim_gap(xi + 2, x->later, 3);
        e[STEP_ENERGY] = fabs(kinetic(b, xi) - x->energy);
        e[MEAN_ENERGY] = fabs(kinetic(b, mean) - x->energy);
    }
    lg_integrator_destroy(it);
    return ok;
}

/* Slopes of all columns over T/count, T/(2 count), ... `truth` NULL: the closed form. */
static int slopes(claim_report *r, const ball *b, const char *tau, lg_start start, double T, int count, int levels,
                  const target *truth, double *out)
{
    double e[COLUMNS][LEVELS] = {{0}}, at[COLUMNS];
    for (int k = 0; k < levels; k++) {
        target x;
        const int steps = count << k;
        if (truth != NULL)
            x = *truth;
        else
            closed_target(b, T, T / steps, &x);
        if (!errors(r, b, tau, start, T, steps, &x, at)) return 0;
        for (int i = 0; i < COLUMNS; i++) e[i][k] = at[i];
    }
    for (int i = 0; i < COLUMNS; i++) out[i] = claim_slope(e[i], levels, 1e-12);
    return 1;
}

/* The averaged columns are of order 2, xi_k is one at t_k + h/2: of order 1 at t_k. The paper's start is one of order 1
 * unless the ball is homogeneous. */
static void show_slopes(claim_report *r, const double *slope, int start, int homogeneous, int fine)
{
    static const char second[] = "symmetric: 2", first[] = "xi_k belongs to t_k + h/2: 1, Cayley's h^2 term added";
    static const char started[] = "paper's start: 1";
    const char *name = start_names[start];
    const int rough = !homogeneous && start == 2; /* LG_START_PAPER */
    for (int i = POSITION; i <= ENERGY; i++) {
        if (rough && i == ENERGY && !fine) continue;
        claim_between(r, slope[i], rough ? 0.95 : 1.98, rough ? 1.05 : 2.02, rough ? started : second,
                      "slope of %s, %s", column_names[i], name);
    }
    if (!rough)
        claim_between(r, slope[MEAN_ENERGY], 1.98, 2.02, second, "slope of %s, %s", column_names[MEAN_ENERGY], name);
    claim_between(r, slope[STEP], 0.88, 1.12, first, "slope of %s, %s", column_names[STEP], name);
    claim_between(r, slope[STEP_ENERGY], 0.88, 1.12, first, "slope of %s, %s", column_names[STEP_ENERGY], name);
    if (isnan(slope[STEP_LATER])) return;
    if (start == 0) /* LG_START_REACTION */
        claim_between(r, slope[STEP_LATER], 1.98, 2.02, second, "slope of %s, %s", column_names[STEP_LATER], name);
    else
        claim_control(r, 2 - slope[STEP_LATER], 0.5, "the normal part of these starts is O(h)", "2 - slope of %s, %s",
                      column_names[STEP_LATER], name);
}

static void figure_1(claim_report *r)
{
    lg_rng rng = {52};
    if (!claim_own_systems(r)) return;
    for (int k = 0; k < (r->full ? 6 : 3); k++) {
        ball b;
        if (!ball_homogeneous(r, &b, 2 * k, &rng)) continue;
        for (int i = 0; claim_retraction(i) != NULL; i++)
            for (int j = 0; j < 3; j++) {
                double slope[COLUMNS];
                if (slopes(r, &b, claim_retraction(i), starts[j], 10, 12800, 4, NULL, slope))
                    show_slopes(r, slope, j, 1, 1);
            }
        claim_close(&b.s);
    }
}

/* The paper's second ball and its data; T = 15. */
static int open_second(claim_report *r, ball *b, target *x)
{
    claim_state truth;
    int ok;
    if (!ball_open(r, b, "rolling-ball", "m=3 Omega=0.2 I1=1 I2=1.1 I3=1.2", NULL)) return 0;
    b->s.g0[0] = 1, b->s.g0[1] = 0, b->s.xi0[2] = -0.2, b->s.xi0[3] = 0, b->s.xi0[4] = 0.4;
    ball_roll(b);
    ok = claim_truth(r, &b->s, 15, 600, &truth, NULL);
    if (!ok) claim_close(&b->s);
    for (int i = 0; i < 3; i++) x->later[i] = NAN;
    x->z = truth.g[0] + I * truth.g[1];
    for (int i = 0; i < 5; i++) x->xi[i] = truth.p[i] / (i < 2 ? b->m : b->inertia[i - 2]);
    x->energy = truth.energy;
    return ok;
}

static void figure_3(claim_report *r)
{
    ball b;
    target x;
    double slope[COLUMNS];
    if (!claim_own_systems(r) || !open_second(r, &b, &x)) return;
    for (int i = 0; claim_retraction(i) != NULL; i++)
        for (int j = 0; j < 3; j++)
            if (slopes(r, &b, claim_retraction(i), starts[j], 15, 12800, 4, &x, slope))
                show_slopes(r, slope, j, 0, i == 0);
    /* The h^2 of the paper's energy: its term of order 1 is too small to be visible at these steps. */
    if (slopes(r, &b, "cayley", LG_START_PAPER, 15, 100, r->full ? 8 : 5, &x, slope))
        claim_between(r, slope[MEAN_ENERGY], 1.9, 2.3, "figure 3: h^2, seen 2.00 to 2.06",
                      "slope of %s, paper, h = 0.15 ...", column_names[MEAN_ENERGY]);
    if (slopes(r, &b, "cayley", LG_START_PAPER, 15, 100, 5, &x, slope))
        claim_control(r, 2 - slope[POSITION], 0.5, "not the order 2 of the other starts",
                      "2 - slope of position, paper");
    claim_close(&b.s);
}

/* Figure 2 --------------------------------------------------------------------------------------------------------- */

/* The circle of least squares |z|^2 = 2 Re(z conj(c)) + R^2 - |c|^2 through a series of points. */
typedef struct circle {
    double M[9], right[3];
    double complex centre;
    double radius;
} circle;

static void add_point(circle *o, double complex z)
{
    const double row[3] = {creal(z), cimag(z), 1}, value = creal(z * conj(z));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) o->M[3 * i + j] += row[i] * row[j];
        o->right[i] += row[i] * value;
    }
}

static void fit_circle(circle *o)
{
    double x[3];
    if (!claim_solve(3, o->M, o->right, x)) x[0] = NAN;
    o->centre = (x[0] + I * x[1]) / 2;
    o->radius = sqrt(x[2] + creal(o->centre * conj(o->centre)));
}

/* Largest distance of points from the circle. */
static double spread_of(const circle *o, const double complex *z, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++) most = paper_larger(most, fabs(cabs(z[k] - o->centre) - o->radius));
    return most;
}

enum { POINTS = 10000, PRINCIPAL = 3 };

/* The p- whose u_0 = 2 rho v_0/(1 + rho) has no part along the root -1/rho; the reaction is (l_1, l_2, r l_2, -r l_1,
 * 0). */
static lg_status start_principal(const ball *b, lg_integrator *it)
{
    const double complex rho = cexp(I * asin(lg_integrator_step_size(it) * b->kappa));
    const double complex l = b->m * (2 * rho / (1 + rho) - 1) * b->v0;
    const double kick[5] = {creal(l), cimag(l), b->r * cimag(l), -b->r * creal(l), 0};
    double p[5];
    for (int i = 0; i < 5; i++) p[i] = (i < 2 ? b->m : b->inertia[i - 2]) * b->s.xi0[i] + kick[i];
    return lg_integrator_start_momentum(it, 0, b->s.g0, p);
}

/* POINTS positions after `before` steps of 0.1, the first step's velocities in u. */
static int orbit(claim_report *r, const ball *b, const char *tau, int start, int64_t before, double complex *z,
                 double complex *u)
{
    lg_integrator *it = claim_start(r, &b->s, "gni", tau, 0.1, start == PRINCIPAL ? LG_START_REACTION : starts[start]);
    int ok = it != NULL;
    if (ok && start == PRINCIPAL) ok = claim_ok(r, start_principal(b, it), "start", lg_integrator_message(it));
    for (int k = 0; ok && k < 2; k++) {
        ok = claim_steps(r, it, 1);
        u[k] = step_velocity(it);
    }
    ok = ok && claim_steps(r, it, before);
    for (int k = 0; ok && k < POINTS; k++) {
        z[k] = place(it);
        ok = claim_steps(r, it, 1);
    }
    lg_integrator_destroy(it);
    return ok;
}

static void one_orbit(claim_report *r, const ball *b, const char *tau, int start, int64_t before)
{
    static const char *const names[] = {"reaction", "legendre", "paper", "on the principal root"};
    const double h = 0.1;
    const double complex rho = cexp(I * asin(h * b->kappa)), sigma = -1 / rho;
    double complex z[POINTS], u[2], a, c;
    double wobble, size, halves[2];
    circle o = {.radius = 0};
    if (!orbit(r, b, tau, start, before, z, u)) return;
    for (int k = 0; k < POINTS; k++) add_point(&o, z[k]);
    fit_circle(&o);
    a = (u[1] - sigma * u[0]) / (rho - sigma), c = u[0] - a;
    size = cabs(a) * h / cabs(rho - 1);
    wobble = cabs(c) * h / cabs(sigma - 1);
    claim_below(r, fabs(o.radius - size),
                (before > 0 ? 1e-12 : 1e-13) * size + 1e-3 * wobble + 3 * wobble * wobble / size,
                "|a| h/|rho - 1| of the exact recursion", "fitted radius - %.9g, start %s", size, names[start]);
    claim_below(r, spread_of(&o, z, POINTS), 1.01 * wobble + 2e-12, "|b| h/|1 + 1/rho| of the exact recursion",
                "radial spread, %d points, start %s", POINTS, names[start]);
    halves[0] = spread_of(&o, z, POINTS / 2), halves[1] = spread_of(&o, z + POINTS / 2, POINTS / 2);
    claim_below(r, fabs(halves[1] - halves[0]), 5e-4 * wobble + 2e-12, "no drift",
                "spread of one half - of the other, %s", names[start]);
}

static void paper_circle(claim_report *r, const ball *b)
{
    static const double complex centre = -1.5 + 3.5 * I;
    double complex z[POINTS], u[2], true_z, v;
    double w[3];
    const double R = 3.5355339059327378, late = 0.16 * 0.4 / 6 * 0.01 * (POINTS + 1) * 0.1;
    circle o = {.radius = 0};
    if (!orbit(r, b, "cayley", 0, 0, z, u)) return;
    for (int k = 0; k < POINTS; k++) add_point(&o, z[k]);
    fit_circle(&o);
    claim_between(r, o.radius, R - 1e-5, R + 1e-5, "closed form, figure 2", "fitted radius");
    claim_below(r, cabs(o.centre - centre), 1e-5, "closed form, figure 2", "fitted centre - (-1.5, 3.5)");
    ball_closed_form(b, 0.1 * (POINTS + 1), &true_z, &v, w);
    claim_between(r, cabs(z[POINTS - 1] - true_z), 0.99 * R * late, 1.01 * R * late, "late by kappa^3 h^2 t/6",
                  "distance from the true position at t = 1000");
    ball_closed_form(b, 5 * acos(-1), &true_z, &v, w);
    claim_below(r, cabs(true_z - b->z0), 1e-14, "the period is 5 pi", "z(5 pi) - z(0) of the closed form");
}

/* With unequal moments the orbit is not a circle. */
static void no_circle(claim_report *r)
{
    ball b;
    double complex z[POINTS], u[2];
    circle o = {.radius = 0};
    if (!ball_open(r, &b, "rolling-ball", "I2=0.7 I3=0.8", NULL)) return;
    if (orbit(r, &b, "cayley", 0, 0, z, u)) {
        for (int k = 0; k < POINTS; k++) add_point(&o, z[k]);
        fit_circle(&o);
        claim_control(r, spread_of(&o, z, POINTS), 1e-2, "not homogeneous", "radial spread");
    }
    claim_close(&b.s);
}

static void figure_2(claim_report *r)
{
    lg_rng rng = {53};
    if (!claim_own_systems(r)) return;
    for (int k = 0; k < (r->full ? 10 : 3); k++) {
        ball b;
        if (!ball_homogeneous(r, &b, 2 * k, &rng)) continue;
        if (k == 0) paper_circle(r, &b);
        for (int i = 0; claim_retraction(i) != NULL; i++)
            for (int start = 0; start <= PRINCIPAL; start++)
                one_orbit(r, &b, claim_retraction(i), start, r->full ? 1000000 : 0);
        claim_close(&b.s);
    }
    no_circle(r);
}

const claim claims_rolling_ball[] = {
    {"rolling-ball-exact",
     "The homogeneous ball on a rotating table moves on the circle z'' = i kappa z'; with every retraction and start "
     "the GNI's steps are exactly u_k = a rho^k + b (-1/rho)^k, rho = exp(i asin(h kappa)), stable for h |kappa| < 1.",
     "[P2] 7.4, (40)-(43)", 0.2, rolling_ball_exact},
    {"rolling-ball-figure-1",
     "Homogeneous ball: position, p~ and their energy converge with order 2; xi_k against omega(t_k) and its energy, "
     "as the figure shows them, with order 1, since xi_k belongs to t_k + h/2.",
     "[P2] figure 1", 0.6, figure_1},
    {"rolling-ball-figure-2",
     "Homogeneous ball, h = 0.1, 10000 steps: the contact point stays on a circle, whose radius and radial spread are "
     "those of the exact recursion, without drift.",
     "[P2] figure 2", 0.1, figure_2},
    {"rolling-ball-figure-3",
     "Ball with unequal moments (formal): order 1 in position, omega and energy of xi_k from the paper's start, h^2 "
     "for the energy of averaged velocities in the figure's range; order 2 from p-_0 = J xi_0 with or without "
     "reaction.",
     "[P2] figure 3", 0.3, figure_3},
    {0},
};
