/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps linearised with respect to parameters of a mechanism: chained over fifty steps they are the derivative of whole
 * runs of mechanisms with other parameters, differenced with order eight. Refusals. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/linearise.h>
#include <liegrp/multibody/parameters.h>

#include "base/differences.h"
#include "support/mechanisms.h"

enum { STEPS = 50, MOST = 40, READ = 80, PARAMETERS = 8 };

static const double weight[] = {LG_CENTRAL_8};

typedef struct with {
    int exhibit, k, positions, controls, count;
    const char *method;
    double h, start[READ], u[8];
    char name[PARAMETERS][80];
    int which[PARAMETERS];
    double value[PARAMETERS];
    int bound[PARAMETERS];                       /* 1: smaller values are refused: differences on one side */
    double y[MOST * PARAMETERS];                 /* of node 50 */
    double C[READ * MOST], D[READ * PARAMETERS]; /* there */
} with;

/* read <- joint positions and velocities of a run of the mechanism whose parameter i differs. */
static void run(const with *a, double *read, int i, double value, int steps)
{
    lg_mechanism *m;
    lg_motion *mo;
    mechanism_well(lg_gallery_describe(&m, a->exhibit), m);
    mechanism_well(lg_mechanism_set_parameter(m, a->name[i], value), m);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, a->method, a->h), mo);
    motion_well(lg_motion_start_joints(mo, 0, a->start, a->start + a->positions, 1), mo);
    if (a->controls > 0) motion_well(lg_motion_set_control(mo, a->u), mo);
    motion_well(lg_motion_step(mo, steps), mo);
    motion_well(lg_motion_positions(mo, read, read + a->positions), mo);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* sum <- the derivative of the state after some steps with respect to parameter p, from runs. */
static void differences(const with *a, double *sum, int p, int steps)
{
    static const double forward[] = {-761.0 / 280, 8, -14, 56.0 / 3, -17.5, 11.2, -14.0 / 3, 8.0 / 7, -0.125};
    const int bound = a->bound[p];
    const double d = a->value[p] != 0 ? fabs(a->value[p]) / 128 : 0.004;
    double read[READ];
    memset(sum, 0, READ * sizeof *sum);
    for (int j = 0; j <= 8; j++) {
        const int at = bound ? j : j - 4;
        if (at == 0 && !bound) continue;
        run(a, read, p, a->value[p] + at * d, steps);
        const double w = (bound ? forward[j] : at > 0 ? weight[at - 1] : -weight[-at - 1]) / d;
        for (int i = 0; i < 2 * a->positions; i++) sum[i] += w * read[i];
    }
}

/* y of parameter p with C y = b, of least squares, by orthogonal columns. */
static void fit(with *a, double *b, int p)
{
    static double Q[READ * MOST], R[MOST * MOST];
    const int n = a->k, rows = 2 * a->positions;
    double y[MOST];
    memcpy(Q, a->C, (size_t)(rows * n) * sizeof *Q);
    for (int c = 0; c < n; c++) {
        double norm = 0;
        for (int r = 0; r < rows; r++) norm += Q[r * n + c] * Q[r * n + c];
        norm = sqrt(norm), R[c * n + c] = norm, y[c] = 0;
        for (int r = 0; r < rows; r++) Q[r * n + c] /= norm, y[c] += Q[r * n + c] * b[r];
        for (int r = 0; r < rows; r++) b[r] -= y[c] * Q[r * n + c];
        for (int j = c + 1; j < n; j++) {
            double along = 0;
            for (int r = 0; r < rows; r++) along += Q[r * n + c] * Q[r * n + j];
            R[c * n + j] = along;
            for (int r = 0; r < rows; r++) Q[r * n + j] -= along * Q[r * n + c];
        }
    }
    for (int c = n - 1; c >= 0; c--) {
        for (int j = c + 1; j < n; j++) y[c] -= R[c * n + j] * a->y[j * a->count + p];
        a->y[c * a->count + p] = y[c] / R[c * n + c];
    }
}

