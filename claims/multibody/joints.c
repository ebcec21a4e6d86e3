/* SPDX-License-Identifier: BSD-3-Clause */
/* What joints, gears and wheels promise, measured on poses and twists of bodies alone: points that coincide, directions
 * that stay, the velocity of the material point that touches the ground. */
#include "claims/multibody/motions.h"

enum { KINDS = 9 };

static const double centre_of[3] = {0.1, -0.05, 0.07};
static const double rod = 0.5; /* the length of the distance joint, another than at assembly */

/* A point given in a body's frame, in space, with its velocity; body -1 is the world. */
static void point_of(const lg_motion *mo, int body, const double *point, double *x, double *v)
{
    memcpy(x, point, 3 * sizeof *x);
    memset(v, 0, 3 * sizeof *v);
    if (body >= 0 && lg_motion_point(mo, x, v, body, point) != LG_OK) x[0] = NAN;
}

/* A point of space at assembly, in a body's frame. */
static void into_body(const lg_motion *mo, int body, const double *x, double *point)
{
    double pose[7], d[3];
    memcpy(point, x, 3 * sizeof *x);
    if (body < 0 || lg_motion_body_pose(mo, pose, body) != LG_OK) return;
    for (int k = 0; k < 3; k++) d[k] = x[k] - pose[k];
    lg_so3_act_inverse(point, pose + 3, d);
}

/* Four points of the joint's frame, on both bodies: its point, and one along each axis. */
typedef struct points {
    double a[4][3], b[4][3];
} points;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The largest violation of a joint of this kind: positions, and velocities in *rate. `length` is of a distance joint.
 */
static double violation(const lg_motion *mo, const points *p, lg_joint_kind kind, double length, double *rate)
{
    double a[4][3], b[4][3], va[4][3], vb[4][3], worst = 0;
    const int fixed_points = kind == LG_JOINT_FIXED                                     ? 4
                             : kind == LG_JOINT_REVOLUTE                                ? 2
                             : kind == LG_JOINT_UNIVERSAL || kind == LG_JOINT_SPHERICAL ? 1
                                                                                        : 0;
    for (int i = 0; i < 4; i++) point_of(mo, 0, p->a[i], a[i], va[i]), point_of(mo, 1, p->b[i], b[i], vb[i]);
    *rate = 0;
    for (int i = 0; i < fixed_points; i++) {
        worst = claim_worse(worst, claim_gap(a[i], b[i], 3));
        *rate = claim_worse(*rate, claim_gap(va[i], vb[i], 3));
    }
    double d[3], dv[3];
    for (int k = 0; k < 3; k++) d[k] = b[0][k] - a[0][k], dv[k] = vb[0][k] - va[0][k];
    if (kind == LG_JOINT_DISTANCE) {
        *rate = fabs(dot(d, dv));
        return fabs(sqrt(dot(d, d)) - length);
    }
    /* directions of the frame on both bodies: 0 the axis, 1 and 2 across it */
    double u[3][3], w[3][3], du[3][3], dw[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            u[i][k] = a[1 + i][k] - a[0][k], w[i][k] = b[1 + i][k] - b[0][k];
            du[i][k] = va[1 + i][k] - va[0][k], dw[i][k] = vb[1 + i][k] - vb[0][k];
        }
    if (kind == LG_JOINT_UNIVERSAL) {
        worst = claim_worse(worst, fabs(dot(u[0], w[1])));
        *rate = claim_worse(*rate, fabs(dot(du[0], w[1]) + dot(u[0], dw[1])));
    }
    if (kind == LG_JOINT_PRISMATIC || kind == LG_JOINT_CYLINDRICAL || kind == LG_JOINT_PLANAR)
        for (int i = 0; i < (kind == LG_JOINT_PRISMATIC ? 3 : 1); i++) {
            worst = claim_worse(worst, claim_gap(u[i], w[i], 3));
            *rate = claim_worse(*rate, claim_gap(du[i], dw[i], 3));
        }
    for (int i = 0; i < 3; i++) {
        const int holds = kind == LG_JOINT_PLANAR ? i == 0 : i > 0;
        if (!holds || !(kind == LG_JOINT_PRISMATIC || kind == LG_JOINT_CYLINDRICAL || kind == LG_JOINT_PLANAR))
            continue;
        worst = claim_worse(worst, fabs(dot(u[i], d)));
        *rate = claim_worse(*rate, fabs(dot(du[i], d) + dot(u[i], dv)));
    }
    return worst;
}

