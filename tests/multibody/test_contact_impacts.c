/* SPDX-License-Identifier: BSD-3-Clause */
/* Impacts that are told, options of contacts, readings of contacts, and what is refused. */
#include <math.h>
#include <stdio.h>

#include "support/motions.h"
#include "support/touching.h"

#define G 9.81

typedef struct told {
    int calls, fails;
    double t;
    lg_impact last;
} told;

static int tell(double t, const lg_impact *impacts, int count, void *context)
{
    told *s = context;
    assert_int_equal(count, 1);
    s->calls++, s->t = t, s->last = impacts[0];
    return s->fails ? 7 : 0;
}

/* A ball of 1 kg and radius 0.5 m, whose centre is 2 m above the ground. */
static lg_motion *ball(lg_mechanism **m, double restitution)
{
    lg_motion *mo;
    lg_surface skin = lg_surface_default("skin", "ball"), ground = lg_surface_default("ground", NULL);
    suite_ok("create", lg_mechanism_create(m));
    mechanism_add_body(*m, "ball", 0, 0, 2);
    skin.half[0] = 0.5, skin.restitution = restitution;
    ground.kind = LG_SURFACE_PLANE, ground.restitution = 1;
    mechanism_well(lg_mechanism_add_surface(*m, NULL, &skin), *m);
    mechanism_well(lg_mechanism_add_surface(*m, NULL, &ground), *m);
    mechanism_well(lg_mechanism_compile(*m), *m);
    assert_int_equal(motion_create(&mo, *m, "sem", 0.01), LG_OK);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    return mo;
}

