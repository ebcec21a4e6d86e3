/* SPDX-License-Identifier: BSD-3-Clause */
/* Identification: a heavy body from noisy attitudes against the errors that a study found; parameters, starts and
 * controls from exact data; samples between nodes and missing ones; what data do not determine; bad input. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/base/random.h>
#include <liegrp/catalog/catalog.h>
#include <liegrp/multibody/gallery.h>
#include <liegrp/run/identification.h>

#include "suite.h"

enum { MOST = 200, WIDE = 8 };

/* Measurements of a model with the true values. */
typedef struct data {
    int samples, columns;
    const char *column[WIDE];
    double t[MOST], value[MOST * WIDE], sigma[WIDE];
} data;

static void well(const char *what, lg_status status, const char *message)
{
    if (status != LG_OK) suite_fail("%s: %s", what, message);
}

static void set(lg_model *M, const char *name, double value)
{
    well("set", lg_model_set(M, name, value), lg_model_message(M));
}

/* Fills the values from a motion of M with steps of h; every `stride` steps, sample s is at its fraction `part` of a
 * step. */
static void measure(data *d, lg_model *M, double h, int samples, double part, lg_controller control)
{
    lg_motion *mo = NULL;
    lg_motion_options o = lg_motion_options_default();
    double row[128], u[WIDE];
    o.step = h;
    well("motion", lg_motion_create(&mo, M, &o), lg_motion_message(mo));
    well("start", lg_motion_start(mo, 0, NULL, 1), lg_motion_message(mo));
    d->samples = samples;
    for (int s = 0; s < samples; s++) {
        if (control) {
            control(mo, u, NULL);
            well("control", lg_motion_set_control(mo, u), lg_motion_message(mo));
        }
        well("step", lg_motion_step(mo, 1), lg_motion_message(mo));
        well("row", lg_motion_interpolate(mo, row, part), lg_motion_message(mo));
        d->t[s] = row[1];
        for (int i = 0; i < d->columns; i++) d->value[s * d->columns + i] = row[lg_model_column_find(M, d->column[i])];
    }
    lg_motion_destroy(mo);
}

static lg_identification_problem problem_of(const data *d, const lg_model *M, const lg_motion_options *o,
                                            const lg_unknown *unknowns, int count)
{
    lg_identification_problem p = lg_identification_problem_default(M);
    p.options = o, p.unknowns = unknowns, p.unknown_count = count;
    p.column_count = d->columns, p.columns = d->column, p.sigma = d->sigma[0] > 0 ? d->sigma : NULL;
    p.sample_count = d->samples, p.times = d->t, p.values = d->value;
    return p;
}

static lg_identification *open(const lg_identification_problem *p)
{
    lg_identification *id = NULL;
    well("create", lg_identification_create(&id, p), lg_identification_message(id));
    return id;
}

static void solve(lg_identification *id)
{
    well("solve", lg_identification_solve(id, 40, 1e-8), lg_identification_message(id));
}

/* ---- a heavy body ---- */

static lg_model *heavy(void)
{
    static const char *const name[] = {"g", "chi1", "chi2", "chi3"};
    static const double value[] = {10, 0, 0, 0.3};
    static const char *const start[] = {"qx", "qy", "qz", "xi_1", "xi_2", "xi_3"}; /* qw = 0.8 follows */
    static const double at[] = {0.6, 0, 0, 0.5, 1, 2};
    lg_model *M = NULL;
    well("catalog", lg_catalog_create(&M, "heavy-top"), lg_model_message(M));
    for (int i = 0; i < 4; i++) set(M, name[i], value[i]);
    for (int i = 0; i < 6; i++) well("start", lg_model_set_initial(M, start[i], at[i]), lg_model_message(M));
    return M;
}

static const data attitudes = {.columns = 4, .column = {"qx", "qy", "qz", "qw"}};
static const lg_unknown inertia[] = {{"I1", 0, 0}, {"I2", 0, 0},   {"I3", 0, 0},   {"qx", 1, 0},   {"qy", 1, 0},
                                     {"qz", 1, 0}, {"xi_1", 1, 0}, {"xi_2", 1, 0}, {"xi_3", 1, 0}, {"m", 0, 0}};
enum { ALL = 9 }; /* but m */
static const double truth[] = {1, 1.5, 2.2};

