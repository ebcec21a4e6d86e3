/* SPDX-License-Identifier: BSD-3-Clause */
/* [P2] section 7.2: RATTLE reduced by a group, (37), is the GNI on M x G, M = R^n, for a constant metric and V and rows
 * that depend on x in M only. Every line is evaluated separately along the library's trajectory. */
#include "claims/ferraro2015/paper_nodes.h"
#include "claims/ferraro2015/reduced.h"

/* The lines -------------------------------------------------------------------------------------------------------- */

/* The data of a node: fields at x_k, p~_k and M~_k in one covector each, lambda_k = h lambda~_k. */
typedef struct node {
    double g[CLAIM_ELEMENT], A[CLAIM_ROWS * CLAIM_DIM], b[CLAIM_ROWS], dV[CLAIM_DIM];
    double average[CLAIM_DIM], minus[CLAIM_DIM], lambda[CLAIM_ROWS];
} node;

static void read_node(const claim_system *s, const lg_integrator *it, node *x)
{
    memcpy(x->g, lg_integrator_configuration(it), (size_t)s->size * sizeof *x->g);
    claim_rows(s, lg_integrator_time(it), x->g, x->A, x->b);
    claim_gradient(s, lg_integrator_time(it), x->g, x->dV);
    memcpy(x->average, lg_integrator_momentum(it), (size_t)s->n * sizeof *x->average);
    memcpy(x->minus, lg_integrator_momentum_minus(it), (size_t)s->n * sizeof *x->minus);
    for (int a = 0; a < s->m; a++) x->lambda[a] = -lg_integrator_step_size(it) * lg_integrator_multipliers(it)[a];
}

/* lambda_a (mu^a, eta^a) at a node, component i. */
static double reaction(const claim_system *s, const node *x, int i)
{
    double sum = 0;
    for (int a = 0; a < s->m; a++) sum += x->lambda[a] * x->A[a * s->n + i];
    return sum;
}

enum { LINE_A, LINE_B, LINE_C, LINE_D, LINE_E, LINE_F, LINE_M, LINE_W, BLOCK, INVERSE_AD, AVERAGE, SIGN, LINES };

/* Largest residual of every line, relative. */
typedef struct lines {
    const claim_system *s;
    const lg_retraction *tau;
    double h, scale, J[CLAIM_DIM * CLAIM_DIM], most[LINES];
    int in_G[CLAIM_DIM], has_M;
} lines;

static void note(lines *o, int line, double residual)
{
    o->most[line] = paper_larger(o->most[line], fabs(residual) / o->scale);
}

/* out = J^-1 in on the block of M: by the inverse of the block, or `wrong` by the block of the inverse. */
static void raise_block(const lines *o, const double *in, double *out, int wrong)
{
    const int n = o->s->n;
    double B[CLAIM_DIM * CLAIM_DIM], right[CLAIM_DIM];
    memcpy(B, o->J, sizeof B);
    for (int i = 0; i < n; i++) {
        right[i] = o->in_G[i] ? 0 : in[i];
        for (int j = 0; j < n && !wrong; j++)
            if (o->in_G[i] != o->in_G[j]) B[i * n + j] = 0;
    }
    if (!claim_solve(n, B, right, out)) out[0] = NAN;
}

/* (37a), (37c), (37e) and the definition of p_{k+1/2}. */
static void lines_of_M(lines *o, const node *a, const node *b, const double *xi, const double *moved)
{
    const int n = o->s->n;
    double half[CLAIM_DIM], rest[CLAIM_DIM], v[CLAIM_DIM], u[CLAIM_DIM];
    for (int i = 0; i < n; i++) {
        double defined = 0;
        half[i] = a->average[i] - 0.5 * (o->h * a->dV[i] + reaction(o->s, a, i));
        rest[i] = half[i];
        for (int j = 0; j < n; j++) {
            defined += o->J[i * n + j] * (o->in_G[j] ? xi[j] : moved[j] / o->h);
            rest[i] -= o->in_G[j] ? o->J[i * n + j] * xi[j] : 0;
        }
        if (o->in_G[i]) continue;
        note(o, LINE_A, defined - half[i]);
        note(o, LINE_E, half[i] - 0.5 * (o->h * b->dV[i] + reaction(o->s, b, i)) - b->average[i]);
    }
    raise_block(o, rest, v, 0);
    raise_block(o, rest, u, 1);
    for (int i = 0; i < n; i++) {
        if (o->in_G[i]) continue;
        note(o, LINE_C, (o->h * v[i] - moved[i]) * o->scale);
        note(o, BLOCK, (o->h * u[i] - moved[i]) * o->scale);
    }
}

