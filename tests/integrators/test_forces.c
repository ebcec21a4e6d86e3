/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces f(t, g, xi, u) under every method (docs/theory.md sections 6 and 7): orders, controls held during a step,
 * dissipation, a potential as a force. The discrete equations themselves and failures: test_forces_discrete.c. */
#include <math.h>
#include <string.h>

#include "integrators/integrator.h"
#include "support/bench.h"
#include "support/matrix.h"
#include "support/runs.h"

static const char *const retractions[] = {"exp", "cayley"};

/* Drag, a gyroscopic part, a drive in time, a field, two controls: for three velocities and more. */
static int load(const lg_call *c, const double *g, const double *xi, double *out)
{
    const double *u = c->control;
    out[0] = 0.3 * cos(2 * c->t) - 0.2 * xi[0] + 0.3 * xi[1] + u[0];
    out[1] = -0.1 * xi[1] - 0.3 * xi[0] + 0.2 * sin(g[0]);
    out[2] = 0.4 - 0.2 * xi[2] * xi[2] * xi[2] + u[1] * (1 + 0.1 * g[1]);
    return 0;
}

static void make_loaded(test_system *t, const char *name, int rows)
{
    energy_system_make(t, name);
    t->S.callbacks.force = load;
    t->S.callbacks.control_count = 2;
    t->S.callbacks.time_dependent = 1;
    if (rows) return;
    t->S.constraint_count = 0;
    t->S.callbacks.covectors = NULL, t->S.callbacks.covectors_derivative = NULL, t->S.covector_matrix = NULL,
    t->S.callbacks.drift = NULL;
}

/* Methods and their orders; which of them take velocity rows and holonomic constraints. */
static const struct {
    const char *name;
    int order, rows, positions;
} methods[] = {{"sem", 2, 1, 1},
               {"sem:momentum", 2, 1, 1},
               {"nsv", 2, 1, 0},
               {"smv", 2, 1, 0},
               {"gni", 2, 1, 1},
               {"gni:midpoint", 2, 1, 1},
               {"gni:symmetric-alpha=0.2", 2, 1, 1},
               {"gni-r", 2, 1, 1},
               {"dla", 2, 1, 1},
               {"dla:trapezoidal", 2, 1, 1},
               {"dla:symmetric-alpha=0.2", 2, 1, 1},
               {"rk4", 4, 1, 1},
               {"rkmk4", 4, 1, 1},
               {"rattle", 2, 0, 1},
               {"variational", 2, 0, 1},
               {"variational:midpoint", 2, 0, 1},
               {"gni:euler-a", 1, 1, 1},
               {"gni:euler-b", 1, 1, 1},
               {"gni:alpha=0.3", 1, 1, 1},
               {"dla:alpha=0.3", 1, 1, 1},
               {"dla:alpha=0", 1, 1, 1},
               {"variational:euler-a", 1, 0, 1}};
enum { METHODS = sizeof methods / sizeof methods[0] };

static const char *const names[] = {"particle", "particle_quad", "sleighM", "suslov", "sleigh_pot",
                                    "vtop",     "ball_phys",     "ballt",   "blade",  "arm",
                                    "sphp",     "movpend",       "trailer", "diskH"};
enum { NAMES = sizeof names / sizeof names[0] };

static int fits(const test_system *t, int k)
{
    return (methods[k].rows || t->S.constraint_count == 0) &&
           (methods[k].positions || t->S.callbacks.holonomic_count == 0);
}

/* ---- orders ---- */

