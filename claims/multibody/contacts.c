/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact, impact and friction: the account, Coulomb's cone, laws of impacts, closed forms. */
#include <stdio.h>

#include <liegrp/multibody/contact.h>

#include "claims/multibody/motions.h"

#define G             9.81
#define CLAIM_CONTACT "this library, docs/contact.md"

/* Scenes ----------------------------------------------------------------------------------------------------------- */

/* A mechanism that is being described; the first failure stays in `status`. */
typedef struct scene {
    claim_motion x;
    lg_status status;
    double pose[7 * 10], twist[6 * 10];
} scene;

static void begin(scene *s)
{
    memset(s, 0, sizeof *s);
    s->status = lg_mechanism_create(&s->x.m);
}

/* The world's plane through the origin, turned about the y axis by `tilt`. */
static void add_ground(scene *s, double friction, double restitution, double tilt)
{
    lg_surface plane = lg_surface_default("ground", NULL);
    plane.kind = LG_SURFACE_PLANE, plane.friction = friction, plane.restitution = restitution;
    plane.attitude[1] = sin(0.5 * tilt), plane.attitude[3] = cos(0.5 * tilt);
    if (s->status == LG_OK) s->status = lg_mechanism_add_surface(s->x.m, NULL, &plane);
}

/* A body of 1 kg unless `body` says otherwise, turned about the y axis, with one surface of the same name. */
static void add_thing(scene *s, const lg_body *body, const lg_surface *surface, double tilt)
{
    lg_body b = *body;
    lg_surface own = *surface;
    const int i = lg_mechanism_body_count(s->x.m);
    double *pose = s->pose + 7 * i;
    b.attitude[1] = sin(0.5 * tilt), b.attitude[3] = cos(0.5 * tilt);
    own.name = own.body = b.name;
    memcpy(pose, b.position, sizeof b.position), memcpy(pose + 3, b.attitude, sizeof b.attitude);
    if (s->status == LG_OK) s->status = lg_mechanism_add_body(s->x.m, NULL, &b);
    if (s->status == LG_OK) s->status = lg_mechanism_add_surface(s->x.m, NULL, &own);
}

static lg_body body_at(const char *name, double x, double y, double z, double inertia)
{
    lg_body b = lg_body_default(name);
    b.mass = 1, b.position[0] = x, b.position[1] = y, b.position[2] = z;
    for (int i = 0; i < 3; i++) b.inertia[i] = inertia;
    return b;
}

static lg_surface skin(lg_surface_kind kind, double a, double b, double c, double friction, double restitution)
{
    lg_surface s = lg_surface_default(NULL, NULL);
    s.kind = kind, s.half[0] = a, s.half[1] = b, s.half[2] = c, s.friction = friction, s.restitution = restitution;
    return s;
}

/* A ball of 1 kg and radius 0.1 m. */
static void add_ball(scene *s, const char *name, double x, double y, double z, double friction, double restitution)
{
    const lg_body b = body_at(name, x, y, z, 0.4 * 0.01);
    const lg_surface ball = skin(LG_SURFACE_SPHERE, 0.1, 0, 0, friction, restitution);
    add_thing(s, &b, &ball, 0);
}

/* A rod of 1 kg and 1 m whose lower end is `height` above the ground. */
static void add_rod(scene *s, double lean, double height, double friction, double restitution)
{
    static const double ends[6] = {-0.5, 0, 0, 0.5, 0, 0};
    const lg_body b = body_at("rod", 0, 0, height + 0.5 * sin(lean), 1. / 12);
    lg_surface rod = skin(LG_SURFACE_HULL, 0, 0, 0, friction, restitution);
    rod.points = 2, rod.point = ends;
    add_thing(s, &b, &rod, lean);
}

