/* SPDX-License-Identifier: BSD-3-Clause */
/* The work of a sweep on its stages, block by block: momenta onto their rows (stage form), rates. The sources are
 * written once and compiled for the usual groups and numbers of rows (SWEEP_SHAPES), whose numbers then stay in
 * registers. */
#include "integrators/collocation/stages.h"

#include "base/small.h"
#include "integrators/collocation/sums.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/sized.h"
#include "integrators/engine/workspace.h"
#include "mechanics/gram.h"

KERNEL int stages_numbers(const lg_plan *P)
{
    return P->element_size + P->n + P->m;
}

/* Stage form: are there rows onto which momenta must be projected? */
KERNEL int stages_corrects(const lg_plan *P)
{
    return P->m && !P->rate_form;
}

/* Do the rates evaluate the fields, rather than the momenta before? */
KERNEL int sweep_evaluates_fields(const lg_workspace *w)
{
    return w->stages->leads || !stages_corrects(w->plan);
}

/* ---- rows ---- */

/* A J^-1 and its Gram matrix at b. */
KERNEL int sweep_gram_of(int m, int n, lg_workspace *w, const lg_node *b, real *raised, real *gram)
{
    if (w->plan->diagonal)
        gram_rows(raised, b->rows, b->metric_inverse, 1, m, n);
    else
        gram_rows(raised, b->rows, b->metric_inverse, 0, m, n);
    const int bad = gram_factor(gram, raised, b->rows, m, n);
    return bad ? lg_workspace_fail_row(w, bad) : 0;
}

/* A J^-1 and its Gram matrix at b, into the stages' memory. */
KERNEL int sweep_gram(int m, int n, lg_workspace *w, const lg_node *b)
{
    return sweep_gram_of(m, n, w, b, w->stages->raised, w->stages->gram);
}

/* Computes them if they change; constant ones are copied from the beginning of the step. */
KERNEL int sweep_prepare(int m, int n, lg_workspace *w, const lg_node *b, real *raised, real *gram)
{
    const lg_plan *P = w->plan;
    const lg_stages *o = w->stages;
    if (!P->constant_rows || !P->constant_metric) return sweep_gram_of(m, n, w, b, raised, gram);
    for (int i = 0; raised != o->raised && i < m * n; i++) raised[i] = o->raised[i];
    for (int i = 0; raised != o->raised && i < m * m; i++) gram[i] = o->gram[i];
    return 0;
}

/* z = A J^-1 x - side; `side` is m numbers, or NULL where it is 0. */
KERNEL void sweep_miss(int m, int n, const real *raised, const real *x, const real *side, real *z)
{
    for (int a = 0; a < m; a++) {
        z[a] = small_dot(n, raised + a * n, x);
        if (side) z[a] = z[a] - side[a];
    }
}

/* z = C^-1 (A J^-1 x - side). */
KERNEL void sweep_share(int m, int n, const real *raised, const real *gram, const real *x, const real *side, real *z)
{
    sweep_miss(m, n, raised, x, side, z);
    gram_solve(gram, z, m);
}

/* x <- x + sign M^T z. */
KERNEL int sweep_push(int m, int n, const real *M, const real *z, real *x, double sign)
{
    for (int a = 0; a < m; a++)
        for (int i = 0; i < n; i++) x[i] = x[i] + sign * (M[a * n + i] * z[a]);
    return 0;
}

/* Stage form: p <- free - A^T z with z = C^-1 (A J^-1 free - side), the residual; the largest change of p in every
 * lane. */
KERNEL int sweep_put(int m, int n, lg_workspace *w, int at, real *most, real *raised, real *gram, real *z)
{
    lg_node *b = w->stages->node[at];
    const real *free_momentum = w->stages->free_momenta + at * n;
    real *residual = w->stages->residual + at * m, *p = b->p_tilde, change = splat(0);
    if (sweep_prepare(m, n, w, b, raised, gram)) return 1;
    sweep_share(m, n, raised, gram, free_momentum, w->plan->sides ? b->right_side : NULL, z);
    for (int i = 0; i < n; i++) {
        real sum = free_momentum[i];
        for (int a = 0; a < m; a++) sum = sum - b->rows[a * n + i] * z[a];
        change = larger_size(change, magnitude(sum - p[i]));
        p[i] = sum;
    }
    for (int a = 0; a < m; a++) residual[a] = z[a];
    *most = change;
    return 0;
}

/* ---- rates ---- */

