/* SPDX-License-Identifier: BSD-3-Clause */
/* [P1] theorem 4.3: DLA in constrained coordinates, phi = 0 in R^s, and in generalised coordinates by a chart of it. */
#include <stdio.h>

#include "claims/framework/variants.h"
#include "claims/cortes2001/dla.h"
#include "claims/cortes2001/level_sets.h"

/* A chart of any system -------------------------------------------------------------------------------------------- */

/* About the point v0 of phi = 0: v = v0 + E q + N^T z with N = d phi(v0), the columns of E orthonormal and orthogonal
 * to N, and z found by Newton's method. */
enum { MOST = LG_PULLBACK_MAX };
typedef struct graph {
    const claim_system *of;
    int s, r, k; /* k = s - r holonomic constraints */
    double v0[MOST], E[MOST * MOST], N[CLAIM_ROWS * MOST];
} graph;

/* dphi(v), before the other rows, and C = dphi(v) N^T. */
static void normals(const graph *o, double t, const double *v, double *dphi, double *C)
{
    claim_rows(o->of, t, v, dphi, NULL);
    for (int i = 0; i < o->k * o->k; i++) C[i] = claim_dot(o->s, dphi + i / o->k * o->s, o->N + i % o->k * o->s);
}

static int graph_chart(const lg_call *call, const double *q, double *v)
{
    const graph *o = call->context;
    lg_call c = *call;
    double phi[CLAIM_ROWS] = {0}, dphi[CLAIM_ROWS * CLAIM_DIM], C[CLAIM_ROWS * CLAIM_ROWS], z[CLAIM_ROWS];
    c.context = o->of->S->context;
    for (int i = 0; i < o->s; i++) v[i] = o->v0[i] + claim_dot(o->r, o->E + i * o->r, q);
    for (int it = 0; it < 50; it++) {
        double size = 0;
        if (o->of->S->callbacks.holonomic(&c, v, phi) != 0) return 1;
        normals(o, call->t, v, dphi, C);
        if (!claim_solve(o->k, C, phi, z)) return 2;
        for (int j = 0; j < o->k; j++) size = claim_larger(size, fabs(z[j]));
        for (int i = 0; i < o->s; i++)
            for (int j = 0; j < o->k; j++) v[i] -= z[j] * o->N[j * o->s + i];
        if (size < 1e-14) return 0; /* what it was before this correction */
    }
    return 3;
}

static int graph_jacobian(const lg_call *call, const double *q, double *D)
{
    const graph *o = call->context;
    double v[MOST], dphi[CLAIM_ROWS * CLAIM_DIM], C[CLAIM_ROWS * CLAIM_ROWS], column[MOST], z[CLAIM_ROWS];
    if (graph_chart(call, q, v) != 0) return 1;
    normals(o, call->t, v, dphi, C);
    for (int j = 0; j < o->r; j++) {
        for (int i = 0; i < o->s; i++) column[i] = o->E[i * o->r + j];
        for (int i = 0; i < o->k; i++) z[i] = claim_dot(o->s, dphi + i * o->s, column);
        if (!claim_solve(o->k, C, z, z)) return 2;
        for (int i = 0; i < o->s; i++) {
            D[i * o->r + j] = column[i];
            for (int l = 0; l < o->k; l++) D[i * o->r + j] -= o->N[l * o->s + i] * z[l];
        }
    }
    return 0;
}

/* E: unit vectors, made orthogonal to N and to one another, without those that vanish. */
static void graph_at(graph *o, const claim_system *s, const double *v)
{
    const int n = s->n, k = s->S->callbacks.holonomic_count;
    double A[CLAIM_ROWS * CLAIM_DIM], basis[MOST][MOST];
    int have = 0;
    memset(o, 0, sizeof *o);
    o->of = s, o->s = n, o->k = k, o->r = n - k;
    memcpy(o->v0, v, (size_t)n * sizeof *v);
    claim_rows(s, 0, v, A, NULL);
    memcpy(o->N, A, (size_t)(k * n) * sizeof *A);
    for (int from = 0; from < k + n && have < n; from++) {
        double *b = basis[have], size;
        for (int i = 0; i < n; i++) b[i] = from < k ? A[from * n + i] : i == from - k;
        for (int twice = 0; twice < 2; twice++)
            for (int j = 0; j < have; j++) {
                const double along = claim_dot(n, basis[j], b);
                for (int i = 0; i < n; i++) b[i] -= along * basis[j][i];
            }
        size = sqrt(claim_dot(n, b, b));
        if (size < 0.2) continue;
        for (int i = 0; i < n; i++) b[i] /= size;
        if (have >= k)
            for (int i = 0; i < n; i++) o->E[i * o->r + have - k] = b[i];
        have++;
    }
}

/* The comparison --------------------------------------------------------------------------------------------------- */

