/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a step against steps from states, step sizes, controls and parameters nearby. */
#include "claims/framework/harness.h"

enum { POINTS = 3, COLUMNS = 64, ROWS = 2 * CLAIM_DIM + CLAIM_ROWS };

#define STEP 2e-3 /* along a curve */

/* A curve of inputs, and the results of the step: x in the order of lg_linearisation_compute(), without eta, and y. */
typedef struct curve {
    const claim_system *s;
    const char *method, *retraction;
    double a[CLAIM_DIM], b[CLAIM_DIM], u[CLAIM_DIM], h,
        param[COLUMNS]; /* velocities along it: in g, xi, u, h, parameters */
    double t0, length;  /* of the step at its middle */
} curve;

typedef struct point {
    double g0[CLAIM_ELEMENT], p0[CLAIM_DIM], g1[CLAIM_ELEMENT], p1[CLAIM_DIM], lambda[CLAIM_ROWS];
} point;

/* The momentum that the method carries on. */
static const double *carried(const char *method, const lg_integrator *it)
{
    static const char *const minus[] = {"gni", "rattle", "variational"};
    if (strncmp(method, "dla", 3) == 0) return lg_integrator_momentum_plus(it);
    for (int i = 0; i < 3; i++)
        if (strncmp(method, minus[i], strlen(minus[i])) == 0) return lg_integrator_momentum_minus(it);
    return lg_integrator_momentum(it);
}

/* S with the arrays that follow from its parameters, in J and rows. */
static lg_status follow(lg_system *S, double *J, double *rows)
{
    const size_t n = (size_t)lg_group_dim(S->group);
    const double t = 0;
    const lg_call call = lg_system_call(S, &t, NULL);
    char why[LG_MESSAGE_SIZE] = "";
    if (S->parameter_count == 0 || S->callbacks.arrays == NULL) return LG_OK;
    memset(J, 0, n * n * sizeof *J), memset(rows, 0, (size_t)S->constraint_count * n * sizeof *rows);
    if (S->callbacks.arrays(&call, J, S->covector_matrix != NULL ? rows : NULL, why) != 0) return LG_ERROR_CALLBACK;
    if (S->callbacks.metric == NULL) S->inertia = J, S->inertia_diagonal = NULL;
    if (S->covector_matrix != NULL) S->covector_matrix = rows;
    return LG_OK;
}

/* The integrator at the place `at` of the curve; parameters into `param`. */
static lg_status start(lg_integrator **it, const curve *c, double at, double *param)
{
    const claim_system *s = c->s;
    double g[CLAIM_ELEMENT], xi[CLAIM_DIM], u[CLAIM_DIM], J[CLAIM_DIM * CLAIM_DIM], rows[CLAIM_ROWS * CLAIM_DIM];
    lg_system S = *s->S;
    lg_status status;
    for (int i = 0; i < S.parameter_count; i++) param[i] = s->S->parameter_values[i] + at * c->param[i];
    S.parameter_values = param;
    for (int i = 0; i < s->n; i++) xi[i] = at * c->a[i];
    status = lg_group_exp(s->G, g, xi);
    if (status == LG_OK) status = lg_group_compose(s->G, g, s->g0, g);
    for (int i = 0; i < s->n; i++) xi[i] = s->xi0[i] + at * c->b[i];
    for (int i = 0; i < S.callbacks.control_count; i++) u[i] = 0.1 + at * c->u[i];
    *it = NULL;
    if (status == LG_OK) status = follow(&S, J, rows);
    if (status == LG_OK) status = lg_integrator_create(it, &S, c->method, c->retraction, c->length + at * c->h);
    if (status == LG_OK) status = lg_integrator_start(*it, c->t0, g, xi, LG_START_REACTION, 1);
    if (status == LG_OK && S.callbacks.control_count > 0) status = lg_integrator_set_control(*it, u);
    return status;
}

static lg_status look(point *x, const curve *c, double at)
{
    const claim_system *s = c->s;
    const int mh = s->S->callbacks.holonomic_count;
    double param[COLUMNS];
    lg_integrator *it = NULL;
    lg_status status = start(&it, c, at, param);
    if (status == LG_OK) {
        memcpy(x->g0, lg_integrator_configuration(it), (size_t)s->size * sizeof *x->g0);
        memcpy(x->p0, carried(c->method, it), (size_t)s->n * sizeof *x->p0);
        status = lg_integrator_step(it);
    }
    if (status == LG_OK) {
        memcpy(x->g1, lg_integrator_configuration(it), (size_t)s->size * sizeof *x->g1);
        memcpy(x->p1, carried(c->method, it), (size_t)s->n * sizeof *x->p1);
        if (mh > 0) memcpy(x->lambda, lg_integrator_holonomic_multipliers(it), (size_t)mh * sizeof *x->lambda);
        if (s->S->constraint_count > 0)
            memcpy(x->lambda + mh, lg_integrator_multipliers(it), (size_t)s->S->constraint_count * sizeof *x->lambda);
    }
    lg_integrator_destroy(it);
    return status;
}

