/* SPDX-License-Identifier: BSD-3-Clause */
#include "laned.h"

#include <math.h>
#include <string.h>

/* One lane of a call. */
typedef struct lane {
    lg_call call;
    double param[LANED_PARAMETERS], g[SUITE_ELEMENT], xi[SUITE_DIM], out[SUITE_MATRIX], drift[SUITE_DIM];
    laned_fate fate;
} lane;

static void take(double *to, const double *from, int count, int lanes, int l)
{
    for (int i = 0; from && i < count; i++) to[i] = from[i * lanes + l];
}

static void give(double *to, const double *from, int count, int lanes, int l)
{
    for (int i = 0; to && i < count; i++) to[i * lanes + l] = from[i];
}

/* `out` is zero on entry, and so is `drift`. */
static lane open_lane(const lg_call *c, const double *g, const double *xi, int l)
{
    laned *o = (laned *)(uintptr_t)c->context;
    const lg_system *S = &o->base;
    const int count = S->parameter_count;
    lane k = {.fate = LANED_WELL};
    double mark = 0;
    take(k.param, c->param, count, c->lanes, l);
    take(k.g, g, S->group->element_size, c->lanes, l);
    take(k.xi, xi, S->group->dim, c->lanes, l);
    take(&mark, c->param + count * c->lanes, 1, c->lanes, l);
    k.call = (lg_call){S->context, S->parameter_values, c->t, 1, c->control, c->times};
    const long i = lround(100 * (mark - 1));
    if (i >= 0 && i < LANED_INSTANCES && c->t >= o->from[i]) k.fate = o->fate[i];
    *(c->lanes > 1 ? &o->together : &o->single) += 1;
    return k;
}

enum { FAILURE = 55 };

/* out += what one callback of the base says, lane by lane. */
#define LANE_BY_LANE(count, answer)                                                                                    \
    {                                                                                                                  \
        const lg_system *S = &((const laned *)c->context)->base;                                                       \
        const int n = S->group->dim, numbers = (count);                                                                \
        (void)n;                                                                                                       \
        for (int l = 0; l < c->lanes; l++) {                                                                           \
            lane k = open_lane(c, g, xi, l);                                                                           \
            k.call.param = k.param;                                                                                    \
            const int code = k.fate == LANED_FAILS ? FAILURE : (answer);                                               \
            if (code) return code;                                                                                     \
            if (k.fate == LANED_SPOILS) k.out[0] = NAN;                                                                \
            give(out, k.out, numbers, c->lanes, l);                                                                    \
            give(Y, k.drift, n, c->lanes, l);                                                                          \
        }                                                                                                              \
        return 0;                                                                                                      \
    }

static int potential(const lg_call *c, const double *g, double *out)
{
    const double *xi = NULL;
    double *Y = NULL;
    LANE_BY_LANE(1, S->callbacks.potential(&k.call, k.g, k.out))
}

static int gradient(const lg_call *c, const double *g, double *out)
{
    const double *xi = NULL;
    double *Y = NULL;
    LANE_BY_LANE(n, S->callbacks.potential_gradient(&k.call, k.g, k.out))
}

static int force(const lg_call *c, const double *g, const double *xi, double *out)
{
    double *Y = NULL;
    LANE_BY_LANE(n, S->callbacks.force(&k.call, k.g, k.xi, k.out))
}

static int covectors(const lg_call *c, const double *g, double *out, double *Y)
{
    const double *xi = NULL;
    LANE_BY_LANE(S->constraint_count * n, S->callbacks.covectors(&k.call, k.g, k.out, k.drift))
}

static int drift(const lg_call *c, const double *g, double *out)
{
    const double *xi = NULL;
    double *Y = NULL;
    LANE_BY_LANE(n, S->callbacks.drift(&k.call, k.g, k.out))
}

static int metric(const lg_call *c, const double *g, double *out)
{
    const double *xi = NULL;
    double *Y = NULL;
    LANE_BY_LANE(n * n, S->callbacks.metric(&k.call, k.g, k.out))
}

