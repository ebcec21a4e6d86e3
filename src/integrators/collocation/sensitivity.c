/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a step of collocation, from the derivatives of its stages. Every stage is differentiated by itself,
 * once, with respect to its own numbers z_j = (g_j, p_j), multipliers lambda_j, controls, time and parameters x: its
 * rates k_j = (g_j', p_j') by D_j, L_j, E_j and, in the stage form, rho_j = A_j xi_j - b_j by R_j, 0, S_j. With
 *   dz_i = dz_0 + h sum_j a_ij dk_j,   dk_j = D_j dz_j + L_j dlambda_j + E_j dx,   R_i dz_i + S_i dx = 0,
 * what arrives, z^_1 = z_0 + h sum_j b_j k_j, depends on k_l by M_l, on rho_l by W_l and on z_l by F_l:
 *   M_l = h b_l + h sum_j F_j a_jl,   F_j = M_j D_j + W_j R_j,
 *   dz^_1 = dz_0 + sum_j F_j dz_0 + (M_j E_j + W_j S_j) dx.
 * The sweeps that solve the stages, transposed, solve this, row by row: each takes a term of a series for M and W to
 * the next one. Terms of W follow from M_j L_j = 0, as multipliers follow from their rows.
 *
 * A number of all stages fills vectors of S numbers, those behind the last stage are 0. */
#include "integrators/collocation/instances.h"

#include "base/dense.h"
#include "integrators/engine/tangent.h"

/* The size of terms that are left out, relative to the first one: they reach J times a step's length. */
#define SENSITIVITY_CLEAR 1e-15

typedef struct sensitivity {
    int s, S, q, m;           /* stages; their padded number; numbers of z_j; rows of the stage form */
    int controls, parameters; /* numbers of these, which follow z_j and multipliers as the inputs of a stage */
    int time, inputs;         /* where time follows if anything depends on it; number of inputs */
    double *travel, *whole;   /* h sum_l a_jl k_l, q x S; h sum_l b_l k_l, q */
    double *a, *inverse;      /* h a and a^-1 / h, s x S */
    double *b, *c;            /* h b and h c, S */
    double *partial;          /* (D, L, E; R, 0, S): (q + m) x inputs x S */
    int *place, *end;         /* its entries that are not 0 at all stages: their rows, column after column */
    uint64_t *rows;           /* the rows of each column, row r as bit r % 64 */
    double *solve;            /* (R_j L_j)^-1, m x m x S */
    double *matrix, *column;  /* m x m, m: of one stage */
    int *pivots;
    double *M, *term, *F;  /* rows of (M, W), of a term of it, (q + m) x S each; and of F, q x S */
    double *rest, *undone; /* rows of what terms of W have not undone of M L, and scratch, m x S */
    uint64_t *live;        /* per row, the columns in which the term is not 0, column c as bit c % 64 */
    double *of_state;      /* dz^_1/dz_0 less 1, column after column, q numbers each; further, with respect to */
    double *of_h, *of_t, *of_control, *of_parameter; /* h, t_0, controls stage by stage, parameters */
} sensitivity;

enum { SENSITIVITY_STEP = 8 }; /* numbers that a vector of every width divides */

/* Aligned, so that no vector crosses a line of the cache. */
static double *sensitivity_take(lg_arena *a, int count)
{
    lg_align(a);
    return lg_borrow_doubles(a, sz(count));
}