/* Compiles and starts it. 0 after claim_trouble(). */
static int start_by(claim_report *r, scene *s, const char *name, const char *method, double h, lg_impact_law law)
{
    lg_contact_options o = lg_contact_options_default();
    claim_case(r, name, method, NULL);
    o.law = law, s->x.h = h;
    if (s->status == LG_OK) s->status = lg_mechanism_compile(s->x.m);
    return claim_ok(r, s->status, "mechanism", lg_mechanism_message(s->x.m)) &&
           claim_ok(r, claim_motion_create(&s->x, method, h), "motion", lg_motion_message(s->x.mo)) &&
           claim_ok(r, lg_motion_set_contact(s->x.mo, &o), "law", lg_motion_message(s->x.mo)) &&
           claim_ok(r, lg_motion_start_poses(s->x.mo, 0, s->pose, s->twist, 0), "start", lg_motion_message(s->x.mo));
}

static int start(claim_report *r, scene *s, const char *name, double h, lg_impact_law law)
{
    return start_by(r, s, name, "sem", h, law);
}

/* x, y, z, velocity and angular velocity in space. */
static void state_of(claim_report *r, const scene *s, int body, double *x, double *v)
{
    double pose[7] = {NAN, NAN, NAN};
    for (int i = 0; i < 6; i++) v[i] = NAN;
    (void)claim_ok(r, lg_motion_body_pose(s->x.mo, pose, body), "pose", "");
    (void)claim_ok(r, lg_motion_body_twist(s->x.mo, v, body), "twist", "");
    memcpy(x, pose, 3 * sizeof *x);
}

static lg_account account_of(claim_report *r, const scene *s)
{
    lg_account a = lg_account_default();
    (void)claim_ok(r, lg_motion_account(s->x.mo, &a), "account", "");
    return a;
}

/* The account ------------------------------------------------------------------------------------------------------ */

/* Four things that tumble on a slope and meet. */
static void tumble(scene *s)
{
    const lg_body box = body_at("box", 0.4, 0, 0.6, 0.02), dish = body_at("dish", -0.4, 0, 0.5, 0.01);
    const lg_surface sides = skin(LG_SURFACE_BOX, 0.2, 0.1, 0.15, 0.4, 0.5);
    const lg_surface rim = skin(LG_SURFACE_CYLINDER, 0.15, 0.05, 0, 0.6, 0.3);
    begin(s);
    add_ground(s, 1, 1, 0.1);
    add_thing(s, &box, &sides, 0.5);
    add_thing(s, &dish, &rim, 1.1);
    add_ball(s, "ball", 0, 0.3, 0.5, 0.3, 0.8);
    add_ball(s, "other", 0.01, 0.3, 0.8, 0.3, 0.8);
    s->twist[0] = -1, s->twist[3] = 4, s->twist[6 + 4] = 3, s->twist[12 + 1] = 0.5;
    lg_surface_pair none = lg_surface_pair_default("through", "box", "dish");
    none.ignored = 1;
    for (int i = 0; i < 5; i++) {
        static const char *const pairs[5][2] = {
            {"box", "dish"}, {"box", "ball"}, {"box", "other"}, {"dish", "ball"}, {"dish", "other"}};
        char name[8];
        snprintf(name, sizeof name, "none%d", i);
        none.name = name, none.first = pairs[i][0], none.second = pairs[i][1];
        if (s->status == LG_OK) s->status = lg_mechanism_add_surface_pair(s->x.m, NULL, &none);
    }
}

