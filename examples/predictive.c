/* SPDX-License-Identifier: BSD-3-Clause */
/* Model-predictive control of a robot that balances on two wheels. It leans and turns, and has to come to rest half a
 * metre ahead. At every sample an optimum over the next 0.6 s begins at the measured state and at the plan of the
 * sample before; its first torques are held until the next sample.
 *
 *     predictive [SECONDS] */
#include <liegrp/liegrp.h>
#include <liegrp/multibody/gallery.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LEFT, RIGHT, X, Y, Z, RX, RY, RZ, N, U = 2, HORIZON = 6, SUBSTEPS = 20, ITERATIONS = 1 };

static const double SAMPLE = 0.1, GOAL = 0.5, MOST = 1.5; /* s, m, N m */

/* Weights of positions and velocities: of the place and of what leans or turns. */
static const double weight[2 * N] = {[X] = 20, [Y] = 2, [RY] = 20, [RZ] = 5, [N + X] = 4, [N + RY] = 2, [N + RZ] = 2};

/* 1/2 sum of weight (x - goal)^2 times the factor in the context. */
static int cost(const lg_cost_call *c, double *value, double *gradient, double *hessian)
{
    const double factor = c->u != NULL ? 1 : *(const double *)c->context;
    const int s = 2 * N + (c->u != NULL ? U : 0);
    for (int i = 0; i < 2 * N; i++) {
        const double off = (i < N ? c->g[i] : c->p[i - N]) - (i == X ? GOAL : 0), w = factor * weight[i];
        *value += 0.5 * w * off * off;
        if (gradient != NULL) gradient[i] = w * off, hessian[i * s + i] = w;
    }
    return 0;
}

static int complain(const char *message)
{
    fprintf(stderr, "predictive: %s\n", message);
    return 1;
}

/* Processor time in s. */
static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* The problem over the horizon. */
static lg_status plan(lg_optimum **o, const lg_mechanism *m, const double *q, const double *v, const double *factor)
{
    static const double low[U] = {-1.5, -1.5}, high[U] = {1.5, 1.5}, effort[U * U] = {0.5, 0, 0, 0.5};
    lg_optimum_problem p = lg_optimum_problem_default(NULL);
    p.mechanism = m, p.steps = HORIZON, p.time = HORIZON * SAMPLE;
    p.start_g = q, p.start_p = v, p.effort = effort;
    p.control_low = low, p.control_high = high;
    p.running_cost = p.end_cost = cost, p.cost_context = factor;
    return lg_optimum_create(o, &p);
}

/* One sample: plans from the present state, and drives. The time of the plan, or a negative number. */
static double sample(lg_optimum *o, lg_motion *mo, int *iterations)
{
    double q[N], v[N];
    lg_optimum_figures f;
    if (lg_motion_positions(mo, q, v) != LG_OK) return -1;
    const double began = now();
    if (lg_optimum_move(o, q, v, NULL, NULL) != LG_OK) return -1;
    const lg_status st = lg_optimum_solve(o, ITERATIONS, 1e-6); /* the best point so far will do */
    const double took = now() - began;
    if (st != LG_OK && st != LG_ERROR_CONVERGENCE) return -1;
    if (lg_optimum_read(o, &f, sizeof f) != LG_OK) return -1;
    *iterations += f.iterations;
    if (lg_motion_set_control(mo, lg_optimum_controls(o)) != LG_OK || lg_motion_step(mo, SUBSTEPS) != LG_OK) return -1;
    return took;
}

/* Drives for so many samples; the exit status. */
static int drive(lg_optimum *o, lg_motion *mo, int samples)
{
    double q[N], v[N], most = 0, sum = 0, lean = 0, torque = 0;
    int iterations = 0;
    for (int k = 0; k < samples; k++) {
        const double took = sample(o, mo, &iterations);
        if (took < 0) return complain(lg_optimum_message(o)[0] != '\0' ? lg_optimum_message(o) : lg_motion_message(mo));
        most = fmax(most, took), sum += took;
        if (lg_motion_positions(mo, q, v) != LG_OK) return complain(lg_motion_message(mo));
        lean = fmax(lean, fabs(q[RY]));
        for (int i = 0; i < U; i++) torque = fmax(torque, fabs(lg_optimum_controls(o)[i]));
    }
    printf("after %g s: %.3f m ahead, %.3f aside, leaning by %.3f rad, turned by %.3f\n", samples * SAMPLE, q[X], q[Y],
           q[RY], q[RZ]);
    printf("on the way it leaned by %.3f rad, with torques up to %.3f N m, at most %g\n", lean, torque, MOST);
    printf("an iteration takes %.2f ms, a plan at most %.2f ms, a sample %g ms\n", 1e3 * sum / iterations, 1e3 * most,
           1e3 * SAMPLE);
    const double off = fmax(fabs(q[X] - GOAL), fmax(fabs(q[RY]), fabs(q[RZ])));
    return samples * SAMPLE >= 3 && off > 0.05 ? complain("it did not get there") : 0;
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 4, factor = 5;
    double q[N] = {0}, v[N] = {0};
    lg_mechanism *m = NULL;
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    lg_optimum *o = NULL;
    lg_motion_options options = lg_motion_options_default();
    options.step = SAMPLE / SUBSTEPS;
    if (lg_gallery_describe(&m, lg_gallery_index("balancing-robot")) != LG_OK || lg_mechanism_compile(m) != LG_OK)
        return complain(lg_mechanism_message(m));
    if (lg_model_of_mechanism(&M, m, NULL) != LG_OK) return complain(lg_model_message(M));
    if (lg_motion_create(&mo, M, &options) != LG_OK) return complain(lg_motion_message(mo));
    q[Z] = 0.45, q[RY] = 0.15, v[RZ] = 0.5;
    if (lg_motion_start_joints(mo, 0, q, v, 1) != LG_OK) return complain(lg_motion_message(mo)); /* projected */
    if (lg_motion_positions(mo, q, v) != LG_OK) return complain(lg_motion_message(mo));
    if (plan(&o, lg_model_mechanism(lg_motion_model(mo)), q, v, &factor) != LG_OK)
        return complain(lg_optimum_message(o));
    const int status = drive(o, mo, (int)lround(seconds / SAMPLE));
    lg_optimum_destroy(o);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
    return status;
}
