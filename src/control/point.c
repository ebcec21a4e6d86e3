/* SPDX-License-Identifier: BSD-3-Clause */
/* A point: nodes and controls, what they lack and what they cost. */
#include <math.h>
#include <string.h>

#include <liegrp/base/elementary.h>

#include "base/dense.h"
#include "base/message.h"
#include "control/optimum.h"
#include "retractions/retraction.h"

lg_status lg_optimum_difference(lg_optimum *o, double *out, const double *a, const double *b)
{
    lg_status st = o->G->inverse(o->G, o->move_w, a, o->scratch);
    if (st == LG_OK) st = o->G->compose(o->G, o->move_w, o->move_w, b, o->scratch);
    return st == LG_OK ? lg_retraction_tau_inv_with(o->map, o->G, out, o->move_w, o->scratch) : st;
}

lg_status lg_optimum_displace(lg_optimum *o, double *out, const double *g, const double *eta)
{
    const lg_status st = lg_retraction_tau_with(o->map, o->G, o->move_g, eta, o->scratch);
    return st == LG_OK ? o->G->compose(o->G, out, g, o->move_g, o->scratch) : st;
}

/* ---- cost ---- */

lg_status lg_point_own_cost(lg_optimum *o, const char *who, const lg_cost_call *call, double *value, double *gradient,
                            double *hessian)
{
    const int last = call->node == o->steps, s = 2 * o->n + (last ? 0 : lg_nodes_count(o));
    const lg_cost_fn cost = last ? o->final : o->running;
    const char *name = last ? "end_cost" : "running_cost";
    *value = 0;
    if (gradient) memset(gradient, 0, sz(s) * sizeof *gradient), memset(hessian, 0, sz(s * s) * sizeof *hessian);
    if (!cost) return LG_OK;
    const int code = cost(call, value, gradient, hessian);
    if (code)
        return lg_fail(&o->error, LG_ERROR_CALLBACK, "%s: %s returned %d at node %d", who, name, code, call->node);
    if (gradient && o->kinematic && lg_norm_max(gradient + o->n, o->n) > 0)
        return lg_fail(
            &o->error, LG_ERROR_UNSUPPORTED,
            "%s: %s depends on the momentum at node %d, which the controls give in a system whose constraints "
            "prescribe the velocity; let it depend on the controls",
            who, name, call->node);
    if (isfinite(*value) && (!gradient || (lg_all_finite(gradient, s) && lg_all_finite(hessian, s * s)))) return LG_OK;
    return lg_fail(&o->error, LG_ERROR_NOT_FINITE, "%s: %s is not finite at node %d", who, name, call->node);
}

/* The running cost l and the effort; G and H are those of l on entry, in the order (x, u). */
static void point_spread(const lg_optimum *o, const lg_iterate *x, int k, double l, const double *G, const double *H,
                         double *gradient, double *hessian)
{
    const int n2 = o->k, c = o->controls, z = lg_optimum_z(o), w = z + c, s = n2 + c;
    const double *u = x->u + k * c;
    memset(gradient, 0, sz(w) * sizeof *gradient), memset(hessian, 0, sz(w * w) * sizeof *hessian);
    for (int i = 0; i < s; i++) {
        const int to = i < n2 ? i : z + i - n2;
        double slope = G[i];
        if (i >= n2) slope += lg_dot(o->effort + (i - n2) * c, u, c);
        gradient[to] = x->h * slope;
        if (o->timed) hessian[to * w + n2] = hessian[n2 * w + to] = slope;
        for (int j = 0; j < s; j++) {
            const double effort = i >= n2 && j >= n2 ? o->effort[(i - n2) * c + j - n2] : 0;
            hessian[to * w + (j < n2 ? j : z + j - n2)] = x->h * (H[i * s + j] + effort);
        }
    }
    if (o->timed) gradient[n2] = l;
}

