/* SPDX-License-Identifier: BSD-3-Clause */
/* The quadratic model of a problem at its present point. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "control/optimum.h"
#include "retractions/retraction.h"

/* Weights of what a correction of a stride moves, relative to the cost. */
static const double LEAST_BRAKE = 1e-3, MOST_BRAKE = 1e3;

/* Steps of the differences that give curvature, and derivatives of the projection onto constraints, in scales. */
static const double CURVATURE_STEP = 2e-4, PROJECTION_STEP = 1e-4;

/* ---- first derivatives ---- */

static lg_status model_rescale(lg_optimum *o)
{
    const int n = o->n, z = lg_optimum_z(o);
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int k = 0; k < o->steps; k++) {
            const double moved = fabs(o->model.stages[k].A[i * z + n + i]) * sqrt(o->steps);
            most = lg_larger(most, fabs(o->now.p[(k + 1) * n + i]));
            if (moved > 0) most = lg_larger(most, 1 / moved);
        }
        o->scale[i] = 1, o->scale[n + i] = most > 0 && isfinite(most) ? most : 1;
    }
    for (int i = 0; i < o->ends; i++) o->end_scale[i] = o->scale[o->row[i]];
    return LG_OK;
}

lg_status lg_optimum_rescale(lg_optimum *o)
{
    const int c = o->controls;
    const lg_status st = o->moves->rescale(o);
    for (int j = 0; j < c; j++) {
        double most = 0;
        for (int k = 0; k < o->steps; k++) {
            double moved = 0;
            for (int i = o->kinematic ? 0 : o->half; i < o->k; i++)
                moved = lg_larger(moved, fabs(o->model.stages[k].B[i * c + j]) / o->scale[i]);
            most = lg_larger(most, fabs(o->now.u[k * c + j]));
            if (moved > 0) most = lg_larger(most, 1 / (moved * sqrt(o->steps)));
        }
        o->scale[o->k + j] = most > 0 && isfinite(most) ? most : 1;
    }
    lg_path_rescale(o);
    return st;
}

/* Columns of A of free parameters; o->D is that of the stage. */
static lg_status model_parameters(lg_optimum *o, int k, lg_riccati_stage *t)
{
    const int n = o->n, n2 = 2 * n, z = lg_optimum_z(o), columns = lg_linearisation_columns(o->lin);
    for (int i = 0; i < o->unknowns; i++) {
        const int from = n2 + o->controls + 1 + o->unknown[i], to = n2 + o->timed + i;
        for (int r = 0; r < n2; r++) {
            double entry = o->jacobian[r * columns + from];
            if (!isfinite(entry))
                return lg_fail(&o->error, LG_ERROR_UNSUPPORTED, "step from node %d: %.300s", k,
                               lg_linearisation_message(o->lin));
            if (r < n) {
                entry = 0;
                for (int l = 0; l < n; l++) entry += o->D[r * n + l] * o->jacobian[l * columns + from];
            }
            t->A[r * z + to] = entry;
        }
    }
    return LG_OK;
}

/* The step from node k, with o->jacobian. */
static lg_status model_step(lg_optimum *o, int k)
{
    const int n = o->n, c = o->controls;
    const lg_iterate *x = &o->now;
    if (o->kinematic) {
        memcpy(o->move_g, x->g + k * o->element, sz(o->element) * sizeof *x->g);
        memcpy(o->move_p, x->p + k * n, sz(n) * sizeof *x->p);
        memcpy(o->displaced + n, x->u + k * c, sz(c) * sizeof *x->u);
        return lg_kinematic_step(o, k, x->h);
    }
    lg_status st = lg_integrator_place(o->it, x->h, k * x->h, x->g + k * o->element, x->p + k * n, x->u + k * c);
    if (st != LG_OK) return lg_fail(&o->error, st, "node %d: %s", k, lg_integrator_message(o->it));
    if ((st = lg_linearisation_step(o->lin, o->it)) != LG_OK)
        return lg_fail(&o->error, st, "step from node %d: %s", k, lg_linearisation_message(o->lin));
    return lg_linearisation_jacobian(o->lin, o->jacobian);
}

