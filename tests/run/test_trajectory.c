/* SPDX-License-Identifier: BSD-3-Clause */
/* Trajectories: gradients of a cost against order-8 differences of whole runs, along curves of starts, controls, step
 * lengths and parameters; forward against backward; the jump of the momentum of gni with its controls; steps that fail;
 * derivatives that are not known; Floquet multipliers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/run/trajectory.h>

#include "base/differences.h"
#include "support/mechanisms.h"
#include "support/run_models.h"

enum { STEPS = 12, SIZE = 24, WIDE = 128, PARAMETERS = 12 };

static const double weight[] = {LG_CENTRAL_8};

/* What varies: a curve through all inputs, at s = 0 the nominal ones. */
typedef struct curve {
    const char *system, *method;
    lg_model *M;
    int n, element, controls, parameters;
    double g[SIZE], xi[SIZE], u0[8], u[STEPS * 8], h, param[PARAMETERS];
    double dg[SIZE], dxi[SIZE], du[STEPS * 8], dh, dparam[PARAMETERS];
} curve;

/* ---- a sleigh whose reaction depends on everything: for the jump of p^- with the controls ---- */

static int gusty_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    const double *u = c->control;
    f[0] = u[0] * (1 + 0.5 * xi[0] * xi[0]) - c->param[0] * xi[0];
    f[1] = c->param[0] * u[1] * sin(g[0]) + u[0] * u[0] + 0.4 * g[3];
    f[2] = u[1] * (1 + xi[2]) + 0.3 * g[1] * u[0];
    return 0;
}

static int gusty_rows(const lg_call *c, const double *g, double *row, double *Y)
{
    (void)c;
    row[0] = 0.3 * sin(g[0]), row[1] = 1, row[2] = 0.1 * g[1];
    memset(Y, 0, 3 * sizeof *Y);
    return 0;
}

static int gusty_inertia(const lg_call *c, double *J, double *rows, char *why)
{
    (void)rows, (void)why;
    J[0] = J[4] = 1 + c->param[0], J[8] = 1.04, J[5] = J[7] = 0.2;
    return 0;
}

static lg_model *model_of(const char *name)
{
    lg_model *M;
    lg_model_definition d = run_models_sleigh;
    d.has_constant_rows = 0, d.configure = gusty_inertia;
    d.callbacks.force = gusty_force, d.callbacks.covectors = gusty_rows;
    if (strcmp(name, "gusty") == 0)
        suite_ok("model", lg_model_create(&M, &d));
    else
        suite_ok("model", lg_catalog_create(&M, name));
    return M;
}

static const lg_model_definition *definition(const curve *c)
{
    return lg_model_describe(c->M);
}

/* The motion of a point of the curve, started, with the controls before node 0. */
static lg_motion *at(const curve *c, double s)
{
    lg_motion *mo;
    double g[SIZE], x[SIZE], xi[SIZE];
    lg_motion_options o = lg_motion_options_default();
    o.method = c->method, o.step = c->h + s * c->dh;
    for (int i = 0; i < c->parameters; i++)
        suite_ok("parameter", lg_model_set(c->M, definition(c)->parameters[i].name, c->param[i] + s * c->dparam[i]));
    motion_well(lg_motion_create(&mo, c->M, &o), mo);
    for (int i = 0; i < c->n; i++) x[i] = s * c->dg[i], xi[i] = c->xi[i] + s * c->dxi[i];
    suite_ok("g exp(x)", lg_group_right_plus(lg_integrator_group(lg_motion_integrator(mo)), g, c->g, x));
    if (c->controls) motion_well(lg_motion_set_control(mo, c->u0), mo);
    motion_well(lg_motion_start_state(mo, 0, g, xi, 1), mo);
    return mo;
}

static void momentum(const lg_integrator *it, double *p, int n)
{
    memcpy(p, lg_integrator_momentum_minus(it), (size_t)n * sizeof *p); /* p~ where there is no p^- */
}

/* The deviation of the integrator's state from g, p. */
static void deviate(const lg_integrator *it, double *z, const double *x, int n, int element)
{
    suite_ok("log", lg_group_right_minus(lg_integrator_group(it), z, lg_integrator_configuration(it), x));
    momentum(it, z + n, n);
    for (int i = 0; i < n; i++) z[n + i] -= x[element + i];
}

