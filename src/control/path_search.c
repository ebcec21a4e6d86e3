/* SPDX-License-Identifier: BSD-3-Clause */
/* Slacks and multipliers of inequalities at nodes in the iteration. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "control/problem.h"

/* The least first slack, and the violation at a given node that is refused, in scales. */
static const double FIRST = 1e-2, GIVEN = 1e-9;
/* delta: what bounds D, in the size of the cost and scales of inequalities. */
static const double SOFT = 1e-6;

/* The correction of (y, h, u) of node k, component j. */
static double path_move(const lg_optimum *o, int k, int j)
{
    const lg_riccati_stage *t = &o->model.stages[k];
    const int z = lg_optimum_z(o);
    if (j < o->k) return t->x[j];
    if (j >= z) return t->u[j - z];
    return j < o->k + o->timed ? lg_optimum_time_change(o) : lg_free_change(o, j - o->k - o->timed);
}

/* Columns of node k: the last one has no controls. */
static int path_width(const lg_optimum *o, int k)
{
    return k < o->steps ? lg_optimum_w(o) : lg_optimum_z(o);
}

static const double *path_row(const lg_optimum *o, int at)
{
    return o->path.jacobian + sz(at) * sz(lg_optimum_w(o));
}

/* ---- slacks ---- */

void lg_path_forget(lg_optimum *o)
{
    const int all = (o->steps + 1) * o->path.count;
    for (int i = 0; i < all; i++) o->now.slack[i] = o->now.path[i] = o->path.z[i] = 0;
}

lg_status lg_path_evaluate(lg_optimum *o, lg_iterate *x)
{
    const int m = o->path.count;
    for (int k = 0; m > 0 && k <= o->steps; k++) {
        double *c = x->path + k * m, *s = x->slack + k * m;
        const lg_status st = lg_path_values(o, x, k, c);
        if (st != LG_OK) return st;
        for (int i = 0; i < m; i++) {
            if (c[i] == INFINITY && s[i] == 0) s[i] = INFINITY;
            if (s[i] == INFINITY) continue;
            if (c[i] == INFINITY)
                return lg_fail(&o->error, LG_ERROR_NOT_FINITE,
                               "lg_optimum_solve: path inequality %d becomes infinite at node %d, where it was finite",
                               i + 1, k);
            s[i] = lg_larger(s[i], c[i]); /* lacks less, and costs less */
            const double off = (c[i] - s[i]) / o->path.scale[i];
            x->violation += off * off;
        }
    }
    return LG_OK;
}

/* Marks inequalities that controls do not move at a given start. */
static void path_mark_start(lg_optimum *o)
{
    const lg_path *path = &o->path;
    const int m = path->count, z = lg_optimum_z(o), w = lg_optimum_w(o);
    double *by = path->move, *c = path->table;
    lg_rng rng = {1};
    for (int i = path->own; i < m; i++) o->now.slack[i] = INFINITY;
    for (int i = 0; i < path->own; i++) path->table[m + i] = 1; /* 1: nothing moves it */
    for (int trial = 0; path->own && trial < 3; trial++) {
        memset(by, 0, sz(w) * sizeof *by);
        for (int j = 0; trial > 0 && j < o->controls; j++) {
            const double u = o->now.u[j], to = u + 0.1 * o->scale[o->k + j] * lg_rng_normal(&rng);
            by[z + j] = lg_problem_inside(to, o->low[j], o->high[j]) - u;
        }
        const lg_status st = lg_path_displaced(o, 0, by, c);
        if (trial == 0) memcpy(path->table + 2 * m, c, sz(m) * sizeof *c);
        for (int i = 0; i < path->own; i++)
            if (st != LG_OK || c[i] != path->table[2 * m + i]) path->table[m + i] = 0;
    }
    for (int i = 0; i < path->own; i++)
        if (path->table[m + i] == 1) o->now.slack[i] = INFINITY;
}

/* Does an end condition give this number of the last state? */
static int path_is_held(const lg_optimum *o, int number)
{
    const int e = o->course ? o->n : o->element;
    int all = 0, own = 0;
    for (int i = 0; i < o->ends; i++) {
        all += o->row[i] < o->n;
        own |= o->row[i] == (number < e ? number : number - e + o->n);
    }
    return !o->closes && (number < e && !o->course ? all == o->n : own);
}

