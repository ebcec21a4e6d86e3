/* SPDX-License-Identifier: BSD-3-Clause */
/* A Taylor method: the coefficients of the solution's power series order by order, by recurrences for each operation
 * of the right-hand side; order and step from the tolerance as in A. Jorba, M. Zou, A Software Package for the
 * Numerical Integration of ODEs by Means of High-Order Taylor Methods, Experimental Mathematics 14 (2005). Debian has
 * no library with such a method (heyoka, TIDES, taylor). A tape of operations is made when the peer opens and is
 * interpreted, once for each order; peers_taylor_systems.c writes the right-hand sides on it. What makes it quick:
 *   one operation sums any number of products, so few partial sums leave the registers;
 *   of sum_i a_i b_(k-i) only the ends i = 0 and i = k wait for coefficients of this order; all else is taken from
 *     arrays of earlier orders, four numbers at a time, with b stored backwards and zeros past its end;
 *   the interpreter is compiled for each number of fours.
 * A square is summed like any product: half of it would need a remainder of its own at each order. */
#include "benchmarks/peers_taylor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/peers.h"

/* The most fours reach coefficients 1 to 20; a tolerance of 1e-15 takes order 19. */
enum { ORDERS = 20, NODES = 128, OPERATIONS = 128, PAIRS = 320, LINEAR = 128 };

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

/* The coefficients 1, 2, ... of a series from the orders before; backwards, the coefficient j is at ORDERS - j. */
typedef struct past {
    double forth[ORDERS], back[ORDERS + 4];
} past;

/* Of order 0 and of the present order. */
typedef struct ends {
    double first, now;
} ends;

typedef struct pair {
    const double *forth, *back;
    int a, b;
} pair;

typedef struct linear {
    double c;
    int a;
} linear;

typedef enum kind { SUM, MIX, QUOTIENT, ROOT, SLOPE, SINE, COSINE } kind;

/* out = scale (plus - minus) + linear + constant (MIX: without products), a quotient scale a / b, a root of a; a slope
 * has the coefficients k a_k, and sine and cosine of x have a = slope of x and b = the other of both. */
typedef struct operation {
    kind kind;
    int out, a, b, live;
    double scale, constant, inverse; /* of b's, or twice the root's, coefficient 0 */
    const double *forth, *back;      /* the product in a recurrence of another kind than SUM */
    const pair *plus, *minus, *end;
    const linear *linear, *linear_end;
} operation;

struct taylor_tape {
    _Alignas(64) past past[NODES];
    double x[ORDERS + 1][PROBLEM_STATE]; /* the state's coefficients */
    ends v[NODES];
    operation operations[OPERATIONS];
    pair pairs[PAIRS];
    linear linear[LINEAR];
    int kept[NODES]; /* whose past is needed */
    int nodes, count, pair_count, linear_count, kept_count;
    int full; /* there is no room for the equations */
    int size, order;
    taylor_node dy[PROBLEM_STATE];
    double y0[PROBLEM_STATE];
    double inverse[ORDERS + 1]; /* 1/k */
    long evaluations;
};

/* Making the tape -------------------------------------------------------------------------------------------------- */

static operation *append(taylor_tape *t, kind what, taylor_node a, taylor_node b)
{
    t->full |= t->count == OPERATIONS - 1 || t->nodes == NODES - 1;
    operation *o = &t->operations[t->full ? 0 : t->count++];
    *o = (operation){.kind = what, .out = t->full ? 1 : t->nodes++, .a = a, .b = b, .scale = 1};
    return o;
}

static void append_pair(taylor_tape *t, taylor_node a, taylor_node b)
{
    t->full |= t->pair_count == PAIRS - 1;
    t->pairs[t->full ? 0 : t->pair_count++] = (pair){t->past[a].forth, t->past[b].back, a, b};
}

static void append_linear(taylor_tape *t, double c, taylor_node a)
{
    t->full |= t->linear_count == LINEAR - 1;
    t->linear[t->full ? 0 : t->linear_count++] = (linear){c, a};
}

static int is_product(taylor_term x)
{
    return x.c != 0 && x.a != TAYLOR_ONE && x.b != TAYLOR_ONE;
}

