/* SPDX-License-Identifier: BSD-3-Clause */
#include "benchmarks/suite/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 4, MOST_DIM = 8 };

static int complain(bench_motion *m, const char *why)
{
    snprintf(m->message, sizeof m->message, "%s: %s", m->label, why);
    return 1;
}

static lg_call call_of(const lg_system *S)
{
    static const double t = 0;
    return lg_system_call(S, &t, NULL);
}

/* xi.J(g) xi/2; NaN: the metric failed. */
static double kinetic(const bench_motion *m, const double *g, const double *xi)
{
    const lg_system *S = m->S;
    const lg_call c = call_of(S);
    double T = 0, J[MOST_DIM * MOST_DIM] = {0};
    if (S->callbacks.metric != NULL && S->callbacks.metric(&c, g, J) != 0) return (double)NAN;
    const double *M = S->callbacks.metric != NULL ? J : S->inertia;
    for (int i = 0; i < m->dim; i++) {
        if (S->inertia_diagonal != NULL) T += S->inertia_diagonal[i] * xi[i] * xi[i] / 2;
        for (int k = 0; k < m->dim && M != NULL; k++) T += xi[i] * M[i * m->dim + k] * xi[k] / 2;
    }
    return T;
}

/* The element of the group nearest to the configuration of y; nonzero: none is near. */
static int onto_group(const bench_motion *m, double *g, const double *y)
{
    return lg_group_project(m->S->group, g, y) != LG_OK;
}

static double energy_of(const bench_motion *m, const double *y)
{
    const lg_call c = call_of(m->S);
    double g[BENCH_STATE], V = 0;
    if (onto_group(m, g, y)) return (double)NAN;
    if (m->S->callbacks.potential != NULL && m->S->callbacks.potential(&c, g, &V) != 0) return (double)NAN;
    return kinetic(m, g, y + m->element) + V;
}

int bench_motion_open(bench_motion *m, const char *system, const lg_model_definition *own, const char *parameter,
                      double value)
{
    memset(m, 0, sizeof *m);
    m->label = system;
    const lg_status st = own != NULL ? lg_model_create(&m->M, own) : lg_catalog_create(&m->M, system);
    if (st != LG_OK || (parameter != NULL && lg_model_set(m->M, parameter, value) != LG_OK) ||
        lg_model_system(m->M, &m->S) != LG_OK)
        return complain(m, m->M != NULL ? lg_model_message(m->M) : "out of memory");
    m->element = lg_group_element_size(m->S->group);
    m->dim = lg_group_dim(m->S->group);
    if (m->element + m->dim > BENCH_STATE || m->dim > MOST_DIM || m->S->constraint_count > ROWS)
        return complain(m, "too large a system for this benchmark");
    if (lg_model_initial(m->M, m->y0, m->y0 + m->element, NULL) != LG_OK) return complain(m, lg_model_message(m->M));
    m->step = lg_model_default_step(m->M);
    lg_integrator *it = bench_motion_integrator(m, "sem", lg_retraction_exp(), m->step);
    if (it == NULL) return 1;
    if (lg_integrator_velocity(it, m->y0 + m->element) != LG_OK) m->y0[m->element] = (double)NAN; /* projected */
    lg_integrator_destroy(it);
    m->energy = energy_of(m, m->y0);
    m->scale = fmax(fabs(m->energy), kinetic(m, m->y0, m->y0 + m->element));
    return isfinite(m->scale) ? 0 : complain(m, "no energy");
}

void bench_motion_close(bench_motion *m)
{
    lg_model_destroy(m->M);
    m->M = NULL;
}

lg_integrator *bench_motion_integrator(bench_motion *m, const char *method, const lg_retraction *retraction, double h)
{
    lg_integrator *it = NULL;
    lg_status st = lg_integrator_create_with(&it, m->S, method, retraction, h);
    if (st == LG_OK) st = lg_integrator_start(it, 0, m->y0, m->y0 + m->element, LG_START_REACTION, 1);
    if (st == LG_OK) return it;
    (void)complain(m, lg_integrator_message(it));
    lg_integrator_destroy(it);
    return NULL;
}