/* By how much a number of the target is beyond its bound. */
static double path_target(const lg_optimum *o, const lg_path_bound *b)
{
    const int e = o->course ? o->n : o->element;
    return b->sign * (b->level - (b->number < e ? o->target_g[b->number] : o->target_p[b->number - e]));
}

static lg_status path_refuse(lg_optimum *o, int i, const char *where, double by)
{
    char name[160];
    lg_path_name(o, i, name, sizeof name);
    return lg_fail(&o->error, LG_ERROR_INCONSISTENT, "lg_optimum_solve: %s is violated by %g at the %s", name, by,
                   where);
}

lg_status lg_path_begin(lg_optimum *o)
{
    const lg_path *path = &o->path;
    const int m = path->count;
    if (m > 0 && !o->frees) path_mark_start(o);
    for (int i = 0; i < m; i++)
        if (!o->frees && o->now.slack[i] == INFINITY && o->now.path[i] < -GIVEN * path->scale[i])
            return path_refuse(o, i, "start, which is given", -o->now.path[i]);
    for (int i = 0; i < path->bounds; i++) {
        const int at = path->own + path->balls + i;
        if (!path_is_held(o, path->bound[i].number)) continue;
        o->now.slack[o->steps * m + at] = INFINITY;
        const double by = path_target(o, &path->bound[i]);
        if (by > GIVEN * path->scale[at]) return path_refuse(o, at, "target", by);
    }
    for (int i = 0; i < (o->steps + 1) * m; i++)
        if (o->now.slack[i] != INFINITY) o->now.slack[i] = lg_larger(o->now.path[i], FIRST * path->scale[i % m]);
    return LG_OK;
}

void lg_path_center(lg_optimum *o)
{
    for (int i = 0; i < (o->steps + 1) * o->path.count; i++) o->path.z[i] = o->mu / o->now.slack[i];
}

/* ---- the model ---- */

/* Adds `slope` J to the gradient and `weight` J'J to the Hessian of the stage, with row J of inequality `at` of node k.
 */
static void path_add(lg_optimum *o, int k, int at, double slope, double weight)
{
    const int c = o->controls, z = lg_optimum_z(o), width = path_width(o, k);
    const double *J = path_row(o, at);
    lg_riccati_stage *t = &o->model.stages[k];
    for (int a = 0; a < width; a++) {
        if (J[a] == 0) continue;
        *(a < z ? t->q + a : t->r + a - z) += slope * J[a];
        for (int b = 0; weight != 0 && b < width; b++) {
            const double entry = weight * J[a] * J[b];
            if (a < z && b < z) t->Q[a * z + b] += entry;
            if (a >= z && b < z) t->S[(a - z) * z + b] += entry;
            if (a >= z && b >= z) t->R[(a - z) * c + b - z] += entry;
        }
    }
}

/* delta of inequality i. */
static double path_delta(const lg_optimum *o, int i)
{
    return o->path.soft * o->path.scale[i] * o->path.scale[i];
}

void lg_path_assemble(lg_optimum *o)
{
    lg_path *path = &o->path;
    const int m = path->count;
    path->soft = SOFT / o->size;
    for (int at = 0; at < (o->steps + 1) * m; at++) {
        const double s = o->now.slack[at], z = path->z[at];
        path->lack[at] = s == INFINITY ? 0 : o->now.path[at] - s;
        if (s == INFINITY) continue;
        path->weight[at] = 1 / (s / z + path_delta(o, at % m));
        path->next[at] = z + path->weight[at] * (o->mu / z - s - path->lack[at]);
        path_add(o, at / m, at, -path->next[at], path->weight[at]);
    }
}

void lg_path_assemble_shortest(lg_optimum *o)
{
    lg_path *path = &o->path;
    const int m = path->count;
    path->soft = 0;
    for (int at = 0; at < (o->steps + 1) * m; at++) {
        const double s = o->now.slack[at], scale = path->scale[at % m];
        const double weight = 0.1 / (s * s) + 1 / (scale * scale);
        path->lack[at] = s == INFINITY ? 0 : o->now.path[at] - s;
        if (s != INFINITY) path_add(o, at / m, at, weight * path->lack[at], weight);
    }
}

