/* SPDX-License-Identifier: BSD-3-Clause */
/* Controls that are polynomials inside a step. */
#include "integrators/collocation/controls.h"

#include <string.h>

void lg_controls_carve(lg_controls *o, lg_arena *a, int count, int stages)
{
    o->degree = 0, o->count = count, o->stage_count = stages;
    o->values = lg_take_doubles(a, (size_t)LG_CONTROL_NODES_MOST * (size_t)count);
    o->stages = lg_take_doubles(a, (size_t)stages * (size_t)count);
    o->end = NULL;
}

void lg_controls_basis(const lg_tableau *nodes, double x, double *L)
{
    const int s = nodes->s;
    double P[LG_STAGES_MOST + 1] = {1, 2 * x - 1};
    for (int k = 1; k + 1 < s; k++) P[k + 1] = ((2 * k + 1) * (2 * x - 1) * P[k] - k * P[k - 1]) / (k + 1);
    for (int i = 0; i < s; i++) {
        double sum = 0;
        for (int k = 0; k < s; k++) sum += (2 * k + 1) * nodes->legendre[k * s + i] * P[k];
        L[i] = nodes->b[i] * sum;
    }
}

static void controls_fill(lg_controls *o)
{
    const int c = o->count, nodes = o->degree + 1;
    memset(o->stages, 0, (size_t)o->stage_count * (size_t)c * sizeof *o->stages);
    memset(o->end, 0, (size_t)c * sizeof *o->end);
    for (int i = 0; i < nodes; i++)
        for (int j = 0; j < c; j++) {
            const double value = o->values[i * c + j];
            for (int k = 0; k < o->stage_count; k++) o->stages[k * c + j] += o->to_stages[k * nodes + i] * value;
            o->end[j] += o->to_end[i] * value;
        }
}

static void controls_aim(lg_controls *o, const lg_tableau *T, double share)
{
    for (int k = 0; k < o->stage_count; k++)
        lg_controls_basis(&o->nodes, share * T->c[k], o->to_stages + k * (o->degree + 1));
    lg_controls_basis(&o->nodes, share, o->to_end);
}

void lg_controls_shape(lg_controls *o, const lg_tableau *T, int degree)
{
    if (o->degree == degree) return;
    o->degree = degree;
    if (!degree) return;
    lg_tableau_make(&o->nodes, degree + 1);
    memset(o->values, 0, (size_t)(degree + 1) * (size_t)o->count * sizeof *o->values);
    controls_aim(o, T, 1);
}

void lg_controls_set(lg_controls *o, const double *values)
{
    memcpy(o->values, values, (size_t)(o->degree + 1) * (size_t)o->count * sizeof *values);
    controls_fill(o);
}

void lg_controls_reach(lg_controls *o, const lg_tableau *T, double share)
{
    controls_aim(o, T, share);
    controls_fill(o);
}
