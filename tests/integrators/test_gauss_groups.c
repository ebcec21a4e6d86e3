/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss collocation on every group of the roster, a user's own among them, with constant rows and with rows and forces
 * that depend on time; on the catalog with callbacks asked in lanes and one by one; and what it says where it fails. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/roster.h"
#include "support/steered.h"

enum { STATE = SUITE_ELEMENT + SUITE_DIM };

static const int widths[] = {1, 2, 4, 8};

/* What integrators that are made from now on take. */
static void use_width(int width)
{
    char text[8];
    snprintf(text, sizeof text, "%d", width);
    setenv("LIEGRP_WIDTH", text, 1);
}

static void steps(lg_integrator *it, int count)
{
    for (int k = 0; k < count; k++)
        if (lg_integrator_step(it) != LG_OK) suite_fail("step %d: %s", k + 1, lg_integrator_message(it));
}

static void look(double *x, const lg_integrator *it, const lg_group *G)
{
    memcpy(x, lg_integrator_configuration(it), (size_t)G->element_size * sizeof *x);
    memcpy(x + G->element_size, lg_integrator_momentum(it), (size_t)G->dim * sizeof *x);
}

/* ---- a system on any group ---- */

typedef struct subject {
    const char *name;
    lg_system S;
    double J[SUITE_DIM], row[SUITE_DIM], g[SUITE_ELEMENT], xi[SUITE_DIM];
} subject;

static int turning_row(const lg_call *c, const double *g, double *mu, double *Y)
{
    const lg_group *G = c->context;
    (void)g, (void)Y;
    for (int i = 0; i < G->dim; i++) mu[i] = cos(i + 1) + 0.3 * sin(c->t + i);
    return 0;
}

static int damping(const lg_call *c, const double *g, const double *xi, double *f)
{
    const lg_group *G = c->context;
    (void)g;
    for (int i = 0; i < G->dim; i++) f[i] = 0.2 * cos(c->t) - 0.1 * xi[i] * (1 + xi[i] * xi[i]);
    return 0;
}

/* `driven`: the row turns with time, and a force acts. */
static void open_subject(subject *o, int which, int driven)
{
    const roster_group *r = &roster_groups()[which];
    lg_rng rng = suite_rng((uint64_t)which);
    const int n = r->G->dim;
    o->name = r->label;
    o->S = lg_system_default(r->G);
    for (int i = 0; i < n; i++) o->J[i] = 1 + 0.3 * i, o->row[i] = cos(i + 1);
    suite_ok("element", lg_group_random(r->like, o->g, &rng));
    suite_normal(o->xi, n, &rng);
    for (int i = 0; i < n; i++) o->xi[i] *= 0.4;
    o->S.inertia_diagonal = o->J, o->S.constraint_count = n > 1;
    if (driven) {
        o->S.context = (void *)(uintptr_t)r->G;
        o->S.callbacks.force = damping, o->S.callbacks.time_dependent = 1;
        if (n > 1) o->S.callbacks.covectors = turning_row;
    } else if (n > 1)
        o->S.covector_matrix = o->row;
}

static lg_integrator *begin(const subject *o, const char *method, double h)
{
    lg_integrator *it = NULL;
    if (lg_integrator_create(&it, &o->S, method, "exp", h) != LG_OK)
        suite_fail("create %s: %s", method, lg_integrator_message(it));
    suite_ok("start", lg_integrator_start(it, 0, o->g, o->xi, LG_START_REACTION, 1));
    return it;
}

static void run_to(double *x, const subject *o, const char *method, double h, int count)
{
    lg_integrator *it = begin(o, method, h);
    steps(it, count);
    look(x, it, o->S.group);
    lg_integrator_destroy(it);
}

static double size_of(const double *x, int count)
{
    double size = 1;
    for (int i = 0; i < count; i++) size = fmax(size, fabs(x[i]));
    return size;
}

#define OVER_SUBJECTS(o)                                                                                               \
    for (int which = 0; which < 2 * ROSTER_GROUPS; which++)                                                            \
        if (open_subject(&(o), which / 2, which % 2), suite_case("%s, driven %d", (o).name, which % 2), 1)

/* ---- over all groups ---- */

