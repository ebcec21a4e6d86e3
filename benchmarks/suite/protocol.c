/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>

#include "benchmarks/suite/bench.h"
#include "benchmarks/suite/report_private.h"

void bench_begin(bench_report *r, const bench_settings *s, int rounds)
{
    bench_report_protocol(r, s->quick ? 3 : rounds, s->quick ? 1 : rounds < 10 ? 1 : 3, bench_pin());
}

void bench_time(bench_report *r, bench_case *cases, int count)
{
    bench_rounds(cases, count, r->rounds, r->warm);
}

void bench_tell(const bench_settings *s, const char *format, ...)
{
    char text[160];
    va_list arguments;
    if (s->progress == NULL) return;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    s->progress(text);
}
