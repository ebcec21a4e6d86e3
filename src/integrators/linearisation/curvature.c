/* SPDX-License-Identifier: BSD-3-Clause */
/* Second derivatives of a step, contracted with weights of its outputs (docs/theory.md section 14): those that the
 * engine has (curved.c), or differences of order eight of the weighted gradient, which is a product with J^T at
 * displaced inputs. With x displaced by d and r = log(g_1^-1 g(x)), the gradient in charts at both ends is
 *
 *   (w Jr^-1(r), w_p, w_lambda) J(x) Jr(d),   Jr^-1(r) = dlog(-r), Jr(d) = dexp(-d),
 *
 * with exp as the retraction of the charts, or the method's where the group has no exp. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/differences.h"
#include "base/message.h"
#include "integrators/linearisation/linearisation.h"
#include "retractions/retraction.h"

static const double curvature_weight[] = {LG_CENTRAL_8};
enum { CURVATURE_POINTS = sizeof curvature_weight / sizeof curvature_weight[0] };

/* Displacements, in scales of the inputs: their fourfold is far enough for truncation and round-off to be 1e-11. */
#define CURVATURE_STEP (1.0 / 64)

void lg_curvature_carve(lg_curvature *o, lg_arena *a, const lg_plan *P, int nx, int ny)
{
    const size_t n = sz(P->n);
    o->inverse = lg_take_doubles(a, sz(P->element_size));
    o->turn = lg_take_doubles(a, n), o->apart = lg_take_doubles(a, n), o->D = lg_take_doubles(a, n * n);
    o->weights = lg_take_doubles(a, sz(ny)), o->gradient = lg_take_doubles(a, sz(nx));
    o->sum = lg_take_doubles(a, sz(nx));
}

static lg_status curvature_say(lg_linearisation *lin, lg_status st)
{
    return st == LG_OK ? st : lg_fail(&lin->error, st, "lg_linearisation_curvature: the coordinates near an element");
}

/* The scale of an input. */
static double curvature_scale(const lg_linearisation *lin, const lg_integrator *it, int column)
{
    const int n = it->plan.n, controls = it->S.callbacks.control_count;
    const lg_node *now = it->workspace->now;
    if (column < n) return 1;
    if (column < 2 * n) {
        const int i = column - n;
        const double metric = it->plan.diagonal ? now->metric[i] : now->metric[i * n + i];
        return metric * fmax(1, lg_norm_max(now->xi, n));
    }
    if (column < 2 * n + controls) return fmax(1, fabs(it->control[column - 2 * n]));
    if (column == 2 * n + controls) return fabs(it->h);
    const double value = fabs(it->S.parameter_values[column - 2 * n - controls - 1]);
    return lg_arrays_unknown(lin, column) ? (double)NAN : value != 0 ? value : 1;
}

/* The state that was adopted, with this input displaced by e. */
static lg_status curvature_displace(lg_linearisation *lin, int column, double e)
{
    const lg_integrator *copy = lin->implicit_copy;
    const int n = copy->plan.n, controls = copy->S.callbacks.control_count, c = column;
    memset(lin->curvature.turn, 0, sz(n) * sizeof(double));
    if (c < n) {
        const lg_group *G = copy->S.group;
        lin->curvature.turn[c] = e;
        lg_status st = lg_retraction_tau_with(lin->near, G, lin->moved, lin->curvature.turn, lin->scratch);
        if (st == LG_OK) st = G->compose(G, lin->g, lin->g, lin->moved, lin->scratch);
        return curvature_say(lin, st);
    }
    if (c < 2 * n)
        lin->p[c - n] += e;
    else if (c < 2 * n + controls)
        lin->control[c - 2 * n] += e;
    else if (c == 2 * n + controls)
        lin->h += e, lin->implicit_copy->h += e;
    else
        lin->parameters[c - 2 * n - controls - 1] += e;
    return LG_OK;
}

/* curvature.gradient <- that of the weighted outputs, in charts at both ends, from the derivative that lin holds. */
static lg_status curvature_gradient(lg_linearisation *lin, const double *weights)
{
    lg_curvature *o = &lin->curvature;
    const lg_group *G = lin->implicit_copy->S.group;
    const int n = lin->implicit_copy->plan.n;
    lg_status st = G->compose(G, lin->moved, o->inverse, lin->g, lin->scratch);
    if (st == LG_OK) st = lg_retraction_tau_inv_with(lin->near, G, o->apart, lin->moved, lin->scratch);
    for (int i = 0; i < n; i++) o->apart[i] = -o->apart[i], o->turn[i] = -o->turn[i];
    if (st == LG_OK) st = lg_retraction_dtau_inv_with(lin->near, G, o->D, o->apart, lin->scratch);
    if (st != LG_OK) return curvature_say(lin, st);
    memcpy(o->weights, weights, sz(lin->ny) * sizeof *weights);
    lg_matvec_transposed(o->weights, o->D, weights, n, n);
    lg_status_ignore(lg_linearisation_apply_transposed(lin, o->gradient, o->weights));
    st = lg_retraction_dtau_with(lin->near, G, o->D, o->turn, lin->scratch);
    if (st != LG_OK) return curvature_say(lin, st);
    memcpy(o->apart, o->gradient, sz(n) * sizeof *o->apart);
    lg_matvec_transposed(o->gradient, o->D, o->apart, n, n);
    return LG_OK;
}