/* Two bodies, the first free, with a joint between them: its axis, and two directions across it. */
static int pair_of(lg_mechanism **m, lg_joint_kind kind)
{
    lg_body a = lg_body_default("a"), b = lg_body_default("b");
    lg_joint j = lg_joint_default("joint", kind, "a", "b");
    int ok = lg_mechanism_create(m) == LG_OK;
    a.mass = 1.3, b.mass = 0.8;
    for (int k = 0; k < 3; k++) {
        a.inertia[k] = 0.1 + 0.02 * k, b.inertia[k] = 0.07 + 0.01 * k;
        a.centre[k] = centre_of[k], b.centre[k] = -centre_of[k];
        b.position[k] = 0.3 + 0.1 * k;
    }
    a.inertia[3] = 0.02;
    lg_so3_exp(b.attitude, (const double[3]){0.4, -0.3, 0.8});
    memcpy(j.point, (const double[3]){0.2, 0.1, 0.3}, sizeof j.point);
    memcpy(j.axis, (const double[3]){0, 0.6, 0.8}, sizeof j.axis);
    memcpy(j.second, (const double[3]){1, 0, 0}, sizeof j.second);
    if (kind == LG_JOINT_DISTANCE) memcpy(j.child_point, (const double[3]){0.1, 0, 0.2}, sizeof j.child_point);
    j.length = rod;
    return ok && lg_mechanism_add_body(*m, NULL, &a) == LG_OK && lg_mechanism_add_body(*m, NULL, &b) == LG_OK &&
           lg_mechanism_add_joint(*m, NULL, &j) == LG_OK && lg_mechanism_compile(*m) == LG_OK;
}

/* The points of the joint on both bodies of the assembled mechanism. */
static void find_points(const lg_motion *mo, lg_joint_kind kind, points *p)
{
    static const double frame_at[4][3] = {{0.2, 0.1, 0.3}, {0.2, 0.7, 1.1}, {1.2, 0.1, 0.3}, {0.2, 0.9, -0.3}};
    for (int i = 0; i < 4; i++) into_body(mo, 0, frame_at[i], p->a[i]), into_body(mo, 1, frame_at[i], p->b[i]);
    if (kind != LG_JOINT_DISTANCE) return;
    memset(p->a[0], 0, sizeof p->a[0]);
    memcpy(p->b[0], (const double[3]){0.1, 0, 0.2}, sizeof p->b[0]);
}

/* A body on an axle, another that slides on it, geared to the axle, with springs and dampers. */
static int geared(lg_mechanism **m)
{
    lg_body a = lg_body_default("a"), b = lg_body_default("b");
    lg_joint axle = lg_joint_default("axle", LG_JOINT_REVOLUTE, NULL, "a");
    lg_joint slide = lg_joint_default("slide", LG_JOINT_PRISMATIC, "a", "b");
    lg_spring s = lg_spring_default("spring", NULL, "b");
    lg_gear g = lg_gear_default("teeth", "slide", "axle");
    const int ok = lg_mechanism_create(m) == LG_OK;
    a.mass = 1.3, b.mass = 0.8, b.position[0] = 0.3, b.position[1] = 0.2;
    for (int k = 0; k < 3; k++) a.inertia[k] = 0.1 + 0.02 * k, b.inertia[k] = 0.07 + 0.01 * k;
    axle.stiffness = 0.3, axle.damping = 0.02, slide.stiffness = 2, slide.damping = 0.1, slide.rest = 0.1;
    memcpy(slide.point, (const double[3]){0.2, 0.1, 0.3}, sizeof slide.point);
    memcpy(slide.axis, (const double[3]){0, 0.6, 0.8}, sizeof slide.axis);
    s.stiffness = 5, s.damping = 0.3, s.parent_point[0] = 1;
    g.ratio = 0.1, g.offset = 0.05;
    return ok && lg_mechanism_add_body(*m, NULL, &a) == LG_OK && lg_mechanism_add_body(*m, NULL, &b) == LG_OK &&
           lg_mechanism_add_joint(*m, NULL, &axle) == LG_OK && lg_mechanism_add_joint(*m, NULL, &slide) == LG_OK &&
           lg_mechanism_add_spring(*m, NULL, &s) == LG_OK && lg_mechanism_add_gear(*m, NULL, &g) == LG_OK &&
           lg_mechanism_compile(*m) == LG_OK;
}

