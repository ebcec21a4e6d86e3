/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the claims of [P4]: rates along the true motion, random states on the constraints. */
#include "claims/bloch2005/survey.h"

double survey_weight(int j)
{
    static const double weight[4] = {0, 45.0 / 60, -9.0 / 60, 1.0 / 60};
    return weight[j];
}

double survey_dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

double survey_norm(const double *a, int n)
{
    return sqrt(survey_dot(a, a, n));
}

/* out += the part of the formula that three steps of h (of either sign) from the state contribute. */
static int add_side(claim_report *r, const claim_system *s, const double *g, const double *xi, double h, int count,
                    survey_value value, const void *context, double *out)
{
    double at[4 * CLAIM_DIM + 1];
    lg_integrator *it = NULL;
    lg_status status = lg_integrator_create(&it, s->S, "rkmk4", "exp", h);
    int ok;
    if (status == LG_OK) status = lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 0);
    ok = claim_ok(r, status, "rkmk4", lg_integrator_message(it));
    for (int j = 1; ok && j <= 3; j++) {
        ok = claim_steps(r, it, 1);
        if (ok && value(s, lg_integrator_configuration(it), lg_integrator_momentum(it), context, at) != 0) {
            claim_trouble(r, "no value near the state");
            ok = 0;
        }
        for (int i = 0; ok && i < count; i++) out[i] += survey_weight(j) * at[i] / h;
    }
    lg_integrator_destroy(it);
    return ok;
}

double survey_pace(claim_report *r, const claim_system *s, const double *g, const double *xi)
{
    static const double step = 1e-6;
    double later[CLAIM_DIM];
    lg_integrator *it = NULL;
    lg_status status = lg_integrator_create(&it, s->S, "rkmk4", "exp", step);
    int ok;
    if (status == LG_OK) status = lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 0);
    ok = claim_ok(r, status, "rkmk4", lg_integrator_message(it)) && claim_steps(r, it, 1) &&
         claim_ok(r, lg_integrator_velocity(it, later), "lg_integrator_velocity", lg_integrator_message(it));
    lg_integrator_destroy(it);
    if (!ok) return NAN;
    for (int i = 0; i < s->n; i++) later[i] -= xi[i];
    return 1 + survey_norm(later, s->n) / step / fmax(survey_norm(xi, s->n), 1e-300);
}

int survey_rate(claim_report *r, const claim_system *s, const double *g, const double *xi, int count,
                survey_value value, const void *context, double *out)
{
    const double pace = survey_pace(r, s, g, xi), h = 3e-4 / pace; /* h^4, and 2e-16/h from rounding */
    if (isnan(pace)) return 0;
    memset(out, 0, (size_t)count * sizeof *out);
    return add_side(r, s, g, xi, h, count, value, context, out) &&
           add_side(r, s, g, xi, -h, count, value, context, out);
}

int survey_state(claim_report *r, const claim_system *s, lg_rng *rng, double spread, double *g, double *xi)
{
    double step[CLAIM_DIM];
    lg_integrator *it = NULL;
    lg_status status;
    int ok;
    for (int i = 0; i < s->n; i++) step[i] = spread * lg_rng_normal(rng);
    for (int i = 0; i < s->n; i++) xi[i] = lg_rng_normal(rng);
    status = lg_group_exp(s->G, g, step);
    if (status == LG_OK) status = lg_group_compose(s->G, g, s->g0, g);
    if (status == LG_OK) status = lg_integrator_create(&it, s->S, "rkmk4", "exp", s->h);
    if (status == LG_OK) status = lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 1);
    ok = claim_ok(r, status, "a random state", it != NULL ? lg_integrator_message(it) : NULL);
    if (ok) {
        memcpy(g, lg_integrator_configuration(it), (size_t)s->size * sizeof *g);
        ok = claim_ok(r, lg_integrator_velocity(it, xi), "lg_integrator_velocity", lg_integrator_message(it));
    }
    lg_integrator_destroy(it);
    return ok;
}
