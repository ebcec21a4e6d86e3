/* SPDX-License-Identifier: BSD-3-Clause */
/* Linearised steps whose contacts are held, chained over fifty steps, against differences of order eight of whole runs
 * from states in which the same contacts are closed. Steps with an event in them are refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/linearise.h>
#include <liegrp/run/trajectory.h>

#include "base/differences.h"
#include "support/touching.h"

#define DEEP 0.5
#ifdef LG_TANGENTS
#define TANGENTS 1
#else
#define TANGENTS 0
#endif
enum { STEPS = 50, MOST = 16, READ = 32, TOUCH = 8 };

static const double weight[] = {LG_CENTRAL_8};

typedef struct scene {
    lg_mechanism *m, *deep; /* the same over ground that is DEEP lower, where gaps may be negative */
    double h, q[READ], v[READ], u;
    int n, k, controls, closed; /* positions; numbers of a deviation; contacts that are closed */
    int flat;                   /* 1: gaps are linear in positions */
    double gap[TOUCH][READ];    /* derivatives of their gaps with respect to positions, orthonormal */
    int number[TOUCH];
    double C[READ * MOST], end[READ * MOST];
    double A[MOST * MOST], B[MOST], H[MOST];
} scene;

static lg_motion *begin(const scene *s, const double *q, const double *v, double u, double h)
{
    lg_motion *mo;
    lg_contact_options o = lg_contact_options_default();
    o.capture_speed = 1; /* no start has an impact */
    motion_well(motion_create(&mo, s->m, "sem", h), mo);
    motion_well(lg_motion_set_contact(mo, &o), mo);
    motion_well(lg_motion_start_joints(mo, 0, q, v, 1), mo);
    if (s->controls > 0) motion_well(lg_motion_set_control(mo, &u), mo);
    return mo;
}

static double gap_of(const scene *s, const double *q, int contact)
{
    lg_contact_state c;
    lg_motion *mo;
    motion_well(motion_create(&mo, s->deep, "sem", s->h), mo);
    motion_well(lg_motion_start_joints(mo, 0, q, NULL, 1), mo);
    suite_ok("contact", lg_motion_contact(mo, &c, contact));
    lg_motion_destroy(mo);
    return c.gap - DEEP;
}

/* The part of x along the gaps' derivatives is removed. */
static void across(const scene *s, double *x)
{
    for (int c = 0; c < s->closed; c++) {
        double d = 0;
        for (int i = 0; i < s->n; i++) d += s->gap[c][i] * x[i];
        for (int i = 0; i < s->n; i++) x[i] -= d * s->gap[c][i];
    }
}

/* Which contacts are closed at the start, and how positions open them; those that others open are left out. */
static void find_closed(scene *s, int contacts)
{
    for (int c = 0; c < contacts; c++) {
        double q[READ], g[READ], size = 0;
        if (fabs(gap_of(s, s->q, c)) > 1e-9) continue;
        for (int i = 0; i < s->n; i++) {
            memcpy(q, s->q, sizeof q);
            q[i] = s->q[i] + 1e-5, g[i] = gap_of(s, q, c);
            q[i] = s->q[i] - 1e-5, g[i] = (g[i] - gap_of(s, q, c)) / 2e-5;
        }
        across(s, g);
        for (int i = 0; i < s->n; i++) size += g[i] * g[i];
        if (!(sqrt(size) > 1e-6)) continue;
        for (int i = 0; i < s->n; i++) s->gap[s->closed][i] = g[i] / sqrt(size);
        s->number[s->closed++] = c;
    }
}

/* q <- the positions near q at which what is closed at the start is closed. */
static void close_gaps(const scene *s, double *q)
{
    for (int turn = 0; turn < 40; turn++) {
        double most = 0;
        for (int c = 0; c < s->closed; c++) {
            const double gap = gap_of(s, q, s->number[c]), e = 1e-4;
            double x[READ];
            memcpy(x, q, sizeof x);
            for (int i = 0; i < s->n; i++) x[i] += e * s->gap[c][i];
            const double slope = (gap_of(s, x, s->number[c]) - gap) / e;
            for (int i = 0; i < s->n; i++) q[i] -= gap / slope * s->gap[c][i];
            most = fmax(most, fabs(gap));
        }
        if (most < 1e-15) return;
    }
}

