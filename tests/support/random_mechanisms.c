/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/random_mechanisms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double between(lg_rng *rng, double low, double high)
{
    return low + (high - low) * lg_rng_uniform(rng);
}

static int below(lg_rng *rng, int n)
{
    return (int)(n * lg_rng_uniform(rng)) % n;
}

static int chance(lg_rng *rng, double p)
{
    return lg_rng_uniform(rng) < p;
}

static double square(const double *x)
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

static const char *name_of(const random_mechanism *r, int b)
{
    return b < 0 ? NULL : r->name[b];
}

static void draw_bodies(random_mechanism *r, double decades, lg_rng *rng)
{
    const double spread = chance(rng, 0.3) ? decades : 0.5;
    for (int b = 0; b < r->bodies; b++) {
        (void)snprintf(r->name[b], sizeof r->name[b], "b%d", b);
        lg_body d = lg_body_default(r->name[b]);
        d.mass = r->masses[b] = r->mass * pow(10, between(rng, -spread, spread));
        const double radius = r->size * between(rng, 0.1, 0.5), base = 0.4 * d.mass * radius * radius;
        for (int k = 0; k < 3; k++) d.inertia[k] = r->inertia[b][k] = base * between(rng, 1, 1.8);
        for (int k = 0; k < 3; k++) d.inertia[3 + k] = 0.1 * base * between(rng, -1, 1);
        suite_normal(d.position, 3, rng);
        for (int k = 0; k < 3; k++) {
            d.position[k] *= r->size;
            if (chance(rng, 0.3)) d.centre[k] = 0.1 * r->size * between(rng, -1, 1);
        }
        double q[4];
        suite_normal(q, 4, rng);
        lg_status_ignore(lg_so3_project(d.attitude, q));
        mechanism_well(lg_mechanism_add_body(r->m, NULL, &d), r->m);
    }
}

static lg_joint joint_begin(random_mechanism *r, lg_joint_kind kind, int parent, int child, lg_rng *rng)
{
    char *name = r->joint[r->joints];
    (void)snprintf(name, sizeof r->joint[0], "j%d", r->joints);
    lg_joint d = lg_joint_default(name, kind, name_of(r, parent), name_of(r, child));
    double x[12];
    suite_normal(x, 12, rng);
    for (int k = 0; k < 3; k++) {
        d.point[k] = r->size * x[k], d.axis[k] = x[3 + k];
        d.parent_point[k] = 0.3 * r->size * x[6 + k], d.child_point[k] = 0.3 * r->size * x[9 + k];
    }
    if (r->family == RANDOM_PLANAR) {
        for (int k = 0; k < 3; k++) d.axis[k] = k == 2;
        if (chance(rng, 0.5)) d.point[2] = 0;
    }
    return d;
}

static void joint_end(random_mechanism *r, const lg_joint *d)
{
    mechanism_well(lg_mechanism_add_joint(r->m, NULL, d), r->m);
    r->joints++;
}

/* Frames on both bodies, for which they have to move at assembly. */
static void draw_frames(lg_joint *d, lg_rng *rng)
{
    double q[8];
    suite_normal(q, 8, rng);
    for (int k = 0; k < 2; k++) suite_ok("rotation", lg_so3_project(q + 4 * k, q + 4 * k));
    lg_so3_to_matrix(d->parent_frame, q), lg_so3_to_matrix(d->child_frame, q + 4);
    d->on_bodies = 1;
}

/* Couples the last joint to the one before it, if both have one position. */
static void draw_gear(random_mechanism *r, lg_rng *rng)
{
    lg_gear g = lg_gear_default(r->joint[r->joints - 1], r->joint[r->joints - 1], r->geared);
    g.ratio = between(rng, -2, 2);
    if (r->geared != NULL) mechanism_well(lg_mechanism_add_gear(r->m, NULL, &g), r->m);
    r->geared = g.joint;
}