/* The largest differences between the two formulations, and with the chart's own rule. */
typedef struct misfit {
    double path, momentum, lambda, phi, chart;
    double scale; /* largest momentum */
} misfit;

/* "dla:RULE" on R^s and "dla:user" on R^r from the same state. */
static int compare(claim_report *r, const claim_system *s, lg_integrator *V, lg_integrator *Q, lg_integrator *own,
                   lg_pullback *p, int steps, misfit *most)
{
    for (int k = 0; k < steps; k++) {
        const double *pV, *pQ;
        double v[MOST], w[MOST];
        const int dim = lg_group_dim(lg_integrator_group(Q));
        if (!claim_steps(r, V, 1) || !claim_steps(r, Q, 1) || !claim_steps(r, own, 1)) return 0;
        pV = lg_integrator_momentum_plus(V), pQ = lg_integrator_momentum_plus(Q);
        if (!claim_ok(r, lg_pullback_point(p, v, lg_integrator_configuration(Q)), "point", NULL)) return 0;
        most->path = claim_larger(most->path, claim_gap(v, lg_integrator_configuration(V), s->n));
        for (int i = 0; i < dim; i++) {
            double e[MOST] = {0};
            e[i] = 1;
            if (!claim_ok(r, lg_pullback_velocity(p, w, lg_integrator_configuration(Q), e), "velocity", NULL)) return 0;
            most->momentum = claim_larger(most->momentum, fabs(claim_dot(s->n, w, pV) - pQ[i]));
            most->scale = claim_larger(most->scale, fabs(pQ[i]));
        }
        most->lambda = claim_larger(most->lambda, claim_gap(lg_integrator_multipliers(V), lg_integrator_multipliers(Q),
                                                            s->S->constraint_count));
        most->phi = claim_larger(most->phi, lg_integrator_holonomic_residual(V));
        if (!claim_ok(r, lg_pullback_point(p, v, lg_integrator_configuration(own)), "point", NULL)) return 0;
        most->chart = claim_larger(most->chart, claim_gap(v, lg_integrator_configuration(V), s->n));
    }
    return 1;
}

/* The state of V seen through the chart about it, q = 0. */
static lg_integrator *launch(claim_report *r, const claim_system *s, lg_pullback *p, const char *method,
                             const char *tau, lg_integrator *V)
{
    const lg_system *S = lg_pullback_system(p);
    lg_integrator *it = NULL;
    double q[MOST] = {0}, P[MOST], w[MOST];
    lg_status status = lg_integrator_create(&it, S, method, tau, lg_integrator_step_size(V));
    for (int i = 0; i < lg_group_dim(S->group) && status == LG_OK; i++) {
        double e[MOST] = {0};
        e[i] = 1;
        status = lg_pullback_velocity(p, w, q, e);
        P[i] = claim_dot(s->n, w, lg_integrator_momentum_plus(V));
    }
    if (status == LG_OK) status = lg_integrator_start_momentum(it, 0, q, P);
    if (claim_ok(r, status, method, lg_integrator_message(it))) return it;
    lg_integrator_destroy(it);
    return NULL;
}

/* A chart about the current place of V, some steps, the next chart. */
static int chapters(claim_report *r, const claim_system *s, const char *rule, const char *method, const char *tau,
                    lg_integrator *V, int count, misfit *most)
{
    memset(most, 0, sizeof *most);
    for (int k = 0; k < count; k++) {
        graph about;
        lg_pullback *p = NULL;
        lg_integrator *Q = NULL, *own = NULL;
        lg_status status;
        int ok;
        graph_at(&about, s, lg_integrator_configuration(V));
        status = lg_pullback_create(&p, s->S, about.r, rule, graph_chart, graph_jacobian, &about);
        if (status == LG_OK) status = lg_pullback_check(p, (double[MOST]){0.01, -0.02});
        ok = claim_ok(r, status, "lg_pullback_create", lg_pullback_message(p));
        if (ok) Q = launch(r, s, p, "dla:user", tau, V), own = launch(r, s, p, method, tau, V);
        ok = Q != NULL && own != NULL && compare(r, s, V, Q, own, p, 3, most);
        lg_integrator_destroy(Q);
        lg_integrator_destroy(own);
        lg_pullback_destroy(p);
        if (!ok) return 0;
    }
    return 1;
}

/* Does dphi change from place to place? On a plane the chart is linear and maps middles to middles. */
static int is_curved(const claim_system *s)
{
    double here[CLAIM_ROWS * CLAIM_DIM], there[CLAIM_ROWS * CLAIM_DIM], v[CLAIM_DIM];
    for (int i = 0; i < s->n; i++) v[i] = s->g0[i] + 0.1 * (i + 1);
    claim_rows(s, 0, s->g0, here, NULL);
    claim_rows(s, 0, v, there, NULL);
    return claim_gap(here, there, s->S->callbacks.holonomic_count * s->n) > 1e-6;
}

