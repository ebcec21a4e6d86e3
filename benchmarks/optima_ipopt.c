/* SPDX-License-Identifier: BSD-3-Clause */
/* IPOPT on the steps of the library: multiple shooting. Variables are the controls of every step, and of every node
 * between start and target the coordinates eta of g = base exp(eta) and those of the momentum; conditions are
 * log(g_{k+1}^-1 step(g_k, p_k, u_k)) = 0 and the difference of momenta = 0. First derivatives are those of
 * lg_linearisation_step(), second ones IPOPT's own approximation (limited memory). */
#include "benchmarks/optima.h"

#include <IpStdCInterface.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/support.h"

enum { SQUARE = OPTIMA_MOST * OPTIMA_MOST, WIDE = 4 * OPTIMA_MOST };

struct optima_ipopt {
    const optima_problem *problem;
    const lg_group *G;
    lg_integrator *it;
    lg_linearisation *lin;
    int steps, n, element, state, controls, stride; /* stride: variables of a step */
    double h, *base, *x, *low, *high, *J, start_p[OPTIMA_MOST];
    double stepping;
    int iterations;
};

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "bench_optima: IPOPT: %s: %s\n", what, why);
    exit(2);
}

static double *numbers(int count)
{
    double *a = calloc((size_t)count, sizeof *a);
    if (!a) fail("memory", "there is none");
    return a;
}

/* ---- nodes and steps ---- */

/* The coordinates of node k, 0 < k < steps; the controls of step k are at k stride. */
static int node_at(const optima_ipopt *o, int k)
{
    return k * o->stride - o->state;
}

static int node(const optima_ipopt *o, const double *x, int k, double *g, double *p)
{
    const double *base = o->base + k * o->element;
    if (k == 0 || k == o->steps) {
        memcpy(g, base, (size_t)o->element * sizeof *g);
        memcpy(p, k == 0 ? o->start_p : o->problem->given->target_p, (size_t)o->n * sizeof *p);
        return 1;
    }
    const double *eta = x + node_at(o, k), *y = eta + o->n;
    const int m = o->problem->momenta;
    double turn[OPTIMA_MOST];
    for (int i = 0; i < o->n; i++) {
        p[i] = o->problem->span ? 0 : y[i];
        for (int j = 0; o->problem->span && j < m; j++) p[i] += o->problem->span[i * m + j] * y[j];
    }
    return lg_group_exp(o->G, turn, eta) == LG_OK && lg_group_compose(o->G, g, base, turn) == LG_OK;
}

/* The step from node k, with derivatives in `lin` or without. */
static int step(optima_ipopt *o, const double *x, int k, int derivatives)
{
    double g[OPTIMA_MOST], p[OPTIMA_MOST];
    if (!node(o, x, k, g, p)) return 0;
    const double begin = bench_clock();
    lg_status st = lg_integrator_start_momentum(o->it, k * o->h, g, p);
    if (st == LG_OK) st = lg_integrator_set_control(o->it, x + k * o->stride);
    if (st == LG_OK) st = derivatives ? lg_linearisation_step(o->lin, o->it) : lg_integrator_step(o->it);
    o->stepping += bench_clock() - begin;
    return st == LG_OK;
}

/* The defect of the step that was made from node k: log(g_{k+1}^-1 step) and the kept momenta. */
static int defect(const optima_ipopt *o, const double *x, int k, double *d)
{
    double g[OPTIMA_MOST], p[OPTIMA_MOST], back[OPTIMA_MOST], W[OPTIMA_MOST];
    if (!node(o, x, k + 1, g, p) || lg_group_inverse(o->G, back, g) != LG_OK ||
        lg_group_compose(o->G, W, back, lg_integrator_configuration(o->it)) != LG_OK ||
        lg_group_log(o->G, d, W) != LG_OK)
        return 0;
    for (int i = 0; i < o->problem->momenta; i++) {
        const int r = o->problem->kept[i];
        d[o->n + i] = lg_integrator_momentum(o->it)[r] - p[r];
    }
    return 1;
}

