/* SPDX-License-Identifier: BSD-3-Clause */
/* Integrators that report failures, the figures of a run, errors against the true motion and orders. */
#include <stdio.h>

#include "claims/framework/harness.h"

const char *claim_retraction(int i)
{
    static const char *const names[] = {"exp", "cayley"};
    return i >= 0 && i < 2 ? names[i] : NULL;
}

static lg_integrator *start_or_report(claim_report *r, const claim_system *s, const char *method,
                                      const char *retraction, double h, lg_start start, int project)
{
    lg_integrator *it = NULL;
    char what[160];
    lg_status status = lg_integrator_create(&it, s->S, method, retraction, h);
    claim_case(r, s->name, method, retraction);
    if (status == LG_OK) status = lg_integrator_start(it, 0, s->g0, s->xi0, start, project);
    if (status == LG_OK) return it;
    snprintf(what, sizeof what, "%s with %s and %s, h = %g", s->name, method, retraction, h);
    if (!claim_refused(r, s, method, retraction, status, lg_integrator_message(it)))
        (void)claim_ok(r, status, what, lg_integrator_message(it));
    lg_integrator_destroy(it);
    return NULL;
}

lg_integrator *claim_start(claim_report *r, const claim_system *s, const char *method, const char *retraction, double h,
                           lg_start start)
{
    return start_or_report(r, s, method, retraction, h, start, 0);
}

lg_integrator *claim_start_projected(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                                     double h)
{
    return start_or_report(r, s, method, retraction, h, LG_START_REACTION, 1);
}

int claim_steps(claim_report *r, lg_integrator *it, int64_t steps)
{
    for (int64_t k = 0; k < steps; k++)
        if (!claim_ok(r, lg_integrator_step(it), "lg_integrator_step", lg_integrator_message(it))) return 0;
    return 1;
}

/* The larger; a NaN stays. */
static double larger(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

int claim_watch(claim_report *r, lg_integrator *it, int64_t steps, claim_extremes *x)
{
    const int n = lg_group_dim(lg_integrator_group(it));
    const double *p = lg_integrator_momentum(it), post = lg_integrator_energy_post(it);
    double xi[CLAIM_DIM], kinetic = 0, work = 0, half;
    lg_trend H;
    int ok = claim_ok(r, lg_integrator_velocity(it, xi), "lg_integrator_velocity", lg_integrator_message(it));
    memset(x, 0, sizeof *x);
    lg_trend_begin(&H);
    for (int i = 0; ok && i < n; i++) kinetic += 0.5 * p[i] * xi[i];
    for (int64_t k = 0; ok && k <= steps; k++) {
        if (k > 0 && (ok = claim_steps(r, it, 1)) != 0) work += lg_integrator_step_work(it);
        if (!ok) return 0;
        const double energy = lg_integrator_energy(it);
        lg_trend_add(&H, lg_integrator_time(it), energy);
        x->post = larger(x->post, fabs(lg_integrator_energy_post(it) - post));
        x->balance = larger(x->balance, fabs(energy - H.first - work));
        x->constraint = larger(x->constraint, lg_integrator_constraint_residual(it));
        x->holonomic = larger(x->holonomic, lg_integrator_holonomic_residual(it));
        x->normal = larger(x->normal, lg_integrator_normal_part(it));
    }
    if (!ok) return 0;
    const double slope = lg_trend_slope(&H, &half);
    x->H =
        (lg_monitor_quantity){"energy", H.first, H.low, H.high, fmax(H.high - H.first, H.first - H.low), slope, half};
    x->scale = fmax(fabs(H.first), kinetic);
    if (!(x->scale > 0)) x->scale = 1; /* at rest without potential */
    x->energy = x->H.deviation / x->scale, x->post /= x->scale, x->balance /= x->scale;
    return 1;
}

void claim_read(const lg_integrator *it, claim_state *state)
{
    const lg_group *G = lg_integrator_group(it);
    memcpy(state->g, lg_integrator_configuration(it), (size_t)lg_group_element_size(G) * sizeof *state->g);
    memcpy(state->p, lg_integrator_momentum(it), (size_t)lg_group_dim(G) * sizeof *state->p);
    state->energy = lg_integrator_energy(it);
}

double claim_gap(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = larger(most, fabs(a[i] - b[i]));
    return most;
}

double claim_distance(const lg_group *G, const double *a, const double *b)
{
    double d;
    return lg_group_distance(G, &d, a, b) == LG_OK ? d : claim_gap(a, b, lg_group_element_size(G));
}

/* The truth ------------------------------------------------------------------------------------------------------- */

/* The state at T by `steps` steps of the first composition that the library does not refuse. */
static int compose(claim_report *r, const claim_system *s, double T, int steps, claim_state *out)
{
    static const char *const methods[] = {"sem@kahan-li8", "sem:gauss=8@kahan-li6", "gni@kahan-li6"};
    int ok;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        lg_integrator *it = claim_start(r, s, methods[i], "exp", T / steps, LG_START_REACTION);
        if (it == NULL) continue;
        ok = claim_steps(r, it, steps);
        claim_read(it, out);
        lg_integrator_destroy(it);
        return ok;
    }
    claim_trouble(r, "no composition of high order for the truth");
    return 0;
}

