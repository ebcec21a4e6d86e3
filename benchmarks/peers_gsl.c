/* SPDX-License-Identifier: BSD-3-Clause */
/* GSL's gsl_odeiv2: rk8pd and msadams with its standard step control, rk4 with fixed steps. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_version.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/peers.h"
#include "benchmarks/problems.h"

static const double first_step = 1e-4;

typedef struct gsl {
    const problem *p;
    problem_data data;
    gsl_odeiv2_system system;
    gsl_odeiv2_driver *driver;
    long evaluations;
    double y0[PROBLEM_STATE], h, H; /* fixed step; energy */
} gsl;

static int equations(double t, const double *y, double *dy, void *context)
{
    gsl *o = context;
    (void)t;
    o->evaluations++;
    o->p->equations(&o->data, y, dy);
    return GSL_SUCCESS;
}

static void close_gsl(void *opened)
{
    gsl *o = opened;
    if (o == NULL) return;
    if (o->driver != NULL) gsl_odeiv2_driver_free(o->driver);
    free(o);
}

static void *open_gsl(const gsl_odeiv2_step_type *type, const bench_problem *given, double tolerance)
{
    const problem *p = problem_find(given->system);
    gsl *o = p != NULL ? calloc(1, sizeof *o) : NULL;
    if (o == NULL) return NULL;
    gsl_set_error_handler_off();
    o->p = p;
    o->data.param = given->param;
    if (p->prepare != NULL) p->prepare(&o->data);
    memcpy(o->y0, given->y0, (size_t)p->size * sizeof *o->y0);
    o->system = (gsl_odeiv2_system){equations, NULL, (size_t)p->size, o};
    o->h = tolerance;
    o->H = problem_energy(p, &o->data, o->y0);
    o->driver = gsl_odeiv2_driver_alloc_y_new(&o->system, type, first_step, tolerance, tolerance);
    if (o->driver != NULL) return o;
    close_gsl(o);
    return NULL;
}

static int run_gsl(void *opened, double T, double *y, bench_watch watch, void *context)
{
    gsl *o = opened;
    gsl_odeiv2_driver *d = o->driver;
    double t = 0, h = first_step;
    memcpy(y, o->y0, (size_t)o->p->size * sizeof *y);
    o->evaluations = 0;
    if (gsl_odeiv2_driver_reset_hstart(d, first_step) != GSL_SUCCESS) return 1;
    for (long steps = 0; t < T; steps++) {
        if (steps == PROBLEM_STEPS) return 1;
        if (gsl_odeiv2_evolve_apply(d->e, d->c, d->s, &o->system, &t, T, &h, y) != GSL_SUCCESS) return 1;
        if (watch != NULL) watch(context, t, y);
    }
    return 0;
}

/* run_gsl() with each step projected onto constraints and energy: GSL's step and its control without the driver,
 * which would continue with the derivative at the state before the projection. */
static int run_projected(void *opened, double T, double *y, bench_watch watch, void *context)
{
    static const double zero[PROBLEM_STATE];
    gsl *o = opened;
    gsl_odeiv2_driver *d = o->driver;
    const size_t bytes = (size_t)o->p->size * sizeof *y;
    double t = 0, h = first_step, before[PROBLEM_STATE], error[PROBLEM_STATE];
    memcpy(y, o->y0, bytes);
    o->evaluations = 0;
    for (long steps = 0; t < T; steps++) {
        const int last = h >= T - t;
        double taken = last ? T - t : h;
        if (steps == PROBLEM_STEPS) return 1;
        memcpy(before, y, bytes);
        if (gsl_odeiv2_step_apply(d->s, t, taken, y, error, NULL, NULL, &o->system) != GSL_SUCCESS) return 1;
        h = taken;
        if (gsl_odeiv2_control_hadjust(d->c, d->s, y, error, zero, &h) == GSL_ODEIV_HADJ_DEC) {
            if (!(t + h > t)) return 1;
            memcpy(y, before, bytes);
            continue;
        }
        t = last ? T : t + taken;
        problem_project(o->p, &o->data, y, NULL);
        problem_project_energy(o->p, &o->data, y, o->H);
        if (watch != NULL) watch(context, t, y);
    }
    return 0;
}

