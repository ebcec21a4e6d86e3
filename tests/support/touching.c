/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/touching.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "base/dense.h"
#include "multibody/contact/contact.h"
#include "multibody/motion.h"

void touch_tilt(double *attitude, double tilt)
{
    attitude[0] = attitude[2] = 0, attitude[1] = sin(0.5 * tilt), attitude[3] = cos(0.5 * tilt);
}

lg_mechanism *touch_empty(void)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    return m;
}

lg_mechanism *touch_ground(double friction, double restitution, double tilt)
{
    lg_mechanism *m = touch_empty();
    lg_surface s = lg_surface_default("ground", NULL);
    s.kind = LG_SURFACE_PLANE, s.friction = friction, s.restitution = restitution;
    touch_tilt(s.attitude, tilt);
    mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
    return m;
}

void touch_body(lg_mechanism *m, const char *name, double mass, const double *inertia, const double *position,
                double tilt)
{
    lg_body b = lg_body_default(name);
    b.mass = mass;
    for (int k = 0; k < 3; k++) b.inertia[k] = inertia != NULL ? inertia[k] : 0.4 * 0.01 * mass;
    memcpy(b.position, position, sizeof b.position);
    touch_tilt(b.attitude, tilt);
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
}

void touch_surface(lg_mechanism *m, const char *name, const char *body, lg_surface_kind kind, const double *half,
                   double friction, double restitution)
{
    lg_surface s = lg_surface_default(name, body);
    s.kind = kind, s.friction = friction, s.restitution = restitution;
    if (half != NULL) memcpy(s.half, half, sizeof s.half);
    mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
}

void touch_thing(lg_mechanism *m, const char *name, lg_surface_kind kind, const double *half, const double *position,
                 double tilt, double friction, double restitution)
{
    const double x = half[0] * half[0], y = half[1] * half[1], z = half[2] * half[2];
    touch_body(m, name, 1, (double[3]){(y + z) / 3, (x + z) / 3, (x + y) / 3}, position, tilt);
    touch_surface(m, name, name, kind, half, friction, restitution);
}

lg_motion *touch_motion(lg_mechanism *m, double h)
{
    lg_motion *mo = NULL;
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, "sem", h), mo);
    return mo;
}

lg_motion *touch_motion_by(lg_mechanism *m, double h, lg_impact_law law, double capture)
{
    lg_motion *mo = touch_motion(m, h);
    lg_contact_options o = lg_contact_options_default();
    o.law = law, o.capture_speed = capture;
    motion_well(lg_motion_set_contact(mo, &o), mo);
    return mo;
}

lg_account touch_account(const lg_motion *mo)
{
    lg_account a = lg_account_default();
    suite_ok("account", lg_motion_account(mo, &a));
    return a;
}

static double driven(const lg_account *a)
{
    return a->motors + a->drives + a->servos + a->dampers + a->ground + a->wrench;
}

double touch_sum(const lg_account *a)
{
    return driven(a) - a->friction - a->landing - a->impact_normal - a->impact_friction - a->node;
}

static double size_of(const lg_motion *mo)
{
    const int n = 6 * mb_of(mo)->plan.bodies; /* with rotors */
    double *xi = calloc(2 * (size_t)n, sizeof *xi), T = 0;
    suite_ok("state", lg_motion_state(mo, NULL, xi, xi + n));
    for (int i = 0; i < n; i++) T += 0.5 * xi[i] * xi[n + i];
    free(xi);
    return T + fabs(lg_motion_energy(mo) - T);
}

touch_watch touch_begin(const lg_motion *mo)
{
    const lg_account a = touch_account(mo);
    return (touch_watch){.H0 = lg_motion_energy(mo) - touch_sum(&a), .size = size_of(mo)};
}

/* Impulses of the last part of the step. */
static void look_at_cones(touch_watch *w, const lg_motion *mo)
{
    const mb_contacts *c = mb_of(mo)->numbers.contacts;
    for (int i = 0; i < c->count; i++) {
        const double *P = c->P + 3 * i, most = c->contact[i].friction * P[0];
        if (c->contact[i].kind == MB_CONTACT_DRY) continue;
        if (P[0] < 0) suite_fail("a contact pulls: %g N s", P[0]);
        if (c->contact[i].viscous > 0) continue; /* it has no cone */
        if (c->contact[i].rows == 3 && P[0] > 0) w->cone = fmax(w->cone, (hypot(P[1], P[2]) - most) / most);
    }
}