/* out += w log(base^-1 g). */
static lg_status add_turn(const claim_system *s, double *out, double w, const double *base, const double *g)
{
    double W[CLAIM_ELEMENT], x[CLAIM_DIM];
    lg_status status = lg_group_inverse(s->G, W, base);
    if (status == LG_OK) status = lg_group_compose(s->G, W, W, g);
    if (status == LG_OK) status = lg_group_log(s->G, x, W);
    for (int i = 0; status == LG_OK && i < s->n; i++) out[i] += w * x[i];
    return status;
}

/* dx and dy along the curve by central differences of order 6. */
static lg_status differences(const curve *c, double *dx, double *dy)
{
    static const double weight[POINTS] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    const claim_system *s = c->s;
    const int n = s->n, controls = s->S->callbacks.control_count;
    point middle, x;
    lg_status status = look(&middle, c, 0);
    memset(dx, 0, COLUMNS * sizeof *dx), memset(dy, 0, ROWS * sizeof *dy);
    for (int k = -POINTS; status == LG_OK && k <= POINTS; k++) {
        const double w = k == 0 ? 0 : (k > 0 ? weight[k - 1] : -weight[-k - 1]) / STEP;
        if (k == 0 || (status = look(&x, c, k * STEP)) != LG_OK) continue;
        status = add_turn(s, dx, w, middle.g0, x.g0);
        if (status == LG_OK) status = add_turn(s, dy, w, middle.g1, x.g1);
        for (int i = 0; i < n; i++) dx[n + i] += w * x.p0[i], dy[n + i] += w * x.p1[i];
        for (int i = 0; i < s->m; i++) dy[2 * n + i] += w * x.lambda[i];
    }
    for (int i = 0; i < controls; i++) dx[2 * n + i] = c->u[i];
    dx[2 * n + controls] = c->h;
    for (int i = 0; i < s->S->parameter_count; i++) dx[2 * n + controls + 1 + i] = c->param[i];
    return status;
}

/* The error of a derivative, relative to the largest entry of its block of y. */
typedef struct residuals {
    double g, p, lambda, transposed, control;
} residuals;

/* y of J dx against dy from row `first` on, relative to the largest of the terms: multipliers may stay 0. */
static double part(const double *J, const double *dx, const double *dy, int first, int count, int columns, double least)
{
    double size = least, most = 0;
    for (int i = first; i < first + count; i++) {
        double sum = 0;
        for (int j = 0; j < columns; j++) {
            sum += J[i * columns + j] * dx[j];
            size = fmax(size, fabs(J[i * columns + j] * dx[j]));
        }
        most = isnan(sum) ? INFINITY : fmax(most, fabs(sum - dy[i]));
    }
    return size == 0 ? 0 : most / size;
}

/* Derivatives with respect to parameters that do not change along the curve: switches have none. */
static void leave_out(double *J, const double *dx, int rows, int columns, int first)
{
    for (int j = first; j < columns; j++)
        for (int i = 0; i < rows && dx[j] == 0; i++) J[i * columns + j] = 0;
}

static lg_status measure(residuals *m, const curve *c, const lg_linearisation *lin, double *dx, const double *dy,
                         lg_rng *rng)
{
    const int n = c->s->n, rows = lg_linearisation_rows(lin), columns = lg_linearisation_columns(lin);
    double y[ROWS], J[ROWS * COLUMNS], v[ROWS], w[COLUMNS], left = 0, right = 0, all = 0, size = 0;
    lg_status status = lg_linearisation_apply(lin, y, dx);
    if (status == LG_OK) status = lg_linearisation_jacobian(lin, J);
    if (status != LG_OK) return status;
    leave_out(J, dx, rows, columns, columns - c->s->S->parameter_count);
    for (int i = n; i < 2 * n; i++) size = fmax(size, fabs(dy[i]));
    m->g = part(J, dx, dy, 0, n, columns, 0), m->p = part(J, dx, dy, n, n, columns, 0);
    m->lambda = part(J, dx, dy, 2 * n, c->s->m, columns, 1e-3 * size);
    m->transposed = part(J, dx, y, 0, rows, columns, 0);
    memcpy(w, dx, (size_t)columns * sizeof *w);
    for (int i = 0; i < n; i++) w[i] = 0;
    m->control = part(J, w, dy, 0, n, columns, 0);
    for (int i = 0; i < rows; i++) v[i] = lg_rng_normal(rng);
    if (status == LG_OK) status = lg_linearisation_apply_transposed(lin, w, v);
    leave_out(w, dx, 1, columns, columns - c->s->S->parameter_count);
    for (int j = 0; status == LG_OK && j < columns; j++) {
        double sum = 0, terms = 0;
        for (int i = 0; i < rows; i++) sum += J[i * columns + j] * v[i], terms += fabs(J[i * columns + j] * v[i]);
        m->transposed = fmax(m->transposed, fabs(sum - w[j]) / fmax(terms, 1e-300));
        left += sum * dx[j], right += w[j] * dx[j], all += terms * fabs(dx[j]);
    }
    m->transposed = fmax(m->transposed, fabs(left - right) / fmax(all, 1e-300));
    return status;
}

