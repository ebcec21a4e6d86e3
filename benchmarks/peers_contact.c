/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_peers contact: contact by sem and by engines, in one run. All scenes have one step h for all; settings beyond
 * an engine's defaults may divide it. Rows: the library; each engine with its defaults and with the setting whose first
 * figure is the smallest. Energy, gaps and openings follow from the poses and velocities at the nodes in the same way
 * for all. A step's time is the least of several runs. */
#include "benchmarks/peers_contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, SETTINGS = 8, QUICK_STEPS = 10 };

static const contact_peer *const peers[] = {
    &contact_liegrp,
#ifdef WITH_MUJOCO
    &contact_mujoco,
#endif
#ifdef WITH_ODE
    &contact_ode_step,
    &contact_ode_quick,
#endif
#ifdef WITH_BULLET
    &contact_bullet,
#endif
    NULL,
};

/* The vector d of a body's frame in space, or back. */
static void turn(double *out, const double *q, const double *d, int back)
{
    double R[9];
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    R[0] = 1 - 2 * (y * y + z * z), R[1] = 2 * (x * y - w * z), R[2] = 2 * (x * z + w * y);
    R[3] = 2 * (x * y + w * z), R[4] = 1 - 2 * (x * x + z * z), R[5] = 2 * (y * z - w * x);
    R[6] = 2 * (x * z - w * y), R[7] = 2 * (y * z + w * x), R[8] = 1 - 2 * (x * x + y * y);
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (int k = 0; k < 3; k++) out[i] += (back ? R[3 * k + i] : R[3 * i + k]) * d[k];
    }
}

static double energy(const contact_scene *s, const contact_state *all)
{
    double H = 0;
    for (int i = 0; i < s->bodies; i++) {
        double w[3];
        turn(w, all[i].q, all[i].w, 1);
        for (int k = 0; k < 3; k++)
            H += 0.5 * (s->mass * all[i].v[k] * all[i].v[k] + s->inertia[k] * w[k] * w[k]) -
                 s->mass * s->gravity[k] * all[i].x[k];
    }
    return H;
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Of a body's lowest point above the ground. */
static double height(const contact_scene *s, const contact_state *b)
{
    double low = 0, axis[3];
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        turn(axis, b->q, e, 0);
        if (s->shape == CONTACT_BOX) low += s->size[k] * fabs(axis[2]);
    }
    if (s->shape != CONTACT_BOX) low = s->size[0];
    if (s->shape == CONTACT_CAPSULE) low += s->size[1] * fabs(axis[2]);
    return b->x[2] - low;
}

/* Gaps to the ground and between balls, and openings of joints. */
static void look(const contact_scene *s, contact_run *r, const contact_state *all)
{
    const double up[3] = {0, 0, s->size[0] + s->size[1]}, down[3] = {0, 0, -up[2]};
    for (int i = 0; i < s->bodies; i++) {
        if (s->ground && (!s->stack || i == 0)) r->gap = fmin(r->gap, height(s, &all[i]));
        for (int j = 0; s->shape == CONTACT_BALL && j < i; j++)
            r->gap = fmin(r->gap, distance(all[i].x, all[j].x) - 2 * s->size[0]);
        if (!s->joints || i == 0) continue;
        double a[3], b[3];
        turn(a, all[i - 1].q, up, 0), turn(b, all[i].q, down, 0);
        for (int k = 0; k < 3; k++) a[k] += all[i - 1].x[k], b[k] += all[i].x[k];
        r->joints = fmax(r->joints, distance(a, b));
    }
}

/* At node k; returns whether the state is one. */
static int note(const contact_peer *p, void *opened, const contact_scene *s, contact_run *r, int k)
{
    double H, account = 0;
    static const double none[3];
    for (int i = 0; i < s->bodies; i++) {
        p->read(opened, &r->end[i], i);
        if (!(distance(r->end[i].x, none) < 1e3)) return 0;
    }
    if (p->energy != NULL)
        p->energy(opened, &H, &account);
    else
        H = energy(s, r->end);
    if (k == 0) r->start = r->energy = H;
    r->rise = fmax(r->rise, H - r->energy), r->energy = H;
    r->balance = p->energy != NULL ? fmax(k > 0 ? r->balance : 0, fabs(H - r->start - account)) : (double)NAN;
    look(s, r, r->end);
    memcpy(r->first[k], r->end[0].x, sizeof r->first[k]);
    return isfinite(H);
}

static void watch(const contact_peer *p, int setting, const contact_scene *s, contact_run *r)
{
    void *opened = p->open(s, setting);
    r->failed = opened == NULL || !note(p, opened, s, r, 0);
    for (int k = 1; !r->failed && k <= r->steps; k++) r->failed = p->step(opened) || !note(p, opened, s, r, k);
    if (opened != NULL) p->close(opened);
}

