/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors on pages of runs: those of mechanisms add up to the motion's momentum and obey Newton's law, those of models
 * are velocities and momenta in space, and all stay with their row. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <liegrp/multibody/motion.h>
#include <liegrp/run/view.h>

#include "support/motions.h"
#include "support/suite.h"

#define OK(call) suite_ok(#call, call)

enum { BODY = 9, MOST = 200000 };
static float vectors[MOST], forces[MOST];

/* The floats of the quoted text behind `name`; returns how many. */
static int decode(const char *text, const char *name, float *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *p = strstr(text, name);
    uint32_t bits = 0, word = 0;
    int held = 0, bytes = 0;
    assert_non_null(p);
    for (p += strlen(name); *p != '"' && *p != '='; p++) {
        bits = bits << 6 | (uint32_t)(strchr(digits, *p) - digits), held += 6;
        if (held < 8) continue;
        held -= 8, word |= (bits >> held & 255) << (8 * (bytes % 4));
        if (++bytes % 4 == 0) memcpy(out + bytes / 4 - 1, &word, sizeof word), word = 0;
        assert_true(bytes < 4 * MOST);
    }
    assert_int_equal(bytes % 4, 0);
    return bytes / 4;
}

static lg_motion *motion_of(lg_model *M, double h)
{
    lg_motion *mo;
    lg_motion_options o = lg_motion_options_default();
    o.step = h;
    OK(lg_motion_create(&mo, M, &o));
    OK(lg_motion_start(mo, 0, NULL, 0));
    return mo;
}

static void show(lg_view *v, int track, const lg_motion *mo)
{
    double row[200];
    OK(lg_motion_row(mo, row));
    OK(lg_view_row(v, track, row));
    OK(lg_view_motion(v, track, mo));
}

static void near(const char *what, double x, double expected, double size)
{
    if (!(fabs(x - expected) <= 2e-6 * size)) fail_msg("%s: %.9g, expected %.9g of %g", what, x, expected, size);
}

/* A chain of two bodies whose centres are not the origins of their frames. */
static lg_mechanism *chain(void)
{
    lg_mechanism *m;
    OK(lg_mechanism_create(&m));
    for (int i = 0; i < 2; i++) {
        lg_body b = lg_body_default(i ? "hand" : "arm");
        lg_joint j = lg_joint_default(i ? "wrist" : "shoulder", LG_JOINT_SPHERICAL, i ? "arm" : NULL, b.name);
        b.mass = 1 + i, b.position[0] = i, b.centre[0] = 0.4, b.centre[2] = 0.1;
        b.inertia[0] = 0.2, b.inertia[1] = 0.3, b.inertia[2] = 0.35, b.inertia[3] = 0.04, b.inertia[4] = -0.02;
        j.point[0] = i;
        OK(lg_mechanism_add_body(m, NULL, &b));
        OK(lg_mechanism_add_joint(m, NULL, &j));
    }
    OK(lg_mechanism_compile(m));
    return m;
}

static void test_mechanism(void **state)
{
    const char *json;
    double before[3], P[3], L[3];
    int track;
    lg_mechanism *m = chain();
    lg_model *M;
    lg_view *v;
    (void)state;
    OK(lg_model_of_mechanism(&M, m, NULL));
    lg_motion *mo = motion_of(M, 0.01);
    OK(lg_view_create(&v, "chain", NULL));
    OK(lg_view_add(v, &track, M, "sem"));
    suite_status("no row", lg_view_motion(v, track, mo), LG_ERROR_ARGUMENT);
    show(v, track, mo);
    OK(lg_motion_step(mo, 40));
    OK(lg_motion_momentum(mo, before, L));
    OK(lg_motion_step(mo, 1));
    show(v, track, mo);
    OK(lg_motion_momentum(mo, P, L));
    OK(lg_view_json(v, &json));
    assert_int_equal(decode(json, "\"bodies\": \"", vectors), 2 * 2 * BODY);
    assert_int_equal(decode(json, "\"reactions\": \"", forces), 2 * 2 * 3);
    for (int k = 0; k < 6; k++) assert_true(isnan(forces[k])); /* no step was made */
    double sum[3] = {0}, turn[3] = {0};
    for (int b = 0; b < 2; b++) {
        const float *x = vectors + BODY * (2 + b);
        const double mass = 1 + b, centre[3] = {0.4, 0, 0.1};
        double r[3], velocity[3];
        OK(lg_motion_point(mo, r, velocity, b, centre));
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            near("velocity", x[k], velocity[k], 5), near("momentum", x[3 + k], mass * velocity[k], 5);
            sum[k] += x[3 + k], turn[k] += x[6 + k] + r[i] * x[3 + j] - r[j] * x[3 + i];
        }
    }
    for (int k = 0; k < 3; k++) {
        near("sum of momenta", sum[k], P[k], 10), near("sum of angular momenta", turn[k], L[k], 10);
        near("Newton's law", forces[6 + k], (P[k] - before[k]) / 0.01 + (k == 2 ? 3 * 9.81 : 0), 200);
    }
    suite_contains("joint", json, "\"name\": \"wrist\"");
    lg_view_destroy(v);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