/* How far the slide is from what the gear asks for, from the two poses. */
static double off_gear(const lg_motion *mo)
{
    double a[7], b[7], x[3], d[3];
    if (lg_motion_body_pose(mo, a, 0) != LG_OK || lg_motion_body_pose(mo, b, 1) != LG_OK) return NAN;
    for (int k = 0; k < 3; k++) d[k] = b[k] - a[k];
    lg_so3_act_inverse(x, a + 3, d); /* of b in the axes of a; (0.3, 0.2, 0) where the slide is 0 */
    return 0.6 * (x[1] - 0.2) + 0.8 * x[2] - 0.1 * 2 * atan2(a[5], a[6]) - 0.05;
}

static void gear(claim_report *r)
{
    claim_motion x = {0};
    double worst = 0;
    claim_case(r, "gear", "sem", NULL);
    if (!geared(&x.m))
        claim_trouble(r, "mechanism: %s", lg_mechanism_message(x.m));
    else if (claim_ok(r, claim_motion_create(&x, "sem", 0.01), "motion", lg_motion_message(x.mo)) &&
             claim_ok(r, lg_motion_start_joints(x.mo, 0, NULL, (const double[2]){2, 0.2}, 1), "start",
                      lg_motion_message(x.mo))) {
        const double H = lg_motion_energy(x.mo);
        for (int i = 0, ok = 1; ok && i < 100; i++) {
            ok = claim_ok(r, lg_motion_step(x.mo, 1), "step", lg_motion_message(x.mo));
            worst = claim_worse(worst, fabs(off_gear(x.mo)));
        }
        claim_below(r, worst, 1e-13, "round-off of parts of 1 m", "largest distance of the slide from the gear's");
        claim_below(r, fabs(lg_motion_energy(x.mo) - H - lg_motion_work(x.mo)), 1e-12, "round-off",
                    "|H - H_0 - work| after 100 steps");
        claim_control(r, -lg_motion_work(x.mo), 0.01, "dampers take energy", "-work of the dampers");
    }
    claim_motion_close(&x);
}

static void joints(claim_report *r)
{
    static const char *const name[KINDS] = {"fixed",     "revolute", "prismatic", "cylindrical", "universal",
                                            "spherical", "planar",   "distance",  "free"};
    static const int freedoms[KINDS] = {0, 1, 1, 2, 2, 3, 3, 5, 6};
    for (int kind = 0; claim_own_systems(r) && kind < KINDS; kind++) {
        claim_motion x = {0};
        points p;
        double worst = 0, rate = 0, slip, v[12];
        claim_case(r, name[kind], "sem", NULL);
        for (int k = 0; k < 12; k++) v[k] = 1 + 0.3 * k;
        if (!pair_of(&x.m, (lg_joint_kind)kind))
            claim_trouble(r, "mechanism: %s", lg_mechanism_message(x.m));
        else if (claim_ok(r, claim_motion_create(&x, "sem", 0.01), "motion", lg_motion_message(x.mo)) &&
                 claim_ok(r, lg_motion_start_joints(x.mo, 0, NULL, NULL, 1), "start", lg_motion_message(x.mo))) {
            find_points(x.mo, (lg_joint_kind)kind, &p);
            int ok = claim_ok(r, lg_motion_start_joints(x.mo, 0, NULL, v, 1), "start", lg_motion_message(x.mo));
            const double H = lg_motion_energy(x.mo);
            for (int i = 0; ok && i < 100; i++) {
                ok = claim_ok(r, lg_motion_step(x.mo, 1), "step", lg_motion_message(x.mo));
                worst = claim_worse(worst, violation(x.mo, &p, (lg_joint_kind)kind, rod, &slip));
                rate = claim_worse(rate, slip);
            }
            claim_below(r, worst, 1e-13, "round-off of parts of 1 m", "largest gap of its points and directions");
            claim_below(r, rate, 1e-12, "round-off of velocities", "largest velocity across it");
            claim_below(r, fabs(lg_motion_energy(x.mo) - H), 1e-12, "round-off", "|H - H_0| after 100 steps");
            claim_between(r, lg_mechanism_freedoms(x.m), 6 + freedoms[kind], 6 + freedoms[kind], "the kind's freedoms",
                          "freedoms of the pair");
        }
        claim_motion_close(&x);
    }
    if (claim_own_systems(r)) gear(r);
}