static void test_orders(void **state)
{
    (void)state;
    static const int counts[4] = {40, 80, 160, 320};
    int slopes = 0;
    for (int i = 0; i < 2 * NAMES; i += suite_reduced() ? 3 : 1) {
        test_system t;
        run_state truth;
        make_loaded(&t, names[i / 2], i % 2);
        if (!t.S.callbacks.metric_gradient && t.S.callbacks.metric) continue;
        run_truth(&truth, &t, 10 * t.h, 2000);
        for (int k = 0; k < METHODS; k++)
            for (int r = 0; r < 2; r++) {
                if (!fits(&t, k) || (r == 1 && t.S.group->kind == LG_KIND_RN)) continue;
                const int order = methods[k].order;
                suite_case("order of %s%s with a force, %s, %s", t.name, i % 2 ? "" : " without rows", methods[k].name,
                           retractions[r]);
                run_orders o = run_measure(&t, &truth, methods[k].name, retractions[r], 10 * t.h, counts, 4, 1e-12);
                /* one-sided: the default start makes positions those of a symmetric rule where forces bend little */
                if (order > 1) run_near_order("g", o.g, o.used_g, order, 0.1);
                run_near_order("p~", o.p, o.used_p, order, order == 1 ? 0.15 : 0.1);
                suite_below("error of g", o.error_g, order == 1 ? 2e-2 : 1e-4);
                slopes += (order > 1 && o.used_g >= 3) + (o.used_p >= 3);
            }
    }
    suite_above("slopes measured", slopes, suite_reduced() ? 200 : 900);
}

/* ---- controls ---- */

static const double switched[4][2] = {{0.5, -0.3}, {-0.4, 0.2}, {0.1, 0.6}, {0, -0.5}};
static const double *switched_to; /* for the truth, whose calls carry no controls */

static int switched_load(const lg_call *c, const double *g, const double *xi, double *out)
{
    lg_call d = *c;
    d.control = switched_to;
    d.t = 0;
    return load(&d, g, xi, out);
}

static int plain_load(const lg_call *c, const double *g, const double *xi, double *out)
{
    lg_call d = *c;
    d.t = 0;
    return load(&d, g, xi, out);
}

/* Four controls, a quarter of the time each, switched between two steps. */
static void controlled(run_state *out, const test_system *t, const char *method, const char *retraction, double T,
                       int count)
{
    lg_integrator *it = run_start(t, method, retraction, T / count);
    for (int k = 0; k < 4; k++) {
        double u[2];
        memcpy(u, switched[k], sizeof u);
        suite_ok("set_control", lg_integrator_set_control(it, u));
        u[0] = u[1] = NAN; /* a copy was taken */
        run_steps(it, count / 4);
    }
    run_read(out, it);
    run_end(&it);
}

static void test_controls(void **state)
{
    (void)state;
    static const int counts[4] = {40, 80, 160, 320};
    static const char *const systems[] = {"particle", "sleigh_pot", "vtop", "ball_phys", "sphp", "trailer", "sleighM"};
    for (int i = 0; i < 7; i++) {
        test_system t, pieces;
        run_state truth, s;
        double g[SUITE_ELEMENT], xi[SUITE_DIM];
        make_loaded(&t, systems[i], 1);
        t.S.callbacks.force = plain_load;
        pieces = t;
        pieces.S.callbacks.force = switched_load;
        memcpy(g, t.g0, sizeof g), memcpy(xi, t.xi0, sizeof xi);
        for (int k = 0; k < 4; k++) {
            switched_to = switched[k];
            system_truth(&pieces.S, 0.25, 500, g, xi);
        }
        memset(&truth, 0, sizeof truth);
        suite_ok("to_matrix", lg_group_to_matrix(t.S.group, truth.M, g));
        system_momentum(&t.S, 1, g, xi, truth.p);
        for (int k = 0; k < METHODS; k++) {
            if (!fits(&t, k) || methods[k].order == 1) continue;
            double error[4];
            for (int j = 0; j < 4; j++) {
                controlled(&s, &t, methods[k].name, "exp", 1, counts[j]);
                error[j] = run_difference(t.S.group, &s, &truth);
            }
            suite_case("%s with switched controls, %s", t.name, methods[k].name);
            suite_below("error", error[3], 1e-4);
            if (error[3] < 1e-11) continue;
            suite_near1("order", log2(error[1] / error[3]) / 2, methods[k].order, 0.1, 1);
        }
    }
}

