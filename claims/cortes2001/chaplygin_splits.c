/* SPDX-License-Identifier: BSD-3-Clause */
#include "claims/cortes2001/chaplygin_splits.h"

/* Finding the structure group -------------------------------------------------------------------------------------- */

/* J, V and all rows in one array. */
static int fields(const claim_system *s, const double *g, double *out)
{
    const lg_call c = claim_call(s, (double[]){0});
    const int n = s->n;
    claim_metric(s, 0, g, out);
    claim_rows(s, 0, g, out + n * n, NULL);
    out[n * n + s->m * n] = 0;
    if (s->S->callbacks.potential != NULL && s->S->callbacks.potential(&c, g, &out[n * n + s->m * n]) != 0)
        out[0] = NAN;
    return n * n + s->m * n + 1;
}

/* Are all of them unchanged when g moves along direction i? */
static int is_symmetric(const claim_system *s, int i)
{
    enum { MOST = CLAIM_DIM * CLAIM_DIM + CLAIM_ROWS * CLAIM_DIM + 1 };
    lg_rng rng = {61};
    for (int k = 0; k < 4; k++) {
        double g[CLAIM_ELEMENT], eta[CLAIM_DIM] = {0}, here[MOST], there[MOST], t;
        int count;
        eta[i] = 1;
        if (!claim_near(s, &rng, 0.3, &t, g)) return 0;
        count = fields(s, g, here);
        if (!claim_shift(s->G, g, g, eta, 0.37)) return 0;
        (void)fields(s, g, there);
        if (!(claim_gap(here, there, count) < 1e-11)) return 0;
    }
    return 1;
}

/* Does direction i lie in R^n or T^n? */
static int is_flat(const lg_group *G, int i)
{
    if (G->kind != LG_KIND_PRODUCT) return G->kind == LG_KIND_RN || G->kind == LG_KIND_TORUS;
    for (int k = 0; k < lg_group_factor_count(G); k++) {
        if (i < lg_group_dim(lg_group_factor(G, k))) return is_flat(lg_group_factor(G, k), i);
        i -= lg_group_dim(lg_group_factor(G, k));
    }
    return 0;
}

double chaplygin_block(const claim_system *s, const chaplygin_split *part, const double *g)
{
    double A[CLAIM_ROWS * CLAIM_DIM], B[CLAIM_ROWS * CLAIM_ROWS];
    claim_rows(s, 0, g, A, NULL);
    for (int i = 0; i < part->d; i++) {
        const double size = sqrt(claim_dot(s->n, A + i * s->n, A + i * s->n));
        for (int j = 0; j < part->d; j++) B[i * part->d + j] = A[i * s->n + part->fibre[j]] / size;
    }
    return fabs(claim_determinant(part->d, B));
}

/* Bit i of `mask` says that direction i is shape. 0: this is not a Chaplygin system. */
static int take(const claim_system *s, unsigned mask, unsigned symmetric, unsigned flat, chaplygin_split *part)
{
    part->s = part->d = 0;
    for (int i = 0; i < s->n; i++) {
        if (mask >> i & 1)
            part->shape[part->s++] = i;
        else
            part->fibre[part->d++] = i;
    }
    if (part->d != s->m || (mask & ~flat) != 0 || (~mask & ((1u << s->n) - 1) & ~symmetric) != 0) return 0;
    return chaplygin_block(s, part, s->g0) > 0.1;
}

/* Calls body() for all ways in which s is a Chaplygin system, without its forces. */
static void each_split(claim_report *r, const claim_system *s, void *context)
{
    const chaplygin_body body = *(const chaplygin_body *)context;
    unsigned symmetric = 0, flat = 0;
    lg_system S = *s->S;
    S.callbacks.force = NULL, S.callbacks.control_count = 0;
    if (s->n > 10) return;
    for (int i = 0; i < s->n; i++) {
        symmetric |= (unsigned)is_symmetric(s, i) << i;
        flat |= (unsigned)is_flat(s->G, i) << i;
    }
    for (unsigned mask = 1; mask < 1u << s->n; mask++) {
        chaplygin_split part;
        if (take(s, mask, symmetric, flat, &part)) body(r, s, &S, &part);
    }
}

/* A Chaplygin system of our own with the structure group SO(3) ----------------------------------------------------- */

static const lg_group *plane(void)
{
    return lg_rn(2);
}

static const lg_group *(*const knot_factors[])(void) = {plane, lg_so3};

static int knot_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)J, (void)rows, (void)why;
    return 0;
}