/* z = the deviations of all nodes at a point of the curve from those of the trajectory. */
static void run(const curve *c, double *z, const lg_trajectory *tr, double s)
{
    double x[2 * SIZE], u[8];
    lg_motion *mo = at(c, s);
    const lg_integrator *it = lg_motion_integrator(mo);
    for (int k = 0; k <= STEPS; k++) {
        suite_ok("state", lg_trajectory_state(tr, NULL, x, k));
        deviate(it, z + k * 2 * c->n, x, c->n, c->element);
        if (k == STEPS) break;
        for (int i = 0; i < c->controls; i++) u[i] = c->u[k * c->controls + i] + s * c->du[k * c->controls + i];
        if (c->controls) motion_well(lg_motion_set_control(mo, u), mo);
        motion_well(lg_motion_step(mo, 1), mo);
    }
    lg_motion_destroy(mo);
}

static void make(curve *c, const char *system, const char *method)
{
    *c = (curve){.system = system, .method = method};
    suite_case("%s, %s", system, method);
    c->M = model_of(system);
    lg_motion *mo;
    lg_motion_options o = lg_motion_options_default();
    o.method = method;
    motion_well(lg_motion_create(&mo, c->M, &o), mo);
    motion_well(lg_motion_start(mo, 0, NULL, 1), mo);
    const lg_group *G = lg_integrator_group(lg_motion_integrator(mo));
    c->n = lg_group_dim(G), c->element = (int)lg_group_element_size(G);
    c->h = lg_motion_step_size(mo), c->controls = lg_model_control_count(c->M);
    c->parameters = definition(c)->parameter_count;
    assert_true(c->element <= SIZE && c->controls <= 8 && c->parameters <= PARAMETERS);
    motion_well(lg_motion_step(mo, 3), mo);
    motion_well(lg_motion_state(mo, c->g, c->xi, NULL), mo);
    for (int i = 0; i < c->parameters; i++)
        suite_ok("value", lg_model_get(c->M, &c->param[i], definition(c)->parameters[i].name));
    lg_rng rng = suite_rng(7);
    suite_normal(c->u0, c->controls, &rng), suite_normal(c->u, STEPS * c->controls, &rng);
    lg_motion_destroy(mo);
}

/* A direction of everything, or of one kind of input alone. */
static void point(curve *c, lg_rng *rng, int kind)
{
    memset(c->dg, 0, sizeof c->dg), memset(c->dxi, 0, sizeof c->dxi), memset(c->du, 0, sizeof c->du);
    memset(c->dparam, 0, sizeof c->dparam), c->dh = 0;
    if (kind == 0 || kind == 4) suite_normal(c->dg, c->n, rng), suite_normal(c->dxi, c->n, rng);
    if (kind == 1 || kind == 4) suite_normal(c->du, STEPS * c->controls, rng);
    if (kind == 2 || kind == 4) c->dh = c->h;
    for (int i = 0; i < c->parameters && kind >= 3; i++)
        c->dparam[i] = lg_rng_uniform(rng) < 0.5 ? -c->param[i] : c->param[i];
}

/* in = the direction in the inputs, dz = the differences of all nodes along the curve. */
static void differentiate(const curve *c, double *in, double *dz, const lg_trajectory *tr, double e)
{
    static double z[(STEPS + 1) * 2 * SIZE];
    const int k = 2 * c->n, count = (STEPS + 1) * k;
    memset(dz, 0, (size_t)count * sizeof *dz);
    for (int j = -4; j <= 4; j++) {
        if (j == 0) continue;
        run(c, z, tr, j * e);
        for (int i = 0; i < count; i++) dz[i] += (j > 0 ? weight[j - 1] : -weight[-j - 1]) / e * z[i];
    }
    memcpy(in, dz, (size_t)k * sizeof *in);
    memcpy(in + k, c->du, (size_t)(STEPS * c->controls) * sizeof *in);
    in += k + STEPS * c->controls;
    *in++ = c->dh;
    memcpy(in, c->dparam, (size_t)c->parameters * sizeof *in);
}

