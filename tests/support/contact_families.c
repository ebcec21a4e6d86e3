/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "support/contacts.h"

static const double up[3] = {0, 0, 1};

static double between(lg_rng *rng, double a, double b)
{
    return a + (b - a) * lg_rng_uniform(rng);
}

static void shake(contacts_scene *s, lg_rng *rng, double size)
{
    for (int b = 0; b < s->bodies; b++)
        for (int k = 0; k < 6; k++) s->velocity[b][k] = size * lg_rng_normal(rng);
}

/* Ten cubes of edge .2 m and 1 kg, mu = .5, so that it slips at 49.05 N; pushed at the base. */
static contacts_scene *stack(double push, double top)
{
    contacts_scene *s = contacts_new(0.005);
    const double half[3] = {0.1, 0.1, 0.1};
    for (int b = 0; b < 10; b++) {
        const double at[3] = {0, 0, 0.1 + 0.2 * b};
        contacts_box(s, b == 9 ? top : 1, half, at);
    }
    for (int b = 0; b < 10; b++) contacts_corners(s, b > 0 ? b - 1 : CONTACTS_WORLD, b, half, 0.5);
    s->wrench[0][0] = push;
    return s;
}

/* Ten links of .3 m with spheres at both ends, which touch the ground: two at each joint. */
static contacts_scene *chain(double h, lg_rng *rng)
{
    contacts_scene *s = contacts_new(h);
    const double half[3] = {0.15, 0.02, 0.02};
    for (int b = 0; b < 10; b++) {
        const double at[3] = {0.3 * b + 0.15, 0, 0.02}, joint[3] = {0.3 * b, 0, 0.02};
        contacts_box(s, 0.5, half, at);
        if (b > 0) contacts_joint(s, b - 1, b, joint, NULL);
        for (int end = 0; end < 2; end++) {
            const double point[3] = {0.3 * (b + end), 0, 0};
            contacts_touch(s, CONTACTS_WORLD, b, point, up, 0, 0.4);
        }
    }
    shake(s, rng, 0.1);
    return s;
}

static contacts_scene *box(lg_rng *rng)
{
    contacts_scene *s = contacts_new(0.005);
    double half[3];
    for (int k = 0; k < 3; k++) half[k] = between(rng, 0.05, 0.3);
    const double at[3] = {between(rng, -1, 1), between(rng, -1, 1), half[2]};
    contacts_box(s, between(rng, 0.5, 2), half, at);
    contacts_corners(s, CONTACTS_WORLD, 0, half, lg_rng_uniform(rng));
    shake(s, rng, 1);
    return s;
}

/* Layers of 4 x 4 to 1 balls of radius .1 m in each other's hollows, mu .2 to .8. */
static contacts_scene *balls(lg_rng *rng)
{
    contacts_scene *s = contacts_new(0.005);
    const double half[3] = {0.077, 0.077, 0.077}, mu = between(rng, 0.2, 0.8); /* the inertia of a ball, about */
    for (int side = 4, layer = 0; side > 0; side--, layer++)
        for (int i = 0; i < side * side; i++) {
            const double at[3] = {0.2 * (i % side) - 0.1 * side, 0.2 * (i / side) - 0.1 * side,
                                  0.1 + 0.1 * layer * sqrt(2)};
            const int b = contacts_box(s, between(rng, 0.5, 2), half, at);
            const double ground[3] = {at[0], at[1], 0};
            if (layer == 0) contacts_touch(s, CONTACTS_WORLD, b, ground, up, 0, mu);
            for (int a = 0; a < b; a++) {
                double n[3], point[3], size = 0;
                for (int k = 0; k < 3; k++) {
                    n[k] = s->position[b][k] - s->position[a][k];
                    point[k] = (s->position[b][k] + s->position[a][k]) / 2;
                    size += n[k] * n[k];
                }
                if (sqrt(size) > 0.2 + 1e-9) continue;
                for (int k = 0; k < 3; k++) n[k] /= sqrt(size);
                contacts_touch(s, a, b, point, n, 0, mu);
            }
        }
    shake(s, rng, 0.05);
    return s;
}

