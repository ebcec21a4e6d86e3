/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler angles in the 24 conventions: against products of rotations about the axes, there and back, gimbal lock. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/suite.h"

/* The matrix by the definition: intrinsic R_1(a) R_2(b) R_3(c), extrinsic R_3(c) R_2(b) R_1(a). */
static void by_definition(double R[9], const double angles[3], const char *name)
{
    mat_identity(R, 3);
    for (int step = 0; step < 3; step++) {
        const int at = isupper(name[0]) ? step : 2 - step, k = toupper(name[at]) - 'X', i = (k + 1) % 3,
                  j = (k + 2) % 3;
        double A[9] = {0}, P[9];
        A[4 * k] = 1;
        A[4 * i] = A[4 * j] = cos(angles[at]);
        A[3 * i + j] = -sin(angles[at]);
        A[3 * j + i] = sin(angles[at]);
        mat_mul(P, R, A, 3, 3, 3);
        memcpy(R, P, sizeof P);
    }
}

static int proper(const char *name)
{
    return name[0] == name[2];
}

static void check_range(const double a[3], const char *name)
{
    const double low = proper(name) ? 0 : -SUITE_PI / 2, high = proper(name) ? SUITE_PI : SUITE_PI / 2;
    assert_true(a[0] > -SUITE_PI && a[0] <= SUITE_PI && a[2] > -SUITE_PI && a[2] <= SUITE_PI);
    assert_true(a[1] >= low && a[1] <= high);
}

static void test_all_conventions(void **state)
{
    lg_rng rng = suite_rng(91);
    int count = 0;
    (void)state;
    for (const char *const *name = lg_so3_euler_names(); *name; name++, count++) {
        for (int k = 0; k < suite_count(400); k++) {
            double angles[3], q[4], R[9], want[9], back[3];
            for (int i = 0; i < 3; i++) angles[i] = 2 * SUITE_PI * (lg_rng_uniform(&rng) - 0.5);
            angles[1] = proper(*name) ? fabs(angles[1]) : 0.5 * angles[1];
            suite_case("%s", *name);
            suite_input("angles", angles, 3);
            suite_ok("from_euler", lg_so3_from_euler(q, angles, *name));
            lg_so3_to_matrix(R, q);
            by_definition(want, angles, *name);
            suite_near("R", R, want, 9, 2e-15, 1);
            suite_ok("to_euler", lg_so3_to_euler(back, q, *name));
            check_range(back, *name);
            const double room = proper(*name) ? fabs(sin(angles[1])) : cos(angles[1]);
            for (int i = 0; i < 3; i += 2) back[i] = angles[i] + remainder(back[i] - angles[i], 2 * SUITE_PI);
            suite_near("angles", back, angles, 3, 4e-15, 1 + 1 / room);
        }
    }
    assert_int_equal(count, 24);
}

/* Rotations at and near gimbal lock come back within 4e-15, at lock the third angle is 0. */
static void test_lock(void **state)
{
    lg_rng rng = suite_rng(92);
    (void)state;
    for (const char *const *name = lg_so3_euler_names(); *name; name++) {
        for (int k = 0; k < 200; k++) {
            const int power = k % 20, upper = k / 20 % 2;
            const double off = power == 0 ? 0 : pow(10, -power), end = proper(*name) ? 0 : -SUITE_PI / 2;
            double angles[3], q[4], back[3], again[4], R[9], S[9];
            for (int i = 0; i < 3; i++) angles[i] = 6 * (lg_rng_uniform(&rng) - 0.5);
            angles[1] = end + (upper ? SUITE_PI - off : off);
            suite_case("%s, %g from lock", *name, off);
            suite_input("angles", angles, 3);
            suite_ok("from_euler", lg_so3_from_euler(q, angles, *name));
            suite_ok("to_euler", lg_so3_to_euler(back, q, *name));
            check_range(back, *name);
            if (off < 1e-17) {
                suite_near1("third angle", back[2], 0, 0, 1);
                suite_near1("second angle", back[1], end + (upper ? SUITE_PI : 0), 0, 1);
            }
            suite_ok("from_euler", lg_so3_from_euler(again, back, *name));
            lg_so3_to_matrix(R, q);
            lg_so3_to_matrix(S, again);
            suite_near("rotation", S, R, 9, 4e-15, 1);
        }
    }
}

/* Tiny angles keep their digits; the axes are those of so3.h. */
static void test_small(void **state)
{
    (void)state;
    for (const char *const *name = lg_so3_euler_names(); *name; name++) {
        if (proper(*name)) continue;
        for (int power = 1; power < 150; power += 7) {
            const double t = pow(10, -power), angles[3] = {t, -2 * t, 3 * t};
            double q[4], back[3];
            suite_case("%s, %g", *name, t);
            suite_ok("from_euler", lg_so3_from_euler(q, angles, *name));
            suite_ok("to_euler", lg_so3_to_euler(back, q, *name));
            suite_near("angles", back, angles, 3, 4e-15, t);
        }
    }
}

static void test_known(void **state)
{
    const double angles[3] = {0.3, -0.2, 0.9}, turned[3] = {0.9, -0.2, 0.3};
    double q[4], r[4], xi[3];
    (void)state;
    suite_case("known");
    suite_ok("ZYX", lg_so3_from_euler(q, angles, "ZYX"));
    suite_ok("xyz", lg_so3_from_euler(r, turned, "xyz"));
    suite_near("yaw, pitch, roll", q, r, 4, 1e-15, 1);
    suite_ok("XYZ", lg_so3_from_euler(q, angles, "XYZ"));
    suite_ok("second kind", lg_retraction_tau(lg_retraction_second_kind(), lg_so3(), r, angles));
    suite_near("the second kind", q, r, 4, 1e-15, 1);
    suite_ok("to_euler", lg_so3_to_euler(xi, q, "XYZ"));
    suite_near("and back", xi, angles, 3, 1e-15, 1);
}

static void test_refused(void **state)
{
    static const char *const wrong[] = {"", "zz", "zzx", "xyx ", "ZYx", "abc", "xyzx", "XXX", "zyy", NULL};
    double q[4] = {0, 0, 0, 1}, a[3] = {1, 2, 3};
    (void)state;
    suite_case("refused");
    for (int i = 0; i < 10; i++) {
        suite_status(wrong[i] ? wrong[i] : "NULL", lg_so3_from_euler(q, a, wrong[i]), LG_ERROR_ARGUMENT);
        suite_status(wrong[i] ? wrong[i] : "NULL", lg_so3_to_euler(a, q, wrong[i]), LG_ERROR_ARGUMENT);
    }
    assert_true(a[0] == 1 && q[3] == 1);
    const double zero[4] = {0}, lost[4] = {0, NAN, 0, 1};
    suite_status("zero", lg_so3_to_euler(a, zero, "ZYX"), LG_ERROR_DOMAIN);
    for (const char *const *name = lg_so3_euler_names(); *name; name++) {
        suite_ok("NaN", lg_so3_to_euler(a, lost, *name));
        assert_true(isnan(a[0]) && isnan(a[1]) && isnan(a[2]));
    }
}

int main(void)
{
    suite_begin("euler");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_conventions), cmocka_unit_test(test_lock),    cmocka_unit_test(test_small),
        cmocka_unit_test(test_known),           cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("euler", tests, NULL, NULL);
}
