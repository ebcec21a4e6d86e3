/* SPDX-License-Identifier: BSD-3-Clause */
/* The GNI on groupoids: Legendre transformations against closed forms, large steps, the way back, time. That it is the
 * integrator's `gni` on the specialised groups, from L_d alone or with slopes, is the claim groupoid-forms.
 *
 * Tolerances: a difference of L_d carries the round-off of h xi (a few eps times coordinates of order 1) over the
 * displacement of 1/64 where the tableau ends, and Romberg's weights, 50: 50 * 2.2e-16 * a few = 5e-14 for momenta of
 * order 1; ten steps add them up. */
#include <math.h>
#include <string.h>

#include "support/groupoids.h"
#include "support/matrix.h"

static const lg_retraction *retraction(int i)
{
    return i ? lg_retraction_exp() : lg_retraction_cayley();
}

static void must(const lg_groupoid_gni *it, lg_status status)
{
    if (status != LG_OK) suite_fail("%s: %s", lg_status_name(status), lg_groupoid_gni_message(it));
}

/* ---- Legendre transformations ---- */

/* At a random element near the motion. */
static void random_element(const groupoid_world *w, double *k, double *size, lg_rng *rng)
{
    const lg_group *G = w->t.S.group;
    double a[SUITE_ELEMENT], b[SUITE_ELEMENT], xi[SUITE_DIM];
    *size = 1;
    for (int i = 0; i < lg_group_dim(G); i++) xi[i] = 0.3 * lg_rng_normal(rng);
    suite_ok("exp", lg_group_exp(G, a, xi));
    suite_ok("compose", lg_group_compose(G, a, w->t.g0, a));
    for (int i = 0; i < lg_group_dim(G); i++) {
        xi[i] = 0.1 * lg_rng_normal(rng);
        *size = fmax(*size, fabs(xi[i]) / w->t.h);
    }
    suite_ok("exp", lg_group_exp(G, b, xi));
    suite_ok("compose", lg_group_compose(G, b, a, b));
    groupoid_world_element(w, k, a, b);
}

static double check_legendre(const groupoid_world *w, lg_rng *rng)
{
    const lg_call c = {.context = w, .lanes = 1};
    const int n = w->gpd->dim;
    double k[GROUPOID_ELEMENT], minus[SUITE_DIM], plus[SUITE_DIM], m[SUITE_DIM], p[SUITE_DIM], size, accuracy;
    lg_error e;
    random_element(w, k, &size, rng);
    suite_input("element", k, w->gpd->element_size);
    suite_ok("legendre", lg_groupoid_legendre(&w->S, minus, plus, &accuracy, 0, w->t.h, k, &e));
    groupoid_exact_minus(&c, w->t.h, k, m);
    groupoid_exact_plus(&c, w->t.h, k, p);
    suite_near("F^-", minus, m, n, 4e-13, size);
    suite_near("F^+", plus, p, n, 4e-13, size);
    const double error = fmax(suite_distance(minus, m, n), suite_distance(plus, p, n));
    suite_below("the estimate of the error", error, 20 * accuracy + 2e-14 * size);
    suite_below("the estimate", accuracy, 1e-12 * size);
    return error / size;
}

static void test_legendre_from_the_lagrangian_alone(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(3);
    double worst = 0;
    for (int k = 0; k < GROUPOID_CASES; k++)
        for (int r = 0; r < 4; r++) {
            groupoid_world w;
            groupoid_world_make(&w, k, retraction(r % 2), 0.3, 0.7, retraction(r / 2));
            for (int i = 0; i < suite_count(20); i++) {
                suite_case("%s on %s, L_d with %s, sections by %s", w.t.name, w.gpd->name, w.r->name,
                           retraction(r / 2)->name);
                worst = fmax(worst, check_legendre(&w, &rng));
            }
            groupoid_world_free(&w);
        }
    print_message("# largest error of a slope, relative: %.1e\n", worst);
}

