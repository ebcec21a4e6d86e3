/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweep against LAPACK's solution of the whole system, on random problems of all shapes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "control/riccati.h"
#include "suite.h"

typedef struct problem {
    lg_riccati model;
    void *memory;
} problem;

static problem open_problem(lg_riccati_size size)
{
    problem o;
    lg_arena a = {NULL, 0};
    lg_riccati probe;
    lg_riccati_carve(&probe, &a, size);
    o.memory = lg_reserve(a.used);
    a = (lg_arena){o.memory, 0};
    lg_riccati_carve(&o.model, &a, size);
    return o;
}

static void fill(lg_rng *rng, double *v, int count, double size)
{
    for (int i = 0; i < count; i++) v[i] = size * lg_rng_normal(rng);
}

/* [Q S'; S R] = M M' + 1, so that the model is convex. */
static void random_cost(lg_rng *rng, lg_riccati_stage *t, int z, int u)
{
    double M[20 * 20], H[20 * 20];
    const int n = z + u;
    fill(rng, M, n * n, 0.5);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            H[i * n + j] = i == j;
            for (int l = 0; l < n; l++) H[i * n + j] += M[i * n + l] * M[j * n + l];
        }
    for (int i = 0; i < z; i++)
        for (int j = 0; j < z; j++) t->Q[i * z + j] = H[i * n + j];
    for (int i = 0; i < u; i++) {
        for (int j = 0; j < z; j++) t->S[i * z + j] = H[(z + i) * n + j];
        for (int j = 0; j < u; j++) t->R[i * u + j] = H[(z + i) * n + z + j];
    }
    fill(rng, t->q, z, 1), fill(rng, t->r, u, 1);
}

static void random_problem(lg_riccati *o, lg_rng *rng)
{
    const lg_riccati_size s = o->size;
    const int x = s.states, z = x + s.borders, u = s.controls;
    for (int k = 0; k <= s.steps; k++) {
        lg_riccati_stage *t = &o->stages[k];
        random_cost(rng, t, z, k < s.steps ? u : 0);
        if (k == s.steps) break;
        fill(rng, t->A, x * z, 0.5), fill(rng, t->B, x * u, 1), fill(rng, t->d, x, 1);
    }
    fill(rng, o->E, x * s.frees, 1);
    fill(rng, o->C, s.ends * z, 1), fill(rng, o->C0, s.ends * x, 1), fill(rng, o->e, s.ends, 1);
}

/* Column of variable `i` of z_k: frees, borders, then u_k and x_{k+1} of each stage, then multipliers. */
typedef struct layout {
    lg_riccati_size s;
    int variables, rows;
} layout;

static int column_u(const layout *l, int k)
{
    return l->s.frees + l->s.borders + k * (l->s.controls + l->s.states);
}

/* z_k as a linear map of all variables. */
static void select_z(const layout *l, const lg_riccati *o, int k, double *map)
{
    const int x = l->s.states, n = l->variables;
    memset(map, 0, sizeof(double) * (size_t)((x + l->s.borders) * n));
    for (int i = 0; i < x; i++) {
        if (k)
            map[i * n + column_u(l, k - 1) + l->s.controls + i] = 1;
        else
            for (int f = 0; f < l->s.frees; f++) map[i * n + f] = o->E[i * l->s.frees + f];
    }
    for (int b = 0; b < l->s.borders; b++) map[(x + b) * n + l->s.frees + b] = 1;
}

enum { MOST = 220 };

/* M += L' H R over the variables. */
static void add(double *M, int n, int all, const double *L, const double *H, const double *R, int rows, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++) M[a * all + b] += L[i * n + a] * H[i * columns + j] * R[j * n + b];
}

/* Row `row` of the constraints: coefficients times z_k, in the matrix and its transpose. */
static void constrain(double *M, int n, int all, int row, const double *coefficients, const double *map, int columns)
{
    for (int a = 0; a < n; a++)
        for (int j = 0; j < columns; j++) {
            M[(n + row) * all + a] += coefficients[j] * map[j * n + a];
            M[a * all + n + row] += coefficients[j] * map[j * n + a];
        }
}

/* The whole system of optimality, solved. */
static void solve_dense(const lg_riccati *o, layout *l, double *solution)
{
    const lg_riccati_size s = o->size;
    const int x = s.states, z = x + s.borders, u = s.controls, n = l->variables, all = n + l->rows;
    double *M = calloc((size_t)(all * all), sizeof *M), *z_map = calloc((size_t)(z * n), sizeof *z_map),
           *u_map = calloc((size_t)(u * n + 1), sizeof *u_map), *next = calloc((size_t)(z * n), sizeof *next);
    int pivots[MOST];
    for (int i = 0; i < all; i++) solution[i] = 0;
    for (int k = 0; k <= s.steps; k++) {
        const lg_riccati_stage *t = &o->stages[k];
        select_z(l, o, k, z_map);
        add(M, n, all, z_map, t->Q, z_map, z, z);
        for (int a = 0; a < n; a++)
            for (int i = 0; i < z; i++) solution[a] -= z_map[i * n + a] * t->q[i];
        if (k == s.steps) break;
        memset(u_map, 0, sizeof *u_map * (size_t)(u * n));
        for (int j = 0; j < u; j++) u_map[j * n + column_u(l, k) + j] = 1, solution[column_u(l, k) + j] -= t->r[j];
        add(M, n, all, u_map, t->R, u_map, u, u);
        add(M, n, all, u_map, t->S, z_map, u, z);
        double St[400];
        for (int i = 0; i < z; i++)
            for (int j = 0; j < u; j++) St[i * u + j] = t->S[j * z + i];
        add(M, n, all, z_map, St, u_map, z, u);
        select_z(l, o, k + 1, next);
        for (int i = 0; i < x; i++) {
            const double minus = -1;
            constrain(M, n, all, k * x + i, t->A + i * z, z_map, z);
            constrain(M, n, all, k * x + i, t->B + i * u, u_map, u);
            constrain(M, n, all, k * x + i, &minus, next + i * n, 1);
            solution[n + k * x + i] = -t->d[i];
        }
    }
    for (int e = 0; e < s.ends; e++) {
        select_z(l, o, s.steps, z_map);
        constrain(M, n, all, s.steps * x + e, o->C + e * z, z_map, z);
        select_z(l, o, 0, z_map);
        constrain(M, n, all, s.steps * x + e, o->C0 + e * x, z_map, x);
        solution[n + s.steps * x + e] = -o->e[e];
    }
    int bad = LAPACKE_dgesv(LAPACK_ROW_MAJOR, all, 1, M, all, pivots, solution, 1);
    if (bad) suite_fail("dgesv: %d", bad);
    free(M), free(z_map), free(u_map), free(next);
}

