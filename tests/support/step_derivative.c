/* SPDX-License-Identifier: BSD-3-Clause */
#include "step_derivative.h"

#include <math.h>
#include <string.h>

#include "integrators/collocation/collocation.h"
#include "integrators/integrator.h"

enum { ROWS = STEP_DERIVATIVE_ROWS, COLUMNS = STEP_DERIVATIVE_COLUMNS, PARAMETERS = STEP_DERIVATIVE_PARAMETERS };

static void copy(double *to, const double *from, int count)
{
    if (count > 0) memcpy(to, from, sizeof(double) * (size_t)count);
}

/* ---- the step as a function ---- */

/* An integrator, and a copy of it that steps from anywhere. */
typedef struct world {
    lg_integrator *it, *probe;
    int n, m, controls, parameters, rows, columns;
    double tolerance;
    double inverse[SUITE_ELEMENT]; /* of the next configuration */
    double parameter[PARAMETERS];  /* those of the copy */
    double made[PARAMETERS];       /* those for which it has arrays */
    double J[SUITE_MATRIX], A[SUITE_MATRIX];
} world;

/* The momentum that the method carries on. */
static const double *carried(const lg_integrator *it)
{
    const char *name = it->plan.method.name;
    if (strncmp(name, "dla", 3) == 0) return lg_integrator_momentum_plus(it);
    if (strncmp(name, "gni", 3) == 0 || strncmp(name, "rattle", 6) == 0 || strncmp(name, "variational", 11) == 0)
        return lg_integrator_momentum_minus(it);
    return lg_integrator_momentum(it);
}

/* The copy made anew, of the system with the arrays that its parameters give. */
static void rebuild(world *w)
{
    const size_t bytes = sizeof(double) * (size_t)w->parameters;
    const lg_system *given = &w->it->S;
    const double t = 0;
    char why[LG_MESSAGE_SIZE] = "";
    lg_system S = *given;
    lg_call c = lg_system_call(&S, &t, NULL);
    if (!w->parameters || !S.callbacks.arrays || !memcmp(w->made, w->parameter, bytes)) return;
    S.parameter_values = c.param = w->parameter;
    memset(w->J, 0, sizeof w->J), memset(w->A, 0, sizeof w->A);
    if (S.callbacks.arrays(&c, w->J, S.covector_matrix ? w->A : NULL, why)) suite_fail("arrays: %s", why);
    if (!S.callbacks.metric) S.inertia = w->J, S.inertia_diagonal = NULL;
    if (S.covector_matrix) S.covector_matrix = w->A;
    lg_integrator_destroy(w->probe);
    suite_ok("create",
             lg_integrator_create_with(&w->probe, &S, w->it->plan.method.name, w->it->plan.retraction, w->it->h));
    suite_ok("solver", lg_integrator_set_solver(w->probe, 1e-16, 400)); /* until it stands still */
    memcpy(w->made, w->parameter, bytes);
}

/* The copy's inputs, those of the integrator displaced by e in `column` (none if negative). */
static void displace(world *w, int column, double e)
{
    const lg_group *G = lg_integrator_group(w->it);
    const int n = w->n, c = column;
    double eta[SUITE_DIM] = {0}, g[SUITE_ELEMENT];
    copy(w->parameter, w->it->S.parameter_values, w->parameters);
    if (c > 2 * n + w->controls) w->parameter[c - 2 * n - w->controls - 1] += e;
    rebuild(w);
    lg_integrator *o = w->probe;
    lg_node *b = o->workspace->now;
    lg_copy_node(&o->plan, b, w->it->workspace->now);
    lg_collocation_begin(o->workspace, b);
    copy(b->p_tilde, carried(w->it), n);
    double u[STEP_DERIVATIVE_COLUMNS];
    copy(u, lg_integrator_controls(w->it), w->controls);
    o->h = w->it->h;
    if (c >= 0 && c < n) {
        eta[c] = e;
        suite_ok("exp", lg_group_exp(G, g, eta));
        suite_ok("compose", lg_group_compose(G, b->g, b->g, g));
    } else if (c >= n && c < 2 * n) {
        b->p_tilde[c - n] += e;
    } else if (c >= 2 * n && c < 2 * n + w->controls) {
        u[c - 2 * n] += e;
    } else if (c == 2 * n + w->controls) {
        o->h += e;
    }
    lg_integrator_shape_controls(o, lg_integrator_degree(w->it));
    lg_integrator_put_controls(o, u);
    copy(b->p_plus, b->p_tilde, n);
    copy(b->p_minus, b->p_tilde, n);
    o->base_t = b->t = w->it->workspace->now->t;
    o->step = o->base_step = 0, o->started = 1;
    lg_history_clear(o->workspace);
    if (lg_node_evaluate(o->workspace, b)) suite_fail("the displaced node cannot be evaluated");
}

