/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of motions: a motion that gets them is one that was made with them; what is refused leaves it as it was.
 * Gradients with respect to parameters along trajectories, against differences of runs. */
#include <math.h>
#include <string.h>

#include <liegrp/catalog/catalog.h>
#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/parameters.h>
#include <liegrp/run/trajectory.h>

#include "base/differences.h"
#include "support/mechanisms.h"

enum { STEPS = 50, SIZE = 8, WIDE = STEPS + 32 };

static const double weight[] = {LG_CENTRAL_8};

static int number_of(const lg_motion *mo, const char *name)
{
    return lg_mechanism_parameter(lg_model_mechanism(lg_motion_model(mo)), name);
}

static void set(lg_motion *mo, const char *name, double value)
{
    const int i = number_of(mo, name);
    motion_well(lg_motion_set_parameters(mo, &i, &value, 1), mo);
    suite_same_bits(name, &value, &(double){lg_motion_parameter(mo, i)}, 1);
}

static void gallery_motion(lg_mechanism **m, lg_motion **mo, const char *exhibit, const char *method, const char *name,
                           double mass)
{
    const int i = lg_gallery_index(exhibit);
    mechanism_well(lg_gallery_describe(m, i), *m);
    if (name != NULL) mechanism_well(lg_mechanism_set_parameter(*m, name, mass), *m);
    mechanism_well(lg_mechanism_compile(*m), *m);
    motion_well(motion_create(mo, *m, method, lg_gallery_step(i)), *mo);
    motion_well(lg_gallery_start(*mo, i), *mo);
}

static void read(lg_motion *mo, double *x)
{
    motion_well(lg_motion_positions(mo, x, x + 2), mo);
    x[4] = lg_motion_energy(mo), x[5] = lg_motion_time(mo);
}

/* As a motion of the mechanism with that mass; so does a clone, which outlives it, and after a reset. */
static void mechanisms(const char *exhibit, const char *method, const char *name, const char *second)
{
    lg_mechanism *m, *n;
    lg_motion *mo, *other, *copy;
    double x[6], y[6], a[6];
    suite_case("%s, %s", exhibit, method);
    gallery_motion(&m, &mo, exhibit, method, NULL, 0), gallery_motion(&n, &other, exhibit, method, name, 0.3);
    set(mo, name, 0.2), set(mo, name, 0.3);
    motion_well(lg_motion_step(mo, 20), mo), motion_well(lg_motion_step(other, 20), other);
    read(mo, x), read(other, y);
    suite_same_bits("a motion made so", x, y, 6);
    motion_well(lg_motion_clone(&copy, mo), copy);
    motion_well(lg_motion_step(mo, 5), mo), motion_well(lg_motion_reset(mo), mo);
    motion_well(lg_motion_step(mo, 20), mo), read(mo, x);
    suite_same_bits("reset", x, y, 6);
    read(copy, a);
    const double q[] = {a[0], a[1], a[2], a[3]};
    set(mo, second, 0.5);
    lg_motion_destroy(mo);
    motion_well(lg_motion_step(copy, 5), copy), motion_well(lg_motion_step(other, 5), other);
    read(copy, x), read(other, y);
    suite_same_bits("clone", x, y, 6);
    motion_well(lg_motion_start_joints(copy, 0.25, q, q + 2, 1), copy), read(copy, x);
    set(copy, name, 0.35), read(copy, y);
    suite_near("positions and velocities stay", x, y, 4, 1e-15, 1);
    suite_same_bits("time", x + 5, y + 5, 1);
    lg_motion_destroy(copy), lg_motion_destroy(other);
    lg_mechanism_destroy(m), lg_mechanism_destroy(n);
}

static void of_mechanisms(void **unused)
{
    (void)unused;
    mechanisms("furuta", "sem", "pendulum.mass", "arm.mass"),
        mechanisms("furuta", "gauss", "pendulum.mass", "arm.mass");
    mechanisms("double-pendulum", "rattle@yoshida4", "lower.mass", "upper.mass");
}

