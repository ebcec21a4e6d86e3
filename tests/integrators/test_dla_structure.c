/* SPDX-License-Identifier: BSD-3-Clause */
/* What DLA keeps (docs/theory.md section 7): the discrete two-form ([P1] (22)), independence of the frame at the
 * midpoint, horizontal momenta, quadratic constraints, bounded energy where others drift; and the same steps with L_d
 * and omega_d of the user's own. */
#include <math.h>
#include <string.h>

#include "support/bench.h"
#include "support/matrix.h"
#include "support/runs.h"
#include "support/user_systems.h"

static const char *const retractions[] = {"exp", "cayley"};

/* ---- the two-form: d<p_1, dg_1> = d<p_0, dg_0> + d<h A^T lambda, dg_0> for (g_0, p_0) -> (g_1, p_1), p = p+ ---- */

/* (g_1, p_1) and b = h A_0^T lambda. */
typedef struct image {
    double g[SUITE_ELEMENT], p[SUITE_DIM], b[SUITE_DIM];
} image;

static void step_from(image *out, const test_system *t, lg_integrator *it, double h, const double *g, const double *p)
{
    const lg_group *G = t->S.group;
    const int n = lg_group_dim(G), m = t->S.constraint_count;
    double A[6 * SUITE_DIM], b[6];
    if (lg_integrator_start_momentum(it, 0, g, p) != LG_OK) suite_fail("start: %s", lg_integrator_message(it));
    run_steps(it, 1);
    memcpy(out->g, lg_integrator_configuration(it), sizeof(double) * (size_t)lg_group_element_size(G));
    memcpy(out->p, lg_integrator_momentum_plus(it), sizeof(double) * (size_t)n);
    system_rows(&t->S, 0, g, A, b);
    memset(out->b, 0, sizeof out->b);
    for (int a = 0; a < m; a++)
        for (int i = 0; i < n; i++) out->b[i] += h * lg_integrator_multipliers(it)[a] * A[a * n + i];
}

/* Tangent vectors: of g_1, left-trivialised, of p_1 and of b. */
typedef struct tangent {
    double g[SUITE_DIM], p[SUITE_DIM], b[SUITE_DIM];
} tangent;

/* The derivative of the step along direction j of (g_0, p_0), by differences of order 4. */
static void differentiate(tangent *d, const test_system *t, lg_integrator *it, double h, const double *g,
                          const double *p, int j)
{
    static const double e = 1e-3, at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    const lg_group *G = t->S.group;
    const int n = lg_group_dim(G);
    image centre, moved;
    double back[SUITE_ELEMENT];
    step_from(&centre, t, it, h, g, p);
    suite_ok("inverse", lg_group_inverse(G, back, centre.g));
    memset(d, 0, sizeof *d);
    for (int s = 0; s < 4; s++) {
        double g0[SUITE_ELEMENT], p0[SUITE_DIM], eta[SUITE_DIM] = {0}, W[SUITE_ELEMENT];
        memcpy(p0, p, sizeof(double) * (size_t)n);
        *(j < n ? &eta[j] : &p0[j - n]) += at[s] * e;
        suite_ok("exp", lg_group_exp(G, W, eta));
        suite_ok("compose", lg_group_compose(G, g0, g, W));
        step_from(&moved, t, it, h, g0, p0);
        suite_ok("compose", lg_group_compose(G, W, back, moved.g));
        suite_ok("log", lg_group_log(G, eta, W));
        for (int i = 0; i < n; i++) {
            d->g[i] += weight[s] * eta[i] / (12 * e);
            d->p[i] += weight[s] * moved.p[i] / (12 * e);
            d->b[i] += weight[s] * moved.b[i] / (12 * e);
        }
    }
}

