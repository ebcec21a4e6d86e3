/* SPDX-License-Identifier: BSD-3-Clause */
/* The tableau from Legendre polynomials, in double-double numbers where digits would be lost. */
#include "integrators/collocation/tableau.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/exact.h"
#include "base/lane.h"

/* high + low, |low| <= ulp(high)/2. */
typedef struct pair {
    double high, low;
} pair;

static pair pair_sum(double a, double b)
{
    pair s;
    exact_sum(&s.high, &s.low, a, b);
    return s;
}

static pair pair_add(pair a, pair b)
{
    const pair s = pair_sum(a.high, b.high);
    return pair_sum(s.high, s.low + (a.low + b.low));
}

static pair pair_multiply(pair a, pair b)
{
    pair p;
    exact_product(&p.high, &p.low, a.high, b.high);
    return pair_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static pair pair_scale(pair a, double k)
{
    return pair_multiply(a, (pair){k, 0});
}

static pair pair_divide(pair a, pair b)
{
    const double q = a.high / b.high;
    const pair rest = pair_add(a, pair_scale(b, -q));
    return pair_sum(q, (rest.high + rest.low) / b.high);
}

/* P[k] = P_k(x), k = 0..s. */
static void tableau_legendre(pair *P, pair x, int s)
{
    P[0] = (pair){1, 0}, P[1] = x;
    for (int k = 1; k < s; k++) {
        const pair sum = pair_add(pair_scale(pair_multiply(x, P[k]), 2 * k + 1), pair_scale(P[k - 1], -k));
        P[k + 1] = pair_divide(sum, (pair){k + 1, 0});
    }
}

/* P_s'(x) = s (x P_s - P_{s-1})/(x^2 - 1). */
static pair tableau_slope(const pair *P, pair x, int s)
{
    const pair above = pair_scale(pair_add(pair_multiply(x, P[s]), pair_scale(P[s - 1], -1)), s);
    return pair_divide(above, pair_add(pair_multiply(x, x), (pair){-1, 0}));
}

/* Node i of P_s on [-1, 1], with the values of all P_k there. */
static pair tableau_node(pair *P, int i, int s)
{
    double sine, cosine;
    lane_sincos(LG_PI * (4 * i + 3) / (4 * s + 2), &sine, &cosine);
    pair x = {-cosine, 0};
    for (int k = 0; k < 8; k++) {
        tableau_legendre(P, x, s);
        x = pair_add(x, pair_scale(pair_divide(P[s], tableau_slope(P, x, s)), -1));
    }
    if (2 * i + 1 == s) x = (pair){0, 0};
    tableau_legendre(P, x, s);
    return x;
}

/* The inverse of a, by elimination with pivots. */
static void tableau_invert(double *inverse, const double *a, int s)
{
    double M[LG_STAGES_MOST * 2 * LG_STAGES_MOST];
    const int width = 2 * s;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) M[i * width + j] = a[i * s + j], M[i * width + s + j] = i == j;
    for (int k = 0; k < s; k++) {
        int best = k;
        for (int i = k + 1; i < s; i++)
            if (fabs(M[i * width + k]) > fabs(M[best * width + k])) best = i;
        for (int j = 0; j < width; j++) {
            const double t = M[k * width + j];
            M[k * width + j] = M[best * width + j], M[best * width + j] = t;
        }
        for (int i = 0; i < s; i++) {
            const double f = i == k ? 1 - 1 / M[k * width + k] : M[i * width + k] / M[k * width + k];
            for (int j = width - 1; j >= k; j--) M[i * width + j] -= f * M[k * width + j];
        }
    }
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) inverse[i * s + j] = M[i * width + s + j];
}