static void draw_tree(random_mechanism *r, lg_rng *rng)
{
    static const lg_joint_kind kinds[] = {LG_JOINT_REVOLUTE,    LG_JOINT_REVOLUTE, LG_JOINT_SPHERICAL,
                                          LG_JOINT_PRISMATIC,   LG_JOINT_FIXED,    LG_JOINT_UNIVERSAL,
                                          LG_JOINT_CYLINDRICAL, LG_JOINT_PLANAR,   LG_JOINT_FREE};
    const double g = r->mass * 9.81 * r->size;
    const int open = r->family == RANDOM_TREE || r->family == RANDOM_WHEELS; /* nothing that must close */
    for (int b = 0; b < r->bodies; b++) {
        const lg_joint_kind kind = r->family == RANDOM_PLANAR ? LG_JOINT_REVOLUTE : kinds[below(rng, 9)];
        const int parent = b > 0 && chance(rng, 0.5) ? b - 1 : below(rng, b + 1) - 1;
        if (parent < 0 && r->family == RANDOM_WHEELS) continue;
        const int swap = chance(rng, 0.2), scalar = kind == LG_JOINT_REVOLUTE || kind == LG_JOINT_PRISMATIC;
        lg_joint d = joint_begin(r, kind, swap ? b : parent, swap ? parent : b, rng);
        if (scalar && chance(rng, 0.3)) {
            const double unit = kind == LG_JOINT_REVOLUTE ? g : g / (r->size * r->size);
            d.damping = chance(rng, 0.5) ? unit * 0.1 * sqrt(r->size) * lg_rng_uniform(rng) : 0;
            d.stiffness = chance(rng, 0.5) ? unit * lg_rng_uniform(rng) : 0;
        }
        if (open && chance(rng, 0.3)) draw_frames(&d, rng);
        joint_end(r, &d);
        if (scalar && open && chance(rng, 0.1)) draw_gear(r, rng);
        if (scalar && chance(rng, 0.2)) {
            const lg_motor motor = lg_motor_default(d.name, d.name);
            mechanism_well(lg_mechanism_add_motor(r->m, NULL, &motor), r->m);
        }
    }
}

static void draw_loops(random_mechanism *r, int count, lg_rng *rng)
{
    static const lg_joint_kind kinds[] = {LG_JOINT_DISTANCE,  LG_JOINT_DISTANCE, LG_JOINT_DISTANCE,
                                          LG_JOINT_SPHERICAL, LG_JOINT_REVOLUTE, LG_JOINT_CYLINDRICAL,
                                          LG_JOINT_PLANAR};
    for (int i = 0; i < count; i++) {
        const int a = below(rng, r->bodies), b = below(rng, r->bodies + 1) - 1;
        if (a == b) continue;
        const lg_joint_kind kind = r->family == RANDOM_PLANAR ? LG_JOINT_REVOLUTE : kinds[below(rng, 7)];
        const lg_joint d = joint_begin(r, kind, b, a, rng);
        joint_end(r, &d);
    }
}

/* A second joint where there is one already, turned by `off`. */
static void draw_copies(random_mechanism *r, double off, lg_rng *rng)
{
    for (int i = 0; i < 1 + below(rng, 2); i++) {
        static const lg_joint_kind kinds[] = {LG_JOINT_REVOLUTE, LG_JOINT_SPHERICAL, LG_JOINT_CYLINDRICAL};
        const int a = below(rng, r->bodies), b = below(rng, r->bodies + 1) - 1;
        if (a == b) continue;
        lg_joint d = joint_begin(r, kinds[below(rng, 3)], b, a, rng), e;
        joint_end(r, &d);
        e = joint_begin(r, d.kind, a, b, rng);
        for (int k = 0; k < 3; k++) {
            e.point[k] = d.point[k] + off * r->size * between(rng, -1, 1);
            e.axis[k] = d.axis[k] + off * between(rng, -1, 1);
        }
        joint_end(r, &e);
    }
}