double bench_motion_error(const bench_motion *m, const double *y)
{
    double g[BENCH_STATE], d;
    if (!m->known) return (double)NAN;
    if (onto_group(m, g, y) || lg_group_distance(m->S->group, &d, g, m->end) != LG_OK) return (double)NAN;
    return d;
}

double bench_motion_energy(const bench_motion *m, const double *y)
{
    return fabs(energy_of(m, y) - m->energy) / m->scale;
}

/* The largest distance of a factor's element; angles that were not wrapped count modulo 2 pi. */
static double off_group(const lg_group *G, const double *y)
{
    double worst = 0;
    for (int i = 0; i < lg_group_factor_count(G); i++) {
        const lg_group *f = lg_group_factor(G, i);
        if (f->kind != LG_KIND_TORUS) worst = fmax(worst, lg_group_residual(f, y));
        y += lg_group_element_size(f);
    }
    return worst;
}

double bench_motion_constraint(const bench_motion *m, const double *y)
{
    const lg_system *S = m->S;
    const lg_call c = call_of(S);
    double g[BENCH_STATE], A[ROWS * MOST_DIM] = {0}, Y[MOST_DIM] = {0}, worst = off_group(S->group, y);
    if (S->constraint_count == 0) return worst;
    if (onto_group(m, g, y)) return (double)NAN;
    if (S->covector_matrix != NULL) {
        memcpy(A, S->covector_matrix, (size_t)(S->constraint_count * m->dim) * sizeof *A);
        if (S->callbacks.drift != NULL && S->callbacks.drift(&c, g, Y) != 0) return (double)NAN;
    } else if (S->callbacks.covectors(&c, g, A, Y) != 0) {
        return (double)NAN;
    }
    for (int a = 0; a < S->constraint_count; a++) {
        double sum = 0;
        for (int i = 0; i < m->dim; i++) sum += A[a * m->dim + i] * (y[m->element + i] - Y[i]);
        if (!(fabs(sum) <= worst)) worst = fabs(sum);
    }
    return worst;
}

/* The end with one step size; nonzero: it is not reached. */
static int walk(bench_motion *m, const char *method, double T, long steps, double *end)
{
    lg_integrator *it = bench_motion_integrator(m, method, lg_retraction_exp(), T / (double)steps);
    if (it == NULL) return 1;
    const int bad =
        lg_integrator_run(it, steps, 1, NULL, NULL) != LG_OK || lg_integrator_velocity(it, end + m->element) != LG_OK;
    if (bad) (void)complain(m, lg_integrator_message(it));
    memcpy(end, lg_integrator_configuration(it), (size_t)m->element * sizeof *end);
    lg_integrator_destroy(it);
    return bad;
}

static int refine(bench_motion *m, const char *method, double T, long most)
{
    double before[BENCH_STATE], change, last = INFINITY;
    long steps = 2 * (long)ceil(T / m->step);
    m->uncertain = INFINITY;
    if (walk(m, method, T, steps, m->end)) return 1;
    for (;;) {
        memcpy(before, m->end, sizeof before);
        steps *= 2;
        if (steps > most) break;
        if (walk(m, method, T, steps, m->end)) return 1;
        change = bench_motion_error(m, before);
        if (change < m->uncertain) m->uncertain = change;
        snprintf(m->reference, sizeof m->reference, "%s, h = %.6g", method, T / (double)steps);
        if (change >= last || change < 1e-14) break;
        last = change;
    }
    return 0;
}

int bench_motion_reference(bench_motion *m, double T, long most)
{
    m->T = T;
    m->known = 1;
    if (refine(m, "sem@kahan-li8", T, most) && refine(m, "gni@kahan-li8", T, most)) return 1;
    m->known = m->uncertain < 1e-4;
    return 0;
}