/* Parameters of a system of the catalog. */
static void of_definitions(void **unused)
{
    (void)unused;
    lg_model *M, *N;
    lg_motion *mo, *other;
    lg_motion_options o = lg_motion_options_default();
    o.step = 0.01;
    suite_ok("model", lg_catalog_create(&M, "heavy-top")), suite_ok("model", lg_catalog_create(&N, "heavy-top"));
    const lg_model_definition *d = lg_model_describe(M);
    int i = 0;
    while (strcmp(d->parameters[i].name, "m") != 0 && i + 1 < d->parameter_count) i++;
    const double value = 1.25 * d->parameters[i].value;
    suite_ok("set", lg_model_set(N, d->parameters[i].name, value));
    motion_well(lg_motion_create(&mo, M, &o), mo), motion_well(lg_motion_create(&other, N, &o), other);
    motion_well(lg_motion_start(mo, 0, NULL, 1), mo), motion_well(lg_motion_start(other, 0, NULL, 1), other);
    motion_well(lg_motion_set_parameters(mo, &i, &value, 1), mo);
    suite_same_bits("value", &value, &(double){lg_motion_parameter(mo, i)}, 1);
    motion_well(lg_motion_step(mo, 20), mo), motion_well(lg_motion_step(other, 20), other);
    const double a = lg_motion_energy(mo), b = lg_motion_energy(other);
    suite_near1("energy", a, b, 1e-14, fabs(b));
    const double bad = -1, none = (double)NAN;
    suite_status("range", lg_motion_set_parameters(mo, &i, &bad, 1), LG_ERROR_ARGUMENT);
    suite_status("nan", lg_motion_set_parameters(mo, &i, &none, 1), LG_ERROR_NOT_FINITE);
    suite_status("number", lg_motion_set_parameters(mo, &d->parameter_count, &value, 1), LG_ERROR_ARGUMENT);
    motion_well(lg_motion_step(mo, 3), mo), motion_well(lg_motion_step(other, 3), other);
    suite_near1("as it was", lg_motion_energy(mo), lg_motion_energy(other), 1e-14, fabs(b));
    lg_motion_destroy(mo), lg_motion_destroy(other);
    lg_model_destroy(M), lg_model_destroy(N);
}