/* Steps of T/n, the largest such that is at most o->h. */
static int run_steps(gsl *o, double T, double *y, int project)
{
    const long n = lround(ceil(T / o->h - 1e-9));
    double error[PROBLEM_STATE];
    memcpy(y, o->y0, (size_t)o->p->size * sizeof *y);
    o->evaluations = 0;
    if (n > PROBLEM_STEPS) return 1;
    for (long k = 0; k < n; k++) {
        const double h = T / (double)n;
        if (gsl_odeiv2_step_apply(o->driver->s, (double)k * h, h, y, error, NULL, NULL, &o->system) != GSL_SUCCESS)
            return 1;
        if (project) problem_project(o->p, &o->data, y, NULL), problem_project_energy(o->p, &o->data, y, o->H);
    }
    return 0;
}

static int run_fixed(void *opened, double T, double *y, bench_watch watch, void *context)
{
    (void)watch, (void)context;
    return run_steps(opened, T, y, 0);
}

static int run_fixed_projected(void *opened, double T, double *y, bench_watch watch, void *context)
{
    (void)watch, (void)context;
    return run_steps(opened, T, y, 1);
}

static long evaluations_gsl(const void *opened)
{
    return ((const gsl *)opened)->evaluations;
}

static void *open_rk8pd(const bench_problem *p, double tolerance)
{
    return open_gsl(gsl_odeiv2_step_rk8pd, p, tolerance);
}

static void *open_msadams(const bench_problem *p, double tolerance)
{
    return open_gsl(gsl_odeiv2_step_msadams, p, tolerance);
}

const bench_peer peer_gsl_rk8pd = {"GSL rk8pd", GSL_VERSION, open_rk8pd, run_gsl, evaluations_gsl, close_gsl};
const bench_peer peer_gsl_msadams = {"GSL msadams", GSL_VERSION, open_msadams, run_gsl, evaluations_gsl, close_gsl};
const bench_peer peer_gsl_rk8pd_projected = {"GSL rk8pd",   GSL_VERSION,     open_rk8pd,
                                             run_projected, evaluations_gsl, close_gsl};
/* Their `tolerance` is the step. */
const bench_peer peer_gsl_rk8pd_fixed = {"GSL rk8pd, fixed", GSL_VERSION,     open_rk8pd,
                                         run_fixed,          evaluations_gsl, close_gsl};
const bench_peer peer_gsl_rk8pd_fixed_projected = {"GSL rk8pd, fixed",  GSL_VERSION,     open_rk8pd,
                                                   run_fixed_projected, evaluations_gsl, close_gsl};

/* The rolling ball of `liegrp bench steps` with the multipliers and the velocity of the centre eliminated, m = 3, r =
 * 1, I = (1, 1.1, 1.2), Omega = 0.2: I1 w1' = (I2 - I3) w2 w3 + r l2, I2 w2' = (I3 - I1) w3 w1 - r l1, l1 = m x'', l2 =
 * m y''. */

typedef struct rk4 {
    gsl_odeiv2_step *step;
    gsl_odeiv2_system system;
    double y0[9], h;
} rk4;

static int ball_equations(double t, const double *y, double *dy, void *context)
{
    const double *w = y + 6, r = 1, mr = 3, Omega = 0.2, I1 = 1, I2 = 1.1, I3 = 1.2;
    (void)t, (void)context;
    dy[0] = r * w[1] - Omega * y[1];
    dy[1] = -r * w[0] + Omega * y[0];
    problem_turn(dy + 2, y + 2, w);
    dy[6] = ((I2 - I3) * w[1] * w[2] + mr * Omega * dy[0]) / (I1 + mr * r);
    dy[7] = ((I3 - I1) * w[2] * w[0] + mr * Omega * dy[1]) / (I2 + mr * r);
    dy[8] = (I1 - I2) * w[0] * w[1] / I3;
    return GSL_SUCCESS;
}

static void *open_rk4(const double *y0, double h)
{
    rk4 *o = calloc(1, sizeof *o);
    if (o == NULL) return NULL;
    o->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk4, 9);
    o->system = (gsl_odeiv2_system){ball_equations, NULL, 9, o};
    o->h = h;
    memcpy(o->y0, y0, sizeof o->y0);
    return o;
}

static int run_rk4(void *opened, long count, double *y)
{
    rk4 *o = opened;
    double error[9];
    if (o->step == NULL) return 1;
    memcpy(y, o->y0, sizeof o->y0);
    for (long n = 0; n < count; n++)
        if (gsl_odeiv2_step_apply(o->step, (double)n * o->h, o->h, y, error, NULL, NULL, &o->system) != GSL_SUCCESS)
            return 1;
    return 0;
}

static void close_rk4(void *opened)
{
    rk4 *o = opened;
    if (o->step != NULL) gsl_odeiv2_step_free(o->step);
    free(o);
}

const bench_step_peer step_peer_gsl_rk4 = {"GSL rk4", GSL_VERSION, open_rk4, run_rk4, close_rk4};