/* Velocity and momentum of the sleigh are xi and p turned by theta, in each row, also after rows were thinned. */
static void test_model(void **state)
{
    enum { STEPS = 6000 };
    static double kept[STEPS + 1][7];
    const char *json;
    int track;
    lg_model *M;
    lg_view *v;
    (void)state;
    OK(lg_catalog_create(&M, "chaplygin-sleigh"));
    lg_motion *mo = motion_of(M, 0.01);
    OK(lg_view_create(&v, "sleigh", NULL));
    OK(lg_view_add(v, &track, M, "sem"));
    for (int i = 0; i <= STEPS; i++) {
        double row[64];
        if (i > 0) OK(lg_motion_step(mo, 1));
        OK(lg_motion_row(mo, row));
        kept[i][0] = row[lg_model_column_find(M, "theta")];
        memcpy(kept[i] + 1, row + lg_model_column_find(M, "xi_1"), 6 * sizeof(double));
        show(v, track, mo);
    }
    OK(lg_view_json(v, &json));
    const int rows = decode(json, "\"bodies\": \"", vectors) / BODY;
    assert_int_equal(rows, STEPS / 2 + 1);
    for (int r = 0; r < rows; r++) {
        const double *of = kept[2 * r], c = cos(of[0]), s = sin(of[0]);
        const float *x = vectors + BODY * r;
        near("velocity", x[0], c * of[1] - s * of[2], 1), near("velocity", x[1], s * of[1] + c * of[2], 1);
        near("momentum", x[3], c * of[4] - s * of[5], 1), near("momentum", x[4], s * of[4] + c * of[5], 1);
        near("angular momentum", x[8], of[6], 2);
        near("out of the plane", fabs(x[2]) + fabs(x[5]) + fabs(x[6]) + fabs(x[7]), 0, 1);
    }
    lg_view_destroy(v);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
}

/* The momentum of one body among several is not known from p. */
static void test_unknown(void **state)
{
    static const char *const names[] = {"chaplygin-sphere", "cart-trailer"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *json;
        int track;
        lg_model *M;
        lg_view *v;
        suite_case("%s", names[i]);
        OK(lg_catalog_create(&M, names[i]));
        lg_motion *mo = motion_of(M, 0.01);
        OK(lg_view_create(&v, names[i], NULL));
        OK(lg_view_add(v, &track, M, "sem"));
        show(v, track, mo);
        OK(lg_view_json(v, &json));
        assert_true(decode(json, "\"bodies\": \"", vectors) >= 2 * BODY);
        assert_true(isfinite(vectors[0]) && isfinite(vectors[BODY]));
        assert_true(isnan(vectors[3]) && isnan(vectors[6])); /* the table; one of two carts */
        assert_int_equal(isfinite(vectors[BODY + 3]), i == 0);
        assert_null(strstr(json, "\"reactions\""));
        lg_view_destroy(v);
        lg_motion_destroy(mo);
        lg_model_destroy(M);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mechanism),
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_unknown),
    };
    suite_begin("view_arrows");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