/* ---- IPOPT's callbacks ---- */

static double weight(const optima_ipopt *o, int i, int j)
{
    const double *R = o->problem->given->effort;
    return o->h * (R ? R[i * o->controls + j] : i == j);
}

static Bool cost(Index n, Number *x, Bool new_x, Number *value, UserDataPtr data)
{
    const optima_ipopt *o = data;
    (void)n, (void)new_x;
    *value = 0;
    for (int k = 0; k < o->steps; k++)
        for (int i = 0; i < o->controls; i++)
            for (int j = 0; j < o->controls; j++)
                *value += 0.5 * weight(o, i, j) * x[k * o->stride + i] * x[k * o->stride + j];
    return TRUE;
}

static Bool gradient(Index n, Number *x, Bool new_x, Number *out, UserDataPtr data)
{
    const optima_ipopt *o = data;
    (void)new_x;
    memset(out, 0, (size_t)n * sizeof *out);
    for (int k = 0; k < o->steps; k++)
        for (int i = 0; i < o->controls; i++)
            for (int j = 0; j < o->controls; j++) out[k * o->stride + i] += weight(o, i, j) * x[k * o->stride + j];
    return TRUE;
}

static Bool conditions(Index n, Number *x, Bool new_x, Index m, Number *out, UserDataPtr data)
{
    optima_ipopt *o = data;
    (void)n, (void)new_x, (void)m;
    for (int k = 0; k < o->steps; k++)
        if (!step(o, x, k, 0) || !defect(o, x, k, out + k * o->state)) return FALSE;
    return TRUE;
}

/* out = A B, n x n times n x columns, where row r of B begins at r ldb. */
static void times(int n, int columns, int ldb, double *out, const double *A, const double *B)
{
    for (int r = 0; r < n; r++)
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int l = 0; l < n; l++) sum += A[r * n + l] * B[l * ldb + j];
            out[r * columns + j] = sum;
        }
}

/* The derivative of a node's body variation with respect to eta: dtau of -eta, since dtau is right-trivialised. */
static int turned(const optima_ipopt *o, const double *xi, double sign, int inverse, double *M)
{
    double v[OPTIMA_MOST];
    for (int i = 0; i < o->n; i++) v[i] = sign * xi[i];
    return (inverse ? lg_retraction_dtau_inv : lg_retraction_dtau)(lg_retraction_exp(), o->G, M, v) == LG_OK;
}

/* D = the derivative of step k's end, in the coordinates of the defect d, with respect to (eta, y, u). */
static int stage(optima_ipopt *o, const double *x, int k, const double *d, double *D)
{
    const int n = o->n, columns = lg_linearisation_columns(o->lin), m = o->problem->momenta, w = o->state + o->controls;
    double left[SQUARE], chart[SQUARE], rows[WIDE * WIDE];
    if (lg_linearisation_jacobian(o->lin, o->J) != LG_OK || !turned(o, d, -1, 1, left)) return 0;
    times(n, columns, columns, rows, left, o->J);
    for (int i = 0; i < m; i++)
        memcpy(rows + (n + i) * columns, o->J + (n + o->problem->kept[i]) * columns, (size_t)columns * sizeof *rows);
    if (k > 0 && !turned(o, x + node_at(o, k), -1, 0, chart)) return 0;
    for (int r = 0; r < o->state; r++) {
        const double *from = rows + r * columns;
        for (int j = 0; j < n; j++) {
            D[r * w + j] = 0;
            for (int l = 0; k > 0 && l < n; l++) D[r * w + j] += from[l] * chart[l * n + j];
        }
        for (int j = 0; j < m; j++) {
            D[r * w + n + j] = o->problem->span ? 0 : from[n + j];
            for (int l = 0; o->problem->span && l < n; l++)
                D[r * w + n + j] += from[n + l] * o->problem->span[l * m + j];
        }
        for (int j = 0; j < o->controls; j++) D[r * w + o->state + j] = from[2 * n + j];
    }
    return 1;
}