/* Parameters change by their size, except for switches, whose systems refuse intermediate values. */
static void set_parameters(curve *c)
{
    double values[COLUMNS], J[CLAIM_DIM * CLAIM_DIM], rows[CLAIM_ROWS * CLAIM_DIM];
    lg_system S = *c->s->S;
    S.parameter_values = values;
    for (int k = 0; k < S.parameter_count; k++) {
        lg_system moved = S;
        memcpy(values, c->s->S->parameter_values, (size_t)S.parameter_count * sizeof *values);
        c->param[k] = 0.3 * values[k];
        values[k] += POINTS * STEP * c->param[k];
        if (follow(&moved, J, rows) != LG_OK) c->param[k] = 0;
    }
}

static void check(claim_report *r, const claim_system *s, const char *method, const char *retraction, double *control)
{
    curve c = {.s = s, .method = method, .retraction = retraction, .t0 = 0.3, .length = s->h};
    double dx[COLUMNS], dy[ROWS], param[COLUMNS], size = 0;
    residuals m;
    lg_integrator *it = NULL;
    lg_linearisation *lin = NULL;
    lg_rng rng = {41};
    lg_status status;
    for (int i = 0; i < s->n; i++) size = fmax(size, fabs(s->xi0[i]));
    for (int i = 0; i < s->n; i++) {
        c.a[i] = 0.3 * lg_rng_normal(&rng);
        c.b[i] = 0.3 * fmax(size, 0.1) * lg_rng_normal(&rng);
    }
    for (int i = 0; i < s->S->callbacks.control_count; i++) c.u[i] = lg_rng_normal(&rng);
    c.h = 0.5 * s->h;
    if (2 * s->n + s->S->callbacks.control_count + 1 + s->S->parameter_count > COLUMNS) return;
    set_parameters(&c);
    status = start(&it, &c, 0, param);
    claim_case(r, s->name, method, retraction);
    if (status == LG_OK) status = lg_linearisation_create(&lin, it);
    if (status == LG_OK) status = lg_linearisation_compute(lin, it);
    if (status == LG_OK) status = differences(&c, dx, dy);
    if (status == LG_OK) status = measure(&m, &c, lin, dx, dy, &rng);
    if (status == LG_OK) {
        static const char why[] = "differences of order 6 of steps solved to 1e-14";
        claim_below(r, m.g, 2e-11, why, "derivative of the configuration");
        claim_below(r, m.p, 5e-10, why, "derivative of the momentum that is carried on");
        if (s->m > 0) claim_below(r, m.lambda, 5e-9, "such differences, divided by h", "derivative of the multipliers");
        claim_below(r, m.transposed, 2e-13, "round-off", "<v, J x> = <J^T v, x>, entry by entry");
        *control = fmax(*control, m.control);
    } else {
        const char *message = lin != NULL ? lg_linearisation_message(lin) : lg_integrator_message(it);
        if (!claim_refused(r, s, method, retraction, status, message))
            (void)claim_ok(r, status, "derivative of a step", message);
    }
    lg_linearisation_destroy(lin);
    lg_integrator_destroy(it);
}

/* Every system with sem, gni and gauss, and with two of the others in turn. */
typedef struct tour {
    int index;
    double control;
} tour;

static void one(claim_report *r, const claim_system *s, void *context)
{
    static const char *const others[] = {
        "dla",          "nsv", "sem@suzuki4", "variational",     "gni:midpoint", "sem:gonzalez", "rkmk4",
        "gni@yoshida4", "smv", "rk4",         "dla:trapezoidal", "rattle",       "sml"};
    enum { OTHERS = sizeof others / sizeof others[0] };
    tour *t = context;
    const int k = t->index++;
    check(r, s, "sem", claim_retraction(k % 2), &t->control);
    check(r, s, "gni", claim_retraction((k + 1) % 2), &t->control);
    check(r, s, k % 3 ? "gauss" : "gauss:stages=3", "exp", &t->control);
    check(r, s, others[k % OTHERS], claim_retraction(k / OTHERS % 2), &t->control);
    check(r, s, others[(k + OTHERS / 2) % OTHERS], claim_retraction((k / OTHERS + 1) % 2), &t->control);
}

static void derivatives(claim_report *r)
{
    tour t = {0, 0};
    claim_each(r, 0, 0, one, &t);
    claim_case(r, NULL, NULL, NULL);
    claim_control(r, t.control, 1e-2, "the place's own change left out", "derivative of the configuration");
}

const claim claims_step_derivative[] = {
    {"step-derivative",
     "lg_linearisation_compute() gives the derivative of the next state and the multipliers with respect to state, "
     "controls, step and parameters: of steps from initial data along a curve through the state, for every kind of "
     "method.",
     "this library, docs/theory.md section 14", 1, derivatives},
    {0},
};
