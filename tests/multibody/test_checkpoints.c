/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of motions: for every mechanism and method, a motion that reads one continues as if it had made all steps
 * itself, bit for bit; a checkpoint that does not fit is refused with its reason and changes nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/system.h>

#include "support/mechanisms.h"
#include "support/saved.h"

static saved save(const lg_motion *mo)
{
    saved s = {NULL, lg_motion_saved_bytes(mo)};
    assert_true(s.size > 0);
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    suite_ok("save", lg_motion_save(mo, s.bytes, s.size));
    return s;
}

/* All numbers of the state, and the same bytes. */
static void same(const lg_motion *a, const lg_motion *b, int motors)
{
    const double x[] = {lg_motion_time(a), lg_motion_energy(a), lg_motion_work(a), lg_motion_gap(a), lg_motion_slip(a)};
    const double y[] = {lg_motion_time(b), lg_motion_energy(b), lg_motion_work(b), lg_motion_gap(b), lg_motion_slip(b)};
    double state[2][2][7 * 64];
    saved s = save(a), t = save(b);
    suite_same_bits("figures", x, y, 5);
    for (int u = 0; u < motors; u++) {
        const double work[2] = {lg_motion_motor_work(a, u), lg_motion_motor_work(b, u)};
        suite_same_bits("work of a motor", work, work + 1, 1);
    }
    memset(state, 0, sizeof state);
    suite_ok("state", lg_motion_state(a, state[0][0], NULL, state[0][1]));
    suite_ok("state", lg_motion_state(b, state[1][0], NULL, state[1][1]));
    suite_same_bits("state", state[0][0], state[1][0], 2 * 7 * 64);
    assert_int_equal(lg_motion_iterations(a), lg_motion_iterations(b));
    assert_int_equal(s.size, t.size);
    assert_memory_equal(s.bytes, t.bytes, s.size);
    free(s.bytes), free(t.bytes);
}

static lg_motion *begin(const lg_mechanism *m, const char *method, double h, double tolerance)
{
    lg_motion *mo = NULL;
    if (motion_create(&mo, m, method, h) == LG_OK &&
        (tolerance == 0 || lg_motion_set_tolerance(mo, tolerance) == LG_OK))
        return mo;
    lg_motion_destroy(mo);
    return NULL;
}

/* Every motor pulls. */
static void drive(lg_motion *mo, int motors)
{
    double u[64];
    assert_in_range(motors, 0, 64);
    for (int k = 0; k < motors; k++) u[k] = 0.3 / (k + 1);
    if (lg_model_control_count(lg_motion_model(mo)) > 0) suite_ok("controls", lg_motion_set_control(mo, u));
}

/* Some steps, saved, and then more steps, compared with those of a motion that reads the checkpoint. */
static int continues(int i, const char *method, double tolerance)
{
    const int before = 7, after = suite_count(12);
    lg_mechanism *m = NULL;
    suite_case("%s, %s, tolerance %g", lg_gallery_name(i), method, tolerance);
    mechanism_well(lg_gallery_create(&m, i), m);
    lg_motion *mo = begin(m, method, lg_gallery_step(i), tolerance), *other = NULL;
    const int motors = lg_mechanism_motor_count(m);
    int runs = mo != NULL && lg_gallery_start(mo, i) == LG_OK;
    if (runs) drive(mo, motors), runs = lg_motion_step(mo, before) == LG_OK;
    if (runs) {
        saved s = save(mo);
        other = begin(m, method, lg_gallery_step(i), 0);
        motion_well(lg_motion_load(other, s.bytes, s.size), other);
        same(mo, other, motors);
        for (int k = 0; runs && k < after; k++) {
            const lg_status st = lg_motion_step(mo, 1);
            suite_status("step", lg_motion_step(other, 1), st);
            same(mo, other, motors);
            runs = st == LG_OK;
        }
        free(s.bytes);
    }
    lg_motion_destroy(mo);
    lg_motion_destroy(other);
    lg_mechanism_destroy(m);
    return runs;
}

static void all_mechanisms(void **unused)
{
    static const struct {
        const char *method;
        double tolerance;
    } of[] = {{"sem", 0},   {"sem@suzuki4", 0}, {"rattle", 0},    {"rattle@kahan-li6", 0},
              {"gauss", 0}, {"gauss", 1e-7},    {"gauss", 1e-10}, {"gauss:stages=4", 0}};
    int cases = 0;
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++)
        for (size_t k = 0; k < sizeof of / sizeof *of; k++) cases += continues(i, of[k].method, of[k].tolerance);
    printf("%d cases\n", cases);
    assert_true(cases > 5 * gallery_without_contacts() + lg_gallery_count());
}

static void refuses(lg_motion *other, const void *bytes, size_t size, const char *words)
{
    saved before = save(other), after;
    suite_status("load", lg_motion_load(other, bytes, size), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(other), words);
    after = save(other);
    assert_memory_equal(before.bytes, after.bytes, before.size);
    free(before.bytes), free(after.bytes);
}