/* J dw of inequality `at`. */
static double path_change(const lg_optimum *o, int k, int at)
{
    const double *J = path_row(o, at);
    double sum = 0;
    for (int j = 0; j < path_width(o, k); j++) sum += J[j] * path_move(o, k, j);
    return sum;
}

void lg_path_directions(lg_optimum *o)
{
    const lg_path *path = &o->path;
    const int m = path->count;
    for (int at = 0; at < (o->steps + 1) * m; at++) {
        path->by[at] = path->change[at] = 0;
        if (o->now.slack[at] == INFINITY) continue;
        const double moved = path_change(o, at / m, at);
        if (path->soft > 0) path->change[at] = path->next[at] - path->z[at] - path->weight[at] * moved;
        path->by[at] = path->lack[at] + moved + path_delta(o, at % m) * path->change[at];
    }
}

double lg_path_slope(const lg_optimum *o)
{
    const lg_path *path = &o->path;
    const int m = path->count;
    double sum = 0;
    for (int at = 0; at < (o->steps + 1) * m; at++) {
        const double s = o->now.slack[at];
        if (s != INFINITY) sum += path_change(o, at / m, at) * path->next[at] - o->mu * path->by[at] / s;
    }
    return sum;
}

void lg_path_correct(lg_optimum *o, double length)
{
    const lg_path *path = &o->path;
    const int m = path->count, z = lg_optimum_z(o), w = lg_optimum_w(o);
    for (int k = 0; m > 0 && k <= o->steps; k++) {
        const lg_riccati_stage *t = &o->model.stages[k];
        memcpy(path->kept + k * w, t->q, sz(z) * sizeof *t->q);
        if (k < o->steps) memcpy(path->kept + k * w + z, t->r, sz(o->controls) * sizeof *t->r);
    }
    for (int at = 0; at < (o->steps + 1) * m; at++) {
        const double now = path->lack[at];
        if (o->now.slack[at] == INFINITY) continue;
        path->lack[at] = length * now + o->trial.path[at] - o->trial.slack[at];
        const double by = path->weight[at] * (now - path->lack[at]);
        path->next[at] += by;
        path_add(o, at / m, at, -by, 0);
    }
}

void lg_path_restore(lg_optimum *o)
{
    const lg_path *path = &o->path;
    const int m = path->count, z = lg_optimum_z(o), w = lg_optimum_w(o);
    for (int k = 0; m > 0 && k <= o->steps; k++) {
        lg_riccati_stage *t = &o->model.stages[k];
        memcpy(t->q, path->kept + k * w, sz(z) * sizeof *t->q);
        if (k < o->steps) memcpy(t->r, path->kept + k * w + z, sz(o->controls) * sizeof *t->r);
    }
    for (int at = 0; at < (o->steps + 1) * m; at++) {
        if (o->now.slack[at] == INFINITY) continue;
        const double now = o->now.path[at] - o->now.slack[at];
        path->next[at] += path->weight[at] * (path->lack[at] - now);
        path->lack[at] = now;
    }
}

/* ---- what the point lacks ---- */

void lg_path_slopes(const lg_optimum *o)
{
    const lg_path *path = &o->path;
    const int m = path->count, w = lg_optimum_w(o);
    memcpy(path->slope, o->gradient, sz(o->steps + 1) * sz(w) * sizeof *path->slope);
    for (int at = 0; at < (o->steps + 1) * m; at++)
        for (int j = 0; j < w; j++) path->slope[at / m * w + j] -= path_row(o, at)[j] * path->z[at];
}

double lg_path_error(const lg_optimum *o)
{
    const int m = o->path.count;
    double most = 0;
    for (int i = 0; i < (o->steps + 1) * m; i++)
        if (o->now.slack[i] != INFINITY)
            most = lg_larger(most, fabs(o->now.path[i] - o->now.slack[i]) / o->path.scale[i % m]);
    return most;
}

double lg_path_worst(const lg_optimum *o, int *inequality, int *node)
{
    const int m = o->path.count;
    double most = 0, relative = 0;
    *inequality = *node = 0;
    for (int i = 0; i < (o->steps + 1) * m; i++) {
        if (o->now.slack[i] == INFINITY || !(-o->now.path[i] / o->path.scale[i % m] > relative)) continue;
        relative = -o->now.path[i] / o->path.scale[i % m], most = -o->now.path[i];
        *inequality = i % m, *node = i / m;
    }
    return most;
}
