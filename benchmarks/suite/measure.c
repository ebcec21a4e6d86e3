/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* sched_setaffinity */
#include "benchmarks/suite/measure.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <liegrp/base/width.h>

#ifndef BENCH_FLAGS
#define BENCH_FLAGS ""
#endif

static double read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

double bench_clock(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_quantile(double *values, int n, double q)
{
    const double at = q * (n - 1);
    const int k = (int)at;
    if (n < 1) return (double)NAN;
    qsort(values, (size_t)n, sizeof *values, ascending);
    return k + 1 < n ? values[k] + (at - k) * (values[k + 1] - values[k]) : values[n - 1];
}

static void summarise(bench_case *c)
{
    double v[BENCH_ROUNDS];
    memcpy(v, c->ns, sizeof v);
    c->median = bench_quantile(v, c->rounds, 0.5);
    c->first = bench_quantile(v, c->rounds, 0.25);
    c->third = bench_quantile(v, c->rounds, 0.75);
    c->low = v[0];
    c->high = v[c->rounds - 1];
}

void bench_rounds(bench_case *cases, int count, int rounds, int warm)
{
    for (int round = -warm; round < rounds; round++) {
        for (int k = 0; k < count; k++) {
            bench_case *c = &cases[k];
            const clockid_t clock = c->wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
            const double begin = read_clock(clock);
            c->sink = c->run(c->context, c->count);
            if (round >= 0) c->ns[round] = (read_clock(clock) - begin) / (double)c->count;
        }
    }
    for (int k = 0; k < count; k++) {
        cases[k].rounds = rounds;
        summarise(&cases[k]);
    }
}

double bench_ratio(const bench_case *a, const bench_case *b)
{
    double ratio[BENCH_ROUNDS];
    const int rounds = a->rounds < b->rounds ? a->rounds : b->rounds;
    for (int i = 0; i < rounds; i++) ratio[i] = a->ns[i] / b->ns[i];
    return bench_quantile(ratio, rounds, 0.5);
}

int bench_pin(void)
{
#ifdef __linux__
    const int here = sched_getcpu();
    cpu_set_t set;
    CPU_ZERO(&set);
    if (here >= 0) CPU_SET((size_t)here, &set);
    return here >= 0 && sched_setaffinity(0, sizeof set, &set) == 0 ? here : -1;
#else
    return -1;
#endif
}

/* The processor's name from Linux, else the machine's architecture. */
static void find_processor(char *name, size_t size, const char *machine)
{
    char line[256];
    snprintf(name, size, "%s", machine);
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || value == NULL) continue;
        value[strcspn(value, "\n")] = '\0';
        snprintf(name, size, "%s", value + 2);
        break;
    }
    if (f != NULL) fclose(f);
}

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

static const char *compiler(void)
{
#if defined(__clang__)
    return "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT(__clang_patchlevel__);
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown compiler";
#endif
}

void bench_look(bench_machine *m)
{
    struct utsname u;
    const int known = uname(&u) == 0;
    find_processor(m->processor, sizeof m->processor, known ? u.machine : "unknown");
    snprintf(m->system, sizeof m->system, "%.60s %.60s", known ? u.sysname : "unknown", known ? u.machine : "");
    m->compiler = compiler();
    m->flags = BENCH_FLAGS;
    m->processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    m->width = lg_width_best();
}