/* N = the derivative of the defect's rows of the configuration with respect to eta of the node that is reached. */
static int reached(const optima_ipopt *o, const double *x, int k, const double *d, double *N)
{
    double right[SQUARE], chart[SQUARE];
    if (!turned(o, d, 1, 1, right) || !turned(o, x + node_at(o, k), -1, 0, chart)) return 0;
    times(o->n, o->n, o->n, N, right, chart);
    return 1;
}

/* Visits the entries of the Jacobian in one order: their places, or their values where these are wanted. */
static Bool jacobian(Index n, Number *x, Bool new_x, Index m, Index count, Index *row, Index *column, Number *values,
                     UserDataPtr data)
{
    optima_ipopt *o = data;
    const int w = o->state + o->controls;
    double d[2 * OPTIMA_MOST], D[WIDE * WIDE] = {0}, N[SQUARE] = {0};
    int at = 0;
    (void)n, (void)new_x, (void)m;
    for (int k = 0; k < o->steps; k++) {
        if (values && (!step(o, x, k, 1) || !defect(o, x, k, d) || !stage(o, x, k, d, D))) return FALSE;
        if (values && k + 1 < o->steps && !reached(o, x, k + 1, d, N)) return FALSE;
        for (int r = 0; r < o->state; r++) {
            for (int j = k > 0 ? 0 : o->state; j < w; j++, at++) {
                if (values) values[at] = D[r * w + j];
                if (!values) row[at] = k * o->state + r, column[at] = k * o->stride - o->state + j;
            }
            const int first = r < o->n ? 0 : r, last = r < o->n ? o->n : r + 1;
            for (int j = first; k + 1 < o->steps && j < last; j++, at++) {
                if (values) values[at] = r < o->n ? -N[r * o->n + j] : -1;
                if (!values) row[at] = k * o->state + r, column[at] = node_at(o, k + 1) + j;
            }
        }
    }
    return at == count;
}

static Bool no_curvature(Index n, Number *x, Bool new_x, Number factor, Index m, Number *lambda, Bool new_lambda,
                         Index count, Index *row, Index *column, Number *values, UserDataPtr data)
{
    (void)n, (void)x, (void)new_x, (void)factor, (void)m, (void)lambda, (void)new_lambda, (void)count, (void)row;
    (void)column, (void)values, (void)data;
    return FALSE;
}

static Bool count_iterations(Index mode, Index iteration, Number value, Number primal, Number dual, Number mu,
                             Number length, Number regularisation, Number alpha_dual, Number alpha_primal, Index trials,
                             UserDataPtr data)
{
    (void)mode, (void)value, (void)primal, (void)dual, (void)mu, (void)length, (void)regularisation, (void)alpha_dual;
    (void)alpha_primal, (void)trials;
    ((optima_ipopt *)data)->iterations = iteration;
    return TRUE;
}

/* ---- the peer ---- */

optima_ipopt *optima_ipopt_create(const optima_problem *problem)
{
    const lg_optimum_problem *p = problem->given;
    optima_ipopt *o = calloc(1, sizeof *o);
    if (!o) fail(problem->name, "no memory");
    o->problem = problem, o->G = p->system->group, o->steps = p->steps, o->h = p->time / p->steps;
    o->n = lg_group_dim(o->G), o->element = lg_group_element_size(o->G);
    o->controls = p->system->callbacks.control_count, o->state = o->n + problem->momenta;
    o->stride = o->state + o->controls;
    if (lg_integrator_create(&o->it, p->system, p->method, p->retraction, o->h) != LG_OK)
        fail(problem->name, lg_integrator_message(o->it));
    if (lg_linearisation_create(&o->lin, o->it) != LG_OK) fail(problem->name, lg_linearisation_message(o->lin));
    const int variables = o->steps * o->stride;
    o->base = numbers((o->steps + 1) * o->element), o->x = numbers(variables);
    o->low = numbers(variables), o->high = numbers(variables);
    o->J = numbers(lg_linearisation_rows(o->lin) * lg_linearisation_columns(o->lin));
    for (int i = 0; i < variables; i++) o->low[i] = -INFINITY, o->high[i] = INFINITY;
    for (int k = 0; k < o->steps; k++)
        for (int i = 0; i < o->controls; i++) {
            if (p->control_low) o->low[k * o->stride + i] = p->control_low[i];
            if (p->control_high) o->high[k * o->stride + i] = p->control_high[i];
        }
    return o;
}

