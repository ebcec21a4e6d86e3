/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a step of collocation, from the derivatives of its stages. Every stage is differentiated by itself,
 * once, with respect to its own numbers z_j = (g_j, p_j), multipliers lambda_j, controls, time and parameters x: its
 * rates k_j = (g_j', p_j') by D_j, L_j, E_j and, in the stage form, rho_j = A_j xi_j - b_j by R_j, 0, S_j. With
 *   dz_i = dz_0 + h sum_j a_ij dk_j,   dk_j = D_j dz_j + L_j dlambda_j + E_j dx,   R_i dz_i + S_i dx = 0,
 * what arrives, z^_1 = z_0 + h sum_j b_j k_j, depends on k_l by M_l, on rho_l by W_l and on z_l by F_l:
 *   M_l = h b_l + h sum_j F_j a_jl,   F_j = M_j D_j + W_j R_j,
 *   dz^_1 = dz_0 + sum_j F_j dz_0 + (M_j E_j + W_j S_j) dx.
 * The sweeps that solve the stages, transposed, solve this: each takes a term of a series for M and W to the next one.
 * Terms of W follow from M_j L_j = 0, as multipliers follow from their rows.
 *
 * The rows of M, W and F fill vectors. No row depends on another, nor the number of sweeps on the size of a vector. */
#include "integrators/collocation/instances.h"

#include "base/dense.h"
#include "integrators/engine/tangent.h"

/* The relative size of terms that are left out. */
#define SENSITIVITY_CLEAR 1e-16

typedef struct sensitivity {
    int s, q, m;             /* stages; numbers of z_j; rows of the stage form */
    int control_count, time; /* number of controls, which are before the time in a stage's inputs, parameters behind */
    int inputs, width;       /* number of a stage's inputs, and rounded up to whole passes */
    int vectors;             /* that hold the rows, a number for each of z^_1 */
    double *travel;          /* sum_l a_jl k_l of stage j, q numbers, stage after stage */
    double *partial;         /* (D, L, E; R, 0, S): (q + m) x width, stage after stage */
    double *size;            /* the sum of its entries' sizes at all stages; 0: an entry that is void */
    int *place, *end;        /* entries of D that are not void: their rows, column after column */
    double *entries;         /* these, stage after stage */
    double *inverse;         /* (R_j L_j)^-1: m x m, stage after stage */
    int *pivots;
    double *matrix;                     /* m x m */
    tangent_vector *M, *F, *W;          /* q, q and m vectors, stage after stage, vector after vector */
    tangent_vector *term;               /* of M */
    tangent_vector *rest, *undone;      /* M L that terms of W have not undone, row after row of the stage form */
    tangent_vector *of_state, *of_time; /* dz^_1/dz_0 less 1; with respect to h and t_0 */
    tangent_vector *of_control, *of_parameter; /* at each stage; at all of them */
} sensitivity;

static tangent_vector *sensitivity_vectors(lg_arena *a, int count)
{
    return (tangent_vector *)lg_borrow(a, sz(count) * sizeof(tangent_vector));
}

static int *sensitivity_indices(lg_arena *a, int count)
{
    return (int *)lg_borrow(a, sz(count) * sizeof(int));
}

static sensitivity sensitivity_carve(lg_arena *a, const lg_plan *P)
{
    sensitivity o;
    const int parameters = P->S->parameter_count;
    o.s = P->method.collocation_stages, o.q = P->element_size + P->n, o.m = stages_corrects(P) ? P->m : 0;
    o.control_count = P->S->callbacks.control_count, o.time = o.q + o.m + o.control_count;
    o.inputs = o.time + 1 + parameters;
    o.width = (o.inputs + LG_DIRECTIONS - 1) / LG_DIRECTIONS * LG_DIRECTIONS;
    o.vectors = (o.q + LG_TANGENT - 1) / LG_TANGENT;
    const int all = o.vectors * o.s;
    o.travel = lg_borrow_doubles(a, sz(o.s * o.q));
    o.partial = lg_borrow_doubles(a, sz(o.s * (o.q + o.m) * o.width));
    o.size = lg_borrow_doubles(a, sz((o.q + o.m) * o.width));
    o.place = sensitivity_indices(a, o.q * o.q), o.end = sensitivity_indices(a, o.q);
    o.pivots = sensitivity_indices(a, o.m);
    o.entries = lg_borrow_doubles(a, sz(o.s * o.q * o.q));
    o.inverse = lg_borrow_doubles(a, sz(o.s * o.m * o.m)), o.matrix = lg_borrow_doubles(a, sz(o.m * o.m));
    o.M = sensitivity_vectors(a, all * o.q), o.F = sensitivity_vectors(a, all * o.q);
    o.term = sensitivity_vectors(a, all * o.q), o.W = sensitivity_vectors(a, all * o.m);
    o.rest = sensitivity_vectors(a, all * o.m), o.undone = sensitivity_vectors(a, o.s * o.m);
    o.of_state = sensitivity_vectors(a, o.vectors * o.q), o.of_time = sensitivity_vectors(a, o.vectors * 2);
    o.of_control = sensitivity_vectors(a, all * o.control_count);
    o.of_parameter = sensitivity_vectors(a, o.vectors * parameters);
    return o;
}

