/* SPDX-License-Identifier: BSD-3-Clause */
/* [P2] section 5: the Euler methods A and B are adjoint, and the properties of their composition. */
#include "claims/ferraro2015/paper_nodes.h"

/* One step of the paper's F^h on (q, p~, lambda~), in place. */
static int literal(claim_report *r, const claim_system *s, double w0, const char *retraction, double h, paper_node *x)
{
    lg_integrator *it = NULL;
    double minus[CLAIM_DIM];
    lg_status status = lg_integrator_create(&it, s->S, paper_method(w0), retraction, h);
    paper_momentum(s, x, h, w0 - 0.5, -1, minus);
    if (status == LG_OK) status = lg_integrator_start_momentum(it, 0, x->g, minus);
    if (status == LG_OK) status = lg_integrator_step(it);
    if (status == LG_OK) paper_read(s, w0, it, x);
    claim_ok(r, status, paper_method(w0), lg_integrator_message(it));
    lg_integrator_destroy(it);
    return status == LG_OK;
}

/* euler-adjoint: on (q, p~, lambda~) ------------------------------------------------------------------------------- */

/* Near the system's initial data: g, p~ with A J^-1 (p~ + shift h dV) = b, and lambda~ of any size. */
static int random_node(const claim_system *s, double shift, double h, lg_rng *rng, paper_node *x, double *scale)
{
    double A[CLAIM_ROWS * CLAIM_DIM], dV[CLAIM_DIM], xi[CLAIM_DIM], u[CLAIM_ROWS];
    const double speed = paper_largest(s->xi0, s->n);
    for (int i = 0; i < s->n; i++) xi[i] = 0.1 * lg_rng_normal(rng);
    if (lg_group_exp(s->G, x->g, xi) != LG_OK || lg_group_compose(s->G, x->g, s->g0, x->g) != LG_OK) return 0;
    for (int i = 0; i < s->n; i++) xi[i] = s->xi0[i] + 0.3 * (speed > 0 ? speed : 1) * lg_rng_normal(rng);
    paper_lower(s, x->g, xi, x->p);
    if (!paper_multipliers(s, x->g, x->p, u)) return 0;
    claim_rows(s, 0, x->g, A, NULL);
    claim_gradient(s, 0, x->g, dV);
    for (int i = 0; i < s->n; i++)
        for (int a = 0; a < s->m; a++) x->p[i] -= A[a * s->n + i] * u[a];
    *scale = paper_largest(x->p, s->n);
    for (int i = 0; i < s->n; i++) x->p[i] -= shift * h * dV[i];
    for (int a = 0; a < s->m; a++)
        x->lambda[a] = 0.2 * *scale / fabs(h) / paper_largest(A + a * s->n, s->n) * lg_rng_normal(rng);
    return 1;
}

/* The relative distance of two nodes, multipliers counted as momenta. */
static double apart(const claim_system *s, const paper_node *x, const paper_node *y, double h, double scale)
{
    double A[CLAIM_ROWS * CLAIM_DIM];
    const double p = claim_gap(x->p, y->p, s->n) / scale, lambda = claim_gap(x->lambda, y->lambda, s->m) / scale;
    claim_rows(s, 0, x->g, A, NULL);
    return paper_larger(claim_distance(s->G, x->g, y->g),
                        paper_larger(p, fabs(h) * paper_largest(A, s->m * s->n) * lambda));
}

/* The set of the states of a round trip: p~ + shift h dV is on the constraints, up to the part `off` of the
 * momentum. */
typedef struct set {
    double shift, off;
} set;

/* Largest deviation of F_v^h o F_w^-h from the identity over random states of the set. */
static double round_trip(claim_report *r, const claim_system *s, double w, double v, const char *retraction, double h,
                         set on)
{
    lg_rng rng = {31};
    double most = 0;
    claim_case(r, s->name, paper_method(v), retraction);
    for (int k = 0; k < (r->full ? 500 : 20); k++) {
        double A[CLAIM_ROWS * CLAIM_DIM], scale, far;
        paper_node x, y;
        if (!random_node(s, on.shift, h, &rng, &x, &scale)) return NAN;
        claim_rows(s, 0, x.g, A, NULL);
        for (int i = 0; i < s->n; i++) x.p[i] += on.off * scale * A[i] / paper_largest(A, s->n);
        y = x;
        if (!literal(r, s, w, retraction, -h, &y) || !literal(r, s, v, retraction, h, &y)) return NAN;
        far = apart(s, &x, &y, h, scale);
        most = paper_larger(most, far);
    }
    return most;
}