static void what_does_not_fit(void **unused)
{
    const int i = lg_gallery_index("four-bar"), other_one = lg_gallery_index("double-pendulum");
    lg_mechanism *m = NULL, *n = NULL;
    (void)unused;
    mechanism_well(lg_gallery_create(&m, i), m);
    mechanism_well(lg_gallery_create(&n, other_one), n);
    lg_motion *mo = begin(m, "sem", lg_gallery_step(i), 0), *same_kind = begin(m, "sem", lg_gallery_step(i), 0);
    lg_motion *half = begin(m, "sem", 0.5 * lg_gallery_step(i), 0), *foreign = begin(n, "sem", lg_gallery_step(i), 0);
    lg_motion *gauss = begin(m, "gauss", lg_gallery_step(i), 0);
    suite_case("what does not fit");
    assert_int_equal(lg_motion_saved_bytes(mo), 0);
    suite_status("not started", lg_motion_save(mo, (char[8]){0}, 8), LG_ERROR_ARGUMENT);
    suite_ok("start", lg_gallery_start(mo, i)), suite_ok("start", lg_gallery_start(same_kind, i));
    suite_ok("start", lg_gallery_start(half, i)), suite_ok("start", lg_gallery_start(gauss, i));
    suite_ok("start", lg_gallery_start(foreign, other_one));
    suite_ok("steps", lg_motion_step(mo, 5));
    saved s = save(mo);
    refuses(half, s.bytes, s.size, "'step ");
    refuses(gauss, s.bytes, s.size, "'method sem', and what reads it 'method gauss'");
    refuses(foreign, s.bytes, s.size, "and what reads it");
    refuses(same_kind, s.bytes, s.size - 1, "damaged");
    refuses(same_kind, "", 0, "no checkpoint");
    for (size_t at = 0; at < s.size; at += at < 300 ? 1 : 211) {
        s.bytes[at] ^= 8;
        refuses(same_kind, s.bytes, s.size, "checkpoint");
        s.bytes[at] ^= 8;
    }
    motion_well(lg_motion_load(same_kind, s.bytes, s.size), same_kind);
    same(mo, same_kind, 0);
    free(s.bytes);
    lg_motion_destroy(mo), lg_motion_destroy(same_kind), lg_motion_destroy(half), lg_motion_destroy(foreign);
    lg_motion_destroy(gauss);
    lg_mechanism_destroy(m), lg_mechanism_destroy(n);
}

/* A mechanism with the same names and masses whose bars are elsewhere. */
static void another_mechanism_of_the_same_names(void **unused)
{
    const int i = lg_gallery_index("double-pendulum");
    lg_mechanism *m = NULL, *n = NULL;
    (void)unused;
    suite_case("another mechanism of the same names");
    mechanism_well(lg_gallery_create(&m, i), m);
    lg_motion *mo = begin(m, "sem", 0.01, 0), *other = NULL;
    suite_ok("start", lg_gallery_start(mo, i));
    suite_ok("steps", lg_motion_step(mo, 5));
    saved s = save(mo);
    mechanism_well(lg_gallery_describe(&n, i), n);
    suite_ok("gravity", lg_mechanism_set_gravity(n, (const double[]){0, 0, -1.62}));
    suite_ok("compile", lg_mechanism_compile(n));
    other = begin(n, "sem", 0.01, 0);
    suite_status("load", lg_motion_load(other, s.bytes, s.size), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(other), "'gravity ");
    free(s.bytes);
    lg_motion_destroy(mo), lg_motion_destroy(other);
    lg_mechanism_destroy(m), lg_mechanism_destroy(n);
}

/* A servo whose control means something else, or has another range. */
static void another_control(void **unused)
{
    lg_mechanism *m[3];
    lg_motion *mo[3];
    (void)unused;
    suite_case("another control");
    for (int k = 0; k < 3; k++) {
        lg_motor servo = lg_motor_default("servo", "elbow");
        servo.position_gain = 3, servo.control_gain = k == 1 ? 2 : 0, servo.control_upper = k == 2 ? 1 : 2;
        mechanism_well(lg_gallery_describe(&m[k], lg_gallery_index("double-pendulum")), m[k]);
        mechanism_well(lg_mechanism_add_motor(m[k], NULL, &servo), m[k]);
        mechanism_well(lg_mechanism_compile(m[k]), m[k]);
        mo[k] = begin(m[k], "sem", 0.01, 0);
        motion_well(lg_motion_start_joints(mo[k], 0, NULL, NULL, 0), mo[k]);
    }
    saved s = save(mo[0]);
    refuses(mo[1], s.bytes, s.size, "'control gain ");
    refuses(mo[2], s.bytes, s.size, "'control upper ");
    free(s.bytes);
    for (int k = 0; k < 3; k++) lg_motion_destroy(mo[k]), lg_mechanism_destroy(m[k]);
}

