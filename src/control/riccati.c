/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweep back over the stages, the border, the sweep forward. */
#include "control/riccati.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"

/* An end condition is dropped if less than this is left of it when the others are eliminated. */
static const double LEAST_LEFT = 1e-12;
/* A control that moves an end condition by less than this, in relation to the condition that it moves most, does not
 * move it; squared. */
static const double LEAST_REACH = 1e-20;

static int riccati_width(const lg_riccati_size *s)
{
    return s->states + s->borders;
}

static lg_riccati_stage riccati_carve_stage(lg_arena *a, const lg_riccati_size *s, int last)
{
    const size_t x = sz(s->states), z = sz(riccati_width(s)), u = last ? 0 : sz(s->controls), m = sz(s->ends);
    lg_riccati_stage t = {0};
    if (!last) t.A = lg_take_doubles(a, x * z), t.B = lg_take_doubles(a, x * u), t.d = lg_take_doubles(a, x);
    t.Q = lg_take_doubles(a, z * z), t.S = lg_take_doubles(a, u * z), t.R = lg_take_doubles(a, u * u);
    t.q = lg_take_doubles(a, z), t.r = lg_take_doubles(a, u);
    t.K = lg_take_doubles(a, u * z), t.k = lg_take_doubles(a, u), t.N = lg_take_doubles(a, u * m);
    t.P = lg_take_doubles(a, z * z), t.p = lg_take_doubles(a, z), t.V = lg_take_doubles(a, m * z);
    t.x = lg_take_doubles(a, x), t.u = lg_take_doubles(a, u), t.costate = lg_take_doubles(a, x);
    return t;
}

void lg_riccati_carve(lg_riccati *o, lg_arena *a, lg_riccati_size size)
{
    const lg_riccati_size *s = &size;
    const size_t x = sz(s->states), z = sz(riccati_width(s)), u = sz(s->controls), m = sz(s->ends);
    const size_t border = sz(s->frees + s->borders), all = border + m;
    o->size = size;
    o->stages = lg_take(a, (sz(s->steps) + 1) * sizeof *o->stages);
    for (int k = 0; k <= s->steps; k++) {
        const lg_riccati_stage t = riccati_carve_stage(a, s, k == s->steps);
        if (a->base) o->stages[k] = t;
    }
    o->E = lg_take_doubles(a, x * sz(s->frees));
    o->C = lg_take_doubles(a, m * z), o->C0 = lg_take_doubles(a, m * x), o->e = lg_take_doubles(a, m);
    o->border = lg_take_doubles(a, border), o->nu = lg_take_doubles(a, m);
    o->dropped = lg_take(a, m * sizeof *o->dropped);
    o->G = lg_take_doubles(a, u * u), o->a = lg_take_doubles(a, z * z), o->Pa = lg_take_doubles(a, z * z);
    o->Pb = lg_take_doubles(a, z * u), o->Pd = lg_take_doubles(a, z), o->Vb = lg_take_doubles(a, m * u);
    o->Qux = lg_take_doubles(a, u * z), o->W = lg_take_doubles(a, m * m), o->w = lg_take_doubles(a, m);
    o->reach = lg_take_doubles(a, m);
    o->matrix = lg_take_doubles(a, all * all), o->right = lg_take_doubles(a, all);
    o->scale = lg_take_doubles(a, all), o->work = lg_take_doubles(a, all);
    o->start = lg_take_doubles(a, z * border), o->product = lg_take_doubles(a, z * border);
    o->ends = lg_take_doubles(a, m * (border > z ? border : z));
    o->order = lg_take(a, all * sizeof *o->order), o->width = lg_take(a, all * sizeof *o->width);
}

/* C (rows x columns) += s A^T B, with A inner x rows and B inner x columns. */
static void add_product(double *C, double s, const double *A, const double *B, int inner, int rows, int columns)
{
    for (int l = 0; l < inner; l++)
        for (int i = 0; i < rows; i++) {
            const double f = s * A[l * rows + i];
            for (int j = 0; f != 0 && j < columns; j++) C[i * columns + j] += f * B[l * columns + j];
        }
}