static sensitivity sensitivity_carve(lg_arena *a, const lg_plan *P)
{
    sensitivity o;
    const int s = P->method.collocation_stages, S = (s + SENSITIVITY_STEP - 1) / SENSITIVITY_STEP * SENSITIVITY_STEP;
    const int q = P->element_size + P->n, m = stages_corrects(P) ? P->m : 0;
    o.s = s, o.S = S, o.q = q, o.m = m;
    o.controls = P->S->callbacks.control_count, o.parameters = P->S->parameter_count;
    o.time = q + m + o.controls + o.parameters, o.inputs = o.time + P->S->callbacks.time_dependent;
    const int all = (q + m) * o.inputs;
    o.travel = sensitivity_take(a, q * S), o.whole = sensitivity_take(a, q);
    o.a = sensitivity_take(a, s * S), o.inverse = sensitivity_take(a, s * S);
    o.b = sensitivity_take(a, S), o.c = sensitivity_take(a, S);
    o.partial = sensitivity_take(a, all * S);
    o.place = (int *)lg_borrow(a, sz(all) * sizeof(int)), o.end = (int *)lg_borrow(a, sz(o.inputs) * sizeof(int));
    o.rows = (uint64_t *)lg_borrow(a, sz(o.inputs) * sizeof(uint64_t));
    o.solve = sensitivity_take(a, m * m * S), o.matrix = sensitivity_take(a, m * m);
    o.column = sensitivity_take(a, m), o.pivots = (int *)lg_borrow(a, sz(m) * sizeof(int));
    o.M = sensitivity_take(a, q * (q + m) * S), o.term = sensitivity_take(a, q * (q + m) * S);
    o.F = sensitivity_take(a, q * q * S);
    o.rest = sensitivity_take(a, q * m * S), o.undone = sensitivity_take(a, m * S);
    o.live = (uint64_t *)lg_borrow(a, sz(q) * sizeof(uint64_t));
    o.of_state = sensitivity_take(a, q * q), o.of_h = sensitivity_take(a, q), o.of_t = sensitivity_take(a, q);
    o.of_control = sensitivity_take(a, s * o.controls * q), o.of_parameter = sensitivity_take(a, o.parameters * q);
    return o;
}

static size_t sensitivity_bytes(const lg_plan *P)
{
    lg_arena a = {NULL, 0};
    (void)sensitivity_carve(&a, P);
    return a.used + LG_ALIGN;
}

static sensitivity sensitivity_of(const lg_workspace *w)
{
    lg_arena a = {(char *)lg_aligned((size_t)w->dense), 0};
    return sensitivity_carve(&a, w->plan);
}

/* ---- the derivatives of stages ---- */

/* The derivative of output r with respect to an input, at all stages. */
static double *sensitivity_entry(const sensitivity *o, int r, int input)
{
    return o->partial + (r * o->inputs + input) * o->S;
}

/* sum_l x_l y_l, even and odd ones by themselves. */
TANGENT_KERNEL double sensitivity_sum(int s, const double *x, const double *y)
{
    double even = 0, odd = 0;
    for (int l = 0; l < s; l += 2) even += x[l] * y[l];
    for (int l = 1; l < s; l += 2) odd += x[l] * y[l];
    return even + odd;
}

/* travel and whole. */
TANGENT_KERNEL int sensitivity_travel(int s, const sensitivity *o, const lg_tableau *T, double h, const double *rates)
{
    for (int i = 0; i < o->q; i++) {
        double *travel = o->travel + i * o->S;
        for (int j = 0; j < s; j++) travel[j] = h * sensitivity_sum(s, T->a + j * s, rates + i * s);
        o->whole[i] = h * sensitivity_sum(s, T->b, rates + i * s);
    }
    return 0;
}

/* What depends on the solved step alone. */
static void sensitivity_begin(const lg_workspace *w, const sensitivity *o, const lg_tangent_task *task)
{
    const lg_instances *I = w->instances;
    const lg_tableau *T = &I->tableau;
    const int s = o->s, S = o->S;
    const double h = task->share * task->h;
    memset(o->travel, 0, sz(o->q * S) * sizeof *o->travel);
    memset(o->a, 0, sz(s * S) * sizeof *o->a), memset(o->inverse, 0, sz(s * S) * sizeof *o->inverse);
    memset(o->b, 0, sz(S) * sizeof *o->b), memset(o->c, 0, sz(S) * sizeof *o->c);
    memset(o->partial, 0, sz((o->q + o->m) * o->inputs * S) * sizeof *o->partial);
    for (int j = 0; j < s; j++) {
        memcpy(o->a + j * S, I->weights + j * s, sz(s) * sizeof *o->a);
        memcpy(o->inverse + j * S, I->inverse + j * s, sz(s) * sizeof *o->inverse);
        o->b[j] = h * T->b[j], o->c[j] = h * T->c[j];
    }
    (void)INSTANCES_SIZED(s, sensitivity_travel, o, T, h, task->z);
}

