/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms against published values, and against their equations in minimal coordinates, derived and integrated here
 * independently. */
#include "claims/multibody/motions.h"

/* Andrews ---------------------------------------------------------------------------------------------------------- */

static void andrews(claim_report *r)
{
    static const struct {
        const char *joint, *name;
        double start, end;
    } angles[] = {{"o", "beta", -0.06171389001427645, 15.81077119629904},
                  {"b", "gamma", 0.4552798191630704, 0.04082224013073101},
                  {"a5", "delta", 0.4873649795438426, 0.5244099658805304},
                  {"a7", "epsilon", 1.2305474445498212, 1.048080741042263}};
    claim_motion x;
    claim_deviations d;
    if (!claim_own_systems(r)) return;
    if (claim_motion_open(r, &x, "andrews", "sem@kahan-li6", 4e-5) && claim_motion_watch(r, &x, 750, 1, &d)) {
        for (int i = 0; i < 4; i++) {
            double q = NAN;
            const lg_status st = lg_motion_joint(x.mo, &q, NULL, lg_mechanism_joint(x.m, angles[i].joint));
            if (claim_ok(r, st, "joint", lg_motion_message(x.mo)))
                claim_below(r, fabs(angles[i].start + q - angles[i].end), 1e-8, "the published values are off by 1e-9",
                            "distance of %s from its published value at 0.03 s", angles[i].name);
        }
        claim_below(r, d.balance / d.scale, 1e-13, "round-off", "largest |H - H_0 - work| in J");
        claim_below(r, d.gap, 1e-15, "round-off: parts of 0.1 m", "largest gap of the loops in m");
    }
    claim_motion_close(&x);
}

/* Linkages of one freedom ------------------------------------------------------------------------------------------ */

enum { PARTS = 8 };

/* Centres and angles of the bodies of a linkage in a plane. */
typedef struct figure {
    double x[PARTS], z[PARTS], angle[PARTS];
} figure;

typedef struct linkage {
    const char *name, *joint;
    int parts;
    double mass[PARTS], inertia[PARTS];
    void (*place)(figure *f, double theta);
    double theta, rate, torque; /* at the start, of the crank */
} linkage;

typedef struct spot {
    double x, z;
} spot;

/* The third corner of a triangle with these sides over a and b, left of the way from a to b (side = 1) or right. */
static spot corner(spot a, double ra, spot b, double rb, int side)
{
    const double d = hypot(b.x - a.x, b.z - a.z), cosine = (ra * ra + d * d - rb * rb) / (2 * ra * d);
    const double angle = atan2(b.z - a.z, b.x - a.x) + side * acos(cosine);
    return (spot){a.x + ra * cos(angle), a.z + ra * sin(angle)};
}

static void set_rod(figure *f, int i, spot a, spot b)
{
    f->x[i] = 0.5 * (a.x + b.x), f->z[i] = 0.5 * (a.z + b.z);
    f->angle[i] = atan2(b.z - a.z, b.x - a.x);
}

static void set_plate(figure *f, int i, spot a, spot b, spot c)
{
    set_rod(f, i, a, b);
    f->x[i] = (a.x + b.x + c.x) / 3, f->z[i] = (a.z + b.z + c.z) / 3;
}

static void place_four_bar(figure *f, double theta)
{
    const spot a = {0, 0}, d = {0.9, 0}, b = {0.4 * cos(theta), 0.4 * sin(theta)}, c = corner(b, 1, d, 0.8, 1);
    set_rod(f, 0, a, b), set_rod(f, 1, b, c), set_rod(f, 2, d, c);
}

static void place_strandbeest(figure *f, double theta)
{
    const spot o = {0, 0}, pivot = {-0.38, -0.078}, crank = {0.15 * cos(theta), 0.15 * sin(theta)};
    const spot top = corner(pivot, 0.415, crank, 0.5, 1), left = corner(pivot, 0.401, top, 0.558, 1);
    const spot low = corner(pivot, 0.393, crank, 0.619, -1), knee = corner(left, 0.394, low, 0.367, -1);
    const spot foot = corner(knee, 0.657, low, 0.49, -1);
    set_rod(f, 0, o, crank), set_rod(f, 1, crank, top), set_rod(f, 2, crank, low), set_rod(f, 3, pivot, low);
    set_rod(f, 4, left, knee), set_plate(f, 5, pivot, top, left), set_plate(f, 6, low, knee, foot);
}

/* Inertia about the crank's angle, and the potential energy. */
static double reduced(const linkage *l, double theta, double *V)
{
    static const double w[] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
    const double e = 1e-3;
    double M = 0;
    figure f, d = {{0}, {0}, {0}};
    for (int k = 1; k <= 4; k++) {
        figure a, b;
        l->place(&a, theta + k * e), l->place(&b, theta - k * e);
        for (int i = 0; i < l->parts; i++) {
            d.x[i] += w[k - 1] * (a.x[i] - b.x[i]) / e, d.z[i] += w[k - 1] * (a.z[i] - b.z[i]) / e;
            d.angle[i] += w[k - 1] * remainder(a.angle[i] - b.angle[i], 6.283185307179586) / e;
        }
    }
    l->place(&f, theta);
    *V = 0;
    for (int i = 0; i < l->parts; i++) {
        M += l->mass[i] * (d.x[i] * d.x[i] + d.z[i] * d.z[i]) + l->inertia[i] * d.angle[i] * d.angle[i];
        *V += 9.81 * l->mass[i] * f.z[i];
    }
    return M;
}

