/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives: closed forms of a slider-crank, of a body and of a moving pivot; tables, wheels, linearised equations. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/linearise.h>

#include "multibody/lead.h"
#include "multibody/mechanism.h"
#include "support/mechanism_systems.h"

static const double none[3] = {0, 0, 0}, x[3] = {1, 0, 0}, y[3] = {0, -1, 0}, z[3] = {0, 0, 1};

/* ---- a slider-crank ---- */

enum { CRANK, ROD, SLIDER };
static const double radius = 0.2, length = 0.5, rate = 10, swing = 0.3, beat = 5;

/* q = rate t + swing sin(beat t) */
static int turns(double t, double *q, void *calls)
{
    q[0] = rate * t + swing * sin(beat * t);
    q[1] = rate + swing * beat * cos(beat * t);
    q[2] = -swing * beat * beat * sin(beat * t);
    if (calls != NULL) ++*(int *)calls;
    return 0;
}

static lg_mechanism *slider_crank(const lg_drive *drive)
{
    static const double at[3] = {0.1, 0.45, 0.7}, inertia[3] = {0.01, 0.03, 0.01};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_set_gravity(m, none), m);
    for (int i = 0; i < 3; i++) {
        lg_body b = lg_body_default(i == CRANK ? "crank" : i == ROD ? "rod" : "slider");
        b.mass = i == SLIDER ? 2 : 1, b.position[0] = at[i];
        for (int k = 0; k < 3; k++) b.inertia[k] = inertia[i];
        mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    }
    mechanism_add_joint(m, "a", LG_JOINT_REVOLUTE, NULL, "crank", none, y);
    mechanism_add_joint(m, "b", LG_JOINT_REVOLUTE, "crank", "rod", (double[3]){radius, 0, 0}, y);
    mechanism_add_joint(m, "c", LG_JOINT_REVOLUTE, "rod", "slider", (double[3]){0.7, 0, 0}, y);
    mechanism_add_joint(m, "d", LG_JOINT_PRISMATIC, NULL, "slider", (double[3]){0.7, 0, 0}, x);
    if (drive != NULL) mechanism_well(lg_mechanism_add_drive(m, NULL, drive), m);
    return m;
}

static lg_drive by_function(const char *joint, lg_drive_fn motion, void *context)
{
    lg_drive d = lg_drive_default("drive", joint);
    d.motion = motion, d.context = context;
    return d;
}

/* M(q) of T = M q'^2/2, its derivative, and where the slider is. */
static void crank(double q, double *M, double *slope, double *slider)
{
    const double r = radius, l = length, s = r / l * sin(q), c = sqrt(1 - s * s); /* of the rod's angle */
    const double p = r * cos(q) / (l * c), dp = (s * p * p - r / l * sin(q)) / c;
    const double dx[2] = {-r * sin(q) - l / 2 * s * p, r / 2 * cos(q)};
    const double ddx[2] = {-r * cos(q) - l / 2 * (c * p * p + s * dp), -r / 2 * sin(q)};
    const double ds = -r * sin(q) - l * s * p, dds = -r * cos(q) - l * (c * p * p + s * dp);
    *slider = r * cos(q) + l * c;
    *M = 0.01 + r * r / 4 + dx[0] * dx[0] + dx[1] * dx[1] + 0.03 * p * p + 2 * ds * ds;
    *slope = 2 * (dx[0] * ddx[0] + dx[1] * ddx[1] + 0.03 * p * dp + 2 * ds * dds);
}

/* The torque at time t, its mean over [t - h, t] by Simpson's rule in many pieces. */
static double torque(double t)
{
    double q[3], M, slope, slider;
    (void)turns(t, q, NULL);
    crank(q[0], &M, &slope, &slider);
    return M * q[2] + 0.5 * slope * q[1] * q[1];
}

static double mean_torque(double t, double h)
{
    enum { PIECES = 200 };
    double sum = 0;
    for (int i = 0; i <= PIECES; i++)
        sum += (i == 0 || i == PIECES ? 1 : i % 2 ? 4 : 2) * torque(t - h + h * i / PIECES);
    return sum / (3 * PIECES);
}

static double energy(double t)
{
    double q[3], M, slope, slider;
    (void)turns(t, q, NULL);
    crank(q[0], &M, &slope, &slider);
    return 0.5 * M * q[1] * q[1];
}