lg_status lg_point_cost(lg_optimum *o, const lg_iterate *x, int k, double *value, double *gradient, double *hessian)
{
    const int n2 = o->k, c = o->controls, w = lg_optimum_w(o);
    double *G = gradient ? o->raw : NULL, *H = gradient ? o->J : NULL;
    const int inside = o->degree && o->running && k < o->steps;
    const lg_cost_fn own = inside ? NULL : k < o->steps ? o->running : o->final;
    lg_cost_call call = {o->context, k * x->h, k, o->steps, NULL, NULL, k < o->steps ? x->u + k * c : NULL};
    lg_status st = own ? o->moves->read(o, x, k, &call.g, &call.p) : LG_OK;
    if (inside || !own) {
        *value = 0;
        if (gradient) memset(G, 0, sz(n2 + c) * sizeof *G), memset(H, 0, sz(n2 + c) * sz(n2 + c) * sizeof *H);
    } else if (st == LG_OK)
        st = lg_point_own_cost(o, "lg_optimum_solve", &call, value, G, H);
    if (st == LG_OK && own && gradient) st = o->moves->pull(o, x, k, G, H);
    if (st != LG_OK) return st;
    if (k < o->steps) {
        const double *u = x->u + k * c;
        for (int i = 0; i < c; i++) *value += 0.5 * u[i] * lg_dot(o->effort + i * c, u, c);
        if (gradient) point_spread(o, x, k, *value, G, H, gradient, hessian);
        if (inside) st = lg_nodes_cost(o, x, k, value, gradient, hessian);
        *value *= x->h;
        return st;
    }
    if (o->timed) *value += o->weight * o->steps * x->h;
    if (!gradient) return LG_OK;
    memset(gradient, 0, sz(w) * sizeof *gradient), memset(hessian, 0, sz(w * w) * sizeof *hessian);
    for (int i = 0; i < n2; i++) {
        gradient[i] = G[i];
        for (int j = 0; j < n2; j++) hessian[i * w + j] = H[i * n2 + j];
    }
    if (o->timed) gradient[n2] = o->weight * o->steps;
    return LG_OK;
}

double lg_point_barrier(const lg_optimum *o, const lg_iterate *x)
{
    double sum = 0;
    for (int i = 0; o->limited && i < o->steps * o->controls; i++) {
        const double below = x->u[i] - o->low[i % o->controls], above = o->high[i % o->controls] - x->u[i];
        if (isfinite(below)) sum += lg_real_log(below);
        if (isfinite(above)) sum += lg_real_log(above);
    }
    if (o->timed) sum += lg_real_log(x->h - o->h_low) + lg_real_log(o->h_high - x->h);
    sum += lg_free_barrier(o, x);
    for (int i = 0; i < (o->steps + 1) * o->path.count; i++)
        if (x->slack[i] != INFINITY) sum += lg_real_log(x->slack[i]);
    return -o->mu * sum;
}

/* ---- steps ---- */

/* Places the integrator at node k; a momentum on constraints becomes the point's. */
static lg_status point_place(lg_optimum *o, lg_iterate *x, int k)
{
    double *p = x->p + k * o->n;
    const int step = k < o->steps ? k : o->steps - 1; /* the last node only needs its momentum projected */
    const lg_status st =
        lg_integrator_place(o->it, x->h, k * x->h, x->g + k * o->element, p, x->u + step * o->controls);
    if (st != LG_OK) return lg_fail(&o->error, st, "node %d: %s", k, lg_integrator_message(o->it));
    if (o->constrained) memcpy(p, lg_integrator_carried(o->it), sz(o->n) * sizeof *p);
    return LG_OK;
}

lg_status lg_point_end(lg_optimum *o, lg_iterate *x)
{
    const int n = o->n;
    const double *g = x->g + o->steps * o->element, *p = x->p + o->steps * n;
    const double *target_p = o->closes ? x->p : o->target_p;
    if (o->has_g) {
        lg_status st = lg_gait_goal(o, x);
        if (st == LG_OK) st = lg_optimum_difference(o, o->displaced, o->goal, g);
        if (st != LG_OK)
            return lg_fail(&o->error, st, "node %d: the last configuration is too far from the target for a logarithm",
                           o->steps);
    }
    for (int i = 0; i < o->ends; i++) {
        const int r = o->row[i];
        x->end[i] = r < n ? o->displaced[r] : p[r - n] - target_p[r - n];
        x->violation += x->end[i] * x->end[i] / (o->end_scale[i] * o->end_scale[i]);
    }
    return LG_OK;
}