static void adjoint_of(claim_report *r, const claim_system *s, void *context)
{
    static const char why[] = "round-off of two solved steps";
    const set A = {0.5, 0}, B = {-0.5, 0}, both = {0, 0}, away = {0.5, 0.1};
    (void)context;
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        const char *tau = claim_retraction(i);
        for (int sign = -1; sign <= 1; sign += 2) {
            const double h = sign * s->h;
            claim_below(r, round_trip(r, s, 0, 1, tau, h, A), 5e-14, why, "F_A^h o F_B^-h - 1, h = %g", h);
            claim_below(r, round_trip(r, s, 1, 0, tau, h, B), 5e-14, why, "F_B^h o F_A^-h - 1, h = %g", h);
            claim_below(r, round_trip(r, s, 0.5, 0.5, tau, h, both), 5e-14, why, "RATTLE^h o RATTLE^-h - 1, h = %g", h);
        }
        claim_control(r, round_trip(r, s, 0, 1, tau, s->h, away), 1e-9, "p~ off the constraint of A",
                      "F_A^h o F_B^-h - 1 off the constraint");
        if (paper_has_slopes(s) && claim_own_systems(r))
            claim_control(r, round_trip(r, s, 1, 1, tau, s->h, B), 1e-9, "A is not its own adjoint",
                          "F_A^h o F_A^-h - 1 on the set that F_A^-h keeps");
    }
}

/* euler-adjoint: on T*Q -------------------------------------------------------------------------------------------- */

/* `steps` steps with w, then as many of 1 - w with -h from (q, p+), the reflection of p-: on T*Q that is the adjoint.
 * The distance of its end from (q_0, p-_0), -1 if the library refuses. With `reaction` not NULL it goes back from p-
 * itself, and *reaction is |p- - p+| there, relative. */
static double way_back(claim_report *r, const claim_system *s, double w, const char *retraction, int steps,
                       double *reaction)
{
    lg_integrator *it = claim_start(r, s, paper_method(w), retraction, s->h, LG_START_REACTION), *back = NULL;
    const double *from;
    double p0[CLAIM_DIM], far = NAN, scale;
    lg_status status;
    if (it == NULL) return -1;
    memcpy(p0, lg_integrator_momentum_minus(it), (size_t)s->n * sizeof *p0);
    scale = fmax(1e-300, paper_largest(p0, s->n));
    if (!claim_steps(r, it, steps)) goto done;
    from = reaction != NULL ? lg_integrator_momentum_minus(it) : lg_integrator_momentum_plus(it);
    if (reaction != NULL)
        *reaction = claim_gap(lg_integrator_momentum_minus(it), lg_integrator_momentum_plus(it), s->n) / scale;
    status = lg_integrator_create(&back, s->S, paper_method(1 - w), retraction, -s->h);
    if (status == LG_OK)
        status = lg_integrator_start_momentum(back, lg_integrator_time(it), lg_integrator_configuration(it), from);
    if (!claim_ok(r, status, "the way back", lg_integrator_message(back)) || !claim_steps(r, back, steps)) goto done;
    far = claim_gap(lg_integrator_momentum_plus(back), p0, s->n) / scale;
    far = paper_larger(far, claim_distance(s->G, lg_integrator_configuration(back), s->g0));
done:
    lg_integrator_destroy(back);
    lg_integrator_destroy(it);
    return far;
}

static void ways_back_of(claim_report *r, const claim_system *s, void *context)
{
    const int steps = 10; /* what was damped grows backwards in time */
    (void)context;
    for (int i = 0; claim_retraction(i) != NULL; i++)
        for (int k = 0; k < 3; k++) {
            const double w = k / 2.0, far = way_back(r, s, w, claim_retraction(i), steps, NULL);
            double reaction = 0, literally;
            if (far == -1) continue;
            claim_below(r, far, 5e-13, "round-off, grown by the motion", "(q, p-) after %d steps and back", steps);
            literally = way_back(r, s, w, claim_retraction(i), steps, &reaction);
            if (reaction > 1e-6)
                claim_control(r, literally, 1e-9, "p- instead of its reflection", "(q, p-) after %d steps and back",
                              steps);
        }
}