static void run(const scene *s, double *read, const double *q, const double *v, double u, double h)
{
    double at[READ];
    memcpy(at, q, sizeof at);
    close_gaps(s, at);
    lg_motion *mo = begin(s, at, v, u, h);
    motion_well(lg_motion_step(mo, STEPS), mo);
    motion_well(lg_motion_positions(mo, read, read + s->n), mo);
    lg_motion_destroy(mo);
}

static void follow(double *to, const double *A, const double *x, int k, int columns)
{
    double sum[MOST];
    for (int c = 0; c < columns; c++) {
        for (int i = 0; i < k; i++) {
            sum[i] = x != NULL ? x[i * columns + c] : 0;
            for (int j = 0; j < k; j++) sum[i] += A[i * k + j] * to[j * columns + c];
        }
        for (int i = 0; i < k; i++) to[i * columns + c] = sum[i];
    }
}

/* Closed contacts are closed after a step, also from states in which they were open. */
static void closes(const scene *s)
{
    double most = 0;
    for (int c = 0; c < s->closed; c++)
        for (int j = 0; j < s->k; j++) {
            double gap = 0;
            for (int i = 0; i < s->n; i++)
                for (int l = 0; l < s->k; l++) gap += s->gap[c][i] * s->end[i * s->k + l] * s->A[l * s->k + j];
            most = fmax(most, fabs(gap));
        }
    suite_below("gaps", most, 1e-12);
}

static void chain(scene *s, lg_motion *mo)
{
    static double A[MOST * MOST], B[MOST], h[MOST];
    memset(s->A, 0, sizeof s->A), memset(s->B, 0, sizeof s->B), memset(s->H, 0, sizeof s->H);
    for (int i = 0; i < s->k; i++) s->A[i * s->k + i] = 1;
    motion_well(lg_motion_basis(mo, s->C), mo);
    for (int step = 0; step < STEPS; step++) {
        motion_well(lg_motion_linearise_along(mo, A, s->controls > 0 ? B : NULL, h), mo);
        follow(s->A, A, NULL, s->k, s->k), follow(s->H, A, h, s->k, 1);
        if (s->controls > 0) follow(s->B, A, B, s->k, 1);
        motion_well(lg_motion_step(mo, 1), mo);
        motion_well(lg_motion_basis(mo, s->end), mo);
        if (step == 0 && s->flat) closes(s);
    }
}

/* How far off C y1 is from the derivative of runs along (dq, dv), du, dh. */
static double apart(const scene *s, double *size, const double *dq, const double *dv, double du, double dh,
                    const double *y1)
{
    double sum[READ] = {0}, q[READ] = {0}, v[READ] = {0}, read[READ], off = 0;
    for (int j = -4; j <= 4; j++) {
        if (j == 0) continue;
        for (int i = 0; i < s->n; i++) q[i] = s->q[i] + j * dq[i], v[i] = s->v[i] + j * dv[i];
        run(s, read, q, v, s->u + j * du, s->h + j * dh);
        for (int i = 0; i < 2 * s->n; i++) sum[i] += (j > 0 ? weight[j - 1] : -weight[-j - 1]) * read[i];
    }
    for (int i = 0; i < 2 * s->n; i++) {
        double d = 0;
        for (int c = 0; c < s->k; c++) d += s->end[i * s->k + c] * y1[c];
        off = fmax(off, fabs(d - sum[i])), *size = fmax(*size, fabs(sum[i]));
    }
    return off;
}

/* The deviation y of a start at which what is closed stays so: (dq, dv) = C y. */
static void along_gaps(const scene *s, double *y, double *dq, double *dv)
{
    double rows[TOUCH][MOST];
    for (int c = 0; c < s->closed; c++) {
        double size = 0, d;
        for (int j = 0; j < s->k; j++) {
            rows[c][j] = 0;
            for (int i = 0; i < s->n; i++) rows[c][j] += s->gap[c][i] * s->C[i * s->k + j];
        }
        for (int e = 0; e < c; e++) {
            d = 0;
            for (int j = 0; j < s->k; j++) d += rows[e][j] * rows[c][j];
            for (int j = 0; j < s->k; j++) rows[c][j] -= d * rows[e][j];
        }
        for (int j = 0; j < s->k; j++) size += rows[c][j] * rows[c][j];
        d = 0;
        for (int j = 0; j < s->k; j++) rows[c][j] /= sqrt(size), d += rows[c][j] * y[j];
        for (int j = 0; j < s->k; j++) y[j] -= d * rows[c][j];
    }
    memset(dq, 0, READ * sizeof *dq), memset(dv, 0, READ * sizeof *dv);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->k; j++) dq[i] += s->C[i * s->k + j] * y[j], dv[i] += s->C[(s->n + i) * s->k + j] * y[j];
}

