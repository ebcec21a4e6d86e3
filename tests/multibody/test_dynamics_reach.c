/* SPDX-License-Identifier: BSD-3-Clause */
/* Inverse kinematics: poses that some state has are reached, loops stay closed, limits hold, and where no
 * state has the pose the nearest one is found. */
#include <math.h>
#include <string.h>

#include "support/dynamic_states.h"

enum { MOST = DYNAMIC_MOST };

/* The frame of a body at positions q; the state stays. */
static void pose_at(double *pose, const dynamic_state *s, const double *q, int body, const double *point)
{
    dynamics_well(lg_dynamics_set(s->d, q, NULL), s->d);
    dynamics_well(lg_dynamics_frame(s->d, pose, NULL, body, point), s->d);
    dynamics_well(lg_dynamics_set(s->d, s->q, NULL), s->d);
}

static void check_pose(const dynamic_state *s, const double *want, int body, const double *point, double size)
{
    double pose[7];
    dynamics_well(lg_dynamics_frame(s->d, pose, NULL, body, point), s->d);
    suite_near("position", pose, want, 3, 1e-8, size);
    const double sign = dynamic_dot(pose + 3, want + 3, 4) < 0 ? -1 : 1;
    for (int k = 3; k < 7; k++) pose[k] *= sign;
    suite_near("attitude", pose + 3, want + 3, 4, 1e-8, 1);
}

/* Trees: two frames at once, from a start near by. */
static void trees(void **unused)
{
    int reached = 0, tried = 0;
    (void)unused;
    for (int i = 0; i < suite_count(60); i++) {
        lg_rng rng = suite_rng(3000 + (uint64_t)i);
        random_mechanism r;
        dynamic_state s;
        random_mechanism_draw(&r, RANDOM_TREE, 2 + i % 8, 1, &rng);
        suite_case("tree %d", i);
        if (lg_mechanism_compile(r.m) == LG_OK) {
            double pose[14], point[6], from[MOST], off[2];
            const int body[2] = {r.bodies - 1, i % r.bodies};
            dynamic_draw(&s, r.m, r.size, &rng);
            suite_normal(point, 6, &rng), suite_normal(from, s.n, &rng);
            if (lg_mechanism_freedoms(r.m) == s.n) {
                for (int k = 0; k < 6; k++) point[k] *= r.size;
                for (int k = 0; k < 2; k++) pose_at(pose + 7 * k, &s, s.q, body[k], point + 3 * k);
                for (int k = 3; k < 7 && i % 2; k++) pose[k] = -pose[k]; /* the other quaternion */
                for (int k = 0; k < s.n; k++) from[k] = s.q[k] + 0.1 * fmin(r.size, 1) * from[k];
                dynamics_well(lg_dynamics_set(s.d, from, s.v), s.d);
                const lg_status st = lg_dynamics_reach(s.d, off, body, pose, point, NULL, 2);
                tried++, reached += st == LG_OK;
                if (st == LG_OK)
                    for (int k = 0; k < 2; k++) check_pose(&s, pose + 7 * k, body[k], point + 3 * k, 1 + 10 * r.size);
                if (st != LG_OK) suite_status("no other", st, LG_ERROR_DOMAIN);
            }
            lg_dynamics_destroy(s.d);
        }
        lg_mechanism_destroy(r.m);
    }
    suite_above("share that is reached", reached, 0.9 * tried);
}

