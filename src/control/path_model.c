/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of inequalities at nodes. Balls have theirs in closed form, and so have the user's where the callback
 * gives them; others are differences of three lengths, extrapolated, whose last two orders must agree. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "control/mechanism.h"

/* The longest and the shortest unit of differences, in scales; how well their orders must agree, relative to the
 * derivative, or to this share of the inequality's scale; the step of second differences. */
static const double LONGEST = 1e-2, SHORTEST = 1e-6, AGREE = 1e-5, SMALL = 1e-2, CURVATURE_STEP = 1e-4;

/* Columns that inequality i may depend on at node k. */
static int path_columns(const lg_optimum *o, int i, int k)
{
    return i >= o->path.own ? o->k : k < o->steps ? lg_optimum_w(o) : lg_optimum_z(o);
}

/* Is column j of inequality i found by differences? Time is never given. */
static int path_differs(const lg_optimum *o, int i, int j, int k)
{
    const lg_path *path = &o->path;
    if (i < path->own) return j < path_columns(o, i, k) && (!path->exact || (j >= o->k && j < lg_optimum_z(o)));
    return i >= path->own + path->balls && j < o->k;
}

/* ---- first derivatives ---- */

/* Along column j: the slope between -e and e, and by how much slopes on both sides of 0 differ, halved. */
static lg_status path_central(lg_optimum *o, int k, int j, double e, double *slope, double *turn)
{
    const int m = o->path.count, w = lg_optimum_w(o);
    double *minus = o->path.table + 6 * m, *at = minus + m, *by = o->path.move;
    memset(by, 0, sz(w) * sizeof *by);
    lg_status st = lg_path_displaced(o, k, by, at);
    by[j] = -e;
    if (st == LG_OK) st = lg_path_displaced(o, k, by, minus);
    by[j] = e;
    if (st == LG_OK) st = lg_path_displaced(o, k, by, slope);
    for (int i = 0; i < m; i++) {
        const double plus = slope[i];
        slope[i] = isinf(at[i]) ? 0 : (plus - minus[i]) / (2 * e);
        turn[i] = isinf(at[i]) ? 0 : ((plus - at[i]) - (at[i] - minus[i])) / (2 * e);
    }
    return st;
}

/* Column j of the jacobian by differences of unit e; *off = its error, relative, and which inequality's that is: what
 * the last two orders differ by, or how much of a bend the two sides show. */
static lg_status path_column(lg_optimum *o, int k, int j, double e, double *off, int *row)
{
    const int m = o->path.count, w = lg_optimum_w(o);
    double *T = o->path.table, *turn = T + 3 * m, *J = o->path.jacobian + sz(k) * sz(m) * sz(w);
    lg_status st = LG_OK;
    *off = 0;
    for (int length = 0; st == LG_OK && length < 3; length++)
        st = path_central(o, k, j, e * (1 << length), T + length * m, turn + length * m);
    for (int i = 0; st == LG_OK && i < m; i++) {
        if (!path_differs(o, i, j, k)) continue;
        const double near = (4 * T[i] - T[m + i]) / 3, far = (4 * T[m + i] - T[2 * m + i]) / 3;
        const double best = (16 * near - far) / 15, small = SMALL * o->path.scale[i] / lg_optimum_column_scale(o, j);
        const double rough = lg_larger(fabs(best - near), fabs(2 * turn[i] - turn[m + i]));
        const double error = rough / lg_larger(lg_larger(fabs(best), fabs(T[2 * m + i])), small);
        J[i * w + j] = best;
        if (!(error <= *off)) *off = error, *row = i;
    }
    return st;
}