/* (eta, p, lambda) after the step from displaced inputs; the undisplaced one (y is NULL) is what eta refers to. */
static void step_from(world *w, int column, double e, double *y)
{
    const lg_group *G = lg_integrator_group(w->it);
    double g[SUITE_ELEMENT];
    displace(w, column, e);
    if (lg_integrator_step(w->probe) != LG_OK)
        suite_fail("displaced by %g in %d: %s", e, column, lg_integrator_message(w->probe));
    if (y == NULL) {
        suite_ok("inverse", lg_group_inverse(G, w->inverse, lg_integrator_configuration(w->probe)));
        return;
    }
    suite_ok("compose", lg_group_compose(G, g, w->inverse, lg_integrator_configuration(w->probe)));
    suite_ok("log", lg_group_log(G, y, g));
    copy(y + w->n, carried(w->probe), w->n);
    copy(y + 2 * w->n, lg_integrator_holonomic_multipliers(w->probe), w->m);
}

static void open_world(world *w, lg_integrator *it)
{
    memset(w, 0, sizeof *w);
    w->it = it;
    suite_ok("clone", lg_integrator_clone(&w->probe, it));
    suite_ok("solver", lg_integrator_set_solver(w->probe, 1e-16, 400)); /* until it stands still */
    w->n = it->plan.n, w->m = it->plan.m, w->controls = lg_integrator_control_numbers(it),
    w->parameters = it->S.parameter_count;
    w->rows = 2 * w->n + w->m, w->columns = 2 * w->n + w->controls + 1 + w->parameters;
    if (w->parameters && !it->S.callbacks.arrays) w->probe->S.parameter_values = w->parameter;
    step_from(w, -1, 0, NULL);
}

/* Whether each block is certain to a hundredth of what check_jacobian() allows: more levels would not make it stricter.
 */
static int certain(const world *w, const double *d, const double *uncertain)
{
    const int end[4] = {0, w->n, 2 * w->n, w->rows};
    for (int block = 0; block < 3; block++) {
        double size = 1;
        for (int i = end[block]; i < end[block + 1]; i++) size = fmax(size, fabs(d[i]));
        if (end[block] < end[block + 1] && !(uncertain[block] <= 0.01 * w->tolerance * size)) return 0;
    }
    return 1;
}

/* Central differences with steps e, e/2, ..., extrapolated (Ridders) until they are certain(): d; eta, p and lambda
 * each from where all their entries are most certain, and how certain that is. */
static void difference(world *w, int column, double e, double *d, double *uncertain)
{
    enum { LEVELS = 6 };
    double plus[ROWS], minus[ROWS], row[LEVELS][ROWS], last[LEVELS][ROWS];
    const int end[4] = {0, w->n, 2 * w->n, w->rows};
    for (int i = 0; i < 3; i++) uncertain[i] = INFINITY;
    for (int k = 0; k < LEVELS; k++, e /= 2) {
        step_from(w, column, e, plus);
        step_from(w, column, -e, minus);
        for (int i = 0; i < w->rows; i++) row[0][i] = (plus[i] - minus[i]) / (2 * e);
        for (int j = 1; j <= k; j++) {
            const double f = pow(4, j);
            for (int i = 0; i < w->rows; i++) row[j][i] = (f * row[j - 1][i] - last[j - 1][i]) / (f - 1);
            for (int block = 0; block < 3; block++) {
                const int from = end[block], count = end[block + 1] - from;
                const double off = fmax(suite_distance(row[j] + from, row[j - 1] + from, count),
                                        suite_distance(row[j] + from, last[j - 1] + from, count));
                if (!(off < uncertain[block])) continue;
                uncertain[block] = off;
                copy(d + from, row[j] + from, count);
            }
        }
        if (k > 1 && certain(w, d, uncertain)) return;
        memcpy(last, row, sizeof last);
    }
}

/* The first of those steps. A configuration off phi = 0 is thrown back with phi/h; the rattleback bends on a tenth of a
 * radian. */
static double first_step(const world *w, int column, int sharp)
{
    const lg_node *b = w->it->workspace->now;
    const int n = w->n, c = column - n;
    const double factor = w->it->plan.holonomic ? 0.3 * w->it->h : sharp ? 0.02 : 0.1;
    double v[SUITE_DIM], speed = 1;
    suite_ok("velocity", lg_integrator_velocity(w->it, v));
    for (int i = 0; i < n; i++) speed = fmax(speed, fabs(v[i]));
    if (c < 0) return factor;
    if (c < n) return factor * speed * (w->it->plan.diagonal ? b->metric[c] : b->metric[c * (n + 1)]);
    if (c < n + w->controls) return 0.1;
    if (c == n + w->controls) return 0.1 * w->it->h;
    const double value = w->it->S.parameter_values[c - n - w->controls - 1];
    return 0.01 * (value != 0 ? fmin(1, fabs(value)) : sharp ? 1e-3 : 1);
}

/* ---- the Jacobian ---- */

/* A step of collocation keeps the energy that it begins with, unless that is far from what it finds: whether it does
 * must not change on the way. */