void touch_look(touch_watch *w, const lg_motion *mo)
{
    const lg_account a = touch_account(mo);
    w->size = fmax(w->size, size_of(mo));
    w->balance = fmax(w->balance, fabs(lg_motion_energy(mo) - w->H0 - touch_sum(&a)));
    if (isnan(lg_motion_energy(mo))) suite_fail("H is no number");
    for (int i = 0; i < lg_motion_contact_count(mo); i++) {
        lg_contact_state s;
        suite_ok("contact", lg_motion_contact(mo, &s, i));
        w->gap = fmin(w->gap, s.gap);
    }
    look_at_cones(w, mo);
}

void touch_run(touch_watch *w, lg_motion *mo, int64_t steps)
{
    for (int64_t k = 0; k < steps; k++) {
        const lg_account before = touch_account(mo);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_step(mo, 1), mo);
        const lg_account after = touch_account(mo);
        w->rise = fmax(w->rise, lg_motion_energy(mo) - H - (driven(&after) - driven(&before)));
        touch_look(w, mo);
        suite_below("balance", w->balance, 1e-12 * w->size);
        if (!w->gains) suite_below("rise", w->rise, 1e-12 * w->size);
        suite_below("overlap", -w->gap, 1e-12);
        suite_below("cone", w->cone, 1e-12);
    }
}

void touch_at(const lg_motion *mo, int body, double *position, double *twist)
{
    double pose[7];
    suite_ok("pose", lg_motion_body_pose(mo, pose, body));
    suite_ok("twist", lg_motion_body_twist(mo, twist, body));
    memcpy(position, pose, 3 * sizeof *pose);
}

double touch_x(const lg_motion *mo, int body, int axis)
{
    double x[3], v[6];
    touch_at(mo, body, x, v);
    return x[axis];
}

double touch_v(const lg_motion *mo, int body, int axis)
{
    double x[3], v[6];
    touch_at(mo, body, x, v);
    return v[axis];
}

/* ---- machines ---- */

static void add_hinge(lg_mechanism *m, const char *name, const char *parent, const char *child, const double *point,
                      const double *axis)
{
    lg_joint j = lg_joint_default(name, LG_JOINT_REVOLUTE, parent, child);
    lg_motor motor = lg_motor_default(name, name);
    char motor_name[24];
    snprintf(motor_name, sizeof motor_name, "%s-servo", name), motor.name = motor_name;
    memcpy(j.point, point, sizeof j.point), memcpy(j.axis, axis, sizeof j.axis);
    motor.position_gain = 120, motor.velocity_gain = 3;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
}

lg_mechanism *touch_quadruped(void)
{
    const double body[3] = {0.02, 0.06, 0.07}, link[3] = {1e-3, 1e-3, 1e-4};
    lg_mechanism *m = touch_ground(0.7, 0, 0);
    touch_body(m, "trunk", 6, body, (double[3]){0, 0, 0.42}, 0);
    for (int i = 0; i < 4; i++) {
        const double x = i < 2 ? 0.2 : -0.2, y = i % 2 ? 0.12 : -0.12;
        char hip[8], thigh[8], shin[8], joint[8];
        snprintf(hip, sizeof hip, "hip%d", i), snprintf(thigh, sizeof thigh, "thigh%d", i);
        snprintf(shin, sizeof shin, "shin%d", i);
        touch_body(m, hip, 0.3, link, (double[3]){x, y, 0.42}, 0);
        touch_body(m, thigh, 0.5, link, (double[3]){x, y, 0.32}, 0);
        touch_body(m, shin, 0.2, link, (double[3]){x, y, 0.12}, 0);
        lg_surface foot = lg_surface_default(shin, shin);
        foot.half[0] = 0.02, foot.position[2] = -0.1, foot.friction = 0.7, foot.group = 1;
        mechanism_well(lg_mechanism_add_surface(m, NULL, &foot), m);
        snprintf(joint, sizeof joint, "a%d", i);
        add_hinge(m, joint, "trunk", hip, (double[3]){x, y, 0.42}, (double[3]){1, 0, 0});
        snprintf(joint, sizeof joint, "b%d", i);
        add_hinge(m, joint, hip, thigh, (double[3]){x, y, 0.42}, (double[3]){0, 1, 0});
        snprintf(joint, sizeof joint, "c%d", i);
        add_hinge(m, joint, thigh, shin, (double[3]){x, y, 0.22}, (double[3]){0, 1, 0});
    }
    return m;
}

void touch_feet(double *at, const lg_motion *mo)
{
    static const double foot[3] = {0, 0, -0.1};
    for (int i = 0; i < 4; i++) suite_ok("foot", lg_motion_point(mo, at + 3 * i, NULL, 3 + 3 * i, foot));
}