static sensitivity sensitivity_of(const lg_workspace *w)
{
    lg_arena a = {(char *)w->dense, 0};
    return sensitivity_carve(&a, w->plan);
}

/* ---- the derivatives of stages ---- */

/* The derivative of output r of stage j with respect to its inputs. */
static double *sensitivity_row(const sensitivity *o, int j, int r)
{
    return o->partial + (j * (o->q + o->m) + r) * o->width;
}

/* sum_l a_jl k_l at all stages. */
KERNEL int sensitivity_travel(int s, const sensitivity *o, const lg_tableau *T, const double *rates)
{
    for (int i = 0; i < o->q; i++)
        for (int j = 0; j < s; j++) {
            double even = 0, odd = 0;
            for (int l = 0; l < s; l += 2) even += T->a[j * s + l] * rates[i * s + l];
            for (int l = 1; l < s; l += 2) odd += T->a[j * s + l] * rates[i * s + l];
            o->travel[j * o->q + i] = even + odd;
        }
    return 0;
}

/* The numbers of stage j become inputs. */
static void sensitivity_seed(lg_workspace *w, const lg_tangent_task *task, const sensitivity *o, int j)
{
    const lg_plan *P = w->plan;
    lg_stages *of = w->stages;
    lg_node *b = of->node[j];
    const int e = P->element_size;
    const double h = task->share * task->h, *travel = o->travel + j * o->q;
    b->t = tangent_input(task, task->t0 + task->before * task->h + h * w->instances->tableau.c[j], o->time);
    for (int i = 0; i < e; i++) b->g[i] = tangent_input(task, task->g[i] + h * travel[i], i);
    for (int i = 0; i < P->n; i++) b->p_tilde[i] = tangent_input(task, task->p[i] + h * travel[e + i], e + i);
    for (int i = 0; i < o->m; i++)
        of->rate[j * stages_numbers(P) + o->q + i] = tangent_input(task, task->z[(o->q + i) * o->s + j], o->q + i);
    for (int i = 0; of->steered && i < o->control_count; i++) {
        real *control = &of->controls[j * o->control_count + i];
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
    memcpy(sensitivity_row(o, j, r) + task->first, x.d, sizeof x.d);
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

/* Finds the entries that are not void. */
static void sensitivity_pack(const sensitivity *o)
{
    const int all = (o->q + o->m) * o->width;
    int count = 0;
    for (int i = 0; i < all; i += LG_TANGENT) {
        tangent_vector sum = {};
        for (int j = 0; j < o->s; j++) {
            const tangent_vector x = *(const tangent_vector *)(o->partial + j * all + i);
            sum += x < 0 ? -x : x;
        }
        *(tangent_vector *)(o->size + i) = sum;
    }
    for (int c = 0; c < o->q; c++) {
        for (int r = 0; r < o->q; r++)
            if (o->size[r * o->width + c] != 0) o->place[count++] = r;
        o->end[c] = count;
    }
    for (int j = 0; j < o->s; j++)
        for (int c = 0, k = 0; c < o->q; c++)
            for (; k < o->end[c]; k++) o->entries[j * count + k] = sensitivity_row(o, j, o->place[k])[c];
}

/* (R_j L_j)^-1. */
static int sensitivity_invert(lg_workspace *w, const sensitivity *o)
{
    for (int j = 0; j < o->s && o->m; j++) {
        for (int a = 0; a < o->m; a++)
            for (int b = 0; b < o->m; b++) {
                double sum = 0;
                for (int i = 0; i < o->q; i++)
                    sum += sensitivity_row(o, j, o->q + a)[i] * sensitivity_row(o, j, i)[o->q + b];
                o->matrix[a * o->m + b] = sum;
            }
        if (lg_lu_factor_loops(o->matrix, o->pivots, o->m) != LG_OK)
            return lg_workspace_fail_status(w, LG_ERROR_SINGULAR, "the rows of a stage");
        for (int b = 0; b < o->m; b++) {
            double *column = o->inverse + (j * o->m + b) * o->m; /* of the inverse: they are stored one by one */
            for (int a = 0; a < o->m; a++) column[a] = a == b;
            lg_lu_solve_loops(o->matrix, o->pivots, o->m, column);
        }
    }
    return 0;
}

/* ---- sweeps ---- */

/* F = M D, of terms of M too, at stages from number `first` on. */
KERNEL void sensitivity_push_some(int stages, const sensitivity *o, int first, const tangent_vector *M,
                                  tangent_vector *F)
{
    const int q = o->q, count = o->end[q - 1];
    const double *D = o->entries + first * count;
    M += first * q, F += first * q;
    for (int c = 0, k = 0; c < q; c++) {
        tangent_vector sum[4] = {};
        for (; k < o->end[c]; k++)
            for (int j = 0; j < stages; j++) sum[j] += D[j * count + k] * M[j * q + o->place[k]];
        for (int j = 0; j < stages; j++) F[j * q + c] = sum[j];
    }
}

static void sensitivity_push(const sensitivity *o, const tangent_vector *M, tangent_vector *F)
{
    int j = 0;
    for (; j + 4 <= o->s; j += 4) sensitivity_push_some(4, o, j, M, F);
    for (; j < o->s; j++) sensitivity_push_some(1, o, j, M, F);
}

/* sum_r x_r d_r at every stage: of column c of `rows` rows of the derivatives from row `from` on, and x of each stage.
 */
KERNEL void sensitivity_along(const sensitivity *o, int from, int rows, int c, const tangent_vector *x,
                              tangent_vector *sum)
{
    for (int r = 0; r < rows; r++) {
        if (o->size[(from + r) * o->width + c] == 0) continue;
        for (int j = 0; j < o->s; j++) sum[j] += sensitivity_row(o, j, from + r)[c] * x[j * rows + r];
    }
}

/* A term of W, which undoes M L: added to W, and W R to F. `weights` is a^-1 / h. */
static void sensitivity_react(const sensitivity *o, const double *weights, const tangent_vector *term,
                              tangent_vector *rest, tangent_vector *F, tangent_vector *W)
{
    const int s = o->s, q = o->q, m = o->m;
    tangent_vector *undone = o->undone;
    memset(undone, 0, sz(s * m) * sizeof *undone);
    for (int a = 0; a < m; a++) {
        sensitivity_along(o, 0, q, q + a, term, rest + a * s);
        sensitivity_along(o, 0, q, q + a, F, undone + a * s);
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++) undone[a * s + j] += weights[i * s + j] * rest[a * s + i];
    }
    for (int j = 0; j < s; j++)
        for (int b = 0; b < m; b++) {
            tangent_vector share = {};
            for (int a = 0; a < m; a++) share -= o->inverse[(j * m + b) * m + a] * undone[a * s + j];
            W[j * m + b] += share;
            for (int c = 0; c < q; c++) F[j * q + c] += sensitivity_row(o, j, q + b)[c] * share;
        }
}

KERNEL tangent_vector sensitivity_larger(const tangent_vector &a, const tangent_vector &x)
{
    const tangent_vector size = x < 0 ? -x : x;
    return size > a ? size : a;
}

/* What is known of the terms: the largest entry of each row of M, and of its last term. */
typedef struct sensitivity_sizes {
    tangent_vector M, term;
} sensitivity_sizes;

/* The next term, h sum_j F_j a_jl (`weights` is h a), is added to M. Its columns are compared in units of `unit` for
 * momenta, which begin with number e. */
KERNEL int sensitivity_spread(int s, const sensitivity *o, const double *weights, int e, double unit,
                              const tangent_vector *F, tangent_vector *term, tangent_vector *M,
                              sensitivity_sizes *sizes)
{
    const int q = o->q;
    sizes->M = sizes->term = tangent_vector{};
    for (int c = 0; c < q; c++) {
        const double scale = c < e ? 1 : unit;
        tangent_vector sum[LG_STAGES_MOST];
        for (int l = 0; l < s; l++) sum[l] = weights[l] * F[c];
        for (int j = 1; j < s; j++)
            for (int l = 0; l < s; l++) sum[l] += weights[j * s + l] * F[j * q + c];
        for (int l = 0; l < s; l++) {
            term[l * q + c] = sum[l];
            M[l * q + c] += sum[l];
            sizes->term = sensitivity_larger(sizes->term, scale * sum[l]);
            sizes->M = sensitivity_larger(sizes->M, scale * M[l * q + c]);
        }
    }
    return 0;
}

/* M = h b, the first term, of the rows of vector v. */
static void sensitivity_begin(const sensitivity *o, const lg_tableau *T, double h, int v)
{
    const int all = o->s * o->q;
    tangent_vector *M = o->M + v * all;
    memset(M, 0, sz(all) * sizeof *M);
    memset(o->W + v * o->s * o->m, 0, sz(o->s * o->m) * sizeof *M);
    memset(o->rest + v * o->s * o->m, 0, sz(o->s * o->m) * sizeof *M);
    for (int l = 0; l < o->s; l++)
        for (int k = 0; k < LG_TANGENT && v * LG_TANGENT + k < o->q; k++)
            M[l * o->q + v * LG_TANGENT + k][k] = h * T->b[l];
    memcpy(o->term + v * all, M, sz(all) * sizeof *M);
}

/* Sweeps once over the rows of vector v; *sizes tells of the term that it adds. */
static void sensitivity_sweep(lg_workspace *w, const sensitivity *o, double unit, int v, sensitivity_sizes *sizes)
{
    const lg_instances *I = w->instances;
    const int all = o->s * o->q, rows = o->s * o->m, e = w->plan->element_size;
    tangent_vector *F = o->F + v * all, *term = o->term + v * all, *M = o->M + v * all;
    sensitivity_push(o, term, F);
    if (o->m) sensitivity_react(o, I->inverse, term, o->rest + v * rows, F, o->W + v * rows);
    (void)INSTANCES_SIZED(o->s, sensitivity_spread, o, I->weights, e, unit, F, term, M, sizes);
}

/* The largest term, relative to M, of the rows of vector v. */
static double sensitivity_share(const sensitivity *o, const sensitivity_sizes *sizes, int v)
{
    double most = 0;
    for (int k = 0; k < LG_TANGENT && v * LG_TANGENT + k < o->q; k++)
        if (!(sizes->term[k] <= most * sizes->M[k])) most = sizes->term[k] / sizes->M[k];
    return most;
}

/* M and W. Changes of momenta are in such units that they move configurations in a step. */
static int sensitivity_solve(lg_workspace *w, const sensitivity *o)
{
    const lg_plan *P = w->plan;
    const double h = seconds(w->instances->length);
    double unit = 0, last = 0;
    for (int i = 0; i < P->n; i++)
        unit = fmax(unit, fabs(h * w->now->metric_inverse[P->diagonal ? i : i * (P->n + 1)].v));
    for (int v = 0; v < o->vectors; v++) sensitivity_begin(o, &w->instances->tableau, h, v);
    for (int k = 0; k < w->evaluations_max; k++) {
        double most = 0;
        for (int v = 0; v < o->vectors; v++) {
            sensitivity_sizes sizes;
            sensitivity_sweep(w, o, 1 / unit, v, &sizes);
            const double share = sensitivity_share(o, &sizes, v);
            if (!(share <= most)) most = share;
        }
        if (most * (k > 0 ? fmin(most / last, 1) : 1) <= SENSITIVITY_CLEAR) return 0;
        last = most;
    }
    return lg_workspace_fail_status(w, LG_ERROR_CONVERGENCE, "derivatives of stages");
}

/* ---- what arrives ---- */

/* What vector v of the rows has of stage 0. */
static tangent_vector *sensitivity_rows(const sensitivity *o, tangent_vector *x, int v, int count)
{
    return x + v * o->s * count;
}

/* M_j E_j + W_j S_j at every stage, for an input; of numbers of a state, F of M and W. */
static void sensitivity_direct(const sensitivity *o, int v, int input, tangent_vector *sum)
{
    memset(sum, 0, sz(o->s) * sizeof *sum);
    sensitivity_along(o, 0, o->q, input, sensitivity_rows(o, o->M, v, o->q), sum);
    sensitivity_along(o, o->q, o->m, input, sensitivity_rows(o, o->W, v, o->m), sum);
}

/* The derivatives of z^_1 with respect to z_0, less 1, and to h, but for what time does. */
static void sensitivity_arrive_state(const lg_tableau *T, const sensitivity *o, const double *rates, int v)
{
    const int s = o->s, q = o->q, V = o->vectors;
    tangent_vector stage[LG_STAGES_MOST], of_length = {};
    for (int k = 0; k < LG_TANGENT && v * LG_TANGENT + k < q; k++)
        of_length[k] = lg_dot(T->b, rates + (v * LG_TANGENT + k) * s, s);
    for (int c = 0; c < q; c++) {
        tangent_vector sum = {};
        sensitivity_direct(o, v, c, stage);
        for (int j = 0; j < s; j++) sum += stage[j], of_length += o->travel[j * q + c] * stage[j];
        o->of_state[c * V + v] = sum;
    }
    o->of_time[v] = of_length;
}

/* The derivatives of z^_1, of the rows of vector v. */
static void sensitivity_arrive(const lg_tableau *T, const sensitivity *o, const double *rates, int v)
{
    const int s = o->s, V = o->vectors, controls = o->control_count;
    tangent_vector stage[LG_STAGES_MOST];
    sensitivity_arrive_state(T, o, rates, v);
    for (int i = 0; i < controls; i++) {
        sensitivity_direct(o, v, o->q + o->m + i, stage);
        for (int j = 0; j < s; j++) o->of_control[(j * controls + i) * V + v] = stage[j];
    }
    for (int i = o->time; i < o->inputs; i++) {
        tangent_vector sum = {};
        sensitivity_direct(o, v, i, stage);
        for (int j = 0; j < s; j++) sum += stage[j];
        (i > o->time ? o->of_parameter + (i - o->time - 1) * V : o->of_time + V)[v] = sum;
        for (int j = 0; i == o->time && j < s; j++) o->of_time[v] += T->c[j] * stage[j];
    }
}

/* Before all passes: how the step depends on what it departs from and on its other inputs. The solved rates become
 * those of the workspace. */
static int sensitivity_prepare(lg_workspace *w, lg_tangent_task *task)
{
    const sensitivity o = sensitivity_of(w);
    lg_instances *I = w->instances;
    instances_set_length(I, splat(task->share * task->h));
    (void)INSTANCES_SIZED(o.s, sensitivity_travel, &o, &I->tableau, task->z);
    task->first_control = o.q + o.m, task->first_parameter = o.time + 1;
    for (task->first = 0; task->first < o.inputs; task->first += LG_DIRECTIONS)
        if (sensitivity_pass(w, task, &o)) return 1;
    I->moving = instances_moving(w);
    for (int i = 0; i < o.s * o.q; i++) I->memory[i] = splat(task->z[i]);
    sensitivity_pack(&o);
    if (sensitivity_invert(w, &o) || sensitivity_solve(w, &o)) return 1;
    for (int v = 0; v < o.vectors; v++) sensitivity_arrive(&I->tableau, &o, task->z, v);
    return 0;
}

/* dz^_1 += column dx, of numbers of the element and of the momentum. */
static void sensitivity_add(const lg_workspace *w, const tangent_vector *column, const real &x, lg_node *b)
{
    const int e = w->plan->element_size;
    const double *d = (const double *)column;
    for (int i = 0; i < e; i++) tangent_add(b->g[i], d[i], x);
    for (int i = 0; i < w->plan->n; i++) tangent_add(b->p_plus[i], d[e + i], x);
}

/* The derivatives of z^_1, whose values are at b, in this pass. */
static void sensitivity_apply(const lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    const sensitivity o = sensitivity_of(w);
    const int e = w->plan->element_size, V = o.vectors, c = o.control_count;
    const real *control = (const real *)w->lanes->wide_control, *param = (const real *)w->lanes->wide_param;
    for (int i = 0; i < e; i++) b->g[i] = tangent_of(b->g[i].v, a->g[i]);
    for (int i = 0; i < w->plan->n; i++) b->p_plus[i] = tangent_of(b->p_plus[i].v, a->p_tilde[i]);
    for (int i = 0; i < o.q; i++) sensitivity_add(w, o.of_state + i * V, i < e ? a->g[i] : a->p_tilde[i - e], b);
    for (int i = 0; i < o.s * c; i++)
        sensitivity_add(w, o.of_control + i * V, w->stages->steered ? w->stages->controls[i] : control[i % c], b);
    sensitivity_add(w, o.of_time, h, b);
    sensitivity_add(w, o.of_time + V, a->t, b);
    for (int i = 0; i < w->plan->S->parameter_count; i++) sensitivity_add(w, o.of_parameter + i * V, param[i], b);
}
