/* SPDX-License-Identifier: BSD-3-Clause */
#include "claims/consistency/catalog_bodies.h"

enum { MASSES = 16 };

/* Point masses with coordinates, of a plane or of space, and moments with angles: T = sum of mass |x'|^2/2 and moment
 * angle'^2/2. */
typedef struct bodies {
    double weight[MASSES], place[MASSES];
    int count;
} bodies;

static void add(bodies *b, double weight, double place)
{
    b->weight[b->count] = weight;
    b->place[b->count++] = place;
}

static double angle_of(const double *g)
{
    return atan2(g[3], g[2]);
}

/* A mass ahead of the point (x, y) by `ahead` along theta, with its moment of inertia. */
static void planar(bodies *b, double m, double I, const double *xy, double theta, double ahead)
{
    add(b, m, xy[0] + ahead * cos(theta));
    add(b, m, xy[1] + ahead * sin(theta));
    add(b, I, theta);
}

/* Parameters by name. */
static double of(const claim_system *s, const char *name)
{
    double value = NAN;
    return lg_model_get(s->M, name, &value) == LG_OK ? value : (double)NAN;
}

static void sleigh(bodies *b, const claim_system *s, const double *g)
{
    planar(b, of(s, "m"), of(s, "I"), g, angle_of(g), of(s, "a"));
}

static void sleigh_planar(bodies *b, const claim_system *s, const double *g)
{
    planar(b, of(s, "m"), of(s, "I"), g, g[2], of(s, "a"));
}

/* A car with a link on it: mass, moment, hinge of the car, mass, moment, length of the link. */
static void linked(bodies *b, const claim_system *s, const double *g)
{
    const double *p = s->S->parameter_values, theta = angle_of(g), hinge = p[2];
    const double xy[2] = {g[0] + hinge * cos(theta), g[1] + hinge * sin(theta)};
    planar(b, p[0], p[1], g, theta, 0);
    planar(b, p[3], p[4], xy, theta + g[4], p[5]);
}

static void trailer(bodies *b, const claim_system *s, const double *g)
{
    planar(b, of(s, "m"), of(s, "I"), g, angle_of(g), of(s, "a"));
    planar(b, of(s, "mt"), of(s, "It"), g + 4, angle_of(g + 4), of(s, "at"));
}

static void wheeled(bodies *b, const claim_system *s, const double *g)
{
    planar(b, of(s, "m"), of(s, "I"), g, angle_of(g), of(s, "a"));
    add(b, of(s, "Iw"), g[4]);
    add(b, of(s, "Iw"), g[5]);
}

/* The axles turn against each other; the rotor's angle is that in the plane. */
static void board(bodies *b, const claim_system *s, const double *xy, double theta, const double *shape)
{
    planar(b, of(s, "m"), of(s, "J"), xy, theta, 0);
    add(b, of(s, "J0"), shape[0]);
    add(b, of(s, "J1"), theta + shape[1]);
    add(b, of(s, "J1"), theta - shape[1]);
}

static void snakeboard(bodies *b, const claim_system *s, const double *g)
{
    board(b, s, g, angle_of(g), g + 4);
}

static void snakeboard_planar(bodies *b, const claim_system *s, const double *g)
{
    board(b, s, g, g[2], g + 3);
}

static void robot(bodies *b, const claim_system *s, const double *g)
{
    planar(b, of(s, "m"), of(s, "I"), g, g[2], 0);
    for (int i = 0; i < 3; i++) add(b, of(s, "Iw"), g[3]);
}

static void arm(bodies *b, const claim_system *s, const double *g)
{
    const double l1 = of(s, "l1"), l2 = of(s, "l2"), x = l1 * cos(g[0]), y = l1 * sin(g[0]);
    add(b, of(s, "m1"), x);
    add(b, of(s, "m1"), y);
    add(b, of(s, "m2"), x + l2 * cos(g[0] + g[1]));
    add(b, of(s, "m2"), y + l2 * sin(g[0] + g[1]));
}

static void pendulum(bodies *b, const claim_system *s, const double *g)
{
    for (int i = 0; i < 6; i++) add(b, of(s, i < 3 ? "m1" : "m2"), g[i]);
}

static void particle(bodies *b, const claim_system *s, const double *g)
{
    for (int i = 0; i < s->n; i++) add(b, 1, g[i]);
}

static const struct {
    const char *name;
    void (*tell)(bodies *b, const claim_system *s, const double *g);
} known[] = {
    {"chaplygin-sleigh", sleigh},
    {"chaplygin-sleigh-planar", sleigh_planar},
    {"mobile-arm", linked},
    {"roller-racer", linked},
    {"cart-trailer", trailer},
    {"two-wheeled-robot", wheeled},
    {"snakeboard", snakeboard},
    {"snakeboard-planar", snakeboard_planar},
    {"mobile-robot", robot},
    {"two-link-arm", arm},
    {"particle", particle},
    {"double-spherical-pendulum", pendulum},
    {"particle-quadratic", particle},
    {"contact-oscillator", particle},
    {"cvt", particle},
};

int claim_kinetic_of_bodies(const claim_system *s, const double *g, const double *xi, double *T)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60}, step = 1e-3;
    const char *name = lg_model_describe(s->M)->name;
    double rate[MASSES] = {0}, W[CLAIM_ELEMENT], x[CLAIM_DIM];
    bodies b = {.count = 0};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].name, name) != 0) continue;
        for (int k = -3; k <= 3; k++) {
            for (int j = 0; j < s->n; j++) x[j] = k * step * xi[j];
            if (k == 0 || lg_exp(s->G, W, x) != LG_OK || lg_compose(s->G, W, g, W) != LG_OK) continue;
            b.count = 0;
            known[i].tell(&b, s, W);
            for (int j = 0; j < b.count; j++) rate[j] += (k < 0 ? -weight[-k - 1] : weight[k - 1]) / step * b.place[j];
        }
        *T = 0;
        for (int j = 0; j < b.count; j++) *T += b.weight[j] * rate[j] * rate[j] / 2;
        return 1;
    }
    return 0;
}