/* Valid and invalid controls. */
static void test_set_control(void **state)
{
    (void)state;
    test_system t;
    run_state a, b;
    double u[2] = {0.5, -0.3};
    const double bad[2] = {0.1, NAN}, worse[2] = {INFINITY, 0};
    lg_integrator *it = NULL, *copy = NULL;
    make_loaded(&t, "sleigh_pot", 1);
    suite_case("set_control");
    suite_status("no integrator", lg_integrator_set_control(NULL, u), LG_ERROR_ARGUMENT);
    suite_ok("create", lg_integrator_create(&it, &t.S, "gni", "exp", 0.1));
    suite_ok("before the start", lg_integrator_set_control(it, u));
    suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_LEGENDRE, 0));
    suite_status("NULL", lg_integrator_set_control(it, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(it), "control");
    suite_status("NaN", lg_integrator_set_control(it, bad), LG_ERROR_NOT_FINITE);
    suite_contains("message", lg_integrator_message(it), "control");
    suite_status("infinite", lg_integrator_set_control(it, worse), LG_ERROR_NOT_FINITE);
    suite_ok("clone", lg_integrator_clone(&copy, it)); /* with the controls that hold */
    run_steps(it, 5), run_steps(copy, 5);
    run_read(&a, it), run_read(&b, copy);
    suite_same_bits("p of the copy", a.p, b.p, 3);
    u[0] = 2;
    suite_ok("set", lg_integrator_set_control(copy, u)); /* the copy goes its own way */
    run_steps(it, 1), run_steps(copy, 1);
    run_read(&a, it), run_read(&b, copy);
    suite_above("difference", run_difference(t.S.group, &a, &b), 1e-3);
    run_end(&copy);
    suite_ok("reset", lg_integrator_reset(it)); /* keeps them */
    run_steps(it, 6);
    run_read(&b, it);
    suite_same_bits("p after a reset", a.p, b.p, 3);
    run_end(&it);
    t.S.callbacks.control_count = 0;
    t.S.callbacks.force = NULL;
    suite_ok("create", lg_integrator_create(&it, &t.S, "gni", "exp", 0.1));
    suite_status("no controls", lg_integrator_set_control(it, u), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(it), "control");
    run_end(&it);
}

/* ---- dissipation ---- */

/* z' = y x' with a constant push along x and the control along z. */
static int pushed_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = -g[1], mu[2] = 1;
    return 0;
}

static int pushed(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g, (void)xi;
    f[0] = 0.2, f[2] = c->control[0];
    return 0;
}

/* The GNI's p^- holds half the reaction to come: a control that is set after the start, or changed, changes it too.
 * The multiplier at t = 1 converges with order 2 to that of rkmk4. */
static void test_changed_control(void **state)
{
    (void)state;
    static const double J[3] = {1, 1.2, 0.8}, g0[3] = {0.3, -0.2, 0.5}, xi0[3] = {0.7, 0.4, 0};
    static const char *const tried[] = {"rkmk4", "gni", "gni-r", "gni@suzuki4"};
    const double first = 0.4, second = 1.3;
    double truth = 0;
    for (size_t k = 0; k < sizeof tried / sizeof tried[0]; k++)
        for (int steps = k ? 10 : 200; steps <= (k ? 40 : 200); steps *= 2) {
            lg_system S = lg_system_default(lg_rn(3));
            lg_integrator *it = NULL;
            S.inertia_diagonal = J, S.constraint_count = 1, S.callbacks.covectors = pushed_rows,
            S.callbacks.force = pushed, S.callbacks.control_count = 1;
            suite_case("%s, %d steps", tried[k], steps);
            suite_ok("create", lg_integrator_create(&it, &S, tried[k], "exp", 1.0 / steps));
            suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1));
            suite_ok("first control", lg_integrator_set_control(it, &first));
            suite_ok("half", lg_integrator_run(it, steps / 2, 1, NULL, NULL));
            suite_ok("second control", lg_integrator_set_control(it, &second));
            suite_ok("half", lg_integrator_run(it, steps / 2, 1, NULL, NULL));
            if (k == 0) truth = lg_integrator_multipliers(it)[0];
            suite_near1("lambda", lg_integrator_multipliers(it)[0], truth, 0.02 / steps,
                        1); /* 0.2 where it is not done */
            lg_integrator_destroy(it);
        }
}