static void accounts(claim_report *r)
{
    for (int law = 0; claim_own_systems(r) && law <= LG_IMPACT_SEQUENTIAL; law++) {
        scene s;
        double balance = 0, gap = 0, rise = 0;
        tumble(&s);
        int ok = start(r, &s, lg_impact_law_name((lg_impact_law)law), 0.005, (lg_impact_law)law);
        const double H0 = ok ? lg_motion_energy(s.x.mo) : NAN;
        for (int k = 0; ok && k < 400; k++) {
            const double H = lg_motion_energy(s.x.mo), gain = lg_motion_impact_gain(s.x.mo);
            ok = claim_motion_steps(r, &s.x, 1);
            balance = claim_worse(balance, fabs(lg_motion_energy(s.x.mo) - H0 - lg_motion_work(s.x.mo)));
            rise = claim_worse(rise, lg_motion_energy(s.x.mo) - H - (lg_motion_impact_gain(s.x.mo) - gain));
            for (int i = 0; ok && i < lg_motion_contact_count(s.x.mo); i++) {
                lg_contact_state c;
                ok = claim_ok(r, lg_motion_contact(s.x.mo, &c, i), "contact", "");
                if (ok && isfinite(c.gap)) gap = claim_worse(gap, -c.gap);
            }
        }
        if (ok) {
            const lg_account a = account_of(r, &s);
            claim_below(r, balance / fabs(H0), 1e-12, "round-off", "largest |H - H_0 - account| / |H_0|, 400 steps");
            claim_below(r, rise / fabs(H0), 1e-12, "round-off",
                        "largest rise of H beyond lg_motion_impact_gain() / |H_0|");
            claim_below(r, gap, 1e-12, "round-off of parts of 0.1 m", "deepest overlap at a node in m");
            claim_control(r, a.impact_normal / fabs(H0), 1e-3, "the account without what impacts take along normals",
                          "|H - H_0 - account| / |H_0|");
            claim_control(r, a.friction / fabs(H0), 1e-3, "the account without friction",
                          "|H - H_0 - account| / |H_0|");
        }
        claim_motion_close(&s.x);
    }
}

/* Coulomb's law ---------------------------------------------------------------------------------------------------- */

/* A box on a slope for 4 s: how far it is displaced, and the largest |F_t| - mu F_n of a contact over its weight. */
static double displaced(claim_report *r, double mu, double *cone)
{
    const double tilt = 0.3;
    const lg_body b = body_at("box", 0.1 * sin(tilt), 0, 0.1 * cos(tilt), 0.02 / 3);
    const lg_surface sides = skin(LG_SURFACE_BOX, 0.1, 0.1, 0.1, mu, 0);
    double x[3], v[6];
    scene s;
    begin(&s), add_ground(&s, mu, 0, tilt), add_thing(&s, &b, &sides, tilt);
    int ok = start(r, &s, "box on a slope", 0.01, LG_IMPACT_POISSON);
    *cone = 0;
    for (int k = 0; ok && k < 400; k++) {
        ok = claim_motion_steps(r, &s.x, 1);
        for (int i = 0; ok && i < lg_motion_contact_count(s.x.mo); i++) {
            lg_contact_state c;
            ok = claim_ok(r, lg_motion_contact(s.x.mo, &c, i), "contact", "");
            const double N = c.force[0] * c.normal[0] + c.force[1] * c.normal[1] + c.force[2] * c.normal[2];
            const double F2 = c.force[0] * c.force[0] + c.force[1] * c.force[1] + c.force[2] * c.force[2];
            if (ok) *cone = claim_worse(*cone, (sqrt(fmax(0, F2 - N * N)) - mu * N) / G);
        }
    }
    if (ok) state_of(r, &s, 0, x, v);
    claim_motion_close(&s.x);
    return ok ? hypot(hypot(x[0] - b.position[0], x[1]), x[2] - b.position[2]) : NAN;
}

static void coulomb(claim_report *r)
{
    double cone;
    if (!claim_own_systems(r)) return;
    const double creep = displaced(r, 1.0002 * tan(0.3), &cone);
    claim_below(r, creep, 1e-12, "friction is set-valued", "creep in m at mu = 1.0002 tan(slope) in 4 s");
    claim_below(r, cone, 1e-12, "round-off", "largest |F_t| - mu F_n of a contact at rest over the weight");
    const double way = displaced(r, 0.999 * tan(0.3), &cone), exact = 8 * G * (sin(0.3) - 0.999 * tan(0.3) * cos(0.3));
    claim_below(r, fabs(way / exact - 1), 1e-10, "round-off of 4e-12 m",
                "distance from g (sin - mu cos) t^2/2 at mu = 0.999 tan(slope)");
    claim_below(r, cone, 1e-12, "round-off", "largest |F_t| - mu F_n of a contact that slips over the weight");
    claim_control(r, way, 1e-3, "a coefficient that is too small by 0.1 %", "creep in m in 4 s");
}

