/* SPDX-License-Identifier: BSD-3-Clause */
#include "claims/consistency/catalog_bodies.h"

enum { MASSES = 16 };

/* Point masses with coordinates, of a plane or of space, and moments with angles: T = sum of mass |x'|^2/2 and moment
 * angle'^2/2; and one body in space with Euler's matrix E = tr(I)/2 - I, T = tr(R' E R'^T)/2. */
typedef struct bodies {
    double weight[MASSES], place[MASSES];
    int count, solid;
    double E[9], R[9];
    double V; /* m g times heights; NaN: other potentials */
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

/* A mass at distance `ahead` from the point (x, y) along theta, with its moment of inertia. */
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
    return lg_model_get(s->M, &value, name) == LG_OK ? value : (double)NAN;
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
    b->V = -of(s, "g") * (b->weight[0] * b->place[0] + b->weight[2] * b->place[2]); /* x points down */
}

static void pendulum(bodies *b, const claim_system *s, const double *g)
{
    for (int i = 0; i < 6; i++) add(b, of(s, i < 3 ? "m1" : "m2"), g[i]);
    b->V = of(s, "g") * (of(s, "m1") * g[2] + of(s, "m2") * g[5]);
}

static void particle(bodies *b, const claim_system *s, const double *g)
{
    for (int i = 0; i < s->n; i++) add(b, 1, g[i]);
}

/* A body with these six entries of its inertia and the attitude q. */
static void solid(bodies *b, double I11, double I12, double I13, double I22, double I23, double I33, const double *q)
{
    const double half = (I11 + I22 + I33) / 2;
    const double E[9] = {half - I11, -I12, -I13, -I12, half - I22, -I23, -I13, -I23, half - I33};
    memcpy(b->E, E, sizeof E);
    lg_so3_to_matrix(b->R, q);
    b->solid = 1;
}

static void full(bodies *b, const claim_system *s, const double *q)
{
    solid(b, of(s, "I11"), of(s, "I12"), of(s, "I13"), of(s, "I22"), of(s, "I23"), of(s, "I33"), q);
}

static void principal(bodies *b, const claim_system *s, const double *q)
{
    solid(b, of(s, "I1"), 0, 0, of(s, "I2"), 0, of(s, "I3"), q);
}

static void one_moment(bodies *b, const claim_system *s, const double *q)
{
    solid(b, of(s, "I"), 0, 0, of(s, "I"), 0, of(s, "I"), q);
}

static void ball(bodies *b, const claim_system *s, const double *g)
{
    for (int i = 0; i < 2; i++) add(b, of(s, "m"), g[i]);
    principal(b, s, g + 2);
}

/* Height of the point chi of the body. */
static double lift(const claim_system *s, const double *q)
{
    const double chi[3] = {of(s, "chi1"), of(s, "chi2"), of(s, "chi3")};
    double x[3];
    lg_so3_act(x, q, chi);
    return x[2];
}

/* The height of the centre of mass is not a coordinate of its own. */
static void top(bodies *b, const claim_system *s, const double *g)
{
    const double height = of(s, "r") + lift(s, g + 2);
    ball(b, s, g);
    add(b, of(s, "m"), height);
    b->V = of(s, "m") * of(s, "g") * height;
}

static void fixed_top(bodies *b, const claim_system *s, const double *q)
{
    principal(b, s, q);
    b->V = of(s, "m") * of(s, "g") * lift(s, q);
}

static void veselova(bodies *b, const claim_system *s, const double *q)
{
    full(b, s, q);
    b->V = lift(s, q); /* chi is an energy */
}

static void in_space(bodies *b, const claim_system *s, const double *g)
{
    for (int i = 0; i < 3; i++) add(b, of(s, "m"), g[i]);
    b->V = of(s, "m") * of(s, "g") * g[2];
}

static void stone(bodies *b, const claim_system *s, const double *g)
{
    in_space(b, s, g);
    full(b, s, g + 3);
}

static void disk(bodies *b, const claim_system *s, const double *g)
{
    in_space(b, s, g);
    solid(b, of(s, "Id"), 0, 0, of(s, "Id"), 0, of(s, "Ia"), g + 3);
}