/* <a, b>, and in *size the sum of the terms' sizes. */
static double dot(const double *a, const double *b, int count, double *size)
{
    double s = 0;
    *size = 0;
    for (int i = 0; i < count; i++) s += a[i] * b[i], *size += fabs(a[i] * b[i]);
    return s;
}

static void check_direction(const curve *c, const lg_trajectory *tr, lg_rng *rng, double part, double within)
{
    static double in[WIDE], dz[(STEPS + 1) * 2 * SIZE], nodes[(STEPS + 1) * 2 * SIZE], gradient[WIDE];
    static double forward[(STEPS + 1) * 2 * SIZE], direct[STEPS * 8], S[2 * SIZE * WIDE];
    const int k = 2 * c->n, inputs = lg_trajectory_inputs(tr);
    double size[2];
    assert_true(inputs <= WIDE);
    differentiate(c, in, dz, tr, part);
    suite_normal(nodes, (STEPS + 1) * k, rng), suite_normal(direct, STEPS * c->controls, rng);
    suite_ok("gradient", lg_trajectory_gradient(tr, gradient, nodes, direct));
    suite_ok("apply", lg_trajectory_apply(tr, forward, in));
    const double back = dot(gradient, in, inputs, size), cost = dot(direct, c->du, STEPS * c->controls, size + 1);
    suite_below("gradient", fabs(back - cost - dot(nodes, dz, (STEPS + 1) * k, size + 1)) / fmax(*size, size[1]),
                within);
    suite_below("backward against forward",
                fabs(back - cost - dot(nodes, forward, (STEPS + 1) * k, size + 1)) / fmax(*size, size[1]), 1e-13);
    suite_ok("sensitivity", lg_trajectory_sensitivity(tr, S, STEPS / 2));
    for (int r = 0; r < k; r++) {
        const double row = dot(S + r * inputs, in, inputs, size);
        suite_below("sensitivity", fabs(row - forward[STEPS / 2 * k + r]), 1e-13 * (1 + *size));
    }
}

/* Derivatives with respect to parameters are differences of residuals. */
static void check(const char *system, const char *method)
{
    static curve c;
    lg_trajectory *tr;
    make(&c, system, method);
    lg_motion *mo = at(&c, 0);
    lg_integrator *it = lg_motion_integrator(mo);
    suite_ok("create", lg_trajectory_create(&tr, it, STEPS));
    assert_int_equal(lg_trajectory_reached(tr), -1);
    if (lg_trajectory_run(tr, c.controls ? c.u : NULL) != LG_OK) suite_fail("%s", lg_trajectory_message(tr));
    assert_string_equal(lg_trajectory_message(tr), "");
    assert_int_equal(lg_trajectory_reached(tr), STEPS);
    lg_rng rng = suite_rng(11);
    static const double parts[] = {0.004, 0.004, 0.02, 0.01, 0.004}; /* h: smooth, and of little effect */
    const int sided = strstr(method, "euler") != NULL; /* its start is more than g and p^-: p~ varies by itself */
    for (int kind = sided ? 1 : 0; kind < (sided ? 2 : 5); kind++) {
        suite_case("%s, %s, direction %d", system, method, kind);
        point(&c, &rng, kind);
        if ((kind == 1 && !c.controls) || (kind == 3 && !c.parameters)) continue;
        check_direction(&c, tr, &rng, parts[kind], kind < 3 ? 2e-12 : 5e-12);
    }
    lg_trajectory_destroy(tr);
    lg_motion_destroy(mo);
    lg_model_destroy(c.M);
}

static void gradients(void **unused)
{
    (void)unused;
    check("rigid-body", "sem"), check("heavy-top", "gauss"), check("heavy-top", "gni");
    check("rolling-ball", "sem"), check("snakeboard", "gni"), check("snakeboard", "gauss");
    check("two-wheeled-robot", "sem"), check("two-wheeled-robot", "gauss");
    check("gusty", "gni"), check("gusty", "gni:euler-a"), check("gusty", "gni-r");
    check("gusty", "gni@suzuki4"), check("gusty", "sem");
    check("two-wheeled-robot", "gni"), check("two-wheeled-robot", "sem@suzuki4");
}

