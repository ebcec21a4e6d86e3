/* SPDX-License-Identifier: BSD-3-Clause */
/* Every kind of joint, wheel and force against Kane's equations in minimal coordinates (support/oracle.h), which share
 * no formula with the library: bodies with their centres off the frames and products of inertia, frames turned at
 * random, planes that tilt, belts and turntables. The composition of order 6 ends where the oracle does, and the
 * errors of `sem` fall by 4 with half the step. */
#include <math.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "support/mechanisms.h"
#include "support/pairs.h"

#define TIME 0.3

static const char *const body_names[] = {"b0", "b1"}, *const joint_names[] = {"j0", "j1"};

/* ---- the same mechanism in the library ---- */

static void add_body(lg_mechanism *m, const pair *p, int i, const oracle_pose *frame)
{
    lg_body b = lg_body_default(body_names[i]);
    const double *I = p->inertia[i];
    b.mass = p->mass[i];
    memcpy(b.inertia, (const double[6]){I[0], I[4], I[8], I[1], I[2], I[5]}, sizeof b.inertia);
    memcpy(b.centre, p->centre[i], sizeof b.centre);
    memcpy(b.position, frame->r, sizeof b.position);
    suite_ok("attitude", lg_so3_from_matrix(b.attitude, frame->R));
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
}

/* Frames on the bodies, or point and axes in space where both coincide. */
static void add_joint(lg_mechanism *m, const pair *p, int i, const oracle_pose *frame, int on_bodies)
{
    static const oracle_pose world = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const pair_link *l = &p->joint[i];
    const oracle_pose *a = i > 0 ? &frame[i - 1] : &world;
    lg_joint j = lg_joint_default(joint_names[i], l->kind, i > 0 ? body_names[i - 1] : NULL, body_names[i]);
    double F[9], x[3];
    memcpy(j.parent_point, l->on_parent, sizeof x), memcpy(j.child_point, l->on_child, sizeof x);
    j.on_bodies = on_bodies, j.length = l->length;
    if (on_bodies) {
        memcpy(j.parent_frame, l->parent, sizeof F), memcpy(j.child_frame, l->child, sizeof F);
    } else {
        oracle_product(F, a->R, l->parent);
        oracle_turn(x, a->R, l->on_parent);
        for (int k = 0; k < 3; k++) j.point[k] = a->r[k] + x[k], j.axis[k] = 3 * F[3 * k + 2], j.second[k] = F[3 * k];
    }
    const int scalar = pair_scalar(l->kind);
    if (scalar) j.stiffness = p->stiffness / 3, j.damping = p->damping / 5, j.rest = 0.1;
    if (scalar) j.friction = p->effort / 2, j.friction_speed = 0.3;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    const lg_motor motor = lg_motor_default(joint_names[i], joint_names[i]);
    if (scalar) mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
}