/* right = A Y' - A' (xi - Y) of the velocity rows. */
KERNEL int sweep_bend(int m, int n, const real *rows, const real *drift, const real *A, const real *Y, const real *xi,
                      real *right)
{
    for (int a = 0; a < m; a++) {
        real sum = rows[a * n] * Y[0] - A[a * n] * (xi[0] - drift[0]);
        for (int i = 1; i < n; i++) sum = sum + (rows[a * n + i] * Y[i] - A[a * n + i] * (xi[i] - drift[i]));
        right[a] = sum;
    }
    return 0;
}

/* Rate form: right = b' - A' xi where there are position constraints, too. */
static int sweep_acceleration(lg_workspace *w, int at, const real *xi, real *right)
{
    const lg_plan *P = w->plan;
    lg_node *b = w->stages->node[at];
    const lg_stages *o = w->stages;
    const int n = P->n, first = P->holonomic;
    const real *A = o->rows_rate, *Y = A + P->nonholonomic * n;
    if (lg_evaluate(w, LG_CALLBACK_HOLONOMIC_ACCELERATION, &b->t, b->g, xi, right, first)) return 1;
    for (int a = 0; a < first; a++) right[a] = -right[a];
    for (int a = first; !P->drift && a < P->m; a++) right[a] = splat(0);
    if (!P->drift) return 0;
    if (fields_row_rates(P->nonholonomic, n, w, at, xi)) return 1;
    return sweep_bend(P->nonholonomic, n, b->rows + first * n, b->drift, A, Y, xi, right + first);
}

/* right = b' - A' xi of every row; `memory` has room for it. */
KERNEL int sweep_right(int m, int n, lg_workspace *w, int at, const real *xi, real *memory, real *right)
{
    const lg_plan *P = w->plan;
    const lg_node *b = w->stages->node[at];
    const real *A = w->stages->rows_rate;
    if (P->holonomic) {
        if (sweep_acceleration(w, at, xi, memory)) return 1;
        for (int a = 0; a < m; a++) right[a] = memory[a];
        return 0;
    }
    for (int a = 0; !P->drift && a < m; a++) right[a] = splat(0);
    if (!P->drift) return 0;
    if (!w->stages->together && fields_row_rates(m, n, w, at, xi)) return 1;
    return sweep_bend(m, n, b->rows, b->drift, A, A + m * n, xi, right);
}

/* f = -dV + f + dT. */
KERNEL int sweep_forces(int n, lg_workspace *w, int at, const real *xi, real *f)
{
    const lg_plan *P = w->plan;
    const lg_node *b = w->stages->node[at];
    real *extra = w->stages->extra;
    if (P->potential && !w->stages->together && fields_gradient(n, w, at, extra)) return 1;
    for (int i = 0; i < n; i++) f[i] = P->potential ? -extra[i] : splat(0);
    if (P->force) {
        if (w->stages->steered ? fields_steered_force(w, at, xi, extra)
                               : lg_evaluate(w, LG_CALLBACK_FORCE, &b->t, b->g, xi, extra, n))
            return 1;
        for (int i = 0; i < n; i++) f[i] = f[i] + extra[i];
    }
    if (P->constant_metric) return 0;
    if (lg_evaluate(w, LG_CALLBACK_METRIC_GRADIENT, &b->t, b->g, xi, extra, n)) return 1;
    for (int i = 0; i < n; i++) f[i] = f[i] + extra[i];
    return 0;
}

/* Groups with special code: `flat` numbers of R^n or T^n, whose rates are velocities, then one of these. */
typedef enum sweep_group { SWEEP_NONE, SWEEP_SO3, SWEEP_SE2, SWEEP_SE3, SWEEP_ANY } sweep_group;

/* Other groups, factor by factor. */
static int sweep_move_factors(lg_workspace *w, const real *g, const real *xi, real *dg)
{
    const lg_plan *P = w->plan;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *of = &P->factors[k];
        if (lg_factor_rate(w, of, g + of->element_offset, xi + of->offset, dg + of->element_offset)) return 1;
    }
    return 0;
}

static int sweep_turn_factors(lg_workspace *w, const real *xi, const real *p, real *f)
{
    const lg_plan *P = w->plan;
    real *turned = w->stages->force;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *of = &P->factors[k];
        const int first = of->offset;
        if (of->group->abelian) continue;
        if (lg_factor_turn(w, of, xi + first, p + first, turned)) return 1;
        for (int i = 0; i < of->n; i++) f[first + i] = f[first + i] + turned[i];
    }
    return 0;
}