/* d<p, theta>(X_1, X_2) with the Maurer-Cartan form theta: <dp_1, g_2> - <dp_2, g_1> - <p, [g_1, g_2]>. */
static double two_form(const lg_group *G, const double *p, const double *g1, const double *p1, const double *g2,
                       const double *p2)
{
    double bracket[SUITE_DIM];
    const int n = lg_group_dim(G);
    suite_ok("ad", lg_group_ad_apply(G, bracket, g1, g2));
    return mat_dot(p1, g2, n) - mat_dot(p2, g1, n) - mat_dot(p, bracket, n);
}

/* At a point near the initial data, off the constraints too. */
static void two_form_at(const test_system *t, const char *method, const char *retraction, lg_rng *rng, double *size)
{
    const lg_group *G = t->S.group;
    const int n = lg_group_dim(G);
    double g[SUITE_ELEMENT], p[SUITE_DIM], eta[SUITE_DIM], W[SUITE_ELEMENT], e[2 * SUITE_DIM][2 * SUITE_DIM] = {{0}};
    tangent d[2 * SUITE_DIM];
    image at;
    lg_integrator *it = NULL;
    suite_normal(eta, n, rng);
    for (int i = 0; i < n; i++) eta[i] *= 0.2;
    suite_ok("exp", lg_group_exp(G, W, eta));
    suite_ok("compose", lg_group_compose(G, g, t->g0, W));
    system_momentum(&t->S, 0, g, t->xi0, p);
    for (int i = 0; i < n; i++) p[i] += 0.2 * lg_rng_normal(rng);
    suite_input("g", g, lg_group_element_size(G)), suite_input("p", p, n);
    if (lg_integrator_create(&it, &t->S, method, retraction, t->h) != LG_OK)
        suite_fail("%s", lg_integrator_message(it));
    step_from(&at, t, it, t->h, g, p);
    for (int j = 0; j < 2 * n; j++) {
        differentiate(&d[j], t, it, t->h, g, p, j);
        e[j][j] = 1;
    }
    for (int j = 0; j < 2 * n; j++)
        for (int k = 0; k < j; k++) {
            const double after = two_form(G, at.p, d[j].g, d[j].p, d[k].g, d[k].p);
            const double before = two_form(G, p, e[j], e[j] + n, e[k], e[k] + n);
            const double reaction = two_form(G, at.b, e[j], d[j].b, e[k], d[k].b);
            suite_near1("two-form", after, before + reaction, 1e-8, 1);
            *size = fmax(*size, fabs(reaction));
        }
    run_end(&it);
}

static void test_two_form(void **state)
{
    (void)state;
    static const char *const names[] = {"particle",  "snakeboard", "sleighM", "suslov", "vtop",
                                        "ball_phys", "arm",        "racer",   "blade",  "sleigh_pot"};
    static const char *const methods[] = {"dla:midpoint", "dla:trapezoidal", "dla:midleft", "dla:alpha=0.3",
                                          "dla:symmetric-alpha=0.2"};
    lg_rng rng = suite_rng(71);
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 10; k++) {
            test_system t;
            double size = 0;
            energy_system_make(&t, names[i]);
            suite_case("two-form of %s, %s, %s", names[i], methods[k / 2], retractions[k % 2]);
            two_form_at(&t, methods[k / 2], retractions[k % 2], &rng, &size);
            suite_above("reaction", size, 1e-3); /* without it the form is not kept */
        }
}

/* ---- frames ---- */

static void test_frames(void **state)
{
    (void)state;
    test_system t, other;
    int dependent = 0;
    for (int i = 0; bench_system(&t, i); i++) {
        if (t.S.constraint_count == 0) continue;
        for (int r = 0; r < 2; r++) {
            run_state a, b;
            system_reframe(&other, &t, 0);
            suite_case("rows of %s in another frame, dla:midpoint, %s", t.name, retractions[r]);
            run_to(&a, &t, "dla:midpoint", retractions[r], 20 * t.h, 20);
            run_to(&b, &other, "dla:midpoint", retractions[r], 20 * t.h, 20);
            suite_below("difference", run_difference(t.S.group, &a, &b), 1e-12);
            run_to(&a, &t, "dla:trapezoidal", retractions[r], 20 * t.h, 20);
            run_to(&b, &other, "dla:trapezoidal", retractions[r], 20 * t.h, 20);
            dependent += run_difference(t.S.group, &a, &b) > 1e-6;
        }
    }
    suite_case("rows in another frame, dla:trapezoidal");
    suite_above("systems that notice", dependent, 15);
}