static lg_status model_stage(lg_optimum *o, int k)
{
    const int n = o->n, n2 = 2 * n, c = o->controls, z = lg_optimum_z(o), columns = lg_linearisation_columns(o->lin);
    const lg_iterate *x = &o->now;
    lg_riccati_stage *t = &o->model.stages[k];
    lg_status st = model_step(o, k);
    if (st != LG_OK) return st;
    st = lg_optimum_difference(o, t->d, x->g + (k + 1) * o->element, lg_integrator_configuration(o->it));
    if (st == LG_OK) st = o->G->Ad(o->G, o->D, o->move_w, o->scratch);
    if (st != LG_OK)
        return lg_fail(&o->error, st, "node %d is too far from the end of its step for a logarithm", k + 1);
    for (int i = 0; i < n; i++) t->d[n + i] = x->defect[k * n2 + n + i];
    for (int r = 0; r < n2; r++)
        for (int j = 0; j < n2 + c + o->timed; j++) {
            double entry = o->jacobian[r * columns + j];
            if (r < n) {
                entry = 0;
                for (int l = 0; l < n; l++) entry += o->D[r * n + l] * o->jacobian[l * columns + j];
            }
            if (j < n2)
                t->A[r * z + j] = entry;
            else if (j < n2 + c)
                t->B[r * c + j - n2] = entry;
            else
                t->A[r * z + n2] = entry;
        }
    return model_parameters(o, k, t);
}

/* C_0: how the first node moves the end conditions of a motion that closes; o->displaced = log((D g_0)^-1 g_N). */
static lg_status model_end_start(lg_optimum *o)
{
    const int n = o->n, n2 = 2 * n;
    const lg_status st = lg_retraction_dtau_inv_with(o->map, o->G, o->D, o->displaced, o->scratch);
    memset(o->model.C0, 0, sz(o->ends * n2) * sizeof *o->model.C0);
    for (int i = 0; st == LG_OK && i < o->ends; i++) {
        const int r = o->row[i];
        if (r >= n) o->model.C0[i * n2 + r] = -1 / o->end_scale[i];
        for (int j = 0; r < n && j < n; j++) o->model.C0[i * n2 + j] = -o->D[r * n + j];
    }
    return st;
}

static lg_status model_end(lg_optimum *o)
{
    const int n = o->n, z = lg_optimum_z(o);
    memset(o->model.C, 0, sz(o->ends * z) * sizeof *o->model.C);
    if (o->has_g) {
        lg_status st = lg_gait_goal(o, &o->now);
        if (st == LG_OK) st = lg_optimum_difference(o, o->displaced, o->goal, o->now.g + o->steps * o->element);
        if (st == LG_OK && o->closes) st = model_end_start(o);
        for (int i = 0; i < n; i++) o->displaced[i] = -o->displaced[i];
        if (st == LG_OK) st = lg_retraction_dtau_inv_with(o->map, o->G, o->D, o->displaced, o->scratch);
        if (st != LG_OK) return lg_fail(&o->error, st, "node %d: no logarithm of the end condition", o->steps);
    }
    for (int i = 0; i < o->ends; i++) {
        const int r = o->row[i];
        if (r < n)
            for (int j = 0; j < n; j++) o->model.C[i * z + j] = o->D[r * n + j];
        else
            o->model.C[i * z + r] = 1 / o->end_scale[i];
        o->model.e[i] = o->now.end[i] / o->end_scale[i];
    }
    return o->closes && o->constrained ? lg_gait_rows(o) : LG_OK;
}

lg_status lg_optimum_linearise(lg_optimum *o)
{
    const int w = lg_optimum_w(o);
    lg_status st = LG_OK;
    lg_free_load(o, &o->now);
    for (int k = 0; st == LG_OK && k < o->steps; k++) st = o->moves->stage(o, k);
    if (st == LG_OK) st = o->moves->target(o);
    if (st == LG_OK && o->frees) st = o->moves->tangents(o);
    if (st == LG_OK) st = lg_path_linearise(o);
    for (int k = 0; st == LG_OK && k <= o->steps; k++) {
        double value;
        st = lg_point_cost(o, &o->now, k, &value, o->gradient + k * w, o->hessian + k * w * w);
    }
    return st;
}