static double gentle_step(world *w, int column, double e)
{
    double v[SUITE_DIM], H[2], T = 0;
    if (!w->probe->workspace->collocation) return e;
    suite_ok("velocity", lg_integrator_velocity(w->it, v));
    for (int i = 0; i < w->n; i++) T += 0.5 * v[i] * lg_integrator_momentum(w->it)[i];
    for (int k = 0; k < 40; k++, e /= 2) {
        for (int side = 0; side < 2; side++) {
            displace(w, column, side ? e : -e);
            if (lg_collocation_energy(w->probe->workspace, w->probe->workspace->now, &H[side])) suite_fail("no energy");
        }
        if (fabs(H[1] - H[0]) <= 0.05 * T) break;
    }
    return e;
}

/* Entries relative to the largest of their column among eta, p or lambda, at least 1. Where differences of the step are
 * not certain to 1e-9 themselves, ten times their error: multipliers are quotients by h, with holonomic constraints
 * by h^2, and are divided by the difference once more. The rattlebacks have inertias from 2e-4 to 1, and h = 0.001. */
static int check_jacobian(world *w, const lg_linearisation *lin, const double *J, int sharp)
{
    int unknown = 0;
    double d[ROWS], uncertain[3];
    const int end[4] = {0, w->n, 2 * w->n, w->rows}, width = w->columns;
    for (int c = 0; c < width; c++) {
        const int k = c - 2 * w->n - w->controls - 1;
        const double value = k >= 0 ? fabs(w->it->S.parameter_values[k]) : 0;
        const double rounded = value != 0 && value < 1 ? 1024 * SUITE_EPS / value : 0; /* by differences of value/64 */
        if (k >= 0 && isnan(J[c])) {
            if (!w->it->S.parameters) suite_fail("derivatives with respect to parameter %d are not known", k + 1);
            suite_contains("unknown", lg_linearisation_message(lin), w->it->S.parameters[k].name);
            unknown++;
            continue;
        }
        difference(w, c, gentle_step(w, c, first_step(w, c, sharp)), d, uncertain);
        for (int block = 0; block < 3; block++) {
            double size = 1;
            for (int r = end[block]; r < end[block + 1]; r++) size = fmax(size, fabs(d[r]));
            const double relative = k >= 0 ? fmax(w->tolerance, 1e-10) : w->tolerance; /* steps of a hundredth */
            const double tolerance = ((sharp ? 10 : 1) * relative + rounded) * size + 10 * uncertain[block];
            for (int r = end[block]; r < end[block + 1]; r++)
                if (!(fabs(J[r * width + c] - d[r]) <= tolerance))
                    suite_fail("entry (%d,%d) is %.15g, differences give %.15g (uncertain by %.1e)", r, c,
                               J[r * width + c], d[r], uncertain[block]);
        }
    }
    return unknown;
}

/* <u, J v> = <J^T u, v>, and both are what J says. */
static void check_products(const lg_linearisation *lin, const double *J, int rows, int columns, double tolerance)
{
    double v[COLUMNS], u[ROWS], Jv[ROWS], JTu[COLUMNS], left = 0, right = 0, size = 0;
    lg_rng rng = suite_rng(7);
    suite_normal(v, columns, &rng), suite_normal(u, rows, &rng);
    suite_ok("apply", lg_linearisation_apply(lin, Jv, v));
    suite_ok("apply transposed", lg_linearisation_apply_transposed(lin, JTu, u));
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) size = fmax(size, fabs(J[r * columns + c]));
    for (int r = 0; r < rows; r++) {
        double row = 0;
        for (int c = 0; c < columns; c++) row += J[r * columns + c] * v[c];
        suite_near1("J v", Jv[r], row, 10 * tolerance, size);
        left += u[r] * Jv[r];
    }
    for (int c = 0; c < columns; c++) right += JTu[c] * v[c];
    suite_near1("<u, J v> and <J^T u, v>", left, right, tolerance, size);
}

int step_derivative_check(lg_integrator *it, int sharp)
{
    return step_derivative_check_to(it, sharp, 1e-8);
}

int step_derivative_check_to(lg_integrator *it, int sharp, double tolerance)
{
    static double J[ROWS * COLUMNS];
    world w;
    lg_linearisation *lin = NULL;
    open_world(&w, it);
    w.tolerance = tolerance;
    suite_ok("create", lg_linearisation_create(&lin, it));
    assert_int_equal(lg_linearisation_rows(lin), w.rows);
    assert_int_equal(lg_linearisation_columns(lin), w.columns);
    if (lg_linearisation_compute(lin, it) != LG_OK) suite_fail("%s", lg_linearisation_message(lin));
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    const int unknown = check_jacobian(&w, lin, J, sharp);
    if (!unknown) check_products(lin, J, w.rows, w.columns, it->plan.stages > 1 ? 1e-12 : 1e-13);
    lg_linearisation_destroy(lin);
    lg_integrator_destroy(w.probe);
    return unknown;
}