void lg_tableau_make(lg_tableau *o, int s)
{
    pair P[LG_STAGES_MOST][LG_STAGES_MOST + 1], b[LG_STAGES_MOST], x[LG_STAGES_MOST];
    o->s = s;
    for (int i = 0; i < s; i++) {
        x[i] = tableau_node(P[i], i, s);
        const pair slope = tableau_slope(P[i], x[i], s), one = {1, 0};
        const pair below =
            pair_multiply(pair_add(one, pair_scale(pair_multiply(x[i], x[i]), -1)), pair_multiply(slope, slope));
        const pair c = pair_scale(pair_add(x[i], one), 0.5);
        b[i] = pair_divide(one, below);
        o->c[i] = c.high, o->b[i] = b[i].high;
        for (int k = 0; k < s; k++) o->legendre[k * s + i] = P[i][k].high;
        o->last[i] = o->b[i] * o->legendre[(s - 1) * s + i];
    }
    for (int i = 0; i < s; i++) /* int_0^c P_k = (P_{k+1} - P_{k-1})/(2 (2k + 1)), b_j (2k + 1) P_k(c_j) its factor */
        for (int j = 0; j < s; j++) {
            pair sum = pair_scale(pair_add(x[i], (pair){1, 0}), 0.5);
            for (int k = 1; k < s; k++) {
                const pair part = pair_add(P[i][k + 1], pair_scale(P[i][k - 1], -1));
                sum = pair_add(sum, pair_scale(pair_multiply(P[j][k], part), 0.5));
            }
            o->a[i * s + j] = pair_multiply(b[j], sum).high;
        }
    tableau_invert(o->inverse, o->a, s);
}

KERNEL void tableau_extend(int s, const lg_tableau *o, double at, double span, double *E)
{
    for (int i = 0; i < s; i++) {
        const double x = 2 * (at + span * o->c[i]) - 1;
        double before = 1, P = x, odd = 1;
        lg_two row[LG_STAGES_MOST / 2];
        for (int j = 0; j < s / 2; j++) row[j] = (lg_two){1, 1};
        for (int k = 1; k < s; k++) {
            const double factor = 2 * k + 1, *values = o->legendre + k * s;
            for (int j = 0; j < s / 2; j++) {
                lg_two value;
                memcpy(&value, values + 2 * j, sizeof value);
                row[j] += factor * value * P;
            }
            if (s % 2) odd += factor * values[s - 1] * P;
            const double next = (factor * x * P - k * before) / (k + 1);
            before = P, P = next;
        }
        memcpy(E + i * s, row, sizeof *E * (size_t)(s - s % 2));
        if (s % 2) E[i * s + s - 1] = odd;
        for (int j = 0; j < s; j++) E[i * s + j] *= o->b[j];
    }
}

void lg_tableau_extend(const lg_tableau *o, double at, double span, double *E)
{
    if (o->s == LG_STAGES_USUAL)
        tableau_extend(LG_STAGES_USUAL, o, at, span, E);
    else
        tableau_extend(o->s, o, at, span, E);
}

KERNEL double tableau_last(int s, const double *last, const double *f)
{
    double sum = 0;
    for (int j = 0; j < s; j++) sum += last[j] * f[j];
    return fabs(sum);
}

/* The largest of `count` numbers, including round-off, without branches; *at is its index. */
KERNEL double tableau_largest(int s, const double *last, const double *f, int count, int *at)
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        const double size = tableau_last(s, last, f + i * s);
        const int larger = size > most;
        *at = larger ? i : *at;
        most = larger ? size : most;
    }
    return most;
}

/* Is a sum of that size more than round-off of its terms? */
static int tableau_counts(const lg_tableau *o, const double *f, double size)
{
    double most = 0;
    for (int j = 0; j < o->s; j++) most = lg_larger(fabs(o->last[j] * f[j]), most);
    return !(size <= 16 * DBL_EPSILON * most);
}

double lg_tableau_last(const lg_tableau *o, const double *f, int count)
{
    const int s = o->s;
    int at = 0;
    const double largest = s == LG_STAGES_USUAL ? tableau_largest(LG_STAGES_USUAL, o->last, f, count, &at)
                                                : tableau_largest(s, o->last, f, count, &at);
    if (tableau_counts(o, f + at * s, largest)) return largest;
    double most = 0;
    for (int i = 0; i < count; i++, f += s) {
        const double size = tableau_last(s, o->last, f);
        if (!(size <= most) && tableau_counts(o, f, size)) most = size;
    }
    return most;
}

/* A longer prediction, in units of the step that it comes from, is worse than no prediction. */
#define TABLEAU_FARTHEST 2.4

int lg_tableau_leads(const lg_tableau *o, lg_extension *x, double at, double h, double length)
{
    const double span = length != 0 ? h / length : 0;
    if (length == 0 || !(fabs(at + span - 0.5) <= TABLEAU_FARTHEST - 0.5)) return 0;
    if (x->span != span || x->at != at) lg_tableau_extend(o, at, span, x->E);
    x->at = at, x->span = span;
    return 1;
}