/* ---- mechanisms ---- */

static void start(lg_motion **mo, const lg_mechanism *m, int exhibit, double h)
{
    motion_well(motion_create(mo, m, "sem", h), *mo);
    motion_well(lg_gallery_start(*mo, exhibit), *mo);
}

/* sum = the sum of a_k (q, v) of all nodes under these controls. */
static double sum_of(const lg_mechanism *m, int exhibit, const double *a, const double *u, double h, int size)
{
    lg_motion *mo;
    double x[SIZE], s = 0;
    start(&mo, m, exhibit, h);
    for (int k = 0; k <= STEPS; k++, a += size) {
        motion_well(lg_motion_positions(mo, x, x + size / 2), mo);
        for (int i = 0; i < size; i++) s += a[i] * x[i];
        if (k == STEPS) break;
        motion_well(lg_motion_set_control(mo, u + k), mo);
        motion_well(lg_motion_step(mo, 1), mo);
    }
    lg_motion_destroy(mo);
    return s;
}

/* A cost of joint positions and velocities, by C: against differences along controls, and along h. */
static void mechanisms(void **unused)
{
    static double a[(STEPS + 1) * SIZE], nodes[(STEPS + 1) * SIZE], C[SIZE * SIZE], gradient[WIDE];
    (void)unused;
    const int exhibit = lg_gallery_index("furuta");
    double u[STEPS], du[STEPS], v[STEPS], h = lg_gallery_step(exhibit), sum[2] = {0, 0}, size, x[SIZE];
    lg_mechanism *m;
    lg_motion *mo;
    lg_trajectory *tr;
    lg_rng rng = suite_rng(3);
    mechanism_well(lg_gallery_create(&m, exhibit), m);
    start(&mo, m, exhibit, h);
    suite_ok("create", lg_trajectory_of_motion(&tr, mo, STEPS));
    const int k = lg_trajectory_deviations(tr), state = lg_trajectory_state_size(tr);
    assert_int_equal(lg_trajectory_inputs(tr), k + STEPS + 1);
    suite_normal(u, STEPS, &rng), suite_normal(du, STEPS, &rng), suite_normal(a, (STEPS + 1) * state, &rng);
    for (int i = 0; i < STEPS; i++) u[i] *= 0.1, du[i] *= 0.1;
    if (lg_trajectory_run(tr, u) != LG_OK) suite_fail("%s", lg_trajectory_message(tr));
    for (int i = 0; i <= STEPS; i++) {
        suite_ok("C", lg_trajectory_basis(tr, C, i));
        for (int j = 0; j < k; j++) {
            nodes[i * k + j] = 0;
            for (int r = 0; r < state; r++) nodes[i * k + j] += C[r * k + j] * a[i * state + r];
        }
    }
    suite_ok("gradient", lg_trajectory_gradient(tr, gradient, nodes, NULL));
    for (int j = -4; j <= 4; j++) {
        if (j == 0) continue;
        const double w = (j > 0 ? weight[j - 1] : -weight[-j - 1]) / 0.02;
        for (int i = 0; i < STEPS; i++) v[i] = u[i] + j * 0.02 * du[i];
        sum[0] += w * sum_of(m, exhibit, a, v, h, state);
        sum[1] += w * sum_of(m, exhibit, a, u, h * (1 + j * 0.02), state);
    }
    const double found = dot(gradient + k, du, STEPS, &size);
    suite_below("controls", fabs(found - sum[0]) / size, 1e-11);
    suite_near1("length", gradient[k + STEPS] * h, sum[1], 1e-11, 1);
    suite_ok("state", lg_trajectory_state(tr, NULL, x, STEPS));
    double q[SIZE];
    motion_well(lg_motion_positions(mo, q, q + state / 2), mo);
    suite_same_bits("the last node", x, q, state);
    lg_trajectory_destroy(tr);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* ---- Floquet multipliers ---- */

/* A rigid body that spins about its third axis: eta turns with the spin, momenta with Euler's rate. */
static void multipliers(void **unused)
{
    (void)unused;
    lg_model *M;
    lg_motion *mo;
    lg_trajectory *tr;
    double re[6], im[6], D[36], I[3];
    const double spin[3] = {0, 0, 1.3}, g[4] = {0, 0, 0, 1}, time = STEPS * 0.2;
    suite_ok("model", lg_catalog_create(&M, "rigid-body"));
    suite_ok("I1", lg_model_get(M, I, "I1")), suite_ok("I2", lg_model_get(M, I + 1, "I2"));
    suite_ok("I3", lg_model_get(M, I + 2, "I3"));
    lg_motion_options o = lg_motion_options_default();
    o.method = "gauss:stages=6", o.step = 0.2;
    motion_well(lg_motion_create(&mo, M, &o), mo);
    motion_well(lg_motion_start_state(mo, 0, g, spin, 1), mo);
    suite_ok("create", lg_trajectory_of_motion(&tr, mo, STEPS));
    suite_ok("run", lg_trajectory_run(tr, NULL));
    suite_ok("multipliers", lg_trajectory_multipliers(tr, re, im));
    suite_ok("monodromy", lg_trajectory_monodromy(tr, D));
    const double rate = spin[2] * sqrt((I[2] - I[0]) * (I[2] - I[1]) / (I[0] * I[1]));
    const double angle[2] = {spin[2] * time, rate * time};
    for (int i = 0; i < 2; i++) {
        double near = INFINITY;
        for (int j = 0; j < 6; j++) near = fmin(near, hypot(re[j] - cos(angle[i]), im[j] - sin(angle[i])));
        suite_below("distance from exp(i angle)", near, 1e-11);
    }
    double trace = 0, sum = 0;
    for (int j = 0; j < 6; j++) {
        trace += D[7 * j], sum += re[j];
        if (j > 0) suite_above("sorted", hypot(re[j - 1], im[j - 1]) + 1e-15, hypot(re[j], im[j]));
    }
    suite_near1("trace", sum, trace, 1e-12, 1);
    lg_trajectory_destroy(tr);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
}

/* ---- what fails ---- */

static void refusals(void **unused)
{
    (void)unused;
    static double x[SIZE], nodes[(STEPS + 1) * 2 * SIZE], gradient[WIDE], S[2 * SIZE * WIDE];
    lg_trajectory *tr;
    curve c;
    suite_status("no integrator", lg_trajectory_create(&tr, NULL, 3), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_trajectory_message(tr), "there is no integrator");
    assert_int_equal(lg_trajectory_inputs(tr), 0);
    suite_status("run", lg_trajectory_run(tr, NULL), LG_ERROR_ARGUMENT);
    lg_trajectory_destroy(tr);
    make(&c, "two-wheeled-robot", "gni");
    lg_motion *mo = at(&c, 0);
    suite_status("no steps", lg_trajectory_of_motion(&tr, mo, 0), LG_ERROR_ARGUMENT);
    lg_trajectory_destroy(tr);
    suite_status("too many steps", lg_trajectory_of_motion(&tr, mo, 2000000000), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_trajectory_message(tr), "do not fit");
    lg_trajectory_destroy(tr);
    suite_ok("create", lg_trajectory_of_motion(&tr, mo, STEPS));
    suite_status("state of no run", lg_trajectory_state(tr, NULL, x, 0), LG_ERROR_ARGUMENT);
    suite_status("gradient of no run", lg_trajectory_gradient(tr, gradient, nodes, NULL), LG_ERROR_ARGUMENT);
    c.u[5 * c.controls] = NAN;
    suite_status("a control", lg_trajectory_run(tr, c.u), LG_ERROR_NOT_FINITE);
    suite_contains("message", lg_trajectory_message(tr), "the step from node 5 of 12: ");
    assert_int_equal(lg_trajectory_reached(tr), 5);
    assert_int_equal((int)lg_motion_step_index(mo), 5);
    suite_ok("state", lg_trajectory_state(tr, NULL, x, 5));
    suite_same_bits("state", x, lg_integrator_configuration(lg_motion_integrator(mo)), c.element);
    suite_ok("sensitivity", lg_trajectory_sensitivity(tr, S, 5));
    suite_status("state", lg_trajectory_state(tr, NULL, x, 6), LG_ERROR_ARGUMENT);
    suite_status("sensitivity", lg_trajectory_sensitivity(tr, S, 6), LG_ERROR_ARGUMENT);
    suite_status("gradient", lg_trajectory_gradient(tr, gradient, nodes, NULL), LG_ERROR_ARGUMENT);
    suite_status("monodromy", lg_trajectory_monodromy(tr, S), LG_ERROR_ARGUMENT);
    suite_status("multipliers", lg_trajectory_multipliers(tr, S, S + SIZE), LG_ERROR_ARGUMENT);
    suite_status("basis", lg_trajectory_basis(tr, S, 5), LG_ERROR_UNSUPPORTED);
    c.u[5 * c.controls] = 1;
    motion_well(lg_motion_reset(mo), mo);
    suite_ok("run", lg_trajectory_run(tr, c.u));
    suite_ok("multipliers", lg_trajectory_multipliers(tr, S, S + SIZE));
    lg_trajectory_destroy(tr);
    lg_motion_destroy(mo);
    lg_model_destroy(c.M);
}

static int bad_hessian(const lg_call *c, const double *g, const double *eta, double *out)
{
    (void)g, (void)eta;
    out[0] = 0, out[1] = c->t > 0.25 ? (double)NAN : 0, out[2] = 0;
    return 0;
}

/* Derivatives that are not known are NaN, with a message; a user-supplied one that is not finite stops the run. */
static void unknown(void **unused)
{
    (void)unused;
    static double nodes[(STEPS + 1) * 6], gradient[16], in[16] = {1, 2, 3, 4, 5, 6};
    const double g[4] = {0, 0, 0, 1}, xi[3] = {0.3, 1, -0.2};
    lg_model *M;
    const lg_system *S;
    lg_integrator *it;
    lg_trajectory *tr;
    suite_ok("model", lg_catalog_create(&M, "heavy-top"));
    suite_ok("system", lg_model_system(M, &S));
    lg_system own = *S;
    own.callbacks.arrays = NULL;
    suite_ok("integrator", lg_integrator_create(&it, &own, "sem", "exp", 0.05));
    suite_ok("create", lg_trajectory_create(&tr, it, STEPS));
    suite_status("not started", lg_trajectory_run(tr, NULL), LG_ERROR_ARGUMENT);
    suite_ok("start", lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 1));
    suite_status("controls", lg_trajectory_run(tr, nodes), LG_ERROR_ARGUMENT);
    suite_ok("run", lg_trajectory_run(tr, NULL));
    suite_contains("message", lg_trajectory_message(tr), "are not known (NaN)");
    const int inputs = lg_trajectory_inputs(tr);
    for (int i = 0; i < 6; i++) nodes[STEPS * 6 + i] = 1;
    suite_ok("gradient", lg_trajectory_gradient(tr, gradient, nodes, NULL));
    assert_false(suite_any_nan(gradient, 7));
    for (int i = 7; i < inputs; i++) assert_true(isnan(gradient[i]));
    suite_ok("apply", lg_trajectory_apply(tr, nodes, in));
    assert_false(suite_any_nan(nodes, (STEPS + 1) * 6));
    in[7] = 1;
    suite_ok("apply", lg_trajectory_apply(tr, nodes, in));
    assert_true(isnan(nodes[STEPS * 6]));
    lg_trajectory_destroy(tr);
    lg_integrator_destroy(it);

    own.callbacks.potential_hessian = bad_hessian, own.callbacks.lanes = 0;
    suite_ok("integrator", lg_integrator_create(&it, &own, "sem", "exp", 0.05));
    suite_ok("create", lg_trajectory_create(&tr, it, STEPS));
    suite_ok("start", lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 1));
    assert_true(lg_trajectory_run(tr, NULL) != LG_OK);
    suite_contains("message", lg_trajectory_message(tr), "the step from node 5 of 12: ");
    assert_int_equal(lg_trajectory_reached(tr), 5);
    lg_trajectory_destroy(tr);
    lg_integrator_destroy(it);
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients), cmocka_unit_test(mechanisms), cmocka_unit_test(multipliers),
        cmocka_unit_test(refusals),  cmocka_unit_test(unknown),
    };
    suite_begin("run/trajectory");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
