/* SPDX-License-Identifier: BSD-3-Clause */
/* Means between two configurations (lg_callbacks::holonomic_mean and its like), on a chain of two bodies on spherical
 * joints: energy and positions hold without quadrature, with Cayley and with exp, alone and in ensembles;
 * lg_system_check finds wrong means, and validation refuses them where they do not fit. */
#include <math.h>
#include <string.h>

#include <liegrp/integrators/integrator.h>

#include "support/ensembles.h"

enum { MASS, REACH, DRAG, PARAMETERS };

static const lg_group *r3(void)
{
    return lg_rn(3);
}

static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)rows, (void)why;
    for (int i = 0; i < 12; i++) J[13 * i] = i % 6 < 3 ? c->param[MASS] : 0.05 + 0.02 * (i % 6 - 3) + 0.01 * (i / 6);
    return 0;
}

static int initial(const lg_call *c, double *g, double *xi)
{
    const double s = c->param[REACH];
    g[0] = s, g[4] = sqrt(0.5), g[6] = sqrt(0.5); /* both bodies point along x */
    g[7] = 3 * s, g[11] = -sqrt(0.5), g[13] = sqrt(0.5);
    for (int i = 0; i < 12; i++) xi[i] = 0.5 + 0.1 * (i % 5);
    return 0;
}

static void average(double *R, const double *g0, const double *g1)
{
    double R1[9];
    lg_so3_to_matrix(R, g0), lg_so3_to_matrix(R1, g1);
    for (int i = 0; i < 9; i++) R[i] = 0.5 * (R[i] + R1[i]);
}

/* phi = (r_1 + s R_1 e_z, r_2 - s R_2 e_z - r_1 + s R_1 e_z): a body's anchors are above and below its centre. */
static int phi_of(const lg_call *c, const double *g, double *phi)
{
    double R[2][9];
    lg_so3_to_matrix(R[0], g + 3), lg_so3_to_matrix(R[1], g + 10);
    for (int k = 0; k < 3; k++) {
        const double a = c->param[REACH] * R[0][3 * k + 2], b = c->param[REACH] * R[1][3 * k + 2];
        phi[k] = g[k] - a, phi[3 + k] = g[7 + k] + b - g[k] - a;
    }
    return 0;
}

static int rows_of(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    double R[2][9];
    const double s = c->param[REACH];
    (void)h;
    for (int b = 0; b < 2; b++) average(R[b], g0 + 7 * b + 3, g1 + 7 * b + 3);
    for (int k = 0; k < 3; k++) { /* d (R e_z) = R (w x e_z) = w_y R e_x - w_x R e_y */
        out[12 * k + k] = 1, out[12 * (3 + k) + k] = -1, out[12 * (3 + k) + 6 + k] = 1;
        for (int r = 0; r < 2; r++) {
            out[12 * (3 * r + k) + 4] = -s * R[0][3 * k], out[12 * (3 * r + k) + 3] = s * R[0][3 * k + 1];
        }
        out[12 * (3 + k) + 10] = s * R[1][3 * k], out[12 * (3 + k) + 9] = -s * R[1][3 * k + 1];
    }
    return 0;
}

static int differential(const lg_call *c, const double *g, double *out)
{
    return rows_of(c, 0, g, g, out);
}

static int potential(const lg_call *c, const double *g, double *V)
{
    const double x = g[7];
    *V = 9.81 * c->param[MASS] * (g[2] + g[9]) + 0.25 * x * x * x * x;
    return 0;
}

static int potential_mean(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    const double x = g0[7], y = g1[7];
    (void)h;
    out[2] = out[8] = 9.81 * c->param[MASS];
    out[6] = 0.25 * (x * x + y * y) * (x + y);
    return 0;
}

static int gradient(const lg_call *c, const double *g, double *out)
{
    return potential_mean(c, 0, g, g, out);
}

static int drag(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)g;
    for (int k = 0; k < 3; k++) out[6 + k] = -c->param[DRAG] * xi[6 + k];
    return 0;
}

static int drag_mean(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    for (int k = 0; k < 3; k++) out[6 + k] = -c->param[DRAG] * (g1[7 + k] - g0[7 + k]) / h;
    return 0;
}

static const lg_model_definition *chain(void)
{
    static const lg_group *(*const factors[])(void) = {r3, lg_so3, r3, lg_so3};
    static const char *const names[] = {"x1", "y1", "z1", "x2", "y2", "z2"};
    static const lg_parameter parameters[PARAMETERS] = {{"m", "kg", "mass of a body", 1.2, 0, INFINITY, 1},
                                                        {"s", "m", "from its centre to a joint", 0.4, 0, INFINITY, 1},
                                                        {"c", "N s/m", "drag", 0.3, 0, INFINITY, 0}};
    static lg_model_definition d = {.size = sizeof d,
                                    .name = "chain",
                                    .summary = "two bodies on spherical joints",
                                    .source = "none",
                                    .factor_count = 4,
                                    .factors = factors,
                                    .coordinate_names = names,
                                    .parameter_count = PARAMETERS,
                                    .parameters = parameters,
                                    .configure = configure,
                                    .initial = initial,
                                    .callbacks = {.holonomic_count = 6,
                                                  .potential = potential,
                                                  .potential_gradient = gradient,
                                                  .force = drag,
                                                  .holonomic = phi_of,
                                                  .holonomic_differential = differential,
                                                  .holonomic_mean = rows_of,
                                                  .potential_mean = potential_mean,
                                                  .force_mean = drag_mean}};
    return &d;
}