/* X <- -(L L^T)^-1 X, X is n x columns. */
static void solve_all(const double *L, int n, double *X, int columns)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            for (int c = 0; c < columns; c++) X[i * columns + c] -= L[i * n + j] * X[j * columns + c];
        for (int c = 0; c < columns; c++) X[i * columns + c] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            for (int c = 0; c < columns; c++) X[i * columns + c] -= L[j * n + i] * X[j * columns + c];
        for (int c = 0; c < columns; c++) X[i * columns + c] /= L[i * n + i];
    }
    for (int i = 0; i < n * columns; i++) X[i] = -X[i];
}

/* The value behind the last stage. */
static void riccati_begin(lg_riccati *o)
{
    const int z = riccati_width(&o->size), m = o->size.ends;
    lg_riccati_stage *last = &o->stages[o->size.steps];
    memcpy(last->P, last->Q, sz(z * z) * sizeof *last->P);
    memcpy(last->p, last->q, sz(z) * sizeof *last->p);
    add_product(last->P, o->penalty, o->C, o->C, m, z, z);
    add_product(last->p, o->penalty, o->C, o->e, m, z, 1);
    if (m) memcpy(last->V, o->C, sz(m * z) * sizeof *last->V);
    for (int i = 0; i < m; i++) o->w[i] = o->e[i], o->reach[i] = 0;
    memset(o->W, 0, sz(m * m) * sizeof *o->W);
}

/* How far the controls of a stage move each end condition, at least, if nothing cancels: the scale of W. */
static void riccati_measure(lg_riccati *o, const lg_riccati_stage *t)
{
    const int x = o->size.states, u = o->size.controls, z = riccati_width(&o->size), m = o->size.ends;
    for (int j = 0; j < u; j++) {
        double most = 0;
        for (int i = 0; i < m; i++) {
            double moved = 0;
            for (int r = 0; r < x; r++) moved += fabs(o->C[i * z + r] * t->B[r * u + j]);
            moved *= moved / o->G[j * u + j];
            if (moved > o->reach[i]) o->reach[i] = moved;
            if (moved > most) most = moved;
        }
        for (int i = 0; i < m; i++)
            if (LEAST_REACH * most > o->reach[i]) o->reach[i] = LEAST_REACH * most;
    }
}

/* G, Qux, qu and Vb of a stage, from the value behind it; Qux and qu in K and k. */
static void riccati_expand(lg_riccati *o, lg_riccati_stage *t, const lg_riccati_stage *after)
{
    const int x = o->size.states, u = o->size.controls, z = riccati_width(&o->size), m = o->size.ends;
    memcpy(o->a, t->A, sz(x * z) * sizeof *o->a);
    for (int i = x * z; i < z * z; i++) o->a[i] = i / z == i % z;
    memset(o->Pa, 0, sz(z * z) * sizeof *o->Pa), memset(o->Pb, 0, sz(z * u) * sizeof *o->Pb);
    add_product(o->Pa, 1, after->P, o->a, z, z, z);
    add_product(o->Pb, 1, after->P, t->B, x, z, u);
    for (int i = 0; i < z; i++) o->Pd[i] = after->p[i] + lg_dot(after->P + i * z, t->d, x);
    memcpy(o->G, t->R, sz(u * u) * sizeof *o->G);
    memcpy(t->K, t->S, sz(u * z) * sizeof *t->K);
    memcpy(t->k, t->r, sz(u) * sizeof *t->k);
    add_product(o->G, 1, t->B, o->Pb, x, u, u);
    add_product(t->K, 1, t->B, o->Pa, x, u, z);
    add_product(t->k, 1, t->B, o->Pd, x, u, 1);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < u; j++) {
            double moved = 0;
            for (int r = 0; r < x; r++) moved += after->V[i * z + r] * t->B[r * u + j];
            o->Vb[i * u + j] = t->N[j * m + i] = moved;
        }
}