/* y of node 0: where a parameter moves joints or wheels, runs begin elsewhere, at C y + D p'. */
static void begin(with *a)
{
    memset(a->y, 0, sizeof a->y);
    for (int p = 0; p < a->count; p++) {
        double most = 0, b[READ];
        for (int i = 0; i < 2 * a->positions; i++) most = fmax(most, fabs(a->D[i * a->count + p]));
        if (most < 1e-9) continue;
        differences(a, b, p, 0);
        for (int i = 0; i < 2 * a->positions; i++) b[i] -= a->D[i * a->count + p];
        fit(a, b, p);
    }
}

/* y of node 50, with C and D there. */
static void chain(with *a, lg_motion *mo)
{
    static double A[MOST * MOST], P[MOST * PARAMETERS], next[MOST * PARAMETERS];
    for (int step = 0; step <= STEPS; step++) {
        motion_well(lg_motion_linearise_parameters(mo, P, a->D, a->which, a->count), mo);
        motion_well(lg_motion_basis(mo, a->C), mo);
        if (step == 0) begin(a);
        if (step == STEPS) return;
        motion_well(lg_motion_linearise_along(mo, A, NULL, NULL), mo);
        for (int r = 0; r < a->k; r++)
            for (int p = 0; p < a->count; p++) {
                double sum = P[r * a->count + p];
                for (int j = 0; j < a->k; j++) sum += A[r * a->k + j] * a->y[j * a->count + p];
                next[r * a->count + p] = sum;
            }
        memcpy(a->y, next, sizeof next);
        motion_well(lg_motion_step(mo, 1), mo);
    }
}

/* The largest difference between the chain and differences of runs, of the largest entry. */
static double apart(const with *a, int p)
{
    double off = 0, size = 0, sum[READ];
    differences(a, sum, p, STEPS);
    for (int i = 0; i < 2 * a->positions; i++) {
        double x = a->D[i * a->count + p];
        for (int c = 0; c < a->k; c++) x += a->C[i * a->k + c] * a->y[c * a->count + p];
        off = fmax(off, fabs(x - sum[i])), size = fmax(size, fabs(sum[i]));
    }
    return off / size;
}