static void adjoint(claim_report *r)
{
    claim_each(r, CLAIM_VELOCITY_ROWS, PAPER_WITHOUT, adjoint_of, NULL);
    claim_each(r, 0, 0, ways_back_of, NULL);
}

/* euler-composition ------------------------------------------------------------------------------------------------ */

/* `pairs` times a step of h/2 with w, then one with 1 - w, on (q, p-); how it ends. */
static int alternate(claim_report *r, const claim_system *s, double w, const char *retraction, double h, int pairs,
                     claim_state *end)
{
    const int rows = s->m > 0;
    const char *const free_of_rows[2] = {"variational:euler-b", "variational:euler-a"};
    lg_integrator *begin = claim_start(r, s, rows ? "gni" : "variational", retraction, h / 2, LG_START_REACTION);
    lg_integrator *it[2] = {NULL, NULL};
    lg_status status = LG_OK;
    int ok = begin != NULL;
    for (int k = 0; ok && k < 2; k++) {
        const double at = k == 0 ? w : 1 - w;
        status = lg_integrator_create(&it[k], s->S, rows ? paper_method(at) : free_of_rows[at == 1], retraction, h / 2);
        ok = claim_ok(r, status, "create", lg_integrator_message(it[k]));
    }
    for (int k = 0; ok && k < 2 * pairs; k++) {
        const lg_integrator *from = k == 0 ? begin : it[(k + 1) % 2];
        lg_integrator *to = it[k % 2];
        status = lg_integrator_start_momentum(to, k * h / 2, lg_integrator_configuration(from),
                                              lg_integrator_momentum_minus(from));
        if (status == LG_OK) status = lg_integrator_step(to);
        ok = claim_ok(r, status, "step", lg_integrator_message(to));
    }
    if (ok) claim_read(it[1], end);
    for (int k = 0; k < 2; k++) lg_integrator_destroy(it[k]);
    lg_integrator_destroy(begin);
    return ok;
}

/* The pairs of Euler steps on (q, p~, lambda~), as remark 5.5 has it. */
static int alternate_literally(claim_report *r, const claim_system *s, double w, const char *retraction, double h,
                               int pairs, claim_state *end)
{
    lg_integrator *begin = claim_start(r, s, "gni", retraction, h / 2, LG_START_REACTION);
    paper_node x;
    int ok = begin != NULL;
    if (!ok) return 0;
    paper_read(s, 0.5, begin, &x);
    for (int k = 0; ok && k < 2 * pairs; k++) ok = literal(r, s, k % 2 == 0 ? w : 1 - w, retraction, h / 2, &x);
    memcpy(end->g, x.g, sizeof x.g);
    memcpy(end->p, x.p, sizeof x.p);
    lg_integrator_destroy(begin);
    return ok;
}

typedef int (*composition_fn)(claim_report *r, const claim_system *s, double w, const char *retraction, double h,
                              int pairs, claim_state *end);

/* 0: refused. */
static int composed_order(claim_report *r, const claim_system *s, composition_fn run, double w, const char *retraction,
                          const claim_state *truth, claim_order *out)
{
    enum { LEVELS = 4 };
    double g[LEVELS], p[LEVELS];
    const double T = 10 * s->h;
    for (int k = 0; k < LEVELS; k++) {
        const int pairs = 20 << k;
        claim_state end;
        if (!run(r, s, w, retraction, T / pairs, pairs, &end)) return 0;
        g[k] = claim_distance(s->G, truth->g, end.g);
        p[k] = claim_gap(truth->p, end.p, s->n);
    }
    *out = (claim_order){.g = claim_slope(g, LEVELS, 1e-11), .p = claim_slope(p, LEVELS, 1e-11)};
    out->error_g = g[LEVELS - 1];
    out->error_p = p[LEVELS - 1];
    return 1;
}