/* The value before a stage, K, k and N. 0, or 1: G is not positive definite. */
static int riccati_back(lg_riccati *o, lg_riccati_stage *t, const lg_riccati_stage *after)
{
    const int x = o->size.states, u = o->size.controls, z = riccati_width(&o->size), m = o->size.ends;
    riccati_expand(o, t, after);
    if (lg_cholesky(o->G, u, NULL) != LG_OK) return 1;
    riccati_measure(o, t);
    memcpy(o->Qux, t->K, sz(u * z) * sizeof *o->Qux);
    solve_all(o->G, u, t->K, z), solve_all(o->G, u, t->k, 1), solve_all(o->G, u, t->N, m);
    memcpy(t->P, t->Q, sz(z * z) * sizeof *t->P);
    memcpy(t->p, t->q, sz(z) * sizeof *t->p);
    add_product(t->P, 1, o->a, o->Pa, z, z, z);
    add_product(t->P, 1, o->Qux, t->K, u, z, z);
    for (int i = 0; i < z; i++)
        for (int j = 0; j < i; j++) t->P[i * z + j] = t->P[j * z + i] = 0.5 * (t->P[i * z + j] + t->P[j * z + i]);
    add_product(t->p, 1, o->a, o->Pd, z, z, 1);
    add_product(t->p, 1, o->Qux, t->k, u, z, 1);
    for (int i = 0; i < m; i++) {
        o->w[i] += lg_dot(after->V + i * z, t->d, x) + lg_dot(o->Vb + i * u, t->k, u);
        for (int c = 0; c < z; c++) {
            double moved = 0;
            for (int r = 0; r < z; r++) moved += after->V[i * z + r] * o->a[r * z + c];
            for (int j = 0; j < u; j++) moved += o->Vb[i * u + j] * t->K[j * z + c];
            t->V[i * z + c] = moved;
        }
        for (int l = 0; l < m; l++)
            for (int j = 0; j < u; j++) o->W[i * m + l] -= o->Vb[i * u + j] * t->N[j * m + l];
    }
    return 0;
}

/* ---- the border ---- */

/* The symmetric system of (f, theta, nu), and its right side. */
static void riccati_assemble(lg_riccati *o)
{
    const lg_riccati_size *s = &o->size;
    const int x = s->states, z = riccati_width(s), m = s->ends, f = s->frees, b = f + s->borders, all = b + m;
    const lg_riccati_stage *first = &o->stages[0];
    memset(o->start, 0, sz(z * b) * sizeof *o->start), memset(o->product, 0, sz(z * b) * sizeof *o->product);
    for (int i = 0; i < x; i++)
        for (int j = 0; j < f; j++) o->start[i * b + j] = o->E[i * f + j];
    for (int i = 0; i < s->borders; i++) o->start[(x + i) * b + f + i] = 1;
    memset(o->matrix, 0, sz(all * all) * sizeof *o->matrix), memset(o->right, 0, sz(all) * sizeof *o->right);
    add_product(o->product, 1, first->P, o->start, z, z, b); /* P is symmetric */
    for (int i = 0; i < b; i++)
        for (int r = 0; r < z; r++) {
            for (int j = 0; j < b; j++) o->matrix[i * all + j] += o->start[r * b + i] * o->product[r * b + j];
            o->right[i] -= o->start[r * b + i] * first->p[r];
        }
    for (int l = 0; l < m; l++) {
        for (int j = 0; j < b; j++) {
            double end = 0, start = 0;
            for (int r = 0; r < z; r++) end += first->V[l * z + r] * o->start[r * b + j];
            for (int r = 0; r < x; r++) start += o->C0[l * x + r] * o->start[r * b + j];
            o->ends[l * b + j] = start;
            o->matrix[(b + l) * all + j] = o->matrix[j * all + b + l] = end + start;
        }
        for (int j = 0; j < m; j++) o->matrix[(b + l) * all + b + j] = -o->W[l * m + j];
        o->right[b + l] = -o->w[l];
        for (int i = 0; i < b; i++)
            for (int j = 0; j < b; j++) o->matrix[i * all + j] -= o->penalty * o->ends[l * b + i] * o->ends[l * b + j];
    }
}

/* What it costs the controls to undo what a free part of the start does to the end conditions. */
static double riccati_undo(const lg_riccati *o, int free)
{
    const int m = o->size.ends, b = o->size.frees + o->size.borders, all = b + m;
    double cost = 0;
    for (int l = 0; l < m; l++) {
        const double moved = o->matrix[free * all + b + l], reach = lg_larger(o->reach[l], o->W[l * m + l]);
        if (reach > 0) cost += moved * moved / reach;
    }
    return cost;
}