/* Poses that a mechanism with loops had in a motion, from where it began; then from positions that open the loops. */
static void loops(void **unused)
{
    static const char *const names[] = {"arm", "four-bar", "bricard", "andrews", "strandbeest", "vehicle"};
    (void)unused;
    for (int i = 0; i < 6; i++) {
        const int g = lg_gallery_index(names[i]);
        lg_mechanism *m = gallery_mechanism(g, 0);
        lg_motion *mo = gallery_motion(m, g, "gauss", lg_gallery_step(g));
        lg_rng rng = suite_rng(3100 + (uint64_t)i);
        dynamic_state s;
        double pose[7], q[MOST], off[2], x[MOST], v[MOST];
        const int body = i == 3 ? 0 : lg_mechanism_body_count(m) - 1; /* the last one of Andrews hardly moves here */
        suite_case("%s", names[i]);
        dynamic_draw(&s, m, 1, &rng);
        dynamics_well(lg_dynamics_take(s.d, mo), s.d);
        dynamics_well(lg_dynamics_state(s.d, q, NULL), s.d);
        motion_well(lg_motion_step(mo, 20), mo);
        suite_ok("pose", lg_motion_body_pose(mo, pose, body));
        dynamics_well(lg_dynamics_reach(s.d, off, &body, pose, NULL, NULL, 1), s.d);
        suite_below("off", fmax(off[0], off[1]), 1e-9);
        check_pose(&s, pose, body, NULL, 1);
        dynamics_well(lg_dynamics_state(s.d, x, v), s.d);
        suite_near1("rest", dynamic_largest(v, s.n), 0, 0, 1);
        motion_well(lg_motion_start_joints(mo, 0, x, NULL, 0), mo);
        suite_below("gap", lg_motion_gap(mo), 1e-11);
        for (int draw = 0; draw < 20; draw++) {
            double open[MOST];
            suite_normal(open, s.n, &rng);
            for (int k = 0; k < s.n; k++) open[k] = q[k] + 0.02 * open[k];
            dynamics_well(lg_dynamics_set(s.d, open, NULL), s.d);
            dynamics_well(lg_dynamics_reach(s.d, off, NULL, NULL, NULL, NULL, 0), s.d);
            suite_near1("no target", fmax(off[0], off[1]), 0, 0, 1);
            dynamics_well(lg_dynamics_state(s.d, x, NULL), s.d);
            motion_well(lg_motion_start_joints(mo, 0, x, NULL, 0), mo);
            if (lg_dynamics_row_count(s.d) == 0) suite_near("tree", x, open, s.n, 0, 1);
            suite_below("gap", lg_motion_gap(mo), 1e-11);
        }
        lg_dynamics_destroy(s.d), lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* Two links of 1 m on hinges about y, which lie along x at 0. */
static lg_mechanism *links(double lower, double upper)
{
    static const char *const bodies[] = {"a", "b"}, *const joints[] = {"first", "second"};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 2; i++) {
        lg_joint j = lg_joint_default(joints[i], LG_JOINT_REVOLUTE, i > 0 ? bodies[0] : NULL, bodies[i]);
        mechanism_add_body(m, bodies[i], i + 0.5, 0, 0);
        j.axis[1] = 1, j.axis[2] = 0, j.point[0] = i;
        if (i == 1) j.lower = lower, j.upper = upper;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* The end of two links comes to (x, z), or as near as it can. */
static void two_links(void **unused)
{
    static const double end[3] = {0.5, 0, 0}, position_only[2] = {1, 0}, attitude_only[2] = {0, 1};
    static const struct {
        double lower, upper, x, z, off, q[2];
        lg_status status;
    } cases[] = {
        {-4, 4, 1, -1, 0, {0, SUITE_PI / 2}, LG_OK},                 /* an elbow */
        {-4, 4, 3, -4, 3, {0.9272952180016122, 0}, LG_ERROR_DOMAIN}, /* stretched, too far away */
        {0.5, 0.5, 3, -4, 5 - 1.9378248434212895, {0.6772952180016122, 0.5}, LG_ERROR_DOMAIN}, /* the elbow is stuck */
        {-1, 1, 1, -1, 1.7551651237807455 - 1.4142135623730951, {0.2853981633974483, 1}, LG_ERROR_DOMAIN}, /* limited */
    };
    const int body = 1;
    (void)unused;
    for (int i = 0; i < 4; i++) {
        const double pose[7] = {cases[i].x, 0, cases[i].z, 0, 0, 0, 1}, start[2] = {0.2, 0.6};
        double off[2], q[2];
        lg_mechanism *m = links(cases[i].lower, cases[i].upper);
        lg_dynamics *d;
        suite_case("%d", i);
        dynamics_well(lg_dynamics_create(&d, m), d);
        dynamics_well(lg_dynamics_set(d, start, NULL), d);
        suite_status("reach", lg_dynamics_reach(d, off, &body, pose, end, position_only, 1), cases[i].status);
        dynamics_well(lg_dynamics_state(d, q, NULL), d);
        suite_near1("off", off[0], cases[i].off, 1e-9, 1);
        suite_near1("free", off[1], 0, 0, 1);
        suite_near("q", q, cases[i].q, 2, 1e-7, 1);
        suite_near1("limits", fmin(fmax(q[1], cases[i].lower), cases[i].upper), q[1], 0, 1);
        if (cases[i].status != LG_OK) suite_contains("message", lg_dynamics_message(d), "the nearest state is");
        lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    }
    const double turned[7] = {9, 9, 9, 0, sin(0.4), 0, cos(0.4)}, askew[7] = {9, 9, 9, sin(0.3), 0, 0, cos(0.3)};
    double off[2], q[2];
    lg_mechanism *m = links(-4, 4);
    lg_dynamics *d;
    dynamics_well(lg_dynamics_create(&d, m), d);
    dynamics_well(lg_dynamics_reach(d, off, &body, turned, end, attitude_only, 1), d);
    dynamics_well(lg_dynamics_state(d, q, NULL), d);
    suite_near1("turn", q[0] + q[1], 0.8, 1e-9, 1);
    suite_status("askew", lg_dynamics_reach(d, off, &body, askew, end, attitude_only, 1), LG_ERROR_DOMAIN);
    suite_near1("angle", off[1], 0.6, 1e-8, 1);
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
}

/* A crank of 0.5 m drives a slider along x by a rod of 1 m: shaft, elbow, rail and pin with these limits, of which
 * joint `last` is added last. Not compiled. */
static const char *const crank_joints[] = {"shaft", "elbow", "rail", "pin"};
static lg_mechanism *crank(double (*limits)[2], int last)
{
    static const char *const bodies[] = {"crank", "rod", "slider"}, *const parents[] = {NULL, "crank", NULL, "rod"},
                             *const children[] = {"crank", "rod", "slider", "slider"};
    static const double axis[2][3] = {{0, 1, 0}, {1, 0, 0}}, at[4] = {0, 0.5, 1.5, 1.5}, middle[3] = {0.25, 1, 1.5};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 3; i++) mechanism_add_body(m, bodies[i], middle[i], 0, 0);
    for (int i = 0; i < 4; i++) {
        const int k = i == 3 ? last : i < last ? i : i + 1;
        lg_joint j =
            lg_joint_default(crank_joints[k], k == 2 ? LG_JOINT_PRISMATIC : LG_JOINT_REVOLUTE, parents[k], children[k]);
        memcpy(j.axis, axis[k == 2], sizeof axis[0]);
        j.point[0] = at[k], j.lower = limits[k][0], j.upper = limits[k][1];
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    return m;
}

/* The coordinate of a joint; -1: it closes the loop. */
static int crank_coordinate(const lg_dynamics *d, const lg_mechanism *m, int joint)
{
    return lg_dynamics_joint_index(d, NULL, lg_mechanism_joint(m, crank_joints[joint]));
}

#define NO_LIMITS                                                                                                      \
    {                                                                                                                  \
        {-INFINITY, INFINITY}, {-INFINITY, INFINITY}, {-INFINITY, INFINITY},                                           \
        {                                                                                                              \
            -INFINITY, INFINITY                                                                                        \
        }                                                                                                              \
    }

static void limited_loop(void **unused)
{
    static const double only[2] = {1, 0};
    const double high = 1.2, beyond[3] = {1.6, 0.2, 0}, far[7] = {0.2, 0, 0, 0, 0, 0, 1};
    const int slider = 2;
    double x[3], off[2], limits[4][2] = NO_LIMITS;
    lg_dynamics *d;
    (void)unused;
    limits[0][0] = 0.3, limits[0][1] = high;
    lg_mechanism *m = crank(limits, 3);
    mechanism_well(lg_mechanism_compile(m), m);
    dynamics_well(lg_dynamics_create(&d, m), d);
    const int shaft = crank_coordinate(d, m, 0), rail = crank_coordinate(d, m, 2);
    x[shaft] = beyond[0], x[1] = -1, x[rail] = beyond[2]; /* beyond the limit, with the loop open */
    dynamics_well(lg_dynamics_set(d, x, NULL), d);
    dynamics_well(lg_dynamics_reach(d, off, NULL, NULL, NULL, NULL, 0), d);
    dynamics_well(lg_dynamics_state(d, x, NULL), d);
    suite_near1("limit", x[shaft], high, 0, 1);
    suite_near1("closed", 1.5 + x[rail], 0.5 * cos(high) + sqrt(1 - pow(0.5 * sin(high), 2)), 1e-12, 1);
    suite_status("far", lg_dynamics_reach(d, off, &slider, far, NULL, only, 1), LG_ERROR_DOMAIN);
    dynamics_well(lg_dynamics_state(d, x, NULL), d);
    suite_near1("limit", x[shaft], high, 0, 1);
    suite_near1("off", off[0], 1.3 + x[rail], 1e-12, 1);
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
}

/* Positions of the joints where the crank is at phi. */
static void crank_at(double *x, double phi)
{
    const double rod = -asin(0.5 * sin(phi));
    x[0] = phi, x[1] = rod - phi, x[2] = 0.5 * cos(phi) + cos(rod) - 1.5, x[3] = -rod;
}

/* The slider to a place within the limits, to one beyond them, and there from beyond them; then limits alone. */
static void reach_limits(lg_dynamics *d, const lg_mechanism *m)
{
    static const double weight[2] = {1, 0};
    const int slider = 2;
    double q[4], x[4], pose[7] = {0, 0, 0, 0, 0, 0, 1}, off[2];
    for (int draw = 0; draw < 4; draw++) {
        const int within = draw == 0;
        double right[4];
        crank_at(q, draw < 2 ? 0.7 : 1.4), crank_at(right, within ? 0.9 : 1.2);
        pose[0] = 1.5 + right[2] - (within ? 0 : 0.05);
        for (int k = 0; k < 4; k++)
            if (crank_coordinate(d, m, k) >= 0) x[crank_coordinate(d, m, k)] = q[k];
        suite_input("draw", (const double[1]){draw}, 1);
        dynamics_well(lg_dynamics_set(d, x, NULL), d);
        suite_status("reach", lg_dynamics_reach(d, off, &slider, pose, NULL, weight, draw < 3),
                     within || draw == 3 ? LG_OK : LG_ERROR_DOMAIN);
        suite_near1("off", off[0], within || draw == 3 ? 0 : 0.05, 1e-9, 1);
        dynamics_well(lg_dynamics_state(d, x, NULL), d);
        for (int k = 0; k < 4; k++) {
            if (crank_coordinate(d, m, k) < 0) continue;
            const double apart = x[crank_coordinate(d, m, k)] - right[k];
            suite_near1(crank_joints[k], k == 2 ? apart : remainder(apart, 2 * SUITE_PI), 0, 1e-8, 1);
        }
    }
}

/* Limits of each joint in turn, or of a coordinate on it, where each joint in turn is added last: of those that close
 * the loop too. */
static void limits_of_loops(void **unused)
{
    int closing = 0;
    double low[4], high[4];
    (void)unused;
    crank_at(low, 0.4), crank_at(high, 1.2);
    for (int i = 0; i < 32; i++) {
        const int limited = i / 8, last = i / 2 % 4, of_joint = i % 2;
        double limits[4][2] = NO_LIMITS, of[2] = {fmin(low[limited], high[limited]), fmax(low[limited], high[limited])};
        lg_dynamics *d;
        suite_case("limits of %s, %s last, %d", crank_joints[limited], crank_joints[last], of_joint);
        if (of_joint) memcpy(limits[limited], of, sizeof of);
        lg_mechanism *m = crank(limits, last);
        lg_coordinate c = lg_coordinate_default("limits", crank_joints[limited]);
        c.lower = of[0], c.upper = of[1];
        if (!of_joint) mechanism_well(lg_mechanism_add_coordinate(m, NULL, &c), m);
        mechanism_well(lg_mechanism_compile(m), m);
        dynamics_well(lg_dynamics_create(&d, m), d);
        closing += crank_coordinate(d, m, limited) < 0;
        reach_limits(d, m);
        lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    }
    assert_in_range(closing, 4, 8);
}

/* Limits of two joints that exclude each other, one of which closes the loop. */
static void limits_that_exclude(void **unused)
{
    double low[4], high[4], x[3];
    (void)unused;
    crank_at(low, 0.4), crank_at(high, 1.2);
    for (int last = 0; last < 4; last++) {
        double limits[4][2] = NO_LIMITS;
        lg_dynamics *d;
        suite_case("%s last", crank_joints[last]);
        limits[0][0] = -low[0], limits[0][1] = low[0], limits[2][1] = high[2];
        lg_mechanism *m = crank(limits, last);
        mechanism_well(lg_mechanism_compile(m), m);
        dynamics_well(lg_dynamics_create(&d, m), d);
        for (int k = 0; k < 4; k++)
            if (crank_coordinate(d, m, k) >= 0) x[crank_coordinate(d, m, k)] = low[k];
        dynamics_well(lg_dynamics_set(d, x, NULL), d);
        suite_status("neither", lg_dynamics_reach(d, NULL, NULL, NULL, NULL, NULL, 0), LG_ERROR_INCONSISTENT);
        lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    }
}

/* How near two cranks whose rods meet bring their tip to a place beyond the limits of one of the five hinges, of which
 * hinge `last` is added last: they have a freedom left at the limit. 1: the limited one closes the loop. */
static int five_hinges(double *tip, int limited, int last)
{
    static const double at[5][3] = {{0, 0, 0}, {-0.3, 0, 0.8}, {0.5, 0, 1.5}, {1.3, 0, 0.8}, {1, 0, 0}},
                        axis[3] = {0, 1, 0}, weight[2] = {1, 0},
                        goals[2][7] = {{0.8, 0, 1.5, 0, 0, 0, 1}, {0.75, 0, 1.4, 0, 0, 0, 1}};
    static const char *const bodies[] = {"a", "b", "c", "d", NULL}, *const hinges[] = {"0", "1", "2", "3", "4"};
    const int body = 1;
    double point[3], pose[7], off[2], q[4];
    lg_mechanism *m;
    lg_dynamics *d;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 4; i++)
        mechanism_add_body(m, bodies[i], (at[i][0] + at[i + 1][0]) / 2, 0, (at[i][2] + at[i + 1][2]) / 2);
    for (int i = 0; i < 5; i++) {
        const int k = i == 4 ? last : i < last ? i : i + 1;
        lg_joint j = lg_joint_default(hinges[k], LG_JOINT_REVOLUTE, k > 0 ? bodies[k - 1] : NULL, bodies[k]);
        memcpy(j.point, at[k], sizeof at[k]), memcpy(j.axis, axis, sizeof axis);
        if (k == limited) j.lower = -0.1, j.upper = 0.1;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    dynamics_well(lg_dynamics_create(&d, m), d);
    for (int k = 0; k < 3; k++) point[k] = (at[2][k] - at[1][k]) / 2;
    for (int i = 0; i < 2; i++) { /* the second time from inside the limit by rounding */
        const lg_status st = lg_dynamics_reach(d, off, &body, goals[i], point, weight, 1);
        if (st != LG_OK) suite_status("the nearest", st, LG_ERROR_DOMAIN);
        dynamics_well(lg_dynamics_state(d, q, NULL), d);
        for (int k = 0; k < 4; k++) q[k] *= 1 - 1e-13;
        if (i == 0) dynamics_well(lg_dynamics_set(d, q, NULL), d);
    }
    dynamics_well(lg_dynamics_frame(d, pose, NULL, body, point), d);
    tip[0] = pose[0], tip[1] = pose[2], tip[2] = off[0];
    const int closes = lg_mechanism_joint_closes(m, lg_mechanism_joint(m, hinges[limited]));
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    return closes;
}

static void limits_along_loops(void **unused)
{
    int closing = 0;
    (void)unused;
    for (int limited = 0; limited < 5; limited++) {
        double tip[5][3];
        for (int last = 0; last < 5; last++) {
            suite_case("limits of hinge %d, %d last", limited, last);
            closing += five_hinges(tip[last], limited, last);
            if (limited != 1) suite_above("beyond", tip[last][2], 0.01);
            suite_near("the nearest place", tip[last], tip[0], 3, 1e-7, 1);
        }
    }
    assert_in_range(closing, 3, 5);
}

/* A body on a cross whose angles have the limits of the joint, and the second those of a coordinate, too. */
static void limits_of_positions(void **unused)
{
    static const struct {
        double upper, q[2], right[2];
        lg_status status;
    } cases[] = {
        {0.3, {0.8, 0.2}, {0.8, 0.2}, LG_OK},
        {0.3, {0.8, 0.9}, {0.8, 0.3}, LG_ERROR_DOMAIN},
        {0.3, {1.4, 0.2}, {1, 0.2}, LG_ERROR_DOMAIN},
        {5, {0.8, 1.3}, {0.8, 1}, LG_ERROR_DOMAIN},
        {-2, {0.8, 0.2}, {0, 0}, LG_ERROR_INCONSISTENT}, /* no angle has both limits */
    };
    static const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1}, attitude_only[2] = {0, 1};
    const int body = 0;
    (void)unused;
    for (int i = 0; i < 5; i++) {
        lg_mechanism *m;
        lg_dynamics *d;
        double pose[7], q[2];
        suite_case("%d", i);
        mechanism_well(lg_mechanism_create(&m), NULL);
        mechanism_add_body(m, "a", 0, 0, 0);
        lg_joint j = lg_joint_default("cross", LG_JOINT_UNIVERSAL, NULL, "a");
        memcpy(j.point, origin, sizeof origin), memcpy(j.axis, up, sizeof up), j.lower = -1, j.upper = 1;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        lg_coordinate c = lg_coordinate_default("second", "cross.2");
        c.lower = -3, c.upper = cases[i].upper;
        mechanism_well(lg_mechanism_add_coordinate(m, NULL, &c), m);
        mechanism_well(lg_mechanism_compile(m), m);
        dynamics_well(lg_dynamics_create(&d, m), d);
        dynamics_well(lg_dynamics_set(d, cases[i].q, NULL), d);
        dynamics_well(lg_dynamics_frame(d, pose, NULL, body, NULL), d);
        dynamics_well(lg_dynamics_set(d, origin, NULL), d);
        suite_status("reach", lg_dynamics_reach(d, NULL, &body, pose, NULL, attitude_only, 1), cases[i].status);
        dynamics_well(lg_dynamics_state(d, q, NULL), d);
        for (int k = 0; k < 2; k++) { /* one that a limit holds has its value */
            const int held = cases[i].right[k] != cases[i].q[k];
            if (held) suite_same_bits("limit", &q[k], &cases[i].right[k], 1);
            if (!held && cases[i].status == LG_OK) suite_near1("q", q[k], cases[i].right[k], 1e-8, 1);
        }
        lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    }
}

static void refusals(void **unused)
{
    const int none = 2, body = 1;
    double pose[7] = {1, 0, 0, 0, 0, 0, 1}, zero[7] = {0}, nan[3] = {NAN, 0, 0}, weight[2] = {-1, 1}, q[2],
           at[2] = {1, 2};
    lg_mechanism *m = links(-4, 4);
    lg_dynamics *d;
    (void)unused;
    dynamics_well(lg_dynamics_create(&d, m), d);
    dynamics_well(lg_dynamics_set(d, at, at), d);
    suite_status("no body", lg_dynamics_reach(d, NULL, &none, pose, NULL, NULL, 1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_dynamics_message(d), "target 0: there is no body 2");
    suite_status("no poses", lg_dynamics_reach(d, NULL, &body, NULL, NULL, NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("no count", lg_dynamics_reach(d, NULL, &body, pose, NULL, NULL, -1), LG_ERROR_ARGUMENT);
    suite_status("no quaternion", lg_dynamics_reach(d, NULL, &body, zero, NULL, NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("no number", lg_dynamics_reach(d, NULL, &body, pose, nan, NULL, 1), LG_ERROR_NOT_FINITE);
    suite_status("weight", lg_dynamics_reach(d, NULL, &body, pose, NULL, weight, 1), LG_ERROR_ARGUMENT);
    dynamics_well(lg_dynamics_state(d, q, NULL), d);
    suite_same_bits("kept", q, at, 2);
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    /* a loop that cannot be closed from there */
    m = gallery_mechanism(lg_gallery_index("four-bar"), 0);
    dynamics_well(lg_dynamics_create(&d, m), d);
    double far[3] = {0, 0, 0}, open[3], x[3];
    int refused = 0;
    for (int i = 0; i < 64 && !refused; i++) {
        for (int k = 0; k < 3; k++) open[k] = far[k] + (i >> 2 * k) % 4 * 0.8 - 1.2;
        dynamics_well(lg_dynamics_set(d, open, NULL), d);
        const lg_status st = lg_dynamics_reach(d, NULL, NULL, NULL, NULL, NULL, 0);
        refused = st == LG_ERROR_INCONSISTENT;
        if (st != LG_OK) suite_status("open", st, LG_ERROR_INCONSISTENT);
        dynamics_well(lg_dynamics_state(d, x, NULL), d);
        if (refused) suite_same_bits("as it was", x, open, 3);
    }
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees),
        cmocka_unit_test(loops),
        cmocka_unit_test(two_links),
        cmocka_unit_test(limited_loop),
        cmocka_unit_test(limits_that_exclude),
        cmocka_unit_test(limits_along_loops),
        cmocka_unit_test(limits_of_loops),
        cmocka_unit_test(limits_of_positions),
        cmocka_unit_test(refusals),
    };
    suite_begin("multibody/dynamics_reach");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