/* (37b), (37d), (37f), the definition of M~_k and W_{k+1} = W_k tau(h xi_k). */
static lg_status lines_of_G(lines *o, const node *a, const node *b, const double *xi)
{
    const claim_system *s = o->s;
    const int n = s->n;
    double step[CLAIM_DIM], Jxi[CLAIM_DIM], M[CLAIM_DIM], carried[CLAIM_DIM], wrong[CLAIM_DIM], v[CLAIM_DIM];
    double W[CLAIM_ELEMENT], back[CLAIM_ELEMENT];
    lg_status status;
    paper_lower(s, a->g, xi, Jxi);
    for (int i = 0; i < n; i++) step[i] = o->h * xi[i];
    status = lg_retraction_dtau_inv_dual(o->tau, s->G, M, step, Jxi);
    if (status == LG_OK) status = lg_retraction_tau(o->tau, s->G, W, step);
    if (status == LG_OK) status = lg_group_coAd_apply(s->G, carried, W, a->minus);
    if (status == LG_OK) status = lg_group_inverse(s->G, back, W);
    if (status == LG_OK) status = lg_group_coAd_apply(s->G, wrong, back, a->minus);
    if (status == LG_OK) status = lg_group_compose(s->G, W, a->g, W);
    if (status != LG_OK) return status;
    note(o, LINE_W, claim_distance(s->G, W, b->g) * o->scale);
    for (int i = 0; i < n; i++) {
        const double half = carried[i] - 0.5 * reaction(s, b, i);
        if (!o->in_G[i]) continue;
        note(o, LINE_M, M[i] - a->minus[i]);
        note(o, AVERAGE, M[i] - a->average[i]);
        note(o, LINE_B, half - b->average[i]);
        note(o, INVERSE_AD, wrong[i] - 0.5 * reaction(s, b, i) - b->average[i]);
        note(o, LINE_F, half - 0.5 * reaction(s, b, i) - b->minus[i]);
    }
    /* A^a p~ + B^a (Ad* M~_k + M~_{k+1})/2 = A^a, B^a are (mu^a, eta^a) times the inverse of the whole metric. */
    for (int i = 0; i < n; i++) v[i] = o->in_G[i] ? 0.5 * (carried[i] + b->minus[i]) : b->average[i];
    if (!claim_solve(n, o->J, v, v)) return LG_ERROR_SINGULAR;
    for (int c = 0; c < s->m; c++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += b->A[c * n + i] * v[i];
        note(o, LINE_D, (sum - b->b[c]) * o->scale);
        note(o, SIGN, (sum + b->b[c]) * o->scale);
    }
    return LG_OK;
}

