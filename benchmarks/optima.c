/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_optimum beside IPOPT on the same steps: a cart with a pole that is swung up, from two guesses with three limits, a
 * slew of a rigid body, a sleigh that goes sideways. Both must find the same costs. Where IPOPT ends elsewhere, or
 * nowhere, from the guess, it begins near the library's optimum and must stay there; else the exit status is 1. */
#include "benchmarks/optima.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmarks/support.h"
#include "support/cart_pole.h"
#include "support/optimum_systems.h"

enum { PROBLEMS = 8, STEPS = 40 };

static const double PI = 3.14159265358979323846;

static const double principal[3] = {1, 1.5, 2.2};

/* ---- problems ---- */

typedef struct pair {
    optima_problem problem;
    lg_system S;
    lg_optimum_problem given;
    double low, high; /* of the cart's force */
    lg_optimum *o;
    optima_ipopt *peer;
    lg_optimum_figures ours;
    optima_result theirs;
    double *g, *p, *u; /* the guess */
    char label[2][48]; /* of either solver */
} pair;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "bench_optima: %s: %s\n", what, why);
    exit(2);
}

static void pose(pair *q, const char *name, lg_system S, double time, const double *target)
{
    static const int kept[3] = {0, 1, 2};
    static const double rest[3];
    q->problem.name = name, q->S = S;
    q->given = lg_optimum_problem_default(&q->S);
    q->given.steps = STEPS, q->given.time = time, q->given.target_g = target, q->given.target_p = rest;
    q->problem.given = &q->given, q->problem.momenta = lg_group_dim(S.group), q->problem.kept = kept;
}

static void pose_all(pair *q)
{
    static const double limit[3] = {INFINITY, 20, 12}, up[2] = {1, PI}, still[2 * (STEPS + 1)], two = 2;
    static const char *const names[6] = {"cart-pole, line, free", "cart-pole, line, 20", "cart-pole, line, 12",
                                         "cart-pole, rest, free", "cart-pole, rest, 20", "cart-pole, rest, 12"};
    static const double sideways[4] = {0, 1, 1, 0};
    static const int sleigh_kept[2] = {0, 2};
    static const double sleigh_span[6] = {1, 0, 0, 0.2 / 1.04, 0, 1}; /* p of the velocities (v, 0, omega) */
    static double turned[4];
    const double s = sin(1.0) / sqrt(14.0); /* 2 rad about (1, 2, 3) */
    turned[0] = s, turned[1] = 2 * s, turned[2] = 3 * s, turned[3] = cos(1.0);
    for (int i = 0; i < 6; i++) {
        pose(&q[i], names[i], cart(), 2, up);
        q[i].high = limit[i % 3], q[i].low = -q[i].high;
        q[i].given.control_low = &q[i].low, q[i].given.control_high = &q[i].high, q[i].given.effort = &two;
        if (i >= 3) q[i].problem.nodes = still;
    }
    pose(&q[6], "rigid body, slew", body(principal), 1.5, turned);
    pose(&q[7], "sleigh, sideways", sleigh(), 4, sideways);
    q[7].problem.momenta = 2, q[7].problem.kept = sleigh_kept, q[7].problem.span = sleigh_span;
}

static double *copy(const double *from, int count)
{
    double *to = malloc((size_t)count * sizeof *to);
    if (!to) fail("memory", "there is none");
    for (int i = 0; i < count; i++) to[i] = from[i];
    return to;
}

/* The guess with which both begin. */
static void open_pair(pair *q)
{
    if (lg_optimum_create(&q->o, &q->given) != LG_OK ||
        lg_optimum_guess(q->o, q->problem.nodes, NULL, NULL, 0) != LG_OK)
        fail(q->problem.name, lg_optimum_message(q->o));
    q->g = copy(lg_optimum_configurations(q->o), (STEPS + 1) * lg_group_element_size(q->S.group));
    q->p = copy(lg_optimum_momenta(q->o), (STEPS + 1) * lg_group_dim(q->S.group));
    q->u = copy(lg_optimum_controls(q->o), STEPS * q->S.callbacks.control_count);
    q->peer = optima_ipopt_create(&q->problem);
}

static void close_pair(pair *q)
{
    optima_ipopt_destroy(q->peer);
    lg_optimum_destroy(q->o);
    free(q->g), free(q->p), free(q->u);
}

static double run_ours(void *context, long count)
{
    pair *q = context;
    for (long i = 0; i < count; i++) {
        if (lg_optimum_guess(q->o, q->problem.nodes, NULL, NULL, 0) != LG_OK ||
            lg_optimum_solve(q->o, 100, 1e-11) != LG_OK || lg_optimum_read(q->o, &q->ours, sizeof q->ours) != LG_OK)
            fail(q->problem.name, lg_optimum_message(q->o));
    }
    return q->ours.cost;
}