/* The numbers of stage j become inputs. */
static void sensitivity_seed(lg_workspace *w, const lg_tangent_task *task, const sensitivity *o, int j)
{
    const lg_plan *P = w->plan;
    lg_stages *of = w->stages;
    lg_node *b = of->node[j];
    const int e = P->element_size;
    const double *travel = o->travel + j, h = task->share * task->h;
    b->t = tangent_input(task, task->t0 + task->before * task->h + h * w->instances->tableau.c[j], o->time);
    for (int i = 0; i < e; i++) b->g[i] = tangent_input(task, task->g[i] + travel[i * o->S], i);
    for (int i = 0; i < P->n; i++) b->p_tilde[i] = tangent_input(task, task->p[i] + travel[(e + i) * o->S], e + i);
    for (int i = 0; i < o->m; i++)
        of->rate[j * stages_numbers(P) + o->q + i] = tangent_input(task, task->z[(o->q + i) * o->s + j], o->q + i);
    for (int i = 0; of->steered && i < o->controls; i++) {
        real *control = &of->controls[j * o->controls + i];
        *control = tangent_input(task, control->v, o->q + o->m + i);
    }
}

/* rho of stage j. */
static int sensitivity_miss(lg_workspace *w, int j)
{
    const lg_plan *P = w->plan;
    lg_stages *of = w->stages;
    lg_node *b = of->node[j];
    const int m = P->m, n = P->n;
    if (sweep_prepare(m, n, w, b, of->raised, of->gram)) return 1;
    sweep_miss(m, n, of->raised, b->p_tilde, P->sides ? b->right_side : NULL, of->residual + j * m);
    return 0;
}

static void sensitivity_store(const sensitivity *o, const lg_tangent_task *task, int j, int r, const real &x)
{
    double *to = sensitivity_entry(o, r, task->first) + j;
    for (int d = 0; d < LG_DIRECTIONS && task->first + d < o->inputs; d++) to[d * o->S] = tangent_get(x, d);
}

/* The derivatives of all stages along the inputs from task->first on. */
static int sensitivity_pass(lg_workspace *w, const lg_tangent_task *task, const sensitivity *o)
{
    const lg_plan *P = w->plan;
    lg_stages *of = w->stages;
    const int numbers = stages_numbers(P);
    tangent_values(w, task);
    tangent_constants_vary(w, task);
    fields_begin(w);
    for (int j = 0; j < o->s; j++) sensitivity_seed(w, task, o, j);
    if (P->m && P->constant_rows && P->constant_metric && LG_SIZED(P->m, P->n, sweep_gram, w, of->node[0])) return 1;
    of->leads = 1; /* rates evaluate fields */
    if (of->rates(w)) return 1;
    for (int j = 0; j < o->s; j++) {
        for (int r = 0; r < o->q; r++) sensitivity_store(o, task, j, r, of->rate[j * numbers + r]);
        if (o->m && sensitivity_miss(w, j)) return 1;
        for (int r = 0; r < o->m; r++) sensitivity_store(o, task, j, o->q + r, of->residual[j * o->m + r]);
    }
    return 0;
}