/* Names that begin with > are of parameters at a bound. */
static void check(const char *exhibit, const char *method, const char *names)
{
    static with a;
    lg_mechanism *m;
    lg_motion *mo;
    char list[256], *rest = NULL;
    suite_case("%s, %s", exhibit, method);
    a = (with){.exhibit = lg_gallery_index(exhibit), .method = method};
    a.h = lg_gallery_step(a.exhibit);
    mechanism_well(lg_gallery_create(&m, a.exhibit), m);
    (void)snprintf(list, sizeof list, "%s", names);
    for (char *name = strtok_r(list, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        a.bound[a.count] = name[0] == '>';
        name += a.bound[a.count];
        (void)snprintf(a.name[a.count], sizeof a.name[0], "%s", name);
        a.which[a.count] = lg_mechanism_parameter(m, name);
        a.value[a.count++] = lg_mechanism_parameter_value(m, lg_mechanism_parameter(m, name));
    }
    motion_well(motion_create(&mo, m, method, a.h), mo);
    motion_well(lg_gallery_start(mo, a.exhibit), mo);
    a.positions = lg_motion_position_count(mo), a.k = lg_motion_freedoms(mo, NULL);
    a.controls = lg_mechanism_motor_count(m);
    assert_true(a.k <= MOST && 2 * a.positions <= READ && a.controls <= 8);
    motion_well(lg_motion_positions(mo, a.start, a.start + a.positions), mo);
    if (a.controls > 0) memcpy(a.u, lg_motion_control(mo), (size_t)a.controls * sizeof *a.u);
    motion_well(lg_motion_start_joints(mo, 0, a.start, a.start + a.positions, 1), mo);
    if (a.controls > 0) motion_well(lg_motion_set_control(mo, a.u), mo);
    chain(&a, mo);
    for (int p = 0; p < a.count; p++) suite_below(a.name[p], apart(&a, p), a.bound[p] ? 1e-10 : 1e-11);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void whole_runs(void **unused)
{
    (void)unused;
    check("double-pendulum", "sem",
          "gravity.z,upper.mass,upper.inertia_yy,lower.mass,lower.centre_z,>elbow.stiffness,>elbow.damping");
    check("furuta", "sem", "arm.mass,pendulum.mass,swing.damping,pendulum.inertia_xx,motor.ratio");
    check("four-bar", "sem", "coupler.mass,gravity.z,>a.stiffness,>b.damping");
    check("vehicle", "sem", "chassis.mass,left axle.damping,caster.inertia_yy,left wheel.radius,caster wheel.radius");
    check("bicycle", "sem", "frame.mass,front wheel.radius");
    check("arm", "sem", "link3.mass,link7.mass,axis3.damping,link5.centre_z");
    check("double-pendulum", "rattle", "upper.mass,lower.mass"), check("furuta", "sem@suzuki4", "pendulum.mass");
    check("furuta", "gauss", "pendulum.mass,turn.damping");
}

/* Refusals say what would be right, and leave the motion as it is. */
static void refusals(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    double P[16], before[4], after[4];
    mechanism_well(lg_gallery_create(&m, lg_gallery_index("double-pendulum")), m);
    const int count = lg_mechanism_parameter_count(m), mass = lg_mechanism_parameter(m, "upper.mass");
    const int out = count, twice[] = {mass, mass}, friction = lg_mechanism_parameter(m, "elbow.friction");
    motion_well(motion_create(&mo, m, "sem", 0.01), mo);
    suite_status("not started", lg_motion_linearise_parameters(mo, P, NULL, &mass, 1), LG_ERROR_ARGUMENT);
    motion_well(lg_gallery_start(mo, lg_gallery_index("double-pendulum")), mo);
    motion_well(lg_motion_positions(mo, before, before + 2), mo);
    suite_status("P", lg_motion_linearise_parameters(mo, NULL, NULL, &mass, 1), LG_ERROR_ARGUMENT);
    suite_status("no list", lg_motion_linearise_parameters(mo, P, NULL, NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("none", lg_motion_linearise_parameters(mo, P, NULL, &mass, 0), LG_ERROR_ARGUMENT);
    suite_status("number", lg_motion_linearise_parameters(mo, P, NULL, &out, 1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "lg_mechanism_parameter_name() names");
    suite_status("twice", lg_motion_linearise_parameters(mo, P, NULL, twice, 2), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "upper.mass is named twice");
    suite_status("structure", lg_motion_linearise_parameters(mo, P, NULL, &friction, 1), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_motion_message(mo), "elbow.friction = 0: mechanisms next to this one are refused");
    motion_well(lg_motion_linearise_parameters(mo, P, NULL, &mass, 1), mo);
    motion_well(lg_motion_positions(mo, after, after + 2), mo);
    suite_same_bits("state", after, before, 4);
    lg_motion_destroy(mo);
    motion_well(motion_create(&mo, m, "gni", 0.01), mo);
    motion_well(lg_gallery_start(mo, lg_gallery_index("double-pendulum")), mo);
    suite_status("dense", lg_motion_linearise_parameters(mo, P, NULL, &mass, 1), LG_ERROR_UNSUPPORTED);
    suite_status("no motion", lg_motion_linearise_parameters(NULL, P, NULL, &mass, 1), LG_ERROR_ARGUMENT);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* A torque that begins at a velocity next to the present one. */
static int kink(double t, const double *poses, const double *twists, double *wrenches, void *context)
{
    (void)t, (void)poses, (void)context;
    wrenches[4] = 50 * fmax(0, twists[4] - 2e-5);
    return 0;
}

/* Steps that are no smooth function of a parameter have no derivative. */
static void rough(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    double P[4];
    const double hanging[] = {acos(0), 0}, rest[] = {0, 0};
    mechanism_well(lg_gallery_create(&m, lg_gallery_index("double-pendulum")), m);
    const int pull = lg_mechanism_parameter(m, "gravity.x");
    motion_well(motion_create(&mo, m, "sem", 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, hanging, rest, 1), mo);
    motion_well(lg_motion_linearise_parameters(mo, P, NULL, &pull, 1), mo);
    motion_well(lg_motion_set_wrench(mo, kink, NULL), mo);
    suite_status("rough", lg_motion_linearise_parameters(mo, P, NULL, &pull, 1), LG_ERROR_SINGULAR);
    suite_contains("message", lg_motion_message(mo), "no derivative with respect to gravity.x");
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_runs), cmocka_unit_test(refusals),
                                       cmocka_unit_test(rough)};
    suite_begin("multibody/linearise_parameters");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
