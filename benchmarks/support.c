/* SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#ifndef BENCH_FLAGS
#define BENCH_FLAGS ""
#endif

bench_options bench_parse(int argc, char **argv, const char *what)
{
    bench_options o = {0, 0, 0};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--quick")) {
            o.quick = 1;
        } else if (!strcmp(argv[i], "--json")) {
            o.json = 1;
        } else {
            int help = !strcmp(argv[i], "--help");
            if (!help) fprintf(stderr, "unknown argument '%s'\n", argv[i]);
            fprintf(help ? stdout : stderr,
                    "%s\n  --quick  few small rounds, only to see that it runs\n  --json   results as JSON\n", what);
            exit(help ? 0 : 2);
        }
    }
    return o;
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of an odd or even number of values; sorts them. */
static double median_of(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, ascending);
    return n % 2 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

static void summarise(bench_case *c)
{
    double sorted[BENCH_ROUNDS];
    memcpy(sorted, c->ns, sizeof sorted);
    c->median = median_of(sorted, c->rounds);
    c->low = sorted[0];
    c->high = sorted[c->rounds - 1];
}

void bench_measure(bench_case *cases, int count, const bench_options *o)
{
    const int rounds = o->quick ? 3 : BENCH_ROUNDS, warm = o->quick ? 1 : 3;
    for (int round = -warm; round < rounds; round++)
        for (int k = 0; k < count; k++) {
            bench_case *c = &cases[k];
            const double begin = now_ns();
            c->sink = c->run(c->context, c->count);
            if (round >= 0) c->ns[round] = (now_ns() - begin) / (double)c->count;
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
    return rounds > 0 ? median_of(ratio, rounds) : (double)NAN;
}

/* The processor's name where Linux tells it, else the machine's architecture. */
static void processor(char *name, size_t size)
{
    char line[256];
    struct utsname u;
    snprintf(name, size, "%s", uname(&u) == 0 ? u.machine : "unknown");
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f)) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value) continue;
        value[strcspn(value, "\n")] = 0;
        snprintf(name, size, "%s", value + 2);
        break;
    }
    if (f) fclose(f);
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

/* A JSON string; what needs escaping does not occur in names of processors and compilers but for these. */
static void json_string(const char *s)
{
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') putchar('\\');
        if ((unsigned char)*s >= ' ') putchar(*s);
    }
    putchar('"');
}

void bench_open(bench_options *o, const char *benchmark)
{
    char name[128];
    const int rounds = o->quick ? 3 : BENCH_ROUNDS;
    processor(name, sizeof name);
    if (!o->json) {
        printf("%s: %s, %s%s%s, median of %d rounds after warm-up [least .. largest]\n", benchmark, name, compiler(),
               *BENCH_FLAGS ? ", " : "", BENCH_FLAGS, rounds);
        return;
    }
    printf("{\"benchmark\": ");
    json_string(benchmark);
    printf(", \"machine\": {\"processor\": ");
    json_string(name);
    printf(", \"compiler\": ");
    json_string(compiler());
    printf(", \"flags\": ");
    json_string(BENCH_FLAGS);
    printf("}, \"rounds\": %d, \"unit\": \"ns\", \"results\": [", rounds);
}

void bench_json_case(bench_options *o, const bench_case *c, const char *const *names, const double *values, int count)
{
    printf("%s\n  {\"name\": ", o->written++ ? "," : "");
    json_string(c->name);
    printf(", \"median\": %.4g, \"least\": %.4g, \"largest\": %.4g", c->median, c->low, c->high);
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        printf(", ");
        json_string(names[i]);
        printf(": %.10g", values[i]);
    }
    putchar('}');
}

void bench_close(bench_options *o)
{
    if (o->json) printf("\n]}\n");
}