static int knot_metric(const lg_call *c, const double *g, double *J)
{
    static const double constant[25] = {2,   0.3, 0.2, 0,    0.1, 0.3, 1.5, 0,   -0.2, 0.3, 0.2, 0,  1,
                                        0.1, 0,   0,   -0.2, 0.1, 1.3, 0.2, 0.1, 0.3,  0,   0.2, 1.7};
    const double x = g[0], y = g[1];
    (void)c;
    memcpy(J, constant, sizeof constant);
    for (int i = 0; i < 5; i++) J[6 * i] += 0.1 * (i + 1) * y * y;
    J[2] = J[10] = J[2] + 0.05 * x, J[8] = J[16] = J[8] + 0.1 * x;
    return 0;
}

static int knot_potential(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = g[0] * g[0] / 2 + g[1] * g[1] + g[0] * g[1] / 3 + 0.2 * sin(g[0]);
    return 0;
}

static int knot_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[0] = g[0] + g[1] / 3 + 0.2 * cos(g[0]);
    dV[1] = 2 * g[1] + g[0] / 3;
    return 0;
}

static int knot_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const double x = g[0], y = g[1];
    (void)c, (void)Y;
    mu[0] = 0.4 + sin(y), mu[1] = 0.3 * x * y, mu[2] = 1;
    mu[5] = -0.6 * x, mu[6] = 0.5 + 0.2 * cos(x), mu[8] = 1;
    mu[10] = 0.7 * y * y, mu[11] = -0.8 + 0.5 * x, mu[14] = 1;
    return 0;
}

static int knot_initial(const lg_call *c, double *g, double *xi)
{
    (void)c;
    memset(g, 0, 6 * sizeof *g);
    g[0] = 0.3, g[1] = -0.4, g[5] = 1;
    xi[0] = 0.8, xi[1] = 0.5; /* the rest by projection */
    return 0;
}

static const lg_model_definition knot = {
    .size = sizeof(lg_model_definition),
    .name = "knot",
    .summary = "Chaplygin system on R^2 x SO(3)",
    .factor_count = 2,
    .factors = knot_factors,
    .constraint_count = 3,
    .configure = knot_configure,
    .initial = knot_initial,
    .step = 0.1,
    .callbacks = {.metric = knot_metric,
                  .potential = knot_potential,
                  .potential_gradient = knot_gradient,
                  .covectors = knot_rows},
};

void chaplygin_each(claim_report *r, chaplygin_body body)
{
    claim_system s;
    claim_each(r, CLAIM_VELOCITY_ROWS, CLAIM_POSITION_ROWS | CLAIM_TIME | CLAIM_DRIFT, each_split, &body);
    if (!claim_own_systems(r) || !claim_open_definition(r, &s, &knot, NULL)) return;
    each_split(r, &s, &body);
    claim_close(&s);
}

void chaplygin_figures(claim_report *r, lg_chaplygin *o, const chaplygin_split *part, double h)
{
    double v[CLAIM_DIM], shape[CLAIM_DIM], next[CLAIM_DIM], L = NAN, E, Pv = 0, gone = 0;
    const double turn = 8 * atan(1.0), t0 = 1.5;
    lg_status status = lg_chaplygin_velocity(o, v);
    lg_chaplygin_shape(o, shape);
    E = lg_chaplygin_energy(o);
    for (int b = 0; b < part->s; b++) Pv += lg_chaplygin_momentum(o)[b] * v[b];
    if (status == LG_OK) status = lg_chaplygin_lagrangian(o, &L, shape, v);
    claim_below(r, fabs(L + E - Pv) / fmax(1, fabs(E)), 1e-13, "round-off", "L + E = <P, v> of the reduced system");
    if (status == LG_OK) status = lg_chaplygin_start(o, t0, lg_chaplygin_configuration(o), v);
    claim_below(r, fabs(lg_chaplygin_time(o) - t0), 0, "exactly", "the time after a start at t = %g", t0);
    if (status == LG_OK) status = lg_chaplygin_step(o);
    if (!claim_ok(r, status, "a reduced step", lg_chaplygin_message(o))) return;
    lg_chaplygin_shape(o, next);
    for (int b = 0; b < part->s; b++) {
        const double off = next[b] - shape[b] - h * lg_chaplygin_step_velocity(o)[part->shape[b]];
        gone = fmax(gone, fabs(off - turn * nearbyint(off / turn)));
    }
    claim_below(r, gone, 1e-14 * fmax(1, fabs(shape[0])), "round-off", "shape after a step against h v");
    claim_below(r, fabs(lg_chaplygin_time(o) - t0 - h), 1e-15 * fmax(t0, h), "round-off", "its time");
}