lg_status lg_point_step(lg_optimum *o, lg_iterate *x, int k)
{
    const int n = o->n;
    double *d = x->defect + k * 2 * n;
    lg_status st = point_place(o, x, k);
    if (st != LG_OK) return st;
    if ((st = lg_integrator_step(o->it)) != LG_OK)
        return lg_fail(&o->error, st, "step from node %d: %s", k, lg_integrator_message(o->it));
    st = lg_optimum_difference(o, d, x->g + (k + 1) * o->element, lg_integrator_configuration(o->it));
    if (st != LG_OK)
        return lg_fail(&o->error, st, "node %d is too far from the end of its step for a logarithm", k + 1);
    for (int i = 0; i < n; i++) d[n + i] = o->kinematic ? 0 : lg_integrator_carried(o->it)[i] - x->p[(k + 1) * n + i];
    for (int i = 0; i < 2 * n; i++) x->violation += d[i] * d[i] / (o->scale[i] * o->scale[i]);
    return LG_OK;
}

lg_status lg_point_settle(lg_optimum *o, lg_iterate *x)
{
    lg_status st = o->constrained ? point_place(o, x, o->steps) : LG_OK;
    if (st == LG_OK && o->constrained && o->closes) st = point_place(o, x, 0); /* where the motion ends */
    return st;
}

lg_status lg_point_follow(lg_optimum *o, lg_iterate *x, int k)
{
    lg_status st =
        lg_integrator_place(o->it, x->h, k * x->h, x->g + k * o->element, x->p + k * o->n, x->u + k * o->controls);
    if (st == LG_OK) st = lg_integrator_step(o->it);
    if (st != LG_OK) return lg_fail(&o->error, st, "step from node %d: %s", k, lg_integrator_message(o->it));
    memcpy(x->g + (k + 1) * o->element, lg_integrator_configuration(o->it), sz(o->element) * sizeof *x->g);
    memcpy(x->p + (k + 1) * o->n, lg_integrator_carried(o->it), sz(o->n) * sizeof *x->p);
    return LG_OK;
}

lg_status lg_point_read(lg_optimum *o, const lg_iterate *x, int k, const double **g, const double **p)
{
    *g = x->g + k * o->element, *p = x->p + k * o->n;
    return LG_OK;
}

lg_status lg_point_evaluate(lg_optimum *o, lg_iterate *x)
{
    x->cost = x->violation = 0;
    lg_free_load(o, x);
    lg_status st = o->moves->settle(o, x);
    if (st == LG_OK) st = o->moves->end(o, x);
    for (int k = o->steps - 1; st == LG_OK && k >= 0; k--) st = o->moves->step(o, x, k);
    if (st == LG_OK) st = lg_path_evaluate(o, x);
    x->violation = sqrt(x->violation);
    for (int k = 0; st == LG_OK && k <= o->steps; k++) {
        double value;
        st = lg_point_cost(o, x, k, &value, NULL, NULL);
        x->cost += value;
    }
    if (st == LG_OK && !(isfinite(x->cost) && isfinite(x->violation)))
        st = lg_fail(&o->error, LG_ERROR_NOT_FINITE, "lg_optimum_solve: the cost or a defect is not finite");
    return st;
}

lg_status lg_point_displace(lg_optimum *o, lg_iterate *to, int k, double length)
{
    const int n = o->n;
    const double *by = o->model.stages[k].x, *g = o->now.g + k * o->element;
    for (int i = 0; i < n; i++) o->displaced[i] = length * by[i];
    const lg_status st = lg_optimum_displace(o, to->g + k * o->element, g, o->displaced);
    if (st != LG_OK) return lg_fail(&o->error, st, "node %d: a correction is too long", k);
    for (int i = 0; i < n; i++) to->p[k * n + i] = o->now.p[k * n + i] + length * by[n + i];
    return LG_OK;
}

lg_status lg_point_move(lg_optimum *o, double length)
{
    const lg_iterate *x = &o->now;
    lg_iterate *y = &o->trial;
    const int c = o->controls;
    for (int k = 0; k <= o->steps; k++) {
        const lg_status st = o->moves->displace(o, y, k, length);
        if (st != LG_OK) return st;
        for (int j = 0; k < o->steps && j < c; j++)
            y->u[k * c + j] = x->u[k * c + j] + length * o->model.stages[k].u[j];
    }
    for (int i = 0; i < (o->steps + 1) * o->path.count; i++) y->slack[i] = x->slack[i] + length * o->path.by[i];
    for (int i = 0; i < o->unknowns; i++) y->parameter[i] = x->parameter[i] + length * lg_free_change(o, i);
    y->h = x->h + length * lg_optimum_time_change(o);
    return lg_point_evaluate(o, y);
}