/* Five rows of cubes, each on the halves of two below it: contacts of neighbours coincide. */
static contacts_scene *pyramid(double pull)
{
    contacts_scene *s = contacts_new(0.005);
    const double half[3] = {0.1, 0.1, 0.1};
    int row[5][5];
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 5 - k; i++) {
            const double at[3] = {0.2 * i + 0.1 * k, 0, 0.1 + 0.2 * k};
            row[k][i] = contacts_box(s, 1, half, at);
            if (k == 0) contacts_corners(s, CONTACTS_WORLD, row[k][i], half, 0.5);
            for (int side = 0; side < 2 && k > 0; side++)
                for (int corner = 0; corner < 4; corner++) {
                    const double point[3] = {at[0] + (side - 1) * 0.1 + (corner & 1 ? 0.1 : 0), corner & 2 ? 0.1 : -0.1,
                                             0.2 * k};
                    contacts_touch(s, row[k - 1][i + side], row[k][i], point, up, 0, 0.5);
                }
        }
    s->wrench[row[0][0]][0] = -pull, s->wrench[row[0][4]][0] = pull;
    return s;
}

/* Two chains of five links side by side, the second one half on the first one and half on the ground. */
static contacts_scene *tangle(lg_rng *rng)
{
    contacts_scene *s = contacts_new(0.005);
    const double half[3] = {0.15, 0.02, 0.02}, mu = between(rng, 0.2, 1);
    for (int chain = 0; chain < 2; chain++)
        for (int k = 0; k < 5; k++) {
            const double x = 0.3 * k, y = 0.04 * chain, z = 0.02 + 0.04 * chain;
            const double at[3] = {x + 0.15, y, z}, joint[3] = {x, y, z}, left[3] = {x, y, z - 0.02};
            const double right[3] = {x + 0.3, y, z - 0.02};
            const int b = contacts_box(s, between(rng, 0.3, 1), half, at);
            if (k > 0) contacts_joint(s, b - 1, b, joint, NULL);
            contacts_touch(s, chain ? b - 5 : CONTACTS_WORLD, b, left, up, 0, mu);
            contacts_touch(s, chain && k % 2 ? b - 5 : CONTACTS_WORLD, b, right, up, 0, mu);
        }
    shake(s, rng, 0.1);
    return s;
}

/* Four arms of three links with hinges that stick up to some torque, one stop each; their tips touch the ground. */
static contacts_scene *dry(lg_rng *rng)
{
    contacts_scene *s = contacts_new(0.005);
    const double half[3] = {0.15, 0.02, 0.03}, axis[3] = {0, 1, 0};
    const int torso = contacts_box(s, 5, (double[3]){0.3, 0.3, 0.1}, (double[3]){0, 0, 0.03});
    for (int arm = 0; arm < 4; arm++)
        for (int link = 0, last = torso; link < 3; link++) {
            const double sign = arm & 1 ? 1 : -1, y = arm & 2 ? 0.2 : -0.2;
            const double at[3] = {sign * (0.45 + 0.3 * link), y, 0.03}, joint[3] = {sign * (0.3 + 0.3 * link), y, 0.03};
            const double tip[3] = {sign * (0.6 + 0.3 * link), y, 0}, torque = between(rng, 0, 4) * s->h;
            const int b = contacts_box(s, 0.4, half, at);
            contacts_joint(s, last, b, joint, axis);
            contacts_angle(s, last, b, axis, -torque, torque, 0);
            if (link > 0) contacts_angle(s, last, b, axis, 0, (double)INFINITY, link == 1 ? 0 : 0.01);
            if (link > 0) contacts_touch(s, CONTACTS_WORLD, b, tip, up, 0, between(rng, 0, 1));
            last = b;
        }
    shake(s, rng, 0.3);
    return s;
}

