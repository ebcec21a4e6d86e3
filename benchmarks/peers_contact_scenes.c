/* SPDX-License-Identifier: BSD-3-Clause */
/* The scenes of `bench_peers contact`, with what is known of them in closed form. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/peers_contact.h"

static const double g = 9.81;

static contact_scene bare(contact_shape shape, double mu, double e, double h, double seconds)
{
    contact_scene s = {.shape = shape, .mass = 1, .friction = mu, .restitution = e, .ground = 1, .bodies = 1};
    s.gravity[2] = -g, s.h = h, s.seconds = seconds;
    for (int i = 0; i < CONTACT_BODIES; i++) s.pose[i][6] = 1;
    return s;
}

static void round_bodies(contact_scene *s, double radius)
{
    s->size[0] = radius;
    for (int k = 0; k < 3; k++) s->inertia[k] = 0.4 * s->mass * radius * radius;
}

static void cubes(contact_scene *s, double half)
{
    for (int k = 0; k < 3; k++) s->size[k] = half, s->inertia[k] = s->mass * half * half / 1.5;
}

/* ---- a bouncing ball: its apex, 1 m at the start ---- */

static void make_bounce(contact_scene *s, int i)
{
    *s = bare(CONTACT_BALL, 0.5, i ? 0.8 : 1, 0.005, 10);
    (void)snprintf(s->name, sizeof s->name, "e = %g", s->restitution);
    round_bodies(s, 0.1);
    s->pose[0][2] = 1.1;
}

/* Of the parabola through the highest node of the nodes a to b and its neighbours, which an exact flight lies on. */
static double apex(const contact_run *r, int a, int b)
{
    int top = a < r->steps ? a : 0; /* a quick run ends before */
    if (b > r->steps) b = r->steps;
    for (int i = a; i < b; i++)
        if (r->first[i][2] > r->first[top][2]) top = i;
    if (top < 1 || top >= r->steps) return r->first[top][2];
    const double low = r->first[top - 1][2], mid = r->first[top][2], high = r->first[top + 1][2];
    const double bend = low - 2 * mid + high;
    return bend < 0 ? mid - (high - low) * (high - low) / (8 * bend) : mid;
}

static void judge_bounce(double *f, const contact_scene *s, const contact_run *r)
{
    const int e1 = s->restitution == 1;
    const double from = e1 ? 8 : 0.5, to = e1 ? 10 : 1.15;
    f[0] = apex(r, (int)lround(from / s->h), (int)lround(to / s->h)) - s->size[0] - (e1 ? 1 : 0.64);
    f[1] = r->energy - s->mass * g * s->size[0] - (e1 ? s->mass * g : 0);
    f[2] = r->end[0].x[2] - s->size[0], f[3] = r->rise;
}

/* ---- a block on an incline that just holds it ---- */

static void make_incline(contact_scene *s, int i)
{
    (void)i;
    const double tilt = 0.3;
    *s = bare(CONTACT_BOX, 1.0002 * tan(tilt), 0, 0.01, 4);
    (void)snprintf(s->name, sizeof s->name, "mu = 1.0002 tan 0.3");
    s->size[0] = 0.2, s->size[1] = s->size[2] = 0.1, s->inertia[0] = s->inertia[1] = s->inertia[2] = 0.01;
    s->gravity[0] = g * sin(tilt), s->gravity[2] = -g * cos(tilt), s->pose[0][2] = 0.1;
}

static void judge_incline(double *f, const contact_scene *s, const contact_run *r)
{
    (void)s;
    const int settled = r->steps / 4;
    f[0] = (r->first[r->steps][0] - r->first[settled][0]) / 3;
    f[1] = r->first[r->steps][0], f[2] = r->gap;
}

/* ---- a ball that slides until it rolls ---- */

static void make_bowling(contact_scene *s, int i)
{
    *s = bare(CONTACT_BALL, 0.2, 0, i ? 0.0025 : 0.01, 2);
    (void)snprintf(s->name, sizeof s->name, "h = %g", s->h);
    round_bodies(s, 0.1);
    s->pose[0][2] = 0.1, s->velocity[0][0] = 5;
}

static void judge_bowling(double *f, const contact_scene *s, const contact_run *r)
{
    const double a = s->friction * g, slides = 2 * 5 / (7 * a), v = 25.0 / 7;
    f[0] = r->end[0].x[0] - (5 * slides - 0.5 * a * slides * slides + v * (2 - slides));
    f[1] = r->end[0].v[0] - v, f[2] = r->end[0].v[0] - s->size[0] * r->end[0].w[1];
}

/* ---- Newton's cradle; the first ball hits the others at a node, or between two ---- */

static void make_cradle(contact_scene *s, int i)
{
    *s = bare(CONTACT_BALL, 0, 1, 0.005, 0.5);
    (void)snprintf(s->name, sizeof s->name, "hits %s", i ? "between nodes" : "at a node");
    round_bodies(s, 0.1);
    s->ground = 0, s->gravity[2] = 0, s->bodies = 5;
    for (int k = 0; k < 5; k++) s->pose[k][0] = 0.2 * k - (k > 0 ? 0 : i ? 0.103 : 0.1);
    s->velocity[0][0] = 1;
}

