/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism as an lg_system: its derivatives, its states, reference states by the dense `sem:cholesky`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/matrix.h"
#include "support/mechanism_systems.h"

static void reference_states(void **unused)
{
    static const char *const names[] = {"double_pendulum_chol", "spherical_chain5_chol", "fourbar_chol",
                                        "bicycle_chol"};
    (void)unused;
    cJSON *all = ref_load("multibody_states.json");
    for (int i = 0; i < 4; i++) {
        suite_case("%s", names[i]);
        const cJSON *item = ref_get(all, names[i]);
        lg_mechanism *m = mechanism_of(item);
        lg_motion *mo = motion_of(m, item, "sem");
        mechanism_both_steps(m, mo, ref_number(ref_get(item, "h")), 10, 1e-12);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    cJSON_Delete(all);
}

/* The polar gauge against references of its own. The four-bar's have all 20 rows by least norm. */
static void polar_states(void **unused)
{
    static const struct {
        const char *name;
        double tolerance;
    } items[] = {{"double_pendulum_polar", 1e-12}, {"spherical_chain5_polar", 1e-12}, {"fourbar_polar", 1e-12}};
    (void)unused;
    cJSON *all = ref_load("multibody_states.json");
    for (int i = 0; i < 3; i++) {
        suite_case("%s", items[i].name);
        const cJSON *item = ref_get(all, items[i].name), *state;
        lg_mechanism *m = mechanism_of(item);
        lg_motion *mo = motion_of(m, item, "sem");
        lg_integrator *it = dense_of(m, mo, "sem", ref_number(ref_get(item, "h")));
        const int bodies = lg_mechanism_body_count(m);
        int k = 0;
        cJSON_ArrayForEach(state, ref_get(item, "states"))
        {
            double g[7 * MECHANISM_MOST], p[6 * MECHANISM_MOST];
            for (; k < (int)ref_number(ref_get(state, "k")); k++) integrator_well(lg_integrator_step(it), it);
            ref_exactly(g, 7 * bodies, state, "g");
            ref_exactly(p, 6 * bodies, state, "p");
            suite_near("g", lg_integrator_configuration(it), g, 7 * bodies, items[i].tolerance, 1);
            suite_near("p", lg_integrator_momentum(it), p, 6 * bodies, items[i].tolerance,
                       fmax(1, mat_norm(p, 6 * bodies)));
        }
        lg_integrator_destroy(it);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    cJSON_Delete(all);
}

/* ---- random mechanisms ---- */

typedef struct options {
    int springs, dampers, motors, gear, loop, ball, moving;
} options;

static void random_body(lg_mechanism *m, const char *name, const double *at, lg_rng *rng)
{
    lg_body b = lg_body_default(name);
    double q[4], x[3];
    suite_normal(q, 4, rng), suite_normal(x, 3, rng);
    b.mass = 0.5 + lg_rng_uniform(rng);
    for (int k = 0; k < 3; k++) {
        b.inertia[k] = 0.2 + 0.1 * lg_rng_uniform(rng), b.inertia[3 + k] = 0.02 * lg_rng_uniform(rng);
        b.position[k] = at[k] + (k < 2 ? 0.2 * x[k] : 0), b.centre[k] = 0.1 * x[k];
    }
    suite_ok("attitude", lg_so3_project(b.attitude, q));
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
}

/* Three bodies in a row, one unit apart: a joint of any kind first, a revolute one, a prismatic one; and what the
 * options say. Eliminated in order, as the dense engine does. */
static lg_mechanism *random_mechanism(lg_joint_kind first, const options *o, lg_rng *rng)
{
    static const char *const names[] = {"a", "b", "c"};
    const lg_joint_kind kinds[] = {o->ball ? LG_JOINT_FREE : first, LG_JOINT_REVOLUTE, LG_JOINT_PRISMATIC};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 3; i++) random_body(m, names[i], (const double[3]){i + 1.0, 0, 0}, rng);
    for (int i = 0; i < 3; i++) {
        char name[8];
        (void)snprintf(name, sizeof name, "j%d", i);
        lg_joint j = lg_joint_default(name, kinds[i], i > 0 ? names[i - 1] : NULL, names[i]);
        suite_normal(j.axis, 3, rng);
        j.point[0] = i + 0.5;
        if (kinds[i] == LG_JOINT_DISTANCE) j.parent_point[0] = 0.1, j.child_point[1] = 0.2;
        if (i > 0) j.stiffness = o->springs * 4.0, j.rest = 0.2, j.damping = o->dampers * 0.3;
        if (i > 0) j.friction = o->dampers * 0.4, j.friction_speed = 0.5;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    if (o->springs) {
        lg_spring s = lg_spring_default("spring", NULL, "c");
        s.parent_point[2] = 2, s.child_point[0] = 0.3, s.stiffness = 3, s.rest = 1, s.damping = o->dampers * 0.2;
        mechanism_well(lg_mechanism_add_spring(m, NULL, &s), m);
    }
    for (int i = 1; i < 3 && o->motors; i++) {
        const lg_motor motor = lg_motor_default(names[i], i == 1 ? "j1" : "j2");
        mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    }
    if (o->gear) {
        lg_gear gear = lg_gear_default("gear", "j2", "j1");
        gear.ratio = 2;
        mechanism_well(lg_mechanism_add_gear(m, NULL, &gear), m);
    }
    if (o->loop) {
        lg_joint j = lg_joint_default("rod", LG_JOINT_DISTANCE, NULL, "c");
        j.parent_point[1] = 2, j.child_point[2] = 0.1;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    if (o->ball) {
        lg_wheel w = lg_wheel_default("ball", "b");
        w.kind = LG_WHEEL_BALL, w.radius = 0.2, w.ground_point[2] = -0.2;
        w.ground_velocity[0] = o->moving * 0.1, w.ground_spin = o->moving * 0.2;
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    }
    mechanism_well(lg_mechanism_keep_order(m), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static const options all_options[] = {{0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 0}, {1, 1, 1, 0, 0, 0, 0},
                                      {0, 0, 1, 1, 0, 0, 0}, {1, 1, 0, 0, 1, 0, 0}, {1, 0, 1, 0, 0, 1, 0},
                                      {0, 1, 0, 0, 0, 1, 1}, {1, 1, 1, 1, 1, 0, 0}};

static const lg_joint_kind first_kinds[] = {LG_JOINT_UNIVERSAL, LG_JOINT_SPHERICAL,  LG_JOINT_FREE,
                                            LG_JOINT_PLANAR,    LG_JOINT_SPHERICAL,  LG_JOINT_FREE,
                                            LG_JOINT_DISTANCE,  LG_JOINT_CYLINDRICAL};

/* A rotor with motor and damper that turns by 2 rad a step, where cos of the turn is negative: angle and work are
 * exact. */
static void fast_rotor(void **unused)
{
    static const double origin[3] = {0, 0, 0}, axis[3] = {0, 0, 1}, u = 0.3;
    const double h = 0.01, rate = 2 * tan(1) / h;
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "rotor", 0, 0, 0);
    lg_joint j = lg_joint_default("axle", LG_JOINT_REVOLUTE, NULL, "rotor");
    memcpy(j.point, origin, sizeof origin), memcpy(j.axis, axis, sizeof axis);
    j.damping = 1e-4;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    const lg_motor motor = lg_motor_default("motor", "axle");
    mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    mechanism_well(lg_mechanism_keep_order(m), m);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, "sem", h), mo);
    motion_well(lg_motion_start_joints(mo, 0, &origin[0], &rate, 1), mo);
    motion_well(lg_motion_set_control(mo, &u), mo);
    lg_integrator *it = dense_of(m, mo, "sem:cholesky", h);
    integrator_well(lg_integrator_set_control(it, &u), it);
    const double H = lg_motion_energy(mo);
    double q;
    for (int i = 0; i < 10; i++) {
        integrator_well(lg_integrator_step(it), it);
        motion_well(lg_motion_step(mo, 1), mo);
    }
    mechanism_compare(mo, it, 1, 1e-12);
    suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-12, H);
    suite_ok("angle", lg_motion_joint(mo, &q, NULL, 0));
    suite_near1("turned", q, 20, 0.1, 1);
    suite_near1("work of the motor", lg_motion_motor_work(mo, 0), u * q, 1e-12, 10);
    lg_integrator_destroy(it);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* Every derivative, and every mean, against differences. The points do not satisfy the constraints, and there angles of
 * gears and springs may be near half a turn, where they jump: these mechanisms are always the same. */
static void derivatives(void **unused)
{
    lg_rng rng = {7};
    (void)unused;
    for (int n = 0; n < 16; n++) {
        suite_case("options %d, mechanism %d", n % 8, n);
        lg_mechanism *m = random_mechanism(first_kinds[(n + n / 8) % 8], &all_options[n % 8], &rng);
        lg_motion *mo = motion_started(m, "sem", 0.01, &rng);
        mechanism_derivatives(m, mo, 3, &rng);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* A state goes into a motion and comes back. */
static void states(void **unused)
{
    lg_rng rng = suite_rng(4);
    (void)unused;
    lg_mechanism *m = random_mechanism(LG_JOINT_SPHERICAL, &all_options[5], &rng);
    lg_motion *mo = motion_started(m, "sem", 0.01, &rng), *again;
    double g[7 * MECHANISM_MOST], p[6 * MECHANISM_MOST], g1[7 * MECHANISM_MOST], p1[6 * MECHANISM_MOST];
    double xi[6 * MECHANISM_MOST];
    motion_well(lg_motion_step(mo, 20), mo);
    suite_ok("state", lg_motion_state(mo, g, xi, p));
    motion_well(motion_create(&again, m, "sem", 0.01), again);
    suite_status("not started", lg_motion_state(again, g, NULL, p), LG_ERROR_ARGUMENT);
    motion_well(lg_motion_start_state(again, 0, g, xi, 0), again);
    suite_ok("state", lg_motion_state(again, g1, NULL, p1));
    for (int b = 0; b < 3; b++) {
        double *q = g1 + 7 * b + 3, s = 0;
        for (int k = 0; k < 4; k++) s += q[k] * g[7 * b + 3 + k];
        for (int k = 0; k < 4 && s < 0; k++) q[k] = -q[k]; /* the same rotation */
    }
    suite_near("configuration", g1, g, 21, 1e-15, 2);
    suite_near("momentum", p1, p, 18, 1e-14, fmax(1, mat_norm(p, 18)));
    xi[7] += 1;
    suite_status("off the constraints", lg_motion_start_state(again, 0, g, xi, 0), LG_ERROR_INCONSISTENT);
    suite_status("no state", lg_motion_start_state(again, 0, NULL, xi, 0), LG_ERROR_ARGUMENT);
    lg_motion_destroy(again);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* ---- what a configuration does not tell ---- */

static lg_mechanism *geared(double ratio)
{
    static const double a[3] = {0, 0, 0}, b[3] = {0, 1, 0}, x[3] = {1, 0, 0};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", 0.3, 0, 0);
    mechanism_add_body(m, "b", 0.2, 1, 0.1);
    mechanism_add_joint(m, "first", LG_JOINT_REVOLUTE, NULL, "a", a, x);
    mechanism_add_joint(m, "second", LG_JOINT_REVOLUTE, NULL, "b", b, x);
    lg_gear gear = lg_gear_default("teeth", "second", "first");
    gear.ratio = ratio;
    mechanism_well(lg_mechanism_add_gear(m, NULL, &gear), m);
    mechanism_well(lg_mechanism_keep_order(m), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* A gear holds over many turns, as long as its ratio is a fraction; others are refused by name. */
static void gears(void **unused)
{
    static const double ratios[] = {-2, 1.0 / 3, 5.0 / 7};
    const lg_system *S;
    (void)unused;
    for (int n = 0; n < 3; n++) {
        suite_case("ratio %g", ratios[n]);
        lg_mechanism *m = geared(ratios[n]);
        lg_motion *mo;
        const double v[2] = {40, 40 * ratios[n]};
        motion_well(motion_create(&mo, m, "sem", 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, (const double[2]){0, 0}, v, 1), mo);
        mechanism_both_steps(m, mo, 0.01, 100, 1e-11);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    lg_mechanism *m = geared(1.0471975511965976);
    suite_status("irrational", lg_mechanism_system(m, &S), LG_ERROR_UNSUPPORTED);
    suite_contains("which", lg_mechanism_message(m), "gear 'teeth'");
    assert_null(S);
    lg_mechanism_destroy(m);
    mechanism_well(lg_mechanism_create(&m), NULL);
    suite_status("not compiled", lg_mechanism_system(m, &S), LG_ERROR_ARGUMENT);
    suite_contains("advice", lg_mechanism_message(m), "lg_mechanism_compile()");
    suite_status("no place", lg_mechanism_system(m, NULL), LG_ERROR_ARGUMENT);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_states), cmocka_unit_test(polar_states),

        cmocka_unit_test(fast_rotor),       cmocka_unit_test(derivatives),
        cmocka_unit_test(states),           cmocka_unit_test(gears),
    };
    suite_begin("multibody/system");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
