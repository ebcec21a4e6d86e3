/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms: chains and a four-bar by sem and rattle, and by the peers, in one run. A row has the time of a step and
 * body, the largest change of the energy, and how far the loop opens. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/suite/dynamics.h"
#include "benchmarks/suite/racer.h"
#include "benchmarks/suite/trajectories.h"

enum { PEERS = 6, OURS = 3, SAMPLES = 50 };

static double run(void *context, long count)
{
    bench_racer *r = context;
    if (!r->started) bench_racer_start(r);
    if (bench_racer_step(r, count)) return (double)NAN;
    return r->peer != NULL ? r->peer->energy(r->opened) : lg_motion_energy(r->mo);
}

/* The largest |H - H_0| and gap over a long run; NaN: it failed. */
static void watch(bench_racer *r, long steps, double *energy, double *gap)
{
    bench_racer_start(r);
    double H = 0;
    *energy = *gap = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        if (i > 0 && bench_racer_step(r, steps / SAMPLES)) {
            *energy = *gap = (double)NAN;
            return;
        }
        const double now = r->peer != NULL ? r->peer->energy(r->opened) : lg_motion_energy(r->mo);
        const double open = r->peer != NULL ? r->peer->gap(r->opened) : lg_motion_gap(r->mo);
        if (i == 0) H = now;
        if (!(fabs(now - H) <= *energy)) *energy = fabs(now - H);
        if (!(open <= *gap)) *gap = open;
    }
}

static int open_all(bench_report *report, const bench_settings *s, const bench_mechanism *what, bench_racer *all)
{
    static const char *const ours[OURS] = {"sem", "rattle", "gauss"};
    int count = 0;
    for (int i = 0; i < OURS; i++) {
        bench_racer *r = &all[count++];
        *r = (bench_racer){.what = what, .name = ours[i]};
        const char *why = bench_racer_open(r);
        if (why != NULL) bench_fail(report, "mechanisms: %s, %s: %s", what->name, ours[i], why);
    }
    for (int i = 0; s->mechanism_peers != NULL && s->mechanism_peers[i] != NULL && i < PEERS; i++) {
        bench_racer *r = &all[count];
        *r = (bench_racer){.what = what, .peer = s->mechanism_peers[i], .name = s->mechanism_peers[i]->name};
        if (bench_racer_open(r) == NULL) count++;
    }
    return count;
}

static void close_all(bench_racer *all, int count)
{
    for (int i = 0; i < count; i++) bench_racer_close(&all[i]);
}

static void race(bench_report *report, const bench_settings *s, const bench_mechanism *what, long steps, double seconds)
{
    bench_racer all[OURS + PEERS];
    bench_case cases[OURS + PEERS];
    const int count = open_all(report, s, what, all);
    if (bench_failure(report)[0] == '\0') {
        for (int i = 0; i < count; i++)
            cases[i] = (bench_case){.name = all[i].name, .run = run, .context = &all[i], .count = steps};
        bench_time(report, cases, count);
        for (int i = 0; i < count; i++) {
            double energy, gap;
            const long watched = s->quick ? SAMPLES : lround(seconds / what->h);
            watch(&all[i], watched, &energy, &gap);
            bench_row(report);
            bench_text(report, what->name), bench_text(report, all[i].name);
            bench_number(report, what->h);
            bench_number(report, cases[i].median / what->links);
            bench_number(report, bench_ratio(&cases[i], &cases[0]));
            bench_number(report, energy), bench_number(report, gap);
            if (i < OURS && (gap > 1e-12 || (i == 0 && isnan(gap)))) /* rattle refuses steps that are too large */
                bench_fail(report, "mechanisms: %s opens by %g", what->name, gap);
        }
    }
    close_all(all, count);
}

void bench_mechanisms(bench_report *r, const bench_settings *s)
{
    static const struct {
        bench_mechanism what;
        long steps;
        double seconds;
    } races[] = {
        {{"spherical chain, 90 links", 90, 1, 0, 1e-4, 0}, 100, 0.1},
        {{"revolute chain, 90 links", 90, 0, 0, 1e-4, 0}, 100, 0.1},
        {{"spherical chain, 100 links", 100, 1, 0, 1e-4, 0}, 100, 0.1},
        {{"revolute chain, 100 links", 100, 0, 0, 1e-4, 0}, 100, 0.1},
        {{"spherical chain, 10000 links", 10000, 1, 0, 1e-4, 0}, 5, 0.005},
        {{"revolute chain, 10000 links", 10000, 0, 0, 1e-4, 0}, 5, 0.005},
        {{"revolute chain, 10 links", 10, 0, 0, 1e-3, 0}, 500, 100},
        {{"revolute chain, 10 links", 10, 0, 0, 1e-2, 0}, 100, 1000},
        {{"four-bar", 3, 0, 1, 1e-3, 6}, 1000, 20},
    };
    bench_begin(r, s, BENCH_FEW);
    for (int i = 0; s->mechanism_peers != NULL && s->mechanism_peers[i] != NULL; i++)
        bench_report_version(r, s->mechanism_peers[i]->name, s->mechanism_peers[i]->version);
    bench_table(r, "mechanisms", "Mechanisms: a step, what the energy changes by, how far the joints open");
    bench_column(r, "mechanism", NULL), bench_column(r, "method", NULL);
    bench_column(r, "h", "%g");
    bench_column(r, "ns per step and body", "%.0f"), bench_column(r, "relative to sem", "%.2f");
    bench_column(r, "energy, J", "%.2g"), bench_column(r, "gap, m", "%.2g");
    for (size_t i = 0; i < sizeof races / sizeof races[0]; i++) {
        if (s->quick && races[i].what.links > 1000) continue; /* they take seconds to be assembled */
        bench_tell(s, "%s", races[i].what.name);
        race(r, s, &races[i].what, s->quick ? 5 : races[i].steps, races[i].seconds);
    }
    bench_trajectories(r, s);
    bench_dynamics(r, s);
}