static void judge_cradle(double *f, const contact_scene *s, const contact_run *r)
{
    f[0] = 0;
    for (int k = 0; k < 4; k++) f[0] = fmax(f[0], fabs(r->end[k].v[0]));
    f[0] = fmax(f[0], fabs(r->end[4].v[0] - 1));
    f[1] = r->end[0].v[0], f[2] = r->end[3].v[0], f[3] = r->end[4].v[0], f[4] = 2 * r->energy / s->mass;
}

/* ---- a stack of ten, pushed; it slips as a whole above 49.05 N ---- */

static void make_stack(contact_scene *s, int i)
{
    static const double push[] = {0, 48, 50, 52, 55, 58};
    *s = bare(CONTACT_BOX, 0.5, 0, 0.005, 0.5);
    (void)snprintf(s->name, sizeof s->name, "%g N", push[i]);
    cubes(s, 0.1);
    s->stack = 1, s->push = push[i], s->bodies = 10;
    for (int k = 0; k < 10; k++) s->pose[k][2] = 0.1 + 0.2 * k;
}

static void judge_stack(double *f, const contact_scene *s, const contact_run *r)
{
    const double a = fmax(0, s->push / 10 - s->friction * g), T = s->seconds;
    const contact_state *top = &r->end[9];
    f[0] = r->end[0].x[0] - 0.5 * a * T * T, f[1] = top->x[0] - r->end[0].x[0], f[2] = top->x[1];
    f[3] = top->x[2] - 1.9;
}

/* ---- fifty balls, dropped from a start that does not overlap ---- */

static void make_balls(contact_scene *s, int i)
{
    unsigned seed = 1;
    (void)i;
    *s = bare(CONTACT_BALL, 0.4, 0.2, 0.005, 2);
    (void)snprintf(s->name, sizeof s->name, "50 balls");
    round_bodies(s, 0.2);
    s->bodies = 50;
    for (int k = 0; k < 50; k++) {
        const int cell[2] = {k % 3, k / 3 % 3};
        for (int j = 0; j < 2; j++) {
            seed = 1664525 * seed + 1013904223;
            s->pose[k][j] = 0.43 * cell[j] + 0.02 * (seed >> 8) / (1 << 24);
        }
        s->pose[k][2] = 0.25 + 0.45 * (k / 9);
    }
}

static void judge_balls(double *f, const contact_scene *s, const contact_run *r)
{
    (void)s;
    f[0] = r->gap, f[1] = r->rise, f[2] = r->energy - r->start;
}

/* ---- a chain of ten that falls on the ground ---- */

static void make_chain(contact_scene *s, int i)
{
    static const double h[] = {0.01, 0.005, 0.0025, 0.001};
    const double length = 0.3, up = 0.6;
    *s = bare(CONTACT_CAPSULE, 0.4, 0, h[i], 2);
    (void)snprintf(s->name, sizeof s->name, "h = %g", h[i]);
    s->size[0] = 0.03, s->size[1] = 0.5 * length - s->size[0];
    s->inertia[0] = s->inertia[1] = 0.0085, s->inertia[2] = 0.002;
    s->joints = 1, s->bodies = 10;
    for (int k = 0; k < 10; k++) {
        const double along = length * (k + 0.5), half = 0.5 * (acos(0.0) - up);
        s->pose[k][0] = along * cos(up), s->pose[k][2] = 0.2 + along * sin(up);
        s->pose[k][4] = sin(half), s->pose[k][6] = cos(half);
    }
}

static void judge_chain(double *f, const contact_scene *s, const contact_run *r)
{
    (void)s;
    f[0] = r->gap, f[1] = r->joints, f[2] = r->rise, f[3] = r->energy - r->start;
}

const contact_family contact_families[] = {
    {"bounce",
     "A ball bounces from 1 m, h = 0.005, 10 s",
     {"apex - exact, m", "H(10 s) - exact, J", "height(10 s), m", "rise of H in a step, J"},
     3,
     2,
     make_bounce,
     judge_bounce},
    {"incline",
     "A block on an incline that just holds it, h = 0.01, 4 s",
     {"creep after 1 s, m/s", "moved, m", "least gap, m"},
     1,
     1,
     make_incline,
     judge_incline},
    {"bowling",
     "A ball slides, then rolls, 2 s",
     {"x - exact, m", "v - 5/7 v0, m/s", "slip, m/s"},
     1,
     2,
     make_bowling,
     judge_bowling},
    {"cradle",
     "Newton's cradle of five, 1 m/s, h = 0.005",
     {"largest error, m/s", "v1", "v4", "v5", "H/H0"},
     5,
     2,
     make_cradle,
     judge_cradle},
    {"stack",
     "A stack of ten, pushed at its base, h = 0.005, 0.5 s",
     {"x - exact, m", "top leans along, m", "across, m", "top sinks, m"},
     1,
     6,
     make_stack,
     judge_stack},
    {"balls",
     "Fifty balls dropped, h = 0.005, 2 s",
     {"least gap, m", "rise of H in a step, J", "H - H0, J"},
     3,
     1,
     make_balls,
     judge_balls},
    {"chain",
     "A chain of ten capsules falls on the ground, 2 s",
     {"least gap, m", "joints open, m", "rise of H in a step, J", "H - H0, J"},
     3,
     4,
     make_chain,
     judge_chain},
};
const int contact_family_count = sizeof contact_families / sizeof contact_families[0];