static void say(claim_report *r, const misfit *most, int curved)
{
    claim_below(r, most->path, 3e-14, "round-off of 3 steps, measured 4e-15", "v_k - J(q_k)");
    claim_below(r, most->momentum / most->scale, 1e-13, "round-off, measured 2e-14", "p+ on Q against DJ^T p+ on V");
    claim_below(r, most->lambda / most->scale, 1e-12, "round-off over h, measured 1e-13", "multipliers of the rows");
    claim_below(r, most->phi, 2e-14, "round-off, measured 2e-15", "|phi(v_k)|");
    if (curved)
        claim_control(r, most->chart, 1e-5, "the rule in the chart's own coordinates", "v_k - J(q_k)");
    else
        claim_below(r, most->chart, 3e-14, "a linear chart maps middles to middles", "v_k - J(q_k), the chart's own");
}

static const char *const rules[] = {"midpoint", "alpha=0", "trapezoidal", "symmetric-alpha=0.2", "midleft"};

static void formulations_of(claim_report *r, const claim_system *s, void *context)
{
    (void)context;
    if (s->G->kind != LG_KIND_RN || s->n > MOST) return;
    for (int i = 0; i < 10; i++) {
        char method[40];
        lg_integrator *V;
        misfit most;
        snprintf(method, sizeof method, "dla:%s", rules[i / 2]);
        V = claim_start(r, s, method, claim_retraction(i % 2), s->h, LG_START_REACTION);
        if (V != NULL && chapters(r, s, rules[i / 2], method, claim_retraction(i % 2), V, r->full ? 150 : 5, &most))
            say(r, &most, is_curved(s));
        lg_integrator_destroy(V);
    }
}

/* The multipliers, which both formulations would share if they were wrong. */
static void reactions_of(claim_report *r, const claim_system *s, void *context)
{
    (void)context;
    if (s->G->kind != LG_KIND_RN || s->m == 0) return;
    for (int i = 0; i < 10; i++)
        claim_below(r, claim_reaction_defect(r, s, rules[i / 2], claim_retraction(i % 2), 50), 1e-11,
                    "round-off over h^2, measured 3e-13",
                    "the equation of motion with these multipliers, relative to the reaction, 50 steps");
}

/* The pendulum by its angle ---------------------------------------------------------------------------------------- */

static int angle_chart(const lg_call *c, const double *q, double *v)
{
    (void)c;
    v[0] = cos(q[0]), v[1] = sin(q[0]);
    return 0;
}

static int angle_jacobian(const lg_call *c, const double *q, double *D)
{
    (void)c;
    D[0] = -sin(q[0]), D[1] = cos(q[0]);
    return 0;
}

/* The angle at t = 1 from 0.9 with velocity 0.5. NAN after trouble. */
static double angle_at_one(claim_report *r, const lg_system *S, const char *method, int steps)
{
    static const double q0 = 0.9, u0 = 0.5;
    lg_integrator *it = NULL;
    double end = NAN;
    lg_status status = lg_integrator_create(&it, S, method, "exp", 1.0 / steps);
    claim_case(r, "circle", method, "exp");
    if (status == LG_OK) status = lg_integrator_start(it, 0, &q0, &u0, LG_START_REACTION, 0);
    if (claim_ok(r, status, method, lg_integrator_message(it)) && claim_steps(r, it, steps))
        end = lg_integrator_configuration(it)[0];
    lg_integrator_destroy(it);
    return end;
}

/* The midpoint rule for the angle is another method of order 2. */
static void pendulum(claim_report *r, const claim_system *s)
{
    lg_pullback *p = NULL;
    double gap[3], error[2], truth;
    if (!claim_ok(r, lg_pullback_create(&p, s->S, 1, "midpoint", angle_chart, angle_jacobian, NULL), "pull back",
                  lg_pullback_message(p)))
        return;
    truth = angle_at_one(r, lg_pullback_system(p), "sem@kahan-li6", 40);
    for (int i = 0; i < 3; i++) {
        const double end = angle_at_one(r, lg_pullback_system(p), "dla:user", 10 << i);
        if (i < 2) error[i] = fabs(end - truth);
        gap[i] = fabs(end - angle_at_one(r, lg_pullback_system(p), "dla:midpoint", 10 << i));
    }
    claim_between(r, log2(error[0] / error[1]), 1.9, 2.1, "order 2", "order of the pulled-back midpoint rule");
    claim_control(r, gap[0], 1e-3, "the middle of the angle", "angle at t = 1, h = 0.1");
    claim_between(r, log2(gap[1] / gap[2]), 1.95, 2.05, "both have order 2", "order of that difference");
    lg_pullback_destroy(p);
}