/* ---- curvature ---- */

/* The state (g, p) of node k, displaced by `by` along `column` of (z, u), into the integrator. */
static lg_status model_displace(lg_optimum *o, int k, int column, double by)
{
    const int n = o->n, c = o->controls, z = lg_optimum_z(o);
    const lg_iterate *x = &o->now;
    double *u = o->displaced + n, h = x->h;
    lg_free_load(o, x);
    memset(o->displaced, 0, sz(n) * sizeof *o->displaced);
    memcpy(o->move_p, x->p + k * n, sz(n) * sizeof *o->move_p);
    memcpy(u, x->u + k * c, sz(c) * sizeof *u);
    if (column < n)
        o->displaced[column] = by;
    else if (column < 2 * n)
        o->move_p[column - n] += by;
    else if (column < 2 * n + o->timed)
        h += by;
    else if (column < z)
        lg_free_displace(o, column - 2 * n - o->timed, by);
    else
        u[column - z] += by;
    const lg_status st = lg_optimum_displace(o, o->move_g, x->g + k * o->element, o->displaced);
    return st == LG_OK ? lg_integrator_place(o->it, h, k * x->h, o->move_g, o->move_p, u) : st;
}

/* row (2 n numbers) times the derivative of the projection onto constraints, at the displaced state (move_g, move_p).
 */
static lg_status model_project(lg_optimum *o, int k, double *row)
{
    const int n = o->n;
    double *turn = o->column, *base_g = o->column + n, *base_p = base_g + o->element, *p = base_p + n, *out = p + n;
    const double *u = o->displaced + n, h = o->it->h, t = k * o->now.h;
    memcpy(base_g, o->move_g, sz(o->element) * sizeof *base_g), memcpy(base_p, o->move_p, sz(n) * sizeof *base_p);
    memcpy(out, row, sz(n) * sizeof *out), memset(out + n, 0, sz(n) * sizeof *out);
    for (int j = 0; j < 2 * n; j++) {
        const double e = PROJECTION_STEP * o->scale[j];
        for (int side = -1; side <= 1; side += 2) {
            memset(turn, 0, sz(n) * sizeof *turn), memcpy(p, base_p, sz(n) * sizeof *p);
            *(j < n ? turn + j : p + j - n) += side * e;
            lg_status st = lg_optimum_displace(o, o->move_g, base_g, turn);
            if (st == LG_OK) st = lg_integrator_place(o->it, h, t, o->move_g, p, u);
            if (st != LG_OK) return st;
            out[j] += side * lg_dot(row + n, lg_integrator_carried(o->it), n) / (2 * e);
        }
    }
    memcpy(row, out, sz(2 * n) * sizeof *out);
    return LG_OK;
}

/* The momentum of a node is projected onto rows that turn with the configuration. Adds what multiplies it in the step
 * before, or in the end conditions of a motion that closes, to the derivatives with respect to it. */
static void model_attach(const lg_optimum *o, int k, double *out)
{
    const int n = o->n;
    for (int i = 0; k > 0 && i < n; i++) out[i] -= o->costate[k * 2 * n + n + i];
    for (int i = 0; k == 0 && o->closes && i < o->ends; i++)
        if (o->row[i] >= n) out[o->row[i] - n] -= o->nu[i] / o->end_scale[i];
}