/* Runs to t = 0.3; the error of the drive's last mean torque. */
static double crank_error(const lg_mechanism *m, const char *method, double h)
{
    double force, work, q, M, slope, slider, pose[7], given[3];
    lg_motion *mo;
    suite_case("%s, h = %g", method, h);
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    const double H = lg_motion_energy(mo);
    suite_near1("H", H, energy(0), 1e-14, H);
    motion_well(lg_motion_run_to(mo, 0.3), mo);
    (void)turns(0.3, given, NULL);
    crank(given[0], &M, &slope, &slider);
    suite_ok("joint", lg_motion_joint(mo, &q, NULL, 0));
    suite_near1("q", q, given[0], 1e-15, 10);
    suite_ok("pose", lg_motion_body_pose(mo, pose, SLIDER));
    suite_near1("slider", pose[0], slider, 1e-14, 1);
    suite_near1("energy", lg_motion_energy(mo), energy(0.3), 1e-12, H);
    suite_below("gap", lg_motion_gap(mo), 1e-14);
    suite_below("slip", lg_motion_slip(mo), 1e-13);
    suite_ok("drive", lg_motion_drive(mo, &force, &work, 0));
    suite_near1("work", work, energy(0.3) - H, 1e-12, H);
    suite_near1("all work", lg_motion_work(mo), work, 1e-14, H);
    const double error = fabs(force - mean_torque(0.3, h));
    lg_motion_destroy(mo);
    return error;
}

static void slider_cranks(void **unused)
{
    int calls = 0;
    (void)unused;
    const lg_drive d = by_function("a", turns, &calls);
    lg_mechanism *m = slider_crank(&d);
    mechanism_well(lg_mechanism_compile(m), m);
    const double first = crank_error(m, "sem", 0.002), second = crank_error(m, "sem", 0.001);
    suite_near1("order", log2(first / second), 2, 0.1, 1);
    (void)crank_error(m, "sem@suzuki4", 0.01);
    suite_below("gauss", crank_error(m, "gauss", 0.01), 1e-10);
    suite_below("gauss", crank_error(m, "gauss:stages=4", 0.005), 1e-10);
    suite_above("calls", calls, 0);
    lg_mechanism_destroy(m);
}

/* ---- a body whose pose is given ---- */

static const double about[3] = {0.6, 0, 0.8}, centre[3] = {0.1, -0.2, 0.3}, weight = 2,
                    moments[6] = {0.2, 0.3, 0.4, 0.02, -0.03, 0.01};

/* It turns about a skew axis and moves on a curve. */
static int screw(double t, double *motion, void *unused)
{
    const double turn = 0.4 * sin(3 * t) + t, rate_ = 1.2 * cos(3 * t) + 1, bend = -3.6 * sin(3 * t);
    const double at[3] = {sin(t), t * t, cos(2 * t)}, v[3] = {cos(t), 2 * t, -2 * sin(2 * t)},
                 a[3] = {-sin(t), 2, -4 * cos(2 * t)};
    (void)unused;
    for (int k = 0; k < 3; k++) {
        motion[k] = at[k], motion[7 + k] = v[k], motion[13 + k] = a[k];
        motion[3 + k] = about[k] * sin(turn / 2), motion[10 + k] = about[k] * rate_, motion[16 + k] = about[k] * bend;
    }
    motion[6] = cos(turn / 2);
    return 0;
}