/* Wheels ----------------------------------------------------------------------------------------------------------- */

/* A wheel thrown onto the ground z = 0: height of its lowest point, and the velocity there (of a knife edge at its
 * centre) less the ground's, along and across its heading. */
static void contact(const lg_motion *mo, const lg_wheel *w, double *height, double *along, double *across)
{
    double pose[7], u[3], x[3], v[3], down[3], k[3], t[3];
    const double n[3] = {0, 0, 1};
    *height = *along = *across = NAN;
    if (lg_motion_body_pose(mo, pose, 0) != LG_OK) return;
    lg_so3_act(u, pose + 3, w->axle);
    double size = 0;
    for (int i = 0; i < 3; i++) {
        down[i] = w->kind == LG_WHEEL_BALL ? -n[i] : u[2] * u[i] - n[i];
        size += down[i] * down[i];
    }
    for (int i = 0; i < 3; i++) k[i] = w->radius * down[i] / sqrt(size) - w->tube * n[i];
    /* the material point at the contact, in the body's frame */
    lg_so3_act_inverse(x, pose + 3, k);
    for (int i = 0; i < 3; i++) k[i] = x[i] + w->centre[i];
    if (lg_motion_point(mo, x, v, 0, k) != LG_OK) return;
    *height = x[2];
    if (w->contact == LG_CONTACT_EDGE && lg_motion_point(mo, x, v, 0, w->centre) != LG_OK) return;
    v[0] -= w->ground_velocity[0] - w->ground_spin * x[1], v[1] -= w->ground_velocity[1] + w->ground_spin * x[0];
    t[0] = u[1], t[1] = -u[0];
    size = hypot(t[0], t[1]);
    if (w->kind == LG_WHEEL_BALL) t[0] = 1, t[1] = 0, size = 1;
    *along = (v[0] * t[0] + v[1] * t[1]) / size, *across = (v[0] * t[1] - v[1] * t[0]) / size;
}

typedef struct wheel_case {
    const char *name;
    lg_wheel_kind kind;
    lg_contact contact;
    double tube, belt, spin, roller;
} wheel_case;

/* A single wheel with this contact, thrown. */
static int throw_wheel(claim_report *r, const wheel_case *c, lg_wheel *w, claim_motion *x)
{
    lg_body b = lg_body_default("wheel");
    *w = lg_wheel_default("tyre", "wheel");
    b.mass = 1.2, b.inertia[0] = 0.03, b.inertia[1] = 0.05, b.inertia[2] = 0.03;
    b.position[2] = 0.3;
    w->kind = c->kind, w->contact = c->contact, w->radius = 0.3, w->tube = c->tube;
    w->ground_velocity[0] = c->belt, w->ground_spin = c->spin, w->roller_angle = c->roller;
    lg_so3_exp(b.attitude, (const double[3]){0.3, 0, 0.2});
    return claim_ok(r, lg_mechanism_create(&x->m), "mechanism", "") &&
           claim_ok(r, lg_mechanism_add_body(x->m, NULL, &b), "body", lg_mechanism_message(x->m)) &&
           claim_ok(r, lg_mechanism_add_wheel(x->m, NULL, w), "wheel", lg_mechanism_message(x->m)) &&
           claim_ok(r, lg_mechanism_compile(x->m), "mechanism", lg_mechanism_message(x->m)) &&
           claim_ok(r, claim_motion_create(x, "sem", 0.005), "motion", lg_motion_message(x->mo)) &&
           claim_ok(r, lg_motion_start_joints(x->mo, 0, NULL, (const double[6]){0.9, 0.2, 0, 0.1, 3, 0.5}, 1), "start",
                    lg_motion_message(x->mo));
}

