/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_system_check() of callbacks that understand lanes: several instances at once, for each width of this machine,
 * against each instance alone, bit by bit, since results may not depend on the number of lanes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/base/width.h>

#include "base/message.h"
#include "mechanics/standalone.h"

enum { LANES_MOST = 8 };

/* The callbacks that may understand lanes: those of a step, then the derivatives of LG_LANES_DERIVATIVES. */
typedef enum question {
    POTENTIAL,
    GRADIENT,
    FORCE,
    COVECTORS,
    DRIFT,
    METRIC,
    METRIC_GRADIENT,
    HOLONOMIC,
    DIFFERENTIAL,
    RATE,
    COVECTORS_DERIVATIVE,
    COVECTORS_RATE,
    ACCELERATION,
    HESSIAN,
    TOGETHER,
    QUESTIONS,
    OF_A_STEP = COVECTORS_DERIVATIVE
} question;

static const char *const names[QUESTIONS] = {
    "potential",
    "potential_gradient",
    "force",
    "covectors",
    "drift",
    "metric",
    "metric_gradient",
    "holonomic",
    "holonomic_differential",
    "holonomic_rate",
    "covectors_derivative",
    "covectors_rate",
    "holonomic_acceleration",
    "potential_hessian",
    "together",
};

/* The five outputs of lg_together, one after another. */
static int evaluate_together(const lg_system *S, const lg_call *c, const double *g, const double *xi, double *out)
{
    const int n = S->group->dim * c->lanes, rows = S->constraint_count * n;
    double *dmu = out + rows + n;
    return S->callbacks.together->value(c, g, xi, out, out + rows, dmu, dmu + rows, dmu + rows + n);
}

/* The outputs of a callback: out, and for the rows the drift after it. */
static int evaluate(const lg_system *S, question q, const lg_call *c, const double *g, const double *xi, double *out,
                    int count)
{
    const lg_callbacks *f = &S->callbacks;
    double *Y = out + count * c->lanes;
    memset(out, 0, sz((count + S->group->dim) * c->lanes) * sizeof *out);
    switch (q) {
    case POTENTIAL:
        return f->potential(c, g, out);
    case GRADIENT:
        return f->potential_gradient(c, g, out);
    case FORCE:
        return f->force(c, g, xi, out);
    case COVECTORS:
        return f->covectors(c, g, out, Y);
    case DRIFT:
        return f->drift(c, g, out);
    case METRIC:
        return f->metric(c, g, out);
    case METRIC_GRADIENT:
        return f->metric_gradient(c, g, xi, out);
    case HOLONOMIC:
        return f->holonomic(c, g, out);
    case DIFFERENTIAL:
        return f->holonomic_differential(c, g, out);
    case RATE:
        return f->holonomic_rate(c, g, out);
    case COVECTORS_DERIVATIVE:
        return f->covectors_derivative(c, g, xi, out, Y);
    case COVECTORS_RATE:
        return f->covectors_rate(c, g, out, Y);
    case ACCELERATION:
        return f->holonomic_acceleration(c, g, xi, out);
    case TOGETHER:
        return evaluate_together(S, c, g, xi, out);
    default:
        return f->potential_hessian(c, g, xi, out);
    }
}

static int gives_drift(question q)
{
    return q == COVECTORS || q == COVECTORS_DERIVATIVE || q == COVECTORS_RATE;
}

/* The number of outputs of a callback, without drift; 0: it is not checked. */
static int numbers_of(const lg_system *S, question q)
{
    const lg_callbacks *f = &S->callbacks;
    const int n = S->group->dim, m = S->constraint_count, holonomic = f->holonomic_count;
    const int count[QUESTIONS] = {[POTENTIAL] = f->potential ? 1 : 0,
                                  [GRADIENT] = f->potential_gradient ? n : 0,
                                  [FORCE] = f->force ? n : 0,
                                  [COVECTORS] = f->covectors ? m * n : 0,
                                  [DRIFT] = f->drift ? n : 0,
                                  [METRIC] = f->metric ? n * n : 0,
                                  [METRIC_GRADIENT] = f->metric_gradient ? n : 0,
                                  [HOLONOMIC] = f->holonomic ? holonomic : 0,
                                  [DIFFERENTIAL] = f->holonomic_differential ? holonomic * n : 0,
                                  [RATE] = f->holonomic_rate ? holonomic : 0,
                                  [COVECTORS_DERIVATIVE] = f->covectors_derivative ? m * n : 0,
                                  [COVECTORS_RATE] = f->covectors_rate ? m * n : 0,
                                  [ACCELERATION] = f->holonomic_acceleration ? holonomic : 0,
                                  [HESSIAN] = f->potential_hessian ? n : 0,
                                  [TOGETHER] = lg_callbacks_together(f) ? 2 * m * n + 3 * n : 0};
    return q < OF_A_STEP || f->lanes & LG_LANES_DERIVATIVES ? count[q] : 0;
}

/* The instances: element, velocity, parameters, controls and outputs, one by one and in lanes. */
typedef struct instances {
    int lanes;
    double *g[LANES_MOST], *xi[LANES_MOST], *param[LANES_MOST], *control[LANES_MOST], *alone;
    double *wide_g, *wide_xi, *wide_param, *wide_control, *wide;
    void *block;
} instances;

/* Numbers of all lanes, aligned as those of a step. */
static double *take_wide(lg_arena *a, int lanes, size_t count)
{
    lg_align(a);
    return lg_take_doubles(a, sz(lanes) * count);
}

