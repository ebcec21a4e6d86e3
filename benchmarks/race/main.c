/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_race: the race of trajectories; its options are in `usage`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/race/race.h"

typedef enum race_format { TEXT, JSON, MARKDOWN } race_format;

typedef struct job {
    int systems, times; /* bits */
    unsigned tables;
    int quick, fine;
    race_format format;
    race_limits limits;
    const char *output; /* the JSON too; or NULL */
    bench_report *r;
    race_results results;
} job;

static const char usage[] =
    "usage: bench_race [OPTION...]\n\n"
    "The cost of the state at a time T to a given error, for `gauss` and for other software.\n\n"
    "  --systems NAME,...  of chaplygin-sphere, rolling-disk, heavy-top, particle-quadratic, cvt, suslov, mobile-arm\n"
    "  --times T,...       of 10, 100, 1000\n"
    "  --tables NAME,...   of main, projected, reduced, widths, methods\n"
    "  --fine N            tolerances per decade (1)\n"
    "  --json, --markdown  instead of text\n"
    "  --output FILE       writes the JSON there, too\n"
    "  --quick             few runs, only to check that it works\n";

/* The bits of the names in a list; 0: one is unknown. */
static int bits_of(const char *list, const char *const *names, int count)
{
    int bits = 0;
    while (*list != '\0') {
        const size_t length = strcspn(list, ",");
        int found = 0;
        for (int i = 0; i < count; i++)
            if (strlen(names[i]) == length && strncmp(names[i], list, length) == 0) found |= 1 << i;
        if (found == 0) return 0;
        bits |= found;
        list += length + (list[length] == ',');
    }
    return bits;
}

static int take(job *j, const char *option, const char *value)
{
    static const char *const tables[] = {"main", "projected", "reduced", "widths", "methods"};
    static const char *const times[] = {"10", "100", "1000"};
    const char *systems[RACE_SYSTEMS];
    for (int i = 0; i < RACE_SYSTEMS; i++) systems[i] = race_systems[i].name;
    if (strcmp(option, "--systems") == 0) return (j->systems = bits_of(value, systems, RACE_SYSTEMS)) != 0;
    if (strcmp(option, "--times") == 0) return (j->times = bits_of(value, times, RACE_TIMES)) != 0;
    if (strcmp(option, "--tables") == 0) return (j->tables = (unsigned)bits_of(value, tables, 5)) != 0;
    if (strcmp(option, "--output") == 0) return (j->output = value) != NULL;
    if (strcmp(option, "--fine") == 0) return (j->fine = (int)strtol(value, NULL, 10)) >= 1 && j->fine <= 8;
    return 0;
}

/* Nonzero: the program ends, with the status less 1. */
static int read_options(job *j, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 1;
        }
        if (strcmp(argv[i], "--quick") == 0)
            j->quick = 1;
        else if (strcmp(argv[i], "--json") == 0)
            j->format = JSON;
        else if (strcmp(argv[i], "--markdown") == 0)
            j->format = MARKDOWN;
        else if (i + 1 < argc && take(j, argv[i], argv[i + 1]))
            i++;
        else {
            fprintf(stderr, "bench_race: wrong argument '%s'\n%s", argv[i], usage);
            return 3;
        }
    }
    return 0;
}

static void tell(const char *what, const char *system, double T)
{
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K%s, T = %g: %s", system, T, what);
}

/* All racers over one course. */
static void race(job *j, race_course *c, race_result *results)
{
    static race_ladder ladders[RACE_RACERS];
    int at[RACE_RACERS], n = 0;
    for (int i = 0; i < race_racer_count; i++) {
        const race_racer *r = &race_racers[i];
        if (i > 0 && !(r->tables & j->tables)) continue;
        tell(r->name, c->motion.label, c->T);
        race_climb(&ladders[n], r, c, &j->limits);
        at[n++] = i;
    }
    tell("the cheapest, in turn", c->motion.label, c->T);
    race_time(ladders, n, c, &j->limits);
    for (int k = 0; k < n; k++) race_keep(&results[at[k]], &ladders[k]);
}

