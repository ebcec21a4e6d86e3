/* SPDX-License-Identifier: BSD-3-Clause */
/* The frictional complementarity solver alone, on the families of its tests: how many calls each stage ends, factors
 * and microseconds a call. Cold: from P = 0. Warm: five sweeps of a step, from the last impulses. Node: R = P + Q after
 * it. build/benchmarks/bench_contacts [--quick] [--dense] */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/suite/measure.h"
#include "support/contacts.h"

typedef struct tally {
    int calls, floor, refused, stage[MB_NCP_STAGES];
    double factors, us, worst;
} tally;

static contacts_solver solver;
static int sparse = 1;

static void call(const contacts_scene *s, mb_ncp *p, double *P, mb_ncp_effort effort, tally *t)
{
    mb_ncp_report r;
    double cone;
    const double begin = bench_clock();
    contacts_use(&solver, s, p, sparse);
    mb_ncp_solve(&solver.work, p, P, effort, &r);
    t->us += 1e-3 * (bench_clock() - begin);
    t->calls++, t->factors += r.factorisations, t->floor += r.outcome == MB_NCP_FLOOR;
    t->refused += r.outcome == MB_NCP_REFUSED;
    t->stage[r.stage] += r.outcome == MB_NCP_SOLVED;
    if (r.outcome == MB_NCP_SOLVED) t->worst = fmax(t->worst, contacts_violation(s, p, P, &cone) / p->tolerance);
}

static void print(const char *name, const char *what, const tally *t)
{
    printf("| %-14s | %-11s | %5d |", name, what, t->calls);
    for (int i = 0; i < MB_NCP_STAGES; i++) printf(" %4d |", t->stage[i]);
    printf(" %5d | %7d | %6.2f | %8.1f | %4.1f |\n", t->floor, t->refused, t->factors / t->calls, t->us / t->calls,
           t->worst);
    fflush(stdout);
}

/* A step: cold; warm while the velocities approach the step's; its node. */
static void step(contacts_scene *s, double (*old)[6], tally *cold, tally *warm, tally *node)
{
    static double now[CONTACTS_BODIES][6];
    double P[3 * CONTACTS_MOST] = {0};
    mb_ncp p = contacts_problem(s, 0.5);
    call(s, &p, P, MB_NCP_QUICK, cold);
    memcpy(now, s->velocity, sizeof now);
    for (int sweep = 1; sweep <= 5; sweep++) {
        const double part = sweep < 5 ? pow(1e-3, sweep) : 0;
        for (int i = 0; i < 6 * s->bodies; i++)
            s->velocity[i / 6][i % 6] = now[i / 6][i % 6] + part * (old[i / 6][i % 6] - now[i / 6][i % 6]);
        p = contacts_problem(s, 0.5);
        call(s, &p, s->P, MB_NCP_QUICK, warm);
    }
    memcpy(old, now, sizeof now);
    contacts_advance(s, s->P);
    p = contacts_problem(s, 1);
    memcpy(s->R, s->P, sizeof s->R);
    call(s, &p, s->R, MB_NCP_QUICK, node);
    contacts_advance(s, s->R);
}

static void family(contacts_family f, int steps)
{
    static double old[CONTACTS_BODIES][6];
    tally cold = {0}, warm = {0}, node = {0};
    const int seeds = f >= CONTACTS_CHAIN_5 ? 10 : 1;
    for (int seed = 0; seed < seeds; seed++) {
        contacts_scene *s = contacts_make(f, (uint64_t)seed);
        memcpy(old, s->velocity, sizeof old);
        for (int k = 0; k < (seeds > 1 ? (steps + 7) / 8 : steps); k++) step(s, old, &cold, &warm, &node);
        contacts_free(s);
    }
    print(contacts_family_name(f), "cold", &cold), print("", "warm", &warm), print("", "node", &node);
}

static void random_graphs(int seed, int count, mb_ncp_effort effort)
{
    char name[32];
    tally t = {0};
    for (int i = 0; i < count; i++) {
        contacts_scene *s = contacts_synthetic(1000 * (uint64_t)seed + (uint64_t)i);
        double P[3 * CONTACTS_MOST] = {0};
        mb_ncp p = contacts_problem(s, 0.5);
        call(s, &p, P, effort, &t);
        contacts_free(s);
    }
    snprintf(name, sizeof name, "random, seed %d", seed);
    print(name, effort == MB_NCP_QUICK ? "cold" : "cold, whole", &t);
}

int main(int argc, char **argv)
{
    int quick = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            quick = 1;
        } else if (strcmp(argv[i], "--dense") == 0) {
            sparse = 0;
        } else {
            fprintf(stderr, "contacts: expected --quick or --dense, not '%s'\n", argv[i]);
            return 1;
        }
    }
    contacts_solver_make(&solver);
    printf("Operator: %s. Violations are in units of the tolerance.\n\n", sparse ? "graph of bodies" : "dense W");
    printf(
        "| family         | calls are   | calls | entry | Newton | Seidel | ADMM | interior | starts | last | floor | refused | "
        "factors | us | violation |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int f = 0; f < CONTACTS_FAMILIES; f++) family((contacts_family)f, quick ? 2 : 64);
    for (int seed = 0; seed < (quick ? 1 : 3); seed++)
        for (int effort = 0; effort < 2; effort++) random_graphs(seed, quick ? 4 : 240, (mb_ncp_effort)effort);
    contacts_solver_free(&solver);
    return 0;
}