/* Each attitude is turned by exp of normal noise. */
static void disturb(data *d, double sigma, uint64_t seed)
{
    lg_rng rng = suite_rng(seed);
    for (int s = 0; s < d->samples; s++) {
        double w[3], turn[4], *q = d->value + 4 * s, is[4];
        for (int k = 0; k < 3; k++) w[k] = sigma * lg_rng_normal(&rng);
        lg_so3_exp(turn, w);
        lg_so3_compose(is, q, turn);
        for (int k = 0; k < 4 && s % 3 == 1; k++) is[k] = -is[k]; /* the same attitude */
        memcpy(q, is, sizeof is);
    }
    for (int k = 0; k < 4; k++) d->sigma[k] = sigma;
}

static void test_heavy_body(void **state)
{
    /* of the study, whose values do not depend on the seed to their digits */
    static const double error[] = {5.250910294353854e-05, 0.0001347792464618374, 0.00011058143673378004};
    lg_model *M = heavy();
    lg_motion_options o = lg_motion_options_default();
    data exact = attitudes;
    (void)state;
    o.step = 0.05;
    measure(&exact, M, 0.05, MOST, 1, NULL);
    for (int i = 0; i < 3; i++) set(M, inertia[i].name, 1.1 * truth[i] + 0.05);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        data d = exact;
        double covariance[ALL * ALL];
        lg_identification_figures f;
        suite_case("seed %d", (int)seed);
        disturb(&d, 1e-3, seed);
        const lg_identification_problem p = problem_of(&d, M, &o, inertia, ALL);
        lg_identification *id = open(&p);
        solve(id);
        suite_ok("read", lg_identification_read(id, &f, sizeof f));
        suite_ok("covariance", lg_identification_covariance(id, covariance));
        suite_near1("measurements", f.measurements, 3 * MOST, 0, 1);
        suite_near1("chi2 a datum", f.chi2 / f.measurements, 1, 0.15, 1);
        for (int i = 0; i < 3; i++) {
            suite_near1("error", sqrt(covariance[(ALL + 1) * i]) / error[i], 1, 0.02, 1);
            suite_near1("value", lg_identification_values(id)[i], truth[i], 4 * error[i], 1);
        }
        lg_identification_destroy(id);
    }
    lg_model_destroy(M);
}

/* Without sigma it is estimated; values are those with it. */
static void test_estimated_sigma(void **state)
{
    lg_model *M = heavy();
    lg_motion_options o = lg_motion_options_default();
    data d = attitudes;
    double known[ALL * ALL], estimated[ALL * ALL], value[ALL];
    lg_identification_figures f;
    (void)state;
    o.step = 0.05;
    measure(&d, M, 0.05, MOST, 1, NULL);
    disturb(&d, 1e-3, 3);
    lg_identification_problem p = problem_of(&d, M, &o, inertia, ALL);
    lg_identification *id = open(&p);
    solve(id);
    suite_ok("covariance", lg_identification_covariance(id, known));
    suite_ok("read", lg_identification_read(id, &f, sizeof f));
    memcpy(value, lg_identification_values(id), sizeof value);
    lg_identification_destroy(id);
    p.sigma = NULL;
    id = open(&p);
    solve(id);
    suite_ok("covariance", lg_identification_covariance(id, estimated));
    for (int i = 0; i < ALL; i++)
        suite_near1("covariance", estimated[(ALL + 1) * i] / (f.scatter * f.scatter * known[(ALL + 1) * i]), 1, 1e-5,
                    1);
    for (int i = 0; i < 3; i++) suite_near1("value", lg_identification_values(id)[i], value[i], 1e-8, 1);
    lg_identification_destroy(id);
    lg_model_destroy(M);
}