static lg_status path_difference(lg_optimum *o, int k, int j)
{
    char name[160];
    double off = INFINITY;
    int row = 0;
    for (double e = LONGEST; e > SHORTEST / 2; e /= 10) {
        const lg_status st = path_column(o, k, j, e * lg_optimum_column_scale(o, j), &off, &row);
        if (st != LG_OK) return st;
        if (off <= AGREE) return LG_OK;
    }
    lg_path_name(o, row, name, sizeof name);
    return lg_fail(
        &o->error, LG_ERROR_DOMAIN,
        "node %d: differences do not find the derivative of %s: they disagree by %.2g of it; make it smooth, "
        "or let path give its jacobian",
        k, name, off);
}

/* The user's derivatives at node k, with respect to (y, u). */
static lg_status path_given(lg_optimum *o, int k, double *J)
{
    const lg_path *path = &o->path;
    const int n2 = 2 * o->n, n = o->k, c = k < o->steps ? o->controls : 0, s = n2 + c, z = lg_optimum_z(o),
              w = lg_optimum_w(o);
    const lg_iterate *x = &o->now;
    lg_cost_call call = {path->context, k * x->h, k, o->steps, NULL, NULL, c ? x->u + k * c : NULL};
    lg_status st = o->moves->read(o, x, k, &call.g, &call.p);
    if (st == LG_OK) st = lg_path_own(o, "lg_optimum_solve", &call, path->table, path->own_jacobian);
    if (st == LG_OK && o->course)
        st = mb_course_reading(o->course, o->C, lg_steer_node(o, x, k), lg_steer_frame(o, x, k));
    for (int i = 0; st == LG_OK && i < path->own; i++) {
        const double *given = path->own_jacobian + i * s;
        if (o->course)
            lg_matvec_transposed(J + i * w, o->C, given, n2, n);
        else
            memcpy(J + i * w, given, sz(n) * sizeof *J);
        memcpy(J + i * w + z, given + n2, sz(c) * sizeof *J);
    }
    return st;
}

/* In a system whose constraints prescribe the velocity momenta are no states. */
static lg_status path_check_momenta(lg_optimum *o, int k)
{
    const int m = o->path.count, w = lg_optimum_w(o);
    for (int i = 0; i < m; i++)
        if (lg_norm_max(o->path.jacobian + (sz(k) * sz(m) + sz(i)) * sz(w) + o->half, o->half) > 0)
            return lg_fail(
                &o->error, LG_ERROR_UNSUPPORTED,
                "lg_optimum_solve: path inequality %d depends on the momentum at node %d, which the controls "
                "give in a system whose constraints prescribe the velocity; let it depend on the controls",
                i + 1, k);
    return LG_OK;
}

lg_status lg_path_linearise(lg_optimum *o)
{
    const lg_path *path = &o->path;
    const int m = path->count, w = lg_optimum_w(o);
    lg_status st = LG_OK;
    for (int k = 0; m > 0 && st == LG_OK && k <= o->steps; k++) {
        double *J = path->jacobian + sz(k) * sz(m) * sz(w);
        memset(J, 0, sz(m) * sz(w) * sizeof *J);
        if (path->own && path->exact) st = path_given(o, k, J);
        for (int i = 0; i < path->balls; i++) lg_path_ball_slope(o, &path->ball[i], k, J + (path->own + i) * w);
        for (int j = 0; st == LG_OK && j < w; j++) {
            int differs = 0;
            for (int i = 0; i < m; i++) differs |= path_differs(o, i, j, k);
            if (differs) st = path_difference(o, k, j);
        }
        if (st == LG_OK && o->kinematic) st = path_check_momenta(o, k);
    }
    return st;
}

void lg_path_rescale(lg_optimum *o)
{
    const lg_path *path = &o->path;
    const int m = path->count, w = lg_optimum_w(o);
    for (int i = 0; i < m; i++) {
        double most = 0;
        for (int k = 0; k <= o->steps; k++)
            for (int j = 0; j < w; j++)
                most = lg_larger(most, fabs(path->jacobian[(k * m + i) * w + j]) * lg_optimum_column_scale(o, j));
        path->scale[i] = most > 0 && isfinite(most) ? most : 1;
    }
}

