/* SPDX-License-Identifier: BSD-3-Clause */
/* The discrete Lagrange-d'Alembert equation of DLA on R^n, D_2 L_d(q_0, q_1) + D_1 L_d(q_1, q_2) + h A^T (sigma,
 * lambda) = 0, from three configurations and the multipliers alone: L_d is written once more, with the ledger's
 * derivatives. */
#include "claims/cortes2001/dla.h"

#include <stdlib.h>

/* The points and weights at which a rule evaluates L. */
static const struct {
    const char *rule;
    int points;
    double at[2];
} rules[] = {
    {"midpoint", 1, {0.5, 0}},  {"alpha=0", 1, {0, 0}},
    {"trapezoidal", 2, {0, 1}}, {"symmetric-alpha=0.2", 2, {0.2, 0.8}},
    {"midleft", 1, {0.5, 0}},
};

/* out += weight dT, the derivative of 1/2 u.J(q) u: differences of order 6. */
static void add_kinetic_slope(const claim_system *s, double t, const double *q, const double *u, double weight,
                              double *out)
{
    static const double coefficient[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60}, step = 1e-3;
    double J[CLAIM_DIM * CLAIM_DIM], at[CLAIM_DIM];
    if (s->S->callbacks.metric == NULL) return;
    for (int i = 0; i < s->n; i++)
        for (int j = -3; j <= 3; j++) {
            const double w = j == 0 ? 0 : coefficient[abs(j) - 1] * (j > 0 ? 1 : -1) / step;
            memcpy(at, q, (size_t)s->n * sizeof *q);
            at[i] += j * step;
            claim_metric(s, t, at, J);
            for (int a = 0; a < s->n; a++) out[i] += weight * w * u[a] * claim_dot(s->n, J + a * s->n, u) / 2;
        }
}

/* out = -D_1 L_d(q, r) (arriving 0) or D_2 L_d(q, r) (1). */
static void slope(const claim_system *s, int rule, double h, double t, const double *q, const double *r, int arriving,
                  double *out)
{
    double u[CLAIM_DIM], at[CLAIM_DIM], J[CLAIM_DIM * CLAIM_DIM], dV[CLAIM_DIM];
    for (int i = 0; i < s->n; i++) u[i] = (r[i] - q[i]) / h, out[i] = 0;
    for (int k = 0; k < rules[rule].points; k++) {
        const double a = rules[rule].at[k], weight = 1.0 / rules[rule].points;
        const double force = h * weight * (arriving ? -a : 1 - a), when = t + a * h;
        for (int i = 0; i < s->n; i++) at[i] = (1 - a) * q[i] + a * r[i];
        claim_metric(s, when, at, J);
        claim_gradient(s, when, at, dV);
        for (int i = 0; i < s->n; i++) out[i] += weight * claim_dot(s->n, J + i * s->n, u) + force * dV[i];
        add_kinetic_slope(s, when, at, u, -force, out);
    }
}

double claim_reaction_defect(claim_report *r, const claim_system *s, const char *rule, const char *retraction,
                             int steps)
{
    double q[3][CLAIM_DIM], A[CLAIM_ROWS * CLAIM_DIM], arrives[CLAIM_DIM], leaves[CLAIM_DIM], worst = 0, size = 0;
    char method[40] = "dla:";
    size_t which = 0;
    lg_integrator *it;
    const int mh = s->S->callbacks.holonomic_count;
    while (which < sizeof rules / sizeof rules[0] && strcmp(rules[which].rule, rule) != 0) which++;
    if (which == sizeof rules / sizeof rules[0]) return NAN;
    strncat(method, rule, sizeof method - 5);
    it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    for (int k = 0; it != NULL && k <= steps; k++) {
        const double t = lg_integrator_time(it) - s->h;
        memcpy(q[0], q[1], sizeof q[0]), memcpy(q[1], q[2], sizeof q[0]);
        memcpy(q[2], lg_integrator_configuration(it), (size_t)s->n * sizeof **q);
        if (k >= 2) {
            claim_rows(s, t, q[1], A, NULL);
            slope(s, (int)which, s->h, t - s->h, q[0], q[1], 1, arrives);
            slope(s, (int)which, s->h, t, q[1], q[2], 0, leaves);
            for (int i = 0; i < s->n; i++) {
                double reaction = 0;
                for (int a = 0; a < s->m; a++)
                    reaction +=
                        s->h * A[a * s->n + i] *
                        (a < mh ? lg_integrator_holonomic_multipliers(it)[a] : lg_integrator_multipliers(it)[a - mh]);
                worst = claim_larger(worst, fabs(leaves[i] - arrives[i] - reaction));
                size = claim_larger(size, fabs(leaves[i] - arrives[i]));
                size = claim_larger(size, 0.1 * fabs(leaves[i])); /* rows may have nothing to do */
            }
        }
        if (k < steps && !claim_steps(r, it, 1)) worst = NAN;
    }
    lg_integrator_destroy(it);
    return worst / size;
}