static void composition_of(claim_report *r, const claim_system *s, void *context)
{
    static const char *const what[2] = {"B first, (q, p-)", "A first, (q, p-)"};
    const int literally = (s->traits & PAPER_WITHOUT) == 0 && paper_has_slopes(s) && claim_own_systems(r);
    claim_state truth;
    (void)context;
    if (!claim_truth(r, s, 10 * s->h, 20, &truth, NULL)) return;
    for (int i = 0; claim_retraction(i) != NULL; i++)
        for (int w = 0; w < 2; w++) {
            claim_order x;
            if (composed_order(r, s, alternate, w, claim_retraction(i), &truth, &x))
                paper_order(r, &x, 1e-11, 1.95, 2.05, "alternating L_d is symmetric: 2, seen 1.97 to 2.01", what[w]);
            if (!literally || !composed_order(r, s, alternate_literally, w, claim_retraction(i), &truth, &x)) continue;
            claim_control(r, 2 - paper_least_order(&x), 0.5, "p~ of A is not p~ of B: remark 5.5 fails as printed",
                          "2 - order of (g, p~), (q, p~, lambda~)");
            if (strcmp(lg_model_describe(s->M)->name, "rattleback") == 0) /* several rows: the shift resonates */
                claim_between(r, paper_least_order(&x), -0.3, 0.3, "resonance with the alternating normal part",
                              "order of (g, p~), (q, p~, lambda~)");
        }
}

/* Largest difference after 10 h of the composition, A first, and RATTLE with the same h. */
static double from_rattle(claim_report *r, const claim_system *s, const char *method, const char *retraction)
{
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    claim_state a, b;
    double far = NAN;
    if (it != NULL && claim_steps(r, it, 10) && alternate(r, s, 1, retraction, s->h, 10, &b)) {
        claim_read(it, &a);
        far = claim_gap(a.p, b.p, s->n) / fmax(1e-300, paper_largest(a.p, s->n));
        far = paper_larger(far, claim_distance(s->G, a.g, b.g));
    }
    lg_integrator_destroy(it);
    return far;
}

/* The theorem of [44] for the same system without its rows on R^n, and its failure with rows. */
static void against_rattle(claim_report *r, const claim_system *s, void *context)
{
    claim_system without = *s;
    lg_system S = *s->S;
    (void)context;
    S.constraint_count = 0, S.callbacks.covectors = NULL, S.covector_matrix = NULL, S.callbacks.drift = NULL,
    S.callbacks.covectors_derivative = NULL, S.callbacks.covectors_rate = NULL;
    without.S = &S, without.m = 0;
    if ((s->traits & CLAIM_ABELIAN) != 0)
        claim_below(r, from_rattle(r, &without, "variational", "exp"), 1e-14, "round-off of 20 steps",
                    "F_B o F_A with h/2 - Stormer-Verlet, without the rows");
    if (claim_own_systems(r))
        claim_control(r, from_rattle(r, s, "gni", "exp"), 1e-7, "with constraints they differ by O(h^2)",
                      "F_B o F_A with h/2 - RATTLE, 10 steps");
}

static void composition(claim_report *r)
{
    claim_each(r, CLAIM_VELOCITY_ROWS, 0, composition_of, NULL);
    claim_each(r, CLAIM_VELOCITY_ROWS | CLAIM_POTENTIAL, PAPER_WITHOUT, against_rattle, NULL);
}

const claim claims_euler_pairs[] = {
    {"euler-adjoint",
     "F_A^h o F_B^-h = 1 and F_B^h o F_A^-h = 1 on the states (q, p~, lambda~) that satisfy the constraint of the last "
     "method, but not off them; on T*Q the adjoint of a step with A is the reflection before and after one with B.",
     "[P2] theorem 5.4, restricted to the constraint set", 0.1, adjoint},
    {"euler-composition",
     "GNI steps with the Euler Lagrangians A and B in turn, h/2 each, continued with (q, p-), are of order 2; they "
     "equal RATTLE only without constraints. Continued with (q, p~, lambda~) they are of order 1 or 0.",
     "[P2] remark 5.5, corrected", 0.2, composition},
    {0},
};
