/* SPDX-License-Identifier: BSD-3-Clause */
/* States inside the last step, of definitions and of mechanisms: the ends, the order, what does not change, wrong use.
 */
#include <math.h>
#include <string.h>

#include <liegrp/catalog/catalog.h>
#include <liegrp/multibody/gallery.h>
#include <liegrp/run/motion.h>

#include "support/suite.h"

enum { ROW = 400, BYTES = 1 << 20 };

static const struct way {
    const char *system, *mechanism, *method;
    double tolerance;
} ways[] = {
    {"rolling-ball", NULL, "gni", 0}, {"heavy-top", NULL, "gauss", 0},      {"suslov", NULL, "gauss", 1e-8},
    {NULL, "four-bar", "sem", 0},     {NULL, "bicycle", "sem@yoshida4", 0}, {NULL, "double-pendulum", "rattle", 0},
    {NULL, "chain", "gauss", 0},      {NULL, "chain", "gauss", 1e-8},       {NULL, "double-pendulum", "sem:gauss=2", 0},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

typedef struct subject {
    lg_mechanism *m;
    lg_model *M;
    int columns;
} subject;

static subject subject_of(const struct way *w)
{
    subject s = {NULL, NULL, 0};
    suite_case("%s by %s, tolerance %g", w->system != NULL ? w->system : w->mechanism, w->method, w->tolerance);
    if (w->mechanism != NULL) suite_ok("mechanism", lg_gallery_create(&s.m, lg_gallery_index(w->mechanism)));
    suite_ok("model", w->mechanism != NULL ? lg_model_of_mechanism(&s.M, s.m, w->mechanism)
                                           : lg_catalog_create(&s.M, w->system));
    s.columns = lg_model_column_count(s.M);
    assert_true(s.columns < ROW);
    return s;
}

static void end(subject *s)
{
    lg_model_destroy(s->M);
    lg_mechanism_destroy(s->m);
}

static lg_motion *motion_of(const subject *s, const struct way *w, double h)
{
    lg_motion *mo;
    lg_motion_options o = lg_motion_options_default();
    o.method = w->method, o.tolerance = w->tolerance, o.step = h;
    suite_ok("create", lg_motion_create(&mo, s->M, &o));
    suite_ok("start", lg_motion_start(mo, 0.5, NULL, 1));
    return mo;
}

/* The largest difference in columns of this kind. */
static double apart(const subject *s, const double *a, const double *b, lg_column_kind kind)
{
    double most = 0;
    for (int i = 0; i < s->columns; i++)
        if (lg_model_column(s->M, i)->kind == kind) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* Both ends are the nodes, an interpolated state has no figures, and the motion continues to the bit. */
static void test_ends(void **state)
{
    double before[ROW], after[ROW], row[ROW], twin[ROW];
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        subject s = subject_of(&ways[k]);
        lg_motion *mo = motion_of(&s, &ways[k], 0), *other = motion_of(&s, &ways[k], 0);
        suite_ok("steps", lg_motion_step(mo, 2));
        suite_ok("row", lg_motion_row(mo, before));
        suite_ok("step", lg_motion_step(mo, 1));
        suite_ok("row", lg_motion_row(mo, after));
        suite_ok("the end", lg_motion_interpolate(mo, row, 1));
        assert_true(row[1] == after[1] && row[0] == 3 && isnan(row[s.columns - 1]));
        assert_true(apart(&s, row, after, LG_COLUMN_CONFIGURATION) < 1e-14);
        assert_true(apart(&s, row, after, LG_COLUMN_VELOCITY) < 1e-13);
        suite_ok("the beginning", lg_motion_interpolate(mo, row, 0));
        assert_true(fabs(row[1] - before[1]) < 1e-14);
        assert_true(apart(&s, row, before, LG_COLUMN_CONFIGURATION) < 1e-13);
        assert_true(apart(&s, row, before, LG_COLUMN_VELOCITY) < 1e-12);
        suite_ok("inside", lg_motion_interpolate(mo, row, 0.5));
        assert_true(fabs(row[1] - 0.5 * (before[1] + after[1])) < 1e-14);
        assert_true(apart(&s, row, after, LG_COLUMN_CONTROL) == 0);
        suite_ok("a row is that of the motion", lg_motion_row(mo, twin));
        suite_same_bits("row", twin, after, s.columns);
        suite_ok("steps", lg_motion_step(mo, 5));
        suite_ok("steps", lg_motion_step(other, 8));
        suite_ok("row", lg_motion_row(mo, row));
        suite_ok("row", lg_motion_row(other, twin));
        suite_same_bits("steps after it", row, twin, s.columns);
        suite_ok("inside", lg_motion_interpolate(mo, row, 0.25));
        suite_ok("a start there", lg_motion_start(other, row[1], row, 1));
        lg_motion_destroy(mo), lg_motion_destroy(other);
        end(&s);
    }
}

/* How far the state in the middle of a step of h is from the one that a step to there has. */
static void errors(double *position, double *velocity, const subject *s, const struct way *w, double h)
{
    double row[ROW], there[ROW];
    lg_motion *mo = motion_of(s, w, h), *half = motion_of(s, w, 0.5 * h);
    suite_ok("on the way", lg_motion_run_to(mo, 1.2)); /* it starts at rest */
    suite_ok("on the way", lg_motion_run_to(half, 1.2));
    suite_ok("a step", lg_motion_step(mo, 1));
    suite_ok("a half", lg_motion_step(half, 1));
    suite_ok("inside", lg_motion_interpolate(mo, row, 0.5));
    suite_ok("row", lg_motion_row(half, there));
    *position = apart(s, row, there, LG_COLUMN_CONFIGURATION);
    *velocity = apart(s, row, there, LG_COLUMN_VELOCITY);
    lg_motion_destroy(mo), lg_motion_destroy(half);
}

/* Order 4 in positions and 3 in velocities, for joints, loops and bodies that float and spin. */
static void test_order(void **state)
{
    static const struct way sparse[] = {
        {NULL, "four-bar", "gauss", 0}, {NULL, "double-pendulum", "gauss", 0}, {NULL, "bicycle", "gauss", 0}};
    (void)state;
    for (int k = 0; k < 3; k++) {
        subject s = subject_of(&sparse[k]);
        double x[2], v[2];
        for (int i = 0; i < 2; i++) errors(&x[i], &v[i], &s, &sparse[k], ldexp(0.01, -i));
        if (!(x[0] / x[1] > 13 && x[1] > 1e-13) || !(v[0] / v[1] > 6.5 && v[1] > 1e-12))
            suite_fail("errors %g, %g of positions, %g, %g of velocities", x[0], x[1], v[0], v[1]);
        end(&s);
    }
}

static void refused(const lg_motion *mo, double s, const char *words)
{
    double row[ROW];
    suite_status(words, lg_motion_interpolate(mo, row, s), LG_ERROR_ARGUMENT);
    suite_contains("refused", lg_motion_message(mo), words);
}

/* There is no last step before the first one and, of the step of mechanisms, after a checkpoint and in a copy. */
static void test_wrong_use(void **state)
{
    static double bytes[BYTES / sizeof(double)];
    static const struct way both[] = {
        {NULL, "double-pendulum", "sem", 0}, {NULL, "double-pendulum", "gni", 0}, {"suslov", NULL, "sem", 0}};
    double row[ROW];
    (void)state;
    for (int k = 0; k < 3; k++) {
        subject s = subject_of(&both[k]);
        lg_motion *mo = motion_of(&s, &both[k], 0), *copy;
        suite_status("NULL", lg_motion_interpolate(NULL, row, 0.5), LG_ERROR_ARGUMENT);
        refused(mo, 0.5, "no last step");
        suite_ok("step", lg_motion_step(mo, 2));
        suite_status("row", lg_motion_interpolate(mo, NULL, 0.5), LG_ERROR_ARGUMENT);
        refused(mo, 1.5, "from 0 to 1"), refused(mo, -0.1, "from 0 to 1"), refused(mo, NAN, "from 0 to 1");
        suite_ok("clone", lg_motion_clone(&copy, mo));
        if (k == 0) refused(copy, 0.5, "no last step");
        const size_t size = lg_motion_saved_bytes(mo);
        assert_true(size <= BYTES);
        suite_ok("save", lg_motion_save(mo, bytes, size));
        suite_ok("inside", lg_motion_interpolate(mo, row, 0.5));
        suite_ok("load", lg_motion_load(mo, bytes, size));
        if (k == 0) refused(mo, 0.5, "no last step");
        suite_ok("step", lg_motion_step(mo, 1));
        suite_ok("inside", lg_motion_interpolate(mo, row, 0.5));
        suite_ok("reset", lg_motion_reset(mo));
        refused(mo, 0.5, "no last step");
        lg_motion_destroy(mo), lg_motion_destroy(copy);
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_wrong_use)};
    suite_begin("inside");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