static void wheel_of(claim_report *r, const wheel_case *c)
{
    claim_motion x = {0};
    lg_wheel w;
    double height, along, across, worst = 0, slip = 0, most = 0;
    claim_case(r, c->name, "sem", NULL);
    int ok = throw_wheel(r, c, &w, &x);
    const double H = lg_motion_energy(x.mo);
    for (int i = 0; ok && i < 100; i++) {
        ok = claim_ok(r, lg_motion_step(x.mo, 1), "step", lg_motion_message(x.mo));
        contact(x.mo, &w, &height, &along, &across);
        worst = claim_worse(worst, fabs(height));
        if (w.contact == LG_CONTACT_OMNI) { /* along the axis of the roller, and square to it */
            const double cs = cos(w.roller_angle), sn = sin(w.roller_angle), forbidden = cs * along - sn * across;
            along = sn * along + cs * across, across = forbidden;
        }
        if (w.contact != LG_CONTACT_SLIDES) slip = claim_worse(slip, fabs(across));
        if (w.contact == LG_CONTACT_ROLLS) slip = claim_worse(slip, fabs(along));
        most = claim_worse(most, fabs(along));
    }
    if (ok) {
        claim_below(r, worst, 1e-13, "round-off", "largest height of the point that touches");
        claim_below(r, slip, 1e-12, "round-off", "largest velocity that the contact forbids");
        claim_below(r, fabs(lg_motion_energy(x.mo) - H - lg_motion_work(x.mo)), 1e-12, "round-off",
                    "|H - H_0 - work| after 100 steps");
        if (w.contact != LG_CONTACT_ROLLS)
            claim_control(r, most, 0.1, "what it allows",
                          w.contact == LG_CONTACT_OMNI ? "largest velocity across the roller's axis"
                                                       : "largest velocity along the heading");
    }
    claim_motion_close(&x);
}

static void wheels(claim_report *r)
{
    static const wheel_case cases[] = {
        {"disk", LG_WHEEL_DISK, LG_CONTACT_ROLLS, 0, 0, 0, 0},
        {"torus", LG_WHEEL_DISK, LG_CONTACT_ROLLS, 0.05, 0, 0, 0},
        {"disk on a belt", LG_WHEEL_DISK, LG_CONTACT_ROLLS, 0, 0.4, 0, 0},
        {"disk on a turntable", LG_WHEEL_DISK, LG_CONTACT_ROLLS, 0, 0, 1.5, 0},
        {"ball", LG_WHEEL_BALL, LG_CONTACT_ROLLS, 0, 0, 0, 0},
        {"ball on a turntable", LG_WHEEL_BALL, LG_CONTACT_ROLLS, 0, 0, 1.5, 0},
        {"knife edge", LG_WHEEL_DISK, LG_CONTACT_EDGE, 0, 0, 0, 0},
        {"sliding disk", LG_WHEEL_DISK, LG_CONTACT_SLIDES, 0, 0, 0, 0},
        {"omni wheel", LG_WHEEL_DISK, LG_CONTACT_OMNI, 0, 0, 0, 0},
        {"mecanum wheel on a turntable", LG_WHEEL_DISK, LG_CONTACT_OMNI, 0.05, 0, 1.5, 0.78539816339744828}};
    for (size_t i = 0; claim_own_systems(r) && i < sizeof cases / sizeof cases[0]; i++) wheel_of(r, &cases[i]);
}

const claim claims_multibody_joints[] = {
    {"multibody-joints",
     "Every kind of joint leaves the freedoms that it names and no others: points and directions on both bodies, and "
     "their velocities, satisfy this to round-off. A gear couples two of them.",
     CLAIM_MULTIBODY, 0.1, joints},
    {"multibody-wheels",
     "Wheels, balls, knife edges and tori stay on the ground, and the material point that touches has the ground's "
     "velocity, at rest, on a belt or on a turntable. Of a wheel with rollers it has that along the roller's axis.",
     CLAIM_MULTIBODY, 0.1, wheels},
    {0},
};