static lg_mechanism *mechanism_from(const pair *p, const double *gravity, int on_bodies)
{
    static const double zeros[ORACLE_Q];
    lg_mechanism *m;
    oracle_pose frame[2];
    pair_frames(p, zeros, frame);
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_set_gravity(m, gravity), m);
    for (int i = 0; i < 2; i++) add_body(m, p, i, &frame[i]);
    if (p->wheels)
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &p->wheel), m);
    else
        add_joint(m, p, 0, frame, on_bodies);
    add_joint(m, p, 1, frame, on_bodies);
    if (p->rod) {
        lg_joint rod = lg_joint_default("rod", LG_JOINT_DISTANCE, NULL, body_names[1]);
        memcpy(rod.parent_point, p->on_world, sizeof rod.parent_point);
        memcpy(rod.child_point, p->on_last, sizeof rod.child_point);
        rod.length = p->rest;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &rod), m);
    }
    lg_spring s = lg_spring_default("spring", NULL, body_names[1]);
    s.stiffness = p->stiffness, s.damping = p->damping, s.rest = p->rest;
    memcpy(s.parent_point, p->on_world, sizeof s.parent_point), memcpy(s.child_point, p->on_last, sizeof s.child_point);
    if (!p->rod) mechanism_well(lg_mechanism_add_spring(m, NULL, &s), m);
    lg_gear g = lg_gear_default("gear", joint_names[1], joint_names[0]);
    g.ratio = p->ratio, g.offset = p->offset;
    g.quadratic = p->curve[0], g.cubic = p->curve[1], g.quartic = p->curve[2];
    if (p->ratio != 0) mechanism_well(lg_mechanism_add_gear(m, NULL, &g), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* ---- comparison ---- */

/* Poses of the frames as 12 numbers and twists as 6, of both bodies. */
static void state_of(const lg_motion *mo, double *x)
{
    for (int b = 0; b < 2; b++) {
        double pose[7];
        suite_ok("pose", lg_motion_body_pose(mo, pose, b));
        memcpy(x + 18 * b, pose, 3 * sizeof *x);
        lg_so3_to_matrix(x + 18 * b + 3, pose + 3);
        suite_ok("twist", lg_motion_body_twist(mo, x + 18 * b + 12, b));
    }
}

static void oracle_state_of(const oracle *o, const pair *p, const double *q, const double *u, double *x)
{
    oracle_pose pose[ORACLE_BODIES], frame[2];
    double twist[ORACLE_BODIES][6];
    oracle_state(o, q, u, pose, twist);
    pair_frames(p, q, frame);
    for (int b = 0; b < 2; b++) {
        memcpy(x + 18 * b, frame[b].r, 3 * sizeof *x), memcpy(x + 18 * b + 3, frame[b].R, 9 * sizeof *x);
        memcpy(x + 18 * b + 12, twist[b], 6 * sizeof *x);
    }
}

static void move(const lg_mechanism *m, const pair *p, const char *method, double h, const double *from, double *to)
{
    double start[14], twists[12], u[2], back[36];
    int motors = 0;
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    for (int b = 0; b < 2; b++) {
        memcpy(start + 7 * b, from + 18 * b, 3 * sizeof *start);
        suite_ok("attitude", lg_so3_from_matrix(start + 7 * b + 3, from + 18 * b + 3));
        memcpy(twists + 6 * b, from + 18 * b + 12, 6 * sizeof *twists);
        if (pair_scalar(p->joint[b].kind) && !(b == 0 && p->wheels)) u[motors++] = p->effort * (b + 1);
    }
    if (lg_mechanism_motor_count(m) > 0) motion_well(lg_motion_set_control(mo, u), mo);
    motion_well(lg_motion_set_halvings(mo, p->rod ? 4 : 0), mo); /* a rod may come near flat */
    motion_well(lg_motion_start_poses(mo, 0, start, twists, 1), mo);
    state_of(mo, back);
    suite_near("start", back, from, 36, 1e-9, 1); /* the oracle's state needs no projection */
    motion_well(lg_motion_step(mo, (int64_t)(TIME / h + 0.5)), mo);
    state_of(mo, to);
    lg_motion_destroy(mo);
}

/* Draws a state and where it leads. 0: the oracle is not accurate; its coordinates are singular on the way. */
static int predict(pair *p, const double *gravity, double *from, double *want, lg_rng *rng)
{
    double q[2][ORACLE_Q] = {{0}}, u[2][ORACLE_Q], rough[36];
    const oracle o = pair_oracle(p, gravity);
    suite_normal(q[0], o.coordinates, rng), suite_normal(u[0], o.speeds, rng);
    for (int i = 0; i < o.coordinates; i++) q[0][i] = 0.5 * tanh(q[0][i]);
    for (int i = 0; i < o.speeds; i++) u[0][i] *= 0.8;
    if (p->rod) p->rest = pair_length(p, q[0]);
    if (p->ratio != 0) q[0][1] = 0;
    for (int k = 2; k >= 0 && p->ratio != 0; k--) q[0][1] = q[0][0] * (p->curve[k] + q[0][1]);
    if (p->ratio != 0) q[0][1] = q[0][0] * (p->ratio + q[0][1]) + p->offset;
    oracle_state_of(&o, p, q[0], u[0], from);
    memcpy(q[1], q[0], sizeof q[0]), memcpy(u[1], u[0], sizeof u[0]);
    oracle_run(&o, q[0], u[0], TIME, 2.5e-3);
    oracle_run(&o, q[1], u[1], TIME, 5e-3);
    oracle_state_of(&o, p, q[0], u[0], want);
    oracle_state_of(&o, p, q[1], u[1], rough);
    return suite_distance(want, rough, 36) < 1e-4;
}

static void compare(pair *p, lg_rng *rng, int on_bodies)
{
    double gravity[3], from[36], want[36], got[36], coarse[36], fine[36], high[36];
    int draws = 1;
    suite_direction(gravity, 3, rng);
    for (int k = 0; k < 3; k++) gravity[k] *= 9.81;
    for (int k = 0; p->wheels && k < 3; k++) gravity[k] = 0.3 * gravity[k] - 9 * p->plane[3 * k + 2]; /* to the plane */
    while (!predict(p, gravity, from, want, rng))
        if (draws++ > 60) suite_fail("no state that the oracle can follow");
    lg_mechanism *m = mechanism_from(p, gravity, on_bodies);
    move(m, p, "sem@kahan-li6", 0.01, from, got);
    move(m, p, NULL, 0.01, from, coarse);
    move(m, p, NULL, 0.005, from, fine);
    move(m, p, "gauss", 0.02, from, high);
    const double off = suite_distance(coarse, want, 36), less = suite_distance(fine, want, 36);
    suite_near("state", got, want, 36, 1e-5 + 0.02 * off, 1);
    suite_near("gauss", high, want, 36, 1e-5, 1);
    suite_below("order 2", less, 0.3 * off + 1e-7);
    lg_mechanism_destroy(m);
}

/* ---- what is compared ---- */

static void random_rotation(double *R, lg_rng *rng)
{
    double q[4];
    suite_normal(q, 4, rng);
    suite_ok("rotation", lg_so3_project(q, q));
    lg_so3_to_matrix(R, q);
}

/* Inertia of four points. */
static void random_inertia(double *I, lg_rng *rng)
{
    memset(I, 0, 9 * sizeof *I);
    for (int n = 0; n < 4; n++) {
        double x[3];
        suite_normal(x, 3, rng);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                I[3 * i + k] += 0.05 * ((i == k ? x[0] * x[0] + x[1] * x[1] + x[2] * x[2] : 0) - x[i] * x[k]);
    }
}

static pair random_pair(lg_joint_kind first, lg_joint_kind second, lg_rng *rng)
{
    pair p;
    memset(&p, 0, sizeof p);
    p.joint[0].kind = first, p.joint[1].kind = second;
    for (int i = 0; i < 2; i++) {
        pair_link *l = &p.joint[i];
        suite_normal(l->on_parent, 3, rng), suite_normal(l->on_child, 3, rng), suite_normal(p.centre[i], 3, rng);
        random_rotation(l->parent, rng), random_rotation(l->child, rng);
        for (int k = 0; k < 3; k++) p.centre[i][k] *= 0.3, l->on_child[k] *= 0.5;
        l->length = l->kind == LG_JOINT_DISTANCE ? 1.2 : 0;
        p.mass[i] = 0.5 + lg_rng_uniform(rng);
        random_inertia(p.inertia[i], rng);
    }
    suite_normal(p.on_world, 3, rng), suite_normal(p.on_last, 3, rng);
    for (int k = 0; k < 3; k++) p.on_world[k] *= 3;
    p.stiffness = 3, p.damping = 0.4, p.rest = 0.7, p.effort = 0.6;
    return p;
}

static void joints(void **unused)
{
    lg_rng rng = suite_rng(1);
    (void)unused;
    for (int kind = LG_JOINT_FIXED; kind <= LG_JOINT_FREE; kind++)
        for (int turned = 0; turned < 2; turned++) {
            const lg_joint_kind k = (lg_joint_kind)kind, other = kind % 2 ? LG_JOINT_PRISMATIC : LG_JOINT_REVOLUTE;
            suite_case("joint kind %d, %s", kind, turned ? "on the world" : "on a body");
            pair p = random_pair(turned ? k : other, turned ? other : k, &rng);
            compare(&p, &rng, (kind + turned) % 2);
        }
}

static void gears(void **unused)
{
    lg_rng rng = suite_rng(2);
    (void)unused;
    for (int i = 0; i < 8; i++) {
        suite_case("gear %d", i);
        pair p = random_pair(i & 1 ? LG_JOINT_PRISMATIC : LG_JOINT_REVOLUTE,
                             i & 2 ? LG_JOINT_PRISMATIC : LG_JOINT_REVOLUTE, &rng);
        p.ratio = -1.7, p.offset = 0.2;
        if (i >= 4) p.curve[0] = 0.8, p.curve[1] = -0.6, p.curve[2] = 0.5;
        compare(&p, &rng, 1);
    }
}

/* Loops: a rod from the world to the second body. */
static void rods(void **unused)
{
    lg_rng rng = suite_rng(8);
    (void)unused;
    for (int kind = LG_JOINT_REVOLUTE; kind <= LG_JOINT_FREE; kind++) {
        if (kind == LG_JOINT_DISTANCE) continue;
        suite_case("rod, joint kind %d", kind);
        pair p = random_pair(kind % 2 ? LG_JOINT_REVOLUTE : LG_JOINT_PRISMATIC, (lg_joint_kind)kind, &rng);
        p.rod = 1;
        compare(&p, &rng, 1);
    }
}

static void wheels(void **unused)
{
    lg_rng rng = suite_rng(3);
    (void)unused;
    for (int i = 0; i < 14; i++) {
        pair p = random_pair(LG_JOINT_FREE, i % 2 ? LG_JOINT_UNIVERSAL : LG_JOINT_REVOLUTE, &rng);
        lg_wheel *w = &p.wheel;
        const int ball = i >= 6 && i < 10;
        suite_case("wheel %d", i);
        *w = lg_wheel_default("wheel", body_names[0]);
        p.wheels = 1;
        random_rotation(p.plane, &rng), random_rotation(p.wheel_frame, &rng);
        w->kind = ball ? LG_WHEEL_BALL : LG_WHEEL_DISK;
        w->contact = ball ? (i % 2 ? LG_CONTACT_SLIDES : LG_CONTACT_ROLLS) : (lg_contact)(i % 3);
        if (i >= 10) w->contact = LG_CONTACT_OMNI, w->roller_angle = i == 10 ? 0 : 0.9 * (i - 11) - 0.7;
        w->radius = 0.8, w->tube = ball || i % 2 ? 0 : 0.15;
        w->ground_spin = i / 3 % 2 ? 0 : 0.9;
        suite_normal(w->ground_point, 3, &rng), suite_normal(w->centre, 3, &rng);
        for (int k = 0; k < 3; k++) {
            w->centre[k] *= 0.2, w->axle[k] = 2 * p.wheel_frame[3 * k + 1],
                                 w->ground_normal[k] = 3 * p.plane[3 * k + 2];
            w->ground_velocity[k] = 0.4 * p.plane[3 * k] - 0.3 * p.plane[3 * k + 1];
        }
        compare(&p, &rng, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(joints), cmocka_unit_test(gears), cmocka_unit_test(rods),
                                       cmocka_unit_test(wheels)};
    suite_begin("multibody/oracle");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