static lg_integrator *started(const lg_system *S, const double *g, const double *xi, const char *method,
                              const char *retraction, double h)
{
    lg_integrator *it;
    if (lg_integrator_create(&it, S, method, retraction, h) != LG_OK ||
        lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 1) != LG_OK)
        suite_fail("%s", lg_integrator_message(it));
    return it;
}

/* The balance of energy is round-off at a large step, for any gauss=S; with integrals instead of means it is not.
 */
static void balance(void **unused)
{
    static const char *const methods[] = {"sem:gauss=1", "sem:cholesky,gauss=1", "sem:momentum,gauss=1",
                                          "sem:gauss=1@suzuki4"};
    static const char *const retractions[] = {"cayley", "exp"};
    const lg_system *given;
    lg_model *M;
    double g[14], xi[12];
    (void)unused;
    suite_ok("model", lg_model_create(&M, chain()));
    suite_ok("initial", lg_model_initial(M, g, xi, NULL));
    suite_ok("system", lg_model_system(M, &given));
    for (int n = 0; n < 8; n++)
        for (int means = 0; means < 2; means++) {
            suite_case("%s, %s, means %d", methods[n / 2], retractions[n % 2], means);
            lg_system S = *given;
            S.size = sizeof S;
            if (!means) S.callbacks.holonomic_mean = S.callbacks.potential_mean = S.callbacks.force_mean = NULL;
            lg_integrator *it = started(&S, g, xi, methods[n / 2], retractions[n % 2], 0.05);
            double off = 0, work = 0;
            const double H = lg_integrator_energy(it);
            for (int k = 0; k < 20; k++) {
                suite_ok("step", lg_integrator_step(it));
                work += lg_integrator_step_work(it);
                suite_below("phi", lg_integrator_holonomic_residual(it), 1e-13);
            }
            off = fabs(lg_integrator_energy(it) - H - work);
            if (!strchr(methods[n / 2], '@') && means) suite_below("balance", off, 1e-12);
            if (!strchr(methods[n / 2], '@') && !means) suite_above("balance without means", off, 1e-9);
            lg_integrator_destroy(it);
        }
    lg_model_destroy(M);
}

/* Order 2, and the motion of the integrals along the arc in the limit. */
static void order(void **unused)
{
    static const char *const retractions[] = {"cayley", "exp"};
    const lg_system *S;
    lg_model *M;
    double g[14], xi[12], at[14], off[2];
    (void)unused;
    suite_ok("model", lg_model_create(&M, chain()));
    suite_ok("initial", lg_model_initial(M, g, xi, NULL));
    suite_ok("system", lg_model_system(M, &S));
    lg_integrator *it = started(S, g, xi, "rk4", "exp", 0.001);
    suite_ok("run", lg_integrator_run(it, 200, 1, NULL, NULL));
    memcpy(at, lg_integrator_configuration(it), sizeof at);
    lg_integrator_destroy(it);
    for (int n = 0; n < 4; n++) {
        suite_case("%s, %s", n / 2 ? "cholesky" : "polar", retractions[n % 2]);
        for (int r = 0; r < 2; r++) {
            it = started(S, g, xi, n / 2 ? "sem:cholesky" : "sem", retractions[n % 2], 0.02 / (1 << r));
            suite_ok("run", lg_integrator_run(it, 10 << r, 1, NULL, NULL));
            off[r] = 0;
            for (int i = 0; i < 14; i++) off[r] = fmax(off[r], fabs(lg_integrator_configuration(it)[i] - at[i]));
            lg_integrator_destroy(it);
        }
        suite_near1("order", log2(off[0] / off[1]), 2, 0.1, 1);
    }
    lg_model_destroy(M);
}

/* Instances of a block have the bits that they have alone: six rows with Cholesky's gauge are as good at any width. */
static void ensembles(void **unused)
{
    static const ensemble_plan plan = {.count = 9, .steps = {5, 6}, .every = {1, 3}, .after = 2};
    static const char *const methods[] = {"sem:cholesky", "sem", "sem:cholesky@suzuki4"};
    (void)unused;
    for (int n = 0; n < 3; n++) {
        const ensemble_case x = {chain(), methods[n], n == 1 ? "exp" : "cayley", ensemble_vary, 0};
        ensemble_truth *truth = ensemble_alone(&x, &plan);
        assert_non_null(truth);
        for (int width = 1; width <= 8; width *= 2) {
            suite_case("%s, width %d", x.method, width);
            if (lg_width_supported(width)) ensemble_compare(&x, &plan, truth, width, 2);
        }
        ensemble_forget(truth, &plan);
    }
}