/* Scales: border variables by their curvature, end conditions by what moves them. The cost may depend on the start by
 * the end conditions alone. */
static void riccati_scale(lg_riccati *o)
{
    const int m = o->size.ends, b = o->size.frees + o->size.borders, all = b + m;
    for (int i = 0; i < b; i++) {
        double curvature = fabs(o->matrix[i * all + i]);
        if (i < o->size.frees) curvature += riccati_undo(o, i);
        o->scale[i] = curvature > 0 ? 1 / sqrt(curvature) : 1;
    }
    for (int i = b; i < all; i++) {
        double size = lg_larger(o->reach[i - b], -o->matrix[i * all + i]);
        for (int j = 0; j < b; j++) {
            const double moved = o->matrix[i * all + j] * o->scale[j];
            size += moved * moved;
        }
        o->scale[i] = size > 0 ? 1 / sqrt(size) : 0;
    }
    for (int i = 0; i < all; i++) {
        for (int j = 0; j < all; j++) o->matrix[i * all + j] *= o->scale[i] * o->scale[j];
        o->right[i] *= o->scale[i];
    }
}

/* Solves for f, theta and nu. 0, or 1: not convex. */
static int riccati_border(lg_riccati *o)
{
    const int m = o->size.ends, b = o->size.frees + o->size.borders, all = b + m;
    int positive;
    riccati_assemble(o);
    riccati_scale(o);
    if (!lg_all_finite(o->matrix, all * all) || !lg_all_finite(o->right, all)) return 1;
    const int rank = lg_border_factor(o->matrix, o->order, o->width, all, LEAST_LEFT, &positive);
    if (positive != b) return 1;
    lg_border_solve(o->matrix, o->order, o->width, all, rank, o->right, o->work);
    memset(o->dropped, 0, sz(m) * sizeof *o->dropped);
    for (int i = rank; i < all; i++) {
        if (o->order[i] < b) return 1;
        o->dropped[o->order[i] - b] = 1;
        o->right[o->order[i]] = 0;
    }
    for (int i = 0; i < b; i++) o->border[i] = o->right[i] * o->scale[i];
    for (int i = 0; i < m; i++) o->nu[i] = o->right[b + i] * o->scale[b + i];
    return 0;
}

/* ---- forward ---- */

static void riccati_forward(lg_riccati *o)
{
    const lg_riccati_size *s = &o->size;
    const int x = s->states, z = riccati_width(s), u = s->controls, m = s->ends;
    double *now = o->Pd;
    for (int i = 0; i < x; i++) now[i] = lg_dot(o->E + i * s->frees, o->border, s->frees);
    for (int i = 0; i < s->borders; i++) now[x + i] = o->border[s->frees + i];
    for (int k = 0; k <= s->steps; k++) {
        lg_riccati_stage *t = &o->stages[k];
        memcpy(t->x, now, sz(x) * sizeof *now);
        for (int i = 0; i < x; i++) {
            t->costate[i] = t->p[i] + lg_dot(t->P + i * z, now, z);
            for (int l = 0; l < m; l++) t->costate[i] += t->V[l * z + i] * o->nu[l];
        }
        if (k == s->steps) break;
        for (int j = 0; j < u; j++) t->u[j] = t->k[j] + lg_dot(t->K + j * z, now, z) + lg_dot(t->N + j * m, o->nu, m);
        for (int i = 0; i < x; i++)
            now[i] = lg_dot(t->A + i * z, (const double *)t->x, x) + t->d[i] + lg_dot(t->B + i * u, t->u, u) +
                     lg_dot(t->A + i * z + x, now + x, s->borders);
    }
    for (int l = 0; l < m; l++) o->nu[l] += o->penalty * (o->e[l] + lg_dot(o->C + l * z, now, z));
}

int lg_riccati_solve(lg_riccati *o)
{
    riccati_begin(o);
    for (int k = o->size.steps - 1; k >= 0; k--)
        if (riccati_back(o, &o->stages[k], &o->stages[k + 1])) return 1;
    if (riccati_border(o)) return 1;
    riccati_forward(o);
    return 0;
}