/* Laws of impacts -------------------------------------------------------------------------------------------------- */

/* The most that one of 20 impacts of a rough rod adds to the energy. */
static double most_added(claim_report *r, lg_impact_law law)
{
    double most = -INFINITY;
    for (int i = 0; i < 20; i++) {
        scene s;
        begin(&s), add_ground(&s, 1, 1, 0), add_rod(&s, 0.6 + 0.04 * i, 0.01, 0.7, 0.98);
        s.twist[0] = -5, s.twist[2] = -3, s.twist[4] = -10;
        int ok = start(r, &s, "rough rod", 0.001, law);
        for (int k = 0; ok && k < 200 && lg_motion_impacts(s.x.mo) == 0; k++) ok = claim_motion_steps(r, &s.x, 1);
        const lg_account a = ok ? account_of(r, &s) : lg_account_default();
        most = ok ? fmax(most, -a.impact_normal - a.impact_friction) : NAN;
        claim_motion_close(&s.x);
        if (!ok) return NAN;
    }
    return most;
}

static void gains(claim_report *r)
{
    if (!claim_own_systems(r)) return;
    claim_below(r, most_added(r, LG_IMPACT_POISSON), 1e-12, "an expansion never adds more than the compression took",
                "the most that one of 20 impacts adds, J, poisson");
    claim_below(r, most_added(r, LG_IMPACT_SEQUENTIAL), 1e-12, "each impact by Poisson's law",
                "the most that one of 20 impacts adds, J, sequential");
    claim_control(r, most_added(r, LG_IMPACT_NEWTON), 0.05, "Newton's law with friction",
                  "the most that one of 20 impacts adds, J, newton");
}

/* Closed forms ----------------------------------------------------------------------------------------------------- */

/* A ball is dropped from 1 m with e = 0.8: its height after 1 s, in the second flight. */
static double bounced(claim_report *r, double e)
{
    double x[3] = {NAN, NAN, NAN}, v[6];
    scene s;
    begin(&s), add_ground(&s, 1, 1, 0), add_ball(&s, "ball", 0, 0, 1.1, 0.5, e);
    if (start(r, &s, "bouncing ball", 0.01, LG_IMPACT_POISSON) && claim_motion_steps(r, &s.x, 100))
        state_of(r, &s, 0, x, v);
    claim_motion_close(&s.x);
    return x[2] - 0.1;
}

static void ball_bounces(claim_report *r)
{
    const double v = sqrt(2 * G), t = 1 - v / G, exact = 0.8 * v * t - 0.5 * G * t * t;
    claim_below(r, fabs(bounced(r, 0.8) - exact), 1e-12, "round-off", "distance in m from the parabola after a bounce");
    claim_control(r, fabs(bounced(r, 0.8001) - exact), 1e-5, "restitution 0.8001", "distance in m from it");
}