/* ---- second derivatives ---- */

/* -z'c at node k, displaced by one step along column a, and one along column b, each -1: not. */
static lg_status path_value(lg_optimum *o, int k, int a, double sign, int b, double *value)
{
    const lg_path *path = &o->path;
    const int m = path->count, w = lg_optimum_w(o);
    double *by = path->move, *c = path->table;
    memset(by, 0, sz(w) * sizeof *by);
    if (a >= 0) by[a] += sign * CURVATURE_STEP * lg_optimum_column_scale(o, a);
    if (b >= 0) by[b] += CURVATURE_STEP * lg_optimum_column_scale(o, b);
    const lg_status st = lg_path_displaced(o, k, by, c);
    *value = 0;
    for (int i = 0; i < m; i++)
        if (path->z[k * m + i] != 0 && !isinf(c[i])) *value -= path->z[k * m + i] * c[i];
    return st;
}

/* Adds second differences of f(+), f(-) and f(0), and besides the diagonal of f(++), f(+0), f(0+) and f(0). */
static lg_status path_curve_node(lg_optimum *o, int k, double *H)
{
    const int w = lg_optimum_w(o), columns = path_columns(o, 0, k);
    double *plus = o->path.move + w, *second = plus + w, at, other;
    lg_status st = path_value(o, k, -1, 0, -1, &at);
    for (int a = 0; st == LG_OK && a < columns; a++) {
        st = path_value(o, k, a, 1, -1, &plus[a]);
        if (st == LG_OK) st = path_value(o, k, a, -1, -1, &other);
        second[a] = (plus[a] - at) + (other - at);
    }
    for (int a = 0; st == LG_OK && a < columns; a++)
        for (int b = 0; st == LG_OK && b <= a; b++) {
            const double unit =
                CURVATURE_STEP * CURVATURE_STEP * lg_optimum_column_scale(o, a) * lg_optimum_column_scale(o, b);
            double entry = second[a];
            if (b < a) {
                st = path_value(o, k, a, 1, b, &other);
                entry = (other - plus[a]) - (plus[b] - at);
            }
            H[a * w + b] = H[b * w + a] = entry / unit;
        }
    return st;
}

void lg_path_curve(lg_optimum *o)
{
    const int w = lg_optimum_w(o);
    for (int k = 0; o->path.count > 0 && k <= o->steps; k++) {
        double *H = o->J, *to = o->curvature + sz(k) * sz(w * w);
        memset(H, 0, sz(w * w) * sizeof *H);
        if (path_curve_node(o, k, H) != LG_OK || !lg_all_finite(H, w * w)) continue;
        for (int i = 0; i < w * w; i++) to[i] += H[i];
    }
}

/* ---- the user's derivatives ---- */

lg_status lg_path_check(lg_optimum *o, int k, double tolerance)
{
    lg_path *path = &o->path;
    const int m = path->count, w = lg_optimum_w(o), columns = path_columns(o, 0, k);
    const double *J = path->jacobian + sz(k) * sz(m) * sz(w);
    lg_status st = LG_OK;
    for (int j = 0; path->own && path->exact && st == LG_OK && j < columns; j++) {
        st = path_central(o, k, j, 1e-4 * lg_optimum_column_scale(o, j), path->table, path->table + m);
        for (int i = 0; st == LG_OK && i < path->own; i++) {
            double size = 1;
            for (int l = 0; l < w; l++) size = lg_larger(size, fabs(J[i * w + l]));
            if (fabs(path->table[i] - J[i * w + j]) > tolerance * size)
                st = lg_fail(&o->error, LG_ERROR_ARGUMENT,
                             "lg_optimum_check: the jacobian of path inequality %d at node %d, coordinate %d, is %g, "
                             "but differences give %g",
                             i + 1, k, j + 1, J[i * w + j], path->table[i]);
        }
    }
    return st;
}