static void has_order_2s(void **state)
{
    subject o;
    int slopes = 0;
    (void)state;
    OVER_SUBJECTS(o)
    {
        const int count = o.S.group->element_size + o.S.group->dim;
        double truth[STATE], x[STATE];
        run_to(truth, &o, "gauss:stages=16", 0.05, 16);
        for (int s = 1; s <= 8; s++) {
            char method[32];
            double errors[2];
            snprintf(method, sizeof method, "gauss:stages=%d", s);
            for (int k = 0; k < 2; k++) {
                run_to(x, &o, method, 0.2 / (1 + k), 4 * (1 + k));
                errors[k] = suite_distance(x, truth, count) / size_of(truth, count);
            }
            suite_case("%s, driven %d, %d stages", o.name, which % 2, s);
            if (s >= 5) suite_below("the error", errors[1], 2e-12);
            if (!(errors[1] > 1e-12)) continue;
            suite_above("the order", log2(errors[0] / errors[1]), 2 * s - 0.5);
            slopes++;
        }
    }
    suite_above("slopes", slopes, 2 * ROSTER_GROUPS);
}

static void keeps_group_energy_and_rows(void **state)
{
    subject o;
    (void)state;
    OVER_SUBJECTS(o)
    {
        lg_integrator *it = begin(&o, "gauss", 0.1);
        const double H = lg_integrator_energy(it);
        for (int k = 0; k < 30; k++) {
            steps(it, 1);
            const double *g = lg_integrator_configuration(it), size = size_of(g, o.S.group->element_size);
            const double off = lg_group_residual(roster_groups()[which / 2].like, g);
            suite_below("the element", off, 1e-14 * size * size);
            suite_below("the row", lg_integrator_constraint_residual(it), 1e-14);
            if (which % 2 == 0) suite_near1("H", lg_integrator_energy(it), H, 4e-15, H);
        }
        lg_integrator_destroy(it);
    }
}

static void has_the_same_bits_at_all_widths(void **state)
{
    static const char *const methods[] = {"gauss:stage", "gauss:stages=3", "gauss:stages=16"};
    subject o;
    (void)state;
    OVER_SUBJECTS(o)
    for (int m = 0; m < 3; m++) {
        double a[STATE], b[STATE];
        for (int w = 0; w < 4; w++) {
            use_width(widths[w]);
            run_to(w ? b : a, &o, methods[m], 0.1, 4);
            suite_case("%s, driven %d, %s, width %d", o.name, which % 2, methods[m], widths[w]);
            if (w) suite_same_bits("state", b, a, o.S.group->element_size + o.S.group->dim);
        }
    }
    unsetenv("LIEGRP_WIDTH");
}

static void comes_back(void **state)
{
    subject o;
    (void)state;
    OVER_SUBJECTS(o)
    {
        const lg_group *G = o.S.group;
        const int count = G->element_size + G->dim;
        double from[STATE], x[STATE];
        lg_integrator *it = begin(&o, "gauss", 0.1), *back = begin(&o, "gauss", -0.1);
        look(from, it, G);
        steps(it, 10);
        look(x, it, G);
        suite_ok("back", lg_integrator_start_momentum(back, lg_integrator_time(it), x, x + G->element_size));
        steps(back, 10);
        look(x, back, G);
        suite_case("%s, driven %d", o.name, which % 2);
        suite_near("state", x, from, count, 1e-12, size_of(from, count));
        lg_integrator_destroy(it), lg_integrator_destroy(back);
    }
}

/* ---- controls, time, drift, J(g), holonomic constraints ---- */

static void agrees_on_steered_systems(void **state)
{
    static const char *const methods[] = {"gauss:stages=16", "gauss:stages=8,stage", "gauss:stages=8,rate"};
    (void)state;
    for (int kind = 0; kind < STEERED; kind++) {
        test_system t;
        double truth[STATE], x[STATE];
        steered_make(&t, kind);
        const int count = t.S.group->element_size + t.S.group->dim;
        for (int m = 0; m < 3; m++) {
            lg_integrator *it = NULL;
            const lg_status made = lg_integrator_create(&it, &t.S, methods[m], "exp", m ? t.h : t.h / 2);
            if (made != LG_ERROR_UNSUPPORTED) {
                suite_ok("create", made);
                suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 1));
                steps(it, m ? 10 : 20);
                look(m ? x : truth, it, t.S.group);
                suite_case("steered %d, %s", kind, methods[m]);
                if (m) suite_near("state", x, truth, count, 1e-10, size_of(truth, count));
            } else
                assert_true(m == 2 && t.S.callbacks.metric != NULL);
            lg_integrator_destroy(it);
        }
    }
}

