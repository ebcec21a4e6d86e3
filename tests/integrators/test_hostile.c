/* SPDX-License-Identifier: BSD-3-Clause */
/* Random hostile systems: rows that are dependent up to 1e-1 ... 1e-16, inertias of condition 1 to 1e16, in units from
 * 1e-8 to 1e8. A step that returns LG_OK keeps the constraints, and one of `sem` keeps the energy, measured in long
 * double with the system's numbers; other steps are refused. */
#include <math.h>
#include <string.h>

#include "suite.h"

enum { N = 6 };

typedef struct hostile {
    int n, m;
    double J[N * N], A[N * N], h;
} hostile;

static double between(lg_rng *rng, double low, double high)
{
    return low + (high - low) * lg_rng_uniform(rng);
}

/* J = Q^T diag(1 ... 10^-condition) Q. */
static void make_inertia(hostile *o, lg_rng *rng, double condition, double unit)
{
    double Q[N][N];
    const int n = o->n;
    memset(o->J, 0, sizeof o->J);
    for (int i = 0; i < n; i++) {
        suite_normal(Q[i], n, rng);
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < i; j++) {
                double s = 0;
                for (int k = 0; k < n; k++) s += Q[i][k] * Q[j][k];
                for (int k = 0; k < n; k++) Q[i][k] -= s * Q[j][k];
            }
        double s = 0;
        for (int k = 0; k < n; k++) s += Q[i][k] * Q[i][k];
        for (int k = 0; k < n; k++) Q[i][k] /= sqrt(s);
        const double share = i == 0       ? 0
                             : i == n - 1 ? 1
                                          : lg_rng_uniform(rng),
                     size = unit * pow(10, -condition * share);
        for (int a = 0; a < n; a++)
            for (int b = 0; b <= a; b++) o->J[a * n + b] = o->J[b * n + a] += size * Q[i][a] * Q[i][b];
    }
}

/* The last row differs by 10^-gap from a sum of the others. */
static void make_rows(hostile *o, lg_rng *rng, double gap, double unit)
{
    const int n = o->n, last = o->m - 1;
    suite_normal(o->A, o->m * n, rng);
    for (int i = 0; i < n && last > 0; i++) {
        double s = pow(10, -gap) * o->A[last * n + i];
        for (int a = 0; a < last; a++) s += (a + 0.5) * o->A[a * n + i];
        o->A[last * n + i] = s;
    }
    for (int i = 0; i < o->m * n; i++) o->A[i] *= unit;
}

/* v = J^-1 p. */
static void solve(const hostile *o, const double *p, long double *v)
{
    long double M[N][N + 1];
    const int n = o->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) M[i][j] = o->J[i * n + j];
        M[i][n] = p[i];
    }
    for (int k = 0; k < n; k++) /* positive definite: no pivots */
        for (int i = 0; i < n; i++)
            for (int j = n; i != k && j >= k; j--) M[i][j] -= M[i][k] / M[k][k] * M[k][j];
    for (int i = 0; i < n; i++) v[i] = M[i][n] / M[i][i];
}

/* T, and the largest |A v| relative to |A| |v|. */
static long double look(const hostile *o, const double *p, double *off)
{
    long double v[N], T = 0;
    double fast = 0;
    solve(o, p, v);
    *off = 0;
    for (int i = 0; i < o->n; i++) T += v[i] * p[i] / 2, fast = fmax(fast, fabs((double)v[i]));
    for (int a = 0; a < o->m; a++) {
        long double s = 0;
        double size = 0;
        for (int i = 0; i < o->n; i++) s += o->A[a * o->n + i] * v[i], size = fmax(size, fabs(o->A[a * o->n + i]));
        *off = fmax(*off, fabs((double)s) / (size * fast));
    }
    return T;
}

/* 1: it ran; 0: it was refused. */
static int walk(const hostile *o, const lg_group *G, const char *method, lg_rng *rng)
{
    lg_integrator *it = NULL;
    lg_system S = lg_system_default(G);
    double g[8], v[N], off;
    S.inertia = o->J, S.covector_matrix = o->A, S.constraint_count = o->m;
    suite_ok("element", lg_group_random(G, g, rng));
    suite_normal(v, o->n, rng);
    int ran = lg_integrator_create(&it, &S, method, "exp", o->h) == LG_OK &&
              lg_integrator_start(it, 0, g, v, LG_START_REACTION, 1) == LG_OK;
    for (int k = 0; ran && k < 5; k++) {
        const long double before = look(o, lg_integrator_momentum(it), &off);
        suite_below("|A xi|", off, 1e-4);
        if (lg_integrator_step(it) != LG_OK) break;
        const long double after = look(o, lg_integrator_momentum(it), &off);
        suite_below("|A xi|", off, 1e-4);
        if (!strncmp(method, "sem", 3)) suite_near1("H", (double)(after / before), 1, 1e-5, 1);
    }
    lg_integrator_destroy(it);
    return ran;
}

static void test_hostile(void **state)
{
    static const char *const methods[] = {"sem", "sem@suzuki4", "gni", "dla", "nsv", "gauss:stage", "gauss:rate"};
    lg_rng rng = suite_rng(8);
    int ran = 0;
    (void)state;
    for (int i = 0; i < suite_count(4000); i++) {
        hostile o = {.h = pow(10, between(&rng, -3, -1))};
        const lg_group *G = i % 2 ? lg_so3() : lg_se3();
        o.n = lg_group_dim(G), o.m = 1 + (int)between(&rng, 0, o.n - 1);
        const double condition = i % 3 ? between(&rng, 0, 16) : 0, gap = i % 3 != 1 ? between(&rng, 0, 16) : 0;
        make_inertia(&o, &rng, condition, pow(10, between(&rng, -8, 8)));
        make_rows(&o, &rng, gap, pow(10, between(&rng, -8, 8)));
        suite_case("system %d: n %d, m %d, condition 1e%.1f, rows 1e-%.1f, %s", i, o.n, o.m, condition, gap,
                   methods[i % 7]);
        ran += walk(&o, G, methods[i % 7], &rng);
    }
    suite_above("systems that run", ran, suite_count(1000));
}

int main(void)
{
    suite_begin("hostile");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hostile)};
    return cmocka_run_group_tests_name("hostile", tests, NULL, NULL);
}