/* A ball of 5 m/s slides on the ground until it rolls. */
static void ball_rolls(claim_report *r)
{
    double x[3] = {NAN, NAN, NAN}, v[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    scene s;
    begin(&s), add_ground(&s, 1, 1, 0), add_ball(&s, "ball", 0, 0, 0.1, 0.2, 0);
    s.twist[0] = 5;
    if (start(r, &s, "bowling ball", 0.01, LG_IMPACT_POISSON) && claim_motion_steps(r, &s.x, 50)) {
        state_of(r, &s, 0, x, v);
        claim_control(r, fabs(v[0] - 25. / 7), 0.1, "while it slides, at 0.5 s", "distance from 5/7 of its speed, m/s");
        if (claim_motion_steps(r, &s.x, 100)) state_of(r, &s, 0, x, v);
        claim_below(r, fabs(v[0] - 25. / 7), 1e-12, "round-off", "distance from 5/7 of its speed, m/s");
        claim_below(r, fabs(v[0] - 0.1 * v[4]), 1e-12, "round-off", "slip in m/s when it rolls");
    }
    claim_motion_close(&s.x);
}

/* The greatest distance of the velocities after 0.4 s from 0, 0, 0, 0, 1. */
static double cradled(claim_report *r, lg_impact_law law)
{
    double far = NAN;
    scene s;
    begin(&s);
    if (s.status == LG_OK) s.status = lg_mechanism_set_gravity(s.x.m, (double[]){0, 0, 0});
    for (int i = 0; i < 5; i++) {
        char name[8];
        snprintf(name, sizeof name, "b%d", i);
        add_ball(&s, name, 0.2 * i - (i == 0 ? 0.1 : 0), 0, 0, 0, 1);
    }
    s.twist[0] = 1;
    if (start(r, &s, "Newton's cradle", 0.01, law) && claim_motion_steps(r, &s.x, 40)) {
        far = 0;
        for (int i = 0; i < 5; i++) {
            double x[3], v[6];
            state_of(r, &s, i, x, v);
            far = claim_worse(far, fabs(v[0] - (i == 4 ? 1 : 0)));
        }
    }
    claim_motion_close(&s.x);
    return far;
}

/* A smooth rod that leans by 0.7 rad falls by 0.5 m: it loses (1 - e^2) v^2/2 over the inverse mass at its end. */
static void rod_strikes(claim_report *r)
{
    const double c = cos(0.7), v = sqrt(G), e = 0.5, at_end = 1 / (1 + 3 * c * c);
    double x[3] = {NAN, NAN, NAN}, w[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    scene s;
    begin(&s), add_ground(&s, 0, 1, 0), add_rod(&s, 0.7, 0.5, 0, e);
    if (start(r, &s, "smooth rod", 0.01, LG_IMPACT_POISSON) && claim_motion_steps(r, &s.x, 33)) {
        state_of(r, &s, 0, x, w);
        claim_below(r, fabs(w[4] + 6 * (1 + e) * v * at_end * c), 1e-11, "round-off",
                    "distance from the angular velocity after an impact of an end, rad/s");
        claim_below(r, fabs(account_of(r, &s).impact_normal - 0.5 * (1 - e * e) * v * v * at_end), 1e-12, "round-off",
                    "distance from what it takes, J");
        claim_control(r, fabs(w[4] + 6 * (1 + e) * v * c), 1, "the mass of the rod at its end, 1 kg instead of 0.36",
                      "distance from the angular velocity, rad/s");
    }
    claim_motion_close(&s.x);
}

/* Housner's block of 0.2 by 0.8 m rocks from 0.15 rad: an impact that it does not slip in leaves the share r^2 of the
 * energy, r = 1 - 3/2 sin^2(alpha), alpha its slenderness. */
static void block_rocks(claim_report *r)
{
    const double slender = atan(0.25), R = sqrt(0.17), height = R * cos(slender - 0.15);
    const double share = 1 - pow(1 - 1.5 * pow(sin(slender), 2), 2);
    lg_body b = body_at("block", 0, 0, height, (0.01 + 0.16) / 3);
    const lg_surface sides = skin(LG_SURFACE_BOX, 0.1, 0.1, 0.4, 2, 0);
    scene s;
    b.inertia[2] = 0.02 / 3;
    begin(&s), add_ground(&s, 2, 1, 0), add_thing(&s, &b, &sides, 0.15);
    int ok = start(r, &s, "rocking block", 0.0025, LG_IMPACT_POISSON);
    for (int k = 0; ok && k < 1000 && lg_motion_impacts(s.x.mo) == 0; k++) ok = claim_motion_steps(r, &s.x, 1);
    if (ok) {
        const lg_account a = account_of(r, &s);
        const double falling = G * (height - 0.4) - a.friction - a.landing - a.node;
        const double lost = (a.impact_normal + a.impact_friction) / falling;
        claim_below(r, fabs(lost - share), 1e-11, "round-off of a loss of 0.06 J",
                    "distance from the share of the energy that an impact takes");
        claim_control(r, fabs(lost - (1 - pow(1 - 1.5 * pow(sin(0.98 * slender), 2), 2))), 1e-3,
                      "a block that is more slender by 2 %", "distance from its share");
    }
    claim_motion_close(&s.x);
}

static void closed_forms(claim_report *r)
{
    if (!claim_own_systems(r)) return;
    ball_bounces(r), ball_rolls(r);
    claim_below(r, cradled(r, LG_IMPACT_SEQUENTIAL), 1e-12, "round-off",
                "distance from 0, 0, 0, 0, 1 m/s of five balls, sequential");
    claim_control(r, cradled(r, LG_IMPACT_POISSON), 1e-2, "all contacts at once: Poisson's law",
                  "distance from 0, 0, 0, 0, 1 m/s");
    rod_strikes(r), block_rocks(r);
}

/* Stacks ----------------------------------------------------------------------------------------------------------- */

/* Ten boxes of 1 kg, each on a plane that the one below carries. A force pushes the first at the ground. */
static void pile(scene *s, double mu)
{
    lg_thruster push = lg_thruster_default("push", "b0");
    begin(s), add_ground(s, mu, 0, 0);
    for (int i = 0; i < 10; i++) {
        char name[8], top[8], last[8];
        snprintf(name, sizeof name, "b%d", i), snprintf(top, sizeof top, "t%d", i), snprintf(last, 8, "t%d", i - 1);
        const lg_body b = body_at(name, 0, 0, 0.1 + 0.2 * i, 0.02 / 3);
        lg_surface box = skin(LG_SURFACE_BOX, 0.1, 0.1, 0.1, mu, 0), plane = skin(LG_SURFACE_PLANE, 0, 0, 0, mu, 0);
        const lg_surface_pair on = lg_surface_pair_default(name, last, name);
        lg_surface_pair none = lg_surface_pair_default(top, top, "ground");
        box.group = plane.group = 1, plane.name = top, plane.body = name, plane.position[2] = 0.1, none.ignored = 1;
        add_thing(s, &b, &box, 0);
        if (s->status == LG_OK) s->status = lg_mechanism_add_surface(s->x.m, NULL, &plane);
        if (s->status == LG_OK) s->status = lg_mechanism_add_surface_pair(s->x.m, NULL, &none);
        if (s->status == LG_OK && i > 0) s->status = lg_mechanism_add_surface_pair(s->x.m, NULL, &on);
    }
    push.axis[0] = 1, push.axis[2] = 0, push.point[2] = -0.1;
    if (s->status == LG_OK) s->status = lg_mechanism_add_thruster(s->x.m, NULL, &push);
}

/* Pushed for `steps` steps of 5 ms: the greatest distance of a box from where it was or, beyond slip, should be. */
static double pushed(claim_report *r, double force, int steps, double where)
{
    double far = NAN;
    scene s;
    pile(&s, 0.5);
    if (start(r, &s, "ten boxes", 0.005, LG_IMPACT_POISSON) &&
        claim_ok(r, lg_motion_set_control(s.x.mo, &force), "push", "") && claim_motion_steps(r, &s.x, steps)) {
        far = 0;
        for (int i = 0; i < 10; i++) {
            double x[3], v[6];
            state_of(r, &s, i, x, v);
            far = claim_worse(far, hypot(hypot(x[0] - where, x[1]), x[2] - 0.1 - 0.2 * i));
        }
    }
    claim_motion_close(&s.x);
    return far;
}

static void stacks(claim_report *r)
{
    const double slip = 0.5 * 10 * G;
    if (!claim_own_systems(r)) return;
    claim_below(r, pushed(r, 0, 400, 0), 1e-12, "round-off", "motion of a box at rest in 2 s, m");
    claim_below(r, pushed(r, 48, 100, 0), 1e-12, "round-off", "motion of a box in 0.5 s, m, pushed by 48 of 49.05 N");
    claim_below(r, pushed(r, 55, 100, 0.0125 * (55 - slip)), 1e-12, "round-off",
                "distance in m from (F - mu N) t^2/20, pushed by 55 N");
    claim_control(r, pushed(r, 1.01 * slip, 100, 0), 1e-3, "a force beyond slip by 1 %", "motion of a box in 0.5 s, m");
}

/* The tippe top ---------------------------------------------------------------------------------------------------- */

/* The top of Rauch-Wojciechowski, Skoeldstam and Glad after 12 s: its axis against the vertical, rad. */
static double turned(claim_report *r, double viscous, const char *name)
{
    const double m = 0.02, R = 0.02, a = 0.3 * R, tilt = 0.1;
    lg_body b = body_at("top", 0, 0, R - a * cos(tilt), 131. / 350 * m * R * R);
    lg_surface peel = skin(LG_SURFACE_SPHERE, R, 0, 0, 0.3, 0);
    double pose[7] = {0, 0, 0, NAN, NAN, 0, 0};
    scene s;
    b.mass = m, b.inertia[2] = 0.4 * m * R * R, peel.position[2] = a, peel.viscous = viscous;
    begin(&s), add_ground(&s, 0.3, 0, 0), add_thing(&s, &b, &peel, tilt);
    if (s.status == LG_OK) s.status = lg_mechanism_set_gravity(s.x.m, (double[]){0, 0, -9.82});
    s.twist[3] = 155 * sin(tilt), s.twist[5] = 155 * cos(tilt);
    if (start(r, &s, name, 1e-3, LG_IMPACT_POISSON) && claim_motion_steps(r, &s.x, 12000))
        (void)claim_ok(r, lg_motion_body_pose(s.x.mo, pose, 0), "pose", "");
    claim_motion_close(&s.x);
    return acos(1 - 2 * (pose[3] * pose[3] + pose[4] * pose[4]));
}

static void tippe_top(claim_report *r)
{
    if (!claim_own_systems(r)) return;
    claim_below(r, 3.141592653589793 - turned(r, 0.3, "tippe top, viscous"), 1e-3, "it approaches the inverted state",
                "angle to the inverted state after 12 s, rad");
    claim_control(r, 3.141592653589793 - turned(r, 0, "tippe top, Coulomb"), 1.5, "with Coulomb's friction it rolls",
                  "angle to the inverted state after 12 s, rad");
}

/* Events ----------------------------------------------------------------------------------------------------------- */

/* A ball of 5 m/s slides until it rolls: its distance in m from where it is after 1.5 s; *lost: what friction takes. */
static double rolled(claim_report *r, const char *method, double *lost)
{
    const double stop = 10 / (7 * 0.2 * G), exact = 5 * stop - 0.1 * G * stop * stop + 25. / 7 * (1.5 - stop);
    double x[3] = {NAN, NAN, NAN}, v[6];
    scene s;
    begin(&s), add_ground(&s, 1, 1, 0), add_ball(&s, "ball", 0, 0, 0.1, 0.2, 0);
    s.twist[0] = 5, *lost = NAN;
    if (start_by(r, &s, "bowling ball", method, 0.1, LG_IMPACT_POISSON) && claim_motion_steps(r, &s.x, 15))
        state_of(r, &s, 0, x, v), *lost = account_of(r, &s).friction;
    claim_motion_close(&s.x);
    return fabs(x[0] - exact);
}

/* A smooth ladder leaves the wall where the sine of its angle is 2/3 of that at the start: its velocity along the
 * ground afterwards. */
static double left(claim_report *r, const char *method)
{
    const double at = 1.2, sine = 2. / 3 * sin(at), turn = sqrt(3 * G * (sin(at) - sine));
    double x[3], v[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    lg_surface wall = lg_surface_default("wall", NULL);
    scene s;
    wall.kind = LG_SURFACE_PLANE, wall.friction = 0, wall.attitude[1] = wall.attitude[3] = sqrt(0.5);
    begin(&s), add_ground(&s, 0, 0, 0), add_rod(&s, at, 0, 0, 0);
    s.pose[0] = 0.5 * cos(at);
    if (s.status == LG_OK) s.status = lg_mechanism_add_surface(s.x.m, NULL, &wall);
    if (start_by(r, &s, "ladder", method, 0.05, LG_IMPACT_POISSON) && claim_motion_steps(r, &s.x, 9))
        state_of(r, &s, 0, x, v);
    claim_motion_close(&s.x);
    return fabs(v[0] - 0.5 * turn * sine);
}

static void events(claim_report *r)
{
    double lost;
    if (!claim_own_systems(r)) return;
    claim_below(r, rolled(r, "gauss", &lost), 1e-12, "round-off", "distance in m after it began to roll, h = 0.1");
    claim_below(r, fabs(lost - 25. / 7), 1e-12, "round-off", "distance from what friction takes, J");
    claim_control(r, rolled(r, "sem", &lost), 1e-6, "sem, whose step in which the slip ends is of order 2",
                  "distance in m after it began to roll, h = 0.1");
    claim_below(r, left(r, "gauss"), 1e-12, "round-off",
                "distance in m/s of a ladder that has left the wall, h = 0.05");
    claim_control(r, left(r, "sem"), 1e-6, "sem, which notices at the end of a step that it has left",
                  "distance in m/s of a ladder that has left the wall, h = 0.05");
}

const claim claims_multibody_contacts[] = {
    {"contact-account",
     "With friction, impacts and landings the energy changes by the account, term by term, in each step and by each law "
     "of impacts; nothing overlaps.",
     CLAIM_CONTACT, 0.3, accounts},
    {"contact-coulomb",
     "Friction stays within Coulomb's cone, what sticks does not creep, and what slips moves as its equation says.",
     CLAIM_CONTACT, 0.1, coulomb},
    {"contact-poisson",
     "Poisson's law of impacts and sequential impacts never add energy, however much friction there is.",
     "C. Glocker, F. Pfeiffer, Multiple impacts with friction in rigid multibody systems, Nonlinear Dynamics 7, 1995",
     0.1, gains},
    {"contact-closed-forms",
     "A bouncing ball, one that slides until it rolls, Newton's cradle, a rod and a rocking block move as their closed "
     "forms say.",
     "G. W. Housner, The behavior of inverted pendulum structures during earthquakes, Bull. Seism. Soc. Am. 53, 1963; "
     "textbooks",
     0.1, closed_forms},
    {"contact-stack",
     "A stack of ten boxes stands still, also when it is pushed below slip, and beyond it moves as one body.",
     CLAIM_CONTACT, 0.3, stacks},
    {"contact-tippe-top",
     "A tippe top turns over by viscous sliding friction, and not by Coulomb's, with which it comes to roll.",
     "S. Rauch-Wojciechowski, M. Skoeldstam, T. Glad, Mathematical analysis of the tippe top, Regular and Chaotic "
     "Dynamics 10, 2005",
     0.5, tippe_top},
    {"contact-events",
     "Between events of contacts gauss has the order of its stages: a ball that slides until it rolls and a ladder that "
     "leaves its wall are where their closed forms say, with long steps.",
     CLAIM_CONTACT, 0.1, events},
    {0},
};