/* g' = g xi^. */
KERNEL int sweep_move(lg_workspace *w, sweep_group G, int flat, const real *g, const real *xi, real *dg)
{
    if (G == SWEEP_ANY) return sweep_move_factors(w, g, xi, dg);
    for (int i = 0; i < flat; i++) dg[i] = xi[i];
    g += flat, xi += flat, dg += flat;
    if (G == SWEEP_SO3) (void)so3_rate(NULL, dg, g, xi, NULL, NULL);
    if (G == SWEEP_SE2) (void)se2_rate(NULL, dg, g, xi, NULL, NULL);
    if (G == SWEEP_SE3) (void)se3_rate(NULL, dg, g, xi, NULL, NULL);
    return 0;
}

/* f <- f + ad*_xi p, n numbers. */
KERNEL int sweep_turn(lg_workspace *w, sweep_group G, int flat, int n, const real *xi, const real *p, real *f)
{
    real turned[6];
    if (G == SWEEP_NONE) return 0;
    if (G == SWEEP_ANY) return sweep_turn_factors(w, xi, p, f);
    xi += flat, p += flat, f += flat;
    if (G == SWEEP_SO3) so3_coad(turned, xi, p);
    if (G == SWEEP_SE2) se2_coad(turned, xi, p);
    if (G == SWEEP_SE3) se3_coad(turned, xi, p);
    for (int i = 0; i < n - flat; i++) f[i] = f[i] + turned[i];
    return 0;
}

/* xi = J^-1 p. */
KERNEL void sweep_raise(int n, const lg_plan *P, const lg_node *b, const real *p, real *xi)
{
    if (P->diagonal)
        small_apply(n, 1, xi, b->metric_inverse, p);
    else
        small_apply(n, 0, xi, b->metric_inverse, p);
}

/* Scratch for the rates of a block: locals, which stay in registers, or memory. */
typedef struct sweep_room {
    real *xi, *p, *f, *z, *right, *raised, *gram;
} sweep_room;

/* Rate form: lambda = -C^-1 (A J^-1 f - right); either form: f <- f + A^T lambda. */
KERNEL int sweep_react(int m, int n, lg_workspace *w, int at, real *lambda, const sweep_room *o)
{
    const lg_node *b = w->stages->node[at];
    if (w->plan->rate_form) {
        if (sweep_right(m, n, w, at, w->stages->velocity, w->stages->residual + at * m, o->right) ||
            sweep_prepare(m, n, w, b, o->raised, o->gram))
            return 1;
        sweep_share(m, n, o->raised, o->gram, o->f, o->right, o->z);
        for (int a = 0; a < m; a++) lambda[a] = o->z[a] = -o->z[a];
    } else
        for (int a = 0; a < m; a++) o->z[a] = lambda[a];
    return sweep_push(m, n, b->rows, o->z, o->f, 1.0);
}

/* The rates of block `at`, with this scratch. */
KERNEL int sweep_rate(int m, int n, int e, sweep_group G, int flat, lg_workspace *w, int at, const sweep_room *o)
{
    const lg_plan *P = w->plan;
    lg_node *b = w->stages->node[at];
    const int together = m && w->stages->together;
    if (!together && sweep_evaluates_fields(w) && fields_at(m, n, w, at)) return 1;
    real *dg = w->stages->rate + at * (e + n + m), *dp = dg + e, *lambda = dp + n, *xi = w->stages->velocity;
    for (int i = 0; o->p != b->p_tilde && i < n; i++) o->p[i] = b->p_tilde[i];
    sweep_raise(n, P, b, o->p, o->xi);
    for (int i = 0; o->xi != xi && i < n; i++) xi[i] = o->xi[i];
    if (together && fields_together(m, n, w, at, xi)) return 1;
    if (sweep_forces(n, w, at, xi, o->f) || sweep_move(w, G, flat, b->g, o->xi, dg) ||
        sweep_turn(w, G, flat, n, o->xi, o->p, o->f) || (m && sweep_react(m, n, w, at, lambda, o)))
        return 1;
    for (int i = 0; o->f != dp && i < n; i++) dp[i] = o->f[i];
    return 0;
}

/* g' of all blocks by the momenta that were placed last; other rates are those of the sweep before. `xi` is scratch. */
KERNEL int sweep_follow(int n, sweep_group G, int flat, lg_workspace *w, real *xi)
{
    const lg_plan *P = w->plan;
    const lg_stages *o = w->stages;
    for (int at = 0; at < o->blocks; at++) {
        const lg_node *b = o->node[at];
        sweep_raise(n, P, b, b->p_tilde, xi);
        if (sweep_move(w, G, flat, b->g, xi, o->rate + at * stages_numbers(P))) return 1;
    }
    return 0;
}

enum { SWEEP_N = 6, SWEEP_M = 3 }; /* the largest numbers of a shape */

