/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of a problem's costs against differences. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "control/optimum.h"

static const double STEP = 1e-4; /* in scales */

/* Value and derivatives of the cost at node k, displaced along a coordinate of (eta, p, u). */
static lg_status check_at(lg_optimum *o, int k, int column, double by, double *value, double *gradient, double *hessian)
{
    const int n = o->n, c = lg_nodes_count(o), last = k == o->steps;
    double *u = o->displaced + n;
    const double *g, *p;
    lg_status st = o->moves->read(o, &o->now, k, &g, &p);
    if (st != LG_OK) return st;
    memset(o->displaced, 0, sz(n) * sizeof *o->displaced);
    memcpy(o->move_p, p, sz(n) * sizeof *o->move_p);
    if (!last) memcpy(u, o->now.u + k * o->controls, sz(c) * sizeof *u);
    *(column < n ? o->displaced + column : column < 2 * n ? o->move_p + column - n : u + column - 2 * n) += by;
    if (o->course)
        for (int i = 0; i < n; i++) o->move_g[i] = g[i] + o->displaced[i];
    else
        st = lg_optimum_displace(o, o->move_g, g, o->displaced);
    if (st != LG_OK) return lg_fail(&o->error, st, "lg_optimum_check: node %d cannot be displaced", k);
    const lg_cost_call call = {o->context, k * o->now.h, k, o->steps, o->move_g, o->move_p, last ? NULL : u};
    return lg_point_own_cost(o, "lg_optimum_check", &call, value, gradient, hessian);
}

static lg_status check_entry(lg_optimum *o, int k, const char *what, int i, int j, double given, double found,
                             double scale, double tolerance)
{
    if (fabs(given - found) <= tolerance * scale) return LG_OK;
    return lg_fail(&o->error, LG_ERROR_ARGUMENT,
                   "lg_optimum_check: %s of %s at node %d, entry %d, %d, is %g, but differences give %g", what,
                   k == o->steps ? "end_cost" : "running_cost", k, i + 1, j + 1, given, found);
}

static lg_status check_column(lg_optimum *o, int k, int j, double tolerance)
{
    const int s = 2 * o->n + (k == o->steps ? 0 : lg_nodes_count(o));
    double value[3], *G = o->raw, *H = o->J, *plus = o->gradient, *minus = plus + s, *other = o->curvature;
    const double e = STEP * (o->course ? 1 : o->scale[j]);
    lg_status st = check_at(o, k, j, e, &value[0], plus, other);
    if (st == LG_OK) st = check_at(o, k, j, -e, &value[1], minus, other);
    if (st == LG_OK) st = check_at(o, k, j, 0, &value[2], G, H);
    if (st != LG_OK) return st;
    double scale = lg_larger(fabs(value[2]), lg_norm_max(G, s));
    st = check_entry(o, k, "the gradient", j, 0, G[j], (value[0] - value[1]) / (2 * e), 1 + scale, tolerance);
    scale = 1 + lg_norm_max(H, s * s) + lg_norm_max(G, s);
    for (int i = 0; st == LG_OK && i < s; i++)
        st = check_entry(o, k, "the Hessian", i, j, H[i * s + j], (plus[i] - minus[i]) / (2 * e), scale, tolerance);
    return st;
}

lg_status lg_optimum_check(lg_optimum *o, double tolerance)
{
    if (!o || !o->made) return LG_ERROR_ARGUMENT;
    lg_status st = lg_optimum_enter(o, "lg_optimum_check");
    if (st != LG_OK) return st;
    lg_error_clear(&o->error);
    for (int k = 0; st == LG_OK && k <= o->steps; k++)
        for (int j = 0; st == LG_OK && j < 2 * o->n + (k < o->steps ? lg_nodes_count(o) : 0); j++)
            if (k < o->steps ? o->running != NULL : o->final != NULL)
                st = check_column(o, k, j, tolerance > 0 ? tolerance : 1e-5);
    if (st == LG_OK && o->path.count) st = o->moves->settle(o, &o->now);
    if (st == LG_OK) st = lg_path_linearise(o);
    for (int k = 0; st == LG_OK && k <= o->steps; k++) st = lg_path_check(o, k, tolerance > 0 ? tolerance : 1e-5);
    o->busy = 0;
    return st;
}