/* Finds the entries that are not 0 at all stages. */
static void sensitivity_pack(const sensitivity *o)
{
    int count = 0;
    for (int c = 0; c < o->inputs; c++) {
        o->rows[c] = 0;
        for (int r = 0; r < o->q + o->m; r++) {
            const double *x = sensitivity_entry(o, r, c);
            int j = 0;
            while (j < o->s && x[j] == 0) j++;
            if (j == o->s) continue;
            o->rows[c] |= (uint64_t)1 << r % 64;
            o->place[count++] = r;
        }
        o->end[c] = count;
    }
}

/* (R_j L_j)^-1. */
static int sensitivity_invert(lg_workspace *w, const sensitivity *o)
{
    const int q = o->q, m = o->m, S = o->S;
    if (m) memset(o->solve, 0, sz(m * m * S) * sizeof *o->solve);
    for (int j = 0; j < o->s && m; j++) {
        for (int i = 0; i < m * m; i++) {
            double sum = 0;
            for (int r = 0; r < q; r++)
                sum += sensitivity_entry(o, q + i / m, r)[j] * sensitivity_entry(o, r, q + i % m)[j];
            o->matrix[i] = sum;
        }
        if (lg_lu_factor_loops(o->matrix, o->pivots, m) != LG_OK)
            return lg_workspace_fail_status(w, LG_ERROR_SINGULAR, "the rows of a stage");
        for (int b = 0; b < m; b++) {
            for (int a = 0; a < m; a++) o->column[a] = a == b;
            lg_lu_solve_loops(o->matrix, o->pivots, m, o->column);
            for (int a = 0; a < m; a++) o->solve[(a * m + b) * S + j] = o->column[a];
        }
    }
    return 0;
}

/* ---- sweeps ---- */

enum { SENSITIVITY_VECTORS = LG_STAGES_MOST / LG_TANGENT };

typedef int64_t sensitivity_bits __attribute__((vector_size(8 * LG_TANGENT)));

/* A number of all stages, in V vectors. */
TANGENT_KERNEL void sensitivity_read(int V, tangent_vector *x, const double *from)
{
    for (int v = 0; v < V; v++) x[v] = *(const tangent_vector *)(from + v * LG_TANGENT);
}
TANGENT_KERNEL void sensitivity_write(int V, double *to, const tangent_vector *x)
{
    for (int v = 0; v < V; v++) *(tangent_vector *)(to + v * LG_TANGENT) = x[v];
}
/* to += x. */
TANGENT_KERNEL void sensitivity_add_to(int V, double *to, const tangent_vector *x)
{
    for (int v = 0; v < V; v++) *(tangent_vector *)(to + v * LG_TANGENT) += x[v];
}
/* x += a b. */
TANGENT_KERNEL void sensitivity_gain(int V, tangent_vector *x, const double *a, const double *b)
{
    for (int v = 0; v < V; v++)
        x[v] += *(const tangent_vector *)(a + v * LG_TANGENT) * *(const tangent_vector *)(b + v * LG_TANGENT);
}

/* x += sum_r X_r D_rc at each stage, of a column c of the derivatives of the stages. */
TANGENT_KERNEL void sensitivity_along(int V, const sensitivity *o, const double *X, int c, tangent_vector *x)
{
    const int S = V * LG_TANGENT;
    for (int k = c ? o->end[c - 1] : 0; k < o->end[c]; k++)
        sensitivity_gain(V, x, o->partial + (o->place[k] * o->inputs + c) * S, X + o->place[k] * S);
}

/* x_l += sum_j y_j matrix_jl. */
TANGENT_KERNEL void sensitivity_spread(int s, int V, const double *matrix, const double *y, tangent_vector *x)
{
    for (int j = 0; j < s; j++)
        for (int v = 0; v < V; v++) x[v] += y[j] * *(const tangent_vector *)(matrix + (j * V + v) * LG_TANGENT);
}