static double worst;

static void near(const char *what, double seen, double expected)
{
    const double off = fabs(seen - expected) / (1 + fabs(expected));
    if (off > worst) worst = off;
    if (!(off <= 1e-9)) suite_fail("%s: %.17g, expected %.17g", what, seen, expected);
}

static void compare(lg_riccati_size s, lg_rng *rng, double penalty)
{
    problem o = open_problem(s);
    layout l = {s, s.frees + s.borders + s.steps * (s.controls + s.states), s.steps * s.states + s.ends};
    double solution[MOST];
    random_problem(&o.model, rng);
    solve_dense(&o.model, &l, solution);
    o.model.penalty = penalty;
    if (lg_riccati_solve(&o.model)) suite_fail("not convex: %d states, %d ends", s.states, s.ends);
    for (int i = 0; i < s.frees + s.borders; i++) near("border", o.model.border[i], solution[i]);
    for (int k = 0; k < s.steps; k++) {
        const double *v = solution + column_u(&l, k);
        for (int j = 0; j < s.controls; j++) near("control", o.model.stages[k].u[j], v[j]);
        for (int i = 0; i < s.states; i++) {
            near("state", o.model.stages[k + 1].x[i], v[s.controls + i]);
            near("costate", o.model.stages[k + 1].costate[i], solution[l.variables + k * s.states + i]);
        }
    }
    for (int e = 0; e < s.ends; e++) near("nu", o.model.nu[e], solution[l.variables + s.steps * s.states + e]);
    lg_release(o.memory);
}

static void test_against_lapack(void **state)
{
    (void)state;
    lg_rng rng = {7};
    for (int borders = 0; borders < 3; borders++)
        for (int frees = 0; frees < 3; frees++)
            for (int ends = 0; ends < 5; ends++)
                for (int round = 0; round < 4; round++)
                    compare((lg_riccati_size){5, 4, borders, 2, frees, ends}, &rng, round % 2 ? 10 : 0);
    compare((lg_riccati_size){1, 1, 0, 1, 0, 1}, &rng, 0);
    print_message("largest difference from LAPACK %.2g\n", worst);
}

/* A row twice, and a state that nothing moves: one of the first, and the second, are left out. */
static void test_ranks(void **state)
{
    (void)state;
    lg_rng rng = {3};
    problem o = open_problem((lg_riccati_size){5, 4, 0, 2, 0, 4});
    random_problem(&o.model, &rng);
    for (int j = 0; j < 4; j++) o.model.C[4 + j] = -2 * o.model.C[j], o.model.C[12 + j] = j == 3;
    o.model.e[1] = -2 * o.model.e[0];
    for (int k = 0; k < 5; k++) {
        lg_riccati_stage *t = &o.model.stages[k];
        for (int j = 0; j < 3; j++) t->A[12 + j] = 0;
        for (int j = 0; j < 2; j++) t->B[6 + j] = 1e-17;
        t->d[3] = 0;
    }
    if (lg_riccati_solve(&o.model)) suite_fail("a dependent row makes the model not convex");
    const int *dropped = o.model.dropped;
    if (dropped[0] + dropped[1] != 1 || dropped[2] || !dropped[3])
        suite_fail("rows left out: %d %d %d %d", dropped[0], dropped[1], dropped[2], dropped[3]);
    for (int e = 0; e < 3; e++) {
        double left = o.model.e[e];
        for (int j = 0; j < 4; j++) left += o.model.C[e * 4 + j] * o.model.stages[5].x[j];
        near("end", left, 0);
    }
    lg_release(o.memory);
}

/* Models without a minimum: a control with negative curvature, and a border variable. */
static void test_not_convex(void **state)
{
    (void)state;
    lg_rng rng = {5};
    problem o = open_problem((lg_riccati_size){5, 4, 1, 2, 0, 2});
    random_problem(&o.model, &rng);
    if (lg_riccati_solve(&o.model)) suite_fail("convex, but refused");
    o.model.stages[0].Q[24] -= 1e4;
    if (!lg_riccati_solve(&o.model)) suite_fail("a border variable with negative curvature is accepted");
    o.model.stages[0].Q[24] += 1e4;
    o.model.stages[4].R[0] = -1e4;
    if (!lg_riccati_solve(&o.model)) suite_fail("a control with negative curvature is accepted");
    lg_release(o.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_lapack), cmocka_unit_test(test_ranks),
                                       cmocka_unit_test(test_not_convex)};
    suite_begin("riccati");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