taylor_node taylor_sum(taylor_tape *t, double constant, const taylor_term *terms, size_t count)
{
    taylor_term of[16];
    double scale = 0;
    t->full |= count > sizeof of / sizeof of[0];
    for (size_t i = 0; i < count && !t->full; i++) {
        of[i] = terms[i];
        if (!is_product(of[i])) continue;
        if (scale == 0) scale = fabs(of[i].c);
        if (fabs(of[i].c) != scale) of[i].a = TAYLOR_SUM(t, 0, {of[i].c / scale, of[i].a, TAYLOR_ONE}), of[i].c = scale;
    }
    operation *o = append(t, scale > 0 ? SUM : MIX, 0, 0);
    o->scale = scale, o->constant = constant;
    o->plus = t->pairs + t->pair_count;
    for (size_t i = 0; i < count && !t->full; i++)
        if (is_product(of[i]) && of[i].c > 0) append_pair(t, of[i].a, of[i].b);
    o->minus = t->pairs + t->pair_count;
    for (size_t i = 0; i < count && !t->full; i++)
        if (is_product(of[i]) && of[i].c < 0) append_pair(t, of[i].a, of[i].b);
    o->end = t->pairs + t->pair_count;
    o->linear = t->linear + t->linear_count;
    for (size_t i = 0; i < count && !t->full; i++)
        if (!is_product(of[i]) && of[i].c != 0) append_linear(t, of[i].c, of[i].a != TAYLOR_ONE ? of[i].a : of[i].b);
    o->linear_end = t->linear + t->linear_count;
    return o->out;
}

taylor_node taylor_quotient(taylor_tape *t, double c, taylor_node a, taylor_node b)
{
    operation *o = append(t, QUOTIENT, a, b);
    o->scale = c;
    o->forth = t->past[o->out].forth, o->back = t->past[b].back;
    return o->out;
}

taylor_node taylor_root(taylor_tape *t, taylor_node a)
{
    operation *o = append(t, ROOT, a, 0);
    o->forth = t->past[o->out].forth, o->back = t->past[o->out].back;
    return o->out;
}

void taylor_turn(taylor_tape *t, taylor_node a, taylor_node *sine, taylor_node *cosine)
{
    const operation *slope = append(t, SLOPE, a, 0);
    operation *s = append(t, SINE, slope->out, 0), *c = append(t, COSINE, slope->out, s->out);
    s->b = c->out, c->scale = -1;
    s->forth = c->forth = t->past[slope->out].forth;
    s->back = t->past[c->out].back, c->back = t->past[s->out].back;
    *sine = s->out, *cosine = c->out;
}

/* Drops operations that nothing needs, and lists the nodes whose past is needed. */
static void prune(taylor_tape *t)
{
    int needed[NODES] = {0}, kept[NODES] = {0}, live = 0;
    for (int i = 0; i < t->size; i++) needed[t->dy[i]] = 1;
    for (int i = t->count - 1; i >= 0; i--) {
        operation *o = &t->operations[i];
        o->live = needed[o->out];
        if (!o->live) continue;
        for (const pair *p = o->plus; p < o->end; p++) needed[p->a] = needed[p->b] = kept[p->a] = kept[p->b] = 1;
        for (const linear *l = o->linear; l < o->linear_end; l++) needed[l->a] = 1;
        needed[o->a] = needed[o->b] = 1;
        if (o->kind == QUOTIENT || o->kind == ROOT) kept[o->out] = 1;
        if (o->kind == QUOTIENT) kept[o->b] = 1;
        if (o->kind == SINE || o->kind == COSINE) needed[o->out] = kept[o->out] = kept[o->a] = kept[o->b] = 1;
    }
    for (int i = 0; i < t->count; i++)
        if (t->operations[i].live) t->operations[live++] = t->operations[i];
    t->count = live;
    for (int i = 1; i < t->nodes; i++)
        if (kept[i]) t->kept[t->kept_count++] = i;
}

/* The coefficients ------------------------------------------------------------------------------------------------- */