/* Sections only have to be right to first order, displacements only as small as L_d demands. */
static void test_scales_and_domains(void **state)
{
    (void)state;
    const double scales[] = {0.2, 0.5, 2, 3, 1, 1};
    double k[GROUPOID_ELEMENT], want[SUITE_DIM], got[SUITE_DIM], size, accuracy;
    lg_rng rng = suite_rng(4);
    lg_error e;
    for (int i = 0; i < GROUPOID_CASES; i++) {
        groupoid_world w;
        groupoid_world_make(&w, i, lg_retraction_exp(), 0.5, 0.5, NULL);
        const lg_call c = {.context = &w, .lanes = 1};
        suite_case("%s on %s", w.t.name, w.gpd->name);
        random_element(&w, k, &size, &rng);
        groupoid_exact_plus(&c, w.t.h, k, want);
        w.S.scales = scales;
        suite_ok("legendre", lg_groupoid_legendre(&w.S, NULL, got, &accuracy, 0, w.t.h, k, &e));
        suite_near("F^+ with scales", got, want, w.gpd->dim, 2e-12, size);
        w.S.scales = NULL;
        w.limit = 0.45; /* less than the first displacement */
        suite_ok("legendre", lg_groupoid_legendre(&w.S, NULL, got, &accuracy, 0, w.t.h, k, &e));
        suite_near("F^+ of a small domain", got, want, w.gpd->dim, 2e-12, size);
        w.limit = 0;
        suite_status("an empty domain", lg_groupoid_legendre(&w.S, got, NULL, NULL, 0, w.t.h, k, &e),
                     LG_ERROR_NOT_FINITE);
        suite_contains("message", e.message, "lagrangian");
        groupoid_world_free(&w);
    }
}

/* ---- steps ---- */

static double far_from(const groupoid_world *w, const double *x, const double *y)
{
    double far = 0;
    if (w->kind != LG_GROUPOID_PAIR) return w->gpd->base_size > 0 ? suite_distance(x, y, w->gpd->base_size) : 0;
    suite_ok("distance", lg_group_distance(w->t.S.group, &far, x, y));
    return far;
}

/* p~ lies in the middle, and h A^T lambda leads from p^+ to p^-. */
static void check_momenta(const groupoid_world *w, const lg_groupoid_gni *it)
{
    const lg_call c = {.context = w, .lanes = 1};
    const int n = w->gpd->dim, m = w->t.S.constraint_count;
    const double *plus = lg_groupoid_gni_momentum_plus(it), *minus = lg_groupoid_gni_momentum_minus(it);
    double mu[SUITE_DIM * SUITE_DIM] = {0}, Y[SUITE_DIM] = {0}, middle[SUITE_DIM], kick[SUITE_DIM];
    w->S.covectors(&c, lg_groupoid_gni_base(it), mu, Y);
    for (int i = 0; i < n; i++) {
        middle[i] = (plus[i] + minus[i]) / 2;
        kick[i] = plus[i];
        for (int a = 0; a < m; a++) kick[i] += w->t.h * mu[a * n + i] * lg_groupoid_gni_multipliers(it)[a];
    }
    suite_near("p~", lg_groupoid_gni_momentum(it), middle, n, 8 * SUITE_EPS, 4);
    suite_near("p^-", minus, kick, n, 32 * SUITE_EPS, 4);
}

/* Rotations by 2 radians in a step, where the free motion is a poor guess: the Cayley map's p^- grows with the cube. */
static void test_large_steps(void **state)
{
    (void)state;
    static const int cases[] = {9, 13, 20}; /* veselova_top, suslov */
    for (int i = 0; i < 18; i++) {
        const double size = 50 * (1 + i / 3);
        groupoid_world w;
        lg_groupoid_gni *it = NULL;
        lg_integrator *ref = NULL;
        double x[SUITE_ELEMENT], p[SUITE_ELEMENT];
        groupoid_world_make(&w, cases[i % 3], lg_retraction_cayley(), 0.5, 0.5, NULL);
        suite_case("%s on %s, p^- = %g xi_0", w.t.name, w.gpd->name, size);
        for (int j = 0; j < 3; j++) p[j] = size * w.t.xi0[j];
        groupoid_world_point(&w, x, w.t.g0);
        suite_ok("create", lg_integrator_create_with(&ref, &w.t.S, "gni", w.r, w.t.h));
        suite_ok("start", lg_integrator_start_momentum(ref, 0, w.t.g0, p));
        must(it, lg_groupoid_gni_create(&it, &w.S, w.t.h));
        must(it, lg_groupoid_gni_start(it, 0, x, p));
        suite_ok("step", lg_integrator_step(ref));
        must(it, lg_groupoid_gni_step(it));
        suite_above("h |xi|", w.t.h * mat_norm(lg_integrator_step_velocity(ref), 3), 1.8);
        suite_near("p^+", lg_groupoid_gni_momentum_plus(it), lg_integrator_momentum_plus(ref), 3, 1e-11, size);
        groupoid_world_point(&w, p, lg_integrator_configuration(ref));
        if (w.kind == LG_GROUPOID_ACTION) suite_near("point", lg_groupoid_gni_base(it), p, 3, 1e-11, 1);
        lg_groupoid_gni_destroy(it);
        lg_integrator_destroy(ref);
        groupoid_world_free(&w);
    }
}

/* From (q_N, p^+_N) step -h leads back, since F^-L_d for -h at g^-1 is F^+L_d for h at g; and so does step h from
 * (q_N, -p^+_N) where no drift tells the directions apart. */