static void check(scene *s, double move, double within, double length)
{
    lg_motion *mo = begin(s, s->q, s->v, s->u, s->h);
    s->n = lg_motion_position_count(mo), s->k = lg_motion_freedoms(mo, NULL), s->closed = 0;
    assert_true(s->k <= MOST && 2 * s->n <= READ);
    find_closed(s, lg_motion_contact_count(mo));
    if (TANGENTS) chain(s, mo);
    if (!TANGENTS) suite_status("none", lg_motion_linearise_along(mo, s->A, NULL, NULL), LG_ERROR_UNSUPPORTED);
    double off = 0, size = 0, dq[READ], dv[READ], y1[MOST], none[READ] = {0};
    for (int c = 0; TANGENTS && c < s->k; c++) {
        double y[MOST] = {0};
        y[c] = move;
        along_gaps(s, y, dq, dv);
        for (int i = 0; i < s->k; i++) {
            y1[i] = 0;
            for (int j = 0; j < s->k; j++) y1[i] += s->A[i * s->k + j] * y[j];
        }
        off = fmax(off, apart(s, &size, dq, dv, 0, 0, y1));
    }
    suite_below("start", off / size, within);
    size = 0;
    for (int i = 0; i < s->k; i++) y1[i] = 0.01 * s->B[i];
    if (TANGENTS && s->controls > 0) {
        off = apart(s, &size, none, none, 0.01, 0, y1);
        suite_below("control", size > 1e-9 ? off / size : off, within);
    }
    size = 0;
    for (int i = 0; i < s->k; i++) y1[i] = 1e-3 * s->h * s->H[i];
    off = TANGENTS ? apart(s, &size, none, none, 0, 1e-3 * s->h, y1) : 0;
    suite_below("length", size > 1e-9 ? off / size : off, length);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(s->m), lg_mechanism_destroy(s->deep);
}

/* Impulses of what slips solve their relations to 1e-12 of the velocities, which the differences divide by 1e-2. */
#define SLIPS 2e-9

static const double skin[3] = {0.1, 0, 0};

static lg_mechanism *ground(double friction, double depth)
{
    lg_mechanism *m = touch_empty();
    lg_surface s = lg_surface_default("ground", NULL);
    s.kind = LG_SURFACE_PLANE, s.friction = friction, s.position[2] = -depth;
    mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
    return m;
}