void optima_ipopt_destroy(optima_ipopt *o)
{
    lg_linearisation_destroy(o->lin);
    lg_integrator_destroy(o->it);
    free(o->base), free(o->x), free(o->low), free(o->high), free(o->J);
    free(o);
}

/* Sets base points, and x = the given point, whose eta are 0. */
static void begin(optima_ipopt *o, const double *g, const double *p, const double *u)
{
    const size_t element = (size_t)o->element * sizeof *g;
    memcpy(o->base, g, (size_t)o->steps * element);
    memcpy(o->base + o->steps * o->element, o->problem->given->target_g, element);
    memcpy(o->start_p, p, (size_t)o->n * sizeof *p);
    for (int k = 0; k < o->steps; k++) {
        memcpy(o->x + k * o->stride, u + k * o->controls, (size_t)o->controls * sizeof *u);
        for (int i = 0; k > 0 && i < o->n; i++) o->x[node_at(o, k) + i] = 0;
        for (int i = 0; k > 0 && i < o->problem->momenta; i++)
            o->x[node_at(o, k) + o->n + i] = p[k * o->n + o->problem->kept[i]];
    }
}

static void set_options(IpoptProblem nlp, int near)
{
    int ok =
        AddIpoptStrOption(nlp, "hessian_approximation", "limited-memory") && AddIpoptIntOption(nlp, "print_level", 0);
    ok = ok && AddIpoptStrOption(nlp, "sb", "yes") && AddIpoptIntOption(nlp, "max_iter", 2000);
    ok = ok && AddIpoptNumOption(nlp, "tol", 1e-8) && AddIpoptNumOption(nlp, "constr_viol_tol", 1e-10);
    ok = ok && AddIpoptIntOption(nlp, "acceptable_iter", 0) && AddIpoptNumOption(nlp, "bound_relax_factor", 0);
    if (near) {
        ok = ok && AddIpoptNumOption(nlp, "mu_init", 1e-6) && AddIpoptNumOption(nlp, "bound_push", 1e-8);
        ok = ok && AddIpoptNumOption(nlp, "bound_frac", 1e-8);
    }
    if (!ok) fail("options", "this release does not know one of them");
}

optima_result optima_ipopt_solve(optima_ipopt *o, const double *g, const double *p, const double *u, int near)
{
    const int variables = o->steps * o->stride - o->state, rows = o->steps * o->state;
    const int reach = (o->steps - 1) * (o->n * o->n + o->problem->momenta);
    const int entries = o->state * (o->steps * o->stride - o->state) + reach;
    optima_result r = {0, 0, NAN, 0};
    o->stepping = 0, o->iterations = 0;
    begin(o, g, p, u);
    double *none = numbers(rows);
    IpoptProblem nlp = CreateIpoptProblem(variables, o->low, o->high, rows, none, none, entries, 0, 0, cost, conditions,
                                          gradient, jacobian, no_curvature);
    if (!nlp) fail(o->problem->name, "the problem is refused");
    set_options(nlp, near);
    if (!SetIntermediateCallback(nlp, count_iterations)) fail(o->problem->name, "no callback");
    r.solved = IpoptSolve(nlp, o->x, NULL, &r.cost, NULL, NULL, NULL, o) == Solve_Succeeded;
    r.iterations = o->iterations, r.stepping = o->stepping;
    FreeIpoptProblem(nlp);
    free(none);
    return r;
}