static void impacts(void **unused)
{
    const double fall = sqrt(3 / G), v = G * fall;
    lg_mechanism *m;
    lg_contact_state c;
    told s = {0};
    (void)unused;
    lg_motion *mo = ball(&m, 0.8);
    const double mass = lg_mechanism_parameter_value(m, lg_mechanism_parameter(m, "ball.mass"));
    motion_well(lg_motion_set_impact(mo, tell, &s), mo);
    motion_well(lg_motion_step(mo, 60), mo);
    assert_int_equal(s.calls, 1);
    assert_int_equal(lg_motion_impacts(mo), 1);
    suite_near1("time", s.t, fall, 1e-12, 1);
    suite_near1("approach", s.last.approach, v, 1e-12, v);
    suite_near("impulse", s.last.impulse, (double[]){0, 0, 1.8 * v * mass}, 3, 1e-11, mass * v);
    suite_near1("loss", s.last.loss, 0.18 * v * v * mass, 1e-12, mass * v * v);
    assert_true(s.last.joint == -1 && s.last.contact == 0 && s.last.surface[0] == 1 && s.last.surface[1] == 0);
    motion_well(lg_motion_contact(mo, &c, 0), mo);
    assert_true(c.mode == LG_CONTACT_OPEN && c.gap > 0.1 && c.joint == -1);
    suite_near("normal", c.normal, (double[]){0, 0, 1}, 3, 1e-15, 1);

    motion_well(lg_motion_set_impact(mo, NULL, NULL), mo);
    motion_well(lg_motion_step(mo, 200), mo);
    assert_int_equal(s.calls, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* A step that the function refuses is taken back, and may be made again. */
static void aborted(void **unused)
{
    lg_mechanism *m;
    told s = {.fails = 1};
    (void)unused;
    lg_motion *mo = ball(&m, 0.8);
    motion_well(lg_motion_set_impact(mo, tell, &s), mo);
    suite_status("aborted", lg_motion_step(mo, 100), LG_ERROR_CALLBACK);
    suite_contains("message", lg_motion_message(mo), "your function of impacts returned 7");
    suite_near1("time", lg_motion_time(mo), 0.55, 1e-12, 1);
    assert_int_equal(lg_motion_impacts(mo), 0);
    s.fails = 0;
    motion_well(lg_motion_step(mo, 1), mo);
    assert_int_equal(lg_motion_impacts(mo), 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* More rows than may act at once: no step is found, and the state stays. */
static void no_step(void **unused)
{
    static double points[3 * 1100];
    lg_mechanism *m = touch_ground(0.5, 0, 0);
    lg_surface s = lg_surface_default("brush", "b");
    double before[64], after[64];
    (void)unused;
    for (int i = 0; i < 1100; i++) points[3 * i] = 0.1 * cos(i), points[3 * i + 1] = 0.1 * sin(i);
    s.kind = LG_SURFACE_HULL, s.points = 1100, s.point = points;
    touch_body(m, "b", 1, NULL, (double[3]){0, 0, 0.1}, 0);
    mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
    lg_motion *mo = touch_motion(m, 0.01);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    motion_well(lg_motion_step(mo, 14), mo);
    motion_well(lg_motion_row(mo, before), mo);
    const double W = lg_motion_work(mo);
    suite_status("step", lg_motion_step(mo, 1), LG_ERROR_CONVERGENCE);
    suite_contains("message", lg_motion_message(mo), "1100 contacts with 3300 rows act at once, of at most 3072");
    motion_well(lg_motion_row(mo, after), mo);
    suite_same_bits("state", after, before, lg_model_column_count(lg_motion_model(mo)));
    assert_true(lg_motion_time(mo) == 0.14 && lg_motion_work(mo) == W);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* All bounces above the capture speed are there, at their times, however long the steps are. */
static void bounces(void **unused)
{
    static const double steps[] = {0.1, 0.02, 0.003};
    const double half[3] = {0.1, 0.1, 0.1}, e = 0.8;
    (void)unused;
    for (int k = 0; k < 3; k++) {
        lg_mechanism *m = touch_ground(0.5, e, 0);
        touch_thing(m, "b", LG_SURFACE_SPHERE, half, (double[3]){0, 0, 1.1}, 0, 0.5, e);
        lg_motion *mo = touch_motion(m, steps[k]);
        told s = {0};
        suite_case("h = %g", steps[k]);
        motion_well(lg_motion_set_impact(mo, tell, &s), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
        motion_well(lg_motion_step(mo, (int64_t)(5 / steps[k])), mo);
        int count = 0;
        double v = sqrt(2 * G), t = v / G, last = 0, lost = 0;
        for (; v > 0.01; v *= e, t += 2 * v / G) count++, last = t, lost += 0.5 * v * v * (1 - e * e);
        assert_int_equal(lg_motion_impacts(mo), count);
        suite_near1("the last one", s.t, last, 1e-11, 1);
        suite_near1("loss", touch_account(mo).impact_normal, lost, 1e-12, G);
        suite_near1("captured", touch_account(mo).landing + touch_account(mo).node, 0.5 * v * v, 1e-11, 1);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* A step in which a ball bounces some twenty times: after two impacts it lands, which the account counts. */
static void events(void **unused)
{
    const double half[3] = {0.1, 0.1, 0.1};
    (void)unused;
    for (int64_t most = 0; most < 3; most++) {
        lg_mechanism *m = touch_ground(0.5, 0.8, 0);
        lg_contact_options o = lg_contact_options_default();
        touch_thing(m, "b", LG_SURFACE_SPHERE, half, (double[3]){0, 0, 0.101}, 0, 0.5, 0.8);
        lg_motion *mo = touch_motion(m, 0.2);
        o.events = most;
        motion_well(lg_motion_set_contact(mo, &o), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
        const double H = lg_motion_energy(mo);
        suite_case("events %d", (int)most);
        motion_well(lg_motion_step(mo, 1), mo);
        const lg_account a = touch_account(mo);
        assert_int_equal(lg_motion_impacts(mo), most);
        suite_near1("impacts", a.impact_normal, 9.81e-3 * (1 - pow(0.8, 2.0 * (double)most)), 1e-12, 1);
        suite_above("landing", a.landing, 1e-3);
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-14, 1);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* ---- which contacts take part, and in which order ---- */

/* Smooth balls in a row that touch, without gravity; their velocities after the impact. */
static void row_of_balls(double *after, const double *mass, const double *v, int count, double e, lg_impact_law law)
{
    lg_mechanism *m = touch_empty();
    double pose[7 * 4] = {0}, twist[6 * 4] = {0};
    mechanism_well(lg_mechanism_set_gravity(m, (double[]){0, 0, 0}), m);
    for (int i = 0; i < count; i++) {
        const double at[3] = {0.2 * i, 0, 0}, radius[3] = {0.1, 0, 0};
        char name[8];
        snprintf(name, sizeof name, "b%d", i);
        touch_body(m, name, mass[i], NULL, at, 0);
        touch_surface(m, name, name, LG_SURFACE_SPHERE, radius, 0, e);
        pose[7 * i] = at[0], pose[7 * i + 6] = 1, twist[6 * i] = v[i];
    }
    lg_motion *mo = touch_motion_by(m, 0.01, law, 0.01);
    motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
    motion_well(lg_motion_step(mo, 1), mo);
    for (int i = 0; i < count; i++) after[i] = touch_v(mo, i, 0);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* Of two contacts that are struck at once the faster one is first: elastic impacts of two balls, one after the other.
 */
static void fastest_first(void **unused)
{
    const double mass[3] = {1, 3, 1}, v[3] = {1, 0, -2};
    double after[3], u[3] = {1, 0, -2};
    (void)unused;
    for (;;) {
        const int i = u[0] - u[1] > u[1] - u[2] ? 0 : 1;
        const double P = 2 * (u[i] - u[i + 1]) / (1 / mass[i] + 1 / mass[i + 1]);
        if (P < 1e-12) break;
        u[i] -= P / mass[i], u[i + 1] += P / mass[i + 1];
    }
    row_of_balls(after, mass, v, 3, 1, LG_IMPACT_SEQUENTIAL);
    suite_near("velocities", after, u, 3, 1e-13, 1);
}

/* A ball without restitution falls on one that lies on the ground: this does not jump, whatever its restitution is. */
static void at_rest(void **unused)
{
    (void)unused;
    for (int law = 0; law <= LG_IMPACT_SEQUENTIAL; law++) {
        lg_mechanism *m = touch_ground(0, 0.8, 0);
        const double half[3] = {0.1, 0.1, 0.1}, pose[14] = {0, 0, 0.1, 0, 0, 0, 1, 0, 0, 0.3, 0, 0, 0, 1};
        const double twist[12] = {[8] = -2};
        touch_thing(m, "lies", LG_SURFACE_SPHERE, half, pose, 0, 0, 0.8);
        touch_thing(m, "falls", LG_SURFACE_SPHERE, half, pose + 7, 0, 0, 0);
        lg_motion *mo = touch_motion_by(m, 0.001, (lg_impact_law)law, 0.01);
        suite_case("%s", lg_impact_law_name((lg_impact_law)law));
        motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
        motion_well(lg_motion_step(mo, 1), mo);
        if (law != LG_IMPACT_SEQUENTIAL) suite_near1("it lies", touch_v(mo, 0, 2), 0, 1e-13, 1);
        assert_int_equal(lg_motion_impacts(mo), 1);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

static void refused(void **unused)
{
    lg_mechanism *m, *n;
    lg_motion *mo, *other;
    lg_contact_state c;
    lg_contact_options o = lg_contact_options_default();
    (void)unused;
    mo = ball(&m, 0.8);
    suite_status("no options", lg_motion_set_contact(mo, NULL), LG_ERROR_ARGUMENT);
    o.law = (lg_impact_law)3;
    suite_status("law", lg_motion_set_contact(mo, &o), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "law 3 is not an lg_impact_law");
    o = lg_contact_options_default(), o.capture_speed = NAN;
    suite_status("capture", lg_motion_set_contact(mo, &o), LG_ERROR_ARGUMENT);
    o = lg_contact_options_default(), o.events = -1;
    suite_status("events", lg_motion_set_contact(mo, &o), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "events -1");
    o = lg_contact_options_default(), o.localise = 2;
    suite_status("localise", lg_motion_set_contact(mo, &o), LG_ERROR_ARGUMENT);
    suite_status("no contact 1", lg_motion_contact(mo, &c, 1), LG_ERROR_ARGUMENT);
    suite_status("no contact -1", lg_motion_contact(mo, &c, -1), LG_ERROR_ARGUMENT);
    suite_status("no state", lg_motion_contact(mo, NULL, 0), LG_ERROR_ARGUMENT);
    suite_status("no motion", lg_motion_contact(NULL, &c, 0), LG_ERROR_ARGUMENT);
    suite_status("no motion", lg_motion_set_impact(NULL, tell, NULL), LG_ERROR_ARGUMENT);
    suite_status("no motion", lg_motion_set_contact(NULL, &o), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_motion_contact_count(NULL), 0);
    assert_int_equal(lg_motion_impacts(NULL), -1);
    assert_null(lg_impact_law_name((lg_impact_law)3));
    assert_null(lg_surface_kind_name((lg_surface_kind)12));
    assert_string_equal(lg_impact_law_name(LG_IMPACT_SEQUENTIAL), "sequential");
    assert_null(lg_mechanism_surface_name(m, 2));
    assert_null(lg_mechanism_surface_pair_name(m, 0));
    assert_int_equal(lg_mechanism_surface_count(NULL), 0);

    suite_ok("create", lg_mechanism_create(&n));
    mechanism_add_body(n, "b", 0, 0, 0);
    mechanism_well(lg_mechanism_compile(n), n);
    assert_int_equal(motion_create(&other, n, "sem", 0.01), LG_OK);
    o = lg_contact_options_default();
    suite_status("without contacts", lg_motion_set_contact(other, &o), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(other),
                   "the motion has no contacts; add surfaces, stops or dry friction");
    suite_status("without contacts", lg_motion_set_impact(other, tell, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(other),
                   "the motion has no contacts; add surfaces, stops or dry friction");
    assert_int_equal(lg_motion_contact_count(other), 0);
    assert_int_equal(lg_motion_impacts(other), 0);
    lg_motion_destroy(other), lg_mechanism_destroy(n);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts), cmocka_unit_test(aborted), cmocka_unit_test(no_step),
        cmocka_unit_test(bounces), cmocka_unit_test(events),  cmocka_unit_test(fastest_first),
        cmocka_unit_test(at_rest), cmocka_unit_test(refused),
    };
    suite_begin("multibody/contact_impacts");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