static lg_mechanism *ball(double friction, double viscous, double depth)
{
    const double at[3] = {0, 0, 0.1};
    lg_mechanism *m = ground(friction, depth);
    touch_body(m, "ball", 1, (double[3]){0.004, 0.005, 0.006}, at, 0.3);
    lg_surface s = lg_surface_default("skin", "ball");
    s.friction = friction, s.viscous = viscous;
    memcpy(s.half, skin, sizeof skin);
    mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Positions of the start as it is assembled. */
static void assembled(scene *s)
{
    lg_motion *mo;
    double none[READ];
    motion_well(motion_create(&mo, s->m, "sem", s->h), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    motion_well(lg_motion_positions(mo, s->q, none), mo);
    lg_motion_destroy(mo);
}

/* A free body's start: its velocity and angular velocity in space. */
static void thrown(scene *s, const double *twist)
{
    lg_motion *mo;
    double pose[7];
    assembled(s);
    motion_well(motion_create(&mo, s->m, "sem", s->h), mo);
    motion_well(lg_motion_start_joints(mo, 0, s->q, NULL, 1), mo);
    suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
    motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
    motion_well(lg_motion_positions(mo, s->q, s->v), mo);
    lg_motion_destroy(mo);
}

static void balls(void **unused)
{
    (void)unused;
    static scene s;
    suite_case("a ball that rolls");
    s = (scene){.m = ball(0.5, 0, 0), .deep = ball(0.5, 0, DEEP), .h = 0.01, .flat = 1};
    thrown(&s, (double[6]){0.2, 0.1, 0, -1, 2, 1});
    check(&s, 0.001, 1e-11, 1e-9);
    suite_case("a ball that slips");
    s = (scene){.m = ball(0.005, 0, 0), .deep = ball(0.005, 0, DEEP), .h = 0.01, .flat = 1};
    thrown(&s, (double[6]){0.3, 0.1, 0, 0.5, -1, 1});
    check(&s, 0.001, SLIPS, 1e-8);
    suite_case("a ball that slides in oil");
    s = (scene){.m = ball(0, 0.3, 0), .deep = ball(0, 0.3, DEEP), .h = 0.01};
    thrown(&s, (double[6]){0.2, 0.1, 0, 0.5, -1, 1});
    check(&s, 0.001, SLIPS, 1e-8);
    suite_case("a ball in flight");
    s = (scene){.m = ball(0.5, 0, 0), .deep = ball(0.5, 0, DEEP), .h = 0.01};
    thrown(&s, (double[6]){1, 0.5, 6, 1, -2, 1});
    s.q[2] += 0.5; /* above the ground */
    check(&s, 0.001, 1e-11, 1e-9);
}

/* A box of which the ground touches four corners, with a thruster along x at the height of the centre. */
static lg_mechanism *box(double friction, double depth)
{
    static const double half[3] = {0.1, 0.15, 0.05};
    lg_mechanism *m = ground(friction, depth);
    lg_thruster push = lg_thruster_default("push", "box");
    touch_thing(m, "box", LG_SURFACE_BOX, half, (double[3]){0, 0, 0.05}, 0, friction, 0);
    push.axis[0] = 1, push.axis[2] = 0;
    mechanism_well(lg_mechanism_add_thruster(m, NULL, &push), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void boxes(void **unused)
{
    (void)unused;
    static scene s;
    suite_case("a box that rests and is pushed");
    s = (scene){.m = box(0.5, 0), .deep = box(0.5, DEEP), .h = 0.01, .controls = 1, .u = 2};
    assembled(&s);
    check(&s, 0.0035, 2e-11, 1e-9);
    suite_case("a box that is pushed along");
    s = (scene){.m = box(0.1, 0), .deep = box(0.1, DEEP), .h = 0.01, .controls = 1, .u = 2};
    thrown(&s, (double[6]){0.5, 0, 0, 0, 0, 0});
    check(&s, 0.001, 2e-8, 1e-7); /* corners share the load to 1e-10 */
}

/* Two links on hinges, the first one on the world 0.5 m above the ground, and a foot that they drag over it. */
static lg_mechanism *leg(double friction, double depth)
{
    static const char *const names[] = {"thigh", "shank"};
    const double from[3][3] = {{0, 0, 0.5}, {0.25, 0, 0.35}, {0.1, 0, 0.05}};
    lg_mechanism *m = ground(friction, depth);
    for (int i = 0; i < 2; i++) {
        const double at[3] = {0.5 * (from[i][0] + from[i + 1][0]), 0, 0.5 * (from[i][2] + from[i + 1][2])};
        touch_body(m, names[i], 1, (double[3]){0.01, 0.011, 0.012}, at, 0);
        lg_joint j = lg_joint_default(names[i], LG_JOINT_REVOLUTE, i > 0 ? names[0] : NULL, names[i]);
        memcpy(j.point, from[i], sizeof j.point);
        j.axis[0] = 0, j.axis[1] = 1, j.axis[2] = 0;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    lg_surface foot = lg_surface_default("foot", "shank");
    foot.half[0] = 0.05, foot.friction = friction, foot.position[0] = -0.075, foot.position[2] = -0.15;
    mechanism_well(lg_mechanism_add_surface(m, NULL, &foot), m);
    lg_motor motor = lg_motor_default("hip", "thigh");
    mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void feet(void **unused)
{
    (void)unused;
    static scene s;
    suite_case("a foot that slides");
    s = (scene){.m = leg(0.1, 0), .deep = leg(0.1, DEEP), .h = 0.002, .controls = 1, .u = -2};
    assembled(&s);
    s.n = 2, find_closed(&s, 1);
    s.v[0] = s.gap[0][1], s.v[1] = -s.gap[0][0];
    check(&s, 0.001, SLIPS, 1e-8);
}

/* An ellipsoid, whose contact wanders over it. */
static lg_mechanism *pebble(double friction, double depth)
{
    const double at[3] = {0, 0, 0.1}, half[3] = {0.2, 0.15, 0.1};
    lg_mechanism *m = ground(friction, depth);
    touch_thing(m, "pebble", LG_SURFACE_ELLIPSOID, half, at, 0, friction, 0);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void pebbles(void **unused)
{
    (void)unused;
    static scene s;
    suite_case("an ellipsoid that rolls");
    s = (scene){.m = pebble(0.8, 0), .deep = pebble(0.8, DEEP), .h = 0.01};
    thrown(&s, (double[6]){0.02, 0.03, 0, -0.3, 0.2, 0.1});
    check(&s, 0.0005, 1e-11, 1e-9);
}

/* Steps until one is refused; *node: the first that is. The motion stays where it is. */
static void refused(lg_mechanism *m, const double *twist, double u, double h, lg_status status, const char *message)
{
    lg_trajectory *tr;
    lg_motion *mo;
    double before[READ], after[READ];
    motion_well(motion_create(&mo, m, "sem", h), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, twist, 1), mo);
    if (lg_mechanism_thruster_count(m) > 0) motion_well(lg_motion_set_control(mo, &u), mo);
    suite_ok("trajectory", lg_trajectory_of_motion(&tr, mo, 500));
    suite_status("event", lg_trajectory_run(tr, NULL), status);
    suite_contains("what", lg_trajectory_message(tr), message);
    suite_contains("where", lg_trajectory_message(tr), "the step from node");
    const int n = lg_motion_position_count(mo);
    suite_ok("positions", lg_motion_positions(mo, after, after + n));
    suite_ok("node", lg_trajectory_state(tr, NULL, before, lg_trajectory_reached(tr)));
    suite_same_bits("state", after, before, 2 * n);
    lg_trajectory_destroy(tr);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* A ball above the ground, with a thruster along z. */
static lg_mechanism *lifted(double friction, double height)
{
    lg_mechanism *m = ground(friction, height);
    lg_thruster up = lg_thruster_default("up", "ball");
    touch_body(m, "ball", 1, NULL, (double[3]){0, 0, 0.1}, 0);
    touch_surface(m, "skin", "ball", LG_SURFACE_SPHERE, skin, friction, 0.5);
    mechanism_well(lg_mechanism_add_thruster(m, NULL, &up), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Corners that slip in different directions. */
static void loads(void **unused)
{
    (void)unused;
    refused(box(0.1, 0), (double[6]){0.5, 0, 0, 0, 0, 2}, 0, 0.01, TANGENTS ? LG_ERROR_SINGULAR : LG_ERROR_UNSUPPORTED,
            TANGENTS ? "share the load" : "a compiler for C++");
}

static void events(void **unused)
{
    (void)unused;
    lg_motion *mo;
    double A[256];
    suite_case("a bounce");
    refused(lifted(0.5, 0.3), NULL, 0, 0.01, LG_ERROR_SINGULAR, "contact 'skin' on 'ground'");
    suite_case("a landing");
    refused(lifted(0.5, 1e-6), NULL, 0, 0.01, LG_ERROR_SINGULAR, "lands");
    suite_case("it lifts off");
    refused(lifted(0.5, 0), (double[6]){0, 0, 0, 0, 0, 0}, 20, 0.01, LG_ERROR_SINGULAR, "opens");
    suite_case("slipping ends");
    refused(lifted(0.5, 0), (double[6]){1, 0, 0, 0, 0, 0}, 0, 0.01, LG_ERROR_SINGULAR, "comes to stick");
    suite_case("slipping begins");
    refused(box(0.1, 0), NULL, 2, 0.01, LG_ERROR_SINGULAR, "begins to slip");
    suite_case("without friction");
    refused(lifted(0, 0), NULL, 0, 0.01, LG_ERROR_UNSUPPORTED, "has friction");
    suite_case("continuous equations");
    lg_mechanism *m = lifted(0.5, 0);
    motion_well(motion_create(&mo, m, "sem", 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    suite_status("equations", lg_motion_linearise(mo, A, NULL, NULL, NULL), LG_ERROR_UNSUPPORTED);
    suite_contains("advice", lg_motion_message(mo), "lg_motion_linearise_along()");
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls),   cmocka_unit_test(boxes), cmocka_unit_test(feet),
                                       cmocka_unit_test(pebbles), cmocka_unit_test(loads), cmocka_unit_test(events)};
    suite_begin("multibody/linearise_contacts");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