/* Of row r: the term of W, which undoes M L, is added to W and becomes part of the term. */
TANGENT_KERNEL void sensitivity_react(int s, int V, const sensitivity *o, int r)
{
    const int q = o->q, m = o->m, S = V * LG_TANGENT;
    double *term = o->term + r * (q + m) * S, *W = o->M + (r * (q + m) + q) * S, *rest = o->rest + r * m * S;
    for (int a = 0; a < m; a++) {
        tangent_vector x[SENSITIVITY_VECTORS] = {};
        sensitivity_along(V, o, term, q + a, x);
        sensitivity_add_to(V, rest + a * S, x);
        for (int v = 0; v < V; v++) x[v] = tangent_vector{};
        sensitivity_along(V, o, o->F + r * q * S, q + a, x);
        sensitivity_spread(s, V, o->inverse, rest + a * S, x);
        for (int v = 0; v < V; v++) x[v] = -x[v];
        sensitivity_write(V, o->undone + a * S, x);
    }
    for (int b = 0; b < m; b++) {
        tangent_vector x[SENSITIVITY_VECTORS] = {};
        for (int a = 0; a < m; a++) sensitivity_gain(V, x, o->solve + (a * m + b) * S, o->undone + a * S);
        sensitivity_write(V, term + (q + b) * S, x);
        sensitivity_add_to(V, W + b * S, x);
    }
}

/* F of the terms of `rows` rows from row r on, of the columns that depend on those of `live`. */
TANGENT_KERNEL void sensitivity_push(int rows, int V, const sensitivity *o, int r, uint64_t live)
{
    const int q = o->q, S = V * LG_TANGENT, size = (q + o->m) * S;
    const double *term = o->term + r * size;
    for (int c = 0; c < q; c++) {
        tangent_vector x[2 * SENSITIVITY_VECTORS] = {};
        if (!o->m && !(live & o->rows[c])) continue;
        for (int k = c ? o->end[c - 1] : 0; k < o->end[c]; k++) {
            const double *D = o->partial + (o->place[k] * o->inputs + c) * S;
            for (int i = 0; i < rows; i++) sensitivity_gain(V, x + i * V, D, term + i * size + o->place[k] * S);
        }
        for (int i = 0; i < rows; i++) sensitivity_write(V, o->F + ((r + i) * q + c) * S, x + i * V);
    }
}

/* The next term of row r, which is added to M. *most: its largest entries; columns of momenta, which begin with number
 * e, are compared in units of `unit`. */
TANGENT_KERNEL void sensitivity_advance(int s, int V, const sensitivity *o, int r, int e, double unit, uint64_t live,
                                        tangent_vector *most)
{
    const int q = o->q, S = V * LG_TANGENT;
    double *term = o->term + r * (q + o->m) * S, *M = o->M + r * (q + o->m) * S;
    o->live[r] = 0;
    for (int c = 0; c < q; c++) {
        tangent_vector x[SENSITIVITY_VECTORS] = {};
        if (live & o->rows[c]) {
            o->live[r] |= (uint64_t)1 << c % 64;
            sensitivity_spread(s, V, o->a, o->F + (r * q + c) * S, x);
            sensitivity_add_to(V, M + c * S, x);
            for (int v = 0; v < V; v++) {
                const tangent_vector size = (tangent_vector)((sensitivity_bits)x[v] & INT64_MAX) * (c < e ? 1 : unit);
                *most = size > *most ? size : *most;
            }
        }
        sensitivity_write(V, term + c * S, x);
    }
    if (o->m) memset(term + q * S, 0, sz(o->m * S) * sizeof *term);
}

/* Sweeps over `rows` rows, one or two. */
TANGENT_KERNEL void sensitivity_sweep_rows(int rows, int s, int V, const sensitivity *o, int r, int e, double unit,
                                           tangent_vector *most)
{
    uint64_t live = o->live[r] | o->live[r + rows - 1];
    sensitivity_push(rows, V, o, r, live);
    if (o->m) {
        live = ~(uint64_t)0;
        for (int i = 0; i < rows; i++) sensitivity_react(s, V, o, r + i);
        sensitivity_push(rows, V, o, r, live);
    }
    for (int i = 0; i < rows; i++) {
        tangent_vector largest = {};
        sensitivity_advance(s, V, o, r + i, e, unit, live, &largest);
        largest *= r + i < e ? 1 : 1 / unit;
        *most = largest > *most ? largest : *most;
    }
}