/* Derivatives (w numbers) of costate.log(x_{k+1}^-1 step) with respect to (z, u), at the displaced point. */
static lg_status model_slope(lg_optimum *o, int k, int column, double by, double *out)
{
    const int n = o->n, c = o->controls, z = lg_optimum_z(o);
    const double *costate = o->costate + (k + 1) * 2 * n;
    lg_status st = model_displace(o, k, column, by);
    if (st == LG_OK) st = o->kinematic ? lg_kinematic_step(o, k, o->it->h) : lg_linearisation_step(o->lin, o->it);
    if (st == LG_OK)
        st = lg_optimum_difference(o, o->raw, o->now.g + (k + 1) * o->element, lg_integrator_configuration(o->it));
    for (int i = 0; i < n; i++) o->raw[i] = -o->raw[i];
    if (st == LG_OK) st = lg_retraction_dtau_inv_with(o->map, o->G, o->D, o->raw, o->scratch);
    if (st != LG_OK) return st;
    memset(o->weights, 0, sz(lg_linearisation_rows(o->lin)) * sizeof *o->weights);
    lg_matvec_transposed(o->weights, o->D, costate, n, n);
    memcpy(o->weights + n, costate + n, sz(n) * sizeof *costate);
    if (o->kinematic)
        lg_kinematic_apply_transposed(o, o->raw, o->weights);
    else
        (void)(lg_linearisation_apply_transposed(o->lin, o->raw, o->weights) == LG_OK);
    memcpy(out, o->raw, sz(2 * n) * sizeof *out);
    if (o->timed) out[2 * n] = o->raw[2 * n + c];
    for (int i = 0; i < o->unknowns; i++) out[2 * n + o->timed + i] = o->raw[2 * n + c + 1 + o->unknown[i]];
    memcpy(out + z, o->raw + 2 * n, sz(c) * sizeof *out);
    if (o->curved) model_attach(o, k, out + n);
    if (o->constrained && !o->kinematic && (st = model_project(o, k, out)) != LG_OK) return st;
    if (column >= n) return LG_OK;
    memset(o->displaced, 0, sz(n) * sizeof *o->displaced), o->displaced[column] = -by;
    if ((st = lg_retraction_dtau_with(o->map, o->G, o->D, o->displaced, o->scratch)) != LG_OK) return st;
    lg_matvec_transposed(o->raw, o->D, out, n, n);
    memcpy(out, o->raw, sz(n) * sizeof *out);
    return LG_OK;
}

double lg_optimum_column_scale(const lg_optimum *o, int j)
{
    const int h = o->k, parameter = h + o->timed, z = lg_optimum_z(o);
    if (j < h) return o->scale[j];
    if (j < parameter) return o->now.h;
    return j < z ? o->parameter_scale[j - parameter] : o->scale[h + j - z];
}

static void model_curve_stage(lg_optimum *o, int k)
{
    if (k == o->steps) return; /* end conditions are linear near the target */
    const int w = lg_optimum_w(o);
    double *H = o->curvature + k * w * w, *plus = o->J, *minus = o->J + w;
    const int has = lg_curve_has(o);
    if (has && (lg_curve_stage(o, k, H) != LG_OK || !lg_all_finite(H, w * w))) memset(H, 0, sz(w * w) * sizeof *H);
    if (has) return;
    for (int j = 0; j < w; j++) {
        const double e = CURVATURE_STEP * lg_optimum_column_scale(o, j);
        if (model_slope(o, k, j, e, plus) != LG_OK || model_slope(o, k, j, -e, minus) != LG_OK) {
            memset(H, 0, sz(w * w) * sizeof *H);
            return;
        }
        for (int i = 0; i < w; i++) H[i * w + j] = (plus[i] - minus[i]) / (2 * e);
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < i; j++) H[i * w + j] = H[j * w + i] = 0.5 * (H[i * w + j] + H[j * w + i]);
    if (!lg_all_finite(H, w * w)) memset(H, 0, sz(w * w) * sizeof *H);
}

void lg_optimum_curve(lg_optimum *o)
{
    const int w = lg_optimum_w(o);
    if (lg_norm_max(o->costate, (o->steps + 1) * o->k) > 0)
        for (int k = 0; k <= o->steps; k++) o->moves->curve(o, k);
    else
        memset(o->curvature, 0, sz((o->steps + 1) * w * w) * sizeof *o->curvature);
    lg_free_load(o, &o->now);
    lg_path_curve(o);
}

/* ---- systems ---- */

static lg_status model_pull(lg_optimum *o, const lg_iterate *x, int k, double *gradient, double *hessian)
{
    (void)o, (void)x, (void)k, (void)gradient, (void)hessian;
    return LG_OK; /* a cost has the coordinates of the node */
}