static int metric_gradient(const lg_call *c, const double *g, const double *xi, double *out)
{
    double *Y = NULL;
    LANE_BY_LANE(n, S->callbacks.metric_gradient(&k.call, k.g, k.xi, k.out))
}

static int position(const lg_call *c, const double *g, double *out)
{
    const double *xi = NULL;
    double *Y = NULL;
    LANE_BY_LANE(S->callbacks.holonomic_count, S->callbacks.holonomic(&k.call, k.g, k.out))
}

static int holonomic_differential(const lg_call *c, const double *g, double *out)
{
    const double *xi = NULL;
    double *Y = NULL;
    LANE_BY_LANE(S->callbacks.holonomic_count * n, S->callbacks.holonomic_differential(&k.call, k.g, k.out))
}

static int holonomic_rate(const lg_call *c, const double *g, double *out)
{
    const double *xi = NULL;
    double *Y = NULL;
    LANE_BY_LANE(S->callbacks.holonomic_count, S->callbacks.holonomic_rate(&k.call, k.g, k.out))
}

static int holonomic_acceleration(const lg_call *c, const double *g, const double *xi, double *out)
{
    double *Y = NULL;
    LANE_BY_LANE(S->callbacks.holonomic_count, S->callbacks.holonomic_acceleration(&k.call, k.g, k.xi, k.out))
}

static int hessian(const lg_call *c, const double *g, const double *xi, double *out)
{
    double *Y = NULL;
    LANE_BY_LANE(n, S->callbacks.potential_hessian(&k.call, k.g, k.xi, k.out))
}

static int covectors_rate(const lg_call *c, const double *g, double *out, double *Y)
{
    const double *xi = NULL;
    LANE_BY_LANE(S->constraint_count * n, S->callbacks.covectors_rate(&k.call, k.g, k.out, k.drift))
}

/* Asked one lane at a time unless the system says more. */
static int derivative(const lg_call *c, const double *g, const double *xi, double *out, double *Y)
{
    if (!(((const laned *)c->context)->lanes & LG_LANES_DERIVATIVES)) assert_int_equal(c->lanes, 1);
    LANE_BY_LANE(S->constraint_count * n, S->callbacks.covectors_derivative(&k.call, k.g, k.xi, k.out, k.drift))
}

lg_system laned_make(laned *o, const lg_system *base, int lanes)
{
    const int count = base->parameter_count;
    lg_system S = *base;
    memset(o, 0, sizeof *o);
    o->base = *base;
    assert_true(count < LANED_PARAMETERS);
    for (int i = 0; i < count; i++)
        o->values[i] = base->parameter_values ? base->parameter_values[i] : base->parameters[i].value;
    o->values[count] = 1;
    S.context = o;
    S.parameter_count = count + 1, S.parameter_values = o->values, S.parameters = o->parameters;
    S.callbacks.lanes = o->lanes = lanes;
    if (base->callbacks.potential) S.callbacks.potential = potential;
    if (base->callbacks.potential_gradient) S.callbacks.potential_gradient = gradient;
    if (base->callbacks.force) S.callbacks.force = force;
    if (base->callbacks.covectors) S.callbacks.covectors = covectors;
    if (base->callbacks.drift) S.callbacks.drift = drift;
    if (base->callbacks.metric) S.callbacks.metric = metric;
    if (base->callbacks.metric_gradient) S.callbacks.metric_gradient = metric_gradient;
    if (base->callbacks.covectors_derivative) S.callbacks.covectors_derivative = derivative;
    if (base->callbacks.covectors_rate) S.callbacks.covectors_rate = covectors_rate;
    if (base->callbacks.potential_hessian) S.callbacks.potential_hessian = hessian;
    if (base->callbacks.holonomic_acceleration) S.callbacks.holonomic_acceleration = holonomic_acceleration;
    if (base->callbacks.holonomic) S.callbacks.holonomic = position;
    if (base->callbacks.holonomic_differential) S.callbacks.holonomic_differential = holonomic_differential;
    if (base->callbacks.holonomic_rate) S.callbacks.holonomic_rate = holonomic_rate;
    return S;
}