int claim_truth(claim_report *r, const claim_system *s, double T, int count, claim_state *truth, double *error)
{
    int (*exact)(const lg_call *, const double *, const double *, double *, double *) = lg_model_describe(s->M)->exact;
    const lg_call c = claim_call(s, &T);
    double xi[CLAIM_DIM];
    claim_state coarse;
    if (error != NULL) *error = 0;
    if (exact != NULL && exact(&c, s->g0, s->xi0, truth->g, xi) == 0) {
        int known = 1;
        for (int i = 0; i < s->size; i++) known &= !isnan(truth->g[i]);
        for (int i = 0; i < s->n; i++) known &= !isnan(xi[i]);
        if (known && claim_momentum_of(r, s, T, truth->g, xi, truth->p))
            return claim_ok(r, lg_system_energy(s->S, &truth->energy, T, truth->g, truth->p, NULL), "H", NULL);
    }
    if (!compose(r, s, T, count, truth)) return 0;
    if (error == NULL) return 1;
    if (!compose(r, s, T, (count + 1) / 2, &coarse)) return 0;
    *error = fmax(claim_distance(s->G, truth->g, coarse.g), claim_gap(truth->p, coarse.p, s->n));
    return 1;
}

/* Orders ---------------------------------------------------------------------------------------------------------- */

double claim_slope(const double *errors, int levels, double floor)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    int used = 0;
    for (int k = 0; k < levels && errors[k] > floor; k++, used++) x += k, y += log2(errors[k]);
    if (used < 2) return NAN;
    x /= used, y /= used;
    for (int k = 0; k < used; k++) xx += (k - x) * (k - x), xy += (k - x) * (log2(errors[k]) - y);
    return -xy / xx;
}

int claim_measure_order(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                        lg_start start, double T, int count, int levels, const claim_state *truth, double floor,
                        claim_order *out)
{
    enum { MOST = 8 };
    double g[MOST], p[MOST], energy[MOST];
    if (levels > MOST) levels = MOST;
    if (r->slack > 1) floor *= r->slack;
    for (int k = 0; k < levels; k++) {
        const int64_t steps = (int64_t)count << k;
        lg_integrator *it = claim_start(r, s, method, retraction, T / (double)steps, start);
        claim_state end;
        int ok;
        if (it == NULL) return 0;
        ok = claim_steps(r, it, steps);
        claim_read(it, &end);
        lg_integrator_destroy(it);
        if (!ok) return 0;
        g[k] = claim_distance(s->G, truth->g, end.g);
        p[k] = claim_gap(truth->p, end.p, s->n);
        energy[k] = fabs(end.energy - truth->energy);
    }
    out->g = claim_slope(g, levels, floor);
    out->p = claim_slope(p, levels, floor);
    out->energy = claim_slope(energy, levels, floor);
    out->error_g = g[levels - 1];
    out->error_p = p[levels - 1];
    out->error_energy = energy[levels - 1];
    return 1;
}