static void take_time(const contact_peer *p, int setting, const contact_scene *s, contact_run *r)
{
    void *opened = p->open(s, setting);
    if (opened == NULL) return;
    const double begin = bench_clock();
    for (int k = 1; k <= r->steps; k++)
        if (p->step(opened)) break;
    r->us = fmin(r->us, 1e-3 * (bench_clock() - begin) / r->steps);
    p->close(opened);
}

/* One engine with one setting. */
static contact_run run(const contact_peer *p, int setting, const contact_scene *s, int rounds)
{
    contact_run r = {.us = INFINITY, .gap = INFINITY};
    r.steps = (int)lround(s->seconds / s->h);
    r.first = calloc((size_t)r.steps + 2, sizeof *r.first);
    r.failed = 1;
    if (r.first == NULL) return r;
    watch(p, setting, s, &r);
    for (int i = 0; i < rounds && !r.failed; i++) take_time(p, setting, s, &r);
    return r;
}

typedef struct row {
    contact_run run;
    double figure[CONTACT_FIGURES];
} row;

static void print(bench_report *report, const contact_family *f, const contact_scene *s, const char *engine,
                  const char *setting, const row *w, double ours)
{
    bench_row(report);
    bench_text(report, s->name), bench_text(report, engine), bench_text(report, setting);
    for (int k = 0; f->column[k] != NULL; k++) bench_number(report, w->figure[k]);
    bench_number(report, w->run.balance);
    bench_number(report, w->run.failed ? (double)NAN : w->run.us);
    bench_number(report, w->run.failed ? (double)NAN : ours / w->run.us);
}

static int better(const row *a, const row *b)
{
    return !a->run.failed && (b->run.failed || fabs(a->figure[0]) < fabs(b->figure[0]));
}

/* All settings of one engine; prints those of the library that the family asks for, of others the first and the best.
 * Returns the time of the first. */
static double measure(bench_report *report, const bench_settings *settings, const contact_family *f,
                      const contact_scene *s, const contact_peer *p, double ours)
{
    static row rows[SETTINGS];
    char text[128];
    int count = 0, best = 0;
    const int own = p == &contact_liegrp;
    for (; p->settings[count] != NULL && count < SETTINGS; count++) {
        row *w = &rows[count];
        if (own && !(f->ours >> count & 1)) continue;
        bench_tell(settings, "%s, %s: %s, %s", f->name, s->name, p->name, p->settings[count]);
        w->run = run(p, count, s, settings->quick ? 1 : ROUNDS);
        for (int k = 0; k < CONTACT_FIGURES; k++) w->figure[k] = (double)NAN;
        if (w->run.failed && own) bench_fail(report, "contact: %s, %s: the library fails", f->name, s->name);
        if (!w->run.failed) f->figures(w->figure, s, &w->run);
        free(w->run.first);
        if (own && count == 0) ours = w->run.us;
        if (own) print(report, f, s, p->name, p->settings[count], w, ours);
        if (!own && count > 0 && better(w, &rows[best])) best = count;
    }
    if (own) return ours;
    (void)snprintf(text, sizeof text, "defaults%s", best == 0 ? ", the best" : "");
    print(report, f, s, p->name, text, &rows[0], ours);
    (void)snprintf(text, sizeof text, "best: %s", p->settings[best]);
    if (best > 0) print(report, f, s, p->name, text, &rows[best], ours);
    return ours;
}

void bench_contact(bench_report *r, const bench_settings *settings)
{
    static contact_scene s;
    bench_report_protocol(r, settings->quick ? 1 : ROUNDS, 1, bench_pin());
    bench_say(r, "Times are the least of the rounds.");
    for (int i = 1; peers[i] != NULL; i++) bench_report_version(r, peers[i]->name, peers[i]->version);
    for (int i = 0; i < contact_family_count; i++) {
        const contact_family *f = &contact_families[i];
        bench_table(r, f->name, f->title);
        bench_column(r, "scene", NULL), bench_column(r, "engine", NULL), bench_column(r, "setting", NULL);
        for (int k = 0; f->column[k] != NULL; k++) bench_column(r, f->column[k], "%.3g");
        bench_column(r, "balance, J", "%.1g"), bench_column(r, "us a step", "%.4g");
        bench_column(r, "sem/engine", "%.2f");
        for (int k = 0; k < (settings->quick ? 1 : f->scenes); k++) {
            double ours = (double)NAN;
            f->make(&s, k);
            if (settings->quick) s.seconds = QUICK_STEPS * s.h;
            for (int j = 0; peers[j] != NULL; j++) ours = measure(r, settings, f, &s, peers[j], ours);
        }
    }
}