/* Three boxes on each other; corners stand there up to three times. */
static contacts_scene *duplicate(lg_rng *rng)
{
    contacts_scene *s = contacts_new(0.005);
    const double half[3] = {0.2, 0.1, 0.1}, mu = between(rng, 0, 2);
    for (int b = 0; b < 3; b++) contacts_box(s, 1, half, (double[3]){0, 0, 0.1 + 0.2 * b});
    for (int b = 0; b < 3; b++)
        for (int times = 0; times < 1 + b; times++) contacts_corners(s, b > 0 ? b - 1 : CONTACTS_WORLD, b, half, mu);
    shake(s, rng, 0.3);
    return s;
}

const char *contacts_family_name(contacts_family family)
{
    static const char *const name[] = {"stack 0 N",  "stack 48 N", "stack 50 N",    "stack 52 N",
                                       "stack 55 N", "stack 58 N", "heavy top",     "chain h .005",
                                       "h .0025",    "h .001",     "one box",       "heap of balls",
                                       "pyramid",    "two chains", "dry and stops", "duplicates"};
    return name[family];
}

contacts_scene *contacts_make(contacts_family family, uint64_t seed)
{
    static const double push[] = {0, 48, 50, 52, 55, 58}, h[] = {0.005, 0.0025, 0.001};
    lg_rng rng = {seed};
    if (family <= CONTACTS_STACK_58) return stack(push[family], 1);
    if (family == CONTACTS_STACK_HEAVY) return stack(0, 1000);
    if (family <= CONTACTS_CHAIN_1) return chain(h[family - CONTACTS_CHAIN_5], &rng);
    if (family == CONTACTS_BOXES) return box(&rng);
    if (family == CONTACTS_BALLS) return balls(&rng);
    if (family == CONTACTS_PYRAMID) return pyramid(10 * (double)seed);
    if (family == CONTACTS_TANGLE) return tangle(&rng);
    if (family == CONTACTS_DRY) return dry(&rng);
    return duplicate(&rng);
}

/* Boxes at random places; each stands on another one, or on the ground, with a patch of four contacts whose normal is
 * random. */
static void add_patch(contacts_scene *s, int a, int b, lg_rng *rng)
{
    double n[3], size = 0, centre[3];
    for (int k = 0; k < 3; k++) n[k] = lg_rng_normal(rng), size += n[k] * n[k];
    for (int k = 0; k < 3; k++) n[k] /= sqrt(size);
    if (a == CONTACTS_WORLD) memcpy(n, up, sizeof n);
    for (int k = 0; k < 3; k++)
        centre[k] = a == CONTACTS_WORLD ? s->position[b][k] - 0.1 * n[k] : (s->position[a][k] + s->position[b][k]) / 2;
    const double t[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0};
    double x[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
    const double y[3] = {n[1] * x[2] - n[2] * x[1], n[2] * x[0] - n[0] * x[2], n[0] * x[1] - n[1] * x[0]};
    const double mu = between(rng, 0.2, 2);
    for (int i = 0; i < 4; i++) {
        double point[3];
        for (int k = 0; k < 3; k++) point[k] = centre[k] + 0.1 * (i & 1 ? x[k] : -x[k]) + 0.1 * (i & 2 ? y[k] : -y[k]);
        contacts_touch(s, a, b, point, n, 0, mu);
    }
}

contacts_scene *contacts_synthetic(uint64_t seed)
{
    lg_rng rng = {seed};
    contacts_scene *s = contacts_new(0.005);
    const int bodies = 2 + (int)between(&rng, 0, 18);
    for (int b = 0; b < bodies; b++) {
        const double half[3] = {between(&rng, 0.05, 0.2), between(&rng, 0.05, 0.2), between(&rng, 0.05, 0.2)};
        const double at[3] = {between(&rng, -1, 1), between(&rng, -1, 1), between(&rng, 0, 2)};
        contacts_box(s, pow(10, between(&rng, 0, 3)), half, at);
    }
    for (int b = 0; b < bodies; b++) {
        const int a = (int)between(&rng, -1, b);
        add_patch(s, a < 0 || b == 0 ? CONTACTS_WORLD : a, b, &rng);
        if (b > 1 && lg_rng_uniform(&rng) < 0.3) add_patch(s, (int)between(&rng, 0, b - 1), b, &rng);
    }
    shake(s, &rng, 1);
    return s;
}
