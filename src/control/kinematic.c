/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems whose constraints prescribe the velocity, from the configuration and the controls. Momenta are no states: a
 * step begins with the velocity that its controls give. Its derivative is found by differences of fourth order. */
#include "base/dense.h"
#include "base/message.h"
#include "control/optimum.h"

#include <math.h>
#include <string.h>

static const double STEP = 1e-3; /* of differences, in scales */

/* log(y_0^-1 y), of the step with one column of (eta, u, h) displaced. */
static lg_status kinematic_at(lg_optimum *o, int k, int column, double by, double h, const double *g, double *out)
{
    const int n = o->n;
    const double *end = o->column, t = k * o->now.h;
    double *u = o->displaced + n, *moved = column >= n && column < n + o->controls ? u + column - n : NULL;
    memset(o->displaced, 0, sz(n) * sizeof *o->displaced);
    if (column < n) o->displaced[column] = by;
    if (column == n + o->controls) h += by;
    const double before = moved ? *moved : 0;
    if (moved) *moved += by;
    lg_status st = lg_optimum_displace(o, o->move_g, g, o->displaced);
    if (st == LG_OK) st = lg_integrator_place(o->it, h, t, o->move_g, o->move_p, u);
    if (moved) *moved = before;
    if (st == LG_OK) st = lg_integrator_step(o->it);
    if (st != LG_OK)
        return lg_fail(&o->error, st, "step next to the one from node %d: %.300s", k, lg_integrator_message(o->it));
    return out ? lg_optimum_difference(o, out, end, lg_integrator_configuration(o->it)) : LG_OK;
}

/* A column of the jacobian. */
static lg_status kinematic_column(lg_optimum *o, int k, int column, double h, const double *g, double *log)
{
    static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    static const int at[4] = {-2, -1, 1, 2};
    const int n = o->n, to = column < n ? column : n + column, columns = lg_linearisation_columns(o->lin);
    const double scale = column < n ? 1 : column < n + o->controls ? o->scale[2 * n + column - n] : h;
    const double e = STEP * scale;
    lg_status st = LG_OK;
    for (int i = 0; st == LG_OK && i < 4; i++) {
        st = kinematic_at(o, k, column, at[i] * e, h, g, log);
        for (int r = 0; st == LG_OK && r < n; r++) o->jacobian[r * columns + to] += weight[i] * log[r] / e;
    }
    return st;
}

lg_status lg_kinematic_step(lg_optimum *o, int k, double h)
{
    const int n = o->n, e = o->element;
    double *end = o->column, *g = end + e, *log = g + e;
    const size_t numbers = sz(lg_linearisation_rows(o->lin)) * sz(lg_linearisation_columns(o->lin));
    memset(o->jacobian, 0, numbers * sizeof *o->jacobian);
    memcpy(g, o->move_g, sz(e) * sizeof *g);
    lg_status st = kinematic_at(o, k, 0, 0, h, g, NULL);
    if (st != LG_OK) return st;
    memcpy(end, lg_integrator_configuration(o->it), sz(e) * sizeof *end);
    for (int j = 0; st == LG_OK && j < n + o->controls + o->timed; j++) st = kinematic_column(o, k, j, h, g, log);
    return st == LG_OK ? kinematic_at(o, k, 0, 0, h, g, NULL) : st;
}

void lg_kinematic_apply_transposed(const lg_optimum *o, double *out, const double *weights)
{
    const int n = o->n, columns = lg_linearisation_columns(o->lin);
    memset(out, 0, sz(columns) * sizeof *out);
    for (int r = 0; r < n; r++)
        for (int j = 0; j < columns; j++) out[j] += weights[r] * o->jacobian[r * columns + j];
}

lg_status lg_kinematic_open(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    static const char why[] = "of a system whose constraints prescribe the velocity";
    o->kinematic = o->it->plan.m == o->n;
    if (!o->kinematic) return LG_OK;
    if (p->start_p || p->target_p)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_optimum_create: the momentum %s follows from the controls; leave %s NULL", why,
                       p->start_p ? "start_p" : "target_p");
    const char *what = p->closes       ? "a gait"
                       : p->start_free ? "a free start"
                       : o->unknowns   ? "a free parameter"
                                       : NULL;
    if (!what) return LG_OK;
    return lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_optimum_create: %s %s is not supported; leave it out", what, why);
}

lg_status lg_kinematic_check(lg_optimum *o, lg_error *e)
{
    const int n = o->n, c = o->controls;
    const double h = o->time / o->steps;
    double *u = o->now.u, *p = o->now.p;
    if (!o->constrained || o->kinematic) return LG_OK;
    for (int i = 0; i < n; i++) p[i] = 1 + 0.1 * i;
    memset(u, 0, sz(c) * sizeof *u);
    if (lg_integrator_place(o->it, h, 0, o->start_g, p, u) != LG_OK) return LG_OK; /* steps will say why */
    memcpy(o->move_p, lg_integrator_carried(o->it), sz(n) * sizeof *p);
    for (int j = 0; j < c; j++) u[j] = 0.1 + 0.01 * j;
    if (lg_integrator_place(o->it, h, 0, o->start_g, p, u) != LG_OK) return LG_OK;
    if (memcmp(o->move_p, lg_integrator_carried(o->it), sz(n) * sizeof *p) == 0) return LG_OK;
    return lg_fail(e, LG_ERROR_UNSUPPORTED,
                   "lg_optimum_create: %d constraints of %d velocities depend on controls, so that momenta would jump "
                   "where these change; prescribe all velocities, or let controls be forces",
                   o->it->plan.m, n);
}
