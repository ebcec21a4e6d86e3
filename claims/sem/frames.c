/* SPDX-License-Identifier: BSD-3-Clause */
/* sem does not depend on the frame in which constraints are written (docs/theory.md section 6). */
#include "claims/sem/arcs.h"

/* Equivalent constraints, the rows B(g) A and phi times a constant matrix: the context of the callbacks below. */
typedef struct frame {
    const lg_system *original;
    int jumps; /* 1: rows are multiplied by -3 here and there */
} frame;

/* The call that the original callbacks expect. */
static lg_call original_call(const lg_call *c, const frame *f)
{
    lg_call call = *c;
    call.context = f->original->context;
    return call;
}

/* Row r of B: a positive diagonal and an antisymmetric rest, so that B is invertible everywhere; times -3 or 1. */
static void mix(const frame *f, const double *g, int r, int m, double *weight)
{
    double angle = 0.3;
    for (int i = 0; i < lg_group_element_size(f->original->group); i++) angle += (1 + 0.3 * i) * g[i];
    for (int k = 0; k < m; k++) {
        const double swing = 0.4 * sin(angle + 0.7 * (r + k));
        weight[k] = k == r ? 1.5 + swing : k < r ? swing : -swing;
        if (f->jumps && sin(20 * angle + 2 * r) < 0) weight[k] *= -3;
    }
}

static int mixed_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const frame *f = c->context;
    const lg_system *S = f->original;
    const lg_call call = original_call(c, f);
    const int n = lg_group_dim(S->group), m = S->constraint_count;
    double rows[CLAIM_ROWS * CLAIM_DIM] = {0}, weight[CLAIM_ROWS];
    int code = 0;
    if (S->callbacks.covectors != NULL) {
        code = S->callbacks.covectors(&call, g, rows, Y);
    } else {
        memcpy(rows, S->covector_matrix, (size_t)(m * n) * sizeof *rows);
        if (S->callbacks.drift != NULL) code = S->callbacks.drift(&call, g, Y);
    }
    for (int r = 0; r < m; r++) {
        mix(f, g, r, m, weight);
        for (int k = 0; k < m; k++)
            for (int i = 0; i < n; i++) mu[r * n + i] += weight[k] * rows[k * n + i];
    }
    return code;
}

/* A field of the holonomic constraints with `columns` numbers each, times the constant matrix with 2 on the diagonal,
 * 1/2 below it, -1/2 above it. */
static int mixed_field(const lg_call *c, const double *g, lg_field_fn field, int columns, double *out)
{
    const frame *f = c->context;
    const lg_call call = original_call(c, f);
    const int count = f->original->callbacks.holonomic_count;
    double in[CLAIM_ROWS * CLAIM_DIM] = {0};
    const int code = field(&call, g, in);
    for (int r = 0; r < count; r++)
        for (int k = 0; k < count; k++)
            for (int i = 0; i < columns; i++)
                out[r * columns + i] += (k == r ? 2 : k < r ? 0.5 : -0.5) * in[k * columns + i];
    return code;
}

static int mixed_position(const lg_call *c, const double *g, double *out)
{
    const frame *f = c->context;
    return mixed_field(c, g, f->original->callbacks.holonomic, 1, out);
}

static int mixed_differential(const lg_call *c, const double *g, double *out)
{
    const frame *f = c->context;
    return mixed_field(c, g, f->original->callbacks.holonomic_differential, lg_group_dim(f->original->group), out);
}

static int mixed_rate(const lg_call *c, const double *g, double *out)
{
    const frame *f = c->context;
    return mixed_field(c, g, f->original->callbacks.holonomic_rate, 1, out);
}