/* Right-hand sides may differ from the library's accelerations, and series from them, by rounding only. */
static const double agreement = 1e-12, series_agreement = 1e-13;

/* Nonzero: they differ by more. */
static int disagree(job *j, race_course *c, double *checked)
{
    *checked = race_check(c);
    if (!(*checked <= agreement)) {
        bench_fail(j->r, "%s: the right-hand side differs from the library's accelerations by %.1e", c->motion.label,
                   *checked);
        return 1;
    }
    const double series = race_check_series(c);
    if (series <= series_agreement) return 0;
    bench_fail(j->r, "%s: the derivative of the Taylor series differs from the right-hand side by %.1e",
               c->motion.label, series);
    return 1;
}

static void race_on(job *j, int system)
{
    race_course c;
    int bad = race_open(&c, &race_systems[system]);
    j->results.checked[system] = (double)NAN;
    if (bad || !disagree(j, &c, &j->results.checked[system])) {
        for (int t = 0; t < RACE_TIMES && !bad; t++) {
            if (!(j->times & 1 << t)) continue;
            bad = race_set_time(&c, race_times[t]);
            if (!bad) race(j, &c, j->results.of[system][t]);
        }
        if (bad) bench_fail(j->r, "%s", c.motion.message);
    }
    race_close(&c);
}

static void say_command(job *j, int argc, char **argv)
{
    char text[300] = "Command: bench_race";
    for (int i = 1; i < argc; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %s", argv[i]);
    }
    bench_say(j->r, "%s", text);
    bench_say(
        j->r,
        "Steps by factors of %.2f; tolerances, relative and absolute alike, %d per decade; times of the thread, the "
        "best of %d runs or more of the %d cheapest settings; runs of more than %g s and ladders of more than %g s "
        "end.",
        j->limits.factor, j->limits.fine, j->limits.rounds, 3, j->limits.run, j->limits.ladder);
}

static void write_json(const job *j)
{
    FILE *f = fopen(j->output, "w");
    if (f != NULL) bench_report_json(j->r, f);
    if (f == NULL || fclose(f) != 0) bench_fail(j->r, "%s cannot be written", j->output);
}

int main(int argc, char **argv)
{
    static job j = {.systems = (1 << RACE_SYSTEMS) - 1, .times = (1 << RACE_TIMES) - 1, .tables = 31, .fine = 1};
    const int ends = read_options(&j, argc, argv);
    if (ends) return ends - 1;
    j.limits = j.quick ? (race_limits){0.02, 0.05, 2, 8, 6, 1, 1} : (race_limits){0.6, 8, 1.19, 80, 14, j.fine, 7};
    if (j.quick) j.times = 1;
    j.r = bench_report_begin("trajectories", j.quick);
    if (j.r == NULL) return 1;
    bench_report_protocol(j.r, j.limits.rounds, 1, bench_pin());
    for (int i = 0; i < race_racer_count; i++)
        if (race_racers[i].peer != NULL)
            bench_report_version(j.r, race_racers[i].peer->name, race_racers[i].peer->version);
    for (int i = 0; i < RACE_SYSTEMS; i++) {
        j.results.checked[i] = (double)NAN;
        if (j.systems & 1 << i) race_on(&j, i);
    }
    tell("", "", 0);
    race_write(j.r, &j.results, j.tables);
    say_command(&j, argc, argv);
    if (j.format == JSON)
        bench_report_json(j.r, stdout);
    else if (j.format == MARKDOWN)
        bench_report_markdown(j.r, stdout);
    else
        bench_report_print(j.r, stdout);
    if (j.output != NULL) write_json(&j);
    const int failed = bench_failure(j.r)[0] != '\0' || !bench_report_complete(j.r);
    if (failed) fprintf(stderr, "bench_race: %s\n", bench_failure(j.r));
    bench_report_end(j.r);
    return failed;
}