/* Linear coordinates ----------------------------------------------------------------------------------------------- */

/* v = B q with B = 1 + a shear. */
static void stretched(const double *q, double *v, int n)
{
    for (int i = 0; i < n; i++) v[i] = q[i] + (i + 1 < n ? 0.5 * q[i + 1] : 0);
}

static int linear_chart(const lg_call *c, const double *q, double *v)
{
    stretched(q, v, *(const int *)c->context);
    return 0;
}

static int linear_jacobian(const lg_call *c, const double *q, double *D)
{
    const int n = *(const int *)c->context;
    (void)q;
    for (int i = 0; i < n; i++) {
        D[i * n + i] = 1;
        if (i + 1 < n) D[i * n + i + 1] = 0.5;
    }
    return 0;
}

/* A system with forces or drift has the same motion in other coordinates. */
static void linear_of(claim_report *r, const claim_system *s, void *context)
{
    double q[MOST], u[MOST], v[MOST], w[MOST], most;
    lg_integrator *V = NULL, *Q = NULL;
    lg_pullback *p = NULL;
    lg_status status;
    (void)context;
    if (s->G->kind != LG_KIND_RN || s->n > MOST) return;
    for (int i = s->n - 1; i >= 0; i--) {
        q[i] = s->g0[i] - (i + 1 < s->n ? 0.5 * q[i + 1] : 0);
        u[i] = s->xi0[i] - (i + 1 < s->n ? 0.5 * u[i + 1] : 0);
    }
    V = claim_start(r, s, "rkmk4", "exp", s->h / 4, LG_START_REACTION);
    status = lg_pullback_create(&p, s->S, s->n, NULL, linear_chart, linear_jacobian, &s->n);
    if (!claim_ok(r, status, "pull back", lg_pullback_message(p)) || V == NULL) goto done;
    if (!claim_ok(r, lg_pullback_check(p, q), "the chart", lg_pullback_message(p))) goto done;
    status = lg_integrator_create(&Q, lg_pullback_system(p), "rkmk4", "exp", s->h / 4);
    if (status == LG_OK) status = lg_integrator_start(Q, 0, q, u, LG_START_REACTION, 0);
    if (!claim_ok(r, status, "rkmk4", lg_integrator_message(Q)) || !claim_steps(r, V, 20) || !claim_steps(r, Q, 20))
        goto done;
    if (lg_integrator_velocity(V, w) != LG_OK || lg_integrator_velocity(Q, u) != LG_OK) goto done;
    stretched(lg_integrator_configuration(Q), v, s->n);
    most = claim_gap(v, lg_integrator_configuration(V), s->n);
    if (!claim_ok(r, lg_pullback_velocity(p, v, lg_integrator_configuration(Q), u), "lg_pullback_velocity", ""))
        goto done;
    claim_below(r, fmax(most, claim_gap(v, w, s->n)), 1e-9, "Runge-Kutta stages commute with a linear map; differences",
                "forces and drift in other coordinates, 20 steps");
done:
    lg_integrator_destroy(Q);
    lg_integrator_destroy(V);
    lg_pullback_destroy(p);
}

/* As it is, and with friction. */
static void linear_both(claim_report *r, const claim_system *s, void *context)
{
    claim_variant a = {.friction = 0.3};
    claim_system rubbed;
    linear_of(r, s, context);
    claim_vary(&rubbed, &a, s);
    linear_of(r, &rubbed, context);
}

static void formulations(claim_report *r)
{
    claim_each(r, CLAIM_POSITION_ROWS, CLAIM_FORCE | CLAIM_TIME, formulations_of, NULL);
    claim_each(r, 0, CLAIM_FORCE | CLAIM_TIME, reactions_of, NULL);
    claim_each(r, 0, CLAIM_POSITION_ROWS | CLAIM_CONTROLS, linear_both, NULL);
    if (!claim_own_systems(r)) return;
    for (int i = 0; claim_level_set(i) != NULL; i++) {
        claim_system s;
        if (!claim_open_definition(r, &s, claim_level_set(i), NULL)) return;
        formulations_of(r, &s, NULL);
        reactions_of(r, &s, NULL);
        if (strcmp(s.name, "circle") == 0) pendulum(r, &s);
        claim_close(&s);
    }
}

const claim claims_formulations[] = {
    {"dla-formulations",
     "DLA in constrained coordinates, with phi(v) = 0 in R^s, and in generalised coordinates, with L_d and omega_d "
     "pulled back along a chart v = J(q), has the same trajectory, the same multipliers and p+ = DJ^T p+; the "
     "multipliers satisfy the discrete equation of motion, written down independently.",
     "[P1] theorem 4.3; for curved phi = 0 with L_d o (J x J)", 0.4, formulations},
    {0},
};