/* curvature.sum <- the derivative of the gradient along an input. */
static lg_status curvature_column(lg_linearisation *lin, const lg_integrator *it, const double *weights, int column)
{
    lg_curvature *o = &lin->curvature;
    const double e = CURVATURE_STEP * curvature_scale(lin, it, column);
    memset(o->sum, 0, sz(lin->nx) * sizeof *o->sum);
    for (int i = -CURVATURE_POINTS; i <= CURVATURE_POINTS; i++) {
        if (i == 0) continue;
        lg_status st = lg_linearisation_enter(lin, it);
        if (st == LG_OK) st = curvature_displace(lin, column, i * e);
        if (st == LG_OK) st = lg_linearisation_go(lin, it);
        if (st == LG_OK) st = curvature_gradient(lin, weights);
        if (st != LG_OK) return st;
        const double w = (i > 0 ? curvature_weight[i - 1] : -curvature_weight[-i - 1]) / e;
        for (int k = 0; k < lin->nx; k++) o->sum[k] += w * o->gradient[k];
    }
    return LG_OK;
}

/* Both triangles become their mean, but for rows that begin with columns which are not differences: these become what
 * the columns of differences are. Returns how far apart they were, relative to the largest entry. */
static double curvature_symmetrise(double *H, int n, int first)
{
    double apart = 0, size = 0;
    for (int i = first; i < n; i++)
        for (int j = 0; j <= i; j++) {
            if (j < first) H[i * n + j] = H[j * n + i];
            apart = fmax(apart, fabs(H[i * n + j] - H[j * n + i])), size = fmax(size, fabs(H[i * n + j]));
            H[i * n + j] = H[j * n + i] = 0.5 * (H[i * n + j] + H[j * n + i]);
        }
    return size > 0 ? apart / size : 0;
}

/* H by differences, from column `first` on. */
static lg_status curvature_difference(lg_linearisation *lin, double *H, const lg_integrator *it, const double *weights,
                                      int count, int first)
{
    const lg_group *G = lin->implicit_copy->S.group;
    lg_status st = curvature_say(lin, G->inverse(G, lin->curvature.inverse, lin->g, lin->scratch));
    for (int j = first; j < count && st == LG_OK; j++) {
        const int unknown = lg_arrays_unknown(lin, j);
        if (!unknown) st = curvature_column(lin, it, weights, j);
        for (int i = 0; i < count && st == LG_OK; i++) H[i * count + j] = unknown ? (double)NAN : lin->curvature.sum[i];
    }
    if (st == LG_OK) st = lg_linearisation_compute(lin, it);
    if (st == LG_OK) lin->inexact = fmax(lin->inexact, curvature_symmetrise(H, count, first));
    return st;
}

/* H by the engine's second derivatives, with respect to as many inputs as it returns. */
static int curvature_curved(lg_linearisation *lin, double *H, const lg_integrator *it, const double *weights, int count)
{
    const int known = lg_curved_inputs(lin, count);
    if (!known) return 0;
    for (int j = 0; j < known; j++) lin->curvature.scale[j] = curvature_scale(lin, it, j);
    lin->implicit_copy->busy = 1;
    const int bad = lg_curved(lin, H, count, weights, known);
    lg_status_ignore(lg_integrator_leave(lin->implicit_copy, LG_OK));
    return bad ? 0 : known;
}

lg_status lg_linearisation_curvature(lg_linearisation *lin, double *H, const lg_integrator *it, const double *weights,
                                     int count)
{
    lg_status st = lg_linearisation_compute(lin, it);
    if (st != LG_OK) return st;
    if (!H || !weights || count < 1 || count > lin->nx)
        st = lg_fail(&lin->error, LG_ERROR_ARGUMENT,
                     "lg_linearisation_curvature: H or the weights are NULL, or count is %d and not from 1 to the %d "
                     "inputs",
                     count, lin->nx);
    else if (!lg_all_finite(weights, lin->ny))
        st = lg_fail(&lin->error, LG_ERROR_NOT_FINITE, "lg_linearisation_curvature: a weight is not finite");
    else if (lg_integrator_tolerance(it) > 0)
        st = lg_fail(&lin->error, LG_ERROR_UNSUPPORTED,
                     "lg_linearisation_curvature: steps that are found for a tolerance have no smooth derivative; set "
                     "no tolerance");
    const int known = st == LG_OK ? curvature_curved(lin, H, it, weights, count) : 0;
    if (st == LG_OK && known < count) st = curvature_difference(lin, H, it, weights, count, known);
    if (st != LG_OK) lin->ready = 0;
    return st;
}