static void refusals(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo, *same;
    double x[6], y[6];
    gallery_motion(&m, &mo, "furuta", "sem", NULL, 0);
    const int count = lg_mechanism_parameter_count(m), mass = number_of(mo, "pendulum.mass"), twice[] = {mass, mass};
    const int gravity = -1;
    const double zero = 0, less = -1, none = (double)NAN, two[] = {1, 2};
    motion_well(lg_motion_step(mo, 7), mo);
    motion_well(lg_motion_clone(&same, mo), same);
    suite_status("number", lg_motion_set_parameters(mo, &count, two, 1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "from 0");
    suite_status("number", lg_motion_set_parameters(mo, &gravity, two, 1), LG_ERROR_ARGUMENT);
    suite_status("twice", lg_motion_set_parameters(mo, twice, two, 2), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "'pendulum.mass' is named twice");
    suite_status("none", lg_motion_set_parameters(mo, twice, two, 0), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_motion_set_parameters(mo, NULL, two, 1), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_motion_set_parameters(mo, &mass, NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("no motion", lg_motion_set_parameters(NULL, &mass, two, 1), LG_ERROR_ARGUMENT);
    suite_status("nan", lg_motion_set_parameters(mo, &mass, &none, 1), LG_ERROR_NOT_FINITE);
    suite_contains("message", lg_motion_message(mo), "'pendulum.mass' gets");
    suite_status("mass 0", lg_motion_set_parameters(mo, &mass, &zero, 1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "body 'pendulum': mass is 0");
    suite_status("mass -1", lg_motion_set_parameters(mo, &mass, &less, 1), LG_ERROR_ARGUMENT);
    motion_well(lg_motion_step(mo, 20), mo), motion_well(lg_motion_step(same, 20), same);
    read(mo, x), read(same, y);
    suite_same_bits("as it was", x, y, 6);
    assert_true(isnan(lg_motion_parameter(mo, count)) && isnan(lg_motion_parameter(NULL, 0)));
    lg_motion_destroy(mo), lg_motion_destroy(same);
    motion_well(motion_create(&mo, m, "gni", 0.01), mo);
    suite_status("dense", lg_motion_set_parameters(mo, &mass, two, 1), LG_ERROR_UNSUPPORTED);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* ---- trajectories ---- */

static const char *const names[] = {"pendulum.mass", "swing.damping", "pendulum.centre_z"};
enum { NAMES = sizeof names / sizeof names[0] };

/* sum of a_k (q, v) over all nodes of a run from the start with joints at x0. */
static double sum_of(lg_motion *mo, const double *x0, const double *a, const double *u, int size)
{
    double x[SIZE], s = 0;
    motion_well(lg_motion_start_joints(mo, 0, x0, x0 + size / 2, 1), mo);
    for (int k = 0; k <= STEPS; k++, a += size) {
        motion_well(lg_motion_positions(mo, x, x + size / 2), mo);
        for (int i = 0; i < size; i++) s += a[i] * x[i];
        if (k == STEPS) break;
        motion_well(lg_motion_set_control(mo, u + k), mo);
        motion_well(lg_motion_step(mo, 1), mo);
    }
    return s;
}

/* The solution y of C y = b, k x k; b becomes it. */
static void solve(double *C, double *b, int k)
{
    for (int c = 0; c < k; c++) {
        int best = c;
        for (int r = c; r < k; r++)
            if (fabs(C[r * k + c]) > fabs(C[best * k + c])) best = r;
        for (int j = 0; j <= k; j++) {
            double *p = j < k ? &C[c * k + j] : &b[c], *q = j < k ? &C[best * k + j] : &b[best];
            const double t = *p;
            *p = *q, *q = t;
        }
        for (int r = 0; r < k; r++) {
            const double f = C[r * k + c] / C[c * k + c];
            for (int j = 0; j < k && r != c; j++) C[r * k + j] -= f * C[c * k + j];
            if (r != c) b[r] -= f * b[c];
        }
    }
    for (int r = 0; r < k; r++) b[r] /= C[r * k + r];
}

/* The gradient of that sum with respect to the parameters, whose start keeps its joint positions; by the adjoint and,
 * found anew, by forward sensitivities. */
static void gradient(double *g, lg_trajectory *tr, lg_motion *mo, const double *x0, const double *a, const double *u)
{
    static double nodes[(STEPS + 1) * SIZE], C[SIZE * SIZE], D[SIZE * NAMES], all[WIDE], in[WIDE],
        z[(STEPS + 1) * SIZE];
    const int k = lg_trajectory_deviations(tr), size = lg_trajectory_state_size(tr);
    memset(nodes, 0, sizeof nodes), memset(g, 0, NAMES * sizeof *g);
    motion_well(lg_motion_start_joints(mo, 0, x0, x0 + size / 2, 1), mo);
    if (lg_trajectory_run(tr, u) != LG_OK) suite_fail("%s", lg_trajectory_message(tr));
    for (int i = 0; i <= STEPS; i++) {
        suite_ok("C", lg_trajectory_basis(tr, C, i)), suite_ok("D", lg_trajectory_offset(tr, D, i));
        for (int r = 0; r < size; r++) {
            for (int j = 0; j < k; j++) nodes[i * k + j] += C[r * k + j] * a[i * size + r];
            for (int p = 0; p < NAMES; p++) g[p] += D[r * NAMES + p] * a[i * size + r];
        }
    }
    suite_ok("gradient", lg_trajectory_gradient(tr, all, nodes, NULL));
    for (int p = 0; p < NAMES; p++) {
        double b[SIZE], forward = g[p];
        suite_ok("C", lg_trajectory_basis(tr, C, 0)), suite_ok("D", lg_trajectory_offset(tr, D, 0));
        for (int r = 0; r < size; r++) b[r] = -D[r * NAMES + p];
        solve(C, b, k);
        memset(in, 0, sizeof in);
        memcpy(in, b, (size_t)k * sizeof *b), in[k + STEPS + 1 + p] = 1;
        suite_ok("apply", lg_trajectory_apply(tr, z, in));
        for (int i = 0; i < (STEPS + 1) * k; i++) forward += nodes[i] * z[i];
        g[p] += all[k + STEPS + 1 + p];
        for (int j = 0; j < k; j++) g[p] += all[j] * b[j];
        suite_near1("forward", forward, g[p], 1e-12, fabs(g[p]));
    }
}

static void trajectories(void **unused)
{
    static double a[(STEPS + 1) * SIZE];
    (void)unused;
    lg_mechanism *m, *n;
    lg_motion *mo, *run;
    lg_trajectory *tr;
    lg_rng rng = suite_rng(3);
    double u[STEPS], x0[SIZE], g[NAMES];
    int which[NAMES];
    gallery_motion(&m, &mo, "furuta", "sem", NULL, 0), gallery_motion(&n, &run, "furuta", "sem", NULL, 0);
    motion_well(lg_motion_positions(mo, x0, x0 + 2), mo);
    for (int p = 0; p < NAMES; p++) which[p] = number_of(mo, names[p]);
    suite_ok("create", lg_trajectory_of_parameters(&tr, mo, STEPS, which, NAMES));
    assert_int_equal(lg_trajectory_parameters(tr), NAMES);
    assert_int_equal(lg_trajectory_inputs(tr), 4 + STEPS + 1 + NAMES);
    suite_normal(u, STEPS, &rng), suite_normal(a, (STEPS + 1) * 4, &rng);
    for (int i = 0; i < STEPS; i++) u[i] *= 0.1;
    for (int round = 0; round < 2; round++) {
        if (round == 1) set(mo, "pendulum.mass", 0.2), set(run, "pendulum.mass", 0.2);
        gradient(g, tr, mo, x0, a, u);
        for (int p = 0; p < NAMES; p++) {
            const double value = lg_motion_parameter(run, which[p]), e = value != 0 ? value / 128 : 0.001;
            double sum = 0;
            for (int j = -4; j <= 4; j++) {
                if (j == 0) continue;
                set(run, names[p], value + j * e);
                sum += (j > 0 ? weight[j - 1] : -weight[-j - 1]) / e * sum_of(run, x0, a, u, 4);
            }
            set(run, names[p], value);
            suite_near1(names[p], g[p], sum, 1e-11, fabs(sum));
        }
    }
    lg_trajectory_destroy(tr);
    suite_status("number", lg_trajectory_of_parameters(&tr, mo, 2, &(int){-3}, 1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_trajectory_message(tr), "no parameter number -3");
    lg_trajectory_destroy(tr);
    suite_status("none", lg_trajectory_of_parameters(&tr, mo, 2, which, 0), LG_ERROR_ARGUMENT);
    lg_trajectory_destroy(tr);
    lg_motion_destroy(mo), lg_motion_destroy(run);
    lg_mechanism_destroy(m), lg_mechanism_destroy(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_mechanisms), cmocka_unit_test(of_definitions),
                                       cmocka_unit_test(refusals), cmocka_unit_test(trajectories)};
    suite_begin("run/motion_parameters");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