static void on_table(bodies *b, const claim_system *s, const double *g)
{
    for (int i = 0; i < 2; i++) add(b, of(s, "m"), g[i]);
    add(b, of(s, "It"), g[2]);
    one_moment(b, s, g + 3);
    b->V = of(s, "m") * of(s, "g") * sin(of(s, "tilt")) * g[0];
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
    {"rigid-body", principal},
    {"heavy-top", fixed_top},
    {"suslov", full},
    {"veselova-top", veselova},
    {"rolling-ball", ball},
    {"chaplygin-sphere", ball},
    {"turntable", ball},
    {"chaplygin-top", top},
    {"rattleback", stone},
    {"rolling-disk", disk},
    {"rolling-disk-exact", disk},
    {"ball-on-inclined-turntable", on_table},
    {"biinvariant-so3", one_moment},
};

static int find(const claim_system *s)
{
    for (int i = 0; i < (int)(sizeof known / sizeof known[0]); i++)
        if (strcmp(known[i].name, lg_model_describe(s->M)->name) == 0) return i;
    return -1;
}

int claim_kinetic_of_bodies(const claim_system *s, const double *g, const double *xi, double *T)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60}, step = 1e-3;
    const int which = find(s);
    double rate[MASSES] = {0}, turn[9] = {0}, W[CLAIM_ELEMENT], x[CLAIM_DIM];
    bodies b = {.count = 0};
    if (which < 0) return 0;
    for (int k = -3; k <= 3; k++) {
        const double w = k == 0 ? 0 : (k < 0 ? -weight[-k - 1] : weight[k - 1]) / step;
        for (int j = 0; j < s->n; j++) x[j] = k * step * xi[j];
        if (k == 0 || lg_group_exp(s->G, W, x) != LG_OK || lg_group_compose(s->G, W, g, W) != LG_OK) continue;
        b.count = 0;
        known[which].tell(&b, s, W);
        for (int j = 0; j < b.count; j++) rate[j] += w * b.place[j];
        for (int j = 0; j < 9; j++) turn[j] += w * b.R[j];
    }
    *T = 0;
    for (int j = 0; j < b.count; j++) *T += b.weight[j] * rate[j] * rate[j] / 2;
    for (int j = 0; b.solid && j < 27; j++)
        *T += turn[j / 9 * 3 + j % 3] * b.E[j % 9] * turn[j / 9 * 3 + j % 9 / 3] / 2;
    return 1;
}

int claim_weight_of_bodies(const claim_system *s, const double *g, double *V)
{
    const int which = find(s);
    bodies b = {.V = NAN};
    if (which < 0) return 0;
    known[which].tell(&b, s, g);
    *V = b.V;
    return !isnan(b.V);
}

/* A motor and a brake on every wheel; rolling and spinning friction between ball and table, and a bearing. */
int claim_power_of_forces(const claim_system *s, const double *g, const double *xi, const double *u, double *power)
{
    const char *name = lg_model_describe(s->M)->name;
    *power = 0;
    if (strcmp(name, "two-wheeled-robot") == 0) {
        const double torque[2] = {of(s, "tau_left"), of(s, "tau_right")};
        for (int i = 0; i < 2; i++) *power += (torque[i] + u[i] - of(s, "c") * xi[3 + i]) * xi[3 + i];
        return 1;
    }
    if (strcmp(name, "ball-on-inclined-turntable") == 0) {
        double w[3];
        lg_so3_act(w, g + 3, xi + 3);
        w[2] -= xi[2];
        *power = u[0] * xi[2] - of(s, "bearing") * xi[2] * xi[2];
        for (int i = 0; i < 3; i++) *power -= of(s, "friction") * w[i] * w[i];
        return 1;
    }
    return 0;
}

int claim_spin_of(const claim_system *s, const double *g, const double *xi, double *spin)
{
    double w[3];
    if (strcmp(lg_model_describe(s->M)->name, "rattleback") != 0) return 0;
    lg_so3_act(w, g + 3, xi + 3);
    *spin = w[2];
    return 1;
}