/* Sweeps once. Returns the largest entry of the terms; rows, too, are compared in these units. */
TANGENT_KERNEL double sensitivity_sweep(int s, int V, const sensitivity *o, int e, double unit)
{
    tangent_vector most = {};
    int r = 0;
    for (; r + 2 <= o->q; r += 2) sensitivity_sweep_rows(2, s, V, o, r, e, unit, &most);
    if (r < o->q) sensitivity_sweep_rows(1, s, V, o, r, e, unit, &most);
    double largest = 0;
    for (int k = 0; k < LG_TANGENT; k++)
        if (!(most[k] <= largest)) largest = most[k];
    return largest;
}

/* F(s, V, ...), unrolled for the usual number of stages. */
#define SENSITIVITY_SIZED(o, F, ...)                                                                                   \
    ((o)->s == LG_STAGES_USUAL ? F(LG_STAGES_USUAL, SENSITIVITY_STEP / LG_TANGENT, __VA_ARGS__)                        \
                               : F((o)->s, (o)->S / LG_TANGENT, __VA_ARGS__))

/* M and W. Momenta are in such units that they move configurations in a step; terms are compared with the first one. */
static int sensitivity_solve(lg_workspace *w, const sensitivity *o)
{
    const lg_plan *P = w->plan;
    const int q = o->q, rows = q + o->m, S = o->S;
    const double h = seconds(w->instances->length);
    double first = 0, last = 0, unit = 0;
    for (int l = 0; l < o->s; l++) first = fmax(first, fabs(o->b[l]));
    for (int i = 0; i < P->n; i++)
        unit = fmax(unit, fabs(h * w->stages->node[0]->metric_inverse[P->diagonal ? i : i * (P->n + 1)].v));
    memset(o->M, 0, sz(q * rows * S) * sizeof *o->M);
    for (int r = 0; r < q; r++) memcpy(o->M + (r * rows + r) * S, o->b, sz(S) * sizeof *o->M);
    memcpy(o->term, o->M, sz(q * rows * S) * sizeof *o->M);
    if (o->m) memset(o->rest, 0, sz(q * o->m * S) * sizeof *o->rest);
    for (int r = 0; r < q; r++) o->live[r] = (uint64_t)1 << r % 64;
    for (int k = 0; k < w->evaluations_max; k++) {
        const double most = SENSITIVITY_SIZED(o, sensitivity_sweep, o, P->element_size, 1 / unit) / first;
        if (most * (k > 0 ? fmin(most / last, 1) : 1) <= SENSITIVITY_CLEAR) return 0;
        last = most;
    }
    return lg_workspace_fail_status(w, LG_ERROR_CONVERGENCE, "derivatives of stages");
}

/* ---- what arrives ---- */

/* The sum over all stages, by halves. */
TANGENT_KERNEL double sensitivity_total(int V, const tangent_vector *x)
{
    double sum[LG_STAGES_MOST] = {};
    sensitivity_write(V, sum, x);
    for (int half = V * LG_TANGENT / 2; half; half /= 2)
        for (int k = 0; k < half; k++) sum[k] += sum[k + half];
    return sum[0];
}