static void report(claim_report *r, const lines *o, int coupled, int steps)
{
    static const struct {
        int line;
        const char *what;
    } good[] = {{LINE_A, "(37a)"},  {LINE_C, "(37c)"}, {LINE_E, "(37e)"}, /* up to here of M */
                {LINE_B, "(37b)"},  {LINE_D, "(37d)"}, {LINE_F, "(37f)"}, {LINE_M, "M~_k, its definition"},
                {LINE_W, "W_{k+1}"}};
    for (size_t i = o->has_M ? 0 : 3; i < sizeof good / sizeof good[0]; i++)
        claim_below(r, o->most[good[i].line], 1e-14, "round-off of a step; (37a) divides it by h", "%s, %d steps",
                    good[i].what, steps);
    if (!claim_own_systems(r)) return;
    if (coupled) claim_control(r, o->most[BLOCK], 1e-6, "block of the inverse for the inverse of the block", "(37c)");
    if ((o->s->traits & CLAIM_BIINVARIANT) == 0)
        claim_control(r, o->most[INVERSE_AD], 1e-6, "Ad* of the inverse", "(37b)");
    claim_control(r, o->most[AVERAGE], 1e-6, "M~_k is p-_k, not the average", "M~_k, its definition");
    if ((o->s->traits & CLAIM_DRIFT) != 0)
        claim_control(r, o->most[SIGN], 1e-6, "the sign in (38b) as printed", "(37d), affine");
}

static void run(claim_report *r, lines *o, const char *retraction, int coupled)
{
    const claim_system *s = o->s;
    const int steps = r->full ? 200 : 50;
    lg_integrator *it = claim_start(r, s, "gni", retraction, s->h, LG_START_REACTION);
    node a, b;
    int ok = it != NULL;
    if (!ok) return;
    o->tau = lg_retraction_named(retraction);
    o->h = s->h;
    memset(o->most, 0, sizeof o->most);
    read_node(s, it, &a);
    for (int k = 0; ok && k < steps; k++) {
        double between[CLAIM_ELEMENT], moved[CLAIM_DIM], xi[CLAIM_DIM];
        lg_status status;
        if (!claim_steps(r, it, 1)) break;
        read_node(s, it, &b);
        memcpy(xi, lg_integrator_step_velocity(it), (size_t)s->n * sizeof *xi);
        o->scale = 1;
        for (int i = 0; i < s->n; i++) o->scale = fmax(o->scale, fmax(fabs(a.minus[i]), fabs(b.minus[i])));
        status = lg_group_inverse(s->G, between, a.g);
        if (status == LG_OK) status = lg_group_compose(s->G, between, between, b.g);
        if (status == LG_OK) status = lg_group_log(s->G, moved, between);
        if (status == LG_OK) lines_of_M(o, &a, &b, xi, moved);
        if (status == LG_OK) status = lines_of_G(o, &a, &b, xi);
        ok = claim_ok(r, status, "the lines of (37)", NULL);
        a = b;
    }
    if (ok) report(r, o, coupled, steps);
    lg_integrator_destroy(it);
}

static void reduced_rattle_of(claim_report *r, const claim_system *s, void *context)
{
    lines o = {.s = s};
    int coupled = 0, over_G = reduced_split(s, o.in_G);
    (void)context;
    if (over_G == 0 || !reduced_invariant(s, o.in_G)) return;
    o.has_M = over_G < s->n;
    claim_metric(s, 0, s->g0, o.J);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) coupled |= o.in_G[i] != o.in_G[j] && o.J[i * s->n + j] != 0;
    for (int i = 0; claim_retraction(i) != NULL; i++) run(r, &o, claim_retraction(i), coupled);
}

static void reduced_rattle(claim_report *r)
{
    claim_each(r, CLAIM_VELOCITY_ROWS, CLAIM_POSITION_ROWS | CLAIM_FORCE | CLAIM_METRIC, reduced_rattle_of, NULL);
    if (!claim_own_systems(r)) return;
    for (int i = 0; reduced_example(i) != NULL; i++) {
        claim_system s;
        if (!claim_open_definition(r, &s, reduced_example(i), NULL)) continue;
        reduced_rattle_of(r, &s, NULL);
        claim_close(&s);
    }
}

const claim claims_reduced_rattle[] = {
    {"reduced-rattle",
     "On M x G with rows and potential over M and a constant metric, every line of reduced RATTLE (37) holds along the "
     "GNI's trajectory, with the inverse of the block of M in (37c), M~ = p-, and with affine constraints.",
     "[P2] (37), corrected", 0.1, reduced_rattle},
    {0},
};