void touch_stand(lg_motion *mo)
{
    double u[12];
    for (int i = 0; i < 12; i++) u[i] = i % 3 == 1 ? 0.4 : i % 3 == 2 ? -0.8 : 0;
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    motion_well(lg_motion_set_control(mo, u), mo);
}

lg_mechanism *touch_stack(int count, double friction)
{
    const double half[3] = {0.1, 0.1, 0.1};
    lg_mechanism *m = touch_ground(friction, 0, 0);
    lg_thruster push = lg_thruster_default("push", "b0");
    char name[16], below[16], box[16], other[24];
    for (int i = 0; i < count; i++) {
        const double at[3] = {0, 0, 0.1 + 0.2 * i};
        snprintf(name, sizeof name, "b%d", i), snprintf(box, sizeof box, "box%d", i);
        touch_body(m, name, 1, (double[3]){0.02 / 3, 0.02 / 3, 0.02 / 3}, at, 0);
        for (int top = 0; top < 2; top++) {
            lg_surface s = lg_surface_default(top ? "" : box, name);
            snprintf(other, sizeof other, "top%d", i);
            if (top) s.name = other, s.position[2] = 0.1;
            s.kind = top ? LG_SURFACE_PLANE : LG_SURFACE_BOX, s.friction = friction, s.group = 1;
            if (!top) memcpy(s.half, half, sizeof half);
            if (top && i == count - 1) break;
            mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
        }
        if (i < count - 1) {
            lg_surface_pair p = lg_surface_pair_default(other, other, "ground");
            p.ignored = 1;
            mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &p), m);
        }
        if (i == 0) continue;
        snprintf(below, sizeof below, "top%d", i - 1), snprintf(other, sizeof other, "on%d", i);
        const lg_surface_pair p = lg_surface_pair_default(other, below, box);
        mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &p), m);
    }
    push.axis[0] = 1, push.axis[2] = 0, push.point[2] = -0.1;
    mechanism_well(lg_mechanism_add_thruster(m, NULL, &push), m);
    return m;
}

/* ---- an ellipsoid that slips and sticks ---- */

static const double ellipsoid_half[3] = {0.2, 0.15, 0.1}, ellipsoid_inertia[3] = {0.0065, 0.01, 0.0125};

lg_mechanism *touch_ellipsoid(void)
{
    lg_mechanism *m = touch_ground(0.3, 0, 0);
    touch_body(m, "b", 1, ellipsoid_inertia, (double[3]){0, 0, 0}, 0);
    touch_surface(m, "s", "b", LG_SURFACE_ELLIPSOID, ellipsoid_half, 0.3, 0);
    return m;
}

void touch_ellipsoid_starts(lg_motion *mo)
{
    static const double pose[7] = {
        0, 0, 0.10115049996892612, 0.04991521613769645, 0.02994912968261787, 0, 0.998304322753929};
    static const double p[6] = {
        1.0, 0.5, 0.010815208729331316, 0.0019516676491359913, 0.005799327067536374, 0.03725701491228437};
    double v[6], R[9];
    lg_so3_to_matrix(R, pose + 3);
    memcpy(v, p, sizeof v);
    for (int i = 0; i < 3; i++) {
        v[3 + i] = 0;
        for (int k = 0; k < 3; k++) v[3 + i] += R[3 * i + k] * p[3 + k] / ellipsoid_inertia[k];
    }
    motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
}

double touch_ellipsoid_error(const lg_motion *mo)
{
    static const double want[13] = {
        0.17038382466392318,  0.05137235761057248,   0.10209791278845455,  0.012958900666866183, -0.08976655774149592,
        0.9955631549488235,   0.025060656677229832,  0.018967582694997265, 0.1370835499469429,   -0.027894997845918368,
        0.011181301323727775, -0.013383453174056318, 0.03684004263851615};
    double v[6], R[9], got[7], error = 0;
    suite_ok("pose", lg_motion_body_pose(mo, got, 0));
    const double sign = lg_dot(got + 3, want + 3, 4) < 0 ? -1 : 1;
    for (int i = 0; i < 7; i++) error = fmax(error, fabs((i < 3 ? 1 : sign) * got[i] - want[i]));
    suite_ok("twist", lg_motion_body_twist(mo, v, 0));
    for (int i = 0; i < 3; i++) error = fmax(error, fabs(v[i] - want[7 + i]));
    lg_so3_to_matrix(R, got + 3);
    for (int i = 0; i < 3; i++) {
        double own = 0;
        for (int k = 0; k < 3; k++) own += R[3 * k + i] * v[3 + k];
        error = fmax(error, fabs(ellipsoid_inertia[i] * own - want[10 + i]));
    }
    return error;
}