static void go_back(const groupoid_world *w, double h, double sign)
{
    const int n = w->gpd->dim;
    double x[SUITE_ELEMENT], end[SUITE_ELEMENT], p0[SUITE_DIM], p[SUITE_DIM];
    lg_groupoid_gni *it = NULL, *back = NULL;
    groupoid_world_point(w, x, w->t.g0);
    for (int i = 0; i < n; i++) p0[i] = w->t.xi0[i] * (1 + 0.1 * i);
    must(it, lg_groupoid_gni_create(&it, &w->S, w->t.h));
    must(it, lg_groupoid_gni_start(it, 0, x, p0));
    for (int i = 0; i < 20; i++) {
        must(it, lg_groupoid_gni_step(it));
        check_momenta(w, it);
    }
    for (int i = 0; i < n; i++) p[i] = sign * lg_groupoid_gni_momentum_plus(it)[i];
    memcpy(end, lg_groupoid_gni_base(it), sizeof(double) * (size_t)w->gpd->base_size);
    must(back, lg_groupoid_gni_create(&back, &w->S, h));
    must(back, lg_groupoid_gni_start(back, 20 * w->t.h, end, p));
    for (int i = 0; i < 20; i++) must(back, lg_groupoid_gni_step(back));
    for (int i = 0; i < n; i++) p[i] = sign * lg_groupoid_gni_momentum_plus(back)[i];
    suite_near("momentum", p, p0, n, 1e-11, 1);
    suite_below("point", far_from(w, lg_groupoid_gni_base(back), x), 1e-11);
    if (h < 0) suite_near1("time", lg_groupoid_gni_time(back), 0, 1e-14, 1);
    lg_groupoid_gni_destroy(it);
    lg_groupoid_gni_destroy(back);
}

static void test_reversibility(void **state)
{
    (void)state;
    for (int k = 0; k < GROUPOID_CASES; k++) {
        groupoid_world w;
        groupoid_world_make(&w, k, lg_retraction_cayley(), 0.5, 0.5, NULL);
        suite_case("%s on %s", w.t.name, w.gpd->name);
        go_back(&w, -w.t.h, 1);
        const int drift = strstr(w.t.name, "ball") != NULL || strstr(w.t.name, "affine") != NULL;
        if (!drift) go_back(&w, w.t.h, -1);
        groupoid_world_free(&w);
    }
}

/* ---- a groupoid by hand: the plane, a pendulum and a spring, where the step is the leapfrog ---- */

static const double rest[2] = {0.7, 0.3};

/* In lengths of *context, NULL: 1. */
static int two_springs(const lg_call *c, double h, const double *g, double *L)
{
    const double unit = c->context != NULL ? *(const double *)c->context : 1;
    double y[4], v[2];
    for (int i = 0; i < 4; i++) y[i] = g[i] / unit - rest[i % 2];
    for (int i = 0; i < 2; i++) v[i] = (y[2 + i] - y[i]) / h;
    *L = h * ((v[0] * v[0] + 2 * v[1] * v[1]) / 2 + (cos(y[0]) + cos(y[2])) / 2 - 3 * (y[1] * y[1] + y[3] * y[3]) / 4);
    return 0;
}

static void test_leapfrog(void **state)
{
    (void)state;
    const lg_groupoid gpd = groupoid_by_hand();
    const double inertia[2] = {1, 2}, h = 0.1, still[2] = {3e-14, 1e-14};
    double x[2] = {0.3, -0.4}, p[2] = {0.2, 0.5};
    lg_groupoid_gni *it = NULL;
    lg_groupoid_system S = lg_groupoid_system_default(&gpd);
    S.lagrangian = two_springs;
    S.inertia_diagonal = inertia;
    suite_case("leapfrog");
    must(it, lg_groupoid_gni_create(&it, &S, h));
    must(it, lg_groupoid_gni_start(it, 0, x, p));
    for (int k = 0; k < 20; k++) {
        must(it, lg_groupoid_gni_step(it));
        p[0] -= h / 2 * sin(x[0] - rest[0]), p[1] -= h / 2 * 3 * (x[1] - rest[1]);
        x[0] += h * p[0], x[1] += h * p[1] / 2;
        p[0] -= h / 2 * sin(x[0] - rest[0]), p[1] -= h / 2 * 3 * (x[1] - rest[1]);
        suite_near("point", lg_groupoid_gni_base(it), x, 2, 1e-12, 1);
        suite_near("p^-", lg_groupoid_gni_momentum_minus(it), p, 2, 1e-12, 1);
        suite_same_bits("p^+", lg_groupoid_gni_momentum_plus(it), lg_groupoid_gni_momentum_minus(it), 2);
    }
    suite_case("almost at rest, where corrections are nothing but round-off");
    must(it, lg_groupoid_gni_start(it, 0, rest, still));
    for (int k = 0; k < 20; k++) must(it, lg_groupoid_gni_step(it));
    suite_near("point", lg_groupoid_gni_base(it), rest, 2, 1e-13, 1);
    lg_groupoid_gni_destroy(it);
}