KERNEL int sweep_follow_here(int n, sweep_group G, int flat, lg_workspace *w)
{
    real xi[SWEEP_N];
    return sweep_follow(n, G, flat, w, xi);
}

static int sweep_follow_any(lg_workspace *w)
{
    return sweep_follow(w->plan->n, SWEEP_ANY, 0, w, w->stages->velocity);
}

KERNEL int sweep_rates_here(int m, int n, int e, sweep_group G, int flat, lg_workspace *w)
{
    real xi[SWEEP_N], p[SWEEP_N], f[SWEEP_N], z[SWEEP_M], right[SWEEP_M], raised[SWEEP_M * SWEEP_N],
        gram[SWEEP_M * SWEEP_M];
    const sweep_room room = {xi, p, f, z, right, raised, gram};
    for (int at = 0; at < w->stages->blocks; at++)
        if (sweep_rate(m, n, e, G, flat, w, at, &room)) return 1;
    return 0;
}

static int sweep_rates_any(lg_workspace *w)
{
    const lg_plan *P = w->plan;
    lg_stages *o = w->stages;
    for (int at = 0; at < o->blocks; at++) {
        real *dp = o->rate + at * stages_numbers(P) + P->element_size, *z = dp + P->n;
        const sweep_room room = {o->velocity, o->node[at]->p_tilde, dp, z, o->residual + at * P->m, o->raised, o->gram};
        if (sweep_rate(P->m, P->n, P->element_size, SWEEP_ANY, 0, w, at, &room)) return 1;
    }
    return 0;
}

KERNEL int sweep_puts_here(int m, int n, lg_workspace *w, real *most)
{
    real raised[SWEEP_M * SWEEP_N], gram[SWEEP_M * SWEEP_M], z[SWEEP_M];
    for (int at = 0; at < w->stages->blocks; at++)
        if ((!sweep_evaluates_fields(w) && fields_at(m, n, w, at)) ||
            sweep_put(m, n, w, at, most + at, raised, gram, z))
            return 1;
    return 0;
}

static int sweep_puts_any(lg_workspace *w, real *most)
{
    const lg_plan *P = w->plan;
    const lg_stages *o = w->stages;
    const int m = P->m, n = P->n;
    for (int at = 0; at < o->blocks; at++)
        if ((!sweep_evaluates_fields(w) && fields_at(m, n, w, at)) ||
            sweep_put(m, n, w, at, most + at, o->raised, o->gram, o->residual + at * m))
            return 1;
    return 0;
}

/* ---- shapes ---- */

#ifndef LG_TANGENT /* whose numbers are too large for registers */

typedef struct sweep_shape {
    int n;
    sweep_group group;
    int flat;
    lg_stages_rates follow;
    lg_stages_rates rates[SWEEP_M + 1]; /* by the number of rows */
    lg_stages_puts puts[SWEEP_M + 1];
} sweep_shape;

/* clang-format off */
#define SWEEP_PUT(m, n)                                                                                                \
    static int sweep_puts_##n##_##m(lg_workspace *w, real *most)                                                       \
    {                                                                                                                  \
        return sweep_puts_here(m, n, w, most);                                                                         \
    }
#define SWEEP_RATE(m, name, n, e, group, flat)                                                                         \
    static int sweep_rates_##name##_##m(lg_workspace *w)                                                               \
    {                                                                                                                  \
        return sweep_rates_here(m, n, e, group, flat, w);                                                              \
    }
#define SWEEP_PUTS(n) SWEEP_PUT(1, n) SWEEP_PUT(2, n) SWEEP_PUT(3, n)
#define SWEEP_RATES(...)                                                                                               \
    SWEEP_RATE(0, __VA_ARGS__) SWEEP_RATE(1, __VA_ARGS__) SWEEP_RATE(2, __VA_ARGS__) SWEEP_RATE(3, __VA_ARGS__)
#define SWEEP_FOLLOW(name, n, e, group, flat)                                                                          \
    static int sweep_follow_##name(lg_workspace *w)                                                                    \
    {                                                                                                                  \
        return sweep_follow_here(n, group, flat, w);                                                                   \
    }