/* ---- wrong ones ---- */

static int one_sided(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    const double x = g0[7], y = g1[7];
    (void)potential_mean(c, h, g0, g1, out);
    out[3] += y - x;
    return 0;
}

static int not_exact(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    const double x = 0.5 * (g0[7] + g1[7]);
    (void)potential_mean(c, h, g0, g1, out);
    out[6] = x * x * x; /* the gradient in the middle */
    return 0;
}

static int shifted(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    (void)rows_of(c, h, g0, g1, out);
    out[14] += 1e-3 * (g0[0] + g1[0]);
    return 0;
}

static int weak(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    (void)drag_mean(c, h, g0, g1, out);
    out[7] *= 0.99;
    return 0;
}

static int failing(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    (void)c, (void)h, (void)g0, (void)g1, (void)out;
    return 77;
}

static void found(const lg_system *S, const double *g, lg_status want, const char *a, const char *b)
{
    lg_rng rng = suite_rng(5);
    lg_error e;
    suite_status("check", lg_system_check(S, &rng, g, 4, 0, &e), want);
    if (want == LG_OK) return;
    suite_contains("which", e.message, a);
    suite_contains("what", e.message, b);
}

static void wrong_means(void **unused)
{
    const lg_system *given;
    lg_model *M;
    double g[14], xi[12];
    (void)unused;
    suite_ok("model", lg_model_create(&M, chain()));
    suite_ok("initial", lg_model_initial(M, g, xi, NULL));
    suite_ok("system", lg_model_system(M, &given));
    lg_system S = *given;
    S.size = sizeof S;
    found(&S, g, LG_OK, "", "");
    S.callbacks.potential_mean = one_sided;
    found(&S, g, LG_ERROR_ARGUMENT, "potential_mean", "exchanged");
    S.callbacks.potential_mean = not_exact;
    found(&S, g, LG_ERROR_ARGUMENT, "potential_mean", "changes by");
    S.callbacks.potential_mean = potential_mean, S.callbacks.holonomic_mean = shifted;
    found(&S, g, LG_ERROR_ARGUMENT, "holonomic_mean", "row 2 times");
    S.callbacks.holonomic_mean = rows_of, S.callbacks.force_mean = weak;
    found(&S, g, LG_ERROR_ARGUMENT, "force_mean", "the force is");
    S.callbacks.force_mean = failing;
    found(&S, g, LG_ERROR_CALLBACK, "force_mean", "77");
    lg_integrator *it = started(&S, g, xi, "sem", "cayley", 0.01);
    suite_status("step", lg_integrator_step(it), LG_ERROR_CALLBACK);
    suite_contains("which", lg_integrator_message(it), "force_mean");
    lg_integrator_destroy(it);
    lg_model_destroy(M);
}

static void refused(const lg_system *S, const char *a, const char *b)
{
    lg_error e;
    suite_status("validation", lg_system_validate(S, &e), LG_ERROR_ARGUMENT);
    suite_contains("which", e.message, a);
    suite_contains("why", e.message, b);
}

static void refusals(void **unused)
{
    static const double J[6] = {1, 1, 1, 1, 1, 1};
    const lg_system *given;
    lg_model *M;
    (void)unused;
    suite_ok("model", lg_model_create(&M, chain()));
    suite_ok("system", lg_model_system(M, &given));
    lg_system S = *given, own = lg_system_default(lg_se3());
    S.size = sizeof S;
    S.callbacks.potential = NULL, S.callbacks.potential_gradient = NULL;
    refused(&S, "potential_mean", "without potential");
    S.callbacks.potential = potential, S.callbacks.force = NULL;
    refused(&S, "force_mean", "without force");
    S.callbacks.force = drag, S.callbacks.time_dependent = 1;
    refused(&S, "holonomic_mean", "time_dependent");
    S.callbacks.time_dependent = 0, S.callbacks.holonomic_rate = differential;
    refused(&S, "holonomic_mean", "holonomic_rate");
    S.callbacks.holonomic_rate = NULL, S.callbacks.holonomic = NULL, S.callbacks.holonomic_count = 0;
    S.callbacks.holonomic_differential = NULL;
    refused(&S, "holonomic_mean", "without holonomic");
    own.inertia_diagonal = J;
    own.callbacks.potential = potential, own.callbacks.potential_mean = potential_mean;
    refused(&own, "potential_mean", "SE(3)");
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balance),     cmocka_unit_test(order),    cmocka_unit_test(ensembles),
        cmocka_unit_test(wrong_means), cmocka_unit_test(refusals),
    };
    suite_begin("integrators/means");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