/* The time of the crank's first turn, by Simpson's rule of sqrt(M/(2 (E + torque angle - V))). */
static double first_turn(const linkage *l)
{
    enum { INTERVALS = 4000 };
    const double step = 6.283185307179586 / INTERVALS;
    double V, T = 0;
    const double E = 0.5 * reduced(l, l->theta, &V) * l->rate * l->rate + V;
    for (int i = 0; i <= INTERVALS; i++) {
        const double M = reduced(l, l->theta + i * step, &V);
        const double weight = i == 0 || i == INTERVALS ? 1 : i % 2 ? 4 : 2;
        T += weight * step / 3 * sqrt(M / (2 * (E + l->torque * i * step - V)));
    }
    return T;
}

static const linkage linkages[] = {
    {"four-bar", "a", 3, {0.4, 1, 0.8}, {0.4 * 0.16 / 12, 1. / 12, 0.8 * 0.64 / 12}, place_four_bar, 1, 12, 0},
    {"strandbeest",
     "axle",
     7,
     {0.3, 0.5, 0.62, 0.39, 0.39, 1.37, 1.51},
     {0.3 * 0.15 * 0.15 / 12, 0.5 * 0.25 / 12, 0.62 * 0.619 * 0.619 / 12, 0.39 * 0.393 * 0.393 / 12,
      0.39 * 0.394 * 0.394 / 12, 0.05, 0.06},
     place_strandbeest,
     0.3,
     12,
     0.5},
};

static void turns(claim_report *r)
{
    for (size_t i = 0; claim_own_systems(r) && i < sizeof linkages / sizeof linkages[0]; i++) {
        const linkage *l = &linkages[i];
        const double T = first_turn(l);
        linkage other = *l;
        claim_motion x;
        double q = NAN;
        if (claim_motion_open(r, &x, l->name, "sem@kahan-li6", T / 200) && claim_motion_steps(r, &x, 200) &&
            claim_ok(r, lg_motion_joint(x.mo, &q, NULL, lg_mechanism_joint(x.m, l->joint)), "joint", ""))
            claim_below(r, fabs(q - 6.283185307179586), 1e-7, "order 6 at 200 steps a turn",
                        "distance of the crank from one turn at the time that a quadrature gives");
        claim_motion_close(&x);
        other.mass[1] *= 1.01;
        claim_control(r, fabs(first_turn(&other) - T) * l->rate, 1e-5, "one body 1 % heavier",
                      "how far the crank would be off");
    }
}

/* Double pendulum -------------------------------------------------------------------------------------------------- */

/* Angles below the horizontal of two rods of 1 m and 1 kg. */
static void swing(const double *y, double *f)
{
    const double d = y[0] - y[1], m = 0.5 * cos(d), n = 0.5 * sin(d), g = 9.81;
    const double M[4] = {4. / 3, m, m, 1. / 3};
    double b[2] = {1.5 * g * cos(y[0]) - n * y[3] * y[3], 0.5 * g * cos(y[1]) + n * y[2] * y[2]}, a[2] = {NAN, NAN};
    (void)claim_solve(2, M, b, a);
    f[0] = y[2], f[1] = y[3], f[2] = a[0], f[3] = a[1];
}

static void double_pendulum(claim_report *r)
{
    enum { STEPS = 20000 };
    const double T = 1.5, h = T / STEPS;
    double y[4] = {0}, q[2] = {NAN, NAN};
    claim_motion x;
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < STEPS; i++) {
        static const double c[4] = {0, 0.5, 0.5, 1}, w[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
        double k[4] = {0}, sum[4] = {0};
        for (int s = 0; s < 4; s++) {
            double z[4];
            for (int j = 0; j < 4; j++) z[j] = y[j] + c[s] * h * k[j];
            swing(z, k);
            for (int j = 0; j < 4; j++) sum[j] += w[s] * h * k[j];
        }
        for (int j = 0; j < 4; j++) y[j] += sum[j];
    }
    if (claim_motion_open(r, &x, "double-pendulum", "sem@kahan-li6", T / 300) && claim_motion_steps(r, &x, 300) &&
        claim_ok(r, lg_motion_positions(x.mo, q, NULL), "positions", "")) {
        claim_below(r, fabs(q[0] - y[0]), 1e-8, "order 6 with 300 steps; RK4 with 20000 is off by 1e-13",
                    "distance of the upper angle from an integration in minimal coordinates, 1.5 s");
        claim_below(r, fabs(q[0] + q[1] - y[1]), 1e-8, "the same", "distance of the lower angle");
    }
    claim_motion_close(&x);
}

const claim claims_multibody_benchmarks[] = {
    {"multibody-andrews", "Andrews' squeezing mechanism arrives at the published angles.",
     "E. Hairer, G. Wanner, Solving ODEs II, section VII.7; F. Mazzia, C. Magherini, Test set for IVP solvers", 0.5,
     andrews},
    {"multibody-turns",
     "Cranks of linkages with loops take as long for a turn as the integral over the reduced equation says.",
     CLAIM_MULTIBODY, 0.1, turns},
    {"multibody-minimal", "A double pendulum of bodies and joints moves as its equations in minimal coordinates say.",
     CLAIM_MULTIBODY, 0.1, double_pendulum},
    {0},
};