/* Row r of the derivatives of z^_1 with respect to input c. of_h += what it adds to those with respect to h. */
TANGENT_KERNEL void sensitivity_arrive_by(int s, int V, const sensitivity *o, int r, int c, tangent_vector *of_h)
{
    const int S = V * LG_TANGENT, q = o->q, control = c - q - o->m, parameter = control - o->controls;
    tangent_vector x[SENSITIVITY_VECTORS] = {};
    double stage[LG_STAGES_MOST];
    sensitivity_along(V, o, o->M + r * (q + o->m) * S, c, x);
    sensitivity_write(V, stage, x);
    if (c < q || c == o->time) sensitivity_gain(V, of_h, stage, c < q ? o->travel + c * S : o->c);
    if (c < q)
        o->of_state[c * q + r] = sensitivity_total(V, x);
    else if (c == o->time)
        o->of_t[r] = sensitivity_total(V, x);
    else if (parameter >= 0)
        o->of_parameter[parameter * q + r] = sensitivity_total(V, x);
    else
        for (int j = 0; j < s; j++) o->of_control[(j * o->controls + control) * q + r] = stage[j];
}

TANGENT_KERNEL int sensitivity_arrive(int s, int V, const sensitivity *o, double h, int r)
{
    tangent_vector of_h[SENSITIVITY_VECTORS] = {};
    o->of_t[r] = 0;
    for (int c = 0; c < o->q; c++) sensitivity_arrive_by(s, V, o, r, c, of_h);
    for (int c = o->q + o->m; c < o->inputs; c++) sensitivity_arrive_by(s, V, o, r, c, of_h);
    o->of_h[r] = (sensitivity_total(V, of_h) + o->whole[r]) / h;
    return 0;
}

/* Before all passes: how the step depends on what it departs from and on its other inputs. */
static int sensitivity_prepare(lg_workspace *w, lg_tangent_task *task)
{
    const sensitivity o = sensitivity_of(w);
    const double h = task->share * task->h;
    instances_set_length(w->instances, splat(h));
    sensitivity_begin(w, &o, task);
    task->first_control = o.q + o.m, task->first_parameter = o.q + o.m + o.controls;
    for (task->first = 0; task->first < o.inputs; task->first += LG_DIRECTIONS)
        if (sensitivity_pass(w, task, &o)) return 1;
    w->instances->moving = instances_moving(w);
    sensitivity_pack(&o);
    if (sensitivity_invert(w, &o) || sensitivity_solve(w, &o)) return 1;
    for (int r = 0; r < o.q; r++) (void)SENSITIVITY_SIZED(&o, sensitivity_arrive, &o, h, r);
    return 0;
}

/* dz^_1 += column dx, of numbers of the element and of the momentum. */
static void sensitivity_add(const lg_workspace *w, const double *column, const real &x, lg_node *b)
{
    const int e = w->plan->element_size;
    for (int i = 0; i < e; i++) tangent_add(b->g[i], column[i], x);
    for (int i = 0; i < w->plan->n; i++) tangent_add(b->p_plus[i], column[e + i], x);
}

/* z^_1 at b, in this pass. */
static void sensitivity_apply(const lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    const sensitivity o = sensitivity_of(w);
    const int e = w->plan->element_size, q = o.q, c = o.controls;
    const real *control = (const real *)w->lanes->wide_control, *param = (const real *)w->lanes->wide_param;
    for (int i = 0; i < e; i++) b->g[i] = tangent_of(a->g[i].v + o.whole[i], a->g[i]);
    for (int i = 0; i < w->plan->n; i++) b->p_plus[i] = tangent_of(a->p_tilde[i].v + o.whole[e + i], a->p_tilde[i]);
    for (int i = 0; i < q; i++) sensitivity_add(w, o.of_state + i * q, i < e ? a->g[i] : a->p_tilde[i - e], b);
    for (int i = 0; i < o.s * c; i++)
        sensitivity_add(w, o.of_control + i * q, w->stages->steered ? w->stages->controls[i] : control[i % c], b);
    sensitivity_add(w, o.of_h, h, b), sensitivity_add(w, o.of_t, a->t, b);
    for (int i = 0; i < w->plan->S->parameter_count; i++) sensitivity_add(w, o.of_parameter + i * q, param[i], b);
}
