/* SPDX-License-Identifier: BSD-3-Clause */
/** @file gaits.h
 *  A snakeboard with friction, its first guess, and what tests of gaits do with an optimum. */
#ifndef TESTS_SUPPORT_GAITS_H
#define TESTS_SUPPORT_GAITS_H

#include <math.h>
#include <string.h>

#include "support/optima.h"

/* ---- systems ---- */

enum { K = 20, N = 5, ELEMENT = 6 };

/* A snakeboard on SE(2) x T^2 (rotor, axles) with friction, m = r = 1, and motors at rotor and axles. */
static const double board_inertia[25] = {1, 0, 0, 0, 0, 0,    1, 0, 0, 0, 0, 0,   0.75,
                                         0, 0, 0, 0, 0, 0.25, 0, 0, 0, 0, 0, 0.25};
static const double FRICTION = 0.2, PERIOD = 4;

static inline int board_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const int L = c->lanes;
    (void)Y;
    for (int i = 0; i < L; i++)
        mu[L + i] = -1, mu[5 * L + i] = lg_real_sin(g[5 * L + i]), mu[7 * L + i] = lg_real_cos(g[5 * L + i]);
    return 0;
}

static inline int board_rows_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    const int L = c->lanes;
    (void)dY;
    for (int i = 0; i < L; i++) {
        dmu[5 * L + i] = lg_real_cos(g[5 * L + i]) * eta[4 * L + i];
        dmu[7 * L + i] = -lg_real_sin(g[5 * L + i]) * eta[4 * L + i];
    }
    return 0;
}

static inline int board_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    const int L = c->lanes;
    (void)g;
    for (int i = 0; i < L; i++) {
        f[i] = -FRICTION * xi[i], f[2 * L + i] = -FRICTION * xi[2 * L + i] - c->control[i];
        f[3 * L + i] = c->control[i], f[4 * L + i] = c->control[L + i];
    }
    return 0;
}

static inline lg_system board(lg_group **G)
{
    const lg_group *const factors[2] = {lg_se2(), lg_torus(2)};
    suite_ok("group", lg_group_create_product(G, factors, 2));
    lg_system S = lg_system_default(*G);
    S.inertia = board_inertia, S.constraint_count = 2;
    S.callbacks.covectors = board_rows, S.callbacks.covectors_derivative = board_rows_along;
    S.callbacks.force = board_force, S.callbacks.control_count = 2, S.callbacks.lanes = LG_LANES_OWN_TIMES;
    return S;
}

static const double home[ELEMENT] = {0, 0, 1, 0, 0, 0}, ahead[ELEMENT] = {1, 0, 1, 0, 0, 0};

static inline lg_optimum_problem gait(const lg_system *S, const double *displacement)
{
    lg_optimum_problem p = lg_optimum_problem_default(S);
    p.steps = K, p.time = PERIOD, p.closes = 1, p.target_g = displacement;
    return p;
}

/* ---- helpers ---- */

/* Rotor and axles swing as a sine, the board rolls from its start along the displacement. */
static inline void guess(lg_optimum *o, const double *start, const double *displacement)
{
    double g[ELEMENT * (2 * K + 1)], p[N * (2 * K + 1)] = {0}, u[4 * K];
    const double amplitude = 0.3, w = 2 * SUITE_PI / PERIOD;
    const int steps = lg_optimum_steps(o);
    const double heading = atan2(start[3], start[2]), turn = atan2(displacement[3], displacement[2]);
    for (int k = 0; k <= steps; k++) {
        const double share = (double)k / steps, phase = 2 * SUITE_PI * share, middle = phase + SUITE_PI / steps;
        double *x = g + ELEMENT * k;
        x[0] = start[0] + share * displacement[0], x[1] = start[1] + share * displacement[1];
        x[2] = cos(heading + share * turn), x[3] = sin(heading + share * turn);
        x[4] = start[4] - amplitude * sin(phase), x[5] = -amplitude * sin(phase);
        p[N * k] = 1 / PERIOD, p[N * k + 3] = p[N * k + 4] = -0.25 * amplitude * w * cos(phase);
        if (k < steps) u[2 * k] = u[2 * k + 1] = 0.25 * amplitude * w * w * sin(middle);
    }
    suite_ok("guess", lg_optimum_guess(o, g, p, u, 0));
}

/* `periods` of the controls from the start of the gait, whose first momentum is changed by `by`. */
static inline void run(const lg_optimum *o, const lg_system *S, int periods, double by, double *g, double *p)
{
    const int n = S->group->dim, c = S->callbacks.control_count, steps = lg_optimum_steps(o);
    lg_integrator *it = NULL;
    double start[8];
    memcpy(start, lg_optimum_momenta(o), (size_t)n * sizeof *start), start[0] += by;
    suite_ok("create", lg_integrator_create(&it, S, NULL, NULL, PERIOD / steps));
    suite_ok("start", lg_integrator_start_momentum(it, 0, lg_optimum_configurations(o), start));
    for (int k = 0; k < periods * steps; k++) {
        suite_ok("control", lg_integrator_set_control(it, lg_optimum_controls(o) + k % steps * c));
        suite_ok("step", lg_integrator_step(it));
    }
    memcpy(g, lg_integrator_configuration(it), (size_t)S->group->element_size * sizeof *g);
    memcpy(p, lg_integrator_momentum(it), (size_t)n * sizeof *p);
    lg_integrator_destroy(it);
}

/* The Floquet multipliers, 2 n, the largest first. */
static inline void multipliers(const lg_optimum *o, const lg_system *S, double *re)
{
    lg_integrator *it = NULL;
    lg_trajectory *tr = NULL;
    double im[16];
    suite_ok("create", lg_integrator_create(&it, S, NULL, NULL, PERIOD / lg_optimum_steps(o)));
    suite_ok("start", lg_integrator_start_momentum(it, 0, lg_optimum_configurations(o), lg_optimum_momenta(o)));
    suite_ok("trajectory", lg_trajectory_create(&tr, it, lg_optimum_steps(o)));
    suite_ok("run", lg_trajectory_run(tr, lg_optimum_controls(o)));
    suite_ok("multipliers", lg_trajectory_multipliers(tr, re, im));
    lg_trajectory_destroy(tr);
    lg_integrator_destroy(it);
}

#endif