/* f = -R xi with R symmetric, positive definite, on the first three velocities. */
static int rayleigh(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)c;
    (void)g;
    out[0] = -0.2 * xi[0] - 0.05 * xi[1];
    out[1] = -0.05 * xi[0] - 0.1 * xi[1] + 0.02 * xi[2];
    out[2] = 0.02 * xi[1] - 0.3 * xi[2];
    return 0;
}

/* `sem`: H never increases, for any h (V is a polynomial, or the quadrature's error counts). */
static void test_dissipation(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double quadrature;
    } list[] = {{"particle_quad", 0}, {"sphp", 0}, {"sphs", 0},       {"dsp", 0},  {"suslov", 0},
                {"sleigh", 0},        {"disk", 0}, {"sleigh_pot", 1}, {"vtop", 1}, {"trailer", 1}};
    static const double h[] = {0.1, 0.3, 0.6};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        for (int k = 0; k < 6; k++) {
            test_system t;
            energy_system_make(&t, list[i].name);
            t.S.callbacks.force = rayleigh;
            const double step = strcmp(t.name, "disk") == 0 ? h[k / 2] / 10 : h[k / 2];
            suite_case("%s, sem, %s, h = %g", t.name, retractions[k % 2], step);
            lg_integrator *it = run_start(&t, "sem", retractions[k % 2], step);
            const double H = lg_integrator_energy(it), scale = fmax(1, fabs(H));
            run_extremes w = run_watch(it, 300, 0);
            /* eight orders of h beyond the Gauss nodes' exactness */
            suite_below("H_(k+1) - H_k", w.rise, (list[i].quadrature > 0 ? 1e-7 * pow(step, 8) : 0) + 2e-14 * scale);
            suite_above("H lost", H - lg_integrator_energy(it), 1e-2);
            run_end(&it);
        }
}

/* The others: H falls from second to second, and as the motion's does. */
static void test_energy_falls(void **state)
{
    (void)state;
    static const char *const systems[] = {"particle_quad", "sphp", "vtop", "sleigh_pot", "ball_phys0"};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < METHODS; k++) {
            test_system t;
            double g[SUITE_ELEMENT], xi[SUITE_DIM], p[SUITE_DIM], H = NAN;
            energy_system_make(&t, systems[i]);
            t.S.callbacks.force = rayleigh;
            if (!fits(&t, k) || methods[k].order == 1) continue;
            suite_case("%s, %s", t.name, methods[k].name);
            lg_integrator *it = run_start(&t, methods[k].name, "exp", 0.05);
            for (int second = 0; second < 4; second++) {
                const double before = lg_integrator_energy(it);
                run_steps(it, 20);
                suite_below("change of H", lg_integrator_energy(it) - before, 0);
            }
            memcpy(g, t.g0, sizeof g), memcpy(xi, t.xi0, sizeof xi);
            system_truth(&t.S, 4, 1000, g, xi);
            system_momentum(&t.S, 4, g, xi, p);
            suite_ok("energy", lg_system_energy(&t.S, &H, 4, g, p, NULL));
            suite_near1("H", lg_integrator_energy(it), H, 3e-3, fmax(1, fabs(H)));
            run_end(&it);
        }
}

/* ---- a potential as a force ---- */

static const lg_system *conservative;

static int minus_gradient(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)xi;
    const int code = conservative->callbacks.potential_gradient(c, g, out);
    for (int i = 0; i < lg_group_dim(conservative->group); i++) out[i] = -out[i];
    return code;
}

static int no_force(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)c;
    (void)g;
    (void)xi;
    (void)out;
    return 0;
}