static void model_carry(lg_optimum *o, const lg_iterate *from)
{
    (void)o, (void)from; /* body axes turn with the node */
}

static void model_name(const lg_optimum *o, int row, int end, char *text, size_t size)
{
    (void)end;
    if (row < o->n)
        snprintf(text, size, "%d (component %d of the logarithm of the configuration)", row + 1, row + 1);
    else
        snprintf(text, size, "%d (component %d of the momentum)", row + 1, row + 1 - o->n);
}

const lg_moves lg_moves_system = {
    lg_point_displace, lg_point_settle, lg_point_step,     lg_point_follow, lg_point_end, lg_point_read,    model_pull,
    model_stage,       model_end,       model_curve_stage, model_rescale,   model_carry,  lg_gait_tangents, model_name};

/* ---- the model ---- */

/* Curvature and slope of the barrier at distance `gap` from a limit with multiplier z; sign 1: a lower limit. */
static void model_limit(const lg_optimum *o, double gap, double multiplier, double sign, double *H, double *slope)
{
    if (!isfinite(gap)) return;
    *H += multiplier / gap;
    *slope -= sign * o->mu / gap;
}

static void model_limits(lg_optimum *o)
{
    const int c = o->controls, z = lg_optimum_z(o), n2 = o->k;
    for (int i = 0; o->limited && i < o->steps * c; i++) {
        lg_riccati_stage *t = &o->model.stages[i / c];
        const int j = i % c;
        model_limit(o, o->now.u[i] - o->low[j], o->z_low[i], 1, &t->R[j * c + j], &t->r[j]);
        model_limit(o, o->high[j] - o->now.u[i], o->z_high[i], -1, &t->R[j * c + j], &t->r[j]);
    }
    lg_riccati_stage *last = &o->model.stages[o->steps];
    for (int i = 0; i < o->unknowns; i++) {
        const int at = n2 + o->timed + i;
        const double value = o->now.parameter[i], *of = o->z_parameter + 2 * i;
        model_limit(o, value - o->parameter_low[i], of[0], 1, &last->Q[at * z + at], &last->q[at]);
        model_limit(o, o->parameter_high[i] - value, of[1], -1, &last->Q[at * z + at], &last->q[at]);
    }
    if (!o->timed) return;
    model_limit(o, o->now.h - o->h_low, o->z_time[0], 1, &last->Q[n2 * z + n2], &last->q[n2]);
    model_limit(o, o->h_high - o->now.h, o->z_time[1], -1, &last->Q[n2 * z + n2], &last->q[n2]);
}

void lg_optimum_assemble(lg_optimum *o, double share)
{
    const int c = o->controls, z = lg_optimum_z(o), w = z + c;
    for (int k = 0; k <= o->steps; k++) {
        lg_riccati_stage *t = &o->model.stages[k];
        const double *H = o->hessian + k * w * w, *H2 = o->curvature + k * w * w, *G = o->gradient + k * w;
        for (int i = 0; i < w; i++) {
            if (k == o->steps && i >= z) break;
            *(i < z ? t->q + i : t->r + i - z) = G[i];
            for (int j = 0; j < w; j++) {
                const double entry = H[i * w + j] + share * H2[i * w + j];
                if (i < z && j < z) t->Q[i * z + j] = entry;
                if (i >= z && j < z) t->S[(i - z) * z + j] = entry;
                if (i >= z && j >= z) t->R[(i - z) * c + j - z] = entry;
            }
        }
    }
    model_limits(o);
    lg_path_assemble(o);
}