static void cross(double *c, const double *a, const double *b)
{
    for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* force[6] of the body at time t by Newton and Euler, about the origin of its frame. */
static void screw_force(double t, double *force)
{
    double s[19], R[9], c[3], w[3], v[3], Iw[3], Ia[3], t1[3], t2[3];
    const double I[9] = {moments[0], moments[3], moments[4], moments[3], moments[1],
                         moments[5], moments[4], moments[5], moments[2]};
    (void)screw(t, s, NULL);
    lg_so3_to_matrix(R, s + 3);
    lg_so3_act(c, s + 3, centre);
    for (int i = 0; i < 2; i++) { /* I in space, times w and the derivative of w */
        double own[3], moved[3];
        lg_so3_act_inverse(own, s + 3, s + (i ? 16 : 10));
        for (int k = 0; k < 3; k++) moved[k] = I[3 * k] * own[0] + I[3 * k + 1] * own[1] + I[3 * k + 2] * own[2];
        lg_so3_act(i ? Ia : Iw, s + 3, moved);
    }
    memcpy(w, s + 10, sizeof w);
    cross(v, w, c), cross(t1, w, v), cross(t2, s + 16, c);
    for (int k = 0; k < 3; k++) force[k] = weight * (s[13 + k] + t1[k] + t2[k] + (k == 2 ? 9.81 : 0));
    cross(t1, w, Iw), cross(t2, c, force);
    for (int k = 0; k < 3; k++) force[3 + k] = Ia[k] + t1[k] + t2[k];
}

static void screw_mean(double t, double h, double *force)
{
    enum { PIECES = 200 };
    memset(force, 0, 6 * sizeof *force);
    for (int i = 0; i <= PIECES; i++) {
        double f[6];
        screw_force(t - h + h * i / PIECES, f);
        const double share = (i == 0 || i == PIECES ? 1 : i % 2 ? 4 : 2) / (3.0 * PIECES);
        for (int k = 0; k < 6; k++) force[k] += share * f[k];
    }
}

static lg_mechanism *on_screw(const lg_drive *drive, int pendulum)
{
    lg_mechanism *m;
    double start[19];
    mechanism_well(lg_mechanism_create(&m), NULL);
    lg_body b = lg_body_default("base");
    (void)screw(0, start, NULL);
    b.mass = weight, memcpy(b.inertia, moments, sizeof moments), memcpy(b.centre, centre, sizeof centre);
    memcpy(b.position, start, sizeof b.position), memcpy(b.attitude, start + 3, sizeof b.attitude);
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    if (pendulum) {
        mechanism_add_body(m, "bob", 0.3, 0, 0.6);
        mechanism_add_joint(m, "ball", LG_JOINT_SPHERICAL, "base", "bob", (double[3]){0.1, 0, 1}, z);
    }
    mechanism_well(lg_mechanism_add_drive(m, NULL, drive), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* The error of the force, relative to 20 N, at t = 0.4. */
static double screw_error(const lg_mechanism *m, const char *method, double h)
{
    double pose[7], twist[6], given[19], force[6], want[6], work, most = 0;
    lg_motion *mo;
    suite_case("%s, h = %g", method, h);
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    const double H = lg_motion_energy(mo);
    motion_well(lg_motion_run_to(mo, 0.4), mo);
    (void)screw(0.4, given, NULL);
    suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
    suite_ok("twist", lg_motion_body_twist(mo, twist, 0));
    suite_near("pose", pose, given, 7, 1e-14, 1);
    suite_ok("point", lg_motion_point(mo, NULL, twist, 0, none));
    suite_near("twist", twist, given + 7, 6, 1e-12, 1);
    suite_ok("drive", lg_motion_drive(mo, force, &work, 0));
    suite_near1("work", work, lg_motion_energy(mo) - H, 1e-12, 20);
    screw_mean(0.4, h, want);
    for (int k = 0; k < 6; k++) most = fmax(most, fabs(force[k] - want[k]) / 20);
    lg_motion_destroy(mo);
    return most;
}

static void screws(void **unused)
{
    (void)unused;
    lg_drive d = lg_drive_default("drive", NULL);
    d.body = "base", d.motion = screw;
    lg_mechanism *m = on_screw(&d, 0);
    const double first = screw_error(m, "sem", 0.004), second = screw_error(m, "sem", 0.002);
    suite_near1("order", log2(first / second), 2, 0.1, 1);
    suite_below("gauss", screw_error(m, "gauss", 0.02), 1e-10);
    lg_mechanism_destroy(m);
    m = on_screw(&d, 1);
    mechanism_sem_order(m, NULL, NULL, 0.004, 1e-10);
    lg_mechanism_destroy(m);
}

/* ---- tables ---- */

/* A cubic in four points or more is itself, a parabola in three, a line in two. */
static int polynomial(double t, double *q, void *degree)
{
    const int n = *(const int *)degree;
    q[0] = 0.5 * t + (n > 1 ? 0.3 * t * t : 0) + (n > 2 ? -0.7 * t * t * t : 0);
    q[1] = 0.5 + (n > 1 ? 0.6 * t : 0) + (n > 2 ? -2.1 * t * t : 0);
    q[2] = (n > 1 ? 0.6 : 0) + (n > 2 ? -4.2 * t : 0);
    return 0;
}

static void run_crank(const lg_drive *d, double *end)
{
    lg_motion *mo;
    lg_mechanism *m = slider_crank(d);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, "gauss", 0.02), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    motion_well(lg_motion_run_to(mo, 1), mo);
    suite_ok("pose", lg_motion_body_pose(mo, end, ROD));
    suite_ok("drive", lg_motion_drive(mo, end + 7, end + 8, 0));
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void tables(void **unused)
{
    static const double uneven[6] = {0, 0.1, 0.35, 0.5, 0.8, 1};
    (void)unused;
    for (int count = 2; count <= 6; count++) {
        const int degree = count < 4 ? count - 1 : 3;
        double times[6], values[6], s[3], f[9], g[9];
        suite_case("%d points", count);
        for (int i = 0; i < count; i++) {
            times[i] = i == count - 1 ? 1 : uneven[i];
            (void)polynomial(times[i], s, (void *)(uintptr_t)&degree);
            values[i] = s[0];
        }
        lg_drive d = by_function("a", NULL, NULL);
        d.count = count, d.times = times, d.values = values;
        run_crank(&d, f);
        d = by_function("a", polynomial, (void *)(uintptr_t)&degree);
        run_crank(&d, g);
        suite_near("table", f, g, 9, 1e-11, 1);
    }
}

/* A table of poses converges with order 4 and follows the points; signs of quaternions do not count. */
static void tables_of_poses(void **unused)
{
    enum { MOST = 81 };
    double times[MOST], values[7 * MOST], s[19], error[2];
    (void)unused;
    for (int fine = 0; fine < 2; fine++) {
        const int count = fine ? 81 : 41;
        double pose[7], force[6], want[6];
        lg_motion *mo;
        for (int i = 0; i < count; i++) {
            times[i] = i / (count - 1.0);
            (void)screw(times[i], s, NULL);
            memcpy(values + 7 * i, s, 7 * sizeof *s);
            for (int k = 3; k < 7; k++) values[7 * i + k] *= i % 3 ? 2 : -1;
        }
        lg_drive d = lg_drive_default("drive", NULL);
        d.body = "base", d.count = count, d.times = times, d.values = values;
        lg_mechanism *m = on_screw(&d, 0);
        memset(values, 0, sizeof values);   /* it was copied */
        const double h = 1 / (count - 1.0); /* a step is within a piece */
        motion_well(motion_create(&mo, m, "gauss", h), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
        motion_well(lg_motion_run_to(mo, 0.5), mo);
        (void)screw(0.5, s, NULL);
        suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
        suite_near("pose", pose, s, 7, 1e-14, 1);
        suite_ok("force", lg_motion_drive(mo, force, NULL, 0));
        screw_mean(0.5, h, want);
        error[fine] = 0;
        for (int k = 0; k < 6; k++) error[fine] = fmax(error[fine], fabs(force[k] - want[k]));
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    suite_below("forces", error[0], 1e-5);
    suite_above("order", log2(error[0] / error[1]), 3.5); /* of their means */
}

/* Twists are derivatives of poses, and their derivatives those of twists, between rows that are far apart. */
static void leaders(void **unused)
{
    static const double w[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}, h = 1e-3;
    enum { ROWS = 6 };
    double times[ROWS], values[7 * ROWS];
    lg_rng rng = suite_rng(7);
    (void)unused;
    for (int i = 0; i < ROWS; i++) times[i] = i + 0.3 * (i % 2);
    for (int i = 0; i < 7 * ROWS; i++) values[i] = 2 * lg_rng_uniform(&rng) - 1;
    lg_drive d = lg_drive_default("drive", NULL);
    d.body = "base", d.count = ROWS, d.times = times, d.values = values;
    lg_mechanism *m = on_screw(&d, 0);
    for (int piece = 0; piece < ROWS - 1; piece++) {
        const double t = 0.6 * times[piece] + 0.4 * times[piece + 1];
        double slope[7] = {0}, bend[6] = {0}, turn[3], across[3];
        mb_led at, on, back;
        mb_stray why;
        assert_false(mb_lead(&m->plan, 0, t, &at, &why));
        for (int i = 0; i < 4; i++) {
            assert_false(mb_lead(&m->plan, 0, t + (i + 1) * h, &on, &why));
            assert_false(mb_lead(&m->plan, 0, t - (i + 1) * h, &back, &why));
            for (int k = 0; k < 7; k++) slope[k] += w[i] * (on.pose[k] - back.pose[k]) / h;
            for (int k = 0; k < 6; k++) bend[k] += w[i] * (on.twist[k] - back.twist[k]) / h;
        }
        cross(across, at.pose + 3, slope + 3); /* w = 2 q' q^-1 */
        for (int k = 0; k < 3; k++) turn[k] = 2 * (at.pose[6] * slope[3 + k] - slope[6] * at.pose[3 + k] + across[k]);
        suite_near("velocity", at.twist, slope, 3, 1e-10, 10);
        suite_near("angular velocity", at.twist + 3, turn, 3, 1e-9, 10);
        suite_near("acceleration", at.acceleration, bend, 6, 1e-8, 10);
    }
    lg_mechanism_destroy(m);
}

/* ---- a moving pivot, and wheels ---- */

/* A pendulum on a slide that goes up and down; `wheels`: two blades on a hinge that swings: a roller racer. */
static int shakes(double t, double *q, void *unused)
{
    (void)unused;
    q[0] = 0.2 * sin(6 * t), q[1] = 1.2 * cos(6 * t), q[2] = -7.2 * sin(6 * t);
    return 0;
}

static lg_mechanism *pivot(void)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "slide", 0, 0, 0);
    mechanism_add_body(m, "bob", 0, 0, -0.5);
    mechanism_add_joint(m, "up", LG_JOINT_PRISMATIC, NULL, "slide", none, z);
    mechanism_add_joint(m, "pin", LG_JOINT_REVOLUTE, "slide", "bob", none, y);
    const lg_drive d = by_function("up", shakes, NULL);
    mechanism_well(lg_mechanism_add_drive(m, NULL, &d), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* I q'' = -m l (g + p'') sin q, and the linearised one. */
static void pivots(void **unused)
{
    const double I = 0.03 + 0.25, h = 1e-3;
    double q = 0.7, v = 0, A[4], got[2];
    lg_motion *mo;
    (void)unused;
    lg_mechanism *m = pivot();
    for (int i = 0; i < 1000; i++) { /* Runge and Kutta */
        double k[4][2];
        for (int s = 0; s < 4; s++) {
            const double c = s == 0 ? 0 : s == 3 ? 1 : 0.5, at = h * (i + c);
            const double a = q + (s > 0 ? c * h * k[s - 1][0] : 0), b = v + (s > 0 ? c * h * k[s - 1][1] : 0);
            double p[3];
            (void)shakes(at, p, NULL);
            k[s][0] = b, k[s][1] = -0.5 * (9.81 + p[2]) * sin(a) / I;
        }
        q += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
        v += h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
    }
    motion_well(motion_create(&mo, m, "gauss", 0.02), mo);
    motion_well(lg_motion_start_joints(mo, 0, (const double[2]){0, 0.7}, NULL, 0), mo);
    motion_well(lg_motion_run_to(mo, 1), mo);
    suite_ok("joint", lg_motion_joint(mo, got, got + 1, 1));
    suite_near("pivot", got, (const double[2]){q, v}, 2, 1e-9, 1);
    lg_motion_destroy(mo);
    for (int i = 0; i < 2; i++) {
        double p[3];
        motion_well(motion_create(&mo, m, i ? "gauss" : NULL, 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0.4, NULL, NULL, 1), mo);
        suite_near1("freedoms", lg_motion_freedoms(mo, NULL), 2, 0, 1);
        motion_well(lg_motion_linearise(mo, A, NULL, NULL, NULL), mo);
        (void)shakes(0.4, p, NULL);
        suite_near1("det A", A[0] * A[3] - A[1] * A[2], 0.5 * (9.81 + p[2]) / I, 1e-9, 10);
        suite_near1("trace A", A[0] + A[3], 0, 1e-9, 10);
        motion_well(lg_motion_linearise_step(mo, A, NULL, NULL, NULL), mo);
        suite_near1("det", A[0] * A[3] - A[1] * A[2], 1, 1e-5, 1);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

static lg_mechanism *racer(void)
{
    static const char *const name[2] = {"front", "rear"};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 2; i++) {
        lg_wheel w = lg_wheel_default(name[i], name[i]);
        mechanism_add_body(m, name[i], i ? -0.3 : 0.3, 0, 0.1);
        w.radius = 0.1, w.contact = LG_CONTACT_EDGE;
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    }
    mechanism_add_joint(m, "floor", LG_JOINT_PLANAR, NULL, "front", (double[3]){0, 0, 0.1}, z);
    mechanism_add_joint(m, "hinge", LG_JOINT_REVOLUTE, "front", "rear", (double[3]){0, 0, 0.1}, z);
    const lg_drive d = by_function("hinge", shakes, NULL);
    mechanism_well(lg_mechanism_add_drive(m, NULL, &d), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void racers(void **unused)
{
    (void)unused;
    lg_mechanism *m = racer();
    mechanism_sem_order(m, NULL, NULL, 0.005, 1e-9);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_cranks), cmocka_unit_test(screws),          cmocka_unit_test(tables),
        cmocka_unit_test(leaders),       cmocka_unit_test(tables_of_poses), cmocka_unit_test(pivots),
        cmocka_unit_test(racers),
    };
    suite_begin("multibody/drives");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