static double run_theirs(void *context, long count)
{
    pair *q = context;
    for (long i = 0; i < count; i++) q->theirs = optima_ipopt_solve(q->peer, q->g, q->p, q->u, 0);
    return q->theirs.cost;
}

/* IPOPT from the library's optimum, whose controls and momenta are disturbed by up to 1e-3. */
static optima_result stay(const pair *q)
{
    const int controls = STEPS * q->S.callbacks.control_count, momenta = (STEPS + 1) * lg_group_dim(q->S.group);
    double *u = copy(lg_optimum_controls(q->o), controls), *p = copy(lg_optimum_momenta(q->o), momenta);
    for (int i = 0; i < controls; i++) u[i] += 1e-3 * sin(7.0 * i + 1);
    for (int i = lg_group_dim(q->S.group); i < momenta; i++) p[i] += 1e-3 * sin(5.0 * i + 2);
    const optima_result r = optima_ipopt_solve(q->peer, lg_optimum_configurations(q->o), p, u, 1);
    free(u), free(p);
    return r;
}

/* ---- the table ---- */

static double apart(const pair *q, optima_result r)
{
    return r.cost / q->ours.cost - 1;
}

static int agrees(const pair *q, optima_result r)
{
    return r.solved && fabs(apart(q, r)) <= (isfinite(q->high) && q->high > 0 ? 1e-7 : 1e-9);
}

static void print_row(const pair *q, const bench_case *ours, const bench_case *theirs)
{
    char cost[24] = "none", off[16] = "";
    if (q->theirs.solved) {
        snprintf(cost, sizeof cost, "%.10f", q->theirs.cost);
        snprintf(off, sizeof off, "%.1e", apart(q, q->theirs));
    }
    printf("| %-22s | %.10f | %4d | %8.1f | %13s | %4d | %8.1f | %8.1f | %8s |\n", q->problem.name, q->ours.cost,
           q->ours.iterations, ours->median / 1e6, cost, q->theirs.iterations, theirs->median / 1e6,
           q->theirs.stepping / 1e6, off);
}

static void write_row(bench_options *o, const pair *q, const bench_case *ours, const bench_case *theirs)
{
    static const char *const names[4] = {"cost", "iterations", "stepping", "apart"};
    const double mine[2] = {q->ours.cost, q->ours.iterations};
    const double peer[4] = {q->theirs.cost, q->theirs.iterations, q->theirs.stepping, apart(q, q->theirs)};
    bench_json_case(o, ours, names, mine, 2);
    bench_json_case(o, theirs, names, peer, 4);
}

/* 1: they agree, from the guess or near the library's optimum. */
static int compare(bench_options *o, const pair *q)
{
    if (agrees(q, q->theirs)) return 1;
    const optima_result r = stay(q);
    const int same = agrees(q, r);
    fprintf(o->json ? stderr : stdout,
            "%s: from the guess IPOPT %s; begun near the library's optimum: %.10f, %d "
            "iterations, apart by %.1e%s\n",
            q->problem.name, q->theirs.solved ? "ends at another cost" : "finds no optimum", r.cost, r.iterations,
            apart(q, r), same ? "" : ": THEY DISAGREE");
    return same;
}

int main(int argc, char **argv)
{
    static pair q[PROBLEMS];
    static bench_case cases[2 * PROBLEMS];
    bench_options o = bench_parse(argc, argv, "optima: lg_optimum beside IPOPT on the same steps");
    int same = 1;
    pose_all(q);
    for (int i = 0; i < PROBLEMS; i++) {
        open_pair(&q[i]);
        for (int k = 0; k < 2; k++) {
            snprintf(q[i].label[k], sizeof q[i].label[k], "%s: %s", q[i].problem.name, k ? "IPOPT" : "liegrp");
            cases[2 * i + k] =
                (bench_case){.name = q[i].label[k], .run = k ? run_theirs : run_ours, .context = &q[i], .count = 1};
        }
    }
    bench_open(&o, "optima");
    bench_measure(cases, 2 * PROBLEMS, &o);
    if (!o.json) {
        printf("\n| %d steps of `sem` | liegrp: cost | iterations | ms | IPOPT: cost | iterations | ms ", STEPS);
        printf("| of it in steps | apart |\n|---|---|---|---|---|---|---|---|---|\n");
    }
    for (int i = 0; i < PROBLEMS; i++) {
        if (o.json) write_row(&o, &q[i], &cases[2 * i], &cases[2 * i + 1]);
        if (!o.json) print_row(&q[i], &cases[2 * i], &cases[2 * i + 1]);
    }
    if (!o.json) putchar('\n');
    for (int i = 0; i < PROBLEMS; i++) same = compare(&o, &q[i]) && same;
    bench_close(&o);
    for (int i = 0; i < PROBLEMS; i++) close_pair(&q[i]);
    return same ? 0 : 1;
}