static lg_status narrow_section(const lg_groupoid *gpd, double *g, const double *x, const double *eta, void *work)
{
    const lg_groupoid whole = groupoid_by_hand();
    if (fabs(eta[0]) > 0.2) return LG_ERROR_DOMAIN;
    return whole.section(gpd, g, x, eta, work);
}

/* The scales tell how finely L_d is made; sections may be narrow. */
static void test_scales_and_narrow_sections(void **state)
{
    (void)state;
    const double unit = 1e-4, scales[2] = {unit, unit}, inertia[2] = {1, 2}, h = 0.1;
    const double g[4] = {0.3, -0.4, 0.35, -0.3}, small[4] = {0.3 * unit, -0.4 * unit, 0.35 * unit, -0.3 * unit};
    const double want[2] = {0.5 - h / 2 * sin(0.35 - rest[0]), 2 - h / 2 * 3 * (-0.3 - rest[1])};
    double got[2], accuracy;
    lg_error e;
    lg_groupoid gpd = groupoid_by_hand();
    lg_groupoid_system S = lg_groupoid_system_default(&gpd);
    S.lagrangian = two_springs, S.inertia_diagonal = inertia, S.context = &unit, S.scales = scales;
    suite_case("scales");
    suite_ok("legendre", lg_groupoid_legendre(&S, NULL, got, &accuracy, 0, h, small, &e));
    got[0] *= unit, got[1] *= unit;
    suite_near("F^+", got, want, 2, 1e-12, 1);
    suite_below("estimate", accuracy * unit, 1e-12);
    suite_case("narrow sections");
    S.context = S.scales = NULL;
    gpd.section = narrow_section;
    suite_ok("legendre", lg_groupoid_legendre(&S, NULL, got, &accuracy, 0, h, g, &e));
    suite_near("F^+", got, want, 2, 1e-12, 1);
}

/* The force cos(t) along x, and along y the velocity t prescribed by a row with a drift. */
static int driven(const lg_call *c, double h, const double *g, double *L)
{
    const double u = (g[2] - g[0]) / h, v = (g[3] - g[1]) / h;
    *L = h * ((u * u + v * v) / 2 + (cos(c->t) * g[0] + cos(c->t + h) * g[2]) / 2);
    return *(const int *)c->context == 5 ? 0 : 1;
}

static int prescribed(const lg_call *c, const double *x, double *mu, double *Y)
{
    (void)x;
    const int zero_on_entry = mu[0] == 0 && mu[1] == 0 && Y[0] == 0 && Y[1] == 0;
    mu[1] = 1;
    Y[1] = c->t;
    return zero_on_entry && *(const int *)c->context == 5 ? 0 : 1;
}

static void test_time(void **state)
{
    (void)state;
    const lg_groupoid gpd = groupoid_by_hand();
    const double inertia[2] = {1, 1}, h = 0.1, t0 = 0.7, x0[2] = {0, 0};
    const int five = 5;
    double x = 0, p = 0.3, t = t0, start[2] = {0.3, t0};
    lg_groupoid_gni *it = NULL;
    lg_groupoid_system S = lg_groupoid_system_default(&gpd);
    S.lagrangian = driven, S.covectors = prescribed, S.constraint_count = 1, S.inertia_diagonal = inertia;
    S.context = &five;
    suite_case("time");
    must(it, lg_groupoid_gni_create(&it, &S, h));
    must(it, lg_groupoid_gni_start(it, t0, x0, start));
    for (int k = 1; k <= 10; k++) {
        must(it, lg_groupoid_gni_step(it));
        p += h / 2 * cos(t);
        x += h * p;
        t = t0 + k * h;
        p += h / 2 * cos(t);
        suite_near1("x", lg_groupoid_gni_base(it)[0], x, 1e-13, 1);
        suite_near1("p_x", lg_groupoid_gni_momentum(it)[0], p, 1e-13, 1);
        suite_near1("p_y", lg_groupoid_gni_momentum(it)[1], t, 1e-13, 2);
        suite_near1("time", lg_groupoid_gni_time(it), t, 0, 1);
    }
    lg_groupoid_gni_destroy(it);
}

int main(void)
{
    suite_begin("groupoids/gni");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legendre_from_the_lagrangian_alone),
        cmocka_unit_test(test_scales_and_domains),

        cmocka_unit_test(test_large_steps),
        cmocka_unit_test(test_reversibility),
        cmocka_unit_test(test_leapfrog),
        cmocka_unit_test(test_scales_and_narrow_sections),
        cmocka_unit_test(test_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