void lg_optimum_assemble_shortest(lg_optimum *o)
{
    const int c = o->controls, z = lg_optimum_z(o), n2 = o->k;
    const double keep_nodes =
        lg_optimum_strides(o) ? 1 : 1e-2; /* in relation to controls; a stride's guess is its shape */
    for (int k = 0; k <= o->steps; k++) {
        lg_riccati_stage *t = &o->model.stages[k];
        memset(t->Q, 0, sz(z * z) * sizeof *t->Q), memset(t->q, 0, sz(z) * sizeof *t->q);
        for (int i = 0; i < n2; i++) t->Q[i * z + i] = keep_nodes / (o->scale[i] * o->scale[i]);
        if (o->timed && k == o->steps) t->Q[n2 * z + n2] = o->steps / (o->now.h * o->now.h);
        for (int i = n2 + o->timed; k == o->steps && i < z; i++) {
            const double scale = lg_optimum_column_scale(o, i);
            t->Q[i * z + i] = o->steps / (scale * scale);
        }
        if (k == o->steps) break;
        memset(t->R, 0, sz(c * c) * sizeof *t->R), memset(t->S, 0, sz(c * z) * sizeof *t->S);
        for (int j = 0; j < c; j++) {
            const double scale = o->scale[n2 + j], u = o->now.u[k * c + j];
            const double below = o->limited ? u - o->low[j] : INFINITY, above = o->limited ? o->high[j] - u : INFINITY;
            t->r[j] = 0;
            t->R[j * c + j] = 1 / (scale * scale) + 0.1 / (below * below) + 0.1 / (above * above);
        }
    }
    o->model.penalty = 0;
    lg_path_assemble_shortest(o);
}

/* Leaves out how h and the other variables change the cost together: efforts are convex in each of both alone. */
static void model_part_time(lg_optimum *o)
{
    const int c = o->controls, z = lg_optimum_z(o), h = o->k;
    for (int k = 0; k <= o->steps; k++) {
        lg_riccati_stage *t = &o->model.stages[k];
        for (int i = 0; i < h; i++) t->Q[i * z + h] = t->Q[h * z + i] = 0;
        for (int j = 0; k < o->steps && j < c; j++) t->S[j * z + h] = 0;
    }
}

int lg_optimum_solve_model(lg_optimum *o)
{
    if (lg_riccati_solve(&o->model)) return 1;
    lg_path_directions(o);
    return 0;
}

/* Adds the squares of what all variables of a stage move by, in scales. */
static void model_brake(lg_optimum *o, double weight)
{
    const int c = o->controls, z = lg_optimum_z(o);
    for (int k = 0; k <= o->steps; k++) {
        lg_riccati_stage *t = &o->model.stages[k];
        for (int i = 0; i < o->k; i++) t->Q[i * z + i] += weight / (o->scale[i] * o->scale[i]);
        for (int j = 0; k < o->steps && j < c; j++)
            t->R[j * c + j] += weight / (o->scale[o->k + j] * o->scale[o->k + j]);
    }
}

/* Tries the penalties of the end. 0; or 1: the model has no minimum. */
static int model_penalise(lg_optimum *o, double size)
{
    for (double factor = 0; factor <= 1e5; factor = factor > 0 ? 10 * factor : 1) {
        o->model.penalty = size * factor;
        if (!lg_optimum_solve_model(o)) return 0;
    }
    return 1;
}

int lg_optimum_correct(lg_optimum *o)
{
    const int c = o->controls;
    double size = 0;
    for (int j = 0; j < c; j++) {
        const double u = o->scale[o->k + j];
        size = lg_larger(size, o->now.h * o->steps * o->effort[j * c + j] * u * u);
    }
    for (; lg_optimum_strides(o) && o->brake <= MOST_BRAKE; lg_optimum_brake(o, 10)) {
        lg_optimum_assemble(o, 1);
        model_brake(o, o->brake * size / o->steps);
        if (!model_penalise(o, size)) return 0;
    }
    for (double share = 1;; share = share > 0.1 ? share / 2 : share > 0 ? 0 : -1) {
        lg_optimum_assemble(o, lg_larger(share, 0));
        if (share < 0) model_part_time(o);
        if (!model_penalise(o, size)) return 0;
        if (share < 0 || (share == 0 && !o->timed)) return 1;
    }
}

void lg_optimum_brake(lg_optimum *o, double factor)
{
    o->brake = factor > 1 ? lg_larger(factor * o->brake, LEAST_BRAKE) : factor * o->brake;
    if (o->brake < LEAST_BRAKE) o->brake = 0;
}