/* ---- momenta, constraints, energies ---- */

/* Momenta of symmetries along the constraints: spatial e_1 and e_2 of Veselova's top; of a ball about its contact. */
static int horizontal(const test_system *t, const lg_integrator *it, double *out)
{
    const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    double R[9];
    const int ball = t->S.group->kind == LG_KIND_PRODUCT;
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, ball ? g + 2 : g));
    mat_apply(out, R, ball ? p + 2 : p, ball ? 3 : 2, 3);
    if (!ball) return 2;
    out[0] -= p[1];
    out[1] += p[0];
    return 3;
}

static void test_horizontal(void **state)
{
    (void)state;
    static const char *const names[] = {"veselova", "ball_phys0", "ball_phys"};
    static const char *const methods[] = {"dla:midpoint", "dla:trapezoidal"};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            test_system t;
            double before[3], now[3], worst = 0;
            energy_system_make(&t, names[i]);
            suite_case("horizontal momenta of %s, %s, %s", t.name, methods[k / 2], retractions[k % 2]);
            lg_integrator *it = run_start(&t, methods[k / 2], retractions[k % 2], t.h);
            const int count = horizontal(&t, it, before);
            for (int step = 0; step < suite_count(2000); step++) {
                run_steps(it, 1);
                horizontal(&t, it, now);
                worst = fmax(worst, suite_distance(now, before, count));
            }
            suite_below("change", worst, 1e-12);
            run_end(&it);
        }
}

/* q.q' = 0: the integrable constraint of a rod, as a velocity row. Its discrete forms at the midpoint and at both ends
 * keep |q| = 1, those of other methods only nearly. */
static int rod_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    memcpy(mu, q, 3 * sizeof *mu);
    return 0;
}

static void test_quadratic_constraint(void **state)
{
    (void)state;
    static const char *const methods[] = {"dla:midpoint", "dla:trapezoidal", "gni"};
    for (int k = 0; k < 3; k++) {
        test_system t;
        double worst = 0;
        energy_system_make(&t, "sphs");
        t.S.callbacks.holonomic_count = 0, t.S.callbacks.holonomic = NULL, t.S.callbacks.holonomic_differential = NULL,
        t.S.callbacks.holonomic_rate = NULL;
        t.S.constraint_count = 1, t.S.callbacks.covectors = rod_rows;
        suite_case("q.q' = 0, %s", methods[k]);
        lg_integrator *it = run_start(&t, methods[k], "exp", 0.1);
        for (int step = 0; step < suite_count(10000); step++) {
            run_steps(it, 1);
            const double *q = lg_integrator_configuration(it);
            worst = fmax(worst, fabs(sqrt(mat_dot(q, q, 3)) - 1));
        }
        if (k < 2)
            suite_below("|q| - 1", worst, 1e-11); /* a step leaves 1e-15 */
        else
            suite_above("|q| - 1", worst, 1e-4);
        run_end(&it);
    }
}

/* Where the motion tends to: DLA stays there, a little off, since it loses some energy on the way. */
static void test_ends(void **state)
{
    (void)state;
    test_system t;
    double xi[3];
    energy_system_make(&t, "sleigh");
    suite_case("sleigh at t = 200");
    lg_integrator *it = run_start(&t, "dla", "cayley", 0.1);
    run_steps(it, 2000);
    suite_ok("velocity", lg_integrator_velocity(it, xi));
    suite_near1("v", xi[0], 1.181747, 1e-6, 1);
    run_end(&it);
    energy_system_make(&t, "suslov");
    suite_case("Suslov at t = 200");
    it = run_start(&t, "dla", "cayley", 0.1);
    run_steps(it, 2000);
    suite_ok("velocity", lg_integrator_velocity(it, xi));
    suite_near1("Omega_1", xi[0], 1.162182, 1e-6, 1);
    suite_near1("Omega_2", xi[1], 0.772976, 1e-6, 1);
    run_end(&it);
}