static void evaluate_first(taylor_tape *t)
{
    ends *v = t->v;
    for (operation *o = t->operations, *end = o + t->count; o < end; o++) {
        const double a = v[o->a].first;
        double s = 0;
        switch (o->kind) {
        case SUM:
        case MIX:
            for (const pair *p = o->plus; p < o->minus; p++) s += v[p->a].first * v[p->b].first;
            for (const pair *p = o->minus; p < o->end; p++) s -= v[p->a].first * v[p->b].first;
            s = o->constant + o->scale * s;
            for (const linear *l = o->linear; l < o->linear_end; l++) s += l->c * v[l->a].first;
            break;
        case QUOTIENT:
            o->inverse = 1 / v[o->b].first, s = o->scale * a * o->inverse;
            break;
        case ROOT:
            s = sqrt(a), o->inverse = 0.5 / s;
            break;
        case SLOPE:
            v[o->out + 1].first = sin(a), v[o->out + 2].first = cos(a);
            break;
        case SINE:
        case COSINE:
            continue; /* SLOPE knows the angle */
        }
        v[o->out].first = s;
    }
}

/* acc += or -= sum_i a_i b_(k-i), i = 1 to k-1, in `fours` fours; b_0 is at back[ORDERS] and reads as 0. */
#define INNER(op, a, b)                                                                                                \
    for (int i = 0; i < fours; i++) acc op *(const four *)((a) + 4 * i) * *(const four *)((b) + from + 4 * i)

#define TOTAL (acc[0] + acc[2] + (acc[1] + acc[3]))

/* All coefficients k > 0. */
static inline __attribute__((always_inline)) void evaluate_order(taylor_tape *t, int k, const int fours)
{
    const int from = ORDERS - k + 1;
    ends *v = t->v;
    for (const operation *o = t->operations, *end = o + t->count; o < end; o++) {
        four acc = {0};
        double s = 0;
        switch (o->kind) {
        case SUM:
            for (const pair *p = o->plus; p < o->minus; p++) {
                INNER(+=, p->forth, p->back);
                s += v[p->a].first * v[p->b].now + v[p->a].now * v[p->b].first;
            }
            for (const pair *p = o->minus; p < o->end; p++) {
                INNER(-=, p->forth, p->back);
                s -= v[p->a].first * v[p->b].now + v[p->a].now * v[p->b].first;
            }
            s = o->scale * (s + TOTAL);
            for (const linear *l = o->linear; l < o->linear_end; l++) s += l->c * v[l->a].now;
            break;
        case MIX:
            for (const linear *l = o->linear; l < o->linear_end; l++) s += l->c * v[l->a].now;
            break;
        case QUOTIENT:
            INNER(+=, o->forth, o->back);
            s = (o->scale * v[o->a].now - TOTAL - v[o->out].first * v[o->b].now) * o->inverse;
            break;
        case ROOT:
            INNER(+=, o->forth, o->back);
            s = (v[o->a].now - TOTAL) * o->inverse;
            break;
        case SLOPE:
            s = k * v[o->a].now;
            break;
        case SINE:
        case COSINE:
            INNER(+=, o->forth, o->back);
            s = o->scale * (TOTAL + v[o->a].now * v[o->b].first) * t->inverse[k];
            break;
        }
        v[o->out].now = s;
    }
}

static void evaluate(taylor_tape *t, int k)
{
    switch ((k + 2) / 4) {
    case 0:
        evaluate_order(t, k, 0);
        break;
    case 1:
        evaluate_order(t, k, 1);
        break;
    case 2:
        evaluate_order(t, k, 2);
        break;
    case 3:
        evaluate_order(t, k, 3);
        break;
    case 4:
        evaluate_order(t, k, 4);
        break;
    default:
        evaluate_order(t, k, 5);
        break;
    }
    for (int i = 0; i < t->kept_count; i++) {
        const int n = t->kept[i];
        t->past[n].forth[k - 1] = t->past[n].back[ORDERS - k] = t->v[n].now;
    }
}

/* The coefficients 0 to order of the state y. */
static void expand(taylor_tape *t, const double *y)
{
    memcpy(t->x[0], y, sizeof t->x[0]);
    for (int i = 0; i < t->size; i++) t->v[1 + i].first = y[i];
    evaluate_first(t);
    for (int i = 0; i < t->size; i++) t->x[1][i] = t->v[t->dy[i]].first;
    for (int k = 1; k < t->order; k++) {
        for (int i = 0; i < t->size; i++) t->v[1 + i].now = t->x[k][i];
        evaluate(t, k);
        for (int i = 0; i < t->size; i++) t->x[k + 1][i] = t->v[t->dy[i]].now * t->inverse[k + 1];
    }
    t->evaluations += t->order;
}