/* A wheel, and the plane under it. */
static void draw_wheel(random_mechanism *r, int i, const double *normal, lg_rng *rng)
{
    char name[16];
    (void)snprintf(name, sizeof name, "w%d", i);
    const int b = below(rng, r->bodies);
    lg_wheel w = lg_wheel_default(name, r->name[b]);
    w.kind = chance(rng, 0.3) ? LG_WHEEL_BALL : LG_WHEEL_DISK;
    w.contact = (lg_contact)below(rng, LG_CONTACT_OMNI + 1);
    if (w.kind == LG_WHEEL_BALL && w.contact != LG_CONTACT_SLIDES) w.contact = LG_CONTACT_ROLLS;
    if (w.contact == LG_CONTACT_OMNI) w.roller_angle = chance(rng, 0.3) ? 0 : between(rng, -1.5, 1.5);
    w.radius = r->size * between(rng, 0.1, 1);
    if (w.kind == LG_WHEEL_DISK && chance(rng, 0.3)) w.tube = 0.2 * w.radius;
    suite_normal(w.axle, 3, rng), suite_normal(w.ground_point, 3, rng);
    for (int k = 0; k < 3; k++) {
        w.ground_normal[k] = normal[k], w.ground_point[k] *= r->size;
        w.centre[k] = 0.2 * r->size * between(rng, -1, 1);
    }
    if (chance(rng, 0.2)) {
        double v[3], up = 0;
        for (int k = 0; k < 3; k++) v[k] = sqrt(r->size) * between(rng, -1, 1), up += v[k] * normal[k];
        for (int k = 0; k < 3; k++) w.ground_velocity[k] = v[k] - up * normal[k] / square(normal);
    }
    if (chance(rng, 0.2)) w.ground_spin = 1 / sqrt(r->size);
    mechanism_well(lg_mechanism_add_wheel(r->m, NULL, &w), r->m);
}

static void draw_rest(random_mechanism *r, lg_rng *rng)
{
    if (chance(rng, 0.4)) {
        lg_spring s = lg_spring_default("spring", NULL, r->name[r->bodies - 1]);
        s.stiffness = 10 * r->mass * 9.81 / r->size * lg_rng_uniform(rng);
        s.parent_point[0] = 3 * r->size;
        s.damping = chance(rng, 0.5) ? 0.03 * s.stiffness * sqrt(r->size) : 0;
        mechanism_well(lg_mechanism_add_spring(r->m, NULL, &s), r->m);
    }
    if (chance(rng, 0.2)) {
        const double none[3] = {0, 0, 0};
        r->gravity = 0;
        mechanism_well(lg_mechanism_set_gravity(r->m, none), r->m);
    }
}

void random_mechanism_draw(random_mechanism *r, random_family family, int bodies, double decades, lg_rng *rng)
{
    memset(r, 0, sizeof *r);
    r->family = family, r->bodies = bodies, r->gravity = 9.81;
    r->size = chance(rng, 0.3) ? pow(10, between(rng, -decades, decades)) : 1;
    r->mass = chance(rng, 0.3) ? pow(10, between(rng, -decades, decades)) : 1;
    mechanism_well(lg_mechanism_create(&r->m), NULL);
    draw_bodies(r, decades, rng);
    draw_tree(r, rng);
    double normal[3];
    suite_normal(normal, 3, rng);
    if (family == RANDOM_WHEELS)
        for (int i = 0, count = 1 + below(rng, 3); i < count; i++) draw_wheel(r, i, normal, rng);
    if (family != RANDOM_TREE && family != RANDOM_WHEELS) draw_loops(r, 1 + below(rng, 2), rng);
    if (family == RANDOM_COPIES) draw_copies(r, 0, rng);
    if (family == RANDOM_NEARLY) draw_copies(r, pow(10, between(rng, -12, -4)), rng);
    draw_rest(r, rng);
}

double random_mechanism_scale(const random_mechanism *r, const lg_motion *mo)
{
    double scale = 0;
    for (int b = 0; b < r->bodies; b++) {
        double pose[7], twist[6], v = 0, w = 0, x = 0;
        suite_ok("pose", lg_motion_body_pose(mo, pose, b));
        suite_ok("twist", lg_motion_body_twist(mo, twist, b));
        for (int k = 0; k < 3; k++) {
            v += twist[k] * twist[k], w += twist[3 + k] * twist[3 + k] * r->inertia[b][k], x += pose[k] * pose[k];
        }
        scale += 0.5 * r->masses[b] * v + 0.5 * w + r->masses[b] * r->gravity * (sqrt(x) + r->size);
    }
    return scale;
}
