/* SPDX-License-Identifier: BSD-3-Clause */
/* build/benchmarks/race_truth > benchmarks/race/ends.c: the true ends of the race of trajectories. Gauss' collocation
 * with twelve nodes (order 24), in quadruple precision, on the equations of problems.c unchanged: no group,
 * no multipliers, nothing of the library but the start, which is moved exactly onto the constraints. Each end is
 * computed with two steps; their difference is written next to it. It needs gcc's libquadmath and a few minutes. */
#include <quadmath.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/race/quad.h"
#include "benchmarks/race/race.h"

enum { S = 12, SWEEPS = 200 };

typedef struct tableau {
    quad c[S], b[S], a[S][S];
    quad next[S][S]; /* values at the nodes -> those of their polynomial at the nodes of the next step */
} tableau;

/* P_S and its derivative. */
static void legendre(quad x, quad *P, quad *dP)
{
    quad before = 1, now = x;
    for (int n = 2; n <= S; n++) {
        const quad next = ((2 * n - 1) * x * now - (n - 1) * before) / n;
        before = now, now = next;
    }
    *P = now, *dP = S * (x * now - before) / (x * x - 1);
}

static quad lagrange(const tableau *t, int j, quad x)
{
    quad l = 1;
    for (int k = 0; k < S; k++)
        if (k != j) l *= (x - t->c[k]) / (t->c[j] - t->c[k]);
    return l;
}

static void make(tableau *t)
{
    for (int i = 0; i < S; i++) {
        quad x = -cosq(M_PIq * (i + 0.75Q) / (S + 0.5Q)), P, dP;
        for (int k = 0; k < 20; k++) {
            legendre(x, &P, &dP);
            x -= P / dP;
        }
        legendre(x, &P, &dP);
        t->c[i] = (1 + x) / 2, t->b[i] = 1 / ((1 - x * x) * dP * dP);
    }
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) {
            t->a[i][j] = 0; /* of l_j from 0 to c_i, by the same quadrature */
            for (int k = 0; k < S; k++) t->a[i][j] += t->c[i] * t->b[k] * lagrange(t, j, t->c[i] * t->c[k]);
            t->next[i][j] = lagrange(t, j, 1 + t->c[i]);
        }
}

typedef struct walk {
    const tableau *t;
    quad_equations *e;
    int size;
    quad h, y[PROBLEM_STATE], f[S][PROBLEM_STATE];
} walk;

static void guess(walk *w)
{
    quad f[S][PROBLEM_STATE];
    memcpy(f, w->f, sizeof f);
    for (int i = 0; i < S; i++)
        for (int k = 0; k < w->size; k++) {
            w->f[i][k] = 0;
            for (int j = 0; j < S; j++) w->f[i][k] += w->t->next[i][j] * f[j][k];
        }
}

/* One iteration for the derivatives at the nodes, one node after the other; the largest change. */
static quad sweep(walk *w)
{
    quad worst = 0;
    for (int i = 0; i < S; i++) {
        quad y[PROBLEM_STATE], f[PROBLEM_STATE];
        for (int k = 0; k < w->size; k++) {
            quad sum = 0;
            for (int j = 0; j < S; j++) sum += w->t->a[i][j] * w->f[j][k];
            y[k] = w->y[k] + w->h * sum;
        }
        quad_derivative(w->e, y, f);
        for (int k = 0; k < w->size; k++) worst = fmaxq(worst, w->h * fabsq(f[k] - w->f[i][k]));
        memcpy(w->f[i], f, sizeof f);
    }
    return worst;
}

static int step(walk *w)
{
    guess(w);
    for (int k = 0; !(sweep(w) < 1e-29Q); k++)
        if (k == SWEEPS) return 1;
    for (int i = 0; i < S; i++)
        for (int k = 0; k < w->size; k++) w->y[k] += w->h * w->t->b[i] * w->f[i][k];
    return 0;
}

/* The states at all race_times with `per` steps per unit of time. */
static int walk_all(const race_course *c, const tableau *t, long per, quad out[RACE_TIMES][PROBLEM_STATE])
{
    walk w = {.t = t, .h = 1 / (quad)per};
    long n = 0;
    int bad = 0;
    w.e = quad_open(c->motion.label, c->data.param, c->motion.S->parameter_count, c->motion.y0, w.y);
    if (w.e == NULL) return 1;
    w.size = quad_size(w.e);
    for (int i = 0; i < S; i++) quad_derivative(w.e, w.y, w.f[i]);
    for (int i = 0; i < RACE_TIMES && !bad; i++) {
        for (; n < (long)race_times[i] * per && !bad; n++) bad = step(&w);
        memcpy(out[i], w.y, sizeof w.y);
    }
    quad_close(w.e);
    return bad;
}

static void put(const char *name, const double *y, int size)
{
    printf("     .%s = {", name);
    for (int i = 0; i < size; i++) printf("%s%.17g", i == 0 ? "" : i % 4 == 0 ? ",\n          " : ", ", y[i]);
    printf("}");
}

static int write_ends(const race_system *s, const tableau *t)
{
    quad end[2][RACE_TIMES][PROBLEM_STATE];
    race_course c;
    const long per = (long)(1 / s->finest + 0.5);
    if (race_open(&c, s) || walk_all(&c, t, per, end[0]) || walk_all(&c, t, per + (per + 3) / 4, end[1])) {
        fprintf(stderr, "race_truth: %s fails: %s\n", s->name, c.motion.message);
        return 1;
    }
    for (int i = 0; i < RACE_TIMES; i++) {
        double y[PROBLEM_STATE];
        quad differ = 0;
        for (int k = 0; k < c.equations->size; k++) {
            y[k] = (double)end[1][i][k];
            differ = fmaxq(differ, fabsq(end[0][i][k] - end[1][i][k]));
        }
        printf("    {.system = \"%s\",\n     .T = %g,\n     .uncertain = %.0e,\n", s->name, race_times[i],
               (double)differ);
        put("start", c.motion.y0, c.equations->size), printf(",\n");
        put("end", y, c.equations->size), printf("},\n");
    }
    fflush(stdout);
    race_close(&c);
    return 0;
}

int main(void)
{
    static tableau t;
    int bad = 0;
    make(&t);
    printf(
        "/* SPDX-License-Identifier: BSD-3-Clause */\n/* Written by race_truth; do not edit. */\n/* clang-format off */\n"
        "#include \"benchmarks/race/race.h\"\n\nconst race_end race_ends[] = {\n");
    for (int i = 0; i < RACE_SYSTEMS; i++) bad |= write_ends(&race_systems[i], &t);
    printf("};\n\nconst int race_end_count = sizeof race_ends / sizeof race_ends[0];\n");
    return bad;
}