/* ---- callbacks in lanes, and one by one ---- */

/* 1: it ran. */
static int catalog_run_to(double *x, const lg_system *S, const char *method, double h, const double *g,
                          const double *xi)
{
    lg_integrator *it = NULL;
    const lg_status made = lg_integrator_create(&it, S, method, "exp", h);
    if (made != LG_ERROR_UNSUPPORTED) {
        suite_ok("create", made);
        suite_ok("start", lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 1));
        steps(it, 5);
        look(x, it, S->group);
    }
    lg_integrator_destroy(it);
    return made == LG_OK;
}

static void lanes_change_no_bits(void **state)
{
    static const char *const methods[] = {"gauss:stage", "gauss:rate", "gauss:stages=3,stage"};
    int ran = 0;
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++) {
        lg_model *M = NULL;
        const lg_system *S = NULL;
        double g[SUITE_ELEMENT], xi[SUITE_DIM], a[STATE], b[STATE];
        suite_ok("model", lg_catalog_create(&M, *name));
        suite_ok("system", lg_model_system(M, &S));
        suite_ok("initial", lg_model_initial(M, g, xi, NULL));
        lg_system apart = *S;
        apart.callbacks.lanes = LG_LANES_ONE;
        for (int m = 0; m < 3 && S->callbacks.lanes != LG_LANES_ONE; m++) {
            suite_case("%s, %s", *name, methods[m]);
            if (!catalog_run_to(a, S, methods[m], lg_model_default_step(M), g, xi)) continue;
            assert_true(catalog_run_to(b, &apart, methods[m], lg_model_default_step(M), g, xi));
            suite_same_bits("state", b, a, S->group->element_size + S->group->dim);
            ran++;
        }
        lg_model_destroy(M);
    }
    suite_above("systems in lanes", ran, 30);
}

/* ---- failures ---- */

/* A row that is lost beyond x = 1. */
static int ending_row(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[1] = g[0] < 1 ? 1 - 0.5 * g[0] : 0;
    return 0;
}

/* Not finite beyond x = 1. */
static int ending_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)c, (void)xi;
    f[2] = g[0] < 1 ? 0 : NAN;
    return 0;
}

/* The step from .9 to 1.2 has stages on both sides, and leaves the state as it was. */
static void fails_at_a_stage(void **state)
{
    static const double ones[3] = {1, 1, 1}, q[3] = {0, 0, 0}, v[3] = {1, 0, 0};
    static const char *const methods[] = {"gauss:stage", "gauss:stages=1,rate", "gauss:stages=16,rate"};
    (void)state;
    for (int k = 0; k < 6; k++) {
        lg_system S = lg_system_default(lg_rn(3));
        lg_integrator *it = NULL;
        double before[STATE], after[STATE];
        S.inertia_diagonal = ones;
        if (k % 2)
            S.callbacks.force = ending_force;
        else
            S.constraint_count = 1, S.callbacks.covectors = ending_row;
        suite_case("%s, %s", methods[k / 2], k % 2 ? "force" : "row");
        suite_ok("create", lg_integrator_create(&it, &S, methods[k / 2], "exp", 0.3));
        suite_ok("start", lg_integrator_start(it, 0, q, v, LG_START_REACTION, 1));
        steps(it, 3);
        look(before, it, S.group);
        suite_status("step", lg_integrator_step(it), k % 2 ? LG_ERROR_NOT_FINITE : LG_ERROR_SINGULAR);
        suite_contains("which step", lg_integrator_message(it), "step 4");
        suite_contains("what", lg_integrator_message(it), k % 2 ? "a callback returned NaN" : "row 1");
        look(after, it, S.group);
        suite_same_bits("state", after, before, 6);
        lg_integrator_destroy(it);
    }
}

int main(void)
{
    suite_begin("gauss on groups");
    const struct CMUnitTest tests[] = {cmocka_unit_test(has_order_2s),
                                       cmocka_unit_test(keeps_group_energy_and_rows),
                                       cmocka_unit_test(has_the_same_bits_at_all_widths),
                                       cmocka_unit_test(comes_back),
                                       cmocka_unit_test(agrees_on_steered_systems),
                                       cmocka_unit_test(lanes_change_no_bits),
                                       cmocka_unit_test(fails_at_a_stage)};
    return cmocka_run_group_tests_name("gauss on groups", tests, NULL, NULL);
}
