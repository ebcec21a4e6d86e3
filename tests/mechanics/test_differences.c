/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives by differences: exact at any place and on any length scale of the callbacks, or known not to be
 * exact. */
#include <math.h>
#include <stdlib.h>

#include "mechanics/standalone.h"
#include "support/suite.h"

typedef struct landscape {
    const char *name;
    double unit, offset; /* V = unit^2 f(x/unit, y/unit) + offset */
    double (*f)(const double *x, double *slope);
    double reach; /* of |x| for which it is to be exact */
    double far;   /* and how exact at most, relative to the largest entry */
} landscape;

static double bowl(const double *x, double *slope)
{
    slope[0] = x[0], slope[1] = x[1];
    return (x[0] * x[0] + x[1] * x[1]) / 2;
}

static double hill(const double *x, double *slope)
{
    slope[0] = 0, slope[1] = 9.81;
    return 9.81 * x[1];
}

static double waves(const double *x, double *slope)
{
    slope[0] = -sin(x[0]), slope[1] = 0;
    return cos(x[0]);
}

static double pole(const double *x, double *slope)
{
    const double r = hypot(x[0], x[1]);
    slope[0] = x[0] / (r * r * r), slope[1] = x[1] / (r * r * r);
    return -1 / r;
}

static const landscape landscapes[] = {
    {"a bowl", 1, 0, bowl, 1e14, 2e-12},
    {"a bowl in other units", 1e-4, 0, bowl, 1e14, 2e-12},
    {"a bowl on a plateau", 1, 1e5, bowl, 1e14, 1e-7},
    {"a slope", 1, 0, hill, 1e14, 2e-12},
    {"waves", 1, 0, waves, 2e3, 1e-10},
    {"short waves", 1e-2, 0, waves, 2e3, 1e-5},
    {"very short waves", 1.3e-5, 0, waves, 20, 1e-6},
    {"a pole", 1, 0, pole, 1e14, 1e-9},
};

static int landscape_potential(const lg_call *c, const double *g, double *V)
{
    const landscape *o = c->context;
    double slope[2];
    const double x[2] = {g[0] / o->unit, g[1] / o->unit};
    *V = o->unit * o->unit * o->f(x, slope) + o->offset;
    return 0;
}

static int landscape_gradient(const lg_call *c, const double *g, double *dV)
{
    const landscape *o = c->context;
    const double x[2] = {g[0] / o->unit, g[1] / o->unit}, turned[2] = {g[2], g[3]};
    double slope[2];
    (void)o->f(x, slope);
    dV[0] = o->unit * (turned[0] * slope[0] + turned[1] * slope[1]);
    dV[1] = o->unit * (turned[0] * slope[1] - turned[1] * slope[0]);
    dV[2] = 0;
    return 0;
}

static const double unit_inertia[3] = {1, 1, 1};

static lg_system landscape_system(const landscape *o, int turned)
{
    lg_system S = lg_system_default(turned ? lg_se2() : lg_rn(2));
    S.inertia_diagonal = unit_inertia;
    S.context = o;
    S.callbacks.potential = landscape_potential;
    return S;
}

static const double places[] = {3e-5, 0.3, 2, 14, 30, 1000.123, 1e6, 4e13};

static void test_gradient(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof landscapes / sizeof landscapes[0]; i++)
        for (int turned = 0; turned < 2; turned++) {
            const landscape *o = &landscapes[i];
            const lg_system S = landscape_system(o, turned);
            const lg_call c = {.context = o, .lanes = 1};
            lg_standalone a = {.block = NULL};
            lg_error e;
            suite_ok("open", lg_standalone_open(&a, &S, &e));
            for (size_t k = 0; k < sizeof places / sizeof places[0] && places[k] < o->reach; k++) {
                const double s = places[k] < 1 ? o->unit : 1;
                double g[4] = {s * places[k], 0.7 * s * places[k], 1, 0}, want[3], got[3];
                if (turned) g[2] = 0.6, g[3] = 0.8;
                if (places[k] < 1 && (o->offset > 0 || o->f == pole)) continue; /* the plateau is all there is */
                if (places[k] < 0.1 && o->unit < 1e-4) continue;                /* even to all who look from afar */
                suite_case("%s at %g, %s", o->name, g[0], S.group->name);
                assert_int_equal(lg_field_gradient(&a.f, 0, g, got), 0);
                (void)landscape_gradient(&c, g, want);
                const double size = fmax(fmax(fabs(want[0]), fabs(want[1])), places[k] < 1 ? o->unit : 0);
                suite_near("dV", got, want, turned ? 3 : 2, 1, o->far * size);
                suite_near("dV, as it says", got, want, turned ? 3 : 2, 32, a.f.found.error);
            }
            lg_release(a.block);
        }
}