/* Numbers that are impossible are refused, all others taken: no step may crash. */
static void impossible_numbers(void **unused)
{
    static const double values[] = {-1, NAN, INFINITY, 1e300, 0.5, 7};
    const int i = lg_gallery_index("furuta");
    int refused = 0, taken = 0;
    (void)unused;
    for (int k = 0; k < 2; k++) {
        lg_mechanism *m = NULL;
        mechanism_well(lg_gallery_create(&m, i), m);
        lg_motion *mo = begin(m, k ? "gauss" : "sem", lg_gallery_step(i), 0);
        suite_ok("start", lg_gallery_start(mo, i));
        suite_ok("steps", lg_motion_step(mo, 5));
        saved s = save(mo);
        for (size_t at = s.size % 8; at + 16 <= s.size; at += k ? 40 : 8) {
            unsigned char before[8];
            memcpy(before, s.bytes + at, 8);
            memcpy(s.bytes + at, &values[at / 8 % 6], 8);
            saved_mend(&s);
            suite_case("number at %zu", at);
            if (lg_motion_load(mo, s.bytes, s.size) == LG_OK)
                lg_status_ignore(lg_motion_step(mo, 1)), taken++;
            else
                refused++;
            memcpy(s.bytes + at, before, 8);
        }
        free(s.bytes);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    printf("%d refused, %d taken\n", refused, taken);
    assert_true(refused > 20 && taken > 100);
}

/* A state of another time than that of its steps is refused: with a tolerance the next row would never come. */
static void another_time(void **unused)
{
    const int i = lg_gallery_index("four-bar");
    lg_mechanism *m = NULL;
    (void)unused;
    mechanism_well(lg_gallery_create(&m, i), m);
    lg_motion *mo = begin(m, "gauss:stages=2", lg_gallery_step(i), 1e-6);
    suite_ok("start", lg_gallery_start(mo, i));
    suite_ok("steps", lg_motion_step(mo, 5));
    const double t = lg_motion_time(mo), later[] = {t + 1, t - 1e300, NAN};
    for (int k = 0; k < 3; k++) {
        saved s = save(mo);
        for (size_t at = 0; at + 16 <= s.size; at++)
            if (memcmp(s.bytes + at, &t, sizeof t) == 0) memcpy(s.bytes + at, &later[k], sizeof t);
        saved_mend(&s);
        suite_case("a state of time %g", later[k]);
        suite_status("load", lg_motion_load(mo, s.bytes, s.size), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_motion_message(mo), "its time is not that of its steps");
        free(s.bytes);
    }
    suite_ok("it continues", lg_motion_step(mo, 1));
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* The rest of a spring without stiffness, the speed of no friction and a thruster along its own line move nothing. */
static int acts(const lg_mechanism *m, const char *name)
{
    static const char *const without[][2] = {{".rest", ".stiffness"}, {".friction_speed", ".friction"}};
    char sibling[128];
    if (strcmp(name, "push.point_x") == 0) return 0;
    if (strstr(name, ".position_") != NULL || strstr(name, ".centre_") != NULL) return 0;
    for (int i = 0; i < 2; i++) {
        const char *at = strrchr(name, '.');
        if (strcmp(at, without[i][0]) != 0) continue;
        (void)snprintf(sibling, sizeof sibling, "%.*s%s", (int)(at - name), name, without[i][1]);
        return lg_mechanism_parameter_value(m, lg_mechanism_parameter(m, sibling)) != 0;
    }
    return 1;
}

/* No motion continues with another stiffness, damping, radius, ...: a mechanism in which one parameter differs refuses
 * the checkpoint. Parameters that only affect its assembly may differ: the checkpoint has the state. */
static void another_parameter(void **unused)
{
    int refused = 0;
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++) {
        lg_mechanism *m = NULL;
        mechanism_well(lg_gallery_create(&m, i), m);
        lg_motion *mo = begin(m, "sem", lg_gallery_step(i), 0);
        motion_well(lg_gallery_start(mo, i), mo);
        saved s = save(mo);
        for (int k = 0; k < lg_mechanism_parameter_count(m); k++) {
            lg_mechanism *n = NULL;
            char name[128];
            (void)lg_mechanism_parameter_name(m, name, sizeof name, k);
            mechanism_well(lg_gallery_describe(&n, i), n);
            const double value = lg_mechanism_parameter_value(n, k);
            const int none = value < 0 && strstr(name, ".friction_along") != NULL; /* so is any other below 0 */
            int differs = !none && acts(n, name) &&
                          lg_mechanism_set_parameter(n, name, value != 0 ? 1.0625 * value : 0.0625) == LG_OK &&
                          lg_mechanism_compile(n) == LG_OK;
            lg_motion *other = differs ? begin(n, "sem", lg_gallery_step(i), 0) : NULL;
            suite_case("%s with another %s", lg_gallery_name(i), name);
            if (other != NULL) suite_status("load", lg_motion_load(other, s.bytes, s.size), LG_ERROR_ARGUMENT);
            refused += other != NULL;
            lg_motion_destroy(other);
            lg_mechanism_destroy(n);
        }
        free(s.bytes);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    assert_true(refused > 300);
}

int main(void)
{
    suite_begin("checkpoints of motions");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_mechanisms),
        cmocka_unit_test(what_does_not_fit),
        cmocka_unit_test(another_mechanism_of_the_same_names),
        cmocka_unit_test(another_control),
        cmocka_unit_test(impossible_numbers),
        cmocka_unit_test(another_time),
        cmocka_unit_test(another_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