/* Only ratios of mass and moments of inertia move the attitude. */
static void test_undetermined(void **state)
{
    lg_model *M = heavy();
    lg_motion_options o = lg_motion_options_default();
    data d = attitudes;
    lg_identification_figures f;
    double covariance[(ALL + 1) * (ALL + 1)];
    (void)state;
    o.step = 0.05;
    measure(&d, M, 0.05, MOST, 1, NULL);
    disturb(&d, 1e-3, 5);
    const lg_identification_problem p = problem_of(&d, M, &o, inertia, ALL + 1);
    lg_identification *id = open(&p);
    suite_status("solve", lg_identification_solve(id, 40, 1e-7), LG_ERROR_SINGULAR);
    suite_contains("message", lg_identification_message(id), "9 of 10 combinations");
    suite_contains("message", lg_identification_message(id),
                   "when (I1, I2, I3, m) change along (0.4546, 0.6818, 1, 0.4546)");
    suite_ok("read", lg_identification_read(id, &f, sizeof f));
    suite_near1("rank", f.rank, ALL, 0, 1);
    suite_near1("solved", f.solved, 0, 0, 1);
    suite_ok("covariance", lg_identification_covariance(id, covariance));
    for (int i = 0; i < ALL + 1; i++) assert_true(!isinf(covariance[(ALL + 2) * i]) == (i >= 3 && i < ALL));
    for (int i = 0; i < 3; i++) /* ratios are right all the same */
        suite_near1("ratio", lg_identification_values(id)[i] / lg_identification_values(id)[ALL], truth[i], 1e-3, 1);
    lg_identification_destroy(id);
    lg_model_destroy(M);
}

/* ---- mechanisms, starts, controls ---- */

/* A mass and two initial values of a double pendulum, from angles modulo 2 pi, some missing. */
static void test_mechanism(void **state)
{
    static const lg_unknown unknown[] = {{"lower.mass", 0, 0}, {"shoulder", 1, 0}, {"elbow_vel", 1, 0}};
    static const double is[] = {1.7, 0.3, 9};
    (void)state;
    for (int between = 0; between < 2; between++) {
        data d = {.columns = 3, .column = {"shoulder", "elbow", "elbow_vel"}};
        lg_mechanism *m = NULL;
        lg_model *M = NULL;
        lg_motion_options o = lg_motion_options_default();
        well("gallery", lg_gallery_create(&m, lg_gallery_index("double-pendulum")), lg_mechanism_message(m));
        well("model", lg_model_of_mechanism(&M, m, "pendulum"), lg_model_message(M));
        set(M, unknown[0].name, is[0]);
        for (int i = 1; i < 3; i++) well("start", lg_model_set_initial(M, unknown[i].name, is[i]), lg_model_message(M));
        measure(&d, M, 0.01, 120, between ? 0.4 : 1, NULL);
        for (int s = 0; s < d.samples; s++) {
            d.value[3 * s + 1] += 2 * acos(-1) * (s % 3 - 1);
            if (s % 7 == 3) d.value[3 * s] = NAN;
        }
        set(M, unknown[0].name, 1.5);
        for (int i = 1; i < 3; i++)
            well("start", lg_model_set_initial(M, unknown[i].name, is[i] + 0.1), lg_model_message(M));
        o.step = 0.01;
        lg_identification_problem p = problem_of(&d, M, &o, unknown, 3);
        lg_identification *id = open(&p);
        solve(id);
        for (int i = 0; i < 3; i++) suite_near1("value", lg_identification_values(id)[i], is[i], 1e-8, 1);
        for (int k = 0; k < 3 * d.samples; k++) /* what it predicts is not wrapped */
            if (!isnan(d.value[k]) && k % 3 != 1)
                suite_near1("predicted", lg_identification_predicted(id)[k], d.value[k], 1e-7, 1);
        lg_identification_destroy(id);
        lg_model_destroy(M);
        lg_mechanism_destroy(m);
    }
}