/* ---- L_d and omega_d of the user's own ---- */

static int drag(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)g;
    out[0] = 0.3 * cos(2 * c->t) - 0.2 * xi[0];
    out[1] = -0.1 * xi[0];
    out[2] = 0.4 - 0.2 * xi[2] * xi[2];
    return 0;
}

/* The trapezoidal rule written down once more: the same states and multipliers, with forces (half at either end) and
 * without, with holonomic constraints too. */
static void test_user(void **state)
{
    (void)state;
    static const char *const names[] = {"particle", "affine_particle", "snakeboard", "suslov", "vtop",    "ball_phys",
                                        "ballt",    "blade",           "sphp",       "dsp",    "movpend", "trailer"};
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 4; k++) {
            test_system t;
            user_system u;
            const char *r = retractions[k % 2];
            if (i == 1)
                test_system_make(&t, names[i]);
            else
                energy_system_make(&t, names[i]);
            if (k >= 2) t.S.callbacks.force = drag, t.S.callbacks.time_dependent = 1;
            user_system_open(&u, &t.S, r);
            const int n = lg_group_dim(t.S.group);
            lg_integrator *own = run_start_at(&u.S, "dla:user", r, t.h, 0, t.g0, t.xi0);
            lg_integrator *ours = run_start(&t, "dla:trapezoidal", r, t.h);
            for (int step = 1; step <= 50; step++) {
                run_state a, b;
                suite_case("%s%s, dla:user, %s, step %d", t.name, k < 2 ? "" : " with a force", r, step);
                run_steps(own, 1), run_steps(ours, 1);
                run_read(&a, own), run_read(&b, ours);
                suite_below("difference", run_difference(t.S.group, &a, &b), 1e-11);
                suite_near("p+", lg_integrator_momentum_plus(own), lg_integrator_momentum_plus(ours), n, 1e-11, 1);
                suite_near("lambda", lg_integrator_multipliers(own), lg_integrator_multipliers(ours),
                           t.S.constraint_count, 1e-10, 1);
                suite_near("sigma", lg_integrator_holonomic_multipliers(own), lg_integrator_holonomic_multipliers(ours),
                           t.S.callbacks.holonomic_count, 1e-10, 1);
            }
            run_end(&own), run_end(&ours);
        }
}

static void test_user_refused(void **state)
{
    (void)state;
    test_system t;
    user_system u;
    lg_integrator *it = NULL;
    energy_system_make(&t, "vtop");
    suite_case("dla:user without L_d");
    suite_status("create", lg_integrator_create(&it, &t.S, "dla:user", NULL, 0.1), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_integrator_message(it), "discrete_constraint");
    run_end(&it);
    user_system_open(&u, &t.S, "exp");
    lg_system S = u.S;
    S.callbacks.discrete_constraint = NULL;
    suite_case("dla:user without omega_d");
    suite_status("create", lg_integrator_create(&it, &S, "dla:user", NULL, 0.1), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_integrator_message(it), "discrete_constraint");
    run_end(&it);
    suite_case("dla:user@suzuki4"); /* nobody knows whether it is symmetric */
    suite_status("create", lg_integrator_create(&it, &u.S, "dla:user@suzuki4", NULL, 0.1), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_integrator_message(it), "symmetric");
    run_end(&it);
}

int main(void)
{
    suite_begin("structure of DLA");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_form),     cmocka_unit_test(test_frames),
        cmocka_unit_test(test_horizontal),   cmocka_unit_test(test_quadratic_constraint),
        cmocka_unit_test(test_ends),         cmocka_unit_test(test_user),
        cmocka_unit_test(test_user_refused),
    };
    return cmocka_run_group_tests_name("dla_structure", tests, NULL, NULL);
}