/* The system in the frame's rows. Its other callbacks receive the frame as their context; those of models ignore it. */
static lg_system reframed(const frame *f)
{
    lg_system S = *f->original;
    S.context = f;
    S.callbacks.lanes = LG_LANES_ONE, S.callbacks.holonomic_acceleration = NULL;
    if (S.constraint_count > 0) {
        S.callbacks.covectors = mixed_rows;
        S.covector_matrix = NULL;
        S.callbacks.drift = NULL;
        S.callbacks.covectors_derivative = NULL, S.callbacks.covectors_rate = NULL;
    }
    if (S.callbacks.holonomic != NULL) S.callbacks.holonomic = mixed_position;
    if (S.callbacks.holonomic_differential != NULL) S.callbacks.holonomic_differential = mixed_differential;
    if (S.callbacks.holonomic_rate != NULL) S.callbacks.holonomic_rate = mixed_rate;
    return S;
}

/* Difference of the states after 20 steps in the system's own rows and in others, relative to the largest coordinate
 * and momentum; NaN: refused or trouble. The start from J xi_0 needs no derivative of the rows. */
static double difference(claim_report *r, const claim_system *s, int jumps, const char *method, const char *retraction)
{
    const frame f = {s->S, jumps};
    const lg_system S = reframed(&f);
    claim_system other = *s;
    claim_state a, b;
    double p = 0, g = 1, result = NAN;
    lg_integrator *own = claim_start(r, s, method, retraction, s->h, LG_START_LEGENDRE), *mixed = NULL;
    other.S = &S;
    if (own != NULL) mixed = claim_start(r, &other, method, retraction, s->h, LG_START_LEGENDRE);
    if (mixed != NULL && claim_steps(r, own, 20) && claim_steps(r, mixed, 20)) {
        claim_read(own, &a);
        claim_read(mixed, &b);
        for (int i = 0; i < s->n; i++) p = fmax(p, fabs(a.p[i]));
        for (int i = 0; i < s->size; i++) g = fmax(g, fabs(a.g[i]));
        result = fmax(claim_distance(s->G, a.g, b.g) / g, claim_gap(a.p, b.p, s->n) / p);
    }
    lg_integrator_destroy(own);
    lg_integrator_destroy(mixed);
    return result;
}

static void frames_of_system(claim_report *r, const claim_system *s, void *context)
{
    static const char *const methods[] = {"sem", "sem:gonzalez", "sem:momentum", "sem@suzuki4",
                                          "nsv", "sml",          "gni",          "dla:midpoint"};
    const char *tau;
    (void)context;
    if (s->m == 0 || s->S->context != NULL) return;
    for (int i = 0; (tau = claim_retraction(i)) != NULL; i++)
        for (size_t k = 0; claim_differs(s, i) && k < sizeof methods / sizeof methods[0]; k++)
            for (int jumps = 0; jumps < 2; jumps++) {
                const double d = difference(r, s, jumps, methods[k], tau);
                if (!isnan(d))
                    claim_below(r, d, 1e-13, "round-off of 20 steps, attained 1.4e-14",
                                "difference of the states in other rows, 20 steps%s", jumps ? ", rows with jumps" : "");
            }
}

static void frames(claim_report *r)
{
    static const struct {
        const char *system, *method;
    } bad[] = {{"particle", "smv"},
               {"snakeboard", "smv"},
               {"suslov", "smv"},
               {"rolling-disk", "smv"},
               {"veselova-top", "smv"},
               {"cvt", "smv"},
               {"particle", "dla:trapezoidal"}};
    claim_system s;
    claim_each(r, 0, 0, frames_of_system, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0] && claim_own_systems(r); i++) {
        if (!claim_open(r, &s, bad[i].system, NULL)) continue;
        claim_control(r, difference(r, &s, 0, bad[i].method, "exp"), 1e-7, "raw rows at two nodes, O(h^2)",
                      "difference of the states in other rows, 20 steps");
        claim_close(&s);
    }
}

const claim claims_sem_frames[] = {
    {"sem-frame-independent",
     "sem gives the same motion whether constraints are written as A, as B(g) A with any invertible B(g), even one "
     "that jumps, or as a constant matrix times phi; so do nsv, sml, gni and dla:midpoint, but not smv with its raw "
     "rows.",
     "this library, docs/theory.md section 6", 0.15, frames},
    {0},
};