/* A body that floats, whose name is longer than those of systems' columns. */
static void test_long_names(void **state)
{
    char name[151], column[4][168], moment[168];
    data d = {.columns = 4};
    lg_mechanism *m = NULL;
    lg_model *M = NULL;
    lg_motion_options o = lg_motion_options_default();
    lg_unknown unknown = {moment, 0, 0};
    (void)state;
    memset(name, 'b', 150), name[150] = '\0';
    for (int k = 0; k < 4; k++)
        d.column[k] = column[k], snprintf(column[k], sizeof column[k], "%s_q%c", name, "xyzw"[k]);
    snprintf(moment, sizeof moment, "%s.inertia_xx", name);
    well("create", lg_mechanism_create(&m), lg_mechanism_message(m));
    lg_body body = lg_body_default(name);
    body.mass = 1, body.inertia[0] = 1, body.inertia[1] = 1.5, body.inertia[2] = 2;
    well("body", lg_mechanism_add_body(m, NULL, &body), lg_mechanism_message(m));
    well("compile", lg_mechanism_compile(m), lg_mechanism_message(m));
    well("model", lg_model_of_mechanism(&M, m, "one"), lg_model_message(M));
    for (int k = 0; k < 3; k++) {
        char column_of[168];
        snprintf(column_of, sizeof column_of, "%s_w%c", name, "xyz"[k]);
        well("start", lg_model_set_initial(M, column_of, 2 - 0.5 * k), lg_model_message(M));
    }
    o.step = 0.02;
    measure(&d, M, 0.02, 50, 1, NULL);
    set(M, moment, 1.3);
    const lg_identification_problem p = problem_of(&d, M, &o, &unknown, 1);
    lg_identification *id = open(&p);
    solve(id);
    suite_near1("value", lg_identification_values(id)[0], 1, 1e-8, 1);
    lg_identification_destroy(id);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

static int wave(const lg_motion *mo, double *u, void *context)
{
    (void)context;
    u[0] = 0.2 * sin(3 * lg_motion_time(mo)), u[1] = 0.1;
    return 0;
}

static void test_controls(void **state)
{
    static const lg_unknown unknown[] = {{"m", 0, 0}, {"I", 0, 0}, {"c", 0, 0}};
    static const double is[] = {8, 0.35, 0.03};
    data d = {.columns = 3, .column = {"x", "y", "theta"}};
    lg_model *M = NULL;
    lg_motion_options o = lg_motion_options_default();
    (void)state;
    well("catalog", lg_catalog_create(&M, "two-wheeled-robot"), lg_model_message(M));
    for (int i = 0; i < 3; i++) set(M, unknown[i].name, is[i]);
    o.step = 0.05;
    measure(&d, M, 0.05, 100, 1, wave);
    for (int i = 0; i < 3; i++) set(M, unknown[i].name, 1.3 * is[i]);
    lg_identification_problem p = problem_of(&d, M, &o, unknown, 3);
    for (int table = 0; table < 2; table++) {
        double u[200];
        for (int k = 0; k < 100; k++) u[2 * k] = 0.2 * sin(3 * (0.05 * k)), u[2 * k + 1] = 0.1;
        p.control = table ? NULL : wave, p.controls = table ? u : NULL, p.control_steps = table ? 100 : 0;
        lg_identification *id = open(&p);
        solve(id);
        for (int i = 0; i < 3; i++) suite_near1("value", lg_identification_values(id)[i], is[i], 1e-8 * is[i], 1);
        lg_identification_destroy(id);
    }
    lg_model_destroy(M);
}

/* ---- bad input ---- */

static void refuse(const lg_identification_problem *p, lg_status status, const char *words)
{
    lg_identification *id = NULL;
    lg_identification_figures f;
    double one;
    suite_case("%s", words);
    suite_status("create", lg_identification_create(&id, p), status);
    suite_contains("message", lg_identification_message(id), words);
    suite_status("solve", lg_identification_solve(id, 5, 1e-8), LG_ERROR_ARGUMENT);
    suite_status("read", lg_identification_read(id, &f, sizeof f), LG_ERROR_ARGUMENT);
    suite_status("covariance", lg_identification_covariance(id, &one), LG_ERROR_ARGUMENT);
    assert_null(lg_identification_values(id));
    lg_identification_destroy(id);
}

static void test_refusals_of_data(void **state)
{
    lg_model *M = heavy();
    lg_motion_options o = lg_motion_options_default();
    data d = attitudes, other;
    lg_identification_problem p;
    (void)state;
    o.step = 0.05;
    measure(&d, M, 0.05, 20, 1, NULL);
    d.sigma[0] = d.sigma[1] = d.sigma[2] = d.sigma[3] = 1;
#define WITH(change, status, words)                                                                                    \
    other = d, p = problem_of(&other, M, &o, inertia, 3);                                                              \
    change;                                                                                                            \
    refuse(&p, status, words)
    WITH(other.t[5] = 0, LG_ERROR_ARGUMENT, "sample 5 is 0; expected a time from 0.25 on");
    WITH(other.t[0] = NAN, LG_ERROR_ARGUMENT, "sample 0 is");
    WITH(other.value[6] = INFINITY, LG_ERROR_ARGUMENT, "column 2 of sample 1 is infinite");
    WITH(other.value[6] += 0.5, LG_ERROR_ARGUMENT, "in sample 1 has length");
    WITH(other.sigma[1] = 2, LG_ERROR_ARGUMENT, "sigma of 'qy' is 2; expected that of 'qx', 1");
    WITH(other.sigma[1] = 0, LG_ERROR_ARGUMENT, "expected a positive number");
    WITH(p.column_count = 3, LG_ERROR_ARGUMENT, "'qw' is missing");
    WITH(p.column_count = 0, LG_ERROR_ARGUMENT, "0 columns");
    WITH(other.column[0] = "xi_9", LG_ERROR_ARGUMENT, "no column 'xi_9'");
    WITH(other.column[1] = "qx", LG_ERROR_ARGUMENT, "'qy' is missing");
    WITH((other.column[0] = other.column[1] = "xi_1", p.column_count = 2), LG_ERROR_ARGUMENT, "'xi_1' is there twice");
    WITH(p.sample_count = 0, LG_ERROR_ARGUMENT, "0 samples");
    WITH((p.columns = (const char *const[]){"xi_1"}, p.column_count = 1, p.sample_count = 2), LG_ERROR_ARGUMENT,
         "2 measurements for 3 unknowns");
    WITH((p.columns = (const char *const[]){"inv_spatial_momentum_3"}, p.column_count = 1, other.t[3] -= 0.01),
         LG_ERROR_NOT_FINITE, "measure it at nodes");
    lg_model_destroy(M);
}

static void test_refusals_of_unknowns(void **state)
{
    lg_model *M = heavy();
    lg_motion_options o = lg_motion_options_default();
    data d = attitudes, other;
    lg_identification_problem p;
    lg_unknown unknown[2];
    (void)state;
    o.step = 0.05;
    measure(&d, M, 0.05, 20, 1, NULL);
#define FREE(change, status, words)                                                                                    \
    unknown[0] = inertia[0], unknown[1] = inertia[1];                                                                  \
    WITH(p.unknowns = unknown; p.unknown_count = 2; change, status, words)
    FREE(unknown[1].name = "I9", LG_ERROR_ARGUMENT, "I9");
    FREE(unknown[1].name = "I1", LG_ERROR_ARGUMENT, "'I1' is there twice");
    FREE(unknown[1].name = NULL, LG_ERROR_ARGUMENT, "unknown 1 has no name");
    FREE(unknown[1].initial = 1, LG_ERROR_ARGUMENT, "I2");
    FREE(unknown[1].initial = 2, LG_ERROR_ARGUMENT, "initial of 'I2' is 2");
    FREE(unknown[1].scale = -1, LG_ERROR_ARGUMENT, "the scale of 'I2' is -1");
    FREE(p.unknown_count = 0, LG_ERROR_ARGUMENT, "0 unknowns");
    FREE(p.control = wave, LG_ERROR_ARGUMENT, "has none");
    FREE((p.controls = other.value, p.control_steps = 19), LG_ERROR_ARGUMENT,
         "controls of 19 steps; the last sample needs 20");
    FREE((p.control = wave, p.controls = other.value, p.control_steps = 20), LG_ERROR_ARGUMENT, "by a function");
    FREE(o.step = -0.05, LG_ERROR_ARGUMENT, "expected a positive one");
    o.step = 0.05;
    FREE(p.size = 8, LG_ERROR_ARGUMENT, "lg_identification_problem_default()");
    lg_identification *id = NULL;
    other = d, p = problem_of(&other, M, &o, inertia, 3);
    id = open(&p);
    suite_status("solve", lg_identification_solve(id, 0, 1e-8), LG_ERROR_ARGUMENT);
    suite_status("solve", lg_identification_solve(id, 5, 1e-13), LG_ERROR_ARGUMENT);
    suite_status("covariance", lg_identification_covariance(id, other.value), LG_ERROR_ARGUMENT);
    set(M, "I1", 9); /* the identification has a copy */
    suite_near1("value", lg_identification_values(id)[0], 1, 0, 1);
    lg_identification_destroy(id);
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heavy_body),       cmocka_unit_test(test_estimated_sigma),
        cmocka_unit_test(test_undetermined),     cmocka_unit_test(test_mechanism),
        cmocka_unit_test(test_long_names),       cmocka_unit_test(test_controls),
        cmocka_unit_test(test_refusals_of_data), cmocka_unit_test(test_refusals_of_unknowns)};
    suite_begin("identification");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