/* Steps ------------------------------------------------------------------------------------------------------------ */

static double norm(const double *x)
{
    double m[4] = {0};
    for (int i = 0; i < PROBLEM_STATE; i += 4)
        for (int l = 0; l < 4; l++) m[l] = fabs(x[i + l]) > m[l] ? fabs(x[i + l]) : m[l];
    return fmax(fmax(m[0], m[1]), fmax(m[2], m[3]));
}

/* rho / e^2 with their safety factor; rho is the smaller estimate of the radius from the last two coefficients,
 * infinite if both are 0. */
static double choose(const taylor_tape *t)
{
    const int p = t->order;
    const double scale = fmax(1, norm(t->x[0])), last = norm(t->x[p]) / scale, before = norm(t->x[p - 1]) / scale;
    return exp(fmin(-log(last) / p, -log(before) / (p - 1)) - 2 - 0.7 / (p - 1));
}

static void advance(const taylor_tape *t, double h, double *y)
{
    double z[PROBLEM_STATE];
    memcpy(z, t->x[t->order], sizeof z);
    for (int k = t->order - 1; k >= 0; k--)
        for (int i = 0; i < PROBLEM_STATE; i++) z[i] = z[i] * h + t->x[k][i];
    memcpy(y, z, sizeof z);
}

static int run(void *opened, double T, double *out, bench_watch watch, void *context)
{
    taylor_tape *t = opened;
    double y[PROBLEM_STATE], at = 0;
    (void)watch, (void)context;
    memcpy(y, t->y0, sizeof y);
    memset(t->past, 0, sizeof t->past); /* a run that failed may have left NaN */
    t->evaluations = 0;
    for (long steps = 0; at < T; steps++) {
        expand(t, y);
        const double h = choose(t);
        if (steps == PROBLEM_STEPS || !(at + 0.1 * h > at)) return 1;
        advance(t, fmin(h, T - at), y);
        at = at + h >= T ? T : at + h;
    }
    memcpy(out, y, (size_t)t->size * sizeof *out);
    for (int i = 0; i < t->size; i++)
        if (!isfinite(y[i])) return 1;
    return 0;
}

void taylor_expand(void *opened, const double *y, double fraction, double *x, double *dx)
{
    taylor_tape *t = opened;
    double z[PROBLEM_STATE] = {0};
    memcpy(z, y, (size_t)t->size * sizeof *z);
    memset(t->past, 0, sizeof t->past);
    expand(t, z);
    const double h = fraction * choose(t);
    advance(t, h, z);
    memcpy(x, z, (size_t)t->size * sizeof *x);
    for (int i = 0; i < t->size; i++) {
        dx[i] = 0;
        for (int k = t->order; k > 0; k--) dx[i] = dx[i] * h + k * t->x[k][i];
    }
}

static void *open_taylor(const bench_problem *given, double setting)
{
    const problem *p = problem_find(given->system);
    taylor_equations *equations = taylor_find(given->system);
    taylor_tape *t = p != NULL && equations != NULL ? aligned_alloc(64, sizeof *t) : NULL;
    taylor_node y[PROBLEM_STATE];
    problem_data d = {.param = given->param};
    if (t == NULL) return NULL;
    memset(t, 0, sizeof *t);
    t->size = p->size, t->nodes = 1 + p->size;
    t->order = (int)fmin(ORDERS, fmax(2, ceil(1 - log(setting) / 2)));
    t->v[TAYLOR_ONE].first = 1;
    for (int k = 1; k <= ORDERS; k++) t->inverse[k] = 1. / k;
    for (int i = 0; i < p->size; i++) y[i] = 1 + i, t->y0[i] = given->y0[i];
    if (p->prepare != NULL) p->prepare(&d);
    equations(t, &d, y, t->dy);
    if (t->full) {
        free(t);
        return NULL;
    }
    prune(t);
    return t;
}

static long evaluations_of(const void *opened)
{
    return ((const taylor_tape *)opened)->evaluations;
}

const bench_peer peer_taylor = {"Taylor", "2005", open_taylor, run, evaluations_of, free};
