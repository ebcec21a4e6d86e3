/* SPDX-License-Identifier: BSD-3-Clause */
#include "benchmarks/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                    "%s\n  --quick  few small rounds, only to check that it runs\n  --json   results as JSON\n", what);
            exit(help ? 0 : 2);
        }
    }
    return o;
}

static int rounds_of(const bench_options *o)
{
    return o->quick ? 3 : BENCH_ROUNDS;
}

void bench_measure(bench_case *cases, int count, const bench_options *o)
{
    bench_rounds(cases, count, rounds_of(o), o->quick ? 1 : 3);
}

/* In names of processors and compilers only these characters need escaping. */
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
    bench_machine m;
    const int pinned = bench_pin() >= 0;
    bench_look(&m);
    if (!o->json) {
        printf("%s: %s, %s %s, median of %d rounds after warm-up [least .. largest]\n", benchmark, m.processor,
               m.compiler, m.flags, rounds_of(o));
        return;
    }
    printf("{\"benchmark\": ");
    json_string(benchmark);
    printf(", \"machine\": {\"processor\": ");
    json_string(m.processor);
    printf(", \"compiler\": ");
    json_string(m.compiler);
    printf(", \"flags\": ");
    json_string(m.flags);
    printf("}, \"rounds\": %d, \"pinned\": %s, \"unit\": \"ns\", \"results\": [", rounds_of(o),
           pinned ? "true" : "false");
}

void bench_json_case(bench_options *o, const bench_case *c, const char *const *names, const double *values, int count)
{
    printf("%s\n  {\"name\": ", o->written++ ? "," : "");
    json_string(c->name);
    printf(", \"median\": %.4g, \"first_quartile\": %.4g, \"third_quartile\": %.4g, \"least\": %.4g, \"largest\": %.4g",
           c->median, c->first, c->third, c->low, c->high);
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