#define SWEEP_SHAPE(name, n, e, group, flat)                                                                           \
    {n, group, flat, sweep_follow_##name,                                                                              \
     {sweep_rates_##name##_0, sweep_rates_##name##_1, sweep_rates_##name##_2, sweep_rates_##name##_3},                 \
     {NULL, sweep_puts_##n##_1, sweep_puts_##n##_2, sweep_puts_##n##_3}},
/* Name, numbers of a velocity and of an element, the group and the numbers before it. */
#define SWEEP_SHAPES(X)                                                                                                \
    X(space, 3, 3, SWEEP_NONE, 3)                                                                                      \
    X(so3, 3, 4, SWEEP_SO3, 0)                                                                                         \
    X(so3_on_plane, 5, 6, SWEEP_SO3, 2)                                                                                \
    X(so3_in_space, 6, 7, SWEEP_SO3, 3)                                                                                \
    X(se2, 3, 4, SWEEP_SE2, 0)                                                                                         \
    X(se3, 6, 7, SWEEP_SE3, 0)
/* clang-format on */

SWEEP_PUTS(3)
SWEEP_PUTS(5)
SWEEP_PUTS(6)
SWEEP_SHAPES(SWEEP_RATES)
SWEEP_SHAPES(SWEEP_FOLLOW)
static const sweep_shape sweep_shapes[] = {SWEEP_SHAPES(SWEEP_SHAPE)};

/* Any group by the numbers of a velocity alone. */
typedef struct sweep_size {
    int n;
    lg_stages_rates follow, rates;
    lg_stages_puts puts;
} sweep_size;

#define SWEEP_SIZED(n)                                                                                                 \
    static int sweep_follow_##n(lg_workspace *w)                                                                       \
    {                                                                                                                  \
        return sweep_follow_here(n, SWEEP_ANY, 0, w);                                                                  \
    }                                                                                                                  \
    static int sweep_rates_##n(lg_workspace *w)                                                                        \
    {                                                                                                                  \
        return sweep_rates_here(w->plan->m, n, w->plan->element_size, SWEEP_ANY, 0, w);                                \
    }                                                                                                                  \
    static int sweep_puts_##n(lg_workspace *w, real *most)                                                             \
    {                                                                                                                  \
        return sweep_puts_here(w->plan->m, n, w, most);                                                                \
    }
#define SWEEP_SIZE(n)  {n, sweep_follow_##n, sweep_rates_##n, sweep_puts_##n},
#define SWEEP_SIZES(X) X(2) X(4) X(5) X(6)

SWEEP_SIZES(SWEEP_SIZED)
static const sweep_size sweep_sizes[] = {SWEEP_SIZES(SWEEP_SIZE)};

#endif

/* The group of a plan and the numbers before it. */
static sweep_group sweep_group_of(const lg_plan *P, int *flat)
{
    sweep_group G = SWEEP_NONE;
    *flat = 0;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        const lg_group_kind kind = f->group->kind;
        if (G != SWEEP_NONE) return SWEEP_ANY;
        if (kind == LG_KIND_RN || kind == LG_KIND_TORUS)
            *flat += f->n;
        else
            G = kind == LG_KIND_SO3   ? SWEEP_SO3
                : kind == LG_KIND_SE2 ? SWEEP_SE2
                : kind == LG_KIND_SE3 ? SWEEP_SE3
                                      : SWEEP_ANY;
    }
    return G;
}

/* Momenta lead on R^n and T^n, whose rates depend on them alone, and if rows or the metric change: that takes 0.65 to
 * 0.9 of the sweeps, for most. For others, such as a heavy top, it takes about as many, with longer dependencies. If
 * a factor's g' is computed by differences, momenta do not lead: that would compute it twice in a sweep. */
static int sweep_leads(const lg_plan *P, sweep_group G)
{
    int known = 1;
    for (int k = 0; k < P->factor_count; k++) known &= P->factors[k].table->rate != NULL;
    return known && (G == SWEEP_NONE || !P->constant_metric || (P->m && !P->constant_rows));
}

void lg_sweep_choose(lg_stages *o, const lg_plan *P)
{
    int flat;
    const sweep_group G = sweep_group_of(P, &flat);
    o->can_lead = sweep_leads(P, G);
    o->follow = sweep_follow_any, o->rates = sweep_rates_any, o->puts = sweep_puts_any;
#ifndef LG_TANGENT
    if (P->m > SWEEP_M) return;
    for (size_t i = 0; i < sizeof sweep_sizes / sizeof *sweep_sizes; i++) {
        const sweep_size *s = &sweep_sizes[i];
        if (s->n == P->n) o->follow = s->follow, o->rates = s->rates, o->puts = s->puts;
    }
    for (size_t i = 0; i < sizeof sweep_shapes / sizeof *sweep_shapes; i++) {
        const sweep_shape *s = &sweep_shapes[i];
        if (s->n == P->n && s->group == G && s->flat == flat)
            o->follow = s->follow, o->rates = s->rates[P->m], o->puts = s->puts[P->m];
    }
#endif
}