static void check_lanes_carve(instances *o, lg_arena *a, const lg_system *S)
{
    const size_t n = sz(S->group->dim), element_size = sz(S->group->element_size), count = sz(S->parameter_count);
    const size_t controls = sz(S->callbacks.control_count),
                 rows = sz(S->constraint_count > S->callbacks.holonomic_count ? S->constraint_count
                                                                              : S->callbacks.holonomic_count);
    const size_t answer = (2 * (rows > n ? rows : n) + 4) * n + 1;
    for (int l = 0; l < o->lanes; l++) {
        o->g[l] = lg_take_doubles(a, element_size);
        o->xi[l] = lg_take_doubles(a, n);
        o->param[l] = lg_take_doubles(a, count);
        o->control[l] = lg_take_doubles(a, controls);
    }
    o->alone = lg_take_doubles(a, answer);
    o->wide_g = take_wide(a, o->lanes, element_size);
    o->wide_xi = take_wide(a, o->lanes, n);
    o->wide_param = take_wide(a, o->lanes, count);
    o->wide_control = take_wide(a, o->lanes, controls);
    o->wide = take_wide(a, o->lanes, answer);
}

static void spread(double *wide, const double *from, int count, int lanes, int l)
{
    for (int i = 0; i < count; i++) wide[i * lanes + l] = from[i];
}

/* Places instance l near g, with slightly larger velocities and parameters, and small controls. */
static lg_status place(instances *o, const lg_standalone *a, const double *g, const double *xi)
{
    const lg_group *G = a->S.group;
    double *eta = a->Y; /* n numbers of scratch */
    for (int l = 0; l < o->lanes; l++) {
        for (int i = 0; i < G->dim; i++) eta[i] = 1e-3 * l * xi[i];
        lg_status st = lg_group_exp(G, o->wide, eta);
        if (st == LG_OK) st = lg_group_compose(G, o->g[l], g, o->wide);
        if (st != LG_OK) return st;
        for (int i = 0; i < G->dim; i++) o->xi[l][i] = xi[i] * (1 + 0x1p-10 * l);
        for (int i = 0; i < a->S.parameter_count; i++) o->param[l][i] = a->S.parameter_values[i] * (1 + 0x1p-10 * l);
        for (int i = 0; i < a->S.callbacks.control_count; i++) o->control[l][i] = 0x1p-6 * (i + 1) * (l + 1);
        spread(o->wide_g, o->g[l], G->element_size, o->lanes, l);
        spread(o->wide_xi, o->xi[l], G->dim, o->lanes, l);
        spread(o->wide_param, o->param[l], a->S.parameter_count, o->lanes, l);
        spread(o->wide_control, o->control[l], a->S.callbacks.control_count, o->lanes, l);
    }
    return LG_OK;
}

static int differ(double a, double b)
{
    return memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b));
}

static lg_status compare(instances *o, const lg_standalone *a, question q, double t, lg_error *e)
{
    const lg_system *S = &a->S;
    const int lanes = o->lanes, count = numbers_of(S, q), all = count + (gives_drift(q) ? S->group->dim : 0);
    const double apart = S->callbacks.lanes & LG_LANES_OWN_TIMES ? 0.125 : 0;
    _Alignas(LG_ALIGN) double times[LANES_MOST];
    for (int l = 0; l < lanes; l++) times[l] = t + l * apart;
    const lg_call wide = {S->context, o->wide_param, t, lanes, o->wide_control, times};
    int code = evaluate(S, q, &wide, o->wide_g, o->wide_xi, o->wide, count);
    for (int l = 0; !code && l < lanes; l++) {
        const lg_call alone = {S->context, o->param[l], times[l], 1, o->control[l], &times[l]};
        code = evaluate(S, q, &alone, o->g[l], o->xi[l], o->alone, count);
        for (int i = 0; !code && i < all; i++) {
            if (!differ(o->wide[i * lanes + l], o->alone[i])) continue;
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "%s: entry %d of instance %d of %d is %.17g, alone it is %.17g; value i of instance l "
                           "belongs at [i*lanes + l], and the bits must be the same",
                           names[q], i + 1, l + 1, lanes, o->wide[i * lanes + l], o->alone[i]);
        }
    }
    return code ? lg_fail(e, LG_ERROR_CALLBACK, "callback %s returned %d", names[q], code) : LG_OK;
}

static lg_status check_width(const lg_standalone *a, int lanes, double t, const double *g, const double *xi,
                             lg_error *e)
{
    instances o = {.lanes = lanes};
    lg_arena size = {NULL, 0};
    check_lanes_carve(&o, &size, &a->S);
    o.block = lg_reserve(size.used);
    if (!o.block) return lg_fail(e, LG_ERROR_MEMORY, "lg_system_check: out of memory");
    lg_arena arena = {o.block, 0};
    check_lanes_carve(&o, &arena, &a->S);
    lg_status st = place(&o, a, g, xi);
    if (st != LG_OK) lg_fail(e, st, "lg_system_check: no element near g of %s", a->S.group->name);
    for (question q = 0; st == LG_OK && q < QUESTIONS; q++)
        if (numbers_of(&a->S, q)) st = compare(&o, a, q, t, e);
    lg_release(o.block);
    return st;
}

lg_status lg_check_lanes(const lg_standalone *a, double t, const double *g, const double *xi, lg_error *e)
{
    lg_status st = LG_OK;
    for (int lanes = 2; st == LG_OK && lanes <= LANES_MOST; lanes *= 2)
        if (lg_width_supported(lanes)) st = check_width(a, lanes, t, g, xi, e);
    return st;
}