/* The distance after 20 steps between the system and the same with -dV as a force instead of V. */
static double as_force(const test_system *t, const char *method, const char *retraction, double h, int steps)
{
    test_system other = *t;
    run_state a, b;
    conservative = &t->S;
    other.S.callbacks.potential = NULL, other.S.callbacks.potential_gradient = NULL;
    other.S.callbacks.force = minus_gradient;
    run_to(&a, t, method, retraction, steps * h, steps);
    run_to(&b, &other, method, retraction, steps * h, steps);
    return run_difference(t->S.group, &a, &b);
}

/* Slopes of a discrete Lagrangian and forces enter alike, so -dV as a force is V to round-off; not in `sem`, where a
 * force is taken at the middle and dV all along the arc: there only uniform fields agree, others to order 2. */
static void test_potential_as_force(void **state)
{
    (void)state;
    test_system t;
    int cases = 0;
    for (int i = 0; bench_system(&t, i); i++)
        for (int k = 0; k < METHODS; k++)
            for (int r = 0; r < 2; r++) {
                if (t.S.callbacks.potential == NULL || t.S.callbacks.force != NULL || !fits(&t, k)) continue;
                if (strncmp(methods[k].name, "sem", 3) == 0) continue;
                suite_case("-dV of %s as a force, %s, %s", t.name, methods[k].name, retractions[r]);
                suite_below("difference", as_force(&t, methods[k].name, retractions[r], t.h, 20), 1e-11);
                cases++;
            }
    suite_above("cases", cases, 500);
    static const char *const uniform[] = {"sphs", "dsp", "disk", "diskH"};
    for (int i = 0; i < 4; i++) {
        energy_system_make(&t, uniform[i]);
        suite_case("-dV of %s as a force, sem", uniform[i]);
        suite_below("difference", as_force(&t, "sem", "exp", t.h, 20), 1e-12);
    }
    static const char *const bent[] = {"vtop", "sleigh_pot", "particle", "trailer"};
    for (int i = 0; i < 4; i++) {
        energy_system_make(&t, bent[i]);
        suite_case("-dV of %s as a force, sem", bent[i]);
        const double coarse = as_force(&t, "sem", "exp", 0.05, 20), fine = as_force(&t, "sem", "exp", 0.0125, 80);
        suite_near1("order", log2(coarse / fine) / 2, 2, 0.1, 1);
    }
}

/* A force of zero changes nothing but the path through the engine: closed steps are for systems without forces. */
static void test_zero_force(void **state)
{
    (void)state;
    test_system t;
    for (int i = 0; bench_system(&t, i); i++)
        for (int k = 0; k < METHODS; k++) {
            const int wide = t.S.group == lg_se3() && strncmp(methods[k].name, "sem", 3) == 0;
            if (t.S.callbacks.force != NULL || !fits(&t, k) || wide) continue;
            test_system other = t;
            run_state a, b;
            other.S.callbacks.force = no_force;
            suite_case("%s with a force of zero, %s", t.name, methods[k].name);
            run_to(&a, &t, methods[k].name, "cayley", 20 * t.h, 20);
            run_to(&b, &other, methods[k].name, "cayley", 20 * t.h, 20);
            suite_below("difference", run_difference(t.S.group, &a, &b), 1e-11);
        }
    static const char *const closed[] = {"gni", "gni:euler-a", "variational", "gni-r"};
    for (int k = 0; k < 4; k++) {
        lg_integrator *it = NULL;
        energy_system_make(&t, "top");
        suite_case("which step, %s", closed[k]);
        suite_ok("create", lg_integrator_create(&it, &t.S, closed[k], "exp", 0.1));
        assert_true(it->plan.fused);
        run_end(&it);
        t.S.callbacks.force = no_force;
        suite_ok("create", lg_integrator_create(&it, &t.S, closed[k], "exp", 0.1));
        assert_false(it->plan.fused);
        run_end(&it);
    }
}

int main(void)
{
    suite_begin("forces");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_set_control),
        cmocka_unit_test(test_changed_control),
        cmocka_unit_test(test_dissipation),
        cmocka_unit_test(test_energy_falls),
        cmocka_unit_test(test_potential_as_force),
        cmocka_unit_test(test_zero_force),
    };
    return cmocka_run_group_tests_name("forces", tests, NULL, NULL);
}