/* A difference beyond the precision of numbers is inexact, and its error bound shows it. */
static void test_unresolved(void **state)
{
    (void)state;
    const landscape *const o = &landscapes[6];
    const lg_system S = landscape_system(o, 0);
    lg_standalone a = {.block = NULL};
    lg_error e;
    const double g[2] = {4e13, 1};
    double got[2];
    suite_ok("open", lg_standalone_open(&a, &S, &e));
    suite_case("%s at %g", o->name, g[0]);
    assert_int_equal(lg_field_gradient(&a.f, 0, g, got), 0);
    suite_above("the round-off that it knows of", a.f.found.noise, 1e-9 * fabs(got[0]));
    lg_release(a.block);
}

/* |x - c|^2/2 - L^2/2 far away, its rows and the second derivative along a motion. */
static int far_sphere(const lg_call *c, const double *g, double *phi)
{
    const double *centre = c->context;
    const double x = g[0] - centre[0], y = g[1];
    *phi = (x * x + y * y) / 2 - centre[1] * centre[1] / 2;
    return 0;
}

static void test_positions(void **state)
{
    static const double centres[][2] = {{0, 1}, {0, 1000}, {1e5, 2}, {1e7, 1e7}};
    (void)state;
    for (size_t i = 0; i < sizeof centres / sizeof centres[0]; i++) {
        const double *c = centres[i], L = c[1];
        lg_system S = lg_system_default(lg_rn(2));
        lg_standalone a = {.block = NULL};
        lg_error e;
        const double g[2] = {c[0] + 0.6 * L, 0.8 * L}, xi[2] = {-0.8, 0.6}, want[2] = {0.6 * L, 0.8 * L}, one = 1;
        double rows[2], rate;
        S.inertia_diagonal = unit_inertia;
        S.context = c;
        S.callbacks.holonomic_count = 1;
        S.callbacks.holonomic = far_sphere;
        suite_case("a circle of radius %g at %g", L, c[0]);
        suite_ok("open", lg_standalone_open(&a, &S, &e));
        assert_int_equal(lg_field_holonomic_rows(&a.f, 0, g, rows), 0);
        suite_near("d phi", rows, want, 2, 1e-11, L * (1 + c[0] / 1e3));
        assert_int_equal(lg_field_hidden_rate(&a.f, 0, g, xi, &rate), 0);
        suite_near("second derivative", &rate, &one, 1, 1e-7, 1);
        lg_release(a.block);
    }
}

static int wrong_gradient(const lg_call *c, const double *g, double *dV)
{
    const int code = landscape_gradient(c, g, dV);
    dV[0] *= 1.001;
    return code;
}

/* The check knows how exact its own differences are: right ones pass far away, wrong ones fail in small units. */
static void test_check(void **state)
{
    static const double at[] = {0, 1000, 1e6, 1e9};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++) {
            const landscape *o = &landscapes[i];
            lg_system S = landscape_system(o, 1);
            lg_rng rng = suite_rng(100 + (uint64_t)k);
            lg_error e;
            const double g0[4] = {at[k], -at[k], 0.6, 0.8};
            suite_case("%s at %g", o->name, at[k]);
            S.callbacks.potential_gradient = landscape_gradient;
            if (lg_system_check(&S, &rng, g0, 10, 0, &e) != LG_OK) suite_fail("%s", e.message);
            S.callbacks.potential_gradient = wrong_gradient;
            suite_status("wrong by 1e-3", lg_system_check(&S, &rng, g0, 10, 0, &e), LG_ERROR_ARGUMENT);
            suite_contains("message", e.message, "potential_gradient");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gradient), cmocka_unit_test(test_unresolved),
                                       cmocka_unit_test(test_positions), cmocka_unit_test(test_check)};
    suite_begin("differences");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
