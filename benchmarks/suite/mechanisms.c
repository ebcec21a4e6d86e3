/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms: chains and a four-bar by sem and rattle, and by the peers, in one run. A row has the time of a step and
 * body, the largest change of the energy, and how far the loop opens. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/suite/bench.h"

enum { PEERS = 6, OURS = 2, SAMPLES = 50 };

/* One line of the table: ours, or a peer's. */
typedef struct racer {
    const bench_mechanism *what;
    const char *name;
    const bench_mechanism_peer *peer;
    void *opened;
    lg_mechanism *m;
    lg_motion *mo;
    int started;
} racer;

static lg_status add_link(lg_mechanism *m, const bench_mechanism *what, int i, const double *from, const double *to)
{
    static const double row[4][3] = {{0, 0, 0}, {0, 0, 0.5}, {0.9, 0, 0.8}, {0.9, 0, 0}};
    char name[16], parent[16];
    (void)snprintf(name, sizeof name, "link%d", i), (void)snprintf(parent, sizeof parent, "link%d", i - 1);
    lg_body b = lg_body_default(name);
    b.mass = 1, b.inertia[0] = 0.01, b.inertia[1] = b.inertia[2] = 0.03;
    if (what->loop) from = row[i], to = row[i + 1];
    for (int k = 0; k < 3; k++) b.position[k] = 0.5 * (from[k] + to[k]);
    const double half = 0.5 * atan2(from[2] - to[2], to[0] - from[0]); /* x leads from end to end */
    b.attitude[1] = sin(half), b.attitude[3] = cos(half);
    lg_status st = lg_mechanism_add_body(m, NULL, &b);
    if (st != LG_OK) return st;
    lg_joint j =
        lg_joint_default(name, what->spherical ? LG_JOINT_SPHERICAL : LG_JOINT_REVOLUTE, i > 0 ? parent : NULL, name);
    memcpy(j.point, from, sizeof j.point);
    const int y = what->loop || i % 2 == 0;
    j.axis[0] = 0, j.axis[1] = y ? 1 : 0, j.axis[2] = y ? 0 : 1;
    st = lg_mechanism_add_joint(m, NULL, &j);
    if (st != LG_OK || !what->loop || i < what->links - 1) return st;
    j.name = "ground", j.parent = name, j.child = NULL;
    memcpy(j.point, to, sizeof j.point);
    return lg_mechanism_add_joint(m, NULL, &j);
}

static void start(racer *r)
{
    r->started = 1;
    if (r->peer != NULL) {
        r->peer->reset(r->opened);
        return;
    }
    double *v = calloc((size_t)lg_motion_position_count(r->mo) + 1, sizeof *v);
    if (v == NULL) return;
    v[0] = r->what->speed;
    if (lg_motion_start(r->mo, 0, NULL, v, 1) != LG_OK) v[0] = 0;
    free(v);
}

static const char *open_ours(racer *r)
{
    lg_status st = lg_mechanism_create(&r->m);
    for (int i = 0; st == LG_OK && i < r->what->links; i++) {
        const double from[3] = {0.5 * i, 0, 0}, to[3] = {0.5 * i + 0.5, 0, 0};
        st = add_link(r->m, r->what, i, from, to);
    }
    if (st == LG_OK) st = lg_mechanism_compile(r->m);
    if (st != LG_OK) return lg_mechanism_message(r->m);
    st = lg_motion_create(&r->mo, r->m, r->name, r->what->h);
    return st == LG_OK ? NULL : lg_motion_message(r->mo);
}

static double run(void *context, long count)
{
    racer *r = context;
    if (!r->started) start(r);
    if (r->peer != NULL ? r->peer->step(r->opened, count) : lg_motion_step(r->mo, count) != LG_OK) return (double)NAN;
    return r->peer != NULL ? r->peer->energy(r->opened) : lg_motion_energy(r->mo);
}

/* The largest |H - H_0| and gap over a long run; NaN: it failed. */
static void watch(racer *r, long steps, double *energy, double *gap)
{
    start(r);
    double H = 0;
    *energy = *gap = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        if (i > 0 && (r->peer != NULL ? r->peer->step(r->opened, steps / SAMPLES)
                                      : lg_motion_step(r->mo, steps / SAMPLES) != LG_OK)) {
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

static int open_all(bench_report *report, const bench_settings *s, const bench_mechanism *what, racer *all)
{
    static const char *const ours[OURS] = {"sem", "rattle"};
    int count = 0;
    for (int i = 0; i < OURS; i++) {
        racer *r = &all[count++];
        *r = (racer){.what = what, .name = ours[i]};
        const char *why = open_ours(r);
        if (why != NULL) bench_fail(report, "mechanisms: %s, %s: %s", what->name, ours[i], why);
    }
    for (int i = 0; s->mechanism_peers != NULL && s->mechanism_peers[i] != NULL && i < PEERS; i++) {
        racer *r = &all[count];
        *r = (racer){.what = what, .peer = s->mechanism_peers[i], .name = s->mechanism_peers[i]->name};
        r->opened = r->peer->open(what);
        if (r->opened != NULL) count++;
    }
    return count;
}

static void close_all(racer *all, int count)
{
    for (int i = 0; i < count; i++) {
        if (all[i].opened != NULL) all[i].peer->close(all[i].opened);
        lg_motion_destroy(all[i].mo);
        lg_mechanism_destroy(all[i].m);
    }
}

static void race(bench_report *report, const bench_settings *s, const bench_mechanism *what, long steps, double seconds)
{
    racer all[OURS + PEERS];
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
}
